/* A launch on a device, and a format of data: what pictures over several entries are made of one of, so that no data
 * count twice and every method may have a place in every panel. */
#pragma once

#include "reports/chart/chart.h"
#include "reports/group.h"

/* What the charts of a group have in common: the names of their files, their titles, and what is said of the launch. */

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

struct setting {
    const struct backend *backend;
    const char *device;
    struct launch launch;
    const char *format;                                 /* that the data are stored in */
    bool other_launches, other_backends, other_formats; /* the run has settings that differ in them, which words say */
    size_t *entries;                                    /* that were measured there, in the order of the study */
    size_t entry_count;
    size_t shown; /* so many of them, the first, have a panel */
};

struct settings {
    struct setting *list;
    size_t count;
};

/* In the order of the series.  Free them also after a failure. */
void settings_of(const struct results *results, struct settings *settings);
void settings_free(struct settings *settings);

bool setting_has(const struct setting *setting, const struct series *series);

/* So many panels are in one picture; more are several pictures, parts 0, 1 ... */
enum { SETTING_PANELS = 12 };
size_t setting_parts(const struct setting *setting);

/* Begins the chart "<what>[-<blocks>x<threads>][-<backend>][-<format>][-<part>]", the part from 1 and only where there
 * are several. */
void setting_chart_begin(struct chart *chart, const char *what, const struct setting *setting, size_t part);

/* The subtitle: "replay, 120 blocks of 256 threads; bfloat16; <what>; one panel per entry of the study; part 1 of 2",
 * of these what tells it from other pictures. */
void setting_subtitle(struct chart *chart, const struct setting *setting, size_t part, const char *what);
