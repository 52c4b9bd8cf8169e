/* A tree for Graphviz: `dot -Tsvg tree.dot`.  Edges point the way the sums go, from the leaves up. */
#include "tree_drawing.h"

static const char *const HEAT[] = {"#ffffff", "#fdf0d5", "#fbe0b0", "#f8cb85",
                                   "#f3b15c", "#eb923c", "#dd7026", "#c9531b"};

/* As Graphviz reads it back: a quote and a backslash are told from its own, a break is \n. */
static void print_quoted(const char *text, FILE *to)
{
    fputc('"', to);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", to);
        else if (*text == '"' || *text == '\\')
            fprintf(to, "\\%c", *text);
        else
            fputc(*text, to);
    fputc('"', to);
}

static void print_node(const struct tree_drawing *drawing, uint32_t k, FILE *to)
{
    char own[TREE_LABEL_TEXT];
    const struct tape_node *node = &drawing->tree->joined[k - 1];
    fprintf(to, "  n%u [label=", k);
    print_quoted(tree_label(drawing, k, own), to);
    if (drawing->heat)
        fprintf(to, ", fillcolor=\"%s\"", HEAT[tree_heat_step(drawing, k)]);
    fputs(node->left == 0 ? ", shape=plaintext];\n" : "];\n", to);
    if (node->left != 0)
        fprintf(to, "  n%u -> n%u;\n  n%u -> n%u;\n", node->left, k, node->right, k);
}

enum status tree_draw_dot(const struct tree_drawing *drawing, FILE *to)
{
    const struct sum_tree *tree = drawing->tree;
    TRY(tree_fits("DOT", tree->n, TREE_DOT_MOST_N));
    fputs("digraph sum {\n  label=", to);
    print_quoted(drawing->title ? drawing->title : "", to);
    fputs(";\n  labelloc=t;\n  rankdir=BT;\n  ordering=in;\n  node [shape=box, style=\"rounded,filled\", "
          "fillcolor=\"#ffffff\", height=0.3];\n",
          to);
    for (uint32_t k = 1; k <= tree->count; k++)
        print_node(drawing, k, to);
    if (tree->count == 0)
        fputs("  none [label=\"0\", shape=plaintext];\n", to);
    fputs("}\n", to);
    return OK;
}
