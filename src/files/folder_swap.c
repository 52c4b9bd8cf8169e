#include "folder_swap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_TOLD = 4 };

static const char new_folder[] = FOLDER_OWN "/new";

static enum status cannot(const struct folder_swap *swap, const char *name, const char *what)
{
    const int cause = errno;
    return caused_by(cause, "%s/%s: cannot be %s: %s; what was in the folder is as it was", swap->folder, name, what,
                     strerror(cause));
}

/* ---- on the disk ---- */

/* A file system that cannot do this for folders says so with EINVAL. */
static bool is_synced(int folder)
{
    return fsync(folder) == 0 || errno == EINVAL;
}

/* Of "svg/x.svg" 3; 0 for a name without a folder. */
static int length_of_folder(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? (int)(slash - name) : 0;
}

static void close_folder(int folder)
{
    const int cause = errno;
    if (folder >= 0)
        close(folder);
    errno = cause;
}

static int open_below(int folder, const char *name, int length)
{
    OWNED char *part = text_made("%.*s", length, name);
    return openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The folder that a name lies in, and its last part.  -1: there is none, or it is behind a link, where nothing is ours,
 * whatever a list says: svg/x.svg of an svg that points elsewhere. */
static int open_folder_of(int top, const char *name, const char **last)
{
    int folder = open_below(top, ".", 1);
    for (const char *slash; folder >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
        const int below = open_below(folder, name, (int)(slash - name));
        close_folder(folder);
        folder = below;
    }
    *last = name;
    return folder;
}

static bool sync_below(int top, const char *name)
{
    const char *last;
    const int folder = open_folder_of(top, name, &last);
    const bool fine = folder >= 0 && is_synced(folder);
    close_folder(folder);
    return fine;
}

static bool sync_folders(int top, const struct folder_files *files)
{
    const char *last = "";
    bool fine = is_synced(top);
    for (size_t i = 0; i < files->count && fine; i++) {
        const char *name = files->names[i];
        const int length = length_of_folder(name);
        if (length > 0 && (length != length_of_folder(last) || strncmp(name, last, (size_t)length) != 0))
            fine = sync_below(top, name);
        last = name;
    }
    return fine;
}

/* ---- the new ones become the old ones ---- */

static bool look_at(int top, const char *name, struct stat *facts)
{
    const char *last;
    const int folder = open_folder_of(top, name, &last);
    const bool is_seen = folder >= 0 && fstatat(folder, last, facts, AT_SYMLINK_NOFOLLOW) == 0;
    close_folder(folder);
    return is_seen;
}

/* What cannot be looked at is not gone. */
static bool is_gone(int top, const char *name)
{
    struct stat facts;
    return !look_at(top, name, &facts) && (errno == ENOENT || errno == ENOTDIR);
}

/* "svg/x.svg": one folder deep is as deep as reports go. */
static bool make_folder_of(int top, const char *name)
{
    const int length = length_of_folder(name);
    OWNED char *folder = text_made("%.*s", length, name);
    return length == 0 || mkdirat(top, folder, 0777) == 0 || errno == EEXIST;
}

/* What SQLite keeps beside a database belongs to that database alone; beside another one it would be taken for its own.
 */
static void remove_journals(int folder)
{
    static const char *const names[] = {FOLDER_RUN "-wal", FOLDER_RUN "-shm", FOLDER_RUN "-journal"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlinkat(folder, names[i], 0);
}

static bool move(int from, int to, const char *name)
{
    const char *last;
    const int old = open_folder_of(from, name, &last), new = open_folder_of(to, name, &last);
    const bool fine = old >= 0 && new >= 0 && renameat(old, last, new, last) == 0;
    close_folder(old);
    close_folder(new);
    return fine;
}

/* "+run.db" waits in .ulpscope itself.  A file that no longer waits was moved by a process that was killed later. */
static bool put_in_place(const struct folder_swap *swap, const char *name)
{
    const bool is_run = *name == '+';
    const int from = is_run ? swap->in_own : swap->in_new;
    name += is_run;
    if (is_gone(from, name))
        return true;
    if (is_run)
        remove_journals(swap->in_folder);
    return make_folder_of(swap->in_folder, name) && move(from, swap->in_folder, name);
}

/* And its folder, if that is empty now. */
static bool remove_stale(const struct folder_swap *swap, const char *name)
{
    const char *last;
    const int in = open_folder_of(swap->in_folder, name, &last);
    const bool fine = (in >= 0 && unlinkat(in, last, 0) == 0) || errno == ENOENT || errno == ENOTDIR;
    OWNED char *folder = text_made("%.*s", length_of_folder(name), name);
    if (fine && in >= 0 && *folder)
        unlinkat(swap->in_folder, folder, AT_REMOVEDIR);
    close_folder(in);
    return fine;
}

/* A file that cannot be removed stays ours, so that the next report removes it. */
static enum status remove_all_stale(const struct folder_swap *swap, struct folder_files *ready)
{
    enum status status = OK;
    for (size_t i = 0; i < swap->ours.count; i++) {
        const char *name = swap->ours.names[i];
        if (folder_files_has(ready, name) || strcmp(name, FOLDER_RUN) == 0 || remove_stale(swap, name))
            continue;
        complain("%s/%s: cannot be removed, though it is of an earlier report: %s; all new files are in their places",
                 swap->folder, name, strerror(errno));
        folder_files_add(ready, name);
        status = NOT_MEASURED;
    }
    return status;
}

static enum status not_in_place(const struct folder_swap *swap, const char *name)
{
    return not_measured("%s/%s: the new file cannot be put in its place: %s; all new ones are whole and wait in %s; "
                        "the next ulpscope that writes into %s finishes this",
                        swap->folder, name, strerror(errno), swap->place, swap->folder);
}

static enum status not_on_disk(const struct folder_swap *swap)
{
    return not_measured("%s: its new files are in their places, but the disk does not confirm it: %s; the next "
                        "ulpscope that writes into %s tries again",
                        swap->folder, strerror(errno), swap->folder);
}

/* Makes what is ready ours. */
static enum status finish(struct folder_swap *swap, struct folder_files *ready)
{
    for (size_t i = 0; i < ready->count; i++) {
        char *const name = ready->names[i];
        if (!put_in_place(swap, name))
            return not_in_place(swap, name + (*name == '+'));
        if (*name == '+')
            memmove(name, name + 1, strlen(name));
    }
    if (!sync_folders(swap->in_folder, ready))
        return not_on_disk(swap);
    const enum status removed = remove_all_stale(swap, ready);
    TRY(folder_files_write(ready, swap->list));
    if (unlinkat(swap->in_own, "files.new", 0) != 0) /* it must not speak for the next files in new/ */
        return not_on_disk(swap);
    folder_files_free(&swap->ours);
    swap->ours = *ready;
    *ready = (struct folder_files){0};
    return is_synced(swap->in_own) ? removed : not_on_disk(swap);
}

static enum status finish_for_another(struct folder_swap *swap)
{
    FREED_BY(folder_files_free) struct folder_files ready = {0};
    TRY(folder_files_read(&ready, swap->new_list));
    if (ready.is_listed)
        TRY(finish(swap, &ready));
    return OK;
}

/* ---- opening ---- */

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    (void)remove(path);
    return 0;
}

static void sweep(const struct folder_swap *swap)
{
    enum { OPEN_MOST = 4 };
    (void)nftw(swap->place, remove_one, OPEN_MOST, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static int make_below(int folder, const char *name)
{
    if (folder >= 0 && mkdirat(folder, name, 0777) != 0 && errno != EEXIST)
        return -1;
    return open_below(folder, name, (int)strlen(name));
}

static enum status open_folders(struct folder_swap *swap)
{
    swap->in_folder = open(swap->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (swap->in_folder < 0)
        return cannot(swap, "", "opened");
    swap->in_own = make_below(swap->in_folder, FOLDER_OWN);
    if (swap->in_own < 0)
        return cannot(swap, FOLDER_OWN, "made");
    swap->in_new = make_below(swap->in_own, "new");
    return swap->in_new < 0 ? cannot(swap, new_folder, "made") : OK;
}

enum status folder_swap_open(struct folder_swap *swap, const char *folder)
{
    *swap = (struct folder_swap){
        .folder = folder,
        .place = text_made("%s/%s", folder, new_folder),
        .list = text_made("%s/" FOLDER_OWN "/files", folder),
        .new_list = text_made("%s/" FOLDER_OWN "/files.new", folder),
        .in_folder = -1,
        .in_own = -1,
        .in_new = -1,
    };
    TRY(open_folders(swap));
    TRY(folder_files_read(&swap->ours, swap->list));
    TRY(finish_for_another(swap));
    close(swap->in_new);
    sweep(swap);
    swap->in_new = make_below(swap->in_own, "new");
    swap->is_open = swap->in_new >= 0;
    return swap->is_open ? OK : cannot(swap, new_folder, "made");
}

/* A list is removed when all of its files are gone, or were never made. */
static void forget_list(const struct folder_swap *swap)
{
    for (size_t i = 0; i < swap->ours.count; i++)
        if (!is_gone(swap->in_folder, swap->ours.names[i]))
            return;
    if (is_gone(swap->in_own, "files.new") && is_gone(swap->in_own, FOLDER_RUN))
        unlinkat(swap->in_own, "files", 0);
}

void folder_swap_close(struct folder_swap *swap)
{
    if (!swap->folder)
        return;
    if (swap->is_open && is_gone(swap->in_own, "files.new"))
        sweep(swap);
    if (swap->is_open)
        forget_list(swap);
    if (swap->in_own >= 0) { /* the folders, if they are empty */
        unlinkat(swap->in_own, "new", AT_REMOVEDIR);
        unlinkat(swap->in_folder, FOLDER_OWN, AT_REMOVEDIR);
    }
    const int opened[] = {swap->in_new, swap->in_own, swap->in_folder};
    for (size_t i = 0; i < sizeof opened / sizeof *opened; i++)
        if (opened[i] >= 0)
            close(opened[i]);
    free_all(swap->place, swap->list, swap->new_list);
    folder_files_free(&swap->ours);
    *swap = (struct folder_swap){0};
}

/* ---- what is not ours ---- */

static bool is_ours(const struct folder_swap *swap, const char *name, const struct stat *facts)
{
    return S_ISREG(facts->st_mode) && folder_files_has(&swap->ours, name);
}

static enum status refuse_folder(const struct folder_swap *swap, const char *name)
{
    return bad_input("%s/%s: is a folder; expected a file, or none; name another folder, or move it away", swap->folder,
                     name);
}

static enum status refuse_no_folder(const struct folder_swap *swap, const char *name)
{
    return bad_input("%s/%.*s: is a file or a link; expected a folder, or none; name another folder, or move it away",
                     swap->folder, length_of_folder(name), name);
}

static enum status refuse_files(const struct folder_swap *swap, struct text *names, size_t count)
{
    if (count > NAMES_TOLD)
        text_append(names, " and %zu more", count - NAMES_TOLD);
    OWNED char *text = text_take(names);
    return bad_input(
        "%s: %s: not written by ulpscope; expected a folder without such files; name another folder, move them "
        "away, or give --overwrite to replace them",
        swap->folder, text);
}

enum status folder_swap_refuse_foreign(const struct folder_swap *swap, const struct folder_files *names,
                                       bool replaces_foreign)
{
    struct text foreign = {0};
    size_t count = 0;
    struct stat facts;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->names[i];
        const bool is_seen = look_at(swap->in_folder, name, &facts);
        if (!is_seen && errno == ENOENT)
            continue;
        if (!is_seen && errno == ENOTDIR) {
            free(text_take(&foreign));
            return refuse_no_folder(swap, name);
        }
        if (!is_seen || S_ISDIR(facts.st_mode)) {
            const enum status status = is_seen ? refuse_folder(swap, name) : cannot(swap, name, "looked at");
            free(text_take(&foreign));
            return status;
        }
        if (!replaces_foreign && !is_ours(swap, name, &facts) && ++count <= NAMES_TOLD)
            text_append(&foreign, "%s%s", count > 1 ? ", " : "", name);
    }
    if (count > 0)
        return refuse_files(swap, &foreign, count);
    free(text_take(&foreign));
    return OK;
}

enum status folder_swap_announce(struct folder_swap *swap, const char *name)
{
    struct stat facts;
    if (fstatat(swap->in_folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && facts.st_size > 0)
        return OK;
    folder_files_add(&swap->ours, name);
    return folder_files_write(&swap->ours, swap->list);
}

/* ---- all or none ---- */

static int is_no_dot(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static enum status list_new(const struct folder_swap *swap, const char *below, struct folder_files *files);

static enum status list_one(const struct folder_swap *swap, const char *below, const char *entry,
                            struct folder_files *files)
{
    struct stat facts;
    OWNED char *name = text_made("%s%s%s", below, *below ? "/" : "", entry);
    if (fstatat(swap->in_new, name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
        TRY(cannot(swap, new_folder, "read"));
    else if (S_ISDIR(facts.st_mode))
        TRY(list_new(swap, name, files));
    else
        folder_files_add(files, name);
    return OK;
}

static enum status list_new(const struct folder_swap *swap, const char *below, struct folder_files *files)
{
    OWNED struct dirent **entries = NULL;
    enum status status = OK;
    const int count = scandirat(swap->in_new, *below ? below : ".", &entries, is_no_dot, alphasort);
    if (count < 0)
        return cannot(swap, new_folder, "read");
    for (int i = 0; i < count; i++) {
        if (status == OK)
            status = list_one(swap, below, entries[i]->d_name, files);
        free(entries[i]);
    }
    return status;
}

static enum status list_all(const struct folder_swap *swap, struct folder_swap_wish wish, struct folder_files *ready)
{
    if (wish.brings_run)
        folder_files_add(ready, "+" FOLDER_RUN);
    else if (wish.has_run || folder_files_has(&swap->ours, FOLDER_RUN))
        folder_files_add(ready, FOLDER_RUN);
    return list_new(swap, "", ready);
}

static enum status write_list(const struct folder_swap *swap, const struct folder_files *ready)
{
    if (!is_synced(swap->in_own) || !sync_folders(swap->in_new, ready))
        return cannot(swap, new_folder, "written to the disk");
    TRY(folder_files_write(ready, swap->new_list));
    if (is_synced(swap->in_own))
        return OK;
    const enum status status = cannot(swap, FOLDER_OWN, "written to the disk");
    unlinkat(swap->in_own, "files.new", 0);
    return status;
}

enum status folder_swap_commit(struct folder_swap *swap, struct folder_swap_wish wish)
{
    FREED_BY(folder_files_free) struct folder_files ready = {0}, reports = {0};
    TRY(list_new(swap, "", &reports));
    TRY(folder_swap_refuse_foreign(swap, &reports, wish.replaces_foreign));
    TRY(list_all(swap, wish, &ready));
    TRY(write_list(swap, &ready));
    return finish(swap, &ready);
}
