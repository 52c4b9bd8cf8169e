/* The error that the user can live with: --target 2ulp, --target 1e-6. */
#pragma once

#include "src/base/status.h"
#include "src/measure/metric.h"

struct target {
    const char *text;   /* as it was written; NULL: there is none */
    enum metric metric; /* METRIC_ulp_error or METRIC_relative_error */
    double limit;       /* at most this */
};

/* BAD_INPUT unless it is a positive number, with "ulp" behind it or, for a relative error, nothing. */
enum status target_read(const char *text, const char *where, struct target *target);
