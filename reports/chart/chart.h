/* A picture before it is drawn: panels of marks over common axes, in numbers and words.
 *
 * What is to be seen is made once (histogram_chart.c and its like), and each form takes it from here: an SVG
 * (chart_svg.c), its numbers as CSV (chart_csv.c), and the table that stands under the picture (chart_grid.c).
 *
 *   struct chart chart;
 *   chart_begin(&chart, "error-n-1-uniform");
 *   struct chart_panel *panel = chart_panel(&chart, "kahan/serial");
 *   struct chart_mark *mark = chart_mark(panel, MARK_LINE, "median", COLOUR_MAIN);
 *   chart_point(mark, 1024, 0.25, NAN, NULL);
 *
 * Panels and marks that were added stay where they are.
 */
#pragma once

#include "reports/canvas/palette.h"
#include "reports/grid.h"

enum chart_mark_kind {
    MARK_BARS,   /* from 0 to y, `width` wide */
    MARK_BAND,   /* between y and y2, filled lightly */
    MARK_LINE,   /* through the points, in their order */
    MARK_POINTS, /* a dot each */
    MARK_RULE_X, /* a thin line across the panel at each x */
    MARK_RULE_Y, /* and at each y */
};

/* NaN: not given. */
struct chart_point {
    double x, y;
    double other; /* y2 of a band, x2 of a range */
    char *label;  /* of x in the table ("2^-24 up to 2^-23"), of the dot in the picture; NULL: the number */
};

struct chart_mark {
    enum chart_mark_kind kind;
    char *name; /* "median": the legend and the column of the table; marks of one name look alike */
    enum colour colour;
    bool dashed;
    bool numbered;      /* each bar bears its number */
    bool no_total;      /* of numbers that do not add up: their table ends without "all" */
    bool off_the_table; /* its numbers stand elsewhere */
    char *of;           /* what it is about where marks of one panel differ in it: a method; NULL: its panel's */
    unsigned rank;      /* of its name in the legend and the table, and when labels choose their places: 0 is the first,
                           equal ones are in their order.  Drawing goes by the order alone: the last lies on top. */
    double width;       /* of bars, in units of x; on a logarithmic axis in powers: 1 is a binade or a decade */
    struct chart_point *points;
    size_t point_count;
};

struct chart_panel {
    char *title; /* often a method */
    char *note;  /* on the right: "300 sums"; NULL: none */
    struct chart_mark **marks;
    size_t mark_count;
};

/* A tick where the numbers alone would not do: "exact" at the foot of a logarithmic axis.  As long as only places apart
 * are given, the form chooses the ticks on the scale. */
struct chart_tick {
    double at;
    char *text; /* "2^{-24}" is raised in the picture; any other text stands as it is */
    bool apart; /* it names a place that is not on the scale: the axis line has a gap between both.  The outermost such
                   place is as wide as twice its distance to the end of the axis. */
};

enum chart_scale { SCALE_LINEAR, SCALE_LOG2, SCALE_LOG10 };

struct chart_axis {
    char *label;
    char *name; /* in the table's head; NULL: the label */
    char *unit; /* of the numbers in the table's head; NULL: none */
    enum chart_scale scale;
    double least, most; /* all points are within */
    struct chart_tick *ticks;
    size_t tick_count;
    bool errors; /* its numbers are errors, or bounds: the table rounds them up */
    bool hidden; /* neither numbers nor line: the bars bear their numbers */
};

struct chart {
    double pixels;  /* of its width; 0: 960 */
    char *name;     /* of its files, without ending: "histogram-1-uniform" */
    char *title;    /* what data: as the user wrote it */
    char *subtitle; /* what is drawn, and of which launch */
    char *caption;  /* what to see: whole sentences */
    size_t caption_length;
    size_t reading; /* so many bytes at its beginning say how to read it, and nothing of this run; 0: none do */
    char *missing;  /* why nothing is drawn ("all sums are exact"); NULL: there is something */
    struct chart_axis x, y;
    size_t columns;      /* of panels; 1 or more */
    double panel_height; /* in pixels, without its title */
    struct chart_panel **panels;
    size_t panel_count;
};

void chart_begin(struct chart *chart, const char *name);
void chart_free(struct chart *chart);

/* Replaces a text of the chart, an axis or a panel. */
void chart_set(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What is written there is the caption, when the caller closes it. */
FILE *chart_words(struct chart *chart);

void chart_tick(struct chart_axis *axis, double at, bool apart, const char *text);
struct chart_panel *chart_panel(struct chart *chart, const char *title);
struct chart_mark *chart_mark(struct chart_panel *panel, enum chart_mark_kind kind, const char *name,
                              enum colour colour);
void chart_point(struct chart_mark *mark, double x, double y, double other, const char *label);

/* One more than the highest rank of a mark. */
unsigned chart_ranks(const struct chart *chart);

/* Whether the point can be drawn as this mark: no number that it needs is NaN or infinite. */
bool chart_point_drawn(const struct chart_mark *mark, const struct chart_point *point);

/* Whether it is one of the places beside the scale. */
bool chart_is_apart(const struct chart_axis *axis, double at);

/* The numbers of a chart as tidy CSV, a line for each point of each mark:
 *
 *   panel,series,mark,x,x_word,y,y_word,to,to_word,label
 *
 * series: the method, where several share a panel; to: the other end of a band or a range.  A place beside the scale is
 * no number: its word ("exact", "no digit") stands in the column after, and the number's is empty. */

enum status chart_csv_write(const struct chart *chart, const char *path);

/* The numbers of a chart as the table that stands under the picture.
 *
 *   one name of marks only      a row for each x, a column per panel; counts are added up in a footer
 *   several                     a row for each panel and x, a column per name
 *   points that bear labels     a row for each point: its label, x and y
 *   ranges                      as the first two, with a row for each y, from the top down
 *
 * A band or a range is "0.12 to 0.50".  Rules are no data, and not in it.
 */

struct grid chart_grid(const struct chart *chart);

/* Where a number stands on an axis of a chart, and which ticks the axis has: the same in every form.
 *
 *   least 2^-33, most 1, 600 pixels, ticks 44 apart:   2^-32  2^-28  2^-24 ...  1
 */

/* 0 at the least, 1 at the most; NaN for what has no place, such as 0 on a logarithmic axis. */
double axis_place(const struct chart_axis *axis, double value);

/* The number this many powers, or units, from another: the edge of a bar. */
double axis_shifted(const struct chart_axis *axis, double value, double by);

/* The part of the axis, in places, that is the scale; beyond it are the places apart. */
struct axis_span {
    double from, to;
};
struct axis_span axis_span(const struct chart_axis *axis, double pixels);

/* Those given and, where none is given on the scale, the axis' own, `spacing` pixels or more from each other; in rising
 * order.  Allocated, with their texts. */
struct axis_ticks {
    struct chart_tick *list;
    size_t count;
};
struct axis_ticks axis_ticks(const struct chart_axis *axis, double pixels, double spacing);
void axis_ticks_free(struct axis_ticks *ticks);
