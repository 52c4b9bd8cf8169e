#include "asker.h"

#include "datasets/splitmix64.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const float LARGE = 0x1p100f;

enum status ask_sum(struct asker *asker, const float *x, float *sum)
{
    asker->sums++;
    return asker->box->sum(asker->box->context, x, asker->n, sum);
}

static enum status sum_of_mask(struct asker *asker, struct mask mask, float *sum)
{
    asker->x[mask.i] = LARGE;
    asker->x[mask.j] = -LARGE;
    const enum status status = ask_sum(asker, asker->x, sum);
    asker->x[mask.i] = asker->x[mask.j] = 1;
    return status;
}

enum status ask(struct asker *asker, struct mask mask, uint64_t *leaves)
{
    enum { WHAT_SIZE = 200 };
    char what[WHAT_SIZE];
    float sum;
    TRY(sum_of_mask(asker, mask, &sum));
    if (sum >= 0 && sum <= (float)(asker->n - 2) && sum == floorf(sum)) {
        *leaves = asker->n - (uint64_t)sum;
        return OK;
    }
    snprintf(what, sizeof what, "the sum is %a; expected a count from 0 to %llu", (double)sum,
             (unsigned long long)asker->n - 2);
    return ask_refuse(asker, mask, what,
                      "it does not add numbers of binary32 in one tree, or 2^100 is outside what it adds in");
}

enum status ask_refuse_change(const struct asker *asker, float one, float other)
{
    complain("%s: the same %llu numbers once gave %a and once %a: its order changes from call to call; expected a "
             "method that "
             "always adds in one order; probe another one",
             asker->box->name, (unsigned long long)asker->n, (double)one, (double)other);
    return BAD_INPUT;
}

/* ---- other numbers ---- */

uint64_t ask_random(struct asker *asker)
{
    return splitmix64(asker->random_count++);
}

/* Not quite uniform, by less than count/2^64: for choices that only have to be spread out. */
uint64_t ask_random_below(struct asker *asker, uint64_t count)
{
    return ask_random(asker) % count;
}

void ask_swap(float *x, uint64_t i, uint64_t j)
{
    const float kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

/* Of 2^least up to 2^(least + binades). */
static float random_number(struct asker *asker, int least, uint64_t binades)
{
    const float significand = (float)((ask_random(asker) & 0xffffff) | 0x800000);
    const float size = ldexpf(significand, least + (int)ask_random_below(asker, binades) - 23);
    return ask_random(asker) & 1 ? -size : size;
}

/* x[0..2 * pairs) is for each number its negation, too. */
static void fill_pairs(struct asker *asker, uint64_t pairs, int least, uint64_t binades, float *x)
{
    for (uint64_t i = 0; i < pairs; i++) {
        x[2 * i] = random_number(asker, least, binades);
        x[2 * i + 1] = -x[2 * i];
    }
}

/* A quarter of the numbers are pairs that cancel, the others as large as the last place of those. */
static void fill_last_place(struct asker *asker, int bits, float *x)
{
    const int large = 60;
    const uint64_t n = asker->n, pairs = n / 8 + (n > 2);
    fill_pairs(asker, pairs, large, 2, x);
    for (uint64_t i = 2 * pairs; i < n; i++)
        x[i] = random_number(asker, large - bits - 1, 4);
}

static void fill_cancelling(struct asker *asker, uint64_t binades, float *x)
{
    x[asker->n - 1] = random_number(asker, 0, 4);
    fill_pairs(asker, asker->n / 2, 0, binades, x);
}

static void fill_alike(struct asker *asker, float *x)
{
    for (uint64_t i = 0; i < asker->n; i++)
        x[i] = random_number(asker, 0, 4);
}

void ask_fill(struct asker *asker, int set, float *x)
{
    static const uint64_t binades[] = {4, 16, 40, 80};
    const int kind = set % 4;
    if (kind == 0)
        fill_cancelling(asker, binades[set / 4 % 4], x);
    else if (kind == 1)
        fill_alike(asker, x);
    else
        fill_last_place(asker, kind == 2 ? 24 : 53, x);
    for (uint64_t i = asker->n; i > 1; i--)
        ask_swap(x, i - 1, ask_random_below(asker, i));
}

/* ---- refusals ---- */

enum { TIMES = 128 }; /* that one call in ten is another one is missed once in a million */

static enum status refuse_if_mask_changes(struct asker *asker, struct mask mask)
{
    float one, other;
    TRY(sum_of_mask(asker, mask, &one));
    for (int time = 1; time < TIMES; time++) {
        TRY(sum_of_mask(asker, mask, &other));
        if (one != other && !(isnan(one) && isnan(other)))
            return ask_refuse_change(asker, one, other);
    }
    return OK;
}

/* More orders differ in these than in a count. */
static enum status refuse_if_data_change(struct asker *asker)
{
    enum status status = OK;
    float *x = malloc(asker->n * sizeof *x), one, other;
    if (!x)
        return out_of_memory("the data of a probe");
    ask_fill(asker, CANCELLING_SET, x);
    TRY_DONE(ask_sum(asker, x, &one));
    for (int time = 1; time < TIMES && status == OK; time++) {
        TRY_DONE(ask_sum(asker, x, &other));
        if (one != other && !(isnan(one) && isnan(other)))
            status = ask_refuse_change(asker, one, other);
    }
done:
    free(x);
    return status;
}

enum status ask_refuse(struct asker *asker, struct mask mask, const char *what, const char *meaning)
{
    TRY(refuse_if_mask_changes(asker, mask));
    TRY(refuse_if_data_change(asker));
    complain(
        "%s: with 2^100 at element %llu, -2^100 at %llu and 1 elsewhere %s: this is not the tree of a plain sum in "
        "one order; %s; probe another method, or see docs/probe.md",
        asker->box->name, (unsigned long long)mask.i, (unsigned long long)mask.j, what, meaning);
    return BAD_INPUT;
}
