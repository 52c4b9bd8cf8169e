/* Exercises that a seed draws: a row of exercises.def is one, of a kind that draws its numbers, has them added by real
 * methods and says what is right, and why.  Equal seeds give equal exercises. */
#pragma once

#include "lesson.h"

/* Those of one lesson: an exercise each, which is asked (sheet_ask). */
enum status exercises_draw(const struct lesson *lesson, uint64_t seed, struct sheet *sheet);
