/* FABsum: blocks are plain sums, and what is outside is Kahan's, at each of the block sizes that have a row. */
#define FORMAT binary32
#define FORMAT_FILE "formats/binary32.h"
#define ACC fabsum
#include "kernels/bound.h"

#include "kernels/accumulators/fabsum.h"

#include "kernels/method.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4096 };

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const struct {
    const char *method;
    uint64_t block;
} variants[] = {{"fabsum_32/serial", 32}, {"fabsum/serial", 128}, {"fabsum_512/serial", 512}};

static float serial(const char *id, const float *x, uint64_t n)
{
    float result = NAN;
    const struct method *method = method_find(id);
    assert_non_null(method);
    assert_int_equal(method_sum(method, x, n, (struct launch){1, 32}, 1, &result), OK);
    return result;
}

static const float *some_floats(void)
{
    static float x[MOST];
    seed_random(1);
    for (size_t i = 0; i < COUNT_OF(x); i++)
        x[i] = (float)ldexp((double)below(1 << 24) - 0x1p22, (int)below(20));
    return x;
}

/* The definition: the plain sums of the blocks, summed by kahan/serial. */
static float kahan_of_blocks(const float *x, uint64_t n, uint64_t block)
{
    float sums[MOST];
    uint64_t count = 0;
    for (uint64_t first = 0; first < n; first += block)
        sums[count++] = serial("plain/serial", x + first, n - first < block ? n - first : block);
    return serial("kahan/serial", sums, count);
}

static void serial_sum_is_kahan_over_plain_blocks(void **state)
{
    (void)state;
    const float *x = some_floats();
    for (size_t v = 0; v < COUNT_OF(variants); v++)
        for (uint64_t n = 0; n <= MOST; n += 7)
            assert_int_equal(float_bits(serial(variants[v].method, x, n)),
                             float_bits(kahan_of_blocks(x, n, variants[v].block)));
}

/* The twin. */
static void another_block_size_gives_other_bits(void **state)
{
    (void)state;
    const float *x = some_floats();
    for (size_t v = 0; v < COUNT_OF(variants); v++) {
        const uint64_t others[] = {variants[v].block - 1, variants[v].block + 1, 2 * variants[v].block, 1};
        for (size_t k = 0; k < COUNT_OF(others); k++) {
            bool differ = false;
            for (uint64_t n = 0; n <= MOST; n += 7)
                differ |= float_bits(serial(variants[v].method, x, n)) != float_bits(kahan_of_blocks(x, n, others[k]));
            assert_true(differ);
        }
    }
}

static void merge_flushes_both_blocks(void **state)
{
    (void)state;
    const struct fabsum a = fabsum_add(fabsum_add(fabsum_zero(), 0x1p24f), 1), b = fabsum_add(fabsum_zero(), 3);
    const struct fabsum merged = fabsum_merge(a, b);
    assert_true(a.count == 2 && a.block == 0x1p24f && b.count == 1);
    assert_true(merged.count == 0 && merged.block == 0);
    assert_true(merged.blocks.sum == 0x1.000004p24f && merged.blocks.excess == 1); /* 2^24 + 3 */
}

static void full_block_is_flushed_at_once(void **state)
{
    (void)state;
    struct fabsum s = fabsum_zero();
    for (uint32_t i = 1; i <= 10 * FABSUM_BLOCK; i++) {
        s = fabsum_add(s, 1);
        assert_int_equal(s.count, i % FABSUM_BLOCK);
        assert_true(s.blocks.sum == (float)(i - s.count) && s.block == (float)s.count);
    }
}

static void merge_of_empty_states_is_the_empty_state(void **state)
{
    (void)state;
    const struct fabsum zero = fabsum_zero(), merged = fabsum_merge(zero, zero);
    assert_memory_equal(&merged, &zero, sizeof zero);
    assert_int_equal(sizeof zero % sizeof(uint32_t), 0);
}

/* 2^24 and then ones: plain stays where it is, blocks do not. */
static void error_does_not_grow_with_n(void **state)
{
    (void)state;
    static float x[1 << 16];
    x[0] = 0x1p24f;
    for (size_t i = 1; i < COUNT_OF(x); i++)
        x[i] = 1;
    const float exact = 0x1p24f + 0x1p16f; /* less one, which is a tie */
    assert_true(serial("plain/serial", x, COUNT_OF(x)) == 0x1p24f);
    for (size_t v = 0; v < COUNT_OF(variants); v++) {
        const float error = exact - serial(variants[v].method, x, COUNT_OF(x));
        assert_true(error >= (float)variants[v].block - 2 && error <= (float)variants[v].block); /* the first block's */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serial_sum_is_kahan_over_plain_blocks),
        cmocka_unit_test(another_block_size_gives_other_bits),
        cmocka_unit_test(merge_flushes_both_blocks),
        cmocka_unit_test(full_block_is_flushed_at_once),
        cmocka_unit_test(merge_of_empty_states_is_the_empty_state),
        cmocka_unit_test(error_does_not_grow_with_n),
    };
    return cmocka_run_group_tests_name("fabsum", tests, NULL, NULL);
}
