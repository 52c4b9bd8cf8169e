/* Text with marks of its own: the first bytes say which, and the column. */
#include "data_file.h"

static void one(const char *bytes, size_t size)
{
    static const struct data_file_kind kinds[] = {{read_hexfloat, NULL}, {read_tsv, NULL}, {read_csv, NULL}};
    static const char decimals[] = "\0.,", thousands[] = "\0,.'_ ", delimiters[] = "\0 ;\t";
    if (size < 4)
        return;
    char column[] = {bytes[3], '\0'};
    const struct file_options options = {.nonfinite = (enum nonfinite)(size % 3),
                                         .decimal = decimals[(unsigned char)bytes[0] % 3],
                                         .thousands = thousands[(unsigned char)bytes[1] % 6],
                                         .delimiter = delimiters[(unsigned char)bytes[2] % 4],
                                         .column = *column > ' ' ? column : NULL};
    feed_file(&kinds[(unsigned char)bytes[2] / 4 % 3], &options, bytes + 4, size - 4);
}

static const struct fuzz_seed seeds[] = {
    SEED("000 1,234\n-1.5D+3\n"),
    SEED("202 1.234,5\n12345\n"),
    SEED("2161 2  3 # c\n# d\n4 5\n"),
    SEED("25b21;2,5\n3;1 234,5\n"),
    SEED("00dxt\tx\n1\t2\n"),
    SEED("00f 1\xc2\xa0"
         "000\n"),
    {0},
};
const struct fuzz_family fuzz_columns = {.one = one, .seeds = seeds};
