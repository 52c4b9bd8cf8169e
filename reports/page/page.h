/* An HTML page that is well-formed XML too, written by libxml2, which escapes every text.
 *
 *   page_open(&page, "p");  page_attribute(&page, "class", "note");  page_text(&page, "n = %d", n);  page_close(&page);
 */
#pragma once

#include "reports/charts/charts.h"
#include "reports/xml.h"

struct said {
    char **list;
    size_t count;
};

/* A table of more characters in a line does not fit on paper, nor in a window of 1280 pixels: it is broken. */
enum { PAGE_CHARACTERS = 170, PICTURES_NAMED = 8 };

struct page {
    struct xml xml;
    char prefix[32];         /* of all ids: where a page shows several runs, "run-2-" */
    char picture_prefix[16]; /* of the files of the run's pictures, where there are several runs: "b-" */
    struct said names;       /* of what scrolls: each is its own */
    struct said readings;    /* how to read the pictures of this section, which is said once */
    struct said left_out;    /* the first pictures without room since page_say_left_out */
    size_t pictures_left_out, tables_left_out;
    int deeper;         /* levels that headings are moved down: 1 where a run of several has a heading of its own */
    size_t limit;       /* of the page's length */
    size_t for_tables;  /* bytes of it that pictures leave to tables */
    bool pictures_full; /* one was refused since the last page_allow */
};

/* The head with the style sheet; leaves <body><main> open. */
void page_begin(struct page *page, const char *title);

/* The same with more of a style sheet, which holds no '<' and no '&'. */
void page_begin_styled(struct page *page, const char *title, const char *more_style);

/* A browser is slow with pages of more than 5 MB, so the room for tables and pictures is shared out.  page_allow lets
 * the page grow by `length` bytes more than was allowed before: what one part of it leaves, the next may use.  A
 * quarter of `length` is for tables alone.  What does not fit is left out, and page_say_left_out tells.
 */
void page_allow(struct page *page, size_t length);

/* Whether there is room for so many bytes. */
bool page_has_room(struct page *page, size_t length);

/* Whether there is room for a picture of so many bytes of SVG; once there was none, no more is taken. */
bool page_takes_picture(struct page *page, size_t length);

/* The picture, named as its file, is not here: the end of the section says so. */
void page_leave_out(struct page *page, const char *picture);

/* One paragraph of all that had no room since the last one, and where else it is; nothing where all had. */
void page_say_left_out(struct page *page);

/* Whether the text is new among those; it is among them then. */
bool page_says_first(struct said *said, const char *text);

/* Closes what is open and, where `status` is OK, writes the file; returns the first status that is not OK. */
enum status page_end(struct page *page, enum status status, const char *path);

/* What stands in a page of somebody else's: elements and texts without a head, as much room as they take, and what was
 * written since the last piece, allocated. */
void page_begin_pieces(struct page *page);
char *page_take_piece(struct page *page);
void page_end_pieces(struct page *page);

void page_open(struct page *page, const char *element);
void page_close(struct page *page);
void page_close_inline(struct page *page); /* of an element within a line: no line break after it */
void page_attribute(struct page *page, const char *name, const char *value);
void page_identify(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3))); /* the id */
void page_text(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_element(struct page *page, const char *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void page_open_as(struct page *page, const char *element, const char *class);
void page_element_as(struct page *page, const char *element, const char *class, const char *text);

/* <ul>, an item for each of the lines that is not empty, with `end` behind it; nothing where all are.  Frees them. */
void page_list(struct page *page, const char *class, char *lines, const char *end);

/* <h2> for level 2, or what page->deeper makes of it. */
void page_heading(struct page *page, int level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* <details> under a heading, open or not, with an id inside it, so that a link to it opens it; page_unfold closes it.
 */
void page_fold(struct page *page, int level, bool open, const char *title, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void page_unfold(struct page *page);

/* A box to tick that unfolds all, since a page has no JavaScript; not shown where a browser cannot do so by style. */
void page_unfold_box(struct page *page);

/* A link in the text; `format` is its address. */
void page_link(struct page *page, const char *text, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A box that scrolls sideways, also by the keyboard: its role and name, which becomes "name (2)" where there is one of
 * that name.  To be called between page_open and the content. */
void page_scrolls(struct page *page, const char *role, const char *name);

/* In a box of its own that scrolls sideways where the screen is narrow; `name` says what it holds to those who do not
 * see it.  A table of more than PAGE_CHARACTERS in a line is broken into several, each with all the labels. */
void page_named_grid(struct page *page, const struct grid *grid, const char *name);

/* Behind a line that opens it. */
void page_folded_grid(struct page *page, const struct grid *grid, const char *summary, const char *name);

/* <pre>, its lines as they are; `name` as of a table. */
void page_lines(struct page *page, const char *name, const char *text);

/* A picture in a box of this class that scrolls, whether or not there is room. */
void page_boxed_svg(struct page *page, const char *class, const char *name, const char *svg, const char *alternative);

/* A picture inlined as base64, whether or not there is room; and one with another for a narrow screen. */
void page_svg(struct page *page, const char *svg, size_t length, const char *alternative);
void page_svg_of_two(struct page *page, const char *svg, const char *narrow, const char *alternative);

/* A chart in the HTML report: its picture, its caption, and its numbers folded under it. */

/* A picture for which the page has no room is named at the end of its section: it is in the folder that --svg writes.
 */
void figure(struct page *page, const struct chart *chart);

/* The one that answers the question, at the top: its section has it as well, with how to read it and its numbers. */
void figure_first(struct page *page, const struct chart *chart);

/* A section of the HTML report: one file, reports/sections/<id>.c, and one row of sections.def. */

struct section {
    const char *id;    /* the anchor: "verdict" */
    const char *title; /* the heading, which opens it; NULL: it is seen at once, under headings of its own */
    bool open;         /* it is seen at once, and can be folded */

    /* Whether the run has something to say here; NULL: always. */
    bool (*applies)(const struct results *results);

    size_t share; /* kB of tables and pictures that it adds to the room of the page; see page_allow */

    enum chart_kind
        charts; /* where `write` is NULL: it is the pictures of this kind, and applies where there are some */

    /* Writes what stands under the heading; `results` is one of the report's runs. */
    void (*write)(struct page *page, const struct report *report, const struct results *results);
};

/* kB that a comparison of runs has before their sections, whose own shares are 4300 kB in all: with headings and
 * sentences, which are not counted, a page stays below 5 MB. */
enum { COMPARISON_SHARE = 300 };

/* In the order of the page. */
const struct section *const *section_table(size_t *count);

/* The sections of one run that apply, each with its heading. */
void sections_write(struct page *page, const struct report *report, const struct results *results);
