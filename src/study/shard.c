#include "shard.h"

enum status shard_read(const char *text, const char *where, struct shard *shard)
{
    enum { DIGITS_MOST = 7 };
    char number[DIGITS_MOST + 1];
    const size_t length = strcspn(text, "/");
    const bool has_both = length <= DIGITS_MOST && text[length] == '/';
    snprintf(number, sizeof number, "%.*s", has_both ? (int)length : 0, text);
    if (has_both && !read_size(number, &shard->number) && !read_size(text + length + 1, &shard->count) &&
        shard->number >= 1 && shard->number <= shard->count && shard->count <= SHARDS_MOST)
        return OK;
    return bad_input("%s: \"%s\" is no shard; expected K/N, the K-th of N, with K from 1 to N and N up to %d", where,
                     text, SHARDS_MOST);
}

bool shard_is_part(struct shard shard)
{
    return shard.count > 1;
}

void shard_text(struct shard shard, char text[SHARD_TEXT])
{
    const bool is_part = shard_is_part(shard);
    snprintf(text, SHARD_TEXT, "%" PRIu64 "/%" PRIu64, is_part ? shard.number : 1, is_part ? shard.count : 1);
}

/* Each round begins one further on, or a sweep of as many values as there are shards would give one of them all that is
 * large. */
uint64_t shard_number_of(uint64_t index, uint64_t count)
{
    return (index + index / count) % count + 1;
}

bool shard_has(struct shard shard, uint64_t index)
{
    return !shard_is_part(shard) || shard_number_of(index, shard.count) == shard.number;
}

uint64_t shard_share(struct shard shard, uint64_t total)
{
    if (!shard_is_part(shard))
        return total;
    const uint64_t rounds = total / shard.count;
    const uint64_t place =
        (shard.number - 1 + shard.count - rounds % shard.count) % shard.count; /* in the next round */
    return rounds + (place < total % shard.count);
}

static void write_range(struct shard_list *list)
{
    if (list->count == 0)
        return;
    text_append(&list->text, "%s%" PRIu64, list->text.text ? ", " : "", list->first);
    if (list->last > list->first)
        text_append(&list->text, "%s%" PRIu64, list->last == list->first + 1 ? ", " : "-", list->last);
}

void shard_list_add(struct shard_list *list, uint64_t number)
{
    const bool follows = list->count > 0 && number == list->last + 1;
    if (!follows) {
        write_range(list);
        list->first = number;
    }
    list->last = number;
    list->count++;
}

char *shard_list_take(struct shard_list *list)
{
    write_range(list);
    list->count = 0;
    return text_take(&list->text);
}
