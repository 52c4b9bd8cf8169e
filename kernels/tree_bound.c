#include "tree_bound.h"

#include "claim.h"
#include "replay.h"

#include "src/base/number.h"

#include <stdio.h>

double tree_bound(enum operation operation, const struct sum_format *in, uint64_t n, struct plain_tree tree,
                  const struct magnitudes *of)
{
    const struct operation_row *row = &operation_table[operation];
    if (is_statistic(operation) || operation == OPERATION_rolling) /* whose sums are several, or of others too */
        return INFINITY;
    const struct method *plain = method_of_operation(method_find("plain/serial"), row->of == MATRICES  ? row->terms
                                                                                  : is_scan(operation) ? OPERATION_sum
                                                                                                       : operation);
    plain = plain ? method_in(plain, in) : NULL;
    return plain ? replay_bound(plain, n, tree, of) : INFINITY;
}

/* It falls with the sum, from where products are subnormal on; nothing overflows at 1. */
double tree_share(enum operation operation, const struct sum_format *in, uint64_t n, struct plain_tree tree,
                  double least)
{
    const double sum = least < 1 ? least : 1;
    return round_up(tree_bound(operation, in, n, tree, &(struct magnitudes){sum, sum, sum, NULL}) / sum);
}

const char *tree_no_claim(enum operation operation, const struct sum_format *in, uint64_t n, char text[NO_CLAIM_SIZE])
{
    double share = INFINITY;
    char number[NUMBER_TEXT];
    const char *word = NULL;
    struct plain_tree tree;
    for (size_t i = 0; in && !(share < 1) && (word = tree_word_lower(i, n, in->stored, &tree)); i++)
        share = tree_share(operation, in, n, tree, 1);
    write_error(share, number);
    snprintf(text, NO_CLAIM_SIZE, "zeros keep a bound above the sum of the magnitudes%s%s%s%s%s", word ? "; auto:" : "",
             word ? word : "", word ? " would claim " : "", word ? number : "", word ? " of it" : "");
    return text;
}
