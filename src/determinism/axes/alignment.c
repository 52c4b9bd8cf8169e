/* Data that begin up to 64 bytes beyond the usual alignment, at each multiple of an element's size, or of what the
 * kernels of a method need. */
#include "src/determinism/vary.h"

enum { OFFSET_MOST = 64 };

/* A replay has numbers as the host holds them. */
static uint64_t step(const struct varied *varied)
{
    return varied->device           ? device_alignment(varied->method)
           : varied->method->plugin ? varied->of.format->bytes
                                    : format_held(varied->of.format)->bytes;
}

static enum tried shift(struct vary *vary, const char *order)
{
    const uint64_t bytes = step(vary->of);
    enum tried tried = COMPUTED;
    for (uint64_t offset = bytes; offset <= OFFSET_MOST && tried < HOPELESS; offset += bytes) {
        const struct circumstances shifted = {.offset = (uint32_t)offset};
        char variant[48];
        snprintf(variant, sizeof variant, "%u bytes", shifted.offset);
        tried = vary_try_base(vary, &shifted, variant, order);
    }
    return tried;
}

enum status alignment_vary(struct vary *vary)
{
    return vary_in_orders(vary, shift);
}
