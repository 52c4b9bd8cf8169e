#include "comparison.h"

/* ---- partners ---- */

static int by_name(const struct series *a, const struct series *b)
{
    const int method = strcmp(a->method, b->method), data = strcmp(a->data, b->data);
    if (method != 0 || data != 0)
        return method != 0 ? method : data;
    if (a->launch.blocks != b->launch.blocks)
        return a->launch.blocks < b->launch.blocks ? -1 : 1;
    return (a->launch.threads > b->launch.threads) - (a->launch.threads < b->launch.threads);
}

/* Series of one name keep their order, so that the second of two equal specs is matched with the second. */
static int by_name_and_place(const void *left, const void *right)
{
    const struct series *a = *(const struct series *const *)left, *b = *(const struct series *const *)right;
    const int named = by_name(a, b);
    return named != 0 ? named : (a > b) - (a < b);
}

/* The series of the other run, by name, and which of them have found their partner. */
struct candidates {
    const struct series **list;
    bool *taken;
    size_t count;
};

static size_t first_of_name(const struct candidates *candidates, const struct series *wanted)
{
    size_t low = 0, high = candidates->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_name(candidates->list[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct series *take_partner(struct candidates *candidates, const struct series *wanted, bool any_backend)
{
    for (size_t i = first_of_name(candidates, wanted); i < candidates->count; i++) {
        const struct series *found = candidates->list[i];
        if (by_name(found, wanted) != 0)
            break;
        if (candidates->taken[i] || (!any_backend && found->backend != wanted->backend))
            continue;
        candidates->taken[i] = true;
        return found;
    }
    return NULL;
}

/* partners[i] is the partner of the first run's series i, or NULL. */
static void find_partners(const struct results *first, struct candidates *candidates, const struct series **partners)
{
    for (size_t i = 0; i < first->series_count; i++)
        partners[i] = take_partner(candidates, &first->series[i], false);
    for (size_t i = 0; i < first->series_count; i++)
        if (!partners[i])
            partners[i] = take_partner(candidates, &first->series[i], true);
}

/* ---- pairs ---- */

double series_error(const struct series *series)
{
    return series->worst_ulp_error;
}

/* A kernel runs `repeats` times a trial, a replay once. */
static void fold_repeats(const struct results *results, const struct series *series, struct held *held)
{
    const uint64_t repeats = series_repeats(results, series);
    held->sums /= repeats;
    held->nonfinite /= repeats;
}

static void judge(const struct comparison *comparison, struct series_pair *pair)
{
    struct held first = held_of(comparison->first, pair->first), other = held_of(comparison->other, pair->other);
    if (pair->first->backend->runs_kernels != pair->other->backend->runs_kernels) {
        fold_repeats(comparison->first, pair->first, &first);
        fold_repeats(comparison->other, pair->other, &other);
    }
    pair->judged = became_judge(&first, &other);
    if (pair->other_data && pair->judged.became != BECAME_NOT_COMPARABLE)
        pair->judged =
            (struct judgement){.became = BECAME_NOT_COMPARABLE, .factor = 1, .why = "other data of the same spec"};
}

static bool same_hash(const struct series *first, const struct series *other)
{
    return first->count == other->count && strcmp(first->bits_hash, other->bits_hash) == 0;
}

static struct series_pair pair_of(const struct comparison *comparison, const struct series *first,
                                  const struct series *other)
{
    const bool same_seed = comparison->first->study.seed == comparison->other->study.seed;
    const bool is_unordered =
        series_is_unordered(comparison->first, first) || series_is_unordered(comparison->other, other);
    const bool same = same_seed && same_hash(first, other);
    return (struct series_pair){.first = first,
                                .other = other,
                                .in_question = same_seed && !is_unordered && !same,
                                .common = same ? first->count : 0};
}

static enum status make_pairs(struct comparison *comparison, const struct series *const *partners)
{
    const struct results *first = comparison->first;
    comparison->pairs = memory_cleared(first->series_count + 1, sizeof *comparison->pairs);
    for (size_t i = 0; i < first->series_count; i++)
        if (partners[i])
            comparison->pairs[comparison->pair_count++] = pair_of(comparison, &first->series[i], partners[i]);
    TRY(comparison_read_rows(comparison));
    for (size_t i = 0; i < comparison->pair_count; i++) {
        struct series_pair *pair = &comparison->pairs[i];
        judge(comparison, pair);
        comparison->with_bits += pair->common > 0;
        comparison->other_bits += pair->differ > 0;
        comparison->by[pair->judged.became]++;
        comparison->across_backends += pair->first->backend->runs_kernels != pair->other->backend->runs_kernels;
    }
    return OK;
}

/* ---- what changed, worst first ---- */

static bool has_changed(const struct series_pair *pair)
{
    return pair->differ > 0 || pair->judged.became == BECAME_BETTER || pair->judged.became == BECAME_WORSE;
}

struct ranked {
    size_t index;
    int rank;
    double factor, share;
};

/* Worse by how much; then other bits with the same error, by how many; then better, the best last. */
static int by_harm(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank - b->rank;
    if (a->factor != b->factor)
        return a->factor > b->factor ? -1 : 1;
    if (a->share != b->share)
        return a->share > b->share ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static struct ranked rank_of(const struct comparison *comparison, size_t index)
{
    static const int ranks[BECAMES] = {
        [BECAME_WORSE] = 0, [BECAME_NOT_COMPARABLE] = 1, [BECAME_SAME] = 2, [BECAME_BETTER] = 3};
    const struct series_pair *pair = &comparison->pairs[index];
    const enum became became = pair->judged.became;
    const bool number = !isnan(pair->judged.factor);
    return (struct ranked){
        .index = index,
        .rank = ranks[became],
        .factor = number                    ? pair->judged.factor
                  : became == BECAME_BETTER ? -1
                                            : INFINITY,
        .share = pair->common ? (double)pair->differ / (double)pair->common : 0,
    };
}

static void find_changed(struct comparison *comparison)
{
    OWNED struct ranked *ranked = memory_cleared(comparison->pair_count + 1, sizeof *ranked);
    comparison->changed = memory_cleared(comparison->pair_count + 1, sizeof *comparison->changed);
    for (size_t i = 0; i < comparison->pair_count; i++)
        if (has_changed(&comparison->pairs[i]))
            ranked[comparison->changed_count++] = rank_of(comparison, i);
    qsort(ranked, comparison->changed_count, sizeof *ranked, by_harm);
    for (size_t i = 0; i < comparison->changed_count; i++)
        comparison->changed[i] = ranked[i].index;
}

/* ---- new and missing ---- */

static bool has_method(const struct results *results, const char *method)
{
    for (size_t i = 0; i < results->study.method_count; i++)
        if (strcmp(results->study.methods[i].id, method) == 0)
            return true;
    return false;
}

static bool has_data(const struct results *results, const char *data)
{
    for (size_t e = 0; e < results->study.entry_count; e++)
        for (size_t s = 0; s < results->study.entries[e].spec_count; s++)
            if (strcmp(results->study.entries[e].specs[s].text, data) == 0)
                return true;
    return false;
}

static bool has_launch(const struct results *results, struct launch launch)
{
    for (size_t i = 0; i < results->study.launch_count; i++)
        if (same_launch(results->study.launches[i], launch))
            return true;
    return false;
}

/* What the run lacks, that it has no such series; the name is written into `name`. */
static const char *lack_of(const struct results *results, const struct series *series, char **name)
{
    if (!has_method(results, series->method))
        return *name = text_made("%s", series->method), "method";
    if (!has_data(results, series->data))
        return *name = text_made("%s", series->data), "data";
    if (!has_launch(results, series->launch))
        return *name = text_made("%u x %u", series->launch.blocks, series->launch.threads), "launch";
    if (!results_have_backend(results, series->backend))
        return *name = text_made("%s on %s", series->backend->id, series->device), "backend";
    return *name = text_made("%s on %s", series->method, series->data), "series";
}

static void add_absence(struct absences *absences, const struct results *lacking, const struct series *series)
{
    char *name;
    const char *kind = lack_of(lacking, series, &name);
    absences->series++;
    for (size_t i = absences->count; i-- > 0;) /* the last one most often */
        if (strcmp(absences->list[i].kind, kind) == 0 && strcmp(absences->list[i].name, name) == 0) {
            absences->list[i].series++;
            free(name);
            return;
        }
    absences->list = memory_resized(absences->list, (absences->count + 1) * sizeof *absences->list);
    absences->list[absences->count++] = (struct absence){kind, name, 1};
}

static void find_absences(struct comparison *comparison, const struct series *const *partners,
                          const struct candidates *candidates)
{
    const struct series *const others = comparison->other->series;
    for (size_t i = 0; i < comparison->first->series_count; i++)
        if (!partners[i])
            add_absence(&comparison->missing, comparison->other, &comparison->first->series[i]);
    OWNED bool *taken = memory_cleared(candidates->count + 1, sizeof *taken);
    for (size_t i = 0; i < candidates->count; i++)
        taken[candidates->list[i] - others] = candidates->taken[i];
    for (size_t i = 0; i < candidates->count; i++) /* in the order of the run */
        if (!taken[i])
            add_absence(&comparison->added, comparison->first, &others[i]);
}

/* ---- facts and speeds ---- */

/* Two runs are never of the same time and command; what matters of the command stands in the study. */
static bool always_differs(const struct provenance_fact *fact)
{
    static const char *const names[] = {"date", "command", "resumed on", "resumed by"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(fact->topic, "run") == 0 && strcmp(fact->name, names[i]) == 0)
            return true;
    return false;
}

/* Those of the first run, then those that only the other states. */
static bool states(const struct results *results, const struct provenance_fact *fact)
{
    for (size_t i = 0; i < results->fact_count; i++)
        if (strcmp(results->facts[i].topic, fact->topic) == 0 && strcmp(results->facts[i].name, fact->name) == 0)
            return true;
    return false;
}

static void find_facts(struct comparison *comparison)
{
    const struct results *first = comparison->first, *other = comparison->other;
    comparison->facts = memory_cleared(first->fact_count + other->fact_count + 1, sizeof *comparison->facts);
    for (size_t i = 0; i < first->fact_count + other->fact_count; i++) {
        const bool of_first = i < first->fact_count;
        const struct provenance_fact *fact = of_first ? &first->facts[i] : &other->facts[i - first->fact_count];
        const struct fact_pair pair = {fact->topic, fact->name, results_fact(first, fact->topic, fact->name),
                                       results_fact(other, fact->topic, fact->name)};
        if (always_differs(fact) || strcmp(pair.first, pair.other) == 0 || (!of_first && states(first, fact)))
            continue;
        comparison->facts[comparison->fact_count++] = pair;
    }
}

static void find_speeds(struct comparison *comparison)
{
    const struct results *first = comparison->first;
    comparison->speeds = memory_cleared(first->speed_count + 1, sizeof *comparison->speeds);
    for (size_t i = 0; i < first->speed_count; i++) {
        const struct speed *speed = &first->speeds[i];
        const struct speed *other = results_speed(comparison->other, speed->method, speed->backend, speed->launch);
        if (other)
            comparison->speeds[comparison->speed_count++] = (struct speed_pair){speed, other};
    }
}

/* ---- the whole ---- */

static enum status make(struct comparison *comparison, const struct series **partners, struct candidates *candidates)
{
    for (size_t i = 0; i < candidates->count; i++)
        candidates->list[i] = &comparison->other->series[i];
    qsort(candidates->list, candidates->count, sizeof *candidates->list, by_name_and_place);
    find_partners(comparison->first, candidates, partners);
    TRY(make_pairs(comparison, partners));
    find_changed(comparison);
    find_absences(comparison, partners, candidates);
    find_facts(comparison);
    find_speeds(comparison);
    return OK;
}

enum status comparison_make(const struct results *first, const struct results *other, struct comparison *comparison)
{
    *comparison = (struct comparison){.first = first, .other = other};
    const struct series **partners = memory_cleared(first->series_count + 1, sizeof *partners);
    struct candidates candidates = {
        memory_cleared(other->series_count + 1, sizeof *candidates.list),
        memory_cleared(other->series_count + 1, sizeof *candidates.taken),
        other->series_count,
    };
    const enum status status = make(comparison, partners, &candidates);
    free_all(partners, candidates.list, candidates.taken);
    return status;
}

static void free_absences(struct absences *absences)
{
    for (size_t i = 0; i < absences->count; i++)
        free(absences->list[i].name);
    free(absences->list);
}

void comparison_free(struct comparison *comparison)
{
    free_absences(&comparison->missing);
    free_absences(&comparison->added);
    free_all(comparison->pairs, comparison->changed, comparison->facts, comparison->speeds);
    *comparison = (struct comparison){0};
}

/* ---- in a sentence ---- */

static void append_bits(struct text *text, const struct comparison *comparison, const char *first, const char *other)
{
    const uint64_t compared = comparison->with_bits;
    if (comparison->pair_count == 0)
        text_append(text, "%s and %s have no series in common", other, first);
    else if (compared == 0)
        text_append(text, "%s and %s have no sum of the same data in common: %s", other, first,
                    comparison->pairs[0].judged.why);
    else if (comparison->other_bits > 0)
        text_append(text, "%s differs from %s in the bits of %" PRIu64 " of %" PRIu64 " series", other, first,
                    comparison->other_bits, compared);
    else if (compared == 1)
        text_append(text, "%s has the bits of %s in the one series", other, first);
    else
        text_append(text, "%s has the bits of %s in all %" PRIu64 " series", other, first, compared);
}

char *comparison_sentence(const struct comparison *comparison, const char *first, const char *other)
{
    struct text text = {0};
    const uint64_t worse = comparison->by[BECAME_WORSE], better = comparison->by[BECAME_BETTER],
                   not_comparable = comparison->by[BECAME_NOT_COMPARABLE];
    const struct {
        uint64_t count;
        const char *word;
    } lone[] = {{comparison->added.series, "new"}, {comparison->missing.series, "missing"}};
    append_bits(&text, comparison, first, other);
    if (worse + better > 0)
        text_append(&text, "; worse in %" PRIu64 ", better in %" PRIu64, worse, better);
    if (not_comparable > 0 && comparison->with_bits > 0)
        text_append(&text, "; the errors of %" PRIu64 " are not comparable", not_comparable);
    const char *separator = "; ";
    for (size_t i = 0; i < sizeof lone / sizeof *lone; i++)
        if (lone[i].count > 0) {
            text_append(&text, "%s%" PRIu64 " %s", separator, lone[i].count, lone[i].word);
            separator = ", ";
        }
    text_append(&text, ".");
    return text_take(&text);
}
