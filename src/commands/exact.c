/* ulpscope exact: the exact and the correctly rounded sum of a data set, and how far values are from it. */
#include "data_arguments.h"
#include "datasets/files/file.h"
#include "exact_answer.h"
#include "reference/rounding.h"
#include "src/base/note.h"
#include "src/base/suggest.h"
#include "src/files/output.h"
#include "src/measure/operation.h"
#include "src/study/study.h"

/* Numbers of a text for `ulpscope exact`.  They are added as they are written and, at the same time, as numbers of
 * binary64 and of binary32; which of the three is the answer is known at the end:
 *
 *   0x1p+0, 0x1.8p-149     binary32: hexadecimal floats that it has, as `gen` writes them
 *   0.1, 16777217          binary64, as most programs read decimals; what it makes of 0.1 is said
 *   9007199254740993       as it is written: an integer that binary64 does not have
 */

struct texts {
    bool as_written;             /* was asked for; after texts_end(), whether it is the answer */
    struct storage stored;       /* in all formats, binary64 and binary32 first; of no text n is 0 */
    struct exact_stream *narrow; /* of the numbers as binary32 has them; those of binary64 are the caller's */
};

static void texts_begin(struct texts *texts, bool as_written)
{
    texts->as_written = as_written;
    texts->stored.format_count = as_written ? STORED_FORMAT_COUNT : 2;
    for (size_t i = 0; i < texts->stored.format_count; i++)
        texts->stored.formats[i].format = NUMBER_FORMATS[i];
}

/* Numbers of binary64 as they come. */
static enum status texts_take(struct texts *texts, struct exact_how how, const double *x, uint64_t n)
{
    float narrow[1 << 12];
    if (texts->stored.formats[1].changed > 0)
        return OK;
    if (!texts->narrow)
        TRY(exact_stream_new(&FORMAT_BINARY32, how, &texts->narrow));
    for (uint64_t i = 0, count; i < n; i += count) {
        for (count = 0; count < sizeof narrow / sizeof *narrow && i + count < n; count++)
            narrow[count] = (float)x[i + count];
        TRY(exact_stream_add(texts->narrow, narrow, count));
    }
    return OK;
}

static void texts_free(struct texts *texts)
{
    exact_stream_free(texts->narrow);
    storage_free(&texts->stored);
}

/* ---- the answer of a text ---- */

/* Exponents and the counts of special numbers are those of formats: none are here but -0. */
static void sum_as_written(const struct storage *stored, int digits, struct exact_sum *exact)
{
    const mpfr_prec_t bits = 2 * FORMAT_BINARY64.precision + 64 + digits * 10 / 3; /* a digit has 3.33 */
    mpq_t sum, magnitudes;
    mpq_inits(sum, magnitudes, NULL);
    written_total(&stored->sum, sum);
    written_total(&stored->magnitudes, magnitudes);
    *exact = (struct exact_sum){
        .format = &FORMAT_BINARY64, .n = stored->n, .kind = EXACT_FINITE, .least_exponent = 1, .largest_exponent = 0};
    mpfr_inits2(bits, exact->sum, exact->sum_abs, NULL);
    exact->is_rounded = written_to_odd(sum, bits, exact->sum);
    exact->negative_zeros = stored->negative_zeros;
    if (stored->negative_zeros == stored->n)
        mpfr_neg(exact->sum, exact->sum, MPFR_RNDN);
    exact->sum_abs_is_rounded = written_to_odd(magnitudes, bits, exact->sum_abs);
    exact->condition = mpq_sgn(magnitudes) == 0 ? 1 : fabs(written_to_double(magnitudes, sum, MPFR_RNDN));
    exact->nearest = exact_round(exact->sum, exact->format);
    exact->ulp = exact_ulp(exact->sum, exact->format);
    exact->abs_above = fabs(mpfr_get_d(exact->sum, MPFR_RNDA));
    exact->sum_abs_above = mpfr_get_d(exact->sum_abs, MPFR_RNDU);
    mpq_clears(sum, magnitudes, NULL);
}

/* *exact, to so many digits: of those, of binary32 or of what is written.  Frees `wide`, the stream of those. */
static enum status texts_end(struct texts *texts, const char *path, int digits, struct exact_stream *wide,
                             struct exact_sum *exact)
{
    const struct storage *stored = &texts->stored;
    const uint64_t lacking = stored->formats[0].integers + stored->formats[0].overflowed;
    TRY(exact_stream_end(wide, exact));
    const bool has_words = exact->n > stored->n; /* nan and inf, of which --nonfinite ieee makes sums that are none */
    if (stored->n == 0 || (!texts->as_written && (lacking == 0 || has_words) &&
                           (stored->formats[1].changed > 0 || stored->hexadecimal < stored->n))) {
        storage_say(path, stored, &stored->formats[0]);
        return OK;
    }
    exact_free(exact);
    if (!texts->as_written && lacking == 0) {
        struct exact_stream *narrow = texts->narrow;
        texts->narrow = NULL;
        return exact_stream_end(narrow, exact);
    }
    if (!texts->as_written)
        note_once("%s: added as written, since %" PRIu64 " of its %" PRIu64
                  " numbers, integers or too large, cannot be represented in binary64",
                  path, lacking, stored->n);
    texts->as_written = true;
    sum_as_written(stored, digits, exact);
    return OK;
}

/* "3.0e-01", to so many digits, of a sum that is rounded in binary; 0: "3/10".  Allocated. */
static char *texts_total(const struct storage *stored, int digits)
{
    mpq_t sum;
    mpq_init(sum);
    written_total(&stored->sum, sum);
    char *text = digits > 0 ? written_decimal(sum, digits) : mpq_get_str(NULL, 10, sum);
    mpq_clear(sum);
    return text;
}

/* ---- a value beside it ---- */

/* Errors of the sum itself, which exact->sum may be rounded from; each is rounded once, up.  What is undefined stays
 * so. */
static void measure(const struct storage *stored, const struct exact_sum *exact, struct comparison *comparison)
{
    mpq_t error, by;
    mpfr_t ulp;
    mpq_inits(error, by, NULL);
    mpfr_init2(ulp, MPFR_PREC_MIN);
    written_total(&stored->sum, by);
    mpq_set_d(error, comparison->value);
    mpq_sub(error, error, by);
    mpq_abs(error, error);
    mpq_abs(by, by);
    comparison->metrics[METRIC_abs_error] = written_to_double(error, NULL, MPFR_RNDU);
    if (mpq_sgn(by) != 0)
        comparison->metrics[METRIC_relative_error] = written_to_double(error, by, MPFR_RNDU);
    written_total(&stored->magnitudes, by);
    if (mpq_sgn(by) != 0)
        comparison->metrics[METRIC_backward_error] = written_to_double(error, by, MPFR_RNDU);
    exact_set_ulp(ulp, exact->sum, comparison->format);
    mpfr_get_q(by, ulp);
    comparison->metrics[METRIC_ulp_error] = written_to_double(error, by, MPFR_RNDU);
    mpfr_clear(ulp);
    mpq_clears(error, by, NULL);
}

/* The errors of a value, rounded once; and which part is storage, which addition, where its format is one of these.
 * value - exact = (stored - exact) + (value - stored), and stored is exact - moved. */
static void texts_compare(const struct storage *stored, const struct exact_sum *exact, struct comparison *comparison)
{
    const struct stored_in *in = stored->formats, *const end = in + stored->format_count;
    mpq_t moved, rest, value;
    if (isfinite(comparison->value))
        measure(stored, exact, comparison);
    while (in < end && strcmp(in->format->name, comparison->format->name) != 0)
        in++;
    comparison->has_parts = in < end && in->overflowed == 0 && isfinite(comparison->value);
    if (!comparison->has_parts)
        return;
    mpq_inits(moved, rest, value, NULL);
    written_total(&in->moved, moved);
    written_total(&stored->sum, rest);
    mpq_set_d(value, comparison->value);
    mpq_sub(rest, moved, rest);
    mpq_add(rest, rest, value);
    comparison->storage = -written_to_double(moved, NULL, MPFR_RNDA);
    comparison->addition = written_to_double(rest, NULL, MPFR_RNDA);
    mpq_clears(moved, rest, value, NULL);
}

enum { DIGITS_MOST = 10000 };

struct arguments {
    struct data_argument data;
    struct words compare;
    const char *digits, *as, *json, *operation, *output, *top;
    bool verify, as_written;
};

static const struct argp_option options[] = {
    {"operation", TEXT_KEY(operation), "OPERATION", 0,
     "What is computed: sum, dot, sumsq, norm2, mean, mean_square, rms, variance, sample_variance, std, sample_std, "
     "mean_weighted, cosine, logsumexp or cross_entropy; with a result for each number softmax, log_softmax, scan, "
     "rolling, layer_norm or rms_norm (default: of two vectors, A::B, dot, else sum)",
     0},
    {"top", TEXT_KEY(top), "K", 0, "Print this many results of an operation with one for each number (default 10)", 0},
    {"digits", TEXT_KEY(digits), "N", 0, "Significant decimal digits of the exact sum (default 20)", 0},
    {"compare", WORD_KEY(compare), "VALUE", 0,
     "Print how far VALUE is from the exact sum; a number like 0.1, 0x1.8p+3 or inf; repeatable", 0},
    {"as", TEXT_KEY(as), "FORMAT", 0,
     "Format of each VALUE: binary64, binary32, binary16, bfloat16, e4m3, e5m2 or tf32 (default: the data's; "
     "of fp8 and tf32, binary32)",
     0},
    {"output", TEXT_KEY(output), "FILE", 0,
     "Write all results along an axis of an array there, each rounded once to --as, as an array of the other axes; of "
     "an operation with a result for each number in the shape of the data; - for stdout",
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
        "Prints the exact sum of a data set, the exact dot product of two vectors, or an exact mean, variance or other "
        "--operation, and its correct rounding to each format.\n\n"
        "Examples:\n"
        "  ulpscope exact x.npy --digits 40\n"
        "  ulpscope exact x.npy --compare 1234.5678     how wrong is this?\n"
        "  ulpscope exact co2.csv:column=2 --nonfinite skip\n"
        "  ulpscope exact x.npy:convert=bfloat16        of the rounded numbers\n"
        "  ulpscope exact x.txt --as-written            of what the text says\n"
        "  ulpscope exact gensum:n=4096,cond=1e8 --json -\n"
        "  ulpscope exact x.npy::y.npy                  of their products\n"
        "  ulpscope exact x.npy --operation variance\n"
        "  ulpscope exact x.npy:axis=0 --operation mean --output y.npy\n"
        "  ulpscope exact x.npy --operation softmax --top 3\n"
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

/* Of fp8 and TF32 most results are of binary32. */
static const struct format *result_format(const struct format *data)
{
    return sum_format_of(data, NULL)->result;
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
    if (status == OK)
        return end(digits, summing, exact);
    exact_stream_free(summing->stream);
    return status;
}

/* Of products, which need both vectors at once. */
static enum status sum_of_products(const struct chosen_data *chosen, enum operation operation, struct summing *summing,
                                   struct exact_sum *exact, struct dataset *about)
{
    struct dataset data;
    TRY(data_spec_set_kind(chosen->spec, operation_data_kind(operation), "exact"));
    TRY(dataset_make(chosen->spec, chosen->seed, chosen->trial, &data));
    enum status status = read_comparisons(summing, data.format);
    if (status == OK)
        status = operation_exact(operation, &data, summing->how, exact);
    about->left_out = data.left_out;
    about->conversion = data.conversion;
    dataset_free(&data);
    return status;
}

/* A quantity, "variance", is any row of it: all have one exact value. */
static enum operation operation_of_quantity(const char *word)
{
    const size_t length = strlen(word);
    int operation = (int)operation_named(word);
    for (int o = FIRST_STATISTIC; operation == OPERATIONS && o < VECTOR_OPERATIONS; o++)
        if (strncmp(operation_table[o].id, word, length) == 0 && operation_table[o].id[length] == '.')
            operation = o;
    return (enum operation)operation;
}

static enum status read_operation(const char *word, const struct data_spec *spec, struct answer *answer)
{
    answer->operation = word ? operation_of_quantity(word) : spec->second ? OPERATION_dot : OPERATION_sum;
    answer->word = word ? word : operation_table[answer->operation].id;
    if (answer->operation < VECTOR_OPERATIONS)
        return OK;
    return bad_input("--operation: \"%s\" is unknown here; expected sum, dot, sumsq, norm2, mean, mean_square, rms, "
                     "variance, sample_variance, std, sample_std, mean_weighted, cosine, logsumexp, cross_entropy, "
                     "softmax, log_softmax, scan, rolling, layer_norm or rms_norm; choose one",
                     word);
}

static enum status read_format(const char *name, const struct format **format)
{
    const struct format *named = name ? format_named(name) : *format;
    *format = named;
    return named || !name ? OK : refuse_unknown_format("--as", "format", name);
}

static enum status hash_files(const struct data_spec *spec, struct answer *answer)
{
    if (spec->path && strcmp(spec->path, "-") != 0)
        TRY(file_hash(spec->path, answer->sha256));
    return spec->second && spec->second->path ? file_hash(spec->second->path, answer->second_sha256) : OK;
}

static enum status print(const struct arguments *arguments, const struct chosen_data *chosen, struct answer *answer,
                         int digits)
{
    answer->hex = exact_hex(answer->exact->sum);
    answer->decimal = answer->stored && answer->exact->is_rounded
                          ? texts_total(answer->stored, digits)
                          : exact_decimal(answer->exact->sum, exact_digits_known(answer->exact, digits));
    answer->sum_abs = exact_hex(answer->exact->sum_abs);
    TRY(hash_files(chosen->spec, answer));
    if (arguments->json)
        TRY(exact_write_json(answer, arguments->json));
    if (!arguments->json || strcmp(arguments->json, "-") != 0)
        exact_print(answer);
    return OK;
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
    return bad_input(
        "--as-written: expected the sum of a file of text, without a format, --nonfinite ieee or "
        "--verify-reference, which are of numbers that were rounded; found %s; leave that or --as-written out",
        found);
}

/* --output: nothing else is asked of all results. */
static enum status write_axis(const struct arguments *arguments, const struct chosen_data *chosen)
{
    struct answer answer;
    const struct format *as = NULL;
    unsigned workers = 1;
    if (arguments->compare.count > 0 || arguments->digits || arguments->json || arguments->as_written ||
        arguments->verify || arguments->top || (arguments->data.trial && data_spec_has_sums(chosen->spec)))
        return bad_input("--output: found a flag that is of one result, and --output writes all; expected --operation, "
                         "--as and those of data beside it; leave the other out");
    TRY(file_check_ending(arguments->output));
    TRY(command_read_jobs(&arguments->data.globals->config, &workers));
    TRY(read_format(arguments->as, &as));
    TRY(read_operation(arguments->operation, chosen->spec, &answer));
    return exact_write_axis(chosen, answer.operation, as, workers, arguments->output);
}

/* Which of the results along an axis it was. */
static enum status say_which(const struct chosen_data *chosen)
{
    struct file_sums sums;
    if (!data_spec_has_sums(chosen->spec))
        return OK;
    TRY(data_spec_sums(chosen->spec, &sums));
    OWNED char *index = file_sums_index(sums.shape, chosen->trial);
    note_once("%s: result %s of %" PRIu64 " along its axis; --trial K is another, --output FILE writes all",
              chosen->spec->text, index, sums.count);
    return OK;
}

/* Data are made. */
static enum status print_row(const struct chosen_data *chosen, struct exact_how how, const struct format *as,
                             int digits, uint64_t top, const struct dataset *data, struct answer *answer)
{
    FREED_BY(exact_free) struct exact_sum numbers = {0};
    struct exact_row *row = NULL;
    TRY(exact_sum_how(data->format, how, data->x, data->n, &numbers));
    answer->exact = &numbers;
    TRY(hash_files(chosen->spec, answer));
    TRY(operation_exact_row(answer->operation, data, how, &row));
    const enum status status = exact_print_row(answer, row, as ? as : result_format(data->format), digits, top);
    exact_row_free(row);
    return status;
}

/* An operation with a result for each number. */
static enum status answer_each(const struct arguments *arguments, struct chosen_data *chosen, struct exact_how how,
                               const struct format *as, int digits, struct answer *answer)
{
    uint64_t top = 10;
    TRY(command_read_count(arguments->top, "--top", 1, UINT32_MAX, &top));
    if (arguments->compare.count > 0 || arguments->json || arguments->as_written || arguments->verify)
        return bad_input("--operation: %s gives a result for each number, and found a flag that is of one result; "
                         "expected --top, --digits, --as, --output and those of data beside it; leave the other out",
                         answer->word);
    struct dataset data;
    TRY(data_spec_set_kind(chosen->spec, operation_data_kind(answer->operation), "exact"));
    TRY(dataset_make(chosen->spec, chosen->seed, chosen->trial, &data));
    answer->about.left_out = data.left_out;
    answer->about.conversion = data.conversion;
    enum status status = say_which(chosen);
    if (status == OK)
        status = print_row(chosen, how, as, digits, top, &data, answer);
    dataset_free(&data);
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
    TRY(read_operation(arguments->operation, chosen->spec, &answer));
    if (operation_is_per_number(answer.operation))
        return answer_each(arguments, chosen, summing.how, summing.compare_as, digits, &answer);
    if (arguments->top)
        return bad_input("--top: %s has one result; expected an operation with one for each number, such as softmax; "
                         "leave --top out",
                         answer.word);
    TRY(check_as_written(arguments, chosen->spec, answer.operation));
    texts_begin(&summing.texts, arguments->as_written);
    enum status status = answer.operation == OPERATION_sum
                             ? sum(chosen, digits, &summing, &exact, &answer.about)
                             : sum_of_products(chosen, answer.operation, &summing, &exact, &answer.about);
    if (status == OK)
        status = say_which(chosen);
    if (status == OK) {
        answer.stored = summing.texts.as_written ? &summing.texts.stored : NULL;
        answer.fraction = answer.stored ? texts_total(answer.stored, 0) : NULL;
        for (size_t i = 0; i < answer.comparison_count; i++)
            comparison_judge(&exact, &summing.comparisons[i]);
        for (size_t i = 0; answer.stored && i < answer.comparison_count; i++)
            texts_compare(answer.stored, &exact, &summing.comparisons[i]);
        status = print(arguments, chosen, &answer, digits);
        exact_free(&exact);
    }
    free_all(answer.fraction, answer.hex, answer.decimal, answer.sum_abs);
    texts_free(&summing.texts);
    return status;
}

enum status command_exact(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.data = {.globals = globals, .takes_stdin = true, .takes_two_vectors = true}};
    FREED_BY(chosen_data_free) struct chosen_data chosen = {0};
    uint64_t digits = 20;
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(command_read_count(arguments.digits, "--digits", 1, DIGITS_MOST, &digits));
    TRY(output_check("--json", arguments.json));
    TRY(output_check("--output", arguments.output));
    TRY(data_argument_read(&arguments.data, "exact", &chosen));
    return arguments.output ? write_axis(&arguments, &chosen) : answer_with(&arguments, &chosen, (int)digits);
}
