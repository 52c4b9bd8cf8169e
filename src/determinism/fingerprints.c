#include "fingerprints.h"

#include "datasets/dataset.h"
#include "src/base/interrupts.h"
#include "src/base/list.h"
#include "src/measure/measure.h"
#include "src/store/provenance.h"
#include "vary.h"

enum { TRIALS = 4 };

static const char *const families[] = {"uniform", "normal", "lognormal"};
static const uint64_t lengths[] = {7, 32, 257, 1000, 4096, 65537}, sides[] = {7, 32, 65, 128}; /* of matrices */

/* "normal:n=7,format=bfloat16::normal,format=bfloat16" */
static char *spec_text(const struct method *method, const char *family, uint64_t n)
{
    const bool is_pair = operation_table[method->operation].vectors == 2 && method->operation < VECTOR_OPERATIONS;
    const char *format = method->sum_format->stored->name;
    return is_pair ? text_made("%s:n=%" PRIu64 ",format=%s::%s:format=%s", family, n, format, family, format)
                   : text_made("%s:n=%" PRIu64 ",format=%s", family, n, format);
}

static enum data_kind kind_of(const struct method *method)
{
    return operation_table[method->operation].vectors == 1     ? ONE_VECTOR
           : operation_table[method->operation].of == MATRICES ? TWO_MATRICES
                                                               : TWO_VECTORS;
}

static enum status add_trials(const struct vary *vary, const struct data_spec *spec, struct launch launch,
                              uint64_t seed, uint64_t *word)
{
    const struct method *method = vary->of->method;
    OWNED uint64_t *bits = NULL;
    uint64_t results = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        FREED_BY(dataset_free) struct dataset data = {0};
        TRY(dataset_make(spec, seed, trial, &data));
        struct operands of = {data.format, method->operation, {data.x, data.y}, {data.n, data.rows, data.columns}};
        if (data.rows == 0)
            of.shape = shape_of_one(data.n);
        results = operation_results(of.operation, of.shape);
        bits = memory_resized(bits, (trial + 1) * results * sizeof *bits);
        TRY(vary_compute(vary, &of, launch, NULL, bits + trial * results));
    }
    *word = results_word(method->format, bits, TRIALS * results);
    return OK;
}

enum status fingerprint_word(const struct vary *vary, const struct fingerprint *cell, struct launch launch,
                             uint64_t seed, uint64_t *word)
{
    struct data_spec *specs = NULL;
    size_t count = 0;
    OWNED char *text = spec_text(vary->of->method, cell->data, cell->n);
    enum status status;
    TRY_DONE(data_specs_read(text, "fingerprints", NONFINITE_REFUSE, &specs, &count));
    TRY_DONE(data_spec_set_kind(specs, kind_of(vary->of->method), "fingerprints"));
    status = add_trials(vary, specs, launch, seed, word);
done:
    data_specs_free(specs, count);
    return status;
}

static bool can_compute(const struct varied *varied, struct launch launch, uint64_t n)
{
    const struct method *method = varied->method;
    char why[REASON_SIZE];
    if (method->plugin && (plugin_is_left_out(method) || !plugin_takes(method, n)))
        return false;
    return measure_can_do(method, launch, varied->device, why) && (!varied->device || n <= method->slow_above);
}

/* A plug-in that fails costs its cell; what else fails, the file. */
static enum status add_cell(struct fingerprints *made, const struct varied *varied, const char *family, uint64_t n)
{
    const struct vary vary = {.of = varied};
    struct fingerprint cell = {
        .method = memory_copy(varied->method->id),
        .data = memory_copy(family),
        .n = n,
        .is_deterministic = varied->method->determinism == DETERMINISTIC,
    };
    enum status status = OK;
    if (can_compute(varied, made->launch, n)) {
        status = fingerprint_word(&vary, &cell, made->launch, made->seed, &cell.bits);
        cell.is_computed = status == OK;
    }
    made->cells = list_short(made->cells, made->cell_count, &made->cell_capacity, sizeof *made->cells);
    made->cells[made->cell_count++] = cell;
    return varied->method->plugin ? OK : status;
}

static enum status add_method(struct fingerprints *made, const struct varied *varied)
{
    const struct method *method = varied->method;
    const bool is_product = operation_table[method->operation].of == MATRICES;
    const uint64_t *const n = is_product ? sides : lengths;
    const size_t count = is_product ? sizeof sides / sizeof *sides : sizeof lengths / sizeof *lengths;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (size_t i = 0; i < count; i++) {
            if (interrupted())
                return INTERRUPTED;
            if (!generator_refuses(generator_find(families[f]), method->sum_format->stored))
                TRY(add_cell(made, varied, families[f], n[i]));
        }
    return OK;
}

static void add_fact(struct fingerprints *to, char *name, char *value)
{
    to->facts = list_short(to->facts, to->fact_count, &to->fact_capacity, sizeof *to->facts);
    to->facts[to->fact_count++] = (struct fingerprint_fact){name, value};
}

/* Not when it was and who asked, nor what can change no bit. */
static enum status take_fact(void *made, const char *topic, const char *name, const char *value)
{
    if (strcmp(topic, "run") != 0 && strcmp(name, "kernel") != 0 && strcmp(name, "canary") != 0 && *value)
        add_fact(made, text_made("%s %s", topic, name), memory_copy(value));
    return OK;
}

enum status fingerprints_make(const struct study *study, struct device *device, unsigned workers,
                              struct fingerprints *made)
{
    *made = (struct fingerprints){.launch = study->launches[0], .seed = study->seed};
    TRY(provenance_each(study, device, "", take_fact, made));
    for (size_t m = 0; m < study->method_count; m++) {
        const struct method *method = study->methods[m];
        const struct varied varied = {
            .method = method,
            .device = method->ask || !device_has_kernel(method) ? NULL : device,
            .workers = workers,
        };
        TRY(add_method(made, &varied));
    }
    return OK;
}

void fingerprints_free(struct fingerprints *fingerprints)
{
    for (size_t i = 0; i < fingerprints->fact_count; i++)
        free_all(fingerprints->facts[i].name, fingerprints->facts[i].value);
    for (size_t i = 0; i < fingerprints->cell_count; i++)
        free_all(fingerprints->cells[i].method, fingerprints->cells[i].data);
    free_all(fingerprints->path, fingerprints->facts, fingerprints->cells);
    *fingerprints = (struct fingerprints){0};
}
