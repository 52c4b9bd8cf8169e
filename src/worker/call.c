#include "call.h"

#include "clock.h"
#include "device.h"
#include "faults.h"
#include "mode.h"
#include "said.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What DLTensors point to. */
struct dimensions {
    int64_t shape[2], strides[2];
};

static DLTensor tensor_of(void *data, DLDataType type, bool is_on_device, uint64_t rows, uint64_t columns,
                          struct dimensions *dimensions)
{
    const bool is_matrix = columns > 0;
    *dimensions = (struct dimensions){{(int64_t)rows, (int64_t)columns}, {is_matrix ? (int64_t)columns : 1, 1}};
    return (DLTensor){data, {is_on_device ? 2 : 1, 0}, is_matrix ? 2 : 1, type, dimensions->shape, dimensions->strides,
                      0};
}

static void describe(const struct library_method *method, const struct worker_request *request, void *const at[ARRAYS],
                     DLTensor tensors[ARRAYS], struct dimensions dimensions[ARRAYS])
{
    const bool is_on_device = method->of.flags & ULPSCOPE_ON_DEVICE, is_matrix = request->columns > 0;
    const uint64_t rows[ARRAYS] = {is_matrix ? request->rows : request->terms, request->terms,
                                   is_matrix ? request->rows : 1};
    const uint64_t columns[ARRAYS] = {is_matrix ? request->terms : 0, request->columns, request->columns};
    for (int a = 0; a < ARRAYS; a++)
        tensors[a] = tensor_of(at[a], a == OUTPUT ? method->result : method->stored, is_on_device, rows[a], columns[a],
                               &dimensions[a]);
}

/* Whether the plug-in says that it succeeded, and left the processor as it was. */
static bool is_well(const struct library *library, int status, const char *mode)
{
    if (status != 0)
        say_status(library, status);
    else if (mode) {
        say("left the processor ");
        say(mode);
    }
    return status == 0 && !mode;
}

static void fail(void)
{
    answer(WORKER_FAILED, 0);
}

void call(const struct library *library, const struct worker_request *request)
{
    const struct library_method *method = &library->methods[request->method];
    const bool is_on_device = method->of.flags & ULPSCOPE_ON_DEVICE;
    void *host[ARRAYS], *device[ARRAYS];
    DLTensor tensors[ARRAYS];
    struct dimensions dimensions[ARRAYS];

    const char *no_device = is_on_device ? device_start() : NULL;
    if (no_device) {
        say("needs a GPU: ");
        say(no_device);
        fail();
        return;
    }
    if (!windows_open(request, host)) {
        say("its arrays cannot be mapped: ");
        say(strerror(errno));
        fail();
        return;
    }
    if (is_on_device && !device_bring(request, host, device)) {
        fail();
        return;
    }
    describe(method, request, is_on_device ? device : host, tensors, dimensions);
    const struct ulpscope_call of = {.size = sizeof of,
                                     .inputs = tensors,
                                     .input_count = request->input_bytes[1] > 0 ? 2 : 1,
                                     .outputs = &tensors[OUTPUT],
                                     .stream = is_on_device ? device_stream() : NULL,
                                     .blocks = request->blocks,
                                     .threads = request->threads};
    mode_restore();
    faults_while("");
    const uint64_t begin = clock_now();
    const int status = method->of.run(library->state, &of);
    if (is_on_device && !device_wait()) {
        fail();
        return;
    }
    const uint64_t end = clock_now();
    const char *mode = mode_found();
    mode_restore();
    const bool succeeded = is_well(library, status, mode) && (!is_on_device || device_fetch(request, host));
    faults_while(" between two calls");
    fflush(stdout);
    answer(succeeded ? WORKER_BITS : WORKER_FAILED, succeeded ? end - begin : 0);
}
