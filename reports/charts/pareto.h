/* The Pareto front: of points that have a cost and an error, those that no other beats. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct pareto_point {
    double cost, error; /* less is better, of both */
};

/* front[i]: no other point is better in one and at least as good in the other.  Equal points are on it together.  A
 * point whose cost or error is NaN or infinite is never on it and beats nobody. */
void pareto_front(const struct pareto_point *points, size_t count, bool *front);
