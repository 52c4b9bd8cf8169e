/* FABsum with short blocks: a quarter of the bound, four flushes for one. */
#define FABSUM_BLOCK 32
#include "fabsum.h"
