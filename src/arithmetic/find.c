/* The steps: the same answers twice, and at all places of C; the order along k; what all rows leave of all models;
 * fresh rows. */
#include "inquiry.h"

enum { ROWS_OF_KIND = 320, FLOOR_ROWS = 1600, ZERO_ROWS = 32, TERMS_LEAST = 16, VARIANTS_MOST = 4 };

static const char *const step_words[ROW_KINDS] = {
    [ROW_ALIGNMENT] = "alignment",   [ROW_OUTPUT] = "rounding of a block", [ROW_INPUTS] = "factors",
    [ROW_SPREAD] = "chained blocks", [ROW_ADDITIONS] = "additions",        [ROW_FLOOR] = "floor and subnormals",
    [ROW_ZERO] = "sign of zero"};

struct finding {
    const struct asked *asked;
    struct inquiry inquiry;
    struct arithmetic_answer *answer;
    struct models models;
};

const char *arithmetic_refusal(const struct sum_format *formats)
{
    return formats->result->bytes == 1 ? "results of 8 bits end at the largest number" : NULL;
}

/* ---- the same twice, and everywhere ---- */

static enum status fresh_questions(struct finding *finding, const struct grouping *grouping, int fraction, int kind,
                                   struct questions *questions)
{
    TRY(questions_new(finding->asked->rows, grouping->terms, questions));
    for (uint64_t question = 0; question < questions->count; question++)
        row_set_fresh(&finding->inquiry, grouping, fraction, questions, question, kind);
    return OK;
}

static enum status in_order(uint64_t terms, struct grouping *grouping)
{
    *grouping = (struct grouping){
        .terms = terms, .places = calloc(terms, sizeof *grouping->places), .levels = 1, .sizes = {terms}};
    TRY(grouping->places ? OK : out_of_memory("places"));
    for (uint64_t k = 0; k < terms; k++)
        grouping->places[k] = (uint32_t)k;
    return OK;
}

static void grouping_free(struct grouping *grouping)
{
    free(grouping->places);
    grouping->places = NULL;
}

static bool are_same(const double *c, uint64_t elements)
{
    for (uint64_t i = 1; i < elements; i++)
        if (!format_same(&FORMAT_BINARY64, double_bits(c[0]), double_bits(c[i])))
            return false;
    return true;
}

/* A product whose rows and columns are all the same, twice: what is computed of them is, unless bits change from call
 * to call, or with the place in C. */
static enum status ask_alike(struct finding *finding, const struct grouping *grouping, int kind)
{
    FREED_BY(questions_free) struct questions questions = {0};
    const uint64_t rows = finding->asked->rows, elements = rows * rows, terms = grouping->terms;
    OWNED double *once = calloc((size_t)(2 * elements), sizeof *once);
    TRY(once ? OK : out_of_memory("a matrix product"));
    TRY(fresh_questions(finding, grouping, 0, kind, &questions));
    for (uint64_t i = 1; i < rows; i++) {
        memcpy(questions.a + i * terms, questions.a, terms * sizeof *questions.a);
        memcpy(questions.b + i * terms, questions.b, terms * sizeof *questions.b);
    }
    TRY(inquiry_ask_all(&finding->inquiry, &questions, once, false));
    TRY(inquiry_ask_all(&finding->inquiry, &questions, once + elements, false));
    if (memcmp(once, once + elements, (size_t)elements * sizeof *once) != 0)
        finding->answer->failed = "the same product twice";
    else if (!are_same(once, elements))
        finding->answer->failed = "elements of C, whose orders differ";
    return OK;
}

static enum status find_changes(struct finding *finding)
{
    FREED_BY(grouping_free) struct grouping grouping = {0};
    TRY(in_order(finding->asked->terms, &grouping));
    for (int kind = 0; kind < FRESH_KINDS && !finding->answer->failed; kind++)
        TRY(ask_alike(finding, &grouping, kind));
    return OK;
}

/* ---- models ---- */

static void hold_some(struct finding *finding, const struct grouping *grouping, const struct questions *questions,
                      struct held held)
{
    const uint64_t row = models_hold(&finding->models, finding->asked->formats, grouping, questions, held);
    if (finding->models.count == 0 && !finding->answer->failed)
        finding->answer->failed = step_words[questions->kind[row]];
}

static enum status hold(struct finding *finding, const struct grouping *grouping, struct questions *questions,
                        bool signs)
{
    TRY(inquiry_ask(&finding->inquiry, questions));
    hold_some(finding, grouping, questions, (struct held){0, questions->count, signs});
    return OK;
}

static enum status hold_rows(struct finding *finding, const struct grouping *grouping, enum row_kind kind,
                             uint64_t count, bool signs)
{
    FREED_BY(questions_free) struct questions questions = {0};
    TRY(questions_new(count, grouping->terms, &questions));
    for (uint64_t question = 0; question < count; question++)
        row_set(&finding->inquiry, grouping, &questions, question, kind);
    return hold(finding, grouping, &questions, signs);
}

/* Blocks of one may be chained or not, and a block of two may be two of one: what pairs do not tell. */
static int variants_of(const struct grouping *found, struct grouping *variants)
{
    int count = 0;
    variants[count++] = *found;
    struct grouping ones = *found;
    if (found->sizes[0] == 2 && !found->chained && found->levels < LEVELS_MOST) {
        memmove(ones.sizes + 1, found->sizes, sizeof *ones.sizes * (size_t)found->levels);
        ones.sizes[0] = 1;
        ones.levels++;
        variants[count++] = ones;
    }
    if (ones.sizes[0] == 1 && ones.levels > 1) {
        ones.chained = true;
        variants[count++] = ones;
    }
    return count;
}

/* What blocks, factors and additions leave.  Rows of few bits come first: they ask for no rounding of factors. */
static enum status hold_blocks(struct finding *finding, const struct grouping *variant, const struct questions *asked)
{
    const struct sum_format *formats = finding->asked->formats;
    const uint64_t short_rows = (uint64_t)ROW_INPUTS * ROWS_OF_KIND;
    free(finding->models.left);
    finding->models = (struct models){0};
    finding->answer->failed = NULL;
    TRY(models_all(formats, variant, &finding->models));
    hold_some(finding, variant, asked, (struct held){0, short_rows, false});
    TRY(models_with_inputs(formats, &finding->models));
    if (!finding->answer->failed)
        hold_some(finding, variant, asked, (struct held){short_rows, asked->count, false});
    return OK;
}

/* Kinds of rows take turns, so that few models see many. */
static enum row_kind kind_of(uint64_t question)
{
    static const enum row_kind kinds[][2] = {{ROW_ALIGNMENT, ROW_OUTPUT}, {ROW_INPUTS, ROW_SPREAD}};
    const uint64_t pair = question / ((uint64_t)2 * ROWS_OF_KIND);
    return pair < 2 ? kinds[pair][question % 2] : ROW_ADDITIONS;
}

static enum status find_blocks(struct finding *finding, struct grouping *found)
{
    FREED_BY(questions_free) struct questions questions = {0};
    struct grouping variants[VARIANTS_MOST];
    const int count = variants_of(found, variants);
    TRY(questions_new((uint64_t)(ROW_ADDITIONS + 1) * ROWS_OF_KIND, found->terms, &questions));
    for (uint64_t question = 0; question < questions.count; question++)
        row_set(&finding->inquiry, found, &questions, question, kind_of(question));
    TRY(inquiry_ask(&finding->inquiry, &questions));
    for (int v = 0; v < count; v++) {
        TRY(hold_blocks(finding, &variants[v], &questions));
        if (!finding->answer->failed) {
            *found = variants[v];
            return OK;
        }
    }
    return OK;
}

static enum status find_models(struct finding *finding, struct grouping *grouping)
{
    const char **failed = &finding->answer->failed;
    TRY(find_blocks(finding, grouping));
    if (*failed)
        return OK;
    TRY(models_with_floors(finding->asked->formats, &finding->models));
    TRY(hold_rows(finding, grouping, ROW_FLOOR, FLOOR_ROWS, false));
    if (*failed)
        return OK;
    TRY(models_with_zeros(&finding->models));
    TRY(hold_rows(finding, grouping, ROW_ZERO, ZERO_ROWS, true));
    return OK;
}

/* The one that is meant: with the highest floor, the fewest bits beside the largest term, the most of a block. */
static bool is_before(const struct arithmetic *a, const struct arithmetic *b)
{
    return a->rounded_parts != b->rounded_parts ? b->rounded_parts
           : a->floor != b->floor               ? a->floor > b->floor
           : a->fraction != b->fraction         ? a->fraction < b->fraction
                                                : a->output > b->output;
}

static void put_first(struct models *models)
{
    for (size_t m = 1; m < models->count; m++)
        if (is_before(&models->left[m], &models->left[0])) {
            const struct arithmetic kept = models->left[0];
            models->left[0] = models->left[m];
            models->left[m] = kept;
        }
}

/* ---- fresh rows ---- */

/* All elements of a product; `learns`: those that the first model has not drop models that have not either, as long as
 * one is left. */
static enum status hold_fresh(struct finding *finding, const struct grouping *grouping, int kind, bool learns)
{
    struct models *models = &finding->models;
    const uint64_t rows = finding->asked->rows, terms = grouping->terms;
    FREED_BY(questions_free) struct questions questions = {0};
    OWNED double *c = calloc((size_t)(rows * rows), sizeof *c);
    uint64_t held = 0;
    TRY(c ? OK : out_of_memory("a matrix product"));
    TRY(fresh_questions(finding, grouping, models->left[0].fraction, kind, &questions));
    TRY(inquiry_ask_all(&finding->inquiry, &questions, c, false));
    for (uint64_t i = 0; i < rows * rows; i++) {
        const struct element element = {
            finding->asked->formats, questions.a + i / rows * terms, questions.b + i % rows * terms, 0, 0, 0};
        const bool has_bits = models_has_bits(&models->left[0], grouping, &element, c[i], true);
        held += has_bits;
        if (has_bits || !learns)
            continue;
        const size_t left = models_keep(models, grouping, &element, c[i], true);
        models->count = left > 0 ? left : models->count;
        put_first(models);
    }
    if (learns)
        return OK;
    finding->answer->rows[kind] = rows * rows;
    finding->answer->held[kind] = held;
    if (held < rows * rows)
        finding->answer->failed = "fresh rows";
    return OK;
}

/* ---- C ---- */

/* The entries that have the bits of a product that was added to C, as bits of a mask. */
static enum status hold_entries(struct finding *finding, const struct grouping *grouping, int kind, unsigned *entries)
{
    const struct sum_format *formats = finding->asked->formats;
    const uint64_t rows = finding->asked->rows, terms = grouping->terms;
    FREED_BY(questions_free) struct questions questions = {0};
    OWNED double *c = calloc((size_t)(2 * rows * rows), sizeof *c);
    TRY(c ? OK : out_of_memory("a matrix product"));
    double *const before = c + rows * rows;
    TRY(fresh_questions(finding, grouping, finding->models.left[0].fraction, kind, &questions));
    for (uint64_t i = 0; i < rows * rows; i++)
        before[i] = c[i] = row_any_c(&finding->inquiry);
    TRY(inquiry_ask_all(&finding->inquiry, &questions, c, true));
    for (uint64_t i = 0; i < rows * rows; i++)
        for (int entry = 1; entry < grouping->levels + 2; entry++) {
            const struct element element = {
                formats, questions.a + i / rows * terms, questions.b + i % rows * terms, 0, before[i], entry};
            if (*entries >> entry & 1 && !models_has_bits(finding->models.left, grouping, &element, c[i], true))
                *entries &= ~(1u << entry);
        }
    return OK;
}

static enum status find_entry(struct finding *finding)
{
    struct arithmetic_answer *answer = finding->answer;
    unsigned entries = ~1u;
    for (int kind = 0; kind < FRESH_KINDS; kind++)
        TRY(hold_entries(finding, &answer->grouping, kind, &entries));
    answer->entry = __builtin_ctz(entries);
    if (answer->entry > answer->grouping.levels + 1)
        answer->failed = "C";
    return OK;
}

static enum status find(struct finding *finding)
{
    struct arithmetic_answer *answer = finding->answer;
    bool is_found = false;
    TRY(find_changes(finding));
    if (answer->failed)
        return OK;
    TRY(grouping_find(&finding->inquiry, finding->asked->terms, &answer->grouping, &answer->has_grouping));
    if (!answer->has_grouping) {
        answer->failed = "order along k";
        return OK;
    }
    TRY(grouping_find(&finding->inquiry, finding->asked->terms / 2, &answer->half, &is_found));
    answer->half.levels = is_found ? answer->half.levels : 0;
    TRY(find_models(finding, &answer->grouping));
    if (answer->failed)
        return OK;
    put_first(&finding->models);
    for (int kind = 0; kind < 2 * FRESH_KINDS; kind++)
        TRY(hold_fresh(finding, &answer->grouping, kind % FRESH_KINDS, kind < FRESH_KINDS));
    return finding->asked->adds && !answer->failed ? find_entry(finding) : OK;
}

enum status arithmetic_find(const struct asked *asked, struct arithmetic_answer *answer)
{
    struct finding finding = {.asked = asked, .answer = answer};
    *answer = (struct arithmetic_answer){.asked = asked};
    enum status status = inquiry_start(asked, &finding.inquiry);
    status = status == OK ? find(&finding) : status;
    answer->questions = finding.inquiry.count;
    answer->left = finding.models.left;
    answer->left_count = finding.models.count;
    inquiry_end(&finding.inquiry);
    return status;
}

void arithmetic_free(struct arithmetic_answer *answer)
{
    free_all(answer->left, answer->grouping.places, answer->half.places);
}
