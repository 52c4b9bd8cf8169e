#include "src/base/suggest.h"
#include "study.h"

/* ---- reading ---- */

static enum status unknown_operation(const char *where, const char *word)
{
    const char *known[OPERATIONS];
    for (int o = 0; o < OPERATIONS; o++)
        known[o] = operation_table[o].id;
    return refuse_unknown(where, "operation", word, known, OPERATIONS);
}

static void append(struct study *study, enum operation operation)
{
    for (size_t o = 0; o < study->operation_count; o++)
        if (study->operations[o] == operation)
            return;
    study->operations[study->operation_count++] = operation;
}

enum status study_read_operations(struct study *study, const char *words, const char *where)
{
    OWNED char *copy = memory_copy(words);
    char *rest = NULL;
    study->operation_count = 0;
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        const enum operation operation = operation_named(word);
        if (operation < OPERATIONS && strcmp(operation_table[operation].id, word) == 0)
            append(study, operation);
        else
            TRY(unknown_operation(where, word));
    }
    if (study->operation_count == 0)
        TRY(unknown_operation(where, words));
    return OK;
}

/* ---- methods ---- */

/* One line for each accumulator. */
static void tell_absence(const struct study *study, size_t method, enum operation operation)
{
    const char *accumulator = study->methods[method]->accumulator;
    for (size_t m = 0; m < method; m++)
        if (strcmp(study->methods[m]->accumulator, accumulator) == 0)
            return;
    const char *why = method_absent(operation, study->methods[method]->sum_format, accumulator);
    complain("skipping %s in %s: %s", accumulator, operation_table[operation].id, why ? why : "it is not there");
}

bool methods_include(const struct method *const *methods, size_t count, const struct method *method)
{
    for (size_t m = 0; m < count; m++)
        if (methods[m] == method)
            return true;
    return false;
}

static void spread_methods(struct study *study, bool quiet)
{
    const struct method **spread =
        memory_cleared(study->method_count * (study->operation_count + 1) + 1, sizeof *spread);
    size_t count = 0;
    for (size_t o = 0; o < study->operation_count; o++)
        for (size_t m = 0; m < study->method_count; m++) {
            if (study->methods[m]->operation != OPERATION_sum)
                continue;
            const struct method *method = method_of_operation(study->methods[m], study->operations[o]);
            if (method && !methods_include(spread, count, method))
                spread[count++] = method;
            else if (!method && !quiet)
                tell_absence(study, m, study->operations[o]);
        }
    for (size_t m = 0; m < study->method_count; m++)
        if (study->methods[m]->operation != OPERATION_sum)
            spread[count++] = study->methods[m];
    free(study->methods);
    study->methods = spread;
    study->method_count = count;
}

/* One exact result is that of all methods of a study. */
static enum status check_one_of(const struct study *study)
{
    const struct operation_row *first = &operation_table[study_operation(study)];
    for (size_t m = 1; m < study->method_count; m++) {
        const struct operation_row *other = &operation_table[study->methods[m]->operation];
        if (other->of == first->of)
            continue;
        return bad_input(
            "--operation: expected methods that compute one thing, found %s and %s; run them as two studies", first->id,
            other->id);
    }
    return OK;
}

enum status study_apply_operations(struct study *study, bool quiet)
{
    if (study->operation_count > 0)
        spread_methods(study, quiet);
    if (study->method_count > 0)
        return check_one_of(study);
    return bad_input("--operation: no method is left; see `ulpscope list methods` and `ulpscope list operations`");
}

/* ---- data ---- */

static enum data_kind kind_of(const struct study *study)
{
    const struct operation_row *row = &operation_table[study_operation(study)];
    if (row->vectors == 1)
        return ONE_VECTOR;
    return row->of == MATRICES ? TWO_MATRICES : TWO_VECTORS;
}

enum status study_set_vectors(struct study *study)
{
    for (size_t e = 0; e < study->entry_count; e++) {
        struct study_entry *entry = &study->entries[e];
        for (size_t s = 0; s < entry->spec_count; s++)
            TRY(data_spec_set_kind(&entry->specs[s], kind_of(study), *entry->where ? entry->where : "--data"));
    }
    return OK;
}
