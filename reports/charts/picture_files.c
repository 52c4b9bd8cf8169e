
#include "charts.h"
#include "reports/report.h"
#include "src/files/output.h"

static enum status write_forms(const struct chart *chart, const char *begin, const struct picture_form *forms,
                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        OWNED char *path = text_made("%s%s%s", begin, chart->name, forms[i].ending);
        TRY(forms[i].write(chart, path));
    }
    return OK;
}

enum status picture_files_write(const struct report *report, const char *flag, const char *folder,
                                const struct picture_form *forms, size_t count)
{
    bool made;
    if (*folder == '\0' || strcmp(folder, "-") == 0)
        return bad_input("%s %s: pictures are several files; name a folder", flag, folder);
    TRY(output_make_folder(folder, &made));
    for (size_t r = 0; r < report->run_count; r++) {
        char prefix[RUN_PREFIX];
        FREED_BY(charts_free) struct charts charts = {0};
        run_prefix(r, report->run_count, prefix);
        OWNED char *begin = text_made("%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", prefix);
        charts_of(&report->runs[r], &charts);
        for (size_t i = 0; i < charts.count; i++) {
            charts.list[i].paper = report->paper;
            TRY(write_forms(&charts.list[i], begin, forms, count));
        }
    }
    return OK;
}
