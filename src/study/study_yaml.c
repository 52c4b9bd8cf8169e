/* Written by libyaml, which knows when to quote.  It has no comments: they are put before its text.
 *
 *   # sha256 of entry 2 of data: 9f86d0...
 *   schema: ulpscope-study/1
 *   title: "Four classic sums"
 *   methods: [plain/serial, kahan/tree_two_pass]
 *   launch: {blocks: 32..1024*2, threads: 256}
 *   seed: 1
 *   repeats: 1
 *   permutations: 100
 *   data:
 *   - {spec: "uniform:n=1Ki..1Mi*32", trials: 100}
 *   - {file: "x.csv"}
 */
#include "study.h"

#include <errno.h>

struct writer {
    yaml_emitter_t emitter;
    struct text comments, yaml;
    bool cleaned; /* cleaned: bytes that YAML cannot hold were replaced */
};

static int append(void *writer, unsigned char *bytes, size_t count)
{
    text_append(&((struct writer *)writer)->yaml, "%.*s", (int)count, (const char *)bytes);
    return 1;
}

/* ---- events ---- */

/* Takes the event; `made` is what its initialiser returned. */
static void emit(struct writer *writer, int made, yaml_event_t *event)
{
    if (!made || !yaml_emitter_emit(&writer->emitter, event))
        memory_ran_out();
}

static int make_scalar(yaml_event_t *event, const char *text, yaml_scalar_style_t style)
{
    return yaml_scalar_event_initialize(event, NULL, NULL, (const yaml_char_t *)text, (int)strlen(text), 1, 1, style);
}

/* YAML is UTF-8, file names are bytes. */
static int make_clean_scalar(struct writer *writer, yaml_event_t *event, const char *text, yaml_scalar_style_t style)
{
    OWNED char *ascii = memory_copy(text);
    for (char *byte = ascii; *byte; byte++)
        if ((unsigned char)*byte >= 0x80)
            *byte = '?';
    const int made = make_scalar(event, ascii, style);
    writer->cleaned = true;
    return made;
}

static void put(struct writer *writer, const char *text, yaml_scalar_style_t style)
{
    yaml_event_t event;
    errno = 0;
    int made = make_scalar(&event, text, style);
    if (!made && errno == ENOMEM)
        memory_ran_out();
    if (!made)
        made = make_clean_scalar(writer, &event, text, style);
    emit(writer, made, &event);
}

static void put_word(struct writer *writer, const char *word)
{
    put(writer, word, YAML_ANY_SCALAR_STYLE);
}

static void put_quoted(struct writer *writer, const char *text)
{
    put(writer, text, YAML_DOUBLE_QUOTED_SCALAR_STYLE);
}

static void put_pair(void *writer, const char *key, const char *text, bool is_quoted)
{
    put_word(writer, key);
    (is_quoted ? put_quoted : put_word)(writer, text);
}

static void put_count(struct writer *writer, const char *key, uint64_t count)
{
    char text[NUMBER_TEXT];
    snprintf(text, sizeof text, "%" PRIu64, count);
    put_pair(writer, key, text, false);
}

static void open_mapping(struct writer *writer, yaml_mapping_style_t style)
{
    yaml_event_t event;
    emit(writer, yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, style), &event);
}

static void close_mapping(struct writer *writer)
{
    yaml_event_t event;
    emit(writer, yaml_mapping_end_event_initialize(&event), &event);
}

static void open_list(struct writer *writer, yaml_sequence_style_t style)
{
    yaml_event_t event;
    emit(writer, yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, style), &event);
}

static void close_list(struct writer *writer)
{
    yaml_event_t event;
    emit(writer, yaml_sequence_end_event_initialize(&event), &event);
}

/* ---- launches ---- */

/* "120", "32..1024*2".  False when no sweep has just these values. */
static bool sweep_text(const uint32_t *values, size_t count, char text[3 * NUMBER_TEXT])
{
    OWNED uint64_t *read = NULL;
    size_t read_count = 0;
    if (count > 1)
        snprintf(text, 3 * NUMBER_TEXT, "%u..%u*%s", values[0], values[count - 1],
                 double_text(count > 1 ? (double)values[1] / values[0] : 1));
    else
        snprintf(text, 3 * NUMBER_TEXT, "%u", values[0]);
    bool same = !read_size_sweep(text, &read, &read_count) && read_count == count;
    for (size_t i = 0; same && i < count; i++)
        same = read[i] == values[i];
    return same;
}

/* The launches are all pairs of blocks and threads, threads fastest; with one launch, that pair. */
static void put_launch(struct writer *writer, const struct study *study)
{
    uint32_t blocks[LAUNCHES_MOST], threads[LAUNCHES_MOST];
    char block_text[3 * NUMBER_TEXT], thread_text[3 * NUMBER_TEXT];
    size_t thread_count = 1, block_count = 0;
    while (thread_count < study->launch_count && study->launches[thread_count].blocks == study->launches[0].blocks)
        thread_count++;
    for (size_t i = 0; i < thread_count; i++)
        threads[i] = study->launches[i].threads;
    for (size_t i = 0; i < study->launch_count; i += thread_count)
        blocks[block_count++] = study->launches[i].blocks;
    if (!sweep_text(blocks, block_count, block_text) || !sweep_text(threads, thread_count, thread_text)) {
        for (size_t i = 0; i < study->launch_count; i++)
            text_append(&writer->comments, "# launch %u x %u\n", study->launches[i].blocks, study->launches[i].threads);
        return;
    }
    put_word(writer, "launch");
    open_mapping(writer, YAML_FLOW_MAPPING_STYLE);
    put_pair(writer, "blocks", block_text, false);
    put_pair(writer, "threads", thread_text, false);
    close_mapping(writer);
}

/* ---- the parts of a study ---- */

/* Those that the methods come from. */
static void put_plugins(struct writer *writer, const struct study *study)
{
    const struct plugin *last = NULL;
    for (size_t i = 0; i < study->method_count; i++) {
        const struct plugin *plugin = study->methods[i]->plugin;
        const struct plugin_name name = plugin_name(plugin);
        bool is_new = plugin && plugin != last;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = study->methods[k]->plugin != plugin;
        if (!is_new)
            continue;
        if (!last) {
            put_word(writer, "plugins");
            open_list(writer, YAML_BLOCK_SEQUENCE_STYLE);
        }
        open_mapping(writer, YAML_FLOW_MAPPING_STYLE);
        put_pair(writer, name.flag, name.text, true);
        close_mapping(writer);
        last = plugin;
    }
    if (last)
        close_list(writer);
}

static void put_methods(struct writer *writer, const struct study *study)
{
    put_word(writer, "methods");
    open_list(writer, YAML_FLOW_SEQUENCE_STYLE);
    for (size_t i = 0; i < study->method_count; i++)
        put_word(writer, study->methods[i]->id);
    close_list(writer);
}

/* Of the methods that are left. */
static void put_labels(struct writer *writer, const struct study *study)
{
    bool is_open = false;
    for (size_t i = 0; i < study->label_count; i++)
        for (size_t m = 0; m < study->method_count; m++) {
            if (strcmp(study->labels[i].method, study->methods[m]->id) != 0)
                continue;
            if (!is_open) {
                put_word(writer, "label");
                open_mapping(writer, YAML_BLOCK_MAPPING_STYLE);
            }
            is_open = true;
            put_pair(writer, study->labels[i].method, study->labels[i].text, true);
        }
    if (is_open)
        close_mapping(writer);
}

static void put_across(struct writer *writer, uint32_t across)
{
    if (!across)
        return;
    put_word(writer, "across");
    open_list(writer, YAML_FLOW_SEQUENCE_STYLE);
    for (int axis = 0; axis < AXES; axis++)
        if (across >> axis & 1)
            put_word(writer, axis_table[axis].id);
    close_list(writer);
}

static bool is_clean(const char *text)
{
    return !text || is_clean_text(text);
}

/* Keys for a file and its options; one whose name YAML cannot hold is a spec, which can be shown. */
static void put_entry(struct writer *writer, const struct study *study, size_t index)
{
    const struct study_entry *entry = &study->entries[index];
    const struct data_spec *spec = &entry->specs[0];
    open_mapping(writer, YAML_FLOW_MAPPING_STYLE);
    if (spec->path && !spec->second && is_clean(spec->path) && is_clean(spec->options.column) &&
        is_clean(spec->options.array)) {
        put_pair(writer, "file", spec->path, true);
        data_spec_each_option(spec, put_pair, writer);
    } else {
        put_pair(writer, "spec", entry->text, true);
    }
    if (data_spec_is_random(spec)) /* of others the study says it */
        put_count(writer, "trials", entry->trials);
    close_mapping(writer);
    if (spec->path && *entry->file_hash)
        text_append(&writer->comments, "# sha256 of entry %zu of data: %s\n", index + 1, entry->file_hash);
    if (study_second_path(entry) && *entry->second_hash)
        text_append(&writer->comments, "# sha256 of entry %zu of data, second vector: %s\n", index + 1,
                    entry->second_hash);
}

static void put_study(struct writer *writer, const struct study *study)
{
    open_mapping(writer, YAML_BLOCK_MAPPING_STYLE);
    put_pair(writer, "schema", "ulpscope-study/1", false);
    if (study->title && *study->title)
        put_pair(writer, "title", study->title, true);
    put_plugins(writer, study);
    put_methods(writer, study);
    put_labels(writer, study);
    put_launch(writer, study);
    put_count(writer, "seed", study->seed);
    put_count(writer, "repeats", study->repeats);
    if (study->permutations != PERMUTATIONS_BY_RULE)
        put_count(writer, "permutations", study->permutations);
    put_across(writer, study->across);
    if (study->nonfinite != NONFINITE_REFUSE)
        put_pair(writer, "nonfinite", nonfinite_words[study->nonfinite], false);
    put_word(writer, "data");
    open_list(writer, YAML_BLOCK_SEQUENCE_STYLE);
    for (size_t i = 0; i < study->entry_count; i++)
        put_entry(writer, study, i);
    close_list(writer);
    close_mapping(writer);
}

static void put_document(struct writer *writer, const struct study *study)
{
    yaml_event_t event;
    emit(writer, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING), &event);
    emit(writer, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1), &event);
    put_study(writer, study);
    emit(writer, yaml_document_end_event_initialize(&event, 1), &event);
    emit(writer, yaml_stream_end_event_initialize(&event), &event);
    if (!yaml_emitter_flush(&writer->emitter))
        memory_ran_out();
}

static void put_comments(struct writer *writer, const struct study *study)
{
    if (study->first_trial > 0)
        text_append(&writer->comments, "# only trial %" PRIu64 ": run it with --trial %" PRIu64 "\n",
                    study->first_trial, study->first_trial);
    if (writer->cleaned)
        text_append(&writer->comments, "# bytes that are not UTF-8 stand as ?\n");
}

char *study_yaml(const struct study *study)
{
    struct writer writer = {.cleaned = false};
    if (!yaml_emitter_initialize(&writer.emitter))
        memory_ran_out();
    yaml_emitter_set_output(&writer.emitter, append, &writer);
    yaml_emitter_set_unicode(&writer.emitter, 1);
    yaml_emitter_set_width(&writer.emitter, -1); /* no line is broken */
    put_document(&writer, study);
    yaml_emitter_delete(&writer.emitter);
    put_comments(&writer, study);
    OWNED char *comments = text_take(&writer.comments), *yaml = text_take(&writer.yaml);
    return text_made("%s%s", comments, yaml);
}
