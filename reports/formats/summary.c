/* summary: summary.csv, one line per series.  The metrics' columns come from metrics.def. */
#include "reports/csv_field.h"
#include "reports/incomplete.h"
#include "reports/statistic.h"

static void write_header(FILE *file, const char *const *more)
{
    fputs("method,data,n,backend,device,blocks,threads,count", file);
    for (int c = 0; c < CLASSES; c++)
        fprintf(file, ",count_%s", class_names[c]);
    for (int m = 0; m < METRICS; m++)
        for (enum statistic i = 0; metric_table[m].summarised && i < STATISTICS; i++)
            fprintf(file, ",%s_%s", metric_table[m].id, statistic_name(i));
    fputs(",distinct_bits,worst_trial,worst_repeat,worst_bits,worst_command,right_nonfinite,median_condition,height,"
          "relative_bound,relative_probable_bound,bits_sha256,worst_i,worst_j",
          file);
    for (; *more; more++)
        fprintf(file, ",%s", *more);
    fputc('\n', file);
}

static void write_statistics(FILE *file, const struct statistics *statistics)
{
    for (enum statistic i = 0; i < STATISTICS; i++)
        csv_double(file, ",", statistic_value(statistics, i));
}

static void write_series(FILE *file, const struct series *series, const char *const *more)
{
    csv_text(file, "", series->method);
    csv_text(file, ",", series->data);
    csv_count(file, ",", series->n);
    csv_text(file, ",", series->backend->id);
    csv_text(file, ",", series->device);
    csv_count(file, ",", series->launch.blocks);
    csv_count(file, ",", series->launch.threads);
    csv_count(file, ",", series->count);
    for (int c = 0; c < CLASSES; c++)
        csv_count(file, ",", series->classes[c]);
    for (int m = 0; m < METRICS; m++)
        if (metric_table[m].summarised)
            write_statistics(file, &series->statistics[m]);
    csv_count(file, ",", series->distinct_bits);
    csv_count(file, ",", series->worst_trial);
    csv_count(file, ",", series->worst_repeat);
    csv_bits(file, ",", series->format, series->worst_bits);
    csv_text(file, ",", series->worst_command);
    csv_count(file, ",", series->right_nonfinite);
    csv_double(file, ",", series->median_condition);
    csv_count(file, ",", series->height);
    csv_double(file, ",", series->relative_bound);
    csv_double(file, ",", series->relative_probabilistic_bound);
    csv_text(file, ",", series->bits_hash);
    csv_count(file, ",", series->worst_i);
    csv_count(file, ",", series->worst_j);
    for (; *more; more++)
        csv_text(file, ",", *more);
    fputc('\n', file);
}

static enum status summary_write(const struct report *report, const char *path)
{
    struct more_columns more;
    struct output out;
    TRY(output_open(&out, path));
    more_heads(report, &more);
    write_header(out.file, more.list);
    for (size_t r = 0; r < report->run_count; r++) {
        more_cells(report, r, &more);
        for (size_t i = 0; i < report->runs[r].series_count; i++)
            write_series(out.file, &report->runs[r].series[i], more.list);
    }
    return output_close(&out);
}

const struct report_format report_summary = {
    .id = "summary",
    .option = "summary",
    .file_name = "summary.csv",
    .summary = "statistics: one line per method and data spec",
    .write = summary_write,
};
