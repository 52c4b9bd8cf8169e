/* ulpscope exact --output: the exact results along an axis of an array, each rounded once, as the array that the other
 * axes make.
 *
 *   x.npy of shape (2, 3, 4), axis=1      exact x.npy:axis=1 --operation variance --output y.npy, of shape (2, 4)
 */
#include "datasets/files/file.h"
#include "exact_answer.h"
#include "reference/rounding.h"
#include "src/base/note.h"
#include "src/gate/parallel.h"
#include "src/measure/operation.h"

struct axis_results {
    const struct chosen_data *chosen;
    enum operation operation;
    const struct format *format;
    void *rounded; /* as format_held() has them: threads write numbers side by side */
};

static enum status add_result(void *context, size_t k)
{
    const struct axis_results *results = context;
    struct dataset data;
    struct exact_sum exact;
    TRY(dataset_make(results->chosen->spec, results->chosen->seed, k, &data));
    const enum status status = operation_exact(results->operation, &data, (struct exact_how){.workers = 1}, &exact);
    dataset_free(&data);
    TRY(status);
    held_set(results->format, results->rounded, k, exact_round(exact.sum, results->format));
    exact_free(&exact);
    return OK;
}

enum status exact_write_axis(const struct chosen_data *chosen, enum operation operation, const struct format *as,
                             unsigned workers, const char *path)
{
    struct axis_results results = {.chosen = chosen, .operation = operation, .format = as};
    struct file_sums sums = {0};
    const bool has_two = operation_table[operation].vectors == 2;
    if (!data_spec_has_sums(chosen->spec))
        return bad_input("--output: %s has one result; expected an array with axis=, such as x.npy:axis=0; leave "
                         "--output out",
                         chosen->spec->text);
    TRY(data_spec_set_kind(chosen->spec, has_two ? TWO_VECTORS : ONE_VECTOR, "exact"));
    TRY(data_spec_sums(chosen->spec, &sums));
    if (!as) {
        TRY(data_spec_stored_format(chosen->spec, &results.format));
        results.format = sum_format_of(results.format, NULL)->result;
    }
    results.rounded = malloc((size_t)sums.count * format_held(results.format)->bytes);
    if (!results.rounded)
        return out_of_memory("the results along an axis");
    enum status status = parallel_each(workers, (size_t)sums.count, add_result, &results);
    if (status == OK) {
        OWNED char *comment =
            text_made("exact %.*s of %s, shape (%s)\n", (int)strcspn(operation_table[operation].id, "."),
                      operation_table[operation].id, chosen->spec->text, sums.shape);
        const struct dataset data = {.format = results.format, .n = sums.count, .x = results.rounded};
        status = file_write_shaped(path, &data, comment, sums.shape);
    }
    free(results.rounded);
    if (status == OK)
        note_once("%s: %" PRIu64 " exact results of %s, shape (%s), each rounded once to %s", path, sums.count,
                  chosen->spec->text, sums.shape, results.format->name);
    return status;
}
