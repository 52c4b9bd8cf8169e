/* The host half of the products of matrices of one accumulator, one format of additions and one operation: compiled as
 * verbs.c is, the operation sum standing for dot, whose terms are numbers too. */
#include "portable.h"

#include "bound.h"
#include "matmul_compiled.h"
#include "src/base/format.h"
#include "src/base/workers.h"

#ifndef ABSENT
#include ACCUMULATOR_FILE
#endif
#ifndef ABSENT
#include "terms.h"
#endif

extern const struct matmul_compiled EXPORTED(matmul);
#ifdef ABSENT
const struct matmul_compiled EXPORTED(matmul) = {.absent = ABSENT};
#else

#ifdef IS_sum
#define CLAIM dot_claim
static inline STATE add_product(STATE s, real x, real y)
{
    return A(add)(s, dot_term(x, y));
}
#else
#define CLAIM PASTE(OPERATION_ID, claim)
#define add_product PASTE(OPERATION_ID, add)
#endif

#include <stdlib.h>

/* Columns whose states are updated side by side, and products below which a thread costs more than it saves. */
enum { COLUMNS_AT_ONCE = 64, PARALLEL_FROM = 1 << 17 };

/* ---- numbers as they are added ---- */

static real in_real(double value)
{
    return (real)rounded_to(value, &REAL_FORMAT);
}

static uint64_t place(const struct matmul_matrix *m, uint64_t row, uint64_t column)
{
    return row * m->row_step + column * m->column_step;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Panels of `at_once` columns, the last of fewer, each row after row: of 2 columns {1 2 3 / 4 5 6} is {1 2 / 4 5}, {3 /
 * 6}.  NULL: memory is short. */
static real *panels_of(const struct format *format, const struct matmul_matrix *m, uint64_t at_once)
{
    real *panels = malloc((m->rows * m->columns + 1) * sizeof *panels), *next = panels;
    for (uint64_t first = 0; panels && first < m->columns; first += at_once)
        for (uint64_t row = 0; row < m->rows; row++)
            for (uint64_t column = first; column < least_of(first + at_once, m->columns); column++)
                *next++ = (real)held_number(format, m->numbers, place(m, row, column));
    return panels;
}

/* ---- the product ---- */

struct product {
    const struct matmul_method *method;
    const struct matmul_call *call;
    const real *a, *b; /* A in one panel, B in panels of COLUMNS_AT_ONCE */
    unsigned workers;
};

/* `width` elements of one row: products begin .. end of each, left to right. */
static void add_products(const real *a, const real *b, uint64_t begin, uint64_t end, uint64_t width,
                         STATE states[COLUMNS_AT_ONCE])
{
    for (uint64_t j = 0; j < width; j++)
        states[j] = A(zero)();
    for (uint64_t k = begin; k < end; k++)
        for (uint64_t j = 0; j < width; j++)
            states[j] = add_product(states[j], a[k], b[k * width + j]);
}

/* Rounds a state to an element of C, as matmul.h says. */
static void put(const struct product *of, uint64_t row, uint64_t column, STATE state, int beta)
{
    const struct matmul_matrix *c = &of->call->c;
    const struct format *format = of->method->sum_format->result;
    const double alpha = of->call->alpha;
    double result = A(result)(state);
    if (alpha != 1 || beta) {
        real sum = RN((real)alpha * in_real(result));
        if (beta)
            sum = RN(sum + (real)held_number(format, c->numbers, place(c, row, column)));
        result = (double)sum;
    }
    held_set(format, c->numbers, place(c, row, column), rounded_to(result, format));
}

static void replay_elements(const struct product *of, uint64_t row, uint64_t first, uint64_t width)
{
    const uint64_t inner = of->call->a.columns, run = matmul_run(of->method, inner);
    const uint32_t parts = matmul_parts(of->method, inner);
    STATE total[COLUMNS_AT_ONCE], part[COLUMNS_AT_ONCE];
    for (uint32_t q = 0; q < parts; q++) {
        STATE *states = q == 0 ? total : part;
        add_products(of->a + row * inner, of->b + first * inner, q * run, least_of((q + 1) * run, inner), width,
                     states);
        for (uint64_t j = 0; j < width; j++)
            if (of->method->between == ROUNDED)
                put(of, row, first + j, states[j], q > 0 || of->call->beta);
            else if (q > 0)
                total[j] = A(merge)(total[j], part[j]);
    }
    for (uint64_t j = 0; j < width && of->method->between == STATES; j++)
        put(of, row, first + j, total[j], of->call->beta);
}

/* Worker w has every so many-th row. */
static void replay_rows(void *context, unsigned worker)
{
    const struct product *of = context;
    const uint64_t columns = of->call->c.columns;
    for (uint64_t first = 0; first < columns; first += COLUMNS_AT_ONCE)
        for (uint64_t row = worker; row < of->call->c.rows; row += of->workers)
            replay_elements(of, row, first, least_of(COLUMNS_AT_ONCE, columns - first));
}

static enum status replay(const struct matmul_method *self, const struct matmul_call *call, unsigned workers)
{
    const struct format *stored = self->sum_format->stored;
    const bool is_large = (double)call->c.rows * (double)call->b.rows * (double)call->c.columns >= PARALLEL_FROM;
    real *a = panels_of(stored, &call->a, call->a.columns), *b = panels_of(stored, &call->b, COLUMNS_AT_ONCE);
    struct product product = {self, call, a, b, is_large && workers > 1 ? workers : 1};
    if (a && b)
        workers_run(product.workers, replay_rows, &product);
    free(a);
    free(b);
    return a && b ? OK : out_of_memory("the numbers of a product of matrices");
}

/* ---- what is promised of it (docs/bounds.md, "Matrix products") ---- */

/* What RN(r) is from s, or r rounded once to a format of unit roundoff result_u; of parts, all together, where abs_s is
 * the sum of theirs. */
static double bound_of_sums(const struct matmul_method *self, uint64_t inner, double abs_s, double sum_abs,
                            double result_u)
{
    struct claim claim = {(double)inner, (double)matmul_height(self, inner), abs_s, sum_abs, sum_abs, result_u};
    const double of_terms = CLAIM(&claim), of_additions = A(bound)(&claim);
    return of_terms > 0 ? round_up(of_additions + of_terms) : of_additions;
}

static double bound(const struct matmul_method *self, uint64_t inner, double alpha, int beta,
                    const struct matmul_magnitudes *of)
{
    const struct format *result = self->sum_format->result;
    const double u = ldexp(1, -result->precision), abs_alpha = fabs(alpha);
    const uint32_t times = self->between == ROUNDED ? matmul_parts(self, inner) : 1; /* that C is rounded */
    const bool is_r = alpha == 1 && !beta && times == 1, is_narrower = result->precision < REAL_PRECISION;
    const double abs_s = times > 1 ? of->sum_abs : of->abs_s, abs_c = abs_alpha * abs_s + (beta ? of->abs_c : 0);
    double error = bound_of_sums(self, inner, abs_s, of->sum_abs, is_r ? u : REAL_U), each = 0;
    if (abs_alpha != 1)
        error = round_up(abs_alpha * error + bound_one_rounding(REAL_U) * abs_alpha * (abs_s + error) +
                         times * (2 * REAL_U * (double)REAL_MIN_NORMAL));
    if (times > 1 && error > 0) /* the results of parts may be subnormal, where that of the whole is not */
        error = round_up(error + times * (REAL_U * (double)REAL_MIN_NORMAL));
    if (beta || times > 1)
        each = bound_one_rounding(REAL_U);
    if (is_narrower && error > 0)
        error = round_up(error + times * ldexp(1, result->least_exponent - 1));
#if A(ROUNDED_ONCE)
    if (is_narrower && !is_r)
#else
    if (is_narrower)
#endif
        each = bound_compound(each, bound_one_rounding(u));
    const double growth = bound_growth(times, each), all = round_up(error + growth * (abs_c + error));
    return round_up(abs_c + all) <= ldexp(2 - 2 * u, result->overflow_exponent - 1) ? all : (double)INFINITY;
}

/* ---- what there is ---- */

#ifdef ULPSCOPE_CUDA
extern const struct matmul_device MATMUL_ON_DEVICE;
#define DEVICE_HALF &MATMUL_ON_DEVICE
#else
#define DEVICE_HALF NULL
#endif

const struct matmul_compiled EXPORTED(matmul) = {.bound = bound, .replay = replay, .device = DEVICE_HALF};
#endif
