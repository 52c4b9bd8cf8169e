/* `ulpscope report` from outside: it says of a run what `run` said, and refuses what is no run. */
#include "src/base/text.h"
#include "tests/support/database.h"
#include "tests/support/program.h"

#include <glob.h>
#include <libxml/parser.h>

#define SMALL                                                                                                          \
    " -m 'kahan*/tree_two_pass' -m '*kahan/serial' -m naive -d uniform:n=8..64*8 -d gensum:n=16,cond=1e4 --trials 3 "  \
    "--speed 0"

static void small_run(const char *name)
{
    char line[512];
    snprintf(line, sizeof line, "\"$ULPSCOPE\" run -q -o %s" SMALL, name);
    run_fine(line);
}

/* ---- the same as run ---- */

static void report_writes_the_bytes_that_run_wrote(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q -o out -m 'k*/tree_two_pass' -m '*/serial' -d uniform:n=8..64*8 --trials 3 --target "
             "2ulp");
    run_fine("\"$ULPSCOPE\" report out -o again --target 2ulp && rm out/run.db && diff -r -x .ulpscope out again");
}

static void report_takes_a_folder_or_its_database(void **state)
{
    (void)state;
    small_run("out");
    run_fine("\"$ULPSCOPE\" report out --csv a && \"$ULPSCOPE\" report out/ --csv b && "
             "\"$ULPSCOPE\" report out/run.db --csv c && cmp a b && cmp a c && "
             "\"$ULPSCOPE\" report out -o again// | grep -qx 'report: again/report.html'");
}

static void report_leaves_the_run_as_it_was(void **state)
{
    (void)state;
    small_run("out");
    run_fine("cp -r out before && \"$ULPSCOPE\" report out --html r.html && diff -r out before");
}

/* The data file may be gone, and a method may have another name by now. */
static void report_needs_neither_data_nor_methods(void **state)
{
    (void)state;
    put_text("x.f32", "1\n0x1p-24\n0x1p-24\n");
    run_fine("\"$ULPSCOPE\" run -q -o out -m plain/serial -d x.f32 --speed 0 && rm x.f32");
    change_run("out/run.db", "UPDATE methods SET id = 'plain/of_old'");
    char *text = output_of("\"$ULPSCOPE\" report out --summary -");
    assert_non_null(strstr(text, "\nplain/of_old,x.f32,3,"));
    free(text);
}

/* In the order of the runs, each row with the name of its run. */
static void csv_of_two_runs_has_the_rows_of_both(void **state)
{
    (void)state;
    small_run("out");
    run_fine(
        "cp -r out again && \"$ULPSCOPE\" report out/ again --csv both.csv && "
        "{ sed '1s/$/,run/; 2,$s:$:,out/:' out/results.csv && sed '1d; s/$/,again/' out/results.csv; } >expected && "
        "cmp expected both.csv");
}

/* From the study file to the pictures, and through run.db; the rest keeps to the names of methods. */
static void labels_of_a_study_are_in_its_pictures(void **state)
{
    (void)state;
    put_text("study.yaml", "schema: ulpscope-study/1\nmethods: [plain/serial, kahan/serial]\n"
                           "label: {kahan/serial: The Kahan}\ndata:\n  - {spec: \"uniform:n=8..64*8\", trials: 2}\n");
    run_fine("\"$ULPSCOPE\" run -q study.yaml -o out --speed 0 && \"$ULPSCOPE\" report out --svg again && "
             "diff -r out/svg again && grep -l '>The Kahan<' out/svg/*.svg | wc -l | grep -qx 3 && "
             "! grep -q 'The Kahan' out/results.csv && grep -q '^,The Kahan,' out/svg/overlay-n-1-uniform.csv && "
             "\"$ULPSCOPE\" run -q study.yaml -m plain/serial -o one --speed 0 && ! grep -q Kahan one/svg/*.svg");
}

/* Of the only format that a method has; of several the name says which. */
static void labels_find_their_methods_in_formats_and_resumed_runs(void **state)
{
    (void)state;
    static const char study[] = "schema: ulpscope-study/1\nmethods: [plain/serial, kahan/serial]\nlabel: {%s: A}\n"
                                "data:\n  - {spec: \"uniform:n=8..16*2\", trials: 2}\n";
    char *kahan = text_made(study, "kahan/serial"), *plain = text_made(study, "plain/serial");
    put_text("kahan.yaml", kahan);
    put_text("plain.yaml", plain);
    run_fine("\"$ULPSCOPE\" run -q kahan.yaml --speed 0 -o half --format bfloat16 && grep -q '>A<' half/svg/*.svg && "
             "\"$ULPSCOPE\" run -q kahan.yaml --speed 0 -o halves --format bfloat16,binary16 2> said && "
             "! grep -q '>A<' halves/svg/*.svg && "
             "grep -q 'label of kahan/serial: expected a method with its format, like kahan/serial@b' said");
    run_fine(
        "\"$ULPSCOPE\" run -q kahan.yaml --speed 0 -o out && \"$ULPSCOPE\" run -q plain.yaml --speed 0 -o out "
        "--resume && cat out/svg/*.svg >pictures && grep -q '>A<' pictures && grep -q '>kahan/serial<' pictures && "
        "! grep -q '>plain/serial<' pictures");
    free(kahan);
    free(plain);
}

static void jobs_do_not_change_a_report(void **state)
{
    (void)state;
    run_fine("export SOURCE_DATE_EPOCH=1; for jobs in 1 3; do \"$ULPSCOPE\" run -q -o out --overwrite -j 2" SMALL
             " && cp -r out of_$jobs; done; diff -r -x run.db of_1 of_3");
}

/* ---- what is no run ---- */

static const struct refusal {
    const char *fact, *prepare; /* a shell line, after `out` holds a run */
    const char *sql;            /* NULL: none; of a run that has its tables, seals are made anew */
    const char *words;
} refusals[] = {
    {"folder_that_is_not_there_is_refused", "rm -r out", NULL, "out: No such file or directory; expected a run"},
    {"folder_without_run_is_refused", "rm out/run.db", NULL, "out/run.db: No such file or directory; expected a run"},
    {"empty_file_is_refused", ": > out/run.db", NULL, "out/run.db: is empty; expected the run.db"},
    {"text_file_is_refused", "seq 2000 > out/run.db", NULL, "out/run.db: file is not a database"},
    {"half_a_database_is_refused", "head -c 8192 out/run.db > x && mv x out/run.db", NULL,
     "out/run.db: database disk image is malformed; expected the whole run.db"},
    {"header_of_a_database_is_refused", "head -c 100 out/run.db > x && mv x out/run.db", NULL, "out/run.db: "},
    {"database_of_something_else_is_refused", "rm out/run.db", "CREATE TABLE mine(x)",
     "out/run.db: is a database of something else"},
    {"store_of_the_first_version_is_refused", ":", "DELETE FROM run WHERE key = 'schema'",
     "out/run.db: was written by another version of ulpscope, as ulpscope-store/1; expected ulpscope-store/10"},
    {"store_of_a_later_version_is_refused", ":", "UPDATE run SET value = 'ulpscope-store/99' WHERE key = 'schema'",
     "as ulpscope-store/99; expected ulpscope-store/10"},
    {"run_without_sums_is_refused", ":", "DELETE FROM results; DELETE FROM cases", "out: holds no sum"},
    {"missing_table_is_refused", ":", "DROP TABLE measured",
     "is damaged, or was changed by another program: its tables, views"},
    {"row_of_an_unknown_method_is_refused", ":", "UPDATE results SET method_index = 99 WHERE method_index = 0",
     "case 0 has a row of a method, launch or backend that its study lacks"},
    {"row_of_unknown_data_is_refused", ":", "UPDATE results SET entry = -1 WHERE trial = 1",
     "case 1 has a row of data or a trial of another case"},
    {"run_without_its_study_is_refused", ":", "DELETE FROM run WHERE key = 'study'", "out/run.db: lacks its study"},
    {"launch_of_no_blocks_is_refused", ":", "UPDATE launches SET blocks = 0", "the store has a launch of 0 blocks"},
    {"launch_of_too_many_threads_is_refused", ":", "UPDATE launches SET threads = 4000000000",
     "of 4000000000 threads; expected"},
    {"text_with_a_nul_is_refused", ":", "UPDATE specs SET family = 'a' || char(0) || 'b'",
     "`SELECT * FROM specs ORDER BY entry, spec` gives a value of another type"},
    {"studies_without_methods_are_refused", ":", "DELETE FROM methods", "its study has no method"},
};

static void what_is_no_run_is_refused(void **state)
{
    const struct refusal *refusal = *state;
    small_run("out");
    run_fine("\"$ULPSCOPE\" report out --html r.html"); /* the twin */
    run_fine("rm r.html");
    run_fine(refusal->prepare);
    if (refusal->sql)
        (strstr(refusal->sql, "TABLE") ? change_database : change_run)("out/run.db", refusal->sql);
    assert_refused("\"$ULPSCOPE\" report out --html r.html", 2, refusal->words);
    assert_false(file_exists("r.html"));
}

static void run_that_was_changed_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *words;
    } changes[] = {
        {"UPDATE results SET ulp_error = 1 WHERE case_index = 2", "the rows of case 2 differ from those"},
        {"DELETE FROM results WHERE method_index = 1", "the rows of case 0 differ from those"},
        {"UPDATE cases SET is_finished = 0 WHERE case_index = 2", "the rows of case 2 differ from those"},
        {"DELETE FROM cases WHERE case_index = 2", "case 2 has rows, but was never stored"},
        {"DELETE FROM results WHERE case_index = 8; DELETE FROM cases WHERE case_index = 8",
         "it has 8 cases of the 9 that were stored"},
        {"DELETE FROM cases; UPDATE seal SET cases = 0; DELETE FROM measured WHERE id >= 1 << 24;"
         "UPDATE measured SET id = id - (1 << 24)",
         "has rows, but was never stored"},
        {"INSERT INTO elements(id, i, j) VALUES((2 << 24) + 99, 0, 0)",
         "case 2 has an element of a row that is not there"},
        {"INSERT INTO elements(id, i, j) VALUES(99 << 24, 0, 0)", "case 99 has an element of a row that is not there"},
        {"INSERT INTO elements(id, i, j) SELECT min(id), 0, 0 FROM measured WHERE id >= 1 << 24",
         "the rows of case 1 differ from those"},
        {"UPDATE methods SET id = 'plain/none' WHERE method_index = 0",
         "its study, facts, speeds or variations differ from"},
        {"INSERT INTO variations VALUES(0, 0, 0, 0, 0, 'launch', 4, 1, 0, '', 7, 7, '')",
         "its study, facts, speeds or variations differ from"},
        {"INSERT INTO provenance VALUES('a', 'b', 'c')", "its study, facts, speeds or variations differ from"},
        {"CREATE VIEW mine AS SELECT 1", "its tables, views, triggers and indices"},
        {"CREATE TRIGGER mine AFTER INSERT ON measured BEGIN UPDATE measured SET weight = 9; END", "its tables, views"},
    };
    small_run("whole");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        run_fine("rm -rf out && cp -r whole out");
        change_database("out/run.db", changes[i].sql);
        assert_refused("\"$ULPSCOPE\" report out", 2, changes[i].words);
        assert_refused("\"$ULPSCOPE\" run -q --resume -o out" SMALL, 2, changes[i].words);
    }
    run_fine("rm -rf out && cp -r whole out && truncate -s -1 out/run.db");
    assert_refused("\"$ULPSCOPE\" report out", 2, "out/run.db: is damaged");
    run_fine("rm -rf out && cp -r whole out && truncate -s +4096 out/run.db");
    assert_refused("\"$ULPSCOPE\" report out", 2, "the file is not as long as its ");
    run_fine("\"$ULPSCOPE\" run -q --resume -o whole" SMALL " && \"$ULPSCOPE\" report whole"); /* the twin */
}

static void texts_and_numbers_of_other_types_do_no_harm(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE results SET exact = NULL",
        "UPDATE results SET class = x'ff00'",
        "UPDATE results SET class = 'unheard'",
        "UPDATE results SET ulp_error = 'much'",
        "UPDATE results SET n = -1",
        "UPDATE run SET value = NULL WHERE key = 'title'",
        "UPDATE specs SET text = NULL",
        "UPDATE methods SET id = NULL",
        "UPDATE results SET relative_error = 1e-300 WHERE class = 'finite'",
        "INSERT INTO speeds VALUES(0, 0, 0, 0, 0, 0, 0, 0)",
        "INSERT INTO speeds VALUES(7, 1, 70, 1, 1, 1, -1, -2)",
        "UPDATE launches SET blocks = -1",
        "INSERT INTO specs VALUES(70, 0, 'a', 'b', 'c', 'd', 0)",
        "UPDATE provenance SET value = NULL",
        "UPDATE results SET repeat = -1 WHERE trial = 1",
        "UPDATE results SET trial = -1, seed = -1, height = -1, nearest_bits = -1, computed_bits = 1 << 40",
        "UPDATE results SET n = 9223372036854775807, condition = -1, bound = -1, probable_bound = 1e308",
        "UPDATE results SET condition = 1e308, bound = 9e999, probable_bound = 9e999",
        "UPDATE results SET condition = NULL, bound = NULL, probable_bound = NULL, computed = NULL",
        "UPDATE results SET condition = n * 1e-320",
        "UPDATE results SET abs_error = -1, ulp_error = -1, backward_error = -1, bound_ratio = -1",
        "UPDATE results SET abs_error = 9e999, ulp_error = 9e999, backward_error = 9e999, bound_ratio = 9e999",
        "UPDATE results SET ulp_error = NULL, relative_error = 9e999, class = 'finite'",
        "UPDATE results SET ulp_error = 1e308, relative_error = 1e308, bound_ratio = 1e308, class = 'finite'",
        "UPDATE results SET bound_ratio = 1e-320, ulp_error = 1e-320, backward_error = 1e-320",
        "UPDATE results SET exact = '-0x1p-1074'",
        "UPDATE results SET exact = '1e999'",
        "UPDATE results SET exact = 'nan', class = 'nan'",
        "UPDATE results SET spec = 0 WHERE trial = 1",
        "UPDATE results SET entry = 1 - entry, spec = 0",
        "UPDATE results SET backend_index = 1 WHERE trial = 2",
        "UPDATE entries SET trials = -1, text = NULL",
        "UPDATE specs SET family = NULL, arguments = NULL, unordered = NULL",
        "UPDATE specs SET text = 'a' || char(0) || 'b'",
        "UPDATE methods SET id = '', accumulator = '', addition_order = ''",
        "UPDATE methods SET determinism = -7, slow_above = -1, is_black_box = -1",
        "UPDATE run SET value = '-1' WHERE key IN ('seed', 'repeats', 'cases')",
        "UPDATE run SET value = x'00ff' WHERE key = 'study'",
        "DELETE FROM run WHERE key <> 'schema'",
        "DELETE FROM specs",
        "DELETE FROM entries",
        "DELETE FROM launches",
        "DELETE FROM provenance",
        "INSERT INTO speeds SELECT 0, 0, method_index, 1024, -1, -1, 1e-308, 1e308 FROM methods",
        "INSERT INTO speeds SELECT 0, 0, method_index, 1024, 4096, 5, -1, 0 FROM methods",
        "INSERT INTO speeds SELECT 0, 0, method_index, -1, 4096, 5, 1e308, 1 FROM methods",
        "INSERT INTO speeds SELECT 0, 0, method_index, 1024, 4096, 5, NULL, NULL FROM methods",
        "INSERT INTO variations VALUES(0, 0, 0, 0, 0, 'launch', 4, 1, 0, '', 7, 7, '')",
        "INSERT INTO variations VALUES(0, 0, 0, 0, 0, 'none', -1, -1, -1, NULL, 'a', NULL, x'00')",
    };
    small_run("whole");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct outcome outcome;
        run_fine("rm -rf out && cp -r whole out");
        sqlite3 *database;
        assert_int_equal(sqlite3_open(in_folder("out/run.db").text, &database), SQLITE_OK);
        (void)sqlite3_exec(database, changes[i], NULL, NULL, NULL); /* some are refused by the tables themselves */
        const bool changed = sqlite3_total_changes(database) > 0;
        assert_int_equal(sqlite3_close(database), SQLITE_OK);
        if (changed)
            assert_refused("\"$ULPSCOPE\" report out -o again", 2, "is damaged, or was changed by another program");
        seal_run("out/run.db");
        run_line("\"$ULPSCOPE\" report out -o again", &outcome);
        if (outcome.code != 0 && outcome.code != 2)
            fail_msg("%s: exit %d: %s", changes[i], outcome.code, outcome.err);
        outcome_free(&outcome);
    }
}

/* What a report tells people to run again comes from the run.db, which may come from anybody. */
static void command_that_a_run_brings_is_refused(void **state)
{
    (void)state;
    small_run("out");
    change_run("out/run.db", "UPDATE specs SET arguments = arguments || '; touch harmed'");
    assert_refused("\"$ULPSCOPE\" report out", 2, "; touch harmed, which is no command of ulpscope's");
}

static void run_that_is_being_written_is_refused(void **state)
{
    (void)state;
    sqlite3 *database;
    small_run("out");
    assert_int_equal(sqlite3_open(in_folder("out/run.db").text, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    assert_refused("\"$ULPSCOPE\" report out", 2,
                   "out/run.db: cannot be read: database is locked; expected the run.db of");
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
    run_fine("\"$ULPSCOPE\" report out");
}

/* What a killed run leaves: a run.db, and beside it a -wal with all that was not yet in it. */
static void killed_run_is_reported(void **state)
{
    (void)state;
    sqlite3 *database;
    small_run("out");
    assert_int_equal(sqlite3_open(in_folder("out/run.db").text, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, "PRAGMA journal_mode = WAL; SELECT * FROM run", NULL, NULL, NULL),
                     SQLITE_OK);
    change_run("out/run.db", "UPDATE run SET value = 'of the wal' WHERE key = 'title'");
    run_fine("mkdir killed && cp out/run.db out/run.db-wal killed && cp -r killed locked && chmod a-w locked locked/*");
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
    run_fine("\"$ULPSCOPE\" report killed --json r.json && grep -q 'of the wal' r.json");
    run_fine("rm killed/run.db-* && \"$ULPSCOPE\" report killed --json r.json && ! grep -q 'of the wal' r.json");
    if (geteuid() != 0)
        assert_refused("\"$ULPSCOPE\" report locked", 2, "left locked/run.db-wal, which SQLite reads only in a folder");
    run_fine("chmod u+w locked");
}

static void usage_errors_are_told(void **state)
{
    (void)state;
    small_run("out");
    assert_refused("\"$ULPSCOPE\" report", 2, "no run was named");
    run_fine("\"$ULPSCOPE\" report out --target 0.5 && \"$ULPSCOPE\" report out --target 0x1p-20ulp");
    static const char *const targets[] = {"0",     "-1ulp",    "ulp", "nan", "inf", "1e-6x",
                                          "2ulps", "1e999ulp", "",    "2",   "1"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        char line[128];
        snprintf(line, sizeof line, "\"$ULPSCOPE\" report out --target '%s'", targets[i]);
        assert_refused(line, 2, "is not an error limit; expected a number of ulps, like 2ulp");
    }
    assert_refused("\"$ULPSCOPE\" report out --top -1", 2, "--top");
    run_fine("\"$ULPSCOPE\" report out --top 1 --html - | grep -q ' more</summary>'");
    run_fine("! \"$ULPSCOPE\" report out --top 0 --html - | grep ' more</summary>'");
    assert_refused("\"$ULPSCOPE\" report out --html - --csv -", 2, "at most one on standard output");
    assert_refused("\"$ULPSCOPE\" report out -o /dev/null/out", 2, "/dev/null/out: cannot be made: Not a directory");
}

/* ---- reports of little ---- */

static const struct little {
    const char *fact, *arguments;
} littles[] = {
    {"run_of_one_method_and_one_trial_is_reported", "-m plain/serial -d uniform:n=64 --trials 1"},
    {"run_of_exact_sums_alone_is_reported", "-m '*/serial' -d ones:n=64..4096*8"},
    {"run_of_undefined_errors_alone_is_reported", "-m plain/serial -d x.f32"},
    {"run_of_no_numbers_is_reported", "-m plain/serial -d uniform:n=0 --trials 2"},
    {"run_of_one_number_is_reported", "-m plain/serial -d uniform:n=1 --trials 2"},
    {"run_of_overflows_alone_is_reported", "-m plain/serial -d big.f32"},
    {"run_of_nan_alone_is_reported", "-m plain/serial -d nan.f32 --nonfinite ieee"},
    {"run_of_nasty_names_is_reported", "-m plain/serial -d 'a<b&\"c\"]]>.f32'"},
};

/* At least one file, and all of them XML. */
static void assert_well_formed(const char *pattern)
{
    glob_t found;
    const int none = glob(in_folder(pattern).text, 0, NULL, &found);
    assert_int_equal(none, 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        xmlDocPtr document = xmlReadFile(found.gl_pathv[i], NULL, XML_PARSE_NONET);
        if (!document)
            fail_msg("%s is not well-formed", found.gl_pathv[i]);
        xmlFreeDoc(document);
    }
    globfree(&found);
}

static void little_is_reported(void **state)
{
    const struct little *little = *state;
    char line[512];
    put_text("x.f32", "1\n0x1p-24\n-1\n-0x1p-24\n");
    put_text("big.f32", "0x1p127\n0x1p127\n");
    put_text("nan.f32", "nan\n1\n");
    put_text("a<b&\"c\"]]>.f32", "0.1\n0.2\n0.3\n");
    snprintf(line, sizeof line, "\"$ULPSCOPE\" run -q -o out %s", little->arguments);
    run_fine(line);
    run_fine("\"$ULPSCOPE\" report out -o again && rm out/run.db && diff -r -x .ulpscope out again");
    assert_well_formed("again/report.html");
    assert_well_formed("again/svg/*.svg");
}

static const struct CMUnitTest facts[] = {
    FACT(report_writes_the_bytes_that_run_wrote),
    FACT(report_takes_a_folder_or_its_database),
    FACT(report_leaves_the_run_as_it_was),
    FACT(report_needs_neither_data_nor_methods),
    FACT(csv_of_two_runs_has_the_rows_of_both),
    FACT(labels_of_a_study_are_in_its_pictures),
    FACT(labels_find_their_methods_in_formats_and_resumed_runs),
    FACT(jobs_do_not_change_a_report),
    FACT(run_that_was_changed_is_refused),
    FACT(texts_and_numbers_of_other_types_do_no_harm),
    FACT(command_that_a_run_brings_is_refused),
    FACT(run_that_is_being_written_is_refused),
    FACT(killed_run_is_reported),
    FACT(usage_errors_are_told),
};

int main(void)
{
    ADD_FACTS(facts);
    ADD_ROWS(refusals, what_is_no_run_is_refused);
    ADD_ROWS(littles, little_is_reported);
    return run_all_tests();
}
