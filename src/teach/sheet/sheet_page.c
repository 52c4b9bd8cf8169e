#include "formula.h"
#include "sheet.h"

#include <ctype.h>

/* What a lesson's page has beside the style of reports (reports/page/page_style.h): boxes, drawings, a course's
 * contents.
 */
/* clang-format off: it would break these lines */
static const char sheet_style[] =
    ".box { border-left: 3px solid var(--line); background: var(--shade); padding: 0.6rem 0.9rem; margin: 1rem 0;\n"
    "  max-width: 50rem; border-radius: 0 4px 4px 0; } .box h3 { margin: 0 0 0.25rem; }\n"
    ".question, .theorem { border-color: var(--link); } .prediction { border-color: var(--bad); }\n"
    ".exercise { border-color: var(--good); } .question p { font-size: 1.1rem; }\n"
    "sup { line-height: 0; font-size: 0.75em; } .power { white-space: nowrap; } math { font-size: 1.1em; }\n"
    "section > details { padding-left: 0.9rem; }\n"
    "pre { max-width: max-content; min-width: min(100%, 46rem); } .next { margin-top: 1.75rem; }\n"
    ".drawing { overflow-x: auto; } .drawing img { width: auto; min-width: 0; max-width: none; }\n"
    "nav ol { columns: 2 18rem; padding-left: 1.75rem; } nav li { break-inside: avoid; }\n"
    "@media (max-width: 40rem) { pre { font-size: 0.6875rem; padding: 0.6rem; } }\n"
    "@media print { .box { break-inside: avoid; } .drawing { overflow: visible; }\n"
    "  .drawing img { max-width: 100%; } .next { display: none; } }\n";
/* clang-format on */

/* kB of tables and pictures that a lesson may have: a course of twenty stays below 7 MB. */
enum { LESSON_SHARE = 320 };

struct writing {
    struct page *page;
    const struct sheet *sheet;
    bool answers;
    bool pieces;             /* what is asked stands elsewhere */
    int exercises, exercise; /* how many there are, and the last one written */
};

/* ---- sentences ---- */

/* Of "^-24", "^p": how long it is; 0: the ^ is no power. */
static size_t power_length(const char *text)
{
    const size_t minus = text[1] == '-', digits = strspn(text + 1 + minus, "0123456789");
    const bool letter = digits == 0 && text[1] >= 'a' && text[1] <= 'z' && !isalnum((unsigned char)text[2]);
    return digits > 0 ? 1 + minus + digits : letter ? 2 : 0;
}

/* One that stays in one line: 2<sup>-24</sup>. */
static void write_power(struct page *page, const char *base, size_t base_length, size_t power)
{
    page_open_as(page, "span", "power");
    page_text(page, "%.*s", (int)base_length, base);
    page_open(page, "sup");
    page_text(page, "%.*s", (int)(power - 1), base + base_length + 1);
    page_close_inline(page);
    page_close_inline(page);
}

/* 2^-24 is raised. */
static void write_powers(struct page *page, const char *text, size_t length)
{
    size_t from = 0;
    for (size_t at = 0; at < length; at++) {
        const size_t power = text[at] == '^' ? power_length(text + at) : 0;
        size_t base = at;
        if (power == 0 || at + power > length)
            continue;
        while (base > from && isalnum((unsigned char)text[base - 1]))
            base--;
        page_text(page, "%.*s", (int)(base - from), text + from);
        write_power(page, text + base, at - base, power);
        from = at + power;
        at = from - 1;
    }
    page_text(page, "%.*s", (int)(length - from), text + from);
}

/* Text between backquotes is code, between dollars a formula. */
static void write_words(struct page *page, const char *text)
{
    for (char within = '\0'; *text;) {
        const size_t length = strcspn(text, within ? (char[]){within, '\0'} : "`$");
        if (within == '`')
            page_element(page, "code", "%.*s", (int)length, text);
        else if (within == '$')
            formula_write(page, text, length);
        else if (length > 0)
            write_powers(page, text, length);
        within = within ? '\0' : text[length];
        text += length + (text[length] != '\0');
    }
}

/* A paragraph for each line. */
static void write_paragraphs(struct page *page, const char *text)
{
    for (const char *line = text; line;) {
        const char *end = strchr(line, '\n');
        OWNED char *paragraph = text_made("%.*s", (int)strcspn(line, "\n"), line);
        if (*paragraph) {
            page_open(page, "p");
            write_words(page, paragraph);
            page_close(page);
        }
        line = end ? end + 1 : NULL;
    }
}

static void write_box(struct page *page, const char *class, const char *head, const char *text)
{
    page_open_as(page, "div", class);
    page_heading(page, 3, "%s", head);
    write_paragraphs(page, text);
    page_close(page);
}

/* ---- parts ---- */

static void write_task(struct writing *writing, const struct sheet_part *part)
{
    if (part->kind == SHEET_QUESTION)
        write_box(writing->page, "box question", "Question", part->text);
    else
        write_box(writing->page, "box prediction", "Your prediction: write it down before you read on", part->text);
}

static void write_heading(struct writing *writing, const struct sheet_part *part)
{
    page_open(writing->page, "h3");
    write_words(writing->page, part->text);
    page_close(writing->page);
}

static void write_text(struct writing *writing, const struct sheet_part *part)
{
    write_paragraphs(writing->page, part->text);
}

static void write_grid(struct writing *writing, const struct sheet_part *part)
{
    page_named_grid(writing->page, &part->grid, part->source ? part->source : "a table");
}

static void write_lines(struct writing *writing, const struct sheet_part *part)
{
    page_lines(writing->page, part->source ? part->source : "lines", part->text);
}

static void write_chart(struct writing *writing, const struct sheet_part *part)
{
    figure(writing->page, &part->chart);
}

/* In its own size, on the ground of the page: it is readable on white and on black. */
static void write_picture(struct writing *writing, const struct sheet_part *part)
{
    struct page *page = writing->page;
    const char *caption = part->source ? part->source : "";
    if (!page_takes_picture(page, strlen(part->svg))) {
        page_leave_out(page, writing->sheet->id);
        return;
    }
    page_open(page, "figure");
    page_boxed_svg(page, "drawing", caption, part->svg, caption);
    page_open(page, "figcaption");
    write_words(page, caption);
    page_close(page);
    page_close(page);
}

static void write_theorem(struct writing *writing, const struct sheet_part *part)
{
    struct page *page = writing->page;
    page_open_as(page, "div", "box theorem");
    page_heading(page, 3, "Theorem");
    write_paragraphs(page, part->text);
    page_open_as(page, "p", "context");
    write_words(page, part->source ? part->source : "");
    page_close(page);
    page_close(page);
}

static void write_exercise(struct writing *writing, const struct sheet_part *part)
{
    char head[32] = "Exercise";
    writing->exercise++;
    if (writing->exercises > 1)
        snprintf(head, sizeof head, "Exercise %d", writing->exercise);
    write_box(writing->page, "box exercise", head, writing->pieces && part->ask_count > 0 ? "" : part->text);
}

static void write_answer(struct writing *writing, const struct sheet_part *part)
{
    struct page *page = writing->page;
    if (!writing->answers)
        return;
    page_open(page, "details");
    if (writing->exercises > 1)
        page_element(page, "summary", "The answer to exercise %d", writing->exercise);
    else
        page_element(page, "summary", "The answer");
    write_paragraphs(page, part->text);
    page_close(page);
}

static void (*const writers[])(struct writing *writing, const struct sheet_part *part) = {
    [SHEET_QUESTION] = write_task,     [SHEET_PREDICTION] = write_task, [SHEET_HEADING] = write_heading,
    [SHEET_TEXT] = write_text,         [SHEET_GRID] = write_grid,       [SHEET_LINES] = write_lines,
    [SHEET_CHART] = write_chart,       [SHEET_PICTURE] = write_picture, [SHEET_THEOREM] = write_theorem,
    [SHEET_EXERCISE] = write_exercise, [SHEET_ANSWER] = write_answer,
};

/* ---- a lesson ---- */

static void write_parts(struct page *page, const struct sheet *sheet, bool answers)
{
    struct writing writing = {page, sheet, answers, false, sheet_count(sheet, SHEET_EXERCISE), 0};
    for (size_t i = 0; i < sheet->count; i++)
        writers[sheet->parts[i]->kind](&writing, sheet->parts[i]);
    page_say_left_out(page);
}

/* The same lesson in a terminal, to try it. */
static void write_command(struct page *page, const struct sheet *sheet)
{
    page_open_as(page, "p", "context");
    page_text(page, "All numbers are computed by ");
    page_element(page, "code", "ulpscope lesson %s%s", sheet->id, sheet->options);
    page_text(page, " when it runs.");
    page_close(page);
}

static void write_next(struct page *page, const struct sheet_page_entry *next)
{
    page_open_as(page, "p", "next");
    if (next) {
        page_text(page, "Next lesson: ");
        page_link(page, next->sheet->title, "#%s", next->sheet->id);
    } else
        page_link(page, "Back to the contents", "#contents");
    page_close(page);
}

static void write_lesson(struct page *page, const struct sheet_page_request *request, size_t at)
{
    const struct sheet_page_entry *entry = &request->entries[at];
    page_allow(page, LESSON_SHARE * 1000);
    page_open(page, "section");
    page_identify(page, "%s", entry->sheet->id);
    if (request->count > 1)
        page_heading(page, 2, "%zu. %s", entry->number, entry->sheet->title);
    write_command(page, entry->sheet);
    write_parts(page, entry->sheet, request->answers);
    if (request->count > 1)
        write_next(page, at + 1 < request->count ? entry + 1 : NULL);
    page_close(page);
}

/* ---- pieces ---- */

char **sheet_pieces(const struct sheet *sheet)
{
    struct page page;
    struct writing writing = {&page, sheet, true, true, sheet_count(sheet, SHEET_EXERCISE), 0};
    char **pieces = memory_cleared(sheet->count + 1, sizeof *pieces);
    page_begin_pieces(&page);
    for (size_t i = 0; i < sheet->count; i++) {
        writers[sheet->parts[i]->kind](&writing, sheet->parts[i]);
        pieces[i] = page_take_piece(&page);
    }
    page_end_pieces(&page);
    return pieces;
}

char *sheet_piece_of(const char *text)
{
    struct page page;
    page_begin_pieces(&page);
    write_words(&page, text);
    char *piece = page_take_piece(&page);
    page_end_pieces(&page);
    return piece;
}

/* ---- the page ---- */

static void write_contents(struct page *page, const struct sheet_page_request *request)
{
    page_open(page, "nav");
    page_identify(page, "contents");
    page_attribute(page, "aria-label", "Contents");
    page_open(page, "ol");
    for (size_t i = 0; i < request->count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", request->entries[i].number);
        page_open(page, "li");
        page_attribute(page, "value", number);
        page_link(page, request->entries[i].sheet->title, "#%s", request->entries[i].sheet->id);
        page_close(page);
    }
    page_close(page);
    page_close(page);
}

static void write_opening(struct page *page, const struct sheet_page_request *request)
{
    page_element(page, "p",
                 "The same numbers, another order, another sum: short experiments with real methods. Each asks a "
                 "question; write down your prediction before you read on. No lesson takes more than ten minutes.");
    write_contents(page, request);
}

static void write_page(struct page *page, const struct sheet_page_request *request)
{
    if (request->count > 1)
        write_opening(page, request);
    for (size_t i = 0; i < request->count; i++)
        write_lesson(page, request, i);
}

enum status sheet_page_write(const struct sheet_page_request *request, const char *path)
{
    const char *title = request->count == 1 ? request->entries[0].sheet->title : "Floating-point sums: a course";
    struct page page;
    page_begin_styled(&page, title, sheet_style);
    page_element(&page, "h1", "%s", title);
    write_page(&page, request);
    return page_end(&page, OK, path);
}
