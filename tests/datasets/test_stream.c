/* Data sets in pieces: together they are the whole, in order; each is small; a consumer that fails ends it. */
#define PROGRAM "" /* no line is run here */
#include "tests/support/program.h"

#include "datasets/dataset.h"
#include "datasets/files/file.h"
#include "tests/support/heard.h"

#include <math.h>

enum {
    MANY = 150001,         /* more than two pieces */
    PIECE_BYTES = 1 << 20, /* what a piece may take at most */
};

/* ---- a consumer that remembers, and fails when it is told to ---- */

struct heap {
    const struct format *format;
    uint64_t most, n, starts, takes, largest;
    char *numbers;
    bool fails_at_start;
    uint64_t fails_at_take; /* from 1; 0: never */
};

static enum status on_start(void *context, const struct format *format, uint64_t most)
{
    struct heap *heap = context;
    assert_int_equal(heap->takes, 0);
    heap->format = format;
    heap->most = most;
    heap->starts++;
    return heap->fails_at_start ? NOT_MEASURED : OK;
}

static enum status on_take(void *context, const void *x, uint64_t n)
{
    struct heap *heap = context;
    assert_true(heap->format && n > 0);
    const size_t bytes = heap->format->bytes;
    heap->numbers = realloc(heap->numbers, (heap->n + n) * bytes);
    assert_non_null(heap->numbers);
    memcpy(heap->numbers + heap->n * bytes, x, n * bytes);
    heap->n += n;
    heap->largest = n > heap->largest ? n : heap->largest;
    return ++heap->takes == heap->fails_at_take ? LIMIT_BROKEN : OK;
}

static enum status stream(const char *name, struct file_options options, struct heap *heap, struct dataset *about)
{
    const struct consumer consumer = {on_start, on_take, heap, NULL};
    return file_stream(in_folder(name).text, &options, &consumer, about);
}

/* ---- files of many numbers ---- */

static const char *const names[] = {"x.npy", "x.csv", "x.f32", "x.raw"};
enum { NAMES = sizeof names / sizeof *names };

/* Number i, none like its neighbours; every 1000th is a special when there are any. */
static float number(uint64_t i, bool specials)
{
    static const float special[] = {NAN, INFINITY, -INFINITY};
    return specials && i % 1000 == 999 ? special[i / 1000 % 3] : (float)(i * 7919 % 1000003) - 0.5F;
}

static void write_many(const char *name, bool specials)
{
    struct dataset data = {.format = &FORMAT_BINARY32, .x = malloc(MANY * sizeof(float)), .n = MANY};
    assert_non_null(data.x);
    for (uint64_t i = 0; i < MANY; i++)
        ((float *)data.x)[i] = number(i, specials);
    assert_int_equal(file_write(in_folder(name).text, &data, NULL), OK);
    dataset_free(&data);
}

static void pieces_of_every_format_are_the_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        struct heap heap = {0};
        struct dataset whole;
        struct dataset about = {0};
        write_many(names[i], false);
        assert_int_equal(stream(names[i], (struct file_options){0}, &heap, &about), OK);
        assert_int_equal(file_read(in_folder(names[i]).text, &(struct file_options){0}, &whole), OK);
        assert_int_equal(heap.n, MANY);
        assert_int_equal(whole.n, MANY);
        assert_memory_equal(heap.numbers, whole.x, MANY * sizeof(float));
        for (uint64_t k = 0; k < MANY; k++)
            assert_true(((const float *)whole.x)[k] == number(k, false));
        assert_true(heap.starts == 1 && heap.takes > 2 && heap.largest <= PIECE_BYTES / sizeof(float));
        assert_true(heap.most == 0 || heap.most == MANY);
        assert_string_equal(heap.format->name, "binary32");
        assert_int_equal(about.left_out, 0);
        dataset_free(&whole);
        free(heap.numbers);
    }
}

static void specials_are_left_out_of_every_piece(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        struct heap heap = {0};
        struct dataset about;
        write_many(names[i], true);
        assert_int_equal(stream(names[i], (struct file_options){.nonfinite = NONFINITE_SKIP}, &heap, &about), OK);
        assert_int_equal(about.left_out, MANY / 1000);
        assert_int_equal(heap.n, MANY - MANY / 1000);
        for (uint64_t k = 0, from = 0; k < heap.n; k++, from++) {
            from += from % 1000 == 999;
            assert_true(((const float *)(const void *)heap.numbers)[k] == number(from, true));
        }
        free(heap.numbers);
    }
}

static void specials_are_kept_in_every_piece(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        struct heap heap = {0};
        struct dataset about;
        write_many(names[i], true);
        assert_int_equal(stream(names[i], (struct file_options){.nonfinite = NONFINITE_IEEE}, &heap, &about), OK);
        assert_int_equal(heap.n, MANY);
        for (uint64_t k = 0; k < MANY; k++)
            assert_true(float_same(((const float *)(const void *)heap.numbers)[k], number(k, true)));
        free(heap.numbers);
    }
}

/* ---- what ends a stream ---- */

static void special_in_a_later_piece_is_refused_by_its_number(void **state)
{
    (void)state;
    static float numbers[MANY];
    struct heap heap = {0};
    struct dataset about;
    numbers[140000] = NAN;
    put_file("x.raw", numbers, sizeof numbers);
    struct heard heard = listen_to_stderr();
    const enum status status = stream("x.raw", (struct file_options){0}, &heap, &about);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    assert_non_null(strstr(heard.text, "element 140000 (from 0), nan"));
    assert_true(heap.n > 0 && heap.n <= 140000);
    free(heap.numbers);
}

static void consumer_that_fails_ends_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        struct heap at_start = {.fails_at_start = true}, at_take = {.fails_at_take = 2}, last = {0}, whole = {0};
        struct dataset about;
        write_many(names[i], false);
        assert_int_equal(stream(names[i], (struct file_options){0}, &whole, &about), OK);
        last.fails_at_take = whole.takes;
        assert_int_equal(stream(names[i], (struct file_options){0}, &at_start, &about), NOT_MEASURED);
        assert_int_equal(at_start.takes, 0);
        assert_int_equal(stream(names[i], (struct file_options){0}, &at_take, &about), LIMIT_BROKEN);
        assert_int_equal(at_take.takes, 2);
        assert_int_equal(stream(names[i], (struct file_options){0}, &last, &about), LIMIT_BROKEN);
        assert_int_equal(last.n, MANY);
        free(at_take.numbers);
        free(last.numbers);
        free(whole.numbers);
    }
}

/* ---- nothing, and what is generated ---- */

static struct data_spec *spec_of(const char *text)
{
    struct data_spec *spec;
    size_t count;
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &spec, &count), OK);
    assert_int_equal(count, 1);
    return spec;
}

static void no_numbers_start_and_have_no_piece(void **state)
{
    (void)state;
    struct heap generated = {0};
    const struct consumer consumer = {on_start, on_take, &generated, NULL};
    struct data_spec *spec = spec_of("uniform:n=0");
    struct dataset about;
    assert_int_equal(dataset_stream(spec, 1, 0, &consumer, &about), OK);
    assert_true(generated.starts == 1 && generated.takes == 0);
    data_specs_free(spec, 1);
}

static void generated_data_are_one_piece(void **state)
{
    (void)state;
    struct heap heap = {0};
    const struct consumer consumer = {on_start, on_take, &heap, NULL};
    struct data_spec *spec = spec_of("normal:n=300001");
    struct dataset data;
    struct dataset about;
    assert_int_equal(dataset_stream(spec, 7, 3, &consumer, &about), OK);
    assert_int_equal(dataset_make(spec, 7, 3, &data), OK);
    assert_true(heap.starts == 1 && heap.takes == 1 && heap.n == 300001);
    assert_memory_equal(heap.numbers, data.x, 300001 * sizeof(float));
    assert_int_equal(about.left_out, 0);
    data_specs_free(spec, 1);
    dataset_free(&data);
    free(heap.numbers);
}

/* More than one piece of a formula, which stands where its index says; a sum that is built, and another order, are one
 * piece. */
static void formulas_come_in_pieces_and_others_whole(void **state)
{
    (void)state;
    enum { PIECE_OF_A_FORMULA = 1 << 22, LONG = 2 * PIECE_OF_A_FORMULA + 3 };
    static const struct {
        const char *text;
        uint64_t n, takes;
    } cases[] = {{"uniform:n=8388611,low=-1", LONG, 3},
                 {"uniform:n=4194304", PIECE_OF_A_FORMULA, 1},
                 {"uniform:n=8388611,order=reversed", LONG, 1},
                 {"gensum:n=1000", 1000, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct heap heap = {0};
        const struct consumer consumer = {on_start, on_take, &heap, NULL};
        struct data_spec *spec = spec_of(cases[i].text);
        struct dataset data;
        struct dataset about;
        assert_int_equal(dataset_stream(spec, 7, 3, &consumer, &about), OK);
        assert_int_equal(dataset_make(spec, 7, 3, &data), OK);
        assert_true(heap.starts == 1 && heap.takes == cases[i].takes && heap.n == cases[i].n);
        assert_int_equal(heap.most, cases[i].n);
        assert_memory_equal(heap.numbers, data.x, heap.n * sizeof(float));
        data_specs_free(spec, 1);
        dataset_free(&data);
        free(heap.numbers);
    }
}

static void consumer_that_fails_ends_a_formula(void **state)
{
    (void)state;
    struct heap heap = {.fails_at_take = 1}, at_start = {.fails_at_start = true};
    struct consumer consumer = {on_start, on_take, &heap, NULL};
    struct data_spec *spec = spec_of("const:n=5000000");
    struct dataset about;
    assert_int_equal(dataset_stream(spec, 1, 0, &consumer, &about), LIMIT_BROKEN);
    assert_int_equal(heap.takes, 1);
    consumer.context = &at_start;
    assert_int_equal(dataset_stream(spec, 1, 0, &consumer, &about), NOT_MEASURED);
    assert_int_equal(at_start.takes, 0);
    data_specs_free(spec, 1);
    free(heap.numbers);
}

/* ---- binary64 ---- */

/* What numpy.save writes for these numbers, which lie in this order of bytes. */
static void put_binary64(const char *name, char order, const double *x, size_t n)
{
    char bytes[128 + 8 * sizeof *x];
    memset(bytes, ' ', 128);
    assert_true(n <= 8);
    const int used =
        snprintf(bytes, 128, "\x93NUMPY%c%c%c%c{'descr': '%cf8', 'fortran_order': False, 'shape': (%zu,), }", 1, 0, 118,
                 0, order, n);
    assert_true(used > 0 && used < 127);
    bytes[used] = ' ';
    bytes[127] = '\n';
    memcpy(bytes + 128, x, n * sizeof *x);
    put_file(name, bytes, 128 + n * sizeof *x);
}

static void binary64_is_taken_as_it_is(void **state)
{
    (void)state;
    const double x[] = {0x1.123456789abcdp-1000, -0x1p-1074, INFINITY, 0x1.fffffffffffffp+1023};
    const double kept[] = {x[0], x[1], x[3]};
    struct heap heap = {0}, all = {0};
    struct dataset about;
    put_binary64("x.npy", '<', x, 4);
    const struct file_options skip = {.nonfinite = NONFINITE_SKIP};
    assert_int_equal(stream("x.npy", skip, &heap, &about), OK);
    assert_int_equal(about.left_out, 1);
    assert_int_equal(heap.format->precision, FORMAT_BINARY64.precision);
    assert_int_equal(heap.n, 3);
    assert_memory_equal(heap.numbers, kept, sizeof kept);
    const struct file_options ieee = {.nonfinite = NONFINITE_IEEE};
    assert_int_equal(stream("x.npy", ieee, &all, &about), OK);
    assert_int_equal(all.n, 4);
    assert_memory_equal(all.numbers, x, sizeof x);
    free(heap.numbers);
    free(all.numbers);
}

static void binary64_of_the_other_order_of_bytes_is_taken(void **state)
{
    (void)state;
    const double x[] = {0x1.123456789abcdp-1000, 0x1.fffffffffffffp+1023};
    double turned[2];
    for (size_t i = 0; i < sizeof x; i++)
        ((char *)turned)[i] = ((const char *)x)[i / 8 * 8 + 7 - i % 8];
    struct heap heap = {0};
    struct dataset about;
    put_binary64("x.npy", '>', turned, 2);
    assert_int_equal(stream("x.npy", (struct file_options){0}, &heap, &about), OK);
    assert_int_equal(heap.n, 2);
    assert_memory_equal(heap.numbers, x, sizeof x);
    free(heap.numbers);
}

#define FACT(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(pieces_of_every_format_are_the_whole),
        FACT(specials_are_left_out_of_every_piece),
        FACT(specials_are_kept_in_every_piece),
        FACT(special_in_a_later_piece_is_refused_by_its_number),
        FACT(consumer_that_fails_ends_it),
        FACT(no_numbers_start_and_have_no_piece),
        FACT(generated_data_are_one_piece),
        FACT(formulas_come_in_pieces_and_others_whole),
        FACT(consumer_that_fails_ends_a_formula),
        FACT(binary64_is_taken_as_it_is),
        FACT(binary64_of_the_other_order_of_bytes_is_taken),
    };
    return cmocka_run_group_tests_name("data in pieces", tests, NULL, NULL);
}
