/* One request: its method is called, and answered for. */
#ifndef ULPSCOPE_WORKER_CALL_H
#define ULPSCOPE_WORKER_CALL_H

#include "library.h"
#include "protocol.h"

void call(const struct library *library, const struct worker_request *request);

#endif
