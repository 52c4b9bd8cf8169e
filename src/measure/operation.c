#include "operation.h"

struct operands operation_operands(enum operation operation, const struct dataset *data)
{
    struct operands of = {data->format, operation, {data->x, data->y}, shape_of_one(data->n)};
    return of;
}

struct operands operation_on_itself(enum operation operation, const struct format *format, const void *x, uint64_t n)
{
    struct operands of = {format, operation, {x, x}, shape_of_one(n)};
    return of;
}

void operation_finish(enum operation operation, struct exact_sum *exact)
{
    if (operation_table[operation].of == ROOT_OF_SQUARES)
        exact_root(exact);
}

static enum status finished(enum operation operation, enum status status, struct exact_sum *exact)
{
    if (status == OK)
        operation_finish(operation, exact);
    return status;
}

enum status operation_exact(enum operation operation, const struct dataset *data, struct exact_how how,
                            struct exact_sum *exact)
{
    if (operation == OPERATION_sum)
        return exact_sum_how(data->format, how, data->x, data->n, exact);
    const void *y = operation_table[operation].vectors > 1 ? data->y : data->x;
    return finished(operation, exact_dot(data->format, how, data->x, y, data->n, exact), exact);
}

enum status operation_exact_repeated(enum operation operation, const struct format *format, const void *x,
                                     uint64_t period, uint64_t n, struct exact_sum *exact)
{
    if (operation == OPERATION_sum)
        return exact_sum_repeated(format, x, period, n, exact);
    return finished(operation, exact_dot_repeated(format, x, x, period, n, exact), exact);
}
