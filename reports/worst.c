#include "spec_labels.h"

#include <math.h>

static const struct series *worst_of(const struct results *results, const char *method)
{
    const struct series *worst = NULL;
    for (size_t i = 0; i < results->series_count; i++) {
        const struct series *series = &results->series[i];
        if (series->count == 0 || strcmp(series->method, method) != 0)
            continue;
        if (!worst || (!isnan(worst->worst_ulp_error) && !(series->worst_ulp_error <= worst->worst_ulp_error)))
            worst = series;
    }
    return worst;
}

void worst_of_methods(const struct results *results, const struct series ***worst, size_t *count)
{
    const size_t methods = results->study.method_count;
    *count = 0;
    *worst = memory_cleared(methods, sizeof **worst);
    for (size_t m = 0; m < methods; m++) {
        const struct series *found = worst_of(results, results->study.methods[m].id);
        if (found)
            (*worst)[(*count)++] = found;
    }
}

void worst_exact_decimal(const struct series *series, char text[NUMBER_TEXT])
{
    double rounded;
    if (!series->worst_exact || read_double(series->worst_exact, &rounded))
        strcpy(text, "-");
    else
        write_double(rounded, text);
}

enum { HEAD = 28, TAIL = 16 };

bool worst_exact_is_long(const struct series *series)
{
    return series->worst_exact && strlen(series->worst_exact) > HEAD + TAIL;
}

bool worst_exact_hex(const struct series *series, char text[WORST_EXACT_TEXT])
{
    if (!series->worst_exact)
        return false;
    const size_t length = strlen(series->worst_exact);
    if (worst_exact_is_long(series))
        snprintf(text, WORST_EXACT_TEXT, "%.*s...%s", HEAD, series->worst_exact, series->worst_exact + length - TAIL);
    else
        snprintf(text, WORST_EXACT_TEXT, "%s", series->worst_exact);
    return true;
}
