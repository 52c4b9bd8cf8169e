#include "charts.h"

static const struct kind {
    bool (*group_has)(const struct group *group); /* NULL: each has one */
    void (*of_group)(const struct results *results, const struct group *group, struct chart *chart);
    void (*of_errors)(const struct results *results, const struct group *group, enum error_against against,
                      struct chart *chart); /* in its place, where they vary in `against` */
    enum error_against against;
} kinds[CHART_KINDS] = {
    [CHART_SIGNED_N] = {.group_has = signed_chart_applies, .of_group = signed_chart},
    [CHART_POSITION] = {.group_has = position_chart_applies, .of_group = position_chart},
    [CHART_HISTOGRAM] = {.of_group = histogram_chart},
    [CHART_OVERLAY_N] = {.of_errors = error_overlay, .against = AGAINST_N},
    [CHART_OVERLAY_CONDITION] = {.of_errors = error_overlay, .against = AGAINST_CONDITION},
    [CHART_ERROR_N] = {.of_errors = error_chart, .against = AGAINST_N},
    [CHART_ERROR_CONDITION] = {.of_errors = error_chart, .against = AGAINST_CONDITION},
};

/* One line alone is no overlay. */
static bool group_has(enum chart_kind kind, const struct group *group)
{
    const struct kind *of = &kinds[kind];
    if (of->of_errors)
        return error_chart_applies(group, of->against) && (of->of_errors != error_overlay || group->method_count > 1);
    return !of->group_has || of->group_has(group);
}

static void draw_group(enum chart_kind kind, const struct results *results, const struct group *group,
                       struct chart *chart)
{
    if (kinds[kind].of_errors)
        kinds[kind].of_errors(results, group, kinds[kind].against, chart);
    else
        kinds[kind].of_group(results, group, chart);
}

static struct chart *one_more(struct charts *charts)
{
    charts->list = memory_resized(charts->list, (charts->count + 1) * sizeof *charts->list);
    charts->list[charts->count] = (struct chart){0};
    return &charts->list[charts->count++];
}

static void add_kind(const struct results *results, enum chart_kind kind, struct charts *charts)
{
    for (size_t i = 0; i < results->series_count; i++) {
        FREED_BY(group_free) struct group group = {0};
        if (group_was_before(results, i))
            continue;
        group_make(results, i, &group);
        if (group_has(kind, &group))
            draw_group(kind, results, &group, one_more(charts));
    }
}

void charts_of_kind(const struct results *results, enum chart_kind kind, struct charts *charts)
{
    *charts = (struct charts){0};
    add_kind(results, kind, charts);
}

void charts_of(const struct results *results, struct charts *charts)
{
    *charts = (struct charts){0};
    for (int kind = 0; kind < CHART_KINDS; kind++)
        add_kind(results, (enum chart_kind)kind, charts);
}

void charts_free(struct charts *charts)
{
    for (size_t i = 0; i < charts->count; i++)
        chart_free(&charts->list[i]);
    free(charts->list);
    *charts = (struct charts){0};
}

bool charts_first(const struct results *results, struct chart *chart)
{
    static const enum chart_kind kinds_first[] = {CHART_SIGNED_N,  CHART_OVERLAY_CONDITION, CHART_ERROR_CONDITION,
                                                  CHART_OVERLAY_N, CHART_ERROR_N,           CHART_HISTOGRAM};
    *chart = (struct chart){0};
    for (size_t k = 0; k < sizeof kinds_first / sizeof *kinds_first; k++)
        for (size_t i = 0; i < results->series_count; i++) {
            FREED_BY(group_free) struct group group = {0};
            if (group_was_before(results, i))
                continue;
            chart_free(chart);
            group_make(results, i, &group);
            if (!group_has(kinds_first[k], &group))
                continue;
            draw_group(kinds_first[k], results, &group, chart);
            if (!chart->missing)
                return true;
        }
    return false;
}

bool charts_exist(const struct results *results, enum chart_kind kind)
{
    bool found = false;
    for (size_t i = 0; i < results->series_count && !found; i++) {
        FREED_BY(group_free) struct group group = {0};
        if (group_was_before(results, i))
            continue;
        group_make(results, i, &group);
        found = group_has(kind, &group);
    }
    return found;
}
