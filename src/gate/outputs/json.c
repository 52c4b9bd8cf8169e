/* json: everything, for scripts.  reports/schemas/ulpscope-check-1.schema.json says what each field is. */
#include "reports/axes/axis_matrix.h"
#include "reports/json_builder.h"
#include "src/gate/findings/findings.h"

static json_t *rule_json(const struct check *check, size_t index)
{
    const struct rule *rule = &check->limits->rules[index];
    return json_of({"line", json_count(rule->line)}, {"method", json_text(rule->method)},
                   {"data", json_text(rule->data)}, {"backend", json_text(rule->backend ? rule->backend->id : NULL)},
                   {"metric", json_text(gate_metric_names[rule->metric])},
                   {"statistic", json_text(gate_statistic_names[rule->statistic])},
                   {"limit", json_text(rule->limit.text)}, {"why", json_text(rule->why)},
                   {"matched", json_count(check->matched_by[index])},
                   {"compared", json_count(check->compared_by[index])},
                   {"holds_nothing", json_boolean(check->holds_nothing && check->holds_nothing[index])});
}

static json_t *allowance_json(const struct check *check, const struct findings *findings, size_t index)
{
    const struct allowance *allowance = &check->limits->allowances[index];
    const bool is_dated = *allowance->until.text != '\0';
    return json_of({"line", json_count(allowance->line)}, {"method", json_text(allowance->method)},
                   {"data", json_text(allowance->data)}, {"metric", json_text(allowance_metric(allowance))},
                   {"until", json_text(is_dated ? allowance->until.text : NULL)}, {"why", json_text(allowance->why)},
                   {"state", json_text(allowance_words[findings->allowances[index].state])},
                   {"allowed", json_count(check->allowed_by[index])});
}

static json_t *limits_json(const struct check *check, const struct findings *findings)
{
    json_t *rules = json_array(), *allowances = json_array();
    for (size_t i = 0; i < check->limits->rule_count; i++)
        json_append(rules, rule_json(check, i));
    for (size_t i = 0; i < check->limits->allowance_count; i++)
        json_append(allowances, allowance_json(check, findings, i));
    return json_of({"path", json_text(check->limits->path)}, {"rules", rules}, {"allowances", allowances});
}

static json_t *baseline_json(const struct baseline *baseline)
{
    if (!baseline)
        return json_null();
    return json_of({"path", json_text(baseline->path)}, {"seed", json_count(baseline->seed)},
                   {"series", json_count(baseline->count)});
}

static json_t *varied_json(const struct varied_axis *varied)
{
    if (!varied)
        return json_null();
    const struct format *format = axis_format_of_bits(varied);
    return json_of({"axis", json_text(axis_table[varied->axis].id)}, {"results", json_count(varied->results)},
                   json_both("spread_ulp", varied->spread), {"first", json_text(varied->first)},
                   {"bits", json_bits(format, varied->bits)}, {"base_bits", json_bits(format, varied->base)},
                   {"command", json_text(varied->command)});
}

static json_t *finding_json(const struct check *check, const struct finding *finding)
{
    const struct limits *limits = check->limits;
    return json_of(
        {"rule", json_integer(finding->rule - limits->rules)}, {"verdict", json_text(verdict_words[finding->verdict])},
        json_both("value", finding->value), json_both("limit", finding->limit), {"unit", json_text(finding->unit)},
        {"said", json_text(finding->said)}, {"cause", json_text(finding->cause)},
        {"zeros_pass", json_count(finding->zeros_pass)}, {"zeros_tried", json_count(finding->zeros_tried)},
        {"varied", varied_json(finding->varied)},
        {"allowance", finding->allowance ? json_integer(finding->allowance - limits->allowances) : json_null()});
}

static json_t *subject_json(const struct check *check, const struct subject *subject)
{
    const struct series *series = subject->series;
    const struct baseline_series *before = subject->before;
    json_t *findings = json_array();
    for (size_t k = 0; k < subject->count; k++)
        json_append(findings, finding_json(check, subject->list[k].finding));
    return json_of({"name", json_text(subject->name)}, {"method", json_text(series ? series->method : before->method)},
                   {"data", json_text(series ? series->data : before->data)},
                   {"n", json_count(series ? series->n : before->n)}, {"backend", json_text(subject->backend->id)},
                   {"device", json_text(series ? series->device : before->device)},
                   {"launch", json_launch(subject->launch)}, {"count", json_count(series ? series->count : 0)},
                   {"missing", json_boolean(!series)}, {"verdict", json_text(verdict_words[subject->verdict])},
                   {"holds_nothing",
                    json_boolean(series && check->is_unheld && check->is_unheld[series - check->results->series])},
                   {"rerun", json_text(subject->rerun ? subject->rerun
                                       : series       ? series->worst_command
                                                      : NULL)},
                   {"findings", findings});
}

static json_t *counts_json(const struct check *check, const struct findings *findings)
{
    json_t *series = json_object(), *of_findings = json_object(), *allowances = json_object();
    for (int verdict = 0; verdict < VERDICTS; verdict++) {
        json_put(series, verdict_words[verdict], json_count(findings->by[verdict]));
        json_put(of_findings, verdict_words[verdict], json_count(check->by[verdict]));
    }
    json_add(series, {"missing", json_count(findings->missing)}, {"unruled", json_count(findings->unruled)});
    json_add(allowances, {allowance_words[ALLOWANCE_EXPIRED], json_count(check->expired)},
             {allowance_words[ALLOWANCE_UNUSED], json_count(findings->unused)});
    return json_of({"series", series}, {"findings", of_findings}, {"allowances", allowances});
}

static json_t *check_json(const struct checked *checked, const struct findings *findings)
{
    const struct check *check = checked->check;
    json_t *series = json_array();
    for (size_t i = 0; i < findings->count; i++)
        json_append(series, subject_json(check, &findings->subjects[i]));
    return json_of({"schema", json_text("ulpscope-check/1")}, {"run", json_text(checked->run)},
                   {"today", json_text(check->today.text)}, {"passes", json_boolean(findings_pass(checked))},
                   {"summary", json_text(findings->sentence)}, {"counts", counts_json(check, findings)},
                   {"limits", limits_json(check, findings)}, {"baseline", baseline_json(check->baseline)},
                   {"series", series});
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
