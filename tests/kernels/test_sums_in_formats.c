/* The sums of every method in every format of kernels/formats.def: within their bounds on numbers that are hard to add,
 * and the nearest number where the accumulator is exact.  tests/kernels/test_reals.c seeks the numbers that are
 * hardest. */
#include "src/base/format.h"
#include "tests/support/methods.h"
#include "tests/support/random.h"

enum { MOST = 200, ROUNDS = 40 };

/* Numbers of what is stored, and what is exact about them. */
struct stored {
    const struct format *format;
    float x[MOST];
    double wide[MOST];
    struct exact_sum exact;
};

static const void *numbers_of(const struct stored *stored)
{
    return stored->format->bytes == sizeof *stored->wide ? (const void *)stored->wide : stored->x;
}

/* Every exponent, or some; ties; numbers that cancel.  Below a sixteenth of the largest, so that few sums overflow. */
static void fill(struct stored *stored)
{
    const struct format *format = stored->format;
    const uint64_t n = 1 + below(below(2) ? 8 : MOST);
    const int fields = format->overflow_exponent - 8 - format->least_exponent;
    const int span = below(2) && fields > 3 * format->precision ? 3 * format->precision : fields;
    const int low = format->least_exponent + (int)below((uint64_t)(fields - span + 1));
    for (uint64_t i = 0; i < n; i++) {
        const double significand = 1 + (below(3) ? (double)below(1 << 20) * 0x1p-20 : 1 - ldexp(1, -format->precision));
        const double value = ldexp(significand, low + (int)below((uint64_t)span));
        stored->wide[i] = rounded_to(below(2) ? value : -value, format);
        if (i > 0 && below(4) == 0)
            stored->wide[i] = -stored->wide[below(i)];
        stored->x[i] = (float)stored->wide[i];
    }
    assert_int_equal(exact_sum(format, numbers_of(stored), n, &stored->exact), OK);
}

static double sum_of(const struct method *method, struct launch launch, const struct stored *stored)
{
    const struct operands of = operands_of_sum(stored->format, numbers_of(stored), stored->exact.n);
    uint64_t bits = 0;
    assert_int_equal(method_replay(method, &of, launch, 1, &bits), OK);
    return format_value(method->format, bits);
}

/* Sums of one format: of the exact accumulator, and those of plain additions that are not the nearest number. */
struct seen {
    size_t exact, rounded;
};

static void hold(const struct method *method, struct launch launch, const struct stored *stored, struct seen *seen)
{
    const double computed = sum_of(method, launch, stored);
    const double nearest = exact_round(stored->exact.sum, method->format);
    const struct judged judged = {.exact = &stored->exact,
                                  .format = method->format,
                                  .computed = computed,
                                  .bound = bound_of(method, launch, &stored->exact)};
    const double ratio = metric_table[METRIC_bound_ratio].measure(&judged);
    if (ratio > 1)
        fail_msg("%s, %u x %u, n = %llu: %a, the nearest is %a: %g of the bound", method->id, launch.blocks,
                 launch.threads, (unsigned long long)stored->exact.n, computed, nearest, ratio);
    if (strcmp(method->accumulator, "superacc") == 0) {
        seen->exact++;
        if (computed != nearest)
            fail_msg("%s: %a, the nearest is %a", method->id, computed, nearest);
    }
    seen->rounded += strcmp(method->accumulator, "plain") == 0 && computed != nearest;
}

static void every_method_keeps_its_bound_in_every_format(void **state)
{
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t count;
        const struct method *const *table = method_table_of(sum_formats[f], &count);
        static struct stored stored;
        struct seen seen = {0, 0};
        stored.format = sum_formats[f]->stored;
        seed_random((uint64_t)f);
        for (size_t round = 0; round < ROUNDS; round++) {
            fill(&stored);
            for (size_t m = 0; m < count; m++) {
                const struct launch launch = launches[(m + round) % LAUNCHES];
                if (is_sum(table[m]) && can_do(table[m], launch))
                    hold(table[m], launch, &stored, &seen);
            }
            exact_free(&stored.exact);
        }
        assert_int_equal(seen.exact > 50, sum_formats[f]->added->precision >= 24);
        if (sum_formats[f]->stored == sum_formats[f]->added) /* of fp8 many sums are exact in binary32 */
            assert_true(seen.rounded > 100);                 /* the twin: who is not exact is seen */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_keeps_its_bound_in_every_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
