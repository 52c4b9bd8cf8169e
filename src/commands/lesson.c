/* ulpscope lesson: short guided experiments. */
#include "src/teach/lesson.h"
#include "command.h"
#include "reports/report.h"
#include "src/base/suggest.h"
#include "src/files/output.h"

struct arguments {
    struct globals *globals;
    const char *html, *json, *exercises;
    uint64_t seed; /* of --exercises */
    bool answers, all, plain;
};

static const struct argp_option options[] = {
    {"answers", FLAG_KEY(answers), NULL, 0, "Show the answers to the exercises", 0},
    {"exercises", TEXT_KEY(exercises), "SEED", 0,
     "Exercises that this seed draws instead, with answers that are computed: other numbers for each seed", 0},
    {"all", FLAG_KEY(all), NULL, 0, "All lessons: the course", 0},
    {"html", TEXT_KEY(html), "FILE", 0, "Write them as one page with pictures instead; - for stdout", 0},
    {"json", TEXT_KEY(json), "FILE", 0,
     "Write their parts there, as HTML, with what they ask and its answers, as one JSON object; - for stdout", 0},
    {"plain", FLAG_KEY(plain), NULL, 0, "No colour, lines of 100 columns: for pipes and files", 0},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = command_take,
    .args_doc = "[LESSON|NUMBER]...",
    .doc = "Shows with real methods what rounding does to sums: a question, your prediction, a run, a picture (on a "
           "terminal its numbers), the theorem, an exercise.\n\n"
           "Examples:\n"
           "  ulpscope lesson                     the lessons, one line each\n"
           "  ulpscope lesson rounding            the first; ulpscope lesson 1 is the same\n"
           "  ulpscope lesson 2 3 --answers       two of them, with answers\n"
           "  ulpscope lesson 7 --exercises 42    exercises that this seed draws\n"
           "  ulpscope lesson --all --answers --html course.html\v"
           "Every number is computed when the lesson runs, by "
           "the methods, metrics and exact sums of `run`.  A page needs neither network nor JavaScript.  docs/lessons/ "
           "has the course.\n\n"
           "Exit: 0 fine; 2 usage or no such lesson; 3 not measured (out of memory, disk full).",
};

struct choice {
    const struct lesson *lessons[WORDS_MOST];
    size_t count;
};

static void no_lesson(const char *name)
{
    size_t count;
    const struct lesson *table = lesson_table(&count);
    const char *known[WORDS_MOST];
    for (size_t i = 0; i < count; i++)
        known[i] = table[i].id;
    const char *near = suggest(name, known, count);
    if (near)
        complain("unknown lesson \"%s\"; did you mean \"%s\"?", name, near);
    else
        complain("unknown lesson \"%s\"; expected a name or a number from 1 to %zu; see `ulpscope lesson`", name,
                 count);
}

static bool is_chosen(const struct choice *choice, const struct lesson *lesson)
{
    for (size_t i = 0; i < choice->count; i++)
        if (choice->lessons[i] == lesson)
            return true;
    return false;
}

/* In the order of the names; a lesson named twice is shown once. */
static enum status choose(const struct arguments *arguments, struct choice *choice)
{
    size_t count;
    const struct lesson *table = lesson_table(&count);
    if (arguments->all && arguments->globals->bare.count > 0)
        return bad_input("lesson: found --all and \"%s\"; expected one of the two; leave out the name",
                         arguments->globals->bare.word[0]);
    for (size_t i = 0; arguments->all && i < count; i++)
        choice->lessons[choice->count++] = &table[i];
    for (size_t i = 0; i < arguments->globals->bare.count; i++) {
        const struct lesson *lesson = lesson_find(arguments->globals->bare.word[i]);
        if (!lesson) {
            no_lesson(arguments->globals->bare.word[i]);
            return BAD_INPUT;
        }
        if (!is_chosen(choice, lesson))
            choice->lessons[choice->count++] = lesson;
    }
    return OK;
}

static size_t number_of(const struct lesson *lesson)
{
    size_t count;
    return (size_t)(lesson - lesson_table(&count)) + 1;
}

static enum status list(const struct arguments *arguments)
{
    size_t count, width = 0;
    const struct lesson *table = lesson_table(&count);
    const struct {
        const char *flag;
        bool given;
    } flags[] = {{"--html", arguments->html},
                 {"--json", arguments->json},
                 {"--exercises", arguments->exercises},
                 {"--answers", arguments->answers}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].given)
            return bad_input(
                "lesson: %s was found without a lesson; expected a name, a number or --all; see `ulpscope lesson`",
                flags[i].flag);
    for (size_t i = 0; i < count; i++)
        width = strlen(table[i].id) > width ? strlen(table[i].id) : width;
    for (size_t i = 0; i < count; i++)
        printf("%2zu  %-*s  %s\n", i + 1, (int)width, table[i].id, table[i].title);
    printf("\nBegin with `ulpscope lesson %s`; pencil and paper, at most ten minutes each.\n"
           "`ulpscope lesson --all --answers --html course.html` makes a page of all, with pictures.\n",
           table[0].id);
    return OK;
}

/* The caller frees the sheet, also after a failure. */
static enum status tell(const struct arguments *arguments, const struct lesson *lesson, struct sheet *sheet)
{
    if (arguments->exercises)
        return exercises_draw(lesson, arguments->seed, sheet);
    *sheet = sheet_of(lesson->id, lesson->title);
    return lesson->tell(sheet);
}

static void say_next(const struct lesson *lesson)
{
    size_t count;
    const struct lesson *table = lesson_table(&count);
    if (lesson + 1 < table + count)
        printf("Next:    `ulpscope lesson %s`, %s\n", lesson[1].id, lesson[1].title);
}

/* One after the other, so that the first is read while the second is computed. */
static enum status show(const struct choice *choice, const struct arguments *arguments)
{
    const struct terminal terminal = arguments->plain ? sheet_plain(stdout) : terminal_of(stdout, report_colour);
    for (size_t i = 0; i < choice->count; i++) {
        const struct sheet_place place = {number_of(choice->lessons[i]), arguments->answers};
        FREED_BY(sheet_free) struct sheet sheet = {0};
        TRY(tell(arguments, choice->lessons[i], &sheet));
        fputs(i > 0 ? "\n\n" : "", stdout);
        sheet_write_terminal(&sheet, place, &terminal);
    }
    if (choice->count == 1 && !arguments->answers && !arguments->exercises)
        say_next(choice->lessons[0]);
    return OK;
}

static enum status write_files(const struct choice *choice, const struct arguments *arguments)
{
    OWNED struct sheet *sheets = memory_cleared(choice->count, sizeof *sheets);
    OWNED struct sheet_page_entry *entries = memory_cleared(choice->count, sizeof *entries);
    enum status status = OK;
    const struct output_wish wishes[] = {{"--html", arguments->html}, {"--json", arguments->json}};
    TRY_DONE(output_check_all(wishes, sizeof wishes / sizeof *wishes));
    for (size_t i = 0; i < choice->count; i++) {
        TRY_DONE(tell(arguments, choice->lessons[i], &sheets[i]));
        entries[i] = (struct sheet_page_entry){&sheets[i], number_of(choice->lessons[i])};
    }
    const struct sheet_page_request request = {entries, choice->count, arguments->answers};
    TRY_DONE(arguments->html ? sheet_page_write(&request, arguments->html) : OK);
    TRY_DONE(arguments->json ? sheet_json_write(&request, arguments->json) : OK);
done:
    for (size_t i = 0; i < choice->count; i++)
        sheet_free(&sheets[i]);
    return status;
}

enum status command_lesson(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    struct choice choice = {0};
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(command_read_count(arguments.exercises, "--exercises", 0, UINT64_MAX, &arguments.seed));
    TRY(choose(&arguments, &choice));
    if (choice.count == 0)
        return list(&arguments);
    return arguments.html || arguments.json ? write_files(&choice, &arguments) : show(&choice, &arguments);
}
