/* The colours of pictures, on light paper and on dark.  tests/reports/test_chart_colours.c holds each to its contrast:
 * text to 4.5, lines and dots that carry meaning to 3, and COLOUR_SECOND is seen on bars of COLOUR_MAIN, too.
 */
#pragma once

enum colour {
    COLOUR_INK,     /* text */
    COLOUR_MAIN,    /* what the picture is about */
    COLOUR_GOOD,    /* exact */
    COLOUR_BAD,     /* no digit, not finite */
    COLOUR_UNKNOWN, /* undefined */
    COLOUR_QUIET,   /* for comparison: grey and thin */
    COLOUR_THEORY,  /* what is proven */
    COLOUR_MODEL,   /* what is probable */
    COLOUR_SECOND,  /* what stands over the main thing: quantiles on bars */
    COLOUR_HUE, /* the first of HUES, of methods on one axis; they differ for people who see no red or no green, too */
    HUES = 7,
    COLOUR_SOFT = COLOUR_HUE + HUES, /* text that is not read first */
    COLOUR_LINE,                     /* axes */
    COLOUR_GRID,                     /* what is seen when one looks for it */
    COLOUR_PAPER,
    COLOUR_HEAT, /* the first of HEATS, from pale to dark on light paper, from dim to bright on dark: hotter is farther
                    from the paper */
    HEATS = 7,
    COLOURS = COLOUR_HEAT + HEATS,
};

struct shade {
    const char *name;         /* the class in a picture; no brush has a kind of that name */
    const char *light, *dark; /* "#33658a" */
};

extern const struct shade palette[COLOURS];
