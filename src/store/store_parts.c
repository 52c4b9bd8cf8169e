#include "store_parts.h"

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

/* "shards 2, 5-7 are missing, shard 9 is incomplete"; the first of them for an example. */
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

static enum status look_for_all(struct parts *parts, bool partial)
{
    uint64_t example;
    OWNED char *lacking = tell_lacking(parts, &example);
    parts->is_incomplete = *lacking != '\0';
    if (parts->is_incomplete) {
        OWNED char *command = command_of(&parts->list[0], example);
        complain("%s: %" PRIu64 " of %" PRIu64 " cases lack%s; expected all %" PRIu64
                 " shards; `%s` measures one, with --resume where it was begun%s",
                 lacking, parts->lacking, parts->list[0].cases, parts->lacking > 0 ? "" : ", but axes or speeds do",
                 parts->shards, command, partial ? "" : "; --partial makes an incomplete run of what is here");
    }
    return parts->is_incomplete && !partial ? NOT_MEASURED : OK;
}

/* ---- all ---- */

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
    return look_for_all(parts, merge->partial);
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
