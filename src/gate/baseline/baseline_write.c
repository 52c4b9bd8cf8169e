#include "baseline_field.h"

#include "src/files/output.h"

/* A line per series, so that git shows which ones changed; what is above them seldom does. */
static void write_series(FILE *file, const struct baseline_series *line)
{
    OWNED char *name = baseline_name(line);
    write_json_text(file, name);
    fputs(": ", file);
    write_fields(file, line);
}

static void write_all(FILE *file, const struct baseline *baseline)
{
    fprintf(file, "{\n\"schema\": \"ulpscope-baseline/2\",\n\"seed\": %" PRIu64 ",\n\"title\": ", baseline->seed);
    write_json_text(file, baseline->title);
    fputs(",\n\"series\": {", file);
    for (size_t i = 0; i < baseline->count; i++) {
        fputs(i == 0 ? "\n" : ",\n", file);
        write_series(file, &baseline->series[i]);
    }
    fputs("\n}\n}\n", file);
}

enum status baseline_write(const struct baseline *baseline, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    write_all(out.file, baseline);
    return output_close(&out);
}
