/* A comparison of runs for a page or a comment on GitHub. */
#ifndef ULPSCOPE_COMPARISON_MARKDOWN_H
#define ULPSCOPE_COMPARISON_MARKDOWN_H

#include "reports/report.h"

enum status comparison_markdown(const struct report *report, const char *path);

#endif
