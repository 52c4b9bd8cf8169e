#include "black_boxes.h"

#include "src/base/list.h"
#include "src/gate/fault_tools.h"
#include "suspect.h"

/* ---- what fits each series ---- */

struct fit {
    char *words; /* "plain/pairwise in which the last element is left out" */
    char *fault; /* "the last element is left out", or "" */
    const struct method *method;
    enum hypothesis_kind kind;
    int complexity;
    uint64_t fitting, compared;
    size_t series; /* of the method, that have the words, too */
};

struct box_series {
    const struct series *series;
    struct fit *fits;
    size_t fit_count;
    char *cause;
    bool is_told;
};

struct boxes {
    const struct results *results;
    struct box_series *list;
    size_t count;
};

#define NOT_NAMED "not named: "

/* One sum of twenty is too few for a name: many give its bits by chance. */
enum { COMPARED_LEAST = 4 };

static void note_fits(const struct hypotheses *hypotheses, struct box_series *to, const struct suspect *suspect,
                      bool *some_are_few)
{
    const uint64_t rows = suspect->rows->count, sets = suspect->taken;
    const uint64_t needed = sets < COMPARED_LEAST ? rows : (COMPARED_LEAST - 1) * rows / sets + 1;
    to->fits = memory_resized(to->fits, (to->fit_count + hypotheses->count + 1) * sizeof *to->fits);
    for (size_t i = 0; i < hypotheses->count; i++) {
        const struct hypothesis *hypothesis = &hypotheses->list[i];
        struct text words = {0}, fault = {0};
        if (!hypothesis_fits(hypothesis))
            continue;
        if (hypothesis->compared < needed) {
            *some_are_few = true;
            continue;
        }
        hypothesis_say(hypothesis, &words);
        hypothesis_say_fault(hypothesis, &fault);
        to->fits[to->fit_count++] = (struct fit){text_take(&words),
                                                 text_take(&fault),
                                                 hypothesis->method,
                                                 hypothesis->kind,
                                                 hypothesis_complexity(hypothesis),
                                                 hypothesis->fitting,
                                                 hypothesis->compared,
                                                 0};
    }
}

static void note(void *context, const struct suspect *suspect)
{
    struct boxes *boxes = context;
    struct box_series *to = &boxes->list[boxes->count++];
    *to = (struct box_series){.series = &boxes->results->series[suspect->series], .cause = memory_copy(suspect->cause)};
    if (suspect->is_constant)
        return;
    bool some_are_few = false;
    note_fits(&suspect->nearby, to, suspect, &some_are_few);
    note_fits(&suspect->distant, to, suspect, &some_are_few);
    if (!some_are_few || to->fit_count > 0)
        return;
    free(to->cause);
    to->cause = memory_copy(NOT_NAMED "too few of its results were compared");
}

/* ---- what fits most series of a method ---- */

static const struct fit *fit_of(const struct box_series *series, const char *words)
{
    for (size_t f = 0; f < series->fit_count; f++)
        if (strcmp(series->fits[f].words, words) == 0)
            return &series->fits[f];
    return NULL;
}

static bool is_of(const struct box_series *series, const char *method)
{
    return strcmp(series->series->method, method) == 0;
}

static size_t count_series(const struct boxes *boxes, const char *method, const char *words)
{
    size_t count = 0;
    for (size_t s = 0; s < boxes->count; s++)
        count += is_of(&boxes->list[s], method) && (!words || fit_of(&boxes->list[s], words));
    return count;
}

/* A fit of a method, the at-th of all in the order of the series. */
struct place {
    struct fit *fit;
    size_t series, at;
};

static int by_words(const void *a, const void *b)
{
    const struct place *one = a, *other = b;
    const int words = strcmp(one->fit->words, other->fit->words);
    return words != 0 ? words : one->at < other->at ? -1 : one->at > other->at;
}

/* All fits of a method, those of the same words one after the other. */
static struct place *places_of(const struct boxes *boxes, const char *method, size_t *count)
{
    struct place *places = NULL;
    *count = 0;
    for (size_t s = 0; s < boxes->count; s++) {
        const struct box_series *of = &boxes->list[s];
        if (!is_of(of, method) || of->fit_count == 0)
            continue;
        places = memory_resized(places, (*count + of->fit_count) * sizeof *places);
        for (size_t f = 0; f < of->fit_count; f++, ++*count)
            places[*count] = (struct place){&of->fits[f], s, *count};
    }
    if (*count > 0)
        qsort(places, *count, sizeof *places, by_words);
    return places;
}

static bool is_simpler(const struct place *one, const struct place *other)
{
    return one->fit->complexity != other->fit->complexity ? one->fit->complexity < other->fit->complexity
                                                          : one->at < other->at;
}

/* What fits most series, and of them most sums, and of those that fit as many the simplest; NULL: nothing fits any.
 * Each fit of the method knows then how many series its words fit. */
static const char *best_words(const struct boxes *boxes, const char *method)
{
    size_t count, end, most = 0;
    uint64_t most_fitting = 0;
    const struct place *best = NULL;
    OWNED struct place *places = places_of(boxes, method, &count);
    for (size_t first = 0; first < count; first = end) {
        size_t series = 0;
        uint64_t fitting = 0;
        for (end = first; end < count && strcmp(places[end].fit->words, places[first].fit->words) == 0; end++)
            if (end == first || places[end].series != places[end - 1].series) {
                series++;
                fitting += places[end].fit->fitting;
            }
        for (size_t p = first; p < end; p++)
            places[p].fit->series = series;
        const bool is_as_good = series == most && fitting == most_fitting && best && is_simpler(&places[first], best);
        if (series > most || (series == most && fitting > most_fitting) || is_as_good) {
            most = series;
            most_fitting = fitting;
            best = &places[first];
        }
    }
    return best ? best->fit->words : NULL;
}

/* The first series that has the words: what fits as many has all of it. */
static const struct box_series *series_of(const struct boxes *boxes, const char *method, const char *words)
{
    const struct box_series *of = boxes->list;
    while (!is_of(of, method) || !fit_of(of, words))
        of++;
    return of;
}

static bool is_said(const char *fault, const char *const *said, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fault, said[i]) == 0)
            return true;
    return false;
}

/* Counts other words of the same kind that fit as many series, and names other faults among them, so that three at most
 * are named. */
static size_t say_equals(const struct boxes *boxes, const char *method, const char *words, struct text *to)
{
    const struct box_series *of = series_of(boxes, method, words);
    const struct fit *fit = fit_of(of, words);
    const char *said[CAUSES_MOST] = {fit->fault};
    size_t equals = 0, count = 1;
    for (size_t f = 0; f < of->fit_count; f++) {
        const struct fit *other = &of->fits[f];
        if (other->kind != fit->kind || !*other->fault != !*fit->fault || strcmp(other->words, words) == 0 ||
            other->series != fit->series)
            continue;
        if (count == CAUSES_MOST || other->method != fit->method || is_said(other->fault, said, count)) {
            equals++;
            continue;
        }
        said[count++] = other->fault;
        text_append(to, ", or %s", other->fault);
    }
    return equals;
}

/* ---- sentences ---- */

static enum status say(struct black_box_sentences *sentences, char *sentence)
{
    char **list = list_with_room(sentences->list, sentences->count, &sentences->capacity, sizeof *list);
    TRY(list ? OK : out_of_memory("a diagnosis"));
    sentences->list = list;
    list[sentences->count++] = sentence;
    return OK;
}

/* Whether all series that have the words have the best result that there is. */
static bool are_nearest(const struct boxes *boxes, const char *method, const char *words)
{
    for (size_t s = 0; s < boxes->count; s++)
        if (is_of(&boxes->list[s], method) && fit_of(&boxes->list[s], words) && boxes->list[s].series->not_nearest > 0)
            return false;
    return true;
}

static enum status say_best(struct boxes *boxes, const char *method, const char *words,
                            struct black_box_sentences *sentences)
{
    struct text text = {0}, others = {0};
    uint64_t fitting = 0, compared = 0;
    const size_t all = count_series(boxes, method, NULL), fit = count_series(boxes, method, words);
    for (size_t s = 0; s < boxes->count; s++) {
        const struct fit *of = is_of(&boxes->list[s], method) ? fit_of(&boxes->list[s], words) : NULL;
        fitting += of ? of->fitting : 0;
        compared += of ? of->compared : 0;
        boxes->list[s].is_told |= of != NULL;
    }
    const size_t equals = say_equals(boxes, method, words, &others);
    char *const alternatives = text_take(&others);
    const bool is_nearest = equals > 0 && are_nearest(boxes, method, words);
    text_append(&text, "%s: %s %s%s%s on %" PRIu64 " of %" PRIu64, method,
                is_nearest ? "correctly rounded, as is" : BY_BITS, words, alternatives,
                strstr(words, " in which ") ? "," : "", fitting, compared);
    free(alternatives);
    if (fit < all)
        text_append(&text, " (%zu of %zu series)", fit, all);
    if (equals > 0)
        text_append(&text, "; %zu more fit%s as well", equals, equals == 1 ? "s" : "");
    return say(sentences, text_take(&text));
}

/* In one line, whatever the others have: of many data it is much the same. */
static enum status say_others(struct boxes *boxes, const char *method, struct black_box_sentences *sentences)
{
    const struct box_series *first = NULL;
    size_t more = 0;
    char others[64] = "";
    for (size_t s = 0; s < boxes->count; s++) {
        struct box_series *of = &boxes->list[s];
        if (!is_of(of, method) || of->is_told)
            continue;
        more += first != NULL;
        if (!first ||
            (strncmp(first->cause, NOT_NAMED, strlen(NOT_NAMED)) == 0 && strcmp(first->cause, of->cause) != 0))
            first = of;
        of->is_told = true;
    }
    if (more > 0)
        snprintf(others, sizeof others, ", and much the same on %zu more", more);
    return first ? say(sentences, text_made("%s on %s%s: %s", method, first->series->data, others, first->cause)) : OK;
}

static enum status say_all(struct boxes *boxes, struct black_box_sentences *sentences)
{
    for (size_t s = 0; s < boxes->count; s++) {
        const char *method = boxes->list[s].series->method;
        if (boxes->list[s].is_told)
            continue;
        const char *best = best_words(boxes, method);
        if (best)
            TRY(say_best(boxes, method, best, sentences));
        TRY(say_others(boxes, method, sentences));
    }
    return OK;
}

/* ---- all of it ---- */

static bool is_black_box(const struct study_record *study, const char *method)
{
    for (size_t m = 0; m < study->method_count; m++)
        if (strcmp(study->methods[m].id, method) == 0)
            return study->methods[m].is_black_box;
    return false;
}

static void free_boxes(struct boxes *boxes)
{
    for (size_t s = 0; s < boxes->count; s++) {
        for (size_t f = 0; f < boxes->list[s].fit_count; f++)
            free(boxes->list[s].fits[f].words), free(boxes->list[s].fits[f].fault);
        free_all(boxes->list[s].fits, boxes->list[s].cause);
    }
    free(boxes->list);
}

enum status diagnose_black_boxes(const struct results *results, uint64_t additions, unsigned workers,
                                 struct black_box_sentences *sentences)
{
    FREED_BY(free_boxes)
    struct boxes boxes = {.results = results, .list = memory_cleared(results->series_count + 1, sizeof *boxes.list)};
    OWNED bool *wanted = memory_cleared(results->series_count + 1, sizeof *wanted);
    bool any = false;
    *sentences = (struct black_box_sentences){0};
    for (size_t s = 0; s < results->series_count; s++) {
        const struct series *series = &results->series[s];
        wanted[s] = (series->operation == OPERATION_sum || series->operation == OPERATION_dot ||
                     is_statistic(series->operation) || is_scan(series->operation)) &&
                    is_black_box(&results->study, series->method);
        any |= wanted[s];
    }
    if (any)
        TRY(diagnose_series(&(struct wanted_series){wanted, NULL}, results, additions, workers, note, &boxes));
    return say_all(&boxes, sentences);
}

void black_box_sentences_free(struct black_box_sentences *sentences)
{
    for (size_t i = 0; i < sentences->count; i++)
        free(sentences->list[i]);
    free(sentences->list);
    *sentences = (struct black_box_sentences){0};
}
