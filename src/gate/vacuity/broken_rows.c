#include "vacuity.h"

#include "src/gate/parallel.h"
#include "src/measure/element_tally.h"
#include "src/measure/operation.h"

enum { ELEMENTS_AT_ONCE = 1 << 12 };

/* ---- one method on one row of numbers ---- */

/* A method on a row of numbers, whose results are condensed to few rows, as those of a run are
 * (src/measure/element_tally.h). */
struct numbers_case {
    const struct method *method;
    struct launch launch;
    const struct dataset *data;
    const struct exact_row *exact; /* of it */
    uint64_t trial;
};

/* All its results, with a fault; NULL: without. */
static enum status numbers_compute(const struct numbers_case *of, const struct fault *fault, uint64_t *bits)
{
    const struct fault_call call = {of->method, operation_operands(of->method->operation, of->data), of->launch};
    return fault ? fault->sum(fault, &call, bits) : method_replay(of->method, &call.of, of->launch, 1, bits);
}

/* Of norms a bound is a + b |s|, as src/measure/measure_elements.c has it; of others the growth is infinite. */
struct bounds {
    double of_0, growth;
};

static struct shape shape_of(const struct numbers_case *of)
{
    return operation_operands(of->method->operation, of->data).shape;
}

static double bound_of(const struct numbers_case *of, const struct magnitudes *magnitudes)
{
    return of->method->bound(of->method, shape_of(of), of->launch, magnitudes);
}

static struct bounds bounds_of(const struct numbers_case *of)
{
    const enum quantity quantity = operation_table[of->method->operation].of;
    const double most = sqrt((double)of->data->n) + 1;
    const struct magnitudes none = {.moments = exact_row_moments(of->exact)},
                            all = {.abs_s = most, .moments = none.moments};
    if (quantity != LAYER_NORM && quantity != RMS_NORM)
        return (struct bounds){0, INFINITY};
    return (struct bounds){bound_of(of, &none), (bound_of(of, &all) - bound_of(of, &none)) / most};
}

static enum status judge_one(const struct numbers_case *of, const struct bounds *bounds, uint64_t i,
                             const struct exact_element *exact, uint64_t bits, struct measured *element)
{
    const struct format *format = of->method->format;
    struct moments moments = *exact_row_moments(of->exact);
    if (is_scan(of->method->operation)) {
        moments.prefix = (double)(i + 1);
        moments.history = exact_row_history(of->exact, i);
    }
    const struct magnitudes magnitudes = {exact->abs_above, exact->sum_abs_above, moments.max_abs, &moments};
    double bound = isfinite(bounds->growth) ? (bounds->of_0 + bounds->growth * exact->abs_above) * (1 + 0x1p-40)
                                            : bound_of(of, &magnitudes);
    if (isinf(bound) && isfinite(format_value(format, bits)))
        bound = bound_of_finite(of->method, shape_of(of), of->launch, &magnitudes, bound);
    if (element_judge(exact, format, bits, bound, element))
        return OK;
    FREED_BY(exact_free) struct exact_sum sum = {0};
    const struct promise promise = {.bound = bound, .bound_if_finite = bound};
    TRY(exact_row_element(of->exact, i, &sum));
    judge_sum(&sum, format, &promise, bits, element);
    return OK;
}

static enum status judge_all(const struct numbers_case *of, const uint64_t *bits, struct element_tally *tally)
{
    const struct format *format = of->method->format;
    const uint64_t n = of->data->n;
    const struct bounds bounds = bounds_of(of);
    struct measured element = {.probabilistic_bound = NAN};
    OWNED void *computed = malloc(ELEMENTS_AT_ONCE * sizeof(double));
    OWNED struct exact_element *exact = malloc(ELEMENTS_AT_ONCE * sizeof *exact);
    TRY(computed && exact && tally ? OK : out_of_memory("broken results"));
    for (uint64_t first = 0; first < n; first += ELEMENTS_AT_ONCE) {
        const uint64_t count = n - first < ELEMENTS_AT_ONCE ? n - first : ELEMENTS_AT_ONCE;
        for (uint64_t i = 0; i < count; i++)
            held_set(format, computed, i, format_value(format, bits[first + i]));
        TRY(exact_row_elements(of->exact, format, computed, first, count, 1, exact));
        for (uint64_t i = 0; i < count; i++) {
            TRY(judge_one(of, &bounds, first + i, &exact[i], bits[first + i], &element));
            TRY(element_tally_add(tally, &element));
        }
    }
    return OK;
}

static enum status take_tally(const struct numbers_case *of, const uint64_t *bits, struct element_tally *tally,
                              const struct row_place *place, uint64_t repeats, struct stand_in *to)
{
    char digest[DIGEST_TEXT];
    const size_t rows = element_tally_rows(tally);
    digest_of(of->method->format, bits, of->data->n, digest);
    for (uint64_t r = 0; r < repeats * rows; r++) {
        struct measured row = {.repeat = r / rows, .digest = digest, .probabilistic_bound = NAN};
        FREED_BY(exact_free) struct exact_sum exact = {0};
        element_tally_row(tally, r % rows, &row);
        row.map = r % rows == 0 ? element_tally_map(tally) : NULL;
        row.height = of->method->height(of->method, shape_of(of), of->launch);
        TRY(exact_row_element(of->exact, row.i, &exact));
        OWNED char *text = exact_hex(exact.sum);
        const struct row_data data = {of->data->n, of->trial, text, exact.condition};
        TRY(stand_in_take(to, place, &data, &row));
    }
    return OK;
}

/* Judges them; their rows stand in, once for each repeat. */
static enum status numbers_take(const struct numbers_case *of, const uint64_t *bits, const struct row_place *place,
                                uint64_t repeats, struct stand_in *to)
{
    struct element_tally *tally = element_tally_new(of->method->format, of->data->n, 1);
    enum status status = judge_all(of, bits, tally);
    if (status == OK)
        status = take_tally(of, bits, tally, place, repeats, to);
    element_tally_free(tally);
    return status;
}

/* ---- all of them, with each fault ---- */

struct trial {
    struct broken_spec *spec;
    size_t data; /* of the spec's */
    const struct dataset *numbers;
    const struct exact_row *exact;
};

static enum status take_series(const struct trial *trial, size_t fault, size_t series)
{
    struct broken_spec *spec = trial->spec;
    const struct series_rows *rows = &spec->rows->series[spec->first_series + series];
    const struct row_place place = {rows->entry, rows->spec, rows->launch, rows->backend, rows->method};
    const struct broken_slot *slot = &spec->slots[spec->slot_of[series]];
    const struct numbers_case of = {slot->method, slot->launch, trial->numbers, trial->exact,
                                    spec->data[trial->data].trial};
    const uint64_t n = trial->numbers->n;
    const size_t index = (size_t)(spec->data - spec->rows->data) + trial->data, end = run_rows_first(rows, index + 1);
    size_t faults;
    OWNED uint64_t *bits = calloc(2 * n + 1, sizeof *bits);
    TRY(bits ? OK : out_of_memory("broken results"));
    uint64_t *const sound = bits + n;
    if (run_rows_first(rows, index) == end)
        return OK;
    TRY(numbers_compute(&of, NULL, sound));
    TRY(numbers_compute(&of, &fault_table(&faults)[fault], bits));
    for (uint64_t i = 0; i < n; i++)
        spec->differs[fault * spec->series_count + series] |= !format_same(of.method->format, bits[i], sound[i]);
    return numbers_take(&of, bits, &place, rows->rows[end - 1].repeat + 1, &spec->stand_ins[fault]);
}

static enum status take_fault(void *context, size_t fault)
{
    const struct trial *trial = context;
    for (size_t s = 0; s < trial->spec->series_count; s++)
        if (broken_spec_has(trial->spec, fault, s))
            TRY(take_series(trial, fault, s));
    return OK;
}

static enum status take_trial(struct broken_spec *spec, size_t data, char why[WHY_SIZE])
{
    FREED_BY(dataset_free) struct dataset numbers = {0};
    FREED_BY(exact_free) struct exact_sum first = {0};
    const enum operation operation = spec->results->study.methods[0].operation;
    struct exact_row *exact = NULL;
    TRY(again_make(&spec->again, &spec->data[data], &numbers, why));
    TRY(again_sum(&spec->again, &spec->data[data], &numbers, &first, why));
    TRY(operation_exact_row(operation, &numbers, (struct exact_how){0}, &exact));
    struct trial trial = {spec, data, &numbers, exact};
    const enum status status = parallel_each(spec->workers, spec->plan->fault_count, take_fault, &trial);
    exact_row_free(exact);
    return status;
}

enum status broken_rows_run(struct broken_spec *spec, char why[WHY_SIZE])
{
    for (size_t d = 0; d < spec->data_count; d++) {
        TRY(take_trial(spec, d, why));
        progress_update(spec->progress, spec->done + d + 1, "data");
    }
    return OK;
}
