#include "outputs.h"
#include "command.h"
#include "reports/axes/axis_matrix.h"
#include "src/files/claim.h"
#include "src/files/output.h"
#include "src/results/results_load.h"

#include <sys/stat.h>
#include <unistd.h>

/* ---- checks ---- */

static enum status check_folder(const struct report_format *format, const char *flag, const char *path)
{
    struct stat facts;
    if (output_is_stdout(path) || *path == '\0')
        return bad_input("%s: \"%s\" is not a folder; %s has several files; name a folder", flag, path, format->id);
    if (stat(path, &facts) != 0 || S_ISDIR(facts.st_mode))
        return output_check_folder(flag, path);
    return bad_input("%s: %s is a file; expected a folder; name another", flag, path);
}

static enum status check_exports(const struct outputs *outputs)
{
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    for (size_t i = 0; i < formats; i++) {
        const char *path = outputs->exports[i];
        char flag[32];
        if (!path)
            continue;
        snprintf(flag, sizeof flag, "--%s", format[i]->option);
        TRY(format[i]->is_folder ? check_folder(format[i], flag, path) : output_check(flag, path));
    }
    return OK;
}

/* Whether it is the folder .ulpscope of another: a run in there would take the place of one that waits. */
static bool is_own_folder(const char *directory)
{
    OWNED char *whole = realpath(directory, NULL);
    const char *path = whole ? whole : directory;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    const char *slash = memrchr(path, '/', length);
    const char *name = slash ? slash + 1 : path;
    const size_t name_length = (size_t)(path + length - name);
    return name_length == strlen(FOLDER_OWN) && strncmp(name, FOLDER_OWN, name_length) == 0;
}

static enum status check_directory_name(const char *directory)
{
    if (*directory == '\0')
        return bad_input("-o: expected the name of a folder, found none; give one");
    if (!is_own_folder(directory))
        return OK;
    return bad_input(
        "-o: \"%s\" is where ulpscope keeps what is not complete; expected a folder of your own; name another",
        directory);
}

/* What -o DIR will have in it. */
static enum status check_directory(const char *directory)
{
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    if (directory)
        TRY(check_directory_name(directory));
    for (size_t i = 0; directory && i < formats; i++) {
        if (!format[i]->file_name)
            continue;
        OWNED char *path = text_made("%s/%s", directory, format[i]->file_name);
        TRY(format[i]->is_folder ? claim_folder("-o", path) : claim_to_write("-o", path));
    }
    return OK;
}

/* -o - is --csv -. */
static enum status read_directory(struct outputs *outputs)
{
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    if (!output_is_stdout(outputs->directory))
        return OK;
    outputs->directory = NULL;
    for (size_t i = 0; i < formats; i++) {
        if (strcmp(format[i]->id, "csv") != 0)
            continue;
        if (outputs->exports[i])
            return bad_input("-o - and --csv %s name the same output; expected one of them", outputs->exports[i]);
        outputs->exports[i] = "-";
    }
    return OK;
}

static enum status check_mode(const struct outputs *outputs)
{
    if ((outputs->resume || outputs->overwrite) && !outputs->directory)
        return bad_input("%s needs a folder; give it with -o DIR", outputs->resume ? "--resume" : "--overwrite");
    if (outputs->resume && outputs->overwrite)
        return bad_input("--resume and --overwrite exclude each other; give one");
    return OK;
}

/* A screen of lines is seen at once. */
enum { TOP_USUAL = 12, TOP_MOST = 1000000 };

enum status outputs_check(struct outputs *outputs)
{
    size_t formats, on_stdout = 0;
    (void)report_formats(&formats);
    outputs->top = TOP_USUAL;
    TRY(command_read_count(outputs->top_text, "--top", 0, TOP_MOST, &outputs->top));
    TRY(read_directory(outputs));
    for (size_t i = 0; i < formats; i++)
        on_stdout += output_is_stdout(outputs->exports[i]);
    if (on_stdout > 1)
        return bad_input("%zu outputs to \"-\"; expected at most one on standard output", on_stdout);
    TRY(check_directory(outputs->directory));
    TRY(check_exports(outputs));
    return outputs->makes_run ? check_mode(outputs) : OK;
}

/* ---- the folder ---- */

enum store_mode outputs_mode(const struct outputs *outputs)
{
    return outputs->resume ? STORE_RESUME : outputs->overwrite ? STORE_OVERWRITE : STORE_NEW;
}

/* What every report writes there, but for the pictures, whose names are not known yet. */
static void list_names(struct folder_files *names)
{
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    for (size_t i = 0; i < formats; i++)
        if (format[i]->file_name && !format[i]->is_folder)
            folder_files_add(names, format[i]->file_name);
}

static enum status look_around(const struct outputs *outputs, struct output_folder *folder)
{
    FREED_BY(folder_files_free) struct folder_files names = {0};
    folder->replaces_foreign = outputs->overwrite;
    list_names(&names);
    return folder_swap_refuse_foreign(&folder->swap, &names, folder->replaces_foreign);
}

enum status outputs_enter(const struct outputs *outputs, struct output_folder *folder)
{
    *folder = (struct output_folder){0};
    if (!outputs->directory)
        return OK;
    TRY(folder_lock_take(&folder->lock, outputs->directory));
    TRY(folder_swap_open(&folder->swap, outputs->directory));
    TRY(look_around(outputs, folder));
    return outputs->makes_run ? folder_swap_announce(&folder->swap, FOLDER_RUN) : OK;
}

void outputs_leave(struct output_folder *folder)
{
    folder_swap_close(&folder->swap);
    folder_lock_release(&folder->lock);
}

/* ---- writing ---- */

static enum status write_into_directory(const struct report *report, const char *directory)
{
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    for (size_t i = 0; i < formats; i++) {
        if (!format[i]->file_name)
            continue;
        OWNED char *path = text_made("%s/%s", directory, format[i]->file_name);
        TRY(format[i]->write(report, path));
    }
    return OK;
}

/* "out/svg" is filled under the lock of out/ where out/ is a folder of -o. */
static enum status lock_above(struct folder_lock *lock, const char *path)
{
    OWNED char *above = text_made("%s/..", path), *own = text_made("%s/" FOLDER_OWN, above);
    return access(own, F_OK) == 0 ? folder_lock_take(lock, above) : OK;
}

static enum status write_pictures(const struct report *report, const struct report_format *format, const char *path)
{
    struct folder_lock lock, above = {0};
    TRY(folder_lock_take(&lock, path));
    enum status status = lock_above(&above, path);
    if (status == OK)
        status = format->write(report, path);
    folder_lock_release(&above);
    folder_lock_release(&lock);
    return status;
}

static enum status write_export(const struct report *report, const struct report_format *format, const char *path)
{
    return format->is_folder ? write_pictures(report, format, path) : format->write(report, path);
}

/* The run first, so that no report stands beside a run that could not be stored. */
static enum status write_folder(const struct output_folder *folder, const struct report *report, struct store *measured)
{
    TRY(measured ? store_settle(measured) : OK);
    return write_into_directory(report, folder->swap.place);
}

static enum status put_folder(struct output_folder *folder, const struct report *report, struct store *measured)
{
    const enum status status = write_folder(folder, report, measured);
    if (status != OK) {
        complain("%s: its reports are as they were, since not all new ones could be written", folder->swap.folder);
        return status;
    }
    return folder_swap_commit(&folder->swap, (struct folder_swap_wish){.has_run = measured,
                                                                       .brings_run = measured && store_waits(measured),
                                                                       .replaces_foreign = folder->replaces_foreign});
}

/* An incomplete run does not replace another. */
static bool is_for_later(const struct outputs *outputs, const struct report *report, const struct store *measured)
{
    if (!measured || !store_waits(measured) || report->runs[0].cases >= report->runs[0].study.cases)
        return false;
    complain("%s: still holds the previous run and its reports; the new run is not complete and waits in %s/" FOLDER_OWN
             ", which `ulpscope report` reads; the same command with --resume in place of --overwrite continues it",
             outputs->directory, outputs->directory);
    return true;
}

enum status outputs_write(const struct outputs *outputs, struct output_folder *folder, const struct report *report,
                          struct store *measured)
{
    size_t formats;
    bool stdout_is_taken = false;
    const struct report_format *const *format = report_formats(&formats);
    const bool is_put = outputs->directory && !is_for_later(outputs, report, measured);
    if (is_put)
        TRY(put_folder(folder, report, measured));
    for (size_t i = 0; i < formats; i++) {
        if (!outputs->exports[i])
            continue;
        TRY(write_export(report, format[i], outputs->exports[i]));
        stdout_is_taken |= output_is_stdout(outputs->exports[i]);
    }
    if (!stdout_is_taken)
        TRY((outputs->print ? outputs->print : report_find("table")->write)(report, "-"));
    if (is_put && !stdout_is_taken) {
        putchar('\n');
        clean_line(stdout, "report: %s/report.html", outputs->directory);
    } else if (!stdout_is_taken && !outputs->print && report->run_count == 1) {
        puts("More: -o DIR writes report.html, with all tables");
    }
    return OK;
}

enum status outputs_write_run(const struct outputs *outputs, struct output_folder *folder, struct store *made,
                              struct results *results)
{
    const char *name = outputs->directory ? outputs->directory : "";
    const struct report report = {results, &name, 1, outputs->target, outputs->top};
    TRY(results_load(made, results));
    return outputs_write(outputs, folder, &report, made);
}

/* The last and what follows: the index of a report format is added. */
enum { OUTPUT_KEY = 'o', TARGET_KEY = 2041, OVERWRITE_KEY, RESUME_KEY, TOP_KEY, EXPORT_KEY };

struct argp_option *outputs_options(const struct argp_option *fixed, const struct outputs_help *help)
{
    const struct argp_option usual[] = {
        {"output", OUTPUT_KEY, "DIR", 0, help->output, help->group},
        {"resume", RESUME_KEY, NULL, 0, "Continue the run in DIR", help->has_resume ? help->group : 0},
        {"overwrite", OVERWRITE_KEY, NULL, 0, help->overwrite, help->group},
        {"target", TARGET_KEY, "ERROR", 0,
         "The error you can live with: 2ulp, or 1e-6 of the sum; the report names the methods within it",
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
    else if (key == TOP_KEY)
        outputs->top_text = value;
    else if (key >= EXPORT_KEY && key < EXPORT_KEY + (int)formats)
        outputs->exports[key - EXPORT_KEY] = value;
    else if (key != TARGET_KEY)
        return false;
    else if (target_read(value, "--target", &outputs->target) != OK)
        exit(argp_err_exit_status);
    return true;
}

/* A result above its bound is a bug in the code or in the theorem, whatever else was asked. */
enum status bounds_check(const struct results *results)
{
    enum status status = OK;
    for (size_t i = 0; i < results->series_count; i++) {
        const struct series *series = &results->series[i];
        if (!(series->statistics[METRIC_bound_ratio].max > 1))
            continue;
        complain("%s on %s, %s: the error is %.3g times the %s; its worst case: %s", series->method, series->data,
                 series->backend->id, series->statistics[METRIC_bound_ratio].max,
                 series->backend == BACKEND_OF(plugin)
                     ? "bound that it claims, or that any order of additions has; expected at most 1: it computes "
                       "something else"
                     : "proven bound; expected at most 1: a bug in the code or in the theorem",
                 series_rerun(series, METRIC_bound_ratio));
        status = LIMIT_BROKEN;
    }
    for (size_t i = 0; i < results->variation_count; i++) {
        const struct varied_axis *varied = &results->variations[i];
        if (!axis_is_wrong(varied))
            continue;
        complain("%s on %s, %s: %s, which no order of additions gives; expected at most 1; vary it again: %s",
                 varied->method, varied->data, axis_table[varied->axis].id, varied->why, varied->command);
        status = LIMIT_BROKEN;
    }
    return status;
}
