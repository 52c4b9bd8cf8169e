/* Computes the golden bits, and compares kernels with replays.
 *
 *   golden_bits --device cuda:0 > tests/golden/h200.txt   the file: fingerprints of each method
 *   golden_bits                                           the same lines from replays, to be compared with it
 *   golden_bits --device cuda:0 --all                     kernels against replays, result by result, on the full grid
 *   golden_bits --device cuda:0 --each-kernel             every kernel a few times, for compute-sanitizer
 *
 * Of every format, or of those that are named: --format bfloat16 --format e4m3; of every operation, or of one:
 * --operation dot; and the file, where it has a line for each family of data, of one: --family specials.
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

enum { PARTS_MOST = 16 };

struct options {
    const char *device;
    bool all, each_kernel;
    bool formats[SUM_FORMATS]; /* which are wanted */
    enum operation operation;  /* OPERATIONS: every one */
    const char *family;        /* NULL: every one */
};

/* All tables: the sums of each format, then the dot products of each, ... */
enum { TABLES = VECTOR_OPERATIONS * SUM_FORMATS };

static struct golden_table table_number(int t)
{
    return (struct golden_table){(enum operation)(t / SUM_FORMATS), sum_formats[t % SUM_FORMATS]};
}

static bool is_wanted(const struct options *options, int t)
{
    const enum operation operation = table_number(t).operation;
    return options->formats[t % SUM_FORMATS] && (options->operation == OPERATIONS || options->operation == operation);
}

static bool is_wanted_part(const struct options *options, struct golden_table of, size_t part)
{
    return !options->family || golden_parts(of) == 1 || strcmp(golden_part_name(of, part), options->family) == 0;
}

/* The methods of the grid. */
static size_t count_methods(struct golden_table of, const struct device *device)
{
    size_t methods, count = 0;
    const struct method *const *table = golden_methods(of, &methods);
    for (size_t m = 0; m < methods; m++)
        count += golden_has(table[m], device);
    return count;
}

/* ---- the file ---- */

typedef char fingerprints[PARTS_MOST][FINGERPRINT_TEXT]; /* of one method */

static enum status fingerprint_part(struct golden_table of, size_t part, struct device *device, fingerprints *by_method)
{
    struct golden_data data;
    TRY(golden_data_make(of, part, GOLDEN_FILE, &data));
    const size_t each = golden_words_each(&data);
    golden_word *words = golden_words_for(&data);
    enum status status = words ? OK : out_of_memory("the golden bits");
    if (status == OK)
        status = golden_compute(&data, workers_cores(), device, device ? words : NULL, device ? NULL : words);
    size_t methods;
    const struct method *const *table = golden_methods(of, &methods);
    for (size_t m = 0; status == OK && m < methods; m++) /* of zeros without golden bits: not printed */
        golden_fingerprint(table[m]->format, words + m * each, each, by_method[m][part]);
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

static enum status print_format(const struct options *options, struct golden_table of, struct device *device)
{
    size_t methods;
    const struct method *const *table = golden_methods(of, &methods);
    const size_t parts = golden_parts(of);
    fingerprints *by_method = parts <= PARTS_MOST ? calloc(methods, sizeof *by_method) : NULL;
    enum status status = by_method ? OK : out_of_memory("the fingerprints");
    for (size_t part = 0; status == OK && part < parts; part++) {
        if (!is_wanted_part(options, of, part))
            continue;
        status = fingerprint_part(of, part, device, by_method);
        fprintf(stderr, "%s@%s %s\n", operation_table[of.operation].id, of.sum_format->id, golden_part_name(of, part));
    }
    for (size_t m = 0; status == OK && m < methods; m++)
        for (size_t part = 0; golden_has(table[m], device) && part < parts; part++)
            if (is_wanted_part(options, of, part))
                printf("%s %s %s\n", table[m]->id, golden_part_name(of, part), by_method[m][part]);
    free(by_method);
    return status;
}

/* The header promises all lines before the first is computed: a file that was cut off is noticed. */
static enum exit_code print_file(const struct options *options, struct device *device)
{
    size_t lines = 0;
    for (int t = 0; t < TABLES; t++)
        if (is_wanted(options, t) && golden_is_in_file(table_number(t)))
            for (size_t part = 0; part < golden_parts(table_number(t)); part++)
                lines += is_wanted_part(options, table_number(t), part) * count_methods(table_number(t), device);
    print_header(device, lines);
    for (int t = 0; t < TABLES; t++)
        if (is_wanted(options, t) && golden_is_in_file(table_number(t)) &&
            print_format(options, table_number(t), device) != OK)
            return FAILED;
    return fflush(stdout) == 0 && !ferror(stdout) ? SAME : FAILED;
}

/* ---- kernels against replays ---- */

/* Of one format: adds to `all`. */
typedef enum status comparison(struct golden_table of, struct device *device, struct golden_agreement *all);

static enum status compare_part(struct golden_table of, size_t part, struct device *device,
                                struct golden_agreement *all)
{
    struct golden_data data;
    TRY(golden_data_make(of, part, GOLDEN_ALL, &data));
    golden_word *kernels = golden_words_for(&data), *replays = golden_words_for(&data);
    enum status status = kernels && replays ? OK : out_of_memory("the golden bits");
    if (status == OK)
        status = golden_compute(&data, workers_cores(), device, kernels, replays);
    size_t methods;
    const struct method *const *table = golden_methods(of, &methods);
    for (size_t m = 0; status == OK && m < methods; m++)
        if (golden_has(table[m], device))
            golden_compare(&data, m, kernels, replays, all);
    free(kernels);
    free(replays);
    golden_data_free(&data);
    return status;
}

static enum status compare_parts(struct golden_table of, struct device *device, struct golden_agreement *all)
{
    for (size_t part = 0; part < golden_parts(of); part++)
        TRY(compare_part(of, part, device, all));
    return OK;
}

/* One result of one kernel; compared where the order is fixed. */
static enum status run_once(const struct method *method, const struct dataset *data, uint64_t n, struct launch launch,
                            struct device *device, struct golden_agreement *all)
{
    golden_word kernel, replay;
    TRY(golden_compute_one(method, data, n, launch, device, &kernel));
    TRY(golden_compute_one(method, data, n, launch, NULL, &replay));
    if (kernel == GOLDEN_REFUSED) {
        all->refused++;
        return OK;
    }
    all->compared++;
    if (method->determinism == DETERMINISTIC && kernel != replay) {
        printf("%s, n = %" PRIu64 ", %u x %u: kernel 0x%" PRIx64 ", replay 0x%" PRIx64 "\n", method->id, n,
               launch.blocks, launch.threads, kernel, replay);
        all->differ++;
    }
    return OK;
}

static enum status run_each_on(struct golden_table of, const struct dataset *data, struct device *device,
                               struct golden_agreement *all)
{
    static const uint64_t sizes[] = {0, 3, 1003};
    static const struct launch launches[] = {{3, 64}, {2, 256}};
    size_t methods;
    const struct method *const *table = golden_methods(of, &methods);
    TRY(golden_upload(device, data));
    for (size_t m = 0; m < methods; m++)
        for (size_t k = 0; device_has_kernel(table[m]) && table[m]->replay && k < sizeof sizes / sizeof *sizes; k++)
            for (size_t l = 0; l < sizeof launches / sizeof *launches; l++)
                TRY(run_once(table[m], data, sizes[k], launches[l], device, all));
    return OK;
}

/* Every kernel a few times. */
static enum status run_each_kernel(struct golden_table of, struct device *device, struct golden_agreement *all)
{
    struct data_spec *spec;
    struct dataset data;
    char text[GOLDEN_SPEC];
    size_t count;
    const char *stored = of.sum_format->stored->name;
    const int vectors = operation_table[of.operation].vectors;
    snprintf(text, sizeof text, "normal:n=1003,format=%s%s%s", stored, vectors == 2 ? "::normal:format=" : "",
             vectors == 2 ? stored : "");
    TRY(data_specs_read(text, "each kernel", NONFINITE_REFUSE, &spec, &count));
    TRY(data_spec_set_kind(&spec[0], vectors == 2 ? TWO_VECTORS : ONE_VECTOR, "each kernel"));
    enum status status = dataset_make(&spec[0], 1, 0, &data);
    device_lock(device);
    if (status == OK)
        status = run_each_on(of, &data, device, all);
    device_unlock(device);
    dataset_free(&data);
    data_specs_free(spec, count);
    return status;
}

static void print_agreement(const char *of, const struct golden_agreement *all, size_t methods)
{
    printf("%s: %" PRIu64 " results compared, %" PRIu64 " differ; %" PRIu64
           " launches refused; %zu methods have a fixed order and a kernel\n",
           of, all->compared, all->differ, all->refused, methods);
    fflush(stdout); /* the next may take minutes */
}

/* A line for each format, and one for all; a format without a single result is as bad as one that differs. */
static enum exit_code compare_formats(const struct options *options, comparison *compare, struct device *device)
{
    struct golden_agreement all = {0};
    size_t all_methods = 0;
    bool same = true;
    for (int t = 0; t < TABLES; t++) {
        const struct golden_table of = table_number(t);
        const size_t methods = count_methods(of, device);
        struct golden_agreement one = {0};
        if (!is_wanted(options, t))
            continue;
        if (compare(of, device, &one) != OK)
            return FAILED;
        printf("%s@", operation_table[of.operation].id);
        print_agreement(of.sum_format->id, &one, methods);
        same = same && one.compared > 0 && one.differ == 0;
        all.compared += one.compared;
        all.differ += one.differ;
        all.refused += one.refused;
        all_methods += methods;
    }
    print_agreement("all", &all, all_methods);
    return same ? SAME : DIFFER;
}

/* Without one that is named, all are wanted. */
static bool want_format(struct options *options, size_t *named, const char *id)
{
    const struct sum_format *wanted = sum_format_find(id);
    for (int f = 0; f < SUM_FORMATS; f++)
        options->formats[f] = sum_formats[f] == wanted || (*named > 0 && options->formats[f]);
    *named += 1;
    return wanted;
}

static bool read_options(int argc, char **argv, struct options *options)
{
    static const struct option known[] = {
        {"device", required_argument, NULL, 'd'},
        {"all", no_argument, NULL, 'a'},
        {"each-kernel", no_argument, NULL, 'e'},
        {"format", required_argument, NULL, 'f'},
        {"operation", required_argument, NULL, 'o'},
        {"family", required_argument, NULL, 'F'},
        {0},
    };
    size_t named = 0;
    *options = (struct options){.device = "host", .operation = OPERATIONS};
    for (int f = 0; f < SUM_FORMATS; f++)
        options->formats[f] = true;
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
        case 'f':
            if (!want_format(options, &named, optarg))
                return false;
            break;
        case 'o':
            options->operation = operation_named(optarg);
            if (options->operation == OPERATIONS)
                return false;
            break;
        case 'F':
            options->family = optarg;
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
        fprintf(stderr, "usage: %s [--device host|cuda:N] [--format ID]... [--operation ID] [--all | --each-kernel]\n",
                argv[0]);
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
    const enum exit_code code = options.all           ? compare_formats(&options, compare_parts, device)
                                : options.each_kernel ? compare_formats(&options, run_each_kernel, device)
                                                      : print_file(&options, device);
    device_close(device);
    return (int)code;
}
