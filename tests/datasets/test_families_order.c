/* The families that are made for the order of a method: what plain summation loses is what the tree says, to the last
 * one of them. */
#include "datasets/order_aware.h"

#include "family.h"
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

/* ---- gpu_grid and gpu_adjacent ---- */

/* What a thread adds first, of so many elements; 0: nothing of its own. */
static uint64_t first_of(const struct tree_request *of, uint64_t n, uint64_t block, uint64_t thread)
{
    const struct order_traits *order = of->method->order_traits;
    uint64_t element;
    return order->first && order->first(n, method_grid(of->method, of->launch), block, thread, &element) ? element : 0;
}

/* Blocks that have elements of their own: all, or the first alone. */
static uint64_t blocks_of(const struct tree_request *of)
{
    return first_of(of, of->n, 1, 0) > 0 ? of->launch.blocks : 1;
}

/* From an element of a thread to its next, in an order with a grid whose threads start at as many of them each; 0: the
 * place of a thread depends on n, or there are no threads. */
static uint64_t stride_of(const struct tree_request *of)
{
    const uint64_t lanes = first_of(of, of->n, 0, 1);
    return lanes == first_of(of, 4 * of->n, 0, 1) ? lanes * blocks_of(of) * of->launch.threads : 0;
}

static uint64_t place_of_minus_big(const struct dataset *data)
{
    const float *x = data->x;
    uint64_t j = 0;
    while (x[j] >= 0)
        j++;
    return j;
}

/* A thread of a grid-stride order that has two elements or more. */
static void hold_gpu_grid(const struct tree_request *of)
{
    const uint64_t grid = stride_of(of);
    if (of->n <= grid || grid <= 1)
        return;
    struct dataset data = make_for("gpu_grid", of, "");
    assert_int_equal(place_of_minus_big(&data), grid);
    assert_true(replay(of->method, data.x, data.n, of->launch) == (float)(of->n - 2));
    assert_true(family_add(&data, "plain/serial") == (float)(of->n - 2 - (grid - 1)));
    dataset_free(&data);
}

static void gpu_grid_is_exact_in_its_order_and_wrong_serially(void **state)
{
    (void)state;
    for_each_order(70000, hold_gpu_grid);
    assert_true(family_sum("gpu_grid:n=64Ki", "plain/tree_two_pass") == 65534);
    assert_true(family_sum("gpu_grid:n=64Ki", "plain/serial") == 65534 - 30719);
    assert_true(family_sum("gpu_grid:n=64Ki", "plain/pairwise") < 65534 - 30000);
    assert_true(family_sum("gpu_grid:n=64Ki", "neumaier/serial") == 65534);
}

/* With an element per thread it is the thread that is merged first. */
static void gpu_grid_below_the_grid_is_exact_in_its_tree(void **state)
{
    (void)state;
    struct dataset data = family_make("gpu_grid");
    assert_int_equal(place_of_minus_big(&data), 128);
    assert_true(family_add(&data, "plain/tree_two_pass") == 4094);
    assert_true(family_add(&data, "plain/serial") == 4094 - 127);
    dataset_free(&data);
}

static void gpu_grid_refuses_orders_that_add_neighbours(void **state)
{
    (void)state;
    assert_refused("gpu_grid:n=64Ki,method=plain/serial", "plain/serial adds x_0 to its neighbour x_1");
    assert_refused("gpu_grid:n=64Ki,method=plain/pairwise", "adds x_0 to its neighbour");
    assert_refused("gpu_grid:n=64Ki,method=plain/pairwise_1", "adds x_0 to its neighbour");
    assert_refused("gpu_grid:n=64Ki,method=plain/blocked", "adds x_0 to its neighbour");
    assert_refused("gpu_grid:method=plain/tree_interleaved_two_pass", "n=4096,blocks=120,threads=256");
}

/* Three elements a thread in block 0: the threads 0 and 1 merge last in shared memory, and late in a warp. */
static void gpu_adjacent_is_exact_serially_and_wrong_on_a_grid(void **state)
{
    (void)state;
    const char *text = "gpu_adjacent:n=64Ki";
    assert_true(family_sum(text, "plain/serial") == 65534);
    assert_true(family_sum(text, "plain/pairwise") == 65534);
    assert_true(family_sum(text, "plain/pairwise_1") == 65534);
    assert_true(family_sum(text, "plain/tree_two_pass") == 65534 - (3 * 256 - 2));
    assert_true(family_sum(text, "plain/shuffle_two_pass") == 65534 - (3 * 32 - 2));
    assert_true(family_sum(text, "neumaier/tree_two_pass") == 65534);
    assert_true(family_sum(text, "plain/strided_serial") == 65534 - (3 * 2 - 2));
}

static void gpu_adjacent_refuses_orders_that_add_neighbours(void **state)
{
    (void)state;
    assert_refused("gpu_adjacent:method=plain/serial", "plain/serial adds x_0 to its neighbour x_1 first");
    assert_refused("gpu_adjacent:method=plain/pairwise", "choose a grid-stride one");
    assert_refused("gpu_adjacent:method=plain/tree_interleaved_two_pass", "adds x_0 to its neighbour");
}

/* ---- where threads start ---- */

/* With as many elements in every thread, a thread's are a subtree, and none of them comes before its first. */
static void hold_thread(const struct sum_tree *tree, const struct tree_request *of, uint64_t block, uint64_t thread,
                        uint32_t each)
{
    uint64_t first;
    assert_int_equal(order_aware_first(of, block, thread, &first), OK);
    uint32_t node = tree->leaf[first];
    while (tree->place[node].leaves < each)
        node = tree->place[node].parent;
    assert_int_equal(tree->place[node].leaves, each);
    for (uint64_t i = 0; i < first; i++)
        assert_true(sum_tree_meeting(tree, i, first) > node);
}

static void threads_start_where_the_tree_says(void **state)
{
    (void)state;
    enum { EACH = 16 };
    const struct launch launch = {3, 64};
    size_t methods, held = 0;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++) {
        struct tree_request of = {"test", table[m], (uint64_t)launch.blocks * launch.threads * EACH, launch};
        struct sum_tree tree;
        if (strcmp(table[m]->accumulator, "plain") != 0 || !table[m]->order_traits->first)
            continue;
        const uint64_t blocks = blocks_of(&of);
        of.n = blocks * launch.threads * EACH;
        assert_int_equal(sum_tree_make(&of, &tree), OK);
        for (uint64_t b = 0; b < blocks; b++)
            for (uint64_t t = 0; t < launch.threads; t++)
                hold_thread(&tree, &of, b, t, EACH);
        sum_tree_free(&tree);
        held++;
    }
    assert_true(held > 0);
}

/* ---- shared_tree and warp ---- */

/* With 4 elements in each thread, what is left when those of so many threads are lost, but for the two. */
enum { PER_THREAD = 4, THREADS = 256, PER_GRID = PER_THREAD * 2 * THREADS };

static double kept_without(uint64_t threads)
{
    return (double)(PER_GRID - PER_THREAD * threads);
}

static double sum_at_offset(const char *family, uint64_t offset, const char *order)
{
    const struct launch launch = {2, THREADS};
    char rest[TEXT_SIZE], id[TEXT_SIZE];
    const struct tree_request of = request_of("tree_two_pass", PER_GRID, launch);
    snprintf(rest, sizeof rest, ",offset=%llu", (unsigned long long)offset);
    snprintf(id, sizeof id, "plain/%s", order);
    struct dataset data = make_for(family, &of, rest);
    const double sum = (double)family_add_at(&data, id, launch);
    dataset_free(&data);
    return sum;
}

static void shared_tree_separates_sequential_from_interleaved_addressing(void **state)
{
    (void)state;
    for (uint64_t offset = 1; offset <= THREADS / 2; offset *= 2) {
        const double sequential = sum_at_offset("shared_tree", offset, "tree_two_pass"),
                     interleaved = sum_at_offset("shared_tree", offset, "tree_interleaved_two_pass");
        assert_true(sequential == kept_without(THREADS / offset));
        assert_true(interleaved == kept_without(2 * offset));
        assert_true(sequential != interleaved);
        assert_true(sum_at_offset("shared_tree", offset, "tree_unrolled") == sequential); /* the same tree */
    }
}

/* Lane 16 is merged first by shuffles, and after all other warps in shared memory. */
static void warp_separates_shuffles_from_shared_memory(void **state)
{
    (void)state;
    for (uint64_t offset = 1; offset <= 16; offset *= 2) {
        const double shuffled = sum_at_offset("warp", offset, "shuffle_two_pass"),
                     shared = sum_at_offset("warp", offset, "tree_two_pass");
        assert_true(shuffled == kept_without(32 / offset));
        assert_true(shared == kept_without(THREADS / offset));
        assert_true(shuffled != shared);
        assert_true(sum_at_offset("warp", offset, "shuffle_last_block") == shuffled);
        assert_true(sum_at_offset("warp", offset, "tree_interleaved_two_pass") == kept_without(2 * offset));
    }
}

/* The twin: in a block of one warp both have one tree. */
static void warp_cannot_tell_them_apart_in_a_block_of_one_warp(void **state)
{
    (void)state;
    const struct tree_request of = request_of("shuffle_two_pass", 1000, (struct launch){3, 32});
    struct dataset data = make_for("warp", &of, ",offset=4");
    assert_true(family_add_at(&data, "plain/shuffle_two_pass", of.launch) ==
                family_add_at(&data, "plain/tree_two_pass", of.launch));
    dataset_free(&data);
}

/* Lane 16 of 16-byte loads starts at element 64. */
static void warp_finds_the_lanes_of_vector_loads(void **state)
{
    (void)state;
    const struct tree_request of = request_of("vector_two_pass", 4 * 2 * PER_GRID, (struct launch){2, THREADS});
    struct dataset data = make_for("warp", &of, ",offset=16");
    assert_int_equal(place_of_minus_big(&data), 64);
    assert_true(replay(of.method, data.x, data.n, of.launch) == (float)(of.n - 2 * (of.n / (2 * THREADS))));
    dataset_free(&data);
}

static void shared_tree_and_warp_refuse_what_is_no_distance(void **state)
{
    (void)state;
    assert_refused("shared_tree:offset=3", "expected a power of two from 1 to half the threads");
    assert_refused("shared_tree:offset=256", "offset=256 with threads=256");
    assert_refused("shared_tree:offset=128,n=128", "thread 128 of block 0 of plain/tree_two_pass starts with x_128");
    assert_refused("shared_tree:method=plain/serial", "plain/serial has no thread 1 of block 0");
    assert_refused("warp:offset=5", "expected a power of two from 1 to half the threads");
    assert_refused("warp:offset=32", "out of range");
    assert_refused("warp:method=plain/pairwise", "no thread 1 of block 0");
    assert_refused("warp:threads=16", "warp shuffles need a multiple of 32");
}

/* ---- atomic_order ---- */

enum { BLOCKS_MOST = 120 };

/* The sums of 120 blocks of 256 threads, each by itself. */
static void block_sums(const struct dataset *data, float *sums)
{
    const float *x = data->x;
    for (uint64_t b = 0; b < BLOCKS_MOST; b++)
        sums[b] = 0;
    for (uint64_t i = 0; i < data->n; i++)
        sums[i / 256 % BLOCKS_MOST] += x[i];
}

/* They arrive as first, first + step, ..., modulo their number. */
static float sum_of_arrivals(const float *sums, uint64_t first, uint64_t step)
{
    float sum = 0;
    for (uint64_t k = 0; k < BLOCKS_MOST; k++)
        sum += sums[(first + k * step) % BLOCKS_MOST];
    return sum;
}

static void atomic_order_is_0_when_the_blocks_arrive_in_order(void **state)
{
    (void)state;
    assert_true(family_sum("atomic_order:n=64Ki", "plain/tree_atomic") == 0);
    assert_true(family_exact("atomic_order:n=64Ki", NULL) == BLOCKS_MOST - 2);
    assert_true(family_sum("atomic_order:n=64Ki", "superacc/tree_atomic") == BLOCKS_MOST - 2);
    assert_true(family_sum("atomic_order", "plain/tree_atomic") == 0);
    assert_true(family_exact("atomic_order", NULL) == 16 - 2); /* 4096 elements are in 16 blocks of 256 */
}

/* From block `first` on: -M of block 119 and M of block 0 come one after the other, and what comes then is kept. */
static void atomic_order_can_give_every_whole_number_up_to_its_sum(void **state)
{
    (void)state;
    struct dataset data = family_make("atomic_order:n=64Ki");
    float sums[BLOCKS_MOST];
    block_sums(&data, sums);
    assert_true(sums[0] == 0x1p60f && sums[1] == 1 && sums[118] == 1 && sums[119] == -0x1p60f);
    assert_true(sum_of_arrivals(sums, 0, 1) == 0);
    for (uint64_t first = 1; first < BLOCKS_MOST; first++)
        assert_true(sum_of_arrivals(sums, first, 1) == (float)(first - 1));
    assert_true(sum_of_arrivals(sums, 0, 7) == 120 - 18); /* block 119 = 17 x 7 is the 18th */
    dataset_free(&data);
}

/* Where blocks have runs or vectors, they start elsewhere. */
static void atomic_order_finds_the_blocks_of_other_orders(void **state)
{
    (void)state;
    assert_true(family_exact("atomic_order:n=64Ki,method=plain/blocked", NULL) == 86 - 2); /* runs of 3: 768 a block */
    assert_true(family_exact("atomic_order:n=64Ki,method=plain/vector_two_pass", NULL) == 64 - 2);
    assert_true(family_sum("atomic_order:n=64Ki,method=plain/blocked", "plain/blocked") < 84);
}

static void atomic_order_refuses_less_than_three_blocks(void **state)
{
    (void)state;
    assert_refused("atomic_order:n=600,threads=512", "2 blocks have elements; expected 3 or more");
    assert_refused("atomic_order:blocks=2", "2 blocks have elements");
    assert_refused("atomic_order:method=plain/tree_rows", "no thread 0 of block 1");
    assert_refused("atomic_order:method=kahan/tree_atomic", "no atomic merge");
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
        cmocka_unit_test(gpu_grid_is_exact_in_its_order_and_wrong_serially),
        cmocka_unit_test(gpu_grid_below_the_grid_is_exact_in_its_tree),
        cmocka_unit_test(gpu_grid_refuses_orders_that_add_neighbours),
        cmocka_unit_test(gpu_adjacent_is_exact_serially_and_wrong_on_a_grid),
        cmocka_unit_test(gpu_adjacent_refuses_orders_that_add_neighbours),
        cmocka_unit_test(threads_start_where_the_tree_says),
        cmocka_unit_test(shared_tree_separates_sequential_from_interleaved_addressing),
        cmocka_unit_test(warp_separates_shuffles_from_shared_memory),
        cmocka_unit_test(warp_cannot_tell_them_apart_in_a_block_of_one_warp),
        cmocka_unit_test(warp_finds_the_lanes_of_vector_loads),
        cmocka_unit_test(shared_tree_and_warp_refuse_what_is_no_distance),
        cmocka_unit_test(atomic_order_is_0_when_the_blocks_arrive_in_order),
        cmocka_unit_test(atomic_order_can_give_every_whole_number_up_to_its_sum),
        cmocka_unit_test(atomic_order_finds_the_blocks_of_other_orders),
        cmocka_unit_test(atomic_order_refuses_less_than_three_blocks),
    };
    return cmocka_run_group_tests_name("families of an order", tests, NULL, NULL);
}
