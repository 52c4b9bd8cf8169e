/* A tree as lines of ASCII, turned on its side: an element per line, joins to the right.
 *
 *   plain/tree_two_pass, n = 5, 1 x 2             plain/serial, n = 4
 *
 *                  height                                   height
 *   x0 --.                                      x0 --.
 *   x2 --+         2                            x1 --+     2      a vertical line is a running sum,
 *   x4 --+---.     3                            x2 --+     3      which is read downward
 *   x1 --.   |                                  x3 --+===  4
 *   x3 --+   |     2
 *        '---+===  4
 *
 * A join stands on the line of its right operand, or, when that is a join too, on a line of its own below it: so no
 * line has two, and there is room for a label.  A join goes on with the vertical line of its left operand as long as
 * nothing to the right of that is in the way: a chain takes one column, however long it is, and a balanced tree log2 n.
 */
#include "src/base/memory.h"
#include "tree_drawing.h"

#include <string.h>
#include <sys/param.h>

struct lines {
    const struct tree_drawing *drawing;
    const struct sum_tree *tree;
    uint32_t *rows;           /* that node k and all below it take */
    uint32_t *last;           /* of those the last: the row of node k */
    uint32_t *column;         /* of its vertical line; 0 of leaves */
    uint32_t *leaf_of_row;    /* the node; 0: there is none */
    uint32_t *join_of_row;    /* likewise */
    char *canvas;             /* row after row of `width` characters */
    size_t width, leaf_width; /* of the longest label of a leaf */
    size_t step;              /* from column to column */
};

enum { NARROW_FROM = 12, ROOT_MARK = 3 };

/* ---- where everything stands ---- */

static void measure_nodes(struct lines *lines)
{
    for (uint32_t k = 1; k <= lines->tree->count; k++) {
        const struct tape_node *node = &lines->tree->joined[k - 1];
        lines->rows[k] = 1;
        if (node->left == 0)
            continue;
        const bool own_row = !sum_tree_is_leaf(lines->tree, node->right);
        lines->rows[k] = lines->rows[node->left] + lines->rows[node->right] + own_row;
        lines->column[k] = MAX(MAX(lines->column[node->left], lines->column[node->right] + 1), 1);
    }
}

static void place_nodes(struct lines *lines)
{
    const uint32_t root = (uint32_t)lines->tree->count;
    lines->last[root] = lines->rows[root] - 1;
    for (uint32_t k = root; k > 0; k--) {
        const struct tape_node *node = &lines->tree->joined[k - 1];
        if (node->left == 0) {
            lines->leaf_of_row[lines->last[k]] = k;
            continue;
        }
        const uint32_t end = lines->last[k] - !sum_tree_is_leaf(lines->tree, node->right);
        lines->join_of_row[lines->last[k]] = k;
        lines->last[node->right] = end;
        lines->last[node->left] = end - lines->rows[node->right];
    }
}

/* ---- the wires ---- */

static char *at(const struct lines *lines, uint32_t row, uint32_t column)
{
    return lines->canvas + row * lines->width + (column == 0 ? 0 : 2 + (column - 1) * lines->step);
}

/* Of the row, from behind one column up to another. */
static void draw_wire(const struct lines *lines, uint32_t row, uint32_t from, uint32_t to)
{
    char *start = at(lines, row, from) + (from > 0);
    memset(start, '-', (size_t)(at(lines, row, to) - start));
}

static void draw_join(const struct lines *lines, uint32_t k)
{
    const struct tape_node *node = &lines->tree->joined[k - 1];
    const uint32_t column = lines->column[k], row = lines->last[k];
    const uint32_t left = lines->column[node->left], top = lines->last[node->left];
    if (left < column) {
        draw_wire(lines, top, left, column);
        *at(lines, top, column) = '.';
    }
    for (uint32_t between = top + 1; between < row; between++)
        *at(lines, between, column) = '|';
    draw_wire(lines, row, lines->column[node->right], column);
    if (lines->column[node->right] > 0)
        *at(lines, row, lines->column[node->right]) = '\'';
    *at(lines, row, column) = '+';
    if (k == lines->tree->count)
        memset(at(lines, row, column) + 1, '=', ROOT_MARK);
}

static void draw_canvas(struct lines *lines)
{
    const uint32_t root = (uint32_t)lines->tree->count;
    const size_t size = (size_t)lines->rows[root] * lines->width;
    lines->canvas = memory_resized(NULL, size);
    memset(lines->canvas, ' ', size);
    for (uint32_t k = 1; k <= root; k++)
        if (!sum_tree_is_leaf(lines->tree, k))
            draw_join(lines, k);
    if (root == 1)
        memset(lines->canvas, '=', ROOT_MARK);
}

/* ---- the text ---- */

/* In one line: what is broken in a picture is two blanks here. */
static size_t print_label(const struct lines *lines, uint32_t node, FILE *to)
{
    char own[TREE_LABEL_TEXT];
    const char *label = tree_label(lines->drawing, node, own);
    size_t printed = 0;
    for (; *label; label++)
        printed += (size_t)fprintf(to, "%s", *label == '\n' ? "  " : (char[]){*label, '\0'});
    return printed;
}

static size_t label_width(const struct lines *lines, uint32_t node)
{
    char own[TREE_LABEL_TEXT];
    const char *label = tree_label(lines->drawing, node, own);
    size_t width = 0;
    for (; *label; label++)
        width += *label == '\n' ? 2 : 1;
    return width;
}

static void print_blanks(size_t count, FILE *to)
{
    fprintf(to, "%*s", (int)count, "");
}

static void print_join(const struct lines *lines, uint32_t node, FILE *to)
{
    if (lines->drawing->heat)
        fprintf(to, "%-*.*s  ", TREE_HEAT_STEPS, tree_heat_step(lines->drawing, node), "#######");
    print_label(lines, node, to);
}

static void print_row(const struct lines *lines, uint32_t row, FILE *to)
{
    const uint32_t leaf = lines->leaf_of_row[row], join = lines->join_of_row[row];
    const size_t named = leaf == 0 ? 0 : print_label(lines, leaf, to);
    size_t drawn = lines->width;
    while (drawn > 0 && lines->canvas[row * lines->width + drawn - 1] == ' ')
        drawn--;
    print_blanks(lines->leaf_width - named + 1, to);
    fwrite(lines->canvas + row * lines->width, 1, drawn, to);
    if (join != 0) {
        print_blanks(lines->width - drawn + 2, to);
        print_join(lines, join, to);
    }
    fputc('\n', to);
}

static void print_head(const struct lines *lines, FILE *to)
{
    const struct tree_drawing *drawing = lines->drawing;
    const char *name = drawing->labels ? drawing->labels_name : "height";
    if (drawing->title)
        fprintf(to, "%s\n\n", drawing->title);
    if (!name || lines->tree->n < 2)
        return;
    print_blanks(lines->leaf_width + lines->width + 3 + (drawing->heat ? TREE_HEAT_STEPS + 2 : 0), to);
    fprintf(to, "%s\n", name);
}

static void print_all(const struct lines *lines, FILE *to)
{
    print_head(lines, to);
    for (uint32_t row = 0; row < lines->rows[lines->tree->count]; row++)
        print_row(lines, row, to);
    if (lines->drawing->heat && lines->drawing->heat_name)
        fprintf(to, "\n#  %s\n", lines->drawing->heat_name);
}

/* ---- all of it ---- */

static void measure_text(struct lines *lines)
{
    const uint32_t root = (uint32_t)lines->tree->count, columns = lines->column[root];
    for (uint32_t k = 1; k <= root; k++)
        if (sum_tree_is_leaf(lines->tree, k) && label_width(lines, k) > lines->leaf_width)
            lines->leaf_width = label_width(lines, k);
    lines->step = columns < NARROW_FROM ? 4 : 2;
    lines->width = columns == 0 ? ROOT_MARK : 3 + (columns - 1) * lines->step + ROOT_MARK;
}

static void make_room(struct lines *lines)
{
    const size_t count = lines->tree->count + 1;
    lines->rows = memory_cleared(count, sizeof *lines->rows);
    lines->last = memory_cleared(count, sizeof *lines->last);
    lines->column = memory_cleared(count, sizeof *lines->column);
    lines->leaf_of_row = memory_cleared(count, sizeof *lines->leaf_of_row);
    lines->join_of_row = memory_cleared(count, sizeof *lines->join_of_row);
}

enum status tree_draw_lines(const struct tree_drawing *drawing, FILE *to)
{
    struct lines lines = {.drawing = drawing, .tree = drawing->tree};
    TRY(tree_fits("lines", drawing->tree->n, TREE_LINES_MOST_N));
    make_room(&lines);
    if (drawing->tree->count > 0) {
        measure_nodes(&lines);
        place_nodes(&lines);
        measure_text(&lines);
        draw_canvas(&lines);
        print_all(&lines, to);
    } else {
        print_head(&lines, to);
        fputs("no elements: the sum is 0\n", to);
    }
    free_all(lines.rows, lines.last, lines.column, lines.leaf_of_row, lines.join_of_row, lines.canvas);
    return OK;
}
