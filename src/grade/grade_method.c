#include "grade_method.h"

#include "src/base/list.h"
#include "src/base/suggest.h"
#include "src/measure/measure.h"

/* No order of a matrix product depends on its launch. */
static const struct launch any_launch = {1, 1};

static enum status on_device(struct device *device, const struct method *method, const struct operands *of,
                             uint64_t *bits)
{
    const struct shape shape = of->shape;
    enum status status;
    device_lock(device);
    TRY_DONE(device_upload(device, of->format, of->arrays[0], shape.rows * shape.terms));
    TRY_DONE(device_upload_second(device, of->format, of->arrays[1], shape.terms * shape.columns));
    TRY_DONE(
        device_run_under(device, method, shape, any_launch, &(struct circumstances){.c = of->arrays[ARRAY_C]}, bits));
done:
    device_unlock(device);
    return status;
}

enum status grade_product(const struct graded *graded, struct shape shape, unsigned workers, const void *a,
                          const void *b, void *c, bool adds)
{
    const struct method *const method = graded->context;
    const struct operands of = {method->sum_format->stored, method->operation, {a, b, adds ? c : NULL}, shape};
    const uint64_t count = shape_results(shape);
    OWNED uint64_t *bits = malloc(count * sizeof *bits);
    TRY(bits ? OK : out_of_memory("a matrix product"));
    const enum status status = graded->device && !method->ask ? on_device(graded->device, method, &of, bits)
                                                              : method_compute(method, &of, any_launch, workers, bits);
    for (uint64_t i = 0; i < count && status == OK; i++)
        held_set(method->format, c, i, format_value(method->format, bits[i]));
    return status;
}

static enum status by_method(const struct graded *graded, uint64_t n, unsigned workers, const void *a, const void *b,
                             void *c)
{
    return grade_product(graded, (struct shape){n, n, n}, workers, a, b, c, false);
}

void grade_say_by(struct graded *graded)
{
    const struct method *const method = graded->context;
    char version[REASON_SIZE] = "";
    if (!graded->device)
        return;
    if (method->version)
        method->version(method, version);
    free(graded->by);
    graded->by = text_made("%s%s%s", device_facts(graded->device)->name, *version ? ", " : "", version);
}

static enum status refuse_here(const struct method *method, const struct device *device, const char *why)
{
    char lack[REASON_SIZE];
    complain("grade: %s cannot be run here: %s; %s", method->id, why,
             method->replay ? "give --device host for its replay"
                            : "take a machine that has it, or a method with a replay");
    return device && !measure_lacks_device(method, device, lack) ? BAD_INPUT : NO_DEVICE;
}

/* Ids of matrix products in each format; the caller frees the list. */
static const char **known_names(size_t *count)
{
    size_t capacity = 0, methods;
    const char **names = NULL;
    *count = 0;
    for (int operation = VECTOR_OPERATIONS; operation < OPERATIONS; operation++)
        for (int f = 0; f < SUM_FORMATS; f++) {
            const struct method *const *const table =
                method_table_for((enum operation)operation, sum_formats[f], &methods);
            for (size_t m = 0; m < methods; m++) {
                names = list_short(names, *count, &capacity, sizeof *names);
                names[(*count)++] = table[m]->id;
            }
        }
    return names;
}

static enum status refuse_method(const char *name)
{
    size_t count;
    OWNED const char **known = known_names(&count);
    const char *const near = suggest(name, known, count);
    complain("grade: method \"%s\" is unknown; expected a matrix product like matmul:plain/naive%s%s%s", name,
             near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return BAD_INPUT;
}

enum status grade_method(const char *name, struct device *device, struct graded *graded)
{
    const struct method *const method = method_find(name);
    char why[REASON_SIZE];
    if (!method || operation_table[method->operation].of != MATRICES)
        return refuse_method(name);
    if (!measure_can_do(method, any_launch, device, why))
        return refuse_here(method, device, why);
    if (method->replay && !device_has_kernel(method))
        device = NULL;
    *graded = (struct graded){name, method->sum_format, method, by_method, device, NULL, method->adds, !method->replay};
    graded->adds &= method->replay || method->sum_format->stored->bytes > 1; /* fp8 is copied to cuBLASLt, without C */
    grade_say_by(graded);
    return OK;
}
