#include "ranks.h"

#include "src/plugins/plugin.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- whether mpirun, or its like, started this process as one of several, and which MPI library is meant ---- */

struct launched {
    unsigned rank, size;
    const char *library; /* "openmpi", as the module is called; NULL: one process alone */
};

/* Loads the library and the module that was compiled with it; NULL with the reason in `why`. */
enum { WHY_SIZE = 512 };

/* What launchers tell each process.  Slurm's `srun --mpi=pmix` leaves the size to a variable of its own. */
static const struct launcher {
    const char *rank, *size, *library;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "openmpi"},
    {"PMI_RANK", "PMI_SIZE", "mpich"},
    {"PMIX_RANK", "SLURM_NTASKS", "openmpi"},
};

/* The libraries as programs load them.  Their interfaces have been the same for ten years: libmpi.so.40 is Open MPI
 * from 3 to 5; libmpi.so.12 is whatever has MPICH's (its ABI initiative), and Debian calls that of MPICH libmpich. */
static const struct library {
    const char *id, *name, *files[3];
} libraries[] = {
    {"openmpi", "Open MPI", {"libmpi.so.40"}},
    {"mpich", "MPICH", {"libmpich.so.12", "libmpi.so.12"}},
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

static unsigned number_of(const char *variable)
{
    const char *text = getenv(variable);
    char *end = NULL;
    const unsigned long number = text && *text ? strtoul(text, &end, 10) : 0;
    return end && *end == '\0' && number < 1u << 24 ? (unsigned)number : 0;
}

/* By the variables that a launcher sets.  ULPSCOPE_MPI names another library. */
static struct launched launched_as(void)
{
    const char *wanted = getenv("ULPSCOPE_MPI");
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const struct launcher *by = &launchers[i];
        const unsigned size = getenv(by->rank) ? number_of(by->size) : 0;
        if (size > 1)
            return (struct launched){number_of(by->rank), size, wanted && *wanted ? wanted : by->library};
    }
    return (struct launched){0, 1, NULL};
}

static const struct library *find_library(const char *id, char why[WHY_SIZE])
{
    for (size_t i = 0; i < LIBRARIES; i++)
        if (strcmp(libraries[i].id, id) == 0)
            return &libraries[i];
    snprintf(why, WHY_SIZE, "ULPSCOPE_MPI is \"%s\"; expected openmpi or mpich", id);
    return NULL;
}

/* Its names are for everyone: the module has them from no other place, and Open MPI's own parts look for them. */
static bool load_library(const struct library *library, char why[WHY_SIZE])
{
    for (size_t i = 0; library->files[i]; i++)
        if (dlopen(library->files[i], RTLD_NOW | RTLD_GLOBAL))
            return true;
    snprintf(why, WHY_SIZE, "%s's library cannot be loaded: %s", library->name, dlerror());
    return false;
}

static transport_start *launched_module(const struct launched *launched, char why[WHY_SIZE])
{
    const struct library *library = find_library(launched->library, why);
    if (!library)
        return NULL;
    OWNED char *file = text_made("ulpscope-mpi-%s.so", library->id);
    OWNED char *path = plugin_companion(file, "ULPSCOPE_MPI_MODULE");
    transport_start *start = NULL;
    if (!path)
        snprintf(why, WHY_SIZE, "this ulpscope was built without %s (%s is not beside it)", library->name, file);
    else if (load_library(library, why)) {
        void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        void *function = module ? dlsym(module, TRANSPORT_FUNCTION) : NULL;
        if (function)
            memcpy(&start, &function, sizeof start);
        else
            snprintf(why, WHY_SIZE, "%s", dlerror());
    }
    return start;
}

/* ---- ranks ---- */

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
