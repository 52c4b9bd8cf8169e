/* Scans: results and heights against their definitions (kernels/scan.h), written down once more in the shortest way;
 * each result within its bound; and what is known of some.
 *
 *   tests_kernels test_scans [--tries N]     N data sets for the bounds
 */
#include "kernels/scan.h"
#include "reference/scan.h"
#include "tests/reference/number_kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_MOST = 9000 };

static const struct launch launches[] = {{1, 1}, {3, 4}, {2, 32}, {5, 96}, {7, 1}};

/* ---- definitions, of plain additions of binary32: a value, and how many additions and merges made it ---- */

struct node {
    float value;
    uint64_t height; /* 0: empty */
};

static float x[N_MOST];
static uint64_t n, window;
static struct launch launch;

static struct node merged(struct node a, struct node b)
{
    if (a.height == 0 || b.height == 0)
        return a.height == 0 ? b : a;
    return (struct node){a.value + b.value, (a.height > b.height ? a.height : b.height) + 1};
}

static struct node plus(struct node a, float number)
{
    return (struct node){a.value + number, a.height + 1};
}

/* x[first .. end) one after another */
static struct node run_of(struct node s, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end && i < n; i++)
        s = plus(s, x[i]);
    return s;
}

static const struct node empty;

static struct node serial(uint64_t j)
{
    return run_of(empty, 0, j + 1);
}

static struct node chunks(uint64_t j)
{
    const uint64_t threads = (uint64_t)launch.blocks * launch.threads, c = (n + threads - 1) / threads;
    struct node before = empty;
    for (uint64_t g = 0; g < j / c; g++)
        before = merged(before, run_of(empty, g * c, g * c + c));
    return run_of(before, j / c * c, j + 1);
}

/* After distances below `d`; of sums `of`, or of the numbers. */
static struct node taken(uint64_t j, uint64_t d, const struct node *of)
{
    if (d == 1)
        return of ? of[j] : plus(empty, x[j]);
    const struct node own = taken(j, d / 2, of);
    return j >= d / 2 ? merged(own, taken(j - d / 2, d / 2, of)) : own;
}

static struct node hillis_steele(uint64_t j)
{
    return taken(j, 4096, NULL);
}

static struct node aligned(uint64_t first, uint64_t count)
{
    return count == 1 ? plus(empty, x[first])
                      : merged(aligned(first + count / 2, count / 2), aligned(first, count / 2));
}

static struct node blelloch(uint64_t j)
{
    struct node before = empty;
    uint64_t first = 0;
    for (uint64_t d = 4096; d > 0; d /= 2)
        if (j & d) {
            before = merged(before, aligned(first, d));
            first += d;
        }
    return plus(before, x[j]);
}

/* Threads 0 to t of a tile: of each warp by distances, warps left to right. */
static struct node threads_of(uint64_t tile, uint64_t t)
{
    static struct node sums[1024];
    const uint64_t first = tile * 8 * launch.threads;
    struct node before = empty;
    for (uint64_t k = 0; k <= t; k++)
        sums[k] = run_of(empty, first + 8 * k, first + 8 * k + 8);
    for (uint64_t warp = 0; warp <= t; warp += 32) {
        const uint64_t last = t - warp < 31 ? t - warp : 31;
        before = merged(before, taken(last, 32, sums + warp));
    }
    return before;
}

/* Left to right, of some tiles or groups of them; a group of level 1 has 32 tiles, of level 2 32 groups. */
static struct node group(uint64_t first, uint64_t count, uint64_t size)
{
    struct node sum = empty;
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t tile = first + k * size;
        const struct node one = size == 1 ? threads_of(tile, launch.threads - 1) : group(tile, 32, size / 32);
        sum = k == 0 ? one : merged(sum, one);
    }
    return sum;
}

static struct node in_tile(struct node before, uint64_t j)
{
    const uint64_t size = 8 * (uint64_t)launch.threads, tile = j / size, t = j % size / 8;
    before = t > 0 ? merged(before, threads_of(tile, t - 1)) : before;
    return merged(before, run_of(empty, j / 8 * 8, j + 1));
}

static struct node two_level(uint64_t j)
{
    const uint64_t tile = j / (8 * (uint64_t)launch.threads);
    struct node before = empty;
    for (uint64_t size = 32 * 32, first = 0; size > 0; size /= 32) {
        const uint64_t count = (tile - first) / size;
        before = count > 0 ? merged(before, group(first, count, size)) : before;
        first += count * size;
    }
    return in_tile(before, j);
}

static struct node look_back(uint64_t j)
{
    struct node before = empty;
    for (uint64_t k = 0; k < j / (8 * (uint64_t)launch.threads); k++)
        before = merged(before, threads_of(k, launch.threads - 1));
    before = in_tile(before, j);
    before.height = j + 1; /* whatever is found: the most that it can be */
    return before;
}

static struct node add_subtract(uint64_t j)
{
    const uint64_t threads = (uint64_t)launch.blocks * launch.threads, c = (n + threads - 1) / threads;
    const uint64_t first = j / c * c;
    struct node s = run_of(empty, first >= window ? first - window + 1 : 0, first);
    for (uint64_t i = first; i <= j; i++) {
        s = plus(s, x[i]);
        if (i > first && i >= window)
            s = plus(s, -x[i - window]);
    }
    return s;
}

static struct node again_each_time(uint64_t j)
{
    return run_of(empty, j >= window ? j - window + 1 : 0, j + 1);
}

typedef struct node definition(uint64_t j);
static definition *const definitions[SCAN_ORDERS] = {
#define SCAN_ORDER(id, operation, determinism, slow_above, claim) id,
#include "kernels/scan_orders.def"
};
static const char *const ids[SCAN_ORDERS] = {
#define SCAN_ORDER(id, operation, determinism, slow_above, claim) #operation ":plain/" #id,
#include "kernels/scan_orders.def"
};

static struct operands operands(const struct method *method)
{
    return (struct operands){&FORMAT_BINARY32, method->operation, {x, NULL}, {n, 1, window}};
}

static void results_and_heights_are_those_of_the_definitions(void **state)
{
    static uint64_t bits[N_MOST];
    uint64_t compared = 0, twins[SCAN_ORDERS] = {0}, highest_seen = 0;
    (void)state;
    seed_random(48);
    for (int round = 0; round < 60; round++) {
        n = round < 20 ? (uint64_t)round + 1 : 1 + below(round < 40 ? 300 : 2500);
        launch = launches[below(COUNT_OF(launches))];
        for (uint64_t i = 0; i < n; i++)
            x[i] = (float)of_one_size(&FORMAT_BINARY32);
        for (int o = 0; o < SCAN_ORDERS; o++) {
            const struct method *const method = method_find(ids[o]);
            char why[REASON_SIZE];
            assert_non_null(method);
            assert_true(method_can_do(method, launch, why));
            window = method->operation == OPERATION_rolling ? 1 + below(40) : 0;
            const struct operands of = operands(method);
            assert_int_equal(method_replay(method, &of, launch, 2, bits), OK);
            uint64_t highest = 0;
            for (uint64_t j = 0; j<n; j += n> 400 ? 1 + below(40) : 1) {
                const struct node defined = definitions[o](j);
                assert_int_equal(bits[j], float_bits(defined.value));
                assert_int_equal(scan_height((enum scan_order)o, of.shape, j, launch), defined.height);
                highest = defined.height > highest ? defined.height : highest;
                const uint64_t other = (uint64_t)(o + 1) % SCAN_ORDERS;
                twins[o] += bits[j] != float_bits(definitions[other](j).value);
                compared++;
            }
            const uint64_t said = method->height(method, of.shape, launch);
            assert_true(highest <= said);
            for (uint64_t j = 0; j < n; j++)
                highest = scan_height((enum scan_order)o, of.shape, j, launch) > highest
                              ? scan_height((enum scan_order)o, of.shape, j, launch)
                              : highest;
            assert_true(said == highest);
            highest_seen += said == highest;
        }
    }
    print_message("%" PRIu64 " results compared\n", compared);
    assert_true(compared > 30000);
    assert_int_equal(highest_seen, 60 * SCAN_ORDERS);
    for (int o = 0; o < SCAN_ORDERS; o++)
        assert_true(twins[o] > 100);
}

/* 8,193 numbers and more in tiles of 8: groups of 32 tiles, and a group of groups. */
static void two_level_has_groups_of_groups(void **state)
{
    static uint64_t bits[N_MOST];
    const struct method *const method = method_find(ids[SCAN_ORDER_two_level]);
    uint64_t compared = 0, of_groups = 0, twins = 0;
    (void)state;
    n = N_MOST;
    window = 0;
    launch = (struct launch){7, 1};
    for (uint64_t i = 0; i < n; i++)
        x[i] = (float)of_one_size(&FORMAT_BINARY32);
    const struct operands of = operands(method);
    assert_int_equal(method_replay(method, &of, launch, 1, bits), OK);
    for (uint64_t j = 0; j < n; j += 7) {
        const struct node defined = two_level(j);
        assert_int_equal(bits[j], float_bits(defined.value));
        assert_int_equal(scan_height(SCAN_ORDER_two_level, of.shape, j, launch), defined.height);
        compared++;
        of_groups += j >= 8 * 32 * 32;
        twins += bits[j] != float_bits(look_back(j).value);
    }
    assert_int_equal(compared, 1286);
    assert_true(of_groups > 100 && twins > 500);
}

/* ---- bounds ---- */

/* What loses most: u after 1, spikes that leave, alternating signs. */
static double losing(const struct format *format)
{
    static unsigned turn;
    const double u = ldexp(1, -format->precision);
    return turn++ % 64 == 0 ? 1 : below(3) ? u : u * (1 + 2 * u);
}

static double spikes(const struct format *format)
{
    return rounded_to(below(9) ? 1.5 : ldexp(1, format->precision + 2), format);
}

static uint64_t tries = 40;

struct exceeding {
    uint64_t results, claims, over, over_half;
    double share;
};

static void hold_to_bounds(const struct method *method, const struct operands *of, const struct exact_row *row,
                           struct exceeding *all)
{
    static uint64_t bits[N_MOST];
    static double computed[N_MOST];
    static struct exact_element elements[N_MOST];
    struct moments moments = *exact_row_moments(row);
    assert_int_equal(method_replay(method, of, launch, 1, bits), OK);
    for (uint64_t j = 0; j < n; j++)
        held_set(method->format, computed, j, format_value(method->format, bits[j]));
    assert_int_equal(exact_row_elements(row, method->format, computed, 0, n, 1, elements), OK);
    for (uint64_t j = 0; j < n; j++) {
        moments.prefix = (double)(j + 1);
        moments.history = exact_row_history(row, j);
        const struct magnitudes magnitudes = {elements[j].abs_above, elements[j].sum_abs_above, moments.max_abs,
                                              &moments};
        const double bound = method->bound(method, of->shape, launch, &magnitudes);
        all->results++;
        if (!isfinite(bound))
            continue;
        all->claims++;
        const double error = fabs(elements[j].error);
        all->over += !(error <= bound);
        all->over_half += error > bound / 2;
        if (bound > 0 && error / bound > all->share)
            all->share = error / bound;
    }
}

static void every_result_is_within_its_bound(void **state)
{
    static number_kind *const families[] = {losing, spikes, of_one_size, subnormal, losing, any_finite};
    struct exceeding all[2] = {{0}};
    (void)state;
    seed_random(7);
    for (uint64_t round = 0; round < tries; round++)
        for (int f = 0; f < SUM_FORMATS; f++)
            for (enum operation operation = FIRST_SCAN; is_scan(operation); operation++) {
                static double numbers[N_MOST];
                const struct format *const stored = sum_formats[f]->stored;
                number_kind *const family = families[below(COUNT_OF(families))];
                size_t count;
                const struct method *const *table = method_table_for(operation, sum_formats[f], &count);
                struct exact_row *row;
                n = 1 + below(below(4) ? 40 : 300);
                window = operation == OPERATION_rolling ? 1 + below(20) : 0;
                launch = launches[below(COUNT_OF(launches))];
                for (uint64_t i = 0; i < n; i++)
                    held_set(stored, numbers, i, rounded_to(family(stored), stored));
                assert_int_equal(exact_scan_row(window, stored, (struct exact_how){0}, numbers, n, &row), OK);
                for (size_t m = 0; m < count; m++) {
                    char why[REASON_SIZE];
                    const struct operands of = {stored, operation, {numbers, NULL}, {n, 1, window}};
                    if (table[m]->replay && method_can_do(table[m], launch, why))
                        hold_to_bounds(table[m], &of, row, &all[operation - FIRST_SCAN]);
                }
                exact_row_free(row);
            }
    for (int o = 0; o < 2; o++) {
        print_message("%s: %" PRIu64 " results, %" PRIu64 " with a claim, %" PRIu64 " above it, share %.3f\n",
                      operation_table[FIRST_SCAN + o].id, all[o].results, all[o].claims, all[o].over, all[o].share);
        assert_true(all[o].claims > tries * 10000);
        assert_int_equal(all[o].over, 0);
        assert_true(all[o].over_half > 0); /* the twin: half of the bounds is no bound */
    }
}

/* ---- what is known ---- */

static double last_of(const char *id, uint64_t count, float number, float first)
{
    const struct method *const method = method_find(id);
    float *const numbers = malloc(count * sizeof *numbers);
    uint64_t *const bits = malloc(count * sizeof *bits);
    assert_true(method && numbers && bits);
    for (uint64_t i = 0; i < count; i++)
        numbers[i] = i == 0 ? first : number;
    const struct operands of = {method->sum_format->stored, OPERATION_scan, {numbers, NULL}, shape_of_one(count)};
    assert_int_equal(method_replay(method, &of, launches[2], 1, bits), OK);
    const double last = format_value(method->format, bits[count - 1]);
    free(numbers), free(bits);
    return last;
}

static void ones_stop_where_half_an_ulp_is_one(void **state)
{
    (void)state;
    assert_true(last_of("scan:plain/serial", 5000, 1, 0x1p24f - 100) == 0x1p24);
    assert_true(last_of("scan:kahan/serial", 4999, 1, 0x1p24f - 100) == 0x1p24 + 4898);
    assert_true(last_of("scan:plain/serial@binary16_in_binary16", 5000, 1, 1) == 2048);
    assert_true(last_of("scan:plain/blelloch@binary16_in_binary16", 4096, 1, 1) == 4096); /* a tree does not */
    assert_true(last_of("scan:plain/serial@bfloat16_in_bfloat16", 5000, 1, 1) == 256);
}

/* No bound in the window's own numbers: a spike has left, and all windows after it are 0. */
static void a_spike_that_has_left_stays(void **state)
{
    uint64_t bits[64];
    const struct method *const method = method_find("rolling:plain/add_subtract"),
                               *const again = method_find("rolling:plain/again_each_time"),
                               *const compensated = method_find("rolling:neumaier/add_subtract");
    (void)state;
    n = 64;
    window = 4;
    for (uint64_t i = 0; i < n; i++)
        x[i] = i == 0 ? 0x1p26f : 1.5f;
    const struct operands of = operands(method);
    assert_int_equal(method_replay(method, &of, launches[0], 1, bits), OK);
    for (uint64_t j = 4; j < n; j++)
        assert_true(float_from_bits((uint32_t)bits[j]) == 0);
    struct operands of_other = operands(again);
    assert_int_equal(method_replay(again, &of_other, launches[0], 1, bits), OK);
    assert_true(float_from_bits((uint32_t)bits[60]) == 6);
    of_other = operands(compensated);
    assert_int_equal(method_replay(compensated, &of_other, launches[0], 1, bits), OK);
    assert_true(float_from_bits((uint32_t)bits[60]) == 6);
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--tries") == 0)
        tries = (uint64_t)strtod(argv[2], NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_and_heights_are_those_of_the_definitions),
        cmocka_unit_test(two_level_has_groups_of_groups),
        cmocka_unit_test(every_result_is_within_its_bound),
        cmocka_unit_test(ones_stop_where_half_an_ulp_is_one),
        cmocka_unit_test(a_spike_that_has_left_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
