/* Shares of visits, files of them and their comparison, on times that are made up: nothing is timed here. */
#include "src/bench/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <string.h>

#include "tests/support/heard.h"
#include "tests/support/json_output.h"

/* ---- benches that are made up ---- */

/* One line of a bench's JSON: `more` has its other fields. */
static char *line_of(const char *method, double bytes, double median, const char *more)
{
    char *line;
    assert_true(asprintf(&line,
                         "{\"method\": \"%s\", \"n\": 1024, \"rows\": 1, \"bytes\": %.17g, \"microseconds\": "
                         "{\"min\": 1e-9, \"median\": %.17g}, %s}",
                         method, bytes, median, more) > 0);
    return line;
}

#define LAUNCHED "\"selected\": true, \"launch\": {\"blocks\": 1, \"threads\": 256}"
#define ON_GPU "\"device\": \"NVIDIA H200\", \"calls\": \"queued\""

/* A copy of 8,192 bytes in 2 us, CUB, which nobody asked for, in 4, and two methods of 4,096 bytes: one beside CUB, in
 * so many, and one without a baseline in 8. */
static json_t *bench_of(const char *head, double microseconds)
{
    char *copy = line_of("copy", 8192, 2, "\"selected\": true");
    char *cub = line_of("cub/device_reduce", 4096, 4, "\"selected\": false, \"baseline\": \"cub/device_reduce\"");
    char *kahan = line_of("kahan/serial", 4096, microseconds, LAUNCHED ", \"baseline\": \"cub/device_reduce\"");
    char *plug = line_of("mine", 4096, 8, "\"selected\": true"), *text;
    assert_true(
        asprintf(&text,
                 "{\"schema\": \"ulpscope-bench/2\", %s, \"complete\": true, \"data\": {\"spec\": \"uniform\"}, "
                 "\"provenance\": {\"device\": {\"driver\": \"1\"}, \"host\": {\"processor\": \"Z80\"}}, "
                 "\"lines\": [%s, %s, %s, %s]}",
                 head, copy, cub, kahan, plug) > 0);
    json_t *bench = json_of_text("a bench", text);
    free(copy);
    free(cub);
    free(kahan);
    free(plug);
    free(text);
    return bench;
}

static enum status add(struct shares *shares, const char *head, double microseconds)
{
    json_t *bench = bench_of(head, microseconds);
    enum status status = shares_add_visit(shares, bench, "somebody");
    json_decref(bench);
    return status == OK ? shares_end_visit(shares, "somebody") : status;
}

/* 16 visits in which kahan takes so long, one of them a little longer. */
static struct shares visited(const char *head, double microseconds)
{
    struct shares shares = {0};
    for (int v = 0; v < 16; v++)
        assert_int_equal(add(&shares, head, microseconds * (v == 3 ? 1.001 : 1)), OK);
    assert_int_equal(shares.visits, 16);
    return shares;
}

static const char *saved(const struct shares *shares)
{
    static struct path path;
    path = in_folder("s.json");
    assert_int_equal(shares_write(shares, path.text), OK);
    return path.text;
}

/* ---- visits ---- */

static void a_share_is_of_the_baseline_or_else_of_the_copy(void **state)
{
    (void)state;
    struct shares shares = visited(ON_GPU, 5);
    assert_int_equal(shares.count, 2);
    assert_string_equal(shares.rows[0].method, "kahan/serial");
    assert_string_equal(shares.rows[0].of, "cub/device_reduce");
    assert_true(shares.rows[0].shares[0] == 4.0 / 5);
    assert_true(shares.rows[0].shares[3] < 4.0 / 5);
    assert_int_equal(shares.rows[0].launch.threads, 256);
    assert_string_equal(shares.rows[1].of, "copy"); /* 512 bytes per us beside 4,096 */
    assert_true(shares.rows[1].shares[15] == 1.0 / 8);
    assert_int_equal(shares.rows[1].launch.threads, 0);
    shares_free(&shares);
}

/* On the host each accumulator's serial loop is a baseline: they are held to the first, which is held to the copy. */
static void a_baseline_is_beside_the_first_baseline(void **state)
{
    (void)state;
    json_t *bench = bench_of("\"device\": \"host\"", 5), *lines = json_object_get(bench, "lines");
    json_object_set_new(json_array_get(lines, 1), "selected", json_true());
    json_object_set_new(json_array_get(lines, 3), "baseline", json_string("mine"));
    struct shares shares = {0};
    assert_int_equal(shares_add_visit(&shares, bench, "somebody"), OK);
    assert_int_equal(shares.count, 3);
    assert_string_equal(shares.rows[0].of, "copy");
    assert_string_equal(shares.rows[2].method, "mine");
    assert_string_equal(shares.rows[2].of, "cub/device_reduce");
    assert_true(shares.rows[2].shares[0] == 0.5);
    json_decref(bench);
    shares_free(&shares);
}

static void refuse_visit(json_t *bench, const char *words)
{
    struct shares shares = visited(ON_GPU, 5);
    struct heard heard = listen_to_stderr();
    enum status status = shares_add_visit(&shares, bench, "somebody");
    status = status == OK ? shares_end_visit(&shares, "somebody") : status;
    heard_all(&heard);
    assert_int_equal(status, NOT_MEASURED);
    if (!strstr(heard.text, words))
        fail_msg("\"%s\" is not in: %s", words, heard.text);
    json_decref(bench);
    shares_free(&shares);
}

static void visits_of_other_rows_or_protocols_are_refused(void **state)
{
    (void)state;
    json_t *bench = bench_of(ON_GPU, 5);
    json_object_set_new(bench, "schema", json_string("ulpscope-bench/3"));
    refuse_visit(bench, "expected ulpscope-bench/1 or ulpscope-bench/2");
    bench = bench_of(ON_GPU, 5);
    json_object_set_new(bench, "complete", json_false());
    refuse_visit(bench, "ended before all rows were timed");
    bench = bench_of(ON_GPU, 5);
    json_array_remove(json_object_get(bench, "lines"), 3);
    refuse_visit(bench, "mine at n=1024 was timed before and was not timed again");
    bench = bench_of(ON_GPU, 5);
    json_object_set_new(json_array_get(json_object_get(bench, "lines"), 3), "method", json_string("yours"));
    refuse_visit(bench, "yours at n=1024 was not timed before");
    bench = bench_of(ON_GPU, 5);
    json_object_set_new(bench, "data", json_pack("{s:s}", "spec", "normal"));
    refuse_visit(bench, "kahan/serial at n=1024 was not timed before");
    refuse_visit(bench_of(ON_GPU, 0), "kahan/serial at n=1024 has no time");
    refuse_visit(json_object(), "writes the schema \"\"");
}

/* ---- files ---- */

static void a_file_gives_back_what_was_saved(void **state)
{
    (void)state;
    struct shares shares = visited(ON_GPU, 3), again;
    assert_int_equal(shares_read(&again, saved(&shares)), OK);
    assert_int_equal(again.count, 2);
    assert_int_equal(again.visits, 16);
    assert_string_equal(again.calls, "queued");
    for (size_t i = 0; i < 2; i++) {
        const struct share_row *row = shares_find(&again, &shares.rows[i]);
        assert_non_null(row);
        assert_string_equal(row->of, shares.rows[i].of);
        for (int v = 0; v < 16; v++)
            assert_true(fabs(row->shares[v] / shares.rows[i].shares[v] - 1) < 1e-4);
    }
    shares_free(&shares);
    shares_free(&again);
}

/* Replaces a text of the saved file; it must then be refused. */
static void refuse_file(const char *old, const char *new)
{
    struct shares shares = visited(ON_GPU, 4), again;
    char line[2 * PATH_SIZE];
    const char *path = saved(&shares);
    shares_free(&shares);
    snprintf(line, sizeof line, "sed -i 's|%s|%s|' %s", old, new, path);
    char *before = take_file("s.json");
    assert_int_equal(system(line), 0);
    char *after = take_file("s.json");
    assert_string_not_equal(before, after);
    struct heard heard = listen_to_stderr();
    const enum status status = shares_read(&again, path);
    heard_all(&heard);
    if (status != BAD_INPUT || !strstr(heard.text, "expected a file that `ulpscope bench --save` wrote"))
        fail_msg("%s -> %s: status %d: %s", old, new, status, heard.text);
    shares_free(&again);
    free(before);
    free(after);
}

static void what_is_no_such_file_is_refused(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"ulpscope-speeds/1", "ulpscope-speeds/2"},
        {"{\"head\"", "{\"heads\""},
        {"\"visits\": 16", "\"visits\": 15"},
        {"\"visits\": 16", "\"visits\": 0"},
        {"0\\.125, ", "0.0, "},
        {"0\\.125, ", "-0.1, "},
        {"0\\.125, ", "\"nan\", "},
        {"\"mine\"", "\"\""},
        {"\"of\": \"copy\"", "\"off\": 1"},
        {"\\]}$", "]"},
        {"\"rows\": \\[", "\"lines\": ["},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        refuse_file(changes[i][0], changes[i][1]);
    refuse_file("{\"data\": \"uniform\", \"method\": \"mine\".*", "");
    refuse_file("mine", "kahan/serial\", \"launch\": {\"blocks\": 1, \"threads\": 256}, \"x\": \""); /* twice */
    struct shares none;
    struct heard heard = listen_to_stderr();
    assert_int_equal(shares_read(&none, in_folder("nowhere.json").text), BAD_INPUT);
    heard_all(&heard);
    assert_non_null(strstr(heard.text, "No such file"));
}

static void rows_that_were_not_timed_again_are_kept(void **state)
{
    (void)state;
    struct shares shares = visited(ON_GPU, 4), old = visited(ON_GPU, 5);
    free(old.rows[1].method);
    old.rows[1].method = strdup("theirs");
    shares_keep(&shares, &old);
    assert_int_equal(shares.count, 3);
    assert_true(shares.rows[0].shares[0] == 1); /* not what was saved */
    assert_string_equal(shares.rows[2].method, "theirs");
    shares_free(&shares);
    shares_free(&old);
}

/* ---- comparisons ---- */

/* The table, allocated. */
static char *compared(const struct shares *now, const struct shares *then, enum status expected, char **said)
{
    const struct path path = in_folder("table.txt");
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO), file = open(path.text, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDOUT_FILENO);
    struct heard heard = listen_to_stderr();
    const enum status status = compare_write(&(struct compare){.now = now, .then = then, .with = "before"});
    heard_all(&heard);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(file);
    close(kept);
    assert_int_equal(status, expected);
    if (said)
        *said = strdup(heard.text);
    return take_file("table.txt");
}

/* Cell `column` of a row of the table, without blanks. */
static void assert_cell(const char *table, int row, int column, const char *expected)
{
    for (row += 2; row > 0; row--) /* heads, rule */
        table = strchr(table, '\n') + 1;
    for (; column >= 0; column--)
        table = strchr(table, '|') + 1;
    table += strspn(table, " ");
    const size_t length = strlen(expected);
    assert_memory_equal(table, expected, length);
    assert_int_equal(table[length + strspn(table + length, " ")], '|');
}

enum { QUOTIENT = 7, VERDICT = 11 }; /* columns */

static void assert_verdict(double before, double after, const char *verdict, enum status status)
{
    struct shares then = visited(ON_GPU, before), now = visited(ON_GPU, after);
    char *table = compared(&now, &then, status, NULL), quotient[16];
    snprintf(quotient, sizeof quotient, "%.3f", before / after);
    assert_cell(table, 0, VERDICT, verdict);
    assert_cell(table, 1, VERDICT, "same");
    assert_cell(table, 0, QUOTIENT, quotient);
    free(table);
    shares_free(&then);
    shares_free(&now);
}

static void slower_is_exit_1_and_all_else_is_not(void **state)
{
    (void)state;
    assert_verdict(4, 4.2, "slower", LIMIT_BROKEN);
    assert_verdict(4, 4, "same", OK);
    assert_verdict(4, 4.08, "same", OK);
    assert_verdict(4.2, 4, "faster", OK);
}

static void what_is_of_something_else_is_not_comparable(void **state)
{
    (void)state;
    char *said;
    struct shares then = visited(ON_GPU, 4), now = visited(ON_GPU, 4);
    then.rows[0].launch.blocks = 2;
    json_object_set_new(json_object_get(then.facts, "device"), "driver", json_string("2"));
    char *table = compared(&now, &then, OK, &said);
    assert_cell(table, 0, VERDICT, "not comparable");
    assert_cell(table, 0, QUOTIENT, "");
    assert_cell(table, 1, VERDICT, "same");
    assert_non_null(strstr(said, "device driver: 1 here, 2 in before"));
    free_all(said, table);
    free(then.rows[1].of);
    then.rows[1].of = strdup("cub/device_reduce"); /* none is left */
    table = compared(&now, &then, BAD_INPUT, &said);
    assert_non_null(strstr(said, "before: expected some of these rows, found none"));
    free_all(said, table);
    shares_free(&then);
    shares_free(&now);
}

static void another_machine_or_way_of_calling_is_refused(void **state)
{
    (void)state;
    static const char *const heads[] = {ON_GPU, "\"device\": \"NVIDIA H100\", \"calls\": \"queued\"",
                                        "\"device\": \"NVIDIA H200\"", "\"device\": \"host\""};
    static const char *const kinds[] = {"NVIDIA H200, calls queued", "NVIDIA H100, calls queued",
                                        "NVIDIA H200, calls idle", "host, Z80"};
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++) {
            struct shares now = {0}, then = {0};
            assert_int_equal(add(&now, heads[a], 1) | add(&then, heads[b], 1), OK);
            struct heard heard = listen_to_stderr();
            assert_int_equal(shares_check_alike(&now, &then, "before"), a == b ? OK : BAD_INPUT);
            heard_all(&heard);
            assert_true(a == b || (strstr(heard.text, kinds[a]) && strstr(heard.text, kinds[b])));
            shares_free(&now);
            shares_free(&then);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(a_share_is_of_the_baseline_or_else_of_the_copy),
        FACT(a_baseline_is_beside_the_first_baseline),
        FACT(visits_of_other_rows_or_protocols_are_refused),
        FACT(a_file_gives_back_what_was_saved),
        FACT(what_is_no_such_file_is_refused),
        FACT(rows_that_were_not_timed_again_are_kept),
        FACT(slower_is_exit_1_and_all_else_is_not),
        FACT(what_is_of_something_else_is_not_comparable),
        FACT(another_machine_or_way_of_calling_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
