#include "birth.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void close_from(int first)
{
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0)
        return;
    for (int descriptor = first; descriptor < 1024; descriptor++)
        close(descriptor);
}

/* Each where it belongs, by way of places beyond all of them. */
static void place_descriptors(struct birth *birth)
{
    enum { BEYOND = 64 };
    birth->failure = fcntl(birth->failure, F_DUPFD_CLOEXEC, BEYOND);
    for (int d = 0; d < PROCESS_DESCRIPTORS_MOST; d++)
        if (birth->descriptors[d] >= 0)
            birth->descriptors[d] = fcntl(birth->descriptors[d], F_DUPFD_CLOEXEC, BEYOND);
    for (int d = 0; d < PROCESS_DESCRIPTORS_MOST; d++) {
        if (birth->descriptors[d] >= 0)
            dup2(birth->descriptors[d], d);
        else
            close(d);
    }
}

static void be_the_first_to_die(void)
{
    const int descriptor = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (write(descriptor, "1000", 4) != 4)
        close(descriptor);
}

void birth(struct birth *birth)
{
    const struct rlimit no_core = {0, 0};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_CAPBSET_DROP, CAP_SYS_PTRACE); /* root could read this program's memory with it, */
    prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN);  /* and its maps and environment with one of these */
    prctl(PR_CAPBSET_DROP, CAP_PERFMON);
    setrlimit(RLIMIT_CORE, &no_core);
    be_the_first_to_die();
    place_descriptors(birth);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    process_forget_signals();
    if (getppid() != birth->parent)
        _exit(127);
    const int failure = birth->failure;
    for (int d = PROCESS_DESCRIPTORS_MOST; d < failure; d++)
        close(d);
    close_from(failure + 1);
    environ = birth->environment;
    execvp(birth->wish->arguments[0], birth->wish->arguments);
    const int cause = errno;
    if (write(failure, &cause, sizeof cause) < 0)
        _exit(126);
    _exit(127);
}
