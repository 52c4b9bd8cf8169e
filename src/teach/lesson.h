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

/* What the prediction asked, with its answer, a hint, and why that is right.
 *
 *   predict(distinct, "How many different sums are there?", "How many trees?", "%d trees have %d sums.", trees,
 * distinct);
 */
#define predict(is, wording, clue, ...) predict_between(is, is, is, wording, clue, __VA_ARGS__)
#define predict_within(factor, is, ...)                                                                                \
    predict_between(is, (double)(is) / (factor), (double)(is) * (factor), __VA_ARGS__)
#define predict_between(is, from, to, wording, clue, ...)                                                              \
    sheet_ask(                                                                                                         \
        sheet,                                                                                                         \
        &(struct ask){                                                                                                 \
            .prompt = wording, .hint = clue, .answer = (double)(is), .least = (double)(from), .most = (double)(to)},   \
        __VA_ARGS__)
#define predict_choice(place, wording, clue, all, ...)                                                                 \
    sheet_ask(sheet, &(struct ask){.prompt = wording, .hint = clue, .choices = all, .right = place}, __VA_ARGS__)
#define CHOICES(...)                                                                                                   \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* lesson_absorption() is in src/teach/lessons/absorption.c */
#define LESSON(id, title) enum status lesson_##id(struct sheet *sheet);
#include "lessons.def"

/* In the order of the course. */
const struct lesson *lesson_table(size_t *count);

/* NULL when there is none; "3" is the third. */
const struct lesson *lesson_find(const char *name);

/* Exercises of a lesson that a seed draws: a row of exercises.def is one, of a kind that draws its numbers, has them
 * added by real methods and says what is right, and why (sheet_ask).  Equal seeds give equal exercises. */
enum status exercises_draw(const struct lesson *lesson, uint64_t seed, struct sheet *sheet);
