#include "by_size.h"

#include "src/gate/fault_tools.h"

#include "kernels/statistic.h"
#include "src/base/memory.h"

/* How many times as large an error is as what is left of it once the fault is made as well; and, of E[x^2] - E[x]^2, as
 * those of two passes and of Welford's steps, which vary from data set to data set.  A factor is one of so many
 * results. */
enum { FAR = 16, AS_FAR = 4, NEAR = 64, ROWS_LEAST = 4 };

/* ---- moments of parts ---- */

struct part_moments {
    double n, mean, squares;
};

static struct part_moments merged(struct part_moments a, struct part_moments b, enum parts_merged by)
{
    const double n = a.n + b.n, d = b.mean - a.mean;
    if (a.n == 0 || b.n == 0)
        return a.n == 0 ? b : a;
    return (struct part_moments){
        n, by == MEANS_HALVED ? (a.mean + b.mean) / 2 : a.mean + d * (by == WEIGHTS_SWAPPED ? a.n : b.n) / n,
        a.squares + b.squares + (by == NOTHING_BETWEEN ? 0 : d * d * a.n * b.n / n)};
}

enum status sum_in_parts(const void *context, const struct fault_call *call, uint64_t *bits)
{
    const struct parts_of *of = context;
    const uint64_t n = call->of.shape.terms, size = of->parts.size;
    const uint64_t count = of->parts.of_threads ? size : (n + size - 1) / size;
    OWNED struct part_moments *moments = calloc(count + 1, sizeof *moments);
    TRY(moments ? OK : out_of_memory("the moments of a diagnosis"));
    const bool is_of_means = call->of.arrays[0] == of->data->x;
    for (uint64_t i = 0; i < n; i++) {
        struct part_moments *part = &moments[of->parts.of_threads ? i % size : i / size];
        const double x = held_number(of->data->format, of->data->x, i), d = x - part->mean;
        part->mean += d / ++part->n;
        part->squares += d * (x - part->mean);
    }
    for (uint64_t half = size / 2; of->parts.of_threads && half > 0; half /= 2)
        for (uint64_t i = 0; i < half; i++)
            moments[i] = merged(moments[i], moments[i + half], of->parts.merged);
    for (uint64_t i = 1; !of->parts.of_threads && i < count; i++)
        moments[0] = merged(moments[0], moments[i], of->parts.merged);
    *bits = fault_result(call, is_of_means ? moments[0].mean * (double)n : moments[0].squares);
    return OK;
}

void parts_say(struct parts parts, struct text *to)
{
    static const char *const how[] = {"forgets d d na nb / n, what lies between two means",
                                      "takes two means as if both were of as many numbers",
                                      "weighs each of two means with the count of the other"};
    text_append(to, "a merge of the moments of %s%" PRIu32 " %s %s", parts.of_threads ? "" : "each ", parts.size,
                parts.of_threads ? "threads" : "numbers", how[parts.merged]);
}

/* ---- the list ---- */

/* By an algorithm, where there is a choice. */
static const struct method *by(enum statistic_algorithm algorithm, const struct method *method)
{
    const struct method *found = method;
    for (int o = FIRST_STATISTIC; o < VECTOR_OPERATIONS; o++)
        if (operation_table[o].of == operation_table[method->operation].of &&
            statistic_of((enum operation)o)->algorithm == algorithm)
            found = method_of_operation(method, (enum operation)o);
    return found;
}

/* In the widest format that there is. */
static const struct method *stand_in(const struct method *method)
{
    static const struct sum_format *const wide[] = {&sum_format_binary32_to_binary64, &sum_format_bfloat16_to_binary32,
                                                    &sum_format_binary16_to_binary32};
    const struct method *in = NULL;
    for (size_t f = 0; f < sizeof wide / sizeof *wide && !in; f++)
        in = strcmp(wide[f]->stored->name, method->sum_format->stored->name) == 0 ? method_in(method, wide[f]) : NULL;
    return by(BY_TWO_PASS, in ? in : method);
}

static enum status append_parts(struct hypothesis of, uint64_t n, struct hypotheses *hypotheses)
{
    const enum statistic_algorithm algorithm = statistic_of(of.method->operation)->algorithm;
    const int first = algorithm == BY_TWO_PASS ? NOTHING_BETWEEN : MEANS_HALVED;
    of.kind = IN_PARTS;
    for (of.parts.size = 8; of.parts.size <= 1024; of.parts.size *= 2)
        for (int way = 2 * first; way < 2 * PARTS_MERGED; way++) {
            of.parts.merged = (enum parts_merged)(way / 2);
            of.parts.of_threads = way % 2;
            if ((algorithm == BY_TWO_PASS || algorithm == BY_SUM_THEN_DIVIDE) &&
                (of.parts.of_threads || of.parts.size < n))
                TRY(hypotheses_append(hypotheses, of));
        }
    return OK;
}

enum status hypotheses_by_size(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses)
{
    size_t count;
    const struct fault *table = fault_table(&count);
    struct hypothesis of = {.method = stand_in(claimed.method), .launch = claimed.launch, .is_by_size = true};
    of.kind = FAULT_OF_TABLE;
    for (size_t i = 0; i < count; i++)
        if (fault_is_from_outside(&table[i]) && table[i].applies(of.method)) {
            of.fault = &table[i];
            TRY(hypotheses_append(hypotheses, of));
        }
    of.fault = NULL;
    of.kind = OTHER_DATA;
    for (uint64_t block = 8; block <= 1024 && block < n; block *= 2) {
        of.change = (struct change){OUT_OF_BLOCKS, block, n % block};
        if (n % block > 0)
            TRY(hypotheses_append(hypotheses, of));
    }
    of.change = (struct change){0};
    TRY(append_parts(of, n, hypotheses));
    of.kind = BY_A_FACTOR;
    if (operation_is_per_number(of.method->operation))
        TRY(hypotheses_append(hypotheses, of));
    of.kind = AS_TEXTBOOK;
    of.method = by(BY_TEXTBOOK, claimed.method);
    return statistic_of(of.method->operation)->algorithm == BY_TEXTBOOK ? hypotheses_append(hypotheses, of) : OK;
}

/* ---- the comparison ---- */

/* What additions in any order may make of a factor, at most: n u of the mean of squares by the variance. */
static double factor_noise(const struct suspect *suspect, const struct dataset *data)
{
    const struct method *method = suspect->claimed.method;
    const double n = (double)data->n, u = ldexp(1, -method->sum_format->added->precision);
    double mean = 0, square = 0;
    for (uint64_t i = 0; i < data->n; i++) {
        const double x = held_number(data->format, data->x, i);
        mean += x / n;
        square += x * x / n;
    }
    return operation_table[method->operation].of == RMS_NORM ? n * u : n * u * square / fabs(square - mean * mean);
}

/* Results of a job's data set, by element. */
struct values {
    const struct format *format;
    uint64_t *bits;
};

static enum status make_values(const struct job *job, const struct method *method, const struct dataset *data,
                               struct values *values)
{
    const struct hypothesis of = {.kind = OTHER_METHOD, .method = method, .launch = job->hypothesis->launch};
    values->format = method->format;
    values->bits = memory_cleared(operation_results(method->operation, shape_of_one(data->n)) + 1, sizeof(uint64_t));
    return hypothesis_sum(&of, data, values->bits);
}

/* The sum of (a - c b)^2, or of a b where there is no c, over the rows' elements; a NULL: what was computed. */
static double sum_over_rows(const struct job *job, const struct values *a, const struct values *b, const double *c)
{
    const struct suspect *suspect = job->suspect;
    double sum = 0;
    for (size_t r = suspect->first_row[job->rows]; r < suspect->first_row[job->rows + 1]; r++) {
        const struct row_bits *row = &suspect->rows->rows[r];
        const double of_a = a ? format_value(a->format, a->bits[row->element])
                              : format_value(suspect->claimed.method->format, row->bits),
                     of_b = format_value(b->format, b->bits[row->element]);
        sum += c ? (of_a - *c * of_b) * (of_a - *c * of_b) : of_a * of_b;
    }
    return sum;
}

static enum status is_as_textbook(const struct job *job, const struct dataset *data, const struct values *sound,
                                  const struct values *textbook, bool *is)
{
    static const enum statistic_algorithm others[] = {BY_TWO_PASS, BY_WELFORD};
    const double one = 1, off = sum_over_rows(job, NULL, sound, &one);
    const double of_textbook = sum_over_rows(job, textbook, sound, &one);
    *is = off <= NEAR * NEAR * of_textbook && of_textbook <= NEAR * NEAR * off;
    for (size_t o = 0; o < sizeof others / sizeof *others && *is; o++) {
        struct values other;
        const enum status status = make_values(job, by(others[o], job->hypothesis->method), data, &other);
        *is = status == OK && off > AS_FAR * AS_FAR * sum_over_rows(job, &other, sound, &one);
        free(other.bits);
        TRY(status);
    }
    return OK;
}

enum status has_sizes(const struct job *job, const struct dataset *data, uint64_t *bits, bool *has)
{
    struct values sound;
    const struct values faulty = {job->hypothesis->method->format, bits};
    const double one = 1, rows = (double)(job->suspect->first_row[job->rows + 1] - job->suspect->first_row[job->rows]);
    const enum status made = make_values(job, stand_in(job->suspect->claimed.method), data, &sound);
    OWNED uint64_t *owned = sound.bits;
    TRY(made);
    if (job->hypothesis->kind == AS_TEXTBOOK)
        return is_as_textbook(job, data, &sound, &faulty, has);
    const bool is_factor = job->hypothesis->kind == BY_A_FACTOR;
    const double c = is_factor ? sum_over_rows(job, NULL, &sound, NULL) / sum_over_rows(job, &sound, &sound, NULL) : 1;
    const double off = sum_over_rows(job, NULL, &sound, &one);
    *has = off > 0 && FAR * FAR * sum_over_rows(job, NULL, &faulty, &c) <= off;
    if (is_factor)
        *has &= rows >= ROWS_LEAST && fabs(c - 1) > factor_noise(job->suspect, data);
    return OK;
}
