/* Workers that speak src/worker/protocol.h: those of shared libraries and of Python. */
#pragma once

#include "plugin_kind.h"

/* As plugin_kind has them; `arguments` and `environment` as in process_wish. */
bool packets_start(struct plugin *plugin, char *const *arguments, char *const *environment, json_t **ready);
bool packets_ask(struct plugin *plugin, const struct question *question, uint64_t *bits, double *seconds,
                 bool *refuses);
/* Of a process that has ended by itself: whether compute-sanitizer says so. */
bool packets_found_errors(const struct plugin *plugin);

void packets_stop(struct plugin *plugin);
