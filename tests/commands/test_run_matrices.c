/* `run` of matrix products, from outside: elements, digests, witnesses, limits. */
#include "tests/support/csv_line.h"
#include "tests/support/json_output.h"

#define SMALL "-d uniform:n=40,rows=9,columns=13,low=-1 --trials 3 -q --speed 0 "

static json_t *series_of(const json_t *run, const char *method)
{
    size_t s;
    json_t *series;
    json_array_foreach(json_object_get(run, "series"), s, series)
    {
        if (strcmp(json_string_value(json_object_get(series, "method")), method) == 0)
            return series;
    }
    fail_msg("run.json has no series of %s", method);
    return NULL;
}

static void every_element_is_counted(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -m 'matmul*:*/naive' " SMALL "-o out");
    json_t *run = json_of_file("out/run.json"), *series;
    size_t s, bins;
    json_array_foreach(json_object_get(run, "series"), s, series)
    {
        const json_t *histogram = json_object_get(series, "histogram");
        json_t *bin;
        json_int_t counted = json_integer_value(json_object_get(histogram, "exact")) +
                             json_integer_value(json_object_get(histogram, "no_digit"));
        json_array_foreach(json_object_get(histogram, "bins"), bins, bin)
        {
            counted += json_integer_value(json_object_get(bin, "count"));
        }
        assert_int_equal(json_integer_value(json_object_get(series, "count")), 3 * 9 * 13);
        assert_int_equal(counted, 3 * 9 * 13);
        assert_int_equal(strlen(text_at(series, "map")), 9 * 14 - 1);
    }
    assert_int_equal(s, 11);
    json_decref(run);
}

/* More elements than are judged at a time. */
static void rows_far_down_are_held_to_their_own_products(void **state)
{
    (void)state;
    run_fine(
        "\"$ULPSCOPE\" run -q --speed 0 -m matmul_exact:superacc/naive -d normal:n=2,rows=700,columns=400 --trials 1 "
        "-o out");
    json_t *run = json_of_file("out/run.json");
    const json_t *series = series_of(run, "matmul_exact:superacc/naive"),
                 *errors = json_object_get(json_object_get(series, "statistics"), "ulp_error");
    assert_int_equal(json_integer_value(json_object_get(series, "count")), 700 * 400);
    assert_true(json_number_value(json_object_get(errors, "max")) <= 0.5);
    json_decref(run);
}

static void the_reference_is_verified(void **state)
{
    (void)state;
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" run -m matmul:plain/naive -d uniform:n=40,rows=9,columns=13 --trials 3 --speed 0 "
             "--verify-reference",
             &outcome);
    assert_int_equal(outcome.code, 0);
    assert_non_null(strstr(outcome.err, "verified 3 exact results, in the elements that are kept"));
    outcome_free(&outcome);
}

static void equal_bits_have_equal_digests(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -m 'matmul:plain/*' " SMALL "-o out --jobs 1");
    run_fine("\"$ULPSCOPE\" run -m 'matmul:plain/*' " SMALL "-o again --jobs 3");
    assert_same_file("out/results.csv", "again/results.csv");
    json_t *run = json_of_file("out/run.json");
    const char *naive = text_at(series_of(run, "matmul:plain/naive"), "bits_sha256");
    assert_string_equal(naive, text_at(series_of(run, "matmul:plain/tile_32"), "bits_sha256"));
    assert_string_not_equal(naive, text_at(series_of(run, "matmul:plain/split_2"), "bits_sha256"));
    json_decref(run);
}

/* An element of naive has the bits of the serial dot product. */
static void a_witness_is_a_dot_product(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -m matmul:plain/naive,matmul:plain/split_2 " SMALL "-o out");
    json_t *run = json_of_file("out/run.json");
    const json_t *witness = json_object_get(series_of(run, "matmul:plain/naive"), "witness");
    char *line = strdup(text_at(witness, "vectors"));
    assert_int_equal(strncmp(line, "ulpscope gen ", 13), 0);
    char command[512];
    snprintf(command, sizeof command, "\"$ULPSCOPE\" gen %s", line + 13);
    run_fine(command);
    char *csv = output_of("\"$ULPSCOPE\" run -q --speed 0 -m dot:plain/serial,dot:plain/pairwise -d x.npy::y.npy -o -");
    assert_non_null(strstr(csv, text_at(witness, "bits")));
    assert_non_null(strstr(csv, text_at(witness, "exact")));
    free(line);
    free(csv);
    json_decref(run);
}

static void limits_and_baselines_hold_elements(void **state)
{
    (void)state;
    put_text("sound.yaml", "schema: ulpscope-limits/1\nrules:\n"
                           "  - {method: \"*\", data: \"*\", metric: bound_ratio, limit: auto}\n"
                           "  - {method: \"*\", data: \"*\", metric: bits, same: baseline}\n");
    put_text("tight.yaml", "schema: ulpscope-limits/1\nrules:\n"
                           "  - {method: \"*\", data: \"*\", metric: ulp_error, limit: 4ulp}\n");
    run_fine("\"$ULPSCOPE\" run -m 'matmul:*/naive' " SMALL "-o out && \"$ULPSCOPE\" baseline save main out");
    run_fine("\"$ULPSCOPE\" check out --limits sound.yaml --baseline main");
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" check out --limits tight.yaml", &outcome);
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out, "5 FAIL"));
    outcome_free(&outcome);
}

static void a_page_shows_the_elements(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -m 'matmul:*/naive' " SMALL "-o out");
    char *page = take_file("out/report.html");
    assert_non_null(strstr(page, "Elements of the products"));
    assert_non_null(strstr(page, "--witness"));
    free(page);
    run_fine("\"$ULPSCOPE\" run -q --speed 0 -m naive -d uniform:n=8 --trials 2 -o sums");
    page = take_file("sums/report.html");
    assert_null(strstr(page, "Elements of the products"));
    free(page);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    assert_refused("\"$ULPSCOPE\" run -m matmul:plain/naive -m plain/serial -d uniform:n=8", 2, "one thing");
    assert_refused("\"$ULPSCOPE\" run -m plain/serial -d uniform:n=8,rows=3", 2, "rows");
    assert_refused("\"$ULPSCOPE\" bench -m matmul:plain/naive -n 1Ki --device host", 2, "matrix product");
    assert_refused("\"$ULPSCOPE\" tree matmul:plain/naive -d uniform:n=8", 2, "makes a matrix");
}

int main(void)
{
    static const struct CMUnitTest facts[] = {
        FACT(every_element_is_counted),      FACT(rows_far_down_are_held_to_their_own_products),
        FACT(equal_bits_have_equal_digests), FACT(the_reference_is_verified),
        FACT(a_witness_is_a_dot_product),    FACT(limits_and_baselines_hold_elements),
        FACT(a_page_shows_the_elements),     FACT(what_makes_no_sense_is_refused),
    };
    forget_variables();
    return cmocka_run_group_tests(facts, NULL, NULL);
}
