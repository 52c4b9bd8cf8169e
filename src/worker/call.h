/* One request: its method is called, and answered for. */
#pragma once

#include "library.h"
#include "protocol.h"

void call(const struct library *library, const struct worker_request *request);
