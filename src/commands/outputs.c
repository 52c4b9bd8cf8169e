#include "outputs.h"

#include "command.h"
#include "reports/charts/charts.h"
#include "src/base/output.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- options ---- */

enum { TOP_KEY = 2047, EXPORT_KEY = 2048 /* + the index of a report format */ };

/* A screen of lines is seen at once. */
enum { TOP_USUAL = 12, TOP_MOST = 1000000 };

struct argp_option *outputs_options(const struct argp_option *fixed, int group)
{
    size_t formats, count = 0;
    const struct report_format *const *format = report_formats(&formats);
    while (fixed[count].name || fixed[count].doc)
        count++;
    struct argp_option *options = calloc(count + formats + 2, sizeof *options);
    if (!options)
        return NULL;
    memcpy(options, fixed, count * sizeof *options);
    for (size_t i = 0; i < formats; i++)
        if (format[i]->option)
            options[count++] = (struct argp_option){
                .name = format[i]->option,
                .key = EXPORT_KEY + (int)i,
                .arg = report_is_folder(format[i]) ? "DIR" : "FILE",
                .doc = format[i]->summary,
                .group = group,
            };
    options[count] = (struct argp_option){
        .name = "top",
        .key = TOP_KEY,
        .arg = "N",
        .doc = "Lines of a table that a report shows at once (default 12; 0: all); the others are folded",
        .group = group,
    };
    return options;
}

bool outputs_set(struct outputs *outputs, int key, const char *value)
{
    size_t formats;
    (void)report_formats(&formats);
    if (key == TOP_KEY) {
        outputs->top_text = value;
        return true;
    }
    if (key < EXPORT_KEY || key >= EXPORT_KEY + (int)formats)
        return false;
    outputs->exports[key - EXPORT_KEY] = value;
    return true;
}

/* ---- checks ---- */

static enum status check_folder(const struct report_format *format, const char *path)
{
    struct stat facts;
    if (output_is_stdout(path) || *path == '\0') {
        complain("--%s: \"%s\" is not a folder; %s has several files; name a folder", format->option, path, format->id);
        return BAD_INPUT;
    }
    if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode))
        return OK;
    if (access(path, F_OK) != 0)
        return output_check(path);
    complain("--%s: %s is a file; expected a folder; name another", format->option, path);
    return BAD_INPUT;
}

static enum status check_exports(const struct outputs *outputs)
{
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    for (size_t i = 0; i < formats; i++) {
        const char *path = outputs->exports[i];
        if (path)
            TRY(report_is_folder(format[i]) ? check_folder(format[i], path) : output_check(path));
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
        if (outputs->exports[i]) {
            complain("-o - and --csv %s name the same output; expected one of them", outputs->exports[i]);
            return BAD_INPUT;
        }
        outputs->exports[i] = "-";
    }
    return OK;
}

enum status outputs_check(struct outputs *outputs)
{
    size_t formats, on_stdout = 0;
    (void)report_formats(&formats);
    outputs->top = TOP_USUAL;
    if (outputs->top_text)
        TRY(command_read_count(outputs->top_text, "--top", 0, TOP_MOST, &outputs->top));
    TRY(read_directory(outputs));
    for (size_t i = 0; i < formats; i++)
        on_stdout += output_is_stdout(outputs->exports[i]);
    if (on_stdout > 1) {
        complain("%zu outputs to \"-\"; expected at most one on standard output", on_stdout);
        return BAD_INPUT;
    }
    return check_exports(outputs);
}

/* ---- writing ---- */

static void remove_matching(const char *pattern)
{
    glob_t found = {0};
    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            unlink(found.gl_pathv[i]);
    globfree(&found);
}

/* "histogram-2-gensum.svg", "histogram-2-gensum.vl.json", and those of all other kinds */
static void remove_pictures(const char *folder)
{
    static const char *const endings[] = {".svg", ".vl.json"};
    for (int kind = 0; kind < CHART_KINDS; kind++)
        for (int ending = 0; ending < 2; ending++) {
            char *pattern = NULL;
            if (asprintf(&pattern, "%s%s*%s", folder, chart_kind_name((enum chart_kind)kind), endings[ending]) < 0)
                return;
            remove_matching(pattern);
            free(pattern);
        }
}

/* Removes the reports of an earlier run, so that none of them stays beside the new ones. */
static void remove_old(const char *directory)
{
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    for (size_t i = 0; i < formats; i++) {
        char *path = NULL;
        if (!format[i]->file_name || asprintf(&path, "%s/%s", directory, format[i]->file_name) < 0)
            continue;
        if (report_is_folder(format[i]))
            remove_pictures(path);
        else
            unlink(path);
        free(path);
    }
}

static enum status write_into_directory(const struct report *report, const char *directory)
{
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    for (size_t i = 0; i < formats; i++) {
        char *path = NULL;
        if (!format[i]->file_name)
            continue;
        if (asprintf(&path, "%s/%s", directory, format[i]->file_name) < 0)
            return out_of_memory("a file name");
        const enum status status = format[i]->write(report, path);
        free(path);
        TRY(status);
    }
    return OK;
}

enum status outputs_write(const struct outputs *outputs, const struct report *report)
{
    size_t formats;
    bool stdout_is_taken = false;
    const struct report_format *const *format = report_formats(&formats);
    if (outputs->directory) {
        remove_old(outputs->directory);
        TRY(write_into_directory(report, outputs->directory));
    }
    for (size_t i = 0; i < formats; i++) {
        if (!outputs->exports[i])
            continue;
        TRY(format[i]->write(report, outputs->exports[i]));
        stdout_is_taken |= output_is_stdout(outputs->exports[i]);
    }
    if (!stdout_is_taken)
        TRY(report_find("table")->write(report, "-"));
    if (outputs->directory && !stdout_is_taken)
        printf("\nreport: %s/report.html\n", outputs->directory);
    return OK;
}
