#include "case_in_hand.h"

#include "operation.h"
#include "src/plugins/plugin.h"

size_t ask_together_most(const struct study *study, uint64_t bytes)
{
    enum { CASES_MOST = 1024, BYTES_MOST = 4 << 20 };
    const uint64_t fit = bytes > 0 ? BYTES_MOST / bytes : CASES_MOST;
    for (size_t m = 0; m < study->method_count; m++)
        if (study->methods[m]->plugin && plugin_has_events(study->methods[m]))
            return fit < 1 ? 1 : fit < CASES_MOST ? (size_t)fit : CASES_MOST;
    return 1;
}

static bool are_alike(const struct operands *of, size_t count)
{
    for (size_t c = 1; c < count; c++)
        if (of[c].shape.terms != of[0].shape.terms)
            return false;
    return true;
}

/* What claims to be deterministic and gives a case other bits the second time is asked for that case again, alone. */
static void keep(struct case_in_hand *cases, size_t count, size_t place, uint64_t times, const uint64_t *bits)
{
    const struct study *study = cases[0].measuring->study;
    const bool is_deterministic = study->methods[place % study->method_count]->determinism == DETERMINISTIC;
    for (size_t c = 0; c < count; c++) {
        uint64_t *answers = memory_cleared(times, sizeof *answers);
        bool are_same = true;
        for (uint64_t time = 0; time < times; time++) {
            answers[time] = bits[time * count + c];
            are_same &= answers[time] == answers[0];
        }
        if (!is_deterministic || are_same)
            cases[c].answers[place] = answers;
        else
            free(answers);
    }
}

static void ask_one(struct case_in_hand *cases, size_t count, size_t launch, size_t method)
{
    const struct study *study = cases[0].measuring->study;
    const struct method *asked = study->methods[method];
    const uint64_t times = case_times_asked(&cases[0], method);
    OWNED struct operands *of = memory_cleared(count, sizeof *of);
    OWNED uint64_t *bits = memory_cleared(count * times, sizeof *bits);
    for (size_t c = 0; c < count; c++)
        of[c] = operation_operands(asked->operation, &cases[c].data);
    if (are_alike(of, count) && plugin_ask_many(asked, of, count, study->launches[launch], times, bits) == OK)
        keep(cases, count, launch * study->method_count + method, times, bits);
}

void ask_together(struct case_in_hand *cases, size_t count)
{
    const struct study *study = cases[0].measuring->study;
    for (size_t c = 0; c < count; c++)
        cases[c].answers = memory_cleared(study->launch_count * study->method_count, sizeof(uint64_t *));
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count; m++)
            if (count > 1 && study->methods[m]->plugin && plugin_has_events(study->methods[m]) &&
                case_measures(&cases[0], l, m))
                ask_one(cases, count, l, m);
}

void forget_answers(struct case_in_hand *cases, size_t count)
{
    const struct study *study = cases[0].measuring->study;
    for (size_t c = 0; c < count; c++) {
        for (size_t i = 0; i < study->launch_count * study->method_count; i++)
            free(cases[c].answers[i]);
        free(cases[c].answers);
    }
}
