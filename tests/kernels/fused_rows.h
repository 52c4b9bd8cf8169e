/* The matrices of the golden bits of fused units, tests/golden/fused.txt: per format of sums one product, which no tile
 * or block divides, of rows and columns of five styles; and a line per method that has a kernel:
 *
 *   matmul:hopper_wgmma/chain@e4m3 0123456789abcdef      see golden_grid.h
 */
#include "golden_grid.h"

#include "kernels/fused.h"
#include "src/base/format.h"
#include "src/base/workers.h"
#include "tests/support/random.h"

#include <stdio.h>

enum { ROWS = 67, INNER = 163, COLUMNS = 43, RESULTS = ROWS * COLUMNS, STYLES = 5, LINE_SIZE = 128 };

struct fused_rows {
    double a[ROWS * INNER], b[INNER * COLUMNS]; /* in the format in which they are held */
    struct operands of;
};

static double fused_number(const struct format *format, uint64_t style, uint64_t k)
{
    const double sign = below(2) ? 1 : -1, significand = 1 + (double)below(1024) / 1024;
    switch (style % STYLES) {
    case 0: /* a window of exponents */
        return sign * ldexp(significand, -(int)below(8));
    case 1: /* all exponents: overflow, and infinities of both signs after it */
        return sign *
               ldexp(significand, (int)below(2 * (uint64_t)format->overflow_exponent) - format->overflow_exponent);
    case 2: /* subnormal factors */
        return sign * ldexp((double)below(5), format->least_exponent);
    case 3: /* one sign, and terms that lose bits beside a large one */
        return k % 32 == 0 ? 16 : ldexp(1.875, -(int)below(7));
    default: /* NaN, infinities and signed zeros */
        return below(60) ? sign * (double)below(3) : below(2) ? NAN : sign * INFINITY;
    }
}

static void fused_fill(const struct format *format, double *x, uint64_t rows, uint64_t columns, bool by_rows)
{
    for (uint64_t i = 0; i < rows * columns; i++) {
        const uint64_t row = i / columns, column = i % columns;
        const double number = fused_number(format, by_rows ? row : column, by_rows ? column : row);
        held_set(format, x, i, format_value(format, format_bits(format, number)));
    }
}

static void fused_rows_of(const struct sum_format *sum_format, struct fused_rows *rows)
{
    seed_random(1);
    fused_fill(sum_format->stored, rows->a, ROWS, INNER, true);
    fused_fill(sum_format->stored, rows->b, INNER, COLUMNS, false);
    rows->of = (struct operands){sum_format->stored, OPERATION_matmul, {rows->a, rows->b}, {INNER, ROWS, COLUMNS}};
}

static void fused_line(const struct method *method, const uint64_t *bits, char line[LINE_SIZE])
{
    golden_word words[RESULTS];
    char fingerprint[FINGERPRINT_TEXT];
    for (int i = 0; i < RESULTS; i++)
        words[i] = golden_word_of(method->format, bits[i]);
    golden_fingerprint(method->format, words, RESULTS, fingerprint);
    snprintf(line, LINE_SIZE, "%s %s\n", method->id, fingerprint);
}
