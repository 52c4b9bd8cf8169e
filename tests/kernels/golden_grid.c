#include "golden_grid.h"

#include "src/base/workers.h"

#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 128, SEED = 1, SMALL_N = 257, LARGE_N = 1048579, DIFFERENCES_PRINTED = 20 };

const struct launch golden_launches[GOLDEN_LAUNCHES] = {{1, 128}, {24, 64}, {528, 128}};

/* ---- the data ---- */

const struct generator *const *golden_families(size_t *count)
{
    static const char *const ids[] = {"uniform", "normal", "const",    "swamp",     "kahan_killer",
                                      "mirror",  "gensum", "integers", "subnormal", "specials"};
    enum { FAMILIES = sizeof ids / sizeof *ids };
    static const struct generator *families[FAMILIES];
    for (size_t f = 0; f < FAMILIES; f++)
        families[f] = generator_find(ids[f]);
    *count = FAMILIES;
    return families;
}

/* Two numbers of binary32 have a condition of 2^25 at most, less than gensum's own value. */
static const char *rest_of_spec(const struct generator *family, uint64_t n)
{
    return strcmp(family->id, "gensum") == 0 && n <= 2 ? ",cond=1e4" : "";
}

static enum status append(struct golden_data *data, uint64_t n, uint64_t trial)
{
    char text[TEXT_SIZE];
    struct data_spec *spec;
    size_t count;
    if (n < data->family->least_n || (trial > 0 && !data->family->random))
        return OK;
    struct dataset *sets = realloc(data->sets, (data->count + 1) * sizeof *sets);
    if (!sets)
        return out_of_memory("the golden data");
    data->sets = sets;
    snprintf(text, sizeof text, "%s:n=%" PRIu64 "%s", data->family->id, n, rest_of_spec(data->family, n));
    TRY(data_specs_read(text, "golden", NONFINITE_REFUSE, &spec, &count));
    const enum status status = dataset_make(&spec[0], SEED, trial, &data->sets[data->count]);
    data_specs_free(spec, count);
    data->count += status == OK;
    return status;
}

/* Sizes around warps, blocks and the grids of golden_launches: one family has the largest, which costs as much as all.
 */
static enum status append_file_grid(struct golden_data *data)
{
    static const struct {
        uint64_t n, trials;
    } sizes[] = {{0, 4},   {1, 4},   {2, 4},   {3, 4},   {31, 4},  {32, 4},  {33, 4},   {63, 4},   {64, 4},   {65, 4},
                 {127, 4}, {128, 4}, {129, 4}, {255, 4}, {256, 4}, {257, 4}, {1000, 2}, {4097, 2}, {65537, 1}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (uint64_t trial = 0; trial < sizes[k].trials; trial++)
            TRY(append(data, sizes[k].n, trial));
    return strcmp(data->family->id, "normal") == 0 ? append(data, LARGE_N, 0) : OK;
}

static enum status append_whole_grid(struct golden_data *data)
{
    const uint64_t large[] = {1000, 4097, 65537, LARGE_N};
    for (uint64_t n = 0; n <= SMALL_N; n++)
        TRY(append(data, n, 0));
    for (size_t k = 0; k < sizeof large / sizeof *large; k++)
        TRY(append(data, large[k], 0));
    return OK;
}

enum status golden_data_make(const struct generator *family, enum golden_extent extent, struct golden_data *data)
{
    *data = (struct golden_data){.family = family};
    const enum status status = extent == GOLDEN_FILE ? append_file_grid(data) : append_whole_grid(data);
    if (status != OK)
        golden_data_free(data);
    return status;
}

void golden_data_free(struct golden_data *data)
{
    for (size_t s = 0; s < data->count; s++)
        dataset_free(&data->sets[s]);
    free(data->sets);
    *data = (struct golden_data){0};
}

/* ---- the results ---- */

bool golden_has(const struct method *method)
{
    return method->determinism == DETERMINISTIC && method->role != MEASURES_ON_HOST && method->replay;
}

golden_word golden_word_of(float result)
{
    return result != result ? GOLDEN_NAN : float_bits(result);
}

size_t golden_words_each(const struct golden_data *data)
{
    return data->count * GOLDEN_LAUNCHES;
}

struct computation {
    const struct golden_data *data;
    struct device *device;
    golden_word *kernels, *replays;
    atomic_size_t next; /* method to be replayed */
    atomic_int status;  /* of the last that failed */
};

/* The result on one data set, which is the device's uploaded one; on the host without a device. */
static enum status compute_word(const struct method *method, const struct dataset *set, struct launch launch,
                                struct device *device, golden_word *word)
{
    char why[REASON_SIZE];
    float result;
    *word = GOLDEN_REFUSED;
    if (!method_can_do(method, launch, why))
        return OK;
    TRY(device ? device_sum(device, method, set->n, launch, &result)
               : method_sum(method, set->x, set->n, launch, 1, &result));
    *word = golden_word_of(result);
    return OK;
}

static enum status compute_on_set(const struct computation *of, size_t m, size_t s, struct device *device,
                                  golden_word *words)
{
    size_t methods;
    const struct method *method = method_table(&methods)[m];
    golden_word *first = words + m * golden_words_each(of->data) + s * GOLDEN_LAUNCHES;
    for (int l = 0; l < GOLDEN_LAUNCHES; l++)
        TRY(compute_word(method, &of->data->sets[s], golden_launches[l], device, first + l));
    return OK;
}

/* Set by set, so that each is copied to the device once. */
static enum status run_kernels(const struct computation *of)
{
    size_t methods;
    const struct method *const *table = method_table(&methods);
    for (size_t s = 0; s < of->data->count; s++) {
        const struct dataset *set = &of->data->sets[s];
        TRY(device_upload(of->device, set->x, set->n, set->format->bytes));
        for (size_t m = 0; m < methods; m++)
            if (golden_has(table[m]))
                TRY(compute_on_set(of, m, s, of->device, of->kernels));
    }
    return OK;
}

/* Each thread takes one method after another. */
static enum status run_replays(struct computation *of)
{
    size_t methods, m;
    const struct method *const *table = method_table(&methods);
    while ((m = atomic_fetch_add(&of->next, 1)) < methods)
        for (size_t s = 0; golden_has(table[m]) && s < of->data->count; s++)
            TRY(compute_on_set(of, m, s, NULL, of->replays));
    return OK;
}

static void compute_some(void *context, unsigned worker)
{
    struct computation *of = context;
    enum status status = OK;
    if (worker == 0 && of->kernels) {
        device_lock(of->device);
        status = run_kernels(of);
        device_unlock(of->device);
    }
    if (status == OK && of->replays)
        status = run_replays(of);
    if (status != OK)
        atomic_store(&of->status, (int)status);
}

enum status golden_compute(const struct golden_data *data, unsigned threads, struct device *device,
                           golden_word *kernels, golden_word *replays)
{
    struct computation computation = {.data = data, .device = device, .kernels = kernels, .replays = replays};
    atomic_init(&computation.next, 0);
    atomic_init(&computation.status, OK);
    workers_run(replays ? threads : 1, compute_some, &computation);
    return (enum status)atomic_load(&computation.status);
}

void golden_compare(const struct golden_data *data, size_t m, const golden_word *kernels, const golden_word *replays,
                    struct golden_agreement *all)
{
    size_t methods;
    const struct method *method = method_table(&methods)[m];
    const size_t first = m * golden_words_each(data);
    for (size_t k = 0; k < golden_words_each(data); k++) {
        const golden_word kernel = kernels[first + k], replay = replays[first + k];
        const struct launch launch = golden_launches[k % GOLDEN_LAUNCHES];
        if (kernel == GOLDEN_REFUSED && replay == GOLDEN_REFUSED) {
            all->refused++;
            continue;
        }
        all->compared++;
        if (kernel != replay && all->differ++ < DIFFERENCES_PRINTED)
            printf("%s, %s:n=%" PRIu64 ", %u x %u: kernel %08" PRIx32 ", replay %08" PRIx32 "\n", method->id,
                   data->family->id, data->sets[k / GOLDEN_LAUNCHES].n, launch.blocks, launch.threads, kernel, replay);
    }
}

void golden_fingerprint(const golden_word *words, size_t count, char text[FINGERPRINT_TEXT])
{
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    for (size_t k = 0; k < count; k++) {
        const uint8_t bytes[] = {(uint8_t)words[k], (uint8_t)(words[k] >> 8), (uint8_t)(words[k] >> 16),
                                 (uint8_t)(words[k] >> 24)};
        sha256_update(&context, sizeof bytes, bytes);
    }
    sha256_digest(&context, sizeof digest, digest);
    for (size_t k = 0; k < FINGERPRINT_TEXT / 2; k++)
        snprintf(text + 2 * k, 3, "%02x", digest[k]);
}
