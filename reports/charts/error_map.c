#include "error_map.h"

#include <stdio.h>
#include <string.h>

/* In pixels: a map is a square, whatever its matrix is. */
enum { WIDTH = 960, MAP = 208, GAP = 32, HEAD = 40, LEGEND = 40, ACROSS = 4, SWATCH = 18, ONE_TO_TWO_U = 'n' };

/* The least and the largest letter of any error. */
struct scale {
    char least, most;
};

static struct scale scale_of(const struct series *const *series, size_t count)
{
    struct scale scale = {'z', 'a'};
    for (size_t s = 0; s < count; s++)
        for (const char *letter = series[s]->map; *letter; letter++)
            if (*letter >= 'a') {
                scale.least = *letter < scale.least ? *letter : scale.least;
                scale.most = *letter > scale.most ? *letter : scale.most;
            }
    return scale;
}

/* Of a letter from the least to the most one. */
static int heat_of(struct scale scale, char letter)
{
    const int letters = scale.most - scale.least + 1;
    return letters <= HEATS ? letter - scale.least : (letter - scale.least) * HEATS / letters;
}

static enum colour colour_of(struct scale scale, char letter)
{
    if (letter < 'a')
        return letter == '!' ? COLOUR_BAD : COLOUR_PAPER;
    return (enum colour)(COLOUR_HEAT + heat_of(scale, letter));
}

/* Cells of one colour are one path. */
static void draw_cells(struct canvas *canvas, const char *map, struct scale scale, double left, double top)
{
    const size_t across = strcspn(map, " "), down = (strlen(map) + 1) / (across + 1);
    const double width = (double)MAP / (double)across, height = (double)MAP / (double)down;
    for (int colour = 0; colour < COLOURS; colour++) {
        for (size_t i = 0; i < down; i++)
            for (size_t j = 0; j < across; j++)
                if ((int)colour_of(scale, map[i * (across + 1) + j]) == colour)
                    canvas_box(canvas, (struct box){left + (double)j * width, top + (double)i * height,
                                                    left + (double)(j + 1) * width, top + (double)(i + 1) * height});
        canvas_fill(canvas, (struct brush){(enum colour)colour, "cells", NULL}, 1);
    }
    canvas_box(canvas, (struct box){left, top, left + MAP, top + MAP});
    canvas_stroke(canvas, (struct brush){COLOUR_LINE, "frame", NULL}, 1, false);
}

static void draw_map(struct canvas *canvas, const struct series *series, struct scale scale, double left, double top)
{
    canvas_text(canvas, left, top + 12, (struct lettering){.room = MAP, .bold = true}, series->method);
    draw_cells(canvas, series->map, scale, left, top + 24);
}

/* "2^-5 u": what the error of a cell of that letter is below. */
static void write_edge(char letter, char text[16])
{
    if (letter == 'z')
        snprintf(text, 16, "any");
    else
        snprintf(text, 16, "2^%d u", letter - ONE_TO_TWO_U + 1);
}

static void draw_legend(struct canvas *canvas, struct scale scale, double top)
{
    double x = GAP;
    if (scale.least > scale.most)
        return;
    canvas_text(canvas, x, top + 9, (struct lettering){.size = 0}, "largest error of a cell: below");
    x += 190;
    for (char letter = scale.least; letter <= scale.most; letter++) {
        char edge[16];
        if (letter < scale.most && heat_of(scale, letter) == heat_of(scale, (char)(letter + 1)))
            continue;
        write_edge(letter, edge);
        canvas_box(canvas, (struct box){x, top, x + SWATCH, top + SWATCH});
        canvas_fill(canvas, (struct brush){colour_of(scale, letter), "cells", NULL}, 1);
        canvas_text(canvas, x + SWATCH + 6, top + 9, (struct lettering){.size = 0}, edge);
        x += SWATCH + 70;
    }
}

void error_map(const struct series *const *series, size_t count, const char *title, struct picture *picture)
{
    struct canvas canvas;
    const struct scale scale = scale_of(series, count);
    const size_t rows = (count + ACROSS - 1) / ACROSS;
    const double height = (double)rows * (MAP + HEAD) + LEGEND;
    canvas_begin(&canvas, WIDTH, height, title, "where in C = A B the errors are");
    for (size_t s = 0; s < count; s++)
        draw_map(&canvas, series[s], scale, GAP / 2.0 + (double)(s % ACROSS) * (MAP + GAP),
                 (double)(s / ACROSS) * (MAP + HEAD));
    draw_legend(&canvas, scale, (double)rows * (MAP + HEAD) + 8);
    canvas_take(&canvas, picture);
}
