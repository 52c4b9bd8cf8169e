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
