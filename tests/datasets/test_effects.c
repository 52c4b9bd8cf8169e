/* What the cards of the families claim, measured: the error of every method that a claim names, at every size, with
 * several seeds.
 *
 *   test_effects         up to n = 64 Ki
 *   test_effects --all   all claims, up to n = 2^24: a minute
 *   test_effects --claims   prints what tools/matrix reads: whom each is about
 *
 * A claim is sharp: one that is 8 times as strict fails, 1024 times for random data, so that none is true of anything.
 */
#include "family.h"

#include "src/measure/metric.h"
#include "src/measure/operation.h"
#include "src/study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 256, GLOBS_MOST = 24, SHARP = 8, SHARP_OF_RANDOM = 1024 };
static uint64_t most_n = 64 << 10;
static const uint64_t seeds[] = {1, 7}; /* of random families */

/* ---- a claim ---- */

static bool holds(const struct effect *effect, double least_error, double largest_error)
{
    if (effect->kind == AT_LEAST)
        return isinf(effect->ulp) ? isinf(least_error) : least_error >= effect->ulp;
    return largest_error <= effect->ulp;
}

static struct effect stricter(const struct effect *effect, bool random)
{
    const double times = random ? SHARP_OF_RANDOM : SHARP;
    struct effect made = *effect;
    made.ulp *= effect->kind == AT_LEAST ? times : 1 / times;
    return made;
}

/* Nothing more can be asked: the best rounding, or no number at all. */
static bool is_extreme(const struct effect *effect)
{
    return effect->kind == AT_MOST ? effect->ulp <= 0.5 : isinf(effect->ulp);
}

/* What was measured of a claim. */
struct measured {
    double least, largest; /* NaN counts as infinite */
    size_t sums;
    bool all; /* no size was left out */
};

/* ---- measuring ---- */

static struct study methods_of(const struct effect *effect)
{
    char text[TEXT], *globs[GLOBS_MOST], *rest = text;
    struct study study = {0};
    size_t count = 0;
    assert_true(strlen(effect->methods) < TEXT);
    strcpy(text, effect->methods);
    for (char *glob; (glob = strsep(&rest, ","));) {
        assert_true(count < GLOBS_MOST);
        globs[count++] = glob;
    }
    assert_int_equal(study_select_methods(&study, globs, count, effect->methods), OK);
    return study;
}

static double error_of(const struct method *method, const struct dataset *data, const struct exact_sum *exact)
{
    const struct operands of = operation_operands(method->operation, data);
    uint64_t bits;
    assert_int_equal(method_replay(method, &of, family_launch, 1, &bits), OK);
    const struct judged judged = {.exact = exact, .computed = format_value(method->format, bits)};
    const double error = metric_table[METRIC_ulp_error].measure(&judged);
    return isnan(error) ? (double)INFINITY : error;
}

/* All methods of a claim, which are of one operation, on one data set, whose sum superacc rounds correctly. */
static void measure_data(const struct data_spec *spec, uint64_t seed, const struct study *study, struct measured *into)
{
    struct dataset data;
    struct exact_sum exact;
    assert_int_equal(dataset_make(spec, seed, 0, &data), OK);
    const enum operation operation = study->methods[0]->operation;
    assert_int_equal(operation_exact(operation, &data, (struct exact_how){0}, &exact), OK);
    assert_true(operation != OPERATION_sum || error_of(method_find("superacc/serial"), &data, &exact) <= 0.5);
    for (size_t m = 0; m < study->method_count; m++) {
        if (!study->methods[m]->replay)
            continue;
        assert_int_equal(study->methods[m]->operation, operation);
        const double error = error_of(study->methods[m], &data, &exact);
        into->least = fmin(into->least, error);
        into->largest = fmax(into->largest, error);
        into->sums++;
    }
    exact_free(&exact);
    dataset_free(&data);
}

static struct measured measure(const struct generator *generator, const struct effect *effect)
{
    struct measured made = {INFINITY, 0, 0, true};
    struct study study = methods_of(effect);
    struct data_spec *specs;
    char text[TEXT];
    size_t count;
    snprintf(text, TEXT, "%s:%s", generator->id, effect->at);
    assert_int_equal(data_specs_read(text, "claim", NONFINITE_REFUSE, &specs, &count), OK);
    for (size_t i = 0; i < count; i++) {
        made.all &= specs[i].n <= most_n;
        for (size_t s = 0; specs[i].n <= most_n && s < (generator->random ? sizeof seeds / sizeof *seeds : 1); s++)
            measure_data(&specs[i], seeds[s], &study, &made);
    }
    data_specs_free(specs, count);
    study_free(&study);
    return made;
}

/* ---- every claim ---- */

static const char *fault_of(const struct effect *effect, const struct measured *made, bool random)
{
    const struct effect strict = stricter(effect, random);
    if (!holds(effect, made->least, made->largest))
        return "false";
    return made->all && !is_extreme(effect) && holds(&strict, made->least, made->largest) ? "blunt" : NULL;
}

/* The claim on the other side of what was measured. */
static struct effect turned(const struct effect *effect, const struct measured *made)
{
    const bool at_least = effect->kind == AT_LEAST;
    return (struct effect){effect->at, effect->methods, at_least ? AT_MOST : AT_LEAST,
                           at_least ? nextafter(made->least, 0) : nextafter(made->largest, INFINITY)};
}

static size_t claims, sums;

static void hold(const struct generator *generator, const struct effect *effect, size_t *faults)
{
    const struct measured made = measure(generator, effect);
    const struct effect false_claim = turned(effect, &made);
    if (made.sums == 0)
        return;
    const char *fault = fault_of(effect, &made, generator->random);
    if (fault)
        print_error("%s:%s: %s: claimed at %s %g ulp; measured %.9g to %.9g: %s\n", generator->id, effect->at,
                    effect->methods, effect->kind == AT_LEAST ? "least" : "most", effect->ulp, made.least, made.largest,
                    fault);
    *faults += fault != NULL;
    claims++;
    sums += made.sums;
    assert_string_equal(fault_of(&false_claim, &made, generator->random), "false");
}

static void every_claim_is_true_and_sharp_and_its_contrary_false(void **state)
{
    size_t count, faults = 0;
    const struct generator *const *families = generator_table(&count);
    (void)state;
    for (size_t f = 0; f < count; f++)
        for (const struct effect *effect = families[f]->effects; effect && effect->at; effect++)
            hold(families[f], effect, &faults);
    print_message("%zu claims, %zu sums\n", claims, sums);
    assert_int_equal(faults, 0);
}

static void planted_claims_are_found(void **state) /* the twin */
{
    static const struct {
        struct effect claim;
        const char *fault;
    } planted[] = {
        {{"n=4Ki", "plain/serial", AT_LEAST, 2047.5}, NULL},
        {{"n=4Ki", "plain/serial", AT_LEAST, 2048}, "false"},
        {{"n=4Ki", "plain/serial", AT_LEAST, 200}, "blunt"},
        {{"n=4Ki", "plain/serial", AT_MOST, 2047}, "false"},
        {{"n=4Ki", "plain/serial,kahan/*", AT_LEAST, 1}, "false"},
        {{"n=4Ki", "*,!fabsum*", AT_MOST, 1}, "false"},
        {{"n=4Ki", "kahan/*", AT_MOST, 0}, "false"},
        {{"n=4Ki", "kahan/*", AT_MOST, 100}, "blunt"},
        {{"n=4Ki", "plain/serial", AT_LEAST, NO_NUMBER}, "false"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        const struct measured made = measure(generator_find("tie"), &planted[i].claim);
        const char *fault = fault_of(&planted[i].claim, &made, false);
        if ((fault == NULL) != (planted[i].fault == NULL) || (fault && strcmp(fault, planted[i].fault) != 0))
            fail_msg("row %zu: %s", i, fault ? fault : "no fault");
    }
}

static bool has_claims(const struct generator *generator)
{
    return generator->effects && generator->effects->at;
}

static void every_family_claims_something(void **state)
{
    static const struct effect none[] = {{0}};
    const struct generator silent = {.id = "silent", .effects = none};
    size_t count;
    const struct generator *const *families = generator_table(&count);
    (void)state;
    for (size_t f = 0; f < count; f++)
        if (!has_claims(families[f]))
            fail_msg("%s claims nothing; add a row to its effects", families[f]->id);
    assert_false(has_claims(&silent));
}

/* "kahan*tree" would mean one method and be read by nobody; "*" would be about what is not there yet. */
static bool is_readable(const char *names)
{
    for (const char *name = names; *name != '\0';) {
        const size_t length = strcspn(name, ",");
        if (*name == '*' || (!memchr(name, '/', length) && name[length - 1] != '*'))
            return false;
        name += length + (name[length] == ',');
    }
    return true;
}

static void methods_of_a_claim_are_named_in_full_by_kind_or_by_their_beginning(void **state)
{
    size_t count;
    const struct generator *const *families = generator_table(&count);
    (void)state;
    for (size_t f = 0; f < count; f++)
        for (const struct effect *effect = families[f]->effects; effect->at; effect++)
            if (!is_readable(effect->methods))
                fail_msg("%s: %s", families[f]->id, effect->methods);
    assert_false(is_readable("plain/serial,kahan*tree"));
    assert_false(is_readable("*,!plain/*"));
}

/* ---- every accumulator ---- */

/* The first of the specs, as it is written always. */
static void canonical(const char *text, char made[TEXT])
{
    struct data_spec *specs;
    size_t count;
    assert_int_equal(data_specs_read(text, "claim", NONFINITE_REFUSE, &specs, &count), OK);
    snprintf(made, TEXT, "%s", specs[0].text);
    data_specs_free(specs, count);
}

/* `--data all` has these data. */
static bool is_shown(const struct generator *generator, const struct effect *effect)
{
    char text[TEXT], claimed[TEXT], shown[TEXT];
    snprintf(text, TEXT, "%s:%s", generator->id, effect->at);
    canonical(text, claimed);
    for (const char *const *showcase = generator->showcase; *showcase; showcase++) {
        canonical(*showcase, shown);
        if (strcmp(shown, claimed) == 0)
            return true;
    }
    return false;
}

static bool is_of_sums(const struct study *study)
{
    return study->methods[0]->operation == OPERATION_sum;
}

static bool is_about(const struct effect *effect, const char *accumulator)
{
    struct study study = methods_of(effect);
    bool found = false;
    for (size_t m = 0; m < study.method_count; m++)
        found |= is_of_sums(&study) && strcmp(study.methods[m]->accumulator, accumulator) == 0;
    study_free(&study);
    return found;
}

/* A family that leaves it less than one bit of the sum, of those that --data all runs. */
static const char *what_defeats(const char *accumulator)
{
    size_t count;
    const struct generator *const *families = generator_table(&count);
    for (size_t f = 0; f < count; f++)
        for (const struct effect *effect = families[f]->effects; effect->at; effect++)
            if (effect->kind == AT_LEAST && effect->ulp >= 0x1p22 && is_about(effect, accumulator) &&
                is_shown(families[f], effect))
                return families[f]->id;
    return NULL;
}

static enum accumulator_kind kind_of(const char *accumulator)
{
    char id[TEXT];
    snprintf(id, TEXT, "%s/serial", accumulator);
    const struct method *method = method_find(id);
    return method ? method->accumulator_traits->kind : KIND_NONE;
}

static void every_accumulator_of_a_kind_that_is_not_exact_is_defeated(void **state)
{
    unsigned defeated = 0;
    (void)state;
#define ACCUMULATOR(id, role, additions, of_merge, claim)                                                              \
    defeated += role == SUMS && what_defeats(#id);                                                                     \
    if (role == SUMS && kind_of(#id) != KIND_NONE && !what_defeats(#id) != (kind_of(#id) == KIND_EXACT))               \
        fail_msg("%s is defeated by %s", #id, what_defeats(#id) ? what_defeats(#id) : "no family; claim what does");
#include "kernels/accumulators.def"
    assert_true(defeated >= 16);
}

static void print_claims(void)
{
    size_t count;
    const struct generator *const *families = generator_table(&count);
#define ACCUMULATOR(id, role, additions, of_merge, claim)                                                              \
    if (role == SUMS && kind_of(#id) != KIND_EXACT)                                                                    \
        printf("%s ", #id);
#include "kernels/accumulators.def"
    for (size_t f = 0; f < count; f++)
        for (const struct effect *effect = families[f]->effects; effect->at; effect++) {
            struct study study = methods_of(effect);
            if (is_of_sums(&study))
                printf("\n%s %s %a", families[f]->id, effect->kind == AT_MOST ? "AT_MOST" : "AT_LEAST", effect->ulp);
            for (size_t m = 0; is_of_sums(&study) && m < study.method_count; m++)
                if (m == 0 || strcmp(study.methods[m]->accumulator, study.methods[m - 1]->accumulator) != 0)
                    printf(" %s", study.methods[m]->accumulator);
            study_free(&study);
        }
    puts("");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_claims_are_found),
        cmocka_unit_test(every_claim_is_true_and_sharp_and_its_contrary_false),
        cmocka_unit_test(every_family_claims_something),
        cmocka_unit_test(methods_of_a_claim_are_named_in_full_by_kind_or_by_their_beginning),
        cmocka_unit_test(every_accumulator_of_a_kind_that_is_not_exact_is_defeated),
    };
    if (argc > 1 && strcmp(argv[1], "--claims") == 0)
        return print_claims(), 0;
    if (argc > 1 && strcmp(argv[1], "--all") == 0)
        most_n = UINT64_MAX;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
