/* Which change changed the bits: columns, cells, sentences and the picture of variations that were made by hand. */
#include "reports/axes/axis_matrix.h"

#include "src/base/fp.h"
#include "src/measure/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- two methods on two data sets ---- */

static char small[] = "uniform:n=8", large[] = "uniform:n=64", none[] = "", four_bytes[] = "4 bytes",
            row_three[] = "row 3 of 4", no_rows[] = "its kernels take no rows", died[] = "it died of signal 11",
            command[] = "ulpscope run ...";
static struct method_record methods[] = {{.id = "plain/serial"}, {.id = "kahan/serial"}};

static struct varied_axis varied(const char *method, const char *data, enum axis axis, uint64_t results)
{
    return (struct varied_axis){
        .method = method,
        .data = data,
        .format = &FORMAT_BINARY32,
        .backend = BACKEND_OF(replay),
        .axis = axis,
        .variants = 16,
        .results = results,
        .spread = results > 1 ? 0.5 * (double)results : 0,
        .first = results > 1 ? four_bytes : none,
        .base = 0x3f800000,
        .bits = results > 1 ? 0x3f800001 : 0x3f800000,
        .why = none,
        .command = command,
    };
}

static struct axis_matrix matrix_of(struct varied_axis *variations, size_t count)
{
    const struct results results = {
        .study = {.methods = methods, .method_count = 2}, .variations = variations, .variation_count = count};
    struct axis_matrix matrix;
    axis_matrix_make(&results, &matrix);
    return matrix;
}

static void expect_text(const struct axis_cell *cell, const char *expected)
{
    char text[AXIS_TEXT];
    axis_cell_text(cell, text);
    assert_string_equal(text, expected);
}

static void expect_sentence(const struct axis_column *column, const char *expected)
{
    char *sentence = axis_sentence(column);
    assert_string_equal(sentence, expected);
    free(sentence);
}

/* ---- cells and columns ---- */

static void a_run_that_varied_nothing_has_no_column(void **state)
{
    (void)state;
    struct axis_matrix matrix = matrix_of(NULL, 0);
    assert_int_equal(matrix.count, 0);
    axis_matrix_free(&matrix);
}

static void all_data_are_one_column(void **state)
{
    (void)state;
    struct varied_axis variations[] = {
        varied("plain/serial", small, AXIS_alignment, 2), varied("plain/serial", small, AXIS_batch, 1),
        varied("plain/serial", large, AXIS_alignment, 3), varied("plain/serial", large, AXIS_batch, 1)};
    struct axis_matrix matrix = matrix_of(variations, 4);
    assert_int_equal(matrix.count, 1);
    assert_string_equal(matrix.columns[0].name, "plain/serial");
    expect_text(&matrix.columns[0].cells[AXIS_alignment], "3 results, up to 1.50 ulp");
    expect_text(&matrix.columns[0].cells[AXIS_batch], "same");
    expect_text(&matrix.columns[0].cells[AXIS_launch], "");
    assert_ptr_equal(matrix.columns[0].cells[AXIS_alignment].witness, &variations[0]);
    assert_true(axis_is_in(&matrix, AXIS_batch));
    assert_false(axis_is_in(&matrix, AXIS_launch));
    axis_matrix_free(&matrix);
}

static void what_changes_on_some_data_changes_in_the_column(void **state)
{
    (void)state;
    struct varied_axis variations[] = {varied("plain/serial", small, AXIS_alignment, 1),
                                       varied("plain/serial", large, AXIS_alignment, 3)};
    struct axis_matrix matrix = matrix_of(variations, 2);
    assert_int_equal(matrix.count, 1);
    expect_text(&matrix.columns[0].cells[AXIS_alignment], "3 results, up to 1.50 ulp");
    assert_ptr_equal(matrix.columns[0].cells[AXIS_alignment].witness, &variations[1]);
    axis_matrix_free(&matrix);
}

static void a_method_on_two_backends_has_two_columns(void **state)
{
    (void)state;
    struct varied_axis variations[] = {varied("kahan/serial", small, AXIS_launch, 1),
                                       varied("kahan/serial", small, AXIS_launch, 2)};
    variations[1].backend = BACKEND_OF(cuda);
    struct axis_matrix matrix = matrix_of(variations, 2);
    assert_int_equal(matrix.count, 2);
    assert_string_equal(matrix.columns[0].name, "kahan/serial (replay)");
    assert_string_equal(matrix.columns[1].name, "kahan/serial (cuda)");
    axis_matrix_free(&matrix);
}

static void a_result_that_is_no_number_is_told(void **state)
{
    (void)state;
    struct varied_axis variations[] = {varied("plain/serial", small, AXIS_padding, 2),
                                       varied("plain/serial", large, AXIS_padding, 3)};
    variations[0].spread = NAN;
    struct axis_matrix matrix = matrix_of(variations, 2);
    assert_int_equal(matrix.count, 1);
    expect_text(&matrix.columns[0].cells[AXIS_padding], "3 results, not all numbers");
    axis_matrix_free(&matrix);
}

/* ---- sentences ---- */

static void what_changes_the_bits_is_what_has_to_be_fixed(void **state)
{
    (void)state;
    struct varied_axis variations[] = {
        varied("plain/serial", small, AXIS_repeat, 1),    varied("plain/serial", small, AXIS_launch, 2),
        varied("plain/serial", small, AXIS_alignment, 2), varied("plain/serial", small, AXIS_batch, 2),
        varied("kahan/serial", small, AXIS_repeat, 1),    varied("kahan/serial", small, AXIS_launch, 2),
    };
    struct axis_matrix matrix = matrix_of(variations, 6);
    expect_sentence(&matrix.columns[0],
                    "plain/serial: same bits as long as the launch, the alignment and the batch are fixed");
    expect_sentence(&matrix.columns[1], "kahan/serial: same bits as long as the launch is fixed");
    axis_matrix_free(&matrix);
    variations[5].results = 1;
    variations[0].results = 2;
    matrix = matrix_of(variations, 6);
    expect_sentence(&matrix.columns[0], "plain/serial: fixed by nothing: a second call may give other bits");
    expect_sentence(&matrix.columns[1], "kahan/serial: same bits whatever was varied");
    axis_matrix_free(&matrix);
}

static void what_was_not_varied_is_told_once_with_its_reason(void **state)
{
    (void)state;
    struct varied_axis variations[] = {
        varied("plain/serial", small, AXIS_batch, 0), varied("plain/serial", small, AXIS_process, 1),
        varied("kahan/serial", small, AXIS_batch, 0), varied("kahan/serial", small, AXIS_process, 1)};
    variations[0].variants = variations[2].variants = 0;
    variations[0].why = variations[2].why = no_rows;
    variations[3].why = died;
    struct axis_matrix matrix = matrix_of(variations, 4);
    char *reasons = axis_reasons(&matrix), *left = axes_left(&matrix);
    assert_string_equal(reasons, "process failed in part: it died of signal 11 (kahan/serial)\n"
                                 "batch was not varied: its kernels take no rows\n");
    assert_string_equal(left, "repeat,stream,beside,launch,alignment,padding,permutation,device");
    expect_text(&matrix.columns[1].cells[AXIS_batch], "not varied");
    expect_text(&matrix.columns[1].cells[AXIS_process], "failed");
    expect_sentence(&matrix.columns[0], "plain/serial: same bits whatever was varied");
    expect_sentence(&matrix.columns[1], "kahan/serial: same bits as long as the process is fixed");
    free(reasons);
    free(left);
    axis_matrix_free(&matrix);
    matrix = matrix_of(variations, 1);
    expect_sentence(&matrix.columns[0], "plain/serial: nothing could be varied");
    axis_matrix_free(&matrix);
}

/* Though none of its repeats shows it, and whatever other data say. */
static void where_calls_differ_nothing_is_to_be_fixed(void **state)
{
    static char none_to_blame[] = AXIS_NONE_TO_BLAME;
    (void)state;
    struct varied_axis variations[] = {
        varied("plain/serial", small, AXIS_repeat, 1), varied("plain/serial", small, AXIS_launch, 2),
        varied("plain/serial", small, AXIS_padding, 1), varied("plain/serial", large, AXIS_padding, 3)};
    variations[2].variants = 0;
    variations[2].why = none_to_blame;
    struct axis_matrix matrix = matrix_of(variations, 4);
    char *reasons = axis_reasons(&matrix);
    expect_text(&matrix.columns[0].cells[AXIS_repeat], "same in 16 calls");
    expect_text(&matrix.columns[0].cells[AXIS_padding], "not varied");
    expect_sentence(&matrix.columns[0], "plain/serial: fixed by nothing: a second call may give other bits");
    assert_string_equal(reasons, "padding was not varied: " AXIS_NONE_TO_BLAME "\n");
    free(reasons);
    axis_matrix_free(&matrix);
}

static void a_wrong_result_is_told_whatever_stands_before_it(void **state)
{
    static char wrong[] = AXIS_WRONG "row 3 of 4 has an error of 9 ulp, 2 times its bound";
    (void)state;
    struct varied_axis variations[] = {varied("plain/serial", small, AXIS_batch, 2),
                                       varied("plain/serial", large, AXIS_batch, 2),
                                       varied("kahan/serial", large, AXIS_batch, 2)};
    variations[1].why = wrong;
    variations[2].why = died;
    struct axis_matrix matrix = matrix_of(variations, 3);
    char *reasons = axis_reasons(&matrix);
    expect_text(&matrix.columns[0].cells[AXIS_batch], "2 results, up to 1.00 ulp, wrong");
    expect_text(&matrix.columns[1].cells[AXIS_batch], "2 results, up to 1.00 ulp");
    assert_ptr_equal(matrix.columns[0].cells[AXIS_batch].witness, &variations[1]);
    assert_string_equal(reasons, "batch is wrong: row 3 of 4 has an error of 9 ulp, 2 times its bound (plain/serial)\n"
                                 "batch failed in part: it died of signal 11 (kahan/serial)\n");
    free(reasons);
    axis_matrix_free(&matrix);
}

/* ---- tables and the picture ---- */

static void witnesses_are_of_what_differs(void **state)
{
    (void)state;
    struct varied_axis variations[] = {varied("plain/serial", small, AXIS_alignment, 2),
                                       varied("plain/serial", small, AXIS_batch, 1),
                                       varied("kahan/serial", small, AXIS_batch, 2)};
    variations[2].first = row_three;
    struct axis_matrix matrix = matrix_of(variations, 3);
    struct grid grid = axis_witnesses(&matrix, true), brief = axis_witnesses(&matrix, false);
    assert_int_equal(grid.rows, 3);
    assert_string_equal(grid_text(&grid, 1, 1), "alignment");
    assert_string_equal(grid_text(&grid, 1, 3), "4 bytes");
    assert_string_equal(grid_text(&grid, 1, 4), "0x3f800001");
    assert_string_equal(grid_text(&grid, 1, 5), "0x3f800000");
    assert_string_equal(grid_text(&grid, 1, 6), command);
    assert_string_equal(grid_text(&grid, 2, 0), "kahan/serial");
    assert_string_equal(grid_text(&grid, 2, 3), "row 3 of 4");
    assert_int_equal(brief.columns, grid.columns - 1);
    grid_free(&grid);
    grid_free(&brief);
    axis_matrix_free(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_varied_nothing_has_no_column),
        cmocka_unit_test(all_data_are_one_column),
        cmocka_unit_test(what_changes_on_some_data_changes_in_the_column),
        cmocka_unit_test(a_method_on_two_backends_has_two_columns),
        cmocka_unit_test(a_result_that_is_no_number_is_told),
        cmocka_unit_test(what_changes_the_bits_is_what_has_to_be_fixed),
        cmocka_unit_test(what_was_not_varied_is_told_once_with_its_reason),
        cmocka_unit_test(where_calls_differ_nothing_is_to_be_fixed),
        cmocka_unit_test(a_wrong_result_is_told_whatever_stands_before_it),
        cmocka_unit_test(witnesses_are_of_what_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
