#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A new process between fork and exec, where nothing but system calls are safe. */

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

/* Becomes the program of the wish, with its descriptors and no others; where that fails an errno is written to
 * `failure`. */
static void birth(struct birth *birth)
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

extern char **environ;

/* ---- what it prints ---- */

enum { LINES_SHOWN = 200, LINE_MOST = 4096 };

struct speaker {
    int descriptor; /* -1: it says no more */
    char line[LINE_MOST];
    size_t length;
};

struct keeper {
    const char *name;
    struct birth birth;
    struct speaker speakers[2];
    unsigned lines;
    int failure; /* the errno of exec comes from there, or nothing */
    int wake[2];
    pid_t pid;
    int cause; /* why there is no process: an errno */
    sem_t born;
    pthread_t thread;
};

static void show_line(struct keeper *keeper, struct speaker *speaker)
{
    speaker->line[speaker->length] = '\0';
    speaker->length = 0;
    if (keeper->lines++ < LINES_SHOWN)
        clean_line(stderr, "%s| %s", keeper->name, speaker->line);
    else if (keeper->lines == LINES_SHOWN + 1)
        clean_line(stderr, "%s| ... what else it prints is not shown", keeper->name);
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

/* ---- the processes of all plug-ins, and those that they leave behind ---- */

enum { PROCESSES_MOST = 256, TEXT_MOST = 4096 };
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
    char name[300], children[TEXT_MOST];
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

/* As fork(). */
static pid_t child_fork(void)
{
    pthread_mutex_lock(&registering);
    const pid_t child = fork();
    if (child == 0)
        return 0;
    if (child > 0)
        replace_registered(0, child);
    pthread_mutex_unlock(&registering);
    return child;
}

void child_has_ended(pid_t child)
{
    pthread_mutex_lock(&registering);
    end_orphans();
    replace_registered(child, 0);
    pthread_mutex_unlock(&registering);
}

/* ---- start and end ---- */

/* Its ends of what is not the wish's, which lives only while the process is started. */
static void close_its_ends(struct keeper *keeper)
{
    for (int d = 0; d < PROCESS_DESCRIPTORS_MOST; d++)
        if (keeper->birth.wish->descriptors[d] < 0)
            close_one(&keeper->birth.descriptors[d]);
}

/* The process dies with the thread that started it, so it is this one, which stays. */
static void *keep(void *context)
{
    struct keeper *keeper = context;
    const pid_t pid = child_fork();
    if (pid == 0)
        birth(&keeper->birth);
    keeper->cause = pid < 0 ? errno : 0;
    close_one(&keeper->birth.failure);
    int cause;
    if (pid > 0 && read(keeper->failure, &cause, sizeof cause) == sizeof cause) { /* else exec has closed it */
        keeper->cause = cause;
        waitpid(pid, NULL, 0);
        child_has_ended(pid);
    }
    close_its_ends(keeper);
    const bool is_born = keeper->cause == 0;
    keeper->pid = pid;
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
    for (int s = 0; s < 2; s++) {
        close_one(&keeper->speakers[s].descriptor);
        close_one(&keeper->wake[s]);
    }
    close_one(&keeper->failure);
    close_one(&keeper->birth.failure);
    sem_destroy(&keeper->born);
    free_all(keeper->birth.environment, keeper);
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

int keeper_start(const char *name, const struct process_wish *wish, struct keeper **started, pid_t *pid)
{
    struct keeper *keeper = memory_cleared(1, sizeof *keeper);
    *keeper = (struct keeper){
        .name = name,
        .birth = {.wish = wish, .environment = environment_with(wish->environment), .failure = -1, .parent = getpid()},
        .speakers = {{.descriptor = -1}, {.descriptor = -1}},
        .failure = -1,
        .wake = {-1, -1},
    };
    sem_init(&keeper->born, 0, 0);
    const int cause = start_keeper(keeper);
    *pid = cause == 0 ? keeper->pid : 0;
    *started = cause == 0 ? keeper : NULL;
    if (cause != 0) {
        close_its_ends(keeper);
        free_keeper(keeper);
    }
    return cause;
}

void keeper_end(struct keeper *keeper)
{
    if (write(keeper->wake[1], "", 1) == 1)
        pthread_join(keeper->thread, NULL);
    free_keeper(keeper);
}
