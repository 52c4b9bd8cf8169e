/* The first byte says how it is packed, and so is what is in it: text, or an .npy. */
#include "data_file.h"
#include "datasets/files/unpack.h"
#include "tests/support/packed_bytes.h"

static enum status read_text_gz(struct input *in)
{
    TRY(unpack(in, &(struct packed){.packing = PACKED_GZ, .bytes = in->size}));
    return read_hexfloat(in);
}

static enum status read_npy_xz(struct input *in)
{
    TRY(unpack(in, &(struct packed){.packing = PACKED_XZ, .bytes = in->size}));
    return read_npy(in);
}

static void one(const char *bytes, size_t size)
{
    static const struct data_file_kind kinds[] = {{read_text_gz, NULL}, {read_npy_xz, NULL}};
    const struct file_options options = {.nonfinite = (enum nonfinite)(size % 3)};
    if (size > 1)
        feed_file(&kinds[*bytes % 2 == 0], &options, bytes + 1, size - 1);
}

static const struct fuzz_seed seeds[] = {
    SEED("1" GZ_OF_1_2), SEED("1" GZ_OF_1_2 GZ_OF_3), SEED("2" XZ_OF_1_2), SEED("2" GZ_OF_3), {0},
};
const struct fuzz_family fuzz_packed = {.one = one, .seeds = seeds};
