/* The table of a bench, for people: Markdown that is aligned, so that it reads as text and can be pasted.  It grows row
 * by row, so that its columns and their widths are settled before the first number is known.
 *
 * | method              |   n |    launch | GB/s | median | of CUB | of copy |  max ulp | bits |
 * |:--------------------|----:|----------:|-----:|-------:|-------:|--------:|---------:|-----:|
 * | kahan/tree_two_pass | 1Gi | 1056 x 256 | ...
 */
#include "bench.h"

#include "reports/grid.h"

/* Of as many cells as the grid has columns. */
static void aligned_row(const struct grid *grid, size_t row, const int *widths)
{
    for (size_t c = 0; c < grid->columns; c++)
        printf("| %*s ", c == 0 ? -widths[c] : widths[c], grid_text(grid, row, c));
    puts("|");
}

static void aligned_rule(size_t columns, const int *widths)
{
    for (size_t c = 0; c < columns; c++) {
        fputs(c == 0 ? "|:" : "|-", stdout);
        for (int i = 0; i < widths[c]; i++)
            putchar('-');
        fputs(c == 0 ? "-" : ":", stdout);
    }
    puts("|");
}

/* 2^20 is 1Mi; other numbers stand as they are. */
static const char *size_text(uint64_t n, char text[NUMBER_TEXT])
{
    static const char *const suffixes[] = {"", "Ki", "Mi", "Gi", "Ti"};
    size_t suffix = 0;
    for (; n > 0 && n % 1024 == 0 && suffix + 1 < sizeof suffixes / sizeof *suffixes; suffix++)
        n /= 1024;
    snprintf(text, NUMBER_TEXT, "%" PRIu64 "%s", n, suffixes[suffix]);
    return text;
}

static struct cell size_cell(uint64_t n)
{
    return cell_text("%s", size_text(n, (char[NUMBER_TEXT]){0}));
}

static struct cell method_cell(const struct bench_line *line)
{
    return cell_text("%s", line->method ? line->method->id : "copy, read + write");
}

static struct cell rows_cell(const struct bench_line *line)
{
    return size_cell(line->rows);
}

static struct cell n_cell(const struct bench_line *line)
{
    return size_cell(line->n);
}

/* A black box has a launch of its own. */
static struct cell launch_cell(const struct bench_line *line)
{
    return line->method && line->method->replay ? cell_text("%u x %u", line->launch.blocks, line->launch.threads)
                                                : cell_text("-");
}

static double nanoseconds(const struct bench_line *line, double microseconds)
{
    return 1000 * microseconds / (double)(line->n * line->rows);
}

static struct cell nanoseconds_cell(const struct bench_line *line)
{
    return cell_number(nanoseconds(line, line->time.min));
}

static struct cell median_nanoseconds_cell(const struct bench_line *line)
{
    return cell_number(nanoseconds(line, line->time.p50));
}

/* 4371 rather than 4.37e+03. */
static struct cell speed_cell(double rate)
{
    return rate >= 1000 ? cell_text("%.0f", rate) : cell_number(rate);
}

static struct cell rate_cell(const struct bench_line *line)
{
    return speed_cell(bench_rate(line));
}

static struct cell median_rate_cell(const struct bench_line *line)
{
    return speed_cell(bench_rate(line) * line->time.min / line->time.p50);
}

static struct cell of_baseline_cell(const struct bench_line *line)
{
    return cell_number(bench_share(line, line->baseline));
}

/* How often the time of the serial loop. */
static struct cell times_serial_cell(const struct bench_line *line)
{
    return cell_number(line->baseline ? 1 / bench_share(line, line->baseline) : (double)NAN);
}

static struct cell of_copy_cell(const struct bench_line *line)
{
    return cell_number(bench_share(line, line->copy));
}

static struct cell ulp_cell(const struct bench_line *line)
{
    return line->method ? cell_error(line->ulp_error) : cell_text("-");
}

static struct cell outcomes_cell(const struct bench_line *line)
{
    return line->method ? cell_count(line->outcome_count) : cell_text("-");
}

static struct cell bits_cell(const struct bench_line *line)
{
    static const char *const words[] = {[NOT_COMPARED] = "-", [SAME_AS_REPLAY] = "same", [UNLIKE_REPLAY] = "DIFFER"};
    return cell_toned(line->bits == UNLIKE_REPLAY ? TONE_BAD : TONE_PLAIN, "%s", words[line->bits]);
}

/* ---- the columns ---- */

enum shown { ALWAYS, ON_HOST, ON_DEVICE, OF_ROWS, BY_ARRIVAL };

/* By arrival results of one method may differ. */
static bool is_shown(enum shown when, const struct bench *bench, const struct bench_results *planned)
{
    bool arrivals = false;
    for (size_t i = 0; i < planned->count; i++) {
        const struct method *method = planned->lines[i]->method;
        arrivals |= method && method->determinism != DETERMINISTIC;
    }
    const bool shown[] = {
        [ALWAYS] = true,
        [ON_HOST] = !bench->device,
        [ON_DEVICE] = bench->device,
        [OF_ROWS] = bench->rows > 1,
        [BY_ARRIVAL] = arrivals && bench->device,
    };
    return shown[when];
}

enum { NUMBER_WIDTH = 8 }; /* "1.23e+04" */

static const struct column {
    const char *head;
    struct cell (*cell)(const struct bench_line *line);
    enum shown shown;
    int width; /* of what is known later; 0: all of it is known before */
} columns[] = {
    {"method", method_cell, ALWAYS, 0},
    {"rows", rows_cell, OF_ROWS, 0},
    {"n", n_cell, ALWAYS, 0},
    {"launch", launch_cell, ALWAYS, 0},
    {"ns/element", nanoseconds_cell, ON_HOST, NUMBER_WIDTH},
    {"GB/s", rate_cell, ON_DEVICE, NUMBER_WIDTH},
    {"median", median_nanoseconds_cell, ON_HOST, NUMBER_WIDTH},
    {"median", median_rate_cell, ON_DEVICE, NUMBER_WIDTH},
    {"of CUB", of_baseline_cell, ON_DEVICE, NUMBER_WIDTH},
    {"x serial", times_serial_cell, ON_HOST, NUMBER_WIDTH},
    {"of copy", of_copy_cell, ALWAYS, NUMBER_WIDTH},
    {"max ulp", ulp_cell, ALWAYS, NUMBER_WIDTH},
    {"results", outcomes_cell, BY_ARRIVAL, 1},
    {"bits", bits_cell, ON_DEVICE, 6},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

struct bench_table {
    const struct bench *bench;
    const struct column *shown[COLUMNS];
    int widths[COLUMNS];
    size_t count, rows_planned, rows;
};

struct bench_table *bench_table_new(void)
{
    return memory_cleared(1, sizeof(struct bench_table));
}

static int greatest(int a, size_t b)
{
    return a > (int)b ? a : (int)b;
}

static void settle_column(struct bench_table *table, const struct bench_results *planned, const struct column *column)
{
    FREED_BY(grid_free) struct grid cell = grid_of(1, 0);
    int width = greatest(column->width > 3 ? column->width : 3, strlen(column->head));
    for (size_t i = 0; i < planned->count && column->width == 0; i++) {
        grid_row(&cell);
        grid_put(&cell, 0, column->cell(planned->lines[i]));
        width = planned->lines[i]->hidden ? width : greatest(width, strlen(grid_text(&cell, i, 0)));
    }
    table->shown[table->count] = column;
    table->widths[table->count++] = width;
}

void bench_table_begin(struct bench_table *table, const struct bench *bench, const struct bench_results *planned)
{
    table->bench = bench;
    for (size_t c = 0; c < COLUMNS; c++)
        if (is_shown(columns[c].shown, bench, planned))
            settle_column(table, planned, &columns[c]);
    for (size_t i = 0; i < planned->count; i++)
        table->rows_planned += !planned->lines[i]->hidden;
    if (!bench->quiet)
        fprintf(stderr, "%zu rows\n", table->rows_planned);
}

/* ---- rows ---- */

static void print_head(const struct bench_table *table)
{
    for (size_t c = 0; c < table->count; c++)
        printf("| %*s ", c == 0 ? -table->widths[c] : table->widths[c], table->shown[c]->head);
    puts("|");
    aligned_rule(table->count, table->widths);
}

void bench_table_row(struct bench_table *table, const struct bench_line *line)
{
    FREED_BY(grid_free) struct grid row = grid_of(table->count, 1);
    grid_row(&row);
    for (size_t c = 0; c < table->count; c++)
        grid_put(&row, c, table->shown[c]->cell(line));
    if (table->rows++ == 0)
        print_head(table);
    aligned_row(&row, 0, table->widths);
    fflush(stdout); /* into a pipe or a file, too */
}

/* ---- after the rows ---- */

static bool is_of_launch(const struct bench_line *line, const struct bench_line *copy)
{
    return line->method && !line->hidden && line->copy == copy;
}

/* "equally fast at n=1Mi, 64 x 256: plain/tree_two_pass, plain/shuffle_two_pass" */
static void say_fastest_of(const struct bench_results *results, const struct bench_line *copy)
{
    enum { NAMED = 4 };
    const struct bench_line *fastest = NULL;
    size_t count = 0, alike = 0, named = 0;
    char n[NUMBER_TEXT];
    for (size_t i = 0; i < results->count; i++) {
        const struct bench_line *line = results->lines[i];
        count += is_of_launch(line, copy);
        if (is_of_launch(line, copy) && (!fastest || line->time.min < fastest->time.min))
            fastest = line;
    }
    if (count < 2)
        return;
    for (size_t i = 0; i < results->count; i++)
        alike += is_of_launch(results->lines[i], copy) && bench_alike(results->lines[i], fastest);
    printf("%s at n=%s, %u x %u:", alike > 1 ? "equally fast" : "fastest", size_text(copy->n, n), copy->launch.blocks,
           copy->launch.threads);
    for (size_t i = 0; i < results->count; i++)
        if (is_of_launch(results->lines[i], copy) && bench_alike(results->lines[i], fastest) && ++named <= NAMED)
            printf("%s %s", named > 1 ? "," : "", results->lines[i]->method->id);
    if (alike > NAMED)
        printf(" and %zu more", alike - NAMED);
    putchar('\n');
}

/* What is lacking is said where the rows stand. */
static void say_partial(const struct bench_table *table, bool interrupted)
{
    if (table->rows < table->rows_planned)
        printf("partial: %zu of %zu rows%s\n", table->rows, table->rows_planned, interrupted ? "; interrupted" : "");
}

void bench_table_end(struct bench_table *table, const struct bench_results *results)
{
    if (table->rows > 0)
        putchar('\n');
    for (size_t i = 0; i < results->count && table->rows > 0; i++)
        if (!results->lines[i]->method)
            say_fastest_of(results, results->lines[i]);
    if (table->rows > 0)
        say_partial(table, results->interrupted);
    free(table);
}
