/* What the tests of methods share: the table, launches, data, exact sums.
 *
 *   with_generated("gensum", ",cond=1e8", 1000, 1, use);    calls use(name, x, n)
 *   visit_sums(IN_TURN, LAUNCHES, visit, context);          calls visit(method, launch, context)
 */
#ifndef ULPSCOPE_TESTS_METHODS_H
#define ULPSCOPE_TESTS_METHODS_H

#include "datasets/dataset.h"
#include "kernels/method.h"
#include "src/measure/metric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVERY_N = 4097, TEXT_SIZE = 4096 };

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define TERMS(...) ((const float[]){__VA_ARGS__}), COUNT_OF(((const float[]){__VA_ARGS__}))

static const double u = 0x1p-24;

/* ---- methods ---- */

/* Blocks fewer and more than threads, threads that are no power of two, a single thread. */
static const struct launch launches[] = {{1, 32},  {3, 64},   {100, 32}, {5, 2},    {3, 96},
                                         {7, 128}, {2, 1024}, {1, 1},    {120, 256}};
static const struct launch one_warp = {1, 32};
enum { LAUNCHES = COUNT_OF(launches), LITTLE_LAUNCHES = 5, FULL_GRID = LAUNCHES - 1 };

static inline bool can_do(const struct method *method, struct launch launch)
{
    char why[REASON_SIZE];
    return method_can_do(method, launch, why);
}

static inline float replay(const struct method *method, const float *x, uint64_t n, struct launch launch)
{
    float result = NAN;
    assert_int_equal(method_sum(method, x, n, launch, 1, &result), OK);
    return result;
}

static inline const struct method *find(const char *accumulator, const char *order)
{
    char id[TEXT_SIZE];
    snprintf(id, sizeof id, "%s/%s", accumulator, order);
    const struct method *method = method_find(id);
    assert_non_null(method);
    return method;
}

/* Adds up data, and is not a black box. */
static inline bool is_sum(const struct method *method)
{
    return method->role == SUMS && method->replay != NULL;
}

/* Which methods of the table are visited.  All of them on all data would take minutes, so that most data are for some:
 * an accumulator's fault shows in any tree that merges, an order's with any accumulator. */
enum scope {
    EVERY_SUM,
    IN_TURN,                    /* every TURNS-th pair of method and launch, another one at each call */
    REPRESENTATIVES_AND_IN_TURN /* plain and kahan in every order; every accumulator in serial and tree_two_pass */
};

enum { TURNS = 17, METHODS_MOST = 1024 }; /* a prime: the turn comes round to every method with every launch */

static inline bool is_representative(const struct method *method)
{
    return strcmp(method->accumulator, "plain") == 0 || strcmp(method->accumulator, "kahan") == 0 ||
           strcmp(method->order, "serial") == 0 || strcmp(method->order, "tree_two_pass") == 0;
}

/* How often each method was visited since forget_visits(): who leaves methods out counts that all had their turn. */
static size_t visits_of[METHODS_MOST], turn;

static inline void forget_visits(void)
{
    memset(visits_of, 0, sizeof visits_of);
    turn = 0;
}

/* Calls visit(method, launch, context) for every method of the scope that sums and every one of the first `count`
 * launches it can do. */
typedef void visitor(const struct method *method, struct launch launch, void *context);

static inline size_t visit_sums(enum scope scope, size_t count, visitor *visit, void *context)
{
    size_t methods, visits = 0;
    const struct method *const *table = method_table(&methods);
    assert_true(methods <= METHODS_MOST);
    for (size_t l = 0; l < count; l++)
        for (size_t m = 0; m < methods; m++) {
            const bool chosen = scope == EVERY_SUM || (m + l + turn) % TURNS == 0 ||
                                (scope == REPRESENTATIVES_AND_IN_TURN && is_representative(table[m]));
            if (!chosen || !is_sum(table[m]) || !can_do(table[m], launches[l]))
                continue;
            visit(table[m], launches[l], context);
            visits_of[m]++;
            visits++;
        }
    turn += count;
    return visits;
}

static inline size_t for_each_sum(size_t count, visitor *visit, void *context)
{
    return visit_sums(EVERY_SUM, count, visit, context);
}

static inline bool can_do_some(const struct method *method, size_t count)
{
    for (size_t l = 0; l < count; l++)
        if (can_do(method, launches[l]))
            return true;
    return false;
}

/* A method that can do one of the first `count` launches and was visited less than `least` times; NULL: none. */
static inline const struct method *visited_too_little(size_t count, size_t least)
{
    size_t methods;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++)
        if (is_sum(table[m]) && can_do_some(table[m], count) && visits_of[m] < least)
            return table[m];
    return NULL;
}

static inline void assert_every_method_was_visited(size_t count, size_t least)
{
    size_t methods, visits = 0, visited = 0;
    const struct method *missed = visited_too_little(count, least);
    (void)method_table(&methods);
    for (size_t m = 0; m < methods; m++) {
        visits += visits_of[m];
        visited += visits_of[m] > 0;
    }
    print_message("%zu sums by %zu methods, at least %zu by each\n", visits, visited, least);
    if (missed)
        fail_msg("%s had %zu turns of %zu", missed->id, visits_of[method_index(missed)], least);
}

/* ---- data, and what is exact about them ---- */

static inline double metric_of(enum metric metric, const struct exact_sum *exact, double computed, double bound)
{
    return metric_table[metric].measure(&(struct judged){.exact = exact, .computed = computed, .bound = bound});
}

static inline double bound_of(const struct method *method, struct launch launch, const struct exact_sum *exact)
{
    return method_bound(method, exact->n, launch,
                        &(struct magnitudes){exact->abs_above, exact->sum_abs_above, exact->max_abs, NULL});
}

/* A set of numbers, their exact sum, and what has been seen of the methods on it. */
struct trial {
    const char *name;
    const float *x;
    struct exact_sum exact;
    double worst;    /* bound_ratio */
    size_t claimed;  /* bounds that were finite */
    size_t compared; /* sums */
};

static inline struct trial trial_of(const char *name, const float *x, uint64_t n)
{
    struct trial trial = {.name = name, .x = x};
    assert_int_equal(exact_sum(&FORMAT_BINARY32, x, n, &trial.exact), OK);
    return trial;
}

static inline double ratio_of(const struct method *method, struct launch launch, const struct trial *trial)
{
    const float computed = replay(method, trial->x, trial->exact.n, launch);
    return metric_of(METRIC_bound_ratio, &trial->exact, (double)computed, bound_of(method, launch, &trial->exact));
}

static inline void with_generated(const char *family, const char *rest, uint64_t n, uint64_t seed,
                                  void (*use)(const char *name, const float *x, uint64_t n))
{
    char text[TEXT_SIZE];
    struct data_spec *specs;
    size_t count;
    struct dataset data;
    snprintf(text, sizeof text, "%s:n=%llu%s", family, (unsigned long long)n, rest);
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(count, 1);
    assert_int_equal(dataset_make(specs, seed, 0, &data), OK);
    use(text, data.x, data.n);
    dataset_free(&data);
    data_specs_free(specs, count);
}

#endif
