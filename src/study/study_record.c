#include "study_record.h"
#include "study.h"

static char *copy(const char *text)
{
    return memory_copy(text ? text : "");
}

static struct method_record record_method(const struct method *method)
{
    const struct plugin_name plugin = plugin_name(method->plugin);
    return (struct method_record){
        .id = copy(method->id),
        .accumulator = copy(method->accumulator),
        .order = copy(method->order),
        .accumulator_claim = copy(method->accumulator_claim),
        .order_claim = copy(method->order_claim),
        .format = method->format,
        .operation = method->operation,
        .determinism = method->determinism,
        .slow_above = method->slow_above,
        .is_black_box = !method->replay && method->role == SUMS,
        .plugin_flag = copy(plugin.flag),
        .plugin = copy(plugin.text),
    };
}

/* The canonical text without its order, which stands last. */
static char *without_order(const struct data_spec *spec)
{
    char *text = memory_copy(spec->text);
    char *order = NULL;
    for (char *at = text; spec->ordering.kind != GIVEN && (at = strstr(at, "order=")); at++)
        order = at;
    if (order && order > text)
        order[-1] = '\0';
    return text;
}

static struct spec_record record_spec(const struct data_spec *spec)
{
    return (struct spec_record){
        .text = copy(spec->text),
        .unordered = without_order(spec),
        .family = copy(spec->generator ? spec->generator->id : spec->text),
        .arguments = rerun_data(spec),
        .attacked = spec->generator && spec->generator->attacked,
    };
}

static struct entry_record record_entry(const struct study_entry *entry)
{
    struct entry_record record = {
        .text = copy(entry->text),
        .trials = entry->trials,
        .permuted = !data_spec_is_random(&entry->specs[0]),
        .specs = memory_cleared(entry->spec_count + 1, sizeof *record.specs),
    };
    for (size_t i = 0; i < entry->spec_count; i++)
        record.specs[record.spec_count++] = record_spec(&entry->specs[i]);
    return record;
}

void study_record_make(const struct study *study, struct study_record *record)
{
    *record = (struct study_record){
        .title = copy(study->title ? study->title : "ulpscope"),
        .text = study_yaml(study),
        .methods = memory_cleared(study->method_count + 1, sizeof *record->methods),
        .launches = memory_cleared(study->launch_count + 1, sizeof *record->launches),
        .launch_count = study->launch_count,
        .entries = memory_cleared(study->entry_count + 1, sizeof *record->entries),
        .seed = study->seed,
        .repeats = study->repeats,
        .cases = study_case_count(study),
        .across = study->across,
    };
    for (size_t i = 0; i < study->launch_count; i++)
        record->launches[i] = study->launches[i];
    for (size_t i = 0; i < study->method_count; i++)
        record->methods[record->method_count++] = record_method(study->methods[i]);
    for (size_t i = 0; i < study->entry_count; i++)
        record->entries[record->entry_count++] = record_entry(&study->entries[i]);
}

static void free_entry(struct entry_record *entry)
{
    for (size_t i = 0; i < entry->spec_count; i++) {
        const struct spec_record *spec = &entry->specs[i];
        char *const texts[] = {spec->text, spec->unordered, spec->family, spec->arguments};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            free(texts[t]);
    }
    free_all(entry->specs, entry->text);
}

void study_record_free(struct study_record *record)
{
    for (size_t i = 0; i < record->method_count; i++) {
        const struct method_record *method = &record->methods[i];
        char *const texts[] = {method->id,          method->accumulator, method->order, method->accumulator_claim,
                               method->order_claim, method->plugin_flag, method->plugin};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            free(texts[t]);
    }
    for (size_t i = 0; i < record->entry_count; i++)
        free_entry(&record->entries[i]);
    free_all(record->methods, record->launches, record->entries, record->title, record->text);
    *record = (struct study_record){0};
}

static char *data_arguments(const char *spec, enum nonfinite nonfinite)
{
    struct text text = {0};
    text_append(&text, "-d ");
    text_append_shell_word(&text, spec);
    if (nonfinite != NONFINITE_REFUSE)
        text_append(&text, " --nonfinite %s", nonfinite_words[nonfinite]);
    return text_take(&text);
}

char *rerun_data(const struct data_spec *spec)
{
    return data_arguments(spec->text, spec->path ? spec->options.nonfinite : NONFINITE_REFUSE);
}

enum status rerun_check_data(const char *arguments, const char *spec)
{
    static const enum nonfinite all[] = {NONFINITE_REFUSE, NONFINITE_IEEE, NONFINITE_SKIP};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        OWNED char *expected = data_arguments(spec, all[i]);
        const bool same = strcmp(expected, arguments) == 0;
        if (same)
            return OK;
    }
    return bad_input("the store would run \"%s\" again with %s, which is no command of ulpscope's; expected the run.db "
                     "of an ulpscope run; run the study again",
                     spec, arguments);
}

void rerun_append_plugin(struct text *to, struct plugin_name plugin)
{
    if (!plugin.flag || !*plugin.flag)
        return;
    text_append(to, " --%s ", plugin.flag);
    text_append_shell_word(to, plugin.text);
}

char *rerun_command(const struct witness *witness)
{
    struct text text = {0};
    text_append(&text, "ulpscope run -m ");
    text_append_shell_word(&text, witness->method);
    rerun_append_plugin(&text, witness->plugin);
    text_append(&text, " %s --seed %" PRIu64 " --trial %" PRIu64 " --blocks %u --threads %u --device ",
                witness->data_arguments, witness->seed, witness->trial, witness->launch.blocks,
                witness->launch.threads);
    text_append_shell_word(&text, witness->device);
    if (witness->slow)
        text_append(&text, " --slow");
    if (witness->replay_beside)
        text_append(&text, " --replay");
    if (witness->across)
        text_append(&text, " --across %s", witness->across);
    return text_take(&text);
}

char *rerun_vectors(const char *spec, uint64_t seed, uint64_t trial, uint64_t i, uint64_t j)
{
    struct text text = {0};
    text_append(&text, "ulpscope gen ");
    text_append_shell_word(&text, spec);
    text_append(&text, " --witness %" PRIu64 ",%" PRIu64 " --seed %" PRIu64 " --trial %" PRIu64 " -o x.npy::y.npy", i,
                j, seed, trial);
    return text_take(&text);
}
