/* svg: the pictures as files in a folder; the numbers of each also as .csv. */
#include "reports/chart/chart_svg.h"
#include "reports/charts/charts.h"

static enum status svg_write(const struct report *report, const char *path)
{
    static const struct picture_form forms[] = {{".svg", chart_svg_write}, {".csv", chart_csv_write}};
    return picture_files_write(report, "--svg", path, forms, sizeof forms / sizeof *forms);
}

const struct report_format report_svg = {
    .id = "svg",
    .option = "svg",
    .file_name = "svg/",
    .is_folder = true,
    .summary = "the pictures of the report, and the numbers of each as CSV",
    .write = svg_write,
};
