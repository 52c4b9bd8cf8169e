#include "charts.h"

#include "apart_axis.h"

/* A method that was timed. */
struct racer {
    const struct method_record *method;
    const struct speed *speed;
};

struct race {
    struct chart *chart;
    const struct results *results;
    const struct setting *setting;
    struct racer *racers; /* in the order of the study */
    size_t count, untimed;
    double *errors; /* of the entries of the setting, [entry][racer], in ulp; infinite: no digit; NaN: no sum */
    bool *fronts;   /* likewise: on the front */
    struct apart_axis y;
    bool on_device;
};

bool speed_chart_applies(const struct results *results, const struct setting *setting)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (setting_has(setting, &results->series[i]) &&
            results_speed(results, results->series[i].method, setting->backend, setting->launch))
            return true;
    return false;
}

/* ---- who takes part, and with what error ---- */

static bool was_measured(const struct race *race, const char *method)
{
    for (size_t i = 0; i < race->results->series_count; i++)
        if (setting_has(race->setting, &race->results->series[i]) &&
            strcmp(race->results->series[i].method, method) == 0)
            return true;
    return false;
}

static void take_racers(struct race *race)
{
    const struct study_record *study = &race->results->study;
    race->racers = memory_cleared(study->method_count, sizeof *race->racers);
    for (size_t m = 0; m < study->method_count; m++) {
        const struct method_record *method = &study->methods[m];
        const struct speed *speed =
            results_speed(race->results, method->id, race->setting->backend, race->setting->launch);
        if (!was_measured(race, method->id))
            continue;
        if (speed && speed->nanoseconds > 0 && speed->gigabytes > 0)
            race->racers[race->count++] = (struct racer){method, speed};
        else
            race->untimed++;
    }
}

/* Sums that are what IEEE 754 gives for data that are not finite say nothing here. */
static double error_of(const struct race *race, size_t entry, const char *method)
{
    double error = NAN;
    for (size_t i = 0; i < race->results->series_count; i++) {
        const struct series *series = &race->results->series[i];
        if (series->entry != entry || !setting_has(race->setting, series) || strcmp(series->method, method) != 0 ||
            series->count == series->right_nonfinite)
            continue;
        struct outcome outcome = outcome_of_nothing();
        uint64_t count, troubles = 0;
        outcome_add(&outcome, series);
        for (size_t kind = 0; outcome_trouble(&outcome, kind, &count); kind++)
            troubles += count;
        error = fmax(error, troubles > 0 ? (double)INFINITY : series->worst_ulp_error);
    }
    return error;
}

static size_t index_of(const struct race *race, size_t entry, size_t racer)
{
    return entry * race->count + racer;
}

static void take_errors(struct race *race)
{
    const size_t cells = race->setting->entry_count * race->count;
    OWNED struct pareto_point *points = memory_cleared(race->count, sizeof *points);
    race->errors = memory_cleared(cells, sizeof *race->errors);
    race->fronts = memory_cleared(cells, sizeof *race->fronts);
    for (size_t e = 0; e < race->setting->entry_count; e++) {
        for (size_t i = 0; i < race->count; i++) {
            const double error = error_of(race, race->setting->entries[e], race->racers[i].method->id);
            race->errors[index_of(race, e, i)] = error;
            points[i] = (struct pareto_point){race->racers[i].speed->nanoseconds, error};
        }
        pareto_front(points, race->count, &race->fronts[index_of(race, e, 0)]);
    }
}

/* ---- which data have a panel, and how high it is ---- */

static double place_of(const struct race *race, size_t entry, size_t racer)
{
    return apart_axis_place(&race->y, race->errors[index_of(race, entry, racer)]);
}

/* By more than can be seen; methods without a sum are passed over. */
static bool errors_differ(const struct race *race, size_t entry)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < race->count; i++) {
        least = fmin(least, place_of(race, entry, i));
        most = fmax(most, place_of(race, entry, i));
    }
    return most > 1.05 * least;
}

/* Keeps the order of the study among those that have a panel. */
static void arrange(const struct race *race, struct setting *setting)
{
    size_t shown = 0;
    for (size_t e = 0; e < setting->entry_count; e++)
        if (errors_differ(race, e)) {
            const size_t entry = setting->entries[e];
            memmove(&setting->entries[shown + 1], &setting->entries[shown], (e - shown) * sizeof entry);
            setting->entries[shown++] = entry;
        }
    setting->shown = shown > 0 ? shown : 1;
}

/* The panels of a part have an axis of their own. */
struct span {
    size_t from, to;
};

static struct span span_of(const struct setting *setting, size_t part)
{
    const size_t from = part * SETTING_PANELS, left = setting->shown - from;
    return (struct span){from, from + (left < SETTING_PANELS ? left : SETTING_PANELS)};
}

static void see_errors(struct race *race, struct span span)
{
    for (size_t e = span.from; e < span.to; e++)
        for (size_t i = 0; i < race->count; i++)
            apart_axis_see(&race->y, race->errors[index_of(race, e, i)]);
}

/* ---- a panel ---- */

/* In the legend and the table, and where names look for their places. */
enum { RANK_FRONT, RANK_BLACK_BOXES, RANK_LINE, RANK_OTHERS };

static double speed_of(const struct race *race, size_t racer)
{
    const struct speed *speed = race->racers[racer].speed;
    return race->on_device ? speed->gigabytes : speed->nanoseconds;
}

static void add_dot(struct race *race, struct chart_mark *mark, size_t entry, size_t racer)
{
    const double y = place_of(race, entry, racer);
    if (!isnan(y))
        chart_point(mark, speed_of(race, racer), y, NAN, results_label(race->results, race->racers[racer].method->id));
}

/* The names of the front have the first choice of places, and its dots lie on top. */
static void add_dots(struct race *race, struct chart_panel *panel, size_t entry)
{
    struct chart_mark *others = chart_mark(panel, MARK_POINTS, "others", COLOUR_QUIET);
    struct chart_mark *black_boxes = chart_mark(panel, MARK_POINTS, "black boxes", COLOUR_THEORY);
    struct chart_mark *front = chart_mark(panel, MARK_POINTS, "on the front", COLOUR_MAIN);
    front->rank = RANK_FRONT, black_boxes->rank = RANK_BLACK_BOXES, others->rank = RANK_OTHERS;
    front->labelled = black_boxes->labelled = front->pointed_at = black_boxes->pointed_at = true;
    others->labelled = race->count <= SPEED_NAMED;
    for (size_t i = 0; i < race->count; i++)
        if (race->racers[i].method->is_black_box)
            add_dot(race, black_boxes, entry, i);
        else
            add_dot(race, race->fronts[index_of(race, entry, i)] ? front : others, entry, i);
}

/* The next dot of the front to the right of x, or `count`. */
static size_t next_of_front(const struct race *race, size_t entry, double x)
{
    size_t next = race->count;
    for (size_t i = 0; i < race->count; i++)
        if (race->fronts[index_of(race, entry, i)] && speed_of(race, i) > x &&
            (next == race->count || speed_of(race, i) < speed_of(race, next)))
            next = i;
    return next;
}

static void add_front(struct race *race, struct chart_panel *panel, size_t entry)
{
    struct chart_mark *line = chart_mark(panel, MARK_LINE, "Pareto front", COLOUR_MAIN);
    line->off_the_table = true;
    line->rank = RANK_LINE;
    for (size_t i = next_of_front(race, entry, 0); i < race->count; i = next_of_front(race, entry, speed_of(race, i)))
        chart_point(line, speed_of(race, i), place_of(race, entry, i), NAN, NULL);
}

static void add_panel(struct race *race, size_t entry)
{
    const char *text = race->results->study.entries[race->setting->entries[entry]].text;
    struct chart_panel *panel = chart_panel(race->chart, text);
    add_front(race, panel, entry);
    add_dots(race, panel, entry);
}

/* ---- words ---- */

static bool always_on_front(const struct race *race, size_t racer)
{
    for (size_t e = 0; e < race->setting->entry_count; e++)
        if (!race->fronts[index_of(race, e, racer)])
            return false;
    return true;
}

static void say_always(const struct race *race, FILE *out)
{
    size_t always = 0, said = 0;
    for (size_t i = 0; i < race->count; i++)
        always += always_on_front(race, i);
    if (always == 0 || race->setting->entry_count < 2)
        return;
    for (size_t i = 0; i < race->count; i++)
        if (always_on_front(race, i)) {
            fprintf(out, "%s%s", said == 0 ? " " : said + 1 == always ? " and " : ", ", race->racers[i].method->id);
            said++;
        }
    fprintf(out, " %s on the front for all of these data.", always == 1 ? "is" : "are");
}

static void write_caption(const struct race *race, FILE *out)
{
    const struct speed *speed = race->racers[0].speed;
    fprintf(out,
            "The largest error on the data of each panel against the speed, which is that of the fastest of %" PRIu64
            " rounds over %" PRIu64 " numbers%s. Better is %s and low; the line joins those that no other beats in "
            "both, of the methods with a correct digit.",
            speed->rounds, speed->n, race->on_device ? "" : " by one thread of the host, and says nothing of a GPU",
            race->on_device ? "right" : "left");
    race->chart->reading = (size_t)ftell(out);
    if (race->y.below)
        fputs(" Errors below 0.01 ulp are drawn alike.", out);
    if (race->setting->shown < race->setting->entry_count)
        fprintf(out, " On %zu of %zu kinds of data all methods have the same error: they have no panel.",
                race->setting->entry_count - race->setting->shown, race->setting->entry_count);
    say_always(race, out);
    if (race->count > SPEED_NAMED)
        fputs(" Only the methods on the front and the black boxes bear their names; the table has all.", out);
    if (race->untimed > 0)
        fprintf(out, " %zu method%s without a measured speed %s left out.", race->untimed,
                race->untimed == 1 ? "" : "s", race->untimed == 1 ? "is" : "are");
}

static void set_words(struct race *race, size_t part)
{
    struct chart *chart = race->chart;
    FILE *out = chart_words(chart);
    write_caption(race, out);
    fclose(out);
    chart_set(&chart->title, "Accuracy against speed");
    setting_subtitle(chart, race->setting, part,
                     race->on_device ? "largest error against GB/s" : "largest error against time per element");
}

/* ---- the chart ---- */

/* 1, 2, 5 in each decade, as long as they are few: speeds are often within one. */
static void add_ticks(struct chart_axis *axis)
{
    static const int steps[] = {1, 2, 5};
    char text[NUMBER_TEXT];
    double at;
    if (axis->most > 1000 * axis->least)
        return;
    for (int decade = decade_below(axis->least); decade <= decade_below(axis->most); decade++)
        for (int i = 0; i < 3; i++) {
            snprintf(text, sizeof text, "%de%d", steps[i], decade);
            if (read_real(text, &at) || at < axis->least || at > axis->most)
                continue;
            write_double(at, text);
            chart_tick(axis, at, false, text);
        }
}

static void set_axes(struct race *race)
{
    struct chart *chart = race->chart;
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < race->count; i++) {
        least = fmin(least, speed_of(race, i));
        most = fmax(most, speed_of(race, i));
    }
    chart_set(&chart->x.label, race->on_device ? "GB/s" : "ns per element");
    chart->x.scale = SCALE_LOG10;
    chart->x.least = least / 2;
    chart->x.most = most * 2;
    add_ticks(&chart->x);
    chart_set(&chart->y.label, "largest error in ulp");
    chart->y.errors = true;
    apart_axis_settle(&race->y, &chart->y);
}

static void race_free(struct race *race)
{
    free_all(race->racers, race->errors, race->fronts);
}

/* Below 0.01 ulp all are right for all that anyone can use. */
static struct race race_of(const struct results *results, const struct setting *setting, struct chart *chart)
{
    struct race race = {
        .chart = chart,
        .results = results,
        .setting = setting,
        .y = apart_axis_of("exact", "no digit", INFINITY),
        .on_device = setting->backend->runs_kernels,
    };
    race.y.floor = 0.01;
    race.y.floor_name = "< 0.01";
    return race;
}

void speed_chart_arrange(const struct results *results, struct setting *setting)
{
    FREED_BY(race_free) struct race race = race_of(results, setting, NULL);
    take_racers(&race);
    take_errors(&race);
    arrange(&race, setting);
}

void speed_chart(const struct results *results, const struct setting *setting, size_t part, struct chart *chart)
{
    FREED_BY(race_free) struct race race = race_of(results, setting, chart);
    const struct span span = span_of(setting, part);
    setting_chart_begin(chart, "accuracy-speed", setting, part);
    take_racers(&race);
    if (race.count == 0) {
        chart_set(&chart->missing, "no speed was measured");
        return;
    }
    take_errors(&race);
    see_errors(&race, span);
    set_words(&race, part);
    set_axes(&race);
    chart->columns = setting->shown > 2 ? 2 : 1; /* names need their room */
    chart->panel_height = 240;
    for (size_t e = span.from; e < span.to; e++)
        add_panel(&race, e);
}

/* ---- the Pareto front ---- */

static bool counts(struct pareto_point point)
{
    return isfinite(point.cost) && isfinite(point.error);
}

static bool beats(struct pareto_point one, struct pareto_point other)
{
    return one.cost <= other.cost && one.error <= other.error && (one.cost < other.cost || one.error < other.error);
}

/* Each with each: a run has some hundred methods at most. */
void pareto_front(const struct pareto_point *points, size_t count, bool *front)
{
    for (size_t i = 0; i < count; i++) {
        front[i] = counts(points[i]);
        for (size_t k = 0; k < count && front[i]; k++)
            front[i] = !(counts(points[k]) && beats(points[k], points[i]));
    }
}
