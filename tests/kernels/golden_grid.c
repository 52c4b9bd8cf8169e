#include "golden_grid.h"

#include "kernels/statistic.h"
#include "src/base/format.h"
#include "src/base/workers.h"

#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 1, SMALL_N = 257, LARGE_N = 1048579, DIFFERENCES_PRINTED = 20 };
enum { RESULTS_OF_SUMS = 2200000, RESULTS_OF_PRODUCTS = 300000 };

const struct launch golden_launches[GOLDEN_LAUNCHES] = {{1, 128}, {24, 64}, {528, 128}};

const struct method *const *golden_methods(struct golden_table of, size_t *count)
{
    return method_table_for(of.operation, of.sum_format, count);
}

/* A sample differs from all of them, and a root from its square, by the same for each algorithm. */
static bool is_statistic_in_file(struct golden_table of)
{
    const struct statistic *statistic = statistic_of(of.operation);
    return (statistic->algorithm == BY_TWO_PASS || !statistic->of_sample) &&
           (statistic->algorithm <= BY_SQUARES || statistic->algorithm == BY_TWO_PASS || !statistic->is_root) &&
           (of.sum_format->stored == of.sum_format->added || of.sum_format->stored == &FORMAT_BFLOAT16);
}

/* Of products those formats whose additions differ: in the others it is the loads alone.  Squares are products, and
 * those of 16 bits take long on the host; norms are their roots. */
bool golden_is_in_file(struct golden_table of)
{
    const struct sum_format *in = of.sum_format;
    if (is_scan(of.operation))
        return in->added == in->result && in->stored == in->added && !sum_format_saturates(in);
    if (is_statistic(of.operation))
        return in->added == in->result && !sum_format_saturates(in) && is_statistic_in_file(of);
    return of.operation == OPERATION_sum ||
           (in->stored == in->added && in->added == in->result && !sum_format_saturates(in) &&
            (operation_table[of.operation].vectors == 2 || in->added->precision >= 24));
}

/* ---- the data ---- */

/* What stresses a kernel, not all that there is. */
static const struct row {
    const char *family;
    bool to_largest; /* numbers up to the format's largest, so that most sums overflow */
} rows[] = {
    {"uniform", false},      {"normal", false},     {"const", false},        {"swamp", false},
    {"kahan_killer", false}, {"mirror", false},     {"gensum", false},       {"integers", false},
    {"subnormal", false},    {"specials", false}, /* those of binary32 end here */
    {"uniform", true},       {"full_range", false}, {"overflow_mid", false}, {"signed_zero", false},
};
enum { ROWS = sizeof rows / sizeof *rows, ROWS_OF_BINARY32 = 10 };

static bool has_a_part_per_family(struct golden_table of)
{
    return of.operation == OPERATION_sum && of.sum_format == &sum_format_binary32;
}

size_t golden_parts(struct golden_table of)
{
    return has_a_part_per_family(of) ? ROWS_OF_BINARY32 : 1;
}

const char *golden_part_name(struct golden_table of, size_t part)
{
    return has_a_part_per_family(of) ? rows[part].family : "all";
}

/* Two numbers have a condition of 2^(p+1) at most, less than gensum's own value.  A second vector is normal. */
static void write_spec(const struct row *row, const struct format *format, int vectors, uint64_t n,
                       char text[GOLDEN_SPEC])
{
    size_t length = (size_t)snprintf(text, GOLDEN_SPEC, "%s:n=%" PRIu64, row->family, n);
    if (format->precision != FORMAT_BINARY32.precision)
        length += (size_t)snprintf(text + length, GOLDEN_SPEC - length, ",format=%s", format->name);
    if (strcmp(row->family, "gensum") == 0 && n <= 2)
        length +=
            (size_t)snprintf(text + length, GOLDEN_SPEC - length, ",cond=%s", format->precision < 24 ? "1e2" : "1e4");
    if (row->to_largest)
        length += (size_t)snprintf(text + length, GOLDEN_SPEC - length, ",high=%.17g", format_largest(format));
    if (vectors == 2)
        snprintf(text + length, GOLDEN_SPEC - length, "::normal:format=%s", format->name);
}

/* Nothing where the family has no such numbers. */
static enum status append(struct golden_data *data, const struct row *row, uint64_t n, uint64_t trial)
{
    const struct generator *family = generator_find(row->family);
    const struct format *stored = data->of.sum_format->stored;
    const int vectors = operation_table[data->of.operation].vectors;
    struct data_spec *spec;
    size_t count;
    if (n < family->least_n || generator_refuses(family, stored))
        return OK;
    struct golden_set *sets = realloc(data->sets, (data->count + 1) * sizeof *sets);
    if (!sets)
        return out_of_memory("the golden data");
    data->sets = sets;
    struct golden_set *set = &sets[data->count];
    write_spec(row, stored, vectors, n, set->spec);
    set->trial = family->random ? trial : 0;
    TRY(data_specs_read(set->spec, "golden", NONFINITE_REFUSE, &spec, &count));
    TRY(data_spec_set_kind(&spec[0], vectors == 2 ? TWO_VECTORS : ONE_VECTOR, "golden"));
    const enum status status = dataset_make(&spec[0], SEED, set->trial, &set->data);
    data_specs_free(spec, count);
    data->count += status == OK;
    return status;
}

static bool is_normal(const struct row *row)
{
    return strcmp(row->family, "normal") == 0;
}

/* Sizes around warps, blocks and the grids of golden_launches: one family has the largest, which costs as much as all.
 */
static enum status append_file_grid(struct golden_data *data, const struct row *row)
{
    static const struct {
        uint64_t n, trials;
    } sizes[] = {{0, 4},   {1, 4},   {2, 4},   {3, 4},   {31, 4},  {32, 4},  {33, 4},   {63, 4},   {64, 4},   {65, 4},
                 {127, 4}, {128, 4}, {129, 4}, {255, 4}, {256, 4}, {257, 4}, {1000, 2}, {4097, 2}, {65537, 1}};
    const bool is_random = generator_find(row->family)->random;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (uint64_t trial = 0; trial < (is_random ? sizes[k].trials : 1); trial++)
            TRY(append(data, row, sizes[k].n, trial));
    return is_normal(row) ? append(data, row, LARGE_N, 0) : OK;
}

/* Of formats other than binary32: also around the 8 and 16 numbers of 16 bytes, and less of all, for every test run
 * replays twelve formats, and a rounding to 16 bits is ten instructions; of products without the last.  Each size in
 * another trial, and so with another mix of specials. */
static enum status append_short_grid(struct golden_data *data, const struct row *row)
{
    static const uint64_t sizes[] = {0, 1, 3, 9, 17, 65, 129, 257, 1000, 4097};
    const size_t count = sizeof sizes / sizeof *sizes - (data->of.operation == OPERATION_sum ? 0 : 1);
    for (size_t k = 0; k < (is_normal(row) ? count : count - 1); k++)
        TRY(append(data, row, sizes[k], k + 1));
    return OK;
}

/* On the host: of height, which has no kernel in binary64, there are 200,000 fewer on a GPU. */
static uint64_t results_of_a_set(const struct golden_data *data)
{
    size_t methods;
    uint64_t results = 0;
    char why[REASON_SIZE];
    const struct method *const *table = golden_methods(data->of, &methods);
    for (size_t m = 0; m < methods; m++)
        for (int l = 0; l < GOLDEN_LAUNCHES && golden_has(table[m], NULL); l++)
            results += method_can_do(table[m], golden_launches[l], why);
    return results;
}

/* In binary32, where `count` is 1: every n to 257, and large ones.  In the others every n until there are so many
 * results, beyond 257 if need be, or from there to 257 of one family; the largest n of one family. */
static enum status append_whole_grid(struct golden_data *data, const struct row *first, size_t count)
{
    const uint64_t large[] = {1000, 4097, 65537}, each = results_of_a_set(data);
    const bool all_of_all = has_a_part_per_family(data->of), is_sum = data->of.operation == OPERATION_sum;
    const uint64_t least = is_sum ? RESULTS_OF_SUMS : RESULTS_OF_PRODUCTS;
    for (uint64_t n = 0; n <= SMALL_N || (!all_of_all && data->count * each < least); n++)
        for (size_t r = 0; r < count; r++)
            if (all_of_all || data->count * each < least || is_normal(&first[r]))
                TRY(append(data, &first[r], n, n));
    for (size_t r = 0; r < count; r++) {
        for (size_t k = 0; k < sizeof large / sizeof *large; k++)
            if (is_sum || is_normal(&first[r]))
                TRY(append(data, &first[r], large[k], large[k]));
        if (all_of_all || is_normal(&first[r]))
            TRY(append(data, &first[r], LARGE_N, LARGE_N));
    }
    return OK;
}

static enum status append_part(struct golden_data *data, size_t part, enum golden_extent extent)
{
    const bool is_binary32 = has_a_part_per_family(data->of);
    const struct row *first = is_binary32 ? &rows[part] : rows;
    const size_t count = is_binary32 ? 1 : ROWS;
    if (extent == GOLDEN_ALL)
        return append_whole_grid(data, first, count);
    for (size_t r = 0; r < count; r++)
        TRY((is_binary32 ? append_file_grid : append_short_grid)(data, &first[r]));
    return OK;
}

enum status golden_data_make(struct golden_table of, size_t part, enum golden_extent extent, struct golden_data *data)
{
    *data = (struct golden_data){.of = of};
    const enum status status = append_part(data, part, extent);
    if (status != OK)
        golden_data_free(data);
    return status;
}

void golden_data_free(struct golden_data *data)
{
    for (size_t s = 0; s < data->count; s++)
        dataset_free(&data->sets[s].data);
    free(data->sets);
    *data = (struct golden_data){0};
}

enum status golden_upload(struct device *device, const struct dataset *data)
{
    if (data->y)
        TRY(device_upload_second(device, data->format, data->y, data->n));
    return device_upload(device, data->format, data->x, data->n);
}

/* ---- the results ---- */

/* Of statistics what adds moments, and some of what adds sums, whose kernels are those of sums; likewise of scans. */
static bool is_shown(const struct method *method)
{
    if (is_scan(method->operation))
        return strcmp(method->accumulator, "plain") == 0 || strcmp(method->accumulator, "kahan") == 0 ||
               strcmp(method->accumulator, "binary64") == 0;
    static const char *const sums[] = {"plain/serial",          "plain/tree_two_pass",    "plain/vector_two_pass",
                                       "kahan/tree_two_pass",   "binary64/tree_two_pass", "binary64/vector_two_pass",
                                       "superacc/tree_two_pass"};
    const struct statistic_method *statistic = statistic_method_of(method);
    const char *const *sum = sums, *const *const end = sums + sizeof sums / sizeof *sums;
    while (sum < end && strcmp(*sum, statistic ? statistic->cell.id : "") != 0)
        sum++;
    return !statistic || sum < end || statistic_moments(statistic->statistic->algorithm);
}

bool golden_has(const struct method *method, const struct device *device)
{
    return is_shown(method) && method->determinism == DETERMINISTIC && method->role != MEASURES_ON_HOST &&
           method->replay && !method->order_traits->has_no_kernel && (!device || device_has_kernel(method));
}

golden_word golden_word_of(const struct format *format, uint64_t bits)
{
    const double value = format_value(format, bits);
    return value != value ? format_bits(format, value) : bits;
}

/* One result; of many the first 64 bits of the SHA-256 of all their words, each as 8 bytes. */
static golden_word word_of_results(const struct method *method, const uint64_t *bits, uint64_t results)
{
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    golden_word word = 0;
    if (!operation_is_per_number(method->operation))
        return golden_word_of(method->format, *bits);
    sha256_init(&context);
    for (uint64_t i = 0; i < results; i++) {
        uint8_t bytes[sizeof word];
        for (unsigned b = 0; b < sizeof word; b++)
            bytes[b] = (uint8_t)(golden_word_of(method->format, bits[i]) >> 8 * b);
        sha256_update(&context, sizeof bytes, bytes);
    }
    sha256_digest(&context, sizeof digest, digest);
    memcpy(&word, digest, sizeof word);
    return word;
}

size_t golden_words_each(const struct golden_data *data)
{
    return data->count * GOLDEN_LAUNCHES;
}

golden_word *golden_words_for(const struct golden_data *data)
{
    size_t methods;
    (void)golden_methods(data->of, &methods);
    return calloc(methods * golden_words_each(data) + 1, sizeof(golden_word));
}

enum status golden_compute_one(const struct method *method, const struct dataset *data, uint64_t n,
                               struct launch launch, struct device *device, golden_word *word)
{
    const uint64_t window = method->operation == OPERATION_rolling ? 7 : 0;
    const struct operands of = {data->format, method->operation, {data->x, data->y}, {n, 1, window}};
    char why[REASON_SIZE];
    uint64_t one;
    *word = GOLDEN_REFUSED;
    if (!method_can_do(method, launch, why))
        return OK;
    const uint64_t results = operation_results(method->operation, of.shape);
    OWNED uint64_t *many = operation_is_per_number(method->operation) ? calloc(results + 1, sizeof *many) : NULL;
    uint64_t *const bits = many ? many : &one;
    if (operation_is_per_number(method->operation) && !many)
        return out_of_memory("results");
    TRY(device ? device_run(device, method, of.shape, launch, bits) : method_replay(method, &of, launch, 1, bits));
    *word = word_of_results(method, bits, results);
    return OK;
}

struct computation {
    const struct golden_data *data;
    struct device *device;
    golden_word *kernels, *replays;
    atomic_size_t next; /* method to be replayed */
    atomic_int status;  /* of the last that failed */
};

static enum status compute_on_set(const struct computation *of, size_t m, size_t s, struct device *device,
                                  golden_word *words)
{
    size_t methods;
    const struct method *method = golden_methods(of->data->of, &methods)[m];
    const struct dataset *set = &of->data->sets[s].data;
    golden_word *first = words + m * golden_words_each(of->data) + s * GOLDEN_LAUNCHES;
    for (int l = 0; l < GOLDEN_LAUNCHES; l++)
        TRY(golden_compute_one(method, set, set->n, golden_launches[l], device, first + l));
    return OK;
}

/* Set by set, so that each is copied to the device once. */
static enum status run_kernels(const struct computation *of)
{
    size_t methods;
    const struct method *const *table = golden_methods(of->data->of, &methods);
    for (size_t s = 0; s < of->data->count; s++) {
        TRY(golden_upload(of->device, &of->data->sets[s].data));
        for (size_t m = 0; m < methods; m++)
            if (golden_has(table[m], of->device))
                TRY(compute_on_set(of, m, s, of->device, of->kernels));
    }
    return OK;
}

/* Each thread takes one method after another. */
static enum status run_replays(struct computation *of)
{
    size_t methods, m;
    const struct method *const *table = golden_methods(of->data->of, &methods);
    while ((m = atomic_fetch_add(&of->next, 1)) < methods)
        for (size_t s = 0; golden_has(table[m], of->device) && s < of->data->count; s++)
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

static void print_difference(const struct method *method, const struct golden_set *set, struct launch launch,
                             golden_word kernel, golden_word replay)
{
    char texts[2][FORMAT_BITS_TEXT];
    const struct format *shown = operation_is_per_number(method->operation) ? &FORMAT_BINARY64 : method->format;
    format_write_bits(shown, kernel, texts[0]);
    format_write_bits(shown, replay, texts[1]);
    printf("%s, %s, trial %" PRIu64 ", %u x %u: kernel %s, replay %s\n", method->id, set->spec, set->trial,
           launch.blocks, launch.threads, texts[0], texts[1]);
}

void golden_compare(const struct golden_data *data, size_t m, const golden_word *kernels, const golden_word *replays,
                    struct golden_agreement *all)
{
    size_t methods;
    const struct method *method = golden_methods(data->of, &methods)[m];
    const size_t first = m * golden_words_each(data);
    for (size_t k = 0; k < golden_words_each(data); k++) {
        const golden_word kernel = kernels[first + k], replay = replays[first + k];
        if (kernel == GOLDEN_REFUSED && replay == GOLDEN_REFUSED) {
            all->refused++;
            continue;
        }
        all->compared++;
        if (kernel != replay && all->differ++ < DIFFERENCES_PRINTED)
            print_difference(method, &data->sets[k / GOLDEN_LAUNCHES], golden_launches[k % GOLDEN_LAUNCHES], kernel,
                             replay);
    }
}

void golden_fingerprint(const struct format *format, const golden_word *words, size_t count,
                        char text[FINGERPRINT_TEXT])
{
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    for (size_t k = 0; k < count; k++) {
        uint8_t bytes[sizeof(golden_word)];
        for (unsigned b = 0; b < format->bytes; b++)
            bytes[b] = (uint8_t)(words[k] >> 8 * b);
        sha256_update(&context, format->bytes, bytes);
    }
    sha256_digest(&context, sizeof digest, digest);
    for (size_t k = 0; k < FINGERPRINT_TEXT / 2; k++)
        snprintf(text + 2 * k, 3, "%02x", digest[k]);
}
