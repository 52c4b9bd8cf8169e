/* What goes to stdout, stderr, a terminal and places that are no plain files. */
#include "tests/support/json_output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <termios.h>
#include <time.h>

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}

/* Its twin is methods_that_all_refuse: one name alone, and no "more". */
static void methods_that_refuse_for_one_reason_share_a_line(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "\"$ULPSCOPE\" run -m '*/tree_atomic' -d uniform:n=8 --csv -",
        "\"$ULPSCOPE\" bench --device host -m '*/tree_atomic' -n 8 --repeats 1",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct outcome outcome;
        run_line(lines[i], &outcome);
        assert_int_equal(outcome.code, 0);
        assert_int_equal(count_of(outcome.err, "no atomic merge"), 1);
        assert_non_null(strstr(outcome.err, " kahan/tree_atomic, kahan_two_sum/tree_atomic, "));
        assert_non_null(strstr(outcome.err, " more at "));
        assert_non_null(strstr(outcome.out, "plain/tree_atomic"));
        outcome_free(&outcome);
    }
}

static void quiet_says_nothing_on_stderr(void **state)
{
    (void)state;
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" run -q" TINY, &outcome);
    assert_int_equal(outcome.code, 0);
    assert_string_equal(outcome.err, "");
    assert_string_not_equal(outcome.out, "");
    outcome_free(&outcome);
    run_line("\"$ULPSCOPE\" -q run" TINY, &outcome);
    assert_string_equal(outcome.err, "");
    outcome_free(&outcome);
    run_line("\"$ULPSCOPE\" run" TINY, &outcome); /* the twin */
    assert_non_null(strstr(outcome.err, "device: "));
    outcome_free(&outcome);
}

static void json_on_stdout_is_alone_there(void **state)
{
    (void)state;
    static const char *const lines[] = {("\"$ULPSCOPE\" run -o out --json -" TINY),
                                        "\"$ULPSCOPE\" exact uniform:n=8 --json -",
                                        "\"$ULPSCOPE\" bench --device host -n 8 --json -"};
    static const char *const schemas[] = {"ulpscope-run/2", "ulpscope-exact/1", "ulpscope-bench/2"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        json_t *root = json_of(lines[i]);
        assert_string_equal(json_string_value(json_object_get(root, "schema")), schemas[i]);
        json_decref(root);
    }
}

static void csv_on_stdout_is_results_csv(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -o out" TINY " && \"$ULPSCOPE\" run -o -" TINY
             " >o.csv && \"$ULPSCOPE\" run --csv -" TINY " >csv.csv");
    assert_same_file("out/results.csv", "o.csv");
    assert_same_file("out/results.csv", "csv.csv");
}

/* More rows than are buffered; what comes behind them is said on stderr. */
static void lines_of_both_streams_stand_in_order_in_one_log(void **state)
{
    (void)state;
#define ROWS_AND_A_COMPLAINT                                                                                           \
    "\"$ULPSCOPE\" bench -q --device host -m '*/serial,*/tree*' -n 64 --repeats 1 --json /dev/full"
    run_fine(ROWS_AND_A_COMPLAINT " >log 2>&1; test $? = 3 && test $(wc -c <log) -gt 8192 && "
                                  "tail -n 1 log | grep '^ulpscope: /dev/full: '");
    run_fine(ROWS_AND_A_COMPLAINT " 2>&1 | cat >piped; tail -n 1 piped | grep '^ulpscope: /dev/full: '");
    run_fine("{ " ROWS_AND_A_COMPLAINT " 2>&3 | cat >>parted; } 3>>parted; grep '^ulpscope: /dev/full: ' parted && "
             "! tail -n 1 parted | grep '^ulpscope: '"); /* the twin: two files, of which one is a pipe */
}

/* Closed streams are not given to the files of the run. */
static void closed_streams_do_not_end_up_in_files(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -o out" TINY " && \"$ULPSCOPE\" run -o other" TINY " 2>&- <&-");
    assert_same_file("out/results.csv", "other/results.csv");
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" run -o third" TINY " >&-", &outcome);
    assert_int_equal(outcome.code, 3);
    assert_same_file("out/results.csv", "third/results.csv");
    outcome_free(&outcome);
}

static void device_is_written_and_not_replaced(void **state)
{
    (void)state;
    run_fine("ln -s /dev/null null.json && \"$ULPSCOPE\" run --json null.json" TINY " && test -L null.json");
    run_fine("mkfifo pipe && { cat pipe >copy & } && \"$ULPSCOPE\" run --csv pipe" TINY
             " && wait && test -p pipe && \"$ULPSCOPE\" run -o -" TINY " | cmp - copy");
}

static void link_stays_and_its_file_is_replaced(void **state)
{
    (void)state;
    run_fine("echo old >real.csv && ln -s real.csv link.csv && \"$ULPSCOPE\" run --csv link.csv" TINY
             " && test -L link.csv && \"$ULPSCOPE\" run -o -" TINY " | cmp - real.csv");
}

/* ---- a pipe that never speaks ---- */

/* The end that writes, once the program has opened the other: until then there is none to write for. */
static int open_for_a_reader(const char *pipe)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    for (;;) {
        const int fd = open(pipe, O_WRONLY | O_NONBLOCK);
        if (fd >= 0 || errno != ENXIO)
            return fd;
        nanosleep(&pause, NULL);
    }
}

/* How it ends with this signal; 0: with an end of the pipe instead, the twin. */
static int end_of_a_silent_pipe(const char *line, int signal)
{
    FILE *said = tmpfile();
    assert_non_null(said);
    const pid_t child = start_line(line, fileno(said), fileno(said));
    const int fd = open_for_a_reader(in_folder("pipe.yaml").text);
    assert_true(fd >= 0);
    if (signal != 0)
        assert_int_equal(kill(child, signal), 0);
    else
        close(fd);
    const int code = wait_for(child);
    if (signal != 0)
        close(fd);
    fclose(said);
    return code;
}

static void silent_pipe_can_be_interrupted(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "exec \"$ULPSCOPE\" run pipe.yaml", "exec \"$ULPSCOPE\" run --study - <pipe.yaml",
        "exec \"$ULPSCOPE\" check out --limits pipe.yaml", "exec \"$ULPSCOPE\" exact - <pipe.yaml"};
    signal(SIGINT, SIG_DFL); /* whoever started this test may ignore it */
    run_fine("\"$ULPSCOPE\" run -q -o out" TINY " && mkfifo pipe.yaml");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(end_of_a_silent_pipe(lines[i], SIGINT), 128 + SIGINT);
        assert_int_equal(end_of_a_silent_pipe(lines[i], 0), 2);
    }
}

/* ---- terminals ---- */

/* A pseudo-terminal, *leader the end that reads; skips the test where there are none, in a bare chroot say. */
static int open_terminal(int *leader)
{
    *leader = posix_openpt(O_RDWR | O_NOCTTY);
    const bool granted = *leader >= 0 && grantpt(*leader) == 0 && unlockpt(*leader) == 0;
    const int terminal = granted ? open(ptsname(*leader), O_RDWR | O_NOCTTY) : -1;
    if (terminal < 0) {
        print_message("skipped: this system gives no pseudo-terminal\n");
        skip();
    }
    return terminal;
}

/* What the program writes to a terminal; the caller frees it. */
static char *seen_on_a_terminal(const char *line)
{
    int leader;
    const int terminal = open_terminal(&leader);
    char *seen = calloc(1, 1 << 16);
    assert_non_null(seen);
    const pid_t child = start_line(line, terminal, terminal);
    close(terminal);
    size_t length = 0;
    for (ssize_t got; length < (1 << 16) - 1 && (got = read(leader, seen + length, (1 << 16) - 1 - length)) > 0;)
        length += (size_t)got;
    close(leader);
    assert_int_equal(wait_for(child), 0);
    return seen;
}

static void no_color_means_no_colour_on_a_terminal(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool coloured;
    } cases[] = {
        {"\"$ULPSCOPE\" run -q" TINY, true},
        {"NO_COLOR= \"$ULPSCOPE\" run -q" TINY, true},
        {"NO_COLOR=1 \"$ULPSCOPE\" run -q" TINY, false},
        {"\"$ULPSCOPE\" --color never run -q" TINY, false},
        {"NO_COLOR=1 \"$ULPSCOPE\" --color=always run -q" TINY, true},
        {"ULPSCOPE_COLOR=never \"$ULPSCOPE\" run -q" TINY, false},
        {"\"$ULPSCOPE\" run -q" TINY " | cat", false},
        {"\"$ULPSCOPE\" --color always run -q" TINY " | cat", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *seen = seen_on_a_terminal(cases[i].line);
        if (!strchr(seen, '\033') == cases[i].coloured)
            fail_msg("%s: %s", cases[i].line, cases[i].coloured ? "no colour" : "colour");
        assert_non_null(strstr(seen, "plain/serial"));
        free(seen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(methods_that_refuse_for_one_reason_share_a_line),
        FACT(quiet_says_nothing_on_stderr),
        FACT(json_on_stdout_is_alone_there),
        FACT(csv_on_stdout_is_results_csv),
        FACT(lines_of_both_streams_stand_in_order_in_one_log),
        FACT(closed_streams_do_not_end_up_in_files),
        FACT(device_is_written_and_not_replaced),
        FACT(link_stays_and_its_file_is_replaced),
        FACT(silent_pipe_can_be_interrupted),
        FACT(no_color_means_no_colour_on_a_terminal),
    };
    forget_variables();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
