#include "drawing.h"

#include "script_text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

/* gnuplot takes no other characters into a name: "error-n-1-uniform" is error_n_1_uniform. */
static void put_name(FILE *script, const char *name)
{
    fputs(" name \"", script);
    for (; *name; name++)
        fputc((*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || (*name >= '0' && *name <= '9') ? *name
                                                                                                                 : '_',
              script);
    fputc('"', script);
}

enum status drawing_begin(struct drawing *drawing, const char *name, double width, double height)
{
    *drawing = (struct drawing){.what = "axes"};
    drawing->script = open_memstream(&drawing->script_text, &drawing->script_length);
    drawing->plot = drawing->script ? open_memstream(&drawing->plot_text, &drawing->plot_length) : NULL;
    if (!drawing->plot) {
        free(drawing_end(drawing));
        return out_of_memory("a picture");
    }
    fprintf(drawing->script,
            "set encoding utf8\n"
            "set terminal svg size %.0f,%.0f fixed enhanced font 'sans-serif,12' background rgb 'white'",
            width, height);
    if (name && *name)
        put_name(drawing->script, name);
    fprintf(drawing->script,
            "\nset border 0\nunset key\nunset tics\n"
            "set lmargin at screen 0\nset rmargin at screen 1\nset tmargin at screen 1\nset bmargin at screen 0\n"
            "set xrange [0:%.0f]\nset yrange [%.0f:0]\n",
            width, height);
    /* gnuplot refuses a plot of nothing: NaN draws nothing */
    fputs("plot NaN title 'axes'", drawing->plot);
    return OK;
}

char *drawing_end(struct drawing *drawing)
{
    int failed = !drawing->plot;
    if (drawing->plot)
        failed |= fclose(drawing->plot) != 0;
    if (drawing->script) {
        if (!failed)
            fprintf(drawing->script, "%s\nset output\n", drawing->plot_text);
        failed |= fclose(drawing->script) != 0;
    }
    char *script = drawing->script_text;
    if (failed) {
        free(script);
        script = NULL;
    }
    free(drawing->plot_text);
    *drawing = (struct drawing){0};
    return script;
}

/* ---- shapes ---- */

void shape_open(struct drawing *drawing)
{
    fprintf(drawing->script, "$s%zu << EOD\n", ++drawing->shapes);
    drawing->rows = 0;
}

void shape_row(struct drawing *drawing, size_t count, const double *numbers)
{
    for (size_t i = 0; i < count; i++)
        fprintf(drawing->script, "%s%.2f", i ? " " : "", numbers[i]);
    fputc('\n', drawing->script);
    drawing->rows++;
}

void shape_gap(struct drawing *drawing)
{
    fputc('\n', drawing->script);
}

void shape_close(struct drawing *drawing, const char *how, ...)
{
    va_list arguments;
    fputs("EOD\n", drawing->script);
    if (drawing->rows == 0)
        return;
    fprintf(drawing->plot, ", $s%zu ", drawing->shapes);
    va_start(arguments, how);
    vfprintf(drawing->plot, how, arguments);
    va_end(arguments);
    fputs(" title ", drawing->plot);
    script_quoted(drawing->plot, drawing->what ? drawing->what : "", SIZE_MAX);
    fputs(" noenhanced", drawing->plot);
}

void draw_stroke(struct drawing *drawing, const double from_to[4], double width, const char *dashes, const char *colour)
{
    shape_open(drawing);
    shape_row(drawing, 2, from_to);
    shape_row(drawing, 2, from_to + 2);
    shape_close(drawing, "using 1:2 with lines lw %g %s lc rgb '%s'", width, dashes, colour);
}

void draw_box(struct drawing *drawing, double left, double top, double right, double bottom, const char *colour)
{
    shape_open(drawing);
    shape_row(drawing, 4, (double[]){left, right, top, bottom});
    shape_close(drawing, "using 1:3:1:2:3:4 with boxxyerror fs solid noborder fc rgb '%s'", colour);
}

/* ---- text ---- */

void draw_text(struct drawing *drawing, double x, double y, struct text_look look, const char *text)
{
    static const char *const anchors[] = {"left", "center", "right"};
    fputs("set label ", drawing->script);
    script_quoted(drawing->script, text, look.most ? look.most : SIZE_MAX);
    fprintf(drawing->script, " at first %.2f,%.2f %s%s%s front font 'sans-serif,%g' textcolor rgb '%s'\n", x, y,
            anchors[look.anchor], script_is_power(text) ? "" : " noenhanced", look.upwards ? " rotate by 90" : "",
            look.size, look.colour);
}
