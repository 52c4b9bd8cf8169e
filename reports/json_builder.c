#include "json_builder.h"

#include "src/files/output.h"

#include <math.h>

/* What jansson refuses, it had no memory for. */
static void check(int refused)
{
    if (refused)
        memory_ran_out();
}

void json_put(json_t *object, const char *key, json_t *value)
{
    check(json_object_set_new(object, key, value));
}

json_t *json_with(json_t *object, const struct json_field *fields)
{
    for (; fields->key; fields++)
        json_put(object, fields->key, fields->value);
    return object;
}

void json_append(json_t *array, json_t *value)
{
    check(json_array_append_new(array, value));
}

json_t *json_list_of(const void *list, size_t count, size_t size, json_t *(*one)(const void *thing))
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_append(array, one((const char *)list + i * size));
    return array;
}

json_t *json_text(const char *value)
{
    json_t *string = value ? json_string(value) : json_null();
    OWNED char *clean = string ? NULL : clean_text(value);
    return clean ? json_string(clean) : string;
}

json_t *json_taken(char *value)
{
    json_t *string = json_text(value);
    free(value);
    return string;
}

json_t *json_count(uint64_t value)
{
    return json_integer((json_int_t)value);
}

json_t *json_bits(const struct format *format, uint64_t bits)
{
    char text[FORMAT_BITS_TEXT];
    format_write_bits(format, bits, text);
    return json_string(text);
}

json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_string(double_text(value));
}

json_t *json_hex(double value)
{
    return json_string(hex_text(value));
}

void json_put_number(json_t *object, const char *key, double value)
{
    char hex_key[64];
    json_put(object, key, json_number(value));
    snprintf(hex_key, sizeof hex_key, "%s_hex", key);
    json_put(object, hex_key, json_hex(value));
}

json_t *json_exact(const struct exact_sum *exact)
{
    return json_of({"sum", json_taken(exact_hex(exact->sum))}, {"nearest", json_hex(exact->nearest)},
                   {"ulp", json_hex(exact->ulp)}, json_both("condition", exact->condition));
}

json_t *json_launch(struct launch launch)
{
    return json_of({"blocks", json_count(launch.blocks)}, {"threads", json_count(launch.threads)});
}

void json_put_fact(json_t *object, const char *topic, const char *name, const char *value)
{
    OWNED char *clean_topic = clean_text(topic), *clean_name = clean_text(name);
    if (!json_object_get(object, clean_topic))
        json_put(object, clean_topic, json_object());
    json_put(json_object_get(object, clean_topic), clean_name, json_text(value));
}

/* 17 significant digits read back to the same binary64; jansson writes no shorter ones.  A disk that is full is found
 * when the file is closed. */
enum status json_write(json_t *object, size_t indent, const char *path)
{
    struct output out;
    enum status status = output_open(&out, path);
    if (status == OK) {
        const int failed = json_dumpf(object, out.file, JSON_INDENT(indent) | JSON_SORT_KEYS);
        check(failed && !ferror(out.file));
        fputc('\n', out.file);
        status = output_close(&out);
    }
    json_decref(object);
    return status;
}
