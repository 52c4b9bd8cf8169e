/* A part of a study, for one of several machines: shard 3/16 is the third of sixteen.  What it has of the study is
 * dealt out: of each N cases in their order every shard has one, so that all have their share of each family and n. */
#pragma once

#include "src/base/base.h"

enum { SHARDS_MOST = 1000000 };

/* Zeroed, it is 1/1: the whole. */
struct shard {
    uint64_t number, count; /* number: from 1 */
};

/* "3/16".  BAD_INPUT for what is none; `where` starts the complaint. */
enum status shard_read(const char *text, const char *where, struct shard *shard);

/* As it is read: "3/16", "1/1". */
enum { SHARD_TEXT = 48 };
void shard_text(struct shard shard, char text[SHARD_TEXT]);

/* Whether it is one of several. */
bool shard_is_part(struct shard shard);

/* Of `count` shards, the number of the one that has the index. */
uint64_t shard_number_of(uint64_t index, uint64_t count);

bool shard_has(struct shard shard, uint64_t index);

/* How many of the indices below `total` it has. */
uint64_t shard_share(struct shard shard, uint64_t total);

/* "2, 5-7": numbers in rising order, added one by one; zeroed, none. */
struct shard_list {
    struct text text;
    uint64_t first, last; /* of the range that is not in the text yet */
    size_t count;
};
void shard_list_add(struct shard_list *list, uint64_t number);

/* Its text, which the caller frees; nothing is added then. */
char *shard_list_take(struct shard_list *list);
