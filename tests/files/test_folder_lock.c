/* One process at a time has a folder; who is refused leaves no trace, nor does who was killed keep anybody out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/files/folder_lock.h"
#include "tests/support/heard.h"
#include "tests/support/own_folder.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* ---- another process ---- */

struct other {
    pid_t pid;
    int end; /* of a pipe: closed, it releases its lock */
};

/* Has the lock once this returns. */
static struct other take_elsewhere(const char *name)
{
    int started[2], end[2];
    char byte;
    assert_int_equal(pipe(started) + pipe(end), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct folder_lock lock;
        close(end[1]);
        if (folder_lock_take(&lock, name) != OK || write(started[1], "", 1) != 1)
            _exit(1);
        (void)!read(end[0], &byte, 1);
        folder_lock_release(&lock);
        _exit(0);
    }
    close(end[0]);
    close(started[1]);
    assert_int_equal(read(started[0], &byte, 1), 1);
    close(started[0]);
    return (struct other){child, end[1]};
}

static int end_of(const struct other *other)
{
    int state;
    close(other->end);
    assert_int_equal(waitpid(other->pid, &state, 0), other->pid);
    return state;
}

/* The lock cannot be had, for this reason. */
static void assert_refused(const char *name, const char *words)
{
    struct folder_lock lock;
    struct heard heard = listen_to_stderr();
    const enum status status = folder_lock_take(&lock, name);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    assert_non_null(strstr(heard.text, words));
}

static void assert_is_free(const char *name)
{
    struct folder_lock lock;
    assert_int_equal(folder_lock_take(&lock, name), OK);
    folder_lock_release(&lock);
}

/* ---- facts ---- */

static void second_is_refused_by_the_pid_of_the_first(void **state)
{
    (void)state;
    char expected[64];
    const struct other other = take_elsewhere("out");
    snprintf(expected, sizeof expected, "out: another ulpscope (pid %ld) writes here; ", (long)other.pid);
    assert_refused("out", expected);
    assert_int_equal(access("out/.ulpscope.lock", F_OK), 0);
    assert_int_equal(end_of(&other), 0);
    assert_int_equal(access("out", F_OK), -1); /* who made it removed it again */
    assert_is_free("out");
}

static void lock_of_a_killed_process_is_nobodys(void **state)
{
    (void)state;
    const struct other other = take_elsewhere("out");
    assert_int_equal(kill(other.pid, SIGKILL), 0);
    (void)end_of(&other);
    assert_int_equal(access("out/.ulpscope.lock", F_OK), 0);
    assert_is_free("out");
    assert_int_equal(rmdir("out"), 0); /* its file is gone */
}

static void lock_that_is_taken_twice_is_released_once(void **state)
{
    (void)state;
    struct folder_lock outer, inner;
    assert_int_equal(folder_lock_take(&outer, "out"), OK);
    assert_int_equal(folder_lock_take(&inner, "./out/"), OK);
    folder_lock_release(&inner);
    assert_int_equal(access("out/.ulpscope.lock", F_OK), 0);
    folder_lock_release(&outer);
    assert_int_equal(access("out", F_OK), -1);
}

static void folder_that_was_there_stays(void **state)
{
    (void)state;
    assert_int_equal(mkdir("out", 0777), 0);
    assert_is_free("out");
    assert_int_equal(rmdir("out"), 0);
}

static void folder_of_a_file_is_locked(void **state)
{
    (void)state;
    struct folder_lock lock;
    const struct other other = take_elsewhere("a/b");
    struct heard heard = listen_to_stderr();
    const enum status status = folder_lock_take_of(&lock, "a/b/main.json");
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    assert_int_equal(end_of(&other), 0);
    assert_int_equal(rmdir("a"), 0);
}

/* Each adds 1 to a number, which none would miss. */
static void many_at_once_have_it_one_by_one(void **state)
{
    (void)state;
    enum { PROCESSES = 8, TIMES = 50 };
    pid_t children[PROCESSES];
    assert_int_equal(mkdir("out", 0777), 0);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        for (int done = 0; children[i] == 0;) {
            struct folder_lock lock;
            FILE *nowhere = freopen("/dev/null", "w", stderr);
            if (done == TIMES || !nowhere)
                _exit(done != TIMES);
            if (folder_lock_take(&lock, "out") != OK)
                continue;
            int number = 0;
            FILE *file = fopen("number", "r");
            if (file && fscanf(file, "%d", &number) == 1)
                fclose(file);
            file = fopen("number", "w");
            fprintf(file, "%d", number + 1);
            fclose(file);
            folder_lock_release(&lock);
            done++;
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    int number = 0;
    FILE *file = fopen("number", "r");
    assert_true(file && fscanf(file, "%d", &number) == 1);
    fclose(file);
    assert_int_equal(number, PROCESSES * TIMES);
    unlink("number");
    assert_int_equal(rmdir("out"), 0);
}

static void place_that_takes_no_file_is_told(void **state)
{
    (void)state;
    assert_int_equal(mkdir("out", 0777), 0);
    assert_int_equal(mkdir("out/.ulpscope.lock", 0777), 0);
    assert_refused("out", "out/.ulpscope.lock: cannot be locked: Is a directory; ");
    assert_int_equal(rmdir("out/.ulpscope.lock") + rmdir("out"), 0);
    assert_refused("/proc", "/proc: no file can be made there; ");
}

int main(void)
{
#define LOCK_FACT(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)
    const struct CMUnitTest facts[] = {
        LOCK_FACT(second_is_refused_by_the_pid_of_the_first),
        LOCK_FACT(lock_of_a_killed_process_is_nobodys),
        LOCK_FACT(lock_that_is_taken_twice_is_released_once),
        LOCK_FACT(folder_that_was_there_stays),
        LOCK_FACT(folder_of_a_file_is_locked),
        LOCK_FACT(many_at_once_have_it_one_by_one),
        LOCK_FACT(place_that_takes_no_file_is_told),
    };
    return cmocka_run_group_tests(facts, NULL, NULL);
}
