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
        .shard = study->shard,
        .across = study->across,
    };
    for (size_t i = 0; i < study->launch_count; i++)
        record->launches[i] = study->launches[i];
    for (size_t i = 0; i < study->method_count; i++)
        record->methods[record->method_count++] = record_method(study->methods[i]);
    for (size_t i = 0; i < study->entry_count; i++)
        record->entries[record->entry_count++] = record_entry(&study->entries[i]);
}

uint64_t study_record_share(const struct study_record *record)
{
    return shard_share(record->shard, record->cases);
}

uint64_t study_record_trials(const struct study_record *record, size_t entry, size_t spec)
{
    const uint64_t trials = record->entries[entry].trials;
    uint64_t before = spec * trials;
    for (size_t e = 0; e < entry; e++)
        before += record->entries[e].spec_count * record->entries[e].trials;
    return shard_share(record->shard, before + trials) - shard_share(record->shard, before);
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
