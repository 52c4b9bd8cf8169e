/* On a GPU: black boxes that multiply matrices.  Each is as accurate as its mode promises, on shapes that no tile
 * divides, and repeats its bits; beside our methods it is measured as `run` measures it.  Without one: 77, and why. */
#include "reference/matrix.h"
#include "src/base/format.h"
#include "src/base/workers.h"
#include "src/measure/measure.h"
#include "src/study/study.h"
#include "tests/support/on_device.h"
#include "tests/support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct launch any_launch = {1, 1};

/* Terms, rows, columns. */
static const struct shape shapes[] = {{129, 127, 65}, {1, 1, 1}, {1000, 3, 17}, {0, 3, 5}, {64, 128, 32}, {7, 1, 129}};
enum { SHAPES = sizeof shapes / sizeof *shapes, TIMES = 3 };

/* ---- a product ---- */

struct product {
    struct shape shape;
    void *a, *b, *c;
    uint64_t *bits, *again;
    struct exact_element *exact;
};

static void *numbers_of(const struct format *format, uint64_t n)
{
    void *numbers = malloc((n + 1) * sizeof(double));
    assert_non_null(numbers);
    for (uint64_t i = 0; i < n; i++)
        held_set(format, numbers, i, rounded_to((double)(int64_t)next_random() * 0x1p-62, format));
    return numbers;
}

/* Uploads A and B, too. */
static struct product product_of(const struct format *format, struct shape shape)
{
    const uint64_t count = shape_results(shape), a = shape.rows * shape.terms, b = shape.terms * shape.columns;
    struct product product = {shape,
                              numbers_of(format, a),
                              numbers_of(format, b),
                              malloc(count * sizeof(double)),
                              malloc(count * sizeof(uint64_t)),
                              malloc(count * sizeof(uint64_t)),
                              malloc(count * sizeof(struct exact_element))};
    assert_true(product.c && product.bits && product.again && product.exact);
    assert_int_equal(device_upload(device, format, product.a, a), OK);
    assert_int_equal(device_upload_second(device, format, product.b, b), OK);
    return product;
}

static void free_product(struct product *product)
{
    free(product->a);
    free(product->b);
    free(product->c);
    free(product->bits);
    free(product->again);
    free(product->exact);
}

/* ---- what a mode promises ---- */

/* The precision that factors may be rounded to: TF32 has 11 bits, as binary16 has. */
static int precision_of_factors(const struct method *method)
{
    return strcmp(method->order, "gemm_16bf") == 0                                             ? 8
           : strcmp(method->order, "gemm_tf32") == 0 || strcmp(method->order, "gemm_16f") == 0 ? 11
                                                                                               : 53;
}

/* Of what is added: Hopper's tensor cores keep 13 bits of a sum of fp8, truncated. */
static int precision_of_sums(const struct sum_format *formats)
{
    return formats->stored->bytes == 1 ? 13 : formats->added->precision;
}

static int precision_of_result(const struct method *method)
{
    return strstr(method->order, "rounded") ? 8 : method->format->precision;
}

/* |error| / (|A| |B|)_ij: additions and factors may be cut off, whose error is twice that of rounding to nearest. */
static double promised(const struct method *method, uint64_t terms)
{
    return ldexp((double)terms, 1 - precision_of_sums(method->sum_format)) + ldexp(1, -precision_of_result(method)) +
           2 * ldexp(1, 1 - precision_of_factors(method));
}

/* Elements of C whose error is larger; `shift`: each is held against the exact one of another place. */
static uint64_t count_beyond(const struct method *method, const struct product *of, uint64_t shift)
{
    const struct shape shape = of->shape;
    const uint64_t count = shape_results(shape);
    uint64_t beyond = 0;
    for (uint64_t i = 0; i < count; i++)
        held_set(method->format, of->c, i, format_value(method->format, of->bits[(i + shift) % count]));
    const struct matrix_product product = {
        .format = method->sum_format->stored,
        .result = method->format,
        .rows = shape.rows,
        .inner = shape.terms,
        .columns = shape.columns,
        .a = {of->a, shape.terms, 1},
        .b = {of->b, shape.columns, 1},
        .computed = {of->c, shape.columns, 1},
    };
    assert_int_equal(exact_matrix(&product, workers_cores(), of->exact), OK);
    for (uint64_t i = 0; i < count; i++)
        beyond += !(fabs(of->exact[i].error) <= promised(method, shape.terms) * of->exact[i].sum_abs_above);
    return beyond;
}

/* ---- tests ---- */

struct seen {
    uint64_t elements, beyond, beyond_elsewhere, moved;
    int products, refused;
};

static void look_at(const struct method *method, struct product *of, struct seen *seen)
{
    const uint64_t count = shape_results(of->shape);
    assert_int_equal(device_run(device, method, of->shape, any_launch, of->bits), OK);
    for (int i = 0; i < TIMES; i++) {
        assert_int_equal(device_run(device, method, of->shape, any_launch, of->again), OK);
        seen->moved += memcmp(of->bits, of->again, count * sizeof *of->bits) != 0;
    }
    const uint64_t beyond = count_beyond(method, of, 0);
    if (beyond > 0)
        print_message("%s, %d x %d x %d: %llu of %llu beyond what its mode promises\n", method->id, (int)of->shape.rows,
                      (int)of->shape.terms, (int)of->shape.columns, (unsigned long long)beyond,
                      (unsigned long long)count);
    seen->beyond += beyond;
    seen->beyond_elsewhere += count_beyond(method, of, 1);
    seen->elements += count;
    seen->products++;
}

static void look_at_all(const struct sum_format *formats, struct product *of, struct seen *seen)
{
    size_t count;
    char why[REASON_SIZE];
    const struct method *const *methods = method_table_for(OPERATION_matmul, formats, &count);
    for (size_t m = 0; m < count; m++)
        if (!methods[m]->replay && method_can_do(methods[m], any_launch, why))
            look_at(methods[m], of, seen);
        else
            seen->refused += !methods[m]->replay;
}

static void every_product_is_what_its_mode_promises_and_repeats_its_bits(void **state)
{
    struct seen seen = {0};
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++)
        for (int s = 0; s < SHAPES; s++) {
            struct product of = product_of(sum_formats[f]->stored, shapes[s]);
            look_at_all(sum_formats[f], &of, &seen);
            free_product(&of);
        }
    print_message("%d products, %llu elements, %llu beyond; %llu of another element; %d refused\n", seen.products,
                  (unsigned long long)seen.elements, (unsigned long long)seen.beyond,
                  (unsigned long long)seen.beyond_elsewhere, seen.refused);
    assert_true(seen.products > 0);
    assert_int_equal(seen.beyond, 0);
    assert_int_equal(seen.moved, 0);
    assert_true(seen.beyond_elsewhere > seen.elements / 2); /* the twin */
}

/* A case of `run --replay`: rows of a kernel and its replay have one digest, and those of a black box small errors. */
static void count_agreement(const struct study *study, const struct finished_case *finished, size_t *same,
                            size_t *differ, size_t *others)
{
    for (size_t r = 0; r < finished->row_count; r++)
        for (size_t q = 0; q < r; q++) {
            const struct measured *const kernel = &finished->rows[r], *const other = &finished->rows[q];
            const bool is_same = strcmp(kernel->digest, other->digest) == 0;
            if (kernel->backend == BACKEND_replay || other->backend != BACKEND_replay)
                continue;
            if (kernel->method == other->method)
                *(is_same ? same : differ) += 1;
            else
                *others += !is_same && study->methods[kernel->method]->replay;
        }
}

static void a_run_measures_products_of_the_data_that_it_has(void **state)
{
    char *globs[] = {"matmul:*/naive", "matmul:cublas/*", "matmul:cublaslt/*"};
    struct study study;
    struct finished_case finished;
    size_t same = 0, differ = 0, others = 0;
    (void)state;
    assert_int_equal(study_read(NULL, NULL, &study), OK);
    assert_int_equal(study_select_methods(&study, globs, 3, "test"), OK);
    study_clear_data(&study);
    assert_int_equal(study_add_data(&study, "uniform:n=100", 1, "test", NONFINITE_REFUSE), OK);
    assert_int_equal(study_set_vectors(&study), OK);
    assert_int_equal(study_set_launches(&study, "1", "32", "test"), OK);
    const struct measuring measuring = {
        .study = &study, .device = device, .replay_beside = true, .case_workers = workers_cores()};
    assert_int_equal(measure_cases(&measuring, &(uint64_t){0}, &(size_t){1}, &finished), OK);
    assert_false(finished.unfinished);
    for (size_t r = 0; r < finished.row_count; r++)
        assert_true(finished.rows[r].metrics[METRIC_backward_error] < 0x1p-8);
    count_agreement(&study, &finished, &same, &differ, &others);
    print_message("%zu rows; pairs of a kernel and a replay: %zu agree, %zu differ; of two methods %zu differ\n",
                  finished.row_count, same, differ, others);
    assert_true(same > 0 && differ == 0 && others > 0);
    finished_case_free(&finished);
    study_free(&study);
}

/* How far the modes of binary32 and binary64 are from the pedantic one, bit by bit: printed, since it is the library's
 * affair.  That those of fewer bits differ is the test's twin: modes are not taken for one another. */
static void modes_differ_in_bits(void **state)
{
    const struct sum_format *const formats[] = {&sum_format_binary32, &sum_format_binary64};
    (void)state;
    for (int f = 0; f < 2; f++) {
        size_t count;
        char why[REASON_SIZE];
        struct product of = product_of(formats[f]->stored, (struct shape){512, 256, 256});
        const uint64_t elements = shape_results(of.shape);
        const struct method *const *methods = method_table_for(OPERATION_matmul, formats[f], &count);
        const struct method *pedantic = NULL;
        for (size_t m = 0; m < count; m++)
            if (strcmp(methods[m]->order, "gemm_pedantic") == 0)
                pedantic = methods[m];
        assert_int_equal(device_run(device, pedantic, of.shape, any_launch, of.again), OK);
        for (size_t m = 0; m < count; m++) {
            uint64_t differ = 0;
            if (methods[m]->replay || !method_can_do(methods[m], any_launch, why))
                continue;
            assert_int_equal(device_run(device, methods[m], of.shape, any_launch, of.bits), OK);
            for (uint64_t i = 0; i < elements; i++)
                differ += of.bits[i] != of.again[i];
            print_message("%s: %llu of %llu elements are not those of gemm_pedantic\n", methods[m]->id,
                          (unsigned long long)differ, (unsigned long long)elements);
            if (precision_of_factors(methods[m]) < 24)
                assert_true(differ > elements / 2);
        }
        free_product(&of);
    }
}

/* Elements of a product of fp8 that differ; K = 2048 is 64 blocks of 32. */
static uint64_t differing(struct product *of, const char *box, const char *ours)
{
    uint64_t differ = 0;
    assert_int_equal(device_run(device, method_find(box), of->shape, any_launch, of->bits), OK);
    assert_int_equal(device_run(device, method_find(ours), of->shape, any_launch, of->again), OK);
    for (uint64_t i = 0; i < shape_results(of->shape); i++)
        differ += of->bits[i] != of->again[i];
    print_message("%s, %s: %llu of %llu elements differ\n", box, ours, (unsigned long long)differ,
                  (unsigned long long)shape_results(of->shape));
    return differ;
}

/* With scales of 1 for each 128 of k as well; fast accumulation is another product, which is the twin. */
static void fp8_products_on_hopper_have_the_bits_of_wgmma(void **state)
{
    struct product of = product_of(&FORMAT_E4M3, (struct shape){2048, 256, 128});
    (void)state;
    if (strcmp(device_facts(device)->capability, "9.0") != 0)
        skip();
    assert_int_equal(differing(&of, "matmul:cublaslt/gemm_fast@e4m3", "matmul:hopper_wgmma/chain@e4m3"), 0);
    assert_int_equal(differing(&of, "matmul:cublaslt/gemm@e4m3", "matmul:hopper_wgmma/promoted_4@e4m3"), 0);
    assert_int_equal(differing(&of, "matmul:cublaslt/gemm_fast_unsplit@e4m3", "matmul:hopper_wgmma/chain@e4m3"), 0);
    assert_int_equal(differing(&of, "matmul:cublaslt/gemm_scaled_128@e4m3", "matmul:hopper_wgmma/promoted_4@e4m3"), 0);
    assert_true(differing(&of, "matmul:cublaslt/gemm_fast@e4m3", "matmul:hopper_wgmma/promoted_4@e4m3") > 1000);
    free_product(&of);
}

/* Columns of A and rows of B whose scales make up for each other need more bits than emulation may keep. */
static void numbers_of_many_scales_are_not_emulated(void)
{
    const struct method *method = method_find("matmul:cublas/gemm_emulated@binary64");
    struct product of = product_of(&FORMAT_BINARY64, (struct shape){128, 128, 128});
    char text[REASON_SIZE] = "";
    for (int i = 0; i < 128 * 128; i++) {
        ((double *)of.a)[i] = ldexp(((double *)of.a)[i], 6 * (i % 128) - 384);
        ((double *)of.b)[i] = ldexp(((double *)of.b)[i], 384 - 6 * (i / 128));
    }
    assert_int_equal(device_upload(device, &FORMAT_BINARY64, of.a, 128 * 128), OK);
    assert_int_equal(device_upload_second(device, &FORMAT_BINARY64, of.b, 128 * 128), OK);
    assert_int_equal(device_run(device, method, of.shape, any_launch, of.bits), OK);
    assert_int_equal(device_run(device, method_find("matmul:cublas/gemm@binary64"), of.shape, any_launch, of.again),
                     OK);
    method->version(method, text);
    uint64_t differ = 0;
    for (uint64_t i = 0; i < shape_results(of.shape); i++)
        differ += of.bits[i] != of.again[i];
    print_message("%s; %llu elements are not those of gemm\n", text, (unsigned long long)differ);
    assert_non_null(strstr(text, "in native arithmetic: 1"));
    free_product(&of);
}

/* What cuBLAS says of emulated products is of them alone: the twin. */
static void emulated_products_say_how_many_bits_they_kept(void **state)
{
    static const char *const ids[] = {"matmul:cublas/gemm_emulated@binary64",
                                      "matmul:cublas/gemm_emulated_fixed@binary64", "matmul:cublas/gemm@binary64"};
    struct product of = product_of(&FORMAT_BINARY64, (struct shape){512, 512, 512});
    int said = 0;
    (void)state;
    for (int i = 0; i < 3; i++) {
        char why[REASON_SIZE], text[REASON_SIZE] = "";
        const struct method *method = method_find(ids[i]);
        if (!method_can_do(method, any_launch, why))
            continue;
        assert_int_equal(device_run(device, method, of.shape, any_launch, of.bits), OK);
        method->version(method, text);
        print_message("%s: %s\n", ids[i], text);
        assert_int_equal(strstr(text, "emulated products: ") != NULL, i < 2);
        assert_int_equal(strstr(text, "in native arithmetic: 0") != NULL, i < 2);
        said += i < 2;
    }
    print_message("%d said how\n", said);
    free_product(&of);
    if (said > 0)
        numbers_of_many_scales_are_not_emulated();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_product_is_what_its_mode_promises_and_repeats_its_bits),
        cmocka_unit_test(a_run_measures_products_of_the_data_that_it_has),
        cmocka_unit_test(modes_differ_in_bits),
        cmocka_unit_test(fp8_products_on_hopper_have_the_bits_of_wgmma),
        cmocka_unit_test(emulated_products_say_how_many_bits_they_kept),
    };
    seed_random(1);
    return run_on_device(tests, NULL, NULL);
}
