/* What is written for scripts, read back by the names of its columns and keys: every number and text of every row and
 * series of a run is there, and under its own name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/report.h"
#include "reports/statistic.h"
#include "src/base/fp.h"
#include "src/base/number.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/made_run.h"
#include "tests/support/random.h"

/* ---- a run of which no two numbers are the same by chance ---- */

/* Repeats differ, one sum overflows, and one is NaN. */
static float sum_by_repeat(const struct made_sum *call)
{
    if (call->trial == 2 && call->repeat == 2)
        return NAN;
    if (call->trial == 3 && call->repeat == 1)
        return INFINITY;
    return sound_sum(call) * (1 + (float)call->repeat * 0x1p-20f);
}

enum { METHODS = 3 };

static struct made_run *run;
static char folder[64], incomplete[64];

static int set_up(void **state)
{
    (void)state;
    run = make_run((struct run_recipe){.methods = {"plain/serial", "plain/tree_atomic", "kahan/tree_two_pass"},
                                       .data = {"uniform:n=100", "gensum:n=64,cond=1e6", "integers:n=30", "swamp:n=9"},
                                       .trials = 5,
                                       .threads = "32..64*2",
                                       .backend = BACKEND_cuda,
                                       .repeats = 3,
                                       .sum = sum_by_repeat});
    run->results.cases--; /* as if the last case had not been measured */
    snprintf(incomplete, sizeof incomplete, "%llu of %llu", (unsigned long long)run->results.cases,
             (unsigned long long)run->results.study.cases);
    strcpy(folder, "/tmp/test_read_back.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    free_made_run(run);
    return rmdir(folder);
}

static char *written(const char *format)
{
    char path[128], *text = NULL;
    size_t size = 0;
    const char *name = "out";
    const struct report report = {&run->results, &name, 1, {0}, 0};
    snprintf(path, sizeof path, "%s/%s", folder, format);
    assert_int_equal(report_find(format)->write(&report, path), OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    unlink(path);
    return text;
}

/* ---- what is expected: names with numbers or texts ---- */

struct expected {
    const char *name;
    double number;
    const char *text; /* NULL: the number */
};

enum { FIELDS_MOST = 64, NAME_SIZE = 40 };

struct expectation {
    struct expected fields[FIELDS_MOST];
    size_t count;
    char names[FIELDS_MOST][NAME_SIZE]; /* that are put together */
};

static void expect(struct expectation *all, const char *name, double number)
{
    assert_true(all->count < FIELDS_MOST);
    all->fields[all->count++] = (struct expected){name, number, NULL};
}

static void expect_text(struct expectation *all, const char *name, const char *text)
{
    assert_true(all->count < FIELDS_MOST);
    all->fields[all->count++] = (struct expected){name, NAN, text};
}

static const char *joined(struct expectation *all, const char *first, const char *second)
{
    snprintf(all->names[all->count], NAME_SIZE, "%s_%s", first, second);
    return all->names[all->count];
}

static struct expectation of_row(const struct result *row)
{
    struct expectation all = {.count = 0};
    const struct {
        const char *name;
        double number;
    } numbers[] = {{"n", (double)row->n},
                   {"seed", (double)row->seed},
                   {"trial", (double)row->trial},
                   {"blocks", row->launch.blocks},
                   {"threads", row->launch.threads},
                   {"repeat", (double)row->repeat},
                   {"computed", row->computed},
                   {"computed_bits", (double)row->computed_bits},
                   {"nearest_bits", (double)row->nearest_bits},
                   {"condition", row->condition},
                   {"bound", row->bound},
                   {"height", (double)row->height},
                   {"i", (double)row->i},
                   {"j", (double)row->j},
                   {"weight", (double)row->weight},
                   {"probable_bound", row->probabilistic_bound}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        expect(&all, numbers[i].name, numbers[i].number);
    for (int m = 0; m < METRICS; m++)
        expect(&all, metric_table[m].id, row->metrics[m]);
    expect_text(&all, "method", row->method);
    expect_text(&all, "data", row->data);
    expect_text(&all, "format", row->format->name);
    expect_text(&all, "operation", operation_table[row->operation].id);
    expect_text(&all, "backend", row->backend->id);
    expect_text(&all, "device", row->device);
    expect_text(&all, "exact", row->exact);
    expect_text(&all, "class", class_names[row->class]);
    expect_text(&all, "digest", row->digest);
    expect_text(&all, "stored", FORMAT_BINARY32.name); /* of the run */
    expect_text(&all, "added", FORMAT_BINARY32.name);
    return all;
}

/* But its classes and statistics. */
static struct expectation of_series(const struct series *one)
{
    struct expectation all = {.count = 0};
    expect(&all, "n", (double)one->n);
    expect(&all, "count", (double)one->count);
    expect(&all, "distinct_bits", (double)one->distinct_bits);
    expect(&all, "right_nonfinite", (double)one->right_nonfinite);
    expect(&all, "median_condition", one->median_condition);
    expect(&all, "height", (double)one->height);
    expect(&all, "relative_bound", one->relative_bound);
    expect(&all, "relative_probable_bound", one->relative_probabilistic_bound);
    expect_text(&all, "method", one->method);
    expect_text(&all, "data", one->data);
    expect_text(&all, "backend", one->backend->id);
    expect_text(&all, "device", one->device);
    expect_text(&all, "bits_sha256", one->bits_hash);
    return all;
}

static bool same_number(const char *text, double number)
{
    const double read = strtod(text, NULL); /* 0x1p+0 and 0x3f800000 as well */
    return read == number || (isnan(read) && isnan(number));
}

/* ---- CSV ---- */

enum { COLUMNS_MOST = 128 };

/* The next record, cut into its fields, whose quotes are taken off. */
static size_t cut_record(char **text, char *fields[COLUMNS_MOST])
{
    size_t count = 0;
    char *from = *text, *to = *text;
    bool quoted = false;
    fields[count++] = to;
    for (; *from && (quoted || *from != '\n'); from++) {
        if (*from == '"' && quoted && from[1] == '"')
            *to++ = *from++;
        else if (*from == '"')
            quoted = !quoted;
        else if (*from == ',' && !quoted) {
            *to++ = '\0';
            assert_true(count < COLUMNS_MOST);
            fields[count++] = to;
        } else
            *to++ = *from;
    }
    *text = from + (*from == '\n');
    *to = '\0';
    return count;
}

struct table {
    char *text, *next, *names[COLUMNS_MOST], *fields[COLUMNS_MOST];
    size_t columns;
};

static struct table open_table(const char *format)
{
    struct table table = {.text = written(format)};
    table.next = table.text;
    table.columns = cut_record(&table.next, table.names);
    return table;
}

static const char *field_of(const struct table *table, const char *name)
{
    for (size_t c = 0; c < table->columns; c++)
        if (strcmp(table->names[c], name) == 0)
            return table->fields[c];
    fail_msg("there is no column %s", name);
    return NULL;
}

static void assert_record(struct table *table, const struct expectation *all)
{
    assert_int_equal(cut_record(&table->next, table->fields), table->columns);
    for (size_t i = 0; i < all->count; i++) {
        const struct expected *one = &all->fields[i];
        const char *field = field_of(table, one->name);
        if (one->text ? strcmp(field, one->text) != 0 : !same_number(field, one->number))
            fail_msg("%s is %s, expected %s %.17g", one->name, field, one->text ? one->text : "", one->number);
    }
}

static enum status compare_with_csv(void *context, const struct result *row)
{
    struct expectation all = of_row(row);
    expect_text(&all, "incomplete", incomplete);
    assert_int_equal(all.count, ((struct table *)context)->columns); /* and none that nobody expects */
    assert_record(context, &all);
    return OK;
}

static void csv_has_every_field_of_every_row(void **state)
{
    (void)state;
    struct table table = open_table("csv");
    assert_int_equal(results_each(&run->results, compare_with_csv, &table), OK);
    assert_string_equal(table.next, "");
    free(table.text);
}

static void summary_has_every_field_of_every_series(void **state)
{
    (void)state;
    struct table table = open_table("summary");
    for (size_t s = 0; s < run->results.series_count; s++) {
        const struct series *one = &run->results.series[s];
        struct expectation all = of_series(one);
        expect_text(&all, "incomplete", incomplete);
        expect(&all, "blocks", one->launch.blocks);
        expect(&all, "threads", one->launch.threads);
        expect(&all, "worst_trial", (double)one->worst_trial);
        expect(&all, "worst_repeat", (double)one->worst_repeat);
        expect(&all, "worst_bits", (double)one->worst_bits);
        expect(&all, "worst_i", (double)one->worst_i);
        expect(&all, "worst_j", (double)one->worst_j);
        expect_text(&all, "worst_command", one->worst_command);
        for (int c = 0; c < CLASSES; c++)
            expect(&all, joined(&all, "count", class_names[c]), (double)one->classes[c]);
        for (int m = 0; m < METRICS; m++)
            for (enum statistic i = 0; metric_table[m].summarised && i < STATISTICS; i++)
                expect(&all, joined(&all, metric_table[m].id, statistic_name(i)),
                       statistic_value(&one->statistics[m], i));
        assert_int_equal(all.count, table.columns);
        assert_record(&table, &all);
    }
    assert_string_equal(table.next, "");
    free(table.text);
}

/* ---- JSON ---- */

/* A number, or the word of one that is none; and beside it, where there is one, the same as hex-float. */
static void assert_value(const json_t *object, const char *name, double number)
{
    char hex_name[NAME_SIZE], written_hex[NUMBER_TEXT];
    const json_t *value = json_object_get(object, name);
    const bool same = json_is_number(value) ? json_number_value(value) == number
                                            : json_is_string(value) && same_number(json_string_value(value), number);
    if (!same)
        fail_msg("%s is not %.17g", name, number);
    snprintf(hex_name, sizeof hex_name, "%s_hex", name);
    write_hex(number, written_hex);
    if (json_object_get(object, hex_name))
        assert_string_equal(json_string_value(json_object_get(object, hex_name)), written_hex);
}

static void assert_object(const json_t *object, const struct expectation *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct expected *one = &all->fields[i];
        if (one->text)
            assert_string_equal(json_string_value(json_object_get(object, one->name)), one->text);
        else
            assert_value(object, one->name, one->number);
    }
}

static uint64_t count_at(const json_t *object, const char *name)
{
    assert_true(json_is_integer(json_object_get(object, name)));
    return (uint64_t)json_integer_value(json_object_get(object, name));
}

static void assert_histogram(const json_t *object, const struct histogram *histogram)
{
    const json_t *bins = json_object_get(object, "bins");
    size_t index = 0;
    for (int k = HISTOGRAM_LEAST; k < 0; k++) {
        if (histogram->bin[k - HISTOGRAM_LEAST] == 0)
            continue;
        const json_t *bin = json_array_get(bins, index++);
        assert_int_equal(json_integer_value(json_object_get(bin, "binade")), k);
        assert_true(same_number(json_string_value(json_object_get(bin, "low")), ldexp(1, k)));
        assert_int_equal(count_at(bin, "count"), histogram->bin[k - HISTOGRAM_LEAST]);
    }
    assert_int_equal(json_array_size(bins), index);
    assert_int_equal(count_at(object, "exact"), histogram->exact);
    assert_int_equal(count_at(object, "no_digit"), histogram->no_digit);
    assert_int_equal(count_at(object, "nonfinite"), histogram->nonfinite);
    assert_int_equal(count_at(object, "undefined"), histogram->undefined);
    assert_int_equal(count_at(object, "total"), histogram_total(histogram));
}

static void assert_statistics(const json_t *object, const struct statistics *statistics)
{
    const json_t *hex = json_object_get(object, "hex");
    for (enum statistic i = 0; i < STATISTICS; i++) {
        assert_value(object, statistic_name(i), statistic_value(statistics, i));
        assert_value(hex, statistic_name(i), statistic_value(statistics, i));
    }
}

static void assert_json_series(const json_t *object, const struct series *one)
{
    struct expectation all = of_series(one);
    const json_t *classes = json_object_get(object, "classes"), *launch = json_object_get(object, "launch"),
                 *witness = json_object_get(object, "witness"), *statistics = json_object_get(object, "statistics");
    expect(&all, "entry", (double)one->entry);
    assert_object(object, &all);
    assert_int_equal(count_at(launch, "blocks"), one->launch.blocks);
    assert_int_equal(count_at(launch, "threads"), one->launch.threads);
    for (int c = 0; c < CLASSES; c++)
        assert_int_equal(count_at(classes, class_names[c]), one->classes[c]);
    for (int m = 0; m < METRICS; m++)
        if (metric_table[m].summarised)
            assert_statistics(json_object_get(statistics, metric_table[m].id), &one->statistics[m]);
    assert_histogram(json_object_get(object, "histogram"), &one->histogram);
    assert_int_equal(count_at(witness, "trial"), one->worst_trial);
    assert_int_equal(count_at(witness, "repeat"), one->worst_repeat);
    assert_value(witness, "bits", (double)one->worst_bits);
    assert_value(witness, "ulp_error", one->worst_ulp_error);
    assert_string_equal(json_string_value(json_object_get(witness, "exact")), one->worst_exact);
    assert_string_equal(json_string_value(json_object_get(witness, "command")), one->worst_command);
}

static void assert_spread(const json_t *object, const struct spread *spread)
{
    assert_int_equal(count_at(object, "sets"), spread->sets);
    assert_int_equal(count_at(object, "differing"), spread->differing);
    assert_int_equal(count_at(object, "most"), spread->most);
}

static void json_has_every_field_of_every_series(void **state)
{
    (void)state;
    char *text = written("json");
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const json_t *series = json_object_get(object, "series"), *cases = json_object_get(object, "cases");
    assert_int_equal(json_array_size(series), run->results.series_count);
    for (size_t s = 0; s < run->results.series_count; s++)
        assert_json_series(json_array_get(series, s), &run->results.series[s]);
    assert_int_equal(count_at(cases, "measured"), run->results.cases);
    assert_int_equal(count_at(cases, "asked"), run->results.study.cases);
    json_decref(object);
    free(text);
}

/* Methods that have something to say, in their order: three kernels, one with atomics. */
static void json_has_what_was_reproducible(void **state)
{
    (void)state;
    char *text = written("json");
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const json_t *all = json_object_get(object, "reproducibility"),
                 *details = json_object_get(json_object_get(object, "study"), "method_details");
    assert_int_equal(json_array_size(all), METHODS);
    for (size_t m = 0; m < METHODS; m++) {
        const struct reproducibility *one = &run->results.reproducibility[METHODS + m];
        const json_t *said = json_array_get(all, m);
        assert_string_equal(json_string_value(json_object_get(said, "method")), one->method);
        assert_string_equal(json_string_value(json_object_get(said, "backend")), "cuda");
        assert_spread(json_object_get(said, "repeats"), &one->repeats);
        assert_spread(json_object_get(said, "launches"), &one->launches);
        assert_spread(json_object_get(said, "permutations"), &one->permutations);
        assert_int_equal(json_is_true(json_object_get(json_array_get(details, m), "deterministic")),
                         run->results.study.methods[m].determinism == DETERMINISTIC);
    }
    const struct reproducibility *first = &run->results.reproducibility[METHODS];
    assert_true(first->repeats.sets != first->launches.sets && first->launches.sets != first->permutations.sets);
    json_decref(object);
    free(text);
}

/* The twin: a run that is another by one bit of one number is not what was written. */
static void a_reader_sees_one_bit(void **state)
{
    (void)state;
    struct series other = run->results.series[0];
    char *text = written("json");
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const json_t *statistics = json_object_get(
        json_object_get(json_array_get(json_object_get(object, "series"), 0), "statistics"), "ulp_error");
    other.statistics[METRIC_ulp_error].p90 = nextafter(other.statistics[METRIC_ulp_error].p90, 1e9);
    assert_true(json_number_value(json_object_get(statistics, "p90")) != other.statistics[METRIC_ulp_error].p90);
    json_decref(object);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_has_every_field_of_every_row),
        cmocka_unit_test(summary_has_every_field_of_every_series),
        cmocka_unit_test(json_has_every_field_of_every_series),
        cmocka_unit_test(json_has_what_was_reproducible),
        cmocka_unit_test(a_reader_sees_one_bit),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
