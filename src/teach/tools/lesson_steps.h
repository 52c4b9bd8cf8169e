/* A short sum, number by number: what an accumulator holds after each addition, and what that addition lost for good.
 *
 *   kahan/serial on 2^24, 1, 1      2^24, 0      2^24, +1      2^24 + 2, 0      nothing lost
 */
#pragma once

#include "lesson_tools.h"

/* After x was added. */
struct lesson_step {
    double x;
    double sum;  /* the first part of the state */
    double rest; /* the second, 0 where there is none: of neumaier what is lost so far, of kahan minus the excess */
    double lost; /* what the state is worth now, less what it was worth with x before: 0 when nothing is gone */
};

enum { STEPS_MOST = 64 };

/* steps[0..data->n) of a method whose order is serial; n is at most STEPS_MOST. */
enum status lesson_steps(const char *method, const struct lesson_data *data, struct lesson_step *steps);

/* "12", "-3", "0x1p+60": small whole numbers as they are, any other as %a. */
void write_short(double value, char text[NUMBER_TEXT]);

/* A cell of that. */
#define cell_short(value) cell_text("%s", number_text(write_short, value, (char[NUMBER_TEXT]){0}))
