/* Two vectors, for dot products: how A::B is read and refused, and that pairs stay pairs. */
#define PROGRAM "" /* no line is run here */
#include "tests/support/program.h"

#include "datasets/dataset.h"
#include "datasets/files/file.h"
#include "src/base/clean_text.h"
#include "tests/support/heard.h"

#include <math.h>

/* ---- specs ---- */

/* Of one data set. */
static struct data_spec *spec_of(const char *text, enum nonfinite nonfinite)
{
    struct data_spec *specs;
    size_t count;
    assert_int_equal(data_specs_read(text, "--data", nonfinite, &specs, &count), OK);
    assert_int_equal(count, 1);
    assert_int_equal(specs->kind, ONE_VECTOR);
    return specs;
}

static struct data_spec *pair_of(const char *text, enum nonfinite nonfinite)
{
    struct data_spec *spec = spec_of(text, nonfinite);
    assert_int_equal(data_spec_set_kind(spec, TWO_VECTORS, "--data"), OK);
    assert_int_equal(spec->kind, TWO_VECTORS);
    return spec;
}

static void assert_said(struct heard *heard, const char *part)
{
    heard_all(heard);
    if (!strstr(heard->text, part))
        fail_msg("%s does not contain %s", heard->text, part);
}

static void assert_spec_refused(const char *text, const char *part)
{
    struct data_spec *specs;
    size_t count;
    struct heard heard = listen_to_stderr();
    const enum status status = data_specs_read(text, "--data", NONFINITE_REFUSE, &specs, &count);
    assert_said(&heard, part);
    assert_int_equal(status, BAD_INPUT);
    assert_null(specs);
    assert_int_equal(count, 0);
}

static void assert_canonical(const char *text, const char *canonical)
{
    struct data_spec *spec = spec_of(text, NONFINITE_REFUSE), *again = spec_of(canonical, NONFINITE_REFUSE);
    assert_string_equal(spec->text, canonical);
    assert_string_equal(again->text, canonical);
    assert_non_null(again->second);
    data_specs_free(spec, 1);
    data_specs_free(again, 1);
}

static void a_second_vector_stands_behind_two_colons(void **state)
{
    (void)state;
    struct data_spec *spec = spec_of("normal:n=1000::uniform:low=-1", NONFINITE_REFUSE);
    assert_ptr_equal(spec->generator, generator_find("normal"));
    assert_non_null(spec->second);
    assert_ptr_equal(spec->second->generator, generator_find("uniform"));
    assert_true(spec->second->values[0] == -1);
    assert_int_equal(spec->second->n, 1000);
    assert_null(spec->second->second);
    data_specs_free(spec, 1);
}

static void without_two_colons_there_is_no_second_vector(void **state)
{
    (void)state;
    static const char *const texts[] = {"normal:n=1000", "x.csv:delimiter=:", "\"a::b.raw\"",
                                        "x.csv:column=\"a::b\",delimiter=;", "\"a\"\"::b.raw\":skip=4"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct data_spec *spec = spec_of(texts[i], NONFINITE_REFUSE);
        assert_null(spec->second);
        assert_int_equal(data_text_first(texts[i]), strlen(texts[i]));
        data_specs_free(spec, 1);
    }
}

static void the_first_vector_of_a_text_ends_at_the_two_colons(void **state)
{
    (void)state;
    assert_int_equal(data_text_first("uniform::x.npy"), strlen("uniform"));
    assert_int_equal(data_text_first("\"a::b.raw\"::y.raw"), strlen("\"a::b.raw\""));
    assert_int_equal(data_text_first("x.csv:column=\"a::b\"::y.raw"), strlen("x.csv:column=\"a::b\""));
    assert_int_equal(data_text_first("\"a::b"), strlen("\"a"));
    assert_int_equal(data_text_first(""), 0);
}

static void the_canonical_text_has_both_vectors(void **state)
{
    (void)state;
    assert_canonical("normal::normal", "normal:n=4096::normal");
    assert_canonical("uniform:low=-1,n=1Ki::uniform:high=2,low=1e-3",
                     "uniform:n=1024,low=-1::uniform:low=0.001,high=2");
    assert_canonical("uniform:n=8,format=bfloat16::ones:format=bfloat16",
                     "uniform:n=8,format=bfloat16::ones:format=bfloat16");
    assert_canonical("uniform:n=8,order=given::ones:order=given", "uniform:n=8::ones");
    assert_canonical("x.npy::y.npy", "x.npy::y.npy");
    assert_canonical("x.csv:column=1::x.csv:column=2", "x.csv:column=1::x.csv:column=2");
    assert_canonical("\"odd::name.raw\"::\"y.raw\":skip=16", "\"odd::name.raw\"::y.raw:skip=16");
    assert_canonical("x.csv:column=\"a::b\"::normal", "x.csv:column=\"a::b\"::normal");
    assert_canonical("x.csv:delimiter=\":\"::y.csv:column=\"a:\"", "x.csv:delimiter=\":\"::y.csv:column=\"a:\"");
    assert_canonical("ones:n=3::=x.raw", "ones:n=3::./=x.raw");
    assert_canonical("x.csv:column=b ::y.raw ", "x.csv:column=\"b \"::\"y.raw \"");
    assert_canonical("x.safetensors:\":w\"::x.safetensors:w:w", "x.safetensors:\":w\"::x.safetensors:w:w");
    assert_canonical("x.safetensors:\"\"::x.safetensors", "x.safetensors:\"\"::x.safetensors");
    assert_canonical("\"x.safetensors\":\"a::b\"::x.safetensors:\"=\"", "x.safetensors:\"a::b\"::x.safetensors:\"=\"");
}

/* Whatever bytes they have, and on either side. */
static void every_name_of_a_file_is_read_back_on_either_side(void **state)
{
    (void)state;
    static const char *const names[] = {
        "x.raw",        "a::b.raw", "a:",       "::.raw",        ":.raw",  "uniform",      "uniform:n=8",
        "a\"b.raw",     "\"a.raw",  "a=\".raw", "a:b=\"c:d.raw", "a=.raw", "x.raw:skip=1", "a\n::.raw",
        "\\x3a\\x3a.f", "\xff.raw", "-"};
    enum { NAMES = sizeof names / sizeof *names };
    for (size_t a = 0; a < NAMES; a++)
        for (size_t b = 0; b < NAMES; b++) {
            struct text text = {0};
            data_spec_append_file(&text, names[a]);
            text_append(&text, "::");
            data_spec_append_file(&text, names[b]);
            char *both = text_take(&text);
            struct data_spec *spec = spec_of(both, NONFINITE_REFUSE);
            assert_non_null(spec->second);
            assert_string_equal(spec->path + (strncmp(spec->path, "./", 2) == 0 ? 2 : 0), names[a]);
            assert_string_equal(spec->second->path + (strncmp(spec->second->path, "./", 2) == 0 ? 2 : 0), names[b]);
            assert_canonical(both, spec->text);
            assert_true(is_clean_text(spec->text));
            data_specs_free(spec, 1);
            free(both);
        }
}

static void a_sweep_of_the_first_gives_each_second_its_n(void **state)
{
    (void)state;
    struct data_spec *specs;
    size_t count;
    assert_int_equal(
        data_specs_read("gensum:n=8..32*2,cond=1e2..1e4*100::normal", "--data", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(count, 6);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(specs[i].second->n, specs[i].n);
    assert_string_equal(specs[5].text, "gensum:n=32,cond=1e4::normal");
    data_specs_free(specs, count);
}

static void what_cannot_be_a_second_vector_is_refused(void **state)
{
    (void)state;
    assert_spec_refused("normal::uniform:n=8", "n=8 is given to the second vector; expected none");
    assert_spec_refused("normal:n=8::uniform:n=8", "n=8 is given to the second vector; expected none");
    assert_spec_refused("x.npy::uniform:n=1..8*2", "n=1..8*2 is given to the second vector; expected none");
    assert_spec_refused("normal::uniform:high=1..8*2", "high takes several values in the second vector; expected one");
    assert_spec_refused("normal:n=1::gensum", "the first vector has n=1; expected 2 to ");
    assert_spec_refused("normal::nromal", "did you mean \"normal\"?");
    assert_spec_refused("normal::uniform:lwo=1", "\"lwo\" is not a parameter; uniform takes low, high, order, format");
    assert_spec_refused("normal::", "expected a family of data or a file");
    assert_spec_refused("::normal", "expected a family of data or a file");
    assert_spec_refused("normal::uniform::ones", "more than two vectors or matrices; expected A::B");
    assert_spec_refused("normal::-", "numbers on the standard input");
    assert_spec_refused("x.csv:delimiter=:::y.csv", "\"delimiter=\" has no value");
}

static void an_order_of_single_numbers_is_refused(void **state)
{
    (void)state;
    assert_spec_refused("normal:order=reversed::normal",
                        "order=reversed is an order of single numbers; expected none for two");
    assert_spec_refused("normal::normal:order=psum", "order=psum is an order of single numbers");
    assert_spec_refused("x.npy:order=shuffled:1..9::y.npy", "order=shuffled:1..9 is an order of single numbers");
    assert_spec_refused("x.npy::y.npy:order=magnitude", "order=magnitude is an order of single numbers");
}

static void two_formats_are_refused(void **state)
{
    (void)state;
    assert_spec_refused("normal:n=8,format=bfloat16::uniform",
                        "normal:n=8,format=bfloat16 is of bfloat16 and uniform of binary32; expected one format");
    assert_spec_refused("normal:n=8::y.raw:format=binary16",
                        "normal:n=8 is of binary32 and y.raw:format=binary16 of binary16");
    assert_spec_refused("x.csv::y.raw:format=binary64", "x.csv is of binary32 and y.raw:format=binary64 of binary64");
    assert_spec_refused("x.npy:convert=binary16::normal",
                        "x.npy:convert=binary16 is of binary16 and normal of binary32");
    assert_spec_refused("x.npy::y.npy:convert=binary16", "convert= is given to one of the two files");
    assert_spec_refused("x.npy:convert=binary16::y.raw:format=binary16", "convert= is given to one of the two files");
}

static void one_format_in_other_words_is_taken(void **state)
{
    (void)state;
    assert_canonical("x.csv::y.raw:format=binary32", "x.csv::y.raw:format=binary32");
    assert_canonical("normal:n=8,format=binary16::y.raw:format=binary16",
                     "normal:n=8,format=binary16::y.raw:format=binary16");
    assert_canonical("x.npy::normal:format=binary64", "x.npy::normal:format=binary64");
    assert_canonical("x.npy:convert=binary16::normal:format=binary16",
                     "x.npy:convert=binary16::normal:format=binary16");
}

static void assert_vectors_refused(const char *text, int vectors, const char *complaint)
{
    struct data_spec *spec = spec_of(text, NONFINITE_REFUSE);
    struct heard heard = listen_to_stderr();
    const enum status status = data_spec_set_kind(spec, vectors == 2 ? TWO_VECTORS : ONE_VECTOR, "--data");
    assert_said(&heard, complaint);
    assert_int_equal(status, BAD_INPUT);
    assert_int_equal(spec->kind, ONE_VECTOR);
    data_specs_free(spec, 1);
}

static void sums_take_one_vector(void **state)
{
    (void)state;
    assert_vectors_refused(
        "uniform:n=8::ones", 1,
        "--data: uniform:n=8::ones holds two vectors; expected one: sums take one; leave out the second, ones");
    struct data_spec *spec = pair_of("gendot:n=8", NONFINITE_REFUSE);
    assert_int_equal(data_spec_set_kind(spec, ONE_VECTOR, "--data"), OK);
    assert_int_equal(spec->kind, ONE_VECTOR);
    data_specs_free(spec, 1);
}

static void dot_products_take_two_vectors_or_a_family_of_pairs(void **state)
{
    (void)state;
    assert_vectors_refused("uniform:n=8", 2,
                           "--data: uniform:n=8 is one vector; expected two for a dot product: write "
                           "uniform:n=8::uniform, or a family of pairs: gendot\n");
    assert_vectors_refused("uniform:n=8,format=e4m3", 2, "write uniform:n=8,format=e4m3::uniform:format=e4m3, or");
    assert_vectors_refused("x.csv:column=2", 2, "write x.csv:column=2::y.npy, or a family of pairs: gendot\n");
    assert_vectors_refused("gendot:n=8,order=reversed", 2, "order=reversed is an order of single numbers");
    data_specs_free(pair_of("gendot:n=8", NONFINITE_REFUSE), 1);
    data_specs_free(pair_of("uniform:n=8::uniform", NONFINITE_REFUSE), 1);
}

static void assert_is(const char *text, bool random)
{
    struct data_spec *spec = pair_of(text, NONFINITE_REFUSE);
    assert_int_equal(data_spec_is_random(spec), random);
    assert_int_equal(data_spec_permutes(spec), !random);
    assert_false(data_spec_is_formula(spec, 0));
    data_specs_free(spec, 1);
}

static void two_vectors_are_random_if_one_is_and_never_a_formula(void **state)
{
    (void)state;
    assert_is("ones:n=8::ones", false);
    assert_is("ones:n=8::x.npy", false);
    assert_is("ones:n=8::uniform", true);
    assert_is("uniform:n=8::ones", true);
    assert_is("x.npy::uniform", true);
    assert_is("gendot:n=8", true);
}

static void a_format_that_is_set_is_that_of_both_files(void **state)
{
    (void)state;
    struct data_spec *spec = spec_of("x.raw::y.csv:column=2", NONFINITE_REFUSE);
    data_spec_set_format(spec, &FORMAT_BINARY16, false);
    assert_string_equal(spec->text, "x.raw:format=binary16::y.csv:column=2,format=binary16");
    data_spec_set_format(spec, &FORMAT_BINARY64, false);
    assert_string_equal(spec->text, "x.raw:format=binary16::y.csv:column=2,format=binary16");
    data_spec_set_format(spec, &FORMAT_BFLOAT16, true);
    assert_string_equal(spec->text, "x.raw:format=binary16,convert=bfloat16::"
                                    "y.csv:column=2,format=binary16,convert=bfloat16");
    assert_canonical(spec->text, spec->text);
    data_specs_free(spec, 1);
}

static void assert_in_format(const char *text, bool converts, const char *expected)
{
    char *made = data_text_in_format(text, &FORMAT_BFLOAT16, converts);
    assert_string_equal(made, expected);
    free(made);
}

static void a_text_in_a_format_has_it_for_each_vector_that_has_none(void **state)
{
    (void)state;
    assert_in_format("uniform", false, "uniform:format=bfloat16");
    assert_in_format("uniform:n=1..4*2::ones", false, "uniform:n=1..4*2,format=bfloat16::ones:format=bfloat16");
    assert_in_format("x.raw:format=binary16::y.raw", false, "x.raw:format=binary16::y.raw:format=bfloat16");
    assert_in_format("\"a::b.raw\"::\"a:b\":skip=4", false,
                     "\"a::b.raw\":format=bfloat16::\"a:b\":skip=4,format=bfloat16");
    assert_in_format("x.csv:column=2::y.npy", true, "x.csv:column=2,convert=bfloat16::y.npy:convert=bfloat16");
    assert_in_format("x.npy::uniform", true, "x.npy:convert=bfloat16::uniform");
}

/* ---- numbers of families ---- */

static struct dataset made(const char *text, int vectors, uint64_t seed, uint64_t trial)
{
    struct dataset data;
    struct data_spec *spec = vectors == 2 ? pair_of(text, NONFINITE_IEEE) : spec_of(text, NONFINITE_IEEE);
    assert_int_equal(dataset_make(spec, seed, trial, &data), OK);
    assert_int_equal(!data.y, vectors == 1);
    data_specs_free(spec, 1);
    return data;
}

static void assert_same_numbers(const struct dataset *data, const void *a, const void *b)
{
    assert_memory_equal(a, b, data->n * format_held(data->format)->bytes);
}

static void the_first_vector_is_what_it_is_alone(void **state)
{
    (void)state;
    struct dataset both = made("normal:n=1001::uniform", 2, 5, 2), alone = made("normal:n=1001", 1, 5, 2);
    assert_same_numbers(&alone, both.x, alone.x);
    dataset_free(&both);
    dataset_free(&alone);
}

/* The correlation of independent numbers is normal about 0 with a deviation of 1 / sqrt(n). */
static void normal_and_normal_are_independent(void **state)
{
    (void)state;
    enum { N = 100000 };
    struct dataset data = made("normal:n=100000::normal", 2, 1, 0);
    const float *x = data.x, *y = data.y;
    double xy = 0, yy = 0;
    size_t same = 0;
    for (size_t i = 0; i < N; i++) {
        xy += (double)x[i] * (double)y[i];
        yy += (double)y[i] * (double)y[i];
        same += x[i] == y[i];
    }
    assert_true(same < 10);
    assert_true(fabs(xy) / N < 5 / sqrt(N));
    assert_true(fabs(yy / N - 1) < 5 * sqrt(2.0 / N));
    dataset_free(&data);
}

/* Whatever the first one is, so that both can be had alone. */
static void the_second_vector_is_a_function_of_its_own_family_seed_and_trial(void **state)
{
    (void)state;
    struct dataset data = made("normal:n=500::uniform", 2, 5, 2), other = made("ones:n=500::uniform", 2, 5, 2);
    struct dataset trial = made("ones:n=500::uniform", 2, 5, 3), seed = made("ones:n=500::uniform", 2, 6, 2);
    assert_same_numbers(&data, data.y, other.y);
    assert_memory_not_equal(trial.y, other.y, 500 * sizeof(float));
    assert_memory_not_equal(seed.y, other.y, 500 * sizeof(float));
    dataset_free(&data);
    dataset_free(&other);
    dataset_free(&trial);
    dataset_free(&seed);
}

/* gendot2 draws before its elements are made, gensum and rand_cond while they are. */
static void every_random_family_is_another_vector_as_the_second(void **state)
{
    (void)state;
    static const char *const families[] = {"uniform",   "normal", "lognormal", "gensum",
                                           "rand_cond", "gendot", "gendot2"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s:n=256::%s", families[i], families[i]);
        struct dataset data = made(text, 2, 1, 0);
        assert_memory_not_equal(data.x, data.y, 256 * sizeof(float));
        dataset_free(&data);
    }
    struct dataset same = made("harmonic:n=256::harmonic", 2, 1, 0);
    assert_same_numbers(&same, same.x, same.y);
    dataset_free(&same);
}

static void no_two_random_streams_have_the_same_number(void **state)
{
    (void)state;
    uint32_t numbers[512] = {generator_family("permutation"), generator_family("order=shuffled")};
    size_t families, count = 2;
    const struct generator *const *table = generator_table(&families);
    assert_true(2 * families + 2 <= sizeof numbers / sizeof *numbers);
    for (size_t f = 0; f < families; f++) {
        numbers[count++] = generator_family(table[f]->id);
        numbers[count++] = generator_second_family(table[f]->id);
    }
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < a; b++)
            assert_int_not_equal(numbers[a], numbers[b]);
    assert_int_equal(generator_second_family("normal"), generator_family("second of normal"));
}

/* ---- pairs ---- */

static void assert_products(const char *text, uint64_t seed, uint64_t trial)
{
    struct dataset pairs = made(text, 2, seed, trial), products = made(text, 1, seed, trial);
    const float *x = pairs.x, *y = pairs.y, *product = products.x;
    assert_int_equal(pairs.n, products.n);
    for (uint64_t i = 0; i < pairs.n; i++) {
        if ((double)x[i] * (double)y[i] != (double)product[i])
            fail_msg("%s, pair %d: %a %a is not %a", text, (int)i, (double)x[i], (double)y[i], (double)product[i]);
        assert_int_equal(float_bits(x[i] * y[i]), float_bits(product[i]));
    }
    dataset_free(&pairs);
    dataset_free(&products);
}

static void the_products_of_gendots_pairs_are_the_numbers_that_it_gives_to_sums(void **state)
{
    (void)state;
    static const char *const texts[] = {"gendot:n=2,cond=1", "gendot:n=3,cond=2", "gendot:n=1000,cond=1e8",
                                        "gendot:n=4096,cond=1e14", "gendot:n=200,cond=1e80"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint64_t k = 0; k < 8; k++)
            assert_products(texts[i], 1 + k / 2, k);
}

static void gendots_vectors_have_factors_of_twelve_bits(void **state)
{
    (void)state;
    struct dataset pairs = made("gendot:n=1000,cond=1e8", 2, 1, 0);
    for (uint64_t i = 0; i < 2000; i++) {
        const float v = ((const float *)(i < 1000 ? pairs.x : pairs.y))[i % 1000];
        assert_int_equal(float_bits(v) & 0xfff, 0);
    }
    dataset_free(&pairs);
}

/* Two that were given go before the pairs that a family could make. */
static void gendot_beside_another_vector_is_its_products(void **state)
{
    (void)state;
    struct dataset data = made("gendot:n=64::ones", 2, 1, 0), products = made("gendot:n=64", 1, 1, 0);
    assert_same_numbers(&products, data.x, products.x);
    dataset_free(&data);
    dataset_free(&products);
}

/* ---- files ---- */

static const char *write_numbers(const char *name, const char *numbers)
{
    static char texts[4][PATH_SIZE];
    static unsigned next;
    char *text = texts[next++ % 4];
    snprintf(text, PATH_SIZE, "%s", in_folder(name).text);
    FILE *file = fopen(text, "w");
    assert_non_null(file);
    assert_true(fputs(numbers, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return text;
}

struct two_names {
    char text[3 * PATH_SIZE];
};

static struct two_names between(const char *first, const char *second)
{
    struct two_names both;
    snprintf(both.text, sizeof both.text, "%s::%s", first, second);
    return both;
}

static void assert_not_made(const char *text, enum nonfinite nonfinite, const char *complaint)
{
    struct dataset data;
    struct data_spec *spec = pair_of(text, nonfinite);
    struct heard heard = listen_to_stderr();
    const enum status status = dataset_make(spec, 1, 0, &data);
    assert_said(&heard, complaint);
    assert_int_equal(status, BAD_INPUT);
    assert_null(data.x);
    assert_null(data.y);
    data_specs_free(spec, 1);
}

static void assert_floats(const void *numbers, const float *expected, size_t n)
{
    assert_memory_equal(numbers, expected, n * sizeof *expected);
}

static void two_columns_are_two_vectors(void **state)
{
    (void)state;
    const char *name = write_numbers("x.csv", "a,b\n1,4\n2,5\n3,6\n");
    struct two_names both;
    snprintf(both.text, sizeof both.text, "%s:column=1::%s:column=b", name, name);
    struct dataset data = made(both.text, 2, 1, 0);
    assert_int_equal(data.n, 3);
    assert_floats(data.x, (const float[]){1, 2, 3}, 3);
    assert_floats(data.y, (const float[]){4, 5, 6}, 3);
    dataset_free(&data);
    assert_null(data.y);
}

static void two_files_have_as_many_numbers(void **state)
{
    (void)state;
    const char *two = write_numbers("two.txt", "1\n2\n"), *three = write_numbers("three.txt", "1\n2\n3\n");
    char complaint[3 * PATH_SIZE];
    snprintf(complaint, sizeof complaint, "%s has 2 numbers and %s has 3; expected as many in both", two, three);
    assert_not_made(between(two, three).text, NONFINITE_REFUSE, complaint);
    assert_not_made(between("ones:n=4", three).text, NONFINITE_REFUSE, "ones:n=4 has 4 numbers and ");
    struct dataset data = made(between("ones:n=3", three).text, 2, 1, 0);
    assert_int_equal(data.n, 3);
    dataset_free(&data);
}

static void a_family_behind_a_file_has_as_many_numbers(void **state)
{
    (void)state;
    const char *name = write_numbers("x.txt", "1\n2\n3\n"), *one = write_numbers("one.txt", "1\n");
    struct dataset data = made(between(name, "uniform").text, 2, 4, 1), other = made("ones:n=3::uniform", 2, 4, 1);
    assert_int_equal(data.n, 3);
    assert_same_numbers(&data, data.y, other.y);
    assert_not_made(between(one, "gensum").text, NONFINITE_REFUSE, "gensum: n=1; expected 2 to ");
    dataset_free(&data);
    dataset_free(&other);
}

static void write_doubles(const char *path)
{
    const double x[] = {0.1, 2, 1e-30};
    const struct dataset data = {.format = &FORMAT_BINARY64, .x = (void *)x, .n = 3};
    assert_int_equal(file_write(path, &data, NULL), OK);
}

static void a_format_that_only_the_file_knows_is_held_against_the_others(void **state)
{
    (void)state;
    const struct path x = in_folder("x64.npy");
    write_doubles(x.text);
    assert_not_made(between(x.text, "ones").text, NONFINITE_REFUSE,
                    " is of binary64 and ones of binary32; expected one");
    assert_not_made(between("ones:n=3", x.text).text, NONFINITE_REFUSE, "ones:n=3 is of binary32 and ");
    struct dataset data = made(between(x.text, "ones:format=binary64").text, 2, 1, 0);
    assert_true(((const double *)data.x)[0] == 0.1 && ((const double *)data.y)[2] == 1);
    dataset_free(&data);
}

static void each_file_has_its_own_conversion(void **state)
{
    (void)state;
    const struct path x = in_folder("x64.npy");
    const char *y = write_numbers("y.txt", "1\n2\n3\n");
    write_doubles(x.text);
    struct two_names both;
    snprintf(both.text, sizeof both.text, "%s:convert=binary16::%s:convert=binary16", x.text, y);
    struct dataset data = made(both.text, 2, 1, 0);
    assert_int_equal(data.conversion.changed, 2);
    assert_int_equal(data.conversion.underflowed, 1);
    assert_int_equal(data.y_conversion.changed, 0);
    assert_non_null(data.y_conversion.from);
    dataset_free(&data);
}

static void what_is_not_finite_stays_at_its_place_or_is_refused(void **state)
{
    (void)state;
    const char *x = write_numbers("x.txt", "1\n2\n3\n4\n"), *y = write_numbers("y.txt", "5\n6\nnan\ninf\n");
    assert_not_made(between(x, y).text, NONFINITE_REFUSE, "2 of its 4 elements are not finite");
    assert_not_made(between(x, y).text, NONFINITE_SKIP,
                    "y.txt: --nonfinite skip would leave out 2 of its numbers, the first of them element 2 (from 0)");
    assert_not_made(between(y, x).text, NONFINITE_SKIP, "y.txt: --nonfinite skip would leave out 2 of its numbers");
    assert_not_made(between(y, "ones").text, NONFINITE_SKIP,
                    "y.txt: --nonfinite skip would leave out 2 of its numbers");
    assert_not_made(between(y, y).text, NONFINITE_SKIP, "y.txt: --nonfinite skip would leave out 2 of its numbers");
    struct dataset data = made(between(x, y).text, 2, 1, 0); /* ieee */
    assert_floats(data.x, (const float[]){1, 2, 3, 4}, 4);
    assert_floats(data.y, (const float[]){5, 6}, 2);
    assert_true(isnan(((const float *)data.y)[2]) && isinf(((const float *)data.y)[3]));
    dataset_free(&data);
}

static void skip_takes_files_that_are_finite(void **state)
{
    (void)state;
    const char *x = write_numbers("x.txt", "1\n2\n"), *y = write_numbers("y.txt", "5\n6\n");
    struct data_spec *spec = pair_of(between(x, y).text, NONFINITE_SKIP);
    struct dataset data;
    assert_int_equal(dataset_make(spec, 1, 0, &data), OK);
    assert_floats(data.y, (const float[]){5, 6}, 2);
    dataset_free(&data);
    data_specs_free(spec, 1);
}

/* A file that holds so is a file that one could mean. */
static void a_file_of_the_whole_name_asks_for_quotes(void **state)
{
    (void)state;
    const char *whole = write_numbers("a.raw::b.raw", "1234");
    char quoted[PATH_SIZE + 2];
    assert_spec_refused(whole, "expected quotes around it");
    snprintf(quoted, sizeof quoted, "\"%s\"", whole);
    struct data_spec *spec = spec_of(quoted, NONFINITE_REFUSE);
    assert_null(spec->second);
    assert_string_equal(spec->path, whole);
    data_specs_free(spec, 1);
}

/* ---- trials ---- */

static void assert_pairs_are_kept(const char *text)
{
    struct dataset given = made(text, 2, 1, 0);
    uint64_t moved = 0;
    for (uint64_t trial = 1; trial <= 3; trial++) {
        struct dataset data = made(text, 2, 1, trial);
        const float *x = data.x, *y = data.y, *given_x = given.x;
        for (uint64_t i = 0; i < data.n; i++) {
            assert_true(y[i] == 1 / x[i]);
            moved += x[i] != given_x[i];
        }
        dataset_free(&data);
    }
    assert_true(moved > 3 * given.n / 2);
    dataset_free(&given);
}

static void a_trial_that_permutes_moves_pairs(void **state)
{
    (void)state;
    char numbers[2048] = "";
    for (int i = 1; i <= 200; i++)
        snprintf(numbers + strlen(numbers), sizeof numbers - strlen(numbers), "%d\n", i);
    const char *name = write_numbers("whole.txt", numbers);
    assert_pairs_are_kept(between(name, "harmonic").text);
}

static void the_two_halves_of_making_move_pairs_too(void **state)
{
    (void)state;
    struct data_spec *spec = pair_of("harmonic:n=300::harmonic", NONFINITE_REFUSE);
    struct dataset data, halves;
    assert_int_equal(dataset_make(spec, 7, 2, &data), OK);
    assert_int_equal(dataset_unordered(spec, 0, 0, &halves), OK);
    assert_memory_not_equal(data.x, halves.x, 300 * sizeof(float));
    assert_int_equal(dataset_arrange(spec, 7, 2, &halves), OK);
    assert_same_numbers(&data, data.x, halves.x);
    assert_same_numbers(&data, data.y, halves.y);
    assert_same_numbers(&data, data.x, data.y);
    dataset_free(&data);
    dataset_free(&halves);
    data_specs_free(spec, 1);
}

/* ---- who takes one vector ---- */

static enum status take_nothing(void *context, const void *x, uint64_t n)
{
    (void)context, (void)x, (void)n;
    return OK;
}

static enum status start_nothing(void *context, const struct format *format, uint64_t most)
{
    (void)context, (void)format, (void)most;
    return OK;
}

static void a_second_vector_is_never_passed_over(void **state)
{
    (void)state;
    const struct consumer consumer = {start_nothing, take_nothing, NULL, NULL};
    struct data_spec *spec = spec_of("ones:n=8::ones", NONFINITE_REFUSE);
    struct dataset data;
    struct heard heard = listen_to_stderr();
    const enum status of_make = dataset_make(spec, 1, 0, &data),
                      of_stream = dataset_stream(spec, 1, 0, &consumer, &data);
    assert_said(&heard, "ones:n=8::ones holds two vectors; expected one");
    assert_int_equal(of_make, BAD_INPUT);
    assert_int_equal(of_stream, BAD_INPUT);
    data_specs_free(spec, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_vector_stands_behind_two_colons),
        cmocka_unit_test(without_two_colons_there_is_no_second_vector),
        cmocka_unit_test(the_first_vector_of_a_text_ends_at_the_two_colons),
        cmocka_unit_test(the_canonical_text_has_both_vectors),
        cmocka_unit_test(every_name_of_a_file_is_read_back_on_either_side),
        cmocka_unit_test(a_sweep_of_the_first_gives_each_second_its_n),
        cmocka_unit_test(what_cannot_be_a_second_vector_is_refused),
        cmocka_unit_test(an_order_of_single_numbers_is_refused),
        cmocka_unit_test(two_formats_are_refused),
        cmocka_unit_test(one_format_in_other_words_is_taken),
        cmocka_unit_test(sums_take_one_vector),
        cmocka_unit_test(dot_products_take_two_vectors_or_a_family_of_pairs),
        cmocka_unit_test(two_vectors_are_random_if_one_is_and_never_a_formula),
        cmocka_unit_test(a_format_that_is_set_is_that_of_both_files),
        cmocka_unit_test(a_text_in_a_format_has_it_for_each_vector_that_has_none),
        cmocka_unit_test(the_first_vector_is_what_it_is_alone),
        cmocka_unit_test(normal_and_normal_are_independent),
        cmocka_unit_test(the_second_vector_is_a_function_of_its_own_family_seed_and_trial),
        cmocka_unit_test(every_random_family_is_another_vector_as_the_second),
        cmocka_unit_test(no_two_random_streams_have_the_same_number),
        cmocka_unit_test(the_products_of_gendots_pairs_are_the_numbers_that_it_gives_to_sums),
        cmocka_unit_test(gendots_vectors_have_factors_of_twelve_bits),
        cmocka_unit_test(gendot_beside_another_vector_is_its_products),
        cmocka_unit_test(two_columns_are_two_vectors),
        cmocka_unit_test(two_files_have_as_many_numbers),
        cmocka_unit_test(a_family_behind_a_file_has_as_many_numbers),
        cmocka_unit_test(a_format_that_only_the_file_knows_is_held_against_the_others),
        cmocka_unit_test(each_file_has_its_own_conversion),
        cmocka_unit_test(what_is_not_finite_stays_at_its_place_or_is_refused),
        cmocka_unit_test(skip_takes_files_that_are_finite),
        cmocka_unit_test(a_file_of_the_whole_name_asks_for_quotes),
        cmocka_unit_test(a_trial_that_permutes_moves_pairs),
        cmocka_unit_test(the_two_halves_of_making_move_pairs_too),
        cmocka_unit_test(a_second_vector_is_never_passed_over),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
