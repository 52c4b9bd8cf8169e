/* int32_wrap, but sums end at the largest integer and at the least, as those of quantized networks do. */
#define INTEGER_SATURATES
#include "int32_wrap.h"
