#include "store_parts.h"
#include "src/base/list.h"

#include <sys/resource.h>

/* ---- one ---- */

static enum status take_pair(void *context, sqlite3_stmt *row)
{
    struct part *part = context;
    const char *key = store_text(row, 0), *value = store_text(row, 1);
    if (strcmp(key, "identity") == 0)
        part->identity = memory_copy(value);
    else if (strcmp(key, "whole") == 0)
        part->whole = memory_copy(value);
    else if (strcmp(key, "cases") == 0)
        part->cases = strtoull(value, NULL, 10); /* which was verified */
    else if (strcmp(key, "ended") == 0)
        part->ended = true;
    else if (strcmp(key, "shard") == 0)
        return shard_read(value, part->path, &part->shard);
    return OK;
}

/* The identity of the whole run is that of a shard, but for the line about the shard. */
static void forget_shard(struct part *part)
{
    char shard[SHARD_TEXT];
    shard_text(part->shard, shard);
    char *line = text_made("\n" STUDY_SHARD "%s\n", shard), *at = strstr(part->identity, line);
    if (at) {
        char *whole =
            text_made("%.*s\n" STUDY_SHARD "1/1\n%s", (int)(at - part->identity), part->identity, at + strlen(line));
        free(part->identity);
        part->identity = whole;
    }
    free(line);
}

/* A thousand caches of the usual 2 MB would be two gigabytes. */
static enum status open_part(struct part *part)
{
    TRY(store_open_to_read(part->path, &part->store));
    TRY(store_execute(part->store, "PRAGMA cache_size = -64"));
    TRY(store_each_line(part->store, "SELECT key, value FROM run", take_pair, part));
    if (!part->identity)
        return store_damaged(part->store, "it lacks the identity of its run");
    forget_shard(part);
    return OK;
}

/* ---- whether they belong together ---- */

static void name_part(const struct part *part, char text[2 * SHARD_TEXT])
{
    char shard[SHARD_TEXT];
    shard_text(part->shard, shard);
    snprintf(text, 2 * SHARD_TEXT, shard_is_part(part->shard) ? "shard %s" : "a whole run", shard);
}

static enum status compare(const struct part *first, const struct part *part)
{
    char difference[DIFFERENCE_SIZE], one[2 * SHARD_TEXT], other[2 * SHARD_TEXT];
    if (strcmp(first->identity, part->identity) != 0) {
        store_find_difference(first->identity, part->identity, difference);
        return bad_input("%s and %s are of different studies, devices or versions: %s; expected shards of one run; "
                         "name those that belong together",
                         first->path, part->path, difference);
    }
    name_part(first, one);
    name_part(part, other);
    if (first->shard.count == part->shard.count)
        return OK;
    return bad_input("%s is %s, %s is %s; expected shards K/N of one N; name those that belong together", first->path,
                     one, part->path, other);
}

static int by_number(const void *a, const void *b)
{
    const struct part *one = a, *other = b;
    return (one->shard.number > other->shard.number) - (one->shard.number < other->shard.number);
}

static enum status refuse_doubles(const struct parts *parts)
{
    for (size_t i = 0; i + 1 < parts->count; i++) {
        char name[2 * SHARD_TEXT];
        if (parts->list[i].shard.number != parts->list[i + 1].shard.number)
            continue;
        name_part(&parts->list[i], name);
        return bad_input("%s and %s are both %s; expected each shard once; leave one of them out", parts->list[i].path,
                         parts->list[i + 1].path, name);
    }
    return OK;
}

/* ---- what lacks ---- */

static uint64_t lacking_in(const struct part *part)
{
    const uint64_t share = shard_share(part->shard, part->cases), has = store_case_count(part->store);
    return share > has ? share - has : 0;
}

static bool is_done(const struct part *part)
{
    return lacking_in(part) == 0 && (part->ended || !part->whole);
}

static void append_list(struct text *text, struct shard_list *list, const char *what)
{
    const bool is_one = list->count == 1, any = list->count > 0;
    OWNED char *numbers = shard_list_take(list);
    if (any)
        text_append(text, "%sshard%s %s %s %s", text->text ? ", " : "", is_one ? "" : "s", numbers,
                    is_one ? "is" : "are", what);
}

/* "shards 2, 5-7 are missing, shard 9 is incomplete"; the first of them for an example; "": nothing lacks. */
static char *tell_lacking(struct parts *parts, uint64_t *example)
{
    struct text text = {0};
    struct shard_list missing = {0}, incomplete = {0};
    size_t i = 0;
    *example = 0;
    for (uint64_t number = 1; number <= parts->shards; number++) {
        const bool is_there = i < parts->count && parts->list[i].shard.number == number;
        if (is_there && is_done(&parts->list[i++]))
            continue;
        shard_list_add(is_there ? &incomplete : &missing, number);
        parts->lacking += is_there ? lacking_in(&parts->list[i - 1])
                                   : shard_share((struct shard){number, parts->shards}, parts->list[0].cases);
        *example = *example == 0 ? number : *example;
    }
    append_list(&text, &missing, "missing");
    append_list(&text, &incomplete, "incomplete");
    return text_take(&text);
}

/* What measures a shard: the command of the whole with its folder, and --shard. */
static char *command_of(const struct part *part, uint64_t number)
{
    const char *whole = part->whole ? part->whole : "ulpscope run STUDY -o \037";
    const size_t before = strcspn(whole, (char[]){STORE_FOLDER, '\0'});
    return text_made("%.*sDIR%s --shard %" PRIu64 "/%" PRIu64, (int)before, whole,
                     whole[before] ? whole + before + 1 : "", number, part->shard.count);
}

static enum status look_for_all(struct parts *parts)
{
    uint64_t example;
    OWNED char *lacking = tell_lacking(parts, &example);
    if (*lacking == '\0')
        return OK;
    OWNED char *command = command_of(&parts->list[0], example);
    return not_measured("%s: %" PRIu64 " of %" PRIu64 " cases lack%s; expected all %" PRIu64
                        " shards; `%s` measures one, with --resume where it was begun",
                        lacking, parts->lacking, parts->list[0].cases,
                        parts->lacking > 0 ? "" : ", but axes or speeds do", parts->shards, command);
}

/* All are open together, with a log and its index each where a run was killed. */
static void allow_files(size_t parts)
{
    enum { FILES_EACH = 3, FILES_BESIDE = 64 };
    struct rlimit limit;
    const rlim_t wanted = (rlim_t)(parts * FILES_EACH + FILES_BESIDE);
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit); /* or opening says what is wrong */
}

enum status parts_open(struct parts *parts, const struct merge *merge)
{
    *parts = (struct parts){.list = memory_cleared(merge->count + 1, sizeof *parts->list)};
    allow_files(merge->count);
    for (size_t i = 0; i < merge->count; i++) {
        struct part *part = &parts->list[parts->count++];
        *part = (struct part){.path = merge->parts[i], .shard = {1, 1}};
        TRY(open_part(part));
        TRY(compare(&parts->list[0], part));
    }
    qsort(parts->list, parts->count, sizeof *parts->list, by_number);
    parts->shards = parts->list[0].shard.count;
    TRY(refuse_doubles(parts));
    return look_for_all(parts);
}

void parts_close(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        (void)store_close(parts->list[i].store); /* which was only read */
        free_all(parts->list[i].identity, parts->list[i].whole);
    }
    free(parts->list);
    *parts = (struct parts){0};
}

/* The facts of a run that was measured in parts. */

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
            complain("label \"%s\" of %s: %s has it in another shard, and keeps it", chosen(label), label->name,
                     facts->list[i].name);
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
