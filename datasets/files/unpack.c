#include "unpack.h"
#include "file.h"

#include <errno.h>
#include <lzma.h>
#include <zlib.h>

enum { SOME = 1 << 16 };
#define XZ_MEMORY (UINT64_C(256) << 20)

struct unpacking {
    const struct input *in;
    const struct packed *packed;
    FILE *to;
    uint64_t left, most, size; /* packed bytes to be read; unpacked ones, at most and so far */
    uint32_t crc;
    unsigned char from[SOME], some[SOME];
};

static enum status damaged(const struct unpacking *u, const char *what)
{
    return refuse(u->in, "%s, %" PRIu64 " bytes of it unpacked; expected the whole; copy or make the file again", what,
                  u->size);
}

/* The next packed bytes, into u->from; none at the end. */
static enum status more(struct unpacking *u, size_t *count)
{
    *count = fread(u->from, 1, u->left < SOME ? (size_t)u->left : SOME, u->in->file);
    u->left = *count > 0 ? u->left - *count : 0;
    return ferror(u->in->file) ? input_failed(u->in) : OK;
}

static enum status put(struct unpacking *u, const unsigned char *bytes, size_t count)
{
    u->size += count;
    if (u->size > u->most)
        return refuse(u->in,
                      "grows from %" PRIu64 " packed bytes to more than %" PRIu64
                      "; expected at most %d times as many, or 256 MiB; unpack it yourself, if you trust it, and name "
                      "what comes out",
                      u->packed->bytes, u->most, UNPACKED_RATIO);
    u->crc = (uint32_t)crc32(u->crc, bytes, (uInt)count);
    if (fwrite(bytes, 1, count, u->to) == count)
        return OK;
    complain("%s: cannot be unpacked into a temporary file: %s; make room in it", u->in->path, strerror(errno));
    return NOT_MEASURED;
}

/* ---- each packing ---- */

static enum status copy_all(struct unpacking *u)
{
    size_t count;
    do {
        TRY(more(u, &count));
        TRY(put(u, u->from, count));
    } while (count > 0);
    return OK;
}

/* A .gz may be several, one behind the other. */
static enum status inflate_all(struct unpacking *u)
{
    enum status status = OK;
    z_stream z = {0};
    const bool is_gz = u->packed->packing == PACKED_GZ;
    if (inflateInit2(&z, is_gz ? 15 + 16 : -15) != Z_OK)
        return out_of_memory("what unpacks a file");
    for (bool has_ended = false; !has_ended;) {
        size_t count = z.avail_in;
        if (count == 0)
            TRY_DONE(more(u, &count));
        z.next_in = z.avail_in == 0 ? u->from : z.next_in;
        z.avail_in = (uInt)count;
        z.next_out = u->some;
        z.avail_out = SOME;
        const int found = inflate(&z, Z_NO_FLUSH);
        TRY_DONE(put(u, u->some, SOME - z.avail_out));
        if (found == Z_MEM_ERROR)
            TRY_DONE(out_of_memory("what unpacks a file"));
        if (found != Z_OK && found != Z_STREAM_END)
            TRY_DONE(damaged(u, found == Z_BUF_ERROR ? "ends too early" : "is damaged"));
        has_ended = found == Z_STREAM_END && z.avail_in + u->left == 0;
        if (found == Z_STREAM_END && !has_ended && (!is_gz || inflateReset(&z) != Z_OK))
            TRY_DONE(damaged(u, "is damaged"));
    }
done:
    inflateEnd(&z);
    return status;
}

static enum status decode_all(struct unpacking *u)
{
    enum status status = OK;
    lzma_stream x = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&x, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
        return out_of_memory("what unpacks a file");
    for (lzma_ret found = LZMA_OK; found != LZMA_STREAM_END;) {
        size_t count = x.avail_in;
        if (count == 0)
            TRY_DONE(more(u, &count));
        x.next_in = x.avail_in == 0 ? u->from : x.next_in;
        x.avail_in = count;
        x.next_out = u->some;
        x.avail_out = SOME;
        found = lzma_code(&x, u->left > 0 ? LZMA_RUN : LZMA_FINISH);
        TRY_DONE(put(u, u->some, SOME - x.avail_out));
        if (found == LZMA_MEM_ERROR)
            TRY_DONE(out_of_memory("what unpacks a file"));
        if (found != LZMA_OK && found != LZMA_STREAM_END)
            TRY_DONE(damaged(u, found == LZMA_MEMLIMIT_ERROR ? "wants more than 256 MiB of memory"
                                : found == LZMA_BUF_ERROR    ? "ends too early"
                                                             : "is damaged"));
    }
done:
    lzma_end(&x);
    return status;
}

/* ---- any ---- */

uint64_t unpacked_most(uint64_t packed)
{
    const uint64_t most = packed > UINT64_MAX / UNPACKED_RATIO ? UINT64_MAX : packed * UNPACKED_RATIO;
    return most > UNPACKED_FREE ? most : UNPACKED_FREE;
}

static enum status unpack_all(struct unpacking *u)
{
    const enum packing packing = u->packed->packing;
    if (fseeko(u->in->file, (off_t)u->packed->start, SEEK_SET) != 0)
        return input_failed(u->in);
    TRY((packing == PACKED_XZ ? decode_all : packing == PACKED_STORED ? copy_all : inflate_all)(u));
    if (packing >= PACKED_DEFLATED && (u->size != u->packed->size || u->crc != u->packed->crc))
        return damaged(u, "is damaged");
    TRY(put(u, u->from, 0));
    return fseeko(u->to, 0, SEEK_SET) == 0 ? OK : input_failed(u->in);
}

enum status unpack(struct input *in, const struct packed *packed)
{
    struct unpacking *u = calloc(1, sizeof *u);
    FILE *to = u ? tmpfile() : NULL;
    if (!to) {
        free(u);
        complain("%s: no temporary file to unpack it into: %s; make room in it", in->path, strerror(errno));
        return NOT_MEASURED;
    }
    u->in = in, u->packed = packed, u->to = to, u->left = packed->bytes;
    u->most = unpacked_most(packed->bytes);
    const enum status status = unpack_all(u);
    if (status == OK)
        in->size = u->size;
    fclose(status == OK ? in->file : to);
    in->file = status == OK ? to : in->file;
    free(u);
    return status;
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
