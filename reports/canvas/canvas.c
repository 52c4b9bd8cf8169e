#include "canvas.h"

#include <math.h>

const struct shade palette[COLOURS] = {
    [COLOUR_MAIN] = {"main", "#33658a", "#5393c2"},       [COLOUR_GOOD] = {"good", "#3f8f5b", "#4fa371"},
    [COLOUR_BAD] = {"bad", "#b5432f", "#d4604c"},         [COLOUR_UNKNOWN] = {"unknown", "#7a7a7a", "#9a9a9a"},
    [COLOUR_QUIET] = {"quiet", "#8c8c8c", "#7d8791"},     [COLOUR_THEORY] = {"theory", "#1b1b1b", "#f2f4f6"},
    [COLOUR_MODEL] = {"model", "#2f8f46", "#56c271"},     [COLOUR_SECOND] = {"second", "#d17a00", "#ffbe5c"},
    [COLOUR_HUE] = {"one", "#0072b2", "#56b4e9"},         [COLOUR_HUE + 1] = {"two", "#c85000", "#ff9a52"},
    [COLOUR_HUE + 2] = {"three", "#00805e", "#2fc79a"},   [COLOUR_HUE + 3] = {"four", "#a8467f", "#e89ac6"},
    [COLOUR_HUE + 4] = {"five", "#8f7200", "#e3c53f"},    [COLOUR_HUE + 5] = {"six", "#4a3aa7", "#b3a7f7"},
    [COLOUR_HUE + 6] = {"seven", "#1d2329", "#e4e8ec"},   [COLOUR_INK] = {"ink", "#1d2329", "#e4e8ec"},
    [COLOUR_SOFT] = {"soft", "#57606a", "#9aa5b1"},       [COLOUR_LINE] = {"axis", "#888888", "#77828d"},
    [COLOUR_GRID] = {"faint", "#e8e8e8", "#2b333b"},      [COLOUR_PAPER] = {"paper", "#ffffff", "#14181c"},
    [COLOUR_HEAT] = {"heat-1", "#deb25a", "#7a5326"},     [COLOUR_HEAT + 1] = {"heat-2", "#d99a40", "#95602a"},
    [COLOUR_HEAT + 2] = {"heat-3", "#cf7c2e", "#b3712d"}, [COLOUR_HEAT + 3] = {"heat-4", "#bf5d24", "#cf8832"},
    [COLOUR_HEAT + 4] = {"heat-5", "#a8401f", "#e6a349"}, [COLOUR_HEAT + 5] = {"heat-6", "#872618", "#f5c373"},
    [COLOUR_HEAT + 6] = {"heat-7", "#5f1010", "#ffe6ad"},
};

static const double TEXT_SIZE = 12;

/* ---- numbers ---- */

enum { PIXELS_TEXT = 32 };

static long long hundredths(double pixels)
{
    return llround(100 * pixels);
}

/* 1650: "16.5" */
static const char *pixels_text(long long count, char text[PIXELS_TEXT])
{
    const long long size = llabs(count), part = size % 100;
    const char *sign = count < 0 ? "-" : "";
    if (part == 0)
        snprintf(text, PIXELS_TEXT, "%s%lld", sign, size / 100);
    else
        snprintf(text, PIXELS_TEXT, "%s%lld.%0*lld", sign, size / 100, part % 10 ? 2 : 1, part % 10 ? part : part / 10);
    return text;
}

static void number(struct canvas *canvas, const char *name, double pixels)
{
    char text[PIXELS_TEXT];
    xml_attribute(&canvas->xml, name, "%s", pixels_text(hundredths(pixels), text));
}

/* ---- elements ---- */

static void close_element(struct canvas *canvas)
{
    xml_close(&canvas->xml);
    xml_raw(&canvas->xml, "\n");
}

static void put_words(struct canvas *canvas, const char *element, const char *words)
{
    xml_open(&canvas->xml, element);
    xml_lines(&canvas->xml, words);
    xml_close(&canvas->xml);
}

static void put_colour(struct canvas *canvas, const char *kind, enum colour colour)
{
    canvas->used[colour] = true;
    xml_attribute(&canvas->xml, "class", "%s%s%s", kind, *kind ? " " : "", palette[colour].name);
    xml_attribute(&canvas->xml, "color", "%s", palette[colour].light);
}

void canvas_open(struct canvas *canvas, struct brush brush)
{
    xml_open(&canvas->xml, "g");
    put_colour(canvas, brush.kind, brush.colour);
    xml_attribute(&canvas->xml, "fill", "currentColor");
    if (brush.title)
        put_words(canvas, "title", brush.title);
    xml_raw(&canvas->xml, "\n");
}

void canvas_close(struct canvas *canvas)
{
    close_element(canvas);
}

/* ---- paths ---- */

static void step(struct canvas *canvas, const char *command, long long x, long long y)
{
    char across[PIXELS_TEXT], down[PIXELS_TEXT];
    const bool turns = *command != 'L', level = y == canvas->y, upright = x == canvas->x;
    if (turns || (!level && !upright))
        text_append(&canvas->path, "%s%s,%s", command, pixels_text(x, across), pixels_text(y, down));
    else
        text_append(&canvas->path, "%s%s", level ? "H" : "V", pixels_text(level ? x : y, across));
    canvas->x = x;
    canvas->y = y;
}

void canvas_move(struct canvas *canvas, double x, double y)
{
    step(canvas, "M", hundredths(x), hundredths(y));
}

void canvas_draw(struct canvas *canvas, double x, double y)
{
    step(canvas, "L", hundredths(x), hundredths(y));
}

void canvas_line(struct canvas *canvas, double x, double y, double to_x, double to_y)
{
    canvas_move(canvas, x, y);
    canvas_draw(canvas, to_x, to_y);
}

void canvas_box(struct canvas *canvas, struct box box)
{
    canvas_line(canvas, box.left, box.top, box.right, box.top);
    canvas_draw(canvas, box.right, box.bottom);
    canvas_draw(canvas, box.left, box.bottom);
    text_append(&canvas->path, "Z");
}

/* Opens the path's element; false: there is none. */
static bool open_path(struct canvas *canvas, const struct brush *brush)
{
    const bool any = canvas->path.length > 0;
    OWNED char *path = text_take(&canvas->path);
    if (any) {
        xml_open(&canvas->xml, "path");
        if (brush->kind)
            put_colour(canvas, brush->kind, brush->colour);
        xml_attribute(&canvas->xml, "d", "%s", path);
    }
    return any;
}

static void close_path(struct canvas *canvas, const struct brush *brush)
{
    if (brush->title)
        put_words(canvas, "title", brush->title);
    close_element(canvas);
}

void canvas_stroke(struct canvas *canvas, struct brush brush, double width, bool dashed)
{
    char dash[PIXELS_TEXT], gap[PIXELS_TEXT];
    if (!open_path(canvas, &brush))
        return;
    xml_attribute(&canvas->xml, "fill", "none");
    xml_attribute(&canvas->xml, "stroke", "currentColor");
    number(canvas, "stroke-width", width);
    if (dashed)
        xml_attribute(&canvas->xml, "stroke-dasharray", "%s %s", pixels_text(hundredths(2.5 * width), dash),
                      pixels_text(hundredths(1.5 * width), gap));
    close_path(canvas, &brush);
}

void canvas_fill(struct canvas *canvas, struct brush brush, double opacity)
{
    if (!open_path(canvas, &brush))
        return;
    xml_attribute(&canvas->xml, "fill", "currentColor");
    if (opacity < 1)
        number(canvas, "fill-opacity", opacity);
    close_path(canvas, &brush);
}

void canvas_dot(struct canvas *canvas, double x, double y, double radius)
{
    xml_open(&canvas->xml, "circle");
    number(canvas, "cx", x);
    number(canvas, "cy", y);
    number(canvas, "r", radius);
    close_element(canvas);
}

/* ---- texts ---- */

static void put_power(struct canvas *canvas, const char *text, double size)
{
    const size_t base = strcspn(text, "^");
    xml_text(&canvas->xml, "%.*s", (int)base, text);
    xml_open(&canvas->xml, "tspan");
    number(canvas, "dy", -size / 2);
    number(canvas, "font-size", 0.8 * size);
    xml_text(&canvas->xml, "%.*s", (int)strcspn(text + base + 2, "}"), text + base + 2);
    xml_close(&canvas->xml);
}

static void put_letters(struct canvas *canvas, const char *text, double size, double room)
{
    const size_t fitting = room > 0 ? letters_fitting(text, size, room) : strlen(text);
    if (letters_are_power(text))
        put_power(canvas, text, size);
    else
        xml_text(&canvas->xml, "%.*s%s", (int)fitting, text, text[fitting] ? "..." : "");
}

static void put_look(struct canvas *canvas, const struct lettering *lettering)
{
    static const char *const anchors[] = {NULL, "middle", "end"};
    if (lettering->colour != COLOUR_INK) {
        put_colour(canvas, "", lettering->colour);
        xml_attribute(&canvas->xml, "fill", "currentColor");
    }
    if (anchors[lettering->anchor])
        xml_attribute(&canvas->xml, "text-anchor", "%s", anchors[lettering->anchor]);
    if (lettering->size > 0)
        number(canvas, "font-size", lettering->size);
    if (lettering->bold)
        xml_attribute(&canvas->xml, "font-weight", "600");
    if (lettering->mono)
        xml_attribute(&canvas->xml, "font-family", "ui-monospace, 'DejaVu Sans Mono', monospace");
}

/* What has no descender is a third of its size above the middle of its letters, and as much below. */
void canvas_text(struct canvas *canvas, double x, double y, struct lettering lettering, const char *text)
{
    const double size = lettering.size > 0 ? lettering.size : TEXT_SIZE, below = 0.325 * size;
    char across[PIXELS_TEXT], down[PIXELS_TEXT];
    xml_open(&canvas->xml, "text");
    number(canvas, "x", lettering.upwards ? x + below : x);
    number(canvas, "y", lettering.upwards ? y : y + below);
    if (lettering.upwards)
        xml_attribute(&canvas->xml, "transform", "rotate(-90 %s %s)", pixels_text(hundredths(x + below), across),
                      pixels_text(hundredths(y), down));
    put_look(canvas, &lettering);
    put_letters(canvas, text, size, lettering.room);
    close_element(canvas);
}

/* ---- the whole ---- */

void canvas_begin(struct canvas *canvas, double width, double height, const char *title, const char *description)
{
    *canvas = (struct canvas){.x = 0};
    xml_begin(&canvas->xml);
    xml_open(&canvas->xml, "svg");
    xml_attribute(&canvas->xml, "xmlns", "http://www.w3.org/2000/svg");
    number(canvas, "width", width);
    number(canvas, "height", height);
    xml_attribute(&canvas->xml, "viewBox", "0 0 %.0f %.0f", width, height);
    xml_attribute(&canvas->xml, "role", "img");
    put_colour(canvas, "ulpscope", COLOUR_INK);
    xml_attribute(&canvas->xml, "fill", "currentColor");
    xml_attribute(&canvas->xml, "font-family", "sans-serif");
    number(canvas, "font-size", TEXT_SIZE);
    xml_raw(&canvas->xml, "\n");
    put_words(canvas, "title", title);
    put_words(canvas, "desc", description);
    xml_raw(&canvas->xml, "\n");
    canvas_box(canvas, (struct box){0, 0, width, height});
    canvas_fill(canvas, (struct brush){COLOUR_PAPER, "ground", NULL}, 1);
}

/* Of the colours that are used. */
static void put_style(struct canvas *canvas)
{
    xml_open(&canvas->xml, "style");
    xml_raw(&canvas->xml, "@media screen and (prefers-color-scheme: dark) {\n");
    for (int i = 0; i < COLOURS; i++)
        if (canvas->used[i]) {
            xml_text(&canvas->xml, "%s.ulpscope .%s { color: %s; }", i == COLOUR_INK ? ".ulpscope, " : "",
                     palette[i].name, palette[i].dark);
            xml_raw(&canvas->xml, "\n");
        }
    xml_raw(&canvas->xml, "}");
    close_element(canvas);
}

static void end(struct canvas *canvas)
{
    put_style(canvas);
    close_element(canvas);
    free(text_take(&canvas->path)); /* what was never stroked */
}

void canvas_take(struct canvas *canvas, struct picture *picture)
{
    end(canvas);
    picture->svg = xml_take(&canvas->xml, &picture->length);
}

enum status canvas_write(struct canvas *canvas, const char *path)
{
    end(canvas);
    return xml_write(&canvas->xml, path);
}

void picture_free(struct picture *picture)
{
    free(picture->svg);
    *picture = (struct picture){0};
}

/* ---- boxes ---- */

void boxes_add(struct boxes *boxes, struct box box)
{
    boxes->list = memory_resized(boxes->list, (boxes->count + 1) * sizeof *boxes->list);
    boxes->list[boxes->count++] = box;
}

bool boxes_clear(const struct boxes *boxes, struct box box)
{
    for (size_t i = 0; i < boxes->count; i++) {
        const struct box *other = &boxes->list[i];
        if (box.left < other->right && other->left < box.right && box.top < other->bottom && other->top < box.bottom)
            return false;
    }
    return true;
}

void boxes_free(struct boxes *boxes)
{
    free(boxes->list);
    *boxes = (struct boxes){0};
}
