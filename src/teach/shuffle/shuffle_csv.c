/* A line per method and sum, in rising order: method,computed,computed_bits,error,count,order. */
#include "shuffle.h"

#include "reports/csv_field.h"
#include "src/files/output.h"

enum status shuffled_write_csv(const struct shuffled *shuffled, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    fputs("method,computed,computed_bits,error_ulp,count,order\n", out.file);
    for (size_t m = 0; m < shuffled->request->method_count; m++) {
        const struct shuffled_method *of = &shuffled->methods[m];
        for (size_t i = 0; i < of->distinct; i++) {
            const struct shuffled_sum *sum = &of->sums[i];
            csv_text(out.file, "", of->method->id);
            csv_double(out.file, ",", sum->computed);
            csv_bits(out.file, ",", of->method->format, format_bits(of->method->format, sum->computed));
            csv_double(out.file, ",", sum->error);
            csv_count(out.file, ",", sum->count);
            fprintf(out.file, ",shuffled:%" PRIu64 "\n", sum->order);
        }
    }
    return output_close(&out);
}
