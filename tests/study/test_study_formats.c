/* Which methods and data a study has in each format, and what is said where there are none. */
#include "src/base/text.h"
#include "src/study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/heard.h"

#include <stdlib.h>
#include <string.h>

/* A study of some methods and data, in formats; "" for what is not given. */
static enum status make(struct study *study, const char *methods, const char *data, const char *formats,
                        const char *accumulate)
{
    char *words[4], *copy = strdup(methods);
    size_t count = 0;
    assert_int_equal(study_read(NULL, NULL, study), OK);
    for (char *rest = copy, *word; (word = strsep(&rest, " "));)
        words[count++] = word;
    enum status status = study_select_methods(study, words, count, "test");
    study_clear_data(study);
    free(copy);
    copy = strdup(data);
    for (char *rest = copy, *word; (word = strsep(&rest, " ")) && status == OK;)
        status = study_add_data(study, word, 3, "test", NONFINITE_REFUSE);
    free(copy);
    if (status == OK && (*formats || *accumulate))
        status = study_read_formats(study, *formats ? formats : NULL, *accumulate ? accumulate : NULL, "test");
    return status == OK ? study_apply_formats(study, false, true) : status;
}

/* "plain/serial plain/serial@bfloat16 | uniform:n=8 uniform:n=8,format=bfloat16" */
static void assert_study(const char *expected, const char *methods, const char *data, const char *formats,
                         const char *accumulate)
{
    struct study study;
    struct text text = {0};
    assert_int_equal(make(&study, methods, data, formats, accumulate), OK);
    for (size_t m = 0; m < study.method_count; m++)
        text_append(&text, "%s ", study.methods[m]->id);
    text_append(&text, "|");
    for (size_t i = 0; i < study.entry_count; i++)
        text_append(&text, " %s", study.entries[i].specs[0].text);
    char *found = text_take(&text);
    assert_string_equal(found, expected);
    free(found);
    study_free(&study);
}

/* Where the data are of one format, and methods of several. */
static void data_are_made_for_methods_of_every_format(void **state)
{
    (void)state;
    assert_study("plain/serial plain/serial@binary16 | uniform:n=8 uniform:n=8,format=binary16",
                 "plain/serial plain/serial@binary16", "uniform:n=8", "", "");
    assert_study("plain/serial plain/serial@binary16 | uniform:n=8 ones:n=8,format=binary16",
                 "plain/serial plain/serial@binary16", "uniform:n=8 ones:n=8,format=binary16", "", "");
    assert_study("plain/serial | uniform:n=8", "plain/serial plain/serial@binary16", "uniform:n=8,format=binary32", "",
                 "");
}

static void methods_and_data_are_of_every_format_that_is_asked_for(void **state)
{
    (void)state;
    assert_study("plain/serial | uniform:n=8", "plain/serial", "uniform:n=8", "", "");
    assert_study("plain/serial plain/serial@bfloat16 | uniform:n=8 uniform:n=8,format=bfloat16", "plain/serial",
                 "uniform:n=8", "binary32,bfloat16", "");
    assert_study("plain/serial@bfloat16 plain/serial@bfloat16_in_bfloat16 | uniform:n=8,format=bfloat16",
                 "plain/serial", "uniform:n=8", "bfloat16", "binary32,bfloat16");
    assert_study("plain/serial@binary32_to_binary64 | uniform:n=8", "plain/serial", "uniform:n=8", "", "binary64");
    assert_study("plain/serial@e4m3_in_binary16 | ones:n=8,format=e4m3", "plain/serial", "ones:n=8", "e4m3_in_binary16",
                 "");
}

static void without_a_word_formats_are_those_of_methods_and_data(void **state)
{
    (void)state;
    assert_study("plain/serial@bfloat16 | uniform:n=8,format=bfloat16", "plain/serial@bfloat16", "uniform:n=8", "", "");
    assert_study("plain/serial@binary64 | uniform:n=8,format=binary64", "plain/serial", "uniform:n=8,format=binary64",
                 "", "");
    assert_study("plain/serial plain/serial@binary64 | uniform:n=8 uniform:n=8,format=binary64", "plain/serial",
                 "uniform:n=8 uniform:n=8,format=binary64", "", "");
    assert_study("kahan/serial plain/serial@bfloat16 | uniform:n=8 uniform:n=8,format=bfloat16",
                 "kahan/serial plain/serial@bfloat16", "uniform:n=8 uniform:n=8,format=bfloat16", "", "");
}

static void globs_with_an_at_are_for_formats(void **state)
{
    (void)state;
    assert_study("plain/serial@bfloat16 | uniform:n=8,format=bfloat16", "naive@bfloat16", "uniform:n=8", "", "");
    assert_study("plain/strided_serial@bfloat16 | ones:n=8,format=bfloat16", "plain/*serial@bfloat16 !naive@bfloat16",
                 "ones:n=8", "", "");
    assert_study("binary64/serial@bfloat16 | ones:n=8,format=bfloat16", "binary64/seria?@bfloat16", "ones:n=8", "", "");
    assert_study("plain/serial | ones:n=8", "plain/ser* !plain/*@bfloat16", "ones:n=8", "", "");
}

static void file_that_says_no_format_has_the_one_that_is_asked_for(void **state)
{
    (void)state;
    FILE *file = fopen("x.txt", "w");
    assert_non_null(file);
    assert_true(fputs("1\n0.1\n", file) > 0 && fclose(file) == 0);
    assert_study("plain/serial@bfloat16 | x.txt:format=bfloat16", "plain/serial", "x.txt", "bfloat16", "");
    assert_study("plain/serial plain/serial@bfloat16 | x.txt uniform:n=8 uniform:n=8,format=bfloat16", "plain/serial",
                 "x.txt uniform:n=8", "binary32,bfloat16", "");
    struct study study;
    struct heard heard = listen_to_stderr();
    assert_int_equal(make(&study, "plain/serial", "x.txt:format=binary16", "bfloat16", ""), BAD_INPUT);
    heard_all(&heard);
    assert_non_null(strstr(heard.text, "x.txt:format=binary16 holds numbers of binary16"));
    study_free(&study);
    remove("x.txt");
}

/* A study as it is written is the same study again. */
static void study_is_read_back(void **state)
{
    (void)state;
    struct study study, again;
    char path[] = "/tmp/ulpscope_study_XXXXXX";
    assert_int_equal(
        make(&study, "plain/serial kahan/serial", "uniform:n=8 ones:n=8", "binary32,bfloat16", "binary32,bfloat16"),
        OK);
    char *yaml = study_yaml(&study), *before = study_text(&study);
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fputs(yaml, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(study_read(path, NULL, &again), OK);
    assert_int_equal(study_apply_formats(&again, false, true), OK);
    char *after = study_text(&again);
    assert_string_equal(after, before);
    assert_non_null(strstr(after, "method: kahan/serial@bfloat16_in_bfloat16\n"));
    assert_non_null(strstr(after, "data: ones:n=8,format=bfloat16"));
    unlink(path);
    free(yaml);
    free(before);
    free(after);
    study_free(&study);
    study_free(&again);
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *methods, *data, *formats, *accumulate, *words;
    } rows[] = {
        {"plain/serial", "ones:n=8", "float17", "", "format \"float17\" is unknown"},
        {"plain/serial", "ones:n=8", "binary64", "binary16", "no method adds numbers of binary64 in binary16"},
        {"plain/serial", "ones:n=8,format=bfloat16", "binary32", "", "holds numbers of bfloat16"},
        {"plain/serial", "rfa:n=8", "bfloat16", "", "rfa has no numbers of bfloat16"},
        {"superacc/serial", "ones:n=8", "bfloat16_in_bfloat16", "", "no method is left"},
        {"plain/serial@floot", "ones:n=8", "", "", "matches no method"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct study study;
        struct heard heard = listen_to_stderr();
        const enum status status = make(&study, rows[i].methods, rows[i].data, rows[i].formats, rows[i].accumulate);
        heard_all(&heard);
        assert_int_equal(status, BAD_INPUT);
        if (!strstr(heard.text, rows[i].words))
            fail_msg("\"%s\" is not in \"%s\"", rows[i].words, heard.text);
        study_free(&study);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_are_made_for_methods_of_every_format),
        cmocka_unit_test(methods_and_data_are_of_every_format_that_is_asked_for),
        cmocka_unit_test(without_a_word_formats_are_those_of_methods_and_data),
        cmocka_unit_test(globs_with_an_at_are_for_formats),
        cmocka_unit_test(file_that_says_no_format_has_the_one_that_is_asked_for),
        cmocka_unit_test(study_is_read_back),
        cmocka_unit_test(what_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
