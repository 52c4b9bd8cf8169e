/* A lesson sheet: what a lesson says, in order, before it is written to a terminal, as plain text or as a page.
 *
 *   sheet_question(sheet, "Does (a + b) + c depend on the brackets?");
 *   sheet_predict(sheet, "Of 10,000 random triples, in how many do the two sums differ?");
 *   struct grid *grid = sheet_grid(sheet, "sums", 3, 1);           filled with grid_set and its like
 *   sheet_theorem(sheet, "Higham 2002, (4.3)", "|computed - s| <= (n-1)u ...");
 *   sheet_exercise(sheet, "Find three numbers ...");  sheet_answer(sheet, "2^24, 1, -2^24: ...");
 *
 * Text between backquotes is code, `ulpscope tree plain/serial x.txt`, and between dollars a formula (formula.h), $u
 * sum |x_i|$.
 */
#pragma once

#include "reports/chart/chart.h"
#include "reports/grid.h"
#include "reports/terminal.h"
#include "src/base/base.h"

enum sheet_part_kind {
    SHEET_QUESTION,
    SHEET_PREDICTION, /* what to write down before reading on */
    SHEET_HEADING,
    SHEET_TEXT,
    SHEET_GRID,
    SHEET_LINES,   /* as they are, in one width: bits lined up, a session at the shell */
    SHEET_CHART,   /* a picture on a page; its numbers on a terminal */
    SHEET_PICTURE, /* an SVG and lines for a terminal: a tree */
    SHEET_THEOREM,
    SHEET_EXERCISE,
    SHEET_ANSWER, /* shown where answers are asked for; on a page it is folded */
};

/* What can be asked and checked: a number, or a choice.  Texts are as those of parts. */
enum { CHOICES_MOST = 6 };

struct ask {
    const char *prompt, *hint, *because; /* why the answer is right */
    const char *choices[CHOICES_MOST];   /* of a number none */
    size_t choice_count, right;          /* right: its place among the choices */
    double answer, least, most;          /* which numbers are taken as right; both 0: the answer alone */
    const char *unit;                    /* of the number; NULL: none */
};

struct sheet_part {
    enum sheet_part_kind kind;
    char *text;   /* sentences or lines; of a picture its lines */
    char *source; /* of a theorem; of a grid and of lines their name, of a picture its caption */
    char *svg;    /* of a picture */
    struct grid grid;
    struct chart chart;
    struct ask *asks; /* of a prediction or an exercise */
    size_t ask_count;
};

struct sheet {
    const char *id, *title;
    char options[40]; /* of the command that gives it, behind its id: " --exercises 7" */
    struct sheet_part **parts;
    size_t count;
};

struct sheet sheet_of(const char *id, const char *title);
void sheet_free(struct sheet *sheet);

/* Its parts of a kind. */
int sheet_count(const struct sheet *sheet, enum sheet_part_kind kind);

/* A part that is sentences; `source` is a theorem's, of others NULL. */
void sheet_say(struct sheet *sheet, enum sheet_part_kind kind, const char *source, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define sheet_question(sheet, ...) sheet_say(sheet, SHEET_QUESTION, NULL, __VA_ARGS__)
#define sheet_predict(sheet, ...) sheet_say(sheet, SHEET_PREDICTION, NULL, __VA_ARGS__)
#define sheet_heading(sheet, ...) sheet_say(sheet, SHEET_HEADING, NULL, __VA_ARGS__)
#define sheet_text(sheet, ...) sheet_say(sheet, SHEET_TEXT, NULL, __VA_ARGS__)
#define sheet_theorem(sheet, source, ...) sheet_say(sheet, SHEET_THEOREM, source, __VA_ARGS__)
#define sheet_exercise(sheet, ...) sheet_say(sheet, SHEET_EXERCISE, NULL, __VA_ARGS__)
#define sheet_answer(sheet, ...) sheet_say(sheet, SHEET_ANSWER, NULL, __VA_ARGS__)

/* Asks this, whose texts are copied, where the last prediction or exercise is; the format says why the answer is right.
 *
 *   sheet_ask(sheet, &(struct ask){.prompt = "What is $2^24 + 1$?", .answer = sum, .hint = "Line the digits up."},
 *             "It is a tie, which goes to %.0f.", sum);
 */
void sheet_ask(struct sheet *sheet, const struct ask *ask, const char *because, ...)
    __attribute__((format(printf, 3, 4)));

/* An exercise that asks this and nothing else, and its answer. */
void sheet_ask_exercise(struct sheet *sheet, const struct ask *ask);

/* One line of those that stand in one width.  Lines that follow each other are one block; `name` says what the block
 * holds to those who do not see it, and is that of its first line. */
void sheet_line(struct sheet *sheet, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* To be filled; the height is in pixels. */
struct grid *sheet_grid(struct sheet *sheet, const char *name, size_t columns, size_t labels);
struct grid *sheet_table(struct sheet *sheet, const char *name, size_t labels, const char *heads); /* grid_headed */
struct chart *sheet_chart(struct sheet *sheet, const char *name, double panel_height);

/* Takes both texts, which are malloc'ed; `lines` may be NULL where a terminal shows nothing. */
void sheet_picture(struct sheet *sheet, const char *caption, char *svg, char *lines);

/* Lesson sheets as one HTML page that needs neither network nor JavaScript; answers are folded. */

struct sheet_page_entry {
    const struct sheet *sheet;
    size_t number; /* of the lesson in the course */
};

/* Several have contents, and each a link to the next. */
struct sheet_page_request {
    const struct sheet_page_entry *entries;
    size_t count;
    bool answers; /* they are on the page, each behind a line that opens it */
};

/* To this file, which appears whole or not at all; "-" is stdout. */
enum status sheet_page_write(const struct sheet_page_request *request, const char *path);

/* The same parts one by one, without head, style and what is asked: a piece of the page for each, allocated. */
char **sheet_pieces(const struct sheet *sheet);

/* A line of such text, with code and formulas as the page has them; allocated. */
char *sheet_piece_of(const char *text);

/* For scripts and pages that ask: the pieces and what is asked, "ulpscope-lessons", version 1. */
enum status sheet_json_write(const struct sheet_page_request *request, const char *path);

/* A lesson sheet on a terminal, or as plain text. */

struct sheet_place {
    size_t number; /* of the lesson, from 1 on */
    bool answers;  /* answers are asked for */
};

/* For pipes and files: no colour, 100 columns, whatever the terminal is. */
struct terminal sheet_plain(FILE *file);

void sheet_write_terminal(const struct sheet *sheet, struct sheet_place place, const struct terminal *terminal);
