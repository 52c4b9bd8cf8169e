#include "file_formats.h"

#include <ctype.h>

/* ---- the first bytes ---- */

static const struct {
    const char *bytes, *endings, *what, *advice; /* %s: the name of the file */
} beginnings[] = {
    {"\x1f\x8b\x08", " .gz ", "a gzip", "name it %s.gz"},
    {"\xfd"
     "7zXZ",
     " .xz ", "an xz", "name it %s.xz"},
    {"PK\3\4", " .npz ", "a zip", "name it .npz if numpy.savez wrote it, and unpack %s if not"},
    {"\x93NUMPY", " .npy ", "a .npy", "name %s .npy"},
    {"(\xb5/\xfd", "", "packed by zstd", "unpack %s"},
    {"BZh", "", "packed by bzip2", "unpack %s"},
    {"PAR1", " .parquet ", "Parquet", "name %s .parquet"},
    {"\x89HDF", "", "HDF5", "save the numbers of %s as .npy, with what wrote it"},
    {"\x80\2}", "", "a pickle",
     "save the numbers of %s with numpy.save: a pickle runs code when it is read, and is never read"},
    {"\x80\4\x95", "", "a pickle",
     "save the numbers of %s with numpy.save: a pickle runs code when it is read, and is never read"},
};

enum status check_beginning(const struct input *in, const char *ending)
{
    char bytes[8] = "", advice[700];
    const size_t length = fread(bytes, 1, sizeof bytes, in->file);
    if (ferror(in->file) || fseeko(in->file, 0, SEEK_SET) != 0)
        return input_failed(in);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        const size_t count = strlen(beginnings[i].bytes);
        const char *own = strcasestr(beginnings[i].endings, ending);
        if (own && length > 0 && memcmp(bytes, beginnings[i].bytes, count) != 0 && tolower(ending[1]) != 'n')
            return refuse(in, "does not begin as %s does; expected one; name it after what it holds",
                          beginnings[i].what);
        if (own || length < count || memcmp(bytes, beginnings[i].bytes, count) != 0)
            continue;
        snprintf(advice, sizeof advice, beginnings[i].advice, in->path);
        return refuse(in, "is %s, by its first bytes; expected what its ending says; %s%s", beginnings[i].what, advice,
                      strcasestr(" .raw .bin ", ending) ? ", or give format=binary32 if these are numbers" : "");
    }
    return OK;
}

/* ---- numbers ---- */

enum {
    SAMPLE = 1 << 14,    /* bytes */
    LEAST_WORDS = 512,   /* to compare how exponents are distributed */
    BINADES_AROUND = 30, /* the median: where nearly all numbers of one data set are */
    SHOWN = 3,
};

static int compare_ints(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static double sample_value(const struct format *format, const unsigned char *sample, size_t i)
{
    uint64_t bits = 0;
    memcpy(&bits, sample + i * format->bytes, format->bytes);
    return format_value(format, bits);
}

/* All finite, more than half of them not 0, and of those 31 of 32 within BINADES_AROUND of their median. */
static bool is_plausible(const struct format *format, const unsigned char *sample, size_t bytes)
{
    int exponents[SAMPLE];
    const size_t count = bytes / format->bytes;
    size_t used = 0, near = 0;
    for (size_t i = 0; i < count; i++) {
        const double value = sample_value(format, sample, i);
        if (!isfinite(value))
            return false;
        if (value != 0)
            exponents[used++] = ilogb(value);
    }
    if (used <= count / 2)
        return false;
    qsort(exponents, used, sizeof *exponents, compare_ints);
    for (size_t i = 0; i < used; i++)
        near += abs(exponents[i] - exponents[used / 2]) <= BINADES_AROUND;
    return near >= used - used / 32;
}

/* Whether words at even and at odd places have the same signs and exponents, nearly: the two halves of wider numbers
 * have not, since digits are in the one and the exponent is in the other. */
static bool are_alike(unsigned width, const unsigned char *sample, size_t bytes)
{
    int difference[128] = {0}, sum = 0;
    const int words = (int)(bytes / width) / 2 * 2;
    for (int i = 0; i < words; i++)
        difference[sample[(unsigned)(i + 1) * width - 1] >> 1] += i % 2 == 0 ? 1 : -1;
    for (size_t d = 0; d < 128; d++)
        sum += abs(difference[d]);
    return words >= LEAST_WORDS && sum < words / 4;
}

static bool are_integers(const unsigned char *sample, size_t bytes)
{
    size_t others = 0;
    for (size_t i = 0; i < bytes / sizeof(float); i++) {
        const double value = sample_value(&FORMAT_BINARY32, sample, i);
        if (!(fabs(value) < 0x1p-126))
            return false;
        others += value != 0;
    }
    return others >= 4 && others >= bytes / sizeof(float) / 4;
}

static bool looks_like(const struct format *format, const unsigned char *sample, size_t bytes)
{
    if (is_format(format_encoding(format), &FORMAT_BINARY32) || !is_plausible(format, sample, bytes))
        return false;
    if (format->bytes < sizeof(float))
        return are_alike(format->bytes, sample, bytes) && (format->bytes == 1 || !are_alike(1, sample, bytes));
    return bytes >= 4 * sizeof(double) && !is_plausible(&FORMAT_BINARY32, sample, bytes);
}

static void append_numbers(struct text *to, const struct format *format, const unsigned char *sample, size_t bytes)
{
    char number[NUMBER_TEXT];
    for (size_t i = 0; i < SHOWN && (i + 1) * format->bytes <= bytes; i++) {
        write_error(fabs(sample_value(format, sample, i)), number);
        text_append(to, "%s%s%s", i > 0 ? ", " : "", signbit(sample_value(format, sample, i)) ? "-" : "", number);
    }
}

enum status check_unnamed(const struct input *in, uint64_t bytes)
{
    unsigned char sample[SAMPLE];
    const off_t start = ftello(in->file);
    const size_t length = bytes < SAMPLE ? (size_t)bytes : SAMPLE;
    size_t printable = 0, candidates = 0;
    struct text readings = {0}, named = {0};
    TRY(input_read(in, sample, length));
    if (fseeko(in->file, start, SEEK_SET) != 0)
        return input_failed(in);
    for (size_t i = 0; i < length; i++)
        printable += isprint(sample[i]) || isspace(sample[i]);
    if (printable == length && length >= 8)
        return refuse(in, "is text, by its first bytes; expected binary numbers; name it .txt or .csv, or give "
                          "format=binary32 if these are numbers");
    append_numbers(&readings, &FORMAT_BINARY32, sample, length);
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        if (looks_like(NUMBER_FORMATS[f], sample, length)) {
            text_append(&readings, "; as %s ", NUMBER_FORMATS[f]->name);
            append_numbers(&readings, NUMBER_FORMATS[f], sample, length);
            text_append(&named, "format=%s, ", NUMBER_FORMATS[f]->name);
            candidates++;
        }
    OWNED char *all = text_take(&readings), *names = text_take(&named);
    int32_t integers[2] = {0};
    memcpy(integers, sample, length < sizeof integers ? length : sizeof integers);
    if (are_integers(sample, length))
        return refuse(in,
                      "nobody said what its numbers are: as binary32 they begin with %s, as integers of 32 bits with "
                      "%" PRId32 ", %" PRId32 "; expected format=; write integers as .npy, or give format=binary32",
                      all, integers[0], integers[1]);
    if (candidates == 0)
        return OK;
    return refuse(in,
                  "nobody said what its numbers are, and they look like another format than binary32: as binary32 they "
                  "begin with %s; expected format=; give %sor format=binary32",
                  all, names);
}
