/* What every JSON file is made with, beside jansson: numbers, names and failures are treated alike in all of them.
 *
 * jansson refuses nothing but for want of memory, and then the program ends (src/base/memory.h).
 *
 *   0.1    0.1       infinity    "inf"       0.1, exactly    "0x1.999999999999ap-4"
 */
#pragma once

#include "src/results/results.h"

#include <jansson.h>

/* Both take the value. */
void json_put(json_t *object, const char *key, json_t *value);
void json_append(json_t *array, json_t *value);

/* Values. */
json_t *json_text(const char *value); /* what is not UTF-8 is cleaned; NULL: null */
json_t *json_taken(char *value);      /* the same of an allocated text, which it frees */
json_t *json_count(uint64_t value);
json_t *json_bits(const struct format *format, uint64_t bits); /* "0x3f800000" */
json_t *json_number(double value); /* JSON has no infinity and no NaN: they are strings, as in the CSV */
json_t *json_hex(double value);    /* as %a, or those strings */

/* A number twice: object[key], and as a hex-float object[key "_hex"]. */
void json_put_number(json_t *object, const char *key, double value);

/* An object of fields, or fields put into one:
 *
 *   return json_of({"n", json_count(n)}, json_both("error", error));
 */
struct json_field {
    const char *key; /* NULL: the last is before */
    json_t *value;
};
#define json_of(...) json_with(json_object(), (const struct json_field[]){__VA_ARGS__, {0}})
#define json_add(object, ...) json_with(object, (const struct json_field[]){__VA_ARGS__, {0}})
#define json_both(key, number)                                                                                         \
    (struct json_field){key, json_number(number)}, (struct json_field)                                                 \
    {                                                                                                                  \
        key "_hex", json_hex(number)                                                                                   \
    }
json_t *json_with(json_t *object, const struct json_field *fields);

/* An array of what `one` makes of each thing of a list. */
#define json_list(list, count, one) json_list_of(list, count, sizeof *(list), one)
json_t *json_list_of(const void *list, size_t count, size_t size, json_t *(*one)(const void *thing));

json_t *json_exact(const struct exact_sum *exact);
json_t *json_launch(struct launch launch);

/* Puts a fact where it belongs: object[topic][name]. */
void json_put_fact(json_t *object, const char *topic, const char *name, const char *value);

/* Writes the object, which it takes, with sorted keys; "-" is stdout. */
enum status json_write(json_t *object, size_t indent, const char *path);
