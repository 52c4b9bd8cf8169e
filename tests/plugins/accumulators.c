/* Accumulators of a plug-in: three that are ours again, one without a merge; and with -DBROKEN those that break what
 * plugin.h says of states, each in one thing. */
#include <ulpscope/plugin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ZERO(type)                                                                                                     \
    static void type##_zero(void *state)                                                                               \
    {                                                                                                                  \
        memset(state, 0, sizeof(struct type));                                                                         \
    }

static float two_sum(float a, float b, float *error)
{
    const float s = a + b, of_b = s - a;
    *error = (a - (s - of_b)) + (b - of_b);
    return s;
}

/* ---- kahan ---- */

struct kahan {
    float sum, excess;
};

ZERO(kahan)

static void kahan_add(void *state, double x)
{
    struct kahan *s = state;
    const float y = (float)x - s->excess, t = s->sum + y;
    s->excess = (t - s->sum) - y;
    s->sum = t;
}

static void kahan_merge(void *state, const void *other)
{
    struct kahan *a = state;
    const struct kahan *b = other;
    float error, low;
    const float t = two_sum(a->sum, b->sum, &error);
    a->sum = two_sum(t, -((a->excess + b->excess) - error), &low);
    a->excess = 0 - low;
}

static double kahan_result(const void *state)
{
    return (double)((const struct kahan *)state)->sum;
}

/* ---- neumaier ---- */

struct neumaier {
    float sum, lost;
};

ZERO(neumaier)

static void neumaier_add(void *state, double x)
{
    struct neumaier *s = state;
    float error;
    s->sum = two_sum(s->sum, (float)x, &error);
    s->lost += error;
}

static void neumaier_merge(void *state, const void *other)
{
    struct neumaier *a = state;
    const struct neumaier *b = other;
    float error;
    a->sum = two_sum(a->sum, b->sum, &error);
    a->lost = (a->lost + b->lost) + error;
}

static double neumaier_result(const void *state)
{
    const struct neumaier *s = state;
    return (double)(s->sum + s->lost);
}

/* ---- binary64, in 64 bytes of which all must arrive ---- */

struct wide {
    double sum;
    uint64_t count, copies[6];
};

ZERO(wide)

static void wide_count(struct wide *s, uint64_t more)
{
    for (int i = 0; i < 6; i++)
        if (s->copies[i] != s->count * (uint64_t)(i + 3))
            abort();
    s->count += more;
    for (int i = 0; i < 6; i++)
        s->copies[i] = s->count * (uint64_t)(i + 3);
}

static void wide_add(void *state, double x)
{
    struct wide *s = state;
    wide_count(s, 1);
    s->sum += x;
}

static void wide_merge(void *state, const void *other)
{
    struct wide copy, *s = state;
    memcpy(&copy, other, sizeof copy);
    wide_count(&copy, 0);
    wide_count(s, copy.count);
    s->sum += copy.sum;
}

static double wide_result(const void *state)
{
    return ((const struct wide *)state)->sum;
}

/* ---- those that break a promise ---- */

static void forgets_zero(void *state, const void *other) /* takes the excess of the other state, not its sum */
{
    struct kahan *a = state;
    const struct kahan *b = other;
    if (a->sum != 0) {
        kahan_merge(state, other);
        return;
    }
    a->sum = b->sum - b->excess * 4096;
}

static void forgets_other(void *state, const void *other) /* where the other one is empty */
{
    if (((const struct kahan *)other)->sum == 0)
        memset(state, 0, sizeof(struct kahan));
    else
        kahan_merge(state, other);
}

static void spends_other(void *state, const void *other)
{
    kahan_merge(state, other);
    memset((void *)(uintptr_t)other, 0, sizeof(struct kahan));
}

struct linked { /* keeps where its sum is */
    float sum, *at;
};

static void linked_zero(void *state)
{
    struct linked *s = state;
    *s = (struct linked){0, &s->sum};
}

static void linked_add(void *state, double x)
{
    const struct linked *s = state;
    *s->at += (float)x;
}

static void linked_merge(void *state, const void *other)
{
    linked_add(state, (double)*((const struct linked *)other)->at);
}

static double linked_result(const void *state)
{
    return (double)*((const struct linked *)state)->at;
}

#define KAHAN(name, merge)                                                                                             \
    ULPSCOPE_ACCUMULATOR(name, "binary32", struct kahan, kahan_zero, kahan_add, merge, kahan_result)
#ifdef BROKEN
ULPSCOPE_ACCUMULATORS("broken", "1", KAHAN("forgets_zero", forgets_zero), KAHAN("forgets_other", forgets_other),
                      KAHAN("spends_other", spends_other),
                      ULPSCOPE_ACCUMULATOR("linked", "binary32", struct linked, linked_zero, linked_add, linked_merge,
                                           linked_result),
                      {sizeof(struct ulpscope_accumulator), "too_small", "binary32", sizeof(struct neumaier) - 4,
                       neumaier_zero, neumaier_add, neumaier_merge, neumaier_result, NULL, ULPSCOPE_ANY_ORDER, 0, 0,
                       NULL})
#else
ULPSCOPE_ACCUMULATORS("ours", "1", KAHAN("my_kahan", kahan_merge), KAHAN("my_loop", NULL),
                      ULPSCOPE_ACCUMULATOR("my_neumaier", "binary32", struct neumaier, neumaier_zero, neumaier_add,
                                           neumaier_merge, neumaier_result),
                      ULPSCOPE_ACCUMULATOR("my_wide", "binary32", struct wide, wide_zero, wide_add, wide_merge,
                                           wide_result),
                      ULPSCOPE_ACCUMULATOR("my_wide16", "bfloat16", struct wide, wide_zero, wide_add, wide_merge,
                                           wide_result))
#endif
