/* Bits that kernels gave on a GPU on tests/golden/study.yaml, one a line: the replays here give the same. */
#include "../datasets/dataset.h"
#include "../src/fp.h"
#include "../src/method.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINE_SIZE = 512, GOLDEN_LINES_LEAST = 5000 };

/* One line of a golden file: "uniform:n=31" 1 0 kahan/serial 7 32 0x41700000 */
struct golden {
    char data[LINE_SIZE], method[LINE_SIZE];
    uint64_t seed, trial;
    struct launch launch;
    uint32_t bits;
};

/* Consecutive lines share their data. */
struct cache {
    char spec[LINE_SIZE];
    uint64_t seed, trial;
    struct dataset data;
};

static int read_line(const char *line, struct golden *golden)
{
    return sscanf(line, "%511s %" SCNu64 " %" SCNu64 " %511s %" SCNu32 " %" SCNu32 " %" SCNx32, golden->data,
                  &golden->seed, &golden->trial, golden->method, &golden->launch.blocks, &golden->launch.threads,
                  &golden->bits) == 7;
}

static const struct dataset *data_for(struct cache *cache, const struct golden *golden)
{
    struct data_spec *spec;
    size_t count;
    if (strcmp(cache->spec, golden->data) == 0 && cache->seed == golden->seed && cache->trial == golden->trial)
        return &cache->data;
    dataset_free(&cache->data);
    assert_int_equal(data_specs_read(golden->data, "golden", NONFINITE_REFUSE, &spec, &count), OK);
    assert_int_equal(dataset_make(&spec[0], golden->seed, golden->trial, &cache->data), OK);
    data_specs_free(spec, count);
    strcpy(cache->spec, golden->data);
    cache->seed = golden->seed;
    cache->trial = golden->trial;
    return &cache->data;
}

/* 1 when the replay has other bits than `expected`. */
static int replay_differs(const struct golden *golden, const struct dataset *data, uint32_t expected)
{
    float replay;
    const struct method *method = method_find(golden->method);
    assert_non_null(method);
    assert_int_equal(method->replay(data->x, data->n, golden->launch, 1, &replay), OK);
    return !float_same(replay, float_from_bits(expected));
}

static FILE *open_golden(void)
{
    FILE *file = fopen(SOURCE_DIRECTORY "/tests/golden/h200_study.txt", "r");
    assert_non_null(file);
    return file;
}

static void every_golden_line_is_replayed_with_the_same_bits(void **state)
{
    (void)state;
    struct cache cache = {0};
    struct golden golden;
    char line[LINE_SIZE];
    uint64_t lines = 0, wrong = 0;
    FILE *file = open_golden();
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        assert_true(read_line(line, &golden));
        lines++;
        if (replay_differs(&golden, data_for(&cache, &golden), golden.bits)) {
            wrong++;
            print_message("replay differs: %s", line);
        }
    }
    fclose(file);
    dataset_free(&cache.data);
    assert_int_equal(wrong, 0);
    assert_true(lines >= GOLDEN_LINES_LEAST);
}

/* The twin: one bit of a golden line changed. */
static void a_changed_golden_bit_is_noticed(void **state)
{
    (void)state;
    struct cache cache = {0};
    struct golden golden;
    assert_true(read_line("uniform:n=1000 1 0 plain/serial 7 32 0x00000000", &golden));
    const struct dataset *data = data_for(&cache, &golden);
    float replay;
    assert_int_equal(method_find(golden.method)->replay(data->x, data->n, golden.launch, 1, &replay), OK);
    assert_false(replay_differs(&golden, data, float_bits(replay)));
    assert_true(replay_differs(&golden, data, float_bits(replay) ^ 1u));
    dataset_free(&cache.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_golden_line_is_replayed_with_the_same_bits),
        cmocka_unit_test(a_changed_golden_bit_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
