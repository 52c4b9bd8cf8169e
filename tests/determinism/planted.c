/* Sums whose bits depend on one thing alone, which is in their name; and one that depends on none. */
#include <ulpscope/plugin.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static int64_t terms(const struct ulpscope_call *call)
{
    return call->inputs[0].shape[0];
}

static const float *numbers(const struct ulpscope_call *call)
{
    return (const float *)ulpscope_data(call->inputs);
}

/* In units of 2^-30, rounded number by number: of any order the same, and as exact as binary32 is of numbers from 2^-6
 * to 2^10. */
static float steady(const struct ulpscope_call *call)
{
    const float *x = numbers(call);
    int64_t units = 0;
    for (int64_t i = 0; i < terms(call); i++)
        units += (int64_t)((double)x[i] * 0x1p30);
    return (float)((double)units * 0x1p-30);
}

/* So many ulps of a sum in [256, 512) above it. */
static float raised(float sum, int ulps)
{
    return sum + (float)ulps * 0x1p-15f;
}

static float by_nothing(const struct ulpscope_call *call)
{
    return steady(call);
}

static float by_call(const struct ulpscope_call *call)
{
    static unsigned calls;
    return raised(steady(call), (int)(calls++ % 3));
}

/* One of 7 times, as sums that race. */
static float by_rare_call(const struct ulpscope_call *call)
{
    static unsigned calls;
    return raised(steady(call), ++calls % 7 == 0);
}

/* Seldom enough that 20 repeats may not meet it, and always the same share of calls. */
static float by_97th_call(const struct ulpscope_call *call)
{
    static unsigned calls;
    return raised(steady(call), ++calls % 97 == 0);
}

static float by_blocks_and_97th_call(const struct ulpscope_call *call)
{
    static unsigned calls;
    return raised(steady(call), (call->blocks == 1 ? 2 : 0) + (++calls % 97 == 0));
}

static float by_first_call(const struct ulpscope_call *call)
{
    static unsigned calls;
    return raised(steady(call), calls++ == 0);
}

static float by_process(const struct ulpscope_call *call)
{
    return raised(steady(call), getpid() % 16);
}

static float by_address(const struct ulpscope_call *call)
{
    return raised(steady(call), (int)((uintptr_t)&by_process >> 12 & 255));
}

static float by_launch(const struct ulpscope_call *call)
{
    return raised(steady(call), call->threads > 256);
}

static float by_blocks(const struct ulpscope_call *call)
{
    return raised(steady(call), call->blocks == 1 ? 2 : call->blocks == 2 ? -1 : 0);
}

/* More than any order of additions loses. */
static float skips_three(const struct ulpscope_call *call, bool skips)
{
    const float *x = numbers(call);
    return steady(call) - (skips ? x[0] + x[1] + x[2] : 0);
}

static float wrong_in_one_block(const struct ulpscope_call *call)
{
    return skips_three(call, call->blocks == 1);
}

/* The bound of 800 numbers that are 1/2 in the mean is 624 ulps. */
static float a_bound_off(const struct ulpscope_call *call)
{
    return raised(steady(call), call->blocks == 1 ? 660 : 0);
}

static float almost_a_bound_off(const struct ulpscope_call *call)
{
    return raised(steady(call), call->blocks == 1 ? 590 : 0);
}

static float wrong_but_in_one_block(const struct ulpscope_call *call)
{
    return skips_three(call, call->blocks != 1);
}

static float by_length(const struct ulpscope_call *call)
{
    return raised(steady(call), terms(call) >= 1000);
}

/* More than the bound of 768 numbers, less than that of 1,000. */
static float by_length_far(const struct ulpscope_call *call)
{
    return raised(steady(call), terms(call) >= 1000 ? 660 : 0);
}

/* Of 1,000 numbers and more those that begin with a step down. */
static float by_length_in_some_orders(const struct ulpscope_call *call)
{
    return raised(steady(call), terms(call) >= 1000 && numbers(call)[0] > numbers(call)[1]);
}

static float by_zero_before(const struct ulpscope_call *call)
{
    return raised(steady(call), numbers(call)[0] == 0);
}

static float by_order(const struct ulpscope_call *call)
{
    float sum = 0;
    for (int64_t i = 0; i < terms(call); i++)
        sum += numbers(call)[i];
    return sum;
}

/* In two halves from 1,000 numbers on, as libraries choose another kernel. */
static float by_length_and_order(const struct ulpscope_call *call)
{
    const float *x = numbers(call);
    const int64_t n = terms(call), half = n < 1000 ? n : n / 2;
    float first = 0, second = 0;
    for (int64_t i = 0; i < half; i++)
        first += x[i];
    for (int64_t i = half; i < n; i++)
        second += x[i];
    return first + second;
}

static float dies_of_zeros(const struct ulpscope_call *call)
{
    if (numbers(call)[terms(call) - 1] == 0)
        abort();
    return steady(call);
}

static float dies(const struct ulpscope_call *call)
{
    (void)call;
    abort();
}

static float wrong_at_17(const struct ulpscope_call *call)
{
    return steady(call) + (float)(terms(call) == 17);
}

static float dies_in_second_call_of_800(const struct ulpscope_call *call)
{
    static int calls;
    if (terms(call) == 800 && ++calls == 2)
        abort();
    return steady(call);
}

/* In whatever process: a file says that it was called. */
static float dies_but_once_of_800(const struct ulpscope_call *call)
{
    const int file = terms(call) == 800 ? open("called.once", O_CREAT | O_EXCL | O_WRONLY, 0600) : 0;
    if (file < 0)
        abort();
    return steady(call);
}

static float dies_at_1000(const struct ulpscope_call *call)
{
    if (terms(call) == 1000)
        abort();
    return steady(call);
}

static float no_number(const struct ulpscope_call *call)
{
    const float *x = numbers(call);
    return x[0] < x[terms(call) - 1] ? 0.0f / (x[0] - x[0]) : steady(call);
}

#define PLANT(name)                                                                                                    \
    static int run_##name(void *state, const struct ulpscope_call *call)                                               \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        *(float *)ulpscope_data(call->outputs) = name(call);                                                           \
        return 0;                                                                                                      \
    }
#define METHOD(name) ULPSCOPE_METHOD(#name, "sum", "binary32", 0, run_##name)
PLANT(by_nothing)
PLANT(by_call)
PLANT(by_rare_call)
PLANT(by_97th_call)
PLANT(by_process)
PLANT(by_address)
PLANT(by_launch)
PLANT(by_blocks)
PLANT(wrong_in_one_block)
PLANT(wrong_but_in_one_block)
PLANT(by_length)
PLANT(by_length_in_some_orders)
PLANT(by_zero_before)
PLANT(by_order)
PLANT(by_length_and_order)
PLANT(dies_of_zeros)
PLANT(no_number)
PLANT(dies)
PLANT(dies_but_once_of_800)
PLANT(a_bound_off)
PLANT(almost_a_bound_off)
PLANT(by_first_call)
PLANT(by_blocks_and_97th_call)
PLANT(by_length_far)
PLANT(wrong_at_17)
PLANT(dies_in_second_call_of_800)
PLANT(dies_at_1000)

static int run_claims(void *state, const struct ulpscope_call *call)
{
    return run_by_process(state, call);
}

ULPSCOPE_PLUGIN("planted", "1", METHOD(wrong_at_17), METHOD(by_nothing), METHOD(by_call), METHOD(by_rare_call),
                METHOD(by_process), METHOD(by_address), METHOD(by_launch), METHOD(by_blocks), METHOD(by_length),
                METHOD(by_length_in_some_orders), METHOD(by_zero_before), METHOD(by_order), METHOD(by_length_and_order),
                METHOD(dies_of_zeros), METHOD(no_number), METHOD(dies_at_1000), METHOD(dies),
                METHOD(dies_but_once_of_800), METHOD(a_bound_off), METHOD(almost_a_bound_off), METHOD(by_first_call),
                METHOD(by_blocks_and_97th_call), METHOD(by_length_far), METHOD(dies_in_second_call_of_800),
                METHOD(by_97th_call), METHOD(wrong_in_one_block), METHOD(wrong_but_in_one_block),
                ULPSCOPE_METHOD("claims", "sum", "binary32", ULPSCOPE_DETERMINISTIC, run_claims))
