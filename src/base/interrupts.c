#include "interrupts.h"

#include "base.h"
#include "unfinished.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int noted; /* lock-free, so a signal handler may write it while threads read */

static char answer[128]; /* written before it is caught */

static void note(int number)
{
    const int before = errno;
    noted = 1;
    unfinished_watch(number);
    (void)!write(STDERR_FILENO, answer, strlen(answer)); /* to nobody, where it is closed */
    errno = before;
}

static void handle(void (*handler)(int))
{
    const struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};
    noted = 0;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void interrupts_catch(const char *after)
{
    answer[0] = '\0';
    if (after) /* a terminal may show half a line of progress */
        snprintf(answer, sizeof answer, "%sulpscope: ending after %s; again to end now\n",
                 isatty(STDERR_FILENO) ? "\n" : "", after);
    handle(note);
}

void interrupts_release(void)
{
    handle(SIG_DFL);
}

bool interrupted(void)
{
    return noted;
}
