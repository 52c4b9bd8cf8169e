/* A value for people who look at bits: 16777220, 0.1, 1e+20, 1.00000011921.
 *
 * Integers in full up to 15 digits, else the shortest decimal that reads back where it is a number of binary32, and 12
 * digits of what a state of several numbers is worth.
 */
#ifndef ULPSCOPE_VALUE_TEXT_H
#define ULPSCOPE_VALUE_TEXT_H

#include "../src/number.h"

#include <math.h>
#include <stdio.h>

static inline void write_value(double value, char text[NUMBER_TEXT])
{
    if (fabs(value) < 1e15 && value == trunc(value) && !(value == 0 && signbit(value)))
        snprintf(text, NUMBER_TEXT, "%.0f", value);
    else if ((double)(float)value == value || isnan(value))
        write_float((float)value, text);
    else
        snprintf(text, NUMBER_TEXT, "%.12g", value);
}

#endif
