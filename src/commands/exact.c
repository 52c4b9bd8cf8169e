/* ulpscope exact: the exact and the correctly rounded sum of a data set, and how far values are from it. */
#include "data_arguments.h"
#include "exact_answer.h"
#include "src/base/format.h"
#include "src/files/output.h"
#include "src/measure/operation.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS_MOST = 10000 };

struct arguments {
    struct data_argument data;
    struct words compare;
    const char *digits, *as, *json, *operation;
    bool verify;
};

/* ---- the command line ---- */

static const struct argp_option options[] = {
    {"operation", TEXT_KEY(operation), "OPERATION", 0,
     "What is computed: sum, dot, sumsq, norm2 (default: of two vectors, A::B, dot, else sum)", 0},
    {"digits", TEXT_KEY(digits), "N", 0, "Significant decimal digits of the exact sum (default 20)", 0},
    {"compare", WORD_KEY(compare), "VALUE", 0,
     "Print how far VALUE is from the exact sum; a number like 0.1, 0x1.8p+3 or inf; repeatable", 0},
    {"as", TEXT_KEY(as), "FORMAT", 0,
     "Format of each VALUE: binary64, binary32, binary16, bfloat16, e4m3 or e5m2 (default: the data's; of fp8, "
     "binary32)",
     0},
    {"verify-reference", FLAG_KEY(verify), NULL, 0,
     "Add every number with mpfr_add as well and compare, about 100 times as slow (exit 3 if they differ)", 0},
    {"json", TEXT_KEY(json), "FILE", 0, "Write one JSON object (schema ulpscope-exact/1) there; - for stdout", 0},
    {"jobs", JOBS_KEY, "N", 0, "Threads that add generated data (default: one per core)", 0},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = command_take_with_plugins,
    .children = data_parsers,
    .args_doc = "FILE|SPEC|-",
    .doc =
        "Prints the exact sum of a data set, or the exact dot product of two vectors, and its correct rounding to each "
        "format.\n\n"
        "Examples:\n"
        "  ulpscope exact x.npy --digits 40\n"
        "  ulpscope exact x.npy --compare 1234.5678     how wrong is this?\n"
        "  ulpscope exact co2.csv:column=2 --nonfinite skip\n"
        "  ulpscope exact x.npy:convert=bfloat16        of the rounded numbers\n"
        "  ulpscope exact gensum:n=4096,cond=1e8 --json -\n"
        "  ulpscope exact x.npy::y.npy                  of their products\n"
        "  seq 100 | ulpscope exact -                   one number per line\v"
        "Text, decimal or hex, is rounded once to binary32, or to --format; the sum of those numbers is exact.  "
        "A .npy says what it holds.  A file is read in pieces, so that it may be larger than memory, and once more for "
        "its SHA-256; the standard input is read once and has none.  docs/exact.md explains every line.\n\n"
        "Exit: 0 fine, however far VALUE is; 2 usage or bad file; 3 not measured (out of memory, disk full, the "
        "verification found a difference).",
};

/* ---- the sum ---- */

/* The consumer of the numbers. */
struct summing {
    struct exact_how how;
    struct exact_stream *stream;
    const struct words *compare;
    const struct format *compare_as; /* NULL: as the data */
    struct comparison comparisons[WORDS_MOST];
};

/* Of fp8 most results are of binary32. */
static const struct format *result_format(const struct format *data)
{
    return data->bytes > 1 ? data : &FORMAT_BINARY32;
}

static enum status read_comparisons(struct summing *summing, const struct format *format)
{
    for (size_t i = 0; i < summing->compare->count; i++)
        TRY(comparison_read(summing->compare->word[i],
                            summing->compare_as ? summing->compare_as : result_format(format),
                            &summing->comparisons[i]));
    return OK;
}

/* Now the format is known, and a value that is none is refused before the sum of a large file. */
static enum status start(void *context, const struct format *format, uint64_t most)
{
    struct summing *summing = context;
    (void)most;
    TRY(read_comparisons(summing, format));
    return exact_stream_new(format, summing->how, &summing->stream);
}

static enum status take(void *context, const void *x, uint64_t n)
{
    struct summing *summing = context;
    return exact_stream_add(summing->stream, x, n);
}

static enum status sum(const struct chosen_data *chosen, struct summing *summing, struct exact_sum *exact,
                       struct dataset *about)
{
    const struct consumer consumer = {start, take, summing};
    TRY(data_spec_set_kind(chosen->spec, ONE_VECTOR, "exact"));
    const enum status status = dataset_stream(chosen->spec, chosen->seed, chosen->trial, &consumer, about);
    if (status == OK)
        return exact_stream_end(summing->stream, exact);
    exact_stream_free(summing->stream);
    return status;
}

/* Of products, which need both vectors at once. */
static enum status sum_of_products(const struct chosen_data *chosen, enum operation operation, struct summing *summing,
                                   struct exact_sum *exact, struct dataset *about)
{
    const enum data_kind kind = operation_table[operation].vectors == 2 ? TWO_VECTORS : ONE_VECTOR;
    struct dataset data;
    TRY(data_spec_set_kind(chosen->spec, kind, "exact"));
    TRY(dataset_make(chosen->spec, chosen->seed, chosen->trial, &data));
    enum status status = read_comparisons(summing, data.format);
    if (status == OK)
        status = operation_exact(operation, &data, summing->how, exact);
    about->left_out = data.left_out;
    about->conversion = data.conversion;
    dataset_free(&data);
    return status;
}

static enum status read_operation(const char *word, const struct data_spec *spec, enum operation *operation)
{
    *operation = word ? operation_named(word) : spec->second ? OPERATION_dot : OPERATION_sum;
    if (*operation < VECTOR_OPERATIONS)
        return OK;
    complain("--operation: \"%s\" is unknown here; expected sum, dot, sumsq or norm2; see `ulpscope list operations`",
             word);
    return BAD_INPUT;
}

/* ---- the answer ---- */

static enum status read_format(const char *name, const struct format **format)
{
    const struct format *named = name ? format_named(name) : *format;
    *format = named;
    if (named || !name)
        return OK;
    complain("--as: \"%s\" is unknown; expected binary64, binary32, binary16, bfloat16, e4m3 or e5m2; name what your "
             "program added in",
             name);
    return BAD_INPUT;
}

/* Of a rounded root no more than it is sure of: log10(2) digits for a bit.  (Not the macro of that name, which makes
 * gcc's sanitizers see a number of 8 bytes.) */
static int digits_known(const struct exact_sum *exact, int digits)
{
    const int known = (int)((double)(mpfr_get_prec)(exact->sum) * 0.30102) - 1;
    return exact->is_rounded && digits > known ? known : digits;
}

static enum status print(const struct arguments *arguments, const struct chosen_data *chosen, struct answer *answer,
                         int digits)
{
    enum status status = OK;
    answer->hex = exact_hex(answer->exact->sum);
    answer->decimal = exact_decimal(answer->exact->sum, digits_known(answer->exact, digits));
    answer->sum_abs = exact_hex(answer->exact->sum_abs);
    if (chosen->spec->path && strcmp(chosen->spec->path, "-") != 0)
        TRY_DONE(file_hash(chosen->spec->path, answer->sha256));
    if (chosen->spec->second && chosen->spec->second->path)
        TRY_DONE(file_hash(chosen->spec->second->path, answer->second_sha256));
    if (arguments->json)
        TRY_DONE(exact_write_json(answer, arguments->json));
    if (!arguments->json || strcmp(arguments->json, "-") != 0)
        exact_print(answer);
done:
    free(answer->hex);
    free(answer->decimal);
    free(answer->sum_abs);
    return status;
}

static enum status answer_with(const struct arguments *arguments, struct chosen_data *chosen, int digits)
{
    struct summing summing = {.how.verify = arguments->verify, .compare = &arguments->compare};
    struct exact_sum exact;
    struct answer answer = {.exact = &exact,
                            .verified = arguments->verify,
                            .comparisons = summing.comparisons,
                            .comparison_count = arguments->compare.count};
    TRY(command_read_jobs(&arguments->data.globals->config, &summing.how.workers));
    TRY(read_format(arguments->as, &summing.compare_as));
    TRY(read_operation(arguments->operation, chosen->spec, &answer.operation));
    if (answer.operation == OPERATION_sum)
        TRY(sum(chosen, &summing, &exact, &answer.about));
    else
        TRY(sum_of_products(chosen, answer.operation, &summing, &exact, &answer.about));
    for (size_t i = 0; i < answer.comparison_count; i++)
        comparison_judge(&exact, &summing.comparisons[i]);
    const enum status status = print(arguments, chosen, &answer, digits);
    exact_free(&exact);
    return status;
}

enum status command_exact(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.data = {.globals = globals, .takes_stdin = true, .takes_two_vectors = true}};
    struct chosen_data chosen;
    uint64_t digits = 20;
    TRY(command_parse(&parser, argc, argv, &arguments));
    if (arguments.digits)
        TRY(command_read_count(arguments.digits, "--digits", 1, DIGITS_MOST, &digits));
    if (arguments.json)
        TRY(output_check("--json", arguments.json));
    TRY(data_argument_read(&arguments.data, "exact", &chosen));
    const enum status status = answer_with(&arguments, &chosen, (int)digits);
    chosen_data_free(&chosen);
    return status;
}
