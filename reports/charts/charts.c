#include "charts.h"

#include "bound_chart.h"
#include "error_chart.h"
#include "histogram_chart.h"
#include "speed_chart.h"

#include <stdlib.h>

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

static enum status error_n(const struct results *results, const struct group *group, struct chart *chart)
{
    return error_chart(results, group, AGAINST_N, chart);
}

static bool condition_varies(const struct group *group)
{
    return error_chart_applies(group, AGAINST_CONDITION);
}

static enum status error_condition(const struct results *results, const struct group *group, struct chart *chart)
{
    return error_chart(results, group, AGAINST_CONDITION, chart);
}

/* A kind is made of groups or of settings. */
static const struct {
    const char *name;
    bool (*group_has)(const struct group *group);
    enum status (*of_group)(const struct results *results, const struct group *group, struct chart *chart);
    bool (*setting_has)(const struct results *results, const struct setting *setting);
    enum status (*of_setting)(const struct results *results, const struct setting *setting, size_t part,
                              struct chart *chart);
    enum status (*arrange)(const struct results *results, struct setting *setting); /* NULL: all have a panel */
} kinds[CHART_KINDS] = {
    [CHART_HISTOGRAM] = {"histogram", always, histogram_chart, NULL, NULL, NULL},
    [CHART_ERROR_N] = {"error-n", n_varies, error_n, NULL, NULL, NULL},
    [CHART_ERROR_CONDITION] = {"error-condition", condition_varies, error_condition, NULL, NULL, NULL},
    [CHART_BOUND_SHARE] = {"bound-share", NULL, NULL, bound_chart_applies, bound_chart, NULL},
    [CHART_ACCURACY_SPEED] = {"accuracy-speed", NULL, NULL, speed_chart_applies, speed_chart, speed_chart_arrange},
};

const char *chart_kind_name(enum chart_kind kind)
{
    return kinds[kind].name;
}

/* ---- adding ---- */

/* Room for one more, which counts from now on, so that it is freed whatever becomes of it. */
static struct chart *one_more(struct charts *charts)
{
    struct chart *grown = reallocarray(charts->list, charts->count + 1, sizeof *grown);
    if (!grown)
        return NULL;
    charts->list = grown;
    grown[charts->count] = (struct chart){0};
    return &grown[charts->count++];
}

static enum status add_groups(const struct results *results, enum chart_kind kind, struct charts *charts)
{
    enum status status = OK;
    for (size_t i = 0; i < results->series_count && status == OK; i++) {
        struct group group;
        if (group_was_before(results, i))
            continue;
        TRY(group_make(results, i, &group));
        if (kinds[kind].group_has(&group)) {
            struct chart *chart = one_more(charts);
            status = chart ? kinds[kind].of_group(results, &group, chart) : out_of_memory("a picture");
        }
        group_free(&group);
    }
    return status;
}

static enum status add_parts(const struct results *results, enum chart_kind kind, const struct setting *setting,
                             struct charts *charts)
{
    for (size_t part = 0; part < setting_parts(setting); part++) {
        struct chart *chart = one_more(charts);
        TRY(chart ? kinds[kind].of_setting(results, setting, part, chart) : out_of_memory("a picture"));
    }
    return OK;
}

static enum status add_settings(const struct results *results, enum chart_kind kind, struct charts *charts)
{
    struct settings settings;
    enum status status = settings_of(results, &settings);
    for (size_t i = 0; i < settings.count && status == OK; i++) {
        if (!kinds[kind].setting_has(results, &settings.list[i]))
            continue;
        if (kinds[kind].arrange)
            status = kinds[kind].arrange(results, &settings.list[i]);
        if (status == OK)
            status = add_parts(results, kind, &settings.list[i], charts);
    }
    settings_free(&settings);
    return status;
}

static enum status add_kind(const struct results *results, enum chart_kind kind, struct charts *charts)
{
    return kinds[kind].of_group ? add_groups(results, kind, charts) : add_settings(results, kind, charts);
}

enum status charts_of_kind(const struct results *results, enum chart_kind kind, struct charts *charts)
{
    *charts = (struct charts){0};
    return add_kind(results, kind, charts);
}

enum status charts_of(const struct results *results, struct charts *charts)
{
    *charts = (struct charts){0};
    for (int kind = 0; kind < CHART_KINDS; kind++)
        TRY(add_kind(results, (enum chart_kind)kind, charts));
    return OK;
}

void charts_free(struct charts *charts)
{
    for (size_t i = 0; i < charts->count; i++)
        chart_free(&charts->list[i]);
    free(charts->list);
    *charts = (struct charts){0};
}

/* ---- whether there are any ---- */

static bool some_group_has(const struct results *results, enum chart_kind kind)
{
    bool found = false;
    for (size_t i = 0; i < results->series_count && !found; i++) {
        struct group group;
        if (group_was_before(results, i))
            continue;
        if (group_make(results, i, &group) != OK)
            return true; /* whoever makes the picture says so, too */
        found = kinds[kind].group_has(&group);
        group_free(&group);
    }
    return found;
}

bool charts_exist(const struct results *results, enum chart_kind kind)
{
    struct settings settings;
    if (kinds[kind].of_group)
        return some_group_has(results, kind);
    bool found = settings_of(results, &settings) != OK;
    for (size_t i = 0; i < settings.count && !found; i++)
        found = kinds[kind].setting_has(results, &settings.list[i]);
    settings_free(&settings);
    return found;
}
