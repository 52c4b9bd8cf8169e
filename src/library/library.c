/* The functions of include/ulpscope/ulpscope.h that are about exact values and errors. */
#include "bounds.h"
#include "case.h"
#include "judge.h"
#include "results.h"
#include "surroundings.h"

#include "src/base/format.h"
#include "src/base/status.h"

#include <math.h>

const char *ulpscope_version(void)
{
    return ULPSCOPE_VERSION;
}

uint64_t ulpscope_result_count(const struct ulpscope_problem *given)
{
    struct problem problem;
    return problem_read(given, &problem) == ULPSCOPE_OK ? problem.rows * problem.columns : 0;
}

static ulpscope_status bad_size(const char *what, size_t expected, size_t found)
{
    return bad_argument("expected a size of %zu for %s, found %zu; set its `size` to sizeof", expected, what, found);
}

static ulpscope_status no_array(const char *what)
{
    return bad_argument("expected an array of %s, found NULL; give one of ulpscope_result_count() elements", what);
}

/* An array of a caller, whose structs may be larger than those of this library: then the rest of each is 0. */
struct written {
    char *array;
    size_t size, own;
    const struct problem *problem;
};

static void write_struct(const struct written *to, const struct result *result, const void *own)
{
    char *const element = to->array + (result->row * to->problem->columns + result->column) * to->size;
    memcpy(element, own, to->own);
    memset(element + to->own, 0, to->size - to->own);
    memcpy(element, &to->size, sizeof to->size);
}

static void write_value(void *context, const struct result *result)
{
    write_struct(context, result, &result->error->exact);
}

static void write_error(void *context, const struct result *result)
{
    const struct written *const to = context;
    struct ulpscope_error error = *result->error;
    error.bound = judge_bound(to->problem, (struct plain_tree){.height = to->problem->terms}, &error.exact);
    write_struct(to, result, &error);
}

static void write_rounded(void *context, const struct result *result)
{
    const struct written *const to = context;
    const struct format *const format = to->problem->result;
    format_store(format, to->array, result->row * to->problem->columns + result->column,
                 format_bits(format, result->error->exact.nearest));
}

/* Reads a problem and hands each of its results to a function, in surroundings of the library's own. */
static ulpscope_status visit(const struct ulpscope_problem *given, const void *computed, bool is_judged,
                             void (*write)(void *context, const struct result *result), struct written *to)
{
    struct surroundings before;
    struct problem problem;
    surroundings_enter(&before);
    ulpscope_status status = problem_read(given, &problem);
    if (status == ULPSCOPE_OK && problem.rows * problem.columns > 0) {
        to->problem = &problem;
        if (!to->array)
            status = no_array("results");
        else if (is_judged && !computed)
            status = no_array("computed results");
        else if (to->own > 0 && (memcpy(&to->size, to->array, sizeof to->size), to->size < to->own))
            status = bad_size("an element of the array", to->own, to->size);
        else
            status = results_visit(&problem, computed, &(struct visitor){write, to, false});
    }
    surroundings_leave(&before);
    return status;
}

ulpscope_status ulpscope_exact(const struct ulpscope_problem *problem, struct ulpscope_value *values)
{
    struct written to = {.array = (char *)values, .own = sizeof *values};
    return visit(problem, NULL, false, write_value, &to);
}

ulpscope_status ulpscope_rounded(const struct ulpscope_problem *problem, void *out)
{
    struct written to = {.array = out};
    return visit(problem, NULL, false, write_rounded, &to);
}

ulpscope_status ulpscope_errors(const struct ulpscope_problem *problem, const void *computed,
                                struct ulpscope_error *errors)
{
    struct written to = {.array = (char *)errors, .own = sizeof *errors};
    return visit(problem, computed, true, write_error, &to);
}

ulpscope_status ulpscope_judge(const struct ulpscope_problem *given, const void *computed, const char *limit,
                               struct ulpscope_verdict *verdict)
{
    struct surroundings before;
    struct problem problem;
    if (!verdict || verdict->size < sizeof *verdict)
        return bad_size("a verdict", sizeof *verdict, verdict ? verdict->size : 0);
    surroundings_enter(&before);
    const size_t size = verdict->size;
    struct ulpscope_verdict own;
    ulpscope_status status = problem_read(given, &problem);
    if (status == ULPSCOPE_OK && !computed && problem.rows * problem.columns > 0)
        status = no_array("computed results");
    if (status == ULPSCOPE_OK)
        status = judge(&problem, computed, limit, &own);
    if (status == ULPSCOPE_OK) {
        memset(verdict, 0, size);
        memcpy(verdict, &own, sizeof own);
        verdict->size = size;
    }
    surroundings_leave(&before);
    return status;
}

/* Of the worst of several results its row and column: what the program opens are vectors. */
ulpscope_status ulpscope_write_case(const struct ulpscope_problem *given, const void *computed, const char *path,
                                    char *command, size_t size)
{
    struct surroundings before;
    struct problem problem;
    struct ulpscope_verdict verdict;
    surroundings_enter(&before);
    ulpscope_status status = problem_read(given, &problem);
    if (status == ULPSCOPE_OK && (!computed || !path || !command)) {
        status = bad_argument(
            "expected what was computed, a path and room for a command; found none of one of these; give all");
    } else if (status == ULPSCOPE_OK && (problem.terms == 0 || problem.rows == 0 || problem.columns == 0)) {
        status = bad_argument("there are no elements to keep");
    }
    if (status == ULPSCOPE_OK)
        status = judge(&problem, computed, NULL, &verdict);
    if (status == ULPSCOPE_OK)
        status = case_write(&problem, verdict.row, verdict.column, verdict.worst.computed, path, command, size);
    surroundings_leave(&before);
    return status;
}

/* ---- bounds ---- */

/* The theorems count the addition to an empty sum, too. */
double ulpscope_bound(const char *accumulator, uint64_t n, uint64_t height, ulpscope_format added,
                      ulpscope_format result, const struct ulpscope_value *value)
{
    struct surroundings before;
    const struct format *const in = format_of(added), *const to = format_of(result);
    if (!accumulator || !in || !to || !value || value->size < sizeof *value)
        return (double)NAN;
    surroundings_enter(&before);
    const bool is_possible = height <= n && (height >= 64 || n <= UINT64_C(1) << height);
    const struct bounded of = {n, height + (height < n), value->abs_above, value->sum_abs_above, false, false, to};
    const double bound = is_possible ? bound_of(accumulator, in, &of) : (double)NAN;
    surroundings_leave(&before);
    return bound;
}

double ulpscope_bound_any_order(int products, uint64_t n, ulpscope_format added, ulpscope_format result,
                                const struct ulpscope_value *value)
{
    struct surroundings before;
    const struct format *const in = format_of(added), *const to = format_of(result);
    if (!in || !to || !value || value->size < sizeof *value)
        return (double)NAN;
    surroundings_enter(&before);
    const double bound = bound_in_tree(products != 0, in, in, to, n, n, value->abs_above, value->sum_abs_above);
    surroundings_leave(&before);
    return bound;
}
