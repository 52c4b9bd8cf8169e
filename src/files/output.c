#include "output.h"
#include "claim.h"
#include "src/base/mode.h"
#include "src/base/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Temporary files.  Until an output is whole it has another name in the same folder: ".ulpscope-" and six letters.
 *
 * Its writer holds a lock on it, flock(2), which the kernel drops with the process.  So a temporary file that can be
 * locked was left by a killed process, and the next process that makes one in this folder removes it.  Files that
 * another process is writing, files of other users, and other names are left alone.
 */

#define MARK ".ulpscope-"
#define LETTERS "XXXXXX"

/* ---- what was left ---- */

static bool has_name(const struct dirent *entry)
{
    return strncmp(entry->d_name, MARK, sizeof MARK - 1) == 0 && strlen(entry->d_name) == sizeof MARK LETTERS - 1;
}

static bool is_named(int folder, const char *name, int file)
{
    struct stat named, opened;
    return fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(file, &opened) == 0 &&
           named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

static void remove_dead(int folder, const char *name)
{
    struct stat facts;
    if (fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode) || facts.st_uid != geteuid())
        return;
    const int file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && is_named(folder, name, file))
        unlinkat(folder, name, 0);
    close(file);
}

/* Once for many files of a process in one folder. */
static bool is_swept(int folder)
{
    static struct stat swept;
    struct stat facts;
    if (fstat(folder, &facts) != 0)
        return true;
    const bool again = facts.st_dev == swept.st_dev && facts.st_ino == swept.st_ino;
    swept = facts;
    return again;
}

/* What cannot be read or removed is left for another time. */
static void sweep(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    if (!is_swept(dirfd(folder)))
        for (const struct dirent *entry; (entry = readdir(folder));)
            if (has_name(entry))
                remove_dead(dirfd(folder), entry->d_name);
    closedir(folder);
}

/* ---- a new one ---- */

/* *gone: another process took it for a dead one and removed it before it was locked here.  On a file system without
 * locks the file is not locked. */
static int make_locked(char *name, bool *gone)
{
    struct stat facts;
    const int file = mkostemp(name, O_CLOEXEC);
    if (file < 0)
        return -1;
    *gone = flock(file, LOCK_EX) == 0 && fstat(file, &facts) == 0 && facts.st_nlink == 0;
    if (*gone)
        close(file);
    return file;
}

/* Makes one beside `path`, open for writing and locked until it is closed; *name is allocated.  On failure
 * -1 and errno, and *name is NULL. */
static int temporary_make(const char *path, char **name)
{
    enum { TRIES = 100 };
    const char *slash = strrchr(path, '/');
    const int length = slash ? (int)(slash - path) + 1 : 0;
    *name = text_made("%.*s" MARK LETTERS, length, path);
    char *letters = *name + strlen(*name) - strlen(LETTERS), *mark = *name + length;
    *mark = '\0';
    sweep(length > 0 ? *name : ".");
    *mark = MARK[0];
    bool gone = true;
    int file = -1;
    for (int i = 0; i < TRIES && gone; i++) {
        memcpy(letters, LETTERS, strlen(LETTERS));
        gone = false;
        file = make_locked(*name, &gone);
    }
    if (file >= 0 && !gone)
        return file;
    const int cause = file < 0 ? errno : EAGAIN;
    free(*name);
    *name = NULL;
    errno = cause;
    return -1;
}

static void forget(struct output *out)
{
    if (out->temporary)
        unfinished_drop(out->temporary);
    free_all(out->path, out->temporary);
    *out = (struct output){0};
}

static enum status cannot_be_written(const char *path)
{
    const enum status status = status_of_cause(errno);
    complain("%s: cannot be written: %s; %s", path, strerror(errno),
             status == BAD_INPUT ? "name a folder that you may write to" : "nothing was changed; try again");
    return status;
}

/* All folders that the path goes through. */
static bool make_parents(const char *path)
{
    OWNED char *name = memory_copy(path);
    bool fine = true;
    for (char *slash = name; fine && *slash && (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        fine = mkdir(name, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    return fine;
}

enum status output_make_folder(const char *path, bool *made)
{
    struct stat facts;
    *made = make_parents(path) && mkdir(path, 0777) == 0;
    int cause = errno;
    const bool exists = *made || stat(path, &facts) == 0;
    if (*made || (exists && S_ISDIR(facts.st_mode)))
        return OK;
    if (cause == EEXIST && !exists)
        cause = errno; /* it is there, and cannot be looked at */
    const enum status status = status_of_cause(cause);
    complain("%s: cannot be made: %s; %s", path, strerror(cause),
             status == BAD_INPUT ? "name a folder where you may write" : "try again");
    return status;
}

/* The name of the file itself, behind any links, and whether it is a device or a pipe. */
static enum status resolve(const char *path, char **resolved, bool *is_special)
{
    struct stat facts;
    if (*path == '\0')
        return bad_input("\"\": expected a file name, found none; give one, or - for stdout");
    const bool exists = stat(path, &facts) == 0;
    if (!exists && errno != ENOENT)
        return cannot_be_written(path); /* nobody knows what would be replaced */
    *is_special = exists && !S_ISREG(facts.st_mode);
    if (exists && S_ISDIR(facts.st_mode))
        return bad_input("%s: is a folder; expected the name of a file; name a file in it", path);
    *resolved = exists && !*is_special ? realpath(path, NULL) : memory_copy(path);
    if (*resolved)
        return OK;
    return errno == ENOMEM ? out_of_memory("a file name") : cannot_be_written(path);
}

static enum status open_special(struct output *out)
{
    out->file = fopen(out->path, "w");
    if (out->file)
        return OK;
    const enum status status = cannot_be_written(out->path);
    forget(out);
    return status;
}

/* Where the file, or the first folder on its way that is to be made, will stand; cuts the path. */
static const char *nearest_folder(char *path)
{
    char *slash;
    do {
        slash = strrchr(path, '/');
        if (!slash)
            return ".";
        slash[slash == path] = '\0'; /* "/x" lies in "/" */
    } while (slash != path && access(path, F_OK) != 0 && errno == ENOENT);
    return path;
}

static bool is_open_folder(const char *path)
{
    struct stat facts;
    if (stat(path, &facts) != 0 || S_ISDIR(facts.st_mode))
        return access(path, W_OK) == 0;
    errno = ENOTDIR;
    return false;
}

static enum status check_place(const char *path)
{
    OWNED char *resolved = NULL;
    bool is_special;
    TRY(resolve(path, &resolved, &is_special));
    for (size_t length = strlen(resolved); length > 1 && resolved[length - 1] == '/'; length--)
        resolved[length - 1] = '\0'; /* the name of a folder to be made */
    const bool fine = is_special ? access(path, W_OK) == 0 : is_open_folder(nearest_folder(resolved));
    return fine ? OK : cannot_be_written(path);
}

enum status output_check(const char *flag, const char *path)
{
    if (!path || output_is_stdout(path))
        return OK;
    TRY(check_place(path));
    return claim_to_write(flag, path);
}

enum status output_check_folder(const char *flag, const char *path)
{
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode))
        TRY(check_place(path));
    return claim_folder(flag, path);
}

bool output_is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

enum status output_check_all(const struct output_wish *wishes, size_t count)
{
    const char *on_stdout = NULL; /* its flag */
    for (size_t i = 0; i < count; i++) {
        if (output_is_stdout(wishes[i].path) && on_stdout)
            return bad_input("%s and %s: two outputs to standard output; expected one; name a file for the other",
                             on_stdout, wishes[i].flag);
        if (output_is_stdout(wishes[i].path))
            on_stdout = wishes[i].flag;
        TRY(output_check(wishes[i].flag, wishes[i].path));
    }
    return OK;
}

enum status output_open(struct output *out, const char *path)
{
    bool is_special;
    *out = (struct output){0};
    if (strcmp(path, "-") == 0) {
        out->file = stdout;
        return OK;
    }
    TRY(claim_check_unread(path));
    TRY(resolve(path, &out->path, &is_special));
    if (is_special)
        return open_special(out);
    const int fd = make_parents(out->path) ? temporary_make(out->path, &out->temporary) : -1;
    if (fd < 0) {
        const enum status status = cannot_be_written(path);
        forget(out);
        return status;
    }
    unfinished_add(out->temporary);
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

/* NULL, or why not all is written.  The cause of an earlier write is not kept: one more byte fails for the same. */
static const char *trouble_of(FILE *file)
{
    static char left[96];
    const char *mode = mode_lost();
    if (mode) {
        __fpurge(file);
        snprintf(left, sizeof left, "a library left the processor %s; unset LD_PRELOAD or rebuild it", mode);
        return left;
    }
    errno = 0;
    if (fflush(file) == 0 && !ferror(file))
        return NULL;
    if (errno == 0 && fputc('\n', file) != EOF)
        (void)fflush(file);
    return errno ? strerror(errno) : "an earlier write failed";
}

static enum status close_stdout(struct output *out)
{
    const char *trouble = trouble_of(out->file);
    forget(out);
    if (!trouble)
        return OK;
    __fpurge(stdout); /* told once: nothing is left that would fail at exit, too */
    complain("standard output: %s; the results are not complete%s", trouble,
             mode_lost() ? "" : "; free some space, or write elsewhere");
    clearerr(stdout);
    return NOT_MEASURED;
}

static enum status close_special(struct output *out)
{
    const char *trouble = trouble_of(out->file);
    if (fclose(out->file) != 0 && !trouble)
        trouble = strerror(errno);
    if (trouble)
        complain("%s: not written in full: %s; the results there are not complete", out->path, trouble);
    forget(out);
    return trouble ? NOT_MEASURED : OK;
}

enum status output_close(struct output *out)
{
    if (!out->path)
        return close_stdout(out);
    if (!out->temporary)
        return close_special(out);
    const char *trouble = trouble_of(out->file);
    if (!trouble && fsync(fileno(out->file)) != 0)
        trouble = strerror(errno);
    if (!trouble && rename(out->temporary, out->path) != 0)
        trouble = strerror(errno);
    if (trouble) {
        complain("%s: not written: %s; what was there before, if anything, is as it was", out->path, trouble);
        unlink(out->temporary);
    }
    (void)fclose(out->file); /* last, since it ends the lock; all bytes were synced, so that it has nothing to say */
    forget(out);
    return trouble ? NOT_MEASURED : OK;
}

enum status output_end(struct output *out, enum status status)
{
    if (status == OK)
        return output_close(out);
    if (out->path) {
        if (out->temporary)
            unlink(out->temporary);
        fclose(out->file);
    }
    forget(out);
    return status;
}
