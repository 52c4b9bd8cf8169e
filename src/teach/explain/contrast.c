#include "explain.h"

#include "src/base/format.h"

bool contrast_same(const double sums[2])
{
    return format_same(&FORMAT_BINARY64, double_bits(sums[0]), double_bits(sums[1]));
}

enum status contrast_ask(const struct question *question, const void *const vectors[], uint64_t n, bool *yes)
{
    double sums[2];
    for (int m = 0; m < 2; m++) {
        uint64_t bits;
        TRY(question_sum(question, m, vectors, n, &bits));
        sums[m] = format_value(question->methods[m]->format, bits);
    }
    *yes = !contrast_same(sums);
    return OK;
}
