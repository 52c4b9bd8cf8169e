/* Binary numbers of which nobody said what they are, and first bytes of anything. */
#include "data_file.h"
#include "datasets/files/file_formats.h"

static enum status read_anything(struct input *in)
{
    TRY(in->options->format ? OK : check_beginning(in, ".bin")); /* as file.c does */
    return read_raw(in);
}

static void one(const char *bytes, size_t size)
{
    static const struct data_file_kind raw = {read_anything, write_raw};
    const struct file_options options = {.nonfinite = (enum nonfinite)(size / 4 % 3)};
    feed_file(&raw, &options, bytes, size);
}

static const struct fuzz_seed seeds[] = {
    SEED("\0\0\x80\x3f\0\0\0\x40"),
    SEED("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\x08\x40\0\0\0\0\0\0\x10\x40"),
    SEED("1.5\n2.5\n3.5\n"),
    SEED("\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0"),
    SEED("\x1f\x8b\x08\0"),
    {0},
};
const struct fuzz_family fuzz_raw = {.one = one, .seeds = seeds};
