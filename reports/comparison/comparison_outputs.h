/* A comparison of runs, as each output writes it. */
#pragma once

#include "reports/json_builder.h"
#include "reports/page/page.h"
#include "reports/report.h"

enum status comparison_table(const struct report *report, const char *path);    /* for a terminal */
enum status comparison_markdown(const struct report *report, const char *path); /* for a page or comment on GitHub */

/* The section "Comparison" of a page on several runs; it stands before those of the runs. */
enum status comparison_section(struct page *page, const struct report *report);

/* For scripts: the report's run `other` against its first, into *object, which the caller owns; docs/analysing.md
 * describes every field. */
enum status comparison_json(const struct report *report, size_t other, json_t **object);
