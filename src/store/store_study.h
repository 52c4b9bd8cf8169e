/* The study, as the store records it. */
#pragma once

#include "store_file.h"

/* Records the study; in the transaction that makes the tables. */
enum status store_put_study(struct store *store);
