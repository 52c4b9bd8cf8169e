#include "shuffle.h"

#include "datasets/ordering.h"
#include "datasets/sum_tree.h"
#include "kernels/walk.h"

#include <math.h>

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

/* The means over orders that have been seen. */
struct serial_model {
    double variances, means, squares; /* sums over the orders: of the variance, of the mean, of its square */
    uint64_t orders;
};

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
struct drawn_moments {
    double mean, variance, ties;
};

static struct drawn_moments moments_of(const float *x, uint64_t n, unsigned place)
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
    return (struct drawn_moments){mean * w, (squares / count - mean * mean) * w * w, (double)ties / count * w * w / 4};
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

/* One more order of the n >= 2 numbers, which are finite; false when its sum overflows. */
static bool serial_model_see(struct serial_model *model, const float *x, uint64_t n)
{
    uint64_t counts[PLACES] = {0};
    unsigned used[PLACES], used_count = 0;
    double mean = 0, variance = 0, ties = 0;
    if (!count_places(x, n, counts))
        return false;
    for (unsigned place = 0; place < PLACES; place++) {
        if (counts[place] == 0)
            continue;
        const struct drawn_moments d = moments_of(x, n, place);
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

static double serial_model_deviation(const struct serial_model *model)
{
    const double orders = (double)model->orders, mean = model->means / orders;
    return sqrt(model->variances / orders + fmax(0, model->squares / orders - mean * mean));
}

enum { SAMPLES_MOST = 64, ADDITIONS_MOST = 1 << 22 };

static double ulp_of(double value)
{
    return format_spacing(&FORMAT_BINARY32, value);
}

/* The lowest bit that is set in any of them; INFINITY where all are 0. */
static double lowest_bit(const float *x, uint64_t n)
{
    double lowest = INFINITY;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t significand = (float_bits(x[i]) & 0x7fffff) | ((float_bits(x[i]) & 0x7f800000) ? 0x800000 : 0);
        if (significand != 0)
            lowest = fmin(lowest, ulp_of((double)x[i]) * (double)(significand & -significand));
    }
    return lowest;
}

struct scatter {
    double grain, variance;
    bool finite;
};

static void see(void *to, const struct step *step)
{
    struct scatter *scatter = to;
    const double left = step->left[0], right = step->right[0], made = step->made[0];
    scatter->finite &= isfinite(made) != 0;
    if (left == 0 || right == 0 || !isfinite(made))
        return;
    const double g = fmax(scatter->grain, fmin(ulp_of(left), ulp_of(right))), w = ulp_of(made);
    if (w > g)
        scatter->variance += (w * w + 2 * g * g) / 12;
}

uint64_t order_model_samples(const struct shuffle_request *request, uint64_t n)
{
    uint64_t samples = ADDITIONS_MOST / (n + 1);
    if (samples > SAMPLES_MOST)
        samples = SAMPLES_MOST;
    if (samples > request->permutations)
        samples = request->permutations;
    return samples > 0 ? samples : 1;
}

static enum status permute(const struct shuffle_request *request, uint64_t k, const float *base, uint64_t n, float *x)
{
    memcpy(x, base, n * sizeof *x);
    return ordering_apply((struct ordering){.kind = SHUFFLED, .seed = request->first + k}, &FORMAT_BINARY32, x, n);
}

static enum status model_serial(const struct shuffle_request *request, const float *base, uint64_t n, float *x,
                                struct order_model *model)
{
    struct serial_model serial = {0};
    const uint64_t samples = order_model_samples(request, n);
    for (uint64_t k = 0; k < samples; k++) {
        TRY(permute(request, k, base, n, x));
        if (!serial_model_see(&serial, x, n))
            return OK;
    }
    *model = (struct order_model){serial.means / (double)serial.orders, serial_model_deviation(&serial)};
    return OK;
}

static enum status model_tree(const struct shuffle_request *request, const struct method *method, const float *base,
                              uint64_t n, float *x, struct order_model *model)
{
    const uint64_t samples = order_model_samples(request, n);
    struct scatter scatter = {.grain = lowest_bit(base, n), .finite = true};
    FREED_BY(sum_tree_free) struct sum_tree tree = {0};
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, x, n);
    double computed;
    enum status status = OK;
    TRY(sum_tree_make(&(struct tree_request){"shuffle", method, n, request->launch}, &tree));
    for (uint64_t k = 0; k < samples && status == OK; k++) {
        status = permute(request, k, base, n, x);
        if (status == OK)
            status = walk_watched(method, tree.joined, tree.count, &elements, see, &scatter, &computed);
    }
    if (scatter.finite)
        *model = (struct order_model){0, sqrt(scatter.variance / (double)samples)};
    return status;
}

enum status order_model(const struct shuffle_request *request, const struct method *method, const void *base,
                        uint64_t n, void *x, struct order_model *model)
{
    *model = (struct order_model){NAN, NAN};
    if (method->operation != OPERATION_sum || method->accumulator_traits->advantage ||
        method->sum_format != sum_formats[0] || n < 2 || n > ORDER_MODEL_MOST_N)
        return OK;
    if (method->order_traits->joins == NEVER_MERGES)
        return model_serial(request, base, n, x, model);
    return model_tree(request, method, base, n, x, model);
}

static bool are_alike(const struct shuffled_method *one, const struct shuffled_method *other)
{
    if (one->distinct != other->distinct)
        return false;
    for (size_t i = 0; i < one->distinct; i++)
        if (double_bits(one->sums[i].computed) != double_bits(other->sums[i].computed) ||
            one->sums[i].count != other->sums[i].count)
            return false;
    return true;
}

static bool may_follow(const struct shuffled *shuffled, const size_t *chosen, size_t count, size_t method)
{
    const struct shuffled_method *of = &shuffled->methods[method];
    for (size_t i = 0; i < count; i++)
        if (chosen[i] == method || are_alike(&shuffled->methods[chosen[i]], of))
            return false;
    return !isnan(of->deviation);
}

size_t widest_methods(const struct shuffled *shuffled, size_t most, size_t *chosen)
{
    const size_t none = shuffled->request->method_count;
    size_t count = 0;
    for (size_t next = 0; count < most && next != none;) {
        next = none;
        for (size_t m = 0; m < none; m++)
            if (may_follow(shuffled, chosen, count, m) &&
                (next == none || shuffled->methods[m].deviation > shuffled->methods[next].deviation))
                next = m;
        if (next != none)
            chosen[count++] = next;
    }
    return count;
}
