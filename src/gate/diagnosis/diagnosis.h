/* What the sums of a failing series are: those of a known fault, of another method, or of none, bit for bit.
 *
 *   "bit for bit plain/tree_two_pass on 256 of 256: the compensation has no effect"
 *   "bit for bit kahan/tree_two_pass in which the last element is left out, on 100 of 100; 1 more fits as well"
 *   "bit for bit kahan/tree_two_pass in which x_17 is added twice, on 100 of 100"
 *   "bit for bit kahan/serial on 256 of 256: it adds in another order"
 *   "bit for bit kahan/tree_two_pass at 119 x 256 on 256 of 256: it ran with another launch"
 *   "kahan/tree_two_pass itself is this inaccurate, on 256 of 256; the limit is too tight for it"
 *   "this program's kahan/tree_two_pass gives the same, on 256 of 256, and has a fault itself: the last element is left
 * out" "this program's kahan/tree_two_pass gives the same, on 256 of 256: it has changed since the baseline" "none of
 * 31 faults and 238 methods gives these bits, nor does any element that is left out or added twice" "not diagnosed:
 * cannot read x.csv: No such file or directory"
 *
 * The data are made again, and held against the exact sums of the run, so that nothing is said of other data.
 */
#pragma once

#include "src/gate/check.h"

/* Sets the cause of every failing finding of a series; of findings of one series it is the same.  Reads the rows of the
 * run once.  Data that cannot be had and series beyond a fixed amount of work have a cause that says so.
 */
enum status diagnose(struct check *check, unsigned workers);

/* The same with another amount of work than DIAGNOSIS_ADDITIONS, of all series together. */
static const uint64_t DIAGNOSIS_ADDITIONS = UINT64_C(1) << 32; /* some 10 s of one core */
enum status diagnose_within(struct check *check, uint64_t additions, unsigned workers);
