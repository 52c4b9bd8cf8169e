/* ulpscope determinism from outside: the matrix, what is refused. */
#include "src/study/axis.h"
#include "tests/support/program.h"

#include <sqlite3.h>

#define PLUGIN " --plugin " PLANTED " "

struct bits {
    int results;
    unsigned base, bits;
};

/* What a run.db says of an axis: of the one method on the one data set. */
static struct bits bits_of(const char *axis)
{
    sqlite3 *database;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(in_folder("out/run.db").text, &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, "SELECT results, variants, base, bits FROM variations WHERE axis = ?",
                                        -1, &row, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_bind_text(row, 1, axis, -1, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    const struct bits found = {sqlite3_column_int(row, 1) > 0 ? sqlite3_column_int(row, 0) : 0,
                               (unsigned)sqlite3_column_int64(row, 2), (unsigned)sqlite3_column_int64(row, 3)};
    assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
    return found;
}

/* How many results; 0: it was not varied. */
static int results_of(const char *axis)
{
    return bits_of(axis).results;
}

static void expect_in_results(const char *of, unsigned bits)
{
    char line[64];
    snprintf(line, sizeof line, "grep -q 0x%08x %s/results.csv", bits, of);
    run_fine(line);
}

/* ---- what changes the bits ---- */

static void whatever_changes_is_a_report(void **state)
{
    (void)state;
    run_fine("$ULPSCOPE determinism plain/serial plain/tree_two_pass uniform:n=100");
    run_fine("$ULPSCOPE determinism kahan/serial@bfloat16 uniform:n=100 --across repeat,launch");
    run_fine("$ULPSCOPE determinism dot:kahan/serial --across repeat,permutation");
    run_fine("$ULPSCOPE determinism" PLUGIN "planted/by_call uniform:n=100 --across repeat");
}

static void a_claim_that_is_broken_is_told(void **state)
{
    (void)state;
    assert_refused("$ULPSCOPE determinism" PLUGIN "planted/claims uniform:n=800 --across process", 1,
                   "planted/claims claims to be deterministic; expected the same bits of every call");
    run_fine("$ULPSCOPE determinism" PLUGIN "planted/claims uniform:n=800 --across launch");
    run_fine("$ULPSCOPE determinism" PLUGIN "planted/by_process uniform:n=800 --across process");
}

static void a_run_of_it_is_continued(void **state)
{
    (void)state;
    run_fine("$ULPSCOPE determinism plain/serial uniform:n=100 --across repeat,launch -o out//");
    run_fine("$ULPSCOPE determinism plain/serial uniform:n=100 --across repeat,launch -o out --resume");
    assert_refused("$ULPSCOPE determinism plain/serial uniform:n=100 --across repeat -o out --resume", 2, "out");
    assert_refused("$ULPSCOPE determinism plain/serial --resume", 2, "--resume needs a folder");
    assert_refused("$ULPSCOPE determinism plain/serial -o out --resume --overwrite", 2, "exclude each other");
}

static void its_folder_is_a_run(void **state)
{
    (void)state;
    run_fine("$ULPSCOPE determinism plain/tree_two_pass uniform:n=1000 --across repeat,launch -o out");
    run_fine("$ULPSCOPE report out");
    assert_int_equal(results_of("repeat"), 1);
    assert_true(results_of("launch") > 1);
}

/* Of a matrix product, too, whose bits are a digest there and here. */
static void a_fresh_process_has_the_bits_of_this_one(void **state)
{
    (void)state;
    run_fine("$ULPSCOPE determinism plain/tree_two_pass gensum:n=1000,cond=1e6 --across process -o out");
    assert_int_equal(results_of("process"), 1);
    run_fine("$ULPSCOPE determinism matmul:plain/naive uniform:n=8 --across process -o out --overwrite");
    assert_int_equal(results_of("process"), 1);
}

static void the_first_element_that_differs_is_named(void **state)
{
    (void)state;
    char *out = output_of("$ULPSCOPE determinism matmul:plain/naive uniform:n=16 --across permutation");
    assert_non_null(strstr(out, "shuffle 1 (C[0]["));
    free(out);
}

/* It costs its own cells, and of a run its own speeds. */
static void a_method_that_fails_keeps_no_other_from_being_varied(void **state)
{
    (void)state;
    assert_refused("$ULPSCOPE determinism" PLUGIN "planted/dies planted/by_call uniform:n=800 --across repeat -o out",
                   3, "not measured: 1 of 1 cases, in whole or in part");
    assert_int_equal(results_of("repeat"), 3);
    assert_refused("$ULPSCOPE run" PLUGIN
                   "-m planted/dies -m planted/by_nothing -d uniform:n=800 --trials 1 --speed 1Ki"
                   " -o timed",
                   3, "not measured: 1 of 1 cases, in whole or in part");
    run_fine("grep -q '\"nanoseconds_per_element\"' timed/run.json");
}

static void a_broken_plug_in_is_told_whatever_comes_behind_it(void **state)
{
    (void)state;
    assert_refused("$ULPSCOPE run" PLUGIN "-m planted/wrong_at_17 -m planted/by_nothing -d uniform:n=800 --trials 1 "
                   "--speed 0",
                   1, "planted/wrong_at_17: is broken: of 17 integers");
    run_fine("$ULPSCOPE run" PLUGIN "-m planted/by_nothing -d uniform:n=800 --trials 1 --speed 0");
}

/* One base of several: what can be varied is, and what cannot costs the exit code. */
static void a_base_that_fails_once_costs_its_axis(void **state)
{
    struct outcome outcome;
    (void)state;
    run_line("$ULPSCOPE determinism" PLUGIN "planted/dies_in_second_call_of_800 uniform:n=800 --across repeat,launch",
             &outcome);
    assert_int_equal(outcome.code, 3);
    assert_non_null(strstr(outcome.err, "not all axes could be varied"));
    assert_null(strstr(outcome.out, "  repeat"));
    assert_non_null(strstr(outcome.out, "  launch"));
    outcome_free(&outcome);
}

/* After three failures, whatever axes are left. */
static void a_method_that_is_left_out_is_asked_no_more(void **state)
{
    struct outcome outcome;
    int failures = 0;
    (void)state;
    run_line("$ULPSCOPE determinism" PLUGIN "planted/dies_but_once_of_800 uniform:n=800 "
             "--across repeat,beside,launch,alignment,padding,permutation",
             &outcome);
    assert_int_equal(outcome.code, 3);
    for (const char *at = outcome.err; (at = strstr(at, "called abort()")); at++)
        failures++;
    assert_int_equal(failures, 3);
    assert_non_null(strstr(outcome.err, "failed 3 times; it is left out"));
    outcome_free(&outcome);
}

static void where_all_failed_no_other_flag_is_advised(void **state)
{
    struct outcome outcome;
    (void)state;
    run_line("$ULPSCOPE determinism" PLUGIN "planted/dies uniform:n=800 --across repeat,launch", &outcome);
    assert_int_equal(outcome.code, 3);
    assert_non_null(strstr(outcome.err, "planted/dies: failed 3 times"));
    assert_null(strstr(strstr(outcome.err, "failed 3 times"), "abort()"));
    assert_null(strstr(outcome.err, "nothing was varied"));
    outcome_free(&outcome);
}

static void numbers_that_are_not_finite_are_as_the_flag_says(void **state)
{
    (void)state;
    put_text("x.txt", "1\nnan\n2\n");
    assert_refused("$ULPSCOPE determinism plain/serial x.txt --across repeat", 2, "x.txt:2: 1 of its 3 elements");
    run_fine("$ULPSCOPE determinism plain/serial x.txt --nonfinite skip --across repeat,process,batch -o out");
    assert_int_equal(results_of("process"), 1);
    run_fine("grep -q ' --nonfinite skip ' out/run.json");
    run_fine("$ULPSCOPE determinism plain/serial x.txt --nonfinite ieee --across repeat,process,permutation");
    assert_refused("$ULPSCOPE determinism plain/serial x.txt --nonfinite skop", 2,
                   "--nonfinite: \"skop\" is unknown; expected refuse, ieee or skip");
}

/* Told with the axis, and in the exit code; of the base, too, which a report does not show. */
static void what_is_wrong_is_said_and_costs_the_exit_code(void **state)
{
    struct outcome outcome;
    (void)state;
    run_line("$ULPSCOPE determinism" PLUGIN "planted/wrong_in_one_block uniform:n=800 --across repeat,launch",
             &outcome);
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out, "  launch  2 results, up to "));
    assert_non_null(strstr(outcome.out, " ulp, wrong\n"));
    assert_non_null(strstr(outcome.out, "\nlaunch is wrong: 1 x 32 has an error of "));
    assert_non_null(strstr(outcome.err, "planted/wrong_in_one_block on uniform:n=800, launch: wrong: 1 x 32 has"));
    outcome_free(&outcome);
    assert_refused("$ULPSCOPE determinism" PLUGIN "planted/wrong_but_in_one_block uniform:n=800 --across repeat", 1,
                   "times the bound that it claims, or that any order of additions has");
    run_fine("$ULPSCOPE determinism" PLUGIN "planted/by_launch uniform:n=800 --across repeat,launch");
}

static void how_often_it_was_asked_is_said(void **state)
{
    (void)state;
    char *out = output_of("$ULPSCOPE determinism plain/serial uniform:n=8 --across repeat,launch");
    assert_non_null(strstr(out, "  repeat  same in 20 calls\n  launch  same\n"));
    free(out);
    out = output_of("$ULPSCOPE determinism" PLUGIN "planted/by_97th_call uniform:n=800 --across repeat,padding");
    assert_non_null(strstr(out, "  repeat   same in 20 calls\n  padding  not varied\n"));
    assert_non_null(strstr(out, "planted/by_97th_call: fixed by nothing: a second call may give other bits\n"
                                "padding was not varied: " AXIS_NONE_TO_BLAME "\n"));
    free(out);
}

/* Trial 1 of a file is its first shuffle; the seed is that of the study in both. */
static void a_shuffle_is_that_of_a_run(void **state)
{
    (void)state;
    run_fine("$ULPSCOPE gen gensum:n=1000,cond=1e6 -o x.npy");
    run_fine("$ULPSCOPE determinism plain/serial x.npy --across permutation --seed 7 -o out");
    run_fine("$ULPSCOPE run -m plain/serial -d x.npy --seed 7 --trial 1 --speed 0 -o other");
    const struct bits found = bits_of("permutation");
    assert_int_not_equal(found.bits, found.base);
    expect_in_results("other", found.bits);
}

static void the_base_is_the_sum_of_the_run(void **state)
{
    (void)state;
    run_fine("$ULPSCOPE run -m plain/serial -d uniform:n=100 --trial 3 --across permutation --speed 0 -o out");
    expect_in_results("out", bits_of("permutation").base);
}

/* ---- bad input ---- */

static void bad_input_is_refused(void **state)
{
    (void)state;
    assert_refused("$ULPSCOPE determinism", 2, "determinism: no method; expected one at least");
    assert_refused("$ULPSCOPE determinism uniform:n=8", 2, "matches no method");
    assert_refused("$ULPSCOPE determinism kahn/serial", 2, "did you mean \"kahan/serial\"?");
    assert_refused("$ULPSCOPE determinism plain/serial none.npy", 2, "none.npy");
    assert_refused("$ULPSCOPE determinism plain/serial --across lunch", 2, "did you mean \"launch\"?");
    assert_refused("$ULPSCOPE determinism plain/serial dot:plain/serial", 2, "methods that compute one thing");
    assert_refused("$ULPSCOPE determinism plain/serial --blocks 0", 2, "--blocks");
    assert_refused("$ULPSCOPE determinism plain/serial study.yaml", 2, "\"study.yaml\" is a study");
}

static void a_plug_in_that_dies_costs_its_own_cells(void **state)
{
    (void)state;
    assert_refused("$ULPSCOPE determinism" PLUGIN "planted/dies_of_zeros uniform:n=100 --across padding -o out", 0,
                   "planted/dies_of_zeros: called abort()");
    assert_int_equal(results_of("padding"), 0);
}

static const struct CMUnitTest facts[] = {
    FACT(whatever_changes_is_a_report),
    FACT(a_claim_that_is_broken_is_told),
    FACT(a_run_of_it_is_continued),
    FACT(its_folder_is_a_run),
    FACT(a_fresh_process_has_the_bits_of_this_one),
    FACT(the_first_element_that_differs_is_named),
    FACT(a_method_that_fails_keeps_no_other_from_being_varied),
    FACT(a_broken_plug_in_is_told_whatever_comes_behind_it),
    FACT(a_base_that_fails_once_costs_its_axis),
    FACT(a_method_that_is_left_out_is_asked_no_more),
    FACT(where_all_failed_no_other_flag_is_advised),
    FACT(a_shuffle_is_that_of_a_run),
    FACT(the_base_is_the_sum_of_the_run),
    FACT(numbers_that_are_not_finite_are_as_the_flag_says),
    FACT(what_is_wrong_is_said_and_costs_the_exit_code),
    FACT(how_often_it_was_asked_is_said),
    FACT(bad_input_is_refused),
    FACT(a_plug_in_that_dies_costs_its_own_cells),
};

int main(void)
{
    forget_variables();
    ADD_FACTS(facts);
    return run_all_tests();
}
