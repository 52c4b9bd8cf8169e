/* The facts of a run that was measured in parts. */
#include "src/base/list.h"
#include "store_parts.h"

/* What shards say of one thing. */
struct value {
    char *text;
    struct shard_list shards;
};

struct fact {
    char *topic, *name;
    struct value *values;
    size_t value_count, value_room;
};

struct facts {
    struct fact *list;
    size_t count, room;
    uint64_t shard; /* whose are visited */
};

/* ---- gathering ---- */

static struct fact *fact_of(struct facts *facts, const char *topic, const char *name)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->list[i].topic, topic) == 0 && strcmp(facts->list[i].name, name) == 0)
            return &facts->list[i];
    facts->list = list_short(facts->list, facts->count, &facts->room, sizeof *facts->list);
    struct fact *fact = &facts->list[facts->count++];
    *fact = (struct fact){.topic = memory_copy(topic), .name = memory_copy(name)};
    return fact;
}

static enum status gather(void *context, const char *topic, const char *name, const char *text)
{
    struct facts *facts = context;
    struct fact *fact = fact_of(facts, topic, name);
    size_t i = 0;
    while (i < fact->value_count && strcmp(fact->values[i].text, text) != 0)
        i++;
    if (i == fact->value_count) {
        fact->values = list_short(fact->values, fact->value_count, &fact->value_room, sizeof *fact->values);
        fact->values[fact->value_count++] = (struct value){.text = memory_copy(text)};
    }
    shard_list_add(&fact->values[i].shards, facts->shard);
    return OK;
}

/* What is said of the shard alone: its number, its part of what was not measured, how it was called. */
static bool is_of_shard(const char *topic, const char *name)
{
    static const char *const names[] = {"shard", "command", "resumed by", "not measured"};
    for (size_t i = 0; i < sizeof names / sizeof *names && strcmp(topic, "run") == 0; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static enum status gather_fact(void *context, const char *topic, const char *name, const char *text)
{
    return is_of_shard(topic, name) ? OK : gather(context, topic, name, text);
}

/* As an unsharded run writes it. */
static char *command_of_whole(const struct part *part, const char *directory)
{
    struct text command = {0};
    const size_t before = strcspn(part->whole, (char[]){STORE_FOLDER, '\0'});
    text_append(&command, "%.*s", (int)before, part->whole);
    if (part->whole[before] == '\0')
        return text_take(&command);
    text_append_shell_word(&command, directory ? directory : "DIR");
    text_append(&command, "%s", part->whole + before + 1);
    return text_take(&command);
}

static enum status gather_all(const struct parts *parts, const char *directory, struct facts *facts)
{
    for (size_t i = 0; i < parts->count; i++) {
        const struct part *part = &parts->list[i];
        facts->shard = part->shard.number;
        TRY(store_each_fact(part->store, part->whole ? gather_fact : gather, facts));
        if (!part->whole)
            continue;
        OWNED char *command = command_of_whole(part, directory);
        TRY(gather(facts, "run", "command", command));
    }
    return OK;
}

/* ---- putting ---- */

static int by_text(const void *a, const void *b)
{
    const struct value *one = a, *other = b;
    return strcmp(one->text, other->text);
}

/* "AMD EPYC 7543 (shards 1-8), Intel Xeon 8468 (9-16)"; of many, as dates are, the ends. */
static char *tell_values(struct fact *fact)
{
    enum { TOLD_MOST = 4 };
    struct text text = {0};
    if (fact->value_count > TOLD_MOST) {
        qsort(fact->values, fact->value_count, sizeof *fact->values, by_text);
        text_append(&text, "%zu, from %s to %s", fact->value_count, fact->values[0].text,
                    fact->values[fact->value_count - 1].text);
        return text_take(&text);
    }
    for (size_t i = 0; i < fact->value_count; i++) {
        OWNED char *shards = shard_list_take(&fact->values[i].shards);
        text_append(&text, "%s%s (%s%s)", i > 0 ? ", " : "", fact->values[i].text, i > 0 ? "" : "shards ", shards);
    }
    return text_take(&text);
}

/* A run begins when its first shard does. */
static const char *chosen(const struct fact *fact)
{
    const char *text = fact->values[0].text;
    for (size_t i = 1; i < fact->value_count && strcmp(fact->name, "date") == 0; i++)
        text = strcmp(fact->values[i].text, text) < 0 ? fact->values[i].text : text;
    return text;
}

/* What was resumed is a fact of the shards alone. */
static enum status put(struct fact *fact, struct store *store)
{
    const bool was_resumed = strcmp(fact->topic, "run") == 0 && strcmp(fact->name, "resumed on") == 0;
    if (!was_resumed)
        TRY(store_put_fact(store, fact->topic, fact->name, chosen(fact)));
    if (fact->value_count < 2 && !was_resumed)
        return OK;
    OWNED char *name = text_made("%s: %s", fact->topic, fact->name), *values = tell_values(fact);
    return store_put_fact(store, "shards", name, values);
}

/* Whether a label is that of another method in a shard before: studies differ in their labels without being others. */
static bool is_taken(const struct facts *facts, size_t index)
{
    const struct fact *label = &facts->list[index];
    for (size_t i = 0; i < index && strcmp(label->topic, "label") == 0; i++)
        if (strcmp(facts->list[i].topic, "label") == 0 && strcmp(chosen(&facts->list[i]), chosen(label)) == 0) {
            complain("label \"%s\" of %s: %s has it in another shard, and keeps it; `ulpscope report --label` gives "
                     "others",
                     chosen(label), label->name, facts->list[i].name);
            return true;
        }
    return false;
}

static void free_facts(struct facts *facts)
{
    for (size_t i = 0; i < facts->count; i++) {
        struct fact *fact = &facts->list[i];
        for (size_t v = 0; v < fact->value_count; v++)
            free_all(fact->values[v].text, fact->values[v].shards.text.text);
        free_all(fact->values, fact->topic, fact->name);
    }
    free(facts->list);
}

enum status parts_put_facts(const struct parts *parts, const char *directory, struct store *store)
{
    struct facts facts = {0};
    char missing[64];
    enum status status = gather_all(parts, directory, &facts);
    for (size_t i = 0; i < facts.count && status == OK; i++)
        status = is_taken(&facts, i) ? OK : put(&facts.list[i], store);
    free_facts(&facts);
    if (status != OK || parts->lacking == 0)
        return status;
    snprintf(missing, sizeof missing, "%" PRIu64 " of %" PRIu64 " cases, in whole or in part", parts->lacking,
             parts->list[0].cases);
    return store_put_fact(store, "run", "not measured", missing);
}
