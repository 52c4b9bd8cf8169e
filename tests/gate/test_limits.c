/* Limits: every form of a rule, with a twin that is refused; files that are none; and a file with a spoilt byte. */
#include "src/gate/limits/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/heard.h"
#include "tests/support/own_folder.h"

enum { WORDS_MOST = 4 };

static const char path[] = "limits.yaml";

static int memory; /* what `path` leads to: thousands of files are written here, and no disk is to wait for */

static int enter_folder_in_memory(void **state)
{
    char target[32];
    memory = memfd_create(path, 0);
    snprintf(target, sizeof target, "/proc/self/fd/%d", memory);
    return memory >= 0 && enter_folder(state) == 0 && symlink(target, path) == 0 ? 0 : -1;
}

static int leave_folder_in_memory(void **state)
{
    remove(path);
    return leave_folder(state);
}

static void put_bytes(const char *bytes, size_t size)
{
    assert_int_equal(ftruncate(memory, 0), 0);
    assert_int_equal(pwrite(memory, bytes, size, 0), size);
}

static enum status read_text(const char *text, struct limits *limits)
{
    put_bytes(text, strlen(text));
    return limits_read(path, limits);
}

/* A file that is fine; a complaint is shown. */
static struct limits limits_of(const char *text)
{
    struct limits limits;
    if (read_text(text, &limits) != OK)
        fail_msg("refused: %s", text);
    return limits;
}

#define SCHEMA "schema: ulpscope-limits/1\n"
#define ALL "method: \"*\", data: \"*\", "
#define RULES(rules) SCHEMA "rules:\n" rules
#define RULE(inside) "  - {" inside "}\n"
#define FINE RULES(RULE(ALL "metric: bound_ratio, limit: auto"))

/* ---- one limit ---- */

/* A limit, and one of the same metric and statistic that is refused, and why. */
struct limit_case {
    int metric;
    enum gate_statistic statistic;
    const char *text;
    enum limit_kind kind;
    double number;
    const char *twin, *words;
};

#define U 0x1p-24

static const struct limit_case limit_cases[] = {
    {METRIC_ulp_error, GATE_MAX, "1.5ulp", LIMIT_NUMBER, 1.5, "1.5ulps", "unknown unit \"ulps\""},
    {METRIC_ulp_error, GATE_MAX, "1.5 ulp", LIMIT_NUMBER, 1.5, "1.5 ulq", "did you mean \"ulp\"?"},
    {METRIC_ulp_error, GATE_MAX, "2", LIMIT_NUMBER, 2, "2u", "(u: relative_error, backward_error"},
    {METRIC_ulp_error, GATE_MAX, "0x1.8p+0", LIMIT_NUMBER, 1.5, "0x1.8p+2000", "is outside binary64"},
    {METRIC_ulp_error, GATE_MAX, "0x1.8p+0ulp", LIMIT_NUMBER, 1.5, "0x", "unknown unit \"x\""},
    {METRIC_ulp_error, GATE_MAX, "0.5ulp", LIMIT_NUMBER, 0.5, "0.49ulp", "{metric: bits, same: exact}"},
    {METRIC_ulp_error, GATE_MAX, "1e3ulp", LIMIT_NUMBER, 1000, "1e999ulp", "is outside binary64"},
    {METRIC_ulp_error, GATE_P99, "0.5ulp", LIMIT_NUMBER, 0.5, "0.25ulp", "is below half an ulp"},
    {METRIC_ulp_error, GATE_P50, "0.25ulp", LIMIT_NUMBER, 0.25, "0ulp", "is 0, which one rounding exceeds"},
    {METRIC_ulp_error, GATE_MEAN, "0.3", LIMIT_NUMBER, 0.3, "-0.3", "is negative"},
    {METRIC_ulp_error, GATE_MAX, "auto", LIMIT_AUTO, 1, "Auto", "did you mean \"auto\"?"},
    {METRIC_ulp_error, GATE_P99, "auto:pairwise", LIMIT_AUTO, 1, "auto:pairwize", "did you mean \"pairwise\"?"},
    {METRIC_bound_ratio, GATE_MAX, "auto:chains=8", LIMIT_AUTO, 1, "auto:chains", "has no whole number from 1 on"},
    {GATE_SPREAD, GATE_MAX, "auto", LIMIT_AUTO, 1, "auto:pairwise", "has a tree, which bounds errors"},
    {METRIC_ulp_error, GATE_MAX, "bound", LIMIT_BOUND, 1, "bounds", "did you mean \"bound\"?"},
    {METRIC_ulp_error, GATE_P50, "bound*0.5", LIMIT_BOUND, 0.5, "bound*1.5", "gates nothing"},
    {METRIC_ulp_error, GATE_P99, "bound * 0x1p-1", LIMIT_BOUND, 0.5, "bound *", "has \"*\" after bound"},
    {METRIC_ulp_error, GATE_MEAN, "bound*1", LIMIT_BOUND, 1, "bound*0", "X above 0"},
    {METRIC_ulp_error, GATE_MAX, "baseline", LIMIT_BASELINE, 1, "basline", "did you mean \"baseline\"?"},
    {METRIC_ulp_error, GATE_MAX, "baseline*1.1", LIMIT_BASELINE, 1.1, "baseline+1.1", "has \"+1.1\" after baseline"},
    {METRIC_ulp_error, GATE_MAX, "baseline * 2", LIMIT_BASELINE, 2, "baseline*2ulp", "without unit"},
    {METRIC_ulp_error, GATE_P50, "baseline*1", LIMIT_BASELINE, 1, "1.1*baseline", "baseline*X"},
    {METRIC_ulp_error, GATE_MEAN, "baseline*.9", LIMIT_BASELINE, 0.9, "baseline*-1", "X above 0"},
    {METRIC_relative_error, GATE_MAX, "4u", LIMIT_NUMBER, 4 * U, "4ulp", "(ulp: ulp_error, "},
    {METRIC_relative_error, GATE_MAX, "1u", LIMIT_NUMBER, U, "0.99u", "expected at least 1u"},
    {METRIC_relative_error, GATE_P99, "0x1p-53", LIMIT_NUMBER, 0x1p-53, "0x1.fffffep-54", "is below half an ulp"},
    {METRIC_relative_error, GATE_MAX, "0.1%", LIMIT_NUMBER, 0.001, "0.1percent", "unknown unit \"percent\""},
    {METRIC_relative_error, GATE_MAX, "0x1p-20", LIMIT_NUMBER, 0x1p-20, "0x1p-2000", "is below binary64"},
    {METRIC_relative_error, GATE_P50, "0x1p-30", LIMIT_NUMBER, 0x1p-30, "1e-999", "is below binary64"},
    {METRIC_relative_error, GATE_MEAN, "1e-9", LIMIT_NUMBER, 1e-9, "1e-9 %%", "unknown unit \"%%\""},
    {METRIC_relative_error, GATE_MAX, "1e-6", LIMIT_NUMBER, 1e-6, "1e-6abs", "other metrics (abs: backward_error)"},
    {METRIC_backward_error, GATE_MAX, "1e-6abs", LIMIT_NUMBER, 1e-6, "exact", "{metric: bits, same: exact}"},
    {METRIC_relative_error, GATE_MAX, "auto", LIMIT_AUTO, 1, "auto*2", "write bound*X"},
    {METRIC_relative_error, GATE_MAX, "bound*0.1", LIMIT_BOUND, 0.1, "bound*1e999", "X above 0"},
    {METRIC_relative_error, GATE_MAX, "baseline*1.5", LIMIT_BASELINE, 1.5, "baseline*nan", "X above 0"},
    {METRIC_backward_error, GATE_MAX, "2u", LIMIT_NUMBER, 2 * U, "2ulp", "(ulp: ulp_error, "},
    {METRIC_backward_error, GATE_MAX, "1e-10", LIMIT_NUMBER, 1e-10, "0", "is 0"},
    {METRIC_backward_error, GATE_P99, "50%", LIMIT_NUMBER, 0.5, "-50%", "is negative"},
    {METRIC_backward_error, GATE_MAX, "auto", LIMIT_AUTO, 1, "automatic", "expected a number like 4u"},
    {METRIC_bound_ratio, GATE_MAX, "1", LIMIT_NUMBER, 1, "1.0001", "theory forbids a ratio above 1"},
    {METRIC_bound_ratio, GATE_P99, "50%", LIMIT_NUMBER, 0.5, "101%", "theory forbids"},
    {METRIC_bound_ratio, GATE_P50, "0.25", LIMIT_NUMBER, 0.25, "0.25u", "(u: relative_error, backward_error"},
    {METRIC_bound_ratio, GATE_MEAN, "100%", LIMIT_NUMBER, 1, "0%", "is 0"},
    {METRIC_bound_ratio, GATE_MAX, "auto", LIMIT_AUTO, 1, "bound*0.5", "write limit: X"},
    {METRIC_bound_ratio, GATE_MAX, "baseline*1.1", LIMIT_BASELINE, 1.1, "bound", "write limit: X"},
    {GATE_SPREAD, GATE_MAX, "64ulp", LIMIT_NUMBER, 64, "64%", "(%: relative_error, backward_error, bound_ratio"},
    {GATE_SPREAD, GATE_MAX, "0", LIMIT_NUMBER, 0, "-0", "is negative"},
    {GATE_SPREAD, GATE_MAX, "0.5", LIMIT_NUMBER, 0.5, "0.49", "expected at least 0.5ulp, or 0"},
    {GATE_SPREAD, GATE_MAX, "auto", LIMIT_AUTO, 1, "nan", "is neither a number"},
    {GATE_SPREAD, GATE_MAX, "bound*0.5", LIMIT_BOUND, 0.5, "bound*2", "gates nothing"},
    {GATE_SPREAD, GATE_MAX, "baseline*2", LIMIT_BASELINE, 2, "+inf", "is not a number"},
    {GATE_NONFINITE, GATE_COUNT, "0", LIMIT_NUMBER, 0, "0ulp", "a whole number of sums"},
    {GATE_NONFINITE, GATE_COUNT, "12", LIMIT_NUMBER, 12, "1.5", "is not a whole number"},
    {GATE_NONFINITE, GATE_COUNT, "auto", LIMIT_NUMBER, 0, "bound", "is a number of sums"},
    {GATE_NONFINITE, GATE_COUNT, "baseline", LIMIT_BASELINE, 1, "-1", "is negative"},
    {METRIC_ulp_error, GATE_COUNT, "100", LIMIT_NUMBER, 100, "100ulp", "a whole number of sums"},
    {METRIC_ulp_error, GATE_COUNT, "1Ki", LIMIT_NUMBER, 1024, "1e30", "is above"},
    {METRIC_bound_ratio, GATE_COUNT, "1e6", LIMIT_NUMBER, 1e6, "1e17", "is above 2^53"},
    {METRIC_relative_error, GATE_COUNT, "1", LIMIT_NUMBER, 1, "0", "which a run without sums keeps"},
    {METRIC_relative_error, GATE_COUNT, "2", LIMIT_NUMBER, 2, "auto", "how many sums"},
    {METRIC_relative_error, GATE_COUNT, "3", LIMIT_NUMBER, 3, "bound*1", "count is a number of sums"},
    {METRIC_relative_error, GATE_COUNT, "4", LIMIT_NUMBER, 4, "baseline*1", "is needless"},
};

static void a_limit_is_its_number_in_the_unit_of_its_metric(void **state)
{
    const struct limit_case *row = *state;
    struct limit limit;
    assert_int_equal(limit_read(row->text, "here", row->metric, row->statistic, &limit), OK);
    assert_int_equal(limit.kind, row->kind);
    if (limit.number != row->number)
        fail_msg("%s is %a, not %a", row->text, limit.number, row->number);
    assert_string_equal(limit.text, row->text);
    free(limit.text);
}

static void its_twin_is_refused(void **state)
{
    const struct limit_case *row = *state;
    struct limit limit;
    struct heard heard = listen_to_stderr();
    const enum status status = limit_read(row->twin, "here:7", row->metric, row->statistic, &limit);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    assert_null(limit.text);
    if (strncmp(heard.text, "ulpscope: here:7: limit \"", 25) != 0 || !strstr(heard.text, row->words) ||
        !strstr(heard.text, "expected"))
        fail_msg("%s: %s", row->twin, heard.text);
}

static void bits_and_abs_error_take_no_number(void **state)
{
    (void)state;
    struct limit limit;
    struct heard heard = listen_to_stderr();
    assert_int_equal(limit_read("0", "here", GATE_BITS, GATE_MAX, &limit), BAD_INPUT);
    assert_int_equal(limit_read("1", "here", METRIC_abs_error, GATE_MAX, &limit), BAD_INPUT);
    heard_all(&heard);
    assert_non_null(strstr(heard.text, "same: exact"));
    assert_non_null(strstr(heard.text, "without statistics"));
}

static void a_value_has_the_unit_of_its_metric(void **state)
{
    (void)state;
    assert_string_equal(gate_unit(METRIC_ulp_error, GATE_P50), "ulp");
    assert_string_equal(gate_unit(METRIC_ulp_error, GATE_COUNT), "sums");
    assert_string_equal(gate_unit(METRIC_relative_error, GATE_MAX), "");
    assert_string_equal(gate_unit(METRIC_bound_ratio, GATE_MAX), "");
    assert_string_equal(gate_unit(GATE_SPREAD, GATE_MAX), "ulp");
    assert_string_equal(gate_unit(GATE_NONFINITE, GATE_COUNT), "sums");
    assert_string_equal(gate_unit(GATE_BITS, GATE_MAX), "");
}

static void metrics_are_called_as_everywhere(void **state)
{
    (void)state;
    for (int metric = 0; metric < METRICS; metric++)
        assert_string_equal(gate_metric_names[metric], metric_table[metric].id);
    for (int metric = 0; metric < GATE_METRICS; metric++)
        for (int other = 0; other < metric; other++)
            assert_string_not_equal(gate_metric_names[metric], gate_metric_names[other]);
}

/* ---- days ---- */

static void a_day_is_read_as_it_is_written(void **state)
{
    (void)state;
    static const char *const days[] = {"2027-03-01", "2024-02-29", "2000-02-29", "1000-01-01", "9999-12-31"};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        struct date date;
        assert_true(date_read(days[i], &date));
        assert_string_equal(date.text, days[i]);
    }
}

static void no_other_text_is_a_day(void **state)
{
    (void)state;
    static const char *const none[] = {
        "2027-02-30",
        "2023-02-29",
        "1900-02-29",
        "2027-04-31",
        "2027-13-01",
        "2027-00-01",
        "2027-01-00",
        "0000-01-01",
        "2027-3-1",
        "27-03-01",
        "2027/03/01",
        "2027-03-01 ",
        " 2027-03-01",
        "2027-03-01T00:00",
        "2027- 3-01",
        "12027-03-01",
        "02027-03-01",
        "2027-03",
        "",
        "tomorrow",
        "01.03.2027",
        "2027-03-0\xef\xbc\x91",
        "-027-03-01",
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct date date;
        if (date_read(none[i], &date))
            fail_msg("\"%s\" was taken", none[i]);
    }
}

static void the_last_day_is_not_over_and_the_next_is_after_it(void **state)
{
    (void)state;
    const struct date last = {"2027-03-01"};
    assert_false(date_is_after(last, last));
    assert_true(date_is_after((struct date){"2027-03-02"}, last));
    assert_true(date_is_after((struct date){"2027-04-01"}, last));
    assert_true(date_is_after((struct date){"2028-01-01"}, last));
    assert_false(date_is_after((struct date){"2027-02-28"}, last));
    assert_false(date_is_after((struct date){"2026-12-31"}, last));
}

static void today_is_a_day_after_this_was_written(void **state)
{
    (void)state;
    const struct date today = date_today();
    struct date read;
    assert_true(date_read(today.text, &read));
    assert_true(date_is_after(today, (struct date){"2024-01-01"}));
    assert_false(date_is_after(today, (struct date){"2999-01-01"}));
}

/* ---- a file ---- */

static const char example[] =
    SCHEMA "rules: # every matching rule applies\n"
           "  - {method: \"kahan*\", data: \"uniform*\", metric: ulp_error, statistic: max, limit: 1.5ulp, why: "
           "\"Higham 4.8\"}\n"
           "  - {method: kahan, data: \"*\", backend: replay, metric: relative_error, statistic: p99, limit: 0.1%}\n"
           "  - {method: \"*\", data: \"*\", metric: bound_ratio, limit: auto}\n"
           "  - {method: \"*\", data: \"integers*\", metric: bits, same: exact}\n"
           "  - {method: \"*\", data: \"*\", backend: cuda, metric: bits, same: baseline}\n"
           "  - {method: \"*/tree_atomic\", data: \"*\", metric: spread, limit: 64ulp}\n"
           "  - {method: \"*\", data: \"*\", metric: nonfinite, limit: 0}\n"
           "  - {method: \"*\", data: \"*\", metric: ulp_error, statistic: count, least: 1Ki}\n"
           "allow:\n"
           "  - {method: naive, data: \"swamp*\", until: 2027-03-01, why: \"lesson 3 shows it\"}\n"
           "  - {method: \"*\", data: \"const*\", metric: bits, until: 2028-02-29, why: \"issue 12\"}\n";

static void every_key_of_a_rule_is_read(void **state)
{
    (void)state;
    struct limits limits = limits_of(example);
    assert_string_equal(limits.path, path);
    assert_int_equal(limits.rule_count, 8);
    const struct rule *rule = limits.rules;
    assert_string_equal(rule->method, "kahan*");
    assert_string_equal(rule->data, "uniform*");
    assert_null(rule->backend);
    assert_int_equal(rule->metric, METRIC_ulp_error);
    assert_int_equal(rule->statistic, GATE_MAX);
    assert_int_equal(rule->limit.kind, LIMIT_NUMBER);
    assert_true(rule->limit.number == 1.5);
    assert_string_equal(rule->limit.text, "1.5ulp");
    assert_null(rule->limit.unit); /* values of the metric have it anyway */
    assert_string_equal(rule->why, "Higham 4.8");
    assert_int_equal(rule->line, 3);
    rule++;
    assert_ptr_equal(rule->backend, BACKEND_OF(replay));
    assert_int_equal(rule->statistic, GATE_P99);
    assert_true(rule->limit.number == 0.001);
    assert_string_equal(rule->limit.unit, "%");
    assert_true(rule->limit.parts == 100);
    assert_null(rule->why);
    limits_free(&limits);
    assert_null(limits.rules);
}

static void an_alias_is_the_method_that_it_stands_for(void **state)
{
    (void)state;
    struct limits limits = limits_of(example);
    assert_string_equal(limits.rules[1].method, "kahan/tree_two_pass");
    assert_string_equal(limits.allowances[0].method, "plain/serial");
    assert_string_equal(limits.rules[0].method, "kahan*"); /* the twin: a glob is none */
    limits_free(&limits);
}

static void what_is_not_said_is_the_default(void **state)
{
    (void)state;
    struct limits limits = limits_of(example);
    assert_int_equal(limits.rules[2].statistic, GATE_MAX);
    assert_int_equal(limits.rules[5].statistic, GATE_MAX);
    assert_int_equal(limits.rules[6].statistic, GATE_COUNT);
    assert_int_equal(limits.allowances[0].metric, GATE_METRICS);
    assert_int_equal(limits.allowances[1].metric, GATE_BITS);
    limits_free(&limits);
}

static void every_demand_is_read(void **state)
{
    (void)state;
    static const enum limit_kind kinds[] = {LIMIT_NUMBER,        LIMIT_NUMBER, LIMIT_AUTO,   LIMIT_SAME_EXACT,
                                            LIMIT_SAME_BASELINE, LIMIT_NUMBER, LIMIT_NUMBER, LIMIT_LEAST};
    static const char *const texts[] = {"1.5ulp", "0.1%", "auto", "exact", "baseline", "64ulp", "0", "1Ki"};
    struct limits limits = limits_of(example);
    for (size_t i = 0; i < limits.rule_count; i++) {
        assert_int_equal(limits.rules[i].limit.kind, kinds[i]);
        assert_string_equal(limits.rules[i].limit.text, texts[i]);
        assert_int_equal(limits.rules[i].line, 3 + i);
    }
    assert_true(limits.rules[7].limit.number == 1024);
    limits_free(&limits);
}

static void every_key_of_an_allowance_is_read(void **state)
{
    (void)state;
    struct limits limits = limits_of(example);
    assert_int_equal(limits.allowance_count, 2);
    const struct allowance *allowance = limits.allowances;
    assert_string_equal(allowance->data, "swamp*");
    assert_string_equal(allowance->until.text, "2027-03-01");
    assert_string_equal(allowance->why, "lesson 3 shows it");
    assert_int_equal(allowance->line, 12);
    limits_free(&limits);
}

static void every_statistic_has_its_name(void **state)
{
    (void)state;
    for (int statistic = 0; statistic < GATE_STATISTICS; statistic++) {
        char text[512];
        snprintf(text, sizeof text, RULES(RULE(ALL "metric: backward_error, statistic: %s, limit: 1")),
                 gate_statistic_names[statistic]);
        struct limits limits = limits_of(text);
        assert_int_equal(limits.rules[0].statistic, statistic);
        limits_free(&limits);
    }
}

static void allow_may_be_absent(void **state)
{
    (void)state;
    struct limits limits = limits_of(FINE);
    assert_int_equal(limits.rule_count, 1);
    assert_int_equal(limits.allowance_count, 0);
    limits_free(&limits);
}

static void rules_in_block_style_are_the_same(void **state)
{
    (void)state;
    struct limits limits = limits_of(RULES("  - method: \"*\"\n    data: \"*\"\n    metric: bits\n    same: exact\n"));
    assert_int_equal(limits.rules[0].limit.kind, LIMIT_SAME_EXACT);
    assert_int_equal(limits.rules[0].line, 3);
    limits_free(&limits);
}

static void a_dash_is_stdin(void **state)
{
    (void)state;
    struct limits limits;
    put_bytes(FINE, sizeof FINE - 1);
    assert_non_null(freopen(path, "r", stdin));
    assert_int_equal(limits_read("-", &limits), OK);
    assert_int_equal(limits.rule_count, 1);
    limits_free(&limits);
}

/* The worked example of the page is one that works. */
static void the_example_of_the_page_is_read(void **state)
{
    (void)state;
    static char page[1 << 16];
    FILE *file = fopen(SOURCE_DIRECTORY "/docs/ci.md", "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    char *begin = strstr(strstr(page, "\n## Limits files\n"), "```yaml\n"),
         *end = begin ? strstr(begin + 8, "```") : NULL;
    assert_non_null(end);
    *end = '\0';
    struct limits limits = limits_of(begin + 8);
    assert_true(limits.rule_count >= 5 && limits.allowance_count >= 1);
    limits_free(&limits);
}

/* ---- rules that are there again ---- */

#define KAHAN "method: kahan/serial, data: \"u*\", "
static const struct again {
    const char *fact, *rule, *other;
    bool refused;
} agains[] = {
    {"the_same_rule", KAHAN "metric: ulp_error, limit: 2ulp", KAHAN "metric: ulp_error, limit: 2ulp", true},
    {"another_number", KAHAN "metric: ulp_error, limit: 2ulp", KAHAN "metric: ulp_error, limit: 1e6ulp", true},
    {"the_default_written_out", KAHAN "metric: ulp_error, limit: 2ulp",
     KAHAN "metric: ulp_error, statistic: max, limit: 3", true},
    {"an_alias", "method: naive, data: x, metric: bits, same: exact",
     "method: plain/serial, data: x, metric: bits, same: exact", true},
    {"another_reason", KAHAN "metric: bits, same: exact, why: a", KAHAN "metric: bits, same: exact, why: b", true},
    {"another_method", KAHAN "metric: bits, same: exact", "method: kahan, data: \"u*\", metric: bits, same: exact",
     false},
    {"other_data", KAHAN "metric: bits, same: exact", "method: kahan/serial, data: \"v*\", metric: bits, same: exact",
     false},
    {"another_backend", KAHAN "backend: cuda, metric: bits, same: exact",
     KAHAN "backend: replay, metric: bits, same: exact", false},
    {"one_backend_and_both", KAHAN "metric: bits, same: exact", KAHAN "backend: replay, metric: bits, same: exact",
     false},
    {"another_metric", KAHAN "metric: ulp_error, limit: auto", KAHAN "metric: relative_error, limit: auto", false},
    {"another_statistic", KAHAN "metric: ulp_error, limit: auto",
     KAHAN "metric: ulp_error, statistic: p50, limit: auto", false},
    {"another_kind", KAHAN "metric: ulp_error, limit: auto", KAHAN "metric: ulp_error, limit: 2ulp", false},
    {"bits_of_both_kinds", KAHAN "metric: bits, same: exact", KAHAN "metric: bits, same: baseline", false},
};

static void a_rule_stands_once(void **state)
{
    const struct again *again = *state;
    char text[1024];
    struct limits limits;
    snprintf(text, sizeof text, SCHEMA "rules:\n  - {%s}\n  - {%s}\n", again->rule, again->other);
    struct heard heard = listen_to_stderr();
    const enum status status = read_text(text, &limits);
    heard_all(&heard);
    limits_free(&limits);
    assert_int_equal(status, again->refused ? BAD_INPUT : OK);
    if (again->refused)
        assert_ptr_equal(strstr(heard.text, "limits.yaml:4: the rule of line 3"), heard.text + strlen("ulpscope: "));
}

/* ---- files that are refused ---- */

struct bad {
    const char *fact, *text;
    int line; /* that the complaint names */
    const char *words[WORDS_MOST];
};

#define UNTIL "until: 2027-03-01"
/* A file, and the line that is named of it. */
#define OF_FILE(line_number, bytes) .text = (bytes), .line = (line_number)
#define OF_RULE(inside) OF_FILE(3, RULES(RULE(inside)))
#define OF_ALLOWANCE(inside) OF_FILE(5, FINE "allow:\n" RULE(inside))

static const struct bad bad_files[] = {
    /* YAML */
    {"no_bytes", OF_FILE(1, ""),
     .words = {"the file is empty", "limits file that starts with \"schema: ulpscope-limits/1\""}},
    {"comments_alone", OF_FILE(1, "# rules\n# none\n"), .words = {"the file is empty"}},
    {"no_yaml", OF_FILE(3, SCHEMA "rules: [\n"), .words = {"expected YAML"}},
    {"a_tab", OF_FILE(3, SCHEMA "rules:\n\t- 1\n"), .words = {"expected YAML", "not with tabs"}},
    {"latin_1", OF_FILE(1, SCHEMA "rules: \"gr\xfc\xdf\"\n"), .words = {"expected YAML"}},
    {"a_glob_without_quotes", OF_RULE("method: *, data: x, metric: bits, same: exact"),
     .words = {"expected YAML", "in quotes, like \"*\""}},
    {"a_glob_like_an_alias", OF_RULE("method: *serial, data: x, metric: bits, same: exact"),
     .words = {"alias", "in quotes, like \"*\""}},
    {"a_glob_like_a_tag", OF_RULE("method: !kahan, data: x, metric: bits, same: exact"), .words = {"method is empty"}},
    {"a_method_that_is_excluded", OF_RULE("method: \"!kahan/*\", data: x, metric: bits, same: exact"),
     .words = {"method \"!kahan/*\" begins with !", "expected one glob"}},
    {"two_methods", OF_RULE("method: \"kahan/*,plain/*\", data: x, metric: bits, same: exact"),
     .words = {"has a comma", "expected one glob", "an entry for each"}},
    {"two_methods_that_are_allowed", OF_ALLOWANCE("method: \"a,b\", data: x, until: 2027-03-01, why: x"),
     .words = {"has a comma", "an entry for each"}},
    {"two_documents", OF_FILE(5, FINE "---\n" FINE), .words = {"second document", "expected one limits file"}},
    {"a_list_of_rules_alone", OF_FILE(1, "- {method: x}\n"), .words = {"the limits file is a list", "a mapping"}},
    {"a_word", OF_FILE(1, "limits\n"), .words = {"the limits file is a single value", "a mapping"}},
    /* the file */
    {"no_schema", OF_FILE(1, "rules:\n" RULE(ALL "metric: bits, same: exact")),
     .words = {"no key \"schema\"", "add it: schema: ulpscope-limits/1"}},
    {"the_schema_of_studies", OF_FILE(1, "schema: ulpscope-study/1\nrules: []\n"),
     .words = {"\"ulpscope-study/1\"", "expected ulpscope-limits/1"}},
    {"a_schema_to_come", OF_FILE(1, "schema: ulpscope-limits/2\nrules: []\n"), .words = {"expected ulpscope-limits/1"}},
    {"no_rules", OF_FILE(1, SCHEMA), .words = {"no key \"rules\"", "add it"}},
    {"an_unknown_key", OF_FILE(2, SCHEMA "rule:\n" RULE("method: x")),
     .words = {"unknown key \"rule\" in the limits file", "schema, rules, allow", "did you mean \"rules\"?"}},
    {"rules_twice", OF_FILE(4, FINE "rules: []\n"), .words = {"rules stands twice"}},
    {"rules_that_are_a_word", OF_FILE(2, SCHEMA "rules: none\n"),
     .words = {"rules is a single value", "expected a list of rules"}},
    {"rules_that_are_one_rule", OF_FILE(2, SCHEMA "rules: {method: x, data: y}\n"),
     .words = {"rules is a mapping", "a list of rules"}},
    {"an_empty_list_of_rules", OF_FILE(2, SCHEMA "rules: []\n"),
     .words = {"rules is an empty list", "expected a list of rules like [{"}},
    {"an_empty_list_of_allowances", OF_FILE(4, FINE "allow: []\n"), .words = {"allow is an empty list", "or no allow"}},
    {"allow_that_is_a_word", OF_FILE(4, FINE "allow: all\n"), .words = {"allow is a single value", "expected a list"}},
    /* a rule */
    {"a_rule_that_is_a_word", OF_FILE(3, RULES("  - kahan\n")), .words = {"a rule is a single value", "a mapping"}},
    {"an_empty_rule", OF_FILE(3, RULES("  - {}\n")), .words = {"a rule has no key \"method\"", "add it"}},
    {"no_method", OF_RULE("data: x, metric: bits, same: exact"), .words = {"no key \"method\""}},
    {"no_data", OF_RULE("method: x, metric: bits, same: exact"), .words = {"no key \"data\""}},
    {"no_metric", OF_RULE(ALL "limit: auto"), .words = {"no key \"metric\"", "add it"}},
    {"an_empty_method", OF_RULE("method: \"\", data: x, metric: bits, same: exact"), .words = {"method is empty"}},
    {"an_empty_data", OF_RULE("method: x, data: , metric: bits, same: exact"), .words = {"data is empty"}},
    {"a_nul_in_a_glob", OF_RULE("method: \"a\\0b\", data: x, metric: bits, same: exact"), .words = {"method is empty"}},
    {"a_list_of_methods", OF_RULE("method: [a, b], data: x, metric: bits, same: exact"),
     .words = {"method is a list", "a single value"}},
    {"an_unknown_key_of_a_rule", OF_RULE(ALL "metrics: bits, same: exact"),
     .words = {"unknown key \"metrics\" in a rule", "did you mean \"metric\"?"}},
    {"a_key_of_allow_in_a_rule", OF_RULE(ALL "metric: bits, same: exact, until: 2027-03-01"),
     .words = {"unknown key \"until\" in a rule", "method, data, backend"}},
    {"a_key_twice", OF_RULE(ALL "metric: bits, same: exact, same: exact"), .words = {"same stands twice in a rule"}},
    {"an_unknown_metric", OF_RULE(ALL "metric: ulp_eror, limit: auto"),
     .words = {"unknown metric \"ulp_eror\" in a rule", "relative_error, ulp_error", "did you mean \"ulp_error\"?"}},
    {"a_metric_without_statistics", OF_RULE(ALL "metric: abs_error, limit: 1"),
     .words = {"abs_error has no statistics", "use relative_error"}},
    {"an_unknown_backend", OF_RULE(ALL "backend: host, metric: bits, same: exact"),
     .words = {"unknown backend \"host\"", "replay, cuda"}},
    {"a_backend_of_a_vendor", OF_RULE(ALL "backend: CUDA, metric: bits, same: exact"),
     .words = {"did you mean \"cuda\"?"}},
    {"a_blank_reason", OF_RULE(ALL "metric: bits, same: exact, why: \" \""), .words = {"why is blank", "in words"}},
    {"the_second_rule_is_the_wrong_one",
     OF_FILE(4, RULES(RULE(ALL "metric: bits, same: exact") RULE(ALL "metric: bitz, same: exact"))),
     .words = {"did you mean \"bits\"?"}},
    {"the_line_is_that_of_the_value",
     OF_FILE(6, RULES("  - method: \"*\"\n    data: \"*\"\n    metric: ulp_error\n    limit: 0.1ulp\n")),
     .words = {"is below half an ulp", "correctly rounded"}},
    /* statistics */
    {"a_statistic_of_reports_alone", OF_RULE(ALL "metric: ulp_error, statistic: p90, limit: auto"),
     .words = {"unknown statistic \"p90\"", "max, p99, p50, mean, count"}},
    {"a_statistic_that_nothing_holds", OF_RULE(ALL "metric: ulp_error, statistic: min, limit: auto"),
     .words = {"unknown statistic \"min\"", "max, p99, p50, mean, count"}},
    {"a_statistic_in_capitals", OF_RULE(ALL "metric: ulp_error, statistic: MEAN, limit: auto"),
     .words = {"did you mean \"mean\"?"}},
    {"a_statistic_of_bits", OF_RULE(ALL "metric: bits, statistic: max, same: exact"),
     .words = {"bits has no statistic max", "leave it out"}},
    {"the_count_of_bits", OF_RULE(ALL "metric: bits, statistic: count, same: exact"),
     .words = {"bits has no statistic count", "leave it out"}},
    {"the_median_of_spread", OF_RULE(ALL "metric: spread, statistic: p50, limit: 1ulp"),
     .words = {"spread has no statistic p50", "expected max"}},
    {"the_count_of_spread", OF_RULE(ALL "metric: spread, statistic: count, limit: 1"),
     .words = {"spread has no statistic count", "expected max"}},
    {"the_largest_of_nonfinite", OF_RULE(ALL "metric: nonfinite, statistic: max, limit: 0"),
     .words = {"nonfinite has no statistic max", "expected count"}},
    /* limit, least, same */
    {"nothing_to_hold", OF_RULE(ALL "metric: ulp_error"),
     .words = {"none of limit, least and same", "expected one of them", "limit: auto"}},
    {"nothing_to_hold_bits_to", OF_RULE(ALL "metric: bits"), .words = {"none of limit", "same: exact"}},
    {"two_things_to_hold", OF_RULE(ALL "metric: ulp_error, limit: 1ulp, least: 2"),
     .words = {"several of limit, least and same", "expected one of them"}},
    {"a_limit_of_bits", OF_RULE(ALL "metric: bits, limit: 0"), .words = {"expected same: exact or same: baseline"}},
    {"a_least_of_bits", OF_RULE(ALL "metric: bits, least: 1"), .words = {"least is of the count", "statistic: count"}},
    {"the_same_errors", OF_RULE(ALL "metric: ulp_error, same: baseline"),
     .words = {"same is of bits", "limit in place of same"}},
    {"the_same_as_something_unknown", OF_RULE(ALL "metric: bits, same: basline"),
     .words = {"unknown same \"basline\"", "exact, baseline", "did you mean \"baseline\"?"}},
    {"a_least_error", OF_RULE(ALL "metric: ulp_error, least: 1"), .words = {"least is of the count", "is a limit"}},
    {"a_least_of_nonfinite", OF_RULE(ALL "metric: nonfinite, least: 1"),
     .words = {"least is of the count of an error"}},
    {"a_least_of_none", OF_RULE(ALL "metric: ulp_error, statistic: count, least: 0"),
     .words = {"least \"0\"", "expected a whole number from 1"}},
    {"a_least_of_a_half", OF_RULE(ALL "metric: ulp_error, statistic: count, least: 1.5"),
     .words = {"least \"1.5\" is not a whole number"}},
    {"a_limit_that_is_a_list", OF_RULE(ALL "metric: ulp_error, limit: [1, 2]"),
     .words = {"limit is a list", "a single value"}},
    {"an_empty_limit", OF_RULE(ALL "metric: ulp_error, limit: "), .words = {"limit is empty", "expected a value"}},
    {"a_limit_in_the_wrong_unit", OF_RULE(ALL "metric: ulp_error, limit: 2u"),
     .words = {"\"2u\" of ulp_error max", "(u: relative_error, backward_error", "1.5ulp"}},
    {"a_limit_that_is_no_number", OF_RULE(ALL "metric: relative_error, limit: .nan"),
     .words = {"\".nan\" of relative_error max is not a number", "4u"}},
    {"an_infinite_limit", OF_RULE(ALL "metric: ulp_error, limit: .inf"), .words = {"is not a number", "1.5ulp"}},
    {"a_decimal_comma", OF_RULE(ALL "metric: ulp_error, limit: \"1,5ulp\""),
     .words = {"unknown unit \",5ulp\"", "like 1.5ulp"}},
    /* allow */
    {"an_allowance_that_is_a_word", OF_FILE(5, FINE "allow:\n  - kahan\n"),
     .words = {"an entry of allow is a single value"}},
    {"an_allowance_of_no_method", OF_ALLOWANCE("data: x, " UNTIL ", why: w"), .words = {"no key \"method\"", "add it"}},
    {"an_allowance_of_no_data", OF_ALLOWANCE("method: x, " UNTIL ", why: w"), .words = {"no key \"data\"", "add it"}},
    {"an_allowance_for_ever", OF_ALLOWANCE(ALL "why: w"), .words = {"no key \"until\"", "add it"}},
    {"an_allowance_without_reason", OF_ALLOWANCE(ALL UNTIL), .words = {"no key \"why\"", "add it"}},
    {"an_allowance_with_an_empty_reason", OF_ALLOWANCE(ALL UNTIL ", why: \"\""), .words = {"why is empty"}},
    {"an_allowance_with_a_blank_reason", OF_ALLOWANCE(ALL UNTIL ", why: \"  \""), .words = {"why is blank"}},
    {"an_allowance_with_a_limit", OF_ALLOWANCE(ALL UNTIL ", why: w, limit: 1"),
     .words = {"unknown key \"limit\" in an entry of allow", "method, data, why, until, metric"}},
    {"an_allowance_of_an_unknown_metric", OF_ALLOWANCE(ALL "metric: bit, " UNTIL ", why: w"),
     .words = {"in an entry of allow", "did you mean \"bits\"?"}},
    {"an_allowance_of_a_metric_without_rules", OF_ALLOWANCE(ALL "metric: abs_error, " UNTIL ", why: w"),
     .words = {"abs_error has no statistics"}},
    {"a_day_that_is_none", OF_ALLOWANCE(ALL "until: 2027-02-30, why: w"),
     .words = {"until \"2027-02-30\" is not a date", "like 2027-03-01"}},
    {"a_day_in_another_order", OF_ALLOWANCE(ALL "until: 01.03.2027, why: w"),
     .words = {"\"01.03.2027\" is not a date", "like 2027-03-01"}},
    {"a_list_of_days", OF_ALLOWANCE(ALL "until: [2027-03-01], why: w"), .words = {"until is a list"}},
};

/* One complaint, of this line. */
static void a_bad_file_is_refused_with_its_line(void **state)
{
    const struct bad *bad = *state;
    char begin[64];
    struct limits limits;
    snprintf(begin, sizeof begin, "ulpscope: limits.yaml:%d: ", bad->line);
    struct heard heard = listen_to_stderr();
    const enum status status = read_text(bad->text, &limits);
    heard_all(&heard);
    limits_free(&limits);
    assert_int_equal(status, BAD_INPUT);
    const char *end = strchr(heard.text, '\n');
    if (strncmp(heard.text, begin, strlen(begin)) != 0 || !end || end[1] != '\0')
        fail_msg("not one complaint of line %d: %s", bad->line, heard.text);
    for (size_t i = 0; i < WORDS_MOST && bad->words[i]; i++)
        if (!strstr(heard.text, bad->words[i]))
            fail_msg("no %s: %s", bad->words[i], heard.text);
}

static void a_file_that_is_not_there_is_refused(void **state)
{
    (void)state;
    struct limits limits;
    struct heard heard = listen_to_stderr();
    const enum status status = limits_read("none.yaml", &limits);
    heard_all(&heard);
    limits_free(&limits);
    assert_int_equal(status, BAD_INPUT);
    assert_non_null(strstr(heard.text, "none.yaml: No such file or directory; expected a limits file; see `ulpscope "
                                       "help check`"));
}

/* ---- files that are large ---- */

/* `count` rules for methods m0, m1 ..., and spaces up to `size` bytes at least. */
static enum status read_many(unsigned count, size_t size)
{
    static char text[2 << 20];
    size_t length = (size_t)snprintf(text, sizeof text, SCHEMA "rules:\n");
    for (unsigned i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   " - {method: m%u, data: d, metric: bits, same: exact}\n", i);
    for (; length < size; length++)
        text[length] = ' ';
    struct limits limits;
    struct heard heard = listen_to_stderr();
    put_bytes(text, length);
    const enum status status = limits_read(path, &limits);
    heard_all(&heard);
    assert_true(status == OK || strstr(heard.text, count > 10000 ? "expected at most 10000" : "longer than 1048576"));
    limits_free(&limits);
    return status;
}

static void ten_thousand_rules_are_read_and_one_more_is_refused(void **state)
{
    (void)state;
    assert_int_equal(read_many(10000, 0), OK);
    assert_int_equal(read_many(10001, 0), BAD_INPUT);
}

static void a_mebibyte_is_read_and_a_byte_more_is_refused(void **state)
{
    (void)state;
    assert_int_equal(read_many(1, 1 << 20), OK);
    assert_int_equal(read_many(1, (1 << 20) + 1), BAD_INPUT);
}

/* ---- a file with a spoilt byte ---- */

/* What becomes of the byte at `position`: it is left out, doubled, or one of three others. */
static size_t spoil(const char *text, size_t length, size_t position, int how, char *spoilt)
{
    static const char others[] = {'\0', ' ', '\n', '*', '"', '{', ']', ':', '-', '9', 'x', '\t', '#', '&', '\xff'};
    memcpy(spoilt, text, position);
    size_t written = position;
    if (how == 1)
        spoilt[written++] = text[position];
    if (how >= 1)
        spoilt[written++] = how == 1 ? text[position] : others[(3 * position + (size_t)how) % sizeof others];
    memcpy(spoilt + written, text + position + 1, length - position - 1);
    return written + length - position - 1;
}

enum { WAYS = 2 + 3 };

/* Nothing but OK and BAD_INPUT, and nothing that is OK lacks a part. */
static void a_spoilt_byte_is_refused_or_makes_other_limits(void **state)
{
    (void)state;
    static char spoilt[sizeof example + 1];
    size_t refused = 0, taken = 0;
    struct heard heard = listen_to_stderr();
    for (size_t position = 0; position < sizeof example - 1; position++)
        for (int how = 0; how < WAYS; how++) {
            struct limits limits;
            put_bytes(spoilt, spoil(example, sizeof example - 1, position, how, spoilt));
            const enum status status = limits_read(path, &limits);
            assert_true(status == OK || status == BAD_INPUT);
            for (size_t i = 0; status == OK && i < limits.rule_count; i++)
                assert_true(limits.rules[i].method && limits.rules[i].data && limits.rules[i].limit.text);
            for (size_t i = 0; status == OK && i < limits.allowance_count; i++)
                assert_true(*limits.allowances[i].until.text && limits.allowances[i].why);
            limits_free(&limits);
            status == OK ? taken++ : refused++;
        }
    heard_all(&heard);
    print_message("%zu refused, %zu taken\n", refused, taken);
    assert_true(refused > 2000 && taken > 500);
}

/* ---- all of them ---- */

enum {
    LIMIT_CASES = sizeof limit_cases / sizeof *limit_cases,
    AGAINS = sizeof agains / sizeof *agains,
    BAD_FILES = sizeof bad_files / sizeof *bad_files
};

static struct CMUnitTest of_row(const char *name, CMUnitTestFunction test, const void *row)
{
    return (struct CMUnitTest){.name = name, .test_func = test, .initial_state = (void *)(uintptr_t)row};
}

int main(void)
{
    static const struct CMUnitTest single[] = {
        cmocka_unit_test(bits_and_abs_error_take_no_number),
        cmocka_unit_test(a_value_has_the_unit_of_its_metric),
        cmocka_unit_test(metrics_are_called_as_everywhere),
        cmocka_unit_test(a_day_is_read_as_it_is_written),
        cmocka_unit_test(no_other_text_is_a_day),
        cmocka_unit_test(the_last_day_is_not_over_and_the_next_is_after_it),
        cmocka_unit_test(today_is_a_day_after_this_was_written),
        cmocka_unit_test(every_key_of_a_rule_is_read),
        cmocka_unit_test(an_alias_is_the_method_that_it_stands_for),
        cmocka_unit_test(what_is_not_said_is_the_default),
        cmocka_unit_test(every_demand_is_read),
        cmocka_unit_test(every_key_of_an_allowance_is_read),
        cmocka_unit_test(every_statistic_has_its_name),
        cmocka_unit_test(allow_may_be_absent),
        cmocka_unit_test(rules_in_block_style_are_the_same),
        cmocka_unit_test(a_dash_is_stdin),
        cmocka_unit_test(the_example_of_the_page_is_read),
        cmocka_unit_test(a_file_that_is_not_there_is_refused),
        cmocka_unit_test(ten_thousand_rules_are_read_and_one_more_is_refused),
        cmocka_unit_test(a_mebibyte_is_read_and_a_byte_more_is_refused),
        cmocka_unit_test(a_spoilt_byte_is_refused_or_makes_other_limits),
    };
    enum { SINGLE = sizeof single / sizeof *single };
    static struct CMUnitTest tests[SINGLE + 2 * LIMIT_CASES + AGAINS + BAD_FILES];
    struct CMUnitTest *next = tests + SINGLE;
    memcpy(tests, single, sizeof single);
    for (size_t i = 0; i < LIMIT_CASES; i++) {
        *next++ = of_row(limit_cases[i].text, a_limit_is_its_number_in_the_unit_of_its_metric, &limit_cases[i]);
        *next++ = of_row(limit_cases[i].twin, its_twin_is_refused, &limit_cases[i]);
    }
    for (size_t i = 0; i < AGAINS; i++)
        *next++ = of_row(agains[i].fact, a_rule_stands_once, &agains[i]);
    for (size_t i = 0; i < BAD_FILES; i++)
        *next++ = of_row(bad_files[i].fact, a_bad_file_is_refused_with_its_line, &bad_files[i]);
    return cmocka_run_group_tests(tests, enter_folder_in_memory, leave_folder_in_memory);
}
