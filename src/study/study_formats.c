#include "src/base/suggest.h"
#include "study.h"

/* ---- operations ---- */

static enum status unknown_operation(const char *where, const char *word)
{
    const char *known[OPERATIONS];
    for (int o = 0; o < OPERATIONS; o++)
        known[o] = operation_table[o].id;
    return refuse_unknown(where, "operation", word, known, OPERATIONS);
}

static void append(struct study *study, enum operation operation)
{
    for (size_t o = 0; o < study->operation_count; o++)
        if (study->operations[o] == operation)
            return;
    study->operations[study->operation_count++] = operation;
}

enum status study_read_operations(struct study *study, const char *words, const char *where)
{
    OWNED char *copy = memory_copy(words);
    char *rest = NULL;
    study->operation_count = 0;
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        const enum operation operation = operation_named(word);
        if (operation < OPERATIONS && strcmp(operation_table[operation].id, word) == 0)
            append(study, operation);
        else
            TRY(unknown_operation(where, word));
    }
    if (study->operation_count == 0)
        TRY(unknown_operation(where, words));
    return OK;
}

/* One line for each accumulator. */
static void tell_absence(const struct study *study, size_t method, enum operation operation)
{
    const char *accumulator = study->methods[method]->accumulator;
    for (size_t m = 0; m < method; m++)
        if (strcmp(study->methods[m]->accumulator, accumulator) == 0)
            return;
    const char *why = method_absent(operation, study->methods[method]->sum_format, accumulator);
    complain("skipping %s in %s: %s", accumulator, operation_table[operation].id, why ? why : "it is not there");
}

static bool methods_include(const struct method *const *methods, size_t count, const struct method *method)
{
    for (size_t m = 0; m < count; m++)
        if (methods[m] == method)
            return true;
    return false;
}

static void spread_to_operations(struct study *study, bool quiet)
{
    const struct method **spread =
        memory_cleared(study->method_count * (study->operation_count + 1) + 1, sizeof *spread);
    size_t count = 0;
    for (size_t o = 0; o < study->operation_count; o++)
        for (size_t m = 0; m < study->method_count; m++) {
            if (study->methods[m]->operation != OPERATION_sum)
                continue;
            const struct method *method = method_of_operation(study->methods[m], study->operations[o]);
            if (method && !methods_include(spread, count, method))
                spread[count++] = method;
            else if (!method && !quiet)
                tell_absence(study, m, study->operations[o]);
        }
    for (size_t m = 0; m < study->method_count; m++)
        if (study->methods[m]->operation != OPERATION_sum)
            spread[count++] = study->methods[m];
    free(study->methods);
    study->methods = spread;
    study->method_count = count;
}

/* One exact result is that of all methods of a study. */
static enum status check_one_of(const struct study *study)
{
    const struct operation_row *first = &operation_table[study_operation(study)];
    for (size_t m = 1; m < study->method_count; m++) {
        const struct operation_row *other = &operation_table[study->methods[m]->operation];
        if (other->of == first->of)
            continue;
        return bad_input(
            "--operation: expected methods that compute one thing, found %s and %s; run them as two studies", first->id,
            other->id);
    }
    return OK;
}

/* Brings the methods to each operation of the study; those whose ids name one stay what they are.  Says on stderr what
 * does not exist, unless `quiet`.  BAD_INPUT where methods compute different things, sums and dot products, or none is
 * left. */
static enum status apply_operations(struct study *study, bool quiet)
{
    if (study->operation_count > 0)
        spread_to_operations(study, quiet);
    if (study->method_count > 0)
        return check_one_of(study);
    return bad_input("--operation: no method is left; see `ulpscope list methods` and `ulpscope list operations`");
}

enum data_kind operation_data_kind(enum operation operation)
{
    const struct operation_row *row = &operation_table[operation];
    if (row->vectors == 1)
        return row->of == WINDOW_SUMS ? VECTOR_IN_WINDOWS : ONE_VECTOR;
    return row->of == MATRICES ? TWO_MATRICES : TWO_VECTORS;
}

enum status study_set_vectors(struct study *study)
{
    for (size_t e = 0; e < study->entry_count; e++) {
        struct study_entry *entry = &study->entries[e];
        for (size_t s = 0; s < entry->spec_count; s++)
            TRY(data_spec_set_kind(&entry->specs[s], operation_data_kind(study_operation(study)),
                                   *entry->where ? entry->where : "--data"));
        struct file_sums sums = {.count = entry->trials};
        if (entry->sums > 0)
            TRY(data_spec_sums(entry->specs, &sums)); /* of matrices they are fewer than of vectors */
        entry->trials = entry->trials < sums.count ? entry->trials : sums.count;
    }
    return OK;
}

/* ---- reading ---- */

static enum status unknown_format(const char *where, const char *word)
{
    const char *known[SUM_FORMATS];
    for (int f = 0; f < SUM_FORMATS; f++)
        known[f] = sum_formats[f]->id;
    return refuse_unknown(where, "format", word, known, SUM_FORMATS);
}

static enum status not_added_there(const char *where, const struct format *stored, const char *added)
{
    struct text list = {0};
    for (int f = 0; f < SUM_FORMATS; f++)
        if (sum_format_of(stored, sum_formats[f]->added) == sum_formats[f])
            text_append(&list, "%s%s", list.length ? ", " : "", sum_formats[f]->added->name);
    OWNED char *all = text_take(&list);
    return bad_input("%s: no method adds numbers of %s in %s; expected --accumulate with one of %s", where,
                     stored->name, added, all);
}

static void append_format(struct study *study, const struct sum_format *format)
{
    for (size_t f = 0; f < study->format_count; f++)
        if (study->formats[f] == format)
            return;
    study->formats[study->format_count++] = format;
}

static char *next_word(char **rest)
{
    char *word = *rest, *comma = strchr(word, ',');
    *rest = comma ? comma + 1 : NULL;
    if (comma)
        *comma = '\0';
    return word;
}

/* One word of --format, with those of --accumulate: pairs that do not exist are passed over, unless none does. */
static enum status read_format(struct study *study, const char *word, const char *accumulate, const char *where)
{
    const struct sum_format *named = sum_format_find(word);
    enum status status = named ? OK : unknown_format(where, word);
    if (named && !accumulate)
        append_format(study, named);
    if (!named || !accumulate)
        return status;
    OWNED char *words = memory_copy(accumulate);
    const size_t before = study->format_count;
    bool is_known = false;
    for (char *rest = words; rest && status == OK;) {
        const char *adds = next_word(&rest);
        const struct format *added = format_named(adds);
        const struct sum_format *pair = added ? sum_format_of(named->stored, added) : NULL;
        if (!added)
            status = refuse_unknown_format(*where == '-' ? "--accumulate" : where, "what is added in,", adds);
        if (pair)
            append_format(study, pair);
        is_known |= pair != NULL;
    }
    if (status == OK && !is_known && study->format_count == before)
        status = not_added_there(where, named->stored, accumulate);
    return status;
}

enum status study_read_formats(struct study *study, const char *formats, const char *accumulate, const char *where)
{
    enum status status = OK;
    OWNED char *words = memory_copy(formats ? formats : FORMAT_BINARY32.name);
    study->format_count = 0;
    for (char *rest = words; rest && status == OK;) {
        const char *word = next_word(&rest);
        status = read_format(study, word, accumulate, where);
    }
    return status;
}

/* ---- the format of data ---- */

const struct method *study_method_for(const struct method *method, const struct format *stored)
{
    const struct method *found =
        method->sum_format == sum_formats[0] ? method_in(method, sum_format_of(stored, NULL)) : method;
    return found && method_takes(found, stored) ? found : NULL;
}

static bool is_default(const struct format *format)
{
    return strcmp(format->name, FORMAT_BINARY32.name) == 0;
}

static bool some_method_takes(const struct study *study, const struct format *stored)
{
    for (size_t m = 0; m < study->method_count; m++)
        if (method_takes(study->methods[m], stored))
            return true;
    return false;
}

/* ---- methods ---- */

/* What does not exist in a format, in a line for each reason. */
struct absences {
    struct absence {
        const char *accumulator, *why;
        const struct sum_format *format;
    } * list;
    size_t count;
};

/* Of a plug-in each format is a method of its own: nothing is absent where one of it is in the study. */
static bool stands_in(const struct study *study, const struct method *method, const struct sum_format *format)
{
    for (size_t m = 0; m < study->method_count && method->plugin; m++)
        if (study->methods[m]->plugin == method->plugin && study->methods[m]->sum_format == format)
            return true;
    return false;
}

static void note_absence(struct absences *absences, const struct method *method, const struct sum_format *format)
{
    const char *why = method_absent(method->operation, format, method->accumulator);
    for (size_t i = 0; i < absences->count; i++)
        if (strcmp(absences->list[i].accumulator, method->accumulator) == 0 && absences->list[i].format == format)
            return;
    absences->list = memory_resized(absences->list, (absences->count + 1) * sizeof *absences->list);
    absences->list[absences->count++] = (struct absence){method->accumulator, why ? why : "it is not there", format};
}

static void tell_absences(struct absences *absences, bool quiet)
{
    for (size_t i = 0; i < absences->count && !quiet; i++)
        complain("skipping %s in %s: %s", absences->list[i].accumulator, absences->list[i].format->id,
                 absences->list[i].why);
    free(absences->list);
}

/* Those without an @ are of each format; the others stay what they are, and are there once. */
static void spread_methods(struct study *study, bool quiet)
{
    struct absences absences = {0};
    const size_t most = study->method_count * (study->format_count + 1);
    const struct method **spread = memory_cleared(most + 1, sizeof *spread);
    size_t count = 0;
    for (size_t f = 0; f < study->format_count; f++)
        for (size_t m = 0; m < study->method_count; m++) {
            if (study->methods[m]->sum_format != sum_formats[0])
                continue;
            const struct method *method = method_in(study->methods[m], study->formats[f]);
            if (method)
                spread[count++] = method;
            else if (!stands_in(study, study->methods[m], study->formats[f]))
                note_absence(&absences, study->methods[m], study->formats[f]);
        }
    for (size_t m = 0; m < study->method_count; m++)
        if (study->methods[m]->sum_format != sum_formats[0] && !methods_include(spread, count, study->methods[m]))
            spread[count++] = study->methods[m];
    free(study->methods);
    study->methods = spread;
    study->method_count = count;
    tell_absences(&absences, quiet);
}

/* ---- data ---- */

/* The entry with another text, or its own. */
static enum status add_as(struct study *to, const struct study_entry *entry, const char *text)
{
    TRY(study_add_data(to, text, entry->trials, *entry->where ? entry->where : "--data",
                       entry->specs[0].options.nonfinite));
    snprintf(to->entries[to->entry_count - 1].where, WHERE_SIZE, "%s", entry->where);
    return OK;
}

static enum status add_in_format(struct study *to, const struct study_entry *entry, bool converts,
                                 const struct format *format)
{
    OWNED char *with_key = data_text_in_format(entry->text, format, converts);
    return add_as(to, entry, with_key);
}

/* Whether some of the data are stored in the format. */
static bool has_data(const struct study *study, const struct format *wanted)
{
    bool has = false;
    for (size_t i = 0; i < study->entry_count && !has; i++) {
        const struct format *stored = NULL;
        has = data_spec_stored_format(&study->entries[i].specs[0], &stored) == OK &&
              strcmp(stored->name, wanted->name) == 0;
    }
    return has;
}

/* One entry for each stored format of the study, in its order; beside binary32 that nobody asked for, for those alone
 * that have no data. */
static enum status add_in_each(struct study *to, const struct study *from, const struct study_entry *entry,
                               bool converts, bool is_asked)
{
    const bool has_default = !is_asked && some_method_takes(from, &FORMAT_BINARY32);
    for (size_t f = 0; f < from->format_count; f++) {
        const struct format *stored = from->formats[f]->stored;
        bool is_first = true;
        for (size_t e = 0; e < f; e++)
            is_first = is_first && strcmp(from->formats[e]->stored->name, stored->name) != 0;
        const char *refusal = entry->specs[0].generator ? generator_refuses(entry->specs[0].generator, stored) : NULL;
        if ((is_first && refusal && entry->is_showcase) ||
            (has_default && !is_default(stored) && has_data(from, stored)))
            continue;
        if (is_first && is_default(stored) && entry->specs[0].generator)
            TRY(add_as(to, entry, entry->text));
        else if (is_first)
            TRY(add_in_format(to, entry, converts, stored));
    }
    return OK;
}

static enum status no_method_takes(const struct study *study, const struct study_entry *entry,
                                   const struct format *stored)
{
    struct text list = {0};
    for (size_t f = 0; f < study->format_count; f++)
        text_append(&list, "%s%s", f ? ", " : "", study->formats[f]->id);
    OWNED char *all = text_take(&list);
    return bad_input(
        "%s%s%s holds numbers of %s; the methods are asked for in %s; expected data that they take; give --format "
        "%s, or --convert, which rounds the numbers and says what that costs",
        entry->where, *entry->where ? ": " : "", entry->specs[0].text, stored->name, all, stored->name);
}

/* Whether its text says what its numbers are stored in. */
static bool says_format(const struct study_entry *entry)
{
    OWNED char *with_key = data_text_in_format(entry->text, &FORMAT_BINARY32, false);
    return strcmp(with_key, entry->text) == 0;
}

/* A family whose format nobody named is made in each that was asked for, or that methods have where none is of
 * binary32; what has a format of its own keeps it.  A file that has none is of binary32 where that was asked for. */
static enum status spread_entry(struct study *to, const struct study *from, const struct study_entry *entry,
                                bool is_asked, bool convert)
{
    const struct format *stored = NULL;
    const struct data_spec *spec = &entry->specs[0];
    if (spec->generator && is_default(spec->format) && from->format_count > 0 && !says_format(entry))
        return add_in_each(to, from, entry, false, is_asked);
    if (is_asked && !convert && !data_spec_says_format(spec) && !some_method_takes(from, &FORMAT_BINARY32))
        return add_in_each(to, from, entry, false, is_asked);
    TRY(data_spec_stored_format(spec, &stored));
    if (convert && !some_method_takes(from, stored))
        return add_in_each(to, from, entry, true, is_asked);
    if (!some_method_takes(from, stored))
        return no_method_takes(from, entry, stored);
    return add_as(to, entry, entry->text);
}

static enum status spread_data(struct study *study, bool is_asked, bool convert)
{
    struct study spread = {0};
    enum status status = OK;
    for (size_t i = 0; i < study->entry_count && status == OK; i++)
        status = spread_entry(&spread, study, &study->entries[i], is_asked, convert);
    if (status == OK && spread.entry_count == 0)
        status = bad_input("--format: no data are left: no family that is asked for has numbers of these formats; see "
                           "`ulpscope list generators`");
    if (status != OK) {
        study_clear_data(&spread);
        return status;
    }
    study_clear_data(study);
    study->entries = spread.entries;
    study->entry_count = spread.entry_count;
    return OK;
}

/* ---- both ---- */

/* Methods that none of the data are for, which is said.  Each file is opened once. */
static enum status drop_idle_methods(struct study *study, bool quiet)
{
    size_t kept = 0;
    OWNED bool *is_busy = memory_cleared(study->method_count + 1, sizeof *is_busy);
    for (size_t i = 0; i < study->entry_count; i++) {
        const struct format *stored = NULL;
        TRY(data_spec_stored_format(&study->entries[i].specs[0], &stored));
        for (size_t m = 0; m < study->method_count; m++)
            is_busy[m] |= method_takes(study->methods[m], stored);
    }
    for (size_t m = 0; m < study->method_count; m++) {
        if (is_busy[m])
            study->methods[kept++] = study->methods[m];
        else if (!quiet)
            complain("skipping %s: no data of the study are stored in %s; name some, or give --format %s",
                     study->methods[m]->id, study->methods[m]->sum_format->stored->name,
                     study->methods[m]->sum_format->stored->name);
    }
    study->method_count = kept;
    return OK;
}

/* Methods with an @ say what data they want, and so do those beside them. */
static bool take_formats_of_methods(struct study *study)
{
    bool some_have_one = false;
    for (size_t m = 0; m < study->method_count; m++)
        some_have_one |= study->methods[m]->sum_format != sum_formats[0];
    if (some_have_one && some_method_takes(study, &FORMAT_BINARY32))
        append_format(study, sum_formats[0]);
    for (size_t m = 0; m < study->method_count && some_have_one; m++)
        append_format(study, study->methods[m]->sum_format);
    return some_have_one;
}

/* What the data are stored in, as is usual to add it; binary32 for the rest. */
static enum status formats_of_data(struct study *study)
{
    for (size_t i = 0; i < study->entry_count; i++) {
        const struct format *stored = NULL;
        TRY(data_spec_stored_format(&study->entries[i].specs[0], &stored));
        if (!some_method_takes(study, stored) || is_default(stored))
            append_format(study, sum_format_of(stored, NULL));
    }
    return OK;
}

enum status study_apply_formats(struct study *study, bool convert, bool quiet)
{
    const bool is_asked = study->format_count > 0;
    TRY(study_check_files(study));
    TRY(apply_operations(study, quiet));
    if (!is_asked && take_formats_of_methods(study)) {
        TRY(spread_data(study, false, convert));
    } else {
        if (!is_asked)
            TRY(formats_of_data(study));
        spread_methods(study, quiet);
        if (is_asked)
            TRY(spread_data(study, true, convert));
    }
    TRY(drop_idle_methods(study, quiet));
    if (study->method_count > 0)
        return OK;
    return bad_input("--format: no method is left; see `ulpscope list methods` and `ulpscope list formats`");
}
