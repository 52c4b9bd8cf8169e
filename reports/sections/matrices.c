/* matrices: of matrix products the errors of their elements, and where in the matrix they are. */
#include "reports/charts/error_map.h"
#include "reports/page/section.h"
#include "src/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Maps in a picture: more than these a reader does not compare. */
enum { MAPS_MOST = 12 };

static bool applies(const struct results *results)
{
    for (size_t s = 0; s < results->series_count; s++)
        if (results->series[s].map)
            return true;
    return false;
}

static const char reading[] = "A map is C, from its first row at the top to its last one, in at most 32 by 32 cells. A "
                              "cell has the colour of its largest error relative to (|A| |B|) of the element, in u of "
                              "the format of C, over all trials; a white one has none.";

/* ---- the table ---- */

static void series_row(const struct series *series, struct grid *grid)
{
    const struct statistics *relative = &series->statistics[METRIC_relative_error],
                            *backward = &series->statistics[METRIC_backward_error];
    const double u = ldexp(1, -series->format->precision);
    grid_row(grid);
    grid_set(grid, 0, TONE_PLAIN, "%s", series->method);
    grid_set(grid, 1, TONE_PLAIN, "%s", series->backend->id);
    grid_error(grid, 2, relative->max);
    grid_number(grid, 3, relative->mean);
    grid_error(grid, 4, series->statistics[METRIC_ulp_error].max);
    grid_error(grid, 5, backward->max / u);
    grid_number(grid, 6, backward->mean / u);
    grid_number(grid, 7, 100 * (double)series->not_nearest / (double)series->count);
    grid_set(grid, 8, TONE_PLAIN, "C[%" PRIu64 "][%" PRIu64 "], trial %" PRIu64, series->worst_i, series->worst_j,
             series->worst_trial);
}

static void write_table(struct page *page, const struct series *const *series, size_t count)
{
    static const char *const heads[] = {"method",
                                        "by",
                                        "max |error|/|c|",
                                        "mean |error|/|c|",
                                        "max ulp",
                                        "max |error|/(|A||B|), u",
                                        "mean |error|/(|A||B|), u",
                                        "not nearest, %",
                                        "worst by ulp"};
    FREED_BY(grid_free) struct grid grid = grid_of(sizeof heads / sizeof *heads, 1);
    OWNED char *name = text_made("Errors of the elements of products of %s", series[0]->data);
    grid_heads(&grid, "llrrrrrrl", heads);
    for (size_t s = 0; s < count; s++)
        series_row(series[s], &grid);
    grid_alike(&grid, 3);
    grid_alike(&grid, 6);
    page_named_grid(page, &grid, name);
}

/* ---- the picture ---- */

static void write_map(struct page *page, const struct series *const *series, size_t count)
{
    FREED_BY(picture_free) struct picture picture = {0};
    const size_t shown = count < MAPS_MOST ? count : MAPS_MOST;
    OWNED char *name = text_made("%sWhere the errors of products of %s are", page->picture_prefix, series[0]->data);
    error_map(series, shown, name, &picture);
    if (page_takes_picture(page, picture.length)) {
        page_open(page, "figure");
        page_boxed_svg(page, "panel", name, picture.svg, name);
        if (page_says_first(&page->readings, reading))
            page_element(page, "figcaption", "%s", reading);
        if (shown < count)
            page_element(page, "figcaption", "The first %zu of %zu methods.", shown, count);
        page_close(page);
    } else {
        page_element(page, "p", "%s: the page has no room for the picture; run.json has it as `map`.", name);
    }
}

static void write_witness(struct page *page, const struct series *const *series, size_t count)
{
    const struct series *worst = series[0];
    for (size_t s = 1; s < count; s++)
        if (error_order(series[s]->worst_ulp_error, worst->worst_ulp_error) > 0)
            worst = series[s];
    page_open(page, "p");
    page_text(page, "The row and the column of the worst element, C[%" PRIu64 "][%" PRIu64 "] by %s, as vectors: ",
              worst->worst_i, worst->worst_j, worst->method);
    page_element(page, "code", "%s", worst->witness_command ? worst->witness_command : "");
    page_close(page);
}

/* ---- all data ---- */

/* Series of the same data stand together. */
static void write(struct page *page, const struct report *report, const struct results *results)
{
    OWNED const struct series **group = memory_cleared(results->series_count, sizeof(const struct series *));
    (void)report;
    for (size_t first = 0, count; first < results->series_count; first += count) {
        for (count = 0; first + count < results->series_count &&
                        strcmp(results->series[first + count].data, results->series[first].data) == 0;
             count++)
            group[count] = &results->series[first + count];
        page_heading(page, 3, "%s", group[0]->data);
        write_table(page, group, count);
        write_map(page, group, count);
        write_witness(page, group, count);
    }
}

const struct section section_matrices = {.id = "matrices",
                                         .title = "Elements of the products",
                                         .open = true,
                                         .applies = applies,
                                         .share = 200,
                                         .write = write};
