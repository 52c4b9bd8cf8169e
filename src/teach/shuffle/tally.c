#include "shuffle.h"

#include <math.h>

/* ---- equal sums, found by sorting ---- */

/* A sum as an integer, which orders as the sums do, and its permutation. */
struct key {
    uint64_t place, permutation;
};

static struct key key_of(double sum, uint64_t permutation)
{
    const uint64_t bits = double_bits(sum);
    const uint64_t place = isnan(sum) ? UINT64_MAX : bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
    return (struct key){place, permutation};
}

static double sum_of_key(struct key key)
{
    const uint64_t place = key.place;
    if (place == UINT64_MAX)
        return NAN;
    return double_from_bits(place >> 63 ? place ^ UINT64_C(1) << 63 : ~place);
}

static int by_key(const void *one, const void *other)
{
    const struct key *a = one, *b = other;
    const int by_place = (a->place > b->place) - (a->place < b->place);
    return by_place != 0 ? by_place : (a->permutation > b->permutation) - (a->permutation < b->permutation);
}

static struct key *sorted_keys(const double *sums, uint64_t count)
{
    struct key *keys = malloc(count * sizeof *keys);
    for (uint64_t k = 0; keys && k < count; k++)
        keys[k] = key_of(sums[k], k);
    if (keys)
        qsort(keys, count, sizeof *keys, by_key);
    return keys;
}

static size_t count_distinct(const struct key *keys, uint64_t count)
{
    size_t distinct = count > 0;
    for (uint64_t i = 1; i < count; i++)
        distinct += keys[i].place != keys[i - 1].place;
    return distinct;
}

/* ---- errors ---- */

/* computed - s in units of a power of two: exact, and then rounded once to binary64. */
static double error_of(const struct shuffled *shuffled, double computed)
{
    const struct exact_sum *exact = &shuffled->exact;
    if (exact->kind != EXACT_FINITE || !isfinite(computed))
        return exact->kind == EXACT_FINITE ? computed : (double)NAN;
    mpfr_t error;
    mpfr_init2(error, mpfr_get_prec(exact->sum) + 64);
    mpfr_d_sub(error, computed, exact->sum, MPFR_RNDN);
    mpfr_div_d(error, error, shuffled->unit, MPFR_RNDN);
    const double value = mpfr_get_d(error, MPFR_RNDN);
    mpfr_clear(error);
    return value;
}

/* How bad an error is; a sum that is not finite is worse than all others. */
static double badness(const struct shuffled_sum *sum)
{
    return isnan(sum->error) ? (double)INFINITY : fabs(sum->error);
}

static void choose(struct shuffled_method *of)
{
    for (size_t i = 1; i < of->distinct; i++) {
        const struct shuffled_sum *sum = &of->sums[i], *best = &of->sums[of->best], *worst = &of->sums[of->worst],
                                  *commonest = &of->sums[of->commonest];
        const double bad = badness(sum);
        if (bad < badness(best) || (bad == badness(best) && sum->order < best->order))
            of->best = i;
        if (bad > badness(worst) || (bad == badness(worst) && sum->order < worst->order))
            of->worst = i;
        if (sum->count > commonest->count || (sum->count == commonest->count && sum->order < commonest->order))
            of->commonest = i;
    }
}

/* Two passes over the distinct sums, in their order: the same bits whatever the threads. */
static void measure(const struct shuffled *shuffled, struct shuffled_method *of)
{
    double total = 0, squares = 0, least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < of->distinct; i++) {
        const struct shuffled_sum *sum = &of->sums[i];
        if (isfinite(sum->computed)) {
            least = fmin(least, sum->computed);
            most = fmax(most, sum->computed);
        }
        if (isfinite(sum->error)) {
            of->finite += sum->count;
            total += (double)sum->count * sum->error;
        }
    }
    of->overflowed = shuffled->exact.kind == EXACT_FINITE ? shuffled->request->permutations - of->finite : 0;
    of->mean = of->finite > 0 ? total / (double)of->finite : (double)NAN;
    for (size_t i = 0; i < of->distinct; i++)
        if (isfinite(of->sums[i].error))
            squares += (double)of->sums[i].count * (of->sums[i].error - of->mean) * (of->sums[i].error - of->mean);
    of->deviation = of->finite > 0 ? sqrt(squares / (double)of->finite) : (double)NAN;
    of->spread = most >= least ? (most - least) / shuffled->unit : (double)NAN;
}

enum status tally_sums(const struct shuffled *shuffled, const double *sums, double given, struct shuffled_method *of)
{
    const uint64_t count = shuffled->request->permutations;
    struct key *keys = sorted_keys(sums, count);
    of->sums = keys ? calloc(count_distinct(keys, count), sizeof *of->sums) : NULL;
    if (!of->sums) {
        free(keys);
        return out_of_memory("the sums of permutations");
    }
    for (uint64_t i = 0; i < count; i++) {
        if (i == 0 || keys[i].place != keys[i - 1].place) {
            struct shuffled_sum *sum = &of->sums[of->distinct++];
            sum->computed = sum_of_key(keys[i]);
            sum->order = shuffled->request->first + keys[i].permutation;
            sum->error = error_of(shuffled, sum->computed);
        }
        of->sums[of->distinct - 1].count++;
    }
    free(keys);
    of->given = (struct shuffled_sum){.computed = given, .count = 1, .error = error_of(shuffled, given)};
    choose(of);
    measure(shuffled, of);
    return OK;
}

/* ---- which are drawn ---- */

static bool are_alike(const struct shuffled_method *one, const struct shuffled_method *other)
{
    if (one->distinct != other->distinct)
        return false;
    for (size_t i = 0; i < one->distinct; i++)
        if (double_bits(one->sums[i].computed) != double_bits(other->sums[i].computed) ||
            one->sums[i].count != other->sums[i].count)
            return false;
    return true;
}

static bool may_follow(const struct shuffled *shuffled, const size_t *chosen, size_t count, size_t method)
{
    const struct shuffled_method *of = &shuffled->methods[method];
    for (size_t i = 0; i < count; i++)
        if (chosen[i] == method || are_alike(&shuffled->methods[chosen[i]], of))
            return false;
    return !isnan(of->deviation);
}

size_t widest_methods(const struct shuffled *shuffled, size_t most, size_t *chosen)
{
    const size_t none = shuffled->request->method_count;
    size_t count = 0;
    for (size_t next = 0; count < most && next != none;) {
        next = none;
        for (size_t m = 0; m < none; m++)
            if (may_follow(shuffled, chosen, count, m) &&
                (next == none || shuffled->methods[m].deviation > shuffled->methods[next].deviation))
                next = m;
        if (next != none)
            chosen[count++] = next;
    }
    return count;
}
