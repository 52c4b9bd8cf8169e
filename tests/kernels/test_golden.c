/* The bits that kernels gave on a GPU are committed as fingerprints, tests/golden/h200.txt: the replays here give the
 * same.  A method that has no line yet is named; it gets one when golden_bits runs on a GPU again. */
#include "golden_grid.h"

#include "src/base/format.h"
#include "src/base/workers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINE_SIZE = 1024, WORD_SIZE = 128 };

/* One line: kahan/tree_two_pass gensum 0123456789abcdef */
struct line {
    char method[WORD_SIZE], part[WORD_SIZE], fingerprint[WORD_SIZE];
    bool used;
};

struct golden_file {
    struct line *lines;
    size_t count, promised; /* by the header */
    bool of_a_host;
};

enum verdict { NO_LINE, SAME, DIFFERENT };

static bool read_line(const char *text, struct line *line)
{
    char more;
    *line = (struct line){0};
    return sscanf(text, "%127s %127s %127s %c", line->method, line->part, line->fingerprint, &more) == 3 &&
           strlen(line->fingerprint) == FINGERPRINT_TEXT - 1;
}

static struct golden_file read_golden(void)
{
    struct golden_file golden = {.promised = SIZE_MAX};
    char text[LINE_SIZE];
    FILE *file = fopen(SOURCE_DIRECTORY "/tests/golden/h200.txt", "r");
    assert_non_null(file);
    while (fgets(text, sizeof text, file)) {
        assert_non_null(strchr(text, '\n'));
        golden.of_a_host |= strncmp(text, "# device: host", 14) == 0;
        if (text[0] == '#') {
            sscanf(text, "# lines: %zu", &golden.promised);
            continue;
        }
        golden.lines = realloc(golden.lines, (golden.count + 1) * sizeof *golden.lines);
        assert_non_null(golden.lines);
        assert_true(read_line(text, &golden.lines[golden.count++]));
    }
    fclose(file);
    return golden;
}

/* Marks the line as used. */
static enum verdict judge(struct golden_file *golden, const char *method, const char *part, const char *fingerprint)
{
    for (size_t k = 0; k < golden->count; k++) {
        struct line *line = &golden->lines[k];
        if (strcmp(line->method, method) != 0 || strcmp(line->part, part) != 0)
            continue;
        line->used = true;
        return strcmp(line->fingerprint, fingerprint) == 0 ? SAME : DIFFERENT;
    }
    return NO_LINE;
}

static golden_word *replays_of(const struct golden_data *data)
{
    golden_word *words = golden_words_for(data);
    assert_non_null(words);
    assert_int_equal(golden_compute(data, workers_cores(), NULL, NULL, words), OK);
    return words;
}

/* Every method's replays on one part of the data; `lacking` counts each method's parts without a line. */
static size_t judge_part(struct golden_file *golden, struct golden_table of, size_t part, size_t *lacking)
{
    size_t methods, different = 0;
    const struct method *const *table = golden_methods(of, &methods);
    const char *name = golden_part_name(of, part);
    struct golden_data data;
    assert_int_equal(golden_data_make(of, part, GOLDEN_FILE, &data), OK);
    const size_t each = golden_words_each(&data);
    golden_word *words = replays_of(&data);
    for (size_t m = 0; m < methods; m++) {
        char fingerprint[FINGERPRINT_TEXT];
        if (!golden_has(table[m], NULL))
            continue;
        golden_fingerprint(table[m]->format, words + m * each, each, fingerprint);
        const enum verdict verdict = judge(golden, table[m]->id, name, fingerprint);
        lacking[m] += verdict == NO_LINE;
        if (verdict != DIFFERENT)
            continue;
        print_message("%s on %s: the replay's %s is not what the GPU gave\n", table[m]->id, name, fingerprint);
        different++;
    }
    free(words);
    golden_data_free(&data);
    return different;
}

/* A format that has no line at all is one message. */
static void name_what_has_no_line(struct golden_table of, const size_t *lacking)
{
    size_t methods, ordered = 0, without = 0;
    const size_t parts = golden_parts(of);
    const struct method *const *table = golden_methods(of, &methods);
    for (size_t m = 0; m < methods; m++) {
        ordered += golden_has(table[m], NULL);
        without += golden_has(table[m], NULL) && lacking[m] == parts;
    }
    if (without == ordered)
        print_message("%s@%s: no golden line for its %zu methods yet (tests/golden/README.md)\n",
                      operation_table[of.operation].id, of.sum_format->id, ordered);
    for (size_t m = 0; m < methods && without < ordered; m++)
        if (lacking[m] > 0)
            print_message("%s: no golden line for %zu of %zu yet (tests/golden/README.md)\n", table[m]->id, lacking[m],
                          parts);
}

static size_t judge_table(struct golden_file *golden, struct golden_table of)
{
    size_t methods, different = 0;
    (void)golden_methods(of, &methods);
    size_t *lacking = calloc(methods, sizeof *lacking);
    assert_non_null(lacking);
    for (size_t part = 0; part < golden_parts(of); part++)
        different += judge_part(golden, of, part, lacking);
    name_what_has_no_line(of, lacking);
    free(lacking);
    return different;
}

static void every_fingerprint_of_a_gpu_is_that_of_the_replays(void **state)
{
    (void)state;
    size_t different = 0;
    struct golden_file golden = read_golden();
    for (int t = 0; t < VECTOR_OPERATIONS * SUM_FORMATS; t++) {
        const struct golden_table of = {(enum operation)(t / SUM_FORMATS), sum_formats[t % SUM_FORMATS]};
        different += golden_is_in_file(of) ? judge_table(&golden, of) : 0;
    }
    print_message("%zu fingerprints compared\n", golden.count);
    assert_int_equal(different, 0);
    assert_int_equal(golden.count, golden.promised); /* nothing was cut off */
    assert_false(golden.of_a_host);
    for (size_t k = 0; k < golden.count; k++)
        if (!golden.lines[k].used)
            fail_msg("%s %s: no such method or family, or twice in the file", golden.lines[k].method,
                     golden.lines[k].part);
    free(golden.lines);
}

/* ---- what the data have ---- */

static struct golden_table sums_of(const struct sum_format *sum_format)
{
    return (struct golden_table){OPERATION_sum, sum_format};
}

struct edges {
    size_t subnormals, infinities, nans, overflows; /* finite data whose result is not */
};

static void count_edges(const struct golden_data *data, struct edges *edges)
{
    const struct method *plain = method_in(method_find("plain/serial"), data->of.sum_format);
    for (size_t s = 0; s < data->count; s++) {
        const struct dataset *set = &data->sets[s].data;
        const double least_normal = ldexp(1, set->format->least_exponent + set->format->precision - 1);
        size_t finite = 0;
        golden_word word;
        for (uint64_t i = 0; i < set->n; i++) {
            const double x = held_number(set->format, set->x, i);
            finite += isfinite(x) != 0;
            edges->subnormals += x != 0 && fabs(x) < least_normal;
            edges->infinities += isinf(x) != 0;
            edges->nans += isnan(x) != 0;
        }
        assert_int_equal(golden_compute_one(plain, set, set->n, golden_launches[0], NULL, &word), OK);
        edges->overflows += finite == set->n && !isfinite(format_value(plain->format, word));
    }
}

/* A sum in a format of a larger range than the numbers' has no overflow; bfloat16 and binary32 have the same.  Nor has
 * one that saturates. */
static bool can_overflow(const struct sum_format *sum_format)
{
    const int room = sum_format->result->overflow_exponent - sum_format->stored->overflow_exponent;
    return room < 10 && !sum_format_saturates(sum_format);
}

/* The ten families of binary32 have overflow on the grid of --all alone. */
static void data_of_each_format_but_binary32_have_its_edges(void **state)
{
    (void)state;
    for (int f = SUM_FORMAT_binary32 + 1; f < SUM_FORMATS; f++) {
        struct edges edges = {0};
        for (size_t part = 0; part < golden_parts(sums_of(sum_formats[f])); part++) {
            struct golden_data data;
            assert_int_equal(golden_data_make(sums_of(sum_formats[f]), part, GOLDEN_FILE, &data), OK);
            count_edges(&data, &edges);
            golden_data_free(&data);
        }
        print_message("%s: %zu subnormals, %zu infinities, %zu NaN, %zu sums that overflow\n", sum_formats[f]->id,
                      edges.subnormals, edges.infinities, edges.nans, edges.overflows);
        assert_true(edges.subnormals > 0);
        assert_int_equal(edges.infinities > 0, !sum_formats[f]->stored->finite_only);
        assert_int_equal(edges.nans > 0, !sum_formats[f]->stored->finite_only); /* of E4M3 no family has its NaN */
        assert_int_equal(edges.overflows > 0, can_overflow(sum_formats[f]));
    }
}

/* ---- twins ---- */

static void changed_line_is_noticed(void **state)
{
    (void)state;
    struct line line;
    struct golden_file golden = {.lines = &line, .count = 1};
    assert_true(read_line("plain/serial uniform 0123456789abcdef\n", &line));
    assert_int_equal(judge(&golden, "plain/serial", "uniform", "0123456789abcdef"), SAME);
    assert_true(line.used);
    assert_int_equal(judge(&golden, "plain/serial", "uniform", "0123456789abcdee"), DIFFERENT);
    assert_int_equal(judge(&golden, "plain/serial", "normal", "0123456789abcdef"), NO_LINE);
    assert_int_equal(judge(&golden, "kahan/serial", "uniform", "0123456789abcdef"), NO_LINE);
    assert_false(read_line("plain/serial uniform 0123456789abcde\n", &line));
    assert_false(read_line("plain/serial uniform 0123456789abcdef 1\n", &line));
    assert_false(read_line("plain/serial 0123456789abcdef\n", &line));
}

/* Of the part with this name. */
static struct golden_data data_of(const struct sum_format *sum_format, const char *part)
{
    struct golden_data data;
    size_t p = 0;
    while (strcmp(golden_part_name(sums_of(sum_format), p), part) != 0)
        assert_true(++p < golden_parts(sums_of(sum_format)));
    assert_int_equal(golden_data_make(sums_of(sum_format), p, GOLDEN_FILE, &data), OK);
    return data;
}

static void data_of_one_family_lack_edges(void **state)
{
    (void)state;
    struct golden_data data = data_of(&sum_format_binary32, "const");
    struct edges edges = {0};
    count_edges(&data, &edges);
    assert_true(edges.subnormals + edges.infinities + edges.nans + edges.overflows == 0);
    golden_data_free(&data);
}

/* Each bit of each result counts, and so does that a launch was refused. */
static void changed_result_changes_the_fingerprint(void **state)
{
    (void)state;
    for (int f = 0; f < NUMBER_FORMAT_COUNT; f++) {
        const struct format *format = NUMBER_FORMATS[f];
        golden_word words[] = {format_bits(format, 1), format_bits(format, -0.0), format_bits(format, 0.125)};
        enum { WORDS = sizeof words / sizeof *words };
        char before[FINGERPRINT_TEXT], after[FINGERPRINT_TEXT];
        golden_fingerprint(format, words, WORDS, before);
        for (size_t k = 0; k < WORDS; k++)
            for (unsigned bit = 0; bit < 8 * format->bytes; bit++) {
                words[k] ^= UINT64_C(1) << bit;
                golden_fingerprint(format, words, WORDS, after);
                assert_string_not_equal(before, after);
                words[k] ^= UINT64_C(1) << bit;
            }
        golden_fingerprint(format, words, WORDS, after);
        assert_string_equal(before, after);
        golden_fingerprint(format, words, WORDS - 1, after);
        assert_string_not_equal(before, after);
        words[0] = GOLDEN_REFUSED;
        golden_fingerprint(format, words, WORDS, before);
        words[0] = format_bits(format, (double)NAN);
        golden_fingerprint(format, words, WORDS, after);
        assert_string_not_equal(before, after);
    }
}

/* The payload of a NaN is the hardware's; -0 is another result than 0. */
static void words_tell_all_results_apart_but_the_nans(void **state)
{
    (void)state;
    assert_int_equal(golden_word_of(&FORMAT_BINARY32, 0xffc12345), 0x7fc00000);
    assert_int_equal(golden_word_of(&FORMAT_BINARY16, 0xffff), 0x7e00);
    assert_int_equal(golden_word_of(&FORMAT_BFLOAT16, 0xff81), 0x7fc0);
    assert_int_equal(golden_word_of(&FORMAT_BINARY64, UINT64_MAX), UINT64_C(0x7ff8) << 48);
    assert_int_equal(golden_word_of(&FORMAT_BINARY16, 0xfc00), 0xfc00);
    assert_int_equal(golden_word_of(&FORMAT_BINARY64, UINT64_C(1) << 63), UINT64_C(1) << 63);
}

/* printf '\x00\x00\x80\x3f' | sha256sum; and so of 1 in binary16, '\x00\x3c', and in binary64 */
static void fingerprint_is_the_beginning_of_a_sha_256(void **state)
{
    (void)state;
    char text[FINGERPRINT_TEXT];
    golden_fingerprint(&FORMAT_BINARY32, (const golden_word[]){0x3f800000}, 1, text);
    assert_string_equal(text, "e00e5eb9444182f3");
    golden_fingerprint(&FORMAT_BINARY16, (const golden_word[]){0x3c00}, 1, text);
    assert_string_equal(text, "505114fe537172ea");
    golden_fingerprint(&FORMAT_BINARY64, (const golden_word[]){UINT64_C(0x3ff) << 52}, 1, text);
    assert_string_equal(text, "6c3c396ed6b5c36d");
}

/* Of methods, and of formats that differ in one of the three alone. */
static void fingerprints_tell_methods_apart(void **state)
{
    (void)state;
    static const char *const ids[] = {"plain/serial@bfloat16",
                                      "plain/tree_two_pass@bfloat16",
                                      "kahan/serial@bfloat16",
                                      "kahan/tree_two_pass@bfloat16",
                                      "plain/serial@bfloat16_in_bfloat16",
                                      "kahan/serial@bfloat16_in_bfloat16",
                                      "plain/serial@bfloat16_to_binary32",
                                      "plain/serial@binary16_to_binary32"};
    enum { IDS = sizeof ids / sizeof *ids };
    char texts[IDS][FINGERPRINT_TEXT];
    for (size_t k = 0; k < IDS; k++) {
        const struct method *method = method_find(ids[k]);
        struct golden_data data = data_of(method->sum_format, "all");
        golden_word *words = calloc(golden_words_each(&data), sizeof *words);
        assert_non_null(words);
        for (size_t w = 0; w < golden_words_each(&data); w++) {
            const struct dataset *set = &data.sets[w / GOLDEN_LAUNCHES].data;
            assert_int_equal(
                golden_compute_one(method, set, set->n, golden_launches[w % GOLDEN_LAUNCHES], NULL, &words[w]), OK);
        }
        golden_fingerprint(method->format, words, golden_words_each(&data), texts[k]);
        for (size_t before = 0; before < k; before++)
            assert_string_not_equal(texts[before], texts[k]);
        free(words);
        golden_data_free(&data);
    }
}

/* golden_bits --all, where a kernel's result differs in one bit, or a launch is refused on one side alone. */
static void judge_a_kernel_that_differs(const struct sum_format *sum_format, const char *part)
{
    const struct golden_table of = sums_of(sum_format);
    struct golden_data data = data_of(sum_format, part);
    size_t methods, m = 0;
    const struct method *const *table = golden_methods(of, &methods);
    while (strcmp(table[m]->accumulator, "kahan") != 0 || strcmp(table[m]->order, "tree_two_pass") != 0)
        m++;
    const size_t each = golden_words_each(&data);
    golden_word *kernels = golden_words_for(&data), *replays = replays_of(&data);
    assert_non_null(kernels);
    memcpy(kernels + m * each, replays + m * each, each * sizeof *kernels);
    struct golden_agreement agreement = {0};
    golden_compare(&data, m, kernels, replays, &agreement);
    assert_true(agreement.compared == each && agreement.differ == 0 && agreement.refused == 0);
    kernels[m * each] ^= UINT64_C(1) << (8 * table[m]->format->bytes - 1); /* of the sum of nothing: -0 */
    kernels[m * each + each - 1] = GOLDEN_REFUSED;
    replays[m * each + 1] = kernels[m * each + 1] = GOLDEN_REFUSED;
    golden_compare(&data, m, kernels, replays, &agreement);
    assert_true(agreement.compared == 2 * each - 1 && agreement.differ == 2 && agreement.refused == 1);
    free(kernels);
    free(replays);
    golden_data_free(&data);
}

static void result_of_a_kernel_that_differs_is_counted(void **state)
{
    (void)state;
    judge_a_kernel_that_differs(&sum_format_binary32, "const");
    judge_a_kernel_that_differs(&sum_format_binary16, "all");
    judge_a_kernel_that_differs(&sum_format_binary64, "all");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fingerprint_of_a_gpu_is_that_of_the_replays),
        cmocka_unit_test(data_of_each_format_but_binary32_have_its_edges),
        cmocka_unit_test(data_of_one_family_lack_edges),
        cmocka_unit_test(changed_line_is_noticed),
        cmocka_unit_test(changed_result_changes_the_fingerprint),
        cmocka_unit_test(words_tell_all_results_apart_but_the_nans),
        cmocka_unit_test(fingerprint_is_the_beginning_of_a_sha_256),
        cmocka_unit_test(fingerprints_tell_methods_apart),
        cmocka_unit_test(result_of_a_kernel_that_differs_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
