#include "group.h"

static bool same_group(const struct series *a, const struct series *b)
{
    return a->entry == b->entry && same_launch(a->launch, b->launch) &&
           operation_table[a->operation].of == operation_table[b->operation].of &&
           strcmp(a->format->name, b->format->name) == 0 &&
           backends_side_by_side(a->backend, a->device, b->backend, b->device);
}

/* Backwards, because most often the one before it is: 27,100 series took 10 s from the front. */
bool group_was_before(const struct results *results, size_t index)
{
    for (size_t i = index; i > 0; i--)
        if (same_group(&results->series[i - 1], &results->series[index]))
            return true;
    return false;
}

/* The index of a text, which is appended when it is new; `list` has room. */
static size_t place_of(const char *text, const char **list, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(list[i], text) == 0)
            return i;
    list[(*count)++] = text;
    return *count - 1;
}

static size_t place_in_study(const struct study_record *study, const char *method)
{
    size_t i = 0;
    while (i < study->method_count && strcmp(study->methods[i].id, method) != 0)
        i++;
    return i;
}

/* Insertion keeps the order of methods that the study does not name. */
static void order_as_in_study(const struct study_record *study, const char **methods, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const char *method = methods[i];
        size_t at = i;
        for (; at > 0 && place_in_study(study, methods[at - 1]) > place_in_study(study, method); at--)
            methods[at] = methods[at - 1];
        methods[at] = method;
    }
}

static void note_others(const struct results *results, struct group *group)
{
    for (size_t i = 0; i < results->series_count; i++) {
        const struct series *series = &results->series[i];
        if (series->entry != group->entry)
            continue;
        group->other_launches = group->other_launches || !same_launch(series->launch, group->launch);
        group->other_backends = group->other_backends ||
                                !backends_side_by_side(series->backend, series->device, group->backend, group->device);
    }
}

void group_make(const struct results *results, size_t first, struct group *group)
{
    const struct series *model = &results->series[first];
    *group = (struct group){
        .entry = model->entry,
        .backend = model->backend,
        .device = model->device,
        .launch = model->launch,
        .format = model->format,
    };
    note_others(results, group);
    group->data = memory_cleared(results->series_count, sizeof *group->data);
    group->methods = memory_cleared(results->series_count, sizeof *group->methods);
    for (size_t i = first; i < results->series_count; i++)
        if (same_group(model, &results->series[i])) {
            place_of(results->series[i].data, group->data, &group->data_count);
            place_of(results->series[i].method, group->methods, &group->method_count);
        }
    order_as_in_study(&results->study, group->methods, group->method_count);
    group->cells = memory_cleared(group->data_count * group->method_count, sizeof *group->cells);
    for (size_t i = first; i < results->series_count; i++)
        if (same_group(model, &results->series[i])) {
            const size_t data = place_of(results->series[i].data, group->data, &group->data_count);
            const size_t method = place_of(results->series[i].method, group->methods, &group->method_count);
            group->cells[data * group->method_count + method] = &results->series[i];
        }
}

const struct series *group_series(const struct group *group, size_t data, size_t method)
{
    return group->cells[data * group->method_count + method];
}

const struct series *group_any_series(const struct group *group, size_t data)
{
    size_t method = 0;
    while (!group_series(group, data, method)) /* a spec is in the group because of a series */
        method++;
    return group_series(group, data, method);
}

void group_count_range(const struct group *group, uint64_t *least, uint64_t *most)
{
    *least = UINT64_MAX;
    *most = 0;
    for (size_t i = 0; i < group->data_count * group->method_count; i++)
        if (group->cells[i]) {
            *least = group->cells[i]->count < *least ? group->cells[i]->count : *least;
            *most = group->cells[i]->count > *most ? group->cells[i]->count : *most;
        }
}

void launch_text(struct launch launch, char text[LAUNCH_TEXT])
{
    snprintf(text, LAUNCH_TEXT, "%u block%s of %u thread%s", launch.blocks, launch.blocks == 1 ? "" : "s",
             launch.threads, launch.threads == 1 ? "" : "s");
}

bool group_bits_differ(const struct group *group)
{
    for (size_t i = 0; i < group->data_count * group->method_count; i++)
        if (group->cells[i] && group->cells[i]->distinct_bits > 1)
            return true;
    return false;
}

void group_free(struct group *group)
{
    free_all(group->data, group->methods, group->cells);
    *group = (struct group){0};
}
