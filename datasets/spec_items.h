/* What follows the colon of a data spec, key=value,key=value; and what is said of it. */
#pragma once

#include "spec.h"

#define SPEC_ORDER "order" /* the keys of families and files alike */
#define SPEC_FORMAT "format"
#define SPEC_CONVERT "convert" /* of files */
#define SPEC_ROWS "rows"       /* of matrices */
#define SPEC_COLUMNS "columns"
#define SPEC_WINDOW "window" /* of sums of windows */
#define SPEC_BETWEEN "::"    /* two vectors, or matrices */

/* What is being read, for the complaints: --data: "uniform:n=x": ... */
struct spec_origin {
    const char *where, *text;
};

typedef enum status spec_item(const struct spec_origin *origin, const char *key, const char *value, void *into);

/* Calls read_one for each item.  The text is cut up. */
enum status spec_read_items(const struct spec_origin *origin, char *items, spec_item *read_one, void *into);

/* A spec that is written: starts ":key=" or ",key=", and gives the text that the value is to be appended to. */
struct spec_text {
    struct text text;
    bool has_items;
};
struct text *spec_begin_item(struct spec_text *to, const char *key);

enum status spec_read_ordering(const struct spec_origin *origin, const char *value, struct ordering *ordering,
                               bool *given);

/* *format is NULL before: a format that numbers are stored in. */
enum status spec_read_format(const struct spec_origin *origin, const char *key, const char *value,
                             const struct format **format);

/* Complaints; BAD_INPUT.  `owner` takes the keys that are known. */
enum status spec_twice(const struct spec_origin *origin, const char *key);
enum status spec_unknown_key(const struct spec_origin *origin, const char *owner, const char *key,
                             const char *const *known, size_t count);

/* One kind of data spec each: `items` is what follows the colon, or NULL; `text` is cut up.  The caller frees the
 * specs. */
enum status spec_read_family(const struct spec_origin *origin, const struct generator *generator, char *items,
                             struct data_spec **specs, size_t *count);
enum status spec_read_file(const struct spec_origin *origin, char *text, enum nonfinite nonfinite,
                           struct data_spec **spec);

/* A family as the second vector: it has as many numbers as the first. */
enum status spec_read_second_family(const struct spec_origin *origin, const struct generator *generator, char *items,
                                    const struct data_spec *first, struct data_spec **spec);

/* Two vectors (spec_pair.c): reads the second of each spec that the first has expanded to. */
enum status spec_read_seconds(const struct spec_origin *origin, const char *text, enum nonfinite nonfinite,
                              struct data_spec *specs, size_t count);

/* BAD_INPUT where the spec is something else; `where` starts the complaint.  Vectors: one or two, without rows= and
 * columns=. */
enum status spec_expect_one_vector(const struct data_spec *spec, const char *where);
enum status spec_expect_vectors(const struct data_spec *spec, const char *where);
enum status spec_expect_no_order(const struct spec_origin *origin, const struct data_spec *spec);

/* Two matrices (spec_matrices.c). */
bool spec_has_matrices(const struct data_spec *spec); /* of a family that makes both, on either side of :: */
enum status spec_expect_matrices(const struct data_spec *spec, const char *where);
void spec_become_matrices(struct data_spec *spec);

/* BAD_INPUT where the origin's text, which is read as something else, is the name of a file. */
enum status spec_no_such_file(const struct spec_origin *origin);

/* Of a file: whether a text begins with an option; and what follows the colon, or NULL (spec_file_options.c). */
bool spec_is_file_key(const char *text);
enum status spec_read_file_options(const struct spec_origin *origin, char *options, struct data_spec *spec);

/* Whether options follow the name of a file. */
bool spec_file_has_options(const char *text);

/* The family before the first ':', which *items is behind, or NULL; NULL: it is none. */
const struct generator *spec_generator(char *text, char **items);

/* No family and no file: what could be meant. */
enum status spec_unknown_family(const struct spec_origin *origin, const char *word);
