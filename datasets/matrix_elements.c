#include "matrix_elements.h"

#include "random.h"

enum { PARTS = PART_EXPONENTS + 2 };

int matrix_overflow_exponent(const struct sum_format *formats)
{
    const int sum = formats->added->overflow_exponent, result = formats->result->overflow_exponent;
    return sum < result ? sum : result;
}

enum status matrix_prepare(struct generator_call *call, const char *family, int range)
{
    const uint64_t n = call->n, beyond = PARTS * n * n;
    if ((n & (n - 1)) != 0)
        return bad_input("%s: n=%llu; expected a power of two, so that matrices of n x n have halves; choose such an n",
                         family, (unsigned long long)n);
    call->whole[MATRIX_RANGE] = (uint64_t)range;
    call->whole[MATRIX_SHIFT] = random_below(random_of_element(call, beyond), n);
    call->whole[MATRIX_STRIDE] = 2 * random_below(random_of_element(call, beyond + 1), n / 2) + 1;
    return OK;
}

int matrix_range_of_numbers(const struct format *format)
{
    const int high = format->overflow_exponent - 2, low = -format_least_normal_exponent(format);
    return high < low ? high : low;
}

int matrix_range_of_products(const struct generator_call *call)
{
    const int numbers = matrix_range_of_numbers(&call->format),
              products = (call->overflow_exponent - 4 - 4 * (int)log2((double)call->n)) / 2;
    return products < 0 ? 0 : products < numbers ? products : numbers;
}

uint64_t matrix_place(const struct generator_call *call, enum matrix_part part, uint64_t row, uint64_t column)
{
    return (part * call->n + row) * call->n + column;
}

double matrix_in_one_binade(const struct generator_call *call, uint64_t place)
{
    return random_significand(&call->format, random_of_element(call, place));
}

int matrix_exponent(const struct generator_call *call, uint64_t k, uint64_t count)
{
    const uint64_t range = call->whole[MATRIX_RANGE],
                   step = (call->whole[MATRIX_STRIDE] * k + call->whole[MATRIX_SHIFT]) % count;
    return (int)range - (int)((2 * range * step) / (count - 1));
}

void matrices_fill(const struct generator *family, const struct generator_call *call, void *a, void *b)
{
    const uint64_t n = call->n;
    for (uint64_t row = 0; row < n; row++)
        for (uint64_t column = 0; column < n; column++) {
            held_set(&call->format, a, row * n + column, family->a(call, row, column));
            held_set(&call->format, b, row * n + column, family->b(call, row, column));
        }
}
