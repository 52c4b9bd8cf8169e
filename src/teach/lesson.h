/* A lesson: one file, src/teach/lessons/<id>.c, and one row of lessons.def.  Its numbers are computed when it runs,
 * by the methods, metrics and exact sums of studies.
 */
#pragma once

#include "src/teach/sheet/sheet.h"

struct lesson {
    const char *id;    /* the word of the command line: "absorption" */
    const char *title; /* a question or a statement, as in lessons.def */
    enum status (*tell)(struct sheet *sheet);
};

/* What a lesson says, each of one kind of part (sheet.h), goes to the `sheet` that it was given. */
#define say(...) sheet_text(sheet, __VA_ARGS__)
#define say_heading(...) sheet_heading(sheet, __VA_ARGS__)
#define say_question(...) sheet_question(sheet, __VA_ARGS__)
#define say_prediction(...) sheet_predict(sheet, __VA_ARGS__)
#define say_exercise(...) sheet_exercise(sheet, __VA_ARGS__)
#define say_answer(...) sheet_answer(sheet, __VA_ARGS__)
#define say_theorem(...) sheet_theorem(sheet, __VA_ARGS__)

/* lesson_absorption() is in src/teach/lessons/absorption.c */
#define LESSON(id, title) enum status lesson_##id(struct sheet *sheet);
#include "lessons.def"

/* In the order of the course. */
const struct lesson *lesson_table(size_t *count);

/* NULL when there is none; "3" is the third. */
const struct lesson *lesson_find(const char *name);
