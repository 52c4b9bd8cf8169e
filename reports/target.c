#include "target.h"

#include "src/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum status target_read(const char *text, const char *where, struct target *target)
{
    char number[NUMBER_TEXT];
    const size_t length = strlen(text);
    const bool in_ulps = length > 3 && strcmp(text + length - 3, "ulp") == 0;
    const size_t digits = in_ulps ? length - 3 : length;
    target->text = text;
    target->metric = in_ulps ? METRIC_ulp_error : METRIC_relative_error;
    if (digits < sizeof number) {
        snprintf(number, sizeof number, "%.*s", (int)digits, text);
        if (!read_real(number, &target->limit) && isfinite(target->limit) && target->limit > 0 &&
            (in_ulps || target->limit < 1))
            return OK;
    }
    complain("%s \"%s\": is not an error limit; expected a number of ulps, like 2ulp, or a relative error below "
             "1, like 1e-6",
             where, text);
    return BAD_INPUT;
}
