#include "attempt.h"

#include <string.h>

static const struct method_record *record_of(const struct study_record *study, const char *method)
{
    size_t m = 0;
    while (m + 1 < study->method_count && strcmp(study->methods[m].id, method) != 0)
        m++;
    return &study->methods[m];
}

static struct study_record study_of(struct attempt *attempt, const struct results *results, const struct series *like,
                                    const struct candidate *candidate)
{
    struct study_record study = results->study;
    char *text = candidate->specs->text;
    attempt->spec = (struct spec_record){.text = text,
                                         .unordered = text,
                                         .family = (char *)candidate->specs->generator->id,
                                         .arguments = candidate->arguments};
    attempt->entry =
        (struct entry_record){.text = text, .trials = candidate->trials, .specs = &attempt->spec, .spec_count = 1};
    attempt->method = *record_of(&results->study, like->method);
    attempt->launch = like->launch;
    study.methods = &attempt->method;
    study.launches = &attempt->launch;
    study.entries = &attempt->entry;
    study.method_count = study.launch_count = study.entry_count = 1;
    return study;
}

static enum status take_trial(struct attempt *attempt, const struct series *like, const struct fault *fault,
                              const struct candidate *candidate, size_t trial)
{
    const struct exact_sum *exact = &candidate->exact[trial];
    const struct method *method = method_find(like->method);
    const struct promise promise = promise_of(method, like->launch, exact);
    const struct dataset *numbers = &candidate->data[trial];
    const struct fault_call call = {method, operands_of_sum(numbers->format, numbers->x, numbers->n), like->launch};
    const struct row_place place = {.backend = (size_t)(like->backend - backend_table)};
    const struct row_data data = row_data_of(exact, candidate->texts[trial], trial);
    struct measured row = {0};
    uint64_t sum = 0;
    TRY(fault ? fault->sum(fault, &call, &sum) : method_replay(method, &call.of, call.launch, 1, &sum));
    judge_sum(exact, method->format, &promise, sum, &row);
    return stand_in_take(&attempt->stand_in, &place, &data, &row);
}

enum status attempt_make(struct attempt *attempt, const struct results *results, const struct series *like,
                         const struct fault *fault, const struct candidate *candidate)
{
    if (attempt->is_made)
        return OK;
    const struct study_record study = study_of(attempt, results, like, candidate);
    attempt->is_made = true;
    TRY(stand_in_start(&attempt->stand_in, &study, results));
    for (size_t t = 0; t < candidate->trials; t++)
        TRY(take_trial(attempt, like, fault, candidate, t));
    return stand_in_end(&attempt->stand_in);
}

void attempt_free(struct attempt *attempt)
{
    if (attempt->is_made)
        stand_in_free(&attempt->stand_in);
    *attempt = (struct attempt){0};
}
