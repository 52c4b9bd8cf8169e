/* Statistics taken apart: the pieces are the error, and the operations are those of the kernel. */
#include "kernels/statistic.h"
#include "src/base/format.h"
#include "src/teach/blame/blame.h"
#include "tests/support/methods.h"

#include "tests/support/heard.h"
#include "tests/support/random.h"

enum { MOST = 120, ROUNDS = 6 };

static const struct launch launch = {3, 32};

struct numbers {
    const struct format *format;
    uint64_t n;
    double of[2][MOST];
    float narrow[2][MOST];
};

/* Around an offset that may be as large as the format has places; positive weights; sometimes all the same. */
static void fill(struct numbers *numbers, const struct format *format)
{
    const double offset = below(3) ? ldexp(1, (int)below((uint64_t)format->precision)) : 0;
    const bool is_constant = below(8) == 0;
    numbers->format = format;
    numbers->n = 2 + below(MOST - 1);
    for (uint64_t i = 0; i < numbers->n; i++) {
        const double drawn = is_constant ? 0.7 : (double)(next_random() >> 11) * 0x1p-53;
        numbers->of[0][i] = rounded_to(offset + 4 * drawn - 2, format);
        numbers->of[1][i] = rounded_to(0.25 + drawn, format);
        for (int v = 0; v < 2; v++)
            numbers->narrow[v][i] = (float)numbers->of[v][i];
    }
}

static enum status blame_of(const struct method *method, const struct numbers *numbers, struct blame *blame)
{
    const bool is_wide = format_held(numbers->format)->bytes == sizeof(double);
    const void *x = is_wide ? (const void *)numbers->of[0] : numbers->narrow[0];
    const void *y = is_wide ? (const void *)numbers->of[1] : numbers->narrow[1];
    const struct blame_request request = {
        .additions = {"test", method, numbers->n, launch},
        .elements = {numbers->format, method->operation, {x, y}, shape_of_one(numbers->n)},
        .data = "numbers",
        .top = 3};
    return blame_make(&request, blame);
}

/* Doubles, each of which was rounded once: a piece that is left out is larger than that. */
static bool adds_up(const struct blame *blame, int left_out)
{
    double all = 0;
    for (int i = 0; i < blame->apart->step_count; i++)
        all += i == left_out ? 0 : blame->apart->steps[i].piece;
    return fabs(all - mpfr_get_d(blame->difference, MPFR_RNDN)) <= 0x1p-44 * blame->lost + 0x1p-49 * blame->exact.ulp;
}

struct counts {
    size_t made, finite, missed, pieces;
};

static void look_at(const struct method *method, const struct numbers *numbers, struct counts *counts)
{
    struct blame blame;
    assert_int_equal(blame_of(method, numbers, &blame), OK); /* its own proof, in exact numbers */
    const struct apart *apart = blame.apart;
    counts->made++;
    for (int p = 0; p < apart->pass_count; p++)
        assert_non_null(apart->passes[p].blame->additions.method);
    if (blame.finite) {
        assert_true(apart->steps[apart->step_count - 1].makes == blame.additions.computed);
        if (!adds_up(&blame, -1))
            fail_msg("%s, n = %llu", method->id, (unsigned long long)numbers->n);
        for (int i = 0; i < apart->step_count; i++)
            counts->missed += apart->steps[i].piece != 0 && !adds_up(&blame, i);
        counts->pieces += (size_t)apart->piece_count;
        counts->finite++;
    }
    blame_free(&blame);
}

static void the_pieces_are_the_error_whatever_the_method(void **state)
{
    static const char *const methods[] = {"plain/serial",
                                          "plain/tree_two_pass",
                                          "kahan/pairwise",
                                          "neumaier/blocked",
                                          "binary64/vector_two_pass",
                                          "binned/shuffle_two_pass",
                                          "double_float/strided_serial"};
    static struct numbers numbers;
    struct counts counts = {0};
    (void)state;
    seed_random(5);
    for (int operation = FIRST_STATISTIC; operation < (int)VECTOR_OPERATIONS; operation++)
        for (int f = 0; f < SUM_FORMATS; f++)
            for (size_t m = 0; m < COUNT_OF(methods); m++) {
                const struct method *sums = method_in(method_find(methods[m]), sum_formats[f]);
                const struct method *method = sums ? method_of_operation(sums, (enum operation)operation) : NULL;
                if (!method || operation_is_per_number(method->operation) || is_of_exponentials(method->operation) ||
                    statistic_moments(statistic_of((enum operation)operation)->algorithm))
                    continue;
                for (int round = 0; round < ROUNDS; round++) {
                    fill(&numbers, sum_formats[f]->stored);
                    look_at(method, &numbers, &counts);
                }
            }
    print_message("%zu statistics, %zu of them finite, %zu pieces, %zu of them missed\n", counts.made, counts.finite,
                  counts.pieces, counts.missed);
    assert_true(counts.finite > 5000 && counts.made > counts.finite);
    assert_true(counts.missed > counts.pieces / 2); /* the twin */
}

/* In binary32 4097^2 = 16785409 is a tie, made 16785408; 2^24 + 2 * 16785408 + 4098^2 = 67141636 is one, made 67141632,
 * which is 6 below the sum of squares; 67141632 / 4 less 4097^2, again made 16785408, is 0: half below the variance. */
static void pieces_of_four_numbers_are_those_made_by_hand(void **state)
{
    static const struct numbers numbers = {.format = &FORMAT_BINARY32, .n = 4, .narrow = {{4096, 4097, 4097, 4098}}};
    struct blame blame;
    (void)state;
    assert_int_equal(blame_of(method_find("variance.textbook:plain/serial"), &numbers, &blame), OK);
    const struct apart *apart = blame.apart;
    assert_true(mpfr_cmp_d(blame.exact.sum, 0.5) == 0 && blame.additions.computed == 0);
    assert_int_equal(apart->step_count, 6);
    for (int i = 0; i < 6; i++) { /* A(x), m and e are exact, and v is as its operands are */
        const struct apart_step *step = &apart->steps[i];
        assert_true(step->piece == (strcmp(step->what, "A(x * x)") == 0 ? -1.5 : strcmp(step->what, "q = m * m") == 0));
    }
    assert_true(apart->steps[5].cancelled == 24 && apart->steps[5].error == -0.5);
    assert_true(apart->steps[5].off[0] == -1.5 && apart->steps[5].off[1] == -1);
    blame_free(&blame);
}

static void one_state_of_moments_is_refused(void **state)
{
    static struct numbers numbers = {.format = &FORMAT_BINARY32, .n = 4};
    struct blame blame;
    (void)state;
    struct heard heard = listen_to_stderr();
    const enum status status = blame_of(method_find("variance.welford:plain/serial"), &numbers, &blame);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    assert_non_null(strstr(heard.text, "take another algorithm, such as variance.two_pass:plain/serial"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pieces_are_the_error_whatever_the_method),
        cmocka_unit_test(pieces_of_four_numbers_are_those_made_by_hand),
        cmocka_unit_test(one_state_of_moments_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
