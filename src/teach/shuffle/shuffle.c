#include "shuffle.h"

#include "datasets/dataset.h"
#include "src/base/progress.h"
#include "src/base/workers.h"
#include "src/measure/judge.h"
#include "src/measure/operation.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

/* One, or the two of a dot product, of which the other is NULL. */
struct vectors {
    void *of[ARRAYS_MOST];
};

/* What the threads share. */
struct crew {
    struct shuffled *shuffled;
    const struct dataset *base;  /* as the family or the file has them, */
    const struct vectors *given; /* and as the spec orders them */
    atomic_uint_fast64_t next;   /* the permutation, and later the method, that nobody has taken */
    atomic_int status;           /* the first that was not OK; then everyone stops */
    pthread_mutex_t mutex;       /* of what follows */
    struct progress progress;
    uint64_t done; /* permutations */
};

static void fail(struct crew *crew, enum status status)
{
    int none = OK;
    if (status != OK)
        atomic_compare_exchange_strong(&crew->status, &none, (int)status);
}

static bool take(struct crew *crew, uint64_t count, uint64_t *index)
{
    *index = atomic_fetch_add(&crew->next, 1);
    return *index < count && atomic_load(&crew->status) == OK;
}

static void hand_in(struct crew *crew)
{
    pthread_mutex_lock(&crew->mutex);
    progress_update(&crew->progress, ++crew->done, "orders");
    pthread_mutex_unlock(&crew->mutex);
}

/* ---- vectors ---- */

static size_t bytes_of(const struct dataset *data)
{
    return data->n * format_held(data->format)->bytes;
}

static void copy_numbers(const struct dataset *data, const struct vectors *to)
{
    const void *const from[ARRAYS_MOST] = {data->x, data->y};
    for (int v = 0; v < ARRAYS_MOST && data->n > 0; v++)
        if (from[v])
            memcpy(to->of[v], from[v], bytes_of(data));
}

static void free_vectors(struct vectors *vectors)
{
    for (int v = 0; v < ARRAYS_MOST; v++)
        free(vectors->of[v]);
}

static enum status copy_vectors(const struct dataset *data, struct vectors *copy)
{
    *copy = (struct vectors){{malloc(bytes_of(data) + 1), data->y ? malloc(bytes_of(data) + 1) : NULL}};
    if (!copy->of[0] || (data->y && !copy->of[1])) {
        free_vectors(copy);
        *copy = (struct vectors){{NULL, NULL}};
        return out_of_memory("a permutation");
    }
    copy_numbers(data, copy);
    return OK;
}

/* Pairs stay together: data of two vectors have no order but shuffled, which looks at no number. */
static enum status order_vectors(const struct dataset *data, struct ordering ordering, const struct vectors *vectors)
{
    for (int v = 0; v < ARRAYS_MOST; v++)
        if (vectors->of[v])
            TRY(ordering_apply(ordering, data->format, vectors->of[v], data->n));
    return OK;
}

static enum status sum_of(const struct crew *crew, const struct method *method, const struct vectors *vectors,
                          double *sum)
{
    const struct operands of = {
        crew->base->format, method->operation, {vectors->of[0], vectors->of[1]}, shape_of_one(crew->base->n)};
    uint64_t bits;
    TRY(method_compute(method, &of, crew->shuffled->request->launch, 1, &bits));
    *sum = format_value(method->format, bits);
    return OK;
}

/* ---- permutations ---- */

static enum status sum_permutation(const struct crew *crew, uint64_t k, const struct vectors *vectors)
{
    const struct shuffle_request *request = crew->shuffled->request;
    copy_numbers(crew->base, vectors);
    TRY(order_vectors(crew->base, (struct ordering){.kind = SHUFFLED, .seed = request->first + k}, vectors));
    for (size_t m = 0; m < request->method_count; m++)
        TRY(sum_of(crew, request->methods[m], vectors, &crew->shuffled->sums[m * request->permutations + k]));
    return OK;
}

static void sum_permutations(void *context, unsigned worker)
{
    struct crew *crew = context;
    FREED_BY(free_vectors) struct vectors vectors = {0};
    (void)worker;
    fail(crew, copy_vectors(crew->base, &vectors));
    for (uint64_t k; vectors.of[0] && take(crew, crew->shuffled->request->permutations, &k); hand_in(crew))
        fail(crew, sum_permutation(crew, k, &vectors));
}

/* ---- methods ---- */

static struct shuffle_theory theory_of(const struct shuffled *shuffled, const struct method *method)
{
    const struct promise promise = promise_of(method, shuffled->request->launch, &shuffled->exact);
    const bool claims = promise.bound <= shuffled->exact.sum_abs_above; /* else zeros are within it */
    if (shuffled->exact.kind != EXACT_FINITE)
        return (struct shuffle_theory){NAN, NAN};
    return (struct shuffle_theory){.bound = claims ? promise.bound / shuffled->unit : INFINITY,
                                   .probable = promise.probabilistic_bound / shuffled->unit};
}

static enum status tell_method(const struct crew *crew, size_t m)
{
    struct shuffled *shuffled = crew->shuffled;
    const struct shuffle_request *request = shuffled->request;
    struct shuffled_method *of = &shuffled->methods[m];
    double given;
    of->method = request->methods[m];
    TRY(sum_of(crew, of->method, crew->given, &given));
    TRY(tally_sums(shuffled, shuffled->sums + m * request->permutations, given, of));
    of->theory = theory_of(shuffled, of->method);
    return OK;
}

static void tell_methods(void *context, unsigned worker)
{
    struct crew *crew = context;
    (void)worker;
    for (uint64_t m; take(crew, crew->shuffled->request->method_count, &m);)
        fail(crew, tell_method(crew, m));
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

static enum status run_crew(struct crew *crew, void (*work)(void *, unsigned))
{
    const unsigned workers = crew->shuffled->request->workers;
    atomic_store(&crew->next, 0);
    workers_run(workers > 0 ? workers : 1, work, crew);
    return (enum status)atomic_load(&crew->status);
}

/* ---- the whole ---- */

static bool all_equal(const struct format *format, const void *x, uint64_t n)
{
    for (uint64_t i = 1; x && i < n; i++)
        if (!format_same(&FORMAT_BINARY64, double_bits(held_number(format, x, i)),
                         double_bits(held_number(format, x, 0))))
            return false;
    return true;
}

static void choose_unit(struct shuffled *shuffled)
{
    const struct exact_sum *exact = &shuffled->exact;
    mpfr_t largest;
    mpfr_init2(largest, 53);
    mpfr_set_d(largest, fmin(exact->max_abs, DBL_MAX), MPFR_RNDN);
    /* Of 0 it is infinite.  Beyond 2^400 the square of an error in ulp of s may be outside binary64. */
    shuffled->unit_is_of_s = exact->kind != EXACT_FINITE || exact->condition < 0x1p400;
    shuffled->unit = exact_ulp(shuffled->unit_is_of_s ? exact->sum : largest, shuffled->request->methods[0]->format);
    mpfr_clear(largest);
}

/* The numbers before any order=: what order=shuffled of the same spec permutes. */
static enum status make_base(const struct shuffle_request *request, struct dataset *base)
{
    return dataset_unordered(request->spec, request->seed, request->trial, base);
}

static enum status shuffle_numbers(struct shuffled *shuffled, const struct dataset *base, const struct vectors *given)
{
    const struct shuffle_request *request = shuffled->request;
    struct crew crew = {.shuffled = shuffled, .base = base, .given = given, .mutex = PTHREAD_MUTEX_INITIALIZER};
    TRY(order_vectors(base, request->spec->ordering, given));
    TRY(operation_exact(request->methods[0]->operation, base, (struct exact_how){0}, &shuffled->exact));
    choose_unit(shuffled);
    shuffled->all_equal = all_equal(base->format, base->x, base->n) && all_equal(base->format, base->y, base->n);
    shuffled->methods = calloc(request->method_count, sizeof *shuffled->methods);
    shuffled->sums = reallocarray(NULL, request->method_count * request->permutations, sizeof *shuffled->sums);
    if (!shuffled->methods || !shuffled->sums)
        return out_of_memory("the sums of permutations");
    progress_start(&crew.progress, request->permutations, 0, request->quiet);
    const enum status added = run_crew(&crew, sum_permutations);
    progress_end(&crew.progress);
    TRY(added);
    return run_crew(&crew, tell_methods);
}

enum status shuffle_data(const struct shuffle_request *request, struct shuffled *shuffled)
{
    struct dataset base = {0};
    struct vectors given = {{NULL, NULL}};
    enum status status = OK;
    *shuffled = (struct shuffled){.request = request};
    TRY_DONE(make_base(request, &base));
    TRY_DONE(copy_vectors(&base, &given));
    TRY_DONE(shuffle_numbers(shuffled, &base, &given));
done:
    free_vectors(&given);
    dataset_free(&base);
    if (status != OK)
        shuffled_free(shuffled);
    return status;
}

void shuffled_free(struct shuffled *shuffled)
{
    for (size_t m = 0; shuffled->methods && m < shuffled->request->method_count; m++)
        free(shuffled->methods[m].sums);
    free_all(shuffled->methods, shuffled->sums);
    exact_free(&shuffled->exact);
    *shuffled = (struct shuffled){0};
}

bool shuffle_exhausts(uint64_t n, uint64_t permutations, uint64_t *orders)
{
    *orders = 1;
    for (uint64_t i = 2; i <= n; i++) {
        *orders *= i;
        if (*orders > permutations)
            return false;
    }
    return true;
}
