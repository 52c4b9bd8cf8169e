#include "findings.h"

#include "src/base/clean_text.h"

bool survived(const struct broken_sum *sum)
{
    return sum->fate == FATE_SURVIVED || sum->fate == FATE_UNSEEN;
}

static bool is_same_text(const char *left, const char *right)
{
    return left && right ? strcmp(left, right) == 0 : left == right;
}

/* That a sum is one more of; or a new one.  Sums stand by fault. */
static struct survivor *survivor_of(struct survivors *survivors, const struct broken_sum *sum)
{
    for (size_t i = survivors->count; i > 0; i--) {
        const struct broken_sum *first = survivors->list[i - 1].sum;
        if (strcmp(first->fault->id, sum->fault->id) != 0)
            break;
        if (first->fate == sum->fate && is_same_text(first->advice, sum->advice))
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
    text_append(&text, ": %s", sum->advice ? sum->advice : "nothing was found that kills it");
    char *raw = text_take(&text), *clean = clean_text(raw);
    free(raw);
    return clean;
}
