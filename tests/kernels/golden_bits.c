/* Computes the golden bits, and compares kernels with replays.
 *
 *   golden_bits --device cuda:0 > tests/golden/h200.txt   the file: a fingerprint for each method and family
 *   golden_bits                                           the same lines from replays, to be compared with it
 *   golden_bits --device cuda:0 --all                     kernels against replays, result by result, on the full grid
 *   golden_bits --device cuda:0 --each-kernel             every kernel a few times, for compute-sanitizer
 *
 * Exit 0; 1: results differ; 2: something failed; 77: there is no such device.
 */
#include "golden_grid.h"

#include "src/base/workers.h"
#include "src/store/provenance.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum exit_code { SAME, DIFFER, FAILED, SKIPPED = 77 };

enum { FAMILIES_MOST = 64 };

struct options {
    const char *device;
    bool all, each_kernel;
};

/* The methods of the grid. */
static size_t count_methods(void)
{
    size_t methods, count = 0;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++)
        count += golden_has(table[m]);
    return count;
}

static golden_word *words_for(const struct golden_data *data)
{
    size_t methods;
    (void)method_table(&methods);
    return calloc(methods * golden_words_each(data) + 1, sizeof(golden_word));
}

/* ---- the file ---- */

typedef char fingerprints[FAMILIES_MOST][FINGERPRINT_TEXT]; /* of one method */

static enum status fingerprint_family(const struct generator *family, size_t f, struct device *device,
                                      fingerprints *by_method)
{
    struct golden_data data;
    TRY(golden_data_make(family, GOLDEN_FILE, &data));
    golden_word *words = words_for(&data);
    enum status status = words ? OK : out_of_memory("the golden bits");
    if (status == OK)
        status = golden_compute(&data, workers_cores(), device, device ? words : NULL, device ? NULL : words);
    size_t methods;
    (void)method_table(&methods);
    for (size_t m = 0; status == OK && m < methods; m++) /* of zeros without golden bits: not printed */
        golden_fingerprint(words + m * golden_words_each(&data), golden_words_each(&data), by_method[m][f]);
    free(words);
    golden_data_free(&data);
    return status;
}

static void print_header(const struct device *device, size_t lines)
{
    const struct device_facts *facts = device_facts(device);
    puts("# Result bits, as fingerprints: method, family, SHA-256 shortened to 64 bits.  tests/golden/README.md");
    if (facts) {
        printf("# device: %s, compute capability %s\n", facts->name, facts->capability);
        printf("# driver: of CUDA %s; CUDA runtime %s\n", facts->driver, facts->runtime);
    } else {
        puts("# device: host (replays)");
    }
    printf("# build: %s\n", provenance_build());
    printf("# lines: %zu\n", lines);
}

static enum exit_code print_file(struct device *device)
{
    size_t methods, families;
    const struct method *const *table = method_table(&methods);
    const struct generator *const *generators = golden_families(&families);
    fingerprints *by_method = families <= FAMILIES_MOST ? calloc(methods, sizeof *by_method) : NULL;
    enum status status = by_method ? OK : out_of_memory("the fingerprints");
    for (size_t f = 0; status == OK && f < families; f++) {
        status = fingerprint_family(generators[f], f, device, by_method);
        fprintf(stderr, "%s\n", generators[f]->id);
    }
    if (status == OK) {
        print_header(device, count_methods() * families);
        for (size_t m = 0; m < methods; m++)
            for (size_t f = 0; golden_has(table[m]) && f < families; f++)
                printf("%s %s %s\n", table[m]->id, generators[f]->id, by_method[m][f]);
    }
    free(by_method);
    return status == OK && fflush(stdout) == 0 && !ferror(stdout) ? SAME : FAILED;
}

/* ---- kernels against replays ---- */

static enum status compare_family(const struct generator *family, struct device *device, struct golden_agreement *all)
{
    struct golden_data data;
    TRY(golden_data_make(family, GOLDEN_ALL, &data));
    golden_word *kernels = words_for(&data), *replays = words_for(&data);
    enum status status = kernels && replays ? OK : out_of_memory("the golden bits");
    if (status == OK)
        status = golden_compute(&data, workers_cores(), device, kernels, replays);
    size_t methods;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; status == OK && m < methods; m++)
        if (golden_has(table[m]))
            golden_compare(&data, m, kernels, replays, all);
    free(kernels);
    free(replays);
    golden_data_free(&data);
    return status;
}

static enum exit_code verdict(const struct golden_agreement *all)
{
    printf("%" PRIu64 " results compared, %" PRIu64 " differ; %" PRIu64
           " launches refused; %zu methods have a fixed order\n",
           all->compared, all->differ, all->refused, count_methods());
    return all->compared > 0 && all->differ == 0 ? SAME : DIFFER;
}

static enum exit_code compare_all(struct device *device)
{
    size_t families;
    const struct generator *const *generators = golden_families(&families);
    struct golden_agreement all = {0};
    for (size_t f = 0; f < families; f++) {
        if (compare_family(generators[f], device, &all) != OK)
            return FAILED;
        fprintf(stderr, "%s: %" PRIu64 " compared, %" PRIu64 " differ\n", generators[f]->id, all.compared, all.differ);
    }
    return verdict(&all);
}

/* ---- every kernel a few times ---- */

/* One result of one kernel; compared where the order is fixed. */
static enum status run_once(const struct method *method, const struct dataset *data, uint64_t n, struct launch launch,
                            struct device *device, struct golden_agreement *all)
{
    float kernel, replay;
    char why[REASON_SIZE];
    if (!method_can_do(method, launch, why)) {
        all->refused++;
        return OK;
    }
    TRY(device_sum(device, method, n, launch, &kernel));
    TRY(method_sum(method, data->x, n, launch, 1, &replay));
    all->compared++;
    if (method->determinism == DETERMINISTIC && !float_same(kernel, replay)) {
        printf("%s, n = %" PRIu64 ", %u x %u: kernel %a, replay %a\n", method->id, n, launch.blocks, launch.threads,
               (double)kernel, (double)replay);
        all->differ++;
    }
    return OK;
}

static enum status run_each_on(const struct dataset *data, struct device *device, struct golden_agreement *all)
{
    static const uint64_t sizes[] = {0, 3, 1003};
    static const struct launch launches[] = {{3, 64}, {2, 256}};
    size_t methods;
    const struct method *const *table = method_table(&methods);
    TRY(device_upload(device, data->x, data->n, data->format->bytes));
    for (size_t m = 0; m < methods; m++)
        for (size_t k = 0; table[m]->device && table[m]->replay && k < sizeof sizes / sizeof *sizes; k++)
            for (size_t l = 0; l < sizeof launches / sizeof *launches; l++)
                TRY(run_once(table[m], data, sizes[k], launches[l], device, all));
    return OK;
}

static enum exit_code run_each_kernel(struct device *device)
{
    struct data_spec *spec;
    struct dataset data;
    struct golden_agreement all = {0};
    size_t count;
    if (data_specs_read("normal:n=1003", "each kernel", NONFINITE_REFUSE, &spec, &count) != OK)
        return FAILED;
    enum status status = dataset_make(&spec[0], 1, 0, &data);
    device_lock(device);
    if (status == OK)
        status = run_each_on(&data, device, &all);
    device_unlock(device);
    dataset_free(&data);
    data_specs_free(spec, count);
    return status == OK ? verdict(&all) : FAILED;
}

static bool read_options(int argc, char **argv, struct options *options)
{
    static const struct option known[] = {
        {"device", required_argument, NULL, 'd'},
        {"all", no_argument, NULL, 'a'},
        {"each-kernel", no_argument, NULL, 'e'},
        {0},
    };
    *options = (struct options){.device = "host"};
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
        switch (option) {
        case 'd':
            options->device = optarg;
            break;
        case 'a':
            options->all = true;
            break;
        case 'e':
            options->each_kernel = true;
            break;
        default:
            return false;
        }
    return optind == argc && !(options->all && options->each_kernel);
}

int main(int argc, char **argv)
{
    struct options options;
    struct device *device = NULL;
    char why[REASON_SIZE];
    if (!read_options(argc, argv, &options)) {
        fprintf(stderr, "usage: %s [--device host|cuda:N] [--all | --each-kernel]\n", argv[0]);
        return FAILED;
    }
    if (strcmp(options.device, "host") != 0 && device_count(why) == 0) {
        printf("skipped: %s\n", why);
        return SKIPPED;
    }
    if (device_open(options.device, &device, why) != OK)
        return FAILED;
    if (!device && (options.all || options.each_kernel)) {
        fprintf(stderr, "%s: --all and --each-kernel compare kernels with replays; name the GPU with --device cuda:0\n",
                argv[0]);
        return FAILED;
    }
    const enum exit_code code = options.all           ? compare_all(device)
                                : options.each_kernel ? run_each_kernel(device)
                                                      : print_file(device);
    device_close(device);
    return (int)code;
}
