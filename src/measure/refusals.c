#include "refusals.h"

#include "src/base/base.h"

/* More names would hide the reason, which stands at the end of the line. */
enum { NAMES_MOST = 3 };

static struct refusal *refusal_of(struct refusals *refusals, const char *why)
{
    for (size_t i = 0; i < refusals->count; i++)
        if (strcmp(refusals->list[i].why, why) == 0)
            return &refusals->list[i];
    refusals->list = memory_resized(refusals->list, (refusals->count + 1) * sizeof *refusals->list);
    struct refusal *added = &refusals->list[refusals->count++];
    *added = (struct refusal){0};
    strncpy(added->why, why, REASON_SIZE - 1);
    return added;
}

void refusals_add(struct refusals *refusals, const char *method, const char *why)
{
    struct refusal *refusal = refusal_of(refusals, why);
    if (refusal->count < NAMES_MOST)
        text_append(&refusal->names, "%s%s", refusal->count > 0 ? ", " : "", method);
    refusal->count++;
}

void refusals_tell(struct refusals *refusals, const char *verb, const char *place, bool quiet)
{
    for (size_t i = 0; i < refusals->count; i++) {
        const struct refusal *refusal = &refusals->list[i];
        const size_t more = refusal->count > NAMES_MOST ? refusal->count - NAMES_MOST : 0;
        char rest[32] = "";
        if (more > 0)
            snprintf(rest, sizeof rest, " and %zu more", more);
        if (!quiet)
            complain("%s %s%s%s: %s", verb, refusal->names.text, rest, place, refusal->why);
        free(refusal->names.text);
    }
    free(refusals->list);
    *refusals = (struct refusals){0};
}
