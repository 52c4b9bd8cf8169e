/* The largest |computed - s| / sum |x_i| of plain additions in a small tree, over all numbers of a small format.
 *
 * Claim: worst_of() looks at every input of finite numbers whose partial sums are finite.
 *
 * The error of a sum is that of its additions, e = sum of d(a, b) over the nodes, d(a, b) = RN(a + b) - (a + b), where
 * a and b are what the node's two sides were computed as.  So is sum |x_i| one over the leaves.  For a subtree T let
 *
 *   F_T(v) = the largest q e - p sum |x_i| of the numbers below T that T computes v of
 *
 *   F_leaf(v) = -p |v|          F_(L R)(v) = max over a, b with RN(a + b) = v of F_L(a) + F_R(b) + q d(a, b)
 *
 * since what L computes, loses and costs depends on its own numbers alone, and the node on a and b alone.  With every
 * number of the format as a state, each input goes one way through these tables, and the largest F of the root is that
 * of all inputs.  Numbers are multiples of the least one, so that all of it is integers.
 *
 * Where p/q is the ratio of some input, that largest F is not negative.  If it is 0, no input has a larger ratio; else
 * the input that has it has one, which is tried next (Dinkelbach, Management Science 13 (1967)).  -x has the error -e,
 * so that the largest e is the largest |e|.  A state for each number, a merge takes the square of their count: 2^32
 * additions in binary16. */
#ifndef ULPSCOPE_TESTS_WORST_SUMS_H
#define ULPSCOPE_TESTS_WORST_SUMS_H

#include "src/base/fp.h"
#include "src/base/workers.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- the numbers of a format as integers, and as places in a table: -largest .. largest ---- */

struct grid_of {
    int precision;
    int64_t most;   /* the place of the largest number is `most` above that of 0 */
    int64_t *value; /* of a place */
};

static inline int64_t places_of(const struct grid_of *grid)
{
    return 2 * grid->most + 1;
}

/* RN(m), m >= 0, as the place above 0; its value in *rounded.  Places go up by one from a number to the next. */
static inline int64_t place_of(int precision, int64_t m, int64_t *rounded)
{
    const int length = 64 - __builtin_clzll((uint64_t)m | 1), dropped = length > precision ? length - precision : 0;
    const int64_t odd = m >> dropped & 1, half = (INT64_C(1) << dropped) >> 1;
    const int64_t kept = dropped > 0 ? (m + half - 1 + odd) >> dropped : m;
    *rounded = kept << dropped;
    return ((int64_t)dropped << (precision - 1)) + kept;
}

static inline struct grid_of grid_make(const struct format *format)
{
    const int64_t largest_significand = (INT64_C(1) << format->precision) - 1 - format->finite_only;
    const int exponent = format->overflow_exponent - format->precision - format->least_exponent;
    struct grid_of grid = {.precision = format->precision};
    int64_t rounded;
    grid.most = place_of(format->precision, largest_significand << exponent, &rounded);
    grid.value = malloc((size_t)places_of(&grid) * sizeof *grid.value);
    assert(grid.value && rounded == largest_significand << exponent);
    for (int64_t place = 0; place <= grid.most; place++) {
        const int64_t field = place >> (format->precision - 1), shift = field > 0 ? field - 1 : 0;
        const int64_t value = (place - (shift << (format->precision - 1))) << shift;
        grid.value[grid.most + place] = value;
        grid.value[grid.most - place] = -value;
    }
    return grid;
}

/* ---- trees: a leaf is shape 0, another one joins two that come before it ---- */

struct small_tree {
    int left, right; /* of a leaf 0 */
    const char *text;
};

enum { SHAPES = 8, WORST_LEAVES = 5 };

/* All trees of up to 5 leaves; which side is left changes no addition. */
static const struct small_tree shapes[SHAPES] = {
    {0, 0, "x"},          {0, 0, "(xx)"},          {1, 0, "((xx)x)"},       {2, 0, "(((xx)x)x)"},
    {1, 1, "((xx)(xx))"}, {3, 0, "((((xx)x)x)x)"}, {4, 0, "(((xx)(xx))x)"}, {2, 1, "(((xx)x)(xx))"},
};

/* ---- tables ---- */

#define NO_INPUT (INT64_MIN / 4)

struct joined {
    int32_t left, right; /* places */
};

struct table {
    int64_t *f;          /* of a place */
    struct joined *from; /* what it was made of */
};

struct merging {
    const struct grid_of *grid;
    const int64_t *left, *right;
    int64_t q;
    bool is_root; /* whose result no one adds to: any place will do */
    unsigned workers;
    struct table *made; /* one of each worker; of a root, place 0 alone */
};

static inline void merge_some(void *context, unsigned worker)
{
    const struct merging *merging = context;
    const struct grid_of *grid = merging->grid;
    const int64_t places = places_of(grid), most = grid->most, q = merging->q;
    const struct table made = merging->made[worker];
    const bool same = merging->left == merging->right; /* then b up to a is enough */
    for (int64_t a = worker; a < places; a += merging->workers) {
        const int64_t of_a = merging->left[a], value = grid->value[a];
        if (of_a == NO_INPUT)
            continue;
        for (int64_t b = 0, end = same ? a + 1 : places; b < end; b++) {
            const int64_t s = value + grid->value[b], m = s < 0 ? -s : s;
            int64_t rounded;
            const int64_t above = place_of(grid->precision, m, &rounded);
            const int64_t f = of_a + merging->right[b] + q * (s < 0 ? m - rounded : rounded - m);
            const int64_t place = merging->is_root ? 0 : s < 0 ? most - above : most + above;
            if (above <= most && f > made.f[place]) {
                made.f[place] = f;
                made.from[place] = (struct joined){(int32_t)a, (int32_t)b};
            }
        }
    }
}

static inline struct table table_make(int64_t places)
{
    struct table table = {malloc((size_t)places * sizeof *table.f), malloc((size_t)places * sizeof *table.from)};
    assert(table.f && table.from);
    for (int64_t place = 0; place < places; place++)
        table.f[place] = NO_INPUT;
    return table;
}

static inline void table_free(struct table *table)
{
    free(table->f);
    free(table->from);
    *table = (struct table){0};
}

static inline struct table merge(const struct grid_of *grid, const int64_t *left, const int64_t *right, int64_t q,
                                 bool is_root)
{
    const unsigned workers = workers_cores();
    struct table *made = calloc(workers, sizeof *made);
    assert(made);
    for (unsigned w = 0; w < workers; w++)
        made[w] = table_make(is_root ? 1 : places_of(grid));
    struct merging merging = {grid, left, right, q, is_root, workers, made};
    workers_run(workers, merge_some, &merging);
    for (unsigned w = 1; w < workers; w++) {
        for (int64_t place = 0; place < (is_root ? 1 : places_of(grid)); place++)
            if (made[w].f[place] > made[0].f[place]) {
                made[0].f[place] = made[w].f[place];
                made[0].from[place] = made[w].from[place];
            }
        table_free(&made[w]);
    }
    const struct table all = made[0];
    free(made);
    return all;
}

/* ---- the worst input ---- */

struct worst {
    int64_t error, sum_abs;        /* in lowest terms; 0/1 where no input has an error */
    int64_t numbers[WORST_LEAVES]; /* in units of the least number */
    int count;
};

static inline int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

struct tables {
    const struct grid_of *grid;
    struct table of[SHAPES];
    int64_t p, q;
};

static inline void make_table(struct tables *tables, int shape, bool is_root)
{
    if (tables->of[shape].f)
        return;
    if (shape == 0) {
        tables->of[0] = table_make(places_of(tables->grid));
        for (int64_t place = 0; place < places_of(tables->grid); place++)
            tables->of[0].f[place] = -tables->p * llabs(tables->grid->value[place]);
        return;
    }
    make_table(tables, shapes[shape].left, false);
    make_table(tables, shapes[shape].right, false);
    tables->of[shape] =
        merge(tables->grid, tables->of[shapes[shape].left].f, tables->of[shapes[shape].right].f, tables->q, is_root);
}

/* The numbers below a place; returns what they are computed as, and adds to the error and to sum |x_i|. */
static inline int64_t follow(const struct tables *tables, int shape, int64_t place, struct worst *worst)
{
    const struct grid_of *grid = tables->grid;
    int64_t rounded;
    if (shape == 0) {
        worst->numbers[worst->count++] = grid->value[place];
        worst->sum_abs += llabs(grid->value[place]);
        return grid->value[place];
    }
    const struct joined from = tables->of[shape].from[place];
    const int64_t a = follow(tables, shapes[shape].left, from.left, worst);
    const int64_t b = follow(tables, shapes[shape].right, from.right, worst);
    place_of(grid->precision, llabs(a + b), &rounded);
    rounded = a + b < 0 ? -rounded : rounded;
    worst->error += rounded - (a + b);
    return rounded;
}

/* From an input whose ratio is p/q on: one that is better, or the same.  What is added stays below 2^62. */
static inline struct worst no_worse(const struct grid_of *grid, int shape, struct worst than, int64_t *gained)
{
    struct tables tables = {.grid = grid, .p = than.error, .q = than.sum_abs};
    struct worst worst = {0};
    assert(than.error < (INT64_C(1) << 58) / (WORST_LEAVES * grid->value[2 * grid->most]) &&
           than.sum_abs < (INT64_C(1) << 58) / (WORST_LEAVES * (grid->value[2 * grid->most] >> grid->precision)));
    make_table(&tables, shape, true);
    *gained = tables.of[shape].f[0];
    follow(&tables, shape, 0, &worst);
    for (int s = 0; s < SHAPES; s++)
        table_free(&tables.of[s]);
    const int64_t divisor = common_divisor(worst.sum_abs, worst.error);
    worst.error /= divisor > 0 ? divisor : 1;
    worst.sum_abs /= divisor > 0 ? divisor : 1;
    return worst;
}

static inline int levels_of(int shape)
{
    const int left = shape ? levels_of(shapes[shape].left) : 0, right = shape ? levels_of(shapes[shape].right) : 0;
    return shape == 0 ? 0 : 1 + (left > right ? left : right);
}

/* Of shape > 0; begins with 1 and half an ulp of it at every level, which is lost. */
static inline struct worst worst_of(const struct grid_of *grid, int shape)
{
    const int64_t levels = levels_of(shape);
    struct worst worst = {.error = levels, .sum_abs = (INT64_C(1) << grid->precision) + levels};
    for (int64_t gained = 1; gained > 0;) {
        worst = no_worse(grid, shape, worst, &gained);
        assert(gained >= 0);
    }
    return worst;
}

#endif
