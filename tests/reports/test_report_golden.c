/* Every report of a small run, byte for byte: on any machine, with any number of threads, in any language.
 *
 *   build/host/tests/tests_reports test_report_golden --write     makes tests/golden/report/ anew: look at what changed
 *
 * What is another on each machine is put into the run's store by hand: facts and speeds.
 */
#include "tests/support/database.h"
#include "tests/support/program.h"

#include <dirent.h>

#define GOLDEN SOURCE_DIRECTORY "/tests/golden/report"

/* "Four" methods: one that errs, one that hardly does, one that never does, and one whose order is that of arrival. */
#define STUDY                                                                                                          \
    " -m plain/serial,plain/tree_atomic,kahan/tree_two_pass,superacc/serial --blocks 2 --threads 32 --trials 4"        \
    " --permutations 3"                                                                                                \
    " -d uniform:n=64..4Ki*8 -d gensum:n=64,cond=1e2..1e10*1e4 -d swamp:n=64 -d specials:n=40"                         \
    " -d normal:n=100 -d normal:n=100,order=reversed --speed 0"

static const char fixed_facts[] =
    "DELETE FROM provenance;"
    "INSERT INTO provenance VALUES('program', 'version', '0.0'), ('program', 'commit', '0123456789ab'),"
    " ('build', 'C compiler', 'a compiler'), ('host', 'processor', 'a processor'), ('library', 'MPFR', '4.2.0'),"
    " ('run', 'date', '2000-01-01T00:00:00Z'), ('run', 'seed', '1'), ('run', 'command', 'ulpscope run');"
    "DELETE FROM speeds;"
    "INSERT INTO speeds VALUES(0, 0, 0, 1024, 4096, 5, 1.0, 1.25), (0, 0, 1, 1024, 4096, 5, 0.25, 0.25),"
    " (0, 0, 2, 1024, 4096, 5, 1.5, 1.6);" /* none of superacc */
    "UPDATE run SET value = 'repeat,process,launch,batch,padding' WHERE key = 'across';"
    "INSERT INTO variations VALUES(0, 0, 0, 0, 0, 'repeat', 4, 1, 0.0, '', 1103626240, 1103626240, ''),"
    " (0, 0, 0, 0, 0, 'launch', 9, 1, 0.0, '', 1103626240, 1103626240, ''),"
    " (0, 0, 0, 0, 0, 'batch', 0, 0, 0.0, '', 0, 0, 'its kernels take no rows'),"
    " (0, 0, 0, 0, 1, 'repeat', 4, 3, 1.5, 'call 2', 1103626240, 1103626241, ''),"
    " (0, 0, 0, 0, 1, 'launch', 9, 2, 1.0, '1 x 32', 1103626240, 1103626239, ''),"
    " (0, 0, 0, 0, 2, 'launch', 9, 2, 1.0, '1 x 32', 1103626240, 1103626239, ''),"
    " (0, 0, 0, 0, 2, 'batch', 7, 2, 2.5, 'row 3 of 4096', 1103626240, 1103626242, ''),"
    " (0, 1, 0, 0, 2, 'launch', 9, 4, 2.0, '4 x 64', 1127219200, 1127219201, ''),"
    " (0, 1, 0, 0, 2, 'batch', 7, 1, 0.0, '', 1127219200, 1127219200, ''),"
    " (0, 0, 0, 0, 3, 'process', 3, 1, 0.0, '', 1103626240, 1103626240, 'the process was ended by signal 11'),"
    " (0, 0, 0, 0, 3, 'padding', 64, 2, NULL, '3 zeros before', 1103626240, 2143289344, '');";

/* Another run: one bit of plain/serial is another, with its errors, and kahan is faster. */
static const char changes[] = "UPDATE results SET computed_bits = computed_bits + 1, ulp_error = ulp_error + 1"
                              " WHERE method = 'plain/serial' AND data = 'uniform:n=64' AND trial = 2;"
                              "UPDATE speeds SET microseconds = 0.5, median = 0.5 WHERE method_index = 2;"
                              "UPDATE provenance SET value = '456789abcdef' WHERE name = 'commit'";

static void make_runs(const char *surroundings)
{
    char line[1024];
    snprintf(line, sizeof line, "%s \"$ULPSCOPE\" run -q -o run" STUDY " && cp -r run other", surroundings);
    run_fine(line);
    change_run("run/run.db", fixed_facts);
    change_run("other/run.db", fixed_facts);
    change_run("other/run.db", changes);
}

static void write_reports(const char *surroundings)
{
    char line[1024];
    snprintf(line, sizeof line,
             "mkdir new && %s \"$ULPSCOPE\" report run --target 2ulp --html new/report.html"
             " --json new/run.json --csv new/results.csv --summary new/summary.csv"
             " 2> errors && %s \"$ULPSCOPE\" report run"
             " --target 2ulp > new/terminal.txt",
             surroundings, surroundings);
    run_fine(line);
    snprintf(line, sizeof line,
             "%s \"$ULPSCOPE\" report run other --html new/comparison.html --json new/comparison.json 2> errors && %s "
             "\"$ULPSCOPE\" report run other"
             " > new/comparison.txt",
             surroundings, surroundings);
    run_fine(line);
}

static void assert_golden(void)
{
    size_t files = 0;
    DIR *folder_of = opendir(GOLDEN);
    assert_non_null(folder_of);
    for (struct dirent *entry; (entry = readdir(folder_of));) {
        char line[1024];
        struct outcome outcome;
        if (entry->d_type != DT_REG)
            continue;
        files++;
        snprintf(line, sizeof line, "diff " GOLDEN "/%s new/%s", entry->d_name, entry->d_name);
        run_line(line, &outcome);
        if (outcome.code != 0)
            fail_msg("%s is another; if it should be: test_report_golden --write\n%.4000s", entry->d_name, outcome.out);
        outcome_free(&outcome);
    }
    closedir(folder_of);
    assert_true(files >= 8);
}

static const struct surroundings {
    const char *fact, *variables;
    const char *locale; /* must be installed, or NULL */
} surroundings[] = {
    {"reports_are_the_golden_ones", "", NULL},
    {"reports_of_one_thread_are_the_golden_ones", "ULPSCOPE_JOBS=1", NULL},
    {"reports_of_seven_threads_are_the_golden_ones", "ULPSCOPE_JOBS=7", NULL},
    {"reports_in_german_are_the_golden_ones", "LC_ALL=de_DE.UTF-8", "de_DE.UTF-8"},
    {"reports_in_turkish_are_the_golden_ones", "LC_ALL=tr_TR.UTF-8", "tr_TR.UTF-8"},
    {"reports_in_kolkata_are_the_golden_ones", "TZ=Asia/Kolkata", NULL},
};

static void reports_are_the_golden_ones(void **state)
{
    const struct surroundings *around = *state;
    skip_without_locale(around->locale);
    make_runs(around->variables);
    write_reports(around->variables);
    assert_golden();
}

static void another_number_gives_other_bytes(void **state)
{
    (void)state;
    make_runs("");
    change_run("run/run.db", "UPDATE results SET ulp_error = 2 * ulp_error WHERE class = 'finite'");
    write_reports("");
    static const char *const names[] = {"report.html", "report.md",    "run.json",     "results.csv",
                                        "summary.csv", "terminal.txt", "comparison.md"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[512];
        snprintf(line, sizeof line, "! cmp -s " GOLDEN "/%s new/%s", names[i], names[i]);
        run_fine(line);
    }
}

/* ---- pictures ---- */

static void pictures_are_the_golden_ones(void **state)
{
    const struct surroundings *around = *state;
    char line[512];
    skip_without_locale(around->locale);
    make_runs("");
    snprintf(line, sizeof line, "mkdir new && %s \"$ULPSCOPE\" report run --svg new/svg > /dev/null",
             around->variables);
    run_fine(line);
    run_fine("diff -r new/svg " GOLDEN "/svg");
    run_fine("cp -r new/svg another && sed -i 's/main/good/' another/*.svg && ! diff -r another " GOLDEN
             "/svg > /dev/null");
}

static const struct surroundings of_pictures[] = {
    {"pictures_are_the_golden_ones", "", NULL},
    {"pictures_in_german_are_the_golden_ones", "LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8", "de_DE.UTF-8"},
};

/* ---- both ways ---- */

static int write_golden(void)
{
    (void)make_folder(NULL);
    make_runs("");
    write_reports("");
    run_fine("mv new reports && rm -rf " GOLDEN " && mv reports " GOLDEN);
    run_fine("\"$ULPSCOPE\" report run --svg " GOLDEN "/svg > /dev/null");
    return remove_folder(NULL);
}

enum { SURROUNDINGS = sizeof surroundings / sizeof *surroundings, PICTURES = sizeof of_pictures / sizeof *of_pictures };

static struct CMUnitTest tests[SURROUNDINGS + PICTURES + 1] = {FACT(another_number_gives_other_bytes)};

int main(int argc, char **argv)
{
    forget_variables();
    if (argc > 1 && strcmp(argv[1], "--write") == 0)
        return write_golden();
    size_t count = 1;
    for (size_t i = 0; i < SURROUNDINGS; i++)
        tests[count++] = test_of_row(surroundings[i].fact, reports_are_the_golden_ones, &surroundings[i]);
    for (size_t i = 0; i < PICTURES; i++)
        tests[count++] = test_of_row(of_pictures[i].fact, pictures_are_the_golden_ones, &of_pictures[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
