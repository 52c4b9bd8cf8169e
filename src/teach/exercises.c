#include "exercises.h"

#include "datasets/random.h"
#include "src/teach/tools/lesson_matrices.h"
#include "src/teach/tools/lesson_steps.h"

struct task;

/* What numbers a sum is asked of. */
enum drawn {
    GRAINS,  /* a large one first, beside which 1 is lost, and small ones */
    CANCELS, /* two large ones that cancel, with small ones before, between and behind */
    SORTED,  /* as GRAINS, by size, up or down */
    FACTORS, /* two vectors of two, whose products have up to 26 bits and other signs */
    SQUARED, /* 128 or more, and small numbers; their squares are added */
    ALIKE,   /* one number, many times 128 of it; likewise */
    READINGS /* near each other and far from 0 */
};

/* A row of exercises.def. */
struct exercise {
    const char *lesson;
    enum status (*make)(struct task *task);
    const struct format *format;
    int from, to;               /* how many numbers, or what the kind draws between */
    const char *method, *words; /* who adds, as the command line and as people say it */
    uint32_t threads;
    enum drawn shape;
};

enum { NUMBERS_MOST = 8, ORDERS_MOST = 24 };

/* What one exercise draws, and where it asks. */
struct task {
    struct sheet *sheet;
    const struct exercise *of;
    const struct format *format;
    struct generator_call call;
    uint64_t drawn;
};

/* ---- drawing ---- */

/* A whole number of these. */
static int draw(struct task *task, int least, int most)
{
    const uint64_t random = random_half(random_bits(&task->call, task->drawn++, 0), 0) >> 32;
    return least + (int)(random * (uint64_t)(most - least + 1) >> 32);
}

static int draw_given(struct task *task)
{
    return draw(task, task->of->from, task->of->to);
}

static double rounded(const struct task *task, double x)
{
    return rounded_to(x, task->format);
}

/* A whole number of either sign that the format has: a small one, or one of up to 4 * 2^p. */
static double draw_any(struct task *task)
{
    const int most = 1 << (draw(task, 0, 1) ? draw(task, 1, 4) : task->format->precision + draw(task, 0, 2));
    return rounded(task, draw(task, 1, most)) * (draw(task, 0, 1) ? 1 : -1);
}

/* ---- saying ---- */

/* Allocated: each # is the next of the numbers, @ the format, ~ who adds and & the method's id. */
static char *said(const struct task *task, const char *format, const double *numbers)
{
    struct text text = {0};
    char digits[IN_FULL_TEXT];
    for (size_t plain; *format; format += plain + (format[plain] != '\0')) {
        plain = strcspn(format, "#@~&");
        text_append(&text, "%.*s", (int)plain, format);
        if (format[plain] == '#')
            write_in_full(*numbers++ + 0.0, digits); /* -0 + 0 is 0 */
        text_append(&text, "%s",
                    format[plain] == '#'   ? digits
                    : format[plain] == '@' ? task->format->name
                    : format[plain] == '~' ? task->of->words
                    : format[plain] == '&' ? task->of->method
                                           : "");
    }
    return text_take(&text);
}
#define says(...) says_all(__VA_ARGS__, 0)
#define says_all(format, ...) said(task, format, (const double[]){__VA_ARGS__})

/* The first text with the others behind it, all but the second taken. */
static char *listing(char *before, const float *x, int n, char *behind)
{
    struct text text = {0};
    char digits[IN_FULL_TEXT];
    text_append(&text, "%s", before);
    for (int i = 0; i < n; i++) {
        write_in_full((double)x[i], digits);
        text_append(&text, "%s%s", i ? ", " : "", digits);
    }
    text_append(&text, "%s", behind);
    free_all(before, behind);
    return text_take(&text);
}

/* Prompt and because are taken. */
static enum status pose(struct task *task, struct ask ask, char *prompt, char *because)
{
    ask.prompt = prompt;
    sheet_exercise(task->sheet, "%s", prompt);
    sheet_ask(task->sheet, &ask, "%s", because);
    free_all(prompt, because);
    return OK;
}

#define number_of(is, clue) ((struct ask){.answer = is, .hint = clue})
#define number_about(is, share, clue)                                                                                  \
    ((struct ask){.answer = is, .least = (is) * (1 - (share)), .most = (is) * (1 + (share)), .hint = clue})
#define choice_of(place, clue, ...) ((struct ask){.right = place, .hint = clue, .choices = {__VA_ARGS__}})

/* ---- one number, one addition ---- */

/* To be rounded, with its text.  The choices: what is right, the other neighbour, no rounding, one too far; in any
 * places. */
static enum status nearest_of(struct task *task, double exact, char *text, char *prompt)
{
    const double near = rounded(task, exact), step = copysign(format_spacing(task->format, near), exact - near);
    char *choices[] = {says("#", near), says("#", near + step), text, says("#", near - step)};
    struct ask of = {.hint = "Which two numbers of the format enclose the exact one? How far apart are they?"};
    for (size_t i = 0; i < 4; i++) {
        const size_t at = (size_t)draw(task, 0, (int)i);
        memmove(of.choices + at + 1, of.choices + at, (i - at) * sizeof *of.choices);
        of.choices[at] = choices[i];
        of.right = i == 0 ? 0 : of.right + (at <= of.right);
    }
    pose(task, of, prompt,
         says("It lies between # and #; the nearer one, or in the middle the even one, is #.", fmin(near, near + step),
              fmax(near, near + step), near));
    for (size_t i = 0; i < 4; i++)
        free(choices[i]);
    return OK;
}

static enum status stored(struct task *task)
{
    int thousandths;
    while ((thousandths = draw(task, 1, 999)) % 125 == 0)
        continue;
    OWNED char *prompt = says("What does @, of # bits, store for", task->format->precision);
    return nearest_of(task, thousandths / 1000.0, text_made("0.%03d", thousandths),
                      text_made("%s 0.%03d?", prompt, thousandths));
}

static enum status addition(struct task *task)
{
    const int p = task->format->precision;
    double a, b;
    do {
        a = rounded(task, draw(task, 1 << p, 8 << p)), b = draw(task, 1, 24);
    } while (rounded(task, a + b) == a + b);
    return nearest_of(task, a + b, says("#", a + b), says("What is # + # in @?", a, b));
}

static enum status spacing(struct task *task)
{
    const double x = rounded(task, ldexp(draw(task, 1 << 20, (1 << 21) - 1), draw_given(task) - 20));
    const double step = format_spacing(task->format, x);
    return pose(
        task, number_of(step, "Which power of two is just below it? That is the place of its first bit."),
        says("How much larger than # is the next number of @?", x),
        says("The first of # bits is worth $2^#$, the last $2^#$.", task->format->precision, ilogb(x), ilogb(step)));
}

static enum status counter(struct task *task)
{
    const int step = draw_given(task);
    double count = 0;
    for (double next; (next = rounded(task, count + step)) != count; count = next)
        continue;
    return pose(
        task, number_of(count, "It stands still where the step is at most half of the spacing."),
        says("A counter in @ begins at 0. Where does it stop, going up by #?", step),
        says("The spacing at # is #: adding # is rounded back.", count, format_spacing(task->format, count), step));
}

/* ---- brackets and orders ---- */

static enum status bracket(struct task *task)
{
    const size_t wanted = (size_t)draw(task, 0, 3);
    double a, b, c, ab, bc;
    bool first, second;
    do {
        a = draw_any(task), b = draw_any(task), c = draw_any(task);
        ab = rounded(task, a + b), bc = rounded(task, b + c);
        first = rounded(task, ab + c) == a + b + c, second = rounded(task, a + bc) == a + b + c;
    } while ((first ? second ? 2U : 0U : second ? 1U : 3U) != wanted);
    return pose(task,
                choice_of(wanted, "Round after each of the four additions.", "(a + b) + c alone", "a + (b + c) alone",
                          "both", "neither"),
                says("Let a, b, c be #, #, #. Which is exact in @: (a + b) + c, a + (b + c)?", a, b, c),
                says("a + b gives # and then #; b + c gives # and then #. Exact is #.", ab, rounded(task, ab + c), bc,
                     rounded(task, a + bc), a + b + c));
}

/* The k-th order of x[0..n). */
static void put_in_order(const float *x, int n, int k, float *ordered)
{
    float left[NUMBERS_MOST];
    memcpy(left, x, (size_t)n * sizeof *x);
    for (int i = 0; i < n; k /= n - i, i++) {
        ordered[i] = left[k % (n - i)];
        left[k % (n - i)] = left[n - i - 1];
    }
}

static enum status add(const struct task *task, const char *method, const float *x, int n, struct lesson_sum *sum)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    TRY(lesson_data_in(task->format, x, (uint64_t)n, &data));
    return lesson_add(method, (struct launch){1, task->of->threads + !task->of->threads}, &data, sum);
}

static enum status arrivals(struct task *task)
{
    const int n = task->of->from, orders = n == 3 ? 6 : ORDERS_MOST;
    struct lesson_sum sums[ORDERS_MOST];
    float x[NUMBERS_MOST], ordered[NUMBERS_MOST];
    for (int i = 0; i < n; i++)
        x[i] = (float)draw_any(task);
    for (int k = 0; k < orders; k++) {
        put_in_order(x, n, k, ordered);
        TRY(add(task, task->of->method, ordered, n, &sums[k]));
    }
    const int distinct = lesson_distinct(sums, orders);
    return pose(task, number_of(distinct, "The first two may change places: that leaves half of the orders."),
                listing(says("~; in any order: "), x, n, says(". How many different sums can there be?")),
                says("The orders are #, the different sums #.", orders, distinct));
}

static enum status who(struct task *task)
{
    static const char *const methods[] = {"plain/serial", "kahan/serial", "neumaier/serial"};
    static const unsigned states[] = {7, 6, 4, 0}; /* of the three, which are exact */
    const size_t wanted = (size_t)draw(task, 0, 3);
    float x[4];
    unsigned exact;
    do {
        struct lesson_sum sum;
        for (int i = 0; i < 4; i++)
            x[i] = (float)draw_any(task);
        exact = 0;
        for (int m = 0; m < 3; m++) {
            TRY(add(task, methods[m], x, 4, &sum));
            exact |= (unsigned)(sum.class == CLASS_EXACT) << m;
        }
    } while (exact != states[wanted]);
    return pose(task,
                choice_of(wanted, "What does plain lose, and who still has that when the last number comes?",
                          "plain, Kahan's and Neumaier's", "Kahan's and Neumaier's", "Neumaier's alone",
                          "none of the three"),
                listing(says("From left to right in binary32: "), x, 4, says(". Which methods give the exact sum?")),
                says("`ulpscope blame METHOD` shows what each addition of a method loses."));
}

/* ---- what a method computes ---- */

static int by_size(const void *a, const void *b)
{
    return (*(const float *)a > *(const float *)b) - (*(const float *)a < *(const float *)b);
}

static void draw_sum(struct task *task, int n, float *x)
{
    const bool cancels = task->of->shape == CANCELS, sorted = task->of->shape == SORTED;
    for (int i = 0; i < n; i++)
        x[i] = (float)draw(task, 1, 5);
    x[cancels] = ldexpf((float)draw(task, 1, 3), task->format->precision + draw(task, 0, cancels));
    if (cancels)
        x[3] = -x[1];
    if (sorted)
        qsort(x, (size_t)n, sizeof *x, by_size);
    for (int i = 0, falls = sorted && draw(task, 0, 1); falls && i < n / 2; i++) {
        const float other = x[i];
        x[i] = x[n - 1 - i], x[n - 1 - i] = other;
    }
}

/* What the shape says; y: what the numbers are multiplied by. */
static void draw_numbers(struct task *task, int n, float *x, float *y)
{
    const enum drawn shape = task->of->shape;
    const int offset = draw(task, 2000, 20000);
    const float alike = (float)draw(task, 8, 11) / 8; /* its square is below 2 */
    if (shape <= SORTED)
        draw_sum(task, n, x);
    for (int i = 0; i < n; i++) {
        if (shape == ALIKE)
            x[i] = alike;
        else if (shape == SQUARED)
            x[i] = i ? ldexpf((float)draw(task, 8, 15) / 8, draw(task, 0, 1)) : 128 * alike;
        else if (shape == READINGS)
            x[i] = (float)(offset + draw(task, 0, 9));
        else if (shape == FACTORS)
            x[i] = (float)(2 * draw(task, 2048, 4095) + 1);
        y[i] = shape == FACTORS ? (float)((2 * draw(task, 2048, 4095) + 1) * (i ? -1 : 1)) : shape > FACTORS ? x[i] : 1;
    }
}

static enum status compute(const struct task *task, const float *x, const float *y, int n, float *result)
{
    const enum quantity of = operation_table[method_find(task->of->method)->operation].of;
    const uint64_t k = (uint64_t)n;
    FREED_BY(lesson_matrices_free) struct lesson_matrices pair = {.rows = 1, .inner = k, .columns = 1, .a_leading = k};
    struct lesson_sum sum;
    if (of == MATRICES) {
        TRY(lesson_data_in(task->format, x, k, &pair.a));
        TRY(lesson_data_in(task->format, y, k, &pair.b));
        return lesson_multiply(task->of->method, &pair, result);
    }
    if (of == PRODUCTS) {
        TRY(lesson_data_of_pairs(x, y, k, &pair.a));
        TRY(lesson_add(task->of->method, one_thread, &pair.a, &sum));
    } else
        TRY(add(task, task->of->method, x, n, &sum));
    *result = sum.computed;
    return OK;
}

static enum status computed(struct task *task)
{
    static const char *const hints[] = {
        [GRAINS] = "Write down what is held after each addition, rounded.",
        [CANCELS] = "Write down what is held after each addition, rounded: what is left when the large ones have gone?",
        [SORTED] = "Where are the small ones added: to each other, or each to the large one?",
        [FACTORS] = "The numbers of binary32 are 2 apart from $2^24$ on, and 4 from $2^25$ on.",
        [SQUARED] = "Which power of two is the last place kept? Each square is cut off there, toward 0.",
        [ALIKE] = "What does a square lose once the sum is large? When is that all of it?",
        [READINGS] = "From $2^24$ on the numbers of binary32 are 2 apart, from $2^25$ on 4, and so on.",
    };
    const enum drawn shape = task->of->shape;
    const int n = shape == ALIKE ? 128 * draw_given(task) : task->of->from;
    OWNED float *x = memory_cleared(2 * (size_t)n, sizeof *x);
    float *const y = x + n, result;
    double exact = 0; /* of so few bits */
    draw_numbers(task, n, x, y);
    TRY(compute(task, x, y, n, &result));
    for (int i = 0; i < n; i++)
        exact += (double)x[i] * (double)y[i];
    const int listed = shape == ALIKE ? 1 : shape == FACTORS ? 2 * n : n;
    char *end = says(shape == ALIKE ? ". What is the result? To 1 %." : ". What is the result?");
    return pose(task, number_about((double)result, shape == ALIKE ? 0.01 : 0, hints[shape]),
                listing(says(shape == ALIKE ? "~: # times " : "~: ", n), x, listed, end),
                shape == READINGS ? says("`&` gives #.", (double)result)
                                  : says("`&` gives #, where # is exact.", (double)result, exact));
}

static enum status excess(struct task *task)
{
    struct lesson_step steps[NUMBERS_MOST];
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    float x[NUMBERS_MOST];
    const int n = task->of->from, k = draw(task, 2, n);
    draw_sum(task, n, x);
    TRY(lesson_data_of(x, (uint64_t)n, &data));
    TRY(lesson_steps(task->of->method, &data, steps));
    return pose(task, number_of(-steps[k - 1].rest, "`y = x - excess; t = sum + y; excess = (t - sum) - y; sum = t;`"),
                listing(says("~: "), x, n, says(". What is `excess` after number #?", k)),
                says("The sum is # then: by so much it is too large.", steps[k - 1].sum));
}

/* ---- what the data ask for ---- */

static enum status condition(struct task *task)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    float x[4];
    do {
        lesson_data_free(&data);
        for (int i = 0; i < 4; i++)
            x[i] = (float)(draw(task, 1, 999) * (i % 2 ? -1 : 1));
        TRY(lesson_data_of(x, 4, &data));
    } while (mpfr_zero_p(data.exact.sum));
    return pose(task, number_about(data.exact.condition, 0.01, "$sum |x_i| / |s|$"),
                listing(says("What is the condition number of the sum of "), x, 4, says("? To 1 %.")),
                says("s is #.", mpfr_get_d(data.exact.sum, MPFR_RNDN)));
}

static enum status kept(struct task *task)
{
    const int k = draw_given(task), p = task->format->precision;
    return pose(
        task,
        ((struct ask){.answer = p - k,
                      .least = p - k - 1,
                      .most = p - k + 1,
                      .hint = "The relative error is the condition number times u."}),
        says("A sum in @ has the condition number $2^#$ and is wrong by about $2^-# sum |x_i|$. About how many of "
             "its leading bits are right?",
             k, p),
        says("$2^#$ times $2^-#$ is $2^-#$.", k, p, p - k));
}

static enum status wide(struct task *task)
{
    const int k = draw_given(task), least = task->format->least_exponent, most = task->format->overflow_exponent;
    return pose(task,
                number_of(most - least + k, "From the least subnormal number to the largest, and then the carries."),
                says("How many bits, without a sign, may an exact sum of $2^#$ numbers of @ need?", k),
                says("From $2^#$ to below $2^#$ there are # bits, and # carry.", least, most, most - least, k));
}

static enum status underflow(struct task *task)
{
    const int least = 1 << (task->format->precision - 1), x = draw(task, least, 2 * least - 1);
    const int y = draw(task, least, 2 * least - 1);
    return pose(task, number_of(task->of->to ? y : x, "What is the least normal number, in these units?"),
                says(task->of->to
                         ? "In @ x is # and y # times the least subnormal number. How many times is (x - y) + y, "
                           "subnormal results flushed to 0?"
                         : "In @ x is # and y # times the least subnormal number. How many times is (x - y) + y?",
                     x, y),
                says("x - y is # of them, less than the least normal number, which is #.", x - y, least));
}

/* ---- products ---- */

static enum status remnant(struct task *task)
{
    double a, b, p;
    do {
        a = draw_given(task), b = draw_given(task), p = rounded(task, a * b);
    } while (p == a * b);
    return pose(task, number_of(rounded(task, a * b - p), "fma rounds once, at the end: what is left of the product?"),
                says("In @ p is # * #, rounded. What is fma(#, #, -p)?", a, b, a, b),
                says("The product is #, and p is #.", a * b, p));
}

static enum status fused(struct task *task)
{
    const size_t wanted = (size_t)draw(task, 0, 2);
    double a, b, c, once, twice;
    do {
        a = draw_given(task), b = draw_given(task);
        c = rounded(task, draw(task, 1, 400) - draw(task, 0, 1) * rounded(task, a * b));
        once = rounded(task, a * b + c), twice = rounded(task, rounded(task, a * b) + c);
    } while ((once == twice) != (wanted == 2));
    return pose(
        task,
        choice_of(wanted, "Round the product first, and then not.", "fma(a, b, c)",
                  "a product and an addition, both rounded", "it may be either"),
        says("In @ a * b + c is #, where a, b, c are #, #, #. Which code was it?", wanted == 1 ? twice : once, a, b, c),
        says("The product is #. fma gives #, two roundings #.", a * b, once, twice));
}

/* ---- trees ---- */

/* Of the tree, or how often the theorem counts u: once less. */
static enum status height(struct task *task)
{
    const struct method *method = method_find(task->of->method);
    const bool bound = task->of->from;
    const int t = 1 << draw(task, task->of->to > 0, task->of->to), n = (t > 64 ? t : 64) * draw(task, 1, 60);
    const int is = (int)method->height(method, shape_of_one((uint64_t)n), (struct launch){1, (uint32_t)t});
    OWNED char *added = says(t > 1 ? "~, T = #: # numbers are added." : "~: # numbers are added.", t > 1 ? t : n, n);
    return pose(task,
                number_of(is - bound, bound ? "One less than the height of the tree: 0 + x rounds nothing."
                                            : "That is the tree's height."),
                text_made("%s %s?", added,
                          bound ? "How many times $u sum |x_i|$ may the error be, to first order"
                                : "How many additions does one of them go through at most, 0 + x being the first"),
                says("The tree has height #.", is));
}

/* ---- all ---- */

static const struct exercise table[] = {
#define EXERCISE(exercise_of, kind, ...) {.lesson = #exercise_of, .make = kind, .format = &FORMAT_##__VA_ARGS__},
#include "exercises.def"
};

enum status exercises_draw(const struct lesson *lesson, uint64_t seed, struct sheet *sheet)
{
    *sheet = sheet_of(lesson->id, lesson->title);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct task task = {sheet, &table[i], table[i].format, {.seed = seed, .family = (uint32_t)i}, 0};
        if (strcmp(table[i].lesson, lesson->id) == 0)
            TRY(table[i].make(&task));
    }
    return OK;
}
