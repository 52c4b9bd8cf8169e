/* Sums of numbers and of their squares, as binary64: the reference makes them, bounds take them. */
#pragma once

/* What bounds take, each the exact value rounded up to binary64, or down where it says below.  NaN: the statistic has
 * none, or is no finite number, which spares n alone. */
struct moments {
    double n;
    /* of one vector */
    double sum_abs, abs_sum, max_abs;
    double sum_squares, sum_squares_below; /* of x also in a cosine; not of a mean */
    double abs_mean, range, first_offset;  /* |mu|, max - min, |x_0 - mu|: of mean, variance and std */
    double centred, centred_below;         /* sum (x_i - mu)^2: of variance and std */
    /* of two */
    double sum_products_abs, abs_products;     /* sum |x_i y_i|, |sum x_i y_i| */
    double sum_squares_2, sum_squares_2_below; /* of y, in a cosine */
    double weights_below, sum_weights_abs;     /* |sum y_i|, sum |y_i| of a weighted mean */
    double negative_weights;                   /* 1 where some y_i < 0, else 0 */
    /* of one result of a scan, else 0 or NaN */
    double prefix;  /* the numbers up to it, itself included */
    double history; /* of a window: at least sum |x_i| of all that was added or taken off before it was known */
    /* of exponentials: z_i = x_i - M, of the x_i but -inf; and those of two of a cross-entropy */
    double unmasked;                 /* how many of them there are */
    double largest, least;           /* M, and the least of them: these are exact */
    double exps, exps_below;         /* D = sum e^z_i */
    double log_exps, log_exps_below; /* ln D */
    double exps_moved;               /* sum e^z_i |z_i|, at most D ln(unmasked / D) */
    double abs_lse;                  /* |M + ln D| */
    double weighted_offsets;         /* sum y_i |z_i| of a cross-entropy */
};
