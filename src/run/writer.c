#include "crew.h"

struct list {
    struct finished_case *cases;
    size_t count, capacity;
    uint64_t rows;
};

/* `mutex` guards what stands below it; the rest belongs to who writes. */
struct writer {
    struct store *store;
    const struct study *study;
    bool has_thread, is_begun; /* is_begun: a transaction, of so many rows */
    uint64_t rows;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t more, room;
    struct list waiting;
    bool is_ending;
    enum status status; /* the first that was not OK */
};

/* What rounding the data cost stands apart from the errors of their sums, which are of what was rounded. */
static enum status put_conversion(const struct writer *writer, const struct finished_case *finished)
{
    const struct conversion *conversion = &finished->conversion;
    const struct study *study = writer->study;
    const struct study_case place = study_case_at(study, finished->index);
    const char *data = study->entries[place.entry].specs[place.spec].text;
    if (!conversion->from || place.trial > study->first_trial)
        return OK;
    OWNED char *text = text_made("rounding the %" PRIu64 " numbers from %s changed %" PRIu64 " of them, %" PRIu64
                                 " to 0, and moved their sum by %s, %s of it; errors are of what was rounded",
                                 finished->n, conversion->from->name, conversion->changed, conversion->underflowed,
                                 error_text(conversion->cost), error_text(conversion->relative_cost));
    return store_put_fact(writer->store, "conversion", data, text);
}

static enum status begin(struct writer *writer)
{
    TRY(store_begin(writer->store));
    writer->is_begun = true;
    writer->rows = 0;
    return OK;
}

static enum status end(struct writer *writer)
{
    writer->is_begun = false;
    return store_end(writer->store);
}

static enum status put_case(struct writer *writer, struct finished_case *finished)
{
    if (!writer->is_begun)
        TRY(begin(writer));
    TRY(store_put_case(writer->store, finished));
    TRY(put_conversion(writer, finished));
    writer->rows += finished->row_count;
    return writer->rows >= WRITER_AT_ONCE ? end(writer) : OK;
}

/* Cases after one that failed are not stored, so that what is missing are the last. */
static enum status put_list(struct writer *writer, const struct list *list, enum status status)
{
    for (size_t i = 0; i < list->count; i++) {
        if (status == OK)
            status = put_case(writer, &list->cases[i]);
        finished_case_free(&list->cases[i]);
    }
    free(list->cases);
    return status;
}

static struct list take_list(struct writer *writer)
{
    const struct list list = writer->waiting;
    writer->waiting = (struct list){0};
    pthread_cond_broadcast(&writer->room);
    return list;
}

/* A transaction ends when no case waits: a case that comes alone is stored as it comes. */
static void *write_behind(void *context)
{
    struct writer *writer = context;
    bool is_over = false;
    pthread_mutex_lock(&writer->mutex);
    while (!is_over) {
        while (writer->waiting.count == 0 && !writer->is_begun && !writer->is_ending)
            pthread_cond_wait(&writer->more, &writer->mutex);
        const struct list list = take_list(writer);
        enum status status = writer->status;
        is_over = writer->is_ending && list.count == 0;
        pthread_mutex_unlock(&writer->mutex);
        status = put_list(writer, &list, status);
        if (status == OK && list.count == 0 && writer->is_begun)
            status = end(writer);
        writer->is_begun &= status == OK; /* what failed was taken back */
        pthread_mutex_lock(&writer->mutex);
        writer->status = status;
    }
    pthread_mutex_unlock(&writer->mutex);
    return NULL;
}

/* Where the system has no thread for it, whoever hands a case over stores it. */
struct writer *writer_start(struct store *store, const struct study *study)
{
    struct writer *writer = memory_cleared(1, sizeof *writer);
    writer->store = store;
    writer->study = study;
    pthread_mutex_init(&writer->mutex, NULL);
    pthread_cond_init(&writer->more, NULL);
    pthread_cond_init(&writer->room, NULL);
    writer->has_thread = pthread_create(&writer->thread, NULL, write_behind, writer) == 0;
    return writer;
}

static void add(struct list *list, struct finished_case *finished)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity > 0 ? 2 * list->capacity : 16;
        list->cases = memory_resized(list->cases, list->capacity * sizeof *list->cases);
    }
    list->cases[list->count++] = *finished;
    list->rows += finished->row_count + 1; /* a case without rows waits, too */
    *finished = (struct finished_case){0};
}

enum status writer_take(struct writer *writer, struct finished_case *finished)
{
    pthread_mutex_lock(&writer->mutex);
    while (writer->waiting.rows >= WRITER_ROWS)
        pthread_cond_wait(&writer->room, &writer->mutex);
    add(&writer->waiting, finished);
    pthread_cond_signal(&writer->more);
    if (!writer->has_thread) {
        const struct list list = take_list(writer);
        writer->status = put_list(writer, &list, writer->status);
    }
    const enum status status = writer->status;
    pthread_mutex_unlock(&writer->mutex);
    return status;
}

enum status writer_end(struct writer *writer)
{
    pthread_mutex_lock(&writer->mutex);
    writer->is_ending = true;
    pthread_cond_signal(&writer->more);
    pthread_mutex_unlock(&writer->mutex);
    if (writer->has_thread)
        pthread_join(writer->thread, NULL);
    else
        write_behind(writer);
    const enum status status = writer->status;
    pthread_mutex_destroy(&writer->mutex);
    pthread_cond_destroy(&writer->more);
    pthread_cond_destroy(&writer->room);
    free(writer);
    return status;
}
