#include "check.h"

#include "datasets/generator.h"

static bool is_of_same(const struct finding *a, const struct finding *b)
{
    return a->rule == b->rule && a->series->backend == b->series->backend &&
           strcmp(a->series->method, b->series->method) == 0;
}

static bool fails(const struct finding *finding)
{
    return finding->verdict == VERDICT_FAILED || finding->verdict == VERDICT_ALLOWED;
}

/* On some of them, and on none that it does not. */
static bool random_data_meet(const struct check *check, const struct finding *failure)
{
    size_t passed = 0;
    for (size_t i = 0; i < check->count; i++) {
        const struct finding *finding = &check->findings[i];
        if (!finding->series || !is_of_same(finding, failure) || !series_is_random(check->results, finding->series))
            continue;
        if (fails(finding))
            return false;
        passed += finding->verdict == VERDICT_PASSED;
    }
    return passed > 0;
}

void attacked_data_tell(struct check *check)
{
    for (size_t i = 0; i < check->count; i++) {
        struct finding *finding = &check->findings[i];
        if (!finding->series || !fails(finding) || finding_is_of_study(finding) ||
            !series_is_attacked(check->results, finding->series) || !random_data_meet(check, finding))
            continue;
        char *said = text_made("%s; a limit that only random data meet", finding->said);
        free(finding->said);
        finding->said = said;
    }
}

static const struct generator *family_of_attacks(void)
{
    size_t count, i = 0;
    const struct generator *const *generators = generator_table(&count);
    while (i < count && !generators[i]->attacked)
        i++;
    return i < count ? generators[i] : NULL;
}

static bool has_attacked_data(const struct results *results)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (series_is_attacked(results, &results->series[i]))
            return true;
    return false;
}

/* What theory bounds no data break. */
static bool is_a_promise(const struct rule *rule)
{
    return rule->metric < METRICS && rule->statistic != GATE_COUNT &&
           (rule->limit.kind == LIMIT_NUMBER || (rule->limit.kind == LIMIT_BOUND && rule->limit.number < 1) ||
            rule->limit.tree.kind != TREE_OF_ANY_ORDER);
}

static bool can_be_attacked(const struct generator *family, const struct results *results, const struct series *series)
{
    const struct study_record *study = &results->study;
    if (series->operation != OPERATION_sum || series->n < family->least_n || series->n > family->most_n ||
        generator_refuses(family, series->format))
        return false;
    for (size_t m = 0; m < study->method_count; m++)
        if (strcmp(study->methods[m].id, series->method) == 0)
            return !study->methods[m].is_black_box;
    return false;
}

char *attacked_data_advice(const struct check *check)
{
    const struct generator *family = family_of_attacks();
    if (!family || has_attacked_data(check->results))
        return NULL;
    for (size_t i = 0; i < check->count; i++) {
        const struct finding *finding = &check->findings[i];
        if (finding->verdict == VERDICT_PASSED && is_a_promise(finding->rule) &&
            series_is_random(check->results, finding->series) &&
            can_be_attacked(family, check->results, finding->series))
            return text_made("no attacked data: limits in numbers were held to random data, which seldom meet the "
                             "worst; add %s:n=%" PRIu64 ",method=%s to the data",
                             family->id, finding->series->n, finding->series->method);
    }
    return NULL;
}
