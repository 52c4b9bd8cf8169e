/* .npy: what numpy.save writes (format versions 1.0, 2.0 and 3.0), of floats, integers and booleans; there is no C
 * library for it.  Floats are of the format that they are stored in.  numpy has no bfloat16 and no fp8: those of
 * ml_dtypes it saves as raw bytes, '<V2' and '|V1', and options->format says what they are.
 *
 *   93 'NUMPY' | 1 0 | 118 | {'descr': '<f4', 'fortran_order': False, 'shape': (3,), }   ...\n | 12 bytes of numbers
 *
 * Strict: the dictionary holds those three keys, in any order, each once, and nothing else; the numbers fill the rest
 * of the file exactly.  An array of several dimensions is taken as its numbers in the order of the file: C order row
 * after row, Fortran order column after column; shape () is one number.  No size in the header is believed, for memory
 * or anything else, before the file's own size agrees.
 *
 * Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
#include "array.h"

#include <ctype.h>
#include <jansson.h>

enum {
    MAGIC_SIZE = 6,
    HEADER_MOST = 65535, /* numpy itself refuses more than 10000 */
    WRITTEN_HEADER = 128,
};

static const char MAGIC[] = "\x93NUMPY";

/* ---- the dictionary ---- */

/* What is read, behind the byte order. */
static const struct {
    const char *name;
    struct stored stored;
} read_types[] = {
    {"f4", {&FORMAT_BINARY32, 4, true, false}},
    {"f8", {&FORMAT_BINARY64, 8, true, false}},
    {"f2", {&FORMAT_BINARY16, 2, true, false}},
    {"i1", {NULL, 1, true, false}},
    {"i2", {NULL, 2, true, false}},
    {"i4", {NULL, 4, true, false}},
    {"i8", {NULL, 8, true, false}},
    {"u1", {NULL, 1, false, false}},
    {"u2", {NULL, 2, false, false}},
    {"u4", {NULL, 4, false, false}},
    {"u8", {NULL, 8, false, false}},
    {"b1", {NULL, 1, false, false}},
};

/* The other dtypes that people have, by their letter, and why they are refused; the last one is any. */
static const struct {
    const char *letters, *reason, *cure;
} refused_types[] = {
    {"f", "this floating-point type is not read", "convert with x.astype('<f8')"},
    {"O", "Python objects are pickles, which run code when they are read, and are never read",
     "convert with x.astype('<f8')"},
    {"c", "complex numbers are not read", "save x.real or x.imag"},
    {"SU", "text is not read", "convert with x.astype('<f8')"},
    {"V", "raw bytes of this size are not read", "convert with x.astype('<f4')"},
    {NULL, "this type is not read", "convert with x.astype('<f8')"},
};

static bool find_type(const char *descr, struct stored *stored)
{
    for (size_t i = 0; i < sizeof read_types / sizeof *read_types; i++) {
        const bool says_order = *descr == '<' || *descr == '>' || (*descr == '|' && read_types[i].stored.bytes == 1);
        if (!says_order || strcmp(descr + 1, read_types[i].name) != 0)
            continue;
        *stored = read_types[i].stored;
        stored->is_big_endian = *descr == '>';
        return true;
    }
    return false;
}

/* What numpy.save writes, with ml_dtypes for the last three; in the order of NUMBER_FORMATS. */
static const char *const descrs[] = {"<f8", "<f4", "<f2", "<V2", "|V1", "|V1", "<f4"};
_Static_assert(sizeof descrs / sizeof *descrs == STORED_FORMAT_COUNT, "a dtype for each format");

static const char *descr_of(const struct format *format)
{
    return descrs[format_index(format)];
}

/* "<V2" or "|V2": raw bytes, of a format that numpy does not know. */
static bool is_raw(const char *descr)
{
    return (*descr == '<' || *descr == '|') && (strcmp(descr + 1, "V1") == 0 || strcmp(descr + 1, "V2") == 0);
}

static enum status take_raw(const struct input *in, const char *descr, struct array *header)
{
    const struct format *format = in->options->format;
    const bool is_byte = descr[2] == '1';
    if (!format || strcmp(descr_of(format) + 1, descr + 1) != 0)
        return refuse(in, "its numbers are of type '%s', raw bytes%s%s; expected format= to say what they are; give %s",
                      descr, format ? ", which are not " : "", format ? format->name : "",
                      is_byte ? "format=e4m3 or format=e5m2" : "format=bfloat16, if they are that");
    header->stored = (struct stored){format, format->bytes, true, false};
    return OK;
}

static enum status find_descr(const struct input *in, const json_t *word, struct array *header)
{
    static const char expected_types[] = "floats, integers or booleans";
    const char *descr = json_string_value(word);
    if (!descr)
        return refuse(
            in, "holds records (a structured dtype); expected %s; save one field with numpy.save(file, x['field'])",
            expected_types);
    if (is_raw(descr))
        return take_raw(in, descr, header);
    if (find_type(descr, &header->stored))
        return array_check_format(in, header, descr);
    size_t i = 0;
    while (refused_types[i].letters && (strlen(descr) < 2 || !strchr(refused_types[i].letters, descr[1])))
        i++;
    return refuse(in, "its numbers are of type '%s'; expected %s; %s; %s", quote(descr).text, expected_types,
                  refused_types[i].reason, refused_types[i].cure);
}

/* Python's dictionary as JSON, in place: (3,) becomes [3 ], False false.  What is no Python remains none: (3) is no
 * tuple, (,) neither. */
static void make_json(char *text)
{
    char quote_mark = '\0', *last = text, *comma = NULL; /* the last that is no blank; of the innermost tuple */
    for (char *at = text; *at != '\0'; at++) {
        if (quote_mark != '\0' ? *at == quote_mark : *at == '\'' || *at == '"') {
            quote_mark = quote_mark == '\0' ? *at : '\0';
            *at = '"';
        } else if (quote_mark != '\0') {
            *at = (char)(*at == '"' ? '\1' : *at); /* which no text of JSON has */
        } else if (*at == '(' || *at == ',') {
            comma = *at == ',' && *last != '[' ? at : NULL;
            *at = *at == '(' ? '[' : ',';
        } else if (*at == ')' || *at == '}') {
            if (comma && last == comma)
                *comma = ' ';
            *at = *at == ')' && (comma || *last == '[') ? ']' : *at;
        } else {
            *at = (char)(*at == 'F' || *at == 'T' ? tolower(*at) : *at);
        }
        last = *at == ' ' || *at == '\n' ? last : at;
    }
}

static enum status read_text(const struct input *in, char *text, struct array *header)
{
    json_error_t wrong;
    json_t *root, *descr, *shape;
    int is_fortran = 0;
    enum status status = OK;
    make_json(text);
    root = json_loads(text, JSON_REJECT_DUPLICATES, &wrong);
    header->n = 1;
    if (!root || json_unpack_ex(root, &wrong, JSON_STRICT, "{s:o, s:b, s:o}", "descr", &descr, "fortran_order",
                                &is_fortran, "shape", &shape) != 0)
        TRY_DONE(refuse(in,
                        "its header is no dictionary as numpy.save writes it: %s; expected descr, fortran_order and "
                        "shape, each once; write the file again with numpy.save",
                        quote(wrong.text).text));
    header->is_fortran = is_fortran;
    TRY_DONE(find_descr(in, descr, header));
    for (size_t d = 0; d < json_array_size(shape) || !json_is_array(shape); d++) {
        const json_t *extent = json_array_get(shape, d);
        if (!json_is_integer(extent) || json_integer_value(extent) < 0)
            TRY_DONE(refuse(in, "its shape is no tuple of whole numbers; expected one such as (3,); write the file "
                                "again with numpy.save"));
        TRY_DONE(array_extend(in, header, (uint64_t)json_integer_value(extent)));
    }
done:
    json_decref(root);
    return status;
}

/* ---- reading ---- */

static enum status too_short_for_header(const struct input *in, uint64_t needed)
{
    return refuse(in,
                  "ends inside the header, after %" PRIu64 " bytes; expected at least %" PRIu64 "; copy or write the "
                  "file again",
                  in->size, needed);
}

/* Magic, version and length: where the dictionary starts and how long it is. */
static enum status read_prefix(const struct input *in, uint64_t *start, uint64_t *length)
{
    unsigned char prefix[MAGIC_SIZE + 2 + 4] = {0};
    const uint64_t there = in->size < sizeof prefix ? in->size : sizeof prefix;
    TRY(input_read(in, prefix, (size_t)there));
    if (memcmp(prefix, MAGIC, MAGIC_SIZE) != 0)
        return refuse(in,
                      "does not start with \\x93NUMPY, as every .npy does; expected a file from numpy.save; write it "
                      "again, or name it after what it holds");
    if (there < sizeof prefix) /* the shortest dictionary alone is longer than the 2 bytes that version 1.0 has fewer */
        return too_short_for_header(in, sizeof prefix);
    const unsigned major = prefix[MAGIC_SIZE], minor = prefix[MAGIC_SIZE + 1];
    if (major < 1 || major > 3 || minor != 0)
        return refuse(in, "is of .npy version %u.%u; expected 1.0, 2.0 or 3.0; write it again with numpy.save", major,
                      minor);
    const size_t length_size = major == 1 ? 2 : 4;
    *length = 0;
    for (size_t i = 0; i < length_size; i++)
        *length |= (uint64_t)prefix[MAGIC_SIZE + 2 + i] << 8 * i;
    *start = MAGIC_SIZE + 2 + length_size;
    return OK;
}

static enum status read_dictionary(const struct input *in, uint64_t start, uint64_t length, struct array *header)
{
    enum status status;
    char *text = malloc(length + 1);
    if (!text)
        return out_of_memory("the header of a .npy file");
    if (fseeko(in->file, (off_t)start, SEEK_SET) != 0)
        TRY_DONE(input_failed(in));
    TRY_DONE(input_read(in, text, length));
    text[length] = '\0';
    if (strlen(text) < length)
        TRY_DONE(refuse(in,
                        "byte %zu of the header is NUL; expected the text of a Python dictionary; write the file "
                        "again with numpy.save",
                        strlen(text)));
    TRY_DONE(read_text(in, text, header));
done:
    free(text);
    return status;
}

/* The shape against the bytes that are there. */
static enum status check_header(const struct input *in, const struct array *header, uint64_t data_bytes)
{
    const uint64_t n = header->n;
    const unsigned bytes = header->stored.bytes;
    if (n > data_bytes / bytes)
        return refuse(in,
                      "the data are truncated: its shape asks for %" PRIu64 " numbers of %u bytes, and %" PRIu64
                      " bytes "
                      "follow the header; expected all; copy or write the file again",
                      n, bytes, data_bytes);
    if (n * bytes < data_bytes)
        return refuse(in,
                      "%" PRIu64 " bytes follow the %" PRIu64 " numbers of its shape; expected the end of the file; "
                      "write each array to its own file",
                      data_bytes - n * bytes, n);
    return OK;
}

enum status read_npy(struct input *in)
{
    uint64_t start = 0, length = 0;
    struct array header = {0};
    TRY(read_prefix(in, &start, &length));
    if (length > in->size - start)
        return too_short_for_header(in, start + length);
    if (length > HEADER_MOST)
        return refuse(in, "its header takes %" PRIu64 " bytes; expected at most %d; write it again with numpy.save",
                      length, HEADER_MOST);
    TRY(read_dictionary(in, start, length, &header));
    TRY(check_header(in, &header, in->size - start - length));
    header.start = start + length;
    return read_array(in, &header);
}

/* ---- writing ---- */

/* Byte for byte what numpy.save writes: behind its header there is room for a first extent of 21 digits, and then up to
 * a multiple of 64 bytes, mostly 128. */
void write_npy(FILE *file, const struct dataset *data, const struct label *label)
{
    enum { START = MAGIC_SIZE + 4, ROOM = 21 };
    char header[3 * WRITTEN_HEADER + SHAPE_TEXT], shape[SHAPE_TEXT];
    if (label->shape)
        snprintf(shape, sizeof shape, "%s", label->shape);
    else if (data->rows > 0)
        snprintf(shape, sizeof shape, "%" PRIu64 ", %" PRIu64, data->rows, data->columns);
    else
        snprintf(shape, sizeof shape, "%" PRIu64 ",", data->n);
    const size_t first = strspn(shape, "0123456789"), room = first > 0 ? ROOM - first : 0;
    const size_t used = START + (size_t)snprintf(header + START, sizeof header - START,
                                                 "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                                                 descr_of(data->format), shape);
    const size_t size = (used + room + 1) / 64 * 64 + 64;
    memcpy(header, MAGIC, MAGIC_SIZE);
    memcpy(header + MAGIC_SIZE,
           (const unsigned char[]){1, 0, (unsigned char)(size - START), (unsigned char)((size - START) >> 8)}, 4);
    memset(header + used, ' ', size - 1 - used);
    header[size - 1] = '\n';
    fwrite(header, 1, size, file);
    write_raw(file, data, label);
}
