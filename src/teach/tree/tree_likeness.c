#include "tree_likeness.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Each takes as long as the tree: of large ones the launch that is asked for must do. */
static const struct launch some_launches[] = {{1, 32}, {1, 64}, {1, 128}, {1, 256}, {1, 512}, {1, 1024}, {120, 256}};
enum { SOME_LAUNCHES = sizeof some_launches / sizeof *some_launches, MOST_N_OF_SOME = 1 << 16 };

static enum status has_tree(const struct method *method, struct launch launch, const struct probe_tree *tree,
                            bool *same)
{
    const struct tree_request request = {"tree --probe", method, tree->n, launch};
    struct sum_tree declared = {0};
    struct probe_tree as_seen = {0};
    enum status status;
    TRY_DONE(sum_tree_make(&request, &declared));
    TRY_DONE(probe_tree_of_sum_tree(&declared, &as_seen));
    *same = probe_tree_same(&as_seen, tree);
done:
    sum_tree_free(&declared);
    probe_tree_free(&as_seen);
    return status;
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

static enum status match_order(const struct method *method, struct launch launch, const struct probe_tree *tree,
                               struct match *match)
{
    *match = (struct match){.found = false};
    TRY(try_launch(method, launch, tree, match));
    for (int l = 0; l < SOME_LAUNCHES && tree->n <= MOST_N_OF_SOME; l++)
        TRY(try_launch(method, some_launches[l], tree, match));
    return OK;
}

static char *name_of(const struct method *method, const struct match *match)
{
    return match->others ? text_made("%s at %u x %u", method->id, match->launch.blocks, match->launch.threads)
                         : text_made("%s", method->id);
}

/* One that has it at any launch is named, if there is one. */
enum status tree_like(const struct probe_tree *tree, enum operation operation, const struct sum_format *in,
                      struct launch launch, char **like)
{
    size_t methods, found = 0;
    bool depends = true; /* the one that is named, on its launch */
    char *name = NULL;
    enum status status = OK;
    const struct method *const *table = method_table_for(operation, in, &methods);
    for (size_t m = 0; m < methods && status == OK; m++) {
        struct match match = {.found = false};
        if (table[m]->replay && strcmp(table[m]->accumulator, "plain") == 0)
            status = match_order(table[m], launch, tree, &match);
        if (status != OK || !match.found)
            continue;
        if (found++ == 0 || (depends && !match.others)) {
            free(name);
            name = name_of(table[m], &match);
            depends = match.others;
        }
    }
    *like =
        found > 1 ? text_made("%s; %zu more order%s it, too", name, found - 1, found == 2 ? " has" : "s have") : name;
    if (found > 1)
        free(name);
    return status;
}
