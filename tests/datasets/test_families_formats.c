/* Every family in every format: it has numbers of it, or says why not. */
#include "family.h"

#include "src/base/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SPEC_TEXT = 200 };

/* Calls `check` with each family and each format that it has. */
static void for_all_served(void (*check)(const struct generator *, const struct format *, const char *spec))
{
    size_t count;
    const struct generator *const *table = generator_table(&count);
    for (size_t g = 0; g < count; g++)
        for (int f = 0; f < STORED_FORMAT_COUNT; f++) {
            char text[SPEC_TEXT];
            snprintf(text, sizeof text, "%s:format=%s", table[g]->id, NUMBER_FORMATS[f]->name);
            if (!generator_refuses(table[g], NUMBER_FORMATS[f]))
                check(table[g], NUMBER_FORMATS[f], text);
        }
}

static struct dataset make_with_seed(const char *text, uint64_t seed)
{
    struct data_spec *specs;
    struct dataset data;
    size_t count;
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &count), OK);
    if (dataset_make(specs, seed, 0, &data) != OK)
        fail_msg("%s is not made", text);
    data_specs_free(specs, count);
    return data;
}

static bool same(const struct dataset *a, const struct dataset *b)
{
    return a->n == b->n && memcmp(a->x, b->x, a->n * format_held(a->format)->bytes) == 0;
}

static void refusals_say_why(void **state)
{
    (void)state;
    size_t count, refused = 0;
    const struct generator *const *table = generator_table(&count);
    for (size_t g = 0; g < count; g++) {
        assert_null(generator_refuses(table[g], &FORMAT_BINARY32));
        for (int f = 0; f < STORED_FORMAT_COUNT; f++) {
            char text[SPEC_TEXT];
            const char *why = generator_refuses(table[g], NUMBER_FORMATS[f]);
            if (!why)
                continue;
            snprintf(text, sizeof text, "%s:format=%s", table[g]->id, NUMBER_FORMATS[f]->name);
            assert_family_refuses(text);
            assert_true(strlen(why) > 10);
            refused++;
        }
    }
    assert_true(refused > 0);
}

static void check_numbers(const struct generator *generator, const struct format *format, const char *text)
{
    struct dataset data = make_with_seed(text, 1);
    assert_string_equal(data.format->name, format->name);
    for (uint64_t i = 0; i < data.n; i++) {
        const double x = held_number(format, data.x, i);
        if (!(rounded_to(x, format) == x) && strcmp(generator->id, "specials") != 0)
            fail_msg("%s: x_%" PRIu64 " = %a is no number of the format", text, i, x);
    }
    dataset_free(&data);
}

static void numbers_are_of_the_format(void **state)
{
    (void)state;
    for_all_served(check_numbers);
    assert_true(rounded_to(0x1.01p0, &FORMAT_BFLOAT16) != 0x1.01p0); /* the twin: 9 bits */
}

static void check_seeds(const struct generator *generator, const struct format *format, const char *text)
{
    struct dataset data = make_with_seed(text, 1), again = make_with_seed(text, 1), other = make_with_seed(text, 2);
    (void)format;
    assert_true(same(&data, &again));
    if (same(&data, &other) == generator->random)
        fail_msg("%s: another seed makes %s numbers", text, generator->random ? "the same" : "other");
    dataset_free(&data);
    dataset_free(&again);
    dataset_free(&other);
}

static void seeds_make_other_numbers_of_random_families_alone(void **state)
{
    (void)state;
    for_all_served(check_seeds);
}

/* ---- claims that are exact ---- */

static void exact_sums_are_those_of_the_cards(void **state)
{
    (void)state;
    static const struct claim {
        const char *spec;
        double sum;
    } claims[] = {
        {"ones:n=300,format=bfloat16", 300},
        {"const:n=1000,value=0.1,format=binary64", 1000 * 0.1},
        {"const:n=1024,value=0.1,format=bfloat16", 1024 * 0x1.9ap-4},
        {"const:n=1024,value=0.1,format=e4m3", 1024 * 0x1.ap-4},
        {"swamp:n=101,format=binary16", 0x1p11 + 100},
        {"swamp:n=101,format=bfloat16", 0x1p8 + 100},
        {"swamp:n=101,format=binary64", 0x1p53 + 100},
        {"tie:n=5,format=bfloat16", 1 + 0x1p-6},
        {"tie:n=5,format=binary16", 1 + 0x1p-9},
        {"tie:n=5,format=binary64", 1 + 0x1p-51},
        {"round_up:n=5,format=binary16", 1 + 4 * 0x1p-11 * (1 + 0x1p-10)},
        {"round_up:n=130,format=bfloat16", 1 + 128 * 0x1p-8 * (1 + 0x1p-7) + 2 * 0x1p-8 * (1 + 0x1p-7)},
        {"round_up:n=5,side=down,format=bfloat16", 1 + 4 * 0x1p-8 * (1 - 0x1p-8)},
        {"telescope:format=binary16", -1},
        {"telescope:format=bfloat16", -1},
        {"telescope:format=binary64", -1},
        {"telescope:n=15,r=1.96,format=bfloat16", -1},
        {"n_cond:n=256,format=bfloat16", -1},
        {"n_cond:n=4096,format=binary16", -1},
        {"mountain:n=101,format=binary16", 0},
        {"mountain:n=101,format=bfloat16", 0},
        {"mountain:n=4000,format=binary64", 0},
        {"mirror:n=101,format=e4m3", 0},
        {"mirror:n=101,second=repeated,format=e5m2", 0},
        {"mirror:n=101,format=binary64", 0},
        {"sine:n=1000,format=binary64", 0},
        {"sine:n=4096,format=binary64", 0},
        {"sine:n=999,format=binary16", 0},
        {"sine:n=1000,format=e4m3", 0},
        {"kahan_killer:n=400,format=binary16", 200},
        {"kahan_killer:n=400,format=bfloat16", 200},
        {"kahan_killer:n=400,format=binary64", 200},
        {"compensation_chain:n=4095,format=binary64", 819},
        {"compensation_chain:n=4095,format=bfloat16", 819},
        {"binary64_killer:n=100,format=bfloat16", 98},
        {"binary64_killer:n=100,format=binary64", 98},
        {"fab:n=1280,format=binary16", 1260},
        {"fab:n=1280,format=binary64", 1260},
        {"demmel_hida:n=128,format=bfloat16", 4},
        {"demmel_hida:n=1024,format=binary16", 4},
        {"demmel_hida:n=8192,format=binary64", 4},
        {"two_sum_overflow:n=2,format=bfloat16", 0x1.fep127 - 0x1.8p120},
        {"two_sum_overflow:n=2,format=binary64", DBL_MAX - 0x1.8p971},
        {"difficult:format=bfloat16", 1},
        {"difficult:format=binary64", 1},
        {"overflow_mid:format=binary16", 1},
        {"overflow_mid:n=5,pattern=tie,format=binary16", 65504 + 16 - 0x1p-7},
        {"overflow_mid:n=5,pattern=under,format=binary16", 65504 + 16 - 0x1p-7},
        {"overflow_mid:pattern=mixed,format=binary64", 3 * 0.1},
        {"overflow_mid:pattern=cancelling,format=bfloat16", 1},
        {"ties_mid:n=3,format=binary16", 2049 + 0x1p-24},
        {"ties_mid:n=3,pattern=below,format=bfloat16", 259},
        {"ties_mid:n=3,pattern=power,format=bfloat16", 252.5 + 0x1p-25},
        {"signed_zero:n=100,pattern=pairs,format=binary64", 0},
        {"signed_zero:n=100,pattern=pairs,format=e4m3", 0},
    };
    for (size_t k = 0; k < sizeof claims / sizeof *claims; k++)
        if (family_exact(claims[k].spec, NULL) != claims[k].sum)
            fail_msg("%s: %a instead of %a", claims[k].spec, family_exact(claims[k].spec, NULL), claims[k].sum);
}

/* ---- condition numbers ---- */

static void assert_condition(const char *spec, double cond)
{
    double condition;
    (void)family_exact(spec, &condition);
    if (condition > 3 * cond || condition < cond / 3)
        fail_msg("%s: condition %g", spec, condition);
}

static void conditions_are_within_a_factor_of_3(void **state)
{
    (void)state;
    static const struct reach {
        const char *family, *format;
        uint64_t n;
        double most, times;
    } reaches[] = {
        {"gensum", "binary64", 4096, 1e300, 1e20},  {"gensum", "bfloat16", 4096, 1e60, 1e6},
        {"gensum", "binary16", 4096, 1e6, 10},      {"rand_cond", "binary64", 4096, 1e300, 1e20},
        {"rand_cond", "bfloat16", 4096, 1e60, 1e6},
    };
    for (size_t k = 0; k < sizeof reaches / sizeof *reaches; k++)
        for (double cond = 10; cond <= reaches[k].most; cond *= reaches[k].times) {
            char text[SPEC_TEXT];
            snprintf(text, sizeof text, "%s:n=%" PRIu64 ",cond=%g,format=%s", reaches[k].family, reaches[k].n, cond,
                     reaches[k].format);
            assert_condition(text, cond);
        }
    assert_family_refuses("gensum:cond=1e79,format=bfloat16");
    assert_family_refuses("gensum:cond=1e12,format=binary16");
    assert_family_refuses("gensum:cond=1e301,format=binary64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(numbers_are_of_the_format),
        cmocka_unit_test(seeds_make_other_numbers_of_random_families_alone),
        cmocka_unit_test(exact_sums_are_those_of_the_cards),
        cmocka_unit_test(conditions_are_within_a_factor_of_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
