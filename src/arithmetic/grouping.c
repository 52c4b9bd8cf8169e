#include "inquiry.h"

enum { CHECKED_PAIRS = 256, SIGNS = 4, QUESTIONS_MOST = 200 };
#define UNKNOWN UINT64_MAX

struct pair {
    uint64_t i, j, leaves; /* leaves: of the node that joins them */
};

/* How many s at a time neither the L beside them nor the result's format show wrongly: with F up to 35 where exponents
 * allow it, else up to 25. */
static uint64_t ones_at_once(const struct sum_format *formats, int room)
{
    const int spare = room >= 46 ? room - 37 : room - 27, counted = MIN(formats->result->precision, 9);
    return UINT64_C(1) << MAX(0, MIN(spare, counted));
}

struct mask {
    uint64_t terms;
    int large, small;    /* exponents of L and s */
    uint64_t first, end; /* the products that are s */
};

static void set_mask(const struct asked *asked, struct questions *of, uint64_t question, const struct pair *pair,
                     const struct mask *mask, unsigned signs)
{
    const struct factor_pair large = {mask->large, signs & 1 ? -1 : 1, 1}, small = {mask->small, signs & 2 ? -1 : 1, 1};
    for (uint64_t k = mask->first; k < mask->end; k++)
        question_set(asked, of, question, k, small);
    question_set(asked, of, question, pair->i, large);
    question_set(asked, of, question, pair->j, (struct factor_pair){mask->large, -large.a, 1});
}

/* Takes off each pair's leaves the s that are left, and keeps those pairs that show no whole number. */
static enum status ask_signs(struct inquiry *inquiry, const struct mask *mask, unsigned signs, struct pair **open,
                             uint64_t *count)
{
    FREED_BY(questions_free) struct questions of = {0};
    TRY(questions_new(*count, mask->terms, &of));
    for (uint64_t p = 0; p < of.count; p++)
        set_mask(inquiry->asked, &of, p, open[p], mask, signs);
    TRY(inquiry_ask(inquiry, &of));
    *count = 0;
    for (uint64_t p = 0; p < of.count; p++) {
        const double ones = ldexp(of.answers[p], -mask->small) * (signs & 2 ? -1 : 1);
        if (ones >= 0 && ones <= (double)(mask->end - mask->first) && ones == floor(ones))
            open[p]->leaves -= (uint64_t)ones;
        else
            open[(*count)++] = open[p];
    }
    return OK;
}

/* Sums that are truncated, and directed roundings, may show s beside L: of one sign it does not.  Where both L and -L
 * have s beside them, half as many are asked for. */
static enum status ask_some(struct inquiry *inquiry, struct mask mask, struct pair *const *pairs, uint64_t count)
{
    OWNED struct pair **open = malloc((count + 1) * sizeof *open);
    TRY(open ? OK : out_of_memory("pairs"));
    for (uint64_t p = 0; p < count; p++)
        open[p] = pairs[p];
    for (unsigned signs = 0; signs < SIGNS && count > 0; signs++)
        TRY(ask_signs(inquiry, &mask, signs, open, &count));
    if (count == 0)
        return OK;
    if (mask.end - mask.first == 1 || inquiry->count > QUESTIONS_MOST * inquiry->asked->terms) {
        for (uint64_t p = 0; p < count; p++)
            open[p]->leaves = UNKNOWN / 2;
        return OK;
    }
    struct mask upper = mask;
    upper.first = mask.end = mask.first + (mask.end - mask.first) / 2;
    TRY(ask_some(inquiry, mask, open, count));
    return ask_some(inquiry, upper, open, count);
}

/* The leaves of each pair; more than all: no count. */
static enum status ask_pairs(struct inquiry *inquiry, uint64_t terms, struct pair *pairs, uint64_t count)
{
    const struct span span = span_of(inquiry->asked->formats);
    const bool is_short = 2 * (span.most - span.least) < 46; /* e4m3: its subnormals are needed */
    const int large = span.product_most, small = MAX(2 * (is_short ? span.subnormal : span.least), span.at_result);
    const uint64_t at_once = ones_at_once(inquiry->asked->formats, large - small);
    OWNED struct pair **all = malloc((count + 1) * sizeof *all);
    TRY(all ? OK : out_of_memory("pairs"));
    for (uint64_t p = 0; p < count; p++) {
        pairs[p].leaves = terms;
        all[p] = &pairs[p];
    }
    for (uint64_t begin = 0; begin < count; begin += inquiry->asked->rows)
        for (uint64_t first = 0; first < terms; first += at_once)
            TRY(ask_some(inquiry, (struct mask){terms, large, small, first, MIN(first + at_once, terms)}, all + begin,
                         MIN(inquiry->asked->rows, count - begin)));
    return OK;
}

/* Products by the size of the node that joins them with the first; equal ones by their numbers. */
static void sort_places(const struct pair *pairs, uint64_t terms, uint32_t *places)
{
    uint64_t at = 1;
    places[0] = 0;
    for (uint64_t leaves = 2; leaves <= terms; leaves++)
        for (uint64_t k = 1; k < terms; k++)
            if (pairs[k - 1].leaves == leaves)
                places[at++] = (uint32_t)k;
}

/* Sizes of the nodes above the first product, from the smallest on; 0: they are none of a tree. */
static uint64_t sizes_above(const struct pair *pairs, uint64_t terms, uint64_t *sizes)
{
    uint64_t count = 0, below = 1;
    for (uint64_t leaves = 2; leaves <= terms; leaves++) {
        uint64_t joined = 0;
        for (uint64_t k = 1; k < terms; k++)
            joined += pairs[k - 1].leaves == leaves;
        below += joined;
        if (joined > 0)
            sizes[count++] = leaves;
        if (joined > 0 && below != leaves)
            return 0;
    }
    return below == terms ? count : 0;
}

/* Sizes of one path to levels: 16, 32, 48, 64, 128, 192, 256 is 16, 64, 256. */
static bool set_levels(const uint64_t *sizes, uint64_t count, uint64_t block, struct grouping *grouping)
{
    uint64_t unit = block, level = block, before = block;
    grouping->levels = 0;
    grouping->sizes[grouping->levels++] = block;
    for (uint64_t s = sizes[0] == block ? 1 : 0; s < count; s++) {
        const uint64_t joined = sizes[s] - before;
        const bool is_next = joined == level && joined != unit, is_last = s == count - 1;
        if (is_next || (is_last && joined > unit && joined < level)) {
            if (grouping->levels == LEVELS_MOST - 1)
                return false;
            if (level > grouping->sizes[grouping->levels - 1])
                grouping->sizes[grouping->levels++] = level;
            unit = level;
        } else if (joined != unit && !(is_last && joined < unit)) {
            return false;
        }
        level = before = sizes[s];
    }
    if (level > grouping->sizes[grouping->levels - 1])
        grouping->sizes[grouping->levels++] = level;
    return true;
}

/* Places repeat from the smallest group on that has products of its own places alone. */
static bool repeat_places(struct grouping *grouping)
{
    for (int level = 0; level < grouping->levels; level++) {
        const uint64_t size = MIN(grouping->sizes[level], grouping->terms);
        bool is_own = true;
        for (uint64_t q = 0; q < size; q++)
            is_own &= grouping->places[q] < size;
        if (!is_own)
            continue;
        for (uint64_t q = size; q < grouping->terms; q++) {
            grouping->places[q] = (uint32_t)(q / size * size) + grouping->places[q % size];
            if (grouping->places[q] >= grouping->terms)
                return false;
        }
        return true;
    }
    return false;
}

static uint64_t leaves_of(const struct grouping *grouping, uint64_t q, uint64_t other)
{
    const uint64_t later = MAX(q, other), terms = grouping->terms;
    int level = 0;
    while (q / grouping->sizes[level] != other / grouping->sizes[level])
        level++;
    if (level == 0 && grouping->chained)
        level = 1;
    const uint64_t unit = level > 0 ? grouping->sizes[level - 1] : grouping->sizes[0], size = grouping->sizes[level];
    return MIN(later / unit * unit + unit, MIN(terms, later / size * size + size)) - later / size * size;
}

static enum status check_pairs(struct inquiry *inquiry, const struct grouping *grouping, bool *holds)
{
    struct pair pairs[CHECKED_PAIRS];
    uint64_t places[CHECKED_PAIRS][2];
    for (int p = 0; p < CHECKED_PAIRS; p++) {
        const uint64_t q = inquiry_below(inquiry, grouping->terms);
        const uint64_t away = p % 2 ? 1 + inquiry_below(inquiry, grouping->terms - 1)
                                    : 1 + inquiry_below(inquiry, MIN(grouping->terms - 1, 2 * grouping->sizes[0]));
        places[p][0] = q;
        places[p][1] = (q + away) % grouping->terms;
        pairs[p] = (struct pair){grouping->places[places[p][0]], grouping->places[places[p][1]], 0};
    }
    TRY(ask_pairs(inquiry, grouping->terms, pairs, CHECKED_PAIRS));
    *holds = true;
    for (int p = 0; p < CHECKED_PAIRS; p++)
        *holds &= pairs[p].leaves == leaves_of(grouping, places[p][0], places[p][1]);
    return OK;
}

/* Blocks of one are chained or begin at 0; no pair shows it. */
static enum status find_chained(struct inquiry *inquiry, struct grouping *grouping)
{
    struct pair within = {grouping->places[grouping->sizes[0]], grouping->places[grouping->sizes[0] + 1], 0};
    if (grouping->levels == 1 || grouping->sizes[0] == 1)
        return OK;
    TRY(ask_pairs(inquiry, grouping->terms, &within, 1));
    grouping->chained = within.leaves == 2 * grouping->sizes[0];
    return OK;
}

static enum status find_levels(struct inquiry *inquiry, const struct pair *pairs, struct grouping *grouping,
                               bool *is_found)
{
    OWNED uint64_t *sizes = calloc(grouping->terms, sizeof *sizes);
    TRY(sizes ? OK : out_of_memory("sizes"));
    const uint64_t count = sizes_above(pairs, grouping->terms, sizes);
    if (count == 0)
        return OK;
    const bool is_of_one = count > 1 ? sizes[0] == 2 && sizes[1] < 4 : sizes[0] == 2;
    if (!set_levels(sizes, count, is_of_one ? 1 : sizes[0], grouping))
        return OK;
    sort_places(pairs, grouping->terms, grouping->places);
    if (!repeat_places(grouping))
        return OK;
    TRY(find_chained(inquiry, grouping));
    return check_pairs(inquiry, grouping, is_found);
}

enum status grouping_find(struct inquiry *inquiry, uint64_t terms, struct grouping *grouping, bool *is_found)
{
    OWNED struct pair *pairs = calloc(terms, sizeof *pairs);
    *is_found = false;
    *grouping = (struct grouping){.terms = terms, .places = calloc(terms, sizeof *grouping->places)};
    TRY(pairs && grouping->places ? OK : out_of_memory("pairs"));
    for (uint64_t k = 1; k < terms; k++)
        pairs[k - 1] = (struct pair){0, k, 0};
    TRY(ask_pairs(inquiry, terms, pairs, terms - 1));
    for (uint64_t k = 1; k < terms; k++)
        if (pairs[k - 1].leaves > terms)
            return OK;
    return find_levels(inquiry, pairs, grouping, is_found);
}
