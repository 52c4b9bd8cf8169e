#include "library_limit.h"

#include "src/base/limit_text.h"
#include "src/base/status.h"

#include <math.h>
#include <string.h>

static ulpscope_status bad_limit(const char *text, const char *why)
{
    complain("expected a limit such as \"2ulp\", \"4u\", \"exact\", \"auto\", \"auto:pairwise\", \"bound*0.5\", "
             "\"1e-6\", \"0.1%%\" or "
             "\"1e-6abs\", found \"%.40s\"%s; correct it",
             text, why);
    return ULPSCOPE_BAD_ARGUMENT;
}

/* A number of unit roundoffs, rounded down, also where it is subnormal. */
static double in_roundoffs(double number, int precision)
{
    const double value = ldexp(number, -precision);
    return ldexp(value, precision) > number ? nextafter(value, 0) : value;
}

ulpscope_status limit_read(const char *text, const struct format *result, struct library_limit *limit)
{
    static const enum limit_unit units[FORMS] = {
        [FORM_ULP] = LIMIT_ULP,      [FORM_U] = LIMIT_RELATIVE,      [FORM_PERCENT] = LIMIT_RELATIVE,
        [FORM_ABS] = LIMIT_BACKWARD, [FORM_NUMBER] = LIMIT_RELATIVE, [FORM_EXACT] = LIMIT_EXACT,
        [FORM_AUTO] = LIMIT_AUTO,    [FORM_BOUND] = LIMIT_AUTO};
    struct limit_text read;
    char why[TREE_WHY_SIZE];
    *limit = (struct library_limit){.unit = LIMIT_NONE};
    if (!text)
        return ULPSCOPE_OK;
    if (strlen(text) >= sizeof limit->text || limit_text_read(text, &read) != LIMIT_FINE)
        return bad_limit(text, "");
    if (read.tree && !tree_word_read(read.tree, &limit->tree, why)) {
        complain("limit \"%s\": %s", text, why);
        return ULPSCOPE_BAD_ARGUMENT;
    }
    if (read.form == FORM_BASELINE)
        return bad_limit(text, ", and baselines are files of `ulpscope check`");
    if (read.form == FORM_BOUND && read.number > 1)
        return bad_limit(text, ", and no sum is beyond its bound");
    strcpy(limit->text, text);
    limit->unit = units[read.form];
    limit->most = read.form == FORM_U         ? in_roundoffs(read.below, result->precision)
                  : read.form == FORM_PERCENT ? nextafter(read.below / 100, 0)
                                              : read.below;
    return ULPSCOPE_OK;
}

double limit_off(const struct library_limit *limit, const struct ulpscope_error *error)
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

double limit_most(const struct library_limit *limit, const struct ulpscope_error *error)
{
    return limit->unit == LIMIT_AUTO ? error->bound : limit->most;
}

bool limit_holds(const struct library_limit *limit, const struct ulpscope_error *error)
{
    const double off = limit_off(limit, error);
    if (limit->unit == LIMIT_NONE)
        return true;
    if (!isfinite(error->computed))
        return off == 0;
    if (limit->unit == LIMIT_EXACT)
        return error->computed == error->exact.nearest;
    return off <= limit_most(limit, error);
}

double limit_share(const struct library_limit *limit, const struct ulpscope_error *error)
{
    const double off = limit_off(limit, error);
    const bool is_measured = limit->unit != LIMIT_NONE && limit->unit != LIMIT_EXACT;
    if (isnan(off))
        return INFINITY;
    return is_measured && off > 0 ? off / limit_most(limit, error) : off;
}
