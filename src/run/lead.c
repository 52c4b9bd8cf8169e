#include "crew.h"
#include "src/base/list.h"
#include "src/ranks/case_bytes.h"

/* A message of this many is short enough for any MPI library to send at once. */
enum { GIVEN_AT_ONCE = 128, GIVEN_PER_JOB = 64 };

struct follower {
    unsigned jobs;
    bool takes; /* cases: it has joined, and not left */
    uint64_t *given;
    size_t count, capacity;
};

struct leading {
    struct crew *crew;
    const struct ranks *ranks;
    const char *identity;
    unsigned jobs;              /* of all that take cases */
    struct follower *followers; /* by rank; that of rank 0 stays empty */
    bool has_stopped;
};

static bool any_takes(const struct leading *leading)
{
    for (unsigned rank = 1; rank < leading->ranks->size; rank++)
        if (leading->followers[rank].takes)
            return true;
    return false;
}

/* ---- what a follower is given ---- */

static size_t room(const struct leading *leading, const struct follower *follower)
{
    const uint64_t each = crew_left(leading->crew) / (4 * (uint64_t)leading->jobs);
    const uint64_t per_job = each < 1 ? 1 : each > GIVEN_PER_JOB ? GIVEN_PER_JOB : each;
    return (size_t)per_job * follower->jobs;
}

static void give(struct leading *leading, unsigned rank)
{
    struct follower *follower = &leading->followers[rank];
    uint64_t indices[GIVEN_AT_ONCE];
    const size_t most = room(leading, follower);
    size_t count = 0;
    while (follower->count < most && count < GIVEN_AT_ONCE && crew_take_now(leading->crew, &indices[count])) {
        follower->given = list_short(follower->given, follower->count, &follower->capacity, sizeof *follower->given);
        follower->given[follower->count++] = indices[count++];
    }
    if (count > 0)
        post_send(leading->ranks->post, rank, GIVES, indices, count * sizeof *indices);
}

/* ---- what becomes of a follower ---- */

static void release(struct leading *leading, unsigned rank, bool may_be_to_blame)
{
    struct follower *follower = &leading->followers[rank];
    for (size_t i = 0; i < follower->count; i++)
        crew_give_back(leading->crew, follower->given[i], may_be_to_blame);
    leading->jobs -= follower->takes ? follower->jobs : 0;
    follower->takes = false;
    follower->count = 0;
}

static void let_in(struct leading *leading, const struct message *message)
{
    struct follower *follower = &leading->followers[message->from];
    struct joins joins = {0};
    if (message->count > sizeof joins)
        memcpy(&joins, message->bytes, sizeof joins);
    const char *identity = (const char *)message->bytes + offsetof(struct joins, identity);
    if (message->count <= sizeof joins || strcmp(identity, leading->identity) != 0) {
        complain("rank %u takes no cases: it has another device, build, study or black box than rank 0; give all ranks "
                 "the same, with --device",
                 message->from);
        post_send(leading->ranks->post, message->from, STOP, NULL, 0);
        return;
    }
    follower->takes = joins.jobs > 0 && !leading->has_stopped;
    follower->jobs = joins.jobs;
    leading->jobs += follower->takes ? joins.jobs : 0;
}

static void tell_why_not(const struct message *message)
{
    OWNED char *text = memory_copy((const char *)message->bytes);
    const char *rest = text;
    for (char *end = text + strlen(text); end > text && end[-1] == '\n'; end--)
        end[-1] = '\0';
    for (char *at = text; *at; at++)
        *at = *at == '\n' ? ' ' : *at;
    if (strncmp(rest, "ulpscope: ", strlen("ulpscope: ")) == 0)
        rest += strlen("ulpscope: ");
    complain("rank %u takes no cases: %s", message->from, *rest ? rest : "it ended");
}

/* Whether that case is one that it has; then it has it no more. */
static bool strike_out(struct follower *follower, uint64_t index)
{
    for (size_t i = 0; i < follower->count; i++)
        if (follower->given[i] == index) {
            follower->given[i] = follower->given[--follower->count];
            return true;
        }
    return false;
}

static void tell_of(const struct leading *leading, unsigned rank, const char *what)
{
    const size_t count = leading->followers[rank].count;
    complain("rank %u %s; the %zu case%s that it had go%s to the others", rank, what, count, count == 1 ? "" : "s",
             count == 1 ? "es" : "");
}

/* It lives, and may be wrong again. */
static void leave_out(struct leading *leading, unsigned rank, const char *why)
{
    tell_of(leading, rank, why);
    release(leading, rank, true);
    post_send(leading->ranks->post, rank, STOP, NULL, 0);
}

static void bury(struct leading *leading, unsigned rank)
{
    tell_of(leading, rank, "is not heard any more, and taken for dead");
    release(leading, rank, true);
    post_forget(leading->ranks->post, rank);
    ranks_note_loss();
}

static void take_case(struct leading *leading, const struct message *message)
{
    struct follower *follower = &leading->followers[message->from];
    FREED_BY(finished_case_free) struct finished_case finished = {0};
    enum status status = OK;
    const bool is_whole = message->count >= sizeof status &&
                          case_from_bytes(message->bytes + sizeof status, message->count - sizeof status, &finished);
    if (!is_whole || !strike_out(follower, finished.index)) {
        leave_out(leading, message->from, "handed in what is none of its cases, and is left out from now on");
    } else if (finished.device_lost) {
        crew_give_back(leading->crew, finished.index, false);
        tell_of(leading, message->from, "has lost its GPU");
        release(leading, message->from, false);
    } else {
        memcpy(&status, message->bytes, sizeof status);
        crew_hand_in(leading->crew, NULL, status, &finished);
    }
}

static void hear(struct leading *leading, const struct message *message)
{
    const struct follower *follower = &leading->followers[message->from];
    if (message->kind == JOINS)
        let_in(leading, message);
    else if (message->kind == CANNOT)
        tell_why_not(message);
    else if (message->kind == CASE && follower->takes)
        take_case(leading, message);
    else if (message->kind == LEAVES)
        release(leading, message->from, false);
}

static void miss_the_dead(struct leading *leading)
{
    for (unsigned rank = 1; rank < leading->ranks->size; rank++)
        if (leading->followers[rank].takes && ranks_miss(leading->ranks, rank))
            bury(leading, rank);
}

static void stop(struct leading *leading)
{
    for (unsigned rank = 1; rank < leading->ranks->size && !leading->has_stopped; rank++)
        post_send(leading->ranks->post, rank, STOP, NULL, 0);
    leading->has_stopped = true;
}

void lead(struct crew *crew, const struct ranks *ranks, const char *identity, unsigned own_jobs)
{
    struct leading leading = {.crew = crew, .ranks = ranks, .identity = identity, .jobs = own_jobs};
    leading.followers = memory_cleared(ranks->size, sizeof *leading.followers);
    while (crew_goes_on(crew, any_takes(&leading))) {
        struct message *message = post_take(ranks->post);
        if (message)
            hear(&leading, message);
        free(message);
        miss_the_dead(&leading);
        if (crew_is_stopped(crew))
            stop(&leading);
        for (unsigned rank = 1; rank < ranks->size; rank++)
            if (leading.followers[rank].takes && !leading.has_stopped)
                give(&leading, rank);
    }
    stop(&leading);
    for (unsigned rank = 1; rank < ranks->size; rank++)
        free(leading.followers[rank].given);
    free(leading.followers);
}
