/* A speed for people, with its spread: "0.42..0.45 ns" per element on the host, from the fastest round to the median;
 * "4.31..4.37 TB/s" on a GPU, from the median to the fastest. */
#pragma once

#include "grid.h"

enum { SPEED_TEXT = 2 * NUMBER_TEXT + 8 };

/* "-" for NULL: not timed. */
void speed_text(const struct speed *speed, char text[SPEED_TEXT]);

void grid_speed(struct grid *grid, size_t column, const struct speed *speed);

/* What a number costs by count: "4", of fabsum "1.03"; "-": nobody knows. */
double additions_of(const char *method); /* NaN: nobody knows */
void grid_additions(struct grid *grid, size_t column, const char *method);

/* What the units of a run's speeds mean, for the line over a table: "time per element". */
const char *speed_legend(const struct results *results);
