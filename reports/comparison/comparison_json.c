
#include "comparison.h"

static json_t *side_json(const struct series *series)
{
    return json_of({"backend", json_text(series->backend->id)}, {"device", json_text(series->device)},
                   {"count", json_count(series->count)}, json_both("max_ulp_error", series_error(series)),
                   json_both("p50_ulp_error", series->statistics[METRIC_ulp_error].p50),
                   {"bits_sha256", json_text(series->bits_hash)});
}

static json_t *pair_json(const void *thing)
{
    const struct series_pair *pair = thing;
    const struct judgement *judged = &pair->judged;
    return json_of({"method", json_text(pair->first->method)}, {"data", json_text(pair->first->data)},
                   {"launch", json_launch(pair->first->launch)}, {"first", side_json(pair->first)},
                   {"other", side_json(pair->other)},
                   {"bits", json_text(pair->common == 0   ? "not compared"
                                      : pair->differ == 0 ? "same"
                                                          : "differ")},
                   {"sums_compared", json_count(pair->common)}, {"sums_differ", json_count(pair->differ)},
                   {"error", json_text(became_words[judged->became])},
                   {"error_of", json_text(judged->decided ? decider_words[judged->decided] : NULL)},
                   json_both("factor", judged->factor), {"why", *judged->why ? json_text(judged->why) : json_null()});
}

static json_t *index_json(const void *thing)
{
    return json_count(*(const size_t *)thing);
}

static json_t *absence_json(const void *thing)
{
    const struct absence *absence = thing;
    return json_of({"kind", json_text(absence->kind)}, {"name", json_text(absence->name)},
                   {"series", json_count(absence->series)});
}

static json_t *fact_json(const void *thing)
{
    const struct fact_pair *fact = thing;
    return json_of({"topic", json_text(fact->topic)}, {"name", json_text(fact->name)},
                   {"first", json_text(fact->first)}, {"other", json_text(fact->other)});
}

static json_t *speed_json(const void *thing)
{
    const struct speed *first = ((const struct speed_pair *)thing)->first;
    const struct speed *other = ((const struct speed_pair *)thing)->other;
    return json_of({"method", json_text(first->method)}, {"backend", json_text(first->backend->id)},
                   {"launch", json_launch(first->launch)}, json_both("first", first->nanoseconds),
                   json_both("other", other->nanoseconds), json_both("ratio", other->nanoseconds / first->nanoseconds));
}

static json_t *counts_json(const struct comparison *comparison)
{
    const uint64_t *by = comparison->by;
    return json_of({"series", json_count(comparison->pair_count)}, {"bits_compared", json_count(comparison->with_bits)},
                   {"bits_differ", json_count(comparison->other_bits)}, {"worse", json_count(by[BECAME_WORSE])},
                   {"better", json_count(by[BECAME_BETTER])}, {"same", json_count(by[BECAME_SAME])},
                   {"not_comparable", json_count(by[BECAME_NOT_COMPARABLE])},
                   {"across_backends", json_count(comparison->across_backends)},
                   {"new", json_count(comparison->added.series)}, {"missing", json_count(comparison->missing.series)});
}

static json_t *whole_json(const struct report *report, size_t other, const struct comparison *comparison)
{
    return json_of({"first", json_count(0)}, {"other", json_count(other)}, {"first_name", json_text(report->names[0])},
                   {"other_name", json_text(report->names[other])}, {"counts", counts_json(comparison)},
                   {"facts", json_list(comparison->facts, comparison->fact_count, fact_json)},
                   {"series", json_list(comparison->pairs, comparison->pair_count, pair_json)},
                   {"changed", json_list(comparison->changed, comparison->changed_count, index_json)},
                   {"new", json_list(comparison->added.list, comparison->added.count, absence_json)},
                   {"missing", json_list(comparison->missing.list, comparison->missing.count, absence_json)},
                   {"speeds", json_list(comparison->speeds, comparison->speed_count, speed_json)});
}

enum status comparison_json(const struct report *report, size_t other, json_t **object)
{
    FREED_BY(comparison_free) struct comparison comparison = {0};
    TRY(comparison_make(&report->runs[0], &report->runs[other], &comparison));
    *object = whole_json(report, other, &comparison);
    return OK;
}
