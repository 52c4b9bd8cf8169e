#include "vacuity.h"

#include "src/gate/parallel.h"
#include "src/measure/operation.h"
#include "src/study/study.h"

/* No n is a multiple of 4, a warp or a block, so that there is a tail to lose.  n = 0: as many as give each thread
 * several. */
static const struct {
    const char *family;
    uint64_t n;
    const char *rest;
} rows[] = {
    {"uniform", 1001, ""},                    /* lost elements */
    {"integers", 4097, ",most=4095"},         /* every partial sum is exact: indices, narrow formats */
    {"subnormal", 4097, ""},                  /* flush to zero */
    {"gensum", 4099, ",cond=1e4"},            /* what is lost in merges */
    {"gensum", 4099, ",cond=1e8"},            /* likewise */
    {"kahan_killer", 4099, ",big=0x1p30"},    /* corrections that are lost */
    {"binary64_killer", 4099, ""},            /* likewise, of binary64 */
    {"ties_mid", 4099, ""},                   /* ties that something small decides */
    {"const", 16387, ",value=0x1.ffffcp-11"}, /* carries: 4,097 of them are more than a bin holds */
    {"gensum", 4099, ",cond=1e20"},           /* what is lost in merges of wide sums */
    {"uniform", 0, ""},                       /* what is lost in additions */
    {"integers", 0, ""},                      /* what is beyond the grid */
    {"swamp", 0, ""},                         /* ones that are too small alone */
    {"lognormal", 0, ",sigma=4"},             /* sizes in any order: branches by size */
    {"anderson", 0, ""},                      /* cancellation without pairs */
    {"exp_uniform", 0, ",range=40"},          /* bins and carries */
    {"bias", 0, ""},                          /* roundings to one side */
    {"mirror", 0, ""},                        /* nothing is left but what was lost */
    {"normal", 4097, ",mean=1e4"},     /* of statistics alone: a mean that is large beside what differs from it */
    {"normal", 1001, ",sd=0.003"},     /* likewise of norms: a variance that eps is large beside */
    {"logits", 1001, ",shape=masked"}, /* of exponentials alone: numbers that are -infinity */
};
enum { ROWS = sizeof rows / sizeof *rows, MASKED = ROWS - 1, OF_NORMS = ROWS - 2, OF_STATISTICS = ROWS - 3 };
enum { LONG_TRIALS = 3 };
enum { OF_EXPONENTIALS = 11 }; /* whose elements have a bound each: one is long */

struct making {
    struct candidates *candidates;
    enum operation operation;
    const struct format *format;
    struct launch launch;
    uint64_t seed;
    size_t rows[ROWS]; /* of each candidate */
};

static bool is_binary32(const struct format *format)
{
    return format->precision == FORMAT_BINARY32.precision;
}

/* More of them cost time and show nothing else; a result for each number more. */
static uint64_t several_a_thread(enum operation operation, struct launch launch)
{
    const bool is_per_number = operation_is_per_number(operation);
    const uint64_t most = is_per_number ? 1 << 17 : 1 << 20;
    const uint64_t n = (is_per_number ? 2 : 16) * (uint64_t)launch.blocks * launch.threads;
    return (n < 4096 ? 4096 : n > most ? most : n) + 3;
}

/* What is chosen for binary32 is out of others' ranges, or does not hurt them: there a family's defaults do. */
static enum status read_spec(size_t row, const struct making *making, struct candidate *candidate)
{
    const struct format *format = making->format;
    const uint64_t n = rows[row].n > 0 ? rows[row].n : several_a_thread(making->operation, making->launch);
    const enum data_kind kind = operation_data_kind(making->operation);
    const char *const window = kind == VECTOR_IN_WINDOWS ? ",window=32" : "";
    OWNED char *spec = is_binary32(format)
                           ? text_made("%s:n=%" PRIu64 "%s%s", rows[row].family, n, rows[row].rest, window)
                           : text_made("%s:n=%" PRIu64 ",format=%s%s%s", rows[row].family, n, format->name,
                                       row == MASKED ? rows[row].rest : "", window);
    TRY(data_specs_read(spec, "data to try", NONFINITE_REFUSE, &candidate->specs, &candidate->count));
    TRY(data_spec_set_kind(candidate->specs, kind, "data to try"));
    candidate->arguments = rerun_data(candidate->specs);
    return OK;
}

static enum status make_trial(enum operation operation, struct candidate *candidate, uint64_t seed)
{
    const size_t trial = candidate->trials;
    struct dataset data;
    TRY(dataset_make(candidate->specs, seed, trial, &data));
    struct exact_sum *exact = &candidate->exact[trial];
    enum status status = OK;
    if (operation_is_per_number(operation)) {
        status = operation_exact_row(operation, &data, (struct exact_how){0}, &candidate->rows[trial]);
        if (status == OK)
            status = exact_row_element(candidate->rows[trial], 0, exact);
    } else {
        status = operation_exact(operation, &data, (struct exact_how){0}, exact);
    }
    if (status != OK) {
        dataset_free(&data);
        exact_row_free(candidate->rows[trial]);
        return status;
    }
    candidate->data[trial] = data;
    candidate->texts[trial] = exact_hex(candidate->exact[trial].sum);
    candidate->trials++;
    return OK;
}

/* Without what they take, several rows are one. */
static bool is_new(const struct making *making, size_t row)
{
    for (size_t i = 0; i < making->candidates->count; i++) {
        const size_t other = making->rows[i];
        if (rows[other].n == rows[row].n && strcmp(rows[other].family, rows[row].family) == 0)
            return false;
    }
    return true;
}

/* None is of two vectors. */
static void choose_rows(struct making *making)
{
    const bool is_of_one = operation_table[making->operation].vectors == 1;
    const bool has_exponentials = operation_table[making->operation].of >= LOGSUMEXP;
    const size_t most = !is_of_one                                   ? 0
                        : has_exponentials                           ? OF_EXPONENTIALS
                        : operation_is_per_number(making->operation) ? MASKED
                        : is_statistic(making->operation)            ? OF_NORMS
                                                                     : OF_STATISTICS;
    for (size_t row = 0; row < ROWS; row++)
        if ((row < most || (row == MASKED && is_of_one && has_exponentials)) &&
            (is_binary32(making->format) ||
             (is_new(making, row) && !generator_refuses(generator_find(rows[row].family), making->format))))
            making->rows[making->candidates->count++] = row;
}

static enum status make(void *context, size_t i)
{
    const struct making *making = context;
    struct candidate *candidate = &making->candidates->list[i];
    TRY(read_spec(making->rows[i], making, candidate));
    candidate->is_long = rows[making->rows[i]].n == 0;
    const size_t random_trials = operation_is_per_number(making->operation) ? 1 /* which has n results */
                                 : candidate->is_long                       ? LONG_TRIALS
                                                                            : CANDIDATE_TRIALS;
    const size_t trials = data_spec_is_random(candidate->specs) ? random_trials : 1;
    while (candidate->trials < trials)
        TRY(make_trial(making->operation, candidate, making->seed));
    return OK;
}

enum status candidates_make(uint64_t seed, enum operation operation, const struct format *format, struct launch launch,
                            unsigned workers, struct candidates *candidates)
{
    struct making making = {candidates, operation, format, launch, seed, {0}};
    *candidates = (struct candidates){.list = memory_cleared(ROWS, sizeof *candidates->list)};
    choose_rows(&making);
    return parallel_each(workers, candidates->count, make, &making);
}

void candidates_free(struct candidates *candidates)
{
    for (size_t i = 0; candidates->list && i < candidates->count; i++) {
        struct candidate *candidate = &candidates->list[i];
        for (size_t t = 0; t < candidate->trials; t++) {
            dataset_free(&candidate->data[t]);
            exact_free(&candidate->exact[t]);
            exact_row_free(candidate->rows[t]);
            free(candidate->texts[t]);
        }
        if (candidate->specs)
            data_specs_free(candidate->specs, candidate->count);
        free(candidate->arguments);
    }
    free(candidates->list);
    *candidates = (struct candidates){0};
}
