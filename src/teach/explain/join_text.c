#include "join_text.h"

#include "src/teach/tree/spans.h"

#include <math.h>

void join_elements(const struct sum_tree *tree, uint32_t node, struct text *to)
{
    struct span span;
    char words[SPAN_TEXT];
    if (node == 0) {
        text_append(to, "nothing");
        return;
    }
    spans_find(tree, &node, 1, &span);
    span_write(&span, words);
    text_append(to, "%s", words);
}

void join_expression(const struct sum_tree *tree, uint32_t node, const struct format *format, const double *value,
                     struct text *to)
{
    const struct tape_node *joined = &tree->joined[node - 1];
    char number[NUMBER_TEXT];
    if (joined->left != 0) {
        text_append(to, "(");
        join_expression(tree, joined->left, format, value, to);
        text_append(to, " + ");
        join_expression(tree, joined->right, format, value, to);
        text_append(to, ")");
    } else if (value) {
        join_number(format, value[node], number);
        text_append(to, "%s", number);
    } else
        text_append(to, "%c%" PRIu64, tree->letter, (uint64_t)joined->leaf);
}

void join_worth(const struct additions *of, uint32_t node, struct text *to)
{
    const double rest = of->rest ? of->rest[node] : 0;
    text_append(to, "%s", additions_is_beyond(of, node) ? "more than binary64 has" : hex_text(of->value[node]));
    if (rest != 0)
        text_append(to, " %c %s", rest < 0 ? '-' : '+', hex_text(fabs(rest)));
}

void join_number(const struct format *format, double value, char text[NUMBER_TEXT])
{
    const double size = fabs(value);
    const bool is_integer = size == trunc(size);
    if (format->precision <= FORMAT_BINARY32.precision || (is_integer && size < 1e15))
        write_plainly(value, text);
    else if (is_integer && size < 1e18)
        snprintf(text, NUMBER_TEXT, "%.0f", value);
    else
        write_double(value, text);
}
