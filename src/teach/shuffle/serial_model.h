/* How far the sums of plain/serial scatter over random orders: by the residues of these very data.
 *
 * While the running sum stays in one binade, it is a multiple of w = ulp, and adding x loses what x has below w:
 *
 *   d_w(x) = x rounded to a multiple of w, less x          whatever the sum is, and whatever came before
 *
 * So if all additions were made in one binade, every order would lose the same.  They are not: a random order gives m_w
 * of its n additions to the binade of w, which is a random sample of the data without replacement, and the error is the
 * sum of the d_w(x) over those samples.  With D(x) = sum of m_w d_w(x), and means and variances over the n numbers,
 *
 *   mean       mean(D)
 *   variance   n/(n-1) (sum of m_w var(d_w) - var(D)/n)      less than with independent roundings, often much
 *
 * (the variances and covariances of sums of samples without replacement; Cochran, Sampling Techniques, 2.).  A tie goes
 * either way, by the parity of the sum: d is 0, and w^2/4 is added to the variance.  The m_w are counted in some of the
 * very orders, whose own means scatter too, which is added.
 * What is left out: an addition that takes the sum into a higher binade also rounds what the sum has below the new w.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The means over orders that have been seen. */
struct serial_model {
    double variances, means, squares; /* sums over the orders: of the variance, of the mean, of its square */
    uint64_t orders;
};

/* One more order of the n >= 2 numbers, which are finite; false when its sum overflows. */
bool serial_model_see(struct serial_model *model, const float *x, uint64_t n);

double serial_model_mean(const struct serial_model *model);
double serial_model_deviation(const struct serial_model *model);
