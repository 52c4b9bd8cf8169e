/* svg: the pictures as files in a folder, <kind>-<entry>-<family>[-<blocks>x<threads>][-<backend>].svg; the numbers of
 * each also as .csv.  Of several runs, those of the first begin with "a-", as A in the comparison. */
#include "reports/chart/chart_svg.h"
#include "reports/charts/charts.h"

static enum status write_picture(const struct chart *chart, const char *folder, const char *prefix)
{
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    OWNED char *svg = text_made("%s%s%s%s.svg", folder, slash, prefix, chart->name),
               *csv = text_made("%s%s%s%s.csv", folder, slash, prefix, chart->name);
    TRY(chart_svg_write(chart, svg));
    return chart_csv_write(chart, csv);
}

static enum status svg_write(const struct report *report, const char *path)
{
    bool made;
    if (*path == '\0' || strcmp(path, "-") == 0)
        return bad_input("--svg %s: pictures are several files; name a folder", path);
    TRY(output_make_folder(path, &made));
    for (size_t r = 0; r < report->run_count; r++) {
        char prefix[RUN_PREFIX];
        FREED_BY(charts_free) struct charts charts = {0};
        run_prefix(r, report->run_count, prefix);
        charts_of(&report->runs[r], &charts);
        for (size_t i = 0; i < charts.count; i++)
            TRY(write_picture(&charts.list[i], path, prefix));
    }
    return OK;
}

const struct report_format report_svg = {
    .id = "svg",
    .option = "svg",
    .file_name = "svg/",
    .is_folder = true,
    .summary = "the pictures of the report, and the numbers of each as CSV",
    .write = svg_write,
};
