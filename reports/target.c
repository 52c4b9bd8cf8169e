#include "target.h"

#include "src/base/limit_text.h"

enum status target_read(const char *text, const char *where, struct target *target)
{
    struct limit_text limit;
    const bool is_limit = limit_text_read(text, &limit) == LIMIT_FINE, in_ulps = is_limit && limit.form == FORM_ULP;
    *target = (struct target){text, in_ulps ? METRIC_ulp_error : METRIC_relative_error, limit.number};
    if (is_limit && limit.form == FORM_PERCENT)
        target->limit /= 100;
    if (is_limit && target->limit > 0 &&
        (in_ulps || (target->limit < 1 && (limit.form == FORM_NUMBER || limit.form == FORM_PERCENT))))
        return OK;
    return bad_input("%s \"%s\": is not an error limit; expected a number of ulps, like 2ulp, or a relative error "
                     "below 1, like 1e-6 or 0.1%%; limits that depend on a sum are `ulpscope check`'s",
                     where, text);
}
