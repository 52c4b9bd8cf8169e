#include "plugin_kind.h"

const char *result_read_bits(const char *text, const struct format *result, uint64_t *bits)
{
    const size_t digits = strncmp(text, "0x", 2) == 0 ? strspn(text + 2, "0123456789abcdefABCDEF") : 0;
    if (digits == 0 || text[2 + digits] != '\0')
        return "is not 0x and hexadecimal digits";
    if (digits > 2 * (size_t)result->bytes)
        return "has more digits than the format";
    *bits = strtoull(text, NULL, 16);
    return NULL;
}
