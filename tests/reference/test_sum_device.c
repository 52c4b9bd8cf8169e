/* Exact sums on a GPU, on every machine: the arithmetic of its lanes, run on the host (sum_device_fake.c), has every
 * field and bit of exact.h, a third opinion agrees, and no fault goes unnoticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "opinions.h"
#include "reference/limbs.h"
#include "reference/sum_result.h"
#include "sum_device_fake.h"
#include "sum_trial.h"
#include "tests/support/heard.h"

static struct exact_device *device;

/* ---- without a fault ---- */

static void compare_sizes(const struct format *format, bool products, number_kind *kind)
{
    static const uint64_t sizes[] = {0, 1, 2, 3, 31, 130, 4097};
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        struct sum_trial trial = sum_trial_new(format, products, s == 0 ? 2 : 3, sizes[s], kind);
        compare_rows(&trial, &trial.rows, device);
        sum_trial_free(&trial);
    }
}

static void every_field_is_that_of_the_host(void **state)
{
    (void)state;
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (size_t kind = 0; kind < COUNT_OF(kinds); kind++)
            for (int products = 0; products < 2; products++)
                if (exact_device_can(NUMBER_FORMATS[f], products))
                    compare_sizes(NUMBER_FORMATS[f], products, kinds[kind]);
}

static void only_products_of_binary64_are_left_to_the_host(void **state)
{
    (void)state;
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++) {
        assert_true(exact_device_can(NUMBER_FORMATS[f], false));
        assert_int_equal(exact_device_can(NUMBER_FORMATS[f], true), NUMBER_FORMATS[f] != &FORMAT_BINARY64);
    }
}

static double largest(const struct format *format)
{
    return format_largest(format);
}

/* One lane gets more of the largest numbers than a digit has room for without a carry: 511 of binary32. */
static void a_lane_carries_before_a_digit_runs_over(void **state)
{
    (void)state;
    fake_sums.lanes = 1;
    fake_sums.slice = UINT64_MAX;
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (int products = 0; products < 2; products++)
            if (exact_device_can(NUMBER_FORMATS[f], products)) {
                struct sum_trial trial = sum_trial_new(NUMBER_FORMATS[f], products, 1, 70000, largest);
                compare_rows(&trial, &trial.rows, device);
                sum_trial_free(&trial);
            }
    fake_sums.lanes = 4;
    fake_sums.slice = 3000;
}

/* As many as there may be, in one digit: room * (2^p - 1) 2^31 and what a carry leaves and brings. */
static void the_room_of_a_digit_is_as_large_as_it_may_be(void **state)
{
    (void)state;
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (int products = 0; products < 2; products++) {
            const struct sum_layout layout = sum_layout_of_format(NUMBER_FORMATS[f], products);
            const limbs_wide most = sum_is_one_addition(layout)
                                        ? (limbs_wide)((UINT64_C(1) << layout.significand_bits) - 1) << 31
                                        : UINT32_MAX;
            assert_true(sum_room(layout) * most + 2 * (limbs_wide)UINT32_MAX <= UINT64_MAX);
            assert_true(sum_is_one_addition(layout) == (layout.significand_bits <= 24));
        }
}

static void GMP_and_MPFR_agree(void **state)
{
    static struct input input;
    (void)state;
    for (size_t f = 0; f < 2; f++)
        for (size_t which = 0; which < FILLS; which++)
            for (int round = 0; round < 3; round++) {
                struct exact_sum sum;
                fill_input(&input, data_formats[f], which, 1 + below(LENGTH_MOST));
                if (round > 0)
                    sprinkle(&input);
                const struct exact_rows rows = {input.format, &input.x, NULL, 1, input.n};
                assert_int_equal(exact_device_start(device, &rows, NULL), OK);
                assert_int_equal(exact_device_finish(device, 0, &sum), OK);
                assert_null(disagreement(&input, &sum));
                exact_free(&sum);
            }
}

/* ---- statistics ---- */

/* Two ddof of each; of binary64 means alone. */
static void statistics_of_its_sums_have_every_bit_of_the_host(void **state)
{
    static const uint64_t sizes[] = {0, 1, 2, 31, 4097};
    uint64_t compared = 0;
    (void)state;
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (size_t kind = 0; kind < COUNT_OF(kinds); kind++)
            for (size_t s = 0; s < COUNT_OF(sizes); s++) {
                struct sum_trial trial = sum_trial_new(NUMBER_FORMATS[f], true, 1, sizes[s], kinds[kind]);
                compared += compare_statistics(&trial, &trial.rows, device);
                sum_trial_free(&trial);
            }
    assert_int_equal(compared,
                     COUNT_OF(kinds) * COUNT_OF(sizes) * (2 * SUM_TRIAL_STATISTICS * (STORED_FORMAT_COUNT - 1) + 2));
}

static void notice_ends(const struct exact_rows *rows, struct exact_ends found)
{
    struct heard heard = listen_to_stderr();
    assert_int_equal(exact_device_check_ends(device, rows, &found), NOT_MEASURED);
    heard_all(&heard);
    assert_non_null(strstr(heard.text, "the first, least and largest number are -0x1p+0, -0x1.8p+1 and 0x1p+2"));
}

static void wrong_ends_are_noticed(void **state)
{
    static const float x[] = {-1, 4, -3, 0};
    const struct exact_rows rows = {&FORMAT_BINARY32, x, NULL, 1, 4};
    struct exact_ends ends;
    (void)state;
    assert_int_equal(exact_device_ends(device, &rows, &ends), OK);
    assert_true(ends.first == -1 && ends.least == -3 && ends.largest == 4);
    assert_int_equal(exact_device_check_ends(device, &rows, &ends), OK);
    notice_ends(&rows, (struct exact_ends){4, -3, 4});
    notice_ends(&rows, (struct exact_ends){-1, -1, 4});
    notice_ends(&rows, (struct exact_ends){-1, -3, 0});
}

/* ---- the host's check ---- */

static void the_host_finds_the_same_of_each_row(void **state)
{
    (void)state;
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (int products = 0; products < 2; products++) {
            struct sum_trial trial = sum_trial_new(NUMBER_FORMATS[f], products && f > 0, 3, 9000, kinds[7]);
            for (uint64_t row = 0; row < 3; row++) {
                struct exact_sum expected = sum_of_row(&trial, row);
                assert_int_equal(exact_device_check(device, &trial.rows, row, 2, &expected), OK);
                exact_free(&expected);
            }
            sum_trial_free(&trial);
        }
}

/* e5m2, which cycles through all its finite numbers, 33 million of them: two pieces, of which the second is short. */
static void numbers_that_come_in_pieces_are_all_added(void **state)
{
    enum { N = EXACT_PIECE_BYTES + 5, PERIOD = 0x7c };
    unsigned char *const stored = malloc(N);
    float held[PERIOD];
    struct exact_sum expected;
    (void)state;
    assert_non_null(stored);
    for (unsigned i = 0; i < N; i++)
        stored[i] = (unsigned char)(i % PERIOD);
    held_unpack(&FORMAT_E5M2, stored, PERIOD, held);
    assert_int_equal(exact_sum_repeated(&FORMAT_E5M2, held, PERIOD, N, &expected), OK);
    const struct exact_rows rows = {&FORMAT_E5M2, stored, NULL, 1, N};
    fake_sums.fetches = 0;
    assert_int_equal(exact_device_check(device, &rows, 0, 2, &expected), OK);
    assert_int_equal(fake_sums.fetches, 2);
    exact_free(&expected);
    free(stored);
}

/* ---- faults ---- */

static uint64_t faulty_word;

static void one_more_in_a_word(struct sum_layout layout, const struct exact_rows *rows, uint64_t *words)
{
    (void)layout, (void)rows;
    words[faulty_word]++;
}

/* Another exponent, the lower bits are not asked for; two fields further, as subnormals have that of the first. */
static void another_least(struct sum_layout layout, const struct exact_rows *rows, uint64_t *words)
{
    (void)rows;
    words[sum_word_of(layout, SUM_LEAST)] -= UINT64_C(2) << (layout.products ? 52 : layout.fraction_bits);
}

/* The last of a row. */
static void a_dropped_element(struct sum_layout layout, const struct exact_rows *rows, uint64_t *words)
{
    struct sum_lane lane = sum_begin(layout, words, 1);
    for (uint64_t i = 0; i + 1 < rows->terms; i++)
        sum_add(layout, &lane, format_load(rows->format, rows->x, i),
                rows->y ? format_load(rows->format, rows->y, i) : 0);
    sum_end(layout, &lane);
}

/* What is said of a sum with the fault; OK where nothing is. */
static enum status checked(const struct exact_rows *rows, fake_sum_fault *fault, struct heard *heard)
{
    struct exact_sum sum;
    fake_sums.fault = fault;
    assert_int_equal(exact_device_start(device, rows, NULL), OK);
    fake_sums.fault = NULL;
    assert_int_equal(exact_device_finish(device, 0, &sum), OK);
    *heard = listen_to_stderr();
    const enum status status = exact_device_check(device, rows, 0, 0, &sum);
    heard_all(heard);
    exact_free(&sum);
    return status;
}

static double not_zero(const struct format *format)
{
    const double x = of_one_size(format);
    return x == 0 ? 1 : x;
}

static void notice_faults(const struct format *format, bool products)
{
    struct sum_trial trial = sum_trial_new(format, products, 1, 300, not_zero);
    const struct sum_layout layout = sum_layout_of_format(format, products);
    struct heard heard;
    assert_int_equal(checked(&trial.rows, NULL, &heard), OK);
    for (faulty_word = 0; faulty_word < sum_word_of(layout, SUM_LEAST); faulty_word++)
        assert_int_equal(checked(&trial.rows, one_more_in_a_word, &heard), NOT_MEASURED);
    assert_int_equal(checked(&trial.rows, another_least, &heard), NOT_MEASURED);
    assert_int_equal(checked(&trial.rows, a_dropped_element, &heard), NOT_MEASURED);
    sum_trial_free(&trial);
}

static void a_fault_is_noticed_whatever_word_it_is_in(void **state)
{
    (void)state;
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (int products = 0; products < 2; products++)
            if (exact_device_can(NUMBER_FORMATS[f], products))
                notice_faults(NUMBER_FORMATS[f], products);
}

static void the_field_the_row_and_both_values_are_said(void **state)
{
    static const float x[] = {1, 2, 4};
    const struct exact_rows rows = {&FORMAT_BINARY32, x, NULL, 1, 3};
    struct heard heard;
    (void)state;
    faulty_word = sum_word_of(sum_layout_of_format(&FORMAT_BINARY32, false), SUM_NANS);
    assert_int_equal(checked(&rows, one_more_in_a_word, &heard), NOT_MEASURED);
    assert_non_null(
        strstr(heard.text, "the count of NaNs is 0 on the host and 1 of row 0 on the GPU; expected the same"));
    assert_non_null(strstr(heard.text, "use only the host's until it is known which"));
}

static void what_the_GPU_fails_with_is_relayed(void **state)
{
    struct exact_device *none;
    struct exact_sum sum;
    const struct exact_rows rows = {&FORMAT_BINARY32, &(float){1}, NULL, 1, 1};
    (void)state;
    fake_sums.status = NO_DEVICE;
    assert_int_equal(exact_device_new(&none), NO_DEVICE);
    assert_null(none);
    assert_int_equal(exact_device_on_host(device, &rows, 0, 0, &sum), NO_DEVICE);
    assert_null(sum.format);
    fake_sums.status = OK;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_that_of_the_host),
        cmocka_unit_test(only_products_of_binary64_are_left_to_the_host),
        cmocka_unit_test(a_lane_carries_before_a_digit_runs_over),
        cmocka_unit_test(the_room_of_a_digit_is_as_large_as_it_may_be),
        cmocka_unit_test(GMP_and_MPFR_agree),
        cmocka_unit_test(statistics_of_its_sums_have_every_bit_of_the_host),
        cmocka_unit_test(wrong_ends_are_noticed),
        cmocka_unit_test(the_host_finds_the_same_of_each_row),
        cmocka_unit_test(numbers_that_come_in_pieces_are_all_added),
        cmocka_unit_test(a_fault_is_noticed_whatever_word_it_is_in),
        cmocka_unit_test(the_field_the_row_and_both_values_are_said),
        cmocka_unit_test(what_the_GPU_fails_with_is_relayed),
    };
    seed_random(1);
    if (exact_device_new(&device) != OK)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    exact_device_free(device);
    return failed;
}
