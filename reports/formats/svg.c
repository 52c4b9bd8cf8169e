/* svg: the pictures as files in a folder, <kind>-<entry>-<family>[-<blocks>x<threads>][-<backend>].svg, and each as
 * .vl.json, Vega-Lite, beside it. */
#include "../../src/output.h"
#include "../chart/chart_svg.h"
#include "../chart/chart_vega.h"
#include "../charts/charts.h"
#include "../report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum status write_picture(const char *path, const struct picture *picture)
{
    struct output out;
    TRY(output_open(&out, path));
    fwrite(picture->svg, 1, picture->length, out.file);
    return output_close(&out);
}

/* "out/svg/histogram-2-gensum-120x256-cuda.svg" */
static char *path_of(const struct chart *chart, const char *folder, const char *ending)
{
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    char *path;
    return asprintf(&path, "%s%s%s%s", folder, slash, chart->name, ending) < 0 ? NULL : path;
}

static enum status write_svg(const struct chart *chart, const struct picture *picture, const char *folder)
{
    char *path = path_of(chart, folder, ".svg");
    const enum status status = path ? write_picture(path, picture) : out_of_memory("a file name");
    free(path);
    return status;
}

static enum status write_vega(const struct chart *chart, const char *folder)
{
    struct json_builder builder = {0};
    char *path = path_of(chart, folder, ".vl.json");
    const enum status status =
        path ? json_write(&builder, chart_vega(&builder, chart), 0, path) : out_of_memory("a file name");
    free(path);
    return status;
}

/* *missing: gnuplot gave no picture, and it was said why; the next would be missing for the same reason. */
static enum status write_chart(const struct chart *chart, const char *folder, bool *missing)
{
    struct picture picture = {0};
    enum status status = OK;
    if (!*missing)
        TRY(chart_svg(chart, &picture));
    if (picture.svg) {
        status = write_svg(chart, &picture, folder);
    } else if (!*missing) {
        complain("%s: no pictures: %s", folder, picture.reason);
        *missing = true;
    }
    picture_free(&picture);
    return status == OK ? write_vega(chart, folder) : status;
}

static enum status write_charts(const struct results *results, const char *folder)
{
    struct charts charts;
    bool missing = false;
    enum status status = charts_of(results, &charts);
    for (size_t i = 0; i < charts.count && status == OK; i++)
        status = write_chart(&charts.list[i], folder, &missing);
    charts_free(&charts);
    return status;
}

static enum status svg_write(const struct report *report, const char *path)
{
    if (*path == '\0' || strcmp(path, "-") == 0) {
        complain("--svg %s: pictures are several files; name a folder", path);
        return BAD_INPUT;
    }
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        complain("%s: no folder could be made: %s", path, strerror(errno));
        return NOT_MEASURED;
    }
    return write_charts(&report->runs[0], path);
}

const struct report_format report_svg = {
    .id = "svg",
    .option = "svg",
    .file_name = "svg/",
    .summary = "the pictures of the report, each also as Vega-Lite for notebooks",
    .write = svg_write,
};
