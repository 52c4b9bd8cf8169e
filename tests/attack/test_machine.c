/* Islands on a machine find what as many find on the host; a machine whose sums are wrong does not. */
#include "datasets/attack/attack.h"
#include "datasets/attack/judge.h"
#include "datasets/attack/machine.h"
#include "src/base/format.h"

#include "tests/attack/same_find.h"
#include "tests/support/methods.h"

enum { ISLANDS = 20, CHILDREN = JUDGED_AT_ONCE };

/* A machine of the host: what a GPU does, one after the other. */
struct slow_machine {
    const struct method *method;
    struct launch launch;
    struct breed_round round;
    double *parents, *others, *highest, *children;
    void *row;
    bool sums_wrong; /* an error is half of what it is */
};

static size_t islands(void *context, const struct method *method, struct launch launch, uint64_t n)
{
    (void)context, (void)method, (void)launch, (void)n;
    return ISLANDS;
}

static enum status begin(void *context, const struct method *method, struct launch launch,
                         const struct breed_round *round)
{
    struct slow_machine *machine = context;
    const uint64_t n = round->of.n;
    assert_true(round->islands == ISLANDS && round->children == CHILDREN);
    machine->method = method;
    machine->launch = launch;
    machine->round = *round;
    machine->parents = calloc(ISLANDS * n, sizeof(double));
    machine->others = calloc(ISLANDS * n, sizeof(double));
    machine->highest = calloc(ISLANDS * n, sizeof(double));
    machine->children = calloc(ISLANDS * n, CHILDREN * sizeof(double));
    machine->row = calloc(n, sizeof(double));
    return OK;
}

static enum status put_parents(void *context, size_t first, size_t count, const double *numbers)
{
    const struct slow_machine *machine = context;
    const uint64_t n = machine->round.of.n;
    memcpy(machine->parents + first * n, numbers, count * n * sizeof *numbers);
    return OK;
}

static enum status begin_epoch(void *context)
{
    const struct slow_machine *machine = context;
    memcpy(machine->others, machine->parents, ISLANDS * machine->round.of.n * sizeof *machine->others);
    return OK;
}

static struct machine_sum sum_of(const struct slow_machine *machine, const double *child, enum breed_change by)
{
    const struct format *format = machine->method->sum_format->stored, *result = machine->method->format;
    const uint64_t n = machine->round.of.n;
    struct machine_sum sum = {.by = by};
    uint64_t bits;
    for (uint64_t r = 0; r < n; r++)
        held_set(format, machine->row, machine->round.element[r], child[r]);
    const struct operands of = operands_of_sum(format, machine->row, n);
    assert_int_equal(method_replay(machine->method, &of, machine->launch, 1, &bits), OK);
    sum.computed = format_value(result, bits);
    sum.exact =
        exact_short_sum(format_held(format), machine->row, n, result, isfinite(sum.computed) ? sum.computed : 0);
    sum.exact.error *= machine->sums_wrong ? 0.5 : 1;
    return sum;
}

static enum status generation(void *context, const struct breed_brood *broods, struct machine_sum *sums)
{
    const struct slow_machine *machine = context;
    const struct breed_round *round = &machine->round;
    const uint64_t n = round->of.n;
    for (size_t i = 0; i < ISLANDS; i++)
        for (uint32_t k = 0; k < broods[i].children; k++) {
            struct dice dice = breed_dice(&round->dice, broods[i].generation, ISLANDS, i, CHILDREN, k);
            const double *other = machine->others + dice_below(&dice, ISLANDS) * n;
            double *child = machine->children + (i * CHILDREN + k) * n;
            const enum breed_change by = breed_child(&round->of, &dice, machine->parents + i * n, other, child);
            sums[i * CHILDREN + k] = sum_of(machine, child, by);
        }
    return OK;
}

static enum status choose(void *context, const struct breed_choice *choices)
{
    const struct slow_machine *machine = context;
    const uint64_t n = machine->round.of.n;
    for (size_t i = 0; i < ISLANDS; i++) {
        const double *children = machine->children + i * CHILDREN * n;
        if (choices[i].parent != NO_CHILD)
            memcpy(machine->parents + i * n, children + choices[i].parent * n, n * sizeof *children);
        if (choices[i].highest != NO_CHILD)
            memcpy(machine->highest + i * n, children + choices[i].highest * n, n * sizeof *children);
    }
    return OK;
}

static enum status get_highest(void *context, size_t island, double *numbers)
{
    const struct slow_machine *machine = context;
    memcpy(numbers, machine->highest + island * machine->round.of.n, machine->round.of.n * sizeof *numbers);
    return OK;
}

static void free_machine(struct slow_machine *machine)
{
    free(machine->parents);
    free(machine->others);
    free(machine->highest);
    free(machine->children);
    free(machine->row);
}

static size_t no_islands(void *context, const struct method *method, struct launch launch, uint64_t n)
{
    (void)context;
    (void)method;
    (void)launch;
    (void)n;
    return 0;
}

/* Whether both find the same. */
static bool agree(const char *method, bool sums_wrong, bool takes_the_method)
{
    struct slow_machine slow = {.sums_wrong = sums_wrong};
    const struct attack_machine machine = {
        &slow,       takes_the_method ? islands : no_islands, begin, put_parents, begin_epoch, generation, choose,
        get_highest,
    };
    struct attack_request request = {
        .method = method_find(method),
        .launch = {2, 32},
        .n = 24,
        .seed = 3,
        .calls = 25000, /* two epochs of all islands, and a part of another */
        .until = INFINITY,
        .workers = 2,
        .islands = ISLANDS,
    };
    struct attack_find host, there;
    assert_int_equal(attack_make(&request, &host), OK);
    request.machine = &machine;
    assert_int_equal(attack_make(&request, &there), OK);
    const bool same = same_find(&host, &there);
    attack_free(&host);
    attack_free(&there);
    free_machine(&slow);
    return same;
}

static void islands_find_the_same_on_a_machine(void **state)
{
    static const char *const methods[] = {"kahan/serial", "neumaier/tree_two_pass", "plain/pairwise@binary64",
                                          "fabsum/serial@bfloat16"};
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        assert_true(agree(methods[m], false, true));
}

static void a_machine_with_wrong_errors_finds_something_else(void **state)
{
    (void)state;
    assert_false(agree("kahan/serial", true, true));
}

static void what_a_machine_does_not_take_is_climbed_on_the_host(void **state)
{
    (void)state;
    assert_true(agree("kahan/serial", true, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_find_the_same_on_a_machine),
        cmocka_unit_test(a_machine_with_wrong_errors_finds_something_else),
        cmocka_unit_test(what_a_machine_does_not_take_is_climbed_on_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
