/* .npz: a zip of .npy files, a member each, stored or deflated: numpy.savez and numpy.savez_compressed.  What the list
 * at the end of the zip says is believed of sizes and places, once they are within the file.
 *
 * Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
#include "array.h"
#include "unpack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { END_SIZE = 22, COMMENT_MOST = 65535, ENTRY_SIZE = 46, LOCAL_SIZE = 30, LOCATOR_SIZE = 20, END_64_SIZE = 56 };

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
    unsigned char tail[END_SIZE + COMMENT_MOST + LOCATOR_SIZE];
    unsigned char end_64[END_64_SIZE];
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
    if ((*count != UINT16_MAX && *place != UINT32_MAX) || end - tail < LOCATOR_SIZE ||
        memcmp(end - LOCATOR_SIZE, "PK\6\7", 4) != 0)
        return OK;
    TRY(read_at(in, number_at(end - LOCATOR_SIZE + 8, 8), end_64, sizeof end_64));
    *count = number_at(end_64 + 32, 8);
    *place = number_at(end_64 + 48, 8);
    return memcmp(end_64, "PK\6\6", 4) == 0 ? OK : damaged(in, "the end of its zip is damaged");
}

/* What a zip of more than 4 GiB says elsewhere: of each number that is all ones. */
static void read_extra(const unsigned char *extra, size_t length, uint64_t *const numbers[3])
{
    for (size_t i = 0, size; i + 4 <= length; i += 4 + size) {
        size = (size_t)number_at(extra + i + 2, 2);
        if (number_at(extra + i, 2) != 1 || size > length - i - 4)
            continue;
        for (size_t k = 0, at = 0; k < 3; k++)
            if (*numbers[k] == UINT32_MAX && at + 8 <= size) {
                *numbers[k] = number_at(extra + i + 4 + at, 8);
                at += 8;
            }
    }
}

static enum status find_data(const struct input *in, unsigned flags, unsigned method, struct packed *packed)
{
    unsigned char local[LOCAL_SIZE];
    if (flags & 1 || (method != 0 && method != 8))
        return refuse(in,
                      "its array is %s; expected one that is stored or deflated; write the file again with numpy.savez",
                      flags & 1 ? "encrypted" : "packed by another method");
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
    unsigned char entry[ENTRY_SIZE], rest[2 * 65535 + 1];
    unsigned flags = 0, method = 0;
    struct array_names names = {0};
    uint64_t place = 0, count = 0;
    TRY(find_list(in, &place, &count));
    for (uint64_t i = 0; i < count; i++) {
        TRY(read_at(in, place, entry, sizeof entry));
        const size_t length = (size_t)number_at(entry + 28, 2), extra = (size_t)number_at(entry + 30, 2);
        if (memcmp(entry, "PK\1\2", 4) != 0)
            return damaged(in, "the list of its members is damaged");
        TRY(read_at(in, place + ENTRY_SIZE, rest, length + extra));
        place += ENTRY_SIZE + length + extra + number_at(entry + 32, 2);
        struct packed found = {.start = number_at(entry + 42, 4),
                               .bytes = number_at(entry + 20, 4),
                               .size = number_at(entry + 24, 4),
                               .crc = (uint32_t)number_at(entry + 16, 4)};
        read_extra(rest + length, extra, (uint64_t *const[]){&found.size, &found.bytes, &found.start});
        const size_t stem = length - (sizeof ending - 1);
        if (length < sizeof ending || memcmp(rest + stem, ending, sizeof ending - 1) != 0)
            continue;
        rest[stem] = '\0';
        if (array_name_is(&names, (const char *)rest, name)) {
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
