/* A run on a device, on every machine: the kernels are the replays (device_fake.c), changed where a test wants to see
 * that the difference is found, counted, told, and kept over a --resume. */
#define PROGRAM "" /* no line is run here */
#include "device_fake.h"
#include "tests/support/program.h"

#include "datasets/generator.h"
#include "src/base/fp.h"
#include "src/measure/case_in_hand.h"
#include "src/results/results_load.h"
#include "src/run/run.h"
#include "src/store/store.h"
#include "src/study/study.h"

#include <fenv.h>
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
    fake_device.runs = fake_device.uploads = 0;
    fflush(stderr);
    const int before = dup(STDERR_FILENO);
    assert_true(file && before >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    heard.status = run_study(study, &options, store);
    if (results && *store)
        if (results_load(*store, results) != OK)
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

static enum status trip(const char *cause)
{
    complain("%s", cause);
    return NOT_MEASURED;
}

static enum status fail_third(uint64_t run_number, const struct method *method, float *result)
{
    (void)method, (void)result;
    return run_number == 2 ? trip("the fake kernel has tripped") : OK;
}

static enum status burn_out_in_the_third(uint64_t run_number, const struct method *method, float *result)
{
    (void)method, (void)result;
    fake_device.lost = run_number == 2;
    return fake_device.lost ? trip("the fake device has burnt out") : OK;
}

static enum status burn_out_cuda_1(uint64_t run_number, const struct method *method, float *result)
{
    (void)run_number, (void)method, (void)result;
    fake_device.lost_one[fake_running] = fake_running == 1;
    return fake_running == 1 ? trip("the fake device has burnt out") : OK;
}

static enum status burn_out_both(uint64_t run_number, const struct method *method, float *result)
{
    (void)run_number, (void)method, (void)result;
    fake_device.lost_one[fake_running] = true;
    return trip("the fake device has burnt out");
}

static enum status fail_kahan(uint64_t run_number, const struct method *method, float *result)
{
    (void)run_number, (void)result;
    return strcmp(method->accumulator, "kahan") == 0 ? trip("the fake kernel has tripped") : OK;
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

static void products_of_matrices_are_compared_by_all_their_bits(void **state)
{
    (void)state;
    for (int flips = 0; flips < 2; flips++) {
        struct study study = study_of(METHODS("matmul:plain/naive", "matmul:kahan/split_2"),
                                      "uniform:n=9,rows=5,columns=7,low=-1", TRIALS, 2);
        assert_int_equal(study_set_vectors(&study), OK);
        fake_device.runs = 0;
        fake_device.change = flips ? flip_second : NULL;
        const struct heard heard = run_only(&study, beside);
        assert_int_equal(heard.status, flips ? LIMIT_BROKEN : OK);
        assert_said(&heard, flips ? "compared 12 kernel results with their replays: 1 differ\n"
                                  : "compared 12 kernel results with their replays: 0 differ\n");
        if (flips)
            assert_said(&heard, "matmul:plain/naive: kernel and replay differ on uniform:n=9,low=-1,rows=5,columns=7, "
                                "trial 0");
        study_free(&study);
    }
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
    assert_said(&heard, " --nonfinite skip --seed 1 ");
    assert_said(&heard, " --replay\n");
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

/* The twin of that: replays of a million numbers are not waited for, nor is the case kept. */
static void interrupt_leaves_a_long_case_at_its_next_method(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=1Mi", 3, 1);
    fake_device.change = flip_first_and_interrupt_second;
    const struct heard heard = run_only(&study, into(out.text, STORE_NEW));
    assert_int_equal(heard.status, INTERRUPTED);
    assert_said(&heard, "interrupted after 1 of 3 cases; ");
    study_free(&study);
}

static void interrupt_in_the_last_case_costs_the_speeds_alone(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 2, 1);
    fake_device.change = flip_first_and_interrupt_second;
    const struct heard heard = run_only(&study, (struct run_options){.speed_n = 64});
    assert_int_equal(heard.status, INTERRUPTED);
    assert_said(&heard, "their sums are reported without speeds");
    fake_device.runs = 0;
    assert_int_equal(run_only(&study, (struct run_options){.speed_n = 0}).status,
                     OK); /* the twin: none were asked for */
    study_free(&study);
}

/* In a folder that nobody named, and in another one the next time. */
static void run_without_a_folder_is_kept_when_it_is_interrupted(void **state)
{
    (void)state;
    const struct path kept = in_folder(KEPT_FOLDER "/run.db"), second = in_folder(KEPT_FOLDER "-2/run.db");
    char *const before = getcwd(NULL, 0);
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 9, 1);
    assert_true(before && chdir(in_folder(".").text) == 0);
    fake_device.change = flip_first_and_interrupt_second;
    const struct heard heard = run_only(&study, into(NULL, STORE_NEW));
    assert_int_equal(heard.status, INTERRUPTED);
    assert_said(&heard,
                "interrupted after 2 of 9 cases; they are kept: `ulpscope report ulpscope-interrupted` shows them, "
                "the same command with -o ulpscope-interrupted --resume continues");
    assert_int_equal(access(kept.text, F_OK), 0);
    assert_int_not_equal(access(second.text, F_OK), 0);
    fake_device.runs = 0;
    assert_int_equal(run_only(&study, into(NULL, STORE_NEW)).status, INTERRUPTED);
    assert_int_equal(access(second.text, F_OK), 0);
    fake_device.change = NULL;
    fake_device.runs = 0;
    assert_int_equal(run_only(&study, into(KEPT_FOLDER, STORE_RESUME)).status, LIMIT_BROKEN); /* of the flipped bit */
    assert_int_equal(fake_device.runs, 7);
    assert_int_equal(chdir(before), 0);
    free(before);
    study_free(&study);
}

/* The twin. */
static void run_without_a_folder_that_ends_keeps_none(void **state)
{
    (void)state;
    char *const before = getcwd(NULL, 0);
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 9, 1);
    assert_true(before && chdir(in_folder(".").text) == 0);
    assert_int_equal(run_only(&study, into(NULL, STORE_NEW)).status, OK);
    assert_int_not_equal(access(KEPT_FOLDER, F_OK), 0);
    assert_int_equal(chdir(before), 0);
    free(before);
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

/* ---- cases that are added up together ---- */

enum { ROWS_MOST = 100 };
struct noted {
    size_t count;
    struct {
        uint64_t n, trial, repeat, bits, nearest;
        char method[32];
    } rows[ROWS_MOST];
};

static enum status note_row(void *context, const struct result *row)
{
    struct noted *noted = context;
    assert_true(noted->count < ROWS_MOST);
    noted->rows[noted->count].n = row->n;
    noted->rows[noted->count].trial = row->trial;
    noted->rows[noted->count].repeat = row->repeat;
    noted->rows[noted->count].bits = row->computed_bits;
    noted->rows[noted->count].nearest = row->nearest_bits;
    snprintf(noted->rows[noted->count].method, sizeof noted->rows->method, "%s", row->method);
    noted->count++;
    return OK;
}

static void note_run(const struct study *study, unsigned jobs, struct noted *noted)
{
    struct store *store;
    struct results results = {0};
    *noted = (struct noted){0};
    assert_int_equal(run(study, (struct run_options){.jobs = jobs}, &results, &store).status, OK);
    assert_int_equal(results_each(&results, note_row, noted), OK);
    results_free(&results);
    assert_int_equal(store_close(store), OK);
}

static void cases_that_are_added_up_together_have_the_rows_of_each_alone(void **state)
{
    (void)state;
    static struct noted alone, together;
    struct study study = study_of(METHODS("plain/serial", "kahan/tree_two_pass"), "uniform:n=64..256*4", 11, 2);
    note_run(&study, 1, &alone);
    assert_int_equal(alone.count, 2 * 2 * 2 * 11);
    for (unsigned jobs = 1; jobs <= 3; jobs += 2) {
        fake_device.sets_at_once = 4;
        note_run(&study, jobs, &together);
        assert_memory_equal(&alone, &together, sizeof alone);
    }
    fake_device.change = flip_second; /* of 4 sets the second: trial 1 */
    const struct heard heard = run_only(&study, beside);
    assert_int_equal(heard.status, LIMIT_BROKEN);
    assert_said(&heard, "plain/serial: kernel and replay differ on uniform:n=64, trial 1:");
    note_run(&study, 1, &together);
    assert_memory_not_equal(&alone, &together, sizeof alone);
    study_free(&study);
}

/* Of files and formulas alike: n is known when the numbers are there. */
static void more_numbers_than_states_count_are_skipped(void **state)
{
    struct study study = study_of(METHODS("mean.running:plain/serial"), "uniform:n=8", 1, 1);
    atomic_bool told[1] = {false};
    const struct measuring measuring = {.study = &study, .told_slow = told};
    struct case_in_hand hand = {.measuring = &measuring, .data = {.format = &FORMAT_BINARY32, .n = UINT64_C(1) << 32}};
    (void)state;
    assert_false(case_measures(&hand, 0, 0));
    case_tell_too_slow(&hand, 0);
    assert_true(told[0]);
    told[0] = false;
    hand.data.n--; /* the twin */
    assert_true(case_measures(&hand, 0, 0));
    case_tell_too_slow(&hand, 0);
    assert_false(told[0]);
    study_free(&study);
}

/* ---- exact sums by the device ---- */

static struct heard run_large(const char *data, uint64_t trials)
{
    struct study study = study_of(METHODS("plain/serial", "kahan/serial"), data, trials, 1);
    fake_device.exact_sums = fake_device.exact_checks = 0;
    const struct heard heard = run_only(&study, (struct run_options){.jobs = 2});
    study_free(&study);
    return heard;
}

static void large_sums_are_exact_by_the_device_and_witnesses_by_the_host_as_well(void **state)
{
    (void)state;
    const struct heard heard = run_large("uniform:n=131072", 40);
    assert_int_equal(heard.status, OK);
    assert_in_range(fake_device.exact_checks, 2, 3); /* of one case in 32, and of one or two witnesses */
    assert_int_equal(fake_device.exact_sums, 40 + fake_device.exact_checks - 1);
    assert_said(&heard, "exact sums by the GPU: 40; added up again by the host: ");
}

/* Of a variance two sums, of a mean one. */
static void large_statistics_are_exact_by_the_device_as_well(void **state)
{
    (void)state;
    const char *const means[] = {"mean.sum_then_divide:plain/serial", NULL}, *const variances[] = {
                                                                                 "variance.two_pass:plain/serial",
                                                                                 NULL};
    for (uint64_t sums = 1; sums <= 2; sums++) {
        struct study study = study_of(sums == 1 ? means : variances, "uniform:n=131072", 40, 1);
        fake_device.exact_sums = fake_device.exact_checks = 0;
        const struct heard heard = run_only(&study, (struct run_options){.jobs = 2});
        assert_int_equal(heard.status, OK);
        assert_in_range(fake_device.exact_checks, 2 * sums, 3 * sums);
        assert_int_equal(fake_device.exact_sums, 40 * sums + fake_device.exact_checks - sums);
        assert_said(&heard, "exact sums by the GPU: 40; added up again by the host: ");
        fake_device.exact_is_wrong = ALWAYS; /* the twin */
        assert_int_equal(run_only(&study, (struct run_options){.jobs = 2}).status, NOT_MEASURED);
        fake_device.exact_is_wrong = NEVER;
        study_free(&study);
    }
}

static void small_sums_are_exact_by_the_host_alone(void **state)
{
    (void)state;
    assert_int_equal(run_large("uniform:n=131071", 4).status, OK);
    assert_int_equal(fake_device.exact_sums, 0);
}

static void device_whose_exact_sums_are_wrong_is_found_in_every_run(void **state)
{
    (void)state;
    fake_device.exact_is_wrong = ALWAYS;
    for (uint64_t trials = 1; trials <= 40; trials = 3 * trials + 1) {
        const struct heard heard = run_large("uniform:n=131072", trials);
        assert_int_equal(heard.status, NOT_MEASURED);
        assert_said(&heard, "by the fake device");
    }
}

/* The fake device has the host's formulas, whatever this program is built with: of these no more is asked. */
elements_on_device *__wrap_generator_on_device(const struct generator *generator, const struct format *format);

static int no_elements(const struct generator_call *call, float *x, void *stream)
{
    (void)call, (void)x, (void)stream;
    return -1;
}

elements_on_device *__wrap_generator_on_device(const struct generator *generator, const struct format *format)
{
    return generator->elements && format->precision == FORMAT_BINARY32.precision ? no_elements : NULL;
}

static void device_that_makes_other_numbers_is_found(void **state)
{
    (void)state;
    for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
        fake_device.formula_is_wrong = is_wrong;
        const struct heard heard = run_large("uniform:n=131072", 2);
        assert_int_equal(heard.status, is_wrong ? NOT_MEASURED : OK);
        if (is_wrong)
            assert_said(&heard, " on the GPU, ");
    }
}

static void every_number_that_comes_back_is_looked_at(void **state)
{
    static const uint64_t places[] = {0, 1, 2, 2049, 4095, 4096};
    (void)state;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        fake_device.seen = 0;
        fake_device.seen_wrong = places[p];
        const struct heard heard = run_large("uniform:n=131072", 1);
        assert_int_equal(heard.status, places[p] > 0 ? NOT_MEASURED : OK);
        assert_int_equal(fake_device.seen, 4096);
        if (places[p] > 0)
            assert_said(&heard, " on the GPU, ");
    }
}

/* So does the witness, which is looked at when all cases are done. */
static void numbers_of_a_witness_are_looked_at_again(void **state)
{
    (void)state;
    for (uint64_t wrong = 0; wrong <= 4096; wrong += 4096) {
        fake_device.seen_wrong = wrong;
        fake_device.seen_right = 40;
        assert_int_equal(run_large("uniform:n=131072", 40).status, wrong > 0 ? NOT_MEASURED : OK);
    }
}

/* One of 4,096 other places each time, up to the end of the numbers. */
static void the_seed_draws_which_numbers_come_back(void **state)
{
    enum { RUNS = 20 };
    uint64_t places[RUNS], others = 0;
    (void)state;
    for (uint64_t i = 0; i < RUNS; i++) {
        struct study study = study_of(METHODS("plain/serial"), "uniform:n=131072", 1, 1);
        study.seed = i;
        assert_int_equal(run_only(&study, (struct run_options){0}).status, OK);
        study_free(&study);
        places[i] = fake_device.first_seen;
        assert_in_range(places[i], 0, 131072 - 4096);
        others += i > 0 && places[i] != places[i - 1];
    }
    assert_int_equal(others, RUNS - 1);
}

/* Its exact sum is made and held to the host's at once, and not once more as a witness. */
static void the_only_case_is_checked_once(void **state)
{
    (void)state;
    assert_int_equal(run_large("uniform:n=131072", 1).status, OK);
    assert_int_equal(fake_device.exact_sums, 1);
    assert_int_equal(fake_device.exact_checks, 1);
}

/* Where replays need the numbers, the host makes them, and the device makes its own all the same. */
static void numbers_that_replays_need_are_made_on_both(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/tree_two_pass"), "uniform:n=131072", 2, 1);
    fake_device.seen = 0;
    const struct heard heard = run_only(&study, beside);
    assert_int_equal(heard.status, OK);
    assert_said(&heard, "compared 2 kernel results with their replays: 0 differ");
    assert_true(fake_device.seen >= 2 * 4096);
    study_free(&study);
}

/* An exact accumulator has the same worst case in every order and launch, and plain additions have others. */
static void a_case_is_checked_once_for_all_of_its_witnesses(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/tree_two_pass", "superacc/serial", "superacc/tree_two_pass"),
                                  "uniform:n=131072", 40, 1);
    assert_int_equal(study_set_launches(&study, "2..4*2", "32", "test"), OK);
    fake_device.exact_sums = fake_device.exact_checks = 0;
    const struct heard heard = run_only(&study, (struct run_options){.jobs = 2});
    assert_int_equal(heard.status, OK);
    assert_int_equal(fake_device.exact_checks, 4); /* one that the seed draws, the worst of superacc and two of plain */
    assert_said(&heard, "exact sums by the GPU: 40; added up again by the host: 4, with the same bits");
    study_free(&study);
}

/* Of several data, each of which has several n: the case of a witness is another for each. */
static void witnesses_of_all_data_are_checked(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/tree_two_pass"), "uniform:n=131072..262144*2", 4, 1);
    assert_int_equal(study_add_data(&study, "uniform:n=131072..262144*2,low=-1", 5, "test", study.nonfinite), OK);
    fake_device.exact_sums = fake_device.exact_checks = 0;
    assert_int_equal(run_only(&study, (struct run_options){0}).status, OK);
    assert_int_equal(fake_device.exact_sums - fake_device.exact_checks,
                     18 - 1); /* of one the only check is the first */
    assert_in_range(fake_device.exact_checks, 1 + 3, 1 + 4);
    study_free(&study);
}

/* Orders of one file have one exact sum, which the host made. */
static void orders_of_the_same_numbers_are_exact_once(void **state)
{
    (void)state;
    char spec[PATH_SIZE + 32];
    FILE *file = fopen(in_folder("x.raw").text, "w");
    assert_non_null(file);
    for (int i = 0; i < 131072; i++)
        assert_int_equal(fwrite(&(float){1 + (float)i}, sizeof(float), 1, file), 1);
    fclose(file);
    snprintf(spec, sizeof spec, "%s:format=binary32", in_folder("x.raw").text);
    struct study study = study_of(METHODS("plain/tree_two_pass"), spec, 1, 1);
    study.permutations = 4;
    study_permute(&study);
    assert_int_equal(study_case_count(&study), 5);
    fake_device.exact_sums = fake_device.exact_checks = 0;
    assert_int_equal(run_only(&study, (struct run_options){0}).status, OK);
    assert_int_equal(fake_device.exact_sums, 0);
    study_free(&study);
}

static void a_verified_reference_is_the_hosts(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=131072", 2, 1);
    fake_device.exact_sums = 0;
    fake_device.exact_is_wrong = ALWAYS;
    const struct heard heard = run_only(&study, (struct run_options){.verify_reference = true});
    assert_int_equal(heard.status, OK);
    assert_int_equal(fake_device.exact_sums, 0);
    assert_said(&heard, "verified 2 exact sums: one mpfr_add per term gives the same");
    assert_not_said(&heard, "exact sums by the GPU");
    const struct path out = in_folder("out");
    struct run_options options = into(out.text, STORE_NEW);
    options.replay_beside = false;
    options.verify_reference = true;
    assert_int_equal(run_only(&study, options).status, OK);
    options.mode = STORE_RESUME;
    const struct heard again = run_only(&study, options);
    assert_said(&again, "verified 0 exact sums"); /* none is left to be measured */
    study_free(&study);
}

static void witness_whose_exact_sum_is_another_when_made_again_is_found(void **state)
{
    (void)state;
    fake_device.exact_is_wrong = UNLESS_CHECKED;
    const struct heard heard = run_large("uniform:n=131072", 40);
    assert_int_equal(heard.status, NOT_MEASURED);
    assert_said(&heard, "when it is made again; this is a bug");
}

/* ---- failures ---- */

/* How many rows of a method a run left, as a report reads them; NULL: of all methods. */
static uint64_t rows_of(const struct results *results, const char *method)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < results->series_count; i++)
        rows += !method || strcmp(results->series[i].method, method) == 0 ? results->series[i].count : 0;
    return rows;
}

struct told {
    struct heard heard;
    uint64_t serial, kahan; /* rows of plain/serial and kahan/serial */
    char missing[64];       /* what the reports say */
};

/* Runs the study and reads back what is there to be reported. */
static struct told run_and_read(const struct study *study, struct run_options options)
{
    struct store *store;
    struct results results = {0};
    struct told told = {.heard = run(study, options, &results, &store)};
    told.serial = rows_of(&results, "plain/serial");
    told.kahan = rows_of(&results, "kahan/serial");
    snprintf(told.missing, sizeof told.missing, "%s", results_fact(&results, "run", "not measured"));
    results_free(&results);
    assert_int_equal(store_close(store), OK);
    return told;
}

static void kernel_that_fails_loses_neither_the_rows_before_it_nor_the_other_methods(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial", "kahan/serial"), "uniform:n=64", TRIALS, 2);
    fake_device.change = fail_third; /* trial 0: plain twice, then kahan's first */
    const struct run_options options = {.directory = out.text};
    const struct told told = run_and_read(&study, options);
    assert_int_equal(told.heard.status, NOT_MEASURED);
    assert_int_equal(told.serial, 2 * TRIALS);
    assert_int_equal(told.kahan, 2 * (TRIALS - 1));
    assert_string_equal(told.missing, "1 of 3 cases, in whole or in part");
    assert_said(&told.heard, "the fake kernel has tripped");
    assert_said(&told.heard, "kahan/serial at 2 x 32 on uniform:n=64, trial 0: the kernel failed");
    assert_said(&told.heard, "rerun: ulpscope run -m kahan/serial -d uniform:n=64 --seed 1 --trial 0 --blocks 2 "
                             "--threads 32 --device cuda:0\n");
    assert_said(&told.heard, "not measured: 1 of 3 cases");
    study_free(&study);
}

/* The twin: nothing fails, nothing is missing. */
static void kernels_that_do_not_fail_leave_nothing_out(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial", "kahan/serial"), "uniform:n=64", TRIALS, 2);
    const struct told told = run_and_read(&study, (struct run_options){.directory = out.text});
    assert_int_equal(told.heard.status, OK);
    assert_int_equal(told.serial, 2 * TRIALS);
    assert_int_equal(told.kahan, 2 * TRIALS);
    assert_string_equal(told.missing, "");
    assert_not_said(&told.heard, "not measured");
    study_free(&study);
}

static void repeats_before_the_failure_are_kept(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 1, 5);
    fake_device.change = fail_third;
    const struct told told = run_and_read(&study, (struct run_options){0});
    assert_int_equal(told.heard.status, NOT_MEASURED);
    assert_int_equal(told.serial, 2);
    assert_int_equal(fake_device.runs, 3);
    assert_said(&told.heard, "not measured: 1 of 1 cases, in whole or in part\n"); /* no folder to --resume */
    study_free(&study);
}

static void resume_does_the_unfinished_case_again_and_no_other(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial", "kahan/serial"), "uniform:n=64", TRIALS, 1);
    fake_device.change = fail_third;                                                          /* plain, in trial 1 */
    assert_int_equal(run_and_read(&study, into(out.text, STORE_NEW)).serial, 2 * TRIALS - 1); /* with replays */
    assert_int_equal(fake_device.runs, 2 * TRIALS);
    fake_device.change = NULL;
    const struct told told = run_and_read(&study, into(out.text, STORE_RESUME));
    assert_int_equal(fake_device.runs, 2);
    assert_int_equal(told.heard.status, OK);
    assert_int_equal(told.serial, 2 * TRIALS); /* the rows that were there were replaced, not doubled */
    assert_int_equal(told.kahan, 2 * TRIALS);
    assert_string_equal(told.missing, "");
    study_free(&study);
}

static void rows_of_an_unfinished_case_are_replaced(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial"), "const:n=8,value=1", 1, 3);
    fake_device.change = fail_third;
    assert_int_equal(run_and_read(&study, (struct run_options){.directory = out.text}).serial, 2);
    fake_device.change = negate;
    struct store *store;
    struct results results = {0};
    (void)run(&study, (struct run_options){.directory = out.text, .mode = STORE_RESUME}, &results, &store);
    assert_int_equal(rows_of(&results, NULL), 3);
    assert_int_equal(results.series[0].distinct_bits, 1); /* -8 thrice: none of the first run's 8 */
    assert_true(float_from_bits((uint32_t)results.series[0].worst_bits) == -8);
    results_free(&results);
    assert_int_equal(store_close(store), OK);
    study_free(&study);
}

/* Other bits in every third call. */
static enum status change_each_third(uint64_t run, const struct method *method, float *result)
{
    (void)method;
    *result += run % 3 == 0 ? 1 : 0;
    return OK;
}

static enum status count_row(void *context, const struct result *row)
{
    (void)row;
    ++*(size_t *)context;
    return OK;
}

/* Thousands of repeats of one kernel are few rows, of which everything that is counted is right. */
static void many_repeats_are_few_rows_and_none_is_lost(void **state)
{
    (void)state;
    enum { REPEATS = 3000 };
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial"), "const:n=8,value=1", 1, REPEATS);
    fake_device.change = change_each_third;
    struct store *store;
    struct results results = {0};
    (void)run(&study, (struct run_options){.directory = out.text}, &results, &store);
    const struct series *series = &results.series[0];
    size_t rows = 0;
    assert_int_equal(results_each(&results, count_row, &rows), OK);
    assert_int_equal(rows, 2);
    assert_int_equal(series->count, REPEATS);
    assert_int_equal(series->classes[CLASS_EXACT], 2 * REPEATS / 3);
    assert_int_equal(series->distinct_bits, 2);
    assert_int_equal(series->repeated, 1);
    assert_int_equal(histogram_total(&series->histogram), REPEATS);
    assert_true(series->statistics[METRIC_relative_error].p50 == 0);
    assert_true(series->statistics[METRIC_relative_error].p90 == 0.125);
    assert_int_equal(results_partial(&results), 0);
    results_free(&results);
    assert_int_equal(store_close(store), OK);
    study_free(&study);
}

static void run_of_which_nothing_was_finished_is_kept_for_resume(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial", "kahan/serial"), "uniform:n=64", TRIALS, 1);
    fake_device.change = fail_kahan;
    const struct told told = run_and_read(&study, (struct run_options){.directory = out.text});
    assert_int_equal(told.heard.status, NOT_MEASURED);
    assert_int_equal(told.serial, TRIALS);
    assert_int_equal(told.kahan, 0);
    assert_int_equal(run_only(&study, (struct run_options){.directory = out.text}).status, BAD_INPUT); /* it is there */
    study_free(&study);
}

static void device_that_is_lost_stops_the_run_and_keeps_all_rows_before(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial", "kahan/serial"), "uniform:n=64", 9, 1);
    fake_device.change = burn_out_in_the_third; /* plain, in trial 1 */
    const struct told told = run_and_read(&study, (struct run_options){.directory = out.text});
    assert_int_equal(told.heard.status, NOT_MEASURED);
    assert_int_equal(fake_device.runs, 3);
    assert_int_equal(fake_device.uploads, 2);
    assert_int_equal(told.serial, 1);
    assert_int_equal(told.kahan, 1);
    assert_said(&told.heard, "the fake device has burnt out");
    assert_not_said(&told.heard, "is lost, and was used");
    assert_said(&told.heard, "the GPU is lost to this process; not measured: 8 of 9 cases");
    fake_device.change = NULL;
    fake_device.lost = false;
    const struct told resumed = run_and_read(&study, (struct run_options){.directory = out.text, .mode = STORE_RESUME});
    assert_int_equal(resumed.heard.status, OK);
    assert_int_equal(fake_device.runs, 16);
    assert_int_equal(resumed.serial, 9);
    assert_int_equal(resumed.kahan, 9);
    study_free(&study);
}

static void device_that_is_lost_costs_all_cases_that_were_added_up_together(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial", "kahan/serial"), "uniform:n=64", 9, 1);
    fake_device.sets_at_once = 3;
    fake_device.change = burn_out_in_the_third; /* plain, in trial 2 */
    const struct told told = run_and_read(&study, (struct run_options){.directory = out.text});
    assert_int_equal(told.heard.status, NOT_MEASURED);
    assert_int_equal(told.serial + told.kahan, 0);
    assert_said(&told.heard, "the GPU is lost to this process; not measured: 9 of 9 cases");
    study_free(&study);
}

static void lost_device_is_said_once_by_all_threads(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 200, 1);
    fake_device.change = burn_out_in_the_third;
    const struct heard heard = run_only(&study, (struct run_options){.jobs = 8});
    assert_int_equal(heard.status, NOT_MEASURED);
    assert_not_said(&heard, "is lost, and was used");
    const char *first = strstr(heard.text, "the kernel failed");
    assert_non_null(first);
    assert_null(strstr(first + 1, "the kernel failed"));
    study_free(&study);
}

static void data_that_do_not_fit_cost_only_their_own_case(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64..256*2", 1, 1);
    fake_device.memory_bytes = 64 * 2 * sizeof(float);
    const struct told told = run_and_read(&study, (struct run_options){0});
    assert_int_equal(told.heard.status, NOT_MEASURED);
    assert_int_equal(told.serial, 2);
    assert_int_equal(fake_device.uploads, 3);
    assert_said(&told.heard, "uniform:n=256, trial 0: the data could not be brought to the GPU");
    assert_string_equal(told.missing, "1 of 3 cases, in whole or in part");
    study_free(&study);
}

static void replays_go_on_where_data_do_not_fit_the_device(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 1, 1);
    fake_device.memory_bytes = 1;
    const struct told told = run_and_read(&study, beside);
    assert_int_equal(told.heard.status, NOT_MEASURED);
    assert_int_equal(told.serial, 1);
    study_free(&study);
}

/* ---- several GPUs ---- */

static enum status open_device(const char *word, char chosen[24])
{
    struct device *device = NULL;
    char why[REASON_SIZE];
    const enum status status = device_open(word, &device, why);
    snprintf(chosen, 24, "%s", device ? device_facts(device)->word : "");
    device_close(device);
    return status;
}

/* A run on both, of which each has at least one case.  Whether its rows are those of a run on one. */
static struct heard run_on_both(const struct study *study, fake_change *change, bool *are_same)
{
    struct results one, both;
    struct store *stores[2];
    fake_device.name = "fake GPU";
    assert_int_equal(run(study, (struct run_options){.device = "cuda:0"}, &one, &stores[0]).status, OK);
    fake_device.meet = true;
    fake_device.begun[0] = fake_device.begun[1] = false;
    fake_device.change = change;
    fake_device.runs_of[0] = fake_device.runs_of[1] = 0;
    const struct heard heard = run(study, (struct run_options){.device = "cuda:all"}, &both, &stores[1]);
    fake_device.change = NULL;
    *are_same = stores[1] && one.series_count == both.series_count;
    for (size_t s = 0; s < one.series_count && *are_same; s++)
        *are_same = strcmp(one.series[s].bits_hash, both.series[s].bits_hash) == 0 &&
                    one.series[s].count == both.series[s].count;
    results_free(&one);
    assert_int_equal(store_close(stores[0]), OK);
    if (stores[1])
        results_free(&both);
    assert_int_equal(store_close(stores[1]), OK);
    return heard;
}

static void GPUs_that_share_the_cases_give_the_rows_of_one(void **state)
{
    (void)state;
    bool are_same;
    struct study study = study_of(METHODS("plain/serial", "kahan/serial"), "uniform:n=64", 9, 1);
    const struct heard heard = run_on_both(&study, NULL, &are_same);
    assert_int_equal(heard.status, OK);
    assert_true(are_same);
    assert_said(&heard, "device: 2 of fake GPU\n");
    assert_true(fake_device.runs_of[0] > 0 && fake_device.runs_of[1] > 0);
    assert_int_equal(fake_device.runs_of[0] + fake_device.runs_of[1], 18);
    (void)run_on_both(&study, flip_all, &are_same);
    assert_false(are_same); /* the twin */
    study_free(&study);
}

static void cases_of_a_GPU_that_is_lost_are_measured_by_the_others(void **state)
{
    (void)state;
    bool are_same;
    struct study study = study_of(METHODS("plain/serial", "kahan/serial"), "uniform:n=64", 9, 1);
    const struct heard heard = run_on_both(&study, burn_out_cuda_1, &are_same);
    assert_int_equal(heard.status, OK);
    assert_true(are_same);
    assert_int_equal(fake_device.runs_of[0], 18);
    assert_int_equal(fake_device.runs_of[1], 1);
    assert_said(&heard, "cuda:1 is lost to this process, as said above; the others measure what it could not");
    study_free(&study);
}

static void cases_that_cost_every_GPU_are_not_measured(void **state)
{
    (void)state;
    bool are_same;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 9, 1);
    const struct heard heard = run_on_both(&study, burn_out_both, &are_same);
    assert_int_equal(heard.status, NOT_MEASURED);
    assert_false(are_same);
    assert_said(&heard, "the GPU is lost to this process; not measured: 9 of 9 cases");
    study_free(&study);
}

static void what_one_GPU_has_no_memory_for_another_measures(void **state)
{
    (void)state;
    bool are_same;
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64..256*2", 3, 1);
    fake_device.memory_of_1 = 1;
    const struct heard heard = run_on_both(&study, NULL, &are_same);
    assert_int_equal(heard.status, OK);
    assert_true(are_same);
    assert_int_equal(fake_device.runs_of[0], 9);
    assert_said(&heard, "cuda:1 failed, as said above; the others measure what it could not");
    study_free(&study);
}

static void a_case_that_fails_on_every_GPU_is_tried_on_two_and_not_measured(void **state)
{
    (void)state;
    bool are_same;
    struct study study = study_of(METHODS("plain/serial", "kahan/serial"), "uniform:n=64", 4, 1);
    const struct heard heard = run_on_both(&study, fail_kahan, &are_same);
    assert_int_equal(heard.status, NOT_MEASURED);
    assert_said(&heard, "not measured: 4 of 4 cases, in whole or in part");
    assert_int_equal(fake_device.runs_of[0] + fake_device.runs_of[1], 2 * 8);
    study_free(&study);
}

static void GPUs_that_cannot_share_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *word, *said;
        enum status status;
    } refused[] = {{"cuda:0,0", "names cuda:0 twice", BAD_INPUT}, {"cuda:0,1,0", "names cuda:0 twice", BAD_INPUT},
                   {"cuda:0,2", "no such GPU", NO_DEVICE},        {"cuda:0,", "is not a device", BAD_INPUT},
                   {"cuda:,1", "is not a device", BAD_INPUT},     {"cuda:0,cuda:1", "is not a device", BAD_INPUT},
                   {"host,cuda:0", "is not a device", BAD_INPUT}, {"cuda:all", "expected GPUs of one name", BAD_INPUT}};
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 1, 1);
    struct store *store;
    char chosen[24];
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const struct heard heard = run(&study, (struct run_options){.device = refused[i].word}, NULL, &store);
        assert_int_equal(heard.status, refused[i].status);
        assert_said(&heard, refused[i].said);
        assert_null(store);
    }
    fake_device.count = 0;
    assert_int_equal(run(&study, (struct run_options){.device = "cuda:all"}, NULL, &store).status, NO_DEVICE);
    fake_device.count = 1;
    assert_int_equal(run_only(&study, (struct run_options){.device = "cuda:all"}).status, OK); /* the twin */
    assert_int_equal(open_device("cuda:all", chosen), BAD_INPUT);                              /* who takes one */
    study_free(&study);
}

/* ---- black boxes, and methods that are too slow ---- */

/* A study of its first method alone, changed. */
static struct study study_of_changed(const struct method *changed, const char *data)
{
    struct study study = study_of(METHODS("plain/serial"), data, 1, 1);
    study.methods[0] = changed;
    return study;
}

static bool always(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    (void)self, (void)launch, (void)why;
    return true;
}

static struct method make_black_box(void)
{
    struct method black_box = *method_find("cub/device_reduce");
    assert_true(!black_box.replay && !black_box.height);
    black_box.can_do = always;
    return black_box;
}

static void black_box_is_measured_on_a_device_and_compared_with_nothing(void **state)
{
    (void)state;
    const struct method black_box = make_black_box();
    struct study study = study_of_changed(&black_box, "integers:n=64");
    struct store *store;
    struct results results = {0};
    fake_device.change = flip_all;
    const struct heard heard = run(&study, beside, &results, &store);
    assert_int_equal(heard.status, OK);
    assert_not_said(&heard, "differ");
    assert_int_equal(results.series_count, 1);
    assert_ptr_equal(results.series[0].backend, BACKEND_OF(cuda));
    assert_true(results.series[0].statistics[METRIC_bound_ratio].max > 0); /* it has a bound, and is held to it */
    results_free(&results);
    assert_int_equal(store_close(store), OK);
    study_free(&study);
}

static void black_box_is_skipped_on_the_host(void **state)
{
    (void)state;
    const struct method black_box = make_black_box();
    struct study study = study_of_changed(&black_box, "uniform:n=64");
    const struct heard heard = run_only(&study, (struct run_options){.device = "host"});
    assert_int_equal(heard.status, NO_DEVICE);
    assert_said(&heard, "skipping cub/device_reduce: a black box without replay, which needs a GPU\n");
    study_free(&study);
}

static void instructions_that_a_GPU_has_not_are_skipped_and_kept_among_the_facts(void **state)
{
    (void)state;
    static const char *const lack = "its instructions are those of compute capability 9.0; found a GPU of 8.0";
    static const char *const absent = "matmul:hopper_wgmma/chain", *const said = "skipping matmul:hopper_wgmma/chain: ";
    struct study study = study_of(METHODS("matmul:plain/naive", absent), "uniform:n=64,rows=2,columns=2", 1, 1);
    struct store *store;
    assert_int_equal(study_set_vectors(&study), OK);
    for (int is_there = 0; is_there < 2; is_there++) { /* the twin has them */
        struct results results = {0};
        fake_device.capability = is_there ? "9.0" : "8.0";
        const struct heard heard = run(&study, (struct run_options){0}, &results, &store);
        assert_int_equal(heard.status, OK);
        assert_int_equal(results.series_count, 1 + is_there);
        assert_int_equal(strstr(heard.text, said) && strstr(heard.text, lack), !is_there);
        assert_string_equal(results_fact(&results, "skipped", absent), is_there ? "" : lack);
        results_free(&results);
        assert_int_equal(store_close(store), OK);
    }
    study_free(&study);
}

static void a_study_of_them_alone_lacks_a_device(void **state)
{
    (void)state;
    static const struct {
        const char *method, *capability, *device;
        enum status status;
    } rows[] = {{"matmul:hopper_wgmma/chain", "8.0", "cuda:0", NO_DEVICE},
                {"matmul:hopper_wgmma/chain", "9.0", "cuda:0", OK},
                {"matmul:hopper_wgmma/chain", "8.0", "host", OK},
                {"matmul:hopper_wgmma/chain@e4m3", "8.0", "cuda:0", OK}}; /* no kernel of it, but a replay */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool is_fp8 = strchr(rows[i].method, '@');
        struct study study =
            study_of(METHODS(rows[i].method),
                     is_fp8 ? "uniform:n=64,rows=2,columns=2,format=e4m3" : "uniform:n=64,rows=2,columns=2", 1, 1);
        assert_int_equal(study_set_vectors(&study), OK);
        fake_device.capability = rows[i].capability;
        const struct heard heard = run_only(&study, (struct run_options){.device = rows[i].device, .quiet = true});
        assert_int_equal(heard.status, rows[i].status);
        if (heard.status == NO_DEVICE) {
            assert_said(&heard, "skipping matmul:hopper_wgmma/chain: its instructions are those of");
            assert_said(&heard, "no selected method can be run here");
        }
        study_free(&study);
    }
}

static struct method slow_above_64(void)
{
    struct method slow = *method_find("plain/serial");
    slow.slow_above = 64;
    return slow;
}

static const char *const skips = "skipping plain/serial at n = 128 and other n beyond 64: ";

static void slow_method_is_skipped_beyond_its_n_and_told_once(void **state)
{
    (void)state;
    const struct method slow = slow_above_64();
    struct study study = study_of_changed(&slow, "uniform:n=32..256*2");
    const struct told told = run_and_read(&study, beside);
    assert_int_equal(told.heard.status, OK);
    assert_int_equal(told.serial, 2 * 2); /* n = 32 and 64, kernel and replay */
    assert_int_equal(fake_device.runs, 2);
    assert_said(&told.heard, skips);
    assert_said(&told.heard, "give --slow");
    assert_null(strstr(strstr(told.heard.text, skips) + 1, "skipping"));
    study_free(&study);
}

static void slow_method_runs_when_asked_to_and_its_rerun_asks_too(void **state)
{
    (void)state;
    static const char end[] = " --device cuda:0 --slow";
    const struct method slow = slow_above_64();
    struct study study = study_of_changed(&slow, "uniform:n=64..128*2");
    struct store *store;
    struct results results = {0};
    const struct heard heard = run(&study, (struct run_options){.slow = true}, &results, &store);
    assert_int_equal(heard.status, OK);
    assert_not_said(&heard, "skipping");
    assert_int_equal(rows_of(&results, NULL), 2);
    assert_null(strstr(results.series[0].worst_command, "--slow"));
    const char *command = results.series[1].worst_command;
    assert_string_equal(command + strlen(command) - strlen(end), end);
    results_free(&results);
    assert_int_equal(store_close(store), OK);
    study_free(&study);
}

static enum status interrupt_sixth(uint64_t run_number, const struct method *method, float *result)
{
    (void)method, (void)result;
    if (run_number == 5)
        raise(SIGINT);
    return OK;
}

static uint64_t axes_varied(const struct method *method, const char *data, fake_change *change, enum status expected)
{
    struct study study = study_of_changed(method, data);
    struct store *store;
    struct results results = {0};
    study.across = UINT32_C(1) << AXIS_permutation;
    fake_device.change = change;
    assert_int_equal(run(&study, (struct run_options){0}, &results, &store).status, expected);
    const uint64_t count = results.variation_count;
    results_free(&results);
    assert_int_equal(store_close(store), OK);
    study_free(&study);
    return count;
}

static void an_axis_that_is_interrupted_is_not_stored(void **state)
{
    (void)state;
    assert_int_equal(axes_varied(method_find("plain/serial"), "integers:n=64", NULL, OK), 1);
    assert_int_equal(axes_varied(method_find("plain/serial"), "integers:n=64", interrupt_sixth, INTERRUPTED), 0);
}

static void slow_method_is_varied_as_far_as_it_is_run(void **state)
{
    (void)state;
    const struct method slow = slow_above_64();
    assert_int_equal(axes_varied(&slow, "integers:n=64..128*2", NULL, OK), 1);
}

static void slow_method_is_not_slow_on_the_host(void **state)
{
    (void)state;
    const struct method slow = slow_above_64();
    struct study study = study_of_changed(&slow, "uniform:n=128");
    const struct told told = run_and_read(&study, (struct run_options){.device = "host"});
    assert_int_equal(told.heard.status, OK);
    assert_int_equal(told.serial, 1);
    assert_not_said(&told.heard, "skipping");
    study_free(&study);
}

static void run_in_which_all_was_too_slow_is_an_error(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    const struct method slow = slow_above_64();
    struct study study = study_of_changed(&slow, "uniform:n=128");
    const struct heard heard = run_only(&study, (struct run_options){.directory = out.text, .jobs = 2});
    assert_int_equal(heard.status, BAD_INPUT);
    assert_said(&heard, skips);
    assert_said(&heard, "nothing was measured");
    assert_int_equal(run_only(&study, (struct run_options){.directory = out.text, .slow = true}).status, OK);
    study_free(&study);
}

static void a_device_that_is_lost_is_asked_for_nothing_more(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial"), "integers:n=64", 4, 1);
    study.across = UINT32_C(1) << AXIS_permutation;
    fake_device.change = burn_out_in_the_third;
    const struct heard heard = run_only(&study, (struct run_options){.speed_n = 64});
    assert_int_equal(heard.status, NOT_MEASURED);
    assert_said(&heard, "the GPU is lost to this process");
    assert_not_said(&heard, "axes");
    assert_not_said(&heard, "timed");
    study_free(&study);
}

static enum status fail_first_and_interrupt_third(uint64_t run_number, const struct method *method, float *result)
{
    (void)method, (void)result;
    if (run_number == 2)
        raise(SIGINT);
    return run_number == 0 ? trip("the fake kernel has tripped") : OK;
}

static void an_interrupted_run_with_a_failure_is_interrupted(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial"), "integers:n=64", 6, 1);
    fake_device.change = fail_first_and_interrupt_third;
    const struct path out = in_folder("out");
    const struct heard heard = run_only(&study, into(out.text, STORE_NEW));
    assert_int_equal(heard.status, INTERRUPTED);
    assert_said(&heard, "interrupted after 2 of 6 cases");
    study_free(&study);
}

/* As a library may that is loaded when the first sum is asked for. */
static enum status round_upward(uint64_t run_number, const struct method *method, float *result)
{
    (void)run_number, (void)method, (void)result;
    return fesetround(FE_UPWARD) == 0 ? OK : NOT_MEASURED;
}

static void sums_beside_another_rounding_are_not_stored(void **state)
{
    (void)state;
    struct study study = study_of(METHODS("plain/serial"), "integers:n=64", 6, 1);
    fake_device.change = round_upward;
    const struct told told = run_and_read(&study, (struct run_options){0});
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    assert_int_equal(told.heard.status, NOT_MEASURED);
    assert_int_equal(told.serial, 0);
    assert_int_equal(fake_device.runs, 1);
    assert_said(&told.heard, "the rounding mode is not to-nearest");
    study_free(&study);
}

static void speeds_are_measured_when_they_are_asked_for(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial"), "integers:n=64", 2, 1);
    struct run_options options = into(out.text, STORE_NEW);
    assert_int_equal(run_only(&study, options).status, OK);
    assert_int_equal(fake_device.timed, 0);
    options.mode = STORE_RESUME;
    options.speed_n = 64;
    assert_int_equal(run_only(&study, options).status, OK);
    assert_true(fake_device.timed > 0);
    fake_device.timed = 0;
    assert_int_equal(run_only(&study, options).status, OK);
    assert_int_equal(fake_device.timed, 0); /* they are there */
    study_free(&study);
}

static void with_replays_and_without_are_two_studies(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 1, 1);
    struct run_options options = into(out.text, STORE_NEW);
    options.replay_beside = false;
    assert_int_equal(run_only(&study, options).status, OK);
    options.mode = STORE_RESUME;
    options.replay_beside = true;
    const struct heard heard = run_only(&study, options);
    assert_int_equal(heard.status, BAD_INPUT);
    assert_said(&heard, "there \"replay beside: 0\", here \"replay beside: 1\"");
    study_free(&study);
}

static void slow_and_not_slow_are_two_studies(void **state)
{
    (void)state;
    const struct path out = in_folder("out");
    struct study study = study_of(METHODS("plain/serial"), "uniform:n=64", 1, 1);
    struct run_options options = into(out.text, STORE_NEW);
    assert_int_equal(run_only(&study, options).status, OK);
    options.mode = STORE_RESUME;
    options.slow = true;
    const struct heard heard = run_only(&study, options);
    assert_int_equal(heard.status, BAD_INPUT);
    assert_said(&heard, "there \"slow: 0\", here \"slow: 1\"");
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
    assert_true(isnan(series->worst_ulp_error) && isnan(float_from_bits((uint32_t)series->worst_bits)));
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

#define FAKE_FACT(name) cmocka_unit_test_setup_teardown(name, set_up, remove_folder)

int main(void)
{
    static const struct CMUnitTest facts[] = {
        FAKE_FACT(same_bits_pass_and_are_counted),
        FAKE_FACT(products_of_matrices_are_compared_by_all_their_bits),
        FAKE_FACT(without_replay_nothing_is_compared),
        FAKE_FACT(one_flipped_bit_breaks_the_limit_and_is_told_with_its_rerun),
        FAKE_FACT(difference_is_told_with_both_sums_in_full),
        FAKE_FACT(rerun_of_a_difference_quotes_the_file_and_says_what_is_left_out),
        FAKE_FACT(sums_in_the_order_of_arrival_are_not_compared),
        FAKE_FACT(one_nan_is_as_good_as_another),
        FAKE_FACT(minus_zero_is_not_zero),
        FAKE_FACT(threads_share_the_device_one_at_a_time),
        FAKE_FACT(difference_of_a_finished_run_stays_after_resume),
        FAKE_FACT(difference_before_an_interrupt_stays_after_resume),
        FAKE_FACT(interrupt_leaves_a_long_case_at_its_next_method),
        FAKE_FACT(interrupt_in_the_last_case_costs_the_speeds_alone),
        FAKE_FACT(run_without_a_folder_is_kept_when_it_is_interrupted),
        FAKE_FACT(run_without_a_folder_that_ends_keeps_none),
        FAKE_FACT(same_bits_before_and_after_resume_pass),
        FAKE_FACT(run_on_another_device_is_not_resumed),
        FAKE_FACT(more_numbers_than_states_count_are_skipped),
        FAKE_FACT(large_sums_are_exact_by_the_device_and_witnesses_by_the_host_as_well),
        FAKE_FACT(large_statistics_are_exact_by_the_device_as_well),
        FAKE_FACT(small_sums_are_exact_by_the_host_alone),
        FAKE_FACT(device_whose_exact_sums_are_wrong_is_found_in_every_run),
        FAKE_FACT(every_number_that_comes_back_is_looked_at),
        FAKE_FACT(numbers_of_a_witness_are_looked_at_again),
        FAKE_FACT(the_seed_draws_which_numbers_come_back),
        FAKE_FACT(the_only_case_is_checked_once),
        FAKE_FACT(numbers_that_replays_need_are_made_on_both),
        FAKE_FACT(a_case_is_checked_once_for_all_of_its_witnesses),
        FAKE_FACT(witnesses_of_all_data_are_checked),
        FAKE_FACT(orders_of_the_same_numbers_are_exact_once),
        FAKE_FACT(a_verified_reference_is_the_hosts),
        FAKE_FACT(a_device_that_is_lost_is_asked_for_nothing_more),
        FAKE_FACT(an_interrupted_run_with_a_failure_is_interrupted),
        FAKE_FACT(sums_beside_another_rounding_are_not_stored),
        FAKE_FACT(speeds_are_measured_when_they_are_asked_for),
        FAKE_FACT(with_replays_and_without_are_two_studies),
        FAKE_FACT(device_that_makes_other_numbers_is_found),
        FAKE_FACT(witness_whose_exact_sum_is_another_when_made_again_is_found),
        FAKE_FACT(cases_that_are_added_up_together_have_the_rows_of_each_alone),
        FAKE_FACT(kernel_that_fails_loses_neither_the_rows_before_it_nor_the_other_methods),
        FAKE_FACT(kernels_that_do_not_fail_leave_nothing_out),
        FAKE_FACT(repeats_before_the_failure_are_kept),
        FAKE_FACT(many_repeats_are_few_rows_and_none_is_lost),
        FAKE_FACT(resume_does_the_unfinished_case_again_and_no_other),
        FAKE_FACT(rows_of_an_unfinished_case_are_replaced),
        FAKE_FACT(run_of_which_nothing_was_finished_is_kept_for_resume),
        FAKE_FACT(device_that_is_lost_stops_the_run_and_keeps_all_rows_before),
        FAKE_FACT(device_that_is_lost_costs_all_cases_that_were_added_up_together),
        FAKE_FACT(GPUs_that_share_the_cases_give_the_rows_of_one),
        FAKE_FACT(cases_of_a_GPU_that_is_lost_are_measured_by_the_others),
        FAKE_FACT(cases_that_cost_every_GPU_are_not_measured),
        FAKE_FACT(what_one_GPU_has_no_memory_for_another_measures),
        FAKE_FACT(a_case_that_fails_on_every_GPU_is_tried_on_two_and_not_measured),
        FAKE_FACT(GPUs_that_cannot_share_are_refused),
        FAKE_FACT(lost_device_is_said_once_by_all_threads),
        FAKE_FACT(data_that_do_not_fit_cost_only_their_own_case),
        FAKE_FACT(replays_go_on_where_data_do_not_fit_the_device),
        FAKE_FACT(black_box_is_measured_on_a_device_and_compared_with_nothing),
        FAKE_FACT(black_box_is_skipped_on_the_host),
        FAKE_FACT(instructions_that_a_GPU_has_not_are_skipped_and_kept_among_the_facts),
        FAKE_FACT(a_study_of_them_alone_lacks_a_device),
        FAKE_FACT(slow_method_is_skipped_beyond_its_n_and_told_once),
        FAKE_FACT(slow_method_runs_when_asked_to_and_its_rerun_asks_too),
        FAKE_FACT(an_axis_that_is_interrupted_is_not_stored),
        FAKE_FACT(slow_method_is_varied_as_far_as_it_is_run),
        FAKE_FACT(slow_method_is_not_slow_on_the_host),
        FAKE_FACT(run_in_which_all_was_too_slow_is_an_error),
        FAKE_FACT(slow_and_not_slow_are_two_studies),
        FAKE_FACT(witness_names_the_device_that_was_used),
        FAKE_FACT(device_of_a_run_is_among_its_facts),
        FAKE_FACT(distinct_bits_are_those_of_the_data_set_with_most),
        FAKE_FACT(first_nan_is_the_worst_witness),
        FAKE_FACT(worst_witness_names_its_repeat),
        FAKE_FACT(word_chooses_the_device),
        FAKE_FACT(word_that_chooses_no_device_is_refused),
    };
    forget_variables();
    return cmocka_run_group_tests_name("fake device", facts, NULL, NULL);
}
