#include "charts.h"

#include "apart_axis.h"

/* ---- what is counted ---- */

const char *const tally_apart_names[TALLY_APART] = {"exact", "no correct digit", "not finite", "undefined"};

uint64_t tally_apart(const struct histogram *histogram, int which)
{
    const uint64_t counts[TALLY_APART] = {histogram->exact, histogram->no_digit, histogram->nonfinite,
                                          histogram->undefined};
    return counts[which];
}

static void add(struct histogram *total, const struct histogram *histogram)
{
    for (int k = HISTOGRAM_LEAST; k < 0; k++)
        total->bin[(k > TALLY_LEAST ? k : TALLY_LEAST) - HISTOGRAM_LEAST] += histogram->bin[k - HISTOGRAM_LEAST];
    total->exact += histogram->exact;
    total->no_digit += histogram->no_digit;
    total->nonfinite += histogram->nonfinite;
    total->undefined += histogram->undefined;
}

static void widen(struct tally *tally, const struct histogram *histogram)
{
    int least, most;
    if (!histogram_range(histogram, &least, &most))
        return;
    tally->least = tally->binned && tally->least < least ? tally->least : least;
    tally->most = tally->binned && tally->most > most ? tally->most : most;
    tally->binned = true;
}

void tally_of_group(const struct group *group, struct tally *tally)
{
    *tally = (struct tally){.count = group->method_count, .methods = group->methods};
    tally->histograms = memory_cleared(tally->count, sizeof *tally->histograms);
    tally->right_nonfinite = memory_cleared(tally->count, sizeof *tally->right_nonfinite);
    for (size_t m = 0; m < tally->count; m++) {
        for (size_t d = 0; d < group->data_count; d++)
            if (group_series(group, d, m)) {
                add(&tally->histograms[m], &group_series(group, d, m)->histogram);
                tally->right_nonfinite[m] += group_series(group, d, m)->right_nonfinite;
            }
        widen(tally, &tally->histograms[m]);
    }
}

void tally_free(struct tally *tally)
{
    free_all(tally->histograms, tally->right_nonfinite);
    *tally = (struct tally){0};
}

/* ---- the chart ---- */

static const char how_to_read[] =
    "How often a relative error occurred; left is better. A bar is a binade; exact sums stand to the left of the axis, "
    "and sums with no correct digit, no finite value, or no defined error (s is 0) to its right, so that the bars of a "
    "panel add up to all its sums. The broken grey line is u, the largest relative error of one correct rounding. The "
    "orange lines mark the bars in which the median (p50) and the 99th percentile (p99) fall, exact sums counted below "
    "all others, and sums without a finite or defined error left out.";

static const double HEADROOM = 1.3; /* of a panel above its highest bar, for the number */

enum { ONE_COLUMN = 2 }; /* so many methods stand one below the other; more in two columns, to be seen at once */

struct histograms {
    struct chart *chart;
    const struct results *results;
    const struct tally *tally;
    size_t drawn[HISTOGRAM_PANELS]; /* methods */
    size_t count;
    int u_exponent; /* u = 2^-24 in binary32 */
    int least;      /* the first bin on the axis, which ends at 2^0 */
    int slot;       /* the width of what stands apart, in binades */
};

static double power(int halves)
{
    const int whole = (halves - (halves & 1)) / 2;
    return ldexp(halves & 1 ? 0x1.6a09e667f3bcdp+0 : 1.0, whole);
}

/* The middle of a place apart; half a binade is left free between it and the scale. */
static double apart_middle(const struct histograms *all, int which)
{
    return which == TALLY_EXACT ? power(2 * all->least - 1 - all->slot)
                                : power(1 + all->slot * (2 * (which - TALLY_NO_DIGIT) + 1));
}

static double most_counted(const struct histograms *all)
{
    uint64_t most = 1;
    for (size_t i = 0; i < all->count; i++) {
        const struct histogram *histogram = &all->tally->histograms[all->drawn[i]];
        for (int k = 0; k < -HISTOGRAM_LEAST; k++)
            most = histogram->bin[k] > most ? histogram->bin[k] : most;
        for (int apart = 0; apart < TALLY_APART; apart++)
            most = tally_apart(histogram, apart) > most ? tally_apart(histogram, apart) : most;
    }
    return (double)most;
}

/* Places of the histogram in rising order: the exact ones, the bins, those without a correct digit. */
enum { PLACE_EXACT = HISTOGRAM_LEAST - 1, PLACE_NO_DIGIT = 0, PLACE_NONE = 1 };

static uint64_t counted(const struct histogram *histogram, int place)
{
    if (place == PLACE_EXACT)
        return histogram->exact;
    return place == PLACE_NO_DIGIT ? histogram->no_digit : histogram->bin[place - HISTOGRAM_LEAST];
}

/* Where the value of nearest rank lies: the ceil(count * percent / 100)-th of those with a relative error. */
static int quantile_place(const struct histogram *histogram, uint64_t percent)
{
    const uint64_t count = histogram_total(histogram) - histogram->nonfinite - histogram->undefined;
    const uint64_t rank = count / 100 * percent + (count % 100 * percent + 99) / 100;
    uint64_t before = 0;
    for (int place = PLACE_EXACT; place <= PLACE_NO_DIGIT; place++) {
        before += counted(histogram, place);
        if (count > 0 && before >= rank)
            return place;
    }
    return PLACE_NONE;
}

/* In the middle of the bar; of two in one bar, the one at a third and the other at two thirds. */
static double quantile_at(const struct histograms *all, int place, bool shared, bool second)
{
    static const double thirds[] = {0x1.428a2f98d728bp+0, 0x1.965fea53d6e3dp+0}; /* 2^(1/3), 2^(2/3) */
    const double third = thirds[second];
    if (place == PLACE_EXACT || place == PLACE_NO_DIGIT) {
        const double middle = apart_middle(all, place == PLACE_EXACT ? TALLY_EXACT : TALLY_NO_DIGIT);
        return shared ? middle * third / 0x1.6a09e667f3bcdp+0 : middle;
    }
    return shared ? ldexp(third, place) : power(2 * place + 1);
}

static void add_quantiles(struct histograms *all, struct chart_panel *panel, const struct histogram *histogram)
{
    const int places[] = {quantile_place(histogram, 50), quantile_place(histogram, 99)};
    const char *const names[] = {"p50", "p99"};
    for (int i = 0; i < 2; i++) {
        struct chart_mark *rule = chart_mark(panel, MARK_RULE_X, names[i], COLOUR_SECOND);
        rule->dashed = i == 1;
        rule->off_the_table = true;
        if (places[i] != PLACE_NONE)
            chart_point(rule, quantile_at(all, places[i], places[0] == places[1], i == 1), NAN, NAN, NULL);
    }
}

static struct chart_mark *add_bars(struct chart_panel *panel, enum colour colour, double width)
{
    struct chart_mark *bars = chart_mark(panel, MARK_BARS, "sums", colour);
    bars->numbered = true;
    bars->width = width;
    return bars;
}

static void add_bins(struct histograms *all, struct chart_panel *panel, const struct histogram *histogram)
{
    struct chart_mark *bars = add_bars(panel, COLOUR_MAIN, 0.86);
    char label[64];
    for (int k = all->tally->least; all->tally->binned && k <= all->tally->most; k++) {
        char low[16] = "0";
        if (k > TALLY_LEAST)
            snprintf(low, sizeof low, "2^%d", k);
        snprintf(label, sizeof label, "%s up to 2^%d", low, k + 1);
        chart_point(bars, power(2 * k + 1), (double)histogram->bin[k - HISTOGRAM_LEAST], NAN, label);
    }
}

/* A NaN or infinity that IEEE 754 gives for the data is as good as an exact sum. */
static void add_apart(struct histograms *all, struct chart_panel *panel, const struct histogram *histogram,
                      uint64_t right_nonfinite)
{
    const bool all_right = histogram->nonfinite == right_nonfinite;
    const enum colour colours[TALLY_APART] = {COLOUR_GOOD, COLOUR_BAD, all_right ? COLOUR_GOOD : COLOUR_BAD,
                                              COLOUR_UNKNOWN};
    for (int i = 0; i < TALLY_APART; i++)
        chart_point(add_bars(panel, colours[i], 0.42 * all->slot), apart_middle(all, i),
                    (double)tally_apart(histogram, i), NAN, tally_apart_names[i]);
}

/* "u = 2\u207b\u00b2\u2074": the name is text and nothing else in every form, so that the digits themselves are raised.
 */
static void raised_u(int exponent, char text[64])
{
    static const char *const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    char decimal[16];
    snprintf(decimal, sizeof decimal, "%d", -exponent);
    strcpy(text, "u = 2\u207b");
    for (const char *digit = decimal; *digit; digit++)
        strcat(text, digits[*digit - '0']);
}

static void add_panel(struct histograms *all, size_t method)
{
    const struct histogram *histogram = &all->tally->histograms[method];
    const uint64_t total = histogram_total(histogram), right = all->tally->right_nonfinite[method];
    char u[64];
    struct chart_panel *panel = chart_panel(all->chart, results_label(all->results, all->tally->methods[method]));
    chart_set(&panel->note, "%" PRIu64 " sum%s", total, total == 1 ? "" : "s");
    if (right > 0)
        chart_set(&panel->note, "%" PRIu64 " sum%s, %" PRIu64 " not finite as IEEE 754 has it", total,
                  total == 1 ? "" : "s", right);
    raised_u(all->u_exponent, u);
    struct chart_mark *rule = NULL;
    add_bins(all, panel, histogram);
    add_apart(all, panel, histogram, right);
    add_quantiles(all, panel, histogram);
    rule = chart_mark(panel, MARK_RULE_X, u, COLOUR_QUIET);
    rule->dashed = rule->off_the_table = true;
    chart_point(rule, ldexp(1, all->u_exponent), NAN, NAN, NULL);
}

/* The axis always reaches to some bins below u, so that pictures of different data look alike.  What stands apart has
 * about 80 of the 928 pixels of a panel, or 50 of 450. */
static void set_axes(struct histograms *all)
{
    struct chart *chart = all->chart;
    const double share = chart->columns == 1 ? 80.0 / (928 - 4 * 80) : 50.0 / (450 - 4 * 50);
    const int lowest = all->u_exponent - 4;
    all->least = all->tally->binned && all->tally->least < lowest ? all->tally->least : lowest;
    all->slot = (int)fmax(2, round(-all->least * share));
    chart_set(&chart->x.label, "relative error |computed - s| / |s|");
    chart_set(&chart->x.name, "relative error");
    chart->x.scale = SCALE_LOG2;
    chart->x.least = power(2 * all->least - 1 - 2 * all->slot);
    chart->x.most = power(1 + 6 * all->slot);
    for (int i = 0; i < TALLY_APART; i++)
        chart_tick(&chart->x, apart_middle(all, i), true, tally_apart_names[i]);
    chart_set(&chart->y.label, "sums");
    chart->y.most = HEADROOM * most_counted(all);
    chart->y.hidden = true;
}

/* Whether all sums have an error, and none is in a bin of u or above: u opens its bin, and the error of one correct
 * rounding is u / (1 + u) at most. */
static bool is_within_u(const struct histograms *all, const struct histogram *histogram)
{
    uint64_t within = histogram->exact;
    for (int k = HISTOGRAM_LEAST; k < all->u_exponent; k++)
        within += histogram->bin[k - HISTOGRAM_LEAST];
    return within == histogram_total(histogram);
}

/* "All sums of kahan/serial and 2 other methods are below u." */
static void say_who_is_within_u(const struct histograms *all, FILE *out)
{
    const char *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < all->tally->count; i++)
        if (is_within_u(all, &all->tally->histograms[i])) {
            first = first ? first : all->tally->methods[i];
            count++;
        }
    if (count == 0)
        fputs("No method has all its sums below u.", out);
    else if (count == 1)
        fprintf(out, "All sums of %s are below u.", first);
    else if (count == all->tally->count)
        fputs("All sums of all methods are below u.", out);
    else
        fprintf(out, "All sums of %s and %zu other%s are below u.", first, count - 1, count == 2 ? "" : "s");
}

/* Of the method that has most of them. */
static void say_who_has_no_digit(const struct histograms *all, FILE *out)
{
    size_t worst = 0;
    for (size_t i = 1; i < all->tally->count; i++)
        if (all->tally->histograms[i].no_digit > all->tally->histograms[worst].no_digit)
            worst = i;
    const struct histogram *histogram = &all->tally->histograms[worst];
    if (histogram->no_digit > 0)
        fprintf(out, " %s has no correct digit in %" PRIu64 " of %" PRIu64 ".", all->tally->methods[worst],
                histogram->no_digit, histogram_total(histogram));
}

/* As in the verdict, conditions that are within 1 % are the same. */
static void say_conditions(const struct group *group, FILE *out)
{
    double least = INFINITY, most = 0;
    for (size_t d = 0; d < group->data_count; d++) {
        const double condition = group_any_series(group, d)->median_condition;
        if (!isfinite(condition))
            continue;
        least = fmin(least, condition);
        most = fmax(most, condition);
    }
    if (!(most > 1.01 * least))
        return;
    fprintf(out, " The conditions from %s to %s are added up here.", rounded_text(least), rounded_text(most));
}

static void write_caption(const struct histograms *all, const struct group *group, FILE *out)
{
    fprintf(out, "%s ", how_to_read);
    all->chart->reading = strlen(how_to_read);
    say_who_is_within_u(all, out);
    say_who_has_no_digit(all, out);
    say_conditions(group, out);
    panel_methods_say(all->tally->methods, all->tally->count, all->count, out);
}

static void set_words(struct histograms *all, const struct group *group)
{
    char context[GROUP_CONTEXT], some[64] = "";
    group_context(group, context);
    if (all->count < all->tally->count)
        snprintf(some, sizeof some, "; %zu of %zu methods drawn", all->count, all->tally->count);
    chart_set(&all->chart->subtitle, "%ssums by relative error; one bar per binade%s", context, some);
    FILE *out = chart_words(all->chart);
    write_caption(all, group, out);
    fclose(out);
}

void histogram_chart(const struct results *results, const struct group *group, struct chart *chart)
{
    FREED_BY(tally_free) struct tally tally = {0};
    group_chart_begin(chart, "histogram", results, group);
    tally_of_group(group, &tally);
    struct histograms all = {
        .chart = chart, .results = results, .tally = &tally, .u_exponent = -group->format->precision};
    all.count = panel_methods(tally.methods, tally.count, HISTOGRAM_PANELS, all.drawn);
    chart->columns = all.count > ONE_COLUMN ? 2 : 1;
    set_axes(&all);
    set_words(&all, group);
    for (size_t i = 0; i < all.count; i++)
        add_panel(&all, all.drawn[i]);
}
