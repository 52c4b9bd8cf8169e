/* What the families of a given condition number share: trying again until it is reached, the refusal.
 *
 *   cond = sum |x| / |sum x|
 */
#pragma once

#include "generator.h"
#include "running_sum.h"

enum { CONDITIONED_ATTEMPTS = 20 };

/* The format's limit: sum |x| < 2^127, so that no order of adding overflows, over |s| >= 2^-149 is 2^276 = 1.2e83. */
#define CONDITION_MOST 1e83

/* The 276 of it, for any format. */
int conditioned_room(const struct format *format);

/* The row "cond" in another format: up to 1e78 for bfloat16, 5e11 for binary16, and 1e300 for binary64, whose own
 * limit, 2^2097, no binary64 holds. */
void conditioned_adapt(const struct format *format, struct parameter *row);

/* What has been added: its exact value, and sum |x| to 53 bits, which only steers. */
struct conditioned_sum {
    struct running_sum exact;
    double abs;
};

void conditioned_clear(struct conditioned_sum *sum);
void conditioned_add(struct conditioned_sum *sum, double x);

/* Infinite when the terms cancel altogether, and when sum |x| is not below half of what overflows, 2^127 for binary32:
 * some order might. */
double conditioned_reached(const struct format *format, const struct conditioned_sum *sum);

/* Makes x; attempts differ in their random bits.  *reached is the condition number. */
typedef enum status conditioned_attempt(const struct generator_call *call, uint32_t attempt, void *x, double *reached);

/* Attempts until the condition is within a factor of 3 of `cond`.  Else complains, naming the family and the nearest
 * condition that was reached, and returns BAD_INPUT. */
enum status conditioned_build(const struct generator_call *call, const char *family, double cond,
                              conditioned_attempt *attempt, void *x);

/* How many binades there are from 1 to `v`, the last one maybe in part: e with 2^(e-1) < v <= 2^e. */
int conditioned_binades(double v);
