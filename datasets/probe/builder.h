/* The first half of a probe: a tree out of as few sums as it takes. */
#ifndef ULPSCOPE_BUILDER_H
#define ULPSCOPE_BUILDER_H

#include "asker.h"

enum status build_tree(struct asker *asker, struct probe_tree *tree);

#endif
