#include "inquiry.h"

const char *const fresh_words[FRESH_KINDS] = {[FRESH_CLOSE] = "of one size",
                                              [FRESH_SPREAD] = "over 12 binades",
                                              [FRESH_WIDE] = "over all that the formats have",
                                              [FRESH_ADVERSARIAL] = "adversarial"};

struct row {
    struct inquiry *inquiry;
    struct questions *questions;
    const struct grouping *grouping;
    uint64_t question;
    struct span span;
};

static int any(struct inquiry *inquiry, int least, int most)
{
    return least + (int)inquiry_below(inquiry, (uint64_t)MAX(1, most - least + 1));
}

static double sign(struct inquiry *inquiry)
{
    return inquiry_below(inquiry, 2) ? -1 : 1;
}

/* From 1 to 2, of so many bits behind the first. */
static double any_significand(struct inquiry *inquiry, int bits)
{
    return 1 + ldexp((double)inquiry_below(inquiry, UINT64_C(1) << bits), -bits);
}

static int stored_bits(const struct row *row)
{
    return row->inquiry->asked->formats->stored->precision - 1;
}

/* A product of random factors, both of all bits. */
static struct factor_pair random_pair(const struct row *row, int exponent)
{
    struct inquiry *inquiry = row->inquiry;
    const int bits = stored_bits(row);
    return (struct factor_pair){exponent, sign(inquiry) * any_significand(inquiry, bits),
                                any_significand(inquiry, bits)};
}

/* One of few bits. */
static struct factor_pair short_pair(const struct row *row, int exponent)
{
    struct inquiry *inquiry = row->inquiry;
    return (struct factor_pair){exponent, sign(inquiry) * any_significand(inquiry, MIN(2, stored_bits(row))),
                                any_significand(inquiry, 1)};
}

static void put(const struct row *row, uint64_t place, struct factor_pair pair)
{
    struct questions *questions = row->questions;
    const uint64_t first = questions->first[row->question];
    question_set(row->inquiry->asked, questions, row->question, row->grouping->places[place], pair);
    questions->first[row->question] = MIN(first, place);
}

/* A place among the last `window`, none twice: `taken` has one bit for each. */
static uint64_t free_place(const struct row *row, uint64_t window, uint64_t *taken)
{
    for (;;) {
        const uint64_t at = inquiry_below(row->inquiry, window);
        if (*taken >> at & 1)
            continue;
        *taken |= UINT64_C(1) << at;
        return row->grouping->terms - window + at;
    }
}

/* At most 64 products: of the last block, or, where that has fewer than `least`, so many. */
static uint64_t window_of(const struct row *row, uint64_t least)
{
    const uint64_t terms = row->grouping->terms, block = row->grouping->sizes[0];
    const uint64_t last = terms % block ? terms % block : block;
    return MIN(MIN(64, terms), MAX(last, least));
}

static void set_alignment(const struct row *row)
{
    struct inquiry *inquiry = row->inquiry;
    const uint64_t window = window_of(row, 3);
    const int top = row->span.product_most - 2, bits = (int)inquiry_below(inquiry, 2);
    const double large = bits ? 1.5 : 1;
    uint64_t taken = 0;
    put(row, free_place(row, window, &taken), (struct factor_pair){top, large, large});
    put(row, free_place(row, window, &taken), (struct factor_pair){top, -large, large});
    for (int others = any(inquiry, 1, window > 3 ? 2 : 1); others > 0; others--)
        put(row, free_place(row, window, &taken),
            short_pair(row, any(inquiry, MAX(2 * row->span.least, top - 42 - row->span.more_bits), top - 5)));
}

static void set_output(const struct row *row)
{
    struct inquiry *inquiry = row->inquiry;
    const uint64_t window = window_of(row, 3);
    const int many = (int)MIN(16, window - 1), top = row->span.product_most - 6;
    const double size = sign(inquiry) * (inquiry_below(inquiry, 2) ? 1.75 : 1);
    uint64_t taken = 0;
    for (int large = any(inquiry, 1, many); large > 0; large--)
        put(row, free_place(row, window, &taken), (struct factor_pair){top, size, fabs(size)});
    for (int others = any(inquiry, 1, MIN(3, (int)window - many)); others > 0; others--)
        put(row, free_place(row, window, &taken),
            short_pair(row, MAX(2 * row->span.least, top - any(inquiry, 3, 30 + row->span.more_bits))));
}

/* The first of them as large as any: a floor is not asked for yet. */
static void set_random(const struct row *row, uint64_t window, int spread)
{
    struct inquiry *inquiry = row->inquiry;
    const int top = MIN(row->span.product_most - 8, 12);
    uint64_t taken = 0;
    put(row, free_place(row, window, &taken), random_pair(row, top));
    for (int others = any(inquiry, 0, (int)MIN(7, window - 1)); others > 0; others--)
        put(row, free_place(row, window, &taken),
            random_pair(row, any(inquiry, MAX(2 * row->span.least, top - spread), top)));
}

/* Half of the rows begin with the largest term, beside which others lose bits that a compensated sum keeps. */
static void set_additions(const struct row *row)
{
    struct inquiry *inquiry = row->inquiry;
    const int least = 2 * row->span.least, top = MIN(row->span.product_most - 12, 8),
              large = (int)inquiry_below(inquiry, 2);
    for (int others = any(inquiry, 3, 24 << large); others > 0; others--)
        put(row, inquiry_below(inquiry, row->grouping->terms),
            random_pair(row, any(inquiry, MAX(least, large ? top - 18 : top - 12), large ? top - 6 : top)));
    if (large)
        put(row, 0, random_pair(row, top + 6));
}

/* A product of 2^exponent whose factors are of any size. */
static void put_small(const struct row *row, uint64_t place, int exponent, bool is_short)
{
    struct inquiry *inquiry = row->inquiry;
    const struct format *stored = inquiry->asked->formats->stored;
    const int most = stored->overflow_exponent - 2;
    const int least_of_a = MAX(stored->least_exponent, exponent - most),
              most_of_a = MIN(most, exponent - stored->least_exponent);
    const int of_a = any(inquiry, least_of_a, MAX(least_of_a, most_of_a));
    const struct factor_pair pair = is_short ? short_pair(row, 0) : random_pair(row, 0);
    const uint64_t at = row->question * row->questions->terms + row->grouping->places[place];
    row->questions->a[at] = rounded_to(ldexp(pair.a, of_a), stored);
    row->questions->b[at] = rounded_to(ldexp(pair.b, exponent - of_a), stored);
    row->questions->first[row->question] = MIN(row->questions->first[row->question], place);
}

/* A subnormal factor, whose product aligns the others by its own exponent or the least. */
static void set_subnormal(const struct row *row)
{
    struct inquiry *inquiry = row->inquiry;
    const struct format *stored = inquiry->asked->formats->stored;
    const uint64_t window = window_of(row, 3), at = row->question * row->questions->terms;
    const int of_a = stored->least_exponent + any(inquiry, 0, stored->precision - 2);
    const int of_b = MIN(stored->overflow_exponent - 2, row->span.product_most - 4 - of_a), top = of_a + of_b;
    uint64_t taken = 0;
    const uint64_t place = free_place(row, window, &taken);
    put(row, place, (struct factor_pair){0, 1, 1});
    row->questions->a[at + row->grouping->places[place]] = ldexp(sign(inquiry), of_a);
    row->questions->b[at + row->grouping->places[place]] = ldexp(1, of_b);
    for (int others = any(inquiry, 1, 2); others > 0; others--)
        put_small(row, free_place(row, window, &taken),
                  any(inquiry, MAX(2 * row->span.subnormal, top - 32 - row->span.more_bits), top - 4), false);
}

/* A last place of the result, or half of one, and a product that is far smaller: what is kept of it is seen. */
static void set_borrow(const struct row *row)
{
    struct inquiry *inquiry = row->inquiry;
    const uint64_t window = window_of(row, 3);
    const int least = 2 * row->span.subnormal, at_result = row->span.at_result, halves = any(inquiry, 1, 4);
    uint64_t taken = 0;
    const uint64_t place = free_place(row, window, &taken), at = row->question * row->questions->terms;
    put(row, place, (struct factor_pair){at_result - 1, sign(inquiry), 1});
    row->questions->a[at + row->grouping->places[place]] *= halves == 3 ? 1.5 : 1;
    row->questions->b[at + row->grouping->places[place]] *= halves == 1 ? 1 : halves == 4 ? 4 : 2;
    put_small(row, free_place(row, window, &taken), any(inquiry, MAX(least, at_result - 40), at_result), true);
}

static void set_floor(const struct row *row)
{
    struct inquiry *inquiry = row->inquiry;
    const uint64_t window = window_of(row, 3), choice = inquiry_below(inquiry, 5);
    const int least = 2 * row->span.subnormal, at_result = row->span.at_result;
    const int top = any(inquiry, MAX(least, at_result - 2), MIN(16, row->span.product_most - 4));
    uint64_t taken = 0;
    if (choice == 0) {
        set_subnormal(row);
        return;
    }
    if (choice < 3 && least < at_result) {
        set_borrow(row);
        return;
    }
    for (int others = any(inquiry, 1, 3); others > 0; others--)
        put_small(row, free_place(row, window, &taken), MAX(least, top - any(inquiry, 0, 3)), false);
}

static void set_zero(const struct row *row)
{
    struct inquiry *inquiry = row->inquiry;
    const uint64_t window = window_of(row, 3);
    const int top = row->span.product_most - 2, least = 2 * row->span.subnormal;
    uint64_t taken = 0;
    if (inquiry_below(inquiry, 2)) {
        put(row, free_place(row, window, &taken), (struct factor_pair){top, 1, 1});
        put(row, free_place(row, window, &taken), (struct factor_pair){top, -1, 1});
    }
    put(row, free_place(row, window, &taken),
        (struct factor_pair){any(inquiry, least, MAX(least, top - 44 - row->span.more_bits)), -1, 1});
}

void row_set(struct inquiry *inquiry, const struct grouping *grouping, struct questions *questions, uint64_t question,
             enum row_kind kind)
{
    const struct row row = {inquiry, questions, grouping, question, span_of(inquiry->asked->formats)};
    const uint64_t last = window_of(&row, 2), two = MIN(MIN(64, grouping->terms), 2 * last);
    questions->first[question] = grouping->terms;
    questions->kind[question] = (int)kind;
    if (kind == ROW_ALIGNMENT)
        set_alignment(&row);
    else if (kind == ROW_OUTPUT)
        set_output(&row);
    else if (kind == ROW_INPUTS || kind == ROW_SPREAD)
        set_random(&row, kind == ROW_INPUTS ? last : two, kind == ROW_INPUTS ? 3 : 30 + row.span.more_bits);
    else if (kind == ROW_ADDITIONS)
        set_additions(&row);
    else if (kind == ROW_FLOOR)
        set_floor(&row);
    else
        set_zero(&row);
}

double row_any_c(struct inquiry *inquiry)
{
    const struct sum_format *formats = inquiry->asked->formats;
    const int top = MIN(span_of(formats).product_most - 14, 6);
    return ldexp(sign(inquiry) * any_significand(inquiry, formats->result->precision - 1),
                 any(inquiry, top - 8, top + 6));
}

/* The largest product first, then such as are lost beside it, all of one sign but for half of the rows. */
static struct factor_pair adversarial_pair(const struct row *row, uint64_t place, int fraction)
{
    struct inquiry *inquiry = row->inquiry;
    const int top = MIN(row->span.product_most - 12, 8), bits = stored_bits(row);
    const double of_one_sign = row->question % 2 ? 1 : sign(inquiry);
    if (place == 0)
        return (struct factor_pair){top, 1, 1};
    return (struct factor_pair){MAX(2 * row->span.least, top - fraction - any(inquiry, 0, 2)),
                                of_one_sign * (2 - ldexp((double)inquiry_below(inquiry, 2), -bits)),
                                2 - ldexp(1, -bits)};
}

void row_set_fresh(struct inquiry *inquiry, const struct grouping *grouping, int fraction, struct questions *questions,
                   uint64_t question, int kind)
{
    const struct row row = {inquiry, questions, grouping, question, span_of(inquiry->asked->formats)};
    const int top = MIN(row.span.product_most - 14, 6), least = 2 * row.span.least;
    const int spreads[] = {[FRESH_CLOSE] = 1, [FRESH_SPREAD] = 12, [FRESH_WIDE] = 60 + 3 * row.span.more_bits};
    questions->first[question] = 0;
    questions->kind[question] = kind;
    for (uint64_t q = 0; q < grouping->terms; q++)
        put(&row, q,
            kind == FRESH_ADVERSARIAL ? adversarial_pair(&row, q, MIN(fraction, 40 + row.span.more_bits / 2))
                                      : random_pair(&row, any(inquiry, MAX(least, top - spreads[kind]), top)));
}
