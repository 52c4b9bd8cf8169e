/* The host half of every black box: its place in the list of methods, and its bound.  Compiled for each format that
 * numbers are added in, with -DACC=plain, whose bound holds for whoever adds n numbers with n - 1 ordinary additions.
 */
#include "portable.h"

#include "bound.h"

#include ACCUMULATOR_FILE

#include "black_box.h"

#include <stdio.h>

enum black_box_bound {
    NO_CLAIM,
    ANY_ORDER,         /* n - 1 plain additions in a tree of any shape: its height is n at most */
    ANY_ORDER_FLUSHED, /* likewise, by atomicAdd, which flushes subnormals of binary32 to zero */
};

/* What is flushed is less than FLT_MIN for the element and for the result of each of the n additions.  A flushed result
 * is the exact addition of a number that takes it to zero, so those numbers join the magnitudes that the bound is
 * for. */
static double any_order_bound(const struct magnitudes *of, uint64_t n, double flushed)
{
    const double sum_abs = flushed > 0 ? round_up(of->sum_abs + flushed) : of->sum_abs;
    const struct claim claim = {(double)n, (double)n, of->abs_s, sum_abs, of->max_abs, REAL_U};
    const double bound = A(bound)(&claim);
    return flushed > 0 ? round_up(bound + flushed) : bound;
}

struct own {
    enum black_box_bound bound;
    const struct black_box *box; /* NULL in a build without CUDA */
};

static double bound(const struct method *self, struct shape shape, struct launch launch, const struct magnitudes *of)
{
    const enum black_box_bound kind = ((const struct own *)self->own)->bound;
    (void)launch;
    if (kind == NO_CLAIM)
        return INFINITY;
    if (of->moments && of->moments->prefix > 0) /* one result of a scan */
        shape.terms = (uint64_t)of->moments->prefix;
    return any_order_bound(of, shape.terms, kind == ANY_ORDER_FLUSHED ? (double)shape.terms * A(ATOMIC_LOSS) : 0);
}

static bool can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    const struct black_box *box = ((const struct own *)self->own)->box;
    if (box)
        return box->can_do(self, launch, why);
    snprintf(why, REASON_SIZE, "needs a GPU; this build has no CUDA");
    return false;
}

#ifdef ULPSCOPE_CUDA
#define BOX(id) &BLACK_BOX_IN(id)
#define DEVICE_HALF(id) .device = &BLACK_BOX_IN(id).device, .version = version
static void version(const struct method *self, char text[REASON_SIZE])
{
    ((const struct own *)self->own)->box->version(text);
}
#else
#define BOX(id) NULL
#define DEVICE_HALF(id) .device = NULL
#endif

#define LIBRARY(id, claim) static const char id##_claim[] = claim;
#define BLACK_BOX(library, name, operation, determinism, slow_above, kind, claim)                                      \
    static const struct own library##_##name##_own = {kind, BOX(library##_##name)};
#define MATMUL_BLACK_BOX(library, name, claim)                                                                         \
    static const struct own library##_##name##_own = {NO_CLAIM, BOX(library##_##name)};
#include "black_boxes.def"
#include "matmul_black_boxes.def"

static const struct accumulator_traits accumulator_traits = {.advantage = "the black box"};

static const struct order_traits order_traits = {0};

#define ROW(library, name, operation_, determinism_, slow_above_, claim)                                               \
    {                                                                                                                  \
        .id = #library "/" #name,                                                                                      \
        .accumulator = #library,                                                                                       \
        .order = #name,                                                                                                \
        .operation = OPERATION_##operation_,                                                                           \
        .format = &REAL_FORMAT,                                                                                        \
        .accumulator_claim = library##_claim,                                                                          \
        .order_claim = claim,                                                                                          \
        .accumulator_traits = &accumulator_traits,                                                                     \
        .order_traits = &order_traits,                                                                                 \
        .role = SUMS,                                                                                                  \
        .determinism = determinism_,                                                                                   \
        .slow_above = slow_above_,                                                                                     \
        .can_do = can_do,                                                                                              \
        .bound = bound,                                                                                                \
        .adds = OPERATION_##operation_ == OPERATION_matmul,                                                            \
        .own = &library##_##name##_own,                                                                                \
        DEVICE_HALF(library##_##name),                                                                                 \
    },

#define TABLE PASTE(FORMAT, black_box_methods)
extern const struct method TABLE[];
const struct method TABLE[] = {
#define BLACK_BOX(library, name, operation, determinism, slow_above, kind, claim)                                      \
    ROW(library, name, operation, determinism, slow_above, claim)
#define MATMUL_BLACK_BOX(library, name, claim) ROW(library, name, matmul, DETERMINISTIC, ANY_N, claim)
#include "black_boxes.def"
#include "matmul_black_boxes.def"
};
