#include "recorded_study.h"

#include <sys/param.h>

/* NULL: there is none. */
static struct study_entry *entry_of(const struct study *study, const char *text)
{
    for (size_t i = 0; i < study->entry_count; i++)
        if (strcmp(study->entries[i].text, text) == 0)
            return &study->entries[i];
    return NULL;
}

static enum status refuse_seeds(const char *file, const struct recorded_data *data, uint64_t other)
{
    return bad_input("--results: %s has results of seeds %" PRIu64 " and %" PRIu64
                     "; expected one seed, as a run has; say in --seed which are judged",
                     file, other, data->seeds[0] == other ? data->seeds[1] : data->seeds[0]);
}

/* What all data of all files have together. */
struct extent {
    bool has_seed, is_one_trial;
    uint64_t trial;
};

static enum status add(const struct config *config, const char *file, const struct recorded_data *data,
                       struct study *study, struct extent *extent)
{
    const char *source;
    const bool is_first = !extent->has_seed;
    const uint64_t seed = is_first ? data->seeds[0] : study->seed;
    if (!config_override(config, SETTING_SEED, &source) && (data->seeds[0] != seed || data->seeds[1] != seed))
        return refuse_seeds(file, data, seed);
    if (!entry_of(study, data->data))
        TRY(study_add_data(study, data->data, data->trials[1] + 1, "--results", study->nonfinite));
    struct study_entry *entry = entry_of(study, data->data);
    if (data_spec_is_random(entry->specs))
        entry->trials = MAX(entry->trials, data->trials[1] + 1);
    if (data_spec_permutes(entry->specs))
        study->permutations = MAX(study->permutations, data->trials[1]);
    extent->is_one_trial =
        (is_first || (extent->is_one_trial && extent->trial == data->trials[0])) && data->trials[0] == data->trials[1];
    extent->trial = data->trials[0];
    extent->has_seed = true;
    study->seed = seed;
    study->repeats = MAX(study->repeats, data->repeats);
    return OK;
}

static enum status add_all(const struct config *config, const struct plugin *plugin, struct study *study,
                           struct extent *extent)
{
    size_t count;
    OWNED struct recorded_data *list = plugin_recorded(plugin, &count);
    if (list && !extent->has_seed) {
        study_clear_data(study);
        study->permutations = 0;
        free(study->title);
        OWNED char *title = text_made("Results of %s", plugin_name(plugin).text);
        study->title = clean_text(title);
    }
    for (size_t i = 0; i < count; i++)
        TRY(add(config, plugin_name(plugin).text, &list[i], study, extent));
    return OK;
}

enum status take_recorded_data(const struct config *config, struct study *study)
{
    size_t count;
    struct extent extent = {0};
    struct plugin *const *plugins = plugins_loaded(&count);
    for (size_t p = 0; p < count; p++)
        TRY(add_all(config, plugins[p], study, &extent));
    if (!extent.is_one_trial)
        return OK;
    study_set_trial(study, extent.trial);
    study->permutations = 0;
    return OK;
}
