/* Fused blocks: replays against a model in integers, which shares nothing with them; bounds, attacked. */
#include "kernels/fused.h"
#include "reference/exact.h"
#include "reference/matrix.h"
#include "src/base/format.h"
#include "tests/support/methods.h"
#include "tests/support/random.h"

enum { ROWS_MOST = 3, INNER_MOST = 300, COLUMNS_MOST = 70, PAIRS = 256, LARGEST = PAIRS * PAIRS };

/* ---- the model ---- */

struct model {
    struct fused_unit unit; /* a copy, into which faults are planted */
    const struct format *factors, *result;
};

static int least_normal(const struct format *format)
{
    return format->least_exponent + format->precision - 1;
}

/* x = significand 2^(exponent - (m-1)), |significand| < 2^m. */
static int64_t decoded(const struct format *format, double x, int *exponent)
{
    frexp(x, exponent);
    *exponent = *exponent - 1 < least_normal(format) ? least_normal(format) : *exponent - 1;
    return (int64_t)ldexp(x, format->precision - 1 - *exponent); /* TF32 drops what is behind the point */
}

static int64_t shifted(int64_t x, int by)
{
    const int64_t magnitude = x < 0 ? -x : x;
    if (x == 0) /* whose place may be any number of bits above the last */
        return 0;
    const int64_t kept = by >= 0 ? magnitude << by : -by < 63 ? magnitude >> -by : 0;
    return x < 0 ? -kept : kept;
}

/* total 2^place, as the unit gives it. */
static double rounded_total(const struct model *of, int64_t total, int place)
{
    uint64_t magnitude = total < 0 ? (uint64_t)-total : (uint64_t)total;
    int length = 0;
    while (length < 63 && magnitude >> length)
        length++;
    const int least = least_normal(of->result), first = length - 1 + place > least ? length - 1 + place : least;
    const int drop = first - of->unit.output - place;
    if (drop > 0) {
        const uint64_t kept = magnitude >> drop, half = (uint64_t)1 << (drop - 1);
        const uint64_t lost = magnitude - (kept << drop);
        const bool is_up = of->unit.rounding == TO_NEAREST && (lost > half || (lost == half && (kept & 1)));
        magnitude = kept + is_up;
        place += drop;
    }
    const double value = ldexp((double)magnitude, place);
    return (total < 0 && value != 0 ? -1 : 1) * (value >= ldexp(1, of->result->overflow_exponent) ? INFINITY : value);
}

/* What a block comes to: `count` products, and c. */
static double model_block(const struct model *of, const double *a, const double *b, int count, double c)
{
    int64_t terms[64];
    int places[64], top = of->unit.floor, n = 0;
    double special = c - c == 0 ? 0 : c;
    for (int k = 0; k < count; k++) {
        int exponent_a, exponent_b;
        if (a[k] * b[k] - a[k] * b[k] != 0) {
            special += a[k] * b[k];
            continue;
        }
        terms[n] = decoded(of->factors, a[k], &exponent_a) * decoded(of->factors, b[k], &exponent_b);
        places[n] = exponent_a + exponent_b - 2 * (of->factors->precision - 1);
        if (terms[n] != 0 && exponent_a + exponent_b > top)
            top = exponent_a + exponent_b;
        n++;
    }
    if (special != 0)
        return special;
    int exponent_c = 0;
    const int64_t c_term = c != 0 ? decoded(of->result, c, &exponent_c) : 0;
    top = c != 0 && exponent_c > top ? exponent_c : top;
    const int last = top - of->unit.fraction;
    int64_t total = shifted(c_term, exponent_c - (of->result->precision - 1) - last);
    for (int k = 0; k < n; k++)
        total += shifted(terms[k], places[k] - last);
    return rounded_total(of, total, last);
}

/* The register's addition, rounded once: binary64 has more than twice the bits. */
static double model_register(const struct format *format, bool compensated, double total, double part, double *excess)
{
    const double y = rounded_to(part - *excess, format), sum = rounded_to(total + y, format);
    const double left = rounded_to(rounded_to(sum - total, format) - y, format);
    *excess = compensated && isfinite(left) ? left : 0;
    return sum;
}

/* An element: a and b have what is multiplied, in the order of k. */
static double model_sum(const struct model *of, const struct fused_order *order, const double *a, const double *b,
                        int inner)
{
    const int terms = of->unit.terms, own = of->unit.own_blocks, instruction = own ? own * terms : terms;
    const int blocks = (inner + instruction - 1) / instruction * (own ? own : 1);
    const int parts = (int)order->parts, period = own ? own : parts ? (blocks + parts - 1) / parts : (int)order->period;
    double c = 0, total = 0, excess = 0;
    for (int block = 0; block < blocks; block++) {
        double of_a[64] = {0}, of_b[64] = {0};
        int count = 0;
        const int first = own ? block / 2 * instruction : block * terms;
        for (int k = first; k < first + instruction && k < inner; k++)
            if (!own || k % 4 / 2 == block % 2) {
                of_a[count] = a[k];
                of_b[count++] = b[k];
            }
        c = model_block(of, of_a, of_b, count, c);
        if (period > 0 && ((block + 1) % period == 0 || block + 1 == blocks)) {
            total = model_register(of->result, order->compensated, total, c, &excess);
            c = 0;
        }
    }
    return period > 0 ? total : c;
}

/* ---- data ---- */

enum style { ANY_BITS, NEAR_ONE, SUBNORMAL, SPECIAL, ADVERSARIAL, STYLES };

static double some_number(const struct format *format, enum style style)
{
    for (;;) {
        const uint64_t bits = next_random() >> (64 - 8 * format->bytes);
        const double any = format_value(format, bits), sign = below(2) ? 1 : -1;
        if (style == SPECIAL && below(40) == 0)
            return rounded_to(below(3) ? sign * INFINITY : NAN, format);
        if (style == SUBNORMAL && below(2))
            return sign * ldexp((double)below(UINT64_C(1) << (format->precision - 1)), format->least_exponent);
        if (style != ANY_BITS && isfinite(any) && any != 0)
            return rounded_to(ldexp(frexp(any, &(int){0}), (int)below(8) - 4), format);
        if (isfinite(any))
            return any;
    }
}

static struct {
    double a[ROWS_MOST * INNER_MOST], b[INNER_MOST * COLUMNS_MOST];
    float held_a[LARGEST], held_b[LARGEST], c[LARGEST];
    uint64_t bits[LARGEST];
    struct shape shape;
} data;

/* The largest term first, and below it terms that nearly all of one unit is lost of (docs/bounds.md, "Fused blocks").
 * Or the largest one twice, which cancel, and terms about the last bits that are kept. */
static void make_adversarial(const struct fused_unit *unit, bool is_a, bool cancels, double *x, uint64_t step)
{
    const struct format *format = unit->sum_format->stored;
    const int large = unit->sum_format->result->bytes == 2 ? 6 : 8, both = 2 * large - unit->fraction - 2;
    const int half = (both - (both & 1)) / 2, exponent = is_a ? half : both - half;
    const double most = 2 - ldexp(1, 1 - fused_factors(unit)->precision);
    for (uint64_t k = 0; k < data.shape.terms; k++)
        x[k * step] = rounded_to(ldexp(most, exponent + (cancels ? (int)below(3) : 0)), format);
    for (uint64_t k = 0; k < 2 && k < data.shape.terms && (k == 0 || cancels); k++)
        x[k * step] = is_a && k == 1 ? -ldexp(1, large) : ldexp(1, large);
}

static void make_data(const struct fused_unit *unit, enum style style, struct shape shape)
{
    const struct format *format = unit->sum_format->stored;
    data.shape = shape;
    for (uint64_t i = 0; i < shape.rows * shape.terms; i++)
        data.a[i] = some_number(format, style);
    for (uint64_t i = 0; i < shape.terms * shape.columns; i++)
        data.b[i] = some_number(format, style);
    const bool cancels = below(2);
    for (uint64_t i = 0; i < shape.rows && style == ADVERSARIAL; i++)
        make_adversarial(unit, true, cancels, &data.a[i * shape.terms], 1);
    for (uint64_t j = 0; j < shape.columns && style == ADVERSARIAL; j++)
        make_adversarial(unit, false, cancels, &data.b[j], shape.columns);
    for (uint64_t i = 0; i < shape.rows * shape.terms; i++)
        held_set(format, data.held_a, i, data.a[i]);
    for (uint64_t i = 0; i < shape.terms * shape.columns; i++)
        held_set(format, data.held_b, i, data.b[i]);
}

static void compute(const struct method *method, unsigned workers)
{
    const struct operands of = {method->sum_format->stored, OPERATION_matmul, {data.held_a, data.held_b}, data.shape};
    assert_int_equal(method->replay(method, &of, (struct launch){1, 32}, workers, data.bits), OK);
    for (uint64_t i = 0; i < shape_results(data.shape); i++)
        held_set(method->format, data.c, i, format_value(method->format, data.bits[i]));
}

static struct shape some_shape(void)
{
    return (struct shape){1 + below(INNER_MOST), 1 + below(ROWS_MOST), 1 + below(below(4) ? 5 : COLUMNS_MOST)};
}

typedef void fused_visitor(const struct method *method, const struct fused_method *fused);

/* Each method; asserts that there were as many as rows say. */
static void visit(fused_visitor *use)
{
    size_t visited = 0;
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t count;
        const struct method *const *methods = method_table_for(OPERATION_matmul, sum_formats[f], &count);
        for (size_t m = 0; m < count; m++)
            if (fused_of(methods[m])) {
                use(methods[m], fused_of(methods[m]));
                visited++;
            }
    }
    assert_int_equal(visited, 27 + 6 * 15);
}

/* ---- bits ---- */

/* Results of the replay that a model has not. */
static size_t differing(const struct method *method, const struct fused_order *order, const struct model *model)
{
    size_t differ = 0;
    for (uint64_t i = 0; i < data.shape.rows; i++)
        for (uint64_t j = 0; j < data.shape.columns; j++) {
            double column[INNER_MOST];
            for (uint64_t k = 0; k < data.shape.terms; k++)
                column[k] = data.b[k * data.shape.columns + j];
            const double sum = model_sum(model, order, &data.a[i * data.shape.terms], column, (int)data.shape.terms);
            differ +=
                !format_same(method->format, format_bits(method->format, sum), data.bits[i * data.shape.columns + j]);
        }
    return differ;
}

static void hold_to_the_model(const struct method *method, const struct fused_method *fused)
{
    const struct model model = {*fused->unit, fused_factors(fused->unit), method->format};
    struct model fewer = model, otherwise = model, higher = model;
    size_t of_fewer = 0, of_otherwise = 0, of_higher = 0;
    fewer.unit.fraction--;
    otherwise.unit.rounding = model.unit.rounding == TRUNCATED ? TO_NEAREST : TRUNCATED;
    higher.unit.floor = 20;
    for (int round = 0; round < 24; round++) {
        make_data(fused->unit, (enum style)(round % STYLES), some_shape());
        compute(method, 1 + (unsigned)round % 3);
        if (differing(method, fused->order, &model) > 0)
            fail_msg("%s: %zu of %llu results differ, style %d", method->id, differing(method, fused->order, &model),
                     (unsigned long long)shape_results(data.shape), round % STYLES);
        of_fewer += differing(method, fused->order, &fewer);
        of_otherwise += differing(method, fused->order, &otherwise);
        of_higher += differing(method, fused->order, &higher);
    }
    if (of_fewer == 0 || of_otherwise == 0 ||
        of_higher == 0) /* the twins: a bit less, another rounding, a floor of 2^20 */
        fail_msg("%s: %zu, %zu, %zu differ of a wrong model", method->id, of_fewer, of_otherwise, of_higher);
}

static void replays_have_the_bits_of_a_model_in_integers(void **state)
{
    (void)state;
    visit(hold_to_the_model);
}

static uint64_t bits_of_product(const char *id)
{
    uint64_t hash = 0;
    compute(method_find(id), 1);
    for (uint64_t i = 0; i < shape_results(data.shape); i++)
        hash = (hash ^ data.bits[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* One instruction: of numbers that are TF32 it drops nothing.  The twin has numbers of more bits. */
static void a_product_of_tf32_is_that_of_binary32(void **state)
{
    static const char *const of_tf32 = "matmul:hopper_wgmma/promoted_4@tf32_to_binary32",
                             *const of_binary32 = "matmul:hopper_wgmma/promoted_4";
    size_t other = 0;
    (void)state;
    for (int round = 0; round < 20; round++) {
        make_data(fused_of(method_find(of_tf32))->unit, (enum style)(round % STYLES), some_shape());
        assert_true(bits_of_product(of_tf32) == bits_of_product(of_binary32));
        for (uint64_t i = 0; i < data.shape.rows * data.shape.terms; i++)
            data.held_a[i] = float_from_bits(float_bits(data.held_a[i]) | 0x1fff);
        const uint64_t dropped = bits_of_product(of_binary32);
        for (uint64_t i = 0; i < data.shape.rows * data.shape.terms; i++)
            data.held_a[i] = (float)rounded_to((double)data.held_a[i], &FORMAT_TF32); /* up, by 2^-10 */
        other += bits_of_product(of_tf32) != dropped;
    }
    assert_true(other > 10);
}

/* 1 x a + b x 1 for all a, b: both terms keep 13 bits below the larger, and so does the sum. */
static void all_pairs_of_fp8_lose_what_the_model_says(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        const struct format *format = f ? &FORMAT_E5M2 : &FORMAT_E4M3;
        size_t losses = 0;
        data.shape = (struct shape){2, PAIRS, PAIRS};
        for (uint64_t i = 0; i < PAIRS; i++) {
            const double x = format_value(format, i), finite = isfinite(x) ? x : 0;
            data.held_a[2 * i] = data.held_b[PAIRS + i] = (float)finite;
            data.held_a[2 * i + 1] = data.held_b[i] = 1;
        }
        compute(method_find(f ? "matmul:hopper_wgmma/chain@e5m2" : "matmul:hopper_wgmma/chain@e4m3"), 1);
        for (uint64_t i = 0; i < PAIRS; i++)
            for (uint64_t j = 0; j < PAIRS; j++) {
                const double a = (double)data.held_a[2 * i], b = (double)data.held_b[PAIRS + j],
                             larger = fmax(fabs(a), fabs(b));
                const double unit = larger > 0 ? ldexp(1, (int)fmax(ilogb(larger), least_normal(format)) - 13) : 1;
                const double kept = a - fmod(a, unit) + (b - fmod(b, unit));
                const double last = kept != 0 ? ldexp(1, ilogb(kept) - 13) : 1;
                losses += kept != a + b;
                assert_true((double)data.c[i * PAIRS + j] == kept - fmod(kept, last));
            }
        assert_true(losses > 100);
    }
}

static void zeros_are_positive(const struct method *method, const struct fused_method *fused)
{
    make_data(fused->unit, NEAR_ONE, (struct shape){2, 1, 1});
    for (int i = 0; i < 2; i++) {
        held_set(method->sum_format->stored, data.held_a, (uint64_t)i, -0.0);
        compute(method, 1);
    }
    assert_true(data.bits[0] == 0);
    data.shape.terms = 0;
    compute(method, 1);
    assert_true(data.bits[0] == 0);
}

static void every_zero_is_positive(void **state)
{
    (void)state;
    visit(zeros_are_positive);
}

/* ---- bounds ---- */

static double largest_share; /* of the bound of the method at hand */

static void try_bound(const struct method *method)
{
    static struct exact_element exact[ROWS_MOST * COLUMNS_MOST];
    const struct matrix_product product = {
        .format = method->sum_format->stored,
        .result = method->format,
        .rows = data.shape.rows,
        .inner = data.shape.terms,
        .columns = data.shape.columns,
        .a = {data.held_a, data.shape.terms, 1},
        .b = {data.held_b, data.shape.columns, 1},
        .computed = {data.c, data.shape.columns, 1},
    };
    compute(method, 1);
    assert_int_equal(exact_matrix(&product, 0, exact), OK);
    for (uint64_t e = 0; e < shape_results(data.shape); e++) {
        const struct magnitudes of = {exact[e].abs_above, exact[e].sum_abs_above, 0, NULL};
        const double bound = method->bound(method, data.shape, (struct launch){1, 32}, &of);
        if (isinf(bound))
            continue;
        if (!(fabs(exact[e].error) <= bound))
            fail_msg("%s, inner %llu: error %a, bound %a", method->id, (unsigned long long)data.shape.terms,
                     exact[e].error, bound);
        if (bound > 0)
            largest_share = fmax(largest_share, fabs(exact[e].error) / bound);
    }
}

static void hold_to_the_bound(const struct method *method, const struct fused_method *fused)
{
    largest_share = 0;
    for (int round = 0; round < 40; round++) {
        const struct shape one_block = {(uint64_t)fused->unit->terms, ROWS_MOST, COLUMNS_MOST};
        make_data(fused->unit, (enum style)(round % STYLES == SPECIAL ? ADVERSARIAL : round % STYLES),
                  round % 3 == 0 ? one_block : some_shape());
        try_bound(method);
    }
    if (!(largest_share > 0.4)) /* the twin: 0.4 of the bound is exceeded */
        fail_msg("%s: at most %.3f of its bound", method->id, largest_share);
}

static void results_are_within_their_bounds(void **state)
{
    (void)state;
    visit(hold_to_the_bound);
}

/* ---- the law of truncation ---- */

/* Ones lose nothing up to 2^14, and everything beyond; in parts of 128, or with 25 bits, nothing. */
static void ones_follow_the_law(void **state)
{
    static const double ones[] = {1, 1}, both_signs[] = {1, -1}, thirds[] = {1.0 / 3};
    const struct fused_method *chain = fused_of(method_find("matmul:hopper_wgmma/chain@e4m3"));
    const struct fused_method *promoted = fused_of(method_find("matmul:hopper_wgmma/promoted_4@e4m3"));
    const struct fused_method *wide = fused_of(method_find("matmul:hopper_wgmma/chain@bfloat16_to_binary32"));
    (void)state;
    assert_true(fused_law(chain, ones, 2, 1 << 14) == 0);
    assert_true(fused_law(chain, ones, 2, 1 << 16) == -0.75);
    assert_true(fused_law(promoted, ones, 2, 1 << 16) == 0);
    assert_true(fused_law(wide, ones, 2, 1 << 16) == 0);
    assert_true(isnan(fused_law(chain, both_signs, 2, 1 << 14)));
    assert_true(isnan(fused_law(chain, ones, 2, 0)));
    assert_true(fused_law(chain, thirds, 1, 1 << 16) < fused_law(chain, thirds, 1, 1 << 12)); /* the twin */
    assert_true(fused_law(chain, thirds, 1, 1 << 12) < fused_law(promoted, thirds, 1, 1 << 12));
}

int main(void)
{
    seed_random(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replays_have_the_bits_of_a_model_in_integers),
        cmocka_unit_test(all_pairs_of_fp8_lose_what_the_model_says),
        cmocka_unit_test(every_zero_is_positive),
        cmocka_unit_test(results_are_within_their_bounds),
        cmocka_unit_test(ones_follow_the_law),
        cmocka_unit_test(a_product_of_tf32_is_that_of_binary32),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
