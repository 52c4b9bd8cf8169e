#include "folder_lock.h"
#include "output.h"
#include "src/base/unfinished.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDERS_VANISHED_MOST = 1000 }; /* each time another process made or removed it in between */

static struct folder_lock *held; /* by this process, to which the kernel would give its own lock again */

static bool is_same_file(const struct stat *facts, const struct stat *others)
{
    return facts->st_dev == others->st_dev && facts->st_ino == others->st_ino;
}

static bool is_held(const char *folder)
{
    struct stat wanted, facts;
    if (stat(folder, &wanted) != 0)
        return false;
    for (const struct folder_lock *lock = held; lock; lock = lock->next)
        if (stat(lock->folder, &facts) == 0 && is_same_file(&facts, &wanted))
            return true;
    return false;
}

/* A holder removes the file before it lets go, so that a lock may be on a file that has no name any more. */
static bool has_its_name(const struct folder_lock *lock)
{
    struct stat named, opened;
    return lstat(lock->path, &named) == 0 && fstat(lock->file, &opened) == 0 && is_same_file(&named, &opened);
}

static enum status refuse(const struct folder_lock *lock, pid_t pid)
{
    char name[32] = ""; /* a process in another container has no pid here */
    if (pid > 0)
        snprintf(name, sizeof name, " (pid %ld)", (long)pid);
    return bad_input(
        "%s: another ulpscope%s writes here; expected to be the only one; wait for it to end, or name another folder",
        lock->folder, name);
}

/* On a file system without locks the file is of no use to anybody. */
static void clean_up(const struct folder_lock *lock, int cause)
{
    if (lock->file < 0 || (cause != ENOSYS && cause != EOPNOTSUPP))
        return;
    unlink(lock->path);
    if (lock->made)
        rmdir(lock->folder);
}

static enum status cannot_be_locked(const struct folder_lock *lock)
{
    const int cause = errno;
    complain("%s: cannot be locked: %s; expected a folder that one ulpscope at a time can write to; name another",
             lock->path, strerror(cause));
    clean_up(lock, cause);
    return status_of_cause(cause);
}

/* OK without *taken: the folder or its lock changed meanwhile, so that another try may succeed. */
static enum status try_to_take(struct folder_lock *lock, bool *taken)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool made;
    TRY(output_make_folder(lock->folder, &made));
    lock->made |= made;
    lock->file = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (lock->file < 0)
        return errno == ENOENT ? OK : cannot_be_locked(lock);
    if (fcntl(lock->file, F_SETLK, &all) == 0) {
        *taken = has_its_name(lock);
        return OK;
    }
    if (errno != EACCES && errno != EAGAIN)
        return cannot_be_locked(lock);
    const bool is_told = fcntl(lock->file, F_GETLK, &all) == 0;
    return is_told && all.l_type == F_UNLCK ? OK : refuse(lock, is_told ? all.l_pid : 0);
}

static void forget(struct folder_lock *lock)
{
    free_all(lock->folder, lock->path);
    *lock = (struct folder_lock){0};
}

static enum status take(struct folder_lock *lock)
{
    bool taken = false;
    for (int i = 0; i < FOLDERS_VANISHED_MOST; i++) {
        const enum status status = try_to_take(lock, &taken);
        if (taken)
            return OK;
        if (lock->file >= 0)
            close(lock->file);
        TRY(status);
    }
    if (access(lock->folder, F_OK) == 0) /* like /proc, where a file that is to be made is not found */
        return bad_input("%s: no file can be made there; expected a folder of files; name another", lock->folder);
    return not_measured(
        "%s: other programs removed it each time that it was made; expected a folder that stays; name another",
        lock->folder);
}

enum status folder_lock_take(struct folder_lock *lock, const char *folder)
{
    *lock =
        (struct folder_lock){.folder = memory_copy(folder), .path = text_made("%s/.ulpscope.lock", folder), .file = -1};
    const bool is_again = is_held(folder);
    const enum status status = is_again ? OK : take(lock);
    if (status != OK || is_again) {
        forget(lock);
        return status;
    }
    unfinished_add(lock->path);
    lock->next = held;
    held = lock;
    return OK;
}

enum status folder_lock_take_of(struct folder_lock *lock, const char *file)
{
    const char *slash = strrchr(file, '/');
    if (!slash)
        return folder_lock_take(lock, ".");
    OWNED char *folder = text_made("%.*s", slash == file ? 1 : (int)(slash - file), file);
    return folder_lock_take(lock, folder);
}

void folder_lock_release(struct folder_lock *lock)
{
    if (!lock->folder)
        return;
    for (struct folder_lock **link = &held; *link; link = &(*link)->next)
        if (*link == lock) {
            *link = lock->next;
            break;
        }
    unlink(lock->path); /* while it is held: later it may be another's */
    unfinished_drop(lock->path);
    close(lock->file);
    if (lock->made)
        rmdir(lock->folder);
    forget(lock);
}
