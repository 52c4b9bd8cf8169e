/* What the sums of a failing series are: each sentence of src/gate/diagnosis/diagnosis.h, provoked by sums that are
 * just that, and withheld where one bit of one sum is another. */
#include "src/base/format.h"
#include "src/gate/diagnosis/diagnosis.h"
#include "src/gate/diagnosis/elements.h"
#include "src/gate/diagnosis/hypothesis.h"
#include "src/gate/fault.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/support/made_run.h"

/* ---- a check that every series fails, and what is said of the first ---- */

static struct rule impossible = {.method = (char *)"*",
                                 .data = (char *)"*",
                                 .metric = GATE_NONFINITE,
                                 .statistic = GATE_COUNT,
                                 .limit = {.kind = LIMIT_NUMBER, .number = -1, .text = (char *)"-1"},
                                 .line = 3};
static const struct limits impossible_limits = {.path = (char *)"limits.yaml", .rules = &impossible, .rule_count = 1};

static struct check check_of(const struct made_run *run)
{
    struct check check = {.results = &run->results, .limits = &impossible_limits, .today = {"2027-01-01"}};
    assert_int_equal(check_make(&check), OK);
    assert_int_equal(check.by[VERDICT_FAILED], run->results.series_count);
    return check;
}

enum { CAUSE_SIZE = 600 };

/* The cause of the first series of a run. */
struct cause {
    char text[CAUSE_SIZE];
};

static struct cause cause_in(const struct made_run *run, uint64_t additions, unsigned workers)
{
    struct cause cause;
    struct check check = check_of(run);
    assert_int_equal(diagnose_within(&check, additions, workers), OK);
    for (size_t i = 0; i < check.count; i++)
        assert_non_null(check.findings[i].cause);
    snprintf(cause.text, sizeof cause.text, "%s", check.findings[0].cause);
    check_free(&check);
    return cause;
}

static struct cause cause_of(struct run_recipe recipe)
{
    struct made_run *run = make_run(recipe);
    const struct cause cause = cause_in(run, DIAGNOSIS_ADDITIONS, 1);
    free_made_run(run);
    return cause;
}

#define assert_says(cause, expected) assert_string_equal((cause).text, expected)

static void assert_lacks(struct cause cause, const char *words)
{
    if (strstr(cause.text, words))
        fail_msg("\"%s\" is in: %s", words, cause.text);
}

static void assert_has(struct cause cause, const char *words)
{
    if (!strstr(cause.text, words))
        fail_msg("\"%s\" is not in: %s", words, cause.text);
}

/* ---- sums that are others ---- */

static float sum_of_method(const char *id, const struct made_sum *call)
{
    struct made_sum other = *call;
    other.method = method_find(id);
    assert_non_null(other.method);
    return sound_sum(&other);
}

static float plain_sum(const struct made_sum *call)
{
    return sum_of_method("plain/tree_two_pass", call);
}

static float serial_sum(const struct made_sum *call)
{
    return sum_of_method("kahan/serial", call);
}

static float plain_serial_sum(const struct made_sum *call)
{
    return sum_of_method("plain/serial", call);
}

static float klein_sum(const struct made_sum *call)
{
    return sum_of_method("klein/tree_two_pass", call);
}

static float plain_pairwise_sum(const struct made_sum *call)
{
    return sum_of_method("plain/pairwise", call);
}

static float sum_of_six_blocks(const struct made_sum *call)
{
    struct made_sum other = *call;
    other.launch.blocks--;
    return sound_sum(&other);
}

static float sum_with_fault(const char *id, const struct made_sum *call)
{
    uint64_t bits = 0;
    const struct fault *fault = fault_find(id);
    assert_non_null(fault);
    const struct fault_call broken = {call->method, operands_of_sum(&FORMAT_BINARY32, call->x, call->n), call->launch};
    assert_int_equal(fault->sum(fault, &broken, &bits), OK);
    return float_from_bits((uint32_t)bits);
}

static float sum_without_the_last(const struct made_sum *call)
{
    return sum_with_fault("drop_last", call);
}

static float sum_that_is_zero(const struct made_sum *call)
{
    return sum_with_fault("zero", call);
}

static float sum_that_is_nan(const struct made_sum *call)
{
    return sum_with_fault("nan", call);
}

static float sum_of_changed(const struct made_sum *call, struct change change)
{
    uint64_t bits = 0;
    const struct dataset data = {.format = &FORMAT_BINARY32, .x = (void *)call->x, .n = call->n};
    const struct hypothesis hypothesis = {
        .kind = OTHER_DATA, .method = call->method, .launch = call->launch, .change = change};
    assert_int_equal(hypothesis_sum(&hypothesis, &data, &bits), OK);
    return float_from_bits((uint32_t)bits);
}

static float sum_with_one_twice(const struct made_sum *call)
{
    return sum_of_changed(call, (struct change){TWICE_AT_END, 417, 1});
}

static float sum_with_one_doubled(const struct made_sum *call)
{
    return sum_of_changed(call, (struct change){TWICE_IN_PLACE, 417, 1});
}

static float sum_without_one(const struct made_sum *call)
{
    return sum_of_changed(call, (struct change){OUT_CLOSED_UP, 731, 1});
}

static float sum_without_64(const struct made_sum *call)
{
    return sum_of_changed(call, (struct change){OUT_AS_ZERO, 320, 64});
}

static float sum_without_32(const struct made_sum *call)
{
    return sum_of_changed(call, (struct change){OUT_AS_ZERO, 96, 32});
}

/* A number beside the sum, another one in each trial. */
static float sum_that_wanders(const struct made_sum *call)
{
    return sound_sum(call) + (float)(call->trial * call->trial % 7) + 3;
}

/* ---- what is said ---- */

#define KAHAN .methods = {"kahan/tree_two_pass"}
#define CANCELLING .data = {"gensum:n=1000,cond=1e6"}, .trials = 20
#define UNIFORM .data = {"uniform:n=1001"}, .trials = 20

static void compensation_without_effect_is_told(void **state)
{
    (void)state;
    const struct cause cause = cause_of((struct run_recipe){KAHAN, CANCELLING, .sum = plain_sum});
    assert_says(cause, "bit for bit plain/tree_two_pass on 20 of 20: the compensation has no effect");
}

/* Plain summation of one swamp is 2^24, and so is the result that went through a bfloat16. */
static void nothing_is_concluded_where_something_else_fits(void **state)
{
    (void)state;
    const struct cause cause = cause_of((struct run_recipe){
        .methods = {"kahan/serial"}, .data = {"swamp:n=1024"}, .trials = 1, .sum = plain_serial_sum});
    assert_has(cause, "bit for bit plain/serial on 1 of 1; ");
    assert_has(cause, " as well"); /* another accumulator may fit, too */
    assert_says(cause_of((struct run_recipe){
                    .methods = {"kahan/serial"}, .data = {"uniform:n=1024"}, .trials = 20, .sum = plain_serial_sum}),
                "bit for bit plain/serial on 20 of 20: the compensation has no effect");
}

static void binary64_without_effect_is_told(void **state)
{
    (void)state;
    assert_has(cause_of((struct run_recipe){.methods = {"binary64/tree_two_pass"}, CANCELLING, .sum = plain_sum}),
               "bit for bit plain/tree_two_pass on 20 of 20: binary64 has no effect");
}

static void another_order_is_told(void **state)
{
    (void)state;
    assert_says(
        cause_of((struct run_recipe){KAHAN, .data = {"gensum:n=1000,cond=1e12"}, .trials = 20, .sum = serial_sum}),
        "bit for bit kahan/serial on 20 of 20: it adds in another order");
}

static void another_accumulator_is_told(void **state)
{
    (void)state;
    assert_says(
        cause_of((struct run_recipe){KAHAN, .data = {"gensum:n=1000,cond=1e20"}, .trials = 20, .sum = klein_sum}),
        "bit for bit klein/tree_two_pass on 20 of 20");
    assert_says(cause_of((struct run_recipe){.methods = {"neumaier/tree_two_pass"}, /* behind klein, as kahan is not */
                                             .data = {"gensum:n=1000,cond=1e20"},
                                             .trials = 20,
                                             .sum = klein_sum}),
                "bit for bit klein/tree_two_pass on 20 of 20");
}

static void another_method_altogether_is_told(void **state)
{
    (void)state;
    assert_has(cause_of((struct run_recipe){KAHAN, CANCELLING, .sum = plain_pairwise_sum}),
               "bit for bit plain/pairwise on 20 of 20");
}

static float int32_sum(const struct made_sum *call)
{
    return sum_of_method("int32_wrap/tree_two_pass", call);
}

static void integers_are_told_last(void **state)
{
    (void)state;
    assert_says(cause_of((struct run_recipe){KAHAN, .data = {"uniform:n=1000,low=-2e9,high=2e9"}, .trials = 20,
                                             .sum = int32_sum}),
                "bit for bit int32_wrap/tree_two_pass, added in int32, wrapping: each number is cut toward zero first, "
                "on 20 of 20");
    assert_lacks(cause_of((struct run_recipe){KAHAN, .data = {"integers:n=1000"}, .trials = 20, .sum = int32_sum}),
                 "int32");
}

static void another_launch_is_told(void **state)
{
    (void)state;
    assert_says(cause_of((struct run_recipe){.methods = {"plain/tree_two_pass"}, CANCELLING, .sum = sum_of_six_blocks}),
                "bit for bit plain/tree_two_pass at 6 x 64 on 20 of 20: it ran with another launch");
}

static void faults_are_told(void **state)
{
    (void)state;
    static const struct {
        float (*sum)(const struct made_sum *call);
        const char *words;
    } rows[] = {
        {sum_without_the_last, "in which the last element is left out, or the elements beyond the last whole vector "
                               "of 4 are left out, on 20 of 20"},
        {sum_that_is_zero, "in which the result is 0, or the elements are cut to integers, or the sum is kept in an "
                           "integer, by plain additions, on 20 of 20"},
        {sum_that_is_nan, "in which the result is NaN, on 20 of 20"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct cause cause = cause_of((struct run_recipe){KAHAN, UNIFORM, .sum = rows[i].sum});
        assert_has(cause, "bit for bit kahan/tree_two_pass ");
        assert_has(cause, rows[i].words);
    }
}

static void elements_that_count_twice_or_not_at_all_are_found(void **state)
{
    (void)state;
    static const struct {
        float (*sum)(const struct made_sum *call);
        const char *words;
    } rows[] = {
        {sum_with_one_twice, "in which x_417 is added twice, on 20 of 20"},
        {sum_with_one_doubled, "in which x_417 is added twice, on 20 of 20"},
        {sum_without_one, "in which x_731 is left out, on 20 of 20"},
        {sum_without_64, "in which x_320 .. x_383 are left out, on 20 of 20"},
        {sum_without_32, "in which x_96 .. x_127 are left out, on 20 of 20"},
    };
    static const char *const methods[] = {"kahan/tree_two_pass", "plain/tree_two_pass"};
    for (size_t m = 0; m < 2; m++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            assert_has(cause_of((struct run_recipe){.methods = {methods[m]}, UNIFORM, .sum = rows[i].sum}),
                       rows[i].words);
}

/* Elements that differ by less than roundings do: some 60 of the 1,001 are as near as that in all data sets, and 8 are
 * tried. */
static void the_nearest_of_many_elements_is_found(void **state)
{
    (void)state;
    const struct run_recipe alike = {KAHAN, .data = {"uniform:n=1001,low=1,high=1.0005"}, .trials = 20,
                                     .sum = sum_without_one};
    assert_has(cause_of(alike), "in which x_731 is left out, on 20 of 20");
}

/* Among 1,000 numbers some are as large as any difference. */
static void one_data_set_is_no_evidence_for_an_element(void **state)
{
    (void)state;
    assert_lacks(cause_of((struct run_recipe){KAHAN, .data = {"harmonic:n=1000"}, .trials = 1, .sum = sum_without_one}),
                 "x_");
}

static void a_limit_that_is_too_tight_needs_no_fault(void **state)
{
    (void)state;
    const char *said = "kahan/tree_two_pass itself is this inaccurate, on 20 of 20; the limit is too tight for it";
    assert_says(cause_of((struct run_recipe){KAHAN, CANCELLING}), said);
    assert_says(cause_of((struct run_recipe){KAHAN, .data = {"integers:n=1000"}, .trials = 20}), said); /* as plain's */
}

/* A method whose own sums break its theorem, or are others than those of the baseline: its limit is not too tight.  No
 * other accumulator has kahan_two_sum's bits here. */
static void a_theorem_that_is_broken_is_no_tight_limit(void **state)
{
    (void)state;
    struct made_run *run = make_run((struct run_recipe){.methods = {"kahan_two_sum/tree_two_pass"}, CANCELLING});
    run->results.series[0].statistics[METRIC_bound_ratio].max = 1.5;
    assert_says(
        cause_in(run, DIAGNOSIS_ADDITIONS, 1),
        "this program's kahan_two_sum/tree_two_pass gives the same, on 20 of 20: it breaks its theorem, so it has a "
        "fault, and none of the known ones");
    run->results.series[0].statistics[METRIC_bound_ratio].max = 1; /* the twin */
    assert_has(cause_in(run, DIAGNOSIS_ADDITIONS, 1), "; the limit is too tight for it");
    free_made_run(run);
}

static void what_is_not_the_baselines_has_changed(void **state)
{
    (void)state;
    static const enum limit_kind kinds[] = {LIMIT_BASELINE, LIMIT_SAME_BASELINE, LIMIT_NUMBER, LIMIT_SAME_EXACT};
    static const char changed[] = "this program's kahan/tree_two_pass gives the same, on 20 of 20: it has changed "
                                  "since the baseline";
    struct made_run *run = make_run((struct run_recipe){.methods = {"kahan/tree_two_pass"}, CANCELLING});
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct check check = check_of(run);
        struct rule rule = impossible;
        rule.limit.kind = kinds[i];
        check.findings[0].rule = &rule;
        assert_int_equal(diagnose(&check, 1), OK);
        assert_true((strcmp(check.findings[0].cause, changed) == 0) == (i < 2));
        check_free(&check);
    }
    free_made_run(run);
}

static size_t deterministic_sums(void)
{
    size_t count, found = 0;
    const struct method *const *table = method_table(&count);
    for (size_t m = 0; m < count; m++)
        found += table[m]->role == SUMS && table[m]->replay && table[m]->determinism == DETERMINISTIC;
    assert_true(found >= 200);
    return found;
}

static void what_nothing_gives_is_none_of_all(void **state)
{
    (void)state;
    const struct cause cause = cause_of((struct run_recipe){KAHAN, CANCELLING, .sum = sum_that_wanders});
    size_t faults, methods;
    assert_int_equal(sscanf(cause.text, "none of %zu faults and %zu methods gives these bits, nor does any element",
                            &faults, &methods),
                     2);
    assert_in_range(faults, 20, 100);
    assert_int_equal(methods, deterministic_sums());
}

/* ---- the twins: one bit of one sum ---- */

static float (*spoiled)(const struct made_sum *call);
static uint64_t spoiled_trial;

static float sum_spoiled_once(const struct made_sum *call)
{
    const float sum = spoiled(call);
    return call->trial == spoiled_trial ? float_from_bits(float_bits(sum) ^ 1) : sum;
}

static void one_bit_of_one_sum_is_not_passed_over(void **state)
{
    (void)state;
    float (*const sums[])(const struct made_sum *call) = {sound_sum,
                                                          plain_sum,
                                                          serial_sum,
                                                          klein_sum,
                                                          plain_pairwise_sum,
                                                          sum_of_six_blocks,
                                                          sum_without_one,
                                                          sum_that_is_zero,
                                                          sum_without_the_last,
                                                          sum_with_one_twice,
                                                          sum_with_one_doubled,
                                                          sum_without_64};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        for (spoiled_trial = 0; spoiled_trial < 20; spoiled_trial += 19) {
            spoiled = sums[i];
            const struct cause cause = cause_of(
                (struct run_recipe){KAHAN, .data = {"gensum:n=1000,cond=1e12"}, .trials = 20, .sum = sum_spoiled_once});
            assert_lacks(cause, "on 20 of 20");
            assert_lacks(cause, "the limit is too tight");
        }
}

static void what_fits_nearly_all_is_told_as_that(void **state)
{
    (void)state;
    spoiled_trial = 11;
    spoiled = plain_sum;
    assert_has(cause_of((struct run_recipe){KAHAN, CANCELLING, .sum = sum_spoiled_once}),
               "bit for bit plain/tree_two_pass on 19 of 20, not on the others");
    spoiled = sound_sum;
    assert_has(cause_of((struct run_recipe){KAHAN, CANCELLING, .sum = sum_spoiled_once}),
               "kahan/tree_two_pass itself is this inaccurate, on 19 of 20, not on the others");
}

/* ---- kernels ---- */

static void kernels_are_compared_repeat_by_repeat(void **state)
{
    (void)state;
    assert_has(
        cause_of((struct run_recipe){KAHAN, CANCELLING, .backend = BACKEND_cuda, .repeats = 3, .sum = plain_sum}),
        "bit for bit plain/tree_two_pass on 60 of 60: the compensation has no effect");
}

static float plain_sum_but_the_last_repeat(const struct made_sum *call)
{
    return call->repeat == 2 ? sound_sum(call) : plain_sum(call);
}

static void a_repeat_that_differs_is_not_passed_over(void **state)
{
    (void)state;
    assert_lacks(cause_of((struct run_recipe){KAHAN, CANCELLING, .backend = BACKEND_cuda, .repeats = 3,
                                              .sum = plain_sum_but_the_last_repeat}),
                 "bit for bit");
}

static float no_sum(const struct made_sum *call)
{
    (void)call;
    return 0.25f;
}

static void what_has_no_order_is_not_diagnosed(void **state)
{
    (void)state;
    assert_says(cause_of((struct run_recipe){
                    .methods = {"cub/device_reduce"}, CANCELLING, .backend = BACKEND_cuda, .sum = no_sum}),
                "gives 0x1p-2, whatever the data, on 20 of 20");
    assert_says(cause_of((struct run_recipe){
                    .methods = {"plain/tree_atomic"}, CANCELLING, .backend = BACKEND_cuda, .sum = no_sum}),
                "not diagnosed: its order is that of arrival, and its bits may be other ones each time");
    assert_has(cause_of((struct run_recipe){.methods = {"plain/tree_atomic"}, CANCELLING}), "the limit is too tight");
}

/* ---- data that are not there ---- */

static void put_numbers(const char *path, const char *numbers)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(numbers, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void data_that_are_gone_or_others_are_told(void **state)
{
    (void)state;
    char path[] = "/tmp/ulpscope_diagnosis.XXXXXX.txt";
    const int file = mkstemps(path, 4);
    assert_true(file >= 0 && close(file) == 0);
    put_numbers(path, "1\n2\n4\n8\n");
    struct made_run *run =
        make_run((struct run_recipe){KAHAN, .data = {path}, .trials = 1, .sum = sum_without_the_last});
    assert_has(cause_in(run, DIAGNOSIS_ADDITIONS, 1), "in which the last element is left out, on 1 of 1");
    put_numbers(path, "1\n2\n4\n9\n");
    assert_has(cause_in(run, DIAGNOSIS_ADDITIONS, 1), "not diagnosed: the data are no longer those of the run: ");
    assert_int_equal(unlink(path), 0);
    assert_has(cause_in(run, DIAGNOSIS_ADDITIONS, 1), "not diagnosed: cannot read ");
    free_made_run(run);
}

static void files_are_read_as_the_run_read_them(void **state)
{
    (void)state;
    char path[] = "/tmp/ulpscope_diagnosis.XXXXXX.txt";
    const int file = mkstemps(path, 4);
    assert_true(file >= 0 && close(file) == 0);
    put_numbers(path, "1\nnan\n4\n8\n");
    for (int nonfinite = NONFINITE_IEEE; nonfinite <= NONFINITE_SKIP; nonfinite++)
        assert_says(
            cause_of((struct run_recipe){KAHAN, .data = {path}, .trials = 1, .nonfinite = (enum nonfinite)nonfinite}),
            "kahan/tree_two_pass itself is this inaccurate, on 1 of 1; the limit is too tight for it");
    assert_int_equal(unlink(path), 0);
}

/* ---- work and threads ---- */

static void little_work_compares_fewer_sums_and_says_so(void **state)
{
    (void)state;
    struct made_run *run =
        make_run((struct run_recipe){KAHAN, .data = {"gensum:n=1000,cond=1e6"}, .trials = 200, .sum = plain_sum});
    /* Of 200 sums 100 are for the method itself and some 70 for each hypothesis once; 50 for the few that are left. */
    size_t fitting, compared;
    const struct cause cause = cause_in(run, 220000, 1);
    assert_int_equal(
        sscanf(cause.text, "bit for bit plain/tree_two_pass on %zu of %zu compared, of 200", &fitting, &compared), 2);
    assert_int_equal(fitting, compared);
    assert_in_range(compared, 4, 20);
    assert_says(cause_in(run, 1999, 1), "not diagnosed: its sums are too long to be made again");
    assert_lacks(cause_in(run, DIAGNOSIS_ADDITIONS, 1), " compared, of 200");
    free_made_run(run);
    run = make_run((struct run_recipe){KAHAN, CANCELLING, .sum = sum_that_wanders});
    assert_has(cause_in(run, 50000, 1), "were not tried: its sums are too long");
    assert_lacks(cause_in(run, DIAGNOSIS_ADDITIONS, 1), "were not tried");
    free_made_run(run);
}

static void causes_do_not_depend_on_threads(void **state)
{
    (void)state;
    float (*const sums[])(const struct made_sum *call) = {plain_sum, sum_with_one_twice, sum_that_wanders};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        struct made_run *run = make_run((struct run_recipe){.methods = {"kahan/tree_two_pass", "neumaier/serial"},
                                                            .data = {"gensum:n=1000,cond=1e6", "uniform:n=500..1000*2"},
                                                            .trials = 12,
                                                            .sum = sums[i]});
        struct check one = check_of(run), five = check_of(run);
        assert_int_equal(diagnose_within(&one, 5000000, 1), OK);
        assert_int_equal(diagnose_within(&five, 5000000, 5), OK);
        for (size_t f = 0; f < one.count; f++)
            assert_string_equal(one.findings[f].cause, five.findings[f].cause);
        check_free(&one);
        check_free(&five);
        free_made_run(run);
    }
}

/* ---- which findings have a cause ---- */

static void only_series_that_fail_have_a_cause(void **state)
{
    (void)state;
    struct made_run *run =
        make_run((struct run_recipe){.methods = {"kahan/tree_two_pass", "plain/tree_two_pass"}, CANCELLING});
    struct rule rules[] = {impossible, impossible, impossible};
    rules[0].method = rules[1].method = (char *)"kahan*";
    rules[2].method = (char *)"plain*";
    rules[2].limit.number = INFINITY;
    const struct limits limits = {.path = (char *)"limits.yaml", .rules = rules, .rule_count = 3};
    struct check check = {.results = &run->results, .limits = &limits, .today = {"2027-01-01"}};
    assert_int_equal(check_make(&check), OK);
    assert_int_equal(diagnose(&check, 1), OK);
    assert_int_equal(check.count, 3);
    assert_string_equal(check.findings[0].cause, check.findings[1].cause);
    assert_int_equal(check.findings[2].verdict, VERDICT_PASSED);
    assert_null(check.findings[2].cause);
    check_free(&check);
    free_made_run(run);
}

/* ---- a program whose methods have the fault themselves ---- */

static struct probes probes;

static struct hypotheses accusations_of(const struct method *method)
{
    struct hypotheses accused = {0};
    struct elements elements;
    assert_int_equal(elements_ask((struct claimed_method){.method = method, .launch = {2, 32}}, 1001, &elements), OK);
    assert_int_equal(
        probes_accuse(&probes, (struct claimed_method){.method = method, .launch = {1, 32}}, &elements, &accused), OK);
    elements_free(&elements);
    return accused;
}

/* Of formats beside binary32 in two orders. */
static size_t assert_none_is_accused(const struct sum_format *format)
{
    size_t count, asked = 0;
    const struct method *const *table = method_table_of(format, &count);
    for (size_t i = 0; i < count; i++) {
        struct elements elements;
        const bool is_wanted = format == &sum_format_binary32 || strcmp(table[i]->order, "serial") == 0 ||
                               strcmp(table[i]->order, "tree_two_pass") == 0;
        if (table[i]->role != SUMS || !table[i]->replay || !is_wanted)
            continue;
        struct hypotheses accused = accusations_of(table[i]);
        assert_int_equal(elements_ask((struct claimed_method){.method = table[i], .launch = {2, 32}}, 1001, &elements),
                         OK);
        assert_true(elements.are_right);
        elements_free(&elements);
        for (size_t a = 0; a < accused.count; a++)
            print_message("%s: %s\n", table[i]->id, accused.list[a].fault ? accused.list[a].fault->id : "plain");
        assert_int_equal(accused.count, 0);
        asked++;
    }
    return asked;
}

static void no_method_of_this_program_is_accused(void **state)
{
    (void)state;
    size_t asked = 0;
    assert_int_equal(probes_make(&probes), OK);
    assert_true(assert_none_is_accused(&sum_format_binary32) > 200);
    for (int f = 1; f < SUM_FORMATS; f++)
        asked += assert_none_is_accused(sum_formats[f]);
    probes_free(&probes);
    assert_true(asked > 200);
}

static enum status sum_of_fault(const char *id, const struct operands *of, struct launch launch, uint64_t *bits)
{
    const struct fault *fault = fault_find(id);
    assert_non_null(fault);
    return fault->sum(fault, &(struct fault_call){method_find("kahan/tree_two_pass"), *of, launch}, bits);
}

#define REPLAY_WITH(fault)                                                                                             \
    static enum status replay_with_##fault(const struct method *self, const struct operands *of, struct launch launch, \
                                           unsigned workers, uint64_t *bits)                                           \
    {                                                                                                                  \
        (void)self, (void)workers;                                                                                     \
        return sum_of_fault(#fault, of, launch, bits);                                                                 \
    }
REPLAY_WITH(no_compensation)
REPLAY_WITH(kahan_unused)
REPLAY_WITH(kahan_merge_drops)
REPLAY_WITH(drop_tail_of_4)
REPLAY_WITH(zero)
REPLAY_WITH(result_bfloat16)

static void methods_that_have_a_fault_are_accused_of_it(void **state)
{
    (void)state;
    static const struct {
        enum status (*replay)(const struct method *self, const struct operands *of, struct launch launch,
                              unsigned workers, uint64_t *bits);
        const char *fault;
    } rows[] = {
        {replay_with_no_compensation, "no_compensation"},
        {replay_with_kahan_unused, "kahan_unused"},
        {replay_with_kahan_merge_drops, "kahan_merge_drops"},
        {replay_with_drop_tail_of_4, "drop_tail_of_4"},
        {replay_with_zero, "zero"},
        {replay_with_result_bfloat16, "result_bfloat16"},
    };
    assert_int_equal(probes_make(&probes), OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct method method = *method_find("kahan/tree_two_pass");
        method.replay = rows[i].replay;
        struct hypotheses accused = accusations_of(&method);
        bool named = false;
        for (size_t a = 0; a < accused.count; a++)
            named |= accused.list[a].fault && strcmp(accused.list[a].fault->id, rows[i].fault) == 0;
        if (!named)
            fail_msg("%s", rows[i].fault);
        hypotheses_free(&accused);
    }
    probes_free(&probes);
}

/* ---- elements that this program's own method leaves out ---- */

REPLAY_WITH(drop_first)
REPLAY_WITH(drop_last)
REPLAY_WITH(drop_half)
REPLAY_WITH(drop_block)
REPLAY_WITH(double_last)
REPLAY_WITH(start_from_one)
REPLAY_WITH(stale_sum)

static enum status replay_without_one(const struct method *self, const struct operands *of, struct launch launch,
                                      unsigned workers, uint64_t *bits)
{
    (void)self, (void)workers;
    const struct dataset data = {.format = of->format, .x = (void *)of->arrays[0], .n = of->shape.terms};
    return hypothesis_sum(&(struct hypothesis){.kind = OTHER_DATA,
                                               .method = method_find("kahan/tree_two_pass"),
                                               .launch = launch,
                                               .change = {OUT_CLOSED_UP, 731, 1}},
                          &data, bits);
}

/* Twice the number that nobody asked for: no fault of the table, and no element. */
static enum status replay_with_two_more(const struct method *self, const struct operands *of, struct launch launch,
                                        unsigned workers, uint64_t *bits)
{
    TRY(method_replay(method_find("kahan/tree_two_pass"), of, launch, workers, bits));
    *bits = format_bits(self->format, format_value(self->format, *bits) + 2);
    return OK;
}

/* From outside the fault that explains the integers, and of broken accumulators the 4 of kahan's that spoil them. */
static void expect_allowed(const struct elements *elements)
{
    size_t count, from_outside = 0, spoiling = 0;
    const struct fault *table = fault_table(&count);
    for (size_t f = 0; f < count; f++) {
        const bool is_allowed =
            elements_allow(elements, &(struct hypothesis){.kind = FAULT_OF_TABLE, .fault = &table[f]});
        from_outside += is_allowed && fault_is_from_outside(&table[f]);
        spoiling += is_allowed && table[f].broken;
        assert_true(!is_allowed || !fault_is_from_outside(&table[f]) || elements->explaining.list->fault == &table[f]);
    }
    assert_int_equal(from_outside, elements->explaining.list->kind == FAULT_OF_TABLE);
    assert_int_equal(spoiling, 4);
    assert_int_equal(elements->spoiling.count, 4);
}

static void elements_that_a_method_itself_leaves_out_or_counts_twice_are_named(void **state)
{
    (void)state;
    static const struct {
        enum status (*replay)(const struct method *self, const struct operands *of, struct launch launch,
                              unsigned workers, uint64_t *bits);
        const char *says;
    } rows[] = {
        {replay_with_drop_first, "the first element is left out"},
        {replay_with_drop_last, "the last element is left out"},
        {replay_with_drop_half, "the second half of the data is left out"},
        {replay_with_drop_block, "one block is left out"},
        {replay_with_double_last, "the last element is added twice"},
        {replay_with_start_from_one, "the sum starts from 1"},
        {replay_with_stale_sum, "the sum starts from that of the trial before, of the same data"},
        {replay_without_one, "x_731 is left out"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct method method = *method_find("kahan/tree_two_pass");
        struct elements elements;
        struct text said = {0};
        method.replay = rows[i].replay;
        assert_int_equal(elements_ask((struct claimed_method){.method = &method, .launch = {2, 32}}, 1001, &elements),
                         OK);
        assert_false(elements.are_right);
        assert_int_equal(elements.explaining.count, 1);
        hypothesis_say_fault(&elements.explaining.list[0], &said);
        char *words = text_take(&said);
        assert_string_equal(words, rows[i].says);
        free(words);
        expect_allowed(&elements);
        elements_free(&elements);
    }
}

static void what_no_element_explains_is_named_after_none(void **state)
{
    (void)state;
    struct method method = *method_find("kahan/tree_two_pass");
    struct elements elements;
    method.replay = replay_with_two_more;
    assert_int_equal(elements_ask((struct claimed_method){.method = &method, .launch = {2, 32}}, 1001, &elements), OK);
    assert_false(elements.are_right);
    assert_int_equal(elements.explaining.count, 0);
    elements_free(&elements);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compensation_without_effect_is_told),
        cmocka_unit_test(nothing_is_concluded_where_something_else_fits),
        cmocka_unit_test(binary64_without_effect_is_told),
        cmocka_unit_test(another_order_is_told),
        cmocka_unit_test(another_accumulator_is_told),
        cmocka_unit_test(another_method_altogether_is_told),
        cmocka_unit_test(integers_are_told_last),
        cmocka_unit_test(another_launch_is_told),
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(elements_that_count_twice_or_not_at_all_are_found),
        cmocka_unit_test(the_nearest_of_many_elements_is_found),
        cmocka_unit_test(one_data_set_is_no_evidence_for_an_element),
        cmocka_unit_test(a_limit_that_is_too_tight_needs_no_fault),
        cmocka_unit_test(a_theorem_that_is_broken_is_no_tight_limit),
        cmocka_unit_test(what_is_not_the_baselines_has_changed),
        cmocka_unit_test(what_nothing_gives_is_none_of_all),
        cmocka_unit_test(one_bit_of_one_sum_is_not_passed_over),
        cmocka_unit_test(what_fits_nearly_all_is_told_as_that),
        cmocka_unit_test(kernels_are_compared_repeat_by_repeat),
        cmocka_unit_test(a_repeat_that_differs_is_not_passed_over),
        cmocka_unit_test(what_has_no_order_is_not_diagnosed),
        cmocka_unit_test(data_that_are_gone_or_others_are_told),
        cmocka_unit_test(files_are_read_as_the_run_read_them),
        cmocka_unit_test(little_work_compares_fewer_sums_and_says_so),
        cmocka_unit_test(causes_do_not_depend_on_threads),
        cmocka_unit_test(only_series_that_fail_have_a_cause),
        cmocka_unit_test(no_method_of_this_program_is_accused),
        cmocka_unit_test(methods_that_have_a_fault_are_accused_of_it),
        cmocka_unit_test(elements_that_a_method_itself_leaves_out_or_counts_twice_are_named),
        cmocka_unit_test(what_no_element_explains_is_named_after_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
