/* Lesson sheets as one HTML page that needs neither network nor JavaScript; answers are folded. */
#pragma once

#include "sheet.h"

struct sheet_page_entry {
    const struct sheet *sheet;
    size_t number; /* of the lesson in the course */
};

/* Several have contents, and each a link to the next. */
struct sheet_page_request {
    const struct sheet_page_entry *entries;
    size_t count;
    bool answers; /* they are on the page, each behind a line that opens it */
};

/* To this file, which appears whole or not at all; "-" is stdout. */
enum status sheet_page_write(const struct sheet_page_request *request, const char *path);
