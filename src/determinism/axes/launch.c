/* Launches from one thread of a warp to 2^20 threads, as far as the method can do them. */
#include "src/determinism/vary.h"

static const struct launch launches[] = {{1, 32},    {1, 1024},  {2, 64},    {8, 128},    {32, 32},
                                         {120, 256}, {132, 512}, {1024, 64}, {1024, 1024}};

enum status launch_vary(struct vary *vary)
{
    const struct varied *varied = vary->of;
    char why[REASON_SIZE] = "";
    for (size_t l = 0; l < sizeof launches / sizeof *launches; l++) {
        const struct launch launch = launches[l];
        if (launch.blocks == varied->launch.blocks && launch.threads == varied->launch.threads)
            continue;
        if (!method_can_do(varied->method, launch, why))
            continue;
        TRY(vary_compute(vary, &varied->of, launch, NULL, vary->bits));
        variation_note(vary, vary->bits, "%u x %u", launch.blocks, launch.threads);
    }
    if (vary->found->variants == 0)
        vary_leave_out(vary, "%s", why);
    return OK;
}
