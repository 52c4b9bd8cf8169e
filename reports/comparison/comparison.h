/* Two runs held against each other: two GPUs, two toolkits, two commits.
 *
 * Series are matched by method, data spec, launch and backend; what is left over is matched without the backend, so
 * that the kernels of one run stand beside the replays of another.  What has no partner is new or missing.
 *
 *   struct comparison comparison;
 *   TRY(comparison_make(&report->runs[0], &report->runs[1], &comparison));
 *   comparison.pairs[0].differ ...
 *   comparison_free(&comparison);
 */
#pragma once

#include "reports/json_builder.h"
#include "reports/page/page.h"
#include "src/results/became.h"

/* A series of the first run and its partner in the other. */
struct series_pair {
    const struct series *first, *other;
    bool in_question; /* the rows may have bits in common */
    uint64_t common;  /* sums of the same trial and repeat of the same data, whose bits were held against each other */
    uint64_t differ;  /* of these: have other bits */
    bool other_data;  /* of one spec: a file or a family was changed */
    struct judgement judged;
};

/* Series of one run that have no partner, by what the other run lacks. */
struct absence {
    const char
        *kind; /* "method", "data", "launch", "backend", or "series": the other has all of them, but not together */
    char *name;
    uint64_t series;
};

struct absences {
    struct absence *list;
    size_t count;
    uint64_t series;
};

/* A fact that the runs state differently; "": not at all. */
struct fact_pair {
    const char *topic, *name, *first, *other;
};

struct speed_pair {
    const struct speed *first, *other;
};

struct comparison {
    const struct results *first, *other;
    struct series_pair *pairs; /* in the first run's order */
    size_t pair_count;
    size_t *changed; /* indices of the pairs with other bits or errors, worst first */
    size_t changed_count;
    struct absences missing, added; /* of the first run, and of the other */
    struct fact_pair *facts;        /* that differ */
    size_t fact_count;
    struct speed_pair *speeds; /* of methods that both have timed on the same backend at the same launch */
    size_t speed_count;

    /* Of the pairs. */
    uint64_t with_bits; /* whose bits were held against each other, or some of them */
    uint64_t other_bits, by[BECAMES], across_backends;
};

/* Reads the rows of both runs where the hashes of their bits differ.  Free it also after a failure. */
enum status comparison_make(const struct results *first, const struct results *other, struct comparison *comparison);
void comparison_free(struct comparison *comparison);

/* "B differs from A in the bits of 12 of 340 series; worse in 3, better in 9; 2 new, 1 missing."  Allocated. */
char *comparison_sentence(const struct comparison *comparison, const char *first, const char *other);

/* The largest error in ulp of a series; 0 where every sum is the NaN or infinity that it ought to be, NaN where one is
 * not. */
double series_error(const struct series *series);

/* Fills `common` and `differ` of every pair in question (comparison_rows.c).  Where sums of one trial and repeat are of
 * other data, the pair says so. */
enum status comparison_read_rows(struct comparison *comparison);

/* A comparison of runs, as each output writes it. */

enum status comparison_table(const struct report *report, const char *path); /* for a terminal */

/* The section "Comparison" of a page on several runs; it stands before those of the runs. */
enum status comparison_section(struct page *page, const struct report *report);

/* For scripts: the report's run `other` against its first, into *object, which the caller owns; docs/analysing.md
 * describes every field. */
enum status comparison_json(const struct report *report, size_t other, json_t **object);

/* What is shown of a comparison: a sentence, and tables of text.  The terminal and the page show the same ones.  The
 * runs are A, B, C ...; a table of them says which is which.
 */

struct comparison_part {
    const char *title; /* "Changed" */
    char *note;        /* what the table shows; whole sentences */
    struct grid grid;
};

enum { COMPARISON_PARTS_MOST = 8, COMPARISON_HEADING = 64 };

struct comparison_view {
    char heading[COMPARISON_HEADING]; /* "B against A" */
    char *sentence;
    struct comparison_part parts[COMPARISON_PARTS_MOST]; /* only those that have something to show */
    size_t part_count;
};

/* The report's run `other` against its first; at most `most` changed series are shown, the rest is counted. */
enum status comparison_view_make(const struct report *report, size_t other, size_t most, struct comparison_view *view);
void comparison_view_free(struct comparison_view *view);

/* A line per run. */
struct grid comparison_runs(const struct report *report);
