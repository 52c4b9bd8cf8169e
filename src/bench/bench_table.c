/* The table of a bench, for people: Markdown that is aligned, so that it reads as text and can be pasted.  It grows row
 * by row, so that its columns and their widths are settled before the first number is known.
 *
 * | method              |   n |    launch | GB/s | median | of CUB | of copy |  max ulp | bits |
 * |:--------------------|----:|----------:|-----:|-------:|-------:|--------:|---------:|-----:|
 * | kahan/tree_two_pass | 1Gi | 1056 x 256 | ...
 */
#include "aligned.h"
#include "bench.h"

#include "src/base/progress.h"

#include <math.h>

typedef void cell_writer(struct grid *grid, size_t column, const struct bench_line *line);

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

static void put_size(struct grid *grid, size_t column, uint64_t n)
{
    char text[NUMBER_TEXT];
    grid_set(grid, column, TONE_PLAIN, "%s", size_text(n, text));
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

static double nanoseconds(const struct bench_line *line, double microseconds)
{
    return 1000 * microseconds / (double)(line->n * line->rows);
}

static void write_nanoseconds(struct grid *grid, size_t column, const struct bench_line *line)
{
    grid_number(grid, column, nanoseconds(line, line->time.min));
}

static void write_median_nanoseconds(struct grid *grid, size_t column, const struct bench_line *line)
{
    grid_number(grid, column, nanoseconds(line, line->time.p50));
}

/* 4371 rather than 4.37e+03. */
static void put_rate(struct grid *grid, size_t column, double rate)
{
    if (rate >= 1000)
        grid_set(grid, column, TONE_PLAIN, "%.0f", rate);
    else
        grid_number(grid, column, rate);
}

static void write_rate(struct grid *grid, size_t column, const struct bench_line *line)
{
    put_rate(grid, column, bench_rate(line));
}

static void write_median_rate(struct grid *grid, size_t column, const struct bench_line *line)
{
    put_rate(grid, column, bench_rate(line) * line->time.min / line->time.p50);
}

static void write_call(struct grid *grid, size_t column, const struct bench_line *line)
{
    grid_number(grid, column, isfinite(line->call) ? line->call : (double)NAN);
}

static void write_beyond_call(struct grid *grid, size_t column, const struct bench_line *line)
{
    grid_number(grid, column, bench_beyond_call(line));
}

static void write_of_baseline(struct grid *grid, size_t column, const struct bench_line *line)
{
    grid_number(grid, column, bench_share(line, line->baseline));
}

/* How often the time of the serial loop. */
static void write_times_serial(struct grid *grid, size_t column, const struct bench_line *line)
{
    grid_number(grid, column, line->baseline ? 1 / bench_share(line, line->baseline) : (double)NAN);
}

static void write_of_copy(struct grid *grid, size_t column, const struct bench_line *line)
{
    grid_number(grid, column, bench_share(line, line->copy));
}

static void write_ulp(struct grid *grid, size_t column, const struct bench_line *line)
{
    if (line->method)
        grid_error(grid, column, line->ulp_error);
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

static void write_rounds(struct grid *grid, size_t column, const struct bench_line *line)
{
    grid_count(grid, column, line->rounds);
}

/* ---- the columns ---- */

static bool always(const struct bench *bench, const struct bench_results *planned)
{
    (void)bench, (void)planned;
    return true;
}

static bool on_host(const struct bench *bench, const struct bench_results *planned)
{
    (void)planned;
    return !bench->device;
}

static bool on_device(const struct bench *bench, const struct bench_results *planned)
{
    (void)planned;
    return bench->device;
}

static bool of_rows(const struct bench *bench, const struct bench_results *planned)
{
    (void)planned;
    return bench->rows > 1;
}

static bool in_time(const struct bench *bench, const struct bench_results *planned)
{
    (void)planned;
    return bench->seconds > 0;
}

static bool of_plugins_on_host(const struct bench *bench, const struct bench_results *planned)
{
    for (size_t i = 0; i < planned->count && !bench->device; i++)
        if (planned->lines[i]->method && planned->lines[i]->method->ask)
            return true;
    return false;
}

/* Results of one method may differ. */
static bool by_arrival(const struct bench *bench, const struct bench_results *planned)
{
    for (size_t i = 0; i < planned->count && bench->device; i++)
        if (planned->lines[i]->method && planned->lines[i]->method->determinism != DETERMINISTIC)
            return true;
    return false;
}

enum { NUMBER_WIDTH = 8 }; /* "1.23e+04" */

static const struct column {
    const char *head;
    cell_writer *write;
    bool (*is_shown)(const struct bench *bench, const struct bench_results *planned);
    int width; /* of what is known later; 0: all of it is known before */
} columns[] = {
    {"method", write_method, always, 0},
    {"rows", write_rows, of_rows, 0},
    {"n", write_n, always, 0},
    {"launch", write_launch, always, 0},
    {"ns/element", write_nanoseconds, on_host, NUMBER_WIDTH},
    {"GB/s", write_rate, on_device, NUMBER_WIDTH},
    {"median", write_median_nanoseconds, on_host, NUMBER_WIDTH},
    {"median", write_median_rate, on_device, NUMBER_WIDTH},
    {"us/call", write_call, of_plugins_on_host, NUMBER_WIDTH},
    {"ns beyond", write_beyond_call, of_plugins_on_host, NUMBER_WIDTH},
    {"of CUB", write_of_baseline, on_device, NUMBER_WIDTH},
    {"x serial", write_times_serial, on_host, NUMBER_WIDTH},
    {"of copy", write_of_copy, always, NUMBER_WIDTH},
    {"max ulp", write_ulp, always, NUMBER_WIDTH},
    {"rounds", write_rounds, in_time, 1},
    {"results", write_outcomes, by_arrival, 1},
    {"bits", write_bits, on_device, 6},
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
        column->write(&cell, 0, planned->lines[i]);
        width = planned->lines[i]->hidden ? width : greatest(width, strlen(grid_text(&cell, i, 0)));
    }
    table->shown[table->count] = column;
    table->widths[table->count++] = width;
}

void bench_table_begin(struct bench_table *table, const struct bench *bench, const struct bench_results *planned,
                       double seconds)
{
    char duration[DURATION_TEXT];
    table->bench = bench;
    for (size_t c = 0; c < COLUMNS; c++)
        if (columns[c].is_shown(bench, planned))
            settle_column(table, planned, &columns[c]);
    for (size_t i = 0; i < planned->count; i++)
        table->rows_planned += !planned->lines[i]->hidden;
    progress_duration(seconds, duration);
    if (!bench->quiet)
        fprintf(stderr, "%zu rows, about %s%s\n", table->rows_planned, duration,
                bench->seconds > 0 ? " without --time"
                : seconds < 60     ? ""
                                   : "; --time SECONDS bounds it");
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
        table->shown[c]->write(&row, c, line);
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
static void say_partial(const struct bench_table *table, enum bench_stop stopped)
{
    if (table->rows < table->rows_planned)
        printf("partial: %zu of %zu rows%s\n", table->rows, table->rows_planned,
               stopped == BY_INTERRUPT ? "; interrupted"
               : stopped == BY_TIME    ? "; --time was up"
                                       : "");
}

void bench_table_end(struct bench_table *table, const struct bench_results *results)
{
    if (table->rows > 0)
        putchar('\n');
    for (size_t i = 0; i < results->count && table->rows > 0; i++)
        if (!results->lines[i]->method)
            say_fastest_of(results, results->lines[i]);
    if (table->rows > 0)
        say_partial(table, results->stopped);
    free(table);
}
