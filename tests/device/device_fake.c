#include "device_fake.h"

#include "src/device/device_batch.h"

#include "reference/agree.h"
#include "src/base/format.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct device {
    int ordinal;
    struct device_facts facts;
    pthread_mutex_t mutex;
    bool held; /* between device_lock and device_unlock */
    void *x, *y;
};

struct fake_device fake_device = {.count = 2};
_Thread_local int fake_running;

static pthread_mutex_t runs_on = PTHREAD_MUTEX_INITIALIZER;

int device_count(char why[REASON_SIZE])
{
    snprintf(why, REASON_SIZE, "%s", fake_device.count ? "" : "even the fake device has no GPU");
    return fake_device.count;
}

enum status device_start(int ordinal, struct device **device)
{
    struct device *started = calloc(1, sizeof *started);
    if (!started)
        return out_of_memory("the fake device");
    started->ordinal = ordinal;
    started->facts = (struct device_facts){.capability = "0.0", .driver = "0.1", .runtime = "0.2"};
    if (fake_device.capability)
        snprintf(started->facts.capability, sizeof started->facts.capability, "%s", fake_device.capability);
    started->facts.memory_bytes = fake_device.memory_bytes > 0 ? fake_device.memory_bytes : 1;
    started->facts.multiprocessors = 1;
    snprintf(started->facts.word, sizeof started->facts.word, "cuda:%d", ordinal);
    if (fake_device.name)
        snprintf(started->facts.name, sizeof started->facts.name, "%s", fake_device.name);
    else
        snprintf(started->facts.name, sizeof started->facts.name, "fake GPU %d", ordinal);
    pthread_mutex_init(&started->mutex, NULL);
    *device = started;
    return OK;
}

void device_close(struct device *device)
{
    if (!device)
        return;
    pthread_mutex_destroy(&device->mutex);
    free(device->x);
    free(device->y);
    free(device);
}

const struct device_facts *device_facts(const struct device *device)
{
    return device ? &device->facts : NULL;
}

static enum status refuse_unless_held(const struct device *device)
{
    if (device->held)
        return OK;
    complain("the fake device is used without device_lock()");
    return NOT_MEASURED;
}

static uint64_t memory_of(const struct device *device)
{
    return device->ordinal == 1 && fake_device.memory_of_1 > 0 ? fake_device.memory_of_1 : fake_device.memory_bytes;
}

static enum status make_room(struct device *device, void **memory, uint64_t n, size_t bytes)
{
    TRY(refuse_unless_held(device));
    fake_device.uploads++;
    fake_device.begun[device->ordinal] = true;
    while (fake_device.meet && !(fake_device.begun[0] && fake_device.begun[1]))
        usleep(100);
    if (device_is_lost(device) || (memory_of(device) > 0 && n * bytes > memory_of(device))) {
        complain("the fake device has %llu bytes; expected less or a device that is there",
                 (unsigned long long)memory_of(device));
        return NOT_MEASURED;
    }
    free(*memory);
    *memory = malloc(n * bytes + 1);
    return *memory ? OK : out_of_memory("the fake device");
}

/* They stay as the host has them, since replays add them. */
enum status device_upload(struct device *device, const struct format *format, const void *x, uint64_t n)
{
    const size_t bytes = format_held(format)->bytes;
    TRY(make_room(device, &device->x, n, bytes));
    if (n > 0)
        memcpy(device->x, x, n * bytes);
    return OK;
}

enum status device_upload_second(struct device *device, const struct format *format, const void *y, uint64_t n)
{
    const size_t bytes = format_held(format)->bytes;
    TRY(make_room(device, &device->y, n, bytes));
    if (n > 0)
        memcpy(device->y, y, n * bytes);
    return OK;
}

enum status device_upload_repeated(struct device *device, const struct format *format, const void *x, uint64_t period,
                                   uint64_t n, int vectors)
{
    assert(vectors == 1);
    const size_t bytes = format_held(format)->bytes;
    char *repeated = malloc(n * bytes + 1);
    if (!repeated)
        return out_of_memory("the fake device");
    for (uint64_t i = 0; i < n; i++)
        memcpy(repeated + i * bytes, (const char *)x + i % period * bytes, bytes);
    const enum status status = device_upload(device, format, repeated, n);
    free(repeated);
    return status;
}

/* One sum, or a statistic of one vector.  A black box adds as plain/serial does. */
static enum status add(const struct method *method, const float *x, uint64_t n, struct launch launch, uint64_t *bits)
{
    const struct method *adder = method->replay ? method : method_find("plain/serial");
    const struct operands of = {&FORMAT_BINARY32, adder->operation, {x, x}, shape_of_one(n)};
    TRY(method_compute(adder, &of, launch, 1, bits));
    float result = float_from_bits((uint32_t)*bits);
    const uint64_t run = fake_device.runs++;
    const enum status status = fake_device.change ? fake_device.change(run, method, &result) : OK;
    *bits = float_bits(result);
    return status;
}

static enum status add_rows(const struct device *device, const struct method *method, struct shape shape,
                            struct launch launch, uint64_t *bits)
{
    for (uint64_t r = 0; r < shape.rows; r++) {
        fake_device.row = r;
        TRY(add(method, (const float *)device->x + r * shape.terms, shape.terms, launch, bits + r));
    }
    return OK;
}

/* A matrix product of binary32, of which the first element may be changed. */
static enum status multiply(const struct device *device, const struct method *method, struct shape shape,
                            struct launch launch, uint64_t *bits)
{
    const struct operands of = {&FORMAT_BINARY32, method->operation, {device->x, device->y}, shape};
    TRY(method_replay(method, &of, launch, 1, bits));
    float first = float_from_bits((uint32_t)bits[0]);
    const enum status status = fake_device.change ? fake_device.change(fake_device.runs, method, &first) : OK;
    fake_device.runs++;
    bits[0] = float_bits(first);
    return status;
}

bool device_has_kernel(const struct method *method)
{
    return method->sum_format == &sum_format_binary32;
}

enum status device_run_under(struct device *device, const struct method *method, struct shape shape,
                             struct launch launch, const struct circumstances *circumstances, uint64_t *bits)
{
    TRY(refuse_unless_held(device));
    (void)circumstances;
    if (fake_device.lost) {
        complain("the fake device is lost, and was used");
        return NOT_MEASURED;
    }
    memcpy(fake_device.runs_on, device->facts.word, sizeof fake_device.runs_on);
    return shape.columns > 0 ? multiply(device, method, shape, launch, bits)
                             : add_rows(device, method, shape, launch, bits);
}

size_t device_sets_at_once(const struct device *device, uint64_t bytes)
{
    (void)device, (void)bytes;
    return fake_device.sets_at_once > 0 ? fake_device.sets_at_once : 1;
}

/* Each set as the host holds it, in memory of its own. */
static enum status bring(struct device *device, const struct device_batch *batch, void **numbers)
{
    const size_t bytes = format_held(batch->format)->bytes;
    for (size_t s = 0; s < batch->set_count; s++) {
        const struct device_set *set = &batch->sets[s];
        TRY(make_room(device, &numbers[s], batch->n, bytes));
        if (set->x && batch->n > 0)
            memcpy(numbers[s], set->x, batch->n * bytes);
        else if (set->generator)
            set->generator->elements(&set->call, 0, batch->n, numbers[s]);
        for (uint64_t i = 0; fake_device.formula_is_wrong && set->generator && i < batch->n; i++)
            ((float *)numbers[s])[i] = -((float *)numbers[s])[i];
        if (set->seen)
            memcpy(set->seen, (const float *)numbers[s] + set->first_seen, set->seen_count * sizeof *set->seen);
        if (set->seen && fake_device.seen_wrong > 0 && fake_device.exact_sums >= fake_device.seen_right)
            set->seen[fake_device.seen_wrong - 1] = nextafterf(set->seen[fake_device.seen_wrong - 1], 2);
        fake_device.seen += set->seen_count;
        fake_device.first_seen = set->first_seen;
    }
    return OK;
}

static enum status run_sums(struct device *device, const struct device_batch *batch, void *const *numbers,
                            struct device_sums *sums, uint64_t repeat)
{
    fake_running = device->ordinal;
    fake_device.runs_of[device->ordinal] += batch->set_count;
    for (size_t s = 0; s < batch->set_count; s++)
        TRY(add(sums->method, numbers[s], batch->n, sums->launch, &sums->bits[repeat * batch->set_count + s]));
    pthread_mutex_lock(&runs_on);
    memcpy(fake_device.runs_on, device->facts.word, sizeof fake_device.runs_on);
    pthread_mutex_unlock(&runs_on);
    return OK;
}

static enum status part_of(const struct device_batch *batch, unsigned part, const void *x, struct exact_sum *sum)
{
    assert(part == EXACT_X || part == EXACT_XX); /* nobody asks it for two vectors */
    return part == EXACT_X ? exact_sum(batch->format, x, batch->n, sum)
                           : exact_dot(batch->format, (struct exact_how){0}, x, x, batch->n, sum);
}

/* The host's sum, which may be changed, is held to the host's. */
static enum status make_part(const struct device_batch *batch, unsigned part, const void *x)
{
    struct exact_sum again;
    struct device_exact *exact = batch->exact;
    TRY(part_of(batch, part, x, &exact->sums[part]));
    fake_device.exact_sums++;
    if (fake_device.exact_is_wrong == ALWAYS || (fake_device.exact_is_wrong == UNLESS_CHECKED && !exact->is_checked))
        mpfr_nextabove(exact->sums[part].sum);
    if (!exact->is_checked)
        return OK;
    TRY(part_of(batch, part, x, &again));
    fake_device.exact_checks++;
    const enum status status =
        exact_agree((struct opinion){&again, "by the host"}, (struct opinion){&exact->sums[part], "by the fake device"},
                    "look at the test");
    exact->is_refuted = status != OK;
    exact_free(&again);
    return status;
}

static void make_exact(const struct device_batch *batch, const void *x)
{
    struct device_exact *exact = batch->exact;
    enum status status = OK;
    for (unsigned part = 0; part < EXACT_SUMS && status == OK; part++)
        if (exact->parts >> part & 1)
            status = make_part(batch, part, x);
    exact->is_made = status == OK;
    if (exact->is_made && exact->parts >> EXACT_ENDS & 1)
        exact->ends = exact_ends_of(batch->format, 1, x, batch->n);
    for (unsigned part = 0; part < EXACT_SUMS && !exact->is_made; part++)
        exact_free(&exact->sums[part]);
}

static void run_all(struct device *device, const struct device_batch *batch, void *const *numbers)
{
    if (batch->exact)
        make_exact(batch, numbers[0]);
    for (size_t i = 0; i < batch->sums_count; i++) {
        struct device_sums *sums = &batch->sums[i];
        for (sums->done = 0; sums->done < batch->repeats && !device_is_lost(device); sums->done++)
            if (run_sums(device, batch, numbers, sums, sums->done) != OK)
                break;
    }
}

enum status device_run_batch(struct device *device, const struct device_batch *batch)
{
    void **numbers = calloc(batch->set_count, sizeof *numbers);
    if (!numbers)
        return out_of_memory("the fake device");
    const enum status status = bring(device, batch, numbers);
    if (status == OK)
        run_all(device, batch, numbers);
    for (size_t s = 0; s < batch->set_count; s++)
        free(numbers[s]);
    free(numbers);
    return status;
}

bool device_takes_rows(const struct method *method)
{
    (void)method;
    return fake_device.takes_rows;
}

static double tick(void)
{
    return (double)++fake_device.timed;
}

enum status device_move(struct device *device)
{
    fake_device.moves++;
    return refuse_unless_held(device);
}

enum status device_time(struct device *device, const struct timed_call *call, double *microseconds, uint64_t *bits)
{
    TRY(refuse_unless_held(device));
    const struct shape shape = call->shape;
    TRY(add_rows(device, call->method, shape, call->launch, bits));
    *microseconds = tick();
    return OK;
}

enum status device_time_copy(struct device *device, uint64_t bytes, bool queued, double *microseconds)
{
    (void)bytes, (void)queued;
    TRY(refuse_unless_held(device));
    *microseconds = tick();
    return OK;
}

bool device_is_lost(const struct device *device)
{
    return device && (fake_device.lost || fake_device.lost_one[device->ordinal]);
}

void device_lock(struct device *device)
{
    if (!device)
        return;
    pthread_mutex_lock(&device->mutex);
    device->held = true;
}

void device_unlock(struct device *device)
{
    if (!device)
        return;
    device->held = false;
    pthread_mutex_unlock(&device->mutex);
}
