/* On a GPU: every kernel gives the bits of its replay.  Without one: 77, and why. */
#include "datasets/dataset.h"
#include "kernels/method.h"
#include "reference/exact.h"
#include "src/base/fp.h"
#include "src/base/workers.h"
#include "src/device/device_timing.h"
#include "tests/support/on_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>
#include <mpfr.h>

enum { EVERY_N_UP_TO = 4097, REPEATS = 1000 };

static const struct launch launches[] = {{1, 32}, {3, 64}, {120, 256}, {2, 1024}};
enum { LAUNCHES = sizeof launches / sizeof *launches };

static struct dataset data_of(const char *text)
{
    struct data_spec *spec;
    struct dataset data;
    size_t count;
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &spec, &count), OK);
    assert_int_equal(dataset_make(&spec[0], 1, 0, &data), OK);
    data_specs_free(spec, count);
    return data;
}

struct agreement {
    uint64_t compared, differ;
};

/* Compares kernel and replay on the first n elements, which are uploaded. */
static void compare(const struct method *method, const struct dataset *data, uint64_t n, struct launch launch,
                    struct agreement *all)
{
    float kernel, replay;
    char why[REASON_SIZE];
    if (!method_can_do(method, launch, why))
        return;
    assert_int_equal(method_sum(method, data->x, n, launch, workers_cores(), &replay), OK);
    assert_int_equal(device_sum(device, method, n, launch, &kernel), OK);
    all->compared++;
    if (float_same(kernel, replay))
        return;
    all->differ++;
    print_message("%s, n = %llu, %u x %u: kernel %a, replay %a\n", method->id, (unsigned long long)n, launch.blocks,
                  launch.threads, (double)kernel, (double)replay);
}

/* Which a replay has to agree with. */
static int has_ordered_kernel(const struct method *method)
{
    return method->device && method->replay && method->determinism == DETERMINISTIC;
}

/* Every n in plain, since an order leaves out or repeats elements whatever it adds with; the others at every n to 66,
 * beyond two warps, and then every 31st. */
static uint64_t next_n(const struct method *method, uint64_t n)
{
    return n + (n < 66 || strcmp(method->accumulator, "plain") == 0 ? 1 : 31);
}

static void every_kernel_equals_its_replay_at_every_n_up_to_4097(void **state)
{
    (void)state;
    size_t count;
    struct agreement all = {0};
    const struct method *const *methods = method_table(&count);
    struct dataset data = data_of("normal:n=4097");
    assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
    for (size_t m = 0; m < count; m++)
        for (uint64_t n = 0; has_ordered_kernel(methods[m]) && n <= EVERY_N_UP_TO; n = next_n(methods[m], n))
            for (int l = 0; l < LAUNCHES; l++)
                compare(methods[m], &data, n, launches[l], &all);
    print_message("%llu results compared, %llu differ\n", (unsigned long long)all.compared,
                  (unsigned long long)all.differ);
    dataset_free(&data);
    assert_int_equal(all.differ, 0);
    assert_true(all.compared > 50000); /* plain's three first orders give 49,176 */
}

static void every_kernel_equals_its_replay_beyond_one_pass(void **state)
{
    (void)state;
    static const char *const specs[] = {"normal:n=3000017", "gensum:n=1000003,cond=1e12", "subnormal:n=200001",
                                        "kahan_killer:n=65539"};
    size_t count;
    struct agreement all = {0};
    const struct method *const *methods = method_table(&count);
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        struct dataset data = data_of(specs[s]);
        assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
        for (size_t m = 0; m < count; m++)
            for (int l = 0; has_ordered_kernel(methods[m]) && l < LAUNCHES; l++)
                compare(methods[m], &data, data.n, launches[l], &all);
        dataset_free(&data);
    }
    print_message("%llu results compared, %llu differ\n", (unsigned long long)all.compared,
                  (unsigned long long)all.differ);
    assert_int_equal(all.differ, 0);
    assert_true(all.compared > 100);
}

/* Rows that are no whole number of vectors or warps, and more of them than multiprocessors. */
enum { ROWS = 300, COLUMNS = 1003 };

/* Rows whose result is not that of the replay of the row `shift` rows on. */
static size_t differing_rows(const struct method *method, const float *x, struct launch launch, size_t shift)
{
    static uint64_t results[ROWS];
    const struct timed_call call = {.method = method, .shape = {.terms = COLUMNS, .rows = ROWS}, .launch = launch};
    double unused;
    size_t differ = 0;
    assert_int_equal(device_time(device, &call, &unused, results), OK);
    for (size_t r = 0; r < ROWS; r++) {
        float replay;
        assert_int_equal(method_sum(method, x + (r + shift) % ROWS * COLUMNS, COLUMNS, launch, 1, &replay), OK);
        differ += !float_same(float_from_bits((uint32_t)results[r]), replay);
    }
    return differ;
}

/* The twin is in it: a kernel that read another row would be seen. */
static void each_row_of_a_matrix_has_the_bits_of_its_replay(void **state)
{
    (void)state;
    size_t count, compared = 0;
    char why[REASON_SIZE];
    const struct method *const *methods = method_table(&count);
    struct dataset data = data_of("normal:n=300900");
    assert_int_equal(data.n, ROWS * COLUMNS);
    assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
    for (size_t m = 0; m < count; m++)
        for (int l = 0; has_ordered_kernel(methods[m]) && device_takes_rows(methods[m]) && l < LAUNCHES; l++) {
            if (!method_can_do(methods[m], launches[l], why))
                continue;
            compared++;
            assert_int_equal(differing_rows(methods[m], data.x, launches[l], 0), 0);
            if (methods[m]->role == SUMS) /* heights are all the same */
                assert_true(differing_rows(methods[m], data.x, launches[l], 1) > ROWS / 2);
        }
    dataset_free(&data);
    assert_true(compared >= 2 * LAUNCHES);
}

/* The twin: two methods that round differently are told apart by the comparison above. */
static void a_kernel_differs_from_the_replay_of_another_method(void **state)
{
    (void)state;
    struct dataset data = data_of("normal:n=100003");
    float kernel, replay;
    assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
    assert_int_equal(device_sum(device, method_find("plain/tree_two_pass"), data.n, launches[2], &kernel), OK);
    assert_int_equal(method_sum(method_find("plain/serial"), data.x, data.n, launches[2], 1, &replay), OK);
    dataset_free(&data);
    assert_false(float_same(kernel, replay));
}

static void an_atomic_kernel_is_exact_where_no_addition_rounds(void **state)
{
    (void)state;
    struct dataset data = data_of("integers:n=100000");
    float kernel, replay;
    assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
    for (int l = 0; l < LAUNCHES; l++) {
        assert_int_equal(device_sum(device, method_find("plain/tree_atomic"), data.n, launches[l], &kernel), OK);
        assert_int_equal(method_sum(method_find("plain/tree_atomic"), data.x, data.n, launches[l], 1, &replay), OK);
        assert_true(float_same(kernel, replay));
    }
    dataset_free(&data);
}

/* ---- black boxes ---- */

enum { BLACK_BOXES_MOST = 16 };

/* The black boxes that can be had here. */
static size_t usable_black_boxes(const struct method *black_boxes[BLACK_BOXES_MOST])
{
    size_t count, found = 0;
    char why[REASON_SIZE];
    const struct method *const *methods = method_table(&count);
    for (size_t m = 0; m < count; m++) {
        if (methods[m]->replay || methods[m]->role != SUMS)
            continue;
        if (method_can_do(methods[m], launches[2], why))
            black_boxes[found++] = methods[m];
        else
            print_message("%s: %s\n", methods[m]->id, why);
        assert_true(found < BLACK_BOXES_MOST);
    }
    return found;
}

static float sum_by(const struct method *method, uint64_t n)
{
    float sum;
    assert_int_equal(device_sum(device, method, n, launches[2], &sum), OK);
    return sum;
}

/* Sums of integers are exact in every order, so every black box gives the bits of every method. */
static void every_black_box_adds_all_numbers_and_nothing_else(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 2, 31, 33, 255, 257, 4097, 65537, 1000003};
    const struct method *black_boxes[BLACK_BOXES_MOST];
    const size_t found = usable_black_boxes(black_boxes);
    struct dataset data = data_of("integers:n=1000003");
    assert_true(found >= 2); /* CUB in two calls and atomicAdd need nothing but a GPU */
    assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
    for (size_t p = 0; p < found; p++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            float exact;
            assert_int_equal(method_sum(method_find("binary64/serial"), data.x, counts[k], launches[2], 1, &exact), OK);
            const float sum = sum_by(black_boxes[p], counts[k]);
            if (!float_same(sum, exact))
                fail_msg("%s, n = %llu: %a, exactly %a", black_boxes[p]->id, (unsigned long long)counts[k], (double)sum,
                         (double)exact);
        }
    dataset_free(&data);
}

static void a_deterministic_black_box_repeats_its_bits(void **state)
{
    (void)state;
    enum { TIMES = 20 };
    const struct method *black_boxes[BLACK_BOXES_MOST];
    const size_t found = usable_black_boxes(black_boxes);
    struct dataset data = data_of("normal:n=1000003");
    assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
    for (size_t p = 0; p < found; p++) {
        const float first = sum_by(black_boxes[p], data.n);
        for (int i = 0; i < TIMES && black_boxes[p]->determinism == DETERMINISTIC; i++)
            assert_true(float_same(sum_by(black_boxes[p], data.n), first));
    }
    dataset_free(&data);
}

/* The twin: the order of arrival does change the bits, so that 20 runs of a million numbers would show it. */
static void an_atomic_black_box_does_not_repeat_its_bits(void **state)
{
    (void)state;
    enum { TIMES = 20 };
    int different = 0;
    struct dataset data = data_of("normal:n=1000003");
    assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
    const float first = sum_by(method_find("cuda/atomic_add"), data.n);
    for (int i = 0; i < TIMES; i++)
        different += !float_same(sum_by(method_find("cuda/atomic_add"), data.n), first);
    dataset_free(&data);
    assert_true(different > 0);
}

/* ---- failures ---- */

static void more_data_than_the_gpu_has_are_refused_and_the_device_goes_on(void **state)
{
    (void)state;
    struct dataset data = data_of("integers:n=1000");
    const uint64_t too_many = device_facts(device)->memory_bytes / sizeof(float) + 1;
    assert_int_equal(device_upload(device, data.format, data.x, too_many), NOT_MEASURED);
    assert_false(device_is_lost(device));
    assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
    (void)sum_by(method_find("plain/tree_two_pass"), data.n);
    dataset_free(&data);
}

static int launch_too_much(const struct method *self, const struct kernel_call *call)
{
    struct kernel_call changed = *call;
    changed.launch.threads = 4096;
    return method_find("plain/tree_two_pass")->device->run(self, &changed);
}

static void kernel_that_cannot_be_launched_fails_alone(void **state)
{
    (void)state;
    const struct method *tree = method_find("plain/tree_two_pass");
    const struct device_method broken_half = {tree->device->scratch_bytes, launch_too_much, false, false};
    struct method broken = *tree;
    float sum;
    struct dataset data = data_of("integers:n=1000");
    broken.device = &broken_half;
    assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
    assert_int_equal(device_sum(device, &broken, data.n, launches[2], &sum), NOT_MEASURED);
    assert_false(device_is_lost(device));
    (void)sum_by(tree, data.n);
    dataset_free(&data);
}

static void an_atomic_kernel_builds_no_higher_tree_than_its_formula(void **state)
{
    (void)state;
    const struct method *method = method_find("height/tree_atomic");
    struct dataset data = data_of("const:n=100000");
    float height;
    assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
    for (int l = 0; l < LAUNCHES; l++) {
        assert_int_equal(device_sum(device, method, data.n, launches[l], &height), OK);
        assert_true(height >= 1 && height <= (float)method_height(method, data.n, launches[l]));
    }
    dataset_free(&data);
}

/* ---- repeats ---- */

static int by_bits(const void *a, const void *b)
{
    const uint32_t left = float_bits(*(const float *)a), right = float_bits(*(const float *)b);
    return (left > right) - (left < right);
}

/* Different bit patterns; sorts the results. */
static size_t distinct(float *results, size_t count)
{
    size_t patterns = count > 0;
    qsort(results, count, sizeof *results, by_bits);
    for (size_t k = 1; k < count; k++)
        patterns += float_bits(results[k]) != float_bits(results[k - 1]);
    return patterns;
}

/* Four blocks on each multiprocessor of an H200, so that blocks and warps overtake each other. */
static const struct launch filling = {528, 128}, filling_with_64 = {1056, 64};

/* The filling launch that the method can do: states of more than 384 bytes need fewer threads in a block. */
static struct launch filling_for(const struct method *method)
{
    char why[REASON_SIZE];
    return method_can_do(method, filling, why) ? filling : filling_with_64;
}

/* A single thread, which has nobody to race with, takes 10 ms to add or merge 100,003 times: a hundredth of them. */
static uint64_t n_of_repeats(const struct method *method, const struct dataset *data)
{
    const bool one_thread = strcmp(method->order, "serial") == 0 || strcmp(method->order, "strided_serial") == 0;
    return one_thread ? data->n / 100 : data->n;
}

/* REPEATS results on the uploaded data, or false when the method can do neither launch. */
static bool repeat(const struct method *method, const struct dataset *data, float results[REPEATS])
{
    char why[REASON_SIZE];
    const struct launch launch = filling_for(method);
    if (!method_can_do(method, launch, why))
        return false;
    for (int r = 0; r < REPEATS; r++)
        assert_int_equal(device_sum(device, method, n_of_repeats(method, data), launch, &results[r]), OK);
    return true;
}

static void a_thousand_repeats_of_an_ordered_method_give_one_bit_pattern(void **state)
{
    (void)state;
    static float results[REPEATS];
    size_t count, repeated = 0, several = 0;
    const struct method *const *methods = method_table(&count);
    struct dataset data = data_of("normal:n=100003");
    assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
    for (size_t m = 0; m < count; m++) {
        if (!has_ordered_kernel(methods[m]) || !repeat(methods[m], &data, results))
            continue;
        const size_t patterns = distinct(results, REPEATS);
        repeated++;
        several += patterns != 1;
        if (patterns != 1)
            print_message("%s: %zu bit patterns in %d repeats\n", methods[m]->id, patterns, REPEATS);
    }
    print_message("%zu methods, %d repeats each: %zu give more than one bit pattern\n", repeated, REPEATS, several);
    dataset_free(&data);
    assert_true(repeated > 0);
    assert_int_equal(several, 0);
}

/* The twin. */
static void one_bit_of_a_thousand_results_is_noticed(void **state)
{
    (void)state;
    static float results[REPEATS];
    assert_int_equal(distinct(results, REPEATS), 1);
    results[REPEATS / 2] = float_from_bits(1);
    assert_int_equal(distinct(results, REPEATS), 2);
    results[0] = -0.0f;
    assert_int_equal(distinct(results, REPEATS), 3);
}

static double bound_of(const struct method *method, struct launch launch, const struct exact_sum *exact)
{
    return method_bound(method, exact->n, launch,
                        &(struct magnitudes){exact->abs_above, exact->sum_abs_above, exact->max_abs, NULL});
}

/* Subtracted in binary64, whose rounding is 2^-29 of the smallest bound's. */
static bool all_within(const float *results, double s, double bound)
{
    for (int r = 0; r < REPEATS; r++)
        if (!(fabs((double)results[r] - s) <= bound * (1 + 0x1p-20)))
            return false;
    return true;
}

/* How many results a method gives whose blocks arrive in any order depends on the moment: it is printed.  Each is a
 * sum, within the bound.  The twin: a result that is off by two bounds is not. */
static void repeats_of_a_method_without_order_all_keep_its_bound(void **state)
{
    (void)state;
    static float results[REPEATS];
    size_t count, repeated = 0;
    const struct method *const *methods = method_table(&count);
    struct dataset data = data_of("normal:n=100003");
    struct exact_sum exact;
    assert_int_equal(exact_sum(data.format, data.x, data.n, &exact), OK);
    const double s = mpfr_get_d(exact.sum, MPFR_RNDN);
    assert_int_equal(device_upload(device, data.format, data.x, data.n), OK);
    for (size_t m = 0; m < count; m++) {
        const struct method *method = methods[m];
        if (!method->device || method->determinism != ORDER_OF_ARRIVAL || method->role != SUMS ||
            !repeat(method, &data, results))
            continue;
        const double bound = bound_of(method, filling_for(method), &exact);
        print_message("%s: %zu bit patterns in %d repeats\n", method->id, distinct(results, REPEATS), REPEATS);
        assert_true(all_within(results, s, bound));
        results[REPEATS / 2] = (float)(s + 2 * bound);
        assert_true(isinf(bound) || !all_within(results, s, bound));
        repeated++;
    }
    exact_free(&exact);
    dataset_free(&data);
    assert_true(repeated > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_equals_its_replay_at_every_n_up_to_4097),
        cmocka_unit_test(every_kernel_equals_its_replay_beyond_one_pass),
        cmocka_unit_test(each_row_of_a_matrix_has_the_bits_of_its_replay),
        cmocka_unit_test(a_kernel_differs_from_the_replay_of_another_method),
        cmocka_unit_test(an_atomic_kernel_is_exact_where_no_addition_rounds),
        cmocka_unit_test(an_atomic_kernel_builds_no_higher_tree_than_its_formula),
        cmocka_unit_test(every_black_box_adds_all_numbers_and_nothing_else),
        cmocka_unit_test(a_deterministic_black_box_repeats_its_bits),
        cmocka_unit_test(an_atomic_black_box_does_not_repeat_its_bits),
        cmocka_unit_test(more_data_than_the_gpu_has_are_refused_and_the_device_goes_on),
        cmocka_unit_test(kernel_that_cannot_be_launched_fails_alone),
        cmocka_unit_test(a_thousand_repeats_of_an_ordered_method_give_one_bit_pattern),
        cmocka_unit_test(one_bit_of_a_thousand_results_is_noticed),
        cmocka_unit_test(repeats_of_a_method_without_order_all_keep_its_bound),
    };
    return run_on_device(tests, NULL, NULL);
}
