/* Under what a sum is computed, beside its data and its launch: what should change no bit of it, but for c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* All 0: as ever. */
struct circumstances {
    uint32_t offset; /* bytes from the usual alignment to the first element: a multiple of an element's size, <= 64 */
    bool is_first_in_page; /* what lies before an array cannot be read, in place of what lies behind it */
    bool other_stream;     /* on a GPU: not the one that everything else runs on */
    bool looks_at_states;  /* of a plug-in's accumulator, beside its sum */
    const void *c;         /* of a matrix product that takes it: arrays[ARRAY_C] */
    bool is_busy;          /* while other work occupies the machine: threads on the host, kernels on the GPU */
};
