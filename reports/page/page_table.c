/* Tables on the page: broken where they are too wide, left out where there is no room. */
#include "page.h"

/* As in the style sheet. */
static const char *const tone_classes[TONES] = {
    [TONE_PLAIN] = "",      [TONE_GOOD] = "good ",   [TONE_BAD] = "bad ",     [TONE_EXACT] = "v1 ",
    [TONE_ROUNDED] = "v2 ", [TONE_ONE_ULP] = "v3 ",  [TONE_FOUR_ULP] = "v4 ", [TONE_TARGET] = "v5 ",
    [TONE_DIGITS] = "v6 ",  [TONE_NO_DIGIT] = "v7 ",
};

/* With tags: "<td class="v3 "></td>" and a line break. */
static size_t grid_length(const struct grid *grid)
{
    size_t length = 0;
    for (size_t r = 0; r < grid->rows; r++)
        for (size_t c = 0; c < grid->columns; c++) {
            const struct cell *cell = grid_cell(grid, r, c);
            length += strlen(grid_text(grid, r, c)) + 10 + (cell->tone != TONE_PLAIN ? 11 : 0);
            length += cell->word ? strlen(cell->word) + 15 : 0;
            length += cell->rounded ? 40 : 0; /* <data value="0.12345678901234567"></data> */
        }
    return length;
}

static bool takes_grid(struct page *page, const struct grid *grid)
{
    const bool takes = page_has_room(page, grid_length(grid));
    page->tables_left_out += !takes;
    return takes;
}

/* A rounded number with the whole one, for programs and the clipboard of those who need it. */
static void data_element(struct page *page, double value, const char *text)
{
    page_open(page, "data");
    page_attribute(page, "value", double_text(value));
    page_text(page, "%s", text);
    page_close_inline(page);
}

/* A name may be broken behind a slash: "kahan/<wbr/>tree_two_pass". */
static void name_text(struct page *page, const char *text)
{
    for (size_t piece; *text; text += piece) {
        piece = strcspn(text, "/");
        piece += text[piece] == '/';
        page_text(page, "%.*s", (int)piece, text);
        if (text[piece]) {
            page_open(page, "wbr");
            xml_close(&page->xml);
        }
    }
}

static void grid_cell_element(struct page *page, const struct grid *grid, size_t row, size_t column)
{
    const bool footer = row >= grid->footer, head = row == 0, label = column < grid->labels;
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
    else if (names)
        name_text(page, grid_text(grid, row, column));
    else
        page_text(page, "%s", grid_text(grid, row, column));
    if (*grid_word_of(grid, row, column))
        page_element(page, "small", "%s", grid_word_of(grid, row, column));
    page_close(page);
}

/* The data columns of one table, and its rows below the header. */
struct columns {
    size_t from, to, first, end;
    bool footer;
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

/* A first column of more characters is broken; on a telephone, where it stays in sight while the others scroll, it
 * would cover them all. */
enum { LONG = 36 };

static bool has_long_labels(const struct grid *grid)
{
    for (size_t r = 0; r < grid->rows; r++)
        if (text_width(grid_text(grid, r, 0)) > LONG)
            return true;
    return false;
}

static void table_of_columns(struct page *page, const struct grid *grid, struct columns columns, const char *name)
{
    page_open_as(page, "div", "wide");
    page_scrolls(page, "region", name);
    page_open(page, "table");
    page_attribute(page, "aria-label", name);
    if (has_long_labels(grid))
        page_attribute(page, "class", "long");
    grid_part(page, grid, columns, "thead", 0, 1);
    grid_part(page, grid, columns, "tbody", columns.first, columns.end);
    grid_part(page, grid, columns, "tfoot", grid->footer, columns.footer ? grid->rows : grid->footer);
    page_close(page);
    page_close(page);
}

static bool is_in(const struct grid *grid, struct columns columns, size_t row)
{
    return row == 0 || (row >= columns.first && row < columns.end) || (columns.footer && row >= grid->footer);
}

/* A head is broken behind a slash. */
static size_t head_width(const char *text)
{
    size_t width = 0;
    while (*text) {
        const size_t piece = strcspn(text, "/"), length = piece + (text[piece] == '/');
        width = length > width ? length : width;
        text += length;
    }
    return width;
}

/* Of the text or the word under it, in characters, and what parts the columns. */
static size_t column_width(const struct grid *grid, struct columns columns, size_t column)
{
    enum { APART = 4 };
    size_t width = 0;
    for (size_t r = 0; r < grid->rows; r++) {
        const size_t whole = text_width(grid_text(grid, r, column)), word = text_width(grid_word_of(grid, r, column));
        const bool spans = r >= grid->footer && column < grid->labels; /* a footer's label has all label columns */
        if (!is_in(grid, columns, r) || spans)
            continue;
        const size_t text = r == 0                        ? head_width(grid_text(grid, 0, column))
                            : column == 0 && whole > LONG ? LONG
                                                          : whole;
        width = text > width ? text : width;
        width = word > width ? word : width;
    }
    return width + APART;
}

/* The end of the columns that fit beside the labels; one always does. */
static size_t end_of_table(const struct grid *grid, struct columns columns)
{
    size_t width = 0, end = columns.from;
    for (size_t c = 0; c < grid->labels; c++)
        width += column_width(grid, columns, c);
    for (; end < grid->columns; end++) {
        width += column_width(grid, columns, end);
        if (end > columns.from && width > PAGE_CHARACTERS)
            break;
    }
    return end;
}

/* The rows from `first` to before `end`, in as many tables as their columns need. */
static void write_rows(struct page *page, const struct grid *grid, const char *name, size_t first, size_t end)
{
    struct columns columns = {grid->labels, 0, first, end, first == 1};
    do {
        columns.to = end_of_table(grid, columns);
        const bool whole = columns.from == grid->labels && columns.to == grid->columns;
        char *part = whole ? memory_copy(name)
                           : text_made("%s: %s to %s", name, grid_text(grid, 0, columns.from),
                                       grid_text(grid, 0, columns.to - 1));
        table_of_columns(page, grid, columns, part);
        free(part);
        columns.from = columns.to;
    } while (columns.from < grid->columns);
}

static void write_grid(struct page *page, const struct grid *grid, const char *name)
{
    const size_t seen = grid_seen(grid);
    write_rows(page, grid, name, 1, seen);
    if (seen == grid->footer)
        return;
    page_open(page, "details");
    page_element(page, "summary", "%zu more", grid->footer - seen);
    write_rows(page, grid, name, seen, grid->footer);
    page_close(page);
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
