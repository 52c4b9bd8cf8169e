/* New files take the place of old ones all together, whoever is killed on the way; what is not ours stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/files/folder_swap.h"
#include "tests/support/heard.h"
#include "tests/support/own_folder.h"

#include <string.h>

/* ---- files in out/ ---- */

static void put(const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "out/%s", name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* "" for a file that is not there. */
static void assert_holds(const char *name, const char *text)
{
    char path[64], found[64] = "";
    snprintf(path, sizeof path, "out/%s", name);
    FILE *file = fopen(path, "r");
    if (file) {
        found[fread(found, 1, sizeof found - 1, file)] = '\0';
        fclose(file);
    }
    assert_string_equal(found, text);
}

static int leave(void **state)
{
    remove_tree("out");
    return leave_folder(state);
}

static int enter(void **state)
{
    return enter_folder(state) == 0 && mkdir("out", 0777) == 0 ? 0 : -1;
}

/* ---- a swap ---- */

/* In the folder of new files, which a swap that is open has made. */
static void put_new(const char *name, const char *text)
{
    char path[64];
    (void)mkdir("out/" FOLDER_OWN, 0777);
    (void)mkdir("out/" FOLDER_OWN "/new", 0777);
    snprintf(path, sizeof path, FOLDER_OWN "/new/%s", name);
    put(path, text);
}

static void begin(struct folder_swap *swap)
{
    assert_int_equal(folder_swap_open(swap, "out"), OK);
}

static enum status commit(struct folder_swap *swap, struct folder_swap_wish wish, char said[HEARD_MOST])
{
    struct heard heard = listen_to_stderr();
    const enum status status = folder_swap_commit(swap, wish);
    heard_all(&heard);
    if (said)
        strcpy(said, heard.text);
    folder_swap_close(swap);
    return status;
}

static void swap_in(const char *name, const char *text)
{
    struct folder_swap swap;
    begin(&swap);
    put_new(name, text);
    assert_int_equal(commit(&swap, (struct folder_swap_wish){0}, NULL), OK);
}

/* ---- facts ---- */

static void new_files_replace_ours_and_what_is_gone_goes(void **state)
{
    (void)state;
    struct folder_swap swap;
    begin(&swap);
    put_new("a", "1");
    put_new("b", "1");
    assert_int_equal(mkdir("out/" FOLDER_OWN "/new/svg", 0777), 0);
    put_new("svg/c", "1");
    assert_int_equal(commit(&swap, (struct folder_swap_wish){0}, NULL), OK);
    put("svg/mine", "mine");
    swap_in("a", "2");
    assert_holds("a", "2");
    assert_holds("b", "");
    assert_holds("svg/c", "");
    assert_holds("svg/mine", "mine");
    assert_int_equal(access("out/" FOLDER_OWN "/new", F_OK), -1);
}

static void files_of_others_are_refused_and_named(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    struct folder_swap swap;
    char said[HEARD_MOST];
    for (int replaces = 0; replaces < 2; replaces++) {
        begin(&swap);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            put(names[i], "mine");
            put_new(names[i], "new");
        }
        const struct folder_swap_wish wish = {.replaces_foreign = replaces};
        assert_int_equal(commit(&swap, wish, said), replaces ? OK : BAD_INPUT);
        assert_holds("f", replaces ? "new" : "mine");
        if (!replaces)
            assert_non_null(strstr(said, "out: a, b, c, d and 2 more: not written by ulpscope; "));
    }
}

static void pattern_of_a_name_is_a_name(void **state)
{
    (void)state;
    swap_in("*", "1");
    put("a", "mine");
    swap_in("?", "2");
    assert_holds("*", "");
    assert_holds("a", "mine");
}

static void what_is_not_committed_is_swept(void **state)
{
    (void)state;
    struct folder_swap swap;
    swap_in("a", "1");
    put_new("a", "2");
    begin(&swap);
    assert_int_equal(access("out/" FOLDER_OWN "/new/a", F_OK), -1);
    folder_swap_close(&swap);
    assert_holds("a", "1");
}

/* As a kill between two of the renames leaves it. */
static void what_is_committed_is_finished_by_the_next(void **state)
{
    (void)state;
    struct folder_swap swap;
    swap_in("old", "1");
    put("a", "2"); /* in its place already */
    put_new("b", "2");
    put(FOLDER_OWN "/run.db", "new run");
    put("run.db", "old run");
    put("run.db-wal", "of the old run");
    put(FOLDER_OWN "/files.new", "ulpscope-files/1\n+run.db\na\nb\n");
    begin(&swap);
    folder_swap_close(&swap);
    assert_holds("a", "2");
    assert_holds("b", "2");
    assert_holds("old", "");
    assert_holds("run.db", "new run");
    assert_holds("run.db-wal", "");
    assert_holds(FOLDER_OWN "/files", "ulpscope-files/1\nrun.db\na\nb\n");
    assert_int_equal(access("out/" FOLDER_OWN "/files.new", F_OK), -1);
}

static void run_that_waits_stays_until_it_is_brought(void **state)
{
    (void)state;
    struct folder_swap swap;
    assert_int_equal(mkdir("out/" FOLDER_OWN, 0777), 0);
    put("run.db", "old run");
    put(FOLDER_OWN "/run.db", "half a run");
    swap_in("a", "1");
    assert_holds("run.db", "old run");
    assert_holds(FOLDER_OWN "/run.db", "half a run");
    begin(&swap);
    put_new("a", "2");
    assert_int_equal(commit(&swap, (struct folder_swap_wish){.has_run = true, .brings_run = true}, NULL), OK);
    assert_holds("run.db", "half a run");
    assert_holds("a", "2");
}

static void list_of_files_outside_is_refused(void **state)
{
    (void)state;
    static const char *const lists[] = {"",
                                        "ulpscope-files/2\n",
                                        "ulpscope-files/1\n../mine\n",
                                        "ulpscope-files/1\n/etc/passwd\n",
                                        "ulpscope-files/1\nsvg/../../mine\n",
                                        "ulpscope-files/1\n\n",
                                        "ulpscope-files/1\n.ulpscope/files\n"};
    assert_int_equal(mkdir("out/" FOLDER_OWN, 0777), 0);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct folder_swap swap;
        put(FOLDER_OWN "/files", lists[i]);
        struct heard heard = listen_to_stderr();
        assert_int_equal(folder_swap_open(&swap, "out"), BAD_INPUT);
        heard_all(&heard);
        folder_swap_close(&swap);
        assert_non_null(strstr(heard.text, "out/.ulpscope/files:"));
        assert_holds(FOLDER_OWN "/files", lists[i]);
    }
}

static void place_that_is_a_link_is_refused(void **state)
{
    (void)state;
    struct folder_swap swap;
    assert_int_equal(mkdir("out/elsewhere", 0777) + mkdir("out/elsewhere/new", 0777), 0);
    put("elsewhere/new/mine", "mine");
    assert_int_equal(symlink("elsewhere", "out/" FOLDER_OWN), 0);
    struct heard heard = listen_to_stderr();
    assert_int_equal(folder_swap_open(&swap, "out"), BAD_INPUT);
    heard_all(&heard);
    folder_swap_close(&swap);
    assert_holds("elsewhere/new/mine", "mine");
}

/* out/svg, whose x is listed: a folder of its own, or a link to one that is not ulpscope's. */
static void list_x_in_svg(bool is_link)
{
    assert_int_equal(mkdir("out/" FOLDER_OWN, 0777) + mkdir(is_link ? "mine" : "out/svg", 0777), 0);
    if (is_link)
        assert_int_equal(symlink("../mine", "out/svg"), 0);
    put("svg/x", "mine");
    put(FOLDER_OWN "/files", "ulpscope-files/1\nsvg/x\n");
}

static void listed_file_behind_a_link_stays(void **state)
{
    (void)state;
    list_x_in_svg(true);
    swap_in("a", "1");
    assert_holds("svg/x", "mine");
    remove_tree("mine");
}

static void listed_file_in_a_folder_goes(void **state)
{
    (void)state;
    list_x_in_svg(false);
    swap_in("a", "1");
    assert_holds("svg/x", "");
}

static void link_in_the_place_of_a_folder_is_refused(void **state)
{
    (void)state;
    struct folder_swap swap;
    char said[HEARD_MOST];
    list_x_in_svg(true);
    begin(&swap);
    assert_int_equal(mkdir("out/" FOLDER_OWN "/new/svg", 0777), 0);
    put_new("svg/x", "2");
    assert_int_equal(commit(&swap, (struct folder_swap_wish){.replaces_foreign = true}, said), BAD_INPUT);
    assert_non_null(strstr(said, "out/svg: is a file or a link; expected a folder"));
    assert_holds("svg/x", "mine");
    remove_tree("mine");
}

/* By a process that was killed before svg became a link. */
static void files_that_wait_are_not_put_behind_a_link(void **state)
{
    (void)state;
    struct folder_swap swap;
    list_x_in_svg(true);
    assert_int_equal(mkdir("out/" FOLDER_OWN "/new", 0777) + mkdir("out/" FOLDER_OWN "/new/svg", 0777), 0);
    put_new("svg/x", "2");
    put(FOLDER_OWN "/files.new", "ulpscope-files/1\nsvg/x\n");
    struct heard heard = listen_to_stderr();
    assert_int_equal(folder_swap_open(&swap, "out"), NOT_MEASURED);
    heard_all(&heard);
    folder_swap_close(&swap);
    assert_non_null(strstr(heard.text, "out/svg/x: the new file cannot be put in its place"));
    assert_holds("svg/x", "mine");
    remove_tree("mine");
}

static void list_that_is_a_link_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"files", "files.new"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct folder_swap swap;
        char path[64];
        snprintf(path, sizeof path, "out/" FOLDER_OWN "/%s", names[i]);
        (void)mkdir("out/" FOLDER_OWN, 0777);
        assert_int_equal(symlink("../mine", path), 0); /* where a list would be made */
        struct heard heard = listen_to_stderr();
        assert_int_equal(folder_swap_open(&swap, "out"), BAD_INPUT);
        heard_all(&heard);
        folder_swap_close(&swap);
        assert_non_null(strstr(heard.text, path));
        assert_int_equal(unlink(path), 0);
    }
}

static void folder_in_the_way_is_told_and_nothing_replaced(void **state)
{
    (void)state;
    struct folder_swap swap;
    char said[HEARD_MOST];
    swap_in("a", "1");
    assert_int_equal(mkdir("out/b", 0777), 0);
    begin(&swap);
    put_new("a", "2");
    put_new("b", "2");
    assert_int_equal(commit(&swap, (struct folder_swap_wish){.replaces_foreign = true}, said), BAD_INPUT);
    assert_non_null(strstr(said, "out/b: is a folder"));
    assert_holds("a", "1");
}

int main(void)
{
#define SWAP_FACT(name) cmocka_unit_test_setup_teardown(name, enter, leave)
    const struct CMUnitTest facts[] = {
        SWAP_FACT(new_files_replace_ours_and_what_is_gone_goes),
        SWAP_FACT(files_of_others_are_refused_and_named),
        SWAP_FACT(pattern_of_a_name_is_a_name),
        SWAP_FACT(what_is_not_committed_is_swept),
        SWAP_FACT(what_is_committed_is_finished_by_the_next),
        SWAP_FACT(run_that_waits_stays_until_it_is_brought),
        SWAP_FACT(list_of_files_outside_is_refused),
        SWAP_FACT(place_that_is_a_link_is_refused),
        SWAP_FACT(listed_file_behind_a_link_stays),
        SWAP_FACT(listed_file_in_a_folder_goes),
        SWAP_FACT(link_in_the_place_of_a_folder_is_refused),
        SWAP_FACT(files_that_wait_are_not_put_behind_a_link),
        SWAP_FACT(list_that_is_a_link_is_refused),
        SWAP_FACT(folder_in_the_way_is_told_and_nothing_replaced),
    };
    return cmocka_run_group_tests(facts, NULL, NULL);
}
