/* Where numbers come from: everything that is needed to make them again. */
#pragma once

#include "src/device/device.h"
#include "store.h"

typedef enum status fact_visitor(void *context, const char *topic, const char *name, const char *value);

/* Visits the facts about program, build, host, device, libraries and this run. */
enum status provenance_each(const struct study *study, const struct device *device, const char *command_line,
                            fact_visitor *visit, void *context);

/* That there is a date, before a store is opened: SOURCE_DATE_EPOCH may say what is none. */
enum status provenance_check(void);

/* Stores them; of a run that is resumed, only when and by which command that was. */
enum status provenance_record(struct store *store, const struct study *study, const struct device *device,
                              const char *command_line);

/* "ulpscope 0.1.0 (commit 1234567)" */
const char *provenance_version(void);

/* The same, with compilers and flags: equal texts, equal programs. */
const char *provenance_build(void);
