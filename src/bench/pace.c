#include "bench_session.h"

#include <math.h>

static const double WEIGHT = 0.01;

void pace_step(struct pace *pace, double predicted, double took)
{
    pace->left = fmax(pace->left - predicted, 0);
    pace->done += predicted;
    pace->took += took;
}

double pace_slowness(const struct pace *pace)
{
    const double prior = WEIGHT * (pace->left + pace->done);
    return prior > 0 ? (pace->took + prior) / (pace->done + prior) : 1;
}

double pace_seconds_left(const struct pace *pace)
{
    return pace->left * pace_slowness(pace);
}

uint64_t pace_rounds(const struct pace *pace, double seconds, double round, double once, uint64_t most)
{
    const double fitting = (seconds / pace_slowness(pace) - once) / round;
    if (!(fitting < (double)most))
        return most;
    return fitting > 1 ? (uint64_t)fitting : 1;
}
