#include "error_curves.h"

static void error_words(double error, char text[NUMBER_TEXT])
{
    if (error <= 0)
        snprintf(text, NUMBER_TEXT, "0");
    else if (error >= 1)
        snprintf(text, NUMBER_TEXT, "no correct digit");
    else
        write_error(error, text);
}

/* Sizes in full. */
static void x_words(const struct curves *curves, size_t x, char text[NUMBER_TEXT])
{
    if (curves->against->scale == SCALE_LOG2 && curves->xs[x] == trunc(curves->xs[x]))
        snprintf(text, NUMBER_TEXT, "%.0f", curves->xs[x]);
    else
        write_rounded(curves->xs[x], text);
}

static bool begins_without_digit(const struct curves *curves, size_t method)
{
    return values_of(curves, method, LARGEST)[0] >= 1;
}

/* The largest error at the last x as a multiple of that at the first; NaN: one of them is not there, or no digit was
 * correct from the first. */
static double growth(const struct curves *curves, size_t method)
{
    const double *largest = values_of(curves, method, LARGEST), last = largest[curves->x_count - 1];
    return begins_without_digit(curves, method) ? NAN : largest[0] == last ? 1 : last / largest[0];
}

/* Of those that grow the same, the one whose errors are smaller at last. */
static bool grows_less(const struct curves *curves, size_t one, size_t other)
{
    const double a = growth(curves, one), b = growth(curves, other);
    const size_t last = curves->x_count - 1;
    return a < b || (a == b && values_of(curves, one, LARGEST)[last] < values_of(curves, other, LARGEST)[last]);
}

static void say_from_to(const struct curves *curves, size_t method, FILE *out)
{
    const double *largest = values_of(curves, method, LARGEST);
    char first[NUMBER_TEXT], last[NUMBER_TEXT];
    error_words(largest[0], first);
    error_words(largest[curves->x_count - 1], last);
    fprintf(out, "from %s to %s", first, last);
}

/* How many have a growth, and who least and most. */
static size_t find_growths(const struct curves *curves, size_t *least, size_t *most)
{
    size_t count = 0;
    *least = *most = 0;
    for (size_t m = 0; m < curves->group->method_count; m++) {
        if (isnan(growth(curves, m)))
            continue;
        *least = count == 0 || grows_less(curves, m, *least) ? m : *least;
        *most = count == 0 || grows_less(curves, *most, m) ? m : *most;
        count++;
    }
    return count;
}

/* Where nothing can be said of growth. */
static void say_largest(const struct curves *curves, FILE *out)
{
    size_t method = 0;
    double most = 0;
    char text[NUMBER_TEXT];
    for (size_t m = 0; m < curves->group->method_count; m++)
        for (size_t x = 0; x < curves->x_count; x++)
            if (values_of(curves, m, LARGEST)[x] > most) {
                most = values_of(curves, m, LARGEST)[x];
                method = m;
            }
    error_words(most, text);
    fprintf(out, " The largest error is that of %s: %s.", curves->group->methods[method], text);
}

/* An error that is no correct digit from the first has nowhere to grow. */
static void say_who_could_grow(const struct curves *curves, size_t count, FILE *out)
{
    size_t hopeless = 0;
    char first[NUMBER_TEXT];
    for (size_t m = 0; m < curves->group->method_count; m++)
        hopeless += begins_without_digit(curves, m);
    x_words(curves, 0, first);
    if (hopeless > 0)
        fprintf(out, ", of the %zu method%s with a correct digit at %s%s", count, count == 1 ? "" : "s",
                curves->against->symbol, first);
    fputs(".", out);
}

/* Who grows least and most is by chance where none does, and least is nobody who does not grow. */
static void say_growth(const struct curves *curves, FILE *out)
{
    size_t least, most;
    const size_t count = find_growths(curves, &least, &most);
    char first[NUMBER_TEXT], last[NUMBER_TEXT];
    if (count == 0) {
        say_largest(curves, out);
        return;
    }
    x_words(curves, 0, first);
    x_words(curves, curves->x_count - 1, last);
    fprintf(out, " Between %s%s and %s ", curves->against->symbol, first, last);
    if (count > 1 && growth(curves, most) < 2) {
        fputs("no largest error doubles", out);
    } else {
        fprintf(out, "the largest error of %s %s", curves->group->methods[most], count == 1 ? "goes " : "grows most, ");
        say_from_to(curves, most, out);
        if (count > 1 && growth(curves, least) > 1) {
            fprintf(out, ", and that of %s least, ", curves->group->methods[least]);
            say_from_to(curves, least, out);
        }
    }
    say_who_could_grow(curves, count, out);
}

/* What is in the picture, and nothing else. */
static void say_how_to_read(const struct curves *curves, FILE *out)
{
    fprintf(out,
            "The relative error against %s; lower is better. The band reaches from the median, orange, to the largest "
            "error, and the broken blue line in it is the 99th percentile. No data exceed the proven bound",
            curves->against->name);
    if (curves->probable)
        fputs("; broken green is the probabilistic bound, where it is less: it grows as the square root of the height",
              out);
    fputs(".", out);
    if (curves->interval)
        fputs(" The orange band is the 95 % confidence interval of the median, by order statistics, which assume no "
              "distribution. The purple one is that of the 99th percentile, which takes 368 sums.",
              out);
    if (curves->count > 1)
        fputs(" Grey lines are the largest errors of the other panels.", out);
    fputs(" The broken grey line is u, the largest relative error of one correct rounding. p99 of fewer than 100 sums "
          "is their largest.",
          out);
}

static void say_what_is_missing(const struct curves *curves, FILE *out)
{
    panel_methods_say(curves->group->methods, curves->group->method_count, curves->count, out);
    if (curves->x_count + curves->without_x < curves->group->data_count)
        fprintf(out, " Of several specs with the same %s, the largest of each number is drawn.",
                curves->against->scale == SCALE_LOG10 ? "condition" : "n");
    if (curves->without_x > 0)
        fprintf(out, " %zu spec%s %s left out.", curves->without_x, curves->without_x == 1 ? "" : "s",
                curves->against->scale == SCALE_LOG10 ? curves->without_x == 1
                                                            ? "whose median condition is not finite is"
                                                            : "whose median conditions are not finite are"
                : curves->without_x == 1              ? "of no numbers is"
                                                      : "of no numbers are");
    if (curves->undefined > 0)
        fprintf(out,
                " %" PRIu64 " of %" PRIu64
                " sums are left out: the exact sum is 0 or not finite, where no relative error is defined.",
                curves->undefined, curves->sums);
}

/* Of a variance or a standard deviation. */
static void say_condition(const struct curves *curves, FILE *out)
{
    const char *condition = results_condition(curves->results);
    if (condition && curves->against->scale == SCALE_LOG10)
        fprintf(out,
                " The condition is %s, kappa = ||x|| / ||x - mean||; the grey line that rises, u times it, is an error "
                "of u of %s.",
                condition, strchr(condition, '^') ? "the mean of squares" : "the root of the mean of squares");
}

void overlay_caption(const struct curves *curves, FILE *out)
{
    fprintf(out,
            "The largest relative error of each method against %s; lower is better. The broken grey line is u, the "
            "largest relative error of one correct rounding.",
            curves->against->name);
    if (curves->interval)
        fputs(" A band is the 95 % confidence interval of a method's median, by order statistics, which assume no "
              "distribution.",
              out);
    say_condition(curves, out);
    curves->chart->reading = (size_t)ftell(out);
    say_growth(curves, out);
    say_what_is_missing(curves, out);
}

void error_caption(const struct curves *curves, FILE *out)
{
    say_how_to_read(curves, out);
    say_condition(curves, out);
    curves->chart->reading = (size_t)ftell(out);
    say_growth(curves, out);
    say_what_is_missing(curves, out);
}
