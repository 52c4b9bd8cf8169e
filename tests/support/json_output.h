/* JSON that the program writes. */
#ifndef ULPSCOPE_TESTS_JSON_OUTPUT_H
#define ULPSCOPE_TESTS_JSON_OUTPUT_H

#include "program.h"

#include <jansson.h>

static inline json_t *json_of_text(const char *what, const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("%s: %d:%d: %s in %.300s", what, error.line, error.column, error.text, text);
    return root;
}

/* What a line that must succeed writes to stdout. */
static inline json_t *json_of(const char *line)
{
    char *out = output_of(line);
    json_t *root = json_of_text(line, out);
    free(out);
    return root;
}

static inline json_t *json_of_file(const char *name)
{
    char *text = take_file(name);
    assert_non_null(text);
    json_t *root = json_of_text(name, text);
    free(text);
    return root;
}

static inline const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "(no text)";
}

#endif
