/* telescope: differences of powers, and the last power taken back.
 *
 *   t_1 - t_0, t_2 - t_1, ..., t_(n-1) - t_(n-2), -t_(n-1)      t_i = r^i, rounded to binary32
 *
 * For 1 < r < 2 each difference is exact (Sterbenz's lemma), so that the sum is -t_0 = -1 exactly, however the powers
 * are rounded.  Left to right the partial sums are t_i - 1: the -1 is rounded away once t_i is beyond 2^25, and there
 * is nothing of the sum left.
 *
 *   r = 1.5:  0.5, 0.75, 1.125, -3.375
 *
 * r^i is made of squares, r^13 = r^8 r^4 r, in binary64: the same bits everywhere, and a formula of i.  That takes
 * up to 70 ns an element, and the range of binary32 ends such series at 870,000 of them.
 */
#include "../random.h"

#define FAMILY telescope

PORTABLE float telescope_power(double r, uint64_t i)
{
    double power = 1;
    for (double square = r; i > 0; i >>= 1) {
        if (i & 1)
            power *= square;
        square *= square;
    }
    return (float)power;
}

PORTABLE float telescope_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const float here = telescope_power(call->values[0], i);
    return i == call->n - 1 ? -here : telescope_power(call->values[0], i + 1) - here;
}

#include "../element_loop.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    const double r = call->values[0];
    uint64_t most = 1;
    for (double power = 1; power * r < 0x1p126; power *= r)
        most++;
    if (call->n <= most)
        return OK;
    complain("telescope: n=%llu,r=%.9g: r^(n-1) is beyond binary32; n of at most %llu was expected for this r; take a "
             "smaller n or r",
             (unsigned long long)call->n, r, (unsigned long long)most);
    return BAD_INPUT;
}

static const struct parameter parameters[] = {
    {"r", REAL, 1.02, 1.0001, 1.99, "the ratio of two powers", NULL},
    {0},
};

const struct generator generator_telescope = {
    .id = "telescope",
    .summary = "differences of powers, and the last power taken back",
    .formula = "x_i = t_(i+1) - t_i, x_(n-1) = -t_(n-1), t_i = r^i",
    .source = "CPython's test of math.fsum, with r = 1.7 (recalled)",
    .hurts = "plain, kahan once r^n > 2^25; binary64 once r^n > 2^54",
    .spares = "neumaier/serial, klein/serial, whose corrections hold the -1",
    .exact = "-1; condition 2 r^(n-1) - 1",
    .showcase = {"telescope:n=100,r=1.7", "telescope:n=4096"},
    .parameters = parameters,
    .prepare = prepare,
    .elements = telescope_elements,
};
#endif
