/* Flags that change the rounding, done to the sums on purpose (docs/faults.md).
 *
 * A fused multiply-add changes no bit of them: no product in them is rounded, but where nobody looks.  The accumulators
 * that multiply are compiled with -ffp-contract=fast -mfma, the bins with fused operations written out as well, and
 * held to those of the build.  The twin is a dot product, which does change.
 *
 * Reassociation leaves nothing of a compensation: the sums are plain's, bit for bit.
 */
#include "kernels/compiled.h"
#include "kernels/replay.h"

#include "tests/support/adversarial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { SKIPPED = 77, ROUNDS = 40 };

/* The methods of an accumulator that was compiled otherwise, and of which they have the bits. */
struct variant {
    const char *name, *same_as;
    const struct compiled *compiled;
};

#define CONTRACTED(ROW)                                                                                                \
    ROW(contracted_binned, "binned")                                                                                   \
    ROW(contracted_superacc, "superacc")                                                                               \
    ROW(fused_binned, "binned")                                                                                        \
    ROW(fused_binned_3x13, "binned_3x13")                                                                              \
    ROW(fused_binned_4x20, "binned_4x20")
#define REASSOCIATED(ROW)                                                                                              \
    ROW(reassociated_kahan, "plain")                                                                                   \
    ROW(reassociated_neumaier, "plain")                                                                                \
    ROW(reassociated_binary64_kahan, "binary64")
#define DECLARE(name, same_as) extern const struct compiled name##_binary32_sum_compiled;
#define VARIANT_ROW(name, same_as) {#name, same_as, &name##_binary32_sum_compiled},

CONTRACTED(DECLARE)
static const struct variant contracted[] = {CONTRACTED(VARIANT_ROW)};

#ifdef HAS_REASSOCIATED
REASSOCIATED(DECLARE)
static const struct variant reassociated[] = {REASSOCIATED(VARIANT_ROW)};
#endif

static const struct launch launches[] = {{1, 32}, {4, 64}, {7, 128}};

/* ---- data ---- */

static float x[LENGTH_MOST];

static uint64_t fill(size_t round)
{
    const uint64_t n = round < FILLS ? LENGTH_MOST : some_length(round);
    fills[round % FILLS](&FORMAT_BINARY32, x, n);
    return n;
}

/* ---- comparing ---- */

static float replay(const struct method *method, uint64_t n, struct launch launch)
{
    float result;
    assert_int_equal(method_sum(method, x, n, launch, 1, &result), OK);
    return result;
}

static const struct method *in_order(const char *accumulator, const char *order)
{
    char id[REASON_SIZE];
    snprintf(id, sizeof id, "%s/%s", accumulator, order);
    const struct method *method = method_find(id);
    assert_non_null(method);
    return method;
}

struct comparison {
    size_t compared, differ;
};

/* On data in x[0..n), in all orders. */
static void compare(const struct verbs *verbs, const char *accumulator, uint64_t n, struct comparison *all)
{
    struct cell cell;
    char why[REASON_SIZE];
    for (int order = 0; order < ORDERS; order++)
        for (size_t l = 0; l < COUNT_OF(launches); l++) {
            const struct method other = replay_method(&cell, verbs, order),
                                *expected = in_order(accumulator, other.order);
            if (!method_can_do(expected, launches[l], why) || !method_can_do(&other, launches[l], why))
                continue;
            all->compared++;
            all->differ += !float_same(replay(&other, n, launches[l]), replay(expected, n, launches[l]));
        }
}

static struct comparison compare_on_all_data(const struct variant *variant, const char *accumulator)
{
    struct comparison all = {0};
    seed_random(1);
    for (size_t round = 0; round < ROUNDS; round++)
        compare(variant->compiled->verbs, accumulator, fill(round), &all);
    return all;
}

static void assert_same(const struct variant *variants, size_t count)
{
    size_t compared = 0;
    for (size_t v = 0; v < count; v++) {
        const struct comparison all = compare_on_all_data(&variants[v], variants[v].same_as);
        if (all.differ > 0)
            fail_msg("%s: %zu of %zu sums are not those of %s", variants[v].name, all.differ, all.compared,
                     variants[v].same_as);
        compared += all.compared;
    }
    print_message("%zu sums compared\n", compared);
    assert_true(compared >= count * ROUNDS * ORDERS);
}

/* ---- contraction ---- */

static void contraction_changes_no_bit_of_a_sum(void **state)
{
    (void)state;
    assert_same(contracted, COUNT_OF(contracted));
}

/* The twin: another accumulator is seen. */
static void other_bits_are_seen(void **state)
{
    (void)state;
    assert_true(compare_on_all_data(&contracted[0], "plain").differ > 100);
    assert_true(compare_on_all_data(&contracted[0], "binned_3x13").differ > 0);
}

float rounded_dot_product(const float *a, const float *b, size_t n);
float contracted_dot_product(const float *a, const float *b, size_t n);

/* The twin: where a rounded product is added, these flags change bits. */
static void contraction_changes_a_dot_product(void **state)
{
    (void)state;
    size_t differ = 0;
    float y[4];
    seed_random(1);
    for (int round = 0; round < 1000; round++) {
        for (size_t i = 0; i < COUNT_OF(y); i++) {
            x[i] = 1 + (float)below(1 << 23) * 0x1p-23f;
            y[i] = 1 + (float)below(1 << 23) * 0x1p-23f;
        }
        differ += rounded_dot_product(x, y, COUNT_OF(y)) != contracted_dot_product(x, y, COUNT_OF(y));
    }
    print_message("%zu of 1000 dot products differ\n", differ);
    assert_true(differ > 100);
}

/* ---- reassociation ---- */

#ifdef HAS_REASSOCIATED
static void reassociation_leaves_nothing_of_a_compensation(void **state)
{
    (void)state;
    assert_same(reassociated, COUNT_OF(reassociated));
    assert_true(compare_on_all_data(&reassociated[0], "kahan").differ > 100); /* the twin */
}
#endif

int main(void)
{
    if (!__builtin_cpu_supports("fma")) {
        fputs("skipped: this processor has no FMA\n", stderr);
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contraction_changes_no_bit_of_a_sum),
        cmocka_unit_test(other_bits_are_seen),
        cmocka_unit_test(contraction_changes_a_dot_product),
#ifdef HAS_REASSOCIATED
        cmocka_unit_test(reassociation_leaves_nothing_of_a_compensation),
#endif
    };
    return cmocka_run_group_tests_name("contraction", tests, NULL, NULL);
}
