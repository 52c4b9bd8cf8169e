/* The order along k in words, and as a row of a table. */
#include "arithmetic_page.h"

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

char *arithmetic_order(const struct arithmetic_answer *answer)
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

const char *arithmetic_entry(const struct arithmetic_answer *answer)
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

char *arithmetic_row(const struct arithmetic_answer *answer)
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
