/* .safetensors: 8 bytes that say how long a header of JSON is, the header, and the numbers of all arrays,
 * little-endian, row after row.
 *
 *   {"wte": {"dtype": "BF16", "shape": [2, 3], "data_offsets": [0, 12]}, "__metadata__": {"format": "pt"}}
 *
 * Format: https://github.com/huggingface/safetensors#format
 */
#include "array.h"

#include <jansson.h>

enum { HEADER_MOST = 1 << 24 }; /* of a million arrays or so; Jansson takes 20 times as much */

static const struct {
    const char *dtype;
    struct stored stored;
} types[] = {
    {"F64", {&FORMAT_BINARY64, 8, true, false}},
    {"F32", {&FORMAT_BINARY32, 4, true, false}},
    {"F16", {&FORMAT_BINARY16, 2, true, false}},
    {"BF16", {&FORMAT_BFLOAT16, 2, true, false}},
    {"F8_E4M3", {&FORMAT_E4M3, 1, true, false}},
    {"F8_E5M2", {&FORMAT_E5M2, 1, true, false}},
    {"I64", {NULL, 8, true, false}},
    {"I32", {NULL, 4, true, false}},
    {"I16", {NULL, 2, true, false}},
    {"I8", {NULL, 1, true, false}},
    {"U64", {NULL, 8, false, false}},
    {"U32", {NULL, 4, false, false}},
    {"U16", {NULL, 2, false, false}},
    {"U8", {NULL, 1, false, false}},
    {"BOOL", {NULL, 1, false, false}},
};
enum { TYPES = sizeof types / sizeof *types };

static enum status damaged(const struct input *in, const char *what)
{
    return refuse(in, "%s; expected a header of JSON and the numbers that it describes; copy or write the file again",
                  what);
}

static enum status read_header(const struct input *in, uint64_t *end, json_t **header)
{
    unsigned char size[8];
    uint64_t length = 0;
    json_error_t wrong;
    *header = NULL;
    if (in->size < sizeof size)
        return damaged(in, "has less than the 8 bytes that say how long its header is");
    TRY(input_read(in, size, sizeof size));
    for (unsigned i = 0; i < sizeof size; i++)
        length |= (uint64_t)size[i] << 8 * i;
    if (length > in->size - sizeof size)
        return damaged(in, "ends inside its header");
    if (length > HEADER_MOST)
        return refuse(in, "its header takes %" PRIu64 " bytes; expected at most %d; save fewer arrays in one file",
                      length, HEADER_MOST);
    *end = sizeof size + length;
    char *text = malloc(length + 1);
    if (!text)
        return out_of_memory("the header of a .safetensors file");
    const enum status status = input_read(in, text, length);
    if (status == OK)
        *header = json_loadb(text, length, JSON_REJECT_DUPLICATES, &wrong);
    free(text);
    TRY(status);
    return json_is_object(*header) ? OK : damaged(in, "its header is no JSON object");
}

static enum status find_type(const struct input *in, const char *dtype, struct array *array)
{
    size_t t = 0;
    while (t < TYPES && strcmp(types[t].dtype, dtype) != 0)
        t++;
    if (t == TYPES)
        return refuse(in,
                      "its numbers are of type %s; expected F64, F32, F16, BF16, F8_E4M3, F8_E5M2, an integer type or "
                      "BOOL; save them as one of those",
                      quote(dtype).text);
    array->stored = types[t].stored;
    return array_check_format(in, array, dtype);
}

static enum status describe(const struct input *in, json_t *described, uint64_t data, struct array *array)
{
    const char *dtype;
    const json_t *shape;
    json_int_t begin, end;
    if (json_unpack(described, "{s:s, s:o, s:[I, I!]}", "dtype", &dtype, "shape", &shape, "data_offsets", &begin, &end))
        return damaged(in, "the array has no dtype, shape or data_offsets");
    TRY(find_type(in, dtype, array));
    array->n = 1;
    for (size_t d = 0; d < json_array_size(shape) || !json_is_array(shape); d++) {
        const json_t *extent = json_array_get(shape, d);
        if (!json_is_integer(extent) || json_integer_value(extent) < 0)
            return damaged(in, "a shape of its header is no list of whole numbers");
        TRY(array_extend(in, array, (uint64_t)json_integer_value(extent)));
    }
    if (begin < 0 || end < begin || (uint64_t)end > in->size - data)
        return damaged(in, "an array of its header lies beyond its end");
    if ((uint64_t)(end - begin) % array->stored.bytes != 0 || (uint64_t)(end - begin) / array->stored.bytes != array->n)
        return damaged(in, "the bytes of an array are not those of its shape");
    array->start = data + (uint64_t)begin;
    return OK;
}

enum status read_safetensors(struct input *in)
{
    const char *wanted = in->options->array, *name;
    json_t *header, *described, *found = NULL;
    struct array array = {0};
    struct array_names names = {0};
    uint64_t data = 0;
    enum status status;
    TRY_DONE(read_header(in, &data, &header));
    json_object_foreach(header, name, described)
    {
        if (strcmp(name, "__metadata__") != 0 && array_name_is(&names, name, wanted))
            found = described;
    }
    TRY_DONE(array_found_one(in, &names, wanted));
    TRY_DONE(describe(in, found, data, &array));
    TRY_DONE(read_array(in, &array));
done:
    json_decref(header);
    return status;
}
