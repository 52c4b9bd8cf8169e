/* A head, the rows and the texts.  Structs go as they lie in memory, so that no field can be left out: both processes
 * are the same program.  Where a row points to a text, its bytes hold the place of the text, from 1; 0 is NULL. */
#include "case_bytes.h"

struct head {
    struct finished_case finished; /* without what it points to */
    size_t text_bytes;
    char converted_from[16]; /* the name of a format */
};

/* The pointers of a row. */
enum { TEXTS = 3 };
static const size_t pointers[TEXTS] = {offsetof(struct measured, exact), offsetof(struct measured, digest),
                                       offsetof(struct measured, map)};

static const char *text_at(const struct measured *row, int which)
{
    const char *text;
    memcpy(&text, (const char *)row + pointers[which], sizeof text);
    return text;
}

static void put_at(struct measured *row, int which, const void *pointer)
{
    memcpy((char *)row + pointers[which], pointer, sizeof(void *));
}

/* Texts that follow each other and are the same one are written once, as the exact sum of all rows of a case is. */
struct texts {
    char *bytes;
    size_t count;
    const char *last[TEXTS];
    uintptr_t place[TEXTS];
};

static uintptr_t place_of(struct texts *texts, int which, const char *text)
{
    if (!text)
        return 0;
    if (text == texts->last[which])
        return texts->place[which];
    const size_t length = strlen(text) + 1;
    texts->bytes = memory_resized(texts->bytes, texts->count + length);
    memcpy(texts->bytes + texts->count, text, length);
    texts->last[which] = text;
    texts->place[which] = texts->count + 1;
    texts->count += length;
    return texts->place[which];
}

struct case_bytes case_to_bytes(const struct finished_case *finished)
{
    const size_t row_bytes = finished->row_count * sizeof *finished->rows;
    struct measured *rows = memory_resized(NULL, row_bytes);
    struct texts texts = {0};
    struct head head = {.finished = *finished};
    if (row_bytes > 0)
        memcpy(rows, finished->rows, row_bytes);
    for (size_t i = 0; i < finished->row_count; i++)
        for (int t = 0; t < TEXTS; t++)
            put_at(&rows[i], t, &(uintptr_t){place_of(&texts, t, text_at(&rows[i], t))});
    head.text_bytes = texts.count;
    if (finished->conversion.from)
        strcpy(head.converted_from, finished->conversion.from->name);
    const struct case_bytes all = {memory_resized(NULL, sizeof head + row_bytes + texts.count),
                                   sizeof head + row_bytes + texts.count};
    memcpy(all.bytes, &head, sizeof head);
    memcpy(all.bytes + sizeof head, rows, row_bytes);
    if (texts.count > 0)
        memcpy(all.bytes + sizeof head + row_bytes, texts.bytes, texts.count);
    free_all(rows, texts.bytes);
    return all;
}

static bool point_to_texts(struct finished_case *finished, size_t text_bytes)
{
    for (size_t i = 0; i < finished->row_count; i++)
        for (int t = 0; t < TEXTS; t++) {
            uintptr_t place;
            memcpy(&place, (const char *)&finished->rows[i] + pointers[t], sizeof place);
            if (place > text_bytes)
                return false;
            put_at(&finished->rows[i], t, &(const char *){place > 0 ? finished->texts[0] + place - 1 : NULL});
        }
    return true;
}

bool case_from_bytes(const unsigned char *bytes, size_t count, struct finished_case *finished)
{
    struct head head;
    *finished = (struct finished_case){0};
    if (count < sizeof head)
        return false;
    memcpy(&head, bytes, sizeof head);
    const size_t rows = head.finished.row_count, rest = count - sizeof head;
    if (rows > rest / sizeof *finished->rows || head.text_bytes != rest - rows * sizeof *finished->rows)
        return false;
    const size_t row_bytes = rows * sizeof *finished->rows;
    char *text = memory_resized(NULL, head.text_bytes + 1);
    memcpy(text, bytes + sizeof head + row_bytes, head.text_bytes);
    text[head.text_bytes] = '\0';
    *finished = head.finished;
    finished->conversion.from = *head.converted_from ? format_named(head.converted_from) : NULL;
    finished->rows = memory_resized(NULL, row_bytes);
    memcpy(finished->rows, bytes + sizeof head, row_bytes);
    finished->texts = memory_resized(NULL, sizeof *finished->texts);
    finished->texts[0] = text;
    finished->text_count = 1;
    return point_to_texts(finished, head.text_bytes);
}
