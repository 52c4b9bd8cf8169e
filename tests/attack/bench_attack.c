/* attack beside two searches that do not know the order: how much of its bound each makes a method use, for equal
 * numbers of sums.
 *
 *   ctest -L bench -R attack -V        or        build/default/tests/bench_attack [SEEDS [CALLS [CALLS_LONG]]]
 *
 *   random    every number by chance: a sign, one of BINADES exponents, any significand
 *   guided    binary guided random testing (Chiang, Gopalakrishnan, Rakamaric, Solovyev, PPoPP 2014): each number has a
 *             range; the numbers are parted in two by chance, each part takes the upper or the lower half of its
 * ranges; of these 4 configurations, SAMPLES sums each, the one with the largest error is halved next, until ranges are
 * one binade, or by chance before, when it begins again
 *
 * Ranges are of sign and exponent: -2^(BINADES/2) .. 2^(BINADES/2), by binades on either side of 0; so narrow that
 * every number counts, which favours both.  A cell is a method and an n; it is better where the median of the seeds is.
 * It prints and asserts nothing but that there were as many calls. */
#include "datasets/attack/breed.h"
#include "datasets/attack/judge.h"
#include "src/base/clock.h"
#include "src/base/workers.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINADES = 48, SAMPLES = 10, SEEDS_MOST = 100, LENGTHS = 2, CELLS_MOST = 1024 };

enum searcher { ATTACK, RANDOM, GUIDED, SEARCHERS };

static const uint64_t lengths[LENGTHS] = {64, 1024};
static const struct launch launch = {120, 256};

/* ---- one search ---- */

struct search {
    struct attack_request request;
    struct attack_judge judge;
    struct generator_call dice;
    uint64_t throws, calls;
    double *candidates; /* JUDGED_AT_ONCE times n */
    double best;
};

static struct dice next_dice(struct search *search)
{
    return (struct dice){.call = &search->dice, .throw_number = search->throws++};
}

/* Places count binades from the most negative ones up to the most positive: -BINADES .. BINADES-1. */
static double number_at(struct dice *dice, int place)
{
    const int exponent = (place < 0 ? -1 - place : place) - BINADES / 2;
    const uint64_t low = dice_word(dice), high = dice_word(dice);
    const double significand = random_significand(&FORMAT_BINARY32, high << 32 | low);
    return (place < 0 ? -significand : significand) * power_of_two(exponent);
}

struct range {
    int first, count;
};

/* Judges so many sums of numbers in these ranges, while there are calls; returns the largest value. */
static double sample(struct search *search, const struct range *ranges, uint64_t count)
{
    const uint64_t n = search->request.n;
    double largest = 0;
    for (uint64_t done = 0; done < count && search->calls < search->request.calls;) {
        const uint64_t left = search->request.calls - search->calls, most = count - done < left ? count - done : left;
        const size_t now = most < JUDGED_AT_ONCE ? most : JUDGED_AT_ONCE;
        double values[JUDGED_AT_ONCE], computed[JUDGED_AT_ONCE];
        size_t failed;
        for (size_t k = 0; k < now; k++) {
            struct dice dice = next_dice(search);
            for (uint64_t i = 0; i < n; i++)
                search->candidates[k * n + i] =
                    number_at(&dice, ranges[i].first + (int)dice_below(&dice, (uint64_t)ranges[i].count));
        }
        if (attack_judge_all(&search->judge, search->candidates, now, values, computed, &failed) != OK)
            abort();
        for (size_t k = 0; k < now; k++)
            largest = values[k] > largest ? values[k] : largest;
        done += now;
        search->calls += now;
    }
    search->best = largest > search->best ? largest : search->best;
    return largest;
}

static void set_widest(struct range *ranges, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        ranges[i] = (struct range){-BINADES, 2 * BINADES};
}

static void search_at_random(struct search *search, struct range *ranges)
{
    set_widest(ranges, search->request.n);
    sample(search, ranges, search->request.calls);
}

/* Halves each range: part 0 and part 1 take the upper half or the lower one. */
static void halve(const struct range *of, const bool *parts, uint64_t n, unsigned choice, struct range *into)
{
    for (uint64_t i = 0; i < n; i++) {
        const int half = of[i].count / 2;
        const bool takes_upper = choice >> parts[i] & 1;
        into[i] = of[i].count < 2 ? of[i]
                  : takes_upper   ? (struct range){of[i].first + half, of[i].count - half}
                                  : (struct range){of[i].first, half};
    }
}

static void search_guided(struct search *search, struct range *ranges)
{
    const uint64_t n = search->request.n;
    struct range *tried = malloc(n * sizeof *tried), *best = malloc(n * sizeof *best);
    bool *parts = malloc(n * sizeof *parts);
    assert(tried && best && parts);
    set_widest(ranges, n);
    while (search->calls < search->request.calls) {
        struct dice dice = next_dice(search);
        double largest = -1;
        for (uint64_t i = 0; i < n; i++)
            parts[i] = dice_below(&dice, 2);
        for (unsigned choice = 0; choice < 4; choice++) {
            halve(ranges, parts, n, choice, tried);
            const double value = sample(search, tried, SAMPLES);
            if (value > largest)
                memcpy(best, tried, n * sizeof *best);
            largest = value > largest ? value : largest;
        }
        memcpy(ranges, best, n * sizeof *ranges);
        bool is_narrow = true;
        for (uint64_t i = 0; i < n; i++)
            is_narrow = is_narrow && ranges[i].count == 1;
        if (is_narrow || dice_below(&dice, 16) == 0)
            set_widest(ranges, n);
    }
    free(tried);
    free(best);
    free(parts);
}

static double best_of(enum searcher searcher, const struct attack_request *request, const struct terrain *terrain)
{
    if (searcher == ATTACK) {
        struct attack_find find;
        if (attack_make(request, &find) != OK)
            abort();
        const double value = find.value;
        assert(find.calls == request->calls);
        attack_free(&find);
        return value;
    }
    struct search search = {
        .request = *request,
        .dice = {.seed = request->seed, .family = generator_family("bench_attack"), .trial = searcher},
        .candidates = malloc(JUDGED_AT_ONCE * request->n * sizeof(double))};
    struct range *ranges = malloc(request->n * sizeof *ranges);
    if (!search.candidates || !ranges || attack_judge_make(&search.request, terrain, &search.judge) != OK)
        abort();
    searcher == RANDOM ? search_at_random(&search, ranges) : search_guided(&search, ranges);
    assert(search.calls == request->calls);
    attack_judge_free(&search.judge);
    free(search.candidates);
    free(ranges);
    return search.best;
}

/* ---- all cells ---- */

struct cell {
    const struct method *method;
    uint64_t n, calls;
    double values[SEARCHERS][SEEDS_MOST];
};

struct plan {
    struct cell *cells;
    size_t count, seeds;
    atomic_size_t next;
};

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void search_cell(struct cell *cell, size_t seeds)
{
    struct terrain terrain;
    const struct tree_request tree = {"bench", cell->method, cell->n, launch};
    if (terrain_make(&tree, &terrain) != OK)
        abort();
    for (int s = 0; s < SEARCHERS; s++) {
        for (size_t seed = 0; seed < seeds; seed++) {
            const struct attack_request request = {
                .method = cell->method,
                .launch = launch,
                .n = cell->n,
                .seed = seed + 1,
                .calls = cell->calls,
                .until = INFINITY,
                .workers = 1,
            };
            cell->values[s][seed] = best_of((enum searcher)s, &request, &terrain);
        }
        qsort(cell->values[s], seeds, sizeof(double), by_value);
    }
    terrain_free(&terrain);
}

static void work(void *context, unsigned worker)
{
    struct plan *plan = context;
    (void)worker;
    for (size_t c = atomic_fetch_add(&plan->next, 1); c < plan->count; c = atomic_fetch_add(&plan->next, 1))
        search_cell(&plan->cells[c], plan->seeds);
}

static double median(const struct cell *cell, enum searcher searcher, size_t seeds)
{
    return cell->values[searcher][seeds / 2];
}

/* ---- what is printed ---- */

struct tally {
    size_t cells, better[SEARCHERS], equal[SEARCHERS], worse[SEARCHERS];
    double shares[SEARCHERS]; /* the sum of the medians */
};

static void count_cell(const struct cell *cell, size_t seeds, struct tally *tally)
{
    const double ours = median(cell, ATTACK, seeds);
    tally->cells++;
    for (int s = 0; s < SEARCHERS; s++) {
        const double theirs = median(cell, (enum searcher)s, seeds);
        tally->better[s] += ours > theirs;
        tally->equal[s] += ours == theirs;
        tally->worse[s] += ours < theirs;
        tally->shares[s] += theirs;
    }
}

static void print_tally(const char *name, uint64_t n, const struct tally *tally)
{
    printf("%-18s %5" PRIu64 " %6zu", name, n, tally->cells);
    for (int s = 0; s < SEARCHERS; s++)
        printf("  %8.5f", tally->shares[s] / (double)tally->cells);
    for (int s = RANDOM; s < SEARCHERS; s++)
        printf("   %4zu %4zu %4zu", tally->better[s], tally->equal[s], tally->worse[s]);
    printf("\n");
}

static void print_all(const struct plan *plan)
{
    struct tally total = {0};
    printf("%-18s %5s %6s  %8s  %8s  %8s   %14s   %14s\n", "", "", "", "mean of the", "cells'", "medians",
           "than random", "than guided");
    printf("%-18s %5s %6s  %8s  %8s  %8s   %4s %4s %4s   %4s %4s %4s\n", "accumulator", "n", "cells", "attack",
           "random", "guided", "more", "same", "less", "more", "same", "less");
    for (size_t first = 0, end; first < plan->count; first = end) {
        struct tally tally = {0};
        const struct cell *cell = &plan->cells[first];
        for (end = first; end < plan->count && plan->cells[end].n == cell->n &&
                          strcmp(plan->cells[end].method->accumulator, cell->method->accumulator) == 0;
             end++) {
            count_cell(&plan->cells[end], plan->seeds, &tally);
            count_cell(&plan->cells[end], plan->seeds, &total);
        }
        print_tally(cell->method->accumulator, cell->n, &tally);
    }
    print_tally("all", 0, &total);
    for (size_t c = 0; c < plan->count; c++)
        for (int s = RANDOM; s < SEARCHERS; s++)
            if (median(&plan->cells[c], ATTACK, plan->seeds) < median(&plan->cells[c], (enum searcher)s, plan->seeds))
                printf("less: %s, n = %" PRIu64 ": %.17g, %s %.17g\n", plan->cells[c].method->id, plan->cells[c].n,
                       median(&plan->cells[c], ATTACK, plan->seeds), s == RANDOM ? "random" : "guided",
                       median(&plan->cells[c], (enum searcher)s, plan->seeds));
}

static size_t add_cells(struct cell *cells, size_t count, uint64_t n, uint64_t calls)
{
    size_t methods;
    char why[REASON_SIZE];
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++)
        if (table[m]->role == SUMS && table[m]->replay && method_can_do(table[m], launch, why) && count < CELLS_MOST)
            cells[count++] = (struct cell){.method = table[m], .n = n, .calls = calls};
    return count;
}

/* How many candidates a search makes, adds and judges, in a second that one core works for it. */
static void print_speed(const struct method *method)
{
    const struct attack_request request = {
        .method = method, .launch = launch, .n = 64, .seed = 1, .calls = 100000, .until = INFINITY, .workers = 1};
    struct attack_find find;
    const double start = clock_of_thread();
    if (attack_make(&request, &find) != OK)
        abort();
    printf("%-32s %.2e\n", method->id, (double)find.calls / (clock_of_thread() - start));
    attack_free(&find);
}

static void print_speeds(void)
{
    size_t count;
    const struct method *const *table = method_table(&count);
    printf("evaluations per second and core, n = 64, 100,000 of them\n");
    for (size_t m = 0; m < count; m++)
        if (table[m]->role == SUMS && table[m]->replay &&
            (strcmp(table[m]->order, "serial") == 0 || strcmp(table[m]->order, "tree_two_pass") == 0))
            print_speed(table[m]);
}

static uint64_t argument(int argc, char **argv, int which, uint64_t fallback)
{
    return which < argc ? strtoull(argv[which], NULL, 10) : fallback;
}

int main(int argc, char **argv)
{
    struct plan plan = {.cells = calloc(CELLS_MOST, sizeof *plan.cells), .seeds = argument(argc, argv, 1, 20)};
    const uint64_t calls[LENGTHS] = {argument(argc, argv, 2, 4000), argument(argc, argv, 3, 500)};
    if (!plan.cells || plan.seeds < 1 || plan.seeds > SEEDS_MOST)
        return 2;
    print_speeds();
    for (int l = 0; l < LENGTHS; l++)
        plan.count = add_cells(plan.cells, plan.count, lengths[l], calls[l]);
    printf("\n%zu seeds, %" PRIu64 " calls each at n = 64, %" PRIu64 " at n = 1024\n\n", plan.seeds, calls[0],
           calls[1]);
    const double start = clock_of_wall();
    workers_run(workers_cores(), work, &plan);
    print_all(&plan);
    printf("%.0f seconds\n", clock_of_wall() - start);
    free(plan.cells);
    return 0;
}
