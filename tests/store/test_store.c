/* The store: what it keeps, and where something fails.  SQLite refuses a row, a page of the file is no longer what it
 * was, it is killed while it is made; test_resume kills whole runs. */
#include "src/store/store_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/heard.h"
#include "tests/support/made_run.h"

enum { PATH_SIZE = 256, PAGE = 4096 };

static const struct run_recipe recipe = {
    .methods = {"plain/serial", "kahan/serial"}, .data = {"uniform:n=10"}, .trials = 200};

/* ---- folders ---- */

static char folder[PATH_SIZE], file[PATH_SIZE];

static int make_folder(void **state)
{
    (void)state;
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/test_store.XXXXXX", temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(folder));
    assert_true(snprintf(file, sizeof file, "%s/run.db", folder) < (int)sizeof file);
    return 0;
}

static void empty_folder(void)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char name[PATH_SIZE + 16];
        snprintf(name, sizeof name, "%s%s", file, endings[i]);
        unlink(name);
    }
}

static int remove_folder(void **state)
{
    (void)state;
    empty_folder();
    return rmdir(folder);
}

/* ---- what SQLite refuses ---- */

static enum status add_bits(void *context, const struct stored *row)
{
    *(uint64_t *)context = 31 * *(uint64_t *)context + row->result.computed_bits;
    return OK;
}

static uint64_t all_bits(struct store *store)
{
    uint64_t bits = 1;
    assert_int_equal(store_each(store, add_bits, &bits), OK);
    return bits;
}

/* A case that was finished without rows is there already, which is found out behind the row: that is taken back. */
static void a_case_that_fails_changes_nothing(void **state)
{
    (void)state;
    struct run_recipe unfinished = recipe;
    unfinished.unfinished = true;
    struct made_run *run = make_run(unfinished);
    assert_int_equal(store_put_case(run->store, &(struct finished_case){.index = 1, .n = 10}), OK);
    const uint64_t cases = store_case_count(run->store), bits = all_bits(run->store);
    struct measured row = {.exact = "0x1p+0", .weight = 1, .computed = 7, .computed_bits = 7};
    struct finished_case again = {.index = 1, .n = 10, .rows = &row, .row_count = 1};
    struct heard heard = listen_to_stderr();
    const enum status status = store_put_case(run->store, &again);
    heard_all(&heard);
    assert_int_equal(status, NOT_MEASURED);
    assert_non_null(strstr(heard.text, "cannot be written"));
    assert_int_equal(store_case_count(run->store), cases);
    assert_int_equal(all_bits(run->store), bits);
    free_made_run(run);
}

/* The twin: the case was not finished. */
static void an_unfinished_case_is_replaced(void **state)
{
    (void)state;
    struct run_recipe unfinished = recipe;
    unfinished.unfinished = true;
    struct made_run *run = make_run(unfinished);
    const uint64_t bits = all_bits(run->store);
    struct measured rows[] = {{.exact = "0x1p+0", .weight = 1, .computed = 7, .computed_bits = 7},
                              {.method = 1, .exact = "0x1p+0", .weight = 1, .computed = 7, .computed_bits = 7}};
    struct finished_case again = {.index = 1, .unfinished = true, .n = 10, .rows = rows};
    again.row_count = 1; /* of fewer rows than there are: not by those */
    assert_int_equal(store_put_case(run->store, &again), OK);
    assert_int_equal(all_bits(run->store), bits);
    again.row_count = 2;
    assert_int_equal(store_put_case(run->store, &again), OK);
    const uint64_t replaced = all_bits(run->store);
    assert_int_not_equal(replaced, bits);
    assert_int_equal(store_case_count(run->store), 0);
    again.unfinished = false;
    again.row_count = 1;
    assert_int_equal(store_put_case(run->store, &again), OK);
    assert_int_not_equal(all_bits(run->store), replaced);
    assert_int_equal(store_case_count(run->store), 1);
    free_made_run(run);
}

/* ---- what is kept ---- */

static enum status keep_exact(void *context, const struct stored *row)
{
    const struct result *result = &row->result;
    char *text = context;
    if (result->trial == 1)
        sprintf(text + strlen(text), "%s %g %g %g, ", result->exact, result->condition, result->bound,
                result->means[0]);
    return OK;
}

static void a_repeat_unlike_its_replay_is_counted(void **state)
{
    (void)state;
    struct run_recipe unfinished = recipe;
    unfinished.unfinished = true;
    struct made_run *run = make_run(unfinished);
    struct measured rows[] = {
        {.exact = "0x1p+0", .weight = 1, .computed_bits = 7},
        {.backend = BACKEND_cuda, .exact = "0x1p+0", .weight = 1, .computed_bits = 7},
        {.backend = BACKEND_cuda, .exact = "0x1p+0", .repeat = 1, .weight = 1, .computed_bits = 8}};
    struct finished_case again = {.unfinished = true, .n = 10, .rows = rows, .row_count = 3};
    struct replay_comparison comparison;
    struct finished_case no_replay = {
        .index = 1, .unfinished = true, .n = 10, .rows = &rows[1], .row_count = 2}; /* nothing to be compared with */
    assert_int_equal(store_put_case(run->store, &again), OK);
    assert_int_equal(store_put_case(run->store, &no_replay), OK);
    assert_int_equal(store_compare(run->store, &comparison), OK);
    assert_int_equal(comparison.compared, 2);
    assert_int_equal(comparison.differ, 1);
    free_made_run(run);
}

/* The view is for people, and ulpscope reads the tables: both must have every value, and an exact sum of its own where
 * a row has one. */
static void view_and_reader_have_the_values_of_the_rows(void **state)
{
    (void)state;
    static const char query[] = "SELECT group_concat(exact || ' ' || condition || ' ' || bound || ' ' || probable_bound"
                                " || ' ' || height, ', ') FROM results WHERE case_index = 1";
    struct run_recipe unfinished = recipe;
    unfinished.unfinished = true, unfinished.folder = folder, unfinished.methods[2] = "plain/pairwise";
    struct made_run *run = make_run(unfinished);
    struct measured rows[] = {
        {.exact = "0x1p+0", .weight = 1, .condition = 5, .bound = 3, .probabilistic_bound = 2, .height = 4},
        {.method = 1,
         .exact = "0x1p+1",
         .weight = 1,
         .condition = 7,
         .bound = 9,
         .probabilistic_bound = 8,
         .means = {3}},
        {.method = 2, .exact = "0x1p+0", .weight = 1, .condition = 6, .bound = -0.0, .computed = -0.0}};
    struct finished_case again = {.index = 1, .n = 10, .rows = rows, .row_count = 3};
    char read[96] = "";
    struct store *reader;
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(store_put_case(run->store, &again), OK);
    assert_int_equal(store_each(run->store, keep_exact, read), OK);
    assert_string_equal(read, "0x1p+0 5 3 0, 0x1p+1 7 9 3, 0x1p+0 6 0 0, ");
    free_made_run(run);
    assert_int_equal(sqlite3_open(file, &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, query, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(statement, 0),
                        "0x1p+0 5.0 3.0 2.0 4, 0x1p+1 7.0 9.0 8.0 0, 0x1p+0 6.0 0.0 0.0 0");
    sqlite3_finalize(statement);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
    assert_int_equal(store_open_to_read(folder, &reader), OK); /* a zero has lost its sign, and its seal fits */
    assert_int_equal(store_close(reader), OK);
    empty_folder();
}

static void seed_and_launches_are_kept_as_they_were(void **state)
{
    (void)state;
    struct study study;
    struct study_record record;
    struct store *store;
    assert_int_equal(study_read(NULL, NULL, &study), OK);
    assert_int_equal(study_set_launches(&study, "1..4*2", "64", "test"), OK);
    study.seed = (UINT64_C(1) << 40) + 5;
    assert_int_equal(store_open(NULL, STORE_NEW, &study, "test", "GPU", &store), OK);
    assert_int_equal(store_get_study(store, &record), OK);
    assert_true(record.seed == study.seed);
    assert_int_equal(record.launch_count, 3);
    for (size_t l = 0; l < 3; l++)
        assert_int_equal(record.launches[l].blocks, 1u << l);
    study_record_free(&record);
    assert_int_equal(store_close(store), OK);
    study_free(&study);
}

static enum status keep_value(void *context, const char *topic, const char *name, const char *value)
{
    if (strcmp(topic, "test") == 0 && strcmp(name, "fact") == 0)
        strcpy(context, value);
    return OK;
}

static void the_last_word_on_a_fact_is_kept(void **state)
{
    (void)state;
    struct made_run *run = make_run(recipe);
    char value[16] = "";
    assert_int_equal(store_put_fact(run->store, "test", "fact", "first"), OK);
    assert_int_equal(store_put_fact(run->store, "test", "fact", "last"), OK);
    assert_int_equal(store_each_fact(run->store, keep_value, value), OK);
    assert_string_equal(value, "last");
    free_made_run(run);
}

static void what_was_begun_and_not_ended_is_taken_back(void **state)
{
    (void)state;
    struct run_recipe on_disk = recipe;
    on_disk.folder = folder;
    for (int is_ended = 0; is_ended <= 1; is_ended++) { /* and the twin */
        struct made_run *run = make_run(on_disk);
        struct store *store;
        char value[16] = "";
        assert_int_equal(store_begin(run->store), OK);
        assert_int_equal(store_put_fact(run->store, "test", "fact", "half"), OK);
        if (is_ended)
            assert_int_equal(store_end(run->store), OK);
        free_made_run(run);
        assert_int_equal(store_open_to_read(file, &store), OK);
        assert_int_equal(store_each_fact(store, keep_value, value), OK);
        assert_string_equal(value, is_ended ? "half" : "");
        assert_int_equal(store_close(store), OK);
        empty_folder();
    }
}

/* ---- axes that were varied ---- */

static const struct stored_variation alignment = {.method = 1,
                                                  .axis = AXIS_alignment,
                                                  .variants = 16,
                                                  .results = 2,
                                                  .spread = 1.5,
                                                  .first = "4 bytes",
                                                  .why = "",
                                                  .base = 0x3f800000,
                                                  .bits = 0x3f800001};

static enum status expect_alignment(void *context, const struct stored_variation *found)
{
    ++*(size_t *)context;
    assert_int_equal(found->axis, AXIS_alignment);
    assert_int_equal(found->method, 1);
    assert_int_equal(found->variants, 16);
    assert_int_equal(found->results, 2);
    assert_true(found->spread == 1.5);
    assert_string_equal(found->first, "4 bytes");
    assert_string_equal(found->why, "");
    assert_int_equal(found->base, 0x3f800000);
    assert_int_equal(found->bits, 0x3f800001);
    return OK;
}

static bool has_variation(struct made_run *run, const struct stored_variation *variation)
{
    bool has = false;
    assert_int_equal(store_has_variation(run->store, variation, &has), OK);
    return has;
}

/* Else it would be varied again, and the run pass. */
static void a_variation_that_cannot_be_looked_up_is_not_taken_for_none(void **state)
{
    (void)state;
    struct made_run *run = make_run(recipe);
    bool has = false;
    assert_int_equal(store_execute(run->store, "DROP TABLE variations"), OK);
    struct heard heard = listen_to_stderr();
    const enum status status = store_has_variation(run->store, &alignment, &has);
    heard_all(&heard);
    assert_int_not_equal(status, OK);
    assert_non_null(strstr(heard.text, "cannot be read"));
    free_made_run(run);
}

static void a_variation_is_kept_as_it_was(void **state)
{
    (void)state;
    struct run_recipe varied = recipe;
    varied.folder = folder, varied.across = "alignment";
    struct made_run *run = make_run(varied);
    struct stored_variation other = alignment;
    size_t found = 0;
    other.axis = AXIS_batch;
    assert_false(has_variation(run, &alignment));
    assert_int_equal(store_begin(run->store), OK);
    assert_int_equal(store_put_variation(run->store, &alignment), OK);
    assert_int_equal(store_put_variation(run->store, &alignment), OK); /* in its own place */
    assert_int_equal(store_end(run->store), OK);
    assert_true(has_variation(run, &alignment));
    assert_false(has_variation(run, &other));
    free_made_run(run);
    struct store *store;
    struct study_record study;
    assert_int_equal(store_open_to_read(file, &store), OK);
    assert_int_equal(store_each_variation(store, expect_alignment, &found), OK);
    assert_int_equal(found, 1);
    assert_int_equal(store_get_study(store, &study), OK);
    assert_int_equal(study.across, 1u << AXIS_alignment);
    study_record_free(&study);
    assert_int_equal(store_close(store), OK);
    empty_folder();
}

static enum status keep_spread(void *context, const struct stored_variation *found)
{
    *(double *)context = found->spread;
    return OK;
}

static void a_spread_that_is_no_number_is_kept(void **state)
{
    (void)state;
    struct stored_variation of_nan = alignment;
    double spread = 0;
    of_nan.spread = NAN;
    struct made_run *run = make_run(recipe);
    assert_int_equal(store_put_variation(run->store, &of_nan), OK);
    assert_int_equal(store_each_variation(run->store, keep_spread, &spread), OK);
    assert_true(isnan(spread));
    free_made_run(run);
}

static enum status read_again(const struct stored_variation *variation, struct heard *heard)
{
    struct run_recipe varied = recipe;
    varied.folder = folder, varied.across = "alignment";
    struct made_run *run = make_run(varied);
    assert_int_equal(store_begin(run->store), OK);
    assert_int_equal(store_put_variation(run->store, variation), OK);
    assert_int_equal(store_end(run->store), OK);
    free_made_run(run);
    struct store *store = NULL;
    *heard = listen_to_stderr();
    const enum status status = store_open_to_read(file, &store);
    heard_all(heard);
    assert_int_equal(store_close(store), OK);
    empty_folder();
    return status;
}

static void a_variation_that_no_run_makes_is_refused(void **state)
{
    (void)state;
    struct stored_variation wrong[9];
    struct heard heard;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        wrong[i] = alignment;
    wrong[0].axis = AXIS_batch; /* which the study does not vary */
    wrong[1].method = 2;
    wrong[2].spec = 1;
    wrong[3].entry = 1;
    wrong[4].results = 18;
    wrong[5].first = "";
    wrong[6].results = 1;
    wrong[7].spread = -1;
    wrong[8] = (struct stored_variation){.axis = AXIS_alignment, .first = "", .why = ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (read_again(&wrong[i], &heard) != BAD_INPUT)
            fail_msg("%zu is taken for a variation", i);
        assert_non_null(strstr(heard.text, "vari"));
    }
    assert_int_equal(read_again(&alignment, &heard), OK); /* the twin */
    wrong[8].why = "its kernels take no rows";
    assert_int_equal(read_again(&wrong[8], &heard), OK);
}

/* ---- who reads while it is written, and what reaches the disk ---- */

static void a_run_that_is_being_written_is_not_read(void **state)
{
    (void)state;
    struct run_recipe on_disk = recipe;
    struct store *reader = NULL;
    on_disk.folder = folder;
    struct made_run *run = make_run(on_disk);
    struct heard heard = listen_to_stderr();
    const enum status status = store_open_to_read(folder, &reader);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    assert_non_null(strstr(heard.text, "locked"));
    free_made_run(run);
    assert_int_equal(store_open_to_read(folder, &reader), OK); /* the twin */
    assert_int_equal(store_close(reader), OK);
    empty_folder();
}

/* SQLite's calls come here first. */
static size_t synced;

int fdatasync(int fd)
{
    synced++;
    return (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd)
{
    synced++;
    return (int)syscall(SYS_fsync, fd);
}

static void a_run_is_on_the_disk_when_it_is_closed(void **state)
{
    (void)state;
    struct run_recipe on_disk = recipe;
    synced = 0;
    free_made_run(make_run(on_disk)); /* the twin: in memory */
    assert_int_equal(synced, 0);
    on_disk.folder = folder;
    struct made_run *run = make_run(on_disk);
    synced = 0;
    free_made_run(run);
    assert_true(synced >= 2); /* the log, then the database that takes it over */
    empty_folder();
}

/* ---- a file of which a page is gone ---- */

static size_t opened; /* how often it could be */

static enum status read_all(void)
{
    struct store *store = NULL;
    uint64_t bits = 1;
    TRY(store_open_to_read(folder, &store));
    opened++;
    const enum status status = store_each(store, add_bits, &bits);
    assert_int_equal(store_close(store), OK);
    return status;
}

static int until_it_fails;

/* What SQLite reads with: the call that the count has come to fails. */
static ssize_t read_or_fail(int from, void *bytes, size_t count, off_t at)
{
    if (until_it_fails-- != 0)
        return pread(from, bytes, count, at);
    errno = EIO;
    return -1;
}

static void a_page_that_cannot_be_read_is_the_machines(void **state)
{
    (void)state;
    struct run_recipe on_disk = recipe;
    sqlite3_vfs *system = sqlite3_vfs_find(NULL);
    int failures = 0;
    enum status status = NOT_MEASURED;
    on_disk.folder = folder;
    free_made_run(make_run(on_disk));
    (void)system->xSetSystemCall(system, "pread", (sqlite3_syscall_ptr)read_or_fail);
    (void)system->xSetSystemCall(system, "pread64", (sqlite3_syscall_ptr)read_or_fail); /* which a build may lack */
    for (; status != OK; failures += status != OK) {
        until_it_fails = failures;
        struct heard heard = listen_to_stderr();
        status = read_all();
        heard_all(&heard);
        assert_true(status == OK || status == NOT_MEASURED);
        assert_true(status == OK || strstr(heard.text, "a disk that work"));
    }
    (void)system->xSetSystemCall(system, NULL, NULL);
    print_message("%d reads failed\n", failures);
    assert_true(failures > 10);
    empty_folder();
}

/* The twin of that: damage is no machine's. */
static void a_page_that_is_gone_is_no_end_of_the_rows(void **state)
{
    (void)state;
    struct run_recipe on_disk = recipe;
    static const char gone[PAGE];
    struct stat facts;
    on_disk.folder = folder;
    free_made_run(make_run(on_disk));
    assert_int_equal(read_all(), OK);
    assert_int_equal(stat(file, &facts), 0);
    const int fd = open(file, O_RDWR);
    opened = 0;
    struct heard heard = listen_to_stderr();
    for (off_t page = facts.st_size / PAGE / 2; page < facts.st_size / PAGE;
         page++) { /* the rows are behind the study */
        char kept[PAGE];
        assert_int_equal(pread(fd, kept, PAGE, page * PAGE), PAGE);
        assert_int_equal(pwrite(fd, gone, PAGE, page * PAGE), PAGE);
        assert_int_equal(read_all(), BAD_INPUT);
        assert_int_equal(pwrite(fd, kept, PAGE, page * PAGE), PAGE);
    }
    heard_all(&heard);
    close(fd);
    assert_non_null(strstr(heard.text, "is damaged"));
    assert_int_equal(opened, 0);
    assert_int_equal(read_all(), OK);
    empty_folder();
}

/* ---- killed while it is made ---- */

/* A process dies of writing beyond `limit` bytes of a file.  True: it did. */
static bool dies_making(const struct study *study, rlim_t limit)
{
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct store *store;
        signal(SIGXFSZ, SIG_DFL);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, limit});
        _exit(store_open(folder, STORE_NEW, study, "test", "GPU", &store) == OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ;
}

static void a_store_that_was_killed_while_it_was_made_can_be_resumed(void **state)
{
    (void)state;
    struct made_run *run = make_run(recipe);
    struct store *store;
    size_t deaths = 0;
    rlim_t limit = 0;
    for (; dies_making(&run->study, limit); limit += PAGE / 4) {
        deaths++;
        assert_int_equal(store_open(folder, STORE_RESUME, &run->study, "test", "GPU", &store), OK);
        assert_false(store_has_rows(store));
        assert_int_equal(store_close(store), OK);
        empty_folder();
    }
    assert_true(deaths > 10); /* and in the end one survived */
    free_made_run(run);
    empty_folder();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_that_fails_changes_nothing),
        cmocka_unit_test(an_unfinished_case_is_replaced),
        cmocka_unit_test(a_repeat_unlike_its_replay_is_counted),
        cmocka_unit_test(view_and_reader_have_the_values_of_the_rows),
        cmocka_unit_test(seed_and_launches_are_kept_as_they_were),
        cmocka_unit_test(the_last_word_on_a_fact_is_kept),
        cmocka_unit_test(what_was_begun_and_not_ended_is_taken_back),
        cmocka_unit_test(a_variation_is_kept_as_it_was),
        cmocka_unit_test(a_variation_that_cannot_be_looked_up_is_not_taken_for_none),
        cmocka_unit_test(a_spread_that_is_no_number_is_kept),
        cmocka_unit_test(a_variation_that_no_run_makes_is_refused),
        cmocka_unit_test(a_run_that_is_being_written_is_not_read),
        cmocka_unit_test(a_run_is_on_the_disk_when_it_is_closed),
        cmocka_unit_test(a_page_that_cannot_be_read_is_the_machines),
        cmocka_unit_test(a_page_that_is_gone_is_no_end_of_the_rows),
        cmocka_unit_test(a_store_that_was_killed_while_it_was_made_can_be_resumed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
