/* The table of a bench, for people: Markdown that is aligned, so that it reads as text and can be pasted.
 *
 * | method              |   n |  launch |   us | min..p90   | GB/s | of CUB | of copy |  ulp | bits |
 * |:--------------------|----:|--------:|-----:|-----------:|-----:|-------:|--------:|-----:|-----:|
 * | kahan/tree_two_pass | 1Gi | 1056x256 | ...
 */
#include "bench.h"

#include "src/base/number.h"

#include "reports/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef void cell_writer(struct grid *grid, size_t column, const struct bench_line *line);

/* Three digits as a person writes them. */
static int decimals_of(double value)
{
    return value < 0.095 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

/* "-" when there is no such number. */
static void put(struct grid *grid, size_t column, double value)
{
    const int decimals = decimals_of(value);
    if (isfinite(value))
        grid_set(grid, column, TONE_PLAIN, "%.*f", decimals, value);
    else
        grid_set(grid, column, TONE_PLAIN, "-");
}

/* 2^20 is 1Mi; other numbers stand as they are. */
static void put_size(struct grid *grid, size_t column, uint64_t n)
{
    static const char *const suffixes[] = {"", "Ki", "Mi", "Gi", "Ti"};
    size_t suffix = 0;
    for (; n > 0 && n % 1024 == 0 && suffix + 1 < sizeof suffixes / sizeof *suffixes; suffix++)
        n /= 1024;
    grid_set(grid, column, TONE_PLAIN, "%" PRIu64 "%s", n, suffixes[suffix]);
}

static void write_method(struct grid *grid, size_t column, const struct bench_line *line)
{
    grid_set(grid, column, TONE_PLAIN, "%s", line->method ? line->method->id : "copy, read + write");
}

static void write_rows(struct grid *grid, size_t column, const struct bench_line *line)
{
    put_size(grid, column, line->rows);
}

static void write_n(struct grid *grid, size_t column, const struct bench_line *line)
{
    put_size(grid, column, line->n);
}

/* A black box has a launch of its own. */
static void write_launch(struct grid *grid, size_t column, const struct bench_line *line)
{
    if (line->method && line->method->replay)
        grid_set(grid, column, TONE_PLAIN, "%u x %u", line->launch.blocks, line->launch.threads);
    else
        grid_set(grid, column, TONE_PLAIN, "-");
}

static void write_time(struct grid *grid, size_t column, const struct bench_line *line)
{
    put(grid, column, line->time.p50);
}

static void write_spread(struct grid *grid, size_t column, const struct bench_line *line)
{
    const int decimals = decimals_of(line->time.min);
    grid_set(grid, column, TONE_PLAIN, "%.*f..%.*f", decimals, line->time.min, decimals, line->time.p90);
}

static void write_nanoseconds(struct grid *grid, size_t column, const struct bench_line *line)
{
    put(grid, column, 1000 * line->time.p50 / (double)(line->n * line->rows));
}

static void write_rate(struct grid *grid, size_t column, const struct bench_line *line)
{
    put(grid, column, bench_rate(line));
}

static void write_of_baseline(struct grid *grid, size_t column, const struct bench_line *line)
{
    put(grid, column, bench_share(line, line->baseline));
}

/* How often the time of the serial loop. */
static void write_times_serial(struct grid *grid, size_t column, const struct bench_line *line)
{
    put(grid, column, line->baseline ? 1 / bench_share(line, line->baseline) : (double)NAN);
}

static void write_of_copy(struct grid *grid, size_t column, const struct bench_line *line)
{
    put(grid, column, bench_share(line, line->copy));
}

static void write_ulp(struct grid *grid, size_t column, const struct bench_line *line)
{
    if (line->method)
        grid_number(grid, column, line->ulp_error);
    else
        grid_set(grid, column, TONE_PLAIN, "-");
}

static void write_outcomes(struct grid *grid, size_t column, const struct bench_line *line)
{
    if (line->method)
        grid_count(grid, column, line->outcome_count);
    else
        grid_set(grid, column, TONE_PLAIN, "-");
}

static void write_bits(struct grid *grid, size_t column, const struct bench_line *line)
{
    static const char *const words[] = {[NOT_COMPARED] = "-", [SAME_AS_REPLAY] = "same", [UNLIKE_REPLAY] = "DIFFER"};
    grid_set(grid, column, line->bits == UNLIKE_REPLAY ? TONE_BAD : TONE_PLAIN, "%s", words[line->bits]);
}

enum place { ANYWHERE, ON_HOST, ON_DEVICE };

static const struct column {
    const char *head;
    cell_writer *write;
    enum place place;
    bool left;
} columns[] = {
    {"method", write_method, ANYWHERE, true},
    {"rows", write_rows, ANYWHERE, false},
    {"n", write_n, ANYWHERE, false},
    {"launch", write_launch, ANYWHERE, false},
    {"us", write_time, ON_DEVICE, false},
    {"ns/element", write_nanoseconds, ON_HOST, false},
    {"min..p90 us", write_spread, ANYWHERE, false},
    {"GB/s", write_rate, ANYWHERE, false},
    {"of CUB", write_of_baseline, ON_DEVICE, false},
    {"x serial", write_times_serial, ON_HOST, false},
    {"of copy", write_of_copy, ANYWHERE, false},
    {"max ulp", write_ulp, ANYWHERE, false},
    {"results", write_outcomes, ANYWHERE, false},
    {"bits", write_bits, ON_DEVICE, false},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Columns that would say the same in every line are left out. */
static bool is_shown(const struct column *column, const struct bench *bench, const struct bench_results *results)
{
    if (column->place == (bench->device ? ON_HOST : ON_DEVICE))
        return false;
    if (column->write == write_rows)
        return bench->rows > 1;
    bool any = column->write != write_outcomes;
    for (size_t i = 0; i < results->count && !any; i++)
        any = results->lines[i]->outcome_count > 1;
    return any;
}

static struct grid fill_grid(const struct bench *bench, const struct bench_results *results)
{
    const struct column *shown[COLUMNS];
    size_t count = 0;
    for (size_t c = 0; c < COLUMNS; c++)
        if (is_shown(&columns[c], bench, results))
            shown[count++] = &columns[c];
    struct grid grid = grid_of(count, 1);
    grid_row(&grid);
    for (size_t c = 0; c < count; c++)
        grid_head(&grid, c, shown[c]->left, shown[c]->head);
    for (size_t i = 0; i < results->count; i++) {
        if (results->lines[i]->hidden)
            continue;
        grid_row(&grid);
        for (size_t c = 0; c < count; c++)
            shown[c]->write(&grid, c, results->lines[i]);
    }
    return grid;
}

static int column_width(const struct grid *grid, size_t column)
{
    size_t width = 3;
    for (size_t r = 0; r < grid->rows; r++) {
        const size_t length = strlen(grid_text(grid, r, column));
        width = length > width ? length : width;
    }
    return (int)width;
}

static void print_rule(const struct grid *grid)
{
    for (size_t c = 0; c < grid->columns; c++) {
        const bool left = grid_cell(grid, 0, c)->left;
        fputs(left ? "|:" : "|-", stdout);
        for (int i = 0; i < column_width(grid, c); i++)
            putchar('-');
        fputs(left ? "-" : ":", stdout);
    }
    puts("|");
}

enum status bench_print(const struct bench *bench, const struct bench_results *results)
{
    struct grid grid = fill_grid(bench, results);
    const bool failed = grid.failed;
    for (size_t r = 0; r < grid.rows && !failed; r++) {
        for (size_t c = 0; c < grid.columns; c++) {
            const int width = column_width(&grid, c);
            printf("| %*s ", grid_cell(&grid, 0, c)->left ? -width : width, grid_text(&grid, r, c));
        }
        puts("|");
        if (r == 0)
            print_rule(&grid);
    }
    grid_free(&grid);
    return failed ? out_of_memory("the table") : OK;
}
