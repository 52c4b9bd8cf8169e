#include "datasets/splitmix64.h"
#include "src/base/interrupts.h"
#include "src/base/list.h"
#include "src/measure/judge.h"
#include "src/measure/operation.h"
#include "vary.h"

static axis_vary *const axes[AXES] = {
#define AXIS(id, varied, fixed) id##_vary,
#include "src/study/axes.def"
};

uint64_t results_word(const struct format *format, const uint64_t *bits, uint64_t count)
{
    char digest[DIGEST_TEXT];
    if (count == 1)
        return format_one_nan(format, *bits);
    digest_of(format, bits, count, digest);
    return digest_bits(digest);
}

/* ---- computing ---- */

static enum status run_kernel(const struct vary *vary, const struct operands *of, struct launch launch,
                              const struct circumstances *under, uint64_t *bits)
{
    const struct varied *varied = vary->of;
    const struct shape shape = of->shape;
    struct device *device = varied->device;
    const bool is_product = shape.columns > 0;
    enum status status;
    device_lock(device);
    TRY_DONE(device_upload(device, of->format, of->arrays[0], shape.rows * shape.terms));
    if (of->arrays[1])
        TRY_DONE(device_upload_second(device, of->format, of->arrays[1],
                                      (is_product ? shape.columns : shape.rows) * shape.terms));
    status = device_run_under(device, varied->method, shape, launch, under, bits);
done:
    device_unlock(device);
    return status;
}

bool vary_replays(const struct varied *varied)
{
    return !varied->method->plugin && !(varied->device && device_has_kernel(varied->method));
}

static enum status compute(const struct vary *vary, const struct operands *of, struct launch launch,
                           const struct circumstances *under, uint64_t *bits)
{
    const struct varied *varied = vary->of;
    return vary_replays(varied)     ? replay_under(varied->method, of, launch, varied->workers, under, bits)
           : varied->method->plugin ? plugin_ask(varied->method, of, launch, under, bits)
                                    : run_kernel(vary, of, launch, under, bits);
}

enum status vary_compute(const struct vary *vary, const struct operands *of, struct launch launch,
                         const struct circumstances *under, uint64_t *bits)
{
    const struct format *format = vary->of->method->format;
    const struct circumstances as_ever = {0};
    const uint64_t count = operation_results(of->operation, of->shape);
    under = under ? under : &as_ever;
    TRY(interrupted() ? INTERRUPTED : OK); /* an axis of 64 slow calls ends behind the one in hand */
    if (vary->of->tell)
        vary->of->tell(vary->of->context);
    TRY(compute(vary, of, launch, under, bits));
    if (!vary->differ)
        return OK;
    OWNED uint64_t *again = calloc(count + 1, sizeof *again);
    TRY(again ? OK : out_of_memory("the results of variants"));
    TRY(compute(vary, of, launch, under, again));
    *vary->differ |= results_word(format, again, count) != results_word(format, bits, count);
    return OK;
}

/* Which of them is the farthest from that of the base. */
static uint64_t widen(struct vary *vary, const uint64_t *bits)
{
    const struct format *format = vary->of->method->format;
    struct variation *found = vary->found;
    uint64_t farthest = 0;
    double most = 0;
    for (uint64_t i = 0; i < vary->count; i++) {
        const double value = format_value(format, bits[i]), base = format_value(format, vary->base[i]);
        if (bits[i] == vary->base[i])
            continue;
        vary->least[i] = fmin(vary->least[i], value);
        vary->largest[i] = fmax(vary->largest[i], value);
        double spread = (double)NAN;
        if (isfinite(value) && isfinite(base))
            spread =
                (vary->largest[i] - vary->least[i]) / (isnan(vary->ulp) ? format_spacing(format, base) : vary->ulp);
        found->spread = spread <= found->spread || isnan(found->spread) ? found->spread : spread;
        farthest = fabs(value - base) > most ? i : farthest;
        most = fmax(most, fabs(value - base));
    }
    return farthest;
}

/* ---- what is wrong ---- */

/* Whether one result is farther from the exact one than its bound, which is said then. */
static bool is_wrong(struct vary *vary, const struct exact_sum *exact, uint64_t bits, const char *variant)
{
    const struct method *method = vary->of->method;
    const struct magnitudes magnitudes = magnitudes_of(exact);
    const struct judged judged = {.exact = exact,
                                  .format = method->format,
                                  .computed = format_value(method->format, bits),
                                  .bound = method->bound(method, vary->shape, vary->of->launch, &magnitudes)};
    const double ratio = metric_table[METRIC_bound_ratio].measure(&judged);
    if (!isfinite(judged.computed) || !(ratio > 1))
        return false;
    vary_leave_out(vary, AXIS_WRONG "%s has an error of %s ulp, %s times its bound", variant,
                   error_text(metric_table[METRIC_ulp_error].measure(&judged)), error_text(ratio));
    return true;
}

/* Other bits are one thing, and what no order of additions gives another: of the results of a variant the one that is
 * the farthest from the base is judged, and where it is right that of the base. */
static void judge(struct vary *vary, uint64_t result, const uint64_t *bits, const char *variant)
{
    FREED_BY(exact_free) struct exact_sum exact = {0};
    if (strncmp(vary->found->why, AXIS_WRONG, strlen(AXIS_WRONG)) == 0 ||
        terms_exact(vary->numbers, result % operation_results(vary->numbers->operation, vary->numbers->shape),
                    &exact) != OK)
        return;
    if (exact.kind == EXACT_FINITE && !is_wrong(vary, &exact, bits[result], variant))
        (void)is_wrong(vary, &exact, vary->base[result], "the base");
}

static bool is_seen(const struct vary *vary, uint64_t word)
{
    for (size_t i = 0; i < vary->seen_count; i++)
        if (vary->seen[i] == word)
            return true;
    return false;
}

static void see(struct vary *vary, uint64_t word)
{
    vary->seen = list_short(vary->seen, vary->seen_count, &vary->seen_capacity, sizeof *vary->seen);
    vary->seen[vary->seen_count++] = word;
    if (vary->found->results < vary->seen_count)
        vary->found->results = vary->seen_count;
}

/* Of several sums the first that differs is shown; of the elements of a product a digest of all, and which is the
 * first. */
static void show_one(struct vary *vary, const uint64_t *bits)
{
    const struct format *format = vary->of->method->format;
    const struct shape shape = vary->of->of.shape;
    struct variation *found = vary->found;
    const size_t length = strlen(found->first);
    uint64_t i = 0;
    while (i + 1 < vary->count && format_same(format, bits[i], vary->base[i]))
        i++;
    if (shape.columns > 0 && vary->count == shape.columns) { /* a row of it */
        snprintf(found->first + length, sizeof found->first - length, " (column %" PRIu64 ")", i);
    } else if (shape.columns > 0) {
        snprintf(found->first + length, sizeof found->first - length, " (C[%" PRIu64 "][%" PRIu64 "])",
                 i / shape.columns % shape.rows, i % shape.columns);
    } else {
        if (operation_is_per_number(vary->of->of.operation))
            snprintf(found->first + length, sizeof found->first - length, " (result %" PRIu64 ")", i);
        found->base = results_word(format, &vary->base[i], 1);
        found->bits = results_word(format, &bits[i], 1);
    }
}

/* Names of files and plug-ins' own words are among it: it is made clean, and cut between two characters. */
static void put_text(char *to, size_t size, const char *format, va_list arguments)
{
    OWNED char *clean = clean_text_of(format, arguments);
    size_t length = strlen(clean);
    if (length >= size)
        for (length = size - 1; length > 0 && (clean[length] & 0xc0) == 0x80; length--)
            ;
    snprintf(to, size, "%.*s", (int)length, clean);
}

/* Whether there was no such result before. */
static bool note(struct vary *vary, uint64_t word, const char *variant)
{
    struct variation *found = vary->found;
    found->variants++;
    vary->digest = splitmix64(vary->digest ^ word);
    if (is_seen(vary, word))
        return false;
    see(vary, word);
    if (*found->first)
        return true;
    found->base = vary->seen[0];
    found->bits = word;
    strcpy(found->first, variant);
    return true;
}

void variation_note(struct vary *vary, const uint64_t *bits, const char *variant, ...)
{
    char name[sizeof vary->found->first];
    const bool is_first = !*vary->found->first;
    va_list arguments;
    va_start(arguments, variant);
    put_text(name, sizeof name, variant, arguments);
    va_end(arguments);
    if (!note(vary, results_word(vary->of->method->format, bits, vary->count), name))
        return;
    judge(vary, widen(vary, bits), bits, name);
    if (is_first)
        show_one(vary, bits);
}

void variation_note_word(struct vary *vary, uint64_t word, const char *variant, ...)
{
    char name[sizeof vary->found->first];
    va_list arguments;
    va_start(arguments, variant);
    put_text(name, sizeof name, variant, arguments);
    va_end(arguments);
    (void)note(vary, word, name);
}

void vary_leave_out(struct vary *vary, const char *why, ...)
{
    va_list arguments;
    va_start(arguments, why);
    put_text(vary->found->why, sizeof vary->found->why, why, arguments);
    va_end(arguments);
}

/* ---- an axis ---- */

static void free_results(struct vary *vary)
{
    free_all(vary->base, vary->bits, vary->least, vary->largest);
}

static enum status make_room(struct vary *vary, uint64_t count)
{
    if (vary->base && vary->count == count)
        return OK;
    free_results(vary);
    vary->count = count;
    vary->base = calloc(count + 1, sizeof *vary->base);
    vary->bits = calloc(count + 1, sizeof *vary->bits);
    vary->least = calloc(count + 1, sizeof *vary->least);
    vary->largest = calloc(count + 1, sizeof *vary->largest);
    return vary->base && vary->bits && vary->least && vary->largest ? OK : out_of_memory("the results of variants");
}

static void begin(struct vary *vary)
{
    for (uint64_t i = 0; i < vary->count; i++)
        vary->least[i] = vary->largest[i] = format_value(vary->of->method->format, vary->base[i]);
    const uint64_t word = results_word(vary->of->method->format, vary->base, vary->count);
    vary->digest = splitmix64(vary->digest ^ word);
    vary->seen_count = 0;
    see(vary, word);
    if (!*vary->found->first)
        vary->found->base = vary->found->bits = word;
    if (vary->of->of.shape.columns == 0 && !*vary->found->first)
        vary->found->base = vary->found->bits = results_word(vary->of->method->format, vary->base, 1);
}

enum status vary_begin(struct vary *vary, const struct operands *numbers, struct shape shape, const uint64_t *base,
                       uint64_t count, double ulp)
{
    TRY(make_room(vary, count));
    memmove(vary->base, base, count * sizeof *base);
    vary->numbers = numbers;
    vary->shape = shape;
    vary->ulp = ulp;
    begin(vary);
    return OK;
}

static enum status begin_with_base(struct vary *vary)
{
    const struct varied *varied = vary->of;
    const uint64_t count = operation_results(varied->of.operation, varied->of.shape);
    TRY(make_room(vary, count));
    TRY(vary_compute(vary, &varied->of, varied->launch, NULL, vary->base));
    return vary_begin(vary, &varied->of, varied->of.shape, vary->base, count, varied->ulp);
}

/* Whether all of it comes out once more, each call made twice, and the base each time: else no change is to blame. */
static bool comes_out_again(struct vary *vary)
{
    const struct varied *varied = vary->of;
    const struct variation found = *vary->found;
    const uint64_t digest = vary->digest;
    bool differ = false;
    vary->differ = &differ;
    *vary->found = (struct variation){.axis = found.axis};
    vary->digest = 0;
    bool is_same = begin_with_base(vary) == OK;
    if (is_same && found.axis != AXIS_process) { /* of which none need be like another */
        (void)axes[found.axis](vary);
        is_same = vary->digest == digest && begin_with_base(vary) == OK;
    }
    for (int call = 0; call < BASE_CALLS && is_same; call++)
        is_same = vary_compute(vary, &varied->of, varied->launch, NULL, vary->bits) == OK &&
                  results_word(varied->method->format, vary->bits, vary->count) == vary->seen[0];
    *vary->found = found;
    return is_same && !differ;
}

/* Of an order of arrival a replay has one possible result, whatever is varied. */
static bool is_one_of_many(const struct varied *varied)
{
    return varied->method->determinism == ORDER_OF_ARRIVAL && vary_replays(varied);
}

void variation_forget(struct vary *vary)
{
    free_results(vary);
    free(vary->seen);
}

enum status variation_begin(const struct varied *varied, enum axis axis, struct variation *variation, struct vary *vary)
{
    *variation = (struct variation){.axis = axis};
    *vary = (struct vary){.of = varied, .found = variation};
    if (axis == AXIS_process && !vary_replays(varied)) /* one that is gone cannot be asked again */
        vary->differ = &vary->differs;
    const enum status status = begin_with_base(vary);
    if (status != OK)
        variation_forget(vary);
    return status;
}

void vary_note_failure(struct vary *vary)
{
    const char *why = vary->of->method->plugin ? plugin_failure() : "";
    if (!*vary->found->why)
        vary_leave_out(vary, "a variant %.*s", (int)sizeof vary->found->why, *why ? why : "failed, as said above");
}

void variation_end(struct vary *vary)
{
    struct variation *found = vary->found;
    const bool may_differ = found->axis != AXIS_repeat && !vary_replays(vary->of);
    if (may_differ && (vary->differs || (found->results > 1 && !comes_out_again(vary)))) {
        *found = (struct variation){.axis = found->axis, .results = 1, .base = found->base, .bits = found->base};
        vary_leave_out(vary, AXIS_NONE_TO_BLAME);
    }
    variation_forget(vary);
}

enum status variation_measure(const struct varied *varied, enum axis axis, struct variation *variation)
{
    struct vary vary;
    enum status status = OK;
    TRY(variation_begin(varied, axis, variation, &vary));
    if (is_one_of_many(varied))
        vary_leave_out(&vary, "its order is that of arrival, and its replay one possible result");
    else
        status = axes[axis](&vary);
    if (status != OK && !vary_replays(varied))
        vary_note_failure(&vary);
    variation_end(&vary);
    return status != OK && vary_replays(varied) && !*variation->why ? status : OK;
}
