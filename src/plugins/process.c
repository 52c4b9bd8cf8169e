#include "process.h"
#include "src/base/clock.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Signals that end a process which does not know them: what a plug-in sends to this one is no reason to end. */
static void set_odd_signals(void (*from)(int), void (*to)(int))
{
    for (int number = 1; number <= SIGRTMAX; number++) {
        const bool is_odd = number == SIGUSR1 || number == SIGUSR2 || number == SIGALRM || number == SIGVTALRM ||
                            number == SIGPROF || number == SIGIO || number == SIGPWR || number == SIGSTKFLT ||
                            number >= SIGRTMIN;
        struct sigaction action;
        if (is_odd && sigaction(number, NULL, &action) == 0 && action.sa_handler == from)
            signal(number, to);
    }
}

void process_forget_signals(void)
{
    set_odd_signals(SIG_IGN, SIG_DFL);
}

bool process_start(struct process *process, const struct process_wish *wish, const struct plugin_limits *limits,
                   char why[WHY_SIZE])
{
    *process = (struct process){.limits = *limits, .looked = clock_of_wall()};
    snprintf(process->name, sizeof process->name, "%s", wish->name); /* which changes when it says its own */
    prctl(PR_SET_DUMPABLE, 0);                                       /* what it runs cannot look into this program */
    prctl(PR_SET_CHILD_SUBREAPER, 1);                                /* nor leave processes behind */
    set_odd_signals(SIG_DFL, SIG_IGN);
    const int cause = keeper_start(process->name, wish, &process->keeper, &process->pid);
    if (cause != 0)
        snprintf(why, WHY_SIZE, "cannot be started: %s: %s", wish->arguments[0], strerror(cause));
    return cause == 0;
}

double process_seconds_to_start(const struct plugin_limits *limits)
{
    const double seconds = 10 * limits->seconds;
    return fmax(limits->seconds, fmin(120, fmax(10, seconds)));
}

enum { TEXT_MOST = 4096 };

/* A number of /proc/PID/status: "Threads:", "RssAnon:" in KiB; 0: there is none. */
static uint64_t status_number(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static bool read_status(pid_t pid, char text[TEXT_MOST])
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/status", (int)pid);
    const int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const ssize_t count = read(descriptor, text, TEXT_MOST - 1);
    close(descriptor);
    text[count > 0 ? count : 0] = '\0';
    return count > 0;
}

/* What it and what it has started have, as far as their parents are still there. */
static void add_up(pid_t pid, unsigned depth, uint64_t *threads, uint64_t *bytes)
{
    char text[TEXT_MOST], name[64], children[TEXT_MOST] = "";
    if (!read_status(pid, text))
        return;
    *threads += status_number(text, "\nThreads:");
    *bytes += (status_number(text, "\nRssAnon:") + status_number(text, "\nVmSwap:")) * 1024;
    snprintf(name, sizeof name, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    const int descriptor = depth > 0 ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (descriptor < 0)
        return;
    const ssize_t count = read(descriptor, children, sizeof children - 1);
    close(descriptor);
    children[count > 0 ? count : 0] = '\0';
    for (char *at = children, *end; *at && *threads < 100000; at = end) {
        const long child = strtol(at, &end, 10);
        if (end == at)
            return;
        add_up((pid_t)child, depth - 1, threads, bytes);
    }
}

static bool is_modest(const struct process *process, char why[WHY_SIZE])
{
    enum { GENERATIONS = 3 };
    uint64_t threads = 0, bytes = 0;
    add_up(process->pid, GENERATIONS, &threads, &bytes);
    if (threads > process->limits.threads)
        snprintf(why, WHY_SIZE, "started %" PRIu64 " threads and processes; expected at most %u", threads,
                 process->limits.threads);
    else if (bytes > process->limits.bytes)
        snprintf(why, WHY_SIZE, "uses %.3g GB of memory; expected at most %.3g GB; --memory gives it more",
                 (double)bytes * 1e-9, (double)process->limits.bytes * 1e-9);
    else
        return true;
    return false;
}

static void say_end(int end, char how[WHY_SIZE])
{
    if (WIFSIGNALED(end))
        snprintf(how, WHY_SIZE, "was killed by signal %d (%s)%s", WTERMSIG(end), strsignal(WTERMSIG(end)),
                 WTERMSIG(end) == SIGKILL ? ", by itself, or because the machine was short of memory" : "");
    else
        snprintf(how, WHY_SIZE, "ended by itself in the middle of a call, with status %d", WEXITSTATUS(end));
}

static bool look_for_end(struct process *process)
{
    if (!process->has_ended && waitpid(process->pid, &process->end, WNOHANG) == process->pid)
        process->has_ended = true;
    return process->has_ended;
}

/* What was written before the end is still there to be read, so who has ended is looked at twice. */
bool process_wait(struct process *process, struct pollfd *descriptors, unsigned count, double until, char why[WHY_SIZE])
{
    enum { TICK = 50 }; /* milliseconds */
    for (;;) {
        const double now = clock_of_wall();
        if (now > process->looked + TICK * 1e-3) {
            process->looked = now;
            if (!is_modest(process, why))
                return false;
        }
        const bool had_ended = look_for_end(process);
        const int found = poll(descriptors, count, had_ended ? 0 : TICK);
        if (found > 0)
            return true;
        if (had_ended) {
            say_end(process->end, why);
            return false;
        }
        if (clock_of_wall() > until) {
            snprintf(why, WHY_SIZE, "%s within %g s; --timeout gives it longer",
                     process->is_ready ? "did not answer" : "was not ready",
                     process->is_ready ? process->limits.seconds : process_seconds_to_start(&process->limits));
            return false;
        }
    }
}

bool process_has_ended(struct process *process, int patience)
{
    enum { STEPS = 10 };
    for (int step = 0; !look_for_end(process) && step < patience * STEPS; step++)
        usleep(1000 / STEPS);
    return process->has_ended;
}

void process_end(struct process *process, char how[WHY_SIZE])
{
    if (how)
        how[0] = '\0';
    if (!process->keeper)
        return;
    if (how && process_has_ended(process, 200)) /* its end follows those of its descriptors */
        say_end(process->end, how);
    kill(-process->pid, SIGKILL);
    process_has_ended(process, 5000); /* one in the hands of a driver may not die: it is left alone then */
    child_has_ended(process->pid);
    keeper_end(process->keeper);
    *process = (struct process){0};
}
