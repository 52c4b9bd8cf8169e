/* `ulpscope check` from outside: what it says of wrong usage, of half a run, and of files that are not what they should
 * be.  test_gate_example.sh has the gate at work.
 */
#include "tests/support/database.h"
#include "tests/support/program.h"

/* No time goes into pictures that nobody looks at. */
#define RUN "PATH=nowhere \"$ULPSCOPE\" run -q --speed 0 -o "
#define BASELINE "\"$ULPSCOPE\" baseline "
#define CHECK "\"$ULPSCOPE\" check "
#define SCHEMA "schema: ulpscope-limits/1\nrules:\n"

static void small_run(const char *name)
{
    char line[256];
    snprintf(line, sizeof line, RUN "%s -m kahan/serial,plain/serial -d uniform:n=64..128*2 --trials 3", name);
    run_fine(line);
    put_text("auto.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: bound_ratio, limit: auto}\n");
    put_text("bits.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: bits, same: baseline}\n");
}

/* Otherwise a rule about the baseline's bits would make a broken limit of every interrupted run. */
static void half_a_run_is_not_measured_whatever_it_breaks(void **state)
{
    (void)state;
    small_run("out");
    run_fine(BASELINE "save main out && cp -r out half");
    change_run("half/run.db", "DELETE FROM results WHERE case_index = 2; DELETE FROM cases WHERE case_index = 2");
    assert_refused(CHECK "half --limits auto.yaml", 3, "half: 5 of 6 cases are complete");
    assert_refused(CHECK "half --limits bits.yaml --baseline main", 3, "half: 5 of 6 cases are complete");
    run_fine(CHECK "out --limits auto.yaml && " CHECK "out --limits bits.yaml --baseline main"); /* the twins */
}

/* Nothing is wrong with the sums that there are. */
static void other_numbers_of_sums_have_no_cause(void **state)
{
    (void)state;
    small_run("out");
    run_fine(BASELINE "save main out");
    run_fine(RUN "more -m kahan/serial,plain/serial -d uniform:n=64..128*2 --trials 4");
    struct outcome outcome;
    run_line(CHECK "more --limits bits.yaml --baseline main", &outcome);
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out, "sums 3 against 4"));
    assert_null(strstr(outcome.out, "rerun: "));
    assert_null(strstr(outcome.out, "no fault"));
    outcome_free(&outcome);
}

static void a_rule_that_matches_nothing_hears_what_there_is(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *says;
    } rows[] = {
        {"method: \"kahn/*\", data: \"*\"", "expected one of its methods: plain/serial, kahan/serial"},
        {"method: kahan/serail, data: \"*\"", "did you mean \"kahan/serial\"?"},
        {"method: \"*\", data: \"unifrom*\"", "expected some of its data: uniform:n=64, uniform:n=128"},
        {"method: \"*\", data: uniform", "did you mean \"uniform:n=64\"?"},
        {"method: \"*\", data: \"*\", backend: cuda", "on the backend cuda; expected its backend: replay"},
    };
    small_run("out");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char limits[256];
        snprintf(limits, sizeof limits, SCHEMA "  - {%s, metric: bound_ratio, limit: auto}\n", rows[i].rule);
        put_text("odd.yaml", limits);
        assert_refused(CHECK "out --limits odd.yaml", 2, rows[i].says);
    }
}

static void a_rule_about_what_the_run_skipped_hears_why(void **state)
{
    (void)state;
    struct outcome outcome;
    run_fine(RUN "out --device host -m plain/serial,cub/device_reduce -d uniform:n=8 --trials 1");
    put_text("cub.yaml", SCHEMA "  - {method: \"cub/*\", data: \"*\", metric: bound_ratio, limit: auto}\n");
    put_text("cuda.yaml", SCHEMA "  - {method: \"cuda/*\", data: \"*\", metric: bound_ratio, limit: auto}\n");
    assert_refused(CHECK "out --limits cub.yaml", 2, "cub.yaml:3: the run skipped cub/device_reduce: a black box");
    run_line(CHECK "out --limits cuda.yaml", &outcome); /* the twin */
    assert_int_equal(outcome.code, 2);
    assert_null(strstr(outcome.err, "the run skipped"));
    outcome_free(&outcome);
}

/* ---- several formats ---- */

#define FORMATS " -m kahan/serial -d uniform:n=1000 --trials 20 --blocks 2 --threads 32 --format "
#define COLUMNS "computed, computed_bits, abs_error, relative_error, ulp_error, backward_error"

static struct outcome outcome_of(const char *line)
{
    struct outcome outcome;
    run_line(line, &outcome);
    return outcome;
}

static void each_format_has_its_own_u(void **state)
{
    (void)state;
    run_fine(RUN "out" FORMATS "binary32,binary64,bfloat16");
    put_text("u.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: relative_error, limit: 8u}\n");
    put_text("number.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: relative_error, limit: 0x1p-21}\n");
    run_fine(CHECK "out --limits u.yaml");
    struct outcome outcome = outcome_of(CHECK "out --limits number.yaml"); /* the twin: 8u of binary32 */
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out, "kahan/serial@bfloat16 on"));
    assert_null(strstr(outcome.out, "kahan/serial@binary64 on"));
    outcome_free(&outcome);
}

static void a_baseline_keeps_the_bits_of_every_format(void **state)
{
    (void)state;
    run_fine(RUN "out" FORMATS "binary32,binary64,bfloat16");
    put_text("bits.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: bits, same: baseline}\n");
    run_fine(BASELINE "save main out");
    run_fine(CHECK "out --limits bits.yaml --baseline main");
    change_run("out/run.db", "UPDATE results SET computed_bits = computed_bits + 1 WHERE trial = 3 AND "
                             "format IN ('binary64', 'bfloat16')");
    struct outcome outcome = outcome_of(CHECK "out --limits bits.yaml --baseline main");
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out, "kahan/serial@binary64 on uniform:n=1000,format=binary64"));
    assert_non_null(strstr(outcome.out, "kahan/serial@bfloat16 on uniform:n=1000,format=bfloat16"));
    assert_null(strstr(outcome.out, "kahan/serial on uniform:n=1000, "));
    outcome_free(&outcome);
}

static void additions_in_a_narrower_format_are_named(void **state)
{
    (void)state;
    run_fine(RUN "out -m kahan/serial@bfloat16,kahan/serial@bfloat16_in_bfloat16 -d normal:n=1000,format=bfloat16 "
                 "--trials 20");
    put_text("half.yaml", SCHEMA "  - {method: \"*@bfloat16\", data: \"*\", metric: ulp_error, limit: 0.5ulp}\n");
    run_fine(CHECK "out --limits half.yaml"); /* the twin */
    change_run("out/run.db", "UPDATE results SET (" COLUMNS ") = (SELECT " COLUMNS " FROM results AS narrow WHERE "
                             "narrow.case_index = results.case_index AND narrow.method LIKE '%in_bfloat16')");
    struct outcome outcome = outcome_of(CHECK "out --limits half.yaml");
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out, "bit for bit kahan/serial@bfloat16 in which additions are rounded to the "
                                        "format of the elements, on 20 of 20\n"));
    outcome_free(&outcome);
}

/* plain/serial in binary16 stops at 2048. */
static void infinity_is_right_beyond_the_format_and_a_number_is_not(void **state)
{
    (void)state;
    put_text("auto.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: nonfinite, limit: auto}\n"
                                 "  - {method: \"*\", data: \"*\", metric: bound_ratio, limit: auto}\n"
                                 "  - {method: \"*\", data: \"*\", metric: ulp_error, limit: 4ulp}\n");
    run_fine(RUN "out -m plain/serial@binary16,plain/serial@binary16_in_binary16,plain/serial@binary16_to_binary32 "
                 "-d ones:n=100000,format=binary16 --permutations 0");
    struct outcome outcome = outcome_of(CHECK "out --limits auto.yaml -v");
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out, "3 series checked by 3 rules: 1 FAIL"));
    assert_non_null(strstr(outcome.out, "FAIL  auto.yaml:5  plain/serial@binary16_in_binary16 on"));
    assert_non_null(strstr(outcome.out, "nonfinite count 0 sums, limit auto; of 1 more s is beyond the range of "
                                        "binary16, and infinity is right\n"));
    outcome_free(&outcome);
    run_fine(RUN "product -m matmul:plain/naive@binary16,matmul:plain/naive@binary16_in_binary16 --permutations 0 "
                 "-d ones:n=70000,rows=1,format=binary16::ones:columns=1,format=binary16");
    outcome = outcome_of(CHECK "product --limits auto.yaml -v");
    assert_non_null(strstr(outcome.out, "bound_ratio max: no claim, limit auto: zeros keep a bound"));
    assert_non_null(strstr(outcome.out, "ok  auto.yaml:5  matmul:plain/naive@binary16 on"));
    outcome_free(&outcome);
    change_run("out/run.db", "UPDATE results SET class = 'overflow' WHERE "
                             "method = 'plain/serial@binary16'"); /* the twin: the other infinity */
    outcome = outcome_of(CHECK "out --limits auto.yaml -v");
    assert_non_null(strstr(outcome.out, "FAIL  auto.yaml:3  plain/serial@binary16 on"));
    outcome_free(&outcome);
}

static void verbose_lists_what_holds(void **state)
{
    (void)state;
    small_run("out");
    char *usual = output_of(CHECK "out --limits auto.yaml"), *all = output_of(CHECK "-v out --limits - <auto.yaml");
    assert_null(strstr(usual, "ok  auto.yaml:3  kahan/serial on uniform:n=64, "));
    assert_non_null(strstr(all, "ok  -:3  kahan/serial on uniform:n=64, 120 x 256, replay: bound_ratio max "));
    assert_non_null(strstr(all, "ok  -:3  plain/serial on uniform:n=128, 120 x 256, replay: bound_ratio max "));
    free(usual);
    free(all);
}

static void what_cannot_be_written_is_told_first(void **state)
{
    (void)state;
    small_run("out");
    assert_refused(CHECK "out --limits auto.yaml --junit /dev/null/j.xml", 2, "/dev/null/j.xml: cannot be written");
    assert_refused(CHECK "out --limits auto.yaml --json /dev/full", 3, "/dev/full: not written in full");
    assert_refused(CHECK "out --limits auto.yaml >/dev/full", 3, "standard output");
    run_fine(CHECK
             "out --limits auto.yaml --junit j.xml --json c.json --markdown c.md && test -s j.xml && test -s c.md");
}

/* ---- what zeros pass ---- */

/* 1/condition is the backward error of a 0. */
static void zeros_that_pass_a_rule_are_counted_sum_by_sum(void **state)
{
    (void)state;
    char expected[128];
    run_fine(RUN "out -m kahan/serial -d normal:n=64 --trials 200");
    put_text("some.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: backward_error, limit: 0.1}\n");
    const int64_t pass = number_in("out/run.db", "SELECT count(*) FROM results WHERE condition >= 10");
    const int64_t tried = number_in("out/run.db", "SELECT count(*) FROM results WHERE condition < 1e300");
    assert_true(pass > 20 && pass < 180 && tried > 190);
    snprintf(expected, sizeof expected, "limit 0.1; zeros pass on %d of %d sums\n", (int)pass, (int)tried);
    char *said = output_of(CHECK "out --limits some.yaml -v");
    assert_non_null(strstr(said, expected));
    assert_null(strstr(said, "warning"));
    free(said);
    put_text("none.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: backward_error, limit: 1e-6}\n");
    said = output_of(CHECK "out --limits none.yaml -v");
    assert_null(strstr(said, "zeros")); /* the twin */
    free(said);
}

#define HOLDS_NOTHING "this rule holds nothing: zeros pass it on all of its data"
#define NO_OTHER "every rule about it holds nothing"

static void a_rule_that_zeros_pass_on_all_data_is_a_warning_and_alone_a_failure(void **state)
{
    (void)state;
    run_fine(RUN "out -m plain/serial,kahan/serial -d gensum:n=64,cond=1e9 -d uniform:n=64 -d mirror:n=64 --trials 5");
    put_text("one.yaml", SCHEMA "  - {method: \"plain/*\", data: \"gensum*\", metric: ulp_error, limit: auto}\n"
                                "  - {method: \"*\", data: \"*\", metric: nonfinite, limit: auto}\n");
    struct outcome outcome = outcome_of(CHECK "out --limits one.yaml --json one.json");
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out, "FAIL  plain/serial on gensum:n=64,cond=1e9, 120 x 256, replay: " NO_OTHER));
    assert_non_null(strstr(outcome.out, "warning  one.yaml:3: " HOLDS_NOTHING ", 1 series;"));
    assert_non_null(strstr(outcome.out, "; 1 rule that zeros pass, 1 series that no rule holds\n"));
    outcome_free(&outcome);
    run_fine("grep -c '\"holds_nothing\": true' one.json | grep -qx 2");
    /* Twins: an allowance; a rule of bits; a rule that also is about data on which zeros fail; a sum that is 0. */
    run_fine(
        "cat one.yaml - >allowed.yaml <<'.'\nallow_no_claim:\n  - {method: naive, data: \"gen*\", why: known}\n.\n");
    outcome = outcome_of(CHECK "out --limits allowed.yaml");
    assert_int_equal(outcome.code, 0);
    assert_null(strstr(outcome.out, "unused"));
    outcome_free(&outcome);
    run_fine("sed 's/naive/kahan\\/*/' allowed.yaml >unneeded.yaml"); /* no rule about it is passed by zeros */
    outcome = outcome_of(CHECK "out --limits unneeded.yaml");
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out, "unused  unneeded.yaml:6  kahan/* on gen*, no_claim, (known): nothing"));
    outcome_free(&outcome);
    outcome = outcome_of(CHECK "out --limits allowed.yaml");
    assert_non_null(strstr(outcome.out, "warning  allowed.yaml:3: " HOLDS_NOTHING));
    outcome_free(&outcome);
    run_fine(BASELINE "save main out && cat one.yaml - >bits.yaml <<'.'\n"
                      "  - {method: \"plain/*\", data: \"*\", metric: bits, same: baseline}\n.\n");
    run_fine(CHECK "out --limits bits.yaml --baseline main");
    put_text("all.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: ulp_error, limit: auto}\n");
    put_text("zero.yaml", SCHEMA "  - {method: \"*\", data: \"mirror*\", metric: ulp_error, limit: auto}\n");
    outcome = outcome_of(CHECK "out --limits all.yaml");
    char *zero = output_of(CHECK "out --limits zero.yaml");
    assert_int_equal(outcome.code, 1);
    assert_null(strstr(outcome.out, "warning")); /* but a series is held by rules that hold it, not another */
    assert_non_null(strstr(outcome.out, "FAIL  plain/serial on gensum:n=64,cond=1e9, 120 x 256, replay: " NO_OTHER));
    assert_null(strstr(outcome.out, "on uniform:n=64, 120 x 256, replay: " NO_OTHER));
    assert_null(strstr(outcome.out, "on mirror:n=64, 120 x 256, replay: " NO_OTHER));
    assert_null(strstr(zero, "zeros"));
    outcome_free(&outcome);
    free(zero);
}

/* 999 additions in bfloat16: 999 u = 3.9. */
static void a_bound_above_the_magnitudes_is_no_claim_and_the_word_of_a_tree_is_one(void **state)
{
    (void)state;
    char *table = output_of("\"$ULPSCOPE\" run -o out --speed 0 -m plain/serial@bfloat16_in_bfloat16 "
                            "-d uniform:n=1000,format=bfloat16 --trials 5");
    assert_non_null(strstr(table, " no claim "));
    assert_non_null(strstr(table, "no claim: zeros keep a bound above the sum of the magnitudes;"));
    free(table);
    run_fine("grep -q 'no claim: zeros keep a bound' out/report.html");
    put_text("auto.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: bound_ratio, limit: auto}\n");
    put_text("tree.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: ulp_error, limit: \"auto:pairwise\"}\n");
    put_text("low.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: ulp_error, limit: \"auto:height=10\"}\n");
    put_text("lower.yaml", SCHEMA "  - {method: \"*\", data: \"*\", metric: ulp_error, limit: \"auto:height=9\"}\n");
    struct outcome outcome = outcome_of(CHECK "out --limits auto.yaml -v");
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out,
                           "bound_ratio max: no claim, limit auto: zeros keep a bound above the sum of the "
                           "magnitudes; auto:pairwise would claim 0.638 of it; zeros pass on 5 of 5 sums\n"));
    outcome_free(&outcome);
    outcome = outcome_of(CHECK "out --limits tree.yaml -v");
    assert_int_equal(outcome.code, 0);
    assert_non_null(strstr(outcome.out, "of its bound, limit auto:pairwise: a backward_error of at most 0.638\n"));
    outcome_free(&outcome);
    outcome = outcome_of(CHECK "out --limits low.yaml");
    assert_int_equal(outcome.code, 1); /* it is no such tree: 0.04 */
    assert_non_null(strstr(outcome.out, "of its bound, limit auto:height=10: a backward_error of at most 0.0396\n"));
    outcome_free(&outcome);
    assert_refused(CHECK "out --limits lower.yaml", 2, "no tree of height 9 has 1000 numbers; expected height=10");
}

static const struct usage {
    const char *fact, *line, *says;
} usages[] = {
    {"no_run", "--limits auto.yaml", "no run was named"},
    {"two_runs", "out out --limits auto.yaml", "\"out\": a second run; expected one"},
    {"no_such_run", "gone --limits auto.yaml", "gone: No such file or directory; expected a run"},
    {"no_limits", "out", "no limits were given; expected --limits FILE"},
    {"no_such_limits", "out --limits gone.yaml", "gone.yaml: No such file or directory; expected a limits file"},
    {"no_baseline_where_a_rule_asks", "out --limits bits.yaml",
     "bits.yaml:3: the rule asks for a baseline; expected --baseline NAME; `ulpscope baseline save main out` makes "
     "one"},
    {"a_baseline_where_no_rule_asks", "out --limits auto.yaml --baseline main", "no rule asks for the baseline"},
    {"no_such_baseline", "out --limits bits.yaml --baseline main", "baselines/main.json: there is no such baseline"},
    {"two_on_stdout", "out --limits auto.yaml --json - --junit -", "2 outputs to standard output"},
    {"annotations_among_json", "out --limits auto.yaml --json - --github", "2 outputs to standard output"},
    {"no_day", "out --limits auto.yaml --today soon", "--today: \"soon\" is not a date"},
    {"unknown_option", "out --limits auto.yaml --html -", "unrecognized option"},
};

static void usage_is_told(void **state)
{
    const struct usage *usage = *state;
    char line[256];
    small_run("out");
    snprintf(line, sizeof line, CHECK "%s", usage->line);
    assert_refused(line, 2, usage->says);
}

static const struct CMUnitTest facts[] = {
    FACT(half_a_run_is_not_measured_whatever_it_breaks),
    FACT(other_numbers_of_sums_have_no_cause),
    FACT(a_rule_that_matches_nothing_hears_what_there_is),
    FACT(a_rule_about_what_the_run_skipped_hears_why),
    FACT(each_format_has_its_own_u),
    FACT(a_baseline_keeps_the_bits_of_every_format),
    FACT(additions_in_a_narrower_format_are_named),
    FACT(infinity_is_right_beyond_the_format_and_a_number_is_not),
    FACT(zeros_that_pass_a_rule_are_counted_sum_by_sum),
    FACT(a_rule_that_zeros_pass_on_all_data_is_a_warning_and_alone_a_failure),
    FACT(a_bound_above_the_magnitudes_is_no_claim_and_the_word_of_a_tree_is_one),
    FACT(verbose_lists_what_holds),
    FACT(what_cannot_be_written_is_told_first),
};

int main(void)
{
    ADD_FACTS(facts);
    ADD_ROWS(usages, usage_is_told);
    return run_all_tests();
}
