#include "temporary.h"
#include "src/base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

int temporary_make(const char *path, char **name)
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
