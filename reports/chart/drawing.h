/* A gnuplot script in pixels from the upper left corner: shapes one over the other, and texts over all of them.
 *
 * gnuplot is given one plot as large as the picture, whose axes are the pixels; where things stand is settled before.
 *
 *   shape_open(&drawing);
 *   shape_row(&drawing, 2, (double[]){16, 20});  ...
 *   shape_close(&drawing, "using 1:2 with lines lw 1 lc rgb '%s'", "#33658a");
 */
#ifndef ULPSCOPE_DRAWING_H
#define ULPSCOPE_DRAWING_H

#include "src/base/status.h"

#include <stddef.h>
#include <stdio.h>

struct drawing {
    FILE *script, *plot; /* the script so far, and the command that plots the shapes at its end */
    char *script_text, *plot_text;
    size_t script_length, plot_length;
    size_t shapes, rows; /* rows of the open shape */
    const char *what;    /* the shapes that follow are: "max"; a browser shows it beside the pointer */
};

/* `name` is what the picture is called; NULL: it has no name. */
enum status drawing_begin(struct drawing *drawing, const char *name, double width, double height);

/* The whole script; NULL: out of memory.  Allocated; nothing else is left behind. */
char *drawing_end(struct drawing *drawing);

/* A shape without a row is not drawn: gnuplot refuses it. */
void shape_open(struct drawing *drawing);
void shape_row(struct drawing *drawing, size_t count, const double *numbers);
void shape_close(struct drawing *drawing, const char *how, ...) __attribute__((format(printf, 2, 3)));

/* Between the rows of two lines that are one shape: a shape costs 300 bytes of SVG. */
void shape_gap(struct drawing *drawing);

/* The two that most pictures consist of.  `dashes`: "" or "dt (4,3)". */
void draw_stroke(struct drawing *drawing, const double from_to[4], double width, const char *dashes,
                 const char *colour);
void draw_box(struct drawing *drawing, double left, double top, double right, double bottom, const char *colour);

enum text_anchor { TEXT_LEFT, TEXT_CENTRE, TEXT_RIGHT };

struct text_look {
    double size;
    const char *colour;
    enum text_anchor anchor;
    size_t most; /* characters; 0: all */
    int upwards; /* turned by 90 degrees */
};

/* y is the middle of the letters. */
void draw_text(struct drawing *drawing, double x, double y, struct text_look look, const char *text);

#endif
