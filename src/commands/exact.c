/* ulpscope exact: the exact and the correctly rounded sum of a data set, and how far values are from it. */
#include "data_arguments.h"
#include "datasets/files/file.h"
#include "exact_written.h"
#include "src/base/format.h"
#include "src/base/note.h"
#include "src/files/output.h"
#include "src/measure/operation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MOST = 10000 };

struct arguments {
    struct data_argument data;
    struct words compare;
    const char *digits, *as, *json, *operation;
    bool verify, as_written;
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
    {"as-written", FLAG_KEY(as_written), NULL, 0,
     "Add the numbers of a text as it says them, fractions like 1/3 too, and say what storing them in each format "
     "costs",
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
        "  ulpscope exact x.txt --as-written            of what the text says\n"
        "  ulpscope exact gensum:n=4096,cond=1e8 --json -\n"
        "  ulpscope exact x.npy::y.npy                  of their products\n"
        "  seq 100 | ulpscope exact -                   one number per line\v"
        "Text is rounded once to --format; without it hex-floats of binary32 are of binary32, all other numbers of "
        "binary64, and with an integer beyond that all are added as written.  "
        "A .npy says what it holds.  A file is read in pieces, so that it may be larger than memory, and once more for "
        "its SHA-256; the standard input is read once and has none.  docs/exact.md explains every line.\n\n"
        "Exit: 0 fine, however far VALUE is; 2 usage or bad file; 3 not measured (out of memory, disk full, the "
        "verification found a difference).",
};

/* ---- the sum ---- */

/* The consumer of the numbers. */
struct summing {
    struct exact_how how;
    const char *path; /* as it is named in a complaint */
    struct exact_stream *stream;
    const struct words *compare;
    const struct format *compare_as; /* NULL: as the data */
    struct texts texts;
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
                            summing->texts.as_written, &summing->comparisons[i]));
    return OK;
}

/* Now the format is known, and a value that is none is refused before the sum of a large file.  Of a text nobody knows
 * how many numbers come. */
static enum status start(void *context, const struct format *format, uint64_t most)
{
    struct summing *summing = context;
    if (summing->texts.as_written && most > 0)
        return bad_input("--as-written: found %s, which is no text; expected one; leave it out", summing->path);
    TRY(read_comparisons(summing, format));
    return exact_stream_new(format, summing->how, &summing->stream);
}

static enum status take(void *context, const void *x, uint64_t n)
{
    struct summing *summing = context;
    if (summing->texts.stored.n > 0)
        TRY(texts_take(&summing->texts, summing->how, x, n));
    return exact_stream_add(summing->stream, x, n);
}

/* Frees the stream. */
static enum status end(int digits, struct summing *summing, struct exact_sum *exact)
{
    TRY(texts_end(&summing->texts, summing->path, digits, summing->stream, exact));
    const enum status status = read_comparisons(summing, exact->format); /* of binary32, maybe */
    if (status != OK)
        exact_free(exact);
    return status;
}

/* A file without a format may be text; its exact sum is that of any order. */
static enum status sum(const struct chosen_data *chosen, int digits, struct summing *summing, struct exact_sum *exact,
                       struct dataset *about)
{
    const struct data_spec *spec = chosen->spec;
    const bool is_file = spec->path && !spec->options.format && !spec->options.convert && !data_spec_has_sums(spec);
    const struct consumer consumer = {start, take, summing, is_file ? &summing->texts.stored : NULL};
    summing->path = strcmp(spec->text, "-") == 0 ? "standard input" : spec->text;
    TRY(data_spec_set_kind(chosen->spec, ONE_VECTOR, "exact"));
    const enum status status = is_file ? file_stream(spec->path, &spec->options, &consumer, about)
                                       : dataset_stream(spec, chosen->seed, chosen->trial, &consumer, about);
    if (status == OK && data_spec_has_sums(chosen->spec))
        note_once("%s: one sum along its axis, number %" PRIu64 " from 0; --trial K is another", chosen->spec->text,
                  chosen->trial);
    if (status == OK)
        return end(digits, summing, exact);
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
    answer->decimal = answer->stored && answer->exact->is_rounded
                          ? texts_decimal(answer->stored, digits)
                          : exact_decimal(answer->exact->sum, digits_known(answer->exact, digits));
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

static enum status check_as_written(const struct arguments *arguments, const struct data_spec *spec,
                                    enum operation operation)
{
    const struct file_options *file = &spec->options;
    const char *found = !spec->path                         ? spec->text
                        : spec->second                      ? "two vectors"
                        : operation != OPERATION_sum        ? arguments->operation
                        : file->convert || file->format     ? "a format"
                        : file->nonfinite == NONFINITE_IEEE ? "--nonfinite ieee"
                        : arguments->verify                 ? "--verify-reference"
                                                            : NULL;
    if (!arguments->as_written || !found)
        return OK;
    complain("--as-written: expected the sum of a file of text, without a format, --nonfinite ieee or "
             "--verify-reference, which are of numbers that were rounded; found %s; leave that or --as-written out",
             found);
    return BAD_INPUT;
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
    TRY(check_as_written(arguments, chosen->spec, answer.operation));
    texts_begin(&summing.texts, arguments->as_written);
    enum status status = answer.operation == OPERATION_sum
                             ? sum(chosen, digits, &summing, &exact, &answer.about)
                             : sum_of_products(chosen, answer.operation, &summing, &exact, &answer.about);
    if (status == OK) {
        answer.stored = summing.texts.as_written ? &summing.texts.stored : NULL;
        answer.fraction = answer.stored ? texts_fraction(answer.stored) : NULL;
        for (size_t i = 0; i < answer.comparison_count; i++)
            comparison_judge(&exact, &summing.comparisons[i]);
        for (size_t i = 0; answer.stored && i < answer.comparison_count; i++)
            texts_compare(answer.stored, &exact, &summing.comparisons[i]);
        status = print(arguments, chosen, &answer, digits);
        exact_free(&exact);
    }
    free(answer.fraction);
    texts_free(&summing.texts);
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
