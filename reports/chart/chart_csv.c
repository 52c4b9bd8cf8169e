#include "chart.h"

#include "reports/csv_field.h"
#include "src/files/output.h"

static const char *word_of(const struct chart_axis *axis, double at)
{
    for (size_t i = 0; i < axis->tick_count; i++)
        if (axis->ticks[i].apart && axis->ticks[i].at == at)
            return axis->ticks[i].text;
    return "";
}

/* Two columns. */
static void write_place(FILE *file, const struct chart_axis *axis, double at)
{
    const char *word = word_of(axis, at);
    if (*word || isnan(at))
        fputc(',', file);
    else
        csv_double(file, ",", at);
    csv_text(file, ",", word);
}

static void write_point(FILE *file, const struct chart *chart, const struct chart_panel *panel,
                        const struct chart_mark *mark, const struct chart_point *point)
{
    csv_text(file, "", panel->title ? panel->title : "");
    csv_text(file, ",", mark->of ? mark->of : "");
    csv_text(file, ",", mark->name ? mark->name : "");
    write_place(file, &chart->x, point->x);
    write_place(file, &chart->y, point->y);
    write_place(file, &chart->y, point->other);
    csv_text(file, ",", point->label ? point->label : "");
    fputc('\n', file);
}

enum status chart_csv_write(const struct chart *chart, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    fputs("panel,series,mark,x,x_word,y,y_word,to,to_word,label\n", out.file);
    for (size_t p = 0; p < chart->panel_count; p++)
        for (size_t m = 0; m < chart->panels[p]->mark_count; m++)
            for (size_t i = 0; i < chart->panels[p]->marks[m]->point_count; i++)
                write_point(out.file, chart, chart->panels[p], chart->panels[p]->marks[m],
                            &chart->panels[p]->marks[m]->points[i]);
    return output_end(&out, OK);
}
