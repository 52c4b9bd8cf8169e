/* Files of several arrays.  Up to the first byte of 0 stands the name of an array, behind a byte that says nothing. */
#include "data_file.h"
#include "tests/support/packed_bytes.h"

static void one(const char *bytes, size_t size)
{
    static const struct data_file_kind kind = {read_safetensors, NULL};
    static const char *const axes[] = {"", "all", "0", "-1"};
    const char *end = size > 0 ? memchr(bytes, '\0', size) : NULL;
    if (!end)
        return;
    char *name = fuzz_text(bytes + 1, strlen(bytes) > 0 ? strlen(bytes) - 1 : 0);
    struct file_options options = {
        .nonfinite = (enum nonfinite)(size % 3), .array = *name ? name : NULL, .sum = size % 5};
    strcpy(options.axis, axes[size / 3 % 4]);
    feed_file(&kind, &options, end + 1, size - (size_t)(end + 1 - bytes));
    free(name);
}

static const struct fuzz_seed seeds[] = {
    SEED("2w\0" SAFETENSORS), SEED("2e\0" SAFETENSORS), SEED("2\0" SAFETENSORS), SEED("2\0\2\0\0\0\0\0\0\0{}"), {0},
};
const struct fuzz_family fuzz_arrays = {.one = one, .seeds = seeds};
