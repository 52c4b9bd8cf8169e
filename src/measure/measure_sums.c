#include "case_in_hand.h"
#include "src/base/interrupts.h"
#include "src/device/device_batch.h"

#include "condense.h"
#include "exact_on_device.h"
#include "judge.h"
#include "operation.h"
#include "src/study/study.h"

/* What the kernels give of a few cases with the same spec: their data go to the GPU together, every method adds up each
 * of them, and all results come back at once. */

struct kernels {
    size_t method_count, set_count; /* of the study; cases */
    size_t *places;                 /* of (launch, method): behind its place in sums; 0: it has no kernel here */
    struct device_sums *sums;
    size_t sums_count;
    uint64_t *bits;
};

/* ---- results ---- */

static const struct device_sums *sums_of(const struct kernels *kernels, size_t launch, size_t method)
{
    const size_t place = kernels->places ? kernels->places[launch * kernels->method_count + method] : 0;
    return place > 0 ? &kernels->sums[place - 1] : NULL;
}

/* How many results a method has of each case: fewer than the study's repeats after a failure. */
static uint64_t kernels_results(const struct kernels *kernels, size_t launch, size_t method)
{
    const struct device_sums *sums = sums_of(kernels, launch, method);
    return sums ? sums->done : 0;
}

/* The bits of one of them. */
static uint64_t kernels_bits(const struct kernels *kernels, size_t launch, size_t method, uint64_t repeat, size_t set)
{
    return sums_of(kernels, launch, method)->bits[repeat * kernels->set_count + set];
}

static void kernels_free(struct kernels *kernels)
{
    free_all(kernels->places, kernels->sums, kernels->bits);
    *kernels = (struct kernels){0};
}

/* ---- what is run ---- */

static enum status plan(const struct case_in_hand *hand, size_t sets, struct kernels *kernels)
{
    const struct study *study = hand->measuring->study;
    const size_t most = study->launch_count * study->method_count;
    *kernels = (struct kernels){.method_count = study->method_count, .set_count = sets};
    kernels->places = calloc(most, sizeof *kernels->places);
    kernels->sums = calloc(most, sizeof *kernels->sums);
    kernels->bits = calloc(most * sets, study->repeats * sizeof *kernels->bits);
    if (!kernels->places || !kernels->sums || !kernels->bits)
        return out_of_memory("the results of a GPU");
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count; m++) {
            if (!device_has_kernel(study->methods[m]) || !case_measures(hand, l, m))
                continue;
            kernels->sums[kernels->sums_count] = (struct device_sums){
                .method = study->methods[m],
                .launch = study->launches[l],
                .bits = kernels->bits + kernels->sums_count * sets * study->repeats,
            };
            kernels->places[l * study->method_count + m] = ++kernels->sums_count;
        }
    return OK;
}

static void note_lost_data(struct case_in_hand *hands, size_t count)
{
    complain("%s, trial %" PRIu64
             "%s: the data could not be brought to the GPU, as said above; no kernel is run on them",
             hands[0].spec->text, hands[0].place.trial, count > 1 ? " and others" : "");
    for (size_t c = 0; c < count; c++)
        hands[c].finished->unfinished = hands[c].finished->device_failed = true;
}

/* A method that fails leaves the device to the others, unless it took it with it: then nothing is said of those that
 * were not run. */
static void note_failures(struct case_in_hand *hands, size_t count, const struct kernels *kernels)
{
    const struct study *study = hands[0].measuring->study;
    const bool is_lost = device_is_lost(hands[0].measuring->device);
    bool told = false;
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count; m++) {
            const struct device_sums *sums = sums_of(kernels, l, m);
            if (!sums || sums->done == study->repeats || (told && is_lost))
                continue;
            for (size_t c = 0; c < count; c++)
                hands[c].finished->unfinished = hands[c].finished->device_failed = true;
            case_note_failure(&hands[0], l, m, "kernel");
            told = true;
        }
}

/* The device is locked, and was not lost. */
static void run(struct case_in_hand *hands, const struct device_batch *batch, const struct kernels *kernels)
{
    if (device_run_batch(hands[0].measuring->device, batch) != OK)
        note_lost_data(hands, batch->set_count);
    else
        note_failures(hands, batch->set_count, kernels);
}

static enum status run_placed(struct case_in_hand *hands, const struct device_set *sets, struct device_exact *exact,
                              const struct kernels *kernels)
{
    const struct measuring *measuring = hands[0].measuring;
    const struct device_batch batch = {
        .format = hands[0].data.format,
        .n = hands[0].data.n,
        .sets = sets,
        .set_count = kernels->set_count,
        .repeats = measuring->study->repeats,
        .sums = kernels->sums,
        .sums_count = kernels->sums_count,
        .exact = exact,
    };
    device_lock(measuring->device);
    const bool was_lost = device_is_lost(measuring->device);
    const bool is_late = interrupted(); /* while others had the device */
    if (!was_lost && !is_late)
        run(hands, &batch, kernels);
    for (size_t c = 0; c < kernels->set_count; c++) {
        hands[c].finished->device_lost = device_is_lost(measuring->device);
        hands[c].finished->unfinished |= hands[c].finished->device_lost;
    }
    device_unlock(measuring->device);
    if (is_late)
        return INTERRUPTED;
    for (size_t c = 0; c < kernels->set_count; c++)
        if (sets[c].seen && !hands[c].finished->unfinished)
            TRY(case_check_seen(&hands[c], &sets[c]));
    return OK;
}

/* Runs them, on the device of hands[0..count), which it locks.  OK also when kernels failed, which is complained about
 * and noted in the cases.  exact: NULL, or what is to be made of one case.  The caller calls kernels_free, whatever the
 * status. */
static enum status kernels_run(struct case_in_hand *hands, size_t count, struct device_exact *exact,
                               struct kernels *kernels)
{
    TRY(plan(&hands[0], count, kernels));
    if (kernels->sums_count == 0) /* what measures on the host has none */
        return OK;
    OWNED struct device_set *sets = calloc(count, sizeof *sets);
    float(*seen)[SEEN_MOST] = malloc(count * sizeof *seen);
    enum status status = sets && seen ? OK : out_of_memory("the data of a GPU");
    for (size_t c = 0; c < count && status == OK; c++)
        status = case_place_data(&hands[c], &sets[c], seen[c]);
    if (status == OK)
        status = run_placed(hands, sets, exact, kernels);
    free(seen);
    return status;
}

/* ---- sums ---- */

struct sums_in_hand {
    struct case_in_hand *of;
    bool is_summed_on_device; /* its exact sum is made there */
    bool is_exact;            /* it is made */
    struct exact_sum exact;   /* the case's own, or that of what is shelved */
    const char *exact_text;
    const struct kernels *kernels; /* what they gave of the cases in hand */
    size_t set;                    /* this one's place among them */
};

/* ---- rows ---- */

static enum status judge(struct sums_in_hand *hand, struct measured row, uint64_t bits)
{
    const struct study *study = hand->of->measuring->study;
    const struct promise promise = promise_of(study->methods[row.method], study->launches[row.launch], &hand->exact);
    judge_sum(&hand->exact, study->methods[row.method]->format, &promise, bits, &row);
    row.exact = hand->exact_text;
    row.condition = hand->exact.condition;
    return case_append(hand->of, row);
}

static void compare(const struct sums_in_hand *hand, const struct measured *row, uint64_t kernel, uint64_t replay)
{
    const struct method *method = hand->of->measuring->study->methods[row->method];
    if (method->determinism != DETERMINISTIC || format_same(method->format, kernel, replay))
        return;
    OWNED char *of_kernel = text_made("%a", format_value(method->format, kernel)),
               *of_replay = text_made("%a", format_value(method->format, replay));
    case_tell_difference(hand->of, row, of_kernel, of_replay);
}

/* ---- on the host ---- */

/* The rows of what a kernel or a plug-in gave, from one on. */
static void condense(const struct sums_in_hand *hand, size_t first)
{
    struct finished_case *finished = hand->of->finished;
    finished->row_count = first + condense_rows(finished->rows + first, finished->row_count - first);
}

static enum status take_of_plugin(void *context, struct measured row, const uint64_t *bits)
{
    return judge(context, row, *bits);
}

static enum status measure_plugin(struct sums_in_hand *hand, struct measured row)
{
    uint64_t bits;
    const size_t first = hand->of->finished->row_count;
    const struct operands of =
        operation_operands(hand->of->measuring->study->methods[row.method]->operation, &hand->of->data);
    TRY(case_ask_plugin(hand->of, row, &of, &bits, take_of_plugin, hand));
    condense(hand, first);
    return OK;
}

/* One method at one launch: the rows of its kernel's results, and of its replay. */
static enum status measure_method(struct sums_in_hand *hand, size_t launch, size_t method)
{
    const struct measuring *measuring = hand->of->measuring;
    const struct study *study = measuring->study;
    struct measured row = {.launch = launch, .method = method};
    bool replays = case_replays(hand->of, method);
    uint64_t replay = 0;
    const struct operands of = operation_operands(study->methods[method]->operation, &hand->of->data);
    if (study->methods[method]->ask)
        return measure_plugin(hand, row);
    if (replays && case_is_left(hand->of))
        return INTERRUPTED;
    if (replays &&
        method_replay(study->methods[method], &of, study->launches[launch], measuring->case_workers, &replay) != OK) {
        case_note_failure(hand->of, launch, method, "replay");
        replays = false;
    }
    if (replays)
        TRY(judge(hand, row, replay));
    const uint64_t kernels = kernels_results(hand->kernels, launch, method);
    const size_t first = hand->of->finished->row_count;
    row.backend = BACKEND_cuda;
    for (; row.repeat < kernels; row.repeat++) {
        const uint64_t kernel = kernels_bits(hand->kernels, launch, method, row.repeat, hand->set);
        TRY(judge(hand, row, kernel));
        if (replays)
            compare(hand, &row, kernel, replay);
    }
    condense(hand, first);
    return OK;
}

static enum status measure_methods(struct sums_in_hand *hand)
{
    const struct study *study = hand->of->measuring->study;
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count; m++)
            if (case_measures(hand->of, l, m))
                TRY(measure_method(hand, l, m));
    return OK;
}

/* ---- the numbers and their exact sum ---- */

static enum status sum_on_host(struct sums_in_hand *hand)
{
    const struct measuring *measuring = hand->of->measuring;
    const struct exact_how how = {.workers = measuring->case_workers, .verify = measuring->verify_reference};
    TRY(operation_exact(study_operation(measuring->study), &hand->of->data, how, &hand->exact));
    hand->is_exact = true;
    return OK;
}

/* The sum of numbers which trials share is theirs; that of a large case is made on the device, with its methods'. */
static enum status take(struct sums_in_hand *hand)
{
    if (!case_stays_on_device(hand->of))
        TRY(case_take_data(hand->of));
    hand->is_summed_on_device = case_is_summed_on_device(hand->of);
    hand->is_exact = hand->of->shelved;
    if (hand->of->shelved)
        hand->exact = hand->of->shelved->exact;
    const enum status status = hand->is_exact || hand->is_summed_on_device ? OK : sum_on_host(hand);
    if (status != OK)
        case_put_data_away(hand->of);
    return status;
}

static void put_away(struct sums_in_hand *hand)
{
    if (!hand->of->shelved && hand->is_exact)
        exact_free(&hand->exact);
    case_put_data_away(hand->of);
}

static enum status take_all(struct sums_in_hand *hands, struct case_in_hand *of, size_t *count)
{
    enum status status = OK;
    size_t taken = 0;
    for (; taken < *count && status == OK; taken += status == OK) {
        hands[taken] = (struct sums_in_hand){.of = &of[taken], .set = taken};
        status = take(&hands[taken]);
    }
    *count = taken;
    return status;
}

/* ---- cases ---- */

/* All kernels of all cases, and the exact sum of a large one, which is measured by itself.  What the device could not
 * make of it the host makes, if it has the numbers. */
static enum status use_device(struct sums_in_hand *hands, size_t count, struct kernels *kernels)
{
    struct sums_in_hand *first = &hands[0];
    struct device_exact exact = case_device_exact(first->of);
    const enum status status = kernels_run(first->of, count, first->is_summed_on_device ? &exact : NULL, kernels);
    if (!first->is_summed_on_device)
        return status;
    const enum status made = exact.is_made
                                 ? operation_of_parts(study_operation(first->of->measuring->study), first->of->data.n,
                                                      exact.sums, &exact.ends, &first->exact)
                                 : OK;
    first->is_exact = exact.is_made && made == OK; /* whatever the status: it is put away */
    TRY(status);
    TRY(made);
    if (exact.is_refuted)
        return NOT_MEASURED;
    if (exact.is_made && first->of->measuring->exact) {
        first->of->measuring->exact->by_device++;
        first->of->measuring->exact->checked += exact.is_checked;
    }
    first->of->finished->unfinished |= !exact.is_made;
    first->of->finished->device_failed |= !exact.is_made;
    return exact.is_made || !first->of->data.x ? OK : sum_on_host(first);
}

static enum status measure_rows(struct sums_in_hand *hand, const struct kernels *kernels)
{
    if (!hand->is_exact)
        return OK;
    hand->kernels = kernels;
    hand->exact_text = case_keep_text(hand->of, exact_hex(hand->exact.sum));
    return measure_methods(hand);
}

static enum status measure_taken(struct sums_in_hand *hands, size_t *count)
{
    const struct measuring *measuring = hands[0].of->measuring;
    FREED_BY(kernels_free) struct kernels kernels = {0};
    size_t measured = 0;
    for (size_t m = 0; m < measuring->study->method_count; m++)
        case_tell_too_slow(hands[0].of, m);
    enum status status = measuring->device ? use_device(hands, *count, &kernels) : OK;
    ask_together(hands[0].of, *count);
    for (; measured < *count && status == OK; measured += status == OK)
        status = measure_rows(&hands[measured], &kernels);
    forget_answers(hands[0].of, *count);
    *count = measured;
    return status;
}

enum status measure_sums(struct case_in_hand *of, size_t *count)
{
    OWNED struct sums_in_hand *hands = calloc(*count, sizeof *hands);
    if (!hands) {
        *count = 0;
        return out_of_memory("cases");
    }
    const enum status taken = take_all(hands, of, count);
    const size_t held = *count;
    const enum status measured = held > 0 ? measure_taken(hands, count) : OK;
    for (size_t c = 0; c < held; c++)
        put_away(&hands[c]);
    return measured != OK ? measured : taken;
}
