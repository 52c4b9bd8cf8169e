/* A program that reads numbers as text, one per line, and prints one: a process per question. */
#pragma once

#include "exchange.h"

/* What "text:CMD", "text10:CMD" and "text:dot:CMD" ask for. */
struct filter {
    bool is_filter;  /* else the text is a command that speaks ulpscope-pipe/1 */
    bool is_decimal; /* text10: the shortest decimals of binary64, in place of hexadecimal numbers */
    enum operation operation;
    const char *command; /* within the text */
};
struct filter filter_of(const char *text);

/* As plugin_kind has them; `name` is that of its methods. */
json_t *filter_ready(const struct filter *filter, const char *name);
bool filter_ask(const struct filter *filter, struct exchange *exchange, struct plugin *plugin,
                const struct question *question, uint64_t *bits);
