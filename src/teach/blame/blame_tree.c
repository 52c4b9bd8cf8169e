/* The tree of a small sum, drawn as `tree --data` does: each addition as hot as what it lost. */
#include "blame.h"

#include "src/teach/tree/tree_labels.h"

static enum status draw(const struct blame *blame, FILE *lines, const char *svg)
{
    const struct additions *of = &blame->additions;
    FREED_BY(tree_labels_free) struct tree_labels labels = {0};
    OWNED char *title = tree_request_words(&(struct tree_request){NULL, of->method, of->tree.n, of->launch});
    TRY(tree_labels_make(of, lines ? TREE_LABELS_IN_COLUMNS : TREE_LABELS_STACKED, &labels));
    const struct tree_drawing drawing = tree_labels_drawing(&labels, &of->tree, title);
    return lines ? tree_draw_lines(&drawing, lines) : tree_draw_file(&drawing, tree_draw_svg, svg);
}

enum status blame_draw_lines(const struct blame *blame, FILE *to)
{
    return draw(blame, to, NULL);
}

enum status blame_write_svg(const struct blame *blame, const char *path)
{
    return draw(blame, NULL, path);
}
