#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <ulpscope/assert_cmocka.h>

#include "sums.h"

static void sound(void **state)
{
    (void)state;
    ULPSCOPE_ASSERT_SUM(data(), N, four_chains(data(), N, 0), "auto");
}

static void broken(void **state)
{
    (void)state;
    ULPSCOPE_ASSERT_SUM(data(), N, four_chains(data(), N, 1), "auto");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sound), cmocka_unit_test(broken)};
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
