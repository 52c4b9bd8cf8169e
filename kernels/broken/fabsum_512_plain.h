/* fabsum_plain with blocks of 512. */
#define FABSUM_BLOCK 512
#include "fabsum_plain.h"
#define fabsum_512_add fabsum_512_add_plainly
#define fabsum_512_merge fabsum_512_merge_plainly
#define fabsum_512_result fabsum_512_result_plainly
