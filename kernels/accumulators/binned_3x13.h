/* Three bins of 13 bits: the width and fold that ReproBLAS takes for binary32. */
#define BINNED_WIDTH 13
#include "binned.h"
