/* What a check finds: what each rule says of each series. */
#pragma once

#include "src/gate/baseline/baseline.h"

enum verdict {
    VERDICT_FAILED,
    VERDICT_ALLOWED, /* it fails, and somebody accepts that */
    VERDICT_PASSED,
    VERDICT_SKIPPED, /* there is nothing to compare: `reason` says why */
    VERDICTS
};
extern const char *const verdict_words[VERDICTS]; /* "FAIL", "allowed", "ok", "skipped" */

/* What one rule says of one series. */
struct finding {
    enum verdict verdict;
    const struct rule *rule;
    const struct series *series;          /* NULL: the baseline has it, the run lacks it */
    const struct baseline_series *before; /* its line in the baseline, where the rule asks for one; or NULL */
    double value, limit;                  /* that were compared, in `unit`; NaN: none */
    const char *unit;
    char *said;  /* "ulp_error max 12.3 ulp, limit 1.5ulp": for people, without method and data */
    char *cause; /* what the sums of a failing series equal, see diagnosis.h; NULL: it was not asked for */
    const struct allowance *allowance; /* that allows it, or did until it expired; NULL: none */
    const struct varied_axis *varied;  /* of what failed across an axis: the variation; else NULL */
    uint64_t zeros_pass, zeros_tried;  /* sums in whose place a 0 passes the rule, of those that are not 0 */
};

struct check {
    /* Given. */
    const struct results *results;
    const struct limits *limits;
    const struct baseline *baseline; /* NULL: none */
    struct date today;
    uint64_t kernels_compared, kernels_differ; /* results of kernels beside their replays; those that have other bits */

    /* Found. */
    struct finding *findings; /* by verdict, then in the order of series and rules */
    size_t count;
    size_t by[VERDICTS];
    size_t expired;      /* allowances whose last day is over */
    size_t *allowed_by;  /* of each allowance: how many findings it allows, or series */
    size_t *compared_by; /* of each rule: how many series it was compared with, and how many it matched */
    size_t *matched_by;
    size_t checked_series; /* of results->series_count: that at least one rule was compared with */
    size_t idle;           /* rules that hold nothing */
    size_t partial;        /* series that lack sums which their study has */
    bool *holds_nothing;   /* of each rule: zeros pass it on all of its data; NULL: nobody tried */
    bool *is_unheld;       /* of each series: zeros pass every rule about it, and nobody allows that; or NULL */
    size_t unheld;         /* how many of them */
};

/* Whether a failing finding is about what was run, and not about its sums: too few of them, another seed than the
 * baseline's.  Nothing can be said of the sums then. */
bool finding_is_of_study(const struct finding *finding);

/* Whether a rule is about a series, or an allowance. */
bool rule_matches(const struct rule *rule, const char *method, const char *data, const struct backend *backend);
bool allowance_matches(const struct allowance *allowance, const char *method, const char *data);
bool allowance_is_over(const struct check *check, const struct allowance *allowance);
