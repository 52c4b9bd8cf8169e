/* Which device a word asks for; what the device then does is in device_cuda.c or device_none.c. */
#include "device.h"

#include "src/base/base.h"
#include "src/base/workers.h"

/* "cuda:7" */
static bool read_ordinal(const char *word, uint64_t *ordinal)
{
    return strncmp(word, "cuda:", 5) == 0 && word[5 + strspn(word + 5, "0123456789")] == '\0' &&
           read_size(word + 5, ordinal) == NULL;
}

enum status device_open(const char *wanted, struct device **device, char why[REASON_SIZE])
{
    uint64_t ordinal = 0;
    *device = NULL;
    why[0] = '\0';
    if (strcmp(wanted, "host") == 0)
        return OK;
    const bool any = strcmp(wanted, "auto") == 0;
    if (!any && !read_ordinal(wanted, &ordinal))
        return bad_input("--device \"%s\" is not a device; expected auto, host or cuda:N%s", wanted,
                         strncmp(wanted, "cuda:", 5) == 0 ? "; several GPUs, as cuda:all or cuda:0,2, are for `run`"
                                                          : "");
    const int count = device_count(why);
    if (any && count == 0)
        return OK;
    if (ordinal < (uint64_t)count)
        return device_start((int)ordinal, device);
    return no_device("--device %s: %s; there are %d GPUs; use --device host or auto", wanted,
                     count ? "no such GPU" : why, count);
}

/* ---- several ---- */

/* The words of "cuda:0,2", of "cuda:all" as many as there are; each allocated.  BAD_INPUT for a list of none. */
static enum status list_words(const char *wanted, char *words[DEVICES_MOST], size_t *count)
{
    char why[REASON_SIZE];
    const bool all = strcmp(wanted, "cuda:all") == 0;
    const int there = all ? device_count(why) : 0;
    if (all && there == 0)
        return no_device("--device %s: %s; use --device host or auto", wanted, why);
    for (*count = 0; all && *count < (size_t)there && *count < DEVICES_MOST; ++*count)
        words[*count] = text_made("cuda:%zu", *count);
    for (const char *next = strchr(wanted, ':'); !all && next && *count < DEVICES_MOST; next = strchr(next, ',')) {
        next++;
        words[(*count)++] = text_made("cuda:%.*s", (int)strcspn(next, ","), next);
    }
    for (size_t w = 1; w < *count; w++)
        for (size_t v = 0; v < w; v++)
            if (strcmp(words[v], words[w]) == 0)
                return bad_input("--device %s: names %s twice; expected each GPU once", wanted, words[w]);
    return OK;
}

/* GPUs on their way, a thread for each: each takes a third of a second to start. */
struct opening {
    struct devices *devices;
    char **words;
    enum status statuses[DEVICES_MOST];
};

static void open_one(void *context, unsigned d)
{
    struct opening *opening = context;
    char why[REASON_SIZE];
    opening->statuses[d] = device_open(opening->words[d], &opening->devices->at[d], why);
}

static enum status expect_one_name(const struct devices *devices)
{
    const struct device_facts *first = device_facts(devices->at[0]);
    for (size_t d = 1; d < devices->count; d++) {
        const struct device_facts *facts = device_facts(devices->at[d]);
        if (strcmp(first->name, facts->name) != 0)
            return bad_input(
                "%s is %s and %s is %s; expected GPUs of one name, whose results stand in one table; name those",
                first->word, first->name, facts->word, facts->name);
    }
    return OK;
}

enum status devices_open(const char *wanted, struct devices *devices, char why[REASON_SIZE])
{
    char *words[DEVICES_MOST];
    size_t count = 0;
    *devices = (struct devices){.count = 0};
    *why = '\0';
    const bool is_list = strncmp(wanted, "cuda:", 5) == 0 && strchr(wanted, ',');
    if (strcmp(wanted, "cuda:all") != 0 && !is_list) {
        TRY(device_open(wanted, &devices->at[0], why));
        devices->count = devices->at[0] ? 1 : 0;
        return OK;
    }
    struct opening opening = {.devices = devices, .words = words};
    enum status status = list_words(wanted, words, &count);
    if (status == OK) {
        devices->count = count;
        workers_run((unsigned)count, open_one, &opening);
    }
    for (size_t d = 0; d < count; d++) {
        status = status == OK ? opening.statuses[d] : status;
        free(words[d]);
    }
    if (status == OK)
        status = expect_one_name(devices);
    if (status != OK)
        devices_close(devices);
    return status;
}

void devices_close(struct devices *devices)
{
    for (size_t d = 0; d < devices->count; d++)
        device_close(devices->at[d]);
    devices->count = 0;
}

struct device *devices_left(const struct devices *devices, const struct device *other_than)
{
    for (size_t d = 0; d < devices->count; d++)
        if (devices->at[d] != other_than && !device_is_lost(devices->at[d]))
            return devices->at[d];
    return NULL;
}

/* ---- one ---- */

enum status device_run(struct device *device, const struct method *method, struct shape shape, struct launch launch,
                       uint64_t *bits)
{
    return device_run_under(device, method, shape, launch, &(struct circumstances){0}, bits);
}

uint64_t device_alignment(const struct method *method)
{
    enum { VECTOR = 16 };
    const bool is_black_box = !method->replay, is_product = operation_table[method->operation].of == MATRICES;
    return is_black_box || is_product || device_takes_rows(method) ? method->sum_format->stored->bytes : VECTOR;
}

enum status device_check_offset(const struct method *method, uint32_t offset)
{
    if (offset % device_alignment(method) == 0)
        return OK;
    return bad_input("%s: expected data at a multiple of %llu bytes, found an offset of %u; take a multiple",
                     method->id, (unsigned long long)device_alignment(method), offset);
}

enum status device_sum(struct device *device, const struct method *method, uint64_t n, struct launch launch, float *sum)
{
    uint64_t bits;
    TRY(device_run(device, method, shape_of_one(n), launch, &bits));
    *sum = float_from_bits((uint32_t)bits);
    return OK;
}
