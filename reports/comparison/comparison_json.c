
#include "comparison.h"

static json_t *side_json(const struct series *series)
{
    return json_of({"backend", json_text(series->backend->id)}, {"device", json_text(series->device)},
                   {"count", json_count(series->count)}, json_both("max_ulp_error", series_error(series)),
                   json_both("p50_ulp_error", series->statistics[METRIC_ulp_error].p50),
                   {"bits_sha256", json_text(series->bits_hash)});
}

static json_t *pair_json(const struct series_pair *pair)
{
    const struct judgement *judged = &pair->judged;
    return json_of({"method", json_text(pair->first->method)}, {"data", json_text(pair->first->data)},
                   {"launch", json_launch(pair->first->launch)}, {"first", side_json(pair->first)},
                   {"other", side_json(pair->other)},
                   {"bits", json_text(pair->common == 0   ? "not compared"
                                      : pair->differ == 0 ? "same"
                                                          : "differ")},
                   {"sums_compared", json_count(pair->common)}, {"sums_differ", json_count(pair->differ)},
                   {"error", json_text(became_words[judged->became])},
                   {"error_of", judged->decided ? json_text(decider_words[judged->decided]) : json_null()},
                   json_both("factor", judged->factor), {"why", *judged->why ? json_text(judged->why) : json_null()});
}

static json_t *pairs_json(const struct comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->pair_count; i++)
        json_append(array, pair_json(&comparison->pairs[i]));
    return array;
}

static json_t *changed_json(const struct comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->changed_count; i++)
        json_append(array, json_count(comparison->changed[i]));
    return array;
}

static json_t *absences_json(const struct absences *absences)
{
    json_t *array = json_array();
    for (size_t i = 0; i < absences->count; i++) {
        json_t *object =
            json_of({"kind", json_text(absences->list[i].kind)}, {"name", json_text(absences->list[i].name)},
                    {"series", json_count(absences->list[i].series)});
        json_append(array, object);
    }
    return array;
}

static json_t *facts_json(const struct comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->fact_count; i++) {
        const struct fact_pair *fact = &comparison->facts[i];
        json_append(array, json_of({"topic", json_text(fact->topic)}, {"name", json_text(fact->name)},
                                   {"first", json_text(fact->first)}, {"other", json_text(fact->other)}));
    }
    return array;
}

static json_t *speeds_json(const struct comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->speed_count; i++) {
        const struct speed *first = comparison->speeds[i].first, *other = comparison->speeds[i].other;
        json_append(array, json_of({"method", json_text(first->method)}, {"backend", json_text(first->backend->id)},
                                   {"launch", json_launch(first->launch)}, json_both("first", first->nanoseconds),
                                   json_both("other", other->nanoseconds),
                                   json_both("ratio", other->nanoseconds / first->nanoseconds)));
    }
    return array;
}

static json_t *counts_json(const struct comparison *comparison)
{
    const struct {
        const char *key;
        uint64_t count;
    } counts[] = {
        {"series", comparison->pair_count},
        {"bits_compared", comparison->with_bits},
        {"bits_differ", comparison->other_bits},
        {"worse", comparison->by[BECAME_WORSE]},
        {"better", comparison->by[BECAME_BETTER]},
        {"same", comparison->by[BECAME_SAME]},
        {"not_comparable", comparison->by[BECAME_NOT_COMPARABLE]},
        {"across_backends", comparison->across_backends},
        {"new", comparison->added.series},
        {"missing", comparison->missing.series},
    };
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_put(object, counts[i].key, json_count(counts[i].count));
    return object;
}

static json_t *whole_json(const struct report *report, size_t other, const struct comparison *comparison)
{
    return json_of({"first", json_count(0)}, {"other", json_count(other)}, {"first_name", json_text(report->names[0])},
                   {"other_name", json_text(report->names[other])}, {"counts", counts_json(comparison)},
                   {"facts", facts_json(comparison)}, {"series", pairs_json(comparison)},
                   {"changed", changed_json(comparison)}, {"new", absences_json(&comparison->added)},
                   {"missing", absences_json(&comparison->missing)}, {"speeds", speeds_json(comparison)});
}

enum status comparison_json(const struct report *report, size_t other, json_t **object)
{
    FREED_BY(comparison_free) struct comparison comparison = {0};
    TRY(comparison_make(&report->runs[0], &report->runs[other], &comparison));
    *object = whole_json(report, other, &comparison);
    return OK;
}
