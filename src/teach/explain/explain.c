#include "explain.h"

#include "datasets/files/file.h"

/* ---- two sums and their additions ---- */

/* 0 or 1; -1 when both are as near, or one has no distance. */
static int nearer_of(const struct two_sums *two)
{
    mpfr_t error[2];
    double special;
    bool finite = true;
    for (int m = 0; m < 2; m++)
        finite &= metric_difference(&(struct judged){.exact = &two->exact,
                                                     .format = two->additions[m].method->format,
                                                     .computed = two->sums[m]},
                                    error[m], &special) != 0;
    const int order = finite ? mpfr_cmp(error[0], error[1]) : 0;
    for (int m = 0; m < 2; m++)
        mpfr_clear(error[m]);
    return order == 0 ? -1 : order > 0;
}

static void judge_both(const struct explain_request *request, struct two_sums *two)
{
    for (int m = 0; m < 2; m++) {
        const struct promise promise = promise_of(request->method[m], request->launch, &two->exact);
        const struct format *format = request->method[m]->format;
        judge_sum(&two->exact, format, &promise, format_bits(format, two->sums[m]), &two->judged[m]);
    }
    two->differ = !contrast_same(two->sums);
    two->nearer = nearer_of(two);
    two->difference_ulp = two->sums[0] / two->exact.ulp - two->sums[1] / two->exact.ulp;
}

static void free_two(struct two_sums *two)
{
    for (int m = 0; m < 2; m++)
        additions_free(&two->additions[m]);
    parting_free(&two->parting);
    exact_free(&two->exact);
    *two = (struct two_sums){0};
}

/* In whose format the exact sum has its ulp: that of the data may be one of no result, as e4m3. */
static const struct method *coarser_result(const struct method *const methods[2])
{
    return methods[methods[1]->format->precision < methods[0]->format->precision];
}

static struct operands elements_of(const struct explain_request *request, int m, const void *x, const void *y,
                                   uint64_t n)
{
    return (struct operands){request->format, request->method[m]->operation, {x, y}, shape_of_one(n)};
}

static enum status compare_on(const struct explain_request *request, const void *x, const void *y, uint64_t n,
                              uint64_t top, struct two_sums *two)
{
    enum status status = OK;
    const struct operands elements[2] = {elements_of(request, 0, x, y, n), elements_of(request, 1, x, y, n)};
    *two = (struct two_sums){.format = coarser_result(request->method)->format};
    TRY(additions_exact(coarser_result(request->method), (struct exact_how){.workers = request->workers}, elements,
                        &two->exact));
    for (int m = 0; m < 2; m++) {
        const struct tree_request tree = {"explain", request->method[m], n, request->launch};
        TRY_DONE(additions_make(&tree, &elements[m], &two->additions[m]));
        two->sums[m] = two->additions[m].computed;
    }
    TRY_DONE(parting_make(two->additions, top, &two->parting));
    judge_both(request, two);
done:
    if (status != OK)
        free_two(two);
    return status;
}

/* ---- the fewest numbers ---- */

static struct question question_of(const struct explain_request *request)
{
    return (struct question){
        .methods = {request->method[0], request->method[1]},
        .method_count = 2,
        .ask = contrast_ask,
        .format = request->format,
        .launch = request->launch,
        .workers = request->workers,
    };
}

/* Each part has as much to spend: where one gave up, the next may still be done. */
static enum status spend(struct explanation *explanation, struct question *question,
                         enum status (*part)(struct question *, struct shrunken *), struct shrunken *witness)
{
    question->spent = false;
    question->most_additions = question->additions + explanation->request.most_additions;
    const enum status status = part(question, witness);
    explanation->spent |= question->spent;
    return status;
}

static enum status find_witness(struct explanation *explanation)
{
    const struct explain_request *request = &explanation->request;
    struct question question = question_of(request);
    const struct operands elements = elements_of(request, 0, request->x, request->y, request->n);
    TRY(shrunken_of(&elements, &explanation->subset));
    TRY(spend(explanation, &question, shrink, &explanation->subset));
    TRY(spend(explanation, &question, shrink_verify, &explanation->subset));
    TRY(shrunken_copy(&explanation->subset, &explanation->witness));
    TRY(spend(explanation, &question, simplify, &explanation->witness));
    TRY(spend(explanation, &question, shrink_verify, &explanation->witness));
    explanation->evaluations = question.evaluations;
    explanation->additions = question.additions;
    for (uint64_t v = 0; v < explanation->witness.width; v++)
        TRY(shrunken_held(&explanation->witness, request->format, v, &explanation->held[v]));
    return compare_on(request, explanation->held[0], explanation->held[1], explanation->witness.n, EXPLAIN_READABLE_N,
                      &explanation->reduced);
}

enum status explain_make(const struct explain_request *request, struct explanation *explanation)
{
    enum status status = OK;
    *explanation = (struct explanation){.request = *request};
    for (int m = 0; m < 2; m++)
        TRY(additions_possible(&(struct tree_request){"explain", request->method[m], request->n, request->launch}));
    TRY_DONE(compare_on(request, request->x, request->y, request->n, request->top, &explanation->data));
    if (explanation->data.differ)
        TRY_DONE(find_witness(explanation));
done:
    if (status != OK)
        explain_free(explanation);
    return status;
}

void explain_free(struct explanation *explanation)
{
    free_two(&explanation->data);
    free_two(&explanation->reduced);
    shrunken_free(&explanation->subset);
    shrunken_free(&explanation->witness);
    for (int v = 0; v < ARRAYS_MOST; v++)
        free(explanation->held[v]);
    *explanation = (struct explanation){0};
}

/* ---- the question ---- */

bool contrast_same(const double sums[2])
{
    return format_same(&FORMAT_BINARY64, double_bits(sums[0]), double_bits(sums[1]));
}

enum status contrast_ask(const struct question *question, const void *const vectors[], uint64_t n, bool *yes)
{
    double sums[2];
    for (int m = 0; m < 2; m++) {
        uint64_t bits;
        TRY(question_sum(question, m, vectors, n, &bits));
        sums[m] = format_value(question->methods[m]->format, bits);
    }
    *yes = !contrast_same(sums);
    return OK;
}

/* ---- the witness as a data file, which says on top what it is ---- */

/* As the curated files have it (datasets/curated). */
static char *comment_of(const struct explanation *explanation, const struct explain_names *names)
{
    const struct shrunken *witness = &explanation->witness;
    OWNED char *command = explain_command(explanation, names->witness),
               *hex = exact_hex(explanation->reduced.exact.sum);
    struct text text = {0};
    text_append(&text, "%s and %s differ on these %" PRIu64 " numbers%s\n", explanation->request.method[0]->id,
                explanation->request.method[1]->id, witness->n,
                witness->minimal ? ", and agree without any one of them" : "");
    text_append(&text, "source %s, of whose %" PRIu64 " numbers these take the place of", names->data,
                explanation->request.n);
    for (uint64_t i = 0; i < witness->n; i++)
        text_append(&text, "%sx%" PRIu64, i > 0 ? ", " : " ", witness->index[i]);
    text_append(&text, "\nmade   %s\n", names->command);
    text_append(&text, "again  %s\nexact  %s\n", command, hex);
    return text_take(&text);
}

enum status explain_write_witness(const struct explanation *explanation, const struct explain_names *names)
{
    const struct dataset data = {
        .format = explanation->request.format, .x = explanation->held[0], .n = explanation->witness.n};
    OWNED char *comment = comment_of(explanation, names);
    return file_write(names->witness, &data, comment);
}
