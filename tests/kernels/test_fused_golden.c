/* Replays of fused units have the bits that a GPU gave: tests/golden/fused.txt, which test_device_fused writes. */
#include "fused_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { GOLDEN_LEAST = 60 };

static void replay_line(const struct method *method, char line[LINE_SIZE])
{
    static struct fused_rows rows;
    uint64_t bits[RESULTS];
    fused_rows_of(method->sum_format, &rows);
    assert_int_equal(method_replay(method, &rows.of, (struct launch){1, 128}, workers_cores(), bits), OK);
    fused_line(method, bits, line);
}

static void replays_have_the_bits_of_a_gpu(void **state)
{
    char golden[LINE_SIZE], id[LINE_SIZE], line[LINE_SIZE];
    int compared = 0;
    FILE *file = fopen(SOURCE_DIRECTORY "/tests/golden/fused.txt", "r");
    (void)state;
    assert_non_null(file);
    while (fgets(golden, sizeof golden, file))
        if (*golden != '#') {
            assert_int_equal(sscanf(golden, "%127s", id), 1);
            assert_non_null(method_find(id));
            replay_line(method_find(id), line);
            assert_string_equal(line, golden);
            compared++;
        }
    fclose(file);
    assert_true(compared >= GOLDEN_LEAST);
}

/* The twin: 24 fraction bits for 25, blocks of 8 for 16; another period; 13 bits for 25. */
static void another_unit_has_another_fingerprint(void **state)
{
    static const char *const pairs[][2] = {
        {"matmul:hopper_mma/chain@bfloat16_to_binary32", "matmul:ampere_mma/chain@bfloat16_to_binary32"},
        {"matmul:hopper_wgmma/promoted_4@e4m3", "matmul:hopper_wgmma/promoted_16@e4m3"},
        {"matmul:hopper_wgmma/chain@e5m2", "matmul:hopper_mma/chain@e5m2"},
    };
    (void)state;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        char lines[2][LINE_SIZE];
        replay_line(method_find(pairs[p][0]), lines[0]);
        replay_line(method_find(pairs[p][1]), lines[1]);
        assert_string_not_equal(strchr(lines[0], ' '), strchr(lines[1], ' '));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replays_have_the_bits_of_a_gpu),
        cmocka_unit_test(another_unit_has_another_fingerprint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
