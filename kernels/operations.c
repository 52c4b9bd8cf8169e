#include "method.h"

#include <string.h>

const struct operation_row operation_table[OPERATIONS] = {
#define OPERATION(id, vectors, terms, of, claim) {#id, vectors, of, claim, OPERATION_##id},
#include "operations.def"
#define SCAN_OPERATION(id, of, claim) {#id, 1, of, claim, OPERATION_##id},
#include "scan_operations.def"
#define STATISTIC(id, name, vectors, of, algorithm, claim) {name, vectors, of, claim, OPERATION_##id},
#include "statistics.def"
#define MATMUL_OPERATION(id, terms, claim) {#id, 2, MATRICES, claim, OPERATION_##terms},
#include "matmul_operations.def"
};

const struct quantity_row quantity_table[QUANTITIES] = {
#define QUANTITY(id, noun, title, usual, hard, unit) {noun, title, usual, hard, unit},
#include "quantities.def"
};

/* "variance" is what any algorithm of statistics.def computes: the first of them stands for it. */
enum operation operation_named(const char *name)
{
    const size_t length = strlen(name);
    int operation = 0;
    while (operation < OPERATIONS && (strncmp(operation_table[operation].id, name, length) != 0 ||
                                      !strchr(".", operation_table[operation].id[length])))
        operation++;
    return (enum operation)operation;
}
