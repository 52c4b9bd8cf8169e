/* The statistics of a series, by name and by number, in the order of every output. */
#pragma once

#include "src/results/results.h"

enum statistic {
#define STATISTIC(id) STATISTIC_##id,
#include "statistics.def"
    STATISTICS
};

static inline const char *statistic_name(enum statistic which)
{
    static const char *const names[STATISTICS] = {
#define STATISTIC(id) #id,
#include "statistics.def"
    };
    return names[which];
}

static inline double statistic_value(const struct statistics *statistics, enum statistic which)
{
    const double values[STATISTICS] = {
#define STATISTIC(id) statistics->id,
#include "statistics.def"
    };
    return values[which];
}
