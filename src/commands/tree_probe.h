/* `ulpscope tree METHOD --probe`: the order in which a method adds, from its sums alone: of its kernel on a GPU, of its
 * replay on the host, or of a plug-in.
 */
#pragma once

#include "command.h"
#include "kernels/method.h"

struct tree_probe_wish {
    const struct method *method;
    struct launch launch;
    uint64_t n;
    bool summary;    /* what can be said of a tree in few lines, and no drawing */
    const char *svg; /* a file; NULL: none */
};

/* Prints on stdout.  --device and ULPSCOPE_DEVICE say where: on `auto` on a GPU if there is one.  BAD_INPUT for a
 * method whose sums show no order, NO_DEVICE for a black box without a GPU, LIMIT_BROKEN when the order is not the
 * declared one. */
enum status tree_probe(const struct config *config, const struct tree_probe_wish *wish);
