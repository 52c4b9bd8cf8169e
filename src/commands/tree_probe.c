#include "tree_probe.h"
#include "datasets/probe/product_box.h"
#include "datasets/probe/revealed.h"
#include "src/files/output.h"
#include "src/measure/measure.h"
#include "src/teach/tree/tree_drawing.h"
#include "src/teach/tree/tree_likeness.h"

enum { TITLE_SIZE = 256, SIDES_SHOWN = 8, SIDE_ON_DEVICE = 64 };

struct probing {
    const struct tree_probe_wish *wish;
    struct device *device; /* NULL: the host */
    struct probe probe;
    struct product_box product; /* of a matrix product on a GPU */
    char title[TITLE_SIZE];
};

static bool is_product(const struct probing *probing)
{
    return operation_table[probing->wish->method->operation].of == MATRICES;
}

/* ---- the black box ---- */

static enum status element_on_device(void *context, const void *x, uint64_t n, double *result)
{
    const struct probing *probing = context;
    const struct product_box *product = &probing->product;
    const struct method *method = probing->wish->method;
    (void)n;
    product_box_set(product, x);
    TRY(device_upload(probing->device, product->operands.format, product->a, SIDE_ON_DEVICE * probing->wish->n));
    TRY(device_upload_second(probing->device, product->operands.format, product->b, SIDE_ON_DEVICE * probing->wish->n));
    TRY(device_run(probing->device, method, product->operands.shape, probing->wish->launch, product->bits));
    *result = format_value(method->format, product->bits[0]);
    return OK;
}

static enum status sum_on_device(void *context, const void *x, uint64_t n, double *result)
{
    const struct probing *probing = context;
    const struct method *method = probing->wish->method;
    uint64_t bits;
    TRY(device_upload(probing->device, method->sum_format->stored, x, n));
    TRY(device_run(probing->device, method, shape_of_one(n), probing->wish->launch, &bits));
    *result = format_value(method->format, bits);
    return OK;
}

static enum status reveal_on_device(struct probing *probing)
{
    const struct tree_probe_wish *wish = probing->wish;
    enum status status =
        is_product(probing) ? product_box_start(wish->method, wish->n, SIDE_ON_DEVICE, &probing->product) : OK;
    const struct black_box box = {.name = wish->method->id,
                                  .sum = is_product(probing) ? element_on_device : sum_on_device,
                                  .context = probing,
                                  .most_sums = PROBE_MOST_ADDITIONS / (wish->n + 1),
                                  .in = is_product(probing) ? &probing->product.asked : wish->method->sum_format};
    device_lock(probing->device);
    if (status == OK)
        status = probe_reveal(&box, wish->n, &probing->probe);
    device_unlock(probing->device);
    product_box_end(&probing->product);
    return status;
}

static enum status reveal(struct probing *probing)
{
    const struct tree_probe_wish *wish = probing->wish;
    return probing->device ? reveal_on_device(probing)
                           : probe_method(&(struct tree_request){"tree --probe", wish->method, wish->n, wish->launch},
                                          &probing->probe);
}

/* ---- what can be probed ---- */

static enum status check_drawings(const struct tree_probe_wish *wish)
{
    if (!wish->svg)
        return wish->summary ? OK : tree_fits("lines", wish->n, TREE_LINES_MOST_N);
    TRY(tree_fits("SVG", wish->n, TREE_SVG_MOST_N));
    if (!output_is_stdout(wish->svg))
        return output_check("--svg", wish->svg);
    return bad_input("tree --probe: --svg -: standard output has what is said of the tree; expected a file; name one");
}

static enum status check_method(const struct tree_probe_wish *wish)
{
    if (wish->method->role == SUMS)
        return OK;
    return bad_input("tree --probe: %s %s; expected a method that adds floating-point numbers; take plain/%s",
                     wish->method->id,
                     method_adds(wish->method) ? "adds integers, which have none of the roundings that a probe sees"
                                               : "does not add up its data, it tells something about the tree",
                     wish->method->order);
}

static enum status check_place(const struct probing *probing, const char *why_host)
{
    char why[REASON_SIZE];
    const struct tree_probe_wish *wish = probing->wish;
    if (wish->method->ask)
        return OK;
    if (!wish->method->replay && !probing->device)
        return no_device(
            "tree --probe: %s is a black box, which only a GPU can run%s%s; give --device cuda:0 where there is one",
            wish->method->id, *why_host ? ": " : "", why_host);
    if (measure_lacks_device(wish->method, probing->device, why))
        return no_device("tree --probe: %s: %s; give --device host for its replay", wish->method->id, why);
    if (measure_can_do(wish->method, wish->launch, probing->device, why))
        return OK;
    return bad_input("tree --probe: %s refuses %u blocks of %u threads: %s; choose others with --blocks and --threads",
                     wish->method->id, wish->launch.blocks, wish->launch.threads, why);
}

/* ---- what was seen ---- */

static const char *const order_words[] = {
    [PROBE_FUSED] = "additions of more than two at a time, in [brackets]; how they round is not known",
    [PROBE_NO_ORDER] =
        "none is to be seen: all elements are added at a time, and may change places.  So it is with a sum\n"
        "              whose parts are aligned to the largest number, as reproducible sums are, and with one that "
        "sorts",
};

static void print_arithmetic(const struct probing *probing)
{
    const struct probe *probe = &probing->probe;
    const struct sum_format *in = probing->wish->method->sum_format;
    if (probe->order != PROBE_ORDERED)
        printf("arithmetic    %s\n", order_words[probe->order]);
    else if (strcmp(probe->added->name, in->result->name) == 0)
        printf("arithmetic    %s: sums of other numbers have the bits of this tree, every addition rounded\n",
               probe->added->name);
    else if (probe->added->precision > in->result->precision)
        printf("arithmetic    %s, rounded once at the end: sums of other numbers have the bits of this tree\n",
               probe->added->name);
    else
        printf("arithmetic    %s, though the result is %s: sums of other numbers have the bits of this tree\n",
               probe->added->name, in->result->name);
}

static void print_asked(const struct probing *probing)
{
    const struct device_facts *device = device_facts(probing->device);
    const struct probe *probe = &probing->probe;
    if (!device && probing->wish->method->ask)
        puts("asked         its plug-in");
    else
        printf("asked         its %s on %s\n", device ? "kernel" : "replay", device ? device->name : "the host");
    printf("sums          %" PRIu64 " to build the tree, %" PRIu64 " to check it: %s%" PRIu64
           " pair%s, both signs; other numbers\n",
           probe->sums_to_build, probe->sums_to_check, probe->all_pairs && probe->pairs > 1 ? "all " : "", probe->pairs,
           probe->pairs == 1 ? "" : "s");
}

static void print_shape(const struct probe_tree *tree)
{
    uint64_t largest = 0, joins = tree->count - tree->n;
    for (uint64_t k = 1; k <= tree->count; k++)
        if (tree->nodes[k].children > largest)
            largest = tree->nodes[k].children;
    printf("additions     %" PRIu64 ", of %s%" PRIu64 "\n", joins, largest > 2 ? "up to " : "", largest);
    printf("height        %u\n", tree->nodes[tree->count].height);
}

/* "x4", or "16 from x1". */
static void print_side(const struct probe_node *side)
{
    if (side->leaves == 1)
        printf("x%u", side->smallest);
    else
        printf("%u from x%u", side->leaves, side->smallest);
}

/* All children but the first, which has x0; of many only their number. */
static void print_sides(const struct probe_tree *tree, const struct probe_node *node)
{
    enum { SIDES_NAMED = 4 };
    const uint32_t first = tree->nodes[node->first_child].next_sibling;
    if (node->children - 1 > SIDES_NAMED) {
        printf("%u at a time from x%u", node->children - 1, tree->nodes[first].smallest);
        return;
    }
    for (uint32_t side = first; side != 0; side = tree->nodes[side].next_sibling) {
        fputs(side != first ? " and " : "", stdout);
        print_side(&tree->nodes[side]);
    }
}

/* Who joins x0, one after the other: the first ones, then the last. */
static void print_path(const struct probe_tree *tree)
{
    uint64_t joins = 0, at = 0;
    for (uint32_t node = tree->leaf[0]; tree->nodes[node].parent != 0; node = tree->nodes[node].parent)
        joins++;
    printf("x0 meets      ");
    if (joins == 0)
        printf("nobody");
    for (uint32_t node = tree->nodes[tree->leaf[0]].parent; node != 0; node = tree->nodes[node].parent, at++) {
        if (at == SIDES_SHOWN / 2 && joins > SIDES_SHOWN)
            printf(", %" PRIu64 " other%s", joins - SIDES_SHOWN, joins - SIDES_SHOWN == 1 ? "" : "s");
        if (joins > SIDES_SHOWN && at >= SIDES_SHOWN / 2 && at < joins - SIDES_SHOWN / 2)
            continue;
        fputs(at > 0 ? ", " : "", stdout);
        print_sides(tree, &tree->nodes[node]);
    }
    puts("");
}

static void print_expression(const struct probe_tree *tree)
{
    struct text text = {0};
    probe_tree_write(tree, &text);
    OWNED char *written = text_take(&text);
    printf("order         %s\n", written);
}

/* ---- against the declared order ---- */

static enum status is_declared(const struct probing *probing, bool *same)
{
    const struct tree_probe_wish *wish = probing->wish;
    const struct tree_request request = {"tree --probe", wish->method, wish->n, wish->launch};
    FREED_BY(sum_tree_free) struct sum_tree declared = {0};
    FREED_BY(probe_tree_free) struct probe_tree tree = {0};
    TRY(sum_tree_make(&request, &declared));
    TRY(probe_tree_of_sum_tree(&declared, &tree));
    *same = probe_tree_same(&tree, &probing->probe.tree);
    return OK;
}

/* "same tree as  plain/pairwise", or what can be said of its shape. */
static enum status print_likeness(const struct probing *probing)
{
    const struct tree_probe_wish *wish = probing->wish;
    OWNED char *like = NULL, *shape = tree_shape(&probing->probe.tree);
    const enum status status =
        tree_like(&probing->probe.tree, wish->method->operation, wish->method->sum_format, wish->launch, &like);
    if (status == OK && like)
        printf("same tree as  %s\n", like);
    if (status == OK && shape)
        printf("shape         %s\n", shape);
    return status;
}

static enum status hold_to_declared(const struct probing *probing)
{
    const struct tree_probe_wish *wish = probing->wish;
    bool same;
    if (is_product(probing)) {
        OWNED char *shape = tree_shape(&probing->probe.tree);
        if (shape)
            printf("shape         %s\n", shape);
        return OK;
    }
    if (!wish->method->replay) {
        puts("declared      none: a black box");
        return print_likeness(probing);
    }
    TRY(is_declared(probing, &same));
    if (same)
        puts("declared      the same tree");
    else if (wish->method->determinism == ORDER_OF_ARRIVAL)
        puts("declared      another tree, of blocks that arrive in order; they may arrive in any");
    else {
        puts("declared      ANOTHER TREE");
        complain("%s: the order that its sums show is not the declared one; its kernel or its replay is wrong",
                 probing->title);
        return LIMIT_BROKEN;
    }
    return OK;
}

/* ---- drawings ---- */

static enum status draw_all(const struct probing *probing)
{
    const struct tree_probe_wish *wish = probing->wish;
    FREED_BY(sum_tree_free) struct sum_tree tree = {0};
    TRY(probe_tree_to_sum_tree(&probing->probe.tree, &tree));
    const struct tree_drawing drawing = {.tree = &tree, .title = probing->title};
    if (!wish->summary && wish->n <= TREE_LINES_MOST_N) {
        puts("");
        TRY(tree_draw_lines(&drawing, stdout));
    }
    if (wish->svg)
        TRY(tree_draw_file(&drawing, tree_draw_svg, wish->svg));
    return OK;
}

/* A picture knows nodes of two children alone. */
static enum status draw_if_binary(const struct probing *probing)
{
    const struct tree_probe_wish *wish = probing->wish;
    if (probe_tree_is_binary(&probing->probe.tree))
        return draw_all(probing);
    if (!wish->svg)
        return OK;
    return bad_input("tree --probe: %s adds more than two elements at a time, which no picture shows; its order stands "
                     "on stdout; leave --svg out",
                     probing->title);
}

static enum status print_all(const struct probing *probing)
{
    const struct probe *probe = &probing->probe;
    printf("%s, as its sums show it\n\n", probing->title);
    print_asked(probing);
    print_arithmetic(probing);
    print_shape(&probe->tree);
    print_path(&probe->tree);
    if (!probing->wish->summary && probing->wish->n <= TREE_LINES_MOST_N)
        print_expression(&probe->tree);
    const enum status declared = probe->order == PROBE_NO_ORDER ? OK : hold_to_declared(probing);
    TRY(draw_if_binary(probing));
    return declared;
}

static enum status probe_and_print(struct probing *probing)
{
    TRY(reveal(probing));
    const enum status status = print_all(probing);
    probe_free(&probing->probe);
    return status;
}

/* A black box chooses its launch itself. */
static void write_title(const struct tree_probe_wish *wish, char title[TITLE_SIZE])
{
    const int length = snprintf(title, TITLE_SIZE, "%s, n = %" PRIu64, wish->method->id, wish->n);
    if (wish->method->replay)
        snprintf(title + length, TITLE_SIZE - (size_t)length, ", %u x %u", wish->launch.blocks, wish->launch.threads);
}

enum status tree_probe(const struct config *config, const struct tree_probe_wish *wish)
{
    const char *source;
    char why[REASON_SIZE];
    struct probing probing = {.wish = wish};
    enum status status;
    write_title(wish, probing.title);
    TRY(check_method(wish));
    TRY(check_drawings(wish));
    if (wish->method->plugin && !plugin_takes(wish->method, wish->n))
        return bad_input("tree --probe: %s does not take %" PRIu64
                         " elements; expected one of the lengths that it lists; give such an n",
                         wish->method->id, wish->n);
    if (wish->method->ask)
        return probe_and_print(&probing);
    TRY(device_open(config_value(config, SETTING_DEVICE, &source), &probing.device, why));
    TRY_DONE(check_place(&probing, why));
    if (wish->method->replay && !device_has_kernel(wish->method)) {
        device_close(probing.device);
        probing.device = NULL;
    }
    status = probe_and_print(&probing);
done:
    device_close(probing.device);
    return status;
}
