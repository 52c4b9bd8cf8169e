/* ulpscope-worker LIBRARY.so [WORDS OF A FUNCTION]: the process in which a shared library's methods are
 * called.  ulpscope starts it, and protocol.h says what they say to each other. */
#include "call.h"
#include "clock.h"
#include "device.h"
#include "faults.h"
#include "said.h"
#include "src/base/mode.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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
