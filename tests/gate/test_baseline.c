/* Baselines: what is written is read again, what is no baseline is refused, and what became of a series is said. */
#include "reports/comparison/comparison.h"
#include "src/gate/baseline/baseline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/heard.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- runs by hand ---- */

enum { SERIES_MOST = 8, TRIALS = 100 };

struct run {
    struct results results;
    struct series series[SERIES_MOST];
    struct method_record methods[4];
    struct provenance_fact facts[3];
};

/* The errors are max, half and a quarter of it; the hash is one digit. */
static struct series series_of(const char *method, const char *data, const char *backend, char digit, double max)
{
    struct series series = {
        .method = method,
        .data = data,
        .n = 1024,
        .format = &FORMAT_BINARY32,
        .backend = backend_named(backend),
        .device = strcmp(backend, "cuda") == 0 ? "GPU One" : "host",
        .launch = {120, 256},
        .count = TRIALS,
        .distinct_bits = 1,
    };
    for (int m = 0; m < METRICS; m++) {
        series.statistics[m] = (struct statistics){0, max / 4, max / 3, max / 2, max, max / 3};
        series.defined[m] = TRIALS;
    }
    memset(series.bits_hash, digit, FILE_HASH_TEXT - 1);
    return series;
}

/* Three replays and two kernels, of which one is unordered; its own address is in it. */
static void make_run(struct run *run)
{
    *run = (struct run){
        .series = {series_of("kahan/serial", "uniform:n=1024", "replay", 'a', 0.5),
                   series_of("kahan/serial", "gensum:n=1024,cond=1e8", "replay", 'b', 0.75),
                   series_of("plain/serial", "uniform:n=1024", "replay", 'c', 4),
                   series_of("kahan/serial", "uniform:n=1024", "cuda", 'a', 0.5),
                   series_of("plain/tree_atomic", "uniform:n=1024", "cuda", 'd', 3)},
        .methods = {{.id = "kahan/serial", .accumulator = "kahan"},
                    {.id = "plain/serial", .accumulator = "plain"},
                    {.id = "plain/tree_atomic", .accumulator = "plain", .determinism = ORDER_OF_ARRIVAL},
                    {.id = "cub/device_reduce", .accumulator = "cub", .is_black_box = true}},
        .facts = {{"build", "CUDA compiler", "nvcc 13.0"},
                  {"library", "cub", "CCCL 3.0"},
                  {"run", "date", "2026-01-01T00:00:00Z"}},
    };
    run->results = (struct results){
        .study = {.title = "A title", .methods = run->methods, .method_count = 4, .seed = 1, .repeats = 1, .cases = 2},
        .cases = 2,
        .series = run->series,
        .series_count = 5,
        .facts = run->facts,
        .fact_count = 3,
    };
}

static void add(struct run *run, struct series series)
{
    assert_true(run->results.series_count < SERIES_MOST);
    run->series[run->results.series_count++] = series;
}

/* ---- files of a test: each has a folder of its own ---- */

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    unsetenv("CI");
    strcpy(folder, "/tmp/test_baseline.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"a.json", "b.json", "c.json"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        unlink(path_of(names[i]));
    return rmdir(folder);
}

static void put_bytes(const char *name, const char *bytes, size_t size)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static char *bytes_of(const char *name)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path_of(name), "r");
    assert_non_null(file);
    assert_true(getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    return text;
}

static void save(const struct run *run, const char *name)
{
    struct baseline baseline;
    assert_int_equal(baseline_of(&run->results, &baseline), OK);
    assert_int_equal(baseline_write(&baseline, path_of(name)), OK);
    baseline_free(&baseline);
}

static struct baseline read_back(const char *name)
{
    struct baseline baseline;
    assert_int_equal(baseline_read(path_of(name), &baseline), OK);
    return baseline;
}

/* What was saved of the run, read back. */
static struct baseline kept(const struct run *run)
{
    save(run, "a.json");
    return read_back("a.json");
}

static char *saved_bytes(const struct run *run)
{
    save(run, "a.json");
    return bytes_of("a.json");
}

/* ---- written and read ---- */

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_values(const struct baseline_series *a, const struct baseline_series *b)
{
    bool same = same_number(a->spread, b->spread);
    for (int m = 0; m < METRICS; m++)
        for (int s = 0; metric_table[m].summarised && s < GATE_STATISTICS; s++)
            same = same && same_number(a->values[m][s], b->values[m][s]);
    return same;
}

static bool same_line(const struct baseline_series *a, const struct baseline_series *b)
{
    return strcmp(a->method, b->method) == 0 && strcmp(a->data, b->data) == 0 && a->backend == b->backend &&
           a->launch.blocks == b->launch.blocks && a->launch.threads == b->launch.threads && a->which == b->which &&
           strcmp(a->device, b->device) == 0 && strcmp(a->toolkit, b->toolkit) == 0 && a->n == b->n &&
           a->trials == b->trials && strcmp(a->bits, b->bits) == 0 && strcmp(a->file, b->file) == 0 &&
           a->nonfinite == b->nonfinite && a->unstable == b->unstable && same_values(a, b);
}

static bool same_baseline(const struct baseline *a, const struct baseline *b)
{
    bool same = a->seed == b->seed && strcmp(a->title, b->title) == 0 && a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = same_line(&a->series[i], &b->series[i]);
    return same;
}

/* Whether the run as a baseline is what is read of it; the twin: another value is seen. */
static void assert_read_is_written(const struct run *run)
{
    struct baseline written, again = kept(run);
    assert_int_equal(baseline_of(&run->results, &written), OK);
    assert_true(same_baseline(&written, &again));
    again.series[again.count - 1].values[METRIC_bound_ratio][GATE_P50] += 1;
    assert_false(same_baseline(&written, &again));
    baseline_free(&written);
    baseline_free(&again);
}

static void read_gives_what_was_written(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    assert_read_is_written(&run);
}

static void every_number_survives(void **state)
{
    (void)state;
    static const double numbers[] = {0,          5e-324,
                                     0.1,        1.0 / 3,
                                     DBL_MIN,    DBL_MAX,
                                     0x1p60,     1e15,
                                     1e16,       1e17,
                                     0x1p53 + 2, 12345678901234568.0,
                                     1e22,       0x1.fffffffffffffp-3,
                                     1e-05,      0.0001,
                                     2,          100,
                                     INFINITY,   NAN};
    struct run run;
    make_run(&run);
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        const double x = numbers[i];
        run.series[0].spread = x;
        run.series[1].statistics[METRIC_ulp_error] = (struct statistics){x, x, x, x, x, x};
        struct baseline baseline = kept(&run);
        assert_true(same_number(baseline.series[0].values[METRIC_ulp_error][GATE_MEAN], x));
        assert_true(same_number(baseline.series[2].spread, x) || same_number(baseline.series[1].spread, x));
        baseline_free(&baseline);
        assert_int_equal(unlink(path_of("a.json")), 0);
    }
    save(&run, "a.json");
}

static void errors_of_no_sum_survive(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    run.series[2].statistics[METRIC_bound_ratio] = (struct statistics){NAN, NAN, NAN, NAN, NAN, NAN};
    run.series[2].defined[METRIC_bound_ratio] = 0;
    run.series[2].classes[CLASS_NAN] = 3;
    run.series[2].right_nonfinite = 1;
    struct baseline baseline = kept(&run);
    assert_true(isnan(baseline.series[baseline.count - 2].values[METRIC_bound_ratio][GATE_MAX]));
    assert_int_equal(baseline.series[baseline.count - 2].nonfinite, 2);
    baseline_free(&baseline);
}

/* The data may hold blanks, quotes, and what looks like the rest of a name. */
static void every_name_survives(void **state)
{
    (void)state;
    static const char *const data[] = {
        "my file.csv:column=2", "a\"b\\c.npy", "\xc3\xbc.f32", "x 120x256 replay", "x #2", " x  y ", "#2", "<<<<<<<"};
    struct run run;
    make_run(&run);
    for (size_t i = 0; i < COUNT_OF(data); i++) {
        run.series[2].data = data[i];
        struct baseline baseline = kept(&run);
        const struct baseline_series *line = baseline_find(&baseline, &run.results, &run.series[2]);
        assert_non_null(line);
        assert_string_equal(line->data, data[i]);
        assert_int_equal(line->which, 0);
        baseline_free(&baseline);
        assert_read_is_written(&run);
    }
}

static void a_name_that_is_no_text_is_found_again(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    run.series[2].data = "\xff\x01\n.f32";
    run.results.study.title = "\xff";
    struct baseline baseline = kept(&run);
    const struct baseline_series *line = baseline_find(&baseline, &run.results, &run.series[2]);
    assert_non_null(line);
    assert_string_equal(line->data, "\\xff\\x01\\n.f32");
    baseline_free(&baseline);
}

static void the_same_run_gives_the_same_bytes(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    char *once = saved_bytes(&run), *again = saved_bytes(&run);
    run.results.study.seed = 2;
    char *other = saved_bytes(&run); /* the twin */
    assert_string_equal(once, again);
    assert_string_not_equal(once, other);
    free(once);
    free(again);
    free(other);
}

static void the_order_of_the_run_does_not_show(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    char *once = saved_bytes(&run);
    const struct series first = run.series[0];
    run.series[0] = run.series[4];
    run.series[4] = first;
    char *turned = saved_bytes(&run);
    assert_string_equal(once, turned);
    free(once);
    free(turned);
}

/* As numbers, so that a sweep stands in its order: 60, 120, 1000 blocks. */
static void lines_of_one_method_and_data_stand_by_launch(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    add(&run, run.series[0]);
    run.series[5].launch.blocks = 1000;
    add(&run, run.series[0]);
    run.series[6].launch.blocks = 60;
    char *text = saved_bytes(&run);
    const char *at_60 = strstr(text, "kahan/serial uniform:n=1024 60x256 replay"),
               *at_120 = strstr(text, "kahan/serial uniform:n=1024 120x256 replay"),
               *at_1000 = strstr(text, "kahan/serial uniform:n=1024 1000x256 replay");
    assert_true(at_60 && at_60 < at_120 && at_120 < at_1000);
    free(text);
}

static void what_is_written_of_what_is_read_is_the_same(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    struct baseline baseline = kept(&run);
    assert_int_equal(baseline_write(&baseline, path_of("b.json")), OK);
    char *once = bytes_of("a.json"), *again = bytes_of("b.json");
    assert_string_equal(once, again);
    free(once);
    free(again);
    baseline_free(&baseline);
}

/* Lines of two texts that differ. */
static size_t lines_that_differ(const char *a, const char *b)
{
    size_t differ = 0;
    while (*a && *b) {
        const size_t length_a = strcspn(a, "\n"), length_b = strcspn(b, "\n");
        differ += length_a != length_b || strncmp(a, b, length_a) != 0;
        a += length_a + (a[length_a] == '\n');
        b += length_b + (b[length_b] == '\n');
    }
    return differ;
}

static void a_series_is_a_line(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    char *before = saved_bytes(&run);
    run.series[2] = series_of("plain/serial", "uniform:n=1024", "replay", 'e', 5);
    char *after = saved_bytes(&run);
    assert_int_equal(lines_that_differ(before, after), 1);
    assert_int_equal(lines_that_differ(before, before), 0);
    assert_non_null(strstr(after,
                           "\n\"plain/serial uniform:n=1024 120x256 replay\": {\"backward_error\": {\"count\": 100, "
                           "\"max\": 5, \"mean\": 1.6666666666666667, \"p50\": 1.25, \"p99\": 2.5}, \"bits\": "
                           "\"eeee"));
    free(before);
    free(after);
}

static void replays_say_nothing_of_the_machine(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    run.results.series_count = 3;
    char *here = saved_bytes(&run);
    run.facts[0].value = "none";
    run.facts[2].value = "2027-01-01T00:00:00Z";
    run.series[0].device = "elsewhere";
    char *there = saved_bytes(&run);
    assert_string_equal(here, there);
    free(here);
    free(there);
    run.results.series_count = 5; /* the twin: kernels name what they ran on */
    run.facts[0].value = "nvcc 14";
    here = saved_bytes(&run);
    assert_non_null(strstr(here, "\"device\": \"GPU One\""));
    assert_non_null(strstr(here, "\"toolkit\": \"nvcc 14\""));
    free(here);
}

static void a_black_box_names_its_library(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    run.series[3].method = "cub/device_reduce";
    struct baseline baseline = kept(&run);
    assert_string_equal(baseline_find(&baseline, &run.results, &run.series[3])->toolkit, "nvcc 13.0, CCCL 3.0");
    assert_string_equal(baseline_find(&baseline, &run.results, &run.series[4])->toolkit, "nvcc 13.0");
    baseline_free(&baseline);
}

static void only_kernels_are_unstable(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    run.series[3].distinct_bits = 2;
    struct baseline baseline = kept(&run);
    assert_true(baseline_find(&baseline, &run.results, &run.series[3])->unstable); /* several results */
    assert_true(baseline_find(&baseline, &run.results, &run.series[4])->unstable); /* the order of arrival */
    assert_false(baseline_find(&baseline, &run.results, &run.series[2])->unstable);
    baseline_free(&baseline);
}

static void half_a_run_is_no_baseline(void **state)
{
    (void)state;
    struct run run;
    struct baseline baseline;
    make_run(&run);
    run.results.cases = 1;
    struct heard heard = listen_to_stderr();
    assert_int_equal(baseline_of(&run.results, &baseline), BAD_INPUT);
    baseline_free(&baseline);
    run.results.cases = 2;
    run.facts[2] = (struct provenance_fact){"run", "not measured", "1 of 2 cases"};
    assert_int_equal(baseline_of(&run.results, &baseline), BAD_INPUT);
    baseline_free(&baseline);
    run.facts[2] = (struct provenance_fact){"run", "date", "2026-01-01T00:00:00Z"};
    struct entry_record entry = {.trials = TRIALS + 1};
    run.results.study.entries = &entry;
    run.results.study.entry_count = 1;
    assert_int_equal(baseline_of(&run.results, &baseline), BAD_INPUT);
    baseline_free(&baseline);
    heard_all(&heard);
    assert_non_null(strstr(heard.text, "the run is incomplete: 1 of 2 data sets"));
    assert_non_null(strstr(heard.text, "2 of 2 data sets were measured, and 5 series lack sums"));
    entry.trials = TRIALS;
    assert_int_equal(baseline_of(&run.results, &baseline), OK);
    baseline_free(&baseline);
}

static void a_folder_that_is_not_there_leaves_nothing(void **state)
{
    (void)state;
    struct run run;
    struct baseline baseline;
    make_run(&run);
    assert_int_equal(baseline_of(&run.results, &baseline), OK);
    struct heard heard = listen_to_stderr();
    assert_int_equal(baseline_write(&baseline, "/dev/null/a.json"), BAD_INPUT);
    if (access("/dev/full", W_OK) == 0)
        assert_int_equal(baseline_write(&baseline, "/dev/full"), NOT_MEASURED);
    heard_all(&heard);
    baseline_free(&baseline);
}

/* ---- series are found ---- */

static void every_series_is_found(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    struct baseline baseline = kept(&run);
    for (size_t i = 0; i < run.results.series_count; i++) {
        const struct baseline_series *line = baseline_find(&baseline, &run.results, &run.series[i]);
        assert_non_null(line);
        assert_string_equal(line->bits, run.series[i].bits_hash);
        assert_string_equal(line->method, run.series[i].method);
        assert_ptr_equal(line->backend, run.series[i].backend);
    }
    const struct series others[] = {series_of("kahan/serial", "normal:n=1024", "replay", 'a', 1),
                                    series_of("kahan/tree_two_pass", "uniform:n=1024", "replay", 'a', 1),
                                    series_of("plain/serial", "uniform:n=1024", "cuda", 'a', 1)};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        run.series[5] = others[i];
        assert_null(baseline_find(&baseline, &run.results, &run.series[5]));
    }
    run.series[0].launch.blocks = 60;
    assert_null(baseline_find(&baseline, &run.results, &run.series[0]));
    baseline_free(&baseline);
}

/* A spec that is listed twice, with other trials. */
static void series_of_one_name_are_told_apart(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    add(&run, series_of("kahan/serial", "uniform:n=1024", "replay", 'f', 1));
    add(&run, series_of("kahan/serial", "uniform:n=1024", "replay", '0', 2));
    struct baseline baseline = kept(&run);
    char *text = bytes_of("a.json");
    assert_non_null(strstr(text, "\"kahan/serial uniform:n=1024 120x256 replay\": "));
    assert_non_null(strstr(text, "\"kahan/serial uniform:n=1024 120x256 replay #2\": "));
    assert_non_null(strstr(text, "\"kahan/serial uniform:n=1024 120x256 replay #3\": "));
    free(text);
    assert_string_equal(baseline_find(&baseline, &run.results, &run.series[0])->bits, run.series[0].bits_hash);
    assert_string_equal(baseline_find(&baseline, &run.results, &run.series[5])->bits, run.series[5].bits_hash);
    assert_string_equal(baseline_find(&baseline, &run.results, &run.series[6])->bits, run.series[6].bits_hash);
    add(&run, series_of("kahan/serial", "uniform:n=1024", "replay", '0', 2));
    assert_null(baseline_find(&baseline, &run.results, &run.series[7])); /* a fourth */
    baseline_free(&baseline);
    assert_read_is_written(&run);
}

/* The study says which spec is listed twice; where it says nothing of the data, the series are counted. */
static void the_study_tells_who_has_a_twin(void **state)
{
    (void)state;
    struct spec_record once = {.text = "gensum:n=1024,cond=1e8"}, twice = {.text = "uniform:n=1024"};
    struct entry_record entries[] = {
        {.trials = TRIALS, .specs = &twice, .spec_count = 1},
        {.trials = TRIALS, .specs = &once, .spec_count = 1},
        {.trials = TRIALS, .specs = &twice, .spec_count = 1},
    };
    struct run run;
    make_run(&run);
    run.results.study.entries = entries;
    run.results.study.entry_count = COUNT_OF(entries);
    add(&run, series_of("kahan/serial", "uniform:n=1024", "replay", 'f', 1));
    struct baseline baseline = kept(&run);
    assert_int_equal(baseline_find(&baseline, &run.results, &run.series[0])->which, 0);
    assert_int_equal(baseline_find(&baseline, &run.results, &run.series[1])->which, 0);
    assert_int_equal(baseline_find(&baseline, &run.results, &run.series[5])->which, 1);
    run.results.study.entry_count = 2; /* the twin: a study that lists it once */
    assert_int_equal(baseline_find(&baseline, &run.results, &run.series[5])->which, 0);
    baseline_free(&baseline);
}

/* 5,000 series, each found once: 0.15 s where the study does not help. */
static void thousands_of_series_are_found_soon(void **state)
{
    (void)state;
    enum { MANY = 5000, SPEC = 32 };
    struct run run;
    struct baseline baseline;
    char(*specs)[SPEC] = calloc(MANY, sizeof *specs);
    struct series *many = calloc(MANY, sizeof *many);
    assert_true(specs && many);
    make_run(&run);
    for (size_t i = 0; i < MANY; i++) {
        snprintf(specs[i], SPEC, "uniform:n=%zu", i / 50);
        many[i] = series_of("plain/serial", specs[i], "replay", 'a', 1);
        many[i].n = i / 50;
    }
    run.results.series = many;
    run.results.series_count = MANY;
    assert_int_equal(baseline_of(&run.results, &baseline), OK);
    const clock_t start = clock();
    for (size_t i = 0; i < MANY; i++)
        assert_int_equal(baseline_find(&baseline, &run.results, &many[i])->which, i % 50);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 2);
    baseline_free(&baseline);
    free(many);
    free(specs);
}

/* ---- what is no baseline ---- */

/* Each is the file of make_run() with one text replaced by another. */
static const struct malformed {
    const char *from, *to;
    size_t line;
    const char *says;
} malformed[] = {
    /* the head */
    {"{\n\"schema\"", "", 1, "expected near"},
    {"\"schema\": \"ulpscope-baseline/2\",\n", "", 1, "expected the key \"schema\""},
    {"ulpscope-baseline/2", "ulpscope-baseline/1", 2, "another version; expected \"ulpscope-baseline/2\""},
    {"ulpscope-baseline/2", "ulpscope-run/2", 2, "\"ulpscope-run/2\" is another kind of file"},
    {"\"ulpscope-baseline/2\"", "1", 2, "expected the key \"schema\""},
    {"\"seed\": 1,\n", "", 1, "the key \"seed\" is missing"},
    {"\"seed\": 1", "\"seed\": -1", 3, "expected a whole number from 0 on"},
    {"\"seed\": 1", "\"seed\": 1.5", 3, "expected a whole number from 0 on"},
    {"\"seed\": 1", "\"seed\": \"1\"", 3, "expected a whole number from 0 on"},
    {"\"seed\": 1", "\"seed\": 99999999999999999999", 3, "too big"},
    {"\"seed\": 1", "\"sed\": 1", 3, "\"sed\": is an unknown key; did you mean \"seed\"?"},
    {"\"seed\": 1", "\"seed\": 1, \"seed\": 1", 3, "duplicate"},
    {"\"title\": \"A title\"", "\"title\": 7", 4, "expected a text"},
    {"A title", "A \\u001b[31mtitle", 4, "expected a text of printable characters"},
    {"A title", "A \\u0000", 4, "NUL"},
    {"A title", "A \xff", 4, "decode"},
    {"\"title\"", "\"date\": \"today\",\n\"title\"", 4, "\"date\": is an unknown key"},
    {"\"series\": {", "\"series\": [", 6, "expected"},
    {"\n}\n}\n", "\n}\n", 12, "expected near end of file"},
    {"\n}\n}\n", "\n}\n}\nmore", 13, "end of file expected"},
    {"\"title\"", "// a note\n\"title\"", 4, "near '/'"},
    {"\"seed\": 1", "'seed': 1", 3, "near '''"},
    /* what git and editors leave */
    {"\"seed\"", "<<<<<<< HEAD\n\"seed\"", 3, "\"<<<<<<<\": an unfinished merge"},
    {"\"seed\"", "=======\n\"seed\"", 3, "an unfinished merge"},
    {"\n}\n}\n", "\n}\n>>>>>>> other\n}\n", 12, "an unfinished merge"},
    {"\"seed\"", "||||||| base\n\"seed\"", 3, "an unfinished merge"},
    {"{\n\"schema\"", "\xef\xbb\xbf{\n\"schema\"", 1, "expected"},
    {",\n\"kahan/serial uniform:n=1024 120x256 cuda", "\n\"kahan/serial uniform:n=1024 120x256 cuda", 7,
     "'}' expected"},
    /* names */
    {"plain/serial uniform:n=1024 120x256 replay", "plain/serial 120x256 replay", 9, "is not a series name"},
    {"plain/serial uniform:n=1024 120x256 replay", "plain/serial uniform:n=1024 replay", 9, "is not a series name"},
    {"plain/serial uniform:n=1024 120x256 replay", "plain/serial uniform:n=1024 120x256 host", 9,
     "is not a series name"},
    {"plain/serial uniform:n=1024 120x256 replay", "plain/serial uniform:n=1024 0120x256 replay", 9,
     "is not a series name"},
    {"plain/serial uniform:n=1024 120x256 replay", "plain/serial uniform:n=1024 120x0 replay", 9,
     "is not a series name"},
    {"plain/serial uniform:n=1024 120x256 replay", "plain/serial uniform:n=1024 120 x256 replay", 9,
     "is not a series name"},
    {"plain/serial uniform:n=1024 120x256 replay", "plain/serial uniform:n=1024 120x256 replay #1", 9,
     "is not a series name"},
    {"plain/serial uniform:n=1024 120x256 replay", "plain/serial uniform:n=1024 120x256 replay #0", 9, "number 0"},
    {"plain/serial uniform:n=1024 120x256 replay", "plain/serial uniform:n=1024 120x256 replay #2", 9,
     "number 2 of a name, and no number 1"},
    {"plain/serial uniform:n=1024 120x256 replay", "plain/serial uniform:n=1024 5000000000x256 replay", 9,
     "is not a series name"},
    {"plain/serial uniform:n=1024 120x256 replay", "plain/serial  120x256 replay", 9, "is not a series name"},
    {"plain/serial uniform:n=1024 120x256 replay", "", 9, "is not a series name"},
    {"plain/serial uniform:n=1024 120x256 replay", "kahan/serial uniform:n=1024 120x256 replay", 9, "duplicate"},
    {"plain/serial uniform:n=1024 120x256 replay", "plain/serial uniform:n=1024\\t120x256 replay", 9,
     "is not a series name"},
    /* keys */
    {"\"bits\": \"cccc", "\"bit\": \"cccc", 9, "\"bit\": is an unknown key; did you mean \"bits\"?"},
    {"\"p99\": 2}, \"count\": 100, ", "\"p99\": 2}, ", 9, "the key \"count\" is missing"},
    {"{\"count\": 100, \"max\": 4,", "{\"max\": 4,", 9, "\"backward_error\": the key \"count\" is missing"},
    {"\"max\": 4,", "\"maximum\": 4,", 9, "\"maximum\": is an unknown key"},
    {"\"spread\": 0, \"toolkit\": \"nvcc 13.0\", ", "\"spread\": 0, ", 7, "the key \"toolkit\" is missing"},
    {"\"unstable\": true", "\"unstable\": 1", 10, "\"unstable\": expected true or false"},
    {", \"unstable\": true", "", 10, "the key \"unstable\" is missing"},
    {"120x256 cuda", "60x256 replay", 7, "\"device\": is an unknown key"},
    {"120x256 replay\": {\"backward_error\": {\"count\": 100, \"max\": 4",
     "120x256 cuda\": {\"backward_error\": {\"count\": 100, \"max\": 4", 9, "the key \"device\" is missing"},
    {"\"n\": 1024", "\"file\": \"1111\", \"n\": 1024", 6, "expected a SHA-256"},
    /* values */
    {"\"bits\": \"cccc", "\"bits\": \"ccc", 9, "expected a SHA-256"},
    {"\"bits\": \"cccc", "\"bits\": \"ccccc", 9, "expected a SHA-256"},
    {"\"bits\": \"cccc", "\"bits\": \"CCCC", 9, "expected a SHA-256"},
    {"\"bits\": \"cccc", "\"bits\": \"gccc", 9, "expected a SHA-256"},
    {"\"max\": 4,", "\"max\": \"4\",", 9, "\"max\": expected a number from 0 on, \"inf\" or \"nan\""},
    {"\"max\": 4,", "\"max\": -4,", 9, "expected a number from 0 on"},
    {"\"max\": 4,", "\"max\": null,", 9, "expected a number from 0 on"},
    {"\"max\": 4,", "\"max\": NaN,", 9, "near 'NaN'"},
    {"\"max\": 4,", "\"max\": \"-inf\",", 9, "expected a number from 0 on"},
    {"\"max\": 4,", "\"max\": 1e999,", 9, "overflow"},
    {"\"max\": 4,", "\"max\": 0.1,", 9, "expected \"p50\" up to \"p99\""},
    {"\"p50\": 1, \"p99\": 2", "\"p50\": 3, \"p99\": 2", 9, "expected \"p50\" up to \"p99\""},
    {"\"max\": 4,", "\"max\": 4, \"max\": 4,", 9, "duplicate"},
    {"{\"count\": 100, \"max\": 4,", "{\"count\": 101, \"max\": 4,", 9,
     "expected no more sums than the series has, 100"},
    {"{\"count\": 100, \"max\": 4,", "{\"count\": 0, \"max\": 4,", 9, "expected \"nan\" where \"count\" is 0"},
    {"{\"count\": 100, \"max\": 4,", "{\"count\": 1e2, \"max\": 4,", 9, "expected a whole number"},
    {"{\"count\": 100, \"max\": 4, \"mean\": 1.3333333333333333, \"p50\": 1, \"p99\": 2}", "4", 9,
     "expected an object of"},
    {"\"n\": 1024", "\"n\": true", 6, "\"n\": expected a whole number"},
    {"\"nonfinite\": 0", "\"nonfinite\": 101", 6, "\"nonfinite\": expected no more sums than the series has"},
    {"\"device\": \"GPU One\"", "\"device\": 1", 7, "\"device\": expected a text"},
    {"\"spread\": 0", "\"spread\": [0]", 6, "\"spread\": expected a number"},
};

/* The first place only; NULL: there is none. */
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    char *result = NULL;
    if (!at || asprintf(&result, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) < 0)
        return NULL;
    return result;
}

static void assert_refused(const char *name, size_t line, const char *says)
{
    struct baseline baseline;
    char place[256];
    struct heard heard = listen_to_stderr();
    const enum status status = baseline_read(path_of(name), &baseline);
    heard_all(&heard);
    baseline_free(&baseline);
    if (line > 0)
        snprintf(place, sizeof place, "ulpscope: %s:%zu: ", path_of(name), line);
    else
        snprintf(place, sizeof place, "ulpscope: %s: ", path_of(name));
    assert_int_equal(status, BAD_INPUT);
    if (strncmp(heard.text, place, strlen(place)) != 0 || !strstr(heard.text, says) || !strstr(heard.text, "expected"))
        fail_msg("expected %s...%s, found %s", place, says, heard.text);
    assert_ptr_equal(strchr(heard.text, '\n'), heard.text + strlen(heard.text) - 1); /* said once */
}

static void what_is_no_baseline_is_refused(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    char *text = saved_bytes(&run);
    struct baseline twin = read_back("a.json");
    assert_int_equal(twin.count, 5);
    baseline_free(&twin);
    for (size_t i = 0; i < COUNT_OF(malformed); i++) {
        char *bad = replaced(text, malformed[i].from, malformed[i].to);
        if (!bad)
            fail_msg("the file has no %s:\n%s", malformed[i].from, text);
        put_bytes("b.json", bad, strlen(bad));
        assert_refused("b.json", malformed[i].line, malformed[i].says);
        free(bad);
    }
    print_message("%zu malformed files\n", COUNT_OF(malformed));
    free(text);
}

static void odd_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size, line;
        const char *says;
    } odd[] = {
        {"", 0, 1, "expected near end of file"},
        {"{}", 2, 1, "expected the key \"schema\""},
        {"[]", 2, 1, "expected the key \"schema\""},
        {"7\n", 2, 1, "expected near '7'"},
        {"{\n\n\0}", 5, 3, "holds a NUL"},
        {"{\"schema\": \"ulpscope-baseline/2\", \"seed\": 1, \"title\": \"\", \"series\": {}}", 71, 1, "at least one"},
        {"{\"schema\": \"ulpscope-baseline/2\", \"seed\": 1, \"title\": \"\", \"series\": []}", 71, 1, "at least one"},
        {"\n\n<<<<<<< HEAD\n", 15, 3, "an unfinished merge"},
        {"\x1f\x8b\x08", 3, 1, "expected near"},
    };
    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        put_bytes("a.json", odd[i].bytes, odd[i].size);
        assert_refused("a.json", odd[i].line, odd[i].says);
    }
    assert_refused("missing.json", 0, "there is no such baseline");
    assert_refused("", 0, "cannot be read"); /* the folder */
    put_bytes("a.json", "", 0);
    assert_int_equal(truncate(path_of("a.json"), (64 << 20) + 1), 0);
    assert_refused("a.json", 0, "is larger than 64 MiB");
}

/* A merge by hand may leave the lines of both sides in any order, and an editor other line ends. */
static void the_order_of_lines_is_no_matter(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    char *text = saved_bytes(&run);
    char *series = strstr(text, "\"series\": {\n") + strlen("\"series\": {\n"), *second = strstr(series, ",\n") + 2;
    char *end = strstr(text, "\n}\n}"), *turned = NULL;
    assert_true(asprintf(&turned, "%.*s%.*s,\n%.*s\n}\n}\r\n", (int)(series - text), text, (int)(end - second), second,
                         (int)(second - 2 - series), series) > 0);
    put_bytes("b.json", turned, strlen(turned));
    struct baseline one = read_back("a.json"), other = read_back("b.json");
    assert_string_not_equal(text, turned);
    assert_true(same_baseline(&one, &other));
    baseline_free(&one);
    baseline_free(&other);
    free(text);
    free(turned);
}

/* ---- whether two can be compared ---- */

static void only_like_is_compared_with_like(void **state)
{
    (void)state;
    struct run run;
    char why[REASON_SIZE];
    make_run(&run);
    struct baseline baseline = kept(&run);
    const struct baseline_series *replay = baseline_find(&baseline, &run.results, &run.series[0]),
                                 *kernel = baseline_find(&baseline, &run.results, &run.series[3]);
    for (int what = 0; what < 6; what++) {
        struct run other;
        make_run(&other);
        static const struct {
            enum likeness replay, kernel;
            const char *why;
        } expected[] = {
            {LIKE, LIKE, ""},
            {OTHER_STUDY, OTHER_STUDY, "seed 1 against 2"},
            {OTHER_STUDY, OTHER_STUDY, "n 1024 against 7"},
            {OTHER_STUDY, OTHER_STUDY, "sums 100 against 50"},
            {LIKE, ELSEWHERE, "the baseline is of GPU One, the run of GPU Two"},
            {LIKE, ELSEWHERE, "the baseline is of nvcc 13.0, the run of nvcc 13.1"},
        };
        other.results.study.seed = what == 1 ? 2 : 1;
        other.series[0].n = other.series[3].n = what == 2 ? 7 : 1024;
        other.series[0].count = other.series[3].count = what == 3 ? 50 : 100;
        other.series[0].device = other.series[3].device = what == 4 ? "GPU Two" : "GPU One";
        other.facts[0].value = what == 5 ? "nvcc 13.1" : "nvcc 13.0";
        assert_int_equal(baseline_likeness(&baseline, kernel, &other.results, &other.series[3], why),
                         expected[what].kernel);
        assert_string_equal(why, expected[what].why);
        assert_int_equal(baseline_likeness(&baseline, replay, &other.results, &other.series[0], why),
                         expected[what].replay);
    }
    baseline_free(&baseline);
}

static const char HASHES[2][72] = {"sha256 1111111111111111111111111111111111111111111111111111111111111111",
                                   "sha256 2222222222222222222222222222222222222222222222222222222222222222"};

/* Easier numbers in a file of the same name would pass any limit. */
static void another_data_file_is_another_study(void **state)
{
    (void)state;
    struct run run;
    char why[REASON_SIZE];
    make_run(&run);
    run.series[0].data = "x.csv:column=2";
    run.series[1].data = "x.csv.npy";
    run.facts[1] = (struct provenance_fact){"data", "x.csv", (char *)HASHES[0]};
    run.facts[2] = (struct provenance_fact){"data", "x.csv.npy", (char *)HASHES[1]};
    struct baseline baseline = kept(&run);
    const struct baseline_series *csv = baseline_find(&baseline, &run.results, &run.series[0]),
                                 *npy = baseline_find(&baseline, &run.results, &run.series[1]),
                                 *none = baseline_find(&baseline, &run.results, &run.series[2]);
    assert_string_equal(csv->file, HASHES[0] + 7);
    assert_string_equal(npy->file, HASHES[1] + 7);
    assert_string_equal(none->file, "");
    assert_int_equal(baseline_likeness(&baseline, csv, &run.results, &run.series[0], why), LIKE);
    run.facts[1].value = (char *)HASHES[1];
    assert_int_equal(baseline_likeness(&baseline, csv, &run.results, &run.series[0], why), OTHER_STUDY);
    assert_string_equal(why, "SHA-256 of the data file 11111111 against 22222222");
    assert_int_equal(baseline_likeness(&baseline, npy, &run.results, &run.series[1], why), LIKE);
    assert_int_equal(baseline_likeness(&baseline, none, &run.results, &run.series[2], why), LIKE);
    assert_read_is_written(&run);
    baseline_free(&baseline);
}

/* "a" is also what "a:b" begins with, as it would with an option. */
static void of_two_files_the_one_with_the_whole_name_counts(void **state)
{
    (void)state;
    struct run run;
    make_run(&run);
    run.series[0].data = "a:b:column=1";
    run.series[1].data = "a:column=1";
    run.facts[1] = (struct provenance_fact){"data", "a", (char *)HASHES[0]};
    run.facts[2] = (struct provenance_fact){"data", "a:b", (char *)HASHES[1]};
    struct baseline baseline = kept(&run);
    assert_string_equal(baseline_find(&baseline, &run.results, &run.series[0])->file, HASHES[1] + 7);
    assert_string_equal(baseline_find(&baseline, &run.results, &run.series[1])->file, HASHES[0] + 7);
    baseline_free(&baseline);
}

/* ---- what became of it ---- */

/* The change of one series between two runs of make_run(), which the caller frees with baseline and diff. */
struct found {
    struct baseline baseline;
    struct baseline_diff diff;
};

static struct found compare(const struct run *before, const struct run *after)
{
    struct found found = {.baseline = kept(before)};
    baseline_compare(&found.baseline, &after->results, &found.diff);
    return found;
}

static void found_free(struct found *found)
{
    baseline_diff_free(&found->diff);
    baseline_free(&found->baseline);
}

static enum became became_in_the_diff(const struct found *found, const struct series *series)
{
    const struct baseline_change *change = found->diff.changes;
    while (change->series != series)
        change++;
    return change->became;
}

/* Each alters the run, and nothing else. */
static void worse(struct run *run)
{
    run->series[2] = series_of("plain/serial", "uniform:n=1024", "replay", '3', 8);
}
static void better(struct run *run)
{
    run->series[2] = series_of("plain/serial", "uniform:n=1024", "replay", '3', 2);
}
static void other_bits(struct run *run)
{
    memset(run->series[1].bits_hash, '7', FILE_HASH_TEXT - 1);
}
static void p99_alone(struct run *run)
{
    other_bits(run);
    run->series[1].statistics[METRIC_ulp_error].p99 *= 2;
}
static void nan_sums(struct run *run)
{
    other_bits(run);
    run->series[1].classes[CLASS_NAN] = 1;
}
static void other_seed(struct run *run)
{
    run->results.study.seed = 2;
}
static void fewer_sums(struct run *run)
{
    run->series[3].count = 50;
}
static void other_file(struct run *run)
{
    run->facts[2] = (struct provenance_fact){"data", "uniform", (char *)HASHES[0]};
}
static void other_device(struct run *run)
{
    run->series[3] = series_of("kahan/serial", "uniform:n=1024", "cuda", 'e', 1000);
    run->series[3].device = "GPU Two";
}
static void several_results(struct run *run)
{
    run->series[3].distinct_bits = 2;
}

static void a_report_and_a_baseline_agree(void **state)
{
    (void)state;
    static const struct {
        void (*alter)(struct run *run);
        enum became became; /* of the series that it alters */
    } cases[] = {{worse, BECAME_WORSE},
                 {better, BECAME_BETTER},
                 {other_bits, BECAME_SAME},
                 {p99_alone, BECAME_WORSE},
                 {nan_sums, BECAME_WORSE},
                 {other_seed, BECAME_NOT_COMPARABLE},
                 {fewer_sums, BECAME_NOT_COMPARABLE},
                 {other_file, BECAME_NOT_COMPARABLE},
                 {other_device, BECAME_WORSE},
                 {several_results, BECAME_WORSE}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct run before, after;
        struct comparison comparison;
        struct entry_record entry = {.trials = TRIALS};
        size_t altered = 0;
        make_run(&before);
        make_run(&after);
        before.results.study.entries = after.results.study.entries = &entry;
        before.results.study.entry_count = after.results.study.entry_count = 1;
        cases[i].alter(&after);
        struct found found = compare(&before, &after);
        assert_int_equal(comparison_make(&before.results, &after.results, &comparison), OK);
        assert_int_equal(comparison.pair_count, after.results.series_count);
        for (size_t p = 0; p < comparison.pair_count; p++) {
            const struct series_pair *pair = &comparison.pairs[p];
            assert_int_equal(pair->judged.became, became_in_the_diff(&found, pair->other));
            altered += pair->judged.became == cases[i].became;
        }
        assert_in_range(altered, 1, 5);
        comparison_free(&comparison);
        found_free(&found);
    }
}

static void new_and_missing_are_told(void **state)
{
    (void)state;
    struct run before, after;
    make_run(&before);
    make_run(&after);
    after.series[0].data = "normal:n=1024";
    struct found found = compare(&before, &after);
    assert_int_equal(found.diff.count, 6);
    assert_int_equal(found.diff.by[BECAME_NEW], 1);
    assert_int_equal(found.diff.by[BECAME_MISSING], 1);
    assert_int_equal(found.diff.by[BECAME_SAME], 3);
    assert_int_equal(found.diff.by[BECAME_NOT_COMPARABLE], 1);
    assert_null(found.diff.changes[5].series);
    assert_string_equal(found.diff.changes[5].before->data, "uniform:n=1024");
    found_free(&found);
}

static void atomics_are_not_judged(void **state)
{
    (void)state;
    struct run before, after;
    make_run(&before);
    make_run(&after);
    after.series[4] = series_of("plain/tree_atomic", "uniform:n=1024", "cuda", 'e', 1000);
    after.series[4].distinct_bits = 5;
    struct found found = compare(&before, &after);
    assert_int_equal(found.diff.by[BECAME_NOT_COMPARABLE], 1);
    assert_int_equal(found.diff.by[BECAME_WORSE], 0);
    assert_int_equal(found.diff.unlike, 0);
    size_t atomic = 0;
    while (found.diff.changes[atomic].became != BECAME_NOT_COMPARABLE)
        atomic++;
    assert_string_equal(found.diff.changes[atomic].judged.why, "its bits change from run to run");
    found_free(&found);
    before.methods[2].determinism = after.methods[2].determinism = DETERMINISTIC; /* the twin */
    after.series[4].distinct_bits = 1;
    found = compare(&before, &after);
    assert_int_equal(found.diff.by[BECAME_WORSE], 1);
    found_free(&found);
}

/* Its errors are the same; only that one data set now has two results. */
static void a_fixed_order_with_several_results_is_worse(void **state)
{
    (void)state;
    struct run before, after;
    make_run(&before);
    make_run(&after);
    after.series[3].distinct_bits = 2;
    struct found found = compare(&before, &after);
    assert_int_equal(found.diff.by[BECAME_WORSE], 1);
    size_t worst = 0;
    while (found.diff.changes[worst].became != BECAME_WORSE)
        worst++;
    assert_int_equal(found.diff.changes[worst].judged.decided, BY_RESULTS);
    found_free(&found);
    before.series[3].distinct_bits = 2; /* the twin: it had them before */
    found = compare(&before, &after);
    assert_int_equal(found.diff.by[BECAME_WORSE], 0);
    assert_int_equal(found.diff.by[BECAME_NOT_COMPARABLE], 2);
    found_free(&found);
}

/* They are judged, as in a report on two GPUs, and said to be elsewhere. */
static void kernels_of_another_device_are_unlike(void **state)
{
    (void)state;
    struct run before, after;
    make_run(&before);
    make_run(&after);
    other_device(&after);
    struct found found = compare(&before, &after);
    assert_int_equal(found.diff.by[BECAME_WORSE], 1);
    assert_int_equal(found.diff.unlike, 1);
    found_free(&found);
    after.series[3].device = "GPU One"; /* the twin */
    found = compare(&before, &after);
    assert_int_equal(found.diff.by[BECAME_WORSE], 1);
    assert_int_equal(found.diff.unlike, 0);
    found_free(&found);
}

static void changes_are_told_in_words(void **state)
{
    (void)state;
    struct run before, after;
    make_run(&before);
    make_run(&after);
    after.series[2] = series_of("plain/serial", "uniform:n=1024", "replay", '3', 8);
    memset(after.series[1].bits_hash, '7', FILE_HASH_TEXT - 1);
    after.series[3].device = "GPU Two";
    struct found found = compare(&before, &after);
    char *sentence = baseline_diff_sentence(&found.diff);
    assert_string_equal(sentence, "5 series: 1 worse, 1 not comparable, 3 same (1 of them with other bits)");
    free(sentence);
    found_free(&found);
}

/* ---- replaced ---- */

/* What `after` does to the baseline of `before`; whether the file is another one then. */
static bool updates(const struct run *before, const struct run *after, bool accept_worse, enum status expected,
                    char heard_text[HEARD_MOST])
{
    struct baseline baseline = kept(before);
    char *old = bytes_of("a.json");
    struct heard heard = listen_to_stderr();
    struct baseline_diff diff = {0};
    const enum status status = baseline_update(&baseline, &after->results, accept_worse, &diff);
    baseline_diff_free(&diff);
    heard_all(&heard);
    memcpy(heard_text, heard.text, HEARD_MOST);
    char *now = bytes_of("a.json");
    const bool replaced = strcmp(old, now) != 0;
    assert_int_equal(status, expected);
    baseline_free(&baseline);
    free(old);
    free(now);
    return replaced;
}

static void what_is_better_or_new_replaces(void **state)
{
    (void)state;
    struct run before, after;
    char said[HEARD_MOST];
    make_run(&before);
    make_run(&after);
    after.series[2] = series_of("plain/serial", "uniform:n=1024", "replay", '3', 2);
    after.series[4] = series_of("plain/tree_atomic", "uniform:n=1024", "cuda", '3', 99);
    add(&after, series_of("zoo/serial", "uniform:n=1024", "replay", '3', 1));
    assert_true(updates(&before, &after, false, OK, said));
    assert_string_equal(said, "");
    struct baseline now = read_back("a.json");
    assert_int_equal(now.count, 6);
    baseline_free(&now);
}

static void what_is_worse_missing_or_unlike_does_not_replace(void **state)
{
    (void)state;
    static const char *const says[] = {
        "worse: plain/serial uniform:n=1024 120x256 replay: ulp_error max 4.00 then, 8.00 now",
        "missing: plain/tree_atomic uniform:n=1024 120x256 cuda",
        "not comparable: kahan/serial gensum:n=1024,cond=1e8 120x256 replay: seed 1 against 2",
        "same: kahan/serial uniform:n=1024 120x256 cuda: the baseline is of GPU One, the run of GPU Two",
    };
    for (size_t what = 0; what < COUNT_OF(says); what++) {
        struct run before, after;
        char said[HEARD_MOST];
        make_run(&before);
        make_run(&after);
        if (what == 0)
            after.series[2] = series_of("plain/serial", "uniform:n=1024", "replay", '3', 8);
        after.results.series_count = what == 1 ? 4 : 5;
        after.results.study.seed = what == 2 ? 2 : 1;
        if (what == 3)
            after.series[3].device = "GPU Two";
        assert_false(updates(&before, &after, false, BAD_INPUT, said));
        assert_non_null(strstr(said, says[what]));
        assert_non_null(strstr(said, "--accept-worse"));
        assert_true(updates(&before, &after, true, OK, said)); /* the twin */
    }
}

static void only_a_few_are_told(void **state)
{
    (void)state;
    struct run before, after;
    char said[HEARD_MOST];
    make_run(&before);
    make_run(&after);
    add(&before, series_of("klein/serial", "uniform:n=1024", "replay", '2', 1));
    add(&before, series_of("sum2/serial", "uniform:n=1024", "replay", '2', 1));
    after.results.series_count = 0;
    assert_false(updates(&before, &after, false, BAD_INPUT, said));
    size_t lines = 0;
    for (const char *p = said; *p; p++)
        lines += *p == '\n';
    assert_int_equal(lines, 5 + 1);
    assert_non_null(strstr(said, "0 series worse, 7 missing, 0 of another study or device"));
}

static void the_gate_does_not_move_itself(void **state)
{
    (void)state;
    static const struct {
        const char *ci;
        enum status status;
    } cases[] = {{"true", BAD_INPUT}, {"1", BAD_INPUT}, {"TRUE", BAD_INPUT}, {"false", OK}, {"", OK}, {"0", OK}};
    struct run before, after;
    char said[HEARD_MOST];
    make_run(&before);
    make_run(&after);
    after.series[2] = series_of("plain/serial", "uniform:n=1024", "replay", '3', 2);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        setenv("CI", cases[i].ci, 1);
        assert_int_equal(updates(&before, &after, true, cases[i].status, said), cases[i].status == OK);
        assert_true((strstr(said, "CI=") != NULL) == (cases[i].status != OK));
    }
    unsetenv("CI");
}

static void half_a_run_replaces_nothing(void **state)
{
    (void)state;
    struct run before, after;
    char said[HEARD_MOST];
    make_run(&before);
    make_run(&after);
    after.series[2] = series_of("plain/serial", "uniform:n=1024", "replay", '3', 2);
    after.results.cases = 1;
    assert_false(updates(&before, &after, true, BAD_INPUT, said));
    assert_non_null(strstr(said, "incomplete"));
}

/* ---- names of baselines ---- */

static void names_are_files_of_the_folder(void **state)
{
    (void)state;
    static const struct {
        const char *name, *folder, *path;
    } cases[] = {{"main", "baselines", "baselines/main.json"},
                 {"main", "b/", "b/main.json"},
                 {"./x", "baselines", "./x"},
                 {"x.json", "baselines", "x.json"},
                 {"a/b", "baselines", "a/b"},
                 {"v1-2_x", "b", "b/v1-2_x.json"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *path = baseline_path(cases[i].name, cases[i].folder);
        assert_string_equal(path, cases[i].path);
        assert_int_equal(baseline_check_name(cases[i].name), OK);
        free(path);
    }
}

static void other_names_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"", "a b", "a*", "\xc3\xbc", "a\n", "main:2", "~", "$x"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct heard heard = listen_to_stderr();
        assert_int_equal(baseline_check_name(names[i]), BAD_INPUT);
        heard_all(&heard);
        assert_non_null(strstr(heard.text, "is not a baseline name"));
    }
}

#define FACT(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(read_gives_what_was_written),
        FACT(every_number_survives),
        FACT(errors_of_no_sum_survive),
        FACT(every_name_survives),
        FACT(a_name_that_is_no_text_is_found_again),
        FACT(the_same_run_gives_the_same_bytes),
        FACT(the_order_of_the_run_does_not_show),
        FACT(lines_of_one_method_and_data_stand_by_launch),
        FACT(what_is_written_of_what_is_read_is_the_same),
        FACT(a_series_is_a_line),
        FACT(replays_say_nothing_of_the_machine),
        FACT(a_black_box_names_its_library),
        FACT(only_kernels_are_unstable),
        FACT(half_a_run_is_no_baseline),
        FACT(a_folder_that_is_not_there_leaves_nothing),
        FACT(every_series_is_found),
        FACT(series_of_one_name_are_told_apart),
        FACT(the_study_tells_who_has_a_twin),
        FACT(thousands_of_series_are_found_soon),
        FACT(what_is_no_baseline_is_refused),
        FACT(odd_files_are_refused),
        FACT(the_order_of_lines_is_no_matter),
        FACT(only_like_is_compared_with_like),
        FACT(another_data_file_is_another_study),
        FACT(of_two_files_the_one_with_the_whole_name_counts),
        FACT(a_report_and_a_baseline_agree),
        FACT(new_and_missing_are_told),
        FACT(atomics_are_not_judged),
        FACT(a_fixed_order_with_several_results_is_worse),
        FACT(kernels_of_another_device_are_unlike),
        FACT(changes_are_told_in_words),
        FACT(what_is_better_or_new_replaces),
        FACT(what_is_worse_missing_or_unlike_does_not_replace),
        FACT(only_a_few_are_told),
        FACT(the_gate_does_not_move_itself),
        FACT(half_a_run_replaces_nothing),
        FACT(names_are_files_of_the_folder),
        FACT(other_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
