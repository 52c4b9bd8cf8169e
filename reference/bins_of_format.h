/* The counters of one format: an include-template, which bins.c reads twice.  It wants
 *
 *   NAME(verb)        the symbols' names
 *   WORD, REAL        the format's bits, and its type in C
 *   COUNTER           twice as wide as WORD
 *   FRACTION_BITS     23 or 52
 *   COUNT_BIT         48 or 84: terms are counted from this bit of a counter up, their words summed below it
 *
 * A counter holds 2^(COUNT_BIT - bits of WORD) - 1 terms, 65,535 or 1,048,575: so many words are less than 2^COUNT_BIT,
 * and their number fits into the 16 or 44 bits from there up.  One term more in binary32, and the number runs over; 258
 * more in binary64, all of them -DBL_MAX, and the words run into it.
 */

typedef WORD NAME(word) __attribute__((may_alias));

enum { NAME(INDICES) = 1 << (8 * sizeof(WORD) - FRACTION_BITS), NAME(FIELDS) = NAME(INDICES) / 2 };

#define SIGN ((WORD)1 << (8 * sizeof(WORD) - 1))
#define LEAST_NORMAL ((WORD)1 << FRACTION_BITS)
#define INFINITE ((WORD)(NAME(FIELDS) - 1) << FRACTION_BITS)
#define ONE_TERM ((COUNTER)1 << COUNT_BIT)
#define TERMS_MOST (((uint64_t)1 << (COUNT_BIT - 8 * sizeof(WORD))) - 1)

typedef COUNTER NAME(bank)[NAME(INDICES) + SKEW];

/* Element i goes to bank i mod BANKS: adding to a counter waits for the last store to it, and equal exponents follow
 * each other in real data. */
static void NAME(count)(NAME(bank) *restrict banks, const NAME(word) * x, size_t n)
{
    size_t i = 0;
    for (; i + BANKS <= n; i += BANKS) {
        __builtin_prefetch((const void *)((uintptr_t)(x + i) + BLOCK * sizeof *x)); /* perhaps beyond the data */
        for (size_t b = 0; b < BANKS; b++)
            banks[b][x[i + b] >> FRACTION_BITS] += x[i + b] + ONE_TERM;
    }
    for (size_t b = 0; i < n; i++, b++)
        banks[b][x[i] >> FRACTION_BITS] += x[i] + ONE_TERM;
}

/* Makes all counters of the fields [first, last] ready for terms. */
static void NAME(clear)(NAME(bank) * banks, unsigned first, unsigned last)
{
    for (size_t b = 0; b < BANKS; b++) {
        memset(&banks[b][first], 0, (last - first + 1) * sizeof(COUNTER));
        memset(&banks[b][NAME(FIELDS) + first], 0, (last - first + 1) * sizeof(COUNTER));
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

/* Widens the window of fields that are in use. */
static void NAME(make_room)(struct bins *bins, unsigned first, unsigned last)
{
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

static unsigned NAME(field)(REAL magnitude)
{
    WORD word;
    memcpy(&word, &magnitude, sizeof word);
    return (unsigned)(word >> FRACTION_BITS);
}

/* Terms of an exponent field that are in the counters, of both signs. */
static uint64_t NAME(terms_of)(NAME(bank) *const banks, unsigned field)
{
    uint64_t terms = 0;
    for (size_t b = 0; b < BANKS; b++)
        terms += (uint64_t)(banks[b][field] >> COUNT_BIT) + (uint64_t)(banks[b][NAME(FIELDS) + field] >> COUNT_BIT);
    return terms;
}

static void NAME(classify_zero_field)(struct bins *bins, const NAME(word) * x, size_t n)
{
    WORD zeros = 0, subnormals = 0; /* as wide as the data, so that the loop vectorises */
    for (size_t i = 0; i < n; i++) {
        zeros += x[i] == SIGN;
        subnormals += (WORD)((x[i] & ~SIGN) - 1) < LEAST_NORMAL - 1;
    }
    bins->negative_zeros += zeros;
    bins->subnormals += subnormals;
}

static void NAME(classify_last_field)(struct bins *bins, const NAME(word) * x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bins->nans += (x[i] & ~SIGN) > INFINITE;
        bins->infinities[0] += x[i] == INFINITE;
        bins->infinities[1] += x[i] == (INFINITE | SIGN);
    }
}

static REAL NAME(largest_finite)(const NAME(word) * x, size_t n)
{
    WORD largest = 0;
    for (size_t i = 0; i < n; i++) {
        const WORD magnitude = x[i] & ~SIGN;
        if (magnitude < INFINITE && magnitude > largest)
            largest = magnitude;
    }
    REAL value;
    memcpy(&value, &largest, sizeof value);
    return value;
}

/* At most BLOCK terms, and no more than the counters still hold. */
static void NAME(add_block)(struct bins *bins, const void *data, size_t n)
{
    NAME(bank) *const banks = bins->counters;
    const NAME(word) *const x = data;
    const unsigned last_field = NAME(FIELDS) - 1;
    const uint64_t small_before = NAME(terms_of)(banks, 0), special_before = NAME(terms_of)(banks, last_field);
    REAL least, largest;
    NAME(range)(data, n, &least, &largest);
    NAME(make_room)(bins, NAME(field)(least), NAME(field)(largest));
    NAME(count)(banks, x, n);
    const uint64_t small = NAME(terms_of)(banks, 0) - small_before;
    const uint64_t special = NAME(terms_of)(banks, last_field) - special_before;
    if (least > 0)
        bins->subnormals += small; /* what has the field 0 and is no 0 */
    else if (small > 0)
        NAME(classify_zero_field)(bins, x, n);
    if (special > 0) {
        NAME(classify_last_field)(bins, x, n);
        largest = NAME(largest_finite)(x, n);
    }
    if ((double)largest > bins->max_abs)
        bins->max_abs = (double)largest;
}

static void NAME(add)(struct bins *bins, const void *data, uint64_t n)
{
    const uint64_t most = bins_fold_after ? bins_fold_after : TERMS_MOST;
    const NAME(word) *x = data;
    while (n > 0) {
        const uint64_t block = n < BLOCK ? n : BLOCK < most * BANKS ? BLOCK : most * BANKS;
        const uint64_t arriving = (block + BANKS - 1) / BANKS; /* in a bank */
        if (bins->held + arriving > most)
            bins_fold(bins);
        NAME(add_block)(bins, x, (size_t)block);
        bins->held += arriving;
        x += block;
        n -= block;
    }
}

/* The integer sum of the terms of one sign and exponent, all banks, in units of its last bit.  The sign and exponent
 * that stood in every word are taken away; the hidden bit, which normal words did not show, is added. */
static COUNTER NAME(value)(NAME(bank) *const banks, WORD index, uint64_t *terms)
{
    COUNTER words = 0;
    *terms = 0;
    for (size_t b = 0; b < BANKS; b++) {
        words += banks[b][index] & (ONE_TERM - 1);
        *terms += (uint64_t)(banks[b][index] >> COUNT_BIT);
    }
    const WORD hidden = index % NAME(FIELDS) == 0 ? 0 : LEAST_NORMAL;
    return words - (COUNTER)(index << FRACTION_BITS) * *terms + (COUNTER)hidden * *terms;
}

/* The counters of one sign as one integer: long addition in which column k, bit k, is that of field k + 1; field 0 has
 * the exponent of field 1.  BANKS TERMS_MOST terms make a column less than 2^42 (binary32) or 2^75, sixteen columns
 * and the carry less than 2^59 or 2^92. */
static void NAME(fold_sign)(struct bins *bins, unsigned sign)
{
    NAME(bank) *const banks = bins->counters;
    const WORD fields = sign * (WORD)NAME(FIELDS);
    uint64_t sum[BINS_LIMBS_MOST] = {0}, terms;
    COUNTER carry = NAME(value)(banks, fields, &terms);
    if (terms > 0 && carry > 0)
        note_exponents(bins, bins->unit + FRACTION_BITS);
    const unsigned start = carry > 0 || bins->first > bins->last ? 0 : (bins->first - 1) / COLUMNS * COLUMNS;
    for (unsigned column = start; column < bins->last || carry > 0; column += COLUMNS) {
        for (unsigned k = 0; k < COLUMNS; k++) {
            const unsigned field = column + k + 1;
            if (field < bins->first || field > bins->last)
                continue;
            const COUNTER value = NAME(value)(banks, fields + field, &terms);
            if (terms > 0)
                note_exponents(bins, (int)field - 1 + bins->unit + FRACTION_BITS);
            carry += value << k;
        }
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

#undef SIGN
#undef LEAST_NORMAL
#undef INFINITE
#undef ONE_TERM
#undef TERMS_MOST
#undef NAME
#undef WORD
#undef REAL
#undef COUNTER
#undef FRACTION_BITS
#undef COUNT_BIT
