/* The host half of matrix products, over the verbs of an accumulator whose terms are the products; and what
 * the list of methods has of them. */
#include "matmul.h"

#include "claim.h"
#include "src/base/format.h"
#include "src/base/workers.h"

#include <stdlib.h>
#include <sys/param.h>

/* Columns whose states are updated side by side, and products below which a thread costs more than it saves. */
enum { COLUMNS_AT_ONCE = 64, PARALLEL_FROM = 1 << 17 };

/* ---- numbers as they are added ---- */

static uint64_t place(const struct matmul_matrix *m, uint64_t row, uint64_t column)
{
    return row * m->row_step + column * m->column_step;
}

/* Panels of `at_once` columns, the last of fewer, each row after row: of 2 columns {1 2 3 / 4 5 6} is {1 2 / 4 5}, {3 /
 * 6}.  NULL: memory is short. */
static char *panels_of(const struct sum_format *in, const struct matmul_matrix *m, uint64_t at_once)
{
    const struct format *added = format_held(in->added);
    char *panels = malloc((m->rows * m->columns + 1) * added->bytes);
    uint64_t next = 0;
    for (uint64_t first = 0; panels && first < m->columns; first += at_once)
        for (uint64_t row = 0; row < m->rows; row++)
            for (uint64_t column = first; column < MIN(first + at_once, m->columns); column++)
                held_set(added, panels, next++, held_number(in->stored, m->numbers, place(m, row, column)));
    return panels;
}

/* ---- the product ---- */

struct product {
    const struct matmul_method *method;
    const struct matmul_call *call;
    const char *a, *b;     /* A in one panel, B in panels of COLUMNS_AT_ONCE */
    char *states;          /* of each worker the totals of COLUMNS_AT_ONCE elements, and what a part adds up to */
    uint64_t number_bytes; /* of A and B */
    unsigned workers;
};

/* Rounds a state to an element of C, as matmul.h says. */
static void put(const struct product *of, uint64_t row, uint64_t column, const void *state, int beta)
{
    const struct matmul_matrix *c = &of->call->c;
    const struct format *format = of->method->sum_format->result, *added = of->method->sum_format->added;
    const double alpha = of->call->alpha;
    double result = of->method->verbs->result(state);
    if (alpha != 1 || beta) {
        result = rounded_to(alpha * rounded_to(result, added), added);
        if (beta)
            result = rounded_to(result + held_number(format, c->numbers, place(c, row, column)), added);
    }
    held_set(format, c->numbers, place(c, row, column), rounded_to(result, format));
}

/* `width` elements of one row: a part after the other, the products of each left to right. */
static void replay_elements(const struct product *of, void *total, uint64_t row, uint64_t first, uint64_t width)
{
    const struct verbs *verbs = of->method->verbs;
    const uint64_t inner = of->call->a.columns, run = matmul_run(of->method, inner);
    const uint32_t parts = matmul_parts(of->method, inner);
    void *part = state_at(verbs, total, COLUMNS_AT_ONCE);
    for (uint32_t q = 0; q < parts; q++) {
        const uint64_t begin = q * run, end = MIN(begin + run, inner);
        void *states = q == 0 ? total : part;
        verbs->zero(states, width);
        verbs->add_products(states, of->a + (row * inner + begin) * of->number_bytes,
                            of->b + (first * inner + begin * width) * of->number_bytes, end - begin, width);
        for (uint64_t j = 0; j < width && of->method->between == ROUNDED; j++)
            put(of, row, first + j, state_at(verbs, states, j), q > 0 || of->call->beta);
        if (q > 0 && of->method->between == STATES)
            verbs->merge(total, part, merges_of(width));
    }
    for (uint64_t j = 0; j < width && of->method->between == STATES; j++)
        put(of, row, first + j, state_at(verbs, total, j), of->call->beta);
}

/* Worker w has every so many-th row. */
static void replay_rows(void *context, unsigned worker)
{
    const struct product *of = context;
    const uint64_t columns = of->call->c.columns;
    void *states = state_at(of->method->verbs, of->states, (uint64_t)worker * 2 * COLUMNS_AT_ONCE);
    for (uint64_t first = 0; first < columns; first += COLUMNS_AT_ONCE)
        for (uint64_t row = worker; row < of->call->c.rows; row += of->workers)
            replay_elements(of, states, row, first, MIN(COLUMNS_AT_ONCE, columns - first));
}

enum status matmul_replay(const struct matmul_method *method, const struct matmul_call *call, unsigned workers)
{
    const struct sum_format *in = method->sum_format;
    TRY(matmul_check(method, call));
    const bool is_large = (double)call->c.rows * (double)call->b.rows * (double)call->c.columns >= PARALLEL_FROM;
    workers = is_large && workers > 1 ? workers : 1;
    OWNED char *a = panels_of(in, &call->a, call->a.columns), *b = panels_of(in, &call->b, COLUMNS_AT_ONCE);
    OWNED char *states = malloc((size_t)workers * 2 * COLUMNS_AT_ONCE * method->verbs->state_bytes);
    struct product product = {method, call, a, b, states, format_held(in->added)->bytes, workers};
    const bool has_room = a && b && states;
    if (has_room)
        workers_run(workers, replay_rows, &product);
    return has_room ? OK : out_of_memory("the numbers of a matrix product");
}

/* ---- what is promised of it (docs/bounds.md, "Matrix products") ---- */

/* What RN(r) is from s, or r rounded once to a format of unit roundoff result_u; of parts, all together, where abs_s is
 * the sum of theirs. */
static double bound_of_sums(const struct matmul_method *of, uint64_t inner, double abs_s, double sum_abs,
                            double result_u)
{
    struct claim claim = {(double)inner, (double)matmul_height(of, inner), abs_s, sum_abs, sum_abs, result_u};
    const double of_terms = of->verbs->terms_claim(operation_table[of->operation].terms, &claim);
    const double of_additions = of->verbs->bound(&claim);
    return of_terms > 0 ? round_up(of_additions + of_terms) : of_additions;
}

double matmul_bound(const struct matmul_method *method, uint64_t inner, double alpha, int beta,
                    const struct matmul_magnitudes *of)
{
    const struct format *result = method->sum_format->result, *added = method->sum_format->added;
    const double u = ldexp(1, -result->precision), added_u = ldexp(1, -added->precision), abs_alpha = fabs(alpha);
    const double added_least = ldexp(1, added->least_exponent);
    const uint32_t times = method->between == ROUNDED ? matmul_parts(method, inner) : 1; /* that C is rounded */
    const bool is_r = alpha == 1 && !beta && times == 1, is_narrower = format_is_narrower(result, added);
    const double abs_s = times > 1 ? of->sum_abs : of->abs_s, abs_c = abs_alpha * abs_s + (beta ? of->abs_c : 0);
    double error = bound_of_sums(method, inner, abs_s, of->sum_abs, is_r ? u : added_u), each = 0;
    if (abs_alpha != 1)
        error = round_up(abs_alpha * error + bound_one_rounding(added_u) * abs_alpha * (abs_s + error) +
                         times * added_least);
    if (times > 1 && error > 0) /* the results of parts may be subnormal, where that of the whole is not */
        error = round_up(error + times * (added_least / 2));
    if (beta || times > 1)
        each = bound_one_rounding(added_u);
    if (is_narrower && error > 0)
        error = round_up(error + times * ldexp(1, result->least_exponent - 1));
    if (is_narrower && !(is_r && method->verbs->rounded_once))
        each = bound_compound(each, bound_one_rounding(u));
    const double growth = bound_growth(times, each);
    return bound_in_range(round_up(error + growth * (abs_c + error)), abs_c, result);
}

/* ---- as a method ---- */

static struct matmul_call call_of(const struct operands *of, void *c)
{
    const struct shape shape = of->shape;
    return (struct matmul_call){
        .a = matmul_row_major((void *)of->arrays[0], shape.rows, shape.terms, shape.terms), /* read only */
        .b = matmul_row_major((void *)of->arrays[1], shape.terms, shape.columns, shape.columns),
        .c = matmul_row_major(c, shape.rows, shape.columns, shape.columns),
        .alpha = 1,
        .beta = of->arrays[ARRAY_C] != NULL,
    };
}

static enum status replay(const struct method *self, const struct operands *of, struct launch launch, unsigned workers,
                          uint64_t *bits)
{
    const uint64_t count = shape_results(of->shape);
    OWNED void *c = calloc(count + 1, format_held(self->format)->bytes);
    (void)launch;
    if (!c)
        return out_of_memory("a matrix product");
    if (of->arrays[ARRAY_C])
        memcpy(c, of->arrays[ARRAY_C], count * format_held(self->format)->bytes);
    const struct matmul_call call = call_of(of, c);
    TRY(matmul_replay(self->own, &call, workers));
    for (uint64_t i = 0; i < count; i++)
        bits[i] = format_bits(self->format, held_number(self->format, c, i));
    return OK;
}

static uint64_t height(const struct method *self, struct shape shape, struct launch launch)
{
    (void)launch;
    return matmul_height(self->own, shape.terms);
}

static double bound(const struct method *self, struct shape shape, struct launch launch, const struct magnitudes *of)
{
    const struct matmul_method *matmul = self->own;
    const struct matmul_magnitudes magnitudes = {.abs_s = of->abs_s, .sum_abs = of->sum_abs};
    (void)launch;
    return matmul_bound(matmul, shape.terms, 1, 0, &magnitudes);
}

static bool can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    (void)self, (void)launch, (void)why;
    return true;
}

static size_t scratch_bytes(const struct method *self, struct shape shape, struct launch launch)
{
    const struct matmul_method *matmul = self->own;
    const struct operands of = {.shape = shape};
    const struct matmul_call call = call_of(&of, NULL);
    (void)launch;
    return matmul->verbs->matmul_on_device->scratch_bytes(matmul, &call);
}

static int run(const struct method *self, const struct kernel_call *call)
{
    const struct matmul_method *matmul = self->own;
    const struct matmul_call ours = call_of(&call->of, call->results);
    return matmul->verbs->matmul_on_device->run(matmul, &ours, call->scratch, call->stream);
}

static const struct device_method on_device = {.scratch_bytes = scratch_bytes, .run = run};

static const struct order_traits order_traits = {0};

struct method matmul_as_method(const struct matmul_method *method)
{
    return (struct method){
        .id = method->id,
        .accumulator = method->accumulator,
        .order = method->order,
        .sum_format = method->sum_format,
        .format = method->sum_format->result,
        .operation = method->operation,
        .order_claim = method->order_claim,
        .accumulator_traits = method->verbs->traits,
        .order_traits = &order_traits,
        .role = SUMS,
        .determinism = DETERMINISTIC,
        .slow_above = ANY_N,
        .can_do = can_do,
        .height = height,
        .bound = bound,
        .replay = replay,
        .adds = true,
        .own = method,
        .device = method->verbs->matmul_on_device ? &on_device : NULL,
    };
}
