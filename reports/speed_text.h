/* A speed for people: "0.42 ns" an element on the host, "4.37 TB/s" on a GPU, as whoever cares for each says it. */
#ifndef ULPSCOPE_SPEED_TEXT_H
#define ULPSCOPE_SPEED_TEXT_H

#include "grid.h"
#include "src/base/number.h"

enum { SPEED_TEXT = NUMBER_TEXT + 8 };

/* "-" for NULL: not timed. */
void speed_text(const struct speed *speed, char text[SPEED_TEXT]);

void grid_speed(struct grid *grid, size_t column, const struct speed *speed);

/* What the unit means, for the line over a table. */
#define SPEED_LEGEND "time an element on the host, bytes read a second on a GPU"

/* And a number beside a name of the cheapest. */
#define ALIKE_LEGEND "\"+ 3\": three others are as fast, within 5 %"

#endif
