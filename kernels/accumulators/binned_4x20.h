/* Four bins of 20 bits: 2^-60 of the largest number is kept, for two more additions to the bin. */
#if REAL_PRECISION != 24
#define ABSENT "its bins are made for 24 bits: see binned"
#else
#define BINNED_FOLD 4
#include "binned.h"
#endif
