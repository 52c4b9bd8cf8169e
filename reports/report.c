#include "report.h"

#include "src/base/limit_text.h"

bool report_colour;

#define FORMAT(id) extern const struct report_format report_##id;
#include "formats.def"

static const struct report_format *const table[] = {
#define FORMAT(id) &report_##id,
#include "formats.def"
};
enum { FORMATS = sizeof table / sizeof *table };

const struct report_format *const *report_formats(size_t *count)
{
    *count = FORMATS;
    return table;
}

const struct report_format *report_find(const char *id)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(table[i]->id, id) == 0)
            return table[i];
    return NULL;
}

static void write_letters(size_t run, char first, char letters[RUN_LETTERS])
{
    char reversed[RUN_LETTERS];
    size_t length = 0;
    for (size_t rest = run + 1; rest > 0 && length < RUN_LETTERS - 1; rest = (rest - 1) / 26)
        reversed[length++] = (char)(first + (char)((rest - 1) % 26));
    for (size_t i = 0; i < length; i++)
        letters[i] = reversed[length - 1 - i];
    letters[length] = '\0';
}

void run_letters(size_t run, char letters[RUN_LETTERS])
{
    write_letters(run, 'A', letters);
}

void run_prefix(size_t run, size_t run_count, char prefix[RUN_PREFIX])
{
    *prefix = '\0';
    if (run_count < 2)
        return;
    write_letters(run, 'a', prefix);
    strcat(prefix, "-");
}

enum status target_read(const char *text, const char *where, struct target *target)
{
    struct limit_text limit;
    const bool is_limit = limit_text_read(text, &limit) == LIMIT_FINE, in_ulps = is_limit && limit.form == FORM_ULP;
    *target = (struct target){text, in_ulps ? METRIC_ulp_error : METRIC_relative_error, limit.number, NULL};
    if (is_limit && limit.form == FORM_PERCENT)
        target->limit /= 100;
    if (is_limit && target->limit > 0 &&
        (in_ulps || (target->limit < 1 && (limit.form == FORM_NUMBER || limit.form == FORM_PERCENT))))
        return OK;
    return bad_input("%s \"%s\": is not an error limit; expected a number of ulps, like 2ulp, or a relative error "
                     "below 1, like 1e-6 or 0.1%%; limits that depend on a sum are `ulpscope check`'s",
                     where, text);
}
