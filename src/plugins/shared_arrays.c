#include "plugin_kind.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* linux/fcntl.h has it since 5.1, glibc's fcntl.h does not. */
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

enum { INPUT_ALIGNMENT = 64, OUTPUT_ALIGNMENT = 16, ONES = 0xff };

static uint64_t rounded_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static uint64_t page(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static void free_memory(struct shared_memory *memory)
{
    if (memory->size > 0) {
        munmap(memory->at, memory->size);
        close(memory->descriptor);
    }
    *memory = (struct shared_memory){0};
}

/* Twice as much as before, so that it seldom grows.  Others can map it only to read it, where it is sealed; nobody can
 * shorten it. */
static const char *make_memory(struct shared_memory *memory, uint64_t bytes, bool is_for_reading)
{
    const uint64_t size = bytes > 2 * memory->size ? bytes : 2 * memory->size;
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW | (is_for_reading ? F_SEAL_FUTURE_WRITE : 0) | F_SEAL_SEAL;
    free_memory(memory);
    const int descriptor = memfd_create("ulpscope", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0)
        return "no memory could be shared with it";
    void *at = MAP_FAILED;
    if (ftruncate(descriptor, (off_t)size) == 0)
        at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (at == MAP_FAILED || fcntl(descriptor, F_ADD_SEALS, seals) != 0) {
        if (at != MAP_FAILED)
            munmap(at, size);
        close(descriptor);
        return at == MAP_FAILED ? "no memory for its data" : "this kernel cannot seal memory; it needs Linux 5.1";
    }
    *memory = (struct shared_memory){descriptor, at, size};
    return NULL;
}

static bool is_the_first(const struct operands *of, int k)
{
    return k > 0 && of->arrays[k] && of->arrays[k] == of->arrays[0];
}

/* Where arrays lie: each in pages of its own, before their end, or at their beginning.  With an offset of 64 they lie
 * elsewhere, too. */
static void lay_out(const struct operands *of, const struct format *result, bool is_first_in_page, uint64_t period,
                    struct worker_request *request, uint64_t *input_size)
{
    const uint64_t offset = request->offset, unit = offset > 0 ? 2 * INPUT_ALIGNMENT : INPUT_ALIGNMENT;
    *input_size = 0;
    for (int k = 0; k < WORKER_INPUTS_MOST; k++) {
        const uint64_t elements = operands_elements(of, k), begin = *input_size;
        const uint64_t one = (period > 0 && elements > 0 ? period : elements) * of->format->bytes;
        const uint64_t bytes = request->sets > 0 && elements > 0 ? request->sets * set_stride(one) : one;
        request->repeated_bytes = k == 0 && period > 0 ? elements * of->format->bytes : request->repeated_bytes;
        request->input_bytes[k] = bytes;
        if (is_the_first(of, k) && period == 0) {
            request->input_offset[k] = request->input_offset[0];
            continue;
        }
        *input_size += bytes > 0 ? rounded_up(bytes + offset, page()) : 0;
        request->input_offset[k] = bytes == 0         ? 0
                                   : is_first_in_page ? begin + offset
                                                      : *input_size - rounded_up(bytes + offset, unit) + offset;
    }
    const uint64_t element = result->bytes < sizeof(double) ? sizeof(double) : result->bytes;
    const uint64_t results = request->sets > 0 ? request->sets : operation_results(of->operation, of->shape);
    request->output_bytes = results * result->bytes;
    request->output_size = rounded_up(results == 1 ? element : request->output_bytes, page());
    request->output_offset =
        request->output_size - rounded_up(results == 1 ? element : request->output_bytes, OUTPUT_ALIGNMENT);
}

/* All ones but the sign: a result that is made of what lies beside an input is none that nobody wrote. */
static void fill_with_nans(char *at, uint64_t bytes, unsigned element)
{
    memset(at, ONES, bytes);
    for (uint64_t end = element; end <= bytes; end += element)
        at[end - 1] = ONES >> 1;
}

/* An array of each set: see protocol.h. */
static void pack_sets(const struct operands *of, int k, uint64_t sets, char *at)
{
    const uint64_t elements = operands_elements(of, k), stride = set_stride(elements * of->format->bytes);
    memset(at, ONES, sets * stride);
    for (uint64_t s = 0; s < sets; s++)
        held_pack(of->format, of[s].arrays[k], elements, at + s * stride + WORKER_SET_EDGE);
}

const char *shared_arrays_fill(struct shared_arrays *arrays, const struct operands *of, const struct format *result,
                               bool is_first_in_page, uint64_t period, struct worker_request *request)
{
    uint64_t input_size;
    const char *wrong = NULL;
    lay_out(of, result, is_first_in_page, period, request, &input_size);
    if (input_size > arrays->inputs.size || request->output_size > arrays->output.size) {
        wrong = make_memory(&arrays->inputs, input_size > page() ? input_size : page(), true);
        wrong = wrong ? wrong : make_memory(&arrays->output, request->output_size, false);
        arrays->is_new = true;
    }
    if (wrong)
        return wrong;
    for (int k = 0; k < WORKER_INPUTS_MOST; k++) {
        const uint64_t bytes = request->input_bytes[k], before = request->input_offset[k] % page();
        char *at = arrays->inputs.at + request->input_offset[k];
        if (bytes == 0 || (is_the_first(of, k) && period == 0) || request->circumstances & WORKER_DATA_STAY)
            continue;
        if (request->sets > 0) {
            pack_sets(of, k, request->sets, at);
            continue;
        }
        fill_with_nans(at - before, before, of->format->bytes);
        held_pack(of->format, of->arrays[k], bytes / of->format->bytes, at);
        fill_with_nans(at + bytes, rounded_up(before + bytes, page()) - before - bytes, of->format->bytes);
    }
    memset(arrays->output.at, ONES, request->output_size);
    return NULL;
}

static bool is_ones(const char *bytes, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if ((unsigned char)bytes[i] != ONES)
            return false;
    return true;
}

/* Elements of all ones are NaN of a kind that no arithmetic makes. */
const char *shared_arrays_output(const struct shared_arrays *arrays, const struct worker_request *request,
                                 uint64_t elements, uint64_t element_bytes)
{
    const char *at = arrays->output.at + request->output_offset, *end = at + elements * element_bytes;
    uint64_t unwritten = 0;
    if (!is_ones(arrays->output.at, request->output_offset))
        return "wrote before the beginning of its output";
    if (!is_ones(end, (uint64_t)(arrays->output.at + request->output_size - end)))
        return "wrote more than its output";
    for (uint64_t i = 0; i < elements; i++)
        unwritten += is_ones(at + i * element_bytes, element_bytes);
    return unwritten == 0 ? NULL : unwritten < elements ? "left elements of its output unwritten" : "wrote no result";
}

void shared_arrays_free(struct shared_arrays *arrays)
{
    free_memory(&arrays->inputs);
    free_memory(&arrays->output);
}
