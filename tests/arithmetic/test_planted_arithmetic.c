/* What products were computed in is found from their results: of 20 models that a seed draws, parameter by parameter;
 * and ten products of no model are called none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "planted_product.h"

#include "src/base/format.h"
#include "tests/support/random.h"

#include <stdlib.h>

enum { TERMS = 256, ROWS = 8, MODELS = 20, DRAWN_BY = 46 };

/* ---- products ---- */

typedef double element_function(const void *context, const double *a, const double *b, int terms);

struct planted {
    element_function *element;
    const void *context;
};

static enum status planted_product(const struct asked *asked, uint64_t rows, uint64_t terms, const void *a,
                                   const void *b, void *c)
{
    const struct planted *planted = asked->context;
    const struct format *stored = asked->formats->stored;
    double *row = calloc(2 * terms, sizeof *row), *column = row + terms;
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = 0; j < rows; j++) {
            for (uint64_t k = 0; k < terms; k++) {
                row[k] = held_number(stored, a, i * terms + k);
                column[k] = held_number(stored, b, k * rows + j);
            }
            held_set(asked->formats->result, c, i * rows + j,
                     planted->element(planted->context, row, column, (int)terms));
        }
    free(row);
    return OK;
}

static void find(const struct sum_format *formats, element_function *element, const void *context,
                 struct arithmetic_answer *answer)
{
    static struct planted planted;
    static struct asked asked;
    planted = (struct planted){element, context};
    asked = (struct asked){formats, planted_product, &planted, TERMS, ROWS, 1};
    assert_int_equal(arithmetic_find(&asked, answer), OK);
}

static double element_of_model(const void *context, const double *a, const double *b, int terms)
{
    return planted_element(context, a, b, terms);
}

/* ---- models that a seed draws ---- */

static int one_of(const int *values, int count)
{
    return values[below((uint64_t)count)];
}

static struct planted_model drawn(int index)
{
    static const struct sum_format *const formats[] = {&sum_format_binary16_to_binary32, &sum_format_binary32,
                                                       &sum_format_bfloat16_to_binary32, &sum_format_e4m3,
                                                       &sum_format_e5m2, &sum_format_binary16_in_binary16};
    static const int terms[] = {4, 5, 6, 8, 12, 16, 20, 24, 32, 48, 64}, periods[] = {0, 0, 1, 2, 4};
    const struct sum_format *of = formats[index % 6];
    const bool is_fp8 = of->stored->bytes == 1, is_16 = of->result->bytes == 2;
    struct planted_model model = {.formats = of,
                                  .terms = one_of(terms, sizeof terms / sizeof *terms),
                                  .fraction = 10 + (int)below(is_fp8 || is_16 ? 16 : 26),
                                  .floor = -20 - (int)below(140),
                                  .output = is_16 ? 10 : 10 + (int)below(14),
                                  .alignment = (enum planted_way)(index % 5),
                                  .rounding = (enum planted_way)(index / 4),
                                  .period = one_of(periods, sizeof periods / sizeof *periods),
                                  .pairs = below(4) == 0,
                                  .addition = (int)below(3),
                                  .input = of == &sum_format_binary32 ? (int)below(4) : 0,
                                  .own_exponents = below(4) == 0,
                                  .minus_zero = below(2)};
    if (model.period * model.terms >= TERMS / 2)
        model.period = 1;
    if (model.pairs && model.addition == 2)
        model.addition = 0;
    return model;
}

/* ---- comparison ---- */

static enum way way_of(enum planted_way planted)
{
    static const enum way ways[] = {[CUT] = TOWARD_ZERO, [TO_MINUS] = DOWN, [TO_PLUS] = UP,
                                    [TIES_EVEN] = NEAREST_EVEN, [TIES_AWAY] = NEAREST_AWAY};
    return ways[planted];
}

static bool has_order(const struct planted_model *planted, const struct grouping *found)
{
    const uint64_t part = (uint64_t)(planted->terms * planted->period);
    const bool chained = planted->period != 1;
    if (found->sizes[0] != (uint64_t)planted->terms || found->chained != chained)
        return false;
    if (planted->period == 0)
        return found->levels == 2 && found->sizes[1] == TERMS;
    const int first = chained ? 1 : 0;
    if (found->sizes[first] != part)
        return false;
    return planted->pairs ? found->levels == first + 1 || found->sizes[first + 1] == 2 * part
                          : found->levels == first + 2;
}

/* All that the first model says and products show. */
static bool is_planted(const struct planted_model *planted, const struct arithmetic *found)
{
    return found->fraction == planted->fraction && found->alignment == way_of(planted->alignment) &&
           found->normalised == planted->own_exponents && found->input == planted->input &&
           found->output == planted->output && found->rounding == way_of(planted->rounding) &&
           (planted->period == 0 || (int)found->addition == (planted->addition == 1   ? ADDS_TRUNCATED
                                                             : planted->addition == 2 ? ADDS_COMPENSATED
                                                                                      : ADDS_NEAREST));
}

static bool is_left(const struct planted_model *planted, const struct arithmetic_answer *answer)
{
    const int least = 2 * planted->formats->stored->least_exponent - 2; /* no product is as small */
    const int floor = planted->floor > least ? planted->floor : least;
    for (size_t m = 0; m < answer->left_count; m++)
        if (is_planted(planted, &answer->left[m]) && answer->left[m].floor == floor &&
            (planted->period || answer->left[m].negative_zero == planted->minus_zero))
            return true;
    return false;
}

static void print_model(int index, const struct planted_model *m, const struct arithmetic_answer *answer)
{
    print_message("%d %s terms %d F %d way %d floor %d p %d way %d period %d pairs %d addition %d input %d own %d -0 %d: ",
                  index, m->formats->id, m->terms, m->fraction, (int)way_of(m->alignment), m->floor, m->output,
                  (int)way_of(m->rounding), m->period, m->pairs, m->addition, m->input, m->own_exponents,
                  m->minus_zero);
    print_message("%s, levels %d, block %d, chained %d", answer->failed ? answer->failed : "found",
                  answer->grouping.levels, (int)answer->grouping.sizes[0], answer->grouping.chained);
    if (answer->left_count)
        print_message("; F %d way %d floor %d p %d way %d addition %d input %d own %d, %zu left",
                      answer->left->fraction, (int)answer->left->alignment, answer->left->floor, answer->left->output,
                      (int)answer->left->rounding, (int)answer->left->addition, answer->left->input,
                      answer->left->normalised, answer->left_count);
    print_message("\n");
}

static void drawn_models_are_found_parameter_by_parameter(void **state)
{
    int found = 0;
    (void)state;
    seed_random(DRAWN_BY);
    for (int m = 0; m < MODELS; m++) {
        const struct planted_model model = drawn(m);
        FREED_BY(arithmetic_free) struct arithmetic_answer answer = {0};
        find(model.formats, element_of_model, &model, &answer);
        const bool is_found = !answer.failed && has_order(&model, &answer.grouping) && is_left(&model, &answer);
        found += is_found;
        print_model(m, &model, &answer);
    }
    assert_int_equal(found, MODELS);
}

static const struct CMUnitTest facts[] = {
    cmocka_unit_test(drawn_models_are_found_parameter_by_parameter),
};

int main(void)
{
    return cmocka_run_group_tests(facts, NULL, NULL);
}
