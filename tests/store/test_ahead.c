/* Rows that another thread reads ahead: all of them, in order, each with its own texts, until somebody fails. */
#include "src/store/store_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 5000, NEVER = -1 };

struct made_rows {
    int count, fails_at, put;
};

/* A case of three rows has one exact sum, every seventh row a digest; the memory of a text is used again. */
static void write_texts(int number, char exact[32], char digest[32])
{
    snprintf(exact, 32, "0x%xp+0", (unsigned)number / 3);
    *digest = '\0';
    if (number % 7 == 0)
        snprintf(digest, 32, "%d", number);
}

static enum status put_rows(void *reader, row_visit *put, void *context)
{
    struct made_rows *rows = reader;
    char exact[32], digest[32];
    for (rows->put = 0; rows->put < rows->count; rows->put++) {
        if (rows->put == rows->fails_at)
            return NOT_MEASURED;
        write_texts(rows->put, exact, digest);
        const struct stored row = {.method = (size_t)rows->put,
                                   .result = {.exact = exact, .digest = digest, .map = ""}};
        TRY(put(context, &row));
    }
    return OK;
}

struct seen_rows {
    int count, stops_at;
};

static enum status see(void *context, const struct stored *row)
{
    struct seen_rows *seen = context;
    char exact[32], digest[32];
    if (seen->count == seen->stops_at)
        return LIMIT_BROKEN;
    if (seen->count % 1000 == 999)
        usleep(2000); /* the other thread comes as far ahead as it may */
    write_texts(seen->count, exact, digest);
    assert_int_equal(row->method, seen->count);
    assert_string_equal(row->result.exact, exact);
    assert_string_equal(row->result.digest, digest);
    assert_string_equal(row->result.map, "");
    seen->count++;
    return OK;
}

static void every_row_comes_in_order_with_its_texts(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 511, 512, 513, 1024, ROWS};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct made_rows rows = {.count = counts[i], .fails_at = NEVER};
        struct seen_rows seen = {.stops_at = NEVER};
        assert_int_equal(read_ahead(put_rows, &rows, see, &seen), OK);
        assert_int_equal(seen.count, counts[i]);
    }
}

static void a_reading_that_fails_is_told_behind_the_rows_before(void **state)
{
    (void)state;
    static const int fails[] = {0, 700, 1024, ROWS - 1};
    for (size_t i = 0; i < sizeof fails / sizeof *fails; i++) {
        struct made_rows rows = {.count = ROWS, .fails_at = fails[i]};
        struct seen_rows seen = {.stops_at = NEVER};
        assert_int_equal(read_ahead(put_rows, &rows, see, &seen), NOT_MEASURED);
        assert_int_equal(seen.count, fails[i]);
    }
}

static void a_visit_that_fails_ends_the_reading(void **state)
{
    (void)state;
    static const int stops[] = {0, 100, 512, 3000};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        struct made_rows rows = {.count = ROWS * 100, .fails_at = NEVER};
        struct seen_rows seen = {.stops_at = stops[i]};
        assert_int_equal(read_ahead(put_rows, &rows, see, &seen), LIMIT_BROKEN);
        assert_int_equal(seen.count, stops[i]);
        assert_true(rows.put < ROWS * 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_comes_in_order_with_its_texts),
        cmocka_unit_test(a_reading_that_fails_is_told_behind_the_rows_before),
        cmocka_unit_test(a_visit_that_fails_ends_the_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
