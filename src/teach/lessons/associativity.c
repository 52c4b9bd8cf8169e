/* (a + b) + c and a + (b + c), counted over random triples. */
#include "datasets/random.h"
#include "src/teach/tools/lesson_tools.h"

enum { TRIPLES = 10000, LESSON_FAMILY = 0x6c65 }; /* so that no data set has the same random numbers */

/* ---- numbers of either format, from 64 random bits ---- */

/* A significand in [1, 2) with all the bits that the format has. */
static double random_digits(uint64_t random, const struct format *format)
{
    const int bits = format->precision - 1;
    return 1 + ldexp((double)(random >> (64 - bits)), -bits);
}

static double whole_number(uint64_t random, const struct format *format, int unused)
{
    (void)format, (void)unused;
    return 1 + (double)random_below(random, 1000);
}

/* A multiple of 2^-p in [0, 1). */
static double unit(uint64_t random, const struct format *format, int unused)
{
    (void)unused;
    return ldexp((double)(random >> (64 - format->precision)), -format->precision);
}

static double both_signs(uint64_t random, const struct format *format, int unused)
{
    (void)unused;
    const double x = ldexp((double)(random >> (64 - format->precision)), -format->precision);
    return random & 1 ? -x : x;
}

/* 0.01 to 100.00, as the format rounds it: the quotient of two whole numbers is rounded once. */
static double amount(uint64_t random, const struct format *format, int unused)
{
    (void)unused;
    const double cents = 1 + (double)random_below(random, 10000);
    return format->precision == FORMAT_BINARY32.precision ? (double)((float)cents / 100.0f) : cents / 100;
}

/* Any significand and sign, times a power of two between 2^-spread and 2^spread. */
static double spread_out(uint64_t random, const struct format *format, int spread)
{
    const int exponent = (int)(random % (uint64_t)(2 * spread + 1)) - spread; /* low bits, the significand's are high */
    const double x = ldexp(random_digits(random, format), exponent);
    return random >> 8 & 1 ? -x : x;
}

struct distribution {
    const char *name;
    double (*number)(uint64_t random, const struct format *format, int spread);
    int spread;
};

static const struct distribution distributions[] = {
    {"whole numbers from 1 to 1000", whole_number, 0},
    {"amounts from 0.01 to 100.00", amount, 0},
    {"from 0 to 1", unit, 0},
    {"from -1 to 1", both_signs, 0},
    {"times 2^-10 to 2^10, both signs", spread_out, 10},
    {"times 2^-100 to 2^100, both signs", spread_out, 100},
};
enum { DISTRIBUTIONS = sizeof distributions / sizeof *distributions };

struct triple {
    double x[3];
};

static struct triple triple_of(const struct distribution *distribution, const struct format *format, uint64_t index)
{
    const struct generator_call call = {.seed = 1, .family = LESSON_FAMILY};
    struct triple triple;
    for (unsigned k = 0; k < 3; k++) {
        const uint64_t random = random_half(random_bits(&call, 2 * index + k / 2, 0), k % 2);
        triple.x[k] = distribution->number(random, format, distribution->spread);
    }
    return triple;
}

/* ---- both sums ---- */

struct both {
    double left, right; /* (a + b) + c and a + (b + c) */
};

/* The method adds from left to right; b + c + a is a + (b + c), since two numbers may change places. */
static enum status add_binary32(const struct triple *triple, struct both *both)
{
    const struct method *serial = method_find("plain/serial");
    const float a = (float)triple->x[0], b = (float)triple->x[1], c = (float)triple->x[2];
    float left, right;
    TRY(method_sum(serial, (const float[]){a, b, c}, 3, one_thread, 1, &left));
    TRY(method_sum(serial, (const float[]){b, c, a}, 3, one_thread, 1, &right));
    *both = (struct both){(double)left, (double)right};
    return OK;
}

static enum status add_binary64(const struct triple *triple, struct both *both)
{
    const double a = triple->x[0], b = triple->x[1], c = triple->x[2];
    *both = (struct both){(a + b) + c, a + (b + c)};
    return OK;
}

static const struct {
    const struct format *format;
    enum status (*add)(const struct triple *triple, struct both *both);
    enum colour colour;
} adders[] = {{&FORMAT_BINARY32, add_binary32, COLOUR_MAIN}, {&FORMAT_BINARY64, add_binary64, COLOUR_SECOND}};
enum { ADDERS = sizeof adders / sizeof *adders };

/* ---- counting ---- */

struct count {
    uint64_t differ;
    uint64_t left_is_right, right_is_right,
        neither;  /* of those that differ: which one is the nearest to the exact sum */
    double worst; /* the largest ulp_error of either sum */
};

/* Which sum is the correctly rounded one, and how wrong they are. */
static enum status judge(const struct triple *triple, const struct both *both, struct count *count)
{
    FREED_BY(exact_free) struct exact_sum exact = {0};
    float x[3];
    for (int k = 0; k < 3; k++)
        x[k] = (float)triple->x[k];
    TRY(exact_sum(&FORMAT_BINARY32, x, 3, &exact));
    const double sums[] = {both->left, both->right};
    for (int k = 0; k < 2; k++) {
        const struct judged judged = {.exact = &exact, .computed = sums[k], .bound = INFINITY};
        count->worst = fmax(count->worst, metric_table[METRIC_ulp_error].measure(&judged));
    }
    count->left_is_right += both->left == exact.nearest;
    count->right_is_right += both->right == exact.nearest;
    count->neither += both->left != exact.nearest && both->right != exact.nearest;
    return OK;
}

static enum status count_triples(const struct distribution *distribution, int adder, bool judged, struct count *count)
{
    *count = (struct count){0};
    for (uint64_t i = 0; i < TRIPLES; i++) {
        const struct triple triple = triple_of(distribution, adders[adder].format, i);
        struct both both;
        TRY(adders[adder].add(&triple, &both));
        if (both.left == both.right)
            continue;
        count->differ++;
        if (judged)
            TRY(judge(&triple, &both, count));
    }
    return OK;
}

static void set_share(struct grid *grid, size_t column, uint64_t part)
{
    grid_set(grid, column, part == 0 ? TONE_GOOD : TONE_PLAIN, "%s", grouped_text(part));
}

static void ask_for_share(struct sheet *sheet, const char *format, double differ)
{
    OWNED char *prompt = text_made(
        "Of 10,000 random triples between 0 and 1, in how many do the two sums differ in %s? Guess within half "
        "and twice as many.",
        format);
    predict_within(2, differ, prompt, "Each way rounds twice, and the two round other numbers.",
                   "More digits make the difference smaller, not rarer.");
}

static enum status show_counts(struct sheet *sheet)
{
    struct grid *grid = sheet_table(sheet, "In how many of 10,000 triples the two sums differ", 1,
                                    "a, b, c | > differ in binary32 | > differ in binary64");
    for (int d = 0; d < DISTRIBUTIONS; d++) {
        grid_row(grid);
        grid_set(grid, 0, TONE_PLAIN, "%s", distributions[d].name);
        for (int adder = 0; adder < ADDERS; adder++) {
            struct count count;
            TRY(count_triples(&distributions[d], adder, false, &count));
            if (distributions[d].number == unit)
                ask_for_share(sheet, adders[adder].format->name, (double)count.differ);
            set_share(grid, 1 + (size_t)adder, count.differ);
        }
    }
    return OK;
}

static enum status show_judged(struct sheet *sheet)
{
    struct grid *grid =
        sheet_table(sheet, "Of the sums in binary32 that differ, which one is right", 1,
                    "a, b, c | > differ | > (a+b)+c right | > a+(b+c) right | > neither | > worst (ulp)");
    for (int d = 0; d < DISTRIBUTIONS; d++) {
        struct count count;
        TRY(count_triples(&distributions[d], 0, true, &count));
        if (count.differ == 0)
            continue;
        grid_row(grid);
        grid_set(grid, 0, TONE_PLAIN, "%s", distributions[d].name);
        set_share(grid, 1, count.differ);
        set_share(grid, 2, count.left_is_right);
        set_share(grid, 3, count.right_is_right);
        set_share(grid, 4, count.neither);
        grid_number(grid, 5, count.worst);
    }
    return OK;
}

/* ---- the picture: how the share depends on the spread ---- */

enum { SPREAD_MOST = 60, SPREAD_STEP = 3 };

static enum status draw_spreads(struct sheet *sheet)
{
    struct chart *chart = sheet_chart(sheet, "associativity-spread", 240);
    struct chart_panel *panel = chart_panel(chart, "");
    for (int adder = 0; adder < ADDERS; adder++) {
        struct chart_mark *line = chart_mark(panel, MARK_LINE, adders[adder].format->name, adders[adder].colour);
        for (int spread = 0; spread <= SPREAD_MOST; spread += SPREAD_STEP) {
            const struct distribution distribution = {"", spread_out, spread};
            struct count count;
            TRY(count_triples(&distribution, adder, false, &count));
            chart_point(line, spread, 100 * (double)count.differ / TRIPLES, NAN, NULL);
        }
    }
    chart_set(&chart->title, "How often the brackets matter");
    chart_set(&chart->subtitle,
              "share of 10,000 triples with (a + b) + c other than a + (b + c); both signs, exponents from -k to k");
    chart_set(
        &chart->caption,
        "Numbers of like size differ often. As their sizes move apart the share falls, because one of the three is so "
        "large that the others are absorbed either way. binary64 has more digits, and the same curve, stretched.");
    lesson_axis(&chart->x, "k: exponents are from -k to k", SCALE_LINEAR, 0, SPREAD_MOST);
    lesson_axis(&chart->y, "sums that differ (%)", SCALE_LINEAR, 0, 50);
    return OK;
}

/* ---- one triple, bit by bit ---- */

static double tenth(int count)
{
    return (double)((float)count / 10.0f);
}

static void sums_lines(struct sheet *sheet, const char *name, const float x[3])
{
    static const char *const letters[] = {"a", "b", "c"};
    const float first = x[0] + x[1], second = x[1] + x[2];
    bits_head(sheet, name, &FORMAT_BINARY32);
    for (int k = 0; k < 3; k++)
        bits_line(sheet, name, letters[k], (double)x[k], &FORMAT_BINARY32);
    sheet_line(sheet, name, "%s", "");
    bits_line(sheet, name, "a + b", (double)first, &FORMAT_BINARY32);
    bits_line(sheet, name, "(a + b) + c", (double)(first + x[2]), &FORMAT_BINARY32);
    sheet_line(sheet, name, "%s", "");
    bits_line(sheet, name, "b + c", (double)second, &FORMAT_BINARY32);
    bits_line(sheet, name, "a + (b + c)", (double)(x[0] + second), &FORMAT_BINARY32);
}

/* The first three tenths that differ, 0.1 <= a < b < c < 1. */
static enum status find_tenths(int tenths[3], struct triple *triple, struct both *both)
{
    for (int c = 3; c < 10; c++)
        for (int b = 2; b < c; b++)
            for (int a = 1; a < b; a++) {
                *triple = (struct triple){{tenth(a), tenth(b), tenth(c)}};
                TRY(add_binary32(triple, both));
                tenths[0] = a, tenths[1] = b, tenths[2] = c;
                if (both->left != both->right)
                    return OK;
            }
    return OK;
}

static enum status show_first(struct sheet *sheet)
{
    struct triple triple;
    struct both both;
    FREED_BY(exact_free) struct exact_sum exact = {0};
    int tenths[3];
    float x[3];
    char left[IN_FULL_TEXT], right[IN_FULL_TEXT], s[IN_FULL_TEXT];
    TRY(find_tenths(tenths, &triple, &both));
    for (int k = 0; k < 3; k++)
        x[k] = (float)triple.x[k];
    TRY(exact_sum(&FORMAT_BINARY32, x, 3, &exact));
    say("Of three different tenths, 0.%df, 0.%df and 0.%df are the first for which it matters. Each of them is a "
        "little off, as the lesson `rounding` shows, but that is not the point: the sums of the same three floats "
        "differ in the last bit.",
        tenths[0], tenths[1], tenths[2]);
    sums_lines(sheet, "three tenths added in both ways", x);
    write_in_full(both.left, left);
    write_in_full(both.right, right);
    write_in_full(mpfr_get_d(exact.sum, MPFR_RNDN), s); /* of three tenths: no more than 53 bits */
    say("(a + b) + c is %s, and a + (b + c) is %s. The exact sum of these three floats is %s, and the nearest float to "
        "it is %s. Each way rounds twice, but other numbers: that is the whole reason.",
        left, right, s,
        both.left == exact.nearest    ? "the first"
        : both.right == exact.nearest ? "the second"
                                      : "neither");
    return OK;
}

static enum status ask_for_zero(struct sheet *sheet)
{
    struct both both;
    TRY(add_binary32(&(struct triple){{1, 0x1p24, -0x1p24}}, &both));
    say_exercise("Find three floats with (a + b) + c = 0 and a + (b + c) = 1.");
    say_answer("a = 1, b = 2^24, c = -2^24: 1 + 2^24 is a tie and goes to 2^24, so that (a + b) + c = %.0f, while b + "
               "c is 0 and a + (b + c) = %.0f.",
               both.left, both.right);
    return OK;
}

/* (2n - 3)!!: 1, 3, 15, 105 ... */
static uint64_t ways_to_add(int n)
{
    uint64_t ways = 1;
    for (int i = 2; i <= n; i++)
        ways *= (uint64_t)(2 * i - 3);
    return ways;
}

static void ask_for_ways(struct sheet *sheet)
{
    say_exercise("a + b is b + a, to the last bit. So in how many really different ways can three numbers be added? "
                 "And four? And ten?");
    say_answer("Three: which two are added first, %d ways. The n-th number can be added to any of the 2n - 3 nodes of "
               "a tree that adds the n - 1 before (its n - 1 leaves and its n - 2 sums), so there are 1 * 3 * 5 * ... "
               "* (2n - 3) ways: %s for four and %s for ten. A GPU takes one of them.",
               (int)ways_to_add(3), grouped_text(ways_to_add(4)), grouped_text(ways_to_add(10)));
}

static void ask_for_whole(struct sheet *sheet)
{
    say_exercise("In the table whole numbers never differ. Prove it. Up to which size is that so?");
    say_answer("All whole numbers up to 2^24 are floats. If $|a| + |b| + |c| <= 2^24$, then every sum on either way is "
               "such a whole number: the exact result is a float, nothing is rounded, and both ways give s. With "
               "larger ones it ends: 2^24, 1 and 1 give 2^24 or 2^24 + 2. So it is not addition that fails to be "
               "associative; it is rounding.");
}

static enum status point_to_tenths(struct sheet *sheet)
{
    struct triple triple;
    struct both both;
    int tenths[3];
    TRY(find_tenths(tenths, &triple, &both));
    say("Go on: with 0.%d, 0.%d and 0.%d in a file, a line each, `ulpscope tree plain/serial x.txt` says "
        "what "
        "each addition loses, and `ulpscope run x.txt --permutations 6` adds them in every order.",
        tenths[0], tenths[1], tenths[2]);
    return OK;
}

enum status lesson_associativity(struct sheet *sheet)
{
    say_question("Is (a + b) + c the same as a + (b + c)?");
    say_prediction("Of 10,000 random triples of numbers between 0 and 1, in how many do the two sums differ: in none, "
                   "in a few, in a tenth, in a third? And in binary64?");
    say_heading("One triple");
    TRY(show_first(sheet));
    say_heading("Ten thousand triples");
    say("In binary32 the sums are those of the method `plain/serial`, which adds from left to right: of a, b, c, and "
        "of b, c, a. In binary64 they are C's own additions, of numbers with 53 random bits instead of 24.");
    TRY(show_counts(sheet));
    say("More digits do not make addition associative: binary64 differs about as often. It only makes the differences "
        "smaller.");
    TRY(draw_spreads(sheet));
    say_heading("And which one is right?");
    say("The exact sum decides: the float nearest to it is right.");
    TRY(show_judged(sheet));
    say("Neither bracket is better. Each is a legitimate sum of three numbers, and each obeys the bound of the theorem "
        "below. Where both signs are present, large numbers can cancel, and then the error of the first addition is "
        "all that is left: many ulps.");
    say_theorem(
        "Knuth, The Art of Computer Programming 2, 4.2.2; Higham 2002, (2.4)",
        "Rounded addition is commutative, $RN(a + b) = RN(b + a)$, but not associative. With $|d1|, |d2| <= u$, "
        "$RN(RN(a + b) + c) = ((a + b)(1 + d1) + c)(1 + d2)$, so that the error of either way is at most $2u (|a| "
        "+ |b| + |c|)$ up to terms in u^2, and the two sums are at most twice that apart.");
    TRY(ask_for_zero(sheet));
    ask_for_ways(sheet);
    ask_for_whole(sheet);
    TRY(point_to_tenths(sheet));
    return OK;
}
