/* Which test sees which fault: every fault, done to methods of several accumulators, and held to what people ask of a
 * sum.  Prints the second half of reports/samples/faults.md, which tools/pages makes and compares.  Exit code 1 when a
 * broken sum is caught by nothing, or a sound one by anything.
 */
#include "datasets/dataset.h"
#include "src/gate/fault.h"
#include "src/measure/metric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* 256 threads, so that few numbers are enough for several additions in each. */
static const struct launch launch = {4, 64};

/* The first is what everybody tests with; the others in the order in which one would think of them. */
static const char *const specs[] = {
    "uniform:n=1000003",
    "uniform:n=4099",
    "normal:n=4099",
    "lognormal:n=4099",
    "integers:n=4099",
    "ones:n=4099",
    "gensum:n=4099,cond=1e4",
    "gensum:n=4099,cond=1e8",
    "gensum:n=4099,cond=1e14",
    "swamp:n=4099",
    "tie:n=4099",
    "round_up:n=4099",
    "round_up:n=4099,side=down",
    "subnormal:n=4099",
    "subnormal:n=4099,most=8388607",
    "path:n=4099,method=plain/tree_two_pass,blocks=4,threads=64",
    "const:n=16384,value=0x1.ffffcp-11",
    "ties_mid:n=4099",
    "binary64_killer:n=4099",
};
enum { SPECS = COUNT_OF(specs), UNIFORM = 0 };

struct data {
    struct dataset set;
    struct exact_sum exact;
};

/* ---- what is asked of a sum; false: it is caught ---- */

struct asked {
    float sum, sound;
    double bound;
    const struct exact_sum *exact;
};

/* As it is written most often: NaN passes. */
static bool is_within_1e_5(const struct asked *of)
{
    const double expected = of->exact->nearest;
    return !(fabs((double)of->sum - expected) / fabs(expected) > 1e-5);
}

/* torch.testing.assert_close() of two binary32. */
static bool is_close_to_torch(const struct asked *of)
{
    const double expected = of->exact->nearest;
    return fabs((double)of->sum - expected) <= 1e-5 + 1.3e-6 * fabs(expected);
}

/* EXPECT_FLOAT_EQ() of GoogleTest. */
static bool is_within_4_ulp(const struct asked *of)
{
    const struct judged judged = {.exact = of->exact, .computed = (double)of->sum};
    return metric_table[METRIC_ulp_error].measure(&judged) <= 4;
}

/* limit: auto.  Where no bound is claimed it asks for a number. */
static bool is_within_its_bound(const struct asked *of)
{
    const struct judged judged = {.exact = of->exact, .computed = (double)of->sum, .bound = of->bound};
    if (isinf(of->bound))
        return isfinite(of->sum);
    return !(metric_table[METRIC_bound_ratio].measure(&judged) > 1); /* NaN: it claims nothing */
}

static bool has_the_bits(const struct asked *of)
{
    return float_same(of->sum, of->sound);
}

typedef bool oracle(const struct asked *of);
enum { TOLERANCE, TORCH, GOOGLE, AUTO, BITS, ORACLES };
static oracle *const oracles[ORACLES] = {is_within_1e_5, is_close_to_torch, is_within_4_ulp, is_within_its_bound,
                                         has_the_bits};

/* ---- one sum, broken or not ---- */

struct seen {
    int first[ORACLES]; /* the first data on which it is caught; SPECS: none */
};

static double bound_of(const struct method *method, const struct exact_sum *exact)
{
    const struct magnitudes magnitudes = {exact->abs_above, exact->sum_abs_above, exact->max_abs, NULL};
    return method_bound(method, exact->n, launch, &magnitudes);
}

/* fault: NULL for the sound sum. */
static enum status make_sums(const struct method *method, const struct fault *fault, const struct data *data,
                             struct asked *asked)
{
    const struct fault_call call = {method, operands_of_sum(data->set.format, data->set.x, data->set.n), launch};
    uint64_t bits = 0;
    *asked = (struct asked){.exact = &data->exact, .bound = bound_of(method, &data->exact)};
    TRY(method_sum(method, data->set.x, data->set.n, launch, 1, &asked->sound));
    asked->sum = asked->sound;
    if (!fault)
        return OK;
    TRY(fault->sum(fault, &call, &bits));
    asked->sum = float_from_bits((uint32_t)bits);
    return OK;
}

static enum status look(const struct method *method, const struct fault *fault, const struct data *data,
                        struct seen *seen)
{
    for (int o = 0; o < ORACLES; o++)
        seen->first[o] = SPECS;
    for (int d = SPECS - 1; d >= 0; d--) {
        struct asked asked;
        TRY(make_sums(method, fault, &data[d], &asked));
        for (int o = 0; o < ORACLES; o++)
            if (!oracles[o](&asked))
                seen->first[o] = d;
    }
    return OK;
}

struct count {
    size_t sums, on_uniform[ORACLES], on_any[ORACLES];
};

static void count_seen(const struct seen *seen, struct count *count)
{
    count->sums++;
    for (int o = 0; o < ORACLES; o++) {
        count->on_uniform[o] += seen->first[o] == UNIFORM;
        count->on_any[o] += seen->first[o] < SPECS;
    }
}

/* Every method that adds and can do the launch. */
static enum status count_sound(const struct data *data, struct count *count)
{
    char why[REASON_SIZE];
    size_t methods;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++) {
        struct seen seen;
        if (table[m]->role != SUMS || !table[m]->replay || !method_can_do(table[m], launch, why))
            continue;
        TRY(look(table[m], NULL, data, &seen));
        count_seen(&seen, count);
    }
    return OK;
}

/* ---- tables ---- */

/* "" where it is caught on uniform data: the columns before say so. */
static const char *where_else(int d)
{
    return d == UNIFORM ? "" : d < SPECS ? specs[d] : "none";
}

static void print_row(const struct fault *fault, const struct seen *seen)
{
    printf("| %s |", fault->id);
    for (int o = 0; o < ORACLES; o++)
        printf(" %s |", seen->first[o] == UNIFORM ? "caught" : "–");
    printf(" %s | %s |\n", where_else(seen->first[AUTO]), where_else(seen->first[BITS]));
}

/* All that can be done to a method, or what cannot be done to plain additions. */
enum extent { ITS_OWN, ALL };

static enum status print_table(const char *id, enum extent extent, const struct data *data, struct count *count)
{
    const struct method *method = method_find(id), *plain = method_find("plain/tree_two_pass");
    size_t faults;
    const struct fault *table = fault_table(&faults);
    printf("\n## %s\n\n", id);
    printf("| fault | 1e-5 | torch | 4 ulp | auto | bits | auto needs | bits need |\n");
    printf("|:--|:--|:--|:--|:--|:--|:--|:--|\n");
    for (size_t f = 0; f < faults; f++) {
        struct seen seen;
        if (!table[f].applies(method) || (extent == ITS_OWN && table[f].applies(plain)))
            continue;
        TRY(look(method, &table[f], data, &seen));
        print_row(&table[f], &seen);
        count_seen(&seen, count);
    }
    return OK;
}

static void print_meanings(void)
{
    size_t faults;
    const struct fault *table = fault_table(&faults);
    printf("| fault | the sums are those in which |\n|:--|:--|\n");
    for (size_t f = 0; f < faults; f++)
        printf("| [%s](../../%s/%s.%s) | %s |\n", table[f].id,
               table[f].broken    ? "kernels/broken"
               : table[f].element ? "src/base"
                                  : "src/gate",
               table[f].element  ? "element_faults"
               : table[f].broken ? table[f].id
                                 : "faults",
               table[f].broken    ? "h"
               : table[f].element ? "def"
                                  : "c",
               table[f].meaning);
}

static void print_totals(const struct count *broken, const struct count *sound)
{
    static const char *const names[ORACLES] = {"1e-5", "torch: `torch.testing.assert_close`",
                                               "4 ulp: `EXPECT_FLOAT_EQ`", "auto: `limit: auto`",
                                               "bits: those of the replay"};
    size_t faults;
    (void)fault_table(&faults);
    printf("\n## All\n\n%zu broken sums, %zu faults, and the sound sums of all %zu methods. Caught are\n\n",
           broken->sums, faults, sound->sums);
    printf("| by | broken, on %s | broken, on any of these data | sound, on %s | sound, on any |\n", specs[UNIFORM],
           specs[UNIFORM]);
    printf("|:--|--:|--:|--:|--:|\n");
    for (int o = 0; o < ORACLES; o++)
        printf("| %s | %zu | %zu | %zu | %zu |\n", names[o], broken->on_uniform[o], broken->on_any[o],
               sound->on_uniform[o], sound->on_any[o]);
}

/* kahan, plain, and then what each other accumulator has beside plain's. */
static enum status print_tables(const struct data *data, struct count *broken)
{
    static const char *const first[] = {"kahan/tree_two_pass", "plain/tree_two_pass"};
    size_t methods;
    const struct method *const *table = method_table(&methods);
    for (size_t i = 0; i < COUNT_OF(first); i++)
        TRY(print_table(first[i], ALL, data, broken));
    for (size_t m = 0; m < methods; m++)
        if (table[m]->role == SUMS && table[m]->replay && strcmp(table[m]->order, "tree_two_pass") == 0 &&
            strcmp(table[m]->id, first[0]) != 0 && strcmp(table[m]->id, first[1]) != 0)
            TRY(print_table(table[m]->id, ITS_OWN, data, broken));
    return OK;
}

/* ---- all ---- */

static enum status make(const char *text, struct data *data)
{
    struct data_spec *spec;
    size_t count;
    TRY(data_specs_read(text, "fault_table", NONFINITE_REFUSE, &spec, &count));
    const enum status status = dataset_make(spec, 1, 0, &data->set);
    data_specs_free(spec, count);
    TRY(status);
    return exact_sum(data->set.format, data->set.x, data->set.n, &data->exact);
}

int main(void)
{
    static struct data data[SPECS];
    struct count broken = {0}, sound = {0};
    for (int d = 0; d < SPECS; d++)
        if (make(specs[d], &data[d]) != OK)
            return EXIT_FAILURE;
    print_meanings();
    if (print_tables(data, &broken) != OK || count_sound(data, &sound) != OK)
        return EXIT_FAILURE;
    print_totals(&broken, &sound);
    for (int d = 0; d < SPECS; d++) {
        exact_free(&data[d].exact);
        dataset_free(&data[d].set);
    }
    return broken.on_any[BITS] == broken.sums && sound.on_any[AUTO] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
