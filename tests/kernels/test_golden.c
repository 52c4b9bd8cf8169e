/* The bits that kernels gave on a GPU are committed as fingerprints, tests/golden/h200.txt: the replays here give the
 * same.  A method that has no line yet is named; it gets one when golden_bits runs on a GPU again. */
#include "golden_grid.h"

#include "src/base/workers.h"

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
    char method[WORD_SIZE], family[WORD_SIZE], fingerprint[WORD_SIZE];
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
    return sscanf(text, "%127s %127s %127s %c", line->method, line->family, line->fingerprint, &more) == 3 &&
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
static enum verdict judge(struct golden_file *golden, const char *method, const char *family, const char *fingerprint)
{
    for (size_t k = 0; k < golden->count; k++) {
        struct line *line = &golden->lines[k];
        if (strcmp(line->method, method) != 0 || strcmp(line->family, family) != 0)
            continue;
        line->used = true;
        return strcmp(line->fingerprint, fingerprint) == 0 ? SAME : DIFFERENT;
    }
    return NO_LINE;
}

static golden_word *replays_of(const struct golden_data *data)
{
    size_t methods;
    (void)method_table(&methods);
    golden_word *words = calloc(methods * golden_words_each(data), sizeof *words);
    assert_non_null(words);
    assert_int_equal(golden_compute(data, workers_cores(), NULL, NULL, words), OK);
    return words;
}

/* Every method's replays on one family's data; `lacking` counts each method's families without a line. */
static size_t judge_family(struct golden_file *golden, const struct generator *family, size_t *lacking)
{
    size_t methods, different = 0;
    const struct method *const *table = method_table(&methods);
    struct golden_data data;
    assert_int_equal(golden_data_make(family, GOLDEN_FILE, &data), OK);
    const size_t each = golden_words_each(&data);
    golden_word *words = replays_of(&data);
    for (size_t m = 0; m < methods; m++) {
        char fingerprint[FINGERPRINT_TEXT];
        if (!golden_has(table[m]))
            continue;
        golden_fingerprint(words + m * each, each, fingerprint);
        const enum verdict verdict = judge(golden, table[m]->id, family->id, fingerprint);
        lacking[m] += verdict == NO_LINE;
        if (verdict != DIFFERENT)
            continue;
        print_message("%s on %s: the replay's %s is not what the GPU gave\n", table[m]->id, family->id, fingerprint);
        different++;
    }
    free(words);
    golden_data_free(&data);
    return different;
}

static void name_methods_without_lines(const size_t *lacking, size_t families)
{
    size_t methods;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++)
        if (lacking[m] > 0)
            print_message("%s: no golden line for %zu of %zu families yet (tests/golden/README.md)\n", table[m]->id,
                          lacking[m], families);
}

static void every_fingerprint_of_a_gpu_is_that_of_the_replays(void **state)
{
    (void)state;
    size_t methods, families, different = 0;
    (void)method_table(&methods);
    const struct generator *const *generators = golden_families(&families);
    struct golden_file golden = read_golden();
    size_t *lacking = calloc(methods, sizeof *lacking);
    assert_non_null(lacking);
    for (size_t f = 0; f < families; f++)
        different += judge_family(&golden, generators[f], lacking);
    name_methods_without_lines(lacking, families);
    print_message("%zu fingerprints compared\n", golden.count);
    assert_int_equal(different, 0);
    assert_int_equal(golden.count, golden.promised); /* nothing was cut off */
    assert_false(golden.of_a_host);
    for (size_t k = 0; k < golden.count; k++)
        if (!golden.lines[k].used)
            fail_msg("%s %s: no such method or family, or twice in the file", golden.lines[k].method,
                     golden.lines[k].family);
    free(golden.lines);
    free(lacking);
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

/* Each bit of each result counts, and so does that a launch was refused. */
static void changed_result_changes_the_fingerprint(void **state)
{
    (void)state;
    golden_word words[] = {golden_word_of(1), golden_word_of(-0.0f), golden_word_of(0.1f)};
    enum { WORDS = sizeof words / sizeof *words };
    char before[FINGERPRINT_TEXT], after[FINGERPRINT_TEXT];
    golden_fingerprint(words, WORDS, before);
    for (size_t k = 0; k < WORDS; k++)
        for (int bit = 0; bit < 32; bit++) {
            words[k] ^= UINT32_C(1) << bit;
            golden_fingerprint(words, WORDS, after);
            assert_string_not_equal(before, after);
            words[k] ^= UINT32_C(1) << bit;
        }
    golden_fingerprint(words, WORDS, after);
    assert_string_equal(before, after);
    golden_fingerprint(words, WORDS - 1, after);
    assert_string_not_equal(before, after);
    assert_int_equal(golden_word_of(float_from_bits(0xffc12345)), GOLDEN_NAN);
    assert_int_not_equal(golden_word_of(float_from_bits(0xffffffff)), GOLDEN_REFUSED);
}

/* printf '\x00\x00\x80\x3f' | sha256sum */
static void fingerprint_is_the_beginning_of_a_sha_256(void **state)
{
    (void)state;
    char text[FINGERPRINT_TEXT];
    golden_fingerprint((const golden_word[]){golden_word_of(1)}, 1, text);
    assert_string_equal(text, "e00e5eb9444182f3");
}

static void fingerprints_tell_methods_apart(void **state)
{
    (void)state;
    struct golden_data data;
    assert_int_equal(golden_data_make(generator_find("gensum"), GOLDEN_FILE, &data), OK);
    const size_t each = golden_words_each(&data);
    golden_word *words = replays_of(&data);
    const char *const ids[] = {"plain/serial", "plain/tree_two_pass", "kahan/serial", "kahan/tree_two_pass"};
    char texts[4][FINGERPRINT_TEXT];
    for (size_t k = 0; k < 4; k++) {
        golden_fingerprint(words + method_index(method_find(ids[k])) * each, each, texts[k]);
        for (size_t before = 0; before < k; before++)
            assert_string_not_equal(texts[before], texts[k]);
    }
    free(words);
    golden_data_free(&data);
}

/* golden_bits --all, where a kernel's result differs in one bit, or a launch is refused on one side alone. */
static void result_of_a_kernel_that_differs_is_counted(void **state)
{
    (void)state;
    struct golden_data data;
    assert_int_equal(golden_data_make(generator_find("const"), GOLDEN_FILE, &data), OK);
    const size_t each = golden_words_each(&data), m = method_index(method_find("kahan/tree_two_pass"));
    golden_word *kernels = replays_of(&data), *replays = replays_of(&data);
    struct golden_agreement agreement = {0};
    golden_compare(&data, m, kernels, replays, &agreement);
    assert_true(agreement.compared == each && agreement.differ == 0 && agreement.refused == 0);
    kernels[m * each] ^= 1;
    kernels[m * each + each - 1] = GOLDEN_REFUSED;
    replays[m * each + 1] = kernels[m * each + 1] = GOLDEN_REFUSED;
    golden_compare(&data, m, kernels, replays, &agreement);
    assert_true(agreement.compared == 2 * each - 1 && agreement.differ == 2 && agreement.refused == 1);
    free(kernels);
    free(replays);
    golden_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fingerprint_of_a_gpu_is_that_of_the_replays),
        cmocka_unit_test(changed_line_is_noticed),
        cmocka_unit_test(changed_result_changes_the_fingerprint),
        cmocka_unit_test(fingerprint_is_the_beginning_of_a_sha_256),
        cmocka_unit_test(fingerprints_tell_methods_apart),
        cmocka_unit_test(result_of_a_kernel_that_differs_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
