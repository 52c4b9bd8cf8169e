#include "device_attack.h"

#include "device_cuda.h"
#include "reference/matrix_kernel.h"
#include "src/base/format.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of all islands' parents together: their children fill any GPU, and take some 500 MB. */
enum { NUMBERS_AT_ONCE = 1 << 21, ISLANDS_LEAST = 8, ISLANDS_MOST = 4096 };

/* Device memory, of one allocation, which begins at parents. */
struct memory {
    double *parents, *others, *highest, *numbers, *largest;
    struct exact_element *elements;
    struct breed_brood *broods;
    void *rows, *ones, *results;
    struct terrain_node *nodes;
    uint32_t *element;
    struct breed_choice *choices;
    uint8_t *changes;
};

struct attack_on_device {
    struct attack_machine machine;
    struct device *device;
    const struct method *method;
    struct launch launch;
    struct breed_round round;
    struct memory memory;
    struct exact_element *elements; /* host memory, as what follows */
    double *largest;
    uint8_t *changes;
    void *results;
};

static uint64_t children_of(const struct attack_on_device *attack)
{
    return attack->round.islands * attack->round.children;
}

/* ---- which methods ---- */

/* Where numbers and results lie on a GPU as the host holds them. */
static bool is_held_as_stored(const struct format *format)
{
    return format_held(format)->bytes == format->bytes;
}

static size_t islands(void *context, const struct method *method, struct launch launch, uint64_t n)
{
    char why[REASON_SIZE];
    (void)context;
    if (!device_takes_rows(method) || !is_held_as_stored(method->sum_format->stored) ||
        !is_held_as_stored(method->format) || !method_can_do(method, launch, why))
        return 0;
    const uint64_t wanted = NUMBERS_AT_ONCE / n;
    return wanted < ISLANDS_LEAST ? ISLANDS_LEAST : wanted < ISLANDS_MOST ? wanted : ISLANDS_MOST;
}

/* ---- memory ---- */

/* The next array of so many bytes; without an allocation it counts what is needed. */
static void *next(char *base, size_t *used, uint64_t count, size_t bytes)
{
    enum { ALIGNMENT = 256 };
    void *const array = base ? base + *used : NULL;
    *used += (count * bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return array;
}

static size_t lay_out(const struct attack_on_device *attack, char *base, struct memory *memory)
{
    const uint64_t n = attack->round.of.n, islands = attack->round.islands, children = children_of(attack);
    const size_t number = attack->method->sum_format->stored->bytes;
    size_t used = 0;
    memory->parents = next(base, &used, islands * n, sizeof(double));
    memory->others = next(base, &used, islands * n, sizeof(double));
    memory->highest = next(base, &used, islands * n, sizeof(double));
    memory->numbers = next(base, &used, children * n, sizeof(double));
    memory->largest = next(base, &used, children, sizeof(double));
    memory->elements = next(base, &used, children, sizeof *memory->elements);
    memory->broods = next(base, &used, islands, sizeof *memory->broods);
    memory->rows = next(base, &used, children * n, number);
    memory->ones = next(base, &used, n, number);
    memory->results = next(base, &used, children, attack->method->format->bytes);
    memory->nodes = next(base, &used, attack->round.of.node_count, sizeof *memory->nodes);
    memory->element = next(base, &used, n, sizeof *memory->element);
    memory->choices = next(base, &used, islands, sizeof *memory->choices);
    memory->changes = next(base, &used, children, sizeof *memory->changes);
    return used;
}

static void release(struct attack_on_device *attack)
{
    cudaFree(attack->memory.parents);
    attack->memory = (struct memory){0};
    free_all(attack->elements, attack->largest, attack->changes, attack->results);
    attack->elements = NULL;
    attack->largest = NULL;
    attack->changes = NULL;
    attack->results = NULL;
}

static enum status take_room(struct attack_on_device *attack)
{
    const uint64_t children = children_of(attack);
    size_t there = 0;
    void *base = NULL;
    TRY(device_reserve(&base, &there, lay_out(attack, NULL, &attack->memory), "GPU memory for an attack"));
    (void)lay_out(attack, base, &attack->memory);
    attack->elements = malloc(children * sizeof *attack->elements);
    attack->largest = malloc(children * sizeof *attack->largest);
    attack->changes = malloc(children * sizeof *attack->changes);
    attack->results = malloc(children * attack->method->format->bytes);
    const bool has_room = attack->elements && attack->largest && attack->changes && attack->results;
    return has_room ? OK : out_of_memory("an attack on a GPU");
}

/* ---- the functions of a machine ---- */

static enum status upload(void *there, const void *from, size_t bytes)
{
    TRY_CUDA(cudaMemcpy(there, from, bytes, cudaMemcpyHostToDevice), "an attack on the GPU");
    return OK;
}

static enum status upload_ones(const struct attack_on_device *attack)
{
    const struct format *format = attack->method->sum_format->stored;
    const uint64_t n = attack->round.of.n;
    OWNED void *ones = malloc(n * sizeof(double));
    if (!ones)
        return out_of_memory("an attack on a GPU");
    for (uint64_t i = 0; i < n; i++)
        held_set(format, ones, i, 1);
    return upload(attack->memory.ones, ones, n * format->bytes);
}

static enum status prepare(struct attack_on_device *attack)
{
    struct breed_round *round = &attack->round;
    const struct memory *memory = &attack->memory;
    const uint64_t n = round->of.n;
    TRY_CUDA(cudaSetDevice(attack->device->ordinal), "the GPU");
    release(attack);
    TRY(take_room(attack));
    TRY_CUDA(cudaMemset(memory->parents, 0, round->islands * n * sizeof(double)), "an attack on the GPU");
    TRY(upload(memory->nodes, round->of.nodes, round->of.node_count * sizeof *memory->nodes));
    TRY(upload(memory->element, round->element, n * sizeof *memory->element));
    TRY(upload_ones(attack));
    round->of.nodes = memory->nodes;
    round->element = memory->element;
    round->broods = memory->broods;
    round->parents = memory->parents;
    round->others = memory->others;
    round->is_binary64 = attack->method->sum_format->stored->bytes == sizeof(double);
    round->numbers = memory->numbers;
    round->rows = memory->rows;
    round->largest = memory->largest;
    round->changes = memory->changes;
    return device_reserve_scratch(attack->device, attack->method,
                                  (struct shape){.terms = n, .rows = children_of(attack)}, attack->launch);
}

static enum status begin(void *context, const struct method *method, struct launch launch,
                         const struct breed_round *round)
{
    struct attack_on_device *attack = context;
    attack->method = method;
    attack->launch = launch;
    attack->round = *round;
    return device_note_failure(attack->device, prepare(attack));
}

static enum status put_parents(void *context, size_t first, size_t count, const double *numbers)
{
    const struct attack_on_device *attack = context;
    const uint64_t n = attack->round.of.n;
    return device_note_failure(attack->device,
                               upload(attack->memory.parents + first * n, numbers, count * n * sizeof *numbers));
}

static enum status copy_parents(const struct attack_on_device *attack)
{
    const size_t bytes = attack->round.islands * attack->round.of.n * sizeof(double);
    TRY_CUDA(cudaMemcpyAsync(attack->memory.others, attack->memory.parents, bytes, cudaMemcpyDeviceToDevice, NULL),
             "an attack on the GPU");
    return OK;
}

static enum status begin_epoch(void *context)
{
    const struct attack_on_device *attack = context;
    return device_note_failure(attack->device, copy_parents(attack));
}

/* The whole range of exponents: children may have any. */
static struct matrix_part exact_part(const struct attack_on_device *attack)
{
    const struct breed_round *round = &attack->round;
    const struct digits_grid grid = digits_grid_of(round->is_binary64);
    const unsigned place_of_one = (unsigned)(-grid.least) - grid.fraction_bits;
    const struct digits_reach any = {0, grid.fields - 2}, one = {place_of_one, place_of_one};
    return (struct matrix_part){
        .a = round->rows,
        .b = attack->memory.ones,
        .computed = attack->memory.results,
        .is_binary64 = round->is_binary64,
        .result = *attack->method->format,
        .rows = children_of(attack),
        .inner = round->of.n,
        .columns = 1,
        .window = digits_window_of(round->is_binary64, any, one),
        .elements = attack->memory.elements,
    };
}

static enum status launch_generation(const struct attack_on_device *attack)
{
    const uint64_t children = children_of(attack);
    const struct shape shape = {.terms = attack->round.of.n, .rows = children};
    const struct matrix_part part = exact_part(attack);
    const struct kernel_call call = {
        .of = {attack->method->sum_format->stored, attack->method->operation, {attack->round.rows, NULL}, shape},
        .launch = attack->launch,
        .scratch = attack->device->scratch,
        .results = attack->memory.results,
    };
    TRY_CUDA(cudaMemset(attack->memory.results, 0xff, children * attack->method->format->bytes),
             "an attack on the GPU"); /* NaN, unless a kernel writes it */
    TRY_CUDA(breed_children(&attack->round), "children of numbers");
    TRY_CUDA(attack->method->device->run(attack->method, &call), attack->method->id);
    TRY_CUDA(matrix_kernel(&part), "exact sums on the GPU");
    return OK;
}

static enum status download(void *to, const void *from, size_t bytes)
{
    TRY_CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "an attack on the GPU");
    return OK;
}

static struct machine_sum sum_of(const struct attack_on_device *attack, uint64_t child)
{
    const struct exact_element *element = &attack->elements[child];
    const double error = element->error < 0 ? -element->error : element->error;
    return (struct machine_sum){
        {element->abs_above, element->sum_abs_above, attack->largest[child], element->ulp, error},
        held_number(attack->method->format, attack->results, child),
        (enum breed_change)attack->changes[child],
    };
}

static enum status generate(struct attack_on_device *attack, const struct breed_brood *broods, struct machine_sum *sums)
{
    const struct memory *memory = &attack->memory;
    const uint64_t children = children_of(attack);
    TRY(upload(memory->broods, broods, attack->round.islands * sizeof *broods));
    TRY(launch_generation(attack));
    TRY(download(attack->elements, memory->elements, children * sizeof *attack->elements));
    TRY(download(attack->largest, memory->largest, children * sizeof *attack->largest));
    TRY(download(attack->changes, memory->changes, children * sizeof *attack->changes));
    TRY(download(attack->results, memory->results, children * attack->method->format->bytes));
    for (uint64_t child = 0; child < children; child++)
        sums[child] = sum_of(attack, child);
    return OK;
}

static enum status generation(void *context, const struct breed_brood *broods, struct machine_sum *sums)
{
    struct attack_on_device *attack = context;
    return device_note_failure(attack->device, generate(attack, broods, sums));
}

static enum status launch_choice(const struct attack_on_device *attack, const struct breed_choice *choices)
{
    const struct memory *memory = &attack->memory;
    TRY(upload(memory->choices, choices, attack->round.islands * sizeof *choices));
    TRY_CUDA(breed_choose(&attack->round, memory->choices, memory->parents, memory->highest), "the next parents");
    return OK;
}

static enum status choose(void *context, const struct breed_choice *choices)
{
    const struct attack_on_device *attack = context;
    return device_note_failure(attack->device, launch_choice(attack, choices));
}

static enum status get_highest(void *context, size_t island, double *numbers)
{
    const struct attack_on_device *attack = context;
    const uint64_t n = attack->round.of.n;
    return device_note_failure(attack->device,
                               download(numbers, attack->memory.highest + island * n, n * sizeof *numbers));
}

struct attack_machine *device_attack_machine(struct device *device)
{
    struct attack_on_device *attack = device ? calloc(1, sizeof *attack) : NULL;
    if (!attack)
        return NULL;
    attack->device = device;
    attack->machine = (struct attack_machine){
        attack, islands, begin, put_parents, begin_epoch, generation, choose, get_highest,
    };
    return &attack->machine;
}

void device_attack_free(struct attack_machine *machine)
{
    if (!machine)
        return;
    release(machine->context);
    free(machine->context);
}
