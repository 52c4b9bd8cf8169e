/* What plug-ins on a GPU give of a few cases of one spec, asked for together: for short sums the way to their process
 * and back, 60 us, takes longer than the sums. */
#pragma once

#include "case_in_hand.h"

/* How many cases of so many bytes are worth it on the host; 1: the study has no such plug-in. */
size_t ask_together_most(const struct study *study, uint64_t bytes);

/* Sets `answers` of the cases where that can be done, and worked; frees them. */
void ask_together(struct case_in_hand *cases, size_t count);
void forget_answers(struct case_in_hand *cases, size_t count);
