/* ulpscope grade: is a matrix product what it says it is? */
#include "src/grade/grade.h"
#include "names.h"
#include "plugin_arguments.h"
#include "src/device/device.h"
#include "src/files/output.h"
#include "src/grade/arithmetic_page.h"
#include "src/grade/grade_method.h"

struct arguments {
    struct globals *globals;
    const char *size_most, *samples, *json;
    bool explain, arithmetic;
};

static const struct argp_option options[] = {
    {"size-most", TEXT_KEY(size_most), "N", 0, "Sizes: 16, 32, 64, ... up to N, at most 4096 (default 256)", 0},
    {"samples", TEXT_KEY(samples), "K", 0, "Matrices of each kind and size (default 4)", 0},
    {"arithmetic", FLAG_KEY(arithmetic), NULL, 0,
     "Find out what it was computed in, of sums of N/2 and N products (--size-most, a power of two; default 1024)", 0},
    {"explain", FLAG_KEY(explain), NULL, 0, "Only say what the matrices are", 0},
    {"seed", SETTING_KEY + SETTING_SEED, "S", 0, "Seed of the matrices (default 1)", 0},
    {"device", SETTING_KEY + SETTING_DEVICE, "auto|host|cuda:N", 0, "Where (default auto: a GPU if there is one)", 0},
    {"json", TEXT_KEY(json), "FILE", 0,
     "Write one JSON object (schema ulpscope-grade/1, ulpscope-arithmetic/1) there; - for stdout", 0},
    {"jobs", JOBS_KEY, "N", 0, "Threads (default: one per core); the answer does not depend on them", 0},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = command_take_with_plugins,
    .children = plugin_parsers,
    .args_doc = "METHOD",
    .doc = "Finds out how a matrix product is computed and whether it deserves grade A, with matrices made for that; "
           "every element is compared with the exact one.\n\n"
           "Examples:\n"
           "  ulpscope grade matmul:plain/tile_16              three loops, in tiles\n"
           "  ulpscope grade matmul:cublas/gemm_tf32           one of cuBLAS, on a GPU\n"
           "  ulpscope grade matmul:hopper_wgmma/chain@e4m3    a tensor core's bits\n"
           "  ulpscope grade matmul:plain/naive --arithmetic     blocks, bits, promotion\n"
           "  ulpscope grade --explain                         what the matrices are\v"
           "METHOD is a matrix product "
           "(docs/matmul.md): its kernel where there is a GPU, else its replay.  docs/matmul.md says what each test "
           "proves.\n\n"
           "Exit: 0 every test that tells something is passed, or a model has all bits; 1 one failed, or no model is "
           "known; 2 usage; 3 not measured (out of memory); "
           "4 no such device, or METHOD needs one.",
};

static void explain(void)
{
    for (int t = 0; t < GRADE_TESTS; t++) {
        printf("%s%s\n", t ? "\n" : "", grade_families[t]->id);
        card_matrices(stdout, grade_families[t]);
    }
}

static enum status answer(const struct grade_request *request, struct graded *graded, const char *json)
{
    struct grade grade;
    TRY(grade_make(request, &grade));
    grade_say_by(graded);
    if (json)
        TRY(grade_write_json(&grade, json));
    if (!output_is_stdout(json))
        grade_print(&grade, report_colour);
    return grade_passed(&grade) ? OK : LIMIT_BROKEN;
}

enum { TILE = 64, TERMS_OF_DEFAULT = 1024 };

struct arithmetic_wish {
    const struct graded *graded;
    unsigned workers;
};

static enum status product_of_tile(const struct asked *asked, uint64_t rows, uint64_t terms, const void *a,
                                   const void *b, void *c, bool adds)
{
    const struct arithmetic_wish *wish = asked->context;
    return grade_product(wish->graded, (struct shape){terms, rows, rows}, wish->workers, a, b, c, adds);
}

static enum status check_arithmetic(const struct graded *graded, uint64_t terms)
{
    const char *why = arithmetic_refusal(graded->formats);
    if (why)
        return bad_input("grade --arithmetic: %s: %s; expected a matrix product whose results have 16 bits or more; "
                         "take one of ulpscope list methods 'matmul:*'",
                         graded->name, why);
    if (terms & (terms - 1))
        return bad_input("grade --arithmetic: --size-most %llu is no power of two; expected one from 16 to 4096; give "
                         "1024",
                         (unsigned long long)terms);
    return OK;
}

static enum status find_arithmetic(const struct grade_request *request, const char *json)
{
    const struct graded *graded = request->graded;
    const struct arithmetic_wish wish = {graded, request->workers};
    const struct asked asked = {graded->formats, product_of_tile, &wish, request->size_most, TILE,
                                request->seed,   graded->adds};
    FREED_BY(arithmetic_free) struct arithmetic_answer found = {0};
    TRY(check_arithmetic(graded, asked.terms));
    TRY(arithmetic_find(&asked, &found));
    if (json)
        TRY(arithmetic_write_json(graded, &found, json));
    if (!output_is_stdout(json))
        arithmetic_print(graded, &found, report_colour);
    return found.failed ? LIMIT_BROKEN : OK;
}

static enum status grade_on_device(const struct arguments *arguments, struct grade_request *request)
{
    struct graded graded = {0};
    struct device *device = NULL;
    const char *source;
    char why[REASON_SIZE];
    TRY(device_open(config_value(&arguments->globals->config, SETTING_DEVICE, &source), &device, why));
    enum status status;
    TRY_DONE(grade_method(arguments->globals->bare.word[0], device, &graded));
    request->graded = &graded;
    TRY_DONE(arguments->arithmetic ? find_arithmetic(request, arguments->json)
                                   : answer(request, &graded, arguments->json));
done:
    free(graded.by);
    device_close(device);
    return status;
}

enum status command_grade(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    struct grade_request request = {.size_most = 256, .samples = 4};
    globals->wanted = (struct bare_wanted){1, "a second method; expected one", NULL};
    TRY(command_parse(&parser, argc, argv, &arguments));
    if (globals->bare.count == 0 && !arguments.explain)
        command_usage("no method; expected one, like matmul:plain/naive");
    if (arguments.arithmetic)
        request.size_most = TERMS_OF_DEFAULT;
    TRY(command_read_count(arguments.size_most, "--size-most", MATRIX_SIZE_LEAST, MATRIX_SIZE_MOST,
                           &request.size_most));
    TRY(command_read_count(arguments.samples, "--samples", 1, GRADE_SAMPLES_MOST, &request.samples));
    TRY(command_read_setting(&globals->config, SETTING_SEED, 0, UINT64_MAX, &request.seed));
    TRY(command_read_jobs(&globals->config, &request.workers));
    if (arguments.explain) {
        explain();
        return OK;
    }
    TRY(output_check("--json", arguments.json));
    return grade_on_device(&arguments, &request);
}
