/* How strong limits are: what tight ones kill, and loose ones let through. */
#include "src/gate/vacuity/vacuity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "tests/support/heard.h"
#include "tests/support/made_run.h"

/* ---- limits by hand ---- */

enum { RULES_MOST = 200 };

#define TEXT(text) ((char *)(text))

static const struct rule loose = {.method = (char *)"*",
                                  .data = (char *)"*",
                                  .metric = METRIC_relative_error,
                                  .limit = {.kind = LIMIT_NUMBER, .number = 1e9, .text = (char *)"1e9"},
                                  .line = 3};
static const struct rule by_theory = {.method = (char *)"*",
                                      .data = (char *)"*",
                                      .metric = METRIC_bound_ratio,
                                      .limit = {.kind = LIMIT_AUTO, .number = 1, .text = (char *)"auto"},
                                      .line = 4};
static const struct rule same_bits = {.method = (char *)"*",
                                      .data = (char *)"*",
                                      .metric = GATE_BITS,
                                      .limit = {.kind = LIMIT_SAME_BASELINE, .number = 0, .text = (char *)"baseline"},
                                      .line = 6};
static const struct rule impossible = {.method = (char *)"*",
                                       .data = (char *)"*",
                                       .metric = METRIC_ulp_error,
                                       .limit = {.kind = LIMIT_NUMBER, .number = -1, .text = (char *)"-1ulp"},
                                       .line = 7};

/* ---- a run, held to them ---- */

struct inquiry {
    struct made_run *run;
    struct rule rules[RULES_MOST];
    struct limits limits;
    struct baseline baseline;
    struct check check;
    struct vacuity vacuity;
};

static struct inquiry *begin(struct run_recipe recipe, const struct rule *rules, size_t count)
{
    struct inquiry *inquiry = calloc(1, sizeof *inquiry);
    assert_non_null(inquiry);
    assert_true(count <= RULES_MOST);
    inquiry->run = make_run(recipe);
    memcpy(inquiry->rules, rules, count * sizeof *rules);
    inquiry->limits = (struct limits){.path = TEXT("limits.yaml"), .rules = inquiry->rules, .rule_count = count};
    assert_int_equal(baseline_of(&inquiry->run->results, &inquiry->baseline), OK);
    inquiry->check = (struct check){.results = &inquiry->run->results,
                                    .limits = &inquiry->limits,
                                    .baseline = &inquiry->baseline,
                                    .today = {"2027-01-01"}};
    return inquiry;
}

static void run(struct inquiry *inquiry, unsigned workers)
{
    assert_int_equal(check_make(&inquiry->check), OK);
    assert_int_equal(vacuity_run(&inquiry->check, workers, true, &inquiry->vacuity), OK);
}

static struct inquiry *inquire(struct run_recipe recipe, const struct rule *rules, size_t count)
{
    struct inquiry *inquiry = begin(recipe, rules, count);
    run(inquiry, 1);
    return inquiry;
}

#define INQUIRE(recipe, ...)                                                                                           \
    inquire((recipe), (const struct rule[]){__VA_ARGS__},                                                              \
            sizeof((const struct rule[]){__VA_ARGS__}) / sizeof(struct rule))

static void end(struct inquiry *inquiry)
{
    vacuity_free(&inquiry->vacuity);
    check_free(&inquiry->check);
    baseline_free(&inquiry->baseline);
    free_made_run(inquiry->run);
    free(inquiry);
}

static const struct broken_sum *sum_of(const struct inquiry *inquiry, const char *fault, const char *method)
{
    for (size_t i = 0; i < inquiry->vacuity.count; i++)
        if (strcmp(inquiry->vacuity.sums[i].fault->id, fault) == 0 &&
            strcmp(inquiry->vacuity.sums[i].method, method) == 0)
            return &inquiry->vacuity.sums[i];
    return NULL;
}

static enum fate fate_of(const struct inquiry *inquiry, const char *fault)
{
    const struct broken_sum *sum = sum_of(inquiry, fault, "kahan/tree_two_pass");
    assert_non_null(sum);
    return sum->fate;
}

#define KAHAN .methods = {"kahan/tree_two_pass"}, .trials = 10

static const struct run_recipe smooth = {KAHAN, .data = {"uniform:n=1024"}};

/* ---- fates ---- */

/* Bits on data that show everything that these methods can have. */
static void tight_limits_kill_everything(void **state)
{
    (void)state;
    const struct run_recipe recipe = {
        .methods = {"kahan/tree_two_pass", "plain/serial", "binary64/tree_two_pass"},
        .trials = 5,
        .data = {"lognormal:n=4099,sigma=4", "subnormal:n=1001", "gensum:n=1003,cond=1e12", "swamp:n=4099"}};
    struct inquiry *inquiry = INQUIRE(recipe, same_bits);
    for (size_t i = 0; i < inquiry->vacuity.count; i++)
        if (inquiry->vacuity.sums[i].fate != FATE_KILLED)
            fail_msg("%s in %s: %s", inquiry->vacuity.sums[i].fault->id, inquiry->vacuity.sums[i].method,
                     fate_words[inquiry->vacuity.sums[i].fate]);
    assert_true(inquiry->vacuity.count > 70);
    assert_int_equal(inquiry->vacuity.by[FATE_KILLED], inquiry->vacuity.count);
    end(inquiry);
}

static void loose_limits_let_named_faults_survive(void **state)
{
    (void)state;
    struct inquiry *inquiry = INQUIRE(smooth, loose);
    assert_int_equal(fate_of(inquiry, "zero"), FATE_SURVIVED);
    assert_int_equal(fate_of(inquiry, "drop_last"), FATE_SURVIVED);
    assert_int_equal(fate_of(inquiry, "plain_binary16"), FATE_SURVIVED);
    assert_int_equal(fate_of(inquiry, "nan"), FATE_KILLED); /* NaN passes no comparison */
    end(inquiry);
    inquiry = INQUIRE(smooth, loose, by_theory); /* the twin */
    assert_int_equal(fate_of(inquiry, "zero"), FATE_KILLED);
    assert_int_equal(fate_of(inquiry, "drop_last"), FATE_KILLED);
    assert_int_equal(fate_of(inquiry, "plain_binary16"), FATE_KILLED);
    end(inquiry);
}

static void what_changes_no_bit_of_these_data_is_unseen(void **state)
{
    (void)state;
    struct inquiry *inquiry = INQUIRE(smooth, same_bits);
    assert_int_equal(fate_of(inquiry, "drop_tail_of_4"), FATE_UNSEEN);
    assert_int_equal(fate_of(inquiry, "flush_subnormals"), FATE_UNSEEN);
    assert_int_equal(fate_of(inquiry, "drop_last"), FATE_KILLED);
    end(inquiry);
    inquiry = INQUIRE(((struct run_recipe){KAHAN, .data = {"uniform:n=1023"}}), same_bits);
    assert_int_equal(fate_of(inquiry, "drop_tail_of_4"), FATE_KILLED);
    end(inquiry);
}

static void limits_that_the_method_fails_itself_judge_nothing(void **state)
{
    (void)state;
    struct inquiry *inquiry = INQUIRE(smooth, impossible);
    assert_int_equal(inquiry->vacuity.by[FATE_NOT_JUDGED], inquiry->vacuity.count);
    end(inquiry);
    inquiry = INQUIRE(smooth, impossible, by_theory);
    assert_int_equal(inquiry->vacuity.by[FATE_NOT_JUDGED], 0);
    assert_int_equal(fate_of(inquiry, "zero"), FATE_KILLED);
    assert_int_equal(sum_of(inquiry, "zero", "kahan/tree_two_pass")->killer->line, by_theory.line);
    end(inquiry);
    inquiry = INQUIRE(smooth, by_theory, impossible); /* nor does it take back what another rule says */
    assert_int_equal(fate_of(inquiry, "zero"), FATE_KILLED);
    end(inquiry);
}

static void methods_that_no_rule_is_about_are_not_judged(void **state)
{
    (void)state;
    struct rule about_plain = by_theory;
    about_plain.method = TEXT("plain/*");
    const struct run_recipe recipe = {
        .methods = {"kahan/tree_two_pass", "plain/tree_two_pass"}, .data = {"uniform:n=1024"}, .trials = 3};
    struct inquiry *inquiry = INQUIRE(recipe, about_plain);
    assert_int_equal(fate_of(inquiry, "zero"), FATE_NOT_JUDGED);
    assert_int_equal(sum_of(inquiry, "zero", "plain/tree_two_pass")->fate, FATE_KILLED);
    end(inquiry);
}

static void the_first_rule_that_fails_is_the_killer(void **state)
{
    (void)state;
    struct inquiry *inquiry = INQUIRE(smooth, loose, by_theory, same_bits);
    assert_ptr_equal(sum_of(inquiry, "zero", "kahan/tree_two_pass")->killer, &inquiry->rules[1]);
    assert_ptr_equal(sum_of(inquiry, "nan", "kahan/tree_two_pass")->killer, &inquiry->rules[0]);
    assert_null(sum_of(inquiry, "flush_subnormals", "kahan/tree_two_pass")->killer);
    end(inquiry);
}

static void series_that_kill_are_counted(void **state)
{
    (void)state;
    struct inquiry *inquiry = INQUIRE(
        ((struct run_recipe){KAHAN, .data = {"uniform:n=1022", "uniform:n=1024", "uniform:n=1025"}}), same_bits);
    assert_int_equal(sum_of(inquiry, "drop_tail_of_4", "kahan/tree_two_pass")->series, 3);
    assert_int_equal(sum_of(inquiry, "drop_tail_of_4", "kahan/tree_two_pass")->killed_series, 2);
    assert_int_equal(sum_of(inquiry, "zero", "kahan/tree_two_pass")->killed_series, 3);
    end(inquiry);
}

static void each_launch_is_a_series_of_its_own(void **state)
{
    (void)state;
    struct inquiry *inquiry =
        INQUIRE(((struct run_recipe){KAHAN, .data = {"uniform:n=1024"}, .threads = "32..64*2"}), same_bits);
    assert_int_equal(sum_of(inquiry, "zero", "kahan/tree_two_pass")->series, 2);
    assert_int_equal(sum_of(inquiry, "zero", "kahan/tree_two_pass")->killed_series, 2);
    end(inquiry);
}

/* 2^22 numbers are long. */
static void long_data_are_for_faults_that_short_ones_do_not_kill(void **state)
{
    (void)state;
    const struct run_recipe recipe = {KAHAN, .data = {"uniform:n=64Ki", "uniform:n=1023"}, .trials_of = {65, 5}};
    struct inquiry *inquiry = INQUIRE(recipe, by_theory);
    assert_int_equal(sum_of(inquiry, "zero", "kahan/tree_two_pass")->series, 1);
    assert_int_equal(sum_of(inquiry, "zero", "kahan/tree_two_pass")->killed_series, 1);
    assert_int_equal(sum_of(inquiry, "flush_subnormals", "kahan/tree_two_pass")->series, 2);
    assert_int_equal(fate_of(inquiry, "flush_subnormals"), FATE_UNSEEN);
    end(inquiry);
}

static void what_is_allowed_kills_nothing(void **state)
{
    (void)state;
    struct allowance allowance = {
        .method = TEXT("*"), .data = TEXT("*"), .metric = GATE_METRICS, .until = {"2027-02-01"}, .why = TEXT("test")};
    struct inquiry *inquiry = begin(smooth, &by_theory, 1);
    inquiry->limits.allowances = &allowance;
    inquiry->limits.allowance_count = 1;
    run(inquiry, 1);
    assert_int_equal(inquiry->vacuity.by[FATE_KILLED], 0);
    end(inquiry);
    allowance.until = (struct date){"2026-12-31"}; /* it has expired */
    inquiry = begin(smooth, &by_theory, 1);
    inquiry->limits.allowances = &allowance;
    inquiry->limits.allowance_count = 1;
    run(inquiry, 1);
    assert_int_equal(fate_of(inquiry, "zero"), FATE_KILLED);
    end(inquiry);
}

/* ---- runs of other kinds ---- */

static void kernels_are_judged_as_their_replays(void **state)
{
    (void)state;
    struct rule of_kernels = by_theory;
    of_kernels.backend = BACKEND_OF(cuda);
    struct inquiry *inquiry = INQUIRE(
        ((struct run_recipe){KAHAN, .data = {"uniform:n=1024"}, .backend = BACKEND_cuda, .repeats = 3}), of_kernels);
    assert_int_equal(fate_of(inquiry, "zero"), FATE_KILLED);
    assert_int_equal(fate_of(inquiry, "drop_tail_of_4"), FATE_UNSEEN);
    end(inquiry);
    inquiry = INQUIRE(((struct run_recipe){KAHAN, .data = {"uniform:n=1024"}, .backend = BACKEND_cuda, .repeats = 3}),
                      same_bits);
    assert_int_equal(fate_of(inquiry, "zero"), FATE_KILLED);
    assert_int_equal(fate_of(inquiry, "drop_tail_of_4"), FATE_UNSEEN); /* its rows have the repeats of the run */
    end(inquiry);
}

static float half(const struct made_sum *call)
{
    return call->method->replay ? sound_sum(call) : 0.5f;
}

static void black_boxes_are_left_out(void **state)
{
    (void)state;
    const struct run_recipe recipe = {.methods = {"cub/device_reduce", "kahan/tree_two_pass"},
                                      .data = {"uniform:n=1024"},
                                      .trials = 3,
                                      .backend = BACKEND_cuda,
                                      .sum = half};
    struct inquiry *inquiry = INQUIRE(recipe, loose, same_bits);
    assert_null(sum_of(inquiry, "zero", "cub/device_reduce"));
    assert_int_equal(fate_of(inquiry, "zero"), FATE_KILLED);
    end(inquiry);
}

/* The second of two series of one name, which has fewer sums, is the second line of that name. */
static void series_of_one_name_are_held_to_their_own_lines_of_the_baseline(void **state)
{
    (void)state;
    struct inquiry *inquiry = INQUIRE(
        ((struct run_recipe){KAHAN, .data = {"uniform:n=1024", "uniform:n=1024"}, .trials_of = {10, 5}}), same_bits);
    assert_int_equal(sum_of(inquiry, "zero", "kahan/tree_two_pass")->killed_series, 2);
    assert_int_equal(sum_of(inquiry, "flush_subnormals", "kahan/tree_two_pass")->killed_series, 0);
    end(inquiry);
}

static void fates_do_not_depend_on_threads(void **state)
{
    (void)state;
    const struct run_recipe recipe = {.methods = {"kahan/tree_two_pass", "plain/serial"},
                                      .data = {"uniform:n=64..1024*16", "gensum:n=100,cond=1e6"},
                                      .trials = 20};
    struct inquiry *one = begin(recipe, &by_theory, 1), *five = begin(recipe, &by_theory, 1);
    run(one, 1);
    run(five, 5);
    assert_int_equal(one->vacuity.count, five->vacuity.count);
    for (size_t i = 0; i < one->vacuity.count; i++) {
        const struct broken_sum *a = &one->vacuity.sums[i], *b = &five->vacuity.sums[i];
        assert_int_equal(a->fate, b->fate);
        assert_int_equal(a->killed_series, b->killed_series);
    }
    end(one);
    end(five);
}

/* Of a store that somebody changed: the tree needs a power of two. */
static void sums_of_a_launch_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct inquiry *inquiry = begin(smooth, &by_theory, 1);
    assert_int_equal(check_make(&inquiry->check), OK);
    inquiry->run->results.study.launches[0].threads = 1000;
    struct heard heard = listen_to_stderr();
    assert_int_equal(vacuity_run(&inquiry->check, 1, true, &inquiry->vacuity), BAD_INPUT);
    heard_all(&heard);
    assert_non_null(strstr(heard.text, "the run has sums of kahan/tree_two_pass at 7 x 1000, and 1000 threads"));
    vacuity_free(&inquiry->vacuity);
    inquiry->run->results.study.launches[0].threads = 64;
    assert_int_equal(vacuity_run(&inquiry->check, 1, true, &inquiry->vacuity), OK);
    end(inquiry);
}

static void data_that_are_gone_are_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/ulpscope_vacuity.XXXXXX.txt";
    const int file = mkstemps(path, 4);
    assert_true(file >= 0 && write(file, "1\n2\n4\n", 6) == 6 && close(file) == 0);
    struct inquiry *inquiry = begin((struct run_recipe){KAHAN, .data = {path}}, &by_theory, 1);
    assert_int_equal(check_make(&inquiry->check), OK);
    assert_int_equal(vacuity_run(&inquiry->check, 1, true, &inquiry->vacuity), OK);
    vacuity_free(&inquiry->vacuity);
    assert_int_equal(unlink(path), 0);
    struct heard heard = listen_to_stderr();
    const enum status status = vacuity_run(&inquiry->check, 1, true, &inquiry->vacuity);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    assert_non_null(strstr(heard.text, "cannot read "));
    end(inquiry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tight_limits_kill_everything),
        cmocka_unit_test(loose_limits_let_named_faults_survive),
        cmocka_unit_test(what_changes_no_bit_of_these_data_is_unseen),
        cmocka_unit_test(limits_that_the_method_fails_itself_judge_nothing),
        cmocka_unit_test(methods_that_no_rule_is_about_are_not_judged),
        cmocka_unit_test(the_first_rule_that_fails_is_the_killer),
        cmocka_unit_test(series_that_kill_are_counted),
        cmocka_unit_test(each_launch_is_a_series_of_its_own),
        cmocka_unit_test(long_data_are_for_faults_that_short_ones_do_not_kill),
        cmocka_unit_test(what_is_allowed_kills_nothing),
        cmocka_unit_test(kernels_are_judged_as_their_replays),
        cmocka_unit_test(black_boxes_are_left_out),
        cmocka_unit_test(series_of_one_name_are_held_to_their_own_lines_of_the_baseline),
        cmocka_unit_test(fates_do_not_depend_on_threads),
        cmocka_unit_test(sums_of_a_launch_that_cannot_be_are_refused),
        cmocka_unit_test(data_that_are_gone_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
