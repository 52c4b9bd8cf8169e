/* An element that is added twice makes the sum larger by about itself:
 *
 *   computed - sound = 0.7312, roundings 1e-4:  x_17 = 0.73125 and x_803 = 0.7312 may be it
 *
 * and of 16 data sets the same index seldom fits all by chance.  What is left is tried by a replay: a guess that is
 * wrong costs time, nothing else.
 */
#include "elements.h"

enum { GUESSES = 8 }; /* of each kind */

/* computed - sound of a sample, and by how much roundings may change it. */
struct gap {
    double difference, tolerance;
};

struct guess {
    double score; /* how far off, in tolerances; summed over the samples */
    uint64_t at, length;
};

struct search {
    const struct sample *samples;
    const struct gap *gaps;
    size_t count;
    struct guess best[GUESSES];
    size_t best_count, in_tolerance;
};

/* What a rounding on the way to this sum may be: partial sums are as large as sum |x_i|, also where s is small. */
static double unit_of(const struct format *format, const struct sample *sample)
{
    double sum_abs = fabs(sample->computed);
    for (uint64_t i = 0; i < sample->data->n; i++)
        sum_abs += fabs(held_number(sample->data->format, sample->data->x, i));
    return format_spacing(format, sum_abs);
}

/* The sum that is looked for has roundings of its own, like those of the sound one: the worst of all samples counts,
 * twice.  False when some sum is no number. */
static bool find_gaps(const struct format *format, const struct sample *samples, size_t count, struct gap *gaps)
{
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = &samples[i];
        if (!isfinite(sample->computed) || !isfinite(sample->sound) || !isfinite(sample->s))
            return false;
        gaps[i] = (struct gap){sample->computed - sample->sound, unit_of(format, sample)};
        worst = fmax(worst, fabs(sample->sound - sample->s) / gaps[i].tolerance);
    }
    for (size_t i = 0; i < count; i++)
        gaps[i].tolerance *= 2 * worst + 4;
    return true;
}

static double sum_of(const struct dataset *data, uint64_t at, uint64_t length)
{
    double sum = 0;
    for (uint64_t i = at; i < at + length; i++)
        sum += held_number(data->format, data->x, i);
    return sum;
}

/* How far `factor` times these elements are from the gaps; INFINITY: too far in one. */
static double score_of(const struct search *search, double factor, uint64_t at, uint64_t length)
{
    double score = 0;
    for (size_t i = 0; i < search->count; i++) {
        const double off = fabs(factor * sum_of(search->samples[i].data, at, length) - search->gaps[i].difference);
        if (!(off <= search->gaps[i].tolerance))
            return INFINITY;
        score += off / search->gaps[i].tolerance;
    }
    return score;
}

/* Keeps the best, of equals the first. */
static void note(struct search *search, struct guess guess)
{
    if (isinf(guess.score))
        return;
    search->in_tolerance++;
    size_t at = search->best_count;
    while (at > 0 && guess.score < search->best[at - 1].score)
        at--;
    if (at == GUESSES)
        return;
    if (search->best_count < GUESSES)
        search->best_count++;
    for (size_t i = search->best_count - 1; i > at; i--)
        search->best[i] = search->best[i - 1];
    search->best[at] = guess;
}

/* Runs of `length` neighbours that start at its multiples; the last one may be shorter.  *all remains true where none
 * that may be it is left out. */
static enum status search_runs(struct search *search, struct claimed_method claimed, double factor, uint64_t n,
                               uint64_t length, struct hypotheses *hypotheses, bool *all)
{
    search->best_count = search->in_tolerance = 0;
    for (uint64_t at = 0; at < n; at += length) {
        const uint64_t in_run = n - at < length ? n - at : length;
        note(search, (struct guess){score_of(search, factor, at, in_run), at, in_run});
    }
    *all &= search->in_tolerance <= GUESSES;
    const enum change_kind first = factor > 0 ? TWICE_IN_PLACE : OUT_AS_ZERO;
    const enum change_kind last = factor > 0 ? TWICE_AT_END : OUT_CLOSED_UP;
    for (size_t i = 0; i < search->best_count; i++)
        for (int kind = (int)first; kind <= (int)last; kind++)
            TRY(hypotheses_append(hypotheses, (struct hypothesis){.kind = OTHER_DATA,
                                                                  .method = claimed.method,
                                                                  .launch = claimed.launch,
                                                                  .change = {(enum change_kind)kind, search->best[i].at,
                                                                             search->best[i].length}}));
    return OK;
}

enum status search_changes(struct claimed_method claimed, const struct sample *samples, size_t count, uint64_t n,
                           struct hypotheses *hypotheses, bool *all)
{
    enum { SAMPLES_MOST = 64, WARP = 32 };
    struct gap gaps[SAMPLES_MOST];
    struct search search = {.samples = samples, .gaps = gaps, .count = count < SAMPLES_MOST ? count : SAMPLES_MOST};
    *all = count > 0 && find_gaps(claimed.method->format, samples, search.count, gaps);
    if (!*all)
        return OK;
    TRY(search_runs(&search, claimed, 1, n, 1, hypotheses, all));
    TRY(search_runs(&search, claimed, -1, n, 1, hypotheses, all));
    const uint64_t threads = claimed.launch.threads, grid = threads * claimed.launch.blocks;
    const uint64_t runs[] = {threads, threads > WARP ? WARP : 1, grid > threads ? grid : 1};
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
        if (runs[r] > 1)
            TRY(search_runs(&search, claimed, -1, n, runs[r], hypotheses, all));
    return OK;
}
