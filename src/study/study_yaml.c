/* Words stand as they are, and a text of people in double quotes.
 *
 *   # sha256 of entry 2 of data: 9f86d0...
 *   schema: ulpscope-study/1
 *   title: "Four classic sums"
 *   methods: [plain/serial, 'dot:kahan/tree_two_pass']
 *   launch: {blocks: 32..1024*2, threads: 256}
 *   seed: 1
 *   repeats: 1
 *   permutations: 100
 *   data:
 *   - {spec: "uniform:n=1Ki..1Mi*32", trials: 100}
 *   - {file: "x.csv"}
 */
#include "study.h"

struct writer {
    struct text comments, yaml;
    const char *separator; /* in front of the next of a list or mapping on one line */
    bool cleaned;          /* bytes that YAML cannot hold were replaced */
};

/* ---- texts ---- */

/* Of UTF-8, which YAML is, the bytes of a character, and its code; 0: file names are bytes, which may be none. */
static size_t read_character(const char *text, uint32_t *code)
{
    const unsigned char first = (unsigned char)*text;
    const size_t bytes = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    *code = bytes > 1 ? first & (0x7fu >> bytes) : first;
    for (size_t i = 1; i < bytes; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | ((unsigned char)text[i] & 0x3f);
    }
    return bytes;
}

static void put_quoted(struct writer *writer, const char *text)
{
    text_append(&writer->yaml, "\"");
    for (size_t bytes; *text; text += bytes > 0 ? bytes : 1) {
        uint32_t code;
        bytes = read_character(text, &code);
        OWNED char *character = text_made("%.*s", (int)bytes, text);
        if (bytes == 0)
            text_append(&writer->yaml, "?");
        else if (code == '"' || code == '\\')
            text_append(&writer->yaml, "\\%s", character);
        else if (code == '\n')
            text_append(&writer->yaml, "\\n");
        else if (is_clean_text(character))
            text_append(&writer->yaml, "%s", character);
        else
            text_append(&writer->yaml, code < 0x10000 ? "\\u%04X" : "\\U%08X", code);
        writer->cleaned |= bytes == 0;
    }
    text_append(&writer->yaml, "\"");
}

/* Between brackets a colon is YAML's. */
static void put_word(struct writer *writer, const char *word)
{
    const char *quote = strchr(word, ':') ? "'" : "";
    text_append(&writer->yaml, "%s%s%s%s", writer->separator, quote, word, quote);
    writer->separator = ", ";
}

static void put_item(void *to, const char *key, const char *text, bool is_quoted)
{
    struct writer *writer = to;
    OWNED char *begin = text_made("%s%s: ", writer->separator, key);
    writer->separator = begin;
    if (!is_quoted) {
        put_word(writer, text);
        return;
    }
    text_append(&writer->yaml, "%s", begin);
    put_quoted(writer, text);
    writer->separator = ", ";
}

static void put_line(struct writer *writer, const char *key, const char *text, bool is_quoted)
{
    writer->separator = "";
    put_item(writer, key, text, is_quoted);
    text_append(&writer->yaml, "\n");
}

static void put_count(struct writer *writer, const char *key, uint64_t count)
{
    text_append(&writer->yaml, "%s: %" PRIu64 "\n", key, count);
}

/* "methods: [", "- {"; then come words or items. */
static void open_line(struct writer *writer, const char *begin)
{
    text_append(&writer->yaml, "%s", begin);
    writer->separator = "";
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
    text_append(&writer->yaml, "launch: {blocks: %s, threads: %s}\n", block_text, thread_text);
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
        open_line(writer, last ? "- {" : "plugins:\n- {");
        put_item(writer, name.flag, name.text, true);
        text_append(&writer->yaml, "}\n");
        last = plugin;
    }
}

static void put_methods(struct writer *writer, const struct study *study)
{
    open_line(writer, "methods: [");
    for (size_t i = 0; i < study->method_count; i++)
        put_word(writer, study->methods[i]->id);
    text_append(&writer->yaml, "]\n");
}

/* Of the methods that are left. */
static void put_labels(struct writer *writer, const struct study *study)
{
    bool is_open = false;
    for (size_t i = 0; i < study->label_count; i++)
        for (size_t m = 0; m < study->method_count; m++) {
            if (strcmp(study->labels[i].method, study->methods[m]->id) != 0)
                continue;
            text_append(&writer->yaml, is_open ? "  " : "label:\n  ");
            is_open = true;
            put_line(writer, study->labels[i].method, study->labels[i].text, true);
        }
}

static void put_across(struct writer *writer, uint32_t across)
{
    if (!across)
        return;
    open_line(writer, "across: [");
    for (int axis = 0; axis < AXES; axis++)
        if (across >> axis & 1)
            put_word(writer, axis_table[axis].id);
    text_append(&writer->yaml, "]\n");
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
    open_line(writer, "- {");
    if (spec->path && !spec->second && is_clean(spec->path) && is_clean(spec->options.column) &&
        is_clean(spec->options.array)) {
        put_item(writer, "file", spec->path, true);
        data_spec_each_option(spec, put_item, writer);
    } else {
        put_item(writer, "spec", entry->text, true);
    }
    if (data_spec_is_random(spec)) /* of others the study says it */
        text_append(&writer->yaml, ", trials: %" PRIu64, entry->trials);
    text_append(&writer->yaml, "}\n");
    if (spec->path && *entry->file_hash)
        text_append(&writer->comments, "# sha256 of entry %zu of data: %s\n", index + 1, entry->file_hash);
    if (study_second_path(entry) && *entry->second_hash)
        text_append(&writer->comments, "# sha256 of entry %zu of data, second vector: %s\n", index + 1,
                    entry->second_hash);
}

static void put_study(struct writer *writer, const struct study *study)
{
    text_append(&writer->yaml, "schema: ulpscope-study/1\n");
    if (study->title && *study->title)
        put_line(writer, "title", study->title, true);
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
        put_line(writer, "nonfinite", nonfinite_words[study->nonfinite], false);
    text_append(&writer->yaml, "data:\n");
    for (size_t i = 0; i < study->entry_count; i++)
        put_entry(writer, study, i);
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
    put_study(&writer, study);
    put_comments(&writer, study);
    OWNED char *comments = text_take(&writer.comments), *yaml = text_take(&writer.yaml);
    return text_made("%s%s", comments, yaml);
}
