#include "exact_on_device.h"

#include "datasets/splitmix64.h"
#include "operation.h"
#include "reference/sum_device.h"
#include "src/study/study.h"

/* ---- which ---- */

static enum operation operation_of(const struct case_in_hand *hand)
{
    return study_operation(hand->measuring->study);
}

/* A method that is measured and has a kernel, or one whose results come from the host. */
static bool has_method(const struct case_in_hand *hand, bool on_host)
{
    const struct study *study = hand->measuring->study;
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count; m++) {
            const struct method *method = study->methods[m];
            const bool is_on_host = method->ask || case_replays(hand, m);
            if (case_measures(hand, l, m) && (on_host ? is_on_host : device_has_kernel(method)))
                return true;
        }
    return false;
}

bool case_is_summed_on_device(const struct case_in_hand *hand)
{
    const struct measuring *measuring = hand->measuring;
    const unsigned parts = operation_parts(operation_of(hand));
    const bool of_products = parts & (1 << EXACT_XX | 1 << EXACT_XY);
    return parts && measuring->device && !measuring->verify_reference && !hand->shelved &&
           hand->data.n >= NUMBERS_OF_A_GPU && exact_device_can(hand->data.format, of_products) &&
           has_method(hand, false);
}

bool case_stays_on_device(struct case_in_hand *hand)
{
    const struct data_spec *spec = hand->spec;
    if (!hand->measuring->device || !data_spec_is_formula(spec, hand->place.trial) ||
        !generator_on_device(spec->generator, spec->format))
        return false;
    hand->data = (struct dataset){.format = spec->format, .n = spec->n};
    if (case_is_summed_on_device(hand) && !has_method(hand, true)) {
        hand->finished->n = spec->n;
        return true;
    }
    hand->data = (struct dataset){0};
    return false;
}

/* ---- what is checked ---- */

static uint64_t drawn(const struct case_in_hand *hand, uint64_t below)
{
    return splitmix64(splitmix64(hand->measuring->study->seed) ^ hand->finished->index) % below;
}

bool case_is_checked(const struct case_in_hand *hand)
{
    const struct study *study = hand->measuring->study;
    const uint64_t cases = study_case_count(study), one_in = cases < CHECKED_ONE_IN ? cases : CHECKED_ONE_IN;
    return (study->seed + hand->finished->index) % one_in == 0;
}

struct device_exact case_device_exact(const struct case_in_hand *hand)
{
    return (struct device_exact){
        .parts = operation_parts(operation_of(hand)),
        .is_checked = case_is_checked(hand),
        .workers = hand->measuring->jobs,
    };
}

/* Numbers that the host has anyway are sooner copied than computed again: a launch takes as long as copying 2^14. */
enum { FEW_NUMBERS = 1 << 14 };

enum status case_place_data(const struct case_in_hand *hand, struct device_set *set, float seen[SEEN_MOST])
{
    const struct data_spec *spec = hand->spec;
    const uint64_t n = hand->data.n;
    *set = (struct device_set){.x = hand->data.x, .y = hand->data.y};
    if (set->x && n < FEW_NUMBERS)
        return OK;
    if (!data_spec_is_formula(spec, hand->place.trial) || !generator_on_device(spec->generator, spec->format))
        return OK;
    *set = (struct device_set){.generator = spec->generator, .seen = seen};
    set->seen_count = n < SEEN_MOST ? n : SEEN_MOST;
    set->first_seen = drawn(hand, n - set->seen_count + 1);
    return dataset_call(spec, hand->measuring->study->seed, hand->place.trial, &set->call);
}

/* What a formula gives has the same bits everywhere. */
enum status case_check_seen(const struct case_in_hand *hand, const struct device_set *set)
{
    float expected[SEEN_MOST];
    set->generator->elements(&set->call, set->first_seen, set->seen_count, expected);
    for (uint64_t k = 0; k < set->seen_count; k++)
        if (!format_same(&FORMAT_BINARY32, float_bits(expected[k]), float_bits(set->seen[k])))
            return not_measured(
                "%s, trial %" PRIu64 ": element %" PRIu64
                " is %a on the GPU, %a on the host; this is a bug in one of the two; give --device host",
                hand->spec->text, hand->place.trial, set->first_seen + k, (double)set->seen[k], (double)expected[k]);
    return OK;
}

/* ---- again ---- */

/* The exact sum alone, made and checked. */
static enum status sum_again(struct case_in_hand *hand, const struct device_set *set, struct exact_sum *sum)
{
    struct device *device = hand->measuring->device;
    struct device_exact exact = case_device_exact(hand);
    const struct device_batch batch = {
        .format = hand->data.format, .n = hand->data.n, .sets = set, .set_count = 1, .exact = &exact};
    exact.is_checked = true;
    device_lock(device);
    if (!device_is_lost(device))
        (void)device_run_batch(device, &batch); /* exact.is_made says what became of it */
    device_unlock(device);
    return exact.is_made ? operation_of_parts(operation_of(hand), hand->data.n, exact.sums, &exact.ends, sum)
                         : NOT_MEASURED;
}

static enum status expect_same(const struct case_in_hand *hand, const struct exact_sum *sum, const char *stored)
{
    OWNED char *again = exact_hex(sum->sum);
    const bool same = strcmp(again, stored) == 0;
    if (!same)
        complain("%s, trial %" PRIu64
                 ": the exact sum was %s and is %s when it is made again; this is a bug; give --device host",
                 hand->spec->text, hand->place.trial, stored, again);
    return same ? OK : NOT_MEASURED;
}

/* What was summed there, again: with a part of a formula's numbers. */
static enum status check_placed(struct case_in_hand *hand, const char *stored)
{
    struct device_set set;
    FREED_BY(exact_free) struct exact_sum sum = {0};
    float seen[SEEN_MOST];
    TRY(case_place_data(hand, &set, seen));
    TRY(sum_again(hand, &set, &sum));
    const enum status same = expect_same(hand, &sum, stored);
    return same == OK && set.seen ? case_check_seen(hand, &set) : same;
}

enum status case_check_again(struct case_in_hand *hand, const char *stored, bool *checked)
{
    const bool is_small = hand->spec->generator && hand->spec->n < NUMBERS_OF_A_GPU;
    *checked = false;
    if (is_small || case_is_checked(hand))
        return OK;
    if (!case_stays_on_device(hand))
        TRY(case_take_data(hand));
    *checked = case_is_summed_on_device(hand);
    const enum status status = *checked ? check_placed(hand, stored) : OK;
    case_put_data_away(hand);
    return status;
}
