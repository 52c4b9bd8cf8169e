#include "unpack.h"

#include "file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#if ULPSCOPE_ZLIB
#include <zlib.h>
#endif
#if ULPSCOPE_LZMA
#include <lzma.h>
#endif

enum { SOME = 1 << 16 };

struct unpacker {
    FILE *file;
    struct packed packed;
    uint64_t left, at; /* packed bytes that were not read yet; unpacked ones that were given */
    bool has_ended;
    const char *wrong; /* with what is packed; NULL and a failure: errno */
#if ULPSCOPE_ZLIB
    z_stream z;
#endif
#if ULPSCOPE_LZMA
    lzma_stream x;
#endif
    unsigned char some[SOME];
};

/* ---- a library each: more of what is unpacked, at most `room` bytes; 0 at the end; -1 ---- */

static const char ends_early[] = "ends too early", is_damaged[] = "is damaged";

static ssize_t failed(struct unpacker *u, const char *wrong)
{
    u->wrong = wrong;
    errno = EIO;
    return -1;
}

/* The next packed bytes, into u->some. */
static ssize_t more(struct unpacker *u)
{
    const size_t count = fread(u->some, 1, u->left < SOME ? (size_t)u->left : SOME, u->file);
    u->left -= count;
    return count > 0 || !ferror(u->file) ? (ssize_t)count : -1;
}

#if ULPSCOPE_ZLIB
static ssize_t inflate_some(struct unpacker *u, char *to, size_t room)
{
    u->z.next_out = (unsigned char *)to;
    u->z.avail_out = (uInt)room;
    while (u->z.avail_out == room && !u->has_ended) {
        const ssize_t count = u->z.avail_in > 0 ? 0 : more(u);
        if (count < 0)
            return -1;
        if (count > 0)
            u->z.next_in = u->some, u->z.avail_in = (uInt)count;
        if (u->z.avail_in == 0)
            return failed(u, ends_early);
        const int found = inflate(&u->z, Z_NO_FLUSH);
        if (found == Z_MEM_ERROR)
            return errno = ENOMEM, -1;
        if (found != Z_OK && found != Z_STREAM_END && found != Z_BUF_ERROR)
            return failed(u, is_damaged);
        if (found != Z_STREAM_END)
            continue;
        u->has_ended = u->z.avail_in + u->left == 0;
        if (!u->has_ended && u->packed.packing == PACKED_DEFLATED)
            return failed(u, is_damaged);
        if (!u->has_ended) /* a .gz may be several, one behind the other */
            inflateReset(&u->z);
    }
    return (ssize_t)(room - u->z.avail_out);
}
#endif

#if ULPSCOPE_LZMA
static ssize_t decode_some(struct unpacker *u, char *to, size_t room)
{
    u->x.next_out = (uint8_t *)to;
    u->x.avail_out = room;
    while (u->x.avail_out == room && !u->has_ended) {
        const ssize_t count = u->x.avail_in > 0 ? 0 : more(u);
        if (count < 0)
            return -1;
        if (count > 0)
            u->x.next_in = u->some, u->x.avail_in = (size_t)count;
        const lzma_ret found = lzma_code(&u->x, u->left > 0 ? LZMA_RUN : LZMA_FINISH);
        u->has_ended = found == LZMA_STREAM_END;
        if (found == LZMA_MEM_ERROR)
            return errno = ENOMEM, -1;
        if (found == LZMA_MEMLIMIT_ERROR)
            return failed(u, "wants more than 256 MiB of memory to be unpacked");
        if (found == LZMA_BUF_ERROR)
            return failed(u, ends_early);
        if (found != LZMA_OK && !u->has_ended)
            return failed(u, is_damaged);
    }
    return (ssize_t)(room - u->x.avail_out);
}
#endif

static ssize_t produce(struct unpacker *u, char *to, size_t room)
{
    ssize_t count = -1;
    errno = ENOSYS;
    switch (u->packed.packing) {
    case PACKED_STORED:
        count = (ssize_t)fread(to, 1, room < u->left ? room : (size_t)u->left, u->file);
        u->left -= (uint64_t)count;
        if (count == 0 && ferror(u->file))
            count = -1;
        else if (count == 0 && u->left > 0)
            count = failed(u, ends_early);
        break;
    case PACKED_XZ:
#if ULPSCOPE_LZMA
        count = decode_some(u, to, room);
#endif
        break;
    default:
#if ULPSCOPE_ZLIB
        count = inflate_some(u, to, room);
#endif
        break;
    }
    u->at += count > 0 ? (uint64_t)count : 0;
    return count;
}

/* From the first byte. */
static bool begin(struct unpacker *u)
{
    bool is_fine = true;
    u->left = u->packed.bytes;
    u->at = 0;
    u->has_ended = false;
#if ULPSCOPE_ZLIB
    const int bits = u->packed.packing == PACKED_GZ ? 15 + 16 : -15; /* with a gzip header; with none */
    inflateEnd(&u->z);
    u->z = (z_stream){0};
    is_fine = inflateInit2(&u->z, bits) == Z_OK;
#endif
#if ULPSCOPE_LZMA
    lzma_end(&u->x);
    u->x = (lzma_stream)LZMA_STREAM_INIT;
    is_fine = is_fine && lzma_stream_decoder(&u->x, UINT64_C(256) << 20, LZMA_CONCATENATED) == LZMA_OK;
#endif
    if (!is_fine)
        errno = ENOMEM;
    return is_fine && fseeko(u->file, (off_t)u->packed.start, SEEK_SET) == 0;
}

/* ---- as a FILE ---- */

static ssize_t read_some(void *unpacker, char *to, size_t room)
{
    return produce(unpacker, to, room);
}

static int seek_to(void *unpacker, off64_t *offset, int whence)
{
    struct unpacker *u = unpacker;
    char skipped[1 << 12];
    uint64_t to = (uint64_t)*offset + (whence == SEEK_CUR ? u->at : 0);
    if (whence == SEEK_END || (to < u->at && !begin(u)))
        return -1;
    while (u->at < to) {
        const uint64_t step = to - u->at;
        if (produce(u, skipped, step < sizeof skipped ? (size_t)step : sizeof skipped) <= 0)
            return -1;
    }
    *offset = (off64_t)to;
    return 0;
}

static int close_both(void *unpacker)
{
    struct unpacker *u = unpacker;
    const int closed = fclose(u->file);
#if ULPSCOPE_ZLIB
    inflateEnd(&u->z);
#endif
#if ULPSCOPE_LZMA
    lzma_end(&u->x);
#endif
    free(u);
    return closed;
}

/* ---- all of it, once ---- */

static enum status refuse_unpacked(const struct input *in, const struct unpacker *u)
{
    if (!u->wrong)
        return errno == ENOMEM ? out_of_memory("what unpacks a file") : input_failed(in);
    return refuse(in, "%s, %" PRIu64 " bytes of it unpacked; expected the whole; copy or make the file again", u->wrong,
                  u->at);
}

static enum status count_unpacked(struct input *in, struct unpacker *u)
{
    const uint64_t by_ratio =
        u->packed.bytes > UINT64_MAX / UNPACKED_RATIO ? UINT64_MAX : u->packed.bytes * UNPACKED_RATIO;
    const uint64_t most = by_ratio > UNPACKED_FREE ? by_ratio : UNPACKED_FREE;
    const bool is_member = u->packed.packing == PACKED_DEFLATED || u->packed.packing == PACKED_STORED;
    uint32_t crc = 0;
    char some[SOME];
    ssize_t count;
    if (!begin(u))
        return refuse_unpacked(in, u);
    while ((count = produce(u, some, sizeof some)) > 0) {
#if ULPSCOPE_ZLIB
        if (is_member)
            crc = (uint32_t)crc32(crc, (const unsigned char *)some, (uInt)count);
#endif
        if (u->at > most)
            return refuse(in,
                          "grows from %" PRIu64 " packed bytes to more than %" PRIu64
                          "; expected at most %d times as many, or 256 MiB; unpack it yourself, if you trust it, and "
                          "name what comes out",
                          u->packed.bytes, most, UNPACKED_RATIO);
    }
    if (count == 0 && is_member && (u->at != u->packed.size || crc != u->packed.crc))
        count = failed(u, is_damaged);
    in->size = u->at;
    return count < 0 || !begin(u) ? refuse_unpacked(in, u) : OK;
}

const char *file_unpacker(bool is_xz)
{
    const char *library = NULL;
    if (is_xz) {
#if ULPSCOPE_LZMA
        library = "liblzma " LZMA_VERSION_STRING;
#endif
    } else {
#if ULPSCOPE_ZLIB
        library = "zlib " ZLIB_VERSION;
#endif
    }
    return library;
}

static enum status check_library(const struct input *in, enum packing packing)
{
    const bool is_xz = packing == PACKED_XZ;
    if (file_unpacker(is_xz))
        return OK;
    return refuse(
        in,
        "is packed, and this ulpscope was built without %s; expected a file that is not packed; unpack it, or "
        "install %s and build ulpscope again",
        is_xz ? "liblzma" : "zlib", is_xz ? "liblzma-dev" : "zlib1g-dev");
}

enum status unpack(struct input *in, const struct packed *packed)
{
    static const cookie_io_functions_t functions = {.read = read_some, .seek = seek_to, .close = close_both};
    TRY(check_library(in, packed->packing));
    struct unpacker *u = calloc(1, sizeof *u);
    if (!u)
        return out_of_memory("what unpacks a file");
    *u = (struct unpacker){.file = in->file, .packed = *packed};
    FILE *file = fopencookie(u, "r", functions);
    if (!file) {
        free(u);
        return out_of_memory("what unpacks a file");
    }
    in->file = file;
    return count_unpacked(in, u);
}

int packing_of(const char *path, size_t *length)
{
    static const char *const endings[] = {[PACKED_GZ] = ".gz", [PACKED_XZ] = ".xz"};
    *length = strlen(path);
    for (int p = PACKED_GZ; p <= PACKED_XZ; p++)
        if (*length >= 3 && strcasecmp(path + *length - 3, endings[p]) == 0) {
            *length -= 3;
            return p;
        }
    return -1;
}
