#include "setting.h"

#include "reports/spec_labels.h"

void group_chart_begin(struct chart *chart, const char *what, const struct results *results, const struct group *group)
{
    const char *entry = results->study.entries[group->entry].text;
    char family[LABEL_TEXT], launch[32] = "";
    spec_family(entry, family);
    if (group->other_launches)
        snprintf(launch, sizeof launch, "-%ux%u", group->launch.blocks, group->launch.threads);
    chart_begin(chart, what);
    chart_set(&chart->name, "%s-%zu-%s%s%s%s", what, group->entry + 1, family, launch, group->other_backends ? "-" : "",
              group->other_backends ? group->backend->id : "");
    chart_set(&chart->title, "%s", entry);
}

void group_context(const struct group *group, char text[GROUP_CONTEXT])
{
    char launch[LAUNCH_TEXT];
    launch_text(group->launch, launch);
    snprintf(text, GROUP_CONTEXT, "%s%s%s%s", group->other_backends ? group->backend->id : "",
             group->other_backends && group->other_launches ? ", " : "", group->other_launches ? launch : "",
             group->other_backends || group->other_launches ? "; " : "");
}

static bool is_first_of_accumulator(const char *const *methods, size_t method)
{
    const size_t length = strcspn(methods[method], "/");
    for (size_t m = 0; m < method; m++)
        if (strcspn(methods[m], "/") == length && memcmp(methods[m], methods[method], length) == 0)
            return false;
    return true;
}

size_t panel_methods(const char *const *methods, size_t count, size_t most, size_t *chosen)
{
    size_t found = 0;
    for (size_t m = 0; m < count && found < most; m++)
        if (count <= most || is_first_of_accumulator(methods, m))
            chosen[found++] = m;
    return found;
}

static size_t accumulators(const char *const *methods, size_t count)
{
    size_t found = 0;
    for (size_t m = 0; m < count; m++)
        found += is_first_of_accumulator(methods, m);
    return found;
}

void panel_methods_say(const char *const *methods, size_t count, size_t drawn, const char *which, FILE *out)
{
    const size_t all = accumulators(methods, count);
    if (drawn == count)
        return;
    fprintf(out, " %zu of %zu methods%s are drawn: the first of each accumulator", drawn, count, which);
    if (drawn < all)
        fprintf(out, ", as far as the first %zu of %zu accumulators", drawn, all);
    fputs(".", out);
}
