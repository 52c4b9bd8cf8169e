/* What the parts of ulpscope-worker give each other. */
#pragma once

#include "include/ulpscope/plugin.h"
#include "protocol.h"

#include <stdbool.h>
#include <time.h>

/* What the worker says to ulpscope, one packet at a time: its text is put together piece by piece, then sent.  No
 * memory is allocated and no lock taken, so that a signal handler can say something, too. */

/* Appends to the text; what does not fit is left out.  Text of a plug-in may be any bytes: what is no UTF-8 becomes ?.
 */
void say(const char *text);
void say_number(uint64_t number);
void say_hex(uint64_t number);
void say_foreign(const char *text);
void say_json(const char *text); /* in quotes, escaped */

/* Whether all of the text fitted, and forgetting it. */
bool said_all(void);
void said_nothing(void);

/* The request that is answered from now on; until there is one, 0. */
void begin_answer(uint64_t number);

/* Sends the text with an answer, and forgets it.  Where nobody listens the process ends. */
void answer(enum worker_answer what, uint64_t nanoseconds);

/* Says WORKER_CANNOT before READY, WORKER_BROKEN afterwards, with the text, and ends the process at once. */
_Noreturn void give_up(void);

/* Nanoseconds since some time. */
static inline uint64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* A plug-in that crashes or calls exit() says what it did, before the process ends. */

/* From now on, in this thread and those that are started later. */
void faults_watch(void);

/* What the plug-in does now, " while it was loaded", for the ends of sentences; "" in a call. */
void faults_while(const char *what);

/* exit() is the worker's own from now on. */
void faults_end(void);

/* Appends "its input 1" of the arrays of a call. */
void say_array(int array);

/* The arrays of a call, as a plug-in has them: each alone between pages that nobody can touch, the inputs to be read
 * only. Each is there twice, at two addresses, so that a result that depends on where its data lie is seen to. */

enum { ARRAYS = WORKER_INPUTS_MOST + 1, OUTPUT = WORKER_INPUTS_MOST };

/* Takes the descriptors of new memory; what was mapped of the old is so no longer. */
void windows_of_memory(int inputs, int output);

/* Where the arrays of a request begin, in its window; of an input that there is not NULL.  false: errno says why. */
bool windows_open(const struct worker_request *request, void *arrays[ARRAYS]);

/* What lies at an address: an array, or the untouchable pages before or behind it.  For signal handlers. */
struct place {
    int array; /* -1: none */
    enum { BEFORE, INSIDE, BEHIND } where;
};
struct place windows_place(const void *address);

/* CUDA's driver, looked for when it is first wanted: nothing of CUDA is needed to build or start the worker. */

/* cuda.h's functions; their _v2 are of 2010, and its types are numbers and pointers. */
struct driver {
    int (*init)(unsigned flags);
    int (*device_get)(int *device, int ordinal);
    int (*attribute)(int *value, int attribute, int device);
    int (*retain)(void **context, int device);
    int (*set_current)(void *context);
    int (*synchronize)(void);
    int (*stream_create)(void **stream, unsigned flags);
    int (*allocate)(uint64_t *at, size_t bytes);
    int (*allocate_on_host)(void **at, size_t bytes, unsigned flags);
    int (*release)(uint64_t at);
    int (*set)(uint64_t at, unsigned char byte, size_t count);
    int (*bring)(uint64_t to, const void *from, size_t bytes);
    int (*fetch)(void *to, uint64_t from, size_t bytes);
    int (*copy)(uint64_t to, uint64_t from, size_t bytes);
    int (*event_create)(void **event, unsigned flags);
    int (*event_record)(void *event, void *stream);
    int (*event_elapsed)(float *milliseconds, void *start, void *stop);
    int (*load_module)(void **module, const void *image);
    int (*find_function)(void **function, void *module, const char *name);
    int (*launch)(void *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x,
                  unsigned threads_y, unsigned threads_z, unsigned shared_bytes, void *stream, void **arguments,
                  void **extra);
    int (*error_name)(int error, const char **name);
};
extern struct driver cuda;

/* NULL, or why it is not there. */
const char *driver_load(void);

/* Of an error. */
const char *driver_name_of(int error);

/* Whether there was no error; else it is said behind what failed.  After an illegal address and its like every call
 * fails, until the process ends: it gives up. */
bool driver_is_done(int error, const char *failed);

/* Another kernel, which occupies half of the GPU's multiprocessors while a method runs. */

/* Each: false where it says why it failed.  From the beginning on it runs until the end, or for BUSY_MILLISECONDS: a
 * method that waits for the whole GPU waits for it. */
bool busy_begin(void);
bool busy_end(void);

/* Queues one that lets what is queued behind it on a stream wait for 25 us, in which the host queues it: 5 to 15 us. */
bool busy_for_a_while(void *stream);

/* The memory of a GPU for methods ON_DEVICE, by CUDA's driver (driver.h).  It is the first GPU that
 * CUDA_VISIBLE_DEVICES leaves, and its primary context, which is the one of CUDA's runtime as well.
 *
 * The arrays of a call lie in one piece of memory, ones (a NaN) around each, and all of it is looked at after the call.
 */

/* NULL, or why there is no GPU. */
const char *device_start(void);

/* Each of these: false where it says why the call failed; gives up where the GPU is lost for this process. */

/* The stream of each call, or another one. */
bool device_stream(bool other, void **stream);

/* Brings the inputs, and makes the output ones; where they lie there, aligned to 512 bytes and the offset of the
 * request. */
bool device_bring(const struct worker_request *request, void *const host[ARRAYS], void *device[ARRAYS]);

/* Waits for all streams. */
bool device_wait(void);

/* The GPU's clock on a stream: from when the GPU comes to what is launched behind the start until it leaves what is
 * launched before the stop, which waits for it. */
bool device_start_clock(void *stream, bool is_queued);
bool device_stop_clock(void *stream, uint64_t *nanoseconds);

/* Fetches the output, and compares all else with what was brought. */
bool device_fetch(const struct worker_request *request, void *const host[ARRAYS]);

/* The same for many sets; at: of the first. */
bool device_bring_sets(const struct worker_request *request, void *const host[ARRAYS], uint64_t result_bytes,
                       void *at[ARRAYS]);
bool device_fetch_sets(const struct worker_request *request, void *const host[ARRAYS], uint64_t result_bytes);

/* The plug-in: a shared library, loaded, held to include/ulpscope/plugin.h and opened. */

/* A method, and what its arrays have in them. */
struct library_method {
    struct ulpscope_method of;
    DLDataType stored, result;
    const struct ulpscope_accumulator *adds; /* NULL: it runs by itself */
    int order;                               /* of orders.def, in which it adds */
};

struct library {
    struct ulpscope_plugin of;
    struct library_method *methods; /* its own, and of each accumulator the orders */
    size_t method_count;
    struct ulpscope_accumulator *accumulators;
    void *state; /* what `open` made */
};

/* Loads and checks it, and says what it has as the text of READY, without the end; gives up where it cannot be used.
 * bare: NULL, or the words about a function that it has in place of plugin.h's entry; what cannot be checked of it. */
const char *library_load(struct library *library, const char *file, char *const *bare);

/* Appends "returned status 3", and what the plug-in says that this means. */
void say_status(const struct library *library, int status);

/* The accumulators of a plug-in, each in every order: by the orders' host halves (kernels/replay.c), over verbs that
 * call its functions. */

enum {
#define ORDER(id, determinism, slow_above, rows, claim) ACCUMULATOR_ORDER_##id,
#include "kernels/orders.def"
    ACCUMULATOR_ORDERS
};
enum { ACCUMULATOR_BYTES_MOST = 1 << 16 };

/* Fills in what it is in its order; false: it has no such method. */
bool accumulator_method(struct library_method *method);

/* The sums of the rows of one call; false where it says what went wrong. */
bool accumulator_run(const struct library_method *method, const struct ulpscope_call *call);

/* Whether states of these numbers keep what plugin.h promises of them: merge(zero, s) and merge(s, zero) are s, a copy
 * of s goes on as s does, and nothing beside s is written; false where it says which does not hold. */
bool accumulator_keeps_states(const struct library_method *method, const struct ulpscope_call *call);
