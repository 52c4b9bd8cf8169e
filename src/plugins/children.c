#include "process.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

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

pid_t child_fork(void)
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
