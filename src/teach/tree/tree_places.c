#include "tree_drawing.h"

#include "src/base/memory.h"
#include "src/files/output.h"

#include <math.h>

/* Parents come after their children, so that from the root on each is placed before those below it. */
uint32_t *tree_first_leaves(const struct sum_tree *tree)
{
    uint32_t *first = memory_cleared(tree->count + 1, sizeof *first);
    for (uint32_t k = (uint32_t)tree->count; k > 0; k--) {
        const struct tape_node *node = &tree->joined[k - 1];
        if (node->left == 0)
            continue;
        first[node->left] = first[k];
        first[node->right] = first[k] + tree->place[node->left].leaves;
    }
    return first;
}

const char *tree_label(const struct tree_drawing *drawing, uint32_t node, char text[TREE_LABEL_TEXT])
{
    const struct sum_tree *tree = drawing->tree;
    if (drawing->labels && drawing->labels[node])
        return drawing->labels[node];
    if (sum_tree_is_leaf(tree, node))
        snprintf(text, TREE_LABEL_TEXT, "%c%llu", tree->letter, (unsigned long long)tree->joined[node - 1].leaf);
    else
        snprintf(text, TREE_LABEL_TEXT, "%u", tree->place[node].height);
    return text;
}

int tree_heat_step(const struct tree_drawing *drawing, uint32_t node)
{
    if (!drawing->heat || drawing->heat[node] <= 0)
        return 0;
    return drawing->heat[node] < 1 ? (int)ceil(drawing->heat[node] * TREE_HEAT_STEPS) : TREE_HEAT_STEPS;
}

enum status tree_draw_file(const struct tree_drawing *drawing,
                           enum status (*draw)(const struct tree_drawing *drawing, FILE *to), const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    return output_end(&out, draw(drawing, out.file));
}

enum status tree_fits(const char *what, uint64_t n, uint64_t most)
{
    if (n <= most)
        return OK;
    return bad_input("n = %llu is too large for a tree in %s, which shows at most %llu elements; take a smaller n, or "
                     "`ulpscope tree --summary`, which describes any tree",
                     (unsigned long long)n, what, (unsigned long long)most);
}
