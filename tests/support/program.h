/* For tests of the built program from outside: a folder of their own, and a run of a shell line in it.
 *
 *   PROGRAM is the path of ulpscope; in the lines it is called $ULPSCOPE.
 *
 *   struct outcome outcome;
 *   run_line("$ULPSCOPE exact x.npy", &outcome);       outcome.code, .out, .err
 *   outcome_free(&outcome);
 */
#ifndef ULPSCOPE_TESTS_PROGRAM_H
#define ULPSCOPE_TESTS_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own_folder.h"

#define TINY " -d uniform:n=8 --trials 1"

/* Tests start with none of the variables that the program reads. */
static inline void forget_variables(void)
{
    static const char *const names[] = {"ULPSCOPE_DEVICE",
                                        "ULPSCOPE_JOBS",
                                        "ULPSCOPE_SEED",
                                        "ULPSCOPE_BLOCKS",
                                        "ULPSCOPE_THREADS",
                                        "ULPSCOPE_COLOR",
                                        "ULPSCOPE_REPEATS",
                                        "ULPSCOPE_SPEED",
                                        "ULPSCOPE_BASELINES",
                                        "NO_COLOR",
                                        "CI"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

static inline void put_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(in_folder(name).text, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void put_text(const char *name, const char *text)
{
    put_file(name, text, strlen(text));
}

/* The whole of a file, with a 0 behind it; the caller frees it. */
static inline char *take_stream(FILE *file)
{
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    assert_non_null(text);
    rewind(file);
    for (size_t got; (got = fread(text + size, 1, room - size, file)) > 0;) {
        size += got;
        if (size == room) {
            room *= 2;
            text = realloc(text, room + 1);
            assert_non_null(text);
        }
    }
    text[size] = '\0';
    fclose(file);
    return text;
}

/* NULL when there is no such file. */
static inline char *take_file(const char *name)
{
    FILE *file = fopen(in_folder(name).text, "r");
    return file ? take_stream(file) : NULL;
}

static inline bool file_exists(const char *name)
{
    return access(in_folder(name).text, F_OK) == 0;
}

struct outcome {
    int code; /* the exit status; 128 + the signal */
    char *out, *err;
};

static inline void outcome_free(struct outcome *outcome)
{
    free(outcome->out);
    free(outcome->err);
    *outcome = (struct outcome){0};
}

/* Starts /bin/sh -c line in the folder; what it execs ends with the test, however that ends. */
static inline pid_t start_line(const char *line, int out, int err)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && chdir(folder) == 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(err, STDERR_FILENO) >= 0 && setenv("ULPSCOPE", PROGRAM, 1) == 0)
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(126);
}

static inline int wait_for(pid_t child)
{
    int state;
    assert_int_equal(waitpid(child, &state, 0), child);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

static inline void run_line(const char *line, struct outcome *outcome)
{
    FILE *out = tmpfile(), *err = tmpfile();
    assert_true(out && err);
    outcome->code = wait_for(start_line(line, fileno(out), fileno(err)));
    outcome->out = take_stream(out);
    outcome->err = take_stream(err);
}

/* The same for a line that must succeed; its stdout, which the caller frees. */
static inline char *output_of(const char *line)
{
    struct outcome outcome;
    run_line(line, &outcome);
    if (outcome.code != 0)
        fail_msg("%s: exit %d: %s", line, outcome.code, outcome.err);
    char *out = outcome.out;
    outcome.out = NULL;
    outcome_free(&outcome);
    return out;
}

static inline void run_fine(const char *line)
{
    free(output_of(line));
}

/* A line that must fail with this exit code and these words on stderr. */
static inline void assert_refused(const char *line, int code, const char *words)
{
    struct outcome outcome;
    run_line(line, &outcome);
    if (outcome.code != code || !strstr(outcome.err, words))
        fail_msg("%s: exit %d: %s", line, outcome.code, outcome.err);
    outcome_free(&outcome);
}

static inline void assert_same_file(const char *left, const char *right)
{
    char *a = take_file(left), *b = take_file(right);
    if (!a || !b || strcmp(a, b) != 0)
        fail_msg("%s and %s are not the same, or not there", left, right);
    free(a);
    free(b);
}

/* Whether a locale is installed, asked in a process of its own: glibc 2.36 loses the path in LOCPATH each time. */
static inline bool has_locale(const char *name)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(newlocale(LC_ALL_MASK, name, NULL) ? 0 : 1);
    return wait_for(child) == 0;
}

/* NULL: it needs none. */
static inline void skip_without_locale(const char *name)
{
    if (!name || has_locale(name))
        return;
    print_message("skipped: the locale %s is not installed here\n", name);
    skip();
}

/* A test in a folder of its own. */
#define FACT(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

/* The same, whose state is a row of a table. */
static inline struct CMUnitTest test_of_row(const char *name, CMUnitTestFunction test, const void *row)
{
    return (struct CMUnitTest){.name = name,
                               .test_func = test,
                               .setup_func = make_folder,
                               .teardown_func = remove_folder,
                               .initial_state = (void *)(uintptr_t)row};
}

/* ---- the list of a program that has tables: ADD_FACTS(facts); ADD_ROWS(refusals, is_refused); return run_all_tests();
 * ---- */

static struct CMUnitTest all_tests[512]; /* cmocka passes over those that are not there */
static size_t test_count;

static inline void add_facts(const struct CMUnitTest *facts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        all_tests[test_count++] = facts[i];
}

/* Rows that begin with the name of the fact. */
static inline void add_rows(const void *rows, size_t count, size_t size, CMUnitTestFunction test)
{
    for (size_t i = 0; i < count; i++) {
        const char *row = (const char *)rows + i * size, *name;
        memcpy(&name, row, sizeof name);
        all_tests[test_count++] = test_of_row(name, test, row);
    }
}

#define ADD_FACTS(facts) add_facts(facts, sizeof(facts) / sizeof *(facts))
#define ADD_ROWS(rows, test) add_rows(rows, sizeof(rows) / sizeof *(rows), sizeof *(rows), test)

static inline int run_all_tests(void)
{
    forget_variables();
    return cmocka_run_group_tests(all_tests, NULL, NULL);
}

#endif
