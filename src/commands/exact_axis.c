/* ulpscope exact --output: the exact results along an axis of an array, each rounded once, as the array that the other
 * axes make, or with a result for each number as an array of the same shape.
 *
 *   x.npy of shape (2, 3, 4)      exact x.npy:axis=1 --operation variance --output y.npy, of shape (2, 4)
 *                                 exact x.npy:axis=1 --operation softmax --output y.npy, of shape (2, 3, 4)
 *                                 exact x.npy --operation softmax --output y.npy: one row of 24
 */
#include "datasets/files/file.h"
#include "exact_answer.h"
#include "reference/rounding.h"
#include "src/base/note.h"
#include "src/gate/parallel.h"
#include "src/measure/operation.h"
#include "src/study/study.h"

#include <sys/param.h>

struct axis_results {
    const struct chosen_data *chosen;
    enum operation operation;
    const struct format *format;
    uint64_t count, first, each, inner; /* sums, the trial of the first, results of each, steps from one to the next */
    unsigned workers_of_row;
    void *rounded; /* as format_held() has them: threads write numbers side by side */
};

static enum status add_row(const struct axis_results *results, const struct dataset *data, size_t k)
{
    enum { AT_ONCE = 1 << 12 };
    struct exact_element *elements = malloc(AT_ONCE * sizeof *elements);
    void *nothing = calloc(AT_ONCE, sizeof(double)); /* that was computed */
    struct exact_row *row = NULL;
    enum status status = elements && nothing ? OK : out_of_memory("exact results");
    if (status == OK)
        status =
            operation_exact_row(results->operation, data, (struct exact_how){results->workers_of_row, false}, &row);
    for (uint64_t first = 0, count; first < data->n && status == OK; first += count) {
        count = MIN(data->n - first, AT_ONCE);
        status = exact_row_elements(row, results->format, nothing, first, count, results->workers_of_row, elements);
        for (uint64_t e = 0; e < count && status == OK; e++)
            held_set(results->format, results->rounded,
                     (k / results->inner * results->each + first + e) * results->inner + k % results->inner,
                     elements[e].nearest);
    }
    exact_row_free(row);
    free_all(elements, nothing);
    return status;
}

static enum status add_sum(const struct axis_results *results, const struct dataset *data, size_t k)
{
    FREED_BY(exact_free) struct exact_sum exact = {0};
    TRY(operation_exact(results->operation, data, (struct exact_how){.workers = 1}, &exact));
    held_set(results->format, results->rounded, k, exact_round(exact.sum, results->format));
    return OK;
}

static enum status add_result(void *context, size_t k)
{
    const struct axis_results *results = context;
    struct dataset data;
    enum status status = OK;
    TRY(dataset_make(results->chosen->spec, results->chosen->seed, results->first + k, &data));
    if (!operation_is_per_number(results->operation))
        status = add_sum(results, &data, k);
    else if (data.n == results->each)
        status = add_row(results, &data, k);
    else
        status = bad_input("--output: row %zu has %" PRIu64 " numbers, row 0 %" PRIu64 "; expected as many in each; "
                           "leave --nonfinite skip out",
                           k, data.n, results->each);
    dataset_free(&data);
    return status;
}

/* The results of each sum; of rows along an axis, the shape of all. */
static enum status take_shape(struct axis_results *results, struct file_sums *sums)
{
    const struct data_spec *spec = results->chosen->spec;
    struct dataset data;
    struct text shape = {0};
    uint64_t extents[SHAPE_TEXT];
    long dimensions = 0, axis = strtol(spec->options.axis, NULL, 10);
    results->each = results->inner = 1;
    if (!operation_is_per_number(results->operation))
        return OK;
    TRY(dataset_make(spec, results->chosen->seed, results->first, &data));
    results->each = data.n;
    dataset_free(&data);
    for (const char *rest = sums->shape; *rest; rest += strspn(rest, ", "))
        extents[dimensions++] = strtoull(rest, (char **)&rest, 10);
    axis += axis < 0 ? dimensions + 1 : 0;
    for (long d = 0; d <= dimensions; d++) {
        const uint64_t extent = d == axis ? results->each : extents[d - (d > axis)];
        results->inner *= d > axis ? extent : 1;
        text_append(&shape, "%s%" PRIu64, d > 0 ? ", " : "", extent);
    }
    OWNED char *made = text_take(&shape);
    snprintf(sums->shape, sizeof sums->shape, dimensions > 0 ? "%s" : "%s,", made);
    return OK;
}

static enum status write_results(const struct axis_results *results, const char *shape, const char *path)
{
    const char *const id = operation_table[results->operation].id;
    OWNED char *comment =
        text_made("exact %.*s of %s, shape (%s)\n", (int)strcspn(id, "."), id, results->chosen->spec->text, shape);
    const struct dataset data = {.format = results->format, .n = results->count * results->each, .x = results->rounded};
    TRY(file_write_shaped(path, &data, comment, shape));
    note_once("%s: %" PRIu64 " exact results of %s, shape (%s), each rounded once to %s", path, data.n,
              results->chosen->spec->text, shape, results->format->name);
    return OK;
}

enum status exact_write_axis(const struct chosen_data *chosen, enum operation operation, const struct format *as,
                             unsigned workers, const char *path)
{
    struct axis_results results = {.chosen = chosen, .operation = operation, .format = as, .first = chosen->trial};
    struct file_sums sums = {.count = 1};
    if (!data_spec_has_sums(chosen->spec) && !operation_is_per_number(operation))
        return bad_input("--output: %s has one result; expected an array with axis=, such as x.npy:axis=0; leave "
                         "--output out",
                         chosen->spec->text);
    TRY(data_spec_set_kind(chosen->spec, operation_data_kind(operation), "exact"));
    if (data_spec_has_sums(chosen->spec))
        TRY(data_spec_sums(chosen->spec, &sums));
    if (!as) {
        TRY(data_spec_stored_format(chosen->spec, &results.format));
        results.format = sum_format_of(results.format, NULL)->result;
    }
    results.count = sums.count;
    results.workers_of_row = sums.count == 1 ? workers : 1;
    TRY(take_shape(&results, &sums));
    results.rounded = malloc((size_t)(sums.count * results.each) * format_held(results.format)->bytes);
    if (!results.rounded)
        return out_of_memory("the exact results");
    enum status status = parallel_each(workers, (size_t)sums.count, add_result, &results);
    if (status == OK)
        status = write_results(&results, sums.shape, path);
    free(results.rounded);
    return status;
}
