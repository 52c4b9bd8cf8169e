#include "web.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A page has one process. */
int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const *words, char *const *environment)
{
    (void)child, (void)file, (void)actions, (void)attributes, (void)words, (void)environment;
    return ENOSYS;
}

int memfd_create(const char *name, unsigned flags)
{
    (void)name, (void)flags;
    errno = ENOSYS;
    return -1;
}

int prctl(int what, ...)
{
    (void)what;
    return 0;
}

/* That of emscripten begins as 0777: no file could be read again. */
mode_t umask(mode_t mask)
{
    static mode_t now = 022;
    const mode_t before = now;
    now = mask;
    return before;
}

/* ... and one processor. */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    (void)process;
    memset(set, 0, size);
    CPU_SET(0, set);
    return 0;
}

int __sched_cpucount(size_t size, const cpu_set_t *set)
{
    (void)size, (void)set;
    return 1;
}

int scandirat(int folder, const char *path, struct dirent ***entries, int (*has)(const struct dirent *),
              int (*compare)(const struct dirent **, const struct dirent **))
{
    const int opened = openat(folder, path, O_RDONLY | O_DIRECTORY);
    DIR *read = opened < 0 ? NULL : fdopendir(opened);
    struct dirent **list = NULL;
    int count = 0;
    if (!read)
        return -1;
    for (const struct dirent *entry; (entry = readdir(read));) {
        if (has && !has(entry))
            continue;
        struct dirent **longer = realloc(list, (unsigned)(count + 1) * sizeof *list);
        struct dirent *copy = malloc(sizeof *copy);
        if (!longer || !copy)
            abort();
        list = longer;
        list[count++] = memcpy(copy, entry, sizeof *copy);
    }
    closedir(read);
    if (compare && count > 0)
        qsort(list, (size_t)count, sizeof *list, (int (*)(const void *, const void *))compare);
    *entries = list;
    return count;
}

/* By merging: equal elements stay in order, as glibc's do. */
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context)
{
    char *first = base;
    if (count < 2)
        return;
    const size_t half = count / 2;
    qsort_r(first, half, size, compare, context);
    qsort_r(first + half * size, count - half, size, compare, context);
    char *sorted = malloc(count * size), *to = sorted, *left = first, *right = first + half * size;
    char *const middle = right, *const end = first + count * size;
    if (!sorted)
        abort();
    for (; to < sorted + count * size; to += size) {
        char **from = right == end || (left < middle && compare(left, right, context) <= 0) ? &left : &right;
        memcpy(to, *from, size);
        *from += size;
    }
    memcpy(base, sorted, count * size);
    free(sorted);
}

/* A status is none of atexit's.  It says which code a failed stdout leaves as it is; that of an instance never fails. */
enum { MOST = 8 };
static struct {
    void (*function)(int status, void *context);
    void *context;
} ends[MOST];
static int ends_count;

static void run_last(void)
{
    ends_count--;
    ends[ends_count].function(0, ends[ends_count].context);
}

int on_exit(void (*function)(int status, void *context), void *context)
{
    if (ends_count == MOST || atexit(run_last) != 0)
        return -1;
    ends[ends_count].function = function;
    ends[ends_count++].context = context;
    return 0;
}
