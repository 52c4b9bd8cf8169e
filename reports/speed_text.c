#include "speed_text.h"

#include <stdio.h>
#include <string.h>

void speed_text(const struct speed *speed, char text[SPEED_TEXT])
{
    char number[NUMBER_TEXT];
    if (!speed) {
        strcpy(text, "-");
        return;
    }
    const bool on_device = strcmp(speed->backend, "cuda") == 0, is_fast = speed->gigabytes >= 1000;
    write_rounded(!on_device ? speed->nanoseconds : is_fast ? speed->gigabytes / 1000 : speed->gigabytes, number);
    snprintf(text, SPEED_TEXT, "%s %s", number, !on_device ? "ns" : is_fast ? "TB/s" : "GB/s");
}

void grid_speed(struct grid *grid, size_t column, const struct speed *speed)
{
    char text[SPEED_TEXT];
    speed_text(speed, text);
    grid_set(grid, column, TONE_PLAIN, "%s", text);
}
