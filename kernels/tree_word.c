#include "tree_word.h"

#include "replay.h"

#include "src/base/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
    [TREE_OF_ANY_ORDER] = "",
    [TREE_OF_HEIGHT] = "height",
    [TREE_OF_BLOCKS] = "blocked",
    [TREE_OF_CHAINS] = "chains",
#define ORDER(id, determinism, slow_above, rows, claim) #id,
#include "orders.def"
};
enum { WORDS = sizeof words / sizeof *words };

/* ---- reading ---- */

static bool refuse(const char *text, const char *wrong, const char *near, char why[TREE_WHY_SIZE])
{
    snprintf(why, TREE_WHY_SIZE, "\"%.40s\" %s; expected " TREE_WORDS "%s%s%s", text, wrong,
             near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return false;
}

/* A whole number from 1 to `most`; *end is what follows it. */
static bool read_whole(const char *text, uint64_t most, uint64_t *number, char **end)
{
    *number = isdigit((unsigned char)*text) ? strtoull(text, end, 10) : 0;
    return *number >= 1 && *number <= most;
}

/* "120x256" */
static bool read_launch(const char *text, struct launch *launch)
{
    uint64_t blocks, threads;
    char *end;
    if (!read_whole(text, LAUNCH_BLOCKS_MOST, &blocks, &end) || *end != 'x' ||
        !read_whole(end + 1, LAUNCH_THREADS_MOST, &threads, &end) || *end != '\0')
        return false;
    *launch = (struct launch){(uint32_t)blocks, (uint32_t)threads};
    return true;
}

static size_t word_of(const char *text, size_t length, size_t first)
{
    size_t i = first;
    while (i < WORDS && (strlen(words[i]) != length || memcmp(words[i], text, length) != 0))
        i++;
    return i;
}

bool tree_word_read(const char *text, struct tree_word *word, char why[TREE_WHY_SIZE])
{
    enum { NAME_MOST = 40 };
    const size_t length = strcspn(text, "=");
    const char *value = text[length] == '=' ? text + length + 1 : "";
    const bool is_whole = *value && !strchr(value, 'x'); /* blocked, and blocked=120x256, is the order */
    char name[NAME_MOST + 1], *end;
    size_t i = word_of(text, length, is_whole ? TREE_OF_HEIGHT : TREE_OF_ORDER);
    i = i < WORDS ? i : word_of(text, length, TREE_OF_HEIGHT);
    snprintf(name, sizeof name, "%.*s", length < NAME_MOST ? (int)length : NAME_MOST, text);
    *word = (struct tree_word){.kind = TREE_OF_ORDER};
    if (i == WORDS)
        return refuse(text, "is no word of a tree", suggest(name, &words[TREE_OF_HEIGHT], WORDS - TREE_OF_HEIGHT), why);
    if (i >= TREE_OF_ORDER) {
        word->order = words[i];
        return text[length] == '\0' || read_launch(value, &word->launch) ||
               refuse(text, "has no launch of blocks x threads", NULL, why);
    }
    word->kind = (unsigned)i;
    return (read_whole(value, UINT64_C(1) << 53, &word->number, &end) && *end == '\0') ||
           refuse(text, "has no whole number from 1 on", NULL, why);
}

/* ---- heights ---- */

/* The sums of blocks, or of chains, are added one after another: no order of theirs is higher.  Chains are as long as
 * each other, and what is left comes after them. */
static uint64_t height_of(const struct tree_word *word, uint64_t n)
{
    const uint64_t number = word->number < n ? word->number : n;
    switch (word->kind) {
    case TREE_OF_HEIGHT:
        return word->number < n ? word->number + 1 : n;
    case TREE_OF_BLOCKS:
        return number + (n - 1) / number;
    case TREE_OF_CHAINS:
        return n / number + (number - 1) + n % number;
    default:
        return n;
    }
}

bool tree_word_tree(const struct tree_word *word, uint64_t n, struct launch launch, const struct format *stored,
                    struct plain_tree *tree, char why[TREE_WHY_SIZE])
{
    if (word->kind == TREE_OF_ORDER) {
        const struct launch at = word->launch.blocks > 0 ? word->launch : launch;
        char reason[REASON_SIZE];
        if (order_tree(word->order, n, (struct thread_grid){at.blocks, at.threads, 16 / stored->bytes}, tree, reason))
            return true;
        snprintf(why, TREE_WHY_SIZE, "%s does not fit: %s", word->order, reason);
        return false;
    }
    *tree = (struct plain_tree){.height = n > 0 ? height_of(word, n) : 0};
    if (word->kind != TREE_OF_HEIGHT || word->number >= 63 || n <= UINT64_C(1) << word->number)
        return true;
    uint64_t least = word->number;
    while (least < 64 && (n - 1) >> least > 0)
        least++;
    snprintf(why, TREE_WHY_SIZE, "no tree of height %llu has %llu numbers; expected height=%llu at least",
             (unsigned long long)word->number, (unsigned long long)n, (unsigned long long)least);
    return false;
}

const char *tree_word_lower(size_t i, uint64_t n, const struct format *stored, struct plain_tree *tree)
{
    static const struct tree_word lower[] = {{.kind = TREE_OF_ORDER, .order = "pairwise"},
                                             {.kind = TREE_OF_ORDER, .order = "pairwise_1"}};
    const struct launch usual = {TREE_BLOCKS, TREE_THREADS};
    char why[TREE_WHY_SIZE];
    return i < 2 && tree_word_tree(&lower[i], n, usual, stored, tree, why) ? lower[i].order : NULL;
}
