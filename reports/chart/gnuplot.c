#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct channels {
    int script, output, errors;
};

/* An open file without a name; -1 when there is no room for one. */
static int nameless_file(void)
{
    const char *folder = getenv("TMPDIR");
    char *path;
    if (asprintf(&path, "%s/ulpscope.XXXXXX", folder && *folder ? folder : "/tmp") < 0)
        return -1;
    const int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    free(path);
    return fd;
}

static int write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(fd, text, length);
        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
    return lseek(fd, 0, SEEK_SET) == 0 ? 0 : -1;
}

/* The whole file with a 0 behind it; NULL when it cannot be read. */
static char *read_all(int fd, size_t *length)
{
    struct stat facts;
    if (fstat(fd, &facts) != 0)
        return NULL;
    *length = (size_t)facts.st_size;
    char *text = malloc(*length + 1);
    for (size_t done = 0; text && done < *length;) {
        const ssize_t got = pread(fd, text + done, *length - done, (off_t)done);
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            free(text);
            text = NULL;
        }
    }
    if (text)
        text[*length] = '\0';
    return text;
}

/* --default-settings: the picture shall not depend on the user's ~/.gnuplot. */
static int spawn(const struct channels *channels, pid_t *child)
{
    char *arguments[] = {(char[]){"gnuplot"}, (char[]){"--default-settings"}, (char[]){"-"}, NULL};
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawn_file_actions_adddup2(&actions, channels->script, STDIN_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, channels->output, STDOUT_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, channels->errors, STDERR_FILENO);
    if (!failed)
        failed = posix_spawnp(child, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* The state as of waitpid; -1 when there is none. */
static int wait_for(pid_t child)
{
    int state;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return -1;
    return state;
}

/* gnuplot quotes the script first and explains below it: the last line says most. */
static void explain_failure(int state, int errors, char reason[GNUPLOT_REASON])
{
    size_t length = 0;
    char *text = read_all(errors, &length);
    while (text && length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    const char *line = text ? strrchr(text, '\n') : NULL;
    line = line ? line + 1 : text;
    if (state != -1 && WIFSIGNALED(state))
        snprintf(reason, GNUPLOT_REASON, "gnuplot was ended by signal %d (%s)", WTERMSIG(state),
                 strsignal(WTERMSIG(state)));
    else
        snprintf(reason, GNUPLOT_REASON, "gnuplot failed: %.200s", line && *line ? line : "it does not say why");
    free(text);
}

static enum status run_in(const struct channels *channels, const char *script, char **output, size_t *length,
                          char reason[GNUPLOT_REASON])
{
    pid_t child;
    if (write_all(channels->script, script, strlen(script)) != 0) {
        snprintf(reason, GNUPLOT_REASON, "no temporary file could be written (%s); make room or set TMPDIR",
                 strerror(errno));
        return OK;
    }
    const int not_started = spawn(channels, &child);
    if (not_started == ENOENT) {
        snprintf(reason, GNUPLOT_REASON, "gnuplot was not found; install gnuplot-nox");
        return OK;
    }
    if (not_started) {
        snprintf(reason, GNUPLOT_REASON, "gnuplot could not be started: %s", strerror(not_started));
        return OK;
    }
    const int state = wait_for(child);
    if (state != 0) {
        explain_failure(state, channels->errors, reason);
        return OK;
    }
    *output = read_all(channels->output, length);
    return *output ? OK : out_of_memory("a picture");
}

enum status gnuplot_run(const char *script, char **output, size_t *length, char reason[GNUPLOT_REASON])
{
    *output = NULL;
    *length = 0;
    *reason = '\0';
    enum status status = OK;
    const struct channels channels = {nameless_file(), nameless_file(), nameless_file()};
    if (channels.script < 0 || channels.output < 0 || channels.errors < 0)
        snprintf(reason, GNUPLOT_REASON, "no temporary file could be made (%s); set TMPDIR", strerror(errno));
    else
        status = run_in(&channels, script, output, length, reason);
    const int files[] = {channels.script, channels.output, channels.errors};
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0)
            close(files[i]);
    return status;
}
