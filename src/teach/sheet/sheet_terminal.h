/* A lesson sheet on a terminal, or as plain text. */
#pragma once

#include "reports/terminal.h"
#include "sheet.h"

#include <stdbool.h>

struct sheet_place {
    size_t number; /* of the lesson, from 1 on */
    bool answers;  /* answers are asked for */
};

/* For pipes and files: no colour, 100 columns, whatever the terminal is. */
struct terminal sheet_plain(FILE *file);

void sheet_write_terminal(const struct sheet *sheet, struct sheet_place place, const struct terminal *terminal);
