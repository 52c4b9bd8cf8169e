/* One page: what was found, parameter by parameter, where products show it; the row of a table; fresh rows. */
#include "arithmetic_page.h"

#include "reports/terminal.h"

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
    OWNED char *order = answer->has_grouping ? arithmetic_order(answer) : NULL, *row = arithmetic_row(answer);
    print_heading(&terminal, graded, answer);
    if (answer->left_count > 0)
        print_model(answer);
    if (order)
        line("order", "%s", order);
    if (answer->left_count == 0)
        return;
    if (!answer->failed)
        line("C", "%s", arithmetic_entry(answer));
    print_fresh(answer);
    if (row)
        printf("\n%s\n", row);
}
