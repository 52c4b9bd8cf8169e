/* pdf: the pictures for papers, made of their SVG by librsvg's rsvg-convert. */
#include "reports/chart/chart_svg.h"
#include "reports/charts/charts.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

/* 0: it did; else what it exited with, or -1 where it could not be run, as errno says. */
static int convert(const char *argument, int from, int to)
{
    char *const arguments[] = {"rsvg-convert", (char *)argument, NULL};
    static char dated[] = "SOURCE_DATE_EPOCH=0"; /* equal pictures give equal bytes; this program has its own date */
    posix_spawn_file_actions_t actions;
    pid_t child;
    int exit_status = 0;
    size_t count = 0;
    while (environ[count])
        count++;
    char **variables = memory_cleared(count + 2, sizeof *variables);
    memcpy(variables, environ, count * sizeof *variables);
    variables[count] = getenv("SOURCE_DATE_EPOCH") ? NULL : dated;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    const int cause = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, variables);
    posix_spawn_file_actions_destroy(&actions);
    free(variables);
    errno = cause;
    if (cause != 0)
        return -1;
    while (waitpid(child, &exit_status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(exit_status) ? WEXITSTATUS(exit_status) : 128;
}

/* Before there is anything to draw. */
static enum status pdf_check(void)
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    const int answer = convert("--version", nothing, nothing);
    if (nothing >= 0)
        close(nothing);
    if (answer == 0)
        return OK;
    return bad_input("--pdf: rsvg-convert, which makes PDF of the pictures, %s; expected it on the PATH; install "
                     "librsvg2-bin (Debian, Ubuntu), librsvg2-tools (Fedora) or librsvg (Homebrew), or give --svg",
                     answer < 0 && errno == ENOENT ? "is not installed"
                     : answer < 0                  ? strerror(errno)
                                                   : "fails");
}

static enum status write_pdf(const struct chart *chart, const char *path)
{
    struct picture picture;
    struct output out;
    TRY(output_open(&out, path));
    FILE *svg = tmpfile();
    chart_svg(chart, &picture);
    const bool is_ready = svg && fwrite(picture.svg, 1, picture.length, svg) == picture.length && fflush(svg) == 0 &&
                          fseek(svg, 0, SEEK_SET) == 0;
    picture_free(&picture);
    const bool is_made = is_ready && convert("--format=pdf", fileno(svg), fileno(out.file)) == 0;
    if (svg)
        fclose(svg);
    if (!is_made)
        complain("%s: rsvg-convert made no PDF; expected one; give --svg", path);
    return output_end(&out, is_made ? OK : NOT_MEASURED);
}

static enum status pdf_write(const struct report *report, const char *path)
{
    static const struct picture_form form = {".pdf", write_pdf};
    return picture_files_write(report, "--pdf", path, &form, 1);
}

const struct report_format report_pdf = {
    .id = "pdf",
    .option = "pdf",
    .is_folder = true,
    .summary = "the pictures as PDF, for papers; takes rsvg-convert",
    .check = pdf_check,
    .write = pdf_write,
};
