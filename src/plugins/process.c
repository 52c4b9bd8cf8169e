#include "process.h"

#include "src/base/clean_text.h"
#include "src/base/clock.h"
#include "src/base/memory.h"

#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- the new process, between fork and exec: nothing but system calls ---- */

struct birth {
    const struct process_wish *wish;
    char **environment;
    int descriptors[PROCESS_DESCRIPTORS_MOST];
    int failure; /* an errno is written there */
    pid_t parent;
};

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

static _Noreturn void be_born(struct birth *birth)
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

/* ---- what it prints ---- */

enum { LINES_SHOWN = 200, LINE_MOST = 4096 };

struct speaker {
    int descriptor; /* -1: it says no more */
    char line[LINE_MOST];
    size_t length;
};

struct keeper {
    struct process *process;
    struct birth birth;
    struct speaker speakers[2];
    unsigned lines;
    int failure; /* the errno of exec comes from there, or nothing */
    int wake[2];
    int cause; /* why there is no process: an errno */
    sem_t born;
    pthread_t thread;
};

static void close_one(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static void show_line(struct keeper *keeper, struct speaker *speaker)
{
    speaker->line[speaker->length] = '\0';
    speaker->length = 0;
    if (keeper->lines++ < LINES_SHOWN)
        clean_line(stderr, "%s| %s", keeper->process->name, speaker->line);
    else if (keeper->lines == LINES_SHOWN + 1)
        clean_line(stderr, "%s| ... what else it prints is not shown", keeper->process->name);
}

static void hear(struct keeper *keeper, struct speaker *speaker)
{
    char bytes[LINE_MOST];
    const ssize_t count = read(speaker->descriptor, bytes, sizeof bytes);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    for (ssize_t i = 0; i < count; i++) {
        if (bytes[i] != '\n')
            speaker->line[speaker->length++] = bytes[i];
        if (bytes[i] == '\n' || speaker->length == LINE_MOST - 1)
            show_line(keeper, speaker);
    }
    if (count > 0)
        return;
    if (speaker->length > 0)
        show_line(keeper, speaker);
    close_one(&speaker->descriptor);
}

/* Until it is woken, and nothing is left to be read: what was started by the process may hold its output open. */
static void show_output(struct keeper *keeper)
{
    struct speaker *speakers = keeper->speakers;
    for (bool ending = false;;) {
        struct pollfd descriptors[] = {{speakers[0].descriptor, POLLIN, 0},
                                       {speakers[1].descriptor, POLLIN, 0},
                                       {ending ? -1 : keeper->wake[0], POLLIN, 0}};
        const int count = poll(descriptors, 3, ending ? 0 : -1);
        if (count == 0 || (count < 0 && errno != EINTR))
            return;
        for (int s = 0; s < 2 && count > 0; s++)
            if (descriptors[s].revents)
                hear(keeper, &speakers[s]);
        ending |= count > 0 && descriptors[2].revents != 0;
    }
}

/* ---- all of them ---- */

enum { PROCESSES_MOST = 256 };
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;
static pid_t registered[PROCESSES_MOST]; /* 0: free */

static bool replace_registered(pid_t old, pid_t pid)
{
    for (int i = 0; i < PROCESSES_MOST; i++)
        if (registered[i] == old) {
            registered[i] = pid;
            return true;
        }
    return false;
}

/* Of our own, or of processes that have ended and left it to us. */
static void end_child(pid_t child)
{
    for (int i = 0; i < PROCESSES_MOST; i++)
        if (registered[i] == child)
            return;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void end_children_of_thread(const char *thread)
{
    char name[300], children[LINE_MOST];
    snprintf(name, sizeof name, "/proc/self/task/%s/children", thread);
    const int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    const ssize_t count = descriptor < 0 ? 0 : read(descriptor, children, sizeof children - 1);
    if (descriptor >= 0)
        close(descriptor);
    children[count > 0 ? count : 0] = '\0';
    for (char *at = children, *end; *at; at = end) {
        const long child = strtol(at, &end, 10);
        if (end == at)
            return;
        end_child((pid_t)child);
    }
}

/* What a process has started and has left its group falls to this program when it ends. */
static void end_orphans(void)
{
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *thread; threads && (thread = readdir(threads));)
        if (thread->d_name[0] != '.')
            end_children_of_thread(thread->d_name);
    if (threads)
        closedir(threads);
}

/* ---- start ---- */

/* The process dies with the thread that started it, so it is this one, which stays. */
static void *keep(void *context)
{
    struct keeper *keeper = context;
    pthread_mutex_lock(&registering);
    const pid_t pid = fork();
    if (pid == 0)
        be_born(&keeper->birth);
    if (pid > 0)
        replace_registered(0, pid);
    pthread_mutex_unlock(&registering);
    keeper->cause = pid < 0 ? errno : 0;
    close_one(&keeper->birth.failure);
    int cause;
    if (pid > 0 && read(keeper->failure, &cause, sizeof cause) == sizeof cause) { /* else exec has closed it */
        keeper->cause = cause;
        waitpid(pid, NULL, 0);
        pthread_mutex_lock(&registering);
        replace_registered(pid, 0);
        pthread_mutex_unlock(&registering);
    }
    for (int d = 0; d < PROCESS_DESCRIPTORS_MOST; d++)
        if (keeper->birth.wish->descriptors[d] < 0)
            close_one(&keeper->birth.descriptors[d]);
    const bool is_born = keeper->cause == 0;
    keeper->process->pid = is_born ? pid : 0;
    sem_post(&keeper->born);
    if (is_born)
        show_output(keeper);
    return NULL;
}

/* What there is, with some added in place of those of the same name; allocated. */
static char **environment_with(char *const *added)
{
    size_t own = 0, more = 0, count = 0;
    while (environ[own])
        own++;
    while (added && added[more])
        more++;
    char **all = memory_cleared(own + more + 1, sizeof *all);
    for (size_t i = 0; i < more; i++)
        all[count++] = added[i];
    for (size_t i = 0; i < own; i++) {
        bool is_replaced = false;
        for (size_t k = 0; k < more; k++)
            is_replaced |= strncmp(environ[i], added[k], strcspn(added[k], "=") + 1) == 0;
        if (!is_replaced)
            all[count++] = environ[i];
    }
    return all;
}

static bool make_pipe(int *from, int *to)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *from = ends[0];
    *to = ends[1];
    return true;
}

static bool make_descriptors(struct keeper *keeper)
{
    const int *wanted = keeper->birth.wish->descriptors;
    int *descriptors = keeper->birth.descriptors;
    for (int d = 0; d < PROCESS_DESCRIPTORS_MOST; d++)
        descriptors[d] = wanted[d];
    if (wanted[0] < 0)
        descriptors[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (int d = 1; d <= 2; d++)
        if (wanted[d] < 0 && !make_pipe(&keeper->speakers[d - 1].descriptor, &descriptors[d]))
            return false;
    return make_pipe(&keeper->failure, &keeper->birth.failure) && make_pipe(&keeper->wake[0], &keeper->wake[1]);
}

static void free_keeper(struct keeper *keeper)
{
    for (int d = 0; d < PROCESS_DESCRIPTORS_MOST; d++)
        if (keeper->birth.wish->descriptors[d] < 0)
            close_one(&keeper->birth.descriptors[d]);
    for (int s = 0; s < 2; s++) {
        close_one(&keeper->speakers[s].descriptor);
        close_one(&keeper->wake[s]);
    }
    close_one(&keeper->failure);
    close_one(&keeper->birth.failure);
    sem_destroy(&keeper->born);
    free(keeper->birth.environment);
    free(keeper);
}

/* An errno. */
static int start_keeper(struct keeper *keeper)
{
    if (!make_descriptors(keeper))
        return errno;
    const int cause = pthread_create(&keeper->thread, NULL, keep, keeper);
    if (cause != 0)
        return cause;
    while (sem_wait(&keeper->born) != 0)
        ;
    if (keeper->cause != 0)
        pthread_join(keeper->thread, NULL);
    return keeper->cause;
}

bool process_start(struct process *process, const struct process_wish *wish, const struct plugin_limits *limits,
                   char why[WHY_SIZE])
{
    struct keeper *keeper = memory_cleared(1, sizeof *keeper);
    *process = (struct process){.limits = *limits, .looked = clock_of_wall(), .keeper = keeper};
    snprintf(process->name, sizeof process->name, "%s", wish->name); /* which changes when it says its own */
    *keeper = (struct keeper){
        .process = process,
        .birth = {.wish = wish, .environment = environment_with(wish->environment), .failure = -1, .parent = getpid()},
        .speakers = {{.descriptor = -1}, {.descriptor = -1}},
        .failure = -1,
        .wake = {-1, -1},
    };
    sem_init(&keeper->born, 0, 0);
    prctl(PR_SET_DUMPABLE, 0);        /* what it runs cannot look into this program */
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* nor leave processes behind */
    const int cause = start_keeper(keeper);
    if (cause == 0)
        return true;
    free_keeper(keeper);
    process->keeper = NULL;
    snprintf(why, WHY_SIZE, "cannot be started: %s: %s", wish->arguments[0], strerror(cause));
    return false;
}

/* ---- watch ---- */

/* A number of /proc/PID/status: "Threads:", "RssAnon:" in KiB; 0: there is none. */
static uint64_t status_number(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static bool read_status(pid_t pid, char text[LINE_MOST])
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/status", (int)pid);
    const int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const ssize_t count = read(descriptor, text, LINE_MOST - 1);
    close(descriptor);
    text[count > 0 ? count : 0] = '\0';
    return count > 0;
}

/* What it and what it has started have, as far as their parents are still there. */
static void add_up(pid_t pid, unsigned depth, uint64_t *threads, uint64_t *bytes)
{
    char text[LINE_MOST], name[64], children[LINE_MOST] = "";
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
            snprintf(why, WHY_SIZE, "did not answer within %g s; --timeout gives it longer", process->limits.seconds);
            return false;
        }
    }
}

/* ---- end ---- */

bool process_has_ended(struct process *process, int patience)
{
    enum { STEPS = 10 };
    for (int step = 0; !look_for_end(process) && step < patience * STEPS; step++)
        usleep(1000 / STEPS);
    return process->has_ended;
}

void process_end(struct process *process, char how[WHY_SIZE])
{
    struct keeper *keeper = process->keeper;
    if (how)
        how[0] = '\0';
    if (!keeper)
        return;
    if (how && process_has_ended(process, 200)) /* its end follows those of its descriptors */
        say_end(process->end, how);
    kill(-process->pid, SIGKILL);
    process_has_ended(process, 5000); /* one in the hands of a driver may not die: it is left alone then */
    pthread_mutex_lock(&registering);
    end_orphans();
    replace_registered(process->pid, 0);
    pthread_mutex_unlock(&registering);
    if (write(keeper->wake[1], "", 1) == 1)
        pthread_join(keeper->thread, NULL);
    free_keeper(keeper);
    *process = (struct process){0};
}
