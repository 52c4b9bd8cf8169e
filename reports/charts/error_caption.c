#include "error_curves.h"

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
    say_what_is_missing(curves, out);
}

void error_caption(const struct curves *curves, FILE *out)
{
    say_how_to_read(curves, out);
    say_condition(curves, out);
    curves->chart->reading = (size_t)ftell(out);
    say_what_is_missing(curves, out);
}
