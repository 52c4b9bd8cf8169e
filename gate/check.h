/* A run held to limits and a baseline.
 *
 *   struct check check = {.results = &results, .limits = &limits, .baseline = &baseline, .today = date_today()};
 *   TRY(check_make(&check));
 *   check.findings[i] ...
 *   check_free(&check);
 */
#ifndef ULPSCOPE_CHECK_H
#define ULPSCOPE_CHECK_H

#include "baseline/baseline.h"
#include "limits/limits.h"
#include "limits/value.h"

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
    size_t *allowed_by;  /* of each allowance: how many findings it allows */
    size_t *compared_by; /* of each rule: how many series it was compared with, and how many it matched */
    size_t *matched_by;
    size_t checked_series; /* of results->series_count: that at least one rule was compared with */
    size_t idle;           /* rules that hold nothing */
    size_t partial;        /* series that lack sums which their study has */
};

/* BAD_INPUT when a rule matches nothing, or has nothing to compare; all findings are made nevertheless.  Free it also
 * after a failure. */
enum status check_make(struct check *check);

/* The findings of some series alone, in the order of series and rules: rules that say nothing, what the run lacks and
 * what expired are left out. */
enum status check_series(struct check *check, size_t first, size_t count);
void check_free(struct check *check);

/* Whether it passes: nothing fails, nothing expired, and no kernel differs from its replay. */
bool check_passes(const struct check *check);

/* Whether all that the study has was measured: what was not is held to nothing. */
bool check_is_complete(const struct check *check);

/* Whether a rule of a check that was made holds nothing. */
bool check_is_idle(const struct check *check, size_t rule);

/* Whether a failing finding is about what was run, and not about its sums: too few of them, another seed than the
 * baseline's.  Nothing can be said of the sums then. */
bool finding_is_of_study(const struct finding *finding);

/* Whether a rule is about a series, or an allowance. */
bool rule_matches(const struct rule *rule, const char *method, const char *data, const char *backend);
bool allowance_matches(const struct allowance *allowance, const char *method, const char *data);

#endif
