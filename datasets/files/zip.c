/* .npz: a zip of .npy files, a member each, stored or deflated: numpy.savez and numpy.savez_compressed.  What the list
 * at the end of the zip says is believed of sizes and places, once they are within the file; of 4 GiB and more it is
 * refused.
 *
 * Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
#include "array.h"
#include "unpack.h"

enum { END_SIZE = 22, COMMENT_MOST = 65535, ENTRY_SIZE = 46, LOCAL_SIZE = 30 };

static uint64_t number_at(const unsigned char *at, unsigned bytes)
{
    uint64_t number = 0;
    while (bytes-- > 0)
        number = number << 8 | at[bytes];
    return number;
}

static enum status damaged(const struct input *in, const char *what)
{
    return refuse(in, "%s; expected a whole zip of .npy files; copy it again, or write it again with numpy.savez",
                  what);
}

static enum status read_at(const struct input *in, uint64_t place, void *bytes, size_t count)
{
    if (place > in->size || count > in->size - place)
        return damaged(in, "a part of its zip would lie beyond its end");
    return fseeko(in->file, (off_t)place, SEEK_SET) == 0 ? input_read(in, bytes, count) : input_failed(in);
}

/* Where the list of members starts, and how many they are. */
static enum status find_list(const struct input *in, uint64_t *place, uint64_t *count)
{
    unsigned char tail[END_SIZE + COMMENT_MOST];
    const size_t length = in->size < sizeof tail ? (size_t)in->size : sizeof tail;
    const unsigned char *end = NULL;
    TRY(read_at(in, in->size - length, tail, length));
    for (size_t i = 0; i + END_SIZE <= length; i++)
        if (memcmp(tail + i, "PK\5\6", 4) == 0 && i + END_SIZE + number_at(tail + i + 20, 2) == length)
            end = tail + i;
    if (!end)
        return damaged(in, "is no zip, or its end is missing");
    *count = number_at(end + 10, 2);
    *place = number_at(end + 16, 4);
    return OK;
}

static enum status find_data(const struct input *in, unsigned flags, unsigned method, struct packed *packed)
{
    unsigned char local[LOCAL_SIZE];
    if (flags & 1 || (method != 0 && method != 8))
        return refuse(in,
                      "its array is %s; expected one that is stored or deflated; write the file again with numpy.savez",
                      flags & 1 ? "encrypted" : "packed by another method");
    if (packed->bytes == UINT32_MAX || packed->size == UINT32_MAX || packed->start == UINT32_MAX)
        return refuse(in, "its array is of 4 GiB or lies behind them; expected less; unzip it and name the .npy");
    packed->packing = method == 0 ? PACKED_STORED : PACKED_DEFLATED;
    TRY(read_at(in, packed->start, local, sizeof local));
    packed->start += LOCAL_SIZE + number_at(local + 26, 2) + number_at(local + 28, 2);
    if (memcmp(local, "PK\3\4", 4) != 0 || packed->start > in->size || packed->bytes > in->size - packed->start)
        return damaged(in, "the array that is asked for would lie beyond its end");
    return OK;
}

enum status zip_find(struct input *in, const char *name, struct packed *packed)
{
    static const char ending[] = ".npy";
    unsigned char entry[ENTRY_SIZE], name_of[UINT16_MAX + 1];
    unsigned flags = 0, method = 0;
    struct array_names names = {0};
    uint64_t place = 0, count = 0;
    TRY(find_list(in, &place, &count));
    for (uint64_t i = 0; i < count; i++) {
        TRY(read_at(in, place, entry, sizeof entry));
        const size_t length = (size_t)number_at(entry + 28, 2);
        if (memcmp(entry, "PK\1\2", 4) != 0)
            return damaged(in, "the list of its members is damaged");
        TRY(read_at(in, place + ENTRY_SIZE, name_of, length));
        place += ENTRY_SIZE + length + number_at(entry + 30, 2) + number_at(entry + 32, 2);
        struct packed found = {.start = number_at(entry + 42, 4),
                               .bytes = number_at(entry + 20, 4),
                               .size = number_at(entry + 24, 4),
                               .crc = (uint32_t)number_at(entry + 16, 4)};
        const size_t stem = length - (sizeof ending - 1);
        if (length < sizeof ending || memcmp(name_of + stem, ending, sizeof ending - 1) != 0)
            continue;
        name_of[stem] = '\0';
        if (array_name_is(&names, (const char *)name_of, name)) {
            *packed = found;
            flags = (unsigned)number_at(entry + 8, 2);
            method = (unsigned)number_at(entry + 10, 2);
        }
    }
    TRY(array_found_one(in, &names, name));
    return find_data(in, flags, method, packed);
}

enum status read_npz(struct input *in)
{
    struct packed packed = {0};
    TRY(zip_find(in, in->options->array, &packed));
    TRY(unpack(in, &packed));
    return read_npy(in);
}
