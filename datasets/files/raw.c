/* .raw .bin: binary32 numbers, little-endian, one after the other, behind options->skip bytes of anything.
 *
 *   values.raw:skip=16     16 bytes of somebody's header, then (size - 16) / 4 numbers
 */
#include "file_formats.h"

#include <inttypes.h>

enum status read_raw(struct input *in)
{
    const uint64_t skip = in->options->skip;
    if (skip > in->size)
        return refuse(in, "has %" PRIu64 " bytes; expected at least the skip=%" PRIu64 "; give a smaller skip",
                      in->size, skip);
    const uint64_t bytes = in->size - skip;
    if (bytes % sizeof(float) != 0)
        return refuse(in,
                      "has %" PRIu64 " bytes behind the %" PRIu64 " skipped; expected a multiple of 4, this is %" PRIu64
                      " too many; give another skip, or write binary32 numbers",
                      bytes, skip, bytes % sizeof(float));
    if (fseeko(in->file, (off_t)skip, SEEK_SET) != 0)
        return input_failed(in);
    const struct stored stored = {&FORMAT_BINARY32, sizeof(float), .is_signed = true};
    return input_add_block(in, &stored, &FORMAT_BINARY32, bytes / sizeof(float));
}

void write_raw(FILE *file, const float *x, uint64_t n, const struct label *label)
{
    (void)label;
    fwrite(x, sizeof *x, n, file);
}
