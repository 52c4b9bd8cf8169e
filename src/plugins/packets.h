/* Workers that speak src/worker/protocol.h: those of shared libraries and of Python. */
#ifndef ULPSCOPE_PACKETS_H
#define ULPSCOPE_PACKETS_H

#include "plugin_kind.h"

/* As plugin_kind has them; `arguments` and `environment` as in process_wish. */
bool packets_start(struct plugin *plugin, char *const *arguments, char *const *environment, json_t **ready);
bool packets_ask(struct plugin *plugin, const struct question *question, uint64_t *bits, double *seconds,
                 bool *refuses);
void packets_stop(struct plugin *plugin);

#endif
