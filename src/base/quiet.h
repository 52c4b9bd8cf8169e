/* Who tries what may be refused, and goes on, asks for no complaint about it. */
#pragma once

#include <stdbool.h>

/* Whether complain() prints nothing on this thread; returns what held before, to be set again. */
bool complaints_quiet(bool quiet);

/* The same, for callers that print a complaint in another way. */
bool complaints_are_quiet(void);
