/* Matrices for grading: what their cards say of them. */
#include "tests/support/program.h"

#include "datasets/dataset.h"
#include "reference/matrix.h"
#include "src/grade/grade.h"

#include <math.h>

enum { N = 32 };
static const struct sum_format *const wide = &sum_format_binary32;

/* Both matrices and the exact elements of their product. */
struct pair {
    double a[N][N], b[N][N];
    float held_a[N * N], held_b[N * N];
    struct exact_element exact[N][N];
};

static struct generator_call make_pair(int family, uint64_t seed, uint64_t sample, struct pair *pair)
{
    struct generator_call call;
    assert_int_equal(grade_call(family, wide, N, seed, sample, &call), OK);
    matrices_fill(grade_families[family], &call, pair->held_a, pair->held_b);
    for (int i = 0; i < N * N; i++) {
        pair->a[i / N][i % N] = (double)pair->held_a[i];
        pair->b[i / N][i % N] = (double)pair->held_b[i];
    }
    assert_int_equal(exact_matrix(&(struct matrix_product){.format = wide->stored,
                                                           .result = wide->result,
                                                           .rows = N,
                                                           .inner = N,
                                                           .columns = N,
                                                           .a = {pair->held_a, N, 1},
                                                           .b = {pair->held_b, N, 1}},
                                  0, pair->exact[0]),
                     OK);
    return call;
}

static void zeros_of_a_row_and_its_column_complement_each_other(void **state)
{
    struct pair pair;
    (void)state;
    const struct generator_call call = make_pair(ZEROS, 1, 0, &pair);
    int zeros_of_a = 0, zeros_of_c = 0;
    for (unsigned i = 0; i < N; i++) {
        const unsigned j = (unsigned)((i + call.whole[MATRIX_SHIFT]) % N);
        for (unsigned k = 0; k < N; k++) {
            zeros_of_a += pair.a[i][k] == 0;
            assert_true((pair.a[i][k] == 0) != (pair.b[k][j] == 0));
            zeros_of_c += pair.exact[i][k].sum_abs_above == 0;
        }
        assert_true(pair.exact[i][j].sum_abs_above == 0);
    }
    assert_in_range(zeros_of_a, N * N * 2 / 5, N * N * 3 / 5);
    assert_in_range(zeros_of_c, N, 2 * N); /* the twin: others are no zeros */
}

/* Least and largest exponent of a matrix, and of the elements of a product that `blocks` has for judging. */
static void exponents_of(double (*matrix)[N], int *least, int *most)
{
    *least = 2000, *most = -2000;
    for (int i = 0; i < N * N; i++) {
        const int exponent = ilogb(matrix[i / N][i % N]);
        *least = exponent < *least ? exponent : *least;
        *most = exponent > *most ? exponent : *most;
    }
}

static void scales_reach_the_ends_of_the_format_and_cancel(void **state)
{
    struct pair pair;
    int least, most;
    (void)state;
    make_pair(SCALES, 1, 0, &pair);
    exponents_of(pair.a, &least, &most);
    assert_true(least == -126 && most == 126);
    exponents_of(pair.b, &least, &most);
    assert_true(least == -126 && most == 126);
    for (int i = 0; i < N * N; i++)
        assert_true(pair.exact[i / N][i % N].nearest >= N && pair.exact[i / N][i % N].nearest < 4 * N);
}

static void blocks_have_eight_scales_and_the_largest_last(void **state)
{
    struct pair pair;
    (void)state;
    const struct generator_call call = make_pair(BLOCKS, 1, 0, &pair);
    for (int k = 0; k < N; k++) {
        const int range = (int)call.whole[MATRIX_RANGE];
        assert_true(ilogb(pair.a[N - 1][k]) == range && ilogb(pair.b[k][N - 1]) == range);
        for (int i = 0; i < N - 1; i++)
            assert_true(ilogb(pair.a[i][k]) == ilogb(pair.a[0][k % BLOCK]) &&
                        ilogb(pair.b[k][i]) == -ilogb(pair.a[0][k]));
    }
    for (int i = 0; i < (N - 1) * N; i++) /* but the last row */
        assert_true(i % N == N - 1 ||
                    (pair.exact[i / N][i % N].nearest >= N && pair.exact[i / N][i % N].nearest < 4 * N));
    assert_true(isfinite(pair.exact[N - 1][N - 1].nearest) && pair.exact[N - 1][N - 1].nearest > 0x1p60);
}

static void every_seed_and_sample_has_matrices_of_its_own(void **state)
{
    static struct pair pairs[3];
    (void)state;
    for (int family = 0; family < GRADE_TESTS; family++) {
        make_pair(family, 1, 0, &pairs[0]);
        make_pair(family, 1, 0, &pairs[1]);
        assert_memory_equal(&pairs[0], &pairs[1], sizeof *pairs);
        make_pair(family, 1, 1, &pairs[1]);
        make_pair(family, 2, 0, &pairs[2]);
        for (int other = 1; other < 3; other++)
            assert_true(memcmp(pairs[0].a, pairs[other].a, sizeof pairs[0].a) != 0 &&
                        memcmp(pairs[0].b, pairs[other].b, sizeof pairs[0].b) != 0);
        assert_true(memcmp(pairs[0].a, pairs[0].b, sizeof pairs[0].a) != 0);
    }
}

/* Trial K of a seed is sample K. */
static void a_spec_names_the_matrices_of_grade(void **state)
{
    static struct pair pair;
    (void)state;
    for (int family = 0; family < GRADE_TESTS; family++)
        for (uint64_t trial = 0; trial < 2; trial++) {
            char text[32];
            struct data_spec *spec;
            struct dataset data;
            size_t count;
            snprintf(text, sizeof text, "%s:n=%d", grade_families[family]->id, N);
            assert_int_equal(data_specs_read(text, "--data", NONFINITE_REFUSE, &spec, &count), OK);
            assert_int_equal(data_spec_set_kind(spec, TWO_MATRICES, "--data"), OK);
            assert_int_equal(dataset_make(spec, 7, trial, &data), OK);
            make_pair(family, 7, trial, &pair);
            assert_memory_equal(data.x, pair.held_a, sizeof pair.held_a);
            assert_memory_equal(data.y, pair.held_b, sizeof pair.held_b);
            make_pair(family, 7, trial + 1, &pair); /* the twin */
            assert_memory_not_equal(data.x, pair.held_a, sizeof pair.held_a);
            dataset_free(&data);
            data_specs_free(spec, 1);
        }
}

static const struct CMUnitTest facts[] = {
    FACT(zeros_of_a_row_and_its_column_complement_each_other),
    FACT(scales_reach_the_ends_of_the_format_and_cancel),
    FACT(blocks_have_eight_scales_and_the_largest_last),
    FACT(every_seed_and_sample_has_matrices_of_its_own),
    FACT(a_spec_names_the_matrices_of_grade),
};

int main(void)
{
    ADD_FACTS(facts);
    return run_all_tests();
}
