#include "exchange.h"
#include "src/base/clock.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct packet {
    struct worker_reply reply;
    char text[WORKER_PACKET_MOST + 1 - sizeof(struct worker_reply)]; /* ends with a 0 */
    size_t length;
};

/* Our end of the socket. */
static int *socket_of(struct plugin *plugin)
{
    return plugin->own;
}

/* Most answers come at once: to sleep and be woken takes longer than the sum of a thousand numbers. */
static void stay_awake(struct pollfd *descriptor)
{
    const double awake = 100e-6, begin = clock_of_wall();
    while (poll(descriptor, 1, 0) == 0 && clock_of_wall() < begin + awake)
        sched_yield();
}

/* An answer that says what a worker can say; true for those without a result, too. */
static bool receive(struct plugin *plugin, double seconds, struct packet *packet)
{
    struct pollfd descriptor = {*socket_of(plugin), POLLIN, 0};
    stay_awake(&descriptor);
    if (!process_wait(&plugin->process, &descriptor, 1, clock_of_wall() + seconds, plugin->why))
        return false;
    struct iovec parts[] = {{&packet->reply, sizeof packet->reply}, {packet->text, sizeof packet->text - 1}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    const ssize_t count = recvmsg(*socket_of(plugin), &message, MSG_DONTWAIT);
    if (count <= 0) {
        char how[WHY_SIZE];
        process_end(&plugin->process, how);
        return plugin_failed(plugin, "%s", *how ? how : "closed its connection to ulpscope");
    }
    if ((size_t)count < sizeof packet->reply)
        return plugin_failed(plugin, "sent %zd bytes, which are no answer", count);
    packet->length = (size_t)count - sizeof packet->reply;
    packet->text[packet->length] = '\0';
    return true;
}

/* ---- start ---- */

static bool read_ready(struct plugin *plugin, json_t **ready)
{
    OWNED struct packet *packet = malloc(sizeof *packet);
    json_error_t error;
    bool is_ready = packet && receive(plugin, process_seconds_to_start(&plugin->limits), packet);
    if (is_ready && packet->reply.answer == WORKER_READY) {
        *ready = json_loadb(packet->text, packet->length, 0, &error);
        is_ready = *ready || plugin_failed(plugin, "says of itself what is no JSON: %s", error.text);
    } else if (is_ready) {
        is_ready = plugin_failed(plugin, "%s", packet->reply.answer == WORKER_CANNOT ? packet->text : "sent no answer");
    }
    return is_ready;
}

static char *sanitizer[] = {"compute-sanitizer", "--tool", NULL, "--error-exitcode", "99", NULL};
enum { SANITIZER_TOOL = 2, SANITIZER_WORDS = 5, WORDS_MOST = 16 };

enum status plugins_sanitize(const char *tool, const char *where)
{
    static const char *const tools[] = {"memcheck", "racecheck", "initcheck", "synccheck"};
    bool is_known = false;
    for (size_t t = 0; t < sizeof tools / sizeof *tools; t++)
        is_known |= strcmp(tools[t], tool) == 0;
    if (!is_known)
        complain("%s: \"%s\" is unknown; expected memcheck, racecheck, initcheck or synccheck", where, tool);
    else if (!exchange_is_program(sanitizer[0]))
        complain(
            "%s: compute-sanitizer is not in the PATH; expected CUDA's, often in /usr/local/cuda/bin; add that to PATH",
            where);
    else {
        sanitizer[SANITIZER_TOOL] = (char *)tool;
        setenv(WORKER_EXACT_ARRAYS, "1", true);
        return OK;
    }
    return BAD_INPUT;
}

bool packets_found_errors(const struct plugin *plugin)
{
    const struct process *process = &plugin->process;
    return sanitizer[SANITIZER_TOOL] && process->has_ended && WIFEXITED(process->end) &&
           WEXITSTATUS(process->end) == 99;
}

bool packets_start(struct plugin *plugin, char *const *arguments, char *const *environment, json_t **ready)
{
    int ends[2];
    if (!plugin->own) {
        plugin->own = memory_cleared(1, sizeof(int));
        *socket_of(plugin) = -1;
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return plugin_failed(plugin, "cannot be started: no socket: %s", strerror(errno));
    char *words[WORDS_MOST] = {0};
    size_t count = 0;
    for (size_t w = 0; w < SANITIZER_WORDS && sanitizer[SANITIZER_TOOL]; w++)
        words[count++] = sanitizer[w];
    while (*arguments && count < WORDS_MOST - 1)
        words[count++] = *arguments++;
    const struct process_wish wish = {plugin->name, words, environment, {-1, -1, -1, ends[1]}};
    const bool is_started = process_start(&plugin->process, &wish, &plugin->limits, plugin->why);
    close(ends[1]);
    *socket_of(plugin) = ends[0];
    plugin->arrays.is_new = true;
    return is_started && read_ready(plugin, ready);
}

void packets_stop(struct plugin *plugin)
{
    if (!plugin->own)
        return;
    if (*socket_of(plugin) >= 0)
        close(*socket_of(plugin));
    free(plugin->own);
    plugin->own = NULL;
    shared_arrays_free(&plugin->arrays);
}

/* ---- questions ---- */

/* New memory goes along as two descriptors. */
static bool send_request(struct plugin *plugin, const struct worker_request *request)
{
    struct shared_arrays *arrays = &plugin->arrays;
    const int descriptors[] = {arrays->inputs.descriptor, arrays->output.descriptor};
    union {
        char bytes[CMSG_SPACE(sizeof descriptors)];
        struct cmsghdr aligned;
    } control = {0};
    struct iovec part = {(void *)request, sizeof *request};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (arrays->is_new) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){CMSG_LEN(sizeof descriptors), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(header), descriptors, sizeof descriptors);
    }
    arrays->is_new = false;
    if (sendmsg(*socket_of(plugin), &message, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof *request)
        return true;
    char how[WHY_SIZE];
    process_end(&plugin->process, how);
    return plugin_failed(plugin, "%s", *how ? how : "listens no more");
}

static bool take_bits(struct plugin *plugin, const struct worker_request *request, const struct format *result,
                      uint64_t *bits)
{
    const char *output = plugin->arrays.output.at + request->output_offset;
    const uint64_t elements = request->output_bytes / result->bytes;
    const char *wrong = shared_arrays_output(&plugin->arrays, request, elements, result->bytes);
    for (uint64_t i = 0; i < elements && !wrong; i++)
        bits[i] = format_load(result, output, i);
    return !wrong || plugin_failed(plugin, "%s", wrong);
}

static bool take_value(struct plugin *plugin, const struct worker_request *request, const struct format *result,
                       uint64_t *bits)
{
    double value;
    if (request->output_bytes != result->bytes)
        return plugin_failed(plugin, "gave one number; expected %llu",
                             (unsigned long long)(request->output_bytes / result->bytes));
    const char *wrong = shared_arrays_output(&plugin->arrays, request, 1, sizeof value);
    memcpy(&value, plugin->arrays.output.at + request->output_offset, sizeof value);
    *bits = format_bits(result, rounded_to(value, result));
    return !wrong || plugin_failed(plugin, "%s", wrong);
}

/* A NUL would end it. */
static const char *text_of(struct packet *packet)
{
    for (size_t i = 0; i < packet->length; i++)
        packet->text[i] = packet->text[i] == '\0' ? '?' : packet->text[i];
    return packet->text;
}

bool packets_ask(struct plugin *plugin, const struct question *question, uint64_t *bits, double *seconds, bool *refuses)
{
    const struct operands *of = question->operands;
    const bool is_of_windows = of->operation == OPERATION_rolling;
    const struct format *result = question->of->method.format;
    const struct plugin_timing timing = question->timing ? *question->timing : (struct plugin_timing){0};
    struct worker_request request = {
        .method = (uint32_t)question->of->index,
        /* Of three that are asked beside a run's data two in a row lie at one address, as in a buffer used again. */
        .window = (uint32_t)((timing.data > 0 ? timing.data : question->number >> question->of->is_tried) & 1),
        .number = question->number,
        .rows = of->shape.rows,
        .terms = of->shape.terms,
        .columns = is_of_windows ? operands_window(of) : of->shape.columns,
        .sets = question->sets,
        .blocks = question->launch.blocks,
        .threads = question->launch.threads,
        .offset = question->circumstances.offset,
        .circumstances = (question->circumstances.other_stream ? WORKER_OTHER_STREAM : 0) |
                         (question->circumstances.is_busy ? WORKER_IS_BUSY : 0) |
                         (question->circumstances.looks_at_states ? WORKER_LOOKS_AT_STATES : 0) |
                         (timing.data > 0 && timing.data == plugin->data ? WORKER_DATA_STAY : 0) |
                         (timing.is_queued ? WORKER_IS_QUEUED : 0) |
                         (operation_is_per_number(of->operation) ? WORKER_PER_NUMBER : 0),
    };
    const char *wrong = shared_arrays_fill(&plugin->arrays, of, result, question->circumstances.is_first_in_page,
                                           timing.period, &request);
    if (wrong)
        return plugin_failed(plugin, "%s", wrong);
    struct packet packet;
    if (!send_request(plugin, &request) || !receive(plugin, plugin->limits.seconds, &packet))
        return false;
    if (packet.reply.answer == WORKER_BROKEN)
        return plugin_failed(plugin, "%s", text_of(&packet));
    if (packet.reply.number != request.number)
        return plugin_failed(plugin, "answered question %llu in place of %llu", (unsigned long long)packet.reply.number,
                             (unsigned long long)request.number);
    *seconds = (double)packet.reply.nanoseconds * 1e-9;
    *refuses = packet.reply.answer == WORKER_REFUSED;
    switch (packet.reply.answer) {
    case WORKER_BITS:
        return take_bits(plugin, &request, result, bits);
    case WORKER_VALUES:
        return take_value(plugin, &request, result, bits);
    case WORKER_FAILED:
    case WORKER_REFUSED:
        return plugin_failed(plugin, "%s", text_of(&packet));
    case WORKER_UNABLE:
        return plugin_unable(plugin, text_of(&packet));
    default:
        return plugin_failed(plugin, "sent an answer of unknown kind, %u", packet.reply.answer);
    }
}
