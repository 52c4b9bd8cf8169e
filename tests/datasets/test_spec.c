/* Data specs: what they mean, how they are written back, and what is said about those that are none. */
#include "datasets/spec.h"
#include "kernels/method.h"
#include "src/base/suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMPLAINT_MOST = 2048 };

/* ---- reading, and what is said about it ---- */

struct reading {
    struct data_spec *specs;
    size_t count;
};

static struct reading reading_of(const char *text)
{
    struct reading reading;
    assert_int_equal(data_specs_read(text, "--data", NONFINITE_REFUSE, &reading.specs, &reading.count), OK);
    return reading;
}

static void forget(struct reading reading)
{
    data_specs_free(reading.specs, reading.count);
}

/* What reading it prints on stderr; the text must be refused. */
static void complaint_about(const char *text, char complaint[COMPLAINT_MOST])
{
    struct reading reading;
    FILE *file = tmpfile();
    const int standard_error = dup(STDERR_FILENO);
    assert_true(file && standard_error >= 0);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    const enum status status = data_specs_read(text, "--data", NONFINITE_REFUSE, &reading.specs, &reading.count);
    fflush(stderr);
    dup2(standard_error, STDERR_FILENO);
    close(standard_error);
    rewind(file);
    complaint[fread(complaint, 1, COMPLAINT_MOST - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(status, BAD_INPUT);
    assert_null(reading.specs);
    assert_int_equal(reading.count, 0);
}

#define assert_refused(text, ...) assert_refused_with(text, (const char *const[]){__VA_ARGS__, NULL})

static void assert_refused_with(const char *text, const char *const *parts)
{
    char complaint[COMPLAINT_MOST], start[COMPLAINT_MOST];
    complaint_about(text, complaint);
    snprintf(start, sizeof start, "ulpscope: --data: \"%s\": ", text);
    if (strncmp(complaint, start, strlen(start)) != 0)
        fail_msg("%s does not start with %s", complaint, start);
    for (; *parts; parts++)
        if (!strstr(complaint, *parts))
            fail_msg("%s does not contain %s", complaint, *parts);
}

static void assert_not_said(const char *text, const char *part)
{
    char complaint[COMPLAINT_MOST];
    complaint_about(text, complaint);
    if (strstr(complaint, part))
        fail_msg("%s contains %s", complaint, part);
}

static void assert_canonical(const char *text, const char *canonical)
{
    struct reading reading = reading_of(text);
    assert_int_equal(reading.count, 1);
    assert_string_equal(reading.specs->text, canonical);
    struct reading again = reading_of(canonical);
    assert_string_equal(again.specs->text, canonical);
    forget(reading);
    forget(again);
}

/* ---- families ---- */

static void a_family_alone_takes_its_defaults(void **state)
{
    (void)state;
    struct reading reading = reading_of("uniform");
    const struct data_spec *spec = reading.specs;
    assert_int_equal(reading.count, 1);
    assert_ptr_equal(spec->generator, generator_find("uniform"));
    assert_null(spec->path);
    assert_int_equal(spec->n, 4096);
    assert_true(spec->values[0] == 0 && spec->values[1] == 1);
    forget(reading);
}

static void parameters_land_in_declared_order(void **state)
{
    (void)state;
    struct reading reading = reading_of("uniform:high=8,n=1Ki,low=-0.5");
    assert_int_equal(reading.specs->n, 1024);
    assert_true(reading.specs->values[0] == -0.5 && reading.specs->values[1] == 8);
    forget(reading);
}

static void canonical_text_has_n_and_what_was_given_in_declared_order(void **state)
{
    (void)state;
    assert_canonical("uniform", "uniform:n=4096");
    assert_canonical("uniform:high=2,n=8", "uniform:n=8,high=2");
    assert_canonical("uniform:high=2,low=1e-3", "uniform:n=4096,low=0.001,high=2");
    assert_canonical("uniform:high=1", "uniform:n=4096,high=1");
    assert_canonical("const:n=0", "const:n=0");
    assert_canonical("specials:mix=7,n=1M", "specials:n=1000000,mix=7");
}

static void canonical_text_writes_numbers_as_people_do(void **state)
{
    (void)state;
    assert_canonical("gensum:n=1e6,cond=1e30", "gensum:n=1000000,cond=1e30");
    assert_canonical("gensum:cond=123.5", "gensum:n=4096,cond=123.5");
    assert_canonical("const:value=1e-20", "const:n=4096,value=1e-20");
    assert_canonical("const:value=-2.5e+10", "const:n=4096,value=-25e9");
    assert_canonical("const:value=1e-05", "const:n=4096,value=1e-5");
    assert_canonical("const:value=0x1.8p+60", "const:n=4096,value=1.7293822569102705e18");
    assert_canonical("integers:most=16Mi", "integers:n=4096,most=16777216");
}

static void assert_texts(const char *text, const char *const *texts, size_t count)
{
    struct reading reading = reading_of(text);
    assert_int_equal(reading.count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(reading.specs[i].text, texts[i]);
    forget(reading);
}

static void sweeps_make_every_combination_the_last_parameter_fastest(void **state)
{
    (void)state;
    const char *const texts[] = {"gensum:n=8,cond=100",  "gensum:n=8,cond=1e4",  "gensum:n=16,cond=100",
                                 "gensum:n=16,cond=1e4", "gensum:n=32,cond=100", "gensum:n=32,cond=1e4"};
    assert_texts("gensum:n=8..32*2,cond=1e2..1e4*100", texts, 6);
    assert_texts("gensum:cond=1e2..1e4*100,n=8..32*2", texts, 6);
}

static void each_spec_of_a_sweep_has_its_own_values(void **state)
{
    (void)state;
    struct reading reading = reading_of("uniform:n=1..4*4,high=1..4*2");
    assert_int_equal(reading.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(reading.specs[i].n, i < 3 ? 1 : 4);
        assert_true(reading.specs[i].values[0] == 0);
        assert_true(reading.specs[i].values[1] == (double)(1u << i % 3));
    }
    forget(reading);
}

static void whole_parameters_sweep_too(void **state)
{
    (void)state;
    const char *const texts[] = {"specials:n=9,mix=1", "specials:n=9,mix=2", "specials:n=9,mix=4",
                                 "specials:n=9,mix=8"};
    assert_texts("specials:n=9,mix=1..8*2", texts, 4);
}

static void sweeps_that_make_too_many_are_refused(void **state)
{
    (void)state;
    struct reading reading = reading_of("uniform:low=0.1..1e6*1.2,high=1..1e6*1.05");
    forget(reading);
    assert_refused("uniform:low=0.1..1e6*1.02,high=1..1e6*1.02", "more than 100000");
}

/* ---- words, methods and numbers as values ---- */

static const char *const colours[] = {"red", "green", "blue", NULL};
static const char *const usual_method[] = {"kahan/serial", NULL};
static const struct parameter colour = {"colour", WORD, 0, 0, 0, "", colours};
static const struct parameter a_method = {"method", METHOD_ID, 0, 0, 0, "", usual_method};

static double value_of(const struct parameter *parameter, const char *text)
{
    char wrong[WRONG_TEXT];
    double *values;
    size_t count;
    if (!parameter_read(parameter, text, &values, &count, wrong))
        fail_msg("%s=%s %s", parameter->name, text, wrong);
    assert_int_equal(count, 1);
    const double value = *values;
    free(values);
    return value;
}

static void assert_value_refused(const struct parameter *parameter, const char *text, const char *word)
{
    char wrong[WRONG_TEXT];
    double one, *values = &one;
    size_t count;
    assert_false(parameter_read(parameter, text, &values, &count, wrong));
    assert_null(values);
    if (!strstr(wrong, word))
        fail_msg("%s=%s %s: no \"%s\"", parameter->name, text, wrong, word);
}

static void assert_written(const struct parameter *parameter, double value, const char *expected)
{
    char text[PARAMETER_TEXT];
    parameter_write(parameter, value, text);
    assert_string_equal(text, expected);
}

static void word_is_its_place_in_the_list(void **state)
{
    (void)state;
    for (size_t w = 0; colours[w]; w++) {
        assert_true(value_of(&colour, colours[w]) == (double)w);
        assert_written(&colour, (double)w, colours[w]);
    }
    assert_true(parameter_fallback(&colour) == 0);
    assert_canonical("mirror:second=repeated,n=8", "mirror:n=8,second=repeated");
    assert_canonical("mirror:second=reversed,n=8", "mirror:n=8,second=reversed");
    assert_canonical("mirror:n=8", "mirror:n=8");
}

static void other_words_are_refused_with_the_list(void **state)
{
    (void)state;
    assert_value_refused(&colour, "grene", "red, green, blue; did you mean \"green\"?");
    assert_value_refused(&colour, "Red ", "expected one of red, green, blue");
    assert_value_refused(&colour, "0", "take one of these");
    assert_refused("mirror:second=revers", "second=revers is unknown", "reversed, repeated",
                   "did you mean \"reversed\"?");
}

static void method_is_read_by_id_and_alias_and_written_by_id(void **state)
{
    (void)state;
    assert_written(&a_method, value_of(&a_method, "plain/serial"), "plain/serial");
    assert_written(&a_method, value_of(&a_method, "naive"), "plain/serial");
    assert_written(&a_method, parameter_fallback(&a_method), "kahan/serial");
}

static void every_method_that_adds_with_a_replay_is_a_value(void **state)
{
    (void)state;
    size_t count, adding = 0;
    const struct method *const *table = method_table(&count);
    for (size_t m = 0; m < count; m++)
        if (table[m]->role == SUMS && table[m]->replay) {
            assert_written(&a_method, value_of(&a_method, table[m]->id), table[m]->id);
            adding++;
        }
    assert_true(adding > 100);
}

static void methods_without_an_order_of_their_own_are_refused(void **state)
{
    (void)state;
    assert_value_refused(&a_method, "kahn/serial", "did you mean \"kahan/serial\"?");
    assert_value_refused(&a_method, "nothing", "is not a method");
    assert_value_refused(&a_method, "cub/device_reduce", "is a black box");
    assert_value_refused(&a_method, "trace/serial", "measures the tree");
    assert_value_refused(&a_method, "kahan/*", "is not a method");
}

static void assert_reads_back(const struct generator *generator, const struct parameter *p, double value)
{
    char text[PARAMETER_TEXT], spec[PARAMETER_TEXT + 128];
    parameter_write(p, value, text);
    if (!(value_of(p, text) == value))
        fail_msg("%s: %s=%s reads as another value", generator->id, p->name, text);
    snprintf(spec, sizeof spec, "%s:n=%llu,%s=%s", generator->id, (unsigned long long)(generator->least_n + 2), p->name,
             text);
    assert_canonical(spec, spec);
}

/* At its fallback and at both ends of its range, for every word. */
static void every_parameter_of_every_family_reads_back(void **state)
{
    (void)state;
    size_t count, parameters = 0;
    const struct generator *const *table = generator_table(&count);
    for (size_t g = 0; g < count; g++)
        for (const struct parameter *p = table[g]->parameters; p->name; p++, parameters++) {
            assert_reads_back(table[g], p, parameter_fallback(p));
            for (size_t w = 0; p->kind == WORD && p->words[w]; w++)
                assert_reads_back(table[g], p, (double)w);
            if (p->kind == WORD || p->kind == METHOD_ID)
                continue;
            assert_reads_back(table[g], p, p->least);
            assert_reads_back(table[g], p, p->most);
        }
    assert_true(parameters >= 9);
}

static void same_spec(const struct data_spec *a, const struct data_spec *b)
{
    assert_ptr_equal(a->generator, b->generator);
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->values, b->values, sizeof a->values);
    assert_int_equal(a->ordering.kind, b->ordering.kind);
    assert_int_equal(a->ordering.seed, b->ordering.seed);
}

static void canonical_text_of_every_showcase_is_the_same_spec(void **state)
{
    (void)state;
    size_t count;
    const struct generator *const *table = generator_table(&count);
    for (size_t g = 0; g < count; g++)
        for (const char *const *showcase = table[g]->showcase; *showcase; showcase++) {
            struct reading reading = reading_of(*showcase);
            for (size_t k = 0; k < reading.count; k++) {
                struct reading again = reading_of(reading.specs[k].text);
                assert_int_equal(again.count, 1);
                assert_string_equal(again.specs->text, reading.specs[k].text);
                same_spec(again.specs, &reading.specs[k]);
                forget(again);
            }
            forget(reading);
        }
}

static void numbers_of_many_digits_are_brief_for_people(void **state)
{
    (void)state;
    const struct parameter real = {"x", REAL, 0, -1, 1, "", NULL};
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0x1p127, "2^127"}, {-0x1p60, "-2^60"},       {0x1p-149, "2^-149"},
                 {0x1p20, "2^20"},   {4096, "4096"},           {0.25, "0.25"},
                 {0, "0"},           {1e80, "1e80"},           {0.1, "0.1"},
                 {100, "100"},       {0x1.fffffep+127, "MAX"}, {-0x1.fffffep+127, "-MAX"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[PARAMETER_TEXT];
        parameter_write_briefly(&real, cases[k].value, text);
        assert_string_equal(text, cases[k].text);
    }
}

static void lists_too_long_for_a_line_are_cut_and_still_suggest(void **state)
{
    (void)state;
    enum { WORDS = 200 };
    static char words[WORDS][16];
    const char *known[WORDS];
    char text[WRONG_TEXT];
    for (size_t w = 0; w < WORDS; w++) {
        snprintf(words[w], sizeof words[w], "word_no_%zu_%c", w, (char)('a' + w % 26));
        known[w] = words[w];
    }
    parameter_list_words("word_no_199", known, WORDS, text);
    assert_non_null(strstr(text, "word_no_0_a, word_no_1_b, "));
    assert_non_null(strstr(text, ", ...; did you mean \"word_no_199_"));
    parameter_list_words("nothing", known, WORDS, text);
    assert_non_null(strstr(text, ", ...; take one of these"));
    parameter_list_words("nothing", known, 3, text); /* the twin */
    assert_string_equal(text, "word_no_0_a, word_no_1_b, word_no_2_c; take one of these");
}

/* ---- order= ---- */

static void order_of_a_family_stands_last_unless_it_is_given(void **state)
{
    (void)state;
    assert_canonical("uniform:order=ascending,n=8", "uniform:n=8,order=ascending");
    assert_canonical("gensum:n=8,order=shuffled:1M,cond=100", "gensum:n=8,cond=100,order=shuffled:1000000");
    assert_canonical("uniform:n=8,order=given", "uniform:n=8");
}

static void order_of_a_file_stands_last_unless_it_is_given(void **state)
{
    (void)state;
    assert_canonical("x.npy:order=reversed", "x.npy:order=reversed");
    assert_canonical("x.csv:order=shuffled:7,column=2", "x.csv:column=2,order=shuffled:7");
    assert_canonical("x.raw:order=psum,skip=16", "x.raw:skip=16,order=psum");
    assert_canonical("a:b.npy:order=magnitude", "a:b.npy:order=magnitude");
    assert_canonical("x.npy:order=given", "x.npy");
}

static void every_spec_of_a_sweep_has_the_order(void **state)
{
    (void)state;
    const char *const texts[] = {"uniform:n=4,order=psum", "uniform:n=8,order=psum"};
    assert_texts("uniform:order=psum,n=4..8*2", texts, 2);
    struct reading reading = reading_of("uniform:order=psum,n=4..8*2");
    assert_true(reading.specs[0].ordering.kind == PSUM && reading.specs[1].ordering.kind == PSUM);
    forget(reading);
}

static void orders_that_are_none_are_refused_with_the_list(void **state)
{
    (void)state;
    assert_refused("uniform:order=sorted", "order=sorted is unknown", "given, reversed, ascending, descending");
    assert_refused("x.npy:order=sorted", "order=sorted is unknown", "shuffled:SEED");
    assert_refused("uniform:order=shuffled", "order=shuffled is unknown");
    assert_refused("uniform:order=shuffled:", "has no seed");
    assert_refused("uniform:order=shuffled:-1", "has no seed");
    assert_refused("uniform:order=psum,order=psum", "order is given twice");
    assert_refused("x.npy:order=psum,order=given", "order is given twice");
    assert_refused("uniform:ordre=psum", "did you mean \"order\"?");
}

static void formula_in_another_order_is_none(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool formula;
    } cases[] = {{"uniform", true},
                 {"uniform:order=given", true},
                 {"uniform:order=reversed", false},
                 {"gensum", false},
                 {"x.npy", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct reading reading = reading_of(cases[k].text);
        assert_int_equal(data_spec_is_formula(reading.specs, 1), cases[k].formula);
        forget(reading);
    }
}

/* ---- every row of the table is a family that makes numbers ---- */

static void every_family_that_is_listed_makes_numbers(void **state)
{
    size_t count;
    const struct generator *const *generators = generator_table(&count);
    (void)state;
    assert_true(count >= 47);
    for (size_t g = 0; g < count; g++) {
        assert_true(generators[g]->elements || generators[g]->build);
        assert_ptr_equal(generator_find(generators[g]->id), generators[g]);
    }
    assert_refused("tcc:n=4", "expected a family of data or a file"); /* the twin */
}

/* ---- what is refused ---- */

static void unknown_parameters_are_refused_with_the_known_ones(void **state)
{
    (void)state;
    assert_refused("uniform:lo=1", "\"lo\" is not a parameter", "uniform takes n, low, high", "did you mean \"low\"?");
    assert_refused("uniform:condition=1", "n, low, high", "take one of these");
    assert_refused("gensum:conf=1e8", "gensum takes n, cond", "did you mean \"cond\"?");
}

static void unknown_families_are_refused_with_the_known_ones(void **state)
{
    (void)state;
    assert_refused("unifrom", "expected a family of data or a file", "found \"unifrom\"", "`ulpscope list generators`",
                   "did you mean \"uniform\"?");
    assert_refused("gen_sum:n=4,cond=1e8", "\"gen_sum\"", "did you mean \"gensum\"?");
    assert_refused("swmap:n=4", "did you mean \"swamp\"?");
    assert_refused("zzzzzz", "found \"zzzzzz\"; see `ulpscope list generators`");
    assert_refused("", "found \"\"; see");
    assert_refused(":n=4", "expected a family of data or a file");
}

static void standard_input_is_refused_by_name(void **state)
{
    (void)state;
    assert_refused("-", "\"-\": numbers on the standard input", "`ulpscope exact -` alone", "save the numbers");
    assert_refused("-:skip=0", "\"-:skip=0\": numbers on the standard input", "`ulpscope exact -` alone");
    assert_refused("--", "found \"--\"; see"); /* the twin */
}

static void a_parameter_given_twice_is_refused(void **state)
{
    (void)state;
    assert_refused("uniform:n=4,n=4", "n is given twice", "n=1..100*10");
    assert_refused("uniform:low=0,high=2,low=0", "low is given twice", "or write a sweep: low=1..100*10");
    assert_refused("mirror:second=reversed,second=repeated", "remove one");
    assert_refused("lca:method=naive,method=tree,order=psum", "method is given twice; expected once; remove one");
    assert_not_said("mirror:second=reversed,second=repeated", "sweep");
    assert_not_said("x.npy:order=psum,order=given", "sweep");
}

static void items_without_a_value_are_refused(void **state)
{
    (void)state;
    const char *const texts[] = {"uniform:",     "uniform:n",    "uniform:n=",  "uniform:=4",
                                 "uniform:n=4,", "uniform:,n=4", "uniform:4096"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_refused(texts[i], "has no value", "key=value");
}

static void values_out_of_range_are_refused_with_the_bounds(void **state)
{
    (void)state;
    assert_refused("gensum:n=1", "n=1 is out of range", "n from 2 to 1099511627776");
    assert_refused("uniform:n=2Ti", "n=2Ti is out of range");
    assert_refused("gensum:cond=0.5", "cond=0.5 is out of range", "from 1 to 1e+83");
    assert_refused("specials:mix=12", "mix=12", "from 0 to 11");
    assert_refused("integers:most=1Mi..1Gi*1024", "out of range at 1073741824", "from 1 to 16777216");
    struct reading bounds = reading_of("gensum:n=2,cond=1");
    forget(bounds);
}

static void values_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    assert_refused("uniform:n=abc", "n=abc is not a number", "a size");
    assert_refused("uniform:n=-1", "n=-1 is negative");
    assert_refused("uniform:n=1.5", "n=1.5 is not a whole number");
    assert_refused("integers:most=2.5", "most=2.5 is not a whole number");
    assert_refused("uniform:low=x", "low=x is not a number", "a number");
    assert_refused("uniform:low=nan", "is not a number");
    assert_refused("uniform:high=1..8", "without a step");
    assert_refused("uniform:n=99999999999999999999", "is above 18446744073709551615");
}

/* ---- files ---- */

static void assert_file(const char *text, const char *path, const char *column, uint64_t skip)
{
    struct reading reading = reading_of(text);
    const struct data_spec *spec = reading.specs;
    assert_int_equal(reading.count, 1);
    assert_null(spec->generator);
    assert_string_equal(spec->path, path);
    assert_int_equal(spec->options.skip, skip);
    if (column)
        assert_string_equal(spec->options.column, column);
    else
        assert_null(spec->options.column);
    forget(reading);
}

static void anything_else_is_a_file(void **state)
{
    (void)state;
    assert_file("gradients.npy", "gradients.npy", NULL, 0);
    assert_file("./uniform", "./uniform", NULL, 0);
    assert_file("data/a:b.csv", "data/a:b.csv", NULL, 0);
    assert_file("uniform.f32", "uniform.f32", NULL, 0);
}

static void a_file_takes_options_after_its_last_colon(void **state)
{
    (void)state;
    assert_file("co2.csv:column=2", "co2.csv", "2", 0);
    assert_file("data/a:b.csv:column=mean", "data/a:b.csv", "mean", 0);
    assert_file("values.raw:skip=1Ki", "values.raw", NULL, 1024);
    assert_file("x.csv:skip=3,column=a=b", "x.csv", "a=b", 3);
}

static void a_file_has_a_canonical_text_too(void **state)
{
    (void)state;
    assert_canonical("a:b.npy", "a:b.npy");
    assert_canonical("x.csv:column=2", "x.csv:column=2");
    assert_file("x.csv:column=\"co2, ppm\",skip=3", "x.csv", "co2, ppm", 3);
    assert_file("x.csv:column=\"a \"\"b\"\"\"", "x.csv", "a \"b\"", 0);
    assert_canonical("x.csv:delimiter=;,column=\"a \"\"b\"\", c\"", "x.csv:column=\"a \"\"b\"\", c\",delimiter=;");
    assert_canonical("x.csv:column=\"c\"", "x.csv:column=c");
    assert_canonical("x.csv:delimiter=tab", "x.csv:delimiter=tab");
    assert_canonical("x.csv:delimiter=\",\"", "x.csv:delimiter=\",\"");
    assert_canonical("x.raw:skip=1K", "x.raw:skip=1000");
    assert_canonical("x.csv:skip=3,column=a", "x.csv:column=a,skip=3");
    assert_canonical("x.raw:skip=0", "x.raw");
    assert_canonical("x.txt:delimiter=blank,thousands=point,decimal=\",\"",
                     "x.txt:delimiter=blank,decimal=comma,thousands=point");
    assert_canonical("x.npy:axis=0", "x.npy:axis=0");
    assert_canonical("x.safetensors:w,axis=-1", "x.safetensors:w,axis=-1");
    assert_canonical("x.safetensors:axis=-1,array=w", "x.safetensors:w,axis=-1");
    assert_canonical("x.safetensors:\"a=1\"", "x.safetensors:\"a=1\"");
    assert_canonical("d/a:x.safetensors:layer.0:w", "d/a:x.safetensors:layer.0:w");
    assert_canonical("\"x.safetensors:w\"", "\"x.safetensors:w\""); /* the name of a file */
}

static void the_name_of_any_file_can_be_written(void **state)
{
    (void)state;
    assert_file("\"a:b=c.raw\":skip=1", "a:b=c.raw", NULL, 1);
    assert_canonical("\"a:b=c.raw\":skip=0", "\"a:b=c.raw\"");
    assert_canonical("\"a.raw\"", "a.raw"); /* the twin: quotes that are not needed */
    assert_canonical("a:b.raw:skip=1", "a:b.raw:skip=1");
    assert_file("\"uniform\"", "uniform", NULL, 0); /* which would be a family */
    assert_canonical("\"uniform\"", "\"uniform\"");
    assert_canonical("\"noname\"", "\"noname\"");
    assert_file("\"a\\xff\\n\\\\\\u202e\"\".raw\"", "a\xff\n\\\xe2\x80\xae\".raw", NULL, 0);
    assert_canonical("a\xff\n.raw", "\"a\\xff\\n.raw\"");
    assert_canonical("a\\n.raw", "a\\n.raw"); /* a backslash that nobody takes for more */
    assert_file("\"a\\q\\x0g.raw\"", "a\\q\\x0g.raw", NULL, 0);
    assert_canonical("=1+1.raw", "./=1+1.raw");
    assert_canonical("-x.raw:skip=1", "./-x.raw:skip=1");
    assert_canonical("x.csv:column=a\tb", "x.csv:column=\"a\\tb\"");
    assert_refused("\"a.raw", "close them");
    assert_refused("\"a.raw\"x", "close them");
    assert_refused("\"\"", "close them");
}

static void file_options_are_checked(void **state)
{
    (void)state;
    assert_refused("x.csv:colum=2", "a data file takes array, axis, column, delimiter, decimal, thousands, skip",
                   "did you mean \"column\"?");
    assert_refused("x.csv:n=2", "\"n\" is not a parameter");
    assert_refused("x.csv:column=2,column=2", "column is given twice");
    assert_refused("x.raw:skip=0,skip=0", "skip is given twice");
    assert_refused("x.raw:skip=many", "skip=many is not a number", "a number of bytes");
    assert_refused("x.csv:column=", "has no value");
    assert_refused("x.csv:column=\"\"", "has no value");
    assert_refused("x.csv:column=\"a, b", "close them");
    assert_refused("x.csv:column=\"a\"b", "close them");
    assert_refused("x.csv:delimiter=;;", "delimiter=;; is none");
    assert_refused("x.csv:delimiter=.", "delimiter=. is none");
    assert_refused("x.csv:delimiter=;,delimiter=;", "delimiter is given twice");
    assert_refused("x.csv:decimal=;", "decimal=; is none", "comma or point");
    assert_refused("x.csv:thousands=x", "thousands=x is none", "apostrophe");
    assert_refused("x.csv:thousands=point", "thousands=point, and the decimals stand behind a point, too",
                   "decimal=comma");
    assert_refused("x.npy:axis=x", "axis=x is none", "all");
    assert_refused("x.npy:axis=0,axis=0", "axis is given twice");
    assert_refused("x.safetensors:", "the name of an array");
    assert_refused("x.safetensors:\"w", "the name of an array");
    assert_refused("x.npy:w=1", "\"w\" is not a parameter");
}

static void what_to_do_with_nan_is_passed_on(void **state)
{
    (void)state;
    struct data_spec *specs;
    size_t count;
    assert_int_equal(data_specs_read("x.npy", "--data", NONFINITE_SKIP, &specs, &count), OK);
    assert_int_equal(specs->options.nonfinite, NONFINITE_SKIP);
    data_specs_free(specs, count);
}

static void only_random_families_have_different_trials(void **state)
{
    (void)state;
    const char *const texts[] = {"uniform", "gensum", "const", "swamp", "x.npy"};
    for (size_t i = 0; i < 5; i++) {
        struct reading reading = reading_of(texts[i]);
        assert_int_equal(data_spec_is_random(reading.specs), i < 2);
        forget(reading);
    }
}

/* ---- did you mean ---- */

static const char *suggestion(const char *word)
{
    static const char *const known[] = {"plain", "kahan", "neumaier", "binary64", "kahan/tree_two_pass"};
    return suggest(word, known, sizeof known / sizeof *known);
}

static void suggest_forgives_a_typing_error(void **state)
{
    (void)state;
    assert_string_equal(suggestion("kahan"), "kahan");
    assert_string_equal(suggestion("kahn"), "kahan");
    assert_string_equal(suggestion("khaan"), "kahan");
    assert_string_equal(suggestion("kahann"), "kahan");
    assert_string_equal(suggestion("kagan"), "kahan");
    assert_string_equal(suggestion("KAHAN"), "kahan");
    assert_string_equal(suggestion("neumair"), "neumaier");
    assert_string_equal(suggest("dc", (const char *const[]){"cd"}, 1), "cd");
    assert_string_equal(suggestion("kahan/treetwopass"), "kahan/tree_two_pass");
}

static void suggest_ends_a_word_that_is_begun(void **state)
{
    (void)state;
    const char *const commands[] = {"gen", "bench", "benches", "list"};
    assert_string_equal(suggest("ben", commands, 4), "bench"); /* though gen is one letter away */
    assert_string_equal(suggest("BENCHE", commands, 4), "benches");
    assert_string_equal(suggest("BENCH", commands + 1, 2), "bench");
    assert_string_equal(suggest("benches", commands, 4), "benches");
    assert_string_equal(suggest("bem", commands, 4), "gen"); /* its twin: no begin of anything */
    assert_null(suggest("be", commands + 1, 1));
}

static void suggest_does_not_guess(void **state)
{
    (void)state;
    assert_null(suggestion("cub"));
    assert_null(suggestion(""));
    assert_null(suggestion("pairwise"));
    assert_null(suggest("kahan", NULL, 0));
    assert_null(suggestion("kahankahankahankahankahankahankahankahankahankahankahankahankahan"));
}

static void suggest_takes_the_first_of_equals(void **state)
{
    (void)state;
    const char *const known[] = {"sat", "bat", "cat"};
    assert_string_equal(suggest("mat", known, 3), "sat");
    assert_string_equal(suggest("bat", known, 3), "bat");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_name_of_any_file_can_be_written),
        cmocka_unit_test(a_family_alone_takes_its_defaults),
        cmocka_unit_test(parameters_land_in_declared_order),
        cmocka_unit_test(canonical_text_has_n_and_what_was_given_in_declared_order),
        cmocka_unit_test(canonical_text_writes_numbers_as_people_do),
        cmocka_unit_test(sweeps_make_every_combination_the_last_parameter_fastest),
        cmocka_unit_test(each_spec_of_a_sweep_has_its_own_values),
        cmocka_unit_test(whole_parameters_sweep_too),
        cmocka_unit_test(sweeps_that_make_too_many_are_refused),
        cmocka_unit_test(word_is_its_place_in_the_list),
        cmocka_unit_test(other_words_are_refused_with_the_list),
        cmocka_unit_test(method_is_read_by_id_and_alias_and_written_by_id),
        cmocka_unit_test(every_method_that_adds_with_a_replay_is_a_value),
        cmocka_unit_test(methods_without_an_order_of_their_own_are_refused),
        cmocka_unit_test(every_parameter_of_every_family_reads_back),
        cmocka_unit_test(canonical_text_of_every_showcase_is_the_same_spec),
        cmocka_unit_test(numbers_of_many_digits_are_brief_for_people),
        cmocka_unit_test(lists_too_long_for_a_line_are_cut_and_still_suggest),
        cmocka_unit_test(order_of_a_family_stands_last_unless_it_is_given),
        cmocka_unit_test(order_of_a_file_stands_last_unless_it_is_given),
        cmocka_unit_test(every_spec_of_a_sweep_has_the_order),
        cmocka_unit_test(orders_that_are_none_are_refused_with_the_list),
        cmocka_unit_test(formula_in_another_order_is_none),
        cmocka_unit_test(every_family_that_is_listed_makes_numbers),
        cmocka_unit_test(unknown_parameters_are_refused_with_the_known_ones),
        cmocka_unit_test(unknown_families_are_refused_with_the_known_ones),
        cmocka_unit_test(standard_input_is_refused_by_name),
        cmocka_unit_test(a_parameter_given_twice_is_refused),
        cmocka_unit_test(items_without_a_value_are_refused),
        cmocka_unit_test(values_out_of_range_are_refused_with_the_bounds),
        cmocka_unit_test(values_that_are_no_numbers_are_refused),
        cmocka_unit_test(anything_else_is_a_file),
        cmocka_unit_test(a_file_takes_options_after_its_last_colon),
        cmocka_unit_test(a_file_has_a_canonical_text_too),
        cmocka_unit_test(file_options_are_checked),
        cmocka_unit_test(what_to_do_with_nan_is_passed_on),
        cmocka_unit_test(only_random_families_have_different_trials),
        cmocka_unit_test(suggest_forgives_a_typing_error),
        cmocka_unit_test(suggest_ends_a_word_that_is_begun),
        cmocka_unit_test(suggest_does_not_guess),
        cmocka_unit_test(suggest_takes_the_first_of_equals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
