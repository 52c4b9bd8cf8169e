/* Sums whose bits depend on one thing: that axis finds it, and no other does; their twins depend on nothing. */
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/determinism/vary.h"
#include "src/plugins/plugin.h"
#include "src/plugins/process.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 1000 };

static float numbers[N];

static void make_numbers(void)
{
    seed_random(1);
    for (int i = 0; i < N; i++)
        numbers[i] = (float)ldexp((double)below(1 << 24) - 0x1p23, (int)below(16) - 24);
}

static struct variation vary(const struct method *method, enum axis axis)
{
    struct variation found;
    struct varied varied = {
        .method = method,
        .of = operands_of_sum(&FORMAT_BINARY32, numbers, N),
        .launch = {120, 256},
        .workers = 1,
        .seed = 1,
    };
    assert_non_null(method);
    assert_int_equal(terms_ulp(&varied.of, method->format, &varied.ulp), OK);
    assert_int_equal(variation_measure(&varied, axis, &found), OK);
    return found;
}

static const struct method *method_of(const char *plugin, const char *name)
{
    char id[64];
    snprintf(id, sizeof id, "%s/%s", plugin, name);
    return method_find(id);
}

/* ---- what is found, and named ---- */

static const struct {
    const char *method;
    enum axis axis;
    const char *first; /* the variant that shows it */
    bool is_of_device;
} planted[] = {
    {"alignment", AXIS_alignment, "4 bytes", false},
    {"batch", AXIS_batch, "row 1 of 8", false},
    {"position", AXIS_batch, "row 1 of 4", false},
    {"copied", AXIS_batch, "row 65 of 128", false},
    {"left", AXIS_batch, "row 3001 of 4096", false},
    {"beside", AXIS_beside, "call 1 beside other work", false},
    {"stream", AXIS_stream, "call 1 on another stream", true},
};
enum { PLANTED = sizeof planted / sizeof *planted };
static const enum axis axes[] = {AXIS_repeat, AXIS_stream, AXIS_beside, AXIS_alignment, AXIS_batch};
enum { TRIED = sizeof axes / sizeof *axes };

static enum { ON_HOST, ON_FAKE, ON_GPU } place; /* of the libraries */

/* Of every method every axis: it changes the bits where it is the planted one, and nowhere else. */
static void assert_found(const char *plugin, bool varies)
{
    for (int p = 0; p < PLANTED; p++)
        for (int a = 0; a < TRIED; a++) {
            const struct variation found = vary(method_of(plugin, planted[p].method), axes[a]);
            const bool is_planted =
                varies && axes[a] == planted[p].axis && (place != ON_HOST || !planted[p].is_of_device);
            if ((found.variants > 0 && found.results > 1) != is_planted)
                print_error("%s/%s, %s: %llu results of %llu variants, first %s; %s\n", plugin, planted[p].method,
                            axis_table[axes[a]].id, (unsigned long long)found.results,
                            (unsigned long long)found.variants, found.first, found.why);
            assert_int_equal(found.variants > 0 && found.results > 1, is_planted);
            assert_string_equal(found.first, is_planted ? planted[p].first : "");
            assert_true(found.variants > 0 || *found.why);
        }
}

static void what_was_planted_is_found_on_its_axis_alone(void **state)
{
    (void)state;
    assert_found("varies", true);
}

/* Every row of every batch, in four orders where nothing differs. */
static void the_rows_of_all_batches_are_looked_at(void **state)
{
    enum { ROWS = 1 + 2 + 3 + 4 + 7 + 8 + (2 * 4096 - 16) };
    (void)state;
    assert_int_equal(vary(method_of("twin", "copied"), AXIS_batch).variants, 4 * ROWS);
    assert_int_equal(vary(method_of("varies", "left"), AXIS_batch).variants, ROWS);
}

static void a_row_that_is_wrong_is_said_to_be(void **state)
{
    static const struct {
        const char *method, *why;
    } expected[] = {{"copied", AXIS_WRONG "row 65 of 128 has an error of "},
                    {"left", AXIS_WRONG "row 3001 of 4096 has an error of "},
                    {"position", ""}};
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct variation found = vary(method_of("varies", expected[i].method), AXIS_batch);
        assert_int_equal(found.results, 2);
        assert_int_equal(strlen(found.why) > 0, strlen(expected[i].why) > 0);
        assert_memory_equal(found.why, expected[i].why, strlen(expected[i].why));
    }
}

static void nothing_is_found_of_the_twins(void **state)
{
    (void)state;
    assert_found("twin", false);
}

static void what_cannot_be_varied_says_why(void **state)
{
    (void)state;
    assert_string_equal(vary(method_of("varies", "alignment"), AXIS_batch).why, "it takes one row in a call");
    const struct variation stream = vary(method_of("varies", "stream"), AXIS_stream);
    assert_string_equal(stream.why, place == ON_HOST ? "it is computed on the host, where there are no streams" : "");
    assert_int_equal(stream.variants > 0, place != ON_HOST);
}

/* ---- crashes ---- */

#ifdef __x86_64__
static void a_crash_at_an_offset_is_a_finding_and_no_strike(void **state)
{
    (void)state;
    const struct method *method = method_of("varies", "vectors"), *twin = method_of("twin", "vectors");
    const struct variation found = vary(method, AXIS_alignment), of_twin = vary(twin, AXIS_alignment);
    assert_int_equal(found.variants, 16);
    assert_non_null(strstr(found.why, place == ON_GPU ? "4 bytes: left the GPU with an error that stays: "
                                                        "CUDA_ERROR_MISALIGNED_ADDRESS"
                                                      : "4 bytes: used an address that cannot be one, or data that "
                                                        "its instruction needs aligned"));
    assert_false(plugin_is_left_out(method));
    assert_int_equal(found.results, 1);
    assert_int_equal(of_twin.variants, 4 * 16); /* of four orders */
    assert_string_equal(of_twin.why, "");
}
#endif

/* ---- where the numbers lie ---- */

static void an_offset_that_is_none_is_refused(void **state)
{
    (void)state;
    const struct method *method = method_of("varies", "alignment");
    const struct operands of = operands_of_sum(&FORMAT_BINARY32, numbers, N);
    struct operands rows = of;
    uint64_t bits[2];
    rows.shape = (struct shape){N / 2, 2, 0};
    for (uint32_t offset = 0; offset <= 72; offset += 2) {
        const struct circumstances shifted = {.offset = offset};
        const bool is_one = offset % 4 == 0 && offset <= 64;
        assert_int_equal(plugin_ask(method, &of, (struct launch){1, 32}, &shifted, bits), is_one ? OK : BAD_INPUT);
        assert_int_equal(*plugin_failure() == '\0', is_one);
    }
    assert_int_equal(plugin_ask(method, &rows, (struct launch){1, 32}, &(struct circumstances){0}, bits), BAD_INPUT);
    assert_string_equal(plugin_failure(), "takes no rows; ask for one, or declare it with them");
    assert_int_equal(
        plugin_ask(method_of("varies", "batch"), &rows, (struct launch){1, 32}, &(struct circumstances){0}, bits), OK);
    assert_false(plugin_is_left_out(method));
}

/* ---- own methods ---- */

static void a_replay_depends_on_nothing(void **state)
{
    (void)state;
    static const char *const ids[] = {"plain/serial", "kahan/vector_two_pass", "plain/tree_rows"};
    static const enum axis of_replays[] = {AXIS_beside, AXIS_alignment, AXIS_batch};
    for (size_t m = 0; m < sizeof ids / sizeof *ids; m++)
        for (size_t a = 0; a < sizeof of_replays / sizeof *of_replays; a++) {
            const struct variation found = vary(method_find(ids[m]), of_replays[a]);
            assert_true(found.variants >= 8);
            assert_int_equal(found.results, 1);
            assert_string_equal(found.why, "");
        }
    assert_string_equal(vary(method_find("plain/serial"), AXIS_stream).why,
                        "it is computed on the host, where there are no streams");
}

/* Of what is on a GPU: the order of arrival changes the bits alone, too, and the axis says so. */
static void the_order_of_arrival_is_found_by_asking_again(void **state)
{
    (void)state;
    if (place != ON_GPU)
        skip();
    assert_true(vary(method_of("varies", "arrival"), AXIS_repeat).results > 1);
    assert_int_equal(vary(method_of("twin", "arrival"), AXIS_repeat).results, 1);
}

static void a_start_may_take_ten_calls_from_10_to_120_seconds_or_one_call(void **state)
{
    static const double of[][2] = {{0.1, 10}, {1, 10}, {3, 30}, {12, 120}, {60, 120}, {500, 500}};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        assert_true(process_seconds_to_start(&(struct plugin_limits){.seconds = of[i][0]}) == of[i][1]);
}

static bool loaded(const char *path)
{
    struct plugin *plugin;
    return plugin_load(PLUGIN_library, path, "test_variation", &plugin) == OK;
}

/* test_variation WORKER VARIES.so TWIN.so host | gpu | FOLDER of a libcuda.so.1 */
int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_planted_is_found_on_its_axis_alone),
        cmocka_unit_test(the_rows_of_all_batches_are_looked_at),
        cmocka_unit_test(a_row_that_is_wrong_is_said_to_be),
        cmocka_unit_test(nothing_is_found_of_the_twins),
        cmocka_unit_test(what_cannot_be_varied_says_why),
#ifdef __x86_64__
        cmocka_unit_test(a_crash_at_an_offset_is_a_finding_and_no_strike),
#endif
        cmocka_unit_test(an_offset_that_is_none_is_refused),
        cmocka_unit_test(a_replay_depends_on_nothing),
        cmocka_unit_test(the_order_of_arrival_is_found_by_asking_again),
        cmocka_unit_test(a_start_may_take_ten_calls_from_10_to_120_seconds_or_one_call),
    };
    enum { SKIPPED = 77 };
    assert_int_equal(count, 5);
    place = strcmp(arguments[4], "host") == 0 ? ON_HOST : strcmp(arguments[4], "gpu") == 0 ? ON_GPU : ON_FAKE;
    setenv("ULPSCOPE_WORKER", arguments[1], 1);
    if (place == ON_FAKE)
        setenv("LD_LIBRARY_PATH", arguments[4], 1);
    make_numbers();
    if (loaded(arguments[2]) && loaded(arguments[3]))
        return cmocka_run_group_tests(tests, NULL, NULL);
    return place == ON_GPU ? SKIPPED : 1;
}
