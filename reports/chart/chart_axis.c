#include "chart.h"

/* Pixels from a place apart to its gap when the chart leaves it no width of its own. */
static const double APART_LEAST = 14;

/* On a logarithmic axis the power. */
static double scaled(const struct chart_axis *axis, double value)
{
    switch (axis->scale) {
    case SCALE_LOG2:
        return value > 0 ? log2(value) : NAN;
    case SCALE_LOG10:
        return value > 0 ? log10(value) : NAN;
    default:
        return value;
    }
}

static double unscaled(const struct chart_axis *axis, double power)
{
    switch (axis->scale) {
    case SCALE_LOG2:
        return exp2(power);
    case SCALE_LOG10:
        return pow(10, power);
    default:
        return power;
    }
}

/* An axis of one number has it in the middle. */
double axis_place(const struct chart_axis *axis, double value)
{
    const double least = scaled(axis, axis->least), length = scaled(axis, axis->most) - least;
    return length > 0 ? (scaled(axis, value) - least) / length : isfinite(scaled(axis, value)) ? 0.5 : NAN;
}

double axis_shifted(const struct chart_axis *axis, double value, double by)
{
    return unscaled(axis, scaled(axis, value) + by);
}

struct axis_span axis_span(const struct chart_axis *axis, double pixels)
{
    double low_first = 1, low_last = 0, high_first = 1, high_last = 0;
    bool low = false, high = false;
    for (size_t i = 0; i < axis->tick_count; i++) {
        const double place = axis_place(axis, axis->ticks[i].at);
        if (!axis->ticks[i].apart || !isfinite(place))
            continue;
        if (place < 0.5) {
            low = true;
            low_first = fmin(low_first, place), low_last = fmax(low_last, place);
        } else {
            high = true;
            high_first = fmin(high_first, place), high_last = fmax(high_last, place);
        }
    }
    return (struct axis_span){
        low ? low_last + fmax(low_first, APART_LEAST / pixels) : 0,
        high ? high_first - fmax(1 - high_last, APART_LEAST / pixels) : 1,
    };
}

static void add_tick(struct axis_ticks *ticks, double at, bool apart, const char *text)
{
    ticks->list = memory_resized(ticks->list, (ticks->count + 1) * sizeof *ticks->list);
    ticks->list[ticks->count++] = (struct chart_tick){at, memory_copy(text ? text : ""), apart};
}

/* The numbers between which the scale reaches, as powers on a logarithmic one. */
static void reach(const struct chart_axis *axis, double pixels, double *least, double *most)
{
    const struct axis_span span = axis_span(axis, pixels);
    const double from = scaled(axis, axis->least), length = scaled(axis, axis->most) - from;
    *least = from + span.from * length;
    *most = from + span.to * length;
}

/* 1, 2, 5, 10 ...: the least step that is `room` or more. */
static double round_step(double room)
{
    const double decade = pow(10, floor(log10(room)));
    const double steps[] = {1, 2, 5};
    for (int i = 0; i < 3; i++)
        if (steps[i] * decade >= room * (1 - 1e-9))
            return steps[i] * decade;
    return 10 * decade;
}

static void linear_ticks(struct axis_ticks *ticks, double least, double most, double room)
{
    const double step = round_step(room);
    char text[32];
    for (double i = ceil(least / step - 1e-9) + 0.0; i <= floor(most / step + 1e-9); i++) {
        snprintf(text, sizeof text, "%.10g", i * step);
        add_tick(ticks, i * step, false, text);
    }
}

/* Steps of powers of two are powers of two, so that -24 is among them while they are few. */
static double power_step(enum chart_scale scale, double room)
{
    static const double decades[] = {1, 2, 3, 5};
    if (scale == SCALE_LOG2)
        return exp2(ceil(log2(fmax(room, 1)) - 1e-9));
    for (int i = 0; i < 4; i++)
        if (decades[i] >= room)
            return decades[i];
    return round_step(room);
}

static void power_ticks(const struct chart_axis *axis, struct axis_ticks *ticks, double least, double most, double room)
{
    double step = power_step(axis->scale, room);
    while (axis->scale == SCALE_LOG2 && step > 1 && floor(most / step + 1e-9) - ceil(least / step - 1e-9) < 3)
        step /= 2; /* at each end one may lack room beside what stands apart, and one alone says nothing */
    const int base = axis->scale == SCALE_LOG2 ? 2 : 10;
    char text[32];
    for (double i = ceil(least / step - 1e-9) + 0.0; i <= floor(most / step + 1e-9); i++) {
        const double power = i * step;
        if (power == 0 || power == 1)
            snprintf(text, sizeof text, "%d", power == 0 ? 1 : base);
        else
            snprintf(text, sizeof text, "%d^{%.0f}", base, power);
        add_tick(ticks, unscaled(axis, power), false, text);
    }
}

/* Where the scale has fewer than two powers, it has round numbers. */
static void own_ticks(const struct chart_axis *axis, double pixels, double spacing, struct axis_ticks *ticks)
{
    double least, most;
    reach(axis, pixels, &least, &most);
    const double length = scaled(axis, axis->most) - scaled(axis, axis->least), room = spacing / pixels * length;
    if (!(length > 0) || !isfinite(length))
        return;
    if (axis->scale == SCALE_LINEAR)
        linear_ticks(ticks, least, most, room);
    else if (floor(most + 1e-9) - ceil(least - 1e-9) >= 1)
        power_ticks(axis, ticks, least, most, room);
    else
        linear_ticks(ticks, unscaled(axis, least), unscaled(axis, most),
                     (unscaled(axis, most) - unscaled(axis, least)) * fmax(spacing / pixels, 0.2));
}

static int by_place(const void *one, const void *other)
{
    const double a = ((const struct chart_tick *)one)->at, b = ((const struct chart_tick *)other)->at;
    return (a > b) - (a < b);
}

struct axis_ticks axis_ticks(const struct chart_axis *axis, double pixels, double spacing)
{
    struct axis_ticks ticks = {0};
    bool own = true;
    for (size_t i = 0; i < axis->tick_count; i++) {
        const double place = axis_place(axis, axis->ticks[i].at);
        own &= axis->ticks[i].apart;
        if (place >= 0 && place <= 1)
            add_tick(&ticks, axis->ticks[i].at, axis->ticks[i].apart, axis->ticks[i].text);
    }
    if (own)
        own_ticks(axis, pixels, spacing, &ticks);
    if (ticks.count > 1)
        qsort(ticks.list, ticks.count, sizeof *ticks.list, by_place);
    return ticks;
}

void axis_ticks_free(struct axis_ticks *ticks)
{
    for (size_t i = 0; i < ticks->count; i++)
        free(ticks->list[i].text);
    free(ticks->list);
    *ticks = (struct axis_ticks){0};
}
