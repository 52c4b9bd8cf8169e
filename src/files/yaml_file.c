#include "yaml_file.h"
#include "claim.h"
#include "src/base/suggest.h"

#include <errno.h>

/* libyaml's time is quadratic in the depth (200 kB of "[" took 19 s), the anchors and the %TAG lines of a file. */
enum { BYTES_MOST = 1 << 20, DEPTH_MOST = 32, NAMES_MOST = 1000 };

#define NUMBERS "numbers are read, also by -d, from files named .npy, .csv, .f32, .hex, .txt, .raw or .bin"

const char *yaml_where(const struct yaml_file *file, const yaml_node_t *node, char place[WHERE_SIZE])
{
    snprintf(place, WHERE_SIZE, "%s:%zu", file->path, node->start_mark.line + 1);
    return place;
}

enum status yaml_expected(const struct yaml_file *file, const yaml_node_t *node, const char *key, const char *what)
{
    char place[WHERE_SIZE];
    static const char *const kinds[] = {
        [YAML_NO_NODE] = "nothing",
        [YAML_SCALAR_NODE] = "a single value",
        [YAML_SEQUENCE_NODE] = "a list",
        [YAML_MAPPING_NODE] = "a mapping",
    };
    return bad_input("%s: %s is %s; expected %s", yaml_where(file, node, place), key, kinds[node->type], what);
}

/* ---- values ---- */

const char *yaml_text(const struct yaml_file *file, const yaml_node_t *node, const char *key)
{
    if (node->type != YAML_SCALAR_NODE) {
        (void)yaml_expected(file, node, key, "a single value");
        return NULL;
    }
    const char *text = (const char *)node->data.scalar.value;
    if (node->data.scalar.length == 0 || strlen(text) != node->data.scalar.length) {
        char place[WHERE_SIZE];
        complain("%s: %s is empty; expected a value", yaml_where(file, node, place), key);
        return NULL;
    }
    return text;
}

enum status yaml_prose(const struct yaml_file *file, const yaml_node_t *node, const char *key, char **prose)
{
    const char *text = yaml_text(file, node, key);
    if (!text)
        return BAD_INPUT;
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    *prose = text_made("%.*s", (int)length, text);
    return OK;
}

enum status yaml_count(const struct yaml_file *file, const yaml_node_t *node, const char *key, uint64_t least,
                       uint64_t most, uint64_t *value)
{
    char place[WHERE_SIZE];
    const char *text = yaml_text(file, node, key);
    if (!text)
        return BAD_INPUT;
    const char *wrong = read_size(text, value);
    if (!wrong && (*value < least || *value > most))
        wrong = "is out of range";
    if (!wrong)
        return OK;
    return bad_input("%s: %s \"%s\" %s; expected a whole number from %" PRIu64 " to %" PRIu64,
                     yaml_where(file, node, place), key, text, wrong, least, most);
}

enum status yaml_check_schema(const struct yaml_file *file, const yaml_node_t *node)
{
    char place[WHERE_SIZE];
    const char *schema = yaml_text(file, node, "schema");
    if (!schema)
        return BAD_INPUT;
    if (strcmp(schema, file->kind->schema) == 0)
        return OK;
    return bad_input("%s: schema is \"%s\"; expected %s; name a %s file; see `ulpscope help %s`",
                     yaml_where(file, node, place), schema, file->kind->schema, file->kind->noun, file->kind->command);
}

enum status yaml_unknown(const struct yaml_file *file, const yaml_node_t *node, const char *key, const char *what,
                         const char *word, const char *const *known, size_t count)
{
    char place[WHERE_SIZE];
    struct text list = {0};
    for (size_t i = 0; i < count; i++)
        text_append(&list, "%s%s", i ? ", " : "", known[i]);
    const char *near = suggest(word, known, count);
    OWNED char *all = text_take(&list);
    return bad_input("%s: unknown %s \"%s\" in %s; expected one of %s%s%s%s", yaml_where(file, node, place), key, word,
                     what, all, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* ---- mappings ---- */

/* A file of another kind is recognised by its schema, rather than by a key that only that kind has. */
static enum status check_kind(struct yaml_file *file, const yaml_node_t *mapping)
{
    const yaml_node_pair_t *pairs = mapping->data.mapping.pairs.start;
    for (; mapping == yaml_root(file) && pairs < mapping->data.mapping.pairs.top; pairs++) {
        const yaml_node_t *key = yaml_document_get_node(&file->document, pairs->key);
        if (key->type == YAML_SCALAR_NODE && strcmp((const char *)key->data.scalar.value, "schema") == 0)
            return yaml_check_schema(file, yaml_document_get_node(&file->document, pairs->value));
    }
    return OK;
}

static enum status unknown_key(struct yaml_file *file, const yaml_node_t *mapping, const yaml_node_t *node,
                               const char *what, const char *name, const struct yaml_key *keys, size_t count)
{
    const char *known[YAML_KEYS_MOST];
    TRY(check_kind(file, mapping));
    for (size_t i = 0; i < count; i++)
        known[i] = keys[i].name;
    return yaml_unknown(file, node, "key", what, name, known, count);
}

/* Before its other keys are, since it may be anything. */
static enum status check_schema_is_there(const struct yaml_file *file, const yaml_node_t *root)
{
    char place[WHERE_SIZE];
    for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start; pair < root->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node((yaml_document_t *)&file->document, pair->key);
        if (key->type == YAML_SCALAR_NODE && strcmp((const char *)key->data.scalar.value, "schema") == 0)
            return OK;
    }
    return bad_input("%s: is no %s: it has no key \"schema\"; add it: schema: %s; " NUMBERS,
                     yaml_where(file, root, place), file->kind->noun, file->kind->schema);
}

enum status yaml_mapping(struct yaml_file *file, const yaml_node_t *mapping, const char *what,
                         const struct yaml_key *keys, size_t count, const yaml_node_t **values)
{
    char place[WHERE_SIZE];
    if (mapping->type != YAML_MAPPING_NODE)
        return yaml_expected(file, mapping, what,
                             mapping == yaml_root(file) ? "a mapping of keys and values; " NUMBERS
                                                        : "a mapping of keys and values");
    memset(values, 0, count * sizeof *values);
    if (mapping == yaml_root(file))
        TRY(check_schema_is_there(file, mapping));
    const yaml_node_pair_t *pairs = mapping->data.mapping.pairs.start;
    for (; pairs < mapping->data.mapping.pairs.top; pairs++) {
        const yaml_node_t *node = yaml_document_get_node(&file->document, pairs->key);
        const char *name = yaml_text(file, node, "a key");
        if (!name)
            return BAD_INPUT;
        size_t i = 0;
        while (i < count && strcmp(keys[i].name, name) != 0)
            i++;
        if (i == count)
            return unknown_key(file, mapping, node, what, name, keys, count);
        if (values[i])
            return bad_input("%s: %s stands twice in %s; expected it once", yaml_where(file, node, place), name, what);
        values[i] = yaml_document_get_node(&file->document, pairs->value);
    }
    for (size_t i = 0; i < count; i++)
        if (keys[i].required && !values[i])
            return bad_input("%s: %s has no key \"%s\"; add it", yaml_where(file, mapping, place), what, keys[i].name);
    return OK;
}

/* ---- the file ---- */

/* To YAML *NAME is an alias: what a glob without quotes looks like. */
static bool is_about_an_alias(const char *text)
{
    return text && strstr(text, "alias");
}

/* What the parser's words do not say. */
static const char *hint_of(const yaml_parser_t *parser)
{
    if (is_about_an_alias(parser->context) || is_about_an_alias(parser->problem))
        return "; write a text that begins with * in quotes, like \"*\"";
    if (parser->problem && strstr(parser->problem, "cannot start any token"))
        return "; indent with spaces, not with tabs, and put a text that begins with @, % or ` in quotes";
    if (parser->problem && (strstr(parser->problem, "UTF-8") || strstr(parser->problem, "control characters")))
        return " in UTF-8; " NUMBERS;
    return "";
}

static enum status not_yaml(const char *path, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR || !parser->problem) /* each problem has words, but for that one */
        return out_of_memory("a YAML file");
    return bad_input("%s:%zu: %s; expected YAML%s", path, parser->problem_mark.line + 1, parser->problem,
                     hint_of(parser));
}

/* ---- what is too much for libyaml ---- */

static int deeper(yaml_token_type_t type)
{
    static const signed char by[] = {
        [YAML_FLOW_SEQUENCE_START_TOKEN] = 1,  [YAML_FLOW_SEQUENCE_END_TOKEN] = -1,
        [YAML_FLOW_MAPPING_START_TOKEN] = 1,   [YAML_FLOW_MAPPING_END_TOKEN] = -1,
        [YAML_BLOCK_SEQUENCE_START_TOKEN] = 1, [YAML_BLOCK_MAPPING_START_TOKEN] = 1,
        [YAML_BLOCK_END_TOKEN] = -1,           [YAML_SCALAR_TOKEN] = 0,
    };
    return by[type];
}

static enum status too_much(const struct yaml_file *file, const yaml_token_t *token, const char *of, int most)
{
    return bad_input("%s:%zu: more than %d %s; expected a %s file, which needs few; see `ulpscope help %s`", file->path,
                     token->start_mark.line + 1, most, of, file->kind->noun, file->kind->command);
}

/* Its tokens, which come before libyaml does anything with them; the end of the text is a token, too. */
static enum status check_tokens(struct yaml_file *file, yaml_parser_t *parser)
{
    enum status status = OK;
    int depth = 0, names = 0;
    for (bool more = true; more && status == OK;) {
        yaml_token_t token;
        if (!yaml_parser_scan(parser, &token))
            return not_yaml(file->path, parser);
        depth += deeper(token.type);
        names += token.type == YAML_ANCHOR_TOKEN || token.type == YAML_TAG_DIRECTIVE_TOKEN;
        if (depth > DEPTH_MOST)
            status = too_much(file, &token, "levels of lists and mappings", DEPTH_MOST);
        else if (names > NAMES_MOST)
            status = too_much(file, &token, "anchors (&NAME) and tags", NAMES_MOST);
        more = token.type != YAML_STREAM_END_TOKEN;
        yaml_token_delete(&token);
    }
    return status;
}

/* ---- documents ---- */

/* A second document would be passed over in silence. */
static enum status check_end(const struct yaml_file *file, yaml_parser_t *parser)
{
    yaml_document_t extra;
    if (!yaml_parser_load(parser, &extra))
        return not_yaml(file->path, parser);
    const yaml_node_t *root = yaml_document_get_root_node(&extra);
    if (root)
        complain("%s:%zu: a second document begins here; expected one %s file; put it into a file of its own",
                 file->path, root->start_mark.line + 1, file->kind->noun);
    yaml_document_delete(&extra);
    return root ? BAD_INPUT : OK;
}

static enum status load(struct yaml_file *file, yaml_parser_t *parser)
{
    if (!yaml_parser_load(parser, &file->document))
        return not_yaml(file->path, parser);
    enum status status = BAD_INPUT;
    if (yaml_document_get_root_node(&file->document))
        status = check_end(file, parser);
    else
        complain("%s:1: the file is empty; expected a %s file that starts with \"schema: %s\"", file->path,
                 file->kind->noun, file->kind->schema);
    if (status != OK)
        yaml_document_delete(&file->document);
    return status;
}

typedef enum status read_text(struct yaml_file *file, yaml_parser_t *parser);

static enum status with_parser(struct yaml_file *file, const char *text, size_t length, read_text *read)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return out_of_memory("the YAML parser");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    const enum status status = read(file, &parser);
    yaml_parser_delete(&parser);
    return status;
}

enum status yaml_open_text(const char *path, const struct yaml_kind *kind, const char *text, size_t length,
                           struct yaml_file *file)
{
    *file = (struct yaml_file){.path = path, .kind = kind};
    TRY(with_parser(file, text, length, check_tokens));
    return with_parser(file, text, length, load);
}

/* The whole of a file in *text, which the caller frees, whatever comes. */
static enum status slurp(const char *path, const struct yaml_kind *kind, char **text, size_t *length)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    TRY(claim_to_read(kind->noun, is_stdin ? "/dev/stdin" : path));
    FILE *file = is_stdin ? stdin : fopen(path, "r");
    if (!file) {
        const int cause = errno;
        return caused_by(cause, "%s: %s; expected a %s file; see `ulpscope help %s`", path, strerror(cause), kind->noun,
                         kind->command);
    }
    enum status status = OK;
    *text = memory_resized(NULL, BYTES_MOST + 1);
    *length = fread(*text, 1, BYTES_MOST + 1, file);
    if (ferror(file)) {
        const int cause = errno;
        status = caused_by(cause, "%s: %s; expected a %s file", path, strerror(cause), kind->noun);
    } else if (*length > BYTES_MOST) {
        status = bad_input("%s: longer than %d bytes; expected a %s file", path, BYTES_MOST, kind->noun);
    }
    if (file != stdin)
        fclose(file);
    return status;
}

enum status yaml_open(const char *path, const struct yaml_kind *kind, struct yaml_file *file)
{
    OWNED char *text = NULL;
    size_t length = 0;
    TRY(slurp(path, kind, &text, &length));
    return yaml_open_text(path, kind, text, length, file);
}

void yaml_close(struct yaml_file *file)
{
    yaml_document_delete(&file->document);
}

const yaml_node_t *yaml_root(struct yaml_file *file)
{
    return yaml_document_get_root_node(&file->document);
}
