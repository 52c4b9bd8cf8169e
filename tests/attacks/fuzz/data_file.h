/* Data files in memory: a reader of datasets/files, given bytes; and back. */
#ifndef ULPSCOPE_TESTS_DATA_FILE_H
#define ULPSCOPE_TESTS_DATA_FILE_H

#include "fuzz.h"

#include "datasets/files/file_formats.h"
#include "src/base/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_KEPT = 1 << 16 };

struct numbers_kept {
    const struct format *format;
    double x[NUMBERS_KEPT];
    uint64_t n;
};

struct data_file_kind {
    enum status (*read)(struct input *in);
    void (*write)(FILE *file, const struct dataset *data, const struct label *label); /* NULL: is read only */
};

static inline enum status keep_format(void *context, const struct format *format, uint64_t most)
{
    (void)most;
    *(struct numbers_kept *)context = (struct numbers_kept){.format = format};
    return OK;
}

static inline enum status keep_numbers(void *context, const void *x, uint64_t n)
{
    struct numbers_kept *kept = context;
    fuzz_check(kept->format, "numbers before their format");
    for (uint64_t i = 0; i < n && kept->n < NUMBERS_KEPT; i++, kept->n++)
        kept->x[kept->n] = held_number(kept->format, x, i);
    return OK;
}

static inline enum status read_bytes(const struct data_file_kind *kind, const struct file_options *options,
                                     const char *bytes, size_t size, struct numbers_kept *kept)
{
    const struct consumer consumer = {keep_format, keep_numbers, kept, NULL};
    struct input in = {.path = FUZZ_PATH, .options = options, .consumer = &consumer, .size = size};
    in.file = fmemopen((void *)(uintptr_t)bytes, size, "r");
    fuzz_check(in.file, "no file in memory");
    struct dataset about = {0};
    enum status status = kind->read(&in);
    if (status == OK)
        status = input_end(&in, &about);
    input_free(&in);
    fclose(in.file);
    return status;
}

/* What was read, as a file of the same kind, has the same bits. */
static inline void check_written(const struct data_file_kind *kind, const struct numbers_kept *kept)
{
    static struct numbers_kept again;
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    struct dataset data = {.format = kept->format, .x = malloc(sizeof kept->x), .n = kept->n};
    fuzz_check(data.x, "no memory");
    for (uint64_t i = 0; i < kept->n; i++)
        held_set(kept->format, data.x, i, kept->x[i]);
    kind->write(file, &data, &(struct label){"a comment", NULL});
    dataset_free(&data);
    fclose(file);
    again.n = 0;
    const struct file_options options = {.nonfinite = NONFINITE_IEEE, .format = kept->format};
    fuzz_check(read_bytes(kind, &options, bytes, size, &again) == OK, "a file that was written is refused");
    fuzz_check(again.n == kept->n, "a file that was written has another number of numbers");
    for (uint64_t i = 0; i < kept->n; i++)
        fuzz_check(again.x[i] == kept->x[i] ? signbit(again.x[i]) == signbit(kept->x[i])
                                            : isnan(again.x[i]) && isnan(kept->x[i]),
                   "a file that was written has other numbers");
    free(bytes);
}

/* The first byte is for the options, what follows them the file. */
static inline void feed_file(const struct data_file_kind *kind, const struct file_options *options, const char *bytes,
                             size_t size)
{
    static struct numbers_kept kept;
    kept.n = 0;
    const enum status status = read_bytes(kind, options, bytes, size, &kept);
    fuzz_check_words(status);
    if (status == OK && kept.n > 0 && kind->write)
        check_written(kind, &kept);
}

#endif
