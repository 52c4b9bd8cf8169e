#include "blame.h"

#include "kernels/statistic_formula.h"
#include "src/measure/operation.h"

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

static void list_operations(struct apart *apart)
{
    const bool of_sample = apart->statistic->of_sample && apart->statistic->algorithm == BY_TEXTBOOK;
    snprintf(apart->formula, sizeof apart->formula, "%s%s%s", formulas[apart->statistic->algorithm],
             of_sample ? " t=v*n w=t/k" : "",
             !apart->statistic->is_root ? ""
             : of_sample                ? " z=.Vw"
                                        : " z=.Vv");
    for (const char *code = apart->formula; *code; code += code[5] ? 6 : 5)
        apart->operations[apart->operation_count++].code = code;
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

void apart_write(const struct apart *apart, const struct apart_operation *operation, char text[APART_TEXT])
{
    const char *const code = operation->code;
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
    mpfr_t at[REGISTERS], result, start;
    mpfr_t change, total;          /* of the result, since the last time and since the start */
    struct exact_sum sum, squares; /* of x, where terms are made */
    bool known[REGISTERS];
    int done; /* operations */
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
    const struct apart *apart = reals->apart;
    const struct apart_operation *const all = apart->operations;
    const int count = apart->operation_count;
    real_sums(reals);
    for (int i = reals->done; i < count; i++)
        real_operation(reals->at[AT(all[i].code[0])], all[i].code, reals->at);
    const mpfr_t *const result = (const mpfr_t *)&reals->at[count > 0 ? AT(all[count - 1].code[0]) : 0];
    mpfr_sub(reals->change, *result, reals->result, MPFR_RNDN);
    mpfr_set(reals->result, *result, MPFR_RNDN);
}

static enum status start_reals(const struct apart *apart, const struct operands *of, struct reals *reals)
{
    const uint64_t n = of->shape.terms;
    reals->apart = apart;
    reals->n = n;
    for (int i = 0; i < REGISTERS; i++)
        mpfr_init2(reals->at[i], PRECISION);
    mpfr_inits2(PRECISION, reals->result, reals->start, (mpfr_ptr)0);
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
        mpfr_clear(reals->at[i]);
    mpfr_clears(reals->result, reals->start, reals->change, reals->total, (mpfr_ptr)0);
    exact_free(&reals->sum);
    exact_free(&reals->squares);
}

/* ---- pieces ---- */

/* What has just become known changes the result by its piece. */
static void add_piece(struct apart *apart, const char *what, struct reals *reals)
{
    evaluate(reals);
    if (mpfr_zero_p(reals->change))
        return;
    struct apart_piece *piece = &apart->pieces[apart->piece_count++];
    mpfr_add(reals->total, reals->total, reals->change, MPFR_RNDN);
    snprintf(piece->what, sizeof piece->what, "%s", what);
    piece->error = mpfr_get_d(reals->change, MPFR_RNDN);
}

/* Returns what rounding added, where a letter was right but for it. */
static double know(struct apart *apart, const char *what, struct reals *reals, char letter, double computed)
{
    mpfr_t *const at = &reals->at[AT(letter)];
    mpfr_d_sub(reals->change, computed, *at, MPFR_RNDN);
    const double rounding = mpfr_get_d(reals->change, MPFR_RNDN);
    reals->known[AT(letter)] = true;
    mpfr_set_d(*at, computed, MPFR_RNDN);
    if (rounding != 0)
        add_piece(apart, what, reals);
    return rounding;
}

static void know_sums(struct apart *apart, struct reals *reals)
{
    char what[APART_TEXT];
    for (int p = 0; p < apart->pass_count; p++) {
        const struct apart_pass *pass = &apart->passes[p];
        if (pass->terms >= (int)SCALED && !reals->known[AT('o')])
            know(apart, pass->terms == (int)SCALED ? "n, rounded" : "m = A(x) / n, rounded", reals, 'o',
                 pass->parameter);
        if (pass->terms >= (int)SCALED) {
            reals->known[p] = true;
            mpfr_set(reals->at[p], pass->blame->exact.sum, MPFR_RNDN);
            snprintf(what, sizeof what, "the terms of %s, rounded", pass->name);
            add_piece(apart, what, reals);
        } else { /* a letter is right before it is known */
            mpfr_set(reals->at[p], pass->blame->exact.sum, MPFR_RNDN);
        }
        know(apart, pass->name, reals, (char)('a' + p), pass->blame->additions.computed);
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

/* What each makes; returns the last, which is not yet rounded to the method's format. */
static double compute(struct apart *apart, const struct formula *formula, double *at)
{
    for (int p = 0; p < apart->pass_count; p++)
        at[p] = apart->passes[p].blame->additions.computed;
    double result = at[0];
    at[AT('u')] = 1;
    at[AT('n')] = formula_rounded(formula, (double)formula->n);
    at[AT('k')] = formula_rounded(formula, (double)(formula->n - formula->of.of_sample));
    for (int i = 0; i < apart->operation_count; i++) {
        struct apart_operation *operation = &apart->operations[i];
        result = operation->makes = at[AT(operation->code[0])] = rounded_operation(formula, operation->code, at);
    }
    return result;
}

static void know_all(struct apart *apart, const double *at, struct reals *reals)
{
    char what[APART_TEXT];
    evaluate(reals);
    mpfr_set(reals->start, reals->result, MPFR_RNDN);
    for (int i = 0; i < apart->operation_count; i++) {
        struct apart_operation *operation = &apart->operations[i];
        mpfr_t *const exactly = &reals->at[AT(operation->code[0])];
        operation->exactly = mpfr_get_d(*exactly, MPFR_RNDN);
        mpfr_d_sub(reals->change, operation->makes, *exactly, MPFR_RNDN);
        operation->error = mpfr_get_d(reals->change, MPFR_RNDN);
    }
    know(apart, "n, rounded", reals, 'n', at[AT('n')]);
    know(apart, "n - 1, rounded", reals, 'k', at[AT('k')]);
    know_sums(apart, reals);
    for (int i = 0; i < apart->operation_count; i++) {
        struct apart_operation *operation = &apart->operations[i];
        apart_write(apart, operation, what);
        reals->done = i + 1;
        operation->rounding = know(apart, what, reals, operation->code[0], operation->makes);
    }
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
    mpfr_d_sub(reals->change, blame->additions.computed, reals->start, MPFR_RNDN);
    const bool telescopes = mpfr_equal_p(reals->change, reals->total);
    mpfr_sub(reals->change, reals->start, exact->sum, MPFR_RNDN);
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
    double at[REGISTERS] = {0};
    const double result = compute(apart, formula, at), computed = rounded_to(result, method->format);
    TRY(start_reals(apart, &blame->request.elements, reals));
    know_all(apart, at, reals);
    if (double_bits(computed) != double_bits(blame->additions.computed) && !isnan(computed))
        return not_measured(
            "blame: the operations of %s make %a, and it is %a; this is a bug in ulpscope: please report "
            "the command",
            method->id, computed, blame->additions.computed);
    if (computed != result)
        know(apart, "the last rounding", reals,
             apart->operation_count > 0 ? apart->operations[apart->operation_count - 1].code[0] : 'a', computed);
    for (int i = 0; i < apart->piece_count; i++)
        blame->lost += fabs(apart->pieces[i].error);
    blame->finite = blame->exact.kind == EXACT_FINITE && mpfr_number_p(reals->total);
    return blame->finite ? prove_pieces(blame, reals) : OK;
}

enum status apart_possible(const struct tree_request *request)
{
    const struct method *method = request->method;
    const enum statistic_algorithm algorithm = statistic_of(method->operation)->algorithm;
    const enum pass_terms *passes = statistic_passes(algorithm);
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
    const enum pass_terms *passes = statistic_passes(formula.of.algorithm);
    apart->statistic = statistic_of(method->operation);
    apart->precision = formula.in.precision;
    for (int p = 0; p < PASSES_MOST && passes[p]; p++)
        TRY(make_pass(blame, &formula, passes[p]));
    list_operations(apart);
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
