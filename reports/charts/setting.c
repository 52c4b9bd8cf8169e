#include "setting.h"

static const char *stored_in(const struct series *series)
{
    const struct sum_format *format = sum_format_of_method(series->method);
    return (format ? format->stored : series->format)->name;
}

bool setting_has(const struct setting *setting, const struct series *series)
{
    return same_launch(setting->launch, series->launch) &&
           backends_side_by_side(setting->backend, setting->device, series->backend, series->device) &&
           strcmp(setting->format, stored_in(series)) == 0;
}

static struct setting *find(const struct settings *settings, const struct series *series)
{
    for (size_t i = 0; i < settings->count; i++)
        if (setting_has(&settings->list[i], series))
            return &settings->list[i];
    return NULL;
}

static void add_setting(const struct results *results, struct settings *settings, const struct series *series)
{
    struct setting *setting = &settings->list[settings->count++];
    *setting = (struct setting){
        .backend = series->backend, .device = series->device, .launch = series->launch, .format = stored_in(series)};
    setting->entries = memory_cleared(results->study.entry_count, sizeof *setting->entries);
}

static void add_entries(const struct results *results, struct setting *setting)
{
    for (size_t entry = 0; entry < results->study.entry_count; entry++)
        for (size_t i = 0; i < results->series_count; i++)
            if (results->series[i].entry == entry && setting_has(setting, &results->series[i])) {
                setting->entries[setting->entry_count++] = entry;
                break;
            }
    setting->shown = setting->entry_count;
}

static void note_others(struct settings *settings)
{
    for (size_t i = 0; i < settings->count; i++)
        for (size_t k = 0; k < settings->count; k++) {
            struct setting *one = &settings->list[i];
            const struct setting *other = &settings->list[k];
            one->other_launches |= !same_launch(one->launch, other->launch);
            one->other_backends |= one->backend != other->backend;
            one->other_formats |= strcmp(one->format, other->format) != 0;
        }
}

void settings_of(const struct results *results, struct settings *settings)
{
    *settings = (struct settings){.list = memory_cleared(results->series_count, sizeof *settings->list)};
    for (size_t i = 0; i < results->series_count; i++)
        if (!find(settings, &results->series[i]))
            add_setting(results, settings, &results->series[i]);
    for (size_t i = 0; i < settings->count; i++)
        add_entries(results, &settings->list[i]);
    note_others(settings);
}

void settings_free(struct settings *settings)
{
    for (size_t i = 0; i < settings->count; i++)
        free(settings->list[i].entries);
    free(settings->list);
    *settings = (struct settings){0};
}

size_t setting_parts(const struct setting *setting)
{
    return (setting->shown + SETTING_PANELS - 1) / SETTING_PANELS;
}

void setting_chart_begin(struct chart *chart, const char *what, const struct setting *setting, size_t part)
{
    char launch[32] = "", number[32] = "";
    if (setting->other_launches)
        snprintf(launch, sizeof launch, "-%ux%u", setting->launch.blocks, setting->launch.threads);
    if (setting_parts(setting) > 1)
        snprintf(number, sizeof number, "-%zu", part + 1);
    chart_begin(chart, what);
    chart_set(&chart->name, "%s%s%s%s%s%s%s", what, launch, setting->other_backends ? "-" : "",
              setting->other_backends ? setting->backend->id : "", setting->other_formats ? "-" : "",
              setting->other_formats ? setting->format : "", number);
}

void setting_subtitle(struct chart *chart, const struct setting *setting, size_t part, const char *what)
{
    const struct group any = {.backend = setting->backend,
                              .launch = setting->launch,
                              .other_launches = setting->other_launches,
                              .other_backends = setting->other_backends};
    const size_t parts = setting_parts(setting);
    char context[GROUP_CONTEXT], which[64] = "";
    group_context(&any, context);
    if (parts > 1)
        snprintf(which, sizeof which, "; part %zu of %zu", part + 1, parts);
    chart_set(&chart->subtitle, "%s%s%s%s; one panel per entry of the study%s", context,
              setting->other_formats ? setting->format : "", setting->other_formats ? "; " : "", what, which);
}
