#include "inquiry.h"

static enum status room_for(size_t count, struct models *models)
{
    models->left = malloc((count + 1) * sizeof *models->left);
    return models->left ? OK : out_of_memory("models");
}

static void add(struct models *models, struct arithmetic model)
{
    models->left[models->count++] = model;
}

/* Bits behind the first that a block, or a register, may have. */
static int output_most(const struct sum_format *formats)
{
    return (arithmetic_is_wide(formats) ? formats->result : &FORMAT_BINARY32)->precision - 1;
}

static bool adds(const struct grouping *grouping)
{
    return grouping->levels > (grouping->chained ? 2 : 1);
}

/* Additions of what is not chained, in binary32, or binary64, and in the result's format. */
static void add_additions(const struct sum_format *formats, const struct grouping *grouping, struct models *models,
                          struct arithmetic model)
{
    const int bits[] = {output_most(formats), formats->result->precision - 1};
    if (!adds(grouping)) {
        add(models, model);
        return;
    }
    for (int b = 0; b < (bits[1] < bits[0] ? 2 : 1); b++)
        for (int addition = 0; addition < ADDITIONS; addition++)
            for (int rounded = 0; rounded < (bits[1] < bits[b] && addition == ADDS_NEAREST ? 2 : 1); rounded++) {
                model.register_bits = bits[b];
                model.addition = (enum addition)addition;
                model.rounded_parts = rounded;
                add(models, model);
            }
}

static void add_outputs(const struct sum_format *formats, const struct grouping *grouping, struct models *models,
                        struct arithmetic model)
{
    for (model.output = OUTPUT_LEAST; model.output <= output_most(formats); model.output++)
        for (int way = 0; way < WAYS; way++) {
            model.rounding = (enum way)way;
            add_additions(formats, grouping, models, model);
        }
}

enum status models_all(const struct sum_format *formats, const struct grouping *grouping, struct models *models)
{
    enum { ALIGNMENTS = (FRACTION_MOST - FRACTION_LEAST + 1) * WAYS * 2 + 1, ADDITIONS_MOST = 2 * ADDITIONS + 1 };
    TRY(room_for((size_t)ALIGNMENTS * (size_t)(output_most(formats) - OUTPUT_LEAST + 1) * WAYS *
                     (adds(grouping) ? ADDITIONS_MOST : 1),
                 models));
    const bool is_wide = arithmetic_is_wide(formats), is_of_one = grouping->sizes[0] == 1;
    struct arithmetic model = {.fraction = ALIGNS_EXACTLY,
                               .floor = is_wide ? models_least_floor(formats) : FLOOR_LEAST,
                               .register_bits = output_most(formats)};
    if (is_of_one || !is_wide)
        add_outputs(formats, grouping, models, model);
    for (model.fraction = FRACTION_LEAST; model.fraction <= FRACTION_MOST && !is_of_one && !is_wide; model.fraction++)
        for (int way = 0; way < 2 * WAYS; way++) {
            model.alignment = (enum way)(way % WAYS);
            model.normalised = way >= WAYS;
            add_outputs(formats, grouping, models, model);
        }
    return OK;
}

/* Each `count` times, as `change` makes the i-th. */
static enum status multiplied(struct models *models, int count, void (*change)(struct arithmetic *model, int i))
{
    struct models with = {0};
    TRY(room_for(models->count * (size_t)count, &with));
    for (size_t m = 0; m < models->count; m++)
        for (int i = 0; i < count; i++) {
            add(&with, models->left[m]);
            change(&with.left[with.count - 1], i);
        }
    free(models->left);
    *models = with;
    return OK;
}

static void change_input(struct arithmetic *model, int i)
{
    model->input = i;
}

static void change_subnormals(struct arithmetic *model, int i)
{
    model->subnormals = (enum subnormals)i;
}

static void change_floor(struct arithmetic *model, int i)
{
    model->floor = FLOOR_MOST - i;
}

static void change_zero(struct arithmetic *model, int i)
{
    model->negative_zero = i;
}

enum status models_with_inputs(const struct sum_format *formats, struct models *models)
{
    const bool may_round = formats->stored->precision > FORMAT_TF32.precision && !arithmetic_is_wide(formats);
    return multiplied(models, may_round ? INPUTS : 1, change_input);
}

int models_least_floor(const struct sum_format *formats)
{
    const int least = 2 * formats->stored->least_exponent - 2;
    return least > FLOOR_LEAST || arithmetic_is_wide(formats) ? least : FLOOR_LEAST;
}

enum status models_with_floors(const struct sum_format *formats, struct models *models)
{
    TRY(multiplied(models, SUBNORMALS, change_subnormals));
    return arithmetic_is_wide(formats) ? OK
                                       : multiplied(models, FLOOR_MOST - models_least_floor(formats) + 1, change_floor);
}

enum status models_with_zeros(struct models *models)
{
    return multiplied(models, 2, change_zero);
}

bool models_has_bits(const struct arithmetic *of, const struct grouping *grouping, const struct element *element,
                     double answer, bool signs)
{
    const double y = arithmetic_element(of, grouping, element);
    return isnan(answer) ? isnan(y) : y == answer && (!signs || signbit(y) == signbit(answer));
}

size_t models_keep(struct models *models, const struct grouping *grouping, const struct element *element, double answer,
                   bool signs)
{
    size_t left = 0;
    for (size_t m = 0; m < models->count; m++)
        if (models_has_bits(&models->left[m], grouping, element, answer, signs)) {
            const struct arithmetic kept = models->left[left];
            models->left[left++] = models->left[m];
            models->left[m] = kept;
        }
    return left;
}

uint64_t models_hold(struct models *models, const struct sum_format *formats, const struct grouping *grouping,
                     const struct questions *questions, struct held held)
{
    for (uint64_t row = held.first; row < held.end; row++) {
        const uint64_t at = row * questions->terms;
        const struct element element = {formats, questions->a + at, questions->b + at, questions->first[row], 0, 0};
        models->count = models_keep(models, grouping, &element, questions->answers[row], held.signs);
        if (models->count == 0)
            return row;
    }
    return held.end;
}
