/* The families that are made for the order of a method: what plain summation loses is what the tree says, to the last
 * one of them. */
#include "datasets/order_aware.h"

#include "family.h"
#include "tests/support/meeting.h"
#include "tests/support/methods.h"

#include "tests/support/heard.h"
#include "tests/support/random.h"

/* ---- making them for an order and a launch ---- */

static struct tree_request request_of(const char *order, uint64_t n, struct launch launch)
{
    return (struct tree_request){"test", find("plain", order), n, launch};
}

/* "lca:n=100,method=plain/serial,blocks=1,threads=32" and the rest. */
static const char *spec_of(const char *family, const struct tree_request *of, const char *rest)
{
    static char text[2 * TEXT_SIZE];
    snprintf(text, sizeof text, "%s:n=%llu,method=%s,blocks=%u,threads=%u%s", family, (unsigned long long)of->n,
             of->method->id, of->launch.blocks, of->launch.threads, rest);
    return text;
}

static struct dataset make_for(const char *family, const struct tree_request *of, const char *rest)
{
    return family_make(spec_of(family, of, rest));
}

/* What plain summation makes of it in the order that it is made for. */
static float plain_sum_of(const char *family, const struct tree_request *of, const char *rest)
{
    struct dataset data = make_for(family, of, rest);
    const float sum = replay(of->method, data.x, data.n, of->launch);
    dataset_free(&data);
    return sum;
}

typedef void request_visitor(const struct tree_request *request);

/* Every order with plain summation, every launch that they can do, for one n. */
static void for_each_order(uint64_t n, request_visitor *visit)
{
    size_t methods;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++) {
        if (strcmp(table[m]->accumulator, "plain") != 0)
            continue;
        for (size_t l = 0; l < LAUNCHES; l++)
            if (can_do(table[m], launches[l]))
                visit(&(struct tree_request){"test", table[m], n, launches[l]});
    }
}

static void assert_refused(const char *text, const char *why)
{
    struct heard heard = listen_to_stderr();
    assert_family_refuses(text);
    heard_all(&heard);
    if (!strstr(heard.text, why))
        fail_msg("%s: heard \"%s\" instead of \"%s\"", text, heard.text, why);
}

static double exact_sum_of(const struct dataset *data, double *condition)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum(data->format, data->x, data->n, &exact), OK);
    const double sum = mpfr_get_d(exact.sum, MPFR_RNDN);
    *condition = exact.condition;
    exact_free(&exact);
    return sum;
}

/* ---- path ---- */

/* Exactly 1 is computed, and 1 + (h - 1)u is the sum: h is the declared height, whose first addition is 0 + 1. */
static void hold_path(const struct tree_request *of)
{
    struct dataset data = make_for("path", of, "");
    const uint64_t height = method_height(of->method, of->n, of->launch);
    double condition;
    const double sum = exact_sum_of(&data, &condition),
                 computed = (double)replay(of->method, data.x, data.n, of->launch);
    if (computed != 1 || sum - computed != (double)(height - 1) * u || condition != 1)
        fail_msg("%s: %a instead of %a, height %llu", spec_of("path", of, ""), computed, sum,
                 (unsigned long long)height);
    dataset_free(&data);
}

static void path_costs_plain_u_for_every_addition_of_its_height_but_the_first(void **state)
{
    (void)state;
    const uint64_t sizes[] = {1, 2, 3, 5, 31, 64, 100, 1000, 4097};
    for (size_t k = 0; k < COUNT_OF(sizes); k++)
        for_each_order(sizes[k], hold_path);
}

static void path_costs_as_much_at_a_million(void **state)
{
    (void)state;
    const char *const orders[] = {"serial", "tree_two_pass", "shuffle_two_pass", "pairwise", "vector_two_pass"};
    for (size_t k = 0; k < COUNT_OF(orders); k++) {
        const struct tree_request of = request_of(orders[k], 1 << 20, family_launch);
        hold_path(&of);
    }
}

/* bound = ((1 + u/(1+u))^(h-1) - 1) S and S = 1 + (h-1)u: what is left is of second order. */
static void hold_bound_of_path(const struct tree_request *of)
{
    struct dataset data = make_for("path", of, "");
    struct trial trial = trial_of("path", data.x, data.n);
    const double k = (double)method_height(of->method, of->n, of->launch) - 1,
                 used = ratio_of(of->method, of->launch, &trial);
    assert_true(k == 0 || (used <= 1 && used > 1 - 2 * k * u - 1e-12));
    exact_free(&trial.exact);
    dataset_free(&data);
}

static void path_uses_up_the_bound_of_plain(void **state)
{
    (void)state;
    for_each_order(1000, hold_bound_of_path);
}

/* The twins: other methods are right, and a tree over the path of serial is nearly so. */
static void path_of_serial_leaves_a_tree_and_neumaier_alone(void **state)
{
    (void)state;
    const char *text = "path:n=64Ki,method=plain/serial";
    const double lost = 65535 * u;
    assert_true(family_exact(text, NULL) == 1 + lost);
    assert_true((double)family_sum(text, "plain/serial") == 1);
    assert_true((double)family_sum(text, "plain/tree_two_pass") > 1 + 0.9 * lost);
    assert_true((double)family_sum(text, "plain/pairwise_1") > 1 + 0.9 * lost);
    assert_true((double)family_sum(text, "neumaier/serial") == (double)(float)(1 + lost));
}

/* ---- lca ---- */

static void hold_lca(const struct tree_request *of)
{
    struct sum_tree tree;
    assert_int_equal(sum_tree_make(of, &tree), OK);
    for (int pair = 0; pair < 12; pair++) {
        char places[TEXT_SIZE];
        const uint64_t i = below(of->n), j = (i + 1 + below(of->n - 1)) % of->n;
        const double kept = (double)(of->n - 2 - sum_tree_between(&tree, i, j));
        snprintf(places, sizeof places, ",i=%llu,j=%llu", (unsigned long long)i, (unsigned long long)j);
        const double sum = (double)plain_sum_of("lca", of, places);
        if (sum != kept)
            fail_msg("%s: %g instead of %g", spec_of("lca", of, places), sum, kept);
    }
    sum_tree_free(&tree);
}

static void lca_costs_plain_exactly_what_joins_the_two_before_they_meet(void **state)
{
    (void)state;
    seed_random(1);
    for_each_order(700, hold_lca);
    for_each_order(5, hold_lca);
}

static void hold_lca_across_the_root(const struct tree_request *of)
{
    assert_true(plain_sum_of("lca", of, "") == 0);
    assert_true(plain_sum_of("lca", of, ",i=7,j=7") == 0);
}

static void lca_without_j_costs_plain_all(void **state)
{
    (void)state;
    for_each_order(700, hold_lca_across_the_root);
}

/* The least M that is allowed, and as many ones as are: none moves it. */
static void lca_loses_as_much_beside_the_least_m(void **state)
{
    (void)state;
    struct tree_request of = request_of("serial", 1 << 24, one_warp);
    assert_true(plain_sum_of("lca", &of, ",big=0x1p49,j=16777215") == 0);
    assert_true(plain_sum_of("lca", &of, ",big=0x1p49,j=1") == (1 << 24) - 2);
}

static void lca_spares_what_its_card_says(void **state)
{
    (void)state;
    const char *const spared[] = {"neumaier/serial", "klein/tree_two_pass", "superacc/pairwise"};
    for (size_t k = 0; k < COUNT_OF(spared); k++)
        assert_true(family_sum("lca:n=4096", spared[k]) == 4094);
    assert_true(family_exact("lca:n=4096", NULL) == 4094);
    assert_true(family_sum("lca:n=4096,big=0x1p52", "binary64/tree_two_pass") == 4094);
    assert_true(family_sum("lca:n=4096,big=0x1p78", "binary64/tree_two_pass") == 0); /* the twin */
}

static void lca_refuses_places_beyond_n_and_methods_without_a_tree(void **state)
{
    (void)state;
    assert_refused("lca:n=100,i=100", "i=100 and j=0 with n=100; expected indices from 0 to 99");
    assert_refused("lca:n=100,j=100", "i=0 and j=100 with n=100");
    assert_refused("lca:n=2", "");
    assert_refused("lca:n=16777217", "");
    assert_refused("lca:method=cub/device_reduce", "black box");
    assert_refused("lca:threads=96", "the tree needs a power of two");
    assert_refused("lca:threads=96,j=1", "the tree needs a power of two");
    assert_refused("lca:big=0x1p48", "big=0x1p48 is out of range");
    assert_refused("path:threads=96", "path: method=plain/tree_two_pass refuses blocks=120,threads=96");
}

/* Neighbours that a grid keeps apart; what its threads 1 and 128 add first; what its first thread adds next. */
static void lca_has_the_places_of_threads(void **state)
{
    (void)state;
    assert_true(family_sum("lca:n=64Ki,j=1", "plain/serial") == 65534);
    assert_true(family_sum("lca:n=64Ki,j=1", "plain/tree_two_pass") == 65534 - (3 * 256 - 2));
    assert_true(family_sum("lca:n=64Ki,j=1", "plain/shuffle_two_pass") == 65534 - (3 * 32 - 2));
    assert_true(family_sum("lca:n=64Ki,j=128", "plain/tree_two_pass") == 65534 - (3 * 2 - 2));
    assert_true(family_sum("lca:n=64Ki,j=128", "plain/tree_interleaved_two_pass") == 65534 - (3 * 256 - 2));
    assert_true(family_sum("lca:n=64Ki,j=30720", "plain/tree_two_pass") == 65534);
    assert_true(family_sum("lca:n=64Ki,j=30720", "plain/serial") == 65534 - 30719);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_costs_plain_u_for_every_addition_of_its_height_but_the_first),
        cmocka_unit_test(path_costs_as_much_at_a_million),
        cmocka_unit_test(path_uses_up_the_bound_of_plain),
        cmocka_unit_test(path_of_serial_leaves_a_tree_and_neumaier_alone),
        cmocka_unit_test(lca_costs_plain_exactly_what_joins_the_two_before_they_meet),
        cmocka_unit_test(lca_without_j_costs_plain_all),
        cmocka_unit_test(lca_loses_as_much_beside_the_least_m),
        cmocka_unit_test(lca_spares_what_its_card_says),
        cmocka_unit_test(lca_refuses_places_beyond_n_and_methods_without_a_tree),
        cmocka_unit_test(lca_has_the_places_of_threads),
    };
    return cmocka_run_group_tests_name("families of an order", tests, NULL, NULL);
}
