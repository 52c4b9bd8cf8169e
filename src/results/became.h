/* What became of a series: the one judge of "worse", for `report A B` and for `baseline save --update`.
 *
 * Two series are comparable where they are sums of the same numbers, as far as their runs say it: of one format, one
 * operation, one seed, one n, one number of sums and one data file; and where their bits do not change from run to run.
 * Then the first of these that differs decides: the results of one data set, where there was one and the order is
 * fixed; sums that are wrongly no number; the largest error in ulp, p99, p50.  NaN is larger than every number.  The
 * same bits are the same.
 *
 *   const struct judgement judged = became_judge(&then, &now);
 *   judged.became BECAME_WORSE, judged.decided BY_MAX, judged.then 0.5, judged.now 12.3
 */
#pragma once

#include "src/results/results.h"

enum became {
    BECAME_SAME,
    BECAME_BETTER,
    BECAME_WORSE,
    BECAME_NOT_COMPARABLE,
    BECAME_NEW,     /* only the later one is there */
    BECAME_MISSING, /* only the earlier one */
    BECAMES
};
extern const char *const became_words[BECAMES]; /* "same", "better", "worse", "not comparable", "new", "missing" */

enum decider { BY_NOTHING, BY_RESULTS, BY_NONFINITE, BY_MAX, BY_P99, BY_P50, DECIDERS };
extern const char *const decider_words[DECIDERS]; /* "", "results", "nonfinite", "max", "p99", "p50" */

/* What is known of a series that is held against another one: of a run, or of a line of a baseline. */
struct held {
    uint64_t seed, n, sums;
    char file[FILE_HASH_TEXT]; /* SHA-256 of the data file; "": the data are computed */
    bool is_unordered;         /* its bits may be other ones in every run */
    uint64_t results;          /* different ones of one data set, the most */
    const char *bits;          /* their SHA-256 */
    uint64_t nonfinite;        /* sums that are wrongly no number */
    double max, p99, p50;      /* of the error in ulp */
    const struct format *format;
    enum operation operation;
};

struct judgement {
    enum became became;
    enum decider decided;  /* BY_NOTHING where the change is neither better nor worse */
    double then, now;      /* of what decided; else the largest error */
    double factor;         /* now / then; 1 where they are equal */
    char why[REASON_SIZE]; /* of BECAME_NOT_COMPARABLE: "seed 1 against 2"; else "" */
};

struct held held_of(const struct results *results, const struct series *series);

/* Whether the two are sums of the same numbers; else `why` says what differs. */
bool became_same_sums(const struct held *then, const struct held *now, char why[REASON_SIZE]);

struct judgement became_judge(const struct held *then, const struct held *now);

/* The SHA-256 of the file that the data of a run are of; "" when they are computed. */
void results_data_file(const struct results *results, const char *data, char file[FILE_HASH_TEXT]);
