/* The program from outside: each bad input gives its exit code and says what is wrong, on stderr alone, and leaves
 * nothing behind; good input gives the same bytes whatever the machine around it. */
#include "tests/support/database.h"
#include "tests/support/program.h"

#include <fcntl.h>
#include <jansson.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <termios.h>

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
    const char *words[WORDS_MOST]; /* on stderr */
};

#define STUDY(rest) .study = "schema: ulpscope-study/1\n" rest
#define METHODS "methods: [naive]\n"
#define DATA "data: [{spec: \"uniform:n=8\", trials: 1}]\n"
#define FILE_OF(name, text) .file = (name), .bytes = (text), .size = sizeof(text) - 1
#define NPY(length, dictionary) "\x93NUMPY\1\0" length "\0" dictionary
#define SMALL " -d uniform:n=8 --trials 1"

static const struct bad bad_inputs[] = {
    /* usage */
    {"unknown_command", "rum", .words = {"\"rum\" is no command", "did you mean \"run\""}},
    {"unknown_option_before_the_command", "--frob run", .words = {"\"--frob\"", "ulpscope help"}},
    {"unknown_option_of_run", "run --frob", .words = {"--frob", "ulpscope run --help"}},
    {"unknown_option_of_doctor", "doctor --frob", .words = {"--frob"}},
    {"unknown_colour", "--color sometimes list config", .words = {"--color", "\"sometimes\"", "auto, always or never"}},
    {"colour_without_a_value", "--color", .words = {"--color"}},
    {"help_of_an_unknown_command", "help rum", .words = {"\"rum\" is no command"}},
    {"list_without_a_subject", "list", .words = {"no subject", "methods"}},
    {"list_of_an_unknown_subject", "list method", .words = {"\"method\" is no subject", "did you mean \"methods\""}},
    {"list_with_a_word_too_many", "list metrics all", .words = {"\"all\"", "one word too many"}},
    {"list_of_a_generator_that_waits", "list generators tc", .words = {"tc is not built: it waits for tensor cores"}},
    {"list_of_an_unknown_generator", "list generators unifrm",
     .words = {"\"unifrm\" is no generator", "did you mean \"uniform\""}},
    {"doctor_with_an_argument", "doctor now", .words = {"\"now\"", "no argument"}},
    {"run_of_two_studies", "run a.yaml b.yaml", .words = {"\"b.yaml\"", "second study"}},
    {"gen_without_a_spec", "gen", .words = {"no data;"}},
    {"gen_of_two_specs", "gen uniform:n=8 uniform:n=9", .words = {"\"uniform:n=9\"", "second data set"}},
    {"gen_of_a_sweep", "gen uniform:n=1..8*2", .words = {"a sweep of 4", "expected one"}},
    {"gen_into_an_unknown_format", "gen uniform:n=8 -o x.foo", .words = {"x.foo", "unknown ending .foo", ".npy"}},
    {"gen_into_an_unknown_format_names_c", "gen uniform:n=8 -o x.foo", .words = {".raw .bin .c .h; rename"}},
    {"gen_of_no_numbers_into_c", "gen uniform:n=0 -o x.c", .words = {"x.c: there is no number to write"}},
    {"explain_of_a_file_that_is_not_there", "gen --explain no.npy", .words = {"no.npy: cannot be read"}},
    {"explain_of_a_family_that_waits", "gen --explain tc:n=4", .words = {"tc is not built", "waits for"}},
    {"c_source_is_not_read", "exact x.c", FILE_OF("x.c", "static const float x[1] = {1};\n"),
     .words = {"x.c: is C source", "never read", "write the numbers as .f32"}},
    {"c_header_is_not_read", "run -d x.h", FILE_OF("x.h", "static const float x[1] = {1};\n"),
     .words = {"x.h: is C source"}},
    {"unknown_ending_that_is_read", "exact x.foo", FILE_OF("x.foo", "1\n"), .words = {".raw .bin; rename"}},
    {"gen_into_a_folder_that_is_not_there", "gen uniform:n=8 -o no/x.npy",
     .words = {"no/x.npy", "No such file or directory", "name a folder"}},
    {"gen_of_a_trial_that_is_no_number", "gen uniform:n=8 --trial 0x", .words = {"--trial", "\"0x\""}},
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
    {"exact_beside_a_value_of_no_format", "exact uniform:n=8 --compare 1 --as binary16",
     .words = {"--as: \"binary16\" is no format", "binary32 or binary64"}},
    {"exact_beside_nothing", "exact uniform:n=8 --compare ''", .words = {"--compare: \"\" is not a number"}},
    {"exact_beside_a_number_and_a_letter", "exact uniform:n=8 --compare 1 --compare 1.5f",
     .words = {"--compare: \"1.5f\" has something after the number"}},
    {"exact_beside_a_number_out_of_range", "exact uniform:n=8 --compare -1e39",
     .words = {"\"-1e39\" is outside binary32"}},
    {"exact_beside_a_hex_float_between_two_numbers", "exact uniform:n=8 --compare 0x1.000001p+0",
     .words = {"\"0x1.000001p+0\" is no binary32", "between 0x1p+0 and 0x1.000002p+0;"}},
    {"exact_beside_a_hex_float_below_one_that_it_rounds_to",
     "exact uniform:n=8 --compare -0x1.000001000000000000001p+0", .words = {"between -0x1.000002p+0 and -0x1p+0;"}},
    {"exact_beside_a_hex_float_whose_last_bit_is_far", "exact uniform:n=8 --compare 0x1.00000000000000000001p+0",
     .words = {"between 0x1p+0 and 0x1.000002p+0;"}},
    {"exact_beside_a_hex_float_a_little_below", "exact uniform:n=8 --compare 0x0.ffffffffffffffffffffffp+0",
     .words = {"between 0x1.fffffep-1 and 0x1p+0;"}},
    {"exact_beside_a_hex_float_that_rounds_to_zero", "exact uniform:n=8 --compare 0x1p-151",
     .words = {"between 0x0p+0 and 0x1p-149;"}},
    {"exact_json_of_no_name", "exact uniform:n=8 --json ''", .words = {"\"\": is no name of a file"}},
    {"exact_json_into_a_folder_that_is_not_there", "exact uniform:n=8 --json no/x.json", .words = {"no/x.json"}},
    {"nonfinite_of_an_unknown_kind", "run --nonfinite drop" SMALL, .words = {"--nonfinite", "\"drop\"", "skip"}},

    {"unknown_option_of_bench", "bench --frob", .words = {"--frob", "ulpscope bench --help"}},
    {"bench_with_an_argument", "bench x.npy", .words = {"\"x.npy\"", "no argument", "-m"}},
    {"bench_of_an_unknown_method", "bench -m plain/serial,kahn/serial",
     .words = {"--method", "\"kahn/serial\"", "did you mean \"kahan/serial\""}},
    {"bench_of_a_method_of_no_name", "bench -m plain/serial,", .words = {"--method", "\"\" matches no method"}},
    {"bench_of_methods_all_excluded", "bench -m 'kahan/*,!kahan/*'", .words = {"no method is left"}},
    {"bench_of_methods_that_all_refuse", "bench -m kahan/tree_atomic",
     .words = {"leaving out kahan/tree_atomic at n=1048576", "no atomic merge", "every selected method was left out"}},
    {"bench_of_methods_that_all_refuse_quietly", "bench -q -m kahan/tree_atomic", .words = {"no atomic merge"}},
    {"bench_json_of_no_name", "bench -m naive -n 8 --json ''", .words = {"\"\": is no name of a file", "- for stdout"}},
    {"bench_of_n_zero", "bench -n 0", .words = {"-n 0 is out of range", "1 to 1099511627776"}},
    {"bench_of_n_with_letters", "bench -n 1Mx", .words = {"-n \"1Mx\"", "1Mi..1Gi*4"}},
    {"bench_of_a_sweep_without_a_step", "bench -n 1Ki..1Mi", .words = {"-n \"1Ki..1Mi\"", "range without a step"}},
    {"bench_of_a_sweep_that_stands_still", "bench -n '1Ki..1Mi*1'", .words = {"-n \"1Ki..1Mi*1\"", "factor above 1"}},
    {"bench_of_n_above_the_most", "bench -n 2Ti", .words = {"-n 2199023255552 is out of range"}},
    {"bench_of_zero_rows", "bench --rows 0", .words = {"--rows", "\"0\"", "from 1 to 16777216"}},
    {"bench_of_rows_with_a_fraction", "bench --rows 1.5", .words = {"--rows", "not a whole number"}},
    {"bench_of_rows_on_the_host", "bench --device host --rows 2", .code = 4, .words = {"--rows", "needs a GPU"}},
    {"bench_that_checks_on_the_host", "bench --device host --check", .code = 4, .words = {"--check", "needs a GPU"}},
    {"bench_on_a_device_that_is_not_there", "bench --device cuda:99", .code = 4, .words = {"cuda:99"}},
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
    {"bench_json_into_a_folder_that_is_not_there", "bench --json no/x.json", .words = {"no/x.json"}},

    /* numbers */
    {"trials_of_zero", "run -d uniform:n=8 --trials 0", .words = {"--trials", "\"0\"", "from 1 to 1000000000"}},
    {"trials_with_a_fraction", "run -d uniform:n=8 --trials 1.5", .words = {"--trials", "not a whole number"}},
    {"trials_with_letters", "run -d uniform:n=8 --trials 1e6x", .words = {"--trials", "\"1e6x\"", "letters"}},
    {"trials_above_2_64", "run -d uniform:n=8 --trials 99999999999999999999",
     .words = {"--trials", "above 18446744073709551615"}},
    {"trial_that_is_negative", "run -d uniform:n=8 --trial -1", .words = {"--trial", "negative"}},
    {"seed_that_is_negative", "run --seed -1" SMALL, .words = {"--seed", "negative"}},
    {"seed_of_2_63", "run --seed 9223372036854775808" SMALL, .words = {"--seed", "out of range"}},
    {"seed_of_a_word", "run --seed clock" SMALL, .words = {"--seed", "\"clock\" is not a number"}},
    {"jobs_of_zero", "run --jobs 0" SMALL, .words = {"--jobs", "from 1 to 1024"}},
    {"jobs_of_100000", "run --jobs 100000" SMALL, .words = {"--jobs", "from 1 to 1024"}},
    {"repeats_of_zero", "run --repeats 0" SMALL, .words = {"--repeats", "\"0\""}},
    {"threads_of_zero", "run --threads 0" SMALL, .words = {"--threads", "threads 0 is out of range", "1 to 1024"}},
    {"threads_of_2048", "run --threads 2048" SMALL, .words = {"threads 2048 is out of range", "1 to 1024"}},
    {"threads_that_are_no_power_of_two_for_a_tree", "run -m kahan/tree_two_pass --threads 100" SMALL,
     .words = {"kahan/tree_two_pass at 120 x 100", "power of two", "no selected method can be run here"}},
    {"threads_that_are_no_whole_warps_for_shuffles", "run -m plain/shuffle_two_pass --threads 48" SMALL,
     .words = {"48 threads", "multiple of 32"}},
    {"blocks_of_zero", "run --blocks 0" SMALL, .words = {"--blocks", "blocks 0 is out of range"}},
    {"blocks_of_2_40", "run --blocks 1Ti" SMALL, .words = {"--blocks", "out of range"}},
    {"blocks_in_a_range_without_a_step", "run --blocks 1..8" SMALL, .words = {"--blocks", "range without a step"}},
    {"launches_above_64", "run --blocks 1..1024*2 --threads 32..1024*2" SMALL, .words = {"66 launches", "at most 64"}},
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
    {"unknown_family", "run -d unifrom:n=8", .words = {"\"unifrom\"", "families are", "did you mean \"uniform\""}},
    {"unknown_family_without_parameters", "exact unifrom", .words = {"\"unifrom\"", "did you mean \"uniform\""}},
    {"family_that_waits", "run -d tc:n=4", .words = {"tc is not built: it waits for tensor cores", "list generators"}},
    {"family_that_waits_for_rows", "exact mixed_scale_rows", .words = {"it waits for the operation `rows`"}},
    {"order_of_a_family_that_is_none", "run -d uniform:n=8,order=sorted",
     .words = {"order=sorted is no order", "ascending", "shuffled:SEED"}},
    {"order_that_is_nearly_one", "run -d uniform:n=8,order=magnitud", .words = {"did you mean \"magnitude\""}},
    {"order_of_a_file_that_is_none", "exact x.f32:order=sorted", FILE_OF("x.f32", "1\n"),
     .words = {"order=sorted is no order", "ascending", "shuffled:SEED"}},
    {"order_of_binary64", "exact x.npy:order=reversed",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }  \n") "\0\0\0\0\0\0\0\0"),
     .words = {"x.npy:order=reversed: holds binary64", "the exact sum has none"}},
    {"word_that_a_family_does_not_have", "run -d mirror:second=revers",
     .words = {"second=revers is no word of it", "reversed, repeated", "did you mean \"reversed\""}},
    {"family_of_no_name", "run -d ''", .words = {"--data", "\"\""}},
    {"unknown_parameter", "run -d gensum:n=8,kond=1e8", .words = {"\"kond\"", "did you mean \"cond\""}},
    {"parameter_twice", "run -d uniform:n=8,n=9", .words = {"n is given twice"}},
    {"parameter_without_a_value", "run -d uniform:n", .words = {"\"n\" has no value"}},
    {"parameters_with_nothing_in_them", "run -d uniform:", .words = {"has no value"}},
    {"unknown_method", "run -m kahn/serial" SMALL,
     .words = {"--method", "\"kahn/serial\"", "did you mean \"kahan/serial\""}},
    {"method_of_no_name", "run -m ''" SMALL, .words = {"--method", "matches no method"}},
    {"method_of_no_name_in_a_list", "run -m naive," SMALL, .words = {"--method", "\"\" matches no method"}},
    {"list_that_excludes_what_it_names", "run -m plain/serial,!plain/*" SMALL,
     .words = {"--method", "no method is left"}},
    {"method_that_measures", "run -m trace/serial" SMALL, .words = {"trace/serial measures the tree"}},
    {"methods_all_excluded", "run -m 'kahan/*' -m '!kahan/*'" SMALL, .words = {"no method is left"}},
    {"methods_that_all_refuse", "run -m kahan/tree_atomic" SMALL,
     .words = {"skipping kahan/tree_atomic", "no selected method can be run here"}},
    {"black_boxes_on_the_host", "run --device host -m 'cub/*' -m cublas/dot" SMALL,
     .words = {"skipping cub/device_reduce", "needs a GPU", "no selected method can be run"}},
    {"black_boxes_on_the_host_quietly", "-q run --device host -m cuda/atomic_add" SMALL,
     .words = {"cuda/atomic_add: ", "needs a GPU"}},
    {"black_box_that_is_none", "run -m cub/device_reduc" SMALL, .words = {"did you mean \"cub/device_reduce\""}},
    {"data_glob_that_matches_nothing", "run -d 'gauss*'", .words = {"--data", "no data of the study match"}},
    {"data_all_excluded", "run -d '!*'", .words = {"no data of the study match"}},
    {"data_globs_and_specs_together", "run -d 'uniform*' -d uniform:n=8", .words = {"give one kind"}},

    {"trial_and_trials", "run -d uniform:n=8 --trial 1 --trials 2",
     .words = {"--trial runs one trial", "give one of them"}},

    /* studies */
    {"study_that_is_not_there", "run no.yaml", .words = {"no.yaml: No such file", "ulpscope help run"}},
    {"study_that_is_a_folder", "run .", .words = {".: Is a directory", "study file"}},
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
    {"study_without_schema", .study = METHODS DATA, .words = {"study.yaml:1:", "no key \"schema\""}},
    {"study_of_an_unknown_schema", .study = "schema: ulpscope-study/2\n" METHODS DATA,
     .words = {"study.yaml:1:", "\"ulpscope-study/2\"", "expected ulpscope-study/1"}},
    {"study_without_methods", STUDY(DATA), .words = {"no key \"methods\""}},
    {"study_without_data", STUDY(METHODS), .words = {"no key \"data\""}},
    {"study_with_an_unknown_key", STUDY("metods: [naive]\n" DATA),
     .words = {"study.yaml:2:", "unknown key \"metods\"", "did you mean \"methods\""}},
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
     .words = {"study.yaml:4:", "x.f32:skip=1,order=sorted", "order=sorted is no order"}},
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
    {"repeats_of_2_62", "run --repeats 4611686018427387904" SMALL, .words = {"--repeats", "1000000"}},
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
     .words = {"no.npy", "No such file"}},
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
    {"npy_of_binary64_for_run", "run -d x.npy",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }  \n")),
     .words = {"x.npy", "'<f8'", "only 'ulpscope exact' takes binary64"}},
    {"npy_that_is_empty", "exact x.npy", FILE_OF("x.npy", ""), .words = {"x.npy", "does not start with"}},
    {"csv_that_is_empty", "exact x.csv", FILE_OF("x.csv", ""), .words = {"x.csv", "holds no number"}},
    {"hexfloat_that_is_empty", "exact x.f32", FILE_OF("x.f32", ""), .words = {"x.f32", "holds no number"}},
    {"raw_that_is_empty", "exact x.raw", FILE_OF("x.raw", ""), .words = {"x.raw", "holds no number"}},
    {"raw_with_a_part_of_a_number", "exact x.raw", FILE_OF("x.raw", "abcde"),
     .words = {"x.raw", "5 bytes", "1 too many"}},
    {"npy_with_bytes_behind_its_numbers", "exact x.npy",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }  \n") "\0\0\x80\x3fzz"),
     .words = {"x.npy", "2 bytes follow"}},
    {"npy_that_is_big_endian", "exact x.npy",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }  \n") "\x3f\x80\0\0"),
     .words = {"x.npy", "big-endian", "astype('<f4')"}},
    {"npy_of_objects", "exact x.npy",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }   \n") "\x80\4."),
     .words = {"x.npy", "'|O'", "pickles"}},
    {"npy_in_fortran_order", "exact x.npy",
     FILE_OF("x.npy", NPY("\x3c", "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 1), } \n") "\0\0\0\0\0\0\0\0"),
     .words = {"x.npy", "Fortran order", "ascontiguousarray"}},
    {"npy_whose_shape_overflows", "exact x.npy",
     FILE_OF("x.npy",
             NPY("\x4c", "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967297)}\n") "\0\0\0\0"),
     .words = {"x.npy", "product of its shape"}},
    {"csv_without_the_column", "run -d x.csv:column=co2", FILE_OF("x.csv", "date,CO2\n1,2\n"),
     .words = {"x.csv:1:", "\"co2\"", "\"CO2\""}},
    {"csv_with_a_missing_field", "run -d x.csv:column=2", FILE_OF("x.csv", "a,b\n1,2\n3,\n"),
     .words = {"x.csv:3:", "missing", "--nonfinite skip"}},
    {"csv_with_a_word", "exact x.csv", FILE_OF("x.csv", "x\n1\ntwo\n"), .words = {"x.csv:3:", "\"two\""}},
    {"csv_with_an_unknown_option", "exact x.csv:colum=2", FILE_OF("x.csv", "1,2\n"),
     .words = {"\"colum\"", "did you mean \"column\""}},
    {"hexfloat_out_of_range", "exact x.f32", FILE_OF("x.f32", "# source\n0x1p+0\n0x1.8p+200\n"),
     .words = {"x.f32:3:", "\"0x1.8p+200\" is outside binary32"}},
    {"infinity_that_was_not_asked_for", "run -d x.f32", FILE_OF("x.f32", "1\ninf\n"),
     .words = {"x.f32:2:", "inf", "--nonfinite"}},

    /* devices */
    {"device_that_is_not_there", "run --device cuda:7" SMALL, .code = 4, .words = {"cuda:7"}},
    {"device_of_a_word_with_cuda", "run --device nonsense" SMALL, .code = 2, .words = {"--device", "nonsense"}},
    {"replay_beside_nothing", "run --replay --device host" SMALL, .code = 4, .words = {"--replay", "GPU"}},

    /* outputs */
    {"two_outputs_on_stdout", "run --json - --csv -" SMALL, .words = {"2 outputs to \"-\"", "at most one"}},
    {"results_on_stdout_and_json_too", "run -o - --json -" SMALL, .words = {"2 outputs to \"-\""}},
    {"results_on_stdout_and_in_a_file", "run -o - --csv x.csv" SMALL, .words = {"-o -", "--csv x.csv"}},
    {"pictures_on_stdout", "run --svg -" SMALL, .words = {"--svg", "name a folder"}},
    {"pictures_under_the_name_of_a_file", "run --svg x.csv" SMALL, FILE_OF("x.csv", "1\n"),
     .words = {"x.csv is a file"}},
    {"csv_under_the_name_of_a_folder", "run --csv d" SMALL, .before = "mkdir d", .words = {"d: is a folder"}},
    {"json_into_a_folder_that_is_not_there", "run -o out --json no/x.json" SMALL,
     .words = {"no/x.json", "No such file or directory"}},
    {"folder_whose_parent_is_not_there", "run -o no/out" SMALL, .words = {"no/out", "whose parent exists"}},
    {"folder_of_no_name", "run -o ''" SMALL, .words = {"cannot be made"}},
    {"folder_that_is_a_file", "run -o x.csv" SMALL, FILE_OF("x.csv", "1\n"), .words = {"x.csv: cannot be made"}},
    {"folder_that_holds_another_study", "run -o out --seed 2" SMALL, .before = "\"$ULPSCOPE\" run -o out" SMALL,
     .words = {"out/run.db", "already holds a run", "--resume", "--overwrite"}},
    {"resume_without_a_folder", "run --resume" SMALL, .words = {"--resume needs a folder", "-o DIR"}},
    {"overwrite_without_a_folder", "run --overwrite" SMALL, .words = {"--overwrite needs a folder"}},
    {"resume_and_overwrite", "run --resume --overwrite -o out" SMALL, .words = {"exclude each other"}},
    {"resume_of_another_seed", "run -o out --resume --seed 2" SMALL, .before = "\"$ULPSCOPE\" run -o out" SMALL,
     .words = {"out/run.db", "another study", "there \"seed: 1\", here \"seed: 2\"", "--overwrite"}},
    {"resume_with_slow", "run -o out --resume --slow" SMALL, .before = "\"$ULPSCOPE\" run -o out" SMALL,
     .words = {"another study", "there \"slow: 0\", here \"slow: 1\""}},
    {"resume_of_other_methods", "run -o out --resume -m naive" SMALL, .before = "\"$ULPSCOPE\" run -o out" SMALL,
     .words = {"out/run.db", "another study"}},
    {"resume_with_other_values_left_out", "run -o out --resume --nonfinite skip -d x.f32", FILE_OF("x.f32", "1\nnan\n"),
     .before = "\"$ULPSCOPE\" run -o out --nonfinite ieee -d x.f32", .words = {"out/run.db", "another study"}},
    {"resume_of_a_file_that_is_no_database", "run -o out --resume" SMALL,
     .before = "mkdir out && echo 'this is a text of more than sixteen letters' >out/run.db",
     .words = {"out/run.db", "not a database", "--overwrite"}},
    {"resume_of_a_truncated_database", "run -o out --resume" SMALL,
     .before = "\"$ULPSCOPE\" run -o out" SMALL " && head -c 5000 out/run.db >x && mv x out/run.db",
     .words = {"out/run.db", "malformed", "--overwrite"}},
    {"data_that_cannot_be_read_leave_no_folder", "run -o out -d no.npy", .words = {"no.npy"}},
    {"link_to_a_full_disk_for_csv", "run --csv full.csv" SMALL, .before = "ln -s /dev/full full.csv", .code = 3,
     .words = {"No space left on device", "not complete"}},
    {"link_to_a_full_disk_for_json", "run --json full.json" SMALL, .before = "ln -s /dev/full full.json", .code = 3,
     .words = {"No space left on device", "not complete"}},
    {"link_to_a_full_disk_for_exact", "exact uniform:n=8 --json full.json", .before = "ln -s /dev/full full.json",
     .code = 3, .words = {"No space left on device", "not complete"}},
    {"full_disk_for_exact", "exact uniform:n=8 --json /dev/full", .code = 3, .words = {"/dev/full", "No space left"}},
    {"link_to_a_full_disk_for_gen", "gen uniform:n=99999 -o full.f32", .before = "ln -s /dev/full full.f32", .code = 3,
     .words = {"No space left on device", "not complete"}},
    {"stdout_full_for_the_table", "run" SMALL " >/dev/full", .code = 3, .words = {"standard output", "not complete"}},
    {"stdout_full_for_csv", "run -o -" SMALL " >/dev/full", .code = 3, .words = {"standard output", "not complete"}},
    {"stdout_full_for_json", "exact uniform:n=8 --json - >/dev/full", .code = 3, .words = {"standard output"}},
    {"stdout_full_for_the_sum", "exact uniform:n=8 >/dev/full", .code = 3, .words = {"standard output"}},
    {"stdout_full_for_lists", "list methods >/dev/full", .code = 3, .words = {"standard output"}},
    {"stdout_full_for_help", "run --help >/dev/full", .code = 3, .words = {"standard output"}},
    {"stdout_closed", "list methods >&-", .code = 3, .words = {"standard output"}},

    /* variables */
    {"seed_of_a_word_in_a_variable", "run" SMALL, .variable = "ULPSCOPE_SEED=clock",
     .words = {"ULPSCOPE_SEED", "\"clock\""}},
    {"blocks_of_zero_in_a_variable", "run" SMALL, .variable = "ULPSCOPE_BLOCKS=0",
     .words = {"ULPSCOPE_BLOCKS", "blocks 0"}},
    {"jobs_of_zero_in_a_variable", "run" SMALL, .variable = "ULPSCOPE_JOBS=0", .words = {"ULPSCOPE_JOBS", "\"0\""}},
    {"colour_of_a_word_in_a_variable", "list config", .variable = "ULPSCOPE_COLOR=pink",
     .words = {"ULPSCOPE_COLOR", "\"pink\""}},
};

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
    char *before = list_folder();
    run_fine("\"$ULPSCOPE\" run -o out" SMALL);
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

/* ---- help and lists ---- */

struct said {
    const char *fact, *line;
    const char *words[WORDS_MOST]; /* on stdout */
};

static const struct said answers[] = {
    {"help_lists_the_commands", "help", {"Usage: ulpscope", "run ", "baseline ", "gen ", "exact ", "bench "}},
    {"help_by_flag", "--help", {"Usage: ulpscope", "Exit: 0 fine"}},
    {"help_of_run",
     "help run",
     {"Usage: ulpscope run [OPTION...] [STUDY.yaml]", "Examples:", "--overwrite", "--slow", "--verify-reference"}},
    {"help_of_run_by_flag", "run --help", {"Usage: ulpscope run [OPTION...] [STUDY.yaml]", "Examples:"}},
    {"help_of_gen", "help gen", {"Usage: ulpscope gen", "Examples:"}},
    {"help_of_exact",
     "help exact",
     {"Usage: ulpscope exact", "Examples:", "--compare", "100 times as slow", "Exit: 0 fine"}},
    {"help_of_baseline",
     "help baseline",
     {"Usage: ulpscope baseline", "save NAME RUN", "Examples:", "--accept-worse", "CI=true", "Exit: 0 fine"}},
    {"help_of_list", "help list", {"Usage: ulpscope list", "generators"}},
    {"help_of_bench", "help bench", {"Usage: ulpscope bench [OPTION...]", "Examples:", "Exit: 0 fine", "--slow"}},
    {"help_of_doctor", "help doctor", {"Usage: ulpscope doctor", "Exit 3"}},
    {"version", "--version", {"ulpscope ", "commit "}},
    {"list_of_methods",
     "list methods",
     {"plain/serial", "kahan/tree_atomic", "refused at 120 x 256: no atomic", "\ncub/device_reduce ", "\ncublas/dot ",
      "\ncuda/atomic_add ", "\nnaive "}},
    {"list_of_accumulators", "list accumulators", {"plain", "kahan", "neumaier", "binary64", "trace"}},
    {"list_of_orders", "list orders", {"serial", "tree_two_pass", "shuffle_two_pass", "tree_atomic"}},
    {"list_of_generators", "list generators", {"uniform", "gensum", "kahan_killer", "specials"}},
    {"help_of_run_names_all_families", "run --help", {"\"all\""}},
    {"list_of_one_generator", "list generators gensum", {"gensum:", "cond", "(default 4096, 2 to 2^40)", "source"}},
    {"list_of_generators_has_those_that_wait",
     "list generators",
     {"not built yet:", "tc ", "waits for tensor cores", "mixed_scale_rows   waits for"}},
    {"exact_of_a_file_in_another_order",
     "gen gensum:n=99,order=psum -o x.npy && \"$ULPSCOPE\" exact x.npy:order=reversed",
     {"exact       -0x", "n           99 of binary32"}},
    {"run_of_a_column_in_another_order",
     "gen uniform:n=9 -o x.csv && \"$ULPSCOPE\" run -q -m naive -o - -d x.csv:column=1,order=ascending",
     {"\"x.csv:column=1,order=ascending\",9,"}},
    {"list_of_metrics", "list metrics", {"ulp_error", "relative_error", "backward_error", "bound_ratio"}},
    {"list_of_formats", "list formats", {"--json", "run.json", "--csv", "results.csv", "report.html"}},
    {"list_of_devices", "list devices", {"host", "replays", "cuda"}},
    {"list_of_faults", "list faults", {"drop_last", "the last element is left out", "kahan_no_update"}},
    {"list_of_config", "list config", {"--seed      1         built in", "--blocks    120", "--color"}},
    {"doctor_finds_all_well", "doctor", {"ok    rounding to nearest", "ok    subnormals are kept", "ok    MPFR"}},
    {"gen_to_stdout_is_hex_floats", "gen const:n=2,value=1", {"# ulpscope gen", "0x1p+0\n0x1p+0\n"}},
};

static void answer_is_on_stdout_alone(void **state)
{
    const struct said *said = *state;
    char line[256];
    struct outcome outcome;
    snprintf(line, sizeof line, "\"$ULPSCOPE\" %s", said->line);
    run_line(line, &outcome);
    assert_int_equal(outcome.code, 0);
    assert_string_equal(outcome.err, "");
    for (size_t i = 0; i < WORDS_MOST && said->words[i]; i++)
        if (!strstr(outcome.out, said->words[i]))
            fail_msg("%s: no \"%s\" in \"%s\"", said->line, said->words[i], outcome.out);
    outcome_free(&outcome);
}

static void every_black_box_of_the_list_runs_here_or_says_what_it_lacks(void **state)
{
    (void)state;
    char *list = output_of("\"$ULPSCOPE\" list methods");
    size_t black_boxes = 0;
    char *rest = list;
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (strncmp(line, "cub", 3) != 0 && strncmp(line, "cuda", 4) != 0)
            continue;
        black_boxes++;
        assert_true(strstr(line, " not here: ") || strstr(line, " kernel without replay: "));
    }
    assert_int_equal(black_boxes, 6);
    free(list);
}

/* Its twin: a black box among others does not keep them from running. */
static void others_run_where_a_black_box_cannot(void **state)
{
    (void)state;
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" run --device host -m naive -m cub/device_reduce -d uniform:n=8 --csv -", &outcome);
    assert_int_equal(outcome.code, 0);
    assert_non_null(strstr(outcome.err, "skipping cub/device_reduce"));
    assert_non_null(strstr(outcome.out, "plain/serial,"));
    assert_null(strstr(outcome.out, "cub/"));
    outcome_free(&outcome);
}

static void no_arguments_show_the_usage_and_are_a_usage_error(void **state)
{
    (void)state;
    struct outcome outcome;
    run_line("\"$ULPSCOPE\"", &outcome);
    assert_int_equal(outcome.code, 2);
    assert_non_null(strstr(outcome.out, "Usage: ulpscope"));
    outcome_free(&outcome);
}

static void every_command_of_the_usage_has_help(void **state)
{
    (void)state;
    char *usage = output_of("\"$ULPSCOPE\" help");
    size_t commands = 0;
    char *rest = usage;
    for (char *line; (line = strsep(&rest, "\n"));) {
        char name[32], command[128];
        if (strncmp(line, "  ", 2) != 0 || sscanf(line, " %31s", name) != 1)
            continue;
        snprintf(command, sizeof command, "\"$ULPSCOPE\" %s --help && \"$ULPSCOPE\" help %s", name, name);
        run_fine(command);
        commands++;
    }
    assert_true(commands >= 5);
    free(usage);
}

/* ---- streams ---- */

/* One number is copied in some 0.03 us, which is not 0.0; and one thread is not "1 threads". */
static void bench_of_little_keeps_its_digits_and_its_grammar(void **state)
{
    (void)state;
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" bench --device host -m naive -n 1 --repeats 1 --jobs 1", &outcome);
    assert_int_equal(outcome.code, 0);
    assert_non_null(strstr(outcome.out, "| copy, read + write |   1 |"));
    assert_null(strstr(outcome.out, " 0.0.."));
    assert_non_null(strstr(outcome.err, "; 1 round; 1 thread\n"));
    outcome_free(&outcome);
}

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}

/* Its twin is methods_that_all_refuse: one name alone, and no "more". */
static void methods_that_refuse_for_one_reason_share_a_line(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "\"$ULPSCOPE\" run -m '*/tree_atomic' -d uniform:n=8 --csv -",
        "\"$ULPSCOPE\" bench --device host -m '*/tree_atomic' -n 8 --repeats 1",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct outcome outcome;
        run_line(lines[i], &outcome);
        assert_int_equal(outcome.code, 0);
        assert_int_equal(count_of(outcome.err, "no atomic merge"), 1);
        assert_non_null(strstr(outcome.err, " kahan/tree_atomic, kahan_two_sum/tree_atomic, "));
        assert_non_null(strstr(outcome.err, " more at "));
        assert_non_null(strstr(outcome.out, "plain/tree_atomic"));
        outcome_free(&outcome);
    }
}

static void quiet_says_nothing_on_stderr(void **state)
{
    (void)state;
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" run -q" SMALL, &outcome);
    assert_int_equal(outcome.code, 0);
    assert_string_equal(outcome.err, "");
    assert_string_not_equal(outcome.out, "");
    outcome_free(&outcome);
    run_line("\"$ULPSCOPE\" -q run" SMALL, &outcome);
    assert_string_equal(outcome.err, "");
    outcome_free(&outcome);
    run_line("\"$ULPSCOPE\" run" SMALL, &outcome); /* the twin */
    assert_non_null(strstr(outcome.err, "device: "));
    outcome_free(&outcome);
}

static void json_on_stdout_is_alone_there(void **state)
{
    (void)state;
    static const char *const lines[] = {("\"$ULPSCOPE\" run -o out --json -" SMALL),
                                        "\"$ULPSCOPE\" exact uniform:n=8 --json -",
                                        "\"$ULPSCOPE\" bench --device host -n 8 --json -"};
    static const char *const schemas[] = {"ulpscope-run/1", "ulpscope-exact/1", "ulpscope-bench/1"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *out = output_of(lines[i]);
        json_error_t error;
        json_t *root = json_loads(out, JSON_REJECT_DUPLICATES, &error);
        if (!root)
            fail_msg("%s: %d:%d: %s", lines[i], error.line, error.column, error.text);
        assert_string_equal(json_string_value(json_object_get(root, "schema")), schemas[i]);
        json_decref(root);
        free(out);
    }
}

/* ---- bench on the host ---- */

static json_t *json_of(const char *line)
{
    char *out = output_of(line);
    json_t *root = json_loads(out, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    free(out);
    return root;
}

static void assert_kinds(json_t *object, const char *const *keys, const json_type *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_object_get(object, keys[i]);
        if (!value || json_typeof(value) != kinds[i])
            fail_msg("%s: %s", keys[i], value ? "another kind" : "not there");
    }
}

static void bench_json_has_the_fields_of_its_page(void **state)
{
    (void)state;
    static const char *const tops[] = {"provenance", "data", "backend", "device", "jobs", "rounds", "lines"};
    static const json_type top_kinds[] = {JSON_OBJECT,  JSON_OBJECT,  JSON_STRING, JSON_STRING,
                                          JSON_INTEGER, JSON_INTEGER, JSON_ARRAY};
    static const char *const fields[] = {"method",       "n", "rows", "bytes", "microseconds", "gigabytes_per_second",
                                         "share_of_copy"};
    static const json_type kinds[] = {JSON_STRING, JSON_INTEGER, JSON_INTEGER, JSON_INTEGER,
                                      JSON_OBJECT, JSON_REAL,    JSON_REAL};
    static const char *const of_methods[] = {"launch",   "max_ulp_error", "max_ulp_error_hex", "outcomes",
                                             "baseline", "replay",        "share_of_baseline"};
    static const json_type method_kinds[] = {JSON_OBJECT, JSON_REAL,   JSON_STRING, JSON_ARRAY,
                                             JSON_STRING, JSON_STRING, JSON_REAL};
    json_t *root =
        json_of("\"$ULPSCOPE\" bench --device host -m 'kahan/tree_two_pass' -n 3Ki..12Ki*2 --repeats 4 --json -");
    json_t *lines = json_object_get(root, "lines"), *line;
    size_t i;
    assert_kinds(root, tops, top_kinds, 7);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(root, "data"), "period")), 1000003);
    assert_int_equal(json_array_size(lines), 3 * 3); /* the copy, the serial loop and the method, for each n */
    json_array_foreach(lines, i, line)
    {
        const bool copy = i % 3 == 0;
        assert_kinds(line, fields, kinds, 7);
        assert_int_equal(json_array_size(json_object_get(json_object_get(line, "microseconds"), "rounds")), 4);
        assert_int_equal(json_is_true(json_object_get(line, "selected")), i % 3 != 1);
        if (copy)
            assert_string_equal(json_string_value(json_object_get(line, "method")), "copy");
        else
            assert_kinds(line, of_methods, method_kinds, 7);
    }
    json_decref(root);
}

/* The result of a bench is that of a run on the same data, as long as one period holds them. */
static void bench_sums_the_data_of_its_spec(void **state)
{
    (void)state;
    json_t *root = json_of("\"$ULPSCOPE\" bench --device host -m naive -n 8 -d uniform:n=8 --repeats 1 --json -");
    char *row = output_of("\"$ULPSCOPE\" run --device host -m naive -d uniform:n=8 --trials 1 -o - | tail -n 1");
    json_t *line = json_array_get(json_object_get(root, "lines"), 1);
    json_t *bits = json_array_get(json_array_get(json_object_get(line, "outcomes"), 0), 0);
    assert_non_null(strstr(row, json_string_value(bits)));
    json_decref(root);
    root =
        json_of("\"$ULPSCOPE\" bench --device host -m naive -n 9 -d uniform:n=8 --repeats 1 --json -"); /* the twin */
    line = json_array_get(json_object_get(root, "lines"), 1);
    bits = json_array_get(json_array_get(json_object_get(line, "outcomes"), 0), 0);
    assert_null(strstr(row, json_string_value(bits)));
    free(row);
    json_decref(root);
}

static void bench_of_the_host_shows_what_was_asked_for(void **state)
{
    (void)state;
    char *out = output_of("\"$ULPSCOPE\" bench --device host -m kahan/tree_two_pass -n 2Ki --repeats 1");
    assert_non_null(strstr(out, "| method "));
    assert_non_null(strstr(out, "| x serial |"));
    assert_non_null(strstr(out, "| kahan/tree_two_pass | 2Ki | 1 x 256 |"));
    assert_null(strstr(out, "kahan/serial")); /* timed, as the baseline, and not asked for */
    assert_null(strstr(out, "of CUB"));
    free(out);
}

static void csv_on_stdout_is_results_csv(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -o out" SMALL " && \"$ULPSCOPE\" run -o -" SMALL
             " >o.csv && \"$ULPSCOPE\" run --csv -" SMALL " >csv.csv");
    assert_same_file("out/results.csv", "o.csv");
    assert_same_file("out/results.csv", "csv.csv");
}

/* Closed streams are not given to the files of the run. */
static void closed_streams_do_not_end_up_in_files(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -o out" SMALL " && \"$ULPSCOPE\" run -o other" SMALL " 2>&- <&-");
    assert_same_file("out/results.csv", "other/results.csv");
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" run -o third" SMALL " >&-", &outcome);
    assert_int_equal(outcome.code, 3);
    assert_same_file("out/results.csv", "third/results.csv");
    outcome_free(&outcome);
}

static void device_is_written_and_not_replaced(void **state)
{
    (void)state;
    run_fine("ln -s /dev/null null.json && \"$ULPSCOPE\" run --json null.json" SMALL " && test -L null.json");
    run_fine("mkfifo pipe && { cat pipe >copy & } && \"$ULPSCOPE\" run --csv pipe" SMALL
             " && wait && test -p pipe && \"$ULPSCOPE\" run -o -" SMALL " | cmp - copy");
}

static void link_stays_and_its_file_is_replaced(void **state)
{
    (void)state;
    run_fine("echo old >real.csv && ln -s real.csv link.csv && \"$ULPSCOPE\" run --csv link.csv" SMALL
             " && test -L link.csv && \"$ULPSCOPE\" run -o -" SMALL " | cmp - real.csv");
}

/* A pseudo-terminal, *leader the end that reads; skips the test where there are none, in a bare chroot say. */
static int open_terminal(int *leader)
{
    *leader = posix_openpt(O_RDWR | O_NOCTTY);
    const bool granted = *leader >= 0 && grantpt(*leader) == 0 && unlockpt(*leader) == 0;
    const int terminal = granted ? open(ptsname(*leader), O_RDWR | O_NOCTTY) : -1;
    if (terminal < 0) {
        print_message("skipped: this system gives no pseudo-terminal\n");
        skip();
    }
    return terminal;
}

/* What the program writes to a terminal; the caller frees it. */
static char *seen_on_a_terminal(const char *line)
{
    int leader;
    const int terminal = open_terminal(&leader);
    char *seen = calloc(1, 1 << 16);
    assert_non_null(seen);
    const pid_t child = start_line(line, terminal, terminal);
    close(terminal);
    size_t length = 0;
    for (ssize_t got; length < (1 << 16) - 1 && (got = read(leader, seen + length, (1 << 16) - 1 - length)) > 0;)
        length += (size_t)got;
    close(leader);
    assert_int_equal(wait_for(child), 0);
    return seen;
}

static void no_color_means_no_colour_on_a_terminal(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool coloured;
    } cases[] = {
        {"\"$ULPSCOPE\" run -q" SMALL, true},
        {"NO_COLOR= \"$ULPSCOPE\" run -q" SMALL, true},
        {"NO_COLOR=1 \"$ULPSCOPE\" run -q" SMALL, false},
        {"\"$ULPSCOPE\" --color never run -q" SMALL, false},
        {"NO_COLOR=1 \"$ULPSCOPE\" --color=always run -q" SMALL, true},
        {"ULPSCOPE_COLOR=never \"$ULPSCOPE\" run -q" SMALL, false},
        {"\"$ULPSCOPE\" run -q" SMALL " | cat", false},
        {"\"$ULPSCOPE\" --color always run -q" SMALL " | cat", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *seen = seen_on_a_terminal(cases[i].line);
        if (!strchr(seen, '\033') == cases[i].coloured)
            fail_msg("%s: %s", cases[i].line, cases[i].coloured ? "no colour" : "colour");
        assert_non_null(strstr(seen, "plain/serial"));
        free(seen);
    }
}

/* ---- where settings come from ---- */

static void flag_beats_variable_beats_built_in_in_list_config(void **state)
{
    (void)state;
    static const struct {
        const char *line, *word;
    } cases[] = {
        {"\"$ULPSCOPE\" list config", "--color     auto      built in"},
        {"ULPSCOPE_COLOR=never \"$ULPSCOPE\" list config", "--color     never     ULPSCOPE_COLOR"},
        {"ULPSCOPE_COLOR=never \"$ULPSCOPE\" --color always list config", "--color     always    --color"},
        {"ULPSCOPE_SEED=7 \"$ULPSCOPE\" list config", "--seed      7         ULPSCOPE_SEED"},
        {"ULPSCOPE_SEED= \"$ULPSCOPE\" list config", "--seed      1         built in"},
        {"ULPSCOPE_THREADS=64 \"$ULPSCOPE\" list config", "--threads   64        ULPSCOPE_THREADS"},
        {"ULPSCOPE_BLOCKS=2 \"$ULPSCOPE\" list config", "--blocks    2         ULPSCOPE_BLOCKS"},
        {"ULPSCOPE_DEVICE=host \"$ULPSCOPE\" list config", "--device    host      ULPSCOPE_DEVICE"},
        {"ULPSCOPE_JOBS=3 \"$ULPSCOPE\" list config", "--jobs      3         ULPSCOPE_JOBS"},
        {"ULPSCOPE_REPEATS=2 \"$ULPSCOPE\" list config", "--repeats   2         ULPSCOPE_REPEATS"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *out = output_of(cases[i].line);
        if (!strstr(out, cases[i].word))
            fail_msg("%s: no \"%s\" in \"%s\"", cases[i].line, cases[i].word, out);
        free(out);
    }
}

/* A field of a line of a CSV file, counted from 0, with its quotes if it has any. */
static void field_of(const char *line, size_t column, char field[64])
{
    size_t length = 0;
    bool quoted = false;
    for (const char *c = line; *c != '\0' && *c != '\n'; c++) {
        quoted ^= *c == '"';
        if (*c == ',' && !quoted) {
            if (column-- == 0)
                break;
        } else if (column == 0 && length < 63) {
            field[length++] = *c;
        }
    }
    field[length] = '\0';
}

enum { N_COLUMN = 2, SEED_COLUMN = 5, TRIAL_COLUMN = 6, BLOCKS_COLUMN = 9, THREADS_COLUMN = 10, BITS_COLUMN = 13 };

static void flag_beats_variable_beats_study_beats_built_in_in_a_run(void **state)
{
    (void)state;
    static const struct {
        const char *line, *seed, *blocks, *threads;
    } cases[] = {
        {"\"$ULPSCOPE\" run -m naive -o -" SMALL, "1", "120", "256"},
        {"\"$ULPSCOPE\" run study.yaml -o -", "5", "3", "32"},
        {"ULPSCOPE_SEED=6 ULPSCOPE_BLOCKS=4 \"$ULPSCOPE\" run study.yaml -o -", "6", "4", "32"},
        {"ULPSCOPE_SEED=6 ULPSCOPE_BLOCKS=4 \"$ULPSCOPE\" run study.yaml -o - --seed 7 --blocks 5 --threads 64", "7",
         "5", "64"},
        {"ULPSCOPE_SEED= ULPSCOPE_THREADS= \"$ULPSCOPE\" run study.yaml -o -", "5", "3", "32"},
    };
    put_text("study.yaml",
             "schema: ulpscope-study/1\nmethods: [naive]\nseed: 5\nlaunch: {blocks: 3, threads: 32}\n" DATA);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *csv = output_of(cases[i].line), field[64];
        const char *row = strchr(csv, '\n') + 1;
        field_of(row, SEED_COLUMN, field);
        assert_string_equal(field, cases[i].seed);
        field_of(row, BLOCKS_COLUMN, field);
        assert_string_equal(field, cases[i].blocks);
        field_of(row, THREADS_COLUMN, field);
        assert_string_equal(field, cases[i].threads);
        free(csv);
    }
}

/* ---- the same bytes whatever is around ---- */

#define SWEEP " -d 'uniform:n=100..1600*4' -d gensum:n=256,cond=1e8 -d specials:n=64 -d normal:n=333 --trials 7"

static const struct surroundings {
    const char *fact, *before, *flags;
    const char *locale; /* must be installed, or NULL */
} surroundings[] = {
    {"results_are_the_same_on_1_job", "", "--jobs 1", NULL},
    {"results_are_the_same_on_2_jobs", "", "--jobs 2", NULL},
    {"results_are_the_same_on_7_jobs", "", "--jobs 7", NULL},
    {"results_are_the_same_on_64_jobs_by_variable", "ULPSCOPE_JOBS=64", "", NULL},
    {"results_are_the_same_in_german", "LC_ALL=de_DE.UTF-8", "", "de_DE.UTF-8"},
    {"results_are_the_same_in_turkish", "LC_ALL=tr_TR.UTF-8", "", "tr_TR.UTF-8"},
    {"results_are_the_same_in_no_known_language", "LC_ALL=xx_XX.latin99 LANG=de_DE", "", NULL},
    {"results_are_the_same_in_kolkata", "TZ=Asia/Kolkata", "", NULL},
    {"results_are_the_same_with_umask_077", "umask 077;", "", NULL},
    {"results_are_the_same_without_a_home", "unset HOME;", "", NULL},
    {"results_are_the_same_without_variables", "env -i", "", NULL},
    {"results_are_the_same_without_a_path", "PATH=/nowhere", "", NULL},
    {"results_are_the_same_without_a_tmpdir", "TMPDIR=/nowhere", "", NULL},
    {"results_are_the_same_quietly", "", "-q", NULL},
    {"results_are_the_same_in_colour", "ULPSCOPE_COLOR=always", "", NULL},
};

static void surroundings_do_not_change_the_results(void **state)
{
    const struct surroundings *around = *state;
    char line[1024];
    if (around->locale && !has_locale(around->locale)) {
        print_message("skipped: the locale %s is not installed here\n", around->locale);
        skip();
    }
    snprintf(line, sizeof line, "\"$ULPSCOPE\" run -o plain" SWEEP "; %s \"$ULPSCOPE\" run -o changed %s" SWEEP,
             around->before, around->flags);
    run_fine(line);
    assert_same_file("plain/results.csv", "changed/results.csv");
    assert_same_file("plain/summary.csv", "changed/summary.csv");
}

static void another_seed_changes_the_results(void **state) /* the twin */
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -o a" SMALL "; \"$ULPSCOPE\" run -o b --seed 2" SMALL
             "; ! cmp -s a/results.csv b/results.csv");
}

static void a_run_draws_its_pictures_with_nothing_else_installed(void **state)
{
    (void)state;
    run_fine("PATH=/nowhere \"$ULPSCOPE\" run -o out" SMALL);
    run_fine("ls out/svg/*.svg > pictures && test -s pictures");
    char *report = take_file("out/report.html");
    assert_non_null(report);
    assert_non_null(strstr(report, "data:image/svg+xml;base64,"));
    free(report);
    run_fine("PATH=/nowhere \"$ULPSCOPE\" doctor");
}

/* ---- a reported case again ---- */

/* How many lines `part` has below its header; each must stand in `whole`. */
static size_t count_rows_in(const char *part, const char *whole)
{
    size_t count = 0;
    for (const char *line = strchr(part, '\n') + 1; *line; line = strchr(line, '\n') + 1, count++) {
        char row[4096];
        snprintf(row, sizeof row, "\n%.*s\n", (int)strcspn(line, "\n"), line);
        if (!strstr(whole, row))
            fail_msg("%s is not in the full run", row + 1);
    }
    return count;
}

static void one_trial_gives_its_rows_of_the_full_run(void **state)
{
    (void)state;
    char *whole = output_of("\"$ULPSCOPE\" run -o -" SWEEP);
    for (int trial = 0; trial < 7; trial += 3) {
        char line[512];
        snprintf(line, sizeof line, "\"$ULPSCOPE\" run -o - -d gensum:n=256,cond=1e8 -d normal:n=333 --trial %d",
                 trial);
        char *part = output_of(line);
        assert_true(count_rows_in(part, whole) >= 8);
        free(part);
    }
    free(whole);
}

/* Runs what stands in the column worst_command, and looks for the result in worst_bits. */
static void assert_witness(const char *row)
{
    const char *command = strstr(row, "ulpscope run");
    assert_true(command && command < row + strcspn(row, "\n"));
    const bool quoted = command[-1] == '"';
    const char *end = command + strcspn(command, quoted ? "\"" : ",\n");
    char bits[64], line[1024], found[64];
    const char *bits_at = command - quoted - 1;
    while (bits_at[-1] != ',')
        bits_at--;
    snprintf(bits, sizeof bits, "%.*s", (int)strcspn(bits_at, ","), bits_at);
    snprintf(line, sizeof line, "ulpscope() { \"$ULPSCOPE\" \"$@\"; }; %.*s -q -o -", (int)(end - command), command);
    char *csv = output_of(line);
    const char *rerun = strchr(csv, '\n') + 1;
    field_of(rerun, BITS_COLUMN, found);
    assert_string_equal(found, bits);
    assert_null(strchr(strchr(rerun, '\n') + 1, '\n')); /* one row alone */
    free(csv);
}

static void witness_of_every_series_gives_the_same_bits_again(void **state)
{
    (void)state;
    put_text("x y.csv", "x\n0.1\n\n1e8\n-1e8\n");
    put_text("z.csv", "0.1,\n,1\n1e8,2\n-1e8,3\n");
    run_fine("\"$ULPSCOPE\" run -o out -m 'k*' -m '*/serial' --blocks 2 --threads 32" SWEEP);
    run_fine("\"$ULPSCOPE\" run -o file -d 'x y.csv:column=x' -m '*/serial'");
    run_fine("\"$ULPSCOPE\" run -o skip -d z.csv:column=1 -m '*/serial' --nonfinite skip");
    static const char *const summaries[] = {"out/summary.csv", "file/summary.csv", "skip/summary.csv"};
    size_t series = 0;
    for (size_t i = 0; i < sizeof summaries / sizeof *summaries; i++) {
        char *summary = take_file(summaries[i]);
        assert_non_null(summary);
        for (const char *row = strchr(summary, '\n') + 1; *row; row = strchr(row, '\n') + 1, series++)
            assert_witness(row);
        free(summary);
    }
    assert_true(series >= 30);
}

static void zero_numbers_sum_to_zero(void **state)
{
    (void)state;
    char *csv = output_of("\"$ULPSCOPE\" run -q -o - -d uniform:n=0 --trials 1");
    size_t rows = 0;
    for (const char *row = strchr(csv, '\n') + 1; *row; row = strchr(row, '\n') + 1, rows++) {
        char bits[64];
        field_of(row, BITS_COLUMN, bits);
        assert_string_equal(bits, "0x00000000");
    }
    assert_true(rows >= 4);
    free(csv);
}

/* ---- run.json and studies ---- */

static json_t *load_json(const char *name)
{
    json_t *root = json_load_file(in_folder(name).text, 0, NULL);
    assert_non_null(root);
    return root;
}

static void facts_of_the_run_reach_run_json(void **state)
{
    (void)state;
    static const char *const facts[][2] = {
        {"program", "version"}, {"program", "commit"}, {"program", "canary"}, {"build", "C compiler"},
        {"build", "C flags"},   {"library", "MPFR"},   {"library", "GMP"},    {"library", "SQLite"},
        {"host", "processor"},  {"host", "kernel"},    {"device", "name"},    {"run", "date"},
        {"run", "command"},     {"data", "x.f32"},
    };
    run_fine("printf '1\\n2\\n' >x.f32 && \"$ULPSCOPE\" run -q -o out -d x.f32 --seed 7");
    json_t *root = load_json("out/run.json"), *provenance = json_object_get(root, "provenance");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *value = json_string_value(json_object_get(json_object_get(provenance, facts[i][0]), facts[i][1]));
        if (!value || !*value)
            fail_msg("%s/%s is not in run.json, or empty", facts[i][0], facts[i][1]);
    }
    assert_string_equal(json_string_value(json_object_get(json_object_get(provenance, "run"), "seed")), "7");
    json_decref(root);
}

static void title_of_a_run_without_a_study_is_its_data(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q -o out -d uniform:n=8 -d normal:n=9 --trials 2");
    json_t *root = load_json("out/run.json");
    assert_string_equal(json_string_value(json_object_get(root, "title")), "Sums of uniform:n=8, normal:n=9");
    json_decref(root);
}

/* How many rows there are, and how many of them have n numbers. */
static void assert_rows_of_n(const char *line, const char *n)
{
    char *csv = output_of(line), count[64];
    size_t rows = 0;
    for (const char *row = strchr(csv, '\n') + 1; *row; row = strchr(row, '\n') + 1, rows++) {
        field_of(row, N_COLUMN, count);
        assert_string_equal(count, n);
    }
    assert_true(rows > 0);
    free(csv);
}

static void file_of_a_study_is_looked_for_beside_the_study(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("s").text, 0755), 0);
    put_text("s/study.yaml", "schema: ulpscope-study/1\nmethods: [naive]\ndata: [{file: x.f32}]\n");
    put_text("s/x.f32", "1\n2\n3\n");
    put_text("x.f32", "1\n");
    assert_rows_of_n("\"$ULPSCOPE\" run -q -o - s/study.yaml", "3");
    assert_rows_of_n("cd s && \"$ULPSCOPE\" run -q -o - study.yaml", "3");
    assert_rows_of_n("\"$ULPSCOPE\" run -q -o - - <s/study.yaml", "1");
}

static void file_of_a_study_is_read_in_its_order(void **state)
{
    (void)state;
    put_text("x.csv", "a,b\n1,16777216\n2,1\n3,1\n");
    put_text("study.yaml", "schema: ulpscope-study/1\nmethods: [naive]\ndata:\n"
                           "  - {file: x.csv, column: b}\n  - {file: x.csv, column: b, order: reversed}\n");
    char *out = output_of("\"$ULPSCOPE\" run -q -o - study.yaml");
    assert_non_null(strstr(out, "\nplain/serial,x.csv:column=b,3,")); /* each one is lost */
    assert_non_null(strstr(out, ",120,256,0,16777216,"));
    assert_non_null(strstr(out, "\nplain/serial,\"x.csv:column=b,order=reversed\",3,")); /* they come first */
    assert_non_null(strstr(out, ",120,256,0,16777218,"));
    free(out);
}

static void nonfinite_of_a_study_holds_until_a_flag_says_otherwise(void **state)
{
    (void)state;
    put_text("study.yaml", "schema: ulpscope-study/1\nmethods: [naive]\ndata: [{file: x.f32}]\nnonfinite: skip\n");
    put_text("x.f32", "1\nnan\n3\n");
    struct outcome outcome;
    assert_rows_of_n("\"$ULPSCOPE\" run -q -o - study.yaml", "2");
    assert_rows_of_n("\"$ULPSCOPE\" run -q -o - study.yaml --nonfinite ieee", "3");
    run_line("\"$ULPSCOPE\" run -q -o - study.yaml --nonfinite refuse", &outcome);
    assert_int_equal(outcome.code, 2);
    outcome_free(&outcome);
}

/* ---- run.db as others left it ---- */

static void database_of_something_else_is_refused_and_untouched(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("out").text, 0755), 0);
    change_database("out/run.db", "CREATE TABLE mine(x); INSERT INTO mine VALUES(1)");
    run_fine("cp out/run.db before");
    assert_refused("\"$ULPSCOPE\" run -q --resume -o out" SMALL, 2, "out/run.db: is a database of something else");
    run_fine("cmp out/run.db before && [ \"$(ls out)\" = run.db ]");
}

static void database_of_a_foreign_table_run_is_refused_and_untouched(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("out").text, 0755), 0);
    change_database("out/run.db", "CREATE TABLE run(distance); INSERT INTO run VALUES(42)");
    run_fine("cp out/run.db before");
    assert_refused("\"$ULPSCOPE\" run -q --resume -o out" SMALL, 2, "out/run.db");
    run_fine("cmp out/run.db before && [ \"$(ls out)\" = run.db ]");
}

static void database_of_no_bytes_is_as_good_as_none(void **state)
{
    (void)state;
    run_fine("mkdir out && : >out/run.db && \"$ULPSCOPE\" run -q -o out" SMALL
             " && \"$ULPSCOPE\" run -q -o whole" SMALL);
    assert_same_file("out/results.csv", "whole/results.csv");
}

static void spoilt_page_is_not_the_end_of_the_rows(void **state)
{
    (void)state;
    static const char *const tables[] = {"cases", "results"};
    run_fine("\"$ULPSCOPE\" run -q -o whole -m naive -d uniform:n=8 --trials 2000");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        run_fine("rm -rf out && cp -r whole out && rm out/*.csv");
        spoil_last_page("out/run.db", tables[i]);
        run_fine("cp out/run.db before");
        assert_refused("\"$ULPSCOPE\" run -q --resume -o out -m naive -d uniform:n=8 --trials 2000", 2,
                       "out/run.db: database disk image is malformed");
        assert_false(file_exists("out/results.csv"));
        char sql[64];
        if (i == 0) { /* nothing was measured again */
            snprintf(sql, sizeof sql, "SELECT count(*) FROM results");
            assert_int_equal(number_in("out/run.db", sql), 2000);
        }
    }
}

static void result_above_its_bound_breaks_the_limit(void **state)
{
    (void)state;
#define FIVE " -m naive -d uniform:n=8 --trials 5" /* one of them suffices */
    const char *const resume = "\"$ULPSCOPE\" run -q --resume -o out" FIVE;
    run_fine("\"$ULPSCOPE\" run -q -o out" FIVE);
    change_database("out/run.db", "UPDATE results SET bound_ratio = 1 WHERE trial = 0");
    run_fine(resume);
    change_database("out/run.db", "UPDATE results SET bound_ratio = 1.5 WHERE trial = 0 AND method = 'plain/serial'");
    run_fine("rm out/*.csv");
    assert_refused(resume, 1, "ulpscope: plain/serial on uniform:n=8, replay: the error is 1.5 times the proven bound");
    assert_true(file_exists("out/results.csv"));
}

static void trials_are_those_of_random_data(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" run -q -o out -m naive -d const:n=8 -d uniform:n=8 --trials 3");
    assert_int_equal(number_in("out/run.db", "SELECT count(*) FROM results WHERE data LIKE 'const%'"), 1);
    assert_int_equal(number_in("out/run.db", "SELECT count(*) FROM results WHERE data LIKE 'uniform%'"), 3);
}

static void overwrite_for_data_that_cannot_be_read_leaves_the_old_reports(void **state)
{
    (void)state;
    static const char *const lines[] = {"\"$ULPSCOPE\" run -q --overwrite -o out -d no.f32",
                                        "\"$ULPSCOPE\" run -q --overwrite -o out -d bad.f32"};
    put_text("bad.f32", "1\nx\n");
    run_fine("\"$ULPSCOPE\" run -q -o out" SMALL " && cp -r out before");
    assert_refused(lines[0], 2, "no.f32");
    run_fine("diff -r out before");
    assert_refused(lines[1], 2, "bad.f32:2:");
    run_fine("diff -r -x run.db out before");
}

/* ---- exact sums ---- */

#define BYTES(text) (text), sizeof(text) - 1

/* The sums are those of Python's fractions.Fraction over the binary32 values; the roundings, those of its float(), and
 * the nearest among the neighbouring binary32 values. */
static const struct exact_file {
    const char *fact, *name, *bytes;
    size_t size;
    const char *exact, *sum_abs, *binary32, *binary64;
    int n;
} exact_files[] = {
    {"exact_sum_of_decimals", "x.csv", BYTES("0.1\n0.2\n0.3\n-0.6\n"), "-0x1p-27", "0x1.333333ep+0", "-0x1p-27",
     "-0x1p-27", 4},
    {"exact_sum_that_plain_summation_loses", "x.csv", BYTES("1e8\n1\n-1e8\n0x1p-149\n"),
     "0x1.00000000000000000000000000000000000008p+0", "0x1.7d784020000000000000000000000000000000000001p+27", "0x1p+0",
     "0x1p+0", 4},
    {"exact_sum_across_the_whole_range", "x.csv", BYTES("0x1.fffffep+127\n0x1p-149\n0x1.fffffep+127\n-0x1p-100\n"),
     "0x1.fffffdfffffffffffffffffffffffffffffffffffffffffffffffffff0000000000008p+128",
     "0x1.fffffe0000000000000000000000000000000000000000000000000010000000000008p+128", "inf", "0x1.fffffep+128", 4},
    {"exact_sum_at_a_tie_goes_to_even", "x.csv", BYTES("0x1p+24\n1\n"), "0x1.000001p+24", "0x1.000001p+24", "0x1p+24",
     "0x1.000001p+24", 2},
    {"exact_sum_just_above_a_tie_goes_up", "x.csv", BYTES("0x1p+24\n1\n0x1p-149\n"),
     "0x1.00000100000000000000000000000000000000000008p+24", "0x1.00000100000000000000000000000000000000000008p+24",
     "0x1.000002p+24", "0x1.000001p+24", 3},
    {"exact_sum_that_is_zero", "x.csv", BYTES("0x1.fffffep+127\n0x1p-149\n-0x1.fffffep+127\n-0x1p-149\n"), "0x0p+0",
     "0x1.fffffe000000000000000000000000000000000000000000000000000000000000001p+128", "0x0p+0", "0x0p+0", 4},
    {"exact_sum_of_subnormals", "x.csv", BYTES("0x1p-149\n0x1p-149\n0x1.8p-148\n"), "0x1.4p-147", "0x1.4p-147",
     "0x1.4p-147", "0x1.4p-147", 3},
    {"exact_sum_of_an_npy", "x.npy",
     BYTES(
         "\223NUMPY\001\000v\000{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }                              "
         "                              \n\000\000\300\077\315\314\314=\000\000\000\300\302\026\001\000\346\261a\177"),
     "0x1.c363cbffffffffffffffffffffffffff33333340000000000000000000000000116c2p+127",
     "0x1.c363cc0000000000000000000000000733333340000000000000000000000000116c2p+127", "0x1.c363ccp+127",
     "0x1.c363ccp+127", 5},
};

static const char *text_at(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void exact_sum_is_that_of_fractions(void **state)
{
    const struct exact_file *file = *state;
    char line[128];
    put_file(file->name, file->bytes, file->size);
    snprintf(line, sizeof line, "\"$ULPSCOPE\" exact %s --json -", file->name);
    char *out = output_of(line);
    json_t *root = json_loads(out, 0, NULL);
    assert_non_null(root);
    const json_t *nearest = json_object_get(root, "nearest");
    assert_string_equal(text_at(root, "exact"), file->exact);
    assert_string_equal(text_at(root, "sum_abs"), file->sum_abs);
    assert_string_equal(text_at(nearest, "binary32"), file->binary32);
    assert_string_equal(text_at(nearest, "binary64"), file->binary64);
    assert_int_equal(json_integer_value(json_object_get(root, "n")), file->n);
    json_decref(root);
    free(out);
}

/* ---- a disk that is full, a place that is not ours ---- */

/* Files may not grow beyond 8 KiB in the child, which has to take the error. */
static int in_8_kib(const char *line, struct outcome *outcome)
{
    struct rlimit before;
    if (getrlimit(RLIMIT_FSIZE, &before) != 0)
        return -1;
    const struct rlimit tight = {8192, before.rlim_max};
    if (setrlimit(RLIMIT_FSIZE, &tight) != 0)
        return -1;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    run_line(line, outcome);
    signal(SIGXFSZ, handler);
    return setrlimit(RLIMIT_FSIZE, &before);
}

_Noreturn static void skip_because(const char *reason)
{
    print_message("skipped: %s\n", reason);
    skip();
    abort(); /* not reached; cmocka does not tell the compiler that skip() never returns */
}

static void store_that_cannot_grow_is_told_and_goes_on_later(void **state)
{
    (void)state;
    struct outcome outcome;
    if (in_8_kib("\"$ULPSCOPE\" run -o out -d uniform:n=8 --trials 300", &outcome) != 0)
        skip_because("file sizes cannot be limited here");
    assert_int_equal(outcome.code, 3);
    assert_non_null(strstr(outcome.err, "out/run.db"));
    assert_string_equal(outcome.out, "");
    assert_false(file_exists("out/results.csv"));
    outcome_free(&outcome);
    run_fine("\"$ULPSCOPE\" run -o out --resume -d uniform:n=8 --trials 300");
    run_fine("\"$ULPSCOPE\" run -o whole -d uniform:n=8 --trials 300");
    assert_same_file("out/results.csv", "whole/results.csv");
}

static void file_that_cannot_grow_leaves_the_old_one(void **state)
{
    (void)state;
    struct outcome outcome;
    put_text("x.npy", "old");
    put_text("r.csv", "old");
    if (in_8_kib("\"$ULPSCOPE\" gen uniform:n=9999 -o x.npy", &outcome) != 0)
        skip_because("file sizes cannot be limited here");
    assert_int_equal(outcome.code, 3);
    assert_non_null(strstr(outcome.err, "x.npy: not written"));
    outcome_free(&outcome);
    assert_int_equal(in_8_kib("\"$ULPSCOPE\" run --csv r.csv -d uniform:n=8 --trials 300", &outcome), 0);
    assert_int_equal(outcome.code, 3);
    assert_non_null(strstr(outcome.err, "r.csv: not written"));
    outcome_free(&outcome);
    char *list = output_of("cat x.npy r.csv && ls");
    assert_string_equal(list, "oldoldr.csv\nx.npy\n");
    free(list);
}

/* On a file system of 256 KiB, in a name space of its own that ends with the child. */
static void run_on_small_disk(const char *line, struct outcome *outcome)
{
    assert_int_equal(mkdir(in_folder("disk").text, 0777), 0);
    FILE *out = tmpfile(), *err = tmpfile();
    assert_true(out && err);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
            mount("tmpfs", in_folder("disk").text, "tmpfs", 0, "size=256k") != 0)
            _exit(77);
        _exit(wait_for(start_line(line, fileno(out), fileno(err))));
    }
    outcome->code = wait_for(child);
    outcome->out = take_stream(out);
    outcome->err = take_stream(err);
}

static void full_file_system_is_told_and_goes_on_later(void **state)
{
    (void)state;
    struct outcome outcome;
    run_on_small_disk("\"$ULPSCOPE\" run -o disk/out -d uniform:n=8 --trials 999; code=$?; ls disk/out; "
                      "mkdir rest && cp disk/out/* rest; exit $code",
                      &outcome);
    if (outcome.code == 77) {
        outcome_free(&outcome);
        skip_because("no file system can be mounted here");
    }
    assert_int_equal(outcome.code, 3);
    assert_non_null(strstr(outcome.err, "disk/out/run.db"));
    assert_null(strstr(outcome.out, "results.csv"));
    outcome_free(&outcome);
    run_fine("\"$ULPSCOPE\" run -o rest --resume -d uniform:n=8 --trials 999");
    run_fine("\"$ULPSCOPE\" run -o whole -d uniform:n=8 --trials 999");
    assert_same_file("rest/results.csv", "whole/results.csv");
}

/* As root, who may write everywhere, becomes nobody; 77 when nobody cannot run the program. */
static void run_as_nobody(const char *line, struct outcome *outcome)
{
    enum { NOBODY = 65534 };
    FILE *out = tmpfile(), *err = tmpfile();
    assert_true(out && err);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const bool changed = geteuid() != 0 || (setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
        if (!changed || access(PROGRAM, X_OK) != 0)
            _exit(77);
        _exit(wait_for(start_line(line, fileno(out), fileno(err))));
    }
    outcome->code = wait_for(child);
    outcome->out = take_stream(out);
    outcome->err = take_stream(err);
}

static void read_only_folder_is_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {"run -o ours/out" SMALL, "run --csv ours/x.csv" SMALL,
                                        "gen uniform:n=8 -o ours/x.npy"};
    assert_int_equal(mkdir(in_folder("ours").text, 0755), 0);
    assert_int_equal(chmod(in_folder("ours").text, 0555), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[256];
        struct outcome outcome;
        snprintf(line, sizeof line, "\"$ULPSCOPE\" %s", lines[i]);
        run_as_nobody(line, &outcome);
        if (outcome.code == 77) {
            outcome_free(&outcome);
            skip_because("the user nobody cannot run the program");
        }
        assert_int_equal(outcome.code, 2);
        assert_non_null(strstr(outcome.err, "Permission denied"));
        outcome_free(&outcome);
    }
}

static void run_tells_how_many_exact_sums_it_verified(void **state)
{
    (void)state;
    static const char line[] = "\"$ULPSCOPE\" run --device host -m naive -d uniform:n=8,low=-1 --trials 5";
    static const char told[] = "verified 5 exact sums";
    char verified[sizeof line + 32];
    struct outcome outcome;
    snprintf(verified, sizeof verified, "%s --verify-reference", line);
    run_line(verified, &outcome);
    assert_int_equal(outcome.code, 0);
    assert_non_null(strstr(outcome.err, told));
    outcome_free(&outcome);
    run_line(line, &outcome); /* the twin */
    assert_null(strstr(outcome.err, told));
    outcome_free(&outcome);
}

/* ---- the list ---- */

static const struct CMUnitTest facts[] = {
    FACT(run_tells_how_many_exact_sums_it_verified),
    FACT(refusal_check_sees_each_fault),
    FACT(there_are_at_least_60_bad_inputs_with_names_of_their_own),
    FACT(every_black_box_of_the_list_runs_here_or_says_what_it_lacks),
    FACT(others_run_where_a_black_box_cannot),
    FACT(no_arguments_show_the_usage_and_are_a_usage_error),
    FACT(every_command_of_the_usage_has_help),
    FACT(bench_of_little_keeps_its_digits_and_its_grammar),
    FACT(methods_that_refuse_for_one_reason_share_a_line),
    FACT(quiet_says_nothing_on_stderr),
    FACT(json_on_stdout_is_alone_there),
    FACT(bench_json_has_the_fields_of_its_page),
    FACT(bench_sums_the_data_of_its_spec),
    FACT(bench_of_the_host_shows_what_was_asked_for),
    FACT(csv_on_stdout_is_results_csv),
    FACT(closed_streams_do_not_end_up_in_files),
    FACT(device_is_written_and_not_replaced),
    FACT(link_stays_and_its_file_is_replaced),
    FACT(no_color_means_no_colour_on_a_terminal),
    FACT(flag_beats_variable_beats_built_in_in_list_config),
    FACT(flag_beats_variable_beats_study_beats_built_in_in_a_run),
    FACT(another_seed_changes_the_results),
    FACT(a_run_draws_its_pictures_with_nothing_else_installed),
    FACT(one_trial_gives_its_rows_of_the_full_run),
    FACT(witness_of_every_series_gives_the_same_bits_again),
    FACT(zero_numbers_sum_to_zero),
    FACT(facts_of_the_run_reach_run_json),
    FACT(title_of_a_run_without_a_study_is_its_data),
    FACT(file_of_a_study_is_looked_for_beside_the_study),
    FACT(file_of_a_study_is_read_in_its_order),
    FACT(nonfinite_of_a_study_holds_until_a_flag_says_otherwise),
    FACT(database_of_something_else_is_refused_and_untouched),
    FACT(database_of_a_foreign_table_run_is_refused_and_untouched),
    FACT(database_of_no_bytes_is_as_good_as_none),
    FACT(spoilt_page_is_not_the_end_of_the_rows),
    FACT(result_above_its_bound_breaks_the_limit),
    FACT(trials_are_those_of_random_data),
    FACT(overwrite_for_data_that_cannot_be_read_leaves_the_old_reports),
    FACT(store_that_cannot_grow_is_told_and_goes_on_later),
    FACT(file_that_cannot_grow_leaves_the_old_one),
    FACT(full_file_system_is_told_and_goes_on_later),
    FACT(read_only_folder_is_refused),
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static struct CMUnitTest
    tests[COUNT(facts) + COUNT(bad_inputs) + COUNT(answers) + COUNT(surroundings) + COUNT(exact_files)];
static size_t test_count;

int main(void)
{
    forget_variables();
    for (size_t i = 0; i < COUNT(facts); i++)
        tests[test_count++] = facts[i];
    for (size_t i = 0; i < COUNT(bad_inputs); i++)
        tests[test_count++] = test_of_row(bad_inputs[i].fact, bad_input_is_refused, &bad_inputs[i]);
    for (size_t i = 0; i < COUNT(answers); i++)
        tests[test_count++] = test_of_row(answers[i].fact, answer_is_on_stdout_alone, &answers[i]);
    for (size_t i = 0; i < COUNT(surroundings); i++)
        tests[test_count++] =
            test_of_row(surroundings[i].fact, surroundings_do_not_change_the_results, &surroundings[i]);
    for (size_t i = 0; i < COUNT(exact_files); i++)
        tests[test_count++] = test_of_row(exact_files[i].fact, exact_sum_is_that_of_fractions, &exact_files[i]);
    return cmocka_run_group_tests_name("command line", tests, NULL, NULL);
}
