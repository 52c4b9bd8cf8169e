/* A YAML file that a person wrote: a study, limits.  Read with libyaml's nodes, because each has its line
 * (docs/decisions/0002-libyaml.md), and strictly: one document, known keys, every value a text until one of the
 * converters of number.h has read it.
 *
 *   struct yaml_file file;
 *   TRY(yaml_open(path, &kind, &file));
 *   status = read_study(yaml_root(&file));
 *   yaml_close(&file);
 *
 * Every function complains where it refuses, with file and line.
 */
#pragma once

#include "src/base/base.h"

#include <yaml.h>

enum { WHERE_SIZE = 512, YAML_KEYS_MOST = 16 };

/* What a file is expected to be. */
struct yaml_kind {
    const char *noun;    /* "study", of a "study file" */
    const char *schema;  /* "ulpscope-study/1" */
    const char *command; /* that reads it, and whose help says how it is written: "run" */
};

struct yaml_file {
    const char *path; /* as messages name it; not copied */
    const struct yaml_kind *kind;
    yaml_document_t document;
};

/* Opens a file, "-" is stdin, or a text that stands in its place.  Close it when this was OK. */
enum status yaml_open(const char *path, const struct yaml_kind *kind, struct yaml_file *file);
enum status yaml_open_text(const char *path, const struct yaml_kind *kind, const char *text, size_t length,
                           struct yaml_file *file);
void yaml_close(struct yaml_file *file);

const yaml_node_t *yaml_root(struct yaml_file *file);

/* "study.yaml:7", in `place`, which is returned. */
const char *yaml_where(const struct yaml_file *file, const yaml_node_t *node, char place[WHERE_SIZE]);

/* Complains of a node of the wrong kind: "KEY is a list; expected WHAT".  Returns BAD_INPUT. */
enum status yaml_expected(const struct yaml_file *file, const yaml_node_t *node, const char *key, const char *what);

/* The text of a scalar; NULL when the node is none, is empty or holds a NUL. */
const char *yaml_text(const struct yaml_file *file, const yaml_node_t *node, const char *key);

/* The same of a text for people, without the line break that ends a block of YAML; allocated. */
enum status yaml_prose(const struct yaml_file *file, const yaml_node_t *node, const char *key, char **prose);

/* Complains of a word that is none of those known: "unknown KEY "WORD" in WHAT; expected one of ...; did you mean ...".
 * Returns BAD_INPUT. */
enum status yaml_unknown(const struct yaml_file *file, const yaml_node_t *node, const char *key, const char *what,
                         const char *word, const char *const *known, size_t count);

/* A size (read_size) from `least` to `most`. */
enum status yaml_count(const struct yaml_file *file, const yaml_node_t *node, const char *key, uint64_t least,
                       uint64_t most, uint64_t *value);

/* That the value of the key "schema" is that of the kind. */
enum status yaml_check_schema(const struct yaml_file *file, const yaml_node_t *node);

struct yaml_key {
    const char *name;
    bool required;
};

/* Sorts a mapping's values by key, at most YAML_KEYS_MOST; absent ones are NULL.  `what` is the mapping, for people. */
enum status yaml_mapping(struct yaml_file *file, const yaml_node_t *mapping, const char *what,
                         const struct yaml_key *keys, size_t count, const yaml_node_t **values);
