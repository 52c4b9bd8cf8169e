/* What became of a series: every class, and beside each the twin that is in another one. */
#include "src/results/became.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

/* Sums of the same numbers: their bits, how many are wrongly no number, and the largest error, p99 and p50. */
#define SUMS(bits, nonfinite, max, p99, p50)                                                                           \
    {                                                                                                                  \
        1, 8, 4, "", false, 1, bits, nonfinite, max, p99, p50, &FORMAT_BINARY32, OPERATION_sum                         \
    }

/* The same errors with other bits, of: seed, n, number of sums, data file, whether unordered, results of one data set.
 */
#define STUDY(...)                                                                                                     \
    {                                                                                                                  \
        __VA_ARGS__, "b", 0, 4, 2, 1, &FORMAT_BINARY32, OPERATION_sum                                                  \
    }

struct fact {
    const char *name;
    struct held then, now;
    enum became became;
    enum decider decided;
    double factor;
    const char *why;
};

static const struct held usual = SUMS("a", 0, 4, 2, 1);

#define FILE_ONE "1111111111111111111111111111111111111111111111111111111111111111"
#define FILE_TWO "2222222222222222222222222222222222222222222222222222222222222222"

static const struct fact facts[] = {
    {"same_bits", SUMS("a", 0, 4, 2, 1), SUMS("a", 0, 4, 2, 1), BECAME_SAME, BY_NOTHING, 1, ""},
    {"same_bits_whatever_the_errors", SUMS("a", 0, 4, 2, 1), SUMS("a", 0, 8, 2, 1), BECAME_SAME, BY_NOTHING, 2, ""},
    {"other_bits_same_errors", SUMS("a", 0, 4, 2, 1), SUMS("b", 0, 4, 2, 1), BECAME_SAME, BY_NOTHING, 1, ""},
    {"larger_max", SUMS("a", 0, 4, 2, 1), SUMS("b", 0, 8, 2, 1), BECAME_WORSE, BY_MAX, 2, ""},
    {"smaller_max", SUMS("a", 0, 8, 2, 1), SUMS("b", 0, 4, 2, 1), BECAME_BETTER, BY_MAX, 0.5, ""},
    {"larger_max_smaller_rest", SUMS("a", 0, 4, 2, 1), SUMS("b", 0, 4.5, 0, 0), BECAME_WORSE, BY_MAX, 1.125, ""},
    {"larger_p99", SUMS("a", 0, 4, 2, 1), SUMS("b", 0, 4, 3, 1), BECAME_WORSE, BY_P99, 1.5, ""},
    {"smaller_p99_larger_p50", SUMS("a", 0, 4, 2, 1), SUMS("b", 0, 4, 1, 4), BECAME_BETTER, BY_P99, 0.5, ""},
    {"larger_p50", SUMS("a", 0, 4, 2, 1), SUMS("b", 0, 4, 2, 1.5), BECAME_WORSE, BY_P50, 1.5, ""},
    {"smaller_p50", SUMS("a", 0, 4, 2, 1), SUMS("b", 0, 4, 2, 0.5), BECAME_BETTER, BY_P50, 0.5, ""},
    {"more_nonfinite_smaller_max", SUMS("a", 0, 4, 2, 1), SUMS("b", 1, 1, 1, 1), BECAME_WORSE, BY_NONFINITE, INFINITY,
     ""},
    {"fewer_nonfinite_larger_max", SUMS("a", 2, 4, 2, 1), SUMS("b", 1, 9, 9, 9), BECAME_BETTER, BY_NONFINITE, 0.5, ""},
    {"nan_after_a_number", SUMS("a", 0, 4, 2, 1), SUMS("b", 0, NAN, 2, 1), BECAME_WORSE, BY_MAX, NAN, ""},
    {"nan_after_infinity", SUMS("a", 0, INFINITY, 2, 1), SUMS("b", 0, NAN, 2, 1), BECAME_WORSE, BY_MAX, NAN, ""},
    {"infinity_after_nan", SUMS("a", 0, NAN, 2, 1), SUMS("b", 0, INFINITY, 2, 1), BECAME_BETTER, BY_MAX, NAN, ""},
    {"nan_in_both_and_a_larger_p99", SUMS("a", 0, NAN, 2, 1), SUMS("b", 0, NAN, 3, 1), BECAME_WORSE, BY_P99, 1.5, ""},
    {"nan_alone_in_both", SUMS("a", 0, NAN, NAN, NAN), SUMS("b", 0, NAN, NAN, NAN), BECAME_SAME, BY_NOTHING, 1, ""},
    {"an_error_after_none", SUMS("a", 0, 0, 0, 0), SUMS("b", 0, 0.5, 0, 0), BECAME_WORSE, BY_MAX, INFINITY, ""},
    {"several_results_after_one", STUDY(1, 8, 4, "", false, 1), STUDY(1, 8, 4, "", false, 3), BECAME_WORSE, BY_RESULTS,
     3, ""},
    {"several_results_before", STUDY(1, 8, 4, "", false, 2), STUDY(1, 8, 4, "", false, 2), BECAME_NOT_COMPARABLE,
     BY_NOTHING, 1, "its bits change from run to run"},
    {"unordered_then", STUDY(1, 8, 4, "", true, 1), STUDY(1, 8, 4, "", false, 1), BECAME_NOT_COMPARABLE, BY_NOTHING, 1,
     "its bits change from run to run"},
    {"unordered_now_with_several_results", STUDY(1, 8, 4, "", false, 1), STUDY(1, 8, 4, "", true, 3),
     BECAME_NOT_COMPARABLE, BY_NOTHING, 1, "its bits change from run to run"},
    {"another_seed", STUDY(1, 8, 4, "", false, 1), STUDY(2, 8, 4, "", false, 1), BECAME_NOT_COMPARABLE, BY_NOTHING, 1,
     "seed 1 against 2"},
    {"another_n", STUDY(1, 8, 4, "", false, 1), STUDY(1, 9, 4, "", false, 1), BECAME_NOT_COMPARABLE, BY_NOTHING, 1,
     "n 8 against 9"},
    {"another_number_of_sums", STUDY(1, 8, 4, "", false, 1), STUDY(1, 8, 5, "", false, 1), BECAME_NOT_COMPARABLE,
     BY_NOTHING, 1, "sums 4 against 5"},
    {"another_file", STUDY(1, 8, 4, FILE_ONE, false, 1), STUDY(1, 8, 4, FILE_TWO, false, 1), BECAME_NOT_COMPARABLE,
     BY_NOTHING, 1, "SHA-256 of the data file 11111111 against 22222222"},
    {"a_file_after_none", STUDY(1, 8, 4, "", false, 1), STUDY(1, 8, 4, FILE_TWO, false, 1), BECAME_NOT_COMPARABLE,
     BY_NOTHING, 1, "SHA-256 of the data file none against 22222222"},
    {"the_same_file", STUDY(1, 8, 4, FILE_ONE, false, 1), STUDY(1, 8, 4, FILE_ONE, false, 1), BECAME_SAME, BY_NOTHING,
     1, ""},
};

static void judged_as_told(void **state)
{
    const struct fact *fact = *state;
    const struct judgement judged = became_judge(&fact->then, &fact->now);
    assert_string_equal(became_words[judged.became], became_words[fact->became]);
    assert_string_equal(decider_words[judged.decided], decider_words[fact->decided]);
    assert_true(isnan(fact->factor) ? isnan(judged.factor) : judged.factor == fact->factor);
    assert_string_equal(judged.why, fact->why);
}

/* Better one way is worse the other; what is the same, or not comparable, is so both ways. */
static void the_other_way_round_is_the_opposite(void **state)
{
    static const enum became opposites[] = {[BECAME_SAME] = BECAME_SAME,
                                            [BECAME_BETTER] = BECAME_WORSE,
                                            [BECAME_WORSE] = BECAME_BETTER,
                                            [BECAME_NOT_COMPARABLE] = BECAME_NOT_COMPARABLE};
    (void)state;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (facts[i].decided != BY_RESULTS)
            assert_int_equal(became_judge(&facts[i].now, &facts[i].then).became, opposites[facts[i].became]);
}

static void the_values_are_those_of_what_decided(void **state)
{
    (void)state;
    const struct held worse = SUMS("b", 0, 4, 3, 9), same = SUMS("b", 0, 4, 2, 1);
    assert_true(became_judge(&usual, &worse).then == 2 && became_judge(&usual, &worse).now == 3);
    assert_true(became_judge(&usual, &same).then == 4 && became_judge(&usual, &same).now == 4);
}

/* ---- of a run ---- */

static void a_series_of_a_run_is_held_with_all_that_is_judged(void **state)
{
    (void)state;
    char path[] = "data", name[] = "x.csv", value[] = "sha256 " FILE_ONE;
    struct provenance_fact fact = {path, name, value};
    struct method_record method = {.id = "m", .determinism = ORDER_OF_ARRIVAL};
    struct results results = {
        .study = {.seed = 7, .methods = &method, .method_count = 1}, .facts = &fact, .fact_count = 1};
    struct series series = {.method = "m",
                            .format = &FORMAT_BINARY32,
                            .data = "x.csv:column=2",
                            .backend = BACKEND_OF(replay),
                            .n = 3,
                            .count = 5};
    series.distinct_bits = 2;
    series.classes[CLASS_NAN] = 3;
    series.right_nonfinite = 1;
    series.statistics[METRIC_ulp_error] = (struct statistics){.p50 = 1, .p99 = 2, .max = 4};
    const struct held held = held_of(&results, &series);
    assert_true(held.seed == 7 && held.n == 3 && held.sums == 5 && held.results == 2 && held.nonfinite == 2);
    assert_true(held.p50 == 1 && held.p99 == 2 && held.max == 4 && !held.is_unordered);
    assert_string_equal(held.file, FILE_ONE);
    assert_ptr_equal(held.bits, series.bits_hash);
    series.backend = BACKEND_OF(cuda); /* the twins */
    series.data = "x.csv.npy";
    assert_true(held_of(&results, &series).is_unordered);
    assert_string_equal(held_of(&results, &series).file, "");
}

enum { FACTS = sizeof facts / sizeof *facts };

static void sums_of_other_formats_are_not_comparable(void **state)
{
    (void)state;
    struct held other = usual;
    char why[REASON_SIZE];
    other.format = &FORMAT_BINARY16;
    assert_false(became_same_sums(&usual, &other, why));
    assert_string_equal(why, "binary32 against binary16");
    assert_true(became_same_sums(&usual, &usual, why)); /* the twin */
}

int main(void)
{
    struct CMUnitTest tests[FACTS + 4] = {
        cmocka_unit_test(sums_of_other_formats_are_not_comparable),
        cmocka_unit_test(the_other_way_round_is_the_opposite),
        cmocka_unit_test(the_values_are_those_of_what_decided),
        cmocka_unit_test(a_series_of_a_run_is_held_with_all_that_is_judged),
    };
    for (size_t i = 0; i < FACTS; i++)
        tests[4 + i] = (struct CMUnitTest){
            .name = facts[i].name, .test_func = judged_as_told, .initial_state = (void *)(uintptr_t)&facts[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
