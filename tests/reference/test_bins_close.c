/* Blocks whose exponents lie close together are added up without counters: that says the same as the counters do, and
 * it is exact as far apart as they may lie, and no further.
 */
#include "reference/bins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "summed_data.h"

enum { LANES = 8, APART_MOST = 21, FIELDS = 255 }; /* of reference/lanes32.h; exponent fields of finite numbers */

static bool has_lanes(void)
{
#if defined __SSE2__ && defined __x86_64__
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/* Of blocks whose fields lie so far apart at most; -1: of none.  Folded. */
static struct bins bins_of(const struct data *data, uint64_t n, int apart_most)
{
    struct bins bins;
    const int usual = bins_fields_apart_most;
    assert_int_equal(bins_init(&bins, BINS_OF_BINARY32, -126), OK);
    bins_fields_apart_most = apart_most;
    bins_add(&bins, data->x, NULL, n);
    bins_fields_apart_most = usual;
    bins_fold(&bins);
    bins_free(&bins);
    return bins;
}

/* All that they say but what is of one way alone. */
static bool same(const struct bins *a, const struct bins *b)
{
    return memcmp(a->totals, b->totals, sizeof a->totals) == 0 && a->least_exponent == b->least_exponent &&
           a->largest_exponent == b->largest_exponent && a->max_abs == b->max_abs && a->nans == b->nans &&
           memcmp(a->infinities, b->infinities, sizeof a->infinities) == 0 && a->negative_zeros == b->negative_zeros &&
           a->subnormals == b->subnormals;
}

static bool counters_agree(const struct data *data)
{
    const struct bins close = bins_of(data, data->n, APART_MOST), counted = bins_of(data, data->n, -1);
    return same(&close, &counted);
}

/* Any number of an exponent field. */
static float with_field(unsigned field)
{
    return float_from_bits((uint32_t)below(2) << 31 | field << 23 | (uint32_t)below(1 << 23));
}

/* ---- how far apart ---- */

/* The longest sums that there are: all significands of the larger field are the largest, and one in each lane, of the
 * lesser field, is odd; signs: 0 positive, 1 negative, 2 both. */
static struct data hardest(unsigned field, unsigned apart, int signs)
{
    struct data data = data_new(&FORMAT_BINARY32, BLOCK);
    for (uint64_t i = 0; i < data.n; i++) {
        const uint32_t sign = signs < 2 ? (uint32_t)signs : (uint32_t)below(2);
        const uint32_t size = i < LANES ? field << 23 | 1 : (field + apart) << 23 | 0x7fffff;
        data.x32[i] = float_from_bits(sign << 31 | size);
    }
    return data;
}

static void fields_up_to_21_apart_are_added_exactly(void **state)
{
    (void)state;
    for (unsigned apart = 0; apart <= APART_MOST; apart++)
        for (unsigned field = 1; field + apart < FIELDS; field++)
            for (int signs = 0; signs < 3; signs++) {
                struct data data = hardest(field, apart, signs);
                assert_true(counters_agree(&data));
                free(data.x);
            }
}

static void fields_further_apart_would_be_rounded(void **state)
{
    (void)state;
    struct data data = hardest(100, APART_MOST + 1, 0);
    const struct bins counted = bins_of(&data, data.n, -1), usual = bins_of(&data, data.n, bins_fields_apart_most);
    const struct bins wrong = bins_of(&data, data.n, APART_MOST + 1);
    free(data.x);
    assert_true(same(&usual, &counted));
    if (!has_lanes())
        skip();
    assert_false(same(&wrong, &counted));
}

/* ---- the same as the counters ---- */

static void every_length_and_distance_agrees_with_the_counters(void **state)
{
    (void)state;
    seed_random(1);
    for (uint64_t n = 0; n < 2 * BLOCK + 3 * LANES; n += n < 40 || (n + 9) % BLOCK < 18 ? 1 : 61) {
        struct data data = data_new(&FORMAT_BINARY32, n + 1);
        const unsigned apart = (unsigned)below(APART_MOST + 4), field = 1 + (unsigned)below(FIELDS - 1 - apart);
        for (uint64_t i = 0; i <= n; i++)
            data.x32[i] = with_field(field + (unsigned)below(apart + 1));
        const struct bins more = bins_of(&data, data.n--, APART_MOST), fewer = bins_of(&data, data.n, APART_MOST);
        assert_true(counters_agree(&data));
        assert_false(same(&more, &fewer));
        free(data.x);
    }
}

static void a_number_of_another_kind_is_seen_wherever_it_stands(void **state)
{
    (void)state;
    static const float others[] = {0.0F,      -0.0F, 0x1p-149F, -0x1.fffffcp-127F, INFINITY,
                                   -INFINITY, NAN,   0x1p120F,  0x1p-120F};
    static const unsigned fields[] = {10, 127, 254};
    seed_random(2);
    struct data data = data_new(&FORMAT_BINARY32, BLOCK + 13);
    for (size_t k = 0; k < COUNT_OF(fields) * COUNT_OF(others); k++) {
        for (uint64_t i = 0; i < data.n; i++)
            data.x32[i] = with_field(fields[k / COUNT_OF(others)] - (unsigned)below(10));
        for (uint64_t i = 0; i < data.n; i += i % BLOCK < 2 * LANES ? 1 : 5) {
            const float kept = data.x32[i];
            data.x32[i] = others[k % COUNT_OF(others)];
            assert_true(counters_agree(&data));
            data.x32[i] = kept;
        }
    }
    free(data.x);
}

/* Counted and added blocks by turns, in long rows of each. */
static void blocks_of_both_kinds_add_up(void **state)
{
    (void)state;
    seed_random(3);
    struct data data = data_new(&FORMAT_BINARY32, 100 * BLOCK);
    for (unsigned row = 1; row <= 32; row *= 2) {
        for (uint64_t i = 0; i < data.n; i++)
            data.x32[i] = with_field(i / BLOCK / row % 2 ? 120 + (unsigned)below(10) : 1 + (unsigned)below(250));
        assert_true(counters_agree(&data));
    }
    free(data.x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_up_to_21_apart_are_added_exactly),
        cmocka_unit_test(fields_further_apart_would_be_rounded),
        cmocka_unit_test(every_length_and_distance_agrees_with_the_counters),
        cmocka_unit_test(a_number_of_another_kind_is_seen_wherever_it_stands),
        cmocka_unit_test(blocks_of_both_kinds_add_up),
    };
    return cmocka_run_group_tests_name("bins_close", tests, NULL, NULL);
}
