/* Zeros in the place of a run's sums, held to the same limits by the same judge: a rule that they pass on all of its
 * data holds nothing.  Where s is 0, a 0 is right and says nothing.  Of matrix products the elements count that the run
 * keeps. */
#pragma once

#include "finding.h"

/* Sets what finding.h says of zeros, of a run that has a store, and tells it in `said`.  NOT_MEASURED: no memory. */
enum status zeros_judge(struct check *check);
