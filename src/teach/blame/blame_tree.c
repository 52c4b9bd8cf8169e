/* The tree of a small sum, each addition as hot as what it lost. */
#include "blame.h"

#include "src/teach/tree/tree_drawing.h"

#include <math.h>

enum { LABEL_SIZE = 3 * NUMBER_TEXT + 2 };

struct hot_tree {
    struct tree_drawing drawing;
    double *heat;
    char (*text)[LABEL_SIZE];
    const char **labels;
    char title[128], heat_name[128];
};

static void free_tree(struct hot_tree *tree)
{
    free_all(tree->heat, tree->text, tree->labels);
}

/* Of an element "x3 = 0.1"; of a product "p3 = 0.1, -0x1p-60"; of an addition what it makes and, if anything, its
 * error: "16777216, -0x1p+0". */
static void write_label(const struct additions *of, uint32_t node, char text[LABEL_SIZE])
{
    const struct tape_node *joined = &of->tree.joined[node - 1];
    char name[NUMBER_TEXT] = "";
    if (joined->left == 0)
        snprintf(name, sizeof name, "%c%.0f = ", of->tree.letter, joined->leaf);
    snprintf(text, LABEL_SIZE, of->error[node] == 0 ? "%s%s" : "%s%s, %s", name, plainly_text(of->value[node]),
             hex_text(of->error[node]));
}

/* Heat is a share of the largest loss; NaN where an addition is not finite. */
static enum status make_tree(const struct blame *blame, struct hot_tree *tree)
{
    const struct additions *of = &blame->additions;
    const double largest = additions_largest_error(of);
    const size_t nodes = of->tree.count + 1;
    *tree = (struct hot_tree){
        .heat = calloc(nodes, sizeof *tree->heat),
        .text = calloc(nodes, sizeof *tree->text),
        .labels = calloc(nodes, sizeof *tree->labels),
    };
    if (!tree->heat || !tree->text || !tree->labels) {
        free_tree(tree);
        return out_of_memory("the labels of a tree");
    }
    for (uint32_t k = 1; k < nodes; k++) {
        tree->heat[k] = of->error[k] == 0 ? 0 : fabs(of->error[k]) / largest;
        write_label(of, k, tree->text[k]);
        tree->labels[k] = tree->text[k];
    }
    snprintf(tree->heat_name, sizeof tree->heat_name, "|local error|, largest %s", hex_text(largest));
    char *words = tree_request_words(&(struct tree_request){NULL, of->method, of->tree.n, of->launch});
    snprintf(tree->title, sizeof tree->title, "%s", words);
    free(words);
    tree->drawing = (struct tree_drawing){
        .tree = &of->tree,
        .title = tree->title,
        .labels = tree->labels,
        .labels_name = "value, local error",
        .heat = tree->heat,
        .heat_name = tree->heat_name,
    };
    return OK;
}

enum status blame_draw_lines(const struct blame *blame, FILE *to)
{
    FREED_BY(free_tree) struct hot_tree tree = {0};
    TRY(make_tree(blame, &tree));
    return tree_draw_lines(&tree.drawing, to);
}

enum status blame_write_svg(const struct blame *blame, const char *path)
{
    FREED_BY(free_tree) struct hot_tree tree = {0};
    TRY(make_tree(blame, &tree));
    return tree_draw_file(&tree.drawing, tree_draw_svg, path);
}
