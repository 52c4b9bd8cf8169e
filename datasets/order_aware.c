#include "order_aware.h"

const char *order_aware_refuses(const struct format *format)
{
    return format->precision == FORMAT_BINARY32.precision ? NULL
                                                          : "the tree that it asks for is that of a method of binary32";
}

struct tree_request order_aware_request(const struct generator_call *call, const char *family)
{
    const struct launch launch = {(uint32_t)call->values[BLOCKS_VALUE], (uint32_t)call->values[THREADS_VALUE]};
    return (struct tree_request){family, method_numbered((size_t)call->values[METHOD_VALUE]), call->n, launch};
}
