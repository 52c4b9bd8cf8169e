/* On a GPU: the order that a kernel's sums show is the declared one.  Without a GPU: 77, and why. */
#include "datasets/probe/probe.h"
#include "src/device/device.h"
#include "tests/support/on_device.h"

#include <stdio.h>
#include <string.h>

static const struct launch launches[] = {{1, 32}, {3, 64}, {5, 128}, {120, 256}};
static const uint64_t sizes[] = {1, 2, 33, 64, 100, 700};
enum { LAUNCHES = sizeof launches / sizeof *launches, SIZES = sizeof sizes / sizeof *sizes };

struct kernel {
    const struct method *method;
    struct launch launch;
};

static enum status sum_on_device(void *context, const void *x, uint64_t n, double *result)
{
    const struct kernel *kernel = context;
    float sum;
    TRY(device_upload(device, &FORMAT_BINARY32, x, n));
    TRY(device_sum(device, kernel->method, n, kernel->launch, &sum));
    *result = (double)sum;
    return OK;
}

static enum status reveal(struct kernel kernel, uint64_t n, struct probe *probe)
{
    const struct black_box box = {.name = kernel.method->id, .sum = sum_on_device, .context = &kernel};
    return probe_reveal(&box, n, probe);
}

static bool is_declared(struct kernel kernel, uint64_t n, const struct probe *probe)
{
    struct sum_tree declared;
    struct probe_tree tree;
    assert_int_equal(sum_tree_make(&(struct tree_request){"test", kernel.method, n, kernel.launch}, &declared), OK);
    assert_int_equal(probe_tree_of_sum_tree(&declared, &tree), OK);
    const bool same = probe_tree_same(&tree, &probe->tree);
    sum_tree_free(&declared);
    probe_tree_free(&tree);
    return same;
}

static uint64_t hold_to_declared(struct kernel kernel)
{
    char why[REASON_SIZE];
    uint64_t held = 0;
    for (size_t s = 0; s < SIZES && method_can_do(kernel.method, kernel.launch, why); s++, held++) {
        struct probe probe;
        assert_int_equal(reveal(kernel, sizes[s], &probe), OK);
        if (!is_declared(kernel, sizes[s], &probe))
            fail_msg("%s, n = %llu, %u x %u: another tree", kernel.method->id, (unsigned long long)sizes[s],
                     kernel.launch.blocks, kernel.launch.threads);
        probe_free(&probe);
    }
    return held;
}

static bool is_plain_or_binary64(const struct method *method)
{
    return strcmp(method->accumulator, "plain") == 0 || strcmp(method->accumulator, "binary64") == 0;
}

static void kernels_add_in_the_declared_order(void **state)
{
    (void)state;
    size_t count;
    uint64_t held = 0;
    const struct method *const *table = method_table(&count);
    for (size_t m = 0; m < count; m++)
        for (size_t l = 0; l < LAUNCHES; l++)
            if (is_plain_or_binary64(table[m]) && table[m]->device && table[m]->determinism == DETERMINISTIC)
                held += hold_to_declared((struct kernel){table[m], launches[l]});
    print_message("%llu trees\n", (unsigned long long)held);
    assert_true(held > 500);
}

/* The twin. */
static void the_order_of_another_launch_is_not_the_declared_one(void **state)
{
    (void)state;
    struct kernel kernel = {method_find("plain/shuffle_two_pass"), {1, 32}};
    struct probe probe;
    assert_int_equal(reveal(kernel, 100, &probe), OK);
    kernel.launch.blocks = 2;
    assert_false(is_declared(kernel, 100, &probe));
    probe_free(&probe);
}

/* Nobody says what it is; but there is one, and it is the same when asked again. */
static void cub_has_an_order(void **state)
{
    (void)state;
    char why[REASON_SIZE];
    const struct kernel kernel = {method_find("cub/device_reduce"), {1, 32}};
    assert_true(method_can_do(kernel.method, kernel.launch, why));
    for (size_t s = 0; s < SIZES; s++) {
        struct probe first, again;
        assert_int_equal(reveal(kernel, sizes[s], &first), OK);
        assert_int_equal(reveal(kernel, sizes[s], &again), OK);
        assert_true(probe_tree_same(&first.tree, &again.tree));
        print_message("n = %llu: %llu sums, height %u\n", (unsigned long long)sizes[s],
                      (unsigned long long)first.sums_to_build, first.tree.nodes[first.tree.count].height);
        probe_free(&first);
        probe_free(&again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_add_in_the_declared_order),
        cmocka_unit_test(the_order_of_another_launch_is_not_the_declared_one),
        cmocka_unit_test(cub_has_an_order),
    };
    return run_on_device(tests, NULL, NULL);
}
