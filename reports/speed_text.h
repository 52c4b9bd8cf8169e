/* A speed for people: "0.42 ns" per element on the host, "4.37 TB/s" on a GPU, as whoever cares for each says it. */
#ifndef ULPSCOPE_SPEED_TEXT_H
#define ULPSCOPE_SPEED_TEXT_H

#include "grid.h"
#include "src/base/number.h"

enum { SPEED_TEXT = NUMBER_TEXT + 8 };

/* "-" for NULL: not timed. */
void speed_text(const struct speed *speed, char text[SPEED_TEXT]);

void grid_speed(struct grid *grid, size_t column, const struct speed *speed);

/* What the units of a run's speeds mean, for the line over a table: "time per element". */
const char *speed_legend(const struct results *results);

#endif
