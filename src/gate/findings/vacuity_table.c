#include "findings.h"

enum { FAULT, KILLED, SURVIVED, UNSEEN, NOT_JUDGED };

static void add_row(struct grid *grid, const char *fault, const size_t by[FATES])
{
    const size_t survivors = by[FATE_SURVIVED] + by[FATE_UNSEEN];
    grid_row(grid);
    grid_set(grid, FAULT, TONE_PLAIN, "%s", fault);
    grid_count(grid, KILLED, by[FATE_KILLED]);
    grid_set(grid, SURVIVED, survivors > 0 ? TONE_BAD : TONE_PLAIN, "%zu", survivors);
    grid_count(grid, UNSEEN, by[FATE_UNSEEN]);
    grid_count(grid, NOT_JUDGED, by[FATE_NOT_JUDGED]);
}

struct grid vacuity_table(const struct vacuity *vacuity, bool all)
{
    struct grid grid = grid_headed(1, "fault | > killed | > survived | > of these unseen | > not judged");
    for (size_t i = 0, end; i < vacuity->count; i = end) {
        const char *fault = vacuity->sums[i].fault->id;
        size_t by[FATES] = {0};
        for (end = i; end < vacuity->count && strcmp(vacuity->sums[end].fault->id, fault) == 0; end++)
            by[vacuity->sums[end].fate]++;
        if (all || by[FATE_KILLED] < end - i)
            add_row(&grid, fault, by);
    }
    return grid;
}
