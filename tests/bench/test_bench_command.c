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

/* ---- compared ---- */

/* A program that answers as a bench of one row does, in so many microseconds beside a copy in one, and notes how it was
 * called. */
static void put_program(const char *name, const char *microseconds, const char *more)
{
    char script[4096];
    snprintf(
        script, sizeof script,
        "#!/bin/sh\necho \"$@\" >>called\n%s\ncat <<'END'\n"
        "{\"schema\": \"ulpscope-bench/2\", \"device\": \"host\", \"complete\": true, \"provenance\": {\"host\": "
        "{\"processor\": \"?\"}}, \"data\": {\"spec\": \"uniform:n=64\"}, \"lines\": [\n"
        "{\"method\": \"copy\", \"n\": 1024, \"rows\": 1, \"bytes\": 8192, \"microseconds\": {\"median\": 1}},\n"
        "{\"method\": \"plain/serial\", \"n\": 1024, \"rows\": 1, \"bytes\": 4096, \"selected\": true, \"launch\": "
        "{\"blocks\": 1, \"threads\": 256}, \"baseline\": \"plain/serial\", \"microseconds\": {\"median\": %s}}]}\n"
        "END\n",
        more, microseconds);
    put_text(name, script);
    assert_int_equal(chmod(in_folder(name).text, 0755), 0);
}

#define COMPARED "\"$ULPSCOPE\" bench --device host -m plain/serial -n 1Ki -d uniform:n=64 --repeats 1 --visits 4 "

static void assert_compared(const char *words, int code, const char *out, const char *err)
{
    char line[1024];
    struct outcome outcome;
    snprintf(line, sizeof line, "%s%s", COMPARED, words);
    run_line(line, &outcome);
    if (outcome.code != code || !strstr(outcome.out, out) || !strstr(outcome.err, err))
        fail_msg("%s: exit %d, expected %d, \"%s\" and \"%s\":\n%s\n%s", words, outcome.code, code, out, err,
                 outcome.out, outcome.err);
    outcome_free(&outcome);
}

/* No clock errs by a factor of a million. */
static void beside_a_program_a_row_is_slower_or_faster(void **state)
{
    (void)state;
    put_program("fast", "1e-6", "");
    put_program("slow", "1e9", "");
    assert_compared("--beside ./fast", 1, " slower |\n\n1 rows beside ./fast: 1 slower, 0 faster, 0 the same", "");
    assert_compared("--beside ./slow", 0, " faster |\n\n1 rows beside ./slow: 0 slower, 1 faster, 0 the same", "");
    char *called = take_file("called");
    static const char once[] =
        "bench --device host -m plain/serial -n 1Ki -d uniform:n=64 --repeats 1 --quiet --json -\n";
    for (size_t visit = 0; visit < 8; visit++) /* 4 and 4: neither --visits nor --beside is passed on */
        assert_memory_equal(called + visit * strlen(once), once, strlen(once));
    assert_int_equal(strlen(called), 8 * strlen(once));
    free(called);
}

static void a_program_that_fails_is_named_and_nothing_is_judged(void **state)
{
    (void)state;
    put_program("dies", "1", "kill -9 $$");
    put_program("refuses", "1", "exit 2");
    put_program("other", "1", "echo '{\"schema\": \"ulpscope-bench/9\"}'; exit 0");
    put_program("mute", "1", "exit 0");
    put_program("once", "1", "test $(wc -l <called) -lt 2 || exit 3");
    assert_compared("--beside ./dies", 3, "", "ended by signal 9: ./dies bench");
    assert_compared("--beside ./refuses", 2, "", "exit 2: ./refuses bench");
    assert_compared("--beside ./other", 3, "", "writes the schema \"ulpscope-bench/9\"");
    assert_compared("--beside ./mute", 3, "", "no JSON came from: ./mute bench");
    assert_compared("--beside ./nowhere", 3, "", "exit 127: ./nowhere bench");
    remove(in_folder("called").text);
    char *out = output_of("{ " COMPARED "--beside ./once --save s.json || echo $?; ls; } 2>said; true");
    assert_string_equal(out, "3\ncalled\ndies\nmute\nonce\nother\nrefuses\nsaid\n"); /* no table, no s.json */
    free(out);
}

static void shares_are_saved_beside_those_of_other_rows_and_compared(void **state)
{
    (void)state;
    assert_compared("--save s.json", 0, "| plain/serial |    1 | 1024 | 1 x 256 |     copy |", "");
    assert_compared("--sav s.json -m kahan/serial", 0, "kahan/serial", ""); /* --save, abbreviated */
    assert_compared("--save s.json --json c.json", 2, "", "--json: expected no comparison");
    json_t *root = json_of_file("s.json");
    assert_int_equal(json_array_size(json_object_get(root, "rows")), 2);
    json_decref(root);
    free(output_of("sed 's/\"shares\": .[^]]*/\"shares\": [1e9, 1e9, 1e9, 1e9/' s.json >fast.json; "
                   "sed 's/\"shares\": .[^]]*/\"shares\": [1e-9, 1e-9, 1e-9, 1e-9/' s.json >slow.json; "
                   "sed 's/\"processor\": \"/&my /' s.json >mine.json"));
    assert_compared("--against fast.json", 1, "1 rows beside fast.json: 1 slower, 0 faster", "");
    assert_compared("--against slow.json", 0, "1 rows beside slow.json: 0 slower, 1 faster", "");
    assert_compared("--against slow.json -n 2Ki", 2, "not comparable", "slow.json: expected some of these rows");
}

static void what_cannot_be_compared_is_refused(void **state)
{
    (void)state;
    assert_compared("--save s.json", 0, "plain/serial", "");
    free(output_of("sed 's/\"processor\": \"/&my /' s.json >mine.json; echo '{}' >empty.json"));
    assert_compared("--against mine.json", 2, "", "mine.json: expected speeds of this machine (host, ");
    assert_compared("--against empty.json", 2, "", "empty.json: another kind of file, or another version");
    assert_compared("--save empty.json", 2, "", "empty.json: another kind of file, or another version");
    assert_compared("--against s.json --beside ./s", 2, "", "--against and --beside: expected one of them");
    assert_compared("--against s.json --data normal:n=64", 2, "", "a second data set");
    assert_compared("--visits 0", 2, "", "--visits");
    assert_compared("--save s.json --visits 5", 2, "", "expected rows of 5 visits, as they are timed now, found 4");
    assert_compared("--calls never --save s.json", 2, "", "--calls: expected queued or idle, found \"never\"");
}

static void a_whole_command_is_timed_beside_the_rows(void **state)
{
    (void)state;
    assert_compared("--whole 'list formats' --save s.json", 0, "list formats", "");
    json_t *root = json_of_file("s.json"), *row = json_array_get(json_object_get(root, "rows"), 0);
    for (size_t i = 1; strcmp(text_at(row, "method"), "list formats") != 0 && i < 2; i++)
        row = json_array_get(json_object_get(root, "rows"), i);
    assert_string_equal(text_at(row, "of"), "2^20 numbers of plain/serial on the host");
    assert_int_equal(json_array_size(json_object_get(row, "shares")), 4);
    json_decref(root);
    assert_compared("--whole 'exact one'", 2, "", "exit 2: ");
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
        FACT(beside_a_program_a_row_is_slower_or_faster),
        FACT(a_program_that_fails_is_named_and_nothing_is_judged),
        FACT(shares_are_saved_beside_those_of_other_rows_and_compared),
        FACT(what_cannot_be_compared_is_refused),
        FACT(a_whole_command_is_timed_beside_the_rows),
    };
    forget_variables();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
