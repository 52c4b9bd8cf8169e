/* Fails one call of a program, chosen by its number: a library to be loaded before all others.
 *
 *     LD_PRELOAD=libfail_calls.so FAIL_CALLS=memory:17 ulpscope list methods     the 17th allocation fails, once
 *     LD_PRELOAD=libfail_calls.so FAIL_CALLS=memory:17+ ulpscope list methods    and each one after it
 *
 * Kinds: memory (malloc and its like, by whichever library), threads (pthread_create), maps (mmap).  Calls are counted
 * from main() on.  What the program starts is left alone.
 *
 * With FAIL_CALLS=server the program stops before main() and reads lines "KIND K ONCE SECONDS" from stdin (K 0: none
 * fails; ONCE 0: each later one fails as well).  For each it forks a copy of itself, which reads ../in (or nothing) and
 * writes ../out and ../err.  When the copy has ended, a line "STATUS COUNT ADDRESS..." goes to stdout: what waitpid
 * says, the calls of that kind, and who asked for what failed.  A fault costs a millisecond so: nothing is loaded
 * again.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { MEMORY, THREADS, MAPS, KINDS, NONE = KINDS };
static const char *const kind_names[KINDS] = {"memory", "threads", "maps"};

enum { FRAMES = 24 };

/* Shared by a server and its copies. */
static struct said {
    _Atomic unsigned long count;
    int frame_count;
    void *frames[FRAMES];
} * said;

static struct {
    enum kind kind;
    unsigned long number;
    bool is_once;
} wish = {NONE, 0, true};

static _Thread_local int loading; /* libraries, one within the other */

static bool fails(enum kind kind)
{
    if (kind != wish.kind || !said || loading > 0)
        return false;
    const unsigned long number = atomic_fetch_add(&said->count, 1) + 1;
    if (wish.number == 0 || number < wish.number || (wish.is_once && number != wish.number))
        return false;
    if (number == wish.number)
        said->frame_count = backtrace(said->frames, FRAMES);
    errno = kind == MEMORY || kind == MAPS ? ENOMEM : EAGAIN;
    return true;
}

/* ---- the calls ---- */

/* The next library's: of the C library, or of a sanitizer before it. */
static void find_real(const char *name, void *function)
{
    void *address = dlsym(RTLD_NEXT, name);
    if (!address)
        abort();
    memcpy(function, &address, sizeof address); /* ISO C knows no cast from an object to a function */
}

#define ALLOCATOR(result, failed, name, parameters, arguments)                                                         \
    result name parameters                                                                                             \
    {                                                                                                                  \
        static __typeof__(&name) next;                                                                                 \
        if (!next)                                                                                                     \
            find_real(#name, &next);                                                                                   \
        return fails(MEMORY) ? failed : next arguments;                                                                \
    }

ALLOCATOR(void *, NULL, malloc, (size_t size), (size))
ALLOCATOR(void *, NULL, calloc, (size_t count, size_t size), (count, size))
ALLOCATOR(void *, NULL, realloc, (void *old, size_t size), (old, size))
ALLOCATOR(void *, NULL, reallocarray, (void *old, size_t count, size_t size), (old, count, size))
ALLOCATOR(void *, NULL, memalign, (size_t alignment, size_t size), (alignment, size))
ALLOCATOR(void *, NULL, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
ALLOCATOR(int, ENOMEM, posix_memalign, (void **to, size_t alignment, size_t size), (to, alignment, size))

int pthread_create(pthread_t *thread, const pthread_attr_t *with, void *(*start)(void *), void *argument)
{
    __typeof__(&pthread_create) next;
    find_real("pthread_create", &next);
    return fails(THREADS) ? EAGAIN : next(thread, with, start, argument);
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
    if (fails(MAPS))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset); // NOLINT: an address
}

/* What a library does while it is loaded, as cuBLAS does, is not the program's. */
void *dlopen(const char *file, int mode)
{
    __typeof__(&dlopen) next;
    find_real("dlopen", &next);
    loading++;
    void *library = next(file, mode);
    loading--;
    return library;
}

/* ---- what is to fail ---- */

static enum kind kind_of(const char *name)
{
    enum kind kind = 0;
    while (kind < KINDS && strcmp(name, kind_names[kind]) != 0)
        kind++;
    return kind;
}

static void put(const char *path, int mode, int fd)
{
    const int file = open(path, mode, 0666);
    if (file < 0 || dup2(file, fd) != fd)
        _exit(99);
    close(file);
}

static void become_copy(unsigned seconds)
{
    put(access("../in", F_OK) == 0 ? "../in" : "/dev/null", O_RDONLY, STDIN_FILENO);
    put("../out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    put("../err", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    alarm(seconds);
}

static void answer(int status)
{
    dprintf(STDOUT_FILENO, "%d %lu", status, said->count);
    for (int i = 0; i < said->frame_count; i++) {
        Dl_info place;
        if (dladdr(said->frames[i], &place) && place.dli_fname)
            dprintf(STDOUT_FILENO, " %s+0x%tx", place.dli_fname, (char *)said->frames[i] - (char *)place.dli_fbase);
    }
    dprintf(STDOUT_FILENO, "\n");
}

/* Byte by byte: a copy must not inherit a buffer. */
static bool read_line(char *line, size_t room)
{
    size_t length = 0;
    while (length + 1 < room && read(STDIN_FILENO, line + length, 1) == 1)
        if (line[length++] == '\n') {
            line[length] = '\0';
            return true;
        }
    return false;
}

/* Returns in a copy. */
static void serve(void)
{
    char kind[16], line[100];
    unsigned once, seconds;
    while (read_line(line, sizeof line) && sscanf(line, "%15s %lu %u %u", kind, &wish.number, &once, &seconds) == 4) {
        *said = (struct said){0};
        const pid_t pid = fork();
        if (pid == 0) {
            become_copy(seconds);
            wish.is_once = once;
            wish.kind = kind_of(kind);
            return;
        }
        int status;
        if (pid < 0 || waitpid(pid, &status, 0) != pid)
            _exit(99);
        answer(status);
    }
    _exit(0);
}

static void begin(void)
{
    void *first[1];
    const char *text = getenv("FAIL_CALLS");
    backtrace(first, 1); /* loads what it needs */
    said = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsetenv("LD_PRELOAD");
    if (!text || said == MAP_FAILED)
        _exit(99);
    if (strcmp(text, "server") == 0) {
        serve();
        return;
    }
    char kind[16] = "", after = '\0';
    if (sscanf(text, "%15[a-z]:%lu%c", kind, &wish.number, &after) < 2 || kind_of(kind) == NONE)
        _exit(99);
    wish.is_once = after != '+';
    wish.kind = kind_of(kind);
}

/* Nor is what runs before main(), as the CUDA runtime does. */

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static main_function *real_main;

static int main_with_faults(int argc, char **argv, char **environment)
{
    begin();
    return real_main(argc, argv, environment);
}

start_function __libc_start_main; /* NOLINT: the C library's name */

int __libc_start_main(main_function *start, int argc, char **argv, void (*init)(void), void (*end)(void),
                      void (*end_of_loader)(void), void *stack_end)
{
    start_function *next;
    find_real("__libc_start_main", &next);
    real_main = start;
    return next(main_with_faults, argc, argv, init, end, end_of_loader, stack_end);
}
