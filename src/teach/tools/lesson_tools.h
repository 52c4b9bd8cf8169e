/* What lessons are made with: sums by real methods, held to the exact one; bits, lined up.
 *
 *   struct lesson_data data;
 *   TRY(lesson_data_made("uniform:n=4096", 1, &data));                       seed 1, trial 0
 *   struct lesson_sum sum;
 *   TRY(lesson_add("plain/serial", one_thread, &data, &sum));                sum.computed, sum.metric[METRIC_ulp_error]
 *   bits_line(sheet, "two numbers", "0.1f", 0.1f, &FORMAT_BINARY32);
 */
#pragma once

#include "kernels/method.h"
#include "reference/exact.h"
#include "src/base/base.h"
#include "src/measure/metric.h"
#include "src/teach/lesson.h"

#include <math.h>

/* For orders that need no grid. */
static const struct launch one_thread = {1, 1};

/* ---- sums ---- */

/* Numbers of binary32, or of a format that binary32 holds, and their exact sum; or two vectors of them, and their exact
 * dot product. */
struct lesson_data {
    const struct format *format;
    float *x;
    float *y; /* NULL: there is one vector */
    uint64_t n;
    struct exact_sum exact;
};

/* Of one data spec, "uniform:n=8,format=bfloat16"; its trial 0. */
enum status lesson_data_made(const char *spec, uint64_t seed, struct lesson_data *data);

/* A copy of x[0..n), numbers of binary32, or of the format. */
enum status lesson_data_of(const float *x, uint64_t n, struct lesson_data *data);
enum status lesson_data_in(const struct format *format, const float *x, uint64_t n, struct lesson_data *data);
enum status lesson_data_of_pairs(const float *x, const float *y, uint64_t n, struct lesson_data *data);
void lesson_data_free(struct lesson_data *data);

struct lesson_sum {
    const struct method *method;
    float computed;
    enum result_class class;
    double bound;           /* on |computed - s|; INFINITY: no claim */
    double metric[METRICS]; /* metric[METRIC_ulp_error] and its like */
};

/* Adds the data by the replay of this method, "kahan/tree_two_pass", or, of two vectors, "dot_fma:plain/serial"; or one
 * of a statistic, "variance.two_pass:plain/serial".
 * Complains and returns BAD_INPUT where there is none, or where it refuses the launch, the format or the vectors. */
enum status lesson_add(const char *method, struct launch launch, const struct lesson_data *data,
                       struct lesson_sum *sum);

/* Of its first n numbers alone. */
enum status lesson_add_first(const char *method, struct launch launch, const struct lesson_data *data, uint64_t n,
                             struct lesson_sum *sum);

/* How many different results these have. */
int lesson_distinct(const struct lesson_sum *sums, int count);

/* ---- claims ---- */

/* What a lesson says is held to what it ran: complains and returns NOT_MEASURED unless it holds.
 *
 *   TRY(lesson_claim(sheet, subtraction_error == 0, "the subtraction rounds nothing"));
 */
enum status lesson_claim(const struct sheet *sheet, bool holds, const char *claim);

/* An axis of a lesson's picture; all points are between least and most. */
void lesson_axis(struct chart_axis *axis, const char *label, enum chart_scale scale, double least, double most);

/* ---- bits ---- */

enum { BITS_TEXT = 200, IN_FULL_TEXT = 1200 };

/* "0 | 01111011 | 10011001100110011001101" of 0.1f: sign, exponent, fraction, as they are stored.  `value` is a number
 * of the format. */
void bits_text(double value, const struct format *format, char text[BITS_TEXT]);

/* A line of a sheet, under each other in columns: a label of up to 18 characters, %a, the bits. */
void bits_line(struct sheet *sheet, const char *name, const char *label, double value, const struct format *format);

/* The line above those: what the columns are. */
void bits_head(struct sheet *sheet, const char *name, const struct format *format);

/* All decimal digits, "0.100000001490116119384765625": every binary number has an end. */
void write_in_full(double value, char text[IN_FULL_TEXT]);

/* "10,000": for people; the macro has a place for it that lasts as long as the block. */
enum { GROUPED_TEXT = 32 };
#define grouped_text(count) grouped(count, (char[GROUPED_TEXT]){0})
const char *grouped(uint64_t count, char text[GROUPED_TEXT]);
