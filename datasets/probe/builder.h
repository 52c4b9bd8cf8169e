/* The first half of a probe: a tree out of as few sums as it takes. */
#pragma once

#include "asker.h"

enum status build_tree(struct asker *asker, struct probe_tree *tree);
