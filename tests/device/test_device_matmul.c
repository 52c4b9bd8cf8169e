/* On a GPU: every kernel of a matrix product gives the bits of its replay; the speed of the tiles beside a
 * tutorial's.  Without one: 77, and why. */
#define MATMUL_SIDE 129
#include "src/base/workers.h"
#include "tests/kernels/matmul_problem.h"
#include "tests/support/on_cuda.h"

#include "tutorial_tile.h"

enum { ROUNDS = 8, EIGHTH = 8, REPEATS = 5 };

/* ---- matrices on the device ---- */

/* Numbers from the first element to the last. */
static uint64_t span_of(const struct matmul_matrix *m)
{
    return m->rows == 0 || m->columns == 0 ? 0 : (m->rows - 1) * m->row_step + (m->columns - 1) * m->column_step + 1;
}

static void upload(const struct format *format, struct matmul_matrix *m)
{
    const size_t bytes = span_of(m) * format->bytes;
    void *stored = malloc(bytes + 1), *there;
    assert_non_null(stored);
    held_pack(format, m->numbers, span_of(m), stored);
    must(cudaMalloc(&there, bytes + 1));
    must(cudaMemcpy(there, stored, bytes, cudaMemcpyHostToDevice));
    free(stored);
    m->numbers = there;
}

/* The operands, and C as it is before each product. */
struct on_device {
    struct matmul_call call;
    void *c_before;
};

static struct on_device uploaded(const struct problem *problem)
{
    struct on_device there = {.call = problem->call};
    struct matmul_matrix before = problem->call.c;
    upload(problem->formats->stored, &there.call.a);
    upload(problem->formats->stored, &there.call.b);
    upload(problem->formats->result, &there.call.c);
    upload(problem->formats->result, &before);
    there.c_before = before.numbers;
    return there;
}

static void free_on_device(struct on_device *there)
{
    cudaFree(there->call.a.numbers);
    cudaFree(there->call.b.numbers);
    cudaFree(there->call.c.numbers);
    cudaFree(there->c_before);
}

static void run(const struct matmul_method *method, const struct matmul_call *call)
{
    void *scratch = NULL;
    assert_int_equal(matmul_check(method, call), OK);
    must(cudaMalloc(&scratch, method->verbs->matmul_on_device->scratch_bytes(method, call) + 1));
    must((cudaError_t)method->verbs->matmul_on_device->run(method, call, scratch, NULL));
    must(cudaDeviceSynchronize());
    cudaFree(scratch);
}

/* ---- bits ---- */

struct agreement {
    struct problem *problem;
    struct on_device there;
    uint64_t compared, differ, others;
    size_t calls;
};

/* Of all numbers from the first element of C on, those between the rows too, which no kernel may touch. */
static uint64_t differing(const struct matmul_method *method, const struct problem *problem, const void *computed)
{
    const struct format *format = method->sum_format->result;
    uint64_t differ = 0;
    for (uint64_t i = 0; i < span_of(&problem->call.c); i++)
        differ += !format_same(format, format_load(format, computed, i),
                               format_bits(format, held_number(format, problem->c, i)));
    return differ;
}

static void compare(const struct matmul_method *method, void *context)
{
    struct agreement *all = context;
    struct problem *problem = all->problem;
    const size_t bytes = span_of(&problem->call.c) * method->sum_format->result->bytes;
    void *computed = malloc(bytes + 1);
    assert_non_null(computed);
    assert_non_null(method->verbs->matmul_on_device);
    must(cudaMemcpy(all->there.call.c.numbers, all->there.c_before, bytes, cudaMemcpyDeviceToDevice));
    run(method, &all->there.call);
    must(cudaMemcpy(computed, all->there.call.c.numbers, bytes, cudaMemcpyDeviceToHost));
    compute_by(method, problem, workers_cores());
    const uint64_t differ = differing(method, problem, computed);
    if (differ > 0 && all->differ < 20 * span_of(&problem->call.c))
        print_message("%s, %llu x %llu x %llu, alpha %a, beta %d: %llu of %llu differ\n", method->id,
                      (unsigned long long)problem->call.c.rows, (unsigned long long)problem->call.a.columns,
                      (unsigned long long)problem->call.c.columns, problem->call.alpha, problem->call.beta,
                      (unsigned long long)differ, (unsigned long long)span_of(&problem->call.c));
    all->differ += differ;
    all->compared += problem->call.c.rows * problem->call.c.columns;
    if (all->calls++ % EIGHTH == 0) { /* the twin: another order */
        const bool is_last = strcmp(method->order, "split_7_rounded") == 0;
        compute_by(other(method, is_last ? "naive" : "split_7_rounded", method->sum_format), problem, workers_cores());
        all->others += differing(method, problem, computed);
    }
    free(computed);
}

/* Shapes that no tile divides, of one element, of an empty inner dimension, of whole tiles. */
static const uint64_t shapes[][3] = {{129, 129, 129}, {1, 0, 3}, {32, 64, 96}, {1, 129, 1}};

static struct problem *drawn(const struct sum_format *formats, int round)
{
    static const enum scale scales[] = {ORDINARY, TINY, ORDINARY, HUGE_NUMBERS};
    const bool is_fixed = round < (int)COUNT_OF(shapes);
    const uint64_t rows = is_fixed ? shapes[round][0] : 1 + below(SIDE),
                   inner = is_fixed ? shapes[round][1] : 1 + below(INNER),
                   columns = is_fixed ? shapes[round][2] : 1 + below(SIDE);
    struct problem *problem =
        problem_laid_out(formats, rows, inner, columns, scales[(size_t)round % COUNT_OF(scales)], (unsigned)below(8));
    for (uint64_t k = 0; k < inner; k += 5) { /* products that are +0 and -0 */
        held_set(formats->stored, problem->a, k * problem->call.a.column_step, k % 2 ? 0.0 : -0.0);
        held_set(formats->stored, problem->b, k * problem->call.b.row_step, k % 3 ? 0.0 : -0.0);
    }
    problem->call.alpha = round % 3 ? 1 : rounded_to(-1.3, formats->added);
    problem->call.beta = round / 2 % 2;
    return problem;
}

static void every_kernel_equals_its_replay(void **state)
{
    struct agreement all = {0};
    size_t cells = 0;
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++)
        for (int round = 0; round < ROUNDS; round++) {
            all.problem = drawn(sum_formats[f], round);
            all.there = uploaded(all.problem);
            const size_t visited = visit_cells(sum_formats[f], compare, &all);
            cells += round == 0 ? visited : 0;
            free_on_device(&all.there);
        }
    print_message("%zu methods, %zu matrix products, %llu elements compared, %llu differ; %llu from another order\n",
                  cells, all.calls, (unsigned long long)all.compared, (unsigned long long)all.differ,
                  (unsigned long long)all.others);
    assert_int_equal(all.differ, 0);
    assert_true(cells > 2000 && all.others > all.compared / 100);
}

/* ---- speed ---- */

enum { SPEED_N = 4096, CHECKED_N = 128 };

struct square {
    float *a, *b, *c; /* device memory */
    unsigned n;
};

static struct square square_of(unsigned n)
{
    struct square square = {.n = n};
    const size_t count = (size_t)n * n;
    float *numbers = malloc(count * sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)some_number(&FORMAT_BINARY32, ORDINARY);
    must(cudaMalloc((void **)&square.a, count * sizeof(float)));
    must(cudaMalloc((void **)&square.b, count * sizeof(float)));
    must(cudaMalloc((void **)&square.c, count * sizeof(float)));
    must(cudaMemcpy(square.a, numbers, count * sizeof(float), cudaMemcpyHostToDevice));
    must(cudaMemcpy(square.b, numbers, count * sizeof(float), cudaMemcpyHostToDevice));
    free(numbers);
    return square;
}

static void free_square(struct square *square)
{
    cudaFree(square->a);
    cudaFree(square->b);
    cudaFree(square->c);
}

/* C by the method, or by the tutorial where there is none. */
static void multiply(const struct matmul_method *method, int tile, const struct square *of)
{
    const struct matmul_call call = {matmul_row_major(of->a, of->n, of->n, of->n),
                                     matmul_row_major(of->b, of->n, of->n, of->n),
                                     matmul_row_major(of->c, of->n, of->n, of->n), 1, 0};
    if (method)
        must((cudaError_t)method->verbs->matmul_on_device->run(method, &call, NULL, NULL));
    else
        tutorial_tile(tile, of->a, of->b, of->c, of->n);
    must(cudaGetLastError());
}

/* The least milliseconds of REPEATS, after a first. */
static double time_of(const struct matmul_method *method, int tile, const struct square *of)
{
    double least = (double)INFINITY;
    cudaEvent_t start, stop;
    must(cudaEventCreate(&start));
    must(cudaEventCreate(&stop));
    for (int r = 0; r <= REPEATS; r++) {
        float milliseconds;
        must(cudaEventRecord(start, NULL));
        multiply(method, tile, of);
        must(cudaEventRecord(stop, NULL));
        must(cudaEventSynchronize(stop));
        must(cudaEventElapsedTime(&milliseconds, start, stop));
        least = r == 0 ? least : fmin(least, (double)milliseconds);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return least;
}

/* What the speed is held against is the same product: its bits are those of fused products, left to right. */
static void the_tutorial_computes_the_product(void **state)
{
    static float tutorial[CHECKED_N * CHECKED_N], fused[CHECKED_N * CHECKED_N], rounded[CHECKED_N * CHECKED_N];
    struct square square = square_of(CHECKED_N);
    (void)state;
    for (int tile = 16; tile <= 32; tile += 16) {
        multiply(NULL, tile, &square);
        must(cudaMemcpy(tutorial, square.c, sizeof tutorial, cudaMemcpyDeviceToHost));
        multiply(method_of("matmul_fma:plain/tile_16"), 0, &square);
        must(cudaMemcpy(fused, square.c, sizeof fused, cudaMemcpyDeviceToHost));
        multiply(method_of("matmul:plain/tile_16"), 0, &square);
        must(cudaMemcpy(rounded, square.c, sizeof rounded, cudaMemcpyDeviceToHost));
        assert_memory_equal(tutorial, fused, sizeof fused);
        assert_true(memcmp(tutorial, rounded, sizeof rounded) != 0);
    }
    free_square(&square);
}

static void speeds_beside_a_tutorial_are_printed(void **state)
{
    static const char *const ids[] = {"matmul:plain/tile_16", "matmul:plain/tile_32", "matmul_fma:plain/tile_16",
                                      "matmul_fma:plain/tile_32"};
    struct square square = square_of(SPEED_N);
    const double gigaflop = 2e-9 * SPEED_N * SPEED_N * SPEED_N;
    (void)state;
    for (size_t m = 0; m < COUNT_OF(ids); m++) {
        const int tile = m % 2 ? 32 : 16;
        const double tutorial = time_of(NULL, tile, &square), ours = time_of(method_of(ids[m]), tile, &square);
        print_message("%s: %.0f GFLOP/s, the tutorial's tile of %d %.0f: %.3f of its speed\n", ids[m],
                      1e3 * gigaflop / ours, tile, 1e3 * gigaflop / tutorial, tutorial / ours);
    }
    free_square(&square);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_equals_its_replay),
        cmocka_unit_test(the_tutorial_computes_the_product),
        cmocka_unit_test(speeds_beside_a_tutorial_are_printed),
    };
    if (!found_cuda())
        return SKIPPED;
    seed_random(1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
