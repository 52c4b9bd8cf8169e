/* What the sums of a failing series are: those of a known fault, of another method, or of none, bit for bit.
 *
 *   "bit for bit plain/tree_two_pass on 256 of 256: the compensation has no effect"
 *   "bit for bit kahan/tree_two_pass without the last element on 100 of 100"
 *   "what this program's kahan/tree_two_pass gives, on 256 of 256: no fault is needed to break this limit"
 *   "none of 31 faults and 255 methods gives these bits"
 *
 * The data are made again, and held against the exact sums of the run, so that nothing is said of other data.
 */
#ifndef ULPSCOPE_DIAGNOSIS_H
#define ULPSCOPE_DIAGNOSIS_H

#include "check.h"

/* Sets the cause of every failing finding; of findings of one series it is the same.  Reads the rows of the run once.
 * Data that cannot be had, black boxes and series beyond a fixed amount of work have a cause that says so. */
enum status diagnose(struct check *check, unsigned workers);

#endif
