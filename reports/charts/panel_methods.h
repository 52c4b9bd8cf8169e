/* Which methods have a panel where there is not room for all: of each accumulator the first one in the study. */
#ifndef ULPSCOPE_PANEL_METHODS_H
#define ULPSCOPE_PANEL_METHODS_H

#include <stddef.h>

/* Indices into `methods`, at most `most`; all of them when they are no more. */
size_t panel_methods(const char *const *methods, size_t count, size_t most, size_t *chosen);

#endif
