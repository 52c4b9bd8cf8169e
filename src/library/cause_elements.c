/* Hypotheses of elements: left out, or added twice. */
#include "hypotheses.h"

#include <inttypes.h>
#include <math.h>

/* 2^k or 10^k, of which people make limits, a warp or more. */
static bool is_round(uint64_t count)
{
    if (count < 32 || (count & (count - 1)) == 0)
        return count >= 32;
    while (count % 10 == 0)
        count /= 10;
    return count == 1;
}

/* Of 3000 elements the first 32, 64 ... 2048, 100 and 1000 are so many, which 4 bits tell apart. */
static double cost_of_count(const struct inquiry *inquiry, uint64_t left_out, bool is_first)
{
    const double any = 2 * log2((double)left_out), round = 1 + log2(log2((double)inquiry->n));
    if (left_out == (inquiry->n + 1) / 2 && inquiry->n > 8)
        return 2;
    return !is_first && is_round(inquiry->n - left_out) ? fmin(any, round) : any;
}

/* How many elements at an end are to be left out to come nearest to the result, 0 where that does not help: sums of the
 * others in twice binary64's digits, by TwoSum (Knuth). */
static uint64_t count_left_out(const struct inquiry *inquiry, bool is_first)
{
    const uint64_t n = inquiry->n;
    double sum = 0, lost = 0, least = (double)INFINITY;
    uint64_t count = 0;
    for (uint64_t kept = 1; kept < n; kept++) {
        const uint64_t i = is_first ? n - kept : kept - 1;
        const double next = term(inquiry, i), before = sum;
        sum += next;
        const double part = sum - before;
        lost += (before - (sum - part)) + (next - part);
        if (inquiry->y)
            lost += fma(inquiry->x[i], inquiry->y[i], -next);
        const double distance = fabs((sum - inquiry->computed) + lost);
        const double score = cost_of_count(inquiry, n - kept, is_first) + log2(1 + distance / inquiry->unit);
        if (score < least) {
            least = score;
            count = n - kept;
        }
    }
    return count;
}

/* 4 of 1003 = 4 250 + 3; 0: no vector of 2, 4 ... 1024 elements has this rest. */
static uint64_t vector_with_rest(uint64_t n, uint64_t rest)
{
    for (uint64_t length = 2; length <= 1024; length *= 2)
        if (rest > 1 && n % length == rest)
            return length;
    return 0;
}

void last_left_out(struct inquiry *inquiry)
{
    const uint64_t count = count_left_out(inquiry, false), length = vector_with_rest(inquiry->n, count);
    const double weight =
        count > 0 ? inquiry_weigh(inquiry, inquiry->x, inquiry->y, inquiry->n - count) : (double)INFINITY;
    /* Vectors have some lengths, and rests any; the rest is what is forgotten first. */
    const double any = 2 + cost_of_count(inquiry, count, false);
    const double cost = length > 0 ? fmin(1 + log2(log2((double)length)), any) : any;
    if (count == 1)
        inquiry_suspect(inquiry, cost, weight, 1, "the last element is left out");
    else if (length > 0)
        inquiry_suspect(inquiry, cost, weight, count,
                        "the last %" PRIu64 " elements are left out: those beyond the last whole vector of %" PRIu64,
                        count, length);
    else if (count == (inquiry->n + 1) / 2)
        inquiry_suspect(inquiry, cost, weight, count, "the second half of the data is left out");
    else if (is_round(inquiry->n - count))
        inquiry_suspect(inquiry, cost, weight, count, "the elements beyond the first %" PRIu64 " are left out",
                        inquiry->n - count);
    else
        inquiry_suspect(inquiry, cost, weight, count, "the last %" PRIu64 " elements are left out", count);
}

void first_left_out(struct inquiry *inquiry)
{
    const uint64_t count = count_left_out(inquiry, true);
    const double *const y = inquiry->y ? inquiry->y + count : NULL;
    const double weight =
        count > 0 ? inquiry_weigh(inquiry, inquiry->x + count, y, inquiry->n - count) : (double)INFINITY;
    const double cost = 3 + cost_of_count(inquiry, count, true);
    if (count == 1)
        inquiry_suspect(inquiry, cost, weight, 1, "the first element is left out");
    else
        inquiry_suspect(inquiry, cost, weight, count, "the first %" PRIu64 " elements are left out", count);
}

double weigh_inserted(struct inquiry *inquiry, uint64_t at, double x, double y)
{
    const size_t behind = (inquiry->n - at) * sizeof x;
    memmove(inquiry->changed_x + at + 1, inquiry->changed_x + at, behind);
    inquiry->changed_x[at] = x;
    if (inquiry->y) {
        memmove(inquiry->changed_y + at + 1, inquiry->changed_y + at, behind);
        inquiry->changed_y[at] = y;
    }
    return weigh_changed(inquiry, inquiry->n + 1);
}

static double weigh_twice(struct inquiry *inquiry, uint64_t i)
{
    inquiry_copy(inquiry);
    return weigh_inserted(inquiry, i, inquiry->x[i], inquiry->y ? inquiry->y[i] : 1);
}

static double weigh_without(struct inquiry *inquiry, uint64_t at, uint64_t count)
{
    const size_t behind = (inquiry->n - at - count) * sizeof *inquiry->x;
    inquiry_copy(inquiry);
    memmove(inquiry->changed_x + at, inquiry->x + at + count, behind);
    if (inquiry->y)
        memmove(inquiry->changed_y + at, inquiry->y + at + count, behind);
    return weigh_changed(inquiry, inquiry->n - count);
}

/* Of the terms between the first and the last, or runs of them, the two that are nearest to a value. */
struct nearest_terms {
    uint64_t at;
    double distance, next;
};

static struct nearest_terms terms_near(const struct inquiry *inquiry, double value, uint64_t length)
{
    struct nearest_terms near = {0, (double)INFINITY, (double)INFINITY};
    for (uint64_t i = length; i + length < inquiry->n; i += length) {
        double sum = 0;
        for (uint64_t k = i; k < i + length; k++)
            sum += term(inquiry, k);
        const double distance = fabs(sum - value);
        if (distance < near.distance)
            near = (struct nearest_terms){i, distance, near.distance};
        else if (distance < near.next)
            near.next = distance;
    }
    return near;
}

/* s - computed. */
static double missing(const struct inquiry *inquiry)
{
    return copysign(inquiry->sound.error, inquiry->sound.exact.nearest - inquiry->computed);
}

/* Which one is named where it is 16 times nearer than any other. */
static void suspect_element(struct inquiry *inquiry, bool is_twice, const char *happens)
{
    const struct nearest_terms near = terms_near(inquiry, is_twice ? -missing(inquiry) : missing(inquiry), 1);
    if (near.distance == (double)INFINITY)
        return;
    const double cost = 4 + log2((double)inquiry->n);
    const double weight = is_twice ? weigh_twice(inquiry, near.at) : weigh_without(inquiry, near.at, 1);
    if (near.next + inquiry->unit >= 16 * (near.distance + inquiry->unit))
        inquiry_suspect(inquiry, cost, weight, !is_twice, "x_%" PRIu64 " is %s", near.at, happens);
    else
        inquiry_suspect(inquiry, cost, weight, !is_twice, "one element is %s", happens);
}

void one_left_out(struct inquiry *inquiry)
{
    const uint64_t middle = inquiry->n / 2; /* where two halves are to meet */
    if (inquiry->n > 2)
        inquiry_suspect(inquiry, 3, weigh_without(inquiry, middle, 1), 1,
                        "the element in the middle, x_%" PRIu64 ", is left out", middle);
    suspect_element(inquiry, false, "left out");
}

/* What one thread, warp or block adds: 2^k elements, behind a multiple of as many. */
void run_left_out(struct inquiry *inquiry)
{
    const double n = (double)inquiry->n;
    for (uint64_t length = 2; length < inquiry->n / 2; length *= 2) {
        const struct nearest_terms near = terms_near(inquiry, missing(inquiry), length);
        const double cost = 4 + log2(n / (double)length) + log2(log2(n));
        if (cost + log2(1 + near.distance / inquiry->unit) < inquiry_unexplained(inquiry))
            inquiry_suspect(inquiry, cost, weigh_without(inquiry, near.at, length), length,
                            "x_%" PRIu64 " .. x_%" PRIu64 " are left out", near.at, near.at + length - 1);
    }
}

/* An end as by a loop that reads one beyond, or one that starts from x_0 and adds it again. */
void one_twice(struct inquiry *inquiry)
{
    if (inquiry->n > 1) {
        inquiry_suspect(inquiry, 2, weigh_twice(inquiry, inquiry->n - 1), 0, "the last element is added twice");
        inquiry_suspect(inquiry, 2, weigh_twice(inquiry, 0), 0, "the first element is added twice");
    }
    suspect_element(inquiry, true, "added twice");
}
