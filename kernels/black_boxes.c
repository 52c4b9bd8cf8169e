/* The host half of every black box: its place in the list of methods, and its bound.  Compiled once, with -DACC=plain,
 * whose bound holds for whoever adds n numbers with n - 1 ordinary additions.
 */
#include "portable.h"

#include "bound.h"

#include ACCUMULATOR_FILE

#include "black_box.h"

#include <stdio.h>

enum black_box_bound {
    NO_CLAIM,
    ANY_ORDER,         /* n - 1 plain additions in a tree of any shape: its height is n at most */
    ANY_ORDER_FLUSHED, /* likewise, by atomicAdd, which flushes subnormals to zero */
};

/* What is flushed is less than FLT_MIN for the element and for the result of each of the n additions.  A flushed result
 * is the exact addition of a number that takes it to zero, so those numbers join the magnitudes that the bound is
 * for. */
static double any_order_bound(enum black_box_bound kind, uint64_t n, const struct magnitudes *of)
{
    if (kind == NO_CLAIM)
        return INFINITY;
    const double flushed = kind == ANY_ORDER_FLUSHED ? (double)n * A(ATOMIC_LOSS) : 0;
    const double sum_abs = flushed > 0 ? round_up(of->sum_abs + flushed) : of->sum_abs;
    const struct claim claim = {(double)n, (double)n, of->abs_s, sum_abs, of->max_abs};
    const double bound = A(bound)(&claim);
    return flushed > 0 ? round_up(bound + flushed) : bound;
}

#define LIBRARY(id, claim) static const char id##_claim[] = claim;
#define BLACK_BOX(library, name, determinism, slow_above, kind, claim)                                                 \
    static double bound_##library##_##name(uint64_t n, struct launch launch, const struct magnitudes *of)              \
    {                                                                                                                  \
        (void)launch;                                                                                                  \
        return any_order_bound(kind, n, of);                                                                           \
    }
#include "black_boxes.def"

#ifdef ULPSCOPE_CUDA
#define DEVICE_HALF(black_box)                                                                                         \
    .can_do = black_box##_can_do, .device = &black_box##_black_box.device, .version = black_box##_version
#define BLACK_BOX(library, name, determinism, slow_above, kind, claim)                                                 \
    static bool library##_##name##_can_do(struct launch launch, char why[REASON_SIZE])                                 \
    {                                                                                                                  \
        return library##_##name##_black_box.can_do(launch, why);                                                       \
    }                                                                                                                  \
    static void library##_##name##_version(char text[REASON_SIZE])                                                     \
    {                                                                                                                  \
        library##_##name##_black_box.version(text);                                                                    \
    }
#include "black_boxes.def"
#else
#define DEVICE_HALF(black_box) .can_do = needs_cuda
static bool needs_cuda(struct launch launch, char why[REASON_SIZE])
{
    (void)launch;
    snprintf(why, REASON_SIZE, "needs a GPU; this build has no CUDA");
    return false;
}
#endif

static const struct accumulator_traits accumulator_traits = {.advantage = "the black box"};

static const struct order_traits order_traits = {0};

extern const struct method black_box_methods[];
const struct method black_box_methods[] = {
#define BLACK_BOX(library, name, determinism_, slow_above_, kind, claim)                                               \
    {                                                                                                                  \
        .id = #library "/" #name,                                                                                      \
        .accumulator = #library,                                                                                       \
        .order = #name,                                                                                                \
        .format = TEXT(FORMAT),                                                                                        \
        .operation = TEXT(OPERATION),                                                                                  \
        .accumulator_claim = library##_claim,                                                                          \
        .order_claim = claim,                                                                                          \
        .accumulator_traits = &accumulator_traits,                                                                     \
        .order_traits = &order_traits,                                                                                 \
        .role = SUMS,                                                                                                  \
        .determinism = determinism_,                                                                                   \
        .slow_above = slow_above_,                                                                                     \
        .bound = bound_##library##_##name,                                                                             \
        DEVICE_HALF(library##_##name),                                                                                 \
    },
#include "black_boxes.def"
};
