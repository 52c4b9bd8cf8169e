/* Exact sums that the GPU makes where the data lie: of large cases, whose numbers the host then need not have.  The
 * host checks what the seed draws, some of the cases and a part of what each formula gives, and, when all cases are
 * done, every witness. */
#pragma once

#include "case_in_hand.h"

#include "src/device/device_batch.h"

/* Numbers from which on the device is faster; cases of so many are measured one by one, and one in so many of them is
 * checked. */
enum { NUMBERS_OF_A_GPU = 1 << 17, CHECKED_ONE_IN = 32 };

/* Notes format and n of a case whose numbers are a formula's and wanted on the GPU alone; false: the host needs them.
 */
bool case_stays_on_device(struct case_in_hand *hand);

/* Whether the exact sum of a case, whose n is known, is made there; and what is asked for then. */
bool case_is_summed_on_device(const struct case_in_hand *hand);
struct device_exact case_device_exact(const struct case_in_hand *hand);

/* Whether the seed draws it: then its exact sum, made there, is held to the host's at once. */
bool case_is_checked(const struct case_in_hand *hand);

/* Where the data come from: formulas are computed over there, with the same bits, unless the host has the numbers and
 * they are few.  A part of what they give, which the seed draws, comes back to be held to the host's. */
enum { SEEN_MOST = 4096 };
enum status case_place_data(const struct case_in_hand *hand, struct device_set *set, float seen[SEEN_MOST]);
enum status case_check_seen(const struct case_in_hand *hand, const struct device_set *set);

/* When all cases are done, of one that a report names: makes the exact sum again where it was made on the device and
 * not checked, checks it, and holds it to what was stored.  Frees the data. */
enum status case_check_again(struct case_in_hand *hand, const char *stored, bool *checked);
