#include "lesson.h"

#include "datasets/random.h"
#include "src/teach/tools/lesson_matrices.h"
#include "src/teach/tools/lesson_steps.h"

enum { NUMBERS_MOST = 8, ORDERS_MOST = 24 };

/* What the numbers of a sum are. */
enum {
    GRAINS,  /* a large one first, beside which 1 is lost, and small ones */
    CANCELS, /* two large ones that cancel, with small ones before, between and behind */
    SORTED,  /* as GRAINS, the smallest first */
};

struct task;

/* Of a kind: exercise_kinds.def. */
struct words {
    const char *prompt, *hint, *because, *choices[CHOICES_MOST];
};

/* A row of exercises.def. */
struct exercise {
    const char *lesson;
    enum status (*make)(struct task *task);
    const struct words *words;
    const struct format *format;
    int from, to;             /* how many numbers, and what they are; or what the kind draws between */
    const char *method, *who; /* adds, as the command line and as people say it */
    uint32_t threads;
};

/* What one exercise draws, and where it asks. */
struct task {
    struct sheet *sheet;
    const struct exercise *of;
    const struct format *format;
    struct generator_call call;
    uint64_t drawn;
    float x[NUMBERS_MOST], y[NUMBERS_MOST]; /* what is added, and what it is multiplied by */
    int n;
    char text[IN_FULL_TEXT];
};

/* ---- drawing ---- */

/* A whole number of these.  One draw an expression: C leaves open which of two comes first, and a seed gives the same
 * exercises whichever compiler made the program. */
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

/* Whole numbers of either sign that the format has: small ones, and some of up to 4 * 2^p. */
static void draw_any(struct task *task, int n)
{
    task->n = n;
    for (int i = 0; i < n; i++) {
        const int most = 1 << (draw(task, 0, 1) ? draw(task, 1, 4) : task->format->precision + draw(task, 0, 2));
        const double size = rounded(task, draw(task, 1, most));
        task->x[i] = (float)(draw(task, 0, 1) ? size : -size);
    }
}

/* ---- asking ---- */

/* Allocated, with the next of the numbers in it: see exercise_kinds.def. */
static char *said(const struct task *task, const char *words, const double **numbers)
{
    struct text text = {0};
    char digits[IN_FULL_TEXT];
    for (; *words; words++) {
        const bool listed = *words == '{';
        for (int i = 0; i < (listed ? task->n : *words == '#'); i++) {
            write_in_full(listed ? (double)task->x[i] : *(*numbers)++ + 0.0, digits); /* -0 + 0 is 0 */
            text_append(&text, "%s%s", i ? ", " : "", digits);
        }
        if (*words == '@')
            text_append(&text, "%s", task->format->name);
        else if (*words == '~' || *words == '&')
            text_append(&text, "%s", *words == '~' ? task->of->who : task->of->method);
        else if (*words == '!')
            text_append(&text, "%s", task->text);
        else if (*words != '#' && !listed)
            text_append(&text, "%c", *words);
    }
    return text_take(&text);
}

/* With the numbers of the prompt, and then of the reason. */
static enum status ask(struct task *task, struct ask asked, const double *numbers)
{
    const struct words *words = task->of->words;
    OWNED char *prompt = said(task, words->prompt, &numbers), *because = said(task, words->because, &numbers);
    asked.prompt = prompt;
    asked.because = because;
    asked.hint = words->hint;
    for (size_t i = 0; i < CHOICES_MOST && words->choices[i]; i++)
        asked.choices[i] = words->choices[i];
    sheet_ask_exercise(task->sheet, &asked);
    return OK;
}

#define answer_of(is, ...) ask(task, (struct ask){.answer = is}, (const double[]){__VA_ARGS__})
#define answer_about(is, from, up_to, ...)                                                                             \
    ask(task, (struct ask){.answer = is, .least = from, .most = up_to}, (const double[]){__VA_ARGS__})
#define choice_of(place, ...) ask(task, (struct ask){.right = place}, (const double[]){__VA_ARGS__})

/* ---- one number, one addition ---- */

/* What task->text is is rounded.  The choices: what is right, the other neighbour, no rounding, one too far; in any
 * places. */
static enum status ask_nearest(struct task *task, double exact, double given, double other)
{
    const double near = rounded(task, exact), step = copysign(format_spacing(task->format, near), exact - near);
    const double all[] = {near, near + step, 0, near - step};
    char texts[4][IN_FULL_TEXT];
    struct ask asked = {0};
    for (size_t i = 0; i < 4; i++) {
        const size_t at = (size_t)draw(task, 0, (int)i);
        write_in_full(all[i], texts[i]);
        memmove(asked.choices + at + 1, asked.choices + at, (i - at) * sizeof *asked.choices);
        asked.choices[at] = i == 2 ? task->text : texts[i];
        asked.right = i == 0 ? 0 : asked.right + (at <= asked.right);
    }
    const double numbers[] = {given, other, fmin(near, near + step), fmax(near, near + step), near};
    return ask(task, asked, numbers + (given == 0)); /* 0: one number is given */
}

static enum status stored(struct task *task)
{
    int thousandths;
    while ((thousandths = draw(task, 1, 999)) % 125 == 0)
        continue;
    snprintf(task->text, sizeof task->text, "0.%03d", thousandths);
    return ask_nearest(task, thousandths / 1000.0, 0, task->format->precision);
}

static enum status addition(struct task *task)
{
    const int p = task->format->precision;
    double a, b;
    do {
        a = rounded(task, draw(task, 1 << p, 8 << p)), b = draw(task, 1, 24);
    } while (rounded(task, a + b) == a + b);
    write_in_full(a + b, task->text);
    return ask_nearest(task, a + b, a, b);
}

static enum status spacing(struct task *task)
{
    const int digits = draw(task, 1 << 20, (1 << 21) - 1);
    const double x = rounded(task, ldexp(digits, draw_given(task) - 20));
    const double step = format_spacing(task->format, x);
    return answer_of(step, x, task->format->precision, ilogb(x), ilogb(step));
}

static enum status counter(struct task *task)
{
    const int step = draw_given(task);
    double count = 0;
    for (double next; (next = rounded(task, count + step)) != count; count = next)
        continue;
    return answer_of(count, step, count, format_spacing(task->format, count));
}

/* ---- brackets and orders ---- */

static enum status bracket(struct task *task)
{
    const size_t wanted = (size_t)draw(task, 0, 3);
    double ab, bc, first, second, exact;
    do {
        draw_any(task, 3);
        const double a = (double)task->x[0], b = (double)task->x[1], c = (double)task->x[2];
        ab = rounded(task, a + b), bc = rounded(task, b + c), exact = a + b + c;
        first = rounded(task, ab + c), second = rounded(task, a + bc);
    } while ((first == exact ? second == exact ? 2U : 0U : second == exact ? 1U : 3U) != wanted);
    return choice_of(wanted, ab, first, bc, second, exact);
}

/* The k-th order of x[0..n). */
static void put_in_order(const float *x, int n, int k, float *ordered)
{
    float left[NUMBERS_MOST];
    memcpy(left, x, sizeof left);
    for (int i = 0; i < n; k /= n - i, i++) {
        ordered[i] = left[k % (n - i)];
        left[k % (n - i)] = left[n - i - 1];
    }
}

static enum status add(const struct task *task, const char *method, const float *x, struct lesson_sum *sum)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    TRY(lesson_data_in(task->format, x, (uint64_t)task->n, &data));
    return lesson_add(method, (struct launch){1, task->of->threads + !task->of->threads}, &data, sum);
}

static enum status arrivals(struct task *task)
{
    const int orders = task->of->from == 3 ? 6 : ORDERS_MOST;
    struct lesson_sum sums[ORDERS_MOST];
    float ordered[NUMBERS_MOST];
    draw_any(task, task->of->from);
    for (int k = 0; k < orders; k++) {
        put_in_order(task->x, task->n, k, ordered);
        TRY(add(task, task->of->method, ordered, &sums[k]));
    }
    return answer_of(lesson_distinct(sums, orders), orders, lesson_distinct(sums, orders));
}

static enum status who(struct task *task)
{
    static const char *const methods[] = {"plain/serial", "kahan/serial", "neumaier/serial"};
    static const unsigned states[] = {7, 6, 4, 0}; /* of the three, which are exact */
    const size_t wanted = (size_t)draw(task, 0, 3);
    unsigned exact;
    do {
        struct lesson_sum sum;
        draw_any(task, 4);
        exact = 0;
        for (int m = 0; m < 3; m++) {
            TRY(add(task, methods[m], task->x, &sum));
            exact |= (unsigned)(sum.class == CLASS_EXACT) << m;
        }
    } while (exact != states[wanted]);
    return choice_of(wanted, (double)task->x[0] + (double)task->x[1] + (double)task->x[2] + (double)task->x[3]);
}

/* ---- what a method computes ---- */

static enum status multiply(const struct task *task, uint64_t k, const float *x, const float *y, float *result)
{
    FREED_BY(lesson_matrices_free) struct lesson_matrices of = {.rows = 1, .inner = k, .columns = 1, .a_leading = k};
    TRY(lesson_data_in(task->format, x, k, &of.a));
    TRY(lesson_data_in(task->format, y, k, &of.b));
    return lesson_multiply(task->of->method, &of, result);
}

/* Of x y, or of x alone where the method takes one vector. */
static enum status ask_result(struct task *task)
{
    const bool matrices = operation_table[method_find(task->of->method)->operation].of == MATRICES;
    struct lesson_sum sum = {0};
    double exact = 0;
    for (int i = 0; i < task->n; i++)
        exact += (double)task->x[i] * (double)task->y[i]; /* of so few bits */
    TRY(matrices ? multiply(task, (uint64_t)task->n, task->x, task->y, &sum.computed)
                 : add(task, task->of->method, task->x, &sum));
    return answer_of((double)sum.computed, (double)sum.computed, exact);
}

static int by_size(const void *a, const void *b)
{
    return (*(const float *)a > *(const float *)b) - (*(const float *)a < *(const float *)b);
}

static void draw_sum(struct task *task)
{
    const bool cancels = task->of->to == CANCELS;
    task->n = task->of->from;
    for (int i = 0; i < task->n; i++)
        task->x[i] = (float)draw(task, 1, 5), task->y[i] = 1;
    const int times = draw(task, 1, 3);
    task->x[cancels] = ldexpf((float)times, task->format->precision + draw(task, 0, cancels));
    if (cancels)
        task->x[3] = -task->x[1];
    if (task->of->to == SORTED)
        qsort(task->x, (size_t)task->n, sizeof *task->x, by_size);
}

static enum status sum(struct task *task)
{
    draw_sum(task);
    return ask_result(task);
}

static enum status readings(struct task *task)
{
    const int offset = draw_given(task);
    for (task->n = 0; task->n < 4; task->n++)
        task->x[task->n] = (float)(offset + draw(task, 0, 9));
    return ask_result(task);
}

/* A number of e4m3 from 1 up to this many eighths; the square of 11/8 is below 2. */
static float draw_eighths(struct task *task, int most)
{
    return (float)draw(task, 8, most) / 8;
}

static enum status squares(struct task *task)
{
    task->x[0] = 128 * draw_eighths(task, 11);
    for (task->n = 1; task->n < task->of->from; task->n++) {
        task->x[task->n] = draw_eighths(task, 15);
        task->x[task->n] *= (float)(1 + draw(task, 0, 1));
    }
    memcpy(task->y, task->x, sizeof task->y);
    return ask_result(task);
}

/* So many that the last ones are lost. */
static enum status alike(struct task *task)
{
    const int k = 128 * draw_given(task);
    OWNED float *x = memory_cleared((size_t)k, sizeof *x);
    float result;
    task->x[0] = draw_eighths(task, 11);
    task->n = 1;
    for (int i = 0; i < k; i++)
        x[i] = task->x[0];
    TRY(multiply(task, (uint64_t)k, x, x, &result));
    const double is = (double)result;
    return answer_about(is, is * 0.99, is * 1.01, k, is, k * (double)x[0] * (double)x[0]);
}

/* x_1, x_2, y_1, y_2: products of up to 26 bits and of both signs. */
static enum status factors(struct task *task)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    for (task->n = 0; task->n < 4; task->n++)
        task->x[task->n] = (float)((2 * draw(task, 2048, 4095) + 1) * (task->n == 3 ? -1 : 1));
    TRY(lesson_data_of_pairs(task->x, task->x + 2, 2, &data));
    TRY(lesson_add(task->of->method, one_thread, &data, &sum));
    return answer_of((double)sum.computed, (double)sum.computed, mpfr_get_d(data.exact.sum, MPFR_RNDN));
}

static enum status excess(struct task *task)
{
    struct lesson_step steps[NUMBERS_MOST];
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    draw_sum(task);
    const int k = draw(task, 2, task->n);
    TRY(lesson_data_of(task->x, (uint64_t)task->n, &data));
    TRY(lesson_steps(task->of->method, &data, steps));
    return answer_of(-steps[k - 1].rest, k, steps[k - 1].sum);
}

/* ---- what the data ask for ---- */

static enum status condition(struct task *task)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    do {
        lesson_data_free(&data);
        for (task->n = 0; task->n < 4; task->n++)
            task->x[task->n] = (float)(draw(task, 1, 999) * (task->n % 2 ? -1 : 1));
        TRY(lesson_data_of(task->x, 4, &data));
    } while (mpfr_zero_p(data.exact.sum));
    const double is = data.exact.condition;
    return answer_about(is, is * 0.99, is * 1.01, mpfr_get_d(data.exact.sum, MPFR_RNDN));
}

static enum status kept(struct task *task)
{
    const int k = draw_given(task), p = task->format->precision;
    return answer_about(p - k, p - k - 1, p - k + 1, k, p, k, p, p - k);
}

static enum status wide(struct task *task)
{
    const int k = draw_given(task), least = task->format->least_exponent, most = task->format->overflow_exponent;
    return answer_of(most - least + k, k, least, most, most - least, k);
}

static enum status underflow(struct task *task)
{
    const int least = 1 << (task->format->precision - 1), x = draw(task, least, 2 * least - 1);
    const int y = draw(task, least, 2 * least - 1);
    return answer_of(task->of->to ? y : x, x, y, x - y, least);
}
#define flushed underflow

/* ---- products ---- */

static enum status remnant(struct task *task)
{
    double a, b, p;
    do {
        a = draw_given(task), b = draw_given(task), p = rounded(task, a * b);
    } while (p == a * b);
    return answer_of(rounded(task, a * b - p), a, b, a, b, a * b, p);
}

static enum status fused(struct task *task)
{
    const size_t wanted = (size_t)draw(task, 0, 2);
    double a, b, c, once, twice;
    do {
        a = draw_given(task), b = draw_given(task);
        c = draw(task, 1, 400);
        c = rounded(task, draw(task, 0, 1) ? c - rounded(task, a * b) : c);
        once = rounded(task, a * b + c), twice = rounded(task, rounded(task, a * b) + c);
    } while ((once == twice) != (wanted == 2));
    return choice_of(wanted, wanted == 1 ? twice : once, a, b, c, a * b, once, twice);
}

/* ---- trees ---- */

/* Of the tree, or how often the theorem counts u: once less. */
static enum status height(struct task *task)
{
    const struct method *method = method_find(task->of->method);
    const int t = 1 << draw(task, task->of->to > 0, task->of->to), n = (t > 64 ? t : 64) * draw(task, 1, 60);
    const int is = (int)method->height(method, shape_of_one((uint64_t)n), (struct launch){1, (uint32_t)t});
    if (t > 1)
        snprintf(task->text, sizeof task->text, ", T = %d", t);
    return answer_of(is - task->of->from, n, is);
}
#define bound height

/* ---- all ---- */

#define KIND(id, ...) static const struct words words_##id = {__VA_ARGS__};
#include "exercise_kinds.def"

static const struct exercise table[] = {
#define EXERCISE(exercise_of, kind, ...)                                                                               \
    {.lesson = #exercise_of, .make = kind, .words = &words_##kind, .format = &FORMAT_##__VA_ARGS__},
#include "exercises.def"
};

enum status exercises_draw(const struct lesson *lesson, uint64_t seed, struct sheet *sheet)
{
    *sheet = sheet_of(lesson->id, lesson->title);
    snprintf(sheet->options, sizeof sheet->options, " --exercises %" PRIu64, seed);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct task task = {.sheet = sheet, .of = &table[i], .format = table[i].format};
        task.call = (struct generator_call){.seed = seed, .family = (uint32_t)i};
        if (strcmp(table[i].lesson, lesson->id) == 0)
            TRY(table[i].make(&task));
    }
    return OK;
}
