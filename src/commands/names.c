#include "names.h"
#include "src/gate/fault.h"
#include "src/teach/lesson.h"

static bool accumulator_name(size_t i, struct name *name)
{
    static const struct name names[] = {
#define ACCUMULATOR(id, role, additions, of_merge, claim) {#id, "", claim},
#include "kernels/accumulators.def"
    };
    const bool is_there = i < sizeof names / sizeof *names;
    if (is_there)
        *name = names[i];
    return is_there;
}

static bool order_name(size_t i, struct name *name)
{
    static const struct name names[] = {
#define ORDER(id, determinism, slow_above, rows, claim) {#id, "", claim},
#include "kernels/orders.def"
    };
    const bool is_there = i < sizeof names / sizeof *names;
    if (is_there)
        *name = names[i];
    return is_there;
}

static bool generator_name(size_t i, struct name *name)
{
    size_t vectors, all;
    const struct generator *const *generators = generator_table(&vectors), *const *matrices = generator_matrices(&all);
    if (i >= vectors + all)
        return false;
    *name = i < vectors ? (struct name){generators[i]->id, "", generators[i]->summary}
                        : (struct name){matrices[i - vectors]->id, "matrices: ", matrices[i - vectors]->summary};
    return true;
}

static bool metric_name(size_t i, struct name *name)
{
    if (i < METRICS)
        *name = (struct name){metric_table[i].id, "", metric_table[i].meaning};
    return i < METRICS;
}

/* The sums are those in which ... */
static bool fault_name(size_t i, struct name *name)
{
    size_t count;
    const struct fault *faults = fault_table(&count);
    if (i < count)
        *name = (struct name){faults[i].id, "", faults[i].meaning};
    return i < count;
}

static bool lesson_name(size_t i, struct name *name)
{
    size_t count;
    const struct lesson *lessons = lesson_table(&count);
    if (i < count)
        *name = (struct name){lessons[i].id, "", lessons[i].title};
    return i < count;
}

static bool operation_name(size_t i, struct name *name)
{
    if (i < OPERATIONS)
        *name = (struct name){operation_table[i].id,
                              operation_table[i].of == MATRICES ? "matrix product: "
                              : operation_table[i].vectors > 1  ? "two vectors: "
                                                                : "one vector: ",
                              operation_table[i].claim};
    return i < OPERATIONS;
}

static bool format_name(size_t i, struct name *name)
{
    if (i < SUM_FORMATS)
        *name = (struct name){sum_formats[i]->id, "", sum_formats[i]->claim};
    return i < SUM_FORMATS;
}

static bool axis_name(size_t i, struct name *name)
{
    if (i < AXES)
        *name = (struct name){axis_table[i].id, "", axis_table[i].varied};
    return i < AXES;
}

read_name *names_of(const char *subject)
{
    static const struct {
        const char *subject;
        read_name *read;
    } tables[] = {
        {"accumulators", accumulator_name}, {"orders", order_name},   {"generators", generator_name},
        {"metrics", metric_name},           {"faults", fault_name},   {"lessons", lesson_name},
        {"operations", operation_name},     {"formats", format_name}, {"axes", axis_name},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(subject, tables[i].subject) == 0)
            return tables[i].read;
    return NULL;
}
