/* fabsum_plain with blocks of 32. */
#define FABSUM_BLOCK 32
#include "fabsum_plain.h"
#define fabsum_32_add fabsum_32_add_plainly
#define fabsum_32_merge fabsum_32_merge_plainly
#define fabsum_32_result fabsum_32_result_plainly
