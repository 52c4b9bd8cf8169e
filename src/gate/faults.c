/* Faults that are done to a method from outside: a function of each row of faults.def, in that order. */
#include "fault_tools.h"

#include <fenv.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

/* FTZ and DAZ, as -ffast-math and -ftz=true switch them on: subnormal operands and results are 0.  On x86 the processor
 * does so for the replay; elsewhere, and in formats whose subnormals are none of the processor's, operands and the
 * result are flushed by hand, and intermediate sums are not. */
static double least_normal(const struct format *format)
{
    return ldexp(1, format->least_exponent + format->precision - 1);
}

static double flushed(const struct format *format, double x)
{
    return fabs(x) < least_normal(format) ? copysign(0, x) : x;
}

static void flush(const struct fault_call *call, double *x, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        x[i] = flushed(call->of.format, x[i]);
}

static enum status flush_by_hand(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay_changed(call, call->of.shape.terms, flush, bits));
    *bits = fault_result(call, flushed(call->method->format, fault_value(call, *bits)));
    return OK;
}

#ifdef __SSE2__
enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040 };

enum status fault_flush_subnormals(const struct fault_call *call, uint64_t *bits)
{
    if (least_normal(call->of.format) > least_normal(&FORMAT_BINARY32))
        return flush_by_hand(call, bits);
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
    const enum status status = fault_replay(call, 0, call->of.shape.terms, bits);
    _mm_setcsr(before);
    return status;
}
#else
enum status fault_flush_subnormals(const struct fault_call *call, uint64_t *bits)
{
    return flush_by_hand(call, bits);
}
#endif

/* A kernel that never writes its result, in memory that was cleared. */
enum status fault_zero(const struct fault_call *call, uint64_t *bits)
{
    *bits = fault_result(call, 0);
    return OK;
}

/* What comes of memory that was never written, or of infinity - infinity; and what a test that asks `error > limit`
 * lets pass. */
enum status fault_nan(const struct fault_call *call, uint64_t *bits)
{
    *bits = fault_result(call, NAN);
    return OK;
}

/* A loop that starts from 1.  All elements move up by one place, as they do where each thread's index is one too
 * high. */
enum status fault_drop_first(const struct fault_call *call, uint64_t *bits)
{
    return call->of.shape.terms == 0 ? fault_replay(call, 0, 0, bits)
                                     : fault_replay(call, 1, call->of.shape.terms - 1, bits);
}

/* `i < n - 1`. */
enum status fault_drop_last(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay(call, 0, call->of.shape.terms - (call->of.shape.terms > 0), bits);
}

/* Loads of 16 bytes, and no loop for what is left after the last of them. */
enum status fault_drop_tail_of_4(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay(call, 0, call->of.shape.terms - call->of.shape.terms % 4, bits);
}

/* A number of bytes taken for one of elements of twice their size, or one of two devices that did not answer. */
enum status fault_drop_half(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay(call, 0, call->of.shape.terms / 2, bits);
}

/* `i <= n` where the element beyond the end happens to be the last one again, or a loop for the tail that starts one
 * too early. */
static void repeat_last(const struct fault_call *call, double *x, uint64_t n)
{
    (void)n;
    x[call->of.shape.terms] = x[call->of.shape.terms - 1];
}

enum status fault_double_last(const struct fault_call *call, uint64_t *bits)
{
    return call->of.shape.terms == 0 ? fault_replay(call, 0, 0, bits)
                                     : fault_replay_changed(call, call->of.shape.terms + 1, repeat_last, bits);
}

/* The identity of a product: the sum starts from 1, also that of no elements. */
static void put_one_first(const struct fault_call *call, double *x, uint64_t n)
{
    (void)call;
    memmove(x + 1, x, (n - 1) * sizeof *x);
    x[0] = 1;
}

enum status fault_start_from_one(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms + 1, put_one_first, bits);
}

/* An accumulator in memory that nobody clears between two runs: the sum of the last one is still there.  A test that
 * runs each sum once never sees it. */
enum status fault_stale_sum(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    *bits = fault_result(call, 2 * fault_value(call, *bits));
    return OK;
}

/* The result went through another format: a float, 24 bits, and infinity from 2^128 on; a half, 11 bits, and infinity
 * from 65520 on; a bfloat16, 8 bits. */
#define RESULT_IN(id, narrow)                                                                                          \
    bool fault_ends_beyond_##id(const struct method *method)                                                           \
    {                                                                                                                  \
        return fault_any(method) && format_is_narrower(narrow, method->sum_format->result);                            \
    }                                                                                                                  \
    enum status fault_result_##id(const struct fault_call *call, uint64_t *bits)                                       \
    {                                                                                                                  \
        TRY(fault_replay(call, 0, call->of.shape.terms, bits));                                                        \
        *bits = fault_result(call, rounded_to(fault_value(call, *bits), narrow));                                      \
        return OK;                                                                                                     \
    }
RESULT_IN(binary32, &FORMAT_BINARY32)
RESULT_IN(binary16, &FORMAT_BINARY16)
RESULT_IN(bfloat16, &FORMAT_BFLOAT16)

/* A difference that is taken the other way round. */
enum status fault_sign_flipped(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    if (call->of.shape.terms > 0)
        *bits = fault_result(call, -fault_value(call, *bits));
    return OK;
}

/* `int sum(...)`: what is returned is the integer part. */
enum status fault_result_integer(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    *bits = fault_result(call, trunc(fault_value(call, *bits)) + 0.0); /* an integer has no zero with a sign */
    return OK;
}

/* An int is written where a float is read. */
enum status fault_result_as_integer(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    *bits = fault_result(call, number_of_integer(call->method->format, trunc(fault_value(call, *bits)) + 0.0));
    return OK;
}

/* A function of another name in the same library. */
enum status fault_mean(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    if (call->of.shape.terms > 0)
        *bits = fault_result(call, fault_value(call, *bits) / (double)call->of.shape.terms);
    return OK;
}

/* A library left the processor in another rounding mode; or additions cut off, as those of tensor cores do. */
/* The host rounds to 16 bits itself, in a way that no mode changes. */
bool fault_adds_in_hardware(const struct method *method)
{
    return fault_any(method) && method->sum_format->added->bytes >= sizeof(float);
}

enum status fault_toward_zero(const struct fault_call *call, uint64_t *bits)
{
    const int before = fegetround();
    fesetround(FE_TOWARDZERO);
    const enum status status = fault_replay(call, 0, call->of.shape.terms, bits);
    fesetround(before);
    return status;
}

/* The compensation has no effect: the compiler was allowed to reassociate, (t - s) - y = 0, or nobody uses it.  What is
 * left is the accumulator below, bit for bit (docs/faults.md); of FABsum it is blocks, kernels/broken/fabsum_plain.h.
 */
bool fault_is_compensated(const struct method *method)
{
    return fault_any(method) && method->accumulator_traits->uncompensated &&
           !method_absent(method->operation, method->sum_format, method->accumulator_traits->uncompensated);
}

enum status fault_no_compensation(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_by(call, call->method->accumulator_traits->uncompensated, bits);
}

/* `float sum` where there was a wider one. */
/* What adds in binary32 instead: an accumulator that is as plain, or the same one where all additions are wider. */
static const struct method *added_in_binary32(const struct method *method)
{
    char id[REASON_SIZE];
    const char *narrow = method->accumulator_traits->narrow;
    snprintf(id, sizeof id, "%s/%s", narrow ? narrow : method->accumulator, method->order);
    return method_in(method_find(id), &sum_format_binary32);
}

/* Where binary32 is stored and binary64 added, see additions_in_stored.c. */
bool fault_is_wider(const struct method *method)
{
    const struct sum_format *format = method->sum_format;
    const bool adds_wider = format->stored->precision > FORMAT_BINARY32.precision;
    const bool accumulates_wider =
        method->accumulator_traits->narrow && !fault_leaves_above(method) && format->added == sum_format_binary32.added;
    return fault_any(method) && (adds_wider || accumulates_wider);
}

enum status fault_binary32_accumulator(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_as(call, added_in_binary32(call->method), bits);
}

/* `bfloat16 sum` where bfloat16 numbers are added in binary32: every addition rounds to 8 bits. */
/* The same method, added in what is stored; NULL: it is, or there is none. */
static const struct method *added_in_stored(const struct method *method)
{
    const struct sum_format *own = method->sum_format, *narrow = sum_format_of(own->stored, own->stored);
    return narrow && narrow->added != own->added ? method_in(method, narrow) : NULL;
}

/* Plain sums in 16 bits are in kernels/broken.def; what an accumulator holds beyond its additions is untouched. */
bool fault_adds_wider_than_stored(const struct method *method)
{
    const bool is_plain = method->accumulator_traits && !method->accumulator_traits->advantage;
    const bool is_broken = is_plain && method->sum_format->added == sum_format_binary32.added;
    return fault_any(method) && !is_broken && !method->accumulator_traits->narrow && added_in_stored(method);
}

enum status fault_additions_in_stored(const struct fault_call *call, uint64_t *bits)
{
    const struct method *narrow = added_in_stored(call->method);
    return fault_replay_as(call, narrow ? narrow : call->method, bits);
}

/* A grid of n / threads blocks, which should be rounded up. */
enum status fault_drop_tail_of_threads(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay(call, 0, call->of.shape.terms - call->of.shape.terms % call->launch.threads, bits);
}

/* `if (i < n)` where a loop belongs. */
enum status fault_drop_beyond_grid(const struct fault_call *call, uint64_t *bits)
{
    const uint64_t grid = (uint64_t)call->launch.blocks * call->launch.threads;
    return fault_replay(call, 0, call->of.shape.terms < grid ? call->of.shape.terms : grid, bits);
}

/* The first block begins one round too late: the loop of its threads skips their first elements, T neighbours. */
static void clear_first_round(const struct fault_call *call, double *x, uint64_t n)
{
    const uint64_t threads = call->launch.threads;
    memset(x, 0, (n < threads ? n : threads) * sizeof *x);
}

enum status fault_drop_round(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms, clear_first_round, bits);
}

/* The sum of one block is lost, as in a race of two: that of the last block that has any element, in a grid-stride
 * loop. */
static void clear_last_block(const struct fault_call *call, double *x, uint64_t n)
{
    const uint64_t threads = call->launch.threads, blocks = call->launch.blocks;
    const uint64_t busy = n / threads + (n % threads > 0), last = (busy < blocks ? busy : blocks) - 1;
    for (uint64_t i = 0; i < n; i++)
        if (i / threads % blocks == last)
            x[i] = 0;
}

enum status fault_drop_block(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms, clear_last_block, bits);
}

/* A shuffle or a step of a tree is missing: what the upper half of each block's threads has never gets to the others.
 * As the loop of a grid gives them their elements; 0 stands in for these, so that the others stay in their places. */
static void clear_upper_threads(const struct fault_call *call, double *x, uint64_t n)
{
    const uint64_t threads = call->launch.threads, kept = threads / 2 + threads % 2;
    for (uint64_t i = 0; i < n; i++)
        if (i % threads >= kept)
            x[i] = 0;
}

enum status fault_drop_threads(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms, clear_upper_threads, bits);
}

/* The ranges of two blocks overlap by one element, x[T-1]. */
static void double_edge(const struct fault_call *call, double *x, uint64_t n)
{
    const uint64_t edge = call->launch.threads - 1;
    if (edge < n)
        x[edge] *= 2;
}

enum status fault_double_edge(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms, double_edge, bits);
}

/* Loads whose index is held at n - 1 instead of left out: the lanes of the last warp that have no element add the last
 * one again. */
enum { WARP = 32 };

static void pad_with_last(const struct fault_call *call, double *x, uint64_t n)
{
    for (uint64_t i = call->of.shape.terms; i < n; i++)
        x[i] = x[call->of.shape.terms - 1];
}

enum status fault_pad_last(const struct fault_call *call, uint64_t *bits)
{
    const uint64_t missing = (WARP - call->of.shape.terms % WARP) % WARP;
    return fault_replay_changed(call, call->of.shape.terms + missing, pad_with_last, bits);
}
