/* int32_wrap with 64 bits. */
#define INTEGER_BITS 64
#include "int32_wrap.h"
