#include "grouping.h"

#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

enum { CHECKED_PAIRS = 256, SIGNS = 4 };
#define UNKNOWN UINT64_MAX

struct pair {
    uint64_t i, j, leaves; /* leaves: of the node that joins them */
};

/* ---- pairs ---- */

/* How many s at a time neither the L beside them nor the result's format show wrongly: with F up to 35 where exponents
 * allow it, else up to 25. */
static uint64_t ones_at_once(const struct sum_format *formats, int room)
{
    const int spare = room >= 46 ? room - 37 : room - 27, counted = MIN(formats->result->precision, 9);
    return UINT64_C(1) << MAX(0, MIN(spare, counted));
}

struct mask {
    int large, small; /* exponents of L and s */
    uint64_t first, end; /* the products that are s */
    unsigned signs;
};

static void set_mask(const struct asked *asked, struct questions *of, uint64_t question, const struct pair *pair,
                     const struct mask *mask)
{
    const double sign_large = mask->signs & 1 ? -1 : 1, sign_small = mask->signs & 2 ? -1 : 1;
    for (uint64_t k = 0; k < of->terms; k++)
        question_set(asked, of, question, k,
                     k == pair->i   ? (struct factor_pair){mask->large, sign_large, 1}
                     : k == pair->j ? (struct factor_pair){mask->large, -sign_large, 1}
                     : k >= mask->first && k < mask->end
                         ? (struct factor_pair){mask->small, sign_small, 1}
                         : (struct factor_pair){0, 0, 0});
}

/* Some s of some pairs, at most a product of them: adds the s that are left; where that is no whole number, signs are
 * changed, since truncated sums and directed roundings may show s beside L. */
static enum status count_left(struct asker *asker, struct questions *of, const struct pair *pairs,
                              const struct mask *wanted, uint64_t *left)
{
    bool is_open = true;
    uint64_t *found = calloc(of->count, sizeof *found);
    enum status status = found ? OK : out_of_memory("questions");
    for (uint64_t p = 0; p < of->count && found; p++)
        found[p] = UNKNOWN;
    for (unsigned signs = 0; signs < SIGNS && is_open && status == OK; signs++) {
        struct mask mask = *wanted;
        mask.signs = signs;
        for (uint64_t p = 0; p < of->count; p++)
            set_mask(asker->asked, of, p, &pairs[p], &mask);
        status = asker_ask(asker, of);
        is_open = false;
        for (uint64_t p = 0; p < of->count && status == OK; p++) {
            const double ones = ldexp(of->answers[p], -mask.small) * (signs & 2 ? -1 : 1);
            if (found[p] == UNKNOWN && ones >= 0 && ones <= (double)(mask.end - mask.first) && ones == floor(ones))
                found[p] = (uint64_t)ones;
            is_open |= found[p] == UNKNOWN;
        }
    }
    for (uint64_t p = 0; p < of->count && found; p++)
        left[p] = found[p] == UNKNOWN || left[p] == UNKNOWN ? UNKNOWN : left[p] + found[p];
    free(found);
    return status;
}

/* The leaves of each pair; UNKNOWN: no count. */
static enum status ask_pairs(struct asker *asker, uint64_t terms, struct pair *pairs, uint64_t count)
{
    const struct span span = span_of(asker->asked->formats);
    const bool is_short = 2 * (span.most - span.least) < 46; /* e4m3: its subnormals are needed */
    struct mask mask = {.large = span.product_most,
                        .small = MAX(2 * (is_short ? span.subnormal : span.least), span.at_result)};
    const uint64_t at_once = ones_at_once(asker->asked->formats, mask.large - mask.small);
    enum status status = OK;
    for (uint64_t begin = 0; begin < count && status == OK; begin += asker->asked->rows) {
        FREED_BY(questions_free) struct questions of = {0};
        uint64_t left[1024] = {0};
        const uint64_t some = MIN(MIN(asker->asked->rows, 1024), count - begin);
        TRY(questions_new(some, terms, &of));
        for (mask.first = 0; mask.first < terms && status == OK; mask.first = mask.end) {
            mask.end = MIN(mask.first + at_once, terms);
            status = count_left(asker, &of, pairs + begin, &mask, left);
        }
        for (uint64_t p = 0; p < some; p++)
            pairs[begin + p].leaves = left[p] >= terms ? UNKNOWN : terms - left[p];
    }
    return status;
}

/* ---- the order that pairs with the first product show ---- */

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

/* ---- what it says of other pairs ---- */

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

static enum status check_pairs(struct asker *asker, const struct grouping *grouping, bool *holds)
{
    struct pair pairs[CHECKED_PAIRS];
    uint64_t places[CHECKED_PAIRS][2];
    for (int p = 0; p < CHECKED_PAIRS; p++) {
        const uint64_t q = asker_below(asker, grouping->terms);
        const uint64_t away = p % 2 ? 1 + asker_below(asker, grouping->terms - 1)
                                    : 1 + asker_below(asker, MIN(grouping->terms - 1, 2 * grouping->sizes[0]));
        places[p][0] = q;
        places[p][1] = (q + away) % grouping->terms;
        pairs[p] = (struct pair){grouping->places[places[p][0]], grouping->places[places[p][1]], 0};
    }
    TRY(ask_pairs(asker, grouping->terms, pairs, CHECKED_PAIRS));
    *holds = true;
    for (int p = 0; p < CHECKED_PAIRS; p++)
        *holds &= pairs[p].leaves == leaves_of(grouping, places[p][0], places[p][1]);
    return OK;
}

/* Blocks of one are chained or begin at 0; no pair shows it. */
static enum status find_chained(struct asker *asker, struct grouping *grouping)
{
    struct pair within = {grouping->places[grouping->sizes[0]], grouping->places[grouping->sizes[0] + 1], 0};
    if (grouping->levels == 1 || grouping->sizes[0] == 1)
        return OK;
    TRY(ask_pairs(asker, grouping->terms, &within, 1));
    grouping->chained = within.leaves == 2 * grouping->sizes[0];
    return OK;
}

static enum status find_levels(struct asker *asker, const struct pair *pairs, struct grouping *grouping, bool *is_found)
{
    OWNED uint64_t *sizes = calloc(grouping->terms, sizeof *sizes);
    if (!sizes)
        return out_of_memory("sizes");
    const uint64_t count = sizes_above(pairs, grouping->terms, sizes);
    if (count == 0)
        return OK;
    const bool is_of_one = count > 1 ? sizes[0] == 2 && sizes[1] < 4 : sizes[0] == 2;
    if (!set_levels(sizes, count, is_of_one ? 1 : sizes[0], grouping))
        return OK;
    sort_places(pairs, grouping->terms, grouping->places);
    if (!repeat_places(grouping))
        return OK;
    TRY(find_chained(asker, grouping));
    return check_pairs(asker, grouping, is_found);
}

enum status grouping_find(struct asker *asker, uint64_t terms, struct grouping *grouping, bool *is_found)
{
    OWNED struct pair *pairs = calloc(terms, sizeof *pairs);
    *is_found = false;
    *grouping = (struct grouping){.terms = terms, .places = calloc(terms, sizeof *grouping->places)};
    if (!pairs || !grouping->places)
        return out_of_memory("pairs");
    for (uint64_t k = 1; k < terms; k++)
        pairs[k - 1] = (struct pair){0, k, 0};
    TRY(ask_pairs(asker, terms, pairs, terms - 1));
    for (uint64_t k = 1; k < terms; k++)
        if (pairs[k - 1].leaves == UNKNOWN)
            return OK;
    return find_levels(asker, pairs, grouping, is_found);
}
