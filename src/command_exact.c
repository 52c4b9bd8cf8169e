/* ulpscope exact: the exact and the correctly rounded sum of a data set. */
#include "command_data.h"
#include "file_hash.h"
#include "number.h"
#include "output.h"

#include "../reference/exact.h"
#include "../reports/json_builder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key { DIGITS = 256, JSON };
enum { DIGITS_MOST = 10000 };

struct arguments {
    struct data_argument data;
    const char *digits, *json;
};

static const struct argp_option options[] = {
    {"digits", DIGITS, "N", 0, "Significant decimal digits of the exact sum (default 20)", 0},
    {"json", JSON, "FILE", 0, "Write one JSON object (schema ulpscope-exact/1) there; - for stdout", 0},
    {0},
};

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->data;
        return 0;
    case DIGITS:
        arguments->digits = value;
        return 0;
    case JSON:
        arguments->json = value;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&data_argument_parser, 0, NULL, 0}, {0}};

static const struct argp parser = {
    .options = options,
    .parser = parse_key,
    .children = children,
    .args_doc = "FILE|SPEC",
    .doc = "Prints the exact and the correctly rounded sum of a data set.\v"
           "Examples:\n"
           "  ulpscope exact x.npy --digits 40\n"
           "  ulpscope exact co2.csv:column=2 --nonfinite skip\n"
           "  ulpscope exact gensum:n=4096,cond=1e8 --json -\n\n"
           "Decimal text is rounded once to binary32; the sum of those numbers is exact.",
};

/* What is printed, in text or JSON. */
struct answer {
    const struct exact_sum *exact;
    uint64_t left_out; /* elements of the file, by --nonfinite skip */
    char *hex, *decimal, *sum_abs;
    char sha256[FILE_HASH_TEXT]; /* of the file; "" for generated data */
};

static const struct format *const nearest_formats[] = {&FORMAT_BINARY32, &FORMAT_BINARY64};
enum { NEAREST_FORMATS = sizeof nearest_formats / sizeof *nearest_formats };

static void print_text(const struct answer *answer)
{
    const struct exact_sum *exact = answer->exact;
    char number[NUMBER_TEXT];
    printf("exact       %s\n", answer->hex);
    printf("decimal     %s\n", answer->decimal);
    for (size_t i = 0; i < NEAREST_FORMATS; i++) {
        write_hex(exact_round(exact->sum, nearest_formats[i]), number);
        printf("%-11s %s\n", nearest_formats[i]->name, number);
    }
    printf("sum |x|     %s\n", answer->sum_abs);
    write_rounded(exact->condition, number);
    printf("condition   %s\n", number);
    printf("n           %" PRIu64 " of %s", exact->n, exact->format->name);
    if (answer->left_out > 0)
        printf(", %" PRIu64 " nan, inf or missing left out", answer->left_out);
    puts("");
    printf("specials    %" PRIu64 " nan, %" PRIu64 " inf, %" PRIu64 " -inf, %" PRIu64 " -0, %" PRIu64 " subnormal\n",
           exact->nans, exact->positive_infinities, exact->negative_infinities, exact->negative_zeros,
           exact->subnormals);
    if (*answer->sha256)
        printf("file sha256 %s\n", answer->sha256);
}

static json_t *json_nearest(const struct exact_sum *exact)
{
    json_t *nearest = json_object();
    for (size_t i = 0; i < NEAREST_FORMATS; i++)
        json_object_set_new(nearest, nearest_formats[i]->name, json_hex(exact_round(exact->sum, nearest_formats[i])));
    return nearest;
}

static json_t *json_answer(const struct answer *answer)
{
    const struct exact_sum *exact = answer->exact;
    json_t *specials = json_pack("{s:I, s:I, s:I, s:I, s:I}", "nan", (json_int_t)exact->nans, "inf",
                                 (json_int_t)exact->positive_infinities, "-inf", (json_int_t)exact->negative_infinities,
                                 "-0", (json_int_t)exact->negative_zeros, "subnormal", (json_int_t)exact->subnormals);
    json_t *object = json_pack("{s:s, s:I, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "schema", "ulpscope-exact/1", "n",
                               (json_int_t)exact->n, "format", exact->format->name, "exact", answer->hex,
                               "exact_decimal", answer->decimal, "sum_abs", answer->sum_abs, "condition",
                               json_number(exact->condition), "nearest", json_nearest(exact), "specials", specials);
    if (object && answer->left_out > 0)
        json_object_set_new(object, "left_out", json_integer((json_int_t)answer->left_out));
    if (object && *answer->sha256)
        json_object_set_new(object, "sha256", json_string(answer->sha256));
    return object;
}

static enum status write_json(const struct answer *answer, const char *path)
{
    const struct json_builder builder = {false};
    return json_write(&builder, json_answer(answer), 2, path);
}

static enum status answer_with(const struct arguments *arguments, const struct chosen_data *chosen,
                               const struct exact_sum *exact, int digits)
{
    enum status status = OK;
    struct answer answer = {
        .exact = exact,
        .left_out = chosen->data.left_out,
        .hex = exact_hex(exact->sum),
        .decimal = exact_decimal(exact->sum, digits),
        .sum_abs = exact_hex(exact->sum_abs),
    };
    if (!answer.hex || !answer.decimal || !answer.sum_abs)
        TRY_DONE(out_of_memory("the exact sum"));
    if (chosen->spec->path)
        TRY_DONE(file_hash(chosen->spec->path, answer.sha256));
    if (arguments->json)
        TRY_DONE(write_json(&answer, arguments->json));
    if (!arguments->json || strcmp(arguments->json, "-") != 0)
        print_text(&answer);
done:
    free(answer.hex);
    free(answer.decimal);
    free(answer.sum_abs);
    return status;
}

enum status command_exact(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.data.globals = globals};
    struct chosen_data chosen;
    struct exact_sum exact;
    uint64_t digits = 20;
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    if (arguments.digits)
        TRY(command_read_count(arguments.digits, "--digits", 1, DIGITS_MOST, &digits));
    TRY(data_argument_make(&arguments.data, "exact", &chosen));
    enum status status = exact_sum(chosen.data.format, chosen.data.x, chosen.data.n, &exact);
    if (status == OK) {
        status = answer_with(&arguments, &chosen, &exact, (int)digits);
        exact_free(&exact);
    }
    chosen_data_free(&chosen);
    return status;
}
