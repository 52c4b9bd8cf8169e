/* On a Hopper GPU: every kernel of a fused unit gives the bits of its replay.  `test_device_fused --print` writes
 * tests/golden/fused.txt.  Without such a GPU: 77, and why. */
#include "tests/kernels/fused_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/on_cuda.h"

static void *upload(const struct format *format, const void *x, uint64_t n)
{
    void *stored = malloc(n * format->bytes), *there;
    assert_non_null(stored);
    held_pack(format, x, n, stored);
    must(cudaMalloc(&there, n * format->bytes));
    must(cudaMemcpy(there, stored, n * format->bytes, cudaMemcpyHostToDevice));
    free(stored);
    return there;
}

static void run_kernel(const struct method *method, const struct operands *of, uint64_t *bits)
{
    double computed[RESULTS];
    void *results;
    must(cudaMalloc(&results, sizeof computed));
    struct kernel_call call = {.of = *of, .results = results};
    call.of.arrays[0] = upload(of->format, of->arrays[0], ROWS * INNER);
    call.of.arrays[1] = upload(of->format, of->arrays[1], INNER * COLUMNS);
    must((cudaError_t)method->device->run(method, &call));
    must(cudaMemcpy(computed, results, sizeof computed, cudaMemcpyDeviceToHost));
    for (uint64_t i = 0; i < RESULTS; i++)
        bits[i] = format_load(method->format, computed, i);
    must(cudaFree((void *)(uintptr_t)call.of.arrays[0]));
    must(cudaFree((void *)(uintptr_t)call.of.arrays[1]));
    must(cudaFree(results));
}

static uint64_t differing(const struct method *method, const uint64_t *bits, const uint64_t *others)
{
    uint64_t differ = 0;
    for (int i = 0; i < RESULTS; i++)
        differ += !format_same(method->format, bits[i], others[i]);
    return differ;
}

/* Visits each method that has a kernel, with its bits. */
static int visit_kernels(void (*visit)(const struct method *method, const struct operands *of, const uint64_t *bits))
{
    int visited = 0;
    for (int f = 0; f < SUM_FORMATS; f++) {
        static struct fused_rows rows;
        struct method methods[FUSED_MOST];
        const size_t count = fused_methods(sum_formats[f], methods);
        fused_rows_of(sum_formats[f], &rows);
        for (size_t m = 0; m < count; m++)
            if (methods[m].device) {
                uint64_t bits[RESULTS];
                run_kernel(&methods[m], &rows.of, bits);
                visit(&methods[m], &rows.of, bits);
                visited++;
            }
    }
    return visited;
}

/* The twin: the same bits are not those of another unit. */
static void compare(const struct method *method, const struct operands *of, const uint64_t *bits)
{
    const struct launch launch = {1, 128};
    uint64_t replayed[RESULTS];
    assert_int_equal(method_replay(method, of, launch, workers_cores(), replayed), OK);
    assert_int_equal(differing(method, bits, replayed), 0);
    if (strcmp(method->id, "matmul:hopper_mma/chain@bfloat16_to_binary32") == 0) {
        const struct method *other = method_find("matmul:ampere_mma/chain@bfloat16_to_binary32");
        assert_int_equal(method_replay(other, of, launch, workers_cores(), replayed), OK);
        assert_true(differing(method, bits, replayed) > 0);
    }
}

static void kernels_give_the_bits_of_replays(void **state)
{
    (void)state;
    assert_int_equal(visit_kernels(compare), 18 + 10 * 6); /* chains, and the other orders where C is of binary32 */
}

static void print(const struct method *method, const struct operands *of, const uint64_t *bits)
{
    char line[LINE_SIZE];
    (void)of;
    fused_line(method, bits, line);
    fputs(line, stdout);
}

static bool found_hopper(void)
{
    int major = 0;
    if (!found_cuda())
        return false;
    must(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    if (major != 9)
        printf("skipped: a GPU of compute capability %d has no wgmma\n", major);
    return major == 9;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_give_the_bits_of_replays)};
    if (!found_hopper())
        return SKIPPED;
    if (argc == 1 || strcmp(argv[1], "--print") != 0)
        return cmocka_run_group_tests(tests, NULL, NULL);
    return visit_kernels(print) == 0;
}
