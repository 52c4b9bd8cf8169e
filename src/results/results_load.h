/* From a store to what the reports read. */
#pragma once

#include "results.h"
#include "src/store/store.h"

/* Reads back what a store holds; the store stays open as long as the results are used.  The caller calls results_free
 * also after a failure. */
enum status results_load(struct store *store, struct results *results);
