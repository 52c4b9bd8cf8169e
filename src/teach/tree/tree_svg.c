/* A tree as a picture: leaves at the foot, from left to right as they are joined, every join at its height.
 *
 *   3 -+     .---+---.        A join is a bracket over its two operands; the one above it stands on its middle.
 *   2 -+   .-+-.   .-+-.      How much is lost in a join is its colour, its thickness and the size of its dot.
 *   1 -+   x0  x2  x1  x3
 *
 */
#include "reports/canvas/canvas.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "tree_drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In pixels of the viewBox. */
enum {
    MARGIN = 20,
    SCALE_WIDTH = 52, /* of the heights at the left */
    HEAD = 58,        /* the title, and the sum above the root */
    TEXT = 11,
    LINE = 13,         /* from line to line of a label */
    BELOW_LEAF = 8,    /* from its dot to its label */
    CHARACTER = 7,     /* of text that stands in one width: 0.6 of its size, rounded up */
    LEAVES_WIDE = 900, /* that all leaves share, as far as they fit */
    LEAF_LEAST = 18,   /* from leaf to leaf, up to DENSE_FROM leaves: room for a name that stands upright */
    LEAF_MOST = 48,
    DENSE_FROM = 64,
    LEVELS_HIGH = 560, /* that all heights share, likewise */
    LEVEL_MOST = 36,
    LABELLED_LEVEL = 46, /* where joins bear labels: two lines and the dot */
    TICK_LEAST = 16,     /* between numbers of the scale */
    LABELLED_MOST_N = 16,
    LEGEND = 34,
    SWATCH = 22,
    LEAST_WIDTH = 480,
};

struct drawn {
    const struct tree_drawing *drawing;
    const struct sum_tree *tree;
    struct canvas canvas;
    double *x; /* of node k */
    double leaf_step, level, width, foot, height;
    bool labelled;  /* joins bear their labels */
    bool upright;   /* labels of leaves stand upright */
    uint64_t named; /* so many leaves apart are named */
};

/* Each line of the label below the one before it; y is the middle of the first. */
static void write_lines(struct drawn *drawn, double x, double y, const char *label)
{
    char *lines = memory_copy(label), *rest = lines, *line;
    for (; (line = strsep(&rest, "\n")); y += LINE)
        canvas_text(&drawn->canvas, x, y, (struct lettering){.size = TEXT, .anchor = ANCHOR_MIDDLE, .mono = true},
                    line);
    free(lines);
}

/* ---- where everything stands ---- */

static size_t lines_of(const char *label)
{
    size_t lines = 1;
    for (; *label; label++)
        lines += *label == '\n';
    return lines;
}

static size_t longest_line(const char *label)
{
    size_t longest = 0;
    for (size_t length; *label; label += length + (label[length] == '\n')) {
        length = strcspn(label, "\n");
        longest = length > longest ? length : longest;
    }
    return longest;
}

struct widths {
    size_t leaf_line, leaf,
        join_line; /* characters: of a line of a leaf's label, of the whole, of a line of a join's */
    size_t leaf_lines;
};

static struct widths measure_labels(const struct tree_drawing *drawing)
{
    struct widths widths = {0};
    char own[TREE_LABEL_TEXT];
    for (uint32_t k = 1; k <= drawing->tree->count; k++) {
        const char *label = tree_label(drawing, k, own);
        const size_t line = longest_line(label);
        size_t *const longest = sum_tree_is_leaf(drawing->tree, k) ? &widths.leaf_line : &widths.join_line;
        *longest = line > *longest ? line : *longest;
        if (!sum_tree_is_leaf(drawing->tree, k))
            continue;
        widths.leaf = strlen(label) > widths.leaf ? strlen(label) : widths.leaf;
        widths.leaf_lines = lines_of(label) > widths.leaf_lines ? lines_of(label) : widths.leaf_lines;
    }
    return widths;
}

/* 1, 2, 5, 10, 20, ...: the first that is `least` or more. */
static uint64_t round_step(double least)
{
    uint64_t step = 1;
    for (int i = 0; (double)step < least; i++)
        step = i % 3 == 1 ? step / 2 * 5 : 2 * step;
    return step;
}

static void lay_out(struct drawn *drawn)
{
    const struct tree_drawing *drawing = drawn->drawing;
    const struct widths widths = measure_labels(drawing);
    const double n = (double)(drawn->tree->n > 0 ? drawn->tree->n : 1);
    const double levels = (double)sum_tree_height(drawn->tree);
    const double least = drawn->tree->n <= DENSE_FROM ? LEAF_LEAST : 0;
    drawn->labelled = drawing->labels && drawn->tree->n <= LABELLED_MOST_N;
    drawn->leaf_step = fmin(LEAF_MOST, fmax(LEAVES_WIDE / n, least));
    if (drawn->labelled)
        drawn->leaf_step =
            fmax(LEAF_MOST, CHARACTER * fmax((double)widths.join_line, (double)widths.leaf_line) + CHARACTER);
    drawn->upright = CHARACTER * (double)(widths.leaf_line + 1) > drawn->leaf_step;
    drawn->named = drawn->upright ? round_step(LINE / drawn->leaf_step) : 1;
    drawn->level = drawn->labelled ? LABELLED_LEVEL : fmin(LEVEL_MOST, LEVELS_HIGH / fmax(levels, 1));
    drawn->width = fmax(2 * MARGIN + SCALE_WIDTH + n * drawn->leaf_step, LEAST_WIDTH);
    drawn->foot = HEAD + drawn->level * fmax(levels - 1, 0);
    const double labels = drawn->upright ? CHARACTER * (double)widths.leaf : LINE * (double)widths.leaf_lines;
    drawn->height = drawn->foot + BELOW_LEAF + labels + MARGIN + (drawing->heat ? LEGEND : 0);
}

static void place_nodes(struct drawn *drawn, const uint32_t *first)
{
    const struct sum_tree *tree = drawn->tree;
    drawn->x = memory_cleared(tree->count + 1, sizeof *drawn->x);
    for (uint32_t k = 1; k <= tree->count; k++) {
        const struct tape_node *node = &tree->joined[k - 1];
        if (node->left == 0)
            drawn->x[k] = MARGIN + SCALE_WIDTH + ((double)first[k] + 0.5) * drawn->leaf_step;
        else
            drawn->x[k] = (drawn->x[node->left] + drawn->x[node->right]) / 2;
    }
}

static double y_of_height(const struct drawn *drawn, double height)
{
    return drawn->foot - drawn->level * (height - 1);
}

static double y_of(const struct drawn *drawn, uint32_t node)
{
    return y_of_height(drawn, drawn->tree->place[node].height);
}

/* ---- the frame ---- */

static void begin(struct drawn *drawn)
{
    const struct tree_drawing *drawing = drawn->drawing;
    struct text words = {0};
    text_append(&words,
                "A binary tree. At the foot %llu elements, from left to right as they are joined; above, each join "
                "over its two operands; at the top the sum, at height %llu.%s%s",
                (unsigned long long)drawn->tree->n, (unsigned long long)sum_tree_height(drawn->tree),
                drawing->heat_name ? " Colour: " : "", drawing->heat_name ? drawing->heat_name : "");
    char *description = text_take(&words);
    canvas_begin(&drawn->canvas, ceil(drawn->width), ceil(drawn->height),
                 drawing->title ? drawing->title : "The tree of a sum", description);
    free(description);
    canvas_text(&drawn->canvas, MARGIN, MARGIN, (struct lettering){.size = 14, .bold = true},
                drawing->title ? drawing->title : "");
}

static void draw_scale(struct drawn *drawn)
{
    const struct lettering label = {.colour = COLOUR_SOFT}, number = {.colour = COLOUR_SOFT, .anchor = ANCHOR_END};
    const uint64_t heights = sum_tree_height(drawn->tree), step = round_step(TICK_LEAST / drawn->level);
    char text[TREE_LABEL_TEXT];
    canvas_text(&drawn->canvas, MARGIN, HEAD - 18, label, "height");
    for (uint64_t height = 1; height <= heights; height = height == 1 && step > 1 ? step : height + step) {
        const double y = y_of_height(drawn, (double)height);
        snprintf(text, sizeof text, "%llu", (unsigned long long)height);
        canvas_text(&drawn->canvas, MARGIN + 26, y, number, text);
        canvas_line(&drawn->canvas, MARGIN + 32, y, drawn->width - MARGIN, y);
    }
    canvas_stroke(&drawn->canvas, (struct brush){COLOUR_GRID, "scale", NULL}, 1, false);
}

/* Where nothing is lost a tree of which it is asked is pale. */
static enum colour heat_colour(const struct drawn *drawn, int step)
{
    if (step > 0)
        return (enum colour)(COLOUR_HEAT + step - 1);
    return drawn->drawing->heat ? COLOUR_LINE : COLOUR_INK;
}

static void draw_legend(struct drawn *drawn)
{
    const double y = drawn->height - MARGIN - 8, left = MARGIN + SWATCH;
    const char *name = drawn->drawing->heat_name ? drawn->drawing->heat_name : "the most";
    for (int step = 0; step <= TREE_HEAT_STEPS; step++) {
        const double x = left + step * SWATCH;
        canvas_box(&drawn->canvas, (struct box){x, step == 0 ? y + 5 : y, x + SWATCH, step == 0 ? y + 6 : y + 11});
        canvas_fill(&drawn->canvas, (struct brush){heat_colour(drawn, step), "legend", NULL}, 1);
    }
    canvas_text(&drawn->canvas, left - 6, y + 6, (struct lettering){.anchor = ANCHOR_END}, "0");
    canvas_text(&drawn->canvas, left + SWATCH * (TREE_HEAT_STEPS + 1) + 6, y + 6, (struct lettering){.size = 0}, name);
}

/* ---- the tree ---- */

/* Pointing at it shows its label. */
static void open_node(struct drawn *drawn, uint32_t node, const char *kind)
{
    const struct sum_tree_place *place = &drawn->tree->place[node];
    struct text words = {0};
    char own[TREE_LABEL_TEXT];
    const char *label = tree_label(drawn->drawing, node, own);
    if (place->leaves > 1)
        text_append(&words, "height %u, %u elements", place->height, place->leaves);
    if (place->leaves == 1 || label != own)
        text_append(&words, "%s%s", place->leaves > 1 ? "\n" : "", label);
    OWNED char *title = text_take(&words);
    canvas_open(&drawn->canvas, (struct brush){heat_colour(drawn, tree_heat_step(drawn->drawing, node)), kind, title});
}

static void draw_join(struct drawn *drawn, uint32_t k)
{
    const struct tape_node *node = &drawn->tree->joined[k - 1];
    const double thin = drawn->level < 8 || drawn->leaf_step < 8 ? 0.5 : 1, y = y_of(drawn, k);
    const int step = tree_heat_step(drawn->drawing, k);
    char own[TREE_LABEL_TEXT];
    open_node(drawn, k, "join");
    canvas_line(&drawn->canvas, drawn->x[node->left], y_of(drawn, node->left), drawn->x[node->left], y);
    canvas_draw(&drawn->canvas, drawn->x[node->right], y);
    canvas_draw(&drawn->canvas, drawn->x[node->right], y_of(drawn, node->right));
    canvas_stroke(&drawn->canvas, (struct brush){.kind = NULL}, thin * (1.2 + 0.3 * step), false);
    canvas_dot(&drawn->canvas, drawn->x[k], y, thin * (2.4 + 0.5 * step));
    canvas_close(&drawn->canvas);
    if (drawn->labelled)
        write_lines(drawn, drawn->x[k], y + LINE - 2, tree_label(drawn->drawing, k, own));
}

/* One line: the canvas makes blanks of breaks. */
static void draw_leaf(struct drawn *drawn, uint32_t k, bool named)
{
    char own[TREE_LABEL_TEXT];
    const char *label = tree_label(drawn->drawing, k, own);
    const double y = y_of(drawn, k);
    const int step = tree_heat_step(drawn->drawing, k);
    open_node(drawn, k, "leaf");
    canvas_dot(&drawn->canvas, drawn->x[k], y, drawn->leaf_step < 8 ? 0.8 : 2 + 0.5 * step);
    canvas_close(&drawn->canvas);
    if (named && drawn->upright)
        canvas_text(&drawn->canvas, drawn->x[k], y + BELOW_LEAF,
                    (struct lettering){.size = TEXT, .anchor = ANCHOR_END, .upwards = true, .mono = true}, label);
    else if (named)
        write_lines(drawn, drawn->x[k], y + LINE, label);
}

/* The sum stands on the root. */
static void draw_root(struct drawn *drawn)
{
    const uint32_t root = (uint32_t)drawn->tree->count;
    const double x = drawn->x[root], y = y_of(drawn, root);
    canvas_line(&drawn->canvas, x, y, x, y - 12);
    canvas_stroke(&drawn->canvas, (struct brush){COLOUR_INK, "root", NULL}, 1.2, false);
    canvas_text(&drawn->canvas, x, y - 20, (struct lettering){.anchor = ANCHOR_MIDDLE}, "sum");
}

static void draw_tree(struct drawn *drawn, const uint32_t *first)
{
    const struct sum_tree *tree = drawn->tree;
    for (uint32_t k = 1; k <= tree->count; k++)
        if (sum_tree_is_leaf(tree, k))
            draw_leaf(drawn, k, first[k] % drawn->named == 0);
        else
            draw_join(drawn, k);
    if (tree->count > 0)
        draw_root(drawn);
    else
        canvas_text(&drawn->canvas, drawn->width / 2, drawn->foot, (struct lettering){.anchor = ANCHOR_MIDDLE},
                    "no elements: the sum is 0");
}

enum status tree_draw_svg(const struct tree_drawing *drawing, FILE *to)
{
    struct drawn drawn = {.drawing = drawing, .tree = drawing->tree};
    struct picture picture = {0};
    TRY(tree_fits("SVG", drawing->tree->n, TREE_SVG_MOST_N));
    uint32_t *first = tree_first_leaves(drawing->tree);
    lay_out(&drawn);
    place_nodes(&drawn, first);
    begin(&drawn);
    draw_scale(&drawn);
    draw_tree(&drawn, first);
    if (drawing->heat)
        draw_legend(&drawn);
    canvas_take(&drawn.canvas, &picture);
    fwrite(picture.svg, 1, picture.length, to);
    picture_free(&picture);
    free_all(first, drawn.x);
    return OK;
}
