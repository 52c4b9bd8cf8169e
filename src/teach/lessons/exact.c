/* Integers do not round: the exact sum, rounded once, is one bit pattern in every order. */
#include "src/base/memory.h"
#include "src/teach/tools/lesson_tools.h"

enum { LIMBS = 5, LIMB_DIGITS = 16, UNIT = -150 }; /* as kernels/accumulators/superacc.h has them */

/* In two's complement, the 64-bit words apart. */
static void integer_line(struct sheet *sheet, const char *label, const mpz_t value)
{
    char digits[LIMBS * LIMB_DIGITS + 1], text[LIMBS * (LIMB_DIGITS + 1) + 1];
    size_t length = 0;
    mpz_t modulus;
    mpz_init(modulus);
    mpz_setbit(modulus, 4 * LIMBS * LIMB_DIGITS);
    mpz_fdiv_r(modulus, value, modulus);
    gmp_snprintf(digits, sizeof digits, "%080Zx", modulus);
    mpz_clear(modulus);
    for (int k = 0; k < LIMBS * LIMB_DIGITS; k++) {
        if (k > 0 && k % LIMB_DIGITS == 0)
            text[length++] = ' ';
        text[length++] = digits[k];
    }
    text[length] = '\0';
    sheet_line(sheet, "the words of the integers", "%-9s %s", label, text);
}

static double add_integers(struct sheet *sheet, const float *x, const char *const *labels, size_t n)
{
    mpz_t sum, term;
    mpz_inits(sum, term, NULL);
    for (size_t i = 0; i < n; i++) {
        mpz_set_d(term, ldexp((double)x[i], -UNIT));
        mpz_add(sum, sum, term);
        integer_line(sheet, labels[i], term);
    }
    integer_line(sheet, "their sum", sum);
    const double value = ldexp(mpz_get_d(sum), UNIT);
    mpz_clears(sum, term, NULL);
    return value;
}

static enum status tell_integers(struct sheet *sheet)
{
    static const float x[] = {0x1p24f, 1, -0x1p24f, 0x1p-20f};
    static const char *const labels[] = {"2^24", "1", "-2^24", "2^-20"};
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum plain;
    say_heading("Every number of binary32 is an integer");
    TRY(lesson_data_of(x, 4, &data));
    const double sum = add_integers(sheet, x, labels, 4), nearest = data.exact.nearest;
    TRY(lesson_add("plain/serial", one_thread, &data, &plain));
    TRY(lesson_claim(sheet, sum == nearest && (double)plain.computed != nearest,
                     "the integers add up to the exact sum, and plain additions do not"));
    say("Each finite number of binary32 is a multiple of 2^-149 and below 2^128: take 2^%d as the unit and it is an "
        "integer of fewer than %d bits, here in %d words of 64 bits, in hexadecimal; the f in front are a minus sign, "
        "in two's complement. Add the words with their carries and nothing is rounded: the sum is %s. Plain additions, "
        "left to right, give %s.",
        UNIT, 64 * LIMBS, LIMBS, hex_text(nearest), hex_text((double)plain.computed));
    say("How many bits are enough for n numbers? Those between the smallest and the largest, and the carries: %u for n "
        "= 1, %u for a million. This is a superaccumulator; only at the very end it is rounded, once, to the nearest "
        "number of binary32.",
        (unsigned)exact_precision(&FORMAT_BINARY32, 1), (unsigned)exact_precision(&FORMAT_BINARY32, 1000000));
    predict_within(1.2, exact_precision(&FORMAT_BINARY32, 1000000),
                   "How many bits are needed for a million binary32 numbers, about?",
                   "From the least subnormal number, $2^-149$, to the largest, below $2^128$.",
                   "277 of one number, and the carries.");
    return OK;
}

enum { METHODS_TRIED = 6, ORDERS = 200 };

static const char *const methods[METHODS_TRIED] = {"plain/serial",    "kahan/serial",  "double_float/serial",
                                                   "binary64/serial", "binned/serial", "superacc/serial"};
enum { PLAIN = 0, BINNED = 4, SUPERACC = 5 };

struct shuffled {
    uint32_t bits[METHODS_TRIED][ORDERS];
    uint64_t distinct[METHODS_TRIED], right[METHODS_TRIED];
    double relative[METHODS_TRIED]; /* the largest */
    double condition;
};

static int by_bits(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static enum status add_order(size_t order, struct shuffled *shuffled)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    char spec[96];
    snprintf(spec, sizeof spec, "gensum:n=1000,cond=1e12,order=shuffled:%zu", order + 1);
    TRY(lesson_data_made(spec, 1, &data));
    shuffled->condition = data.exact.condition;
    for (size_t m = 0; m < METHODS_TRIED; m++) {
        TRY(lesson_add(methods[m], one_thread, &data, &sum));
        shuffled->bits[m][order] = float_bits(sum.computed);
        shuffled->right[m] += (double)sum.computed == data.exact.nearest;
        shuffled->relative[m] = fmax(shuffled->relative[m], sum.metric[METRIC_relative_error]);
    }
    return OK;
}

static enum status add_orders(struct shuffled *shuffled)
{
    for (size_t order = 0; order < ORDERS; order++)
        TRY(add_order(order, shuffled));
    for (size_t m = 0; m < METHODS_TRIED; m++) {
        uint32_t *bits = shuffled->bits[m];
        qsort(bits, ORDERS, sizeof *bits, by_bits);
        for (size_t i = 0; i < ORDERS; i++)
            shuffled->distinct[m] += i == 0 || bits[i] != bits[i - 1];
    }
    return OK;
}

static void show_orders(struct sheet *sheet, const struct shuffled *shuffled)
{
    struct grid *grid = sheet_table(sheet, "sums in 200 orders", 1,
                                    "method | > different sums | > correctly rounded | > largest relative error");
    struct chart *chart = sheet_chart(sheet, "Different sums of the same numbers in 200 orders", 130);
    struct chart_mark *bars = chart_mark(chart_panel(chart, ""), MARK_BARS, "different sums", COLOUR_MAIN);
    lesson_axis(&chart->x, "method", SCALE_LINEAR, -0.6, METHODS_TRIED - 0.4);
    lesson_axis(&chart->y, "different sums", SCALE_LINEAR, 0, ORDERS * 1.05);
    bars->width = 0.7;
    bars->numbered = bars->no_total = true;
    for (size_t m = 0; m < METHODS_TRIED; m++) {
        const char *accumulator = method_find(methods[m])->accumulator;
        grid_add(grid, cell_text("%s", methods[m]), cell_count(shuffled->distinct[m]), cell_count(shuffled->right[m]),
                 cell_number(shuffled->relative[m]));
        chart_point(bars, (double)m, (double)shuffled->distinct[m], NAN, accumulator);
        chart_tick(&chart->x, (double)m, false, accumulator);
    }
    chart_set(&chart->caption, "One sum in all orders is what reproducible means. Exact means more: see the table.");
}

static enum status tell_orders(struct sheet *sheet)
{
    OWNED struct shuffled *shuffled = memory_cleared(1, sizeof *shuffled);
    say_heading("200 orders");
    TRY(add_orders(shuffled));
    TRY(lesson_claim(sheet,
                     shuffled->distinct[PLAIN] > 10 && shuffled->distinct[SUPERACC] == 1 &&
                         shuffled->right[SUPERACC] == ORDERS,
                     "superacc gives the correctly rounded sum in every order, and plain many others"));
    TRY(lesson_claim(sheet, shuffled->distinct[BINNED] == 1 && shuffled->right[BINNED] == 0,
                     "binned gives one sum in every order, and not the correctly rounded one"));
    say("1,000 numbers of the family `gensum`, condition number %s, shuffled %d times; all methods add from left to "
        "right.",
        rounded_text(shuffled->condition), ORDERS);
    show_orders(sheet, shuffled);
    predict_within(1.2, (double)shuffled->distinct[PLAIN], "How many different plain sums have 200 shuffles, about?",
                   "How many last digits may change at this condition number?", "All digits may: %d of %d differ.",
                   (int)shuffled->distinct[PLAIN], ORDERS);
    say("Two methods have a single bit pattern. `superacc` has it because integers add in any order, and it is the "
        "right one. `binned` cuts every number at places that do not depend on the order and so is reproducible, too, "
        "but what it cuts off is lost: its relative error is %s. Reproducible and exact are two promises.",
        rounded_text(shuffled->relative[BINNED]));
    return OK;
}

static enum status tell_trees(struct sheet *sheet)
{
    static const struct {
        const char *order;
        struct launch launch;
    } trees[] = {{"serial", {1, 1}},           {"pairwise_1", {1, 32}},      {"tree_two_pass", {4, 64}},
                 {"tree_two_pass", {13, 256}}, {"vector_two_pass", {4, 64}}, {"tree_atomic", {8, 128}}};
    enum { TREES = sizeof trees / sizeof *trees };
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum plain, exact;
    char name[64];
    float first = 0;
    bool alike = true, apart = false;
    say_heading("Any tree");
    TRY(lesson_data_made("gensum:n=1000,cond=1e12", 1, &data));
    struct grid *grid = sheet_table(sheet, "sums in several trees", 2, "order | launch | > plain | > superacc");
    for (size_t t = 0; t < TREES; t++) {
        snprintf(name, sizeof name, "plain/%s", trees[t].order);
        TRY(lesson_add(name, trees[t].launch, &data, &plain));
        snprintf(name, sizeof name, "superacc/%s", trees[t].order);
        TRY(lesson_add(name, trees[t].launch, &data, &exact));
        grid_add(grid, cell_text("%s", trees[t].order),
                 cell_text("%u x %u", trees[t].launch.blocks, trees[t].launch.threads),
                 cell_text("%s", hex_text((double)plain.computed)),
                 cell_toned(TONE_GOOD, "%s", hex_text((double)exact.computed)));
        first = t == 0 ? exact.computed : first;
        alike &= float_same(first, exact.computed) != 0;
        apart |= t > 0 && !float_same(plain.computed, exact.computed);
    }
    TRY(lesson_claim(sheet, alike && apart, "superacc has one bit pattern in every tree, and plain has others"));
    say("The order in which threads finish does not matter either: `tree_atomic` with integers is deterministic, with "
        "floats it is not. On a GPU this is the way to get the same bits from every launch and every card.");
    say("The price: %d words of 64 bits for each partial sum instead of one of 32, and for each addition a shift and a "
        "chain of carries. Where memory is the limit much of that can be hidden: `ulpscope bench -m "
        "'superacc/vector_two_pass,plain/vector_two_pass'` says how much on yours. For one sum whose digits matter, "
        "`ulpscope exact` takes the numbers from a file and prints the sum exactly, rounded, and how far another value "
        "is from it.",
        LIMBS);
    return OK;
}

static enum status add_half(const float *x, uint64_t n, float *sum)
{
    return method_sum(method_find("superacc/serial"), x, n, one_thread, 1, sum);
}

/* Sets of numbers whose halves, each summed exactly and rounded, do not add up to the rounded exact sum. */
static enum status count_split(uint64_t sets, uint64_t *wrong)
{
    enum { N = 1000 };
    *wrong = 0;
    for (uint64_t seed = 1; seed <= sets; seed++) {
        FREED_BY(lesson_data_free) struct lesson_data data = {0};
        float left, right;
        TRY(lesson_data_made("uniform:n=1000,low=-1", seed, &data));
        TRY(add_half(data.x, N / 2, &left));
        TRY(add_half(data.x + N / 2, N / 2, &right));
        *wrong += (double)(left + right) != data.exact.nearest;
    }
    return OK;
}

static enum status tell_exercises(struct sheet *sheet)
{
    enum { SETS = 1000 };
    uint64_t wrong;
    TRY(count_split(SETS, &wrong));
    TRY(lesson_claim(sheet, wrong > SETS / 100,
                     "exact halves, rounded and added, often are not the rounded exact sum"));
    say_exercise("How many bits does an exact sum of 2^20 numbers of binary64 need? Of 2^20 products of two numbers of "
                 "binary32?");
    say_answer("%u and %u, without a sign. A number of binary64 ranges from 2^-1074 to below 2^1024, which is 2098 "
               "bits, and 20 are for the carries. A product of two binary32 ranges from 2^-298 to below 2^256.",
               (unsigned)exact_precision(&FORMAT_BINARY64, UINT64_C(1) << 20),
               (unsigned)exact_dot_precision(&FORMAT_BINARY32, UINT64_C(1) << 20));
    say_exercise("Two GPUs add half of the numbers each, exactly; each rounds its sum to binary32, and the two are "
                 "added. Is the result still the correctly rounded sum? What would you send instead?");
    say_answer("No: in %s of %s tries with 1,000 random numbers it is another number. Rounding twice and then adding "
               "is three roundings. Send the integers, add these, and round once.",
               grouped_text(wrong), grouped_text(SETS));
    return OK;
}

enum status lesson_exact(struct sheet *sheet)
{
    say_question(
        "Can a sum of floating-point numbers be free of every rounding but the last, and the same in every order?");
    say_prediction("How many bits must a number have that holds any sum of a million binary32 numbers exactly: 64, "
                   "some 300, some 3,000? And how many different sums do 200 shuffles of 1,000 numbers have?");
    TRY(tell_integers(sheet));
    TRY(tell_orders(sheet));
    TRY(tell_trees(sheet));
    say_theorem("Kulisch, Computer Arithmetic and Validity, 2013, chapter 8; docs/bounds.md, P8",
                "Additions of integers modulo 2^320 are associative and commutative, and up to 2^41 numbers of "
                "binary32 add up to less than 2^319 units of 2^-150. So the integer at the end is s itself in every "
                "order, and the result is s rounded once: $|computed - s| <= u/(1+u) |s|$, at most half an ulp.");
    TRY(tell_exercises(sheet));
    say("Go on: `ulpscope exact gensum:n=1000,cond=1e12 --digits 40` prints the exact sum of the numbers of this "
        "lesson, and `ulpscope determinism superacc/serial plain/serial gensum:n=1000,cond=1e12 --across permutation` "
        "adds them in 20 other orders.");
    return OK;
}
