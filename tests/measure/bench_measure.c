/* Where the time of a study goes around its methods: generation, reference, metrics and store, in ns per element.  The
 * methods themselves are timed by `ulpscope bench`.
 *
 *   ctest -L bench -V        or        build/default/tests/bench [N]
 *
 * It prints and asserts nothing: times on shared machines drift.  Each figure is the best of 5.
 */
#include "datasets/dataset.h"
#include "reference/exact.h"
#include "src/base/number.h"
#include "src/measure/measure.h"
#include "src/store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* What is timed: one call, on the bench's data. */
struct bench {
    const struct data_spec *spec;
    struct dataset data;
    struct exact_sum exact;
    struct study study;
    struct store *store;
    uint64_t stored;
};

typedef enum status timed(struct bench *bench);

static enum status generate(struct bench *bench)
{
    dataset_free(&bench->data);
    return dataset_make(bench->spec, 1, 0, &bench->data);
}

static enum status sum_exactly(struct bench *bench)
{
    exact_free(&bench->exact);
    return exact_sum(bench->data.format, bench->data.x, bench->data.n, &bench->exact);
}

static enum status measure_metrics(struct bench *bench)
{
    const struct judged judged = {.exact = &bench->exact, .computed = bench->exact.nearest * 1.0001, .bound = 1};
    for (int m = 0; m < METRICS; m++)
        (void)metric_table[m].measure(&judged);
    return OK;
}

/* A case of four rows, as in the built-in study. */
static enum status put_case(struct bench *bench)
{
    struct measured rows[4] = {
        {.method = 0, .weight = 1}, {.method = 1, .weight = 1}, {.method = 2, .weight = 1}, {.method = 3, .weight = 1}};
    struct finished_case finished = {.index = bench->stored++, .n = bench->data.n, .rows = rows, .row_count = 4};
    for (int m = 0; m < 4; m++)
        rows[m].exact = "0x1p+0";
    return store_put_case(bench->store, &finished);
}

static void print_time(struct bench *bench, const char *what, timed *run)
{
    double best = 1e300;
    for (int i = 0; i < REPEATS; i++) {
        const double start = now();
        if (run(bench) != OK)
            exit(1);
        const double taken = now() - start;
        best = taken < best ? taken : best;
    }
    printf("%-32s %10.3f ns/element %12.0f ns\n", what, best / (double)(bench->data.n ? bench->data.n : 1), best);
}

static void print_generator(const char *spec_text, const char *what)
{
    char text[128];
    struct data_spec *spec;
    size_t specs;
    struct bench bench = {0};
    if (data_specs_read(spec_text, "bench", NONFINITE_REFUSE, &spec, &specs) != OK)
        exit(1);
    bench.spec = &spec[0];
    snprintf(text, sizeof text, "generate %s%s", spec[0].generator->id, what);
    print_time(&bench, text, generate);
    dataset_free(&bench.data);
    data_specs_free(spec, specs);
}

static void print_generator_at(const char *id, uint64_t n, const char *what)
{
    char text[64];
    snprintf(text, sizeof text, "%s:n=%" PRIu64, id, n);
    print_generator(text, what);
}

/* The families of a given condition number also at two lengths far apart: each element costs as much. */
static void print_generators(uint64_t n)
{
    size_t count;
    const struct generator *const *generators = generator_table(&count);
    for (size_t i = 0; i < count; i++) {
        const char *first = generators[i]->parameters[0].name;
        if (strcmp(generators[i]->id, "telescope") == 0) {
            print_generator("telescope:n=512Ki,r=1.0001", ", n = 2^19"); /* binary32 has no room for more */
            continue;
        }
        print_generator_at(generators[i]->id, n, "");
        if (first && strcmp(first, "cond") == 0) {
            print_generator_at(generators[i]->id, 1 << 12, ", n = 2^12");
            print_generator_at(generators[i]->id, 1 << 18, ", n = 2^18");
        }
    }
}

int main(int argc, char **argv)
{
    uint64_t n = 1 << 20;
    struct bench bench = {0};
    const char *wrong = argc > 1 ? read_size(argv[1], &n) : NULL;
    if (wrong || study_read(NULL, NULL, &bench.study) != OK) {
        fprintf(stderr, "bench: \"%s\" %s; expected a count\n", argv[1], wrong ? wrong : "");
        return 2;
    }
    printf("n = %" PRIu64 "\n", n);
    print_generators(n);
    char text[64];
    struct data_spec *spec;
    size_t specs;
    snprintf(text, sizeof text, "uniform:n=%" PRIu64, n);
    if (data_specs_read(text, "bench", NONFINITE_REFUSE, &spec, &specs) != OK ||
        dataset_make(&spec[0], 1, 0, &bench.data) != OK ||
        exact_sum(bench.data.format, bench.data.x, bench.data.n, &bench.exact) != OK)
        return 1;
    print_time(&bench, "reference", sum_exactly);
    print_time(&bench, "metrics of a row", measure_metrics);
    if (store_open(NULL, STORE_NEW, &bench.study, "bench", "host", &bench.store) != OK)
        return 1;
    print_time(&bench, "store of a case, in memory", put_case);
    exact_free(&bench.exact);
    dataset_free(&bench.data);
    data_specs_free(spec, specs);
    (void)store_close(bench.store);
    study_free(&bench.study);
    return 0;
}
