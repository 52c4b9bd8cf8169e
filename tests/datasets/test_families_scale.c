/* Families that put more sizes into a sum than an accumulator has room for, beside what their cards claim
 * (test_effects). */
#include "family.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { ID_TEXT = 64, SPEC_TEXT = 96 };

static const char *const all_orders[] = {"serial", "tree_two_pass", "shuffle_two_pass", "pairwise", "vector_two_pass"};
static const double defeat = 1e-3; /* relative error */

static double error_in(const char *spec, const char *accumulator, const char *order)
{
    char id[ID_TEXT];
    snprintf(id, sizeof id, "%s/%s", accumulator, order);
    return family_error(spec, id);
}

static void assert_exact(const char *spec, const char *accumulator, const char *order)
{
    const double error = error_in(spec, accumulator, order);
    if (error != 0)
        fail_msg("%s: %s/%s has relative error %g; expected 0", spec, accumulator, order, error);
}

static void assert_defeated(const char *spec, const char *accumulator, const char *order)
{
    const double error = error_in(spec, accumulator, order);
    if (!(error >= defeat))
        fail_msg("%s: %s/%s has relative error %g; expected %g or more", spec, accumulator, order, error, defeat);
}

static void assert_exact_in_all_orders(const char *spec, const char *accumulator)
{
    for (size_t o = 0; o < COUNT_OF(all_orders); o++)
        assert_exact(spec, accumulator, all_orders[o]);
}

static void assert_defeated_in_all_orders(const char *spec, const char *accumulator)
{
    for (size_t o = 0; o < COUNT_OF(all_orders); o++)
        assert_defeated(spec, accumulator, all_orders[o]);
}

#define assert_sum(spec, id, sum) assert_true(family_sum(spec, id) == (float)(sum))

/* ---- compensation_chain ---- */

/* One chain, M = 2^25: nothing but the 1 is lost, and nothing else is wrong. */
static void one_chain_at_the_least_ratio_loses_its_one(void **state)
{
    (void)state;
    assert_sum("compensation_chain:n=5,big=0x1p25", "neumaier/serial", 0);
    assert_sum("compensation_chain:n=5,big=0x1p25", "klein/serial", 1);
    assert_sum("compensation_chain:n=7,k=3,big=0x1p25", "klein/serial", 0);
    assert_true(family_exact("compensation_chain:n=11,k=5,big=0x1p25", NULL) == 1);
}

static void compensation_chain_defeats_binary64_beyond_its_width(void **state)
{
    (void)state;
    assert_exact("compensation_chain:n=4095,k=2,big=0x1p25", "binary64", "serial"); /* M^2 = 2^50 */
    assert_defeated("compensation_chain:n=4095,k=2,big=0x1p27", "binary64", "serial");
    assert_defeated("compensation_chain:n=4095,k=2,big=0x1p27", "binary64_kahan", "serial");
}

static void compensation_chain_refuses_what_overflows(void **state)
{
    (void)state;
    assert_family_refuses("compensation_chain:n=4095,k=5");
    assert_family_refuses("compensation_chain:n=4095,k=6");
    assert_true(isfinite(family_sum("compensation_chain:n=4095,k=4,order=descending", "plain/serial")));
}

/* ---- binary64_killer, demmel_hida ---- */

static void binary64_killer_is_exact_at_2_to_52_and_lost_at_2_to_54(void **state)
{
    (void)state;
    assert_exact_in_all_orders("binary64_killer:n=4096,big=0x1p52", "binary64");
    assert_sum("binary64_killer:n=4096,big=0x1p53", "binary64/serial", 0);
    assert_sum("binary64_killer:n=4096,big=0x1p54", "binary64/serial", 0);
    assert_defeated_in_all_orders("binary64_killer:n=4096,big=0x1p70", "binary64");
    assert_exact_in_all_orders("binary64_killer:n=4096,big=0x1p70", "neumaier");
    assert_sum("binary64_killer:n=4096,big=0x1p37", "kahan/serial", 0);
    assert_exact("binary64_killer:n=4096,big=0x1p24", "kahan", "serial");
}

/* 24 bits hold 2^10 numbers of 14 bits; the group for F = 23 has no more of them in a row. */
static void demmel_hida_fills_an_accumulator_of_24_bits(void **state)
{
    (void)state;
    assert_true(family_exact("demmel_hida:n=4096", NULL) == 2);
    assert_true(family_sum("demmel_hida:n=4096", "plain/serial") > 1024);
    assert_true(family_sum("demmel_hida:n=64Ki,f=12", "plain/serial") > 4 * 4096);
    assert_exact("demmel_hida:n=4096,F=23", "plain", "serial");
    assert_exact("demmel_hida:n=1024", "plain", "serial"); /* as the theorem says of fewer than 2^(F-f) */
    assert_exact("demmel_hida:n=4096", "binary64", "serial");
    assert_exact("demmel_hida:n=4096", "plain", "tree_two_pass");
}

static void demmel_hida_is_of_odd_numbers_of_one_exponent(void **state)
{
    struct dataset data = family_make("demmel_hida:n=4096,f=14");
    const float *x = data.x;
    (void)state;
    for (size_t i = 0; i < 4096; i++) {
        assert_true(fabs((double)x[i]) >= 0x1p13 && fabs((double)x[i]) < 0x1p14);
        assert_int_equal((int)x[i] % 2 != 0, 1);
    }
    dataset_free(&data);
}

static void demmel_hida_refuses_numbers_as_wide_as_the_accumulator(void **state)
{
    (void)state;
    assert_family_refuses("demmel_hida:n=4096,f=24,F=24");
    assert_true(isfinite(family_sum("demmel_hida:n=4096,f=23,F=24", "plain/serial")));
}

/* ---- fab ---- */

static void fab_gives_fabsum_0_and_spares_kahan(void **state)
{
    static const char *const methods[] = {"fabsum", "fabsum_32", "fabsum_512"};
    static const char *const specs[] = {"fab:n=64Ki", "fab:n=64Ki,block=32", "fab:n=64Ki,block=512"};
    (void)state;
    for (size_t k = 0; k < COUNT_OF(specs); k++) {
        char id[ID_TEXT];
        snprintf(id, sizeof id, "%s/serial", methods[k]);
        assert_sum(specs[k], id, 0);
        assert_exact_in_all_orders(specs[k], "kahan");
    }
    assert_sum("fab:n=64Ki", "fabsum/pairwise", 0);                    /* its base is a block */
    assert_true(family_error("fab:n=64Ki", "fabsum_32/serial") < 0.5); /* another block: part is kept */
    assert_true(family_exact("fab:n=64Ki", NULL) == 512 * 126);
}

/* ---- rfa ---- */

static double rfa_error(const char *accumulator, unsigned k, const char *order)
{
    char spec[SPEC_TEXT];
    snprintf(spec, sizeof spec, "rfa:n=1000,k=%u", k);
    return error_in(spec, accumulator, order);
}

static void rfa_is_lost_below_the_last_bin_in_every_order(void **state)
{
    static const struct {
        const char *accumulator;
        unsigned lost_from;
    } bins[] = {{"binned_3x13", 32}, {"binned", 50}, {"binned_4x20", 70}};
    (void)state;
    for (size_t b = 0; b < COUNT_OF(bins); b++)
        for (size_t o = 0; o < COUNT_OF(all_orders); o++)
            for (unsigned k = 20; k <= 126; k++)
                assert_true(rfa_error(bins[b].accumulator, k, all_orders[o]) == (k >= bins[b].lost_from ? 1 : 0));
}

/* Nothing cancels, and still no number but the first is counted. */
static void rfa_in_its_positive_form_leaves_the_first_number(void **state)
{
    (void)state;
    for (size_t o = 0; o < COUNT_OF(all_orders); o++) {
        assert_defeated("rfa:n=1Mi,k=26,form=positive", "binned_3x13", all_orders[o]);
        assert_true(error_in("rfa:n=1Mi,k=25,form=positive", "binned_3x13", all_orders[o]) < 0x1p-24);
        assert_true(error_in("rfa:n=1Mi,k=26,form=positive", "binned", all_orders[o]) < 0x1p-24);
    }
    assert_sum("rfa:n=1Mi,k=40,form=positive", "binned/serial", 0x1p110);
    assert_true(family_sum("rfa:n=1Mi,k=39,form=positive", "binned/serial") > 0x1p110f);
}

/* binary32 cannot represent 0.1: 0x1.99999ap-4 stands for it. */
static void ends_of_uniform_are_numbers_of_binary32(void **state)
{
    (void)state;
    struct dataset rounded = family_make("uniform:n=1000,low=0.1,high=0.3"),
                   exact = family_make("uniform:n=1000,low=0x1.99999ap-4,high=0x1.333334p-2"),
                   other = family_make("uniform:n=1000,low=0x1.99999cp-4,high=0x1.333334p-2");
    assert_memory_equal(rounded.x, exact.x, 1000 * sizeof(float));
    assert_memory_not_equal(rounded.x, other.x, 1000 * sizeof(float));
    dataset_free(&rounded);
    dataset_free(&exact);
    dataset_free(&other);
}

/* ---- tc ---- */

static void numbers_of_tc_are_rounded_to_nearest(void **state)
{
    (void)state;
    struct dataset data = family_make("tc:n=4096,format=e4m3,first=256");
    const float *x = data.x;
    uint64_t ones = 0, odd = 0;
    assert_true(x[0] == 256);
    for (int i = 1; i < 4096; i++) {
        assert_true(x[i] >= 0 && x[i] <= 1);
        ones += x[i] == 1;
        odd += x[i] != 0.0625f * floorf(16 * x[i]);
    }
    assert_true(ones > 64 && ones < 192); /* 1/32 of them: from 31/32 on */
    assert_true(odd > 1024);              /* half of those below 1/2: uniform numbers of e4m3 are multiples of 1/16 */
    dataset_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_chain_at_the_least_ratio_loses_its_one),
        cmocka_unit_test(compensation_chain_defeats_binary64_beyond_its_width),
        cmocka_unit_test(compensation_chain_refuses_what_overflows),
        cmocka_unit_test(binary64_killer_is_exact_at_2_to_52_and_lost_at_2_to_54),
        cmocka_unit_test(demmel_hida_fills_an_accumulator_of_24_bits),
        cmocka_unit_test(demmel_hida_is_of_odd_numbers_of_one_exponent),
        cmocka_unit_test(demmel_hida_refuses_numbers_as_wide_as_the_accumulator),
        cmocka_unit_test(fab_gives_fabsum_0_and_spares_kahan),
        cmocka_unit_test(rfa_is_lost_below_the_last_bin_in_every_order),
        cmocka_unit_test(rfa_in_its_positive_form_leaves_the_first_number),
        cmocka_unit_test(ends_of_uniform_are_numbers_of_binary32),
        cmocka_unit_test(numbers_of_tc_are_rounded_to_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
