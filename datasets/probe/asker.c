#include "asker.h"

#include "datasets/splitmix64.h"
#include "src/base/base.h"
#include "src/base/quiet.h"

#include <math.h>
#include <sys/param.h>

enum status ask_complain(const struct asker *asker, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!asker->box->is_quiet && !complaints_are_quiet())
        clean_line_of(stderr, "ulpscope: ", format, arguments);
    va_end(arguments);
    return BAD_INPUT;
}

enum { LARGE_EXPONENT = 100 };

static bool is_wide(const struct format *format)
{
    return format->overflow_exponent > LARGE_EXPONENT + 1;
}

/* Where there is no 2^100, M is the largest power of two and 1 the least number of all.  So many ones at once are
 * counted exactly and move M by no more than half of the spacing below it, where numbers are twice as dense. */
static enum status choose_numbers(struct asker *asker)
{
    const struct format *stored = asker->in->stored, *added = asker->in->added;
    const int large = is_wide(stored) ? LARGE_EXPONENT : stored->overflow_exponent - 1;
    const int one = is_wide(stored) ? 0 : stored->least_exponent;
    const int absorbed = large - added->precision - 1 - one;
    const int counted = MIN(added->precision, asker->in->result->precision);
    if (absorbed < 1)
        return ask_complain(asker,
                            "%s: it takes numbers of %s, whose least and largest are less than %d bits apart, so that "
                            "%s keeps one beside the other; expected a format whose largest number absorbs its least, "
                            "as binary32, bfloat16, binary16 or e5m2; probe the method in such a format",
                            asker->box->name, stored->name, added->precision, added->name);
    asker->large = ldexp(1, large);
    asker->one = ldexp(1, one);
    asker->ones_at_once = UINT64_C(1) << MIN(MIN(absorbed, counted), 24);
    return OK;
}

static bool takes_all_ones(const struct asker *asker)
{
    return asker->n <= asker->ones_at_once;
}

static void set(struct asker *asker, uint64_t i, double value)
{
    held_set(asker->in->stored, asker->x, i, value);
}

enum status asker_start(const struct black_box *box, uint64_t n, struct asker *asker)
{
    *asker = (struct asker){.box = box, .in = box->in ? box->in : sum_formats[0], .n = n};
    TRY(choose_numbers(asker));
    asker->x = malloc(n * format_held(asker->in->stored)->bytes);
    TRY(asker->x ? OK : out_of_memory("the masks of a probe"));
    for (uint64_t i = 0; i < n; i++)
        set(asker, i, takes_all_ones(asker) ? asker->one : 0);
    return OK;
}

void asker_end(struct asker *asker)
{
    free(asker->x);
    asker->x = NULL;
}

enum status ask_sum(struct asker *asker, const void *x, double *sum)
{
    asker->sums++;
    return asker->box->sum(asker->box->context, x, asker->n, sum);
}

/* The ones are those of elements from `first` on. */
static enum status sum_of_mask(struct asker *asker, struct mask mask, uint64_t first, double *sum)
{
    const double rest = takes_all_ones(asker) ? asker->one : 0;
    const uint64_t end = asker->n - first < asker->ones_at_once ? asker->n : first + asker->ones_at_once;
    for (uint64_t i = first; i < end && rest == 0; i++)
        set(asker, i, asker->one);
    set(asker, mask.i, asker->large);
    set(asker, mask.j, -asker->large);
    const enum status status = ask_sum(asker, asker->x, sum);
    for (uint64_t i = first; i < end && rest == 0; i++)
        set(asker, i, rest);
    set(asker, mask.i, rest);
    set(asker, mask.j, rest);
    return status;
}

static enum status count_ones(struct asker *asker, struct mask mask, uint64_t first, uint64_t *count)
{
    enum { WHAT_SIZE = 200 };
    char what[WHAT_SIZE];
    double sum;
    const uint64_t end = asker->n - first < asker->ones_at_once ? asker->n : first + asker->ones_at_once;
    const uint64_t ones = end - first - (mask.i >= first && mask.i < end) - (mask.j >= first && mask.j < end);
    TRY(sum_of_mask(asker, mask, first, &sum));
    const double counted = sum / asker->one;
    if (counted >= 0 && counted <= (double)ones && counted == floor(counted)) {
        *count = (uint64_t)counted;
        return OK;
    }
    snprintf(what, sizeof what, "the sum is %a; expected a count from 0 to %" PRIu64, counted, ones);
    return ask_refuse(asker, mask, what,
                      "it does not add numbers of its format in one tree, or M is outside what it adds in");
}

enum status ask(struct asker *asker, struct mask mask, uint64_t *leaves)
{
    *leaves = asker->n;
    for (uint64_t first = 0; first < asker->n; first += asker->ones_at_once) {
        uint64_t count = 0;
        TRY(count_ones(asker, mask, first, &count));
        *leaves -= count;
    }
    return OK;
}

enum status ask_refuse_change(const struct asker *asker, double one, double other)
{
    return ask_complain(asker,
                        "%s: the same %llu numbers once gave %a and once %a: its order changes from call to call; "
                        "expected a method that always adds in one order; probe another one",
                        asker->box->name, (unsigned long long)asker->n, one, other);
}

uint64_t ask_random(struct asker *asker)
{
    return splitmix64(asker->random_count++);
}

/* Not quite uniform, by less than count/2^64: for choices that only have to be spread out. */
uint64_t ask_random_below(struct asker *asker, uint64_t count)
{
    return ask_random(asker) % count;
}

void ask_swap(double *x, uint64_t i, uint64_t j)
{
    const double kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

enum status ask_sum_of(struct asker *asker, const double *x, double *sum)
{
    const struct format *held = format_held(asker->in->stored);
    if (held->bytes == sizeof *x)
        return ask_sum(asker, x, sum);
    OWNED float *narrow = malloc(asker->n * sizeof *narrow);
    TRY(narrow ? OK : out_of_memory("the data of a probe"));
    for (uint64_t i = 0; i < asker->n; i++)
        narrow[i] = (float)x[i];
    return ask_sum(asker, narrow, sum);
}

/* From 2^least up to 2^(least + binades), in formats where there is that much room. */
struct range {
    int least;
    uint64_t binades;
};

/* Of a narrow format the normal numbers, up to a sixteenth of the largest. */
static struct range range_in(const struct format *format, struct range wanted)
{
    if (is_wide(format))
        return wanted;
    const int least = format->least_exponent + format->precision - 1, end = format->overflow_exponent - 4;
    const int from = wanted.least < least || wanted.least >= end ? least : wanted.least;
    const uint64_t room = (uint64_t)(end - from);
    return (struct range){from, wanted.binades < room ? wanted.binades : room};
}

static double random_number(struct asker *asker, struct range wanted)
{
    const struct format *format = asker->in->stored;
    const struct range range = range_in(format, wanted);
    const uint64_t leading = UINT64_C(1) << (format->precision - 1);
    const double significand = (double)((ask_random(asker) & (leading - 1)) | leading);
    const int exponent = range.least + (int)ask_random_below(asker, range.binades);
    const double size = ldexp(significand, exponent - (format->precision - 1));
    return ask_random(asker) & 1 ? -size : size;
}

/* x[0..2 * pairs) is for each number its negation, too. */
static void fill_pairs(struct asker *asker, uint64_t pairs, struct range range, double *x)
{
    for (uint64_t i = 0; i < pairs; i++) {
        x[2 * i] = random_number(asker, range);
        x[2 * i + 1] = -x[2 * i];
    }
}

/* A quarter of the numbers are pairs that cancel, the others as large as the last place of those. */
static void fill_last_place(struct asker *asker, int bits, double *x)
{
    const int large = is_wide(asker->in->stored) ? 60 : asker->in->stored->overflow_exponent - 6;
    const uint64_t n = asker->n, pairs = n / 8 + (n > 2);
    fill_pairs(asker, pairs, (struct range){large, 2}, x);
    for (uint64_t i = 2 * pairs; i < n; i++)
        x[i] = random_number(asker, (struct range){large - bits - 1, 4});
}

static void fill_cancelling(struct asker *asker, uint64_t binades, double *x)
{
    const int least = is_wide(asker->in->stored) ? 0 : asker->in->stored->least_exponent;
    x[asker->n - 1] = random_number(asker, (struct range){0, 4});
    fill_pairs(asker, asker->n / 2, (struct range){least, binades}, x);
}

static void fill_alike(struct asker *asker, double *x)
{
    for (uint64_t i = 0; i < asker->n; i++)
        x[i] = random_number(asker, (struct range){0, 4});
}

void ask_fill(struct asker *asker, int set, double *x)
{
    static const uint64_t binades[] = {4, 16, 40, 80};
    const int kind = set % 4, added = asker->in->added->precision;
    if (kind == 0)
        fill_cancelling(asker, binades[set / 4 % 4], x);
    else if (kind == 1)
        fill_alike(asker, x);
    else
        fill_last_place(asker, kind == 2 ? added : FORMAT_BINARY64.precision, x);
    for (uint64_t i = asker->n; i > 1; i--)
        ask_swap(x, i - 1, ask_random_below(asker, i));
}

enum { TIMES = 128 }; /* that one call in ten is another one is missed once in a million */

static enum status refuse_if_mask_changes(struct asker *asker, struct mask mask)
{
    double one, other;
    TRY(sum_of_mask(asker, mask, 0, &one));
    for (int time = 1; time < TIMES; time++) {
        TRY(sum_of_mask(asker, mask, 0, &other));
        if (!ask_same(one, other))
            return ask_refuse_change(asker, one, other);
    }
    return OK;
}

/* More orders differ in these than in a count. */
static enum status refuse_if_data_change(struct asker *asker)
{
    OWNED double *x = malloc(asker->n * sizeof *x);
    double one, other;
    TRY(x ? OK : out_of_memory("the data of a probe"));
    ask_fill(asker, CANCELLING_SET, x);
    TRY(ask_sum_of(asker, x, &one));
    for (int time = 1; time < TIMES; time++) {
        TRY(ask_sum_of(asker, x, &other));
        if (!ask_same(one, other))
            TRY(ask_refuse_change(asker, one, other));
    }
    return OK;
}

enum status ask_refuse(struct asker *asker, struct mask mask, const char *what, const char *meaning)
{
    TRY(refuse_if_mask_changes(asker, mask));
    TRY(refuse_if_data_change(asker));
    return ask_complain(asker,
                        "%s: with 2^%d at element %llu, -2^%d at %llu and %s elsewhere %s: this is not the tree of a "
                        "plain sum in one order; %s; probe another method, or see docs/explain.md",
                        asker->box->name, ilogb(asker->large), (unsigned long long)mask.i, ilogb(asker->large),
                        (unsigned long long)mask.j, asker->one == 1 ? "1" : "the least number", what, meaning);
}
