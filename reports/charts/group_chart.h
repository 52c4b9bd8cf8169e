/* What the charts of a group have in common: the names of their files, their titles, and what is said of the launch. */
#pragma once

#include "reports/chart/chart.h"
#include "reports/group.h"

/* Begins the chart "<what>-<entry>-<family>[-<blocks>x<threads>][-<backend>]", titled with the entry: launch and
 * backend only where charts of the entry differ in them. */
void group_chart_begin(struct chart *chart, const char *what, const struct results *results, const struct group *group);

/* "replay, 120 blocks of 256 threads; " where groups of the entry differ in them, else "". */
enum { GROUP_CONTEXT = 256 };
void group_context(const struct group *group, char text[GROUP_CONTEXT]);

/* Which methods have a panel where there is not room for all: of each accumulator the first one in the study, and
 * the first accumulators where these are too many as well; but of each operation the first one where those fit. */

/* Indices into `methods`, at most `most`; all of them when they are no more. */
size_t panel_methods(const char *const *methods, size_t count, size_t most, size_t *chosen);

/* " 12 of 17 methods are drawn: ...", when not all are. */
void panel_methods_say(const char *const *methods, size_t count, size_t drawn, FILE *out);
