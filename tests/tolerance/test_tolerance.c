/* Tolerances that are called proven: every correct method passes them, and no smaller number of two digits is printed.
 */
#include "src/tolerance/tolerance.h"

#include "src/base/format.h"
#include "src/base/number.h"
#include "src/measure/operation.h"

#include "tests/support/methods.h"
#include "tests/support/random.h"

enum { TRIES = 100000, N_MOST = 64 };

static const char *const formats[] = {
    "binary32", "binary64", "bfloat16", "binary16_to_binary32", "bfloat16_in_bfloat16", "binary16_in_binary16"};
static const enum operation operations[] = {OPERATION_sum, OPERATION_dot, OPERATION_dot_fma, OPERATION_norm2};

struct tried {
    const struct sum_format *format;
    enum operation operation;
    const struct method *method, *plain; /* the one that is tried, and plain additions one after another */
    struct launch launch;
    double x[N_MOST], y[N_MOST]; /* as format_held() has them */
    struct dataset data;
};

/* Few bits and few binades, so that roundings are large: of one sign, or of both. */
static double any_number(const struct format *format, bool is_positive, int scale)
{
    const double magnitude = ldexp(1 + (double)below(8) / 4 + (double)below(2) * ldexp(1, 1 - format->precision),
                                   scale - (int)below((uint64_t)format->precision / 2));
    return rounded_to(is_positive || below(2) ? magnitude : -magnitude, format);
}

static const struct method *any_method(const struct tried *tried)
{
    size_t count;
    const struct method *const *all = method_table_for(tried->operation, tried->format, &count);
    for (;;) {
        const struct method *method = all[below(count)];
        if (method->role == SUMS && method->replay && can_do(method, tried->launch))
            return method;
    }
}

/* Where plain additions, one after another, lose all but the first: (n - 1) u of 1. */
static void make_worst(struct tried *tried)
{
    for (uint64_t i = 0; i < tried->data.n; i++) {
        held_set(tried->format->stored, tried->x, i, i == 0 ? 1 : ldexp(1, -tried->format->added->precision));
        held_set(tried->format->stored, tried->y, i, 1);
    }
}

static struct tried *draw(void)
{
    static struct tried tried;
    char id[TEXT_SIZE];
    const bool is_positive = below(2), is_tiny = below(4) == 0;
    tried.format = sum_format_find(formats[below(COUNT_OF(formats))]);
    tried.operation = operations[below(COUNT_OF(operations))];
    tried.launch = launches[below(LITTLE_LAUNCHES)];
    tried.data =
        (struct dataset){.format = tried.format->stored, .x = tried.x, .n = 2 + below(below(2) ? 4 : N_MOST - 1)};
    tried.data.y = operation_table[tried.operation].vectors > 1 ? tried.y : NULL;
    const int scale = is_tiny ? tried.format->added->least_exponent / 2 + 8 : 0; /* products that underflow */
    for (uint64_t i = 0; i < tried.data.n; i++) {
        held_set(tried.format->stored, tried.x, i, any_number(tried.format->stored, is_positive, scale));
        held_set(tried.format->stored, tried.y, i, any_number(tried.format->stored, is_positive, scale));
    }
    snprintf(id, sizeof id, "%s%splain/serial@%s",
             tried.operation == OPERATION_sum ? "" : operation_table[tried.operation].id,
             tried.operation == OPERATION_sum ? "" : ":", tried.format->id);
    tried.plain = method_find(id);
    assert_non_null(tried.plain);
    tried.method = below(4) ? any_method(&tried) : tried.plain;
    if (!below(4))
        make_worst(&tried);
    return &tried;
}

static double computed_by(const struct tried *tried)
{
    const struct operands of = operation_operands(tried->operation, &tried->data);
    uint64_t bits;
    assert_int_equal(method_replay(tried->method, &of, tried->launch, 1, &bits), OK);
    return format_value(tried->method->format, bits);
}

/* Of any order, of the method itself, or of plain additions in a tree of its height. */
static struct theorem any_theorem(const struct tried *tried)
{
    const bool is_plain = strcmp(tried->method->accumulator, "plain") == 0;
    const bool is_atomic = tried->method->determinism != DETERMINISTIC; /* which may lose more than its height says */
    struct theorem theorem = {.methods = {tried->plain}, .n = tried->data.n, .launch = tried->launch};
    if (is_plain && !is_atomic && below(2))
        theorem.height = method_height(tried->method, tried->data.n, tried->launch);
    else if (!is_plain || below(2))
        theorem.methods[0] = tried->method;
    return theorem;
}

/* As PyTorch and NumPy compare, each step rounded to the format of results. */
static bool passes_in(const struct format *format, struct tolerance_pair pair, double computed, double expected)
{
    const double share = rounded_to(rounded_to(pair.relative, format) * fabs(expected), format);
    return fabs(rounded_to(computed - expected, format)) <=
           rounded_to(rounded_to(pair.absolute, format) + share, format);
}

/* Parts of a class that the data are just in, or well in. */
static void the_parts_of_a_theorem_pass_every_correct_method(void **state)
{
    size_t claimed = 0, failed_by_less = 0, forms[2] = {0, 0};
    (void)state;
    seed_random(45);
    while (claimed < TRIES) {
        const struct tried *const tried = draw();
        const struct theorem theorem = any_theorem(tried);
        const bool is_relative = below(2);
        const double more = (const double[]){1, 1.5, 0x1p60}[below(3)]; /* data just in the class, or far */
        struct exact_sum exact;
        struct tolerance_pair pair;
        const char *why;
        assert_int_equal(operation_exact(tried->operation, &tried->data, (struct exact_how){0}, &exact), OK);
        const struct tolerance_class class = {.sum_abs = exact.sum_abs_above * more,
                                              .condition = exact.condition *
                                                           (tried->operation == OPERATION_norm2 ? 1 : fmin(more, 1.5))};
        if ((!is_relative || isfinite(exact.condition)) && theorem_pair(&theorem, &class, is_relative, &pair, &why)) {
            const struct tolerance_pair less = {pair.relative * 0.8, pair.absolute * 0.8};
            const double computed = computed_by(tried), s = mpfr_get_d(exact.sum, MPFR_RNDN);
            const double expected = exact_round(exact.sum, tried->format->result);
            if (!tolerance_passes(pair, computed, expected) || !tolerance_passes(pair, computed, s) ||
                !passes_in(tried->format->result, pair, computed, expected))
                fail_msg("%s, n = %llu: %a is not within %g + %g |%a|", tried->method->id,
                         (unsigned long long)tried->data.n, computed, pair.absolute, pair.relative, expected);
            failed_by_less += !tolerance_passes(less, computed, s);
            claimed++;
            forms[is_relative]++;
        }
        exact_free(&exact);
    }
    assert_true(claimed == TRIES && forms[0] > TRIES / 3 && forms[1] > TRIES / 3);
    assert_true(failed_by_less > 500); /* the twin: the numbers are no larger than they need be */
}

/* One less in its second digit. */
static double step_below(double value)
{
    char text[NUMBER_TEXT];
    int exponent;
    snprintf(text, sizeof text, "%.1e", value);
    sscanf(strchr(text, 'e') + 1, "%d", &exponent);
    snprintf(text, sizeof text, "%de%d", (int)lround(value / pow(10, exponent) * 10) - 1, exponent - 1);
    return strtod(text, NULL);
}

static void two_digits_are_the_least_that_are_no_less(void **state)
{
    (void)state;
    seed_random(2);
    for (int i = 0; i < TRIES; i++) {
        const double value = ldexp(1 + (double)(next_random() >> 12) * 0x1p-52, (int)below(200) - 100);
        const double up = two_digits_up(value);
        assert_true(up >= value && step_below(up) < value && two_digits_up(up) == up);
    }
    assert_true(two_digits_up(0) == 0 && two_digits_up(1) == 1 && two_digits_up(nextafter(1, 2)) == 1.1);
}

/* B / |s| is the theorem's, and u that of the expected value: what is printed is no less, and a step below it is. */
static void the_printed_number_is_the_theorem_s_and_no_step_less(void **state)
{
    const double v = 0x1p-8;
    size_t compared = 0, short_of_first_order = 0;
    (void)state;
    for (uint64_t n = 2; n < UINT64_C(1) << 22; n = n * 3 / 2 + 1)
        for (double condition = 1; condition <= 1024; condition *= 4) {
            const struct method *const plain = method_find("plain/serial");
            const struct theorem theorem = {.methods = {plain}, .n = n, .launch = {1, 1}};
            const struct tolerance_class class = {.sum_abs = 1024, .condition = condition};
            const struct magnitudes of = {class.sum_abs / condition, class.sum_abs, class.sum_abs, NULL};
            const double least = method_bound(plain, n, theorem.launch, &of) / of.abs_s + 0x1p-24;
            struct tolerance_pair pair;
            const char *why;
            assert_true(theorem_pair(&theorem, &class, true, &pair, &why));
            assert_true(pair.relative >= least && pair.absolute == 0);
            assert_true(step_below(pair.relative) < least * (1 + 0x1p-20));
            compared++;
        }
    assert_int_equal(compared, 35 * 6);
    for (uint64_t k = 0; k < 98 * 64;
         k++) { /* in bfloat16 the comparison's own roundings show: n, and conditions below 2 */
        const struct method *const plain = method_find("plain/serial@bfloat16_in_bfloat16");
        const struct theorem theorem = {.methods = {plain}, .n = 2 + k % 98, .launch = {1, 1}};
        const double s = 1 / (1 + (double)(k / 98) / 64);
        const double bound = method_bound(plain, theorem.n, theorem.launch, &(struct magnitudes){s, 1, 1, NULL}) / s;
        struct tolerance_pair pair;
        const char *why;
        assert_true(
            theorem_pair(&theorem, &(struct tolerance_class){.sum_abs = 1, .condition = 1 / s}, true, &pair, &why));
        assert_true(pair.relative >= (bound + v) * (1 + v) * (1 + v) / pow(1 - v, 3));
        short_of_first_order += pair.relative > two_digits_up((bound + v) * (1 + v) * (1 + 4 * v));
    }
    assert_true(short_of_first_order > 0);
}

/* Of products B = b S + c: c is in the absolute part, and b, as docs/bounds.md has it, in the relative one, however
 * small S is.  B / |s|, which has c once more, is too wide; without c the products that are halves of the least number
 * do not pass. */
static void underflow_is_counted_once(void **state)
{
    static const char *const ids[] = {"dot:plain/serial@binary16_in_binary16", "dot:plain/serial@e4m3_in_binary16",
                                      "dot:plain/serial@bfloat16_in_bfloat16"};
    size_t compared = 0, too_wide = 0, too_small = 0, of_no_result = 0;
    (void)state;
    for (uint64_t k = 0; k < 3 * 40 * 8 * 4; k++) {
        const struct method *const plain = method_find(ids[k % 3]);
        const uint64_t n = 2 + k / 3 % 40;
        const double sum_abs = ldexp(1, -2 * (int)(k / 120 % 8)), condition = ldexp(1, 5 * (int)(k / 960) - 1) + 1;
        const double v = ldexp(1, -plain->format->precision), vb = v / (1 + v);
        const double q = ldexp(1, plain->format->least_exponent), compare = (1 + v) / pow(1 - v, 3);
        const double in_a_row = fmin((double)(n - 1) * v, pow(1 + vb, (double)(n - 1)) - 1);
        const double of_sum = vb + in_a_row * (1 + vb), c = (double)n * q * (1 + in_a_row);
        const double relative = (of_sum * condition + v) * (1 + v) * compare,
                     of_zero = ceil(fmax(1, (1 + of_sum * condition) / 2));
        const double absolute = (c + of_zero * q) * compare;
        const struct theorem theorem = {.methods = {plain}, .n = n, .launch = {1, 1}};
        const struct magnitudes of = {sum_abs / condition, sum_abs, sum_abs, NULL};
        struct tolerance_pair pair;
        const char *why;
        theorem_pair(&theorem, &(struct tolerance_class){.sum_abs = sum_abs, .condition = condition}, true, &pair,
                     &why);
        assert_true(pair.relative >= relative && step_below(pair.relative) < relative * (1 + 0x1p-20));
        assert_true(pair.absolute >= absolute && step_below(pair.absolute) < absolute * (1 + 0x1p-20));
        too_wide += method_bound(plain, n, theorem.launch, &of) / of.abs_s > 1.2 * pair.relative;
        too_small += !tolerance_passes((struct tolerance_pair){pair.relative, q}, 0, (double)n * q / 2);
        assert_true(tolerance_passes(pair, 0, (double)n * q / 2)); /* 2^-12 2^-13 = q / 2, a tie, is 0 */
        compared++;
        of_no_result += of_zero > 1;
    }
    assert_true(of_no_result > 100);
    assert_true(compared == 3840 && too_wide > 500 && too_small > 1500);
}

static bool claims(const char *id, uint64_t n, struct tolerance_class class, const char **why)
{
    struct tolerance_pair pair;
    const struct theorem theorem = {.methods = {method_find(id)}, .n = n, .launch = {1, 1}};
    return theorem_pair(&theorem, &class, true, &pair, why);
}

/* n u = 1 is where any order claims nothing more; a class of more than the format holds has no claim either. */
static void a_bound_as_large_as_the_magnitudes_is_no_claim(void **state)
{
    const char *why;
    (void)state;
    assert_true(claims("plain/serial", 1 << 23, (struct tolerance_class){.sum_abs = 1, .condition = 1}, &why) && !why);
    assert_false(claims("plain/serial", 1 << 24, (struct tolerance_class){.sum_abs = 1, .condition = 1}, &why));
    assert_string_equal(why, "the bound is as large as the sum of the magnitudes");
    assert_true(
        claims("plain/serial@bfloat16_in_bfloat16", 128, (struct tolerance_class){.sum_abs = 1, .condition = 1}, &why));
    assert_false(
        claims("plain/serial@bfloat16_in_bfloat16", 257, (struct tolerance_class){.sum_abs = 1, .condition = 1}, &why));
    assert_false(claims("plain/serial", 100, (struct tolerance_class){.sum_abs = 0x1p127, .condition = 1}, &why));
    assert_string_equal(why, "sums of so much may overflow");
    assert_true(claims("plain/serial", 100, (struct tolerance_class){.sum_abs = 0x1p120, .condition = 1}, &why));
}

static struct tolerance_pair pair_of(const char *first, const char *second, uint64_t n, uint64_t height)
{
    const struct theorem theorem = {
        .methods = {method_find(first), method_find(second)}, .n = n, .height = height, .launch = {1, 1}};
    const struct tolerance_class class = {.sum_abs = 1, .condition = 1};
    struct tolerance_pair pair;
    const char *why;
    assert_true(theorem_pair(&theorem, &class, true, &pair, &why));
    return pair;
}

static void a_known_tree_has_less_and_fused_products_are_held_too(void **state)
{
    size_t fused_are_more = 0;
    (void)state;
    for (uint64_t height = 11; height < 500; height *= 2)
        assert_true(pair_of("plain/serial", "", 1000, height).relative <
                    pair_of("plain/serial", "", 1000, 2 * height).relative);
    for (uint64_t n = 2; n < 64; n++) {
        const double rounded = pair_of("dot:plain/serial@bfloat16_in_bfloat16", "", n, 0).relative;
        const double fused = pair_of("dot_fma:plain/serial@bfloat16_in_bfloat16", "", n, 0).relative;
        assert_true(pair_of("dot:plain/serial@bfloat16_in_bfloat16", "dot_fma:plain/serial@bfloat16_in_bfloat16", n, 0)
                        .relative == fmax(rounded, fused));
        fused_are_more += fused > rounded;
    }
    assert_true(fused_are_more > 10);
}

/* ---- faults of products ---- */

static struct tolerance_request request_of(const char *word, enum operation operation, const char *spec,
                                           enum data_kind kind)
{
    struct tolerance_request request = {.word = word,
                                        .operation = operation,
                                        .formats = &sum_format_binary32,
                                        .launch = {3, 32},
                                        .trials = 3,
                                        .seed = 1,
                                        .workers = 1};
    struct data_spec *specs;
    size_t count;
    assert_int_equal(data_specs_read(spec, "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(data_spec_set_kind(specs, kind, "test"), OK);
    request.spec = specs;
    return request;
}

static double replayed(const char *id, struct dataset data)
{
    uint64_t bits;
    const struct method *const method = method_find(id);
    const struct operands of = operation_operands(method->operation, &data);
    assert_int_equal(method_replay(method, &of, (struct launch){3, 32}, 1, &bits), OK);
    return format_value(method->format, bits);
}

/* By other means: a vector that is shorter, or of other numbers. */
static double with_fault(const char *fault, const char *id, struct dataset data)
{
    if (strcmp(fault, "zero") == 0)
        return 0;
    data.n -= strcmp(fault, "drop_last") == 0;
    for (uint64_t i = 0; i < data.n && strcmp(fault, "inputs_bfloat16") == 0; i++) {
        ((float *)data.x)[i] = (float)rounded_to((double)((float *)data.x)[i], &FORMAT_BFLOAT16);
        if (data.y)
            ((float *)data.y)[i] = (float)rounded_to((double)((float *)data.y)[i], &FORMAT_BFLOAT16);
    }
    return replayed(id, data);
}

static void faults_of_products_are_what_they_say(void **state)
{
    static const char *const faults[] = {"inputs_bfloat16", "drop_last", "zero", "no_compensation"};
    size_t compared = 0;
    (void)state;
    for (int norm = 0; norm < 2; norm++) {
        struct tolerance_request request = norm
                                               ? request_of("norm2", OPERATION_norm2, "uniform:n=37", ONE_VECTOR)
                                               : request_of("dot", OPERATION_dot, "uniform:n=37::uniform", TWO_VECTORS);
        struct tolerance_trials trials;
        assert_int_equal(trials_make(&request, &trials), OK);
        assert_int_equal(trials.count, 3);
        for (size_t f = 0; f < trials.fault_count; f++)
            for (size_t k = 0; k < COUNT_OF(faults); k++)
                for (size_t i = 0; i < 3 && strcmp(trials.faults[f].fault->id, faults[k]) == 0; i++, compared++) {
                    struct dataset data;
                    assert_int_equal(dataset_make(request.spec, 1, i, &data), OK);
                    const double wanted = with_fault(faults[k], norm ? "norm2:plain/serial" : "dot:plain/serial", data);
                    assert_true(trials.faults[f].computed[i] == wanted);
                    dataset_free(&data);
                }
        trials_free(&trials);
        data_specs_free((struct data_spec *)(uintptr_t)request.spec, 1);
    }
    assert_int_equal(compared, 2 * 3 * 4);
}

/* ---- statistics ---- */

static struct tolerance_request request_of_statistic(const char *word, enum operation operation, const char *spec,
                                                     const char *order)
{
    struct tolerance_request request =
        request_of(word, operation, spec, operation_table[operation].vectors > 1 ? TWO_VECTORS : ONE_VECTOR);
    char why[TREE_WHY_SIZE];
    request.scale = request.condition = NAN;
    request.given = (struct tolerance_pair){NAN, NAN};
    request.is_family = strcmp(operation_table[operation].id, word) != 0;
    request.order = order;
    assert_true(!order || tree_word_read(order, &request.tree, why));
    return request;
}

static const struct tolerance_line *line_named(const struct tolerance *tolerance, const char *name)
{
    for (size_t l = 0; l < tolerance->line_count; l++)
        if (tolerance->lines[l].kind == TOLERANCE_THEOREM && strcmp(tolerance->lines[l].name, name) == 0)
            return &tolerance->lines[l];
    fail_msg("there is no theorem \"%s\"", name);
    return NULL;
}

/* Each theorem is at least the bound of its method of each of the data alone, and not much more than the largest; so
 * results of it pass.  The twin: with a hundredth of it some fail. */
static void a_theorem_of_a_statistic_is_no_less_than_the_bound_of_any_data(void **state)
{
    static const struct {
        const char *word, *spec, *name, *order;
        enum operation operation, of;
    } rows[] = {
        {"mean", "uniform:n=37", "running, any order", NULL, OPERATION_mean_sum_then_divide, OPERATION_mean_running},
        {"rms", "uniform:n=37", "any order", NULL, OPERATION_rms, OPERATION_rms},
        {"variance", "normal:n=37,mean=9", "textbook, any order", NULL, OPERATION_variance_two_pass,
         OPERATION_variance_textbook},
        {"variance", "normal:n=37,mean=9", "two_pass, pairwise", "pairwise", OPERATION_variance_two_pass,
         OPERATION_variance_two_pass},
        {"variance", "normal:n=37,mean=9", "chan, pairwise", "pairwise", OPERATION_variance_two_pass,
         OPERATION_variance_chan},
        {"std", "normal:n=37", "welford, any order", NULL, OPERATION_std_two_pass, OPERATION_std_welford},
        {"mean_weighted", "normal:n=37::uniform", "any order", NULL, OPERATION_mean_weighted, OPERATION_mean_weighted},
        {"cosine", "uniform:n=37::uniform", "any order", NULL, OPERATION_cosine, OPERATION_cosine},
        {"layer_norm", "normal:n=37,mean=9", "textbook, any order", NULL, OPERATION_layer_norm_two_pass,
         OPERATION_layer_norm_textbook},
        {"rms_norm", "normal:n=37", "any order", NULL, OPERATION_rms_norm, OPERATION_rms_norm},
    };
    size_t compared = 0, failed = 0;
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct tolerance_request request =
            request_of_statistic(rows[r].word, rows[r].operation, rows[r].spec, rows[r].order);
        struct tolerance tolerance;
        double most = 0;
        assert_int_equal(tolerance_make(&request, &tolerance), OK);
        const struct tolerance_line *const line = line_named(&tolerance, rows[r].name);
        const struct method *const method = statistic_in(&request, rows[r].of, rows[r].order != NULL);
        assert_true(line->no_claim == NULL && line->refused == 0);
        assert_int_equal(line->is_part, request.is_family);
        for (size_t i = 0; i < tolerance.trials.count; i++, compared++) {
            const struct tolerance_item *const item = &tolerance.trials.items[i];
            const struct magnitudes of = {fabs(item->expected), item->sum_abs, item->sum_abs, &item->moments};
            const double bound = method_bound(method, request.n, request.launch, &of),
                         allowed = line->pair.absolute + line->pair.relative * fabs(item->expected);
            assert_true(bound < allowed);
            most = fmax(most, bound / allowed);
        }
        assert_true(most > 0.3);
        for (size_t m = 0; m < tolerance.trials.sum_count; m++)
            for (size_t i = 0; i < tolerance.trials.count && tolerance.trials.sums[m].method == method; i++) {
                const double computed = tolerance.trials.sums[m].computed[i],
                             expected = tolerance.trials.items[i].expected;
                const struct tolerance_pair less = {line->pair.relative / 300, line->pair.absolute / 300};
                assert_true(tolerance_passes(line->pair, computed, expected));
                failed += !tolerance_passes(less, computed, expected);
            }
        tolerance_free(&tolerance);
        data_specs_free((struct data_spec *)(uintptr_t)request.spec, 1);
    }
    assert_true(compared >= 8 * 3 + 2 * 37 && failed > 10);
}

/* The line to write is that of all algorithms; of what one of them promises nothing, all promise nothing. */
static void an_algorithm_that_is_not_known_has_the_largest_bound(void **state)
{
    size_t largest = 0;
    (void)state;
    for (int huge = 0; huge < 2; huge++) {
        struct tolerance_request request = request_of_statistic("variance", OPERATION_variance_two_pass,
                                                                huge ? "normal:n=37,sd=1e19" : "normal:n=37", NULL);
        struct tolerance tolerance;
        assert_int_equal(tolerance_make(&request, &tolerance), OK);
        const struct tolerance_line *const all = line_named(&tolerance, "any of 6, any order");
        for (size_t l = 0; l < tolerance.line_count; l++)
            if (tolerance.lines[l].is_part) {
                assert_true(all->no_claim || tolerance.lines[l].pair.absolute <= all->pair.absolute);
                largest += tolerance.lines[l].pair.absolute == all->pair.absolute;
            }
        assert_int_equal(all->no_claim != NULL, huge);
        assert_true(huge || tolerance.written == all);
        tolerance_free(&tolerance);
        data_specs_free((struct data_spec *)(uintptr_t)request.spec, 1);
    }
    assert_true(largest > 0);
}

/* Where only a height is told, and of steps that merge where none is. */
static void a_statistic_has_no_theorem_of_a_height(void **state)
{
    static const struct {
        const char *word, *order, *why;
        enum operation operation;
    } rows[] = {{"std.two_pass", "height=7", "not of a height", OPERATION_std_two_pass},
                {"cosine", "blocked=4", "not of a height", OPERATION_cosine},
                {"variance.chan", NULL, "name an --order", OPERATION_variance_chan},
                {"variance.chan", "pairwise", NULL, OPERATION_variance_chan}};
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        const char *const spec = rows[r].operation == OPERATION_cosine ? "uniform:n=37::uniform" : "uniform:n=37";
        struct tolerance_request request = request_of_statistic(rows[r].word, rows[r].operation, spec, rows[r].order);
        struct tolerance tolerance;
        assert_int_equal(tolerance_make(&request, &tolerance), OK);
        const struct tolerance_line *const line = line_named(&tolerance, rows[r].order ? rows[r].order : "any order");
        assert_true(rows[r].why ? strstr(line->no_claim, rows[r].why) != NULL : line->no_claim == NULL);
        tolerance_free(&tolerance);
        data_specs_free((struct data_spec *)(uintptr_t)request.spec, 1);
    }
}

/* Moments of a class are those of all its data, of two digits, and no others. */
static void a_class_of_a_statistic_has_the_moments_of_all_data(void **state)
{
    struct tolerance_request request = request_of_statistic("std", OPERATION_std_two_pass, "normal:n=37", NULL);
    struct tolerance tolerance;
    size_t compared = 0, none = 0, below = 0;
    (void)state;
    assert_int_equal(tolerance_make(&request, &tolerance), OK);
    struct tolerance_class scaled = tolerance.class;
    class_of_scale(&scaled, 37, 5);
    for (size_t m = 0; m < TOLERANCE_MOMENTS; m++) {
        const double all = *tolerance_moment(&tolerance.class.moments, m), of_5 = *tolerance_moment(&scaled.moments, m);
        double most = 0, least = INFINITY;
        for (size_t i = 0; i < tolerance.trials.count; i++) {
            const double one = *tolerance_moment(&tolerance.trials.items[i].moments, m);
            most = fmax(most, one);
            least = fmin(least, one);
            none += isnan(one) != 0;
            assert_int_equal(isnan(one), isnan(all));
        }
        if (isnan(all))
            continue;
        compared++;
        below += tolerance_moments[m].is_below;
        assert_true(tolerance_moments[m].is_below ? all <= least && all >= 0.89 * least && of_5 == 0
                                                  : all >= most && all <= 1.11 * most && of_5 >= all);
    }
    assert_true(compared == 9 && below == 2 && none > 0);
    tolerance_free(&tolerance);
    data_specs_free((struct data_spec *)(uintptr_t)request.spec, 1);
}

/* Element k of a small product is that of row k / columns and column k % columns. */
static void elements_of_a_product_are_its_rows_and_columns(void **state)
{
    struct tolerance_request request =
        request_of("matmul", OPERATION_matmul, "uniform:n=11,rows=5,columns=3", TWO_MATRICES);
    struct tolerance_trials trials;
    struct dataset data;
    (void)state;
    assert_int_equal(trials_make(&request, &trials), OK);
    assert_int_equal(trials.count, 3 * 5 * 3);
    assert_int_equal(dataset_make(request.spec, 1, 2, &data), OK);
    for (size_t k = 0; k < 15; k++) {
        float x[11], y[11];
        for (size_t i = 0; i < 11; i++) {
            x[i] = ((float *)data.x)[k / 3 * 11 + i];
            y[i] = ((float *)data.y)[i * 3 + k % 3];
        }
        assert_true(
            trials.sums[0].computed[30 + k] ==
            replayed("dot:plain/serial", (struct dataset){.format = &FORMAT_BINARY32, .x = x, .y = y, .n = 11}));
    }
    dataset_free(&data);
    trials_free(&trials);
    data_specs_free((struct data_spec *)(uintptr_t)request.spec, 1);
}

/* Of more than 1,024 elements those are looked at that lie evenly. */
static void elements_of_a_large_product_are_spread_over_all(void **state)
{
    enum { ROWS = 61, COLUMNS = 50, INNER = 3, EACH = 1024 };
    struct tolerance_request request =
        request_of("matmul", OPERATION_matmul, "uniform:n=3,rows=61,columns=50", TWO_MATRICES);
    struct tolerance_trials trials;
    struct dataset data;
    size_t of_the_first = 0;
    (void)state;
    request.trials = 1;
    assert_int_equal(trials_make(&request, &trials), OK);
    assert_int_equal(trials.count, EACH);
    assert_int_equal(dataset_make(request.spec, 1, 0, &data), OK);
    for (size_t k = 0; k < EACH; k++) {
        const size_t place = ROWS * COLUMNS * k / EACH;
        for (int is_first = 0; is_first < 2; is_first++) { /* the twin: element k */
            const size_t at = is_first ? k : place;
            float x[INNER], y[INNER];
            for (size_t i = 0; i < INNER; i++) {
                x[i] = ((float *)data.x)[at / COLUMNS * INNER + i];
                y[i] = ((float *)data.y)[i * COLUMNS + at % COLUMNS];
            }
            const bool is_same =
                trials.sums[0].computed[k] ==
                replayed("dot:plain/serial", (struct dataset){.format = &FORMAT_BINARY32, .x = x, .y = y, .n = INNER});
            of_the_first += is_first && is_same;
            assert_true(is_same || is_first);
        }
    }
    assert_true(of_the_first < 10);
    dataset_free(&data);
    trials_free(&trials);
    data_specs_free((struct data_spec *)(uintptr_t)request.spec, 1);
}

/* Sums that are added in binary32 are expected in binary16. */
static void what_is_expected_is_rounded_to_the_format_of_results(void **state)
{
    struct tolerance_request request = request_of("sum", OPERATION_sum, "uniform:n=37,format=binary16", ONE_VECTOR);
    struct tolerance_trials trials;
    size_t compared = 0, of_what_is_added = 0;
    (void)state;
    request.formats = sum_format_find("binary16");
    request.trials = 20;
    assert_int_equal(trials_make(&request, &trials), OK);
    for (; compared < trials.count; compared++) {
        struct dataset data;
        struct exact_sum exact;
        assert_int_equal(dataset_make(request.spec, 1, compared, &data), OK);
        assert_int_equal(operation_exact(OPERATION_sum, &data, (struct exact_how){0}, &exact), OK);
        assert_true(trials.items[compared].expected == exact.nearest);
        of_what_is_added += exact_round(exact.sum, &FORMAT_BINARY32) != exact.nearest;
        exact_free(&exact);
        dataset_free(&data);
    }
    assert_true(compared == 20 && of_what_is_added > 10); /* the twin */
    trials_free(&trials);
    data_specs_free((struct data_spec *)(uintptr_t)request.spec, 1);
}

/* Half of a number is cut off, however small all are: 37 halves pass as what 0 is, which a relative tolerance, the
 * twin, forbids. */
static void integers_have_no_relative_tolerance(void **state)
{
    (void)state;
    for (int is_plain = 0; is_plain < 2; is_plain++) {
        struct tolerance_request request = request_of("sum", OPERATION_sum, "uniform:n=37,high=1e6", ONE_VECTOR);
        struct tolerance tolerance;
        struct tolerance_pair relative;
        const char *why;
        request.method = method_find(is_plain ? "plain/serial" : "int32_wrap/serial");
        request.order = request.method->id;
        request.scale = request.condition = request.given.relative = NAN;
        assert_int_equal(tolerance_make(&request, &tolerance), OK);
        assert_true(tolerance.is_relative == is_plain && tolerance.written == &tolerance.lines[1]);
        assert_int_equal(tolerance.lines[1].kind, TOLERANCE_THEOREM);
        const struct theorem theorem = {.methods = {request.method}, .n = 37, .launch = request.launch};
        assert_true(theorem_pair(&theorem, &tolerance.class, true, &relative, &why));
        assert_false(tolerance_passes(relative, 0, 37 * 0.5));
        assert_true(tolerance_passes(tolerance.written->pair, 0, 37 * 0.5) == !is_plain);
        char *const limits = tolerance_paste(&tolerance, 3);
        assert_true((limits != NULL) == is_plain); /* of which no part is absolute */
        free(limits);
        tolerance_free(&tolerance);
        data_specs_free((struct data_spec *)(uintptr_t)request.spec, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parts_of_a_theorem_pass_every_correct_method),
        cmocka_unit_test(two_digits_are_the_least_that_are_no_less),
        cmocka_unit_test(the_printed_number_is_the_theorem_s_and_no_step_less),
        cmocka_unit_test(underflow_is_counted_once),
        cmocka_unit_test(a_known_tree_has_less_and_fused_products_are_held_too),
        cmocka_unit_test(faults_of_products_are_what_they_say),
        cmocka_unit_test(a_theorem_of_a_statistic_is_no_less_than_the_bound_of_any_data),
        cmocka_unit_test(an_algorithm_that_is_not_known_has_the_largest_bound),
        cmocka_unit_test(a_statistic_has_no_theorem_of_a_height),
        cmocka_unit_test(a_class_of_a_statistic_has_the_moments_of_all_data),
        cmocka_unit_test(elements_of_a_product_are_its_rows_and_columns),
        cmocka_unit_test(elements_of_a_large_product_are_spread_over_all),
        cmocka_unit_test(what_is_expected_is_rounded_to_the_format_of_results),
        cmocka_unit_test(integers_have_no_relative_tolerance),
        cmocka_unit_test(a_bound_as_large_as_the_magnitudes_is_no_claim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
