#include "serial_model.h"

#include "src/base/fp.h"

#include <math.h>

enum { PLACES = 256 }; /* of the last bit, from 2^-149 on: the exponent field of a sum */

static unsigned place_of(float sum)
{
    const unsigned field = float_bits(sum) >> 23 & 0xff;
    return field > 0 ? field : 1;
}

static double ulp_at(unsigned place)
{
    return double_from_bits((uint64_t)(1023 - 150 + (int)place) << 52);
}

/* So many additions end in each binade; those that are exact whatever comes, 0 + x and x - x, count in none. */
static bool count_places(const float *x, uint64_t n, uint64_t counts[PLACES])
{
    float sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        const bool exact = sum == 0 || x[i] == 0;
        sum += x[i];
        if (!exact && sum != 0)
            counts[place_of(sum)]++;
    }
    return isfinite(sum);
}

/* d_w(x) over w, for w = 1/over; *tie: it is one.  Numbers of 2^24 w and above have nothing below w. */
static double residue(float x, double over, bool *tie)
{
    static const double shift = 0x1.8p52; /* to whole numbers: binary64 rounds them itself */
    const double v = (double)x * over, d = fabs(v) < 0x1p24 ? ((v + shift) - shift) - v : 0;
    *tie = fabs(d) == 0.5;
    return *tie ? 0 : d;
}

/* D(x) comes binade by binade; `sums` are over the numbers, of d, d^2 and the ties. */
struct moments {
    double mean, variance, ties;
};

static struct moments moments_of(const float *x, uint64_t n, unsigned place)
{
    const double w = ulp_at(place), over = 1 / w;
    double sum = 0, squares = 0;
    uint64_t ties = 0;
    for (uint64_t i = 0; i < n; i++) {
        bool tie;
        const double d = residue(x[i], over, &tie);
        sum += d;
        squares += d * d;
        ties += tie;
    }
    const double count = (double)n, mean = sum / count;
    return (struct moments){mean * w, (squares / count - mean * mean) * w * w, (double)ties / count * w * w / 4};
}

/* The variance of D over the numbers. */
static double variance_of_all(const float *x, uint64_t n, const uint64_t counts[PLACES], const unsigned *used,
                              unsigned used_count)
{
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < n; i++) {
        double d = 0;
        for (unsigned u = 0; u < used_count; u++) {
            bool tie;
            const double w = ulp_at(used[u]);
            d += (double)counts[used[u]] * w * residue(x[i], 1 / w, &tie);
        }
        sum += d;
        squares += d * d;
    }
    const double mean = sum / (double)n;
    return squares / (double)n - mean * mean;
}

bool serial_model_see(struct serial_model *model, const float *x, uint64_t n)
{
    uint64_t counts[PLACES] = {0};
    unsigned used[PLACES], used_count = 0;
    double mean = 0, variance = 0, ties = 0;
    if (!count_places(x, n, counts))
        return false;
    for (unsigned place = 0; place < PLACES; place++) {
        if (counts[place] == 0)
            continue;
        const struct moments d = moments_of(x, n, place);
        const double m = (double)counts[place];
        used[used_count++] = place;
        mean += m * d.mean;
        variance += m * d.variance;
        ties += m * d.ties;
    }
    const double count = (double)n;
    const double of_all = variance_of_all(x, n, counts, used, used_count);
    model->variances += fmax(0, (variance - of_all / count) * count / (count - 1)) + ties;
    model->means += mean;
    model->squares += mean * mean;
    model->orders++;
    return true;
}

double serial_model_mean(const struct serial_model *model)
{
    return model->means / (double)model->orders;
}

double serial_model_deviation(const struct serial_model *model)
{
    const double orders = (double)model->orders, mean = model->means / orders;
    return sqrt(model->variances / orders + fmax(0, model->squares / orders - mean * mean));
}
