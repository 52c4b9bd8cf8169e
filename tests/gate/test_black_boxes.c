/* What the sums of a black box are, of which nothing but the bits is known: each sentence provoked by sums that are
 * just that, and withheld where one bit of one sum is another. */
#include "src/gate/diagnosis/black_boxes.h"
#include "src/gate/diagnosis/diagnosis.h"
#include "src/gate/diagnosis/hypothesis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "tests/support/made_run.h"
#include "tests/support/plugin.h"

enum { TRIALS = 20 };
#define BOX_OF(count) .methods = {"mine/box"}, .trials = (count)
#define BOX BOX_OF(TRIALS)
static const char CANCELLING[] = "gensum:n=1003,cond=1e8";

static int add_box(void **state)
{
    (void)state;
    plugin_method("mine/box", loop_sum);
    plugin_method("dot:mine/box", loop_sum);
    static const char *const statistics[] = {"variance:mine/box", "sample_variance:mine/box", "std:mine/box",
                                             "mean:mine/box", "mean_weighted:mine/box"};
    for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++)
        plugin_method(statistics[i], loop_sum);
    return 0;
}

/* ---- what is said ---- */

static char *joined(const struct black_box_sentences *sentences)
{
    struct text text = {0};
    for (size_t i = 0; i < sentences->count; i++)
        text_append(&text, "%s%s", i > 0 ? "\n" : "", sentences->list[i]);
    return text_take(&text);
}

static char *said_within(uint64_t additions, struct run_recipe recipe)
{
    struct made_run *run = make_run(recipe);
    struct black_box_sentences sentences;
    assert_int_equal(diagnose_black_boxes(&run->results, additions, 1, &sentences), OK);
    char *said = joined(&sentences);
    black_box_sentences_free(&sentences);
    free_made_run(run);
    return said;
}

static char *said_of(struct run_recipe recipe)
{
    return said_within(BLACK_BOX_ADDITIONS, recipe);
}

static void assert_begins(char *said, const char *expected)
{
    if (strncmp(said, expected, strlen(expected)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", said, expected);
    free(said);
}

static void assert_said(struct run_recipe recipe, const char *expected)
{
    char *said = said_of(recipe);
    if (strcmp(said, expected) != 0)
        fail_msg("\"%s\" instead of \"%s\"", said, expected);
    free(said);
}

static void assert_not_said(struct run_recipe recipe, const char *words)
{
    char *said = said_of(recipe);
    if (strstr(said, words))
        fail_msg("\"%s\" has \"%s\"", said, words);
    free(said);
}

/* ---- sums ---- */

static float result_of(const struct hypothesis *hypothesis, const struct made_sum *call)
{
    const struct dataset data = {.format = &FORMAT_BINARY32, .x = (void *)(uintptr_t)call->x, .n = call->n};
    uint64_t bits;
    assert_int_equal(hypothesis_sum(hypothesis, &data, &bits), OK);
    return float_from_bits((uint32_t)bits);
}

static float sum_by(const char *id, const struct made_sum *call, struct launch launch)
{
    return result_of(&(struct hypothesis){.kind = OTHER_METHOD, .method = method_find(id), .launch = launch}, call);
}

static float sum_with_fault(const char *fault, const struct made_sum *call)
{
    return result_of(&(struct hypothesis){.kind = FAULT_OF_TABLE,
                                          .method = method_find("plain/pairwise_1"),
                                          .launch = call->launch,
                                          .fault = fault_find(fault)},
                     call);
}

static float pairwise(const struct made_sum *call)
{
    return sum_by("plain/pairwise_1", call, call->launch);
}

static float compensated(const struct made_sum *call)
{
    return sum_by("kahan/shuffle_two_pass", call, call->launch);
}

static float at_another_launch(const struct made_sum *call)
{
    return sum_by("plain/shuffle_two_pass", call, (struct launch){1, 128});
}

static float without_the_last(const struct made_sum *call)
{
    return sum_with_fault("drop_last", call);
}

static float with_partial_sums_of_bfloat16(const struct made_sum *call)
{
    return sum_with_fault("plain_bfloat16", call);
}

static float with_partial_sums_of_bfloat16_in_a_loop(const struct made_sum *call)
{
    double sum = 0;
    for (uint64_t i = 0; i < call->n; i++)
        sum = rounded_to((double)((float)sum + call->x[i]), &FORMAT_BFLOAT16);
    return (float)sum;
}

static float of_bfloat16(const struct made_sum *call)
{
    return sum_with_fault("inputs_bfloat16", call);
}

static float of_an_element_twice(const struct made_sum *call)
{
    return result_of(&(struct hypothesis){.kind = OTHER_DATA,
                                          .method = method_find("plain/pairwise_1"),
                                          .launch = call->launch,
                                          .change = {TWICE_AT_END, 731, 1}},
                     call);
}

/* Not by hypothesis_sum: the first 250 of 1003 numbers, times 1003/250; every 8th one, times 8. */
static float of_a_quarter(const struct made_sum *call)
{
    float sum = 0;
    for (uint64_t i = 0; i < call->n / 4; i++)
        sum += call->x[i];
    return (float)((double)sum * ((double)call->n / (double)(call->n / 4)));
}

static float of_one_in_eight(const struct made_sum *call)
{
    float sum = 0;
    for (uint64_t i = 0; i < call->n; i += 8)
        sum += call->x[i];
    return 8 * sum;
}

static float of_one_in_ten_exactly(const struct made_sum *call)
{
    double sum = 0;
    for (uint64_t i = 0; i < call->n; i += 10)
        sum += (double)call->x[i];
    return 10 * (float)sum;
}

/* Broken accumulators of somebody else. */
static float kahan_that_adds_its_correction(const struct made_sum *call)
{
    float sum = 0, excess = 0;
    for (uint64_t i = 0; i < call->n; i++) {
        const float y = call->x[i] + excess, t = sum + y;
        excess = (t - sum) - y;
        sum = t;
    }
    return sum;
}

static float kahan_that_is_reset(const struct made_sum *call)
{
    float sum = 0, excess = 0;
    for (uint64_t i = 0; i < call->n; i++) {
        if (i % 8 == 0)
            excess = 0;
        const float y = call->x[i] - excess, t = sum + y;
        excess = (t - sum) - y;
        sum = t;
    }
    return sum;
}

static float neumaier_that_subtracts_its_errors(const struct made_sum *call)
{
    float sum = 0, errors = 0;
    for (uint64_t i = 0; i < call->n; i++) {
        const float x = call->x[i], t = sum + x;
        errors += fabsf(sum) >= fabsf(x) ? (sum - t) + x : (x - t) + sum;
        sum = t;
    }
    return sum - errors;
}

static float kept_in_an_integer(const struct made_sum *call)
{
    int64_t sum = 0;
    for (uint64_t i = 0; i < call->n; i++)
        sum = (int64_t)((float)sum + call->x[i]);
    return (float)sum;
}

static float of_the_first_twice(const struct made_sum *call)
{
    float sum = call->x[0];
    for (uint64_t i = 0; i < call->n; i++)
        sum += call->x[i];
    return sum;
}

static float of_the_first_512(const struct made_sum *call)
{
    float sum = 0;
    for (uint64_t i = 0; i < 512; i++)
        sum += call->x[i];
    return sum;
}

/* Two accumulators in turn: that of the trial before the last is still there. */
static float not_cleared(const struct made_sum *call)
{
    static float sums[2];
    float *const sum = &sums[call->trial % 2];
    for (uint64_t i = 0; i < call->n; i++)
        *sum += call->x[i];
    return *sum;
}

static float of_every_third(const struct made_sum *call)
{
    float sum = 0;
    for (uint64_t i = 0; i < call->n; i++)
        sum += call->x[3 * i % call->n];
    return sum;
}

static float of_large_numbers(const struct made_sum *call)
{
    (void)call;
    return 0x1p100f;
}

static float zero(const struct made_sum *call)
{
    (void)call;
    return 0;
}

static float no_number(const struct made_sum *call)
{
    (void)call;
    return NAN;
}

/* As gcc -O3 -ffast-math adds in AVX: 8 chains, joined in halves, then the rest. */
static float of_a_vectorised_loop(const struct made_sum *call)
{
    float r[8] = {0}, sum;
    const uint64_t in_chains = call->n / 8 * 8;
    for (uint64_t i = 0; i < in_chains; i += 8)
        for (uint64_t k = 0; k < 8; k++)
            r[k] += call->x[i + k];
    sum = ((r[0] + r[4]) + (r[2] + r[6])) + ((r[1] + r[5]) + (r[3] + r[7]));
    for (uint64_t i = in_chains; i < call->n; i++)
        sum += call->x[i];
    return sum;
}

static float of_four_chains_in_binary64(const struct made_sum *call)
{
    double r[4] = {0};
    for (uint64_t i = 0; i < call->n; i++)
        r[i % 4] += (double)call->x[i];
    return (float)((r[0] + r[1]) + (r[2] + r[3]));
}

static float as_numpy(const struct made_sum *call)
{
    double *x = malloc(call->n * sizeof *x);
    assert_non_null(x);
    for (uint64_t i = 0; i < call->n; i++)
        x[i] = (double)call->x[i];
    const float sum = (float)numpy_sum(x, call->n);
    free(x);
    return sum;
}

static float constant(const struct made_sum *call)
{
    (void)call;
    return 0.25f;
}

static float the_one_before;

static float of_the_trial_before(const struct made_sum *call)
{
    const float sum = the_one_before;
    the_one_before = pairwise(call);
    return sum;
}

static float anything(const struct made_sum *call)
{
    return pairwise(call) * (1 + 0x1p-10f * (float)(call->trial % 7 + 1));
}

static float nearly_of_one_twice(const struct made_sum *call)
{
    return pairwise(call) + call->x[3] + 0x1p-13f * (float)(call->trial % 5 + 1);
}

/* ---- each with its twin ---- */

static float (*spoiled)(const struct made_sum *call);

/* The last bit of one sum is another. */
static float spoilt_once(const struct made_sum *call)
{
    const float sum = spoiled(call);
    return call->trial == 11 ? float_from_bits(float_bits(sum) ^ 1) : sum;
}

static const struct {
    float (*sum)(const struct made_sum *call);
    const char *says;
} rows[] = {
    {pairwise, "bit for bit plain/pairwise_1 on 20 of 20"},
    {compensated, "bit for bit kahan/shuffle_two_pass on 20 of 20"},
    {at_another_launch, "bit for bit plain/shuffle_two_pass at 1 x 128 on 20 of 20"},
    {without_the_last, "bit for bit plain/pairwise_1 in which the last element is left out, on 20 of 20"},
    {with_partial_sums_of_bfloat16,
     "bit for bit plain/pairwise_1 in which the sum is kept in bfloat16, by plain additions, on 20 of 20"},
    {of_bfloat16, "bit for bit plain/pairwise_1 in which the elements are rounded to bfloat16 first, on 20 of 20"},
    {of_an_element_twice, "bit for bit plain/pairwise_1 in which x_731 is added twice, on 20 of 20"},
    {of_a_quarter, "bit for bit plain/serial of the first 1/4 of the data, rescaled, on 20 of 20"},
    {of_one_in_eight, "bit for bit plain/serial of one element in 8, rescaled, on 20 of 20"},
    {of_one_in_ten_exactly, "bit for bit neumaier/serial of one element in 10, rescaled, on 20 of 20"},
    {of_a_vectorised_loop,
     "bit for bit additions in binary32 in 8 chains (x0 + x8 + ...), joined in halves, then the rest, on 20 of 20"},
    {as_numpy,
     "bit for bit additions in binary32 in blocks of up to 128, joined pairwise, and each in 8 chains (x0 + x8 + "
     "...), joined pairwise, then the rest, on 20 of 20"},
    {kahan_that_adds_its_correction,
     "bit for bit kahan/serial in which the correction is added where it should be subtracted, on 20 of 20"},
    {kahan_that_is_reset, "bit for bit kahan/serial in which the correction is reset every 8 additions, on 20 of 20"},
    {neumaier_that_subtracts_its_errors,
     "bit for bit neumaier/serial in which the rounding errors are subtracted from the result, on 20 of 20"},
    {kept_in_an_integer,
     "bit for bit plain/serial in which the sum is kept in an integer, by plain additions, on 20 of 20"},
    {of_the_first_twice, "bit for bit plain/serial in which x_0 is added twice, on 20 of 20"},
    {of_the_trial_before, "bit for bit plain/pairwise_1 of the data of the trial before, on 19 of 19"},
    {of_the_first_512, "bit for bit plain/serial in which the elements beyond the first 512 are left out, on 20 of 20"},
    {not_cleared, "bit for bit plain/serial in which the sum starts from the result of another trial, on 16 of 16"},
};

/* Other names may fit as well. */
static void what_is_known_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[200];
        const int length = snprintf(expected, sizeof expected, "mine/box: %s", rows[i].says);
        the_one_before = 0;
        char *said = said_of((struct run_recipe){BOX, .data = {CANCELLING}, .sum = rows[i].sum});
        if (strncmp(said, expected, (size_t)length) != 0 || (said[length] != '\0' && said[length] != ';'))
            fail_msg("\"%s\" instead of \"%s\"", said, expected);
        free(said);
    }
}

static void one_bit_of_one_sum_is_not_passed_over(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        spoiled = rows[i].sum;
        the_one_before = 0;
        assert_not_said((struct run_recipe){BOX, .data = {CANCELLING}, .sum = spoilt_once}, "on 20 of 20");
        the_one_before = 0;
        assert_not_said((struct run_recipe){BOX, .data = {CANCELLING}, .sum = spoilt_once}, "on 19 of 19");
        assert_not_said((struct run_recipe){BOX, .data = {CANCELLING}, .sum = spoilt_once}, "on 16 of 16");
    }
}

static void a_constant_is_told(void **state)
{
    (void)state;
    assert_said((struct run_recipe){BOX, .data = {CANCELLING}, .sum = constant},
                "mine/box on gensum:n=1003,cond=1e8: gives 0x1p-2, whatever the data, on 20 of 20");
    assert_said((struct run_recipe){BOX, .data = {CANCELLING}, .sum = of_large_numbers},
                "mine/box on gensum:n=1003,cond=1e8: gives 0x1p+100, whatever the data, on 20 of 20");
    assert_said((struct run_recipe){BOX, .data = {CANCELLING}, .sum = zero},
                "mine/box on gensum:n=1003,cond=1e8: gives 0x0p+0, whatever the data, on 20 of 20");
    assert_said((struct run_recipe){BOX, .data = {"uniform:n=100"}, .blocks = "120", .threads = "256", .sum = zero},
                "mine/box on uniform:n=100: gives 0x0p+0, whatever the data, on 20 of 20, or the elements are cut to "
                "integers, or the sum is kept in an integer, by plain additions");
    assert_begins(said_of((struct run_recipe){BOX, .data = {CANCELLING}, .sum = no_number}),
                  "mine/box on gensum:n=1003,cond=1e8: gives nan, whatever the data, on 20 of 20");
}

/* Sums that stand still at 256, whatever comes. */
static void a_sum_that_stagnates_is_no_constant(void **state)
{
    (void)state;
    char *said =
        said_of((struct run_recipe){BOX, .data = {"uniform:n=1000"}, .sum = with_partial_sums_of_bfloat16_in_a_loop});
    assert_ptr_equal(strstr(said, "mine/box: bit for bit plain/serial in which the sum is kept in bfloat16, by plain "
                                  "additions, on 20 of 20"),
                     said);
    free(said);
}

/* The twin: of data whose sums are one number. */
static void a_right_constant_is_no_cheat(void **state)
{
    (void)state;
    assert_not_said((struct run_recipe){BOX, .data = {"ones:n=100"}}, "whatever the data");
}

static void what_nothing_gives_is_none_of_all(void **state)
{
    (void)state;
    char *said = said_of((struct run_recipe){BOX, .data = {CANCELLING}, .sum = anything});
    assert_non_null(strstr(said, "mine/box on gensum:n=1003,cond=1e8: none of "));
    assert_non_null(strstr(said,
                           " gives these bits, nor does any element that is left out or added twice, nor a part of "
                           "the data, rescaled, nor the trial before"));
    free(said);
}

/* Few roundings are the same in most orders: 9 of 10 sums are those of another, or of a broken one.  A sum with a fault
 * that is another one once is told so. */
static void an_order_of_its_own_is_not_nearly_another(void **state)
{
    (void)state;
    assert_not_said((struct run_recipe){BOX_OF(10), .data = {"uniform:n=5"}, .sum = of_every_third},
                    "not on the others");
    spoiled = of_bfloat16;
    char *said = said_of((struct run_recipe){BOX, .data = {CANCELLING}, .sum = spoilt_once});
    assert_non_null(strstr(said, "rounded to bfloat16 first, on 19 of 20, not on the others"));
    free(said);
}

/* ---- what is denied ---- */

/* Sums that cancel to little have the roundings of larger ones. */
static void an_element_is_found_where_sums_cancel(void **state)
{
    (void)state;
    for (uint64_t trials = 8; trials <= 32; trials += 6) {
        char expected[120];
        snprintf(expected, sizeof expected,
                 "mine/box: bit for bit plain/serial in which x_0 is added twice, on %llu of %llu",
                 (unsigned long long)trials, (unsigned long long)trials);
        assert_begins(
            said_of((struct run_recipe){BOX_OF(trials), .data = {"normal:n=1001"}, .sum = of_the_first_twice}),
            expected);
    }
}

/* Its twin is a row of the table. */
static void three_data_sets_are_no_evidence_for_an_element(void **state)
{
    (void)state;
    assert_not_said((struct run_recipe){BOX_OF(3), .data = {CANCELLING}, .sum = of_an_element_twice}, "x_");
}

/* Of elements that are alike more than can be tried may be it; of one data set none is looked for, nor is there one
 * before it; where sums are long, not all is tried. */
static void only_what_was_tried_is_denied(void **state)
{
    static const char elements[] = "nor does any element", parts[] = "nor a part of the data",
                      before[] = "nor the trial before";
    (void)state;
    const struct {
        struct run_recipe recipe;
        uint64_t additions;
        bool elements, parts, before;
    } denials[] = {
        {{BOX, .data = {CANCELLING}, .sum = anything}, BLACK_BOX_ADDITIONS, true, true, true},
        {{BOX, .data = {"uniform:n=1003,low=1,high=1.00001"}, .sum = nearly_of_one_twice},
         BLACK_BOX_ADDITIONS,
         false,
         true,
         true},
        {{BOX_OF(1), .data = {"uniform:n=1003"}, .sum = anything}, BLACK_BOX_ADDITIONS, false, true, false},
        {{BOX, .data = {CANCELLING}, .sum = anything}, 1003 * 1000, true, false, false},
        {{BOX_OF(1), .data = {"uniform:n=1003"}, .sum = zero}, 1003 * 1000, false, false, false},
    };
    for (size_t i = 0; i < sizeof denials / sizeof *denials; i++) {
        char *said = said_within(denials[i].additions, denials[i].recipe);
        assert_non_null(strstr(said, ": none of "));
        assert_true((strstr(said, elements) != NULL) == denials[i].elements);
        assert_true((strstr(said, parts) != NULL) == denials[i].parts);
        assert_true((strstr(said, before) != NULL) == denials[i].before);
        assert_true((strstr(said, " more were not tried") != NULL) == (denials[i].additions < BLACK_BOX_ADDITIONS));
        free(said);
    }
}

/* ---- data on which many fit ---- */

static float flushed(float x)
{
    return fabsf(x) < 0x1p-126f ? 0 : x;
}

static float that_flushes(const struct made_sum *call)
{
    float sum = 0;
    for (uint64_t i = 0; i < call->n; i++)
        sum = flushed(sum + flushed(call->x[i]));
    return sum;
}

static float that_wraps(const struct made_sum *call)
{
    int8_t sum = 0;
    for (uint64_t i = 0; i < call->n; i++)
        sum = (int8_t)(sum + (int8_t)(int)call->x[i]);
    return (float)sum;
}

/* A flush before a result of 0, where both fit; its twin gives 0 where there is nothing to flush. */
static void the_more_special_of_many_is_named_first(void **state)
{
    (void)state;
    char *said = said_of((struct run_recipe){BOX, .data = {"subnormal:n=1003"}, .sum = that_flushes});
    assert_non_null(strstr(said, "subnormals are flushed to zero, or the result is 0, or "));
    assert_non_null(strstr(said, " more fit as well"));
    size_t alternatives = 0;
    for (const char *next = said; (next = strstr(next, ", or ")); next++)
        alternatives++;
    assert_int_equal(alternatives, 2);
    assert_begins(said, "mine/box: bit for bit plain/serial in which subnormals are flushed to zero, or ");
    assert_not_said((struct run_recipe){BOX, .data = {"uniform:n=1003"}, .sum = zero}, "flushed");
}

static void integers_that_wrap_around_are_named(void **state)
{
    (void)state;
    assert_begins(said_of((struct run_recipe){BOX, .data = {"integers:n=203"}, .sum = that_wraps}),
                  "mine/box: bit for bit integers with a sign that wrap around modulo 2^8, on 20 of 20");
}

/* As C has it: the sum is an int. */
static float that_adds_to_an_int(const struct made_sum *call)
{
    int sum = 0;
    for (uint64_t i = 0; i < call->n; i++)
        sum = (int)((float)sum + call->x[i]);
    return (float)sum;
}

static float that_saturates(const struct made_sum *call)
{
    int64_t sum = 0;
    for (uint64_t i = 0; i < call->n; i++) {
        sum += (int)call->x[i];
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    }
    return (float)sum;
}

static float that_wraps_in_32_bits(const struct made_sum *call)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < call->n; i++)
        sum += (uint32_t)(int)(call->x[i] * (call->y ? call->y[i] : 1));
    return (float)(int32_t)sum;
}

static float that_adds_in_a_long(const struct made_sum *call)
{
    int64_t sum = 0;
    for (uint64_t i = 0; i < call->n; i++)
        sum += (int64_t)call->x[i];
    return (float)sum;
}

/* In binary64 no fault has these bits. */
static void an_int_to_which_binary64_is_added_has_a_name(void **state)
{
    (void)state;
    struct hypotheses hypotheses = {0};
    const struct claimed_method claimed = {.method = method_find("plain/serial@binary64"), .launch = {1, 32}};
    const double x[] = {5, -0.5, 0.75, -7.5, 2147483647, 1};
    const struct dataset data = {.format = &FORMAT_BINARY64, .x = (void *)(uintptr_t)x, .n = sizeof x / sizeof *x};
    int sum = 0;
    for (size_t i = 0; i < data.n; i++)
        sum = (int)(sum + x[i]);
    assert_int_equal(hypotheses_in_integers(claimed, &hypotheses), OK);
    assert_int_equal(hypotheses.count, 4);
    for (size_t i = 0; i < hypotheses.count; i++) {
        const bool is_it = strcmp(hypotheses.list[i].method->accumulator, "int32_accumulate") == 0;
        struct text words = {0};
        uint64_t bits;
        assert_int_equal(hypothesis_sum(&hypotheses.list[i], &data, &bits), OK);
        assert_true((format_value(&FORMAT_BINARY64, bits) == sum) == is_it);
        hypothesis_say(&hypotheses.list[i], &words);
        char *said = text_take(&words);
        assert_true((strcmp(said, "int32_accumulate/serial@binary64, added to an int, as std::accumulate(x, x + n, 0): "
                                  "each sum is cut,") == 0) == is_it);
        free(said);
    }
    hypotheses_free(&hypotheses);
}

/* One bit of one sum takes the name away; and where integers are added right, numbers are named. */
static void sums_of_integers_are_named(void **state)
{
    (void)state;
    static const char far[] = "uniform:n=1003,low=-2e9,high=2e9", near[] = "uniform:n=1003,low=-9,high=10";
    static const struct {
        float (*sum)(const struct made_sum *call);
        const char *data, *says;
    } named[] = {
        {that_adds_to_an_int, near, /* a fault of the table, with the same bits */
         "plain/serial in which the sum is kept in an integer, by plain additions, on 20 of 20"},
        {that_saturates, far,
         "int32_saturate/serial, added in int32, saturating: each number is cut toward zero first, on 20 of 20"},
        {that_wraps_in_32_bits, far,
         "int32_wrap/serial, added in int32, wrapping: each number is cut toward zero first, on 20 of 20"},
        {that_adds_in_a_long, "uniform:n=2003,high=4e6",
         "int64_wrap/serial, added in int64, wrapping: each number is cut toward zero first, on 20 of 20"},
    };
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        char expected[200];
        snprintf(expected, sizeof expected, "mine/box: bit for bit %s", named[i].says);
        assert_begins(said_of((struct run_recipe){BOX, .data = {named[i].data}, .sum = named[i].sum}), expected);
        spoiled = named[i].sum;
        assert_not_said((struct run_recipe){BOX, .data = {named[i].data}, .sum = spoilt_once}, "on 20 of 20");
        assert_not_said((struct run_recipe){BOX, .data = {"integers:n=1003"}, .sum = named[i].sum}, "int32");
    }
    assert_begins(said_of((struct run_recipe){.methods = {"dot:mine/box"},
                                              .trials = TRIALS,
                                              .data = {"uniform:n=1003,low=-4e4,high=4e4::uniform:low=-4e4,high=4e4"},
                                              .sum = that_wraps_in_32_bits}),
                  "dot:mine/box: bit for bit dot:int32_wrap/serial, added in int32, wrapping");
}

/* ---- statistics ---- */

static float mean_of(const struct made_sum *call, uint64_t n)
{
    float sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += call->x[i];
    return sum / (float)call->n;
}

static float squared_offsets(const struct made_sum *call, float mean, uint64_t n)
{
    float sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        const float off = call->x[i] - mean, square = off * off;
        sum += square;
    }
    return sum;
}

static float variance_of_two_passes(const struct made_sum *call)
{
    return squared_offsets(call, mean_of(call, call->n), call->n) / (float)call->n;
}

static float variance_of_doubles(const struct made_sum *call)
{
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < call->n; i++)
        sum += (double)call->x[i];
    for (uint64_t i = 0; i < call->n; i++) {
        const double off = (double)call->x[i] - sum / (double)call->n, square = off * off;
        squares += square;
    }
    return (float)(squares / (double)call->n);
}

static float welford(const struct made_sum *call)
{
    float mean = 0, squares = 0;
    for (uint64_t i = 0; i < call->n; i++) {
        const float off = call->x[i] - mean;
        mean += off / (float)(i + 1);
        const float square = off * (call->x[i] - mean);
        squares += square;
    }
    return squares / (float)call->n;
}

static void statistics_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *method, *says;
        float (*sum)(const struct made_sum *call);
    } boxes[] = {
        {"variance:mine/box", "bit for bit variance.two_pass:plain/serial, computed as ", variance_of_two_passes},
        {"variance:mine/box", "bit for bit variance.welford:plain/serial, computed as ", welford},
    };
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        struct run_recipe recipe = {.methods = {boxes[i].method}, .trials = TRIALS, .data = {"normal:n=1003,mean=10"}};
        recipe.sum = boxes[i].sum;
        char *said = said_of(recipe);
        if (!strstr(said, boxes[i].says) || !strstr(said, "on 20 of 20"))
            fail_msg("\"%s\" does not say \"%s\"", said, boxes[i].says);
        free(said);
        spoiled = boxes[i].sum;
        recipe.sum = spoilt_once;
        said = said_of(recipe);
        if (strstr(said, "on 20 of 20"))
            fail_msg("\"%s\" of one that is spoilt", said);
        free(said);
    }
}

static void a_variance_in_a_wider_format_is_named(void **state)
{
    (void)state;
    struct run_recipe recipe = {.methods = {"variance:mine/box"}, .trials = TRIALS, .data = {"spread:n=203,kappa=1e5"}};
    recipe.sum = variance_of_doubles;
    assert_begins(said_of(recipe),
                  "variance:mine/box: correctly rounded, as is variance.two_pass:plain/serial@binary32_to_binary64, "
                  "computed as the sum of (x - m)^2, m the mean by sum_then_divide, all in binary64, then rounded to "
                  "binary32, on 20 of 20; ");
    recipe.sum = variance_of_two_passes;
    assert_not_said(recipe, "binary64");
    spoiled = variance_of_doubles;
    recipe.sum = spoilt_once;
    assert_not_said(recipe, "on 20 of 20");
}

static void one_process_is_simpler_than_many_ranks(void **state)
{
    (void)state;
    const struct hypothesis ranks = {.kind = OTHER_METHOD, .method = method_find("plain/ranks_nccl_tree")};
    const struct hypothesis one = {.kind = OTHER_METHOD, .method = method_find("plain/tree_two_pass")};
    assert_true(hypothesis_complexity(&one) < hypothesis_complexity(&ranks));
}

static void every_hypothesis_of_a_variance_has_a_result(void **state)
{
    (void)state;
    static const char *const formats[] = {"binary32", "binary64", "binary32_to_binary64", "bfloat16"};
    const double x[] = {5, -0.5, 0.75, -7.5, 2147483647, 1, 3, 4, 8};
    size_t moments = 0;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const struct sum_format *in = sum_format_find(formats[f]);
        char room[sizeof x];
        struct hypotheses hypotheses = {0};
        const struct dataset data = {.format = in->stored, .x = room, .n = sizeof x / sizeof *x};
        const struct claimed_method claimed = {.method = method_in(method_find("variance.two_pass:plain/serial"), in),
                                               .launch = {1, 32},
                                               .black_box = "mine/box"};
        for (size_t i = 0; i < data.n; i++)
            held_set(in->stored, room, i, rounded_to(x[i], in->stored));
        assert_int_equal(hypotheses_of_black_box(claimed, data.n, &hypotheses), OK);
        for (size_t i = 0; i < hypotheses.count; i++) {
            const struct hypothesis *hypothesis = &hypotheses.list[i];
            const bool has_moments =
                strstr(hypothesis->method->id, ".welford:") || strstr(hypothesis->method->id, ".chan:");
            uint64_t bits;
            assert_int_equal(hypothesis_sum(hypothesis, &data, &bits), OK);
            moments += has_moments;
        }
        hypotheses_free(&hypotheses);
    }
    assert_true(moments > 10);
}

/* ---- dot products ---- */

#define DOT .methods = {"dot:mine/box"}, .trials = TRIALS, .data = {"normal:n=1003::normal"}

static float dot_of(const struct made_sum *call, uint64_t from, const struct format *format)
{
    float sum = 0;
    for (uint64_t i = from; i < call->n; i++)
        sum += (float)rounded_to((double)call->x[i], format) * (float)rounded_to((double)call->y[i], format);
    return sum;
}

static float dot(const struct made_sum *call)
{
    return dot_of(call, 0, &FORMAT_BINARY32);
}

static float dot_without_the_first(const struct made_sum *call)
{
    return dot_of(call, 1, &FORMAT_BINARY32);
}

static float dot_in_bfloat16(const struct made_sum *call)
{
    return dot_of(call, 0, &FORMAT_BFLOAT16);
}

static float dot_fused(const struct made_sum *call)
{
    float sum = 0;
    for (uint64_t i = 0; i < call->n; i++)
        sum = fmaf(call->x[i], call->y[i], sum);
    return sum;
}

/* TwoProduct, each part added by itself. */
static float dot_of_products_and_errors(const struct made_sum *call)
{
    float sum = 0;
    for (uint64_t i = 0; i < call->n; i++) {
        const float product = call->x[i] * call->y[i];
        sum += product;
        sum += fmaf(call->x[i], call->y[i], -product);
    }
    return sum;
}

static float dot_with_one_twice(const struct made_sum *call)
{
    return dot(call) + call->x[417] * call->y[417];
}

/* Products of binary32 numbers are exact in binary64. */
static float dot_in_four_wide_chains(const struct made_sum *call)
{
    double r[4] = {0};
    for (uint64_t i = 0; i < call->n; i++)
        r[i % 4] += (double)call->x[i] * (double)call->y[i];
    return (float)((r[0] + r[1]) + (r[2] + r[3]));
}

static float dot_with_the_neighbour(const struct made_sum *call)
{
    float sum = 0;
    for (uint64_t i = 0; i < call->n; i++)
        sum += call->x[i] * call->y[(i + 1) % call->n];
    return sum;
}

static void dot_products_are_named_as_sums_are(void **state)
{
    (void)state;
    static const struct {
        float (*sum)(const struct made_sum *call);
        const char *says;
    } dots[] = {
        {dot, "bit for bit dot:plain/serial on 20 of 20"},
        {dot_fused, "bit for bit dot_fma:plain/serial on 20 of 20"},
        {dot_of_products_and_errors, "bit for bit dot_exact:plain/serial on 20 of 20"},
        {dot_without_the_first, "bit for bit dot:plain/serial in which the first element is left out, on 20 of 20"},
        {dot_in_bfloat16,
         "bit for bit dot:plain/serial in which the elements are rounded to bfloat16 first, on 20 of 20"},
        {dot_with_one_twice, "bit for bit dot:plain/serial in which x_417 is added twice, on 20 of 20"},
    };
    for (size_t i = 0; i < sizeof dots / sizeof *dots; i++) {
        char expected[200];
        snprintf(expected, sizeof expected, "dot:mine/box: %s", dots[i].says);
        assert_begins(said_of((struct run_recipe){DOT, .sum = dots[i].sum}), expected);
        spoiled = dots[i].sum;
        assert_not_said((struct run_recipe){DOT, .sum = spoilt_once}, "on 20 of 20");
    }
    assert_begins(said_of((struct run_recipe){.methods = {"dot:mine/box"},
                                              .trials = TRIALS,
                                              .data = {"gendot:n=1003,cond=1e20"},
                                              .sum = dot_in_four_wide_chains}),
                  "dot:mine/box: bit for bit additions in binary64 in 4 chains (x0 + x4 + ...), joined pairwise, on 20 "
                  "of 20");
    assert_begins(said_of((struct run_recipe){DOT, .sum = dot_with_the_neighbour}),
                  "dot:mine/box on normal:n=1003::normal: none of ");
}

/* ---- several series ---- */

/* However long another series is. */
static void short_sums_are_named_beside_long_ones(void **state)
{
    (void)state;
    char *said = said_within(UINT64_C(1) << 23, (struct run_recipe){BOX, .data = {"uniform:n=200000", "normal:n=200"},
                                                                    .trials_of = {2}, .sum = without_the_last});
    assert_begins(said, "mine/box: bit for bit plain/pairwise_1 in which the last element is left out, on 20 of 20");
}

static float exact(const struct made_sum *call)
{
    return sum_by("superacc/serial", call, call->launch);
}

static void names_that_fit_as_well_are_counted(void **state)
{
    (void)state;
    char *said = said_of((struct run_recipe){BOX, .data = {CANCELLING}, .sum = exact});
    assert_ptr_equal(strstr(said, "mine/box: correctly rounded, as is "), said);
    assert_non_null(strstr(said, " on 20 of 20; "));
    assert_non_null(strstr(said, " more fit as well"));
    free(said);
}

/* Three chains are none of those that are known. */
static double three_chains(const double *x, uint64_t n)
{
    float r[3] = {0};
    for (uint64_t i = 0; i < n; i++)
        r[i % 3] += (float)x[i];
    return (double)((r[0] + r[1]) + r[2]);
}

static float of_three_chains(const struct made_sum *call)
{
    float r[3] = {0};
    for (uint64_t i = 0; i < call->n; i++)
        r[i % 3] += call->x[i];
    return (r[0] + r[1]) + r[2];
}

static float dot_of_three_chains(const struct made_sum *call)
{
    float r[3] = {0};
    for (uint64_t i = 0; i < call->n; i++) {
        const float product = call->x[i] * call->y[i];
        r[i % 3] += product;
    }
    return (r[0] + r[1]) + r[2];
}

static void a_dot_product_has_an_order_of_its_own_too(void **state)
{
    (void)state;
    plugin_method("dot:mine/three", three_chains);
    const struct run_recipe recipe = {
        .methods = {"dot:mine/three"}, .trials = TRIALS, .data = {"normal:n=403::normal"}, .sum = dot_of_three_chains};
    assert_said(recipe,
                "dot:mine/three: bit for bit additions in binary32 in an order of its own, which `ulpscope tree "
                "--probe` draws, on 20 of 20");
    plugin_method("dot:mine/two", loop_sum); /* the twin: its tree is another */
    struct run_recipe twin = recipe;
    twin.methods[0] = "dot:mine/two";
    assert_not_said(twin, "order of its own");
}

/* A plug-in that is there is asked for its tree; the twin has its sums from elsewhere. */
static void an_order_of_its_own_is_seen(void **state)
{
    (void)state;
    plugin_method("mine/three", three_chains);
    assert_said(
        (struct run_recipe){
            .methods = {"mine/three"}, .trials = TRIALS, .data = {"gensum:n=403,cond=1e8"}, .sum = of_three_chains},
        "mine/three: bit for bit additions in binary32 in an order of its own, which `ulpscope tree --probe` draws, on "
        "20 of 20");
    assert_not_said((struct run_recipe){BOX, .data = {"gensum:n=403,cond=1e8"}, .sum = of_three_chains}, "bit for bit");
}

/* In binary64 data must be harder, for orders to differ. */
static void chains_in_binary64_are_seen(void **state)
{
    (void)state;
    char *said =
        said_of((struct run_recipe){BOX, .data = {"gensum:n=1003,cond=1e16"}, .sum = of_four_chains_in_binary64});
    assert_ptr_equal(strstr(said, "mine/box: bit for bit additions in binary64 in 4 chains (x0 + x4 + ...), joined "
                                  "pairwise, on 20 of 20"),
                     said);
    free(said);
}

static float pairwise_of_many(const struct made_sum *call)
{
    return call->n > 100 ? pairwise(call) : anything(call);
}

static void what_fits_all_series_is_said_once(void **state)
{
    (void)state;
    assert_said((struct run_recipe){BOX, .data = {"ones:n=64", CANCELLING, "uniform:n=500"}, .sum = pairwise},
                "mine/box: bit for bit plain/pairwise_1 on 41 of 41");
    char *said = said_of(
        (struct run_recipe){BOX, .data = {CANCELLING, "uniform:n=64", "uniform:n=500"}, .sum = pairwise_of_many});
    assert_ptr_equal(strstr(said, "mine/box: bit for bit plain/pairwise_1 on 40 of 40 (2 of 3 series)\n"
                                  "mine/box on uniform:n=64: none of "),
                     said);
    free(said);
}

static float one_end_or_the_other(const struct made_sum *call)
{
    return sum_with_fault(call->n > 500 ? "drop_last" : "drop_first", call);
}

static void what_fits_more_sums_of_as_many_series_is_said(void **state)
{
    (void)state;
    assert_begins(said_of((struct run_recipe){BOX, .data = {CANCELLING, "normal:n=200"}, .trials_of = {4, 20},
                                              .sum = one_end_or_the_other}),
                  "mine/box: bit for bit plain/pairwise_1 in which the first element is left out, on 20 of 20 (1 of 2 "
                  "series)");
}

/* The last that is tried. */
static void what_short_sums_do_not_need_is_for_long_ones(void **state)
{
    (void)state;
    the_one_before = 0;
    assert_begins(said_within(22000000, (struct run_recipe){BOX, .data = {"normal:n=2000", "normal:n=20"},
                                                            .sum = of_the_trial_before}),
                  "mine/box: bit for bit plain/pairwise_1 of the data of the trial before, on 38 of 38");
}

static void methods_of_ours_are_not_told(void **state)
{
    (void)state;
    assert_said(
        (struct run_recipe){.methods = {"plain/serial"}, .trials = TRIALS, .data = {CANCELLING}, .sum = pairwise}, "");
}

/* ---- a check of them ---- */

static void a_check_has_the_same_causes(void **state)
{
    (void)state;
    static struct rule impossible = {.method = (char *)"*",
                                     .data = (char *)"*",
                                     .metric = GATE_NONFINITE,
                                     .statistic = GATE_COUNT,
                                     .limit = {.kind = LIMIT_NUMBER, .number = -1, .text = (char *)"-1"},
                                     .line = 3};
    const struct limits limits = {.path = (char *)"limits.yaml", .rules = &impossible, .rule_count = 1};
    struct made_run *run =
        make_run((struct run_recipe){BOX, .data = {CANCELLING}, .sum = with_partial_sums_of_bfloat16});
    struct check check = {.results = &run->results, .limits = &limits, .today = {"2027-01-01"}};
    assert_int_equal(check_make(&check), OK);
    assert_int_equal(diagnose(&check, 1), OK);
    assert_string_equal(check.findings[0].cause,
                        "bit for bit plain/pairwise_1 in which the sum is kept in bfloat16, by "
                        "plain additions, on 20 of 20");
    check_free(&check);
    free_made_run(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_is_named),
        cmocka_unit_test(one_bit_of_one_sum_is_not_passed_over),
        cmocka_unit_test(a_constant_is_told),
        cmocka_unit_test(a_sum_that_stagnates_is_no_constant),
        cmocka_unit_test(a_right_constant_is_no_cheat),
        cmocka_unit_test(what_nothing_gives_is_none_of_all),
        cmocka_unit_test(an_element_is_found_where_sums_cancel),
        cmocka_unit_test(three_data_sets_are_no_evidence_for_an_element),
        cmocka_unit_test(only_what_was_tried_is_denied),
        cmocka_unit_test(the_more_special_of_many_is_named_first),
        cmocka_unit_test(integers_that_wrap_around_are_named),
        cmocka_unit_test(sums_of_integers_are_named),
        cmocka_unit_test(an_int_to_which_binary64_is_added_has_a_name),
        cmocka_unit_test(statistics_are_named),
        cmocka_unit_test(a_variance_in_a_wider_format_is_named),
        cmocka_unit_test(one_process_is_simpler_than_many_ranks),
        cmocka_unit_test(every_hypothesis_of_a_variance_has_a_result),
        cmocka_unit_test(dot_products_are_named_as_sums_are),
        cmocka_unit_test(short_sums_are_named_beside_long_ones),
        cmocka_unit_test(what_short_sums_do_not_need_is_for_long_ones),
        cmocka_unit_test(what_fits_more_sums_of_as_many_series_is_said),
        cmocka_unit_test(names_that_fit_as_well_are_counted),
        cmocka_unit_test(an_order_of_its_own_is_seen),
        cmocka_unit_test(a_dot_product_has_an_order_of_its_own_too),
        cmocka_unit_test(an_order_of_its_own_is_not_nearly_another),
        cmocka_unit_test(chains_in_binary64_are_seen),
        cmocka_unit_test(what_fits_all_series_is_said_once),
        cmocka_unit_test(methods_of_ours_are_not_told),
        cmocka_unit_test(a_check_has_the_same_causes),
    };
    return cmocka_run_group_tests(tests, add_box, NULL);
}
