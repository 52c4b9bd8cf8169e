/* json: everything, for scripts.  reports/schemas/ulpscope-check-1.schema.json says what each field is. */
#include "reports/axes/axis_matrix.h"
#include "reports/json_builder.h"
#include "src/gate/findings/findings.h"

static json_t *text_or_null(const char *text)
{
    return text ? json_text(text) : json_null();
}

/* ---- limits ---- */

static json_t *rule_json(const struct check *check, size_t index)
{
    const struct rule *rule = &check->limits->rules[index];
    json_t *object = json_object();
    json_put(object, "line", json_count(rule->line));
    json_put(object, "method", json_text(rule->method));
    json_put(object, "data", json_text(rule->data));
    json_put(object, "backend", text_or_null(rule->backend ? rule->backend->id : NULL));
    json_put(object, "metric", json_text(gate_metric_names[rule->metric]));
    json_put(object, "statistic", json_text(gate_statistic_names[rule->statistic]));
    json_put(object, "limit", text_or_null(rule->limit.text));
    json_put(object, "why", text_or_null(rule->why));
    json_put(object, "matched", json_count(check->matched_by[index]));
    json_put(object, "compared", json_count(check->compared_by[index]));
    return object;
}

static json_t *allowance_json(const struct check *check, const struct findings *findings, size_t index)
{
    const struct allowance *allowance = &check->limits->allowances[index];
    const bool of_all = allowance->metric == GATE_METRICS;
    json_t *object = json_object();
    json_put(object, "line", json_count(allowance->line));
    json_put(object, "method", json_text(allowance->method));
    json_put(object, "data", json_text(allowance->data));
    json_put(object, "metric", of_all ? json_null() : json_text(gate_metric_names[allowance->metric]));
    json_put(object, "until", json_text(allowance->until.text));
    json_put(object, "why", text_or_null(allowance->why));
    json_put(object, "state", json_text(allowance_words[findings->allowances[index].state]));
    json_put(object, "allowed", json_count(check->allowed_by[index]));
    return object;
}

static json_t *limits_json(const struct check *check, const struct findings *findings)
{
    json_t *object = json_object(), *rules = json_array(), *allowances = json_array();
    for (size_t i = 0; i < check->limits->rule_count; i++)
        json_append(rules, rule_json(check, i));
    for (size_t i = 0; i < check->limits->allowance_count; i++)
        json_append(allowances, allowance_json(check, findings, i));
    json_put(object, "path", json_text(check->limits->path));
    json_put(object, "rules", rules);
    json_put(object, "allowances", allowances);
    return object;
}

static json_t *baseline_json(const struct baseline *baseline)
{
    if (!baseline)
        return json_null();
    json_t *object = json_object();
    json_put(object, "path", json_text(baseline->path));
    json_put(object, "seed", json_count(baseline->seed));
    json_put(object, "series", json_count(baseline->count));
    return object;
}

/* ---- series ---- */

static json_t *varied_json(const struct varied_axis *varied)
{
    if (!varied)
        return json_null();
    const struct format *format = axis_format_of_bits(varied);
    json_t *object = json_object();
    json_put(object, "axis", json_text(axis_table[varied->axis].id));
    json_put(object, "results", json_count(varied->results));
    json_put_number(object, "spread_ulp", varied->spread);
    json_put(object, "first", json_text(varied->first));
    json_put(object, "bits", json_bits(format, varied->bits));
    json_put(object, "base_bits", json_bits(format, varied->base));
    json_put(object, "command", json_text(varied->command));
    return object;
}

static json_t *finding_json(const struct check *check, const struct finding *finding)
{
    const struct limits *limits = check->limits;
    json_t *object = json_object();
    json_put(object, "rule", json_integer(finding->rule - limits->rules));
    json_put(object, "verdict", json_text(verdict_words[finding->verdict]));
    json_put_number(object, "value", finding->value);
    json_put_number(object, "limit", finding->limit);
    json_put(object, "unit", json_text(finding->unit));
    json_put(object, "said", json_text(finding->said));
    json_put(object, "cause", text_or_null(finding->cause));
    json_put(object, "varied", varied_json(finding->varied));
    json_put(object, "allowance",
             finding->allowance ? json_integer(finding->allowance - limits->allowances) : json_null());
    return object;
}

static json_t *subject_json(const struct check *check, const struct subject *subject)
{
    const struct series *series = subject->series;
    const struct baseline_series *before = subject->before;
    json_t *object = json_object(), *findings = json_array();
    for (size_t k = 0; k < subject->count; k++)
        json_append(findings, finding_json(check, subject->list[k].finding));
    json_put(object, "name", json_text(subject->name));
    json_put(object, "method", json_text(series ? series->method : before->method));
    json_put(object, "data", json_text(series ? series->data : before->data));
    json_put(object, "n", json_count(series ? series->n : before->n));
    json_put(object, "backend", json_text(subject->backend->id));
    json_put(object, "device", json_text(series ? series->device : before->device));
    json_put(object, "launch", json_launch(subject->launch));
    json_put(object, "count", json_count(series ? series->count : 0));
    json_put(object, "missing", json_boolean(!series));
    json_put(object, "verdict", json_text(verdict_words[subject->verdict]));
    json_put(object, "rerun", text_or_null(series ? series->worst_command : NULL));
    json_put(object, "findings", findings);
    return object;
}

static json_t *counts_json(const struct check *check, const struct findings *findings)
{
    json_t *object = json_object(), *series = json_object(), *of_findings = json_object(), *allowances = json_object();
    for (int verdict = 0; verdict < VERDICTS; verdict++) {
        json_put(series, verdict_words[verdict], json_count(findings->by[verdict]));
        json_put(of_findings, verdict_words[verdict], json_count(check->by[verdict]));
    }
    json_put(series, "missing", json_count(findings->missing));
    json_put(series, "unruled", json_count(findings->unruled));
    json_put(allowances, allowance_words[ALLOWANCE_EXPIRED], json_count(check->expired));
    json_put(allowances, allowance_words[ALLOWANCE_UNUSED], json_count(findings->unused));
    json_put(object, "series", series);
    json_put(object, "findings", of_findings);
    json_put(object, "allowances", allowances);
    return object;
}

/* ---- vacuity ---- */

static json_t *sum_json(const struct check *check, const struct broken_sum *sum)
{
    json_t *object = json_object();
    json_put(object, "fault", json_text(sum->fault->id));
    json_put(object, "meaning", text_or_null(sum->fault->meaning));
    json_put(object, "method", json_text(sum->method));
    json_put(object, "fate", json_text(fate_words[sum->fate]));
    json_put(object, "killer", sum->killer ? json_integer(sum->killer - check->limits->rules) : json_null());
    json_put(object, "killed_series", json_count(sum->killed_series));
    json_put(object, "series", json_count(sum->series));
    json_put(object, "advice", text_or_null(sum->advice));
    return object;
}

static json_t *vacuity_json(const struct checked *checked, const struct findings *findings)
{
    const struct vacuity *vacuity = checked->vacuity;
    if (!vacuity)
        return json_null();
    json_t *object = json_object(), *counts = json_object(), *sums = json_array();
    for (int fate = 0; fate < FATES; fate++)
        json_put(counts, fate_words[fate], json_count(vacuity->by[fate]));
    for (size_t i = 0; i < vacuity->count; i++)
        json_append(sums, sum_json(checked->check, &vacuity->sums[i]));
    json_put(object, "summary", json_text(findings->vacuity));
    json_put(object, "counts", counts);
    json_put(object, "sums", sums);
    return object;
}

/* ---- the whole ---- */

static json_t *check_json(const struct checked *checked, const struct findings *findings)
{
    const struct check *check = checked->check;
    json_t *object = json_object(), *series = json_array();
    for (size_t i = 0; i < findings->count; i++)
        json_append(series, subject_json(check, &findings->subjects[i]));
    json_put(object, "schema", json_text("ulpscope-check/1"));
    json_put(object, "run", json_text(checked->run));
    json_put(object, "today", json_text(check->today.text));
    json_put(object, "passes", json_boolean(findings_pass(checked)));
    json_put(object, "summary", json_text(findings->sentence));
    json_put(object, "advice", text_or_null(findings->advice));
    json_put(object, "counts", counts_json(check, findings));
    json_put(object, "limits", limits_json(check, findings));
    json_put(object, "baseline", baseline_json(check->baseline));
    json_put(object, "series", series);
    json_put(object, "vacuity", vacuity_json(checked, findings));
    return object;
}

static enum status json_write_check(const struct checked *checked, const char *path)
{
    FREED_BY(findings_free) struct findings findings = {0};
    findings_make(checked, &findings);
    return json_write(check_json(checked, &findings), 1, path);
}

const struct check_output check_output_json = {
    .id = "json",
    .option = "json",
    .argument = "FILE",
    .summary = "everything for scripts: each series, each rule, causes, allowances",
    .write = json_write_check,
};
