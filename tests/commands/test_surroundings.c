/* Where settings come from; and the same bytes whatever the machine around a run. */
#include "tests/support/csv_line.h"

/* ---- where settings come from ---- */

#define DATA "data: [{spec: \"uniform:n=8\", trials: 1}]\n"

static void flag_beats_variable_beats_built_in_in_list_config(void **state)
{
    (void)state;
    static const struct {
        const char *line, *word;
    } cases[] = {
        {"\"$ULPSCOPE\" list config", "--color     auto      built in"},
        {"ULPSCOPE_COLOR=never \"$ULPSCOPE\" list config", "--color     never     ULPSCOPE_COLOR"},
        {"ULPSCOPE_COLOR=never \"$ULPSCOPE\" --color always list config", "--color     always    --color"},
        {"ULPSCOPE_SEED=7 \"$ULPSCOPE\" list config", "--seed      7         ULPSCOPE_SEED"},
        {"ULPSCOPE_SEED= \"$ULPSCOPE\" list config", "--seed      1         built in"},
        {"ULPSCOPE_THREADS=64 \"$ULPSCOPE\" list config", "--threads   64        ULPSCOPE_THREADS"},
        {"ULPSCOPE_BLOCKS=2 \"$ULPSCOPE\" list config", "--blocks    2         ULPSCOPE_BLOCKS"},
        {"ULPSCOPE_DEVICE=host \"$ULPSCOPE\" list config", "--device    host      ULPSCOPE_DEVICE"},
        {"ULPSCOPE_JOBS=3 \"$ULPSCOPE\" list config", "--jobs      3         ULPSCOPE_JOBS"},
        {"ULPSCOPE_REPEATS=2 \"$ULPSCOPE\" list config", "--repeats   2         ULPSCOPE_REPEATS"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *out = output_of(cases[i].line);
        if (!strstr(out, cases[i].word))
            fail_msg("%s: no \"%s\" in \"%s\"", cases[i].line, cases[i].word, out);
        free(out);
    }
}

static void flag_beats_variable_beats_study_beats_built_in_in_a_run(void **state)
{
    (void)state;
    static const struct {
        const char *line, *seed, *blocks, *threads;
    } cases[] = {
        {"\"$ULPSCOPE\" run -m naive -o -" TINY, "1", "120", "256"},
        {"\"$ULPSCOPE\" run study.yaml -o -", "5", "3", "32"},
        {"ULPSCOPE_SEED=6 ULPSCOPE_BLOCKS=4 \"$ULPSCOPE\" run study.yaml -o -", "6", "4", "32"},
        {"ULPSCOPE_SEED=6 ULPSCOPE_BLOCKS=4 \"$ULPSCOPE\" run study.yaml -o - --seed 7 --blocks 5 --threads 64", "7",
         "5", "64"},
        {"ULPSCOPE_SEED= ULPSCOPE_THREADS= \"$ULPSCOPE\" run study.yaml -o -", "5", "3", "32"},
    };
    put_text("study.yaml",
             "schema: ulpscope-study/1\nmethods: [naive]\nseed: 5\nlaunch: {blocks: 3, threads: 32}\n" DATA);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *csv = output_of(cases[i].line), field[64];
        const char *row = strchr(csv, '\n') + 1;
        field_of(row, SEED_COLUMN, field);
        assert_string_equal(field, cases[i].seed);
        field_of(row, BLOCKS_COLUMN, field);
        assert_string_equal(field, cases[i].blocks);
        field_of(row, THREADS_COLUMN, field);
        assert_string_equal(field, cases[i].threads);
        free(csv);
    }
}

/* ---- the same bytes whatever is around ---- */

static const struct surroundings {
    const char *fact, *before, *flags;
    const char *locale; /* must be installed, or NULL */
} surroundings[] = {
    {"results_are_the_same_on_1_job", "", "--jobs 1", NULL},
    {"results_are_the_same_on_2_jobs", "", "--jobs 2", NULL},
    {"results_are_the_same_on_7_jobs", "", "--jobs 7", NULL},
    {"results_are_the_same_on_64_jobs_by_variable", "ULPSCOPE_JOBS=64", "", NULL},
    {"results_are_the_same_in_german", "LC_ALL=de_DE.UTF-8", "", "de_DE.UTF-8"},
    {"results_are_the_same_in_turkish", "LC_ALL=tr_TR.UTF-8", "", "tr_TR.UTF-8"},
    {"results_are_the_same_in_no_known_language", "LC_ALL=xx_XX.latin99 LANG=de_DE", "", NULL},
    {"results_are_the_same_in_kolkata", "TZ=Asia/Kolkata", "", NULL},
    {"results_are_the_same_with_umask_077", "umask 077;", "", NULL},
    {"results_are_the_same_without_a_home", "unset HOME;", "", NULL},
    {"results_are_the_same_without_variables", "env -i", "", NULL},
    {"results_are_the_same_without_a_path", "PATH=/nowhere", "", NULL},
    {"results_are_the_same_without_a_tmpdir", "TMPDIR=/nowhere", "", NULL},
    {"results_are_the_same_quietly", "", "-q", NULL},
    {"results_are_the_same_in_colour", "ULPSCOPE_COLOR=always", "", NULL},
};

static void surroundings_do_not_change_the_results(void **state)
{
    const struct surroundings *around = *state;
    char line[1024];
    if (around->locale && !has_locale(around->locale)) {
        print_message("skipped: the locale %s is not installed here\n", around->locale);
        skip();
    }
    snprintf(line, sizeof line,
             "\"$ULPSCOPE\" run --csv plain.csv --summary plain_summary.csv" SWEEP
             "; %s \"$ULPSCOPE\" run --csv changed.csv --summary changed_summary.csv %s" SWEEP,
             around->before, around->flags);
    run_fine(line);
    assert_same_file("plain.csv", "changed.csv");
    assert_same_file("plain_summary.csv", "changed_summary.csv");
}

static void another_seed_changes_the_results(void **state) /* the twin */
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run --csv a.csv" TINY "; \"$ULPSCOPE\" run --csv b.csv --seed 2" TINY
             "; ! cmp -s a.csv b.csv");
}

static void a_run_draws_its_pictures_with_nothing_else_installed(void **state)
{
    (void)state;
    run_fine("PATH=/nowhere \"$ULPSCOPE\" run -o out" TINY);
    run_fine("ls out/svg/*.svg > pictures && test -s pictures");
    char *report = take_file("out/report.html");
    assert_non_null(report);
    assert_non_null(strstr(report, "data:image/svg+xml;base64,"));
    free(report);
    run_fine("PATH=/nowhere \"$ULPSCOPE\" doctor");
}

/* A huge one read a date that nobody had written. */
static void a_date_that_is_none_is_refused_by_name(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "253402300800", "9223372036854775807", "99999999999999999999", "-1", "1e9", " 1", "0x10", "yesterday", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct outcome outcome;
        char line[256];
        snprintf(line, sizeof line, "SOURCE_DATE_EPOCH='%s' \"$ULPSCOPE\" run --speed 0 -o dated" TINY, wrong[i]);
        run_line(line, &outcome);
        assert_int_equal(outcome.code, 2);
        assert_non_null(strstr(outcome.err, "SOURCE_DATE_EPOCH"));
        assert_false(file_exists("dated"));
        outcome_free(&outcome);
    }
    run_fine("SOURCE_DATE_EPOCH=253402300799 \"$ULPSCOPE\" run --speed 0 -o dated" TINY " && "
             "grep -q '9999-12-31T23:59:59Z' dated/run.json"); /* the twin: the last that is one */
}

/* ---- the list ---- */

static const struct CMUnitTest facts[] = {
    FACT(flag_beats_variable_beats_built_in_in_list_config),
    FACT(flag_beats_variable_beats_study_beats_built_in_in_a_run),
    FACT(another_seed_changes_the_results),
    FACT(a_run_draws_its_pictures_with_nothing_else_installed),
    FACT(a_date_that_is_none_is_refused_by_name),
};

int main(void)
{
    ADD_FACTS(facts);
    ADD_ROWS(surroundings, surroundings_do_not_change_the_results);
    return run_all_tests();
}
