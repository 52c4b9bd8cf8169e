/* Where numbers come from: everything that is needed to make them again. */
#ifndef ULPSCOPE_PROVENANCE_H
#define ULPSCOPE_PROVENANCE_H

#include "device.h"
#include "store.h"

/* Stores the facts about program, build, host, device, libraries and this run. */
enum status provenance_record(struct store *store, const struct study *study, const struct device *device,
                              const char *command_line);

/* "ulpscope 0.1.0 (commit 1234567)" */
const char *provenance_version(void);

#endif
