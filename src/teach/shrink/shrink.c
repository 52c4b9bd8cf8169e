#include "simplify.h"

#include "src/base/base.h"

#include <sys/param.h>

/* ---- a witness ---- */

static enum status make_room(uint64_t n, uint64_t width, struct shrunken *witness)
{
    *witness = (struct shrunken){
        .n = n,
        .width = width,
        .index = malloc((n + 1) * sizeof *witness->index),
        .was = malloc((n * width + 1) * sizeof *witness->was),
        .x = malloc((n * width + 1) * sizeof *witness->x),
    };
    if (witness->index && witness->was && witness->x)
        return OK;
    shrunken_free(witness);
    return out_of_memory("a witness");
}

enum status shrunken_of(const struct operands *elements, struct shrunken *witness)
{
    const uint64_t n = elements->shape.terms, width = (uint64_t)operation_table[elements->operation].vectors;
    TRY(make_room(n, width, witness));
    for (uint64_t i = 0; i < n; i++)
        witness->index[i] = i;
    for (uint64_t i = 0; i < n * width; i++)
        witness->was[i] = witness->x[i] = held_number(elements->format, elements->arrays[i % width], i / width);
    return OK;
}

enum status shrunken_copy(const struct shrunken *from, struct shrunken *to)
{
    const uint64_t numbers = from->n * from->width;
    TRY(make_room(from->n, from->width, to));
    memcpy(to->index, from->index, from->n * sizeof *to->index);
    memcpy(to->was, from->was, numbers * sizeof *to->was);
    memcpy(to->x, from->x, numbers * sizeof *to->x);
    to->minimal = from->minimal;
    return OK;
}

void shrunken_free(struct shrunken *witness)
{
    free_all(witness->index, witness->was, witness->x);
    *witness = (struct shrunken){0};
}

enum status shrunken_held(const struct shrunken *witness, const struct format *format, uint64_t vector, void **x)
{
    *x = malloc((witness->n + 1) * format_held(format)->bytes);
    if (!*x)
        return out_of_memory("the numbers of a witness");
    for (uint64_t i = 0; i < witness->n; i++)
        held_set(format, *x, i, witness->x[i * witness->width + vector]);
    return OK;
}

static void take_away(struct shrunken *witness, uint64_t first, uint64_t count)
{
    const uint64_t end = first + count, left = witness->n - end, width = witness->width;
    memmove(&witness->index[first], &witness->index[end], left * sizeof *witness->index);
    memmove(&witness->was[first * width], &witness->was[end * width], left * width * sizeof *witness->was);
    memmove(&witness->x[first * width], &witness->x[end * width], left * width * sizeof *witness->x);
    witness->n -= count;
}

/* ---- windows ---- */

enum { WINDOWS = 64 };

struct windows {
    const struct shrunken *witness;
    uint64_t size, count;
};

/* Spread over the data, the first and the last one at its ends. */
static uint64_t window_start(const struct windows *windows, uint64_t k)
{
    const uint64_t last = windows->witness->n - windows->size;
    return windows->count < 2
               ? 0
               : last / (windows->count - 1) * k + last % (windows->count - 1) * k / (windows->count - 1);
}

static uint64_t make_window(const void *from, uint64_t k, double *x)
{
    const struct windows *windows = from;
    const uint64_t width = windows->witness->width;
    memcpy(x, &windows->witness->x[window_start(windows, k) * width], windows->size * width * sizeof *x);
    return windows->size;
}

static enum status keep_window(struct question *question, struct shrunken *witness)
{
    for (uint64_t size = 2; size < witness->n && !question->spent; size += (size + 1) / 2) {
        const uint64_t places = witness->n - size + 1;
        const struct windows windows = {witness, size, places < WINDOWS ? places : WINDOWS};
        uint64_t found;
        TRY(question_first(question, &(struct candidates){windows.count, size, make_window, &windows}, &found));
        if (found == windows.count)
            continue;
        const uint64_t start = window_start(&windows, found);
        take_away(witness, start + size, witness->n - start - size);
        take_away(witness, 0, start);
        return OK;
    }
    return OK;
}

/* ---- removals ---- */

struct pieces {
    const struct shrunken *witness;
    uint64_t from, size;
};

/* Without the piece that starts at from + k size.  Without a piece like the one before it, the numbers are the same. */
static uint64_t make_without_piece(const void *from, uint64_t k, double *x)
{
    const struct pieces *pieces = from;
    const struct shrunken *witness = pieces->witness;
    const uint64_t start = pieces->from + k * pieces->size, count = MIN(pieces->size, witness->n - start);
    const uint64_t width = witness->width, numbers = count * width;
    const double *piece = &witness->x[start * width];
    if (k > 0 && count == pieces->size && memcmp(piece, piece - numbers, numbers * sizeof *piece) == 0)
        return CANDIDATE_SKIPPED;
    memcpy(x, witness->x, start * width * sizeof *x);
    memcpy(&x[start * width], piece + numbers, (witness->n - start - count) * width * sizeof *x);
    return witness->n - count;
}

/* Takes pieces of one size away, from left to right. */
static enum status sweep(struct question *question, struct shrunken *witness, uint64_t size)
{
    for (uint64_t at = 0; at < witness->n && !question->spent;) {
        const struct pieces pieces = {witness, at, size};
        const uint64_t count = (witness->n - at + size - 1) / size;
        uint64_t found;
        TRY(question_first(question, &(struct candidates){count, witness->n, make_without_piece, &pieces}, &found));
        if (found == count)
            return OK;
        at += found * size;
        take_away(witness, at, MIN(size, witness->n - at));
    }
    return OK;
}

static enum status remove_pieces(struct question *question, struct shrunken *witness)
{
    for (uint64_t before = 0; before != witness->n && !question->spent;) {
        before = witness->n;
        for (uint64_t size = (witness->n + 1) / 2; size >= 1; size /= 2)
            TRY(sweep(question, witness, size));
    }
    return OK;
}

/* ---- pairs ---- */

enum { PAIRS_MOST_N = 48 };

static void pair_of(uint64_t n, uint64_t k, uint64_t *i, uint64_t *j)
{
    for (*i = 0; k >= n - 1 - *i; ++*i)
        k -= n - 1 - *i;
    *j = *i + 1 + k;
}

static uint64_t make_without_pair(const void *from, uint64_t k, double *x)
{
    const struct shrunken *witness = from;
    uint64_t i, j, count = 0;
    pair_of(witness->n, k, &i, &j);
    for (uint64_t at = 0; at < witness->n; at++)
        if (at != i && at != j)
            memcpy(&x[count++ * witness->width], &witness->x[at * witness->width], witness->width * sizeof *x);
    return count;
}

static enum status remove_pair(struct question *question, struct shrunken *witness, bool *removed)
{
    const uint64_t n = witness->n, count = n < 2 || n > PAIRS_MOST_N ? 0 : n * (n - 1) / 2;
    uint64_t found, i, j;
    TRY(question_first(question, &(struct candidates){count, n, make_without_pair, witness}, &found));
    *removed = found < count;
    if (*removed) {
        pair_of(n, found, &i, &j);
        take_away(witness, j, 1);
        take_away(witness, i, 1);
    }
    return OK;
}

/* ---- the whole ---- */

enum status shrink(struct question *question, struct shrunken *witness)
{
    witness->minimal = false;
    TRY(keep_window(question, witness));
    for (bool removed = true; removed && !question->spent;) {
        TRY(remove_pieces(question, witness));
        TRY(remove_pair(question, witness, &removed));
    }
    return OK;
}

enum status shrink_verify(struct question *question, struct shrunken *witness)
{
    const struct pieces pieces = {witness, 0, 1};
    uint64_t found;
    TRY(question_first(question, &(struct candidates){witness->n, witness->n, make_without_piece, &pieces}, &found));
    witness->minimal = found == witness->n && !question->spent;
    return OK;
}
