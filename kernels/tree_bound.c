#include "tree_bound.h"

#include "claim.h"
#include "replay.h"

#include "src/base/number.h"

#include <stdio.h>

double tree_bound(enum operation operation, const struct sum_format *in, uint64_t n, uint64_t height,
                  const struct magnitudes *of)
{
    const struct operation_row *row = &operation_table[operation];
    const struct method *plain =
        method_of_operation(method_find("plain/serial"), row->of == MATRICES ? row->terms : operation);
    plain = plain ? method_in(plain, in) : NULL;
    return plain ? replay_bound(plain, n, height, of) : INFINITY;
}

/* It falls with the sum, from where products are subnormal on; nothing overflows at 1. */
double tree_share(enum operation operation, const struct sum_format *in, uint64_t n, uint64_t height, double least)
{
    const double sum = least < 1 ? least : 1;
    return round_up(tree_bound(operation, in, n, height, &(struct magnitudes){sum, sum, sum}) / sum);
}

/* Of the first of tree_words_lower whose share is below 1; NULL: there is none. */
static const char *that_claims(enum operation operation, const struct sum_format *in, uint64_t n, double *share)
{
    for (const char *const *text = tree_words_lower; in && *text; text++) {
        struct tree_word word;
        char why[TREE_WHY_SIZE];
        uint64_t height;
        if (!tree_word_read(*text, &word, why) ||
            !tree_word_height(&word, n, (struct launch){TREE_BLOCKS, TREE_THREADS}, in->stored, &height, why))
            continue;
        *share = tree_share(operation, in, n, height, 1);
        if (*share < 1)
            return *text;
    }
    return NULL;
}

const char *tree_no_claim(enum operation operation, const struct sum_format *in, uint64_t n, char text[NO_CLAIM_SIZE])
{
    double share = 0;
    char number[NUMBER_TEXT];
    const char *word = that_claims(operation, in, n, &share);
    write_error(share, number);
    snprintf(text, NO_CLAIM_SIZE, "zeros keep a bound above the sum of the magnitudes%s%s%s%s%s", word ? "; auto:" : "",
             word ? word : "", word ? " would claim " : "", word ? number : "", word ? " of it" : "");
    return text;
}
