/* worst_cases: of each method the sum that went most wrong, and the command that makes it again. */
#include "reports/page/page.h"
#include "reports/spec_labels.h"

/* More methods than a reader goes through: those after them are folded. */
enum { SHOWN = 24 };

static const char *kind_of(double x)
{
    return isnan(x) ? "NaN" : isinf(x) ? "infinite" : "finite";
}

static void headline(struct page *page, const struct series *series)
{
    double exact = NAN;
    if (series->worst_exact && read_double(series->worst_exact, &exact))
        exact = NAN;
    page_element(page, "dt", "%s", series->method);
    page_open(page, "dd");
    if (series->worst_ulp_error == 0)
        page_text(page, "every sum is right; one of them on ");
    else if (isnan(series->worst_ulp_error))
        page_text(page, "returned %s; the exact sum is %s; on ",
                  kind_of(format_value(series->format, series->worst_bits)), kind_of(exact));
    else
        page_text(page, "%s ulp on ", error_text(series->worst_ulp_error));
    page_element(page, "code", "%s", series->data);
    page_text(page, ", trial %" PRIu64, series->worst_trial);
    if (series->worst_index)
        page_text(page, " (result %s)", series->worst_index);
    page_text(page, ", repeat %" PRIu64, series->worst_repeat);
    page_close(page);
}

/* "computed 3.1415927 = 0x1.921fb6p+1" */
static void value(struct page *page, const char *name, const char *decimal, const char *is, const char *hex)
{
    page_open(page, "dd");
    page_text(page, "%s ", name);
    page_element(page, "code", "%s", decimal);
    page_text(page, " %s ", is);
    page_element(page, "code", "%s", hex);
}

static bool arrives(const struct results *results, const char *method)
{
    for (size_t m = 0; m < results->study.method_count; m++)
        if (strcmp(results->study.methods[m].id, method) == 0)
            return results->study.methods[m].determinism == ORDER_OF_ARRIVAL;
    return false;
}

/* The box that scrolls is in the <dd>, which has no other role than that of an item. */
static void command(struct page *page, const struct series *series)
{
    char name[160];
    snprintf(name, sizeof name, "Command for the worst case of %.100s", series->method);
    page_open_as(page, "dd", "command");
    page_open(page, "div");
    page_scrolls(page, "group", name);
    page_element(page, "code", "%s", series->worst_command ? series->worst_command : "");
    page_close(page);
    page_close(page);
}

static void worst_case(struct page *page, const struct results *results, const struct series *series)
{
    const double computed = format_value(series->format, series->worst_bits);
    char decimal[NUMBER_TEXT], exact[WORST_EXACT_TEXT], bits[FORMAT_BITS_TEXT];
    headline(page, series);
    write_in_format(series->format, computed, decimal);
    value(page, "computed", decimal, "=", hex_text(computed));
    format_write_bits(series->format, series->worst_bits, bits);
    page_text(page, " (bits %s)", bits);
    page_close(page);
    worst_exact_decimal(series, decimal);
    value(page, "exact", decimal, "rounded to 17 digits; it is", worst_exact_hex(series, exact) ? exact : "not stored");
    if (worst_exact_is_long(series))
        page_text(page, " (shortened: %zu characters, in full in run.json)", strlen(series->worst_exact));
    page_close(page);
    command(page, series);
    if (arrives(results, series->method))
        page_element(page, "dd", "Its order is that of arrival: the command may give another sum.");
}

/* A list of some of the worst cases. */
static void list(struct page *page, const struct results *results, const struct series *const *worst, size_t count)
{
    page_open_as(page, "dl", "worst");
    for (size_t i = 0; i < count; i++)
        worst_case(page, results, worst[i]);
    page_close(page);
}

static void write(struct page *page, const struct report *report, const struct results *results)
{
    OWNED const struct series **worst = NULL;
    size_t count;
    (void)report;
    worst_of_methods(results, &worst, &count);
    if (count == 0)
        page_element(page, "p", "Nothing was measured.");
    else
        list(page, results, worst, count < SHOWN ? count : SHOWN);
    if (count > SHOWN) {
        page_open(page, "details");
        page_element(page, "summary", "%zu more methods", count - SHOWN);
        list(page, results, worst + SHOWN, count - SHOWN);
        page_close(page);
    }
}

const struct section section_worst_cases = {.id = "worst-cases", .title = "Worst cases", .share = 50, .write = write};
