/* Four bins of 20 bits: 2^-60 of the largest number is kept, for two more additions to the bin. */
#define BINNED_FOLD 4
#include "binned.h"
