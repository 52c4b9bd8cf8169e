/* A comparison of runs on the terminal. */
#ifndef ULPSCOPE_COMPARISON_TABLE_H
#define ULPSCOPE_COMPARISON_TABLE_H

#include "reports/report.h"

enum status comparison_table(const struct report *report, const char *path);

#endif
