/* Two runs held against each other: what changed is found and counted, what did not is not. */
#include "reports/comparison/comparison.h"
#include "reports/report.h"
#include "src/results/results_load.h"
#include "src/store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <libxml/parser.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- runs by hand: naive and kahan on two specs of 3 trials; the error of a sum is its bits ---- */

enum {
    METHODS = 2,
    TRIALS = 3,
    KERNEL_REPEATS = 2,
    ELEMENTS = 2,
    PLAIN = 0,
    KAHAN = 1
}; /* in the order of the tables */

struct run {
    struct study study;
    struct store *store;
    struct results results;
};

/* What is not as usual. */
struct oddity {
    size_t method;
    uint64_t index; /* of the case */
    uint32_t bits;
    double error;
    const char *exact; /* NULL: as usual */
};

struct recipe {
    const char *methods[METHODS], *data[2];
    uint64_t seed, trials;
    bool kernels;
    uint64_t elements; /* of a product that are kept in a case; 0: it is a sum */
    struct oddity odd; /* its first element */
};

static const struct recipe usual = {.methods = {"naive", "kahan"},
                                    .data = {"uniform:n=8..16*2", NULL},
                                    .seed = 1,
                                    .trials = TRIALS,
                                    .odd = {.method = METHODS}};

static struct measured row_of(const struct recipe *recipe, uint64_t index, size_t method, uint64_t repeat)
{
    const bool odd = recipe->odd.method == method && recipe->odd.index == index;
    const uint32_t bits = odd ? recipe->odd.bits : UINT32_C(0x3f800000) + (uint32_t)index;
    const double error = odd ? recipe->odd.error : 1 + (double)index;
    struct measured row = {.method = method,
                           .weight = 1,
                           .condition = 1,
                           .backend = recipe->kernels,
                           .repeat = repeat,
                           .computed = isnan(error) ? NAN : 1,
                           .computed_bits = bits,
                           .class = isnan(error) ? CLASS_NAN : CLASS_FINITE};
    for (int m = 0; m < METRICS; m++)
        row.metrics[m] = error;
    return row;
}

static void put_case(struct run *run, const struct recipe *recipe, uint64_t index)
{
    const bool odd = recipe->odd.exact && recipe->odd.index == index;
    struct measured rows[METHODS * KERNEL_REPEATS * ELEMENTS];
    struct finished_case finished = {.index = index, .n = 8, .rows = rows};
    for (size_t m = 0; m < run->study.method_count; m++)
        for (uint64_t r = 0; r < (recipe->kernels ? KERNEL_REPEATS : 1); r++)
            for (uint64_t e = 0; e < (recipe->elements ? recipe->elements : 1); e++) {
                struct measured *row = &rows[finished.row_count++];
                *row = row_of(e == 0 ? recipe : &usual, index, m, r);
                row->i = e;
                row->exact = odd ? recipe->odd.exact : e == 0 ? "0x1p+0" : "0x1p+1";
            }
    assert_int_equal(store_put_case(run->store, &finished), OK);
}

static struct run *make(struct recipe recipe)
{
    struct run *run = calloc(1, sizeof *run);
    char *const globs[] = {(char *)recipe.methods[0], (char *)recipe.methods[1]};
    assert_int_equal(study_read(NULL, NULL, &run->study), OK);
    study_clear_data(&run->study);
    for (size_t i = 0; i < 2 && recipe.data[i]; i++)
        assert_int_equal(study_add_data(&run->study, recipe.data[i], recipe.trials, "test", NONFINITE_REFUSE), OK);
    assert_int_equal(study_select_methods(&run->study, globs, recipe.methods[1] ? 2 : 1, "test"), OK);
    run->study.seed = recipe.seed;
    run->study.repeats = recipe.kernels ? KERNEL_REPEATS : 1;
    assert_int_equal(store_open(NULL, STORE_NEW, &run->study, "test", "GPU", &run->store), OK);
    for (uint64_t i = 0; i < study_case_count(&run->study); i++)
        put_case(run, &recipe, i);
    assert_int_equal(results_load(run->store, &run->results), OK);
    return run;
}

static void free_run(struct run *run)
{
    results_free(&run->results);
    assert_int_equal(store_close(run->store), OK);
    study_free(&run->study);
    free(run);
}

/* ---- a comparison of two of them ---- */

struct pair_of_runs {
    struct run *first, *other;
    struct comparison comparison;
};

static struct pair_of_runs compare(struct recipe first, struct recipe other)
{
    struct pair_of_runs pair = {make(first), make(other), {0}};
    assert_int_equal(comparison_make(&pair.first->results, &pair.other->results, &pair.comparison), OK);
    return pair;
}

static void end(struct pair_of_runs *pair)
{
    comparison_free(&pair->comparison);
    free_run(pair->first);
    free_run(pair->other);
}

static void says(const struct comparison *comparison, const char *expected)
{
    char *sentence = comparison_sentence(comparison, "A", "B");
    assert_string_equal(sentence, expected);
    free(sentence);
}

static struct recipe with(size_t method, uint64_t index, uint32_t bits, double error)
{
    struct recipe recipe = usual;
    recipe.odd = (struct oddity){method, index, bits, error, NULL};
    return recipe;
}

/* ---- tests ---- */

static void the_same_run_twice_has_no_change(void **state)
{
    (void)state;
    struct pair_of_runs pair = compare(usual, usual);
    assert_int_equal(pair.comparison.changed_count, 0);
    assert_int_equal(pair.comparison.pair_count, 4);
    assert_int_equal(pair.comparison.by[BECAME_SAME], 4);
    says(&pair.comparison, "B has the bits of A in all 4 series.");
    end(&pair);
}

static void one_other_bit_is_found_and_counted(void **state)
{
    (void)state;
    struct pair_of_runs pair = compare(usual, with(KAHAN, 4, 0x3f800003, 5));
    assert_int_equal(pair.comparison.other_bits, 1);
    assert_int_equal(pair.comparison.changed_count, 1);
    const struct series_pair *changed = &pair.comparison.pairs[pair.comparison.changed[0]];
    assert_string_equal(changed->first->method, "kahan/tree_two_pass");
    assert_string_equal(changed->first->data, "uniform:n=16");
    assert_int_equal(changed->common, TRIALS);
    assert_int_equal(changed->differ, 1);
    assert_int_equal(changed->judged.became, BECAME_SAME);
    says(&pair.comparison, "B differs from A in the bits of 1 of 4 series.");
    end(&pair);
}

static void a_larger_error_is_worse_and_a_smaller_one_better(void **state)
{
    (void)state;
    struct pair_of_runs worse = compare(usual, with(PLAIN, 2, 0x40000000, 6));
    const struct series_pair *changed = &worse.comparison.pairs[worse.comparison.changed[0]];
    assert_int_equal(changed->judged.became, BECAME_WORSE);
    assert_true(changed->judged.factor == 2 && changed->judged.decided == BY_MAX);
    says(&worse.comparison, "B differs from A in the bits of 1 of 4 series; worse in 1, better in 0.");
    end(&worse);
    struct pair_of_runs better = compare(with(PLAIN, 2, 0x40000000, 6), usual);
    assert_int_equal(better.comparison.by[BECAME_BETTER], 1);
    assert_int_equal(better.comparison.by[BECAME_WORSE], 0);
    end(&better);
}

/* Errors 1, 2, 3 become 1, 2.5, 3. */
static void where_the_largest_is_the_same_the_median_decides(void **state)
{
    (void)state;
    struct pair_of_runs pair = compare(usual, with(PLAIN, 1, 0x40000000, 2.5));
    const struct series_pair *changed = &pair.comparison.pairs[pair.comparison.changed[0]];
    assert_int_equal(changed->judged.became, BECAME_WORSE);
    assert_true(changed->judged.decided == BY_P50 && changed->judged.factor == 1.25);
    end(&pair);
}

static void the_worst_comes_first(void **state)
{
    (void)state;
    struct recipe odd = with(PLAIN, 2, 0x40000000, 1.5), nan = with(KAHAN, 0, 0, NAN);
    struct pair_of_runs pair = compare(odd, nan); /* plain: from 2 to 3; kahan: to NaN */
    assert_int_equal(pair.comparison.changed_count, 2);
    assert_string_equal(pair.comparison.pairs[pair.comparison.changed[0]].first->method, "kahan/tree_two_pass");
    end(&pair);
}

static void nan_is_worse_than_every_number(void **state)
{
    (void)state;
    struct pair_of_runs worse = compare(with(PLAIN, 0, 0x7f800000, INFINITY), with(PLAIN, 0, 0x7fc00000, NAN));
    assert_int_equal(worse.comparison.by[BECAME_WORSE], 1);
    end(&worse);
    struct pair_of_runs better = compare(with(PLAIN, 0, 0x7fc00000, NAN), usual);
    assert_int_equal(better.comparison.by[BECAME_BETTER], 1);
    end(&better);
}

static void new_and_missing_methods_are_named_once(void **state)
{
    (void)state;
    struct recipe other = usual;
    other.methods[1] = "double";
    struct pair_of_runs pair = compare(usual, other);
    assert_int_equal(pair.comparison.missing.count, 1);
    assert_string_equal(pair.comparison.missing.list[0].kind, "method");
    assert_string_equal(pair.comparison.missing.list[0].name, "kahan/tree_two_pass");
    assert_int_equal(pair.comparison.missing.list[0].series, 2);
    assert_string_equal(pair.comparison.added.list[0].name, "binary64/tree_two_pass");
    says(&pair.comparison, "B has the bits of A in all 2 series; 2 new, 2 missing.");
    end(&pair);
}

static void new_data_are_no_new_methods(void **state)
{
    (void)state;
    struct recipe other = usual;
    other.data[1] = "normal:n=8";
    struct pair_of_runs pair = compare(usual, other);
    assert_int_equal(pair.comparison.missing.count, 0);
    assert_int_equal(pair.comparison.added.count, 1);
    assert_string_equal(pair.comparison.added.list[0].kind, "data");
    assert_string_equal(pair.comparison.added.list[0].name, "normal:n=8");
    end(&pair);
}

static void runs_without_a_series_in_common_say_so(void **state)
{
    (void)state;
    struct recipe other = usual;
    other.data[0] = "normal:n=8";
    struct pair_of_runs pair = compare(usual, other);
    says(&pair.comparison, "B and A have no series in common; 2 new, 4 missing.");
    end(&pair);
}

static void another_seed_has_no_bits_to_compare(void **state)
{
    (void)state;
    struct recipe other = with(PLAIN, 2, 0x40000000, 6);
    other.seed = 2;
    struct pair_of_runs pair = compare(usual, other);
    assert_int_equal(pair.comparison.with_bits, 0);
    assert_int_equal(pair.comparison.changed_count, 0);
    assert_int_equal(pair.comparison.by[BECAME_NOT_COMPARABLE], 4);
    says(&pair.comparison, "B and A have no sum of the same data in common: seed 1 against 2.");
    end(&pair);
}

/* 3 trials and 5: the three are compared, the errors are not. */
static void more_trials_leave_the_common_ones_to_compare(void **state)
{
    (void)state;
    struct recipe other = with(PLAIN, 0, 0x40000000, 1);
    other.trials = 5;
    other.data[0] = "uniform:n=8";
    struct pair_of_runs pair = compare(usual, other);
    assert_int_equal(pair.comparison.pair_count, 2);
    assert_int_equal(pair.comparison.pairs[0].common, 3);
    assert_int_equal(pair.comparison.pairs[0].differ, 1);
    assert_int_equal(pair.comparison.pairs[1].differ, 0);
    assert_string_equal(pair.comparison.pairs[0].judged.why, "sums 3 against 5");
    assert_int_equal(pair.comparison.pairs[0].judged.became, BECAME_NOT_COMPARABLE);
    end(&pair);
}

static void other_data_of_the_same_spec_are_said(void **state)
{
    (void)state;
    struct recipe other = with(PLAIN, 1, 0x40000000, 9);
    other.odd.exact = "0x1.8p+1";
    struct pair_of_runs pair = compare(usual, other);
    assert_string_equal(pair.comparison.pairs[0].judged.why, "other data of the same spec");
    assert_int_equal(pair.comparison.pairs[0].common, 2);
    assert_int_equal(pair.comparison.pairs[0].differ, 0);
    end(&pair);
}

/* Each kernel is run twice, its replay once. */
static void kernels_stand_beside_replays_where_nothing_else_does(void **state)
{
    (void)state;
    struct recipe kernels = with(KAHAN, 0, 0x40000000, 1);
    kernels.kernels = true;
    struct pair_of_runs pair = compare(kernels, usual);
    assert_int_equal(pair.comparison.pair_count, 4);
    assert_int_equal(pair.comparison.across_backends, 4);
    assert_int_equal(pair.comparison.with_bits, 4);
    assert_int_equal(pair.comparison.other_bits, 1);
    assert_int_equal(pair.comparison.pairs[0].common, TRIALS);
    assert_int_equal(pair.comparison.by[BECAME_NOT_COMPARABLE], 0);
    end(&pair);
    struct pair_of_runs alike = compare(kernels, kernels); /* the twin: two GPUs */
    assert_int_equal(alike.comparison.across_backends, 0);
    assert_int_equal(alike.comparison.pairs[0].common, TRIALS * KERNEL_REPEATS);
    end(&alike);
}

static void an_order_of_arrival_is_held_against_nothing(void **state)
{
    (void)state;
    struct recipe first = with(PLAIN, 0, 0x40000000, 50), other = usual;
    first.methods[0] = other.methods[0] = "plain/tree_atomic";
    first.kernels = other.kernels = true;
    struct pair_of_runs pair = compare(first, other);
    assert_int_equal(pair.comparison.by[BECAME_NOT_COMPARABLE], 2);
    assert_int_equal(pair.comparison.other_bits, 0);
    assert_int_equal(pair.comparison.changed_count, 0);
    end(&pair);
    first.kernels = other.kernels = false; /* the twin: replays have one order */
    pair = compare(first, other);
    assert_int_equal(pair.comparison.other_bits, 1);
    end(&pair);
}

static void only_facts_that_differ_are_listed(void **state)
{
    (void)state;
    static char texts[][8] = {"build", "flags", "-O2", "-O3", "run", "date", "1", "2", "device", "name", "X"};
    struct provenance_fact first_facts[] = {{texts[0], texts[1], texts[2]}, {texts[4], texts[5], texts[6]}},
                           other_facts[] = {{texts[0], texts[1], texts[3]},
                                            {texts[4], texts[5], texts[7]},
                                            {texts[8], texts[9], texts[10]}};
    const struct results first = {.facts = first_facts, .fact_count = 2},
                         other = {.facts = other_facts, .fact_count = 3};
    struct comparison comparison;
    assert_int_equal(comparison_make(&first, &other, &comparison), OK);
    assert_int_equal(comparison.fact_count, 2);
    assert_string_equal(comparison.facts[0].other, "-O3");
    assert_string_equal(comparison.facts[1].first, "");
    assert_string_equal(comparison.facts[1].other, "X");
    comparison_free(&comparison);
}

/* Elements of a case have exact values of their own: those of one place are compared. */
static void elements_of_products_are_held_to_those_in_their_place(void **state)
{
    (void)state;
    struct recipe product = usual, other;
    product.methods[0] = "matmul:plain/naive", product.methods[1] = NULL;
    product.data[0] = "normal:n=8::normal";
    product.elements = ELEMENTS;
    other = product;
    other.odd = (struct oddity){PLAIN, 1, 0x40000000, 6, NULL};
    struct pair_of_runs pair = compare(product, other);
    assert_int_equal(pair.comparison.pairs[0].common, TRIALS * ELEMENTS);
    assert_int_equal(pair.comparison.pairs[0].differ, 1);
    assert_false(pair.comparison.pairs[0].other_data);
    assert_int_equal(pair.comparison.by[BECAME_WORSE], 1);
    end(&pair);
    other.odd.exact = "0x1.8p+0"; /* the twin: of other data */
    pair = compare(product, other);
    assert_true(pair.comparison.pairs[0].other_data);
    assert_int_equal(pair.comparison.by[BECAME_NOT_COMPARABLE], 1);
    end(&pair);
}

/* ---- what is written of it ---- */

static const char NASTY[] = "a<b&\"c\"]]> it's &#0; | 2^{3} \xc3\xbc\xff\x01\n-- `x`";

/* What a format writes of two runs, of which the other has this name. */
static char *written(const char *format, const struct pair_of_runs *pair, const char *name)
{
    const struct results runs[] = {pair->first->results, pair->other->results};
    const char *const names[] = {"first", name};
    const struct report report = {runs, names, 2, {0}, 0};
    char path[] = "/tmp/test_comparison.XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_int_equal(report_find(format)->write(&report, path), OK);
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    assert_true(getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    unlink(path);
    return text;
}

static void every_form_says_the_sentence(void **state)
{
    (void)state;
    static const char *const formats[] = {"table", "html"};
    static const char sentence[] = "B differs from A in the bits of 1 of 4 series; worse in 1, better in 0.";
    struct pair_of_runs pair = compare(usual, with(PLAIN, 2, 0x40000000, 6)), same = compare(usual, usual);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char *text = written(formats[i], &pair, "other"), *other = written(formats[i], &same, "other");
        assert_non_null(strstr(text, sentence));
        assert_non_null(strstr(text, "worse, x 2"));
        assert_null(strstr(other, sentence));
        assert_null(strstr(other, "worse"));
        free(text);
        free(other);
    }
    end(&pair);
    end(&same);
}

static void html_is_well_formed_with_any_name(void **state)
{
    (void)state;
    struct pair_of_runs pair = compare(usual, with(PLAIN, 2, 0x40000000, NAN));
    char *text = written("html", &pair, NASTY);
    xmlDocPtr document = xmlReadMemory(text, (int)strlen(text), "report", NULL,
                                       XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    assert_non_null(document);
    assert_non_null(strstr(text, "id=\"comparison\""));
    assert_non_null(strstr(text, "class=\"bad left\">worse<"));
    xmlFreeDoc(document);
    free(text);
    end(&pair);
}

static void runs_have_letters(void **state)
{
    (void)state;
    char letters[RUN_LETTERS], prefix[RUN_PREFIX];
    static const struct {
        size_t run;
        const char *letters, *prefix;
    } cases[] = {{0, "A", "a-"}, {25, "Z", "z-"}, {26, "AA", "aa-"}, {27, "AB", "ab-"}, {702, "AAA", "aaa-"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_letters(cases[i].run, letters);
        run_prefix(cases[i].run, 1000, prefix);
        assert_string_equal(letters, cases[i].letters);
        assert_string_equal(prefix, cases[i].prefix);
    }
    run_prefix(0, 1, prefix);
    assert_string_equal(prefix, "");
}

static void the_same_runs_give_the_same_bytes(void **state)
{
    (void)state;
    static const char *const formats[] = {"table", "html", "json", "csv", "summary"};
    struct pair_of_runs pair = compare(usual, with(KAHAN, 2, 0x40000000, 6));
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char *once = written(formats[i], &pair, NASTY), *again = written(formats[i], &pair, NASTY),
             *other = written(formats[i], &pair, "other"); /* the twin */
        assert_string_equal(once, again);
        assert_string_not_equal(once, other);
        free(once);
        free(again);
        free(other);
    }
    end(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_run_twice_has_no_change),
        cmocka_unit_test(one_other_bit_is_found_and_counted),
        cmocka_unit_test(a_larger_error_is_worse_and_a_smaller_one_better),
        cmocka_unit_test(where_the_largest_is_the_same_the_median_decides),
        cmocka_unit_test(the_worst_comes_first),
        cmocka_unit_test(nan_is_worse_than_every_number),
        cmocka_unit_test(new_and_missing_methods_are_named_once),
        cmocka_unit_test(new_data_are_no_new_methods),
        cmocka_unit_test(runs_without_a_series_in_common_say_so),
        cmocka_unit_test(another_seed_has_no_bits_to_compare),
        cmocka_unit_test(more_trials_leave_the_common_ones_to_compare),
        cmocka_unit_test(other_data_of_the_same_spec_are_said),
        cmocka_unit_test(kernels_stand_beside_replays_where_nothing_else_does),
        cmocka_unit_test(an_order_of_arrival_is_held_against_nothing),
        cmocka_unit_test(elements_of_products_are_held_to_those_in_their_place),
        cmocka_unit_test(only_facts_that_differ_are_listed),
        cmocka_unit_test(every_form_says_the_sentence),
        cmocka_unit_test(html_is_well_formed_with_any_name),
        cmocka_unit_test(runs_have_letters),
        cmocka_unit_test(the_same_runs_give_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
