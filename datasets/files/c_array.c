/* .c .h: a C array, to be compiled into somebody else's test.  Written, never read.
 *
 *   / * ulpscope gen swamp:n=2 --seed 1 --trial 0
 *     * source ...
 *     * exact 0x1.000001p+24 * /
 *   static const float swamp_data[2] = {
 *       0x1p+24f,
 *       0x1p+0f,
 *   };
 *
 * Numbers of 16 and 8 bits are floats, which hold each of them: C11 has no such types, and an array of their bits would
 * want a decoder.  Hex floats are of C99 and C++17.  INFINITY and NAN, where they are needed, are those of
 * <math.h>: 1.0f/0.0f is an error to some compilers.
 */
#include "file_formats.h"

#include <ctype.h>

enum { NAME_MOST = 128 };

/* "gensum-1e8.c" is gensum_1e8_data: no keyword, macro or function of C or C++ ends like that.  What does not start
 * with a letter gets an x. */
static void array_name(const char *path, char name[NAME_MOST])
{
    static const char end[] = "_data";
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    const size_t stem = (size_t)(strrchr(file, '.') - file);
    size_t length = 0;
    if (stem == 0 || !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", *file))
        name[length++] = 'x';
    for (size_t i = 0; i < stem && length < NAME_MOST - sizeof end; i++)
        name[length++] = isalnum((unsigned char)file[i]) ? file[i] : '_';
    strcpy(name + length, end);
}

/* Nothing in it ends the comment, or starts another. */
static void write_comment(FILE *file, const char *comment)
{
    fputs("/* ", file);
    for (const char *c = comment; *c != '\0'; c++) {
        const bool last = c[1] == '\0';
        if (*c == '\n')
            fputs(last ? "" : "\n * ", file);
        else
            fputc((unsigned char)*c < ' ' ? '?' : *c, file);
        if ((*c == '*' && c[1] == '/') || (*c == '/' && c[1] == '*'))
            fputc(' ', file);
    }
    fputs(" */\n", file);
}

static bool all_finite(const struct dataset *data)
{
    for (uint64_t i = 0; i < data->n; i++)
        if (!isfinite(held_number(data->format, data->x, i)))
            return false;
    return true;
}

static void write_element(FILE *file, double x, const char *suffix)
{
    char text[NUMBER_TEXT];
    if (isnan(x))
        fputs("    NAN,\n", file);
    else if (isinf(x))
        fprintf(file, "    %sINFINITY,\n", x < 0 ? "-" : "");
    else
        write_hex(x, text), fprintf(file, "    %s%s,\n", text, suffix);
}

void write_c_array(FILE *file, const struct dataset *data, const struct label *label)
{
    const bool is_double = data->format->precision == FORMAT_BINARY64.precision;
    char name[NAME_MOST];
    array_name(label->path, name);
    if (label->comment)
        write_comment(file, label->comment);
    if (data->format->bytes < sizeof(float))
        fprintf(file, "/* numbers of %s */\n", data->format->name);
    if (!all_finite(data))
        fputs("#include <math.h>\n\n", file);
    fprintf(file, "static const %s %s[%" PRIu64 "] = {\n", is_double ? "double" : "float", name, data->n);
    for (uint64_t i = 0; i < data->n; i++)
        write_element(file, held_number(data->format, data->x, i), is_double ? "" : "f");
    fputs("};\n", file);
}
