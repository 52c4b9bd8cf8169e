#include "triple.h"

#include "src/base/number.h"
#include "src/measure/metric.h"

#include <math.h>

const struct format *const looked_at_formats[] = {&FORMAT_BINARY64, &FORMAT_BINARY32, &FORMAT_TF32,
                                                  &FORMAT_BINARY16, &FORMAT_BFLOAT16, NULL};

/* Who is added first, and to what. */
static const struct {
    const char *first_text, *text;
    int first, second, third;
} ways[TRIPLE] = {
    {"a + b", "(a + b) + c", 0, 1, 2},
    {"b + c", "a + (b + c)", 1, 2, 0},
    {"a + c", "(a + c) + b", 0, 2, 1},
};

/* binary32 has 24 >= 2 * 11 + 2 bits, so that rounding its sum of two narrow numbers once more is as good as rounding
 * the exact sum (Figueroa, SIGNUM Newsletter 30 (1995)); below a format's normal numbers sums are exact. */
double format_add(double left, double right, const struct format *format)
{
    if (format->bytes == sizeof(double))
        return left + right;
    return rounded_to((double)((float)left + (float)right), format);
}

/* Of binary64, which holds the numbers of every format. */
static enum status sum_of(const double *x, uint64_t n, struct exact_sum *exact)
{
    return exact_sum(&FORMAT_BINARY64, x, n, exact);
}

static enum status make_step(const struct format *format, const char *text, double left, double right,
                             struct triple_step *step)
{
    *step = (struct triple_step){.text = text, .left = left, .right = right};
    step->made = format_add(left, right, format);
    const double lost[] = {step->made, -left, -right};
    TRY(sum_of((const double[]){left, right}, 2, &step->exact));
    return sum_of(lost, 3, &step->error);
}

/* s = 0 has no ulp that would say anything: its own is the least subnormal. */
static bool has_ulp(const struct triple *triple)
{
    return triple->exact.kind == EXACT_FINITE && !mpfr_zero_p(triple->exact.sum);
}

static double ulp_error_of(const struct triple *triple, double computed)
{
    const struct judged judged = {.exact = &triple->exact, .computed = computed, .bound = INFINITY};
    return has_ulp(triple) ? metric_table[METRIC_ulp_error].measure(&judged) : (double)NAN;
}

static enum status make_sum(struct triple *triple, int way)
{
    struct triple_sum *sum = &triple->sums[way];
    const struct triple_number *x = triple->numbers;
    const double third = x[ways[way].third].value;
    TRY(make_step(triple->format, ways[way].first_text, x[ways[way].first].value, x[ways[way].second].value,
                  &sum->steps[0]));
    TRY(make_step(triple->format, ways[way].text, sum->steps[0].made, third, &sum->steps[1]));
    sum->ulp_error = ulp_error_of(triple, sum->steps[1].made);
    return OK;
}

/* The reference summed them as binary64; nearest and ulp are those of the format. */
static enum status make_exact(struct triple *triple)
{
    const double x[] = {triple->numbers[0].value, triple->numbers[1].value, triple->numbers[2].value};
    TRY(sum_of(x, TRIPLE, &triple->exact));
    triple->exact.format = triple->format;
    triple->exact.nearest = exact_round(triple->exact.sum, triple->format);
    triple->exact.ulp = exact_ulp(triple->exact.sum, triple->format);
    triple->nearest_ulp_error = ulp_error_of(triple, triple->exact.nearest);
    return OK;
}

static enum status compare(struct triple *triple)
{
    const double a = triple->sums[0].steps[1].made, b = triple->sums[1].steps[1].made;
    triple->same = double_bits(a) == double_bits(b) || (isnan(a) && isnan(b));
    TRY(sum_of((const double[]){a < b ? b : a, a < b ? -a : -b}, 2, &triple->apart));
    triple->apart_ulp = NAN;
    if (has_ulp(triple) && triple->apart.kind == EXACT_FINITE) {
        mpfr_t quotient;
        mpfr_init2(quotient, 53);
        mpfr_div_d(quotient, triple->apart.sum, triple->exact.ulp, MPFR_RNDU);
        triple->apart_ulp = mpfr_get_d(quotient, MPFR_RNDU);
        mpfr_clear(quotient);
    }
    return OK;
}

static enum status read_numbers(char *const texts[TRIPLE], struct triple *triple)
{
    for (int i = 0; i < TRIPLE; i++) {
        struct triple_number *number = &triple->numbers[i];
        int side = 0;
        number->given = texts[i];
        const char *wrong = read_in_format(texts[i], triple->format, &number->value, &side);
        number->rounded = side != 0;
        if (wrong)
            return bad_input("triple: \"%s\" %s; expected a number of %s; write 0.1, 0x1.8p+3, inf or nan", texts[i],
                             wrong, triple->format->name);
    }
    return OK;
}

enum status triple_make(const struct format *format, char *const texts[TRIPLE], struct triple *triple)
{
    enum status status = OK;
    *triple = (struct triple){.format = format};
    TRY_DONE(read_numbers(texts, triple));
    TRY_DONE(make_exact(triple));
    for (int way = 0; way < TRIPLE; way++)
        TRY_DONE(make_sum(triple, way));
    TRY_DONE(compare(triple));
done:
    if (status != OK)
        triple_free(triple);
    return status;
}

void triple_free(struct triple *triple)
{
    for (int way = 0; way < TRIPLE; way++)
        for (int i = 0; i < 2; i++) {
            exact_free(&triple->sums[way].steps[i].exact);
            exact_free(&triple->sums[way].steps[i].error);
        }
    exact_free(&triple->exact);
    exact_free(&triple->apart);
    *triple = (struct triple){0};
}
