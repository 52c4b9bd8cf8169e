#include "chart_svg.h"

#include "reports/canvas/canvas.h"

enum {
    WIDTH = 900,
    COLUMN_GAP = 28,
    X_SPACING = 44,
    Y_SPACING = 26,
    LABELS_MOST = 16, /* of points; Vega-Lite cannot keep them apart, and shows them on hovering in any case */
};

/* ---- the data ---- */

static void put_number(json_t *row, const char *key, double value)
{
    if (isfinite(value))
        json_put(row, key, json_real(value));
}

static bool same_title(const struct chart_panel *a, const struct chart_panel *b)
{
    return strcmp(a->title ? a->title : "", b->title ? b->title : "") == 0;
}

static bool titles_are_unique(const struct chart *chart)
{
    for (size_t p = 0; p < chart->panel_count; p++)
        for (size_t q = 0; q < p; q++)
            if (same_title(chart->panels[p], chart->panels[q]))
                return false;
    return true;
}

/* Panels of one title would fall into one: all have their numbers then, "2. ones:n=7". */
static json_t *title_of(const struct chart *chart, size_t panel)
{
    const char *title = chart->panels[panel]->title ? chart->panels[panel]->title : "";
    if (titles_are_unique(chart))
        return json_text(title);
    OWNED char *numbered = text_made("%zu. %s", panel + 1, title);
    return json_text(numbered);
}

static json_t *row_of(const struct chart *chart, size_t panel)
{
    return json_of({"panel", title_of(chart, panel)});
}

/* A panel without a point has a row that no mark draws: else it would not be there. */
static void add_rows(json_t *rows, const struct chart *chart, size_t index, size_t series)
{
    const struct chart_panel *panel = chart->panels[index];
    size_t points = 0;
    for (size_t m = 0; m < panel->mark_count; m++) {
        const struct chart_mark *mark = panel->marks[m];
        for (size_t i = 0; i < mark->point_count; i++) {
            const struct chart_point *point = &mark->points[i];
            if (!chart_point_drawn(mark, point))
                continue;
            json_t *row = row_of(chart, index);
            json_add(row, {"series", json_count(series + m)}, {"mark", json_text(mark->name ? mark->name : "")});
            put_number(row, "x", point->x);
            put_number(row, "y", point->y);
            put_number(row, "other", point->other);
            if (point->label)
                json_put(row, "label", json_text(point->label));
            json_append(rows, row);
            points++;
        }
    }
    if (points == 0)
        json_append(rows, row_of(chart, index));
}

static json_t *data_of(const struct chart *chart)
{
    json_t *rows = json_array();
    size_t series = 0;
    for (size_t p = 0; p < chart->panel_count; p++) {
        add_rows(rows, chart, p, series);
        series += chart->panels[p]->mark_count;
    }
    return json_of({"values", rows});
}

/* ---- axes ---- */

/* In the expressions of Vega, text stands between single quotes as in JavaScript. */
static void write_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (const char *c = text; *c; c++) {
        if (*c == '\'' || *c == '\\')
            fputc('\\', file);
        fputc(*c == '\n' ? ' ' : *c, file);
    }
    fputc('\'', file);
}

/* "2^{-24}" in characters that are raised themselves: Vega has no markup. */
static void write_raised(FILE *file, const char *text)
{
    static const char *const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    const char *raised = strstr(text, "^{");
    fprintf(file, "'%.*s", (int)(raised - text), text);
    for (const char *c = raised + 2; *c != '}'; c++)
        fputs(*c == '-' ? "\u207b" : digits[*c - '0'], file);
    fputc('\'', file);
}

/* "['exact','2\u207b\u00b2\u2074'][indexof([1e-10,5.96e-08],datum.value)]" */
static char *label_expression(const struct axis_ticks *ticks)
{
    char *text = NULL, number[NUMBER_TEXT];
    size_t length;
    FILE *file = text_stream(&text, &length);
    for (size_t i = 0; i < ticks->count; i++) {
        fputc(i ? ',' : '[', file);
        if (letters_are_power(ticks->list[i].text))
            write_raised(file, ticks->list[i].text);
        else
            write_quoted(file, ticks->list[i].text);
    }
    fputs("][indexof([", file);
    for (size_t i = 0; i < ticks->count; i++) {
        write_double(ticks->list[i].at, number);
        fprintf(file, "%s%s", i ? "," : "", number);
    }
    fputs("],datum.value)]", file);
    fclose(file);
    return text;
}

static json_t *ticks_of(const struct chart_axis *axis, double pixels, double spacing)
{
    json_t *object = json_object(), *values = json_array();
    FREED_BY(axis_ticks_free) struct axis_ticks ticks = axis_ticks(axis, pixels, spacing);
    OWNED char *labels = label_expression(&ticks);
    for (size_t i = 0; i < ticks.count; i++)
        json_append(values, json_real(ticks.list[i].at));
    json_put(object, "values", values);
    if (ticks.count > 0)
        json_put(object, "labelExpr", json_text(labels));
    json_put(object, "labelOverlap", json_string("greedy"));
    return object;
}

/* The bars of an axis that is hidden in the SVG bear numbers there; here the axis is shown. */
static json_t *axis_of(const struct chart_axis *axis, double pixels, double spacing)
{
    static const char *const types[] = {"linear", "log", "log"};
    json_t *scale = json_of({"type", json_string(types[axis->scale])}, {"nice", json_false()},
                            {"domain", json_pack("[ff]", axis->least, axis->most)});
    if (axis->scale == SCALE_LINEAR)
        json_put(scale, "zero", json_false()); /* a logarithmic scale has none, and Vega-Lite warns of the word */
    else
        json_put(scale, "base", json_integer(axis->scale == SCALE_LOG2 ? 2 : 10));
    return json_of({"type", json_string("quantitative")}, {"title", json_text(axis->label)}, {"scale", scale},
                   {"axis", ticks_of(axis, pixels, spacing)});
}

/* ---- layers: one for the marks of one look ---- */

static bool same_look(const struct chart_mark *a, const struct chart_mark *b)
{
    return a->kind == b->kind && a->colour == b->colour && a->dashed == b->dashed && a->labelled == b->labelled &&
           a->width == b->width && strcmp(a->name ? a->name : "", b->name ? b->name : "") == 0;
}

/* Every mark of the chart by its number as a series; NULL after the last. */
static const struct chart_mark *mark_of(const struct chart *chart, size_t series)
{
    for (size_t p = 0; p < chart->panel_count; p++) {
        if (series < chart->panels[p]->mark_count)
            return chart->panels[p]->marks[series];
        series -= chart->panels[p]->mark_count;
    }
    return NULL;
}

static bool looked_like_before(const struct chart *chart, size_t series)
{
    for (size_t i = 0; i < series; i++)
        if (same_look(mark_of(chart, i), mark_of(chart, series)))
            return true;
    return false;
}

/* Its name stands in the legend with the first look that it has. */
static bool named_before(const struct chart *chart, size_t series)
{
    const char *name = mark_of(chart, series)->name;
    for (size_t i = 0; i < series; i++)
        if (mark_of(chart, i)->name && strcmp(mark_of(chart, i)->name, name) == 0)
            return true;
    return false;
}

static json_t *filter_of(const struct chart *chart, size_t series)
{
    json_t *all = json_array();
    const struct chart_mark *other;
    for (size_t i = series; (other = mark_of(chart, i)); i++)
        if (same_look(other, mark_of(chart, series)))
            json_append(all, json_count(i));
    return json_of({"filter", json_of({"field", json_string("series")}, {"oneOf", all})});
}

/* A field of the rows; `like`: the axis that it is on, or NULL for the second end of what begins there. */
static json_t *channel(const char *field, const json_t *like)
{
    json_t *object = like ? json_deep_copy(like) : json_object();
    json_put(object, "field", json_string(field));
    return object;
}

static void put_calculation(json_t *transforms, const char *name, const char *how, double width)
{
    json_append(transforms, json_of({"calculate", json_sprintf(how, double_text(width))}, {"as", json_string(name)}));
}

/* Both edges of a bar, reckoned from its width. */
static void put_bars(const struct chart *chart, const struct chart_mark *mark, json_t *layer, json_t *encoding,
                     const json_t *x)
{
    static const char *const how[] = {"datum.x + (%s)", "datum.x * pow(2, %s)", "datum.x * pow(10, %s)"};
    json_t *transforms = json_object_get(layer, "transform");
    put_calculation(transforms, "left", how[chart->x.scale], -mark->width / 2);
    put_calculation(transforms, "right", how[chart->x.scale], mark->width / 2);
    json_add(encoding, {"x", channel("left", x)}, {"x2", channel("right", NULL)},
             {"y2", json_of({"datum", json_real(chart->y.least)})});
}

static json_t *encoding_of(const struct chart *chart, const struct chart_mark *mark, json_t *layer, const json_t *x,
                           const json_t *y)
{
    json_t *encoding = json_object();
    if (mark->kind != MARK_RULE_Y)
        json_put(encoding, "x", channel("x", x));
    if (mark->kind != MARK_RULE_X)
        json_put(encoding, "y", channel("y", y));
    if (mark->kind == MARK_BARS)
        put_bars(chart, mark, layer, encoding, x);
    if (mark->kind == MARK_BAND)
        json_put(encoding, "y2", channel("other", NULL));
    if (mark->kind == MARK_RANGE)
        json_put(encoding, "x2", channel("other", NULL));
    if (mark->kind == MARK_LINE || mark->kind == MARK_BAND)
        json_put(encoding, "detail", json_of({"field", json_string("series")}));
    return encoding;
}

/* Whether a line of this look has one point only, which would not be seen. */
static bool has_lonely_point(const struct chart *chart, const struct chart_mark *mark)
{
    const struct chart_mark *other;
    for (size_t i = 0; mark->kind == MARK_LINE && (other = mark_of(chart, i)); i++)
        if (same_look(other, mark) && other->point_count == 1)
            return true;
    return false;
}

static json_t *mark_object(const struct chart *chart, const struct chart_mark *mark)
{
    static const char *const types[] = {
        [MARK_BARS] = "rect",  [MARK_BAND] = "area",   [MARK_LINE] = "line",  [MARK_POINTS] = "point",
        [MARK_RANGE] = "rule", [MARK_RULE_X] = "rule", [MARK_RULE_Y] = "rule"};
    static const double strokes[] = {[MARK_LINE] = 1.8, [MARK_RANGE] = 3, [MARK_RULE_X] = 1.2, [MARK_RULE_Y] = 1.2};
    json_t *object =
        json_of({"type", json_string(types[mark->kind])}, {"color", json_string(palette[mark->colour].light)},
                {"tooltip", json_of({"content", json_string("data")})},
                {"opacity", json_real(mark->kind == MARK_BAND ? 0.18 : 1)});
    if (mark->kind == MARK_LINE)
        json_put(object, "order", json_false()); /* through the points as they stand in the data */
    if (has_lonely_point(chart, mark))
        json_put(object, "point", json_true());
    if (mark->kind == MARK_POINTS)
        json_put(object, "filled", json_true());
    if (mark->kind >= MARK_LINE && mark->kind != MARK_POINTS)
        json_put(object, "strokeWidth",
                 json_real(mark->kind == MARK_LINE && mark->colour == COLOUR_QUIET ? 1 : strokes[mark->kind]));
    if (mark->dashed)
        json_put(object, "strokeDash", json_pack("[ii]", 5, 3));
    return object;
}

/* The names of all marks with their colours: one legend for all layers. */
static json_t *legend_scale(const struct chart *chart)
{
    json_t *names = json_array(), *colours = json_array();
    const struct chart_mark *mark;
    const unsigned ranks = chart_ranks(chart);
    for (unsigned rank = 0; rank < ranks; rank++)
        for (size_t i = 0; (mark = mark_of(chart, i)); i++)
            if (mark->rank == rank && mark->name && !named_before(chart, i)) {
                json_append(names, json_text(mark->name));
                json_append(colours, json_string(palette[mark->colour].light));
            }
    return json_of({"domain", names}, {"range", colours});
}

/* A layer has the rows of one name, which is all that the field says. */
static void put_legend(json_t *encoding, const json_t *scale)
{
    json_t *legend = json_of({"symbolOpacity", json_integer(1)}); /* of a band, too */
    json_put(encoding, "color",
             json_of({"legend", legend}, {"field", json_string("mark")}, {"type", json_string("nominal")},
                     {"scale", json_deep_copy(scale)}, {"title", json_null()}));
}

static void add_labels(json_t *layers, const struct chart *chart, size_t series, const json_t *x, const json_t *y)
{
    json_t *mark = json_of({"type", json_string("text")}, {"align", json_string("left")}, {"dx", json_integer(7)});
    json_t *layer = json_of({"transform", json_pack("[o]", filter_of(chart, series))}, {"mark", mark});
    json_t *encoding = encoding_of(chart, mark_of(chart, series), layer, x, y);
    json_put(encoding, "text", channel("label", NULL));
    json_put(layer, "encoding", encoding);
    json_append(layers, layer);
}

static json_t *layers_of(const struct chart *chart, const json_t *x, const json_t *y)
{
    json_t *layers = json_array(), *scale = legend_scale(chart);
    const struct chart_mark *mark;
    const bool legend = json_array_size(json_object_get(scale, "domain")) > 1;
    for (size_t i = 0; (mark = mark_of(chart, i)); i++) {
        if (looked_like_before(chart, i))
            continue;
        json_t *layer = json_of({"transform", json_pack("[o]", filter_of(chart, i))});
        json_t *encoding = encoding_of(chart, mark, layer, x, y);
        if (legend && mark->name && !named_before(chart, i))
            put_legend(encoding, scale);
        json_add(layer, {"mark", mark_object(chart, mark)}, {"encoding", encoding});
        json_append(layers, layer);
        if (mark->labelled && mark->point_count <= LABELS_MOST)
            add_labels(layers, chart, i, x, y);
    }
    json_decref(scale);
    return layers;
}

/* ---- the whole ---- */

static void put_words(json_t *spec, const struct chart *chart)
{
    json_t *title = json_of({"text", json_text(chart->title ? chart->title : "")}, {"anchor", json_string("start")});
    json_put(spec, "$schema", json_string("https://vega.github.io/schema/vega-lite/v5.json"));
    if (chart->name)
        json_put(spec, "name", json_text(chart->name));
    if (chart->caption)
        json_put(spec, "description", json_text(chart->caption));
    if (chart->subtitle)
        json_put(title, "subtitle", json_text(chart->subtitle));
    json_put(spec, "title", title);
}

/* The sentence in place of a picture. */
static void put_missing(json_t *spec, const char *missing)
{
    json_t *mark = json_of({"type", json_string("text")}, {"text", json_text(missing)}, {"limit", json_integer(WIDTH)});
    json_add(spec, {"data", json_of({"values", json_pack("[{}]")})}, {"mark", mark}, {"width", json_integer(WIDTH)},
             {"height", json_integer(40)});
}

static json_t *facet_of(const struct chart *chart)
{
    json_t *titles = json_array();
    for (size_t p = 0; p < chart->panel_count; p++)
        json_append(titles, title_of(chart, p));
    return json_of({"field", json_string("panel")}, {"type", json_string("nominal")}, {"title", json_null()},
                   {"sort", titles}, {"header", json_of({"labelAnchor", json_string("start")})});
}

static void put_panels(json_t *spec, const struct chart *chart)
{
    const size_t columns = chart->columns > 1 && chart->panel_count > 1 ? chart->columns : 1;
    const double width = floor((WIDTH - COLUMN_GAP * (double)(columns - 1)) / (double)columns);
    json_auto_t *x = axis_of(&chart->x, width, X_SPACING), *y = axis_of(&chart->y, chart->panel_height, Y_SPACING);
    json_t *panel = json_of({"width", json_real(width)}, {"height", json_real(chart->panel_height)},
                            {"layer", layers_of(chart, x, y)});
    json_add(spec, {"data", data_of(chart)}, {"facet", facet_of(chart)}, {"columns", json_count(columns)},
             {"spec", panel});
}

json_t *chart_vega(const struct chart *chart)
{
    json_t *spec = json_object();
    put_words(spec, chart);
    if (chart->missing || chart->panel_count == 0)
        put_missing(spec, chart->missing ? chart->missing : "there is nothing to draw");
    else
        put_panels(spec, chart);
    return spec;
}
