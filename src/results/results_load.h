/* From a store to what the reports read. */
#pragma once

#include "results.h"
#include "src/store/store.h"

/* Reads back what a store holds; the store stays open as long as the results are used.  The caller calls results_free
 * also after a failure. */
enum status results_load(struct store *store, struct results *results);

/* A run that was kept, by the name that a user gives it: the folder that `ulpscope run -o` wrote, or the run.db in it.
 */

/* Opens the store and loads the results, which need it open.  BAD_INPUT for what is no run, and for one without a sum.
 * The caller calls results_free() and store_close() also after a failure. */
enum status opened_run(const char *path, struct store **store, struct results *results);
