#include "picture.h"

#include "../src/number.h"
#include "clean_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All in pixels, so that bars keep a readable width however many bins there are. */
enum {
    WIDTH = 960,
    MARGIN = 16,
    APART = 80, /* the room of a bar that is counted apart, for its label */
    HEAD = 66,  /* above the first panel: title and the mark of u */
    TITLE = 24, /* above each panel: the method */
    PANEL = 74, /* a panel without its title */
    FOOT = 62,  /* below the last panel: the axis */
    BINS_LEFT = MARGIN + APART + 8,
    APART_LEFT = WIDTH - MARGIN - 3 * APART, /* of the three on the right */
    BINS_RIGHT = APART_LEFT - 12,
    NAME_MOST = 100,
};

static const double HEADROOM = 1.3; /* of a panel above its highest bar, for the number */

static const char BAR[] = "#33658a", EXACT[] = "#3f8f5b", BAD[] = "#b5432f", UNKNOWN[] = "#7a7a7a";

struct drawing {
    FILE *script;
    const struct tally *tally;
    int u_exponent; /* u = 2^-24 in binary32 */
    int least;      /* the first bin on the axis, which ends at 2^0 */
    double unit;    /* pixels of a bin */
    double most;    /* the largest count of all panels */
    double height;  /* of the picture */
};

/* gnuplot leaves ">" alone, so that "]]>" would not be XML, and copies hexadecimal references: markup goes as such.
 * Between single quotes nothing but a quote, doubled, is special. */
static void write_quoted(FILE *script, const char *text, size_t most)
{
    char *clean = clean_text(text);
    fputc('\'', script);
    for (const char *c = clean; c && *c; c++) {
        if (((unsigned char)*c & 0xc0) != 0x80 && most-- == 0) {
            fputs("...", script);
            break;
        }
        if (strchr("<>&\"", *c))
            fprintf(script, "&#x%x;", *c);
        else
            fprintf(script, *c == '\'' ? "''" : "%c", *c);
    }
    fputc('\'', script);
    free(clean);
}

static double bin_edge(const struct drawing *drawing, int exponent)
{
    return BINS_LEFT + (exponent - drawing->least) * drawing->unit;
}

static double apart_centre(int which)
{
    return which == TALLY_EXACT ? MARGIN + APART / 2.0 : APART_LEFT + (which - TALLY_NO_DIGIT + 0.5) * APART;
}

static double most_counted(const struct tally *tally)
{
    uint64_t most = 1;
    for (size_t m = 0; m < tally->count; m++) {
        const struct histogram *histogram = &tally->histograms[m];
        for (int i = 0; i < -HISTOGRAM_LEAST; i++)
            most = histogram->bin[i] > most ? histogram->bin[i] : most;
        for (int i = 0; i < TALLY_APART; i++)
            most = tally_apart(histogram, i) > most ? tally_apart(histogram, i) : most;
    }
    return (double)most;
}

/* The axis always reaches to some bins below u, so that pictures of different data look alike. */
static struct drawing drawing_of(const struct tally *tally, const struct format *format, FILE *script)
{
    const int u_exponent = -format->precision;
    const int least = tally->binned && tally->least < u_exponent - 4 ? tally->least : u_exponent - 4;
    return (struct drawing){
        .script = script,
        .tally = tally,
        .u_exponent = u_exponent,
        .least = least,
        .unit = (double)(BINS_RIGHT - BINS_LEFT) / -least,
        .most = most_counted(tally),
        .height = HEAD + (double)tally->count * (TITLE + PANEL) + FOOT,
    };
}

/* A label at pixels from the upper left corner of the whole picture. */
static void label(const struct drawing *drawing, double x, double y, const char *how)
{
    fprintf(drawing->script, " at screen %.6f,%.6f %s\n", x / WIDTH, 1 - y / drawing->height, how);
}

/* "replay, 120 blocks of 256 threads; sums by relative error; one bar a binade": only what other pictures differ in. */
static void draw_subtitle(const struct drawing *drawing, const struct group *group)
{
    FILE *script = drawing->script;
    char launch[LAUNCH_TEXT];
    launch_text(group->launch, launch);
    fputs("set label 2 '", script);
    if (group->other_backends)
        fprintf(script, "%s%s", group->backend, group->other_launches ? ", " : "; ");
    if (group->other_launches)
        fprintf(script, "%s; ", launch);
    fputs("sums by relative error; one bar a binade'", script);
    label(drawing, MARGIN, 38, "textcolor rgb '#555555'");
}

static void draw_head(const struct drawing *drawing, const struct group *group, const char *entry)
{
    FILE *script = drawing->script;
    fprintf(script,
            "set encoding utf8\n"
            "set terminal svg size %d,%.0f fixed enhanced font 'sans-serif,12' background rgb 'white'\n"
            "set multiplot\nset border 0\nunset key\nunset tics\nset style fill solid noborder\n"
            "set xrange [0:%d]\nset lmargin at screen 0\nset rmargin at screen 1\n",
            WIDTH, drawing->height, WIDTH);
    fputs("set label 1 ", script);
    write_quoted(script, entry, NAME_MOST);
    label(drawing, MARGIN, 18, "noenhanced font 'sans-serif,15'");
    draw_subtitle(drawing, group);
    fprintf(script, "set label 3 'u = 2^{%d}'", drawing->u_exponent);
    label(drawing, bin_edge(drawing, drawing->u_exponent), 59, "center textcolor rgb '#555555'");
}

/* Whether a number on a bar of one height passes by the number on a bar of the other. */
static bool pass_by(const struct drawing *drawing, uint64_t count, uint64_t other)
{
    const double apart = fabs((double)count - (double)other) / drawing->most * (PANEL / HEADROOM);
    return other == 0 || apart > 12;
}

/* A number stands on its bar where it can be read; the report has all of them in a table in any case. */
static const char *number_of(const struct drawing *drawing, const struct histogram *histogram, int k,
                             char text[NUMBER_TEXT])
{
    const uint64_t *bin = &histogram->bin[k - HISTOGRAM_LEAST];
    const uint64_t before = k > HISTOGRAM_LEAST ? bin[-1] : 0, after = k < -1 ? bin[1] : 0;
    const double width = 5.3 * snprintf(text, NUMBER_TEXT, "%" PRIu64, *bin);
    const bool alone = pass_by(drawing, *bin, before) && pass_by(drawing, *bin, after);
    return width <= drawing->unit || (alone && width <= 2 * drawing->unit) ? text : "\"\"";
}

/* Lines of x, height, width, number; how many there are. */
static size_t write_bins(const struct drawing *drawing, const struct histogram *histogram)
{
    char text[NUMBER_TEXT];
    size_t lines = 0;
    fputs("$bins << EOD\n", drawing->script);
    for (int k = drawing->least; k < 0; k++) {
        const uint64_t count = histogram->bin[k - HISTOGRAM_LEAST];
        if (count == 0)
            continue;
        fprintf(drawing->script, "%.3f %" PRIu64 " %.3f %s\n", bin_edge(drawing, k) + drawing->unit / 2, count,
                drawing->unit * 0.86, number_of(drawing, histogram, k, text));
        lines++;
    }
    fputs("EOD\n", drawing->script);
    return lines;
}

/* gnuplot refuses data without a line, and crashes when all labels are without a place: an empty plot is NaN. */
static void plot_bars(const struct drawing *drawing, const struct histogram *histogram)
{
    static const char numbers[] = "with labels center offset 0,0.45 font 'sans-serif,9.5' textcolor rgb";
    const char *const colours[TALLY_APART] = {EXACT, BAD, BAD, UNKNOWN};
    FILE *script = drawing->script;
    const bool any = write_bins(drawing, histogram) > 0;
    for (int i = 0; i < TALLY_APART; i++)
        fprintf(script, "$apart%d << EOD\n%.3f %" PRIu64 " %.3f\nEOD\n", i, apart_centre(i), tally_apart(histogram, i),
                APART * 0.42);
    fputs("plot NaN notitle", script);
    if (any)
        fprintf(script, ", $bins using 1:2:3 with boxes lc rgb '%s', $bins using 1:2:4 %s '#333333'", BAR, numbers);
    for (int i = 0; i < TALLY_APART; i++) {
        const bool none = tally_apart(histogram, i) == 0; /* its 0 is written, faintly, and no bar drawn */
        if (!none)
            fprintf(script, ", $apart%d using 1:2:3 with boxes lc rgb '%s'", i, colours[i]);
        fprintf(script, ", $apart%d using 1:2:2 %s '%s'", i, numbers, none ? "#999999" : "#333333");
    }
    fputc('\n', script);
}

static void draw_line(const struct drawing *drawing, double from, double to, double y)
{
    fprintf(drawing->script, "set arrow from screen %.6f,%.6f to screen %.6f,%.6f nohead lw 1 lc rgb '#888888'\n",
            from / WIDTH, 1 - y / drawing->height, to / WIDTH, 1 - y / drawing->height);
}

/* Three base lines with gaps: the bins, and what is counted apart on either side. */
static void draw_panel(const struct drawing *drawing, size_t method)
{
    FILE *script = drawing->script;
    const struct histogram *histogram = &drawing->tally->histograms[method];
    const uint64_t total = histogram_total(histogram);
    const double top = HEAD + (double)method * (TITLE + PANEL), bottom = top + TITLE + PANEL;
    fputs(method == 0 ? "" : "unset label\n", script);
    fprintf(script, "unset arrow\nset tmargin at screen %.6f\nset bmargin at screen %.6f\nset yrange [0:%.17g]\n",
            1 - (top + TITLE) / drawing->height, 1 - bottom / drawing->height, HEADROOM * drawing->most);
    fputs("set label 4 ", script);
    write_quoted(script, drawing->tally->methods[method], NAME_MOST);
    label(drawing, MARGIN, top + 17, "noenhanced front");
    fprintf(script, "set label 5 '%" PRIu64 " sum%s'", total, total == 1 ? "" : "s");
    label(drawing, WIDTH - MARGIN, top + 17, "right textcolor rgb '#555555'");
    draw_line(drawing, MARGIN, MARGIN + APART - 8, bottom);
    draw_line(drawing, BINS_LEFT, BINS_RIGHT, bottom);
    draw_line(drawing, APART_LEFT, WIDTH - MARGIN, bottom);
    fprintf(script, "set arrow from screen %.6f,%.6f to screen %.6f,%.6f nohead lw 1 dt (4,3) lc rgb '#555555'\n",
            bin_edge(drawing, drawing->u_exponent) / WIDTH, 1 - bottom / drawing->height,
            bin_edge(drawing, drawing->u_exponent) / WIDTH, 1 - (method == 0 ? top : top + 2) / drawing->height);
    plot_bars(drawing, histogram);
}

/* Powers of two at least 44 pixels apart; steps are powers of two, so that -24 is among them while they are few. */
static void draw_foot(const struct drawing *drawing)
{
    FILE *script = drawing->script;
    const double bottom = drawing->height - FOOT;
    int step = 1;
    while (step * drawing->unit < 44)
        step *= 2;
    fputs("unset arrow\nunset label\n", script);
    for (int k = 0; k >= drawing->least; k -= step) {
        const double x = bin_edge(drawing, k);
        fprintf(script, "set arrow from screen %.6f,%.6f to screen %.6f,%.6f nohead lw 1 lc rgb '#888888'\n", x / WIDTH,
                1 - bottom / drawing->height, x / WIDTH, 1 - (bottom + 5) / drawing->height);
        if (k == 0)
            fputs("set label '1'", script);
        else
            fprintf(script, "set label '2^{%d}'", k);
        label(drawing, x, bottom + 17, "center");
    }
    fputs("set label 'relative error |computed - s| / |s|'", script);
    label(drawing, (BINS_LEFT + BINS_RIGHT) / 2.0, bottom + 42, "center");
    for (int i = 0; i < TALLY_APART; i++) {
        fprintf(script, "set label '%s'", tally_apart_names[i]);
        label(drawing, apart_centre(i), bottom + 17, "center font 'sans-serif,11'");
    }
    fputs("plot NaN notitle\nunset multiplot\nset output\n", script);
}

static char *write_script(const struct tally *tally, const struct group *group, const char *entry)
{
    char *text = NULL;
    size_t length;
    FILE *script = open_memstream(&text, &length);
    if (!script)
        return NULL;
    const struct drawing drawing = drawing_of(tally, group->format, script);
    draw_head(&drawing, group, entry);
    for (size_t m = 0; m < tally->count; m++)
        draw_panel(&drawing, m);
    draw_foot(&drawing);
    if (fclose(script) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

enum status picture_of_group(const struct results *results, const struct group *group, struct picture *picture)
{
    struct tally tally;
    *picture = (struct picture){0};
    TRY(tally_of_group(group, &tally));
    char *script = write_script(&tally, group, results->study.entries[group->entry].text);
    const enum status status =
        script ? gnuplot_run(script, &picture->svg, &picture->length, picture->reason) : out_of_memory("a picture");
    free(script);
    tally_free(&tally);
    return status;
}

void picture_free(struct picture *picture)
{
    free(picture->svg);
    *picture = (struct picture){0};
}
