#include "measure.h"

#include "operation.h"

static void discard(struct shelved *shelved)
{
    exact_free(&shelved->exact);
    dataset_free(&shelved->data);
    free(shelved);
}

/* The shelf is a user, too. */
static void leave(struct shelved *shelved)
{
    if (shelved && --shelved->users == 0)
        discard(shelved);
}

static enum status make(struct shelf *shelf, const struct data_spec *spec, enum operation operation, unsigned workers)
{
    struct shelved *made = calloc(1, sizeof *made);
    leave(shelf->kept);
    shelf->kept = NULL;
    if (!made)
        return out_of_memory(spec->text);
    *made = (struct shelved){.spec = spec, .users = 1};
    enum status status = dataset_unordered(spec, 0, 0, &made->data); /* no seed and no trial changes them */
    if (status == OK && !operation_has_elements(operation)) {        /* which have one for each element */
        const struct exact_how how = {.workers = workers};
        status = operation_exact(operation, &made->data, how, &made->exact);
        if (status != OK)
            dataset_free(&made->data);
    }
    if (status == OK)
        shelf->kept = made;
    else
        free(made);
    return status;
}

enum status shelf_take(struct shelf *shelf, const struct data_spec *spec, enum operation operation, unsigned workers,
                       const struct shelved **shelved)
{
    pthread_mutex_lock(&shelf->mutex);
    enum status status = shelf->lacking == spec ? shelf->why : OK;
    if (status == OK && !(shelf->kept && shelf->kept->spec == spec))
        status = make(shelf, spec, operation, workers);
    if (status == OK) {
        shelf->kept->users++;
    } else {
        shelf->lacking = spec;
        shelf->why = status;
    }
    *shelved = shelf->kept;
    pthread_mutex_unlock(&shelf->mutex);
    return status;
}

void shelf_give_back(struct shelf *shelf, const struct shelved *shelved)
{
    pthread_mutex_lock(&shelf->mutex);
    leave((struct shelved *)shelved);
    pthread_mutex_unlock(&shelf->mutex);
}

void shelf_empty(struct shelf *shelf)
{
    leave(shelf->kept);
    shelf->kept = NULL;
}
