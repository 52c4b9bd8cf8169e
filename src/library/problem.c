#include "problem.h"

#include "src/base/status.h"

#include <float.h>

__extension__ typedef __int128 wide;

/* ---- numbers ---- */

/* A number of 8 or 16 bits becomes a binary32 in three steps: its bits are shifted to their place, which is right but
 * for the exponent's bias; a multiplication, which is exact, mends that, among the subnormals too; what is infinite or
 * NaN is written. */
struct narrow {
    unsigned bits, shift;
    float bias;
    uint32_t finite, infinity; /* its bits are less than `finite` where a number is; infinity: 0 where there is none */
};

static inline float narrow_number(struct narrow of, uint32_t bits)
{
    const uint32_t sign = bits >> (of.bits - 1) << 31, magnitude = bits & ((UINT32_C(1) << (of.bits - 1)) - 1);
    const uint32_t shifted = float_bits(float_from_bits(magnitude << of.shift) * of.bias);
    const uint32_t special = magnitude == of.infinity ? UINT32_C(0x7f800000) : UINT32_C(0x7fc00000);
    return float_from_bits(sign | (magnitude < of.finite ? shifted : special));
}

static const struct narrow BINARY16 = {16, 13, 0x1p112f, 0x7c00, 0x7c00}, BFLOAT16 = {16, 16, 1, 0x7f80, 0x7f80},
                           E5M2 = {8, 21, 0x1p112f, 0x7c, 0x7c}, E4M3 = {8, 20, 0x1p120f, 0x7f, 0};

/* Defines a function that reads numbers which are `from` in memory into an array of `to`. */
#define READER(name, from, to, value)                                                                                  \
    static void name(uintptr_t first, int64_t stride, uint64_t count, void *room)                                      \
    {                                                                                                                  \
        to *const numbers = room;                                                                                      \
        for (uint64_t i = 0; i < count; i++, first += (uint64_t)stride) {                                              \
            from stored;                                                                                               \
            memcpy(&stored, (const void *)first, sizeof stored);                                                       \
            numbers[i] = (to)(value);                                                                                  \
        }                                                                                                              \
    }
#define READERS(to, suffix)                                                                                            \
    READER(read_binary64_##suffix, double, to, stored)                                                                 \
    READER(read_binary32_##suffix, float, to, stored)                                                                  \
    READER(read_binary16_##suffix, uint16_t, to, narrow_number(BINARY16, stored))                                      \
    READER(read_bfloat16_##suffix, uint16_t, to, narrow_number(BFLOAT16, stored))                                      \
    READER(read_e4m3_##suffix, uint8_t, to, narrow_number(E4M3, stored))                                               \
    READER(read_e5m2_##suffix, uint8_t, to, narrow_number(E5M2, stored))                                               \
    READER(read_tf32_##suffix, float, to, rounded_to((double)stored, &FORMAT_TF32))
READERS(float, as_float)
READERS(double, as_double)

/* By enum ulpscope_format, which has the order of NUMBER_FORMATS. */
static void (*const readers[][2])(uintptr_t first, int64_t stride, uint64_t count, void *room) = {
    {read_binary64_as_float, read_binary64_as_double}, {read_binary32_as_float, read_binary32_as_double},
    {read_binary16_as_float, read_binary16_as_double}, {read_bfloat16_as_float, read_bfloat16_as_double},
    {read_e4m3_as_float, read_e4m3_as_double},         {read_e5m2_as_float, read_e5m2_as_double},
    {read_tf32_as_float, read_tf32_as_double}};

const struct format *format_of(ulpscope_format format)
{
    const unsigned f = (unsigned)format;
    return f >= 1 && f <= STORED_FORMAT_COUNT ? NUMBER_FORMATS[f - 1] : NULL;
}

bool line_is_held(const struct line *line, const struct format *held)
{
    return is_format(line->format, held) && (line->stride == held->bytes || line->n <= 1) &&
           line->first % held->bytes == 0;
}

const void *line_read(const struct line *line, uint64_t from, uint64_t count, const struct format *held, void *room)
{
    const uintptr_t first = line->first + from * (uint64_t)line->stride;
    if (line_is_held(line, held))
        return (const void *)first;
    readers[format_index(line->format)][is_format(held, &FORMAT_BINARY64)](first, line->stride, count, room);
    return room;
}

double number_at(const struct format *format, const void *numbers, uint64_t i)
{
    double number;
    readers[format_index(format)][1]((uintptr_t)numbers + i * format->bytes, 0, 1, &number);
    return number;
}

/* ---- problems ---- */

static const struct {
    const char *name;
    unsigned x_dimensions, y_dimensions; /* y 0: there is none; x 0: 1 or 2, and y, if there is one, as many */
} operations[] = {[ULPSCOPE_SUM] = {"a sum", 1, 0},
                  [ULPSCOPE_DOT] = {"a dot product", 1, 1},
                  [ULPSCOPE_ROWS] = {"sums of rows", 2, 0},
                  [ULPSCOPE_MATMUL] = {"a matrix product", 2, 2},
                  [ULPSCOPE_MEAN] = {"a mean", 0, 0},
                  [ULPSCOPE_MEAN_SQUARE] = {"a mean of squares", 0, 0},
                  [ULPSCOPE_RMS] = {"a root mean square", 0, 0},
                  [ULPSCOPE_VARIANCE] = {"a variance", 0, 0},
                  [ULPSCOPE_STD] = {"a standard deviation", 0, 0},
                  [ULPSCOPE_MEAN_WEIGHTED] = {"a weighted mean", 0, 1},
                  [ULPSCOPE_COSINE] = {"a cosine", 0, 1},
                  [ULPSCOPE_LAYER_NORM] = {"a layer norm", 0, 0},
                  [ULPSCOPE_RMS_NORM] = {"an RMS norm", 0, 0},
                  [ULPSCOPE_SOFTMAX] = {"a softmax", 0, 0},
                  [ULPSCOPE_LOG_SOFTMAX] = {"a log-softmax", 0, 0},
                  [ULPSCOPE_LOGSUMEXP] = {"a log of a sum of exponentials", 0, 0},
                  [ULPSCOPE_SCAN] = {"a scan", 0, 0}};

static ulpscope_status bad_array(const char *name, const char *expected, long long found, const char *todo)
{
    return bad_argument("expected %s of %s, found %lld; %s", expected, name, found, todo);
}

/* All of it lies within the addresses that there are. */
static bool is_addressable(const struct ulpscope_array *array, unsigned bytes)
{
    wide least = (wide)(uintptr_t)array->data, most = least + bytes;
    for (unsigned d = 0; d < array->dimensions; d++) {
        if (array->shape[d] == 0)
            return true;
        if (array->strides[d] != 0 && array->shape[d] > PTRDIFF_MAX)
            return false;
        const wide reach = array->strides[d] == 0 ? 0 : (wide)array->strides[d] * (wide)(array->shape[d] - 1);
        least += reach < 0 ? reach : 0;
        most += reach > 0 ? reach : 0;
    }
    return least >= 0 && most <= (wide)UINTPTR_MAX;
}

static bool has_elements(const struct ulpscope_array *array)
{
    return array->shape[0] > 0 && (array->dimensions < 2 || array->shape[1] > 0);
}

static ulpscope_status check_array(const char *name, const struct ulpscope_array *array, unsigned dimensions)
{
    const struct format *const format = format_of(array->format);
    if (!format)
        return bad_array(name, "a format", (long long)array->format, "use one of enum ulpscope_format");
    if (array->dimensions != dimensions)
        return bad_array(name, dimensions == 1 ? "1 dimension" : "2 dimensions", array->dimensions,
                         "use ulpscope_vector() or ulpscope_matrix()");
    if (!has_elements(array))
        return ULPSCOPE_OK;
    if (!array->data)
        return bad_array(name, "an address of the elements", 0, "give it, or a shape of none");
    if (!is_addressable(array, format->bytes))
        return bad_argument("expected %s within the addresses that there are, found a shape of %llu x %llu with "
                            "strides of %lld and %lld bytes; correct shape and strides",
                            name, (unsigned long long)array->shape[0],
                            (unsigned long long)(array->dimensions > 1 ? array->shape[1] : 1),
                            (long long)array->strides[0], (long long)(array->dimensions > 1 ? array->strides[1] : 0));
    return ULPSCOPE_OK;
}

static ulpscope_status check_formats(struct problem *problem, const struct ulpscope_problem *given)
{
    problem->result_format = given->result;
    problem->result = format_of(given->result);
    if (!problem->result || (unsigned)given->result > NUMBER_FORMAT_COUNT)
        return bad_argument(
            "expected a format of results: binary64, binary32, binary16 or bfloat16; found %d; set `result`",
            (int)given->result);
    const bool is_wide = given->x.format == ULPSCOPE_BINARY64 || given->result == ULPSCOPE_BINARY64 ||
                         (problem->has_products && given->y.format == ULPSCOPE_BINARY64);
    problem->added = given->added ? format_of(given->added) : is_wide ? &FORMAT_BINARY64 : &FORMAT_BINARY32;
    if (!problem->added || (unsigned)given->added > NUMBER_FORMAT_COUNT)
        return bad_argument(
            "expected a format that is added in: binary64, binary32, binary16, bfloat16, or 0; found %d; set `added`",
            (int)given->added);
    return ULPSCOPE_OK;
}

/* As many results as an array of them can hold. */
static ulpscope_status check_shape(const struct problem *problem)
{
    const uint64_t most = PTRDIFF_MAX / (4 * sizeof(struct ulpscope_verdict));
    if (problem->rows > most || problem->columns > most || (wide)problem->rows * (wide)problem->columns > (wide)most)
        return bad_argument("expected at most %llu results, found %llu x %llu; ask for fewer rows at a time",
                            (unsigned long long)most, (unsigned long long)problem->rows,
                            (unsigned long long)problem->columns);
    return ULPSCOPE_OK;
}

ulpscope_status problem_read(const struct ulpscope_problem *given, struct problem *problem)
{
    const size_t least = offsetof(struct ulpscope_problem, ddof); /* which came later */
    if (!given || given->size < least)
        return bad_argument(
            "expected a problem of %zu bytes, found %zu; set its `size` to sizeof (struct ulpscope_problem)",
            sizeof *given, given ? given->size : 0);
    const unsigned operation = (unsigned)given->operation;
    if (operation < ULPSCOPE_SUM || operation > ULPSCOPE_SCAN)
        return bad_argument("expected an operation, found %d; use one of enum ulpscope_operation",
                            (int)given->operation);
    const bool has_y = operations[operation].y_dimensions > 0, is_either = operations[operation].x_dimensions == 0;
    const bool has_rows = operations[operation].x_dimensions > 1 || (is_either && given->x.dimensions > 1);
    const unsigned x_dimensions = has_rows ? 2 : 1,
                   y_dimensions = is_either ? x_dimensions : operations[operation].y_dimensions;
    *problem = (struct problem){
        .operation = given->operation, .x = given->x, .y = given->y, .has_products = has_y, .rows = 1, .columns = 1};
    if (check_array("x", &given->x, x_dimensions) != ULPSCOPE_OK ||
        (has_y && check_array("y", &given->y, y_dimensions) != ULPSCOPE_OK) ||
        check_formats(problem, given) != ULPSCOPE_OK)
        return ULPSCOPE_BAD_ARGUMENT;
    problem->terms = given->x.shape[has_rows];
    problem->rows = has_rows ? given->x.shape[0] : 1;
    problem->columns = operation == ULPSCOPE_MATMUL ? given->y.shape[1] : 1;
    const bool has_ddof = operation == ULPSCOPE_VARIANCE || operation == ULPSCOPE_STD;
    problem->ddof = has_ddof && given->size >= offsetof(struct ulpscope_problem, eps) ? given->ddof : 0;
    if (problem_is_per_number(problem)) {
        problem->columns = problem->terms;
        problem->eps = given->size >= offsetof(struct ulpscope_problem, window) ? given->eps : 0;
        problem->window = given->size >= sizeof *given && given->window > 0 ? given->window : UINT64_MAX;
        if (!(problem->eps >= 0 && problem->eps <= DBL_MAX))
            return bad_argument("expected an eps of 0 or more, found %g; correct it", problem->eps);
    }
    if (has_y && is_either && has_rows && given->y.shape[0] != problem->rows)
        return bad_argument("expected %s of as many rows of y as of x, %llu, found %llu; correct the shapes",
                            operations[operation].name, (unsigned long long)problem->rows,
                            (unsigned long long)given->y.shape[0]);
    const uint64_t terms_of_y = given->y.shape[is_either && has_rows];
    if (has_y && terms_of_y != problem->terms)
        return bad_argument("expected %s of as many elements in y as in x, %llu, found %llu; correct the shapes",
                            operations[operation].name, (unsigned long long)problem->terms,
                            (unsigned long long)terms_of_y);
    const bool is_wide = given->x.format == ULPSCOPE_BINARY64 || (has_y && given->y.format == ULPSCOPE_BINARY64);
    problem->format = is_wide ? &FORMAT_BINARY64 : &FORMAT_BINARY32;
    problem->terms_format = format_of(given->x.format);
    return check_shape(problem);
}

const char *problem_name(const struct problem *problem)
{
    return operations[problem->operation].name;
}

static struct line line_of(const struct ulpscope_array *array, bool has_rows, uint64_t i, uint64_t n)
{
    return (struct line){format_of(array->format),
                         (uintptr_t)array->data + i * (uint64_t)(has_rows ? array->strides[0] : 0),
                         array->strides[has_rows], n};
}

struct problem problem_of_result(const struct problem *problem, uint64_t row, uint64_t column)
{
    struct problem of = *problem;
    if (problem->operation != ULPSCOPE_SCAN)
        return of;
    const uint64_t first = column < problem->window ? 0 : column + 1 - problem->window;
    const struct line x = problem_row(problem, row);
    of.operation = ULPSCOPE_SUM;
    of.rows = of.columns = 1;
    of.terms = column + 1 - first;
    of.x = (struct ulpscope_array){
        (const void *)(x.first + first * (uint64_t)x.stride), problem->x.format, 1, {of.terms}, {x.stride}};
    return of;
}

struct line problem_row(const struct problem *problem, uint64_t i)
{
    return line_of(&problem->x, problem->x.dimensions > 1, i, problem->terms);
}

struct line problem_second(const struct problem *problem, uint64_t i, uint64_t j)
{
    const struct ulpscope_array *const y = &problem->y;
    const bool is_matrix = problem->operation == ULPSCOPE_MATMUL;
    return is_matrix ? (struct line){format_of(y->format), (uintptr_t)y->data + j * (uint64_t)y->strides[1],
                                     y->strides[0], problem->terms}
                     : line_of(y, problem->has_products && y->dimensions > 1, i, problem->terms);
}
