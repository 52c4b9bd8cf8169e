#include "read_number.h"

#include "reference/rounding.h"
#include "src/base/number.h"

#include <math.h>

const struct format *const looked_at_formats[] = {&FORMAT_BINARY64, &FORMAT_BINARY32, &FORMAT_TF32,
                                                  &FORMAT_BINARY16, &FORMAT_BFLOAT16, NULL};

/* Bits beyond any format's, so that a number rounded to odd here is rounded to nearest as the text itself is (Boldo &
 * Melquiond, IEEE Trans. Comput. 57 (2008): two bits more are enough). */
enum { ODD_BITS = 128 };

/* Towards 0; where something was cut off, the last bit says so. */
static bool read_to_odd(const char *text, mpfr_t to)
{
    const bool cut = mpfr_strtofr(to, text, NULL, 0, MPFR_RNDZ) != 0;
    mpfr_t next;
    mpfr_init2(next, ODD_BITS - 1);
    if (cut && mpfr_set(next, to, MPFR_RNDZ) == 0) { /* its last bit is 0 */
        if (mpfr_signbit(to))
            mpfr_nextbelow(to);
        else
            mpfr_nextabove(to);
    }
    mpfr_clear(next);
    return cut;
}

/* By name: every file has formats of its own. */
static const char *too_large(const struct format *format)
{
    static const struct {
        const char *format, *wrong;
    } largest[] = {
        {"binary16", "is outside binary16 (largest 0x1.ffcp+15)"},
        {"bfloat16", "is outside bfloat16 (largest 0x1.fep+127)"},
        {"tf32", "is outside tf32 (largest 0x1.ffcp+127)"},
        {"binary32", "is outside binary32 (largest 0x1.fffffep+127)"},
    };
    size_t i = 0;
    while (i + 1 < sizeof largest / sizeof *largest && strcmp(largest[i].format, format->name) != 0)
        i++;
    return largest[i].wrong;
}

const char *read_number(const char *text, const struct format *format, double *value, bool *rounded)
{
    const char *wrong = read_double(text, value);
    *rounded = false;
    if (wrong || !isfinite(*value))
        return wrong;
    mpfr_t odd;
    mpfr_init2(odd, ODD_BITS);
    const bool cut = read_to_odd(text, odd);
    *value = exact_round(odd, format);
    *rounded = cut || mpfr_cmp_d(odd, *value) != 0;
    mpfr_clear(odd);
    return isfinite(*value) ? NULL : too_large(format);
}
