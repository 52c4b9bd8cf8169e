/* The orders of ranks have no kernel (kernels/ranks.h), so their golden bits, tests/golden/ranks.txt, are those of
 * replays: a fingerprint for each order and format of sums, of the accumulators that its first line names.  One that
 * it lacks is named.  `test_golden_ranks --print` writes it, of all. */
#include "golden_grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST_N = 257, LINES_MOST = 128, LINE_SIZE = 512 };

/* Ranks: fewer than a power of two and one more; several numbers each, or one, or none. */
static const struct launch launches[] = {{5, 1}, {24, 1}};
enum { LAUNCHES = sizeof launches / sizeof *launches };

struct words {
    golden_word *of;
    size_t count;
};

/* " plain kahan \n" */
static char golden_names[LINE_SIZE];

static bool is_golden(const char *accumulator)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", accumulator);
    return strstr(golden_names, word) != NULL;
}

static bool is_in_order(const struct method *method, const char *order)
{
    return method->order_traits->has_no_kernel && method->role != MEASURES_ON_HOST && strcmp(method->order, order) == 0;
}

static bool is_of_ranks(const struct method *method, const char *order)
{
    return is_in_order(method, order) && is_golden(method->accumulator);
}

/* Of all accumulators. */
static void write_names(char names[LINE_SIZE])
{
    size_t methods, length = 0;
    const struct method *const *table = golden_methods((struct golden_table){OPERATION_sum, sum_formats[0]}, &methods);
    for (size_t m = 0; m < methods; m++)
        if (is_in_order(table[m], "ranks_ring"))
            length += (size_t)snprintf(names + length, LINE_SIZE - length, " %s", table[m]->accumulator);
    snprintf(names + length, LINE_SIZE - length, " \n");
}

static void add_results(struct words *words, const struct golden_data *data, const char *order)
{
    size_t methods;
    const struct method *const *table = golden_methods(data->of, &methods);
    words->of = realloc(words->of, (words->count + methods * data->count * LAUNCHES) * sizeof *words->of);
    assert_non_null(words->of);
    for (size_t m = 0; m < methods; m++)
        for (size_t k = 0; is_of_ranks(table[m], order) && k < data->count * LAUNCHES; k++) {
            const struct dataset *set = &data->sets[k / LAUNCHES].data;
            if (set->n <= LARGEST_N)
                assert_int_equal(
                    golden_compute_one(table[m], set, set->n, launches[k % LAUNCHES], NULL, &words->of[words->count++]),
                    OK);
        }
}

/* "ranks_ring@bfloat16 0123456789abcdef" */
static void write_line(const char *order, const struct sum_format *sum_format, char line[LINE_SIZE])
{
    const struct golden_table of = {OPERATION_sum, sum_format};
    struct words words = {0};
    char fingerprint[FINGERPRINT_TEXT];
    for (size_t part = 0; part < golden_parts(of); part++) {
        struct golden_data data;
        assert_int_equal(golden_data_make(of, part, GOLDEN_FILE, &data), OK);
        add_results(&words, &data, order);
        golden_data_free(&data);
    }
    assert_true(words.count > (sum_format_saturates(sum_format) ? 100 : 1000)); /* plain and height alone */
    golden_fingerprint(sum_format->result, words.of, words.count, fingerprint);
    snprintf(line, LINE_SIZE, "%s@%s %s\n", order, sum_format->id, fingerprint);
    free(words.of);
}

/* All lines there are, in the order of the tables. */
static size_t write_lines(char lines[][LINE_SIZE])
{
    size_t methods, count = 0;
    for (int f = 0; f < SUM_FORMATS; f++) {
        const struct method *const *table =
            golden_methods((struct golden_table){OPERATION_sum, sum_formats[f]}, &methods);
        for (size_t m = 0; m < methods; m++)
            if (strcmp(table[m]->accumulator, "plain") == 0 && is_of_ranks(table[m], table[m]->order))
                write_line(table[m]->order, sum_formats[f], lines[count++]);
    }
    assert_true(count <= LINES_MOST);
    return count;
}

static void golden_bits_are_of_accumulators_that_there_are(void **state)
{
    char names[LINE_SIZE];
    size_t found = 0, golden = 0;
    (void)state;
    write_names(names);
    for (const char *name = strtok(names, " \n"); name; name = strtok(NULL, " \n")) {
        found += is_golden(name);
        if (!is_golden(name))
            print_message("tests/golden/ranks.txt lacks %s: --print writes it\n", name);
    }
    for (const char *c = golden_names + 1; *c; c++)
        golden += *c == ' ';
    assert_int_equal(found, golden);
    assert_true(golden >= 17);
}

static void every_order_of_ranks_has_its_golden_bits(void **state)
{
    static char lines[LINES_MOST][LINE_SIZE];
    char golden[LINE_SIZE];
    const size_t count = write_lines(lines);
    size_t different = 0;
    FILE *file = fopen(SOURCE_DIRECTORY "/tests/golden/ranks.txt", "r");
    (void)state;
    assert_non_null(file);
    assert_string_equal(fgets(golden, sizeof golden, file), golden_names);
    for (size_t k = 0; k < count; k++) {
        const bool is_same = fgets(golden, sizeof golden, file) && strcmp(golden, lines[k]) == 0;
        different += !is_same;
        if (!is_same)
            print_message("now %stests/golden/ranks.txt has %s", lines[k], golden);
    }
    assert_int_equal(different, 0);
    assert_null(fgets(golden, sizeof golden, file));
    fclose(file);
}

/* Their additions are the same in other orders: what tells them apart is the bits. */
static void orders_have_different_fingerprints(void **state)
{
    (void)state;
    char ring[LINE_SIZE], binomial[LINE_SIZE], doubling[LINE_SIZE], rabenseifner[LINE_SIZE];
    write_line("ranks_ring", &sum_format_bfloat16, ring);
    write_line("ranks_binomial", &sum_format_bfloat16, binomial);
    write_line("ranks_recursive_doubling", &sum_format_bfloat16, doubling);
    write_line("ranks_rabenseifner", &sum_format_bfloat16, rabenseifner);
    assert_string_not_equal(strchr(ring, ' '), strchr(binomial, ' '));
    assert_string_not_equal(strchr(binomial, ' '), strchr(doubling, ' '));
    assert_string_equal(strchr(doubling, ' '), strchr(rabenseifner, ' '));
}

static int read_names(void **state)
{
    FILE *file = fopen(SOURCE_DIRECTORY "/tests/golden/ranks.txt", "r");
    (void)state;
    if (!file || !fgets(golden_names, LINE_SIZE, file))
        return -1;
    return fclose(file);
}

static int print_lines(void)
{
    static char lines[LINES_MOST][LINE_SIZE];
    write_names(golden_names);
    fputs(golden_names, stdout);
    const size_t count = write_lines(lines);
    for (size_t k = 0; k < count; k++)
        fputs(lines[k], stdout);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_bits_are_of_accumulators_that_there_are),
        cmocka_unit_test(every_order_of_ranks_has_its_golden_bits),
        cmocka_unit_test(orders_have_different_fingerprints),
    };
    if (argc > 1 && strcmp(argv[1], "--print") == 0)
        return print_lines();
    return cmocka_run_group_tests(tests, read_names, NULL);
}
