#include "chart.h"

#include "src/base/number.h"

#include <math.h>

/* Letters of 12 pixels: 240 hold a panel with its axis, 4000 are wider than a poster's. */
static const double LETTER = 12, LEAST = 240, MOST = 4000, POINT = 25.4 / 72;

/* In millimetres; NaN: it is no number with a unit behind it. */
static double length_of(const char *text)
{
    static const struct {
        const char *name;
        double millimetres;
    } units[] = {{"mm", 1}, {"cm", 10}, {"in", 25.4}, {"pt", 25.4 / 72}, {"px", 25.4 / 96}};
    double value, length = NAN;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t size = strlen(text), unit = strlen(units[i].name);
        if (size <= unit || strcmp(text + size - unit, units[i].name) != 0)
            continue;
        OWNED char *number = text_made("%.*s", (int)(size - unit), text);
        if (!read_real(number, &value))
            length = value * units[i].millimetres;
    }
    return length;
}

enum status paper_read(const char *width, const char *font_size, struct chart_paper *paper)
{
    const double font = length_of(font_size ? font_size : "9pt"), wide = length_of(width ? width : "254mm");
    if (!width && !font_size)
        return OK;
    if (!(font >= 4 * POINT && font <= 72 * POINT))
        return bad_input("--font-size \"%s\": is no size of letters; expected 4pt to 72pt, like 8pt", font_size);
    *paper = (struct chart_paper){round(wide / font * LETTER), wide};
    if (paper->pixels >= LEAST && paper->pixels <= MOST)
        return OK;
    return bad_input("%s \"%s\": is no width that holds a picture; expected one from %.0fmm to %.0fmm with letters of "
                     "%.3gpt, as in --width 86mm --font-size 8pt",
                     width ? "--width" : "--font-size", width ? width : font_size, ceil(LEAST / LETTER * font),
                     floor(MOST / LETTER * font), font / POINT);
}
