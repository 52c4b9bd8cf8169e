/* The theorems that `tolerance` prints, under attack: numbers, their order and their tree are sought that break them.
 *
 *   tests_tolerance test_theorems                    8,000 tries at each
 *   tests_tolerance test_theorems --tries 1e7        at each so many, with the largest share of the bound
 *   tests_tolerance test_theorems --tries 1e7 14     from row 14 on
 *
 * Hill climbing, from random numbers, from those that `attack` finds of a sum (datasets/attack), and from 1 and
 * roundings of it; what is found is compared exactly (reference/) with the bound, and with both parts of the printed
 * tolerance, of the class that the numbers are just in. */
#include "datasets/attack/attack.h"
#include "kernels/fused.h"
#include "kernels/replay.h"
#include "src/base/format.h"
#include "src/measure/operation.h"
#include "src/tolerance/tolerance.h"

#include "tests/support/climbing.h"
#include "tests/support/methods.h"

enum { N_MOST = 40, STEPS = 1000 };

/* What is claimed: of plain additions in a tree of a word, or "": of any; or of a method. */
static const struct row {
    const char *format;
    enum operation operation;
    const char *method; /* "kahan/serial"; NULL: plain additions in a tree of the word */
    const char *word;
    uint64_t n_most;
} rows[] = {
    {"binary32", OPERATION_sum, NULL, "", 8},
    {"binary64", OPERATION_sum, NULL, "", 8},
    {"bfloat16_in_bfloat16", OPERATION_sum, NULL, "height=3", 8},
    {"binary32", OPERATION_sum, NULL, "blocked=3", 9},
    {"bfloat16_in_bfloat16", OPERATION_sum, NULL, "blocked=4", 12},
    {"binary32", OPERATION_sum, NULL, "chains=3", 11},
    {"binary16_in_binary16", OPERATION_sum, NULL, "chains=2", 9},
    {"binary64", OPERATION_sum, NULL, "height=4", 16},
    {"bfloat16", OPERATION_sum, NULL, "", 6},
    {"binary16_in_binary16", OPERATION_dot, NULL, "", 6},
    {"bfloat16_in_bfloat16", OPERATION_dot, NULL, "chains=2", 7},
    {"binary32", OPERATION_dot, NULL, "blocked=2", 6},
    {"e4m3_in_binary16", OPERATION_dot, NULL, "height=2", 4},
    {"binary32", OPERATION_dot, "plain/serial", "", 5},
    {"binary16_in_binary16", OPERATION_dot_fma, "plain/serial", "", 5},
    {"binary32", OPERATION_dot_fma, "plain/tree_two_pass", "", 6},
    {"binary16", OPERATION_dot, "plain/serial", "", 5},
    {"binary32", OPERATION_dot_exact, "sum2/serial", "", 5},
    {"bfloat16_in_bfloat16", OPERATION_dot_exact, "kahan/serial", "", 5},
    {"binary32", OPERATION_norm2, "plain/serial", "", 5},
    {"binary16_in_binary16", OPERATION_norm2, "plain/pairwise_1", "", 6},
    {"e5m2_in_binary16", OPERATION_norm2, "kahan/serial", "", 6},
    {"binary32", OPERATION_sum, "kahan/tree_two_pass", "", 8},
    {"bfloat16_in_bfloat16", OPERATION_sum, "kahan_two_sum/serial", "", 6},
    {"binary32", OPERATION_sum, "neumaier/serial", "", 6},
    {"binary64", OPERATION_sum, "double_float/tree_two_pass", "", 8},
    {"binary32", OPERATION_sum, "binned/pairwise_1", "", 6},
    {"binary16_in_binary16", OPERATION_dot, "klein/pairwise_1", "", 6},
    {"binary32", OPERATION_dot, "superacc/serial", "", 6},
    {"binary32_to_binary64", OPERATION_dot, "plain/tree_two_pass", "", 8},
    {"e4m3", OPERATION_matmul, "hopper_wgmma/chain", "", 33},
    {"bfloat16_to_binary32", OPERATION_matmul, "hopper_wgmma/chain", "", 17},
    {"e5m2_in_binary16", OPERATION_matmul, "hopper_wgmma/chain", "", 33},
    {"e4m3", OPERATION_matmul, "hopper_wgmma/promoted_1", "", 40},
    {"bfloat16_in_bfloat16", OPERATION_matmul, "plain/split_4", "", 8},
};
enum { ROWS = COUNT_OF(rows) };
static const struct launch launch = {2, 2};

struct problem {
    const struct row *row;
    const struct sum_format *format;
    const struct method *method,
        *also; /* of the bound; products that are fused are claimed with those that are rounded */
    struct tree_word word;
};

struct found {
    uint64_t n, tree; /* tree: what draws it */
    double x[N_MOST], y[N_MOST], share;
};

/* ---- trees of a word ---- */

static uint64_t tree_state;

static uint64_t tree_below(uint64_t count)
{
    const uint64_t kept = random_state;
    random_state = tree_state;
    const uint64_t drawn = below(count);
    tree_state = random_state;
    random_state = kept;
    return drawn;
}

static double plus(const struct problem *problem, double a, double b)
{
    return rounded_to(a + b, problem->format->added); /* twice the bits and two more: rounded once */
}

/* Any tree. */
static double joined(const struct problem *problem, double *terms, uint64_t count)
{
    for (; count > 1; count--) {
        const uint64_t i = tree_below(count - 1), k = i + 1 + tree_below(count - 1 - i);
        terms[i] = plus(problem, terms[i], terms[k]);
        terms[k] = terms[count - 1];
    }
    return terms[0];
}

/* Any tree whose paths have so many additions at most. */
static double of_height(const struct problem *problem, const double *terms, uint64_t count, uint64_t height)
{
    if (count == 1)
        return terms[0];
    const uint64_t full = height > 32 ? count : UINT64_C(1) << (height - 1);
    const uint64_t least = count > full ? count - full : 1, most = count - 1 < full ? count - 1 : full;
    const uint64_t left = least + tree_below(most - least + 1);
    return plus(problem, of_height(problem, terms, left, height - 1),
                of_height(problem, terms + left, count - left, height - 1));
}

static double in_tree(const struct problem *problem, double *terms, uint64_t n)
{
    const uint64_t number = problem->word.number;
    double sums[N_MOST];
    uint64_t count = 0;
    switch (problem->word.kind) {
    case TREE_OF_HEIGHT:
        return of_height(problem, terms, n, number);
    case TREE_OF_BLOCKS:
        for (uint64_t i = 0; i < n; i += number)
            sums[count++] = joined(problem, terms + i, n - i < number ? n - i : number);
        return joined(problem, sums, count);
    case TREE_OF_CHAINS:
        for (uint64_t c = 0; c < number && c < n; c++)
            for (uint64_t i = c; i < n / number * number || i == c; i += number)
                if (i == c)
                    sums[count++] = terms[i];
                else
                    sums[c] = plus(problem, sums[c], terms[i]);
        sums[0] = joined(problem, sums, count);
        for (uint64_t i = n < number ? n : n / number * number; i < n; i++) /* what is left over, at the end */
            sums[0] = plus(problem, sums[0], terms[i]);
        return sums[0];
    default:
        return joined(problem, terms, n);
    }
}

/* ---- how much of a theorem ---- */

static double held[2][N_MOST];

static double computed_by(const struct problem *problem, const struct found *at)
{
    const struct operands of = {problem->format->stored,
                                problem->row->operation,
                                {held[0], held[1]},
                                {at->n, 1, problem->row->operation == OPERATION_matmul ? 1 : 0}};
    if (!problem->row->method) {
        double terms[N_MOST];
        const bool is_sum = problem->row->operation == OPERATION_sum;
        for (uint64_t i = 0; i < at->n; i++)
            terms[i] = is_sum ? at->x[i] : rounded_to(at->x[i] * at->y[i], problem->format->added);
        tree_state = at->tree;
        return rounded_to(in_tree(problem, terms, at->n), problem->format->result);
    }
    uint64_t bits;
    assert_int_equal(method_replay(problem->method, &of, launch, 1, &bits), OK);
    return format_value(problem->method->format, bits);
}

static struct theorem theorem_of(const struct problem *problem, uint64_t n)
{
    struct theorem theorem = {.methods = {problem->method, problem->also}, .n = n, .launch = launch};
    struct plain_tree tree = {0};
    char why[TREE_WHY_SIZE];
    if (problem->word.kind != TREE_OF_ANY_ORDER)
        assert_true(tree_word_tree(&problem->word, n, launch, problem->format->stored, &tree, why));
    theorem.height = tree.height;
    return theorem;
}

static double bound_of_theorem(const struct problem *problem, const struct exact_sum *exact, uint64_t n)
{
    const struct magnitudes of = {exact->abs_above, exact->sum_abs_above, exact->max_abs, NULL};
    const struct theorem theorem = theorem_of(problem, n);
    if (problem->row->operation == OPERATION_matmul)
        return problem->method->bound(problem->method, (struct shape){n, 1, 1}, launch, &of);
    return theorem.height > 0 ? replay_bound(problem->method, n, (struct plain_tree){.height = theorem.height}, &of)
                              : method_bound(problem->method, n, launch, &of);
}

/* Of the numbers' own class, in both forms; what is proven of them at all. */
static void hold_to_the_printed(const struct problem *problem, const struct found *at, const struct exact_sum *exact,
                                double computed, double *share)
{
    const struct theorem theorem = theorem_of(problem, at->n);
    const double expected = exact_round(exact->sum, problem->format->result);
    for (int is_relative = 0; is_relative < 2 && problem->row->operation != OPERATION_matmul; is_relative++) {
        const struct tolerance_class class = {.sum_abs = exact->sum_abs_above,
                                              .condition = nextafter(exact->condition, INFINITY)};
        struct tolerance_pair pair;
        const char *why;
        if ((is_relative && isinf(exact->condition)) || !theorem_pair(&theorem, &class, is_relative, &pair, &why))
            continue;
        const double off = fabs(computed - expected) / (pair.absolute + pair.relative * fabs(expected));
        if (!tolerance_passes(pair, computed, expected)) {
            printf("broken: %s, n = %llu: %a is not within %g + %g |%a|\n", problem->method->id,
                   (unsigned long long)at->n, computed, pair.absolute, pair.relative, expected);
            *share = fmax(*share, nextafter(1, 2));
        }
        *share = computed == expected ? *share : fmax(*share, off);
    }
}

/* |computed - s|, rounded away from 0 to more bits than the bound has. */
static double share_of(const struct problem *problem, const struct found *at, double *printed)
{
    static mpfr_t error;
    static bool is_made;
    const struct format *const stored = problem->format->stored;
    struct exact_sum exact;
    struct dataset data = {.format = stored, .x = held[0], .y = held[1], .n = at->n};
    const enum operation terms = operation_table[problem->row->operation].terms;
    if (!is_made)
        mpfr_init2(error, 64);
    is_made = true;
    for (uint64_t i = 0; i < at->n; i++) {
        held_set(stored, held[0], i, at->x[i]);
        held_set(stored, held[1], i, at->y[i]);
    }
    assert_int_equal(
        operation_exact(terms == OPERATION_matmul ? OPERATION_dot : terms, &data, (struct exact_how){0}, &exact), OK);
    const double bound = bound_of_theorem(problem, &exact, at->n);
    double share = 0;
    if (isfinite(bound)) {
        const double computed = computed_by(problem, at);
        mpfr_d_sub(error, computed, exact.sum, MPFR_RNDA);
        mpfr_abs(error, error, MPFR_RNDN);
        share = mpfr_zero_p(error) ? 0 : mpfr_get_d(error, MPFR_RNDU) / bound;
        if (mpfr_cmp_d(error, bound) > 0) {
            printf("broken: %s %s %s, bound %a, computed %a, tree %llu:", problem->row->format, problem->method->id,
                   problem->row->word, bound, computed, (unsigned long long)at->tree);
            for (uint64_t i = 0; i < at->n; i++)
                printf(" %a*%a", at->x[i], at->y[i]);
            printf("\n");
            share = fmax(share, nextafter(1, 2));
        }
        if (share >= at->share)
            hold_to_the_printed(problem, at, &exact, computed, printed);
    }
    exact_free(&exact);
    return share;
}

/* ---- hill climbing ---- */

/* What `attack` finds of the sum by the same method, or by plain additions one after another. */
static void start_from_attack(const struct problem *problem, struct found *at)
{
    const struct method *sum = method_of_operation(problem->method, OPERATION_sum);
    struct attack_find find;
    if (!sum || problem->row->operation == OPERATION_matmul || problem->format->stored != problem->format->added)
        return;
    assert_int_equal(attack_make(&(struct attack_request){.method = sum,
                                                          .launch = launch,
                                                          .n = at->n,
                                                          .seed = 1 + below(1000),
                                                          .calls = 300,
                                                          .until = INFINITY,
                                                          .workers = 1},
                                 &find),
                     OK);
    for (uint64_t i = 0; i < at->n; i++) {
        at->x[i] = held_number(find.format, find.x, i);
        at->y[i] = 1;
    }
    attack_free(&find);
}

/* One term of a fused block, and behind it terms that all but one unit of the last bit kept is lost of. */
static void start_of_block(const struct fused_method *fused, struct found *at)
{
    const double most = 2 - ldexp(1, 1 - fused_factors(fused->unit)->precision);
    const int large = fused->unit->sum_format->result->bytes == 2 ? 6 : 8, both = 2 * large - fused->unit->fraction - 2;
    at->n = (uint64_t)fused->unit->terms;
    for (uint64_t i = 0; i < at->n; i++) {
        at->x[i] = i == 0 ? ldexp(1, large) : ldexp(most, both / 2);
        at->y[i] = i == 0 ? ldexp(1, large) : ldexp(most, both - both / 2);
    }
}

static int start(const struct problem *problem, struct found *at, uint64_t kind)
{
    const struct format *const format = problem->format->stored;
    const int precision = problem->format->added->precision;
    const bool is_tiny = problem->row->operation != OPERATION_sum && kind % 4 == 3;
    const int scale = is_tiny ? problem->format->added->least_exponent / 2 + 4 : 1;
    at->n = 2 + below(below(3) ? problem->row->n_most - 1 : 3);
    at->tree = next_random();
    at->share = 0;
    for (uint64_t i = 0; i < at->n; i++) {
        at->x[i] = some_number(format, scale);
        at->y[i] = some_number(format, scale);
        if (kind % 4 == 1) { /* one after another, plain additions lose all but the first */
            at->x[i] = i == 0 ? 1 : rounded_to(ldexp(1 + ldexp(1, 1 - format->precision), -precision), format);
            at->y[i] = 1;
        }
    }
    if (kind % 16 == 2)
        start_from_attack(problem, at);
    if (kind % 4 == 1 && fused_of(problem->method))
        start_of_block(fused_of(problem->method), at);
    return scale;
}

struct attained {
    uint64_t tries;
    double bound, printed; /* largest shares */
};

static struct attained climb(const struct problem *problem, uint64_t tries)
{
    struct attained attained = {0};
    const struct format *const format = problem->format->stored;
    for (uint64_t kind = 0; attained.tries < tries; kind++) {
        struct found at;
        const int scale = start(problem, &at, kind);
        at.share = share_of(problem, &at, &attained.printed);
        attained.tries++;
        for (int step = 0; step < STEPS; step++, attained.tries++) {
            struct found next = at;
            const uint64_t i = below(at.n);
            double *const vector = below(2) || operation_table[problem->row->operation].vectors < 2 ? next.x : next.y;
            if (below(8) == 0)
                next.tree = next_random();
            else
                vector[i] = changed(format, vector, at.n, i, scale);
            if (!isfinite(vector[i]))
                continue;
            next.share = share_of(problem, &next, &attained.printed);
            if (next.share >= at.share)
                at = next;
        }
        attained.bound = fmax(attained.bound, at.share);
    }
    return attained;
}

/* ---- rows ---- */

static struct problem problem_of(const struct row *row)
{
    struct problem problem = {.row = row, .format = sum_format_find(row->format)};
    char id[TEXT_SIZE], why[TREE_WHY_SIZE];
    const char *const operation = operation_table[row->operation].id;
    const bool is_sum = row->operation == OPERATION_sum;
    snprintf(id, sizeof id, "%s%s%s@%s", is_sum ? "" : operation, is_sum ? "" : ":",
             row->method ? row->method : "plain/serial", row->format);
    problem.method = method_find(id);
    if (!problem.method)
        fail_msg("no method %s", id);
    if (*row->word && !tree_word_read(row->word, &problem.word, why))
        fail_msg("%s", why);
    return problem;
}

static uint64_t tries_of_each = 8000;
static size_t first_row;

static void nothing_breaks_a_theorem(void **state)
{
    size_t broken = 0, loose = 0, climbed = 0;
    (void)state;
    for (size_t r = first_row; r < ROWS; r++) {
        const struct problem problem = problem_of(&rows[r]);
        seed_random(r + 1);
        const struct attained attained = climb(&problem, tries_of_each);
        printf("%s %s: %llu tries, %.4f of the bound, %.4f of the printed tolerance\n", problem.method->id,
               *rows[r].word    ? rows[r].word
               : rows[r].method ? "as it is"
                                : "in any order",
               (unsigned long long)attained.tries, attained.bound, attained.printed);
        fflush(stdout);
        broken += attained.bound > 1 || attained.printed > 1;
        loose += !(attained.bound > 0.4); /* the twin: two fifths of it is none */
        climbed++;
    }
    assert_true(first_row > 0 || climbed == ROWS);
    assert_int_equal(broken, 0);
    assert_int_equal(loose, 0);
}

/* Another twin: four additions on a path break the bound of three. */
static void a_tree_that_is_higher_than_its_word_breaks_its_bound(void **state)
{
    const struct problem problem = problem_of(&(struct row){"bfloat16_in_bfloat16", OPERATION_sum, NULL, "", 8});
    const struct magnitudes of = {1, 1, 1, NULL};
    struct found at = {.n = 5};
    double share = 0, printed = 0;
    (void)state;
    for (uint64_t i = 0; i < at.n; i++)
        at.x[i] = i == 0 ? 1 : 0x1.02p-8;
    for (at.tree = 0; at.tree < 1000; at.tree++) /* until they are added one after another */
        share = fmax(share, share_of(&problem, &at, &printed));
    const double of_four = replay_bound(problem.method, 5, (struct plain_tree){.height = 5}, &of);
    const double of_three = replay_bound(problem.method, 5, (struct plain_tree){.height = 4}, &of);
    assert_true(share <= 1 && share * of_four > of_three);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_breaks_a_theorem),
        cmocka_unit_test(a_tree_that_is_higher_than_its_word_breaks_its_bound),
    };
    if (argc > 2 && strcmp(argv[1], "--tries") == 0) {
        tries_of_each = (uint64_t)strtod(argv[2], NULL);
        first_row = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
