/* .parquet: a column, by pyarrow, in a Python that is started for it (ULPSCOPE_PYTHON, or python3) and writes it as an
 * .npy into a temporary file (python/ulpscope/parquet.py).
 */
#include "unpack.h"

#include <errno.h>
#include <generated/parquet_py.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

/* 0 and the status of the process, or an errno. */
static int run_python(const struct input *in, FILE *out, FILE *said, int *status)
{
    extern char **environ;
    const char *interpreter = getenv("ULPSCOPE_PYTHON"), *column = in->options->column;
    char most[32];
    size_t stem;
    const bool is_packed = packing_of(in->path, &stem) >= 0;
    pid_t process;
    posix_spawn_file_actions_t actions;
    snprintf(most, sizeof most, "%" PRIu64, unpacked_most(in->size));
    char *const arguments[] = {(char *)(interpreter && *interpreter ? interpreter : "python3"),
                               "-c",
                               (char *)PARQUET_PY,
                               (char *)(is_packed ? "/dev/stdin" : in->path),
                               (char *)(column ? column : ""),
                               most,
                               NULL};
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure)
        return failure;
    posix_spawn_file_actions_adddup2(&actions, fileno(in->file), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(said), STDERR_FILENO);
    failure = posix_spawnp(&process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (!failure && waitpid(process, status, 0) < 0 && errno == EINTR)
        continue;
    return failure;
}

/* The last line. */
static enum status refuse_as_said(const struct input *in, FILE *said, int failure)
{
    char line[800], found[800];
    strcpy(line, failure ? "Python cannot be started" : "Python failed, and did not say why");
    rewind(said);
    while (!failure && fgets(found, sizeof found, said))
        strcpy(line, found);
    line[strcspn(line, "\n")] = '\0';
    return refuse(in, "%s%s%s%s", line, failure ? ": " : "", failure ? strerror(failure) : "",
                  strchr(line, ';') ? "" : "; expected python3 with pyarrow, which reads it; save the column as .npy");
}

enum status read_parquet(struct input *in)
{
    int process = 0;
    FILE *out = tmpfile(), *said = tmpfile();
    enum status status = OK;
    if (!out || !said) {
        complain("%s: no temporary file to read it into: %s; make room in it", in->path, strerror(errno));
        status = NOT_MEASURED;
    } else {
        const int failure = run_python(in, out, said, &process);
        status = failure || process != 0 ? refuse_as_said(in, said, failure) : OK;
    }
    if (status == OK) {
        fclose(in->file);
        in->file = out;
        in->size = (uint64_t)lseek(fileno(out), 0, SEEK_END);
        rewind(out);
        status = read_npy(in);
    } else if (out) {
        fclose(out);
    }
    if (said)
        fclose(said);
    return status;
}
