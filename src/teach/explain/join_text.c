#include "join_text.h"

#include "src/base/number.h"
#include "src/teach/tree/spans.h"

#include <inttypes.h>

void join_elements(const struct sum_tree *tree, uint32_t node, struct text *to)
{
    struct span span;
    char words[SPAN_TEXT];
    spans_find(tree, &node, 1, &span);
    span_write(&span, words);
    text_append(to, "%s", words);
}

void join_expression(const struct sum_tree *tree, uint32_t node, const float *x, struct text *to)
{
    const struct tape_node *joined = &tree->joined[node - 1];
    char number[NUMBER_TEXT];
    if (joined->left != 0) {
        text_append(to, "(");
        join_expression(tree, joined->left, x, to);
        text_append(to, " + ");
        join_expression(tree, joined->right, x, to);
        text_append(to, ")");
    } else if (x) {
        write_plainly((double)x[(uint64_t)joined->leaf], number);
        text_append(to, "%s", number);
    } else
        text_append(to, "x%" PRIu64, (uint64_t)joined->leaf);
}
