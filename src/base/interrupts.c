#include "interrupts.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int noted; /* lock-free, so a signal handler may write it while threads read */

static void note(int number)
{
    (void)number;
    noted = 1;
}

static void handle(void (*handler)(int))
{
    const struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};
    noted = 0;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void interrupts_catch(void)
{
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
