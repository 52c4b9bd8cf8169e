/* Rows, case by case, become series: their statistics, and how far equal data gave equal bits. */
#pragma once

#include "results.h"
#include "src/store/store.h"

struct collector;

/* Appends to the series and the reproducibility of the results, whose study is known.  NULL when memory is short. */
struct collector *collector_start(struct results *results);

/* The next row, in the order of store_each().  BAD_INPUT when it is of no method or data of the study. */
enum status collector_take(struct collector *collector, const struct stored *row);

/* After the last row. */
enum status collector_end(struct collector *collector);
void collector_free(struct collector *collector);
