/* Which methods a study has of each operation, how many vectors its data have, and what is said where that cannot be.
 */
#include "src/study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/heard.h"

#include <stdlib.h>
#include <string.h>

/* A study of some methods and one data set; `operations` NULL: none is asked for. */
static enum status make(struct study *study, const char *methods, const char *data, const char *operations)
{
    char *words[4], *copy = strdup(methods);
    size_t count = 0;
    assert_int_equal(study_read(NULL, NULL, study), OK);
    for (char *rest = copy, *word; (word = strsep(&rest, " "));)
        words[count++] = word;
    enum status status = study_select_methods(study, words, count, "test");
    free(copy);
    study_clear_data(study);
    if (status == OK)
        status = study_add_data(study, data, 1, "test", NONFINITE_REFUSE);
    if (status == OK && operations)
        status = study_read_operations(study, operations, "test");
    if (status == OK)
        status = study_apply_formats(study, false, true);
    return status == OK ? study_set_vectors(study) : status;
}

static void assert_methods(const char *expected, const char *methods, const char *data, const char *operations)
{
    struct study study;
    char found[256] = "";
    assert_int_equal(make(&study, methods, data, operations), OK);
    for (size_t m = 0; m < study.method_count; m++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", m ? " " : "", study.methods[m]->id);
    assert_string_equal(found, expected);
    assert_int_equal(study.entries[0].specs[0].kind,
                     operation_table[study.methods[0]->operation].vectors == 2 ? TWO_VECTORS : ONE_VECTOR);
    study_free(&study);
}

static void methods_are_of_each_operation_that_is_asked_for(void **state)
{
    (void)state;
    assert_methods("dot:plain/serial dot:sum2/serial dot_exact:plain/serial dot_exact:sum2/serial",
                   "plain/serial sum2/serial", "normal:n=8::normal", "dot,dot_exact");
    assert_methods("sumsq:plain/serial", "plain/serial", "normal:n=8", "sumsq");
    assert_methods("plain/serial", "plain/serial", "normal:n=8", "sum");
    assert_methods("dot:plain/serial", "plain/serial", "gendot:n=100", "dot,dot");
}

static void a_method_that_names_its_operation_keeps_it(void **state)
{
    (void)state;
    assert_methods("dot:plain/serial dot_fma:plain/serial", "dot:naive dot_fma:plain/serial", "normal:n=8::normal",
                   NULL);
    assert_methods("dot_exact:kahan/serial dot:plain/serial", "dot:naive kahan/serial", "normal:n=8::normal",
                   "dot_exact");
    assert_methods("dot:plain/serial@bfloat16", "dot:plain/serial@bfloat16",
                   "normal:n=8,format=bfloat16::normal:format=bfloat16", NULL);
}

static void what_an_operation_does_not_have_is_left_out(void **state)
{
    (void)state;
    assert_methods("dot_fma:plain/serial", "plain/serial kahan/serial", "normal:n=8::normal", "dot_fma");
}

static void assert_refused(const char *words, const char *methods, const char *data, const char *operations)
{
    struct study study;
    struct heard heard = listen_to_stderr();
    const enum status status = make(&study, methods, data, operations);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    if (!strstr(heard.text, words))
        fail_msg("\"%s\" does not say \"%s\"", heard.text, words);
    study_free(&study);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    assert_refused("one thing, found sum and dot", "plain/serial dot:plain/serial", "normal:n=8", NULL);
    assert_refused("is one vector", "plain/serial", "normal:n=8", "dot");
    assert_refused("holds two vectors", "plain/serial", "normal:n=8::normal", NULL);
    assert_refused("holds two vectors", "plain/serial", "normal:n=8::normal", "sumsq");
    assert_refused("did you mean \"dot\"", "plain/serial", "normal:n=8", "dott");
    assert_refused("is unknown", "plain/serial", "normal:n=8", "");
    assert_refused("no method is left", "kahan/serial", "normal:n=8::normal", "dot_fma");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_are_of_each_operation_that_is_asked_for),
        cmocka_unit_test(a_method_that_names_its_operation_keeps_it),
        cmocka_unit_test(what_an_operation_does_not_have_is_left_out),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
