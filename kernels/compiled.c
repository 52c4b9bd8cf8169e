/* What is compiled of one operation, an array of rows, OPERATION_rows: compiled once for each operation whose terms are
 * its own, and for the sum, which has what MEASURES and adds integers as well. */
#include "compiled.h"
#include "only.h"

#define PASTE_(a, b, c, d) a##_##b##_##c##_##d
#define PASTE(a, b, c, d) PASTE_(a, b, c, d)
#define OF(id, real) PASTE(id, real, OPERATION_ID, compiled)

#define DECLARE_SUMS(id)                                                                                               \
    extern const struct compiled OF(id, binary64), OF(id, binary32), OF(id, binary16), OF(id, bfloat16);
#ifdef MEASURES_TOO
extern const struct compiled OF(plain, e4m3), OF(plain, e5m2);
#define LIST_8_BITS(id) IN_8_BITS(id, &OF(id, e4m3), NULL), IN_8_BITS(id, &OF(id, e5m2), NULL)
#else
#define LIST_8_BITS(id) NULL, NULL
#endif
#define LIST_SUMS(id)                                                                                                  \
    {                                                                                                                  \
        &OF(id, binary64), &OF(id, binary32), &OF(id, binary16), &OF(id, bfloat16), LIST_8_BITS(id)                    \
    }
#ifdef MEASURES_TOO
#define DECLARE_MEASURES(id) DECLARE_SUMS(id)
#define LIST_MEASURES(id) LIST_SUMS(id)
#else
#define DECLARE_MEASURES(id)
#define LIST_MEASURES(id)                                                                                              \
    {                                                                                                                  \
        NULL                                                                                                           \
    }
#endif
#define DECLARE_INTEGER_SUMS(id) DECLARE_MEASURES(id)
#define LIST_INTEGER_SUMS(id) LIST_MEASURES(id)
#define DECLARE_MOMENTS(id) DECLARE_MEASURES(id)
#define LIST_MOMENTS(id) LIST_MEASURES(id)
#define DECLARE_MEASURES_ON_HOST(id) DECLARE_MEASURES(id)
#define LIST_MEASURES_ON_HOST(id) LIST_MEASURES(id)

#define ACCUMULATOR(id, role, additions, of_merge, claim) DECLARE_##role(id)
#include "accumulators.def"

#define ROWS_(operation) operation##_rows
#define ROWS(operation) ROWS_(operation)
extern const struct compiled_row ROWS(OPERATION_ID)[ACCUMULATORS];
const struct compiled_row ROWS(OPERATION_ID)[ACCUMULATORS] = {
#define ACCUMULATOR(id, role, additions, of_merge, claim) {#id, claim, role, additions, of_merge, LIST_##role(id)},
#include "accumulators.def"
};
