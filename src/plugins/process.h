/* A process that runs foreign code: started, watched, ended.
 *
 * It has a process group and descriptors of its own, cannot read this program's memory (as root neither), is the first
 * that a machine short of memory kills, and dies when this program does.  Processes that it starts are ended with it.
 * What it prints is shown on stderr, line by line behind its name. */
#pragma once

#include "plugin.h"

#include <unistd.h>

enum { WHY_SIZE = 1024, PROCESS_DESCRIPTORS_MOST = 4 };

static inline void close_one(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

struct process_wish {
    const char *name;                          /* starts what is shown of its output */
    char *const *arguments;                    /* of the program, the last NULL; looked up in PATH */
    char *const *environment;                  /* "NAME=VALUE" that are added; the last NULL; or NULL */
    int descriptors[PROCESS_DESCRIPTORS_MOST]; /* what it has as 0, 1, 2, 3; -1: 0 is /dev/null, 1 and 2 are shown */
};

struct process {
    pid_t pid; /* 0: there is none */
    char name[64];
    struct plugin_limits limits;
    double looked;         /* when its threads and memory were counted, by clock_of_wall() */
    bool is_ready;         /* it has said what it is */
    bool has_ended;        /* and this was its end: */
    int end;               /* as of waitpid() */
    struct keeper *keeper; /* started it, and shows its output */
};

/* false: `why` says so. */
bool process_start(struct process *process, const struct process_wish *wish, const struct plugin_limits *limits,
                   char why[WHY_SIZE]);

/* In the process that is started: what this program ignores for its sake is not ignored there. */
void process_forget_signals(void);

/* What it may take until it is ready: what an import needs, but no more than somebody who limits a call would wait. */
double process_seconds_to_start(const struct plugin_limits *limits);

/* Waits until there is something to be read or written (poll's events) on one of the descriptors; false, with the
 * reason in `why`, when the process took too long, took too much or has ended with nothing left to be read. */
struct pollfd;
bool process_wait(struct process *process, struct pollfd *descriptors, unsigned count, double until,
                  char why[WHY_SIZE]);

/* Whether it has ended by itself, after so many milliseconds at most; process->end says how. */
bool process_has_ended(struct process *process, int patience);

/* Kills what is left of it.  In `how`, unless NULL, how it had ended by itself: "was killed by signal 11 (Segmentation
 * fault)"; "" when it had not. */
void process_end(struct process *process, char how[WHY_SIZE]);

/* The thread that starts a process and shows what it prints, until the process has ended: the process is killed when
 * that thread ends, so with this program. */

struct keeper;

/* An errno; 0: it runs.  The name, which stays where it is, stands before each line that is shown. */
int keeper_start(const char *name, const struct process_wish *wish, struct keeper **started, pid_t *pid);

/* After the process has ended; what it has printed is shown. */
void keeper_end(struct keeper *keeper);

/* The processes of all plug-ins, and those that they leave behind. */

/* After it was waited for: ends what it had started, and has left to this program. */
void child_has_ended(pid_t child);
