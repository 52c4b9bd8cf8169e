/* Files that appear whole or not at all. */
#include "src/base/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/own_folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t count_files(void)
{
    size_t count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (const struct dirent *entry = readdir(here); entry; entry = readdir(here))
        count += entry->d_name[0] != '.';
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_there_when_it_is_closed),
        cmocka_unit_test(what_is_thrown_away_leaves_nothing),
        cmocka_unit_test(a_file_may_be_read_by_whom_umask_lets),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
