#include "forecast.h"

#include "base.h"
#include "list.h"

#include <math.h>

void forecast_begin(struct forecast *forecast, uint64_t id, size_t kind, double now)
{
    forecast->running =
        list_short(forecast->running, forecast->running_count, &forecast->running_room, sizeof *forecast->running);
    forecast->running[forecast->running_count++] = (struct forecast_piece){id, kind, now};
    forecast->kinds[kind].left--;
    forecast->at_once = forecast->running_count;
}

/* Whether it ran, and what it was. */
static bool stop(struct forecast *forecast, uint64_t id, struct forecast_piece *piece)
{
    size_t i = 0;
    while (i < forecast->running_count && forecast->running[i].id != id)
        i++;
    if (i == forecast->running_count)
        return false;
    *piece = forecast->running[i];
    forecast->running[i] = forecast->running[--forecast->running_count];
    return true;
}

void forecast_end(struct forecast *forecast, uint64_t id, double now)
{
    struct forecast_piece piece;
    if (!stop(forecast, id, &piece))
        return;
    forecast->kinds[piece.kind].done++;
    forecast->kinds[piece.kind].seconds += now - piece.began;
}

void forecast_give_back(struct forecast *forecast, uint64_t id, size_t kind)
{
    struct forecast_piece piece;
    (void)stop(forecast, id, &piece);
    forecast->kinds[kind].left++;
}

/* Seconds of a unit of weight; those that run have taken that long at least. */
static double unit_of(const struct forecast *forecast)
{
    double seconds = 0, weight = 0;
    for (size_t k = 0; k < forecast->kind_count; k++) {
        seconds += forecast->kinds[k].seconds;
        weight += forecast->kinds[k].weight * (double)forecast->kinds[k].done;
    }
    return weight > 0 ? seconds / weight : INFINITY;
}

static double cost_of(const struct forecast_kind *kind, double unit)
{
    return kind->done > 0 ? kind->seconds / (double)kind->done : kind->weight * unit;
}

double forecast_left(const struct forecast *forecast, double now)
{
    const double unit = unit_of(forecast);
    double work = 0, longest = 0; /* seconds of one at a time; of the longest piece */
    uint64_t pieces = forecast->running_count;
    for (size_t i = 0; i < forecast->running_count; i++) {
        const struct forecast_piece *piece = &forecast->running[i];
        const double rest = fmax(cost_of(&forecast->kinds[piece->kind], unit) - (now - piece->began), 0);
        work += rest;
        longest = fmax(longest, rest);
    }
    for (size_t k = 0; k < forecast->kind_count; k++) {
        const struct forecast_kind *kind = &forecast->kinds[k];
        if (kind->left == 0)
            continue;
        work += cost_of(kind, unit) * (double)kind->left;
        longest = fmax(longest, cost_of(kind, unit));
        pieces += kind->left;
    }
    const size_t at_once = forecast->at_once > 0 ? forecast->at_once : 1;
    return pieces == 0 ? 0 : fmax(work / (double)(at_once < pieces ? at_once : pieces), longest);
}

void forecast_free(struct forecast *forecast)
{
    free(forecast->running);
    forecast->running = NULL;
    forecast->running_count = forecast->running_room = 0;
}
