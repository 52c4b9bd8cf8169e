/* A bench on a device, on every machine: the kernels are the replays and call k takes k microseconds (device_fake.c),
 * so that every number of the table is known. */
#define PROGRAM "" /* no line is run here */
#include "tests/device/device_fake.h"
#include "tests/support/json_output.h"

#include "src/base/fp.h"
#include "src/bench/bench.h"
#include "src/commands/command.h"

#include <math.h>
#include <signal.h>

enum { ARGUMENTS_MOST = 24 };

/* ---- a bench and what it says ---- */

struct heard {
    enum status status;
    char *out, *err;
};

/* Runs `ulpscope bench` with these words. */
static struct heard bench(const char *line)
{
    struct globals globals = {.command_line = (char *)(uintptr_t) "test"};
    char *words = strdup(line), *argv[ARGUMENTS_MOST + 1] = {(char *)(uintptr_t) "bench"};
    int argc = 1;
    for (char *word = strtok(words, " "); word && argc < ARGUMENTS_MOST; word = strtok(NULL, " "))
        argv[argc++] = word;
    FILE *out = tmpfile(), *err = tmpfile();
    fflush(NULL);
    const int out_before = dup(STDOUT_FILENO), err_before = dup(STDERR_FILENO);
    assert_true(out && err && dup2(fileno(out), STDOUT_FILENO) >= 0 && dup2(fileno(err), STDERR_FILENO) >= 0);
    fake_device.runs = fake_device.timed = 0;
    struct heard heard = {.status = command_bench(argc, argv, &globals)};
    fflush(NULL);
    dup2(out_before, STDOUT_FILENO);
    dup2(err_before, STDERR_FILENO);
    close(out_before);
    close(err_before);
    heard.out = take_stream(out);
    heard.err = take_stream(err);
    free(words);
    return heard;
}

static void heard_free(struct heard *heard)
{
    free(heard->out);
    free(heard->err);
}

/* Sums of methods that the fake device was asked for; CUB, where there is one, runs in every round beside them. */
static uint64_t runs_of_methods;

/* Every build lists CUB; one without CUDA cannot have it. */
static bool has_cub(void)
{
    char why[REASON_SIZE];
    const struct method *cub = method_find(BENCH_BASELINE);
    return cub && method_can_do(cub, (struct launch){1, 1}, why);
}

static int start_anew(void **state)
{
    forget_variables();
    fake_device = (struct fake_device){.count = 1};
    runs_of_methods = 0;
    return make_folder(state);
}

static void assert_has(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("\"%s\" is not in \"%s\"", words, text);
}

static void assert_has_not(const char *text, const char *words)
{
    if (strstr(text, words))
        fail_msg("\"%s\" is in \"%s\"", words, text);
}

/* Runs it with --json -, which must end with this status; the caller frees the object. */
static json_t *bench_json(const char *line, enum status status)
{
    char whole[2 * PATH_SIZE];
    snprintf(whole, sizeof whole, "%s --json -", line);
    struct heard heard = bench(whole);
    if (heard.status != status)
        fail_msg("%s: status %d: %s", line, heard.status, heard.err);
    json_t *object = json_of_text(line, heard.out);
    heard_free(&heard);
    return object;
}

static json_t *line_of(json_t *object, const char *method)
{
    size_t i;
    json_t *line;
    json_array_foreach(json_object_get(object, "lines"), i,
                       line) if (strcmp(json_string_value(json_object_get(line, "method")), method) == 0) return line;
    fail_msg("no line of %s", method);
    return NULL;
}

static double real_of(json_t *line, const char *key)
{
    assert_true(json_is_number(json_object_get(line, key)));
    return json_number_value(json_object_get(line, key));
}

static const char *text_of(json_t *line, const char *key)
{
    assert_true(json_is_string(json_object_get(line, key)));
    return json_string_value(json_object_get(line, key));
}

static size_t size_of(json_t *line, const char *key)
{
    return json_array_size(json_object_get(line, key));
}

/* ---- changes ---- */

static enum status flip_ninth(uint64_t run, const struct method *method, float *result)
{
    (void)run;
    if (method->replay && runs_of_methods++ == 8)
        *result = float_from_bits(float_bits(*result) ^ 1);
    return OK;
}

static enum status count_up(uint64_t run, const struct method *method, float *result)
{
    (void)method;
    *result = (float)run;
    return OK;
}

static enum status nine(uint64_t run, const struct method *method, float *result)
{
    (void)run, (void)method;
    *result = 9;
    return OK;
}

static enum status seven_then_nan_then_nine(uint64_t run, const struct method *method, float *result)
{
    static const float results[] = {7, NAN, 9};
    (void)method;
    *result = results[run % 3];
    return OK;
}

/* Three rounds of warm-up and five more are 8 sums, and 8 of CUB's where there is CUB. */
static enum status fail_at_the_second_n(uint64_t run, const struct method *method, float *result)
{
    (void)method, (void)result;
    return run < (has_cub() ? 17 : 9) ? OK : NOT_MEASURED;
}

/* From the third sum of kahan on; the first launch fails while its rounds warm up. */
static enum status fail_kahan(uint64_t run, const struct method *method, float *result)
{
    static unsigned sums;
    (void)result;
    sums = run == 0 ? 0 : sums;
    return strncmp(method->id, "kahan/", 6) == 0 && ++sums > 2 ? NOT_MEASURED : OK;
}

static enum status lose_the_device(uint64_t run, const struct method *method, float *result)
{
    const enum status status = fail_kahan(run, method, result);
    fake_device.lost |= status != OK;
    return status;
}

/* ---- launches ---- */

static void default_launch_fills_the_device_and_no_more(void **state)
{
    (void)state;
    assert_int_equal(bench_blocks(132, 256, UINT64_C(1) << 30), 1056); /* 132 x 2048 / 256 */
    assert_int_equal(bench_blocks(132, 1024, UINT64_C(1) << 30), 264);
    assert_int_equal(bench_blocks(132, 768, UINT64_C(1) << 30), 264); /* a third of 768 does not fit in 2048 */
    assert_int_equal(bench_blocks(132, 256, UINT64_C(1) << 22), 256); /* 64 elements a thread */
    assert_int_equal(bench_blocks(132, 256, (UINT64_C(1) << 22) + 1), 257);
    assert_int_equal(bench_blocks(132, 256, UINT64_C(1) << 20),
                     132); /* fewer, so that every multiprocessor has a block */
    assert_int_equal(bench_blocks(132, 256, UINT64_C(1) << 18), 64); /* but no fewer than 16 */
    assert_int_equal(bench_blocks(132, 256, (UINT64_C(1) << 18) + 1), 65);
    assert_int_equal(bench_blocks(132, 256, 1), 1);
    assert_int_equal(bench_blocks(1, 1024, UINT64_MAX / 2), 2);
}

/* ---- times ---- */

/* With m lines, the copy first, the three rounds of warm-up take calls 1 .. 3m; line i of round r is call (r + 2)m + i,
 * and one round later after the data were moved, as they are every three rounds. */
static void every_round_times_every_method_once_and_warms_up_before(void **state)
{
    (void)state;
    json_t *object = bench_json("-m plain/serial,kahan/serial -n 1000 --repeats 5", OK);
    json_t *lines = json_object_get(object, "lines"), *line;
    const size_t m = json_array_size(lines);
    size_t i, round;
    assert_true(m >= 3);
    json_array_foreach(lines, i, line)
    {
        json_t *times = json_object_get(line, "microseconds"), *rounds = json_object_get(times, "rounds"), *time;
        assert_int_equal(json_array_size(rounds), 5);
        json_array_foreach(rounds, round, time)
            assert_true(json_number_value(time) == (double)((round + 3 + round / 3) * m + i + 1));
        assert_true(real_of(times, "min") == (double)(3 * m + i + 1));
        assert_true(real_of(times, "median") == (double)(5 * m + i + 1));
        assert_true(real_of(times, "p90") == (double)(8 * m + i + 1));
    }
    assert_int_equal(fake_device.moves, 1);
    assert_string_equal(text_of(json_array_get(lines, 0), "method"), "copy");
    json_decref(object);
}

static void rate_is_bytes_by_median_time_and_the_copy_counts_twice(void **state)
{
    (void)state;
    json_t *object = bench_json("-m plain/serial -n 1000 --repeats 1", OK);
    json_t *copy = line_of(object, "copy"), *serial = line_of(object, "plain/serial");
    const double copy_time = real_of(json_object_get(copy, "microseconds"), "median");
    const double time = real_of(json_object_get(serial, "microseconds"), "median");
    assert_true(real_of(copy, "bytes") == 8000 && real_of(serial, "bytes") == 4000);
    assert_true(real_of(copy, "gigabytes_per_second") == 8000 / (1000 * copy_time));
    assert_true(real_of(serial, "gigabytes_per_second") == 4000 / (1000 * time));
    assert_true(real_of(copy, "share_of_copy") == 1);
    assert_true(fabs(real_of(serial, "share_of_copy") - copy_time / time / 2) < 1e-12);
    json_decref(object);
}

static void baseline_is_there_when_there_is_cub(void **state)
{
    (void)state;
    json_t *object = bench_json("-m plain/serial -n 1000 --repeats 1", OK);
    json_t *serial = line_of(object, "plain/serial");
    assert_int_equal(json_object_get(serial, "baseline") != NULL, has_cub());
    if (has_cub()) {
        assert_string_equal(text_of(serial, "baseline"), BENCH_BASELINE);
        assert_true(real_of(line_of(object, BENCH_BASELINE), "share_of_baseline") == 1);
    }
    json_decref(object);
}

/* ---- results ---- */

static void kernels_with_the_bits_of_their_replays_are_the_same(void **state)
{
    (void)state;
    json_t *object = bench_json("-m */serial -n 3000 -d uniform:n=101 --repeats 2", OK);
    assert_string_equal(text_of(line_of(object, "kahan/serial"), "replay"), "same");
    assert_int_equal(size_of(line_of(object, "kahan/serial"), "outcomes"), 1);
    json_decref(object);
}

static void one_changed_bit_in_one_round_differs(void **state)
{
    (void)state;
    fake_device.change = flip_ninth;
    struct heard heard = bench("-m plain/serial -n 3000 -d uniform:n=101 --repeats 20");
    assert_int_equal(heard.status, LIMIT_BROKEN);
    assert_has(heard.err, "plain/serial at n=3000, ");
    assert_has(heard.err, "kernel and replay differ in row 0: kernel 0x1.");
    assert_has(heard.out, "| DIFFER |");
    heard_free(&heard);
    runs_of_methods = 0;
    json_t *object = bench_json("-m plain/serial -n 3000 -d uniform:n=101 --repeats 20", LIMIT_BROKEN);
    assert_string_equal(text_of(line_of(object, "plain/serial"), "replay"), "differ");
    assert_int_equal(size_of(line_of(object, "plain/serial"), "outcomes"), 2);
    json_decref(object);
}

static void sums_that_arrive_in_any_order_are_counted_and_not_compared(void **state)
{
    (void)state;
    fake_device.change = count_up;
    json_t *object = bench_json("-m plain/tree_atomic -n 3000 --repeats 2", OK);
    json_t *line = line_of(object, "plain/tree_atomic");
    assert_string_equal(text_of(line, "replay"), "not compared");
    assert_int_equal(size_of(line, "outcomes"), 3 + 2); /* of the warm-up too */
    json_decref(object);
}

/* The columns are settled before the first result is there. */
static void column_of_results_is_there_when_an_order_is_that_of_arrival(void **state)
{
    (void)state;
    fake_device.change = count_up;
    struct heard heard = bench("-m plain/tree_atomic -n 3000 --repeats 2");
    assert_has(heard.out, "| results |");
    assert_has(heard.out, "|       5 |");
    heard_free(&heard);
    heard = bench("-m plain/serial -n 3000 --repeats 2");
    assert_has_not(heard.out, "| results |");
    heard_free(&heard);
}

/* 8 ones: ulp(8) = 2^-20, so that 9 is 2^20 of them away. */
static void error_is_that_of_the_worst_result_and_nan_is_worst(void **state)
{
    (void)state;
    static const char line[] = "-m plain/tree_atomic -n 8 -d const:n=3,value=1 --repeats 3";
    json_t *object = bench_json(line, OK);
    assert_true(real_of(line_of(object, "plain/tree_atomic"), "max_ulp_error") == 0);
    json_decref(object);
    fake_device.change = nine;
    object = bench_json(line, OK);
    assert_true(real_of(line_of(object, "plain/tree_atomic"), "max_ulp_error") == 0x1p20);
    assert_string_equal(text_of(line_of(object, "plain/tree_atomic"), "max_ulp_error_hex"), "0x1p+20");
    json_decref(object);
    fake_device.change = seven_then_nan_then_nine;
    object = bench_json(line, OK);
    assert_string_equal(text_of(line_of(object, "plain/tree_atomic"), "max_ulp_error"), "nan");
    json_decref(object);
}

/* ---- rows ---- */

/* Row r of the repeated data: numbers r n .. r n + n - 1, each i mod 5. */
static void every_row_is_summed_on_its_own(void **state)
{
    (void)state;
    static const float periodic[] = {1, 2, 4, 8, 16};
    enum { ROWS = 4, N = 7 };
    char line_of_words[PATH_SIZE + 64];
    put_text("rows.f32", "0x1p+0\n0x1p+1\n0x1p+2\n0x1p+3\n0x1p+4\n");
    snprintf(line_of_words, sizeof line_of_words, "-m plain/serial -n %d --rows %d --repeats 1 -d %s", N, ROWS,
             in_folder("rows.f32").text);
    fake_device.takes_rows = true;
    json_t *object = bench_json(line_of_words, OK);
    json_t *line = line_of(object, "plain/serial"), *rows = json_array_get(json_object_get(line, "outcomes"), 0);
    assert_int_equal(json_array_size(rows), ROWS);
    for (size_t r = 0; r < ROWS; r++) {
        char bits[16];
        float sum = 0;
        for (size_t i = 0; i < N; i++)
            sum += periodic[(r * N + i) % 5];
        snprintf(bits, sizeof bits, "0x%08x", float_bits(sum));
        assert_string_equal(json_string_value(json_array_get(rows, r)), bits);
    }
    assert_true(real_of(line, "max_ulp_error") == 0 && real_of(line, "bytes") == ROWS * N * 4);
    assert_string_equal(text_of(line, "replay"), "same");
    json_decref(object);
}

/* The blocks of plain/serial's line; of 256 threads the fake device, which has one multiprocessor, has room for 8. */
static int blocks_of(const char *words)
{
    char line[PATH_SIZE];
    snprintf(line, sizeof line, "-m plain/serial --threads 256 --repeats 1 %s", words);
    json_t *object = bench_json(line, OK);
    const int blocks =
        (int)json_integer_value(json_object_get(json_object_get(line_of(object, "plain/serial"), "launch"), "blocks"));
    json_decref(object);
    return blocks;
}

static void rows_share_the_blocks_that_fill_the_device(void **state)
{
    (void)state;
    fake_device.takes_rows = true;
    assert_int_equal(blocks_of("-n 128Ki --rows 1"), 8);
    assert_int_equal(blocks_of("-n 64Ki --rows 2"), 4);
    assert_int_equal(blocks_of("-n 64Ki --rows 3"), 3); /* rather one more than too few */
    assert_int_equal(blocks_of("-n 16Ki --rows 8"), 1);
    assert_int_equal(blocks_of("-n 64 --rows 4000"), 1);
    assert_int_equal(blocks_of("-n 64Ki --rows 2 --blocks 8"), 8); /* the twin: those that were asked for are a row's */
}

static void one_wrong_row_differs(void **state)
{
    (void)state;
    fake_device.takes_rows = true;
    fake_device.change = flip_ninth; /* row 2 of the third call */
    struct heard heard = bench("-m plain/serial -n 100 --rows 3 --repeats 3");
    assert_int_equal(heard.status, LIMIT_BROKEN);
    assert_has(heard.err, "kernel and replay differ in row 2:");
    assert_has(heard.out, "| rows |");
    heard_free(&heard);
}

static void methods_of_one_row_are_left_out_of_many(void **state)
{
    (void)state;
    struct heard heard = bench("-m plain/serial -n 100 --rows 3 --repeats 3");
    assert_int_equal(heard.status, BAD_INPUT);
    assert_has(heard.err, "leaving out plain/serial at n=100, ");
    assert_has(heard.err, "one row per launch");
    assert_has(heard.err, "every selected method was left out");
    assert_string_equal(heard.out, "");
    heard_free(&heard);
}

/* ---- what is left out, and failures ---- */

static void slow_methods_need_a_word(void **state)
{
    (void)state;
    struct heard heard = bench("-m plain/serial,plain/tree_two_pass -n 16777217 --repeats 1");
    assert_int_equal(heard.status, OK);
    assert_has(heard.err, "leaving out plain/serial at n=16777217");
    assert_has(heard.err, "--slow times it");
    assert_has_not(heard.out, "plain/serial");
    assert_has(heard.out, "plain/tree_two_pass");
    heard_free(&heard);
    heard = bench("-m plain/serial -n 16777217 --repeats 1 --slow");
    assert_int_equal(heard.status, OK);
    assert_has(heard.out, "plain/serial");
    heard_free(&heard);
}

static void what_was_timed_before_a_failure_is_printed(void **state)
{
    (void)state;
    fake_device.change = fail_at_the_second_n;
    struct heard heard = bench("-m plain/serial -n 1024..2048*2 --repeats 5");
    assert_int_equal(heard.status, NOT_MEASURED);
    assert_has(heard.out, "| 1Ki |");
    assert_has_not(heard.out, "2Ki");
    heard_free(&heard);
}

static void method_that_fails_costs_its_own_lines(void **state)
{
    (void)state;
    fake_device.change = fail_kahan;
    struct heard heard = bench("-m plain/serial,kahan/serial -n 1024..2048*2 --repeats 5");
    assert_int_equal(heard.status, NOT_MEASURED);
    assert_has(heard.err, "kahan/serial is not timed at n=1024, ");
    assert_has(heard.err, "kahan/serial is not timed at n=2048, ");
    assert_has_not(heard.out, "kahan/serial");
    assert_has(heard.out, "| plain/serial       | 1Ki |");
    assert_has(heard.out, "| plain/serial       | 2Ki |");
    heard_free(&heard);
}

/* The twin. */
static void method_that_takes_the_device_with_it_ends_the_bench(void **state)
{
    (void)state;
    fake_device.change = lose_the_device;
    struct heard heard = bench("-m plain/serial,kahan/serial -n 1024..2048*2 --repeats 5");
    assert_int_equal(heard.status, NOT_MEASURED);
    assert_has(heard.err, "kahan/serial is not timed at n=1024, ");
    assert_has_not(heard.err, "n=2048");
    assert_string_equal(heard.out, "");
    heard_free(&heard);
}

/* ---- the table ---- */

static void table_is_markdown_with_aligned_columns(void **state)
{
    (void)state;
    struct heard heard = bench("-m plain/*,kahan/tree_two_pass -n 1..1Mi*1024 --repeats 2 -q");
    size_t length = 0, bars = 0, lines = 0;
    assert_int_equal(heard.status, OK);
    assert_string_equal(heard.err, "");
    for (char *line = strtok(heard.out, "\n"); line && line[0] == '|'; line = strtok(NULL, "\n"), lines++) {
        size_t found = 0;
        for (const char *c = line; *c; c++)
            found += *c == '|';
        assert_true(line[strlen(line) - 1] == '|');
        assert_true(lines == 0 || (strlen(line) == length && found == bars));
        if (lines == 1)
            assert_int_equal(strspn(line, "|:-"), strlen(line));
        length = strlen(line);
        bars = found;
    }
    assert_true(lines >= 2 + 3 * 6 && bars == 11);
    heard_free(&heard);
}

/* ---- rows as they are known ---- */

/* Three rounds of warm-up and `rounds` more of plain/serial, and of CUB where there is CUB: sums before the next n. */
static uint64_t runs_of_an_n(unsigned rounds)
{
    return (3 + rounds) * (has_cub() ? 2 : 1);
}

static char *known_before_the_second_n;

static char *text_of_stdout(void)
{
    const off_t size = lseek(STDOUT_FILENO, 0, SEEK_END);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_true(pread(STDOUT_FILENO, text, (size_t)size, 0) == size);
    return text;
}

static enum status look_at_stdout(uint64_t run, const struct method *method, float *result)
{
    (void)method, (void)result;
    if (run == runs_of_an_n(2))
        known_before_the_second_n = text_of_stdout();
    return OK;
}

static void rows_are_printed_before_the_next_are_timed(void **state)
{
    (void)state;
    fake_device.change = look_at_stdout;
    struct heard heard = bench("-m plain/serial -n 1024..2048*2 --repeats 2");
    assert_has(known_before_the_second_n, "| plain/serial       | 1Ki |");
    assert_has_not(known_before_the_second_n, "2Ki");
    assert_has(heard.out, known_before_the_second_n);
    assert_has(heard.out, "| plain/serial       | 2Ki |");
    assert_has_not(heard.out, "partial");
    free(known_before_the_second_n);
    heard_free(&heard);
}

static enum status interrupt_the_second_n(uint64_t run, const struct method *method, float *result)
{
    (void)method, (void)result;
    if (run == runs_of_an_n(2) + 1)
        raise(SIGINT);
    return OK;
}

static void rows_that_are_known_survive_an_interrupt(void **state)
{
    (void)state;
    static const char line[] = "-m plain/serial -n 1024..4096*2 --repeats 2";
    fake_device.change = interrupt_the_second_n;
    struct heard heard = bench(line);
    assert_int_equal(heard.status, INTERRUPTED);
    assert_has(heard.out, "| plain/serial       | 1Ki |");
    assert_has_not(heard.out, "2Ki");
    assert_has(heard.out,
               has_cub() ? "\npartial: 3 of 9 rows; interrupted\n" : "\npartial: 2 of 6 rows; interrupted\n");
    assert_has(heard.err, "interrupted; the rows that are known are kept");
    heard_free(&heard);
    json_t *object = bench_json(line, INTERRUPTED);
    assert_true(json_is_false(json_object_get(object, "complete")));
    assert_int_equal(size_of(object, "lines"), has_cub() ? 3 : 2);
    assert_int_equal(json_integer_value(json_object_get(object, "lines_planned")), has_cub() ? 9 : 6);
    json_decref(object);
    fake_device.change = NULL; /* the twin */
    object = bench_json(line, OK);
    assert_true(json_is_true(json_object_get(object, "complete")));
    json_decref(object);
}

/* Call k takes k microseconds: the methods of a launch take about as long, and their spreads overlap. */
static void rows_with_overlapping_spreads_are_called_equally_fast(void **state)
{
    (void)state;
    struct heard heard = bench("-m plain/serial,kahan/serial -n 1024 --repeats 9");
    assert_has(heard.out, "equally fast at n=1Ki, ");
    assert_has(heard.out, "plain/serial, kahan/serial\n");
    heard_free(&heard);
    heard = bench("-m plain/serial,kahan/serial -n 1024 --repeats 1"); /* the twin: one round has no spread */
    assert_has_not(heard.out, "equally fast");
    assert_has(heard.out, "fastest at n=1Ki, ");
    heard_free(&heard);
}

/* ---- plug-ins, whose GPU is fake_cuda.c: between two events go as many microseconds as arrays were brought ---- */

static int start_anew_beside_a_gpu(void **state)
{
    setenv("ULPSCOPE_WORKER", WORKER, 1);
    setenv("LD_LIBRARY_PATH", FAKE_CUDA, 1);
    const int result = start_anew(state);
    fake_device.takes_rows = true;
    return result;
}

static json_t *rounds_of(json_t *object, const char *method)
{
    return json_object_get(json_object_get(line_of(object, method), "microseconds"), "rounds");
}

static void kernels_of_a_plugin_are_timed_by_events_on_data_that_stay(void **state)
{
    (void)state;
    json_t *object = bench_json(
        "--plugin " SOUND " -m plain/serial,twin/vectors,twin/stream -n 1000 -d uniform:n=101 --repeats 9", OK);
    static const char *const methods[] = {"twin/vectors", "twin/stream"};
    for (size_t m = 0; m < 2; m++) {
        json_t *rounds = rounds_of(object, methods[m]);
        for (size_t round = 0; round < 9; round++) /* moved before rounds 3 and 6 */
            assert_int_equal(lround(json_number_value(json_array_get(rounds, round))), 1 + round / 3);
        assert_true(real_of(line_of(object, methods[m]), "bytes") == 4000);
        assert_int_equal(json_object_get(line_of(object, methods[m]), "baseline") != NULL, has_cub());
    }
    assert_true(json_equal(json_object_get(line_of(object, "twin/stream"), "outcomes"),
                           json_object_get(line_of(object, "plain/serial"), "outcomes"))); /* the data are repeated */
    assert_false(json_equal(json_object_get(line_of(object, "twin/vectors"), "outcomes"),
                            json_object_get(line_of(object, "plain/serial"), "outcomes")));
    json_decref(object);
}

static void rows_of_a_plugin_are_those_of_the_kernels_beside_it(void **state)
{
    (void)state;
    struct heard heard = bench("--plugin " SOUND " -m twin/batch,twin/stream -n 100 --rows 3 --repeats 1");
    assert_has(heard.err, "leaving out twin/stream at n=100, ");
    assert_has_not(heard.err, "leaving out twin/batch");
    heard_free(&heard);
    json_t *object =
        bench_json("--plugin " SOUND " -m twin/batch,plain/serial -n 100 --rows 3 -d uniform:n=7 --repeats 1", OK);
    json_t *outcomes = json_object_get(line_of(object, "twin/batch"), "outcomes");
    assert_int_equal(json_array_size(json_array_get(outcomes, 0)), 3);
    assert_true(json_equal(outcomes, json_object_get(line_of(object, "plain/serial"), "outcomes")));
    json_decref(object);
}

static void a_plugin_that_breaks_costs_its_own_line(void **state)
{
    (void)state;
    struct heard heard = bench(
        "--plugin " HARMS " -m plain/serial,fake/illegal,fake/writes_past,fake/flushes_in_order -n 100 --repeats 2");
    assert_int_equal(heard.status, NOT_MEASURED);
    assert_has(heard.err, "fake/illegal: left the GPU with an error that stays: CUDA_ERROR_ILLEGAL_ADDRESS");
    assert_has(heard.err, "fake/illegal is not timed at n=100, ");
    assert_has(heard.err, "fake/writes_past: wrote past the end of its output");
    assert_has_not(heard.out, "fake/illegal");
    assert_has_not(heard.out, "fake/writes_past");
    assert_has(heard.out, "| fake/flushes_in_order ");
    assert_has(heard.out, "| plain/serial ");
    heard_free(&heard);
}

static void a_plugin_on_the_host_is_left_to_the_host(void **state)
{
    (void)state;
    struct heard heard = bench("--plugin " ON_HOST " -m varies/vectors -n 100 --repeats 1");
    assert_int_equal(heard.status, BAD_INPUT);
    assert_has(
        heard.err,
        "leaving out varies/vectors at n=100, 1 x 256: its arrays are in the host's memory; --device host times it");
    heard_free(&heard);
    heard = bench("--plugin " ON_HOST " -m varies/vectors -n 100 --repeats 1 --device host"); /* the twin */
    assert_int_equal(heard.status, OK);
    assert_has(heard.out, "| ns/element |");
    heard_free(&heard);
}

#define BESIDE_A_GPU(name) cmocka_unit_test_setup_teardown(name, start_anew_beside_a_gpu, remove_folder)
#define TEST(name) cmocka_unit_test_setup_teardown(name, start_anew, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(default_launch_fills_the_device_and_no_more),
        TEST(every_round_times_every_method_once_and_warms_up_before),
        TEST(rate_is_bytes_by_median_time_and_the_copy_counts_twice),
        TEST(baseline_is_there_when_there_is_cub),
        TEST(kernels_with_the_bits_of_their_replays_are_the_same),
        TEST(one_changed_bit_in_one_round_differs),
        TEST(sums_that_arrive_in_any_order_are_counted_and_not_compared),
        TEST(column_of_results_is_there_when_an_order_is_that_of_arrival),
        TEST(error_is_that_of_the_worst_result_and_nan_is_worst),
        TEST(every_row_is_summed_on_its_own),
        TEST(rows_share_the_blocks_that_fill_the_device),
        TEST(one_wrong_row_differs),
        TEST(methods_of_one_row_are_left_out_of_many),
        TEST(slow_methods_need_a_word),
        TEST(what_was_timed_before_a_failure_is_printed),
        TEST(method_that_fails_costs_its_own_lines),
        TEST(method_that_takes_the_device_with_it_ends_the_bench),
        TEST(table_is_markdown_with_aligned_columns),
        TEST(rows_are_printed_before_the_next_are_timed),
        TEST(rows_that_are_known_survive_an_interrupt),
        TEST(rows_with_overlapping_spreads_are_called_equally_fast),
        BESIDE_A_GPU(kernels_of_a_plugin_are_timed_by_events_on_data_that_stay),
        BESIDE_A_GPU(rows_of_a_plugin_are_those_of_the_kernels_beside_it),
        BESIDE_A_GPU(a_plugin_that_breaks_costs_its_own_line),
        BESIDE_A_GPU(a_plugin_on_the_host_is_left_to_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
