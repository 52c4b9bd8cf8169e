/* FABsum with long blocks: four times the bound; what flushes cost no longer shows. */
#define FABSUM_BLOCK 512
#include "fabsum.h"
