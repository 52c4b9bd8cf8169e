/* gen of two vectors, of matrices, and of a row and a column of them: which bits end in which file. */
#include "tests/support/program.h"

/* ---- matrices ---- */

static void matrices_are_written_row_after_row(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" gen normal:n=4,rows=3,columns=2 --matrix -o a.raw::b.raw"
             " && \"$ULPSCOPE\" gen normal:n=12 -o x.raw && cmp a.raw x.raw && test $(wc -c <b.raw) = 32"
             " && ! cmp -n 32 b.raw x.raw");
}

static void an_npy_has_the_shape_of_its_matrix(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" gen normal:n=4,rows=3,columns=2 --matrix -o a.npy::b.npy");
    run_fine("grep -qaF \"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }\" a.npy");
    run_fine("grep -qaF \"'shape': (4, 2), }\" b.npy && test $(wc -c <a.npy) = 176");
    run_fine("\"$ULPSCOPE\" gen a.npy::b.npy --matrix -o again.npy::b.raw && cmp a.npy again.npy");
    run_fine("\"$ULPSCOPE\" gen normal:n=12 -o x.npy && grep -qaF \"'shape': (12,), }\" x.npy && ! cmp -s x.npy a.npy");
}

static void a_text_says_how_its_matrix_was_made(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" gen normal:n=4,rows=3::uniform --matrix --seed 7 --trial 2 -o a.f32::b.f32");
    char *a = take_file("a.f32"), *b = take_file("b.f32");
    assert_non_null(
        strstr(a, "# ulpscope gen normal:n=4,rows=3::uniform --matrix --seed 7 --trial 2\n# source by the ziggurat"));
    assert_non_null(strstr(a, "\n# A, 3 x 4, row after row\n"));
    assert_non_null(strstr(b, "\n# B, 4 x 4, row after row\n"));
    assert_null(strstr(b, "ziggurat"));
    free(a);
    free(b);
}

static void what_does_not_fit_in_memory_is_named_with_its_shape(void **state)
{
    (void)state;
    struct outcome outcome;
    run_line("ulimit -v 400000 && \"$ULPSCOPE\" --version", &outcome);
    const bool has_room = outcome.code == 0; /* not under a sanitizer */
    outcome_free(&outcome);
    if (!has_room)
        skip();
    assert_refused("ulimit -v 400000 && \"$ULPSCOPE\" gen uniform:n=16Ki,rows=1 --matrix -o a.npy::b.npy", 3,
                   "out of memory for B (16384 x 16384) of uniform:n=16384,rows=1");
    run_fine("ulimit -v 400000 && \"$ULPSCOPE\" gen uniform:n=16Ki,rows=1,columns=1 --matrix -o a.npy::b.npy");
}

/* ---- a row and a column ---- */

/* Of 3 x 4 and 4 x 2 numbers, 1, 2, 3, ... each. */
static void put_matrices(void)
{
    put_text("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
    put_text("b.txt", "1\n2\n3\n4\n5\n6\n7\n8\n");
}

#define WITNESS "\"$ULPSCOPE\" gen a.txt:rows=3::b.txt:columns=2 --witness "
#define NUMBERS(file) "$(grep -v '#' " file " | tr '\\n' ' ')"

static void a_witness_is_a_row_of_a_and_a_column_of_b(void **state)
{
    (void)state;
    put_matrices();
    run_fine(WITNESS "2,1 -o x.f32::y.f32 && test \"" NUMBERS(
        "x.f32") "\" = '0x1.2p+3 0x1.4p+3 0x1.6p+3 0x1.8p+3 '"
                 " && test \"" NUMBERS("y.f32") "\" = '0x1p+1 0x1p+2 0x1.8p+2 0x1p+3 '");
    run_fine(WITNESS "0,0 -o x.f32::y.f32 && test \"" NUMBERS(
        "x.f32") "\" = '0x1p+0 0x1p+1 0x1.8p+1 0x1p+2 '"
                 " && test \"" NUMBERS("y.f32") "\" = '0x1p+0 0x1.8p+1 0x1.4p+2 0x1.cp+2 '");
}

/* 9 2 + 10 4 + 11 6 + 12 8 = 220 */
static void a_witness_is_a_dot_product(void **state)
{
    (void)state;
    put_matrices();
    run_fine(WITNESS "2,1 -o x.f32::y.f32");
    char *exact = output_of("\"$ULPSCOPE\" exact x.f32::y.f32"), *x = take_file("x.f32"), *y = take_file("y.f32");
    assert_non_null(strstr(exact, "exact       0x1.b8p+7\n"));
    assert_non_null(strstr(x, "# ulpscope gen a.txt:rows=3::b.txt:columns=2 --witness 2,1\n"));
    assert_non_null(strstr(x, "# x of a dot product\n# exact 0x1.b8p+7\n"));
    assert_non_null(strstr(y, "# y of a dot product\n# exact 0x1.b8p+7\n"));
    free(exact);
    free(x);
    free(y);
}

static void a_witness_of_a_family_is_that_of_its_files(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" gen scales:n=32 --trial 3 --matrix -o a.npy::b.npy"
             " && \"$ULPSCOPE\" gen a.npy::b.npy --witness 5,31 -o x.raw::y.raw"
             " && \"$ULPSCOPE\" gen scales:n=32 --trial 3 --witness 5,31 -o u.raw::v.raw"
             " && cmp x.raw u.raw && cmp y.raw v.raw"
             " && \"$ULPSCOPE\" gen scales:n=32 --trial 4 --witness 5,31 -o u.raw::v.raw && ! cmp -s x.raw u.raw");
}

static void indices_out_of_range_are_refused_with_the_shapes(void **state)
{
    (void)state;
    put_matrices();
    assert_refused(WITNESS "3,1 -o x.f32::y.f32", 2,
                   "found row 3 of A, column 1 of B, where A is 3 x 4 and B 4 x 2; expected 0 to 2 and 0 to 1");
    assert_refused(WITNESS "2,2 -o x.f32::y.f32", 2, "where A is 3 x 4 and B 4 x 2; expected 0 to 2 and 0 to 1");
    assert_refused(WITNESS "2 -o x.f32::y.f32", 2, "found \"2\"; expected a row of A and a column of B");
    assert_refused(WITNESS "2,-1 -o x.f32::y.f32", 2, "--witness");
    assert_refused(WITNESS ", -o x.f32::y.f32", 2, "--witness");
    assert_true(!file_exists("x.f32") && !file_exists("y.f32"));
}

/* ---- two vectors ---- */

static void two_vectors_are_written_too(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" gen normal:n=8::uniform -o x.npy::y.npy && \"$ULPSCOPE\" gen normal:n=8 -o z.npy"
             " && cmp x.npy z.npy && ! cmp -s x.npy y.npy");
    run_fine("\"$ULPSCOPE\" gen gendot:n=8 -o x.f32::y.f32 && \"$ULPSCOPE\" exact x.f32::y.f32 >pairs"
             " && \"$ULPSCOPE\" exact gendot:n=8 >products && head -n 1 pairs >one && head -n 1 products | cmp - one");
}

static void names_with_two_colons_stand_in_quotes(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" gen normal:n=8::uniform -o '\"a::b.raw\"::c.raw' && test -s a::b.raw && test -s c.raw");
}

static void two_go_to_two_files(void **state)
{
    (void)state;
    static const char *const said = "expected two files, for two vectors or matrices; write -o x.npy::y.npy";
    assert_refused("\"$ULPSCOPE\" gen normal:n=8::uniform", 2, said);
    assert_refused("\"$ULPSCOPE\" gen normal:n=8::uniform -o x.npy", 2, said);
    assert_refused("\"$ULPSCOPE\" gen normal:n=8 --matrix -o x.npy", 2, said);
    assert_refused("\"$ULPSCOPE\" gen normal:n=8 -o x.npy::y.npy", 2, "is one vector; expected two");
    assert_refused("\"$ULPSCOPE\" gen normal:n=8::ones -o x.npy::x.npy", 2, "both name \"x.npy\"");
    assert_refused("\"$ULPSCOPE\" gen normal:n=8::ones -o -::x.npy", 2, said);
    assert_false(file_exists("x.npy"));
}

static const struct CMUnitTest facts[] = {
    FACT(matrices_are_written_row_after_row),
    FACT(an_npy_has_the_shape_of_its_matrix),
    FACT(a_text_says_how_its_matrix_was_made),
    FACT(what_does_not_fit_in_memory_is_named_with_its_shape),
    FACT(a_witness_is_a_row_of_a_and_a_column_of_b),
    FACT(a_witness_is_a_dot_product),
    FACT(a_witness_of_a_family_is_that_of_its_files),
    FACT(indices_out_of_range_are_refused_with_the_shapes),
    FACT(two_vectors_are_written_too),
    FACT(names_with_two_colons_stand_in_quotes),
    FACT(two_go_to_two_files),
};

int main(void)
{
    ADD_FACTS(facts);
    return run_all_tests();
}
