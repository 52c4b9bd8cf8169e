/* A tree as a picture: leaves at the foot, from left to right as they are joined, every join at its height.
 *
 *   3 -+     .---+---.        A join is a bracket over its two operands; the one above it stands on its middle.
 *   2 -+   .-+-.   .-+-.      How much is lost in a join is its colour, its thickness and the size of its dot.
 *   1 -+   x0  x2  x1  x3
 *
 * Colours of light paper are attributes, which every program draws; a style sheet changes them where dark paper is
 * preferred.  The paper is painted, so that the picture can be read on any page.  The same tree gives the same bytes.
 */
#include "tree_places.h"

#include <libxml/xmlwriter.h>

#include <math.h>
#include <stdarg.h>
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

static const char STYLE[] = "\n"
                            "svg.ulpscope-tree { max-width: 100%; height: auto; }\n"
                            ".ulpscope-tree text { font-family: system-ui, sans-serif; }\n"
                            ".ulpscope-tree .mono { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; }\n"
                            "@media (prefers-color-scheme: dark) {\n"
                            "  .ulpscope-tree { color: #e4e8ec; }\n"
                            "  .ulpscope-tree .paper { fill: #14181c; }\n"
                            "  .ulpscope-tree .heat-1 { color: #7a5326; } .ulpscope-tree .heat-2 { color: #95602a; }\n"
                            "  .ulpscope-tree .heat-3 { color: #b3712d; } .ulpscope-tree .heat-4 { color: #cf8832; }\n"
                            "  .ulpscope-tree .heat-5 { color: #e6a349; } .ulpscope-tree .heat-6 { color: #f5c373; }\n"
                            "  .ulpscope-tree .heat-7 { color: #ffe6ad; }\n"
                            "}\n";

/* From pale to dark on light paper, from dim to bright on dark: hotter is farther from the paper. */
static const char *const HEAT[] = {"currentColor", "#deb25a", "#d99a40", "#cf7c2e",
                                   "#bf5d24",      "#a8401f", "#872618", "#5f1010"};

struct picture {
    const struct tree_drawing *drawing;
    const struct sum_tree *tree;
    xmlTextWriterPtr writer;
    bool failed;
    double *x; /* of node k */
    double leaf_step, level, width, foot, height;
    bool labelled;  /* joins bear their labels */
    bool upright;   /* labels of leaves stand upright */
    uint64_t named; /* so many leaves apart are named */
};

/* ---- elements and attributes; what fails is remembered ---- */

static void check(struct picture *picture, int written)
{
    picture->failed |= written < 0;
}

static void open_element(struct picture *picture, const char *name)
{
    check(picture, xmlTextWriterStartElement(picture->writer, BAD_CAST name));
}

static void close_element(struct picture *picture)
{
    check(picture, xmlTextWriterEndElement(picture->writer));
    check(picture, xmlTextWriterWriteRaw(picture->writer, BAD_CAST "\n"));
}

static void attribute(struct picture *picture, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void attribute(struct picture *picture, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    check(picture, xmlTextWriterWriteVFormatAttribute(picture->writer, BAD_CAST name, format, arguments));
    va_end(arguments);
}

static void words(struct picture *picture, const char *text)
{
    check(picture, xmlTextWriterWriteString(picture->writer, BAD_CAST text));
}

static void element(struct picture *picture, const char *name, const char *text)
{
    open_element(picture, name);
    words(picture, text);
    close_element(picture);
}

enum anchor { START, MIDDLE, END };

/* Opens the element of a text. */
static void open_text(struct picture *picture, double x, double y, enum anchor anchor, const char *class)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    open_element(picture, "text");
    if (class)
        attribute(picture, "class", "%s", class);
    attribute(picture, "x", "%.2f", x);
    attribute(picture, "y", "%.2f", y);
    if (anchor != START)
        attribute(picture, "text-anchor", "%s", anchors[anchor]);
}

static void text_at(struct picture *picture, double x, double y, enum anchor anchor, const char *text)
{
    open_text(picture, x, y, anchor, NULL);
    words(picture, text);
    close_element(picture);
}

/* Each line of the label below the one before it. */
static void write_lines(struct picture *picture, double x, double y, const char *label)
{
    for (size_t length; *label; label += length + (label[length] == '\n'), y += LINE) {
        length = strcspn(label, "\n");
        open_text(picture, x, y, MIDDLE, "mono");
        attribute(picture, "font-size", "%d", TEXT);
        check(picture, xmlTextWriterWriteFormatString(picture->writer, "%.*s", (int)length, label));
        close_element(picture);
    }
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

static void lay_out(struct picture *picture)
{
    const struct tree_drawing *drawing = picture->drawing;
    const struct widths widths = measure_labels(drawing);
    const double n = (double)(picture->tree->n > 0 ? picture->tree->n : 1);
    const double levels = (double)sum_tree_height(picture->tree);
    const double least = picture->tree->n <= DENSE_FROM ? LEAF_LEAST : 0;
    picture->labelled = drawing->labels && picture->tree->n <= LABELLED_MOST_N;
    picture->leaf_step = fmin(LEAF_MOST, fmax(LEAVES_WIDE / n, least));
    if (picture->labelled)
        picture->leaf_step =
            fmax(LEAF_MOST, CHARACTER * fmax((double)widths.join_line, (double)widths.leaf_line) + CHARACTER);
    picture->upright = CHARACTER * (double)(widths.leaf_line + 1) > picture->leaf_step;
    picture->named = picture->upright ? round_step(LINE / picture->leaf_step) : 1;
    picture->level = picture->labelled ? LABELLED_LEVEL : fmin(LEVEL_MOST, LEVELS_HIGH / fmax(levels, 1));
    picture->width = fmax(2 * MARGIN + SCALE_WIDTH + n * picture->leaf_step, LEAST_WIDTH);
    picture->foot = HEAD + picture->level * fmax(levels - 1, 0);
    const double labels = picture->upright ? CHARACTER * (double)widths.leaf : LINE * (double)widths.leaf_lines;
    picture->height = picture->foot + BELOW_LEAF + labels + MARGIN + (drawing->heat ? LEGEND : 0);
}

static enum status place_nodes(struct picture *picture)
{
    const struct sum_tree *tree = picture->tree;
    uint32_t *first = tree_first_leaves(tree);
    picture->x = calloc(tree->count + 1, sizeof *picture->x);
    for (uint32_t k = 1; first && picture->x && k <= tree->count; k++) {
        const struct tape_node *node = &tree->joined[k - 1];
        if (node->left == 0)
            picture->x[k] = MARGIN + SCALE_WIDTH + ((double)first[k] + 0.5) * picture->leaf_step;
        else
            picture->x[k] = (picture->x[node->left] + picture->x[node->right]) / 2;
    }
    const bool enough = first && picture->x;
    free(first);
    return enough ? OK : out_of_memory("the picture of a tree");
}

static double y_of_height(const struct picture *picture, double height)
{
    return picture->foot - picture->level * (height - 1);
}

static double y_of(const struct picture *picture, uint32_t node)
{
    return y_of_height(picture, picture->tree->place[node].height);
}

/* ---- the frame ---- */

static void begin(struct picture *picture)
{
    const struct tree_drawing *drawing = picture->drawing;
    open_element(picture, "svg");
    attribute(picture, "xmlns", "http://www.w3.org/2000/svg");
    attribute(picture, "class", "ulpscope-tree");
    attribute(picture, "role", "img");
    attribute(picture, "width", "%.0f", ceil(picture->width));
    attribute(picture, "height", "%.0f", ceil(picture->height));
    attribute(picture, "viewBox", "0 0 %.0f %.0f", ceil(picture->width), ceil(picture->height));
    attribute(picture, "color", "#1d2329");
    attribute(picture, "fill", "currentColor");
    attribute(picture, "font-size", "12");
    words(picture, "\n");
    element(picture, "title", drawing->title ? drawing->title : "The tree of a sum");
    open_element(picture, "desc");
    check(picture, xmlTextWriterWriteFormatString(
                       picture->writer,
                       "A binary tree. At the foot %llu elements, from left to right as they are joined; above, each "
                       "join over its two operands; at the top the sum, at height %llu.%s%s",
                       (unsigned long long)picture->tree->n, (unsigned long long)sum_tree_height(picture->tree),
                       drawing->heat_name ? " Colour: " : "", drawing->heat_name ? drawing->heat_name : ""));
    close_element(picture);
    element(picture, "style", STYLE);
    open_element(picture, "rect");
    attribute(picture, "class", "paper");
    attribute(picture, "width", "100%%");
    attribute(picture, "height", "100%%");
    attribute(picture, "fill", "#ffffff");
    close_element(picture);
    open_text(picture, MARGIN, MARGIN + 4, START, NULL);
    attribute(picture, "font-size", "14");
    attribute(picture, "font-weight", "600");
    words(picture, drawing->title ? drawing->title : "");
    close_element(picture);
}

static void draw_scale(struct picture *picture)
{
    const uint64_t heights = sum_tree_height(picture->tree), step = round_step(TICK_LEAST / picture->level);
    char number[TREE_LABEL_TEXT];
    open_element(picture, "g");
    attribute(picture, "class", "scale");
    attribute(picture, "opacity", "0.65");
    text_at(picture, MARGIN, HEAD - 14, START, "height");
    for (uint64_t height = 1; height <= heights; height = height == 1 && step > 1 ? step : height + step) {
        const double y = y_of_height(picture, (double)height);
        snprintf(number, sizeof number, "%llu", (unsigned long long)height);
        text_at(picture, MARGIN + 26, y + 4, END, number);
        open_element(picture, "path");
        attribute(picture, "d", "M%d,%.2f H%.2f", MARGIN + 32, y, picture->width - MARGIN);
        attribute(picture, "stroke", "currentColor");
        attribute(picture, "stroke-opacity", "0.18");
        close_element(picture);
    }
    close_element(picture);
}

static void draw_legend(struct picture *picture)
{
    const double y = picture->height - MARGIN - 8;
    open_element(picture, "g");
    attribute(picture, "class", "legend");
    for (int step = 0; step <= TREE_HEAT_STEPS; step++) {
        open_element(picture, "rect");
        attribute(picture, "class", "heat-%d", step);
        attribute(picture, "color", "%s", step == 0 ? "currentColor" : HEAT[step]);
        attribute(picture, "x", "%d", MARGIN + SWATCH + step * SWATCH);
        attribute(picture, "y", "%.2f", step == 0 ? y + 5 : y);
        attribute(picture, "width", "%d", SWATCH);
        attribute(picture, "height", "%d", step == 0 ? 1 : 11);
        close_element(picture);
    }
    text_at(picture, MARGIN + SWATCH - 6, y + 10, END, "0");
    text_at(picture, MARGIN + SWATCH * (TREE_HEAT_STEPS + 2) + 6, y + 10, START,
            picture->drawing->heat_name ? picture->drawing->heat_name : "the most");
    close_element(picture);
}

/* ---- the tree ---- */

/* Of what is pointed at. */
static void say_label(struct picture *picture, uint32_t node)
{
    char own[TREE_LABEL_TEXT];
    const struct sum_tree_place *place = &picture->tree->place[node];
    const char *label = tree_label(picture->drawing, node, own);
    open_element(picture, "title");
    if (place->leaves > 1)
        check(picture,
              xmlTextWriterWriteFormatString(picture->writer, "height %u, %u elements", place->height, place->leaves));
    if (place->leaves == 1 || label != own)
        check(picture, xmlTextWriterWriteFormatString(picture->writer, "%s%s", place->leaves > 1 ? "\n" : "", label));
    close_element(picture);
}

static void draw_dot(struct picture *picture, uint32_t node, double radius)
{
    open_element(picture, "circle");
    attribute(picture, "cx", "%.2f", picture->x[node]);
    attribute(picture, "cy", "%.2f", y_of(picture, node));
    attribute(picture, "r", "%.2f", radius);
    close_element(picture);
}

static void open_node(struct picture *picture, uint32_t node, const char *class)
{
    const int step = tree_heat_step(picture->drawing, node);
    open_element(picture, "g");
    attribute(picture, "class", "%s heat-%d", class, step);
    if (step > 0)
        attribute(picture, "color", "%s", HEAT[step]);
    attribute(picture, "fill", "currentColor");
    say_label(picture, node);
}

static void draw_join(struct picture *picture, uint32_t k)
{
    const struct tape_node *node = &picture->tree->joined[k - 1];
    const double thin = picture->level < 8 || picture->leaf_step < 8 ? 0.5 : 1;
    const int step = tree_heat_step(picture->drawing, k);
    char own[TREE_LABEL_TEXT];
    open_node(picture, k, "join");
    open_element(picture, "path");
    attribute(picture, "d", "M%.2f,%.2f V%.2f H%.2f V%.2f", picture->x[node->left], y_of(picture, node->left),
              y_of(picture, k), picture->x[node->right], y_of(picture, node->right));
    attribute(picture, "fill", "none");
    attribute(picture, "stroke", "currentColor");
    attribute(picture, "stroke-width", "%.2f", thin * (1.2 + 0.3 * step));
    if (picture->drawing->heat && step == 0)
        attribute(picture, "stroke-opacity", "0.5");
    close_element(picture);
    draw_dot(picture, k, thin * (2.4 + 0.5 * step));
    close_element(picture);
    if (picture->labelled)
        write_lines(picture, picture->x[k], y_of(picture, k) + LINE + 2, tree_label(picture->drawing, k, own));
}

/* One line: breaks are blanks. */
static void write_upright(struct picture *picture, double x, double y, const char *label)
{
    open_text(picture, x + 4, y, END, "mono");
    attribute(picture, "font-size", "%d", TEXT);
    attribute(picture, "transform", "rotate(-90 %.2f %.2f)", x + 4, y);
    for (size_t length; *label; label += length + (label[length] == '\n')) {
        length = strcspn(label, "\n");
        check(picture,
              xmlTextWriterWriteFormatString(picture->writer, "%.*s%s", (int)length, label, label[length] ? " " : ""));
    }
    close_element(picture);
}

static void draw_leaf(struct picture *picture, uint32_t k, bool named)
{
    char own[TREE_LABEL_TEXT];
    const char *label = tree_label(picture->drawing, k, own);
    const double y = y_of(picture, k);
    const int step = tree_heat_step(picture->drawing, k);
    open_node(picture, k, "leaf");
    draw_dot(picture, k, picture->leaf_step < 8 ? 0.8 : 2 + 0.5 * step);
    close_element(picture);
    if (!named)
        return;
    if (picture->upright)
        write_upright(picture, picture->x[k], y + BELOW_LEAF, label);
    else
        write_lines(picture, picture->x[k], y + LINE + 4, label);
}

/* The sum stands on the root. */
static void draw_root(struct picture *picture)
{
    const uint32_t root = (uint32_t)picture->tree->count;
    const double x = picture->x[root], y = y_of(picture, root);
    open_element(picture, "path");
    attribute(picture, "d", "M%.2f,%.2f V%.2f", x, y, y - 12);
    attribute(picture, "stroke", "currentColor");
    attribute(picture, "stroke-width", "1.2");
    close_element(picture);
    text_at(picture, x, y - 16, MIDDLE, "sum");
}

static enum status draw_tree(struct picture *picture)
{
    const struct sum_tree *tree = picture->tree;
    uint32_t *first = tree_first_leaves(tree);
    if (!first)
        return out_of_memory("the picture of a tree");
    for (uint32_t k = 1; k <= tree->count; k++)
        if (sum_tree_is_leaf(tree, k))
            draw_leaf(picture, k, first[k] % picture->named == 0);
        else
            draw_join(picture, k);
    free(first);
    if (tree->count > 0)
        draw_root(picture);
    else
        text_at(picture, picture->width / 2, picture->foot, MIDDLE, "no elements: the sum is 0");
    return OK;
}

static enum status draw(struct picture *picture)
{
    begin(picture);
    draw_scale(picture);
    TRY(draw_tree(picture));
    if (picture->drawing->heat)
        draw_legend(picture);
    close_element(picture);
    check(picture, xmlTextWriterFlush(picture->writer));
    return picture->failed ? out_of_memory("the picture of a tree") : OK;
}

enum status tree_draw_svg(const struct tree_drawing *drawing, FILE *to)
{
    enum status status = OK;
    struct picture picture = {.drawing = drawing, .tree = drawing->tree};
    TRY(tree_fits("SVG", drawing->tree->n, TREE_SVG_MOST_N));
    xmlBufferPtr buffer = xmlBufferCreate();
    picture.writer = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    if (!picture.writer)
        TRY_DONE(out_of_memory("the picture of a tree"));
    lay_out(&picture);
    TRY_DONE(place_nodes(&picture));
    TRY_DONE(draw(&picture));
    fwrite(xmlBufferContent(buffer), 1, (size_t)xmlBufferLength(buffer), to);
done:
    if (picture.writer)
        xmlFreeTextWriter(picture.writer);
    xmlBufferFree(buffer);
    free(picture.x);
    return status;
}
