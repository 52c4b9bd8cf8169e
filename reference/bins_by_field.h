/* What the counters of both formats have in common, which fields are in use and how all are folded: an
 * include-template, which bins.c reads twice.  It wants
 *
 *   NAME(verb)        the symbols' names
 *   WORD              the format's bits
 *   REAL              its type in C
 *   FRACTION_BITS     23 or 52
 *   SUM               an integer for sixteen columns of a fold
 *
 * and NAME(value), the sum of what was counted under an index.
 */

typedef WORD NAME(word) __attribute__((may_alias));

/* An index is the sign and the exponent field of a number. */
enum { NAME(INDICES) = 1 << (8 * sizeof(WORD) - FRACTION_BITS), NAME(FIELDS) = NAME(INDICES) / 2 };

typedef uint64_t NAME(bank)[NAME(INDICES) + SKEW];

/* Of the terms of one sign and exponent, all banks, in units of their last bit.  Less than 2^66. */
static SUM NAME(value)(const struct bins *bins, unsigned index);

/* Makes all counters of the fields [first, last] ready for terms. */
static void NAME(clear)(NAME(bank) * banks, unsigned first, unsigned last)
{
    for (size_t b = 0; b < BANKS; b++) {
        memset(&banks[b][first], 0, (last - first + 1) * sizeof(uint64_t));
        memset(&banks[b][NAME(FIELDS) + first], 0, (last - first + 1) * sizeof(uint64_t));
    }
}

/* Field 0, of zeros, and the last, of infinities and NaN, are always ready: their counters say whether there were any.
 */
static void NAME(begin)(struct bins *bins)
{
    NAME(clear)(bins->counters, 0, 0);
    NAME(clear)(bins->counters, NAME(FIELDS) - 1, NAME(FIELDS) - 1);
    bins->first = NAME(FIELDS) - 1;
    bins->last = 0;
    bins->held = 0;
}

static unsigned NAME(field)(REAL magnitude)
{
    WORD word;
    memcpy(&word, &magnitude, sizeof word);
    return (unsigned)(word >> FRACTION_BITS);
}

/* Widens the window of fields that are in use to those of [least, largest]. */
static void NAME(make_room)(struct bins *bins, REAL least, REAL largest)
{
    unsigned first = NAME(field)(least), last = NAME(field)(largest);
    first = first < 1 ? 1 : first;
    last = last > NAME(FIELDS) - 2 ? NAME(FIELDS) - 2 : last;
    if (first > last)
        return;
    if (bins->first > bins->last) {
        NAME(clear)(bins->counters, first, last);
        bins->first = first;
        bins->last = last;
    }
    if (first < bins->first) {
        NAME(clear)(bins->counters, first, bins->first - 1);
        bins->first = first;
    }
    if (last > bins->last) {
        NAME(clear)(bins->counters, bins->last + 1, last);
        bins->last = last;
    }
}

static REAL NAME(largest_finite)(const NAME(word) * x, size_t n)
{
    const WORD infinite = (WORD)(NAME(FIELDS) - 1) << FRACTION_BITS;
    WORD largest = 0;
    for (size_t i = 0; i < n; i++) {
        const WORD magnitude = x[i] & ~((WORD)NAME(FIELDS) << FRACTION_BITS);
        if (magnitude < infinite && magnitude > largest)
            largest = magnitude;
    }
    REAL value;
    memcpy(&value, &largest, sizeof value);
    return value;
}

/* The counters of one sign as one integer: long addition in which column k, bit k, is that of field k + 1; field 0 has
 * the exponent of field 1.  Sixteen columns and the carry are less than 2^83. */
static void NAME(fold_sign)(struct bins *bins, unsigned sign)
{
    const unsigned fields = sign * NAME(FIELDS);
    uint64_t sum[BINS_LIMBS_MOST] = {0};
    SUM carry = NAME(value)(bins, fields);
    if (carry > 0)
        note_exponents(bins, bins->unit + FRACTION_BITS);
    const unsigned start = carry > 0 || bins->first > bins->last ? 0 : (bins->first - 1) / COLUMNS * COLUMNS;
    for (unsigned column = start; column < bins->last || carry > 0; column += COLUMNS) {
        SUM columns = 0;
        for (unsigned field = column + COLUMNS; field > column; field--) {
            const bool in_use = field >= bins->first && field <= bins->last;
            const SUM value = in_use ? NAME(value)(bins, fields + field) : 0;
            if (value > 0)
                note_exponents(bins, (int)field - 1 + bins->unit + FRACTION_BITS);
            columns = 2 * columns + value;
        }
        carry += columns;
        sum[column / 64] |= (uint64_t)(carry & ((1 << COLUMNS) - 1)) << column % 64;
        carry >>= COLUMNS;
    }
    add_limbs(bins->totals[sign], sum, bins->limbs);
}

static void NAME(fold)(struct bins *bins)
{
    NAME(fold_sign)(bins, 0);
    NAME(fold_sign)(bins, 1);
    NAME(begin)(bins);
}

#undef NAME
#undef WORD
#undef REAL
#undef FRACTION_BITS
#undef SUM
