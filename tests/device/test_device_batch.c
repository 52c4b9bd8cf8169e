/* On a GPU: a batch of data sets gives each method the bits that each set alone gives it, wherever the numbers come
 * from and however many sets one launch adds up.  Without one: 77, and why. */
#include "src/base/format.h"
#include "src/device/device_batch.h"
#include "tests/support/on_device.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 11, N_MOST = 1 << 14, REPEATS = 2 };

static const struct launch launches[] = {{24, 64}, {1, 32}};
enum { LAUNCHES = sizeof launches / sizeof *launches };

static double numbers[2][SETS][N_MOST]; /* of any format: as it holds them */

static void draw(const struct format *format)
{
    for (int v = 0; v < 2; v++)
        for (int s = 0; s < SETS; s++)
            for (int i = 0; i < N_MOST; i++)
                held_set(format, numbers[v][s], (uint64_t)i,
                         format_value(format, format_bits(format, ldexp((double)below(256) - 128, (int)below(4)))));
}

/* What can be run, of all launches; its bits are allocated. */
static size_t plan(enum operation operation, const struct sum_format *sum_format, size_t sets,
                   struct device_sums **sums)
{
    size_t count, planned = 0;
    char why[REASON_SIZE];
    const struct method *const *methods = method_table_for(operation, sum_format, &count);
    *sums = calloc(count * LAUNCHES, sizeof **sums);
    for (size_t m = 0; m < count; m++)
        for (int l = 0; l < LAUNCHES; l++)
            if (device_has_kernel(methods[m]) && methods[m]->determinism == DETERMINISTIC &&
                method_can_do(methods[m], launches[l], why))
                (*sums)[planned++] =
                    (struct device_sums){methods[m], launches[l], calloc(sets * REPEATS, sizeof(uint64_t)), 0};
    return planned;
}

static void forget(struct device_sums *sums, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(sums[i].bits);
    free(sums);
}

/* The bits of one set, uploaded alone, or of what lies there already. */
static void expect_alone(const struct device_sums *sums, uint64_t n, size_t sets, size_t set, uint64_t *compared)
{
    uint64_t alone;
    assert_int_equal(sums->done, REPEATS);
    assert_int_equal(device_run(device, sums->method, shape_of_one(n), sums->launch, &alone), OK);
    for (uint64_t r = 0; r < REPEATS; r++)
        if (!format_same(sums->method->format, sums->bits[r * sets + set], alone))
            fail_msg("%s at %u x %u, n = %llu, set %zu of %zu: in a batch %llx, alone %llx", sums->method->id,
                     sums->launch.blocks, sums->launch.threads, (unsigned long long)n, set, sets,
                     (unsigned long long)sums->bits[r * sets + set], (unsigned long long)alone);
    *compared += REPEATS;
}

static void try_numbers(enum operation operation, const struct sum_format *sum_format, uint64_t n, size_t sets,
                        uint64_t *compared)
{
    struct device_sums *sums;
    struct device_set from[SETS];
    const struct format *format = sum_format->stored;
    const bool pairs = operation_table[operation].vectors == 2;
    const size_t count = plan(operation, sum_format, sets, &sums);
    for (size_t s = 0; s < sets; s++)
        from[s] = (struct device_set){.x = numbers[0][s], .y = pairs ? numbers[1][s] : NULL};
    const struct device_batch batch = {format, n, from, sets, REPEATS, sums, count, NULL};
    assert_int_equal(device_run_batch(device, &batch), OK);
    for (size_t s = 0; s < sets; s++) {
        assert_int_equal(device_upload(device, format, from[s].x, n), OK);
        if (pairs)
            assert_int_equal(device_upload_second(device, format, from[s].y, n), OK);
        for (size_t i = 0; i < count; i++)
            expect_alone(&sums[i], n, sets, s, compared);
    }
    forget(sums, count);
}

static void a_batch_has_the_bits_of_each_set_alone(void **state)
{
    static const uint64_t lengths[] = {0, 1, 3, 64, 1000, 1024, 1027, N_MOST};
    uint64_t compared = 0;
    (void)state;
    for (size_t f = 0; f < SUM_FORMATS; f++) {
        draw(sum_formats[f]->stored);
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            try_numbers(OPERATION_sum, sum_formats[f], lengths[k], SETS, &compared);
            try_numbers(OPERATION_dot, sum_formats[f], lengths[k], 3, &compared);
        }
    }
    print_message("%llu results in batches have the bits of those alone\n", (unsigned long long)compared);
    assert_true(compared > 100000);
}

static void formulas_are_computed_in_their_places(void **state)
{
    struct device_sums *sums;
    struct device_set from[SETS];
    const struct generator *uniform = generator_find("uniform");
    const uint64_t n = 4097;
    uint64_t compared = 0;
    const size_t count = plan(OPERATION_sum, &sum_format_binary32, SETS, &sums);
    (void)state;
    for (uint64_t s = 0; s < SETS; s++) {
        from[s] = (struct device_set){.generator = uniform,
                                      .call = {.n = n,
                                               .seed = 1,
                                               .trial = s,
                                               .values = {-1, 1},
                                               .family = generator_family("uniform"),
                                               .format = FORMAT_BINARY32}};
        if (uniform->prepare)
            assert_int_equal(uniform->prepare(&from[s].call), OK);
        uniform->elements(&from[s].call, 0, n, numbers[0][s]);
    }
    const struct device_batch batch = {&FORMAT_BINARY32, n, from, SETS, REPEATS, sums, count, NULL};
    assert_int_equal(device_run_batch(device, &batch), OK);
    for (size_t s = 0; s < SETS; s++) {
        assert_int_equal(device_upload(device, &FORMAT_BINARY32, numbers[0][s], n), OK);
        for (size_t i = 0; i < count; i++)
            expect_alone(&sums[i], n, SETS, s, &compared);
    }
    forget(sums, count);
    assert_true(compared > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_has_the_bits_of_each_set_alone),
        cmocka_unit_test(formulas_are_computed_in_their_places),
    };
    seed_random(1);
    return run_on_device(tests, NULL, NULL);
}
