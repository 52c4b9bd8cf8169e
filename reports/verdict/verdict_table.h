/* The verdict as tables of text, the same for every output. */
#pragma once

#include "verdict.h"

/* How the rows are called: "uniform", "gensum cond=1e8", as briefly as they stay apart; allocated, one per row. */
char **verdict_labels(const struct results *results, const struct verdict *verdict);
void verdict_labels_free(const struct verdict *verdict, char **labels);

/* As much of a view as tells it apart: "cuda, 120 x 256". */
enum { VIEW_TEXT = 192 };
void verdict_view_name(const struct verdict *verdict, size_t view, char text[VIEW_TEXT]);

/* Whether a method was timed, and whether some ran on a GPU. */
bool verdict_has_speeds(const struct verdict *verdict);
bool verdict_has_gpu(const struct verdict *verdict);

/* Which method may I use: a line per row, the cheapest method within each limit and its cost. */
struct grid which_method_grid(const struct results *results, const struct verdict *verdict);

/* What its columns mean, for the line over it. */
enum { LEGEND_TEXT = 384 };
void which_method_legend(const struct results *results, const struct verdict *verdict, char text[LEGEND_TEXT]);

/* "0.50 ulp", "1.07 u |A||B|", or of larger errors what is left: "2 digits", "no digit". */
void verdict_set_level(const struct verdict *verdict, const struct outcome *outcome, struct grid *grid, size_t column);
