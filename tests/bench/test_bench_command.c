/* `bench` from outside, on the host. */
#include "tests/support/json_output.h"

#include <signal.h>
#include <time.h>

/* One number is copied in some 0.03 us, which is not 0.0; and one thread is not "1 threads". */
static void bench_of_little_keeps_its_digits_and_its_grammar(void **state)
{
    (void)state;
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" bench --device host -m naive -n 1 --repeats 1 --jobs 1", &outcome);
    assert_int_equal(outcome.code, 0);
    assert_non_null(strstr(outcome.out, "| copy, read + write |   1 |"));
    assert_null(strstr(outcome.out, " 0.0.."));
    assert_non_null(strstr(outcome.err, "; 1 round; 1 thread\n"));
    outcome_free(&outcome);
}

/* As its refusal says. */
static void bench_takes_what_is_not_finite_where_it_is_told_to(void **state)
{
    (void)state;
    struct outcome outcome;
    put_text("nan.csv", "1\nnan\n2\n");
    run_line("\"$ULPSCOPE\" bench --device host -m naive -n 3 --repeats 1 -d nan.csv", &outcome);
    assert_true(outcome.code == 2 && strstr(outcome.err, "--nonfinite skip"));
    outcome_free(&outcome);
    run_line("\"$ULPSCOPE\" bench --device host -m naive -n 3 --repeats 1 -d nan.csv --nonfinite skip", &outcome);
    assert_true(outcome.code == 0 && strstr(outcome.out, "|        0 |\n"));
    outcome_free(&outcome);
}

static void assert_kinds(json_t *object, const char *const *keys, const json_type *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_object_get(object, keys[i]);
        if (!value || json_typeof(value) != kinds[i])
            fail_msg("%s: %s", keys[i], value ? "another kind" : "not there");
    }
}

static void bench_json_has_the_fields_of_its_page(void **state)
{
    (void)state;
    static const char *const tops[] = {"provenance", "data",  "backend",       "device",  "jobs",
                                       "rounds",     "lines", "lines_planned", "complete"};
    static const json_type top_kinds[] = {JSON_OBJECT,  JSON_OBJECT, JSON_STRING,  JSON_STRING, JSON_INTEGER,
                                          JSON_INTEGER, JSON_ARRAY,  JSON_INTEGER, JSON_TRUE};
    static const char *const fields[] = {"method",       "n", "rows", "bytes", "microseconds", "gigabytes_per_second",
                                         "share_of_copy"};
    static const json_type kinds[] = {JSON_STRING, JSON_INTEGER, JSON_INTEGER, JSON_INTEGER,
                                      JSON_OBJECT, JSON_REAL,    JSON_REAL};
    static const char *const of_methods[] = {"launch",   "max_ulp_error", "max_ulp_error_hex", "outcomes",
                                             "baseline", "replay",        "share_of_baseline"};
    static const json_type method_kinds[] = {JSON_OBJECT, JSON_REAL,   JSON_STRING, JSON_ARRAY,
                                             JSON_STRING, JSON_STRING, JSON_REAL};
    json_t *root =
        json_of("\"$ULPSCOPE\" bench --device host -m 'kahan/tree_two_pass' -n 3Ki..12Ki*2 --repeats 4 --json -");
    json_t *lines = json_object_get(root, "lines"), *line;
    size_t i;
    assert_kinds(root, tops, top_kinds, 9);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(root, "data"), "period")), 1000003);
    assert_int_equal(json_array_size(lines), 3 * 3); /* the copy, the serial loop and the method, for each n */
    json_array_foreach(lines, i, line)
    {
        const bool copy = i % 3 == 0;
        assert_kinds(line, fields, kinds, 7);
        assert_int_equal(json_array_size(json_object_get(json_object_get(line, "microseconds"), "rounds")), 4);
        assert_int_equal(json_is_true(json_object_get(line, "selected")), i % 3 != 1);
        if (copy)
            assert_string_equal(json_string_value(json_object_get(line, "method")), "copy");
        else
            assert_kinds(line, of_methods, method_kinds, 7);
    }
    json_decref(root);
}

/* The result of a bench is that of a run on the same data, as long as one period holds them. */
static void bench_sums_the_data_of_its_spec(void **state)
{
    (void)state;
    json_t *root = json_of("\"$ULPSCOPE\" bench --device host -m naive -n 8 -d uniform:n=8 --repeats 1 --json -");
    char *row = output_of("\"$ULPSCOPE\" run --device host -m naive -d uniform:n=8 --trials 1 -o - | tail -n 1");
    json_t *line = json_array_get(json_object_get(root, "lines"), 1);
    json_t *bits = json_array_get(json_array_get(json_object_get(line, "outcomes"), 0), 0);
    assert_non_null(strstr(row, json_string_value(bits)));
    json_decref(root);
    root =
        json_of("\"$ULPSCOPE\" bench --device host -m naive -n 9 -d uniform:n=8 --repeats 1 --json -"); /* the twin */
    line = json_array_get(json_object_get(root, "lines"), 1);
    bits = json_array_get(json_array_get(json_object_get(line, "outcomes"), 0), 0);
    assert_null(strstr(row, json_string_value(bits)));
    free(row);
    json_decref(root);
}

static void bench_of_the_host_shows_what_was_asked_for(void **state)
{
    (void)state;
    char *out = output_of("\"$ULPSCOPE\" bench --device host -m kahan/tree_two_pass -n 2Ki --repeats 1");
    assert_non_null(strstr(out, "| method "));
    assert_non_null(strstr(out, "| x serial |"));
    assert_non_null(strstr(out, "| kahan/tree_two_pass | 2Ki | 1 x 256 |"));
    assert_null(strstr(out, "kahan/serial")); /* timed, as the baseline, and not asked for */
    assert_null(strstr(out, "of CUB"));
    free(out);
}

/* Waits until `words` stand in what a child writes; false when it ended without them. */
static bool wait_for_words(pid_t child, FILE *file, const char *words)
{
    const struct timespec moment = {.tv_nsec = 2000000};
    for (;;) {
        siginfo_t facts = {0};
        const bool ended =
            waitid(P_PID, (id_t)child, &facts, WEXITED | WNOHANG | WNOWAIT) != 0 || facts.si_pid == child;
        char text[4096] = "";
        const bool read = pread(fileno(file), text, sizeof text - 1, 0) >= 0;
        if (read && strstr(text, words))
            return true;
        if (ended)
            return false;
        nanosleep(&moment, NULL);
    }
}

/* All methods on 16 Mi numbers take minutes; the interrupt comes when the first row is there. */
static void rows_that_were_seen_are_kept_by_ctrl_c(void **state)
{
    (void)state;
    FILE *out = tmpfile(), *err = tmpfile();
    assert_true(out && err);
    const pid_t child = start_line("exec \"$ULPSCOPE\" bench --device host -n 16Mi -d uniform:n=1000 --json b.json",
                                   fileno(out), fileno(err));
    assert_true(wait_for_words(child, out, "| plain/serial "));
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(wait_for(child), 130);
    char *rows = take_stream(out), *said = take_stream(err);
    assert_non_null(strstr(rows, "| plain/serial "));
    assert_null(strstr(rows, "superacc/pairwise"));
    assert_non_null(strstr(rows, "\npartial: "));
    assert_non_null(strstr(rows, " rows; interrupted\n"));
    assert_non_null(strstr(said, "interrupted; the rows that are known are kept"));
    json_t *root = json_of("cat b.json");
    assert_true(json_is_false(json_object_get(root, "complete")));
    assert_true(json_array_size(json_object_get(root, "lines")) >= 2);
    json_decref(root);
    free(rows);
    free(said);
}

/* The twin of the waiting: rows that never come are not waited for for ever. */
static void a_row_that_never_comes_is_missed(void **state)
{
    (void)state;
    FILE *out = tmpfile(), *err = tmpfile();
    assert_true(out && err);
    const pid_t child =
        start_line("exec \"$ULPSCOPE\" bench --device host -n 8 -m naive --repeats 1", fileno(out), fileno(err));
    assert_false(wait_for_words(child, out, "| kahan/serial "));
    assert_int_equal(wait_for(child), 0);
    fclose(out);
    fclose(err);
}

static void sizes_between_commas_are_timed_in_their_order(void **state)
{
    (void)state;
    char *sizes = output_of("\"$ULPSCOPE\" bench -q --device host -m naive -n 4Ki,1Ki..2Ki*2,3 --repeats 1 | "
                            "sed -n 's/^| plain.serial *| *\\([^ ]*\\).*/\\1/p'");
    assert_string_equal(sizes, "4Ki\n1Ki\n2Ki\n3\n");
    free(sizes);
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" bench --device host -m naive -n 1Ki,2Mx", &outcome); /* the twin */
    assert_int_equal(outcome.code, 2);
    assert_non_null(strstr(outcome.err, "-n \"2Mx\" has letters after the number"));
    outcome_free(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(bench_of_little_keeps_its_digits_and_its_grammar),
        FACT(bench_takes_what_is_not_finite_where_it_is_told_to),
        FACT(bench_json_has_the_fields_of_its_page),
        FACT(bench_sums_the_data_of_its_spec),
        FACT(bench_of_the_host_shows_what_was_asked_for),
        FACT(rows_that_were_seen_are_kept_by_ctrl_c),
        FACT(a_row_that_never_comes_is_missed),
        FACT(sizes_between_commas_are_timed_in_their_order),
    };
    forget_variables();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
