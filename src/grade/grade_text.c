/* One page: what the product is, a verdict for each test, the element that shows it, and how errors grow. */
#include "grade.h"

#include "reports/terminal.h"

const char *grade_conclusion(const struct grade *grade)
{
    const unsigned growth = grade->tests[GROWTH].failed;
    if (isinf(grade_witness(&grade->tests[GROWTH])->worst.ratio))
        return "wrong: a result is not finite where the product is";
    if (grade->tests[ZEROS].failed)
        return grade->tests[BLOCKS].failed ? "Strassen-like, in fixed point"
               : grade->tests[BLOCKS].told ? "Strassen-like, in floating point"
                                           : "Strassen-like; these formats do not tell fixed from floating point";
    if (growth & GRADE_LIMIT)
        return "conventional, but less precise than its formats";
    if (grade->tests[SCALES].failed || grade->tests[BLOCKS].failed)
        return "conventional, in fixed point, or with less range than its numbers have";
    if (growth & GRADE_SLOPE)
        return "conventional, but errors grow faster than n";
    if (growth & GRADE_SIGN)
        return "conventional, but it does not round to nearest: errors have a sign";
    return "conventional, in floating point, rounded to nearest: grade A";
}

static void print_heading(const struct terminal *terminal, const struct grade *grade)
{
    const struct grade_request *const request = grade->request;
    const struct sum_format *const formats = request->graded->formats;
    terminal_bold(terminal, request->graded->name);
    fprintf(terminal->file, "%s; n = %d", formats->id, MATRIX_SIZE_LEAST);
    if (grade->size_count > 1)
        fprintf(terminal->file, " to %" PRIu64, (uint64_t)MATRIX_SIZE_LEAST << (grade->size_count - 1));
    fprintf(terminal->file,
            ", %" PRIu64 " sample%s of each, seed %" PRIu64 "; %s%serrors in u (|A| |B|)_ij, u = 2^-%d\n",
            request->samples, request->samples == 1 ? "" : "s", request->seed,
            request->graded->device ? request->graded->by : "", request->graded->device ? "; " : "",
            graded_precision(formats));
    terminal_word(terminal, grade_passed(grade) ? TONE_GOOD : TONE_BAD, grade_passed(grade) ? "pass" : "FAIL");
    fprintf(terminal->file, ": %s\n", grade_conclusion(grade));
}

/* The element that says most. */
static void set_element(struct grid *grid, size_t column, const struct grade_element *element)
{
    grid_count(grid, column, element->n);
    grid_count(grid, column + 1, element->sample);
    grid_set(grid, column + 2, TONE_PLAIN, "C[%" PRIu64 "][%" PRIu64 "]", element->i, element->j);
    grid_set(grid, column + 3, TONE_PLAIN, "%s", hex_text(element->computed));
    grid_set(grid, column + 4, TONE_PLAIN, "%s", hex_text(element->nearest));
}

static void add_test(struct grid *grid, const struct grade_test *test)
{
    const struct grade_size *const size = grade_witness(test);
    grid_row(grid);
    grid_set(grid, 0, TONE_PLAIN, "%s", test->family->id);
    if (!test->told) {
        grid_set(grid, 1, TONE_PLAIN, "-");
        return;
    }
    grid_set(grid, 1, test->failed ? TONE_BAD : TONE_GOOD, test->failed ? "FAIL" : "pass");
    grid_error(grid, 2, size->worst.ratio);
    grid_number(grid, 3, size->limit);
    set_element(grid, 4, &size->worst);
}

static struct grid tests_grid(const struct grade *grade)
{
    struct grid grid =
        grid_headed(1, "test | verdict | > error | > limit | > n | > sample | element | computed | nearest");
    for (int t = 0; t < GRADE_TESTS; t++)
        add_test(&grid, &grade->tests[t]);
    return grid;
}

static void print_untold(const struct terminal *terminal, const struct grade *grade)
{
    for (int t = 0; t < GRADE_TESTS; t++)
        if (!grade->tests[t].told)
            fprintf(terminal->file, "%s tells nothing in these formats: %s\n", grade->tests[t].family->id,
                    grade->tests[t].sizes[0].refused);
}

static void set_worst(struct grid *grid, size_t column, const struct grade_size *size)
{
    if (size->refused)
        grid_set(grid, column, TONE_PLAIN, "-");
    else
        grid_error(grid, column, size->worst.ratio);
}

/* "101 of 102" */
static void set_share(struct grid *grid, size_t column, uint64_t part, const struct grade_size *size)
{
    grid_set(grid, column, TONE_PLAIN, "%" PRIu64 " of %" PRIu64, part, size->judged);
}

static struct grid sizes_grid(const struct grade *grade)
{
    struct grid grid =
        grid_headed(1, "> n | > not 0 | > scales | > limit n | > blocks | > its limit | > growth | > toward 0");
    for (size_t s = 0; s < grade->size_count; s++) {
        const struct grade_size *const growth = &grade->tests[GROWTH].sizes[s];
        grid_row(&grid);
        grid_count(&grid, 0, growth->n);
        set_share(&grid, 1, grade->tests[ZEROS].sizes[s].broken, &grade->tests[ZEROS].sizes[s]);
        set_worst(&grid, 2, &grade->tests[SCALES].sizes[s]);
        grid_number(&grid, 3, growth->limit);
        set_worst(&grid, 4, &grade->tests[BLOCKS].sizes[s]);
        grid_number(&grid, 5,
                    grade->tests[BLOCKS].sizes[s].refused ? (double)NAN : grade->tests[BLOCKS].sizes[s].limit);
        set_worst(&grid, 6, growth);
        set_share(&grid, 7, growth->toward_0, growth);
    }
    return grid;
}

/* "growth: errors grow as n^0.54; grade A: at most n^1; 49.9 % of 349184 are toward 0; ..." */
static void print_growth(const struct terminal *terminal, const struct grade_test *growth)
{
    struct text text = {0};
    text_append(&text, "growth: ");
    if (isnan(growth->slope))
        text_append(&text, "no slope from fewer than two sizes with n^(3/2) u <= 1");
    else
        text_append(&text, "errors grow as n^%.2f; grade A: at most n^1", growth->slope);
    if (growth->rounded > 0)
        text_append(&text, "; %.1f %% of %" PRIu64 " are toward 0; without a sign: from 25 %% to 75 %%",
                    100 * (double)growth->toward_0 / (double)growth->rounded, growth->rounded);
    else
        text_append(&text, "; no error");
    OWNED char *sentence = text_take(&text);
    terminal_sentence(terminal, sentence);
}

void grade_print(const struct grade *grade, bool colour)
{
    const struct terminal terminal = terminal_of(stdout, colour);
    struct grid tests = tests_grid(grade), sizes = sizes_grid(grade);
    print_heading(&terminal, grade);
    terminal_grid_taken(&terminal, &tests);
    print_untold(&terminal, grade);
    terminal_grid_taken(&terminal, &sizes);
    print_growth(&terminal, &grade->tests[GROWTH]);
}
