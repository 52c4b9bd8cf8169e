/* compensation_chain: one size more than there are terms to hold it.
 *
 *   k = 2   M^2, M, 1, -M^2, -M,   M^2, M, 1, -M^2, -M, ...   cut off at n
 *   k = 3   M^3, M^2, M, 1, -M^3, -M^2, -M, ...
 *
 * M is so large that M^j + M^(j-1) is M^j.  A sum with k - 1 corrections then holds M^k, ..., M, each in a term of its
 * own, and 1 has no place:
 *
 *   neumaier, k = 2:  sum M^2, lost M + 1 = M;   then sum -M, lost M: 0 instead of 1
 *   klein, k = 3:     sum M^3, lost M^2, lost_again M + 1 = M: likewise.  For k = 2 its lost_again is 1.
 *
 * Wide sums give up where M^k is as wide as they are: binary64 at M^k = 2^53, double_float at M^k = 2^49 or so.
 */
#include "datasets/random.h"

#define FAMILY compensation_chain

PORTABLE double compensation_chain_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const uint64_t k = (uint64_t)call->values[0], place = i % (2 * k + 1);
    return place == k ? 1 : place < k ? call->real[k - 1 - place] : -call->real[2 * k - place];
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
/* Leaves M, M^2, ..., M^k.  All of one sign in a row, they must not overflow. */
static enum status prepare(struct generator_call *call)
{
    const uint64_t k = (uint64_t)call->values[0], chains = call->n / (2 * k + 1) + 1;
    double power = 1;
    for (uint64_t j = 0; j < k; j++) {
        power *= nearest_in(&call->format, call->values[1]);
        call->real[j] = nearest_in(&call->format, power);
    }
    const double most = power_of_two(call->format.overflow_exponent - 1) / 2;
    if (power * (double)chains <= most)
        return OK;
    return bad_input("compensation_chain: k=%llu,big=%.9g,n=%llu: the sum of all M^k is %.3g; expected %.3g at most; "
                     "take a smaller k, big or n",
                     (unsigned long long)k, call->values[1], (unsigned long long)call->n, power * (double)chains, most);
}

static const char *refuses(const struct format *format)
{
    if (format->least_exponent > -100 && format->bytes > 1)
        return "M is 2^12 or more, and a few of them overflow";
    return formats_of_results(format);
}

static void adapt(const struct format *format, struct parameter *row)
{
    const int p = format->precision, most = format->overflow_exponent;
    adapt_row(row, "big", power_of_two(p > 28 ? p + 4 : 28), power_of_two(p + 1), power_of_two(most - 32));
}

const struct generator generator_compensation_chain = {
    .id = "compensation_chain",
    .summary = "M^k, ..., M, 1, -M^k, ..., -M again and again: one size more than k terms hold",
    .formula = "x = M^k, ..., M, 1, -M^k, ..., -M, M^k, ...",
    .source = "made for ulpscope; K terms hold K sizes: SumK of Ogita, Rump & Oishi, SIAM J. Sci. Comput. 26(6) (2005)",
    .effects =
        EFFECTS({"n=4095,k=1", "plain/*,kahan/serial,kahan_naive_merge/*,fabsum/serial", AT_LEAST, 9.4e6},
                {"n=4095,k=1", "compensated/*,wider/*,exact/*,!kahan*", AT_MOST, 0},
                {"n=4095,k=2", "plain/*,neumaier/*,sum2/*,double_float/*,binary64/*,fabsum*,binned/*", AT_LEAST, 6.4e6},
                {"n=4095,k=2", "kahan/serial", AT_LEAST, 4.3e12}, {"n=4095,k=2", "klein/*,binned_4x20/*", AT_MOST, 0},
                {"n=4095,k=3", "plain/*,kahan/*,neumaier/*,sum2/*,klein/*,double_float/*,binary64/*,fabsum*,binned*",
                 AT_LEAST, 4.3e6},
                {"n=4095,k=3", "binary64_kahan/tree_two_pass", AT_MOST, 0}),
    .exact = "m for n = (2k + 1)m; condition 1 + 2(M + ... + M^k) for those n",
    .showcase = {"compensation_chain:n=4095,k=1", "compensation_chain:n=4095,k=2", "compensation_chain:n=4095,k=3"},
    .parameters =
        PARAMETERS({"k", WHOLE, 2, 1, 5, "sizes beside 1", NULL},
                   {"big", REAL, 0x1p28, 0x1p25, 0x1p96, "M, the ratio of two sizes, rounded to the format", NULL}),
    .refuses = refuses,
    .adapt = adapt,
    .prepare = prepare,
    .elements = compensation_chain_elements,
};
#endif
