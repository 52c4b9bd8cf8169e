/* Runs whose sums are what a test makes of them; for tests of cmocka, whose header comes first.
 *
 *   struct made_run *run = make_run((struct run_recipe){.methods = {"kahan"}, .data = {"uniform:n=1000"}, .trials = 20,
 *                                                       .sum = without_the_last});
 *   ... run->results ...
 *   free_made_run(run);
 */
#ifndef ULPSCOPE_TESTS_MADE_RUN_H
#define ULPSCOPE_TESTS_MADE_RUN_H

#include "datasets/dataset.h"
#include "src/base/format.h"
#include "src/measure/judge.h"
#include "src/measure/operation.h"
#include "src/results/results_load.h"
#include "src/store/store.h"
#include "src/study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MADE_MOST = 8 };

/* What is to be summed. */
struct made_sum {
    const struct method *method;
    const float *x, *y; /* y: NULL, or the second vector of a dot product */
    uint64_t n;
    struct launch launch;
    uint64_t trial, repeat;
};

struct run_recipe {
    const char *methods[MADE_MOST], *data[MADE_MOST];
    uint64_t trials, trials_of[MADE_MOST]; /* of each data, or 0: `trials` */
    const char *blocks, *threads;          /* NULL: 7 blocks of 64 threads */
    enum nonfinite nonfinite;
    size_t backend;
    const char *folder;                        /* NULL: in memory */
    uint64_t repeats;                          /* 0: one */
    const char *across;                        /* axes; NULL: none */
    bool unfinished;                           /* all cases */
    float (*sum)(const struct made_sum *call); /* NULL: as it should be */
};

struct made_run {
    struct run_recipe recipe;
    struct study study;
    struct store *store;
    struct results results;
};

static inline float sound_sum(const struct made_sum *call)
{
    float sum = NAN;
    assert_int_equal(method_sum(call->method, call->x, call->n, call->launch, 1, &sum), OK);
    return sum;
}

static inline void make_case(struct made_run *run, uint64_t index)
{
    const struct study *study = &run->study;
    const struct study_case place = study_case_at(study, index);
    const uint64_t repeats = run->recipe.repeats > 0 ? run->recipe.repeats : 1;
    const size_t rows = study->launch_count * study->method_count * repeats;
    struct finished_case finished = {
        .index = index, .unfinished = run->recipe.unfinished, .rows = calloc(rows, sizeof *finished.rows)};
    struct dataset data;
    struct exact_sum exact;
    assert_int_equal(dataset_make(&study->entries[place.entry].specs[place.spec], study->seed, place.trial, &data), OK);
    assert_int_equal(operation_exact(study_operation(study), &data, (struct exact_how){0}, &exact), OK);
    finished.n = data.n;
    char *exact_text = exact_hex(exact.sum);
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count; m++)
            for (uint64_t r = 0; r < repeats; r++) {
                const struct made_sum call = {study->methods[m],  data.x,      data.y, data.n,
                                              study->launches[l], place.trial, r};
                const struct promise promise = promise_of(call.method, call.launch, &exact);
                struct measured *row = &finished.rows[finished.row_count++];
                *row = (struct measured){.launch = l, .method = m, .backend = run->recipe.backend, .repeat = r};
                const float sum = run->recipe.sum ? run->recipe.sum(&call) : sound_sum(&call);
                judge_sum(&exact, data.format, &promise, float_bits(sum), row);
                row->exact = exact_text;
                row->condition = exact.condition;
            }
    assert_int_equal(store_put_case(run->store, &finished), OK);
    exact_free(&exact);
    dataset_free(&data);
    free(exact_text);
    free(finished.rows);
}

static inline struct made_run *make_run(struct run_recipe recipe)
{
    struct made_run *run = calloc(1, sizeof *run);
    size_t methods = 0;
    assert_non_null(run);
    run->recipe = recipe;
    while (methods < MADE_MOST && recipe.methods[methods])
        methods++;
    assert_int_equal(study_read(NULL, NULL, &run->study), OK);
    assert_int_equal(study_select_methods(&run->study, (char *const *)recipe.methods, methods, "test"), OK);
    assert_int_equal(study_set_launches(&run->study, recipe.blocks ? recipe.blocks : "7",
                                        recipe.threads ? recipe.threads : "64", "test"),
                     OK);
    study_clear_data(&run->study);
    run->study.nonfinite = recipe.nonfinite;
    for (size_t i = 0; i < MADE_MOST && recipe.data[i]; i++)
        assert_int_equal(study_add_data(&run->study, recipe.data[i],
                                        recipe.trials_of[i] > 0 ? recipe.trials_of[i] : recipe.trials, "test",
                                        recipe.nonfinite),
                         OK);
    assert_int_equal(study_set_vectors(&run->study), OK);
    run->study.repeats = recipe.repeats > 0 ? recipe.repeats : 1;
    if (recipe.across)
        assert_int_equal(axes_read(recipe.across, "test", &run->study.across), OK);
    assert_int_equal(store_open(recipe.folder, STORE_NEW, &run->study, "test", "GPU", &run->store), OK);
    for (uint64_t i = 0; i < study_case_count(&run->study); i++)
        make_case(run, i);
    assert_int_equal(results_load(run->store, &run->results), OK);
    return run;
}

static inline void free_made_run(struct made_run *run)
{
    results_free(&run->results);
    assert_int_equal(store_close(run->store), OK);
    study_free(&run->study);
    free(run);
}

#endif
