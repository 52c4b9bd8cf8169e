#include "judge.h"

#include "datasets/files/file_hash.h"
#include "src/base/base.h"

#include <assert.h>
#include <endian.h>
#include <nettle/sha2.h>

static_assert((int)DIGEST_TEXT == (int)FILE_HASH_TEXT, "both are SHA-256");

struct digest {
    struct sha256_ctx hash;
};

struct digest *digest_new(void)
{
    struct digest *digest = malloc(sizeof *digest);
    if (digest)
        sha256_init(&digest->hash);
    return digest;
}

void digest_add(struct digest *digest, const struct format *format, const uint64_t *bits, uint64_t count)
{
    enum { AT_ONCE = 512 };
    uint8_t bytes[AT_ONCE * sizeof *bits + sizeof *bits];
    for (uint64_t first = 0; first < count; first += AT_ONCE) {
        uint8_t *next = bytes;
        for (uint64_t i = first; i < count && i < first + AT_ONCE; i++, next += format->bytes) {
            const uint64_t hashed = htole64(format_one_nan(format, bits[i]));
            memcpy(next, &hashed, sizeof hashed); /* what is too much the next one covers: a call less each */
        }
        sha256_update(&digest->hash, (size_t)(next - bytes), bytes);
    }
}

void digest_end(struct digest *digest, char text[DIGEST_TEXT])
{
    hash_text(&digest->hash, text);
    free(digest);
}

void digest_of(const struct format *format, const uint64_t *bits, uint64_t count, char text[DIGEST_TEXT])
{
    struct digest digest;
    sha256_init(&digest.hash);
    digest_add(&digest, format, bits, count);
    hash_text(&digest.hash, text);
}

uint64_t digest_bits(const char *digest)
{
    char first[17];
    snprintf(first, sizeof first, "%s", digest);
    return strtoull(first, NULL, 16);
}
