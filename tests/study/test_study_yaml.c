/* A study that is written as a study file and read back is the same study. */
#include "src/base/text.h"
#include "src/study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/heard.h"
#include "tests/support/own_folder.h"

/* ---- writing and reading back ---- */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static struct study read_text(const char *yaml)
{
    struct study study;
    write_file("study.yaml", yaml);
    if (study_read("study.yaml", NULL, &study) != OK)
        fail_msg("this is no study:\n%s", yaml);
    unlink("study.yaml");
    assert_int_equal(study_hash_files(&study), OK);
    return study;
}

/* The canonical text of what is read back. */
static char *text_read_back(const struct study *study)
{
    char *yaml = study_yaml(study);
    assert_non_null(yaml);
    struct study back = read_text(yaml);
    char *text = study_text(&back);
    study_free(&back);
    free(yaml);
    return text;
}

static bool comes_back(const struct study *study)
{
    char *before = study_text(study), *after = text_read_back(study);
    const bool same = strcmp(before, after) == 0;
    if (!same)
        print_message("%s--- came back as\n%s", before, after);
    free(before);
    free(after);
    return same;
}

static struct study built_in(void)
{
    struct study study;
    assert_int_equal(study_read(NULL, NULL, &study), OK);
    return study;
}

/* ---- tests ---- */

static void the_built_in_study_comes_back(void **state)
{
    (void)state;
    struct study study = built_in();
    assert_true(comes_back(&study));
    study_free(&study);
}

/* The twin of all of them. */
static void another_study_is_seen(void **state)
{
    (void)state;
    struct study study = built_in();
    char *text = text_read_back(&study);
    study.seed++;
    char *other = study_text(&study);
    assert_string_not_equal(text, other);
    free(text);
    free(other);
    study_free(&study);
}

static void sweeps_of_launches_come_back(void **state)
{
    (void)state;
    static const char *const sweeps[][2] = {
        {"120", "256"},       {"32..1024*2", "256"},      {"120", "32..1024*2"},  {"1..64*4", "32..256*2"},
        {"100..1000*3", "8"}, {"4..9*1.5", "64..96*1.5"}, {"7..7*2", "32..33*2"},
    };
    for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++) {
        struct study study = built_in();
        assert_int_equal(study_set_launches(&study, sweeps[i][0], sweeps[i][1], "test"), OK);
        assert_true(comes_back(&study));
        study_free(&study);
    }
}

static void launches_that_are_no_sweep_are_a_comment(void **state)
{
    (void)state;
    struct study study = built_in();
    study.launches[0] = (struct launch){1, 32}, study.launches[1] = (struct launch){2, 32};
    study.launches[2] = (struct launch){7, 32};
    study.launch_count = 3;
    char *yaml = study_yaml(&study);
    assert_non_null(strstr(yaml, "# launch 7 x 32\n"));
    assert_null(strstr(yaml, "launch:"));
    free(yaml);
    study_free(&study);
}

static void any_title_comes_back(void **state)
{
    (void)state;
    static const char *const titles[] = {
        "a<b&\"c\"]]> it's &#0; 2^{3} \xc3\xbc `x`",
        ": - # {}[],&*!|>'\"%@`",
        "two\nlines\n\n# no comment",
        " blanks ",
        "null",
        "\x01\x7f\xc2\x85\xe2\x80\xa8",
        "tab\t\\x41\\",
        "1e3",
        ("Sums of a rather long list of data that no line of YAML is broken at, because it would be hard to read back, "
         "and of more of it"),
    };
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        struct study study = built_in();
        free(study.title);
        study.title = strdup(titles[i]);
        assert_true(comes_back(&study));
        study_free(&study);
    }
}

static void a_title_that_is_no_text_is_cleaned_and_said(void **state)
{
    (void)state;
    struct study study = built_in();
    free(study.title);
    study.title = strdup("a\xff"
                         "b");
    char *yaml = study_yaml(&study);
    assert_non_null(strstr(yaml, "# bytes that are not UTF-8 stand as ?\n"));
    assert_non_null(strstr(yaml, "title: \"a?b\"\n"));
    free(yaml);
    study_free(&study);
}

static void data_seed_repeats_and_all_methods_come_back(void **state)
{
    (void)state;
    char all[] = "*";
    char *const globs[] = {all};
    struct study study = built_in();
    study_clear_data(&study);
    assert_int_equal(study_add_data(&study, "all", 7, "test", NONFINITE_REFUSE), OK);
    assert_int_equal(study_add_data(&study, "uniform:n=1..4Ki*2,order=reversed", 3, "test", NONFINITE_REFUSE), OK);
    assert_int_equal(study_select_methods(&study, globs, 1, "test"), OK);
    study.seed = INT64_MAX;
    study.repeats = 12;
    assert_true(comes_back(&study));
    study_free(&study);
}

static void files_come_back_with_their_hashes_in_comments(void **state)
{
    (void)state;
    write_file("it's a: \"{file}\".csv", "a,b\n1,2\n,4\n");
    struct study study = read_text(
        "schema: ulpscope-study/1\nmethods: [naive]\nnonfinite: skip\ndata:\n"
        "  - {file: \"it's a: \\\"{file}\\\".csv\", column: 2, format: binary64, convert: bfloat16, order: magnitude}\n"
        "  - {spec: \"const:n=3\"}\n");
    char *yaml = study_yaml(&study);
    char hash[128];
    snprintf(hash, sizeof hash, "# sha256 of entry 1 of data: %s\n", study.entries[0].file_hash);
    assert_non_null(strstr(yaml, hash));
    assert_non_null(strstr(yaml, "nonfinite: skip\n"));
    assert_true(comes_back(&study));
    free(yaml);
    study_free(&study);
    unlink("it's a: \"{file}\".csv");
}

static void methods_that_do_not_exist_are_no_study(void **state)
{
    (void)state;
    struct study study;
    write_file("study.yaml", "schema: ulpscope-study/1\nmethods: [kahn/serial]\ndata:\n  - {spec: ones:n=8}\n");
    struct heard heard = listen_to_stderr();
    const enum status status = study_read("study.yaml", NULL, &study);
    heard_all(&heard);
    unlink("study.yaml");
    assert_int_equal(status, BAD_INPUT);
    assert_non_null(strstr(heard.text, "kahn/serial"));
    study_free(&study);
}

static void labels_come_back_and_are_of_methods_of_the_study(void **state)
{
    (void)state;
    static const struct {
        const char *label, *words; /* NULL: it is fine */
    } labels[] = {{"{kahan/serial: \"Kahan: #1\"}", NULL},
                  {"{kahan/serial@bfloat16: Kahan}", NULL},
                  {"{kahan/seral: Kahan}",
                   "study.yaml:3: unknown method \"kahan/seral\" in label; expected one of plain/serial, "
                   "kahan/serial; did you mean \"kahan/serial\"?"},
                  {"{kahan/serial@bogus: Kahan}", "unknown method \"kahan/serial@bogus\" in label"},
                  {"{kahan/serial: Same, plain/serial: Same}", "expected one label for each method"},
                  {"{kahan/serial: \"\"}", "label is empty"},
                  {"[kahan/serial]", "expected a label for each of some methods, like {kahan/serial: Kahan}"}};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        struct study study;
        char *text = text_made("schema: ulpscope-study/1\nmethods: [plain/serial, kahan/serial]\nlabel: %s\n"
                               "data:\n  - {spec: ones:n=8}\n",
                               labels[i].label);
        write_file("study.yaml", text);
        struct heard heard = listen_to_stderr();
        const enum status status = study_read("study.yaml", NULL, &study);
        heard_all(&heard);
        assert_int_equal(status, labels[i].words ? BAD_INPUT : OK);
        if (labels[i].words && !strstr(heard.text, labels[i].words))
            fail_msg("%s: %s", labels[i].label, heard.text);
        if (i == 0) {
            char *yaml = study_yaml(&study);
            struct study back = read_text(yaml);
            assert_int_equal(back.label_count, 1);
            assert_string_equal(back.labels[0].method, "kahan/serial");
            assert_string_equal(back.labels[0].text, "Kahan: #1");
            study_free(&back);
            free(yaml);
        }
        unlink("study.yaml");
        study_free(&study);
        free(text);
    }
}

/* Others have one, whatever is said. */
static void trials_are_those_of_random_data(void **state)
{
    (void)state;
    struct study random = read_text(
                     "schema: ulpscope-study/1\nmethods: [naive]\ndata:\n  - {spec: uniform:n=8, trials: 7}\n"),
                 fixed = read_text("schema: ulpscope-study/1\nmethods: [naive]\ndata:\n  - {spec: ones:n=8}\n");
    char *of_random = study_yaml(&random), *of_fixed = study_yaml(&fixed);
    assert_non_null(strstr(of_random, "trials: 7"));
    assert_null(strstr(of_fixed, "trials"));
    free(of_random);
    free(of_fixed);
    study_free(&random);
    study_free(&fixed);
}

static void permutations_are_written_when_they_were_asked_for(void **state)
{
    (void)state;
    struct study asked = read_text("schema: ulpscope-study/1\nmethods: [naive]\npermutations: 7\n"
                                   "data:\n  - {spec: const:n=8}\n  - {spec: \"uniform:n=8\"}\n"),
                 by_rule = read_text("schema: ulpscope-study/1\nmethods: [naive]\ndata:\n  - {spec: const:n=8}\n");
    char *of_asked = study_yaml(&asked), *of_rule = study_yaml(&by_rule);
    assert_non_null(strstr(of_asked, "permutations: 7"));
    assert_null(strstr(of_rule, "permutations"));
    struct study again = read_text(of_asked);
    study_permute(&again);
    assert_true(again.entries[0].trials == 8 && again.entries[1].trials == 1);
    study_permute(&by_rule);
    assert_true(by_rule.entries[0].trials == 101);
    free(of_asked);
    free(of_rule);
    study_free(&asked);
    study_free(&again);
    study_free(&by_rule);
}

static void axes_come_back(void **state)
{
    (void)state;
    struct study study = built_in(), none = built_in();
    assert_int_equal(axes_read("batch,repeat", "test", &study.across), OK);
    assert_true(comes_back(&study));
    char *yaml = study_yaml(&study), *without = study_yaml(&none), *text = study_text(&study),
         *other = study_text(&none);
    assert_non_null(strstr(yaml, "across: [repeat, batch]\n"));
    assert_null(strstr(without, "across"));
    assert_string_not_equal(text, other);
    free(yaml);
    free(without);
    free(text);
    free(other);
    study_free(&study);
    study_free(&none);
}

static void what_is_no_axis_is_refused(void **state)
{
    (void)state;
    uint32_t axes;
    static const char *const wrong[] = {"repeats", "", ",", "batch,row"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct heard heard = listen_to_stderr();
        const enum status status = axes_read(wrong[i], "--across", &axes);
        heard_all(&heard);
        assert_int_equal(status, BAD_INPUT);
        assert_non_null(strstr(heard.text, "--across: "));
    }
    assert_int_equal(axes_read("all", "--across", &axes), OK);
    assert_int_equal(axes, (1u << AXES) - 1);
}

static void a_chosen_trial_is_a_comment(void **state)
{
    (void)state;
    struct study study = built_in();
    char *yaml = study_yaml(&study);
    assert_null(strstr(yaml, "--trial"));
    free(yaml);
    study_set_trial(&study, 17);
    yaml = study_yaml(&study);
    assert_non_null(strstr(yaml, "run it with --trial 17\n"));
    free(yaml);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_built_in_study_comes_back),
        cmocka_unit_test(another_study_is_seen),
        cmocka_unit_test(sweeps_of_launches_come_back),
        cmocka_unit_test(launches_that_are_no_sweep_are_a_comment),
        cmocka_unit_test(any_title_comes_back),
        cmocka_unit_test(a_title_that_is_no_text_is_cleaned_and_said),
        cmocka_unit_test(data_seed_repeats_and_all_methods_come_back),
        cmocka_unit_test(files_come_back_with_their_hashes_in_comments),
        cmocka_unit_test(methods_that_do_not_exist_are_no_study),
        cmocka_unit_test(labels_come_back_and_are_of_methods_of_the_study),
        cmocka_unit_test(trials_are_those_of_random_data),
        cmocka_unit_test(permutations_are_written_when_they_were_asked_for),
        cmocka_unit_test(axes_come_back),
        cmocka_unit_test(what_is_no_axis_is_refused),
        cmocka_unit_test(a_chosen_trial_is_a_comment),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
