
#include "csv_field.h"

/* Metrics with a place among the contract's columns; the rest of metrics.def follows after the last of these. */
static const bool has_a_place[METRICS] = {
    [METRIC_abs_error] = true,      [METRIC_relative_error] = true, [METRIC_ulp_error] = true,
    [METRIC_backward_error] = true, [METRIC_bound_ratio] = true,
};

void csv_write_header(FILE *file, const char *const *more)
{
    fputs("method,data,n,format,operation,seed,trial,backend,device,blocks,threads,repeat,computed,computed_bits,exact,"
          "nearest_bits,abs_error,relative_error,ulp_error,backward_error,condition,bound,bound_ratio,class,height,"
          "probable_bound,weight,stored,added,i,j,digest",
          file);
    for (enum metric m = 0; m < METRICS; m++)
        if (!has_a_place[m])
            fprintf(file, ",%s", metric_table[m].id);
    for (; more && *more; more++)
        fprintf(file, ",%s", *more);
    fputc('\n', file);
}

void csv_write_row(FILE *file, const struct result *row, const char *const *more)
{
    csv_text(file, "", row->method);
    csv_text(file, ",", row->data);
    csv_count(file, ",", row->n);
    csv_text(file, ",", row->format->name);
    csv_text(file, ",", operation_table[row->operation].id);
    csv_count(file, ",", row->seed);
    csv_count(file, ",", row->trial);
    csv_text(file, ",", row->backend->id);
    csv_text(file, ",", row->device);
    csv_count(file, ",", row->launch.blocks);
    csv_count(file, ",", row->launch.threads);
    csv_count(file, ",", row->repeat);
    csv_double(file, ",", row->computed); /* of 1e+12, binary32's shortest, binary64 would make a number 4096 off */
    csv_bits(file, ",", row->format, row->computed_bits);
    csv_text(file, ",", row->exact);
    csv_bits(file, ",", row->format, row->nearest_bits);
    csv_double(file, ",", row->metrics[METRIC_abs_error]);
    csv_double(file, ",", row->metrics[METRIC_relative_error]);
    csv_double(file, ",", row->metrics[METRIC_ulp_error]);
    csv_double(file, ",", row->metrics[METRIC_backward_error]);
    csv_double(file, ",", row->condition);
    csv_double(file, ",", row->bound);
    csv_double(file, ",", row->metrics[METRIC_bound_ratio]);
    csv_text(file, ",", class_names[row->class]);
    csv_count(file, ",", row->height);
    csv_double(file, ",", row->probabilistic_bound);
    csv_count(file, ",", row->weight);
    const struct sum_format *formats = sum_format_of_method(row->method);
    csv_text(file, ",", formats ? formats->stored->name : "");
    csv_text(file, ",", formats ? formats->added->name : "");
    csv_count(file, ",", row->i);
    csv_count(file, ",", row->j);
    csv_text(file, ",", row->digest);
    for (enum metric m = 0; m < METRICS; m++)
        if (!has_a_place[m])
            csv_double(file, ",", row->metrics[m]);
    for (; more && *more; more++)
        csv_text(file, ",", *more);
    fputc('\n', file);
}
