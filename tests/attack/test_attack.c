/* Attacks: what they find is what they say, whoever looks; and it is the worst where that is known. */
#include "datasets/attack/attack.h"
#include "src/base/format.h"

#include <stdatomic.h>

#include "tests/support/methods.h"

#include "tests/support/random.h"

static const struct launch full = {120, 256};

static struct attack_request request_of(const struct method *method, uint64_t n, uint64_t calls)
{
    return (struct attack_request){
        .method = method, .launch = full, .n = n, .seed = 1, .calls = calls, .until = INFINITY, .workers = 1};
}

static struct attack_find made(struct attack_request request)
{
    struct attack_find find;
    assert_int_equal(attack_make(&request, &find), OK);
    return find;
}

/* ---- what is found is true ---- */

/* The value once more, from the numbers alone, with MPFR. */
static double value_again(const struct attack_request *request, const struct attack_find *find, uint64_t *bits)
{
    struct exact_sum exact;
    mpfr_t error;
    const struct operands of = operands_of_sum(find->format, find->x, find->n);
    assert_int_equal(method_compute(request->method, &of, request->launch, 1, bits), OK);
    assert_int_equal(exact_sum(find->format, find->x, find->n, &exact), OK);
    mpfr_init2(error, 4000);
    mpfr_sub_d(error, exact.sum, format_value(request->method->format, *bits), MPFR_RNDN);
    mpfr_abs(error, error, MPFR_RNDN);
    const double above = mpfr_get_d(error, MPFR_RNDU), ulp = exact_ulp(exact.sum, request->method->format);
    const double scale = request->climbs == ATTACK_BOUND ? bound_of(request->method, request->launch, &exact) : ulp;
    mpfr_clear(error);
    exact_free(&exact);
    return above == 0 ? 0 : above / scale;
}

static void assert_is_true(const struct attack_request *request, const struct attack_find *find)
{
    uint64_t bits;
    const double again = value_again(request, find, &bits);
    if (again != find->value || bits != find->computed)
        fail_msg("%s, n = %llu: %a was found, %a is there", request->method->id, (unsigned long long)find->n,
                 find->value, again);
    assert_true(find->calls == request->calls || isinf(find->value));
    assert_true(find->step_count > 0 ? find->steps[find->step_count - 1].value == find->value : find->value == 0);
    for (size_t i = 1; i < find->step_count; i++)
        assert_true(find->steps[i].value > find->steps[i - 1].value && find->steps[i].calls > find->steps[i - 1].calls);
}

static void finds_are_what_they_say_in_every_format(void **state)
{
    (void)state;
    seed_random(5);
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t count;
        const struct method *const *table = method_table_of(sum_formats[f], &count);
        for (size_t m = 0; m < count; m++) {
            struct attack_request request = request_of(table[m], 2 + below(20), 300 + below(100));
            request.launch = launches[below(LAUNCHES)];
            request.climbs = below(4) ? ATTACK_BOUND : ATTACK_ULP;
            if (!is_sum(table[m]) || !can_do(table[m], request.launch))
                continue;
            struct attack_find find = made(request);
            assert_is_true(&request, &find);
            if (request.climbs == ATTACK_BOUND && !(find.value <= 1))
                fail_msg("%s breaks its bound: %a", table[m]->id, find.value);
            attack_free(&find);
        }
    }
}

/* ---- who looks changes nothing ---- */

static bool same_finds(const struct attack_find *a, const struct attack_find *b)
{
    bool same = a->value == b->value && a->calls == b->calls && a->step_count == b->step_count &&
                a->computed == b->computed && memcmp(a->x, b->x, a->n * format_held(a->format)->bytes) == 0;
    for (size_t i = 0; i < a->step_count && same; i++)
        same = a->steps[i].calls == b->steps[i].calls && a->steps[i].value == b->steps[i].value &&
               strcmp(a->steps[i].by, b->steps[i].by) == 0;
    return same;
}

static void workers_change_nothing_and_seeds_and_trials_do(void **state)
{
    (void)state;
    struct attack_request request = request_of(find("kahan", "serial"), 40, 12345);
    request.asks_no_family = true; /* whose numbers the seed changes, too */
    struct attack_find one = made(request);
    for (unsigned workers = 0; workers < 12; workers += 3) {
        request.workers = workers;
        struct attack_find other = made(request);
        assert_true(same_finds(&one, &other));
        attack_free(&other);
    }
    for (uint64_t of_trial = 0; of_trial < 2; of_trial++) {
        request.seed = of_trial ? 1 : 2;
        request.trial = of_trial;
        struct attack_find other = made(request);
        assert_false(same_finds(&one, &other));
        attack_free(&other);
    }
    attack_free(&one);
}

static void enough_is_enough(void **state)
{
    (void)state;
    struct attack_request request = request_of(find("kahan", "serial"), 64, 100000);
    struct attack_find all = made(request);
    request.until = 0.5;
    struct attack_find enough = made(request);
    assert_true(enough.value >= 0.5 && enough.calls < 100000 && enough.value < all.value);
    assert_true(enough.steps[enough.step_count - 1].calls == enough.calls);
    attack_free(&all);
    attack_free(&enough);
}

struct ended {
    atomic_ullong sums;
    uint64_t most;
    atomic_bool is_over;
};

static bool may_go_on(void *context, uint64_t more)
{
    struct ended *ended = context;
    if (atomic_fetch_add(&ended->sums, more) + more > ended->most)
        ended->is_over = true;
    return !ended->is_over;
}

/* While what is known is tried, and in the middle of an epoch; of several workers as if one had followed the other. */
static void a_search_that_is_ended_found_what_one_of_so_many_calls_finds(void **state)
{
    static const uint64_t ends[] = {1, 50, 1000, 1013, 5000, 9999};
    (void)state;
    for (size_t e = 0; e < 3 * COUNT_OF(ends); e++) {
        struct attack_request request = request_of(find("kahan", "serial"), 16, 10000), again = request;
        const uint64_t most = ends[e / 3];
        const struct onlooker onlooker = {may_go_on, &(struct ended){.most = most}};
        request.onlooker = &onlooker;
        request.workers = (unsigned)(1 + e % 3);
        struct attack_find one = made(request);
        assert_true(one.is_ended && one.calls <= most && (request.workers > 1 || one.calls + 8 > most));
        again.ends_after = one.calls;
        struct attack_find other = made(again);
        assert_true(!other.is_ended && same_finds(&one, &other));
        again.ends_after = one.calls + 1000;
        struct attack_find twin = made(again);
        assert_int_equal(twin.calls, one.calls + 1000 < 10000 ? one.calls + 1000 : 10000);
        assert_false(same_finds(&one, &twin));
        attack_free(&one);
        attack_free(&other);
        attack_free(&twin);
    }
    struct attack_request request = request_of(find("kahan", "serial"), 16, 10000);
    const struct onlooker nobody = {may_go_on, &(struct ended){.is_over = true}};
    struct attack_find none;
    request.onlooker = &nobody;
    assert_int_equal(attack_make(&request, &none), INTERRUPTED);
}

/* ---- it is the worst ---- */

/* Of what uniform numbers make it use, a small share. */
static void plain_uses_nine_tenths_of_its_bound_in_every_tree(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {4, 16, 64, 256, 1024, 4096};
    size_t count;
    const struct method *const *table = method_table(&count);
    for (size_t m = 0; m < count; m++)
        for (size_t l = 0; l < COUNT_OF(lengths) && is_sum(table[m]) && strcmp(table[m]->accumulator, "plain") == 0;
             l++) {
            struct attack_find find = made(request_of(table[m], lengths[l], 20));
            if (!(find.value >= 0.9))
                fail_msg("%s, n = %llu: %g", table[m]->id, (unsigned long long)lengths[l], find.value);
            attack_free(&find);
        }
}

static double opening_of(const char *id, uint64_t n, uint64_t calls, const char *by)
{
    struct attack_find find = made(request_of(method_find(id), n, calls));
    const double value = find.value;
    assert_string_equal(find.steps[find.step_count - 1].by, by);
    attack_free(&find);
    return value;
}

/* Of two sums the first is the path.  With an odd n its end is not the first element. */
static void the_tree_tells_where_plain_loses_most(void **state)
{
    (void)state;
    assert_true(opening_of("plain/pairwise_1", 3, 2, "path, lost") > 0.99);
    assert_true(opening_of("plain/pairwise_1", 1001, 2, "path, lost") > 0.99);
    const double in_path = opening_of("plain/pairwise_1@bfloat16_in_bfloat16", 1001, 2, "path, lost"),
                 in_tree = opening_of("plain/pairwise_1@bfloat16_in_bfloat16", 1001, 6, "tree, every addition loses");
    assert_true(in_tree > 0.96 && in_path < 0.95);
}

/* A kahan whose correction is not used breaks kahan's bound, which kahan does not. */
static void a_broken_bound_is_found(void **state)
{
    (void)state;
    struct attack_find broken = made(request_of(broken_find("kahan_unused", "serial"), 64, 500)),
                       sound = made(request_of(find("kahan", "serial"), 64, 500));
    assert_true(broken.value > 1 && sound.value <= 1);
    attack_free(&broken);
    attack_free(&sound);
}

static void ulp_has_no_end_where_sums_cancel(void **state)
{
    (void)state;
    struct attack_request request = request_of(find("plain", "serial"), 64, 2000);
    request.climbs = ATTACK_ULP;
    struct attack_find plain = made(request);
    request.method = find("superacc", "serial");
    struct attack_find exact = made(request);
    assert_true(plain.value > 1e6 && exact.value <= 0.5);
    attack_free(&plain);
    attack_free(&exact);
}

/* ---- what fails ---- */

/* A sum of somebody else's, which fails where a number is above 2^30, or says NaN. */
static enum status fragile(const struct method *self, const struct operands *of, struct launch launch, uint64_t *bits,
                           double *seconds)
{
    const float *x = of->arrays[0];
    float sum = 0;
    (void)launch, (void)seconds;
    for (uint64_t i = 0; i < of->shape.terms; i++) {
        if (x[i] > 0x1p30f && !self->own)
            return NOT_MEASURED;
        sum += x[i] > 0x1p30f ? NAN : x[i];
    }
    *bits = float_bits(sum);
    return OK;
}

static struct method asked(bool says_nan)
{
    struct method method = *find("plain", "serial");
    method.id = "mine/fragile";
    method.replay = NULL;
    method.ask = fragile;
    method.own = says_nan ? &full : NULL;
    method.bound = find("superacc", "serial")->bound;
    method.can_do = find("plain", "serial")->can_do;
    return method;
}

static bool own_can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    (void)self, (void)launch, (void)why;
    return true;
}

static double own_bound(const struct method *self, struct shape shape, struct launch launch,
                        const struct magnitudes *of)
{
    (void)self, (void)launch;
    return of->sum_abs < 0x1p100 ? (double)shape.terms * u * of->sum_abs : (double)INFINITY;
}

static void a_crash_is_a_find(void **state)
{
    (void)state;
    struct method method = asked(false);
    method.can_do = own_can_do;
    method.bound = own_bound;
    struct attack_find find = made(request_of(&method, 8, 5000));
    uint64_t bits;
    const struct operands of = operands_of_sum(find.format, find.x, find.n);
    assert_true(find.has_crashed && find.calls <= 5000);
    assert_int_equal(method_compute(&method, &of, full, 1, &bits), NOT_MEASURED);
    attack_free(&find);
}

static void a_nan_breaks_every_bound(void **state)
{
    (void)state;
    struct method method = asked(true);
    method.can_do = own_can_do;
    method.bound = own_bound;
    struct attack_request request = request_of(&method, 8, 5000);
    request.until = 1.5;
    struct attack_find find = made(request);
    assert_true(isinf(find.value) && !find.has_crashed && find.calls < 5000);
    attack_free(&find);
}

/* A GPU's sum, by the replay of a loop. */
static enum status loop_sum(void *calls, const struct method *method, const struct operands *of, struct launch launch,
                            uint64_t *bits)
{
    (void)method;
    ++*(uint64_t *)calls;
    return method_replay(method_find("plain/serial"), of, launch, 1, bits);
}

static void a_black_box_is_summed_elsewhere(void **state)
{
    (void)state;
    uint64_t calls = 0;
    const struct attack_elsewhere loop = {loop_sum, &calls};
    struct method box = *method_find("cub/device_reduce");
    struct attack_request request = request_of(&box, 64, 3000);
    box.can_do = own_can_do; /* without CUDA it is refused */
    request.climbs = ATTACK_ULP;
    request.elsewhere = &loop;
    struct attack_find find = made(request);
    assert_true(find.value > 1e6 && find.calls == 3000 && calls == 3000 && !find.has_crashed);
    attack_free(&find);
}

static void what_cannot_be_attacked_is_refused(void **state)
{
    (void)state;
    struct attack_find find;
    const struct method *plain = method_find("plain/serial");
    const struct attack_request wrong[] = {
        request_of(plain, 64, 0),
        request_of(plain, 0, 100),
        request_of(method_find("cub/device_reduce"), 64, 100),
        request_of(method_find("height/serial"), 64, 100),
        request_of(method_find("dot:plain/serial"), 64, 100),
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_int_equal(attack_make(&wrong[i], &find), BAD_INPUT);
    find = made(request_of(plain, 1, 1)); /* nothing is wrong with one number, but that it has no error */
    assert_true(find.value == 0 && find.calls == 1);
    attack_free(&find);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_are_what_they_say_in_every_format),
        cmocka_unit_test(workers_change_nothing_and_seeds_and_trials_do),
        cmocka_unit_test(enough_is_enough),
        cmocka_unit_test(a_search_that_is_ended_found_what_one_of_so_many_calls_finds),
        cmocka_unit_test(plain_uses_nine_tenths_of_its_bound_in_every_tree),
        cmocka_unit_test(the_tree_tells_where_plain_loses_most),
        cmocka_unit_test(a_broken_bound_is_found),
        cmocka_unit_test(ulp_has_no_end_where_sums_cancel),
        cmocka_unit_test(a_crash_is_a_find),
        cmocka_unit_test(a_nan_breaks_every_bound),
        cmocka_unit_test(a_black_box_is_summed_elsewhere),
        cmocka_unit_test(what_cannot_be_attacked_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
