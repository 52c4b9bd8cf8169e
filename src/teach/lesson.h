/* A lesson: one file, src/teach/lessons/<id>.c, and one row of lessons.def.  Its numbers are computed when it is told,
 * by the methods, metrics and exact sums of studies.
 */
#pragma once

#include "src/teach/sheet/sheet.h"

struct lesson {
    const char *id;    /* the word of the command line: "absorption" */
    const char *title; /* a question or a statement, as in lessons.def */
    enum status (*tell)(struct sheet *sheet);
};

/* lesson_absorption() is in src/teach/lessons/absorption.c */
#define LESSON(id, title) enum status lesson_##id(struct sheet *sheet);
#include "lessons.def"

/* In the order of the course. */
const struct lesson *lesson_table(size_t *count);

/* NULL when there is none; "3" is the third. */
const struct lesson *lesson_find(const char *name);
