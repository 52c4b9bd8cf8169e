/* Checks made by hand, and what the outputs make of them; for tests of cmocka, whose header comes first.
 *
 *   struct made *made = usual_check();
 *   char *text = written("junit", made);
 *   end(made);
 */
#ifndef ULPSCOPE_TESTS_MADE_CHECK_H
#define ULPSCOPE_TESTS_MADE_CHECK_H

#include "src/gate/check_output.h"
#include "src/gate/findings/findings.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Every character that means something to somebody, one that is no text, and what would be a command of its own. */
static const char NASTY[] = "a<b&\"c\"]]> it's | `x` %0A \x01\xff\n::error::x,y:z\r##[error]@me #1 </details>\xc3\xbc";

enum { SERIES_MOST = 20000, FINDINGS_MOST = 40000 };

struct made {
    struct results results;
    struct limits limits;
    struct baseline baseline;
    struct check check;
    struct checked checked;
    size_t *counts;
};

static inline struct made *begin(const char *limits)
{
    struct made *made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->results.series = calloc(SERIES_MOST, sizeof *made->results.series);
    made->limits.path = (char *)limits;
    made->limits.rules = calloc(8, sizeof *made->limits.rules);
    made->limits.allowances = calloc(FINDINGS_MOST, sizeof *made->limits.allowances);
    made->baseline.path = "baselines/main.json";
    made->baseline.seed = 1;
    made->baseline.series = calloc(8, sizeof *made->baseline.series);
    made->counts = calloc(FINDINGS_MOST + 16, sizeof *made->counts);
    made->check = (struct check){.results = &made->results,
                                 .limits = &made->limits,
                                 .baseline = &made->baseline,
                                 .today = {"2026-10-01"},
                                 .findings = calloc(FINDINGS_MOST, sizeof *made->check.findings),
                                 .compared_by = made->counts,
                                 .matched_by = made->counts + 8,
                                 .allowed_by = made->counts + 16};
    made->checked = (struct checked){.check = &made->check, .run = "out/"};
    return made;
}

static inline void end(struct made *made)
{
    free(made->results.series);
    free(made->limits.rules);
    free(made->limits.allowances);
    free(made->baseline.series);
    free(made->counts);
    free(made->check.findings);
    free(made);
}

static inline const struct series *series(struct made *made, const char *method, const char *data)
{
    struct series *series = &made->results.series[made->results.series_count++];
    *series = (struct series){.method = method,
                              .data = data,
                              .n = 1024,
                              .backend = BACKEND_OF(replay),
                              .device = "host",
                              .launch = {120, 256},
                              .count = 100,
                              .worst_command = "ulpscope run -m kahan/serial -d uniform:n=1024 --trial 17"};
    return series;
}

static inline const struct baseline_series *missing(struct made *made, const char *method, const char *data)
{
    struct baseline_series *before = &made->baseline.series[made->baseline.count++];
    *before = (struct baseline_series){.method = (char *)method,
                                       .data = (char *)data,
                                       .backend = BACKEND_OF(replay),
                                       .launch = {120, 256},
                                       .device = "",
                                       .toolkit = "",
                                       .n = 1024,
                                       .trials = 100};
    return before;
}

static inline const struct rule *rule(struct made *made, struct rule rule)
{
    rule.line = 4 + made->limits.rule_count;
    made->limits.rules[made->limits.rule_count] = rule;
    return &made->limits.rules[made->limits.rule_count++];
}

static inline const struct allowance *allowance(struct made *made, const char *data, const char *until, const char *why)
{
    struct date day;
    assert_true(date_read(until, &day));
    struct allowance *allowance = &made->limits.allowances[made->limits.allowance_count];
    *allowance = (struct allowance){.method = "plain/serial",
                                    .data = (char *)data,
                                    .metric = GATE_METRICS,
                                    .until = day,
                                    .why = (char *)why,
                                    .line = 20 + made->limits.allowance_count};
    made->limits.allowance_count++;
    made->check.expired += date_is_after(made->check.today, day);
    return allowance;
}

/* Findings must come by verdict, as check_make has them. */
static inline void find(struct made *made, struct finding finding)
{
    const size_t index = (size_t)(finding.rule - made->limits.rules);
    if (made->check.count > 0)
        assert_true(made->check.findings[made->check.count - 1].verdict <= finding.verdict);
    made->check.findings[made->check.count++] = finding;
    made->check.by[finding.verdict]++;
    made->check.matched_by[index]++;
    made->check.compared_by[index] += finding.verdict != VERDICT_SKIPPED;
    if (finding.verdict == VERDICT_ALLOWED)
        made->check.allowed_by[finding.allowance - made->limits.allowances]++;
}

static const struct rule of_error = {.method = "kahan*",
                                     .data = "*",
                                     .metric = METRIC_ulp_error,
                                     .statistic = GATE_MAX,
                                     .limit = {.kind = LIMIT_NUMBER, .number = 1.5, .text = "1.5ulp"},
                                     .why = "Higham 4.8"};
static const struct rule of_bits = {.method = "*",
                                    .data = "*",
                                    .metric = GATE_BITS,
                                    .limit = {.kind = LIMIT_SAME_BASELINE, .number = 0, .text = "baseline"}};
static const struct rule of_plain = {.method = "plain*",
                                     .data = "*",
                                     .metric = METRIC_ulp_error,
                                     .statistic = GATE_MAX,
                                     .limit = {.kind = LIMIT_NUMBER, .number = 100, .text = "100ulp"}};

/* Two series of one name, of which one breaks two rules; one that is missing, allowed, skipped, without a rule each. */
static inline struct made *usual_check(void)
{
    struct made *made = begin("limits.yaml");
    const struct rule *error = rule(made, of_error), *bits = rule(made, of_bits), *plain = rule(made, of_plain);
    const struct series *first = series(made, "kahan/serial", "uniform:n=1024"),
                        *again = series(made, "kahan/serial", "uniform:n=1024"),
                        *swamp = series(made, "plain/serial", "swamp:n=4096");
    const struct series *atomic = series(made, "plain/tree_atomic", "uniform:n=1024");
    series(made, "neumaier/serial", "uniform:n=1024");
    const struct allowance *used = allowance(made, "swamp*", "2027-03-01", "lesson 3 shows it");
    allowance(made, "gone*", "2028-03-01", "as it was");
    allowance(made, "old*", "2025-03-01", "for a week");
    static char cause[] = "bit for bit plain/serial on 100 of 100: the compensation has no effect",
                said[] = "ulp_error max 12.3 ulp, limit 1.5ulp";
    find(made, (struct finding){VERDICT_FAILED, error, first, NULL, 12.345, 1.5, "ulp", said, cause, NULL, NULL, 0, 0});
    find(made, (struct finding){VERDICT_FAILED, bits, first, NULL, 1, 0, "", "bits: not those of the baseline", cause,
                                NULL, NULL, 0, 0});
    find(made, (struct finding){VERDICT_FAILED, bits, NULL, missing(made, "kahan/serial", "lost:n=3"), NAN, NAN, "",
                                "missing: the baseline has this series, the run does not", NULL, NULL, NULL, 0, 0});
    find(made, (struct finding){VERDICT_ALLOWED, plain, swamp, NULL, 4096, 100, "ulp",
                                "ulp_error max 4.10e+03 ulp, limit 100ulp", NULL, used, NULL, 0, 0});
    find(made, (struct finding){VERDICT_PASSED, error, again, NULL, 0.5, 1.5, "ulp",
                                "ulp_error max 0.50 ulp, limit 1.5ulp", NULL, NULL, NULL, 0, 0});
    find(made, (struct finding){VERDICT_SKIPPED, bits, swamp, NULL, NAN, NAN, "",
                                "new: the baseline has no such series", NULL, NULL, NULL, 0, 0});
    find(made, (struct finding){VERDICT_SKIPPED, bits, atomic, NULL, NAN, NAN, "",
                                "new: the baseline has no such series", NULL, NULL, NULL, 0, 0});
    return made;
}

static inline struct made *fine_check(void)
{
    struct made *made = begin("limits.yaml");
    const struct rule *error = rule(made, of_error);
    const struct series *first = series(made, "kahan/serial", "uniform:n=1024"),
                        *second = series(made, "kahan/serial", "normal:n=1024");
    find(made, (struct finding){VERDICT_PASSED, error, first, NULL, 0.5, 1.5, "ulp",
                                "ulp_error max 0.50 ulp, limit 1.5ulp", NULL, NULL, NULL, 0, 0});
    find(made, (struct finding){VERDICT_PASSED, error, second, NULL, 0.75, 1.5, "ulp",
                                "ulp_error max 0.75 ulp, limit 1.5ulp", NULL, NULL, NULL, 0, 0});
    return made;
}

/* Fine but for a rule that is about nothing, one that can be compared with nothing, and a run that is not complete. */
static inline struct made *check_with_gaps(void)
{
    struct made *made = fine_check();
    rule(made, of_plain);
    const struct rule *bits = rule(made, of_bits);
    find(made, (struct finding){VERDICT_SKIPPED, bits, &made->results.series[0], NULL, NAN, NAN, "",
                                "new: the baseline has no such series", NULL, NULL, NULL, 0, 0});
    made->check.idle = 2;
    made->results.cases = 100;
    made->results.study.cases = 101;
    return made;
}

/* Names of names, of rules, of everything. */
static inline struct made *nasty_check(void)
{
    struct made *made = begin(NASTY);
    struct rule nasty = of_error;
    nasty.method = nasty.data = nasty.why = (char *)NASTY;
    const struct rule *error = rule(made, nasty), *bits = rule(made, of_bits);
    const struct series *first = series(made, NASTY, NASTY), *second = series(made, NASTY, NASTY),
                        *third = series(made, NASTY, "b"), *fourth = series(made, NASTY, "c");
    made->results.series[0].worst_command = (char *)NASTY;
    allowance(made, NASTY, "2028-03-01", NASTY);
    const struct allowance *used = allowance(made, NASTY, "2027-03-01", NASTY);
    allowance(made, NASTY, "2025-03-01", NASTY);
    find(made, (struct finding){VERDICT_FAILED, error, first, NULL, NAN, 1.5, "ulp", (char *)NASTY, (char *)NASTY, NULL,
                                NULL, 0, 0});
    find(made, (struct finding){VERDICT_FAILED, bits, NULL, missing(made, NASTY, NASTY), NAN, NAN, "", (char *)NASTY,
                                NULL, NULL, NULL, 0, 0});
    find(made, (struct finding){VERDICT_ALLOWED, error, second, NULL, INFINITY, 1.5, "ulp", (char *)NASTY, NULL, used,
                                NULL, 0, 0});
    find(made,
         (struct finding){VERDICT_PASSED, error, third, NULL, 0, 1.5, "ulp", (char *)NASTY, NULL, NULL, NULL, 0, 0});
    find(made,
         (struct finding){VERDICT_SKIPPED, bits, fourth, NULL, NAN, NAN, "", (char *)NASTY, NULL, NULL, NULL, 0, 0});
    made->checked.run = NASTY;
    return made;
}

/* `failing` series that fail, for as many causes as `causes`, and as many that pass. */
static inline struct made *large_check(size_t failing, size_t causes)
{
    static char data[SERIES_MOST][32], cause[SERIES_MOST][32];
    struct made *made = begin("limits.yaml");
    const struct rule *error = rule(made, of_error);
    for (size_t i = 0; i < 2 * failing; i++) {
        snprintf(data[i], sizeof data[i], "uniform:n=%zu", i / 2);
        snprintf(cause[i], sizeof cause[i], "cause %zu", i % causes);
        series(made, i % 2 ? "kahan/serial" : "kahan/tree_two_pass", data[i]);
    }
    for (size_t i = 0; i < failing; i++)
        find(made, (struct finding){VERDICT_FAILED, error, &made->results.series[i], NULL, 2, 1.5, "ulp",
                                    "ulp_error max 2.00 ulp, limit 1.5ulp", cause[i], NULL, NULL, 0, 0});
    for (size_t i = failing; i < 2 * failing; i++)
        find(made, (struct finding){VERDICT_PASSED, error, &made->results.series[i], NULL, 1, 1.5, "ulp",
                                    "ulp_error max 1.00 ulp, limit 1.5ulp", NULL, NULL, NULL, 0, 0});
    return made;
}

/* ---- what is written ---- */

static char folder[] = "/tmp/test_check_outputs.XXXXXX";

static inline const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline char *slurp(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!file)
        return NULL;
    if (getdelim(&text, &size, '\0', file) < 0)
        *(text = realloc(text, 1)) = '\0';
    fclose(file);
    return text;
}

static inline const struct check_output *output(const char *id)
{
    size_t count;
    const struct check_output *const *outputs = check_outputs(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(outputs[i]->id, id) == 0)
            return outputs[i];
    fail_msg("no output %s", id);
    return NULL;
}

static inline char *written(const char *id, const struct made *made)
{
    const char *path = in_folder("written");
    assert_int_equal(output(id)->write(&made->checked, path), OK);
    char *text = slurp(path);
    assert_non_null(text);
    unlink(path);
    return text;
}

static inline size_t count_of(const char *text, const char *words)
{
    size_t count = 0;
    for (; (text = strstr(text, words)); text++)
        count++;
    return count;
}

static inline void assert_says(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("\"%s\" is not in:\n%.3000s", words, text);
}

/* Valid UTF-8 without control characters but line breaks. */
static inline void assert_clean(const char *text)
{
    json_t *string = json_string(text);
    if (!string)
        fail_msg("no UTF-8: %.200s", text);
    json_decref(string);
    for (; *text; text++)
        assert_true((unsigned char)*text >= 0x20 || *text == '\n');
}

#endif
