/* The tests of a room, one program: `tests_kernels test_sums ARGUMENT...` is what the file test_sums.c would be alone.
 * GROUPS is a file that CMake writes, with a line GROUP(name, parameters of its main, what it gets, may it start
 * threads) of each.
 */
#include <stdio.h>
#include <string.h>

#define GROUP(name, parameters, arguments, starts) int name##_main parameters;
#include GROUPS
#undef GROUP

extern int may_start_threads; /* base/no_threads.c */

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
#define GROUP(group, parameters, arguments, starts)                                                                    \
    if (strcmp(name, #group) == 0) {                                                                                   \
        may_start_threads = starts;                                                                                    \
        return group##_main arguments;                                                                                 \
    }
#include GROUPS
#undef GROUP
#define GROUP(group, parameters, arguments, starts) " " #group
    fprintf(stderr, "expected a group of tests, found \"%s\"; give one of%s\n", name,
#include GROUPS
    );
    return 2;
}
