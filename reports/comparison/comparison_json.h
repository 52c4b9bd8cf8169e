/* A comparison of two runs for scripts; docs/run-json.md describes every field. */
#ifndef ULPSCOPE_COMPARISON_JSON_H
#define ULPSCOPE_COMPARISON_JSON_H

#include "reports/json_builder.h"
#include "reports/report.h"

/* The report's run `other` against its first, into *object, which the caller owns. */
enum status comparison_json(const struct report *report, size_t other, json_t **object);

#endif
