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

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = 256, ROWS = 8, MODELS = 20, DRAWN_BY = 46 };

/* ---- products ---- */

typedef double element_function(const void *context, const double *a, const double *b, int terms);
typedef double element_and_c(const void *context, const double *a, const double *b, int terms, double c);

struct planted {
    element_function *element;
    const void *context;
    element_and_c *with_c; /* NULL: it takes none */
};

static enum status planted_product(const struct asked *asked, uint64_t rows, uint64_t terms, const void *a,
                                   const void *b, void *c, bool adds)
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
            const struct format *result = asked->formats->result;
            held_set(
                result, c, i * rows + j,
                adds ? planted->with_c(planted->context, row, column, (int)terms, held_number(result, c, i * rows + j))
                     : planted->element(planted->context, row, column, (int)terms));
        }
    free(row);
    return OK;
}

static void find_planted(const struct sum_format *formats, struct planted of, struct arithmetic_answer *answer)
{
    static struct planted planted;
    static struct asked asked;
    planted = of;
    asked = (struct asked){formats, planted_product, &planted, TERMS, ROWS, 1, of.with_c != NULL};
    assert_int_equal(arithmetic_find(&asked, answer), OK);
}

static void find(const struct sum_format *formats, element_function *element, const void *context,
                 struct arithmetic_answer *answer)
{
    find_planted(formats, (struct planted){element, context, NULL}, answer);
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
    static const struct sum_format *const formats[] = {&sum_format_binary16_to_binary32,
                                                       &sum_format_binary32,
                                                       &sum_format_bfloat16_to_binary32,
                                                       &sum_format_e4m3,
                                                       &sum_format_e5m2,
                                                       &sum_format_binary16_in_binary16};
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
    static const enum way ways[] = {
        [CUT] = TOWARD_ZERO, [TO_MINUS] = DOWN, [TO_PLUS] = UP, [TIES_EVEN] = NEAREST_EVEN, [TIES_AWAY] = NEAREST_AWAY};
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
    return planted->pairs && TERMS > 3 * part
               ? found->sizes[first + 1] == 2 * part /* three in a row are a pair and one */
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

/* F, its rounding, factors and exponents are told by products of every format, and so are most floors. */
static void parameters_that_products_show_are_one(const struct arithmetic_answer *answer, int *floors)
{
    int differ = 0, floors_differ = 0;
    for (size_t m = 1; m < answer->left_count; m++) {
        const struct arithmetic *of = &answer->left[m], *first = answer->left;
        differ += of->fraction != first->fraction || of->alignment != first->alignment || of->input != first->input ||
                  of->normalised != first->normalised;
        floors_differ += of->floor != first->floor;
    }
    assert_int_equal(differ, 0);
    *floors += floors_differ == 0;
}

static bool finds(const struct planted_model *model, const struct planted_model *meant, int *floors)
{
    FREED_BY(arithmetic_free) struct arithmetic_answer answer = {0};
    find(model->formats, element_of_model, model, &answer);
    parameters_that_products_show_are_one(&answer, floors);
    return !answer.failed && has_order(meant, &answer.grouping) && is_left(meant, &answer);
}

static void drawn_models_are_found_parameter_by_parameter(void **state)
{
    int found = 0, floors = 0;
    (void)state;
    seed_random(DRAWN_BY);
    for (int m = 0; m < MODELS; m++) {
        const struct planted_model model = drawn(m);
        const bool is_found = finds(&model, &model, &floors);
        found += is_found;
        if (!is_found)
            print_message("model %d: not found\n", m);
    }
    assert_int_equal(found, MODELS);
    assert_true(floors >= 5); /* of other models no product is as small */
}

/* What is found is that model, and not one with a parameter that differs. */
static void another_model_is_not_what_is_found(void **state)
{
    static const struct planted_model model = {.formats = &sum_format_bfloat16_to_binary32,
                                               .terms = 8,
                                               .fraction = 21,
                                               .floor = -110,
                                               .output = 15,
                                               .alignment = TIES_EVEN,
                                               .rounding = TO_MINUS,
                                               .period = 2};
    struct planted_model others[9];
    int told = 0, floors = 0;
    (void)state;
    for (int o = 0; o < 9; o++)
        others[o] = model;
    others[0].terms = 16;
    others[1].fraction = 22;
    others[2].floor = -111;
    others[3].output = 16;
    others[4].alignment = TIES_AWAY;
    others[5].rounding = CUT;
    others[6].period = 4;
    others[7].own_exponents = true;
    others[8].addition = 1;
    assert_true(finds(&model, &model, &floors));
    for (int o = 0; o < 9; o++)
        told += !finds(&model, &others[o], &floors);
    assert_int_equal(told, 9);
}

/* Parts in the result's format, sums of them in binary32: what a split of k leaves in memory. */
static void the_format_of_parts_is_found(void **state)
{
    struct planted_model model = {
        .formats = &sum_format_bfloat16, .terms = 16, .fraction = 25, .floor = -133, .output = 23, .period = 4};
    (void)state;
    for (int rounded = 0; rounded < 2; rounded++) {
        FREED_BY(arithmetic_free) struct arithmetic_answer answer = {0};
        model.rounded_parts = rounded;
        find(model.formats, element_of_model, &model, &answer);
        assert_null(answer.failed);
        for (size_t m = 0; m < answer.left_count; m++)
            assert_int_equal(answer.left[m].rounded_parts, rounded);
    }
}

/* ---- products of no model ---- */

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* Additions of a random tree; with `most` above 2, of up to so many at a time, truncated at 20 bits. */
static double random_tree(const double *a, const double *b, int first, int count, uint64_t seed, int most)
{
    double sum = 0;
    if (count == 1)
        return (float)(a[first] * b[first]);
    const int parts = most > 2 ? 2 + (int)(mixed(seed + 1) % (uint64_t)(most - 1)) : 2;
    for (int p = 0, at = first, left = count; p < parts && left > 0; p++) {
        const bool is_last = p == parts - 1 || left == 1;
        const int some = is_last ? left : 1 + (int)(mixed(seed * 31 + (uint64_t)p) % (uint64_t)(left - 1));
        sum = (float)(sum + random_tree(a, b, at, some, mixed(seed + 7 * (uint64_t)p + 3), most));
        at += some;
        left -= some;
    }
    return sum;
}

static double tree_of_pairs(const void *context, const double *a, const double *b, int terms)
{
    return random_tree(a, b, 0, terms, *(const uint64_t *)context, 2);
}

static double tree_of_many(const void *context, const double *a, const double *b, int terms)
{
    return random_tree(a, b, 0, terms, *(const uint64_t *)context, 9);
}

static double stochastic(const void *context, const double *a, const double *b, int terms)
{
    double sum = 0;
    (void)context;
    for (int k = 0; k < terms; k++) {
        const double exact = sum + a[k] * b[k];
        sum =
            rounded_to(exact + (exact - (double)(float)exact) * 2 * ldexp((double)below(1024), -10), &FORMAT_BINARY32);
    }
    return sum;
}

/* The last bit of a chain is changed where its bits say so. */
static double noisy(const void *context, const double *a, const double *b, int terms)
{
    const double y = planted_element(context, a, b, terms);
    const uint32_t bits = float_bits((float)y);
    return (bits & 0x7fff) != 0 && mixed(bits) % 64 == 0 ? (double)float_from_bits(bits ^ 1) : y;
}

/* From the largest to the smallest, whatever their places are. */
static double sorted(const void *context, const double *a, const double *b, int terms)
{
    double products[TERMS];
    float sum = 0;
    (void)context;
    for (int k = 0; k < terms; k++) {
        int at = k;
        while (at > 0 && fabs(products[at - 1]) < fabs(a[k] * b[k])) {
            products[at] = products[at - 1];
            at--;
        }
        products[at] = a[k] * b[k];
    }
    for (int k = 0; k < terms; k++)
        sum = (float)(sum + products[k]);
    return sum;
}

static double in_binary64(const void *context, const double *a, const double *b, int terms)
{
    double sum = 0;
    (void)context;
    for (int k = 0; k < terms; k++)
        sum += a[k] * b[k];
    return (float)sum;
}

/* A chain, and a part of every product's rounding error, added at the end. */
static double half_compensated(const void *context, const double *a, const double *b, int terms)
{
    float sum = 0, lost = 0;
    (void)context;
    for (int k = 0; k < terms; k++) {
        const float next = (float)(sum + a[k] * b[k]);
        lost += (float)((sum + a[k] * b[k]) - next);
        sum = next;
    }
    return (float)(sum + lost);
}

static void products_of_no_model_are_called_none(void **state)
{
    static const uint64_t seeds[] = {1, 2, 3};
    const struct planted_model chain = {
        .formats = &sum_format_bfloat16_to_binary32, .terms = 16, .fraction = 25, .floor = -133, .output = 23};
    struct planted_model uneven = chain, wide = chain;
    uneven.other_fraction = 24;
    wide.fraction = 44;
    const struct {
        element_function *element;
        const void *context;
    } products[] = {{tree_of_pairs, &seeds[0]},
                    {tree_of_pairs, &seeds[1]},
                    {tree_of_many, &seeds[2]},
                    {stochastic, NULL},
                    {noisy, &chain},
                    {sorted, NULL},
                    {in_binary64, NULL},
                    {half_compensated, NULL},
                    {element_of_model, &uneven},
                    {element_of_model, &wide}};
    enum { PRODUCTS = sizeof products / sizeof *products };
    int refused = 0;
    (void)state;
    for (int p = 0; p < PRODUCTS; p++) {
        FREED_BY(arithmetic_free) struct arithmetic_answer answer = {0};
        find(&sum_format_bfloat16_to_binary32, products[p].element, products[p].context, &answer);
        refused += answer.failed != NULL;
        print_message("%d: %s\n", p, answer.failed ? answer.failed : "A MODEL");
    }
    assert_int_equal(refused, PRODUCTS);
    assert_int_equal(PRODUCTS, 10);
    assert_true(finds(&chain, &chain, &refused)); /* the twin: without its fault it is a model */
}

/* ---- binary64 ---- */

/* Chains of `period` multiply-adds, added in a row or pairwise; a period of 1 is a product that is rounded. */
struct chains {
    int period, way; /* FE_TONEAREST or another, of all roundings */
    bool pairs;
    int faulty; /* every so many-th product is rounded by itself; 0: none */
};

static double chains_in_binary64(const void *context, const double *a, const double *b, int terms)
{
    const struct chains *of = context;
    volatile double parts[TERMS] = {0}; /* whose roundings stand between fesetround() and fesetround() */
    int count = 0;
    fesetround(of->way);
    for (int k = 0; k < terms; k++) {
        volatile double *part = &parts[k / of->period];
        volatile const double x = a[k], y = b[k];
        const bool is_first = k % of->period == 0, is_faulty = of->faulty && k % of->faulty == of->faulty - 1;
        *part = is_first ? x * y : *part;
        if (!is_first && is_faulty) {
            volatile const double rounded = x * y;
            *part = *part + rounded;
        } else if (!is_first) {
            *part = fma(x, y, *part);
        }
        count = k / of->period + 1;
    }
    for (; of->pairs && count > 1; count = (count + 1) / 2)
        for (int p = 0; p < (count + 1) / 2; p++)
            parts[p] = 2 * p + 1 < count ? parts[2 * p] + parts[2 * p + 1] : parts[2 * p];
    for (int p = 1; p < count; p++)
        parts[0] = parts[0] + parts[p];
    fesetround(FE_TONEAREST);
    return parts[0] == 0 ? 0 : parts[0];
}

static void chains_of_binary64_are_found(void **state)
{
    static const struct {
        struct chains chains;
        enum way way;
        bool chained;
        int levels;
        uint64_t size; /* of the level above the first */
    } rows[] = {{{TERMS, FE_TONEAREST, false, 0}, NEAREST_EVEN, true, 2, TERMS},
                {{TERMS, FE_TOWARDZERO, false, 0}, TOWARD_ZERO, true, 2, TERMS},
                {{TERMS, FE_UPWARD, false, 0}, UP, true, 2, TERMS},
                {{32, FE_TONEAREST, false, 0}, NEAREST_EVEN, true, 3, 32},
                {{1, FE_TONEAREST, false, 0}, NEAREST_EVEN, false, 2, TERMS},
                {{1, FE_TONEAREST, true, 0}, NEAREST_EVEN, false, 9, 2}};
    enum { ROWS_FOUND = sizeof rows / sizeof *rows };
    int found = 0, told = 0;
    (void)state;
    for (int r = 0; r < ROWS_FOUND; r++) {
        FREED_BY(arithmetic_free) struct arithmetic_answer answer = {0};
        find(&sum_format_binary64, chains_in_binary64, &rows[r].chains, &answer);
        if (answer.failed) {
            print_message("chain %d: %s\n", r, answer.failed);
            continue;
        }
        const struct grouping *order = &answer.grouping;
        const struct arithmetic *of = answer.left;
        for (int o = 0; o < ROWS_FOUND; o++) { /* it is that row, and no other */
            const bool is_it = order->sizes[0] == 1 && order->chained == rows[o].chained &&
                               order->levels == rows[o].levels && order->sizes[1] == rows[o].size &&
                               of->fraction == ALIGNS_EXACTLY && of->output == 52 && of->rounding == rows[o].way;
            found += o == r && is_it;
            told += o != r && !is_it;
        }
    }
    assert_int_equal(found, ROWS_FOUND);
    assert_int_equal(told, ROWS_FOUND * (ROWS_FOUND - 1));
}

static double in_double_double(const void *context, const double *a, const double *b, int terms)
{
    double sum = 0, lost = 0;
    (void)context;
    for (int k = 0; k < terms; k++) {
        const double product = a[k] * b[k];
        const double next = sum + product, high = fmax(fabs(sum), fabs(product)) == fabs(sum) ? sum : product;
        lost += high - next + (high == sum ? product : sum);
        lost += fma(a[k], b[k], -product);
        sum = next;
    }
    return sum + lost;
}

static double last_bit_changed(const void *context, const double *a, const double *b, int terms)
{
    const double y = chains_in_binary64(context, a, b, terms);
    const uint64_t bits = double_bits(y);
    return (bits & UINT64_C(0xfffffff)) != 0 && mixed(bits) % 64 == 0 ? double_from_bits(bits ^ 1) : y;
}

static double tree_of_doubles(const double *a, const double *b, int first, int count, uint64_t seed)
{
    if (count == 1)
        return a[first] * b[first];
    const int some = 1 + (int)(mixed(seed) % (uint64_t)(count - 1));
    return tree_of_doubles(a, b, first, some, mixed(seed + 3)) +
           tree_of_doubles(a, b, first + some, count - some, mixed(seed + 5));
}

static double random_tree_of_doubles(const void *context, const double *a, const double *b, int terms)
{
    (void)context;
    return tree_of_doubles(a, b, 0, terms, 7);
}

/* Rows and columns as integers of 26 bits with a common exponent: what an emulation with few slices makes. */
static double as_integers(const void *context, const double *a, const double *b, int terms)
{
    double sum = 0, most_a = 0, most_b = 0;
    (void)context;
    for (int k = 0; k < terms; k++) {
        most_a = fmax(most_a, fabs(a[k]));
        most_b = fmax(most_b, fabs(b[k]));
    }
    const int of_a = 24 - (most_a > 0 ? ilogb(most_a) : 0), of_b = 24 - (most_b > 0 ? ilogb(most_b) : 0);
    for (int k = 0; k < terms; k++)
        sum += trunc(ldexp(a[k], of_a)) * trunc(ldexp(b[k], of_b));
    return ldexp(sum, -of_a - of_b);
}

static double in_binary32_of_doubles(const void *context, const double *a, const double *b, int terms)
{
    float sum = 0;
    (void)context;
    for (int k = 0; k < terms; k++)
        sum = (float)fma((float)a[k], (float)b[k], sum);
    return sum;
}

static void products_of_binary64_without_a_model_are_called_none(void **state)
{
    static const struct chains chain = {TERMS, FE_TONEAREST, false, 0}, faulty = {TERMS, FE_TONEAREST, false, 16};
    const struct {
        element_function *element;
        const void *context;
    } products[] = {{in_double_double, NULL}, {last_bit_changed, &chain},     {random_tree_of_doubles, NULL},
                    {as_integers, NULL},      {in_binary32_of_doubles, NULL}, {chains_in_binary64, &faulty}};
    enum { PRODUCTS = sizeof products / sizeof *products };
    int refused = 0;
    (void)state;
    for (int p = 0; p < PRODUCTS; p++) {
        FREED_BY(arithmetic_free) struct arithmetic_answer answer = {0};
        find(&sum_format_binary64, products[p].element, products[p].context, &answer);
        refused += answer.failed != NULL;
        print_message("%d: %s\n", p, answer.failed ? answer.failed : "A MODEL");
    }
    assert_int_equal(refused, PRODUCTS);
    assert_int_equal(PRODUCTS, 6); /* the twins: chains_of_binary64_are_found */
}

/* ---- C ---- */

enum place_of_c { BEGINS_CHAIN, BEFORE_PARTS, ADDED_LAST, IN_THE_MIDDLE, SHORTENED, NO_C };
enum { PART = 32 };

/* Multiply-adds in binary64, PART at a time. */
static double parts_and_c(const void *context, const double *a, const double *b, int terms, double c)
{
    const enum place_of_c where = *(const enum place_of_c *)context;
    double total = where == BEFORE_PARTS ? c : 0;
    for (int first = 0; first < terms; first += PART) {
        double part = first > 0 ? 0 : where == BEGINS_CHAIN ? c : where == SHORTENED ? (double)(float)c : 0;
        for (int k = first; k < first + PART; k++)
            part = fma(a[k], b[k], part);
        total += part;
        total += where == IN_THE_MIDDLE && 2 * (first + PART) == terms ? c : 0;
    }
    return where == ADDED_LAST ? total + c : total;
}

static double parts_alone(const void *context, const double *a, const double *b, int terms)
{
    static const enum place_of_c none = NO_C;
    (void)context;
    return parts_and_c(&none, a, b, terms, 0);
}

static void where_c_enters_is_found(void **state)
{
    static const enum place_of_c places[] = {BEGINS_CHAIN, BEFORE_PARTS, ADDED_LAST, IN_THE_MIDDLE, SHORTENED};
    static const int entries[] = {1, 2, 3, 0, 0}; /* 0: no model */
    enum { PLACES = sizeof places / sizeof *places };
    int found = 0;
    (void)state;
    for (int p = 0; p < PLACES; p++) {
        FREED_BY(arithmetic_free) struct arithmetic_answer answer = {0};
        find_planted(&sum_format_binary64, (struct planted){parts_alone, &places[p], parts_and_c}, &answer);
        const bool has_failed = answer.failed && strcmp(answer.failed, "C") == 0;
        found += entries[p] ? !answer.failed && answer.entry == entries[p] : has_failed;
        if (answer.failed && !has_failed)
            print_message("place %d: %s\n", p, answer.failed);
    }
    assert_int_equal(found, PLACES);
    FREED_BY(arithmetic_free) struct arithmetic_answer none = {0};
    find(&sum_format_binary64, parts_alone, NULL, &none);
    assert_true(!none.failed && none.entry == 0); /* the twin that takes no C */
}

/* A chain in binary32, of numbers whose result is bfloat16: added to C before or after it is rounded. */
static double rounded_chain(const void *context, const double *a, const double *b, int terms)
{
    return rounded_to(planted_element(context, a, b, terms), &FORMAT_BFLOAT16);
}

static double rounded_after_c(const void *context, const double *a, const double *b, int terms, double c)
{
    return rounded_to((float)(planted_element(context, a, b, terms) + c), &FORMAT_BFLOAT16);
}

static double rounded_before_c(const void *context, const double *a, const double *b, int terms, double c)
{
    return rounded_to(rounded_chain(context, a, b, terms) + c, &FORMAT_BFLOAT16);
}

static void whether_c_is_added_before_the_result_is_rounded_is_found(void **state)
{
    const struct planted_model chain = {
        .formats = &sum_format_bfloat16_to_binary32, .terms = 16, .fraction = 25, .floor = -133, .output = 23};
    (void)state;
    for (int is_before = 0; is_before < 2; is_before++) {
        FREED_BY(arithmetic_free) struct arithmetic_answer answer = {0};
        find_planted(&sum_format_bfloat16,
                     (struct planted){rounded_chain, &chain, is_before ? rounded_before_c : rounded_after_c}, &answer);
        assert_null(answer.failed);
        assert_int_equal(answer.entry, answer.grouping.levels + is_before);
    }
}

static const struct CMUnitTest facts[] = {
    cmocka_unit_test(drawn_models_are_found_parameter_by_parameter),
    cmocka_unit_test(another_model_is_not_what_is_found),
    cmocka_unit_test(the_format_of_parts_is_found),
    cmocka_unit_test(products_of_no_model_are_called_none),
    cmocka_unit_test(chains_of_binary64_are_found),
    cmocka_unit_test(products_of_binary64_without_a_model_are_called_none),
    cmocka_unit_test(where_c_enters_is_found),
    cmocka_unit_test(whether_c_is_added_before_the_result_is_rounded_is_found),
};

int main(void)
{
    return cmocka_run_group_tests(facts, NULL, NULL);
}
