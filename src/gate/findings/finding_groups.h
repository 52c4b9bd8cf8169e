/* Findings of one verdict that say the same, counted: "12 series: no bound is claimed for it". */
#pragma once

#include "findings.h"

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
