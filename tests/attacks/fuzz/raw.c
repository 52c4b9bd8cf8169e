/* Binary numbers of which nobody said what they are. */
#include "data_file.h"
#include "datasets/files/file_formats.h"

static void one(const char *bytes, size_t size)
{
    static const struct data_file_kind raw = {read_raw, write_raw};
    const struct file_options options = {.nonfinite = (enum nonfinite)(size / 4 % 3)};
    feed_file(&raw, &options, bytes, size);
}

static const struct fuzz_seed seeds[] = {
    SEED("\0\0\x80\x3f\0\0\0\x40"),
    SEED("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\x08\x40\0\0\0\0\0\0\x10\x40"),
    SEED("1.5\n2.5\n3.5\n"),
    SEED("\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0"),
    {0},
};
const struct fuzz_family fuzz_raw = {.one = one, .seeds = seeds};
