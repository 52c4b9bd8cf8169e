/* Matrix products: which terms are added in which order, what alpha and beta round, layouts, bad input. */
#include "matmul_problem.h"
#include "reference/rounding.h"
#include "tests/support/heard.h"

/* ---- orders ---- */

/* The dot product of row i and column j by a method of vectors, term t of which is number k_of[t] of both. */
static uint64_t dot_bits(const struct method *dot, const struct problem *problem, uint64_t i, uint64_t j,
                         const uint64_t *k_of, struct launch launch)
{
    const struct format *format = problem->formats->stored;
    const uint64_t n = problem->call.a.columns;
    double x[INNER], y[INNER];
    uint64_t bits = 0;
    for (uint64_t t = 0; t < n; t++) {
        held_set(format, x, t, number_at(format, &problem->call.a, i, k_of[t]));
        held_set(format, y, t, number_at(format, &problem->call.b, k_of[t], j));
    }
    const struct operands of = {format, dot->operation, {x, y}, shape_of_one(n)};
    assert_int_equal(method_replay(dot, &of, launch, 1, &bits), OK);
    return bits;
}

static const struct method *dot_of(const struct matmul_method *method, const char *order)
{
    char id[ID_SIZE];
    const bool is_binary32 = method->sum_format == &sum_format_binary32;
    snprintf(id, sizeof id, "%s:%s/%s%s%s", operation_table[operation_table[method->operation].terms].id,
             method->accumulator, order, is_binary32 ? "" : "@", is_binary32 ? "" : method->sum_format->id);
    assert_non_null(method_find(id));
    return method_find(id);
}

/* Elements that do not have the bits of the dot product, and of those how many were compared. */
struct compared {
    struct problem *problem;
    size_t elements, differ, others;
};

static void hold_to(const struct matmul_method *method, const char *order, const uint64_t *k_of, struct launch launch,
                    struct compared *so_far)
{
    struct problem *problem = so_far->problem;
    const struct method *dot = dot_of(method, order);
    compute(method, problem);
    for (uint64_t i = 0; i < problem->call.c.rows; i++)
        for (uint64_t j = 0; j < problem->call.c.columns; j++) {
            const uint64_t bits = dot_bits(dot, problem, i, j, k_of, launch);
            so_far->elements++;
            if (!format_same(dot->format, bits, bits_at(problem, i, j)))
                so_far->differ++;
        }
}

/* Left to right, and the twin: right to left. */
static void hold_to_serial(const struct matmul_method *method, void *context)
{
    struct compared *so_far = context, backwards = *so_far;
    uint64_t forward[INNER], back[INNER];
    const uint64_t n = so_far->problem->call.a.columns;
    for (uint64_t k = 0; k < n; k++) {
        forward[k] = k;
        back[k] = n - 1 - k;
    }
    if (method->parts > 1)
        return;
    hold_to(method, "serial", forward, (struct launch){1, 1}, so_far);
    hold_to(method, "serial", back, (struct launch){1, 1}, &backwards);
    so_far->others += backwards.differ;
}

static void naive_and_tiles_have_the_bits_of_the_serial_dot_product(void **state)
{
    static const uint64_t shapes[][3] = {{1, 1, 1}, {3, 37, 5}, {12, 129, 2}, {1, 64, 11}, {2, 16, 9}};
    struct compared all = {0};
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++)
        for (size_t s = 0; s < COUNT_OF(shapes); s++) {
            all.problem =
                problem_of(sum_formats[f], shapes[s][0], shapes[s][1], shapes[s][2], s == 3 ? TINY : ORDINARY);
            assert_true(visit_cells(sum_formats[f], hold_to_serial, &all) > 100 ||
                        sum_format_saturates(sum_formats[f]));
        }
    assert_int_equal(all.differ, 0);
    assert_true(all.elements > 20000 && all.others > all.elements / 10);
}

/* Part q of p, and of the grid of p threads, thread q: it adds the numbers q, q + p, ... */
static void hold_to_grid_stride(const struct matmul_method *method, void *context)
{
    struct compared *so_far = context;
    uint64_t k_of[INNER];
    if (method->parts == 1 || method->between == ROUNDED)
        return;
    for (uint64_t missing = 0; missing < 2; missing++) { /* the last part as long as the others, and shorter */
        const uint64_t run = 7, parts = method->parts, inner = parts * run - missing;
        so_far->problem = problem_of(method->sum_format, 2, inner, 3, ORDINARY);
        for (uint64_t t = 0; t < inner; t++)
            k_of[t] = t % parts * run + t / parts;
        hold_to(method, "strided_serial", k_of, (struct launch){(uint32_t)parts, 1}, so_far);
        struct compared twin = {so_far->problem, 0, 0, 0};
        hold_to(method, "strided_serial", k_of, (struct launch){(uint32_t)parts + 1, 1}, &twin);
        so_far->others += twin.differ;
    }
}

static void parts_are_merged_left_to_right(void **state)
{
    struct compared all = {0};
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++)
        visit_cells(sum_formats[f], hold_to_grid_stride, &all);
    assert_int_equal(all.differ, 0);
    assert_true(all.elements > 8000 && all.others > all.elements / 20);
}

/* Of 5 products, parts of 2: 4 parts are 3, since the last has none. */
static void parts_without_products_do_not_exist(void **state)
{
    (void)state;
    for (int f = 0; f < SUM_FORMATS && !sum_format_saturates(sum_formats[f]); f++) { /* those are the last */
        struct problem *problem = problem_of(sum_formats[f], 3, 5, 4, ORDINARY);
        const struct matmul_method *four = other(method_of("matmul:kahan/naive"), "split_4", sum_formats[f]);
        static double c[2 * SIDE * SIDE];
        assert_int_equal(matmul_parts(four, 5), 3);
        assert_int_equal(matmul_parts(four, 0), 1);
        compute(four, problem);
        memcpy(c, problem->c, sizeof c);
        compute(other(four, "split_3", sum_formats[f]), problem);
        assert_memory_equal(c, problem->c, sizeof c);
    }
    assert_int_equal(matmul_height(method_of("matmul:plain/split_4"), 5), 2 + 2);
    assert_int_equal(matmul_height(method_of("matmul:plain/split_4_rounded"), 5), 2);
    assert_int_equal(matmul_height(method_of("matmul:plain/naive"), 5), 5);
    assert_int_equal(matmul_height(method_of("matmul:plain/split_8"), 0), 0);
}

/* A rounded part is a product of its own, that C is added to. */
static void hold_to_products_of_the_parts(const struct matmul_method *method, void *context)
{
    struct compared *so_far = context;
    struct problem *problem = so_far->problem;
    struct matmul_call *call = &problem->call, whole = *call;
    static double c[2 * SIDE * SIDE];
    const struct matmul_method *naive = other(method, "naive", method->sum_format);
    const uint64_t inner = whole.a.columns, run = (inner + method->parts - 1) / method->parts;
    const size_t bytes = format_held(method->sum_format->stored)->bytes;
    if (method->between == STATES)
        return;
    compute(naive, problem);
    memcpy(c, problem->c, sizeof c);
    compute(method, problem);
    so_far->others += memcmp(c, problem->c, sizeof c) != 0;
    memcpy(c, problem->c, sizeof c);
    memcpy(problem->c, problem->c_before, sizeof problem->c);
    for (uint64_t k = 0; k < inner; k += run) {
        call->a.numbers = (char *)whole.a.numbers + k * whole.a.column_step * bytes;
        call->b.numbers = (char *)whole.b.numbers + k * whole.b.row_step * bytes;
        call->a.columns = call->b.rows = k + run < inner ? run : inner - k;
        call->beta = k > 0 || whole.beta;
        assert_int_equal(matmul_replay(naive, call, 1), OK);
    }
    *call = whole;
    so_far->elements++;
    so_far->differ += memcmp(c, problem->c, sizeof c) != 0;
}

static void rounded_parts_are_products_that_c_is_added_to(void **state)
{
    struct compared all = {0};
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++)
        for (int round = 0; round < 4; round++) {
            all.problem = problem_of(sum_formats[f], 3, 1 + below(40), 4, ORDINARY);
            all.problem->call.beta = round % 2;
            all.problem->call.alpha = round < 2 ? 1 : rounded_to(-1.375, sum_formats[f]->added);
            visit_cells(sum_formats[f], hold_to_products_of_the_parts, &all);
        }
    assert_int_equal(all.differ, 0);
    assert_true(all.elements > 3000 && all.others > all.elements / 4);
}

/* ---- alpha and beta ---- */

/* RN(x y + s) by MPFR. */
static double fused(double x, double y, double s, const struct format *format, mpfr_t exact)
{
    mpfr_set_d(exact, x, MPFR_RNDN);
    mpfr_mul_d(exact, exact, y, MPFR_RNDN);
    mpfr_add_d(exact, exact, s, MPFR_RNDN);
    return exact_round(exact, format);
}

/* The format in which the sum stays as it is added: RN(r) is its result. */
static const struct sum_format *unrounded(const struct sum_format *formats)
{
    for (int f = 0; f < SUM_FORMATS; f++)
        if (sum_formats[f]->stored == formats->stored && sum_formats[f]->added == formats->added &&
            sum_formats[f]->result == formats->added)
            return sum_formats[f];
    return NULL;
}

struct scaled {
    struct problem *problem;
    mpfr_t exact;
    size_t elements, others;
};

static void hold_to_alpha_and_beta(const struct matmul_method *method, void *context)
{
    struct scaled *so_far = context;
    struct problem *problem = so_far->problem;
    const struct matmul_call scaled = problem->call;
    const struct format *added = method->sum_format->added, *result = method->sum_format->result;
    static double r[2 * SIDE * SIDE];
    if (method->between == ROUNDED)
        return;
    struct matmul_matrix of_r = scaled.c;
    of_r.numbers = r;
    problem->call = (struct matmul_call){scaled.a, scaled.b, of_r, 1, 0};
    assert_int_equal(matmul_replay(other(method, method->order, unrounded(method->sum_format)), &problem->call, 1), OK);
    problem->call = scaled;
    compute(method, problem);
    struct matmul_matrix before = scaled.c;
    before.numbers = problem->c_before;
    for (uint64_t i = 0; i < of_r.rows; i++)
        for (uint64_t j = 0; j < of_r.columns; j++) {
            const double sum = number_at(added, &of_r, i, j), c = number_at(result, &before, i, j);
            const double product = fused(scaled.alpha, sum, 0, added, so_far->exact);
            const double of_both = scaled.beta ? fused(product, 1, c, added, so_far->exact) : product;
            const double at_once = fused(scaled.alpha, sum, scaled.beta ? c : 0, result, so_far->exact);
            assert_true(format_same(result, format_bits(result, rounded_to(of_both, result)), bits_at(problem, i, j)));
            so_far->elements++;
            so_far->others += at_once != rounded_to(of_both, result);
        }
}

static void alpha_and_beta_round_each_operation(void **state)
{
    struct scaled all = {0};
    (void)state;
    mpfr_init2(all.exact, 2500);
    for (int f = 0; f < SUM_FORMATS; f++)
        for (int round = 1; round < 4; round++) {
            all.problem = problem_of(sum_formats[f], 3, 1 + below(20), 4, ORDINARY);
            all.problem->call.beta = round % 2;
            all.problem->call.alpha = round < 2 ? 1 : rounded_to(1.3, sum_formats[f]->added);
            visit_cells(sum_formats[f], hold_to_alpha_and_beta, &all);
        }
    mpfr_clear(all.exact);
    assert_true(all.elements > 20000 && all.others > all.elements / 100); /* the twin: rounded once */
}

/* One element of three products in bfloat16, which has 8 bits; its neighbours of 1 are 2^-7 above, and what is added
 * has 24 bits. */
static double element_of(const char *id, const float x[3], const float y[3], double alpha, int beta, float c)
{
    float a[3], b[3];
    memcpy(a, x, sizeof a);
    memcpy(b, y, sizeof b);
    const struct matmul_call call = {matmul_row_major(a, 1, 3, 3), matmul_row_major(b, 3, 1, 1),
                                     matmul_row_major(&c, 1, 1, 1), alpha, beta};
    assert_int_equal(matmul_replay(method_of(id), &call, 1), OK);
    return (double)c;
}

static void ties_show_every_rounding(void **state)
{
    static const float above_tie[] = {1, 0x1p-8f, 0x1p-20f}, below_tie[] = {0, 0x1p-8f, -0x1p-15f};
    static const float ones[] = {1, 1, 0x1p-20f}, small[] = {1, 1, 0x1p-15f};
    static const char exact[] = "matmul_exact:superacc/naive@bfloat16";
    (void)state;
    /* r = 1 + 2^-8 + 2^-40 is above a tie, and RN(r) one */
    assert_true(element_of(exact, above_tie, ones, 1, 0, 0) == 1 + 0x1p-7);
    assert_true(element_of(exact, above_tie, ones, -1, 0, 0) == -1);
    assert_true(element_of(exact, above_tie, ones, 1, 1, 0) == 1);
    /* r = 2^-8 - 2^-30, and r + 1 + 2^-7 is below a tie, RN(r + 1 + 2^-7) one */
    assert_true(element_of(exact, below_tie, small, 1, 1, 1 + 0x1p-7f) == 1 + 0x1p-6);
    assert_true(element_of(exact, below_tie, small, 1, 0, 0) == 0x1p-8);
}

static void c_is_not_read_where_beta_is_0(void **state)
{
    (void)state;
    struct problem *problem = problem_of(&sum_format_binary32, 2, 5, 3, ORDINARY);
    for (int beta = 0; beta < 2; beta++)
        for (int alpha = 1; alpha < 3; alpha++) {
            problem->call.beta = beta;
            problem->call.alpha = alpha;
            held_set(&FORMAT_BINARY32, problem->c_before, 0, (double)NAN);
            compute(method_of("matmul:plain/split_3"), problem);
            assert_int_equal(isnan(number_at(&FORMAT_BINARY32, &problem->call.c, 0, 0)) != 0, beta);
        }
}

/* ---- shapes and layouts ---- */

static void an_empty_inner_dimension_is_a_sum_without_terms(const struct matmul_method *method, void *context)
{
    struct problem *problem = context;
    for (int beta = 0; beta < 2; beta++) {
        problem->call.beta = beta;
        compute(method, problem);
        for (uint64_t i = 0; i < 3; i++)
            for (uint64_t j = 0; j < 2; j++) {
                struct matmul_matrix before = problem->call.c;
                before.numbers = problem->c_before;
                const double c = number_at(method->sum_format->result, &before, i, j);
                assert_true(c != 0);
                assert_true(bits_at(problem, i, j) == format_bits(method->sum_format->result, beta ? c : 0));
            }
    }
}

static void c_is_0_or_what_it_was_where_the_inner_dimension_is_empty(void **state)
{
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++)
        visit_cells(sum_formats[f], an_empty_inner_dimension_is_a_sum_without_terms,
                    problem_of(sum_formats[f], 3, 0, 2, ORDINARY));
    struct problem *problem = problem_of(&sum_format_binary32, 0, 4, 2, ORDINARY);
    compute(method_of("matmul:plain/naive"), problem);
    problem = problem_of(&sum_format_binary32, 4, 4, 0, ORDINARY);
    compute(method_of("matmul:plain/naive"), problem);
}

/* The same numbers column-major, and C^T = B^T A^T. */
static void hold_layouts(const struct matmul_method *method, void *context)
{
    struct problem *problem = context;
    const struct format *stored = method->sum_format->stored, *result = method->sum_format->result;
    const struct matmul_call rows = problem->call;
    static double a[2 * ROOM], b[2 * ROOM], c[2 * SIDE * SIDE];
    const struct matmul_call columns = {
        matmul_column_major(a, rows.a.rows, rows.a.columns, rows.a.rows + 1),
        matmul_transposed(matmul_row_major(b, rows.b.columns, rows.b.rows, rows.b.rows)),
        matmul_column_major(c, rows.c.rows, rows.c.columns, rows.c.rows + 2),
        rows.alpha,
        rows.beta,
    };
    const uint64_t behind_rows = rows.c.columns; /* PADDED numbers that are no element */
    for (uint64_t i = 0; i < rows.a.rows; i++)
        for (uint64_t k = 0; k < rows.a.columns; k++)
            held_set(stored, a, k * (rows.a.rows + 1) + i, number_at(stored, &rows.a, i, k));
    for (uint64_t k = 0; k < rows.b.rows; k++)
        for (uint64_t j = 0; j < rows.b.columns; j++)
            held_set(stored, b, j * rows.b.rows + k, number_at(stored, &rows.b, k, j));
    compute(method, problem);
    assert_int_equal(matmul_replay(method, &columns, 1), OK);
    size_t others = 0;
    for (uint64_t i = 0; i < rows.c.rows; i++)
        for (uint64_t j = 0; j < rows.c.columns; j++) {
            assert_true(bits_at(problem, i, j) == format_bits(result, number_at(result, &columns.c, i, j)));
            others += bits_at(problem, i, j) != bits_at(problem, j % rows.c.rows, i % rows.c.columns);
        }
    assert_true(others > 0); /* the twin: a transposed C is another */
    for (uint64_t i = 0; i + 1 < rows.c.rows; i++)
        for (uint64_t k = 0; k < PADDED; k++) {
            const uint64_t at = i * rows.c.row_step + behind_rows + k;
            assert_true(same_double(held_number(result, problem->c, at), held_number(result, problem->c_before, at)));
        }
}

static void no_bit_depends_on_the_layout(void **state)
{
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++)
        visit_cells(sum_formats[f], hold_layouts, problem_of(sum_formats[f], 5, 21, 7, ORDINARY));
}

/* More columns than are updated side by side, and enough products for threads. */
enum { N = 131 };

struct wide {
    float a[N * N], b[N * N], c[N * N];
};

static struct wide *wide_problem(void)
{
    static struct wide wide;
    for (size_t i = 0; i < N * N; i++) {
        wide.a[i] = (float)some_number(&FORMAT_BINARY32, ORDINARY);
        wide.b[i] = (float)some_number(&FORMAT_BINARY32, ORDINARY);
    }
    return &wide;
}

/* `columns` of B and C from the first on. */
static void multiply(const struct matmul_method *method, struct wide *wide, uint64_t first, uint64_t columns,
                     unsigned workers)
{
    const struct matmul_call call = {matmul_row_major(wide->a, N, N, N),
                                     matmul_row_major(wide->b + first, N, columns, N),
                                     matmul_row_major(wide->c + first, N, columns, N), 1, 0};
    assert_int_equal(matmul_replay(method, &call, workers), OK);
}

static void no_bit_depends_on_the_number_of_workers(void **state)
{
    static const char *const ids[] = {"matmul:plain/naive", "matmul:kahan/split_3", "matmul_exact:binary64/tile_16",
                                      "matmul:double_float/split_5_rounded"};
    struct wide *wide = wide_problem();
    static float c[N * N];
    (void)state;
    for (size_t m = 0; m < COUNT_OF(ids); m++) {
        multiply(method_of(ids[m]), wide, 0, N, 1);
        assert_true(memcmp(c, wide->c, sizeof c) != 0); /* of the method before */
        memcpy(c, wide->c, sizeof c);
        for (unsigned workers = 2; workers <= 7; workers++) {
            memset(wide->c, 0xff, sizeof wide->c);
            multiply(method_of(ids[m]), wide, 0, N, workers);
            assert_memory_equal(c, wide->c, sizeof c);
        }
    }
}

static void no_column_depends_on_the_others(void **state)
{
    const struct matmul_method *method = method_of("matmul:plain/naive");
    struct wide *wide = wide_problem();
    static float c[N * N];
    (void)state;
    multiply(method, wide, 0, N, 1);
    memcpy(c, wide->c, sizeof c);
    memset(wide->c, 0xff, sizeof wide->c);
    for (uint64_t column = 0; column < N; column++)
        multiply(method, wide, column, 1, 1);
    assert_memory_equal(c, wide->c, sizeof c);
    wide->b[1]++; /* the twin */
    multiply(method, wide, 1, 1, 1);
    assert_memory_not_equal(c, wide->c, sizeof c);
}

/* ---- bad input ---- */

static void refuses(const struct matmul_call *call, const char *saying)
{
    struct heard heard = listen_to_stderr();
    const enum status status = matmul_replay(method_of("matmul:plain/naive"), call, 1);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    if (!strstr(heard.text, saying) || !strstr(heard.text, "expected") || !strstr(heard.text, ", found"))
        fail_msg("found \"%s\", without \"%s\"", heard.text, saying);
}

static void calls_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    const struct matmul_call fine = problem_of(&sum_format_binary32, 3, 4, 5, ORDINARY)->call;
    struct matmul_call call = fine;
    assert_int_equal(matmul_replay(method_of("matmul:plain/naive"), &fine, 1), OK); /* the twin of all that follow */
    call.b.rows = 5;
    refuses(&call, "4 columns of A as its rows, found 5");
    call = fine;
    call.c.rows = 4;
    refuses(&call, "C of 3 x 5, found 4 x 5");
    call = fine;
    call.c.columns = 4;
    refuses(&call, "C of 3 x 5, found 3 x 4");
    call = fine;
    call.a.row_step = 3;
    refuses(&call, "A: expected 3 x 4 elements at as many places, found the steps 3, 1");
    call = fine;
    call.b.column_step = 0;
    refuses(&call, "B: expected");
    call = fine;
    call.c = matmul_column_major(fine.c.numbers, 3, 5, 2);
    refuses(&call, "C: expected 3 x 5 elements at as many places, found the steps 1, 2");
    call = fine;
    call.alpha = 1 + 0x1p-30;
    refuses(&call, "alpha in binary32");
    call.alpha = (double)INFINITY;
    refuses(&call, "alpha in binary32");
    call = fine;
    call.beta = 2;
    refuses(&call, "beta 0 or 1, found 2");
}

static void an_id_says_the_operation_and_the_format(void **state)
{
    (void)state;
    size_t count;
    const struct matmul_method *methods = matmul_table(OPERATION_matmul, &sum_format_binary32, &count);
    assert_int_equal(count, 5 * 17);
    assert_string_equal(methods[0].id, "matmul:plain/naive");
    assert_int_equal(method_of("matmul_exact:superacc/split_4@bfloat16")->parts, 4);
    assert_int_equal(method_of("matmul_fma:plain/split_2_rounded@binary64")->between, ROUNDED);
    assert_ptr_equal(matmul_find("matmul:plain/naive@binary32"), &methods[0]);
    assert_null(matmul_find("matmul_fma:kahan/naive"));
    assert_null(matmul_find("matmul:plain/split_9"));
    assert_null(matmul_find("dot:plain/naive"));
    assert_non_null(strstr(matmul_absent(OPERATION_matmul_fma, &sum_format_binary32, "kahan"), "in plain"));
    assert_non_null(strstr(matmul_absent(OPERATION_matmul, &sum_format_binary64, "binary64"), "plain here"));
    assert_non_null(strstr(matmul_absent(OPERATION_matmul, &sum_format_binary32, "klein"), "matmul_accumulators.def"));
    assert_null(matmul_absent(OPERATION_matmul_exact, &sum_format_binary32, "superacc"));
}

int main(void)
{
    seed_random(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(naive_and_tiles_have_the_bits_of_the_serial_dot_product),
        cmocka_unit_test(parts_are_merged_left_to_right),
        cmocka_unit_test(parts_without_products_do_not_exist),
        cmocka_unit_test(rounded_parts_are_products_that_c_is_added_to),
        cmocka_unit_test(alpha_and_beta_round_each_operation),
        cmocka_unit_test(ties_show_every_rounding),
        cmocka_unit_test(c_is_not_read_where_beta_is_0),
        cmocka_unit_test(c_is_0_or_what_it_was_where_the_inner_dimension_is_empty),
        cmocka_unit_test(no_bit_depends_on_the_layout),
        cmocka_unit_test(no_bit_depends_on_the_number_of_workers),
        cmocka_unit_test(no_column_depends_on_the_others),
        cmocka_unit_test(calls_that_make_no_sense_are_refused),
        cmocka_unit_test(an_id_says_the_operation_and_the_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
