/* The rows of the first run are kept, 24 bytes each, as far as they belong to a pair in question; those of the other
 * are merged into them as they come.  Within a series both come by trial and repeat, so that a pair needs one cursor.
 * Two runs of 10^6 rows each take 2 s.
 */
#include "comparison.h"

#include "src/base/list.h"

struct kept {
    uint64_t trial, exact; /* a hash of the text: equal data have equal sums */
    uint64_t bits;
    uint32_t repeat;
};

/* The rows of a pair in the first run, and how far the other has come. */
struct ledger {
    struct kept *rows;
    size_t count, capacity, cursor;
};

/* Where the rows of a series stand in the store, and which pair it is of. */
struct place {
    size_t entry, spec, launch, backend, method;
    size_t pair;
};

struct places {
    struct place *list;
    size_t count;
};

struct reading {
    struct comparison *comparison;
    struct ledger *ledgers; /* one per pair */
    struct places places;   /* of the run that is being read */
};

static int by_place(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    const size_t keys[][2] = {{a->entry, b->entry},
                              {a->spec, b->spec},
                              {a->launch, b->launch},
                              {a->backend, b->backend},
                              {a->method, b->method}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static struct place place_of(const struct study_record *study, const struct series *series, size_t pair)
{
    const struct entry_record *entry = &study->entries[series->entry];
    struct place place = {.entry = series->entry, .backend = (size_t)(series->backend - backend_table), .pair = pair};
    while (place.spec < entry->spec_count && strcmp(entry->specs[place.spec].text, series->data) != 0)
        place.spec++;
    while (place.launch < study->launch_count && (study->launches[place.launch].blocks != series->launch.blocks ||
                                                  study->launches[place.launch].threads != series->launch.threads))
        place.launch++;
    while (place.method < study->method_count && strcmp(study->methods[place.method].id, series->method) != 0)
        place.method++;
    return place;
}

/* Of the pairs in question, in one of the runs. */
static void find_places(struct reading *reading, bool other)
{
    const struct comparison *comparison = reading->comparison;
    const struct study_record *study = other ? &comparison->other->study : &comparison->first->study;
    struct place *list = memory_resized(reading->places.list, (comparison->pair_count + 1) * sizeof *list);
    reading->places = (struct places){list, 0};
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct series_pair *pair = &comparison->pairs[i];
        if (pair->in_question)
            list[reading->places.count++] = place_of(study, other ? pair->other : pair->first, i);
    }
    qsort(list, reading->places.count, sizeof *list, by_place);
}

static const struct place *find(const struct places *places, const struct result_bits *row)
{
    const struct place wanted = {row->entry, row->spec, row->launch, row->backend, row->method, 0};
    return bsearch(&wanted, places->list, places->count, sizeof wanted, by_place);
}

/* FNV-1a. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static enum status keep_row(void *context, const struct result_bits *row)
{
    struct reading *reading = context;
    const struct place *place = find(&reading->places, row);
    if (!place)
        return OK;
    struct ledger *ledger = &reading->ledgers[place->pair];
    struct kept *rows = list_with_room(ledger->rows, ledger->count, &ledger->capacity, sizeof *rows);
    TRY(rows ? OK : out_of_memory("the comparison"));
    ledger->rows = rows;
    rows[ledger->count++] = (struct kept){row->trial, hash_of(row->exact), row->bits, (uint32_t)row->repeat};
    return OK;
}

static bool is_before(const struct kept *kept, const struct result_bits *row)
{
    return kept->trial != row->trial ? kept->trial < row->trial : kept->repeat < row->repeat;
}

static enum status compare_row(void *context, const struct result_bits *row)
{
    struct reading *reading = context;
    const struct place *place = find(&reading->places, row);
    if (!place)
        return OK;
    struct ledger *ledger = &reading->ledgers[place->pair];
    struct series_pair *pair = &reading->comparison->pairs[place->pair];
    while (ledger->cursor < ledger->count && is_before(&ledger->rows[ledger->cursor], row))
        ledger->cursor++;
    if (ledger->cursor == ledger->count)
        return OK;
    const struct kept *kept = &ledger->rows[ledger->cursor];
    if (kept->trial != row->trial || kept->repeat != row->repeat)
        return OK;
    if (kept->exact != hash_of(row->exact)) {
        pair->other_data = true;
        return OK;
    }
    pair->common++;
    pair->differ += kept->bits != row->bits;
    return OK;
}

static enum status read_both(struct reading *reading)
{
    const struct comparison *comparison = reading->comparison;
    find_places(reading, false);
    if (reading->places.count == 0)
        return OK;
    TRY(results_each_bits(comparison->first, keep_row, reading));
    find_places(reading, true);
    return results_each_bits(comparison->other, compare_row, reading);
}

enum status comparison_read_rows(struct comparison *comparison)
{
    struct reading reading = {
        comparison, memory_cleared(comparison->pair_count + 1, sizeof *reading.ledgers), {NULL, 0}};
    const enum status status = read_both(&reading);
    for (size_t i = 0; i < comparison->pair_count; i++)
        free(reading.ledgers[i].rows);
    free_all(reading.ledgers, reading.places.list);
    return status;
}
