#include "case_in_hand.h"
#include "exact_on_device.h"

#include "kernels/fused.h"

bool measure_lacks_device(const struct method *method, const struct device *device, char why[REASON_SIZE])
{
    if (!device && !method_is_on_host(method))
        snprintf(why, REASON_SIZE, "a black box without replay, which needs a GPU");
    else if (device && device_has_kernel(method) && fused_is_absent(method, device_facts(device)->capability))
        snprintf(why, REASON_SIZE, "its instructions are those of compute capability 9.0; found a GPU of %s",
                 device_facts(device)->capability);
    else
        return false;
    return true;
}

bool measure_can_do(const struct method *method, struct launch launch, const struct device *device,
                    char why[REASON_SIZE])
{
    return method_can_do(method, launch, why) && !measure_lacks_device(method, device, why);
}

static const struct data_spec *spec_at(const struct study *study, struct study_case place)
{
    return &study->entries[place.entry].specs[place.spec];
}

size_t measure_at_once(const struct measuring *measuring, uint64_t index)
{
    const struct data_spec *spec = spec_at(measuring->study, study_case_at(measuring->study, index));
    if (!spec->generator || study_has_elements(measuring->study) || spec->n >= NUMBERS_OF_A_GPU)
        return 1;
    if (!measuring->device)
        return ask_together_most(measuring->study, spec->n * spec->format->bytes);
    return device_sets_at_once(measuring->device, spec->n * spec->format->bytes);
}

bool measure_together(const struct measuring *measuring, uint64_t index, uint64_t other)
{
    const struct study_case a = study_case_at(measuring->study, index), b = study_case_at(measuring->study, other);
    return a.entry == b.entry && a.spec == b.spec;
}

static struct case_in_hand hand_of(const struct measuring *measuring, uint64_t index, struct finished_case *finished)
{
    const struct study_case place = study_case_at(measuring->study, index);
    return (struct case_in_hand){
        .measuring = measuring, .place = place, .spec = spec_at(measuring->study, place), .finished = finished};
}

enum status measure_cases(const struct measuring *measuring, const uint64_t *indices, size_t *count,
                          struct finished_case *finished)
{
    OWNED struct case_in_hand *hands = calloc(*count, sizeof *hands);
    for (size_t c = 0; c < *count; c++)
        finished[c] = (struct finished_case){.index = indices[c]};
    if (!hands) {
        *count = 0;
        return out_of_memory("cases");
    }
    for (size_t c = 0; c < *count; c++)
        hands[c] = hand_of(measuring, indices[c], &finished[c]);
    enum status status = OK;
    if (!study_has_elements(measuring->study))
        status = measure_sums(hands, count);
    else if ((status = measure_elements(hands)) != OK)
        *count = 0;
    return status;
}

enum status measure_check_again(const struct measuring *measuring, uint64_t index, const char *exact, bool *checked)
{
    struct finished_case none = {.index = index};
    struct case_in_hand hand = hand_of(measuring, index, &none);
    *checked = false;
    return study_has_elements(measuring->study) ? OK : case_check_again(&hand, exact, checked);
}

void finished_case_free(struct finished_case *finished)
{
    for (size_t t = 0; t < finished->text_count; t++)
        free(finished->texts[t]);
    free_all(finished->texts, finished->rows);
    *finished = (struct finished_case){0};
}
