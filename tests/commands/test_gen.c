/* ulpscope gen from outside: what a written file says of itself, a C array as a compiler reads it; and the cards of
 * `list generators`. */
#include "tests/support/program.h"

#include "src/base/fp.h"

#include <math.h>

enum { LINE_MOST = 1024, COLUMNS_MOST = 100 };

static char *output_with(const char *format, const char *word)
{
    char line[LINE_MOST];
    snprintf(line, sizeof line, format, word);
    return output_of(line);
}

/* What follows "label " in the first line that starts with it, blanks skipped; "" when there is none. */
static void field_after(const char *text, const char *label, char field[LINE_MOST])
{
    *field = '\0';
    for (const char *line = text; *line != '\0';) {
        if (strncmp(line, label, strlen(label)) == 0) {
            line += strlen(label);
            line += strspn(line, " ");
            snprintf(field, LINE_MOST, "%.*s", (int)strcspn(line, "\n"), line);
            return;
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

/* ---- what a file says of itself ---- */

/* Whether both files hold as many floats, with the same bits, but that a NaN is a NaN. */
static bool same_floats(const char *left, const char *right)
{
    FILE *a = fopen(in_folder(left).text, "r"), *b = fopen(in_folder(right).text, "r");
    assert_true(a && b);
    bool same = true;
    for (float x, y; same;) {
        const size_t got = fread(&x, sizeof x, 1, a);
        same = fread(&y, sizeof y, 1, b) == got && (got == 0 || float_same(x, y));
        if (got == 0)
            break;
    }
    fclose(a);
    fclose(b);
    return same;
}

static const char *const texts[] = {"x.f32", "x.hex", "x.txt"}; /* a .csv has no place for it */
enum { TEXTS = sizeof texts / sizeof *texts };

/* Copies the command in the first line of `text` from "ulpscope gen" on, to the end of the line. */
static void command_in(const char *text, char command[LINE_MOST])
{
    const char *start = strstr(text, "ulpscope gen ");
    assert_true(start && start < text + strcspn(text, "\n"));
    snprintf(command, LINE_MOST, "%.*s", (int)strcspn(start, "\n"), start);
}

static void assert_written_command_makes_the_same(const char *what)
{
    for (size_t i = 0; i < TEXTS; i++) {
        char line[2 * LINE_MOST], command[LINE_MOST];
        snprintf(line, sizeof line, "\"$ULPSCOPE\" gen %s -o %s && \"$ULPSCOPE\" gen %s -o numbers.raw", what, texts[i],
                 what);
        run_fine(line);
        char *text = take_file(texts[i]);
        command_in(text, command);
        snprintf(line, sizeof line, "ulpscope() { \"$ULPSCOPE\" \"$@\"; }; %s -o again.raw", command);
        run_fine(line);
        assert_true(same_floats("numbers.raw", "again.raw"));
        free(text);
    }
}

static void every_text_says_the_command_that_makes_it_again(void **state)
{
    (void)state;
    put_text("it's a (y).csv", "a,b\n1,2\n3,\n4,inf\n");
    assert_written_command_makes_the_same("uniform:n=50,low=-1,order=shuffled:3 --seed 9 --trial 4");
    assert_written_command_makes_the_same("gensum:n=20,cond=1e5");
    assert_written_command_makes_the_same("\"it's a (y).csv:column=b\" --nonfinite ieee");
    assert_written_command_makes_the_same("\"it's a (y).csv:column=2,order=reversed\" --nonfinite skip");
}

static void every_text_says_source_and_exact_sum(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        char *text = (free(output_with("\"$ULPSCOPE\" gen swamp:n=3 -o %s", texts[i])), take_file(texts[i]));
        assert_non_null(strstr(text, " source \"swamping\" of FPRev"));
        assert_non_null(strstr(text, " exact 0x1.000002p+24"));
        free(text);
    }
}

/* Others read the header as the name of the column, this program too. */
static void csv_has_one_column_x(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" gen gensum:n=9,cond=100 -o x.csv && \"$ULPSCOPE\" gen gensum:n=9,cond=100 -o x.raw &&"
             "\"$ULPSCOPE\" gen x.csv:column=x -o y.raw && cmp x.raw y.raw && head -1 x.csv | grep -qx x");
}

/* ---- every family ---- */

/* Calls check for each family of `list generators` that is built and of vectors; how many there are. */
static size_t for_each_family(void (*check)(const char *id))
{
    char *list = output_of("\"$ULPSCOPE\" list generators"), *rest = list;
    size_t families = 0;
    for (char *line; (line = strsep(&rest, "\n")) && *line != '\0';) {
        if (strstr(line, " not built yet: ") || strstr(line, " matrices: "))
            continue;
        line[strcspn(line, " ")] = '\0';
        check(line);
        families++;
    }
    free(list);
    return families;
}

/* 100 columns, but for a single word behind the label. */
static bool line_fits(const char *line, size_t length)
{
    enum { TEXT_FROM = 13 };
    return length <= COLUMNS_MOST || !memchr(line + TEXT_FROM, ' ', length - TEXT_FROM);
}

static bool lines_fit(const char *text)
{
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (!line_fits(line, length))
            return false;
        line += length + (line[length] == '\n');
    }
    return true;
}

static void check_of_lines_sees_a_long_one(void **state) /* the twin */
{
    (void)state;
    char text[] = "  label      " /* 13 */ "123456789 123456789 123456789 123456789 123456789 123456789 123456789 "
                  "123456789 1234567\n  next\n";
    assert_true(lines_fit(text));
    text[strcspn(text, "\n")] = '8';
    assert_false(lines_fit(text));
    for (char *c = text + 13; *c != '\n'; c++)
        *c = '0';
    assert_true(lines_fit(text));
}

static void card_fits(const char *id)
{
    static const char *const rows[] = {"  x_i ",  "  source ", "  exact ", "  trials ",
                                       "  made ", "  shown ",  "  n ",     "  order "};
    char *card = output_with("\"$ULPSCOPE\" list generators %s", id), field[LINE_MOST];
    if (!lines_fit(card))
        fail_msg("%s: a line of more than %d columns: %s", id, COLUMNS_MOST, card);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        field_after(card, rows[i], field);
        if (*field == '\0')
            fail_msg("%s: nothing behind \"%s\"", id, rows[i]);
    }
    if (!strstr(card, "  hurts ") && !strstr(card, "  spares "))
        fail_msg("%s: no claim: %s", id, card);
    if (strstr(card, "e+"))
        fail_msg("%s: a number as a computer writes it: %s", id, card);
    free(card);
}

static void every_card_fits_and_is_whole(void **state)
{
    (void)state;
    assert_true(for_each_family(card_fits) >= 10);
}

static void powers_of_two_are_written_as_such_in_cards(void **state)
{
    (void)state;
    char *swamp = output_of("\"$ULPSCOPE\" list generators swamp"),
         *mirror = output_of("\"$ULPSCOPE\" list generators mirror");
    assert_non_null(strstr(swamp, "(default 2^24, 1 to 2^127)"));
    assert_non_null(strstr(mirror, "(default reversed; reversed, repeated)"));
    free(swamp);
    free(mirror);
}

/* Writes, and gets the signal when something is in the temporary file. */
#define WRITING(signal)                                                                                                \
    "\"$ULPSCOPE\" gen uniform:n=2e7 -o long.f32 & until test -s .ulpscope-??????; do sleep 0.01; done; "              \
    "kill -" signal " $!; wait $! 2>names; code=$?; "

static void an_interruption_leaves_nothing_half_written(void **state)
{
    (void)state;
    run_fine(WRITING("TERM") "test $code = 143 && ! ls long.f32* .ulpscope-?????? 2>names");
    run_fine(WRITING("KILL") "test $code = 137 && ls .ulpscope-?????? >names");              /* the twin: nobody can */
    run_fine("\"$ULPSCOPE\" gen uniform:n=8 -o short.f32 && ! ls .ulpscope-?????? 2>names"); /* but the next one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(every_text_says_the_command_that_makes_it_again),
        FACT(every_text_says_source_and_exact_sum),
        FACT(csv_has_one_column_x),
        FACT(check_of_lines_sees_a_long_one),
        FACT(every_card_fits_and_is_whole),
        FACT(powers_of_two_are_written_as_such_in_cards),
        FACT(an_interruption_leaves_nothing_half_written),
    };
    forget_variables();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
