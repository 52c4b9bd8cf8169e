/* Lesson sheets: what is put on them comes out, on a terminal and as bits. */
#include "src/teach/sheet/sheet.h"
#include "src/teach/tools/lesson_tools.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As plain text; the caller frees it. */
static char *written(const struct sheet *sheet, bool answers)
{
    char *text;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    const struct terminal terminal = sheet_plain(file);
    sheet_write_terminal(sheet, (struct sheet_place){3, answers}, &terminal);
    fclose(file);
    return text;
}

static void a_sheet_is_written_part_by_part(void **state)
{
    (void)state;
    struct sheet sheet = sheet_of("name", "A title");
    sheet_question(&sheet, "How many is %d?", 1);
    sheet_theorem(&sheet, "a source", "1 is 1.");
    sheet_line(&sheet, "lines", "a");
    sheet_line(&sheet, "lines", "b");
    sheet_exercise(&sheet, "Say it.");
    sheet_answer(&sheet, "One.");
    assert_int_equal(sheet.count, 5); /* the lines are one block */
    char *text = written(&sheet, true);
    assert_string_equal(text,
                        "Lesson 3, name: A title\n=======================\n\nQuestion\nHow many is 1?\n\nTheorem\n"
                        "  | 1 is 1.\n  a source\n\n  a\n  b\n\nExercise\nSay it.\n\nAnswer\nOne.\n");
    free(text);
    sheet_free(&sheet);
}

static void answers_are_kept_until_they_are_asked_for(void **state)
{
    (void)state;
    struct sheet sheet = sheet_of("name", "A title");
    sheet_exercise(&sheet, "Say it.");
    sheet_answer(&sheet, "One.");
    char *text = written(&sheet, false);
    assert_null(strstr(text, "One."));
    assert_non_null(strstr(text, "`ulpscope lesson name --answers`"));
    free(text);
    sheet_free(&sheet);
}

static void sentences_are_broken_before_column_100_and_code_is_not(void **state)
{
    (void)state;
    struct sheet sheet = sheet_of("name", "A title");
    char words[90];
    memset(words, 'x', sizeof words);
    words[sizeof words - 1] = '\0';
    sheet_text(&sheet, "%s `one two three`, end", words);
    char *text = written(&sheet, false);
    assert_non_null(strstr(text, "x\n`one two three`, end\n"));
    free(text);
    sheet_free(&sheet);
}

/* Of few points the numbers, of many the command that draws them. */
static void a_chart_is_its_numbers(void **state)
{
    (void)state;
    static const int points[] = {9, 100};
    for (int few = 1; few >= 0; few--) {
        struct sheet sheet = sheet_of("name", "A title");
        struct chart *chart = sheet_chart(&sheet, "Squares", 100);
        struct chart_mark *line = chart_mark(chart_panel(chart, ""), MARK_LINE, "n * n", COLOUR_MAIN);
        for (int i = 1; i <= points[!few]; i++)
            chart_point(line, i, i * i, NAN, NULL);
        char *text = written(&sheet, false);
        assert_non_null(strstr(text, "\nSquares\n"));
        assert_int_equal(strstr(text, "\n  8   64.0\n  9   81.0\n") != NULL, few);
        assert_int_equal(strstr(text, "The picture: `ulpscope lesson name --html page.html`\n") != NULL, !few);
        free(text);
        sheet_free(&sheet);
    }
}

/* ---- formulas ---- */

/* Without <math>, and its first empty row; what is not well-formed stays within its own text. */
static const struct {
    const char *formula, *set;
} known_formulas[] = {
    {"u", "<mi>u</mi>"},
    {"2^-24", "<msup><mn>2</mn><mrow><mo>−</mo><mn>24</mn></mrow></msup>"},
    {"2^(e-p)", "<msup><mn>2</mn><mrow><mi>e</mi><mo>−</mo><mi>p</mi></mrow></msup>"},
    {"x_i", "<msub><mi>x</mi><mrow><mi>i</mi></mrow></msub>"},
    {"h1", "<msub><mi>h</mi><mn>1</mn></msub>"},
    {"u/(1+u)", "<mfrac><mrow><mi>u</mi></mrow><mrow><mn>1</mn><mo>+</mo><mi>u</mi></mrow></mfrac>"},
    {"K / p", "<mfrac><mrow><mi>K</mi></mrow><mrow><mi>p</mi></mrow></mfrac>"},
    {"8^2/2!", "<mfrac><mrow><msup><mn>8</mn><mrow><mn>2</mn></mrow></msup></mrow><mrow><mn>2!</mn></mrow></mfrac>"},
    {"sqrt(k)", "<msqrt><mi>k</mi></msqrt>"},
    {"|s|", "<mrow><mo>|</mo><mi>s</mi><mo>|</mo></mrow>"},
    {"||x||", "<mrow><mo>‖</mo><mi>x</mi><mo>‖</mo></mrow>"},
    {"E[x]", "<mrow><mi>E</mi><mrow><mo>[</mo><mi>x</mi><mo>]</mo></mrow></mrow>"},
    {"sum x", "<mo>∑</mo><mspace width=\"0.17em\"></mspace><mi>x</mi>"},
    {"1,000.5", "<mn>1,000.5</mn>"},
    {"(a", "<mrow><mo>(</mo><mi>a</mi><mo></mo></mrow>"},
    {"a)<",
     "<mi>a</mi><mo>)</mo></math><wbr/><math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mrow></mrow><mo>&lt;</mo>"},
    {"x^", "<msup><mi>x</mi><mrow><mo></mo></mrow></msup>"},
};

static void formulas_are_mathml_on_a_page_and_text_on_a_terminal(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known_formulas / sizeof *known_formulas; i++) {
        char text[64], wanted[512];
        snprintf(text, sizeof text, "a $%s$ `$b`", known_formulas[i].formula);
        snprintf(wanted, sizeof wanted,
                 "a <math xmlns=\"http://www.w3.org/1998/Math/MathML\">%s</math> <code>$b</code>",
                 known_formulas[i].set);
        char *piece = sheet_piece_of(text);
        assert_string_equal(piece, wanted);
        free(piece);
    }
    struct sheet sheet = sheet_of("name", "A title");
    sheet_text(&sheet, "a $2^-24$ `$b`");
    char *text = written(&sheet, false);
    assert_non_null(strstr(text, "a 2^-24 `$b`\n"));
    free(text);
    sheet_free(&sheet);
}

/* ---- bits ---- */

static const struct {
    double value;
    const struct format *format;
    const char *bits;
} known_bits[] = {
    {1, &FORMAT_BINARY16, "0 | 01111 | 0000000000"},
    {-2, &FORMAT_BINARY16, "1 | 10000 | 0000000000"},
    {0x1p-24, &FORMAT_BINARY16, "0 | 00000 | 0000000001"},
    {65504, &FORMAT_BINARY16, "0 | 11110 | 1111111111"},
    {1.5, &FORMAT_BFLOAT16, "0 | 01111111 | 1000000"},
    {0x1.99999ap-4, &FORMAT_BINARY32, "0 | 01111011 | 10011001100110011001101"},
    {0x1p-126, &FORMAT_BINARY32, "0 | 00000001 | 00000000000000000000000"},
    {0x1p-149, &FORMAT_BINARY32, "0 | 00000000 | 00000000000000000000001"},
    {-0.0, &FORMAT_BINARY32, "1 | 00000000 | 00000000000000000000000"},
    {INFINITY, &FORMAT_BINARY32, "0 | 11111111 | 00000000000000000000000"},
    {0x1.fffffep+127, &FORMAT_BINARY32, "0 | 11111110 | 11111111111111111111111"},
};

static void bits_are_sign_exponent_and_fraction(void **state)
{
    (void)state;
    char text[BITS_TEXT];
    for (size_t i = 0; i < sizeof known_bits / sizeof *known_bits; i++) {
        bits_text(known_bits[i].value, known_bits[i].format, text);
        assert_string_equal(text, known_bits[i].bits);
    }
}

/* Without the bars the text is the number that the machine holds. */
static uint64_t read_bits(const char *text)
{
    uint64_t bits = 0;
    for (; *text; text++)
        if (*text == '0' || *text == '1')
            bits = bits << 1 | (uint64_t)(*text - '0');
    return bits;
}

static void bits_are_those_in_memory(void **state)
{
    (void)state;
    char text[BITS_TEXT];
    for (uint32_t bits = 1; bits < 0x7f800000u; bits += 999983) {
        const float x = float_from_bits(bits);
        bits_text((double)-x, &FORMAT_BINARY32, text);
        assert_int_equal(read_bits(text), bits | 1u << 31);
        bits_text((double)x / 3, &FORMAT_BINARY64, text);
        assert_int_equal(read_bits(text), double_bits((double)x / 3));
    }
}

static void numbers_are_written_to_their_last_digit(void **state)
{
    (void)state;
    char text[IN_FULL_TEXT], digits[GROUPED_TEXT];
    write_in_full((double)0.1f, text);
    assert_string_equal(text, "0.100000001490116119384765625");
    write_in_full(-16777216, text);
    assert_string_equal(text, "-16777216");
    write_in_full(0x1p-1074, text);
    assert_int_equal(strlen(text), 1076);
    assert_string_equal(grouped(999, digits), "999");
    assert_string_equal(grouped(1000, digits), "1,000");
    assert_string_equal(grouped(20000000, digits), "20,000,000");
}

/* ---- sums ---- */

static void a_method_is_judged_by_the_exact_sum(void **state)
{
    (void)state;
    struct lesson_data data;
    struct lesson_sum sum;
    assert_int_equal(lesson_data_of((const float[]){0x1p24f, 1, 1}, 3, &data), OK);
    assert_int_equal(lesson_add("plain/serial", one_thread, &data, &sum), OK);
    assert_true(sum.computed == 0x1p24f && sum.metric[METRIC_ulp_error] == 1 && sum.class == CLASS_FINITE);
    assert_int_equal(lesson_add("kahan/serial", one_thread, &data, &sum), OK);
    assert_true(sum.computed == 0x1p24f + 2 && sum.class == CLASS_EXACT);
    lesson_data_free(&data);
}

static void what_is_no_method_is_refused(void **state)
{
    (void)state;
    struct lesson_data data;
    struct lesson_sum sum;
    assert_int_equal(lesson_data_made("uniform:n=8", 1, &data), OK);
    assert_int_equal(data.n, 8);
    assert_int_equal(lesson_add("plain/sideways", one_thread, &data, &sum), BAD_INPUT);
    assert_int_equal(lesson_add("plain/pairwise", one_thread, &data, &sum), BAD_INPUT); /* needs two threads */
    lesson_data_free(&data);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_is_written_part_by_part),
        cmocka_unit_test(answers_are_kept_until_they_are_asked_for),
        cmocka_unit_test(sentences_are_broken_before_column_100_and_code_is_not),
        cmocka_unit_test(a_chart_is_its_numbers),
        cmocka_unit_test(formulas_are_mathml_on_a_page_and_text_on_a_terminal),
        cmocka_unit_test(bits_are_sign_exponent_and_fraction),
        cmocka_unit_test(bits_are_those_in_memory),
        cmocka_unit_test(numbers_are_written_to_their_last_digit),
        cmocka_unit_test(a_method_is_judged_by_the_exact_sum),
        cmocka_unit_test(what_is_no_method_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
