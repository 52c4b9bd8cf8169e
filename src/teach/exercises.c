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
    SQUARED, /* of 128 or more, and of small numbers */
    ALIKE,   /* squares of one number, many times 128 of them */
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

/* What one exercise draws, and where it asks. */
struct task {
    struct sheet *sheet;
    const struct exercise *of;
    const struct format *format;
    struct generator_call call;
    uint64_t drawn;
};

enum { NUMBERS_MOST = 8, ORDERS_MOST = 24 };

/* ---- drawing ---- */

/* A whole number of these. */
static int draw(struct task *task, int least, int most)
{
    const uint64_t random = random_half(random_bits(&task->call, task->drawn++, 0), 0) >> 32;
    return least + (int)(random * (uint64_t)(most - least + 1) >> 32);
}

/* A whole number of either sign that the format has: a small one, or one of up to 4 * 2^p. */
static double draw_any(struct task *task)
{
    const int most = 1 << (draw(task, 0, 1) ? draw(task, 1, 4) : task->format->precision + draw(task, 0, 2));
    const double x = rounded_to(draw(task, 1, most), task->format);
    return draw(task, 0, 1) ? x : -x;
}

static double rounded(const struct task *task, double x)
{
    return rounded_to(x, task->format);
}

static const char *text_of(double value, char text[IN_FULL_TEXT])
{
    write_in_full(value, text);
    return text;
}
#define in_full(value) text_of(value, (char[IN_FULL_TEXT]){0})

/* "4096, 3, -1"; allocated. */
static char *listed(const float *x, int n)
{
    struct text text = {0};
    for (int i = 0; i < n; i++)
        text_append(&text, "%s%s", i ? ", " : "", in_full((double)x[i]));
    return text_take(&text);
}

/* ---- asking; prompt and because are taken ---- */

static enum status ask(struct task *task, struct ask ask, char *prompt, char *because)
{
    ask.prompt = prompt;
    sheet_exercise(task->sheet, "%s", prompt);
    sheet_ask(task->sheet, &ask, "%s", because);
    free_all(prompt, because);
    return OK;
}

#define ask_number(task, is, prompt, clue, because) ask(task, (struct ask){.answer = is, .hint = clue}, prompt, because)

/* The first is right; those alike are one, and each goes to any place. */
static enum status ask_rounded(struct task *task, const char *const candidates[4], char *prompt, char *because)
{
    struct ask of = {.hint = "Which two numbers of the format enclose the exact one? How far apart are they?"};
    size_t count = 0;
    for (size_t i = 0; i < 4; i++) {
        bool known = false;
        for (size_t j = 0; j < count; j++)
            known |= strcmp(candidates[i], of.choices[j]) == 0;
        if (known)
            continue;
        const size_t at = (size_t)draw(task, 0, (int)count);
        memmove(of.choices + at + 1, of.choices + at, (count++ - at) * sizeof *of.choices);
        of.choices[at] = candidates[i];
        of.right = i == 0 ? at : of.right + (at <= of.right);
    }
    return ask(task, of, prompt, because);
}

/* ---- one number, one addition ---- */

/* Exact: what is rounded, and its text. */
static enum status nearest_of(struct task *task, double exact, const char *text, char *prompt)
{
    const double near = rounded(task, exact), step = copysign(format_spacing(task->format, near), exact - near);
    const char *const candidates[] = {in_full(near), in_full(near + step), text, in_full(near - step)};
    return ask_rounded(task, candidates, prompt,
                       text_made("%s lies between %s and %s. The nearer one, or in the middle the even one, is %s.",
                                 text, in_full(fmin(near, near + step)), in_full(fmax(near, near + step)),
                                 candidates[0]));
}

static enum status stored(struct task *task)
{
    int thousandths;
    while ((thousandths = draw(task, 1, 999)) % 125 == 0)
        continue;
    const struct format *format = task->format;
    OWNED char *text = text_made("0.%03d", thousandths);
    return nearest_of(task, thousandths / 1000.0, text,
                      text_made("What does %s, of %d bits, store for %s?", format->name, format->precision, text));
}

static enum status addition(struct task *task)
{
    double a, b;
    do {
        a = rounded(task, draw(task, 1 << task->format->precision, 8 << task->format->precision));
        b = draw(task, 1, 24);
    } while (rounded(task, a + b) == a + b);
    return nearest_of(task, a + b, in_full(a + b),
                      text_made("What is %s + %s in %s?", in_full(a), in_full(b), task->format->name));
}

static enum status spacing(struct task *task)
{
    const int power = draw(task, task->of->from, task->of->to - 1);
    const double x = rounded(task, ldexp(draw(task, 1 << 20, (1 << 21) - 1), power - 20));
    const double step = format_spacing(task->format, x);
    return ask_number(task, step,
                      text_made("How much larger than %s is the next number of %s?", in_full(x), task->format->name),
                      "Which power of two is just below it? That is the place of its first bit.",
                      text_made("The first of %d bits is worth $2^%d$, the last $2^%d$.", task->format->precision,
                                ilogb(x), ilogb(step)));
}

static enum status counter(struct task *task)
{
    const int step = draw(task, 1, task->of->to);
    double count = 0;
    for (double next; (next = rounded(task, count + step)) != count; count = next)
        continue;
    return ask_number(
        task, count,
        text_made("A counter in %s begins at 0. Where does it stop, going up by %d?", task->format->name, step),
        "It stands still where the step is at most half of the spacing.",
        text_made("The spacing at %s is %s: adding %d is rounded back.", in_full(count),
                  in_full(format_spacing(task->format, count)), step));
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
    const struct ask of = {.right = wanted,
                           .hint = "Round after each of the four additions.",
                           .choices = {"(a + b) + c alone", "a + (b + c) alone", "both", "neither"}};
    return ask(task, of,
               text_made("Let a, b, c be %s, %s, %s. Which is exact in %s: (a + b) + c, a + (b + c)?", in_full(a),
                         in_full(b), in_full(c), task->format->name),
               text_made("a + b gives %s and then %s; b + c gives %s and then %s. Exact is %s.", in_full(ab),
                         in_full(rounded(task, ab + c)), in_full(bc), in_full(rounded(task, a + bc)),
                         in_full(a + b + c)));
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

static enum status arrivals(struct task *task)
{
    const int n = task->of->from, orders = n == 3 ? 6 : ORDERS_MOST;
    struct lesson_sum sums[ORDERS_MOST];
    float x[NUMBERS_MOST], ordered[NUMBERS_MOST];
    for (int i = 0; i < n; i++)
        x[i] = (float)draw_any(task);
    for (int k = 0; k < orders; k++) {
        FREED_BY(lesson_data_free) struct lesson_data data = {0};
        put_in_order(x, n, k, ordered);
        TRY(lesson_data_in(task->format, ordered, (uint64_t)n, &data));
        TRY(lesson_add(task->of->method, one_thread, &data, &sums[k]));
    }
    OWNED char *numbers = listed(x, n);
    const int distinct = lesson_distinct(sums, orders);
    return ask_number(
        task, distinct,
        text_made("%s; in any order: %s. How many different sums can there be?", task->of->words, numbers),
        "The first two may change places: that leaves half of the orders.",
        text_made("The orders are %d, the different sums %d.", orders, distinct));
}

static enum status who(struct task *task)
{
    static const char *const methods[] = {"plain/serial", "kahan/serial", "neumaier/serial"};
    static const unsigned states[] = {7, 6, 4, 0}; /* of the three, which are exact */
    const size_t wanted = (size_t)draw(task, 0, 3);
    float x[4];
    unsigned exact;
    do {
        FREED_BY(lesson_data_free) struct lesson_data data = {0};
        struct lesson_sum sum;
        for (int i = 0; i < 4; i++)
            x[i] = (float)draw_any(task);
        TRY(lesson_data_of(x, 4, &data));
        exact = 0;
        for (int m = 0; m < 3; m++) {
            TRY(lesson_add(methods[m], one_thread, &data, &sum));
            exact |= (unsigned)(sum.class == CLASS_EXACT) << m;
        }
    } while (exact != states[wanted]);
    OWNED char *numbers = listed(x, 4);
    const struct ask of = {.right = wanted,
                           .hint = "What does plain lose, and who still has that when the last number comes?",
                           .choices = {"plain, Kahan's and Neumaier's", "Kahan's and Neumaier's", "Neumaier's alone",
                                       "none of the three"}};
    return ask(task, of, text_made("From left to right in binary32: %s. Which methods give the exact sum?", numbers),
               text_made("`ulpscope blame METHOD` shows what each addition of a method loses."));
}

/* ---- what a method computes ---- */

static int by_size(const void *a, const void *b)
{
    return (*(const float *)a > *(const float *)b) - (*(const float *)a < *(const float *)b);
}

static void draw_sum(struct task *task, int n, float *x)
{
    const bool cancels = task->of->shape == CANCELS, falls = task->of->shape == SORTED && draw(task, 0, 1);
    for (int i = 0; i < n; i++)
        x[i] = (float)draw(task, 1, 5);
    x[cancels] = ldexpf((float)draw(task, 1, 3), task->format->precision + draw(task, 0, cancels));
    if (cancels)
        x[3] = -x[1];
    if (task->of->shape == SORTED)
        qsort(x, (size_t)n, sizeof *x, by_size);
    for (int i = 0; falls && i < n / 2; i++) {
        const float other = x[i];
        x[i] = x[n - 1 - i], x[n - 1 - i] = other;
    }
}

static const char *const hints[] = {
    [GRAINS] = "Write down what is held after each addition, rounded.",
    [CANCELS] = "Write down what is held after each addition, rounded: what is left when the large ones have gone?",
    [SORTED] = "Where are the small ones added: to each other, or each to the large one?",
    [FACTORS] = "The numbers of binary32 are 2 apart from $2^24$ on, and 4 from $2^25$ on.",
    [SQUARED] = "Which power of two is the last place kept? Each square is cut off there, toward 0.",
    [ALIKE] = "What does a square lose once the sum is large? When is that all of it?",
    [READINGS] = "From $2^24$ on the numbers of binary32 are 2 apart, from $2^25$ on 4, and so on.",
};

/* What the shape says; y: what the numbers are multiplied by. */
static void draw_numbers(struct task *task, int n, float *x, float *y)
{
    const enum drawn shape = task->of->shape;
    const int offset = draw(task, 2000, 20000);
    const float alike = (float)draw(task, 8, 11) / 8; /* whose square is below 2 */
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
        y[i] = shape == FACTORS   ? (float)((2 * draw(task, 2048, 4095) + 1) * (i ? -1 : 1))
               : shape >= SQUARED ? x[i]
                                  : 1;
    }
}

static enum status compute(const struct task *task, const float *x, const float *y, int n, float *result)
{
    const enum quantity of = operation_table[method_find(task->of->method)->operation].of;
    const uint64_t terms = (uint64_t)n;
    FREED_BY(lesson_matrices_free)
    struct lesson_matrices matrices = {.rows = 1, .inner = terms, .columns = 1, .a_leading = terms};
    struct lesson_sum sum;
    if (of == PRODUCTS)
        TRY(lesson_data_of_pairs(x, y, terms, &matrices.a));
    else
        TRY(lesson_data_in(task->format, x, terms, &matrices.a));
    TRY(lesson_data_in(task->format, y, terms, &matrices.b));
    if (of == MATRICES)
        return lesson_multiply(task->of->method, &matrices, result);
    TRY(lesson_add(task->of->method, (struct launch){1, task->of->threads + !task->of->threads}, &matrices.a, &sum));
    *result = sum.computed;
    return OK;
}

static enum status computed(struct task *task)
{
    const bool alike = task->of->shape == ALIKE;
    const int n = alike ? 128 * draw(task, task->of->from, task->of->to) : task->of->from;
    OWNED float *x = memory_cleared(2 * (size_t)n, sizeof *x);
    float *const y = x + n, result;
    double exact = 0; /* of so few bits */
    draw_numbers(task, n, x, y);
    for (int i = 0; i < n; i++)
        exact += (double)x[i] * (double)y[i];
    TRY(compute(task, x, y, n, &result));
    OWNED char *first = alike ? text_made("%d times %s", n, in_full((double)x[0])) : listed(x, n);
    OWNED char *second = listed(y, task->of->shape == FACTORS ? n : 0);
    const struct ask of = {.answer = (double)result,
                           .hint = hints[task->of->shape],
                           .least = (double)result * (alike ? 0.99 : 1),
                           .most = (double)result * (alike ? 1.01 : 1)};
    return ask(task, of,
               text_made("%s: %s%s%s. What is the result?%s", task->of->words, first, *second ? "; " : "", second,
                         alike ? " To 1 %." : ""),
               task->of->shape == READINGS ? text_made("`%s` gives %s.", task->of->method, in_full((double)result))
                                           : text_made("`%s` gives %s, where %s is exact.", task->of->method,
                                                       in_full((double)result), in_full(exact)));
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
    OWNED char *numbers = listed(x, n);
    return ask_number(task, 0 - steps[k - 1].rest,
                      text_made("%s: %s. What is `excess` after number %d?", task->of->words, numbers, k),
                      "`y = x - excess; t = sum + y; excess = (t - sum) - y; sum = t;`",
                      text_made("The sum is %s then: by so much it is too large.", in_full(steps[k - 1].sum)));
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
    OWNED char *numbers = listed(x, 4);
    const double is = data.exact.condition;
    const struct ask of = {.answer = is, .least = is * 0.99, .most = is * 1.01, .hint = "$sum |x_i| / |s|$"};
    return ask(task, of, text_made("What is the condition number of the sum of %s? To 1 %%.", numbers),
               text_made("s is %s.", in_full(mpfr_get_d(data.exact.sum, MPFR_RNDN))));
}

static enum status kept(struct task *task)
{
    const int k = draw(task, task->of->from, task->of->to), p = task->format->precision;
    const struct ask of = {.answer = p - k,
                           .least = p - k - 1,
                           .most = p - k + 1,
                           .hint = "The relative error is the condition number times u."};
    return ask(
        task, of,
        text_made("A sum in %s has the condition number $2^%d$ and is wrong by about $2^-%d sum |x_i|$. About how "
                  "many of its leading bits are right?",
                  task->format->name, k, p),
        text_made("$2^%d$ times $2^-%d$ is $2^-%d$.", k, p, p - k));
}

static enum status wide(struct task *task)
{
    const int k = draw(task, task->of->from, task->of->to);
    const int least = task->format->least_exponent, most = task->format->overflow_exponent;
    return ask_number(
        task, most - least + k,
        text_made("How many bits, without a sign, may an exact sum of $2^%d$ numbers of %s need?", k,
                  task->format->name),
        "From the least subnormal number to the largest, and then the carries.",
        text_made("From $2^%d$ to below $2^%d$ there are %d bits, and %d carry.", least, most, most - least, k));
}

static enum status underflow(struct task *task)
{
    const int least = 1 << (task->format->precision - 1), x = draw(task, least, 2 * least - 1);
    const int y = draw(task, least, 2 * least - 1);
    return ask_number(
        task, task->of->to ? y : x,
        text_made("In %s x is %d and y %d times the least subnormal number. How many times is (x - y) + y%s?",
                  task->format->name, x, y, task->of->to ? ", subnormal results flushed to 0" : ""),
        "What is the least normal number, in these units?",
        text_made("x - y is %d of them, less than the least normal number, which is %d.", x - y, least));
}

/* ---- products ---- */

static enum status remnant(struct task *task)
{
    double a, b, p;
    do {
        a = draw(task, task->of->from, 255);
        b = draw(task, task->of->from, 255);
    } while ((p = rounded(task, a * b)) == a * b);
    return ask_number(task, rounded(task, a * b - p),
                      text_made("In %s p is %s * %s, rounded. What is fma(%s, %s, -p)?", task->format->name, in_full(a),
                                in_full(b), in_full(a), in_full(b)),
                      "fma rounds once, at the end: what is left of the exact product?",
                      text_made("The product is %s, and p is %s.", in_full(a * b), in_full(p)));
}

static enum status fused(struct task *task)
{
    const size_t wanted = (size_t)draw(task, 0, 2);
    double a, b, c, once, twice;
    do {
        a = draw(task, task->of->from, 200), b = draw(task, task->of->from, 200);
        c = rounded(task, draw(task, 1, 400) - draw(task, 0, 1) * rounded(task, a * b));
        once = rounded(task, a * b + c), twice = rounded(task, rounded(task, a * b) + c);
    } while ((once == twice) != (wanted == 2));
    const struct ask of = {.right = wanted,
                           .hint = "Round the product first, and then not.",
                           .choices = {"fma(a, b, c)", "a product and an addition, both rounded", "it may be either"}};
    return ask(
        task, of,
        text_made("In %s a * b + c is %s, where a, b, c are %s, %s, %s. Which code was it?", task->format->name,
                  in_full(wanted == 1 ? twice : once), in_full(a), in_full(b), in_full(c)),
        text_made("The product is %s. fma gives %s, two roundings %s.", in_full(a * b), in_full(once), in_full(twice)));
}

/* ---- trees ---- */

/* Of the tree, or how often the theorem counts u: once less. */
static enum status height(struct task *task)
{
    const struct method *method = method_find(task->of->method);
    const bool bound = task->of->from, threads = task->of->to;
    const int t = threads ? 1 << draw(task, 1, task->of->to) : 1, n = (t > 64 ? t : 64) * draw(task, 1, 60);
    const int is = (int)method->height(method, shape_of_one((uint64_t)n), (struct launch){1, (uint32_t)t});
    return ask_number(
        task, is - bound,
        text_made("%s%s%.0d: %d numbers are added. %s?", task->of->words, threads ? ", T = " : "", threads ? t : 0, n,
                  bound ? "How many times $u sum |x_i|$ may the error be, to first order"
                        : "How many additions does one of them go through at most, 0 + x being the first"),
        bound ? "One less than the height of the tree: 0 + x rounds nothing." : "That is the tree's height.",
        text_made("The tree has height %d.", is));
}

/* ---- all ---- */

static const struct exercise table[] = {
#define EXERCISE(exercise_of, kind, ...) {.lesson = #exercise_of, .make = kind, .format = &FORMAT_##__VA_ARGS__},
#include "exercises.def"
};
enum { EXERCISES = sizeof table / sizeof *table };

enum status exercises_draw(const struct lesson *lesson, uint64_t seed, struct sheet *sheet)
{
    *sheet = sheet_of(lesson->id, lesson->title);
    for (size_t i = 0; i < EXERCISES; i++) {
        if (strcmp(table[i].lesson, lesson->id) != 0)
            continue;
        struct task task = {sheet, &table[i], table[i].format, {.seed = seed, .family = (uint32_t)i}, 0};
        TRY(table[i].make(&task));
    }
    return OK;
}
