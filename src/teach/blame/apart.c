#include "blame.h"

#include "kernels/statistic_formula.h"
#include "src/measure/operation.h"

#include <float.h>
#include <math.h>

/* ---- formulas, an operation after the other ---- */

/* "m=a/n": a, b, c are the sums, o is what made terms take off or are divided by, n and k are the counts, k of a sample
 * less 1, u is 1; V is a root.  They are those of kernels/statistic_formula.h, to whose result take_apart() holds them.
 */
static const char *const formulas[STATISTIC_ALGORITHMS] = {
    [BY_SUM_THEN_DIVIDE] = "v=a/n",
    [BY_TIMES_RECIPROCAL] = "r=u/n v=a*r",
    [BY_SCALED_FIRST] = "",
    [BY_SQUARES] = "v=a/n",
    [BY_TEXTBOOK] = "m=a/n q=m*m e=b/n v=e-q",
    [BY_TEXTBOOK_SUMS] = "q=a*a p=q/n d=b-p v=d/k",
    [BY_TWO_PASS] = "v=b/k",
    [BY_TWO_PASS_CORRECTED] = "q=c*c p=q/n d=b-p v=d/k",
    [BY_SHIFTED] = "q=b*b p=q/n d=a-p v=d/k",
    [BY_WEIGHTS] = "v=b/a",
    [BY_COSINE] = "r=.Vb s=.Vc t=r*s v=a/t",
};

#define AT(letter) ((letter) - 'a')

static void write_formula(struct apart *apart)
{
    const bool of_sample = apart->statistic->of_sample && apart->statistic->algorithm == BY_TEXTBOOK;
    snprintf(apart->formula, sizeof apart->formula, "%s%s%s", formulas[apart->statistic->algorithm],
             of_sample ? " t=v*n w=t/k" : "",
             !apart->statistic->is_root ? ""
             : of_sample                ? " z=.Vw"
                                        : " z=.Vv");
}

/* The operation behind this one, or the first of all; NULL: there is none. */
static const char *next_operation(const struct apart *apart, const char *code)
{
    const char *const next = !code ? apart->formula : code[5] ? code + 6 : "";
    return *next ? next : NULL;
}

/* The letter of the result. */
static char last_letter(const struct apart *apart)
{
    const size_t length = strlen(apart->formula);
    return length > 0 ? apart->formula[length - 5] : 'a';
}

/* What a letter stands for: "A(x)", "(n - 1)", "m". */
static const char *name_of(const struct apart *apart, char letter, char own[2])
{
    own[0] = letter;
    own[1] = '\0';
    return AT(letter) < apart->pass_count ? apart->passes[AT(letter)].name
           : letter == 'u'                ? "1"
           : letter == 'k'                ? apart->statistic->of_sample ? "(n - 1)" : "n"
                                          : own;
}

static void write_operation(const struct apart *apart, const char *code, char text[APART_TEXT])
{
    char left[2], right[2];
    if (code[3] == 'V')
        snprintf(text, APART_TEXT, "%c = root of %s", code[0], name_of(apart, code[4], right));
    else
        snprintf(text, APART_TEXT, "%c = %s %c %s", code[0], name_of(apart, code[2], left), code[3],
                 name_of(apart, code[4], right));
}

static const char *pass_name(const struct apart *apart, enum pass_terms terms)
{
    static const char *const names[] = {
        [OF_X] = "A(x)",      [OF_Y] = "A(w)",       [OF_XX] = "A(x * x)",   [OF_YY] = "A(y * y)",
        [OF_XY] = "A(x * y)", [SCALED] = "A(x / n)", [OFFSETS] = "A(x - m)", [OFFSETS_SQUARED] = "A((x - m)^2)"};
    const bool is_shifted = apart->statistic->algorithm == BY_SHIFTED;
    return terms == OF_XY && apart->statistic->algorithm == BY_WEIGHTS ? "A(w * x)"
           : terms == OFFSETS && is_shifted                            ? "A(x - x0)"
           : terms == OFFSETS_SQUARED && is_shifted                    ? "A((x - x0)^2)"
                                                                       : names[terms];
}

/* ---- as real numbers ---- */

enum { REGISTERS = 26, PRECISION = 8192 }; /* sums of squares have 4,400 bits at most */

/* What is known was computed; the rest follows from it without rounding. */
struct reals {
    const struct apart *apart;
    uint64_t n;
    mpfr_t at[REGISTERS], start[REGISTERS]; /* start: where nothing is known */
    mpfr_t result, change, total;           /* total: of the changes of the result since the start */
    struct exact_sum sum, squares;          /* of x, where terms are made */
    bool known[REGISTERS];
    const char *done; /* the last operation that is known */
};

static void real_operation(mpfr_t to, const char *code, mpfr_t *at)
{
    mpfr_t *const left = &at[AT(code[3] == 'V' ? 'a' : code[2])], *const right = &at[AT(code[4])];
    if (code[3] == '/')
        mpfr_div(to, *left, *right, MPFR_RNDN);
    else if (code[3] == '*')
        mpfr_mul(to, *left, *right, MPFR_RNDN);
    else if (code[3] == '-')
        mpfr_sub(to, *left, *right, MPFR_RNDN);
    else
        mpfr_sqrt(to, *right, MPFR_RNDN);
}

/* The sum of x/o, of x - o, or of (x - o)^2, which is Q - o (2 s - n o). */
static void real_made_sum(const struct reals *reals, enum pass_terms terms, mpfr_t offset, mpfr_t to)
{
    if (terms == SCALED) {
        mpfr_div(to, reals->sum.sum, offset, MPFR_RNDN);
        return;
    }
    mpfr_mul_ui(to, offset, (unsigned long)reals->n, MPFR_RNDN);
    mpfr_sub(to, reals->sum.sum, to, MPFR_RNDN);
    if (terms == OFFSETS)
        return;
    mpfr_add(to, to, reals->sum.sum, MPFR_RNDN);
    mpfr_mul(to, to, offset, MPFR_RNDN);
    mpfr_sub(to, reals->squares.sum, to, MPFR_RNDN);
}

static void real_sums(struct reals *reals)
{
    const struct apart *apart = reals->apart;
    mpfr_t *const at = reals->at;
    for (int p = 0; p < apart->pass_count; p++) {
        const struct apart_pass *pass = &apart->passes[p];
        if (pass->terms >= (int)SCALED && !reals->known[AT('o')]) {
            if (pass->terms == (int)SCALED)
                mpfr_set(at[AT('o')], at[AT('n')], MPFR_RNDN);
            else
                mpfr_div(at[AT('o')], at[AT('a')], at[AT('n')], MPFR_RNDN);
        }
        if (reals->known[p])
            continue;
        if (pass->terms < (int)SCALED)
            mpfr_set(at[p], pass->blame->exact.sum, MPFR_RNDN);
        else
            real_made_sum(reals, (enum pass_terms)pass->terms, at[AT('o')], at[p]);
    }
}

static void evaluate(struct reals *reals)
{
    real_sums(reals);
    for (const char *code = reals->done; (code = next_operation(reals->apart, code));)
        real_operation(reals->at[AT(code[0])], code, reals->at);
    mpfr_t *const result = &reals->at[AT(last_letter(reals->apart))];
    mpfr_sub(reals->change, *result, reals->result, MPFR_RNDN);
    mpfr_set(reals->result, *result, MPFR_RNDN);
}

static enum status start_reals(const struct apart *apart, const struct operands *of, struct reals *reals)
{
    const uint64_t n = of->shape.terms;
    reals->apart = apart;
    reals->n = n;
    for (int i = 0; i < REGISTERS; i++)
        mpfr_inits2(PRECISION, reals->at[i], reals->start[i], (mpfr_ptr)0);
    mpfr_init2(reals->result, PRECISION);
    mpfr_inits2(4 * PRECISION, reals->change, reals->total, (mpfr_ptr)0); /* exact: results differ by 2^2200 at most */
    mpfr_set_zero(reals->result, 1);
    mpfr_set_zero(reals->total, 1);
    mpfr_set_ui(reals->at[AT('u')], 1, MPFR_RNDN);
    mpfr_set_ui(reals->at[AT('n')], (unsigned long)n, MPFR_RNDN);
    mpfr_sub_ui(reals->at[AT('k')], reals->at[AT('n')], apart->statistic->of_sample, MPFR_RNDN);
    reals->known[AT('o')] = apart->statistic->algorithm == BY_SHIFTED;
    if (reals->known[AT('o')] && n > 0)
        mpfr_set_d(reals->at[AT('o')], held_number(of->format, of->arrays[0], 0), MPFR_RNDN);
    TRY(exact_sum(of->format, of->arrays[0], n, &reals->sum));
    return exact_dot(of->format, (struct exact_how){0}, of->arrays[0], of->arrays[0], n, &reals->squares);
}

static void free_reals(struct reals *reals)
{
    for (int i = 0; i < REGISTERS; i++)
        mpfr_clears(reals->at[i], reals->start[i], (mpfr_ptr)0);
    mpfr_clears(reals->result, reals->change, reals->total, (mpfr_ptr)0);
    exact_free(&reals->sum);
    exact_free(&reals->squares);
}

/* ---- step by step ---- */

static double less(struct reals *reals, double value, const mpfr_t other)
{
    mpfr_d_sub(reals->change, value, other, MPFR_RNDN);
    return mpfr_get_d(reals->change, MPFR_RNDN);
}

/* A letter, which followed from what was known before, is what was computed from now on. */
static struct apart_step *know(struct apart *apart, const char *what, struct reals *reals, char letter, double computed,
                               const mpfr_t made)
{
    mpfr_t *const at = &reals->at[AT(letter)];
    struct apart_step *step = &apart->steps[apart->step_count++];
    snprintf(step->what, sizeof step->what, "%s", what);
    step->makes = computed;
    step->exactly = mpfr_get_d(reals->start[AT(letter)], MPFR_RNDN);
    mpfr_sub(reals->change, made, *at, MPFR_RNDN);
    step->rounding = mpfr_get_d(reals->change, MPFR_RNDN);
    mpfr_sub(reals->change, made, reals->start[AT(letter)], MPFR_RNDN);
    step->error = mpfr_get_d(reals->change, MPFR_RNDN);
    reals->known[AT(letter)] = true;
    mpfr_set(*at, made, MPFR_RNDN);
    evaluate(reals);
    mpfr_add(reals->total, reals->total, reals->change, MPFR_RNDN);
    step->piece = mpfr_get_d(reals->change, MPFR_RNDN);
    apart->piece_count += step->piece != 0;
    return step;
}

static struct apart_step *know_double(struct apart *apart, const char *what, struct reals *reals, char letter,
                                      double computed)
{
    mpfr_t made;
    mpfr_init2(made, DBL_MANT_DIG);
    mpfr_set_d(made, computed, MPFR_RNDN);
    struct apart_step *step = know(apart, what, reals, letter, computed, made);
    mpfr_clear(made);
    return step;
}

static void know_sums(struct apart *apart, struct reals *reals)
{
    char what[APART_TEXT];
    for (int p = 0; p < apart->pass_count; p++) {
        const struct apart_pass *pass = &apart->passes[p];
        const char letter = (char)('a' + p);
        if (pass->terms >= (int)SCALED && !reals->known[AT('o')])
            know_double(apart, pass->terms == (int)SCALED ? "n" : "m = A(x) / n", reals, 'o', pass->parameter);
        if (pass->terms >= (int)SCALED) {
            snprintf(what, sizeof what, "the terms of %s", pass->name);
            know(apart, what, reals, letter, mpfr_get_d(pass->blame->exact.sum, MPFR_RNDN), pass->blame->exact.sum);
        }
        know_double(apart, pass->name, reals, letter, pass->blame->additions.computed);
    }
}

static double rounded_operation(const struct formula *formula, const char *code, const double *at)
{
    const double left = at[AT(code[3] == 'V' ? 'a' : code[2])], right = at[AT(code[4])];
    return formula_rounded(formula, code[3] == '/'   ? left / right
                                    : code[3] == '*' ? left * right
                                    : code[3] == '-' ? left - right
                                                     : sqrt(right));
}

/* How many of the first bits of both numbers are gone, and what these are off by. */
static void note_cancellation(struct reals *reals, const char *code, const double *at, int precision,
                              struct apart_step *step)
{
    const double left = at[AT(code[2])], right = at[AT(code[4])];
    int top, rest;
    (void)frexp(fmax(fabs(left), fabs(right)), &top);
    (void)frexp(step->makes, &rest);
    step->cancelled = !isfinite(step->makes) ? 0 : step->makes == 0 ? precision : top > rest ? top - rest : 0;
    step->off[0] = less(reals, left, reals->start[AT(code[2])]);
    step->off[1] = less(reals, right, reals->start[AT(code[4])]);
}

/* Returns the last result, which is not yet rounded to the method's format. */
static double know_all(struct apart *apart, const struct formula *formula, struct reals *reals)
{
    const double n = formula_rounded(formula, (double)formula->n),
                 left = formula_rounded(formula, (double)(formula->n - formula->of.of_sample));
    double at[REGISTERS] = {[AT('u')] = 1, [AT('n')] = n, [AT('k')] = left};
    char what[APART_TEXT];
    evaluate(reals);
    for (int i = 0; i < REGISTERS; i++)
        mpfr_set(reals->start[i], reals->at[i], MPFR_RNDN);
    if (mpfr_cmp_d(reals->at[AT('n')], n) != 0)
        know_double(apart, "n", reals, 'n', n);
    if (mpfr_cmp_d(reals->at[AT('k')], left) != 0)
        know_double(apart, "n - 1", reals, 'k', left);
    know_sums(apart, reals);
    for (int p = 0; p < apart->pass_count; p++)
        at[p] = apart->passes[p].blame->additions.computed;
    for (const char *code = NULL; (code = next_operation(apart, code));) {
        at[AT(code[0])] = rounded_operation(formula, code, at);
        write_operation(apart, code, what);
        reals->done = code;
        struct apart_step *step = know_double(apart, what, reals, code[0], at[AT(code[0])]);
        if (code[3] == '-')
            note_cancellation(reals, code, at, formula->in.precision, step);
    }
    return at[AT(last_letter(apart))];
}

/* ---- all ---- */

static enum status make_pass(struct blame *blame, const struct formula *formula, enum pass_terms terms)
{
    struct apart *apart = blame->apart;
    const struct operands *elements = &blame->request.elements;
    const struct method *method = blame->request.additions.method;
    struct apart_pass *pass = &apart->passes[apart->pass_count];
    const uint64_t n = elements->shape.terms;
    *pass = (struct apart_pass){
        .terms = (int)terms, .method = statistic_pass(method, terms), .name = pass_name(apart, terms)};
    if (formula->in.precision < FORMAT_BINARY64.precision) /* the sum is a number of it */
        pass->method.format = method->sum_format->added;
    if (terms >= SCALED) {
        const double sum = apart->pass_count > 0 ? apart->passes[0].blame->additions.computed : 0;
        pass->parameter =
            formula_parameter(formula, sum, n > 0 ? held_number(elements->format, elements->arrays[0], 0) : 0);
        pass->made = malloc(n * format_held(method->sum_format->added)->bytes + 1);
        if (!pass->made)
            return out_of_memory("the terms of a statistic");
    }
    pass->data = text_made("the terms of %s", pass->name);
    pass->blame = memory_cleared(1, sizeof *pass->blame);
    apart->pass_count++;
    struct blame_request request = blame->request;
    request.additions.method = &pass->method;
    request.elements = statistic_operands(method, elements, terms, &pass->parameter, pass->made);
    request.data = pass->data;
    return blame_make(&request, pass->blame);
}

/* Whether the pieces are the error; what is left is the rounding of s, which has no end in binary. */
static enum status prove_pieces(struct blame *blame, struct reals *reals)
{
    const struct exact_sum *exact = &blame->exact;
    mpfr_t *const start = &reals->start[AT(last_letter(blame->apart))];
    mpfr_d_sub(reals->change, blame->additions.computed, *start, MPFR_RNDN);
    const bool telescopes = mpfr_equal_p(reals->change, reals->total);
    mpfr_sub(reals->change, *start, exact->sum, MPFR_RNDN);
    if (telescopes && fabs(mpfr_get_d(reals->change, MPFR_RNDA)) <= 0x1p-50 * exact->ulp)
        return OK;
    return not_measured("blame: the pieces of %s do not add up to computed - s; they always should; this is a bug in "
                        "ulpscope: please report the command",
                        blame->request.additions.method->id);
}

static enum status take_apart(struct blame *blame, const struct formula *formula, struct reals *reals)
{
    struct apart *apart = blame->apart;
    const struct method *method = blame->request.additions.method;
    TRY(start_reals(apart, &blame->request.elements, reals));
    const double result = know_all(apart, formula, reals), computed = rounded_to(result, method->format);
    if (double_bits(computed) != double_bits(blame->additions.computed) && !isnan(computed))
        return not_measured("blame: the operations of %s make %a, and it is %a; this is a bug in ulpscope: please "
                            "report the command",
                            method->id, computed, blame->additions.computed);
    if (computed != result)
        know_double(apart, "the last rounding", reals, last_letter(apart), computed);
    for (int i = 0; i < apart->step_count; i++)
        blame->lost += fabs(apart->steps[i].piece);
    blame->finite = blame->exact.kind == EXACT_FINITE && mpfr_number_p(reals->total);
    return blame->finite ? prove_pieces(blame, reals) : OK;
}

enum status apart_possible(const struct tree_request *request)
{
    const struct method *method = request->method;
    const enum statistic_algorithm algorithm = statistic_of(method->operation)->algorithm;
    const enum pass_terms *passes = statistic_passes(statistic_of(method->operation));
    if (algorithm >= BY_EXP)
        return bad_input("%s: %s is of exponentials, whose roundings are not watched; expected a formula of sums; take "
                         "its sums, %s, or measure it with `ulpscope run`",
                         request->family, method->id, strchr(method->id, ':') + 1);
    if (statistic_moments(algorithm))
        return bad_input("%s: %s keeps %s in one state, whose steps are not watched; expected a formula of sums; take "
                         "another algorithm, such as %s:plain/%s",
                         request->family, method->id, algorithm == BY_RUNNING ? "a running mean" : "a mean and squares",
                         algorithm == BY_RUNNING ? "mean.sum_then_divide" : "variance.two_pass", method->order);
    for (int p = 0; p < PASSES_MOST && passes[p]; p++) {
        const struct method pass = statistic_pass(method, passes[p]);
        struct tree_request of_pass = *request;
        of_pass.method = &pass;
        TRY(additions_possible(&of_pass));
    }
    return OK;
}

enum status apart_make(struct blame *blame)
{
    const struct tree_request *request = &blame->request.additions;
    const struct method *method = request->method;
    const struct operands *of = &blame->request.elements;
    const struct dataset data = {
        .format = of->format, .x = (void *)of->arrays[0], .y = (void *)of->arrays[1], .n = of->shape.terms};
    struct apart *apart = blame->apart = memory_cleared(1, sizeof *apart);
    struct reals *reals;
    uint64_t bits;
    TRY(operation_exact(method->operation, &data, (struct exact_how){0}, &blame->exact));
    blame->exact.nearest = exact_round(blame->exact.sum, method->format);
    blame->exact.ulp = exact_ulp(blame->exact.sum, method->format);
    TRY(method_compute(method, of, request->launch, 1, &bits));
    blame->additions.method = method;
    blame->additions.computed = format_value(method->format, bits);
    const struct formula formula = statistic_formula(method, data.n);
    const enum pass_terms *passes = statistic_passes(statistic_of(method->operation));
    apart->statistic = statistic_of(method->operation);
    apart->precision = formula.in.precision;
    for (int p = 0; p < PASSES_MOST && passes[p]; p++)
        TRY(make_pass(blame, &formula, passes[p]));
    write_formula(apart);
    reals = memory_cleared(1, sizeof *reals);
    const enum status status = take_apart(blame, &formula, reals);
    free_reals(reals);
    free(reals);
    return status;
}

void apart_free(struct apart *apart)
{
    for (int p = 0; apart && p < apart->pass_count; p++) {
        if (apart->passes[p].blame)
            blame_free(apart->passes[p].blame);
        free_all(apart->passes[p].blame, apart->passes[p].made, apart->passes[p].data);
    }
    free(apart);
}
