/* worst_cases: of each method the sum that went most wrong, and the command that makes it again. */
#include "../../src/fp.h"
#include "../../src/number.h"
#include "../section.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The series with the worst row of a method; NaN is worse than every number. */
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

static void worst_case(struct page *page, const struct series *series)
{
    const double computed = (double)float_from_bits(series->worst_bits);
    char error[NUMBER_TEXT], decimal[NUMBER_TEXT];
    write_rounded(series->worst_ulp_error, error);
    write_float((float)computed, decimal);
    page_element(page, "dt", "%s", series->method);
    page_open(page, "dd");
    if (series->worst_ulp_error == 0)
        page_text(page, "every sum is exact; for one, ");
    else if (isnan(series->worst_ulp_error))
        page_text(page, "no error is defined on ");
    else
        page_text(page, "%s ulp on ", error);
    page_element(page, "code", "%s", series->data);
    page_text(page, ", trial %" PRIu64 ", repeat %" PRIu64, series->worst_trial, series->worst_repeat);
    page_close(page);
    page_open(page, "dd");
    page_text(page, "computed ");
    page_element(page, "code", "%a", computed);
    page_text(page, " = %s (bits 0x%08" PRIx32 "), exact ", decimal, series->worst_bits);
    page_element(page, "code", "%s", series->worst_exact ? series->worst_exact : "not stored");
    page_close(page);
    page_open(page, "dd");
    page_attribute(page, "class", "command");
    page_element(page, "code", "%s", series->worst_command ? series->worst_command : "");
    page_close(page);
}

static enum status write(struct page *page, const struct report *report, const struct results *results)
{
    (void)report;
    page_open(page, "dl");
    page_attribute(page, "class", "worst");
    for (size_t m = 0; m < results->study.method_count; m++) {
        const struct series *worst = worst_of(results, results->study.methods[m].id);
        if (worst)
            worst_case(page, worst);
    }
    page_close(page);
    return OK;
}

const struct section section_worst_cases = {.id = "worst-cases", .title = "Worst cases", .write = write};
