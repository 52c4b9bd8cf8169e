#include "workers.h"

#include "base.h"
#include "mode.h"

#include <pthread.h>
#include <unistd.h>

struct task {
    void (*work)(void *context, unsigned worker);
    void *context;
    unsigned worker;
    pthread_t thread;
};

static void *start(void *argument)
{
    struct task *task = argument;
    mode_mask_traps(); /* pthread_create may be a library's */
    task->work(task->context, task->worker);
    (void)mode_lost();
    return NULL;
}

void workers_run(unsigned count, void (*work)(void *context, unsigned worker), void *context)
{
    OWNED struct task *tasks = count > 1 ? calloc(count - 1, sizeof *tasks) : NULL;
    unsigned started = 0;
    for (; tasks && started < count - 1; started++) {
        tasks[started] = (struct task){.work = work, .context = context, .worker = started};
        if (pthread_create(&tasks[started].thread, NULL, start, &tasks[started]) != 0)
            break;
    }
    for (unsigned w = started; w < count; w++)
        work(context, w);
    for (unsigned w = 0; w < started; w++)
        pthread_join(tasks[w].thread, NULL);
}

unsigned workers_cores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (unsigned)cores : 1;
}
