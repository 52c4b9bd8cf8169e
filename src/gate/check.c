#include "check.h"

#include "rule_judge.h"
#include "src/base/list.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static size_t count_expired(const struct check *check)
{
    size_t expired = 0;
    for (size_t i = 0; i < check->limits->allowance_count; i++)
        expired += date_is_after(check->today, check->limits->allowances[i].until);
    return expired;
}

/* ---- all rules and all series ---- */

static enum status append(struct check *check, size_t *capacity, struct finding finding)
{
    struct finding *findings = list_with_room(check->findings, check->count, capacity, sizeof *findings);
    if (!findings) {
        free(finding.said);
        return out_of_memory("the findings");
    }
    check->findings = findings;
    findings[check->count++] = finding;
    return OK;
}

static enum status judge_series(struct check *check, size_t *capacity, const struct series *series)
{
    bool checked = false;
    for (size_t r = 0; r < check->limits->rule_count; r++) {
        const struct rule *rule = &check->limits->rules[r];
        if (!rule_matches(rule, series->method, series->data, series->backend))
            continue;
        struct finding finding = {.rule = rule, .series = series};
        TRY(rule_judge(check, &finding));
        allow(check, &finding, series->method, series->data);
        check->matched_by[r]++;
        check->compared_by[r] += finding.verdict != VERDICT_SKIPPED;
        checked |= finding.verdict != VERDICT_SKIPPED;
        TRY(append(check, capacity, finding));
    }
    check->checked_series += checked;
    return OK;
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

static bool has_backend(const struct results *results, const struct backend *backend)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (results->series[i].backend == backend)
            return true;
    return false;
}

/* A series that was taken out of the study would otherwise never fail again.  Kernels cannot run everywhere.  Of what
 * is there but for one fact, its series says so. */
static enum status judge_missing(struct check *check, size_t *capacity, const struct baseline_series *before)
{
    const struct series *counterpart = baseline_counterpart_of(check->baseline, check->results, before);
    for (size_t r = 0; r < check->limits->rule_count; r++) {
        const struct rule *rule = &check->limits->rules[r];
        if (!asks_for_baseline(rule) || !rule_matches(rule, before->method, before->data, before->backend))
            continue;
        if (counterpart && rule_matches(rule, counterpart->method, counterpart->data, counterpart->backend))
            continue;
        const bool elsewhere = !has_backend(check->results, before->backend);
        struct finding finding = {
            .verdict = elsewhere ? VERDICT_SKIPPED : VERDICT_FAILED,
            .rule = rule,
            .before = before,
            .value = NAN,
            .limit = NAN,
            .unit = "",
            .said = strdup(elsewhere ? "the run has no sums of this backend"
                                     : "missing: the baseline has this series, the run does not"),
        };
        if (!finding.said)
            return out_of_memory("the findings");
        allow(check, &finding, before->method, before->data);
        TRY(append(check, capacity, finding));
    }
    return OK;
}

static enum status judge_all(struct check *check)
{
    size_t capacity = 0;
    bool *found = check->baseline ? calloc(check->baseline->count + 1, sizeof *found) : NULL;
    enum status status = OK;
    if (check->baseline && !found)
        return out_of_memory("the findings");
    for (size_t i = 0; i < check->results->series_count && status == OK; i++) {
        const struct series *series = &check->results->series[i];
        const struct baseline_series *before =
            check->baseline ? baseline_find(check->baseline, check->results, series) : NULL;
        if (before)
            found[before - check->baseline->series] = true;
        status = judge_series(check, &capacity, series);
    }
    for (size_t b = 0; check->baseline && b < check->baseline->count && status == OK; b++)
        if (!found[b])
            status = judge_missing(check, &capacity, &check->baseline->series[b]);
    free(found);
    return status;
}

/* Stable: within a verdict the order of series and rules stays. */
static enum status sort_by_verdict(struct check *check)
{
    struct finding *sorted = calloc(check->count + 1, sizeof *sorted);
    size_t next = 0;
    if (!sorted)
        return out_of_memory("the findings");
    for (int verdict = 0; verdict < VERDICTS; verdict++)
        for (size_t i = 0; i < check->count; i++)
            if ((int)check->findings[i].verdict == verdict) {
                sorted[next++] = check->findings[i];
                check->by[verdict]++;
            }
    free(check->findings);
    check->findings = sorted;
    return OK;
}

/* ---- what was not measured ---- */

bool check_is_complete(const struct check *check)
{
    return check->results->cases == check->results->study.cases && check->partial == 0;
}

/* ---- the whole ---- */

static enum status begin(struct check *check)
{
    const struct limits *limits = check->limits;
    check->allowed_by = calloc(limits->allowance_count + 1, sizeof *check->allowed_by);
    check->compared_by = calloc(limits->rule_count + 1, sizeof *check->compared_by);
    check->matched_by = calloc(limits->rule_count + 1, sizeof *check->matched_by);
    return check->allowed_by && check->compared_by && check->matched_by ? OK : out_of_memory("the findings");
}

enum status check_make(struct check *check)
{
    TRY(begin(check));
    check->expired = count_expired(check);
    check->partial = results_partial(check->results);
    TRY(judge_all(check));
    TRY(sort_by_verdict(check));
    return idle_rules_refuse(check);
}

enum status check_series(struct check *check, size_t first, size_t count)
{
    size_t capacity = 0;
    TRY(begin(check));
    for (size_t i = first; i < first + count; i++)
        TRY(judge_series(check, &capacity, &check->results->series[i]));
    return OK;
}

void check_free(struct check *check)
{
    for (size_t i = 0; i < check->count; i++) {
        free(check->findings[i].said);
        free(check->findings[i].cause);
    }
    free(check->findings);
    free(check->allowed_by);
    free(check->compared_by);
    free(check->matched_by);
    *check = (struct check){0};
}

bool check_passes(const struct check *check)
{
    return check->by[VERDICT_FAILED] == 0 && check->expired == 0 && check->kernels_differ == 0;
}
