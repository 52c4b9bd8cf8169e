/* The replay on the host, and each GPU that there is.  That the replay gives other bits than a kernel whose order is
 * that of arrival is no fault of either. */
#include "src/determinism/vary.h"

static enum status run_elsewhere(struct vary *vary, struct device *device, const char *name)
{
    struct varied varied = *vary->of;
    struct vary there = *vary;
    varied.device = device;
    there.of = &varied;
    TRY(vary_compute(&there, &varied.of, varied.launch, NULL, vary->bits));
    variation_note(vary, vary->bits, "%s", name);
    return OK;
}

static enum status run_on(struct vary *vary, int ordinal)
{
    const struct device_facts *here = device_facts(vary->of->device);
    struct device *device;
    char word[sizeof here->word];
    snprintf(word, sizeof word, "cuda:%d", ordinal);
    if (here && strcmp(here->word, word) == 0)
        return OK;
    TRY(device_start(ordinal, &device));
    const enum status status = run_elsewhere(vary, device, word);
    device_close(device);
    return status;
}

enum status device_vary(struct vary *vary)
{
    const struct method *method = vary->of->method;
    char why[REASON_SIZE] = "";
    if (method->ask || !device_has_kernel(method)) {
        vary_leave_out(vary, "%s",
                       method->ask ? "a plug-in runs where it wants to" : "this program has no kernel of it");
        return OK;
    }
    const int count = device_count(why);
    if (vary->of->device && method->replay)
        TRY(run_elsewhere(vary, NULL, "replay on the host"));
    for (int ordinal = 0; ordinal < count; ordinal++)
        TRY(run_on(vary, ordinal));
    if (vary->found->variants == 0)
        vary_leave_out(vary, "%s", count == 0 ? why : "there is one GPU, and no replay");
    return OK;
}
