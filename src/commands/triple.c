/* ulpscope triple: three numbers, and whether the brackets matter. */
#include "src/teach/triple/triple.h"
#include "command.h"
#include "reports/report.h" /* report_colour */
#include "src/base/suggest.h"
#include "src/files/output.h"

#include <ctype.h>
#include <strings.h>

enum { FORMATS_MOST = 8 };

struct arguments {
    struct globals *globals;
    const char *format, *json;
};

static const struct argp_option options[] = {
    {"format", TEXT_KEY(format), "FORMAT", 0,
     "What is added: binary32 (default), binary64, binary16, bfloat16, or tf32, a binary32 of 11 significand bits", 0},
    {"json", TEXT_KEY(json), "FILE", 0, "Write one JSON object (schema ulpscope-triple/1) there; - for stdout", 0},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = command_take,
    .args_doc = "A B C",
    .doc = "Adds three numbers as (a + b) + c, a + (b + c) and (a + c) + b, and shows what each addition lost.\n\n"
           "Examples:\n"
           "  ulpscope triple 0x1p24 1 1                    16777216 or 16777218?\n"
           "  ulpscope triple 0.1 0.2 0.3 --format binary64\n"
           "  ulpscope triple 1 65504 -65504 --format binary16\n"
           "  ulpscope triple 3e38 3e38 -3e38               an overflow in the middle\v"
           "A number is a decimal, a "
           "hex-float, inf or nan.  It is rounded once to the format, and the output says when the format cannot "
           "represent it.  An error is in ulp of the exact sum.  docs/explain.md explains every line.\n\n"
           "Exit: 0 whether they are equal or not; 2 usage.",
};

static bool is_number_word(const char *word)
{
    const char *rest = *word == '-' || *word == '+' ? word + 1 : word;
    return isdigit((unsigned char)rest[0]) || (rest[0] == '.' && isdigit((unsigned char)rest[1])) ||
           strncasecmp(rest, "inf", 3) == 0 || strncasecmp(rest, "nan", 3) == 0;
}

/* argp takes "-1" for an option: the numbers go behind a "--", in their order.  No option takes a number. */
static char **numbers_last(int *argc, char **argv)
{
    static char end[] = "--";
    int count = 0;
    char **sorted = memory_cleared((size_t)*argc + 2, sizeof *sorted);
    for (int i = 0; i < *argc; i++)
        if (!is_number_word(argv[i]) && strcmp(argv[i], end) != 0)
            sorted[count++] = argv[i];
    sorted[count++] = end;
    for (int i = 0; i < *argc; i++)
        if (is_number_word(argv[i]))
            sorted[count++] = argv[i];
    *argc = count;
    return sorted;
}

static enum status read_format(const char *name, const struct format **format)
{
    const char *known[FORMATS_MOST];
    size_t count = 0;
    for (; looked_at_formats[count]; count++) {
        known[count] = looked_at_formats[count]->name;
        if (strcmp(known[count], format_unalias(name)) == 0) {
            *format = looked_at_formats[count];
            return OK;
        }
    }
    const char *near = suggest(name, known, count);
    return bad_input("--format: \"%s\" is unknown; expected binary64, binary32, tf32, binary16 or bfloat16%s%s%s", name,
                     near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "; choose one");
}

static enum status answer(const struct arguments *arguments)
{
    const struct format *format = &FORMAT_BINARY32;
    FREED_BY(triple_free) struct triple triple = {0};
    if (arguments->format)
        TRY(read_format(arguments->format, &format));
    TRY(output_check("--json", arguments->json));
    TRY(triple_make(format, arguments->globals->bare.word, &triple));
    TRY(arguments->json ? triple_write_json(&triple, arguments->json) : OK);
    if (!output_is_stdout(arguments->json))
        triple_print(&triple, report_colour);
    return OK;
}

enum status command_triple(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    OWNED char **sorted = numbers_last(&argc, argv);
    globals->wanted = (struct bare_wanted){TRIPLE, "one number too many; expected three", NULL};
    TRY(command_parse(&parser, argc, sorted, &arguments));
    if (globals->bare.count < TRIPLE)
        command_usage("%zu number%s; expected three, like 0.1 0.2 0.3", globals->bare.count,
                      globals->bare.count == 1 ? "" : "s");
    return answer(&arguments);
}
