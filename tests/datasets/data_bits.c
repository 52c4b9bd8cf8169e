#include "data_bits.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>

static enum status hash_set(struct sha256_ctx *hash, make_data *make, void *context, const struct data_spec *spec,
                            uint64_t trial)
{
    float *x;
    TRY(make(context, spec, trial, &x));
    for (uint64_t i = 0; i < spec->n; i++) {
        const uint32_t bits = float_bits(x[i]);
        const uint8_t bytes[] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
        sha256_update(hash, sizeof bytes, bytes);
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
    for (size_t k = 0; k < count && status == OK; k++)
        for (uint64_t trial = 0; trial < (data_spec_is_random(&specs[k]) ? 2 : 1) && status == OK; trial++)
            if (specs[k].n <= DATA_BITS_N)
                status = hash_set(hash, make, context, &specs[k], trial);
    data_specs_free(specs, count);
    return status;
}

enum status data_bits(const struct generator *generator, make_data *make, void *context, char text[DATA_BITS_TEXT])
{
    struct sha256_ctx hash;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&hash);
    for (const char *const *spec = generator->showcase; *spec; spec++)
        TRY(hash_specs(&hash, make, context, *spec));
    sha256_digest(&hash, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return OK;
}
