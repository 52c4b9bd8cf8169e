/* A program whose ranks lose a field of each row on the way, or one of which dies before it joins: what test_mpirun.py
 * must notice. */
#include "src/ranks/case_bytes.h"
#include "src/ranks/ranks.h"

#include <signal.h>
#include <stdlib.h>

struct case_bytes __real_case_to_bytes(const struct finished_case *finished);
struct case_bytes __wrap_case_to_bytes(const struct finished_case *finished);
void __real_ranks_join(const struct ranks *ranks, const struct joins *joins, size_t size);
void __wrap_ranks_join(const struct ranks *ranks, const struct joins *joins, size_t size);

struct case_bytes __wrap_case_to_bytes(const struct finished_case *finished)
{
    for (size_t i = 0; i < finished->row_count && !getenv("ULPSCOPE_TEST_DIES"); i++)
        finished->rows[i].condition = 2;
    return __real_case_to_bytes(finished);
}

void __wrap_ranks_join(const struct ranks *ranks, const struct joins *joins, size_t size)
{
    const char *dies = getenv("ULPSCOPE_TEST_DIES");
    if (dies && ranks->rank == (unsigned)atoi(dies))
        raise(SIGKILL);
    __real_ranks_join(ranks, joins, size);
}
