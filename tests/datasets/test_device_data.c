/* On a GPU: the families whose elements are formulas are made there with the host's bits; in another order they are
 * made on the host. */
#include "data_bits.h"

#include "tests/support/on_device.h"

#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static enum status make_on_device(void *context, const struct data_spec *spec, uint64_t trial, void **x)
{
    struct generator_call call;
    float *there = NULL;
    const size_t bytes = spec->n * sizeof *there;
    (void)context;
    TRY(dataset_call(spec, 1, trial, &call));
    *x = malloc(bytes + 1);
    if (!*x || cudaMalloc((void **)&there, bytes + 1) != cudaSuccess || cudaMemset(there, 0xff, bytes) != cudaSuccess ||
        generator_on_device(spec->generator, spec->format)(&call, there, NULL) != (int)cudaSuccess ||
        cudaMemcpy(*x, there, bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
        return NOT_MEASURED;
    cudaFree(there);
    return OK;
}

static void compare_trial(const struct data_spec *spec, uint64_t trial)
{
    struct dataset host;
    void *there;
    uint64_t different = 0;
    assert_int_equal(dataset_make(spec, 1, trial, &host), OK);
    assert_int_equal(make_on_device(NULL, spec, trial, &there), OK);
    for (uint64_t i = 0; i < host.n; i++)
        different += float_bits(((float *)host.x)[i]) != float_bits(((float *)there)[i]);
    if (different > 0)
        fail_msg("%s: %" PRIu64 " of %" PRIu64 " elements differ", spec->text, different, host.n);
    free(there);
    dataset_free(&host);
}

static void compare(const char *text)
{
    struct data_spec *specs;
    size_t count;
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &count), OK);
    for (size_t k = 0; k < count; k++)
        for (uint64_t trial = 0; trial < (data_spec_is_random(&specs[k]) ? 2 : 1); trial++)
            if (data_spec_is_formula(&specs[k], trial))
                compare_trial(&specs[k], trial);
    data_specs_free(specs, count);
}

static void every_showcase_has_the_bits_of_the_host(void **state)
{
    size_t count, compared = 0;
    const struct generator *const *table = generator_table(&count);
    (void)state;
    for (size_t g = 0; g < count; g++)
        for (const char *const *spec = table[g]->showcase; table[g]->elements && *spec; spec++, compared++)
            compare(*spec);
    assert_true(compared > 0);
}

static void every_short_n_has_the_bits_of_the_host(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 70; n++) {
        char text[32];
        snprintf(text, sizeof text, "uniform:n=%" PRIu64, n);
        compare(text);
    }
    compare("uniform:n=16777217");
}

/* An odd n, where a pair has one element alone, and those that are halves of something are not alike. */
static void every_family_has_the_bits_of_the_host_for_an_odd_n(void **state)
{
    size_t count;
    const struct generator *const *table = generator_table(&count);
    (void)state;
    for (size_t g = 0; g < count; g++) {
        char text[64];
        snprintf(text, sizeof text, "%s:n=1001", table[g]->id);
        if (table[g]->elements)
            compare(text);
    }
}

static void every_formula_has_a_device_half(void **state)
{
    size_t count;
    const struct generator *const *table = generator_table(&count);
    (void)state;
    for (size_t g = 0; g < count; g++)
        assert_int_equal(generator_on_device(table[g], &FORMAT_BINARY32) != NULL, table[g]->elements != NULL);
}

/* The twin. */
static void another_seed_has_other_bits(void **state)
{
    (void)state;
    struct data_spec *specs;
    struct dataset host;
    void *there;
    size_t count;
    assert_int_equal(data_specs_read("uniform:n=1000", "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(dataset_make(specs, 2, 0, &host), OK);
    assert_int_equal(make_on_device(NULL, specs, 0, &there), OK);
    assert_memory_not_equal(host.x, there, 1000 * sizeof(float));
    free(there);
    dataset_free(&host);
    data_specs_free(specs, count);
}

/* GB/s; prints, asserts nothing. */
static void time_generator(const struct generator *generator, uint64_t n)
{
    enum { ROUNDS = 20 };
    char text[64];
    struct data_spec *specs;
    struct generator_call call;
    size_t count;
    cudaEvent_t start, stop;
    float *x, milliseconds;
    snprintf(text, sizeof text, "%s:n=%" PRIu64, generator->id, n);
    if (data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &count) != OK)
        return; /* a family that is short by nature */
    if (dataset_call(specs, 1, 0, &call) == OK && cudaMalloc((void **)&x, n * sizeof *x) == cudaSuccess) {
        cudaEventCreate(&start);
        cudaEventCreate(&stop);
        generator_on_device(generator, &FORMAT_BINARY32)(&call, x, NULL);
        cudaEventRecord(start, NULL);
        for (int r = 0; r < ROUNDS; r++)
            generator_on_device(generator, &FORMAT_BINARY32)(&call, x, NULL);
        cudaEventRecord(stop, NULL);
        cudaEventSynchronize(stop);
        cudaEventElapsedTime(&milliseconds, start, stop);
        printf("%-20s %8.0f GB/s\n", generator->id,
               (double)ROUNDS * (double)n * sizeof *x / ((double)milliseconds * 1e6));
        cudaFree(x);
    }
    data_specs_free(specs, count);
}

static void rates_are_printed(void **state)
{
    size_t count;
    const struct generator *const *table = generator_table(&count);
    (void)state;
    for (size_t g = 0; g < count; g++)
        if (table[g]->elements)
            time_generator(table[g], 1u << 28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_formula_has_a_device_half),
        cmocka_unit_test(every_showcase_has_the_bits_of_the_host),
        cmocka_unit_test(every_family_has_the_bits_of_the_host_for_an_odd_n),
        cmocka_unit_test(every_short_n_has_the_bits_of_the_host),
        cmocka_unit_test(another_seed_has_other_bits),
        cmocka_unit_test(rates_are_printed),
    };
    return run_on_device(tests, NULL, NULL);
}
