/* A run that is killed at any moment goes on with --resume to the bytes of a run that was not; what is there in between
 * is whole. */
#include "tests/support/database.h"
#include "tests/support/json_output.h"
#include "tests/support/random.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <time.h>

enum { KILLS = 24, METHODS_RUN = 2 };

#define STUDY                                                                                                          \
    "-m naive -m kahan -d 'uniform:n=1Ki..16Ki*4' -d gensum:n=256,cond=1e8 --trials 100"                               \
    " -d harmonic:n=1000 --permutations 100"

/* ---- time and chance ---- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void sleep_for(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

/* From 0 to 1. */
static double next_fraction(void)
{
    return (double)(next_random() >> 11) * 0x1p-53;
}

/* ---- a run and a signal ---- */

static pid_t start_quietly(const char *line)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    assert_true(nowhere >= 0);
    const pid_t child = start_line(line, nowhere, nowhere);
    close(nowhere);
    return child;
}

/* True when the signal came before the end. */
static bool run_and_kill_after(const char *line, double seconds)
{
    const pid_t child = start_quietly(line);
    sleep_for(seconds);
    assert_int_equal(kill(child, SIGKILL), 0); /* it is ours until it is waited for */
    const int code = wait_for(child);
    assert_true(code == 0 || code == 128 + SIGKILL);
    return code != 0;
}

/* ---- what is there after a kill ---- */

static int64_t integer_of(sqlite3 *database, const char *sql)
{
    sqlite3_stmt *statement;
    int64_t value = -1;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK)
        return -1;
    if (sqlite3_step(statement) == SQLITE_ROW)
        value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

/* Opens run.db as anyone would; the number of its cases, 0 when the run had not come to that.  Every case has all of
 * its rows. */
static int64_t count_cases(const char *name)
{
    sqlite3 *database;
    sqlite3_stmt *check;
    if (!file_exists(name))
        return 0;
    assert_int_equal(sqlite3_open_v2(in_folder(name).text, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, "PRAGMA integrity_check", -1, &check, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(check), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(check, 0), "ok");
    sqlite3_finalize(check);
    const int64_t cases = integer_of(database, "SELECT count(*) FROM cases");
    if (cases > 0)
        assert_int_equal(integer_of(database, "SELECT count(*) FROM results"), METHODS_RUN * cases);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
    return cases > 0 ? cases : 0;
}

static void assert_absent_or_same(const char *name, const char *whole)
{
    if (file_exists(name))
        assert_same_file(name, whole);
}

static void assert_absent_or_ends_with(const char *name, const char *end)
{
    char *text = take_file(name);
    if (!text)
        return;
    assert_true(strlen(text) > strlen(end));
    assert_string_equal(text + strlen(text) - strlen(end), end);
    free(text);
}

static void assert_nothing_is_half_written(void)
{
    assert_absent_or_same("out/results.csv", "whole/results.csv");
    assert_absent_or_same("out/summary.csv", "whole/summary.csv");
    assert_absent_or_ends_with("out/report.html", "</html>\n");
    if (file_exists("out/run.json"))
        json_decref(json_of_file("out/run.json"));
}

/* ---- facts ---- */

/* What a disk of 800 KB, 1,600 blocks, has room for the beginning of, however many cases a transaction has: the largest
 * takes 600 KB of SQLite's log, and all cases at least 1,100. */
#define MANY_CASES STUDY " --trials 1000"
#define SMALL_DISK "trap '' XFSZ; ulimit -f 1600; "
enum { MANY = 4101 };

/* Little of it is spent before and behind the cases. */
#define MOSTLY_CASES STUDY " --speed 0 --trials 200"

static void killed_run_goes_on_to_the_same_bytes(void **state)
{
    (void)state;
    size_t in_the_middle = 0, killed = 0;
    double whole_time = now();
    run_fine("\"$ULPSCOPE\" run -q -o whole " MOSTLY_CASES);
    whole_time = now() - whole_time;
    const int64_t all = count_cases("whole/run.db");
    assert_true(all > 100);
    for (int i = 0; i < KILLS || killed < KILLS / 2 || in_the_middle == 0; i++) {
        const int rounds = i % 4 == 3 ? 3 : 1; /* some are killed again and again */
        for (int round = 0; round < rounds; round++) {
            const double after = next_fraction() * whole_time;
            const bool first = round == 0;
            const bool in_time = run_and_kill_after(first ? "exec \"$ULPSCOPE\" run -o out " MOSTLY_CASES
                                                          : "exec \"$ULPSCOPE\" run --resume -o out " MOSTLY_CASES,
                                                    after);
            whole_time *= in_time ? 1.05 : 0.8; /* the machine may be less busy than it was: most kills are in time */
            killed += in_time;
            assert_nothing_is_half_written();
            if (i % 2 == 0) { /* else the log of SQLite is left to --resume */
                const int64_t cases = count_cases("out/run.db");
                in_the_middle += cases > 0 && cases < all;
            }
        }
        run_fine("\"$ULPSCOPE\" run -q --resume -o out " MOSTLY_CASES);
        assert_same_file("out/results.csv", "whole/results.csv");
        assert_same_file("out/summary.csv", "whole/summary.csv");
        assert_int_equal(count_cases("out/run.db"), all);
        assert_false(file_exists("out/run.db-wal"));
        remove_tree(in_folder("out").text);
    }
    print_message("%zu kills before the end, %zu of those looked at were amid the cases\n", killed, in_the_middle);
}

static bool is_running(pid_t child)
{
    siginfo_t end = {0};
    assert_int_equal(waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT), 0);
    return end.si_pid == 0;
}

/* Starts a run that takes long, and waits until it has stored cases, or is over; what comes before them is less than
 * 100 kB. */
static pid_t start_long_run(const char *line, const char *log, int err)
{
    struct stat facts = {0};
    const int nowhere = open("/dev/null", O_WRONLY);
    assert_true(nowhere >= 0);
    const pid_t child = start_line(line, nowhere, err);
    close(nowhere);
    while ((stat(in_folder(log).text, &facts) != 0 || facts.st_size <= 300000) && is_running(child))
        sleep_for(0.002);
    return child;
}

/* Longer than any test waits. */
#define LONG "-m naive -m kahan -d uniform:n=256 --trials 10000000"
#define LESS "-m naive -m kahan -d uniform:n=4096 --trials 4000"

static void assert_interrupted_by(int number)
{
    FILE *err = tmpfile();
    assert_non_null(err);
    const pid_t child = start_long_run("exec \"$ULPSCOPE\" run -o out " LONG, "out/run.db-wal", fileno(err));
    assert_int_equal(kill(child, number), 0);
    assert_int_equal(wait_for(child), 130);
    char *said = take_stream(err);
    assert_non_null(strstr(said, "interrupted after "));
    assert_non_null(strstr(said, " of 10000000 cases; they are kept: `ulpscope report out` shows them, "));
    free(said);
    assert_true(count_cases("out/run.db") > 0);
    assert_false(file_exists("out/results.csv"));
    assert_false(file_exists("out/run.db-wal"));
}

static void sigint_gives_130_and_a_hint(void **state)
{
    (void)state;
    assert_interrupted_by(SIGINT);
}

static void sigterm_gives_130_and_a_hint(void **state)
{
    (void)state;
    assert_interrupted_by(SIGTERM);
}

static void interrupted_run_goes_on_to_the_same_bytes(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q -o whole " LESS);
    FILE *err = tmpfile();
    assert_non_null(err);
    const pid_t child = start_long_run("exec \"$ULPSCOPE\" run -o out " LESS, "out/run.db-wal", fileno(err));
    (void)kill(child, SIGINT);
    const int code = wait_for(child);
    assert_true(code == 130 || code == 0);
    fclose(err);
    run_fine("\"$ULPSCOPE\" run -q --resume -o out " LESS);
    assert_same_file("out/results.csv", "whole/results.csv");
}

/* Without moving the place where the child writes. */
static void wait_until_said(pid_t child, FILE *err, const char *words)
{
    char said[4096] = "";
    while (!strstr(said, words) && is_running(child)) {
        sleep_for(0.002);
        const ssize_t count = pread(fileno(err), said, sizeof said - 1, 0);
        said[count > 0 ? count : 0] = '\0';
    }
}

/* Starts a run that waits for an answer of `slow`, which a folder mounted noexec may hold, interrupts it and waits
 * until it says so. */
static pid_t interrupt_a_slow_sum(FILE *err)
{
    assert_non_null(err);
    run_fine("echo 'cat >numbers; echo >>asked; until test -e go; do sleep 0.01; done; echo 1' >slow; rm -f asked go");
    const pid_t child = start_line("exec \"$ULPSCOPE\" run -q --pipe 'text:sh slow' --timeout 500 -m 'pipe/*' "
                                   "-d uniform:n=8 --trials 5 -o out",
                                   fileno(err), fileno(err));
    while (!file_exists("asked") && is_running(child))
        sleep_for(0.002);
    assert_int_equal(kill(child, SIGINT), 0);
    wait_until_said(child, err, "ulpscope: ending after the sums in hand; again to end now\n");
    assert_true(is_running(child));
    return child;
}

static void interrupt_is_answered_at_once_and_asks_nothing_more(void **state)
{
    (void)state;
    FILE *err = tmpfile();
    const pid_t child = interrupt_a_slow_sum(err);
    put_text("go", "");
    assert_int_equal(wait_for(child), 130);
    char *said = take_stream(err);
    assert_non_null(strstr(said, "interrupted after 0 of 5 cases"));
    assert_null(strstr(said, "kept")); /* there is nothing */
    free(said);
    run_fine("test \"$(wc -l <asked)\" = 1");
    run_fine("rm asked; \"$ULPSCOPE\" run -q --pipe 'text:sh slow' -m 'pipe/*' " TINY " 2>told;" /* the twin */
             "test \"$(wc -l <asked)\" -gt 1 && ! grep 'ending after' told");
}

static void second_interrupt_ends_what_hangs(void **state)
{
    (void)state;
    FILE *err = tmpfile();
    const pid_t child = interrupt_a_slow_sum(err);
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(wait_for(child), 128 + SIGINT);
    char *said = take_stream(err);
    assert_null(strstr(said, "interrupted after"));
    free(said);
}

static void interrupted_run_without_a_folder_is_kept(void **state)
{
    (void)state;
    FILE *out = tmpfile(), *err = tmpfile();
    assert_true(out && err);
    const pid_t child = start_line("exec \"$ULPSCOPE\" run " LONG, fileno(out), fileno(err));
    wait_until_said(child, err, " left\n"); /* progress, of cases that are done */
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(wait_for(child), 130);
    char *results = take_stream(out), *said = take_stream(err);
    assert_non_null(strstr(said, "interrupted after "));
    assert_string_equal(results, "");
    assert_non_null(strstr(said, "with -o ulpscope-interrupted --resume continues"));
    assert_true(count_cases("ulpscope-interrupted/run.db") > 0);
    run_fine("\"$ULPSCOPE\" report ulpscope-interrupted | grep -q '^Incomplete: '");
    free(results);
    free(said);
}

static void resume_of_a_finished_run_changes_nothing(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q -o out -d uniform:n=64 --trials 9 && mkdir before && cp out/*.csv before && "
             "\"$ULPSCOPE\" run -q --resume -o out -d uniform:n=64 --trials 9");
    assert_same_file("out/results.csv", "before/results.csv");
    assert_same_file("out/summary.csv", "before/summary.csv");
}

static void resume_takes_other_jobs_and_other_exports(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q -o out -d uniform:n=64 --trials 9 && "
             "\"$ULPSCOPE\" run -q --jobs 3 --csv x.csv --resume -o out -d uniform:n=64 --trials 9");
    assert_same_file("out/results.csv", "x.csv");
}

static void resume_of_nothing_begins(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q --resume -o out -d uniform:n=64 --trials 9 && "
             "\"$ULPSCOPE\" run -q -o whole -d uniform:n=64 --trials 9");
    assert_same_file("out/results.csv", "whole/results.csv");
}

static void overwrite_replaces(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q -o out -d uniform:n=64 --trials 9 && "
             "\"$ULPSCOPE\" run -q --overwrite -o out -d uniform:n=32 --trials 5 --seed 2 && "
             "\"$ULPSCOPE\" run -q -o fresh -d uniform:n=32 --trials 5 --seed 2");
    assert_same_file("out/results.csv", "fresh/results.csv");
    assert_same_file("out/summary.csv", "fresh/summary.csv");
}

#define OLD "-m naive -d normal:n=32 --trials 7"

/* The reports and the run of OLD, whatever else is there. */
static void assert_old_run_is_there(void)
{
    assert_same_file("out/results.csv", "old/results.csv");
    assert_same_file("out/report.html", "old/report.html");
    run_fine("\"$ULPSCOPE\" report out --csv read.csv >/dev/null");
    assert_same_file("read.csv", "old/results.csv");
}

static void overwrite_that_is_killed_leaves_the_run_before(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q -o out " OLD " && cp -r out old && \"$ULPSCOPE\" run -q -o whole " STUDY);
    double whole_time = now();
    run_fine("\"$ULPSCOPE\" run -q --overwrite -o again " STUDY);
    whole_time = now() - whole_time;
    int seen = 0; /* with both runs there */
    for (int i = 0; i < KILLS / 4 || seen < 2; i++) {
        const bool in_time =
            run_and_kill_after("exec \"$ULPSCOPE\" run --overwrite -o out " STUDY, next_fraction() * whole_time);
        if (!in_time || !file_exists("out/.ulpscope/run.db") || file_exists("out/.ulpscope/files.new")) {
            whole_time *= in_time ? 1.05 : 0.8;
            run_fine("rm -rf out && cp -r old out"); /* too early or too late */
            continue;
        }
        assert_old_run_is_there();
        if (seen++ % 2 == 0) { /* a command that has nothing to do with it leaves it alone */
            run_fine("\"$ULPSCOPE\" report out -o out");
            assert_old_run_is_there();
        }
        run_fine("\"$ULPSCOPE\" run -q --resume -o out " STUDY " || \"$ULPSCOPE\" run -q --overwrite -o out " STUDY);
        assert_same_file("out/results.csv", "whole/results.csv");
        assert_false(file_exists("out/.ulpscope/run.db"));
        run_fine("rm -rf out && cp -r old out");
    }
}

static void overwrite_that_is_interrupted_is_kept_beside_the_run_before(void **state)
{
    (void)state;
    FILE *err = tmpfile();
    assert_non_null(err);
    run_fine("\"$ULPSCOPE\" run -q -o out " OLD " && cp -r out old");
    const pid_t child =
        start_long_run("exec \"$ULPSCOPE\" run --overwrite -o out " LONG, "out/.ulpscope/run.db-wal", fileno(err));
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(wait_for(child), 130);
    char *said = take_stream(err);
    assert_non_null(
        strstr(said, "`ulpscope report out/.ulpscope` shows them, the same command with -o out --resume in "
                     "place of --overwrite continues; until it is complete, the previous run stays in its place"));
    free(said);
    assert_old_run_is_there();
    run_fine("\"$ULPSCOPE\" report out/.ulpscope | grep -q '^Incomplete: '");
    run_fine("\"$ULPSCOPE\" run -q --resume -o out " OLD " && test -s out/.ulpscope/run.db"); /* not that one */
    assert_same_file("out/results.csv", "old/results.csv");
}

static void overwrite_on_a_full_disk_leaves_the_run_before(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q -o out " OLD " && cp -r out old");
    run_fine(SMALL_DISK "\"$ULPSCOPE\" run -q --jobs 1 --speed 0 --overwrite -o out " MANY_CASES
                        " >/dev/null 2>told; test $? = 3");
    assert_old_run_is_there();
    run_fine("trap '' XFSZ; ulimit -f 8; \"$ULPSCOPE\" report out -o out >/dev/null 2>told; test $? = 3 &&"
             "grep -q 'out: its reports are as they were' told");
    assert_old_run_is_there();
    run_fine("\"$ULPSCOPE\" run -q --resume --speed 0 -o out " MANY_CASES
             " && \"$ULPSCOPE\" run -q --speed 0 -o whole " MANY_CASES);
    assert_same_file("out/results.csv", "whole/results.csv");
}

/* `make` writes x.f32, `change` changes it after a run. */
static void assert_change_is_refused(const char *make, const char *change)
{
    char line[256];
    struct outcome outcome;
    snprintf(line, sizeof line,
             "%s && \"$ULPSCOPE\" run -q -o out -d x.f32 && \"$ULPSCOPE\" run -q --resume -o out -d x.f32 && %s", make,
             change);
    run_fine(line);
    run_line("\"$ULPSCOPE\" run -q --resume -o out -d x.f32", &outcome);
    assert_int_equal(outcome.code, 2);
    assert_non_null(strstr(outcome.err, "holds another study"));
    outcome_free(&outcome);
}

static void resume_refuses_a_data_file_that_has_changed(void **state)
{
    (void)state;
    assert_change_is_refused("printf '1\\n2\\n' > x.f32", "printf '1\\n3\\n' > x.f32");
}

static void resume_refuses_a_large_file_that_has_changed_at_its_end(void **state)
{
    (void)state;
    assert_change_is_refused("seq 40000 > x.f32", "sed -i '$s/40000/40001/' x.f32");
}

static void overwrite_leaves_no_picture_of_the_run_before(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q -o out -d normal:n=32 --trials 5 && touch out/svg/histogram-9-normal.svg && "
             "test -s out/svg/histogram-1-normal.svg && "
             "\"$ULPSCOPE\" run -q --overwrite -o out -d uniform:n=32 --trials 5");
    assert_false(file_exists("out/svg/histogram-1-normal.svg"));
    assert_false(file_exists("out/svg/histogram-1-normal.csv"));
    assert_true(file_exists("out/svg/histogram-1-uniform.svg"));
    assert_true(file_exists("out/svg/histogram-9-normal.svg")); /* of this name alone, and not ours */
}

static void overwrite_of_what_is_no_database_replaces(void **state)
{
    (void)state;
    run_fine("mkdir out && echo 'no database at all, but a text' >out/run.db && "
             "\"$ULPSCOPE\" run -q --overwrite -o out -d uniform:n=32 --trials 5");
    assert_int_equal(file_exists("out/results.csv"), true);
}

/* The first case that cannot be stored ends the run; what was stored before it stays. */
static void full_disk_is_told_once_and_the_run_goes_on_later(void **state)
{
    (void)state;
    run_fine(SMALL_DISK "\"$ULPSCOPE\" run -q --jobs 1 --speed 0 -o out " MANY_CASES " >/dev/null 2>told; test $? = 3");
    run_fine(
        "test \"$(grep -c 'cannot be written.*; what was stored before is whole, --resume continues$' told)\" = 1");
    run_fine("trap '' XFSZ; ulimit -f 16; "
             "\"$ULPSCOPE\" run -q --jobs 1 --speed 0 -o none " MANY_CASES " >/dev/null 2>told; test $? = 3 && "
             "grep -q 'cannot be written.*; no case was stored before$' told && test ! -e none");
    const int64_t before = count_cases("out/run.db");
    assert_true(before > 0 && before < MANY);
    run_fine("\"$ULPSCOPE\" run -q --resume --speed 0 -o out " MANY_CASES);
    assert_int_equal(count_cases("out/run.db"), MANY);
}

#define FEW "-m naive -m kahan -d uniform:n=64 --trials 100"

/* SQLite's log has room for what is new, but the file that takes it over at the end has not: large already, it may not
 * grow. */
static void disk_that_is_full_at_the_end_is_told(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q --speed 0 -o out " FEW " && cp out/results.csv .");
    const int64_t all = count_cases("out/run.db");
    change_run("out/run.db", "UPDATE specs SET unordered = printf('%.*c', 8 << 20, 'x');"
                             "DELETE FROM results WHERE trial > 0; DELETE FROM cases WHERE case_index > 0; VACUUM");
    run_fine("trap '' XFSZ; ulimit -f $(($(stat -c %s out/run.db) / 512)); "
             "\"$ULPSCOPE\" run -q --resume --speed 0 -o out " FEW " >/dev/null 2>told; test $? = 3");
    run_fine("test \"$(grep -c 'out/run.db: cannot be written' told)\" = 1");
    assert_int_equal(count_cases("out/run.db"), all);
    run_fine("\"$ULPSCOPE\" run -q --resume --speed 0 -o out " FEW);
    assert_same_file("out/results.csv", "results.csv");
}

static void two_runs_do_not_share_a_folder(void **state)
{
    (void)state;
    static const char *const others[] = {
        "\"$ULPSCOPE\" run -q -o out " LONG,
        "\"$ULPSCOPE\" run -q --resume -o out " LONG,
        "\"$ULPSCOPE\" run -q --overwrite -o out " LESS,
        "\"$ULPSCOPE\" report other -o out",
        "\"$ULPSCOPE\" report other --svg out",
        "\"$ULPSCOPE\" baseline save new other --baselines out",
    };
    char expected[64];
    run_fine("\"$ULPSCOPE\" run -q -o other --speed 0 " TINY);
    const pid_t child = start_long_run("exec \"$ULPSCOPE\" run -q -o out " LONG, "out/run.db-wal", STDERR_FILENO);
    assert_int_equal(kill(child, SIGSTOP), 0); /* so that it is there until the others have ended */
    snprintf(expected, sizeof expected, "out: another ulpscope (pid %ld) writes here; ", (long)child);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_refused(others[i], 2, expected);
    assert_refused("\"$ULPSCOPE\" report other --svg out/svg", 2, "out/svg/..: another ulpscope (pid ");
    run_fine("[ \"$(ls -A out | tr '\\n' ' ')\" = '.ulpscope .ulpscope.lock run.db run.db-wal ' ]");
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(wait_for(child), 128 + SIGKILL);
    assert_true(count_cases("out/run.db") > 0);
}

int main(void)
{
    static const struct CMUnitTest facts[] = {
        FACT(killed_run_goes_on_to_the_same_bytes),
        FACT(sigint_gives_130_and_a_hint),
        FACT(sigterm_gives_130_and_a_hint),
        FACT(interrupted_run_goes_on_to_the_same_bytes),
        FACT(interrupted_run_without_a_folder_is_kept),
        FACT(interrupt_is_answered_at_once_and_asks_nothing_more),
        FACT(second_interrupt_ends_what_hangs),
        FACT(resume_of_a_finished_run_changes_nothing),
        FACT(resume_takes_other_jobs_and_other_exports),
        FACT(resume_of_nothing_begins),
        FACT(overwrite_replaces),
        FACT(overwrite_that_is_killed_leaves_the_run_before),
        FACT(overwrite_that_is_interrupted_is_kept_beside_the_run_before),
        FACT(overwrite_on_a_full_disk_leaves_the_run_before),
        FACT(overwrite_of_what_is_no_database_replaces),
        FACT(resume_refuses_a_data_file_that_has_changed),
        FACT(resume_refuses_a_large_file_that_has_changed_at_its_end),
        FACT(overwrite_leaves_no_picture_of_the_run_before),
        FACT(full_disk_is_told_once_and_the_run_goes_on_later),
        FACT(disk_that_is_full_at_the_end_is_told),
        FACT(two_runs_do_not_share_a_folder),
    };
    forget_variables();
    return cmocka_run_group_tests_name("resume", facts, NULL, NULL);
}
