#include "ordering.h"

#include "psum.h"
#include "shuffle.h"
#include "src/base/fp.h"
#include "src/base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

const char *const ordering_words[] = {
    "given", "reversed",     "ascending",     "descending",    "magnitude", "magnitude_descending",
    "psum",  "bit_reversed", "shuffled:SEED", "shuffled:A..B", NULL,
};
static const char shuffled[] = "shuffled:";

/* "7", or "1..100". */
static bool read_seeds(const char *text, struct ordering *ordering, char wrong[WRONG_TEXT])
{
    char first[NUMBER_TEXT];
    const char *dots = strstr(text, "..");
    const size_t length = dots ? (size_t)(dots - text) : strlen(text);
    uint64_t last;
    *ordering = (struct ordering){.kind = SHUFFLED};
    snprintf(first, sizeof first, "%.*s", (int)length, text);
    if (length >= sizeof first || read_size(first, &ordering->seed) || (dots && read_size(dots + 2, &last))) {
        snprintf(wrong, WRONG_TEXT,
                 "has no seed; expected shuffled:SEED or shuffled:A..B, of whole numbers; correct it");
        return false;
    }
    if (dots && (last < ordering->seed || last - ordering->seed >= ORDERINGS_MOST)) {
        snprintf(wrong, WRONG_TEXT, "is not a range; expected shuffled:A..B with B from A to A + %d; correct it",
                 ORDERINGS_MOST - 1);
        return false;
    }
    ordering->further = dots ? last - ordering->seed : 0;
    return true;
}

bool ordering_read(const char *text, struct ordering *ordering, char wrong[WRONG_TEXT])
{
    static const char before[] = "is unknown; expected one of ";
    char words[WRONG_TEXT];
    if (strncmp(text, shuffled, strlen(shuffled)) == 0)
        return read_seeds(text + strlen(shuffled), ordering, wrong);
    for (unsigned w = 0; w < SHUFFLED; w++)
        if (strcmp(text, ordering_words[w]) == 0) {
            *ordering = (struct ordering){.kind = (enum ordering_kind)w};
            return true;
        }
    parameter_list_words(text, ordering_words, SHUFFLED + 2, words);
    snprintf(wrong, WRONG_TEXT, "%s%.*s", before, (int)(WRONG_TEXT - sizeof before), words);
    return false;
}

void ordering_write(struct ordering ordering, char text[ORDERING_TEXT])
{
    const unsigned long long first = ordering.seed, last = ordering.seed + ordering.further;
    if (ordering.kind == SHUFFLED && ordering.further > 0)
        snprintf(text, ORDERING_TEXT, "%s%llu..%llu", shuffled, first, last);
    else if (ordering.kind == SHUFFLED)
        snprintf(text, ORDERING_TEXT, "%s%llu", shuffled, first);
    else
        snprintf(text, ORDERING_TEXT, "%s", ordering_words[ordering.kind]);
}

/* ---- sorting: by integers that order as the numbers do, so that equal ones have the same bits ---- */

/* -inf ... -0, +0 ... +inf, NaN */
static uint32_t key_of_value(float v)
{
    const uint32_t bits = float_bits(v);
    if (isnan(v))
        return UINT32_MAX;
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/* +0, -0, +least, -least ... +inf, -inf, NaN */
static uint32_t key_of_magnitude(float v)
{
    const uint32_t bits = float_bits(v);
    if (isnan(v))
        return UINT32_MAX;
    return bits << 1 | bits >> 31;
}

static int compare_values(const void *a, const void *b)
{
    const uint32_t ka = key_of_value(*(const float *)a), kb = key_of_value(*(const float *)b);
    return ka < kb ? -1 : ka > kb;
}

static int compare_magnitudes(const void *a, const void *b)
{
    const uint32_t ka = key_of_magnitude(*(const float *)a), kb = key_of_magnitude(*(const float *)b);
    return ka < kb ? -1 : ka > kb;
}

/* ---- permuting ---- */

static void swap(float *x, uint64_t i, uint64_t j)
{
    const float x_i = x[i];
    x[i] = x[j];
    x[j] = x_i;
}

static void reverse(float *x, uint64_t n)
{
    for (uint64_t i = 0; i < n / 2; i++)
        swap(x, i, n - 1 - i);
}

/* Sorted backwards, with the NaNs still at the end. */
static void reverse_numbers(float *x, uint64_t n)
{
    while (n > 0 && isnan(x[n - 1]))
        n--;
    reverse(x, n);
}

static void sort(float *x, uint64_t n, int (*compare)(const void *, const void *))
{
    qsort(x, n, sizeof *x, compare);
}

/* What is not finite comes after the others, sorted. */
static enum status psum(float *x, uint64_t n)
{
    uint64_t finite = 0;
    for (uint64_t i = 0; i < n; i++)
        if (isfinite(x[i]))
            swap(x, i, finite++);
    sort(x, finite, compare_values);
    sort(x + finite, n - finite, compare_values);
    return psum_order(x, finite);
}

static uint64_t reversed_bits(uint64_t i, unsigned bits)
{
    uint64_t reversed = 0;
    for (unsigned b = 0; b < bits; b++)
        reversed |= (i >> b & 1) << (bits - 1 - b);
    return reversed;
}

/* Places that n does not have are passed over. */
static enum status reverse_bits(float *x, uint64_t n)
{
    unsigned bits = 0;
    while (n > 1ull << bits)
        bits++;
    float *from = malloc(n * sizeof *from);
    if (!from)
        return out_of_memory("a second copy of the data");
    memcpy(from, x, n * sizeof *x);
    uint64_t k = 0;
    for (uint64_t place = 0; place < 1ull << bits; place++) {
        const uint64_t i = reversed_bits(place, bits);
        if (i < n)
            x[k++] = from[i];
    }
    free(from);
    return OK;
}

struct ordering ordering_of_trial(struct ordering ordering, uint64_t trial)
{
    ordering.seed += trial % (ordering.further + 1);
    ordering.further = 0;
    return ordering;
}

enum status ordering_apply(struct ordering ordering, float *x, uint64_t n)
{
    if (n < 2) /* x may be NULL */
        return OK;
    switch (ordering.kind) {
    case GIVEN:
        break;
    case REVERSED:
        reverse(x, n);
        break;
    case ASCENDING:
    case DESCENDING:
        sort(x, n, compare_values);
        if (ordering.kind == DESCENDING)
            reverse_numbers(x, n);
        break;
    case MAGNITUDE:
    case MAGNITUDE_DESCENDING:
        sort(x, n, compare_magnitudes);
        if (ordering.kind == MAGNITUDE_DESCENDING)
            reverse_numbers(x, n);
        break;
    case PSUM:
        return psum(x, n);
    case BIT_REVERSED:
        return reverse_bits(x, n);
    case SHUFFLED:
        shuffle(&(struct generator_call){.n = n, .seed = ordering.seed, .family = generator_family("order=shuffled")},
                0, x);
        break;
    }
    return OK;
}
