#include "compare.h"

#include "src/base/clock.h"
#include "src/base/progress.h"

#include <limits.h>
#include <unistd.h>

/* What a whole command is measured against: a loop that needs neither memory nor more than one core. */
static const char yardstick[] = "bench --device host -m plain/serial -n 1Mi --repeats 5 --quiet --json -";

/* What the exit of a process was for us. */
static enum status status_of_exit(int end, const char *line)
{
    static const enum status statuses[] = {OK, LIMIT_BROKEN, BAD_INPUT, NOT_MEASURED, NO_DEVICE};
    const int code = WIFEXITED(end) ? WEXITSTATUS(end) : -1;
    if (code == 0)
        return OK;
    if (WIFSIGNALED(end) || code > 128)
        complain("ended by signal %d: %s", WIFSIGNALED(end) ? WTERMSIG(end) : code - 128, line);
    else
        complain("exit %d: %s", code, line);
    return code > 0 && code < (int)(sizeof statuses / sizeof *statuses) ? statuses[code] : NOT_MEASURED;
}

/* Runs the line and gives what it prints, where that is JSON; else NULL. */
static enum status run(const char *line, json_t **printed)
{
    json_error_t error;
    FILE *output = popen(line, "re");
    if (!output)
        return not_measured("no process could be started for: %s", line);
    *printed = json_loadf(output, 0, &error);
    while (getc(output) != EOF)
        ;
    return status_of_exit(pclose(output), line);
}

static char *line_of(const char *program, const char *words, const char *more)
{
    struct text line = {0};
    text_append_shell_word(&line, program);
    text_append(&line, " %s%s", words, more);
    return text_take(&line);
}

static enum status run_bench(const char *program, const char *words, const char *more, json_t **bench)
{
    OWNED char *line = line_of(program, words, more);
    *bench = NULL;
    TRY(run(line, bench));
    return !json_is_object(*bench) ? not_measured("no JSON came from: %s", line) : OK;
}

static enum status time_whole(const char *program, const char *command, double *seconds)
{
    OWNED char *line = line_of(program, command, " >/dev/null");
    json_auto_t *nothing = NULL;
    const double start = clock_of_wall();
    const enum status status = run(line, &nothing);
    *seconds = clock_of_wall() - start;
    return status;
}

static enum status add_wholes(const struct visits *visits, const char *program, struct shares *shares)
{
    json_auto_t *serial = NULL;
    if (visits->whole_count == 0)
        return OK;
    TRY(run_bench(program, yardstick, "", &serial));
    const json_t *last = json_array_get(json_object_get(serial, "lines"), 1);
    const double microseconds = json_number_value(json_object_get(json_object_get(last, "microseconds"), "median"));
    for (size_t i = 0; i < visits->whole_count; i++) {
        double seconds;
        TRY(time_whole(program, visits->wholes[i], &seconds));
        TRY(shares_add_whole(shares, visits->wholes[i], microseconds / 1e6 / seconds));
    }
    return OK;
}

static enum status visit(const struct visits *visits, const char *program, const char *calls, struct shares *shares)
{
    OWNED char *more = text_made(" --quiet --json -%s%s", calls ? " --calls=" : "", calls ? calls : "");
    json_auto_t *bench = NULL;
    enum status status = run_bench(program, visits->words, more, &bench);
    if (status == OK)
        status = shares_add_visit(shares, bench, program);
    if (status == OK)
        status = add_wholes(visits, program, shares);
    for (int i = 0; i < 2 && status == OK && shares->visits == 0; i++)
        if (visits->files[i])
            status = shares_check_alike(shares, visits->files[i], visits->file_names[i]);
    return status == OK ? shares_end_visit(shares, program) : status;
}

/* An older program knows only one way to call kernels, which this one then takes too. */
static const char *calls_of_ours(const struct visits *visits, const struct shares *then)
{
    return visits->calls_are_given || !then->calls || !*then->calls ? NULL : then->calls;
}

enum status visits_make(const struct visits *visits, struct shares *now, struct shares *then)
{
    char program[PATH_MAX];
    struct progress progress;
    enum status status = OK;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    progress_start(&progress, visits->count, 0, visits->quiet);
    for (size_t v = 0; v < visits->count && status == OK; v++) {
        const bool other_first = visits->other && v % 2 == 0;
        if (other_first)
            status = visit(visits, visits->other, NULL, then);
        if (status == OK)
            status = visit(visits, program, calls_of_ours(visits, then), now);
        if (status == OK && visits->other && !other_first)
            status = visit(visits, visits->other, NULL, then);
        progress_update(&progress, v + 1);
    }
    progress_end(&progress);
    return status;
}
