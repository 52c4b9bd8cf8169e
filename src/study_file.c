/* A study file: YAML, read with libyaml's nodes, because each has its line (docs/decisions/0002-libyaml.md).
 * Every value is a string until one of the strict converters of number.h has read it.
 */
#include "number.h"
#include "study.h"
#include "suggest.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

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

enum { WHERE_SIZE = 512, KEYS_MOST = 16, STUDY_BYTES_MOST = 1 << 20, METHODS_MOST = 1000 };

struct reader {
    const char *path;
    yaml_document_t document;
    bool nonfinite_is_given; /* by a flag, which is stronger than the file */
    struct study *study;
};

static const char *where(const struct reader *reader, const yaml_node_t *node, char place[WHERE_SIZE])
{
    snprintf(place, WHERE_SIZE, "%s:%zu", reader->path, node->start_mark.line + 1);
    return place;
}

static enum status expected(const struct reader *reader, const yaml_node_t *node, const char *key, const char *what)
{
    char place[WHERE_SIZE];
    static const char *const kinds[] = {
        [YAML_NO_NODE] = "nothing",
        [YAML_SCALAR_NODE] = "a single value",
        [YAML_SEQUENCE_NODE] = "a list",
        [YAML_MAPPING_NODE] = "a mapping",
    };
    complain("%s: %s is %s; expected %s", where(reader, node, place), key, kinds[node->type], what);
    return BAD_INPUT;
}

/* ---- values ---- */

/* The text of a scalar; NULL, and a complaint, when the node is none, is empty or holds a NUL. */
static const char *scalar(const struct reader *reader, const yaml_node_t *node, const char *key)
{
    if (node->type != YAML_SCALAR_NODE) {
        (void)expected(reader, node, key, "a single value");
        return NULL;
    }
    const char *text = (const char *)node->data.scalar.value;
    if (node->data.scalar.length == 0 || strlen(text) != node->data.scalar.length) {
        char place[WHERE_SIZE];
        complain("%s: %s is empty; expected a value", where(reader, node, place), key);
        return NULL;
    }
    return text;
}

static enum status read_count(const struct reader *reader, const yaml_node_t *node, const char *key, uint64_t least,
                              uint64_t most, uint64_t *value)
{
    char place[WHERE_SIZE];
    const char *text = scalar(reader, node, key);
    if (!text)
        return BAD_INPUT;
    const char *wrong = read_size(text, value);
    if (!wrong && (*value < least || *value > most))
        wrong = "is out of range";
    if (!wrong)
        return OK;
    complain("%s: %s \"%s\" %s; expected a whole number from %" PRIu64 " to %" PRIu64, where(reader, node, place), key,
             text, wrong, least, most);
    return BAD_INPUT;
}

/* ---- mappings ---- */

/* A known key; the value read for it is left in `values` at the key's index. */
struct key {
    const char *name;
    bool required;
};

static enum status unknown_key(const struct reader *reader, const yaml_node_t *node, const char *what, const char *name,
                               const struct key *keys, size_t count)
{
    char place[WHERE_SIZE];
    const char *known[KEYS_MOST];
    struct text list = {0};
    for (size_t i = 0; i < count; i++) {
        known[i] = keys[i].name;
        text_append(&list, "%s%s", i ? ", " : "", keys[i].name);
    }
    const char *near = suggest(name, known, count);
    char *all = text_take(&list);
    complain("%s: unknown key \"%s\" in %s; expected one of %s%s%s%s", where(reader, node, place), name, what,
             all ? all : "the documented keys", near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    free(all);
    return BAD_INPUT;
}

/* Sorts a mapping's values by key; absent ones are NULL. */
static enum status read_mapping(struct reader *reader, const yaml_node_t *mapping, const char *what,
                                const struct key *keys, size_t count, const yaml_node_t **values)
{
    char place[WHERE_SIZE];
    if (mapping->type != YAML_MAPPING_NODE)
        return expected(reader, mapping, what, "a mapping of keys and values");
    memset(values, 0, count * sizeof *values);
    const yaml_node_pair_t *pairs = mapping->data.mapping.pairs.start;
    for (; pairs < mapping->data.mapping.pairs.top; pairs++) {
        const yaml_node_t *node = yaml_document_get_node(&reader->document, pairs->key);
        const char *name = scalar(reader, node, "a key");
        if (!name)
            return BAD_INPUT;
        size_t i = 0;
        while (i < count && strcmp(keys[i].name, name) != 0)
            i++;
        if (i == count)
            return unknown_key(reader, node, what, name, keys, count);
        if (values[i]) {
            complain("%s: %s stands twice in %s; expected it once", where(reader, node, place), name, what);
            return BAD_INPUT;
        }
        values[i] = yaml_document_get_node(&reader->document, pairs->value);
    }
    for (size_t i = 0; i < count; i++)
        if (keys[i].required && !values[i]) {
            complain("%s: %s has no key \"%s\"; add it", where(reader, mapping, place), what, keys[i].name);
            return BAD_INPUT;
        }
    return OK;
}

/* ---- the parts of a study ---- */

static enum status read_methods(struct reader *reader, const yaml_node_t *node)
{
    char place[WHERE_SIZE];
    if (node->type != YAML_SEQUENCE_NODE)
        return expected(reader, node, "methods", "a list of methods, like [plain/serial, \"kahan/*\"]");
    const yaml_node_item_t *items = node->data.sequence.items.start;
    const size_t count = (size_t)(node->data.sequence.items.top - items);
    if (count == 0 || count > METHODS_MOST) {
        complain("%s: methods lists %zu methods; expected 1 to %d", where(reader, node, place), count, METHODS_MOST);
        return BAD_INPUT;
    }
    char **globs = malloc(count * sizeof *globs);
    if (!globs)
        return out_of_memory("the study's methods");
    enum status status = OK;
    for (size_t i = 0; i < count && status == OK; i++) {
        const yaml_node_t *item = yaml_document_get_node(&reader->document, items[i]);
        const char *text = scalar(reader, item, "a method");
        globs[i] = (char *)text; /* read only */
        status = text ? OK : BAD_INPUT;
    }
    if (status == OK)
        status = study_select_methods(reader->study, globs, count, where(reader, node, place));
    free(globs);
    return status;
}

static enum status read_launch(struct reader *reader, const yaml_node_t *node)
{
    static const struct key keys[] = {{"blocks", true}, {"threads", true}};
    const yaml_node_t *values[2];
    char place[WHERE_SIZE];
    TRY(read_mapping(reader, node, "launch", keys, 2, values));
    for (int i = 0; i < 2; i++)
        if (values[i]->type != YAML_SCALAR_NODE)
            return expected(reader, values[i], keys[i].name, "a count like 128, or a sweep like 32..1024*2");
    const char *blocks = scalar(reader, values[0], "blocks");
    const char *threads = scalar(reader, values[1], "threads");
    if (!blocks || !threads)
        return BAD_INPUT;
    return study_set_launches(reader->study, blocks, threads, where(reader, node, place));
}

/* The options of a file, which are keys of its entry. */
enum { COLUMN, SKIP, ORDER, FILE_KEYS };
static const char *const file_keys[FILE_KEYS] = {"column", "skip", "order"};

/* A file entry's spec: its name, as seen from the study file, and options in the syntax of data specs. */
static char *file_spec(const char *study, const char *file, const char *const values[FILE_KEYS])
{
    struct text text = {0};
    const char *name = strrchr(study, '/');
    const int folder = name && *file != '/' ? (int)(name + 1 - study) : 0;
    text_append(&text, "%.*s%s", folder, study, file);
    char separator = ':';
    for (int i = 0; i < FILE_KEYS; i++)
        if (values[i]) {
            text_append(&text, "%c%s=%s", separator, file_keys[i], values[i]);
            separator = ',';
        }
    return text_take(&text);
}

static enum status read_entry(struct reader *reader, const yaml_node_t *node)
{
    enum { SPEC = FILE_KEYS, FILE_NAME, TRIALS, KEYS };
    static const struct key keys[KEYS] = {
        [COLUMN] = {"column", false}, [SKIP] = {"skip", false},      [ORDER] = {"order", false},
        [SPEC] = {"spec", false},     [FILE_NAME] = {"file", false}, [TRIALS] = {"trials", false},
    };
    const yaml_node_t *values[KEYS];
    const char *texts[KEYS] = {0};
    char place[WHERE_SIZE];
    uint64_t trials = 1;
    TRY(read_mapping(reader, node, "an entry of data", keys, KEYS, values));
    for (int i = 0; i < TRIALS; i++)
        if (values[i] && !(texts[i] = scalar(reader, values[i], keys[i].name)))
            return BAD_INPUT;
    if (!texts[SPEC] == !texts[FILE_NAME] || (texts[SPEC] && (texts[COLUMN] || texts[SKIP] || texts[ORDER]))) {
        complain("%s: an entry of data needs either a spec, like {spec: \"uniform:n=1024\"}, or a file, like {file: "
                 "x.csv, column: 2}",
                 where(reader, node, place));
        return BAD_INPUT;
    }
    if (values[TRIALS])
        TRY(read_count(reader, values[TRIALS], "trials", 1, TRIALS_MOST, &trials));
    char *spec = texts[SPEC] ? strdup(texts[SPEC]) : file_spec(reader->path, texts[FILE_NAME], texts);
    if (!spec)
        return out_of_memory("a data spec");
    const enum status status =
        study_add_data(reader->study, spec, trials, where(reader, node, place), reader->study->nonfinite);
    free(spec);
    if (status == OK && texts[FILE_NAME] && !reader->study->entries[reader->study->entry_count - 1].specs[0].path) {
        complain("%s: file: \"%s\" names a family of data; expected a file; write spec: in place of file:",
                 where(reader, node, place), texts[FILE_NAME]);
        return BAD_INPUT;
    }
    return status;
}

static enum status read_data(struct reader *reader, const yaml_node_t *node)
{
    char place[WHERE_SIZE];
    if (node->type != YAML_SEQUENCE_NODE)
        return expected(reader, node, "data", "a list of entries, like [{spec: \"uniform:n=1024\", trials: 100}]");
    const yaml_node_item_t *item = node->data.sequence.items.start;
    if (item == node->data.sequence.items.top) {
        complain("%s: data is an empty list; expected at least one entry", where(reader, node, place));
        return BAD_INPUT;
    }
    for (; item < node->data.sequence.items.top; item++)
        TRY(read_entry(reader, yaml_document_get_node(&reader->document, *item)));
    return OK;
}

static enum status read_nonfinite(struct reader *reader, const yaml_node_t *node)
{
    char place[WHERE_SIZE];
    enum nonfinite nonfinite;
    const char *text = scalar(reader, node, "nonfinite");
    if (!text)
        return BAD_INPUT;
    TRY(nonfinite_read(text, where(reader, node, place), &nonfinite));
    if (!reader->nonfinite_is_given)
        reader->study->nonfinite = nonfinite;
    return OK;
}

static enum status read_study(struct reader *reader, const yaml_node_t *root)
{
    enum { SCHEMA, TITLE, METHODS, LAUNCH, SEED, REPEATS, NONFINITE, DATA, KEYS };
    static const struct key keys[KEYS] = {
        {"schema", true}, {"title", false},   {"methods", true},    {"launch", false},
        {"seed", false},  {"repeats", false}, {"nonfinite", false}, {"data", true},
    };
    struct study *study = reader->study;
    const yaml_node_t *values[KEYS];
    char place[WHERE_SIZE];
    TRY(read_mapping(reader, root, "the study", keys, KEYS, values));
    const char *schema = scalar(reader, values[SCHEMA], "schema");
    if (!schema)
        return BAD_INPUT;
    if (strcmp(schema, "ulpscope-study/1") != 0) {
        complain("%s: schema is \"%s\"; expected ulpscope-study/1", where(reader, values[SCHEMA], place), schema);
        return BAD_INPUT;
    }
    const char *title = values[TITLE] ? scalar(reader, values[TITLE], "title") : "Untitled study";
    if (!title)
        return BAD_INPUT;
    study->title = strdup(title);
    if (!study->title)
        return out_of_memory("the study's title");
    TRY(read_methods(reader, values[METHODS]));
    if (values[LAUNCH])
        TRY(read_launch(reader, values[LAUNCH]));
    if (values[SEED])
        TRY(read_count(reader, values[SEED], "seed", 0, INT64_MAX, &study->seed));
    if (values[REPEATS])
        TRY(read_count(reader, values[REPEATS], "repeats", 1, REPEATS_MOST, &study->repeats));
    if (values[NONFINITE])
        TRY(read_nonfinite(reader, values[NONFINITE]));
    return read_data(reader, values[DATA]);
}

/* ---- the file ---- */

static enum status not_yaml(const char *path, const yaml_parser_t *parser)
{
    complain("%s:%zu: %s; expected YAML", path, parser->problem_mark.line + 1,
             parser->problem ? parser->problem : "cannot be parsed");
    return BAD_INPUT;
}

/* A second document would be passed over in silence. */
static enum status check_end(const char *path, yaml_parser_t *parser)
{
    yaml_document_t extra;
    if (!yaml_parser_load(parser, &extra))
        return not_yaml(path, parser);
    const yaml_node_t *root = yaml_document_get_root_node(&extra);
    if (root)
        complain("%s:%zu: a second document begins here; expected one study; put it into a file of its own", path,
                 root->start_mark.line + 1);
    yaml_document_delete(&extra);
    return root ? BAD_INPUT : OK;
}

static enum status parse(const char *path, const char *text, size_t length, const enum nonfinite *nonfinite,
                         struct study *study)
{
    struct reader reader = {.path = path, .nonfinite_is_given = nonfinite, .study = study};
    yaml_parser_t parser;
    enum status status;
    if (!yaml_parser_initialize(&parser))
        return out_of_memory("the YAML parser");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    if (!yaml_parser_load(&parser, &reader.document)) {
        status = not_yaml(path, &parser);
    } else {
        const yaml_node_t *root = yaml_document_get_root_node(&reader.document);
        status = root ? read_study(&reader, root) : BAD_INPUT;
        if (!root)
            complain("%s:1: the file is empty; expected a study that starts with \"schema: ulpscope-study/1\"", path);
        if (status == OK)
            status = check_end(path, &parser);
        yaml_document_delete(&reader.document);
    }
    yaml_parser_delete(&parser);
    return status;
}

/* The whole of a file in *text, which the caller frees. */
static enum status slurp(const char *path, char **text, size_t *length)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!file) {
        complain("%s: %s; expected a study file; see `ulpscope help run`", path, strerror(errno));
        return BAD_INPUT;
    }
    enum status status = OK;
    *text = malloc(STUDY_BYTES_MOST + 1);
    *length = *text ? fread(*text, 1, STUDY_BYTES_MOST + 1, file) : 0;
    if (!*text) {
        status = out_of_memory("the study file");
    } else if (ferror(file)) {
        complain("%s: %s; expected a study file", path, strerror(errno));
        status = BAD_INPUT;
    } else if (*length > STUDY_BYTES_MOST) {
        complain("%s: longer than %d bytes; expected a study file", path, STUDY_BYTES_MOST);
        status = BAD_INPUT;
    }
    if (file != stdin)
        fclose(file);
    if (status != OK)
        free(*text);
    return status;
}

enum status study_read(const char *path, const enum nonfinite *nonfinite, struct study *study)
{
    *study = (struct study){.seed = 1, .repeats = 1, .launches = {DEFAULT_LAUNCH}, .launch_count = 1};
    study->nonfinite = nonfinite ? *nonfinite : NONFINITE_REFUSE;
    if (!path)
        return parse("built-in study", default_study_text, strlen(default_study_text), nonfinite, study);
    char *text;
    size_t length;
    TRY(slurp(path, &text, &length));
    const enum status status = parse(path, text, length, nonfinite, study);
    free(text);
    return status;
}
