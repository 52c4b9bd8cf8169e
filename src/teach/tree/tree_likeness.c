#include "tree_likeness.h"

#include <stdlib.h>
#include <string.h>

/* Each takes as long as the tree: of large ones the launch that is asked for must do. */
static const struct launch some_launches[] = {{1, 32}, {1, 64}, {1, 128}, {1, 256}, {1, 512}, {1, 1024}, {120, 256}};
enum { SOME_LAUNCHES = sizeof some_launches / sizeof *some_launches, MOST_N_OF_SOME = 1 << 16 };

static enum status has_tree(const struct method *method, struct launch launch, const struct probe_tree *tree,
                            bool *same)
{
    const struct tree_request request = {"tree --probe", method, tree->n, launch};
    FREED_BY(sum_tree_free) struct sum_tree declared = {0};
    FREED_BY(probe_tree_free) struct probe_tree as_seen = {0};
    TRY(sum_tree_make(&request, &declared));
    TRY(probe_tree_of_sum_tree(&declared, &as_seen));
    *same = probe_tree_same(&as_seen, tree);
    return OK;
}

/* The launches at which an order has the tree: the first of them, and whether others have another tree. */
struct match {
    struct launch launch;
    bool found, others;
};

static enum status try_launch(const struct method *method, struct launch launch, const struct probe_tree *tree,
                              struct match *match)
{
    char why[REASON_SIZE];
    bool same = false;
    if (!method_can_do(method, launch, why))
        return OK;
    TRY(has_tree(method, launch, tree, &same));
    if (same && !match->found)
        match->launch = launch;
    match->found |= same;
    match->others |= !same;
    return OK;
}

/* Of ranks: with a number each, where the order is that of the collective. */
static enum status match_order(const struct method *method, struct launch launch, const struct probe_tree *tree,
                               struct match *match)
{
    *match = (struct match){.found = false};
    if (method->order_traits->has_no_kernel)
        return tree->n > LAUNCH_BLOCKS_MOST ? OK
                                            : try_launch(method, (struct launch){(uint32_t)tree->n, 1}, tree, match);
    TRY(try_launch(method, launch, tree, match));
    for (int l = 0; l < SOME_LAUNCHES && tree->n <= MOST_N_OF_SOME; l++)
        TRY(try_launch(method, some_launches[l], tree, match));
    return OK;
}

/* What has the tree. */
struct named {
    char *name;        /* one that has it at any launch, if there is one */
    bool depends;      /* it does not */
    size_t others;     /* that are not named */
    struct text ranks; /* all of many processes, each behind ", " */
};

static void note_match(struct named *named, const struct method *method, const struct match *match)
{
    if (method->order_traits->has_no_kernel) {
        text_append(&named->ranks, ", %s", method->id);
        return;
    }
    named->others += named->name != NULL;
    if (named->name && (!named->depends || match->others))
        return;
    free(named->name);
    named->name = match->others ? text_made("%s at %u x %u", method->id, match->launch.blocks, match->launch.threads)
                                : text_made("%s", method->id);
    named->depends = match->others;
}

static char *words_of(const struct named *named)
{
    const char *ranks = named->ranks.text ? named->ranks.text : "";
    if (!named->name)
        return *ranks ? text_made("%s", ranks + strlen(", ")) : NULL;
    if (named->others == 0)
        return text_made("%s%s", named->name, ranks);
    return text_made("%s%s; %zu more order%s it, too", named->name, ranks, named->others,
                     named->others == 1 ? " has" : "s have");
}

enum status tree_like(const struct probe_tree *tree, enum operation operation, const struct sum_format *in,
                      struct launch launch, char **like)
{
    size_t methods;
    struct named named = {.name = NULL};
    enum status status = OK;
    const struct method *const *table = method_table_for(operation, in, &methods);
    for (size_t m = 0; m < methods && status == OK; m++) {
        struct match match = {.found = false};
        if (table[m]->replay && strcmp(table[m]->accumulator, "plain") == 0)
            status = match_order(table[m], launch, tree, &match);
        if (status == OK && match.found)
            note_match(&named, table[m], &match);
    }
    *like = words_of(&named);
    free_all(named.name, named.ranks.text);
    return status;
}
