/* Three bins of 13 bits: the width and fold that ReproBLAS takes for binary32. */
#if REAL_PRECISION != 24
#define ABSENT "its bins are made for 24 bits: see binned"
#else
#define BINNED_WIDTH 13
#include "binned.h"
#endif
