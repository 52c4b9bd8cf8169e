/* Rows of numbers of a kind, as their format stores them and as the host has them; for tests of cmocka, whose header
 * comes first. */
#ifndef TESTS_REFERENCE_SUM_TRIAL_H
#define TESTS_REFERENCE_SUM_TRIAL_H

#include "number_kinds.h"
#include "reference/agree.h"
#include "reference/sum_device.h"

#include <stdlib.h>

struct sum_trial {
    struct exact_rows rows; /* of `stored` */
    void *stored[2], *held[2];
};

static inline void fill_vector(struct sum_trial *trial, int vector, number_kind *kind)
{
    const struct format *const format = trial->rows.format;
    const uint64_t count = trial->rows.rows * trial->rows.terms;
    trial->stored[vector] = malloc(count * format->bytes + 1);
    trial->held[vector] = malloc(count * format_held(format)->bytes + 1);
    assert_true(trial->stored[vector] && trial->held[vector]);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t bits = format_bits(format, kind(format));
        format_store(format, trial->stored[vector], i, bits);
        held_set(format, trial->held[vector], i, format_value(format, bits));
    }
}

static inline struct sum_trial sum_trial_new(const struct format *format, bool products, uint64_t rows, uint64_t terms,
                                             number_kind *kind)
{
    struct sum_trial trial = {.rows = {.format = format, .rows = rows, .terms = terms}};
    fill_vector(&trial, 0, kind);
    if (products)
        fill_vector(&trial, 1, kind);
    trial.rows.x = trial.stored[0];
    trial.rows.y = trial.stored[1];
    return trial;
}

static inline void sum_trial_free(struct sum_trial *trial)
{
    for (int v = 0; v < 2; v++) {
        free(trial->stored[v]);
        free(trial->held[v]);
    }
}

/* What the host says of a row. */
static inline struct exact_sum sum_of_row(const struct sum_trial *trial, uint64_t row)
{
    const struct format *const format = trial->rows.format;
    const uint64_t terms = trial->rows.terms, from = row * terms * format_held(format)->bytes;
    const char *const x = (const char *)trial->held[0] + from;
    struct exact_sum sum;
    if (trial->rows.y)
        assert_int_equal(exact_dot(format, (struct exact_how){0}, x, (const char *)trial->held[1] + from, terms, &sum),
                         OK);
    else
        assert_int_equal(exact_sum(format, x, terms, &sum), OK);
    return sum;
}

/* Holds every row to it; returns how many there are.  `rows` has the GPU's addresses. */
static inline uint64_t compare_rows(const struct sum_trial *trial, const struct exact_rows *rows,
                                    struct exact_device *device)
{
    struct exact_sum *const sums = malloc((rows->rows + 1) * sizeof *sums);
    assert_non_null(sums);
    memset(sums, 0xff, (rows->rows + 1) * sizeof *sums);
    assert_int_equal(exact_device_start(device, rows, NULL), OK);
    assert_int_equal(exact_device_finish(device, 2, sums), OK);
    for (uint64_t row = 0; row < rows->rows; row++) {
        struct exact_sum expected = sum_of_row(trial, row);
        assert_int_equal(exact_agree((struct opinion){&expected, "on the host"},
                                     (struct opinion){&sums[row], "on the GPU"}, "look at the test"),
                         OK);
        assert_true(sums[row].format == expected.format && !sums[row].is_rounded);
        exact_free(&expected);
        exact_free(&sums[row]);
    }
    free(sums);
    return rows->rows;
}

/* ---- statistics ---- */

enum { SUM_TRIAL_STATISTICS = EXACT_COSINE + 1 };

static inline struct exact_rows rows_of_part(const struct exact_rows *rows, unsigned part)
{
    struct exact_rows of = *rows;
    of.x = part == EXACT_Y || part == EXACT_YY ? rows->y : rows->x;
    of.y = part <= EXACT_Y ? NULL : part == EXACT_XX ? rows->x : rows->y;
    return of;
}

/* The statistic of a trial's first row, of sums that the device makes; `rows` has its addresses. */
static inline enum status device_statistic(enum exact_statistic statistic, uint64_t ddof, const struct exact_rows *rows,
                                           struct exact_device *device, struct exact_sum *exact,
                                           struct moments *moments)
{
    const unsigned parts = exact_statistic_parts(statistic);
    struct exact_sum sums[EXACT_SUMS] = {0};
    struct exact_ends ends = {0};
    for (unsigned part = 0; part < EXACT_SUMS; part++)
        if (parts >> part & 1) {
            const struct exact_rows of = rows_of_part(rows, part);
            assert_int_equal(exact_device_start(device, &of, NULL), OK);
            assert_int_equal(exact_device_finish(device, 2, &sums[part]), OK);
        }
    if (parts >> EXACT_ENDS & 1 && rows->terms > 0 && sums[EXACT_X].kind == EXACT_FINITE) {
        assert_int_equal(exact_device_ends(device, rows, &ends), OK);
        assert_int_equal(exact_device_check_ends(device, rows, &ends), OK);
    }
    return exact_statistic_of_sums(statistic, ddof, rows->terms, sums, &ends, exact, moments);
}

/* All statistics of a trial of one row and two vectors, in every field and bit; returns how many it compared. */
static inline uint64_t compare_statistics(const struct sum_trial *trial, const struct exact_rows *rows,
                                          struct exact_device *device)
{
    const struct format *const format = rows->format;
    uint64_t compared = 0;
    for (unsigned of = 0; of < SUM_TRIAL_STATISTICS; of++)
        for (uint64_t ddof = 0; ddof < 2; ddof++) {
            const unsigned parts = exact_statistic_parts((enum exact_statistic)of);
            struct exact_sum expected, found;
            struct moments of_host, of_device;
            if (!exact_device_can(format, parts & (1 << EXACT_XX | 1 << EXACT_XY | 1 << EXACT_YY)))
                continue;
            assert_int_equal(exact_statistic((enum exact_statistic)of, ddof, format, (struct exact_how){.workers = 2},
                                             trial->held[0], trial->held[1], rows->terms, &expected, &of_host),
                             OK);
            assert_int_equal(device_statistic((enum exact_statistic)of, ddof, rows, device, &found, &of_device), OK);
            assert_int_equal(exact_agree((struct opinion){&expected, "on the host"},
                                         (struct opinion){&found, "on the GPU"}, "look at the test"),
                             OK);
            assert_true(found.is_rounded == expected.is_rounded &&
                        found.sum_abs_is_rounded == expected.sum_abs_is_rounded);
            assert_memory_equal(&of_device, &of_host, sizeof of_host);
            exact_free(&expected);
            exact_free(&found);
            compared++;
        }
    return compared;
}

#endif
