#include "limit_text.h"

#include "base.h"

#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>

const char *const limit_words[FORMS] = {
    [FORM_ULP] = "ulp",   [FORM_U] = "u",         [FORM_PERCENT] = "%",
    [FORM_ABS] = "abs",   [FORM_NUMBER] = "",     [FORM_EXACT] = "exact",
    [FORM_AUTO] = "auto", [FORM_BOUND] = "bound", [FORM_BASELINE] = "baseline",
};

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " ");
}

/* Of the forms first to last; FORMS: none is. */
static enum limit_form form_of(const char *word, size_t length, enum limit_form first, enum limit_form last)
{
    int form = (int)first;
    while (form <= (int)last && (strlen(limit_words[form]) != length || memcmp(limit_words[form], word, length) != 0))
        form++;
    return form <= (int)last ? (enum limit_form)form : FORMS;
}

/* strtod rounds as the mode says. */
static double number_in(int mode, const char *text, char **end)
{
    const int before = fegetround();
    fesetround(mode);
    const double value = strtod(text, end);
    fesetround(before);
    return value;
}

/* Sets *end behind it; false: there is none, or it is out of range. */
static bool read_number(const char *text, struct limit_text *limit, const char **end)
{
    char *behind;
    if (!strchr("0123456789.", *text) || *text == '\0')
        return false;
    errno = 0;
    limit->number = number_in(FE_TONEAREST, text, &behind);
    const bool vanished = errno == ERANGE && limit->number == 0;
    limit->below = number_in(FE_DOWNWARD, text, &behind);
    *end = behind;
    return behind != text && isfinite(limit->number) && !vanished;
}

static enum limit_fault read_word(const char *text, struct limit_text *limit)
{
    size_t length = 0;
    while (isalpha((unsigned char)text[length]))
        length++;
    limit->form = form_of(text, length, FORM_EXACT, FORM_BASELINE);
    limit->rest = limit->form == FORMS ? text : skip_spaces(text + length);
    if (limit->form == FORMS)
        return LIMIT_UNKNOWN_WORD;
    if (limit->form == FORM_AUTO && *limit->rest == ':') {
        limit->tree = limit->rest + 1;
        return LIMIT_FINE;
    }
    const char *end;
    const bool has_factor = limit->form >= FORM_BOUND && *limit->rest == '*';
    if (*limit->rest == '\0' ||
        (has_factor && read_number(skip_spaces(limit->rest + 1), limit, &end) && *end == '\0' && limit->number > 0))
        return LIMIT_FINE;
    return LIMIT_WRONG_FACTOR;
}

enum limit_fault limit_text_read(const char *text, struct limit_text *limit)
{
    *limit = (struct limit_text){.number = 1, .below = 1, .rest = text};
    if (isalpha((unsigned char)*text))
        return read_word(text, limit);
    if (!read_number(text, limit, &limit->rest))
        return LIMIT_NO_NUMBER;
    limit->rest = skip_spaces(limit->rest);
    limit->form = form_of(limit->rest, strlen(limit->rest), FORM_ULP, FORM_NUMBER);
    return limit->form == FORMS ? LIMIT_UNKNOWN_UNIT : LIMIT_FINE;
}
