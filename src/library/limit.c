#include "limit.h"

#include "src/base/status.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ulpscope_status bad_limit(const char *text)
{
    complain(
        "expected a limit such as \"2ulp\", \"exact\", \"auto\", \"1e-6\" or \"1e-6abs\", found \"%.40s\"; correct it",
        text);
    return ULPSCOPE_BAD_ARGUMENT;
}

/* strtod rounds as the mode says. */
static double rounded_down(const char *text, char **end)
{
    const int before = fegetround();
    fesetround(FE_DOWNWARD);
    const double value = strtod(text, end);
    fesetround(before);
    return value;
}

ulpscope_status limit_read(const char *text, struct library_limit *limit)
{
    static const struct {
        const char *word;
        enum limit_unit unit;
    } units[] = {{"ulp", LIMIT_ULP}, {"", LIMIT_RELATIVE}, {"abs", LIMIT_BACKWARD}};
    *limit = (struct library_limit){.unit = LIMIT_NONE};
    if (!text)
        return ULPSCOPE_OK;
    if (strlen(text) >= sizeof limit->text)
        return bad_limit(text);
    strcpy(limit->text, text);
    if (strcmp(text, "exact") == 0 || strcmp(text, "auto") == 0) {
        limit->unit = *text == 'e' ? LIMIT_EXACT : LIMIT_AUTO;
        return ULPSCOPE_OK;
    }
    char *end;
    if (!strchr("0123456789.", *text) || *text == '\0')
        return bad_limit(text);
    limit->most = rounded_down(text, &end);
    for (size_t u = 0; u < sizeof units / sizeof *units && end != text && isfinite(limit->most); u++)
        if (strcmp(end, units[u].word) == 0) {
            limit->unit = units[u].unit;
            return ULPSCOPE_OK;
        }
    return bad_limit(text);
}

static bool is_number(double x)
{
    return isfinite(x);
}

/* Errors are rounded up, so that they are numbers, or infinite. */
static double error_in(const struct library_limit *limit, const struct ulpscope_error *error)
{
    switch (limit->unit) {
    case LIMIT_RELATIVE:
        return error->relative_error;
    case LIMIT_BACKWARD:
        return error->backward_error;
    case LIMIT_AUTO:
        return error->error;
    default:
        return error->ulp_error;
    }
}

static double most_of(const struct library_limit *limit, const struct ulpscope_error *error)
{
    return limit->unit == LIMIT_AUTO ? error->bound : limit->most;
}

bool limit_holds(const struct library_limit *limit, const struct ulpscope_error *error)
{
    const double off = error_in(limit, error);
    if (limit->unit == LIMIT_NONE)
        return true;
    if (!is_number(error->computed))
        return off == 0;
    if (limit->unit == LIMIT_EXACT)
        return error->computed == error->exact.nearest;
    return off <= most_of(limit, error);
}

double limit_share(const struct library_limit *limit, const struct ulpscope_error *error)
{
    const double off = error_in(limit, error);
    const bool is_measured = limit->unit != LIMIT_NONE && limit->unit != LIMIT_EXACT;
    if (isnan(off))
        return INFINITY;
    return is_measured && off > 0 ? off / most_of(limit, error) : off;
}
