#include "outputs.h"

/* The last and what follows: the index of a report format is added. */
enum {
    OUTPUT_KEY = 'o',
    TARGET_KEY = 2041,
    OVERWRITE_KEY,
    RESUME_KEY,
    HISTOGRAM_KEY,
    TOP_KEY,
    WIDTH_KEY,
    FONT_KEY,
    EXPORT_KEY
};

struct argp_option *outputs_options(const struct argp_option *fixed, const struct outputs_help *help)
{
    const struct argp_option usual[] = {
        {"output", OUTPUT_KEY, "DIR", 0, help->output, help->group},
        {"resume", RESUME_KEY, NULL, 0, "Continue the run in DIR", help->has_resume ? help->group : 0},
        {"overwrite", OVERWRITE_KEY, NULL, 0, help->overwrite, help->group},
        {"width", WIDTH_KEY, "LENGTH", 0,
         "Width of the pictures on paper, like 86mm or 3.4in; they are without title and subtitle then", help->group},
        {"font-size", FONT_KEY, "SIZE", 0, "Size of the letters in pictures on paper (default 9pt)", help->group},
        {"target", TARGET_KEY, "ERROR", 0,
         "The error you can live with: 2ulp, or 1e-6 of the sum; the report names the methods within it",
         help->target_group},
        {"histogram", HISTOGRAM_KEY, NULL, 0, "Draw the relative errors of each method on the terminal",
         help->target_group},
    };
    enum { USUAL = sizeof usual / sizeof *usual };
    size_t formats, count = 0;
    const struct report_format *const *format = report_formats(&formats);
    while (fixed[count].name || fixed[count].doc)
        count++;
    struct argp_option *options = memory_cleared(count + USUAL + formats + 2, sizeof *options);
    memcpy(options, fixed, count * sizeof *options);
    for (int group = 1; group <= help->group; group++) /* in the order of --help */
        for (int i = 0; i < USUAL; i++)
            if (usual[i].group == group)
                options[count++] = usual[i];
    for (size_t i = 0; i < formats; i++)
        if (format[i]->option)
            options[count++] = (struct argp_option){
                .name = format[i]->option,
                .key = EXPORT_KEY + (int)i,
                .arg = format[i]->is_folder ? "DIR" : "FILE",
                .doc = format[i]->summary,
                .group = help->group,
            };
    options[count] = (struct argp_option){
        .name = "top",
        .key = TOP_KEY,
        .arg = "N",
        .doc = "Lines of a table that a report shows at once (default 12; 0: all); the others are folded",
        .group = help->group,
    };
    return options;
}

/* "out//" is "out"; cut in place. */
static void set_directory(struct outputs *outputs, char *name)
{
    for (size_t length = strlen(name); length > 1 && name[length - 1] == '/'; length--)
        name[length - 1] = '\0';
    outputs->directory = name;
}

bool outputs_set(struct outputs *outputs, int key, char *value)
{
    size_t formats;
    (void)report_formats(&formats);
    if (key == OUTPUT_KEY)
        set_directory(outputs, value);
    else if (key == RESUME_KEY)
        outputs->resume = true;
    else if (key == OVERWRITE_KEY)
        outputs->overwrite = true;
    else if (key == HISTOGRAM_KEY)
        outputs->histogram = true;
    else if (key == TOP_KEY)
        outputs->top_text = value;
    else if (key == WIDTH_KEY)
        outputs->width = value;
    else if (key == FONT_KEY)
        outputs->font_size = value;
    else if (key >= EXPORT_KEY && key < EXPORT_KEY + (int)formats)
        outputs->exports[key - EXPORT_KEY] = value;
    else if (key != TARGET_KEY)
        return false;
    else if (target_read(value, "--target", &outputs->target) != OK)
        exit(argp_err_exit_status);
    return true;
}
