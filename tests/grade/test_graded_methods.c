/* Every matrix product of kernels/matmul.h passes, in each format; tests/grade/test_planted.c has those that must
 * fail. */
#include "tests/support/program.h"

#include "kernels/matmul.h"
#include "src/grade/grade_method.h"
#include "tests/support/grades.h"

enum { N = 32 };

/* A tile has the bits of naive, and parts are parts. */
static bool is_looked_at(const struct matmul_method *method)
{
    return strcmp(method->order, "naive") == 0 || method->parts == 3;
}

static void every_method_is_conventional_and_of_grade_a(void **state)
{
    size_t looked_at = 0, count;
    (void)state;
    for (int operation = 0; operation < OPERATIONS; operation++)
        for (int f = 0; f < SUM_FORMATS; f++) {
            const struct matmul_method *const table = matmul_table((enum operation)operation, sum_formats[f], &count);
            for (size_t m = 0; m < count; m++) {
                struct graded graded;
                if (!is_looked_at(&table[m]))
                    continue;
                looked_at++;
                assert_int_equal(grade_method(table[m].id, NULL, &graded), OK);
                const struct grade grade = grade_of(&graded, N, 1, 1, 0);
                if (!grade_passed(&grade))
                    fail_msg("%s: %s", table[m].id, grade_conclusion(&grade));
            }
        }
    assert_true(looked_at > 200);
}

static void the_page_names_the_method(void **state)
{
    (void)state;
    char *page = output_of("\"$ULPSCOPE\" grade matmul:kahan/split_2@binary64 --size-most 16 --samples 1");
    assert_non_null(strstr(page, "matmul:kahan/split_2@binary64\nbinary64; n = 16, 1 sample"));
    assert_non_null(strstr(page, "\npass: conventional, in floating point, rounded to nearest: grade A\n"));
    assert_non_null(
        strstr(page, "\ngrowth: no slope from fewer than two sizes with n^(3/2) u <= 1; 47.3 % of 256 are"));
    free(page);
    assert_refused("\"$ULPSCOPE\" grade matmul:kahan/split_22", 2, "did you mean \"matmul:kahan/split_2\"?");
}

static void a_black_box_without_a_gpu_is_refused(void **state)
{
    (void)state;
    assert_refused("\"$ULPSCOPE\" grade matmul:cublas/gemm --device host", 4, "needs a GPU");
    assert_refused("\"$ULPSCOPE\" grade matmul:cublas/gem", 2, "did you mean \"matmul:cublas/gemm\"?");
    assert_refused("\"$ULPSCOPE\" grade cub/device_reduce", 2, "is unknown");
}

static const struct CMUnitTest facts[] = {
    FACT(every_method_is_conventional_and_of_grade_a),
    FACT(the_page_names_the_method),
    FACT(a_black_box_without_a_gpu_is_refused),
};

int main(void)
{
    ADD_FACTS(facts);
    return run_all_tests();
}
