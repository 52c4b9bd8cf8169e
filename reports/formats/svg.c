/* svg: the pictures as files in a folder, <kind>-<entry>-<family>[-<blocks>x<threads>][-<backend>].svg, and each as
 * .vl.json, Vega-Lite, beside it.  Of several runs, those of the first begin with "a-", as A in the comparison. */
#include "reports/chart/chart_svg.h"
#include "reports/chart/chart_vega.h"
#include "reports/charts/charts.h"
#include "reports/report.h"
#include "reports/run_letters.h"
#include "src/base/text.h"
#include "src/files/output.h"

#include <stdlib.h>
#include <string.h>

/* Where the pictures of a run go. */
struct place {
    const char *folder;
    char prefix[RUN_PREFIX];
};

/* "out/svg/histogram-2-gensum-120x256-cuda.svg" */
static char *path_of(const struct chart *chart, const struct place *place, const char *ending)
{
    const char *slash = place->folder[strlen(place->folder) - 1] == '/' ? "" : "/";
    return text_made("%s%s%s%s%s", place->folder, slash, place->prefix, chart->name, ending);
}

static enum status write_svg(const struct chart *chart, const struct place *place)
{
    char *path = path_of(chart, place, ".svg");
    const enum status status = chart_svg_write(chart, path);
    free(path);
    return status;
}

static enum status write_vega(const struct chart *chart, const struct place *place)
{
    char *path = path_of(chart, place, ".vl.json");
    const enum status status = json_write(chart_vega(chart), 0, path);
    free(path);
    return status;
}

static enum status write_charts(const struct results *results, const struct place *place)
{
    struct charts charts;
    enum status status = OK;
    charts_of(results, &charts);
    for (size_t i = 0; i < charts.count && status == OK; i++) {
        status = write_svg(&charts.list[i], place);
        if (status == OK)
            status = write_vega(&charts.list[i], place);
    }
    charts_free(&charts);
    return status;
}

static enum status svg_write(const struct report *report, const char *path)
{
    if (*path == '\0' || strcmp(path, "-") == 0) {
        complain("--svg %s: pictures are several files; name a folder", path);
        return BAD_INPUT;
    }
    bool made;
    TRY(output_make_folder(path, &made));
    struct place place = {.folder = path};
    for (size_t r = 0; r < report->run_count; r++) {
        run_prefix(r, report->run_count, place.prefix);
        TRY(write_charts(&report->runs[r], &place));
    }
    return OK;
}

const struct report_format report_svg = {
    .id = "svg",
    .option = "svg",
    .file_name = "svg/",
    .summary = "the pictures of the report, each also as Vega-Lite for notebooks",
    .write = svg_write,
};
