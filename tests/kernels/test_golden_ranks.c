/* The orders of ranks have no kernel (kernels/ranks.h), so their golden bits, tests/golden/ranks.txt, are those of
 * replays: a fingerprint for each method, so that an accumulator or an order that is added changes no line.  One that
 * it lacks is named.  `test_golden_ranks --print` writes it, of all. */
#include "golden_grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST_N = 257, LINES_MOST = 4096, LINE_SIZE = 128, WORDS_LEAST = 50, GOLDEN_LEAST = 1000 };

/* Ranks: fewer than a power of two and one more; several numbers each, or one, or none. */
static const struct launch launches[] = {{5, 1}, {24, 1}};
enum { LAUNCHES = sizeof launches / sizeof *launches };

/* "kahan/ranks_ring@bfloat16 0123456789abcdef\n", and what is computed for it. */
struct line {
    const struct method *method;
    golden_word *words;
    size_t count;
    char text[LINE_SIZE];
};
static struct line lines[LINES_MOST];
static size_t line_count;

static void compute(struct line *line, const struct golden_data *data)
{
    line->words = realloc(line->words, (line->count + data->count * LAUNCHES) * sizeof *line->words);
    assert_non_null(line->words);
    for (size_t k = 0; k < data->count * LAUNCHES; k++) {
        const struct dataset *set = &data->sets[k / LAUNCHES].data;
        if (set->n <= LARGEST_N)
            assert_int_equal(golden_compute_one(line->method, set, set->n, launches[k % LAUNCHES], NULL,
                                                &line->words[line->count++]),
                             OK);
    }
}

/* All methods of ranks in a format. */
static void compute_format(const struct sum_format *sum_format)
{
    const struct golden_table of = {OPERATION_sum, sum_format};
    struct line *first = &lines[line_count];
    size_t methods;
    const struct method *const *table = golden_methods(of, &methods);
    for (size_t m = 0; m < methods; m++)
        if (table[m]->order_traits->has_no_kernel && table[m]->role != MEASURES_ON_HOST) {
            assert_true(line_count < LINES_MOST);
            lines[line_count++].method = table[m];
        }
    for (size_t part = 0; part < golden_parts(of); part++) {
        struct golden_data data;
        assert_int_equal(golden_data_make(of, part, GOLDEN_FILE, &data), OK);
        for (struct line *line = first; line < &lines[line_count]; line++)
            compute(line, &data);
        golden_data_free(&data);
    }
    for (struct line *line = first; line < &lines[line_count]; line++) {
        char fingerprint[FINGERPRINT_TEXT];
        assert_true(line->count >= WORDS_LEAST);
        golden_fingerprint(sum_format->result, line->words, line->count, fingerprint);
        snprintf(line->text, LINE_SIZE, "%s %s\n", line->method->id, fingerprint);
        free(line->words);
    }
}

static int compute_all(void **state)
{
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++)
        compute_format(sum_formats[f]);
    return 0;
}

static const char *line_of(const char *method)
{
    for (size_t k = 0; k < line_count; k++)
        if (strcmp(lines[k].method->id, method) == 0)
            return lines[k].text;
    fail_msg("there is no %s", method);
    return "";
}

static void methods_of_ranks_have_their_golden_bits(void **state)
{
    char golden[LINE_SIZE], id[LINE_SIZE];
    size_t compared = 0, different = 0;
    FILE *file = fopen(SOURCE_DIRECTORY "/tests/golden/ranks.txt", "r");
    (void)state;
    assert_non_null(file);
    while (fgets(golden, sizeof golden, file)) {
        assert_int_equal(sscanf(golden, "%127s", id), 1);
        const bool is_same = strcmp(golden, line_of(id)) == 0;
        different += !is_same;
        compared++;
        if (!is_same)
            print_message("now %stests/golden/ranks.txt has %s", line_of(id), golden);
    }
    fclose(file);
    assert_int_equal(different, 0);
    if (compared < line_count)
        print_message("tests/golden/ranks.txt lacks %zu methods: --print writes all\n", line_count - compared);
    assert_true(compared >= GOLDEN_LEAST);
}

static const char *fingerprint_of(const char *method)
{
    return strchr(line_of(method), ' ');
}

/* Their additions are the same in other orders: what tells them apart is the bits. */
static void orders_have_different_fingerprints(void **state)
{
    (void)state;
    assert_string_not_equal(fingerprint_of("plain/ranks_ring@bfloat16"),
                            fingerprint_of("plain/ranks_binomial@bfloat16"));
    assert_string_not_equal(fingerprint_of("plain/ranks_binomial@bfloat16"),
                            fingerprint_of("plain/ranks_recursive_doubling@bfloat16"));
    assert_string_equal(fingerprint_of("plain/ranks_recursive_doubling@bfloat16"),
                        fingerprint_of("plain/ranks_rabenseifner@bfloat16"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_of_ranks_have_their_golden_bits),
        cmocka_unit_test(orders_have_different_fingerprints),
    };
    if (argc == 1 || strcmp(argv[1], "--print") != 0)
        return cmocka_run_group_tests(tests, compute_all, NULL);
    compute_all(NULL);
    for (size_t k = 0; k < line_count; k++)
        fputs(lines[k].text, stdout);
    return 0;
}
