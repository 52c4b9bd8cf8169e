#include "file_hash.h"
#include "file.h"

#include <errno.h>

void hash_text(struct sha256_ctx *context, char text[FILE_HASH_TEXT])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

enum status file_hash(const char *path, char text[FILE_HASH_TEXT])
{
    struct sha256_ctx context;
    uint8_t buffer[1 << 16];
    FILE *file;
    uint64_t size;
    TRY(data_file_open(path, &file, &size));
    sha256_init(&context);
    size_t length;
    while ((length = fread(buffer, 1, sizeof buffer, file)) > 0)
        sha256_update(&context, length, buffer);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (failed) {
        complain("%s: cannot be read to its end: %s", path, strerror(errno));
        return NOT_MEASURED;
    }
    hash_text(&context, text);
    return OK;
}
