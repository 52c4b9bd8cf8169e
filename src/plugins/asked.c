/* What a method is asked beside the data of a study: the rows of one table, of each length, offset and repetition that
 * they say, until one answer is wrong or the time is over. */
#include "known.h"
#include "plugin_kind.h"
#include "src/base/clock.h"

#include <math.h>

/* ---- the table ---- */

enum takers { VECTORS = 1, BATCHES = 2, OF_MATRICES = 4, ITS_ACCUMULATORS = 8 };

/* From the first to the last length, each `factor` times the one before and a step. */
struct lengths {
    uint64_t first, last, factor;
    int64_t step;
};
#define ONE(n)                                                                                                         \
    {                                                                                                                  \
        n, n, 2, 0                                                                                                     \
    }

struct row {
    const char *what; /* what is counted together */
    unsigned takers;
    enum content content;
    struct lengths lengths;
    uint64_t rows, columns; /* 0: one row; vectors */
    enum { AS_EVER, FIRST_IN_PAGE, OFF_ALIGNMENT /* by an element, and by two, up to 60 bytes */ } place;
    unsigned times;       /* 0: once */
    struct launch launch; /* 0: the usual one */
};

/* Before a run. */
static const struct row dozen[] = {
    {"lengths", VECTORS | OF_MATRICES, INTEGERS, ONE(17), 5, 2, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS | OF_MATRICES, INTEGERS, ONE(128), 1, 2, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS | OF_MATRICES, INTEGERS, ONE(1000), 4, 2, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS | OF_MATRICES, INTEGERS, ONE(1024), 3, 2, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS | OF_MATRICES, INTEGERS, ONE(4097), 5, 2, FIRST_IN_PAGE, 0, {0, 0}},
    {"lengths", VECTORS | OF_MATRICES, INTEGERS, ONE(100), 1, 3, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS | OF_MATRICES, INTEGERS, ONE(31), 4, 2, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS | OF_MATRICES, INTEGERS, ONE(8), 3, 5, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS | OF_MATRICES, INTEGERS, ONE(5), 5, 2, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS | OF_MATRICES, INTEGERS, ONE(3), 1, 2, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS | OF_MATRICES, INTEGERS, ONE(2), 4, 2, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS | OF_MATRICES, INTEGERS, ONE(1), 3, 2, AS_EVER, 0, {0, 0}},
};

/* By `plugin check`: what is cheap first, and what is short again after what is long. */
static const struct row all[] = {
    {"that look at states", ITS_ACCUMULATORS, RANDOM_REALS, {1, 100, 2, 1}, 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, {1, 300, 1, 1}, 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, {511, 4095, 2, 1}, 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, {512, 4096, 2, 0}, 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, {513, 4097, 2, -1}, 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, {768, 10240, 1, 256}, 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, {1000, 10000, 1, 1000}, 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, {999, 9999, 1, 1000}, 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, {301, 5000, 1, 97}, 1, 0, AS_EVER, 0, {0, 0}},
    {"of a length again", VECTORS, INTEGERS, {1000, 16, 1, -123}, 1, 0, AS_EVER, 3, {0, 0}},
    {"at the beginning of a page", VECTORS, INTEGERS, {1, 4096, 2, 0}, 1, 0, FIRST_IN_PAGE, 0, {0, 0}},
    {"at the beginning of a page", VECTORS, INTEGERS, {31, 5000, 2, 5}, 1, 0, FIRST_IN_PAGE, 0, {0, 0}},
    {"off alignment", VECTORS, INTEGERS, {1, 4200, 5, 2}, 1, 0, OFF_ALIGNMENT, 0, {0, 0}},
    {"off alignment", VECTORS, INTEGERS, {32, 4096, 2, 0}, 1, 0, OFF_ALIGNMENT, 0, {0, 0}},
    {"launches", VECTORS, INTEGERS, ONE(5000), 1, 0, AS_EVER, 0, {1, 64}},
    {"launches", VECTORS, INTEGERS, ONE(5000), 1, 0, AS_EVER, 0, {60, 128}},
    {"launches", VECTORS, INTEGERS, ONE(5000), 1, 0, AS_EVER, 0, {240, 512}},
    {"launches", VECTORS, INTEGERS, ONE(5000), 1, 0, AS_EVER, 0, {2, 1024}},
    {"of subnormals", VECTORS, TINY, {1, 5000, 3, 1}, 1, 0, AS_EVER, 0, {0, 0}},
    {"near overflow", VECTORS, HUGE_ONES, {1, 5000, 3, 1}, 1, 0, AS_EVER, 0, {0, 0}},
    {"of one array twice", VECTORS, ONE_ARRAY_TWICE, {1, 5000, 3, 1}, 1, 0, AS_EVER, 0, {0, 0}},
    {"with a NaN", VECTORS, WITH_NAN, {1, 5000, 5, 2}, 1, 0, AS_EVER, 0, {0, 0}},
    {"with an infinity", VECTORS, WITH_INFINITY, {1, 5000, 5, 2}, 1, 0, AS_EVER, 0, {0, 0}},
    {"that overflow", VECTORS, OVERFLOWING, {3, 29, 9, 2}, 1, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(37), 2, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, {1, 300, 3, 2}, 3, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(64), 8, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(7), 17, 0, OFF_ALIGNMENT, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(32), 32, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(32), 65, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(1000), 129, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(255), 256, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(1025), 63, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(100), 1025, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(37), 2049, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(16), 4097, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(3), 65537, 0, AS_EVER, 0, {0, 0}},
    {"batches", BATCHES, INTEGERS, ONE(300), 5, 0, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, {1, 129, 1, 1}, 2, 2, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, {1, 300, 2, 1}, 1, 1, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, {1, 300, 2, 1}, 17, 33, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, {1, 300, 2, 1}, 65, 5, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, {2, 300, 2, 0}, 1, 33, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, {3, 300, 2, -1}, 33, 1, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, {7, 300, 3, 2}, 33, 65, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, {16, 256, 2, 0}, 64, 64, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, {16, 128, 2, 0}, 16, 128, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, {15, 300, 2, 1}, 15, 31, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, ONE(100), 130, 3, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, ONE(100), 3, 257, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, ONE(33), 129, 129, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, ONE(1000), 5, 7, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, ONE(1025), 7, 5, AS_EVER, 0, {0, 0}},
    {"shapes", OF_MATRICES, INTEGERS, ONE(4097), 2, 2, AS_EVER, 0, {0, 0}},
    {"at the beginning of a page", OF_MATRICES, INTEGERS, {1, 100, 3, 1}, 9, 17, FIRST_IN_PAGE, 0, {0, 0}},
    {"off alignment", OF_MATRICES, INTEGERS, ONE(33), 17, 9, OFF_ALIGNMENT, 0, {0, 0}},
    {"off alignment", OF_MATRICES, INTEGERS, ONE(64), 32, 64, OFF_ALIGNMENT, 0, {0, 0}},
    {"of subnormals", OF_MATRICES, TINY, ONE(40), 7, 9, AS_EVER, 0, {0, 0}},
    {"of one array twice", OF_MATRICES, ONE_ARRAY_TWICE, {1, 70, 2, 1}, UINT64_MAX, 0, AS_EVER, 0, {0, 0}},
    {"of a shape again", OF_MATRICES, INTEGERS, {17, 3, 1, -5}, 17, 33, AS_EVER, 3, {0, 0}},
    {"of the same reals", OF_MATRICES, RANDOM_REALS, ONE(300), 130, 257, AS_EVER, 5, {0, 0}},
    {"of the same reals", BATCHES, RANDOM_REALS, ONE(3000), 300, 0, AS_EVER, 5, {0, 0}},
    {"lengths", VECTORS, INTEGERS, {8191, (1 << 20) - 1, 2, 1}, 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, {8192, 1 << 20, 2, 0}, 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, {8193, (1 << 20) + 1, 2, -1}, 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, {12345, 1000000, 3, 1000}, 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, ONE((1 << 20) + 3), 1, 0, AS_EVER, 0, {0, 0}},
    {"of a length again", VECTORS, INTEGERS, {1000, 16, 1, -123}, 1, 0, AS_EVER, 0, {0, 0}},
    {"of the same reals", VECTORS, RANDOM_REALS, ONE((1 << 20) + 3), 1, 0, AS_EVER, 10, {0, 0}},
    {"lengths", VECTORS, INTEGERS, ONE(3000001), 1, 0, AS_EVER, 0, {0, 0}},
    {"lengths", VECTORS, INTEGERS, ONE((1 << 24) + 5), 1, 0, AS_EVER, 0, {0, 0}},
    {"of a length again", VECTORS, INTEGERS, {100, 4, 1, -32}, 1, 0, AS_EVER, 0, {0, 0}},
};

/* ---- one question ---- */

/* What is going on with a method. */
struct walk {
    const struct method *method;
    struct plugin_method *own;
    struct plugin_answers *answers;
    enum plugin_asking what;
    double begin, seconds;                /* that all may take */
    double least_call, longest, elements; /* of the questions so far: the shortest; the one of most elements */
    bool has_own_lengths;                 /* those that the method takes were asked, all of them */
};

struct one {
    const struct row *row;
    struct shape shape;
    uint32_t offset;
};

static uint64_t elements_of(const struct method *method, struct shape shape)
{
    const uint64_t of_y = operation_table[method->operation].vectors < 2 ? 0
                          : shape.columns > 0                            ? shape.columns
                                                                         : shape.rows;
    return shape.terms * (shape.rows + of_y);
}

static bool says_alignment(const char *why)
{
    return strstr(why, "align") || strstr(why, "ALIGN");
}

/* ", row 3 of 2049," and the like: what is special about it. */
static char *circumstances_of(const struct one *one, enum operation operation, uint64_t result)
{
    const bool is_per_number = operation_is_per_number(operation);
    const bool is_of_matrices = operation_table[operation].of == MATRICES;
    static const char *const of_content[CONTENTS] = {[TINY] = ", times the least subnormal number",
                                                     [HUGE_ONES] = ", times a power of two just below overflow",
                                                     [ONE_ARRAY_TWICE] = ", one array being both"};
    struct text text = {0};
    const struct shape shape = one->shape;
    if (of_content[one->row->content])
        text_append(&text, "%s", of_content[one->row->content]);
    if (one->offset > 0)
        text_append(&text, ", %" PRIu32 " bytes off the usual alignment", one->offset);
    if (is_per_number)
        text_append(&text, ", element %" PRIu64, result % shape.terms + 1);
    if (!is_of_matrices && shape.rows > 1)
        text_append(&text, ", row %" PRIu64 " of %" PRIu64, (is_per_number ? result / shape.terms : result) + 1,
                    shape.rows);
    if (is_of_matrices)
        text_append(&text, ", element %" PRIu64 ",%" PRIu64 " of %" PRIu64 " x %" PRIu64, result / shape.columns + 1,
                    result % shape.columns + 1, shape.rows, shape.columns);
    text_append(&text, "%s", text.length > 0 ? "," : "");
    return text_take(&text);
}

static enum status is_wrong(struct walk *walk, const struct one *one, uint64_t result, double value, double exact)
{
    const uint64_t n = one->shape.terms;
    OWNED char *where = circumstances_of(one, walk->method->operation, result);
    walk->answers->wrong = text_made("of %" PRIu64 " integer%s%s the exact result is %s, %s; it gave %s", n,
                                     n == 1 ? "" : "s", where, double_text(exact),
                                     is_statistic(walk->method->operation) ? "and no algorithm is so far off"
                                                                           : "in any order of additions",
                                     double_text(value));
    return LIMIT_BROKEN;
}

static void add_note(struct plugin_answers *answers, char *note)
{
    if (answers->note_count < PLUGIN_NOTES_MOST)
        answers->notes[answers->note_count++] = note;
    else
        free(note);
}

/* Additions pass on a NaN, and make none of two numbers that are one too large; what claims more or less than their
 * bound may do otherwise, which is said. */
static enum status judge_special(struct walk *walk, const struct one *one, double value)
{
    const enum content content = one->row->content;
    if (content == OVERFLOWING && isnan(value) && walk->answers->overflowed++ == 0)
        add_note(walk->answers,
                 text_made("near overflow, of %" PRIu64
                           " numbers with a finite sum, it gave a NaN, which additions alone do not give",
                           one->shape.terms));
    if (content == OVERFLOWING || !isfinite(value))
        return OK;
    char *what = text_made("of %" PRIu64 " integers and %s in place of one of them it gave %s; expected %s",
                           one->shape.terms, content == WITH_NAN ? "a NaN" : "an infinity", plainly_text(value),
                           content == WITH_NAN ? "a NaN" : "an infinity, or a NaN");
    if (walk->own->bound != BOUND_OF_ANY_ORDER) {
        add_note(walk->answers, what);
        return OK;
    }
    walk->answers->wrong = what;
    return LIMIT_BROKEN;
}

static enum status judge(struct walk *walk, const struct one *one, const struct known *known, const uint64_t *bits,
                         const uint64_t *first)
{
    const struct format *format = walk->method->format;
    const uint64_t results = operation_results(walk->method->operation, one->shape);
    for (uint64_t e = 0; e < results; e++) {
        const double value = format_value(format, bits[e]);
        if (one->row->content < WITH_NAN && !known_is_right(known, e, value))
            return is_wrong(walk, one, e, value, known->results[e]);
        if (one->row->content >= WITH_NAN && one->row->content <= OVERFLOWING)
            TRY(judge_special(walk, one, value));
        if (one->row->content != RANDOM_REALS || format_same(format, first[e], bits[e]))
            continue;
        walk->answers->wrong = text_made("claims to be deterministic, and its bits of the same %" PRIu64
                                         " real numbers differed when it was asked again",
                                         elements_of(walk->method, one->shape));
        return LIMIT_BROKEN;
    }
    return OK;
}

/* What gave no result: a refusal, a crash that an array off alignment explains, or a failure, which is reported. */
static void note_failure(struct walk *walk, const struct one *one)
{
    struct plugin_answers *answers = walk->answers;
    const char *why = plugin_failure();
    if (walk->own->has_refused) {
        const bool is_usual = one->row->content == INTEGERS && one->offset == 0 && one->row->launch.blocks == 0;
        if (is_usual && walk->own->length_count == 0 && walk->what == EVERYTHING && answers->undeclared++ == 0)
            complain("%s: refuses n = %" PRIu64 ", and says nothing of the lengths that it takes: %s", walk->method->id,
                     one->shape.terms, why);
        if (answers->refused++ == 0)
            add_note(answers, text_made("it refuses some, the first with n = %" PRIu64 ": %s", one->shape.terms, why));
    } else if (one->offset > 0 && says_alignment(why)) {
        if (answers->unaligned++ == 0)
            add_note(answers,
                     text_made("%" PRIu32 " bytes off the usual alignment it fails, as it may: %s", one->offset, why));
    } else {
        plugin_count_failure(walk->own, one->shape.terms);
    }
}

static enum status ask_one(struct walk *walk, const struct one *one, const struct known *known, uint64_t *bits,
                           const uint64_t *first)
{
    const struct method *method = walk->method;
    const struct operands of = {method->sum_format->stored, method->operation, {known->x, known->y}, one->shape};
    const struct circumstances under = {.offset = one->offset,
                                        .is_first_in_page = one->row->place == FIRST_IN_PAGE,
                                        .looks_at_states = one->row->takers & ITS_ACCUMULATORS};
    const struct launch launch = one->row->launch.blocks > 0 ? one->row->launch : (struct launch){120, 256};
    const enum status status = plugin_ask(method, &of, launch, &under, bits);
    if (status == BAD_INPUT) /* it cannot be asked so */
        return OK;
    walk->answers->asked++;
    if (status == OK)
        return judge(walk, one, known, bits, first);
    if (under.looks_at_states) {
        walk->answers->wrong = text_made("of %" PRIu64 " number%s, %s", one->shape.terms,
                                         one->shape.terms == 1 ? "" : "s", plugin_failure());
        return LIMIT_BROKEN;
    }
    note_failure(walk, one);
    return OK;
}

/* The same once, or as often as the row says: of integers others each time, of which the second differ in the last one
 * alone: what keeps results is distinguished. */
static enum status ask_often(struct walk *walk, const struct one *one)
{
    const unsigned times = one->row->times > 0 ? one->row->times : 1;
    const uint64_t results = operation_results(walk->method->operation, one->shape);
    const bool is_same = one->row->content == RANDOM_REALS;
    uint64_t state = 0;
    OWNED uint64_t *bits = memory_cleared(results, sizeof *bits), *first = memory_cleared(results, sizeof *first);
    FREED_BY(known_free) struct known known = {0};
    for (unsigned t = 0; t < times && !plugin_is_left_out(walk->method); t++) {
        if (t == 0 || !is_same) {
            known_free(&known);
            state = t == 1 ? state : walk->answers->asked + 1;
            known = (struct known){walk->method, one->shape, one->row->content, state, t == 1, 0, 0, 0, 0};
            TRY(known_make(&known));
        }
        TRY(ask_one(walk, one, &known, t == 0 ? first : bits, first));
    }
    return OK;
}

/* ---- all of them ---- */

/* By what the shortest question took, and for each element the largest. */
static bool is_in_time(const struct walk *walk, double elements)
{
    const double made = 15e-9 * elements; /* to make the numbers and bring them takes as long, whatever the method */
    const double share = walk->elements > 0 ? (walk->longest - walk->least_call) * elements / walk->elements : 0;
    return clock_of_wall() - walk->begin + walk->least_call + fmax(made, share) <= walk->seconds;
}

static struct plugin_count *count_of(struct plugin_answers *answers, const char *what)
{
    int c = 0;
    while (answers->counts[c].what && strcmp(answers->counts[c].what, what) != 0)
        c++;
    answers->counts[c].what = what;
    return &answers->counts[c];
}

/* A call that takes longer than all of them may hangs, once the first ones are behind it, which compile and import. */
static void limit_calls(struct walk *walk)
{
    enum { FIRST_ONES = 20, HANGS = 5 };
    const struct plugin_limits usual = PLUGIN_LIMITS;
    struct plugin *plugin = walk->method->plugin;
    if (walk->answers->asked >= FIRST_ONES && walk->seconds <= HANGS && plugin->limits.seconds == usual.seconds)
        plugin->limits.seconds = plugin->process.limits.seconds = HANGS;
}

static enum status ask_and_time(struct walk *walk, const struct one *one)
{
    struct plugin_count *count = count_of(walk->answers, one->row->what);
    const double elements = (double)elements_of(walk->method, one->shape) * (one->row->times > 0 ? one->row->times : 1);
    if (!is_in_time(walk, elements)) {
        if (count->left_out++ == 0 || one->shape.terms < count->least_left_out)
            count->least_left_out = one->shape.terms;
        return OK;
    }
    limit_calls(walk);
    const double begin = clock_of_wall();
    const unsigned asked = walk->answers->asked;
    const enum status status = ask_often(walk, one);
    const double took = clock_of_wall() - begin;
    count->asked += walk->answers->asked - asked;
    count->most_terms = one->shape.terms > count->most_terms ? one->shape.terms : count->most_terms;
    if (elements >= walk->elements) {
        walk->elements = elements;
        walk->longest = took;
    }
    walk->least_call = walk->least_call == 0 || took < walk->least_call ? took : walk->least_call;
    return status;
}

/* At each place that the row says.  A process that fails off alignment as it may takes a new one each time, and the
 * time of what follows: a few such failures are enough. */
static enum status ask_of_length(struct walk *walk, const struct row *row, uint64_t n)
{
    enum { OFFSET_MOST = 60, UNALIGNED_MOST = 3, WINDOW_OF_N = 3 };
    const bool is_product = operation_table[walk->method->operation].of == MATRICES;
    const uint64_t rows = row->rows == UINT64_MAX ? n : !is_product && !walk->own->takes_rows ? 1 : row->rows;
    const uint64_t columns = row->rows == UINT64_MAX                        ? n
                             : is_product                                   ? row->columns
                             : walk->method->operation == OPERATION_rolling ? n / WINDOW_OF_N + 1
                                                                            : 0;
    const uint32_t element = walk->method->sum_format->stored->bytes;
    const bool is_off = row->place == OFF_ALIGNMENT;
    for (uint32_t offset = is_off ? element : 0; offset <= (is_off ? OFFSET_MOST : 0); offset += element) {
        if (plugin_is_left_out(walk->method) || (is_off && walk->answers->unaligned >= UNALIGNED_MOST))
            return OK;
        TRY(ask_and_time(walk, &(struct one){row, {n, rows, columns}, offset}));
    }
    return OK;
}

static bool applies(const struct walk *walk, const struct row *row)
{
    const bool is_product = operation_table[walk->method->operation].of == MATRICES;
    const bool is_claimed = walk->own->bound != NO_BOUND || row->content == INTEGERS || row->content >= RANDOM_REALS;
    const unsigned is_taken_by = is_product ? OF_MATRICES : VECTORS | (walk->own->takes_rows ? BATCHES : 0);
    return row->takers & (is_taken_by | (walk->own->accumulator ? ITS_ACCUMULATORS : 0)) && is_claimed &&
           known_is_there(walk->method, row->content) &&
           (row->content != RANDOM_REALS || walk->method->determinism == DETERMINISTIC);
}

/* Of a method that takes some lengths alone these, in place of the row's: for the first row of lengths all, before a
 * run the first dozen that are short. */
static enum status ask_of_its_own(struct walk *walk, const struct row *row, bool is_first)
{
    enum { TRIED = 2, DOZEN = 12, SHORT = 1 << 16 };
    const bool is_before = walk->what == A_DOZEN;
    const size_t most = !is_first ? TRIED : is_before ? DOZEN : SIZE_MAX;
    for (size_t i = 0; i < walk->own->length_count && i < most; i++)
        if (!is_before || walk->own->lengths[i] <= SHORT)
            TRY(ask_of_length(walk, row, walk->own->lengths[i]));
    return OK;
}

/* 0: there are no more. */
static uint64_t next_length(const struct lengths *lengths, uint64_t n)
{
    const uint64_t next = n * lengths->factor + (uint64_t)lengths->step;
    const bool is_beyond = lengths->last < lengths->first ? next < lengths->last || next > n : next > lengths->last;
    return n == lengths->last || is_beyond ? 0 : next;
}

static enum status ask_row(struct walk *walk, const struct row *row)
{
    const bool is_of_lengths = strcmp(row->what, "lengths") == 0, is_repeated = is_of_lengths && walk->has_own_lengths;
    if (!applies(walk, row))
        return OK;
    walk->has_own_lengths |= is_of_lengths && walk->own->length_count > 0;
    if (walk->own->length_count > 0)
        return is_repeated ? OK : ask_of_its_own(walk, row, is_of_lengths);
    for (uint64_t n = row->lengths.first; n > 0; n = next_length(&row->lengths, n))
        TRY(ask_of_length(walk, row, n));
    return OK;
}

static enum status ask_rows(struct walk *walk, const struct row *rows, size_t count)
{
    for (size_t r = 0; r < count; r++)
        TRY(ask_row(walk, &rows[r]));
    return OK;
}

/* Integers of each shape that the method was asked for since the last time. */
static enum status ask_shapes(struct walk *walk)
{
    for (size_t i = 0; i < walk->own->shape_count; i++) {
        const struct row row = {"lengths", VECTORS | OF_MATRICES, INTEGERS, {0, 0, 0, 0}, 1, 0, AS_EVER, 0, {0, 0}};
        TRY(ask_and_time(walk, &(struct one){&row, walk->own->shapes[i], 0}));
    }
    walk->own->shape_count = 0;
    return OK;
}

enum status plugin_question(const struct method *method, enum plugin_asking what, double seconds,
                            struct plugin_answers *answers)
{
    struct plugin_method *own = (struct plugin_method *)method->own;
    struct walk walk = {
        .method = method, .own = own, .answers = answers, .what = what, .begin = clock_of_wall(), .seconds = seconds};
    const unsigned failures = own->failures;
    const bool is_ours =
        own->accumulator && strcmp(method->order, "serial") != 0; /* the order: what adds is asked once */
    const double limit = method->plugin->limits.seconds;
    *answers = (struct plugin_answers){0};
    own->is_tried = true;
    const enum status status = what == SHAPES_OF_A_RUN      ? ask_shapes(&walk)
                               : what == A_DOZEN || is_ours ? ask_rows(&walk, dozen, sizeof dozen / sizeof *dozen)
                                                            : ask_rows(&walk, all, sizeof all / sizeof *all);
    own->is_tried = false;
    method->plugin->limits.seconds = method->plugin->process.limits.seconds = limit;
    if (answers->wrong)
        complain("%s: %s%s", method->id,
                 strncmp(answers->wrong, "claims", 6) == 0 ? "" : "is broken: ", answers->wrong);
    return status == OK && (own->failures > failures || answers->undeclared > 0) ? NOT_MEASURED : status;
}

void plugin_answers_free(struct plugin_answers *answers)
{
    for (unsigned i = 0; i < answers->note_count; i++)
        free(answers->notes[i]);
    free(answers->wrong);
    *answers = (struct plugin_answers){0};
}
