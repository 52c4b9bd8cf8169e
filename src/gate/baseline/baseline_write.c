#include "baseline_field.h"
#include "baseline_name.h"

#include "src/files/output.h"

#include <inttypes.h>
#include <stdlib.h>

/* A line per series, so that git shows which ones changed; what is above them seldom does. */
static void write_series(struct line_writer *to, const struct baseline_series *line)
{
    char *name = baseline_name(line);
    if (name)
        write_json_text(to, name);
    to->failed |= !name;
    fputs(": ", to->file);
    write_fields(to, line);
    free(name);
}

static void write_all(struct line_writer *to, const struct baseline *baseline)
{
    fprintf(to->file, "{\n\"schema\": \"ulpscope-baseline/2\",\n\"seed\": %" PRIu64 ",\n\"title\": ", baseline->seed);
    write_json_text(to, baseline->title);
    fputs(",\n\"series\": {", to->file);
    for (size_t i = 0; i < baseline->count; i++) {
        fputs(i == 0 ? "\n" : ",\n", to->file);
        write_series(to, &baseline->series[i]);
    }
    fputs("\n}\n}\n", to->file);
}

enum status baseline_write(const struct baseline *baseline, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    struct line_writer to = {out.file, false};
    write_all(&to, baseline);
    return output_end(&out, to.failed ? out_of_memory("the baseline") : OK);
}
