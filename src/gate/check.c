#include "check.h"

#include "attacked_data.h"
#include "rule_judge.h"
#include "src/base/list.h"
#include "src/base/memory.h"
#include "zeros.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what is allowed ---- */

static bool is_of_metric(const struct allowance *allowance, int metric)
{
    return (allowance->metric == GATE_METRICS || allowance->metric == metric);
}

/* Of several allowances that match, one that has not expired. */
static void allow(const struct check *check, struct finding *finding, const char *method, const char *data)
{
    for (size_t i = 0; i < check->limits->allowance_count && finding->verdict == VERDICT_FAILED; i++) {
        const struct allowance *allowance = &check->limits->allowances[i];
        if (!allowance_matches(allowance, method, data) || !is_of_metric(allowance, finding->rule->metric))
            continue;
        finding->allowance = allowance;
        if (!date_is_after(check->today, allowance->until)) {
            finding->verdict = VERDICT_ALLOWED;
            check->allowed_by[i]++;
        }
    }
}

bool allowance_is_over(const struct check *check, const struct allowance *allowance)
{
    return allowance->metric != GATE_NO_CLAIM && date_is_after(check->today, allowance->until);
}

static size_t count_expired(const struct check *check)
{
    size_t expired = 0;
    for (size_t i = 0; i < check->limits->allowance_count; i++)
        expired += allowance_is_over(check, &check->limits->allowances[i]);
    return expired;
}

/* ---- all rules and all series ---- */

static void append(struct check *check, size_t *capacity, struct finding finding)
{
    check->findings = list_short(check->findings, check->count, capacity, sizeof *check->findings);
    check->findings[check->count++] = finding;
}

static void judge_series(struct check *check, size_t *capacity, const struct series *series)
{
    bool checked = false;
    for (size_t r = 0; r < check->limits->rule_count; r++) {
        const struct rule *rule = &check->limits->rules[r];
        if (!rule_matches(rule, series->method, series->data, series->backend))
            continue;
        struct finding finding = {.rule = rule, .series = series};
        rule_judge(check, &finding);
        allow(check, &finding, series->method, series->data);
        check->matched_by[r]++;
        check->compared_by[r] += finding.verdict != VERDICT_SKIPPED;
        checked |= finding.verdict != VERDICT_SKIPPED;
        append(check, capacity, finding);
    }
    check->checked_series += checked;
}

static bool asks_for_baseline(const struct rule *rule)
{
    return rule->limit.kind == LIMIT_BASELINE || rule->limit.kind == LIMIT_SAME_BASELINE;
}

const struct rule *limits_need_baseline(const struct limits *limits)
{
    for (size_t r = 0; r < limits->rule_count; r++)
        if (asks_for_baseline(&limits->rules[r]))
            return &limits->rules[r];
    return NULL;
}

/* A series that was taken out of the study would otherwise never fail again.  Kernels cannot run everywhere.  Of what
 * is there but for one fact, its series says so. */
static void judge_missing(struct check *check, size_t *capacity, const struct baseline_series *before)
{
    const struct series *counterpart = baseline_counterpart_of(check->baseline, check->results, before);
    for (size_t r = 0; r < check->limits->rule_count; r++) {
        const struct rule *rule = &check->limits->rules[r];
        if (!asks_for_baseline(rule) || !rule_matches(rule, before->method, before->data, before->backend))
            continue;
        if (counterpart && rule_matches(rule, counterpart->method, counterpart->data, counterpart->backend))
            continue;
        const bool elsewhere = !results_have_backend(check->results, before->backend);
        struct finding finding = {
            .verdict = elsewhere ? VERDICT_SKIPPED : VERDICT_FAILED,
            .rule = rule,
            .before = before,
            .value = NAN,
            .limit = NAN,
            .unit = "",
            .said = memory_copy(elsewhere ? "the run has no sums of this backend"
                                          : "missing: the baseline has this series, the run does not"),
        };
        allow(check, &finding, before->method, before->data);
        append(check, capacity, finding);
    }
}

static void judge_all(struct check *check)
{
    size_t capacity = 0;
    OWNED bool *found = check->baseline ? memory_cleared(check->baseline->count + 1, sizeof *found) : NULL;
    for (size_t i = 0; i < check->results->series_count; i++) {
        const struct series *series = &check->results->series[i];
        const struct baseline_series *before =
            check->baseline ? baseline_find(check->baseline, check->results, series) : NULL;
        if (before)
            found[before - check->baseline->series] = true;
        judge_series(check, &capacity, series);
    }
    for (size_t b = 0; check->baseline && b < check->baseline->count; b++)
        if (!found[b])
            judge_missing(check, &capacity, &check->baseline->series[b]);
}

/* Stable: within a verdict the order of series and rules stays. */
static void sort_by_verdict(struct check *check)
{
    struct finding *sorted = memory_cleared(check->count + 1, sizeof *sorted);
    size_t next = 0;
    for (int verdict = 0; verdict < VERDICTS; verdict++)
        for (size_t i = 0; i < check->count; i++)
            if ((int)check->findings[i].verdict == verdict) {
                sorted[next++] = check->findings[i];
                check->by[verdict]++;
            }
    free(check->findings);
    check->findings = sorted;
}

/* ---- what was not measured ---- */

bool check_is_complete(const struct check *check)
{
    return check->results->cases == study_record_share(&check->results->study) && check->partial == 0;
}

/* ---- the whole ---- */

static void begin(struct check *check)
{
    const struct limits *limits = check->limits;
    check->allowed_by = memory_cleared(limits->allowance_count + 1, sizeof *check->allowed_by);
    check->compared_by = memory_cleared(limits->rule_count + 1, sizeof *check->compared_by);
    check->matched_by = memory_cleared(limits->rule_count + 1, sizeof *check->matched_by);
}

enum status check_make(struct check *check)
{
    begin(check);
    check->expired = count_expired(check);
    check->partial = results_partial(check->results);
    judge_all(check);
    TRY(zeros_judge(check));
    attacked_data_tell(check);
    sort_by_verdict(check);
    return idle_rules_refuse(check);
}

void check_series(struct check *check, size_t first, size_t count)
{
    size_t capacity = 0;
    begin(check);
    for (size_t i = first; i < first + count; i++)
        judge_series(check, &capacity, &check->results->series[i]);
}

void check_free(struct check *check)
{
    for (size_t i = 0; i < check->count; i++)
        free_all(check->findings[i].said, check->findings[i].cause);
    free_all(check->findings, check->allowed_by, check->compared_by, check->matched_by, check->holds_nothing,
             check->is_unheld);
    *check = (struct check){0};
}

bool check_passes(const struct check *check)
{
    return check->by[VERDICT_FAILED] == 0 && check->expired == 0 && check->kernels_differ == 0 && check->unheld == 0;
}
