/* A libFuzzer target: the family FUZZ_FAMILY. */
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
extern const struct fuzz_family FUZZ_FAMILY;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
#ifdef FUZZ_PLANTED /* a fault that comparisons lead to */
    fuzz_check(size < 5 || memcmp(bytes, "FAULT", 5) != 0, "the planted fault");
#endif
    fuzz_feed(&FUZZ_FAMILY, (const char *)bytes, size);
    return 0;
}
