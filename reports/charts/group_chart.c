#include "group_chart.h"

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

/* Whether no method before it begins alike: with the accumulator, up to "/", or the operation, up to ":". */
static bool is_first_of(const char *const *methods, size_t method, const char *end)
{
    const size_t length = strcspn(methods[method], end);
    for (size_t m = 0; m < method; m++)
        if (strcspn(methods[m], end) == length && memcmp(methods[m], methods[method], length) == 0)
            return false;
    return true;
}

static size_t beginnings(const char *const *methods, size_t count, const char *end)
{
    size_t found = 0;
    for (size_t m = 0; m < count; m++)
        found += is_first_of(methods, m, end);
    return found;
}

/* Of several operations, if they are no more than fit, and accumulators are: of each the first one. */
static const char *what_is_drawn(const char *const *methods, size_t count, size_t most)
{
    const size_t operations = count > 0 && strchr(methods[0], ':') ? beginnings(methods, count, ":") : 1;
    return operations > 1 && operations <= most && beginnings(methods, count, "/") > most ? ":" : "/";
}

size_t panel_methods(const char *const *methods, size_t count, size_t most, size_t *chosen)
{
    const char *end = what_is_drawn(methods, count, most);
    size_t found = 0;
    for (size_t m = 0; m < count && found < most; m++)
        if (count <= most || is_first_of(methods, m, end))
            chosen[found++] = m;
    return found;
}

void panel_methods_say(const char *const *methods, size_t count, size_t drawn, FILE *out)
{
    if (drawn == count)
        return;
    const char *end = what_is_drawn(methods, count, drawn);
    const size_t all = beginnings(methods, count, end);
    fprintf(out, " %zu of %zu methods are drawn: the first of each %s", drawn, count,
            *end == ':' ? "operation" : "accumulator");
    if (drawn < all)
        fprintf(out, ", as far as the first %zu of %zu accumulators", drawn, all);
    fputs(".", out);
}
