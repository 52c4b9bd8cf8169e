#include "comparison_outputs.h"

#include "comparison.h"

/* ---- series ---- */

static json_t *side_json(const struct series *series)
{
    json_t *object = json_object();
    json_put(object, "backend", json_text(series->backend->id));
    json_put(object, "device", json_text(series->device));
    json_put(object, "count", json_count(series->count));
    json_put_number(object, "max_ulp_error", series_error(series));
    json_put_number(object, "p50_ulp_error", series->statistics[METRIC_ulp_error].p50);
    json_put(object, "bits_sha256", json_text(series->bits_hash));
    return object;
}

static const char *bits_word(const struct series_pair *pair)
{
    return pair->common == 0 ? "not compared" : pair->differ == 0 ? "same" : "differ";
}

static json_t *pair_json(const struct series_pair *pair)
{
    const struct judgement *judged = &pair->judged;
    json_t *object = json_object();
    json_put(object, "method", json_text(pair->first->method));
    json_put(object, "data", json_text(pair->first->data));
    json_put(object, "launch", json_launch(pair->first->launch));
    json_put(object, "first", side_json(pair->first));
    json_put(object, "other", side_json(pair->other));
    json_put(object, "bits", json_text(bits_word(pair)));
    json_put(object, "sums_compared", json_count(pair->common));
    json_put(object, "sums_differ", json_count(pair->differ));
    json_put(object, "error", json_text(became_words[judged->became]));
    json_put(object, "error_of", judged->decided ? json_text(decider_words[judged->decided]) : json_null());
    json_put_number(object, "factor", judged->factor);
    json_put(object, "why", *judged->why ? json_text(judged->why) : json_null());
    return object;
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

/* ---- the rest ---- */

static json_t *absences_json(const struct absences *absences)
{
    json_t *array = json_array();
    for (size_t i = 0; i < absences->count; i++) {
        json_t *object = json_object();
        json_put(object, "kind", json_text(absences->list[i].kind));
        json_put(object, "name", json_text(absences->list[i].name));
        json_put(object, "series", json_count(absences->list[i].series));
        json_append(array, object);
    }
    return array;
}

static json_t *facts_json(const struct comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->fact_count; i++) {
        const struct fact_pair *fact = &comparison->facts[i];
        json_t *object = json_object();
        json_put(object, "topic", json_text(fact->topic));
        json_put(object, "name", json_text(fact->name));
        json_put(object, "first", json_text(fact->first));
        json_put(object, "other", json_text(fact->other));
        json_append(array, object);
    }
    return array;
}

static json_t *speeds_json(const struct comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->speed_count; i++) {
        const struct speed *first = comparison->speeds[i].first, *other = comparison->speeds[i].other;
        json_t *object = json_object();
        json_put(object, "method", json_text(first->method));
        json_put(object, "backend", json_text(first->backend->id));
        json_put(object, "launch", json_launch(first->launch));
        json_put_number(object, "first", first->nanoseconds);
        json_put_number(object, "other", other->nanoseconds);
        json_put_number(object, "ratio", other->nanoseconds / first->nanoseconds);
        json_append(array, object);
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
    json_t *object = json_object();
    json_put(object, "first", json_count(0));
    json_put(object, "other", json_count(other));
    json_put(object, "first_name", json_text(report->names[0]));
    json_put(object, "other_name", json_text(report->names[other]));
    json_put(object, "counts", counts_json(comparison));
    json_put(object, "facts", facts_json(comparison));
    json_put(object, "series", pairs_json(comparison));
    json_put(object, "changed", changed_json(comparison));
    json_put(object, "new", absences_json(&comparison->added));
    json_put(object, "missing", absences_json(&comparison->missing));
    json_put(object, "speeds", speeds_json(comparison));
    return object;
}

enum status comparison_json(const struct report *report, size_t other, json_t **object)
{
    FREED_BY(comparison_free) struct comparison comparison = {0};
    TRY(comparison_make(&report->runs[0], &report->runs[other], &comparison));
    *object = whole_json(report, other, &comparison);
    return OK;
}
