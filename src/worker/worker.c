/* ulpscope-worker LIBRARY.so [WORDS OF A FUNCTION]: the process in which a shared library's methods are
 * called.  ulpscope starts it, and protocol.h says what they say to each other. */
#include "worker.h"
#include "src/base/mode.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- one request: its method is called, and answered for ---- */

/* What DLTensors point to. */
struct dimensions {
    int64_t shape[2], strides[2];
};

/* Without columns of one dimension. */
static DLTensor tensor_of(void *data, DLDataType type, bool is_on_device, uint64_t rows, uint64_t columns,
                          struct dimensions *dimensions)
{
    const bool has_two = columns > 0;
    *dimensions = (struct dimensions){{(int64_t)rows, (int64_t)columns}, {has_two ? (int64_t)columns : 1, 1}};
    return (DLTensor){data, {is_on_device ? 2 : 1, 0}, has_two ? 2 : 1, type, dimensions->shape, dimensions->strides,
                      0};
}

static void describe(const struct library_method *method, const struct worker_request *request, void *const at[ARRAYS],
                     DLTensor tensors[ARRAYS], struct dimensions dimensions[ARRAYS])
{
    const bool is_per_number = request->circumstances & WORKER_PER_NUMBER;
    const bool is_on_device = method->of.flags & ULPSCOPE_ON_DEVICE, is_matrix = request->columns > 0 && !is_per_number;
    const bool has_rows = is_matrix || method->of.flags & ULPSCOPE_ROWS;
    const uint64_t terms = request->terms, columns_of_x = has_rows ? terms : 0;
    const uint64_t rows_of_x = has_rows ? request->rows : terms;
    const uint64_t rows[ARRAYS] = {rows_of_x, is_matrix ? terms : rows_of_x, is_per_number ? rows_of_x : request->rows};
    const uint64_t columns[ARRAYS] = {columns_of_x, is_matrix ? request->columns : columns_of_x,
                                      is_per_number ? columns_of_x : request->columns};
    for (int a = 0; a < ARRAYS; a++)
        tensors[a] = tensor_of(at[a], a == OUTPUT ? method->result : method->stored, is_on_device, rows[a], columns[a],
                               &dimensions[a]);
}

/* Whether it succeeded; else it is said why. */
static bool compute(const struct library *library, const struct library_method *method,
                    const struct worker_request *request, const struct ulpscope_call *of, bool *refuses)
{
    if (method->adds)
        return (!(request->circumstances & WORKER_LOOKS_AT_STATES) || accumulator_keeps_states(method, of)) &&
               accumulator_run(method, of);
    const int status = method->of.run(library->state, of);
    *refuses = status != 0;
    if (status != 0)
        say_status(library, status);
    return status == 0;
}

/* Where the arrays are, `at`, and on the host; false where it says why they are not. */
static bool bring(const struct worker_request *request, const struct library_method *method, void *host[ARRAYS],
                  void *at[ARRAYS])
{
    const bool is_on_device = method->of.flags & ULPSCOPE_ON_DEVICE;
    const char *no_device = is_on_device ? device_start() : NULL;
    if (no_device) {
        say("needs a GPU: ");
        say(no_device);
        return false;
    }
    if (!windows_open(request, host)) {
        say("its arrays cannot be mapped: ");
        say(strerror(errno));
        return false;
    }
    if (request->sets > 0)
        return device_bring_sets(request, host, method->result.bits / 8, at);
    if (is_on_device)
        return device_bring(request, host, at);
    memcpy(at, host, ARRAYS * sizeof *at);
    return true;
}

/* Calls it, and sets what it took; false where it says what went wrong: a processor that it left otherwise, too. */
static bool time_run(const struct library *library, const struct library_method *method,
                     const struct worker_request *request, const struct ulpscope_call *of, uint64_t *nanoseconds,
                     bool *refuses)
{
    const bool has_events = request->repeated_bytes > 0;
    if (has_events && !device_start_clock(of->stream, request->circumstances & WORKER_IS_QUEUED))
        return false;
    mode_restore();
    faults_while("");
    const uint64_t begin = clock_now();
    const bool is_done = compute(library, method, request, of, refuses);
    const bool has_ended = has_events ? device_stop_clock(of->stream, nanoseconds)
                                      : !(method->of.flags & ULPSCOPE_ON_DEVICE) || device_wait();
    if (!has_events)
        *nanoseconds = clock_now() - begin;
    const char *mode = mode_found();
    mode_restore();
    faults_while(" between two calls");
    if (is_done && has_ended && mode) {
        say("left the processor ");
        say(mode);
    }
    return is_done && has_ended && !mode;
}

/* Under the circumstances of the request. */
static bool run(const struct library *library, const struct library_method *method,
                const struct worker_request *request, struct ulpscope_call *of, uint64_t *nanoseconds, bool *refuses)
{
    const bool is_on_device = method->of.flags & ULPSCOPE_ON_DEVICE;
    const bool is_busy = is_on_device && request->circumstances & WORKER_IS_BUSY;
    if (is_on_device && !device_stream(request->circumstances & WORKER_OTHER_STREAM, &of->stream))
        return false;
    if (is_busy && !busy_begin())
        return false;
    const bool succeeded = time_run(library, method, request, of, nanoseconds, refuses);
    return (!is_busy || busy_end()) && succeeded;
}

/* Where the next set has its arrays. */
static void go_on(const struct worker_request *request, uint64_t input_stride, uint64_t output_stride,
                  DLTensor tensors[ARRAYS])
{
    for (int a = 0; a < ARRAYS; a++)
        if (a == OUTPUT || request->input_bytes[a] > 0)
            tensors[a].data = (char *)tensors[a].data + (a == OUTPUT ? output_stride : input_stride);
}

/* One call behind the other; false where one of them fails, or leaves the processor otherwise. */
static bool run_sets(const struct library *library, const struct library_method *method,
                     const struct worker_request *request, DLTensor tensors[ARRAYS], struct ulpscope_call *of,
                     uint64_t *nanoseconds)
{
    const uint64_t input_stride = set_stride(request->terms * request->rows * method->stored.bits / 8);
    const uint64_t output_stride = set_stride(method->result.bits / 8);
    const uint64_t begin = clock_now();
    bool is_done = device_stream(false, &of->stream), refuses;
    for (uint64_t set = 0; set < request->sets && is_done; set++) {
        mode_restore();
        faults_while("");
        is_done = compute(library, method, request, of, &refuses) && !mode_found();
        mode_restore();
        faults_while(" between two calls");
        go_on(request, input_stride, output_stride, tensors);
    }
    is_done = device_wait() && is_done;
    *nanoseconds = clock_now() - begin;
    return is_done;
}

static void call(const struct library *library, const struct worker_request *request)
{
    const struct library_method *method = &library->methods[request->method];
    const bool is_on_device = method->of.flags & ULPSCOPE_ON_DEVICE;
    void *host[ARRAYS], *at[ARRAYS];
    DLTensor tensors[ARRAYS];
    struct dimensions dimensions[ARRAYS];
    uint64_t nanoseconds = 0;
    bool refuses = false;

    bool succeeded = bring(request, method, host, at);
    if (succeeded) {
        describe(method, request, at, tensors, dimensions);
        struct ulpscope_call of = {.size = sizeof of,
                                   .inputs = tensors,
                                   .input_count = request->input_bytes[1] > 0 ? 2 : 1,
                                   .outputs = &tensors[OUTPUT],
                                   .blocks = request->blocks,
                                   .threads = request->threads,
                                   .window =
                                       request->circumstances & WORKER_PER_NUMBER ? (int64_t)request->columns : 0};
        if (request->sets > 0)
            succeeded = run_sets(library, method, request, tensors, &of, &nanoseconds) &&
                        device_fetch_sets(request, host, method->result.bits / 8);
        else
            succeeded = run(library, method, request, &of, &nanoseconds, &refuses) &&
                        (!is_on_device || device_fetch(request, host));
        fflush(stdout);
    }
    answer(succeeded ? WORKER_BITS : refuses ? WORKER_REFUSED : WORKER_FAILED, nanoseconds);
}

/* ---- READY ---- */

static unsigned warnings;

static void warn(const char *before, const char *what, const char *after)
{
    char sentence[300];
    snprintf(sentence, sizeof sentence, "%s%s%s", before, what, after);
    say(warnings++ == 0 ? ", \"warnings\": [" : ", ");
    say_json(sentence);
}

static void warn_of_mode(const char *before, const char *after)
{
    const char *mode = mode_found();
    if (mode)
        warn(before, mode, after);
    mode_restore();
}

/* Its context is there before the plug-in is opened, which may want it. */
static void start_device(const struct library *library)
{
    size_t on_device = 0;
    for (size_t m = 0; m < library->method_count; m++)
        on_device += library->methods[m].of.flags & ULPSCOPE_ON_DEVICE ? 1 : 0;
    const char *missing = on_device > 0 ? device_start() : NULL;
    if (missing && on_device == library->method_count) {
        said_nothing();
        say("needs a GPU: ");
        say(missing);
        give_up();
    }
    if (missing)
        warn("some of its methods need a GPU: ", missing, "");
}

static void open_library(struct library *library)
{
    faults_while(" in its function `open`");
    const int status = library->of.open ? library->of.open(&library->state) : 0;
    if (status != 0) {
        said_nothing();
        say("its function `open` ");
        say_status(library, status);
        give_up();
    }
    faults_while(" between two calls");
}

static void get_ready(struct library *library, const char *file, char *const *bare)
{
    mode_restore();
    const char *unchecked = library_load(library, file, bare);
    if (unchecked)
        warn("called as ", unchecked, "; a library in C cannot be asked whether that is its signature");
    warn_of_mode("loading it left the processor ",
                 ", as a library does that is linked with -ffast-math; that is undone before each call");
    start_device(library);
    open_library(library);
    warn_of_mode("its function `open` left the processor ", "; that is undone before each call");
    say(warnings > 0 ? "]}" : "}");
    fflush(stdout);
    answer(WORKER_READY, 0);
}

/* ---- requests ---- */

/* Stays awake for a while, others first, before it sleeps until there is a packet: to be woken takes 50 us where the
 * processor sleeps, too, and the next request often comes sooner. */
static ssize_t wait_for_packet(struct msghdr *message)
{
    enum { AWAKE = 100 * 1000 }; /* nanoseconds */
    const uint64_t begin = clock_now();
    for (;;) {
        const bool is_awake = clock_now() - begin < AWAKE;
        const ssize_t count = recvmsg(WORKER_SOCKET, message, MSG_CMSG_CLOEXEC | (is_awake ? MSG_DONTWAIT : 0));
        if (count >= 0 || (errno != EAGAIN && errno != EINTR))
            return count;
        if (is_awake)
            sched_yield();
    }
}

/* false: ulpscope has no more of them. */
static bool receive(struct worker_request *request)
{
    enum { DESCRIPTORS = 2 };
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
    } control;
    struct iovec text = {request, sizeof *request};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    const ssize_t count = wait_for_packet(&message);
    if (count <= 0)
        return false;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(DESCRIPTORS * sizeof(int))) {
        int descriptors[DESCRIPTORS];
        memcpy(descriptors, CMSG_DATA(header), sizeof descriptors);
        windows_of_memory(descriptors[0], descriptors[1]);
    }
    if (message.msg_flags & MSG_CTRUNC) {
        say("left no descriptor free: its arrays could not be brought");
        give_up();
    }
    if ((size_t)count != sizeof *request) {
        say("was asked by another version of ulpscope: ulpscope-worker and ulpscope belong together");
        give_up();
    }
    return true;
}

int main(int count, char **arguments)
{
    static struct library library;
    struct worker_request request;
    if ((count != 2 && count != 2 + BARE_WORDS) || fcntl(WORKER_SOCKET, F_GETFD) < 0) {
        fprintf(stderr, "ulpscope-worker is started by ulpscope: ulpscope run --plugin LIBRARY.so\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    faults_watch();
    get_ready(&library, arguments[1], count > 2 ? arguments + 2 : NULL);
    while (receive(&request)) {
        begin_answer(request.number);
        call(&library, &request);
    }
    faults_end();
    if (library.of.close)
        library.of.close(library.state);
    return 0;
}
