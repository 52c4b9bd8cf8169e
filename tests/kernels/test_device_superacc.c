/* The exact sum on a GPU: bins that are emptied in time, sums that atomics add up, special values; each result is
 * RN(s), and has the bits of the replay.  Without a GPU: 77, and why. */
#include "reference/exact.h"
#include "src/base/format.h"
#include "src/base/fp.h"
#include "src/base/workers.h"
#include "src/device/device.h"
#include "tests/support/on_device.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>

#include <float.h>
#include <math.h>

enum { REPEATS = 1000, ROOM = 1 << 12 }; /* ROOM: of binary32, in kernels/bins.h */

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* From 2 threads for a bin to 32. */
static const struct launch launches[] = {{1, 32}, {3, 64}, {5, 128}, {120, 256}, {2, 512}};

static const struct method *find(const char *id)
{
    const struct method *method = method_find(id);
    assert_non_null(method);
    return method;
}

static float *new_numbers(uint64_t n)
{
    float *x = malloc(n * sizeof *x);
    assert_non_null(x);
    return x;
}

static void upload(const float *x, uint64_t n)
{
    assert_int_equal(device_upload(device, &FORMAT_BINARY32, x, n), OK);
}

static float sum_on_device(const struct method *method, uint64_t n, struct launch launch)
{
    float sum = NAN;
    assert_int_equal(device_sum(device, method, n, launch, &sum), OK);
    return sum;
}

/* RN(s); a zero is +0, as a state starts at it. */
static float nearest_sum(const float *x, uint64_t n)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum_how(&FORMAT_BINARY32, (struct exact_how){workers_cores(), false}, x, n, &exact), OK);
    const float nearest = (float)exact.nearest;
    exact_free(&exact);
    return nearest == 0 ? 0 : nearest;
}

/* Holds the kernel on the first n of the uploaded numbers to `expected`. */
static void assert_sum_is(const char *what, const struct method *method, uint64_t n, struct launch launch,
                          float expected)
{
    const float sum = sum_on_device(method, n, launch);
    if (!float_same(sum, expected))
        fail_msg("%s, %s, n = %llu, %u x %u: kernel %a, expected %a", what, method->id, (unsigned long long)n,
                 launch.blocks, launch.threads, (double)sum, (double)expected);
}

/* Holds it to RN(s) and to the replay, whose bits are the same. */
static void assert_exact(const char *what, const struct method *method, const float *x, uint64_t n,
                         struct launch launch)
{
    float replay = NAN;
    const float nearest = nearest_sum(x, n);
    assert_int_equal(method_sum(method, x, n, launch, workers_cores(), &replay), OK);
    assert_true(float_same(replay, nearest));
    assert_sum_is(what, method, n, launch, nearest);
}

/* ---- bins are emptied before they are full ---- */

enum { UP = 6, ENDS = 3 }; /* pieces of one sign, of which four fill 53 bits; numbers after them */

/* In units of bin 14, 2^74: the largest number of the bin, 2^39 - 2^15, and its least odd one, 2^23 + 1. */
static const float largest = 0x1.fffffep112f, odd = 0x1.000002p97f;

/* A piece has ROOM numbers for each thread.  UP pieces of the largest number; then as many of its opposite, so that
 * only the ends are left.  A bin that took them all would have more than 2^53 units in the last pieces that go up,
 * where each odd number among them loses one, and none of its opposites, in the last piece, gets it back. */
static float *pieces_that_fill_a_bin(uint64_t piece, uint64_t *n)
{
    const float ends[ENDS] = {1, -0x1p-149f, 0x1.8p-24f};
    float *x = new_numbers(2 * UP * piece + ENDS);
    for (uint64_t i = 0; i < UP * piece; i++) {
        x[i] = largest;
        x[UP * piece + i] = -largest;
    }
    for (uint64_t i = 7; i < piece; i += 61) { /* a prime: in every place of a vector, of every thread */
        x[(UP - 1) * piece + i] = odd;
        x[(2 * UP - 1) * piece + i] = -odd;
    }
    *n = 2 * UP * piece + ENDS;
    for (uint64_t k = 0; k < ENDS; k++)
        x[2 * UP * piece + k] = ends[k];
    return x;
}

/* What the bins of 1 x 32 would have, were they emptied after `room` numbers of each thread at the latest: their frame,
 * which reads off less than 2^51 units, is left, or a number is rounded. */
static bool bins_would_fail(const float *x, uint64_t n, uint64_t room)
{
    enum { THREADS = 32, LANES = 4 };
    for (uint64_t first = 0; first < n; first += room * THREADS)
        for (int t = 0; t < THREADS; t++) {
            double bin = 0;
            for (uint64_t i = first + (uint64_t)t * LANES; i < first + room * THREADS && i + LANES <= n;
                 i += THREADS * LANES)
                for (int l = 0; l < LANES; l++) {
                    const double before = bin, units = (double)x[i + (uint64_t)l] * 0x1p-74;
                    bin += units;
                    if (bin - before != units)
                        return true;
                }
            if (!(fabs(bin) < 0x1p51))
                return true;
        }
    return false;
}

/* The twin, without the device: the data do what they are for. */
static void data_would_spoil_bins_with_more_room(void **state)
{
    (void)state;
    uint64_t n;
    float *x = pieces_that_fill_a_bin(32 * ROOM, &n);
    assert_false(bins_would_fail(x, n, ROOM));
    assert_true(bins_would_fail(x, n, ROOM + 4));
    for (uint64_t room = 2 * ROOM; room <= 2 * UP * ROOM; room += ROOM)
        assert_true(bins_would_fail(x, n, room));
    free(x);
}

static void bins_are_emptied_before_they_are_full(void **state)
{
    (void)state;
    static const struct launch filled[] = {{1, 32}, {1, 64}, {3, 64}, {2, 128}, {1, 512}};
    const struct method *fast = find("superacc/vector_two_pass");
    for (size_t l = 0; l < COUNT_OF(filled); l++) {
        uint64_t n;
        const uint64_t piece = (uint64_t)filled[l].blocks * filled[l].threads * ROOM;
        float *x = pieces_that_fill_a_bin(piece, &n);
        upload(x, n);
        assert_exact("pieces up and down", fast, x, n, filled[l]);
        assert_exact("pieces up", fast, x, UP * piece + 1, filled[l]);
        free(x);
    }
}

/* Odd integers, whose sums are exact: a number that is left out or taken twice is seen. */
static void every_number_around_the_end_of_a_piece_is_added_once(void **state)
{
    (void)state;
    enum { PIECES = 3, AROUND = 9 };
    static const struct launch few[] = {{1, 32}, {3, 64}};
    const struct method *fast = find("superacc/vector_two_pass");
    seed_random(1);
    for (size_t l = 0; l < COUNT_OF(few); l++) {
        const uint64_t piece = (uint64_t)few[l].blocks * few[l].threads * ROOM, most = PIECES * piece + AROUND;
        float *x = new_numbers(most);
        int64_t sum = 0;
        for (uint64_t i = 0; i < most; i++)
            x[i] = (float)(2 * (int64_t)below(1000) - 999);
        upload(x, most);
        for (uint64_t n = 0; n < most; n++) {
            if ((n + AROUND) % piece <= 2 * AROUND)
                assert_sum_is("odd integers", fast, n, few[l], (float)sum);
            sum += (int64_t)x[n];
            assert_true(llabs((long long)sum) < 1 << 24);
        }
        free(x);
    }
}

static void sum_of_no_numbers_is_plus_zero(void **state)
{
    (void)state;
    static const float minus_zeros[] = {-0.0f, -0.0f};
    const char *const ids[] = {"superacc/vector_two_pass", "superacc/tree_atomic"};
    upload(minus_zeros, COUNT_OF(minus_zeros));
    for (size_t k = 0; k < COUNT_OF(ids); k++)
        for (size_t l = 0; l < COUNT_OF(launches); l++)
            for (uint64_t n = 0; n <= COUNT_OF(minus_zeros); n++)
                assert_int_equal(float_bits(sum_on_device(find(ids[k]), n, launches[l])), 0);
}

/* ---- every exponent ---- */

enum { PAIRS = 50021, LEFT = 6, EVERY_FIELD = 2 * PAIRS + LEFT };

/* Pairs that cancel, in any order, of the first `fields` exponent fields: all 255 of finite numbers, or fewer, so that
 * negative sums of blocks have limbs of nothing but ones, through which a carry runs.  And a few numbers of fields
 * `least` to `least` + 3, which are the sum: a unit that is lost anywhere shows in it, or makes its own. */
static void fill_with_pairs(float x[EVERY_FIELD], uint32_t fields, uint32_t least)
{
    for (uint32_t k = 0; k < PAIRS; k++) {
        x[2 * k] = float_from_bits((uint32_t)(next_random() & UINT32_C(0x807fffff)) | k % fields << 23);
        x[2 * k + 1] = -x[2 * k];
    }
    for (uint32_t k = 0; k < LEFT; k++)
        x[2 * PAIRS + k] = float_from_bits((uint32_t)(next_random() & UINT32_C(0x807fffff)) | (least + k % 4) << 23);
    shuffle_floats(x, EVERY_FIELD);
}

/* From all five limbs to the lowest alone. */
static const uint32_t fields_of_pairs[] = {255, 240, 192, 130, 64, 20};

static void sums_over_every_exponent_are_exact(void **state)
{
    (void)state;
    static float x[EVERY_FIELD];
    const char *const ids[] = {"superacc/vector_two_pass", "superacc/tree_atomic", "superacc/tree_last_block",
                               "superacc/shuffle_two_pass"};
    seed_random(2);
    for (uint32_t round = 0; round < 3 * COUNT_OF(fields_of_pairs); round++) {
        fill_with_pairs(x, fields_of_pairs[round / 3], 125 * (round % 3));
        upload(x, EVERY_FIELD);
        for (size_t k = 0; k < COUNT_OF(ids); k++)
            for (size_t l = 0; l < COUNT_OF(launches); l++)
                assert_exact("every exponent", find(ids[k]), x, EVERY_FIELD, launches[l]);
    }
}

/* The twin: what rounds on the way gives something else. */
static void sums_over_every_exponent_need_to_be_exact(void **state)
{
    (void)state;
    static float x[EVERY_FIELD];
    seed_random(3);
    fill_with_pairs(x, 255, 100);
    upload(x, EVERY_FIELD);
    const float rounded = sum_on_device(find("binary64/vector_two_pass"), EVERY_FIELD, launches[0]);
    assert_false(float_same(rounded, nearest_sum(x, EVERY_FIELD)));
}

/* The special values at some places of three pieces of 1 x 32, first and last among them: of one infinity, of both, of
 * NaN; in one thread, or in several blocks. */
static void infinities_and_nan_are_found_in_every_piece(void **state)
{
    (void)state;
    enum { PIECE = 32 * ROOM, N = 2 * PIECE + 4099 };
    const uint64_t places[] = {0, 3, 4 * 31 + 1, PIECE - 1, PIECE, 2 * PIECE - 3, 2 * PIECE, N - 3, N - 1};
    const struct {
        float first, second, sum;
    } rows[] = {{INFINITY, 1, INFINITY},
                {-INFINITY, -INFINITY, -INFINITY},
                {NAN, 1, NAN},
                {INFINITY, -INFINITY, NAN},
                {-NAN, INFINITY, NAN}};
    const char *const ids[] = {"superacc/vector_two_pass", "superacc/tree_atomic"};
    float *x = new_numbers(N);
    for (size_t p = 0; p + 1 < COUNT_OF(places); p++)
        for (size_t r = 0; r < COUNT_OF(rows); r++) {
            seed_random(4);
            for (uint64_t i = 0; i < N; i++)
                x[i] = any_float();
            x[places[p]] = rows[r].first;
            x[places[p + 1]] = rows[r].second;
            upload(x, N);
            for (size_t k = 0; k < COUNT_OF(ids); k++)
                for (size_t l = 0; l < COUNT_OF(launches); l++)
                    assert_sum_is("special values", find(ids[k]), N, launches[l], rows[r].sum);
        }
    free(x);
}

/* ---- other formats ---- */

/* Of a format: two numbers of one bin, the largest, and an odd number of units; the numbers that fill it are fewer than
 * `piece` for each thread.  `beyond`: a number that no window around the others has. */
static const struct of_format {
    const char *sum_format;
    double largest, odd;
    uint64_t piece;
    double beyond;
} formats[] = {
    {"binary64", 0x1.fffffffffffffp+16, 0x1.0000000000001p+1, 1 << 11, 0},         /* lower parts */
    {"binary64", 0x1.fffffffffffffp+6, 0x1.0000008p-9, 1 << 11, 0},                /* upper parts */
    {"binary64", 0x1.fffffffffffffp+16, 0x1.0000000000001p+1, 1 << 11, 0x1p-1000}, /* with all bins */
    {"binary64", DBL_MAX, 0x1p+970, 1 << 11, 0x1p-1074},                           /* which are scaled */
    {"binary32_to_binary64", 0x1.fffffep+112, 0x1.000002p+97, 1 << 12, 0},
    {"bfloat16", 0x1.fep+120, 0x1.02p+113, 1 << 9, 0},
    {"bfloat16_to_binary32", 0x1.fep+127, 0x1.02p+121, 1 << 9, 0}, /* which overflow, but for their scale */
    {"binary16_to_binary32", 65504, 0x1p-24, 1 << 13, 0},
    {"e4m3", 448, 0x1p-9, 1 << 13, 0},
    {"e5m2", 57344, 0x1p-16, 1 << 13, 0},
};

struct numbers_of_format {
    const struct format *format;
    void *x; /* as the host holds them */
    uint64_t n;
};

/* UP pieces of the largest number, odd ones in the last of them, and the opposites; what is left are the ends. */
static struct numbers_of_format numbers_that_fill_a_bin(const struct of_format *of, uint64_t threads)
{
    const struct format *format = sum_format_find(of->sum_format)->stored;
    const double ends[ENDS] = {1, 0.125, of->beyond};
    const uint64_t piece = of->piece * threads, n = 2 * UP * piece + ENDS;
    const struct numbers_of_format numbers = {format, malloc(n * sizeof(double)), n};
    assert_non_null(numbers.x);
    for (uint64_t i = 0; i < UP * piece; i++) {
        const bool is_odd = i >= (UP - 1) * piece && i % 61 == 7;
        held_set(format, numbers.x, i, is_odd ? of->odd : of->largest);
        held_set(format, numbers.x, UP * piece + i, is_odd ? -of->odd : -of->largest);
    }
    for (uint64_t k = 0; k < ENDS; k++)
        held_set(format, numbers.x, 2 * UP * piece + k, ends[k]);
    return numbers;
}

/* On the device: the bits of the replay, which adds integers. */
static void assert_replayed(const struct of_format *of, const struct numbers_of_format *numbers, struct launch launch)
{
    char id[64];
    uint64_t kernel, replay;
    snprintf(id, sizeof id, "superacc/vector_two_pass@%s", of->sum_format);
    const struct method *method = find(id);
    const struct operands operands = operands_of_sum(numbers->format, numbers->x, numbers->n);
    assert_int_equal(device_upload(device, numbers->format, numbers->x, numbers->n), OK);
    assert_int_equal(device_run(device, method, shape_of_one(numbers->n), launch, &kernel), OK);
    assert_int_equal(method_replay(method, &operands, launch, workers_cores(), &replay), OK);
    if (!format_same(method->format, kernel, replay))
        fail_msg("%s, %u x %u, of up to %a: kernel %a, replay %a", id, launch.blocks, launch.threads, of->largest,
                 format_value(method->format, kernel), format_value(method->format, replay));
}

static void bins_of_every_format_are_emptied_before_they_are_full(void **state)
{
    (void)state;
    static const struct launch few[] = {{1, 32}, {3, 64}, {2, 256}};
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (size_t l = 0; l < COUNT_OF(few); l++) {
            struct numbers_of_format numbers =
                numbers_that_fill_a_bin(&formats[f], (uint64_t)few[l].blocks * few[l].threads);
            assert_replayed(&formats[f], &numbers, few[l]);
            free(numbers.x);
        }
}

/* Ones and small numbers, and at both ends one that no window around them has, or no number. */
static const struct {
    const char *sum_format;
    double small, outside[7];
} missed[] = {
    {"binary64", 0x1p-40, {0x1p-1074, -0x1p+1023, DBL_MAX, 0x1.8p-700, INFINITY, -INFINITY, NAN}},
    {"binary32", 0x1p-20, {0x1p-149, -0x1p+127, FLT_MAX, 0x1.8p-70, INFINITY, -INFINITY, NAN}},
    {"binary32_to_binary64", 0x1p-20, {0x1p-149, -0x1p+127, FLT_MAX, 0x1.8p-70, INFINITY, -INFINITY, NAN}},
    {"bfloat16_to_binary32", 0x1p-30, {0x1p-133, -0x1p+127, 0x1.fep127, 0x1.8p-70, INFINITY, -INFINITY, NAN}},
};

static void what_a_window_misses_is_added_all_the_same(void **state)
{
    (void)state;
    enum { N = 1 << 21 };
    static const uint64_t lengths[] = {N, 4096, 1000};
    double *x = malloc(N * sizeof *x);
    assert_non_null(x);
    for (size_t f = 0; f < COUNT_OF(missed); f++) {
        const struct of_format of = {missed[f].sum_format, 1, 1, 1, 0};
        const struct format *stored = sum_format_find(of.sum_format)->stored;
        for (size_t k = 0; k < COUNT_OF(missed[f].outside); k++)
            for (size_t l = 0; l < COUNT_OF(lengths); l++)
                for (uint64_t n = lengths[l], place = 5; place < n; place += n - 12) {
                    for (uint64_t i = 0; i < n; i++)
                        held_set(stored, x, i, i == place ? missed[f].outside[k] : i % 3 ? 1 : missed[f].small);
                    const struct numbers_of_format numbers = {stored, x, n};
                    assert_replayed(&of, &numbers, (struct launch){1, 256});
                    assert_replayed(&of, &numbers, (struct launch){7, 512});
                }
    }
    free(x);
}

/* A window around what a block has first would have nothing of what comes later; and one around nothing but zeros. */
static void numbers_that_grow_or_begin_with_zeros_are_added_all_the_same(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    static const char *const ids[] = {"binary64", "binary32", "bfloat16_to_binary32"};
    double *x = malloc(N * sizeof *x);
    assert_non_null(x);
    for (size_t f = 0; f < COUNT_OF(ids); f++)
        for (int kind = 0; kind < 3; kind++) {
            const struct of_format of = {ids[f], 1, 1, 1, 0};
            const struct format *stored = sum_format_find(of.sum_format)->stored;
            for (uint64_t i = 0; i < N; i++) {
                const double grown = ldexp(i % 5 ? 1.5 : -1, (int)(i >> 13) - 64);
                held_set(stored, x, i, kind == 0 ? grown : kind == 1 && i < N / 2 ? 0 : i % 977 ? 0 : grown);
            }
            const struct numbers_of_format numbers = {stored, x, N};
            for (size_t l = 0; l < COUNT_OF(launches); l++)
                assert_replayed(&of, &numbers, launches[l]);
        }
    free(x);
}

/* ---- atomics ---- */

static size_t differing_repeats(const struct method *method, uint64_t n, float expected)
{
    const struct launch filling = {528, 128}; /* four blocks on each multiprocessor of an H200 */
    size_t differ = 0;
    for (int r = 0; r < REPEATS; r++)
        differ += !float_same(sum_on_device(method, n, filling), expected);
    return differ;
}

/* Though blocks arrive in any order.  It says so, and is then among what test_device holds to one bit pattern.  The
 * twin: plain's atomic sums on the same data. */
static void a_thousand_atomic_sums_have_the_bits_of_the_replay(void **state)
{
    (void)state;
    static float x[EVERY_FIELD];
    float replay = NAN;
    const struct method *exact = find("superacc/tree_atomic"), *plain = find("plain/tree_atomic");
    assert_true(exact->determinism == DETERMINISTIC && exact->device && exact->replay);
    assert_true(plain->determinism == ORDER_OF_ARRIVAL);
    seed_random(5);
    for (size_t f = 0; f < COUNT_OF(fields_of_pairs); f++) {
        fill_with_pairs(x, fields_of_pairs[f], 0);
        upload(x, EVERY_FIELD);
        assert_int_equal(method_sum(exact, x, EVERY_FIELD, launches[0], 1, &replay), OK);
        assert_true(float_same(replay, nearest_sum(x, EVERY_FIELD)));
        assert_int_equal(differing_repeats(exact, EVERY_FIELD, replay), 0);
        assert_true(differing_repeats(plain, EVERY_FIELD, replay) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_would_spoil_bins_with_more_room),
        cmocka_unit_test(bins_are_emptied_before_they_are_full),
        cmocka_unit_test(every_number_around_the_end_of_a_piece_is_added_once),
        cmocka_unit_test(sum_of_no_numbers_is_plus_zero),
        cmocka_unit_test(sums_over_every_exponent_are_exact),
        cmocka_unit_test(sums_over_every_exponent_need_to_be_exact),
        cmocka_unit_test(infinities_and_nan_are_found_in_every_piece),
        cmocka_unit_test(bins_of_every_format_are_emptied_before_they_are_full),
        cmocka_unit_test(what_a_window_misses_is_added_all_the_same),
        cmocka_unit_test(numbers_that_grow_or_begin_with_zeros_are_added_all_the_same),
        cmocka_unit_test(a_thousand_atomic_sums_have_the_bits_of_the_replay),
    };
    return run_on_device(tests, NULL, NULL);
}
