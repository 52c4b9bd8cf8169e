/* Which methods have a panel where there is not room for all: of each accumulator the first one in the study, and
 * the first accumulators where these are too many as well. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Indices into `methods`, at most `most`; all of them when they are no more. */
size_t panel_methods(const char *const *methods, size_t count, size_t most, size_t *chosen);

/* " 12 of 17 methods are drawn: ...", when not all are; `which` says of what kind the methods are: " with a bound". */
void panel_methods_say(const char *const *methods, size_t count, size_t drawn, const char *which, FILE *out);
