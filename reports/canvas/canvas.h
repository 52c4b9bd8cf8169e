/* A picture as SVG, in pixels from its upper left corner: paths, dots and texts.
 *
 *   canvas_begin(&canvas, 960, 200, "uniform:n=1024", "sums by relative error");
 *   canvas_move(&canvas, 16, 20);  canvas_draw(&canvas, 80, 44);  ...
 *   canvas_stroke(&canvas, (struct brush){COLOUR_MAIN, "line", "max"}, 1.8, false);
 *   canvas_take(&canvas, &picture);
 *
 * No call needs to be checked, as with xml.h.  The same calls give the same bytes: a number is written in hundredths of
 * a pixel, by no locale.  Colours of light paper are attributes, which every program draws; a style sheet changes them
 * where dark paper is preferred, though not in print.  The paper is painted, so that the picture can be read anywhere.
 */
#pragma once

#include "palette.h"
#include "reports/xml.h"

/* What is taken on a picture, in pixels, so that no text is put over another thing. */

struct box {
    double left, top, right, bottom;
};

struct boxes {
    struct box *list;
    size_t count;
};

void boxes_add(struct boxes *boxes, struct box box);
bool boxes_clear(const struct boxes *boxes, struct box box); /* nothing there; edges may touch */
void boxes_free(struct boxes *boxes);

struct canvas {
    struct xml xml;
    struct text path;   /* since the last stroke or fill */
    long long x, y;     /* where it is, in hundredths */
    bool used[COLOURS]; /* what the style sheet is about */
};

void canvas_begin(struct canvas *canvas, double width, double height, const char *title, const char *description);

/* A picture that is ended; its SVG ends with a 0. */
struct picture {
    char *svg;
    size_t length;
};
void canvas_take(struct canvas *canvas, struct picture *picture);
enum status canvas_write(struct canvas *canvas, const char *path);
void picture_free(struct picture *picture);

/* What is drawn, to scripts, and to people who point at it; the title may be NULL, or of several lines. */
struct brush {
    enum colour colour;
    const char *kind, *title;
};

/* A group of one brush. */
void canvas_open(struct canvas *canvas, struct brush brush);
void canvas_close(struct canvas *canvas);

/* A path.  It is written by the last two, if there is something of it: with a brush of its own, or, where that has no
 * kind, with the one of its group. */
void canvas_move(struct canvas *canvas, double x, double y);
void canvas_draw(struct canvas *canvas, double x, double y); /* straight on to there */
void canvas_line(struct canvas *canvas, double x, double y, double to_x, double to_y);
void canvas_box(struct canvas *canvas, struct box box);
void canvas_stroke(struct canvas *canvas, struct brush brush, double width, bool dashed);
void canvas_fill(struct canvas *canvas, struct brush brush, double opacity); /* closes what is open */

void canvas_dot(struct canvas *canvas, double x, double y, double radius);

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct lettering {
    double size;        /* 0: 12 */
    enum colour colour; /* COLOUR_INK: that of the group */
    enum anchor anchor;
    double room;  /* in pixels; what is beyond it is "..."; 0: any */
    bool upwards; /* turned by 90 degrees */
    bool bold, mono;
};

/* y is the middle of the letters. */
void canvas_text(struct canvas *canvas, double x, double y, struct lettering lettering, const char *text);

/* How wide a text is on a picture: known well enough to keep it from the next one. */

/* Whether a part of it is raised: "2^{-24}", "1.5 x 10^{3}", and nothing that a user wrote. */
bool letters_are_power(const char *text);

/* About; rather too wide, for the fonts that browsers take for sans-serif.  Of a power, the raised part is smaller. */
double letters_width(const char *text, double size);

/* How many bytes fit into a width: all of them, or fewer by those of "...". */
size_t letters_fitting(const char *text, double size, double width);

/* Breaks at blanks into lines of at most `width`, in place; how many there are. */
size_t letters_wrap(char *text, double size, double width);
