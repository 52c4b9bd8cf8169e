#include "ranks.h"

#include "launch.h"

#include "src/base/number.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATIENCE = 30, PATIENCE_MOST = 86400 };

static struct ranks own; /* size 0: alone */
static bool somebody_died, has_joined;
static int kept = -1, outside = -1; /* what a follower says before it joins; its stderr */

const struct ranks *ranks(void)
{
    return own.size > 0 ? &own : NULL;
}

bool ranks_follows(void)
{
    return own.size > 0 && own.rank > 0;
}

bool ranks_miss(const struct ranks *ranks, unsigned rank)
{
    return post_silence(ranks->post, rank) > ranks->patience;
}

void ranks_note_loss(void)
{
    somebody_died = true;
}

/* MPI libraries bind processes to cores; of more than those there is no use. */
unsigned ranks_share(unsigned cores)
{
    cpu_set_t bound;
    if (own.size == 0)
        return cores;
    const unsigned share = cores > own.local_size ? cores / own.local_size : 1;
    const unsigned usable = sched_getaffinity(0, sizeof bound, &bound) == 0 ? (unsigned)CPU_COUNT(&bound) : share;
    return usable > 0 && usable < share ? usable : share;
}

/* ---- what a follower says ---- */

static void hold_back(void)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(stdout);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
    kept = memfd_create("ulpscope", MFD_CLOEXEC);
    outside = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (kept >= 0 && outside >= 0)
        dup2(kept, STDERR_FILENO);
}

static void speak(void)
{
    char name[32];
    if (kept < 0 || outside < 0)
        return;
    dup2(outside, STDERR_FILENO);
    snprintf(name, sizeof name, "rank %u: ", own.rank);
    complaints_from(name);
}

void ranks_join(const struct ranks *ranks, const struct joins *joins, size_t size)
{
    if (ranks == &own) {
        speak();
        has_joined = true;
    }
    post_send(ranks->post, 0, JOINS, joins, size);
}

static void tell_why(void)
{
    char text[2048];
    const ssize_t length = kept >= 0 ? pread(kept, text, sizeof text, 0) : 0;
    post_send(own.post, 0, CANNOT, text, length > 0 ? (size_t)length : 0);
}

/* ---- the end ---- */

/* All ranks end together, when rank 0 has written the last byte: mpirun ends all others where one ends early. */
static void end_with_rank_0(void)
{
    bool is_orderly = false, is_over = false;
    if (!has_joined)
        tell_why();
    while (!is_over && !ranks_miss(&own, 0)) {
        OWNED struct message *message = post_take(own.post);
        is_over = message && message->kind == END && message->count == sizeof is_orderly;
        if (is_over)
            memcpy(&is_orderly, message->bytes, sizeof is_orderly);
        else if (message && message->kind == READY)
            post_send(own.post, 0, READY, NULL, 0);
    }
    post_end(own.post, is_orderly);
    _exit(is_over ? 0 : 3); /* what became of the run is for rank 0 to say */
}

static bool any_is_silent(void)
{
    for (unsigned rank = 1; rank < own.size; rank++)
        if (ranks_miss(&own, rank)) {
            complain("rank %u is not heard any more, and taken for dead", rank);
            return true;
        }
    return false;
}

/* Each answers once.  One that died before it joined, or without cases, was missed by nobody; MPI_Finalize would wait
 * for it, for ever. */
static bool all_are_ready(void)
{
    unsigned ready = 1;
    while (ready < own.size && !any_is_silent()) {
        OWNED struct message *message = post_take(own.post);
        ready += message && message->kind == READY;
    }
    return ready == own.size;
}

static void tell_all(int kind, const void *bytes, size_t count)
{
    for (unsigned rank = 1; rank < own.size; rank++)
        post_send(own.post, rank, kind, bytes, count);
}

static void leave(int code, void *unused)
{
    (void)code;
    (void)unused;
    if (own.rank > 0)
        end_with_rank_0();
    fflush(NULL);
    tell_all(STOP, NULL, 0); /* it was not said where the cases were not begun */
    tell_all(READY, NULL, 0);
    const bool is_orderly = !somebody_died && all_are_ready();
    tell_all(END, &is_orderly, sizeof is_orderly);
    post_end(own.post, is_orderly);
}

/* ---- the beginning ---- */

/* A launcher ends all processes when one fails: that is to be rank 0, which says why. */
static enum status bad_input_of(unsigned rank)
{
    if (rank > 0)
        sleep(1);
    return BAD_INPUT;
}

static enum status refuse(unsigned rank, const char *command, const char *why)
{
    if (rank == 0 && why)
        complain("started by an MPI launcher as one of several processes, and %s; install the MPI that the launcher is "
                 "of, build ulpscope where CMake finds it, or start one process",
                 why);
    else if (rank == 0)
        complain("`ulpscope %s` was started by an MPI launcher as one of several processes; expected `ulpscope run`, "
                 "the only command that shares its work; start one process",
                 command);
    return bad_input_of(rank);
}

static enum status read_patience(unsigned rank, double *patience)
{
    const char *text = getenv("ULPSCOPE_MPI_PATIENCE");
    uint64_t seconds = PATIENCE;
    const char *wrong = text && *text ? read_size(text, &seconds) : NULL;
    *patience = (double)seconds;
    if (!wrong && seconds > 0 && seconds <= PATIENCE_MOST)
        return OK;
    if (rank == 0)
        complain("ULPSCOPE_MPI_PATIENCE: \"%s\" is not a time; expected seconds from 1 to %d", text, PATIENCE_MOST);
    return bad_input_of(rank);
}

static const struct transport *start(void *module)
{
    transport_start *function;
    memcpy(&function, module, sizeof function);
    return function();
}

static enum status start_post(const struct launched *launched)
{
    char why[WHY_SIZE] = "";
    transport_start *module = launched_module(launched, why);
    if (!module)
        return refuse(launched->rank, "", why);
    own.post = post_start(start, &module);
    const struct transport *transport = own.post ? post_transport(own.post) : NULL;
    if (transport && transport->size == launched->size)
        return OK;
    snprintf(why, WHY_SIZE, "%s does not find the other processes: it is not the MPI of that launcher",
             transport ? transport->library : launched->library);
    return refuse(launched->rank, "", why);
}

enum status ranks_begin(const char *command, bool may)
{
    const struct launched launched = launched_as();
    if (!launched.library)
        return OK;
    if (!may)
        return refuse(launched.rank, command, NULL);
    TRY(read_patience(launched.rank, &own.patience));
    TRY(start_post(&launched));
    const struct transport *transport = post_transport(own.post);
    own.rank = transport->rank;
    own.size = transport->size;
    own.local_rank = transport->local_rank;
    own.local_size = transport->local_size;
    own.library = transport->library;
    if (own.rank > 0)
        hold_back();
    return on_exit(leave, NULL) == 0 ? OK : out_of_memory("the ranks");
}
