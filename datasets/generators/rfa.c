/* rfa: what lies below the last bin.
 *
 *   cancelling   2^k, 1, 1, ..., 1, -2^k
 *   positive     2^110, then 2^(110-k) again and again
 *
 * Reproducible sums keep a few bins, counted from that of the largest number; what is below half a unit of the last one
 * is lost in any order of adding.  How far down that is depends on where 2^k lies in its bin, hence two numbers:
 *
 *   kept bins            units from the top to the last   a one is lost beside 2^k from   wherever the bins lie, from
 *   binned_3x13                        2^26                         k = 32                         k = 39
 *   binned                             2^40                         k = 50                         k = 60
 *   binned_4x20                        2^60                         k = 70                         k = 80
 *
 *   binned, k = 50: 2^50 is half of the unit 2^51, so that the last of its 3 bins counts units of 2^11
 *   binned, k = 49: the top bin has units of 2^31, the last of 2^-9
 *
 * 2^110 in the positive form is half a unit of a bin of both widths (13 20 - 149 = 111 = 20 13 - 149): the place where
 * least is kept, 2^-26, 2^-40 and 2^-60 of it being ties that are lost.  No sum cancels there, the relative error is
 * (n-1) 2^-k all the same.
 */
#include "datasets/random.h"

#define FAMILY rfa

PORTABLE float rfa_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const int k = (int)call->values[0];
    const bool positive = call->values[1] != 0;
    if (positive)
        return two_to(i == 0 ? 110 : 110 - k);
    return i == 0 ? two_to(k) : i == call->n - 1 ? -two_to(k) : 1;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static const char *refuses(const struct format *format)
{
    return format->precision == FORMAT_BINARY32.precision ? NULL : "its powers are those of the bins of binary32";
}

const struct generator generator_rfa = {
    .id = "rfa",
    .summary = "a power of two and what is too small for the bins below it",
    .formula = "x_0 = 2^k, x_i = 1, x_(n-1) = -2^k; positive: x_0 = 2^110, x_i = 2^(110-k)",
    .source = "made for ulpscope, against sums in bins: ReproBLAS, and CCCL 3.1 at determinism gpu_to_gpu",
    .effects = EFFECTS({"n=4Ki,k=31", "plain/*,!*/ranks_*", AT_LEAST, 1e6},
                       {"n=4Ki,k=31", "neumaier/*,klein/*,double_float/*,binary64*,binned*", AT_MOST, 0},
                       {"n=4Ki,k=32", "binned_3x13/*", AT_LEAST, 1.6e7},
                       {"n=4Ki,k=39", "plain/*,binned_3x13/*", AT_LEAST, 1.6e7},
                       {"n=4Ki,k=39", "binned/*,binned_4x20/*,binary64*", AT_MOST, 0},
                       {"n=4Ki,k=60", "binned/*,binned_3x13/*", AT_LEAST, 1.6e7},
                       {"n=4Ki,k=60", "binary64/*,!*/ranks_*", AT_LEAST, 1e6},
                       {"n=4Ki,k=60", "binned_4x20/*,neumaier/*,klein/*,double_float/*", AT_MOST, 0},
                       {"n=4Ki,k=80", "plain/*,binary64/*,binned*", AT_LEAST, 1.6e7},
                       {"n=4Ki,k=80", "neumaier/*,klein/*,double_float/*", AT_MOST, 0},
                       {"n=1Mi,k=26,form=positive", "plain/serial,binned_3x13/*", AT_LEAST, 1.3e5},
                       {"n=1Mi,k=26,form=positive", "plain/tree_two_pass,plain/pairwise", AT_MOST, 16},
                       {"n=1Mi,k=26,form=positive", "kahan/*,neumaier/*,klein/*,binary64*,binned/*", AT_MOST, 0.5}),
    .exact = "n - 2, condition 1 + 2^(k+1)/(n-2); positive: 2^110 (1 + (n-1) 2^-k), condition 1",
    .showcase = {"rfa:n=4096,k=39", "rfa:n=4096,k=60", "rfa:n=4096,k=80", "rfa:n=1Mi,k=26,form=positive"},
    .parameters = PARAMETERS(
        {"k", WHOLE, 80, 1, 126, "the first number is 2^k of the others", NULL},
        {"form", WORD, 0, 0, 0, "whether the first number is taken back at the end", WORDS("cancelling", "positive")}),
    .least_n = 3,
    .refuses = refuses,
    .elements = rfa_elements,
};
#endif
