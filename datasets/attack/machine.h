/* Who makes the children of many islands at once and judges them: a GPU.  Parents and children stay there; sums come
 * back.  Islands climb as climb.h has it, and find the same as on the host, were there as many. */
#pragma once

#include "breed_kernel.h"
#include "reference/short_sum.h"

/* What became of a child. */
struct machine_sum {
    struct short_sum exact; /* its error is that of `computed`, where this is finite */
    double computed;
    enum breed_change by;
};

struct attack_machine {
    void *context; /* the first argument of all functions; their status: NOT_MEASURED, which was complained about */

    /* How many islands keep it busy with n numbers each; 0: it cannot sum by the method. */
    size_t (*islands)(void *context, const struct method *method, struct launch launch, uint64_t n);

    /* Before anything else.  round->of, dice, islands and children are what they will be; nodes and element, n of
     * them, are in host memory. */
    enum status (*begin)(void *context, const struct method *method, struct launch launch,
                         const struct breed_round *round);

    /* Parents of so many islands from `first` on. */
    enum status (*put_parents)(void *context, size_t first, size_t count, const double *numbers);

    /* The parents of now are those that crossing takes from. */
    enum status (*begin_epoch)(void *context);

    /* Children of all islands, and their sums: sums[island * children + k]. */
    enum status (*generation)(void *context, const struct breed_brood *broods, struct machine_sum *sums);
    enum status (*choose)(void *context, const struct breed_choice *choices);
    enum status (*get_highest)(void *context, size_t island, double *numbers);
};
