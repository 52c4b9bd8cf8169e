#include "baseline.h"

char *baseline_name(const struct baseline_series *line)
{
    char which[32] = "";
    if (line->which > 0)
        snprintf(which, sizeof which, " #%" PRIu64, line->which + 1);
    return text_made("%s %s %" PRIu32 "x%" PRIu32 " %s%s", line->method, line->data, line->launch.blocks,
                     line->launch.threads, line->backend->id, which);
}

/* Cuts the last word off. */
static char *last_word(char *text)
{
    char *blank = strrchr(text, ' ');
    if (!blank)
        return NULL;
    *blank = '\0';
    return blank + 1;
}

/* The data may hold blanks, the other words none: they are taken from both ends. */
static bool split(char *text, struct baseline_series *line)
{
    char *backend = last_word(text), *launch, *data;
    if (backend && *backend == '#') {
        line->which = strtoull(backend + 1, NULL, 10) - 1;
        backend = last_word(text);
    }
    launch = last_word(text);
    data = strchr(text, ' ');
    if (!backend || !launch || !data)
        return false;
    *data++ = '\0';
    line->launch.blocks = (uint32_t)strtoul(launch, &launch, 10);
    line->launch.threads = *launch == 'x' ? (uint32_t)strtoul(launch + 1, NULL, 10) : 0;
    line->method = memory_copy(text);
    line->data = memory_copy(data);
    line->backend = backend_named(backend);
    return *text && *data && line->launch.blocks > 0 && line->launch.threads > 0 && line->backend;
}

/* Whatever was read of it, only a name that is written the same again is one: neither "0120x256" nor "#1". */
bool baseline_name_read(const char *name, struct baseline_series *line)
{
    OWNED char *copy = memory_copy(name), *again = split(copy, line) ? baseline_name(line) : NULL;
    return again && strcmp(again, name) == 0;
}

int baseline_name_order(const void *left, const void *right)
{
    const struct baseline_series *a = left, *b = right;
    const int orders[] = {strcmp(a->method, b->method),
                          strcmp(a->data, b->data),
                          count_order(a->launch.blocks, b->launch.blocks),
                          count_order(a->launch.threads, b->launch.threads),
                          strcmp(a->backend->id, b->backend->id),
                          count_order(a->which, b->which)};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (orders[i] != 0)
            return orders[i];
    return 0;
}

/* Series of one name keep the order of the run. */
static int named_order(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    const int named = baseline_name_order(&a->name, &b->name);
    return named != 0 ? named : (a->series > b->series) - (a->series < b->series);
}

/* A file's name may be any bytes; a JSON file holds text. */
static struct named name_series(const struct series *series)
{
    return (struct named){.series = series,
                          .name = {.method = (char *)series->method,
                                   .data = clean_text(series->data),
                                   .backend = series->backend,
                                   .launch = series->launch}};
}

struct names baseline_names_of(const struct results *results)
{
    struct names names = {.list = memory_cleared(results->series_count + 1, sizeof *names.list)};
    for (size_t i = 0; i < results->series_count; i++)
        names.list[names.count++] = name_series(&results->series[i]);
    qsort(names.list, names.count, sizeof *names.list, named_order);
    for (size_t i = 1; i < names.count; i++) {
        struct baseline_series before = names.list[i - 1].name;
        before.which = 0;
        if (baseline_name_order(&before, &names.list[i].name) == 0)
            names.list[i].name.which = names.list[i - 1].name.which + 1;
    }
    return names;
}

void baseline_names_free(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i].name.data);
    free(names->list);
    *names = (struct names){0};
}
