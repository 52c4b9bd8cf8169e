/* A disk that is full, and a place that is not ours. */
#include "tests/support/program.h"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

/* Files may not grow beyond 8 KiB in the child, which has to take the error. */
static int in_8_kib(const char *line, struct outcome *outcome)
{
    struct rlimit before;
    if (getrlimit(RLIMIT_FSIZE, &before) != 0)
        return -1;
    const struct rlimit tight = {8192, before.rlim_max};
    if (setrlimit(RLIMIT_FSIZE, &tight) != 0)
        return -1;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    run_line(line, outcome);
    signal(SIGXFSZ, handler);
    return setrlimit(RLIMIT_FSIZE, &before);
}

_Noreturn static void skip_because(const char *reason)
{
    print_message("skipped: %s\n", reason);
    skip();
    abort(); /* not reached; cmocka does not tell the compiler that skip() never returns */
}

static void store_that_cannot_grow_is_told_and_goes_on_later(void **state)
{
    (void)state;
    struct outcome outcome;
    if (in_8_kib("\"$ULPSCOPE\" run -o out -d uniform:n=8 --trials 300", &outcome) != 0)
        skip_because("file sizes cannot be limited here");
    assert_int_equal(outcome.code, 3);
    assert_non_null(strstr(outcome.err, "out/run.db: cannot be written: disk I/O error"));
    assert_string_equal(outcome.out, "");
    assert_false(file_exists("out/results.csv"));
    outcome_free(&outcome);
    run_fine("\"$ULPSCOPE\" run -o out --resume -d uniform:n=8 --trials 300");
    run_fine("\"$ULPSCOPE\" run -o whole -d uniform:n=8 --trials 300");
    assert_same_file("out/results.csv", "whole/results.csv");
}

static void file_that_cannot_grow_leaves_the_old_one(void **state)
{
    (void)state;
    struct outcome outcome;
    put_text("x.npy", "old");
    put_text("r.csv", "old");
    if (in_8_kib("\"$ULPSCOPE\" gen uniform:n=9999 -o x.npy", &outcome) != 0)
        skip_because("file sizes cannot be limited here");
    assert_int_equal(outcome.code, 3);
    assert_non_null(strstr(outcome.err, "x.npy: not written: File too large"));
    outcome_free(&outcome);
    assert_int_equal(in_8_kib("\"$ULPSCOPE\" run --csv r.csv -d uniform:n=8 --trials 300", &outcome), 0);
    assert_int_equal(outcome.code, 3);
    assert_non_null(strstr(outcome.err, "r.csv: not written: File too large"));
    outcome_free(&outcome);
    char *list = output_of("cat x.npy r.csv && ls");
    assert_string_equal(list, "oldoldr.csv\nx.npy\n");
    free(list);
}

/* On a file system of 256 KiB, in a name space of its own that ends with the child. */
static void run_on_small_disk(const char *line, struct outcome *outcome)
{
    assert_int_equal(mkdir(in_folder("disk").text, 0777), 0);
    FILE *out = tmpfile(), *err = tmpfile();
    assert_true(out && err);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
            mount("tmpfs", in_folder("disk").text, "tmpfs", 0, "size=256k") != 0)
            _exit(77);
        _exit(wait_for(start_line(line, fileno(out), fileno(err))));
    }
    outcome->code = wait_for(child);
    outcome->out = take_stream(out);
    outcome->err = take_stream(err);
}

static void full_file_system_is_told_and_goes_on_later(void **state)
{
    (void)state;
    struct outcome outcome;
    run_on_small_disk("\"$ULPSCOPE\" run -o disk/out -d uniform:n=8 --trials 999; code=$?; ls disk/out; "
                      "mkdir rest && cp disk/out/* rest; exit $code",
                      &outcome);
    if (outcome.code == 77) {
        outcome_free(&outcome);
        skip_because("no file system can be mounted here");
    }
    assert_int_equal(outcome.code, 3);
    assert_non_null(strstr(outcome.err, "disk/out/run.db"));
    assert_null(strstr(outcome.out, "results.csv"));
    outcome_free(&outcome);
    run_fine("\"$ULPSCOPE\" run -o rest --resume -d uniform:n=8 --trials 999");
    run_fine("\"$ULPSCOPE\" run -o whole -d uniform:n=8 --trials 999");
    assert_same_file("rest/results.csv", "whole/results.csv");
}

/* As root, who may write everywhere, becomes nobody; 77 when nobody cannot run the program. */
static void run_as_nobody(const char *line, struct outcome *outcome)
{
    enum { NOBODY = 65534 };
    FILE *out = tmpfile(), *err = tmpfile();
    assert_true(out && err);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const bool changed = geteuid() != 0 || (setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
        if (!changed || access(PROGRAM, X_OK) != 0)
            _exit(77);
        _exit(wait_for(start_line(line, fileno(out), fileno(err))));
    }
    outcome->code = wait_for(child);
    outcome->out = take_stream(out);
    outcome->err = take_stream(err);
}

static void read_only_folder_is_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {"run -o ours/out" TINY, "run --csv ours/x.csv" TINY,
                                        "gen uniform:n=8 -o ours/x.npy"};
    assert_int_equal(mkdir(in_folder("ours").text, 0755), 0);
    assert_int_equal(chmod(in_folder("ours").text, 0555), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[256];
        struct outcome outcome;
        snprintf(line, sizeof line, "\"$ULPSCOPE\" %s", lines[i]);
        run_as_nobody(line, &outcome);
        if (outcome.code == 77) {
            outcome_free(&outcome);
            skip_because("the user nobody cannot run the program");
        }
        assert_int_equal(outcome.code, 2);
        assert_non_null(strstr(outcome.err, "Permission denied"));
        outcome_free(&outcome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(store_that_cannot_grow_is_told_and_goes_on_later),
        FACT(file_that_cannot_grow_leaves_the_old_one),
        FACT(full_file_system_is_told_and_goes_on_later),
        FACT(read_only_folder_is_refused),
    };
    forget_variables();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
