/* Children of numbers: what a search changes.  A child is a function of its parents and of random words that a counter
 * makes; no libm.
 *
 * Numbers stand in the order of the leaves of the tree (terrain.h), so that neighbours meet first.  They are doubles,
 * each a finite number of the format.
 */
#pragma once

#include "dice.h"
#include "terrain.h"

/* What a change changes. */
enum breed_change {
    BREED_SIGNS,
    BREED_EXPONENTS,
    BREED_ORDER,
    BREED_MANTISSAS,
    BREED_COPIES,
    BREED_ZEROS,
    BREED_NUMBERS,
    BREED_TIES,
    BREED_LAST_ROUNDING,
    BREED_CROSSING,
    BREED_CHANGES
};

struct breed {
    struct format format;           /* of the numbers */
    int added_precision, precision; /* of the additions, and of the result */
    uint64_t n;                     /* at least 1 */
    const struct terrain_node *nodes;
    uint32_t node_count;
};

/* ---- numbers ---- */

/* The exponent of v, which is not 0; where binary64 is subnormal, that of its least normal number less 1. */
PORTABLE int breed_exponent(double v)
{
    return (int)(double_bits(v) >> 52 & 0x7ff) - 1023;
}

/* Spacing at v of numbers with so many bits that end at `least`. */
PORTABLE double breed_spacing(double v, int precision, int least)
{
    const int place = v == 0 ? least : breed_exponent(v) - precision + 1;
    return power_of_two(place > least ? place : least);
}

/* The nearest number of the format; beyond its range the largest. */
PORTABLE double breed_number(const struct breed *of, double v)
{
    const double largest = format_largest(&of->format), magnitude = v < 0 ? -v : v;
    if (!(magnitude <= largest))
        return v > 0 ? largest : v < 0 ? -largest : 0;
    return rounded_to(v, &of->format);
}

PORTABLE double breed_scaled(const struct breed *of, double v, int by)
{
    return breed_number(of, v * power_of_two(by));
}

/* 1 to 3 often, else as far as the numbers of two results are apart; of both signs. */
PORTABLE int breed_distance(const struct breed *of, struct dice *dice)
{
    const uint32_t most = (uint32_t)of->added_precision * 2 + 4;
    const int distance = 1 + (int)dice_below(dice, dice_below(dice, 2) ? 3 : most);
    return dice_below(dice, 2) ? -distance : distance;
}

/* A power of two, or any significand; of either sign. */
PORTABLE double breed_significand(const struct breed *of, struct dice *dice)
{
    const uint64_t low = dice_word(dice), high = dice_word(dice);
    const double significand = random_significand(&of->format, high << 32 | low), sign = dice_sign(dice);
    return sign * (dice_below(dice, 2) ? 1 : significand);
}

/* ---- places ---- */

struct breed_range {
    uint64_t first, end;
};

/* What is below a node, or one side of it; what begins or ends somewhere; or some neighbours. */
PORTABLE struct breed_range breed_some(const struct breed *of, struct dice *dice)
{
    struct breed_range range = {0, of->n};
    const uint32_t kind = dice_below(dice, of->node_count > 0 ? 8 : 4);
    if (kind >= 4) {
        const struct terrain_node *node = &of->nodes[dice_below(dice, of->node_count)];
        range.first = kind == 5 ? node->middle : node->first;
        range.end = kind == 4 ? node->middle : node->end;
    } else if (kind == 0) {
        range.first = dice_below(dice, of->n);
    } else if (kind == 1) {
        range.end = 1 + dice_below(dice, of->n);
    } else {
        range.first = dice_below(dice, of->n);
        range.end = range.first + 1 + dice_below(dice, 8);
        range.end = range.end < of->n ? range.end : of->n;
    }
    return range;
}

/* One element as often as several. */
PORTABLE struct breed_range breed_place(const struct breed *of, struct dice *dice)
{
    if (dice_below(dice, 2))
        return breed_some(of, dice);
    const uint64_t i = dice_below(dice, of->n);
    const struct breed_range one = {i, i + 1};
    return one;
}

PORTABLE double breed_total(const double *x, uint64_t first, uint64_t end)
{
    double total = 0;
    for (uint64_t i = first; i < end; i++)
        total += x[i];
    return total;
}

/* ---- changes ---- */

PORTABLE void breed_signs(const struct breed *of, struct dice *dice, double *x)
{
    const struct breed_range at = breed_place(of, dice);
    const uint32_t kind = dice_below(dice, 4);
    for (uint64_t i = at.first; i < at.end; i++)
        x[i] = kind > 0 || x[i] < 0 ? -x[i] : x[i];
}

PORTABLE void breed_exponents(const struct breed *of, struct dice *dice, double *x)
{
    const struct breed_range at = breed_place(of, dice);
    const int by = breed_distance(of, dice);
    const int each = dice_below(dice, 4) == 0 ? breed_distance(of, dice) : 0; /* more from one to the next */
    for (uint64_t i = at.first; i < at.end; i++) {
        const int more = (int)(i - at.first) * each, sum = by + (more > 600 ? 600 : more < -600 ? -600 : more);
        x[i] = breed_scaled(of, x[i], sum);
    }
}

PORTABLE void breed_swap(double *x, uint64_t i, uint64_t j)
{
    const double kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

PORTABLE void breed_reverse(double *x, uint64_t first, uint64_t end)
{
    for (uint64_t i = 0; i < (end - first) / 2; i++)
        breed_swap(x, first + i, end - 1 - i);
}

PORTABLE void breed_order(const struct breed *of, struct dice *dice, double *x)
{
    const struct breed_range at = breed_some(of, dice);
    switch (dice_below(dice, 3)) {
    case 0: {
        const uint64_t i = dice_below(dice, of->n), j = dice_below(dice, of->n);
        breed_swap(x, i, j);
        break;
    }
    case 1:
        breed_reverse(x, at.first, at.end);
        break;
    default: { /* a rotation is three reversals */
        const uint64_t middle = at.first + dice_below(dice, at.end - at.first);
        breed_reverse(x, at.first, middle);
        breed_reverse(x, middle, at.end);
        breed_reverse(x, at.first, at.end);
    }
    }
}

PORTABLE double breed_mantissa(const struct breed *of, struct dice *dice, uint32_t kind, double v)
{
    double spacing = breed_spacing(v, of->format.precision, of->format.least_exponent);
    const double power = power_of_two(v == 0 ? of->format.least_exponent : breed_exponent(v));
    const double sign = v < 0 ? -1 : 1;
    switch (kind) {
    case 0:
        return v + spacing;
    case 1:
        return v - spacing;
    case 2: /* one bit, up or down */
        spacing = dice_sign(dice) * spacing;
        return v + spacing * power_of_two((int)dice_below(dice, (uint64_t)of->format.precision));
    case 3:
        return sign * power;
    case 4: /* all ones */
        return sign * (2 * power - spacing);
    case 5: /* just above a power */
        return sign * (power + spacing);
    default:
        return power * breed_significand(of, dice);
    }
}

PORTABLE void breed_mantissas(const struct breed *of, struct dice *dice, double *x)
{
    const struct breed_range at = breed_place(of, dice);
    const uint32_t kind = dice_below(dice, 8);
    for (uint64_t i = at.first; i < at.end; i++)
        if (x[i] != 0)
            x[i] = breed_number(of, breed_mantissa(of, dice, kind, x[i]));
}

/* An element everywhere, with one sign or by turns, or a run somewhere else. */
PORTABLE void breed_copies(const struct breed *of, struct dice *dice, double *x)
{
    const struct breed_range at = breed_place(of, dice);
    const uint64_t count = at.end - at.first, from = dice_below(dice, of->n - count + 1);
    const double sign = dice_sign(dice), turn = dice_sign(dice), number = x[dice_below(dice, of->n)];
    const bool spreads = dice_below(dice, 2);
    if (spreads)
        for (uint64_t i = 0; i < count; i++)
            x[at.first + i] = (i % 2 ? turn : sign) * number;
    else
        for (uint64_t i = 0; i < count; i++) /* where the ranges overlap, what was copied is copied again */
            x[at.first + i] = sign * x[from + i];
}

PORTABLE void breed_zeros(const struct breed *of, struct dice *dice, double *x)
{
    const struct breed_range at = breed_place(of, dice);
    const uint64_t kept = dice_below(dice, 2) ? at.first + dice_below(dice, at.end - at.first) : at.end;
    for (uint64_t i = at.first; i < at.end; i++)
        x[i] = i == kept ? x[i] : 0;
}

/* A number as far from another one as two results are. */
PORTABLE void breed_numbers(const struct breed *of, struct dice *dice, double *x)
{
    const struct breed_range at = breed_place(of, dice);
    const double near = x[dice_below(dice, of->n)];
    const int by = breed_distance(of, dice), exponent = near == 0 ? 0 : breed_exponent(near);
    const double scale = power_of_two(exponent > -1022 ? exponent : -1022);
    for (uint64_t i = at.first; i < at.end; i++)
        x[i] = breed_scaled(of, breed_significand(of, dice) * scale, by);
}

/* Half a spacing of v, often; or an odd number of them, and a little more or less. */
PORTABLE double breed_half(const struct breed *of, struct dice *dice, double v, int precision)
{
    const double half = breed_spacing(v, precision, of->format.least_exponent + 1) / 2;
    const uint32_t odd = dice_below(dice, 2) ? 1 : 2 * dice_below(dice, 4) + 1;
    const double near = power_of_two(-(int)dice_below(dice, (uint64_t)of->added_precision + 2) - 1);
    const uint32_t kind = dice_below(dice, 4);
    return half * odd * (kind < 2 ? 1 : kind == 2 ? 1 + near : 1 - near);
}

/* Where two partial sums meet: what one of them has becomes a tie of the other's last place, or is next to one. */
PORTABLE void breed_ties(const struct breed *of, struct dice *dice, double *x)
{
    if (of->node_count == 0)
        return;
    const struct terrain_node *node = &of->nodes[dice_below(dice, of->node_count)];
    const bool at_right = dice_below(dice, 4) > 0, clears = dice_below(dice, 2);
    const uint64_t first = at_right ? node->middle : node->first, end = at_right ? node->end : node->middle;
    const double beside =
        at_right ? breed_total(x, node->first, node->middle) : breed_total(x, node->middle, node->end);
    const double sign = dice_sign(dice), target = sign * breed_half(of, dice, beside, of->added_precision);
    const uint64_t chosen = first + dice_below(dice, end - first);
    if (clears)
        for (uint64_t i = first; i < end; i++)
            x[i] = 0;
    x[chosen] = breed_number(of, x[chosen] + (target - breed_total(x, first, end)));
}

/* The whole becomes a tie just above a power of two, where a last rounding loses most. */
PORTABLE void breed_last_rounding(const struct breed *of, struct dice *dice, double *x)
{
    const double s = breed_total(x, 0, of->n);
    const uint64_t chosen = dice_below(dice, of->n);
    if (s == 0)
        return;
    const double power = power_of_two(breed_exponent(s) + (int)dice_below(dice, 2));
    const double target = power + breed_half(of, dice, power, of->precision);
    x[chosen] = breed_number(of, x[chosen] + ((s < 0 ? -target : target) - s));
}

PORTABLE void breed_crossing(const struct breed *of, struct dice *dice, const double *other, double *x)
{
    const struct breed_range at = breed_some(of, dice);
    for (uint64_t i = at.first; i < at.end; i++)
        x[i] = other[i];
}

/* ---- a child ---- */

PORTABLE enum breed_change breed_once(const struct breed *of, struct dice *dice, const double *other, double *child)
{
    const enum breed_change change = (enum breed_change)dice_below(dice, BREED_CHANGES);
    switch (change) {
    case BREED_SIGNS:
        breed_signs(of, dice, child);
        break;
    case BREED_EXPONENTS:
        breed_exponents(of, dice, child);
        break;
    case BREED_ORDER:
        breed_order(of, dice, child);
        break;
    case BREED_MANTISSAS:
        breed_mantissas(of, dice, child);
        break;
    case BREED_COPIES:
        breed_copies(of, dice, child);
        break;
    case BREED_ZEROS:
        breed_zeros(of, dice, child);
        break;
    case BREED_NUMBERS:
        breed_numbers(of, dice, child);
        break;
    case BREED_TIES:
        breed_ties(of, dice, child);
        break;
    case BREED_LAST_ROUNDING:
        breed_last_rounding(of, dice, child);
        break;
    default:
        breed_crossing(of, dice, other, child);
    }
    return change;
}

/* One change, or with half the chance two, and so on; returns the first.  `other` is for crossing. */
PORTABLE enum breed_change breed_changes(const struct breed *of, struct dice *dice, const double *other, double *child)
{
    const enum breed_change change = breed_once(of, dice, other, child);
    while (dice_below(dice, 2))
        breed_once(of, dice, other, child);
    return change;
}

/* `parent` so changed. */
PORTABLE enum breed_change breed_child(const struct breed *of, struct dice *dice, const double *parent,
                                       const double *other, double *child)
{
    for (uint64_t i = 0; i < of->n; i++)
        child[i] = parent[i];
    return breed_changes(of, dice, other, child);
}
