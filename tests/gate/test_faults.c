/* The broken sums: each is another sum than the sound one wherever it applies, the same where its fault has nothing
 * to hurt, and leaves the processor and the data as they were. */
#include "src/base/format.h"
#include "src/gate/fault.h"

#include "tests/datasets/family.h"
#include "tests/support/random.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const struct launch launch = {4, 64};

/* ---- sums ---- */

static float sound(const struct method *method, const struct dataset *data, struct launch at)
{
    float result;
    assert_int_equal(method_sum(method, data->x, data->n, at, 1, &result), OK);
    return result;
}

static float faulty_at(const struct fault *fault, const struct method *method, const struct dataset *data,
                       struct launch at)
{
    const struct fault_call call = {method, operands_of_sum(data->format, data->x, data->n), at};
    uint64_t bits = 0;
    assert_int_equal(fault->sum(fault, &call, &bits), OK);
    return float_from_bits((uint32_t)bits);
}

static float faulty(const struct fault *fault, const struct method *method, const struct dataset *data)
{
    return faulty_at(fault, method, data, launch);
}

static const struct fault *fault_of(const char *id)
{
    const struct fault *fault = fault_find(id);
    assert_non_null(fault);
    return fault;
}

static const struct method *method_of(const char *id)
{
    const struct method *method = method_find(id);
    assert_non_null(method);
    return method;
}

static bool can_do(const struct method *method)
{
    char why[REASON_SIZE];
    return method_can_do(method, launch, why);
}

/* Calls visit(fault, method, context) for every fault and every method of the table that can do the launch; returns how
 * often visit() said yes. */
typedef bool visitor(const struct fault *fault, const struct method *method, void *context);

static size_t count_pairs(visitor *visit, void *context)
{
    size_t faults, methods, count = 0;
    const struct fault *fault = fault_table(&faults);
    const struct method *const *method = method_table(&methods);
    for (size_t f = 0; f < faults; f++)
        for (size_t m = 0; m < methods; m++)
            if (can_do(method[m]))
                count += visit(&fault[f], method[m], context);
    return count;
}

/* ---- the tables ---- */

static void ids_are_unique_and_found(void **state)
{
    (void)state;
    size_t faults, broken = 0;
    const struct fault *table = fault_table(&faults);
    for (size_t f = 0; f < faults; f++) {
        assert_ptr_equal(fault_find(table[f].id), &table[f]); /* the first one with this id */
        assert_true(strlen(table[f].meaning) > 0);
        broken += table[f].broken != NULL;
        if (table[f].broken)
            assert_string_equal(table[f].broken, table[f].id);
    }
    assert_true(faults - broken >= 16 && broken >= 10);
    assert_null(fault_find("no_such_fault"));
    assert_null(fault_find(""));
}

static void broken_sums_are_in_no_table_of_methods(void **state)
{
    (void)state;
    size_t faults, methods;
    const struct fault *fault = fault_table(&faults);
    const struct method *const *method = method_table(&methods);
    for (size_t f = 0; f < faults; f++)
        for (size_t m = 0; fault[f].broken && m < methods; m++) {
            if (!method[m]->replay)
                continue;
            const struct method *broken = broken_find(fault[f].broken, method[m]->order);
            assert_non_null(broken);
            assert_null(method_find(broken->id));
            assert_null(broken->device);
            assert_string_equal(broken->order, method[m]->order);
        }
    assert_null(broken_find("kahan", "serial"));
    assert_null(broken_find("kahan_sign", "no_such_order"));
}

/* ---- formats ---- */

enum { NUMBERS = 1001, TRIALS = 10 };

static struct dataset numbers_of(const struct format *format, uint64_t trial)
{
    struct dataset data;
    struct data_spec *specs;
    size_t count;
    char text[64];
    snprintf(text, sizeof text, "normal:n=%d,format=%s", NUMBERS, format->name);
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(dataset_make(specs, 1, trial, &data), OK);
    data_specs_free(specs, count);
    return data;
}

static uint64_t bits_of(const struct method *method, const struct dataset *data, uint64_t first)
{
    uint64_t bits = 0;
    const char *x = (const char *)data->x + first * format_held(data->format)->bytes;
    const struct operands of = operands_of_sum(data->format, x, data->n - first);
    assert_int_equal(method_replay(method, &of, launch, 1, &bits), OK);
    return bits;
}

static uint64_t faulty_bits(const char *id, const struct method *method, const struct dataset *data)
{
    uint64_t bits = 0;
    const struct fault *fault = fault_of(id);
    const struct fault_call call = {method, operands_of_sum(data->format, data->x, data->n), launch};
    assert_true(fault->applies(method));
    assert_int_equal(fault->sum(fault, &call, &bits), OK);
    return bits;
}

static void elements_are_left_out_in_every_format(void **state)
{
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++) {
        const struct method *method = method_in(method_of("plain/tree_two_pass"), sum_formats[f]);
        struct dataset data = numbers_of(sum_formats[f]->stored, 0);
        assert_int_equal(faulty_bits("drop_first", method, &data), bits_of(method, &data, 1));
        assert_int_not_equal(faulty_bits("drop_round", method, &data), bits_of(method, &data, 0));
        memset(data.x, 0, launch.threads * format_held(data.format)->bytes);
        assert_int_equal(faulty_bits("drop_round", method, &data), bits_of(method, &data, 0)); /* nothing is left */
        dataset_free(&data);
    }
}

static void numbers_that_went_through_float_lose_bits(void **state)
{
    (void)state;
    const struct method *method = method_of("kahan/tree_two_pass@binary64");
    struct dataset data = numbers_of(&FORMAT_BINARY64, 0);
    const uint64_t sound_bits = bits_of(method, &data, 0);
    const double result = (double)(float)format_value(&FORMAT_BINARY64, sound_bits);
    assert_int_equal(faulty_bits("result_binary32", method, &data), format_bits(&FORMAT_BINARY64, result));
    const uint64_t bits = faulty_bits("inputs_binary32", method, &data);
    assert_int_not_equal(bits, sound_bits);
    for (uint64_t i = 0; i < data.n; i++)
        held_set(data.format, data.x, i, (double)(float)held_number(data.format, data.x, i));
    assert_int_equal(bits, bits_of(method, &data, 0));
    assert_false(fault_of("inputs_binary32")->applies(method_of("kahan/tree_two_pass")));
    assert_false(fault_of("result_binary32")->applies(method_of("kahan/tree_two_pass@bfloat16")));
    dataset_free(&data);
}

/* Where the processor has no such subnormals, those of the data and of the result are flushed by hand. */
static void subnormals_of_narrow_formats_are_flushed(void **state)
{
    (void)state;
    const struct method *method = method_of("plain/serial@binary16");
    float x[] = {1, 0x1p-15f, -0x1p-24f, 0x1p-14f};
    const struct dataset data = {.format = &FORMAT_BINARY16, .x = x, .n = COUNT_OF(x)};
    const struct dataset tiny = {.format = &FORMAT_BINARY16, .x = x + 1, .n = 2};
    const struct dataset normal = {.format = &FORMAT_BINARY16, .x = x + 3, .n = 1};
    assert_int_equal(faulty_bits("flush_subnormals", method, &tiny), 0);
    assert_int_not_equal(bits_of(method, &tiny, 0), 0);
    assert_int_equal(faulty_bits("flush_subnormals", method, &normal), format_bits(&FORMAT_BINARY16, 0x1p-14));
    assert_int_equal(faulty_bits("flush_subnormals", method, &data), format_bits(&FORMAT_BINARY16, 1));
}

static void additions_in_what_is_stored_are_those_of_the_narrow_format(void **state)
{
    (void)state;
    static const struct {
        const char *fault, *wide, *narrow;
    } rows[] = {
        {"additions_in_stored", "kahan/serial@bfloat16", "kahan/serial@bfloat16_in_bfloat16"},
        {"additions_in_stored", "kahan/serial@binary16", "kahan/serial@binary16_in_binary16"},
        {"plain_bfloat16", "plain/tree_two_pass@bfloat16", "plain/tree_two_pass@bfloat16_in_bfloat16"},
        {"additions_in_stored", "plain/tree_two_pass@bfloat16_to_binary32", NULL},
        {"additions_in_stored", "kahan/tree_two_pass", NULL},
        {"additions_in_stored", "kahan/tree_two_pass@bfloat16_in_bfloat16", NULL},
        {"additions_in_stored", "superacc/tree_two_pass@bfloat16", NULL},
        {"inputs_bfloat16", "kahan/tree_two_pass@bfloat16", NULL},
        {"kahan_sign", "kahan/tree_two_pass@binary64", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct method *wide = method_of(rows[i].wide);
        if (!rows[i].narrow) {
            if (fault_of(rows[i].fault)->applies(wide))
                fail_msg("%s applies to %s", rows[i].fault, wide->id);
            continue;
        }
        bool shows = false;
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            struct dataset data = numbers_of(wide->sum_format->stored, trial);
            const uint64_t bits = faulty_bits(rows[i].fault, wide, &data);
            assert_int_equal(bits, bits_of(method_of(rows[i].narrow), &data, 0));
            shows |= bits != bits_of(wide, &data, 0); /* the twin */
            dataset_free(&data);
        }
        assert_true(shows);
    }
}

/* ---- the tables ---- */

/* Whether some fault is the accumulator's own: it cannot be done to plain additions in the same order. */
static bool has_its_own_fault(const struct method *method, const struct method *plain)
{
    size_t faults;
    const struct fault *fault = fault_table(&faults);
    for (size_t f = 0; f < faults; f++)
        if (fault[f].applies(method) && !fault[f].applies(plain))
            return true;
    return false;
}

static void every_accumulator_but_plain_has_a_fault_of_its_own(void **state)
{
    (void)state;
    size_t methods;
    const struct method *const *method = method_table(&methods), *plain = method_find("plain/tree_two_pass");
    for (size_t m = 0; m < methods; m++)
        if (method[m]->role == SUMS && strcmp(method[m]->order, plain->order) == 0 && method[m] != plain &&
            !has_its_own_fault(method[m], plain))
            fail_msg("%s has no fault of its own; say in kernels/accumulators/%s.h what is left of it without its "
                     "compensation (TRAITS, kernels/traits.h), or break it in kernels/broken/",
                     method[m]->accumulator, method[m]->accumulator);
    assert_false(has_its_own_fault(plain, plain)); /* the twin */
}

static void only_plain_has_no_advantage_over_plain_additions(void **state)
{
    (void)state;
    size_t methods;
    const struct method *const *method = method_table(&methods), *plain = method_find("plain/serial");
    for (size_t m = 0; m < methods; m++)
        if (method[m]->role == SUMS && !method[m]->accumulator_traits->advantage &&
            strcmp(method[m]->accumulator, plain->accumulator) != 0)
            fail_msg("%s says that it is plain additions; see kernels/traits.h", method[m]->accumulator);
    assert_null(plain->accumulator_traits->advantage);
}

static bool applies_to_other_than_a_sum(const struct fault *fault, const struct method *method, void *context)
{
    (void)context;
    return fault->applies(method) && (method->role != SUMS || !method->replay);
}

static bool is_black_box_or_measures(const struct fault *fault, const struct method *method, void *context)
{
    (void)fault, (void)context;
    return method->role != SUMS || !method->replay;
}

static void faults_apply_to_sums_with_a_replay(void **state)
{
    (void)state;
    size_t faults, methods;
    const struct fault *fault = fault_table(&faults);
    const struct method *const *method = method_table(&methods);
    for (size_t f = 0; f < faults; f++)
        for (size_t m = 0; m < methods; m++)
            assert_false(applies_to_other_than_a_sum(&fault[f], method[m], NULL));
    assert_true(count_pairs(is_black_box_or_measures, NULL) > 0); /* the twin: such methods are asked */
}

/* ---- that they are faults ---- */

/* What shows every fault somewhere; short ones first.  The last one is for bins, which have room for 4,095 numbers.
 */
static const char *const showing[] = {
    "normal:n=4037",
    "gensum:n=4037,cond=1e8",
    "difficult:n=4037",
    "rand_cond:n=4037,cond=1e12",
    "lognormal:n=4037,sigma=6",
    "subnormal:n=4037",
    "subnormal:n=4000,most=8388607",
    "tie:n=4037",
    "round_up:n=4037",
    "full_range:n=4037",
    "compensation_chain:n=4037",
    "ties_mid:n=4037",
    "integers:n=4037",
    "gensum:n=16389,cond=1e8", /* 16 additions a lane of a vector */
    "const:n=16384,value=0x1.ffffcp-11",
};

struct data {
    struct dataset sets[COUNT_OF(showing)];
};

static struct data make_data(void)
{
    struct data data;
    for (size_t d = 0; d < COUNT_OF(showing); d++)
        data.sets[d] = family_make(showing[d]);
    return data;
}

static void free_data(struct data *data)
{
    for (size_t d = 0; d < COUNT_OF(showing); d++)
        dataset_free(&data->sets[d]);
}

static bool shows(const struct fault *fault, const struct method *method, const struct data *data)
{
    for (size_t d = 0; d < COUNT_OF(showing); d++)
        if (!float_same(faulty(fault, method, &data->sets[d]), sound(method, &data->sets[d], launch)))
            return true;
    return false;
}

static bool applies_and_is_hidden(const struct fault *fault, const struct method *method, void *context)
{
    if (!fault->applies(method) || shows(fault, method, context))
        return false;
    print_error("%s of %s is never seen\n", fault->id, method->id);
    return true;
}

static bool applies(const struct fault *fault, const struct method *method, void *context)
{
    (void)context;
    return fault->applies(method);
}

static void every_fault_shows_in_every_method_that_it_applies_to(void **state)
{
    (void)state;
    struct data data = make_data();
    assert_int_equal(count_pairs(applies_and_is_hidden, &data), 0);
    print_message("%zu pairs of fault and method\n", count_pairs(applies, NULL));
    free_data(&data);
}

/* What is in its own accumulator, in an order that never does what it spoils. */
static bool is_in_another_order(const struct fault *fault, const struct method *method)
{
    const struct method *broken = fault->broken ? broken_find(fault->broken, method->order) : NULL;
    return broken && strcmp(broken->accumulator, method->accumulator) == 0 && !fault->applies(method);
}

static bool is_in_another_order_and_shows(const struct fault *fault, const struct method *method, void *context)
{
    return is_in_another_order(fault, method) && shows(fault, method, context);
}

static bool counts_other_orders(const struct fault *fault, const struct method *method, void *context)
{
    (void)context;
    return is_in_another_order(fault, method);
}

static void a_broken_accumulator_that_does_not_apply_gives_the_sound_bits(void **state)
{
    (void)state;
    struct data data = make_data();
    assert_int_equal(count_pairs(is_in_another_order_and_shows, &data), 0);
    assert_true(count_pairs(counts_other_orders, NULL) >= 10);
    free_data(&data);
}

/* On all data at once. */
static bool are_alike(const struct fault *a, const struct fault *b, const struct method *method,
                      const struct data *data)
{
    for (size_t d = 0; d < COUNT_OF(showing); d++)
        if (!float_same(faulty(a, method, &data->sets[d]), faulty(b, method, &data->sets[d])))
            return false;
    return true;
}

static void no_two_faults_of_a_method_are_the_same(void **state)
{
    (void)state;
    static const char *const ids[] = {
        "plain/tree_two_pass",  "kahan/tree_two_pass", "neumaier/tree_two_pass",  "double_float/tree_two_pass",
        "binary64/tree_atomic", "fabsum/serial",       "binned/shuffle_two_pass", "superacc/blocked",
        "sum2/vector_two_pass", "klein/pairwise"};
    size_t faults;
    const struct fault *table = fault_table(&faults);
    struct data data = make_data();
    for (size_t i = 0; i < COUNT_OF(ids); i++)
        for (size_t a = 0; a < faults; a++)
            for (size_t b = a + 1; b < faults; b++) {
                const struct method *method = method_of(ids[i]);
                if (table[a].applies(method) && table[b].applies(method) &&
                    are_alike(&table[a], &table[b], method, &data))
                    fail_msg("%s and %s of %s have the same bits", table[a].id, table[b].id, ids[i]);
            }
    free_data(&data);
}

/* ---- where they do no harm ---- */

static const struct {
    const char *fault, *method, *harmless, *harmful;
} spared[] = {
    {"drop_tail_of_4", "kahan/tree_two_pass", "uniform:n=4096", "uniform:n=4097"},
    {"drop_tail_of_threads", "kahan/tree_two_pass", "uniform:n=4096", "uniform:n=4097"},
    {"drop_beyond_grid", "plain/tree_two_pass", "uniform:n=256", "uniform:n=257"},
    {"pad_last", "plain/shuffle_two_pass", "uniform:n=4096", "uniform:n=4095"},
    {"double_edge", "plain/tree_two_pass", "ones:n=63", "ones:n=64"},
    {"stale_sum", "plain/serial", "ones:n=0", "ones:n=1"},
    {"signs_lost", "klein/tree_two_pass", "uniform:n=4096", "normal:n=4096"},
    {"sign_flipped", "plain/serial", "ones:n=0", "ones:n=1"},
    {"inputs_integer", "plain/tree_two_pass", "integers:n=4096", "uniform:n=4096"},
    {"inputs_as_integers", "plain/serial", "ones:n=0", "ones:n=1"},
    {"integers_as_inputs", "plain/tree_two_pass", "normal:n=4096", "integers:n=4096"},
    {"result_integer", "plain/serial", "integers:n=4096", "uniform:n=4096"},
    {"result_as_integer", "plain/serial", "ones:n=0", "ones:n=1"},
    {"mean", "plain/serial", "ones:n=1", "ones:n=2"},
    {"inputs_tf32", "plain/tree_two_pass", "ones:n=4096", "uniform:n=4096"},
    {"inputs_binary16", "plain/tree_two_pass", "ones:n=4096", "const:n=4096,value=65520"},
    {"inputs_bfloat16", "plain/tree_two_pass", "ones:n=4096", "const:n=4096,value=257"},
    {"result_binary16", "plain/tree_two_pass", "ones:n=2048", "ones:n=2049"},
    {"result_bfloat16", "plain/tree_two_pass", "ones:n=256", "ones:n=257"},
    {"flush_subnormals", "binary64/tree_two_pass", "gensum:n=4096", "subnormal:n=4096"},
    {"flush_subnormals", "plain/tree_two_pass", "integers:n=4096", "subnormal:n=4096"},
    {"toward_zero", "plain/tree_two_pass", "integers:n=4096", "uniform:n=4096"},
    {"no_compensation", "kahan/tree_two_pass", "integers:n=4096", "lognormal:n=4096"},
    {"no_compensation", "binary64_kahan/serial", "lognormal:n=4096", "binary64_killer:n=4096"},
    {"binary32_accumulator", "binary64/tree_two_pass", "integers:n=4096", "lognormal:n=4096"},
    {"kahan_no_update", "kahan/serial", "integers:n=4096", "tie:n=4096"},
    {"kahan_unused", "kahan/tree_two_pass", "integers:n=4096", "gensum:n=4096"},
    {"kahan_sign", "kahan/tree_two_pass", "integers:n=4096", "gensum:n=4096"},
    {"kahan_merge_plain", "kahan/tree_two_pass", "integers:n=4096", "lognormal:n=4096"},
    {"kahan_x_for_y", "kahan/serial", "integers:n=4096", "uniform:n=4096"},
    {"kahan_reset", "kahan/serial", "integers:n=4096", "uniform:n=4096"},
    {"kahan_reset", "kahan/tree_two_pass", "gensum:n=2048", "gensum:n=4096"}, /* 8 and 16 additions a thread */
    {"kahan_final", "kahan/serial", "integers:n=4096", "tie:n=4096"},
    {"kahan_merge_sign", "kahan/tree_two_pass", "integers:n=4096", "uniform:n=4096"},
    {"kahan_two_sum_sign", "kahan_two_sum/serial", "integers:n=4096", "uniform:n=4096"},
    {"neumaier_branch", "neumaier/tree_two_pass", "ones:n=4096", "gensum:n=4096"},
    {"neumaier_first", "neumaier/serial", "uniform:n=4096,order=descending", "gensum:n=4096"},
    {"neumaier_signed", "neumaier/serial", "uniform:n=4096", "gensum:n=4096"},
    {"neumaier_subtracts", "neumaier/serial", "integers:n=4096", "uniform:n=4096"},
    {"neumaier_merge_drops", "neumaier/tree_two_pass", "integers:n=4096", "gensum:n=4096"},
    {"sum2_fast", "sum2/serial", "swamp:n=4096", "gensum:n=4096"},
    {"sum2_sign", "sum2/serial", "integers:n=4096", "uniform:n=4096"},
    {"klein_sign", "klein/tree_two_pass", "uniform:n=4096", "gensum:n=4096,cond=1e16"},
    {"double_float_sign", "double_float/serial", "integers:n=4096", "uniform:n=4096"},
    {"klein_first_order", "klein/tree_two_pass", "uniform:n=4096", "gensum:n=4096,cond=1e16"},
    {"binary64_partials", "binary64/tree_two_pass", "integers:n=4096", "lognormal:n=4096"},
    {"fabsum_open_block", "fabsum/serial", "uniform:n=4096", "uniform:n=4095"},
    {"binned_no_carry", "binned/serial", "const:n=4095,value=0x1.ffffcp-11", "const:n=4097,value=0x1.ffffcp-11"},
    {"binned_no_shift", "binned/serial", "uniform:n=4096,order=descending", "lognormal:n=4096,order=ascending"},
    {"superacc_ties", "superacc/tree_two_pass", "uniform:n=4096", "ties_mid:n=4096"},
    {"plain_merge_forgets", "plain/tree_two_pass", "ones:n=1", "ones:n=2"},
    {"plain_binary16", "superacc/tree_two_pass", "ones:n=2048", "ones:n=65536"},
    {"plain_bfloat16", "plain/serial", "ones:n=256", "ones:n=257"},
    {"plain_tf32", "plain/serial", "ones:n=2048", "ones:n=2049"},
    {"plain_integer", "plain/tree_two_pass", "integers:n=4096", "uniform:n=4096"},
};

static bool differs_on(const char *fault, const char *method, const char *spec)
{
    struct dataset data = family_make(spec);
    const float sum = sound(method_of(method), &data, launch);
    const bool differs = !float_same(faulty(fault_of(fault), method_of(method), &data), sum);
    dataset_free(&data);
    return differs;
}

static void a_fault_gives_the_sound_bits_on_data_that_it_spares(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(spared); i++) {
        if (differs_on(spared[i].fault, spared[i].method, spared[i].harmless))
            fail_msg("%s does not spare %s", spared[i].fault, spared[i].harmless);
        if (!differs_on(spared[i].fault, spared[i].method, spared[i].harmful)) /* the twin */
            fail_msg("%s spares %s", spared[i].fault, spared[i].harmful);
    }
}

/* ---- what they leave behind ---- */

/* The modes of the processor; not the flags of exceptions, which every sum raises. */
static unsigned modes(void)
{
#ifdef __SSE2__
    enum { EXCEPTION_FLAGS = 0x3f };
    return (_mm_getcsr() & ~(unsigned)EXCEPTION_FLAGS) | (unsigned)fegetround() << 16;
#else
    return (unsigned)fegetround();
#endif
}

static bool leaves_other_modes(const struct fault *fault, const struct method *method, void *context)
{
    const unsigned before = modes();
    if (fault->applies(method))
        faulty(fault, method, context);
    return modes() != before;
}

static void faults_restore_the_modes_of_the_processor(void **state)
{
    (void)state;
    struct dataset data = family_make("subnormal:n=100");
    assert_int_equal(count_pairs(leaves_other_modes, &data), 0);
    assert_int_equal(fesetround(FE_UPWARD), 0); /* and not to what they should have been */
    assert_int_equal(count_pairs(leaves_other_modes, &data), 0);
    assert_int_equal(fegetround(), FE_UPWARD);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    dataset_free(&data);
}

static enum status sum_and_leave_upward(const struct fault *fault, const struct fault_call *call, uint64_t *bits)
{
    (void)fault;
    fesetround(FE_UPWARD);
    return method_replay(call->method, &call->of, call->launch, 1, bits);
}

static bool any(const struct method *method)
{
    return method != NULL;
}

static enum status cannot_sum(const struct method *self, const struct operands *of, struct launch at, unsigned workers,
                              uint64_t *bits)
{
    (void)self, (void)of, (void)at, (void)workers, (void)bits;
    return NOT_MEASURED;
}

static void modes_that_are_not_restored_are_seen(void **state)
{
    (void)state;
    struct dataset data = family_make("ones:n=10");
    const struct fault careless = {.id = "careless", .applies = any, .sum = sum_and_leave_upward};
    assert_true(leaves_other_modes(&careless, method_of("plain/serial"), &data));
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    dataset_free(&data);
}

static void faults_restore_the_modes_after_a_failure(void **state)
{
    (void)state;
    static const char *const ids[] = {"flush_subnormals", "toward_zero", "signs_lost", "stale_sum"};
    struct method failing = *method_of("plain/serial");
    const float x[] = {1, 2, 3};
    failing.replay = cannot_sum;
    for (size_t i = 0; i < COUNT_OF(ids); i++) {
        const struct fault_call call = {&failing, operands_of_sum(&FORMAT_BINARY32, x, COUNT_OF(x)), launch};
        const unsigned before = modes();
        uint64_t bits;
        assert_int_equal(fault_of(ids[i])->sum(fault_of(ids[i]), &call, &bits), NOT_MEASURED);
        assert_int_equal(modes(), before);
    }
}

/* The same again, on few data and none; and the data are what they were. */
static bool changes(const struct fault *fault, const struct method *method, void *context)
{
    struct dataset *data = context;
    if (!fault->applies(method))
        return false;
    float before[100];
    assert_true(data->n <= COUNT_OF(before));
    memcpy(before, data->x, data->n * sizeof *before);
    const float first = faulty(fault, method, data);
    return memcmp(before, data->x, data->n * sizeof *before) != 0 || !float_same(first, faulty(fault, method, data));
}

static void a_fault_gives_the_same_bits_again_and_keeps_the_data(void **state)
{
    (void)state;
    static const char *const specs[] = {"normal:n=0",  "normal:n=1",  "normal:n=2", "normal:n=3",
                                        "normal:n=32", "normal:n=65", "normal:n=97"};
    for (size_t d = 0; d < COUNT_OF(specs); d++) {
        struct dataset data = family_make(specs[d]);
        assert_int_equal(count_pairs(changes, &data), 0);
        dataset_free(&data);
    }
}

static void a_sum_of_nothing_is_zero_but_of_two_faults(void **state)
{
    (void)state;
    size_t faults, others = 0;
    const struct fault *table = fault_table(&faults);
    struct dataset data = family_make("ones:n=0");
    for (size_t f = 0; f < faults; f++) {
        const struct method *method = method_of("plain/tree_two_pass");
        if (table[f].applies(method))
            others += !(faulty(&table[f], method, &data) == 0);
    }
    assert_int_equal(others, 2);
    assert_true(isnan(faulty(fault_of("nan"), method_of("plain/serial"), &data)));
    assert_true(faulty(fault_of("start_from_one"), method_of("plain/serial"), &data) == 1);
    dataset_free(&data);
}

/* ---- which elements ---- */

/* Powers of two show which are added, and how often. */
static void assert_sum(const char *fault, const char *method, struct launch at, uint64_t n, float expected)
{
    float x[16];
    for (size_t i = 0; i < COUNT_OF(x); i++)
        x[i] = (float)(1 << i);
    struct dataset data = {.format = &FORMAT_BINARY32, .x = x, .n = n};
    const float sum = faulty_at(fault_of(fault), method_of(method), &data, at);
    if (sum != expected)
        fail_msg("%s of %s: %a, not %a", fault, method, (double)sum, (double)expected);
}

static void faults_leave_out_what_they_say(void **state)
{
    (void)state;
    const struct launch two_by_two = {2, 2};
    const char *const tree = "plain/tree_two_pass";
    assert_sum("drop_first", tree, two_by_two, 11, 0x7fe);
    assert_sum("drop_last", tree, two_by_two, 11, 0x3ff);
    assert_sum("drop_tail_of_4", tree, two_by_two, 11, 0xff);
    assert_sum("drop_tail_of_threads", tree, two_by_two, 11, 0x3ff);
    assert_sum("drop_beyond_grid", tree, two_by_two, 11, 0xf);
    assert_sum("drop_half", tree, two_by_two, 11, 0x1f);
    assert_sum("drop_round", tree, two_by_two, 11, 0x7fc);
    assert_sum("drop_block", tree, two_by_two, 11, 0x333);
    assert_sum("drop_block", tree, two_by_two, 2, 0);
    assert_sum("drop_block", tree, (struct launch){8, 2}, 11, 0x3ff); /* of six blocks that have elements the last */
    assert_sum("drop_threads", tree, two_by_two, 11, 0x555);
    assert_sum("drop_threads", tree, (struct launch){2, 1}, 11, 0x7ff);
    assert_sum("plain_merge_forgets", tree, two_by_two, 11, 0x111);
    assert_sum("double_last", tree, two_by_two, 11, 0x7ff + 0x400);
    assert_sum("double_edge", tree, two_by_two, 11, 0x7ff + 0x2);
    assert_sum("pad_last", tree, two_by_two, 11, 0x7ff + 21 * 0x400);
    assert_sum("start_from_one", tree, two_by_two, 11, 0x7ff + 1);
    assert_sum("stale_sum", tree, two_by_two, 11, 2 * 0x7ff);
    assert_sum("fabsum_open_block", "fabsum/serial", two_by_two, 11, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_unique_and_found),
        cmocka_unit_test(every_accumulator_but_plain_has_a_fault_of_its_own),
        cmocka_unit_test(only_plain_has_no_advantage_over_plain_additions),
        cmocka_unit_test(broken_sums_are_in_no_table_of_methods),
        cmocka_unit_test(elements_are_left_out_in_every_format),
        cmocka_unit_test(subnormals_of_narrow_formats_are_flushed),
        cmocka_unit_test(numbers_that_went_through_float_lose_bits),
        cmocka_unit_test(additions_in_what_is_stored_are_those_of_the_narrow_format),
        cmocka_unit_test(faults_apply_to_sums_with_a_replay),
        cmocka_unit_test(every_fault_shows_in_every_method_that_it_applies_to),
        cmocka_unit_test(a_broken_accumulator_that_does_not_apply_gives_the_sound_bits),
        cmocka_unit_test(no_two_faults_of_a_method_are_the_same),
        cmocka_unit_test(a_fault_gives_the_sound_bits_on_data_that_it_spares),
        cmocka_unit_test(faults_restore_the_modes_of_the_processor),
        cmocka_unit_test(modes_that_are_not_restored_are_seen),
        cmocka_unit_test(faults_restore_the_modes_after_a_failure),
        cmocka_unit_test(a_fault_gives_the_same_bits_again_and_keeps_the_data),
        cmocka_unit_test(a_sum_of_nothing_is_zero_but_of_two_faults),
        cmocka_unit_test(faults_leave_out_what_they_say),
    };
    return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
