/* What sums, and sums with a fault, make of random data, or of a file in other orders. */
#include "tolerance.h"

#include "src/gate/parallel.h"
#include "src/measure/operation.h"
#include "src/plugins/plugin.h"

/* Additions take 3 ns of a core, and a fault some ten of them for each number. */
static const uint64_t NUMBERS_OF_TRIALS = 1 << 23, NUMBERS_OF_FAULTS = 1 << 20;
enum { TRIALS_USUAL = 100, TRIALS_OF_MATRICES = 4, ELEMENTS_MOST = 1024, FAULTS_ALL_N = 1 << 21 };

/* With more numbers than FAULTS_ALL_N no others are tried. */
static const char *const first_faults[] = {"zero",        "drop_last",       "double_last", "plain_bfloat16",
                                           "inputs_tf32", "no_compensation", NULL};

struct trying {
    const struct tolerance_request *request;
    struct tolerance_trials *trials;
    size_t each; /* items of a trial */
    enum operation terms;
};

static const struct method *found(enum operation operation, const struct sum_format *formats, const char *accumulator,
                                  const char *order)
{
    char id[REASON_SIZE];
    snprintf(id, sizeof id, "%s/%s", accumulator, order);
    const struct method *const method = method_find(id), *const in_format = method ? method_in(method, formats) : NULL;
    return in_format ? method_of_operation(in_format, operation) : NULL;
}

const struct method *method_in_request(const struct tolerance_request *request, enum operation operation,
                                       const char *accumulator, const char *order)
{
    return found(operation, request->formats, accumulator, order);
}

const struct method *plain_in(const struct tolerance_request *request, enum operation operation, const char *order)
{
    return found(operation, request->formats, "plain", order);
}

static bool is_per_number(const struct tolerance_request *request)
{
    return operation_is_per_number(request->operation);
}

/* A correct one in the order that is asked for.  Of a tree of which the height is known, or parts, one that fits them
 * all: no tree is lower.  Where the launch is none for the order, there is nothing in it. */
static const struct method *correct(const struct tolerance_request *request, enum operation operation,
                                    const struct sum_format *formats, const char *accumulator)
{
    const struct tree_word *const tree = &request->tree;
    const struct method *const method = found(operation, formats, accumulator,
                                              request->method                   ? request->method->order
                                              : tree->kind == TREE_OF_ORDER     ? tree->order
                                              : tree->kind == TREE_OF_ANY_ORDER ? "serial"
                                                                                : "pairwise_1");
    char why[REASON_SIZE];
    return method && method_can_do(method, request->launch, why) ? method
                                                                 : found(operation, formats, accumulator, "serial");
}

static void add_sum(struct tolerance_trials *trials, const struct method *method)
{
    for (size_t i = 0; i < trials->sum_count; i++)
        if (trials->sums[i].method == method)
            return;
    if (method)
        trials->sums[trials->sum_count++].method = method;
}

/* Faults are done to the first of the sums or, where that is plain and cannot have it, to Kahan's behind it, which may
 * lack its compensation.  Of products that are rounded, to sums of these in what is added. */
static void name_faults(struct trying *trying)
{
    const struct tolerance_request *const request = trying->request;
    struct tolerance_trials *const trials = trying->trials;
    const struct sum_format *const formats = request->operation == OPERATION_sum
                                                 ? request->formats
                                                 : sum_format_of(request->formats->added, request->formats->added);
    const bool is_other =
        trying->terms == OPERATION_dot_exact || trying->terms == OPERATION_dot_fma || is_statistic(request->operation);
    const size_t victims = is_other ? 0 : request->method || trials->sum_count < 2 ? 1 : 2;
    size_t count, first;
    const struct fault *const faults = fault_table(&count);
    trials->faults = memory_cleared(count + 1, sizeof *trials->faults);
    for (size_t f = 0; f < count; f++) {
        for (first = 0; first_faults[first] && strcmp(first_faults[first], faults[f].id) != 0;)
            first++;
        for (size_t v = 0; v < victims && (first_faults[first] || request->n <= FAULTS_ALL_N); v++) {
            const struct method *const victim =
                correct(request, OPERATION_sum, formats, trials->sums[v].method->accumulator);
            if (!victim || !faults[f].applies(victim) || (v == 1 && faults[f].broken))
                continue;
            trials->faults[trials->fault_count++] =
                (struct tolerance_summed){.method = victim, .fault = &faults[f], .sound = &trials->sums[v]};
            break;
        }
    }
}

static void name_all(struct trying *trying)
{
    const struct tolerance_request *const request = trying->request;
    struct tolerance_trials *const trials = trying->trials;
    trials->sums = memory_cleared(request->method_count + 4 + OPERATIONS, sizeof *trials->sums);
    add_sum(trials, request->method ? request->method : correct(request, trying->terms, request->formats, "plain"));
    add_sum(trials, correct(request, trying->terms, request->formats, "kahan"));
    name_faults(trying);
    add_sum(trials, plain_in(request, trying->terms, "serial"));
    add_sum(trials, plain_in(request, trying->terms, "pairwise"));
    for (int o = FIRST_STATISTIC; o < VECTOR_OPERATIONS && request->is_family; o++)
        if (operation_table[o].of == operation_table[request->operation].of) {
            const struct method *const serial = plain_in(request, (enum operation)o, "serial");
            add_sum(trials, serial ? serial : plain_in(request, (enum operation)o, "pairwise"));
        }
    for (size_t m = 0; m < request->method_count; m++)
        add_sum(trials, request->methods[m]);
}

struct tolerance_item item_of(const struct exact_sum *exact, const struct format *result)
{
    return (struct tolerance_item){exact->sum_abs_above, exact->condition, exact_round(exact->sum, result),
                                   exact->kind == EXACT_FINITE, exact->moments};
}

/* A fault of elements is one of both factors. */
static double term(const struct dataset *data, const struct fault *fault, const struct format *added, uint64_t i)
{
    double factors[2] = {held_number(data->format, data->x, i),
                         held_number(data->format, data->y ? data->y : data->x, i)};
    for (int k = 0; k < 2 && fault && fault->element; k++)
        factors[k] = rounded_to(fault->element(data->format, factors[k]), data->format);
    return rounded_to(factors[0] * factors[1], added);
}

static enum status break_item(const struct trying *trying, const struct dataset *data, size_t item)
{
    const struct tolerance_request *const request = trying->request;
    const bool is_sum = request->operation == OPERATION_sum;
    const bool is_root = operation_table[request->operation].of == ROOT_OF_SQUARES;
    const struct format *const format = is_sum ? data->format : request->formats->added;
    enum status status = OK;
    bool is_made = is_sum;
    void *const terms = is_sum ? data->x : malloc(data->n * sizeof(double) + 1);
    TRY(terms ? OK : out_of_memory("the terms of a fault"));
    for (size_t f = 0; f < trying->trials->fault_count && status == OK; f++) {
        struct tolerance_summed *const summed = &trying->trials->faults[f];
        const struct fault_call call = {summed->method, operands_of_sum(format, terms, data->n), request->launch};
        const bool is_of_factors = !is_sum && summed->fault->element;
        uint64_t bits = 0;
        for (uint64_t i = 0; i < data->n && (is_of_factors || !is_made); i++)
            held_set(format, terms, i, term(data, summed->fault, format, i));
        is_made = !is_of_factors;
        status = is_of_factors ? method_replay(summed->method, &call.of, request->launch, 1, &bits)
                               : summed->fault->sum(summed->fault, &call, &bits);
        const double sum = format_value(summed->method->format, bits);
        summed->computed[item] = rounded_to(is_root ? sqrt(sum) : sum, request->formats->result);
    }
    free(is_sum ? NULL : terms);
    return status;
}

static enum status sum_item(const struct trying *trying, const struct dataset *data, size_t item)
{
    const struct tolerance_request *const request = trying->request;
    struct tolerance_trials *const trials = trying->trials;
    struct exact_sum exact;
    TRY(operation_exact(trying->terms, data, (struct exact_how){0}, &exact));
    trials->items[item] = item_of(&exact, request->formats->result);
    exact_free(&exact);
    const struct operands operands = operation_operands(trying->terms, data);
    for (size_t m = 0; m < trials->sum_count; m++) {
        const struct method *const method = trials->sums[m].method;
        uint64_t bits;
        if (method->ask)
            continue;
        TRY(method_replay(method, &operands, request->launch, 1, &bits));
        trials->sums[m].computed[item] = format_value(method->format, bits);
    }
    return item < trials->faulted ? break_item(trying, data, item) : OK;
}

/* Which element of the product item number k of a trial is: spread evenly over all of them. */
static uint64_t results_of(const struct tolerance_request *request, const struct dataset *data)
{
    return data->rows > 0 ? data->rows * data->columns : is_per_number(request) ? data->n : 1;
}

static uint64_t place_of(const struct trying *trying, const struct dataset *data, size_t k)
{
    return (uint64_t)((double)results_of(trying->request, data) / (double)trying->each * (double)k);
}

static void free_exact_row(struct exact_row *const *row)
{
    exact_row_free(*row);
}

/* Elements of an operation with a result for each number, from item `first` on, and what methods make of them. */
static enum status trial_of_numbers(const struct trying *trying, const struct dataset *data, size_t first)
{
    const struct tolerance_request *const request = trying->request;
    struct tolerance_trials *const trials = trying->trials;
    const struct operands operands = operation_operands(request->operation, data);
    FREED_BY(free_exact_row) struct exact_row *row = NULL;
    OWNED uint64_t *bits = malloc(data->n * sizeof *bits + 1);
    TRY(bits ? OK : out_of_memory("the results of a norm"));
    TRY(operation_exact_row(request->operation, data, (struct exact_how){0}, &row));
    for (size_t k = 0; k < trying->each; k++) {
        FREED_BY(exact_free) struct exact_sum exact = {0};
        TRY(exact_row_element(row, place_of(trying, data, k), &exact));
        trials->items[first + k] = item_of(&exact, request->formats->result);
    }
    for (size_t m = 0; m < trials->sum_count; m++) {
        const struct method *const method = trials->sums[m].method;
        if (method->ask)
            continue;
        TRY(method_replay(method, &operands, request->launch, 1, bits));
        for (size_t k = 0; k < trying->each; k++)
            trials->sums[m].computed[first + k] = format_value(method->format, bits[place_of(trying, data, k)]);
    }
    return OK;
}

static enum status sum_element(const struct trying *trying, const struct dataset *data, uint64_t place, size_t item)
{
    const size_t bytes = format_held(data->format)->bytes;
    struct dataset element = {
        .format = data->format, .n = data->n, .x = (char *)data->x + place / data->columns * data->n * bytes};
    element.y = malloc(data->n * bytes + 1);
    TRY(element.y ? OK : out_of_memory("a column"));
    for (uint64_t k = 0; k < data->n; k++)
        held_set(data->format, element.y, k,
                 held_number(data->format, data->y, k * data->columns + place % data->columns));
    const enum status status = sum_item(trying, &element, item);
    free(element.y);
    return status;
}

/* The user's methods; one that fails has said so, and has no numbers, like one that takes other lengths. */
static enum status ask_plugins(const struct trying *trying, const struct dataset *data, uint64_t trial)
{
    const struct tolerance_request *const request = trying->request;
    const bool is_matrix = data->rows > 0;
    struct operands operands = operation_operands(request->operation, data);
    OWNED uint64_t *bits = malloc((results_of(request, data) + 1) * sizeof *bits);
    TRY(bits ? OK : out_of_memory("results"));
    if (is_matrix)
        operands.shape = (struct shape){data->n, data->rows, data->columns};
    for (size_t m = 0; m < trying->trials->sum_count; m++) {
        const struct tolerance_summed *const summed = &trying->trials->sums[m];
        if (!summed->method->ask)
            continue;
        const bool is_asked = plugin_takes(summed->method, data->n);
        const enum status status =
            is_asked ? method_compute(summed->method, &operands, request->launch, 1, bits) : NOT_MEASURED;
        for (size_t k = 0; k < trying->each; k++)
            summed->computed[trial * trying->each + k] =
                status == OK ? format_value(summed->method->format, bits[place_of(trying, data, k)]) : (double)NAN;
    }
    return OK;
}

static enum status try_trial(void *context, size_t trial)
{
    const struct trying *const trying = context;
    struct dataset data;
    TRY(dataset_make(trying->request->spec, trying->request->seed, trial, &data));
    enum status status = ask_plugins(trying, &data, trial);
    if (is_per_number(trying->request) && status == OK)
        status = trial_of_numbers(trying, &data, trial * trying->each);
    for (size_t k = 0; k < trying->each && status == OK && !is_per_number(trying->request); k++)
        status = data.rows > 0 ? sum_element(trying, &data, place_of(trying, &data, k), trial * trying->each + k)
                               : sum_item(trying, &data, trial);
    dataset_free(&data);
    return status;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void make_room(struct tolerance_trials *trials)
{
    trials->items = memory_cleared(trials->count + 1, sizeof *trials->items);
    for (size_t i = 0; i < trials->sum_count; i++)
        trials->sums[i].computed = memory_cleared(trials->count + 1, sizeof(double));
    for (size_t i = 0; i < trials->fault_count; i++)
        trials->faults[i].computed = memory_cleared(trials->faulted + 1, sizeof(double));
}

enum status trials_make(struct tolerance_request *request, struct tolerance_trials *trials)
{
    struct trying trying = {request, trials, 1, operation_table[request->operation].terms};
    struct file_sums sums = {.count = UINT64_MAX}; /* along an axis */
    struct dataset data;
    *trials = (struct tolerance_trials){0};
    TRY(dataset_make(request->spec, request->seed, 0, &data)); /* n of a file is known now */
    const uint64_t numbers = dataset_count(&data, false) + (data.y ? dataset_count(&data, true) : 0);
    trying.each = (size_t)least(results_of(request, &data), ELEMENTS_MOST);
    request->n = data.n;
    dataset_free(&data);
    if (request->n == 0 || trying.each == 0)
        return OK;
    if (request->trials == 0)
        request->trials =
            least(NUMBERS_OF_TRIALS / (numbers + 1) + 1, trying.each > 1 ? TRIALS_OF_MATRICES : TRIALS_USUAL);
    if (data_spec_has_sums(request->spec))
        TRY(data_spec_sums(request->spec, &sums));
    request->trials = least(request->trials, sums.count);
    if (!data_spec_is_random(request->spec) && !data_spec_permutes(request->spec))
        request->trials = 1;
    trials->count = request->trials * trying.each;
    trials->faulted = least(trials->count, NUMBERS_OF_FAULTS / request->n + 1);
    name_all(&trying);
    make_room(trials);
    return parallel_each(request->workers, request->trials, try_trial, &trying);
}

void trials_free(struct tolerance_trials *trials)
{
    for (size_t i = 0; i < trials->sum_count; i++)
        free(trials->sums[i].computed);
    for (size_t i = 0; i < trials->fault_count; i++)
        free(trials->faults[i].computed);
    free(trials->items);
    free(trials->sums);
    free(trials->faults);
}
