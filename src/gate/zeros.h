/* Zeros in the place of a run's sums, held to the same limits by the same judge: a rule that they pass on all of its
 * data holds nothing.  Where s is 0, a 0 is right and says nothing.  Of matrix products the elements count that the run
 * keeps. */
#ifndef ULPSCOPE_ZEROS_H
#define ULPSCOPE_ZEROS_H

#include "finding.h"

/* Sets what finding.h says of zeros, and tells it behind `said`; of findings that were made, and of a run that has a
 * store.  NOT_MEASURED when memory is short. */
enum status zeros_judge(struct check *check);

#endif
