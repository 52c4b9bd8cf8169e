/* What a product was computed in: one page, what was found, parameter by parameter, where products show it, with the
 * row of a table and fresh rows; and schema ulpscope-arithmetic/1 for scripts. */
#include "arithmetic_page.h"

#include "reports/json_builder.h"
#include "reports/terminal.h"

/* ---- in words ---- */

static bool has_level(const struct grouping *grouping, uint64_t size)
{
    for (int level = 0; level < grouping->levels; level++)
        if (grouping->sizes[level] == size && size < grouping->terms)
            return true;
    return false;
}

/* Parts that are so many of all, whatever K is; 0: they have so many products. */
static uint64_t share_of(const struct arithmetic_answer *answer, uint64_t size)
{
    const bool is_share = !has_level(&answer->half, size) && size % 2 == 0 && has_level(&answer->half, size / 2);
    return is_share ? (answer->grouping.terms + size - 1) / size : 0;
}

/* Levels of one tree of pairs: sizes that double. */
static int end_of_pairs(const struct grouping *grouping, int level)
{
    while (level + 1 < grouping->levels && grouping->sizes[level + 1] == 2 * grouping->sizes[level])
        level++;
    return level;
}

static void append_additions(struct text *text, const struct arithmetic *of)
{
    static const char *const words[ADDITIONS] = {[ADDS_NEAREST] = "rounded to nearest",
                                                 [ADDS_TRUNCATED] = "truncated",
                                                 [ADDS_COMPENSATED] = "compensated as Kahan's,"};
    text_append(text, ", %s to %d bits", words[of->addition], of->register_bits + 1);
}

/* The order along k: "one chain, never promoted".  Allocated. */
static char *order_of(const struct arithmetic_answer *answer)
{
    const struct grouping *grouping = &answer->grouping;
    const int first = grouping->chained ? 1 : 0, last = grouping->levels - 1;
    struct text text = {0};
    if (first >= last) {
        text_append(&text, grouping->chained ? "one chain, never promoted" : "one block of all products");
        return text_take(&text);
    }
    for (int level = first; level < last; level++) {
        const uint64_t size = grouping->sizes[level], share = share_of(answer, size);
        const int pairs = end_of_pairs(grouping, level);
        text_append(&text, level > first ? "; " : "");
        if (share > 0)
            text_append(&text, "split in %" PRIu64 " parts of k, added", share);
        else if (size == 1)
            text_append(&text, "products added");
        else
            text_append(&text, "promoted every %" PRIu64 " of k, added", size);
        text_append(&text, pairs > level + 1 ? " pairwise" : " in a row");
        level = pairs > level + 1 ? pairs - 1 : level;
    }
    if (answer->left_count > 0) {
        append_additions(&text, answer->left);
        text_append(&text, answer->left->rounded_parts ? "; the last parts are rounded to the result's format" : "");
    }
    return text_take(&text);
}

/* How C enters a product that is added to it. */
static const char *entry_of(const struct arithmetic_answer *answer)
{
    const int levels = answer->grouping.levels;
    return answer->entry == 0         ? "not asked for: the method takes none"
           : answer->entry > levels   ? "added to the result, rounded again"
           : answer->entry == levels  ? "added to the sum, rounded to nearest, before the result is rounded"
           : answer->entry > 1        ? "what the parts are added to"
           : answer->grouping.chained ? "what the first chain begins with"
                                      : "what is added first";
}

/* Instructions of two blocks that begin at 0, k interleaved by twos. */
static bool has_own_blocks(const struct grouping *grouping)
{
    const uint64_t terms = grouping->sizes[0];
    bool is_by_twos = grouping->chained && grouping->sizes[1] == 2 * terms && grouping->levels > 2;
    for (uint64_t q = 0; q < 2 * terms && is_by_twos; q++)
        is_by_twos = grouping->places[q] == q % terms / 2 * 4 + q / terms * 2 + q % 2;
    return is_by_twos;
}

static bool is_in_order(const struct grouping *grouping)
{
    for (uint64_t q = 0; q < grouping->terms; q++)
        if (grouping->places[q] != q)
            return false;
    return true;
}

/* Its row of kernels/fused_units.def; NULL: these tables have no such.  Allocated. */
static char *row_of(const struct arithmetic_answer *answer)
{
    const struct arithmetic *of = answer->left;
    const struct grouping *grouping = &answer->grouping;
    const bool own = has_own_blocks(grouping), is_tf32 = of && of->input == 1;
    if (!of || of->fraction == ALIGNS_EXACTLY || of->alignment != TOWARD_ZERO || of->normalised ||
        (of->rounding != TOWARD_ZERO && of->rounding != NEAREST_EVEN) || (of->input != 0 && !is_tf32) ||
        !(own || is_in_order(grouping)))
        return NULL;
    return text_made("FUSED_UNIT(found, %s, %" PRIu64 ", %d, %d, %d, %s, %d, %d, \"found\")",
                     answer->asked->formats->id, grouping->sizes[0], of->fraction, of->floor, of->output,
                     of->rounding == TOWARD_ZERO ? "TRUNCATED" : "TO_NEAREST", is_tf32 ? 13 : 0, own ? 2 : 0);
}

/* ---- for people ---- */

struct range {
    int least, most;
};

static struct range range_of(const struct arithmetic_answer *answer, enum shown shown)
{
    const int first = arithmetic_value(answer->left, shown);
    struct range range = {first, first};
    for (size_t m = 0; m < answer->left_count; m++) {
        const int x = arithmetic_value(&answer->left[m], shown);
        range.least = x < range.least ? x : range.least;
        range.most = x > range.most ? x : range.most;
    }
    return range;
}

static bool is_shown(struct range range)
{
    return range.least == range.most;
}

__attribute__((format(printf, 2, 3))) static void line(const char *label, const char *format, ...)
{
    va_list arguments;
    printf("  %-12s", label);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    puts("");
}

static const char *at_least(struct range range)
{
    return is_shown(range) ? "" : "at least ";
}

static const char *way_shown(const struct arithmetic_answer *answer, enum shown shown)
{
    return is_shown(range_of(answer, shown)) ? way_words[arithmetic_value(answer->left, shown)]
                                             : "how it is rounded, products do not show";
}

static void print_block(const struct arithmetic_answer *answer)
{
    const struct arithmetic *of = answer->left;
    const bool chained = answer->grouping.chained;
    const struct range fractions = range_of(answer, FRACTION), floors = range_of(answer, FLOOR);
    if (of->fraction == ALIGNS_EXACTLY) {
        line("block", "%s",
             chained ? "a multiply-add: one product and c, rounded once" : "one product, rounded by itself");
        return;
    }
    line("block", "%" PRIu64 " products%s", answer->grouping.sizes[0],
         chained ? " and c, which is a term like others" : ", from 0");
    line("alignment", "F %s%d bits at the largest exponent%s; %s", at_least(fractions), fractions.least,
         of->normalised ? " of products that are normalised" : "", way_shown(answer, ALIGNMENT));
    line("floor", is_shown(floors) ? "%d" : "at most %d: products do not show more", floors.most);
}

static void print_model(const struct arithmetic_answer *answer)
{
    static const char *const subnormals[SUBNORMALS] = {[LEAST_EXPONENT] = "with the least normal exponent",
                                                       [OWN_EXPONENT] = "with exponents of their own",
                                                       [FLUSHED] = "as 0"};
    const struct range treated = range_of(answer, SUBNORMAL_FACTORS), outputs = range_of(answer, OUTPUT);
    line("factors", "%s; subnormal ones %s", arithmetic_inputs[answer->left->input].words,
         is_shown(treated)         ? subnormals[treated.least]
         : treated.most == FLUSHED ? "do not show"
                                   : "are not 0");
    print_block(answer);
    line("output", "%s%d bits behind the first, %s", at_least(outputs), outputs.least, way_shown(answer, ROUNDING));
    line("zero", "%s",
         !is_shown(range_of(answer, ZERO)) ? "+0; additions hide another"
         : answer->left->negative_zero     ? "-0 of what rounds to 0 from below"
                                           : "+0 always");
}

static void print_fresh(const struct arithmetic_answer *answer)
{
    for (int kind = 0; kind < FRESH_KINDS; kind++)
        line(kind == 0 ? "fresh rows" : "", "%" PRIu64 " of %" PRIu64 " %s", answer->held[kind], answer->rows[kind],
             fresh_words[kind]);
}

static void print_heading(const struct terminal *terminal, const struct graded *graded,
                          const struct arithmetic_answer *answer)
{
    const struct asked *asked = answer->asked;
    terminal_bold(terminal, graded->name);
    printf("%s; %s; K = %" PRIu64 " and %" PRIu64 ", C of %" PRIu64 " x %" PRIu64 "; %" PRIu64
           " elements, seed %" PRIu64 "\n",
           graded->formats->id, graded->device ? graded->by : "host", asked->terms / 2, asked->terms, asked->rows,
           asked->rows, answer->questions, asked->seed);
    terminal_word(terminal, answer->failed ? TONE_BAD : TONE_GOOD, answer->failed ? "FAIL" : "pass");
    if (answer->failed)
        printf(": no model known (%s)\n\n", answer->failed);
    else
        printf(": a model has the bits of all fresh rows\n\n");
}

void arithmetic_print(const struct graded *graded, const struct arithmetic_answer *answer, bool colour)
{
    const struct terminal terminal = terminal_of(stdout, colour);
    OWNED char *order = answer->has_grouping ? order_of(answer) : NULL, *row = row_of(answer);
    print_heading(&terminal, graded, answer);
    if (answer->left_count > 0)
        print_model(answer);
    if (order)
        line("order", "%s", order);
    if (answer->left_count == 0)
        return;
    if (!answer->failed)
        line("C", "%s", entry_of(answer));
    print_fresh(answer);
    if (row)
        printf("\n%s\n", row);
}

/* ---- for scripts ---- */

/* Of the models that are left, each number once. */
static json_t *json_values(const struct arithmetic_answer *answer, enum shown shown)
{
    json_t *array = json_array();
    for (size_t m = 0; m < answer->left_count; m++) {
        bool is_new = true;
        for (size_t i = 0; i < json_array_size(array); i++)
            is_new &= json_integer_value(json_array_get(array, i)) != arithmetic_value(&answer->left[m], shown);
        if (is_new)
            json_append(array, json_integer(arithmetic_value(&answer->left[m], shown)));
    }
    return array;
}

static json_t *json_sizes(const struct grouping *grouping)
{
    json_t *array = json_array();
    for (int level = 0; level < grouping->levels; level++)
        json_append(array, json_count(grouping->sizes[level]));
    return array;
}

static json_t *json_model(const struct arithmetic_answer *answer)
{
    const struct arithmetic *of = answer->left;
    char *row = row_of(answer);
    json_t *object = json_of(
        {"factors", json_text(arithmetic_inputs[of->input].words)}, {"terms", json_count(answer->grouping.sizes[0])},
        {"chained", json_boolean(answer->grouping.chained)}, {"fraction", json_values(answer, FRACTION)},
        {"alignment", json_text(way_words[of->alignment])}, {"normalised", json_boolean(of->normalised)},
        {"floor", json_values(answer, FLOOR)}, {"output", json_values(answer, OUTPUT)},
        {"rounding", json_text(way_words[of->rounding])}, {"register_bits", json_count((uint64_t)of->register_bits)},
        {"negative_zero", json_boolean(of->negative_zero)});
    if (row)
        json_put(object, "row", json_taken(row));
    return object;
}

static json_t *json_fresh(const struct arithmetic_answer *answer)
{
    json_t *array = json_array();
    for (int kind = 0; kind < FRESH_KINDS; kind++)
        json_append(array, json_of({"rows", json_text(fresh_words[kind])}, {"asked", json_count(answer->rows[kind])},
                                   {"held", json_count(answer->held[kind])}));
    return array;
}

enum status arithmetic_write_json(const struct graded *graded, const struct arithmetic_answer *answer, const char *path)
{
    json_t *object = json_of({"schema", json_text("ulpscope-arithmetic/1")}, {"method", json_text(graded->name)},
                             {"format", json_text(graded->formats->id)},
                             {"computed_by", json_text(graded->device ? graded->by : "host")},
                             {"k", json_count(answer->asked->terms)}, {"rows", json_count(answer->asked->rows)},
                             {"seed", json_count(answer->asked->seed)}, {"asked", json_count(answer->questions)},
                             {"passed", json_boolean(!answer->failed)});
    if (answer->failed)
        json_put(object, "failed", json_text(answer->failed));
    if (!answer->failed)
        json_put(object, "c", json_text(entry_of(answer)));
    if (answer->has_grouping) {
        json_put(object, "order", json_taken(order_of(answer)));
        json_put(object, "groups", json_sizes(&answer->grouping));
        json_put(object, "groups_of_half", json_sizes(&answer->half));
    }
    if (answer->left_count > 0)
        json_add(object, {"model", json_model(answer)}, {"fresh", json_fresh(answer)});
    return json_write(object, 2, path);
}
