/* serial: one thread, left to right.  The naive loop, whatever the launch.
 *
 *   x0 x1 x2 x3    (((x0 + x1) + x2) + x3)    height 4
 */
static inline bool serial_can_do(struct launch launch, char why[REASON_SIZE])
{
    (void)launch, (void)why;
    return true;
}

static inline uint64_t serial_height(uint64_t n, struct launch launch)
{
    (void)launch;
    return n;
}

static inline size_t serial_sums(struct launch launch)
{
    (void)launch;
    return 0;
}

#ifndef __CUDACC__
static STATE serial_replay(const real *x, uint64_t n, struct launch launch, struct replay_memory memory)
{
    (void)launch, (void)memory;
    STATE s = A(zero)();
    for (uint64_t i = 0; i < n; i++)
        s = A(add)(s, TERM(x, i));
    return s;
}
#else
extern "C" __global__ void EXPORTED(serial_kernel)(const real *x, uint64_t n, real *result)
{
    STATE s = A(zero)();
    for (uint64_t i = 0; i < n; i++)
        s = A(add)(s, TERM(x, i));
    *result = A(round)(s);
}

static cudaError_t serial_launch(const real *x, uint64_t n, struct launch launch, STATE *sums, real *result,
                                 cudaStream_t stream)
{
    (void)launch, (void)sums;
    EXPORTED(serial_kernel)<<<1, 1, 0, stream>>>(x, n, result);
    return cudaGetLastError();
}
#endif
