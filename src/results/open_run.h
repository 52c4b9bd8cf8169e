/* A run that was kept, by the name that a user gives it: the folder that `ulpscope run -o` wrote, or the run.db in it.
 */
#pragma once

#include "results_load.h"
#include "src/store/store.h"

/* Opens the store and loads the results, which need it open.  BAD_INPUT for what is no run, and for one without a sum.
 * The caller calls results_free() and store_close() also after a failure. */
enum status opened_run(const char *path, struct store **store, struct results *results);
