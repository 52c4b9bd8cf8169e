#include "scan.h"

#include "near.h"

#include "src/base/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;
__extension__ typedef __int128 int128;

/* Digits, least first, each below 2^32 but the last, which has the sign; of binary64 from 2^-1126 to 2^1088, and one
 * to carry into. */
enum { DIGIT_BITS = 32, DIGITS_MOST = 72, KEPT_EVERY = 1 << 12 };

/* Where 126 bits are enough, as they mostly are, the integer is an int128, which takes the place of two digits. */
enum { NARROW_BITS = 126, NARROW_DIGITS = 2 };

enum { NANS, INFINITIES, NEGATIVE_INFINITIES, OTHERS, COUNTS }; /* others than -0 */

/* Of some numbers. */
struct running {
    int64_t counts[COUNTS];
    int64_t sum[DIGITS_MOST], sum_abs[DIGITS_MOST];
};

struct scan_row {
    struct exact_row base;
    uint64_t window; /* from 1 on; UINT64_MAX: of all */
    struct exact_how how;
    int unit;        /* digits count multiples of 2^unit */
    unsigned digits; /* in use */
    bool is_narrow;
    int64_t *kept; /* of all numbers before each KEPT_EVERY-th: counts, sum, sum_abs */
};

static const struct scan_row *scan_of(const struct exact_row *row)
{
    return (const struct scan_row *)row;
}

/* ---- integers ---- */

/* Adds m 2^(32 from), of so few bits that three digits hold it, or takes it off. */
static void add_digits(int64_t *digits, unsigned from, unsigned last, uint128 m, bool is_less)
{
    int64_t carry = 0;
    for (unsigned k = from; m != 0 || carry != 0; k++, m >>= DIGIT_BITS) {
        const int64_t part = (int64_t)(uint32_t)m;
        const int64_t digit = digits[k] + carry + (is_less ? -part : part);
        carry = k < last ? digit >> DIGIT_BITS : 0;
        digits[k] = k < last ? (int64_t)(uint32_t)digit : digit;
    }
}

static int128 narrow_of(const int64_t *digits)
{
    int128 value;
    memcpy(&value, digits, sizeof value);
    return value;
}

static void add_narrow(int64_t *digits, int128 m, bool is_less)
{
    const int128 value = narrow_of(digits) + (is_less ? -m : m);
    memcpy(digits, &value, sizeof value);
}

/* x = m 2^(unit + bits), m of 53 bits: bits >= 0, since unit is that far below the least of all numbers. */
static void add_finite(const struct scan_row *row, int64_t *digits, double x, bool is_less)
{
    const uint64_t word = double_bits(x), field = word >> 52 & 0x7ff;
    const uint64_t m = (word & ((UINT64_C(1) << 52) - 1)) | (field > 0 ? UINT64_C(1) << 52 : 0);
    const unsigned bits = (unsigned)((int)(field > 0 ? field : 1) - 1075 - row->unit);
    if (m == 0) /* which may lie below the unit */
        return;
    if (row->is_narrow)
        add_narrow(digits, (int128)m << bits, is_less);
    else
        add_digits(digits, bits / DIGIT_BITS, row->digits - 1, (uint128)m << bits % DIGIT_BITS, is_less);
}

/* +1 or -1 times */
static void add_number(const struct scan_row *row, struct running *to, uint64_t i, int times)
{
    const double x = held_number(row->base.format, row->base.x, i);
    to->counts[OTHERS] += x == 0 && signbit(x) ? 0 : times;
    if (!isfinite(x)) {
        to->counts[isnan(x) ? NANS : x > 0 ? INFINITIES : NEGATIVE_INFINITIES] += times;
        return;
    }
    add_finite(row, to->sum, x, (x < 0) != (times < 0));
    add_finite(row, to->sum_abs, fabs(x), times < 0);
}

/* Less what came before a window. */
static void take_off(const struct scan_row *row, struct running *from, const struct running *before)
{
    const unsigned last = row->digits - 1;
    for (unsigned c = 0; c < COUNTS; c++)
        from->counts[c] -= before->counts[c];
    if (row->is_narrow) {
        add_narrow(from->sum, narrow_of(before->sum), true);
        add_narrow(from->sum_abs, narrow_of(before->sum_abs), true);
        return;
    }
    for (unsigned k = 0; k <= last; k++) { /* the last digit of sum_abs is 0, of sum 0 or -1 */
        add_digits(from->sum_abs, k, last, (uint128)before->sum_abs[k], true);
        add_digits(from->sum, k, last, (uint128)(before->sum[k] < 0 ? -before->sum[k] : before->sum[k]),
                   before->sum[k] > 0);
    }
}

/* ---- what is kept ---- */

static size_t kept_size(const struct scan_row *row)
{
    return COUNTS + 2 * (size_t)row->digits;
}

static void keep(const struct scan_row *row, int64_t *kept, const struct running *of)
{
    memcpy(kept, of->counts, sizeof of->counts);
    memcpy(kept + COUNTS, of->sum, row->digits * sizeof *kept);
    memcpy(kept + COUNTS + row->digits, of->sum_abs, row->digits * sizeof *kept);
}

/* Of the first `count` numbers. */
static void set_running(const struct scan_row *row, uint64_t count, struct running *to)
{
    const int64_t *kept = row->kept + count / KEPT_EVERY * kept_size(row);
    memcpy(to->counts, kept, sizeof to->counts);
    memcpy(to->sum, kept + COUNTS, row->digits * sizeof *kept);
    memcpy(to->sum_abs, kept + COUNTS + row->digits, row->digits * sizeof *kept);
    for (uint64_t i = count / KEPT_EVERY * KEPT_EVERY; i < count; i++)
        add_number(row, to, i, 1);
}

/* ---- an integer as numbers of binary64 ---- */

/* |value| = (top + something of [0, 1)) 2^(exponent - 127), the something 0 where nothing is below; top has bit 127,
 * but for 0. */
struct leading {
    uint128 top;
    int exponent;
    bool is_negative, has_rest;
};

static struct leading leading_of_narrow(const struct scan_row *row, int128 value)
{
    const uint128 magnitude = (uint128)(value < 0 ? -value : value);
    const uint64_t high = (uint64_t)(magnitude >> 64), low = (uint64_t)magnitude;
    if (magnitude == 0)
        return (struct leading){0};
    const int zeros = high ? __builtin_clzll(high) : 64 + __builtin_clzll(low);
    return (struct leading){magnitude << zeros, row->unit + 127 - zeros, value < 0, false};
}

static struct leading leading_of(const struct scan_row *row, const int64_t *digits)
{
    if (row->is_narrow)
        return leading_of_narrow(row, narrow_of(digits));
    struct leading of = {.is_negative = digits[row->digits - 1] < 0};
    uint32_t magnitude[DIGITS_MOST];
    int64_t carry = 0;
    for (unsigned k = 0; k < row->digits; k++) {
        carry += of.is_negative ? -digits[k] : digits[k];
        magnitude[k] = (uint32_t)carry;
        carry >>= DIGIT_BITS;
    }
    int highest = (int)row->digits - 1;
    while (highest >= 0 && magnitude[highest] == 0)
        highest--;
    if (highest < 0)
        return of;
    const int zeros = __builtin_clz(magnitude[highest]);
    for (int k = highest; k > highest - 4; k--)
        of.top = of.top << DIGIT_BITS | (k >= 0 ? magnitude[k] : 0);
    const uint32_t fifth = highest >= 4 ? magnitude[highest - 4] : 0;
    of.top = of.top << zeros | (zeros > 0 ? fifth >> (DIGIT_BITS - zeros) : 0);
    of.has_rest = (uint32_t)((uint64_t)fifth << zeros) != 0;
    for (int k = highest - 5; k >= 0 && !of.has_rest; k--)
        of.has_rest = magnitude[k] != 0;
    of.exponent = row->unit + DIGIT_BITS * (highest + 1) - zeros - 1;
    return of;
}

/* The bits of it from 2^last on, as an integer of at most 53 bits, and what decides its rounding. */
struct cut {
    uint64_t kept;
    uint128 below; /* of 2^last, in units of 2^-128 */
};

static struct cut cut_at(const struct leading *of, int last)
{
    const int bits = of->exponent - last + 1;
    if (bits < 0)
        return (struct cut){0, of->top != 0};
    return (struct cut){bits > 0 ? (uint64_t)(of->top >> (128 - bits)) : 0, of->top << bits};
}

static double times_power(double x, int e)
{
    return e > -1022 && e < 1024 ? x * double_power(e) : ldexp(x, e);
}

static double rounded_up(const struct leading *of)
{
    const struct cut cut = cut_at(of, of->exponent - 52);
    return times_power((double)(cut.kept + (cut.below != 0 || of->has_rest)), of->exponent - 52);
}

static void set_nearest(const struct leading *of, const struct format *format, struct exact_element *element)
{
    const int last_of_normal = of->exponent - format->precision + 1;
    const int last = last_of_normal > format->least_exponent ? last_of_normal : format->least_exponent;
    const struct cut cut = cut_at(of, last);
    const uint128 half = (uint128)1 << 127;
    const bool is_up = cut.below > half || (cut.below == half && (of->has_rest || cut.kept % 2 == 1));
    const double nearest = times_power((double)(cut.kept + is_up), last);
    const double in_range = nearest < times_power(1, format->overflow_exponent) ? nearest : (double)INFINITY;
    element->nearest = of->is_negative ? -in_range : in_range;
    element->ulp = times_power(1, last);
}

/* ---- computed - s ---- */

/* s = high + low, high being s rounded to nearest, low off by 2^(e-116) and 2^-53 of it, 2^e <= |s|.  Where computed is
 * high, computed - s is -low; elsewhere at least the magnitude of low.  So it is right to 2^-51 of it where it is
 * 2^(e-62) or more, and where nothing of s is left out; false: neither is so. */
static bool error_of_two(const struct leading *of, double computed, double *error)
{
    const struct cut cut = cut_at(of, of->exponent - 52);
    const double high = (double)(cut.kept + (cut.below >> 127 != 0)) * double_power(of->exponent - 52);
    const double low = (double)(int64_t)(uint64_t)(cut.below >> 64) * double_power(of->exponent - 116);
    const bool is_all = !of->has_rest && (uint64_t)cut.below == 0;
    const double sign = of->is_negative ? -1 : 1, towards = sign * computed;
    const struct pair difference = pair_sum(towards, -high);
    const double of_both = difference.high + (difference.low - low);
    *error = sign * of_both * (1 + 0x1p-50 - 0x1p-52);
    return is_all || fabs(of_both) >= 0x1p-61 * high;
}

/* Exactly: so near to s, computed has no bits below the unit. */
static double error_of_digits(const struct scan_row *row, const int64_t *digits, double computed)
{
    int64_t difference[DIGITS_MOST];
    memcpy(difference, digits, row->digits * sizeof *digits);
    add_finite(row, difference, computed, computed > 0);
    const struct leading of = leading_of(row, difference); /* s - computed */
    return of.is_negative ? rounded_up(&of) : -rounded_up(&of);
}

/* ---- elements ---- */

static enum exact_kind kind_of(const int64_t counts[COUNTS], double *value)
{
    const bool is_nan = counts[NANS] > 0 || (counts[INFINITIES] > 0 && counts[NEGATIVE_INFINITIES] > 0);
    const bool is_infinite = counts[INFINITIES] > 0 || counts[NEGATIVE_INFINITIES] > 0;
    *value = is_nan ? (double)NAN : counts[INFINITIES] > 0 ? (double)INFINITY : -(double)INFINITY;
    return is_nan ? EXACT_NAN : is_infinite ? EXACT_INF : EXACT_FINITE;
}

/* Where binary64 has room for twice s, and for what is 2^-106 of it. */
static bool is_far_from_ends(const struct leading *of)
{
    return of->top == 0 || (of->exponent > -900 && of->exponent < 1000);
}

/* false: it is to be made in full. */
static bool set_element(const struct scan_row *row, const struct running *running, const struct format *result,
                        double computed, struct exact_element *element)
{
    double special;
    const struct leading of = leading_of(row, running->sum), of_abs = leading_of(row, running->sum_abs);
    *element = (struct exact_element){.kind = kind_of(running->counts, &special)};
    if (!is_far_from_ends(&of) || !is_far_from_ends(&of_abs) || (fabs(computed) >= 0x1p1000 && isfinite(computed)))
        return false;
    element->sum_abs_above = rounded_up(&of_abs);
    if (element->kind != EXACT_FINITE) {
        element->nearest = special;
        element->ulp = (double)NAN;
        element->abs_above = fabs(special);
        return true;
    }
    element->abs_above = rounded_up(&of);
    set_nearest(&of, result, element);
    if (of.top == 0) {
        element->nearest = running->counts[OTHERS] > 0 ? 0 : -0.0;
        element->ulp = ldexp(1, result->least_exponent);
        element->error = computed;
    } else if (!isfinite(computed)) {
        element->error = computed;
    } else if (!error_of_two(&of, computed, &element->error)) {
        element->error = error_of_digits(row, running->sum, computed);
    }
    return true;
}

static enum status make_share(const struct exact_row *of, const struct format *result, const void *computed,
                              uint64_t first, uint64_t count, struct exact_element *elements)
{
    const struct scan_row *row = scan_of(of);
    struct running running;
    if (count > 0)
        set_running(row, first, &running);
    if (count > 0 && first > row->window) {
        struct running before;
        set_running(row, first - row->window, &before);
        take_off(row, &running, &before);
    }
    for (uint64_t i = first; i < first + count; i++) {
        const double number = held_number(result, computed, i - first);
        add_number(row, &running, i, 1);
        if (i >= row->window)
            add_number(row, &running, i - row->window, -1);
        if (!set_element(row, &running, result, number, &elements[i - first]))
            TRY(exact_row_element_in_full(of, result, i, number, &elements[i - first]));
    }
    return OK;
}

static enum status scan_element(const struct exact_row *of, uint64_t i, struct exact_sum *exact)
{
    const struct scan_row *row = scan_of(of);
    const uint64_t first = i < row->window ? 0 : i + 1 - row->window;
    const char *x = (const char *)of->x + first * format_held(of->format)->bytes;
    return exact_sum_how(of->format, row->how, x, i + 1 - first, exact);
}

/* All that was added up to i, and taken off before: at most, from what is kept. */
static double scan_history(const struct exact_row *of, uint64_t i)
{
    const struct scan_row *row = scan_of(of);
    const uint64_t pieces = i / KEPT_EVERY + 1, most = of->n / KEPT_EVERY;
    double sum_abs = of->moments.sum_abs;
    if (pieces <= most) {
        const struct leading leading = leading_of(row, row->kept + pieces * kept_size(row) + COUNTS + row->digits);
        sum_abs = rounded_up(&leading);
    }
    return i < row->window ? sum_abs : 2 * sum_abs;
}

/* ---- a row ---- */

static void scan_free(struct exact_row *of)
{
    free(((struct scan_row *)of)->kept);
    free(of);
}

/* How many digits hold any sum of them: one takes the sign. */
static void set_digits(struct scan_row *row)
{
    double least = INFINITY, most = 0;
    for (uint64_t i = 0; i < row->base.n; i++) {
        const double x = fabs(held_number(row->base.format, row->base.x, i));
        least = x > 0 && x < least ? x : least;
        most = x > most && x < INFINITY ? x : most;
    }
    row->base.moments.max_abs = most;
    row->unit = most > 0 ? (least < DBL_MIN ? -1074 : ilogb(least) - 52) : 0;
    const int bits = most > 0 ? ilogb(most) + 1 - row->unit : 1;
    row->is_narrow = ldexp((double)row->base.n, bits) < ldexp(1, NARROW_BITS);
    row->digits = row->is_narrow ? NARROW_DIGITS : (unsigned)(bits + 64) / DIGIT_BITS + 2;
}

static enum status keep_all(struct scan_row *row)
{
    const uint64_t n = row->base.n;
    row->kept = malloc((n / KEPT_EVERY + 1) * kept_size(row) * sizeof *row->kept);
    if (!row->kept)
        return out_of_memory("exact sums of a scan");
    struct running running = {0};
    keep(row, row->kept, &running);
    for (uint64_t i = 0; i < n; i++) {
        add_number(row, &running, i, 1);
        if ((i + 1) % KEPT_EVERY == 0)
            keep(row, row->kept + (i + 1) / KEPT_EVERY * kept_size(row), &running);
    }
    const struct leading leading = leading_of(row, running.sum_abs);
    row->base.moments.sum_abs = rounded_up(&leading);
    row->base.moments.n = (double)n;
    return OK;
}

enum status exact_scan_row(uint64_t window, const struct format *format, struct exact_how how, const void *x,
                           uint64_t n, struct exact_row **row)
{
    static const struct exact_row_kind kind = {
        .free = scan_free, .element = scan_element, .share = make_share, .history = scan_history};
    struct scan_row *made = calloc(1, sizeof *made);
    *row = NULL;
    if (!made)
        return out_of_memory("exact sums of a scan");
    made->base = (struct exact_row){.kind = &kind, .format = format, .x = x, .n = n};
    made->window = window > 0 ? window : UINT64_MAX;
    made->how = how;
    set_digits(made);
    const enum status status = keep_all(made);
    if (status == OK)
        *row = &made->base;
    else
        scan_free(&made->base);
    return status;
}
