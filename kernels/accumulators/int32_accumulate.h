/* `int s; s += x`, as std::accumulate(x, x + n, 0) is compiled: see int32_wrap.h. */
#define INTEGER_CUTS_SUMS
#include "int32_wrap.h"
