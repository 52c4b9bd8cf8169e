/* The same seed gives the same bits: every family's data, made by this compiler with these options, have the SHA-256 of
 * tests/golden/data.txt.
 *
 *   test_data_bits            compares
 *   test_data_bits --print    prints the file as it should be
 *   test_data_bits --add      prints the file as it is, with the families that it lacks: for tools/pages
 */
#include "data_bits.h"

#include "src/base/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_TEXT = 64, LINES_MOST = 400 };

struct golden_line {
    char id[ID_TEXT], bits[DATA_BITS_TEXT];
};

struct golden {
    struct golden_line lines[LINES_MOST];
    size_t count;
};

static enum status make_on_host(void *context, const struct data_spec *spec, uint64_t trial, void **x)
{
    struct dataset data;
    (void)context;
    TRY(dataset_make(spec, 1, trial, &data));
    *x = data.x;
    if (!data.y)
        return OK;
    const size_t bytes = (size_t)(data.rows * data.n) * format_held(data.format)->bytes;
    *x = realloc(data.x, 2 * bytes);
    assert_non_null(*x);
    memcpy((char *)*x + bytes, data.y, bytes);
    free(data.y);
    return OK;
}

/* Those of vectors, then those of matrices, which are square; NULL: there are no more. */
static const struct generator *family_at(size_t g)
{
    size_t vectors, matrices;
    const struct generator *const *of_vectors = generator_table(&vectors), *const *of_matrices =
                                                                               generator_matrices(&matrices);
    return g < vectors ? of_vectors[g] : g < vectors + matrices ? of_matrices[g - vectors] : NULL;
}

static int read_golden(void **state)
{
    static struct golden golden;
    FILE *file = fopen(SOURCE_DIRECTORY "/tests/golden/data.txt", "r");
    char line[ID_TEXT + DATA_BITS_TEXT + 2];
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file) && golden.count < LINES_MOST)
        if (*line != '#' &&
            sscanf(line, "%63s %64s", golden.lines[golden.count].id, golden.lines[golden.count].bits) == 2)
            golden.count++;
    fclose(file);
    *state = &golden;
    return 0;
}

static const char *golden_bits_of(const struct golden *golden, const char *id)
{
    for (size_t k = 0; k < golden->count; k++)
        if (strcmp(golden->lines[k].id, id) == 0)
            return golden->lines[k].bits;
    return NULL;
}

/* "swamp", "swamp@bfloat16" */
static const char *line_id(const struct generator *generator, const struct format *format, char id[ID_TEXT])
{
    const bool is_binary32 = format->precision == FORMAT_BINARY32.precision;
    snprintf(id, ID_TEXT, "%s%s%s", generator->id, is_binary32 ? "" : "@", is_binary32 ? "" : format->name);
    return id;
}

static bool has_its_bits(const struct golden *golden, const struct generator *generator, const struct format *format)
{
    char bits[DATA_BITS_TEXT], id[ID_TEXT];
    const char *golden_bits = golden_bits_of(golden, line_id(generator, format, id));
    assert_int_equal(data_bits(generator, format, make_on_host, NULL, bits), OK);
    if (!golden_bits)
        print_message("no bits of '%s' in tests/golden/data.txt; tools/pages adds them\n", id);
    if (!golden_bits || strcmp(bits, golden_bits) == 0)
        return true;
    print_error("%s has other bits than in tests/golden/data.txt; it has\n%s %s\n", id, id, bits);
    return false;
}

static void every_family_has_its_bits(void **state)
{
    size_t different = 0;
    const struct generator *family;
    for (size_t g = 0; (family = family_at(g)); g++)
        for (int f = 0; f < STORED_FORMAT_COUNT; f++)
            if (!generator_refuses(family, NUMBER_FORMATS[f]))
                different += !has_its_bits(*state, family, NUMBER_FORMATS[f]);
    assert_int_equal(different, 0);
}

static bool is_served(const char *id)
{
    char family[ID_TEXT];
    const size_t length = strcspn(id, "@");
    snprintf(family, sizeof family, "%.*s", (int)length, id);
    const struct generator *generator = generator_find(family);
    const struct format *format = id[length] == '@' ? format_named(id + length + 1) : &FORMAT_BINARY32;
    return generator && format && !generator_refuses(generator, format);
}

static void every_line_has_its_family(void **state)
{
    const struct golden *golden = *state;
    for (size_t k = 0; k < golden->count; k++)
        if (!is_served(golden->lines[k].id) || golden_bits_of(golden, golden->lines[k].id) != golden->lines[k].bits)
            fail_msg("%s: no such family or format, or twice in tests/golden/data.txt", golden->lines[k].id);
}

/* The twin: one bit of one element. */
static enum status make_with_a_fault(void *context, const struct data_spec *spec, uint64_t trial, void **x)
{
    TRY(make_on_host(context, spec, trial, x));
    float *last = (float *)*x + spec->n - 1;
    *last = float_from_bits(float_bits(*last) ^ 1);
    return OK;
}

static void another_bit_is_found(void **state)
{
    char bits[DATA_BITS_TEXT];
    assert_int_equal(data_bits(generator_find("uniform"), &FORMAT_BINARY32, make_with_a_fault, NULL, bits), OK);
    assert_string_not_equal(bits, golden_bits_of(*state, "uniform"));
}

static void parts_of(const struct generator *generator, const char *text)
{
    enum { N = 1000 };
    static const uint64_t starts[] = {0, 1, 2, 3, 499, 998, 999},
                          counts[] = {0, 1, 2, 3, 400, 501, 997, 998, 999, 1000};
    struct data_spec *specs;
    struct generator_call call;
    size_t spec_count;
    double whole[N], part[N]; /* room for either */
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &spec_count), OK);
    assert_int_equal(dataset_call(specs, 7, 3, &call), OK);
    const uint64_t n = call.n < N ? call.n : N, size = format_held(specs->format)->bytes;
    generator->elements(&call, 0, n, whole);
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            if (starts[s] + counts[c] <= n) {
                generator->elements(&call, starts[s], counts[c], part);
                assert_memory_equal(part, (char *)whole + starts[s] * size, counts[c] * size);
            }
    data_specs_free(specs, spec_count);
}

/* Any part of the elements, from any place on, is that part of the whole. */
static void parts_have_the_bits_of_the_whole(void **state)
{
    (void)state;
    size_t count;
    const struct generator *const *table = generator_table(&count);
    for (size_t g = 0; g < count; g++) {
        if (!table[g]->elements)
            continue;
        parts_of(table[g], table[g]->showcase[0]);
        for (int f = 0; f < STORED_FORMAT_COUNT; f++) {
            char text[2 * ID_TEXT];
            snprintf(text, sizeof text, "%s:format=%s", table[g]->id, NUMBER_FORMATS[f]->name);
            if (!generator_refuses(table[g], NUMBER_FORMATS[f]))
                parts_of(table[g], text);
        }
    }
}

/* `golden` NULL: nothing is kept as it is. */
static int print_all(const struct golden *golden)
{
    const struct generator *family;
    puts("# The bits of every family of data: tests/datasets/data_bits.h says of what.  Made by test_data_bits "
         "--print.");
    for (size_t g = 0; (family = family_at(g)); g++)
        for (int f = 0; f < STORED_FORMAT_COUNT; f++) {
            const struct format *format = NUMBER_FORMATS[f];
            char bits[DATA_BITS_TEXT], id[ID_TEXT];
            const char *kept = golden ? golden_bits_of(golden, line_id(family, format, id)) : NULL;
            if (generator_refuses(family, format))
                continue;
            if (!kept && data_bits(family, format, make_on_host, NULL, bits) != OK)
                return 1;
            printf("%s %s\n", line_id(family, format, id), kept ? kept : bits);
        }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_has_its_bits),
        cmocka_unit_test(every_line_has_its_family),
        cmocka_unit_test(another_bit_is_found),
        cmocka_unit_test(parts_have_the_bits_of_the_whole),
    };
    void *golden;
    if (argc > 1 && strcmp(argv[1], "--print") == 0)
        return print_all(NULL);
    if (argc > 1 && strcmp(argv[1], "--add") == 0)
        return read_golden(&golden) == 0 ? print_all(golden) : 1;
    return cmocka_run_group_tests(tests, read_golden, NULL);
}
