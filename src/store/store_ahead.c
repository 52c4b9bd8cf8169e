#include "src/base/list.h"
#include "store_file.h"

#include <pthread.h>

enum { ROWS = 512, BLOCKS = 8 };

/* Rows, and the texts that they point to. */
struct block {
    struct stored rows[ROWS];
    size_t count;
    char **texts;
    size_t text_count, text_capacity;
};

/* `mutex` guards what stands below it; of the blocks those between `taken` and `filled` belong to who visits. */
struct ahead {
    enum status (*read)(void *reader, row_visit *put, void *context);
    void *reader;
    struct block blocks[BLOCKS];
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t filled, taken; /* so many were handed over, and given back */
    bool is_over, is_stopped;
    enum status status; /* of the reading */
};

/* Most rows of a case have the same. */
static const char *kept(struct block *block, const char *text)
{
    const char *last = block->text_count > 0 ? block->texts[block->text_count - 1] : "";
    if (strcmp(text, last) == 0)
        return last;
    if (*text == '\0')
        return "";
    block->texts = list_short(block->texts, block->text_count, &block->text_capacity, sizeof *block->texts);
    return block->texts[block->text_count++] = memory_copy(text);
}

static void empty(struct block *block)
{
    while (block->text_count > 0)
        free(block->texts[--block->text_count]);
    block->count = 0;
}

/* False: nobody wants more. */
static bool hand_over(struct ahead *ahead)
{
    pthread_mutex_lock(&ahead->mutex);
    ahead->filled++;
    pthread_cond_broadcast(&ahead->changed);
    while (ahead->filled - ahead->taken == BLOCKS && !ahead->is_stopped)
        pthread_cond_wait(&ahead->changed, &ahead->mutex);
    const bool goes_on = !ahead->is_stopped;
    pthread_mutex_unlock(&ahead->mutex);
    return goes_on;
}

/* The status of a reading that nobody wants more of is not looked at. */
static enum status put(void *context, const struct stored *row)
{
    struct ahead *ahead = context;
    struct block *block = &ahead->blocks[ahead->filled % BLOCKS];
    struct stored *copy = &block->rows[block->count++];
    *copy = *row;
    copy->result.digest = kept(block, row->result.digest);
    copy->result.map = kept(block, row->result.map);
    copy->result.exact = kept(block, row->result.exact);
    return block->count < ROWS || hand_over(ahead) ? OK : INTERRUPTED;
}

static void *read_all(void *context)
{
    struct ahead *ahead = context;
    const enum status status = ahead->read(ahead->reader, put, ahead);
    const bool has_more = ahead->blocks[ahead->filled % BLOCKS].count > 0;
    pthread_mutex_lock(&ahead->mutex);
    ahead->status = status;
    ahead->filled += has_more && !ahead->is_stopped;
    ahead->is_over = true;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
    return NULL;
}

/* NULL: there are no more. */
static struct block *next_block(struct ahead *ahead)
{
    pthread_mutex_lock(&ahead->mutex);
    while (ahead->taken == ahead->filled && !ahead->is_over)
        pthread_cond_wait(&ahead->changed, &ahead->mutex);
    struct block *block = ahead->taken < ahead->filled ? &ahead->blocks[ahead->taken % BLOCKS] : NULL;
    pthread_mutex_unlock(&ahead->mutex);
    return block;
}

static void give_back(struct ahead *ahead, struct block *block, bool stops)
{
    empty(block);
    pthread_mutex_lock(&ahead->mutex);
    ahead->taken++;
    ahead->is_stopped = stops;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
}

static enum status visit_all(struct ahead *ahead, row_visit *visit, void *context)
{
    enum status status = OK;
    struct block *block;
    while (status == OK && (block = next_block(ahead))) {
        for (size_t i = 0; i < block->count && status == OK; i++)
            status = visit(context, &block->rows[i]);
        give_back(ahead, block, status != OK);
    }
    return status;
}

enum status read_ahead(enum status (*read)(void *reader, row_visit *put, void *context), void *reader, row_visit *visit,
                       void *context)
{
    OWNED struct ahead *ahead = memory_cleared(1, sizeof *ahead);
    pthread_t thread;
    enum status status = OK;
    ahead->read = read;
    ahead->reader = reader;
    pthread_mutex_init(&ahead->mutex, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    if (pthread_create(&thread, NULL, read_all, ahead) != 0) {
        status = read(reader, visit, context);
    } else {
        status = visit_all(ahead, visit, context);
        pthread_join(thread, NULL);
        status = status == OK ? ahead->status : status;
    }
    pthread_mutex_destroy(&ahead->mutex);
    pthread_cond_destroy(&ahead->changed);
    for (size_t b = 0; b < BLOCKS; b++) {
        empty(&ahead->blocks[b]);
        free(ahead->blocks[b].texts);
    }
    return status;
}
