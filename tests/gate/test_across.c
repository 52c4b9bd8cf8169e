/* Rules about axes: what each state of an axis makes of one, how it is written, and what the outputs show. */
#include "src/gate/check.h"

#include "src/base/fp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_check.h"
#include "tests/support/heard.h"

/* ---- one series, with axes that were varied by hand ---- */

static char none[] = "", four_bytes[] = "4 bytes", no_rows[] = "its kernels take no rows", died[] = "it died",
            command[] = "ulpscope run --across alignment";

static struct varied_axis varied(enum axis axis, uint64_t results)
{
    return (struct varied_axis){
        .method = "kahan/serial",
        .data = "uniform:n=1024",
        .format = &FORMAT_BINARY32,
        .backend = BACKEND_OF(replay),
        .launch = {120, 256},
        .axis = axis,
        .variants = 16,
        .results = results,
        .spread = results > 1 ? 2.5 : 0,
        .first = results > 1 ? four_bytes : none,
        .base = 0x3f800000,
        .bits = results > 1 ? 0x3f800003 : 0x3f800000,
        .why = none,
        .command = command,
    };
}

static struct varied_axis not_varied(enum axis axis, char *why)
{
    struct varied_axis found = varied(axis, 0);
    found.variants = 0;
    found.why = why;
    return found;
}

struct judged_rule {
    enum status status;
    enum verdict verdict;
    double value, limit;
    const struct varied_axis *varied;
    char said[512];
    struct heard heard;
};

/* What the rule across(repeat, alignment) says. */
static struct judged_rule judge(struct varied_axis *variations, size_t count, struct launch launch)
{
    struct method_record method = {.id = "kahan/serial", .determinism = DETERMINISTIC};
    struct launch launches[] = {{120, 256}, {7, 64}};
    struct series of = {.method = method.id,
                        .data = "uniform:n=1024",
                        .format = &FORMAT_BINARY32,
                        .backend = BACKEND_OF(replay),
                        .launch = launch,
                        .count = 10};
    struct rule about = {.method = "*",
                         .data = "*",
                         .metric = GATE_BITS,
                         .limit = {.kind = LIMIT_SAME_ACROSS,
                                   .axes = 1u << AXIS_repeat | 1u << AXIS_alignment,
                                   .text = "across(repeat, alignment)"},
                         .line = 4};
    const struct results results = {
        .study = {.methods = &method, .method_count = 1, .launches = launches, .launch_count = 2},
        .series = &of,
        .series_count = 1,
        .variations = variations,
        .variation_count = count};
    const struct limits limits = {.path = "limits.yaml", .rules = &about, .rule_count = 1};
    struct check check = {.results = &results, .limits = &limits, .today = {"2026-11-21"}};
    struct heard heard = listen_to_stderr();
    struct judged_rule judged = {.status = check_make(&check)};
    heard_all(&heard);
    assert_int_equal(check.count, 1);
    judged.verdict = check.findings[0].verdict;
    judged.value = check.findings[0].value;
    judged.limit = check.findings[0].limit;
    judged.varied = check.findings[0].varied;
    snprintf(judged.said, sizeof judged.said, "%s", check.findings[0].said);
    judged.heard = heard;
    check_free(&check);
    return judged;
}

static const struct launch usual = {120, 256};

static void the_same_bits_across_all_axes_of_the_rule_pass(void **state)
{
    (void)state;
    struct varied_axis variations[] = {varied(AXIS_repeat, 1), varied(AXIS_alignment, 1), varied(AXIS_batch, 5)};
    const struct judged_rule judged = judge(variations, 3, usual);
    assert_int_equal(judged.status, OK);
    assert_int_equal(judged.verdict, VERDICT_PASSED);
    assert_string_equal(judged.said, "bits: the same across(repeat, alignment)");
    assert_null(judged.varied);
}

/* The twin. */
static void other_bits_across_one_of_them_fail_with_the_witness(void **state)
{
    (void)state;
    struct varied_axis variations[] = {varied(AXIS_repeat, 1), varied(AXIS_alignment, 3)};
    const struct judged_rule judged = judge(variations, 2, usual);
    assert_int_equal(judged.status, OK);
    assert_int_equal(judged.verdict, VERDICT_FAILED);
    assert_true(judged.value == 2 && judged.limit == 0);
    assert_ptr_equal(judged.varied, &variations[1]);
    assert_string_equal(judged.said, "bits: 3 results across alignment, up to 2.50 ulp apart, first at 4 bytes: "
                                     "0x3f800003 in place of 0x3f800000; same bits as long as the alignment is fixed");
}

static void a_variant_that_failed_is_a_failure(void **state)
{
    (void)state;
    struct varied_axis variations[] = {varied(AXIS_repeat, 1), varied(AXIS_alignment, 1)};
    variations[1].why = died;
    const struct judged_rule judged = judge(variations, 2, usual);
    assert_int_equal(judged.verdict, VERDICT_FAILED);
    assert_string_equal(judged.said, "bits: alignment failed in part: it died");
}

/* No axis is to blame, and the bits are not the same. */
static void bits_that_change_from_call_to_call_are_a_failure(void **state)
{
    static char none_to_blame[] = AXIS_NONE_TO_BLAME;
    (void)state;
    struct varied_axis variations[] = {varied(AXIS_repeat, 1), varied(AXIS_alignment, 1)};
    variations[1].variants = 0;
    variations[1].why = none_to_blame;
    const struct judged_rule judged = judge(variations, 2, usual);
    assert_int_equal(judged.verdict, VERDICT_FAILED);
    assert_ptr_equal(judged.varied, &variations[1]);
    assert_string_equal(judged.said, "bits: alignment was not varied: " AXIS_NONE_TO_BLAME);
}

static void a_wrong_result_is_said_behind_the_witness(void **state)
{
    static char wrong[] = AXIS_WRONG "4 bytes has an error of 9 ulp, 2 times its bound";
    (void)state;
    struct varied_axis variations[] = {varied(AXIS_repeat, 1), varied(AXIS_alignment, 3)};
    variations[1].why = wrong;
    const struct judged_rule judged = judge(variations, 2, usual);
    assert_int_equal(judged.verdict, VERDICT_FAILED);
    assert_non_null(strstr(judged.said, "in place of 0x3f800000; wrong: 4 bytes has an error of 9 ulp, 2 times its "
                                        "bound; same bits as long as"));
}

static void what_could_not_be_varied_is_skipped_with_the_reason(void **state)
{
    (void)state;
    struct varied_axis variations[] = {varied(AXIS_repeat, 1), not_varied(AXIS_alignment, no_rows)};
    const struct judged_rule judged = judge(variations, 2, usual);
    assert_int_equal(judged.verdict, VERDICT_SKIPPED);
    assert_string_equal(judged.said, "alignment was not varied: its kernels take no rows");
    variations[0] = varied(AXIS_repeat, 2); /* the twin: what was varied fails nevertheless */
    assert_int_equal(judge(variations, 2, usual).verdict, VERDICT_FAILED);
}

static void a_run_that_did_not_vary_an_axis_makes_the_rule_idle(void **state)
{
    (void)state;
    struct varied_axis variations[] = {varied(AXIS_repeat, 1), varied(AXIS_alignment, 1)};
    const struct judged_rule judged = judge(variations, 1, usual);
    assert_int_equal(judged.status, BAD_INPUT);
    assert_int_equal(judged.verdict, VERDICT_SKIPPED);
    assert_string_equal(judged.said, "the run has not varied alignment; run the study with --across repeat,alignment");
    assert_non_null(
        strstr(judged.heard.text, "limits.yaml:4: the rule is about 1 series and can be compared with none"));
    assert_non_null(strstr(judged.heard.text, "--across repeat,alignment"));
    assert_int_equal(judge(variations, 2, usual).status, OK); /* the twin */
}

static void a_series_of_another_launch_is_skipped(void **state)
{
    (void)state;
    struct varied_axis variations[] = {varied(AXIS_repeat, 1), varied(AXIS_alignment, 1)};
    const struct judged_rule judged = judge(variations, 2, (struct launch){7, 64});
    assert_int_equal(judged.verdict, VERDICT_SKIPPED);
    assert_non_null(strstr(judged.said, "at the first launch"));
}

static void another_series_says_nothing(void **state)
{
    (void)state;
    struct varied_axis variations[] = {varied(AXIS_repeat, 1), varied(AXIS_alignment, 1), varied(AXIS_alignment, 2),
                                       varied(AXIS_alignment, 2), varied(AXIS_alignment, 2)};
    variations[2].method = "kahan/tree_two_pass";
    variations[3].data = "uniform:n=1025";
    variations[4].backend = BACKEND_OF(cuda);
    assert_int_equal(judge(variations, 5, usual).verdict, VERDICT_PASSED);
    variations[4].backend = BACKEND_OF(replay); /* the twin */
    assert_int_equal(judge(variations, 5, usual).verdict, VERDICT_FAILED);
}

/* ---- how it is written ---- */

static enum status read_rules(const char *rules, struct limits *limits, struct heard *heard)
{
    FILE *file = fopen(in_folder("limits.yaml"), "w");
    assert_non_null(file);
    fprintf(file, "schema: ulpscope-limits/1\nrules:\n%s", rules);
    assert_int_equal(fclose(file), 0);
    *heard = listen_to_stderr();
    const enum status status = limits_read(in_folder("limits.yaml"), limits);
    heard_all(heard);
    unlink(in_folder("limits.yaml"));
    return status;
}

#define RULE(demand) "  - {method: \"*\", data: \"*\", metric: bits, " demand "}\n"

static void a_rule_names_axes(void **state)
{
    (void)state;
    struct limits limits;
    struct heard heard;
    static const char rules[] =
        RULE("same: \"across(repeat, batch)\"") RULE("same: \"across(batch)\"") RULE("same: \"across(all)\"") RULE(
            "same: exact") "  - method: \"*\"\n    data: \"*\"\n    metric: bits\n    same: across(repeat,launch)\n";
    assert_int_equal(read_rules(rules, &limits, &heard), OK);
    assert_int_equal(limits.rule_count, 5);
    assert_int_equal(limits.rules[0].limit.kind, LIMIT_SAME_ACROSS);
    assert_int_equal(limits.rules[0].limit.axes, 1u << AXIS_repeat | 1u << AXIS_batch);
    assert_string_equal(limits.rules[0].limit.text, "across(repeat, batch)");
    assert_int_equal(limits.rules[1].limit.axes, 1u << AXIS_batch);
    assert_int_equal(limits.rules[2].limit.axes, (1u << AXES) - 1);
    assert_int_equal(limits.rules[3].limit.kind, LIMIT_SAME_EXACT);
    assert_int_equal(limits.rules[4].limit.axes, 1u << AXIS_repeat | 1u << AXIS_launch);
    limits_free(&limits);
}

static void what_is_no_rule_about_axes_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {RULE("same: across(repeat, batch)"), "write it in quotes"},
        {RULE("same: \"across()\""), "axis \"\" is unknown"},
        {RULE("same: \"across(row)\""), "axis \"row\" is unknown"},
        {RULE("same: \"across(batch\""), "expected axes in brackets"},
        {RULE("same: \"across(batch) or so\""), "expected axes in brackets"},
        {RULE("same: \"acros(batch)\""), "unknown same"},
        {"  - {method: \"*\", data: \"*\", metric: ulp_error, same: \"across(batch)\"}\n", "same is of bits"},
        {RULE("same: \"across(batch)\"") RULE("same: \"across(batch)\""), "remove one"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct limits limits;
        struct heard heard;
        if (read_rules(wrong[i][0], &limits, &heard) != BAD_INPUT)
            fail_msg("taken: %s", wrong[i][0]);
        if (!strstr(heard.text, wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0], heard.text);
        limits_free(&limits);
    }
}

/* ---- outputs ---- */

static void every_output_shows_the_witness(void **state)
{
    (void)state;
    struct made *made = begin("limits.yaml");
    struct varied_axis witness = varied(AXIS_alignment, 3);
    const struct rule *about =
        rule(made, (struct rule){.method = "*",
                                 .data = "*",
                                 .metric = GATE_BITS,
                                 .limit = {.kind = LIMIT_SAME_ACROSS, .text = "across(alignment)"}});
    char said[] = "bits: 3 results across alignment";
    find(made, (struct finding){.verdict = VERDICT_FAILED,
                                .rule = about,
                                .series = series(made, "kahan/serial", "uniform:n=1024"),
                                .value = 2,
                                .limit = 0,
                                .unit = "",
                                .said = said,
                                .varied = &witness});
    static const char *const outputs[] = {"terminal", "markdown", "json", "junit", "github"};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        char *text = written(outputs[i], made);
        if (!strstr(text, said) || !strstr(text, command))
            fail_msg("%s: %s", outputs[i], text);
        free(text);
    }
    char *json = written("json", made);
    assert_non_null(strstr(json, "\"axis\": \"alignment\""));
    assert_non_null(strstr(json, "\"first\": \"4 bytes\""));
    free(json);
    end(made);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bits_across_all_axes_of_the_rule_pass),
        cmocka_unit_test(other_bits_across_one_of_them_fail_with_the_witness),
        cmocka_unit_test(a_variant_that_failed_is_a_failure),
        cmocka_unit_test(bits_that_change_from_call_to_call_are_a_failure),
        cmocka_unit_test(a_wrong_result_is_said_behind_the_witness),
        cmocka_unit_test(what_could_not_be_varied_is_skipped_with_the_reason),
        cmocka_unit_test(a_run_that_did_not_vary_an_axis_makes_the_rule_idle),
        cmocka_unit_test(a_series_of_another_launch_is_skipped),
        cmocka_unit_test(another_series_says_nothing),
        cmocka_unit_test(a_rule_names_axes),
        cmocka_unit_test(what_is_no_rule_about_axes_is_refused),
        cmocka_unit_test(every_output_shows_the_witness),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
