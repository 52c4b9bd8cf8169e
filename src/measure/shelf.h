/* Numbers that several trials add in other orders, and their exact sum, which has no order: made once, and kept until
 * the trials of the next spec are asked for. */
#pragma once

#include "datasets/dataset.h"
#include "kernels/method.h"
#include "reference/exact.h"

#include <pthread.h>

struct shelved {
    const struct data_spec *spec;
    struct dataset data; /* in the order of the family or the file */
    struct exact_sum exact;
    unsigned users;
};

struct shelf {
    pthread_mutex_t mutex; /* it is held while numbers are made: who waits, waits for these */
    struct shelved *kept;
    const struct data_spec *lacking; /* numbers that could not be made, which was complained about */
    enum status why;
};

/* The numbers of the spec, and what an operation gives of them, to be read and given back. */
enum status shelf_take(struct shelf *shelf, const struct data_spec *spec, enum operation operation, unsigned workers,
                       const struct shelved **shelved);
void shelf_give_back(struct shelf *shelf, const struct shelved *shelved);

/* When no thread uses it. */
void shelf_empty(struct shelf *shelf);
