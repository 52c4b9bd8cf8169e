#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(struct output *out)
{
    free(out->path);
    free(out->temporary);
    *out = (struct output){0};
}

enum status output_open(struct output *out, const char *path)
{
    *out = (struct output){0};
    if (strcmp(path, "-") == 0) {
        out->file = stdout;
        return OK;
    }
    out->path = strdup(path);
    if (!out->path || asprintf(&out->temporary, "%s.XXXXXX", path) < 0) {
        out->temporary = NULL;
        forget(out);
        return out_of_memory("a file name");
    }
    const int fd = mkstemp(out->temporary);
    if (fd < 0) {
        complain("%s: cannot be written: %s; name a folder that exists and that you may write to", path,
                 strerror(errno));
        forget(out);
        return BAD_INPUT;
    }
    const mode_t mask = umask(0);
    umask(mask);
    out->file = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "w") : NULL;
    if (!out->file) {
        complain("%s: cannot be written: %s", path, strerror(errno));
        close(fd);
        unlink(out->temporary);
        forget(out);
        return NOT_MEASURED;
    }
    return OK;
}

static enum status close_stdout(struct output *out)
{
    const int failed = fflush(out->file) != 0 || ferror(out->file);
    const int cause = errno;
    forget(out);
    if (failed)
        complain("standard output: %s; the results are not complete", strerror(cause));
    return failed ? NOT_MEASURED : OK;
}

enum status output_close(struct output *out)
{
    if (!out->path)
        return close_stdout(out);
    errno = 0;
    int failed = ferror(out->file) || fflush(out->file) != 0 || fsync(fileno(out->file)) != 0;
    failed = fclose(out->file) != 0 || failed;
    failed = failed || rename(out->temporary, out->path) != 0;
    if (failed) {
        complain("%s: not written: %s; nothing was left under that name", out->path,
                 errno ? strerror(errno) : "an earlier write failed");
        unlink(out->temporary);
    }
    forget(out);
    return failed ? NOT_MEASURED : OK;
}

void output_discard(struct output *out)
{
    if (out->path) {
        fclose(out->file);
        unlink(out->temporary);
    }
    forget(out);
}
