#include "data_again.h"

#include "src/measure/operation.h"
#include "src/study/study.h"

#include <errno.h>
#include <unistd.h>

/* The record keeps what was done with NaN in files in the arguments of its rerun: "-d x.csv --nonfinite skip". */
static enum nonfinite nonfinite_of(const struct spec_record *spec)
{
    const size_t length = strlen(spec->arguments);
    for (int word = NONFINITE_REFUSE; word <= NONFINITE_SKIP; word++) {
        char option[32];
        const size_t tail = (size_t)snprintf(option, sizeof option, " --nonfinite %s", nonfinite_words[word]);
        if (length > tail && strcmp(spec->arguments + length - tail, option) == 0)
            return (enum nonfinite)word;
    }
    return NONFINITE_REFUSE;
}

enum status again_open(const struct study_record *study, size_t entry, size_t spec, struct again *again,
                       char why[WHY_SIZE])
{
    const struct spec_record *record = &study->entries[entry].specs[spec];
    *again = (struct again){.study = study};
    const enum status status =
        data_specs_read(record->text, "the run's data", nonfinite_of(record), &again->specs, &again->count);
    if (status == NOT_MEASURED)
        return status;
    if (status != OK || again->count != 1) {
        snprintf(why, WHY_SIZE, "this program does not know the data %s", record->text);
        return BAD_INPUT;
    }
    const enum operation operation = study->method_count > 0 ? study->methods[0].operation : OPERATION_sum;
    TRY(data_spec_set_kind(again->specs, operation_data_kind(operation), "the run's data"));
    if (again->specs->path && access(again->specs->path, R_OK) != 0) {
        snprintf(why, WHY_SIZE, "cannot read %s: %s", again->specs->path, strerror(errno));
        return BAD_INPUT;
    }
    return OK;
}

void again_free(struct again *again)
{
    if (again->specs)
        data_specs_free(again->specs, again->count);
    *again = (struct again){0};
}

enum status again_make(const struct again *again, const struct summed_data *then, struct dataset *data,
                       char why[WHY_SIZE])
{
    const enum status status = dataset_make(again->specs, again->study->seed, then->trial, data);
    if (status != OK && status != NOT_MEASURED)
        snprintf(why, WHY_SIZE, "the data %s cannot be made again, as said above", again->specs->text);
    return status;
}

static enum status hold_against(const struct again *again, const struct summed_data *then, const char *now,
                                char why[WHY_SIZE])
{
    if (strcmp(now, then->exact) == 0)
        return OK;
    snprintf(why, WHY_SIZE,
             "the data are no longer those of the run: %.200s, trial %" PRIu64 ", adds up to %.80s now, %.80s then",
             again->specs->text, then->trial, now, then->exact);
    return BAD_INPUT;
}

static void free_row(struct exact_row **row)
{
    exact_row_free(*row);
}

enum status again_sum(const struct again *again, const struct summed_data *then, const struct dataset *data,
                      struct exact_sum *exact, char why[WHY_SIZE])
{
    struct exact_sum sum;
    *exact = (struct exact_sum){0};
    const enum operation operation = again->study->methods[0].operation;
    FREED_BY(free_row) struct exact_row *row = NULL;
    if (operation_is_per_number(operation))
        TRY(operation_exact_row(operation, data, (struct exact_how){0}, &row));
    if (row && then->i >= data->n) {
        snprintf(why, WHY_SIZE, "the data %.200s have fewer numbers now", again->specs->text);
        return BAD_INPUT;
    }
    TRY(row ? exact_row_element(row, then->i, &sum) : operation_exact(operation, data, (struct exact_how){0}, &sum));
    char *now = exact_hex(sum.sum);
    const enum status status = hold_against(again, then, now, why);
    free(now);
    if (status == OK)
        *exact = sum;
    else
        exact_free(&sum);
    return status;
}
