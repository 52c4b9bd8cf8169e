/* A case is sealed and stored in one go, as src/run/writer.c does in two. */
#ifndef ULPSCOPE_TESTS_PUT_CASE_H
#define ULPSCOPE_TESTS_PUT_CASE_H

#include "src/store/store.h"

static inline enum status store_put_case(struct store *store, struct finished_case *finished)
{
    const struct seal seal = store_seal_case(store, finished);
    return store_put_sealed(store, finished, &seal);
}

#endif
