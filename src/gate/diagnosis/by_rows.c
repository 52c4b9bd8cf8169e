#include "by_rows.h"

#include "kernels/statistic.h"

/* Whose it is: of ROW_OF_COLUMN, element i has that of row i, as NumPy spreads means of the shape [n] over [n, n]. */
enum donor { ROW_BEFORE, ROW_BEHIND, OTHER_AXIS, ROW_OF_COLUMN, DONORS };

/* What: of norms and variances the mean, then the root; of exponentials the maximum, then their sum. */
enum taken { FIRST_THROUGHOUT, FIRST_AT_LAST, SECOND, BOTH, TAKEN };

enum { FAR = 16, ROWS_LEAST = 2, NUMBERS_MOST = 1 << 22 /* 32 MiB */ };

struct figures {
    double mean, variance, square, maximum, sum;
};

struct row_table {
    size_t rows;
    uint64_t n;
    bool has_columns; /* these are all rows */
    double *x;
    struct figures *of_rows, *of_columns;
};

/* Of numbers `step` apart; `centre`: what is taken off of each, or NULL: their mean, and their maximum. */
static struct figures figures_of(const double *x, uint64_t count, uint64_t step, const double *centre)
{
    struct figures of = {.maximum = -(double)INFINITY};
    for (uint64_t i = 0; i < count; i++) {
        of.mean += x[i * step] / (double)count;
        of.square += x[i * step] * x[i * step] / (double)count;
        of.maximum = fmax(of.maximum, x[i * step]);
    }
    for (uint64_t i = 0; i < count; i++) {
        of.variance += pow(x[i * step] - (centre ? centre[i] : of.mean), 2) / (double)count;
        of.sum += exp(x[i * step] - (centre ? centre[i] : of.maximum));
    }
    return of;
}

void row_table_free(struct row_table *table)
{
    if (table)
        free_all(table->x, table->of_rows, table->of_columns, table);
}

static enum status fill(struct group *group, struct row_table *table)
{
    char why[WHY_SIZE];
    for (size_t d = 0; d < table->rows; d++) {
        FREED_BY(dataset_free) struct dataset data = {0};
        TRY(again_make(&group->again, &group->data[d], &data, why));
        if (data.n != table->n)
            return BAD_INPUT;
        for (uint64_t i = 0; i < data.n; i++)
            table->x[d * table->n + i] = held_number(data.format, data.x, i);
        table->of_rows[d] = figures_of(table->x + d * table->n, table->n, 1, NULL);
    }
    for (uint64_t i = 0; i < table->n && table->has_columns; i++)
        table->of_columns[i] = figures_of(table->x + i, table->rows, table->n, NULL);
    return OK;
}

enum status row_table_make(struct group *group, struct row_table **table)
{
    const size_t rows = group->data_count;
    const uint64_t n = group->suspects->n;
    *table = NULL;
    for (size_t d = 1; d < rows; d++)
        if (group->data[d].trial != group->data->trial + d)
            return OK;
    if (rows < ROWS_LEAST || n > NUMBERS_MOST / rows)
        return OK;
    struct row_table *made = memory_cleared(1, sizeof *made);
    *made = (struct row_table){rows,
                               n,
                               group->data->trial == 0,
                               memory_cleared(rows * n, sizeof(double)),
                               memory_cleared(rows, sizeof(struct figures)),
                               memory_cleared(n, sizeof(struct figures))};
    const enum status status = fill(group, made);
    if (status == OK)
        *table = made;
    else
        row_table_free(made);
    return status == BAD_INPUT ? OK : status;
}

bool another_row_is_there(const struct row_table *table, struct change change, size_t data)
{
    return change.at == ROW_BEFORE   ? data > 0
           : change.at == ROW_BEHIND ? data + 1 < table->rows
                                     : data < (change.at == OTHER_AXIS ? table->n : table->rows);
}

enum status hypotheses_by_rows(struct claimed_method claimed, const struct row_table *table,
                               struct hypotheses *hypotheses)
{
    const enum quantity of = operation_table[claimed.method->operation].of;
    const bool has_parts =
        operation_is_per_number(claimed.method->operation) || is_of_exponentials(claimed.method->operation);
    for (int donor = ROW_BEFORE; donor < DONORS; donor++)
        for (int taken = FIRST_THROUGHOUT; taken < TAKEN; taken++) {
            const bool is_square = table->has_columns && table->rows == table->n;
            const bool is_there = donor < OTHER_AXIS || (donor == OTHER_AXIS ? table->has_columns : is_square);
            const bool is_another = of != RMS_NORM || taken == SECOND; /* no mean is in it */
            const bool is_of_variance = of >= VARIANCE && of <= SAMPLE_STD && taken == FIRST_THROUGHOUT;
            if (is_there && is_another && (has_parts || is_of_variance || taken == BOTH))
                TRY(hypotheses_append(
                    hypotheses, (struct hypothesis){.kind = OTHER_DATA,
                                                    .method = claimed.method,
                                                    .launch = claimed.launch,
                                                    .is_by_size = true,
                                                    .change = {OF_ANOTHER_ROW, (uint64_t)donor, (uint64_t)taken}}));
        }
    return OK;
}

void another_row_say(const struct hypothesis *hypothesis, struct text *to)
{
    static const char *const donors[DONORS] = {"the row before", "the row behind", "its column, along the other axis",
                                               "the row that its column counts, as of means without keepdims"};
    static const char *const of_norms[TAKEN] = {"the mean is that", "the mean, not that of the variance, is that",
                                                "1/root is that", "mean and root are those"};
    static const char *const of_exponentials[TAKEN] = {"the maximum is that",
                                                       "the maximum, not that in the sum, is that",
                                                       "the sum of exponentials is that", "maximum and sum are those"};
    const enum operation operation = hypothesis->method->operation;
    const enum taken taken = (enum taken)hypothesis->change.length;
    text_append(to, "%s of %s",
                taken == BOTH && !operation_is_per_number(operation) ? "the result is that"
                : is_of_exponentials(operation)                      ? of_exponentials[taken]
                                                                     : of_norms[taken],
                donors[hypothesis->change.at]);
}

/* What is taken off, and what is divided by; of a single result the second is what it is. */
struct pair {
    double first, second;
};

static struct pair pair_of(enum quantity of, const struct figures *figures, double n)
{
    const bool is_of_squares = of == MEAN_SQUARE || of == RMS || of == RMS_NORM;
    const bool is_norm = of == LAYER_NORM || of == RMS_NORM;
    const double left = of == SAMPLE_VARIANCE || of == SAMPLE_STD ? n - 1 : n;
    if (of == SOFTMAX || of == LOG_SOFTMAX || of == LOGSUMEXP)
        return (struct pair){figures->maximum, figures->sum};
    if (of == MEAN)
        return (struct pair){0, figures->mean};
    const double second =
        (is_of_squares ? figures->square : figures->variance * n / left) + (is_norm ? NORMALIZATION_EPS : 0);
    const bool is_root = is_norm || of == RMS || of == STD || of == SAMPLE_STD;
    return (struct pair){is_of_squares ? 0 : figures->mean, is_root ? sqrt(second) : second};
}

static double ended(enum quantity of, double x, struct pair by)
{
    switch (of) {
    case SOFTMAX:
        return exp(x - by.first) / by.second;
    case LOG_SOFTMAX:
        return x - by.first - log(by.second);
    case LOGSUMEXP:
        return by.first + log(by.second);
    case LAYER_NORM:
    case RMS_NORM:
        return (x - by.first) / by.second;
    default:
        return by.second;
    }
}

/* For element `at`, or of a single result for the row of that number. */
static const struct figures *donated(const struct row_table *table, enum donor donor, size_t data, uint64_t at)
{
    return donor == ROW_BEFORE   ? &table->of_rows[data - 1]
           : donor == ROW_BEHIND ? &table->of_rows[data + 1]
           : donor == OTHER_AXIS ? &table->of_columns[at]
                                 : &table->of_rows[at];
}

bool has_another_row(const struct job *job, const struct row_table *table)
{
    const struct method *method = job->suspect->claimed.method;
    const enum quantity of = operation_table[method->operation].of;
    const enum donor donor = (enum donor)job->hypothesis->change.at;
    const enum taken taken = (enum taken)job->hypothesis->change.length;
    const double *x = table->x + job->rows * table->n, n = (double)table->n;
    const struct pair sound = pair_of(of, &table->of_rows[job->rows], n);
    struct pair own = sound;
    if (taken == FIRST_THROUGHOUT) {
        OWNED double *centre = memory_cleared(table->n, sizeof *centre);
        for (uint64_t i = 0; i < table->n; i++) {
            const struct figures *from = donated(table, donor, job->rows, i);
            centre[i] = is_of_exponentials(method->operation) ? from->maximum : from->mean;
        }
        const struct figures about = figures_of(x, table->n, 1, centre);
        own = pair_of(of, &about, n);
    }
    double off = 0, left = 0;
    for (size_t r = job->suspect->first_row[job->rows]; r < job->suspect->first_row[job->rows + 1]; r++) {
        const struct row_bits *row = &job->suspect->rows->rows[r];
        const bool is_of_row = !operation_is_per_number(method->operation);
        const double value = format_value(method->format, row->bits);
        const struct pair other =
            pair_of(of, donated(table, donor, job->rows, is_of_row ? job->rows : row->element), n);
        const struct pair by = {taken == SECOND ? own.first : other.first, taken >= SECOND ? other.second : own.second};
        off += pow(value - ended(of, x[row->element], sound), 2);
        left += pow(value - ended(of, x[row->element], by), 2);
    }
    return off > 0 && FAR * FAR * left <= off;
}
