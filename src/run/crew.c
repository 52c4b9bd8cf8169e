#include "crew.h"
#include "src/base/interrupts.h"
#include "src/base/list.h"
#include "src/measure/canary.h"

/* ---- taking ---- */

static bool is_stopped(const struct crew *crew)
{
    return crew->status != OK || interrupted();
}

static bool is_left(struct crew *crew)
{
    while (crew->next < crew->end && store_has_case(crew->store, crew->next))
        crew->next++;
    return crew->returned_count > 0 || crew->next < crew->end;
}

/* Of those that were returned, the place of one that the device may take, behind it; 0: none. */
static size_t returned_for(const struct crew *crew, const struct device *device)
{
    size_t place = crew->returned_count;
    while (place > 0 && device && crew->returned[place - 1].failed_on == device)
        place--;
    return place;
}

/* Few enough that every worker gets some. */
static size_t worthwhile(const struct crew *crew)
{
    const size_t most = measure_at_once(&crew->measuring, crew->next);
    const uint64_t share = 1 + (crew->end - crew->next) / (2 * (uint64_t)crew->workers);
    return most < share ? most : (size_t)share;
}

static size_t take(struct crew *crew, const struct device *device, uint64_t *indices, size_t most)
{
    size_t taken = 0;
    if (is_stopped(crew) || !is_left(crew))
        return 0;
    const size_t returned = returned_for(crew, device);
    if (returned > 0) {
        indices[taken++] = crew->returned[returned - 1].index;
        crew->returned[returned - 1] = crew->returned[--crew->returned_count];
    } else if (crew->next < crew->end) {
        const size_t together = most > 1 ? worthwhile(crew) : 1;
        do
            indices[taken++] = crew->next++;
        while (taken < most && taken < together && is_left(crew) && crew->returned_count == 0 &&
               measure_together(&crew->measuring, indices[0], crew->next));
    }
    crew->in_hand += taken;
    return taken;
}

size_t crew_take(struct crew *crew, const struct device *device, uint64_t indices[CASES_AT_ONCE])
{
    size_t taken = 0;
    pthread_mutex_lock(&crew->mutex);
    while (!device_is_lost(device) && (taken = take(crew, device, indices, CASES_AT_ONCE)) == 0 && !is_stopped(crew) &&
           crew->in_hand > 0)
        pthread_cond_wait(&crew->changed, &crew->mutex);
    pthread_mutex_unlock(&crew->mutex);
    return taken;
}

bool crew_take_now(struct crew *crew, uint64_t *index)
{
    pthread_mutex_lock(&crew->mutex);
    const bool taken = take(crew, NULL, index, 1) == 1;
    pthread_mutex_unlock(&crew->mutex);
    return taken;
}

uint64_t crew_left(struct crew *crew)
{
    pthread_mutex_lock(&crew->mutex);
    const uint64_t left = (crew->end - crew->next) + crew->returned_count;
    pthread_mutex_unlock(&crew->mutex);
    return left;
}

bool crew_is_stopped(struct crew *crew)
{
    pthread_mutex_lock(&crew->mutex);
    const bool stopped = is_stopped(crew);
    if (stopped)
        pthread_cond_broadcast(&crew->changed); /* a signal wakes no thread */
    pthread_mutex_unlock(&crew->mutex);
    return stopped;
}

bool crew_goes_on(struct crew *crew, bool others_are_there)
{
    pthread_mutex_lock(&crew->mutex);
    const bool goes_on =
        crew->at_work > 0 || (others_are_there && (crew->in_hand > 0 || (!is_stopped(crew) && is_left(crew))));
    pthread_mutex_unlock(&crew->mutex);
    return goes_on;
}

/* ---- handing in ---- */

static void give_back(struct crew *crew, uint64_t index, const struct device *failed_on)
{
    crew->returned = list_short(crew->returned, crew->returned_count, &crew->returned_capacity, sizeof *crew->returned);
    crew->returned[crew->returned_count++] = (struct returned){index, failed_on};
}

/* Whether it was given back before, for a reason that may be its own. */
static bool is_blamed(const struct crew *crew, uint64_t index)
{
    for (size_t i = 0; i < crew->blamed_count; i++)
        if (crew->blamed[i] == index)
            return true;
    return false;
}

/* The second time it is given up. */
static void give_back_once(struct crew *crew, uint64_t index, const struct device *failed_on)
{
    if (is_blamed(crew, index)) {
        crew->unfinished++;
        return;
    }
    give_back(crew, index, failed_on);
    crew->blamed = list_short(crew->blamed, crew->blamed_count, &crew->blamed_capacity, sizeof index);
    crew->blamed[crew->blamed_count++] = index;
}

static void tell_failed(struct crew *crew, const struct device *device)
{
    size_t d = 0;
    while (crew->devices->at[d] != device)
        d++;
    if (!crew->told[d])
        complain("%s %s, as said above; the others measure what it could not", device_facts(device)->word,
                 device_is_lost(device) ? "is lost to this process" : "failed");
    crew->told[d] = true;
}

/* What no case is to blame for, as the loss of the only GPU, the other processes do again; what a GPU could not do
 * another one tries. */
static void note_unfinished(struct crew *crew, const struct device *device, const struct finished_case *finished)
{
    const bool is_of_device = device && (finished->device_lost || finished->device_failed);
    const bool has_another = is_of_device && devices_left(crew->devices, device);
    crew->device_lost = crew->device_lost || (finished->device_lost && !has_another);
    if (has_another) {
        tell_failed(crew, device);
        give_back_once(crew, finished->index, device);
    } else if (finished->device_lost && crew->has_others) {
        give_back(crew, finished->index, NULL);
    } else {
        crew->unfinished++;
    }
}

void crew_hand_in(struct crew *crew, const struct device *device, enum status status, struct finished_case *finished)
{
    const struct finished_case was = *finished; /* but for its rows */
    const uint64_t index = was.index;
    if (status == OK)
        status = writer_take(crew->writer, finished);
    pthread_mutex_lock(&crew->mutex);
    crew->in_hand--;
    if (status == INTERRUPTED) {
        give_back(crew, index, NULL);
    } else if (status != OK) {
        if (crew->status == OK)
            crew->status = status;
    } else if (was.unfinished) {
        note_unfinished(crew, device, &was);
    } else {
        crew->numbers += was.n;
        progress_update(&crew->progress, ++crew->done, "cases");
    }
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
}

void crew_give_back(struct crew *crew, uint64_t index, bool may_be_to_blame)
{
    pthread_mutex_lock(&crew->mutex);
    crew->in_hand--;
    if (may_be_to_blame)
        give_back_once(crew, index, NULL);
    else
        give_back(crew, index, NULL);
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
}

/* ---- working ---- */

void crew_measure(const struct measuring *measuring, const uint64_t *indices, size_t count, case_hand_in *hand_in,
                  void *context)
{
    struct finished_case finished[CASES_AT_ONCE];
    size_t measured = count;
    enum status status = measure_cases(measuring, indices, &measured, finished);
    const enum status mode = canary_check_mode();
    if (mode != OK) {
        status = mode;
        measured = 0;
    }
    for (size_t c = 0; c < measured; c++)
        hand_in(context, OK, &finished[c]);
    for (size_t c = measured; c < count && status != OK; c++)
        hand_in(context, status, &finished[c]);
    for (size_t c = 0; c < count; c++)
        finished_case_free(&finished[c]);
}

/* Who measures cases of a crew, and where. */
struct member {
    struct crew *crew;
    struct measuring measuring;
};

static void hand_in(void *context, enum status status, struct finished_case *finished)
{
    const struct member *member = context;
    crew_hand_in(member->crew, member->measuring.device, status, finished);
}

void crew_work(struct crew *crew, unsigned worker)
{
    struct member member = {crew, crew->measuring};
    uint64_t indices[CASES_AT_ONCE];
    if (crew->devices->count > 0)
        member.measuring.device = crew->devices->at[worker % crew->devices->count];
    for (size_t taken; (taken = crew_take(crew, member.measuring.device, indices)) > 0;)
        crew_measure(&member.measuring, indices, taken, hand_in, &member);
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
    pthread_mutex_lock(&crew->mutex);
    crew->at_work--;
    pthread_mutex_unlock(&crew->mutex);
}

void crew_free(struct crew *crew)
{
    free_all(crew->returned, crew->blamed);
    pthread_cond_destroy(&crew->changed);
    pthread_mutex_destroy(&crew->mutex);
}
