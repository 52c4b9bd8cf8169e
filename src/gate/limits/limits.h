/* A limits file: what a run is held to.
 *
 *   schema: ulpscope-limits/1
 *   rules:                                            # every matching rule applies
 *     - {method: "kahan*", data: "uniform*", metric: ulp_error, statistic: max, limit: 1.5ulp, why: "Higham 4.8"}
 *     - {method: "*", data: "*", metric: bound_ratio, limit: auto}
 *     - {method: "*", data: "integers*", metric: bits, same: exact}
 *     - {method: "*", data: "*", metric: bits, same: "across(repeat, batch)"}
 *   allow:
 *     - {method: plain/serial, data: "swamp*", until: 2027-03-01, why: "lesson 3 shows it"}
 *
 *   allow_no_claim:
 *     - {method: "*", data: "gensum*", why: "no limit holds these: they are there for their bits on the GPU"}
 *
 * docs/ci.md says what each key takes.
 */
#pragma once

#include "kernels/tree_bound.h"
#include "src/results/results.h"

#include <math.h>

/* A day of the calendar, from the year 1000 on, as it is written: 2027-03-01.  The order of days is that of their
 * texts. */

struct date {
    char text[sizeof "2027-03-01"];
};

/* Whether the text is a day. */
bool date_read(const char *text, struct date *date);
bool date_is_after(struct date date, struct date other);

/* Of the machine's clock, UTC. */
struct date date_today(void);

/* What a rule is about: an error metric, by its number, or one of these. */
enum {
    GATE_BITS = METRICS, /* of the results */
    GATE_SPREAD, /* between the results of one data set that is summed again: the largest less the least, in ulp(s) */
    GATE_NONFINITE, /* sums that are no number, where IEEE 754 gives one or another infinity */
    GATE_METRICS,
    GATE_NO_CLAIM /* of an allowance: that rules hold nothing */
};
extern const char *const gate_metric_names[GATE_METRICS];

enum gate_statistic { GATE_MAX, GATE_P99, GATE_P50, GATE_MEAN, GATE_COUNT, GATE_STATISTICS };
extern const char *const gate_statistic_names[GATE_STATISTICS];

enum limit_kind {
    LIMIT_NUMBER,        /* at most `number`, in the unit of the metric */
    LIMIT_LEAST,         /* at least `number`; of a count */
    LIMIT_AUTO,          /* what theory promises of each sum: its bound, or that of plain additions in `tree` */
    LIMIT_BOUND,         /* at most `number` times that */
    LIMIT_BASELINE,      /* at most `number` times the baseline's value */
    LIMIT_SAME_EXACT,    /* bits: the correctly rounded exact sum */
    LIMIT_SAME_BASELINE, /* bits: those of the baseline */
    LIMIT_SAME_ACROSS,   /* bits: the same whatever value `axes` have */
};

struct limit {
    enum limit_kind kind;
    double number;
    const char *unit;      /* that it was written in, where values of the metric have another: "%", "u"; else NULL */
    double parts;          /* so many of that unit are 1 */
    uint32_t axes;         /* a bit for each (src/study/axis.h) */
    struct tree_word tree; /* of LIMIT_AUTO; that of any order: none was named */
    char *text;            /* as it was written: "1.5ulp", "across(repeat, batch)" */
};

struct rule {
    char *method, *data;           /* globs; an alias is the method that it stands for */
    const struct backend *backend; /* NULL: all */
    int metric;                    /* an enum metric, or GATE_BITS ... */
    enum gate_statistic statistic; /* GATE_COUNT of nonfinite, which has no other */
    struct limit limit;
    char *why; /* NULL: none */
    size_t line;
};

/* Failures that are known and accepted, for a while; or series that rules may hold nothing of, which have no date. */
struct allowance {
    char *method, *data; /* globs */
    int metric;          /* GATE_METRICS: whatever fails; or GATE_NO_CLAIM */
    struct date until;   /* the last day; empty where there is none */
    char *why;
    size_t line;
};

struct limits {
    char *path;
    struct rule *rules;
    size_t rule_count;
    struct allowance *allowances; /* those of allow_no_claim too */
    size_t allowance_count;
};

/* "-" is stdin.  BAD_INPUT, with file and line, for everything that is no limits file; free it also then. */
enum status limits_read(const char *path, struct limits *limits);
void limits_free(struct limits *limits);

/* The first rule that asks for a baseline; NULL: none does. */
const struct rule *limits_need_baseline(const struct limits *limits);

/* A limit of a metric's statistic from its text: "1.5ulp", "4u", "0x1p-20", "0.1%", "baseline*1.1", "bound*0.5",
 * "auto", "auto:pairwise".  BAD_INPUT, with a complaint that starts with `where`; nothing is allocated then. */
enum status limit_read(const char *text, const char *where, int metric, enum gate_statistic statistic,
                       struct limit *limit);

/* Its number is that of results in binary32; a series of others has it by the u of its own. */
bool limit_is_in_u(const struct limit *limit);

/* The unit of a metric's values, for people: "ulp", "" ... */
const char *gate_unit(int metric, enum gate_statistic statistic);

/* The numbers of a series that limits and baselines are about. */

/* In the metric's unit; NaN where no sum has one, and where a sum is NaN. */
double gate_value(const struct series *series, int metric, enum gate_statistic statistic);
