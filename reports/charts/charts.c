#include "charts.h"

#include "signed_chart.h"
/* ---- the builders, in one shape ---- */

static bool always(const struct group *group)
{
    (void)group;
    return true;
}

static bool n_varies(const struct group *group)
{
    return error_chart_applies(group, AGAINST_N);
}

static void error_n(const struct results *results, const struct group *group, struct chart *chart)
{
    error_chart(results, group, AGAINST_N, chart);
}

static bool condition_varies(const struct group *group)
{
    return error_chart_applies(group, AGAINST_CONDITION);
}

static void error_condition(const struct results *results, const struct group *group, struct chart *chart)
{
    error_chart(results, group, AGAINST_CONDITION, chart);
}

static bool several_over_n(const struct group *group)
{
    return group->method_count > 1 && n_varies(group);
}

static void overlay_n(const struct results *results, const struct group *group, struct chart *chart)
{
    error_overlay(results, group, AGAINST_N, chart);
}

static bool several_over_condition(const struct group *group)
{
    return group->method_count > 1 && condition_varies(group);
}

static void overlay_condition(const struct results *results, const struct group *group, struct chart *chart)
{
    error_overlay(results, group, AGAINST_CONDITION, chart);
}

/* A kind is made of groups or of settings. */
static const struct {
    bool (*group_has)(const struct group *group);
    void (*of_group)(const struct results *results, const struct group *group, struct chart *chart);
    bool (*setting_has)(const struct results *results, const struct setting *setting);
    void (*of_setting)(const struct results *results, const struct setting *setting, size_t part, struct chart *chart);
    void (*arrange)(const struct results *results, struct setting *setting); /* NULL: all have a panel */
} kinds[CHART_KINDS] = {
    [CHART_SIGNED_N] = {signed_chart_applies, signed_chart, NULL, NULL, NULL},
    [CHART_HISTOGRAM] = {always, histogram_chart, NULL, NULL, NULL},
    [CHART_OVERLAY_N] = {several_over_n, overlay_n, NULL, NULL, NULL},
    [CHART_OVERLAY_CONDITION] = {several_over_condition, overlay_condition, NULL, NULL, NULL},
    [CHART_ERROR_N] = {n_varies, error_n, NULL, NULL, NULL},
    [CHART_ERROR_CONDITION] = {condition_varies, error_condition, NULL, NULL, NULL},
    [CHART_BOUND_SHARE] = {NULL, NULL, bound_chart_applies, bound_chart, bound_chart_arrange},
    [CHART_ACCURACY_SPEED] = {NULL, NULL, speed_chart_applies, speed_chart, speed_chart_arrange},
};

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
        if (kinds[kind].group_has(&group))
            kinds[kind].of_group(results, &group, one_more(charts));
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
        if (kinds[kind].arrange)
            kinds[kind].arrange(results, &settings.list[i]);
        add_parts(results, kind, &settings.list[i], charts);
    }
}

static void add_kind(const struct results *results, enum chart_kind kind, struct charts *charts)
{
    (kinds[kind].of_group ? add_groups : add_settings)(results, kind, charts);
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
            struct group group;
            if (group_was_before(results, i))
                continue;
            chart_free(chart);
            group_make(results, i, &group);
            const bool has = kinds[kinds_first[k]].group_has(&group);
            if (has)
                kinds[kinds_first[k]].of_group(results, &group, chart);
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
        found = kinds[kind].group_has(&group);
    }
    return found;
}

bool charts_exist(const struct results *results, enum chart_kind kind)
{
    FREED_BY(settings_free) struct settings settings = {0};
    if (kinds[kind].of_group)
        return some_group_has(results, kind);
    bool found = false;
    settings_of(results, &settings);
    for (size_t i = 0; i < settings.count && !found; i++)
        found = kinds[kind].setting_has(results, &settings.list[i]);
    return found;
}
