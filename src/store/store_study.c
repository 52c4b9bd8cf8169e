/* The study of a run, as its store keeps it. */
#include "store_file.h"

#include "kernels/operation_word.h"

/* ---- writing ---- */

static enum status put_pair(struct store *store, const char *key, const char *value)
{
    return store_put(store, "INSERT INTO run VALUES(?, ?)", "tt", key, value);
}

static enum status put_integer(struct store *store, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return put_pair(store, key, text);
}

static enum status put_method(struct store *store, size_t index, const struct method_record *method)
{
    char word[OPERATION_WORD_SIZE];
    return store_put(
        store,
        "INSERT INTO methods(id, accumulator, addition_order, accumulator_claim, order_claim, format, "
        "operation, plugin_flag, plugin, method_index, determinism, slow_above, is_black_box) VALUES(?, ?, "
        "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        "tttttttttiiii", method->id, method->accumulator, method->order, method->accumulator_claim, method->order_claim,
        method->format->name, operation_word(method->id, method->operation, word), method->plugin_flag, method->plugin,
        (uint64_t)index, (uint64_t)method->determinism, method->slow_above, (uint64_t)method->is_black_box);
}

static enum status put_entry(struct store *store, size_t index, const struct entry_record *entry)
{
    TRY(store_put(store, "INSERT INTO entries(text, entry, trials, permuted) VALUES(?, ?, ?, ?)", "tiii", entry->text,
                  (uint64_t)index, entry->trials, (uint64_t)entry->permuted));
    for (size_t i = 0; i < entry->spec_count; i++) {
        const struct spec_record *spec = &entry->specs[i];
        TRY(store_put(
            store,
            "INSERT INTO specs(text, unordered, family, arguments, entry, spec, attacked) VALUES(?, ?, ?, ?, ?, ?, ?)",
            "ttttiii", spec->text, spec->unordered, spec->family, spec->arguments, (uint64_t)index, (uint64_t)i,
            (uint64_t)spec->attacked));
    }
    return OK;
}

static enum status put_record(struct store *store, const struct study_record *record)
{
    OWNED char *axes = axes_text(record->across);
    TRY(put_pair(store, "title", record->title));
    TRY(put_pair(store, "study", record->text));
    TRY(put_integer(store, "seed", record->seed));
    TRY(put_integer(store, "repeats", record->repeats));
    TRY(put_integer(store, "cases", record->cases));
    TRY(put_pair(store, "across", axes));
    for (size_t i = 0; i < record->method_count; i++)
        TRY(put_method(store, i, &record->methods[i]));
    for (size_t i = 0; i < record->launch_count; i++)
        TRY(store_put(store, "INSERT INTO launches VALUES(?, ?, ?)", "iii", (uint64_t)i,
                      (uint64_t)record->launches[i].blocks, (uint64_t)record->launches[i].threads));
    for (size_t i = 0; i < record->entry_count; i++)
        TRY(put_entry(store, i, &record->entries[i]));
    return OK;
}

/* What rows call by a number. */
static enum status put_names(struct store *store)
{
    for (uint64_t b = 0; b < BACKENDS; b++)
        TRY(store_put(store, "INSERT INTO backends(id, device, backend_index) VALUES(?, ?, ?)", "tti",
                      backend_table[b].id, backend_table[b].device ? backend_table[b].device : store->device, b));
    for (uint64_t c = 0; c < CLASSES; c++)
        TRY(store_put(store, "INSERT INTO classes(name, class) VALUES(?, ?)", "ti", class_names[c], c));
    return OK;
}

enum status store_put_study(struct store *store)
{
    FREED_BY(study_record_free) struct study_record record = {0};
    study_record_make(store->study, &record);
    TRY(put_record(store, &record));
    return put_names(store);
}

/* ---- reading ---- */

static void take_text(sqlite3_stmt *statement, int column, char **text)
{
    free(*text);
    *text = memory_copy(store_text(statement, column));
}

/* Lists are read by their indices, which go up from 0. */
static enum status check_index(sqlite3_stmt *statement, int column, size_t expected, const char *of)
{
    const sqlite3_int64 index = sqlite3_column_int64(statement, column);
    if (index == (sqlite3_int64)expected)
        return OK;
    return bad_input(
        "the store has %s %lld in the place of %zu; expected the run.db of an ulpscope run; run the study again", of,
        (long long)index, expected);
}

static enum status take_pair(void *context, sqlite3_stmt *statement)
{
    struct study_record *record = context;
    const struct {
        const char *key;
        char **text;
        uint64_t *number;
    } keys[] = {
        {"title", &record->title, NULL},     {"study", &record->text, NULL},  {"seed", NULL, &record->seed},
        {"repeats", NULL, &record->repeats}, {"cases", NULL, &record->cases},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(store_text(statement, 0), keys[i].key) != 0)
            continue;
        if (keys[i].number && read_size(store_text(statement, 1), keys[i].number))
            return bad_input("the store has the %s \"%s\"; expected a number; run the study again", keys[i].key,
                             store_text(statement, 1));
        if (keys[i].text)
            take_text(statement, 1, keys[i].text);
    }
    if (strcmp(store_text(statement, 0), "across") == 0 && *store_text(statement, 1))
        return axes_read(store_text(statement, 1), "the store", &record->across);
    return OK;
}

/* The list with room for one element more, which is zero. */
static void *with_one_more(void *list, size_t count, size_t size)
{
    char *grown = memory_resized(list, (count + 1) * size);
    memset(grown + count * size, 0, size);
    return grown;
}

static enum status take_method(void *context, sqlite3_stmt *statement)
{
    struct study_record *record = context;
    TRY(check_index(statement, 10, record->method_count, "the method"));
    record->methods = with_one_more(record->methods, record->method_count, sizeof *record->methods);
    struct method_record *method = &record->methods[record->method_count++];
    char **const texts[] = {&method->id, &method->accumulator, &method->order, &method->accumulator_claim,
                            &method->order_claim};
    for (int i = 0; i < 5; i++)
        take_text(statement, i, texts[i]);
    method->determinism = sqlite3_column_int(statement, 5) == DETERMINISTIC ? DETERMINISTIC : ORDER_OF_ARRIVAL;
    method->slow_above = (uint64_t)sqlite3_column_int64(statement, 6);
    method->is_black_box = sqlite3_column_int(statement, 7) != 0;
    method->format = format_named(store_text(statement, 8));
    method->operation = operation_named(store_text(statement, 9));
    take_text(statement, 11, &method->plugin_flag);
    take_text(statement, 12, &method->plugin);
    if (*method->plugin_flag && !plugin_is_flag(method->plugin_flag))
        return bad_input(
            "the store has a method that --%s loads; expected a flag of this ulpscope; run the study again",
            method->plugin_flag);
    if (method->format && method->operation < OPERATIONS)
        return OK;
    return bad_input("the store has a method of the format \"%s\" and the operation \"%s\"; expected those of this "
                     "ulpscope; run the study again",
                     store_text(statement, 8), store_text(statement, 9));
}

/* A replay of 0 blocks would divide by them. */
static enum status take_launch(void *context, sqlite3_stmt *statement)
{
    struct study_record *record = context;
    TRY(check_index(statement, 2, record->launch_count, "the launch"));
    const sqlite3_int64 blocks = sqlite3_column_int64(statement, 0), threads = sqlite3_column_int64(statement, 1);
    if (blocks < 1 || blocks > LAUNCH_BLOCKS_MOST || threads < 1 || threads > LAUNCH_THREADS_MOST)
        return bad_input("the store has a launch of %lld blocks of %lld threads; expected the run.db of an ulpscope "
                         "run; run the study again",
                         (long long)blocks, (long long)threads);
    record->launches = with_one_more(record->launches, record->launch_count, sizeof *record->launches);
    record->launches[record->launch_count++] = (struct launch){(uint32_t)blocks, (uint32_t)threads};
    return OK;
}

static enum status take_entry(void *context, sqlite3_stmt *statement)
{
    struct study_record *record = context;
    TRY(check_index(statement, 3, record->entry_count, "the data"));
    record->entries = with_one_more(record->entries, record->entry_count, sizeof *record->entries);
    struct entry_record *entry = &record->entries[record->entry_count++];
    entry->trials = (uint64_t)sqlite3_column_int64(statement, 1);
    entry->permuted = sqlite3_column_int(statement, 2) != 0;
    take_text(statement, 0, &entry->text);
    return OK;
}

static enum status take_spec(void *context, sqlite3_stmt *statement)
{
    struct study_record *record = context;
    const size_t index = (size_t)sqlite3_column_int64(statement, 4);
    if (index >= record->entry_count)
        return bad_input(
            "the store has a spec of the data %zu of %zu; expected the run.db of an ulpscope run; run the study again",
            index, record->entry_count);
    struct entry_record *entry = &record->entries[index];
    TRY(check_index(statement, 5, entry->spec_count, "the spec"));
    entry->specs = with_one_more(entry->specs, entry->spec_count, sizeof *entry->specs);
    struct spec_record *spec = &entry->specs[entry->spec_count++];
    char **const texts[] = {&spec->text, &spec->unordered, &spec->family, &spec->arguments};
    for (int i = 0; i < 4; i++)
        take_text(statement, i, texts[i]);
    spec->attacked = sqlite3_column_int(statement, 6) != 0;
    return rerun_check_data(spec->arguments, spec->text);
}

enum status store_get_study(struct store *store, struct study_record *record)
{
    *record = (struct study_record){0};
    TRY(store_each_line(store, "SELECT key, value FROM run", take_pair, record));
    if (!record->title || !record->text)
        return bad_input("%s: lacks its study; expected the run.db of an ulpscope run; run the study again",
                         store->path ? store->path : "store");
    TRY(store_each_line(
        store,
        "SELECT id, accumulator, addition_order, accumulator_claim, order_claim, determinism, slow_above, "
        "is_black_box, format, operation, method_index, plugin_flag, plugin FROM methods ORDER BY method_index",
        take_method, record));
    TRY(store_each_line(store, "SELECT blocks, threads, launch_index FROM launches ORDER BY launch_index", take_launch,
                        record));
    TRY(store_each_line(store, "SELECT text, trials, permuted, entry FROM entries ORDER BY entry", take_entry, record));
    return store_each_line(
        store, "SELECT text, unordered, family, arguments, entry, spec, attacked FROM specs ORDER BY entry, spec",
        take_spec, record);
}
