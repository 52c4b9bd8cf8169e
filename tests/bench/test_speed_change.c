/* Whether something became slower: exact in ranks, for any distribution; no clock is read here. */
#include "src/bench/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

enum { VISITS = 16, TRIALS = 2000 };

static uint64_t seed;

static double chance(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 11) * 0x1p-53;
}

/* Shares around `mean` that scatter by some 1 % of it, now and then by more. */
static void draw(double *shares, double mean)
{
    for (int v = 0; v < VISITS; v++)
        shares[v] = mean * (1 + 0.01 * (chance() + chance() + chance() + chance() - 2) * (chance() < 0.1 ? 4 : 1.7));
}

/* Every order of 9 and 9 values that are far apart: how many of the 48,620 are called slower, and faster. */
static void count_orders(const int a, const int b, size_t *orders, size_t *slower, size_t *faster)
{
    for (unsigned picked = 0; picked < 1u << (a + b); picked++) {
        double now[9], then[9];
        int nows = 0, thens = 0;
        if (__builtin_popcount(picked) != a)
            continue;
        for (int i = 0; i < a + b; i++)
            *(picked >> i & 1 ? &now[nows++] : &then[thens++]) = pow(1.5, i);
        const struct speed_change change = speed_change_of(now, (size_t)a, then, (size_t)b);
        ++*orders;
        *slower += change.verdict == SLOWER;
        *faster += change.verdict == FASTER;
    }
}

/* U <= 2 in 1 + 1 + 2 of 48,620 orders, 0.8 of 10,000; U <= 3 in 7, which would be 1.4. */
static void verdict_by_chance_is_rarer_than_1_in_10000_each_way(void **state)
{
    (void)state;
    size_t orders = 0, slower = 0, faster = 0;
    count_orders(9, 9, &orders, &slower, &faster);
    assert_int_equal(orders, 48620);
    assert_int_equal(slower, 4);
    assert_int_equal(faster, 4);
}

/* Few visits: only where all of one side lie beyond all of the other. */
static void few_visits_need_all_of_them(void **state)
{
    (void)state;
    size_t orders = 0, slower = 0, faster = 0;
    count_orders(3, 4, &orders, &slower, &faster);
    assert_int_equal(orders, 35);
    assert_int_equal(slower, 1);
    assert_int_equal(faster, 1);
}

static size_t count_verdicts(double mean, enum speed_verdict verdict)
{
    double now[VISITS], then[VISITS];
    size_t count = 0;
    seed = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        draw(then, 0.8);
        draw(now, 0.8 * mean);
        count += speed_change_of(now, VISITS, then, VISITS).verdict == verdict;
    }
    return count;
}

static void five_percent_are_seen_and_nothing_is_not(void **state)
{
    (void)state;
    assert_int_equal(count_verdicts(0.95, SLOWER), TRIALS);
    assert_int_equal(count_verdicts(1 / 0.95, FASTER), TRIALS);
    assert_int_equal(count_verdicts(1, SAME_SPEED), TRIALS);
}

/* The twin: 1 % that is certain is less than the least change, and one visit a side says nothing of chance. */
static void one_percent_is_no_verdict_however_certain(void **state)
{
    (void)state;
    double now[VISITS], then[VISITS];
    for (int v = 0; v < VISITS; v++) {
        now[v] = 0.99;
        then[v] = 1;
    }
    const struct speed_change change = speed_change_of(now, VISITS, then, VISITS);
    assert_true(change.high < 1);
    assert_int_equal(change.verdict, SAME_SPEED);
    assert_int_equal(speed_change_of(now, 1, then, 1).verdict, SAME_SPEED);
}

/* Scaled so that they are slower by a little more than seen_from they are seen, and by a little less they are not. */
static void seen_from_is_where_slower_begins(void **state)
{
    (void)state;
    double now[VISITS], then[VISITS], scaled[VISITS];
    size_t above_the_least = 0;
    seed = 2;
    for (int trial = 0; trial < TRIALS; trial++) {
        draw(then, 1);
        draw(now, trial % 2 ? 1 : 0.9);
        const struct speed_change change = speed_change_of(now, VISITS, then, VISITS);
        above_the_least += change.seen_from > LEAST_CHANGE;
        for (int side = -1; side <= 1; side += 2) {
            for (int v = 0; v < VISITS; v++)
                scaled[v] = now[v] / change.quotient * (1 - change.seen_from * (1 + side * 1e-6));
            assert_int_equal(speed_change_of(scaled, VISITS, then, VISITS).verdict == SLOWER, side > 0);
        }
    }
    assert_in_range(above_the_least, 1, TRIALS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdict_by_chance_is_rarer_than_1_in_10000_each_way),
        cmocka_unit_test(few_visits_need_all_of_them),
        cmocka_unit_test(five_percent_are_seen_and_nothing_is_not),
        cmocka_unit_test(one_percent_is_no_verdict_however_certain),
        cmocka_unit_test(seen_from_is_where_slower_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
