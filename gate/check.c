#include "check.h"

#include "../src/number.h"
#include "../src/text.h"
#include "idle_rules.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const verdict_words[VERDICTS] = {
    [VERDICT_FAILED] = "FAIL", [VERDICT_ALLOWED] = "allowed", [VERDICT_PASSED] = "ok", [VERDICT_SKIPPED] = "skipped"};

/* ---- whom a rule is about ---- */

static bool glob_matches(const char *glob, const char *text)
{
    return fnmatch(glob, text, 0) == 0;
}

bool rule_matches(const struct rule *rule, const char *method, const char *data, const char *backend)
{
    return glob_matches(method_unalias(rule->method), method) && glob_matches(rule->data, data) &&
           (!rule->backend || strcmp(rule->backend, backend) == 0);
}

bool allowance_matches(const struct allowance *allowance, const char *method, const char *data)
{
    return glob_matches(method_unalias(allowance->method), method) && glob_matches(allowance->data, data);
}

static bool is_of_metric(const struct allowance *allowance, int metric)
{
    return (allowance->metric == GATE_METRICS || allowance->metric == metric);
}

static bool is_error(int metric)
{
    return metric < METRICS;
}

/* What cannot be compared with the baseline has no limit.  Nor has a series without numbers, which is about its sums.
 */
bool finding_is_of_study(const struct finding *finding)
{
    const struct rule *rule = finding->rule;
    const bool by_baseline = rule->limit.kind == LIMIT_BASELINE || rule->limit.kind == LIMIT_SAME_BASELINE;
    return (is_error(rule->metric) && rule->statistic == GATE_COUNT) ||
           (by_baseline && isnan(finding->limit) && finding->series && wrong_nonfinite(finding->series) == 0);
}

/* ---- one rule and one series ---- */

/* What is being judged; a judge fills in verdict, value, limit, unit and `said`. */
struct judging {
    const struct check *check;
    struct finding *finding;
    struct text said;
};

static void say_number(struct text *said, double number, const char *unit)
{
    char text[NUMBER_TEXT];
    if (strcmp(unit, "sums") == 0) {
        text_append(said, "%.0f sum%s", number, number == 1 ? "" : "s");
        return;
    }
    write_rounded(number, text);
    text_append(said, "%s%s%s", text, *unit ? " " : "", unit);
}

/* "ulp_error max 12.3 ulp", in the unit of the limit */
static void say_value(struct judging *judging, double value, const char *unit)
{
    const struct rule *rule = judging->finding->rule;
    text_append(&judging->said, "%s", gate_metric_names[rule->metric]);
    if (is_error(rule->metric) || rule->statistic == GATE_COUNT)
        text_append(&judging->said, " %s", gate_statistic_names[rule->statistic]);
    text_append(&judging->said, " ");
    if (rule->limit.unit)
        say_number(&judging->said, rule->limit.parts * value, rule->limit.unit);
    else
        say_number(&judging->said, value, unit);
}

static void decide(struct judging *judging, bool passes, double value, double limit, const char *unit)
{
    struct finding *finding = judging->finding;
    finding->verdict = passes ? VERDICT_PASSED : VERDICT_FAILED;
    finding->value = value;
    finding->limit = limit;
    finding->unit = unit;
}

static void skip(struct judging *judging, const char *why)
{
    decide(judging, false, NAN, NAN, "");
    judging->finding->verdict = VERDICT_SKIPPED;
    text_append(&judging->said, "%s", why);
}

/* Of an error that no sum of the series has.  Where the sums are no numbers although they should be, that is a failure,
 * not a lack of numbers. */
static void judge_without_numbers(struct judging *judging, const char *why)
{
    const uint64_t wrong = wrong_nonfinite(judging->finding->series);
    if (wrong == 0) {
        skip(judging, why);
        return;
    }
    decide(judging, false, NAN, NAN, "");
    text_append(&judging->said, "%s: %" PRIu64 " of %" PRIu64 " sums are NaN or infinite and should not be",
                gate_metric_names[judging->finding->rule->metric], wrong, judging->finding->series->count);
}

/* Whether the errors say less than the sums.  Where no bound is claimed, a NaN has no quotient; and one is enough for
 * max and mean. */
static bool lacks_numbers(const struct series *series, int metric, enum gate_statistic statistic)
{
    if (statistic == GATE_COUNT || !is_error(metric))
        return false;
    const bool is_of_all = statistic == GATE_MAX || statistic == GATE_MEAN;
    return series->defined[metric] == 0 || (metric == METRIC_bound_ratio && is_of_all && wrong_nonfinite(series) > 0);
}

/* How many of the largest a statistic passes over. */
static uint64_t passed_over(enum gate_statistic statistic, uint64_t count)
{
    static const uint64_t percents[GATE_STATISTICS] = {[GATE_P99] = 1, [GATE_P50] = 50};
    return count / 100 * percents[statistic] + count % 100 * percents[statistic] / 100;
}

/* A sum that is not 0 where s is 0 has no relative error, and would be passed over: garbage in place of 0.  It is
 * larger than every multiple of |s|. */
static bool errs_beyond_measure(struct judging *judging)
{
    const struct rule *rule = judging->finding->rule;
    const struct series *series = judging->finding->series;
    const uint64_t wrong = series->classes[CLASS_ZERO_SUM];
    if (rule->metric != METRIC_relative_error || rule->statistic == GATE_COUNT ||
        wrong <= passed_over(rule->statistic, series->defined[rule->metric] + wrong))
        return false;
    decide(judging, false, INFINITY, rule->limit.number, "");
    text_append(&judging->said,
                "relative_error %s inf, limit %s: of %" PRIu64 " sums %" PRIu64
                " are not 0 where s is 0; hold ulp_error or backward_error on such data",
                gate_statistic_names[rule->statistic], rule->limit.text, series->count, wrong);
    return true;
}

static void judge_number(struct judging *judging)
{
    const struct rule *rule = judging->finding->rule;
    const struct series *series = judging->finding->series;
    if (errs_beyond_measure(judging))
        return;
    if (lacks_numbers(series, rule->metric, rule->statistic)) {
        judge_without_numbers(judging, rule->metric == METRIC_bound_ratio ? "no bound is claimed for it"
                                                                          : "no sum has such an error: s is NaN");
        return;
    }
    const char *unit = gate_unit(rule->metric, rule->statistic);
    const double value = gate_value(series, rule->metric, rule->statistic), limit = rule->limit.number;
    const bool least = rule->limit.kind == LIMIT_LEAST;
    decide(judging, least ? value >= limit : value <= limit, value, limit, unit); /* both are false for NaN */
    say_value(judging, value, unit);
    text_append(&judging->said, ", %s %s", least ? "at least" : "limit", rule->limit.text);
}

/* Two results of one data set may each be as far from s as the bound, on either side. */
static void judge_spread_by_bound(struct judging *judging)
{
    const struct rule *rule = judging->finding->rule;
    const struct series *series = judging->finding->series;
    if (!isfinite(series->ulp_bound)) {
        judge_without_numbers(judging, "no bound is claimed for it");
        return;
    }
    const double value = series->spread, limit = 2 * rule->limit.number * series->ulp_bound;
    decide(judging, value <= limit, value, limit, "ulp");
    say_value(judging, value, "ulp");
    text_append(&judging->said, ", limit %s: ", rule->limit.text);
    say_number(&judging->said, limit, "ulp");
}

/* The largest value that the bound allows, where the series keeps it; not of a failure that is below it, since the sum
 * that fails has a smaller bound. */
static void say_derived_limit(struct judging *judging)
{
    const struct rule *rule = judging->finding->rule;
    const struct series *series = judging->finding->series;
    const double bounds[METRICS] = {
        [METRIC_ulp_error] = series->ulp_bound, [METRIC_relative_error] = series->relative_bound};
    const double most = rule->limit.number * bounds[rule->metric];
    const bool explains =
        judging->finding->verdict == VERDICT_PASSED || !(gate_value(series, rule->metric, rule->statistic) <= most);
    if (most > 0 && explains) {
        text_append(&judging->said, ": at most ");
        say_number(&judging->said, most, gate_unit(rule->metric, GATE_MAX));
    }
}

/* Each sum has a bound of its own, so errors are compared as shares of it. */
static void judge_by_bound(struct judging *judging)
{
    const struct rule *rule = judging->finding->rule;
    const struct series *series = judging->finding->series;
    if (rule->metric == GATE_SPREAD) {
        judge_spread_by_bound(judging);
        return;
    }
    if (lacks_numbers(series, METRIC_bound_ratio, rule->statistic)) {
        judge_without_numbers(judging, "no bound is claimed for it");
        return;
    }
    const double share = gate_value(series, METRIC_bound_ratio, rule->statistic);
    decide(judging, share <= rule->limit.number, share, rule->limit.number, "of its bound");
    if (rule->metric == METRIC_bound_ratio) {
        say_value(judging, share, "");
    } else {
        say_value(judging, gate_value(series, rule->metric, rule->statistic), gate_unit(rule->metric, rule->statistic));
        text_append(&judging->said, ", ");
        say_number(&judging->said, share, "of its bound");
    }
    text_append(&judging->said, ", limit %s", rule->limit.text);
    say_derived_limit(judging);
}

static void judge_exact_bits(struct judging *judging)
{
    const struct series *series = judging->finding->series;
    decide(judging, series->not_nearest == 0, (double)series->not_nearest, 0, "sums");
    text_append(&judging->said, "bits: %" PRIu64 " of %" PRIu64 " sums are not the correctly rounded exact one",
                series->not_nearest, series->count);
}

/* Whether the line of the baseline can be compared with; else the finding is made. */
static bool is_comparable(struct judging *judging)
{
    const struct check *check = judging->check;
    struct finding *finding = judging->finding;
    char why[REASON_SIZE];
    finding->before = baseline_find(check->baseline, check->results, finding->series);
    if (!finding->before) {
        skip(judging, "new: the baseline has no such series");
        return false;
    }
    switch (baseline_likeness(check->baseline, finding->before, check->results, finding->series, why)) {
    case LIKE:
        return true;
    case ELSEWHERE:
        skip(judging, why);
        return false;
    case OTHER_STUDY:
        break;
    }
    decide(judging, false, NAN, NAN, "");
    text_append(&judging->said, "%s cannot be compared with the baseline: %s", gate_metric_names[finding->rule->metric],
                why);
    return false;
}

static double value_before(const struct baseline_series *before, int metric, enum gate_statistic statistic)
{
    if (metric == GATE_SPREAD)
        return before->spread;
    if (metric == GATE_NONFINITE)
        return (double)before->nonfinite;
    return before->values[metric][statistic];
}

/* The data are those of the baseline: what has no error any more is not 0 where s is 0, or NaN. */
static bool has_lost_errors(struct judging *judging)
{
    const struct rule *rule = judging->finding->rule;
    if (!is_error(rule->metric))
        return false;
    const double before = judging->finding->before->values[rule->metric][GATE_COUNT];
    const double now = gate_value(judging->finding->series, rule->metric, GATE_COUNT);
    if (now >= before)
        return false;
    decide(judging, false, NAN, NAN, "");
    text_append(&judging->said, "%s: %.0f sums have such an error, of the baseline %.0f",
                gate_metric_names[rule->metric], now, before);
    return true;
}

static void judge_by_baseline(struct judging *judging)
{
    const struct rule *rule = judging->finding->rule;
    const struct series *series = judging->finding->series;
    if (!is_comparable(judging))
        return;
    if (has_lost_errors(judging))
        return;
    if (lacks_numbers(series, rule->metric, rule->statistic)) {
        judge_without_numbers(judging, "no sum has such an error");
        return;
    }
    const char *unit = gate_unit(rule->metric, rule->statistic);
    const double before = value_before(judging->finding->before, rule->metric, rule->statistic);
    const double value = gate_value(series, rule->metric, rule->statistic), limit = rule->limit.number * before;
    decide(judging, value <= limit, value, limit, unit);
    say_value(judging, value, unit);
    text_append(&judging->said, ", limit %s: ", rule->limit.text);
    say_number(&judging->said, limit, unit);
}

static void judge_baseline_bits(struct judging *judging)
{
    const struct series *series = judging->finding->series;
    if (!is_comparable(judging))
        return;
    if (baseline_is_unstable(judging->check->results, series)) {
        skip(judging, "unstable: its order is that of arrival");
        return;
    }
    const bool several = series->distinct_bits > 1;
    const bool same = !several && strcmp(series->bits_hash, judging->finding->before->bits) == 0;
    decide(judging, same, same ? 0 : 1, 0, "");
    if (several)
        text_append(&judging->said, "bits: %" PRIu64 " results of one data set, of a method whose order is fixed",
                    series->distinct_bits);
    else
        text_append(&judging->said, "bits: %s those of the baseline", same ? "the same as" : "not");
    if (!same && !several) {
        text_append(&judging->said, "; ulp_error max ");
        say_number(&judging->said, judging->finding->before->values[METRIC_ulp_error][GATE_MAX], "ulp");
        text_append(&judging->said, " then, ");
        say_number(&judging->said, gate_value(series, METRIC_ulp_error, GATE_MAX), "ulp now");
    }
}

static void (*const judges[])(struct judging *judging) = {
    [LIMIT_NUMBER] = judge_number,
    [LIMIT_LEAST] = judge_number,
    [LIMIT_AUTO] = judge_by_bound,
    [LIMIT_BOUND] = judge_by_bound,
    [LIMIT_BASELINE] = judge_by_baseline,
    [LIMIT_SAME_EXACT] = judge_exact_bits,
    [LIMIT_SAME_BASELINE] = judge_baseline_bits,
};

/* Of data that are summed once the spread is 0, whatever the kernel. */
static void judge(struct judging *judging)
{
    const struct rule *rule = judging->finding->rule;
    if (rule->metric == GATE_SPREAD && judging->finding->series->repeated == 0)
        skip(judging, "each data set was summed once; run the study on a GPU with --repeats 2");
    else
        judges[rule->limit.kind](judging);
}

/* ---- what is allowed ---- */

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
    if (check->count == *capacity) {
        const size_t grown_capacity = *capacity ? 2 * *capacity : 64;
        struct finding *grown = reallocarray(check->findings, grown_capacity, sizeof *grown);
        if (!grown) {
            free(finding.said);
            return out_of_memory("the findings");
        }
        check->findings = grown;
        *capacity = grown_capacity;
    }
    check->findings[check->count++] = finding;
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
        struct judging judging = {.check = check, .finding = &finding};
        judge(&judging);
        finding.said = text_take(&judging.said);
        if (!finding.said)
            return out_of_memory("the findings");
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

static bool has_backend(const struct results *results, const char *backend)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (strcmp(results->series[i].backend, backend) == 0)
            return true;
    return false;
}

/* A series that was taken out of the study would otherwise never fail again.  Kernels cannot run everywhere. */
static enum status judge_missing(struct check *check, size_t *capacity, const struct baseline_series *before)
{
    for (size_t r = 0; r < check->limits->rule_count; r++) {
        const struct rule *rule = &check->limits->rules[r];
        if (!asks_for_baseline(rule) || !rule_matches(rule, before->method, before->data, before->backend))
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
    return check->by[VERDICT_FAILED] == 0 && check->expired == 0;
}
