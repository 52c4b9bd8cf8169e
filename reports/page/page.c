#include "page.h"

#include "../../src/number.h"
#include "../clean_text.h"
#include "page_style.h"

#include <nettle/base64.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void check(struct page *page, int written)
{
    page->failed = page->failed || written < 0;
}

static size_t page_length(struct page *page)
{
    if (page->failed)
        return 0;
    check(page, xmlTextWriterFlush(page->writer));
    return (size_t)xmlBufferLength(page->buffer);
}

static void void_element(struct page *page, const char *element, const char *name, const char *value,
                         const char *other_name, const char *other_value)
{
    page_open(page, element);
    page_attribute(page, name, value);
    if (other_name)
        page_attribute(page, other_name, other_value);
    check(page, xmlTextWriterEndElement(page->writer)); /* <meta ... />: elements without content only */
}

void page_begin(struct page *page, const char *title)
{
    *page = (struct page){.buffer = xmlBufferCreate()};
    page->writer = page->buffer ? xmlNewTextWriterMemory(page->buffer, 0) : NULL;
    page->failed = !page->writer;
    if (page->failed)
        return;
    check(page, xmlTextWriterWriteDTD(page->writer, BAD_CAST "html", NULL, NULL, NULL));
    check(page, xmlTextWriterWriteRaw(page->writer, BAD_CAST "\n"));
    page_open(page, "html");
    page_attribute(page, "xmlns", "http://www.w3.org/1999/xhtml");
    page_attribute(page, "lang", "en");
    page_open(page, "head");
    void_element(page, "meta", "charset", "utf-8", NULL, NULL);
    void_element(page, "meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    void_element(page, "meta", "name", "color-scheme", "content", "light dark");
    page_element(page, "title", "%s", title);
    page_open(page, "style");
    for (size_t i = 0; i < sizeof page_style / sizeof *page_style; i++) /* ours; holds no '<' and no '&' */
        check(page, xmlTextWriterWriteRaw(page->writer, BAD_CAST page_style[i]));
    page_close(page);
    page_close(page);
    page_open(page, "body");
    page_open(page, "main");
    page->limit = page_length(page);
}

static void forget(struct said *said)
{
    for (size_t i = 0; i < said->count; i++)
        free(said->list[i]);
    free(said->list);
    *said = (struct said){0};
}

enum status page_end(struct page *page, FILE *file)
{
    if (page->writer) {
        for (int i = 0; i < 3; i++) /* main, body, html */
            page_close(page);
        check(page, xmlTextWriterFlush(page->writer));
        xmlFreeTextWriter(page->writer);
    }
    if (!page->failed)
        fwrite(xmlBufferContent(page->buffer), 1, (size_t)xmlBufferLength(page->buffer), file);
    xmlBufferFree(page->buffer);
    forget(&page->names);
    forget(&page->readings);
    forget(&page->left_out);
    return page->failed ? out_of_memory("the HTML report") : OK;
}

void page_open(struct page *page, const char *element)
{
    if (!page->failed)
        check(page, xmlTextWriterStartElement(page->writer, BAD_CAST element));
}

/* Inline elements close without a line break: a break is a blank in the text. */
static bool is_inline(const char *element)
{
    static const char *const names[] = {"code", "strong", "em", "span", "a", "small"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(element, names[i]) == 0)
            return true;
    return false;
}

/* In full, <td></td>: HTML would take <td/> for an opening tag. */
void page_close(struct page *page)
{
    if (page->failed)
        return;
    check(page, xmlTextWriterFullEndElement(page->writer));
    check(page, xmlTextWriterWriteRaw(page->writer, BAD_CAST "\n"));
}

static void close_inline(struct page *page)
{
    if (!page->failed)
        check(page, xmlTextWriterFullEndElement(page->writer));
}

void page_attribute(struct page *page, const char *name, const char *value)
{
    if (page->failed)
        return;
    char *clean = clean_text(value);
    page->failed = !clean;
    if (clean)
        check(page, xmlTextWriterWriteAttribute(page->writer, BAD_CAST name, BAD_CAST clean));
    free(clean);
}

static void write_text(struct page *page, const char *format, va_list arguments)
{
    char *text;
    if (page->failed)
        return;
    if (vasprintf(&text, format, arguments) < 0) {
        page->failed = true;
        return;
    }
    char *clean = clean_text(text);
    page->failed = !clean;
    if (clean)
        check(page, xmlTextWriterWriteString(page->writer, BAD_CAST clean));
    free(clean);
    free(text);
}

void page_identify(struct page *page, const char *format, ...)
{
    char text[96];
    va_list arguments;
    const int prefix = snprintf(text, sizeof text, "%s", page->prefix);
    va_start(arguments, format);
    vsnprintf(text + prefix, sizeof text - (size_t)prefix, format, arguments);
    va_end(arguments);
    page_attribute(page, "id", text);
}

void page_text(struct page *page, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_text(page, format, arguments);
    va_end(arguments);
}

void page_heading(struct page *page, int level, const char *format, ...)
{
    const char element[] = {'h', (char)('0' + level + page->deeper), '\0'};
    va_list arguments;
    page_open(page, element);
    va_start(arguments, format);
    write_text(page, format, arguments);
    va_end(arguments);
    page_close(page);
}

void page_link(struct page *page, const char *text, const char *format, ...)
{
    char address[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(address, sizeof address, format, arguments);
    va_end(arguments);
    page_open(page, "a");
    page_attribute(page, "href", address);
    page_text(page, "%s", text);
    close_inline(page);
}

void page_element(struct page *page, const char *element, const char *format, ...)
{
    va_list arguments;
    page_open(page, element);
    va_start(arguments, format);
    write_text(page, format, arguments);
    va_end(arguments);
    if (is_inline(element))
        close_inline(page);
    else
        page_close(page);
}

/* As in the style sheet. */
static const char *const tone_classes[TONES] = {
    [TONE_PLAIN] = "",      [TONE_GOOD] = "good ",   [TONE_BAD] = "bad ",     [TONE_EXACT] = "v1 ",
    [TONE_ROUNDED] = "v2 ", [TONE_ONE_ULP] = "v3 ",  [TONE_FOUR_ULP] = "v4 ", [TONE_TARGET] = "v5 ",
    [TONE_DIGITS] = "v6 ",  [TONE_NO_DIGIT] = "v7 ",
};

/* ---- what there is room for ---- */

bool page_says_first(struct page *page, struct said *said, const char *text)
{
    for (size_t i = 0; i < said->count; i++)
        if (strcmp(said->list[i], text) == 0)
            return false;
    char **list = reallocarray(said->list, said->count + 1, sizeof *list), *copy = list ? strdup(text) : NULL;
    said->list = list ? list : said->list;
    if (copy)
        said->list[said->count++] = copy;
    page->failed |= !copy;
    return true;
}

void page_allow(struct page *page, size_t length)
{
    forget(&page->readings);
    page->limit += length;
    page->for_tables = length / 4;
    page->pictures_full = false;
}

static bool has_room(struct page *page, size_t length)
{
    return page_length(page) + length <= page->limit;
}

bool page_takes_picture(struct page *page, size_t length)
{
    const bool takes = has_room(page, BASE64_ENCODE_RAW_LENGTH(length) + page->for_tables);
    page->pictures_full |= !takes;
    return takes;
}

void page_leave_out(struct page *page, const char *picture)
{
    page->pictures_left_out++;
    if (page->left_out.count < PICTURES_NAMED)
        page_says_first(page, &page->left_out, picture);
}

/* "1 table", "2 tables" */
static void counted(struct page *page, size_t count, const char *what)
{
    page_text(page, "%zu %s%s%s", count, page->pictures_left_out > 0 ? "more " : "", what, count == 1 ? "" : "s");
}

static void name_pictures(struct page *page)
{
    for (size_t i = 0; i < page->left_out.count; i++) {
        page_text(page, i ? ", " : ": ");
        page_element(page, "code", "%s", page->left_out.list[i]);
    }
    page_text(page, page->pictures_left_out > page->left_out.count ? ", ..." : ".");
}

void page_say_left_out(struct page *page)
{
    const size_t pictures = page->pictures_left_out, tables = page->tables_left_out;
    if (pictures + tables == 0)
        return;
    page_open(page, "p");
    page_attribute(page, "class", "missing");
    if (pictures > 0)
        counted(page, pictures, "picture");
    if (pictures > 0 && tables > 0)
        page_text(page, " and ");
    if (tables > 0)
        counted(page, tables, "table");
    page_text(page, " ha%s no room on this page", pictures + tables == 1 ? "s" : "ve");
    if (tables > 0)
        page_text(page, "; summary.csv, which -o DIR writes, has the numbers");
    if (pictures > 0) {
        page_text(page, "; the folder that --svg writes has the pictures");
        name_pictures(page);
    } else
        page_text(page, ".");
    page_close(page);
    forget(&page->left_out);
    page->pictures_left_out = page->tables_left_out = 0;
}

/* With tags: "<td class="v3 "></td>" and a line break. */
static size_t grid_length(const struct grid *grid)
{
    size_t length = 0;
    for (size_t r = 0; r < grid->rows; r++)
        for (size_t c = 0; c < grid->columns; c++) {
            const struct cell *cell = grid_cell(grid, r, c);
            length += strlen(grid_text(grid, r, c)) + 10 + (cell->tone != TONE_PLAIN ? 11 : 0);
            length += cell->word ? strlen(cell->word) + 15 : 0;
        }
    return length;
}

static bool takes_grid(struct page *page, const struct grid *grid)
{
    page->failed |= grid->failed;
    const bool takes = !grid->failed && has_room(page, grid_length(grid));
    page->tables_left_out += !takes;
    return takes;
}

/* ---- tables ---- */

/* A rounded number with the whole one, for programs and the clipboard of those who need it. */
static void data_element(struct page *page, double value, const char *text)
{
    char number[NUMBER_TEXT];
    write_double(value, number);
    page_open(page, "data");
    page_attribute(page, "value", number);
    page_text(page, "%s", text);
    close_inline(page);
}

static void grid_cell_element(struct page *page, const struct grid *grid, size_t row, size_t column)
{
    const bool footer = row >= grid->footer;
    const bool head = row == 0, label = column < grid->labels;
    const bool names = (head || label) && *grid_text(grid, row, column); /* an empty head would name nothing */
    char text[32];
    page_open(page, names ? "th" : "td");
    if (names)
        page_attribute(page, "scope", head ? "col" : "row");
    if (footer && label && grid->labels > 1) {
        snprintf(text, sizeof text, "%zu", grid->labels);
        page_attribute(page, "colspan", text);
    }
    const bool left = grid_cell(grid, 0, column)->left || (footer && label);
    snprintf(text, sizeof text, "%s%s", tone_classes[grid_cell(grid, row, column)->tone], left ? "left" : "");
    if (*text)
        page_attribute(page, "class", text);
    if (grid_cell(grid, row, column)->rounded)
        data_element(page, grid_cell(grid, row, column)->value, grid_text(grid, row, column));
    else
        page_text(page, "%s", grid_text(grid, row, column));
    if (*grid_word_of(grid, row, column))
        page_element(page, "small", "%s", grid_word_of(grid, row, column));
    page_close(page);
}

/* The data columns of one table. */
struct columns {
    size_t from, to;
};

static void grid_row_element(struct page *page, const struct grid *grid, struct columns columns, size_t row)
{
    const bool footer = row >= grid->footer;
    page_open(page, "tr");
    for (size_t c = 0; c < columns.to; c++)
        if ((c < grid->labels && (!footer || c == 0)) || c >= columns.from)
            grid_cell_element(page, grid, row, c);
    page_close(page);
}

static void grid_part(struct page *page, const struct grid *grid, struct columns columns, const char *element,
                      size_t from, size_t to)
{
    if (from == to)
        return;
    page_open(page, element);
    for (size_t r = from; r < to; r++)
        grid_row_element(page, grid, columns, r);
    page_close(page);
}

/* On a telephone the first column stays in sight while the others scroll: a long one would cover them all. */
static bool has_long_labels(const struct grid *grid)
{
    enum { LONG = 20 };
    for (size_t r = 0; r < grid->rows; r++)
        if (text_width(grid_text(grid, r, 0)) > LONG)
            return true;
    return false;
}

void page_scrolls(struct page *page, const char *role, const char *name)
{
    char *numbered = strdup(name);
    for (int i = 2; numbered && !page_says_first(page, &page->names, numbered); i++) {
        free(numbered);
        if (asprintf(&numbered, "%s (%d)", name, i) < 0)
            numbered = NULL;
    }
    page->failed |= !numbered;
    page_attribute(page, "role", role);
    page_attribute(page, "aria-label", numbered ? numbered : name);
    page_attribute(page, "tabindex", "0");
    free(numbered);
}

static void table_of_columns(struct page *page, const struct grid *grid, struct columns columns, const char *name)
{
    page_open(page, "div");
    page_attribute(page, "class", "wide");
    page_scrolls(page, "region", name);
    page_open(page, "table");
    page_attribute(page, "aria-label", name);
    if (has_long_labels(grid))
        page_attribute(page, "class", "long");
    grid_part(page, grid, columns, "thead", 0, 1);
    grid_part(page, grid, columns, "tbody", 1, grid->footer);
    grid_part(page, grid, columns, "tfoot", grid->footer, grid->rows);
    page_close(page);
    page_close(page);
}

/* Of the text or the word under it, in characters, and what parts the columns. */
static size_t column_width(const struct grid *grid, size_t column)
{
    enum { APART = 4 };
    size_t width = 0;
    for (size_t r = 0; r < grid->rows; r++) {
        const size_t text = text_width(grid_text(grid, r, column)), word = text_width(grid_word_of(grid, r, column));
        const bool spans = r >= grid->footer && column < grid->labels; /* a footer's label has all label columns */
        if (!spans && text > width)
            width = text;
        if (!spans && word > width)
            width = word;
    }
    return width + APART;
}

/* The end of the columns from `from` on that fit beside the labels; one always does. */
static size_t end_of_table(const struct grid *grid, size_t from)
{
    size_t width = 0, end = from;
    for (size_t c = 0; c < grid->labels; c++)
        width += column_width(grid, c);
    while (end < grid->columns && (end == from || width + column_width(grid, end) <= PAGE_CHARACTERS))
        width += column_width(grid, end++);
    return end;
}

static void write_grid(struct page *page, const struct grid *grid, const char *name)
{
    size_t from = grid->labels;
    do {
        const struct columns columns = {from, end_of_table(grid, from)};
        const bool whole = columns.from == grid->labels && columns.to == grid->columns;
        char *part;
        const int length = whole ? asprintf(&part, "%s", name)
                                 : asprintf(&part, "%s: %s to %s", name, grid_text(grid, 0, columns.from),
                                            grid_text(grid, 0, columns.to - 1));
        page->failed |= length < 0;
        if (length < 0)
            return;
        table_of_columns(page, grid, columns, part);
        free(part);
        from = columns.to;
    } while (from < grid->columns);
}

void page_named_grid(struct page *page, const struct grid *grid, const char *name)
{
    if (takes_grid(page, grid))
        write_grid(page, grid, name);
}

void page_folded_grid(struct page *page, const struct grid *grid, const char *summary, const char *name)
{
    if (!takes_grid(page, grid))
        return;
    page_open(page, "details");
    page_element(page, "summary", "%s", summary);
    write_grid(page, grid, name);
    page_close(page);
}

void page_lines(struct page *page, const char *name, const char *text)
{
    char *copy = strdup(text), *rest = copy;
    page->failed = page->failed || !copy;
    page_open(page, "pre");
    page_scrolls(page, "region", name);
    for (char *line; rest && (line = strsep(&rest, "\n"));) { /* a line each: a line break is no text to clean_text */
        page_text(page, "%s", line);
        if (rest && !page->failed)
            check(page, xmlTextWriterWriteRaw(page->writer, BAD_CAST "\n"));
    }
    free(copy);
    page_close(page);
}

void page_svg(struct page *page, const char *svg, size_t length, const char *alternative)
{
    static const char scheme[] = "data:image/svg+xml;base64,";
    const size_t encoded = BASE64_ENCODE_RAW_LENGTH(length);
    char *address = malloc(sizeof scheme + encoded);
    if (!address) {
        page->failed = true;
        return;
    }
    memcpy(address, scheme, sizeof scheme - 1);
    base64_encode_raw(address + sizeof scheme - 1, length, (const uint8_t *)svg);
    address[sizeof scheme - 1 + encoded] = '\0';
    void_element(page, "img", "src", address, "alt", alternative);
    free(address);
}
