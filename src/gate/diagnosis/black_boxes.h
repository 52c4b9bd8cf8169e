/* What the black boxes of a finished run are, without limits: each sentence is of one method and all its data.
 *
 *   mine/loop: bit for bit plain/pairwise on 100 of 100
 *   mine/sum: bit for bit plain/serial on 200 of 200 (2 of 3 series); 1 more fits as well
 *   mine/sum on uniform:n=100: none of 31 faults and 238 methods gives these bits ...
 */
#pragma once

#include "src/results/results.h"

static const uint64_t BLACK_BOX_ADDITIONS = UINT64_C(1) << 28; /* of all together, some 0.8 s of one core */

struct black_box_sentences {
    char **list; /* each without a break */
    size_t count, capacity;
};

/* Of the plug-ins and of the libraries' methods, sums alone.  Free them also after a failure. */
enum status diagnose_black_boxes(const struct results *results, uint64_t additions, unsigned workers,
                                 struct black_box_sentences *sentences);
void black_box_sentences_free(struct black_box_sentences *sentences);
