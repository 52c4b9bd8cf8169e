/* The second half of a probe: other questions, which the tree must answer as the black box does. */
#pragma once

#include "asker.h"

/* Of the tree and the other members of *probe that are found out here. */
enum status check_tree(struct asker *asker, struct probe *probe);
