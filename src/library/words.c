#include "words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

struct words {
    char *text;
    size_t size, length;
};

static void say(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct words *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(words->text + words->length, words->size - words->length, format, arguments);
    va_end(arguments);
    if (written > 0)
        words->length += (size_t)written;
    if (words->length >= words->size)
        words->length = words->size - 1;
}

/* With as many digits as tell numbers of the format apart. */
static void say_number(struct words *words, const struct format *format, double value)
{
    say(words, "%.*g", format->precision * 30103 / 100000 + 2, value);
}

/* Beside a sum of 0 or far below its terms: more than binary64 has. */
static void say_ulps(struct words *words, double ulps)
{
    if (isinf(ulps))
        say(words, "more than 1e308 ulp");
    else
        say(words, "%.3g ulp", ulps);
}

/* "0.8 ulp", of a share of the limit's unit */
static void say_error(struct words *words, const struct library_limit *limit, const struct ulpscope_error *error)
{
    if (limit->unit == LIMIT_RELATIVE)
        say(words, "a relative error of %.3g", error->relative_error);
    else if (limit->unit == LIMIT_BACKWARD)
        say(words, "a backward error of %.3g", error->backward_error);
    else
        say_ulps(words, error->ulp_error);
}

static void say_limit(struct words *words, const struct library_limit *limit, const struct ulpscope_error *worst)
{
    if (limit->unit == LIMIT_ULP)
        say(words, ", limit %g ulp", limit->most);
    else if (limit->unit == LIMIT_AUTO && limit->most == 1 && isfinite(worst->bound))
        say(words, ", limit %.3g, the bound of plain addition in any order", worst->bound);
    else if (limit->unit != LIMIT_NONE)
        say(words, ", limit %s", limit->text);
}

static void say_place(struct words *words, const struct problem *problem, const struct ulpscope_verdict *verdict)
{
    if (problem->operation == ULPSCOPE_MATMUL)
        say(words, " in row %llu, column %llu", (unsigned long long)verdict->row, (unsigned long long)verdict->column);
    else if (problem->operation == ULPSCOPE_ROWS)
        say(words, " in row %llu", (unsigned long long)verdict->row);
}

static void say_failure(struct words *words, const struct problem *problem, const struct library_limit *limit,
                        const struct ulpscope_verdict *verdict)
{
    const struct ulpscope_error *const worst = &verdict->worst;
    if (verdict->count > 1)
        say(words, "%llu of %llu results fail; the worst is ", (unsigned long long)verdict->failed,
            (unsigned long long)verdict->count);
    else
        say(words, "found ");
    say_number(words, problem->result, worst->computed);
    say_place(words, problem, verdict);
    say(words, ", expected ");
    say_number(words, problem->result, worst->exact.nearest);
    if (!isnan(worst->ulp_error)) {
        say(words, ": ");
        say_error(words, limit, worst);
        if (limit->unit == LIMIT_AUTO)
            say(words, ", off by %.3g", worst->error);
        else if (limit->unit == LIMIT_RELATIVE || limit->unit == LIMIT_BACKWARD) {
            say(words, " (");
            say_ulps(words, worst->ulp_error);
            say(words, ", off by %.3g)", worst->error);
        }
        say_limit(words, limit, worst);
    }
    if (limit->unit != LIMIT_AUTO && isfinite(worst->bound) && worst->bound > 0 && isfinite(worst->error))
        say(words, "; %s the bound of plain addition in any order, %.3g",
            worst->error > worst->bound ? "beyond" : "within", worst->bound);
    if (verdict->cause[0])
        say(words, ". Likely: %s", verdict->cause);
}

static void say_pass(struct words *words, const struct library_limit *limit, const struct ulpscope_verdict *verdict)
{
    const struct ulpscope_error *const worst = &verdict->worst;
    if (limit->unit == LIMIT_EXACT)
        say(words, "correctly rounded");
    else if (isfinite(worst->computed)) {
        say(words, "within ");
        say_error(words, limit, worst);
        say_limit(words, limit, worst);
    } else
        say(words, "%g, as IEEE 754 has it", worst->computed);
}

void words_write(const struct problem *problem, const struct library_limit *limit, struct ulpscope_verdict *verdict)
{
    struct words words = {verdict->words, sizeof verdict->words, 0};
    if (verdict->count == 0)
        say(&words, "no results");
    else if (verdict->passed && !isnan(verdict->worst.ulp_error)) /* NaN: it fails wherever there is a limit */
        say_pass(&words, limit, verdict);
    else
        say_failure(&words, problem, limit, verdict);
}
