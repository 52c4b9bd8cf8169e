/* Which method may be used on which data, and what it costs.  Computed here; verdict_table.c and verdict_text.c say it.
 *
 * A row is an entry of the study; where the condition of its specs varies, each spec has a row, because who may be used
 * depends on it.  What different launches and backends gave stands in different rows: their view.
 *
 * A method stays within a limit when the worst of its sums does, and it has all sums that any method has there.  Of
 * those the cheapest is named: on a GPU that of the fastest round, and how many are equally fast, since their spreads
 * overlap its own.  The time of a replay says nothing of a GPU, so on the host it is the one with the fewest additions
 * per number.  Of equally cheap ones comes first whose worst error is less, then whose bound is, then whose name is.
 *
 * What was measured may be exceeded by the next sum; what the theorem of an accumulator bounds may not.  So each row
 * also has the cheapest method whose bound is within the limit for all of its sums.
 *
 * Errors are counted in ulps; those of matrix products in u |A||B|, since elements that cancel say nothing of a product
 * (outcome.h).  What is proven of them is known element by element, and not in that unit.
 */
#pragma once

#include "reports/report.h"

/* How good some sums are, in a word and a colour: the level of their worst error.
 *
 *   exact          every sum is s itself, or "as IEEE" the NaN or infinity that IEEE 754 gives
 *   correctly rounded  within half an ulp of s, the best that a rounding allows
 *   within 1 ulp, within 4 ulp, within target
 *                  (of matrix products: within 1 u |A||B|, within 4 u |A||B|)
 *   5 digits       of a larger error, by the relative error
 *   no digit, overflow, nan ...
 */

/* The word and the tone, TONE_EXACT to TONE_NO_DIGIT; "-" and TONE_PLAIN when there was no sum. */
enum tone level_of(const struct outcome *outcome, const struct target *target, char word[OUTCOME_TEXT]);

/* Whether the worst error is within the target; NaN is not. */
bool level_is_within(const struct outcome *outcome, enum metric metric, double limit);

/* What a limit of a metric is counted in: "ulp", "u |A||B|". */
const char *limit_unit(const struct target *limit);

/* "within 2 ulp", "within a relative error of 1e-6" */
enum { LIMIT_TEXT = 96 };
void limit_text(const struct target *limit, char text[LIMIT_TEXT]);

/* What the sums of a row are measured by: of equal views, costs can be compared. */
struct verdict_view {
    const struct backend *backend;
    const char *device;
    struct launch launch;
    const struct format *stored, *result; /* of the numbers and of the sums */
    uint64_t repeats;                     /* runs of each trial */
};

struct verdict_cell {
    struct outcome outcome;
    bool complete;                    /* no sum is lacking */
    double ulp_bound, relative_bound; /* the largest proven of its sums; NaN: not proven of all, or exceeded */
};

struct verdict_row {
    size_t entry, view;
    const char *data;   /* the spec; NULL: all of the entry */
    const char *family; /* of the first spec */
    double condition;   /* the median of the first spec */
    uint64_t sums;      /* of the method that has most, repeats aside */
};

/* A method, or NO_METHOD. */
enum { LIMITS_MOST = 3 };
#define NO_METHOD SIZE_MAX

struct verdict_choice {
    size_t cheapest;
    size_t count; /* that stay within */
    size_t alike; /* of them, beside the cheapest, those that are equally fast, or equal in all that ranks them */
};

/* Of all rows of a view. */
struct verdict_overall {
    struct verdict_choice choice;
    size_t proven;                /* as in struct verdict */
    size_t closest, closest_rows; /* the method that stays within on the most rows, and on how many */
};

/* What ranks a method beside the data on which it stays within a limit; NaN: not known, worse than all. */
struct verdict_standing {
    double cost;         /* on a GPU nanoseconds per element, else additions per number */
    double worst, bound; /* of all rows of the view */
};

struct verdict {
    const struct results *results;
    const char **methods; /* that were measured, in the order of the study */
    size_t method_count;
    struct verdict_row *rows; /* in the order of the study, then by view */
    size_t row_count;
    struct verdict_view *views;
    size_t view_count;
    enum metric unit;                  /* METRIC_ulp_error or METRIC_backward_error */
    struct target limits[LIMITS_MOST]; /* 1 and 4 of the unit and the target, if there is one */
    size_t limit_count;
    struct target target;
    struct verdict_cell *cells;         /* row_count x method_count */
    const struct speed **speeds;        /* view_count x method_count; NULL: not timed */
    struct verdict_standing *standings; /* likewise */
    struct verdict_choice *choices;     /* row_count x limit_count */
    size_t *proven;                     /* likewise: the cheapest of those that stay within by proof */
    struct verdict_overall *overall;    /* view_count x limit_count */
};

/* The caller frees it also after a failure. */
void verdict_make(const struct results *results, const struct target *target, struct verdict *verdict);
void verdict_free(struct verdict *verdict);

const struct verdict_cell *verdict_cell(const struct verdict *verdict, size_t row, size_t method);
const struct speed *verdict_speed(const struct verdict *verdict, size_t view, size_t method); /* NULL: not timed */
const struct verdict_choice *verdict_choice(const struct verdict *verdict, size_t row, size_t limit);
const struct verdict_overall *verdict_overall(const struct verdict *verdict, size_t view, size_t limit);

size_t verdict_proven(const struct verdict *verdict, size_t row, size_t limit); /* or NO_METHOD */

/* What is proven of the errors of a cell, in the unit of the limit; NaN: nothing. */
double verdict_bound(const struct verdict_cell *cell, const struct target *limit);

/* How many rows a view has, and on how many of them a method stays within a limit. */
size_t verdict_rows_of(const struct verdict *verdict, size_t view);
size_t verdict_rows_within(const struct verdict *verdict, size_t view, size_t method, const struct target *limit);
bool verdict_stays_within(const struct verdict *verdict, size_t row, size_t method, const struct target *limit);

/* What additions are counted for: "number", of two vectors "product". */
const char *verdict_term(const struct verdict *verdict);

/* Whether its methods ran on a GPU, whose times are what they cost. */
bool verdict_is_on_gpu(const struct verdict *verdict, size_t view);
const struct verdict_standing *verdict_standing(const struct verdict *verdict, size_t view, size_t method);

/* Which of two methods, of a view each, is to be preferred: below 0 the first one. */
int verdict_compare(const struct verdict *verdict, size_t view, size_t method, size_t other_view, size_t other);

/* The verdict in sentences, the same for every output. */

/* A line a sentence: who stays within the target, or the tightest limit that anybody meets, on everything, and what
 * that costs; what is proven of that; and what conversions cost.  Allocated. */
char *verdict_sentences(const struct verdict *verdict);

/* "4 methods on 2 kinds of data, 10 specs in all: 2600 sums, by replay on host, seed 1 ...".  Allocated. */
char *run_sentence(const struct results *results);

/* The methods ranked, for readers of one table: how much of the data each may be used on, what it costs, where it
 * breaks.
 */

/* A line per method and view: on how many of the data its worst sum stays within each limit, its worst sum, its cost,
 * and the easiest data on which it breaks 1 ulp, or the target: those that most methods manage, of the least condition.
 * First comes who stays within on most data; of equal ones the one that verdict_compare() prefers. */
struct grid ranking_grid(const struct results *results, const struct verdict *verdict);

/* What its columns mean, for the line over it. */
enum { RANKING_LEGEND = 512 };
void ranking_legend(const struct results *results, const struct verdict *verdict, char text[RANKING_LEGEND]);
