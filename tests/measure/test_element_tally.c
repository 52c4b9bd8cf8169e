/* Elements of matrix products as few rows: held against every element judged alone, in MPFR, as a dot product. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels/matmul.h"
#include "src/base/format.h"
#include "src/measure/element_tally.h"
#include "src/measure/histogram.h"
#include "src/measure/judge.h"
#include "tests/support/random.h"

#include <math.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 37, INNER = 29, COLUMNS = 41, ELEMENTS = ROWS * COLUMNS, ROWS_MOST = 256 };

/* A product in a format, and each element of it as a sum is judged. */
struct product {
    const struct method *method;
    double a[ROWS * INNER], b[INNER * COLUMNS]; /* as format_held() has them, with room */
    uint64_t bits[ELEMENTS];
    struct exact_element exact[ELEMENTS];
    struct measured judged[ELEMENTS];
    double bounds[ELEMENTS];
};

static double some_number(const struct format *format, bool with_specials)
{
    static const double specials[] = {0, -0.0, INFINITY, -INFINITY, NAN};
    if (with_specials && below(60) == 0)
        return specials[below(5)];
    return rounded_to(ldexp((double)below(4096) - 2048, (int)below(5) - 14), format);
}

static void judge_all(struct product *of)
{
    const struct format *stored = of->method->sum_format->stored;
    double row[INNER], column[INNER];
    for (uint64_t e = 0; e < ELEMENTS; e++) {
        struct exact_sum exact;
        for (uint64_t k = 0; k < INNER; k++) {
            held_set(stored, row, k, held_number(stored, of->a, e / COLUMNS * INNER + k));
            held_set(stored, column, k, held_number(stored, of->b, k * COLUMNS + e % COLUMNS));
        }
        assert_int_equal(exact_dot(stored, (struct exact_how){0}, row, column, INNER, &exact), OK);
        const struct magnitudes magnitudes = {exact.abs_above, exact.sum_abs_above, 0, NULL};
        const struct shape shape = {INNER, ROWS, COLUMNS};
        of->bounds[e] = of->method->bound(of->method, shape, (struct launch){1, 1}, &magnitudes);
        const struct promise promise = {.bound = of->bounds[e], .bound_if_finite = of->bounds[e]};
        judge_sum(&exact, of->method->format, &promise, of->bits[e], &of->judged[e]);
        exact_free(&exact);
    }
}

/* Every so many-th element has another last bit; every other one that is NaN is a number. */
static struct product *make_product(const char *id, bool with_specials, uint64_t spoiled)
{
    static struct product of;
    of.method = method_find(id);
    assert_non_null(of.method);
    const struct format *stored = of.method->sum_format->stored;
    double computed[ELEMENTS];
    for (uint64_t i = 0; i < ROWS * INNER; i++)
        held_set(stored, of.a, i, some_number(stored, with_specials));
    for (uint64_t i = 0; i < INNER * COLUMNS; i++)
        held_set(stored, of.b, i, some_number(stored, with_specials));
    const struct operands operands = {stored, of.method->operation, {of.a, of.b}, {INNER, ROWS, COLUMNS}};
    assert_int_equal(of.method->replay(of.method, &operands, (struct launch){1, 1}, 1, of.bits), OK);
    for (uint64_t e = 0; e < ELEMENTS; e++) {
        of.bits[e] ^= spoiled > 0 && e % spoiled == 0;
        if (e % 2 == 0 && isnan(format_value(of.method->format, of.bits[e])))
            of.bits[e] = format_bits(of.method->format, 1);
        held_set(of.method->format, computed, e, format_value(of.method->format, of.bits[e]));
    }
    const struct matrix_product product = {.format = stored,
                                           .result = of.method->format,
                                           .rows = ROWS,
                                           .inner = INNER,
                                           .columns = COLUMNS,
                                           .a = {of.a, INNER, 1},
                                           .b = {of.b, COLUMNS, 1},
                                           .computed = {computed, COLUMNS, 1}};
    assert_int_equal(exact_matrix(&product, 1, of.exact), OK);
    judge_all(&of);
    return &of;
}

/* Its rows from this one on. */
static void add_rows(struct element_tally *tally, const struct product *of, uint64_t row, uint64_t rows)
{
    assert_non_null(tally);
    for (uint64_t e = row * COLUMNS; e < (row + rows) * COLUMNS; e++) {
        struct measured element;
        assert_true(element_judge(&of->exact[e], of->method->format, of->bits[e], of->bounds[e], &element));
        assert_int_equal(element_tally_add(tally, &element), OK);
    }
}

static struct element_tally *tallied(const struct product *of)
{
    struct element_tally *tally = element_tally_new(of->method->format, ROWS, COLUMNS);
    add_rows(tally, of, 0, ROWS);
    return tally;
}

/* The last part has fewer rows. */
static struct element_tally *tallied_in_parts(const struct product *of, uint64_t rows)
{
    struct element_tally *tally = element_tally_new(of->method->format, ROWS, COLUMNS);
    for (uint64_t row = 0; row < ROWS; row += rows) {
        struct element_tally *part = element_tally_part(tally, row);
        add_rows(part, of, row, row + rows < ROWS ? rows : ROWS - row);
        assert_int_equal(element_tally_join(tally, part), OK);
        element_tally_free(part);
    }
    return tally;
}

static size_t rows_of(struct element_tally *tally, struct measured rows[ROWS_MOST])
{
    const size_t count = element_tally_rows(tally);
    assert_true(count > 0 && count <= ROWS_MOST);
    for (size_t r = 0; r < count; r++)
        element_tally_row(tally, r, &rows[r]);
    return count;
}

/* ---- what both say ---- */

struct said {
    uint64_t classes[CLASSES], nearest, binades[64];
    double largest[METRICS], total[METRICS], toward_0;
    uint64_t too_small;
};

static bool is_nearest(const struct format *format, const struct measured *row)
{
    const bool are_zeros = row->computed == 0 && format_value(format, row->nearest_bits) == 0;
    return are_zeros || row->computed_bits == row->nearest_bits;
}

static void say(struct said *said, const struct format *format, const struct measured *row, bool is_alone)
{
    const double error = row->metrics[METRIC_relative_error];
    const uint64_t weight = is_alone ? 1 : row->weight;
    said->classes[row->class] += weight;
    said->nearest += is_nearest(format, row) ? weight : 0;
    if (isfinite(error) && error > 0)
        said->binades[ilogb(error) & 63] += weight;
    if (fabs(row->computed) < fabs(format_value(format, row->nearest_bits)) && isfinite(error)) {
        said->too_small += weight;
        said->toward_0 += (double)weight * (weight == 1 ? error : row->means[METRIC_relative_error]);
    }
    for (int m = 0; m < METRICS; m++) {
        const double metric = row->metrics[m], mean = weight == 1 ? metric : row->means[m];
        if (isfinite(metric))
            said->largest[m] = fmax(said->largest[m], metric);
        said->total[m] += isfinite(metric) ? mean * (double)weight : 0;
    }
}

/* Errors of the tally are rounded up. */
static bool is_just_above(double above, double exact)
{
    return above >= exact && above <= exact * (1 + 0x1p-49);
}

static void same_is_said(const char *id, bool with_specials, uint64_t spoiled)
{
    const struct product *of = make_product(id, with_specials, spoiled);
    struct said all = {.nearest = 0}, few = {.nearest = 0};
    struct measured rows[ROWS_MOST];
    struct element_tally *tally = tallied(of);
    const size_t count = rows_of(tally, rows);
    for (uint64_t e = 0; e < ELEMENTS; e++)
        say(&all, of->method->format, &of->judged[e], true);
    for (size_t r = 0; r < count; r++)
        say(&few, of->method->format, &rows[r], false);
    assert_memory_equal(all.classes, few.classes, sizeof all.classes);
    assert_memory_equal(all.binades, few.binades, sizeof all.binades);
    assert_int_equal(all.nearest, few.nearest);
    assert_int_equal(all.too_small, few.too_small);
    assert_true(fabs(few.toward_0 - all.toward_0) <= 1e-12 * all.toward_0);
    for (int m = 0; m < METRICS; m++) {
        if (!is_just_above(few.largest[m], all.largest[m]))
            fail_msg("%s: the largest %s is %a, found %a", id, metric_table[m].id, all.largest[m], few.largest[m]);
        if (!(fabs(few.total[m] - all.total[m]) <= 1e-12 * all.total[m]))
            fail_msg("%s: all %s are %g, found %g", id, metric_table[m].id, all.total[m], few.total[m]);
    }
    element_tally_free(tally);
    element_tally_free(NULL); /* as where there is no memory for one */
}

static void rows_say_what_all_elements_say(void **state)
{
    static const char *const ids[] = {"matmul:plain/naive",          "matmul_exact:superacc/tile_16",
                                      "matmul:kahan/split_3",        "matmul:plain/split_4_rounded@bfloat16",
                                      "matmul_fma:plain/naive@e4m3", "matmul:plain/naive@binary64"};
    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        for (int with_specials = 0; with_specials < 2; with_specials++)
            for (uint64_t spoiled = 0; spoiled < 12; spoiled += 5)
                same_is_said(ids[i], with_specials, spoiled);
}

/* ---- in parts ---- */

static const struct measured *worst_of(const struct measured *rows, size_t count, int metric)
{
    const struct measured *worst = rows;
    for (size_t r = 1; r < count; r++)
        if (isfinite(rows[r].metrics[metric]) &&
            (!isfinite(worst->metrics[metric]) || rows[r].metrics[metric] > worst->metrics[metric] ||
             (rows[r].metrics[metric] == worst->metrics[metric] &&
              rows[r].i * COLUMNS + rows[r].j < worst->i * COLUMNS + worst->j)))
            worst = &rows[r];
    return worst;
}

static bool parts_say_the_same(const struct product *of, struct element_tally *whole, struct element_tally *parts)
{
    struct measured rows[2][ROWS_MOST];
    struct said said[2] = {{.nearest = 0}, {.nearest = 0}};
    const size_t count = rows_of(whole, rows[0]);
    bool are_same = rows_of(parts, rows[1]) == count;
    for (size_t r = 0; r < count && are_same; r++)
        for (int i = 0; i < 2; i++)
            say(&said[i], of->method->format, &rows[i][r], false);
    are_same = are_same && memcmp(said[0].classes, said[1].classes, sizeof said->classes) == 0 &&
               memcmp(said[0].binades, said[1].binades, sizeof said->binades) == 0 &&
               said[0].nearest == said[1].nearest && strcmp(element_tally_map(whole), element_tally_map(parts)) == 0;
    for (int m = 0; m < METRICS && are_same; m++) {
        const struct measured *a = worst_of(rows[0], count, m), *b = worst_of(rows[1], count, m);
        are_same = a->i == b->i && a->j == b->j && said[0].largest[m] == said[1].largest[m] &&
                   fabs(said[0].total[m] - said[1].total[m]) <= 1e-12 * said[0].total[m];
    }
    return are_same;
}

static void parts_joined_say_what_the_whole_says(void **state)
{
    static const char *const ids[] = {"matmul:plain/naive", "matmul_fma:plain/naive@e4m3"};
    (void)state;
    size_t compared = 0;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        for (int with_specials = 0; with_specials < 2; with_specials++)
            for (uint64_t rows = 1; rows <= ROWS; rows += 6, compared++) {
                struct product *of = make_product(ids[i], with_specials, 5);
                struct element_tally *whole = tallied(of), *parts = tallied_in_parts(of, rows);
                assert_true(parts_say_the_same(of, whole, parts));
                element_tally_free(parts);
                of->exact[ELEMENTS / 2].error *= 4; /* the twin */
                of->exact[ELEMENTS / 2].error += 1;
                parts = tallied_in_parts(of, rows);
                assert_false(parts_say_the_same(of, whole, parts));
                element_tally_free(parts);
                element_tally_free(whole);
            }
    assert_int_equal(compared, 28);
}

/* ---- the worst elements ---- */

static void each_row_is_an_element(void **state)
{
    (void)state;
    const struct product *of = make_product("matmul:plain/split_2@bfloat16", true, 7);
    struct element_tally *tally = tallied(of);
    struct measured rows[ROWS_MOST];
    const size_t count = rows_of(tally, rows);
    for (size_t r = 0; r < count; r++) {
        const struct measured *judged = &of->judged[rows[r].i * COLUMNS + rows[r].j];
        assert_true(format_same(of->method->format, rows[r].computed_bits, judged->computed_bits));
        assert_true(format_same(of->method->format, rows[r].nearest_bits, judged->nearest_bits));
        assert_int_equal(rows[r].class, judged->class);
        assert_true(rows[r].bound == judged->bound);
        for (size_t other = 0; other < r; other++)
            assert_false(rows[other].i == rows[r].i && rows[other].j == rows[r].j);
    }
    element_tally_free(tally);
}

static void one_wrong_element_has_a_row(void **state)
{
    (void)state;
    struct product *of = make_product("matmul_exact:superacc/naive", false, 0);
    const uint64_t wrong = 5 * COLUMNS + 11;
    of->bits[wrong] ^= 4;
    of->exact[wrong].error += format_value(of->method->format, of->bits[wrong]) - of->judged[wrong].computed;
    struct element_tally *tally = tallied(of);
    struct measured rows[ROWS_MOST], *worst = NULL;
    const size_t count = rows_of(tally, rows);
    for (size_t r = 0; r < count; r++)
        if (!worst || rows[r].metrics[METRIC_ulp_error] > worst->metrics[METRIC_ulp_error])
            worst = &rows[r];
    assert_int_equal(worst->i, 5);
    assert_int_equal(worst->j, 11);
    assert_int_equal(worst->weight, 1);
    assert_true(worst->metrics[METRIC_ulp_error] > 3);
    element_tally_free(tally);
}

/* 40 errors of one binade, and a large one that comes first, in the middle, or last. */
static void a_large_error_takes_nothing_from_the_mean_of_the_others(void **state)
{
    (void)state;
    for (uint64_t large = 0; large < 41; large += 20) {
        struct element_tally *tally = element_tally_new(&FORMAT_BINARY64, 41, 1);
        struct measured rows[ROWS_MOST];
        double total[METRICS] = {0}, expected[METRICS] = {0};
        uint64_t weight = 0;
        for (uint64_t e = 0; e < 41; e++) {
            struct measured element = {
                .class = CLASS_FINITE, .computed = 1, .computed_bits = double_bits(1), .bound = 1};
            for (int m = 0; m < METRICS; m++) {
                element.metrics[m] = 0x1p-60 * (e == large && m == METRIC_abs_error ? 0x1p90 : 1 + (double)e * 0x1p-10);
                expected[m] += e == large ? 0 : element.metrics[m];
            }
            assert_int_equal(element_tally_add(tally, &element), OK);
        }
        const size_t count = rows_of(tally, rows);
        for (size_t r = 0; r < count; r++)
            for (int m = 0; m < METRICS && rows[r].i != large; m++)
                total[m] += rows[r].weight == 1 ? rows[r].metrics[m] : (double)rows[r].weight * rows[r].means[m];
        for (size_t r = 0; r < count; r++)
            weight += rows[r].weight;
        assert_int_equal(weight, 41);
        for (int m = 0; m < METRICS; m++)
            assert_true(fabs(total[m] - expected[m]) <= 1e-14 * expected[m]);
        element_tally_free(tally);
    }
}

/* 2^-1030 as a quotient of what was rounded up may be 2^-1030 + 2^-1074, and what is below 2^-960 may have few bits. */
static void an_element_whose_numbers_have_few_bits_is_not_judged(void **state)
{
    (void)state;
    struct exact_element exact = {EXACT_FINITE, 0x1p130, 0x1p78, 0x1p130, 0x1p130, 0x1p-890};
    struct measured row;
    assert_true(element_judge(&exact, &FORMAT_BINARY64, double_bits(0x1p130), 1, &row)); /* the twin: 2^-1020 */
    exact.error = -0x1p-900;
    assert_false(element_judge(&exact, &FORMAT_BINARY64, double_bits(0x1p130), 1, &row));
    exact = (struct exact_element){EXACT_FINITE, 1, 0x1p-52, 1, 1, 0x1p-961};
    assert_false(element_judge(&exact, &FORMAT_BINARY64, double_bits(1), 0x1p-961, &row));
    exact = (struct exact_element){EXACT_FINITE, 1, 0x1p-52, 1, INFINITY, 0x1p-52};
    assert_false(element_judge(&exact, &FORMAT_BINARY64, double_bits(1), 1, &row));
}

/* Equal bits, which are not those of the NaN that s rounds to. */
static void a_nan_that_is_right_shares_no_row_with_one_that_is_wrong(void **state)
{
    (void)state;
    struct element_tally *tally = element_tally_new(&FORMAT_BINARY64, 3, 1);
    for (int e = 0; e < 3; e++) {
        const double exact = e == 0 ? 1 : NAN;
        struct measured element = {.class = CLASS_NAN, .computed = NAN, .computed_bits = UINT64_C(0xfff8) << 48};
        element.nearest_bits = format_bits(&FORMAT_BINARY64, exact);
        for (int m = 0; m < METRICS; m++)
            element.metrics[m] = NAN;
        assert_int_equal(element_tally_add(tally, &element), OK);
    }
    struct measured rows[ROWS_MOST];
    assert_int_equal(rows_of(tally, rows), 2);
    assert_true(rows[0].weight == 1 && rows[1].weight == 2);
    element_tally_free(tally);
}

/* ---- digest and map ---- */

static void the_digest_is_that_of_all_bits(void **state)
{
    (void)state;
    char digests[3][DIGEST_TEXT];
    for (int i = 0; i < 3; i++) {
        seed_random(9);
        struct product *of = make_product("matmul:plain/naive@bfloat16", false, 0);
        of->bits[ELEMENTS - 1] ^= i == 2; /* the twin */
        digest_of(of->method->format, of->bits, ELEMENTS, digests[i]);
        if (i == 0) {
            uint8_t stored[2 * ELEMENTS], digest[SHA256_DIGEST_SIZE];
            struct sha256_ctx hash;
            char text[65];
            for (int e = 0; e < ELEMENTS; e++) {
                stored[2 * e] = (uint8_t)of->bits[e];
                stored[2 * e + 1] = (uint8_t)(of->bits[e] >> 8);
            }
            sha256_init(&hash);
            sha256_update(&hash, sizeof stored, stored);
            sha256_digest(&hash, sizeof digest, digest);
            for (size_t d = 0; d < sizeof digest; d++)
                snprintf(text + 2 * d, 3, "%02x", digest[d]);
            assert_string_equal(digests[0], text);
        }
    }
    assert_string_equal(digests[0], digests[1]);
    assert_string_not_equal(digests[0], digests[2]);
    assert_int_equal(digest_bits("0123456789abcdef0"), 0x0123456789abcdef);
}

/* What stands in the cell of an element; "0123..." is one row of a map. */
static char cell_of(const char *map, uint64_t i, uint64_t j)
{
    const uint64_t across = COLUMNS < 32 ? COLUMNS : 32, down = ROWS < 32 ? ROWS : 32;
    return map[i * down / ROWS * (across + 1) + j * across / COLUMNS];
}

static void the_map_shows_where_errors_are(void **state)
{
    (void)state;
    struct product *of = make_product("matmul_exact:superacc/naive", false, 0);
    for (uint64_t e = 0; e < ELEMENTS; e++)
        of->exact[e].error = 0;
    of->exact[20 * COLUMNS + 30].error = of->exact[20 * COLUMNS + 30].sum_abs_above * 0x1.8p-24; /* 3/2 u */
    of->bits[3 * COLUMNS] = 0x7fc00000;
    struct element_tally *tally = tallied(of);
    const char *map = element_tally_map(tally);
    assert_int_equal(strlen(map), 32 * 33 - 1);
    assert_int_equal(cell_of(map, 20, 30), 'n');
    assert_int_equal(cell_of(map, 3, 0), '!');
    size_t zeros = 0, spaces = 0;
    for (const char *c = map; *c; c++) {
        zeros += *c == '0';
        spaces += *c == ' ';
    }
    assert_int_equal(zeros, 32 * 32 - 2);
    assert_int_equal(spaces, 31);
    element_tally_free(tally);
}

int main(void)
{
    seed_random(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_say_what_all_elements_say),
        cmocka_unit_test(parts_joined_say_what_the_whole_says),
        cmocka_unit_test(each_row_is_an_element),
        cmocka_unit_test(one_wrong_element_has_a_row),
        cmocka_unit_test(the_digest_is_that_of_all_bits),
        cmocka_unit_test(the_map_shows_where_errors_are),
        cmocka_unit_test(an_element_whose_numbers_have_few_bits_is_not_judged),
        cmocka_unit_test(a_large_error_takes_nothing_from_the_mean_of_the_others),
        cmocka_unit_test(a_nan_that_is_right_shares_no_row_with_one_that_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
