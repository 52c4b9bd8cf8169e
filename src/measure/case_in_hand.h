/* A case while it is measured: what measure.c does for sums and measure_elements.c for matrix products, and what
 * both need. */
#pragma once

#include "measure.h"

#include "datasets/dataset.h"

struct case_in_hand {
    const struct measuring *measuring;
    struct study_case place;
    const struct data_spec *spec;
    struct dataset data;
    const struct shelved *shelved; /* whose numbers these are, in an order of their own; NULL: they are made for it */
    struct finished_case *finished;
    uint64_t **answers; /* of (launch, method): what a plug-in gave, each time, when it was asked for several cases
                           together; NULL: nothing */
    size_t capacity, text_capacity;
};

/* Whether a method is measured here; of those that take too long for this n each is named once. */
bool case_measures(const struct case_in_hand *hand, size_t launch, size_t method);
void case_tell_too_slow(const struct case_in_hand *hand, size_t method);

/* Whether its replay is run, on the host. */
bool case_replays(const struct case_in_hand *hand, size_t method);

/* Whether an interrupt leaves it where it is; one that takes milliseconds is measured to its end. */
bool case_is_left(const struct case_in_hand *hand);

/* How often a plug-in is asked for it: what claims to be deterministic twice at least. */
uint64_t case_times_asked(const struct case_in_hand *hand, size_t method);

/* Asks its plug-in for the results of a method, as many times as the study repeats it; what claims to be deterministic
 * twice at least.  `take` is given the bits of each repeat, which it may judge.  OK where the plug-in failed. */
typedef enum status case_take(void *context, struct measured row, const uint64_t *bits);
enum status case_ask_plugin(struct case_in_hand *hand, struct measured row, const struct operands *of, uint64_t *bits,
                            case_take *take, void *context);

enum status case_append(struct case_in_hand *hand, struct measured row);

/* Takes an allocated text, which lives as long as the finished case, and returns it. */
char *case_keep_text(struct case_in_hand *hand, char *text);

/* A kernel and its replay differ, in what these two texts say. */
void case_tell_difference(const struct case_in_hand *hand, const struct measured *row, const char *kernel,
                          const char *replay);

/* The case lacks a result; the cause was said where it was known. */
void case_note_failure(const struct case_in_hand *hand, size_t launch, size_t method, const char *what);

/* Makes the data, or takes those that trials in other orders share; put away, they are freed. */
enum status case_take_data(struct case_in_hand *hand);
void case_put_data_away(struct case_in_hand *hand);

/* The two kinds of cases: all of it, from data to rows.  Of sums, cases of one spec, of which *count were measured
 * when one failed. */
enum status measure_sums(struct case_in_hand *hands, size_t *count);
enum status measure_elements(struct case_in_hand *hand);

/* What plug-ins on a GPU give of a few cases of one spec, asked for together: for short sums the way to their process
 * and back, 60 us, takes longer than the sums. */

/* How many cases of so many bytes are worth it on the host; 1: the study has no such plug-in. */
size_t ask_together_most(const struct study *study, uint64_t bytes);

/* Sets `answers` of the cases where that can be done, and worked; frees them. */
void ask_together(struct case_in_hand *cases, size_t count);
void forget_answers(struct case_in_hand *cases, size_t count);
