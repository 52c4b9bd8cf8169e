/* A check as its outputs tell it: findings by series, each with a name of its own, and all texts ready to be printed.
 *
 *   findings_make(checked, &findings);
 *   findings.subjects[i].name, .verdict, .list[k]->said ...
 *   findings.sentence
 */
#pragma once

#include "src/gate/check_output.h"

/* All texts here are printable: valid UTF-8 without line breaks and other control characters. */
struct told_finding {
    const struct finding *finding;
    char *said;    /* with the reason of the rule: "ulp_error max 12.3 ulp, limit 1.5ulp (Higham 4.8)" */
    char *allowed; /* of an allowed one: "until 2027-03-01 (lesson 3 shows it)"; or NULL */
};

/* A series of the run, or one that it lacks, and what all rules say of it. */
struct subject {
    const struct series *series;          /* NULL: the run lacks it */
    const struct baseline_series *before; /* of one that the run lacks */
    const struct backend *backend;
    struct launch launch;
    char *method;
    char *name; /* "uniform:n=1024, 120 x 256, replay"; where several of a method have that, " #2" behind the second */
    char *cause, *rerun; /* of one that fails, or NULL */
    enum verdict verdict;
    struct told_finding *list; /* by verdict, then rule */
    size_t count;              /* 0: no rule is about it, and it counts as skipped */
};

struct told_rule {
    char *place; /* "limits.yaml:4" */
};

enum allowance_state { ALLOWANCE_USED, ALLOWANCE_UNUSED, ALLOWANCE_EXPIRED, ALLOWANCE_STATES };
extern const char *const allowance_words[ALLOWANCE_STATES]; /* "allowed", "unused", "expired" */

struct told_allowance {
    enum allowance_state state;
    bool is_idle; /* of an unused one: no series is like it */
    char *place;
    char *about; /* "plain/serial on swamp*, ulp_error" */
    char *until; /* "until 2027-03-01 (lesson 3 shows it)" */
};

/* What was not held to the limits, so that nothing can be said to be fine: a rule that holds nothing, a series that
 * such rules alone hold, or a run that is not complete. */
struct told_gap {
    char *about; /* "rule 2: kahn/serial on uniform*, ulp_error", or "the run"; no two are the same */
    char *said;  /* "limits.yaml:4: this rule holds nothing: it is about no series" */
    size_t line; /* of the limits; 0: of the run */
};

struct findings {
    struct subject *subjects; /* in the order of the run, then those that it lacks */
    size_t count;
    size_t by[VERDICTS]; /* subjects, each by the worst that is found */
    size_t unruled;      /* of the skipped ones: no rule is about them */
    size_t missing;      /* of the failing ones: the run lacks them */
    size_t unused;       /* allowances */
    struct told_finding *list;
    struct told_rule *rules;           /* of check->limits, in that order */
    struct told_allowance *allowances; /* likewise */
    struct told_gap *gaps;
    size_t gap_count;
    struct told_gap *warnings; /* rules that zeros pass */
    size_t warning_count;
    char *sentence;  /* "24 series checked by 5 rules: 3 FAIL, 21 ok; 2 skipped; 1 allowance expired, 1 unused";
                        and how many rules hold nothing, and whether the run is incomplete */
    const char *own; /* "no code of yours was measured: ..."; NULL: some was, or something fails */
};

/* The metric that it is about, or "no_claim"; NULL: all. */
const char *allowance_metric(const struct allowance *allowance);

void findings_make(const struct checked *checked, struct findings *findings);
void findings_free(struct findings *findings);

/* The rule of a finding, as `findings` tells it. */
const struct told_rule *findings_rule(const struct checked *checked, const struct findings *findings,
                                      const struct finding *finding);

/* Whether everything is fine, and was held to the limits at all: what a headline says. */
bool findings_pass(const struct checked *checked);

/* A check as a comment on a pull request, and as the summary of a job. */

/* At most 60,000 bytes; a bot finds its comment by the first line.  Allocated. */
char *check_markdown(const struct checked *checked, const struct findings *findings);

/* Text for a place with little room. */

/* A text of at most `most` bytes, the end of a longer one replaced by "…"; valid UTF-8 stays so.  Allocated. */
char *cut_text(const char *text, size_t most);

/* Findings of one verdict that say the same, counted: "12 series: no bound is claimed for it". */

struct finding_group {
    const char *place;             /* of the rule; of allowed ones, of the allowance */
    const char *source;            /* the address of that rule or allowance */
    const char *text;              /* failing: the cause, or ""; allowed: until when; skipped: the reason */
    const struct subject *subject; /* the first */
    const struct told_finding *finding;
    size_t count; /* series */
};

struct finding_groups {
    struct finding_group *list; /* by rule or allowance, then in the order of the series */
    size_t count;
};

/* Of all subjects but those before `first`. */
void finding_groups_make(const struct checked *checked, const struct findings *findings, enum verdict verdict,
                         size_t first, struct finding_groups *groups);
void finding_groups_free(struct finding_groups *groups);
