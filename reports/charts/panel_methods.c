#include "group_chart.h"

static bool is_first_of_accumulator(const char *const *methods, size_t method)
{
    const size_t length = strcspn(methods[method], "/");
    for (size_t m = 0; m < method; m++)
        if (strcspn(methods[m], "/") == length && memcmp(methods[m], methods[method], length) == 0)
            return false;
    return true;
}

size_t panel_methods(const char *const *methods, size_t count, size_t most, size_t *chosen)
{
    size_t found = 0;
    for (size_t m = 0; m < count && found < most; m++)
        if (count <= most || is_first_of_accumulator(methods, m))
            chosen[found++] = m;
    return found;
}

static size_t accumulators(const char *const *methods, size_t count)
{
    size_t found = 0;
    for (size_t m = 0; m < count; m++)
        found += is_first_of_accumulator(methods, m);
    return found;
}

void panel_methods_say(const char *const *methods, size_t count, size_t drawn, const char *which, FILE *out)
{
    const size_t all = accumulators(methods, count);
    if (drawn == count)
        return;
    fprintf(out, " %zu of %zu methods%s are drawn: the first of each accumulator", drawn, count, which);
    if (drawn < all)
        fprintf(out, ", as far as the first %zu of %zu accumulators", drawn, all);
    fputs(".", out);
}
