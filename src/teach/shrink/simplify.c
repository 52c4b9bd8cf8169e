#include "simplify.h"

#include <limits.h>
#include <math.h>

/* ---- the bits of a number ---- */

enum { PRECISION = DBL_MANT_DIG, NOT_FINITE_BITS = PRECISION + 1 };

static bool has_exponent(double x)
{
    return isfinite(x) && x != 0;
}

/* The significand as an integer, also of a subnormal number; by its bits, as all here: it is asked for a million times.
 */
static uint64_t significand_of(double x)
{
    const uint64_t magnitude = double_bits(x) & UINT64_MAX >> 1, hidden = UINT64_C(1) << (PRECISION - 1);
    return (magnitude & (hidden - 1)) + (magnitude >= hidden ? hidden : 0);
}

static int length_of(uint64_t significand)
{
    return 64 - __builtin_clzll(significand);
}

/* e of 2^e <= |x| < 2^(e+1). */
static int exponent_of(double x)
{
    const int field = (int)(double_bits(x) >> (PRECISION - 1) & 0x7ff);
    return (field > 0 ? field : 1) - 1023 - PRECISION + length_of(significand_of(x));
}

int significant_bits(double x)
{
    const uint64_t significand = significand_of(x);
    if (!isfinite(x))
        return NOT_FINITE_BITS;
    return significand == 0 ? 0 : length_of(significand) - __builtin_ctzll(significand);
}

/* Those of the bits that are 1. */
static int ones_of(double x)
{
    return isfinite(x) ? __builtin_popcountll(significand_of(x)) : NOT_FINITE_BITS;
}

/* Towards 0 to so many bits. */
static double cut_to(double x, int bits)
{
    const int e = exponent_of(x) + 1 - bits;
    return ldexp(trunc(ldexp(x, -e)), e);
}

/* ---- how simple a witness is ---- */

enum { RANGE = 3, LAST_BIT = 5, SIMPLICITIES };

struct measure {
    int64_t of[SIMPLICITIES];
};

static struct measure measure(const double *x, uint64_t n)
{
    int64_t bits = 0, ones = 0, negatives = 0, largest = INT_MIN, smallest = INT_MAX, last_bit = INT_MAX, below = 0,
            others = 0;
    for (uint64_t i = 0; i < n; i++) {
        bits += significant_bits(x[i]);
        ones += ones_of(x[i]);
        negatives += signbit(x[i]) != 0;
        if (!has_exponent(x[i]))
            continue;
        const int e = exponent_of(x[i]), last = e + 1 - significant_bits(x[i]);
        largest = e > largest ? e : largest;
        smallest = e < smallest ? e : smallest;
        last_bit = last < last_bit ? last : last_bit;
        below -= e;
        others++;
    }
    if (others == 0)
        return (struct measure){{bits, ones, negatives, 0, 0, 0}};
    return (struct measure){{bits, ones, negatives, largest - smallest, below + others * largest, llabs(last_bit)}};
}

static bool is_simpler(const struct measure *a, const struct measure *b)
{
    for (int m = 0; m < SIMPLICITIES; m++)
        if (a->of[m] != b->of[m])
            return a->of[m] < b->of[m];
    return false;
}

static uint64_t numbers_of(const struct shrunken *witness)
{
    return witness->n * witness->width;
}

/* ---- a step ---- */

/* What a step does to numbers that it may change: x is a copy of the witness.  False: there is no such candidate. */
struct step_of;
typedef bool change(const struct step_of *step, uint64_t k, double *x);

struct step_of {
    const struct shrunken *witness;
    const struct format *format; /* of its numbers, whatever becomes of them */
    struct measure now;
    change *change;
    uint64_t number; /* the one that is changed, */
    int exponent;    /* or all that are not above this */
};

static bool all_are_of(const struct format *format, const double *x, uint64_t n)
{
    for (uint64_t i = 0; i < n && format->precision < PRECISION; i++)
        if (isfinite(x[i]) && rounded_to(x[i], format) != x[i])
            return false;
    return true;
}

static uint64_t make_changed(const void *from, uint64_t k, double *x)
{
    const struct step_of *step = from;
    const uint64_t n = numbers_of(step->witness);
    memcpy(x, step->witness->x, n * sizeof *x);
    if (!step->change(step, k, x) || !all_are_of(step->format, x, n))
        return CANDIDATE_SKIPPED;
    const struct measure then = measure(x, n);
    return is_simpler(&then, &step->now) ? step->witness->n : CANDIDATE_SKIPPED;
}

/* Takes the first of the candidates that is simpler and answered yes. */
static enum status try_step(struct question *question, struct shrunken *witness, struct step_of step, uint64_t count,
                            bool *changed)
{
    uint64_t found;
    step.witness = witness;
    step.format = question->format;
    step.now = measure(witness->x, numbers_of(witness));
    TRY(question_first(question, &(struct candidates){count, witness->n, make_changed, &step}, &found));
    if (found == count)
        return OK;
    *changed = true;
    (void)step.change(&step, found, witness->x);
    return OK;
}

/* ---- the steps ---- */

/* Candidate 0 is 0; then so many bits, towards 0 and away from it: 1, 1, 2, 2, ... */
static bool fewer_bits(const struct step_of *step, uint64_t k, double *x)
{
    double *of = &x[step->number];
    const double cut = k == 0 || !has_exponent(*of) ? 0 : cut_to(*of, (int)(k + 1) / 2);
    if (k == 0 || (k == 1 && !isfinite(*of)))
        *of = k == 0 ? 0 : 1;
    else if (!has_exponent(*of))
        return false;
    else if (k % 2 == 1)
        *of = cut;
    else
        *of = cut + copysign(ldexp(1, exponent_of(*of) + 1 - (int)(k + 1) / 2), *of);
    return isfinite(*of);
}

/* Candidate 0 has the first bit and the last one; then one of the bits between them is left out: 1, 2, ... from the
 * last on. */
static bool fewer_ones(const struct step_of *step, uint64_t k, double *x)
{
    double *of = &x[step->number];
    const int bits = significant_bits(*of);
    if (!has_exponent(*of) || bits < 3 || k > (uint64_t)bits - 2)
        return false;
    const double first = cut_to(*of, 1), last = *of - cut_to(*of, bits - 1);
    if (k == 0)
        *of = first + last;
    else
        *of -= cut_to(*of, bits - (int)k) - cut_to(*of, bits - (int)k - 1);
    return true;
}

/* Powers of two, those near the number first: 2^e, 2^(e-1), 2^(e+1), ...  One that is far from the others lets them do
 * with fewer bits: it is what they are rounded at. */
static bool power_of_two(const struct step_of *step, uint64_t k, double *x)
{
    double *of = &x[step->number];
    if (!has_exponent(*of))
        return false;
    const int away = (int)(k + 1) / 2;
    *of = copysign(ldexp(1, exponent_of(*of) + (k % 2 == 0 ? away : -away)), *of);
    return has_exponent(*of);
}

static bool no_sign(const struct step_of *step, uint64_t k, double *x)
{
    (void)k;
    x[step->number] = fabs(x[step->number]);
    return true;
}

static bool other_signs(const struct step_of *step, uint64_t k, double *x)
{
    (void)k;
    for (uint64_t i = 0; i < numbers_of(step->witness); i++)
        x[i] = -x[i];
    return true;
}

/* From the least number to the largest and a little more, 280 of binary32: of what holds the format, as sums of
 * narrower ones are mostly added there. */
static int binades(const struct format *format)
{
    return format_held(format)->overflow_exponent - format_held(format)->least_exponent + 3;
}

/* Multiplies by 2^by; false where bits would be lost. */
static bool scale(double *x, int by)
{
    const double scaled = ldexp(*x, by);
    if (has_exponent(*x) && ldexp(scaled, -by) != *x)
        return false;
    *x = isfinite(*x) ? scaled : *x;
    return true;
}

/* A part of the numbers, multiplied by more than 2^this, has a longer range; all of them have a last bit farther from
 * 2^0.  It saves measuring most of the 4,203 candidates of binary64. */
static int farthest(const struct step_of *step)
{
    return 2 * (int)(step->now.of[RANGE] + step->now.of[LAST_BIT]);
}

/* The elements that are not above an exponent go up; as far as it goes, but where there are many of them first by a
 * factor of 2, which may make half of them needless. */
static bool closer(const struct step_of *step, uint64_t k, double *x)
{
    const int by = step->witness->n > EACH_MOST_N ? 1 + (int)k : binades(step->format) - (int)k;
    if (by > farthest(step))
        return false;
    for (uint64_t i = 0; i < numbers_of(step->witness); i++)
        if (has_exponent(x[i]) && exponent_of(x[i]) <= step->exponent && !scale(&x[i], by))
            return false;
    return true;
}

/* One element goes down or up by as many binades as there are; what makes nothing simpler is not asked. */
static bool moved(const struct step_of *step, uint64_t k, double *x)
{
    double *of = &x[step->number];
    const int by = (int)k - binades(step->format);
    return has_exponent(*of) && abs(by) <= farthest(step) && scale(of, by);
}

static bool scaled(const struct step_of *step, uint64_t k, double *x)
{
    const int by = (int)(step->now.of[LAST_BIT] - (int64_t)(k / 2)) * (k % 2 == 0 ? 1 : -1);
    for (uint64_t i = 0; i < numbers_of(step->witness); i++)
        if (!scale(&x[i], by))
            return false;
    return true;
}

/* All of them, to 1 bit, to 2, ... */
static bool all_fewer_bits(const struct step_of *step, uint64_t k, double *x)
{
    for (uint64_t i = 0; i < numbers_of(step->witness); i++)
        if (has_exponent(x[i]) && significant_bits(x[i]) > (int)k + 1)
            x[i] = cut_to(x[i], (int)k + 1);
    return true;
}

/* ---- one round of all ---- */

static bool has_one_at(const struct shrunken *witness, int exponent)
{
    for (uint64_t i = 0; i < numbers_of(witness); i++)
        if (has_exponent(witness->x[i]) && exponent_of(witness->x[i]) == exponent)
            return true;
    return false;
}

/* Steps that change all numbers, or many: some hundred sums however many there are. */
static enum status steps_of_all(struct question *question, struct shrunken *witness, bool *changed)
{
    const struct format *held = format_held(question->format);
    const uint64_t precision = (uint64_t)held->precision, most = (uint64_t)binades(question->format);
    TRY(try_step(question, witness, (struct step_of){.change = all_fewer_bits}, precision - 1, changed));
    TRY(try_step(question, witness, (struct step_of){.change = other_signs}, 1, changed));
    const uint64_t shifts = witness->n > EACH_MOST_N ? precision : most;
    for (int e = held->least_exponent; e < held->overflow_exponent; e++)
        if (has_one_at(witness, e))
            TRY(try_step(question, witness, (struct step_of){.change = closer, .exponent = e}, shifts, changed));
    return try_step(question, witness, (struct step_of){.change = scaled}, 2 * most, changed);
}

/* Steps that change one number. */
static enum status steps_of_each(struct question *question, struct shrunken *witness, bool *changed)
{
    const uint64_t precision = (uint64_t)format_held(question->format)->precision,
                   most = (uint64_t)binades(question->format);
    const struct {
        change *change;
        uint64_t count;
    } steps[] = {
        {fewer_bits, 2 * precision - 1}, {power_of_two, 4 * (precision + 2) + 1}, {fewer_ones, precision}, {no_sign, 1},
        {moved, 2 * most + 1},
    };
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        for (uint64_t i = 0; i < numbers_of(witness); i++)
            TRY(try_step(question, witness, (struct step_of){.change = steps[s].change, .number = i}, steps[s].count,
                         changed));
    return OK;
}

enum status simplify(struct question *question, struct shrunken *witness)
{
    for (bool changed = true; changed && !question->spent;) {
        const uint64_t before = witness->n;
        changed = false;
        if (witness->n <= EACH_MOST_N)
            TRY(steps_of_each(question, witness, &changed));
        TRY(steps_of_all(question, witness, &changed));
        TRY(shrink(question, witness));
        changed |= witness->n != before;
    }
    return OK;
}
