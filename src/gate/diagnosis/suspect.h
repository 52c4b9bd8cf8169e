/* A failing series that is being diagnosed, and what is said of it in the end. */
#pragma once

#include "hypothesis.h"
#include "src/gate/data_again.h"
#include "src/gate/run_rows.h"

struct suspect {
    size_t series; /* of the results */
    uint64_t n;
    struct claimed_method claimed;
    bool breaks_theorem; /* a sum is above its proven bound, or wrongly no number */
    bool has_changed;    /* it is held to a baseline, and its bits or errors differ */
    const struct series_rows *rows;
    size_t *first_row;       /* of each data set of the group, and the end */
    struct hypothesis sound; /* the method itself */
    uint64_t *sound_sums;    /* bits, by data set */
    size_t *order;           /* of data sets: those on which the method itself differs come first */
    size_t taken, differing; /* data sets that are compared; of these, on which the method itself differs */
    size_t reach;            /* of `taken`: as far as the budget goes */
    uint64_t budget;         /* additions that are left to it */
    struct hypotheses nearby, distant;
    size_t untried;   /* hypotheses */
    bool searched;    /* for elements: `distant` has all that may be it */
    bool is_constant; /* see settle_as_constant */
    char *cause;      /* not NULL: it is settled */
};

/* The failing series of one data spec, and its data sets. */
struct group {
    struct again again;
    const struct summed_data *data;
    size_t data_count;
    struct suspect *suspects;
    size_t suspect_count;
};

void suspect_free(struct suspect *suspect);

/* Its results are elements of matrix products. */
static inline bool suspect_is_product(const struct suspect *suspect)
{
    return suspect->claimed.method && operation_table[suspect->claimed.method->operation].of == MATRICES;
}

/* Notes the sum of a hypothesis on a data set: how many of its rows have these bits. */
void suspect_compare(const struct suspect *suspect, struct hypothesis *hypothesis, size_t data, uint64_t bits);

/* These set the cause.  Of `others` in a list that fit as well some are named. */
enum { CAUSES_MOST = 3 };
void settle_undiagnosed(struct suspect *suspect, const char *why);
void settle_as_sound(struct suspect *suspect);
void settle_as(struct suspect *suspect, const struct hypothesis *hypothesis, const struct hypotheses *list,
               size_t others);
void settle_as_own(struct suspect *suspect, const struct hypothesis *fault, size_t others);
void settle_as_none(struct suspect *suspect);

/* As the simplest of those that fit all, if there is one. */
void settle_if_found(struct suspect *suspect, const struct hypotheses *hypotheses);

/* A black box whose sums are all one number; fault: NULL, or the one of the nearby that has no other sums. */
void settle_as_constant(struct suspect *suspect, const struct hypothesis *fault);

/* The first that fits all, of a black box the simplest; NULL: none does. */
const struct hypothesis *simplest_of(const struct hypotheses *hypotheses);
