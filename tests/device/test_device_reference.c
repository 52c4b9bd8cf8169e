/* On a GPU: the exact matrix products have the bits of the host's, and a fault is noticed; how fast they are.
 * Without one: 77, and why.
 *
 *   test_device_reference [ROUNDS]    of small products of each kind; with 1 it is short enough for compute-sanitizer,
 *                                     and without the large ones
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "reference/matrix_device.h"
#include "src/base/workers.h"
#include "tests/reference/matrix_trial.h"
#include "tests/support/heard.h"
#include "tests/support/on_cuda.h"

#include <time.h>

enum { LARGE = 4096, HOSTS = 1000, REPEATS = 3 };

static int rounds = 12;

/* ---- a fault that is planted ---- */

/* The GPU gets an A with another last bit in its first number: the linker puts this before the real one (--wrap). */
static bool is_planted;

enum status __real_exact_matrix_on_device(const struct matrix_product *product, struct exact_element *elements);
enum status __wrap_exact_matrix_on_device(const struct matrix_product *product, struct exact_element *elements);

enum status __wrap_exact_matrix_on_device(const struct matrix_product *product, struct exact_element *elements)
{
    if (!is_planted)
        return __real_exact_matrix_on_device(product, elements);
    uint32_t *const bits = (uint32_t *)(uintptr_t)product->a.numbers;
    *bits ^= 1;
    const enum status status = __real_exact_matrix_on_device(product, elements);
    *bits ^= 1;
    return status;
}

/* ---- small products ---- */

/* In parts of rows that share a B which stays on the GPU. */
static void multiply_in_parts(const struct matrix_product *product, struct exact_element *elements)
{
    struct matrix_kept kept = {0};
    const uint64_t rows_of_part = product->rows / 3 + 1;
    for (uint64_t row = 0; row < product->rows; row += rows_of_part) {
        struct matrix_product part = *product;
        part.kept = &kept;
        part.rows = row + rows_of_part < product->rows ? rows_of_part : product->rows - row;
        part.a = matrix_from(product->a, product->format, row, 0);
        part.computed = matrix_from(product->computed, product->result, row, 0);
        assert_int_equal(exact_matrix_on_device(&part, elements + row * product->columns), OK);
    }
    matrix_forget(&kept);
    assert_null(kept.b);
}

static void compare(const struct trial *trial, uint64_t *compared)
{
    const struct matrix_product *const product = &trial->product;
    const uint64_t count = product->rows * product->columns;
    struct exact_element *const elements = malloc((count + 1) * sizeof *elements);
    assert_non_null(elements);
    memset(elements, 0xff, count * sizeof *elements);
    assert_int_equal(exact_matrix_on_device(product, elements), OK);
    assert_int_equal(exact_matrix(product, workers_cores(), trial->elements), OK);
    assert_int_equal(differing_elements(product, trial->elements, elements), 0);
    memset(elements, 0xff, count * sizeof *elements);
    multiply_in_parts(product, elements);
    assert_int_equal(differing_elements(product, trial->elements, elements), 0);
    *compared += count;
    free(elements);
}

static void every_element_is_that_of_the_host(void **state)
{
    uint64_t compared = 0;
    (void)state;
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (size_t r = 0; r < NUMBER_FORMAT_COUNT; r++)
            for (size_t kind = 0; kind < COUNT_OF(kinds); kind++)
                for (int round = 0; round < rounds; round++) {
                    struct trial trial = any_trial(NUMBER_FORMATS[f], NUMBER_FORMATS[r], kind);
                    compare(&trial, &compared);
                    trial_free(&trial);
                }
    print_message("%llu elements compared\n", (unsigned long long)compared);
}

static void shapes_that_no_block_divides_are_whole(void **state)
{
    static const uint64_t shapes[][3] = {{1, 1, 1},     {1, 0, 3},   {129, 130, 127}, {130, 7, 1},
                                         {1, 129, 130}, {48, 5, 16}, {49, 5, 17},     {2, 5000, 3}};
    uint64_t compared = 0;
    (void)state;
    for (size_t s = 0; s < COUNT_OF(shapes); s++)
        for (size_t f = 0; f < STORED_FORMAT_COUNT; f++) {
            const struct format *const format = NUMBER_FORMATS[f];
            struct trial trial = trial_new(format, &FORMAT_BINARY64, shapes[s], any_finite, seldom_special);
            compare(&trial, &compared);
            trial_free(&trial);
        }
    print_message("%llu elements compared\n", (unsigned long long)compared);
}

static void without_what_was_computed_there_is_no_error(void **state)
{
    struct trial trial =
        trial_new(&FORMAT_BINARY32, &FORMAT_BINARY32, (uint64_t[]){20, 30, 40}, seldom_special, any_finite);
    uint64_t compared = 0;
    (void)state;
    trial.product.computed.numbers = NULL;
    compare(&trial, &compared);
    for (uint64_t e = 0; e < compared; e++)
        assert_true(same_double(trial.elements[e].error, 0));
    trial_free(&trial);
}

static void nothing_is_written_of_a_matrix_without_elements(void **state)
{
    const struct matrix_product none = {
        .format = &FORMAT_BINARY32, .result = &FORMAT_BINARY32, .inner = 3, .columns = 4};
    (void)state;
    assert_int_equal(exact_matrix_on_device(&none, NULL), OK);
}

/* ---- parts ---- */

static void a_product_in_many_parts_is_whole(void **state)
{
    static const uint64_t shapes[][3] = {{2100, 3, 2099}, {4200000, 1, 2}, {2, 1, 4200000}};
    uint64_t compared = 0;
    (void)state;
    for (size_t s = 0; s < COUNT_OF(shapes) && rounds > 1; s++) {
        struct trial trial =
            trial_new(&FORMAT_BINARY32, &FORMAT_BINARY32, shapes[s], s == 0 ? any_finite : of_one_size, of_one_size);
        compare(&trial, &compared);
        trial_free(&trial);
    }
}

/* About all of the GPU's memory but `left` bytes; NULL if no more is free. */
static void *taken(size_t left)
{
    size_t free_bytes, total;
    void *memory = NULL;
    must(cudaMemGetInfo(&free_bytes, &total));
    for (size_t bytes = free_bytes > left ? free_bytes - left : 0; bytes > 0 && !memory; bytes -= bytes / 1000 + 1)
        if (cudaMalloc(&memory, bytes) != cudaSuccess)
            memory = NULL;
    (void)cudaGetLastError();
    return memory;
}

/* Of products of which one element is larger than what is left of the GPU's memory, and of which B is. */
static void a_GPU_without_memory_computes_smaller_parts_or_says_so(void **state)
{
    enum { INNER = 1 << 22, LEFT = 64 << 20 };
    uint64_t compared = 0;
    (void)state;
    if (rounds == 1)
        return;
    struct trial trial =
        trial_new(&FORMAT_BINARY64, &FORMAT_BINARY64, (uint64_t[]){2, INNER, 3}, of_one_size, any_finite);
    void *const most = taken(LEFT), *const rest = taken(LEFT);
    assert_non_null(most);
    struct heard heard = listen_to_stderr();
    const enum status status = exact_matrix_on_device(&trial.product, trial.elements);
    heard_all(&heard);
    assert_int_equal(status, NOT_MEASURED);
    assert_non_null(strstr(heard.text, "bytes of its memory for one element"));
    trial.product.inner /= 2;
    compare(&trial, &compared);
    cudaFree(most);
    cudaFree(rest);
    trial.product.inner *= 2;
    compare(&trial, &compared);
    trial_free(&trial);
}

/* ---- large products ---- */

static double every_exponent(const struct format *format)
{
    const uint64_t fields = format == &FORMAT_BINARY64 ? 2047 : 255, fraction_bits = (uint64_t)format->precision - 1;
    const uint64_t sign = next_random() << (8 * format->bytes - 1) & UINT64_MAX >> (64 - 8 * format->bytes);
    return format_value(format, sign | below(fields) << fraction_bits | next_random() >> (64 - fraction_bits));
}

static struct trial square_trial(const struct format *format, uint64_t n, number_kind *kind)
{
    return trial_new(format, format, (uint64_t[]){n, n, n}, kind, kind);
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The least seconds of some, of a product on the GPU, or on the host with two threads. */
static double time_of(struct trial *trial, bool is_on_device)
{
    double least = (double)INFINITY;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double start = seconds();
        if (is_on_device)
            assert_int_equal(exact_matrix_on_device(&trial->product, trial->elements), OK);
        else
            assert_int_equal(exact_matrix(&trial->product, 2, trial->elements), OK);
        least = fmin(least, seconds() - start);
    }
    return least;
}

static void try_large(const struct format *format, const char *family, number_kind *kind)
{
    struct trial hosts = square_trial(format, HOSTS, kind), large = square_trial(format, LARGE, kind);
    const double host = time_of(&hosts, false), small = time_of(&hosts, true), gpu = time_of(&large, true);
    const double start = seconds();
    assert_int_equal(exact_matrix_checked(&large.product, 1, workers_cores(), large.elements), OK);
    print_message("%s, %s: %d x %d x %d in %.3f s, %.3f s with a check; %d x %d x %d in %.3f s, host, two threads %.3f "
                  "s\n",
                  format->name, family, LARGE, LARGE, LARGE, gpu, seconds() - start, HOSTS, HOSTS, HOSTS, small, host);
    trial_free(&hosts);
    trial_free(&large);
}

static void rows_and_columns_of_large_products_are_those_of_the_host(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2 && rounds > 1; f++) {
        try_large(NUMBER_FORMATS[f], "one size", of_one_size);
        try_large(NUMBER_FORMATS[f], "every exponent", every_exponent);
    }
}

static void a_planted_fault_is_noticed(void **state)
{
    struct trial trial = square_trial(&FORMAT_BINARY32, 130, of_one_size);
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)rounds; seed++) {
        assert_int_equal(exact_matrix_checked(&trial.product, seed, 0, trial.elements), OK);
        is_planted = true;
        struct heard heard = listen_to_stderr();
        const enum status status = exact_matrix_checked(&trial.product, seed, 0, trial.elements);
        heard_all(&heard);
        is_planted = false;
        assert_int_equal(status, NOT_MEASURED);
        assert_non_null(strstr(heard.text, "of element (0, "));
    }
    trial_free(&trial);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_that_of_the_host),
        cmocka_unit_test(shapes_that_no_block_divides_are_whole),
        cmocka_unit_test(without_what_was_computed_there_is_no_error),
        cmocka_unit_test(nothing_is_written_of_a_matrix_without_elements),
        cmocka_unit_test(a_product_in_many_parts_is_whole),
        cmocka_unit_test(a_GPU_without_memory_computes_smaller_parts_or_says_so),
        cmocka_unit_test(rows_and_columns_of_large_products_are_those_of_the_host),
        cmocka_unit_test(a_planted_fault_is_noticed),
    };
    if (!found_cuda())
        return SKIPPED;
    if (argc > 1)
        rounds = atoi(argv[1]);
    seed_random(1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
