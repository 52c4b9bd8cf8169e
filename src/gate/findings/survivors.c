#include "findings.h"

bool survived(const struct broken_sum *sum)
{
    return sum->fate == FATE_SURVIVED || sum->fate == FATE_UNSEEN;
}

/* That a sum is one more of; or a new one.  Sums stand by fault. */
static struct survivor *survivor_of(struct survivors *survivors, const struct broken_sum *sum)
{
    for (size_t i = survivors->count; i > 0; i--) {
        const struct broken_sum *first = survivors->list[i - 1].sum;
        if (strcmp(first->fault->id, sum->fault->id) != 0)
            break;
        if (first->fate == sum->fate)
            return &survivors->list[i - 1];
    }
    struct survivor *survivor = &survivors->list[survivors->count++];
    survivor->sum = sum;
    return survivor;
}

void survivors_make(const struct vacuity *vacuity, struct survivors *survivors)
{
    const size_t count = vacuity ? vacuity->count : 0;
    *survivors = (struct survivors){.list = memory_cleared(count + 1, sizeof *survivors->list)};
    for (size_t i = 0; i < count; i++)
        if (survived(&vacuity->sums[i]))
            survivor_of(survivors, &vacuity->sums[i])->count++;
}

void survivors_free(struct survivors *survivors)
{
    free(survivors->list);
    *survivors = (struct survivors){0};
}

char *survivor_text(const struct survivor *survivor)
{
    const struct broken_sum *sum = survivor->sum;
    const size_t others = survivor->count - 1;
    struct text text = {0};
    text_append(&text, "%s in %s", sum->fault->id, sum->method);
    if (others > 0)
        text_append(&text, " and %zu method%s more", others, others == 1 ? "" : "s");
    text_append(&text, ": %s", sum->fault->meaning);
    OWNED char *raw = text_take(&text);
    return clean_text(raw);
}

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
