/* Arrays along an axis: its lines, of which each other place of the array has one, and rows and columns of the matrices
 * of a batch.  x of shape (2, 3, 4):
 *
 *   axis=1   8 lines of 3 numbers, x[i, :, k]; line K is trial K, in C order of (i, k), as NumPy's x.sum(axis=1) is
 *   axis=-1  of a matrix A: 2 matrices of 3 x 4, whose sums are along 4; axis=-2 of B: of 3 x 4, along 3
 *
 * The file stays open, with its header read, from one trial to the next.  Of lines whose numbers lie apart
 * a tile of neighbouring ones is read at once: of 2^14 lines of 4,096 numbers, each alone, every number was a call of
 * its own.
 */
#include "array.h"

#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

enum {
    FILES_KEPT = 2,       /* of two vectors or matrices */
    TILE_BYTES = 1 << 24, /* 1,024 lines of 4,096 numbers of binary32 */
    TILE_LINE = 1 << 16,  /* numbers of a line, at most */
    FRESH = 2,            /* seconds within which a file may be written again and have the same time */
};

/* The numbers first + i + k step of the array, k from k0, of as many lines side by side. */
struct tile {
    unsigned char *numbers;
    uint64_t first, i, lines, k, length;
};

struct axis_file {
    char *key; /* its path, the array, the format, which decides what raw bytes are, and which lines: the tile has these
                */
    struct stat facts;
    time_t opened;
    FILE *file;
    uint64_t size;
    struct array array;
    struct tile tile;
};

/* ---- which is read ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* data are read by many threads */
static struct axis_file files[FILES_KEPT];
static unsigned oldest;

static void forget(struct axis_file *of)
{
    if (of->file)
        fclose(of->file);
    free_all(of->key, of->tile.numbers);
    *of = (struct axis_file){0};
}

static bool has_changed(const struct axis_file *of, const struct stat *now)
{
    const struct stat *then = &of->facts;
    return then->st_dev != now->st_dev || then->st_ino != now->st_ino || then->st_size != now->st_size ||
           memcmp(&then->st_mtim, &now->st_mtim, sizeof now->st_mtim) != 0 ||
           memcmp(&then->st_ctim, &now->st_ctim, sizeof now->st_ctim) != 0 || of->opened - then->st_mtim.tv_sec < FRESH;
}

struct axis_file *axis_file_take(struct input *in)
{
    struct stat now = {0};
    struct axis_file *of = files;
    const struct file_options *options = in->options;
    char *key =
        text_made("%s\n%d%s\n%s\n%s %d %d", in->path, options->array != NULL, options->array ? options->array : "",
                  options->format ? options->format->name : "", options->axis, options->is_matrix, options->is_second);
    pthread_mutex_lock(&lock);
    while (of < files + FILES_KEPT && (!of->key || strcmp(of->key, key) != 0))
        of++;
    const bool is_new = of == files + FILES_KEPT;
    if (is_new)
        of = &files[oldest++ % FILES_KEPT];
    if (stat(in->path, &now) != 0 || is_new || has_changed(of, &now)) {
        forget(of);
        *of = (struct axis_file){.key = key, .facts = now, .opened = time(NULL)};
    } else {
        free(key);
    }
    in->file = of->file;
    in->size = of->size;
    return of;
}

void axis_file_give_back(struct axis_file *of, const struct input *in, bool is_read)
{
    of->file = in->file;
    of->size = in->size;
    if (!is_read)
        forget(of);
    pthread_mutex_unlock(&lock);
}

enum status axis_file_read(struct input *in)
{
    return read_array(in, &in->of_axis->array);
}

/* ---- its numbers ---- */

/* Of the line that begins at number first + i, those from k on. */
static enum status load(const struct input *in, struct axis_lines *lines, uint64_t first, uint64_t i)
{
    struct tile *tile = lines->tile;
    const uint64_t bytes = lines->array->stored.bytes, step = lines->step, k = lines->k;
    if (tile->numbers && tile->first == first && i - tile->i < tile->lines && k - tile->k < tile->length)
        return OK;
    const uint64_t length = lines->length < TILE_LINE ? lines->length : TILE_LINE, fit = TILE_BYTES / (length * bytes);
    const uint64_t most = fit < step ? fit : step;
    if (!tile->numbers)
        tile->numbers = malloc((size_t)(length * most * bytes));
    if (!tile->numbers)
        return out_of_memory("numbers along an axis");
    tile->first = first;
    tile->i = i - i % most;
    tile->lines = most < step - tile->i ? most : step - tile->i;
    tile->k = k - k % length;
    tile->length = length < lines->length - tile->k ? length : lines->length - tile->k;
    const bool is_whole = tile->lines == step; /* then all lie side by side */
    const uint64_t rows = is_whole ? 1 : tile->length, row = tile->lines * (is_whole ? tile->length : 1) * bytes;
    for (uint64_t r = 0; r < rows; r++) {
        const uint64_t at = first + tile->i + (tile->k + r) * step;
        if (fseeko(in->file, (off_t)(lines->array->start + at * bytes), SEEK_SET) != 0)
            return input_failed(in);
        TRY(input_read(in, tile->numbers + r * row, (size_t)row)); /* after a failure the tile is thrown away */
    }
    return OK;
}

static void gather(unsigned char *to, const unsigned char *from, size_t count, size_t bytes, size_t apart)
{
    if (bytes == apart)
        memcpy(to, from, count * bytes);
    else if (bytes == 4) /* of a size that is known it is a load and a store */
        for (size_t n = 0; n < count; n++)
            memcpy(to + 4 * n, from + n * apart, 4);
    else
        for (size_t n = 0; n < count; n++)
            memcpy(to + n * bytes, from + n * apart, bytes);
}

enum status axis_next(const struct input *in, void *to, size_t count)
{
    struct axis_lines *lines = in->lines;
    const struct tile *tile = lines->tile;
    const size_t bytes = lines->array->stored.bytes;
    unsigned char *at = to;
    while (count > 0) {
        const uint64_t i = lines->first % lines->step;
        TRY(load(in, lines, lines->first - i, i));
        const uint64_t left = tile->k + tile->length - lines->k,
                       from = (lines->k - tile->k) * tile->lines + i - tile->i;
        const size_t now = left < count ? (size_t)left : count;
        gather(at, tile->numbers + from * bytes, now, bytes, (size_t)tile->lines * bytes);
        at += now * bytes;
        count -= now;
        lines->k += now;
        if (lines->k == lines->length) {
            lines->k = 0;
            lines->first += lines->apart;
        }
    }
    return OK;
}

/* ---- which numbers these are ---- */

/* The axes that are neither that of the sums nor one of a matrix make results, in C order; what is asked for of these,
 * as the number at which it begins. */
static enum status find(const struct input *in, const struct array *array, int axis, uint64_t *first)
{
    struct array others = {.n = 1};
    uint64_t number = in->options->sum, strides[ARRAY_DIMENSIONS];
    const int matrix = in->options->is_matrix ? (int)array->dimensions - 2 : INT32_MAX;
    for (int d = 0; d < (int)array->dimensions; d++)
        if (d != axis && d < matrix)
            TRY(array_extend(in, &others, array->extents[d]));
    if (array->n == 0)
        return refuse(in, "its shape is (%s), and axis=%s was given; expected a number in each result; leave it out",
                      array_shape(array).text, in->options->axis);
    if (in->options->sums) {
        in->options->sums->count = others.n;
        snprintf(in->options->sums->shape, sizeof in->options->sums->shape, "%s", array_shape(&others).text);
    }
    if (number >= others.n)
        return refuse(in,
                      "its shape is (%s), of which axis=%s makes %" PRIu64 " %s, and trial %" PRIu64
                      " was asked for; expected a smaller one; the first is 0",
                      array_shape(array).text, in->options->axis, others.n,
                      in->options->is_matrix ? "matrices" : "sums", number);
    array_strides(array, strides);
    for (int d = (int)array->dimensions; d-- > 0;)
        if (d != axis && d < matrix) {
            *first += number % array->extents[d] * strides[d];
            number /= array->extents[d];
        }
    return OK;
}

enum status axis_read(struct input *in, const struct array *array)
{
    const bool is_matrix = in->options->is_matrix;
    const int given = atoi(in->options->axis), dimensions = (int)array->dimensions;
    const int axis = given < 0 ? given + dimensions : given, least = is_matrix ? dimensions - 2 : 0;
    struct tile own = {0};
    struct axis_lines lines = {.array = array, .tile = in->of_axis ? &in->of_axis->tile : &own};
    uint64_t strides[ARRAY_DIMENSIONS], count = 1;
    if (least < 0 || axis < least || axis >= dimensions)
        return refuse(in,
                      "its shape is (%s), and axis=%d was given; expected one of its %u axes, from 0, %s; correct it",
                      array_shape(array).text, given, array->dimensions,
                      is_matrix ? "the last of A and the last but one of B, or the other one of these two" : "or all");
    TRY(find(in, array, axis, &lines.first));
    array_strides(array, strides);
    const int other = 2 * dimensions - 3 - axis, along = in->options->is_second ? other : axis;
    if (is_matrix) { /* A is rows x n, B n x columns */
        count = array->extents[along == axis ? other : axis];
        lines.apart = strides[along == axis ? other : axis];
        in->rows = count;
        in->columns = array->extents[along];
    }
    lines.step = strides[along];
    lines.length = array->extents[along];
    if (in->of_axis && array != &in->of_axis->array)
        in->of_axis->array = *array;
    in->lines = &lines;
    const enum status status = input_add_block(in, &array->stored, count * lines.length);
    in->lines = NULL;
    free(own.numbers);
    return status;
}
