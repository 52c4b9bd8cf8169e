/* Each bad input gives its exit code and says what is wrong, on stderr alone, and leaves nothing behind.
 *
 *   build/host/tests/tests_commands test_refusals --write     makes tests/golden/refusals.txt anew, all that is said:
 * look at what changed
 */
#include "tests/support/program.h"

#define GOLDEN SOURCE_DIRECTORY "/tests/golden/refusals.txt"

enum { WORDS_MOST = 7, LISTING_SIZE = 1 << 16 };

/* ---- what lies in the folder ---- */

static char *listing;

static int list_one(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)kind, (void)walk;
    const size_t used = strlen(listing);
    snprintf(listing + used, LISTING_SIZE - used, "%s %o %lld\n", path + strlen(folder), facts->st_mode,
             S_ISREG(facts->st_mode) ? (long long)facts->st_size : 0);
    return 0;
}

static int by_line(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Names, modes and sizes, sorted; the caller frees it. */
static char *list_folder(void)
{
    char *lines[512], *sorted = calloc(1, LISTING_SIZE);
    size_t count = 0;
    listing = calloc(1, LISTING_SIZE);
    assert_true(listing && sorted);
    assert_int_equal(nftw(folder, list_one, 8, FTW_PHYS), 0);
    for (char *line = strtok(listing, "\n"); line; line = strtok(NULL, "\n")) {
        assert_true(count < sizeof lines / sizeof *lines);
        lines[count++] = line;
    }
    qsort(lines, count, sizeof *lines, by_line);
    for (size_t i = 0; i < count; i++)
        strcat(strcat(sorted, lines[i]), "\n");
    free(listing);
    return sorted;
}

/* ---- bad input ---- */

struct bad {
    const char *fact;
    const char *line;  /* what follows $ULPSCOPE; NULL: run study.yaml */
    const char *study; /* the text of study.yaml, or NULL */
    const char *file;  /* a file that is there, or NULL, and its bytes */
    const char *bytes;
    size_t size;
    const char *before;            /* a line that is run first, and must succeed */
    const char *variable;          /* NAME=value for the program */
    int code;                      /* 0: 2, bad input */
    bool is_of_gpu;                /* other words with and without CUDA: none in the golden file */
    const char *words[WORDS_MOST]; /* on stderr */
};

#define STUDY(rest) .study = "schema: ulpscope-study/1\n" rest
#define TEN(text) text text text text text text text text text text
#define METHODS "methods: [naive]\n"
#define DATA "data: [{spec: \"uniform:n=8\", trials: 1}]\n"
#define FILE_OF(name, text) .file = (name), .bytes = (text), .size = sizeof(text) - 1
#define NPY(length, dictionary) "\x93NUMPY\1\0" length "\0" dictionary

static const struct bad bad_inputs[] = {
    /* usage */
    {"unknown_command", "rum", .words = {"unknown command \"rum\"", "did you mean \"run\""}},
    {"unknown_option_before_the_command", "--frob run", .words = {"'--frob'", "ulpscope run --help"}},
    {"unknown_option_and_no_command", "--frob", .words = {"--frob", "no command", "ulpscope help"}},
    {"unknown_option_of_run", "run --frob", .words = {"--frob", "ulpscope run --help"}},
    {"unknown_option_with_an_escape", "run \"$(printf '%s\\033%s' --fr ob)\"", .words = {"unrecognized option '--fr"}},
    {"unknown_option_of_doctor", "doctor --frob", .words = {"--frob"}},
    {"unknown_colour", "--color sometimes list config", .words = {"--color", "\"sometimes\"", "auto, always or never"}},
    {"colour_without_a_value", "--color", .words = {"--color"}},
    {"help_of_an_unknown_command", "help rum", .words = {"unknown command \"rum\""}},
    {"list_without_a_subject", "list", .words = {"no subject", "methods"}},
    {"list_of_an_unknown_subject", "list method", .words = {"unknown subject \"method\"", "did you mean \"methods\""}},
    {"list_of_what_takes_no_glob", "list config all", .words = {"list config: expected nothing", "found \"all\""}},
    {"list_of_no_fault", "list faults drop_lost", .words = {"list faults", "did you mean \"drop_last\""}},
    {"list_of_an_unknown_generator", "list generators unifrm",
     .words = {"none is named \"unifrm\"", "did you mean \"uniform\""}},
    {"doctor_with_an_argument", "doctor now", .words = {"\"now\"", "no argument"}},
    {"run_of_two_studies", "run a.yaml b.yaml", .words = {"\"b.yaml\"", "second study"}},
    {"run_across_no_axis", "run --across rows", .words = {"--across", "axis \"rows\" is unknown", "repeat"}},
    {"gen_without_a_spec", "gen", .words = {"no data;"}},
    {"gen_of_two_specs", "gen uniform:n=8 uniform:n=9", .words = {"\"uniform:n=9\"", "second data set"}},
    {"gen_of_a_sweep", "gen uniform:n=1..8*2", .words = {"a sweep of 4", "expected one"}},
    {"gen_into_an_unknown_format", "gen uniform:n=8 -o x.foo", .words = {"x.foo", "unknown ending .foo", ".npy"}},
    {"gen_of_a_file_that_is_not_there", "gen no.npy", .words = {"no.npy: cannot be read"}},
    {"unknown_ending_that_is_read", "exact x.foo", FILE_OF("x.foo", "1\n"), .words = {"name it after what it holds"}},
    {"gen_into_a_folder_that_is_a_file", "gen uniform:n=8 -o x.csv/x.npy", FILE_OF("x.csv", "1\n"),
     .words = {"x.csv/x.npy", "Not a directory", "name a folder"}},
    {"gen_of_a_trial_that_is_no_number", "gen uniform:n=8 --trial 0x", .words = {"--trial", "\"0x\""}},
    {"tolerance_of_nothing", "tolerance", .words = {"no operation", "like sum or dot@bfloat16"}},
    {"tolerance_of_an_unknown_operation", "tolerance sun -n 9",
     .words = {"\"sun\" is unknown", "did you mean \"sum\"?"}},
    {"tolerance_in_an_unknown_format", "tolerance sum@binary46", .words = {"\"sum@binary46\"", "list formats"}},
    {"tolerance_in_an_unknown_order", "tolerance sum --order pairwize",
     .words = {"--order: \"pairwize\"", "pairwise", "a method or its alias"}},
    {"tolerance_of_an_absent_method", "tolerance sum@e4m3_in_e4m3 --order kahan/serial",
     .words = {"--order: kahan/serial is not there for sum@e4m3_in_e4m3"}},
    {"tolerance_of_data_and_a_size", "tolerance sum uniform:n=8 -n 9", .words = {"stand for data; found data as well"}},
    {"tolerance_of_two_data_sets", "tolerance sum uniform:n=8 uniform:n=9", .words = {"\"uniform:n=9\": a second"}},
    {"tolerance_of_a_sum_with_a_shape", "tolerance sum --shape 8x9", .words = {"--shape is of rows and of matrix"}},
    {"tolerance_of_half_a_shape", "tolerance matmul --shape 8x9", .words = {"found 2 numbers", "like 64x256x64"}},
    {"tolerance_of_a_norm_with_a_condition", "tolerance norm2 --condition 9",
     .words = {"of sums and dot products; sums of squares, and norms, have 1; leave it out"}},
    {"tolerance_of_a_product_with_a_condition", "tolerance matmul --condition 9", .words = {"ask for that of dot"}},
    {"tolerance_of_fp8_with_a_condition", "tolerance dot@e5m2 -n 257 --condition 2",
     .words = {"--condition is of formats of 16 bits and more; leave it out"}},
    {"tolerance_of_one_number_with_a_condition", "tolerance dot -n 1 --condition 2",
     .words = {"--condition is of two numbers and more; leave it out"}},
    {"tolerance_of_an_attacked_norm", "tolerance norm2 --attack", .words = {"--attack is of sums"}},
    {"tolerance_of_a_condition_below_1", "tolerance sum --condition 0.5",
     .words = {"--condition: \"0.5\"", "from 1 to 1e308"}},
    {"tolerance_of_a_shape_and_a_size", "tolerance rows --shape 8x9 -n 9",
     .words = {"-n is the second number of --shape"}},
    {"tolerance_of_a_scale_and_a_condition", "tolerance sum --scale 2 --condition 9",
     .words = {"--scale is of numbers of no known condition"}},
    {"determinism_of_windows", "determinism rolling:plain/again_each_time",
     .words = {"is of windows, which are not varied", "`ulpscope run`"}},
    {"run_across_all_of_windows",
     "run -m rolling:plain/again_each_time -d normal:n=8,window=2 --device host --across all",
     .words = {"is of windows, which are not varied", "`ulpscope run`"}},
    {"exact_norm_of_a_row", "exact normal:n=8 --operation layer_norm --json -",
     .words = {"gives a result for each number", "--output"}},
    {"pipe_of_norms_of_rows", "run -d normal:n=8 --pipe text:rms_norm:cat",
     .words = {"many results are not written as text"}},
    {"norm_of_no_numbers", "run -m rms_norm:plain/serial -d normal:n=0 --device host",
     .words = {"no data have any", "n of 1 or more"}},
    {"tolerance_of_one_vector_for_a_dot", "tolerance dot uniform:n=8", .words = {"is one vector; expected two"}},
    {"tolerance_of_a_file_in_another_format", "tolerance sum@bfloat16 x.f32:convert=binary16", .file = "x.f32",
     .bytes = "1\n", .size = 2, .words = {"holds binary16", "sum@bfloat16 adds bfloat16"}},
    {"grade_without_a_method", "grade", .words = {"no method", "like matmul:plain/naive"}},
    {"grade_of_two_methods", "grade matmul:plain/naive matmul:kahan/naive",
     .words = {"\"matmul:kahan/naive\": a second method"}},
    {"grade_of_an_unknown_method", "grade matmul:plain/naife",
     .words = {"method \"matmul:plain/naife\" is unknown", "did you mean \"matmul:plain/naive\""}},
    {"grade_in_an_unknown_format", "grade matmul:plain/naive@binary46",
     .words = {"method \"matmul:plain/naive@binary46\" is unknown", "did you mean \"matmul:plain/naive@binary64\""}},
    {"grade_of_size_8", "grade matmul:plain/naive --size-most 8", .words = {"--size-most: \"8\"", "from 16 to 4096"}},
    {"grade_of_size_8192", "grade matmul:plain/naive --size-most 8Ki", .words = {"--size-most", "from 16 to 4096"}},
    {"grade_of_no_sample", "grade matmul:plain/naive --samples 0", .words = {"--samples: \"0\"", "from 1 to 1000"}},
    {"grade_with_a_seed_of_a_word", "grade matmul:plain/naive --seed now",
     .words = {"--seed: \"now\" is not a number"}},
    {"exact_without_data", "exact", .words = {"no data"}},
    {"exact_of_no_digits", "exact uniform:n=8 --digits 0", .words = {"--digits", "\"0\"", "from 1 to 10000"}},
    {"exact_of_too_many_digits", "exact uniform:n=8 --digits 10001", .words = {"--digits", "10000"}},
    {"exact_of_negative_digits", "exact uniform:n=8 --digits -1", .words = {"--digits", "\"-1\" is negative"}},
    {"exact_of_a_billion_digits", "exact uniform:n=8 --digits 1e9", .words = {"--digits", "\"1e9\"", "10000"}},
    {"exact_of_digits_that_are_none", "exact uniform:n=8 --digits ''", .words = {"--digits", "\"\" is not a number"}},
    {"unknown_option_of_exact", "exact uniform:n=8 --frob", .words = {"--frob", "ulpscope exact --help"}},
    {"exact_of_two_data_sets", "exact uniform:n=8 x.npy", .words = {"\"x.npy\"", "second data set"}},
    {"exact_of_a_sweep", "exact 'uniform:n=1..8*2'", .words = {"a sweep of 4", "expected one"}},
    {"exact_of_no_jobs", "exact uniform:n=8 --jobs 0", .words = {"--jobs", "from 1 to 1024"}},
    {"exact_beside_a_word", "exact uniform:n=8 --compare abc",
     .words = {"--compare: \"abc\" is not a number", "expected a number of binary32", "0x1.8p+3, inf or nan"}},
    {"exact_beside_a_value_of_no_format", "exact uniform:n=8 --compare 1 --as e3m4",
     .words = {"--as: format \"e3m4\" is unknown", "e4m3, e5m2, tf32", "did you mean \"e4m3\""}},
    {"data_of_no_format", "exact x.raw --format floot",
     .words = {"--format: format \"floot\" is unknown", "bfloat16, e4m3"}},
    {"data_rounded_to_no_format", "exact x.raw --convert", .words = {"--convert: no format is given", "--format"}},
    {"family_that_is_rounded", "exact uniform:n=8 --format binary32 --convert",
     .words = {"--convert: \"uniform:n=8\" is a family", "expected a file"}},
    {"exact_of_numbers_beyond_their_format", "exact x.csv --format e4m3 --convert",
     FILE_OF("x.csv", "1\n449\n465\n-1e99\n"),
     .words = {"x.csv:3: 2 of its 4 elements are outside e4m3 (largest 448; no infinity)", "element 2 (from 0), 465",
               "scale the data"}},
    {"npy_of_bfloat16_without_its_format", "exact x.npy",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }  \n") "\x80\x3f"),
     .words = {"x.npy", "'<V2', raw bytes", "give format=bfloat16"}},
    {"npy_of_more_bits_than_tf32", "exact x.npy:format=tf32",
     FILE_OF(
         "x.npy",
         NPY("\x3c", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }  \n") "\0\x20\x80\x3f\0\x10\x80\x3f"),
     .words = {"x.npy: 1 of its 2 numbers cannot be represented in tf32", "element 1 (from 0), 1.0004883",
               "convert= in place of format="}},
    {"npy_of_another_format", "exact x.npy:format=bfloat16",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }  \n") "\0\0\x80\x3f"),
     .words = {"x.npy", "'<f4', binary32, and format=bfloat16 was given", "convert=bfloat16"}},
    {"exact_beside_nothing", "exact uniform:n=8 --compare ''", .words = {"--compare: \"\" is not a number"}},
    {"exact_beside_a_number_and_a_letter", "exact uniform:n=8 --compare 1 --compare 1.5f",
     .words = {"--compare: \"1.5f\" has something after the number"}},
    {"exact_beside_a_number_out_of_range", "exact uniform:n=8 --compare -1e39",
     .words = {"\"-1e39\" is outside binary32"}},
    {"exact_beside_a_hex_float_between_two_numbers", "exact uniform:n=8 --compare 0x1.000001p+0",
     .words = {"\"0x1.000001p+0\" cannot be represented in binary32: it lies", "between 0x1p+0 and 0x1.000002p+0;"}},
    {"exact_beside_a_hex_float_below_one_that_it_rounds_to",
     "exact uniform:n=8 --compare -0x1.000001000000000000001p+0", .words = {"between -0x1.000002p+0 and -0x1p+0;"}},
    {"exact_beside_a_hex_float_whose_last_bit_is_far", "exact uniform:n=8 --compare 0x1.00000000000000000001p+0",
     .words = {"between 0x1p+0 and 0x1.000002p+0;"}},
    {"exact_beside_a_hex_float_a_little_below", "exact uniform:n=8 --compare 0x0.ffffffffffffffffffffffp+0",
     .words = {"between 0x1.fffffep-1 and 0x1p+0;"}},
    {"exact_beside_a_hex_float_that_rounds_to_zero", "exact uniform:n=8 --compare 0x1p-151",
     .words = {"between 0x0p+0 and 0x1p-149;"}},
    {"exact_beside_an_integer_that_binary64_has", "exact uniform:n=8 --compare 16777217",
     .words = {"give one of these, a decimal to have it rounded, or --as binary64"}},
    {"exact_beside_an_integer_that_no_format_has", "exact uniform:n=8 --compare 9007199254740993",
     .words = {"give one of these, or a decimal to have it rounded\n"}},
    {"exact_as_written_of_a_nan", "exact x.txt --as-written", FILE_OF("x.txt", "1\nnan\n"),
     .words = {"x.txt:2: 1 of its 2", "or choose --nonfinite skip (to leave them out)\n"}},
    {"exact_as_written_of_a_nan_that_is_left_out", "exact x.txt --as-written --nonfinite skip",
     FILE_OF("x.txt", "nan\n"), .words = {"at least one number; check what wrote it\n"}},
    {"exact_as_written_of_an_integer_of_an_npy", "exact x.npy --as-written",
     FILE_OF("x.npy",
             NPY("\x3c", "{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }  \n") "\1\0\0\0\0\0\x20\0"),
     .words = {"--as-written: found x.npy, which is no text; expected one; leave it out"}},
    {"exact_json_of_no_name", "exact uniform:n=8 --json ''", .words = {"\"\": expected a file name, found none"}},
    {"exact_json_into_a_folder_that_is_a_file", "exact uniform:n=8 --json x.csv/x.json", FILE_OF("x.csv", "1\n"),
     .words = {"x.csv/x.json", "Not a directory"}},
    {"nonfinite_of_an_unknown_kind", "run --nonfinite drop" TINY, .words = {"--nonfinite", "\"drop\"", "skip"}},

    {"unknown_option_of_bench", "bench --frob", .words = {"--frob", "ulpscope bench --help"}},
    {"bench_of_methods_without_a_flag", "bench 'kahan/*'", .words = {"bench: expected data", "\"kahan/*\"", "with -m"}},
    {"bench_of_a_study", "bench -d study.yaml",
     .words = {"bench: expected data", "study.yaml", "ulpscope run study.yaml"}},
    {"run_of_methods_without_a_flag", "run x.npy y.npy 'kahan/*'",
     .words = {"run: expected data", "\"kahan/*\", a name of methods", "ulpscope run -m 'kahan/*'"}},
    {"run_of_an_alias_without_a_flag", "run naive", .words = {"run: expected data", "\"naive\"", "run -m 'naive'"}},
    {"run_of_an_accumulator_without_a_flag", "run neumaier", .words = {"\"neumaier\", a name of methods"}},
    {"run_of_data_that_are_a_study", "run -d study.yaml", STUDY(METHODS DATA),
     .words = {"run: expected data", "\"study.yaml\", a study", "ulpscope run study.yaml"}},
    {"study_of_the_name_of_data_is_data", "run study.txt", .before = "cp study.yaml study.txt", STUDY(METHODS DATA),
     .words = {"study.txt:1:", "is not a number"}},
    {"study_behind_its_flag_and_another", "run study.yaml --study study.yaml", STUDY(METHODS DATA),
     .words = {"\"study.yaml\": a second study file"}},
    {"run_of_numbers_named_as_a_study", "run x.yaml", FILE_OF("x.yaml", "1\n2\n"),
     .words = {"x.yaml:1: the study is a single value", "by -d, from files named .npy, .csv"}},
    {"run_of_bytes_named_as_a_study", "run x.yaml", FILE_OF("x.yaml", "\x93NUMPY\1\n"),
     .words = {"x.yaml:1:", "expected YAML in UTF-8", "by -d, from files named .npy, .csv"}},
    {"run_of_limits", "run limits.yaml", FILE_OF("limits.yaml", "schema: ulpscope-limits/1\nmethods: 1\ndata: 1\n"),
     .words = {"limits.yaml:1: schema is \"ulpscope-limits/1\"", "expected ulpscope-study/1", "ulpscope help run"}},
    {"exact_of_a_method", "exact kahan/serial", .words = {"exact: expected data", "\"kahan/serial\"", "with -m"}},
    {"exact_of_a_method_and_data", "exact kahan/serial x.npy", .words = {"exact: expected data", "\"kahan/serial\""}},
    {"blame_without_a_method", "blame x.npy", .words = {"no method; expected one, like plain/serial"}},
    {"blame_of_a_method_mistyped", "blame plian/serial x.npy", .words = {"\"plian/serial\"", "mean \"plain/serial\""}},
    {"blame_of_a_method_mistyped_beside_data", "blame plian/serial -d x.npy", .words = {"mean \"plain/serial\""}},
    {"blame_of_two_methods", "blame naive kahan x.npy", .words = {"blame: expected data", "\"kahan\""}},
    {"blame_of_an_accumulator", "blame neumaier x.npy", .words = {"\"neumaier\"", "mean \"neumaier/serial\""}},
    {"explain_of_one_method", "explain x.npy naive", .words = {"one method; expected two"}},
    {"half_a_method_that_is_an_accumulator", "run -m neumaier",
     .words = {"\"neumaier\"", "did you mean \"neumaier/*\""}},
    {"integers_in_a_format_that_has_none", "run -m int32_wrap/serial@binary16_in_binary16",
     .words = {"did you mean \"int32_wrap/serial\"?"}},
    {"method_that_begins_one_of_integers", "run -m int32/serial", .words = {"did you mean \"int32_wrap/serial\"?"}},
    {"half_a_method_that_is_an_order", "list methods serial", .words = {"\"serial\"", "did you mean \"*/serial\""}},
    {"half_a_method_in_a_study", STUDY("methods:\n  - naive\n  - serial\n" DATA),
     .words = {"study.yaml:4:", "did you mean \"*/serial\""}},
    {"bench_of_an_unknown_method", "bench -m plain/serial,kahn/serial",
     .words = {"--method", "\"kahn/serial\"", "did you mean \"kahan/serial\""}},
    {"bench_of_a_method_of_no_name", "bench -m plain/serial,", .words = {"--method", "\"\" matches no method"}},
    {"bench_of_methods_all_excluded", "bench -m 'kahan/*,!kahan/*'", .words = {"no method is left"}},
    {"bench_of_methods_that_all_refuse", "bench -m kahan/tree_atomic",
     .words = {"leaving out kahan/tree_atomic at n=1048576", "no atomic merge", "every selected method was left out"}},
    {"bench_of_methods_that_all_refuse_quietly", "bench -q -m kahan/tree_atomic", .words = {"no atomic merge"}},
    {"bench_json_of_no_name", "bench -m naive -n 8 --json ''",
     .words = {"\"\": expected a file name, found none", "- for stdout"}},
    {"bench_of_n_zero", "bench -n 0", .words = {"-n 0 is out of range", "1 to 1099511627776"}},
    {"bench_of_n_with_letters", "bench -n 1Mx", .words = {"-n \"1Mx\"", "1Mi..1Gi*4"}},
    {"bench_of_a_sweep_without_a_step", "bench -n 1Ki..1Mi", .words = {"-n \"1Ki..1Mi\"", "range without a step"}},
    {"bench_of_a_sweep_that_stands_still", "bench -n '1Ki..1Mi*1'", .words = {"-n \"1Ki..1Mi*1\"", "factor above 1"}},
    {"bench_of_n_above_the_most", "bench -n 2Ti", .words = {"-n 2199023255552 is out of range"}},
    {"bench_of_zero_rows", "bench --rows 0", .words = {"--rows", "\"0\"", "from 1 to 16777216"}},
    {"bench_of_rows_with_a_fraction", "bench --rows 1.5", .words = {"--rows", "not a whole number"}},
    {"bench_of_rows_on_the_host", "bench --device host --rows 2", .code = 4, .words = {"--rows", "needs a GPU"}},
    {"bench_that_checks_on_the_host", "bench --device host --check", .code = 4, .words = {"--check", "needs a GPU"}},
    {"bench_on_a_device_that_is_not_there", "bench --device cuda:99", .code = 4, .is_of_gpu = true,
     .words = {"cuda:99"}},
    {"bench_of_zero_rounds", "bench --repeats 0", .words = {"--repeats", "\"0\"", "from 1 to 10000"}},
    {"bench_of_no_threads", "bench --threads 0", .words = {"--threads", "threads 0 is out of range"}},
    {"bench_of_no_blocks", "bench --blocks 0", .words = {"--blocks", "blocks 0 is out of range"}},
    {"bench_of_no_jobs", "bench --jobs 0", .words = {"--jobs", "from 1 to 1024"}},
    {"bench_of_an_unknown_family", "bench -d unifrom:low=-1", .words = {"--data", "did you mean \"uniform\""}},
    {"bench_of_an_unknown_parameter", "bench -d uniform:lov=-1", .words = {"\"lov\"", "did you mean \"low\""}},
    {"bench_of_a_sweep_of_data", "bench -d 'uniform:n=1..8*2'", .words = {"a sweep of 4", "-n sweeps"}},
    {"bench_of_two_data_sets", "bench -d uniform -d normal", .words = {"\"normal\"", "second data set"}},
    {"bench_of_a_file_that_is_not_there", "bench -d no.npy", .words = {"no.npy"}},
    {"bench_of_no_numbers", "bench -n 8 -d uniform:n=0", .words = {"no numbers to repeat"}},
    {"bench_json_into_a_folder_that_is_a_file", "bench --json x.csv/y/x.json", FILE_OF("x.csv", "1\n"),
     .words = {"x.csv/y/x.json", "Not a directory"}},

    /* numbers */
    {"trials_of_zero", "run -d uniform:n=8 --trials 0", .words = {"--trials", "\"0\"", "from 1 to 1000000000"}},
    {"trials_with_a_fraction", "run -d uniform:n=8 --trials 1.5", .words = {"--trials", "not a whole number"}},
    {"trials_with_letters", "run -d uniform:n=8 --trials 1e6x", .words = {"--trials", "\"1e6x\"", "letters"}},
    {"trials_above_2_64", "run -d uniform:n=8 --trials 99999999999999999999",
     .words = {"--trials", "above 18446744073709551615"}},
    {"trial_that_is_negative", "run -d uniform:n=8 --trial -1", .words = {"--trial", "negative"}},
    {"seed_that_is_negative", "run --seed -1" TINY, .words = {"--seed", "negative"}},
    {"seed_of_2_63", "run --seed 9223372036854775808" TINY, .words = {"--seed", "out of range"}},
    {"seed_of_a_word", "run --seed clock" TINY, .words = {"--seed", "\"clock\" is not a number"}},
    {"jobs_of_zero", "run --jobs 0" TINY, .words = {"--jobs", "from 1 to 1024"}},
    {"jobs_of_100000", "run --jobs 100000" TINY, .words = {"--jobs", "from 1 to 1024"}},
    {"repeats_of_zero", "run --repeats 0" TINY, .words = {"--repeats", "\"0\""}},
    {"threads_of_zero", "run --threads 0" TINY, .words = {"--threads", "threads 0 is out of range", "1 to 1024"}},
    {"threads_of_2048", "run --threads 2048" TINY, .words = {"threads 2048 is out of range", "1 to 1024"}},
    {"threads_that_are_no_power_of_two_for_a_tree", "run -m kahan/tree_two_pass --threads 100" TINY,
     .words = {"kahan/tree_two_pass at 120 x 100", "power of two", "no selected method can be run here"}},
    {"threads_that_are_no_whole_warps_for_shuffles", "run -m plain/shuffle_two_pass --threads 48" TINY,
     .words = {"48 threads", "multiple of 32"}},
    {"blocks_of_zero", "run --blocks 0" TINY, .words = {"--blocks", "blocks 0 is out of range"}},
    {"blocks_of_2_40", "run --blocks 1Ti" TINY, .words = {"--blocks", "out of range"}},
    {"blocks_in_a_range_without_a_step", "run --blocks 1..8" TINY, .words = {"--blocks", "range without a step"}},
    {"launches_above_64", "run --blocks 1..1024*2 --threads 32..1024*2" TINY, .words = {"66 launches", "at most 64"}},
    {"n_with_letters", "run -d uniform:n=1e6x", .words = {"--data", "n=1e6x", "letters", "1Ki..1Mi*32"}},
    {"n_above_2_64", "run -d uniform:n=99999999999999999999", .words = {"n=99999999999999999999", "is above"}},
    {"n_above_the_most", "run -d uniform:n=2Ti", .words = {"n=2Ti is out of range", "out of range"}},
    {"n_that_is_negative", "run -d uniform:n=-8", .words = {"n=-8", "negative"}},
    {"n_with_a_fraction", "exact uniform:n=2.5", .words = {"n=2.5", "not a whole number"}},
    {"n_of_zero_where_a_condition_is_asked_for", "run -d gensum:n=0", .words = {"n=0 is out of range", "from 2"}},
    {"n_in_a_sweep_of_factor_one", "run -d 'uniform:n=1..8*1'", .words = {"is not a sweep", "factor above 1"}},
    {"n_in_a_sweep_of_a_million_values", "run -d 'uniform:n=1..1e6*1.000001'", .words = {"n=1..1e6*1.000001"}},
    {"condition_of_a_word", "run -d gensum:n=8,cond=large", .words = {"cond=large", "is not a number"}},
    {"condition_of_nan", "run -d gensum:n=8,cond=nan", .words = {"cond=nan", "is not a number"}},
    {"condition_below_the_least", "run -d gensum:n=8,cond=0", .words = {"cond=0 is out of range"}},

    /* names */
    {"unknown_family", "run -d unifrom:n=8",
     .words = {"\"unifrom\"", "expected a family of data", "did you mean \"uniform\""}},
    {"unknown_family_without_parameters", "exact unifrom", .words = {"\"unifrom\"", "did you mean \"uniform\""}},
    {"order_of_a_family_that_is_none", "run -d uniform:n=8,order=sorted",
     .words = {"order=sorted is unknown", "ascending", "shuffled:SEED"}},
    {"order_that_is_nearly_one", "run -d uniform:n=8,order=magnitud", .words = {"did you mean \"magnitude\""}},
    {"order_of_a_file_that_is_none", "exact x.f32:order=sorted", FILE_OF("x.f32", "1\n"),
     .words = {"order=sorted is unknown", "ascending", "shuffled:SEED"}},
    {"word_that_a_family_does_not_have", "run -d mirror:second=revers",
     .words = {"second=revers is unknown", "reversed, repeated", "did you mean \"reversed\""}},
    {"family_of_no_name", "run -d ''", .words = {"--data", "\"\""}},
    {"unknown_parameter", "run -d gensum:n=8,kond=1e8", .words = {"\"kond\"", "did you mean \"cond\""}},
    {"parameter_twice", "run -d uniform:n=8,n=9", .words = {"n is given twice"}},
    {"parameter_without_a_value", "run -d uniform:n", .words = {"\"n\" has no value"}},
    {"parameters_with_nothing_in_them", "run -d uniform:", .words = {"has no value"}},
    {"unknown_method", "run -m kahn/serial" TINY,
     .words = {"--method", "\"kahn/serial\"", "did you mean \"kahan/serial\""}},
    {"method_of_no_name", "run -m ''" TINY, .words = {"--method", "matches no method"}},
    {"method_of_no_name_in_a_list", "run -m naive," TINY, .words = {"--method", "\"\" matches no method"}},
    {"list_that_excludes_what_it_names", "run -m plain/serial,!plain/*" TINY,
     .words = {"--method", "no method is left"}},
    {"method_that_measures", "run -m trace/serial" TINY, .words = {"trace/serial measures the tree"}},
    {"methods_all_excluded", "run -m 'kahan/*' -m '!kahan/*'" TINY, .words = {"no method is left"}},
    {"methods_that_all_refuse", "run -m kahan/tree_atomic" TINY,
     .words = {"skipping kahan/tree_atomic", "no selected method can be run here"}},
    {"black_boxes_on_the_host", "run --device host -m 'cub/*' -m cublas/dot" TINY, .code = 4, .is_of_gpu = true,
     .words = {"skipping cub/device_reduce", "needs a GPU", "no selected method can be run"}},
    {"black_boxes_on_the_host_quietly", "-q run --device host -m cuda/atomic_add" TINY, .code = 4, .is_of_gpu = true,
     .words = {"cuda/atomic_add: ", "needs a GPU"}},
    {"black_box_that_is_none", "run -m cub/device_reduc" TINY, .words = {"did you mean \"cub/device_reduce\""}},

    {"trial_and_trials", "run -d uniform:n=8 --trial 1 --trials 2",
     .words = {"--trial runs one trial", "give one of them"}},

    /* studies */
    {"study_that_is_not_there", "run no.yaml", .words = {"no.yaml: No such file", "ulpscope help run"}},
    {"study_that_is_a_folder", "run .", .words = {"is a folder", "name a file in it"}},
    {"study_of_no_bytes", .study = "", .words = {"study.yaml:1:", "empty"}},
    {"study_of_comments", .study = "# nothing\n", .words = {"study.yaml:1:", "empty"}},
    {"study_that_is_no_yaml", .study = "schema: [\nmethods: 1\n", .words = {"study.yaml:", "expected YAML"}},
    {"study_with_a_tab", .study = "schema:\n\t- 1\n", .words = {"study.yaml:2:", "expected YAML"}},
    {"study_with_a_glob_without_quotes", STUDY("methods: [*/serial]\n" DATA),
     .words = {"study.yaml:2:", "expected YAML", "in quotes, like \"*\""}},
    {"study_with_a_glob_like_an_alias", STUDY("methods: [*kahan]\n" DATA),
     .words = {"study.yaml:2:", "expected YAML", "in quotes, like \"*\""}},
    {"study_in_latin_1", .study = "title: \"gr\xfc\xdf\"\n", .words = {"study.yaml:1:", "expected YAML"}},
    {"study_that_is_a_list", .study = "- schema: ulpscope-study/1\n", .words = {"study.yaml:1: the study is a list"}},
    {"study_of_two_documents", STUDY(METHODS DATA "---\nschema: other/1\n"),
     .words = {"study.yaml:5:", "second document"}},
    {"study_with_a_broken_end", STUDY(METHODS DATA "---\n[\n"), .words = {"study.yaml:", "expected YAML"}},
    {"study_of_33_lists_in_each_other", .study = TEN("[\n") TEN("[\n") TEN("[\n") "[\n[\n[\n",
     .words = {"study.yaml:33: more than 32 levels of lists and mappings", "expected a study file"}},
    {"study_of_mappings_in_each_other", .study = TEN("{a: ") TEN("{a: ") TEN("{a: ") TEN("{a: "),
     .words = {"study.yaml:1: more than 32 levels"}},
    {"study_of_lists_closed_again", .study = "[" TEN(TEN("[],\n")) "]", .words = {"the study is a list"}},
    {"study_of_1001_anchors", .before = "{ echo [; yes '&a b,' | head -1001; echo ]; } >study.yaml",
     .words = {"study.yaml:1002: more than 1000 anchors (&NAME) and tags"}},
    {"study_of_1000_anchors", .before = "{ echo [; yes '&a b,' | head -1000; echo ]; } >study.yaml",
     .words = {"second occurrence"}},
    {"study_of_many_tags", .before = "yes '%TAG !a! tag:a' | head -1001 >study.yaml",
     .words = {"study.yaml:1001: more than 1000 anchors"}},
    {"study_without_schema", .study = METHODS DATA, .words = {"study.yaml:1: is no study", "no key \"schema\""}},
    {"yaml_of_something_else", .study = "services: 1\n",
     .words = {"study.yaml:1: is no study", "add it: schema: ulpscope-study/1", "by -d, from files named .npy"}},
    {"study_of_an_unknown_schema", .study = "schema: ulpscope-study/2\n" METHODS DATA,
     .words = {"study.yaml:1:", "\"ulpscope-study/2\"", "expected ulpscope-study/1"}},
    {"study_without_methods", STUDY(DATA), .words = {"no key \"methods\""}},
    {"study_without_data", STUDY(METHODS), .words = {"no key \"data\""}},
    {"study_with_an_unknown_key", STUDY("metods: [naive]\n" DATA),
     .words = {"study.yaml:2:", "unknown key \"metods\"", "did you mean \"methods\""}},
    {"limits_that_are_a_study", "check x --limits study.yaml", STUDY(METHODS DATA),
     .words = {"study.yaml:1: schema is \"ulpscope-study/1\"", "expected ulpscope-limits/1", "ulpscope help check"}},
    {"study_with_a_key_twice", STUDY(METHODS DATA METHODS), .words = {"study.yaml:4:", "methods stands twice"}},
    {"study_with_an_empty_title", STUDY("title: \"\"\n" METHODS DATA), .words = {"study.yaml:2:", "title is empty"}},
    {"study_with_a_nul_in_its_title", STUDY("title: \"a\\0b\"\n" METHODS DATA), .words = {"study.yaml:2:", "title"}},
    {"study_of_no_methods", STUDY("methods: []\n" DATA), .words = {"study.yaml:2:", "0 methods"}},
    {"study_whose_methods_are_a_word", STUDY("methods: naive\n" DATA), .words = {"study.yaml:2:", "a list of methods"}},
    {"study_whose_methods_are_lists", STUDY("methods: [[naive]]\n" DATA),
     .words = {"study.yaml:2: a method is a list", "a single value"}},
    {"study_of_an_unknown_method", STUDY("methods: [naive, kahn]\n" DATA), .words = {"study.yaml:2:", "\"kahn\""}},
    {"study_of_a_method_that_measures", STUDY("methods:\n  - trace/serial\n" DATA),
     .words = {"study.yaml:3:", "trace/serial measures the tree"}},
    {"study_that_excludes_all_methods", STUDY("methods: [\"*\", \"!*\"]\n" DATA),
     .words = {"study.yaml:2:", "no method is left"}},
    {"study_of_methods_that_all_refuse", STUDY("methods: [kahan/tree_atomic]\n" DATA),
     .words = {"kahan/tree_atomic", "no selected method can be run here"}},
    {"study_of_no_data", STUDY(METHODS "data: []\n"), .words = {"study.yaml:3:", "data is an empty list"}},
    {"study_whose_data_are_a_mapping", STUDY(METHODS "data: {spec: \"uniform:n=8\"}\n"),
     .words = {"study.yaml:3: data is a mapping", "a list of entries"}},
    {"study_whose_entry_is_a_word", STUDY(METHODS "data: [\"uniform:n=8\"]\n"),
     .words = {"study.yaml:3: an entry of data is a single value"}},
    {"study_whose_entry_is_empty", STUDY(METHODS "data:\n  - {}\n"), .words = {"study.yaml:4:", "a spec", "a file"}},
    {"study_whose_entry_is_a_spec_and_a_file", STUDY(METHODS "data: [{spec: \"uniform:n=8\", file: x.npy}]\n"),
     .words = {"study.yaml:3:", "either a spec"}},
    {"study_whose_spec_has_an_order_beside_it", STUDY(METHODS "data: [{spec: \"uniform:n=8\", order: reversed}]\n"),
     .words = {"study.yaml:3:", "either a spec"}},
    {"study_with_a_file_in_no_order", STUDY(METHODS "data:\n  - {file: x.f32, skip: 1, order: sorted}\n"),
     .words = {"study.yaml:4:", "x.f32:skip=1,order=sorted", "order=sorted is unknown"}},
    {"study_whose_entry_has_an_unknown_key", STUDY(METHODS "data:\n  - {spec: \"uniform:n=8\",\n     trails: 1}\n"),
     .words = {"study.yaml:5:", "unknown key \"trails\"", "did you mean \"trials\""}},
    {"study_with_trials_of_zero", STUDY(METHODS "data: [{spec: \"uniform:n=8\", trials: 0}]\n"),
     .words = {"study.yaml:3:", "trials \"0\"", "from 1 to 1000000000"}},
    {"study_with_trials_of_2_64_less_1",
     STUDY(METHODS "data: [{spec: \"uniform:n=8\", trials: 18446744073709551615}]\n"),
     .words = {"study.yaml:3:", "trials", "out of range"}},
    {"study_with_trials_that_are_a_list", STUDY(METHODS "data: [{spec: \"uniform:n=8\", trials: [1]}]\n"),
     .words = {"study.yaml:3: trials is a list"}},
    {"study_with_a_seed_of_2_63", STUDY(METHODS "seed: 9223372036854775808\n" DATA),
     .words = {"study.yaml:3:", "seed", "9223372036854775807"}},
    {"study_with_a_seed_of_a_word", STUDY(METHODS "seed: now\n" DATA), .words = {"study.yaml:3:", "\"now\" is not a"}},
    {"study_with_repeats_of_2_62", STUDY(METHODS "repeats: 4611686018427387904\n" DATA),
     .words = {"study.yaml:3:", "repeats", "1000000"}},
    {"repeats_of_2_62", "run --repeats 4611686018427387904" TINY, .words = {"--repeats", "1000000"}},
    {"study_with_repeats_of_zero", STUDY(METHODS "repeats: 0\n" DATA), .words = {"study.yaml:3:", "repeats \"0\""}},
    {"study_with_a_launch_of_blocks_alone", STUDY(METHODS "launch: {blocks: 4}\n" DATA),
     .words = {"study.yaml:3:", "no key \"threads\""}},
    {"study_with_a_launch_that_is_a_list", STUDY(METHODS "launch: [4, 32]\n" DATA),
     .words = {"study.yaml:3: launch is a list", "a mapping"}},
    {"study_with_blocks_that_are_a_list", STUDY(METHODS "launch: {blocks: [1, 2], threads: 32}\n" DATA),
     .words = {"study.yaml:3: blocks is a list", "sweep"}},
    {"study_with_threads_that_are_a_list", STUDY(METHODS "launch: {blocks: 1, threads: [32, 64]}\n" DATA),
     .words = {"study.yaml:3: threads is a list", "sweep"}},
    {"study_with_nonfinite_of_a_word", STUDY(METHODS "nonfinite: keep\n" DATA),
     .words = {"study.yaml:3:", "\"keep\"", "refuse, ieee or skip"}},
    {"study_with_threads_of_zero", STUDY(METHODS "launch: {blocks: 4, threads: 0}\n" DATA),
     .words = {"study.yaml:3:", "threads 0 is out of range"}},
    {"study_with_a_bad_spec", STUDY(METHODS "data:\n  - {spec: \"uniform:n=8\"}\n  - {spec: \"uniform:n=1e6x\"}\n"),
     .words = {"study.yaml:5:", "n=1e6x"}},
    {"study_with_a_file_that_is_a_family", STUDY(METHODS "data: [{file: \"uniform:n=8\"}]\n"),
     .words = {"study.yaml:3:", "names a family", "spec:"}},
    {"study_with_a_file_that_is_not_there", STUDY(METHODS "data: [{file: no.npy}]\n"),
     .words = {"study.yaml:3:", "no.npy", "No such file"}},
    {"study_that_sweeps_launches_and_one_flag", "run study.yaml --blocks 4",
     STUDY(METHODS "launch: {blocks: 1..4*2, threads: 32}\n" DATA), .words = {"--blocks", "give both"}},

    /* data files: tests/datasets/test_files.c has many more */
    {"file_that_is_not_there", "exact no.npy", .words = {"no.npy: cannot be read: No such file"}},
    {"file_that_is_a_folder", "exact ./x.npy", .before = "mkdir x.npy", .words = {"x.npy", "is a folder"}},
    {"file_without_an_ending", "exact ./numbers", FILE_OF("numbers", "1\n"),
     .words = {"./numbers", "without an ending"}},
    {"npy_that_is_truncated", "run -d x.npy",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }  \n") "\0\0\x80\x3f"),
     .words = {"x.npy", "truncated", "2 numbers"}},
    {"npy_that_is_truncated_for_exact", "exact x.npy",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }  \n") "\0\0\x80\x3f"),
     .words = {"x.npy", "truncated", "2 numbers of 8 bytes"}},
    {"npy_of_binary64_for_binary32", "run -d x.npy --format binary32",
     FILE_OF("x.npy",
             NPY("\x3c", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }  \n") "\1\0\0\0\0\0\xf0\x3f"),
     .words = {"x.npy", "holds numbers of binary64", "--convert"}},
    {"operation_that_is_unknown", "run -m naive -d uniform:n=8 --operation product",
     .words = {"--operation: operation \"product\" is unknown", "expected one of sum, dot"}},
    {"operations_of_two_kinds", "run -m naive -d uniform:n=8 --operation sum,dot",
     .words = {"expected methods that compute one thing", "two studies"}},
    {"dot_product_of_one_vector", "run -m naive -d uniform:n=8 --operation dot",
     .words = {"uniform:n=8 is one vector", "uniform:n=8::uniform"}},
    {"sum_of_two_vectors", "run -m naive -d uniform:n=8::normal", .words = {"holds two vectors", "sums take one"}},
    {"probe_of_a_dot_product", "tree dot:naive -n 8 --probe", .words = {"dot:plain/serial is no sum"}},
    {"explain_of_a_sum_and_a_dot_product", "explain naive dot:tree gendot:n=8", .words = {"do not compute the same"}},
    {"tree_of_a_norm", "tree norm2:naive -d uniform:n=8", .words = {"root of a sum", "sumsq:plain/serial"}},
    {"blame_of_a_variance", "blame variance.two_pass:plain/serial uniform:n=8",
     .words = {"a formula of sums", "take the sum, plain/serial"}},
    {"tree_of_a_variance", "tree variance.two_pass:plain/serial -n 8",
     .words = {"a formula of sums", "take the sum, plain/serial"}},
    {"blame_of_layer_norm", "blame layer_norm.two_pass:plain/serial uniform:n=8",
     .words = {"a result for each number"}},
    {"attack_of_rms_norm", "attack rms_norm:plain/serial", .words = {"it is no sum", "attack a sum"}},
    {"attack_of_a_scan", "attack scan:plain/two_level", .words = {"attack a sum, such as plain/serial"}},
    {"explain_of_a_softmax", "explain softmax.shifted:kahan/serial naive normal:n=8",
     .words = {"a result for each number", "take its sums, kahan/serial,"}},
    {"blame_of_a_scan", "blame scan:plain/two_level normal:n=8",
     .words = {"a result for each number", "plain/serial,"}},
    {"tree_of_a_softmax", "tree softmax.online:plain/pairwise -n 8", .words = {"take its sums, plain/pairwise,"}},
    {"blame_of_a_logsumexp", "blame logsumexp.shifted:plain/serial normal:n=8",
     .words = {"a formula of sums", "take the sum, plain/serial"}},
    {"tree_of_a_matrix_product", "tree matmul_fma:plain/naive -n 8", .words = {"makes a matrix", "dot_fma:"}},
    {"bench_of_a_sum_and_a_dot_product", "bench -m naive -m dot:naive -n 8",
     .words = {"sums alone", "plain/serial and dot:plain/serial"}},
    {"gen_of_two_vectors_into_one_file", "gen uniform:n=8::normal -o x.npy", .words = {"found x.npy", "two files"}},
    {"gen_of_a_family_of_matrices", "gen zeros:n=16 -o x.npy",
     .words = {"zeros:n=16 is a family of matrices", "--witness 0,0"}},
    {"gen_of_a_witness_out_of_range", "gen uniform:n=8,rows=2 --witness 2,0 -o x.npy::y.npy",
     .words = {"A is 2 x 8 and B 8 x 8", "expected 0 to 1 and 0 to 7"}},
    {"gen_of_matrices_beyond_memory", "gen uniform:n=2Mi --matrix -o x.npy::y.npy",
     .words = {"A (2097152 x 2097152) of uniform:n=2097152"}},
    {"exact_of_numbers", "exact 0.1 0.2", .words = {"found \"0.1\", a number", "makes a file of some"}},
    {"run_of_numbers", "run 1,2", .words = {"found \"1,2\", a number", "printf '%s\\n' 0.1 0.2 >x.txt"}},
    {"exact_of_no_operation", "exact uniform:n=8 --operation median", .words = {"\"median\" is unknown", "sumsq"}},
    {"operation_of_a_study_that_is_unknown", "run study.yaml", STUDY(METHODS "operation: [dots]\n" DATA),
     .words = {"study.yaml:3", "\"dots\" is unknown", "did you mean \"dot\""}},
    {"npy_that_is_empty", "exact x.npy", FILE_OF("x.npy", ""), .words = {"x.npy", "does not start with"}},
    {"csv_that_is_empty", "exact x.csv", FILE_OF("x.csv", ""), .words = {"x.csv", "holds no number"}},
    {"pipe_that_is_empty", "exact - </dev/null", .words = {"standard input: holds no number", "check what wrote it"}},
    {"pipe_with_a_word", "exact - <x.txt", FILE_OF("x.txt", "# source\n1\ntwo\n"),
     .words = {"standard input:3: \"two\"", "expected one number"}},
    {"pipe_of_binary", "exact - <x.raw", FILE_OF("x.raw", "\0\0\200\77"),
     .words = {"standard input:1: holds a NUL byte", ".f32 is as well", "name it .raw or save it as .npy"}},
    {"pipe_that_is_closed", "exact - <&-", .words = {"standard input: is closed", "expected numbers as text"}},
    {"pipe_that_is_a_folder", "exact - <.", .words = {"standard input: is a folder"}},
    {"pipe_with_an_option", "exact -d -:skip=4 </dev/null",
     .words = {"exact: \"-:skip=4\"", "`ulpscope exact -` alone"}},
    {"pipe_for_a_run", "run -m naive -d - </dev/null", .words = {"\"-\": numbers on the standard input", "save the"}},
    {"pipe_that_begins_as_a_byte_order_mark", "exact - <x.txt", FILE_OF("x.txt", "\357\273\n1\n"),
     .words = {"standard input:1: "}},
    {"pipe_for_explain", "explain naive tree - </dev/null", .words = {"explain: \"-\": numbers on the standard input"}},
    {"hexfloat_that_is_raw", "exact x.f32", FILE_OF("x.f32", "\200\77\1"),
     .words = {".f32 is text as .txt is; if it is binary, name it .raw or save it as .npy"}},
    {"hexfloat_that_is_empty", "exact x.f32", FILE_OF("x.f32", ""), .words = {"x.f32", "holds no number"}},
    {"raw_that_is_empty", "exact x.raw", FILE_OF("x.raw", ""), .words = {"x.raw", "holds no number"}},
    {"raw_with_a_part_of_a_number", "exact x.raw", FILE_OF("x.raw", "abcde"),
     .words = {"x.raw", "5 bytes", "1 too many"}},
    {"npy_with_bytes_behind_its_numbers", "exact x.npy",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }  \n") "\0\0\x80\x3fzz"),
     .words = {"x.npy", "2 bytes follow"}},
    {"npy_of_objects", "exact x.npy",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }   \n") "\x80\4."),
     .words = {"x.npy", "'|O'", "pickles"}},
    {"npy_whose_shape_overflows", "exact x.npy",
     FILE_OF("x.npy",
             NPY("\x4c", "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967297)}\n") "\0\0\0\0"),
     .words = {"x.npy", "product of its shape"}},
    {"csv_without_the_column", "run -d x.csv:column=co2", FILE_OF("x.csv", "date,CO2\n1,2\n"),
     .words = {"x.csv:1:", "\"co2\"", "\"CO2\""}},
    {"csv_with_a_missing_field", "run -d x.csv:column=2", FILE_OF("x.csv", "a,b\n1,2\n3,\n"),
     .words = {"x.csv:3:", "missing", "--nonfinite skip"}},
    {"csv_with_a_word", "exact x.csv", FILE_OF("x.csv", "x\n1\ntwo\n"), .words = {"x.csv:3:", "\"two\""}},
    {"csv_with_semicolons_and_quotes", "exact x.csv", FILE_OF("x.csv", "\"a\";\"b\"\n1;2\n"),
     .words = {"x.csv:1: a quote", "give delimiter=;"}},
    {"csv_with_tabs", "exact x.csv", FILE_OF("x.csv", "x\n1\t2\n"), .words = {"x.csv:2:", "give delimiter=tab"}},
    {"csv_with_a_quote_and_no_other_delimiter", "exact x.csv", FILE_OF("x.csv", "a\"b,c\n1,2\n"),
     .words = {"x.csv:1: a quote", "double it inside quotes"}},
    {"csv_with_decimal_commas", "exact 'x.csv:delimiter=;,column=1'", FILE_OF("x.csv", "a;b\n1,5;2\n"),
     .words = {"\"1,5\"", "it is 1.5 with decimal=comma: give"}},
    {"pipe_of_columns", "exact - <x.txt", FILE_OF("x.txt", "1 2\n"),
     .words = {"give delimiter= (blank, ", "behind the name of a file with these numbers"}},
    {"text_of_two_readings", "exact x.txt", FILE_OF("x.txt", "1,234\n"),
     .words = {"1.234 with decimal=comma, or 1234 with thousands=comma"}},
    {"text_of_marks_that_are_one", "exact x.txt:thousands=point", FILE_OF("x.txt", "1.234\n"),
     .words = {"thousands=point", "decimal=comma"}},
    {"text_with_several_numbers_in_a_line", "exact x.txt", FILE_OF("x.txt", "1 2\n"),
     .words = {"\"1 2\"", "give delimiter= (blank, "}},
    {"text_with_a_word", "exact x.txt", FILE_OF("x.txt", "data\n"), .words = {"\"data\"", "a comment with #"}},
    {"file_that_is_packed_by_another", "exact x.csv.zst", .words = {"unknown ending .zst", "unpack it"}},
    {"file_that_is_packed_and_does_not_say_so", "exact x.csv", FILE_OF("x.csv", "\37\213\10 "),
     .words = {"x.csv: is not what its name says", "packed by gzip: unpack it"}},
    {"file_of_a_pickle", "exact x.pth", .words = {"unknown ending .pth", "runs code when it is read"}},
    {"axis_of_a_text", "exact x.csv:axis=0", FILE_OF("x.csv", "1\n"), .words = {"axis=0", "has axes"}},
    {"axis_beyond_a_shape", "run x.npy:axis=1",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }  \n") "\0\0\200\77"),
     .words = {"x.npy", "its shape is (1,)", "axis=1"}},
    {"axis_without_a_number", "exact x.npy:axis=1",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 0), }\n")),
     .words = {"its shape is (3, 0)", "expected a number in each result"}},
    {"axis_of_a_batch_that_is_not_given", "run -m matmul:plain/naive x.npy::x.npy",
     FILE_OF("x.npy", NPY("\x3f", "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1), }\n") "\0\0\200\77"),
     .words = {"its shape is (1, 1, 1)", "axis=-1 of A and axis=-2 of B"}},
    {"array_of_one_result", "exact x.npy --output y.npy",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }  \n") "\0\0\200\77"),
     .words = {"--output: x.npy has one result", "such as x.npy:axis=0"}},
    {"file_of_an_unknown_ending", "exact x.foo", .words = {"unknown ending .foo", "name it after what it holds"}},
    {"several_arrays_to_write", "gen uniform:n=8 -o x.npz", .words = {"unknown ending .npz", "name one of these"}},
    {"packed_file_to_write", "gen uniform:n=8 -o x.npy.gz", .words = {"unknown ending .gz", "name one"}},
    {"csv_with_an_unknown_option", "exact x.csv:colum=2", FILE_OF("x.csv", "1,2\n"),
     .words = {"\"colum\"", "did you mean \"column\""}},
    {"hexfloat_out_of_range", "exact x.f32 --format binary32", FILE_OF("x.f32", "# source\n0x1p+0\n0x1.8p+200\n"),
     .words = {"x.f32:3:", "1 of its 2 elements is outside binary32", "element 1 (from 0), 0x1.8p+200"}},
    {"infinity_that_was_not_asked_for", "run -d x.f32", FILE_OF("x.f32", "1\ninf\nnan\n"),
     .words = {"x.f32:2: 2 of its 3 elements", "element 1 (from 0), inf", "--nonfinite"}},

    /* devices */
    {"device_that_is_not_there", "run --device cuda:7" TINY, .code = 4, .is_of_gpu = true, .words = {"cuda:7"}},
    {"device_of_a_word_with_cuda", "run --device nonsense" TINY, .code = 2, .words = {"--device", "nonsense"}},
    {"replay_beside_nothing", "run --replay --device host" TINY, .code = 4, .words = {"--replay", "GPU"}},

    /* outputs */
    {"two_outputs_on_stdout", "run --json - --csv -" TINY, .words = {"2 outputs to \"-\"", "at most one"}},
    {"results_on_stdout_and_json_too", "run -o - --json -" TINY, .words = {"2 outputs to \"-\""}},
    {"results_on_stdout_and_in_a_file", "run -o - --csv x.csv" TINY, .words = {"-o -", "--csv x.csv"}},
    {"pictures_on_stdout", "run --svg -" TINY, .words = {"--svg", "name a folder"}},
    {"pictures_under_the_name_of_a_file", "run --svg x.csv" TINY, FILE_OF("x.csv", "1\n"),
     .words = {"x.csv is a file"}},
    {"csv_under_the_name_of_a_folder", "run --csv d" TINY, .before = "mkdir d", .words = {"d: is a folder"}},
    {"json_into_a_folder_that_is_a_file", "run -o out --json x.csv/x.json" TINY, FILE_OF("x.csv", "1\n"),
     .words = {"x.csv/x.json", "Not a directory"}},
    {"folder_whose_parent_is_a_file", "run -o x.csv/out" TINY, FILE_OF("x.csv", "1\n"),
     .words = {"x.csv/out: cannot be made: Not a directory", "name a folder"}},
    {"data_file_whose_name_needs_quotes", "exact a:b=c.raw", FILE_OF("a:b=c.raw", "1234"),
     .words = {"expected quotes", "in a shell '\"a:b=c.raw\"'"}},
    {"folder_of_no_name", "run -o ''" TINY, .words = {"-o: expected the name of a folder"}},
    {"folder_of_what_is_not_complete", "run -o out/.ulpscope/ --overwrite" TINY,
     .before = "\"$ULPSCOPE\" run -o out" TINY, .words = {"\"out/.ulpscope\" is where", "name another"}},
    {"report_into_the_folder_of_what_is_not_complete", "report out -o out/.ulpscope",
     .before = "\"$ULPSCOPE\" run -o out" TINY, .words = {"\"out/.ulpscope\" is where"}},
    {"folder_that_is_a_file", "run -o x.csv" TINY, FILE_OF("x.csv", "1\n"), .words = {"x.csv: cannot be made"}},
    {"folder_that_holds_another_study", "run -o out --seed 2" TINY, .before = "\"$ULPSCOPE\" run -o out" TINY,
     .words = {"out/run.db", "already holds a run", "--resume", "--overwrite"}},
    {"order_of_matrix_products_for_a_sum", "run --operation matmul -m plain/naive" TINY,
     .words = {"\"plain/naive\" matches no method", "did you mean \"matmul:plain/naive\"?"}},
    {"accumulate_in_an_unknown_format", "run --accumulate binary46" TINY,
     .words = {"--accumulate: what is added in, \"binary46\" is unknown", "expected one of binary64, binary32"}},
    {"run_into_a_folder_with_files_of_others", "run -o out" TINY,
     .before = "mkdir out && for f in results.csv run.json report.html summary.csv; do echo mine >out/$f; done",
     .words = {"out: results.csv, summary.csv, run.json, report.html: not written by ulpscope", "--overwrite"}},
    {"report_into_a_folder_with_a_file_of_others", "report out -o other",
     .before = "\"$ULPSCOPE\" run -o out" TINY " && mkdir other && echo mine >other/results.csv",
     .words = {"other: results.csv: not written by ulpscope", "--overwrite"}},
    {"report_of_another_run_into_the_folder_of_a_run", "report other -o out",
     .before = "\"$ULPSCOPE\" run -o out" TINY " && cp -r out other",
     .words = {"out: holds a run; expected a folder without one", "--overwrite"}},
    {"report_of_two_runs_into_the_folder_of_one", "report out other -o out",
     .before = "\"$ULPSCOPE\" run -o out" TINY " && cp -r out other",
     .words = {"out: holds a run; expected a folder without one"}},
    {"run_over_a_folder_of_a_report's_name", "run -o out --overwrite" TINY, .before = "mkdir -p out/run.json",
     .words = {"out/run.json: is a folder", "move it away"}},
    {"folder_whose_list_names_what_is_above_it", "run -o out --overwrite" TINY,
     .before = "mkdir -p out/.ulpscope && printf 'ulpscope-files/1\n../mine\n' >out/.ulpscope/files && echo mine >mine",
     .words = {"out/.ulpscope/files:2: \"../mine\"", "remove the file"}},
    {"resume_without_a_folder", "run --resume" TINY, .words = {"--resume needs a folder", "-o DIR"}},
    {"overwrite_without_a_folder", "run --overwrite" TINY, .words = {"--overwrite needs a folder"}},
    {"resume_and_overwrite", "run --resume --overwrite -o out" TINY, .words = {"exclude each other"}},
    {"resume_of_another_seed", "run -o out --resume --seed 2" TINY, .before = "\"$ULPSCOPE\" run -o out" TINY,
     .words = {"out/run.db", "another study", "there \"seed: 1\", here \"seed: 2\"", "--overwrite"}},
    {"resume_with_slow", "run -o out --resume --slow" TINY, .before = "\"$ULPSCOPE\" run -o out" TINY,
     .words = {"another study", "there \"slow: 0\", here \"slow: 1\""}},
    {"resume_of_other_methods", "run -o out --resume -m naive" TINY, .before = "\"$ULPSCOPE\" run -o out" TINY,
     .words = {"out/run.db", "another study"}},
    {"resume_with_other_values_left_out", "run -o out --resume --nonfinite skip -d x.f32", FILE_OF("x.f32", "1\nnan\n"),
     .before = "\"$ULPSCOPE\" run -o out --nonfinite ieee -d x.f32", .words = {"out/run.db", "another study"}},
    {"resume_of_a_file_that_is_no_database", "run -o out --resume" TINY,
     .before = "mkdir out && echo 'this is a text of more than sixteen letters' >out/run.db",
     .words = {"out/run.db", "not a database", "--overwrite"}},
    {"resume_of_a_truncated_database", "run -o out --resume" TINY,
     .before = "\"$ULPSCOPE\" run -o out" TINY " && head -c 5000 out/run.db >x && mv x out/run.db",
     .words = {"out/run.db", "malformed", "--overwrite"}},
    {"data_that_cannot_be_read_leave_no_folder", "run -o out -d no.npy", .words = {"no.npy"}},
    {"link_to_a_full_disk_for_csv", "run --csv full.csv" TINY, .before = "ln -s /dev/full full.csv", .code = 3,
     .words = {"No space left on device", "not complete"}},
    {"link_to_a_full_disk_for_json", "run --json full.json" TINY, .before = "ln -s /dev/full full.json", .code = 3,
     .words = {"No space left on device", "not complete"}},
    {"link_to_a_full_disk_for_exact", "exact uniform:n=8 --json full.json", .before = "ln -s /dev/full full.json",
     .code = 3, .words = {"No space left on device", "not complete"}},
    {"full_disk_for_exact", "exact uniform:n=8 --json /dev/full", .code = 3, .words = {"/dev/full", "No space left"}},
    {"link_to_a_full_disk_for_gen", "gen uniform:n=99999 -o full.f32", .before = "ln -s /dev/full full.f32", .code = 3,
     .words = {"No space left on device", "not complete"}},
    {"stdout_full_for_the_table", "run" TINY " >/dev/full", .code = 3,
     .words = {"standard output: No space left on device", "not complete"}},
    {"stdout_full_for_csv", "run -o -" TINY " >/dev/full", .code = 3,
     .words = {"standard output: No space left on device", "not complete"}},
    {"stdout_full_for_json", "exact uniform:n=8 --json - >/dev/full", .code = 3,
     .words = {"standard output: No space left on device"}},
    {"stdout_full_for_the_sum", "exact uniform:n=8 >/dev/full", .code = 3,
     .words = {"standard output: No space left on device"}},
    {"stdout_full_for_lists", "list methods >/dev/full", .code = 3,
     .words = {"standard output: No space left on device"}},
    {"stdout_full_for_help", "run --help >/dev/full", .code = 3, .words = {"standard output: No space left on device"}},
    {"stdout_full_for_much", "gen uniform:n=99999 >/dev/full", .code = 3, .words = {"output: No space left on device"}},
    {"stdout_full_for_a_lesson", "lesson kahan >/dev/full", .code = 3, .words = {"output: No space left on device"}},
    {"stdout_full_for_a_picture_and_a_sum", "tree plain/serial -n 3 >/dev/full", .code = 3,
     .words = {"output: No space left on"}},
    {"stdout_closed", "list methods >&-", .code = 3, .words = {"standard output: Bad file descriptor"}},

    /* variables */
    {"seed_of_a_word_in_a_variable", "run" TINY, .variable = "ULPSCOPE_SEED=clock",
     .words = {"ULPSCOPE_SEED", "\"clock\""}},
    {"blocks_of_zero_in_a_variable", "run" TINY, .variable = "ULPSCOPE_BLOCKS=0",
     .words = {"ULPSCOPE_BLOCKS", "blocks 0"}},
    {"jobs_of_zero_in_a_variable", "run" TINY, .variable = "ULPSCOPE_JOBS=0", .words = {"ULPSCOPE_JOBS", "\"0\""}},
    {"colour_of_a_word_in_a_variable", "list config", .variable = "ULPSCOPE_COLOR=pink",
     .words = {"ULPSCOPE_COLOR", "\"pink\""}},
};

/* ---- what is said, word by word ---- */

static FILE *writing; /* with --write */

static char *read_golden(void)
{
    static char text[1 << 17];
    FILE *file = fopen(GOLDEN, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Its name and what it says, indented; but what is said of the machine's GPU. */
static void as_golden(const char *fact, const char *said, char *text, size_t size)
{
    int used = snprintf(text, size, "\n%s\n", fact);
    while (*said) {
        const int length = (int)strcspn(said, "\n");
        if (strncmp(said, "device: ", 8) != 0)
            used += snprintf(text + used, size - (size_t)used, "    %.*s\n", length, said);
        said += length + (said[length] == '\n');
    }
    snprintf(text + used, size - (size_t)used, "\n");
}

static void assert_golden(const char *fact, const char *said)
{
    char text[1 << 14];
    as_golden(fact, said, text, sizeof text);
    if (writing)
        fputs(text + 1, writing);
    else if (!strstr(read_golden(), text))
        fail_msg("other words; if they should be: test_refusals --write\n%s", text);
}

/* What is wrong with an outcome, or NULL. */
static const char *fault_of(const struct bad *bad, const struct outcome *outcome)
{
    const int code = bad->code ? bad->code : 2;
    if (outcome->code != code)
        return "another exit code";
    if (*outcome->out != '\0')
        return "something on stdout";
    if (strncmp(outcome->err, "ulpscope", 8) != 0 && strncmp(outcome->err, "device: ", 8) != 0)
        return "stderr does not start with ulpscope:";
    for (size_t i = 0; i < WORDS_MOST && bad->words[i]; i++)
        if (!strstr(outcome->err, bad->words[i]))
            return bad->words[i];
    return NULL;
}

static void bad_input_is_refused(void **state)
{
    const struct bad *bad = *state;
    char line[1024];
    if (bad->study)
        put_text("study.yaml", bad->study);
    if (bad->file)
        put_file(bad->file, bad->bytes, bad->size);
    if (bad->before)
        run_fine(bad->before);
    snprintf(line, sizeof line, "%s \"$ULPSCOPE\" %s", bad->variable ? bad->variable : "",
             bad->line ? bad->line : "run study.yaml");
    char *before = list_folder();
    struct outcome outcome;
    run_line(line, &outcome);
    char *after = list_folder();
    const char *fault = fault_of(bad, &outcome);
    if (fault)
        fail_msg("%s: %s; exit %d, stdout \"%s\", stderr \"%s\"", line, fault, outcome.code, outcome.out, outcome.err);
    assert_string_equal(before, after);
    if (!bad->is_of_gpu)
        assert_golden(bad->fact, outcome.err);
    outcome_free(&outcome);
    free(before);
    free(after);
}

/* The twin of the table: a run that is fine is no refusal, and its folder is seen. */
static void refusal_check_sees_each_fault(void **state)
{
    (void)state;
    static const struct bad bad = {.fact = "", .code = 2, .words = {"wanted"}};
    char refusal[] = "ulpscope: wanted", other[] = "ulpscope: other", foreign[] = "sh: wanted", empty[] = "";
    assert_null(fault_of(&bad, &(struct outcome){2, empty, refusal}));
    assert_non_null(fault_of(&bad, &(struct outcome){0, empty, refusal}));
    assert_non_null(fault_of(&bad, &(struct outcome){2, refusal, refusal}));
    assert_non_null(fault_of(&bad, &(struct outcome){2, empty, other}));
    assert_non_null(fault_of(&bad, &(struct outcome){2, empty, foreign}));
    char text[256];
    as_golden("colour_without_a_value", "ulpscope: --color: found no command behind it;", text, sizeof text);
    assert_null(strstr(read_golden(), text));
    char *before = list_folder();
    run_fine("\"$ULPSCOPE\" run -o out" TINY);
    char *after = list_folder();
    assert_string_not_equal(before, after);
    assert_non_null(strstr(after, "/out/run.db 100"));
    free(before);
    free(after);
}

static void there_are_at_least_60_bad_inputs_with_names_of_their_own(void **state)
{
    (void)state;
    enum { BAD = sizeof bad_inputs / sizeof *bad_inputs };
    assert_true(BAD >= 60);
    for (size_t i = 0; i < BAD; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(bad_inputs[i].fact, bad_inputs[k].fact);
}

/* ---- the list ---- */

static const struct CMUnitTest facts[] = {
    FACT(refusal_check_sees_each_fault),
    FACT(there_are_at_least_60_bad_inputs_with_names_of_their_own),
};

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--write") == 0) {
        writing = fopen(GOLDEN, "w");
        fputs("# What ulpscope says to each bad input of tests/commands/test_refusals.c, which writes this.\n\n",
              writing);
    }
    ADD_FACTS(facts);
    ADD_ROWS(bad_inputs, bad_input_is_refused);
    return run_all_tests();
}
