#include "became.h"

#include <math.h>

const char *const became_words[BECAMES] = {
    [BECAME_SAME] = "same", [BECAME_BETTER] = "better",   [BECAME_WORSE] = "worse",
    [BECAME_NEW] = "new",   [BECAME_MISSING] = "missing", [BECAME_NOT_COMPARABLE] = "not comparable",
};

const char *const decider_words[DECIDERS] = {[BY_NOTHING] = "", [BY_RESULTS] = "results", [BY_NONFINITE] = "nonfinite",
                                             [BY_MAX] = "max",  [BY_P99] = "p99",         [BY_P50] = "p50"};

/* ---- of a run ---- */

/* "x.csv" of the data "x.csv:column=2". */
static bool is_data_of(const char *path, const char *data)
{
    const size_t length = strlen(path);
    return strncmp(path, data, length) == 0 && (data[length] == '\0' || data[length] == ':');
}

/* "14c5..." of a fact "sha256 14c5..."; NULL: it is none of a file. */
static const char *hash_in(const struct provenance_fact *fact)
{
    static const char before[] = "sha256 ";
    const size_t skipped = sizeof before - 1;
    const bool is_hash = strcmp(fact->topic, "data") == 0 && strncmp(fact->value, before, skipped) == 0 &&
                         strlen(fact->value) == skipped + FILE_HASH_TEXT - 1;
    return is_hash ? fact->value + skipped : NULL;
}

void results_data_file(const struct results *results, const char *data, char file[FILE_HASH_TEXT])
{
    size_t longest = 0;
    *file = '\0';
    for (size_t i = 0; i < results->fact_count; i++) {
        const struct provenance_fact *fact = &results->facts[i];
        const char *hash = hash_in(fact);
        if (!hash || !is_data_of(fact->name, data) || strlen(fact->name) <= longest)
            continue;
        longest = strlen(fact->name);
        memcpy(file, hash, FILE_HASH_TEXT);
    }
}

struct held held_of(const struct results *results, const struct series *series)
{
    const struct statistics *error = &series->statistics[METRIC_ulp_error];
    struct held held = {
        .format = series->format,
        .operation = series->operation,
        .seed = results->study.seed,
        .n = series->n,
        .sums = series->count,
        .is_unordered = series_is_unordered(results, series),
        .results = series->distinct_bits,
        .bits = series->bits_hash,
        .nonfinite = wrong_nonfinite(series),
        .max = error->max,
        .p99 = error->p99,
        .p50 = error->p50,
    };
    results_data_file(results, series->data, held.file);
    return held;
}

/* ---- whether ---- */

bool became_same_sums(const struct held *then, const struct held *now, char why[REASON_SIZE])
{
    const struct {
        const char *name;
        uint64_t then, now;
    } counts[] = {{"seed", then->seed, now->seed}, {"n", then->n, now->n}, {"sums", then->sums, now->sums}};
    const char *const words[][2] = {{then->format->name, now->format->name},
                                    {operation_table[then->operation].id, operation_table[now->operation].id}};
    *why = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], words[i][1]) != 0) {
            snprintf(why, REASON_SIZE, "%s against %s", words[i][0], words[i][1]);
            return false;
        }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].then != counts[i].now) {
            snprintf(why, REASON_SIZE, "%s %" PRIu64 " against %" PRIu64, counts[i].name, counts[i].then,
                     counts[i].now);
            return false;
        }
    if (strcmp(then->file, now->file) == 0)
        return true;
    snprintf(why, REASON_SIZE, "SHA-256 of the data file %.8s against %.8s", *then->file ? then->file : "none",
             *now->file ? now->file : "none");
    return false;
}

/* ---- what ---- */

static void set_values(struct judgement *judged, enum decider decided, double then, double now)
{
    judged->decided = decided;
    judged->then = then;
    judged->now = now;
    judged->factor = then == now || (isnan(then) && isnan(now)) ? 1 : now / then;
}

/* Sums that are no number at all come before errors, and the largest error before those that more of the sums have. */
static void judge_errors(const struct held *then, const struct held *now, struct judgement *judged)
{
    const struct {
        enum decider decided;
        double then, now;
    } values[] = {
        {BY_NONFINITE, (double)then->nonfinite, (double)now->nonfinite},
        {BY_MAX, then->max, now->max},
        {BY_P99, then->p99, now->p99},
        {BY_P50, then->p50, now->p50},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const int order = error_order(values[i].now, values[i].then);
        if (order == 0)
            continue;
        set_values(judged, values[i].decided, values[i].then, values[i].now);
        judged->became = order > 0 ? BECAME_WORSE : BECAME_BETTER;
        return;
    }
}

struct judgement became_judge(const struct held *then, const struct held *now)
{
    struct judgement judged = {.became = BECAME_NOT_COMPARABLE};
    const bool is_ordered = !then->is_unordered && !now->is_unordered;
    set_values(&judged, BY_NOTHING, then->max, now->max);
    if (!became_same_sums(then, now, judged.why))
        return judged;
    if (is_ordered && then->results <= 1 && now->results > 1) { /* it has lost its bits, which is a fault */
        set_values(&judged, BY_RESULTS, (double)then->results, (double)now->results);
        judged.became = BECAME_WORSE;
        return judged;
    }
    if (!is_ordered || then->results > 1) {
        snprintf(judged.why, sizeof judged.why, "its bits change from run to run");
        return judged;
    }
    judged.became = BECAME_SAME;
    if (strcmp(then->bits, now->bits) != 0)
        judge_errors(then, now, &judged);
    return judged;
}
