#include "check.h"

static bool is_error(int metric)
{
    return metric < METRICS;
}

/* What is being judged; a judge fills in verdict, value, limit, unit and `said`. */
struct judging {
    const struct check *check;
    struct finding *finding;
    struct text said;
};

/* By how much a limit in u, of binary32, is larger in the format of a series' results. */
static double unit_ratio(const struct limit *limit, const struct series *series)
{
    return limit_is_in_u(limit) ? ldexp(1, FORMAT_BINARY32.precision - series->format->precision) : 1;
}

static void say_number(struct text *said, double number, const char *unit)
{
    if (strcmp(unit, "sums") == 0) {
        text_append(said, "%.0f sum%s", number, number == 1 ? "" : "s");
        return;
    }
    text_append(said, "%s%s%s", error_text(number), *unit ? " " : "", unit);
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
        say_number(&judging->said, rule->limit.parts / unit_ratio(&rule->limit, judging->finding->series) * value,
                   rule->limit.unit);
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

/* Their infinities are right. */
static void say_out_of_range(struct judging *judging)
{
    const struct series *series = judging->finding->series;
    const uint64_t beyond = series->classes[CLASS_OUT_OF_RANGE];
    if (beyond > 0)
        text_append(&judging->said, "; of %" PRIu64 " more s is beyond the range of %s, and infinity is right", beyond,
                    series->format->name);
}

/* Of an error that no sum of the series has.  Where the sums are no numbers although they should be, that is a failure,
 * not a lack of numbers. */
static void judge_without_numbers(struct judging *judging, const char *why)
{
    const struct series *series = judging->finding->series;
    const uint64_t wrong = wrong_nonfinite(series);
    if (wrong == 0) {
        skip(judging, why);
        return;
    }
    decide(judging, false, NAN, NAN, "");
    text_append(&judging->said, "%s: %" PRIu64 " of %" PRIu64 " sums are NaN or infinite and should not be",
                gate_metric_names[judging->finding->rule->metric], wrong, series->count);
    say_out_of_range(judging);
}

/* How many of the largest a statistic passes over. */
static uint64_t passed_over(enum gate_statistic statistic, uint64_t count)
{
    static const uint64_t percents[GATE_STATISTICS] = {[GATE_P99] = 1, [GATE_P50] = 50};
    return count / 100 * percents[statistic] + count % 100 * percents[statistic] / 100;
}

/* Whether the errors say less than the sums.  Where no bound is claimed, a NaN has no quotient: it is larger than all.
 */
static bool lacks_numbers(const struct series *series, int metric, enum gate_statistic statistic)
{
    if (statistic == GATE_COUNT || !is_error(metric))
        return false;
    const uint64_t defined = series->defined[metric],
                   wrong = metric == METRIC_bound_ratio ? wrong_nonfinite(series) : 0;
    return defined == 0 || wrong > passed_over(statistic, defined + wrong);
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
    const double value = gate_value(series, rule->metric, rule->statistic);
    const double limit = rule->limit.number * unit_ratio(&rule->limit, series);
    const bool least = rule->limit.kind == LIMIT_LEAST;
    decide(judging, least ? value >= limit : value <= limit, value, limit, unit); /* both are false for NaN */
    say_value(judging, value, unit);
    text_append(&judging->said, ", %s %s", least ? "at least" : "limit", rule->limit.text);
    if (rule->metric == GATE_NONFINITE)
        say_out_of_range(judging);
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

/* Of a bound above the sum of the magnitudes, which zeros keep; and what would hold something. */
static void pass_without_claim(struct judging *judging)
{
    const struct rule *rule = judging->finding->rule;
    const struct series *series = judging->finding->series;
    char text[NO_CLAIM_SIZE];
    decide(judging, true, NAN, rule->limit.number, "of its bound");
    text_append(&judging->said, "%s %s: no claim, limit %s: %s", gate_metric_names[rule->metric],
                gate_statistic_names[rule->statistic], rule->limit.text,
                tree_no_claim(series->operation, sum_format_of_method(series->method), series->n, text));
}

static void say_share(struct judging *judging, double share)
{
    const struct rule *rule = judging->finding->rule;
    const struct series *series = judging->finding->series;
    if (rule->metric == METRIC_bound_ratio) {
        say_value(judging, share, "");
    } else {
        say_value(judging, gate_value(series, rule->metric, rule->statistic), gate_unit(rule->metric, rule->statistic));
        text_append(&judging->said, ", ");
        say_number(&judging->said, share, "of its bound");
    }
    text_append(&judging->said, ", limit %s", rule->limit.text);
}

/* Of a tree that the limit names the bound is a share of sum |x_i|, for all sums of a series. */
static void judge_by_tree(struct judging *judging)
{
    const struct rule *rule = judging->finding->rule;
    const struct series *series = judging->finding->series;
    const struct sum_format *in = sum_format_of_method(series->method);
    const struct magnitudes most = {series->most_sum_abs, series->most_sum_abs, series->most_sum_abs, NULL};
    char why[TREE_WHY_SIZE];
    struct plain_tree tree;
    if (!in || !tree_word_tree(&rule->limit.tree, series->n, series->launch, in->stored, &tree, why)) {
        skip(judging, in ? why : "no bound is claimed for it");
        return;
    }
    const bool may_overflow = isinf(tree_bound(series->operation, in, series->n, tree, &most));
    if (lacks_numbers(series, METRIC_backward_error, rule->statistic) ||
        (may_overflow && series->classes[CLASS_OVERFLOW] > 0)) {
        judge_without_numbers(judging, "no bound is claimed for it");
        return;
    }
    const double most_share = tree_share(series->operation, in, series->n, tree, series->least_sum_abs);
    const double value = gate_value(series, METRIC_backward_error, rule->statistic);
    const double share = value == 0 ? 0 : value / most_share;
    if (most_share > 1 && value <= most_share) {
        pass_without_claim(judging);
        return;
    }
    decide(judging, value <= most_share, share, 1, "of its bound");
    say_share(judging, share);
    text_append(&judging->said, ": a backward_error of at most ");
    say_number(&judging->said, most_share, "");
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
    if (rule->limit.tree.kind != TREE_OF_ANY_ORDER) {
        judge_by_tree(judging);
        return;
    }
    if (series->defined[METRIC_bound_ratio] == 0 && series->no_claim > 0 && wrong_nonfinite(series) == 0) {
        pass_without_claim(judging);
        return;
    }
    if (lacks_numbers(series, METRIC_bound_ratio, rule->statistic)) {
        judge_without_numbers(judging, "no bound is claimed for it");
        return;
    }
    const double share = gate_value(series, METRIC_bound_ratio, rule->statistic);
    decide(judging, share <= rule->limit.number, share, rule->limit.number, "of its bound");
    say_share(judging, share);
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
    enum likeness likeness = OTHER_STUDY;
    finding->before = baseline_find(check->baseline, check->results, finding->series);
    if (finding->before) {
        likeness = baseline_likeness(check->baseline, finding->before, check->results, finding->series, why);
    } else {
        snprintf(why, sizeof why, "new: the baseline has no such series");
        likeness = ELSEWHERE;
    }
    if (likeness == LIKE)
        return true;
    if (likeness == ELSEWHERE) {
        skip(judging, why);
        return false;
    }
    decide(judging, false, NAN, NAN, "");
    text_append(&judging->said, "%s is not comparable with the baseline: %s", gate_metric_names[finding->rule->metric],
                why);
    return false;
}

static double value_before(const struct baseline_series *before, int metric, enum gate_statistic statistic)
{
    if (metric == GATE_SPREAD)
        return before->spread;
    return metric == GATE_NONFINITE ? (double)before->nonfinite : before->values[metric][statistic];
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
    if (series_is_unordered(judging->check->results, series)) {
        skip(judging, "not comparable: its order is that of arrival");
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

static void judge_axes(struct judging *judging)
{
    across_judge(judging->check, judging->finding, &judging->said);
}

static void (*const judges[])(struct judging *judging) = {
    [LIMIT_NUMBER] = judge_number,
    [LIMIT_LEAST] = judge_number,
    [LIMIT_AUTO] = judge_by_bound,
    [LIMIT_BOUND] = judge_by_bound,
    [LIMIT_BASELINE] = judge_by_baseline,
    [LIMIT_SAME_EXACT] = judge_exact_bits,
    [LIMIT_SAME_BASELINE] = judge_baseline_bits,
    [LIMIT_SAME_ACROSS] = judge_axes,
};

/* Of data that are summed once the spread is 0, whatever the kernel. */
void rule_judge(const struct check *check, struct finding *finding)
{
    struct judging judging = {.check = check, .finding = finding};
    if (finding->rule->metric == GATE_SPREAD && finding->series->repeated == 0)
        skip(&judging, "each data set was summed once; run the study on a GPU with --repeats 2");
    else
        judges[finding->rule->limit.kind](&judging);
    finding->said = text_take(&judging.said);
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
