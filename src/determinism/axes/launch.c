/* Launches from one warp to 2^20 threads, as far as the method can do them. */
#include "src/determinism/vary.h"

static const struct launch launches[] = {{1, 32},    {1, 1024},  {2, 64},    {8, 128},    {32, 32},
                                         {120, 256}, {132, 512}, {1024, 64}, {1024, 1024}};

static enum tried launch_once(struct vary *vary, struct launch launch, const char *order)
{
    const struct varied *base = vary->of;
    struct varied launched = *base;
    char variant[48];
    launched.launch = launch;
    vary->of = &launched;
    snprintf(variant, sizeof variant, "%u x %u", launch.blocks, launch.threads);
    const enum tried tried = vary_try_base(vary, NULL, variant, order);
    vary->of = base;
    return tried;
}

static enum tried launch_each(struct vary *vary, const char *order)
{
    const struct launch base = vary->of->launch;
    enum tried tried = COMPUTED;
    char why[REASON_SIZE];
    for (size_t l = 0; l < sizeof launches / sizeof *launches && tried < HOPELESS; l++)
        if (!same_launch(launches[l], base) && method_can_do(vary->of->method, launches[l], why))
            tried = launch_once(vary, launches[l], order);
    return tried;
}

enum status launch_vary(struct vary *vary)
{
    TRY(vary_in_orders(vary, launch_each));
    if (vary->found->variants == 0)
        vary_leave_out(vary, "it can be launched in one way alone");
    return OK;
}
