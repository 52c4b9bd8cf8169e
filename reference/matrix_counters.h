/* Sums of products in counters of 128 bits; of matrix.c alone.
 *
 * A number is sign, significand m and place e: +-m 2^(e + least).  Its place is cut into a window and a shift, and the
 * significand is shifted when the number is read, once for all products it is a factor of:
 *
 *   e = 32 w + r      factor: f = m 2^r, less than 2^55, and w                    (binary32)
 *   product           f_a f_b 2^(32 (w_a + w_b)): less than 2^110, exact in one multiplication of integers
 *   counter[w_a + w_b, signs] += f_a f_b
 *
 * So a product costs one multiplication, one addition of indices and one addition to memory, whatever the data are: no
 * shift, no mask, no branch, no rounding.
 *
 *   binary32 1.5  m = 3 2^22, e = 127 - 1 = 126 = 32 3 + 30: f = 3 2^52, window 3
 *   1.5 * 1.5     9 2^104 in window 6, which is worth 2^(32 6 - 298): 9 2^-2
 *
 * No counter runs over.  Products are less than 2^(2 (p + window - 1)), and after TERMS of them counters are emptied:
 *
 *   binary32  windows of 32 binades, products below 2^110, 2^17 of them below 2^127
 *   binary64  windows of  6 binades, products below 2^116, 2^11 of them below 2^127
 *
 * The sign of a factor is added to its index as well, so that each window has a counter for ++, for +- and -+, and for
 * --; P is the first and the third, N the second.
 */

enum {
    PANEL = 4, /* columns that are summed together: while one counter waits for its last store, others are added to */
    VARIANTS = 4, /* counters of a window, of which the last is unused: indices are shifted, not multiplied */
};

__extension__ typedef unsigned __int128 wide;

/* The numbers of a held format. */
struct grid {
    unsigned fraction_bits, fields; /* of its encoding */
    int least;                      /* exponent of the least subnormal */
    unsigned window;                /* binades */
    unsigned windows;               /* of products */
    uint64_t terms;                 /* that counters hold */
};

static const struct grid GRID32 = {23, 256, -149, 32, 2 * (253 / 32) + 1, 1 << 17};
static const struct grid GRID64 = {52, 2048, -1074, 6, 2 * (2045 / 6) + 1, 1 << 11};

/* ---- factors ---- */

/* Windows of the numbers of a row or column that are not 0, first > last: there are none; and whether it has infinities
 * or NaNs, which count as 0. */
struct reach {
    unsigned first, last;
    bool specials;
};

static const struct reach no_reach = {UINT_MAX, 0, false};

static inline bool is_empty(struct reach reach)
{
    return reach.first > reach.last;
}

static inline struct reach reach_of_products(struct reach x, struct reach y)
{
    struct reach reach = no_reach;
    if (!is_empty(x) && !is_empty(y))
        reach = (struct reach){x.first + y.first, x.last + y.last, false};
    reach.specials = x.specials || y.specials;
    return reach;
}

/* `stride` apart: those of a row one after the other, those of a panel's columns by turns. */
struct factors {
    uint64_t *significands;
    uint32_t *places; /* bytes from the first counter */
};

static inline uint64_t load_bits(const struct grid *grid, const void *numbers, uint64_t i)
{
    if (grid == &GRID64)
        return double_bits(((const double *)numbers)[i]);
    return float_bits(((const float *)numbers)[i]);
}

/* Number i of those that start at `numbers`, `step` apart, becomes factor i stride, for counters that begin at `base`.
 * Inlined for each grid. */
__attribute__((always_inline)) static inline struct reach read_factors(const struct grid *grid, const void *numbers,
                                                                       uint64_t step, uint64_t n, unsigned stride,
                                                                       uint32_t base, struct factors factors)
{
    struct reach reach = no_reach;
    const uint64_t hidden = (uint64_t)1 << grid->fraction_bits;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t bits = load_bits(grid, numbers, i * step);
        const uint32_t field = (uint32_t)(bits >> grid->fraction_bits) & (grid->fields - 1);
        const uint32_t sign = (uint32_t)(bits >> grid->fraction_bits) / grid->fields;
        const bool special = field == grid->fields - 1;
        const uint64_t significand = special ? 0 : (bits & (hidden - 1)) | (field > 0 ? hidden : 0);
        const uint32_t place = special || field == 0 ? 0 : field - 1, window = place / grid->window;
        factors.significands[i * stride] = significand << place % grid->window;
        factors.places[i * stride] = base + (window * VARIANTS + sign) * (uint32_t)sizeof(wide);
        reach.first = significand > 0 && window < reach.first ? window : reach.first;
        reach.last = significand > 0 && window > reach.last ? window : reach.last;
        reach.specials |= special;
    }
    return reach;
}

static inline void fill_zeros(uint64_t n, unsigned stride, uint32_t base, struct factors factors)
{
    for (uint64_t i = 0; i < n; i++) {
        factors.significands[i * stride] = 0;
        factors.places[i * stride] = base;
    }
}

static inline struct factors factors_from(struct factors factors, uint64_t i)
{
    return (struct factors){factors.significands + i, factors.places + i};
}

/* ---- counting ---- */

static inline uint32_t bytes_of_counters(const struct grid *grid)
{
    return grid->windows * VARIANTS * (uint32_t)sizeof(wide);
}

/* Adds the products of a row with each column of a panel, whose counters lie one after the other.  A function of its
 * own, whose pointers then all have registers: 0.75 ns a product instead of 0.9. */
__attribute__((noinline)) static void count_products(char *restrict counters, const struct factors row,
                                                     const struct factors panel, uint64_t n)
{
    const uint64_t *restrict x = row.significands, *restrict y = panel.significands;
    const uint32_t *restrict place_x = row.places, *restrict place_y = panel.places;
    for (uint64_t k = 0; k < n; k++, y += PANEL, place_y += PANEL) {
        char *const row_counters = counters + place_x[k];
        const uint64_t factor = x[k];
        for (unsigned c = 0; c < PANEL; c++)
            *(wide *)(void *)(row_counters + place_y[c]) += (wide)factor * y[c];
    }
}

/* ---- folding ---- */

/* A long addition to a total: bits come from the lowest on, and go to it by limbs. */
struct adder {
    uint64_t *next, limb, carry;
    unsigned filled; /* bits of limb */
};

/* width < 64 */
static inline void add_bits(struct adder *adder, uint64_t bits, unsigned width)
{
    adder->limb |= bits << adder->filled;
    adder->filled += width;
    if (adder->filled < 64)
        return;
    const wide sum = (wide)*adder->next + adder->limb + adder->carry;
    *adder->next++ = (uint64_t)sum;
    adder->carry = (uint64_t)(sum >> 64);
    adder->filled -= 64;
    adder->limb = bits >> (width - adder->filled);
}

/* The counters of one sign are columns of a long addition: a window's low bits are final, the others are carried into
 * the next window, and no carry is more than 2^127 / (2^6 - 1), so that 128 bits hold it and a counter. */
__attribute__((always_inline)) static inline void
fold_sign(const struct grid *grid, const wide *counters, unsigned first, unsigned last, bool negative, uint64_t *total)
{
    const unsigned start = first * grid->window;
    struct adder adder = {.next = total + start / 64, .filled = start % 64};
    wide carry = 0;
    for (unsigned window = first; window <= last || carry > 0 || adder.limb > 0 || adder.carry > 0; window++) {
        if (window <= last) {
            const wide *const counter = counters + (size_t)window * VARIANTS;
            carry += negative ? counter[1] : counter[0] + counter[2];
        }
        add_bits(&adder, (uint64_t)carry & (((uint64_t)1 << grid->window) - 1), grid->window);
        carry >>= grid->window;
    }
}

/* Empties the counters from the first window to the last into totals P and N, which count units of 2^(2 least). */
__attribute__((always_inline)) static inline void fold_counters(const struct grid *grid, wide *counters, unsigned first,
                                                                unsigned last, uint64_t *const totals[2])
{
    fold_sign(grid, counters, first, last, false, totals[0]);
    fold_sign(grid, counters, first, last, true, totals[1]);
    memset(counters + (size_t)first * VARIANTS, 0, (last - first + 1) * VARIANTS * sizeof *counters);
}

/* The same for a column of a panel whose windows are more than its products: product by product, of which the first
 * that went to a counter takes all that is in it.  Zeros went to counters that may lie elsewhere, and hold 0. */
static void fold_by_products(const struct grid *grid, wide *counters, unsigned column, struct factors row,
                             struct factors panel, uint64_t n, uint64_t *const totals[2], unsigned limbs)
{
    for (uint64_t k = 0; k < n; k++) {
        const uint32_t index = (row.places[k] + panel.places[PANEL * k + column]) / (uint32_t)sizeof(wide);
        const unsigned bit = (index / VARIANTS - column * grid->windows) * grid->window;
        uint64_t *const total = totals[index % VARIANTS == 1];
        const wide sum = counters[index];
        counters[index] = 0;
        if (sum > 0) {
            limbs_add_word(total, limbs, (uint64_t)sum, bit, false);
            limbs_add_word(total, limbs, (uint64_t)(sum >> 64), bit + 64, false);
        }
    }
}
