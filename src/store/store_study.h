/* The study, as the store records it. */
#ifndef ULPSCOPE_STORE_STUDY_H
#define ULPSCOPE_STORE_STUDY_H

#include "store_file.h"

/* Records the study; in the transaction that makes the tables. */
enum status store_put_study(struct store *store);

#endif
