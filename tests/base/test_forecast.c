/* What a forecast says of the rest of a work, held against what the rest takes, by a clock that is played. */
#include "src/base/forecast.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KINDS_MOST = 32, WORKERS_MOST = 64 };

struct scenario {
    const char *name;
    size_t kinds, workers;
    uint64_t pieces;   /* of each kind */
    uint64_t stored;   /* of all, found done by a run that is resumed */
    double fixed, per; /* seconds of a piece: fixed + per * n, n = 2^(10 + kind), or 2^10 where `flat` */
    bool flat;
    double noise;            /* a piece takes up to so much more or less */
    double dearer;           /* kinds with odd numbers cost so many times what their weight says */
    bool from_the_last_kind; /* the largest first */
};

static const struct scenario scenarios[] = {
    {.name = "constant cost", .kinds = 1, .workers = 1, .pieces = 200, .fixed = 1, .noise = 0.2, .flat = true},
    {.name = "constant cost, 16 ranks",
     .kinds = 1,
     .workers = 16,
     .pieces = 800,
     .fixed = 1,
     .noise = 0.3,
     .flat = true},
    {.name = "n = 2^10 to 2^24", .kinds = 15, .workers = 1, .pieces = 100, .fixed = 9e-5, .per = 1.4e-8, .noise = 0.1},
    {.name = "the same, 8 threads",
     .kinds = 15,
     .workers = 8,
     .pieces = 100,
     .fixed = 9e-5,
     .per = 1.4e-8,
     .noise = 0.3},
    {.name = "the same, 64 ranks",
     .kinds = 15,
     .workers = 64,
     .pieces = 640,
     .fixed = 9e-5,
     .per = 1.4e-8,
     .noise = 0.3},
    {.name = "one of each n", .kinds = 15, .workers = 1, .pieces = 1, .fixed = 9e-5, .per = 1.4e-8, .noise = 0.1},
    {.name = "the largest first",
     .kinds = 15,
     .workers = 4,
     .pieces = 50,
     .fixed = 9e-5,
     .per = 1.4e-8,
     .noise = 0.2,
     .from_the_last_kind = true},
    {.name = "a family dearer than another",
     .kinds = 15,
     .workers = 2,
     .pieces = 50,
     .fixed = 9e-5,
     .per = 1.4e-8,
     .noise = 0.2,
     .dearer = 2},
    {.name = "fixed costs ten times as guessed",
     .kinds = 15,
     .workers = 2,
     .pieces = 50,
     .fixed = 9e-4,
     .per = 1.4e-8,
     .noise = 0.2},
    {.name = "resumed in the middle",
     .kinds = 15,
     .workers = 4,
     .pieces = 100,
     .stored = 1300,
     .fixed = 9e-5,
     .per = 1.4e-8,
     .noise = 0.2},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

/* ---- what a piece takes, and what is guessed ---- */

static double n_of(const struct scenario *scenario, size_t kind)
{
    return scenario->flat ? 1024 : ldexp(1024, (int)kind);
}

/* As src/run/workload.c has it, of four sums. */
static double weight_of(const struct scenario *scenario, size_t kind)
{
    return 4 * (20000 + n_of(scenario, kind)) + 10 * n_of(scenario, kind);
}

static double cost_of(const struct scenario *scenario, size_t kind, uint64_t id)
{
    const double chance = (double)(id * UINT64_C(0x9E3779B97F4A7C15) >> 11) * 0x1p-53; /* even over [0, 1) */
    const double dearer = kind % 2 == 1 && scenario->dearer > 0 ? scenario->dearer : 1;
    return dearer * (scenario->fixed + scenario->per * n_of(scenario, kind)) * (1 + scenario->noise * (2 * chance - 1));
}

/* ---- the clock ---- */

struct said {
    double time, left;
};

struct play {
    const struct scenario *scenario;
    struct forecast forecast;
    struct forecast_kind kinds[KINDS_MOST];
    double ends[WORKERS_MOST]; /* of the piece of each worker; infinity: it has none */
    uint64_t ids[WORKERS_MOST];
    uint64_t next, total;
    double last_begun;
    struct said *said;
    size_t said_count;
};

static void take(struct play *play, size_t worker, double now)
{
    const struct scenario *scenario = play->scenario;
    play->ends[worker] = INFINITY;
    if (play->next == play->total)
        return;
    const uint64_t id = play->next++;
    play->last_begun = now;
    const size_t place = (size_t)(id / scenario->pieces);
    const size_t kind = scenario->from_the_last_kind ? scenario->kinds - 1 - place : place;
    forecast_begin(&play->forecast, id, kind, now);
    play->ids[worker] = id;
    play->ends[worker] = now + cost_of(scenario, kind, id);
}

static size_t first_to_end(const struct play *play)
{
    size_t first = 0;
    for (size_t w = 1; w < play->scenario->workers; w++)
        first = play->ends[w] < play->ends[first] ? w : first;
    return first;
}

/* When it ended; what was said each time that a piece did is in the play. */
static double run(const struct scenario *scenario, struct play *play)
{
    double now = 0;
    *play = (struct play){.scenario = scenario, .next = scenario->stored, .total = scenario->pieces * scenario->kinds};
    play->forecast = (struct forecast){.kinds = play->kinds, .kind_count = scenario->kinds};
    play->said = calloc(play->total, sizeof *play->said);
    assert_non_null(play->said);
    for (size_t k = 0; k < scenario->kinds; k++) {
        const uint64_t before = scenario->from_the_last_kind ? 0 : k * scenario->pieces;
        const uint64_t stored = scenario->stored > before ? scenario->stored - before : 0;
        play->kinds[k] = (struct forecast_kind){.weight = weight_of(scenario, k),
                                                .left = stored < scenario->pieces ? scenario->pieces - stored : 0};
    }
    for (size_t w = 0; w < scenario->workers; w++)
        take(play, w, 0);
    for (size_t w = first_to_end(play); isfinite(play->ends[w]); w = first_to_end(play)) {
        now = play->ends[w];
        forecast_end(&play->forecast, play->ids[w], now);
        take(play, w, now);
        play->said[play->said_count++] = (struct said){now, forecast_left(&play->forecast, now)};
    }
    return now;
}

/* After the first bit of the run, and as long as there are pieces to begin: then one piece at most is waited for. */
static bool counts(const struct play *play, double time, double end)
{
    return time >= 0.05 * end && time <= play->last_begun;
}

/* The largest factor between what was said and what it was. */
static double worst_factor(const struct scenario *scenario)
{
    static struct play play;
    double worst = 1;
    const double end = run(scenario, &play);
    for (size_t i = 0; i < play.said_count; i++) {
        const double left = end - play.said[i].time;
        if (counts(&play, play.said[i].time, end))
            worst = fmax(worst, fmax(play.said[i].left / left, left / play.said[i].left));
    }
    free(play.said);
    forecast_free(&play.forecast);
    return worst;
}

static void time_left_is_right_within_a_factor_of_two(void **state)
{
    (void)state;
    for (size_t s = 0; s < SCENARIOS; s++) {
        const double worst = worst_factor(&scenarios[s]);
        print_message("%-36s within a factor of %.2f\n", scenarios[s].name, worst);
        assert_true(worst < 2);
    }
}

/* The twin: cases that are counted, as if each took the same. */
static void cases_that_are_counted_are_off_by_more(void **state)
{
    static struct play play;
    (void)state;
    const double end = run(&scenarios[2], &play);
    double worst = 1;
    for (size_t i = 0; i < play.said_count; i++) {
        const double left = end - play.said[i].time;
        const double counted = play.said[i].time / (double)(i + 1) * (double)(play.total - i - 1);
        if (counts(&play, play.said[i].time, end))
            worst = fmax(worst, left / counted);
    }
    free(play.said);
    forecast_free(&play.forecast);
    assert_true(worst > 4);
}

static void nothing_is_known_before_a_piece_is_done(void **state)
{
    struct forecast_kind kind = {.weight = 1, .left = 2};
    struct forecast forecast = {.kinds = &kind, .kind_count = 1};
    (void)state;
    assert_true(isinf(forecast_left(&forecast, 0)));
    forecast_begin(&forecast, 0, 0, 0);
    assert_true(isinf(forecast_left(&forecast, 1)));
    forecast_end(&forecast, 0, 2);
    assert_true(forecast_left(&forecast, 2) == 2);
    forecast_begin(&forecast, 1, 0, 2);
    assert_true(forecast_left(&forecast, 3) == 1);
    forecast_end(&forecast, 1, 4);
    assert_true(forecast_left(&forecast, 4) == 0);
    forecast_free(&forecast);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_left_is_right_within_a_factor_of_two),
        cmocka_unit_test(cases_that_are_counted_are_off_by_more),
        cmocka_unit_test(nothing_is_known_before_a_piece_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
