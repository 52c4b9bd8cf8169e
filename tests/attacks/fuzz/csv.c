/* The first line is the column that is asked for, behind a byte for the delimiter. */
#include "data_file.h"

static void one(const char *bytes, size_t size)
{
    static const struct data_file_kind csv = {read_csv, write_csv};
    static const char delimiters[] = "\0;\t|:";
    if (size == 0)
        return;
    const char *end = memchr(bytes + 1, '\n', size - 1), *rest = end ? end + 1 : bytes + 1;
    char *column = end ? fuzz_text(bytes + 1, (size_t)(end - bytes) - 1) : NULL;
    const struct file_options options = {.nonfinite = (enum nonfinite)(size % 3),
                                         .delimiter = delimiters[(unsigned char)*bytes % (sizeof delimiters - 1)],
                                         .column = column && *column ? column : NULL};
    feed_file(&csv, &options, rest, size - (size_t)(rest - bytes));
    free(column);
}

static const struct fuzz_seed seeds[] = {
    SEED("2co2\ndate,co2\n19580329,316.1\n19580510,\n"),
    SEED("22\ndate;co2\r\n19580329,316.1\r\n"),
    SEED("32\n1;2\n3;4\n"),
    SEED("2\n1.5\n-0x1p-149\n1e39\n"),
    SEED("2a,b\n\"a,b\",\"say \"\"x\"\"\"\n1,2\nNA,3\n"),
    SEED("4\n\xef\xbb\xbfx\n1\n\n2\n"),
    {0},
};
const struct fuzz_family fuzz_csv = {.one = one, .seeds = seeds};
