#include "probe.h"

#include "builder.h"
#include "checker.h"

static enum status reveal(struct asker *asker, struct probe *probe)
{
    TRY(build_tree(asker, &probe->tree));
    probe->sums_to_build = asker->sums;
    TRY(check_tree(asker, probe));
    probe->sums_to_check = asker->sums - probe->sums_to_build;
    return OK;
}

enum status probe_reveal(const struct black_box *box, uint64_t n, struct probe *probe)
{
    *probe = (struct probe){0};
    if (n < 1 || n > PROBE_MOST_N)
        return bad_input("%s: n = %llu; expected from 1 to %d elements; choose such an n", box->name,
                         (unsigned long long)n, PROBE_MOST_N);
    struct asker asker;
    TRY(asker_start(box, n, &asker));
    const enum status status = reveal(&asker, probe);
    asker_end(&asker);
    if (status != OK)
        probe_free(probe);
    return status;
}

void probe_free(struct probe *probe)
{
    probe_tree_free(&probe->tree);
    *probe = (struct probe){0};
}
