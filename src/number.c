#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const OUT_OF_MEMORY = "does not fit in memory";
static const char *const NOT_A_NUMBER = "is not a number";

/* strtod and strtof also take blanks, "nan" and "infinity"; a number starts with a digit, a point or a sign. */
static bool looks_like_number(const char *text)
{
    const char *digits = *text == '-' || *text == '+' ? text + 1 : text;
    return isdigit((unsigned char)digits[0]) || (digits[0] == '.' && isdigit((unsigned char)digits[1]));
}

static const struct {
    const char *suffix;
    uint64_t factor;
} suffixes[] = {
    {"K", 1000},        {"M", 1000000},     {"G", 1000000000},  {"T", 1000000000000},
    {"Ki", 1ull << 10}, {"Mi", 1ull << 20}, {"Gi", 1ull << 30}, {"Ti", 1ull << 40},
};

static bool suffix_factor(const char *suffix, uint64_t *factor)
{
    *factor = 1;
    if (*suffix == '\0')
        return true;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(suffix, suffixes[i].suffix) == 0) {
            *factor = suffixes[i].factor;
            return true;
        }
    return false;
}

const char *read_size(const char *text, uint64_t *value)
{
    static const char *const too_large = "is above 18446744073709551615";
    if (!looks_like_number(text))
        return NOT_A_NUMBER;
    if (*text == '-')
        return "is negative";
    errno = 0;
    char *end;
    uint64_t factor;
    const unsigned long long integer = strtoull(text, &end, 10);
    if (*end != '.' && *end != 'e' && *end != 'E') {
        if (!suffix_factor(end, &factor))
            return "has letters after the number that are no size (K M G T Ki Mi Gi Ti)";
        if (errno == ERANGE || integer > UINT64_MAX / factor)
            return too_large;
        *value = integer * factor;
        return NULL;
    }
    const double real = strtod(text, &end);
    if (!suffix_factor(end, &factor))
        return "has letters after the number that are no size (K M G T Ki Mi Gi Ti)";
    const double scaled = real * (double)factor;
    if (!(scaled < 0x1p64))
        return too_large;
    if (scaled > 0x1p53)
        return "is above 2^53 and not written in plain digits";
    if (scaled != floor(scaled))
        return "is not a whole number";
    *value = (uint64_t)scaled;
    return NULL;
}

const char *read_real(const char *text, double *value)
{
    if (!looks_like_number(text))
        return NOT_A_NUMBER;
    char *end;
    const double real = strtod(text, &end);
    if (*end != '\0')
        return "has something after the number";
    if (!isfinite(real))
        return "is outside binary64 (largest 0x1.fffffffffffffp+1023)";
    *value = real;
    return NULL;
}

static bool reads_special(const char *text, float *value)
{
    const bool negative = *text == '-';
    const char *word = *text == '-' || *text == '+' ? text + 1 : text;
    if (strcasecmp(word, "nan") == 0)
        *value = negative ? -NAN : NAN;
    else if (strcasecmp(word, "inf") == 0 || strcasecmp(word, "infinity") == 0)
        *value = negative ? -INFINITY : INFINITY;
    else
        return false;
    return true;
}

const char *read_float(const char *text, float *value)
{
    if (reads_special(text, value))
        return NULL;
    if (!looks_like_number(text))
        return NOT_A_NUMBER;
    char *end;
    const float real = strtof(text, &end);
    if (*end != '\0')
        return "has something after the number";
    if (!isfinite(real))
        return "is outside binary32 (largest 0x1.fffffep+127)";
    *value = real;
    return NULL;
}

/* Cuts "first..last*factor" into its three parts; false when it is a single value. */
static bool split_sweep(char *text, char **last, char **factor)
{
    char *dots = strstr(text, "..");
    if (!dots)
        return false;
    *dots = '\0';
    *last = dots + 2;
    *factor = strchr(*last, '*');
    if (*factor)
        *(*factor)++ = '\0';
    return true;
}

static const char *read_one_size(const char *text, double *value)
{
    uint64_t size;
    const char *wrong = read_size(text, &size);
    *value = wrong ? 0 : (double)size;
    return wrong;
}

/* The decimal that is meant: 1e1..1e80*1e6 goes through 1e31, though 1e25 * 1e6 rounds to 1.0000000000000001e31. */
static double to_15_digits(double v)
{
    char text[NUMBER_TEXT];
    snprintf(text, sizeof text, "%.15g", v);
    return strtod(text, NULL);
}

/* Both sweeps: the values as binary64, in which sizes up to 2^53 are exact. */
static const char *read_sweep(const char *text, const char *(*read_one)(const char *, double *), double **values,
                              size_t *count)
{
    const char *wrong = NULL;
    char *copy = strdup(text), *last_text, *factor_text;
    double *list = malloc(SWEEP_MOST * sizeof *list);
    double first, last, factor;
    if (!copy || !list) {
        wrong = OUT_OF_MEMORY;
        goto done;
    }
    *count = 1;
    if (!split_sweep(copy, &last_text, &factor_text)) {
        wrong = read_one(copy, &list[0]);
        goto done;
    }
    if (!factor_text) {
        wrong = "is a range without a step; write first..last*factor";
        goto done;
    }
    if ((wrong = read_one(copy, &first)) || (wrong = read_one(last_text, &last)) ||
        (wrong = read_real(factor_text, &factor)))
        goto done;
    if (!(first > 0 && last >= first && factor > 1)) {
        wrong = "is not a sweep; it needs 0 < first <= last and a factor above 1";
        goto done;
    }
    *count = 0;
    for (double v = first; v <= last; v = to_15_digits(v * factor)) {
        if (*count == SWEEP_MOST) {
            wrong = "is a sweep of more than 1000 values; take a larger factor";
            goto done;
        }
        list[(*count)++] = v;
    }
done:
    free(copy);
    if (wrong)
        free(list);
    else
        *values = list;
    return wrong;
}

const char *read_real_sweep(const char *text, double **values, size_t *count)
{
    return read_sweep(text, read_real, values, count);
}

const char *read_size_sweep(const char *text, uint64_t **values, size_t *count)
{
    uint64_t *sizes = malloc(sizeof *sizes);
    if (!sizes)
        return OUT_OF_MEMORY;
    *count = 1;
    const char *wrong = NULL;
    if (!strstr(text, "..")) { /* not through binary64: a size may be above 2^53 */
        wrong = read_size(text, &sizes[0]);
    } else {
        double *reals = NULL;
        wrong = read_sweep(text, read_one_size, &reals, count);
        uint64_t *grown = wrong ? NULL : realloc(sizes, *count * sizeof *sizes);
        if (!wrong && !grown)
            wrong = OUT_OF_MEMORY;
        if (grown)
            sizes = grown;
        for (size_t i = 0; !wrong && i < *count; i++) {
            sizes[i] = (uint64_t)reals[i];
            if ((double)sizes[i] != reals[i])
                wrong = "is a sweep through values that are no whole numbers";
        }
        free(reals);
    }
    if (wrong)
        free(sizes);
    else
        *values = sizes;
    return wrong;
}

static bool write_special(double value, char text[NUMBER_TEXT])
{
    if (isfinite(value))
        return false;
    strcpy(text, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    return true;
}

/* Every decimal of 15 digits survives binary64, so if a shorter one reads back, "%.15g" prints just that one. */
void write_double(double value, char text[NUMBER_TEXT])
{
    if (write_special(value, text))
        return;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

void write_float(float value, char text[NUMBER_TEXT])
{
    if (write_special((double)value, text))
        return;
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            return;
    }
}

void write_rounded(double value, char text[NUMBER_TEXT])
{
    if (write_special(value, text))
        return;
    const double magnitude = fabs(value);
    if (value == 0)
        strcpy(text, "0");
    else if (magnitude >= 1e-3 && magnitude < 1000)
        snprintf(text, NUMBER_TEXT, "%.*f",
                 magnitude < 0.1     ? 4
                 : magnitude < 9.995 ? 2
                 : magnitude < 99.95 ? 1
                                     : 0,
                 value);
    else
        snprintf(text, NUMBER_TEXT, "%.2e", value);
}
