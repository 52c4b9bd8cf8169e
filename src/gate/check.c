#include "check.h"

#include "src/base/list.h"
#include "src/measure/judge.h"
#include "src/results/collector.h"

#include <fnmatch.h>

/* Zeros in the place of a run's sums, held to the same limits by the same judge: a rule that they pass on all of its
 * data holds nothing.  Where s is 0, a 0 is right and says nothing.  Of matrix products the elements count that the run
 * keeps. */

struct zeros {
    struct check *check, of_zeros; /* the same limits and baseline, of other results */
    struct results results;        /* of zeros; their study and facts belong to the check */
    struct collector *collector;
    bool *holds;             /* of each rule: zeros do not pass all of a series */
    struct finding **partly; /* findings that some zeros pass and others do not, in the order of the check */
    size_t partly_count;
    char *exact; /* the text of `sum` */
    struct exact_sum sum;
};

/* ---- rows ---- */

/* What the row knows of its exact sum; sum |x_i| from the condition, and nothing of it where s is 0. */
static void read_exact(struct zeros *zeros, const struct result *row)
{
    const mpfr_prec_t bits = (mpfr_prec_t)(4 * strlen(row->exact) + 64);
    if (!zeros->exact || strcmp(zeros->exact, row->exact) != 0) {
        if (zeros->exact)
            exact_free(&zeros->sum);
        free(zeros->exact);
        zeros->exact = memory_copy(row->exact);
        mpfr_inits2(bits, zeros->sum.sum, zeros->sum.sum_abs, (mpfr_ptr)NULL);
        mpfr_set_str(zeros->sum.sum, row->exact, 0, MPFR_RNDN);
    }
    struct exact_sum *sum = &zeros->sum;
    sum->format = row->format;
    sum->n = row->n;
    sum->kind = mpfr_nan_p(sum->sum) ? EXACT_NAN : mpfr_inf_p(sum->sum) ? EXACT_INF : EXACT_FINITE;
    mpfr_abs(sum->sum_abs, sum->sum, MPFR_RNDN);
    mpfr_mul_d(sum->sum_abs, sum->sum_abs, row->condition, MPFR_RNDU);
    if (mpfr_zero_p(sum->sum))
        mpfr_set_inf(sum->sum_abs, 1);
}

/* 0 in the place of its sum. */
static struct stored zero_of(struct zeros *zeros, const struct stored *row)
{
    struct stored zero = *row;
    struct result *result = &zero.result;
    const struct promise promise = {
        .height = result->height, .bound = result->bound, .bound_if_finite = result->bound, .probabilistic_bound = NAN};
    struct measured judged;
    read_exact(zeros, &row->result);
    judge_sum(&zeros->sum, result->format, &promise, format_bits(result->format, 0), &judged);
    result->computed = judged.computed;
    result->computed_bits = judged.computed_bits;
    result->nearest_bits = judged.nearest_bits;
    result->class = judged.class;
    memcpy(result->metrics, judged.metrics, sizeof result->metrics);
    memcpy(result->means, judged.metrics, sizeof result->means);
    return zero;
}

static enum status take_zero(void *context, const struct stored *row)
{
    struct zeros *zeros = context;
    const struct stored zero = zero_of(zeros, row);
    return collector_take(zeros->collector, &zero);
}

/* ---- rules ---- */

/* An error and not a number of sums: of what else a rule asks zeros know nothing. */
static bool is_tolerance(const struct rule *rule)
{
    return rule->metric < METRICS && rule->statistic != GATE_COUNT;
}

static struct series *zeros_of(const struct zeros *zeros, const struct finding *finding)
{
    return &zeros->results.series[finding->series - zeros->check->results->series];
}

static bool passes(const struct zeros *zeros, const struct rule *rule, const struct series *series)
{
    struct finding finding = {.rule = rule, .series = series};
    rule_judge(&zeros->of_zeros, &finding);
    free(finding.said);
    return finding.verdict == VERDICT_PASSED;
}

/* The series where all its errors are these, in place of the other for as long as it is judged. */
static bool passes_with(const struct zeros *zeros, const struct finding *finding, const double *values)
{
    struct series *series = zeros_of(zeros, finding), kept = *series;
    for (int m = 0; m < METRICS; m++)
        series->statistics[m] = (struct statistics){values[m], values[m], values[m], values[m], values[m], values[m]};
    if (isnan(values[METRIC_bound_ratio]) && kept.no_claim > 0)
        series->defined[METRIC_bound_ratio] = 0;
    const bool does_pass = passes(zeros, finding->rule, series);
    *series = kept;
    return does_pass;
}

/* All of them, where the largest errors pass; none, where the least do not; else row by row. */
static void try_finding(struct zeros *zeros, struct finding *finding)
{
    const struct series *series = zeros_of(zeros, finding);
    double least[METRICS], largest[METRICS];
    for (int m = 0; m < METRICS; m++) {
        least[m] = series->statistics[m].min;
        largest[m] = series->statistics[m].max;
    }
    const size_t rule = (size_t)(finding->rule - zeros->check->limits->rules);
    finding->zeros_tried = series->count - series->classes[CLASS_EXACT];
    if (finding->zeros_tried == 0)
        return;
    zeros->check->holds_nothing[rule] = true;
    zeros->holds[rule] |= !passes(zeros, finding->rule, series);
    if (passes_with(zeros, finding, largest))
        finding->zeros_pass = finding->zeros_tried;
    else if (passes_with(zeros, finding, least))
        zeros->partly[zeros->partly_count++] = finding;
}

static bool is_of(const struct stored *row, const struct zeros *zeros, const struct series *series)
{
    const struct study_record *study = &zeros->check->results->study;
    return series->entry == row->entry && series->spec == row->spec &&
           series->backend == &backend_table[row->backend] && series->launch.blocks == row->result.launch.blocks &&
           series->launch.threads == row->result.launch.threads &&
           strcmp(series->method, study->methods[row->method].id) == 0;
}

static enum status try_row(void *context, const struct stored *row)
{
    struct zeros *zeros = context;
    struct stored zero = {0};
    for (size_t i = 0; i < zeros->partly_count; i++) {
        struct finding *finding = zeros->partly[i];
        if (!is_of(row, zeros, finding->series))
            continue;
        if (!zero.result.format)
            zero = zero_of(zeros, row);
        if (zero.result.class != CLASS_EXACT && passes_with(zeros, finding, zero.result.metrics))
            finding->zeros_pass += row->result.weight;
    }
    return OK;
}

/* ---- what holds nothing ---- */

static bool is_allowed(struct check *check, const struct series *series)
{
    for (size_t i = 0; i < check->limits->allowance_count; i++) {
        const struct allowance *allowance = &check->limits->allowances[i];
        if (allowance->metric == GATE_NO_CLAIM && allowance_matches(allowance, series->method, series->data)) {
            check->allowed_by[i]++;
            return true;
        }
    }
    return false;
}

static void say_zeros(struct finding *finding)
{
    char *said = finding->said;
    finding->said =
        text_made("%s; zeros pass on %" PRIu64 " of %" PRIu64 " sums", said, finding->zeros_pass, finding->zeros_tried);
    free(said);
}

/* Rules of bits hold a series, but for those about what may change them; so does a rule that 0 is right by. */
static void note_series(const struct zeros *zeros)
{
    struct check *check = zeros->check;
    OWNED bool *is_held = memory_cleared(check->results->series_count + 1, sizeof *is_held);
    for (size_t i = 0; i < check->count; i++) {
        struct finding *finding = &check->findings[i];
        if (finding->zeros_pass > 0)
            say_zeros(finding);
        if (!finding->series || finding->verdict == VERDICT_SKIPPED)
            continue;
        const size_t series = (size_t)(finding->series - check->results->series);
        const bool is_empty = finding->zeros_tried > 0 && finding->zeros_pass == finding->zeros_tried;
        const enum limit_kind kind = finding->rule->limit.kind;
        is_held[series] |=
            kind == LIMIT_SAME_EXACT || kind == LIMIT_SAME_BASELINE || (is_tolerance(finding->rule) && !is_empty);
        check->is_unheld[series] |= is_empty;
    }
    for (size_t s = 0; s < check->results->series_count; s++) {
        check->is_unheld[s] = check->is_unheld[s] && !is_held[s] && !is_allowed(check, &check->results->series[s]);
        check->unheld += check->is_unheld[s];
    }
}

static enum status judge(struct zeros *zeros)
{
    struct check *check = zeros->check;
    const struct results *of = check->results;
    zeros->results =
        (struct results){.study = of->study, .cases = of->cases, .facts = of->facts, .fact_count = of->fact_count};
    zeros->collector = collector_start(&zeros->results);
    TRY(zeros->collector ? OK : out_of_memory("the series of zeros"));
    TRY(store_each(check->results->store, take_zero, zeros));
    TRY(collector_end(zeros->collector));
    zeros->of_zeros = (struct check){
        .results = &zeros->results, .limits = check->limits, .baseline = check->baseline, .today = check->today};
    for (size_t i = 0; i < check->count; i++) {
        struct finding *finding = &check->findings[i];
        if (finding->series && is_tolerance(finding->rule) && finding->verdict != VERDICT_SKIPPED)
            try_finding(zeros, finding);
    }
    if (zeros->partly_count > 0)
        TRY(store_each(check->results->store, try_row, zeros));
    for (size_t r = 0; r < check->limits->rule_count; r++)
        check->holds_nothing[r] = check->holds_nothing[r] && !zeros->holds[r];
    note_series(zeros);
    return OK;
}

/* Sets what finding.h says of zeros, of a run that has a store, and tells it in `said`.  NOT_MEASURED: no memory. */
static enum status zeros_judge(struct check *check)
{
    struct zeros zeros = {.check = check};
    if (!check->results->store)
        return OK;
    check->holds_nothing = memory_cleared(check->limits->rule_count + 1, sizeof *check->holds_nothing);
    check->is_unheld = memory_cleared(check->results->series_count + 1, sizeof *check->is_unheld);
    zeros.holds = memory_cleared(check->limits->rule_count + 1, sizeof *zeros.holds);
    zeros.partly = memory_cleared(check->count + 1, sizeof *zeros.partly);
    const enum status status = judge(&zeros);
    for (size_t i = 0; i < zeros.results.series_count; i++)
        series_free(&zeros.results.series[i]);
    collector_free(zeros.collector);
    if (zeros.exact)
        exact_free(&zeros.sum);
    free_all(zeros.results.series, zeros.results.reproducibility, zeros.exact, zeros.holds, zeros.partly);
    return status;
}

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

/* A series that was taken out of the study would otherwise never fail again.  Kernels cannot run everywhere. */
static void judge_missing(struct check *check, size_t *capacity, const struct baseline_series *before)
{
    for (size_t r = 0; r < check->limits->rule_count; r++) {
        const struct rule *rule = &check->limits->rules[r];
        if (!asks_for_baseline(rule) || !rule_matches(rule, before->method, before->data, before->backend))
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

bool check_is_complete(const struct check *check)
{
    return check->results->cases == check->results->study.cases && check->partial == 0;
}

/* ---- the whole ---- */

enum status check_make(struct check *check)
{
    const struct limits *limits = check->limits;
    check->allowed_by = memory_cleared(limits->allowance_count + 1, sizeof *check->allowed_by);
    check->compared_by = memory_cleared(limits->rule_count + 1, sizeof *check->compared_by);
    check->matched_by = memory_cleared(limits->rule_count + 1, sizeof *check->matched_by);
    check->expired = count_expired(check);
    check->partial = results_partial(check->results);
    judge_all(check);
    TRY(zeros_judge(check));
    sort_by_verdict(check);
    return idle_rules_refuse(check);
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

const char *const verdict_words[VERDICTS] = {
    [VERDICT_FAILED] = "FAIL", [VERDICT_ALLOWED] = "allowed", [VERDICT_PASSED] = "ok", [VERDICT_SKIPPED] = "skipped"};

static bool glob_matches(const char *glob, const char *text)
{
    return fnmatch(glob, text, 0) == 0;
}

bool rule_matches(const struct rule *rule, const char *method, const char *data, const struct backend *backend)
{
    return glob_matches(rule->method, method) && glob_matches(rule->data, data) &&
           (!rule->backend || rule->backend == backend);
}

bool allowance_matches(const struct allowance *allowance, const char *method, const char *data)
{
    return glob_matches(allowance->method, method) && glob_matches(allowance->data, data);
}
