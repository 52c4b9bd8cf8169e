/* Which device a word asks for; what the device then does is in device_cuda.c or device_none.c. */
#include "device.h"

#include "src/base/format.h"
#include "src/base/number.h"

#include <string.h>

/* "cuda:7" */
static bool read_ordinal(const char *word, uint64_t *ordinal)
{
    return strncmp(word, "cuda:", 5) == 0 && word[5 + strspn(word + 5, "0123456789")] == '\0' &&
           read_size(word + 5, ordinal) == NULL;
}

enum status device_open(const char *wanted, struct device **device, char why[REASON_SIZE])
{
    uint64_t ordinal = 0;
    *device = NULL;
    why[0] = '\0';
    if (strcmp(wanted, "host") == 0)
        return OK;
    const bool any = strcmp(wanted, "auto") == 0;
    if (!any && !read_ordinal(wanted, &ordinal)) {
        complain("--device \"%s\" is not a device; expected auto, host or cuda:N", wanted);
        return BAD_INPUT;
    }
    const int count = device_count(why);
    if (any && count == 0)
        return OK;
    if (ordinal < (uint64_t)count)
        return device_start((int)ordinal, device);
    complain("--device %s: %s; there are %d GPUs; use --device host or auto", wanted, count ? "no such GPU" : why,
             count);
    return NO_DEVICE;
}

enum status device_run(struct device *device, const struct method *method, struct shape shape, struct launch launch,
                       uint64_t *bits)
{
    return device_run_under(device, method, shape, launch, &(struct circumstances){0}, bits);
}

uint64_t device_alignment(const struct method *method)
{
    enum { VECTOR = 16 };
    const bool is_black_box = !method->replay, is_product = operation_table[method->operation].of == MATRICES;
    return is_black_box || is_product || device_takes_rows(method) ? method->sum_format->stored->bytes : VECTOR;
}

enum status device_check_offset(const struct method *method, uint32_t offset)
{
    if (offset % device_alignment(method) == 0)
        return OK;
    complain("%s: expected data at a multiple of %llu bytes, found an offset of %u; take a multiple", method->id,
             (unsigned long long)device_alignment(method), offset);
    return BAD_INPUT;
}

enum status device_sum(struct device *device, const struct method *method, uint64_t n, struct launch launch, float *sum)
{
    uint64_t bits;
    TRY(device_run(device, method, shape_of_one(n), launch, &bits));
    *sum = float_from_bits((uint32_t)bits);
    return OK;
}
