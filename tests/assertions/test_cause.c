/* Each planted fault is named, and nothing else is: the table is its own twin, for what is expected of a fault differs
 * from what is expected of all others.  A sound result, and one that two faults explain alike, have no cause. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "include/ulpscope/ulpscope.h"
#include "src/base/format.h"
#include "tests/support/faulty_sums.h"

enum { N = 1003 };

static float x[N + 1], y[N + 1];

/* Both signs, or 1 to 2. */
static void fill(bool positive)
{
    seed_random(positive ? 7 : 8);
    for (unsigned i = 0; i <= N; i++) {
        const float random = (float)(next_random() >> 40) * 0x1p-24f, other = (float)(next_random() >> 40) * 0x1p-24f;
        x[i] = positive ? 1 + random : 2 * random - 0.9f;
        y[i] = positive ? 1 + other : 2 * other - 1.1f;
    }
}

/* Of binary32 numbers, products or not, in binary64, which is exact enough here. */
static double added(const float *from, const float *factors, unsigned n)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += factors ? (double)from[i] * (double)factors[i] : (double)from[i];
    return sum;
}

/* Nothing but the exact value passes. */
static const char *cause(struct ulpscope_problem problem, const void *computed)
{
    static struct ulpscope_verdict verdict;
    verdict.size = sizeof verdict;
    assert_int_equal(ulpscope_judge(&problem, computed, "1e-9ulp", &verdict), ULPSCOPE_OK);
    assert_false(verdict.passed);
    return verdict.cause;
}

/* Whether a cause, of three at most that are named, is this one; "": whether none is. */
static bool names(const char *words, const char *expected)
{
    const size_t length = strlen(expected);
    for (const char *next = words; next; next = strstr(next, ", or ") ? strstr(next, ", or ") + 5 : NULL)
        if (strncmp(next, expected, length) == 0 && (!next[length] || strncmp(next + length, ", or ", 5) == 0))
            return length > 0 || !words[0];
    return false;
}

/* ---- sums of binary32, and dot products ---- */

static double left_out(unsigned i, unsigned count, const float *factors)
{
    return added(x, factors, i) + added(x + i + count, factors ? factors + i + count : NULL, N - i - count);
}

static double rounded_first(const struct format *format, const float *factors)
{
    double sum = 0;
    for (unsigned i = 0; i < N; i++)
        sum += rounded_to((double)x[i], format) * (factors ? rounded_to((double)factors[i], format) : 1);
    return sum;
}

static double in_bfloat16(const float *factors)
{
    float sum = 0;
    for (unsigned i = 0; i < N; i++)
        sum = (float)rounded_to((double)(factors ? sum + x[i] * factors[i] : sum + x[i]), &FORMAT_BFLOAT16);
    return (double)sum;
}

static double pairs_in_bfloat16(const float *factors)
{
    double odd = 0, even = 0;
    for (unsigned i = 0; i < N; i++) {
        double *const sum = i % 2 ? &odd : &even;
        *sum = rounded_to(*sum + (double)x[i] * (factors ? (double)factors[i] : 1), &FORMAT_BFLOAT16);
    }
    return rounded_to(odd + even, &FORMAT_BFLOAT16);
}

static double positive(const float *factors)
{
    double sum = 0;
    for (unsigned i = 0; i < N; i++)
        sum += fabs((double)x[i] * (factors ? (double)factors[i] : 1));
    return sum;
}

/* A sum of which the first `kept` bits are left. */
static double truncated(double s, int kept)
{
    int exponent;
    frexp(s, &exponent);
    return ldexp(trunc(ldexp(s, kept - exponent)), exponent - kept);
}

static void test_each_fault_is_named(void **state)
{
    (void)state;
    for (int both = 0; both < 4; both++) {
        const float *const factors = both & 1 ? y : NULL;
        const bool is_positive = both & 2;
        fill(is_positive);
        const double s = added(x, factors, N), last = (double)x[N - 1] * (factors ? (double)y[N - 1] : 1);
        const double nearest = rounded_to(s, &FORMAT_BFLOAT16);
        const char *const to_nearest = "the result is rounded to bfloat16";
        const struct {
            double computed;
            const char *words;
        } faults[] = {
            {0, "the result is 0"},
            {NAN, "the result is NaN"},
            {INFINITY, "the result is infinite"},
            {(double)float_from_bits(0xcdcdcdcd), "each byte of the result is 0xcd: it was never written"},
            {(double)float_from_bits(0xffffffff), "each byte of the result is 0xff: it was never written"},
            {-s, "the sign of the sum is flipped"},
            {2 * s, "each element is added twice"},
            {s / N, "the result is the mean"},
            {1 + s, "the sum starts from 1"},
            {is_positive ? s : positive(factors),
             is_positive ? "no fault is needed: plain additions in binary32 may be this inaccurate"
                         : "all elements are positive"},
            {left_out(N - 1, 1, factors), "the last element is left out"},
            {left_out(N - 3, 3, factors), "the last 3 elements are left out: those beyond the last whole vector of 4"},
            {left_out(N - 11, 11, factors),
             "the last 11 elements are left out: those beyond the last whole vector of 16"},
            {left_out(N - 5, 5, factors), "the last 5 elements are left out"},
            {left_out(N - 502, 502, factors), "the second half of the data is left out"},
            {left_out(0, 1, factors), "the first element is left out"},
            {left_out(0, 6, factors), "the first 6 elements are left out"},
            {s + last, "the last element is added twice"},
            {rounded_first(&FORMAT_BFLOAT16, factors), "the elements are rounded to bfloat16 first"},
            {in_bfloat16(factors), "equals bfloat16 partial sums, bit for bit"},
            {nearest, to_nearest},
            {rounded_to(s, &FORMAT_BINARY16), "the result is rounded to binary16"},
            {truncated(s, 8), truncated(s, 8) == nearest ? to_nearest : "the result is truncated to bfloat16"},
            {pairs_in_bfloat16(factors),
             pairs_in_bfloat16(factors) == nearest ? to_nearest : "equals bfloat16 partial sums, bit for bit"},
            {s, "no fault is needed: plain additions in binary32 may be this inaccurate"},
            {s * 1.37, ""},
        };
        for (unsigned f = 0; f < sizeof faults / sizeof *faults; f++) {
            const float computed = (float)faults[f].computed;
            const struct ulpscope_array left = ulpscope_vector(ULPSCOPE_BINARY32, x, N),
                                        right = ulpscope_vector(ULPSCOPE_BINARY32, y, N);
            const char *const words = cause(factors ? ulpscope_dot_of(left, right) : ulpscope_sum_of(left), &computed);
            if (!names(words, faults[f].words))
                fail_msg("data %d, fault %u: expected \"%s\", found \"%s\"", both, f, faults[f].words, words);
        }
    }
}

/* ---- one element among few ---- */

static void test_an_element_is_named_where_it_can_be(void **state)
{
    enum { FEW = 40 };
    (void)state;
    fill(true);
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, FEW));
    const float without = (float)(added(x, NULL, FEW) - (double)x[17]),
                twice = (float)(added(x, NULL, FEW) + (double)x[17]),
                halves = (float)(added(x, NULL, FEW) - (double)x[20]),
                block = (float)(added(x, NULL, FEW) - added(x + 8, NULL, 8)),
                other = (float)(added(x, NULL, FEW) - added(x + 9, NULL, 8)); /* the twin */
    assert_string_equal(cause(sum, &without), "x_17 is left out");
    assert_string_equal(cause(sum, &twice), "x_17 is added twice");
    assert_string_equal(cause(sum, &halves), "the element in the middle, x_20, is left out");
    assert_string_equal(cause(sum, &block), "x_8 .. x_15 are left out");
    assert_string_equal(cause(sum, &other), "");
}

/* 68 units, which the order alone tells: it is added first.  The mean of integers is none, and near few of them. */
static void test_little_is_named_bit_for_bit(void **state)
{
    const float few[] = {0x1.12705p-17f, 0x1.2de9dp-2f, 0x1.1e3e9p-2f, 0x1.134c6cp-2f, 0x1.6d876ap-3f, 0x1.96be02p-3f};
    const float first_twice = 0x1.3866f2p+0f, other = 0x1.3866f4p+0f, mean = 12.345f, no_mean = 12.7f;
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, few, 6));
    const struct ulpscope_problem integers = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, 1000));
    (void)state;
    assert_string_equal(cause(sum, &first_twice), "the first element is added twice");
    assert_string_equal(cause(sum, &other), "");
    for (unsigned i = 0; i < 1000; i++)
        x[i] = (float)(i < 345 ? 13 : 12);
    assert_string_equal(cause(integers, &mean), "the result is the mean");
    assert_string_equal(cause(integers, &no_mean), "");
}

/* 6,280 units of three elements: a rest of a vector takes fewer bits to say than any other number. */
static void test_rests_of_vectors_are_named_where_they_are_small(void **state)
{
    float lanes[4] = {0};
    (void)state;
    for (unsigned i = 0; i < N; i++) {
        x[i] = 1 / (float)(i + 1);
        lanes[i % 4] += i < N / 4 * 4 ? x[i] : 0;
    }
    const float computed = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    assert_string_equal(cause(ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, N)), &computed),
                        "the last 3 elements are left out: those beyond the last whole vector of 4");
}

/* ---- sums of others ---- */

enum { INPUTS = 100 };

struct named {
    unsigned asked, named, wrong; /* inputs on which a bound is broken; those with its name, or with others' alone */
};

/* Of the first inputs on which the fault breaks the bound of plain additions. */
static struct named name_sums(const struct faulty_sum *fault, float (*sum)(const float *numbers, uint64_t n))
{
    struct named count = {0};
    for (unsigned trial = 0; count.asked < INPUTS && trial < 10 * INPUTS; trial++) {
        static struct ulpscope_verdict verdict = {.size = sizeof verdict};
        const enum random_kind kind = (enum random_kind)(trial % RANDOM_KINDS);
        seed_random(trial);
        const uint64_t n = fill_random(x, kind, 8, 600);
        const float computed = sum(x, n);
        const struct ulpscope_problem problem = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, n));
        assert_int_equal(ulpscope_judge(&problem, &computed, "auto", &verdict), ULPSCOPE_OK);
        if (!shows_on(fault, kind) || verdict.passed)
            continue;
        const bool is_named = fault->words && has_words(verdict.cause, fault->words);
        count.asked++;
        count.named += is_named;
        count.wrong += !is_named && verdict.cause[0];
    }
    return count;
}

static void test_of_100_inputs_95_name_a_known_fault_and_none_an_unknown_one(void **state)
{
    unsigned known = 0, unknown = 0;
    (void)state;
    for (unsigned f = 0; f < FAULTY_SUMS; f++) {
        const struct named count = name_sums(&faulty_sums[f], faulty_sums[f].sum);
        print_message("%-24s %3u asked, %3u named, %2u wrong\n", faulty_sums[f].name, count.asked, count.named,
                      count.wrong);
        if (strcmp(faulty_sums[f].name, "toward_zero") == 0) { /* which breaks no bound */
            assert_int_equal(count.asked, 0);
            continue;
        }
        assert_int_equal(count.asked, INPUTS);
        assert_in_range(count.named, faulty_sums[f].words ? INPUTS * 95 / 100 : 0, INPUTS);
        assert_in_range(count.wrong, 0, faulty_sums[f].words ? INPUTS / 100 : 0);
        known += faulty_sums[f].words != NULL;
        unknown += !faulty_sums[f].words;
    }
    assert_int_equal(known, 31);
    assert_int_equal(unknown, 11);
}

static void test_the_names_of_one_fault_are_not_those_of_another(void **state)
{
    (void)state;
    const struct faulty_sum *const first = &faulty_sums[0];
    assert_string_equal(first->name, "without_last");
    assert_int_equal(name_sums(first, without_first).named, 0);
    assert_in_range(name_sums(first, without_first).wrong, 90, INPUTS);
}

/* Where partial sums cancel, results have few bits and large errors, as rounded ones have: a tree of numbers and their
 * negatives.  The twin lacks half of them. */
static void test_sound_sums_that_cancel_are_not_accused(void **state)
{
    enum { PAIRS = 400, ALL = 2 * PAIRS + 1 };
    unsigned sound = 0, inaccurate = 0, named = 0;
    (void)state;
    for (unsigned trial = 0; trial < INPUTS; trial++) {
        seed_random(trial);
        fill_random(x, NORMAL, ALL, ALL);
        for (unsigned i = 0; i < PAIRS; i++)
            x[PAIRS + i] = -(x[i] *= 1000);
        for (unsigned i = ALL - 1; i > 0; i--) {
            const uint64_t other = below(i + 1);
            const float kept = x[i];
            x[i] = x[other];
            x[other] = kept;
        }
        const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, ALL));
        const float whole = add_halves(x, ALL), half = add_halves(x, PAIRS);
        struct ulpscope_verdict verdict = {.size = sizeof verdict};
        assert_int_equal(ulpscope_judge(&sum, &whole, "exact", &verdict), ULPSCOPE_OK);
        inaccurate += !verdict.passed;
        sound += strncmp(verdict.cause, "no fault is needed", strlen("no fault is needed")) == 0;
        named += strcmp(cause(sum, &half), "the second half of the data is left out") == 0;
    }
    assert_int_equal(inaccurate, INPUTS);
    assert_int_equal(sound, inaccurate);
    assert_int_equal(named, INPUTS);
}

/* ---- 16 bits ---- */

/* Of the first inputs of 300 numbers of a format whose sum, kept in it and `off` units away, breaks the bound of
 * additions in binary32: how many are said to be that. */
static struct named name_narrow_sums(const struct format *format, ulpscope_format name, double off)
{
    enum { FEW = 300 };
    struct named count = {0};
    for (unsigned trial = 0; count.asked < INPUTS && trial < 10 * INPUTS; trial++) {
        static struct ulpscope_verdict verdict = {.size = sizeof verdict};
        uint16_t numbers[FEW], computed;
        double sum = 0;
        seed_random(trial);
        fill_random(x, (enum random_kind)(trial % WIDE), FEW, FEW);
        for (unsigned i = 0; i < FEW; i++) {
            numbers[i] = (uint16_t)format_bits(format, rounded_to((double)x[i], format));
            sum = rounded_to(sum + format_value(format, numbers[i]), format);
        }
        sum = rounded_to(sum + off * fabs(sum) * ldexp(1, 1 - format->precision), format);
        computed = (uint16_t)format_bits(format, sum);
        struct ulpscope_problem problem = ulpscope_sum_of(ulpscope_vector(name, numbers, FEW));
        problem.result = name;
        assert_int_equal(ulpscope_judge(&problem, &computed, "auto", &verdict), ULPSCOPE_OK);
        if (verdict.passed)
            continue;
        count.asked++;
        count.named += strstr(verdict.cause, " partial sums, bit for bit") && strstr(verdict.cause, format->name);
        count.wrong += verdict.cause[0] != '\0';
    }
    return count;
}

static void test_sums_that_are_kept_in_16_bits_are_named(void **state)
{
    (void)state;
    const struct named half = name_narrow_sums(&FORMAT_BINARY16, ULPSCOPE_BINARY16, 0),
                       brain = name_narrow_sums(&FORMAT_BFLOAT16, ULPSCOPE_BFLOAT16, 0),
                       other = name_narrow_sums(&FORMAT_BINARY16, ULPSCOPE_BINARY16, 3);
    assert_int_equal(half.asked, INPUTS);
    assert_int_equal(half.named, INPUTS);
    assert_int_equal(brain.asked, INPUTS);
    assert_int_equal(brain.named, INPUTS);
    assert_int_equal(other.asked, INPUTS); /* the twin */
    assert_int_equal(other.wrong, 0);
}

/* ---- other formats ---- */

static void test_narrow_sums_overflow(void **state)
{
    const float large[] = {60000, 60000, -60000, -59000}, computed = INFINITY;
    const struct ulpscope_array array = ulpscope_vector(ULPSCOPE_BINARY32, large, 4);
    (void)state;
    assert_string_equal(cause(ulpscope_sum_of(array), &computed), "partial sums overflow in binary16");
    assert_string_equal(cause(ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, large, 2)), &computed),
                        "partial sums overflow in binary16, or the result overflows in binary16");
}

static void test_binary64_elements_rounded_to_binary32(void **state)
{
    double wide[100], s = 0;
    (void)state;
    seed_random(3);
    for (unsigned i = 0; i < 100; i++) {
        wide[i] = (double)(next_random() >> 11) * 0x1p-53 - 0.3;
        s += (double)(float)wide[i];
    }
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY64, wide, 100));
    assert_string_equal(cause(sum, &s), "the elements are rounded to binary32 first");
    s = (double)(float)s;
    assert_string_equal(cause(sum, &s), "the result is rounded to binary32");
}

static void test_at_most_three_of_many_are_named(void **state)
{
    enum { SOME = 24 };
    const float computed = 36;
    (void)state;
    fill(true);
    x[SOME - 1] = (float)(36 + -0x1p-8 - added(x, NULL, SOME - 1));
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, SOME));
    assert_string_equal(cause(sum, &computed), "equals binary16 partial sums, bit for bit, or equals bfloat16 partial "
                                               "sums, bit for bit, or the result is rounded to binary16");
}

static void test_subnormals_that_are_flushed(void **state)
{
    float tiny[100], s = 0, none = 0;
    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        tiny[i] = (float)(i + 1) * 0x1p-140f;
        s += tiny[i] < 0x1p-126f ? 0 : tiny[i];
    }
    assert_string_equal(
        cause(ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, tiny, 100)), &none),
        "the result is 0, or subnormals are flushed to zero, or equals binary16 partial sums, bit for bit");
    const float loud[] = {0x1.812346p-126f, -0x1.4p-126f, 0x1.345678p-125f, 0x1.23p-130f, 0x1.2p-125f},
                partial = loud[2] + loud[4];
    assert_string_equal(cause(ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, loud, 5)), &partial),
                        "subnormals are flushed to zero"); /* and what is left of the first two */
    for (unsigned i = 0; i < 100; i += 3) {
        tiny[i] = (float)(i + 1) * 0x1.23456p-126f;
        s += tiny[i];
    }
    assert_string_equal(cause(ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, tiny, 100)), &s),
                        "subnormals are flushed to zero");
}

static void test_specials_skipped(void **state)
{
    const float numbers[] = {1, 2, NAN, 4.5f}, skipped = 7.5f, other = 8;
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, numbers, 4));
    (void)state;
    assert_string_equal(cause(sum, &skipped), "elements that are NaN or infinite are left out");
    assert_string_equal(cause(sum, &other), "");
}

/* Plain additions overflow there: what is finite has another cause. */
static void test_sums_beyond_binary64(void **state)
{
    const double numbers[] = {9e307, 7e307, 3e307}, skipped = 9e307 + 7e307, none = 0, other = 1.1e308;
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY64, numbers, 3));
    (void)state;
    assert_string_equal(cause(sum, &skipped), "the last element is left out");
    assert_true(names(cause(sum, &none), "the result is 0"));
    assert_string_equal(cause(sum, &other), "");
}

static void test_equal_elements_are_not_told_apart(void **state)
{
    float equal[50];
    (void)state;
    for (unsigned i = 0; i < 50; i++)
        equal[i] = 0.1f;
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, equal, 50));
    const float without_one = 4.9f, without_three = 4.7f;
    assert_string_equal(cause(sum, &without_one), "one element is left out");
    assert_string_equal(cause(sum, &without_three), "3 elements are left out");
}

/* ---- rows and matrices ---- */

enum { ROWS = 6, INNER = 40, COLUMNS = 9 };

/* Element (i, k) of numbers in rows of `length`, or of the same numbers in columns of `height`. */
static float at(const float *numbers, unsigned length, unsigned height, bool transposed, unsigned i, unsigned k)
{
    return numbers[transposed ? k * height + i : i * length + k];
}

static float product(unsigned i, unsigned j, bool a_transposed, bool b_transposed)
{
    double sum = 0;
    for (unsigned k = 0; k < INNER; k++)
        sum += (double)at(x, INNER, ROWS, a_transposed, i, k) * (double)at(y, COLUMNS, INNER, b_transposed, k, j);
    return (float)sum;
}

static void test_products_of_other_rows_and_columns(void **state)
{
    static const struct {
        bool a, b, c;
        int row, column;
        const char *words;
    } faults[] = {{true, false, false, 0, 0, "A is read transposed"},
                  {false, true, false, 0, 0, "B is read transposed"},
                  {true, true, false, 0, 0, "A and B are read transposed"},
                  {false, false, true, 0, 0, "the result is stored transposed"},
                  {false, false, false, -1, 0, "the result is that of the row before"},
                  {false, false, false, 1, 0, "the result is that of the row after"},
                  {false, false, false, 0, -1, "the result is that of the column before"},
                  {false, false, false, 0, 1, "the result is that of the column after"}};
    float c[ROWS * COLUMNS];
    (void)state;
    fill(false);
    const struct ulpscope_problem problem = ulpscope_matmul_of(ulpscope_matrix(ULPSCOPE_BINARY32, x, ROWS, INNER),
                                                               ulpscope_matrix(ULPSCOPE_BINARY32, y, INNER, COLUMNS));
    for (unsigned f = 0; f < sizeof faults / sizeof *faults; f++) {
        for (unsigned i = 0; i < ROWS; i++)
            for (unsigned j = 0; j < COLUMNS; j++) {
                const unsigned place = i * COLUMNS + j, row = faults[f].c ? place % ROWS : i + (unsigned)faults[f].row,
                               column = faults[f].c ? place / ROWS : j + (unsigned)faults[f].column;
                c[place] = row < ROWS && column < COLUMNS ? product(row, column, faults[f].a, faults[f].b)
                                                          : product(i, j, false, false);
            }
        assert_string_equal(cause(problem, c), faults[f].words);
    }
}

static void test_rows_and_columns_swapped(void **state)
{
    float sums[ROWS] = {0}, before[ROWS] = {0}, stale[ROWS], total = 7.25f;
    (void)state;
    fill(false);
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned k = 0; k < INNER; k++) {
            sums[i] += at(x, INNER, ROWS, true, i, k);
            before[i] += x[(i > 0 ? i - 1 : i) * INNER + k];
        }
    const struct ulpscope_problem rows = ulpscope_rows_of(ulpscope_matrix(ULPSCOPE_BINARY32, x, ROWS, INNER));
    assert_string_equal(cause(rows, sums), "columns are added in place of rows");
    assert_string_equal(cause(rows, before), "the result is that of the row before");
    for (unsigned i = 0; i < ROWS; stale[i++] = total)
        for (unsigned k = 0; k < INNER; k++)
            total += x[i * INNER + k];
    assert_string_equal(cause(rows, stale), "the sum starts from the result of the row before");
    stale[3] += 0.5f;
    assert_string_equal(cause(rows, stale), ""); /* the twin */
}

/* Of 16 numbers near 3, and weights; each is what the words say of it. */
static void test_each_wrong_statistic_is_named(void **state)
{
    enum { COUNT = 16 };
    static const struct {
        ulpscope_operation operation, instead;
        uint64_t ddof, other_ddof, first, n;
        const char *words;
    } faults[] = {
        {ULPSCOPE_VARIANCE, ULPSCOPE_VARIANCE, 1, 0, 0, COUNT, "divided by n, not n - 1 (ddof=0)"},
        {ULPSCOPE_VARIANCE, ULPSCOPE_VARIANCE, 0, 1, 0, COUNT, "divided by n - 1, not n (ddof=1)"},
        {ULPSCOPE_VARIANCE, ULPSCOPE_STD, 0, 0, 0, COUNT, "it is the standard deviation: the root was taken"},
        {ULPSCOPE_VARIANCE, ULPSCOPE_MEAN_SQUARE, 0, 0, 0, COUNT, "the mean is not subtracted"},
        {ULPSCOPE_VARIANCE, ULPSCOPE_VARIANCE, 0, 0, 0, COUNT - 1, "the last element is left out"},
        {ULPSCOPE_STD, ULPSCOPE_STD, 1, 0, 0, COUNT, "divided by n, not n - 1 (ddof=0)"},
        {ULPSCOPE_STD, ULPSCOPE_VARIANCE, 1, 1, 0, COUNT, "it is the variance: the root was not taken"},
        {ULPSCOPE_STD, ULPSCOPE_RMS, 0, 0, 0, COUNT, "the mean is not subtracted"},
        {ULPSCOPE_STD, ULPSCOPE_STD, 0, 0, 1, COUNT - 1, "the first element is left out"},
        {ULPSCOPE_MEAN, ULPSCOPE_SUM, 0, 0, 0, COUNT, "it is the sum: not divided by n"},
        {ULPSCOPE_MEAN, ULPSCOPE_MEAN, 0, 0, 0, COUNT - 1, "the last element is left out"},
        {ULPSCOPE_RMS, ULPSCOPE_MEAN_SQUARE, 0, 0, 0, COUNT, "the root was not taken"},
        {ULPSCOPE_MEAN_WEIGHTED, ULPSCOPE_MEAN, 0, 0, 0, COUNT, "the weights are left out"},
        {ULPSCOPE_MEAN_WEIGHTED, ULPSCOPE_DOT, 0, 0, 0, COUNT, "not divided by the sum of the weights"},
        {ULPSCOPE_COSINE, ULPSCOPE_DOT, 0, 0, 0, COUNT, "not divided by the norms"},
        {ULPSCOPE_MEAN, ULPSCOPE_RMS, 0, 0, 0, COUNT, ""}, /* twins: nothing says what these are */
        {ULPSCOPE_VARIANCE, ULPSCOPE_VARIANCE, 0, 7, 0, COUNT, ""},
    };
    unsigned named = 0;
    (void)state;
    fill(true);
    for (unsigned i = 0; i < COUNT; i++)
        x[i] = 2 * x[i] + (i % 5 == 0 ? 4 : 0);
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        struct ulpscope_problem right = ulpscope_problem_of(faults[f].operation,
                                                            ulpscope_vector(ULPSCOPE_BINARY32, x, COUNT),
                                                            ulpscope_vector(ULPSCOPE_BINARY32, y, COUNT)),
                                wrong = ulpscope_problem_of(
                                    faults[f].instead,
                                    ulpscope_vector(ULPSCOPE_BINARY32, x + faults[f].first, faults[f].n),
                                    ulpscope_vector(ULPSCOPE_BINARY32, y + faults[f].first, faults[f].n));
        float computed;
        right.ddof = faults[f].ddof;
        wrong.ddof = faults[f].other_ddof;
        assert_int_equal(ulpscope_rounded(&wrong, &computed), ULPSCOPE_OK);
        assert_string_equal(cause(right, &computed), faults[f].words);
        named += *faults[f].words != '\0';
    }
    assert_int_equal(named, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_fault_is_named),
        cmocka_unit_test(test_an_element_is_named_where_it_can_be),
        cmocka_unit_test(test_little_is_named_bit_for_bit),
        cmocka_unit_test(test_rests_of_vectors_are_named_where_they_are_small),
        cmocka_unit_test(test_of_100_inputs_95_name_a_known_fault_and_none_an_unknown_one),
        cmocka_unit_test(test_the_names_of_one_fault_are_not_those_of_another),
        cmocka_unit_test(test_sound_sums_that_cancel_are_not_accused),
        cmocka_unit_test(test_sums_that_are_kept_in_16_bits_are_named),
        cmocka_unit_test(test_narrow_sums_overflow),
        cmocka_unit_test(test_binary64_elements_rounded_to_binary32),
        cmocka_unit_test(test_at_most_three_of_many_are_named),
        cmocka_unit_test(test_subnormals_that_are_flushed),
        cmocka_unit_test(test_specials_skipped),
        cmocka_unit_test(test_sums_beyond_binary64),
        cmocka_unit_test(test_equal_elements_are_not_told_apart),
        cmocka_unit_test(test_products_of_other_rows_and_columns),
        cmocka_unit_test(test_rows_and_columns_swapped),
        cmocka_unit_test(test_each_wrong_statistic_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
