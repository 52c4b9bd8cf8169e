/* On a GPU: exact sums of numbers in its memory have every field and bit of the host's, and a fault is noticed; how
 * fast they are.  Without one: 77, and why.
 *
 *   test_device_sum [ROUNDS]    with 1 it is short enough for compute-sanitizer, and without the large ones
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "reference/sum_kernel.h"
#include "src/base/workers.h"
#include "tests/reference/sum_trial.h"
#include "tests/support/heard.h"
#include "tests/support/on_cuda.h"

#include <time.h>

enum { REPEATS = 5 };

static int rounds = 4;
static struct exact_device *device;

/* ---- a fault that is planted: the linker puts it before the real kernel (--wrap) ---- */

static enum { NO_FAULT, DROPPED_ELEMENT, WRONG_WORD } planted;
static unsigned wrong_word;

int __real_sum_kernel(const struct sum_rows *rows, void *stream);
int __wrap_sum_kernel(const struct sum_rows *rows, void *stream);

int __wrap_sum_kernel(const struct sum_rows *rows, void *stream)
{
    struct sum_rows changed = *rows;
    uint64_t word;
    changed.terms -= planted == DROPPED_ELEMENT;
    const int error = __real_sum_kernel(&changed, stream);
    if (planted == WRONG_WORD) {
        must(cudaMemcpy(&word, rows->words + wrong_word, sizeof word, cudaMemcpyDeviceToHost));
        word++;
        must(cudaMemcpy(rows->words + wrong_word, &word, sizeof word, cudaMemcpyHostToDevice));
    }
    return error;
}

/* ---- small rows ---- */

/* The numbers of a trial in the GPU's memory, `offset` bytes behind where memory begins. */
struct there {
    struct exact_rows rows;
    char *memory[2];
};

static struct there uploaded(const struct sum_trial *trial, size_t offset)
{
    struct there there = {.rows = trial->rows};
    const size_t bytes = trial->rows.rows * trial->rows.terms * trial->rows.format->bytes;
    for (int v = 0; v < 2; v++) {
        must(cudaMalloc((void **)&there.memory[v], bytes + offset + 1));
        if (bytes > 0 && trial->stored[v])
            must(cudaMemcpy(there.memory[v] + offset, trial->stored[v], bytes, cudaMemcpyHostToDevice));
    }
    there.rows.x = there.memory[0] + offset;
    there.rows.y = trial->rows.y ? there.memory[1] + offset : NULL;
    return there;
}

static void free_there(struct there *there)
{
    cudaFree(there->memory[0]);
    cudaFree(there->memory[1]);
}

/* All rows, and one by the host from what lies there. */
static uint64_t compare(const struct format *format, bool products, uint64_t rows, uint64_t terms, size_t offset,
                        number_kind *kind)
{
    struct sum_trial trial = sum_trial_new(format, products, rows, terms, kind);
    struct there there = uploaded(&trial, offset);
    const uint64_t compared = compare_rows(&trial, &there.rows, device);
    struct exact_sum expected = sum_of_row(&trial, rows - 1);
    assert_int_equal(exact_device_check(device, &there.rows, rows - 1, 2, &expected), OK);
    exact_free(&expected);
    free_there(&there);
    sum_trial_free(&trial);
    return compared;
}

typedef uint64_t compared_sizes(const struct format *format, bool products, number_kind *kind);

static void compare_all(compared_sizes *compare_sizes)
{
    uint64_t compared = 0;
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (size_t kind = 0; kind < COUNT_OF(kinds); kind++)
            for (int products = 0; products < 2; products++)
                if (exact_device_can(NUMBER_FORMATS[f], products))
                    compared += compare_sizes(NUMBER_FORMATS[f], products, kinds[kind]);
    print_message("%llu rows compared\n", (unsigned long long)compared);
}

static uint64_t compare_small(const struct format *format, bool products, number_kind *kind)
{
    uint64_t compared = 0;
    for (int round = 0; round < rounds; round++)
        for (uint64_t terms = 0; terms<40; terms += rounds> 1 ? 1 : 13)
            compared += compare(format, products, 1 + below(5), terms, below(3) * format->bytes, kind);
    compared += compare(format, products, 3, 4096, 0, kind);
    return compared + compare(format, products, 2, 4097, 0, kind);
}

static void every_field_of_every_row_is_that_of_the_host(void **state)
{
    (void)state;
    compare_all(compare_small);
}

static uint64_t compare_long(const struct format *format, bool products, number_kind *kind)
{
    return compare(format, products, 1, 300007, 0, kind) + compare(format, products, 1, 100003, format->bytes, kind) +
           compare(format, products, 5, 20001, 0, kind);
}

static void rows_that_many_warps_share_are_whole(void **state)
{
    (void)state;
    if (rounds > 1)
        compare_all(compare_long);
}

static void as_many_rows_as_there_are_are_summed(void **state)
{
    (void)state;
    for (size_t f = 0; f < STORED_FORMAT_COUNT && rounds > 1; f++) {
        compare(NUMBER_FORMATS[f], false, 20000, 32, 0, any_finite);
        compare(NUMBER_FORMATS[f], false, 5000, 100, 0, seldom_special);
    }
}

/* ---- statistics ---- */

/* In vectors and one by one, of a warp and of many blocks: 2^20 numbers are 256 blocks of the ends' kernel. */
static void statistics_of_its_sums_have_every_bit_of_the_host(void **state)
{
    static const uint64_t sizes[] = {0, 1, 31, 4097, 1 << 20};
    const size_t size_count = rounds > 1 ? COUNT_OF(sizes) : COUNT_OF(sizes) - 1;
    uint64_t compared = 0;
    (void)state;
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (size_t kind = 0; kind < COUNT_OF(kinds); kind++)
            for (size_t s = 0; s < size_count; s++) {
                struct sum_trial trial = sum_trial_new(NUMBER_FORMATS[f], true, 1, sizes[s], kinds[kind]);
                struct there there = uploaded(&trial, kind % 2 * NUMBER_FORMATS[f]->bytes);
                compared += compare_statistics(&trial, &there.rows, device);
                free_there(&there);
                sum_trial_free(&trial);
            }
    print_message("%llu statistics compared\n", (unsigned long long)compared);
    assert_int_equal(compared,
                     COUNT_OF(kinds) * size_count * (2 * SUM_TRIAL_STATISTICS * (STORED_FORMAT_COUNT - 1) + 2));
}

/* ---- faults ---- */

static enum status checked(const struct exact_rows *rows)
{
    struct exact_sum sum;
    assert_int_equal(exact_device_start(device, rows, NULL), OK);
    assert_int_equal(exact_device_finish(device, 0, &sum), OK);
    struct heard heard = listen_to_stderr();
    const enum status status = exact_device_check(device, rows, 0, 2, &sum);
    heard_all(&heard);
    exact_free(&sum);
    return status;
}

static double not_zero(const struct format *format)
{
    const double x = of_one_size(format);
    return x == 0 ? 1 : x;
}

static void a_planted_fault_is_noticed(void **state)
{
    struct sum_trial trial = sum_trial_new(&FORMAT_BINARY32, false, 1, 5000, not_zero);
    struct there there = uploaded(&trial, 0);
    (void)state;
    assert_int_equal(checked(&there.rows), OK);
    planted = DROPPED_ELEMENT;
    assert_int_equal(checked(&there.rows), NOT_MEASURED);
    planted = WRONG_WORD;
    for (wrong_word = 0; wrong_word < 2 * 9 + SUM_LEAST; wrong_word++)
        assert_int_equal(checked(&there.rows), NOT_MEASURED);
    planted = NO_FAULT;
    assert_int_equal(checked(&there.rows), OK);
    free_there(&there);
    sum_trial_free(&trial);
}

/* ---- speed ---- */

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A vector of 2^22 numbers of a kind, again and again. */
static char *long_vector(const struct format *format, uint64_t n, number_kind *kind)
{
    enum { PERIOD = 1 << 22 };
    struct sum_trial trial = sum_trial_new(format, false, 1, PERIOD, kind);
    char *there;
    must(cudaMalloc((void **)&there, n * format->bytes));
    for (uint64_t i = 0; i < n; i += PERIOD)
        must(cudaMemcpy(there + i * format->bytes, trial.stored[0], PERIOD * format->bytes, cudaMemcpyHostToDevice));
    sum_trial_free(&trial);
    return there;
}

/* The least milliseconds from a start to its sums being known, and of the kernel alone. */
static void time_sums(const struct exact_rows *rows, unsigned workers, struct exact_sum *sums, double *whole,
                      double *kernel)
{
    cudaEvent_t start, stop;
    must(cudaEventCreate(&start));
    must(cudaEventCreate(&stop));
    *whole = *kernel = (double)INFINITY;
    for (int r = 0; r < REPEATS; r++) {
        float milliseconds;
        const double begin = seconds();
        must(cudaEventRecord(start, NULL));
        assert_int_equal(exact_device_start(device, rows, NULL), OK);
        must(cudaEventRecord(stop, NULL));
        assert_int_equal(exact_device_finish(device, workers, sums), OK);
        *whole = fmin(*whole, 1e3 * (seconds() - begin));
        must(cudaEventElapsedTime(&milliseconds, start, stop));
        *kernel = fmin(*kernel, (double)milliseconds);
        for (uint64_t row = 0; row < rows->rows; row++)
            exact_free(&sums[row]);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
}

static void time_long(const struct format *format, bool products, const char *family, number_kind *kind)
{
    const uint64_t n = UINT64_C(1) << 28;
    char *const x = long_vector(format, n, kind);
    const struct exact_rows rows = {format, x, products ? x : NULL, 1, n};
    struct exact_sum sum;
    double whole, kernel;
    time_sums(&rows, 0, &sum, &whole, &kernel);
    assert_int_equal(exact_device_start(device, &rows, NULL), OK);
    assert_int_equal(exact_device_finish(device, 0, &sum), OK);
    const double begin = seconds();
    assert_int_equal(exact_device_check(device, &rows, 0, workers_cores(), &sum), OK);
    const double check = seconds() - begin;
    print_message(
        "%s%s, %s, 2^28: %.3f ms (%.0f GB/s), with its answer %.3f ms; the host's check %.1f ms (%.1f GB/s)\n",
        format->name, products ? " squares" : "", family, kernel, 1e-6 * (double)(n * format->bytes) / kernel, whole,
        1e3 * check, 1e-9 * (double)(n * format->bytes * (products ? 2 : 1)) / check);
    exact_free(&sum);
    cudaFree(x);
}

static void time_rows(const struct format *format, uint64_t count, uint64_t terms, unsigned workers)
{
    char *const x = long_vector(format, UINT64_C(1) << 25, of_one_size);
    const struct exact_rows rows = {format, x, NULL, count, terms};
    struct exact_sum *const sums = malloc(count * sizeof *sums);
    double whole, kernel;
    assert_non_null(sums);
    time_sums(&rows, workers, sums, &whole, &kernel);
    print_message("%s, %llu rows of %llu: %.3f ms, with their sums on %u threads %.3f ms: %.2f million rows a second\n",
                  format->name, (unsigned long long)count, (unsigned long long)terms, kernel, workers, whole,
                  1e-3 * (double)count / whole);
    free(sums);
    cudaFree(x);
}

static void speeds_are_printed(void **state)
{
    (void)state;
    for (size_t f = 0; f < STORED_FORMAT_COUNT && rounds > 1; f++) {
        time_long(NUMBER_FORMATS[f], false, "one size", of_one_size);
        time_long(NUMBER_FORMATS[f], false, "all exponents", any_finite);
        time_long(NUMBER_FORMATS[f], false, "many zeros", zero_or_not);
        if (exact_device_can(NUMBER_FORMATS[f], true))
            time_long(NUMBER_FORMATS[f], true, "one size", of_one_size);
    }
    for (unsigned workers = 1; workers <= 16 && rounds > 1; workers *= 4) {
        time_rows(&FORMAT_BINARY32, 20000, 1024, workers);
        time_rows(&FORMAT_BINARY32, 20000, 32, workers);
        time_rows(&FORMAT_BINARY32, 500, 65536, workers);
        time_rows(&FORMAT_BINARY64, 20000, 1024, workers);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_every_row_is_that_of_the_host),
        cmocka_unit_test(rows_that_many_warps_share_are_whole),
        cmocka_unit_test(as_many_rows_as_there_are_are_summed),
        cmocka_unit_test(statistics_of_its_sums_have_every_bit_of_the_host),
        cmocka_unit_test(a_planted_fault_is_noticed),
        cmocka_unit_test(speeds_are_printed),
    };
    if (!found_cuda())
        return SKIPPED;
    if (argc > 1)
        rounds = atoi(argv[1]);
    seed_random(1);
    if (exact_device_new(&device) != OK)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    exact_device_free(device);
    return failed;
}
