#include "charts.h"

/* A kind is of settings where it has the functions for those; else of groups, whose histogram it is or, against n or
 * the condition, their errors. */
static const struct kind {
    void (*errors)(const struct results *results, const struct group *group, enum error_against against,
                   struct chart *chart);
    enum error_against against;
    bool (*setting_has)(const struct results *results, const struct setting *setting);
    void (*of_setting)(const struct results *results, const struct setting *setting, size_t part, struct chart *chart);
    void (*arrange)(const struct results *results, struct setting *setting);
} kinds[CHART_KINDS] = {
    [CHART_HISTOGRAM] = {0},
    [CHART_OVERLAY_N] = {error_overlay, AGAINST_N, NULL, NULL, NULL},
    [CHART_OVERLAY_CONDITION] = {error_overlay, AGAINST_CONDITION, NULL, NULL, NULL},
    [CHART_ERROR_N] = {error_chart, AGAINST_N, NULL, NULL, NULL},
    [CHART_ERROR_CONDITION] = {error_chart, AGAINST_CONDITION, NULL, NULL, NULL},
    [CHART_BOUND_SHARE] = {NULL, 0, bound_chart_applies, bound_chart, bound_chart_arrange},
    [CHART_ACCURACY_SPEED] = {NULL, 0, speed_chart_applies, speed_chart, speed_chart_arrange},
};

/* An overlay is of several methods. */
static bool group_has(enum chart_kind kind, const struct group *group)
{
    const bool is_alone = kinds[kind].errors == error_overlay && group->method_count <= 1;
    return !kinds[kind].errors || (!is_alone && error_chart_applies(group, kinds[kind].against));
}

static void of_group(enum chart_kind kind, const struct results *results, const struct group *group,
                     struct chart *chart)
{
    if (kinds[kind].errors)
        kinds[kind].errors(results, group, kinds[kind].against, chart);
    else
        histogram_chart(results, group, chart);
}

/* ---- adding ---- */

static struct chart *one_more(struct charts *charts)
{
    charts->list = memory_resized(charts->list, (charts->count + 1) * sizeof *charts->list);
    charts->list[charts->count] = (struct chart){0};
    return &charts->list[charts->count++];
}

static void add_groups(const struct results *results, enum chart_kind kind, struct charts *charts)
{
    for (size_t i = 0; i < results->series_count; i++) {
        FREED_BY(group_free) struct group group = {0};
        if (group_was_before(results, i))
            continue;
        group_make(results, i, &group);
        if (group_has(kind, &group))
            of_group(kind, results, &group, one_more(charts));
    }
}

static void add_parts(const struct results *results, enum chart_kind kind, const struct setting *setting,
                      struct charts *charts)
{
    for (size_t part = 0; part < setting_parts(setting); part++)
        kinds[kind].of_setting(results, setting, part, one_more(charts));
}

static void add_settings(const struct results *results, enum chart_kind kind, struct charts *charts)
{
    FREED_BY(settings_free) struct settings settings = {0};
    settings_of(results, &settings);
    for (size_t i = 0; i < settings.count; i++) {
        if (!kinds[kind].setting_has(results, &settings.list[i]))
            continue;
        kinds[kind].arrange(results, &settings.list[i]);
        add_parts(results, kind, &settings.list[i], charts);
    }
}

static void add_kind(const struct results *results, enum chart_kind kind, struct charts *charts)
{
    (kinds[kind].setting_has ? add_settings : add_groups)(results, kind, charts);
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
    static const enum chart_kind kinds_first[] = {CHART_OVERLAY_CONDITION, CHART_ERROR_CONDITION, CHART_OVERLAY_N,
                                                  CHART_ERROR_N, CHART_HISTOGRAM};
    *chart = (struct chart){0};
    for (size_t k = 0; k < sizeof kinds_first / sizeof *kinds_first; k++)
        for (size_t i = 0; i < results->series_count; i++) {
            struct group group;
            if (group_was_before(results, i))
                continue;
            chart_free(chart);
            group_make(results, i, &group);
            const bool has = group_has(kinds_first[k], &group);
            if (has)
                of_group(kinds_first[k], results, &group, chart);
            group_free(&group);
            if (has && !chart->missing)
                return true;
        }
    return false;
}

/* ---- whether there are any ---- */

static bool some_group_has(const struct results *results, enum chart_kind kind)
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

bool charts_exist(const struct results *results, enum chart_kind kind)
{
    FREED_BY(settings_free) struct settings settings = {0};
    if (!kinds[kind].setting_has)
        return some_group_has(results, kind);
    bool found = false;
    settings_of(results, &settings);
    for (size_t i = 0; i < settings.count && !found; i++)
        found = kinds[kind].setting_has(results, &settings.list[i]);
    return found;
}
