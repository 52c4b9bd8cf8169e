#include "shuffle.h"

#include "src/base/fp.h"

#include <math.h>

static bool are_alike(const struct shuffled_method *one, const struct shuffled_method *other)
{
    if (one->distinct != other->distinct)
        return false;
    for (size_t i = 0; i < one->distinct; i++)
        if (double_bits(one->sums[i].computed) != double_bits(other->sums[i].computed) ||
            one->sums[i].count != other->sums[i].count)
            return false;
    return true;
}

static bool may_follow(const struct shuffled *shuffled, const size_t *chosen, size_t count, size_t method)
{
    const struct shuffled_method *of = &shuffled->methods[method];
    for (size_t i = 0; i < count; i++)
        if (chosen[i] == method || are_alike(&shuffled->methods[chosen[i]], of))
            return false;
    return !isnan(of->deviation);
}

size_t widest_methods(const struct shuffled *shuffled, size_t most, size_t *chosen)
{
    const size_t none = shuffled->request->method_count;
    size_t count = 0;
    for (size_t next = 0; count < most && next != none;) {
        next = none;
        for (size_t m = 0; m < none; m++)
            if (may_follow(shuffled, chosen, count, m) &&
                (next == none || shuffled->methods[m].deviation > shuffled->methods[next].deviation))
                next = m;
        if (next != none)
            chosen[count++] = next;
    }
    return count;
}
