#include "study.h"
#include "src/base/suggest.h"

#include <errno.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const nonfinite_words[] = {
    [NONFINITE_REFUSE] = "refuse", [NONFINITE_IEEE] = "ieee", [NONFINITE_SKIP] = "skip"};

enum status nonfinite_read(const char *text, const char *where, enum nonfinite *nonfinite)
{
    for (size_t i = 0; i < sizeof nonfinite_words / sizeof *nonfinite_words; i++)
        if (strcmp(text, nonfinite_words[i]) == 0) {
            *nonfinite = (enum nonfinite)i;
            return OK;
        }
    return bad_input("%s: \"%s\" is unknown; expected refuse, ieee or skip", where, text);
}

/* ---- methods ---- */

enum { HALF_SIZE = 128 };

static bool only_exclusions(char *const *globs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (globs[i][0] != '!')
            return false;
    return true;
}

/* The table that a glob is for: that of the operation before its : and the format behind its @, or that of sums and
 * binary32.  An @ in front of a glob is one of several: NULL. */
static const struct sum_format *format_of(const char *glob)
{
    const char *at = strchr(glob, '@');
    return at ? sum_format_find(at + 1) : sum_formats[0];
}

/* Whether a glob is for an operation: that before its :, which may be a glob as well, or the sum. */
static bool is_for(const char *glob, enum operation operation)
{
    const size_t length = strcspn(glob, ":");
    if (glob[length] != ':')
        return operation == OPERATION_sum;
    OWNED char *wanted = text_made("%.*s", (int)length, glob);
    return operation_named(wanted) == operation || fnmatch(wanted, operation_table[operation].id, 0) == 0;
}

/* Whether a glob is that of an id; in place of an accumulator it may have the word of a kind. */
static bool is_glob_of(const char *glob, const char *id, const struct method *method)
{
    static const char *const words[ACCUMULATOR_KINDS] = ACCUMULATOR_KIND_WORDS;
    const size_t operation = strchr(glob, ':') ? strcspn(glob, ":") + 1 : 0, word = strcspn(glob + operation, "/");
    const char *kind = words[method->accumulator_traits ? method->accumulator_traits->kind : KIND_NONE];
    if (!*kind || strlen(kind) != word || memcmp(kind, glob + operation, word) != 0)
        return fnmatch(glob, id, 0) == 0;
    OWNED char *of_this_one = text_made("%.*s%s%s", (int)operation, glob, method->accumulator, glob + operation + word);
    return fnmatch(of_this_one, id, 0) == 0;
}

/* Sums of integers are meant by globs that begin with their name alone: one for all accumulators is for numbers. */
static bool may_mean(const char *glob, const struct method *method)
{
    const char *colon = strchr(glob, ':');
    return method->role == SUMS || (method_adds(method) && !strchr("*?[", *(colon ? colon + 1 : glob)));
}

/* Globs without @ are for methods of binary32, and for those of plug-ins, each of which has one format; a glob that is
 * the id of another method is that alone. */
static bool matches(const char *glob, const struct method *method)
{
    const bool says_format = strchr(glob, '@'), has_format = method->sum_format != sum_formats[0];
    if (says_format == has_format)
        return is_glob_of(glob, method->id, method);
    if (says_format || !method->plugin || plugin_is_variant(method) || method_find(glob))
        return false;
    OWNED char *without_format = text_made("%.*s", (int)strcspn(method->id, "@"), method->id);
    return is_glob_of(glob, without_format, method);
}

static const struct method *first_match_in(const char *glob, enum operation operation)
{
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t count;
        const struct method *const *methods = method_table_for(operation, sum_formats[f], &count);
        for (size_t i = 0; i < count; i++)
            if (may_mean(glob, methods[i]) && matches(glob, methods[i]))
                return methods[i];
    }
    return NULL;
}

/* The first method that sums and matches; NULL when none does. */
static const struct method *first_match(const char *word)
{
    char room[UNALIAS_SIZE];
    const char *glob = method_unalias(word, room);
    const struct method *first = NULL;
    for (int operation = 0; operation < OPERATIONS && !first; operation++)
        if (is_for(glob, (enum operation)operation))
            first = first_match_in(glob, (enum operation)operation);
    return first;
}

/* "neumaier" is half of neumaier/serial, and so is "serial"; in `glob` what all with that half match. */
static const struct method *first_of_half(const char *word, char glob[HALF_SIZE])
{
    snprintf(glob, HALF_SIZE, "%s/*", word);
    const struct method *first = first_match(glob);
    if (first)
        return first;
    snprintf(glob, HALF_SIZE, "*/%s", word);
    return first_match(glob);
}

bool study_names_methods(const char *text)
{
    char glob[HALF_SIZE];
    return method_find(text) || first_match(text) || first_of_half(text, glob);
}

/* "one of mine/loop, mine/sum@binary64", where the glob begins with a plug-in's name; allocated; NULL. */
static char *methods_of_plugin(const char *glob)
{
    size_t plugin_count, count;
    struct text list = {0};
    const char *name = strchr(glob, ':') ? strchr(glob, ':') + 1 : glob;
    struct plugin *const *plugins = plugins_loaded(&plugin_count);
    for (size_t p = 0; p < plugin_count; p++) {
        const struct method *const *methods = plugin_methods(plugins[p], &count);
        const size_t length = strlen(methods[0]->accumulator);
        for (size_t m = 0; m < count && strncmp(name, methods[0]->accumulator, length) == 0 && name[length] == '/'; m++)
            text_append(&list, "%s%s", list.length > 0 ? ", " : "one of ", methods[m]->id);
    }
    return list.length > 0 ? text_take(&list) : NULL;
}

static enum status no_such_method(const char *where, const char *glob, bool one)
{
    size_t count, alias_count;
    const struct sum_format *of = format_of(glob);
    const enum operation operation = operation_of_id(glob);
    const struct method *const *methods =
        method_table_for(operation < OPERATIONS ? operation : OPERATION_sum, of ? of : sum_formats[0], &count);
    const struct method_alias *aliases = method_aliases(&alias_count);
    OWNED const char **known = memory_cleared(count + alias_count, sizeof *known);
    size_t known_count = 0;
    for (size_t i = 0; i < count; i++)
        if (method_adds(methods[i]))
            known[known_count++] = methods[i]->id;
    for (size_t i = 0; i < alias_count; i++)
        known[known_count++] = aliases[i].alias;
    char half[HALF_SIZE];
    OWNED char *own = methods_of_plugin(glob);
    const struct method *first = first_of_half(glob, half);
    if (!first && !strchr(glob, ':')) { /* "plain/naive" is an order of products alone */
        snprintf(half, sizeof half, "matmul:%s", glob);
        first = first_match(half);
    }
    if (!first && of && strchr(glob, '@')) { /* other formats have it */
        snprintf(half, sizeof half, "%.*s", (int)strcspn(glob, "@"), glob);
        first = first_match(half);
    }
    const char *const order = strchr(glob, '/');
    const bool is_begun = !first && order && order - glob >= 3; /* "int32/serial" begins int32_wrap/serial */
    if (is_begun) {
        snprintf(half, sizeof half, "%.*s*%s", (int)(order - glob), glob, order);
        first = first_match(half);
    }
    const char *near = !first ? suggest(glob, known, known_count) : one || is_begun ? first->id : half;
    return bad_input("%s: \"%s\" matches no method; expected %s%s%s%s%s; see `ulpscope list methods`", where, glob,
                     own ? own : "accumulator/order", one || own ? "" : " or a glob",
                     near && !own ? "; did you mean \"" : "", near && !own ? near : "", near && !own ? "\"?" : "");
}

enum status study_check_glob(const char *word, const char *where)
{
    char room[UNALIAS_SIZE];
    const char *glob = method_unalias(word + (word[0] == '!'), room);
    const struct method *exact = method_find(glob);
    if (exact && !method_adds(exact))
        return bad_input("%s: %s measures the tree and gives no sum; expected a method whose accumulator sums; see "
                         "`ulpscope list methods`",
                         where, exact->id);
    return first_match(glob) ? OK : no_such_method(where, glob, false);
}

enum status study_method_named(const char *name, const char *where, const struct method **method)
{
    *method = method_find(name);
    if (*method)
        return study_check_glob(name, where); /* whether it sums */
    if (!strpbrk(name, "*?[!"))
        return no_such_method(where, name, true);
    return bad_input("%s: \"%s\" is a glob; expected one method; see `ulpscope list methods`", where, name);
}

/* Whether a glob includes, or excludes, the method. */
static bool selects(char *const *globs, size_t count, const struct method *method, bool excluding)
{
    for (size_t i = 0; i < count; i++) {
        const bool excludes = globs[i][0] == '!';
        const char *glob = globs[i] + excludes;
        if (excludes == excluding && (excludes || may_mean(glob, method)) && matches(glob, method))
            return true;
    }
    return false;
}

static bool plugins_have(enum operation operation, int f)
{
    size_t plugin_count, count;
    struct plugin *const *plugins = plugins_loaded(&plugin_count);
    for (size_t p = 0; p < plugin_count; p++) {
        const struct method *const *methods = plugin_methods(plugins[p], &count);
        for (size_t m = 0; m < count; m++)
            if (methods[m]->operation == operation && methods[m]->sum_format == sum_formats[f])
                return true;
    }
    return false;
}

/* Whether globs of an operation may include one of a format; if none may, its table need not be made: all tables take
 * 24 ms, and the rest of a small run 13. */
static bool may_include(char *const *globs, size_t count, enum operation operation, int f)
{
    bool with_format = false, without = false;
    for (size_t i = 0; i < count; i++)
        if (globs[i][0] != '!')
            *(strchr(globs[i], '@') ? &with_format : &without) = true;
    return f == 0 ? without : with_format || (without && plugins_have(operation, f));
}

/* Appends those of an operation and a format.  Globs without : and @ are for sums of binary32; exclusions alone leave
 * all of these. */
static void select_from(struct study *study, enum operation operation, int f, char *const *globs, size_t count)
{
    OWNED char **own = memory_cleared(count + 1, sizeof *own);
    size_t own_count = 0, known;
    for (size_t i = 0; i < count; i++)
        if (is_for(globs[i] + (globs[i][0] == '!'), operation))
            own[own_count++] = globs[i];
    const bool takes_all = operation == OPERATION_sum && f == 0 && only_exclusions(globs, count);
    if (!takes_all && !may_include(own, own_count, operation, f))
        return;
    const struct method *const *methods = method_table_for(operation, sum_formats[f], &known);
    for (size_t i = 0; i < known; i++) {
        const bool included = takes_all ? methods[i]->role == SUMS : selects(own, own_count, methods[i], false);
        if (included && !selects(own, own_count, methods[i], true)) {
            study->methods = memory_resized(study->methods, (study->method_count + 1) * sizeof *study->methods);
            study->methods[study->method_count++] = methods[i];
        }
    }
}

enum status study_select_methods(struct study *study, char *const *globs, size_t count, const char *where)
{
    for (size_t i = 0; i < count; i++)
        TRY(study_check_glob(globs[i], where));
    char **names = memory_cleared(count + 1, sizeof *names), room[UNALIAS_SIZE];
    for (size_t i = 0; i < count; i++)
        names[i] = text_made("%s%s", *globs[i] == '!' ? "!" : "", method_unalias(globs[i] + (*globs[i] == '!'), room));
    free(study->methods);
    study->methods = NULL;
    study->method_count = 0;
    for (int operation = 0; operation < OPERATIONS; operation++)
        for (int f = 0; f < SUM_FORMATS; f++)
            select_from(study, (enum operation)operation, f, names, count);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    if (study->method_count > 0)
        return OK;
    return bad_input("%s: no method is left after the exclusions; see `ulpscope list methods`", where);
}

/* ---- data ---- */

static enum status add_entry(struct study *study, const char *text, uint64_t trials, const char *where,
                             enum nonfinite nonfinite)
{
    struct study_entry entry = {.trials = trials > 0 ? trials : 1};
    TRY(data_specs_read(text, where, nonfinite, &entry.specs, &entry.spec_count));
    struct file_sums sums = {0};
    const enum status status = data_spec_has_sums(entry.specs) ? data_spec_sums(entry.specs, &sums) : OK;
    entry.sums = sums.count < TRIALS_MOST ? sums.count : TRIALS_MOST;
    if (status != OK) {
        data_specs_free(entry.specs, entry.spec_count);
        return status;
    }
    if (entry.sums > 0 && (trials == 0 || trials > entry.sums))
        entry.trials = entry.sums;
    if (!data_spec_is_random(&entry.specs[0]))
        entry.trials = entry.specs[0].ordering.further + 1;
    entry.text = memory_copy(entry.specs[0].path ? entry.specs[0].text : text);
    study->entries = memory_resized(study->entries, (study->entry_count + 1) * sizeof entry);
    study->entries[study->entry_count++] = entry;
    return OK;
}

/* "all": what every family shows itself with. */
static enum status add_all_families(struct study *study, uint64_t trials, const char *where)
{
    size_t count;
    const struct generator *const *generators = generator_table(&count);
    for (size_t g = 0; g < count; g++)
        for (const char *const *spec = generators[g]->showcase; *spec; spec++) {
            TRY(add_entry(study, *spec, trials, where, NONFINITE_REFUSE));
            study->entries[study->entry_count - 1].is_showcase = true;
        }
    return OK;
}

enum status study_add_data(struct study *study, const char *text, uint64_t trials, const char *where,
                           enum nonfinite nonfinite)
{
    return strcmp(text, "all") == 0 ? add_all_families(study, trials, where)
                                    : add_entry(study, text, trials, where, nonfinite);
}

void study_clear_data(struct study *study)
{
    for (size_t i = 0; i < study->entry_count; i++) {
        data_specs_free(study->entries[i].specs, study->entries[i].spec_count);
        free(study->entries[i].text);
    }
    free(study->entries);
    study->entries = NULL;
    study->entry_count = 0;
}

/* The most numbers that a spec of the entry has; of a file as many as its bytes could hold in binary32. */
static uint64_t most_numbers(const struct study_entry *entry)
{
    struct stat facts;
    uint64_t most = 0;
    for (size_t i = 0; i < entry->spec_count; i++)
        most = entry->specs[i].n > most ? entry->specs[i].n : most;
    if (entry->specs[0].path && stat(entry->specs[0].path, &facts) == 0)
        return (uint64_t)facts.st_size / sizeof(float);
    return most;
}

uint64_t study_most_numbers(const struct study *study)
{
    uint64_t most = 0;
    for (size_t i = 0; i < study->entry_count; i++) {
        const uint64_t numbers = most_numbers(&study->entries[i]);
        most = numbers > most ? numbers : most;
    }
    return most;
}

enum { NUMBERS_BY_RULE = 1 << 27, LEAST_BY_RULE = 10, MOST_BY_RULE = 100 };

/* By the data alone, so that another method or another machine changes no number of sums. */
static uint64_t permutations_by_rule(const struct study_entry *entry)
{
    const uint64_t numbers = most_numbers(entry), many = NUMBERS_BY_RULE / (numbers > 0 ? numbers : 1);
    return many < LEAST_BY_RULE ? LEAST_BY_RULE : many > MOST_BY_RULE ? MOST_BY_RULE : many;
}

void study_permute(struct study *study)
{
    for (size_t i = 0; i < study->entry_count; i++) {
        struct study_entry *entry = &study->entries[i];
        if (data_spec_permutes(&entry->specs[0]))
            entry->trials =
                1 + (study->permutations == PERMUTATIONS_BY_RULE ? permutations_by_rule(entry) : study->permutations);
    }
}

const char *study_second_path(const struct study_entry *entry)
{
    return entry->specs[0].second ? entry->specs[0].second->path : NULL;
}

static enum status check_file(const struct study_entry *entry, const char *path)
{
    if (!path || !*entry->where || access(path, R_OK) == 0)
        return OK;
    const int cause = errno;
    return caused_by(cause, "%s: %s: %s; expected a file, relative to the study's folder; correct its name",
                     entry->where, path, strerror(cause));
}

enum status study_check_files(const struct study *study)
{
    for (size_t i = 0; i < study->entry_count; i++) {
        TRY(check_file(&study->entries[i], study->entries[i].specs[0].path)); /* a file's entry has one spec */
        TRY(check_file(&study->entries[i], study_second_path(&study->entries[i])));
    }
    return OK;
}

enum status study_hash_files(struct study *study)
{
    for (size_t i = 0; i < study->entry_count; i++) {
        struct study_entry *entry = &study->entries[i];
        if (entry->specs[0].path)
            TRY(file_hash(entry->specs[0].path, entry->file_hash));
        if (study_second_path(entry))
            TRY(file_hash(study_second_path(entry), entry->second_hash));
    }
    return OK;
}

/* ---- launches ---- */

static enum status read_launch_sweep(const char *text, const char *what, const char *where, uint64_t most,
                                     uint64_t **values, size_t *count)
{
    const char *wrong = read_size_sweep(text, values, count);
    if (wrong)
        return bad_input("%s: %s \"%s\" %s; expected a count like 120 or a sweep like 32..1024*2", where, what, text,
                         wrong);
    for (size_t i = 0; i < *count; i++)
        if ((*values)[i] < 1 || (*values)[i] > most) {
            complain("%s: %s %llu is out of range; expected 1 to %llu", where, what, (unsigned long long)(*values)[i],
                     (unsigned long long)most);
            free(*values);
            *values = NULL;
            return BAD_INPUT;
        }
    return OK;
}

enum status study_set_launches(struct study *study, const char *blocks, const char *threads, const char *where)
{
    OWNED uint64_t *block_list = NULL, *thread_list = NULL;
    size_t block_count = 0, thread_count = 0;
    TRY(read_launch_sweep(blocks, "blocks", where, LAUNCH_BLOCKS_MOST, &block_list, &block_count));
    TRY(read_launch_sweep(threads, "threads", where, LAUNCH_THREADS_MOST, &thread_list, &thread_count));
    if (block_count * thread_count > LAUNCHES_MOST)
        return bad_input("%s: %zu launches (blocks x threads); expected at most %d", where, block_count * thread_count,
                         LAUNCHES_MOST);
    study->launch_count = 0;
    for (size_t b = 0; b < block_count; b++)
        for (size_t t = 0; t < thread_count; t++)
            study->launches[study->launch_count++] = (struct launch){(uint32_t)block_list[b], (uint32_t)thread_list[t]};
    return OK;
}

/* ---- cases ---- */

void study_set_trial(struct study *study, uint64_t trial)
{
    study->first_trial = trial;
    for (size_t i = 0; i < study->entry_count; i++)
        study->entries[i].trials = 1;
}

uint64_t study_case_count(const struct study *study)
{
    uint64_t cases = 0;
    for (size_t i = 0; i < study->entry_count; i++)
        cases += study->entries[i].spec_count * study->entries[i].trials;
    return cases;
}

struct study_case study_case_at(const struct study *study, uint64_t index)
{
    size_t entry = 0;
    while (index >= study->entries[entry].spec_count * study->entries[entry].trials) {
        index -= study->entries[entry].spec_count * study->entries[entry].trials;
        entry++;
    }
    const uint64_t trials = study->entries[entry].trials;
    return (struct study_case){
        .entry = entry, .spec = (size_t)(index / trials), .trial = study->first_trial + index % trials};
}

char *study_text(const struct study *study)
{
    struct text text = {0};
    char *across = axes_text(study->across);
    text_append(&text, "title: %s\nseed: %llu\nfirst trial: %llu\nrepeats: %llu\nacross: %s\n", study->title,
                (unsigned long long)study->seed, (unsigned long long)study->first_trial,
                (unsigned long long)study->repeats, across);
    free(across);
    for (size_t i = 0; i < study->method_count; i++)
        text_append(&text, "method: %s\n", study->methods[i]->id);
    for (size_t i = 0; i < study->launch_count; i++)
        text_append(&text, "launch: %u x %u\n", study->launches[i].blocks, study->launches[i].threads);
    for (size_t i = 0; i < study->entry_count; i++) {
        text_append(&text, "data: %s, %llu trials\n", study->entries[i].text,
                    (unsigned long long)study->entries[i].trials);
        if (study->entries[i].specs[0].path)
            text_append(&text, "  sha256: %s\n", study->entries[i].file_hash);
        if (study_second_path(&study->entries[i]))
            text_append(&text, "  second sha256: %s\n", study->entries[i].second_hash);
        for (size_t k = 0; k < study->entries[i].spec_count; k++)
            text_append(&text, "  %s, nonfinite: %s\n", study->entries[i].specs[k].text,
                        nonfinite_words[study->entries[i].specs[k].options.nonfinite]);
    }
    return text_take(&text);
}

void study_free(struct study *study)
{
    study_clear_data(study);
    for (size_t i = 0; i < study->label_count; i++)
        free_all(study->labels[i].method, study->labels[i].text);
    free_all(study->labels, study->methods, study->title);
    *study = (struct study){0};
}
