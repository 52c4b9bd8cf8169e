/* The answer of `ulpscope exact` for people. */
#include "exact_answer.h"
#include "reference/exact_row.h"

#include <math.h>
#include <sys/param.h>

enum { FRACTION_MOST = 60 }; /* characters */

/* The shortest decimal that the format reads back; one of 16 bits as binary32 does.  "" for what the hex-float beside
 * it has in words already: inf, nan. */
static void write_decimal(double value, const struct format *format, char text[NUMBER_TEXT])
{
    *text = '\0';
    if (!isfinite(value))
        return;
    if (format->bytes == sizeof(double))
        write_double(value, text);
    else
        write_float((float)value, text);
}

/* ---- the sum ---- */

static void print_nearest(const struct exact_sum *exact, const struct format *format)
{
    char hex[NUMBER_TEXT], decimal[NUMBER_TEXT];
    const double nearest = exact_round(exact->sum, format);
    write_hex(nearest, hex);
    write_decimal(nearest, format, decimal);
    if (exact->kind != EXACT_FINITE) {
        printf("%-11s %s\n", format->name, hex);
        return;
    }
    mpfr_t ulp;
    mpfr_init2(ulp, MPFR_PREC_MIN);
    exact_set_ulp(ulp, exact->sum, format);
    printf("%-11s %-24s %-24s ulp 0x1p%+ld\n", format->name, hex, decimal, (long)mpfr_get_exp(ulp) - 1);
    mpfr_clear(ulp);
}

static void print_conversion(bool is_stored, const struct conversion *conversion)
{
    printf("%s %s: %" PRIu64 " changed, %" PRIu64 " of them to 0, %" PRIu64 " %s; moved the sum by %s, %s of it\n",
           is_stored ? "stored      in" : "converted   from", conversion->from->name, conversion->changed,
           conversion->underflowed, conversion->overflowed,
           is_stored && conversion->from->finite_only ? "outside" : "to inf", error_text(conversion->cost),
           error_text(conversion->relative_cost));
}

static void print_stored(const struct answer *answer)
{
    printf("n           %" PRIu64 " as written", answer->stored->n);
    if (answer->about.left_out > 0)
        printf(", %" PRIu64 " nan, inf or missing left out", answer->about.left_out);
    puts("");
    for (size_t i = 0; i < answer->stored->format_count; i++) {
        const struct conversion conversion = storage_conversion(answer->stored, &answer->stored->formats[i]);
        print_conversion(true, &conversion);
    }
}

/* What the magnitudes and the condition of each are; NULL: they are the value itself, and the condition of a sum. */
static const struct {
    const char *terms, *magnitudes, *condition;
} words_of[QUANTITIES] = {
    [NUMBERS_THEMSELVES] = {"", "sum |x|", NULL},
    [PRODUCTS] = {"products ", "sum |x y|", NULL},
    [SQUARES] = {"squares ", "sum |x|", NULL},
    [ROOT_OF_SQUARES] = {"squares ", NULL, NULL},
    [MEAN] = {"", "mean |x|", "mean |x| / |mean|"},
    [MEAN_SQUARE] = {"", NULL, NULL},
    [RMS] = {"", NULL, NULL},
    [VARIANCE] = {"", "mean x^2", "kappa^2, kappa = ||x|| / ||x - mean||"},
    [SAMPLE_VARIANCE] = {"", "x^2 / (n-1)", "kappa^2, kappa = ||x|| / ||x - mean||"},
    [STD] = {"", "rms", "kappa = ||x|| / ||x - mean||"},
    [SAMPLE_STD] = {"", "rms, n-1", "kappa = ||x|| / ||x - mean||"},
    [MEAN_WEIGHTED] = {"products ", "mean |w x|", "sum |w x| / |sum w x|"},
    [COSINE] = {"products ", "of |x y|", "sum |x y| / |sum x y|"},
    [LAYER_NORM] = {"", NULL, NULL},
    [RMS_NORM] = {"", NULL, NULL},
    [PREFIXES] = {"", NULL, NULL},
    [WINDOW_SUMS] = {"", NULL, NULL},
    [LOGSUMEXP] = {"", "|M|+L or 1", "max(|M| + L, 1) / |M + L|, M the maximum, L = ln sum exp(x - M)"},
    [SOFTMAX] = {"", NULL, NULL},
    [LOG_SOFTMAX] = {"", NULL, NULL},
    [CROSS_ENTROPY] = {"", "s or sum y", "max(s, sum y) / s, of weights y"},
};

/* Of a statistic that has no exact value. */
static const char *why_undefined(const struct answer *answer)
{
    const struct exact_sum *exact = answer->exact;
    const enum quantity of = operation_table[answer->operation].of;
    return exact->nans > 0                                                    ? "a NaN is among the numbers"
           : exact->n > 0 && exact->negative_infinities == exact->n           ? "all numbers are -inf"
           : exact->positive_infinities > 0 || exact->negative_infinities > 0 ? "of infinities"
           : of == MEAN_WEIGHTED                                              ? "the weights sum to 0"
           : of == COSINE                                                     ? "a vector is 0"
           : of == CROSS_ENTROPY                                              ? "a weight is negative or no number"
           : exact->n == 0                                                    ? "of no number"
                                                                              : "of one number, n - 1 is 0";
}

static void print_numbers(const struct answer *answer)
{
    const struct exact_sum *exact = answer->exact;
    if (exact->least_exponent > exact->largest_exponent)
        puts("exponents   none: no finite number but 0");
    else
        printf("exponents   %d to %d\n", exact->least_exponent, exact->largest_exponent);
    printf("n           %" PRIu64 " %sof %s", exact->n, words_of[operation_table[answer->operation].of].terms,
           exact->format->name);
    if (answer->about.left_out > 0)
        printf(", %" PRIu64 " nan, inf%s or missing left out", answer->about.left_out,
               answer->about.conversion.from ? ", too large" : "");
    puts("");
    if (answer->about.conversion.from)
        print_conversion(false, &answer->about.conversion);
    printf("specials    %" PRIu64 " nan, %" PRIu64 " inf, %" PRIu64 " -inf, %" PRIu64 " -0, %" PRIu64 " subnormal\n",
           exact->nans, exact->positive_infinities, exact->negative_infinities, exact->negative_zeros,
           exact->subnormals);
}

static void print_data(const struct answer *answer)
{
    (answer->stored ? print_stored : print_numbers)(answer);
    if (*answer->sha256)
        printf("file sha256 %s\n", answer->sha256);
    if (*answer->second_sha256)
        printf("second file %s\n", answer->second_sha256);
}

/* ---- a value beside it ---- */

static const char *word_of(int side)
{
    return side > 0 ? "above" : "below";
}

static void print_place(const struct comparison *comparison)
{
    const bool other_zero = comparison->value == 0 && signbit(comparison->value) != signbit(comparison->nearest);
    if (!comparison->has_steps)
        puts("undefined");
    else if (comparison->steps == 0)
        puts(other_zero ? "yes, but for the sign of zero" : "yes");
    else
        printf("no, %" PRIu64 " number%s of %s %s it\n", comparison->steps, comparison->steps == 1 ? "" : "s",
               comparison->format->name, word_of(comparison->steps_side));
}

static void print_comparison(const struct format *data, const struct comparison *comparison)
{
    const bool is_other = strcmp(data->name, comparison->format->name) != 0;
    char number[NUMBER_TEXT], decimal[NUMBER_TEXT];
    write_hex(comparison->value, number);
    write_decimal(comparison->value, comparison->format, decimal);
    printf("\ncompare     %s\n", comparison->given);
    printf("  %-14s  %s%s%s", "value", number, *decimal ? " = " : "", decimal);
    if (comparison->rounded)
        printf(", rounded to %s", comparison->format->name);
    printf("\n  %-14s  %s", "class", class_names[comparison->class]);
    if (comparison->side != 0)
        printf(", %s the exact sum", word_of(comparison->side));
    printf("\n  %-14s  ", "nearest");
    print_place(comparison);
    for (int m = 0; m < METRICS; m++) {
        const char *unit = metric_table[m].unit;
        if (m == METRIC_bound_ratio)
            continue; /* no method is named that had one */
        write_error(comparison->metrics[m], number);
        if (comparison->class == CLASS_ZERO_SUM && isnan(comparison->metrics[m]))
            strcpy(number, "undefined");
        if (isfinite(comparison->value) && comparison->class != CLASS_INF &&
            isinf(comparison->metrics[m])) /* both are finite */
            strcpy(number, "more than 1e308");
        printf("  %-14s  %s%s%s%s%s\n", metric_table[m].id, number, *unit ? " " : "", unit,
               *unit && is_other ? " of " : "", *unit && is_other ? comparison->format->name : "");
    }
    if (!comparison->has_parts)
        return;
    write_error(comparison->storage, number);
    write_error(comparison->addition, decimal);
    printf("  %-14s  %s, by storing the numbers in %s\n  %-14s  %s, by adding those\n", "storage", number,
           comparison->format->name, "addition", decimal);
}

void exact_print(const struct answer *answer)
{
    const struct exact_sum *exact = answer->exact;
    const enum quantity of = operation_table[answer->operation].of;
    printf("exact       %s%s", answer->hex, exact->is_rounded ? ", rounded to odd" : "");
    if (exact->kind == EXACT_NAN && is_statistic(answer->operation))
        printf(", not defined: %s", why_undefined(answer));
    puts("");
    if (answer->fraction && strchr(answer->fraction, '/') && strlen(answer->fraction) <= FRACTION_MOST)
        printf("fraction    %s\n", answer->fraction);
    printf("decimal     %s\n", answer->decimal);
    for (size_t i = 0; i < NUMBER_FORMAT_COUNT; i++)
        print_nearest(exact, NUMBER_FORMATS[i]);
    if (words_of[of].magnitudes)
        printf("%-11s %s%s\n", words_of[of].magnitudes, answer->sum_abs,
               exact->sum_abs_is_rounded ? ", rounded to odd" : "");
    printf("condition   %s%s%s\n", rounded_text(exact->condition), words_of[of].condition ? ", " : "",
           words_of[of].condition ? words_of[of].condition : "");
    print_data(answer);
    if (answer->verified)
        puts("verified    one mpfr_add per term gives the same");
    for (size_t i = 0; i < answer->comparison_count; i++)
        print_comparison(exact->format, &answer->comparisons[i]);
}

int exact_digits_known(const struct exact_sum *exact, int digits)
{
    const int known = (int)((double)(mpfr_get_prec)(exact->sum) * 0.30102) - 1;
    return exact->is_rounded && digits > known ? known : digits;
}

enum status exact_print_row(const struct answer *answer, const struct exact_row *row, const struct format *as,
                            int digits, uint64_t top)
{
    const uint64_t n = answer->exact->n;
    printf("%-11s %" PRIu64 " results, each rounded once to %s; then their decimals\n", answer->word, n, as->name);
    for (uint64_t i = 0; i < n && i < top; i++) {
        char hex[NUMBER_TEXT], decimal[NUMBER_TEXT];
        FREED_BY(exact_free) struct exact_sum exact = {0};
        TRY(exact_row_element(row, i, &exact));
        OWNED char *in_digits = exact_decimal(exact.sum, exact_digits_known(&exact, digits));
        write_hex(exact_round(exact.sum, as), hex);
        write_decimal(exact_round(exact.sum, as), as, decimal);
        printf("[%" PRIu64 "]%*s %-24s %-24s %s", i, (int)MAX(0, 9 - snprintf(NULL, 0, "%" PRIu64, i)), "", hex,
               decimal, in_digits);
        const bool says_why = exact.kind == EXACT_NAN && is_statistic(answer->operation);
        printf("%s%s\n", says_why ? ", not defined: " : "", says_why ? why_undefined(answer) : "");
    }
    if (n > top)
        printf("...         %" PRIu64 " more; --top K prints K of them, --output FILE writes all\n", n - top);
    print_data(answer);
    return OK;
}
