/* The bounds of softmax and its like, under attack: numbers are sought that break them.
 *
 *   tests_kernels test_softmax_bound                  3,000 tries at each operation in each format
 *   tests_kernels test_softmax_bound --tries 1e6 --seed 1    so many, of other data
 *
 * What is computed are the methods themselves; exact values are those of the C library in 64 bits, of which binary64
 * forgives 2^-8 of a bound.  Twins are claims that leave out a term: each is exceeded.
 */
#include "kernels/softmax_bound.h"
#include "kernels/statistic.h"
#include "tests/support/climbing.h"
#include "tests/support/methods.h"

enum { FEW = 24, MANY = 640, STEPS = 150, BINARY64 = 4 };

static const char *const format_table[] = {"bfloat16_in_bfloat16", "binary16_in_binary16", "binary32", "bfloat16",
                                           "binary64"};
static const char *const sums[] = {"plain/serial", "plain/pairwise_1", "plain/tree_two_pass", "kahan/serial",
                                   "binary64/pairwise_1"};
static const struct launch launch = {2, 32};

struct numbers {
    const struct format *format;
    uint64_t n;
    double x[MANY], y[MANY];
};

/* ---- exact ---- */

struct exact {
    struct moments moments;
    long double maximum, log_exps, lse, entropy;
};

static double above(long double v)
{
    return (double)v * (1 + 0x1p-51);
}

static struct exact exact_of(const struct numbers *of)
{
    struct exact exact = {.moments = {.n = (double)of->n}};
    struct moments *m = &exact.moments;
    uint64_t first = 0;
    long double rest = 0, moved = 0, y = 0, offsets = 0;
    for (uint64_t i = 0; i < of->n; i++)
        if (of->x[i] > of->x[first])
            first = i;
    m->largest = of->x[first];
    m->least = m->largest;
    for (uint64_t i = 0; i < of->n; i++) {
        const long double z = (long double)of->x[i] - (long double)m->largest, e = expl(z);
        y += (long double)of->y[i];
        if (isinf(of->x[i]))
            continue;
        rest += i == first ? 0 : e;
        moved -= e * z;
        offsets -= (long double)of->y[i] * z;
        m->least = fmin(m->least, of->x[i]);
        m->unmasked++;
    }
    exact.maximum = (long double)m->largest;
    exact.log_exps = log1pl(rest);
    exact.lse = exact.maximum + exact.log_exps;
    exact.entropy = y * exact.log_exps + offsets;
    m->exps = above(1 + rest);
    m->exps_below = (double)(1 + rest) * (1 - 0x1p-51);
    m->log_exps = above(exact.log_exps);
    m->log_exps_below = (double)exact.log_exps * (1 - 0x1p-51);
    m->exps_moved = above(moved);
    m->abs_lse = above(fabsl(exact.lse));
    m->weighted_offsets = above(offsets);
    m->sum_weights_abs = above(y);
    return exact;
}

static long double exact_result(const struct exact *exact, enum quantity of, double x)
{
    const long double z = (long double)x - exact->maximum;
    return of == LOGSUMEXP       ? exact->lse
           : of == CROSS_ENTROPY ? exact->entropy
           : of == SOFTMAX       ? expl(z - exact->log_exps)
                                 : z - exact->log_exps;
}

/* ---- claimed ---- */

enum left_out { NOTHING, TERM_SUMS, FORMULA, ARGUMENTS, MOVED, HEIGHT, RESULT };

struct own_sums {
    struct method terms, data;
    enum left_out left_out;
};

static double bound_of_terms(const void *context, uint64_t n, const struct magnitudes *of)
{
    const struct own_sums *own = context;
    return own->left_out == TERM_SUMS
               ? 0
               : fmax(method_bound(&own->terms, n, launch, of), method_bound(&own->data, n, launch, of));
}

static double bound_of_data(const void *context, uint64_t n, const struct magnitudes *of)
{
    const struct own_sums *own = context;
    return own->left_out == TERM_SUMS ? 0 : method_bound(&own->data, n, launch, of);
}

/* As the method has it, but for what is left out. */
static double claimed(const struct method *method, const struct numbers *of, const struct moments *known,
                      double abs_result, enum left_out out)
{
    const struct statistic_method *own = statistic_method_of(method);
    const struct own_sums parts = {statistic_pass(method, OFFSETS), statistic_pass(method, OF_X), out};
    const bool is_wide = own->cell.verbs->rounded_once;
    struct format formula = is_wide || out == FORMULA ? FORMAT_BINARY64 : *method->sum_format->added;
    struct format added = *method->sum_format->added;
    struct moments moments = *known;
    if (out == ARGUMENTS)
        moments.log_exps_below = 1e300;
    if (out == MOVED)
        moments.exps_moved = 0;
    const struct statistic_claim claim = {
        .of = own->statistic->of,
        .algorithm = own->statistic->algorithm,
        .sums_are_plain = out != TERM_SUMS && strcmp(own->cell.verbs->id, "plain") == 0,
        .normalizes = own->statistic->normalizes,
        .abs_result = out == RESULT ? 0 : abs_result,
        .added = &added,
        .formula = &formula,
        .result = out == FORMULA ? &FORMAT_BINARY64 : method->format,
        .of_data = {bound_of_data, &parts},
        .of_terms = {bound_of_terms, &parts},
        .n = of->n,
        .height = out == HEIGHT ? 1 : method_height(method, of->n, launch),
    };
    return softmax_bound(&claim, &moments);
}

/* ---- how much of a bound ---- */

struct attained {
    uint64_t tries, results, claims;
    double share;
};

static void take_bits(const struct method *method, const struct numbers *of, uint64_t *bits)
{
    static float x32[MANY], y32[MANY];
    const bool is_wide = format_held(of->format)->bytes == sizeof(double);
    for (uint64_t i = 0; i < of->n; i++)
        x32[i] = (float)of->x[i], y32[i] = (float)of->y[i];
    const struct operands operands = {of->format,
                                      method->operation,
                                      {is_wide ? (const void *)of->x : x32, is_wide ? (const void *)of->y : y32},
                                      shape_of_one(of->n)};
    assert_int_equal(method_replay(method, &operands, launch, 1, bits), OK);
}

static double share_of(const struct method *method, const struct numbers *of, enum left_out out,
                       struct attained *attained)
{
    static uint64_t bits[MANY];
    const struct exact exact = exact_of(of);
    const bool is_per_number = operation_is_per_number(method->operation);
    const double forgiven = method->sum_format->added->precision == 53 ? 1 + 0x1p-8 : 1 + 0x1p-30;
    double most = 0;
    take_bits(method, of, bits);
    attained->tries++;
    for (uint64_t i = 0; i < (is_per_number ? of->n : 1); i++) {
        const long double value = exact_result(&exact, operation_table[method->operation].of, of->x[i]);
        if (isinf(value))
            continue;
        const struct magnitudes magnitudes = {.abs_s = above(fabsl(value)), .moments = &exact.moments};
        const double bound = out == NOTHING ? method_bound(method, of->n, launch, &magnitudes)
                                            : claimed(method, of, &exact.moments, magnitudes.abs_s, out);
        const double result = format_value(method->format, bits[i]);
        attained->results++;
        if (!isfinite(bound) || (out && !isfinite(result)))
            continue;
        attained->claims++;
        const double share =
            isfinite(result) ? (double)fabsl((long double)result - value) / bound / forgiven : (double)INFINITY;
        if (share > 1 && !out) {
            printf("broken: %s, n = %llu, result %llu: %a, exact %La, bound %a:", method->id, (unsigned long long)of->n,
                   (unsigned long long)i, result, value, bound);
            for (uint64_t k = 0; k < of->n && k < FEW; k++)
                printf(" %a*%a", of->x[k], of->y[k]);
            printf("\n");
        }
        most = fmax(most, share);
    }
    return most;
}

/* ---- hill climbing ---- */

static double drawn(void)
{
    return (double)(next_random() >> 11) * 0x1p-53;
}

static void start(struct numbers *of, const struct format *format, uint64_t kind, uint64_t n_most)
{
    static const double scales[] = {0.1, 1, 4, 10, 60, 300};
    const double scale = scales[below(COUNT_OF(scales))], least = format->precision * -0.7 - 1 + 2 * drawn();
    const double offset = kind % 4 == 1 ? 10 * drawn() : kind % 4 == 2 ? ldexp(drawn(), 3 + (int)below(10)) : 0;
    of->format = format;
    of->n = n_most > FEW ? n_most - below(n_most / 2) : 1 + below(below(4) ? 6 : FEW);
    for (uint64_t i = 0; i < of->n; i++) {
        const double equal = 0, few = i == 0 ? 0 : least, any = scale * (2 * drawn() - 1);
        const double z = kind % 5 == 0   ? equal
                         : kind % 5 == 1 ? few
                         : kind % 5 == 2 ? scale * (double)i / (double)of->n
                                         : any;
        of->x[i] = rounded_to(offset + z, format);
        of->y[i] = kind % 3 ? rounded_to(drawn(), format) : i == 0;
        if (kind % 11 == 7 && below(4) == 0)
            of->x[i] = -(double)INFINITY;
    }
    of->x[0] = isinf(of->x[0]) ? 1 : of->x[0];
}

static void climb(const struct method *method, uint64_t kind, uint64_t n_most, uint64_t tries,
                  struct attained *attained)
{
    static struct numbers at, next;
    start(&at, method->sum_format->stored, kind, n_most);
    double best = share_of(method, &at, NOTHING, attained);
    for (uint64_t step = 0; step < STEPS && attained->tries < tries; step++) {
        next = at;
        const uint64_t i = below(at.n);
        double *vector = operation_table[method->operation].vectors > 1 && below(2) ? next.y : next.x;
        vector[i] = isinf(vector[i]) ? 0 : changed(at.format, vector, at.n, i, 3);
        if (vector == next.y)
            next.y[i] = fabs(next.y[i]);
        if (isnan(vector[i]) || vector[i] > 1e4 || vector[i] < -1e5)
            continue;
        const double share = share_of(method, &next, NOTHING, attained);
        if (share >= best)
            at = next, best = share;
    }
    attained->share = fmax(attained->share, best);
}

static const struct method *method_of(enum operation operation, const char *format, const char *of_sums)
{
    char id[160];
    const bool is_online = statistic_of(operation)->algorithm == BY_ONLINE;
    snprintf(id, sizeof id, "%s:%s@%s", operation_table[operation].id, of_sums, format);
    return is_online && strncmp(of_sums, "plain", 5) != 0 ? NULL : method_find(id);
}

static uint64_t tries_of_each = 3000, other_seed;

static void nothing_exceeds_a_bound(void **state)
{
    size_t broken = 0, rows = 0;
    uint64_t results = 0, claims = 0;
    (void)state;
    seed_random(5 + 1000 * other_seed);
    for (int operation = FIRST_STATISTIC; operation < (int)VECTOR_OPERATIONS; operation++) {
        if (statistic_of((enum operation)operation)->algorithm < BY_EXP)
            continue;
        printf("%-26s", operation_table[operation].id);
        for (size_t f = 0; f < COUNT_OF(format_table); f++) {
            struct attained attained = {0};
            for (uint64_t kind = 0; attained.tries < tries_of_each; kind++) {
                const struct method *method =
                    method_of((enum operation)operation, format_table[f], sums[below(COUNT_OF(sums))]);
                if (method)
                    climb(method, kind, kind % 16 == 5 ? MANY : FEW, tries_of_each, &attained);
            }
            printf("  %.3f (%.0f %%)", attained.share, 100 * (double)attained.claims / (double)attained.results);
            fflush(stdout);
            broken += attained.share > 1;
            results += attained.results;
            claims += attained.claims;
            rows++;
            assert_true(attained.share > (f == BINARY64 ? 0.05 : 0.3));
        }
        printf("\n");
    }
    print_message("%zu bounds attacked, %llu results, %llu with a claim\n", rows, (unsigned long long)results,
                  (unsigned long long)claims);
    assert_int_equal(broken, 0);
    assert_int_equal(rows, 12 * COUNT_OF(format_table));
    assert_true(claims > results / 2);
}

/* ---- twins ---- */

static void each_term_of_a_bound_is_needed(void **state)
{
    static const struct {
        const char *id;
        enum left_out left_out;
        uint64_t kind; /* of start(); 100: all alike beside the first */
        uint64_t n;
    } twins[] = {
        {"softmax.shifted:plain/serial@bfloat16_in_bfloat16", TERM_SUMS, 0, MANY},
        {"logsumexp.shifted:plain/serial@binary16_in_binary16", TERM_SUMS, 1, MANY},
        {"logsumexp.shifted:plain/serial", FORMULA, 2, FEW},
        {"softmax.division_free:plain/serial", FORMULA, 2, FEW},
        {"softmax.shifted:binary64/pairwise_1", MOVED, 100, MANY},
        {"softmax.shifted:plain/pairwise_1@bfloat16_in_bfloat16", ARGUMENTS, 4, FEW},
        {"log_softmax.shifted:plain/pairwise_1@bfloat16_in_bfloat16", RESULT, 4, FEW},
        {"log_softmax.from_lse:plain/pairwise_1@bfloat16_in_bfloat16", RESULT, 4, FEW},
        {"softmax.online:plain/serial@bfloat16_in_bfloat16", HEIGHT, 2, MANY},
        {"softmax.online:plain/pairwise_1@bfloat16_in_bfloat16", HEIGHT, 2, MANY},
        {"cross_entropy.shifted:plain/serial@bfloat16_in_bfloat16", TERM_SUMS, 0, MANY},
    };
    (void)state;
    seed_random(6);
    for (size_t t = 0; t < COUNT_OF(twins); t++) {
        static struct numbers at;
        struct attained attained = {0};
        const struct method *method = method_find(twins[t].id);
        assert_non_null(method);
        double share = 0, sound = 0;
        for (int k = 0; k < 300 && share <= 1.005; k++) {
            start(&at, method->sum_format->stored, twins[t].kind, twins[t].n);
            const double from = 8 + 8 * drawn(), least = from - log((double)at.n) - drawn();
            for (uint64_t i = 0; i < at.n && twins[t].kind == 100; i++)
                at.x[i] = rounded_to(i == 0 ? from : least, at.format);
            share = fmax(share, share_of(method, &at, twins[t].left_out, &attained));
            sound = fmax(sound, share_of(method, &at, NOTHING, &attained));
        }
        print_message("%s: %.3f without %d, %.3f\n", twins[t].id, share, (int)twins[t].left_out, sound);
        assert_true(share > 1.005);
        assert_true(sound <= 1);
    }
}

/* claimed() is what a method says. */
static void what_is_claimed_is_what_a_method_says(void **state)
{
    static struct numbers at;
    size_t compared = 0;
    (void)state;
    seed_random(8);
    for (int operation = FIRST_STATISTIC; operation < (int)VECTOR_OPERATIONS; operation++)
        for (size_t f = 0; f < COUNT_OF(format_table); f++)
            for (size_t s = 0; s < COUNT_OF(sums); s++) {
                const struct method *method = statistic_of((enum operation)operation)->algorithm < BY_EXP
                                                  ? NULL
                                                  : method_of((enum operation)operation, format_table[f], sums[s]);
                for (uint64_t kind = 0; kind < 10 && method; kind++) {
                    start(&at, method->sum_format->stored, kind, FEW);
                    const struct exact exact = exact_of(&at);
                    const struct magnitudes magnitudes = {.abs_s = 0.25, .moments = &exact.moments};
                    const double bound = method_bound(method, at.n, launch, &magnitudes);
                    assert_true(bound == claimed(method, &at, &exact.moments, 0.25, NOTHING));
                    compared++;
                }
            }
    print_message("%zu bounds compared\n", compared);
    assert_true(compared > 2000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_exceeds_a_bound),
        cmocka_unit_test(each_term_of_a_bound_is_needed),
        cmocka_unit_test(what_is_claimed_is_what_a_method_says),
    };
    if (argc > 2 && strcmp(argv[1], "--tries") == 0)
        tries_of_each = (uint64_t)strtod(argv[2], NULL);
    if (argc > 4 && strcmp(argv[3], "--seed") == 0)
        other_seed = (uint64_t)strtod(argv[4], NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
