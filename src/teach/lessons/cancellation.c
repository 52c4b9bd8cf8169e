/* The subtraction that shows an error did not make it; what counts is the condition number of the data. */
#include "src/teach/additions.h"
#include "src/teach/tools/condition_errors.h"

static const float blamed[] = {10000, 0.1f, -10000};

static void write_additions(struct sheet *sheet, const struct additions *of)
{
    static const char *const what[] = {"10000 + 0.1", "(10000 + 0.1) - 10000"};
    struct grid *grid =
        sheet_table(sheet, "the two additions", 1, "addition | > gives | > its own rounding error, exactly");
    size_t row = 0;
    for (uint64_t k = 1; k <= of->tree.count; k++) {
        const struct tape_node *node = &of->tree.joined[k - 1];
        if (!node->left || row >= 2)
            continue;
        grid_add(grid, cell_text("%s", what[row]), cell_text("%s", hex_text(of->value[k])),
                 cell_toned(of->error[k] == 0 ? TONE_GOOD : TONE_BAD, "%s",
                            of->error[k] == 0 ? "0" : hex_text(of->error[k])));
        row++;
    }
}

static enum status watch_three(struct sheet *sheet, const struct lesson_data *data)
{
    const struct tree_request request = {"lesson", method_find("plain/serial"), data->n, one_thread};
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, data->x, data->n);
    FREED_BY(additions_free) struct additions of = {0};
    TRY(additions_make(&request, &elements, &of));
    const uint32_t root = (uint32_t)of.tree.count;
    bits_head(sheet, "bits of the sums", &FORMAT_BINARY32);
    bits_line(sheet, "bits of the sums", "0.1f", (double)blamed[1], &FORMAT_BINARY32);
    bits_line(sheet, "bits of the sums", "10000", (double)blamed[0], &FORMAT_BINARY32);
    bits_line(sheet, "bits of the sums", "10000 + 0.1", of.value[of.tree.joined[root - 1].left], &FORMAT_BINARY32);
    bits_line(sheet, "bits of the sums", "... - 10000", of.value[root], &FORMAT_BINARY32);
    write_additions(sheet, &of);
    predict_choice(of.error[root] == 0 ? 0
                   : of.inexact == 1   ? 1
                                       : 2,
                   "Which of the two operations rounds?", "How many digits have 10000.1 and the difference?",
                   CHOICES("10000 + 0.1", "... - 10000", "both"),
                   "The subtraction is of numbers near each other, and exact.");
    return lesson_claim(sheet, of.inexact == 1 && of.error[root] == 0 && of.total.kind == EXACT_FINITE,
                        "the subtraction rounds nothing and the addition before it does");
}

static enum status tell_three(struct sheet *sheet)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    say_heading("Who is to blame?");
    TRY(lesson_data_of(blamed, 3, &data));
    TRY(watch_three(sheet, &data));
    TRY(lesson_add("plain/serial", one_thread, &data, &sum));
    say("The loop gives %s, the exact sum is %s. The subtraction looks guilty, because the zeros at the end of its "
        "result are where digits should be. But it rounded nothing: what is missing went when 0.1 was lined up with "
        "10000 and its lower bits fell off. Subtracting 10000 only took away the digits that were right. This is "
        "cancellation: it does not make errors, it uncovers them.",
        format_text(&FORMAT_BINARY32, (double)sum.computed), format_text(&FORMAT_BINARY32, data.exact.nearest));
    say("How far the leading digits cancel is a property of the data, not of the method: the condition number, the sum "
        "of all |x| divided by |s|. It is 1 for numbers of one sign; here it is %s.",
        rounded_text(data.exact.condition));
    return OK;
}

static const struct condition_request request = {
    {"plain/serial", "kahan/serial", "neumaier/serial", "klein/serial", "superacc/serial"}, 5, 0, 16, 2};
enum { PLAIN = 0, KAHAN = 1, SUPERACC = 4 };

/* The largest relative change of the exact sum when each number moves to a neighbour, half of them up: what data are
 * worth that were rounded themselves. */
static enum status sway(int exponent, double *change)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    FREED_BY(lesson_data_free) struct lesson_data moved = {0};
    FREED_BY(lesson_data_free) struct lesson_data signs = {0};
    char spec[64];
    snprintf(spec, sizeof spec, "gensum:n=%d,cond=1e%d", CONDITION_N, exponent);
    TRY(lesson_data_made(spec, 1, &data));
    TRY(lesson_data_made("uniform:n=1024,low=-1", 2, &signs));
    for (uint64_t i = 0; i < data.n; i++)
        signs.x[i] = nextafterf(data.x[i], signs.x[i] < 0 ? -INFINITY : INFINITY);
    TRY(lesson_data_of(signs.x, data.n, &moved));
    const struct judged judged = {
        .exact = &data.exact, .computed = mpfr_get_d(moved.exact.sum, MPFR_RNDN), .bound = INFINITY};
    *change = metric_table[METRIC_relative_error].measure(&judged);
    return OK;
}

static void write_row(struct grid *grid, const struct condition_errors *errors, size_t i, double change)
{
    const double u = ldexp(1, -FORMAT_BINARY32.precision);
    grid_add(grid, cell_number(errors->condition[i]), cell_number(errors->relative[PLAIN][i]),
             cell_count((uint64_t)digits_right(errors->relative[PLAIN][i])),
             cell_number(errors->backward[PLAIN][i] / u), cell_number(errors->relative[SUPERACC][i]),
             cell_number(change));
}

static enum status tell_table(struct sheet *sheet, const struct condition_errors *errors)
{
    struct grid *grid = sheet_table(sheet, "errors over the condition", 1,
                                    "> condition | > plain: relative error | > correct digits | > backward error, u | "
                                    "> exact, then rounded | > data moved");
    double change = 0;
    for (size_t i = 0; i < errors->count; i++) {
        TRY(sway(request.first + (int)i * request.step, &change));
        write_row(grid, errors, i, change);
    }
    return lesson_claim(sheet, change > 1, "ill-conditioned data that were rounded determine no digit of their sum");
}

static enum status claim_growth(const struct sheet *sheet, const struct condition_errors *errors)
{
    const double u = ldexp(1, -FORMAT_BINARY32.precision);
    const size_t last = errors->count - 1;
    bool backward_small = true, exact_small = true;
    for (size_t i = 0; i <= last; i++) {
        backward_small &= errors->backward[PLAIN][i] <= (CONDITION_N - 1) * u;
        exact_small &= errors->relative[SUPERACC][i] <= u;
    }
    TRY(lesson_claim(sheet, backward_small, "the backward error of plain additions stays below (n-1)u"));
    TRY(lesson_claim(sheet, exact_small, "the exact sum, rounded, is right to u at every condition"));
    TRY(lesson_claim(sheet, errors->relative[PLAIN][0] < 100 * u, "plain additions are right at condition 1"));
    TRY(lesson_claim(sheet, digits_right(errors->relative[KAHAN][last]) == 0,
                     "Kahan's sum has no correct digit at the largest condition"));
    return lesson_claim(sheet, digits_right(errors->relative[PLAIN][last]) == 0,
                        "plain additions have no correct digit at the largest condition");
}

static enum status tell_growth(struct sheet *sheet)
{
    struct condition_errors errors;
    say_heading("The condition number decides");
    TRY(condition_errors_measure(&request, &errors));
    TRY(claim_growth(sheet, &errors));
    say("The family `gensum` makes data whose condition number we choose: %d numbers, %d data sets per row, and of "
        "these the largest error.",
        CONDITION_N, CONDITION_SETS);
    TRY(tell_table(sheet, &errors));
    const int digits = digits_right(errors.relative[PLAIN][3]);
    predict_between(digits, digits - 1, digits + 1,
                    "At condition $10^6$, how many of the seven digits are right, about?",
                    "The relative error is the backward error times the condition number.",
                    "Of the plain sums here it was %d.", digits);
    say("Read the columns side by side. The relative error of plain additions grows in step with the condition number, "
        "and the digits go. The backward error, which is the same error divided by the sum of all |x|, does not grow: "
        "the method works as well on the last row as on the second. (It is larger on the first, where all numbers have "
        "one sign and every partial sum is large.) The data got harder, not the method worse.");
    say("The last column asks what the data themselves are worth. Each number is moved to one of its two neighbours, "
        "as if it had been measured or rounded, and both sums are taken exactly. Where that changes the sum by more "
        "than itself, no method can help: the digits are not in the data. An exact sum pays when the data are exact.");
    struct chart *chart = sheet_chart(sheet, "Relative error over the condition number", 240);
    condition_errors_draw(&errors, ldexp(1, -FORMAT_BINARY32.precision), "condition times u", chart);
    chart_set(&chart->caption,
              "Every line that climbs is one law: relative error = backward error times condition. Kahan's sum climbs "
              "as well: its backward error is about u too, small but not 0. The methods of second and third order stay "
              "flat until their own, much smaller backward error has grown as far; the exact one stays flat for good.");
    return OK;
}

static enum status tell_exercise(struct sheet *sheet)
{
    static const float x[] = {1, 0x1p-100f, -1};
    static const char *const methods[] = {"plain/serial", "kahan/serial", "neumaier/serial", "double_float/serial",
                                          "superacc/serial"};
    enum { METHODS_TRIED = sizeof methods / sizeof *methods };
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sums[METHODS_TRIED];
    char text[METHODS_TRIED][NUMBER_TEXT];
    say_exercise(
        "Find three numbers of binary32 whose condition number is above 10^30 and whose plain sum, left to right, is "
        "0, though s is not. Which methods find s? Try yours: `ulpscope run -m '*/serial' x.txt` of a file that has "
        "them, a line each.");
    TRY(lesson_data_of(x, 3, &data));
    for (size_t m = 0; m < METHODS_TRIED; m++) {
        TRY(lesson_add(methods[m], one_thread, &data, &sums[m]));
        write_float(sums[m].computed, text[m]);
    }
    say_answer("1, 2^-100, -1, for example: the condition number is %s. Left to right `plain` gives %s, `kahan` "
               "%s, `neumaier` %s, `double_float` %s, `superacc` %s. `kahan` holds 2^-100 for a moment, as the "
               "excess of 1 + 2^-100, and loses it when that goes into the next number, -1; those that keep "
               "corrections apart until the end still have it.",
               rounded_text(data.exact.condition), text[0], text[1], text[2], text[3], text[4]);
    return lesson_claim(sheet,
                        data.exact.condition > 1e30 && sums[0].computed == 0 && sums[1].computed == 0 &&
                            sums[2].class == CLASS_EXACT && sums[3].class == CLASS_EXACT,
                        "1, 2^-100, -1 defeats plain and kahan, but neither neumaier nor double_float");
}

enum status lesson_cancellation(struct sheet *sheet)
{
    say_question("Add 10000 and 0.1, then subtract 10000: in binary32 the result is not the 0.1 that you put in. Which "
                 "of the two operations is to blame? And can one see it coming?");
    say_prediction("Which of the two operations rounds? And if all |x| together are 10^6 times as large as |s|, how "
                   "many of the seven digits of binary32 will be right?");
    TRY(tell_three(sheet));
    TRY(tell_growth(sheet));
    say_theorem(
        "Higham 2002, section 4.2, to first order; Jeannerod and Rump 2013; docs/bounds.md, P1",
        "For plain additions of n numbers in any order, $|computed - s| <= (n-1) u (|x_1| + ... + |x_n|)$. Divide by "
        "|s|: relative error = backward error times condition, at most $(n-1) u$ times condition. And the subtraction "
        "of two numbers within a factor of two of each other is exact (Sterbenz, Floating-Point Computation, 1974).");
    TRY(tell_exercise(sheet));
    say("Go on: `ulpscope blame plain/serial gensum:n=1024,cond=1e6 --top 5` says which additions of a longer sum lost "
        "most.");
    return OK;
}
