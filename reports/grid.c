#include "grid.h"

#include "src/base/list.h"

struct grid grid_of(size_t columns, size_t labels)
{
    return (struct grid){.columns = columns, .labels = labels};
}

static void append(struct grid *grid)
{
    grid->cells = list_short(grid->cells, grid->rows, &grid->capacity, grid->columns * sizeof *grid->cells);
    for (size_t c = 0; c < grid->columns; c++)
        grid->cells[grid->rows * grid->columns + c] = (struct cell){0};
    grid->rows++;
}

void grid_row(struct grid *grid)
{
    append(grid);
    grid->footer = grid->rows;
}

void grid_footer(struct grid *grid)
{
    append(grid);
}

struct cell cell_toned(enum tone tone, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const struct cell cell = {.text = clean_text_of(format, arguments), .tone = tone};
    va_end(arguments);
    return cell;
}

static struct cell number_cell(double value, const char *text)
{
    struct cell cell = cell_text("%s", isnan(value) ? "-" : text);
    cell.rounded = !isnan(value);
    cell.value = value;
    return cell;
}

struct cell cell_count(uint64_t count)
{
    return cell_text("%" PRIu64, count);
}

struct cell cell_number(double value)
{
    return number_cell(value, rounded_text(value));
}

struct cell cell_error(double value)
{
    return number_cell(value, error_text(value));
}

void grid_append(struct grid *grid, const struct cell *cells, size_t count)
{
    grid_row(grid);
    memcpy(&grid->cells[(grid->rows - 1) * grid->columns], cells, count * sizeof *cells);
}

/* A cell may be set again. */
void grid_put(struct grid *grid, size_t column, struct cell cell)
{
    struct cell *to = &grid->cells[(grid->rows - 1) * grid->columns + column];
    free_all(to->text, to->word);
    *to = cell;
}

void grid_word(struct grid *grid, size_t column, const char *word)
{
    struct cell *cell = &grid->cells[(grid->rows - 1) * grid->columns + column];
    free(cell->word);
    cell->word = clean_text(word);
}

void grid_value(struct grid *grid, size_t column, double value)
{
    struct cell *cell = &grid->cells[(grid->rows - 1) * grid->columns + column];
    cell->rounded = true;
    cell->value = value;
}

void grid_alike(struct grid *grid, size_t column)
{
    bool has_exponent = false;
    for (size_t r = 1; r < grid->rows; r++)
        has_exponent |= grid_cell(grid, r, column)->rounded && strchr(grid_text(grid, r, column), 'e');
    for (size_t r = 1; r < grid->rows && has_exponent; r++) {
        struct cell *cell = &grid->cells[r * grid->columns + column];
        if (!cell->rounded || !isfinite(cell->value))
            continue;
        free(cell->text);
        cell->text = text_made("%.2e", cell->value);
    }
}

void grid_head(struct grid *grid, size_t column, bool left, const char *text)
{
    grid_set(grid, column, TONE_PLAIN, "%s", text);
    grid->cells[(grid->rows - 1) * grid->columns + column].left = left;
}

void grid_spare(struct grid *grid, size_t column, int rank)
{
    grid->cells[column].spare = rank;
}

struct grid grid_headed(size_t labels, const char *heads)
{
    size_t columns = 1;
    for (const char *at = heads; (at = strstr(at, " | ")); at += 3)
        columns++;
    struct grid grid = grid_of(columns, labels);
    grid_row(&grid);
    for (size_t c = 0; c < columns; c++) {
        const bool right = strncmp(heads, "> ", 2) == 0;
        const char *text = right ? heads + 2 : heads, *end = strstr(text, " | ");
        OWNED char *head = text_made("%.*s", (int)(end ? (size_t)(end - text) : strlen(text)), text);
        grid_head(&grid, c, !right, head);
        heads = end ? end + 3 : heads;
    }
    return grid;
}

void grid_heads(struct grid *grid, const char *sides, const char *const *texts)
{
    grid_row(grid);
    for (size_t c = 0; c < grid->columns; c++)
        grid_head(grid, c, sides[c] == 'l', texts[c]);
}

const struct cell *grid_cell(const struct grid *grid, size_t row, size_t column)
{
    return &grid->cells[row * grid->columns + column];
}

const char *grid_text(const struct grid *grid, size_t row, size_t column)
{
    const char *text = grid_cell(grid, row, column)->text;
    return text ? text : "";
}

const char *grid_word_of(const struct grid *grid, size_t row, size_t column)
{
    const char *word = grid_cell(grid, row, column)->word;
    return word ? word : "";
}

size_t grid_seen(const struct grid *grid)
{
    return grid->top == 0 || grid->top + 1 > grid->footer ? grid->footer : grid->top + 1;
}

size_t grid_width(const struct grid *grid, size_t row, size_t column)
{
    const char *word = grid_word_of(grid, row, column);
    return text_width(grid_text(grid, row, column)) + (*word ? 2 + text_width(word) : 0);
}

struct grid grid_turned(const struct grid *grid, size_t first, const struct cell *heads)
{
    struct grid turned = grid_of(grid->rows, 1);
    grid_row(&turned);
    for (size_t r = 0; r < grid->rows; r++)
        grid_head(&turned, r, heads[r].left, heads[r].text ? heads[r].text : "");
    for (size_t c = first; c < grid->columns; c++) {
        grid_row(&turned);
        for (size_t r = 0; r < grid->rows; r++) {
            const char *text = grid_text(grid, r, c);
            grid_set(&turned, r, grid_cell(grid, r, c)->tone, "%s", *text ? text : "-");
            if (*grid_word_of(grid, r, c))
                grid_word(&turned, r, grid_word_of(grid, r, c));
            if (grid_cell(grid, r, c)->rounded)
                grid_value(&turned, r, grid_cell(grid, r, c)->value);
        }
    }
    return turned;
}

void grid_free(struct grid *grid)
{
    for (size_t i = 0; i < grid->rows * grid->columns; i++)
        free_all(grid->cells[i].text, grid->cells[i].word);
    free(grid->cells);
    *grid = (struct grid){0};
}
