/* Generators: each family keeps the promises of its file, and the same bits come on every machine. */
#include "datasets/dataset.h"
#include "datasets/random.h"
#include "datasets/splitmix64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 64 };

#define assert_float_bits_equal(a, b) assert_int_equal(float_bits(a), float_bits(b))

/* ---- making data, and summing them without the program's own exact sum ---- */

static enum status try_make(const char *text, uint64_t seed, uint64_t trial, struct dataset *data)
{
    struct data_spec *specs;
    size_t count;
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(count, 1);
    const enum status status = dataset_make(specs, seed, trial, data);
    data_specs_free(specs, count);
    return status;
}

static struct dataset make(const char *text, uint64_t seed, uint64_t trial)
{
    struct dataset data;
    assert_int_equal(try_make(text, seed, trial, &data), OK);
    assert_string_equal(data.format->name, "binary32");
    return data;
}

static struct dataset make_first(const char *text)
{
    return make(text, 1, 0);
}

static bool same_bits(struct dataset a, struct dataset b, uint64_t n)
{
    return memcmp(a.x, b.x, n * sizeof(float)) == 0;
}

/* 400 bits hold 2^-149 to 2^128 and 2^123 terms: every addition is exact, and checked to be. */
static double exact_sum_of(struct dataset data, double *sum_abs)
{
    const float *x = data.x;
    mpfr_t sum, abs;
    mpfr_inits2(400, sum, abs, (mpfr_ptr)0);
    mpfr_set_zero(sum, 1);
    mpfr_set_zero(abs, 1);
    for (uint64_t i = 0; i < data.n; i++) {
        assert_int_equal(mpfr_add_d(sum, sum, (double)x[i], MPFR_RNDN), 0);
        assert_int_equal(mpfr_add_d(abs, abs, fabs((double)x[i]), MPFR_RNDN), 0);
    }
    const double s = mpfr_get_d(sum, MPFR_RNDN);
    if (sum_abs)
        *sum_abs = mpfr_get_d(abs, MPFR_RNDN);
    mpfr_clears(sum, abs, (mpfr_ptr)0);
    return s;
}

static double condition_of(struct dataset data)
{
    double sum_abs;
    const double sum = exact_sum_of(data, &sum_abs);
    return sum_abs / fabs(sum);
}

/* ---- the random stream ---- */

/* philox4x32 10 of Random123's kat_vectors, through the layout of the counter. */
static void random_bits_are_the_known_answers_of_philox(void **state)
{
    (void)state;
    const struct {
        struct generator_call call;
        uint64_t i;
        uint32_t draw;
        uint32_t answer[4];
    } known[] = {
        {{0}, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{.seed = UINT64_MAX, .trial = UINT32_MAX, .family = UINT32_MAX},
         0xffffffffffff,
         0xffff,
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{.seed = 0x299f31d0a4093822, .trial = 0x13198a2e, .family = 0x03707344},
         0x08d3243f6a88,
         0x85a3,
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const struct random_block bits = random_bits(&known[k].call, known[k].i, known[k].draw);
        assert_memory_equal(bits.word, known[k].answer, sizeof bits.word);
    }
}

/* Its known answers for seed 0. */
static void splitmix64_has_its_known_answers(void **state)
{
    (void)state;
    const uint64_t known[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec};
    for (uint64_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(splitmix64(i) == known[i]);
}

static void every_part_of_the_counter_changes_the_bits(void **state)
{
    (void)state;
    const struct generator_call zero = {0};
    const struct generator_call calls[] = {
        {.seed = 1}, {.seed = 1ull << 32}, {.trial = 1}, {.trial = 1ull << 31}, {.family = 1}, {0}, {0}, {0}};
    const uint64_t elements[] = {0, 0, 0, 0, 0, 1, 1ull << 47, 0};
    const uint32_t draws[] = {0, 0, 0, 0, 0, 0, 0, 1};
    enum { KINDS = sizeof draws / sizeof *draws };
    struct random_block bits[KINDS + 1] = {random_bits(&zero, 0, 0)};
    for (size_t k = 0; k < KINDS; k++)
        bits[k + 1] = random_bits(&calls[k], elements[k], draws[k]);
    for (size_t a = 0; a <= KINDS; a++)
        for (size_t b = 0; b < a; b++)
            assert_memory_not_equal(&bits[a], &bits[b], sizeof *bits);
}

static void n_does_not_change_the_bits(void **state)
{
    (void)state;
    const struct generator_call a = {.n = 1}, b = {.n = 2};
    const struct random_block bits_a = random_bits(&a, 0, 0), bits_b = random_bits(&b, 0, 0);
    assert_memory_equal(&bits_a, &bits_b, sizeof bits_a);
}

static void no_two_families_share_a_stream(void **state)
{
    (void)state;
    size_t count;
    const struct generator *const *generators = generator_table(&count);
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < a; b++)
            assert_int_not_equal(generator_family(generators[a]->id), generator_family(generators[b]->id));
    assert_int_equal(generator_family(""), 0x811c9dc5); /* FNV-1a's own test vectors */
    assert_int_equal(generator_family("foobar"), 0xbf9cf968);
}

static void unit_and_significand_keep_to_their_intervals(void **state)
{
    (void)state;
    for (int f = 0; f < STORED_FORMAT_COUNT; f++) {
        const struct format *format = NUMBER_FORMATS[f];
        const double u = format_u(format);
        const uint64_t last = UINT64_C(1) << ((format->precision > 32 ? 64 : 32) - format->precision);
        assert_true(random_unit(format, 0) == 0 && random_unit(format, last) == u &&
                    random_unit(format, last - 1) == 0);
        assert_true(random_unit(format, UINT64_MAX) == 1 - u);
        assert_true(random_significand(format, 0) == 1 && random_significand(format, 2 * last) == 1 + 2 * u);
        assert_true(random_significand(format, UINT64_MAX) == 2 - 2 * u);
        assert_true(random_signed_significand(format, 2 * last + 1) == -1 - 2 * u);
    }
    assert_true(random_unit(&FORMAT_BINARY32, 0x100) == 0x1p-24);
}

static void random_below_stays_below(void **state)
{
    (void)state;
    assert_int_equal(random_below(0, 10), 0);
    assert_int_equal(random_below(UINT64_MAX, 10), 9);
    assert_int_equal(random_below(1ull << 63, 10), 5);
    assert_int_equal(random_below(UINT64_MAX, 1), 0);
    assert_int_equal(random_below(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1);
}

/* ---- what holds for every family ---- */

static void table_finds_its_own_rows_and_nothing_else(void **state)
{
    (void)state;
    size_t count;
    const struct generator *const *generators = generator_table(&count);
    assert_in_range(count, 10, 1000);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(generator_find(generators[i]->id), generators[i]);
    assert_null(generator_find("unifor"));
    assert_null(generator_find(""));
}

static void every_fallback_is_in_its_range(void **state)
{
    (void)state;
    size_t count;
    const struct generator *const *generators = generator_table(&count);
    for (size_t i = 0; i < count; i++)
        for (const struct parameter *p = generators[i]->parameters; p->name; p++) {
            assert_true(p->least <= p->fallback && p->fallback <= p->most);
            assert_true(p->kind == REAL || (p->least >= 0 && p->fallback == floor(p->fallback)));
            assert_non_null(p->meaning);
        }
}

static char *text_of(char text[LENGTH], const char *id, uint64_t n)
{
    snprintf(text, LENGTH, "%s:n=%llu", id, (unsigned long long)n);
    return text;
}

/* Or the least that the family can do. */
static uint64_t a_hundred(const struct generator *generator)
{
    return generator->least_n > 100 ? generator->least_n : 100;
}

static void every_family_makes_its_least_n_and_the_next_ones(void **state)
{
    (void)state;
    char text[LENGTH];
    size_t count;
    const struct generator *const *generators = generator_table(&count);
    for (size_t i = 0; i < count; i++)
        for (uint64_t trial = 0; trial < 8; trial++) /* specials: every mix */
            for (uint64_t n = generators[i]->least_n; n < generators[i]->least_n + 9; n++) {
                const char *first = generators[i]->parameters[0].name; /* a condition that few numbers have, too */
                const bool has_cond = first && strcmp(first, "cond") == 0;
                strcat(text_of(text, generators[i]->id, n), has_cond ? ",cond=1e3" : "");
                struct dataset data = make(text, 1, trial);
                assert_int_equal(data.n, n);
                dataset_free(&data);
            }
}

static void dataset_make_refuses_less_than_the_least_n(void **state)
{
    (void)state;
    struct data_spec *specs;
    struct dataset data;
    size_t count;
    assert_int_equal(data_specs_read("gensum:n=2,cond=1", "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(dataset_make(specs, 1, 0, &data), OK);
    dataset_free(&data);
    specs->n = 1;
    assert_int_equal(dataset_make(specs, 1, 0, &data), BAD_INPUT);
    assert_null(data.x);
    data_specs_free(specs, count);
}

static void same_seed_and_trial_give_the_same_bits(void **state)
{
    (void)state;
    char text[LENGTH];
    size_t count;
    const struct generator *const *generators = generator_table(&count);
    for (size_t i = 0; i < count; i++) {
        text_of(text, generators[i]->id, a_hundred(generators[i]));
        struct dataset a = make(text, 7, 3), b = make(text, 7, 3);
        assert_true(same_bits(a, b, 100));
        dataset_free(&a);
        dataset_free(&b);
    }
}

/* The numbers of a trial, without the order that it gives them. */
static struct dataset make_unordered(const char *text, uint64_t trial)
{
    struct data_spec *specs;
    size_t count;
    struct dataset data;
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(dataset_unordered(specs, 1, trial, &data), OK);
    data_specs_free(specs, count);
    return data;
}

/* `random` is what the reports believe: it is false just when seed and trial change no number. */
static void random_families_and_no_others_depend_on_seed_and_trial(void **state)
{
    (void)state;
    char text[LENGTH];
    size_t count;
    const struct generator *const *generators = generator_table(&count);
    for (size_t i = 0; i < count; i++) {
        text_of(text, generators[i]->id, a_hundred(generators[i]));
        if (strcmp(generators[i]->id, "specials") == 0)
            strcat(text, ",mix=1"); /* else the mix alone would differ */
        struct dataset data = make(text, 1, 0), seed = make(text, 2, 0), wide_seed = make(text, 1 + (1ull << 40), 0),
                       trial = make_unordered(text, 1);
        assert_int_equal(same_bits(data, seed, 100), !generators[i]->random);
        assert_int_equal(same_bits(data, wide_seed, 100), !generators[i]->random);
        assert_int_equal(same_bits(data, trial, 100), !generators[i]->random);
        dataset_free(&data);
        dataset_free(&seed);
        dataset_free(&wide_seed);
        dataset_free(&trial);
    }
}

static bool starts_alike(const char *id, uint64_t shorter, uint64_t longer)
{
    char text[LENGTH];
    struct dataset a = make_first(text_of(text, id, shorter));
    struct dataset b = make_first(text_of(text, id, longer));
    const bool alike = same_bits(a, b, shorter);
    dataset_free(&a);
    dataset_free(&b);
    return alike;
}

static void element_i_does_not_depend_on_n_unless_the_formula_does(void **state)
{
    (void)state;
    const char *const alike[] = {"uniform", "normal", "const", "swamp", "kahan_killer", "integers", "subnormal"};
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
        assert_true(starts_alike(alike[i], 37, 100));
    assert_false(starts_alike("mirror", 37, 100));
    assert_false(starts_alike("gensum", 37, 100));
}

static void a_trial_beyond_the_counter_is_refused(void **state)
{
    (void)state;
    struct dataset data = make("uniform:n=1", 1, MOST_TRIAL);
    dataset_free(&data);
    assert_int_equal(try_make("uniform:n=1", 1, MOST_TRIAL + 1, &data), BAD_INPUT);
    assert_null(data.x);
}

static void dataset_free_leaves_it_empty(void **state)
{
    (void)state;
    struct dataset data = make_first("uniform:n=4");
    dataset_free(&data);
    assert_null(data.x);
    assert_int_equal(data.n, 0);
    dataset_free(&data);
}

/* ---- uniform, normal ---- */

static void assert_all_between(const char *text, float low, float high)
{
    struct dataset data = make_first(text);
    const float *x = data.x, eighth = (high - low) / 8;
    uint64_t near_low = 0, near_high = 0;
    for (uint64_t i = 0; i < data.n; i++) {
        assert_true(x[i] >= low && x[i] <= high);
        near_low += x[i] < low + eighth;
        near_high += x[i] > high - eighth;
    }
    assert_in_range(near_low, data.n / 9, data.n / 7);
    assert_in_range(near_high, data.n / 9, data.n / 7);
    dataset_free(&data);
}

static void uniform_fills_its_interval(void **state)
{
    (void)state;
    assert_all_between("uniform:n=10000", 0, 1);
    assert_all_between("uniform:n=10000,low=-1", -1, 1);
    assert_all_between("uniform:n=10000,low=1000,high=1e30", 1000, 1e30f);
}

static void uniform_from_0_to_1_is_a_multiple_of_2_to_minus_24(void **state)
{
    (void)state;
    struct dataset data = make_first("uniform:n=1000");
    const float *x = data.x;
    bool odd_seen = false;
    for (uint64_t i = 0; i < data.n; i++) {
        const float units = x[i] * 0x1p24f;
        assert_float_bits_equal(units, floorf(units));
        odd_seen = odd_seen || fmodf(units, 2) == 1;
    }
    assert_true(odd_seen);
    dataset_free(&data);
}

static void uniform_over_the_whole_range_does_not_overflow(void **state)
{
    (void)state;
    struct dataset data = make_first("uniform:n=1000,low=-3.4028234663852886e38,high=3.4028234663852886e38");
    for (uint64_t i = 0; i < data.n; i++)
        assert_true(isfinite(((float *)data.x)[i]));
    dataset_free(&data);
}

static void uniform_refuses_an_empty_interval(void **state)
{
    (void)state;
    struct dataset data;
    assert_int_equal(try_make("uniform:n=4,low=2", 1, 0, &data), BAD_INPUT);
    assert_null(data.x);
    data = make_first("uniform:n=4,low=2,high=2");
    assert_float_bits_equal(((float *)data.x)[3], 2.0f);
    dataset_free(&data);
}

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Kolmogorov and Smirnov's statistic sqrt(n) D against the normal distribution; above 1.63 once in 100. */
static double distance_from_normal(const char *text, double mean, double sd)
{
    struct dataset data = make_first(text);
    float *x = data.x;
    qsort(x, data.n, sizeof *x, by_value);
    const double n = (double)data.n;
    double furthest = 0;
    for (uint64_t i = 0; i < data.n; i++) {
        const double cdf = erfc(-((double)x[i] - mean) / sd / sqrt(2)) / 2;
        furthest = fmax(furthest, fmax(cdf - (double)i / n, (double)(i + 1) / n - cdf));
    }
    dataset_free(&data);
    return sqrt(n) * furthest;
}

static void normal_has_the_distribution_function_of_gauss(void **state)
{
    (void)state;
    assert_true(distance_from_normal("normal:n=200000", 0, 1) < 1.63);
    assert_true(distance_from_normal("normal:n=200000,mean=3,sd=0.5", 3, 0.5) < 1.63);
    assert_false(distance_from_normal("normal:n=200000", 0, 1.02) < 1.63);
    assert_false(distance_from_normal("normal:n=200000", 0.02, 1) < 1.63);
}

/* P(|z| > 3) = 0.0027, P(|z| > 4) = 6.33e-5; limits at 5 standard deviations. */
static void normal_has_the_tails_of_gauss(void **state)
{
    (void)state;
    struct dataset data = make_first("normal:n=200000");
    const float *x = data.x;
    uint64_t above_3 = 0, above_4 = 0;
    for (uint64_t i = 0; i < data.n; i++) {
        above_3 += fabsf(x[i]) > 3;
        above_4 += fabsf(x[i]) > 4;
    }
    assert_in_range(above_3, 540 - 116, 540 + 116);
    assert_in_range(above_4, 1, 13 + 18);
    dataset_free(&data);
}

static void normal_scales_exactly_by_a_power_of_two(void **state)
{
    (void)state;
    struct dataset one = make_first("normal:n=100"), four = make_first("normal:n=100,sd=4");
    for (uint64_t i = 0; i < 100; i++)
        assert_float_bits_equal(((float *)four.x)[i], 4 * ((float *)one.x)[i]);
    dataset_free(&one);
    dataset_free(&four);
}

/* ---- families whose sum is known ---- */

static double sum_of(const char *text)
{
    struct dataset data = make_first(text);
    const double sum = exact_sum_of(data, NULL);
    dataset_free(&data);
    return sum;
}

static void const_is_its_value_rounded_to_binary32(void **state)
{
    (void)state;
    assert_true(sum_of("const:n=1000") == 1000 * (double)0.1f);
    assert_true(sum_of("const:n=1000") != 1000 * 0.1);
    assert_true(sum_of("const:n=3,value=-2.5") == -7.5);
}

static void swamp_sums_to_big_and_n_less_one(void **state)
{
    (void)state;
    assert_true(sum_of("swamp:n=0") == 0);
    assert_true(sum_of("swamp:n=1") == 0x1p24);
    assert_true(sum_of("swamp:n=1001") == 0x1p24 + 1000);
    assert_true(sum_of("swamp:n=1001,big=1e6") == 1e6 + 1000);
}

static void kahan_killer_sums_to_half_n(void **state)
{
    (void)state;
    assert_true(sum_of("kahan_killer:n=8") == 4);
    assert_true(sum_of("kahan_killer:n=9") == 5);
    assert_true(sum_of("kahan_killer:n=10,big=0x1p30") == 5 + 0x1p30);
    assert_true(sum_of("kahan_killer:n=11,big=0x1p30") == 6 + 0x1p30);
    struct dataset data = make_first("kahan_killer:n=400");
    assert_true(condition_of(data) == 1 + 0x1p60);
    dataset_free(&data);
}

static void mirror_sums_to_exactly_0(void **state)
{
    (void)state;
    const uint64_t sizes[] = {0, 1, 2, 3, 1000, 1001};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char text[LENGTH];
        assert_true(sum_of(text_of(text, "mirror", sizes[k])) == 0);
    }
    struct dataset data = make_first("mirror:n=1000");
    data.n--;
    assert_false(exact_sum_of(data, NULL) == 0);
    dataset_free(&data);
}

/* x_(n-1-i) or x_(m+i) is -x_i, and the odd pair is a, -a. */
static void mirror_takes_back_what_it_says(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 40; n++) {
        char text[LENGTH];
        const uint64_t even = n / 2 * 2, half = n / 4 * 2;
        struct dataset reversed = make_first(text_of(text, "mirror", n));
        strcat(text, ",second=repeated");
        struct dataset repeated = make_first(text);
        const float *x = reversed.x, *y = repeated.x;
        for (uint64_t i = 0; i < even / 2; i++) {
            assert_true(x[i] > 0);
            assert_float_bits_equal(x[even - 1 - i], -x[i]);
            assert_true(i >= half || y[i] > 0);
            assert_float_bits_equal(i < half ? y[half + i] : y[even - 1], i < half ? -y[i] : -y[even - 2]);
        }
        dataset_free(&reversed);
        dataset_free(&repeated);
    }
}

static void mirror_has_its_binades_and_a_0_at_the_end(void **state)
{
    (void)state;
    struct dataset data = make_first("mirror:n=2001,binades=3");
    const float *x = data.x;
    assert_float_bits_equal(x[2000], 0.0f);
    unsigned seen = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        assert_true(x[i] >= 0x1p-2f && x[i] < 2);
        assert_float_bits_equal(x[1999 - i], -x[i]);
        seen |= 1u << -ilogbf(x[i]);
    }
    assert_int_equal(seen, 7); /* 1, 1/2, 1/4 */
    dataset_free(&data);
}

/* ---- gensum ---- */

static bool has_condition(struct dataset data, double cond)
{
    const double reached = condition_of(data);
    return reached >= cond / 3 && reached <= cond * 3;
}

static struct dataset make_gensum(uint64_t n, double cond, uint64_t trial)
{
    char text[LENGTH];
    snprintf(text, LENGTH, "gensum:n=%llu,cond=%.17g", (unsigned long long)n, cond);
    return make(text, 1, trial);
}

static void gensum_reaches_its_condition_within_a_factor_of_3(void **state)
{
    (void)state;
    const uint64_t sizes[] = {2, 3, 4, 5, 10, 33, 100, 1000, 4097};
    const double conditions[] = {1, 1.5, 2, 10, 1e3, 1e6, 1e8, 1e14, 1e20, 1e38, 1e60, 1e79};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++)
            for (uint64_t trial = 0; trial < 3; trial++) {
                if (sizes[s] == 2 && conditions[c] > 1e6)
                    continue;
                struct dataset data = make_gensum(sizes[s], conditions[c], trial);
                assert_true(has_condition(data, conditions[c]));
                dataset_free(&data);
            }
}

static void gensum_reaches_it_to_three_digits_where_it_has_room(void **state)
{
    (void)state;
    const uint64_t sizes[] = {100, 1000, 4096};
    const double conditions[] = {1, 1.1, 2, 10, 1e3, 1e8, 1e20, 1e60};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++) {
            struct dataset data = make_gensum(sizes[s], conditions[c], 0);
            assert_true(fabs(condition_of(data) / conditions[c] - 1) < 1e-3);
            dataset_free(&data);
        }
}

static void gensum_has_no_zeros(void **state)
{
    (void)state;
    const double conditions[] = {1, 1e8, 1e79};
    for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++) {
        struct dataset data = make_gensum(4096, conditions[c], 0);
        for (uint64_t i = 0; i < data.n; i++)
            assert_true(((float *)data.x)[i] != 0);
        dataset_free(&data);
    }
}

static void gensum_without_one_element_has_another_condition(void **state)
{
    (void)state;
    struct dataset data = make_gensum(1000, 1e20, 0);
    data.n--;
    assert_false(has_condition(data, 1e20));
    dataset_free(&data);
}

static void gensum_spreads_its_exponents_over_log2_of_cond(void **state)
{
    (void)state;
    struct dataset data = make_gensum(4096, 0x1p40, 0);
    const float *x = data.x;
    uint64_t binades[64] = {0};
    for (uint64_t i = 0; i < data.n; i++)
        if (x[i] != 0 && ilogbf(x[i]) >= 0 && ilogbf(x[i]) < 64)
            binades[ilogbf(x[i])]++;
    for (int e = 0; e <= 40; e++)
        assert_in_range(binades[e], 4096 / 40 / 4, 4096 / 40 * 2);
    dataset_free(&data);
}

static void gensum_has_both_signs_as_its_sum(void **state)
{
    (void)state;
    unsigned positive = 0;
    for (uint64_t trial = 0; trial < 40; trial++) {
        struct dataset data = make_gensum(50, 100, trial);
        positive += exact_sum_of(data, NULL) > 0;
        dataset_free(&data);
    }
    assert_in_range(positive, 8, 32);
}

/* The largest of 1000, first when they were made, is anywhere after the shuffle: in the first tenth 1 time in 10. */
static void gensum_is_shuffled(void **state)
{
    (void)state;
    unsigned first_tenth = 0, last_tenth = 0;
    for (uint64_t trial = 0; trial < 100; trial++) {
        struct dataset data = make_gensum(1000, 1e30, trial);
        const float *x = data.x;
        uint64_t largest = 0;
        for (uint64_t i = 0; i < data.n; i++)
            if (fabsf(x[i]) > fabsf(x[largest]))
                largest = i;
        first_tenth += largest < 100;
        last_tenth += largest >= 900;
        dataset_free(&data);
    }
    assert_in_range(first_tenth, 1, 25);
    assert_in_range(last_tenth, 1, 25);
}

static void gensum_never_overflows_in_any_order(void **state)
{
    (void)state;
    const uint64_t sizes[] = {2, 100, 100000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct dataset data = make_gensum(sizes[k], sizes[k] == 2 ? 1e6 : 1e79, 0);
        double sum_abs;
        exact_sum_of(data, &sum_abs);
        assert_true(sum_abs < 0x1p127);
        dataset_free(&data);
    }
}

static void gensum_refuses_what_two_terms_cannot_reach(void **state)
{
    (void)state;
    struct dataset data;
    assert_int_equal(try_make("gensum:n=2,cond=1e10", 1, 0, &data), BAD_INPUT);
    assert_null(data.x);
    assert_int_equal(try_make("gensum:n=3,cond=1e10", 1, 0, &data), OK);
    dataset_free(&data);
}

/* ---- families that no order rounds ---- */

/* volatile: a build for another precision of registers must not round later. */
static float serial_sum(struct dataset data, bool backwards)
{
    const float *x = data.x;
    volatile float sum = 0;
    for (uint64_t i = 0; i < data.n; i++)
        sum = sum + x[backwards ? data.n - 1 - i : i];
    return sum;
}

static void assert_no_order_rounds(const char *text, bool rounds)
{
    struct dataset data = make_first(text);
    const double exact = exact_sum_of(data, NULL);
    const bool same = (double)serial_sum(data, false) == exact && (double)serial_sum(data, true) == exact;
    assert_int_equal(same, !rounds);
    dataset_free(&data);
}

static void integers_and_subnormals_add_up_exactly(void **state)
{
    (void)state;
    assert_no_order_rounds("integers:n=100000", false);
    assert_no_order_rounds("integers:n=16,most=1Mi", false);
    assert_no_order_rounds("subnormal:n=16000", false);
    assert_no_order_rounds("normal:n=16000", true);
}

static void integers_take_every_value_from_minus_most_to_most(void **state)
{
    (void)state;
    struct dataset data = make_first("integers:n=2000,most=3");
    const float *x = data.x;
    uint64_t seen[7] = {0};
    for (uint64_t i = 0; i < data.n; i++) {
        assert_true(x[i] == floorf(x[i]) && fabsf(x[i]) <= 3);
        seen[(int)x[i] + 3]++;
    }
    for (int k = 0; k < 7; k++)
        assert_in_range(seen[k], 2000 / 7 - 80, 2000 / 7 + 80);
    dataset_free(&data);
}

static void subnormal_is_subnormal_and_of_both_signs(void **state)
{
    (void)state;
    struct dataset data = make_first("subnormal:n=1000,most=1000");
    const float *x = data.x;
    uint64_t negative = 0, large = 0;
    for (uint64_t i = 0; i < data.n; i++) {
        assert_in_range(float_bits(x[i]) & 0x7fffffff, 0, 1000);
        assert_true(float_bits(x[i]) != 0x80000000);
        negative += float_bits(x[i]) >> 31;
        large += (float_bits(x[i]) & 0x7fffffff) > 500;
    }
    assert_in_range(negative, 400, 600);
    assert_in_range(large, 400, 600);
    dataset_free(&data);
}

/* ---- specials ---- */

static void assert_special(const char *text, uint64_t trial, uint64_t at, float expected)
{
    struct dataset data = make(text, 1, trial);
    assert_true(float_same(((float *)data.x)[at], expected));
    dataset_free(&data);
}

static void specials_stand_where_the_table_says(void **state)
{
    (void)state;
    assert_special("specials:n=9,mix=1", 0, 0, INFINITY);
    assert_special("specials:n=9,mix=2", 0, 0, INFINITY);
    assert_special("specials:n=9,mix=2", 0, 8, -INFINITY);
    assert_special("specials:n=1,mix=2", 0, 0, INFINITY);
    assert_special("specials:n=9,mix=3", 0, 0, NAN);
    assert_special("specials:n=9,mix=4", 0, 4, NAN);
    assert_special("specials:n=9,mix=5", 0, 8, NAN);
    assert_special("specials:n=9,mix=6", 0, 0, INFINITY);
    assert_special("specials:n=9,mix=6", 0, 8, NAN);
    assert_special("specials:n=9,mix=7", 0, 0, FLT_MAX);
    assert_special("specials:n=9,mix=7", 0, 3, -FLT_MAX);
    assert_special("specials:n=9,mix=7", 0, 4, 1);
    assert_special("specials:n=9,mix=8", 0, 5, -0.0f);
    assert_special("specials:n=9,mix=9", 0, 8, INFINITY);
    assert_special("specials:n=9,mix=10", 0, 4, NAN);
    assert_special("specials:n=9,mix=10", 0, 8, INFINITY);
    assert_special("specials:n=9,mix=11", 0, 0, INFINITY);
    assert_special("specials:n=9,mix=11", 0, 4, NAN);
    assert_special("specials:n=9,mix=11", 0, 8, -INFINITY);
}

/* The sums of the table, in binary64, which nothing here overflows. */
static void specials_sum_to_what_the_table_says(void **state)
{
    (void)state;
    const char expected[] = "-innnnnf0inn"; /* by mix: inf, NaN, finite, 0 */
    for (unsigned mix = 1; mix <= 11; mix++) {
        char text[LENGTH];
        snprintf(text, LENGTH, "specials:n=9,mix=%u", mix);
        struct dataset data = make_first(text);
        double sum = 0;
        for (uint64_t i = 0; i < data.n; i++)
            sum += (double)((float *)data.x)[i];
        const char kind = isnan(sum) ? 'n' : isinf(sum) ? 'i' : sum != 0 ? 'f' : '0';
        assert_int_equal(kind, expected[mix]);
        dataset_free(&data);
    }
}

static void specials_are_ordinary_elsewhere(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < 7; trial++) {
        struct dataset data = make("specials:n=100", 1, trial);
        const float *x = data.x;
        uint64_t ordinary = 0;
        for (uint64_t i = 0; i < data.n; i++)
            ordinary += fabsf(x[i]) >= 1 && fabsf(x[i]) < 2;
        assert_in_range(ordinary, 96, 99);
        dataset_free(&data);
    }
}

static void specials_take_the_mixes_in_turn(void **state)
{
    (void)state;
    assert_special("specials:n=9", 0, 0, INFINITY);
    assert_special("specials:n=9", 2, 0, NAN);
    assert_special("specials:n=9", 6, 0, FLT_MAX);
    assert_special("specials:n=9", 7, 0, -0.0f);
    assert_special("specials:n=9", 8, 0, INFINITY);
    assert_special("specials:n=9,mix=3", 8, 0, NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bits_are_the_known_answers_of_philox),
        cmocka_unit_test(splitmix64_has_its_known_answers),
        cmocka_unit_test(every_part_of_the_counter_changes_the_bits),
        cmocka_unit_test(n_does_not_change_the_bits),
        cmocka_unit_test(no_two_families_share_a_stream),
        cmocka_unit_test(unit_and_significand_keep_to_their_intervals),
        cmocka_unit_test(random_below_stays_below),
        cmocka_unit_test(table_finds_its_own_rows_and_nothing_else),
        cmocka_unit_test(every_fallback_is_in_its_range),
        cmocka_unit_test(every_family_makes_its_least_n_and_the_next_ones),
        cmocka_unit_test(dataset_make_refuses_less_than_the_least_n),
        cmocka_unit_test(same_seed_and_trial_give_the_same_bits),
        cmocka_unit_test(random_families_and_no_others_depend_on_seed_and_trial),
        cmocka_unit_test(element_i_does_not_depend_on_n_unless_the_formula_does),
        cmocka_unit_test(a_trial_beyond_the_counter_is_refused),
        cmocka_unit_test(dataset_free_leaves_it_empty),
        cmocka_unit_test(uniform_fills_its_interval),
        cmocka_unit_test(uniform_from_0_to_1_is_a_multiple_of_2_to_minus_24),
        cmocka_unit_test(uniform_over_the_whole_range_does_not_overflow),
        cmocka_unit_test(uniform_refuses_an_empty_interval),
        cmocka_unit_test(normal_has_the_distribution_function_of_gauss),
        cmocka_unit_test(normal_has_the_tails_of_gauss),
        cmocka_unit_test(normal_scales_exactly_by_a_power_of_two),
        cmocka_unit_test(const_is_its_value_rounded_to_binary32),
        cmocka_unit_test(swamp_sums_to_big_and_n_less_one),
        cmocka_unit_test(kahan_killer_sums_to_half_n),
        cmocka_unit_test(mirror_sums_to_exactly_0),
        cmocka_unit_test(mirror_takes_back_what_it_says),
        cmocka_unit_test(mirror_has_its_binades_and_a_0_at_the_end),
        cmocka_unit_test(gensum_reaches_its_condition_within_a_factor_of_3),
        cmocka_unit_test(gensum_reaches_it_to_three_digits_where_it_has_room),
        cmocka_unit_test(gensum_has_no_zeros),
        cmocka_unit_test(gensum_without_one_element_has_another_condition),
        cmocka_unit_test(gensum_spreads_its_exponents_over_log2_of_cond),
        cmocka_unit_test(gensum_has_both_signs_as_its_sum),
        cmocka_unit_test(gensum_is_shuffled),
        cmocka_unit_test(gensum_never_overflows_in_any_order),
        cmocka_unit_test(gensum_refuses_what_two_terms_cannot_reach),
        cmocka_unit_test(integers_and_subnormals_add_up_exactly),
        cmocka_unit_test(integers_take_every_value_from_minus_most_to_most),
        cmocka_unit_test(subnormal_is_subnormal_and_of_both_signs),
        cmocka_unit_test(specials_stand_where_the_table_says),
        cmocka_unit_test(specials_sum_to_what_the_table_says),
        cmocka_unit_test(specials_are_ordinary_elsewhere),
        cmocka_unit_test(specials_take_the_mixes_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
