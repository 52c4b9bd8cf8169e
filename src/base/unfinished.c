#include "unfinished.h"

#include "base.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* Names in place, not pointers: a handler on another thread must not meet one that is just freed.  The worst that it
 * can meet is a name that is finished, and that is no file's any more. */
enum { FREE, TAKEN, SET };
static struct {
    atomic_int state;
    char path[PATH_MAX];
} places[16];
enum { PLACES = sizeof places / sizeof *places };

static pid_t owner; /* a child has the handler too, but the files are not its own */

/* Only what a handler may call. */
void unfinished_remove(void)
{
    for (size_t i = 0; i < PLACES && getpid() == owner; i++)
        if (atomic_load(&places[i].state) == SET)
            unlink(places[i].path);
}

/* The signal waits until this one has returned, and is then what it was before. */
static void remove_all(int signal)
{
    unfinished_remove();
    raise(signal);
}

void unfinished_watch(int signal)
{
    struct sigaction now, action = {.sa_handler = remove_all, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    /* whatever its flags: sa_sigaction is at the same place, and SA_RESETHAND leaves SA_SIGINFO in ThreadSanitizer */
    if (sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        sigaction(signal, &action, NULL);
}

void unfinished_add(const char *path)
{
    if (strlen(path) >= PATH_MAX)
        return;
    owner = getpid();
    unfinished_watch(SIGINT);
    unfinished_watch(SIGTERM);
    unfinished_watch(SIGHUP);
    for (size_t i = 0; i < PLACES; i++) {
        int none = FREE;
        if (!atomic_compare_exchange_strong(&places[i].state, &none, TAKEN))
            continue;
        strcpy(places[i].path, path);
        atomic_store(&places[i].state, SET);
        return;
    }
}

void unfinished_drop(const char *path)
{
    for (size_t i = 0; i < PLACES; i++)
        if (atomic_load(&places[i].state) == SET && strcmp(places[i].path, path) == 0)
            atomic_store(&places[i].state, FREE);
}
