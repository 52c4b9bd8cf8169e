/* `ulpscope baseline` from outside: runs are kept, held against each other, and replaced only when nothing got worse.
 */
#include "tests/support/database.h"
#include "tests/support/program.h"

/* No time goes into pictures that nobody looks at. */
#define RUN "PATH=nowhere \"$ULPSCOPE\" run -q --speed 0 -o "
#define BASELINE "\"$ULPSCOPE\" baseline "

static void small_run(const char *name, const char *more)
{
    char line[512];
    snprintf(line, sizeof line, RUN "%s -m kahan/serial,plain/serial -d uniform:n=64..128*2 --trials 3 %s", name, more);
    run_fine(line);
}

/* A copy of a run in which a sum of plain/serial has another error and other bits. */
static void changed_run(const char *name, const char *of, const char *error)
{
    char text[256];
    snprintf(text, sizeof text, "rm -rf %s && cp -r %s %s", name, of, name);
    run_fine(text);
    char path[64];
    snprintf(path, sizeof path, "%s/run.db", name);
    snprintf(text, sizeof text,
             "UPDATE results SET ulp_error = %s, computed_bits = computed_bits + 1 WHERE trial = 0 AND method_index = "
             "(SELECT method_index FROM methods WHERE id = 'plain/serial')",
             error);
    change_run(path, text);
}

/* ---- kept ---- */

static void a_saved_one_is_there_and_has_its_series(void **state)
{
    (void)state;
    small_run("out", "");
    char *saved = output_of(BASELINE "save main out");
    assert_non_null(strstr(saved, "baselines/main.json: "));
    assert_non_null(strstr(saved, "4 series, seed 1; 120 blocks of 256 threads, replay"));
    run_fine("grep -q '^\"kahan/serial uniform:n=128 120x256 replay\": ' baselines/main.json && "
             "rm baselines/main.json");
    assert_refused(BASELINE "save main out --update", 2,
                   "baselines/main.json: there is no such baseline"); /* the twin */
    free(saved);
}

static void quiet_save_says_nothing(void **state)
{
    (void)state;
    small_run("out", "");
    run_fine("test -z \"$(\"$ULPSCOPE\" -q baseline save main out 2>&1)\" && test -s baselines/main.json");
}

static void equal_runs_give_equal_bytes(void **state)
{
    (void)state;
    small_run("a", "--jobs 1");
    small_run("b", "--jobs 7");
    small_run("c", "--seed 2");
    run_fine(BASELINE "save a a && " BASELINE "save b b/ && " BASELINE "save again a/run.db && " BASELINE "save c c");
    assert_same_file("baselines/a.json", "baselines/b.json");
    assert_same_file("baselines/a.json", "baselines/again.json");
    run_fine("! cmp -s baselines/a.json baselines/c.json"); /* the twin */
}

/* The decimal point is a point. */
static void a_locale_does_not_show(void **state)
{
    (void)state;
    if (!has_locale("de_DE.UTF-8"))
        skip();
    small_run("out", "");
    run_fine(BASELINE "save a out && LC_ALL=de_DE.UTF-8 " BASELINE "save b out && LC_ALL=de_DE.UTF-8 " BASELINE
                      "save a out --update | grep -q ' 4 same'");
    assert_same_file("baselines/a.json", "baselines/b.json");
}

static void a_spec_that_is_listed_twice_has_two_lines(void **state)
{
    (void)state;
    run_fine(RUN "out -m plain/serial -d uniform:n=64 -d uniform:n=64 --trials 3");
    run_fine(BASELINE "save main out && grep -c '^\"plain/serial uniform:n=64 120x256 replay' baselines/main.json | "
                      "grep -qx 2 && grep -q '^\"plain/serial uniform:n=64 120x256 replay #2\"' baselines/main.json");
    run_fine(BASELINE "save main out --update | grep -q '2 series: 2 same'");
}

static void another_data_file_is_told(void **state)
{
    (void)state;
    put_text("x.csv", "1\n0x1p-24\n");
    run_fine(RUN "out -m plain/serial -d x.csv -d uniform:n=8 && " BASELINE "save main out");
    put_text("x.csv", "1\n2\n");
    run_fine(RUN "other -m plain/serial -d x.csv -d uniform:n=8");
    assert_refused(BASELINE "save main other --update", 2, "x.csv 120x256 replay: SHA-256 of the data file ");
}

static void names_lie_in_the_folder_of_baselines(void **state)
{
    (void)state;
    small_run("out", "");
    run_fine(BASELINE "save main out --baselines kept && test -s kept/main.json");
    run_fine("ULPSCOPE_BASELINES=kept " BASELINE "save main out --update");
    run_fine("ULPSCOPE_BASELINES=elsewhere " BASELINE "save main out --update --baselines kept");
    run_fine(BASELINE "save ./x.json out && test -s x.json && " BASELINE "save x.json out --update");
    assert_refused(BASELINE "save main out --update", 2, "baselines/main.json: there is no such baseline");
    run_fine(BASELINE "save main out --baselines new/one && test -s new/one/main.json");
    assert_refused(BASELINE "save main out --baselines x.json/new", 2, "x.json/new: cannot be made: Not a directory");
    assert_refused(BASELINE "save x.json/y.json out", 2, "x.json: cannot be made: File exists");
}

static void half_a_run_is_no_baseline(void **state)
{
    (void)state;
    small_run("out", "");
    run_fine("cp -r out half");
    change_run("half/run.db", "UPDATE cases SET is_finished = 0 WHERE case_index = 2");
    assert_refused(BASELINE "save main half", 2, "the run is incomplete: 5 of 6 data sets");
    run_fine("! test -e baselines && " BASELINE "save main out"); /* the twin */
    assert_refused(BASELINE "save main half --update --accept-worse", 2, "the run is incomplete");
    run_fine("cp -r out failed");
    change_run("failed/run.db", "INSERT INTO provenance VALUES('run', 'not measured', '1 of 6 cases')");
    assert_refused(BASELINE "save other failed", 2, "the run is incomplete");
}

/* ---- replaced ---- */

static void a_name_is_not_taken_twice(void **state)
{
    (void)state;
    small_run("out", "");
    run_fine(BASELINE "save main out && cp baselines/main.json before");
    assert_refused(BASELINE "save main out", 2, "there is such a baseline already");
    assert_same_file("baselines/main.json", "before");
    assert_refused(BASELINE "save other out --update", 2, "baselines/other.json: there is no such baseline");
}

static void an_update_is_refused_when_something_got_worse(void **state)
{
    (void)state;
    small_run("out", "");
    changed_run("worse", "out", "100");
    run_fine(BASELINE "save main out && cp baselines/main.json before");
    assert_refused(BASELINE "save main worse --update", 2,
                   "worse: plain/serial uniform:n=64 120x256 replay: ulp_error");
    assert_same_file("baselines/main.json", "before");
    char *said = output_of(BASELINE "save main worse --update --accept-worse");
    assert_non_null(strstr(said, "baselines/main.json: 4 series: 2 worse, 2 same"));
    run_fine("! cmp -s baselines/main.json before");
    free(said);
    said = output_of(BASELINE "save main out --update"); /* better needs no word */
    assert_non_null(strstr(said, "2 better, 2 same"));
    assert_same_file("baselines/main.json", "before");
    free(said);
}

static void what_cannot_be_compared_does_not_replace(void **state)
{
    (void)state;
    small_run("out", "");
    small_run("seed", "--seed 2");
    run_fine(BASELINE "save main out && cp baselines/main.json before");
    assert_refused(BASELINE "save main seed --update", 2, "4 of another study or device");
    assert_same_file("baselines/main.json", "before");
    run_fine(BASELINE "save main seed --update --accept-worse && ! cmp -s baselines/main.json before");
}

static void an_update_is_refused_in_ci(void **state)
{
    (void)state;
    small_run("out", "");
    small_run("more", "-m neumaier/serial");
    run_fine("CI=true " BASELINE "save main out && cp baselines/main.json before"); /* a new one is none */
    assert_refused(
        "CI=true " BASELINE "save main more --update", 2,
        "CI=true is set; expected a person who looks at what changed, since a gate that moves its own limits "
        "holds nothing; update it on your own machine and commit the file");
    assert_refused("CI=1 " BASELINE "save main more --update --accept-worse", 2, "CI=1 is set");
    assert_same_file("baselines/main.json", "before");
    run_fine("CI=false " BASELINE "save main more --update && ! cmp -s baselines/main.json before");
}

/* ---- refused ---- */

static void what_is_no_baseline_stays(void **state)
{
    (void)state;
    small_run("out", "");
    put_text("note.json", "{}\n");
    assert_refused(BASELINE "save ./note.json out --update --accept-worse", 2, "note.json:1: ");
    assert_true(file_exists("note.json"));
}

static void what_is_no_run_is_refused(void **state)
{
    (void)state;
    small_run("out", "");
    run_fine(BASELINE "save main out");
    assert_refused(BASELINE "save other nowhere", 2, "nowhere");
    assert_refused(BASELINE "save main baselines/main.json --update", 2, "main.json");
    change_run("out/run.db", "DELETE FROM results");
    assert_refused(BASELINE "save other out", 2, "holds no sum");
    run_fine("! test -e baselines/other.json");
}

/* Whatever stands in a store, nothing crashes. */
static void odd_stores_do_no_harm(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE results SET ulp_error = -1",
        "UPDATE results SET ulp_error = 9e999, bound_ratio = 9e999",
        "UPDATE results SET ulp_error = NULL WHERE trial = 1",
        "UPDATE results SET exact = 'nan', class = 'nan'",
        "UPDATE methods SET id = ''",
        "UPDATE methods SET id = 'a b'",
        "UPDATE specs SET text = ''",
        "UPDATE specs SET text = char(10) || char(27) || '[31m'",
        "UPDATE run SET value = x'00ff' WHERE key = 'title'",
        "UPDATE launches SET blocks = 4294967295",
        "UPDATE results SET backend_index = 1 WHERE trial = 2",
    };
    small_run("whole", "");
    run_fine(BASELINE "save main whole");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        run_fine("rm -rf out baselines/odd.json && cp -r whole out");
        change_run("out/run.db", changes[i]);
        static const char *const lines[] = {BASELINE "save odd out", BASELINE "save main out --update"};
        for (size_t j = 0; j < sizeof lines / sizeof *lines; j++) {
            struct outcome outcome;
            run_line(lines[j], &outcome);
            if ((outcome.code != 0 && outcome.code != 2) || strchr(outcome.out, 27))
                fail_msg("%s: %s: exit %d: %s", changes[i], lines[j], outcome.code, outcome.err);
            outcome_free(&outcome);
        }
    }
}

static const struct usage {
    const char *fact, *line, *says;
} usages[] = {
    {"nothing_to_do", "", "nothing was asked for; expected save"},
    {"unknown_action", "keep main out", "\"keep\" is nothing to do with a baseline"},
    {"save_without_a_run", "save main", "1 word was given; expected `ulpscope baseline save NAME RUN`"},
    {"save_without_a_name", "save", "expected `ulpscope baseline save NAME RUN`"},
    {"save_of_two_runs", "save main out other", "3 words were given; expected `ulpscope baseline save NAME RUN`"},
    {"accept_without_update", "save main out --accept-worse",
     "--accept-worse belongs to `ulpscope baseline save --update`"},
    {"name_with_a_blank", "save 'a b' out", "\"a b\" is not a baseline name"},
    {"name_of_nothing", "save '' out", "\"\" is not a baseline name"},
    {"unknown_option", "save main out --json -", "unrecognized option"},
    {"update_without_a_baseline", "save main out --update", "baselines/main.json: there is no such baseline"},
};

static void usage_is_told(void **state)
{
    const struct usage *usage = *state;
    char line[256];
    snprintf(line, sizeof line, BASELINE "%s", usage->line);
    assert_refused(line, 2, usage->says);
}

static const struct CMUnitTest facts[] = {
    FACT(a_saved_one_is_there_and_has_its_series),
    FACT(quiet_save_says_nothing),
    FACT(equal_runs_give_equal_bytes),
    FACT(a_locale_does_not_show),
    FACT(a_spec_that_is_listed_twice_has_two_lines),
    FACT(another_data_file_is_told),
    FACT(names_lie_in_the_folder_of_baselines),
    FACT(half_a_run_is_no_baseline),
    FACT(a_name_is_not_taken_twice),
    FACT(an_update_is_refused_when_something_got_worse),
    FACT(what_cannot_be_compared_does_not_replace),
    FACT(an_update_is_refused_in_ci),
    FACT(what_is_no_baseline_stays),
    FACT(what_is_no_run_is_refused),
    FACT(odd_stores_do_no_harm),
};

int main(void)
{
    ADD_FACTS(facts);
    ADD_ROWS(usages, usage_is_told);
    return run_all_tests();
}
