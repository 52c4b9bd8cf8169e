/* Four answers to every sum, by code that shares nothing: the reference and those of opinions.h.  And the same answer
 * for every order of the terms, and however the work is cut.
 */
#include "datasets/dataset.h"
#include "opinions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { INPUTS_LEAST = 100000, ROUNDS = 4100 };

static struct exact_sum sum_of(const struct input *input)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum(input->format, &input->x, input->n, &exact), OK);
    return exact;
}

static bool has_sum(const struct input *input, const struct exact_sum *exact)
{
    struct exact_sum own = sum_of(input);
    const bool same = !exact_difference(&own, exact);
    exact_free(&own);
    return same;
}

/* ---- orders ---- */

static void reverse(struct input *input)
{
    for (size_t i = 0; i < input->n / 2; i++) {
        const double first = term_of(input, i);
        set_term(input, i, term_of(input, input->n - 1 - i));
        set_term(input, input->n - 1 - i, first);
    }
}

/* By magnitude, where pairs that cancel are neighbours. */
static int by_magnitude(const void *a, const void *b)
{
    const uint64_t bits_a = double_bits(*(const double *)a), bits_b = double_bits(*(const double *)b);
    return bits_a << 1 < bits_b << 1 ? -1 : bits_a << 1 > bits_b << 1 ? 1 : (bits_a > bits_b) - (bits_a < bits_b);
}

static void sort(struct input *input)
{
    static double sorted[LENGTH_MOST];
    for (size_t i = 0; i < input->n; i++)
        sorted[i] = term_of(input, i);
    qsort(sorted, input->n, sizeof *sorted, by_magnitude);
    for (size_t i = 0; i < input->n; i++)
        set_term(input, i, sorted[i]);
}

static void mix(struct input *input)
{
    shuffle(input->format, &input->x, input->n);
}

static const struct {
    const char *name;
    void (*apply)(struct input *input);
} orders[] = {{"reversed", reverse}, {"sorted", sort}, {"shuffled", mix}};

/* Leaves the input in another order. */
static void compare(struct input *input, const char *data, size_t round)
{
    struct exact_sum exact = sum_of(input);
    const char *difference = disagreement(input, &exact);
    if (difference)
        fail_msg("%s, %s, round %zu, n = %zu: not the same %s", data, input->format->name, round, input->n, difference);
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        orders[i].apply(input);
        if (!has_sum(input, &exact))
            fail_msg("%s, %s, round %zu, n = %zu: another sum when %s", data, input->format->name, round, input->n,
                     orders[i].name);
    }
    exact_free(&exact);
}

/* ---- the inputs ---- */

static struct input input;

static size_t compare_adversarial(void)
{
    size_t inputs = 0;
    seed_random(1);
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t which = 0; which < FILLS; which++)
            for (size_t f = 0; f < COUNT_OF(data_formats); f++, inputs++) {
                fill_input(&input, data_formats[f], which, some_length(round));
                if (below(4) == 0)
                    sprinkle(&input);
                compare(&input, "adversarial", round);
            }
    return inputs;
}

/* The family's data; in binary64 x_i x_(n-1-i), which fill its significand. */
static void fill_from_family(const struct dataset *data, const struct format *format)
{
    const float *x = data->x;
    input.format = format;
    input.n = data->n;
    for (size_t i = 0; i < input.n; i++)
        set_term(&input, i, is_binary32(format) ? (double)x[i] : (double)x[i] * (double)x[input.n - 1 - i]);
}

static size_t compare_family(const struct generator *family, uint64_t n)
{
    struct data_spec *specs;
    struct dataset data;
    size_t count, inputs = 0;
    char text[64];
    snprintf(text, sizeof text, "%s:n=%llu", family->id, (unsigned long long)n);
    assert_int_equal(data_specs_read(text, "test", NONFINITE_IEEE, &specs, &count), OK);
    for (uint64_t trial = 0; trial < (family->random ? n < 1000 ? 40 : 4 : 1); trial++) {
        assert_int_equal(dataset_make(specs, 1, trial, &data), OK);
        for (size_t f = 0; f < COUNT_OF(data_formats); f++, inputs++) {
            fill_from_family(&data, data_formats[f]);
            compare(&input, family->id, trial);
        }
        dataset_free(&data);
    }
    data_specs_free(specs, count);
    return inputs;
}

static size_t compare_families(void)
{
    const uint64_t lengths[] = {5, 8, 31, 64, 100, 257, 1000, LENGTH_MOST};
    size_t families, inputs = 0;
    const struct generator *const *table = generator_table(&families);
    seed_random(2);
    for (size_t k = 0; k < families; k++)
        for (size_t l = 0; l < COUNT_OF(lengths); l++)
            if (lengths[l] >= table[k]->least_n)
                inputs += compare_family(table[k], lengths[l]);
    return inputs;
}

static void four_answers_are_equal_in_every_order(void **state)
{
    (void)state;
    const size_t adversarial = compare_adversarial(), families = compare_families();
    print_message("%zu adversarial inputs and %zu of all families: four answers, each in %zu more orders\n",
                  adversarial, families, COUNT_OF(orders));
    assert_true(adversarial + families >= INPUTS_LEAST);
}

/* ---- the twins: what must be seen ---- */

static void move_by_an_ulp(struct input *spoiled, size_t i)
{
    const double x = term_of(spoiled, i);
    set_term(spoiled, i, is_binary32(spoiled->format) ? (double)nextafterf((float)x, 0) : nextafter(x, 0));
}

static void flip_sign(struct input *spoiled, size_t i)
{
    set_term(spoiled, i, -term_of(spoiled, i));
}

static void leave_out(struct input *spoiled, size_t i)
{
    spoiled->n--;
    set_term(spoiled, i, term_of(spoiled, spoiled->n));
}

/* A term that is not 0; n if there is none. */
static size_t some_term(const struct input *from)
{
    const size_t start = from->n > 0 ? below(from->n) : 0;
    for (size_t i = 0; i < from->n; i++)
        if (term_of(from, (start + i) % from->n) != 0)
            return (start + i) % from->n;
    return from->n;
}

static void every_opinion_sees_one_term_that_is_spoiled(void **state)
{
    (void)state;
    static void (*const faults[])(struct input *, size_t) = {move_by_an_ulp, flip_sign, leave_out};
    static struct input spoiled;
    size_t seen = 0;
    seed_random(3);
    for (size_t round = 0; round < 3000; round++) {
        fill_input(&input, data_formats[round % 2], round / 2 % FILLS, some_length(round));
        const size_t term = some_term(&input);
        if (term == input.n)
            continue;
        struct exact_sum exact = sum_of(&input);
        for (size_t fault = 0; fault < COUNT_OF(faults); fault++, seen++) {
            spoiled = input;
            faults[fault](&spoiled, term);
            assert_non_null(disagreement(&spoiled, &exact));
            assert_false(has_sum(&spoiled, &exact));
            for (size_t i = 0; i < OPINIONS; i++)
                assert_false(opinion_agrees(i, &spoiled, &exact));
        }
        exact_free(&exact);
    }
    assert_true(seen > 5000);
}

static void comparison_sees_every_field_that_is_spoiled(void **state)
{
    (void)state;
    const double special[] = {INFINITY, -0.0, 1, 0x1p-149, NAN};
    for (input.n = 3; input.n <= COUNT_OF(special); input.n++) {
        input.format = data_formats[input.n % 2];
        for (size_t i = 0; i < input.n; i++)
            set_term(&input, i, special[input.n % 2 ? i : i + 1 < input.n ? i + 1 : 1]);
        for (size_t field = 0; field < EXACT_FIELDS; field++) {
            struct exact_sum exact = sum_of(&input);
            assert_null(disagreement(&input, &exact));
            spoil_field(&exact, &exact_fields[field]);
            assert_string_equal(disagreement(&input, &exact), exact_fields[field].name);
            exact_free(&exact);
        }
    }
}

/* A sum less than an ulp away is another sum, and zeros differ in their sign. */
static void comparison_sees_the_last_bit_of_a_sum_and_the_sign_of_a_zero(void **state)
{
    (void)state;
    input.format = &FORMAT_BINARY64;
    input.x.binary64[0] = 0x1p1023;
    for (int zero = 0; zero <= 1; zero++) {
        input.n = zero ? 0 : 1;
        struct exact_sum exact = sum_of(&input), other = sum_of(&input);
        if (zero)
            mpfr_neg(other.sum, other.sum, MPFR_RNDN);
        else
            mpfr_nextabove(other.sum);
        assert_string_equal(exact_difference(&exact, &other), "sum");
        assert_string_equal(disagreement(&input, &other), "sum");
        mpfr_set(other.sum, exact.sum, MPFR_RNDN);
        mpfr_nextabove(other.sum_abs);
        assert_string_equal(disagreement(&input, &other), "sum_abs");
        exact_free(&exact);
        exact_free(&other);
    }
}

static void integers_see_a_rounding_that_is_an_ulp_away(void **state)
{
    (void)state;
    seed_random(4);
    for (size_t round = 0; round < 2000; round++) {
        fill_input(&input, data_formats[round % 2], round / 2 % FILLS, some_length(round));
        struct exact_sum exact = sum_of(&input);
        for (size_t i = 0; i < RESULT_FORMATS; i++) {
            const double rounded = exact_round(exact.sum, result_formats[i]);
            assert_true(integers_round_to(&input, result_formats[i], rounded));
            assert_false(integers_round_to(&input, result_formats[i], nextafter(rounded, rounded > 0 ? 0 : 1)));
        }
        exact_free(&exact);
    }
}

/* ---- however the work is cut ---- */

/* In pieces, some of them empty, of the first n terms. */
static struct exact_sum sum_in_pieces(const struct input *from, size_t n, struct exact_how how)
{
    struct exact_stream *stream;
    struct exact_sum exact;
    assert_int_equal(exact_stream_new(from->format, how, &stream), OK);
    for (size_t done = 0, piece; done < n; done += piece) {
        piece = below(2) ? below(n - done + 1) : below(3) % (n - done + 1);
        assert_int_equal(exact_stream_add(stream, (const char *)&from->x + done * from->format->bytes, piece), OK);
    }
    assert_int_equal(exact_stream_end(stream, &exact), OK);
    return exact;
}

static void threads_pieces_and_verification_change_nothing(void **state)
{
    (void)state;
    seed_random(5);
    for (size_t round = 0; round < 6000; round++) {
        const struct exact_how how = {.workers = (unsigned)(round % 4), .verify = round % 16 == 0};
        fill_input(&input, data_formats[round / 4 % 2], round / 8 % FILLS, some_length(round / 8));
        if (below(4) == 0)
            sprinkle(&input);
        struct exact_sum exact = sum_of(&input), other;
        assert_int_equal(exact_sum_how(input.format, how, &input.x, input.n, &other), OK);
        assert_null(exact_difference(&exact, &other));
        exact_free(&other);
        other = sum_in_pieces(&input, input.n, how);
        assert_null(exact_difference(&exact, &other));
        exact_free(&other);
        exact_free(&exact);
    }
}

/* The twin: a stream that did not get its last term. */
static void sum_in_pieces_without_the_last_term_is_another(void **state)
{
    (void)state;
    seed_random(6);
    for (size_t round = 0; round < 1000; round++) {
        fill_input(&input, data_formats[round % 2], round / 2 % FILLS, 1 + some_length(1 + round) % 100);
        struct exact_sum exact = sum_of(&input), other = sum_in_pieces(&input, input.n - 1, (struct exact_how){0});
        assert_non_null(exact_difference(&exact, &other));
        exact_free(&other);
        exact_free(&exact);
    }
}

/* Long enough for three threads to get a part; all of the first or of the last part are zeros, or neither; the last
 * terms are special, or not. */
static void fill_long(const struct format *format, size_t which, void *x, size_t n)
{
    const uint64_t stretch = below(3);
    const size_t begin = stretch == 1 ? n / 2 : 0, end = stretch == 0 ? 0 : stretch == 1 ? n : n / 2;
    fills[which](format, x, n);
    for (size_t i = begin; i < end; i++)
        set_element(format, x, i, i % 2 ? 0.0 : -0.0);
    for (size_t i = below(2) ? n : n - 5; i < n; i++)
        set_element(format, x, i, below(2) ? INFINITY : (double)NAN);
}

static void threads_share_long_data(void **state)
{
    (void)state;
    const size_t most = 450000;
    void *const x = malloc(most * sizeof(double));
    assert_non_null(x);
    seed_random(7);
    for (size_t round = 0; round < 2 * FILLS; round++) {
        const struct format *const format = data_formats[round % 2];
        const size_t n = most - below(40000);
        struct exact_sum exact, other;
        fill_long(format, round / 2, x, n);
        assert_int_equal(exact_sum_how(format, (struct exact_how){.verify = true}, x, n, &exact), OK);
        for (unsigned workers = 0; workers <= 3; workers++) {
            assert_int_equal(exact_sum_how(format, (struct exact_how){.workers = workers}, x, n, &other), OK);
            assert_null(exact_difference(&exact, &other));
            exact_free(&other);
        }
        set_element(format, x, n / 2, element_of(format, x, n / 2) == 1 ? 2 : 1); /* the twin: one term is another */
        assert_int_equal(exact_sum_how(format, (struct exact_how){.workers = 3}, x, n, &other), OK);
        assert_non_null(exact_difference(&exact, &other));
        exact_free(&other);
        exact_free(&exact);
    }
    free(x);
}

/* n x by a multiplication, which no counter takes part in. */
static bool is_product(const struct exact_sum *exact, size_t n, double x)
{
    mpfr_t product;
    mpfr_init2(product, 53 + 64);
    assert_int_equal(mpfr_set_d(product, x, MPFR_RNDN), 0);
    assert_int_equal(mpfr_mul_ui(product, product, n, MPFR_RNDN), 0);
    const bool sum = mpfr_equal_p(exact->sum, product) != 0;
    const bool sum_abs = mpfr_cmpabs(exact->sum_abs, product) == 0;
    mpfr_clear(product);
    return sum && sum_abs;
}

/* 2^22 equal terms are more than the counters of one exponent hold in binary32, 65,535 each. */
static void sum_of_equal_terms_is_their_number_times_one(void **state)
{
    (void)state;
    const size_t most = (1 << 22) + 100;
    const float terms[] = {0x1.fffffep127f, -0x1.fffffep127f, 1, -0x1p-149f, 0x1.fffffcp-127f};
    float *const x = malloc(most * sizeof *x);
    assert_non_null(x);
    seed_random(8);
    for (size_t k = 0; k < COUNT_OF(terms); k++) {
        const size_t n = most - below(100);
        struct exact_sum exact;
        for (size_t i = 0; i < n; i++)
            x[i] = terms[k];
        assert_int_equal(exact_sum(&FORMAT_BINARY32, x, n, &exact), OK);
        assert_true(is_product(&exact, n, (double)terms[k]));
        assert_false(is_product(&exact, n + 1, (double)terms[k]));
        exact_free(&exact);
    }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_answers_are_equal_in_every_order),
        cmocka_unit_test(every_opinion_sees_one_term_that_is_spoiled),
        cmocka_unit_test(comparison_sees_every_field_that_is_spoiled),
        cmocka_unit_test(comparison_sees_the_last_bit_of_a_sum_and_the_sign_of_a_zero),
        cmocka_unit_test(integers_see_a_rounding_that_is_an_ulp_away),
        cmocka_unit_test(threads_pieces_and_verification_change_nothing),
        cmocka_unit_test(threads_share_long_data),
        cmocka_unit_test(sum_of_equal_terms_is_their_number_times_one),
        cmocka_unit_test(sum_in_pieces_without_the_last_term_is_another),
    };
    return cmocka_run_group_tests_name("opinions", tests, NULL, NULL);
}
