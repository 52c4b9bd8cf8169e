/* Drawings of trees: small ones as they are, and of every order one that is read back: it has each join once, and no
 * other. */
#include "src/teach/tree/tree_drawing.h"

#include "tests/support/methods.h"

#include "tests/support/heard.h"
#include "tests/support/svg.h"

typedef enum status drawer(const struct tree_drawing *drawing, FILE *to);

static struct sum_tree make_tree(const char *order, uint64_t n, struct launch launch)
{
    struct sum_tree tree;
    const struct tree_request request = {"test", find("plain", order), n, launch};
    assert_int_equal(sum_tree_make(&request, &tree), OK);
    return tree;
}

/* The text, which the caller frees. */
static char *drawn(drawer *draw, const struct tree_drawing *drawing)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    assert_int_equal(draw(drawing, to), OK);
    assert_int_equal(fclose(to), 0);
    return text;
}

/* ---- small ones ---- */

static void assert_lines(const char *order, uint64_t n, struct launch launch, const char *expected)
{
    struct sum_tree tree = make_tree(order, n, launch);
    char *lines = drawn(tree_draw_lines, &(struct tree_drawing){.tree = &tree});
    assert_string_equal(lines, expected);
    free(lines);
    sum_tree_free(&tree);
}

static void a_chain_takes_one_column(void **state)
{
    (void)state;
    assert_lines("serial", 4, one_warp,
                 "           height\n"
                 "x0 --.\n"
                 "x1 --+     2\n"
                 "x2 --+     3\n"
                 "x3 --+===  4\n");
}

static void a_balanced_tree_takes_its_logarithm(void **state)
{
    (void)state;
    assert_lines("tree_two_pass", 5, (struct launch){1, 2},
                 "               height\n"
                 "x0 --.\n"
                 "x2 --+         2\n"
                 "x4 --+---.     3\n"
                 "x1 --.   |\n"
                 "x3 --+   |     2\n"
                 "     '---+===  4\n");
}

static void none_and_one_can_be_drawn(void **state)
{
    (void)state;
    assert_lines("serial", 0, one_warp, "no elements: the sum is 0\n");
    assert_lines("serial", 1, one_warp, "x0 ===\n");
    for (uint64_t n = 0; n < 2; n++) {
        struct sum_tree tree = make_tree("serial", n, one_warp);
        free(drawn(tree_draw_svg, &(struct tree_drawing){.tree = &tree}));
        sum_tree_free(&tree);
    }
}

static void labels_and_heat_stand_beside_the_lines(void **state)
{
    (void)state;
    struct sum_tree tree = make_tree("serial", 3, one_warp);
    const char *const labels[] = {NULL, "x0 = 1", "x1 = 2", "3\nexact", NULL, "some"};
    const double heat[] = {0, 0, 0, 0.01, 0, 1};
    const struct tree_drawing drawing = {&tree, "a title", labels, "what", heat, "|error|"};
    assert_int_equal(tree.joined[3 - 1].left, 1);
    char *lines = drawn(tree_draw_lines, &drawing);
    assert_string_equal(lines, "a title\n"
                               "\n"
                               "                        what\n"
                               "x0 = 1 --.\n"
                               "x1 = 2 --+     #        3  exact\n"
                               "x2     --+===  #######  some\n"
                               "\n"
                               "#  |error|\n");
    free(lines);
    sum_tree_free(&tree);
}

/* ---- read back: a drawing says who is left and who is right of each join ---- */

enum { MOST_NODES = 2 * TREE_SVG_MOST_N };

/* Nodes in any order; a leaf has no left. */
struct read_tree {
    struct read_node {
        int left, right; /* indices into nodes; -1: a leaf */
        uint64_t element;
    } nodes[MOST_NODES];
    int count;
};

static int read_leaf(struct read_tree *read, uint64_t element)
{
    assert_true(read->count < MOST_NODES);
    read->nodes[read->count] = (struct read_node){-1, -1, element};
    return read->count++;
}

static int read_join(struct read_tree *read, int left, int right)
{
    assert_true(read->count < MOST_NODES && left >= 0 && right >= 0);
    read->nodes[read->count] = (struct read_node){left, right, 0};
    return read->count++;
}

/* Whether what was read below `at` is what is below node k; no deeper than the trees here are high. */
static bool is_tree(const struct read_tree *read, int at, const struct sum_tree *tree, uint32_t k)
{
    const struct tape_node *node = &tree->joined[k - 1];
    const struct read_node *found = &read->nodes[at];
    if (node->left == 0)
        return found->left < 0 && found->element == (uint64_t)node->leaf;
    return found->left >= 0 && is_tree(read, found->left, tree, node->left) &&
           is_tree(read, found->right, tree, node->right);
}

/* A wire is followed from the left: '.' begins a vertical line with what comes, '+' joins what comes to it, '\'' takes
 * what the vertical line above has come to. */
static void read_lines(char *text, struct read_tree *read, int *root)
{
    enum { COLUMNS = 1024 };
    int line_of[COLUMNS];
    char *rest = strchr(text, '\n') + 1; /* behind the head */
    read->count = 0;
    for (char *row; (row = strsep(&rest, "\n")) && *row;) {
        int now = *row == 'x' ? read_leaf(read, strtoull(row + 1, NULL, 10)) : -1;
        for (size_t c = 0; row[c] && row[c] != '='; c++) {
            assert_true(c < COLUMNS);
            if (row[c] == '\'')
                now = line_of[c];
            else if (row[c] == '+')
                now = line_of[c] = read_join(read, line_of[c], now);
            else if (row[c] == '.')
                line_of[c] = now;
        }
        *root = now;
    }
}

static void lines_are_the_tree(const struct sum_tree *tree)
{
    static struct read_tree read;
    int root = -1;
    char *lines = drawn(tree_draw_lines, &(struct tree_drawing){.tree = tree});
    read_lines(lines, &read, &root);
    assert_int_equal(read.count, tree->count);
    if (!is_tree(&read, root, tree, (uint32_t)tree->count))
        fail_msg("another tree: %s", lines);
    free(lines);
}

/* ---- the picture ---- */

struct dots {
    double x, y;
};

static const char *value_of(xmlNodePtr node, const char *name)
{
    static xmlChar *values[4];
    static int next;
    next = (next + 1) % 4;
    xmlFree(values[next]);
    values[next] = node ? xmlGetProp(node, BAD_CAST name) : NULL;
    return values[next] ? (const char *)values[next] : "";
}

static xmlNodePtr child(xmlNodePtr node, const char *name)
{
    for (xmlNodePtr at = node->children; at; at = at->next)
        if (xmlStrEqual(at->name, BAD_CAST name))
            return at;
    return NULL;
}

static int dot_at(const struct dots *dots, int count, double x, double y)
{
    int found = -1;
    for (int i = 0; i < count; i++)
        if (dots[i].x == x && dots[i].y == y) {
            assert_int_equal(found, -1);
            found = i;
        }
    return found;
}

/* Each node is a group with a dot; the bracket of a join ends at the dots of its operands. */
static void read_group(xmlNodePtr group, struct read_tree *read, struct dots *dots)
{
    const xmlNodePtr circle = child(group, "circle"), path = child(group, "path");
    xmlChar *title = xmlNodeGetContent(child(group, "title"));
    const double x = atof(value_of(circle, "cx")), y = atof(value_of(circle, "cy"));
    if (strncmp(value_of(group, "class"), "leaf", 4) == 0) {
        assert_true(*title == 'x' && !path);
        dots[read_leaf(read, strtoull((char *)title + 1, NULL, 10))] = (struct dots){x, y};
    } else {
        double from_x, from_y, over_y, to_x, to_y;
        assert_int_equal(sscanf(value_of(path, "d"), "M%lf,%lfV%lfH%lfV%lf", &from_x, &from_y, &over_y, &to_x, &to_y),
                         5);
        assert_true(from_x < x && x < to_x && over_y == y && y < from_y && y < to_y);
        const int left = dot_at(dots, read->count, from_x, from_y), right = dot_at(dots, read->count, to_x, to_y);
        dots[read_join(read, left, right)] = (struct dots){x, y};
    }
    xmlFree(title);
}

static void svg_is_the_tree(const struct sum_tree *tree)
{
    static struct read_tree read;
    static struct dots dots[MOST_NODES];
    char *svg = drawn(tree_draw_svg, &(struct tree_drawing){.tree = tree});
    xmlDocPtr document = xmlReadMemory(svg, (int)strlen(svg), "tree.svg", NULL, XML_PARSE_NONET);
    assert_non_null(document);
    read.count = 0;
    for (xmlNodePtr at = xmlDocGetRootElement(document)->children; at; at = at->next) {
        const char *class = xmlStrEqual(at->name, BAD_CAST "g") ? value_of(at, "class") : "";
        if (strncmp(class, "leaf", 4) == 0 || strncmp(class, "join", 4) == 0)
            read_group(at, &read, dots);
    }
    assert_int_equal(read.count, tree->count);
    assert_true(is_tree(&read, read.count - 1, tree, (uint32_t)tree->count));
    xmlFreeDoc(document);
    free(svg);
}

/* ---- every order ---- */

/* Each launch that an order can do, and each n of those in turn. */
static void for_each_tree(const uint64_t *sizes, size_t count, void (*hold)(const struct sum_tree *tree))
{
    size_t methods, orders = 0, trees = 0;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++) {
        if (strcmp(table[m]->accumulator, "plain") != 0)
            continue;
        orders++;
        for (size_t l = 0; l < LAUNCHES; l++)
            for (size_t i = 0; can_do(table[m], launches[l]) && i < count; i++) {
                struct sum_tree tree = make_tree(table[m]->order, sizes[i], launches[l]);
                hold(&tree);
                sum_tree_free(&tree);
                trees++;
            }
    }
    assert_true(trees > 2 * orders * count);
}

static void lines_have_every_join_once(void **state)
{
    (void)state;
    for_each_tree((const uint64_t[]){2, 3, 7, 37, TREE_LINES_MOST_N}, 5, lines_are_the_tree);
}

static void svg_has_every_join_once(void **state)
{
    (void)state;
    for_each_tree((const uint64_t[]){1, 2, 37}, 3, svg_is_the_tree);
    struct sum_tree tree = make_tree("tree_two_pass", TREE_SVG_MOST_N, (struct launch){3, 64});
    svg_is_the_tree(&tree);
    sum_tree_free(&tree);
}

/* A tree of no order: x0 + (x1 + (x2 + ...)), which leans to the right, and takes a column a join. */
static void a_tree_that_leans_to_the_right_is_drawn(void **state)
{
    (void)state;
    enum { N = 20 };
    struct tape_node nodes[2 * N - 1];
    struct sum_tree_place places[2 * N] = {{0}};
    uint32_t leaves[N];
    for (uint32_t i = 0; i < N; i++) {
        nodes[i] = (struct tape_node){.leaf = i};
        places[i + 1] = (struct sum_tree_place){.leaves = 1, .height = 1};
        leaves[i] = i + 1;
    }
    for (uint32_t j = 0; j + 1 < N; j++) {
        nodes[N + j] = (struct tape_node){.left = N - 1 - j, .right = N + j};
        places[N + j + 1] = (struct sum_tree_place){.leaves = j + 2, .height = j + 2};
    }
    const struct sum_tree tree = {N, 2 * N - 1, nodes, places, leaves, 'x'};
    lines_are_the_tree(&tree);
    svg_is_the_tree(&tree);
}

/* The twin of both readers: what they read of one tree is not another one. */
static void readers_tell_two_orders_apart(void **state)
{
    (void)state;
    static struct read_tree read;
    int root = -1;
    struct sum_tree serial = make_tree("serial", 9, one_warp),
                    strided = make_tree("tree_two_pass", 9, (struct launch){1, 2});
    char *lines = drawn(tree_draw_lines, &(struct tree_drawing){.tree = &serial});
    read_lines(lines, &read, &root);
    assert_true(is_tree(&read, root, &serial, (uint32_t)serial.count));
    assert_false(is_tree(&read, root, &strided, (uint32_t)strided.count));
    free(lines);
    sum_tree_free(&serial);
    sum_tree_free(&strided);
}

/* ---- colours, names, bytes ---- */

static void below_the_names_of_leaves_is_no_empty_band(void **state)
{
    (void)state;
    struct sum_tree tree = make_tree("serial", 4, one_warp);
    char *svg = drawn(tree_draw_svg, &(struct tree_drawing){.tree = &tree});
    assert_true(svg_number(svg, "count(//s:text[. = 'x0'][@y < /s:svg/@height - 10][@y > /s:svg/@height - 30])") == 1);
    assert_true(svg_number(svg, "count(//s:text[. = 'sum'][@y > /s:svg/@height - 30])") == 0); /* the twin */
    free(svg);
    sum_tree_free(&tree);
}

static void heat_colours_the_joins_that_lose(void **state)
{
    (void)state;
    struct sum_tree tree = make_tree("serial", 4, one_warp);
    double heat[8] = {0};
    heat[5] = 0.5;
    heat[7] = NAN;
    char *svg = drawn(tree_draw_svg, &(struct tree_drawing){.tree = &tree, .heat = heat, .heat_name = "what is lost"});
    assert_true(svg_number(svg, "count(//s:g[@class='join heat-7'])") == 1);
    assert_true(svg_number(svg, "count(//s:g[@class='join heat-4'])") == 1);
    assert_true(svg_number(svg, "count(//s:g[@class='join axis'])") == 1);
    assert_true(svg_number(svg, "count(//s:text[. = 'what is lost'])") == 1);
    assert_true(svg_number(svg, "count(//s:path[starts-with(@class, 'legend ')])") == 8);
    free(svg);
    svg = drawn(tree_draw_svg, &(struct tree_drawing){.tree = &tree}); /* the twin */
    assert_true(svg_number(svg, "count(//s:g[@class='join ink'])") == 3);
    assert_true(svg_number(svg, "count(//s:path[starts-with(@class, 'legend ')])") == 0);
    free(svg);
    sum_tree_free(&tree);
}

static void svg_tells_what_it_is_and_needs_nothing_else(void **state)
{
    (void)state;
    struct sum_tree tree = make_tree("pairwise", 37, one_warp);
    char *svg = drawn(tree_draw_svg, &(struct tree_drawing){.tree = &tree, .title = "a <b> & c"});
    assert_true(svg_number(svg, "count(/s:svg/s:title[. = 'a <b> & c'])") == 1);
    assert_true(svg_number(svg, "count(/s:svg/s:desc[contains(., '37 elements')])") == 1);
    assert_true(svg_number(svg, "count(/s:svg[@viewBox][@role='img'])") == 1);
    assert_true(svg_number(svg, "count(/s:svg/s:text[starts-with(., 'x')])") == 37); /* each leaf has its name */
    assert_true(svg_number(svg, "count(//@href | //s:image | //s:use | //s:script)") == 0);
    assert_non_null(strstr(svg, "prefers-color-scheme: dark"));
    free(svg);
    sum_tree_free(&tree);
}

static void the_same_tree_gives_the_same_bytes(void **state)
{
    (void)state;
    struct sum_tree tree = make_tree("tree_two_pass", 100, (struct launch){3, 64});
    drawer *const drawers[] = {tree_draw_lines, tree_draw_svg};
    for (size_t i = 0; i < COUNT_OF(drawers); i++) {
        char *first = drawn(drawers[i], &(struct tree_drawing){.tree = &tree});
        char *second = drawn(drawers[i], &(struct tree_drawing){.tree = &tree});
        assert_string_equal(first, second);
        free(first);
        free(second);
    }
    sum_tree_free(&tree);
}

/* ---- too large ---- */

static void beyond_its_limit_a_drawing_names_the_limit_and_the_summary(void **state)
{
    (void)state;
    static const struct {
        drawer *draw;
        uint64_t most;
        const char *says;
    } rows[] = {{tree_draw_lines, TREE_LINES_MOST_N, "at most 128"}, {tree_draw_svg, TREE_SVG_MOST_N, "at most 512"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct sum_tree fits = make_tree("pairwise", rows[i].most, one_warp);
        struct sum_tree tree = make_tree("pairwise", rows[i].most + 1, one_warp);
        free(drawn(rows[i].draw, &(struct tree_drawing){.tree = &fits}));
        struct heard heard = listen_to_stderr();
        const enum status status = rows[i].draw(&(struct tree_drawing){.tree = &tree}, stdout);
        heard_all(&heard);
        assert_int_equal(status, BAD_INPUT);
        assert_non_null(strstr(heard.text, rows[i].says));
        assert_non_null(strstr(heard.text, "--summary"));
        sum_tree_free(&fits);
        sum_tree_free(&tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_takes_one_column),
        cmocka_unit_test(a_balanced_tree_takes_its_logarithm),
        cmocka_unit_test(none_and_one_can_be_drawn),
        cmocka_unit_test(labels_and_heat_stand_beside_the_lines),
        cmocka_unit_test(lines_have_every_join_once),
        cmocka_unit_test(svg_has_every_join_once),
        cmocka_unit_test(below_the_names_of_leaves_is_no_empty_band),
        cmocka_unit_test(a_tree_that_leans_to_the_right_is_drawn),
        cmocka_unit_test(readers_tell_two_orders_apart),
        cmocka_unit_test(heat_colours_the_joins_that_lose),
        cmocka_unit_test(svg_tells_what_it_is_and_needs_nothing_else),
        cmocka_unit_test(the_same_tree_gives_the_same_bytes),
        cmocka_unit_test(beyond_its_limit_a_drawing_names_the_limit_and_the_summary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
