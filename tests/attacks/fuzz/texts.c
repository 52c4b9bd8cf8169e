/* A first byte below 128: numbers as text; else raw ones, behind as many bytes as its low bits say. */
#include "data_file.h"

static void one(const char *bytes, size_t size)
{
    static const struct data_file_kind kinds[] = {{read_hexfloat, write_hexfloat}, {read_raw, write_raw}};
    if (size == 0)
        return;
    const bool raw = (unsigned char)*bytes >= 0x80;
    const struct file_options options = {.nonfinite = (enum nonfinite)(size % 3),
                                         .skip = raw ? (unsigned char)*bytes & 0x7f : 0};
    feed_file(&kinds[raw], &options, bytes + 1, size - 1);
}

static const struct fuzz_seed seeds[] = {
    SEED(" # gensum:n=3\n0x1.8p+3\n-0x1p-149\n0.1\n"),
    SEED(" \xef\xbb\xbf 1\r\n\t2 \n\ninf\nnan\n3.4028235677973366e38"),
    SEED(" 1e-46\n-0\n0x1.ffffffp+127\n"),
    SEED("\x80\0\0\x80\x3f\0\0\0\x40"),
    SEED("\x82"
         "ab\0\0\x80\x7f\1\0\xc0\xff"),
    {0},
};
const struct fuzz_family fuzz_texts = {.one = one, .seeds = seeds};
