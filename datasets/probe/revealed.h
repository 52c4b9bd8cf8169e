/* The order of a method that declares none, as a method of ours: plain additions in the tree that its sums show.
 *
 *   mine/loop, n = 4096    its plug-in adds in blocks of 128    stand_in: plain additions of binary32 in that tree
 *
 * What is known of a method with an order is so known of a plug-in: blame, explain, drawings, data made for its order.
 * A tree is probed once and kept for as long as the program runs: 4,096 elements take some 50,000 sums.
 */
#pragma once

#include "probe.h"
#include "src/base/onlooker.h"

/* Additions of all sums of a probe together, about a minute on the host; and where one after another takes as many. */
#define PROBE_MOST_ADDITIONS (UINT64_C(1) << 36)
enum { PROBE_HOST_MOST_N = 1 << 18 };

/* Probes request->method on the host, by its replay or its plug-in; of a dot product the second vector is ones,
 * of a matrix product one element is asked for (product_box.h).  Complains and returns BAD_INPUT for other operations,
 * and as probe_reveal does; without a family it says nothing. */
enum status probe_method(const struct tree_request *request, struct probe *probe);

struct revealed {
    struct probe probe;
    struct method stand_in; /* the method's id, operation, result and bound; the accumulator and the format of ours */
};

/* Of request->method, which a plug-in computes.  Complains and returns BAD_INPUT where its sums show no tree of
 * additions of two, or where ours do not add as it does; NOT_MEASURED.  Any thread may ask; *revealed stays. */
enum status revealed_order(const struct tree_request *request, const struct revealed **revealed);

/* Until it is NULL again: somebody who searches looks on, and a tree is a hint.  It is held to fewer sums, 128 in place
 * of 4,160 that a plug-in of 20 ms takes 83 s for, and what has none is not asked again.  Nothing is said. */
void revealed_onlooker(const struct onlooker *of_search);
