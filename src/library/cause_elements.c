/* Hypotheses of elements: left out, or added twice. */
#include "hypotheses.h"

#include <inttypes.h>
#include <math.h>

static double cost_of_count(const struct inquiry *inquiry, uint64_t left_out)
{
    return left_out == (inquiry->n + 1) / 2 && inquiry->n > 8 ? 2 : 2 * log2((double)left_out);
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
        const double score = cost_of_count(inquiry, n - kept) + log2(1 + distance / inquiry->unit);
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
    /* Vectors have some lengths, and rests any. */
    const double cost = 2 + (length > 0 ? fmin(log2(log2((double)length)), cost_of_count(inquiry, count))
                                        : cost_of_count(inquiry, count));
    if (count == 1)
        inquiry_suspect(inquiry, cost, weight, 1, "the last element is left out");
    else if (length > 0)
        inquiry_suspect(inquiry, cost, weight, count,
                        "the last %" PRIu64 " elements are left out: those beyond the last whole vector of %" PRIu64,
                        count, length);
    else if (count == (inquiry->n + 1) / 2)
        inquiry_suspect(inquiry, cost, weight, count, "the second half of the data is left out");
    else
        inquiry_suspect(inquiry, cost, weight, count, "the last %" PRIu64 " elements are left out", count);
}

void first_left_out(struct inquiry *inquiry)
{
    const uint64_t count = count_left_out(inquiry, true);
    const double *const y = inquiry->y ? inquiry->y + count : NULL;
    const double weight =
        count > 0 ? inquiry_weigh(inquiry, inquiry->x + count, y, inquiry->n - count) : (double)INFINITY;
    const double cost = 3 + cost_of_count(inquiry, count);
    if (count == 1)
        inquiry_suspect(inquiry, cost, weight, 1, "the first element is left out");
    else
        inquiry_suspect(inquiry, cost, weight, count, "the first %" PRIu64 " elements are left out", count);
}

/* The two terms between the first and the last that are nearest to a value. */
struct nearest_terms {
    uint64_t at;
    double distance, next;
};

static struct nearest_terms terms_near(const struct inquiry *inquiry, double value)
{
    struct nearest_terms near = {0, (double)INFINITY, (double)INFINITY};
    for (uint64_t i = 1; i + 1 < inquiry->n; i++) {
        const double distance = fabs(term(inquiry, i) - value);
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

/* Which one is told where it is 16 times nearer than any other. */
static void suspect_element(struct inquiry *inquiry, struct nearest_terms near, double weight, uint64_t left_out,
                            const char *happens)
{
    const double cost = 4 + log2((double)inquiry->n);
    if (near.next + inquiry->unit >= 16 * (near.distance + inquiry->unit))
        inquiry_suspect(inquiry, cost, weight, left_out, "x_%" PRIu64 " is %s", near.at, happens);
    else
        inquiry_suspect(inquiry, cost, weight, left_out, "one element is %s", happens);
}

void one_left_out(struct inquiry *inquiry)
{
    const struct nearest_terms near = terms_near(inquiry, missing(inquiry));
    const uint64_t behind = inquiry->n - near.at - 1;
    if (near.distance == (double)INFINITY)
        return;
    inquiry_copy(inquiry);
    memmove(inquiry->changed_x + near.at, inquiry->x + near.at + 1, behind * sizeof *inquiry->x);
    if (inquiry->y)
        memmove(inquiry->changed_y + near.at, inquiry->y + near.at + 1, behind * sizeof *inquiry->y);
    suspect_element(inquiry, near, weigh_changed(inquiry, inquiry->n - 1), 1, "left out");
}

static double weigh_twice(struct inquiry *inquiry, uint64_t i)
{
    inquiry_copy(inquiry);
    inquiry->changed_x[inquiry->n] = inquiry->x[i];
    if (inquiry->y)
        inquiry->changed_y[inquiry->n] = inquiry->y[i];
    return weigh_changed(inquiry, inquiry->n + 1);
}

/* As by a loop that reads one beyond, or one that starts from x_0 and adds it again. */
void end_twice(struct inquiry *inquiry)
{
    if (inquiry->n > 1) {
        inquiry_suspect(inquiry, 2, weigh_twice(inquiry, inquiry->n - 1), 0, "the last element is added twice");
        inquiry_suspect(inquiry, 2, weigh_twice(inquiry, 0), 0, "the first element is added twice");
    }
}

void one_twice(struct inquiry *inquiry)
{
    const struct nearest_terms near = terms_near(inquiry, -missing(inquiry));
    if (near.distance < (double)INFINITY)
        suspect_element(inquiry, near, weigh_twice(inquiry, near.at), 0, "added twice");
}
