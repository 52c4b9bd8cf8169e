/* What `ulpscope check` writes, of checks made by hand: each output says the same numbers, whatever names it is given.
 *
 *   build/host/tests/tests_gate test_check_outputs --write     makes tests/golden/check/ anew: look at what changed
 */
#include "reports/report.h"
#include "src/gate/findings/findings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_check.h"
#include "tests/support/heard.h"

#include <time.h>

#define GOLDEN SOURCE_DIRECTORY "/tests/golden/check/"

/* ---- golden ---- */

/* "tests/golden/check/junit.xml"; of an output without a row "tests/golden/check/ID.txt". */
static const char *golden_path(const char *id)
{
    static const char *const names[][2] = {{"json", "check.json"}, {"junit", "junit.xml"}, {"markdown", "comment.md"}};
    static char path[512];
    snprintf(path, sizeof path, GOLDEN "%s.txt", id);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i][0], id) == 0)
            snprintf(path, sizeof path, GOLDEN "%s", names[i][1]);
    return path;
}

static void every_output_is_as_it_was(void **state)
{
    (void)state;
    struct made *made = usual_check();
    size_t count;
    const struct check_output *const *outputs = check_outputs(&count);
    for (size_t i = 0; i < count; i++) {
        const char *path = golden_path(outputs[i]->id);
        char *now = written(outputs[i]->id, made), *before = slurp(path);
        if (!before)
            print_message("%s is wanting: test_check_outputs --write\n", path);
        else if (strcmp(now, before) != 0)
            fail_msg("%s is another; if it should be: test_check_outputs --write\n%.3000s", path, now);
        free(now);
        free(before);
    }
    end(made);
}

static int write_golden(void)
{
    struct made *made = usual_check();
    size_t count;
    const struct check_output *const *outputs = check_outputs(&count);
    for (size_t i = 0; i < count; i++)
        if (outputs[i]->write(&made->checked, golden_path(outputs[i]->id)) != OK)
            return 1;
    end(made);
    return 0;
}

static void every_output_is_found_by_its_id_and_flag(void **state)
{
    (void)state;
    size_t count;
    const struct check_output *const *outputs = check_outputs(&count);
    assert_string_equal(outputs[0]->id, "terminal");
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 ? !outputs[i]->option : strcmp(outputs[i]->option, outputs[i]->id) == 0);
        assert_true(*outputs[i]->summary);
    }
    assert_null(output("github")->argument);
    assert_string_equal(output("junit")->argument, "FILE");
}

/* ---- what all of them say ---- */

static struct findings findings_of(const struct made *made)
{
    struct findings findings;
    findings_make(&made->checked, &findings);
    return findings;
}

static void the_sentence_counts_series_and_allowances(void **state)
{
    (void)state;
    struct made *made = usual_check();
    struct findings findings = findings_of(made);
    assert_string_equal(findings.sentence, "4 series checked by 3 rules: 2 FAIL (1 missing), 1 allowed, 1 ok; "
                                           "1 skipped, 1 that no rule covers; 1 allowance expired, 1 unused");
    findings_free(&findings);
    end(made);
    made = fine_check();
    findings = findings_of(made);
    assert_string_equal(findings.sentence, "2 series checked by 1 rule: 2 ok");
    findings_free(&findings);
    allowance(made, "a", "2027-03-01", "b");
    findings = findings_of(made);
    assert_string_equal(findings.sentence, "2 series checked by 1 rule: 2 ok; 1 allowance unused");
    findings_free(&findings);
    end(made);
}

static void an_expired_allowance_is_a_failure(void **state)
{
    (void)state;
    struct made *made = fine_check();
    assert_true(findings_pass(&made->checked));
    allowance(made, "a", "2025-03-01", "b");
    assert_false(findings_pass(&made->checked));
    end(made);
}

/* Whoever reads one output alone must not take it for fine. */
static void what_was_not_checked_is_a_failure_in_every_output(void **state)
{
    (void)state;
    struct made *made = check_with_gaps();
    struct findings findings = findings_of(made);
    assert_string_equal(findings.sentence, "2 series checked by 3 rules: 2 ok; 2 rules hold nothing; the run is not "
                                           "complete");
    assert_int_equal(findings.gap_count, 3);
    findings_free(&findings);
    assert_true(check_passes(&made->check));
    assert_false(findings_pass(&made->checked));
    static const struct {
        const char *id, *said[4];
    } outputs[] = {
        {"terminal", {"2 rules hold nothing; the run is not complete"}},
        {"json", {"\"passes\": false", "2 rules hold nothing"}},
        {"markdown",
         {"ulpscope check: FAIL", "\n- rule 2: ", "this rule holds nothing: it is about no series",
          "\n- the run: 100 of 101 cases"}},
        {"junit",
         {"failures=\"3\"", "name=\"rule 3: * on *, bits\"", "it can be compared with none of 1 series",
          "name=\"the run\""}},
        {"github",
         {"::error file=limits.yaml,line=5,title=not checked%3A rule 2", "line=6,title=not checked%3A rule 3",
          "::error title=not checked%3A the run::100 of 101 cases"}},
    };
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        char *text = written(outputs[i].id, made);
        for (size_t k = 0; k < 4 && outputs[i].said[k]; k++)
            assert_says(text, outputs[i].said[k]);
        free(text);
    }
    end(made);
    made = fine_check();
    assert_true(findings_pass(&made->checked));
    char *text = written("markdown", made);
    assert_says(text, "ulpscope check: ok");
    free(text);
    end(made);
}

static void series_of_one_name_get_numbers(void **state)
{
    (void)state;
    struct made *made = begin("limits.yaml");
    const struct rule *bits = rule(made, of_bits);
    series(made, "m", "a");
    series(made, "m", "a");
    series(made, "other", "a");
    series(made, "m", "a");
    find(
        made,
        (struct finding){
            .verdict = VERDICT_FAILED, .rule = bits, .before = missing(made, "m", "a"), .unit = "", .said = "missing"});
    struct findings findings = findings_of(made);
    static const char *const expected[] = {"a, 120 x 256, replay", "a, 120 x 256, replay #2", "a, 120 x 256, replay",
                                           "a, 120 x 256, replay #3", "a, 120 x 256, replay #4"};
    assert_int_equal(findings.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(findings.subjects[i].name, expected[i]);
    findings_free(&findings);
    end(made);
}

static void a_missing_series_is_one_whatever_the_rules(void **state)
{
    (void)state;
    struct made *made = begin("limits.yaml");
    const struct rule *bits = rule(made, of_bits), *error = rule(made, of_error);
    const struct baseline_series *lost = missing(made, "m", "a"), *elsewhere = missing(made, "m", "b");
    find(made, (struct finding){.rule = bits, .before = lost, .unit = "", .said = "missing"});
    find(made, (struct finding){.rule = error, .before = lost, .unit = "", .said = "missing"});
    find(made, (struct finding){VERDICT_SKIPPED, bits, NULL, elsewhere, NAN, NAN, "", "no such backend", NULL, NULL,
                                NULL, 0, 0});
    struct findings findings = findings_of(made);
    assert_string_equal(findings.sentence, "1 series checked by 2 rules: 1 FAIL (1 missing); 1 skipped");
    assert_int_equal(findings.count, 2);
    assert_int_equal(findings.subjects[0].count, 2);
    findings_free(&findings);
    end(made);
}

/* "replay #2" may be what somebody wrote into a file. */
static void a_name_that_looks_numbered_stays_apart(void **state)
{
    (void)state;
    struct made *made = begin("limits.yaml");
    series(made, "m", "a");
    series(made, "m", "a");
    made->results.series[2] = made->results.series[0];
    static const struct backend numbered = {"replay #2", "host", false};
    made->results.series[2].backend = &numbered;
    made->results.series_count = 3;
    struct findings findings = findings_of(made);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(findings.subjects[i].name, findings.subjects[j].name);
    findings_free(&findings);
    end(made);
}

/* Different bytes that are no text look alike when they are printed. */
static void names_that_print_alike_stay_apart(void **state)
{
    (void)state;
    struct made *made = begin("limits.yaml");
    series(made, "m", "a\x01");
    series(made, "m", "a\x02");
    struct findings findings = findings_of(made);
    assert_string_not_equal(findings.subjects[0].name, findings.subjects[1].name);
    findings_free(&findings);
    end(made);
}

static void an_allowance_holds_on_its_last_day(void **state)
{
    (void)state;
    struct made *made = fine_check();
    allowance(made, "a", "2026-03-01", "b");
    made->check.today = made->limits.allowances[0].until;
    struct findings findings = findings_of(made);
    assert_int_equal(findings.allowances[0].state, ALLOWANCE_UNUSED);
    findings_free(&findings);
    made->check.today = (struct date){"2026-03-02"};
    made->check.expired = 1;
    findings = findings_of(made);
    assert_int_equal(findings.allowances[0].state, ALLOWANCE_EXPIRED);
    assert_int_equal(findings.unused, 0);
    findings_free(&findings);
    end(made);
}

static void a_failure_says_until_when_it_was_allowed(void **state)
{
    (void)state;
    struct made *made = begin("limits.yaml");
    const struct rule *error = rule(made, of_error);
    const struct allowance *over = allowance(made, "a", "2025-03-01", "b");
    made->limits.allowances[0].metric = METRIC_ulp_error;
    find(made, (struct finding){VERDICT_FAILED, error, series(made, "m", "a"), NULL, 2, 1.5, "ulp", "too much", NULL,
                                over, NULL, 0, 0});
    struct findings findings = findings_of(made);
    assert_string_equal(findings.subjects[0].list[0].said, "too much (Higham 4.8); it was allowed until 2025-03-01");
    assert_null(findings.subjects[0].list[0].allowed);
    assert_int_equal(findings.allowances[0].state, ALLOWANCE_EXPIRED);
    assert_string_equal(findings.allowances[0].about, "plain/serial on a, ulp_error");
    assert_string_equal(findings.sentence, "1 series checked by 1 rule: 1 FAIL; 1 allowance expired");
    findings_free(&findings);
    end(made);
}

static void a_long_text_is_cut_between_characters(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"0123456789", "0123456789"}, {"0123456789a", "0123456\xe2\x80\xa6"}, {"012345\xc3\xbc\xc3\xbc\xc3\xbc", NULL}};
    for (size_t i = 0; i < 3; i++) {
        char *cut = cut_text(pairs[i][0], 10);
        assert_string_equal(cut, pairs[i][1] ? pairs[i][1] : "012345\xe2\x80\xa6");
        free(cut);
    }
}

/* ---- terminal ---- */

static size_t lines_of(const char *text, const char *start)
{
    size_t count = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL)
        count += strncmp(line, start, strlen(start)) == 0;
    return count;
}

static void the_terminal_begins_with_what_fails_and_ends_with_the_sentence(void **state)
{
    (void)state;
    struct made *made = usual_check();
    char *text = written("terminal", made);
    static const char first[] = "FAIL  limits.yaml:4  kahan/serial on uniform:n=1024, 120 x 256, replay: ulp_error",
                      last[] = "; 1 allowance expired, 1 unused\n";
    assert_int_equal(strncmp(text, first, strlen(first)), 0);
    assert_string_equal(text + strlen(text) - strlen(last), last);
    assert_int_equal(count_of(text, "      rerun: "), 1); /* once, although it breaks two rules */
    assert_int_equal(count_of(text, "      bit for bit plain/serial"), 1);
    assert_int_equal(count_of(text, "FAIL  "), 3);
    assert_int_equal(count_of(text, "ok  "), 0);
    assert_int_equal(count_of(text, "\033"), 0);
    free(text);
    end(made);
}

static void where_all_is_fine_the_closest_series_is_told(void **state)
{
    (void)state;
    struct made *made = fine_check();
    find(made, (struct finding){VERDICT_PASSED, rule(made, of_bits), &made->results.series[0], NULL, 0, 0, "",
                                "bits: the same as those of the baseline", NULL, NULL, NULL, 0, 0});
    char *text = written("terminal", made);
    assert_string_equal(text, "ok  limits.yaml:4  2 series; closest to its limit: kahan/serial on normal:n=1024, "
                              "120 x 256, replay: ulp_error max 0.75 ulp, limit 1.5ulp (Higham 4.8)\n"
                              "ok  limits.yaml:5  1 series: bits, same: baseline\n\n"
                              "2 series checked by 2 rules: 2 ok\n");
    free(text);
    end(made);
}

static void what_fails_hides_what_is_fine(void **state)
{
    (void)state;
    struct made *made = fine_check();
    allowance(made, "a", "2027-03-01", "b");
    char *text = written("terminal", made);
    assert_int_equal(lines_of(text, "ok  "), 1);
    assert_int_equal(lines_of(text, "unused  limits.yaml:20  "), 1);
    free(text);
    allowance(made, "a", "2025-03-01", "b"); /* expired */
    text = written("terminal", made);
    assert_int_equal(lines_of(text, "ok  "), 0);
    assert_int_equal(lines_of(text, "expired  limits.yaml:21  "), 1);
    free(text);
    end(made);
}

static void what_is_allowed_is_not_the_closest(void **state)
{
    (void)state;
    struct made *made = begin("limits.yaml");
    const struct rule *error = rule(made, of_error);
    const struct allowance *used = allowance(made, "swamp*", "2027-03-01", "known");
    find(made, (struct finding){VERDICT_ALLOWED, error, series(made, "plain/serial", "swamp:n=64"), NULL, 9, 1.5, "ulp",
                                "ulp_error max 9.00 ulp, limit 1.5ulp", NULL, used, NULL, 0, 0});
    find(made, (struct finding){VERDICT_PASSED, error, series(made, "kahan/serial", "swamp:n=64"), NULL, 0.5, 1.5,
                                "ulp", "ulp_error max 0.50 ulp, limit 1.5ulp", NULL, NULL, NULL, 0, 0});
    char *text = written("terminal", made);
    assert_says(text, "ok  limits.yaml:4  1 series; closest to its limit: kahan/serial on swamp:n=64");
    free(text);
    end(made);
}

static void verbose_tells_each_comparison_that_passes(void **state)
{
    (void)state;
    struct made *made = usual_check();
    made->checked.verbose = true;
    char *text = written("terminal", made);
    assert_int_equal(lines_of(text, "ok  "), 1);
    assert_says(text,
                "\nok  limits.yaml:4  kahan/serial on uniform:n=1024, 120 x 256, replay #2: ulp_error max 0.50 ulp, "
                "limit 1.5ulp (Higham 4.8)\n");
    free(text);
    end(made);
    made = fine_check();
    made->checked.verbose = true;
    text = written("terminal", made);
    assert_int_equal(lines_of(text, "ok  "), 2);
    assert_int_equal(count_of(text, "closest"), 0);
    free(text);
    end(made);
}

static void an_allowance_that_is_like_nothing_says_so(void **state)
{
    (void)state;
    struct made *made = fine_check();
    allowance(made, "a", "2027-03-01", "b");
    char *text = written("terminal", made);
    assert_says(text,
                "unused  limits.yaml:20  plain/serial on a, until 2027-03-01 (b): it matches no series of the run");
    free(text);
    series(made, "plain/serial", "a"); /* the twin */
    text = written("terminal", made);
    assert_says(text, "until 2027-03-01 (b): nothing that it is about fails; remove it\n");
    free(text);
    end(made);
}

static void too_few_sums_have_no_worst_one(void **state)
{
    (void)state;
    struct made *made = begin("limits.yaml");
    struct rule least = of_error;
    least.statistic = GATE_COUNT;
    least.limit = (struct limit){.kind = LIMIT_LEAST, .number = 50, .text = "50"};
    const struct series *few = series(made, "kahan/serial", "uniform:n=64");
    const struct rule *count = rule(made, least), *error = rule(made, of_error);
    find(made, (struct finding){VERDICT_FAILED, count, few, NULL, 9, 50, "sums", "9 of them", NULL, NULL, NULL, 0, 0});
    char *text = written("terminal", made);
    assert_int_equal(count_of(text, "rerun: "), 0);
    free(text);
    find(made, (struct finding){VERDICT_FAILED, error, few, NULL, 9, 1.5, "ulp", "too much", "a cause", NULL, NULL, 0,
                                0}); /* twin */
    text = written("terminal", made);
    assert_int_equal(count_of(text, "rerun: "), 1);
    assert_int_equal(count_of(text, "      a cause\n"), 1);
    free(text);
    end(made);
}

static void a_count_is_closest_to_its_limit_where_it_is_least(void **state)
{
    (void)state;
    struct made *made = begin("limits.yaml");
    struct rule least = of_error;
    least.statistic = GATE_COUNT;
    least.limit = (struct limit){.kind = LIMIT_LEAST, .number = 50, .text = "50"};
    const struct rule *count = rule(made, least);
    static const double counts[] = {90, 60, 70};
    static char *const said[] = {"90 of them", "60 of them", "70 of them"};
    for (size_t i = 0; i < 3; i++)
        find(made, (struct finding){VERDICT_PASSED, count, series(made, "m", "a"), NULL, counts[i], 50, "", said[i],
                                    NULL, NULL, NULL, 0, 0});
    char *text = written("terminal", made);
    assert_says(text, "replay #2: 60 of them (Higham 4.8)\n");
    free(text);
    end(made);
}

/* Two rules with reasons in the other order of the alphabet, and one reason of both. */
static void reasons_are_counted_by_rule_in_the_order_of_the_file(void **state)
{
    (void)state;
    struct made *made = begin("limits.yaml");
    const struct rule *first = rule(made, of_error), *second = rule(made, of_error);
    static char *const reasons[] = {"z", "a"};
    for (size_t i = 0; i < 6; i++) {
        const struct series *of = series(made, "m", "a");
        find(made,
             (struct finding){VERDICT_SKIPPED, first, of, NULL, NAN, NAN, "", reasons[i > 3], NULL, NULL, NULL, 0, 0});
        find(made,
             (struct finding){VERDICT_SKIPPED, second, of, NULL, NAN, NAN, "", reasons[0], NULL, NULL, NULL, 0, 0});
    }
    char *text = written("terminal", made);
    assert_says(text, "skipped  limits.yaml:4  4 series: z (Higham 4.8)\n"
                      "skipped  limits.yaml:4  2 series: a (Higham 4.8)\n"
                      "skipped  limits.yaml:5  6 series: z (Higham 4.8)\n");
    free(text);
    end(made);
}

static void long_lists_end_after_twenty_lines(void **state)
{
    (void)state;
    static char reasons[30][16];
    struct made *made = begin("limits.yaml");
    const struct rule *bits = rule(made, of_bits);
    for (size_t i = 0; i < 30; i++) {
        snprintf(reasons[i], sizeof reasons[i], "reason %zu", i);
        find(made, (struct finding){VERDICT_SKIPPED, bits, series(made, "m", "a"), NULL, NAN, NAN, "", reasons[i], NULL,
                                    NULL, NULL, 0, 0});
    }
    char *text = written("terminal", made);
    assert_int_equal(lines_of(text, "skipped  "), 21);
    assert_says(text, "skipped  and 10 lines more; --json FILE has them all\n");
    free(text);
    end(made);
}

/* The numbers before "series more" and "times more". */
static size_t told_by_number(const char *text)
{
    size_t sum = 0;
    for (const char *at = text; (at = strstr(at, " more")); at++) {
        const char *word = at;
        for (int words = 0; words < 2; words++)
            while (*--word != ' ')
                ;
        sum += strtoul(word, NULL, 10);
    }
    return sum;
}

static void failures_after_the_twentieth_are_counted_by_cause(void **state)
{
    (void)state;
    struct made *made = large_check(1000, 3);
    char *text = written("terminal", made);
    assert_int_equal(count_of(text, "FAIL  "), 20 + 3);
    assert_int_equal(told_by_number(text), 980);
    assert_says(text, "FAIL  limits.yaml:4  327 series more: cause 2\n"); /* 333, of which 6 are told */
    free(text);
    end(made);
    made = large_check(1000, 1000);
    text = written("terminal", made);
    assert_int_equal(count_of(text, "FAIL  "), 20 + 20 + 1);
    assert_int_equal(told_by_number(text), 960); /* 20 alone have their names */
    assert_says(text, "FAIL  limits.yaml:4  kahan/tree_two_pass on uniform:n=10, 120 x 256, replay: ulp_error max");
    free(text);
    end(made);
    made = large_check(1000, 40); /* of which 20 causes have no line */
    text = written("terminal", made);
    assert_int_equal(count_of(text, "FAIL  "), 20 + 20 + 1);
    assert_int_equal(told_by_number(text), 980);
    free(text);
    end(made);
    made = large_check(20, 1);
    text = written("terminal", made);
    assert_int_equal(count_of(text, "FAIL  "), 20);
    assert_int_equal(told_by_number(text), 0);
    free(text);
    end(made);
}

/* What goes to stdout, "-". */
static char *printed(const char *id, const struct made *made)
{
    const int before = dup(STDOUT_FILENO);
    fflush(stdout);
    assert_non_null(freopen(in_folder("stdout"), "w", stdout));
    const enum status status = output(id)->write(&made->checked, "-");
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    assert_int_equal(status, OK);
    char *text = slurp(in_folder("stdout"));
    unlink(in_folder("stdout"));
    return text;
}

static void colours_are_for_stdout_and_words_the_same(void **state)
{
    (void)state;
    struct made *made = usual_check();
    char *plain = printed("terminal", made);
    report_colour = true;
    char *coloured = printed("terminal", made), *file = written("terminal", made);
    report_colour = false;
    assert_string_equal(plain, file);
    assert_says(coloured, "\033[1;31mFAIL\033[0m  limits.yaml:4  ");
    char *to = coloured;
    for (const char *from = coloured; *from; from++) {
        if (*from == '\033')
            from = strchr(from, 'm');
        else
            *to++ = *from;
    }
    *to = '\0';
    assert_string_equal(coloured, plain);
    free(plain);
    free(coloured);
    free(file);
    end(made);
}

/* ---- json ---- */

static json_t *json_of(const struct made *made)
{
    char *text = written("json", made);
    json_error_t error;
    json_t *json = json_loads(text, 0, &error);
    if (!json)
        fail_msg("%s: %.300s", error.text, text);
    free(text);
    return json;
}

static size_t json_number_at(const json_t *json, const char *outer, const char *inner, const char *key)
{
    return (size_t)json_integer_value(json_object_get(json_object_get(json_object_get(json, outer), inner), key));
}

static bool is_number(const json_t *value, double number)
{
    return isfinite(number) ? json_real_value(value) == number
                            : strcmp(json_string_value(value), isnan(number) ? "nan" : "inf") == 0;
}

/* Each finding, in the series that it is of. */
static void assert_json_holds(const struct made *made, const json_t *json)
{
    const json_t *list = json_object_get(json, "series");
    size_t findings = 0, i, k;
    json_t *subject, *finding;
    json_array_foreach(list, i, subject)
    {
        json_array_foreach(json_object_get(subject, "findings"), k, finding)
        {
            const size_t rule = (size_t)json_integer_value(json_object_get(finding, "rule"));
            const struct series *series = i < made->results.series_count ? &made->results.series[i] : NULL;
            const struct finding *expected = made->check.findings;
            while (expected->series != series || expected->rule != &made->limits.rules[rule])
                expected++;
            assert_true(is_number(json_object_get(finding, "value"), expected->value));
            assert_true(is_number(json_object_get(finding, "limit"), expected->limit));
            assert_string_equal(json_string_value(json_object_get(finding, "verdict")),
                                verdict_words[expected->verdict]);
            const json_t *allowance = json_object_get(finding, "allowance");
            assert_true(json_is_null(allowance) == !expected->allowance);
            if (expected->allowance)
                assert_int_equal(json_integer_value(allowance), expected->allowance - made->limits.allowances);
            findings++;
        }
    }
    assert_int_equal(findings, made->check.count);
    for (int verdict = 0; verdict < VERDICTS; verdict++)
        assert_int_equal(json_number_at(json, "counts", "findings", verdict_words[verdict]), made->check.by[verdict]);
    assert_int_equal(json_number_at(json, "counts", "allowances", "expired"), made->check.expired);
}

static void json_reruns_the_worst_by_the_metric_that_fails(void **state)
{
    (void)state;
    for (int fails = 0; fails < 2; fails++) {
        struct made *made = begin("limits.yaml");
        const struct series *list = series(made, "kahan/serial", "uniform:n=64");
        const struct rule *broken = rule(made, of_error);
        made->results.series[0].commands[of_error.metric] = "ulpscope run --trial 3";
        find(made, (struct finding){fails ? VERDICT_FAILED : VERDICT_PASSED, broken, list, NULL, 9, 1.5, "ulp", "",
                                    NULL, NULL, NULL, 0, 0});
        json_t *json = json_of(made);
        const json_t *subject = json_array_get(json_object_get(json, "series"), 0);
        assert_string_equal(json_string_value(json_object_get(subject, "rerun")),
                            fails ? "ulpscope run --trial 3" : list->worst_command);
        json_decref(json);
        end(made);
    }
}

static void json_reads_back_the_same_numbers(void **state)
{
    (void)state;
    struct made *const checks[] = {usual_check(), nasty_check(), fine_check()};
    for (size_t i = 0; i < 3; i++) {
        json_t *json = json_of(checks[i]);
        assert_json_holds(checks[i], json);
        assert_true(json_is_true(json_object_get(json, "passes")) == findings_pass(&checks[i]->checked));
        json_decref(json);
        end(checks[i]);
    }
}

/* ---- markdown ---- */

/* Bars of a line that are no text. */
static size_t bars(const char *line, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\\')
            i++;
        else
            count += line[i] == '|';
    }
    return count;
}

/* A comment of a bot: found by its first line, short enough, with whole tables and without tags of others. */
static void assert_comment_is_fine(const char *text)
{
    assert_int_equal(strncmp(text, "<!-- ulpscope-check -->\n## ulpscope check: ", 43), 0);
    assert_true(strlen(text) < 60000);
    assert_clean(text);
    assert_int_equal(count_of(text, "<details>"), count_of(text, "</details>"));
    assert_int_equal(count_of(text, "<"), 1 + 4 * count_of(text, "<details>"));
    size_t columns = 0;
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        const size_t here = *line == '|' ? bars(line, (size_t)(end - line)) : 0;
        assert_true(columns == 0 || here == 0 || here == columns);
        columns = here;
    }
}

static void a_comment_is_short_whatever_the_names(void **state)
{
    (void)state;
    static char long_name[3][20000];
    memset(long_name[0], '&', sizeof long_name[0] - 1);
    memset(long_name[1], '|', sizeof long_name[1] - 1);
    memset(long_name[2], '\x01', sizeof long_name[2] - 1);
    for (size_t i = 0; i < 3; i++) {
        struct made *made = large_check(200, 200);
        for (size_t k = 0; k < 200; k++) {
            made->results.series[k].method = made->results.series[k].data = long_name[i];
            made->check.findings[k].said = made->check.findings[k].cause = long_name[i];
            allowance(made, long_name[i], k % 2 ? "2025-03-01" : "2027-03-01", long_name[i]);
        }
        made->limits.rules[0].why = made->limits.path = long_name[i];
        made->checked.run = long_name[i];
        char *text = written("markdown", made);
        assert_comment_is_fine(text);
        assert_true(count_of(text, "\n|") >= 3); /* head, line, and a row at least */
        free(text);
        end(made);
    }
}

static void a_comment_shows_fifty_failures_and_counts_the_rest(void **state)
{
    (void)state;
    struct made *made = large_check(1000, 3);
    char *text = written("markdown", made);
    assert_comment_is_fine(text);
    assert_int_equal(count_of(text, "\n| limits.yaml:4 |"), 50);
    assert_says(text, "\n950 failures more are not shown");
    free(text);
    end(made);
    made = large_check(50, 3);
    text = written("markdown", made);
    assert_int_equal(count_of(text, "\n| limits.yaml:4 |"), 50);
    assert_null(strstr(text, "failures more"));
    free(text);
    end(made);
}

static void a_comment_counts_the_lines_it_leaves_out(void **state)
{
    (void)state;
    struct made *made = fine_check();
    for (size_t i = 0; i < 60; i++)
        allowance(made, "a", "2025-03-01", "b");
    char *text = written("markdown", made);
    assert_int_equal(lines_of(text, "- expired: "), 50);
    assert_int_equal(lines_of(text, "- and 10 lines more\n"), 1);
    free(text);
    end(made);
}

static void a_comment_has_a_whole_command_or_none(void **state)
{
    (void)state;
    static char command[1000];
    struct made *made = large_check(1, 1);
    memset(command, 'x', sizeof command - 1);
    made->results.series[0].worst_command = command;
    char *text = written("markdown", made);
    assert_says(text, "| too long for a comment |");
    assert_int_equal(count_of(text, "xx"), 0);
    free(text);
    command[400] = '\0';
    text = written("markdown", made);
    assert_says(text, command);
    free(text);
    end(made);
}

static void a_comment_counts_series_without_a_rule(void **state)
{
    (void)state;
    struct made *made = fine_check();
    series(made, "m", "a");
    char *text = written("markdown", made);
    assert_says(text, "<details><summary>Skipped</summary>\n\n- 1 series: no rule covers them\n\n</details>\n");
    free(text);
    end(made);
}

static void a_comment_escapes_every_name(void **state)
{
    (void)state;
    struct made *made = nasty_check();
    char *text = written("markdown", made);
    assert_comment_is_fine(text);
    assert_null(strstr(text, "a<b"));
    assert_null(strstr(text, " `x`"));
    assert_null(strstr(text, " @me"));
    assert_null(strstr(text, " #1"));
    assert_says(text, "a&lt;b&amp;\"c\"\\]\\]&gt;");
    free(text);
    end(made);
}

static void a_comment_says_its_verdict_first(void **state)
{
    (void)state;
    struct made *made = fine_check();
    char *text = written("markdown", made);
    assert_says(text, "## ulpscope check: ok, out/\n\n2 series checked by 1 rule: 2 ok.\n");
    assert_null(strstr(text, "<details>"));
    free(text);
    allowance(made, "a", "2025-03-01", "b");
    text = written("markdown", made);
    assert_says(text, "## ulpscope check: FAIL, out/\n");
    assert_says(text, "\n- expired: limits.yaml:20: plain/serial on a, until 2025-03-01 (b)\n");
    free(text);
    end(made);
}

/* ---- github ---- */

/* What the runner makes of it: see its ActionCommand. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        unsigned code;
        if (*from == '%' && sscanf(from + 1, "%2X", &code) == 1) {
            *to++ = (char)code;
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

static void annotations_point_at_the_limits(void **state)
{
    (void)state;
    struct made *made = usual_check();
    char *text = written("github", made);
    assert_says(text, "::error file=limits.yaml,line=4,title=FAIL kahan/serial on uniform%3An=1024%2C 120 x 256%2C "
                      "replay::ulp_error max 12.3 ulp, limit 1.5ulp (Higham 4.8)%0Abits: not those of the "
                      "baseline%0Abit for bit plain/serial on 100 of 100: the compensation has no effect%0Arerun: "
                      "ulpscope run -m kahan/serial -d uniform:n=1024 --trial 17\n");
    assert_says(text, "::error file=limits.yaml,line=22,title=expired allowance%3A plain/serial on old*::");
    assert_says(text, "::warning file=limits.yaml,line=21,title=unused allowance%3A plain/serial on gone*::");
    assert_says(text, "::notice title=ulpscope check::4 series checked by 3 rules: 2 FAIL");
    assert_int_equal(lines_of(text, "::error "), 3);
    assert_int_equal(lines_of(text, "::warning "), 1);
    assert_int_equal(lines_of(text, "::notice "), 1);
    assert_int_equal(lines_of(text, ""), 5);
    free(text);
    made->limits.path = "-"; /* stdin is no file of a repository */
    text = written("github", made);
    assert_null(strstr(text, "file="));
    assert_int_equal(lines_of(text, "::error title="), 3);
    free(text);
    end(made);
}

static void annotations_survive_every_name(void **state)
{
    (void)state;
    struct made *made = nasty_check();
    char *text = written("github", made);
    assert_clean(text);
    assert_int_equal(lines_of(text, "::error "), 3); /* 2 series, 1 allowance */
    assert_int_equal(lines_of(text, "::"), lines_of(text, ""));
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *properties = strchr(line, ' ') + 1, *message = strstr(properties, "::");
        assert_non_null(message);
        assert_null(strchr(properties, '\r'));
        *message = '\0';
        size_t pairs = 0;
        for (char *rest = properties, *property; (property = strsep(&rest, ","));)
            pairs += strncmp(property, "file=", 5) == 0 || strncmp(property, "line=", 5) == 0 ||
                             strncmp(property, "title=", 6) == 0
                         ? 1
                         : 100;
        assert_true(pairs == 1 || pairs == 3);
        assert_null(strstr(message, "`x` %0A")); /* is no line break, but text */
        unescape(message + 2);
        assert_true(strncmp(line, "::error", 7) != 0 || strstr(message + 2, "`x` %0A "));
    }
    free(text);
    end(made);
}

static void the_tenth_annotation_says_how_many_more(void **state)
{
    (void)state;
    static const size_t failing[] = {10, 11, 1000};
    static const char *const last[] = {
        NULL, "::error title=ulpscope check::and 2 more: ", "::error title=ulpscope check::and 991 more: "};
    for (size_t i = 0; i < 3; i++) {
        struct made *made = large_check(failing[i], 3);
        for (size_t k = 0; k < failing[i]; k++)
            allowance(made, "x", "2027-03-01", "y");
        char *text = written("github", made);
        assert_int_equal(lines_of(text, "::error "), 10);
        assert_int_equal(lines_of(text, "::warning "), 10);
        assert_int_equal(lines_of(text, "::error title=ulpscope check::and "), last[i] ? 1 : 0);
        if (last[i])
            assert_says(text, last[i]);
        free(text);
        end(made);
    }
}

static void the_summary_of_the_job_is_appended(void **state)
{
    (void)state;
    struct made *made = usual_check();
    char path[64];
    snprintf(path, sizeof path, "%s/summary", folder);
    FILE *file = fopen(path, "w");
    fputs("of another step\n", file);
    fclose(file);
    setenv("GITHUB_STEP_SUMMARY", path, 1);
    char *annotations = printed("github", made), *summary = slurp(path), *comment = written("markdown", made);
    unsetenv("GITHUB_STEP_SUMMARY");
    assert_int_equal(strncmp(summary, "of another step\n", 16), 0);
    assert_string_equal(summary + 16, comment);
    assert_int_equal(lines_of(annotations, "::error "), 3);
    free(annotations);
    free(summary);
    free(comment);
    unlink(path);
    end(made);
}

static void a_summary_that_cannot_be_written_is_told(void **state)
{
    (void)state;
    struct made *made = usual_check();
    char path[64];
    snprintf(path, sizeof path, "%s/written", folder);
    struct heard heard = listen_to_stderr();
    setenv("GITHUB_STEP_SUMMARY", "/dev/full", 1);
    assert_int_equal(output("github")->write(&made->checked, path), NOT_MEASURED);
    setenv("GITHUB_STEP_SUMMARY", "/nowhere/summary", 1);
    assert_int_equal(output("github")->write(&made->checked, path), BAD_INPUT);
    setenv("GITHUB_STEP_SUMMARY", "", 1);
    assert_int_equal(output("github")->write(&made->checked, path), OK);
    unsetenv("GITHUB_STEP_SUMMARY");
    heard_all(&heard);
    assert_says(heard.text, "/dev/full: the summary of the job was not written in full: No space left");
    assert_says(heard.text, "GITHUB_STEP_SUMMARY: /nowhere/summary: cannot be written: No such file");
    assert_int_equal(count_of(heard.text, "ulpscope: "), 2);
    unlink(path);
    end(made);
}

/* ---- all of them ---- */

/* Those that say the sentence of a check. */
static const char *const tellers[] = {"terminal", "json", "junit", "markdown", "github"};
enum { TELLERS = sizeof tellers / sizeof *tellers };

static void a_check_of_nothing_is_told_as_such(void **state)
{
    (void)state;
    struct made *made = begin("limits.yaml");
    for (size_t i = 0; i < TELLERS; i++) {
        char *text = written(tellers[i], made);
        assert_says(text, "0 series checked by 0 rules");
        free(text);
    }
    end(made);
}

static void every_output_of_hostile_names_is_text(void **state)
{
    (void)state;
    struct made *made = nasty_check();
    size_t count;
    const struct check_output *const *outputs = check_outputs(&count);
    for (size_t i = 0; i < count; i++) {
        char *text = written(outputs[i]->id, made);
        assert_clean(text);
        assert_int_equal(lines_of(text, "::error::x"), 0);
        free(text);
    }
    end(made);
}

/* Tenth of seconds, all of them; that is printed, not held to a limit. */
static void ten_thousand_findings_are_written(void **state)
{
    (void)state;
    struct made *made = large_check(5000, 5000);
    for (size_t i = 0; i < TELLERS; i++) {
        const clock_t start = clock();
        char *text = written(tellers[i], made);
        print_message("%s: %zu bytes of 10,000 findings in %.0f ms\n", tellers[i], strlen(text),
                      1e3 * (double)(clock() - start) / CLOCKS_PER_SEC);
        assert_says(text, "10000 series checked by 1 rule: 5000 FAIL, 5000 ok");
        free(text);
    }
    json_t *json = json_of(made);
    assert_int_equal(json_array_size(json_object_get(json, "series")), 10000);
    json_decref(json);
    end(made);
}

static void a_file_that_cannot_be_written_is_told(void **state)
{
    (void)state;
    struct made *made = usual_check();
    struct heard heard = listen_to_stderr();
    size_t count;
    const struct check_output *const *outputs = check_outputs(&count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(outputs[i]->write(&made->checked, "/dev/null/file"), BAD_INPUT);
        assert_int_equal(outputs[i]->write(&made->checked, "/dev/full"), NOT_MEASURED);
    }
    heard_all(&heard);
    assert_int_equal(count_of(heard.text, "ulpscope: "), 2 * count);
    end(made);
}

int main(int argc, char **argv)
{
    unsetenv("GITHUB_STEP_SUMMARY"); /* these tests may be a step of a workflow themselves */
    if (argc > 1 && strcmp(argv[1], "--write") == 0)
        return write_golden();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_output_is_as_it_was),
        cmocka_unit_test(every_output_is_found_by_its_id_and_flag),
        cmocka_unit_test(the_sentence_counts_series_and_allowances),
        cmocka_unit_test(an_expired_allowance_is_a_failure),
        cmocka_unit_test(what_was_not_checked_is_a_failure_in_every_output),
        cmocka_unit_test(series_of_one_name_get_numbers),
        cmocka_unit_test(a_missing_series_is_one_whatever_the_rules),
        cmocka_unit_test(a_name_that_looks_numbered_stays_apart),
        cmocka_unit_test(names_that_print_alike_stay_apart),
        cmocka_unit_test(an_allowance_holds_on_its_last_day),
        cmocka_unit_test(a_failure_says_until_when_it_was_allowed),
        cmocka_unit_test(a_long_text_is_cut_between_characters),
        cmocka_unit_test(the_terminal_begins_with_what_fails_and_ends_with_the_sentence),
        cmocka_unit_test(where_all_is_fine_the_closest_series_is_told),
        cmocka_unit_test(what_fails_hides_what_is_fine),
        cmocka_unit_test(what_is_allowed_is_not_the_closest),
        cmocka_unit_test(verbose_tells_each_comparison_that_passes),
        cmocka_unit_test(an_allowance_that_is_like_nothing_says_so),
        cmocka_unit_test(too_few_sums_have_no_worst_one),
        cmocka_unit_test(json_reruns_the_worst_by_the_metric_that_fails),
        cmocka_unit_test(a_count_is_closest_to_its_limit_where_it_is_least),
        cmocka_unit_test(reasons_are_counted_by_rule_in_the_order_of_the_file),
        cmocka_unit_test(long_lists_end_after_twenty_lines),
        cmocka_unit_test(failures_after_the_twentieth_are_counted_by_cause),
        cmocka_unit_test(colours_are_for_stdout_and_words_the_same),
        cmocka_unit_test(json_reads_back_the_same_numbers),
        cmocka_unit_test(a_comment_is_short_whatever_the_names),
        cmocka_unit_test(a_comment_shows_fifty_failures_and_counts_the_rest),
        cmocka_unit_test(a_comment_counts_the_lines_it_leaves_out),
        cmocka_unit_test(a_comment_has_a_whole_command_or_none),
        cmocka_unit_test(a_comment_counts_series_without_a_rule),
        cmocka_unit_test(a_comment_escapes_every_name),
        cmocka_unit_test(a_comment_says_its_verdict_first),
        cmocka_unit_test(annotations_point_at_the_limits),
        cmocka_unit_test(annotations_survive_every_name),
        cmocka_unit_test(the_tenth_annotation_says_how_many_more),
        cmocka_unit_test(the_summary_of_the_job_is_appended),
        cmocka_unit_test(a_summary_that_cannot_be_written_is_told),
        cmocka_unit_test(a_check_of_nothing_is_told_as_such),
        cmocka_unit_test(every_output_of_hostile_names_is_text),
        cmocka_unit_test(ten_thousand_findings_are_written),
        cmocka_unit_test(a_file_that_cannot_be_written_is_told),
    };
    if (!mkdtemp(folder))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
