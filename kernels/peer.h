/* What kernels/peers/<library>.cu gives: for every row of peers.def a struct peer, <library>_<name>_peer. */
#ifndef ULPSCOPE_PEER_H
#define ULPSCOPE_PEER_H

#include "method.h"

struct peer {
    bool (*can_do)(struct launch launch, char why[REASON_SIZE]); /* see struct method */
    void (*version)(char text[REASON_SIZE]);                     /* see struct method */
    struct device_method device;
};

#ifdef __cplusplus
#define PEER_LINKAGE extern "C"
#else
#define PEER_LINKAGE extern
#endif

#define LIBRARY(id, claim)
#define PEER(library, name, determinism, slow_above, bound, claim)                                                     \
    PEER_LINKAGE const struct peer library##_##name##_peer;
#include "peers.def"
#undef PEER
#undef LIBRARY

#endif
