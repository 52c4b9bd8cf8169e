/* Scans with a known fault, by replay alone: what limits and bounds are held to. */
#pragma once

#include "kernels/method.h"

enum scan_fault {
#define SCAN_BROKEN(id, operation, claim) SCAN_FAULT_##id,
#include "scan_broken.def"
    SCAN_FAULTS
};

struct scan_fault_row {
    const char *id, *claim;
    enum operation operation;
};
extern const struct scan_fault_row scan_faults[SCAN_FAULTS];

/* As method_replay() of a method of the fault's operation, with the fault; *shows: false where the launch has one
 * block, or a window all numbers, so that there is none.  Blocks are those of the order's chunks or tiles; of an order
 * without any quarters of the numbers. */
enum status scan_broken_replay(enum scan_fault fault, const struct method *method, const struct operands *of,
                               struct launch launch, uint64_t *bits, bool *shows);
