/* svg: the pictures as files in a folder; each also as .vl.json, Vega-Lite, and its numbers as .csv. */
#include "reports/chart/chart_svg.h"
#include "reports/charts/charts.h"

static enum status write_vega(const struct chart *chart, const char *path)
{
    return json_write(chart_vega(chart), 0, path);
}

static enum status svg_write(const struct report *report, const char *path)
{
    static const struct picture_form forms[] = {
        {".svg", chart_svg_write}, {".vl.json", write_vega}, {".csv", chart_csv_write}};
    return picture_files_write(report, "--svg", path, forms, sizeof forms / sizeof *forms);
}

const struct report_format report_svg = {
    .id = "svg",
    .option = "svg",
    .file_name = "svg/",
    .is_folder = true,
    .summary = "the pictures of the report, each also as Vega-Lite for notebooks, and its numbers as CSV",
    .write = svg_write,
};
