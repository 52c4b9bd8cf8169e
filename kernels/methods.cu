/* The device half of every method of one accumulator: compiled once per accumulator with -DACC=<id>, like methods.c. */
#include "portable.h"

#include ACCUMULATOR_FILE

#include "order.h"

#include "generated/orders.inc"

#define ORDER(order, determinism, claim)                                                                               \
    static size_t scratch_bytes_##order(struct launch launch)                                                          \
    {                                                                                                                  \
        return order##_sums(launch) * sizeof(STATE);                                                                   \
    }                                                                                                                  \
    static int run_##order(const void *x, uint64_t n, struct launch launch, void *scratch, void *result, void *stream) \
    {                                                                                                                  \
        return order##_launch((const real *)x, n, launch, (STATE *)scratch, (real *)result, (cudaStream_t)stream);     \
    }                                                                                                                  \
    extern "C" const struct device_method EXPORTED(order##_on_device);                                               \
    const struct device_method EXPORTED(order##_on_device) = {scratch_bytes_##order, run_##order};
#include "orders.def"
#undef ORDER
