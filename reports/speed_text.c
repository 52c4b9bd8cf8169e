#include "speed_text.h"

void speed_text(const struct speed *speed, char text[SPEED_TEXT])
{
    char least[NUMBER_TEXT], most[NUMBER_TEXT];
    if (!speed) {
        strcpy(text, "-");
        return;
    }
    const double slower = speed->gigabytes * speed->nanoseconds / speed->median;
    const bool on_device = speed->backend->runs_kernels, is_fast = speed->gigabytes >= 1000;
    const double unit = on_device && is_fast ? 1000 : 1;
    write_rounded(on_device ? slower / unit : speed->nanoseconds, least);
    write_rounded(on_device ? speed->gigabytes / unit : speed->median, most);
    const bool has_spread = strcmp(least, most) != 0;
    snprintf(text, SPEED_TEXT, "%s%s%s %s", least, has_spread ? ".." : "", has_spread ? most : "",
             !on_device ? "ns"
             : is_fast  ? "TB/s"
                        : "GB/s");
}

const char *speed_legend(const struct results *results)
{
    size_t on_device = 0;
    for (size_t i = 0; i < results->speed_count; i++)
        on_device += results->speeds[i].backend->runs_kernels;
    return on_device == 0                      ? "time per element, fastest round..median"
           : on_device == results->speed_count ? "bytes read per second, median..fastest round"
                                               : "time per element on the host, bytes read per second on a GPU; "
                                                 "fastest round and median";
}

void grid_speed(struct grid *grid, size_t column, const struct speed *speed)
{
    char text[SPEED_TEXT];
    speed_text(speed, text);
    grid_set(grid, column, TONE_PLAIN, "%s", text);
}

double additions_of(const char *method)
{
    const struct method *known = method_find(method);
    return known && known->additions > 0 ? known->additions : NAN;
}

void grid_additions(struct grid *grid, size_t column, const char *method)
{
    const double additions = additions_of(method);
    grid_set(grid, column, TONE_PLAIN, isnan(additions) ? "-" : "%.3g", additions);
    if (!isnan(additions))
        grid_value(grid, column, additions);
}
