/* Walkers: the bits of the replays, of all data sets at once. */
#include "datasets/sum_tree.h"
#include "kernels/walk.h"
#include "src/base/format.h"

#include "tests/support/methods.h"

#include "tests/support/random.h"

enum { N_MOST = 700 };

/* The numbers of every lane, one after the other; and what walks take. */
static double x[WALK_LANES][N_MOST], beside[WALK_LANES * N_MOST];

static uint64_t replayed(const struct method *method, struct launch launch, const void *numbers, uint64_t n)
{
    const struct operands of = operands_of_sum(method->sum_format->stored, numbers, n);
    uint64_t bits;
    assert_int_equal(method_replay(method, &of, launch, 1, &bits), OK);
    return bits;
}

static void put_beside(const struct method *method, const struct verbs *verbs, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        for (size_t k = 0; k < WALK_LANES; k++) {
            const double number = held_number(method->sum_format->stored, x[k], i);
            if (verbs->term_bytes == sizeof(double))
                beside[i * WALK_LANES + k] = number;
            else
                ((float *)beside)[i * WALK_LANES + k] = (float)number;
        }
}

/* How many lanes have the bits of the replay; with `in` another method's tree they should not. */
static int equal_lanes(const struct method *method, const struct method *in, struct launch launch, uint64_t n)
{
    struct sum_tree tree;
    struct walk walk;
    double results[WALK_LANES];
    int equal = 0;
    const struct verbs *verbs = walk_verbs(method);
    assert_non_null(verbs);
    assert_int_equal(sum_tree_make(&(struct tree_request){"test", in, n, launch}, &tree), OK);
    assert_int_equal(walk_make(tree.joined, tree.count, &walk), OK);
    void *states = malloc((walk.places + (size_t)1) * WALK_LANES * verbs->state_bytes);
    assert_non_null(states);
    put_beside(method, verbs, n);
    walk_sums(verbs, &walk, beside, states, results);
    for (int k = 0; k < WALK_LANES; k++)
        equal += format_same(method->format, replayed(method, launch, x[k], n),
                             format_bits(method->format, rounded_to(results[k], method->format)));
    free(states);
    walk_free(&walk);
    sum_tree_free(&tree);
    return equal;
}

/* Every sixteenth of them not finite, in every other round. */
static void fill(const struct format *stored, uint64_t n, bool is_wild)
{
    for (size_t k = 0; k < WALK_LANES; k++)
        for (uint64_t i = 0; i < n; i++) {
            const double near = ldexp((double)below(1 << 24) - 0x1p23, (int)below(24) - 34);
            const double any = format_value(stored, next_random() >> (64 - 8 * stored->bytes));
            held_set(stored, x[k], i, is_wild && below(16) == 0 ? any : rounded_to(near, stored));
        }
}

static void walks_have_the_bits_of_replays_in_every_format(void **state)
{
    (void)state;
    seed_random(23);
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t count;
        const struct method *const *table = method_table_of(sum_formats[f], &count);
        for (size_t m = 0; m < 4 * count; m++) {
            const struct method *method = table[m % count];
            const struct launch launch = launches[below(LAUNCHES)];
            const uint64_t n = m % 8 == 0 ? below(4) : below(N_MOST + 1);
            if (!is_sum(method) || !can_do(method, launch))
                continue;
            fill(method->sum_format->stored, n, m % 2 == 0);
            const int equal = equal_lanes(method, method, launch, n);
            if (equal != WALK_LANES)
                fail_msg("%s, n = %llu, %u x %u: %d of %d", method->id, (unsigned long long)n, launch.blocks,
                         launch.threads, equal, WALK_LANES);
        }
    }
}

static void another_tree_has_other_bits(void **state)
{
    (void)state;
    seed_random(24);
    fill(&FORMAT_BINARY32, N_MOST, false);
    assert_true(equal_lanes(find("plain", "serial"), find("plain", "pairwise_1"), one_warp, N_MOST) < WALK_LANES);
}

static void what_is_no_sum_of_ours_is_not_walked(void **state)
{
    (void)state;
    assert_non_null(walk_verbs(method_find("kahan/serial")));
    assert_string_equal(walk_verbs(broken_find("kahan_sign", "serial"))->id, "kahan_sign");
    assert_null(walk_verbs(method_find("height/serial")));
    assert_null(walk_verbs(method_find("dot:kahan/serial")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_have_the_bits_of_replays_in_every_format),
        cmocka_unit_test(another_tree_has_other_bits),
        cmocka_unit_test(what_is_no_sum_of_ours_is_not_walked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
