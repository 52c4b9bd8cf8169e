/* A result and its numbers as files that the program opens. */
#pragma once

#include "problem.h"

/* Of result (row, column), which was computed as `computed`: PATH.npy, or PATH.x.npy and PATH.y.npy, and PATH.txt with
 * the command, which is left in command[0..size) as well.  All of them, or none. */
ulpscope_status case_write(const struct problem *problem, uint64_t row, uint64_t column, double computed,
                           const char *path, char *command, size_t size);
