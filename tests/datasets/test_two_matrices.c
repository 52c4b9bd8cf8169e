/* Two matrices, for products: which specs are that, what numbers they have, and what is said of shapes that cannot be.
 */
#define PROGRAM "" /* no line is run here */
#include "tests/support/program.h"

#include "datasets/dataset.h"
#include "datasets/files/file.h"
#include "reference/matrix.h"
#include "tests/support/heard.h"

#include <math.h>

/* ---- specs ---- */

static struct data_spec *spec_of(const char *text, enum nonfinite nonfinite)
{
    struct data_spec *specs;
    size_t count;
    assert_int_equal(data_specs_read(text, "--data", nonfinite, &specs, &count), OK);
    assert_int_equal(count, 1);
    return specs;
}

static struct dataset made_as(const char *text, enum data_kind kind, uint64_t seed, uint64_t trial)
{
    struct data_spec *spec = spec_of(text, NONFINITE_REFUSE);
    struct dataset data;
    assert_int_equal(data_spec_set_kind(spec, kind, "--data"), OK);
    assert_int_equal(dataset_make(spec, seed, trial, &data), OK);
    data_specs_free(spec, 1);
    return data;
}

static struct dataset made(const char *text, uint64_t seed, uint64_t trial)
{
    return made_as(text, TWO_MATRICES, seed, trial);
}

/* As data of this kind: at the latest when they are made. */
static void assert_refused_as(enum data_kind kind, const char *text, enum nonfinite nonfinite, const char *part)
{
    struct data_spec *specs = NULL;
    struct dataset data;
    size_t count = 0;
    struct heard heard = listen_to_stderr();
    enum status status = data_specs_read(text, "--data", nonfinite, &specs, &count);
    if (status == OK)
        status = data_spec_set_kind(specs, kind, "--data");
    if (status == OK)
        status = dataset_make(specs, 1, 0, &data);
    heard_all(&heard);
    if (!strstr(heard.text, part))
        fail_msg("%s: %s does not contain %s", text, heard.text, part);
    assert_int_equal(status, BAD_INPUT);
    data_specs_free(specs, count);
}

static void assert_matrices_refused(const char *text, const char *part)
{
    assert_refused_as(TWO_MATRICES, text, NONFINITE_REFUSE, part);
}

static void assert_shape(const char *text, uint64_t rows, uint64_t n, uint64_t columns)
{
    struct dataset data = made(text, 1, 0);
    if (data.rows != rows || data.n != n || data.columns != columns)
        fail_msg("%s: %d x %d, x %d", text, (int)data.rows, (int)data.n, (int)data.columns);
    assert_true(data.x && data.y);
    dataset_free(&data);
}

static void matrices_are_square_but_for_rows_and_columns(void **state)
{
    (void)state;
    assert_shape("uniform:n=16", 16, 16, 16);
    assert_shape("uniform:n=16,rows=3", 3, 16, 16);
    assert_shape("uniform:n=16,rows=3,columns=17", 3, 16, 17);
    assert_shape("normal:n=16::lognormal", 16, 16, 16);
    assert_shape("normal:n=16,rows=3::lognormal:columns=17", 3, 16, 17);
    assert_shape("uniform:n=1,rows=1,columns=1", 1, 1, 1);
    assert_shape("uniform:n=0,rows=3,columns=2", 3, 0, 2);
    assert_shape("zeros:n=16", 16, 16, 16);
}

static void assert_text(const char *text, enum data_kind kind, const char *expected)
{
    struct data_spec *spec = spec_of(text, NONFINITE_REFUSE);
    assert_int_equal(data_spec_set_kind(spec, kind, "--data"), OK);
    assert_string_equal(spec->text, expected);
    assert_int_equal(spec->kind, kind);
    assert_true(!spec->second || spec->second->n == spec->n);
    data_specs_free(spec, 1);
}

static void n_is_256_for_matrices_and_4096_for_vectors(void **state)
{
    (void)state;
    assert_text("uniform", TWO_MATRICES, "uniform:n=256");
    assert_text("uniform:rows=9,low=-1", TWO_MATRICES, "uniform:n=256,low=-1,rows=9");
    assert_text("uniform::ones:columns=9", TWO_MATRICES, "uniform:n=256::ones:columns=9");
    assert_text("uniform:n=4096", TWO_MATRICES, "uniform:n=4096");
    assert_text("uniform", ONE_VECTOR, "uniform:n=4096");
    assert_text("uniform::ones", TWO_VECTORS, "uniform:n=4096::ones");
    assert_text("zeros", TWO_MATRICES, "zeros:n=256");
    assert_shape("uniform::ones:columns=9", 256, 256, 9);
}

static void the_canonical_text_has_rows_and_columns(void **state)
{
    (void)state;
    static const char *const texts[] = {"uniform:n=8,low=-1,rows=3,columns=4,format=binary64",
                                        "normal:n=8,rows=3::lognormal:columns=4", "a.raw:rows=3::b.raw:columns=4",
                                        "a.raw:skip=8,format=binary16,rows=3::b.raw:format=binary16,columns=4"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_text(texts[i], TWO_MATRICES, texts[i]);
}

static void rows_and_columns_sweep(void **state)
{
    (void)state;
    struct data_spec *specs;
    size_t count;
    assert_int_equal(
        data_specs_read("uniform:n=8,rows=1..4*2,columns=5..50*10", "--data", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(count, 6);
    assert_string_equal(specs[5].text, "uniform:n=8,rows=4,columns=50");
    assert_int_equal(specs[5].rows, 4);
    assert_int_equal(specs[0].columns, 5);
    data_specs_free(specs, count);
}

/* ---- numbers of families ---- */

static void assert_numbers(const struct dataset *data, const void *left, const void *right, uint64_t count, bool same)
{
    const bool equal = memcmp(left, right, count * format_held(data->format)->bytes) == 0;
    assert_int_equal(equal, same);
}

/* A from the stream of a vector, B from that of a second one. */
static void assert_matrices_are_vectors(const char *matrices, const char *x_text, const char *y_text)
{
    struct dataset data = made(matrices, 5, 2), x = made_as(x_text, ONE_VECTOR, 5, 2),
                   y = made_as(y_text, TWO_VECTORS, 5, 2);
    assert_int_equal(x.n, data.rows * data.n);
    assert_int_equal(y.n, data.n * data.columns);
    assert_numbers(&data, data.x, x.x, x.n, true);
    assert_numbers(&data, data.y, y.y, y.n, true);
    assert_numbers(&data, data.y, y.x, y.n, false); /* the twin */
    dataset_free(&data);
    dataset_free(&x);
    dataset_free(&y);
}

static void numbers_are_those_of_vectors_row_after_row(void **state)
{
    (void)state;
    assert_matrices_are_vectors("uniform:n=8,rows=3,columns=5", "uniform:n=24", "ones:n=40::uniform");
    assert_matrices_are_vectors("uniform:n=8,rows=3::uniform:columns=5", "uniform:n=24", "ones:n=40::uniform");
    assert_matrices_are_vectors("normal:n=8,sd=2,format=binary64", "normal:n=64,sd=2,format=binary64",
                                "ones:n=64,format=binary64::normal:sd=2,format=binary64");
    assert_matrices_are_vectors("gensum:n=8,cond=1e8::lognormal:columns=2", "gensum:n=64,cond=1e8",
                                "ones:n=16::lognormal");
}

/* What a family refuses at a size it says with the shapes; it has numbers of every other. */
static void every_family_of_vectors_makes_matrices_or_says_why_not(void **state)
{
    (void)state;
    size_t count, refused = 0;
    const struct generator *const *table = generator_table(&count);
    for (size_t f = 0; f < count; f++) {
        char text[64];
        snprintf(text, sizeof text, "%s:n=%d", table[f]->id, table[f]->least_n > 16 ? (int)table[f]->least_n : 16);
        struct data_spec *spec = spec_of(text, NONFINITE_REFUSE);
        struct heard heard = listen_to_stderr();
        const enum status status = data_spec_set_kind(spec, TWO_MATRICES, "--data");
        struct dataset data = {0};
        const enum status of_make = status == OK ? dataset_make(spec, 1, 0, &data) : status;
        heard_all(&heard);
        const bool aims = strcmp(table[f]->parameters->name ? table[f]->parameters->name : "", "method") == 0;
        const char *why = aims ? "it aims at the order" : "products of the pairs of one dot product";
        if ((status == OK) != (!aims && !table[f]->build_pairs) || of_make != status ||
            (status != OK && !strstr(heard.text, why)))
            fail_msg("%s: %s", table[f]->id, heard.text);
        refused += status != OK;
        dataset_free(&data);
        data_specs_free(spec, 1);
    }
    assert_int_equal(refused, 4); /* for an order or a method, and gendot */
}

static void families_of_matrices_have_numbers_of_every_seed_and_format(void **state)
{
    (void)state;
    static const char *const texts[] = {"zeros:n=16", "scales:n=16,format=binary64", "blocks:n=16,format=e4m3",
                                        "growth:n=16,format=bfloat16"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct dataset data = made(texts[i], 1, 0), same = made(texts[i], 1, 0), other = made(texts[i], 2, 0),
                       trial = made(texts[i], 1, 1);
        assert_numbers(&data, data.x, same.x, 256, true);
        assert_numbers(&data, data.y, same.y, 256, true);
        assert_numbers(&data, data.x, other.x, 256, false);
        assert_numbers(&data, data.y, trial.y, 256, false);
        assert_numbers(&data, data.x, data.y, 256, false);
        dataset_free(&data);
        dataset_free(&same);
        dataset_free(&other);
        dataset_free(&trial);
    }
}

/* ---- files ---- */

/* An .npy of counting numbers from 1. */
static void put_npy(const char *name, const char *order, const char *shape, size_t count)
{
    char bytes[1024] = "\x93NUMPY\1\0\x76";
    const int end = 10 + snprintf(bytes + 10, 119, "{'descr': '<f4', 'fortran_order': %s, 'shape': %s}", order, shape);
    memset(bytes + end, ' ', (size_t)(127 - end));
    bytes[127] = '\n';
    for (size_t i = 0; i < count; i++) {
        const float value = (float)(i + 1);
        memcpy(bytes + 128 + i * sizeof value, &value, sizeof value);
    }
    put_file(name, bytes, 128 + count * sizeof(float));
}

/* "a.npy:rows=3", "b.npy": both in the folder. */
struct two_names {
    char text[3 * PATH_SIZE];
};
static struct two_names between(const char *first, const char *second)
{
    struct two_names names;
    snprintf(names.text, sizeof names.text, "%s::%s", in_folder(first).text, in_folder(second).text);
    return names;
}

static void put_files(void)
{
    static const float numbers[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    put_npy("3x4.npy", "False", "(3, 4)", 12);
    put_npy("4x2.npy", "False", "(4, 2)", 8);
    put_npy("fortran.npy", "True", "(4, 2)", 8);
    put_npy("vector.npy", "False", "(8,)", 8);
    put_npy("cube.npy", "False", "(2, 2, 2)", 8);
    put_npy("3x0.npy", "False", "(3, 0)", 0);
    put_npy("0x2.npy", "False", "(0, 2)", 0);
    put_file("12.raw", numbers, sizeof numbers);
    put_file("8.raw", numbers, 8 * sizeof *numbers);
    put_file("0.raw", numbers, 0);
    put_text("8.txt", "1\n2\n3\n4\n5\n6\n7\n8\n");
    put_text("nan.txt", "1\n2\nnan\n4\n5\n6\n7\n8\n");
}

static void assert_file_shape(const char *first, const char *second, uint64_t rows, uint64_t n, uint64_t columns)
{
    assert_shape(between(first, second).text, rows, n, columns);
}

static void a_file_has_its_shape_or_is_given_one(void **state)
{
    (void)state;
    put_files();
    assert_file_shape("3x4.npy", "4x2.npy", 3, 4, 2);
    assert_file_shape("3x4.npy:rows=3", "4x2.npy:columns=2", 3, 4, 2);
    assert_file_shape("12.raw:rows=3", "8.raw:columns=2", 3, 4, 2);
    assert_file_shape("12.raw:rows=3", "8.txt:columns=2", 3, 4, 2);
    assert_file_shape("3x0.npy", "0x2.npy", 3, 0, 2);
    assert_file_shape("0.raw:rows=3", "0x2.npy", 3, 0, 2);
    struct dataset data = made(between("12.raw:rows=3", "4x2.npy").text, 1, 0);
    for (int i = 0; i < 12; i++) {
        assert_true(((const float *)data.x)[i] == (float)(i + 1));
        assert_true(i >= 8 || ((const float *)data.y)[i] == (float)(i + 1));
    }
    dataset_free(&data);
}

static void a_file_and_a_family_share_n(void **state)
{
    (void)state;
    put_files();
    char text[2 * PATH_SIZE];
    snprintf(text, sizeof text, "%s::normal:columns=9", in_folder("3x4.npy").text);
    assert_shape(text, 3, 4, 9);
    snprintf(text, sizeof text, "%s::normal", in_folder("3x4.npy").text);
    assert_shape(text, 3, 4, 4);
    snprintf(text, sizeof text, "normal:n=4,rows=9::%s", in_folder("4x2.npy").text);
    assert_shape(text, 9, 4, 2);
    snprintf(text, sizeof text, "normal:n=5,rows=9::%s", in_folder("4x2.npy").text);
    assert_matrices_refused(text, "A (9 x 5) of normal:n=5,rows=9 and B (4 x 2) of ");
}

static void assert_files_refused(const char *first, const char *second, const char *part)
{
    assert_matrices_refused(between(first, second).text, part);
}

static void shapes_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    put_files();
    assert_files_refused("4x2.npy", "3x4.npy", "expected as many columns of A as B has rows");
    assert_files_refused("4x2.npy", "3x4.npy", "A (4 x 2) of ");
    assert_files_refused("4x2.npy", "3x4.npy", "and B (3 x 4) of ");
    assert_files_refused("3x4.npy", "vector.npy", "its shape is (8,); expected two dimensions of a matrix");
    assert_files_refused("cube.npy", "4x2.npy", "its shape is (2, 2, 2); expected two dimensions of a matrix");
    assert_files_refused("3x4.npy", "fortran.npy",
                         "its numbers of shape (4, 2) stand column after column (Fortran "
                         "order); expected row after row");
    assert_files_refused("3x4.npy", "fortran.npy", "numpy.ascontiguousarray");
    assert_files_refused("3x4.npy:rows=4", "4x2.npy", "its shape is (3, 4), and rows=4 was given");
    assert_files_refused("12.raw", "4x2.npy", "has 12 numbers and no shape; expected how many rows A has");
    assert_files_refused("3x4.npy", "8.raw", "has 8 numbers and no shape; expected how many columns B has");
    assert_files_refused("12.raw:rows=5", "4x2.npy", "has 12 numbers; expected a multiple of the 5 rows of A");
    assert_files_refused("3x4.npy", "8.raw:columns=3", "expected a multiple of the 3 columns of B");
    assert_files_refused("0x2.npy", "3x4.npy", "expected as many columns of A as B has rows");
    assert_files_refused("3x0.npy", "0.raw:columns=0", "columns=0 is an empty matrix; expected 1 or more");
    put_npy("2x3.npy", "False", "(2, 3)", 6);
    put_npy("0x3.npy", "False", "(0, 3)", 0);
    put_npy("3x1.npy", "False", "(3, 1)", 3);
    assert_shape(between("2x3.npy", "3x1.npy").text, 2, 3, 1);
    assert_files_refused("0x3.npy", "3x1.npy", "expected 1 row of A and 1 column of B at least");
}

/* A vector may have any shape, and either order. */
static void vectors_still_take_any_shape(void **state)
{
    (void)state;
    put_files();
    static const char *const names[] = {"fortran.npy", "vector.npy", "cube.npy"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct dataset data = made_as(in_folder(names[i]).text, ONE_VECTOR, 1, 0);
        assert_int_equal(data.n, 8);
        assert_true(data.rows == 0 && data.columns == 0);
        dataset_free(&data);
    }
}

static void what_has_no_meaning_for_matrices_is_refused(void **state)
{
    (void)state;
    assert_matrices_refused("uniform:n=0", "A (0 x 0) of uniform:n=0 and B (0 x 0) of uniform:n=0: expected 1 row");
    assert_matrices_refused("uniform:rows=0", "rows=0 is out of range; expected rows from 1");
    assert_matrices_refused("uniform:columns=0", "columns=0 is out of range; expected columns from 1");
    assert_matrices_refused("uniform:n=2Mi", "A (2097152 x 2097152) of uniform:n=2097152: expected 0 to 1099511627776");
    assert_matrices_refused("uniform:n=1,columns=1Ti::ones", "columns= is given to A or rows= to B");
    assert_matrices_refused("uniform:n=4::ones:rows=3", "columns= is given to A or rows= to B");
    assert_matrices_refused("ones:n=2,rows=1::gensum:columns=1Ti", "B (2 x 1099511627776) of gensum:columns=1");
    assert_matrices_refused("x.npy", "x.npy is one matrix; expected two");
    assert_matrices_refused("uniform:n=8,order=reversed", "order=reversed is an order of single numbers");
    assert_matrices_refused("gendot:n=8::ones", "gendot:n=8::ones: its numbers are products of the pairs of one dot");
    assert_matrices_refused("ones:n=8::gendot", "gendot: its numbers are products of the pairs of one dot product");
    assert_matrices_refused("uniform:n=8::path", "path: it aims at the order in which a method adds n numbers");
    assert_matrices_refused("uniform:n=8,format=binary16::ones", "expected one format");
    assert_matrices_refused("zeros:n=32,rows=3", "a family that makes both matrices, n x n; expected that alone");
    assert_matrices_refused("zeros:n=32::ones", "a family that makes both matrices, n x n; expected that alone");
    assert_matrices_refused("ones:n=32::growth", "a family that makes both matrices, n x n; expected that alone");
    assert_matrices_refused("scales:n=48", "scales: n=48; expected a power of two");
    assert_matrices_refused("growth:n=8192", "n=8192 is out of range; expected n from 16 to 4096");
    assert_matrices_refused("blocks:format=binary16", "blocks has no numbers of binary16");
    assert_matrices_refused("zerso", "did you mean \"zeros\"?");
}

static void numbers_left_out_of_a_matrix_are_refused(void **state)
{
    (void)state;
    put_files();
    const struct two_names bad = between("nan.txt:rows=2", "8.txt:columns=2"),
                           good = between("8.txt:rows=2", "8.txt:columns=2");
    assert_refused_as(TWO_MATRICES, bad.text, NONFINITE_SKIP,
                      "--nonfinite skip would leave out 1 of its numbers, the first of them element 2");
    assert_shape(good.text, 2, 4, 2);
}

static void vectors_have_no_rows_and_columns(void **state)
{
    (void)state;
    static const char *const said = "has rows= or columns=, which are of matrices; expected vectors";
    assert_refused_as(ONE_VECTOR, "uniform:n=8,rows=2", NONFINITE_REFUSE, said);
    assert_refused_as(ONE_VECTOR, "uniform:n=8,columns=2", NONFINITE_REFUSE, said);
    assert_refused_as(TWO_VECTORS, "uniform:n=8,rows=2::ones", NONFINITE_REFUSE, said);
    assert_refused_as(TWO_VECTORS, "x.raw::y.raw:columns=2", NONFINITE_REFUSE, said);
    assert_refused_as(ONE_VECTOR, "zeros:n=16", NONFINITE_REFUSE, "zeros:n=16 is a family of matrices");
    assert_refused_as(TWO_VECTORS, "zeros:n=16", NONFINITE_REFUSE, "zeros:n=16 is a family of matrices");
    assert_refused_as(TWO_VECTORS, "ones:n=16::zeros", NONFINITE_REFUSE, "a family of matrices; expected one of");
}

static void matrices_are_no_formula_and_random_if_one_is(void **state)
{
    (void)state;
    struct data_spec *spec = spec_of("ones:n=16", NONFINITE_REFUSE), *random = spec_of("zeros:n=16", NONFINITE_REFUSE);
    assert_true(data_spec_is_formula(spec, 0));
    assert_int_equal(data_spec_set_kind(spec, TWO_MATRICES, "--data"), OK);
    assert_false(data_spec_is_formula(spec, 0));
    assert_true(data_spec_permutes(spec));
    assert_int_equal(data_spec_set_kind(random, TWO_MATRICES, "--data"), OK);
    assert_false(data_spec_permutes(random));
    data_specs_free(spec, 1);
    data_specs_free(random, 1);
}

/* ---- trials that permute ---- */

enum { ROWS = 5, INNER = 40, COLUMNS = 3 };

static void exact_of(const struct dataset *data, struct exact_element c[ROWS * COLUMNS])
{
    const struct matrix_product product = {.format = data->format,
                                           .result = data->format,
                                           .rows = data->rows,
                                           .inner = data->n,
                                           .columns = data->columns,
                                           .a = {data->x, data->n, 1},
                                           .b = {data->y, data->columns, 1}};
    assert_int_equal(exact_matrix(&product, 0, c), OK);
}

static void a_trial_that_permutes_keeps_the_product(void **state)
{
    (void)state;
    static const char text[] = "harmonic:n=40,rows=5::alt_harmonic:columns=3";
    struct exact_element given[ROWS * COLUMNS], now[ROWS * COLUMNS];
    struct dataset first = made(text, 1, 0);
    exact_of(&first, given);
    for (uint64_t trial = 1; trial <= 3; trial++) {
        struct dataset data = made(text, 1, trial);
        exact_of(&data, now);
        for (int e = 0; e < ROWS * COLUMNS; e++)
            assert_true(now[e].nearest == given[e].nearest && now[e].sum_abs_above == given[e].sum_abs_above);
        assert_numbers(&data, data.x, first.x, ROWS * INNER, false);
        float *x = data.x;
        x[0] += 1; /* the twin */
        exact_of(&data, now);
        assert_true(now[0].nearest != given[0].nearest);
        dataset_free(&data);
    }
    dataset_free(&first);
}

static void one_row_and_one_column_are_permuted_as_two_vectors_are(void **state)
{
    (void)state;
    struct dataset matrices = made("harmonic:n=99,rows=1::basel:columns=1", 7, 2),
                   vectors = made_as("harmonic:n=99::basel", TWO_VECTORS, 7, 2),
                   other = made_as("harmonic:n=99::basel", TWO_VECTORS, 7, 3);
    assert_numbers(&vectors, matrices.x, vectors.x, 99, true);
    assert_numbers(&vectors, matrices.y, vectors.y, 99, true);
    assert_numbers(&vectors, matrices.x, other.x, 99, false);
    dataset_free(&matrices);
    dataset_free(&vectors);
    dataset_free(&other);
}

static const struct CMUnitTest facts[] = {
    FACT(matrices_are_square_but_for_rows_and_columns),
    FACT(n_is_256_for_matrices_and_4096_for_vectors),
    FACT(the_canonical_text_has_rows_and_columns),
    FACT(rows_and_columns_sweep),
    FACT(numbers_are_those_of_vectors_row_after_row),
    FACT(every_family_of_vectors_makes_matrices_or_says_why_not),
    FACT(families_of_matrices_have_numbers_of_every_seed_and_format),
    FACT(a_file_has_its_shape_or_is_given_one),
    FACT(a_file_and_a_family_share_n),
    FACT(shapes_that_do_not_go_together_are_refused),
    FACT(vectors_still_take_any_shape),
    FACT(what_has_no_meaning_for_matrices_is_refused),
    FACT(numbers_left_out_of_a_matrix_are_refused),
    FACT(vectors_have_no_rows_and_columns),
    FACT(matrices_are_no_formula_and_random_if_one_is),
    FACT(a_trial_that_permutes_keeps_the_product),
    FACT(one_row_and_one_column_are_permuted_as_two_vectors_are),
};

int main(void)
{
    ADD_FACTS(facts);
    return run_all_tests();
}
