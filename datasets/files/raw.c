/* .raw .bin: numbers of options->format, or binary32, little-endian, one after the other, behind options->skip bytes of
 * anything.
 *
 *   values.raw:skip=16              16 bytes of somebody's header, then (size - 16) / 4 numbers
 *   weights.bin:format=bfloat16     size / 2 numbers
 */
#include "file_formats.h"

enum status read_raw(struct input *in)
{
    const uint64_t skip = in->options->skip;
    if (skip > in->size)
        return refuse(in, "has %" PRIu64 " bytes; expected at least the skip=%" PRIu64 "; give a smaller skip",
                      in->size, skip);
    const struct format *format = in->options->format ? in->options->format : &FORMAT_BINARY32;
    const uint64_t bytes = in->size - skip;
    if (bytes % format->bytes != 0)
        return refuse(in,
                      "has %" PRIu64 " bytes behind the %" PRIu64
                      " skipped; expected a multiple of %u, this is %" PRIu64
                      " too many; give another skip or format=, or write numbers of %s",
                      bytes, skip, format->bytes, bytes % format->bytes, format->name);
    if (fseeko(in->file, (off_t)skip, SEEK_SET) != 0)
        return input_failed(in);
    in->is_unnamed = !in->options->format;
    const struct stored stored = {format, format->bytes, .is_signed = true};
    return input_add_block(in, &stored, bytes / format->bytes);
}

void write_raw(FILE *file, const struct dataset *data, const struct label *label)
{
    (void)label;
    const struct format *format = data->format;
    unsigned char some[1 << 13]; /* a multiple of every size */
    const uint64_t most = sizeof some / format->bytes;
    for (uint64_t i = 0, now; i < data->n; i += now) {
        now = data->n - i < most ? data->n - i : most;
        held_pack(format, (const char *)data->x + i * format_held(format)->bytes, now, some);
        fwrite(some, format->bytes, now, file);
    }
}
