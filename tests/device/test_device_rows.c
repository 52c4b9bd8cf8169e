/* On a GPU: rows that are added in one launch have the bits of the replay of each row alone, in every format and
 * operation.  Without one: 77, and why. */
#include "kernels/statistic.h"
#include "src/base/format.h"
#include "src/base/workers.h"
#include "src/device/device_timing.h"
#include "tests/support/on_device.h"
#include "tests/support/random.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTED = 20, RESULTS_MOST = 1 << 17 };
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* One block, which finishes alone; more than rows of 64 fill; one warp; four on each multiprocessor of an H200. */
static const struct launch launches[] = {{1, 128}, {24, 64}, {1, 32}, {528, 128}};
enum { LAUNCHES = COUNT_OF(launches) };

/* A replay of a row then is of 67,584 states. */
static bool is_large(struct launch launch)
{
    return launch.blocks > 100;
}

/* ---- numbers ---- */

struct vectors {
    const struct format *format;
    int count;
    void *x[ARRAYS_MOST];
};

/* Of 17 binades and both signs; one of 2,048 is an infinity, or a NaN where the format has none. */
static double any_number(const struct format *format)
{
    const double fraction = (double)(int64_t)next_random() * 0x1p-63;
    const double value = below(2048) == 0 ? copysign(INFINITY, fraction) : ldexp(fraction, (int)below(17) - 8);
    return rounded_to(value, format);
}

/* Uploads them too. */
static struct vectors make_vectors(const struct format *format, int count, uint64_t n)
{
    struct vectors made = {.format = format, .count = count};
    seed_random(1);
    for (int v = 0; v < count; v++) {
        made.x[v] = malloc(n * format_held(format)->bytes);
        assert_non_null(made.x[v]);
        for (uint64_t i = 0; i < n; i++)
            held_set(format, made.x[v], i, any_number(format));
    }
    if (count == 2)
        assert_int_equal(device_upload_second(device, format, made.x[1], n), OK);
    assert_int_equal(device_upload(device, format, made.x[0], n), OK);
    return made;
}

static void free_vectors(struct vectors *made)
{
    for (int v = 0; v < made->count; v++)
        free(made->x[v]);
}

/* ---- kernels and replays ---- */

/* Of all workers. */
struct agreement {
    atomic_ullong launches, compared, differ;
    atomic_ullong failed; /* launches without results */
    atomic_ullong alike;  /* launches most of whose rows could be another */
};

/* A worker's. */
static _Thread_local uint64_t kernels[RESULTS_MOST], replays[RESULTS_MOST];

static bool has_ordered_rows(const struct method *method)
{
    return method->replay && method->determinism == DETERMINISTIC && device_takes_rows(method);
}

/* Results, of each row one or one for each number, that are not those of the replay of the row `shift` rows on. */
static uint64_t differing_results(const struct method *method, struct shape shape, uint64_t shift)
{
    const uint64_t results = operation_results(method->operation, shape), each = results / shape.rows;
    uint64_t differ = 0;
    for (uint64_t r = 0; r < results; r++)
        differ += !format_same(method->format, kernels[r], replays[(r + shift * each) % results]);
    return differ;
}

static bool compute(const struct method *method, const struct vectors *of, struct shape shape, struct launch launch)
{
    const struct operands operands = {of->format, method->operation, {of->x[0], of->x[1]}, shape};
    const struct timed_call call = {method, shape, launch, false};
    double unused;
    if (operation_results(method->operation, shape) > RESULTS_MOST)
        return false;
    device_lock(device);
    const enum status status = device_time(device, &call, &unused, kernels);
    device_unlock(device);
    return status == OK && method_replay(method, &operands, launch, 1, replays) == OK;
}

/* The twin is in it: a kernel that read another row would be seen, but by a height, which rows share. */
static void compare(const struct method *method, const struct vectors *of, struct shape shape, struct launch launch,
                    struct agreement *all)
{
    char why[REASON_SIZE];
    if (!method_can_do(method, launch, why))
        return;
    if (!compute(method, of, shape, launch)) {
        all->failed++;
        return;
    }
    const uint64_t results = operation_results(method->operation, shape);
    const uint64_t differ = differing_results(method, shape, 0);
    if (differ > 0 && all->differ < PRINTED)
        print_message("%s, %llu rows of %llu, %u x %u: %llu results differ\n", method->id,
                      (unsigned long long)shape.rows, (unsigned long long)shape.terms, launch.blocks, launch.threads,
                      (unsigned long long)differ);
    all->launches++;
    all->compared += results;
    all->differ += differ;
    if (method->role == SUMS && shape.terms == 64 && shape.rows > 100)
        all->alike += differing_results(method, shape, 1) <= results / 2;
}

/* What a method is held to with one launch. */
typedef void comparison(const struct method *method, const struct vectors *of, struct launch launch,
                        struct agreement *all);

/* Each worker takes the next method with the next launch: replays take longer than kernels. */
struct crew {
    comparison *hold;
    const struct method *const *methods;
    size_t count;
    const struct vectors *of;
    struct agreement *all;
    atomic_size_t next;
};

static void compare_some(void *context, unsigned worker)
{
    struct crew *crew = context;
    (void)worker;
    for (size_t k; (k = atomic_fetch_add(&crew->next, 1)) < crew->count * LAUNCHES;)
        if (has_ordered_rows(crew->methods[k / LAUNCHES]))
            crew->hold(crew->methods[k / LAUNCHES], crew->of, launches[k % LAUNCHES], crew->all);
}

static void compare_methods(enum operation operation, const struct sum_format *format, uint64_t n, comparison *hold,
                            struct agreement *all)
{
    size_t count;
    const struct method *const *methods = method_table_for(operation, format, &count);
    struct vectors of = make_vectors(format->stored, operation_table[operation].vectors, n);
    struct crew crew = {hold, methods, count, &of, all, 0};
    workers_run(workers_cores(), compare_some, &crew);
    free_vectors(&of);
}

static void assert_agreement(const struct agreement *all, uint64_t least)
{
    print_message("%llu launches, %llu results compared, %llu differ\n", all->launches, all->compared, all->differ);
    assert_int_equal(all->failed, 0);
    assert_int_equal(all->differ, 0);
    assert_int_equal(all->alike, 0);
    assert_true(all->compared >= least);
}

/* ---- every method ---- */

enum { EVERY_N_UP_TO = 129, SEVERAL = 67, LARGEST = SEVERAL * 4097 };

/* Lengths around vectors, warps and the limit of one kernel: of these there are several rows. */
static const uint64_t lengths[] = {0, 1, 4, 7, 8, 15, 16, 17, 31, 33, 64, 65, 127, 128, 129, 300, 1000, 4096, 4097};

static void compare_shapes(const struct method *method, const struct vectors *of, struct launch launch,
                           struct agreement *all)
{
    static const uint64_t long_rows[] = {300, 1000, 1001, 4096, 4097, 65536, 65537};
    static const uint64_t few[] = {1, 3};
    for (size_t r = 0; r < COUNT_OF(few); r++) {
        for (uint64_t n = 0; n <= EVERY_N_UP_TO && !is_large(launch); n++)
            compare(method, of, (struct shape){.terms = n, .rows = few[r]}, launch, all);
        for (size_t k = 0; k < COUNT_OF(long_rows); k++)
            compare(method, of, (struct shape){.terms = long_rows[k], .rows = few[r]}, launch, all);
    }
    for (size_t k = 0; k < COUNT_OF(lengths); k++)
        compare(method, of, (struct shape){.terms = lengths[k], .rows = is_large(launch) ? 2 : SEVERAL}, launch, all);
}

/* The formats whose additions differ: in the others it is the loads alone, of which those of 8 bits are the shortest.
 */
static bool adds_otherwise(const struct sum_format *format)
{
    return format->stored == format->result || strcmp(format->id, "e4m3") == 0;
}

static void compare_formats(enum operation operation, struct agreement *all)
{
    for (size_t f = 0; f < SUM_FORMATS; f++)
        if (adds_otherwise(sum_formats[f]))
            compare_methods(operation, sum_formats[f], LARGEST, compare_shapes, all);
}

static void rows_of_every_sum_have_the_bits_of_their_replays(void **state)
{
    struct agreement all = {0};
    (void)state;
    compare_formats(OPERATION_sum, &all);
    assert_agreement(&all, 500000);
}

static void rows_of_products_have_the_bits_of_their_replays(void **state)
{
    struct agreement all = {0};
    (void)state;
    compare_formats(OPERATION_dot, &all);
    compare_formats(OPERATION_dot_exact, &all);
    assert_agreement(&all, 500000);
}

/* ---- more rows than run at once ---- */

enum { MANY = 100003 };

static void compare_many_rows(const struct method *method, const struct vectors *of, struct launch launch,
                              struct agreement *all)
{
    if (is_large(launch))
        return;
    compare(method, of, (struct shape){.terms = 13, .rows = MANY}, launch, all);
    compare(method, of, (struct shape){.terms = 64, .rows = MANY}, launch, all);
}

static void rows_after_the_first_of_a_block_have_the_bits_of_their_replays(void **state)
{
    struct agreement all = {0};
    (void)state;
    compare_methods(OPERATION_sum, &sum_format_binary32, (uint64_t)MANY * 64, compare_many_rows, &all);
    assert_agreement(&all, 2 * MANY);
}

/* Rows longer than those of one kernel, and enough of them for a warp each. */
static void long_rows_of_a_warp_each_have_the_bits_of_their_replays(void **state)
{
    (void)state;
    const struct shape shape = {.terms = 4099, .rows = (uint64_t)64 * device_facts(device)->multiprocessors};
    struct agreement all = {0};
    struct vectors of = make_vectors(&FORMAT_BINARY32, 1, shape.rows * shape.terms);
    compare(method_find("superacc/vector_two_pass"), &of, shape, launches[0], &all);
    compare(method_find("plain/vector_two_pass"), &of, shape, launches[0], &all);
    free_vectors(&of);
    assert_agreement(&all, shape.rows);
}

/* ---- means, variances and their like ---- */

enum { ROWS_OF_STATISTICS = 600, MOST_OF_STATISTICS = 101 };

/* Sums are those of some accumulators, whose rows were compared above. */
static void compare_statistic(const struct method *method, const struct vectors *of, struct launch launch,
                              struct agreement *all)
{
    static const uint64_t sizes[] = {0, 1, 5, 33, MOST_OF_STATISTICS};
    static const char *const accumulators[] = {"plain", "kahan"};
    bool is_one = false;
    for (size_t a = 0; a < COUNT_OF(accumulators); a++)
        is_one |= strcmp(method->accumulator, accumulators[a]) == 0;
    for (size_t k = 0; k < COUNT_OF(sizes) && is_one && launch.blocks < 100 && launch.threads > 32; k++) {
        const uint64_t most = operation_is_per_number(method->operation) ? RESULTS_MOST / (sizes[k] + 1) : RESULTS_MOST;
        const uint64_t rows = most < ROWS_OF_STATISTICS ? most : ROWS_OF_STATISTICS;
        compare(method, of, (struct shape){.terms = sizes[k], .rows = rows}, launch, all);
    }
}

static void rows_of_statistics_have_the_bits_of_their_replays(void **state)
{
    (void)state;
    uint64_t least = UINT64_MAX;
    struct agreement all = {0};
    for (int operation = FIRST_STATISTIC; operation < VECTOR_OPERATIONS; operation++)
        for (size_t f = 0; f < SUM_FORMATS; f++) {
            size_t count;
            const uint64_t before = all.compared;
            if (method_table_for((enum operation)operation, sum_formats[f], &count),
                count == 0 || !adds_otherwise(sum_formats[f]))
                continue;
            compare_methods((enum operation)operation, sum_formats[f], ROWS_OF_STATISTICS * MOST_OF_STATISTICS,
                            compare_statistic, &all);
            if (all.compared - before < least && all.compared > before)
                least = all.compared - before;
        }
    print_message("at least %llu of each operation and format\n", (unsigned long long)least);
    assert_agreement(&all, 8000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_every_sum_have_the_bits_of_their_replays),
        cmocka_unit_test(rows_of_products_have_the_bits_of_their_replays),
        cmocka_unit_test(rows_after_the_first_of_a_block_have_the_bits_of_their_replays),
        cmocka_unit_test(long_rows_of_a_warp_each_have_the_bits_of_their_replays),
        cmocka_unit_test(rows_of_statistics_have_the_bits_of_their_replays),
    };
    return run_on_device(tests, NULL, NULL);
}
