/* A run on a device, on every machine: the kernels are the replays (device_fake.c), changed where a test wants to see
 * that the difference is found, counted, told, and kept over a --resume. */
#define PROGRAM "" /* no line is run here */
#include "device_fake.h"
#include "program.h"

#include "../src/fp.h"
#include "../src/results.h"
#include "../src/run.h"
#include "../src/store.h"

#include <math.h>
#include <signal.h>

enum { TRIALS = 3, HEARD_SIZE = 1 << 14 };

/* ---- a study and its run ---- */

static struct study study_of(const char *const *methods, const char *data, uint64_t trials, uint64_t repeats)
{
    struct study study;
    char *globs[4] = {0};
    size_t count = 0;
    for (; methods[count]; count++)
        globs[count] = (char *)(uintptr_t)methods[count];
    assert_int_equal(study_read(NULL, NULL, &study), OK);
    assert_int_equal(study_select_methods(&study, globs, count, "test"), OK);
    study_clear_data(&study);
    assert_int_equal(study_add_data(&study, data, trials, "test", study.nonfinite), OK);
    assert_int_equal(study_set_launches(&study, "2", "32", "test"), OK);
    study.repeats = repeats;
    return study;
}

#define METHODS(...) ((const char *const[]){__VA_ARGS__, NULL})

struct heard {
    enum status status;
    char text[HEARD_SIZE]; /* on stderr */
};

/* Runs the study, which sets `results` unless it is NULL. */
static struct heard run(const struct study *study, struct run_options options, struct results *results,
                        struct store **store)
{
    struct heard heard;
    FILE *file = tmpfile();
    options.command_line = "test";
    options.jobs = options.jobs ? options.jobs : 1;
    options.device = options.device ? options.device : "cuda:0";
    fake_device.runs = 0;
    fflush(stderr);
    const int before = dup(STDERR_FILENO);
    assert_true(file && before >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    heard.status = run_study(study, &options, store);
    if (results && (heard.status == OK || heard.status == LIMIT_BROKEN))
        if (results_load(study, *store, results) != OK)
            heard.status = NOT_MEASURED;
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    heard.text[fread(heard.text, 1, HEARD_SIZE - 1, file)] = '\0';
    fclose(file);
    return heard;
}

static struct heard run_only(const struct study *study, struct run_options options)
{
    struct store *store;
    const struct heard heard = run(study, options, NULL, &store);
    assert_int_equal(store_close(store), OK);
    return heard;
}

static void assert_said(const struct heard *heard, const char *words)
{
    if (!strstr(heard->text, words))
        fail_msg("\"%s\" is not in \"%s\"", words, heard->text);
}

static void assert_not_said(const struct heard *heard, const char *words)
{
    if (strstr(heard->text, words))
        fail_msg("\"%s\" is in \"%s\"", words, heard->text);
}

static const struct run_options beside = {.replay_beside = true};

/* ---- changes ---- */

static void flip_last_bit(float *result)
{
    *result = float_from_bits(float_bits(*result) ^ 1);
}

static enum status flip_second(uint64_t run_number, const struct method *method, float *result)
{
    (void)method;
    if (run_number == 1)
        flip_last_bit(result);
    return OK;
}

static enum status flip_all(uint64_t run_number, const struct method *method, float *result)
{
    (void)run_number, (void)method;
    flip_last_bit(result);
    return OK;
}

static enum status flip_all_sums_that_arrive(uint64_t run_number, const struct method *method, float *result)
{
    (void)run_number;
    if (method->determinism == ORDER_OF_ARRIVAL)
        flip_last_bit(result);
    return OK;
}

static enum status negate(uint64_t run_number, const struct method *method, float *result)
{
    (void)run_number, (void)method;
    *result = -*result;
    return OK;
}

static enum status flip_first_and_interrupt_second(uint64_t run_number, const struct method *method, float *result)
{
    (void)method;
    if (run_number == 0)
        flip_last_bit(result);
    if (run_number == 1)
        raise(SIGINT);
    return OK;
}

static enum status fail_third(uint64_t run_number, const struct method *method, float *result)
{
    (void)method, (void)result;
    if (run_number < 2)
        return OK;
    complain("the fake device has burnt out; expected none; take another");
    return NOT_MEASURED;
}

/* ---- kernels beside replays ---- */

static void same_bits_pass_and_are_counted(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial", "kahan/tree_two_pass"), "uniform:n=64", TRIALS, 2);
    assert_int_equal(study_set_launches(&study, "1..4*2", "32", "test"), OK);
    const struct heard heard = run_only(&study, beside);
    assert_int_equal(heard.status, OK);
    assert_int_equal(fake_device.runs, 2 * TRIALS * 2 * 3); /* methods, trials, repeats, launches */
    assert_said(&heard, "compared 36 kernel results with their replays: 0 differ\n");
    study_free(&study);
}

static void without_replay_nothing_is_compared(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", TRIALS, 1);
    fake_device.change = flip_all;
    const struct heard heard = run_only(&study, (struct run_options){0});
    assert_int_equal(heard.status, OK);
    assert_not_said(&heard, "compared");
    study_free(&study);
}

static void one_flipped_bit_breaks_the_limit_and_is_told_with_its_rerun(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("kahan/tree_two_pass"), "uniform:n=64", TRIALS, 1);
    study.seed = 5;
    fake_device.change = flip_second;
    const struct heard heard = run_only(&study, (struct run_options){.replay_beside = true, .device = "cuda:1"});
    assert_int_equal(heard.status, LIMIT_BROKEN);
    assert_said(&heard, "ulpscope: kahan/tree_two_pass: kernel and replay differ on uniform:n=64, trial 1");
    assert_said(&heard, "; rerun: ulpscope run -m kahan/tree_two_pass -d uniform:n=64 --seed 5 --trial 1 --blocks 2 "
                        "--threads 32 --device cuda:1 --replay\n");
    assert_said(&heard, "compared 3 kernel results with their replays: 1 differ\n");
    const char *first = strstr(heard.text, "differ on");
    assert_null(strstr(first + 1, "differ on"));
    study_free(&study);
}

static void difference_is_told_with_both_sums_in_full(void **state)
{
    (void)state;
    put_text("one.f32", "1\n0x1p-149\n");
    struct study study = study_of(METHODS("plain/serial"), in_folder("one.f32").text, 1, 1);
    fake_device.change = flip_all;
    const struct heard heard = run_only(&study, beside);
    assert_said(&heard, "kernel 0x1.000002p+0, replay 0x1p+0;");
    study_free(&study);
}

static void rerun_of_a_difference_quotes_the_file_and_says_what_is_left_out(void **state)
{
    (void)state;
    put_text("x y.f32", "1\nnan\n2\n");
    struct study study;
    assert_int_equal(study_read(NULL, &(enum nonfinite){NONFINITE_SKIP}, &study), OK);
    study_clear_data(&study);
    assert_int_equal(study_add_data(&study, in_folder("x y.f32").text, 1, "test", NONFINITE_SKIP), OK);
    fake_device.change = flip_all;
    const struct heard heard = run_only(&study, beside);
    char expected[PATH_SIZE + 8];
    snprintf(expected, sizeof expected, " -d '%s' ", in_folder("x y.f32").text);
    assert_int_equal(heard.status, LIMIT_BROKEN);
    assert_said(&heard, expected);
    assert_said(&heard, " --nonfinite skip --replay\n");
    study_free(&study);
}

static void sums_in_the_order_of_arrival_are_not_compared(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/tree_atomic", "plain/serial"), "uniform:n=64", TRIALS, 1);
    fake_device.change = flip_all_sums_that_arrive;
    const struct heard heard = run_only(&study, beside);
    assert_int_equal(heard.status, OK);
    assert_int_equal(fake_device.runs, 2 * TRIALS);
    assert_not_said(&heard, "differ on");
    assert_said(&heard, "compared 3 kernel results with their replays: 0 differ\n");
    study_free(&study);
}

static void one_nan_is_as_good_as_another(void **state)
{
    (void)state;
    put_text("nan.f32", "1\nnan\n");
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=8", 1, 1);
    study_clear_data(&study);
    assert_int_equal(study_add_data(&study, in_folder("nan.f32").text, 1, "test", NONFINITE_IEEE), OK);
    fake_device.change = flip_all;
    const struct heard heard = run_only(&study, beside);
    assert_int_equal(heard.status, OK);
    assert_said(&heard, "compared 1 kernel results with their replays: 0 differ\n");
    study_free(&study);
}

static void minus_zero_is_not_zero(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial"), "const:n=8,value=0", 1, 1);
    fake_device.change = negate;
    const struct heard heard = run_only(&study, beside);
    assert_int_equal(heard.status, LIMIT_BROKEN);
    assert_said(&heard, "kernel -0x0p+0, replay 0x0p+0");
    study_free(&study);
}

static void threads_share_the_device_one_at_a_time(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial", "kahan/serial"), "normal:n=300", 200, 2);
    const struct heard heard = run_only(&study, (struct run_options){.replay_beside = true, .jobs = 8});
    assert_int_equal(heard.status, OK);
    assert_int_equal(fake_device.runs, 800);
    assert_said(&heard, "compared 800 kernel results with their replays: 0 differ\n");
    study_free(&study);
}

/* ---- a run that goes on ---- */

static struct run_options into(const char *directory, enum store_mode mode)
{
    return (struct run_options){.directory = directory, .mode = mode, .replay_beside = true};
}

static void difference_of_a_finished_run_stays_after_resume(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", TRIALS, 1);
    fake_device.change = flip_second;
    assert_int_equal(run_only(&study, into(out.text, STORE_NEW)).status, LIMIT_BROKEN);
    fake_device.change = NULL;
    const struct heard heard = run_only(&study, into(out.text, STORE_RESUME));
    assert_int_equal(fake_device.runs, 0);
    assert_int_equal(heard.status, LIMIT_BROKEN);
    assert_said(&heard, "compared 3 kernel results with their replays: 1 differ\n");
    study_free(&study);
}

static void difference_before_an_interrupt_stays_after_resume(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 9, 1);
    fake_device.change = flip_first_and_interrupt_second;
    assert_int_equal(run_only(&study, into(out.text, STORE_NEW)).status, INTERRUPTED);
    assert_int_equal(fake_device.runs, 2);
    fake_device.change = NULL;
    const struct heard heard = run_only(&study, into(out.text, STORE_RESUME));
    assert_int_equal(fake_device.runs, 7);
    assert_int_equal(heard.status, LIMIT_BROKEN);
    assert_said(&heard, "compared 9 kernel results with their replays: 1 differ\n");
    study_free(&study);
}

/* The twin of the two. */
static void same_bits_before_and_after_resume_pass(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", TRIALS, 1);
    assert_int_equal(run_only(&study, into(out.text, STORE_NEW)).status, OK);
    assert_int_equal(run_only(&study, into(out.text, STORE_RESUME)).status, OK);
    study_free(&study);
}

static void run_on_another_device_is_not_resumed(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", TRIALS, 1);
    struct run_options options = into(out.text, STORE_NEW);
    assert_int_equal(run_only(&study, options).status, OK);
    options.mode = STORE_RESUME;
    options.device = "cuda:1";
    const struct heard heard = run_only(&study, options);
    assert_int_equal(heard.status, BAD_INPUT);
    assert_said(&heard, "there \"device: fake GPU 0\", here \"device: fake GPU 1\"");
    study_free(&study);
}

static void device_that_fails_stops_the_run_and_keeps_the_cases_before(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 9, 1);
    fake_device.change = fail_third;
    const struct heard heard = run_only(&study, into(out.text, STORE_NEW));
    assert_int_equal(heard.status, NOT_MEASURED);
    assert_said(&heard, "has burnt out");
    fake_device.change = NULL;
    assert_int_equal(run_only(&study, into(out.text, STORE_RESUME)).status, OK);
    assert_int_equal(fake_device.runs, 7);
    study_free(&study);
}

/* ---- what is read back ---- */

static struct results measure(const struct study *study, const char *device, bool replay_beside, struct store **store)
{
    struct results results = {0};
    const struct heard heard =
        run(study, (struct run_options){.device = device, .replay_beside = replay_beside}, &results, store);
    assert_int_equal(heard.status, OK);
    return results;
}

static void witness_names_the_device_that_was_used(void **state)
{
    (void)state;
    static const char *const ends[] = {" --device host", " --device cuda:1"};
    struct store *store;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", TRIALS, 1);
    struct results results = measure(&study, "cuda:1", true, &store);
    assert_int_equal(results.series_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const char *command = results.series[i].worst_command;
        assert_string_equal(command + strlen(command) - strlen(ends[i]), ends[i]);
    }
    assert_string_equal(results.series[0].device, "host");
    assert_string_equal(results.series[1].device, "fake GPU 1");
    results_free(&results);
    assert_int_equal(store_close(store), OK);
    study_free(&study);
}

static void device_of_a_run_is_among_its_facts(void **state)
{
    (void)state;
    static const char *const facts[][2] = {{"name", "fake GPU 0"},
                                           {"compute capability", "0.0"},
                                           {"CUDA runtime", "0.2"},
                                           {"CUDA version of the driver", "0.1"}};
    struct store *store;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", TRIALS, 1);
    struct results results = measure(&study, "auto", false, &store);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        assert_string_equal(results_fact(&results, "device", facts[i][0]), facts[i][1]);
    results_free(&results);
    assert_int_equal(store_close(store), OK);
    study_free(&study);
}

enum { REPEATS = 4 };

/* 1, 3 and 2 different results of the three data sets. */
static enum status scatter(uint64_t run_number, const struct method *method, float *result)
{
    static const uint32_t steps[TRIALS * REPEATS] = {0, 0, 0, 0, 0, 1, 2, 1, 3, 0, 3, 0};
    (void)method;
    *result = float_from_bits(float_bits(*result) + steps[run_number]);
    return OK;
}

static void distinct_bits_are_those_of_the_data_set_with_most(void **state)
{
    (void)state;
    struct store *store;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", TRIALS, REPEATS);
    fake_device.change = scatter;
    struct results results = measure(&study, "cuda:0", false, &store);
    assert_int_equal(results.series_count, 1);
    assert_int_equal(results.series[0].count, TRIALS * REPEATS);
    assert_int_equal(results.series[0].distinct_bits, 3);
    results_free(&results);
    assert_int_equal(store_close(store), OK);
    study_free(&study);
}

/* Far off in the second and the last of five runs; NaN in between, twice. */
static enum status go_wrong(uint64_t run_number, const struct method *method, float *result)
{
    (void)method;
    if (run_number == 1 || run_number == 4)
        *result = 1e30f;
    if (run_number == 2 || run_number == 3)
        *result = NAN;
    return OK;
}

static void first_nan_is_the_worst_witness(void **state)
{
    (void)state;
    struct store *store;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 5, 1);
    fake_device.change = go_wrong;
    struct results results = measure(&study, "cuda:0", false, &store);
    const struct series *series = &results.series[0];
    assert_int_equal(series->worst_trial, 2);
    assert_true(isnan(series->worst_ulp_error) && isnan(float_from_bits(series->worst_bits)));
    assert_non_null(strstr(series->worst_command, " --trial 2 "));
    assert_true(isnan(series->statistics[METRIC_ulp_error].max));
    assert_true(series->statistics[METRIC_bound_ratio].max == INFINITY);
    results_free(&results);
    assert_int_equal(store_close(store), OK);
    study_free(&study);
}

static enum status be_late(uint64_t run_number, const struct method *method, float *result)
{
    (void)method;
    if (run_number == 5)
        *result = 1e30f;
    return OK;
}

static void worst_witness_names_its_repeat(void **state)
{
    (void)state;
    struct store *store;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", TRIALS, REPEATS);
    fake_device.change = be_late;
    struct results results = measure(&study, "cuda:0", false, &store);
    assert_int_equal(results.series[0].worst_trial, 1);
    assert_int_equal(results.series[0].worst_repeat, 1);
    results_free(&results);
    assert_int_equal(store_close(store), OK);
    study_free(&study);
}

/* ---- choosing a device ---- */

static enum status open_device(const char *word, char chosen[24])
{
    struct device *device = NULL;
    char why[REASON_SIZE];
    const enum status status = device_open(word, &device, why);
    snprintf(chosen, 24, "%s", device ? device_facts(device)->word : "");
    device_close(device);
    return status;
}

static void word_chooses_the_device(void **state)
{
    (void)state;
    char chosen[24];
    assert_int_equal(open_device("auto", chosen), OK);
    assert_string_equal(chosen, "cuda:0");
    assert_int_equal(open_device("cuda:1", chosen), OK);
    assert_string_equal(chosen, "cuda:1");
    assert_int_equal(open_device("host", chosen), OK);
    assert_string_equal(chosen, "");
}

static void word_that_chooses_no_device_is_refused(void **state)
{
    (void)state;
    static const char *const words[] = {"cuda:", "cuda:x", "cuda:1x", "cuda:-1", "cuda", "gpu:0", ""};
    char chosen[24];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_int_equal(open_device(words[i], chosen), BAD_INPUT);
    assert_int_equal(open_device("cuda:2", chosen), NO_DEVICE);
    assert_int_equal(open_device("cuda:4294967296", chosen), NO_DEVICE);
    fake_device.count = 0;
    assert_int_equal(open_device("cuda:0", chosen), NO_DEVICE);
    assert_int_equal(open_device("auto", chosen), OK);
    assert_string_equal(chosen, "");
}

/* ---- the list ---- */

static int set_up(void **state)
{
    fake_device = (struct fake_device){.count = 2};
    return make_folder(state);
}

#define FACT(name) cmocka_unit_test_setup_teardown(name, set_up, remove_folder)

int main(void)
{
    static const struct CMUnitTest facts[] = {
        FACT(same_bits_pass_and_are_counted),
        FACT(without_replay_nothing_is_compared),
        FACT(one_flipped_bit_breaks_the_limit_and_is_told_with_its_rerun),
        FACT(difference_is_told_with_both_sums_in_full),
        FACT(rerun_of_a_difference_quotes_the_file_and_says_what_is_left_out),
        FACT(sums_in_the_order_of_arrival_are_not_compared),
        FACT(one_nan_is_as_good_as_another),
        FACT(minus_zero_is_not_zero),
        FACT(threads_share_the_device_one_at_a_time),
        FACT(difference_of_a_finished_run_stays_after_resume),
        FACT(difference_before_an_interrupt_stays_after_resume),
        FACT(same_bits_before_and_after_resume_pass),
        FACT(run_on_another_device_is_not_resumed),
        FACT(device_that_fails_stops_the_run_and_keeps_the_cases_before),
        FACT(witness_names_the_device_that_was_used),
        FACT(device_of_a_run_is_among_its_facts),
        FACT(distinct_bits_are_those_of_the_data_set_with_most),
        FACT(first_nan_is_the_worst_witness),
        FACT(worst_witness_names_its_repeat),
        FACT(word_chooses_the_device),
        FACT(word_that_chooses_no_device_is_refused),
    };
    forget_variables();
    return cmocka_run_group_tests_name("fake device", facts, NULL, NULL);
}
