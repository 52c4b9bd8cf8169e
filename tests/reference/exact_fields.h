/* Every field of an exact sum, for tests that compare two sums or spoil one. */
#ifndef ULPSCOPE_TESTS_EXACT_FIELDS_H
#define ULPSCOPE_TESTS_EXACT_FIELDS_H

#include "reference/exact.h"
#include "tests/support/random.h"

#include <stddef.h>

enum exact_field_type { REAL_FIELD, COUNT_FIELD, INT_FIELD };

struct exact_field {
    const char *name;
    enum exact_field_type type;
    size_t offset;
};

/* Without the two sums, which come first, and without the two exponents where there is none. */
static const struct exact_field exact_fields[] = {
    {"n", COUNT_FIELD, offsetof(struct exact_sum, n)},
    {"kind", INT_FIELD, offsetof(struct exact_sum, kind)},
    {"nans", COUNT_FIELD, offsetof(struct exact_sum, nans)},
    {"positive_infinities", COUNT_FIELD, offsetof(struct exact_sum, positive_infinities)},
    {"negative_infinities", COUNT_FIELD, offsetof(struct exact_sum, negative_infinities)},
    {"negative_zeros", COUNT_FIELD, offsetof(struct exact_sum, negative_zeros)},
    {"subnormals", COUNT_FIELD, offsetof(struct exact_sum, subnormals)},
    {"max_abs", REAL_FIELD, offsetof(struct exact_sum, max_abs)},
    {"condition", REAL_FIELD, offsetof(struct exact_sum, condition)},
    {"nearest", REAL_FIELD, offsetof(struct exact_sum, nearest)},
    {"ulp", REAL_FIELD, offsetof(struct exact_sum, ulp)},
    {"abs_above", REAL_FIELD, offsetof(struct exact_sum, abs_above)},
    {"sum_abs_above", REAL_FIELD, offsetof(struct exact_sum, sum_abs_above)},
    {"least_exponent", INT_FIELD, offsetof(struct exact_sum, least_exponent)},
    {"largest_exponent", INT_FIELD, offsetof(struct exact_sum, largest_exponent)},
};
enum { EXACT_FIELDS = sizeof exact_fields / sizeof *exact_fields, EXACT_EXPONENTS = 2 };

static inline bool same_field(const struct exact_sum *a, const struct exact_sum *b, const struct exact_field *field)
{
    const char *const in_a = (const char *)a + field->offset, *const in_b = (const char *)b + field->offset;
    double real_a, real_b;
    switch (field->type) {
    case REAL_FIELD:
        memcpy(&real_a, in_a, sizeof real_a);
        memcpy(&real_b, in_b, sizeof real_b);
        return same_double(real_a, real_b);
    case COUNT_FIELD:
        return memcmp(in_a, in_b, sizeof(uint64_t)) == 0;
    case INT_FIELD:
        return memcmp(in_a, in_b, sizeof(int)) == 0;
    }
    return false;
}

/* The same number; zeros of one sign; a NaN is a NaN. */
static inline bool same_mpfr(const mpfr_t a, const mpfr_t b)
{
    return mpfr_nan_p(a) ? mpfr_nan_p(b) : mpfr_equal_p(a, b) && !mpfr_signbit(a) == !mpfr_signbit(b);
}

/* The name of the first field that is not the same in every bit; NULL: all are. */
static inline const char *exact_difference(const struct exact_sum *a, const struct exact_sum *b)
{
    const bool no_exponents = a->least_exponent > a->largest_exponent && b->least_exponent > b->largest_exponent;
    if (!same_mpfr(a->sum, b->sum))
        return "sum";
    if (!same_mpfr(a->sum_abs, b->sum_abs))
        return "sum_abs";
    for (size_t i = 0; i < (size_t)(no_exponents ? EXACT_FIELDS - EXACT_EXPONENTS : EXACT_FIELDS); i++)
        if (!same_field(a, b, &exact_fields[i]))
            return exact_fields[i].name;
    return NULL;
}

/* The next number of the field's type. */
static inline void spoil_field(struct exact_sum *exact, const struct exact_field *field)
{
    char *const in = (char *)exact + field->offset;
    double real;
    uint64_t count;
    int exponent;
    switch (field->type) {
    case REAL_FIELD:
        memcpy(&real, in, sizeof real);
        real = isfinite(real) ? nextafter(real, INFINITY) : 1;
        memcpy(in, &real, sizeof real);
        break;
    case COUNT_FIELD:
        memcpy(&count, in, sizeof count);
        count++;
        memcpy(in, &count, sizeof count);
        break;
    case INT_FIELD:
        memcpy(&exponent, in, sizeof exponent);
        exponent++;
        memcpy(in, &exponent, sizeof exponent);
        break;
    }
}

#endif
