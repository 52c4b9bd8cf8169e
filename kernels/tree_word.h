/* The words of trees: in which order somebody else adds, as far as a bound asks for it, the height of the tree.
 *
 *   height=20                 no number goes through more than 20 additions
 *   blocked=128               blocks of 128 numbers, the last of what is left, and their sums, each in any order
 *   chains=8                  8 sums of every eighth number, joined in any order; what is left over may come at the end
 *   pairwise, tree_two_pass   an order of `ulpscope list orders`, at the launch of whoever asks
 *   tree_two_pass=120x256     the same at a launch of its own, blocks x threads
 */
#pragma once

#include "method.h"
#include "plain_tree.h"

struct tree_word {
    enum { TREE_OF_ANY_ORDER, TREE_OF_HEIGHT, TREE_OF_BLOCKS, TREE_OF_CHAINS, TREE_OF_ORDER } kind;
    uint64_t number;      /* height, most numbers of a block, chains */
    const char *order;    /* "tree_two_pass" */
    struct launch launch; /* its own; no blocks: it has none */
};

/* What is used where nobody names a launch. */
enum { TREE_BLOCKS = 120, TREE_THREADS = 256 };

/* What is expected of a word. */
#define TREE_WORDS                                                                                                     \
    "height=H, pairwise, blocked=B, chains=C, or an order of `ulpscope list orders` like tree_two_pass or "            \
    "tree_two_pass=120x256"

/* A refusal, the end of a sentence: `"pairwize" is no word of a tree; expected ...; did you mean ...?` */
enum { TREE_WHY_SIZE = 384 };

bool tree_word_read(const char *text, struct tree_word *word, char why[TREE_WHY_SIZE]);

/* The tree over n numbers, which are stored in a format; its height has 0 + x with it, as methods have it
 * (kernels/order.h); n of any order.  false: there is no such tree. */
bool tree_word_tree(const struct tree_word *word, uint64_t n, struct launch launch, const struct format *stored,
                    struct plain_tree *tree, char why[TREE_WHY_SIZE]);

/* Word i of those that are named where a bound claims nothing, the higher tree first, and its tree; NULL: there are
 * no more. */
const char *tree_word_lower(size_t i, uint64_t n, const struct format *stored, struct plain_tree *tree);
