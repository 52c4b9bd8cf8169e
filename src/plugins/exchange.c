#include "exchange.h"
#include "src/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE_SIZE = 1 << 20, READ_AT_LEAST = 1 << 12, QUOTED = 60 };
#define SPIN_SECONDS 50e-6 /* to be woken costs as much as an answer takes */

bool exchange_failed(const struct exchange *exchange, struct plugin *plugin, const char *why)
{
    return plugin_failed(plugin, "%s: \"%.*s\"%s", why, QUOTED, exchange->text, exchange->length > QUOTED ? "..." : "");
}

/* ---- start and stop ---- */

/* Two pipes, of which this program's ends do not block. */
static bool make_pipes(struct exchange *exchange, int theirs[2])
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    const bool is_made = pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0;
    exchange->to = in[1];
    exchange->from = out[0];
    theirs[0] = in[0];
    theirs[1] = out[1];
    if (!is_made)
        return false;
    (void)fcntl(exchange->to, F_SETPIPE_SZ, PIPE_SIZE); /* where it is not allowed, it only takes longer */
    return fcntl(exchange->to, F_SETFL, O_NONBLOCK) == 0 && fcntl(exchange->from, F_SETFL, O_NONBLOCK) == 0;
}

bool exchange_is_program(const char *name)
{
    const char *folders = strchr(name, '/') ? "" : getenv("PATH");
    bool is_found = strchr(name, '/') && access(name, X_OK) == 0;
    for (const char *at = folders; at && *at && !is_found; at += strspn(at, ":")) {
        const size_t length = strcspn(at, ":");
        OWNED char *path = text_made("%.*s/%s", (int)length, at, name);
        is_found = *name && access(path, X_OK) == 0;
        at += length;
    }
    return is_found;
}

/* A command without a shell's work: no word outside of quotes joins others to it, and its first is a program. */
static bool is_one_program(const char *command)
{
    char quote = '\0', first[PATH_MAX];
    for (const char *at = command; *at; at++) {
        if (*at == '\\' && quote != '\'' && at[1])
            at++;
        else if (quote)
            quote = *at == quote ? '\0' : quote;
        else if (*at == '\'' || *at == '"')
            quote = *at;
        else if (strchr(";|&()`\n", *at))
            return false;
    }
    const char *begin = command + strspn(command, " \t");
    const size_t length = strcspn(begin, " \t<>");
    snprintf(first, sizeof first, "%.*s", (int)length, begin);
    return length < sizeof first && exchange_is_program(first);
}

bool exchange_start(struct exchange *exchange, struct plugin *plugin, const char *command)
{
    int theirs[2];
    OWNED char *line = text_made("%s%s", is_one_program(command) ? "exec " : "", command); /* no shell waits for it */
    char *const arguments[] = {"sh", "-c", line, NULL};
    exchange->length = 0;
    bool is_started =
        make_pipes(exchange, theirs) || plugin_failed(plugin, "cannot be started: no pipe: %s", strerror(errno));
    const struct process_wish wish = {plugin->name, arguments, NULL, {theirs[0], theirs[1], -1, -1}};
    is_started = is_started && process_start(&plugin->process, &wish, &plugin->limits, plugin->why);
    close_one(&theirs[0]);
    close_one(&theirs[1]);
    return is_started;
}

void exchange_stop(struct exchange *exchange, struct plugin *plugin)
{
    process_end(&plugin->process, NULL);
    close_one(&exchange->to);
    close_one(&exchange->from);
    free(exchange->text);
    exchange->text = NULL;
    exchange->length = exchange->room = 0;
}

/* ---- bytes ---- */

struct talk {
    struct exchange *exchange;
    struct plugin *plugin;
    const char *bytes;
    size_t count, written;
    enum exchange_end end;
    size_t most, looked_at; /* of the text: where no end of a line is */
    bool is_over;           /* it has closed its output */
};

/* What the pipe says may be that it has ended. */
static bool broke_off(struct talk *talk, const char *otherwise)
{
    char how[WHY_SIZE];
    process_end(&talk->plugin->process, how);
    const char *why = *how ? how : otherwise;
    if (talk->exchange->length == 0)
        return plugin_failed(talk->plugin, "%s", why);
    OWNED char *with_text = text_made("%s; what it wrote is no whole line", why);
    exchange_failed(talk->exchange, talk->plugin, with_text);
    return false;
}

/* A program that reads no more is told from others by what it answers, or, where it was to go on, ended. */
static bool write_some(struct talk *talk, bool *moved)
{
    struct exchange *exchange = talk->exchange;
    if (talk->written < talk->count) {
        const ssize_t count = write(exchange->to, talk->bytes + talk->written, talk->count - talk->written);
        if (count < 0 && errno == EPIPE && talk->end == ONE_LINE)
            return broke_off(talk, "closed its standard input");
        if (count < 0 && errno != EAGAIN && errno != EINTR)
            talk->written = talk->count;
        *moved = count > 0;
        talk->written += count > 0 ? (size_t)count : 0;
    }
    if (talk->written == talk->count && talk->end == ALL_OF_IT)
        close_one(&exchange->to);
    return true;
}

static bool read_some(struct talk *talk, bool *moved)
{
    struct exchange *exchange = talk->exchange;
    if (exchange->room < exchange->length + READ_AT_LEAST + 1) {
        exchange->room = 2 * exchange->room + READ_AT_LEAST + 1;
        exchange->text = memory_resized(exchange->text, exchange->room);
    }
    const ssize_t count =
        read(exchange->from, exchange->text + exchange->length, exchange->room - exchange->length - 1);
    talk->is_over = count == 0;
    if (count > 0)
        exchange->length += (size_t)count;
    exchange->text[exchange->length] = '\0';
    *moved |= count >= 0;
    if (exchange->length <= talk->most)
        return !talk->is_over || talk->end == ALL_OF_IT || broke_off(talk, "closed its standard output");
    return exchange_failed(exchange, talk->plugin, "wrote too much on its standard output; it begins with");
}

/* An answer before the program has read everything is none of what it was asked. */
static bool take_line(struct talk *talk, char *end)
{
    struct exchange *exchange = talk->exchange;
    int unread = 0;
    *end = '\0';
    if (end + 1 < exchange->text + exchange->length)
        return exchange_failed(
            exchange, talk->plugin,
            "wrote more than one line on its standard output, where only the answer belongs; the first is");
    exchange->length--;
    if (talk->written == talk->count && (ioctl(exchange->to, FIONREAD, &unread) != 0 || unread == 0))
        return true;
    return exchange_failed(exchange, talk->plugin, "answered before it had read its input, with");
}

static bool take_all(struct talk *talk)
{
    const struct process *process = &talk->plugin->process;
    char how[WHY_SIZE];
    if (process_has_ended(&talk->plugin->process, 1000) && WIFEXITED(process->end) && WEXITSTATUS(process->end) == 0)
        return true;
    process_end(&talk->plugin->process, how);
    return plugin_failed(talk->plugin, "%s", *how ? how : "closed its standard output and did not end");
}

static bool is_answered(struct talk *talk, bool *is_right)
{
    struct exchange *exchange = talk->exchange;
    if (talk->end == ALL_OF_IT) {
        *is_right = talk->is_over && take_all(talk);
        return talk->is_over;
    }
    char *end = memchr(exchange->text + talk->looked_at, '\n', exchange->length - talk->looked_at);
    talk->looked_at = exchange->length;
    *is_right = end && take_line(talk, end);
    return end != NULL;
}

/* false: why says so, with the beginning of a line that has no end. */
static bool wait_for_it(struct talk *talk, double until)
{
    struct plugin *plugin = talk->plugin;
    struct pollfd descriptors[] = {{talk->exchange->from, POLLIN, 0},
                                   {talk->written < talk->count ? talk->exchange->to : -1, POLLOUT, 0}};
    const bool is_there = process_wait(&plugin->process, descriptors, 2, until, plugin->why);
    if (is_there && clock_of_wall() <= until)
        return true;
    if (is_there)
        plugin_failed(plugin, "did not end its answer within %g s; --timeout gives it longer", plugin->limits.seconds);
    if (talk->exchange->length == 0)
        return false;
    OWNED char *with_text = text_made("%s; so far it wrote", plugin->why);
    exchange_failed(talk->exchange, plugin, with_text);
    return false;
}

/* Also counts its threads and memory, now and then, where it never lets anybody wait. */
static bool is_silent(struct talk *talk, double until)
{
    bool moved = false;
    if (!wait_for_it(talk, until) || !read_some(talk, &moved))
        return false;
    return talk->exchange->length == 0 ||
           exchange_failed(talk->exchange, talk->plugin, "wrote on its standard output before it was asked");
}

static bool take_turns(struct talk *talk, double seconds)
{
    bool is_right = false;
    double moved_at = clock_of_wall();
    const double until = moved_at + seconds;
    if (talk->end == ONE_LINE && !is_silent(talk, until))
        return false;
    while (!is_answered(talk, &is_right)) {
        bool moved = false;
        if (!write_some(talk, &moved) || !read_some(talk, &moved))
            return false;
        const double now = clock_of_wall();
        if (moved && now < until)
            moved_at = now;
        else if (now < moved_at + SPIN_SECONDS)
            sched_yield();
        else if (!wait_for_it(talk, until))
            return false;
    }
    return is_right;
}

/* Writing to a program that has closed its input is an error here, and no signal. */
bool exchange_bytes(struct exchange *exchange, struct plugin *plugin, const char *bytes, size_t count,
                    enum exchange_end end, size_t most, double seconds)
{
    struct talk talk = {exchange, plugin, bytes, count, 0, end, most, 0, false};
    const struct timespec now = {0, 0};
    sigset_t broken_pipe, before;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    exchange->length = 0;
    const bool is_answered = take_turns(&talk, seconds);
    while (sigtimedwait(&broken_pipe, NULL, &now) > 0)
        ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_answered;
}
