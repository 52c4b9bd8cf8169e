#include "case_in_hand.h"

#include <stdio.h>
#include <stdlib.h>

bool measure_can_do(const struct method *method, struct launch launch, const struct device *device,
                    char why[REASON_SIZE])
{
    if (!method_can_do(method, launch, why))
        return false;
    if (device || method_is_on_host(method))
        return true;
    snprintf(why, REASON_SIZE, "a black box without replay, which needs a GPU");
    return false;
}

enum status measure_case(const struct measuring *measuring, uint64_t index, struct finished_case *finished)
{
    const struct study *study = measuring->study;
    const struct study_case place = study_case_at(study, index);
    struct case_in_hand hand = {
        .measuring = measuring,
        .place = place,
        .spec = &study->entries[place.entry].specs[place.spec],
        .finished = finished,
    };
    *finished = (struct finished_case){.index = index};
    return operation_table[study->methods[0]->operation].of == MATRICES ? measure_matrices(&hand) : measure_sums(&hand);
}

void finished_case_free(struct finished_case *finished)
{
    for (size_t t = 0; t < finished->text_count; t++)
        free(finished->texts[t]);
    free(finished->texts);
    free(finished->rows);
    *finished = (struct finished_case){0};
}
