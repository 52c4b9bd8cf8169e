#include "data_bits.h"

#include "src/base/format.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>

enum { SPEC_TEXT = 100 };

static enum status hash_set(struct sha256_ctx *hash, make_data *make, void *context, const struct data_spec *spec,
                            uint64_t trial)
{
    void *x;
    TRY(make(context, spec, trial, &x));
    const uint64_t count = spec->kind == TWO_MATRICES ? 2 * spec->n * spec->n : spec->n;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t bits = format_bits(spec->format, held_number(spec->format, x, i));
        uint8_t bytes[sizeof bits];
        for (unsigned b = 0; b < sizeof bits; b++)
            bytes[b] = (uint8_t)(bits >> 8 * b);
        sha256_update(hash, spec->format->bytes, bytes);
    }
    free(x);
    return OK;
}

static enum status hash_specs(struct sha256_ctx *hash, make_data *make, void *context, const char *text)
{
    struct data_spec *specs;
    size_t count;
    enum status status = OK;
    TRY(data_specs_read(text, "showcase", NONFINITE_REFUSE, &specs, &count));
    for (size_t k = 0; k < count && status == OK; k++) {
        if (specs[k].generator->a)
            status = data_spec_set_kind(&specs[k], TWO_MATRICES, "showcase");
        for (uint64_t trial = 0; trial < (data_spec_is_random(&specs[k]) ? 2 : 1) && status == OK; trial++)
            if (specs[k].n <= DATA_BITS_N)
                status = hash_set(hash, make, context, &specs[k], trial);
    }
    data_specs_free(specs, count);
    return status;
}

enum status data_bits(const struct generator *generator, const struct format *format, make_data *make, void *context,
                      char text[DATA_BITS_TEXT])
{
    struct sha256_ctx hash;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char in_format[SPEC_TEXT];
    sha256_init(&hash);
    snprintf(in_format, sizeof in_format, "%s:format=%s", generator->id, format->name);
    const char *const other[] = {in_format, NULL};
    const bool is_binary32 = format->precision == FORMAT_BINARY32.precision;
    for (const char *const *spec = is_binary32 ? generator->showcase : other; *spec; spec++)
        TRY(hash_specs(&hash, make, context, *spec));
    sha256_digest(&hash, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return OK;
}
