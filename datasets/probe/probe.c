#include "probe.h"
#include "asker.h"
#include "src/base/base.h"

/* Two kinds of questions.
 *
 * Pairs: all of them up to 64 elements, 2,016 random ones beyond, each with both signs.  A box that answered what it
 * was asked before by chance, or by a tree that depends on where the large numbers are, answers these in another way.
 *
 * Other data: sums lost by cancellation, whose bits depend on every rounding on the way.  They must be those of the
 * tree, each rounded to one format.  This is what Kahan's sum from left to right is told apart by: its correction is
 * gone once 2^100 went by, so that the masks see no difference.  Of few elements there are more sets, since in each few
 * places are right for a difference.  Of additions of more than two at a time nobody knows
 * the rounding; but the order within one must not matter. */

enum {
    ALL_PAIRS_UP_TO = 64,
    RANDOM_PAIRS = ALL_PAIRS_UP_TO * (ALL_PAIRS_UP_TO - 1) / 2,
    FEW_ELEMENTS = 16,
    SETS_OF_FEW = 512,
    SETS = 64
};

/* ---- pairs ---- */

static enum status check_signs(struct asker *asker, struct mask mask, uint64_t expected)
{
    enum { WHAT_SIZE = 120 };
    char what[WHAT_SIZE];
    uint64_t leaves;
    TRY(ask(asker, mask, &leaves));
    if (leaves == expected)
        return OK;
    snprintf(what, sizeof what, "%llu ones are left, where the tree that other masks gave leaves %llu",
             (unsigned long long)(asker->n - leaves), (unsigned long long)(asker->n - expected));
    return ask_refuse(asker, mask, what, "its order depends on the data");
}

static enum status check_pair(struct asker *asker, struct probe *probe, uint64_t i, uint64_t j)
{
    const uint64_t leaves = probe->tree.nodes[probe_tree_meeting(&probe->tree, i, j)].leaves;
    probe->pairs++;
    TRY(check_signs(asker, (struct mask){i, j}, leaves));
    return check_signs(asker, (struct mask){j, i}, leaves);
}

static enum status check_all_pairs(struct asker *asker, struct probe *probe)
{
    for (uint64_t j = 1; j < asker->n; j++)
        for (uint64_t i = 0; i < j; i++)
            TRY(check_pair(asker, probe, i, j));
    return OK;
}

static enum status check_random_pairs(struct asker *asker, struct probe *probe)
{
    for (int pair = 0; pair < RANDOM_PAIRS; pair++) {
        const uint64_t i = ask_random_below(asker, asker->n);
        const uint64_t j = (i + 1 + ask_random_below(asker, asker->n - 1)) % asker->n;
        TRY(check_pair(asker, probe, i, j));
    }
    return OK;
}

/* ---- other data ---- */

/* What additions may be rounded to, the likely one first; and the first sum that is not that of the tree then. */
struct candidate {
    const struct format *added;
    bool is_refuted;
    double sum, of_tree;
};
enum { CANDIDATES_MOST = NUMBER_FORMAT_COUNT + 1 };

struct data {
    double *x, *moved;
    double *made; /* of node k */
    struct candidate candidates[CANDIDATES_MOST];
    int count;
};

/* The format that the method is said to add in, then binary32, binary64 and the narrow ones. */
static void name_candidates(const struct sum_format *in, struct data *data)
{
    static const struct format *const others[] = {&FORMAT_BINARY32, &FORMAT_BINARY64, &FORMAT_BINARY16,
                                                  &FORMAT_BFLOAT16};
    data->candidates[data->count++].added = in->added;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!is_format(others[i], in->added))
            data->candidates[data->count++].added = others[i];
}

static enum status take_memory(const struct asker *asker, const struct probe *probe, struct data *data)
{
    *data = (struct data){.x = calloc(probe->tree.n, sizeof *data->x),
                          .moved = calloc(probe->tree.n, sizeof *data->moved),
                          .made = calloc(probe->tree.count + 1, sizeof *data->made)};
    name_candidates(asker->in, data);
    return data->x && data->moved && data->made ? OK : out_of_memory("the data of a probe");
}

static void free_memory(struct data *data)
{
    free_all(data->x, data->moved, data->made);
}

static enum status ask_twice(struct asker *asker, const double *x, double *sum)
{
    double again;
    TRY(ask_sum_of(asker, x, sum));
    TRY(ask_sum_of(asker, x, &again));
    return ask_same(*sum, again) ? OK : ask_refuse_change(asker, *sum, again);
}

/* A sum of two numbers that was rounded to binary64 first is rounded to a format of half its bits as if it was not. */
static double in_format(double x, const struct format *format)
{
    if (format->precision == FORMAT_BINARY64.precision)
        return x;
    return format->precision == FORMAT_BINARY32.precision ? (double)(float)x : rounded_to(x, format);
}

double probe_add(const struct probe_tree *tree, const struct format *added, const double *x, double *made)
{
    for (uint64_t k = 1; k <= tree->count; k++) {
        const struct probe_node *node = &tree->nodes[k];
        const uint32_t a = node->first_child, b = tree->nodes[a].next_sibling;
        made[k] = in_format(a ? made[a] + made[b] : x[node->smallest], added);
    }
    return made[tree->count];
}

static void hold_candidate(const struct asker *asker, const struct probe *probe, const struct data *data, double sum,
                           struct candidate *candidate)
{
    if (candidate->is_refuted)
        return;
    candidate->sum = sum;
    candidate->of_tree = in_format(probe_add(&probe->tree, candidate->added, data->x, data->made), asker->in->result);
    candidate->is_refuted = !ask_same(sum, candidate->of_tree);
}

static const struct candidate *first_left(const struct data *data)
{
    for (int i = 0; i < data->count; i++)
        if (!data->candidates[i].is_refuted)
            return &data->candidates[i];
    return NULL;
}

static enum status hold_to_tree(const struct asker *asker, const struct probe *probe, struct data *data, double sum)
{
    const struct candidate *likely = &data->candidates[0], *next = &data->candidates[1];
    for (int i = 0; i < data->count; i++)
        hold_candidate(asker, probe, data, sum, &data->candidates[i]);
    if (first_left(data))
        return OK;
    return ask_complain(
        asker,
        "%s: masks of 2^100 and -2^100 show a tree, but sums of other numbers are not those of the tree: %a where "
        "additions in %s give %a, and %a where those in %s give %a; this is not the tree of a plain sum in one order; "
        "it is compensated, in another precision, or depends on the data; probe another method, or see docs/explain.md",
        asker->box->name, likely->sum, likely->added->name, likely->of_tree, next->sum, next->added->name,
        next->of_tree);
}

/* The numbers that are added at once change places. */
static void move_within(struct asker *asker, const struct probe_tree *tree, uint64_t node, double *x)
{
    const struct probe_node *nodes = tree->nodes;
    uint32_t last = 0;
    for (uint32_t child = nodes[node].first_child; child != 0; child = nodes[child].next_sibling) {
        if (nodes[child].children > 0)
            continue;
        if (last != 0 && ask_random(asker) & 1)
            ask_swap(x, nodes[last].smallest, nodes[child].smallest);
        last = child;
    }
}

static enum status hold_without_order(struct asker *asker, const struct probe *probe, struct data *data, double sum)
{
    double moved;
    for (uint64_t i = 0; i < asker->n; i++)
        data->moved[i] = data->x[i];
    for (uint64_t k = 1; k <= probe->tree.count; k++)
        if (probe->tree.nodes[k].children > 2)
            move_within(asker, &probe->tree, k, data->moved);
    TRY(ask_sum_of(asker, data->moved, &moved));
    if (ask_same(moved, sum))
        return OK;
    return ask_complain(asker,
                        "%s: by masks of 2^100 and -2^100 up to %llu elements are added at once, but when these change "
                        "places their sum does: %a and %a; this is not the tree of a sum in one order, which then "
                        "depends on the data; probe another method",
                        asker->box->name, (unsigned long long)asker->n, sum, moved);
}

static enum status check_data(struct asker *asker, const struct probe *probe, bool binary, struct data *data)
{
    const int sets = asker->n <= FEW_ELEMENTS && !asker->box->is_hint ? SETS_OF_FEW : SETS;
    for (int set = 0; set < sets; set++) {
        double sum;
        ask_fill(asker, set, data->x);
        TRY(ask_twice(asker, data->x, &sum));
        TRY(binary ? hold_to_tree(asker, probe, data, sum) : hold_without_order(asker, probe, data, sum));
    }
    return OK;
}

static void note_arithmetic(bool binary, const struct data *data, struct probe *probe)
{
    const struct probe_tree *tree = &probe->tree;
    if (binary)
        probe->added = first_left(data)->added;
    else
        probe->order = tree->nodes[tree->count].children == tree->n ? PROBE_NO_ORDER : PROBE_FUSED;
}

/* Of the tree and the other members of *probe that are found out here. */
static enum status check_tree(struct asker *asker, struct probe *probe)
{
    FREED_BY(free_memory) struct data data = {0};
    const bool binary = probe_tree_is_binary(&probe->tree);
    probe->all_pairs = asker->n <= ALL_PAIRS_UP_TO && !asker->box->is_hint;
    if (!asker->box->is_hint)
        TRY(probe->all_pairs ? check_all_pairs(asker, probe) : check_random_pairs(asker, probe));
    TRY(take_memory(asker, probe, &data));
    TRY(check_data(asker, probe, binary, &data));
    note_arithmetic(binary, &data, probe);
    return OK;
}

/* ---- the search ---- */

/* The first half of a probe: a tree out of as few sums as it takes. */

/* One element, the pivot, is asked for with each other one of a piece of the tree.  Whoever meets it in a sum of 8,
 * say, stands on the other side of that node; sorted by these numbers they are the sides that join the pivot's path:
 *
 *   pivot 0, of ((x0 + x2) + (x1 + x3)) + x4:    x2: 2    x1, x3: 4    x4: 5
 *
 *             5 - x4            every side is a piece of its own, and is probed in the same way;
 *           4 - x1, x3          2 = 1 + 1, 4 = 2 + 2, 5 = 4 + 1: the sides fill the sums, or it is no tree
 *         2 - x2
 *       x0
 *
 * A side may be several subtrees, where more than two numbers are added at once.  Then some of it meet the side's own
 * pivot only in the node that the side hangs from: they are the rest of the side, and next.
 *
 * Cost: an element is asked for once for each piece that it is in.  The smallest element is the first pivot: sums from
 * left to right need n - 1 questions.  A pivot whose side is more than half of its piece was a bad one, and that side
 * gets a random one: for any tree of additions of two, O(n log n) questions on average (docs/explain.md). */

/* An element of a piece, and the elements below the node in which it meets the pivot. */
struct member {
    uint32_t element, leaves;
};

/* members[begin..end), all that hang from node `above` and have no place yet; 0: the whole tree. */
struct piece {
    uint64_t begin, end;
    uint32_t above;
    uint64_t above_leaves;
    bool random_pivot;
};

struct builder {
    struct asker *asker;
    struct member *members;
    struct piece *pieces; /* a stack; they are disjoint, so that n is room enough */
    uint64_t waiting;
    uint32_t *parent;
    uint32_t nodes;
};

static void push(struct builder *builder, struct piece piece, uint64_t of)
{
    piece.random_pivot = piece.end - piece.begin > of / 2;
    builder->pieces[builder->waiting++] = piece;
}

static uint32_t node_of(const struct builder *builder, uint64_t member)
{
    return builder->members[member].element + 1;
}

static void choose_pivot(struct builder *builder, const struct piece *piece)
{
    struct member *members = builder->members;
    uint64_t chosen = piece->begin;
    if (piece->random_pivot)
        chosen += ask_random_below(builder->asker, piece->end - piece->begin);
    else
        for (uint64_t k = piece->begin; k < piece->end; k++)
            if (members[k].element < members[chosen].element)
                chosen = k;
    const struct member pivot = members[chosen];
    members[chosen] = members[piece->begin];
    members[piece->begin] = pivot;
}

static int by_leaves(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->leaves != y->leaves)
        return x->leaves < y->leaves ? -1 : 1;
    return x->element < y->element ? -1 : x->element > y->element;
}

static enum status stop_if_too_many(const struct builder *builder)
{
    const struct black_box *box = builder->asker->box;
    if (box->most_sums == 0 || builder->asker->sums < box->most_sums)
        return OK;
    ask_complain(builder->asker,
                 "%s: its tree is not known after %llu sums of %llu elements; a tree of additions of two needs about n "
                 "log2(n) of them, one whose nodes join m needs up to m*m/2 for each; choose a smaller n",
                 box->name, (unsigned long long)box->most_sums, (unsigned long long)builder->asker->n);
    return NOT_MEASURED;
}

static enum status ask_for_all(struct builder *builder, const struct piece *piece)
{
    struct member *members = builder->members;
    for (uint64_t k = piece->begin + 1; k < piece->end; k++) {
        uint64_t leaves;
        TRY(stop_if_too_many(builder));
        TRY(ask(builder->asker, (struct mask){members[piece->begin].element, members[k].element}, &leaves));
        members[k].leaves = (uint32_t)leaves;
    }
    qsort(members + piece->begin + 1, piece->end - piece->begin - 1, sizeof *members, by_leaves);
    return OK;
}

/* Nothing was absorbed by any: each pair left all the ones, as if it were the first that is added. */
static bool all_are_left(const struct builder *builder, const struct piece *piece)
{
    return piece->above == 0 && builder->members[piece->end - 1].leaves == 2;
}

static enum status refuse(struct builder *builder, const struct piece *piece, uint64_t first, uint64_t expected)
{
    enum { WHAT_SIZE = 200 };
    char what[WHAT_SIZE];
    const struct member *member = &builder->members[first];
    const uint64_t n = builder->asker->n;
    snprintf(what, sizeof what,
             "%llu of %llu ones are left, as if both met in a sum of %u, where other masks show one of %llu",
             (unsigned long long)(n - member->leaves), (unsigned long long)(n - 2), member->leaves,
             (unsigned long long)expected);
    return ask_refuse(builder->asker, (struct mask){builder->members[piece->begin].element, member->element}, what,
                      all_are_left(builder, piece)
                          ? "nothing is ever absorbed, as in a sum that is compensated, exact or in more than one "
                            "number: whatever the order, all ones are left"
                          : "some ones are absorbed and others are not, as in a sum that is compensated in parts, "
                            "whose order depends on the data, or whose numbers have fewer than 24 bits");
}

static uint64_t end_of_side(const struct builder *builder, const struct piece *piece, uint64_t begin)
{
    const struct member *members = builder->members;
    uint64_t end = begin + 1;
    while (end < piece->end && members[end].leaves == members[begin].leaves)
        end++;
    return end;
}

/* Climbs from the pivot to the node that the piece hangs from. */
static enum status take_sides(struct builder *builder, const struct piece *piece)
{
    const uint64_t of = piece->end - piece->begin;
    uint32_t top = node_of(builder, piece->begin);
    for (uint64_t begin = piece->begin + 1, end; begin < piece->end; begin = end) {
        const uint64_t leaves = builder->members[begin].leaves;
        end = end_of_side(builder, piece, begin);
        if (leaves == piece->above_leaves && end == piece->end) {
            push(builder, (struct piece){begin, end, piece->above, leaves, false}, of);
            break;
        }
        if (leaves != end - piece->begin)
            return refuse(builder, piece, begin, end - piece->begin);
        const uint32_t node = ++builder->nodes;
        builder->parent[top] = node;
        top = node;
        push(builder, (struct piece){begin, end, node, leaves, false}, of);
    }
    builder->parent[top] = piece->above;
    return OK;
}

static enum status build(struct builder *builder)
{
    const uint64_t n = builder->asker->n;
    for (uint32_t i = 0; i < n; i++)
        builder->members[i].element = i;
    push(builder, (struct piece){0, n, 0, 0, false}, 2 * n);
    while (builder->waiting > 0) {
        const struct piece piece = builder->pieces[--builder->waiting];
        choose_pivot(builder, &piece);
        TRY(ask_for_all(builder, &piece));
        TRY(take_sides(builder, &piece));
    }
    return OK;
}

static enum status build_tree(struct asker *asker, struct probe_tree *tree)
{
    enum status status = OK;
    const uint64_t n = asker->n;
    struct builder builder = {.asker = asker,
                              .members = calloc(n, sizeof *builder.members),
                              .pieces = calloc(n, sizeof *builder.pieces),
                              .parent = calloc(2 * n, sizeof *builder.parent),
                              .nodes = (uint32_t)n};
    if (!builder.members || !builder.pieces || !builder.parent)
        TRY_DONE(out_of_memory("the pieces of a tree"));
    TRY_DONE(build(&builder));
    status = probe_tree_of_parents(builder.parent, n, builder.nodes, tree);
done:
    free_all(builder.members, builder.pieces, builder.parent);
    return status;
}

static enum status reveal(struct asker *asker, struct probe *probe)
{
    TRY(build_tree(asker, &probe->tree));
    probe->sums_to_build = asker->sums;
    TRY(check_tree(asker, probe));
    probe->sums_to_check = asker->sums - probe->sums_to_build;
    return OK;
}

enum status probe_reveal(const struct black_box *box, uint64_t n, struct probe *probe)
{
    *probe = (struct probe){0};
    if (n < 1 || n > PROBE_MOST_N)
        return bad_input("%s: n = %llu; expected from 1 to %d elements; choose such an n", box->name,
                         (unsigned long long)n, PROBE_MOST_N);
    struct asker asker;
    TRY(asker_start(box, n, &asker));
    const enum status status = reveal(&asker, probe);
    asker_end(&asker);
    if (status != OK)
        probe_free(probe);
    return status;
}

void probe_free(struct probe *probe)
{
    probe_tree_free(&probe->tree);
    *probe = (struct probe){0};
}
