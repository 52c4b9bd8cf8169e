/* Sums, dot products and matrix products that keep their contract, in several formats. */
#include <ulpscope/plugin.h>

#include <string.h>

static const void *input(const struct ulpscope_call *call, int i)
{
    return ulpscope_data(&call->inputs[i]);
}

static int64_t terms(const struct ulpscope_call *call)
{
    return call->inputs[0].shape[call->inputs[0].ndim - 1];
}

/* A tensor as plugin.h has it: contiguous, row after row; no matrix has no columns. */
static int is_tensor(const DLTensor *tensor, int code, int bits, int64_t rows, int64_t columns)
{
    const int is_matrix = columns > 0;
    return tensor->dtype.code == code && tensor->dtype.bits == bits && tensor->dtype.lanes == 1 &&
           tensor->device.device_type == 1 && tensor->ndim == 1 + is_matrix && tensor->shape[0] == rows &&
           (!is_matrix || (tensor->shape[1] == columns && tensor->strides[1] == 1)) &&
           tensor->strides[0] == (is_matrix ? columns : 1);
}

static int loop(void *state, const struct ulpscope_call *call)
{
    const float *x = (const float *)input(call, 0);
    float s = 0;
    (void)state;
    for (int64_t i = 0; i < terms(call); i++)
        s += x[i];
    *(float *)ulpscope_data(call->outputs) = s;
    return 0;
}

static float pairwise_of(const float *x, int64_t n)
{
    return n == 1 ? x[0] : pairwise_of(x, n / 2) + pairwise_of(x + n / 2, n - n / 2);
}

static int pairwise(void *state, const struct ulpscope_call *call)
{
    (void)state;
    *(float *)ulpscope_data(call->outputs) = pairwise_of((const float *)input(call, 0), terms(call));
    return 0;
}

static int binary64(void *state, const struct ulpscope_call *call)
{
    const double *x = (const double *)input(call, 0);
    double s = 0;
    (void)state;
    for (int64_t i = 0; i < terms(call); i++)
        s += x[i];
    *(double *)ulpscope_data(call->outputs) = s;
    return 0;
}

/* bfloat16 is the upper half of a binary32. */
static float of_bfloat16(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float x;
    memcpy(&x, &wide, sizeof x);
    return x;
}

static uint16_t to_bfloat16(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x)
        return 0x7fc0;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float sum_of_bfloat16(const struct ulpscope_call *call)
{
    const uint16_t *x = (const uint16_t *)input(call, 0);
    float s = 0;
    for (int64_t i = 0; i < terms(call); i++)
        s += of_bfloat16(x[i]);
    return s;
}

static int bfloat16(void *state, const struct ulpscope_call *call)
{
    (void)state;
    *(uint16_t *)ulpscope_data(call->outputs) = to_bfloat16(sum_of_bfloat16(call));
    return 0;
}

static int bfloat16_to_binary32(void *state, const struct ulpscope_call *call)
{
    (void)state;
    *(float *)ulpscope_data(call->outputs) = sum_of_bfloat16(call);
    return !is_tensor(&call->inputs[0], 4, 16, terms(call), 0) || !is_tensor(call->outputs, 2, 32, 1, 0);
}

static int dot(void *state, const struct ulpscope_call *call)
{
    const float *x = (const float *)input(call, 0), *y = (const float *)input(call, 1);
    float s = 0;
    (void)state;
    for (int64_t i = 0; i < terms(call); i++)
        s += x[i] * y[i];
    *(float *)ulpscope_data(call->outputs) = s;
    return 0;
}

static int matmul(void *state, const struct ulpscope_call *call)
{
    const int64_t rows = call->inputs[0].shape[0], columns = call->inputs[1].shape[1];
    const float *a = (const float *)input(call, 0), *b = (const float *)input(call, 1);
    float *c = (float *)ulpscope_data(call->outputs);
    (void)state;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            float s = 0;
            for (int64_t k = 0; k < terms(call); k++)
                s += a[i * terms(call) + k] * b[k * columns + j];
            c[i * columns + j] = s;
        }
    return call->input_count != 2 || !is_tensor(&call->inputs[0], 2, 32, rows, terms(call)) ||
           !is_tensor(&call->inputs[1], 2, 32, terms(call), columns) || !is_tensor(call->outputs, 2, 32, rows, columns);
}

/* Of each row. */
static int rows(void *state, const struct ulpscope_call *call)
{
    const int64_t count = call->inputs[0].shape[0], n = terms(call);
    (void)state;
    for (int64_t row = 0; row < count; row++)
        ((float *)ulpscope_data(call->outputs))[row] = pairwise_of((const float *)input(call, 0) + row * n, n);
    return !is_tensor(&call->inputs[0], 2, 32, count, n) || !is_tensor(call->outputs, 2, 32, count, 0);
}

static int dot_rows(void *state, const struct ulpscope_call *call)
{
    const int64_t count = call->inputs[0].shape[0], n = terms(call);
    const double *x = (const double *)input(call, 0), *y = (const double *)input(call, 1);
    (void)state;
    for (int64_t row = 0; row < count; row++) {
        double s = 0;
        for (int64_t i = row * n; i < (row + 1) * n; i++)
            s += x[i] * y[i];
        ((double *)ulpscope_data(call->outputs))[row] = s;
    }
    return !is_tensor(&call->inputs[1], 2, 64, count, n) || !is_tensor(call->outputs, 2, 64, count, 0);
}

static const uint64_t powers[] = {64, 256, 1024};

ULPSCOPE_PLUGIN("good", "1.2", ULPSCOPE_METHOD("loop", "sum", "binary32", ULPSCOPE_DETERMINISTIC, loop),
                ULPSCOPE_METHOD("pairwise", "sum", "binary32", ULPSCOPE_DETERMINISTIC, pairwise),
                ULPSCOPE_METHOD("binary64", "sum", "binary64", ULPSCOPE_DETERMINISTIC, binary64),
                ULPSCOPE_METHOD("bfloat16", "sum", "bfloat16", ULPSCOPE_DETERMINISTIC, bfloat16),
                ULPSCOPE_METHOD("wide", "sum", "bfloat16_to_binary32", ULPSCOPE_DETERMINISTIC, bfloat16_to_binary32),
                ULPSCOPE_METHOD("dot", "dot", "binary32", ULPSCOPE_DETERMINISTIC, dot),
                ULPSCOPE_METHOD("matmul", "matmul", "binary32", ULPSCOPE_DETERMINISTIC, matmul),
                ULPSCOPE_METHOD("rows", "sum", "binary32", ULPSCOPE_DETERMINISTIC | ULPSCOPE_ROWS, rows),
                ULPSCOPE_METHOD("dot_rows", "dot", "binary64", ULPSCOPE_DETERMINISTIC | ULPSCOPE_ROWS, dot_rows),
                {sizeof(struct ulpscope_method), "powers", "sum", "binary32", ULPSCOPE_DETERMINISTIC, pairwise,
                 "some n alone", powers, 3, ULPSCOPE_BOUND, 0, 10, NULL})
