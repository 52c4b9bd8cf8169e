/* However the data come: on any number of threads, in pieces, as a period, the sum is the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "summed_data.h"

enum { THREADED = 1 << 20 };

/* ---- threads ---- */

static void any_number_of_threads_gives_the_same(void **state)
{
    (void)state;
    seed_random(6);
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        struct data data = any_data(formats[f], THREADED + 13);
        for (size_t s = 0; s < COUNT_OF(specials); s++)
            set(&data, below(data.n), specials[s]);
        for (unsigned workers = 1; workers <= 5; workers++)
            assert_true(agree(sum_of(&data, (struct exact_how){0}), sum_of(&data, (struct exact_how){workers, false})));
        for (unsigned workers = 1; workers <= 5; workers++) {
            struct exact_sum one, several;
            assert_int_equal(exact_dot(data.format, (struct exact_how){0}, data.x, data.x, data.n, &one), OK);
            assert_int_equal(
                exact_dot(data.format, (struct exact_how){workers, false}, data.x, data.x, data.n, &several), OK);
            assert_true(agree(one, several));
        }
        free(data.x);
        data = any_data(formats[f], THREADED + 5);
        struct exact_sum exact = sum_of(&data, (struct exact_how){3, false});
        assert_true(is_the_integer_sum(&exact, &data, NULL));
        exact_free(&exact);
        free(data.x);
    }
}

static struct exact_sum sum_in_pieces(const struct data *data, struct exact_how how, uint64_t piece_most)
{
    struct exact_stream *stream;
    struct exact_sum exact;
    assert_int_equal(exact_stream_new(data->format, how, &stream), OK);
    for (uint64_t i = 0, piece; i < data->n; i += piece) {
        piece = below(piece_most + 1);
        if (piece > data->n - i)
            piece = data->n - i;
        assert_int_equal(exact_stream_add(stream, (const char *)data->x + i * data->format->bytes, piece), OK);
    }
    assert_int_equal(exact_stream_end(stream, &exact), OK);
    return exact;
}

static void pieces_give_what_one_call_gives(void **state)
{
    (void)state;
    static const uint64_t pieces[] = {1, 2, 7, 100, BLOCK + 3, 4 * BLOCK};
    seed_random(7);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (size_t p = 0; p < COUNT_OF(pieces); p++)
            for (int verify = 0; verify < 2; verify++) {
                struct data data = any_data(formats[f], below(3 * BLOCK));
                const struct exact_how how = {.workers = (unsigned)p, .verify = verify};
                assert_true(agree(sum_of(&data, verified), sum_in_pieces(&data, how, pieces[p])));
                free(data.x);
            }
    struct data data = any_data(&FORMAT_BINARY32, THREADED);
    assert_true(
        agree(sum_of(&data, (struct exact_how){0}), sum_in_pieces(&data, (struct exact_how){.workers = 3}, THREADED)));
    free(data.x);
}

static void a_stream_that_is_not_ended_can_be_freed(void **state)
{
    (void)state;
    struct exact_stream *stream;
    assert_int_equal(exact_stream_new(&FORMAT_BINARY64, (struct exact_how){2, true}, &stream), OK);
    assert_int_equal(exact_stream_add(stream, &(double){1}, 1), OK);
    exact_stream_free(stream);
    exact_stream_free(NULL);
}

static void data_that_repeat_give_what_they_give_written_out(void **state)
{
    (void)state;
    seed_random(8);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (int round = 0; round < 300; round++) {
            const uint64_t period = 1 + below(40), n = below(1000);
            struct data data = any_data(formats[f], period), written = data_new(formats[f], n);
            for (uint64_t i = 0; i < period && round % 2; i++)
                if (below(4) == 0)
                    set(&data, i, specials[below(COUNT_OF(specials))]);
            for (uint64_t i = 0; i < n; i++)
                set(&written, i, get(&data, i % period));
            struct exact_sum exact;
            assert_int_equal(exact_sum_repeated(formats[f], data.x, period, n, &exact), OK);
            assert_true(agree(exact, sum_of(&written, verified)));
            struct exact_sum dot;
            assert_int_equal(exact_dot_repeated(formats[f], data.x, data.x, period, n, &exact), OK);
            assert_int_equal(exact_dot(formats[f], verified, written.x, written.x, n, &dot), OK);
            assert_true(agree(exact, dot));
            free(data.x);
            free(written.x);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same),
        cmocka_unit_test(pieces_give_what_one_call_gives),
        cmocka_unit_test(a_stream_that_is_not_ended_can_be_freed),
        cmocka_unit_test(data_that_repeat_give_what_they_give_written_out),
    };
    return cmocka_run_group_tests_name("pieces in bins", tests, NULL, NULL);
}
