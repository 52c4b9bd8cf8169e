#include "models.h"

#include "src/base/list.h"

#include <math.h>
#include <stdlib.h>

static enum status room_for(size_t count, struct models *models)
{
    models->left = malloc((count + 1) * sizeof *models->left);
    return models->left ? OK : out_of_memory("models");
}

static void add(struct models *models, struct arithmetic model)
{
    models->left[models->count++] = model;
}

static bool adds(const struct grouping *grouping)
{
    return grouping->levels > (grouping->chained ? 2 : 1);
}

/* Additions of what is not chained, in binary32 and in the result's format. */
static void add_additions(const struct sum_format *formats, const struct grouping *grouping, struct models *models,
                          struct arithmetic model)
{
    const int bits[] = {OUTPUT_MOST, formats->result->precision - 1};
    if (!adds(grouping)) {
        add(models, model);
        return;
    }
    for (int b = 0; b < (bits[1] < bits[0] ? 2 : 1); b++)
        for (int addition = 0; addition < ADDITIONS; addition++)
            for (int rounded = 0; rounded < (bits[1] < bits[b] ? 2 : 1); rounded++) {
                model.register_bits = bits[b];
                model.addition = (enum addition)addition;
                model.rounded_parts = rounded;
                add(models, model);
            }
}

static void add_outputs(const struct sum_format *formats, const struct grouping *grouping, struct models *models,
                        struct arithmetic model)
{
    for (model.output = OUTPUT_LEAST; model.output <= OUTPUT_MOST; model.output++)
        for (int way = 0; way < WAYS; way++) {
            model.rounding = (enum way)way;
            add_additions(formats, grouping, models, model);
        }
}

enum status models_all(const struct sum_format *formats, const struct grouping *grouping, struct models *models)
{
    enum { ALIGNMENTS = (FRACTION_MOST - FRACTION_LEAST + 1) * WAYS * 2 + 1, ADDITIONS_MOST = 3 * ADDITIONS };
    const int inputs = formats->stored->precision > FORMAT_TF32.precision ? INPUTS : 1;
    TRY(room_for((size_t)inputs * ALIGNMENTS * (OUTPUT_MOST - OUTPUT_LEAST + 1) * WAYS * (adds(grouping) ? ADDITIONS_MOST : 1), models));
    struct arithmetic model = {.floor = FLOOR_LEAST, .register_bits = OUTPUT_MOST};
    for (model.input = 0; model.input < inputs; model.input++) {
        model.fraction = ALIGNS_EXACTLY;
        model.alignment = TOWARD_ZERO;
        model.normalised = false;
        add_outputs(formats, grouping, models, model);
        for (model.fraction = FRACTION_LEAST; model.fraction <= FRACTION_MOST && grouping->sizes[0] > 1;
             model.fraction++)
            for (int way = 0; way < 2 * WAYS; way++) {
                model.alignment = (enum way)(way % WAYS);
                model.normalised = way >= WAYS;
                add_outputs(formats, grouping, models, model);
            }
    }
    return OK;
}

enum status models_with_floors(struct models *models)
{
    struct models with = {0};
    TRY(room_for(models->count * SUBNORMALS * (FLOOR_MOST - FLOOR_LEAST + 1), &with));
    for (size_t m = 0; m < models->count; m++)
        for (int subnormals = 0; subnormals < SUBNORMALS; subnormals++)
            for (int floor = FLOOR_LEAST; floor <= FLOOR_MOST; floor++) {
                struct arithmetic model = models->left[m];
                model.subnormals = (enum subnormals)subnormals;
                model.floor = floor;
                if (model.fraction != ALIGNS_EXACTLY || floor == FLOOR_LEAST)
                    add(&with, model);
            }
    free(models->left);
    *models = with;
    return OK;
}

enum status models_with_zeros(struct models *models)
{
    struct models with = {0};
    TRY(room_for(models->count * 2, &with));
    for (int negative = 0; negative < 2; negative++)
        for (size_t m = 0; m < models->count; m++) {
            struct arithmetic model = models->left[m];
            model.negative_zero = negative;
            add(&with, model);
        }
    free(models->left);
    *models = with;
    return OK;
}

static bool is_answer(double computed, double answer, bool signs)
{
    return isnan(answer) ? isnan(computed) : computed == answer && (!signs || signbit(computed) == signbit(answer));
}

void models_hold(struct models *models, const struct sum_format *formats, const struct grouping *grouping,
                 const struct questions *questions, bool signs, uint64_t *row)
{
    for (*row = 0; *row < questions->count && models->count > 0; (*row)++) {
        const uint64_t at = *row * questions->terms;
        const struct element element = {formats, questions->a + at, questions->b + at, questions->first[*row]};
        size_t left = 0;
        for (size_t m = 0; m < models->count; m++)
            if (is_answer(arithmetic_element(&models->left[m], grouping, &element), questions->answers[*row], signs))
                models->left[left++] = models->left[m];
        models->count = left;
        if (left == 0)
            return;
    }
}
