/* Each axis finds what depends on it and nothing else: sums of planted.c, whose bits depend on one thing each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "datasets/dataset.h"
#include "src/determinism/vary.h"
#include "src/plugins/plugin.h"
#include "src/study/axis.h"

#include "tests/support/heard.h"
#include "tests/support/own_folder.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every axis that this machine can vary in a process of a test. */
static const enum axis axes[] = {AXIS_repeat, AXIS_process, AXIS_launch, AXIS_padding, AXIS_permutation};
enum { TESTED = sizeof axes / sizeof *axes, N = 800 };

static struct dataset data;

/* 800 numbers in [0.25, 0.75), whose sum is in [256, 512). */
static int make_data(void **state)
{
    struct data_spec *specs;
    size_t count;
    struct plugin *plugin;
    (void)state;
    assert_int_equal(data_specs_read("uniform:n=800,low=0.25,high=0.75", "the test", NONFINITE_REFUSE, &specs, &count),
                     OK);
    assert_int_equal(dataset_make(specs, 1, 0, &data), OK);
    data_specs_free(specs, count);
    assert_int_equal(setenv("ULPSCOPE_WORKER", WORKER, 1), 0);
    return plugin_load(PLUGIN_library, PLANTED, "the test", &plugin) == OK ? make_folder(state) : -1;
}

static int free_data(void **state)
{
    (void)state;
    dataset_free(&data);
    plugins_close();
    return remove_folder(state);
}

static uint64_t entries(const char *path)
{
    uint64_t count = 0;
    DIR *list = opendir(path);
    assert_non_null(list);
    while (readdir(list))
        count++;
    closedir(list);
    return count;
}

static uint64_t threads(void)
{
    return entries("/proc/self/task");
}

static struct varied varied_of(const char *id)
{
    const struct method *method = method_find(id);
    assert_non_null(method);
    return (struct varied){
        .method = method,
        .of = operands_of_sum(data.format, data.x, data.n),
        .launch = {4, 64},
        .workers = 1,
        .seed = 1,
        .ulp = 0x1p-15,
    };
}

static struct variation variation_of(const char *id, enum axis axis)
{
    struct variation variation;
    const struct varied varied = varied_of(id);
    assert_int_equal(variation_measure(&varied, axis, &variation), OK);
    assert_int_equal(variation.axis, axis);
    return variation;
}

/* AXES: by none. */
static void expect_found_by(const char *id, enum axis by)
{
    for (int a = 0; a < TESTED; a++) {
        const struct variation variation = variation_of(id, axes[a]);
        const bool differs = variation.results > 1;
        if (differs != (axes[a] == by) || differs != (*variation.first != '\0') ||
            differs != (variation.base != variation.bits))
            fail_msg("%s by %s: %lu results, first \"%s\", why \"%s\"", id, axis_table[axes[a]].id,
                     (unsigned long)variation.results, variation.first, variation.why);
    }
}

static void each_axis_finds_what_depends_on_it_alone(void **state)
{
    (void)state;
    expect_found_by("planted/by_nothing", AXES);
    expect_found_by("planted/by_call", AXIS_repeat);
    expect_found_by("planted/by_rare_call", AXIS_repeat);
    expect_found_by("planted/by_process", AXIS_process);
    expect_found_by("planted/by_address", AXIS_process);
    expect_found_by("planted/by_launch", AXIS_launch);
    expect_found_by("planted/by_blocks", AXIS_launch);
    expect_found_by("planted/by_length", AXIS_padding);
    expect_found_by("planted/by_length_in_some_orders", AXIS_padding);
    expect_found_by("planted/by_zero_before", AXIS_padding);
    expect_found_by("planted/by_order", AXIS_permutation);
}

static void a_process_that_has_ended_leaves_no_descriptor(void **state)
{
    (void)state;
    variation_of("planted/by_nothing", AXIS_process);
    const uint64_t open = entries("/proc/self/fd");
    assert_int_equal(variation_of("planted/by_nothing", AXIS_process).variants, 4);
    assert_int_equal(entries("/proc/self/fd"), open);
}

static void a_variation_counts_results_and_measures_their_distance(void **state)
{
    (void)state;
    const struct variation calls = variation_of("planted/by_call", AXIS_repeat);
    assert_int_equal(calls.results, 3);
    assert_true(calls.spread == 2);
    assert_true(calls.variants >= 10);
    assert_string_equal(calls.first, "call 1 after the first");
    const struct variation none = variation_of("planted/by_nothing", AXIS_repeat);
    assert_int_equal(none.results, 1);
    assert_true(none.spread == 0);
    const struct variation launches = variation_of("planted/by_launch", AXIS_launch);
    assert_int_equal(launches.results, 2);
    assert_true(launches.spread == 1);
    assert_string_equal(launches.first, "1 x 1024");
    const struct variation blocks = variation_of("planted/by_blocks", AXIS_launch);
    assert_int_equal(blocks.results, 3); /* 2 above and 1 below: the base is neither the largest nor the least */
    assert_true(blocks.spread == 3);
    assert_string_equal(blocks.first, "1 x 32");
}

/* What docs/determinism.md says of each; where no bit changes four orders are asked for, or are added at once. */
static void each_axis_asks_as_often_as_it_says(void **state)
{
    static const struct {
        enum axis axis;
        uint64_t variants;
    } expected[] = {{AXIS_repeat, 20}, {AXIS_process, 4},     {AXIS_beside, 4 * 3},     {AXIS_launch, 4 * 9},
                    {AXIS_batch, 0},   {AXIS_stream, 0},      {AXIS_alignment, 4 * 16}, {AXIS_padding, 2 * 18},
                    {AXIS_device, 0},  {AXIS_permutation, 20}};
    (void)state;
    assert_int_equal(sizeof expected / sizeof *expected, AXES);
    for (int a = 0; a < AXES; a++) {
        const struct variation variation = variation_of("planted/by_nothing", expected[a].axis);
        if (variation.variants != expected[a].variants || (variation.variants == 0) != (*variation.why != '\0'))
            fail_msg("%s: %lu variants, expected %lu; %s", axis_table[expected[a].axis].id,
                     (unsigned long)variation.variants, (unsigned long)expected[a].variants, variation.why);
    }
    const struct variation differs = variation_of("planted/by_blocks", AXIS_launch);
    assert_int_equal(differs.variants, 9);
}

/* Found above n, and below it with the first numbers alone. */
static void the_n_at_which_the_order_changes_is_found_exactly(void **state)
{
    (void)state;
    assert_string_equal(variation_of("planted/by_length", AXIS_padding).first,
                        "zeros behind: n = 999 | 1000; before: 999 | 1000");
    assert_string_equal(variation_of("planted/by_length_in_some_orders", AXIS_padding).first,
                        "zeros behind: n = 999 | 1000");
    assert_string_equal(variation_of("planted/by_zero_before", AXIS_padding).first,
                        "zeros before: n = 64 | 65, 65 | 66, ...");
    const char *first = "zeros behind: n = 999 | 1000";
    assert_memory_equal(variation_of("planted/by_length_and_order", AXIS_padding).first, first, strlen(first));
    struct varied shorter = varied_of("planted/by_length");
    struct variation variation;
    shorter.of.shape.terms = 249; /* up to 996 */
    assert_int_equal(variation_measure(&shorter, AXIS_padding, &variation), OK);
    assert_int_equal(variation.results, 1);
    shorter.of.shape.terms = 250;
    assert_int_equal(variation_measure(&shorter, AXIS_padding, &variation), OK);
    assert_int_equal(variation.results, 2);
}

static void where_calls_differ_no_axis_is_blamed(void **state)
{
    (void)state;
    const struct variation variation = variation_of("planted/by_call", AXIS_permutation);
    assert_int_equal(variation.variants, 0);
    assert_string_equal(variation.why, "its bits change from call to call, whatever is varied");
}

/* One call in 97, wherever it falls: of the first of an axis, of a variant, of what is asked again. */
static void no_axis_is_blamed_for_one_call_in_97(void **state)
{
    static const enum axis blamed[] = {AXIS_launch, AXIS_alignment, AXIS_padding, AXIS_permutation};
    uint64_t unsteady = 0;
    (void)state;
    for (int phase = 0; phase < 97; phase++) {
        const enum axis axis = blamed[phase % 4];
        const struct variation variation = variation_of("planted/by_97th_call", axis);
        if (variation.results != 1 || (variation.variants > 0) == (*variation.why != '\0'))
            fail_msg("%s: %lu results, first \"%s\", why \"%s\"", axis_table[axis].id, (unsigned long)variation.results,
                     variation.first, variation.why);
        unsteady += strcmp(variation.why, AXIS_NONE_TO_BLAME) == 0;
    }
    assert_in_range(unsteady, 24, 96); /* padding asks more than 97 times */
}

/* Where an axis changes bits each time, and a call in 97 does so, too: it asks 72 times, if it meets none before, and
 * says of each that met one that no axis is to blame. */
static void an_axis_is_blamed_where_no_call_flips(void **state)
{
    uint64_t blamed = 0;
    (void)state;
    for (int phase = 0; phase < 97; phase++)
        blamed += variation_of("planted/by_blocks_and_97th_call", AXIS_launch).results == 2;
    assert_int_equal(blamed, 33);
}

/* Each process has a first call, which here is another than all behind it. */
static void a_process_is_not_blamed_for_its_first_call(void **state)
{
    (void)state;
    assert_int_equal(variation_of("planted/by_first_call", AXIS_repeat).results, 2);
    const struct variation processes = variation_of("planted/by_first_call", AXIS_process);
    assert_int_equal(processes.results, 1);
    assert_string_equal(processes.why, AXIS_NONE_TO_BLAME);
    assert_int_equal(variation_of("planted/by_process", AXIS_process).results > 1, true);
}

static void assert_why(const char *id, enum axis axis, const char *expected)
{
    const struct variation variation = variation_of(id, axis);
    assert_int_equal(variation.results, 2);
    if (strncmp(variation.why, expected, strlen(expected)) != 0 || (!*expected && *variation.why))
        fail_msg("%s by %s: \"%s\"; expected \"%s\"", id, axis_table[axis].id, variation.why, expected);
}

static void what_no_order_of_additions_gives_is_wrong(void **state)
{
    (void)state;
    assert_why("planted/wrong_in_one_block", AXIS_launch, AXIS_WRONG "1 x 32 has an error of ");
    assert_why("planted/wrong_but_in_one_block", AXIS_launch, AXIS_WRONG "the base has an error of ");
    assert_why("planted/a_bound_off", AXIS_launch, AXIS_WRONG "1 x 32 has an error of ");
    assert_why("planted/almost_a_bound_off", AXIS_launch, "");
    assert_why("planted/by_launch", AXIS_launch, "");
    assert_why("planted/by_length_and_order", AXIS_padding, "");
    assert_why("planted/by_length_far", AXIS_padding, "");
}

/* Its process is another one then, and the axes that it survives are told. */
static void a_variant_that_dies_is_a_finding(void **state)
{
    (void)state;
    struct heard heard = listen_to_stderr();
    const struct variation variation = variation_of("planted/dies_of_zeros", AXIS_padding);
    heard_all(&heard);
    assert_non_null(strstr(heard.text, "planted/dies_of_zeros: called abort()"));
    assert_non_null(strstr(variation.why, "a variant called abort()"));
    assert_int_equal(variation.results, 1);
    expect_found_by("planted/by_nothing", AXES);
}

/* ---- replays that fail ---- */

static int replays_left;
static const struct method *whole;

static enum status lacks_memory_in_the_end(const struct method *self, const struct operands *of, struct launch launch,
                                           unsigned workers, uint64_t *bits)
{
    (void)self;
    return replays_left-- > 0 ? whole->replay(whole, of, launch, workers, bits) : NOT_MEASURED;
}

/* It says something of the machine alone. */
static void a_replay_that_fails_is_no_finding(void **state)
{
    (void)state;
    whole = method_find("plain/pairwise");
    struct method method = *whole;
    struct varied varied = varied_of("plain/pairwise");
    method.replay = lacks_memory_in_the_end;
    varied.method = &method;
    for (int axis = 0; axis < AXES; axis++)
        for (int left = 0; left < 5; left++) {
            struct variation variation;
            replays_left = left;
            const enum status status = variation_measure(&varied, (enum axis)axis, &variation);
            if (status == OK && replays_left >= 0)
                continue; /* it needs no more */
            assert_int_equal(status, NOT_MEASURED);
            assert_string_equal(variation.why, "");
        }
}

/* ---- what a replay is given ---- */

static struct {
    uint64_t offsets, distinct, most_threads;
    bool has_rows_of_a; /* in the order that is given */
} given;

static uint64_t count_distinct(const uint64_t *bits, uint64_t count, uint64_t step)
{
    uint64_t distinct = 0;
    for (uint64_t i = 0; i < count; i += step) {
        uint64_t before = 0;
        while (before < i && bits[before] != bits[i])
            before += step;
        distinct += before == i;
    }
    return distinct;
}

/* Notes in which of 32 places of 4 bytes the numbers begin, what else runs, and how many rows differ. */
static enum status notes_what_is_given(const struct method *self, const struct operands *of, struct launch launch,
                                       unsigned workers, uint64_t *bits)
{
    (void)self;
    const uint64_t running = threads(), step = of->shape.columns > 0 ? of->shape.columns : 1;
    given.offsets |= UINT64_C(1) << (uintptr_t)of->arrays[0] / 4 % 32;
    given.most_threads = running > given.most_threads ? running : given.most_threads;
    const enum status status = whole->replay(whole, of, launch, workers, bits);
    if (of->shape.rows == 4096) {
        given.distinct = count_distinct(bits, shape_results(of->shape), step);
        given.has_rows_of_a |= memcmp(of->arrays[0], data.x, (size_t)(of->shape.columns * of->shape.terms * 4)) == 0;
    }
    return status;
}

static struct variation variation_of_noted(const char *id, const struct operands *of, enum axis axis)
{
    struct variation variation;
    whole = method_find(id);
    struct method method = *whole;
    struct varied varied = varied_of("plain/serial");
    method.replay = notes_what_is_given;
    varied.method = &method;
    varied.of = *of;
    memset(&given, 0, sizeof given);
    assert_int_equal(variation_measure(&varied, axis, &variation), OK);
    assert_int_equal(variation.results, 1);
    return variation;
}

static void replays_are_given_what_the_axis_says(void **state)
{
    static float equal[100];
    (void)state;
    const struct operands of = operands_of_sum(data.format, data.x, 100);
    const uint64_t alone = threads();
    variation_of_noted("superacc/serial", &of, AXIS_alignment);
    assert_int_equal(given.offsets & 0x1fffe, 0x1fffe); /* 4 to 64 bytes beyond a multiple of 128 */
    variation_of_noted("superacc/serial", &of, AXIS_launch);
    assert_int_equal(given.most_threads, alone);
    variation_of_noted("superacc/serial", &of, AXIS_beside);
    assert_true(given.most_threads > alone);
    variation_of_noted("plain/serial", &of, AXIS_batch);
    assert_in_range(given.distinct, 55, 61); /* of some rows the sums may be the same */
    for (int i = 0; i < 100; i++)
        equal[i] = 1;
    const struct operands ones = operands_of_sum(data.format, equal, 100);
    variation_of_noted("plain/serial", &ones, AXIS_batch);
    assert_int_equal(given.distinct, 61);
}

/* 2^62 bytes, which no machine has. */
static void numbers_that_there_is_no_room_for_are_not_added_elsewhere(void **state)
{
    const struct method *serial = method_find("plain/serial");
    const struct operands of = {data.format, serial->operation, {data.x}, {UINT64_C(1) << 60, 1, 0}};
    const struct circumstances under = {.offset = 4};
    uint64_t bits;
    (void)state;
    struct heard heard = listen_to_stderr();
    assert_int_equal(replay_under(serial, &of, (struct launch){1, 32}, 1, &under, &bits), NOT_MEASURED);
    heard_all(&heard);
    assert_non_null(strstr(heard.text, "out of memory for numbers at an offset"));
}

static void rows_of_a_product_are_its_own(void **state)
{
    (void)state;
    whole = method_find("matmul:plain/naive");
    const struct operands of = {data.format, whole->operation, {data.x, (const float *)data.x + 100}, {10, 10, 10}};
    variation_of_noted("matmul:plain/naive", &of, AXIS_batch);
    assert_true(given.has_rows_of_a);
    assert_in_range(given.distinct, 55, 61);
}

static enum status raises_later_rows(const struct method *self, const struct operands *of, struct launch launch,
                                     unsigned workers, uint64_t *bits)
{
    (void)self;
    const enum status status = whole->replay(whole, of, launch, workers, bits);
    for (uint64_t r = 1; r < of->shape.rows; r++)
        bits[r]++;
    return status;
}

/* 2^24 + 3/2 - 2^24 comes out as 2, whose spacing is twice the ulp of 3/2. */
static void rows_are_apart_in_ulps_of_their_exact_sums(void **state)
{
    static const float three[] = {0x1p24f, 1.5f, -0x1p24f};
    struct variation variation;
    (void)state;
    whole = method_find("plain/serial");
    struct method method = *whole;
    struct varied varied = varied_of("plain/serial");
    method.replay = raises_later_rows;
    varied.method = &method;
    varied.of = operands_of_sum(&FORMAT_BINARY32, three, 3);
    assert_int_equal(variation_measure(&varied, AXIS_batch, &variation), OK);
    assert_string_equal(variation.first, "row 2 of 2");
    assert_true(variation.spread >= 2);
}

/* ---- matrix products ---- */

enum { SIDE = 5, COPIED_FROM = 64 };

static enum status copies_first_row(const struct method *self, const struct operands *of, struct launch launch,
                                    unsigned workers, uint64_t *bits)
{
    (void)self;
    const enum status status = whole->replay(whole, of, launch, workers, bits);
    for (uint64_t i = COPIED_FROM * of->shape.columns; i < shape_results(of->shape); i++)
        bits[i] = bits[i % of->shape.columns];
    return status;
}

static void a_row_of_a_product_that_is_a_copy_is_wrong(void **state)
{
    (void)state;
    whole = method_find("matmul:plain/naive");
    struct method method = *whole;
    struct varied varied = varied_of("plain/serial");
    struct variation variation;
    varied.method = whole;
    varied.of = (struct operands){
        &FORMAT_BINARY32, whole->operation, {data.x, (const float *)data.x + SIDE * SIDE}, {SIDE, SIDE, SIDE}};
    varied.ulp = (double)NAN;
    assert_int_equal(variation_measure(&varied, AXIS_batch, &variation), OK);
    assert_int_equal(variation.results, 1);
    assert_int_equal(variation.variants, 4 * (1 + 2 + 3 + 4 + 7 + 8 + (2 * 4096 - 16)));
    method.replay = copies_first_row;
    varied.method = &method;
    assert_int_equal(variation_measure(&varied, AXIS_batch, &variation), OK);
    assert_memory_equal(variation.first, "row 65 of 128 (column ", strlen("row 65 of 128 (column "));
    assert_memory_equal(variation.why, AXIS_WRONG "row 65 of 128 has", strlen(AXIS_WRONG "row 65 of 128 has"));
}

/* Two elements at other launches than the base's. */
static struct change {
    uint64_t element, added;
} changes[2];

static enum status changes_elements(const struct method *self, const struct operands *of, struct launch launch,
                                    unsigned workers, uint64_t *bits)
{
    (void)self;
    const enum status status = whole->replay(whole, of, launch, workers, bits);
    for (int c = 0; c < 2 && launch.blocks != 4; c++)
        bits[changes[c].element] = (uint32_t)(bits[changes[c].element] + changes[c].added);
    return status;
}

static struct variation variation_of_changes(const float *a, struct change first, struct change second)
{
    struct variation variation;
    whole = method_find("matmul:plain/naive");
    struct method method = *whole;
    struct varied varied = varied_of("plain/serial");
    method.replay = changes_elements;
    varied.method = &method;
    varied.of = (struct operands){
        &FORMAT_BINARY32, whole->operation, {a, (const float *)data.x + SIDE * SIDE}, {SIDE, SIDE, SIDE}};
    assert_int_equal(terms_ulp(&varied.of, method.format, &varied.ulp), OK);
    assert_true(isnan(varied.ulp)); /* each element has its own */
    changes[0] = first, changes[1] = second;
    assert_int_equal(variation_measure(&varied, AXIS_launch, &variation), OK);
    return variation;
}

/* Each in its row and column: element 13 is C[2][3]. */
static void each_element_is_held_against_itself(void **state)
{
    static const float zeros[SIDE * SIDE];
    const struct change one = {0, 1}, three = {13, 3}, minus = {13, 0x80000000}, none = {0, 0};
    (void)state;
    struct variation found = variation_of_changes(data.x, three, one);
    assert_int_equal(found.results, 2);
    assert_true(found.spread == 3);
    assert_string_equal(found.first, "1 x 32 (C[0][0])");
    assert_string_equal(found.why, "");
    found = variation_of_changes(data.x, none, three);
    assert_string_equal(found.first, "1 x 32 (C[2][3])");
    assert_true(found.spread == 3);
    assert_string_equal(found.why, "");
    found = variation_of_changes(data.x, one, minus); /* of another sign it is wrong, and farther off */
    assert_string_equal(found.first, "1 x 32 (C[0][0])");
    assert_memory_equal(found.why, AXIS_WRONG "1 x 32 has", strlen(AXIS_WRONG "1 x 32 has"));
    found = variation_of_changes(zeros, none, minus);
    assert_int_equal(found.results, 2);
    assert_true(found.spread == 0);
    assert_string_equal(found.why, "");
    assert_int_equal(variation_of_changes(data.x, none, none).results, 1);
}

/* ---- methods of this program ---- */

static void an_exact_sum_changes_with_nothing(void **state)
{
    (void)state;
    for (int a = 0; a < TESTED; a++)
        if (axes[a] != AXIS_process)
            assert_int_equal(variation_of("superacc/tree_two_pass", axes[a]).results, 1);
    assert_true(variation_of("plain/tree_two_pass", AXIS_launch).results > 1);
    assert_true(variation_of("plain/serial", AXIS_permutation).results > 1);
    assert_int_equal(variation_of("plain/serial", AXIS_launch).results, 1);
}

/* What a fresh process prints stands for it here. */
static struct variation variation_of_process(const char *prints)
{
    struct varied varied = varied_of("plain/serial");
    struct variation variation;
    varied.again = prints;
    assert_int_equal(variation_measure(&varied, AXIS_process, &variation), OK);
    return variation;
}

#define PRINTS "printf 'data,computed_bits,n\\n\"a,b\",0x%08x,8\\n' #"

static void a_fresh_process_is_asked_for_bits(void **state)
{
    char prints[128];
    (void)state;
    const unsigned bits = (unsigned)variation_of("plain/serial", AXIS_repeat).base;
    snprintf(prints, sizeof prints, PRINTS, bits);
    const struct variation same = variation_of_process(prints);
    assert_int_equal(same.results, 1);
    assert_int_equal(same.variants, 4);
    snprintf(prints, sizeof prints, PRINTS, bits + 3);
    const struct variation other = variation_of_process(prints);
    assert_int_equal(other.results, 2);
    assert_true(other.spread == 3);
    assert_string_equal(other.first, "process 1 after the first");
    struct heard heard = listen_to_stderr();
    const struct variation failed = variation_of_process("false #"), silent = variation_of_process("true #");
    heard_all(&heard);
    assert_int_equal(failed.variants + silent.variants, 0);
    assert_non_null(strstr(heard.text, "a fresh process gave no result; expected one; see what this says: false"));
}

static void what_cannot_be_varied_says_why(void **state)
{
    (void)state;
    assert_string_equal(variation_of("plain/serial", AXIS_process).why, "no command computes these numbers again");
    for (int a = 0; a < TESTED; a++)
        assert_string_equal(variation_of("plain/tree_atomic", axes[a]).why,
                            "its order is that of arrival, and its replay one possible result");
    assert_string_equal(variation_of("planted/by_nothing", AXIS_device).why, "a plug-in runs where it wants to");
    struct varied one = varied_of("plain/serial");
    struct variation variation;
    one.of.shape.terms = 1;
    assert_int_equal(variation_measure(&one, AXIS_permutation, &variation), OK);
    assert_string_equal(variation.why, "there is one order alone");
    assert_int_equal(variation.variants, 0);
}

static void a_distance_to_no_number_is_none(void **state)
{
    (void)state;
    const struct variation variation = variation_of("planted/no_number", AXIS_permutation);
    assert_true(variation.results > 1);
    assert_true(isnan(variation.spread));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_axis_finds_what_depends_on_it_alone),
        cmocka_unit_test(a_process_that_has_ended_leaves_no_descriptor),
        cmocka_unit_test(a_variation_counts_results_and_measures_their_distance),
        cmocka_unit_test(each_axis_asks_as_often_as_it_says),
        cmocka_unit_test(the_n_at_which_the_order_changes_is_found_exactly),
        cmocka_unit_test(where_calls_differ_no_axis_is_blamed),
        cmocka_unit_test(no_axis_is_blamed_for_one_call_in_97),
        cmocka_unit_test(an_axis_is_blamed_where_no_call_flips),
        cmocka_unit_test(a_process_is_not_blamed_for_its_first_call),
        cmocka_unit_test(what_no_order_of_additions_gives_is_wrong),
        cmocka_unit_test(a_variant_that_dies_is_a_finding),
        cmocka_unit_test(a_replay_that_fails_is_no_finding),
        cmocka_unit_test(replays_are_given_what_the_axis_says),
        cmocka_unit_test(numbers_that_there_is_no_room_for_are_not_added_elsewhere),
        cmocka_unit_test(rows_of_a_product_are_its_own),
        cmocka_unit_test(rows_are_apart_in_ulps_of_their_exact_sums),
        cmocka_unit_test(a_row_of_a_product_that_is_a_copy_is_wrong),
        cmocka_unit_test(each_element_is_held_against_itself),
        cmocka_unit_test(an_exact_sum_changes_with_nothing),
        cmocka_unit_test(a_fresh_process_is_asked_for_bits),
        cmocka_unit_test(what_cannot_be_varied_says_why),
        cmocka_unit_test(a_distance_to_no_number_is_none),
    };
    return cmocka_run_group_tests(tests, make_data, free_data);
}
