/* `run` from outside: run.json, studies and their files, run.db as others left it. */
#include "tests/support/csv_line.h"
#include "tests/support/database.h"
#include "tests/support/json_output.h"

#include "src/base/text.h"

/* ---- run.json and studies ---- */

static void facts_of_the_run_reach_run_json(void **state)
{
    (void)state;
    static const char *const facts[][2] = {
        {"program", "version"}, {"program", "commit"}, {"program", "canary"}, {"build", "C compiler"},
        {"build", "C flags"},   {"library", "MPFR"},   {"library", "GMP"},    {"library", "SQLite"},
        {"host", "processor"},  {"host", "kernel"},    {"device", "name"},    {"run", "date"},
        {"run", "command"},     {"data", "x.f32"},
    };
    run_fine("printf '1\\n2\\n' >x.f32 && \"$ULPSCOPE\" run -q -o out -d x.f32 --seed 7");
    json_t *root = json_of_file("out/run.json"), *provenance = json_object_get(root, "provenance");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *value = json_string_value(json_object_get(json_object_get(provenance, facts[i][0]), facts[i][1]));
        if (!value || !*value)
            fail_msg("%s/%s is not in run.json, or empty", facts[i][0], facts[i][1]);
    }
    assert_string_equal(json_string_value(json_object_get(json_object_get(provenance, "run"), "seed")), "7");
    json_decref(root);
}

static void title_of_a_run_without_a_study_is_its_data(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q -o out -d uniform:n=8 -d normal:n=9 --trials 2");
    json_t *root = json_of_file("out/run.json");
    assert_string_equal(json_string_value(json_object_get(root, "title")), "Sums of uniform:n=8, normal:n=9");
    json_decref(root);
}

/* Of a series: how many variances are below 0; the largest error in u of the mean of squares. */
static json_int_t negatives(json_t *series)
{
    return json_integer_value(json_object_get(json_object_get(series, "classes"), "negative"));
}

static void error_in_u(json_t *series, char text[NUMBER_TEXT])
{
    json_t *backward = json_object_get(json_object_get(series, "statistics"), "backward_error");
    write_error(0x1p24 * json_real_value(json_object_get(backward, "max")), text);
}

static void assert_says(const char *line, const char *what, bool says)
{
    char *text = output_of(line);
    if (!strstr(text, what) == says)
        fail_msg("%s: %s%s is there:\n%s", line, what, says ? " no more" : "", text);
    free(text);
}

/* Of textbook, and of kappa = 1e5 alone: the twins. */
static void negative_variances_stand_in_every_report(void **state)
{
    (void)state;
    char cell[64], textbook[NUMBER_TEXT], two_pass[NUMBER_TEXT], sentence[256];
    run_fine("\"$ULPSCOPE\" run -q -o out -m variance.textbook:plain/serial -m variance.two_pass:plain/serial"
             " -d spread:n=1000,kappa=1..1e5*1e5 --trials 20 --speed 0");
    json_t *root = json_of_file("out/run.json"), *all = json_object_get(root, "series");
    assert_int_equal(json_array_size(all), 4);
    const json_int_t count = negatives(json_array_get(all, 2));
    assert_in_range(count, 1, 20);
    for (size_t s = 0; s < 4; s++)
        assert_true(s == 2 || negatives(json_array_get(all, s)) == 0);
    error_in_u(json_array_get(all, 2), textbook);
    error_in_u(json_array_get(all, 3), two_pass);
    json_decref(root);
    snprintf(sentence, sizeof sentence,
             "Where the condition is 1/u or more, relative to the mean of squares: least wrong "
             "variance.two_pass:plain/serial, by up to %s u; most wrong variance.textbook:plain/serial, by up to %s u.",
             two_pass, textbook);
    assert_says("cat out/report.html", sentence, true);
    snprintf(cell, sizeof cell, "%d of 40", (int)count);
    assert_says("\"$ULPSCOPE\" report out | grep '^  negative '", cell, true);
    snprintf(cell, sizeof cell, "%d\n", (int)count);
    assert_says("grep -c ,negative, out/results.csv", cell, true);
    assert_says("cat out/svg/overlay-condition-1-spread.svg", "condition number, kappa^2", true);
    assert_says("cat out/svg/overlay-condition-1-spread.svg", "u times the condition", true);
    run_fine("\"$ULPSCOPE\" run -q -o mild -m variance.textbook:plain/serial -d spread:n=1000,kappa=100 --speed 0");
    assert_says("\"$ULPSCOPE\" report mild", "Where the condition", false);
    assert_says("\"$ULPSCOPE\" report mild", "negative", false);
    run_fine("\"$ULPSCOPE\" run -q -o sums -m plain/serial -m kahan/serial -d gensum:n=100,cond=1..1e8*1e8 --speed 0");
    assert_says("\"$ULPSCOPE\" report sums", "Where the condition", false);
    assert_says("cat sums/svg/overlay-condition-1-gensum.svg", "kappa", false);
}

/* How many rows there are, and how many of them have n numbers. */
static void assert_rows_of_n(const char *line, const char *n)
{
    char *csv = output_of(line), count[64];
    size_t rows = 0;
    for (const char *row = strchr(csv, '\n') + 1; *row; row = strchr(row, '\n') + 1, rows++) {
        field_of(row, N_COLUMN, count);
        assert_string_equal(count, n);
    }
    assert_true(rows > 0);
    free(csv);
}

static void file_of_a_study_is_looked_for_beside_the_study(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("s").text, 0755), 0);
    put_text("s/study.yaml", "schema: ulpscope-study/1\nmethods: [naive]\ndata: [{file: x.f32}]\n");
    put_text("s/x.f32", "1\n2\n3\n");
    put_text("x.f32", "1\n");
    assert_rows_of_n("\"$ULPSCOPE\" run -q -o - s/study.yaml", "3");
    assert_rows_of_n("cd s && \"$ULPSCOPE\" run -q -o - study.yaml", "3");
    assert_rows_of_n("\"$ULPSCOPE\" run -q -o - --study - <s/study.yaml", "1");
}

static void file_of_a_study_is_read_in_its_order(void **state)
{
    (void)state;
    put_text("x.csv", "a,b\n1,16777216\n2,1\n3,1\n");
    put_text("study.yaml", "schema: ulpscope-study/1\nmethods: [naive]\ndata:\n"
                           "  - {file: x.csv, column: b}\n  - {file: x.csv, column: b, order: reversed}\n");
    char *out = output_of("\"$ULPSCOPE\" run -q -o - study.yaml");
    assert_non_null(strstr(out, "\nplain/serial,x.csv:column=b,3,")); /* each one is lost */
    assert_non_null(strstr(out, ",120,256,0,16777216,"));
    assert_non_null(strstr(out, "\nplain/serial,\"x.csv:column=b,order=reversed\",3,")); /* they come first */
    assert_non_null(strstr(out, ",120,256,0,16777218,"));
    free(out);
}

static void nonfinite_of_a_study_holds_until_a_flag_says_otherwise(void **state)
{
    (void)state;
    put_text("study.yaml", "schema: ulpscope-study/1\nmethods: [naive]\ndata: [{file: x.f32}]\nnonfinite: skip\n");
    put_text("x.f32", "1\nnan\n3\n");
    struct outcome outcome;
    assert_rows_of_n("\"$ULPSCOPE\" run -q -o - study.yaml", "2");
    assert_rows_of_n("\"$ULPSCOPE\" run -q -o - study.yaml --nonfinite ieee", "3");
    run_line("\"$ULPSCOPE\" run -q -o - study.yaml --nonfinite refuse", &outcome);
    assert_int_equal(outcome.code, 2);
    outcome_free(&outcome);
}

/* ---- run.db as others left it ---- */

static void database_of_something_else_is_refused_and_untouched(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("out").text, 0755), 0);
    change_database("out/run.db", "CREATE TABLE mine(x); INSERT INTO mine VALUES(1)");
    run_fine("cp out/run.db before");
    assert_refused("\"$ULPSCOPE\" run -q --resume -o out" TINY, 2, "out/run.db: is a database of something else");
    run_fine("cmp out/run.db before && [ \"$(ls out)\" = run.db ]");
}

static void database_of_a_foreign_table_run_is_refused_and_untouched(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("out").text, 0755), 0);
    change_database("out/run.db", "CREATE TABLE run(distance); INSERT INTO run VALUES(42)");
    run_fine("cp out/run.db before");
    assert_refused("\"$ULPSCOPE\" run -q --resume -o out" TINY, 2, "out/run.db");
    run_fine("cmp out/run.db before && [ \"$(ls out)\" = run.db ]");
}

static void database_of_no_bytes_is_as_good_as_none(void **state)
{
    (void)state;
    run_fine("mkdir out && : >out/run.db && \"$ULPSCOPE\" run -q -o out" TINY " && \"$ULPSCOPE\" run -q -o whole" TINY);
    assert_same_file("out/results.csv", "whole/results.csv");
}

static void spoilt_page_is_not_the_end_of_the_rows(void **state)
{
    (void)state;
    static const char *const tables[] = {"cases", "measured"};
    run_fine("\"$ULPSCOPE\" run -q -o whole -m naive -d uniform:n=8 --trials 2000");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        run_fine("rm -rf out && cp -r whole out && rm out/*.csv");
        spoil_last_page("out/run.db", tables[i]);
        run_fine("cp out/run.db before");
        assert_refused("\"$ULPSCOPE\" run -q --resume -o out -m naive -d uniform:n=8 --trials 2000", 2,
                       "out/run.db: is damaged, or was changed by another program: ");
        assert_false(file_exists("out/results.csv"));
        char sql[64];
        if (i == 0) { /* nothing was measured again */
            snprintf(sql, sizeof sql, "SELECT count(*) FROM measured");
            assert_int_equal(number_in("out/run.db", sql), 2000);
        }
    }
}

/* What is stored of data in binary64 whose errors are at an end; reports and --resume read it again.  A product of
 * 1 x 1 is one number, whose error is below 2^-1074 here. */
static void runs_at_the_ends_of_the_range_are_read_again(void **state)
{
    static const struct {
        const char *method, *data, *x, *found;
    } rows[] = {
        {"plain/serial", "x.txt", "1\n0x1p-433\n", "relative_error BETWEEN 4.50829e-131 AND 4.5083e-131"},
        {"plain/serial", "x.txt", "0x1p1000\n0x1p-1074\n",
         "relative_error > 0 AND relative_error < 1e-300 AND abs_error = relative_error"},
        {"plain/serial", "x.txt", "0x1p999\n0x1p940\n-0x1p999\n-0x1p940\n0x1p-1074\n",
         "relative_error = 9e999 AND class = 'finite'"},
        {"dot:plain/serial", "x.txt::x.txt", "1\n1e-70\n", "relative_error BETWEEN 1e-140 AND 1.000001e-140"},
        {"sumsq:plain/serial", "x.txt", "1\n1e-160\n", "relative_error > 0 AND relative_error < 1e-300"},
        {"matmul:plain/naive", "x.txt:rows=1::x.txt:columns=1", "1e-200\n", "relative_error = 1 AND class = 'finite'"},
        {"matmul_exact:superacc/naive", "x.txt:rows=1::x.txt:columns=1", "1e-160\n",
         "ulp_error < 0.5 AND bound_ratio < 1 AND relative_error BETWEEN 1.1e-5 AND 1.2e-5"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *line = text_made("\"$ULPSCOPE\" run -q -o out -m %s -d %s --format binary64 --permutations 0 --speed 0",
                               rows[i].method, rows[i].data);
        char *again = text_made("%s --resume && \"$ULPSCOPE\" report -q out", line);
        char *query = text_made("SELECT count(*) FROM results WHERE %s", rows[i].found);
        run_fine("rm -rf out");
        put_text("x.txt", rows[i].x);
        run_fine(line);
        if (number_in("out/run.db", query) != 1)
            fail_msg("%s on %s: not %s", rows[i].method, rows[i].x, rows[i].found);
        run_fine(again);
        free(line);
        free(again);
        free(query);
    }
}

static void result_above_its_bound_breaks_the_limit(void **state)
{
    (void)state;
#define FIVE " -m naive -d uniform:n=8 --trials 5" /* one of them suffices */
    const char *const resume = "\"$ULPSCOPE\" run -q --resume -o out" FIVE;
    run_fine("\"$ULPSCOPE\" run -q -o out" FIVE);
    change_run("out/run.db", "UPDATE results SET bound_ratio = 1 WHERE trial = 0");
    run_fine(resume);
    change_run("out/run.db", "UPDATE results SET bound_ratio = 1.5 WHERE trial = 0 AND method = 'plain/serial'");
    run_fine("rm out/*.csv");
    assert_refused(resume, 1, "ulpscope: plain/serial on uniform:n=8, replay: the error is 1.5 times the proven bound");
    assert_true(file_exists("out/results.csv"));
}

/* How many sums a run has of each of its data, with these options. */
static void assert_sums(const char *options, int of_harmonic, int of_uniform, int of_a_range)
{
    char line[256];
    snprintf(line, sizeof line,
             "rm -rf out && \"$ULPSCOPE\" run -q -o out -m naive -d harmonic:n=8 -d uniform:n=8"
             " -d harmonic:n=8,order=shuffled:5..9 --speed 0 %s",
             options);
    run_fine(line);
    assert_int_equal(number_in("out/run.db", "SELECT count(*) FROM results WHERE entry = 0"), of_harmonic);
    assert_int_equal(number_in("out/run.db", "SELECT count(*) FROM results WHERE entry = 1"), of_uniform);
    assert_int_equal(number_in("out/run.db", "SELECT count(*) FROM results WHERE entry = 2"), of_a_range);
}

static void trials_are_draws_permutations_or_shuffles(void **state)
{
    (void)state;
    assert_sums("--trials 3", 101, 3, 5);
    assert_sums("--trials 3 --permutations 7", 8, 3, 5);
    assert_sums("--trials 3 --permutations 0", 1, 3, 5);
    assert_sums("--trial 7", 1, 1, 1);
}

static void permutations_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"-1", "1000000000", "many", ""};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char line[128];
        snprintf(line, sizeof line, "\"$ULPSCOPE\" run -d const:n=8 --permutations '%s'", wrong[k]);
        assert_refused(line, 2, "--permutations");
    }
    put_text("s.yaml", "schema: ulpscope-study/1\nmethods: [naive]\npermutations: x\ndata: [{spec: \"const:n=8\"}]\n");
    assert_refused("\"$ULPSCOPE\" run s.yaml", 2, "s.yaml:3: permutations");
}

static void a_file_that_cannot_be_read_is_told_once(void **state)
{
    (void)state;
    run_fine("(seq 300000; echo nan) > x.csv; \"$ULPSCOPE\" run -q -d x.csv --jobs 8 2> told; test $? = 2 && "
             "test $(grep -c 'is not finite' told) = 1");
}

static void permutations_are_told(void **state)
{
    (void)state;
    run_fine("seq 10 > x.csv; \"$ULPSCOPE\" run -d x.csv -m naive --speed 0 > out.txt && "
             "grep -q '^x.csv: 101 sums, permuted; n 10; ' out.txt && grep -q 'on all 101 sums: only plain/serial, 1 "
             "addition per number\\.' out.txt");
    run_fine("\"$ULPSCOPE\" run -d x.csv -m naive --permutations 0 --speed 0 > out.txt && " /* the twin */
             "! grep -q 'permuted' out.txt && grep -q 'on 1 sum alone: only plain/serial, ' out.txt");
}

/* One file, the four classic methods: the table, the verdict, where the rest is; what is told on stderr as well. */
static void the_answer_is_short(void **state)
{
    (void)state;
    run_fine("seq 10000 > x.csv; \"$ULPSCOPE\" run x.csv --jobs 1 > told 2>&1 && test $(wc -l < told) -le 12 && "
             "grep -q '^  binary64/tree_two_pass ' told && grep -q 'Proven for it: ' told && "
             "tail -n 1 told | grep -q '^More: -o DIR writes report.html'");
    run_fine("\"$ULPSCOPE\" run x.csv --permutations 0 -o out > told 2>&1 && ! grep -q '^More' told && "
             "grep -q '^report: out/report.html' told");
    run_fine(
        "\"$ULPSCOPE\" run -m naive,kahan -d uniform:n=1000 --format binary64,binary32,bfloat16 --speed 0 > told && "
        "test $(grep -c 'Within' told) = 1");
}

/* Of a file, which is read once for all of them: every permutation has the exact sum of the file, and the sum that its
 * rerun has. */
static void permutation_is_rerun_with_its_bits(void **state)
{
    (void)state;
    char sql[128], line[256];
    run_fine("\"$ULPSCOPE\" gen lognormal:n=1000 -o x.npy && "
             "\"$ULPSCOPE\" run -q -o out -m naive -d x.npy --permutations 20 --speed 0");
    assert_int_equal(number_in("out/run.db", "SELECT count(DISTINCT exact) FROM results"), 1);
    const int different = (int)number_in("out/run.db", "SELECT count(DISTINCT computed_bits) FROM results");
    assert_true(different > 5);
    for (int trial = 0; trial <= 20; trial += 5) {
        snprintf(line, sizeof line,
                 "rm -rf again && \"$ULPSCOPE\" run -q -o again -m naive -d x.npy --trial %d --speed 0", trial);
        run_fine(line);
        snprintf(sql, sizeof sql, "SELECT computed_bits FROM results WHERE trial = %d", trial);
        assert_int_equal(number_in("again/run.db", sql), number_in("out/run.db", sql));
    }
    snprintf(sql, sizeof sql, "SELECT computed_bits FROM results WHERE trial = 0");
    run_fine("rm -rf again && \"$ULPSCOPE\" run -q -o again -m naive -d x.npy --permutations 20 --seed 2 --speed 0");
    assert_int_equal(number_in("again/run.db", sql), number_in("out/run.db", sql)); /* as it stands */
    snprintf(sql, sizeof sql, "SELECT sum(computed_bits) FROM results");
    assert_int_not_equal(number_in("again/run.db", sql), number_in("out/run.db", sql)); /* the twin: another seed */
}

static void overwrite_for_data_that_cannot_be_read_leaves_the_old_reports(void **state)
{
    (void)state;
    static const char *const lines[] = {"\"$ULPSCOPE\" run -q --overwrite -o out -d no.f32",
                                        "\"$ULPSCOPE\" run -q --overwrite -o out -d bad.f32"};
    put_text("bad.f32", "1\nx\n");
    run_fine("\"$ULPSCOPE\" run -q -o out" TINY " && cp -r out before");
    assert_refused(lines[0], 2, "no.f32");
    run_fine("diff -r out before");
    assert_refused(lines[1], 2, "bad.f32:2:");
    run_fine("diff -r -x run.db out before");
}

static void run_tells_how_many_exact_sums_it_verified(void **state)
{
    (void)state;
    static const char line[] = "\"$ULPSCOPE\" run --device host -m naive -d uniform:n=8,low=-1 --trials 5";
    static const char told[] = "verified 5 exact sums";
    char verified[sizeof line + 32];
    struct outcome outcome;
    snprintf(verified, sizeof verified, "%s --verify-reference", line);
    run_line(verified, &outcome);
    assert_int_equal(outcome.code, 0);
    assert_non_null(strstr(outcome.err, told));
    outcome_free(&outcome);
    run_line(line, &outcome); /* the twin */
    assert_null(strstr(outcome.err, told));
    outcome_free(&outcome);
}

/* ---- data without a flag ---- */

/* The same answer to both lines, or not. */
static bool answers_are_equal(const char *left, const char *right)
{
    char *a = output_of(left), *b = output_of(right);
    const bool equal = strcmp(a, b) == 0;
    free(a);
    free(b);
    return equal;
}

static void data_without_a_flag_are_data_of_the_flag(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" gen uniform:n=9 -o x.npy && \"$ULPSCOPE\" gen uniform:n=9,low=-1 -o y.csv");
    put_text("study.yaml", "schema: ulpscope-study/1\nmethods: [naive]\ndata: [{spec: \"uniform:n=8\"}]\n");
    run_fine("cp study.yaml study.txt");
    static const char *const lines[][2] = {
        {"run -q --speed 0 -m naive x.npy y.csv", "run -q --speed 0 -m naive -d x.npy -d y.csv"},
        {"run -q --speed 0 uniform:n=8 --trials 3", "run -q --speed 0 -d uniform:n=8 --trials 3"},
        {"run -q --speed 0 study.yaml x.npy", "run -q --speed 0 -d x.npy study.yaml"},
        {"run -q --speed 0 --study study.txt", "run -q --speed 0 study.yaml"},
        {"run -q --speed 0 --study - <study.yaml", "run -q --speed 0 study.yaml"},
        {"blame x.npy naive", "blame naive -d x.npy"},
        {"explain x.npy naive tree -q", "explain naive tree -d x.npy"},
        {"explain naive x.npy tree", "explain naive tree x.npy"},
        {"tree x.npy naive", "tree naive --data x.npy"},
        {"exact x.npy -q", "exact -d x.npy"},
        {"bench -q uniform:n=8 -m naive -n 8 --repeats 1 | wc -l",
         "bench -q -d uniform:n=8 -m naive -n 8 --repeats 1 | wc -l"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char left[256], right[256];
        snprintf(left, sizeof left, "\"$ULPSCOPE\" %s", lines[i][0]);
        snprintf(right, sizeof right, "\"$ULPSCOPE\" %s", lines[i][1]);
        if (!answers_are_equal(left, right))
            fail_msg("%s differs from %s", lines[i][0], lines[i][1]);
    }
    assert_false(answers_are_equal("\"$ULPSCOPE\" exact x.npy", "\"$ULPSCOPE\" exact y.csv")); /* the twins */
    assert_false(answers_are_equal("\"$ULPSCOPE\" explain naive tree x.npy", "\"$ULPSCOPE\" explain tree naive x.npy"));
}

/* Once for a file, in whatever orders its numbers are added. */
static void what_rounding_a_file_cost_is_among_the_facts(void **state)
{
    (void)state;
    run_fine("$ULPSCOPE gen uniform:n=16,format=binary64 -o x.npy");
    run_fine("$ULPSCOPE run -m plain/serial -d x.npy --format binary32 --convert --permutations 3 --speed 0 -o out");
    run_fine("test $(grep -c 'rounding the 16 numbers from binary64 changed' out/run.json) = 1");
}

/* ---- folders ---- */

static void folders_above_an_output_are_made(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q -o a/b/out" TINY " --json c/d/x.json --svg e/f && test -s a/b/out/report.html && "
             "test -s c/d/x.json && test -d e/f");
    run_fine("\"$ULPSCOPE\" report a/b/out -o g/h/ && test -s g/h/report.html");
    run_fine("\"$ULPSCOPE\" gen uniform:n=8 -o i/j/x.npy && test -s i/j/x.npy");
    run_fine("\"$ULPSCOPE\" tree plain/serial -n 8 --svg k/l/tree.svg && test -s k/l/tree.svg");
}

/* Its twin: what is refused before anything is measured makes none. */
static void refused_output_makes_no_folder(void **state)
{
    (void)state;
    assert_refused("\"$ULPSCOPE\" run -q -o a/b/out" TINY " --csv x/x.csv --json ''", 2,
                   "expected a file name, found none");
    assert_refused("\"$ULPSCOPE\" exact --json a/b.json --digits 0 uniform:n=8", 2, "--digits");
    assert_false(file_exists("a") || file_exists("x"));
}

/* 248 data sets, of which the usual --top shows a few. */
static void tables_that_scroll_away_are_announced(void **state)
{
    (void)state;
    static const char words[] = "tables of up to 248 rows each will be printed; -o DIR keeps them";
    static const struct {
        const char *options;
        bool announced;
    } cases[] = {{" --top 0", true}, {"", false}, {" --top 0 -q", false}, {" --top 0 -o out", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[256];
        struct outcome outcome;
        snprintf(line, sizeof line,
                 "\"$ULPSCOPE\" run --device host -m naive -d gensum:n=8,cond=1..1e24*1.25 --trials 1 "
                 "--speed 0%s",
                 cases[i].options);
        run_line(line, &outcome);
        assert_int_equal(outcome.code, 0);
        assert_int_equal(strstr(outcome.err, words) != NULL, cases[i].announced);
        outcome_free(&outcome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(what_rounding_a_file_cost_is_among_the_facts),
        FACT(run_tells_how_many_exact_sums_it_verified),
        FACT(facts_of_the_run_reach_run_json),
        FACT(title_of_a_run_without_a_study_is_its_data),
        FACT(negative_variances_stand_in_every_report),
        FACT(file_of_a_study_is_looked_for_beside_the_study),
        FACT(file_of_a_study_is_read_in_its_order),
        FACT(nonfinite_of_a_study_holds_until_a_flag_says_otherwise),
        FACT(database_of_something_else_is_refused_and_untouched),
        FACT(database_of_a_foreign_table_run_is_refused_and_untouched),
        FACT(database_of_no_bytes_is_as_good_as_none),
        FACT(spoilt_page_is_not_the_end_of_the_rows),
        FACT(runs_at_the_ends_of_the_range_are_read_again),
        FACT(result_above_its_bound_breaks_the_limit),
        FACT(trials_are_draws_permutations_or_shuffles),
        FACT(permutations_that_are_none_are_refused),
        FACT(permutation_is_rerun_with_its_bits),
        FACT(a_file_that_cannot_be_read_is_told_once),
        FACT(permutations_are_told),
        FACT(the_answer_is_short),
        FACT(data_without_a_flag_are_data_of_the_flag),
        FACT(folders_above_an_output_are_made),
        FACT(refused_output_makes_no_folder),
        FACT(overwrite_for_data_that_cannot_be_read_leaves_the_old_reports),
        FACT(tables_that_scroll_away_are_announced),
    };
    forget_variables();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
