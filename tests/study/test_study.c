/* Studies: what is built in, and how cases are counted off. */
#include "datasets/dataset.h"
#include "datasets/files/file.h"
#include "src/study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/heard.h"

static struct study study_of(const char *data, uint64_t trials)
{
    struct study study;
    assert_int_equal(study_read(NULL, NULL, &study), OK);
    study_clear_data(&study);
    assert_int_equal(study_add_data(&study, data, trials, "test", NONFINITE_REFUSE), OK);
    return study;
}

static void built_in_study_is_classic_yaml(void **state)
{
    (void)state;
    char text[4096] = "";
    FILE *file = fopen(SOURCE_DIRECTORY "/datasets/studies/classic.yaml", "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, default_study_text);
}

static void aliases_are_the_classic_four_in_the_order_of_the_tables(void **state)
{
    (void)state;
    char naive[] = "naive", tree[] = "tree", kahan[] = "kahan", binary64[] = "double";
    char *const words[] = {binary64, kahan, tree, naive};
    struct study study = study_of("uniform:n=8", 1), classic;
    assert_int_equal(study_read(NULL, NULL, &classic), OK);
    assert_int_equal(study_select_methods(&study, words, 4, "test"), OK);
    assert_int_equal(study.method_count, 4);
    for (size_t m = 0; m < 4; m++)
        assert_string_equal(study.methods[m]->id, classic.methods[m]->id);
    study_free(&classic);
    study_free(&study);
}

/* The ids that a word selects, with blanks between them; "": it is refused. */
static void assert_selects(const char *word, const char *ids)
{
    char copy[64], found[256] = "";
    char *const words[] = {strcpy(copy, word)};
    struct study study = study_of("uniform:n=8", 1);
    struct heard heard = listen_to_stderr();
    const enum status status = study_select_methods(&study, words, 1, "test");
    heard_all(&heard);
    for (size_t m = 0; m < study.method_count && status == OK; m++)
        sprintf(found + strlen(found), "%s%s", m ? " " : "", study.methods[m]->id);
    assert_string_equal(found, ids);
    study_free(&study);
}

static void a_format_behind_a_method_may_be_any_of_its_names(void **state)
{
    (void)state;
    assert_selects("plain/serial@binary32", "plain/serial");
    assert_selects("naive@float", "plain/serial");
    assert_selects("plain/ser*@fp32", "plain/serial");
    assert_selects("dot:plain/serial@float32", "dot:plain/serial");
    assert_selects("plain/serial@bf16", "plain/serial@bfloat16");
    assert_selects("naive@double", "plain/serial@binary64");
    assert_selects("plain/serial@bf16_in_BF16", "plain/serial@bfloat16_in_bfloat16");
    assert_selects("plain/ser*@half_to_float", "plain/serial@binary16_to_binary32");
    assert_selects("plain/serial@half_in_float", "");
    assert_selects("plain/serial@_in_half", "");
    assert_selects("plain/serial@", "");
    assert_selects("plain/serial@binary31", "");
    assert_selects("plain/serial@binary32x", "");
    assert_selects("plain/serial@binary32@binary32", "");
}

static struct study selected(const char *word)
{
    char copy[64];
    char *const words[] = {strcpy(copy, word)};
    struct study study = study_of("uniform:n=8", 1);
    assert_int_equal(study_select_methods(&study, words, 1, "test"), OK);
    return study;
}

/* All sums of a table whose accumulator names the kind, and no others. */
static void assert_is_kind(const char *word, enum accumulator_kind kind, enum operation operation, int format)
{
    size_t count, of_kind = 0;
    const struct method *const *table = method_table_for(operation, sum_formats[format], &count);
    struct study study = selected(word);
    for (size_t i = 0; i < count; i++) {
        assert_string_not_equal(table[i]->accumulator, ((const char *[])ACCUMULATOR_KIND_WORDS)[kind]);
        if (table[i]->role != SUMS || !table[i]->accumulator_traits || table[i]->accumulator_traits->kind != kind)
            continue;
        assert_true(of_kind < study.method_count);
        assert_ptr_equal(study.methods[of_kind++], table[i]);
    }
    assert_true(of_kind >= 10);
    assert_int_equal(study.method_count, of_kind);
    study_free(&study);
}

static void a_kind_stands_for_the_accumulators_that_name_it(void **state)
{
    static const char *const words[ACCUMULATOR_KINDS] = ACCUMULATOR_KIND_WORDS;
    char word[64];
    (void)state;
    for (int kind = KIND_NONE + 1; kind < ACCUMULATOR_KINDS; kind++) {
        snprintf(word, sizeof word, "%s/*", words[kind]);
        assert_is_kind(word, (enum accumulator_kind)kind, OPERATION_sum, 0);
        snprintf(word, sizeof word, "dot:%s/*@%s", words[kind], sum_formats[1]->id);
        assert_is_kind(word, (enum accumulator_kind)kind, OPERATION_dot, 1);
    }
    assert_selects("exact/serial", "superacc/serial");
    assert_selects("exac?/serial", ""); /* a word, no name that globs match */
    assert_selects("/serial", "");      /* of those without a kind */
    struct study rest = selected("!exact/*");
    for (size_t m = 0; m < rest.method_count; m++)
        assert_string_not_equal(rest.methods[m]->accumulator, "superacc");
    assert_true(rest.method_count >= 100);
    study_free(&rest);
}

static void sums_of_integers_are_meant_by_their_name_alone(void **state)
{
    (void)state;
    assert_selects("int32_wrap/serial", "int32_wrap/serial");
    assert_selects("dot:int64*/serial@binary64", "dot:int64_wrap/serial@binary64");
    struct study named = selected("int*/serial"), all = selected("*/serial"), dots = selected("dot:*/serial");
    assert_int_equal(named.method_count, 4);
    for (size_t m = 0; m < all.method_count; m++)
        assert_int_equal(all.methods[m]->role, SUMS);
    for (size_t m = 0; m < dots.method_count; m++)
        assert_int_equal(dots.methods[m]->role, SUMS);
    assert_true(all.method_count >= 15 && dots.method_count >= 15);
    study_free(&named);
    study_free(&all);
    study_free(&dots);
}

static void exclusions_alone_start_from_all_sums(void **state)
{
    (void)state;
    char no_atomics[] = "!*/tree_atomic";
    char *const words[] = {no_atomics};
    struct study study = study_of("uniform:n=8", 1);
    assert_int_equal(study_select_methods(&study, words, 1, "test"), OK);
    assert_true(study.method_count >= 12);
    for (size_t m = 0; m < study.method_count; m++) {
        assert_int_equal(study.methods[m]->role, SUMS);
        assert_string_not_equal(study.methods[m]->order, "tree_atomic");
    }
    study_free(&study);
}

/* Each trial has numbers of its own, and an entry no more trials than sums. */
static void sums_along_an_axis_are_trials(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint64_t asked, trials;
        float second[2];
        uint64_t n;
    } rows[] = {{"axes.npy:axis=0", 0, 3, {2, 5}, 2}, {"axes.npy:axis=1", 9, 2, {4, 5}, 3},
                {"axes.npy:axis=0", 2, 2, {2, 5}, 2}, {"axes.npy:axis=all", 9, 1, {1, 2}, 6},
                {"axes.npy", 9, 1, {1, 2}, 6},        {"axes.npy:axis=0::axes.npy:axis=0", 0, 3, {2, 5}, 2}};
    const float x[] = {1, 2, 3, 4, 5, 6};
    const struct dataset matrix = {.format = &FORMAT_BINARY32, .x = (void *)x, .n = 6, .rows = 2, .columns = 3};
    assert_int_equal(file_write("axes.npy", &matrix, NULL), OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct study study = study_of(rows[i].spec, rows[i].asked);
        struct dataset data;
        assert_int_equal(study.entries->trials, rows[i].trials);
        if (!study.entries->specs->second) {
            assert_int_equal(dataset_make(study.entries->specs, 1, rows[i].n < 6, &data), OK);
            assert_int_equal(data.n, rows[i].n);
            assert_memory_equal(data.x, rows[i].second, sizeof rows[i].second);
            dataset_free(&data);
        }
        study_free(&study);
    }
    remove("axes.npy");
}

static void cases_go_by_entry_then_spec_then_trial(void **state)
{
    (void)state;
    struct study study = study_of("uniform:n=1..4*2", 5);
    assert_int_equal(study_add_data(&study, "normal:n=8", 2, "test", NONFINITE_REFUSE), OK);
    assert_int_equal(study_case_count(&study), 3 * 5 + 2);
    const struct study_case last_of_first = study_case_at(&study, 14), first_of_second = study_case_at(&study, 15);
    const struct study_case second = study_case_at(&study, 1), sixth = study_case_at(&study, 5);
    assert_true(second.spec == 0 && second.trial == 1 && sixth.spec == 1 && sixth.trial == 0);
    assert_true(last_of_first.entry == 0 && last_of_first.spec == 2 && last_of_first.trial == 4);
    assert_true(first_of_second.entry == 1 && first_of_second.spec == 0 && first_of_second.trial == 0);
    study_free(&study);
}

static void data_that_are_not_random_have_one_trial(void **state)
{
    (void)state;
    struct study study = study_of("const:n=8", 100);
    assert_int_equal(study_case_count(&study), 1);
    study_free(&study);
}

static void one_trial_is_that_trial_of_every_spec(void **state)
{
    (void)state;
    struct study study = study_of("uniform:n=1..4*2", 5);
    study_set_trial(&study, 17);
    assert_int_equal(study_case_count(&study), 3);
    for (uint64_t i = 0; i < 3; i++)
        assert_true(study_case_at(&study, i).spec == i && study_case_at(&study, i).trial == 17);
    study_free(&study);
}

/* Each of them is fit to be made, too: its n and parameters go together. */
static void all_is_every_showcase_of_every_family(void **state)
{
    (void)state;
    struct study study = study_of("all", 2);
    size_t count, entry = 0;
    const struct generator *const *table = generator_table(&count);
    for (size_t g = 0; g < count; g++)
        for (const char *const *showcase = table[g]->showcase; *showcase; showcase++, entry++) {
            assert_true(entry < study.entry_count);
            assert_string_equal(study.entries[entry].text, *showcase);
            for (size_t s = 0; s < study.entries[entry].spec_count; s++) {
                struct generator_call call;
                assert_ptr_equal(study.entries[entry].specs[s].generator, table[g]);
                assert_int_equal(dataset_call(&study.entries[entry].specs[s], 1, 1, &call), OK);
            }
        }
    assert_int_equal(entry, study.entry_count);
    assert_true(entry >= count);
    study_free(&study);
}

static void all_stands_beside_other_data(void **state)
{
    (void)state;
    struct study study = study_of("all", 1);
    const size_t all = study.entry_count;
    assert_int_equal(study_add_data(&study, "normal:n=8", 2, "test", NONFINITE_REFUSE), OK);
    assert_int_equal(study.entry_count, all + 1);
    study_free(&study);
    struct study file = study_of("./all", 1); /* the twin: a file of that name */
    assert_int_equal(file.entry_count, 1);
    assert_string_equal(file.entries[0].specs->path, "./all");
    study_free(&file);
}

/* Each change makes another text, so that --resume does not mix two studies. */
/* The most that a GPU has. */
static void a_block_has_up_to_1024_threads(void **state)
{
    (void)state;
    struct study study = study_of("uniform:n=8", 1);
    assert_int_equal(study_set_launches(&study, "1", "1024", "test"), OK);
    struct heard heard = listen_to_stderr();
    const enum status status = study_set_launches(&study, "1", "1025", "test");
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    assert_int_equal(study.launches[0].threads, 1024);
    study_free(&study);
}

static void study_text_tells_studies_apart(void **state)
{
    (void)state;
    struct study study = study_of("uniform:n=8", 5);
    char *texts[5] = {study_text(&study)};
    study.seed = 2;
    texts[1] = study_text(&study);
    study.launches[0].threads = 128;
    texts[2] = study_text(&study);
    study.method_count--;
    texts[3] = study_text(&study);
    study.entries[0].trials++;
    texts[4] = study_text(&study);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(texts[i], texts[k]);
    for (int i = 0; i < 5; i++)
        free(texts[i]);
    study_free(&study);
}

static void launches_are_all_pairs_of_two_sweeps(void **state)
{
    (void)state;
    struct study study = study_of("uniform:n=8", 1);
    assert_int_equal(study_set_launches(&study, "1..4*2", "32..64*2", "test"), OK);
    assert_int_equal(study.launch_count, 6);
    assert_true(study.launches[1].blocks == 1 && study.launches[1].threads == 64);
    assert_true(study.launches[5].blocks == 4 && study.launches[5].threads == 64);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_study_is_classic_yaml),
        cmocka_unit_test(aliases_are_the_classic_four_in_the_order_of_the_tables),
        cmocka_unit_test(a_format_behind_a_method_may_be_any_of_its_names),
        cmocka_unit_test(a_kind_stands_for_the_accumulators_that_name_it),
        cmocka_unit_test(sums_of_integers_are_meant_by_their_name_alone),
        cmocka_unit_test(exclusions_alone_start_from_all_sums),
        cmocka_unit_test(sums_along_an_axis_are_trials),
        cmocka_unit_test(cases_go_by_entry_then_spec_then_trial),
        cmocka_unit_test(data_that_are_not_random_have_one_trial),
        cmocka_unit_test(one_trial_is_that_trial_of_every_spec),
        cmocka_unit_test(all_is_every_showcase_of_every_family),
        cmocka_unit_test(all_stands_beside_other_data),
        cmocka_unit_test(a_block_has_up_to_1024_threads),
        cmocka_unit_test(study_text_tells_studies_apart),
        cmocka_unit_test(launches_are_all_pairs_of_two_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
