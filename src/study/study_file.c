/* A study file: what its keys say, and the study that comes of it.  How YAML is read stands in yaml_file.h. */
#include "study.h"

/* The words of this text are the README's; it is also written to datasets/studies/classic.yaml, and a test compares. */
const char default_study_text[] =
    "schema: ulpscope-study/1\n"
    "title: Four classic sums\n"
    "methods: [plain/serial, plain/tree_two_pass, kahan/tree_two_pass, binary64/tree_two_pass]\n"
    "launch: {blocks: 120, threads: 256}\n"
    "seed: 1\n"
    "data:\n"
    "  - {spec: \"uniform:n=1Ki..1Mi*32\", trials: 100}\n"
    "  - {spec: \"gensum:n=4096,cond=1e2..1e14*100\", trials: 50}\n";

static const struct yaml_kind study_kind = {.noun = "study", .schema = "ulpscope-study/1", .command = "run"};

enum { METHODS_MOST = 1000 };

struct reader {
    struct yaml_file file;
    bool nonfinite_is_given; /* by a flag, which is stronger than the file */
    struct study *study;
};

/* ---- the parts of a study ---- */

/* A file's name, which is relative to the study file; allocated. */
static char *beside_study(const char *study, const char *file)
{
    const char *name = strrchr(study, '/');
    return text_made("%.*s%s", name && *file != '/' ? (int)(name + 1 - study) : 0, study, file);
}

static enum status read_methods(struct reader *reader, const yaml_node_t *node)
{
    char place[WHERE_SIZE];
    if (node->type != YAML_SEQUENCE_NODE)
        return yaml_expected(&reader->file, node, "methods", "a list of methods, like [plain/serial, \"kahan/*\"]");
    const yaml_node_item_t *items = node->data.sequence.items.start;
    const size_t count = (size_t)(node->data.sequence.items.top - items);
    if (count == 0 || count > METHODS_MOST)
        return bad_input("%s: methods lists %zu methods; expected 1 to %d", yaml_where(&reader->file, node, place),
                         count, METHODS_MOST);
    OWNED char **globs = memory_cleared(count, sizeof *globs);
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *item = yaml_document_get_node(&reader->file.document, items[i]);
        const char *text = yaml_text(&reader->file, item, "a method");
        globs[i] = (char *)text; /* read only */
        TRY(text ? study_check_glob(text, yaml_where(&reader->file, item, place)) : BAD_INPUT);
    }
    return study_select_methods(reader->study, globs, count, yaml_where(&reader->file, node, place));
}

/* {plugin: ./libmine.so}; a file is looked for beside the study, a command is one of the current folder. */
static enum status read_plugin(struct reader *reader, const yaml_node_t *node)
{
    static const struct yaml_key keys[PLUGIN_KINDS] = {
#define PLUGIN_KIND(id, flag, argument, claim) {flag, false},
#include "src/plugins/kinds.def"
    };
    const yaml_node_t *values[PLUGIN_KINDS];
    char place[WHERE_SIZE];
    int kind = 0, given = 0;
    TRY(yaml_mapping(&reader->file, node, "a plug-in", keys, PLUGIN_KINDS, values));
    for (int k = 0; k < PLUGIN_KINDS; k++)
        if (values[k]) {
            kind = k;
            given++;
        }
    if (given != 1)
        return yaml_expected(&reader->file, node, "plugins", "one key for each plug-in, like {plugin: ./libmine.so}");
    const char *text = yaml_text(&reader->file, values[kind], keys[kind].name);
    if (!text)
        return BAD_INPUT;
    struct plugin *plugin;
    OWNED char *beside = kind == PLUGIN_pipe ? memory_copy(text) : beside_study(reader->file.path, text);
    return plugin_load((enum plugin_kind_id)kind, beside, yaml_where(&reader->file, node, place), &plugin);
}

static enum status read_plugins(struct reader *reader, const yaml_node_t *node)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return yaml_expected(&reader->file, node, "plugins", "a list of plug-ins, like [{plugin: ./libmine.so}]");
    for (const yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top; item++)
        TRY(read_plugin(reader, yaml_document_get_node(&reader->file.document, *item)));
    return OK;
}

static enum status read_launch(struct reader *reader, const yaml_node_t *node)
{
    static const struct yaml_key keys[] = {{"blocks", true}, {"threads", true}};
    const yaml_node_t *values[2];
    char place[WHERE_SIZE];
    TRY(yaml_mapping(&reader->file, node, "launch", keys, 2, values));
    for (int i = 0; i < 2; i++)
        if (values[i]->type != YAML_SCALAR_NODE)
            return yaml_expected(&reader->file, values[i], keys[i].name,
                                 "a count like 128, or a sweep like 32..1024*2");
    const char *blocks = yaml_text(&reader->file, values[0], "blocks");
    const char *threads = yaml_text(&reader->file, values[1], "threads");
    if (!blocks || !threads)
        return BAD_INPUT;
    return study_set_launches(reader->study, blocks, threads, yaml_where(&reader->file, node, place));
}

/* The options of a file, which are keys of its entry. */
static const char *const file_keys[] = {"array",     "axis", "column", "delimiter", "decimal",
                                        "thousands", "skip", "format", "convert",   "order"};
enum { FILE_KEYS = sizeof file_keys / sizeof *file_keys };

/* A file entry's spec: its name, relative to the study file, and options in the syntax of data specs. */
static char *file_spec(const char *study, const char *file, const char *const values[FILE_KEYS])
{
    struct text text = {0};
    OWNED char *whole = beside_study(study, file);
    data_spec_append_file(&text, whole);
    char separator = ':';
    for (int i = 0; i < FILE_KEYS; i++)
        if (values[i]) {
            text_append(&text, "%c%s=", separator, file_keys[i]);
            data_spec_append_value(&text, values[i]);
            separator = ',';
        }
    return text_take(&text);
}

bool study_names_family(const char *name)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, ":"), name);
    return generator_find(word);
}

static enum status read_entry(struct reader *reader, const yaml_node_t *node)
{
    enum { SPEC = FILE_KEYS, FILE_NAME, TRIALS, KEYS };
    struct yaml_key keys[KEYS] = {
        [SPEC] = {"spec", false}, [FILE_NAME] = {"file", false}, [TRIALS] = {"trials", false}};
    const yaml_node_t *values[KEYS];
    const char *texts[KEYS] = {0};
    char place[WHERE_SIZE];
    uint64_t trials = 0; /* not said */
    for (int i = 0; i < FILE_KEYS; i++)
        keys[i] = (struct yaml_key){file_keys[i], false};
    TRY(yaml_mapping(&reader->file, node, "an entry of data", keys, KEYS, values));
    for (int i = 0; i < TRIALS; i++)
        if (values[i] && !(texts[i] = yaml_text(&reader->file, values[i], keys[i].name)))
            return BAD_INPUT;
    bool has_options = false;
    for (int i = 0; i < FILE_KEYS; i++)
        has_options |= texts[i] != NULL;
    if (!texts[SPEC] == !texts[FILE_NAME] || (texts[SPEC] && has_options))
        return bad_input("%s: an entry of data needs either a spec, like {spec: \"uniform:n=1024\"}, or a file, like "
                         "{file: x.csv, column: 2}",
                         yaml_where(&reader->file, node, place));
    if (texts[FILE_NAME] && study_names_family(texts[FILE_NAME]))
        return bad_input("%s: file: \"%s\" names a family of data; expected a file; write spec: in place of file:, or "
                         "./ before the name of a file",
                         yaml_where(&reader->file, node, place), texts[FILE_NAME]);
    if (values[TRIALS])
        TRY(yaml_count(&reader->file, values[TRIALS], "trials", 1, TRIALS_MOST, &trials));
    OWNED char *spec = texts[SPEC] ? memory_copy(texts[SPEC]) : file_spec(reader->file.path, texts[FILE_NAME], texts);
    const enum status status =
        study_add_data(reader->study, spec, trials, yaml_where(&reader->file, node, place), reader->study->nonfinite);
    if (status == OK)
        snprintf(reader->study->entries[reader->study->entry_count - 1].where, WHERE_SIZE, "%s", place);
    return status;
}

static enum status read_data(struct reader *reader, const yaml_node_t *node)
{
    char place[WHERE_SIZE];
    if (node->type != YAML_SEQUENCE_NODE)
        return yaml_expected(&reader->file, node, "data",
                             "a list of entries, like [{spec: \"uniform:n=1024\", trials: 100}]");
    const yaml_node_item_t *item = node->data.sequence.items.start;
    if (item == node->data.sequence.items.top)
        return bad_input("%s: data is an empty list; expected at least one entry",
                         yaml_where(&reader->file, node, place));
    for (; item < node->data.sequence.items.top; item++)
        TRY(read_entry(reader, yaml_document_get_node(&reader->file.document, *item)));
    return OK;
}

static enum status read_nonfinite(struct reader *reader, const yaml_node_t *node)
{
    char place[WHERE_SIZE];
    enum nonfinite nonfinite;
    const char *text = yaml_text(&reader->file, node, "nonfinite");
    if (!text)
        return BAD_INPUT;
    TRY(nonfinite_read(text, yaml_where(&reader->file, node, place), &nonfinite));
    if (!reader->nonfinite_is_given)
        reader->study->nonfinite = nonfinite;
    return OK;
}

/* A word, or a list of them. */
static enum status read_words(struct reader *reader, const yaml_node_t *node, const char *key, const char *expected,
                              struct text *words)
{
    if (!node || node->type == YAML_SCALAR_NODE) {
        const char *word = node ? yaml_text(&reader->file, node, key) : "";
        text_append(words, "%s", word ? word : "");
        return word ? OK : BAD_INPUT;
    }
    if (node->type != YAML_SEQUENCE_NODE)
        return yaml_expected(&reader->file, node, key, expected);
    for (const yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top; item++) {
        const char *word = yaml_text(&reader->file, yaml_document_get_node(&reader->file.document, *item), key);
        if (!word)
            return BAD_INPUT;
        text_append(words, "%s%s", words->length ? "," : "", word);
    }
    return OK;
}

static enum status read_formats(struct reader *reader, const yaml_node_t *format, const yaml_node_t *accumulate)
{
    char place[WHERE_SIZE];
    struct text formats = {0}, adds = {0};
    static const char expected[] = "a format like bfloat16, or a list of them";
    TRY(read_words(reader, format, "format", expected, &formats));
    TRY(read_words(reader, accumulate, "accumulate", expected, &adds));
    OWNED char *formats_text = text_take(&formats), *adds_text = text_take(&adds);
    return study_read_formats(reader->study, format ? formats_text : NULL, accumulate ? adds_text : NULL,
                              yaml_where(&reader->file, format ? format : accumulate, place));
}

static enum status read_operations(struct reader *reader, const yaml_node_t *operation)
{
    char place[WHERE_SIZE];
    struct text words = {0};
    TRY(read_words(reader, operation, "operation", "an operation like dot", &words));
    OWNED char *text = text_take(&words);
    return study_read_operations(reader->study, text, yaml_where(&reader->file, operation, place));
}

static enum status read_across(struct reader *reader, const yaml_node_t *across)
{
    char place[WHERE_SIZE];
    struct text words = {0};
    TRY(read_words(reader, across, "across", "an axis like batch, a list of them, or all", &words));
    OWNED char *text = text_take(&words);
    return axes_read(text, yaml_where(&reader->file, across, place), &reader->study->across);
}

/* Whether a method of the study has the name; its format, behind the "@", may come of the data, and is one of ours. */
static bool has_method(const struct study *study, const char *name)
{
    const size_t length = strcspn(name, "@");
    for (size_t i = 0; i < study->method_count; i++)
        if (strcspn(study->methods[i]->id, "@") == length && memcmp(study->methods[i]->id, name, length) == 0)
            return name[length] == '\0' || method_find(name);
    return false;
}

static enum status refuse_label(struct reader *reader, const yaml_node_t *node, const char *method)
{
    const struct study *study = reader->study;
    OWNED const char **known = memory_cleared(study->method_count, sizeof *known);
    for (size_t i = 0; i < study->method_count; i++)
        known[i] = study->methods[i]->id;
    return yaml_unknown(&reader->file, node, "method", "label", method, known, study->method_count);
}

static enum status read_label(struct reader *reader, const yaml_node_pair_t *pair)
{
    struct study *study = reader->study;
    yaml_node_t *key = yaml_document_get_node(&reader->file.document, pair->key),
                *value = yaml_document_get_node(&reader->file.document, pair->value);
    const char *method = yaml_text(&reader->file, key, "label");
    char *text, place[WHERE_SIZE];
    if (!method)
        return BAD_INPUT;
    if (!has_method(study, method))
        return refuse_label(reader, key, method);
    TRY(yaml_prose(&reader->file, value, "label", &text));
    study->labels = memory_resized(study->labels, (study->label_count + 1) * sizeof *study->labels);
    study->labels[study->label_count++] = (struct study_label){memory_copy(method), text};
    for (size_t i = 0; i + 1 < study->label_count; i++)
        if (strcmp(study->labels[i].method, method) == 0 || strcmp(study->labels[i].text, text) == 0)
            return bad_input("%s: label \"%s\" of %s: %s has \"%s\"; expected one label for each method, and another "
                             "for each; change one",
                             yaml_where(&reader->file, key, place), text, method, study->labels[i].method,
                             study->labels[i].text);
    return OK;
}

/* {kahan/serial: Kahan} */
static enum status read_labels(struct reader *reader, const yaml_node_t *node)
{
    if (node->type != YAML_MAPPING_NODE)
        return yaml_expected(&reader->file, node, "label",
                             "a label for each of some methods, like {kahan/serial: Kahan}");
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++)
        TRY(read_label(reader, pair));
    return OK;
}

static enum status read_study(struct reader *reader, const yaml_node_t *root)
{
    enum {
        SCHEMA,
        TITLE,
        PLUGINS,
        METHODS,
        OPERATION,
        LAUNCH,
        SEED,
        REPEATS,
        PERMUTATIONS,
        ACROSS,
        NONFINITE,
        FORMATS,
        ACCUMULATE,
        LABEL,
        DATA,
        KEYS
    };
    static const struct yaml_key keys[KEYS] = {
        {"schema", true},     {"title", false},  {"plugins", false},    {"methods", true},       {"operation", false},
        {"launch", false},    {"seed", false},   {"repeats", false},    {"permutations", false}, {"across", false},
        {"nonfinite", false}, {"format", false}, {"accumulate", false}, {"label", false},        {"data", true},
    };
    struct study *study = reader->study;
    const yaml_node_t *values[KEYS];
    TRY(yaml_mapping(&reader->file, root, "the study", keys, KEYS, values));
    TRY(yaml_check_schema(&reader->file, values[SCHEMA]));
    if (values[TITLE])
        TRY(yaml_prose(&reader->file, values[TITLE], "title", &study->title));
    else
        study->title = memory_copy("Untitled study");
    if (values[PLUGINS])
        TRY(read_plugins(reader, values[PLUGINS]));
    TRY(read_methods(reader, values[METHODS]));
    if (values[LAUNCH])
        TRY(read_launch(reader, values[LAUNCH]));
    if (values[SEED])
        TRY(yaml_count(&reader->file, values[SEED], "seed", 0, INT64_MAX, &study->seed));
    if (values[REPEATS])
        TRY(yaml_count(&reader->file, values[REPEATS], "repeats", 1, REPEATS_MOST, &study->repeats));
    if (values[PERMUTATIONS])
        TRY(yaml_count(&reader->file, values[PERMUTATIONS], "permutations", 0, TRIALS_MOST - 1, &study->permutations));
    if (values[ACROSS])
        TRY(read_across(reader, values[ACROSS]));
    if (values[NONFINITE])
        TRY(read_nonfinite(reader, values[NONFINITE]));
    if (values[OPERATION])
        TRY(read_operations(reader, values[OPERATION]));
    if (values[FORMATS] || values[ACCUMULATE])
        TRY(read_formats(reader, values[FORMATS], values[ACCUMULATE]));
    if (values[LABEL])
        TRY(read_labels(reader, values[LABEL]));
    return read_data(reader, values[DATA]);
}

/* ---- the file ---- */

enum status study_read(const char *path, const enum nonfinite *nonfinite, struct study *study)
{
    struct reader reader = {.nonfinite_is_given = nonfinite, .study = study};
    *study = (struct study){
        .seed = 1, .repeats = 1, .permutations = PERMUTATIONS_BY_RULE, .launches = {DEFAULT_LAUNCH}, .launch_count = 1};
    study->nonfinite = nonfinite ? *nonfinite : NONFINITE_REFUSE;
    TRY(path ? yaml_open(path, &study_kind, &reader.file)
             : yaml_open_text("built-in study", &study_kind, default_study_text, strlen(default_study_text),
                              &reader.file));
    const enum status status = read_study(&reader, yaml_root(&reader.file));
    yaml_close(&reader.file);
    return status;
}
