/* Files that appear whole or not at all. */
#include "src/files/output.h"

#include "src/base/interrupts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/files/claim.h"
#include "tests/support/own_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t count_files(void)
{
    size_t count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (const struct dirent *entry = readdir(here); entry; entry = readdir(here))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(here);
    return count;
}

static struct output write_text(const char *path)
{
    struct output out;
    assert_int_equal(output_open(&out, path), OK);
    fputs("text", out.file);
    return out;
}

static void a_file_is_there_when_it_is_closed(void **state)
{
    (void)state;
    struct stat facts;
    struct output out = write_text("f");
    assert_int_not_equal(stat("f", &facts), 0);
    assert_int_equal(output_close(&out), OK);
    assert_int_equal(stat("f", &facts), 0);
    assert_int_equal(facts.st_size, 4);
    assert_int_equal(count_files(), 1);
    unlink("f");
}

static void what_is_thrown_away_leaves_nothing(void **state)
{
    (void)state;
    struct output out = write_text("f");
    assert_int_equal(count_files(), 1); /* under another name */
    assert_int_equal(output_end(&out, BAD_INPUT), BAD_INPUT);
    assert_int_equal(count_files(), 0);
}

/* mkstemp alone would keep it from others. */
static void a_file_may_be_read_by_whom_umask_lets(void **state)
{
    (void)state;
    static const mode_t masks[] = {0, 022, 077};
    const mode_t before = umask(0);
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        struct stat facts;
        umask(masks[i]);
        struct output out = write_text("f");
        assert_int_equal(output_close(&out), OK);
        assert_int_equal(stat("f", &facts), 0);
        assert_int_equal(facts.st_mode & 0777, 0666 & ~masks[i]);
        unlink("f");
    }
    umask(before);
}

/* A file in a folder of its own, since one process looks once: it is there after an output beside it. */
static bool survives(const char *name, bool locked)
{
    static int places;
    char place[32], path[64], output[64];
    snprintf(place, sizeof place, "d%d", places++);
    snprintf(path, sizeof path, "%s/%s", place, name);
    snprintf(output, sizeof output, "%s/f", place);
    assert_int_equal(mkdir(place, 0777), 0);
    const int file = open(path, O_RDWR | O_CREAT, 0600);
    assert_true(file >= 0);
    assert_int_equal(locked ? flock(file, LOCK_EX) : 0, 0);
    struct output out = write_text(output);
    assert_int_equal(output_close(&out), OK);
    const bool there = access(path, F_OK) == 0;
    close(file);
    unlink(path);
    unlink(output);
    rmdir(place);
    return there;
}

static void what_a_killed_process_left_is_swept_and_nothing_else(void **state)
{
    (void)state;
    static const char *const others[] = {".ulpscope-Abc12",  ".ulpscope-Abc1234", "ulpscope-Abc123",
                                         ".ulpscope.Abc123", ".ulpscope.lock",    "f.Abc123"};
    assert_false(survives(".ulpscope-Abc123", false));
    assert_true(survives(".ulpscope-Abc123", true));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(survives(others[i], false));
    assert_int_equal(mkdir("d", 0777), 0);
    assert_int_equal(mkfifo("d/.ulpscope-Abc123", 0600), 0);
    struct output out = write_text("d/f");
    assert_int_equal(output_close(&out), OK);
    assert_int_equal(unlink("d/.ulpscope-Abc123"), 0);
    unlink("d/f");
    rmdir("d");
}

static void a_name_may_be_as_long_as_the_system_lets_it(void **state)
{
    (void)state;
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    struct output out = write_text(name);
    assert_int_equal(output_close(&out), OK);
    assert_int_equal(unlink(name), 0);
}

/* Of folders that are not there. */
static void deep_path(size_t folders, const char *first, const char *last, char path[PATH_MAX])
{
    char *end = stpcpy(path, first);
    for (size_t i = 0; i < folders; i++)
        end = stpcpy(end, "a/");
    strcpy(end, last);
}

static void a_path_of_2000_folders_is_told_from_another(void **state)
{
    (void)state;
    char deep[PATH_MAX], same[PATH_MAX], other[PATH_MAX];
    assert_int_equal(claims_begin(), OK);
    for (size_t folders = 1; folders <= 2000; folders += 1999) {
        deep_path(folders, "", folders == 1 ? "one" : "x", deep);
        deep_path(folders - 1, "./", folders == 1 ? "a/../a//one" : "a/../a//x", same);
        deep_path(folders, "", folders == 1 ? "two" : "y", other);
        assert_int_equal(claim_to_write("-o", deep), OK);
        assert_int_equal(claim_to_write("--json", other), OK);
        assert_int_equal(claim_to_write("--json", same), BAD_INPUT);
    }
}

static void a_cause_is_the_name_or_the_machine(void **state)
{
    (void)state;
    static const int of_the_name[] = {ENOENT, EACCES, EISDIR, ENOTDIR, ELOOP, ENAMETOOLONG, EPERM, EROFS};
    static const int of_the_machine[] = {EMFILE, ENFILE, ENOMEM, EIO, ENOSPC, EDQUOT, EINTR, ENOLCK};
    for (size_t i = 0; i < sizeof of_the_name / sizeof *of_the_name; i++) {
        assert_int_equal(status_of_cause(of_the_name[i]), BAD_INPUT);
        assert_int_equal(status_of_cause(of_the_machine[i]), NOT_MEASURED);
    }
}

/* Is sent SIGINT with a file in hand, and then another signal. */
_Noreturn static void be_ended_by(int second, int answers)
{
    if (dup2(answers, STDERR_FILENO) < 0)
        _exit(1);
    interrupts_catch("the sums in hand");
    const struct output out = write_text("f");
    kill(getpid(), SIGINT);
    if (!interrupted() || !out.temporary || access(out.temporary, F_OK) != 0)
        _exit(1);
    kill(getpid(), second);
    _exit(1);
}

static void an_interrupt_is_answered_and_a_second_leaves_nothing(void **state)
{
    (void)state;
    static const int seconds[] = {SIGINT, SIGKILL}; /* the twin: what is killed sweeps nothing */
    for (size_t i = 0; i < 2; i++) {
        int ends[2], how;
        char said[256] = "";
        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            be_ended_by(seconds[i], ends[1]);
        close(ends[1]);
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFSIGNALED(how) && WTERMSIG(how) == seconds[i]);
        assert_true(read(ends[0], said, sizeof said - 1) > 0);
        close(ends[0]);
        assert_string_equal(said, "ulpscope: ending after the sums in hand; again to end now\n");
        assert_int_equal(count_files(), i);
    }
    assert_int_equal(system("rm .ulpscope-??????"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_there_when_it_is_closed),
        cmocka_unit_test(what_is_thrown_away_leaves_nothing),
        cmocka_unit_test(a_file_may_be_read_by_whom_umask_lets),
        cmocka_unit_test(what_a_killed_process_left_is_swept_and_nothing_else),
        cmocka_unit_test(a_name_may_be_as_long_as_the_system_lets_it),
        cmocka_unit_test(a_path_of_2000_folders_is_told_from_another),
        cmocka_unit_test(an_interrupt_is_answered_and_a_second_leaves_nothing),
        cmocka_unit_test(a_cause_is_the_name_or_the_machine),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
