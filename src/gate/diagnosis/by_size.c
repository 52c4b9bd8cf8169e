#include "by_size.h"

#include "src/gate/fault_tools.h"

#include "kernels/statistic.h"

/* An error is so many times what is left of it with the fault; of E[x^2] - E[x]^2 so many times Welford's, and within
 * so many of that formula's own. */
enum { FAR = 16, AS_FAR = 4, AS_NEAR = 64, NUMBERS_LEAST = 4 };

static void merge(double a[3], const double b[3], enum change_kind kind)
{
    const double n = a[0] + b[0], d = b[1] - a[1], between = kind == NOTHING_BETWEEN ? 0 : d * d * a[0] * b[0] / n;
    if (b[0] == 0)
        return;
    a[1] = a[0] > 0 && kind == MEANS_HALVED ? (a[1] + b[1]) / 2 : a[1] + d * b[0] / n;
    a[2] += b[2] + between;
    a[0] = n;
}

/* Of each: n, the mean, the sum of squares. */
enum status sum_of_moments(const void *changed, const struct fault_call *call, uint64_t *bits)
{
    const struct changed_moments *of = changed;
    const uint64_t n = call->of.shape.terms, size = of->change.at, count = of->change.length ? size : n / size + 1;
    OWNED double(*moments)[3] = calloc(count, sizeof *moments);
    TRY(moments ? OK : out_of_memory("the moments of a diagnosis"));
    for (uint64_t i = 0; i < n; i++)
        merge(moments[of->change.length ? i % size : i / size],
              (double[3]){1, held_number(of->data->format, of->data->x, i)}, OUT_OF_BLOCKS);
    for (uint64_t half = of->change.length ? size / 2 : 0; half > 0; half /= 2)
        for (uint64_t i = 0; i < half; i++)
            merge(moments[i], moments[i + half], of->change.kind);
    for (uint64_t i = 1; i < count && !of->change.length; i++)
        merge(moments[0], moments[i], of->change.kind);
    *bits = fault_result(call, call->of.arrays[0] == of->data->x ? moments[0][1] * (double)n : moments[0][2]);
    return OK;
}

/* By an algorithm, where there is a choice; in binary64, where that can be. */
static const struct method *by(enum statistic_algorithm algorithm, const struct method *method, bool is_wide)
{
    const struct sum_format *wide = sum_format_of(method->sum_format->stored, &FORMAT_BINARY64);
    const struct method *in = is_wide && wide ? method_in(method, wide) : NULL, *found = in ? in : method;
    for (int o = FIRST_STATISTIC; o < VECTOR_OPERATIONS; o++)
        if (operation_table[o].of == operation_table[method->operation].of &&
            statistic_of((enum operation)o)->algorithm == algorithm)
            return method_of_operation(found, (enum operation)o);
    return found;
}

enum status hypotheses_by_size(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses)
{
    size_t count;
    const struct fault *table = fault_table(&count);
    struct hypothesis of = {.kind = FAULT_OF_TABLE, .launch = claimed.launch, .is_by_size = true};
    of.method = by(BY_TWO_PASS, claimed.method, true);
    for (size_t i = 0; i < count; i++)
        if (fault_is_from_outside(&table[i]) && table[i].applies(of.method)) {
            of.fault = &table[i];
            TRY(hypotheses_append(hypotheses, of));
        }
    const bool has_moments = statistic_of(of.method->operation)->algorithm == BY_TWO_PASS;
    of.kind = OTHER_DATA;
    for (int kind = OUT_OF_BLOCKS; kind <= (has_moments ? MEANS_HALVED : OUT_OF_BLOCKS); kind++)
        for (uint64_t size = 8; size <= 1024; size *= 2)
            for (uint64_t of_threads = 0; of_threads < 1 + (kind != OUT_OF_BLOCKS); of_threads++) {
                of.change = (struct change){(enum change_kind)kind, size, of_threads};
                if (of_threads || (size < n && (has_moments || n % size > 0)))
                    TRY(hypotheses_append(hypotheses, of));
            }
    const struct method *own = of.method;
    of.change = (struct change){.kind = AS_TEXTBOOK};
    of.method = by(BY_TEXTBOOK, claimed.method, false);
    if (statistic_of(of.method->operation)->algorithm == BY_TEXTBOOK)
        TRY(hypotheses_append(hypotheses, of));
    of.change.kind = BY_A_FACTOR;
    of.method = own;
    return operation_is_per_number(own->operation) ? hypotheses_append(hypotheses, of) : OK;
}

/* The sum of (a - c b)^2, or of a b where c is 0, over the rows of a job; a NULL: their own. */
static double sum_over(const struct job *job, const double *a, const double *b, double c)
{
    const struct suspect *suspect = job->suspect;
    double sum = 0;
    for (size_t r = suspect->first_row[job->rows]; r < suspect->first_row[job->rows + 1]; r++) {
        const struct row_bits *row = &suspect->rows->rows[r];
        const double of_a = a ? a[row->element] : format_value(suspect->claimed.method->format, row->bits);
        sum += c == 0 ? of_a * b[row->element] : pow(of_a - c * b[row->element], 2);
    }
    return sum;
}

/* Whether the results of a norm are off by one factor, as far as E[x^2] - E[x]^2 may be. */
static bool has_factor_of_textbook(struct job *job, const double *sound, double c, double off, double as,
                                   double welford)
{
    job->above = c > 1 ? job->compared : 0;
    job->far = off > AS_FAR * AS_FAR * welford ? job->compared : 0;
    return off <= AS_NEAR * AS_NEAR * as && (!job->far || FAR * FAR * sum_over(job, NULL, sound, c) <= off);
}

enum status has_sizes(struct job *job, const struct dataset *data, const uint64_t *bits, bool *has)
{
    enum { FAULTY, SOUND, WELFORD, ALL };
    const struct method *const methods[] = {job->hypothesis->method,
                                            by(BY_TWO_PASS, job->suspect->claimed.method, true),
                                            by(BY_WELFORD, job->hypothesis->method, false)};
    const enum change_kind kind = job->hypothesis->change.kind;
    const uint64_t n = operation_results(methods[0]->operation, shape_of_one(data->n));
    OWNED double *values = calloc(ALL * n, sizeof *values);
    OWNED uint64_t *made = calloc(n, sizeof *made);
    TRY(values && made ? OK : out_of_memory("a diagnosis"));
    for (int m = 0; m < (kind == AS_TEXTBOOK ? ALL : WELFORD); m++) {
        const struct hypothesis of = {.kind = OTHER_METHOD, .method = methods[m], .launch = job->hypothesis->launch};
        if (m != FAULTY)
            TRY(hypothesis_sum(&of, data, made));
        for (uint64_t i = 0; i < n; i++)
            values[(uint64_t)m * n + i] = format_value(methods[m]->format, m == FAULTY ? bits[i] : made[i]);
    }
    const double *faulty = values, *sound = values + n, off = sum_over(job, NULL, sound, 1);
    const bool is_norm = operation_is_per_number(methods[0]->operation);
    const double c =
        is_norm && kind >= BY_A_FACTOR ? sum_over(job, NULL, sound, 0) / sum_over(job, sound, sound, 0) : 1;
    if (kind == AS_TEXTBOOK) {
        const double as = sum_over(job, faulty, sound, 1), welford = sum_over(job, values + 2 * n, sound, 1);
        *has = is_norm
                   ? has_factor_of_textbook(job, sound, c, off, as, welford)
                   : off > AS_FAR * AS_FAR * welford && off <= AS_NEAR * AS_NEAR * as && as <= AS_NEAR * AS_NEAR * off;
        return OK;
    }
    const double noise = ldexp((double)data->n, -job->suspect->claimed.method->sum_format->added->precision);
    const uint64_t rows = job->suspect->first_row[job->rows + 1] - job->suspect->first_row[job->rows];
    *has = off > 0 && FAR * FAR * sum_over(job, NULL, faulty, c) <= off &&
           (kind != BY_A_FACTOR || (rows >= NUMBERS_LEAST && fabs(c - 1) > noise));
    return OK;
}
