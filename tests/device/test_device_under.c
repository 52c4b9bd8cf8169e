/* On a GPU: what our own kernels give depends on no stream, no neighbour, no alignment that they bear, and, where they
 * take rows, on no batch; what black boxes give is printed.  Without one: 77, and why. */
#include "src/determinism/vary.h"
#include "tests/support/on_device.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4099, ROWS = 3, COLUMNS = 65 };

static float x[N * ROWS], y[N * COLUMNS];

static const enum axis axes[] = {AXIS_repeat, AXIS_stream, AXIS_beside, AXIS_alignment, AXIS_batch};
enum { TRIED = sizeof axes / sizeof *axes };

static struct varied varied_of(const struct method *method)
{
    const bool is_product = operation_table[method->operation].of == MATRICES;
    struct varied varied = {
        .method = method,
        .of = {&FORMAT_BINARY32,
               method->operation,
               {x, operation_table[method->operation].vectors == 2 ? y : NULL},
               is_product ? (struct shape){N, ROWS, COLUMNS} : shape_of_one(N)},
        .launch = {24, 64},
        .device = device,
        .workers = 1,
        .seed = 1,
    };
    assert_int_equal(terms_ulp(&varied.of, method->format, &varied.ulp), OK);
    return varied;
}

static void print(const struct method *method, const struct variation *found)
{
    print_message("%-36s %-10s %5llu variants %3llu results  %.3g ulp  %s%s%s\n", method->id,
                  axis_table[found->axis].id, (unsigned long long)found->variants, (unsigned long long)found->results,
                  found->spread, found->first, *found->first && *found->why ? "; " : "", found->why);
}

/* Each axis, of all methods of an operation: our own change no bit, and miss no axis but that of rows. */
static void vary_all(enum operation operation, uint64_t *held)
{
    size_t count;
    char why[REASON_SIZE];
    const struct method *const *methods = method_table_for(operation, &sum_format_binary32, &count);
    for (size_t m = 0; m < count; m++) {
        const struct method *method = methods[m];
        const struct varied varied = varied_of(method);
        if (!device_has_kernel(method) || method->role != SUMS || !method_can_do(method, varied.launch, why))
            continue;
        const bool is_own = method->replay && method->determinism == DETERMINISTIC;
        for (int a = 0; a < TRIED; a++) {
            struct variation found;
            assert_int_equal(variation_measure(&varied, axes[a], &found), OK);
            const bool is_varied = axes[a] != AXIS_batch || operation == OPERATION_matmul || device_takes_rows(method);
            if (!is_own || found.results != 1 || *found.why)
                print(method, &found);
            if (is_own) {
                assert_int_equal(found.results, 1);
                assert_int_equal(found.variants > 0, is_varied);
                assert_int_equal(*found.why == '\0', is_varied);
                *held += found.variants;
            }
        }
        assert_false(device_is_lost(device));
    }
}

static void our_own_sums_depend_on_nothing(void **state)
{
    uint64_t held = 0;
    (void)state;
    vary_all(OPERATION_sum, &held);
    vary_all(OPERATION_dot, &held);
    print_message("%llu variants of our own had the bits of their bases\n", (unsigned long long)held);
    assert_true(held > 10000);
}

static void our_own_products_depend_on_nothing(void **state)
{
    uint64_t held = 0;
    (void)state;
    vary_all(OPERATION_matmul, &held);
    print_message("%llu variants of our own had the bits of their bases\n", (unsigned long long)held);
    assert_true(held > 100);
}

static void an_offset_that_kernels_do_not_bear_is_refused(void **state)
{
    uint64_t bits;
    const struct circumstances by_4 = {.offset = 4}, by_16 = {.offset = 16};
    const struct method *serial = method_find("plain/serial"), *rows = method_find("plain/tree_rows");
    (void)state;
    assert_int_equal(device_upload(device, &FORMAT_BINARY32, x, N), OK);
    assert_int_equal(device_run_under(device, serial, shape_of_one(N), (struct launch){1, 32}, &by_4, &bits),
                     BAD_INPUT);
    assert_int_equal(device_run_under(device, serial, shape_of_one(N), (struct launch){1, 32}, &by_16, &bits), OK);
    assert_int_equal(device_run_under(device, rows, shape_of_one(N), (struct launch){1, 32}, &by_4, &bits), OK);
    assert_false(device_is_lost(device));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_offset_that_kernels_do_not_bear_is_refused),
        cmocka_unit_test(our_own_sums_depend_on_nothing),
        cmocka_unit_test(our_own_products_depend_on_nothing),
    };
    seed_random(1);
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        x[i] = (float)ldexp((double)below(1 << 24) - 0x1p23, (int)below(16) - 24);
    for (size_t i = 0; i < sizeof y / sizeof *y; i++)
        y[i] = (float)ldexp((double)below(1 << 24) - 0x1p23, (int)below(16) - 24);
    return run_on_device(tests, NULL, NULL);
}
