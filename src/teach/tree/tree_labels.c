#include "tree_labels.h"

#include "src/base/number.h"
#include "src/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What stands beside a node, a column each. */
enum { LABEL_COLUMNS = 3, LABEL_TEXT = 2 * NUMBER_TEXT };
struct cells {
    char text[LABEL_COLUMNS][LABEL_TEXT];
};

static const char *const join_heads[LABEL_COLUMNS] = {"makes", "local error", "bits lost"};

static void write_bits(const struct bits_lost lost, char text[LABEL_TEXT])
{
    if (!lost.known)
        strcpy(text, "-");
    else if (lost.bits == 0)
        strcpy(text, "0");
    else
        snprintf(text, LABEL_TEXT, "%d%s", lost.bits, lost.all ? ", all" : "");
}

static struct cells cells_of(const struct additions *of, uint32_t node)
{
    struct cells cells = {0};
    const struct tape_node *joined = &of->tree.joined[node - 1];
    if (joined->left == 0) {
        snprintf(cells.text[0], LABEL_TEXT, "%c%llu", of->tree.letter, (unsigned long long)joined->leaf);
        write_hex(of->value[node], cells.text[1]);
        if (of->error[node] != 0)
            snprintf(cells.text[2], LABEL_TEXT, "error %s", hex_text(of->error[node]));
        return cells;
    }
    write_hex(of->value[node], cells.text[0]);
    if (of->error[node] == 0)
        strcpy(cells.text[1], "exact");
    else
        write_hex(of->error[node], cells.text[1]);
    write_bits(bits_lost_in(of, node), cells.text[2]);
    return cells;
}

/* ---- bits lost ---- */

/* The exponent of the last bit that is 1. */
static int last_bit(double value)
{
    int exponent = 0;
    for (double rest = fabs(value); rest != 0; rest -= ldexp(1, exponent)) /* exact: the leading bit goes */
        exponent = ilogb(rest);
    return exponent;
}

/* Of the exact sum, which is below a power of two when it was rounded up to that. */
static int last_place(double made, double error, const struct format *format)
{
    const bool rounded_up_to_power = fabs(made) == ldexp(1, ilogb(made)) && (made > 0) == (error > 0);
    const int place = ilogb(made) - rounded_up_to_power - (format->precision - 1);
    return place > format->least_exponent ? place : format->least_exponent;
}

struct bits_lost bits_lost_in(const struct additions *of, uint32_t node)
{
    const struct format *format = of->method->accumulator_traits->state;
    const struct tape_node *joined = &of->tree.joined[node - 1];
    const double error = of->error[node];
    if (!format || joined->left == 0 || !isfinite(error))
        return (struct bits_lost){.known = false};
    if (error == 0)
        return (struct bits_lost){.known = true};
    const int place = last_place(of->value[node], error, format);
    const double smaller = fmin(fabs(of->value[joined->left]), fabs(of->value[joined->right]));
    return (struct bits_lost){.known = true, .bits = place - last_bit(error), .all = smaller < ldexp(1, place)};
}

/* ---- in columns ---- */

struct widths {
    int of[2][LABEL_COLUMNS]; /* of leaves, of joins */
};

static struct widths measure(const struct additions *of)
{
    struct widths widths = {{{0}}};
    for (int column = 0; column < LABEL_COLUMNS; column++)
        widths.of[1][column] = (int)strlen(join_heads[column]);
    for (uint32_t k = 1; k <= of->tree.count; k++) {
        const struct cells cells = cells_of(of, k);
        int *const width = widths.of[!sum_tree_is_leaf(&of->tree, k)];
        for (int column = 0; column < LABEL_COLUMNS; column++)
            if ((int)strlen(cells.text[column]) > width[column])
                width[column] = (int)strlen(cells.text[column]);
    }
    return widths;
}

static char *in_columns(const char *first, const char *second, const char *third, const int width[LABEL_COLUMNS])
{
    return *third ? text_made("%-*s  %-*s  %s", width[0], first, width[1], second, third)
                  : text_made("%-*s  %s", width[0], first, second);
}

/* ---- stacked ---- */

static char *stacked(const struct cells *cells, bool leaf)
{
    const char *sign = leaf || strcmp(cells->text[1], "exact") == 0 ? "" : "error ";
    return text_made("%s\n%s%s", cells->text[0], sign, cells->text[1]);
}

/* ---- all of it ---- */

/* No error, no colours. */
static enum status add_heat(const struct additions *of, struct tree_labels *labels)
{
    const double largest = additions_largest_error(of);
    if (largest == 0)
        return OK;
    labels->heat = calloc(labels->count + 1, sizeof *labels->heat);
    if (!labels->heat)
        return out_of_memory("the labels of a tree");
    for (uint32_t k = 1; k <= labels->count; k++)
        labels->heat[k] = fabs(of->error[k]) / largest;
    labels->heat_name = text_made("|local error|, at most %s", hex_text(largest));
    return OK;
}

enum status tree_labels_make(const struct additions *of, enum tree_labels_style style, struct tree_labels *labels)
{
    enum status status = OK;
    const struct widths widths = measure(of);
    *labels = (struct tree_labels){.count = of->tree.count};
    labels->list = calloc(labels->count + 1, sizeof *labels->list);
    labels->name = in_columns(join_heads[0], join_heads[1], join_heads[2], widths.of[1]);
    if (!labels->list)
        TRY_DONE(out_of_memory("the labels of a tree"));
    for (uint32_t k = 1; k <= labels->count; k++) {
        const struct cells cells = cells_of(of, k);
        const bool leaf = sum_tree_is_leaf(&of->tree, k);
        labels->list[k] = style == TREE_LABELS_STACKED
                              ? stacked(&cells, leaf)
                              : in_columns(cells.text[0], cells.text[1], cells.text[2], widths.of[!leaf]);
    }
    status = add_heat(of, labels);
done:
    if (status != OK)
        tree_labels_free(labels);
    return status;
}

void tree_labels_free(struct tree_labels *labels)
{
    for (uint64_t k = 0; labels->list && k <= labels->count; k++)
        free(labels->list[k]);
    free_all(labels->list, labels->heat, labels->name, labels->heat_name);
    *labels = (struct tree_labels){0};
}

struct tree_drawing tree_labels_drawing(const struct tree_labels *labels, const struct sum_tree *tree,
                                        const char *title)
{
    return (struct tree_drawing){.tree = tree,
                                 .title = title,
                                 .labels = (const char *const *)labels->list,
                                 .labels_name = labels->name,
                                 .heat = labels->heat,
                                 .heat_name = labels->heat_name};
}
