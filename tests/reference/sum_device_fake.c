#include "sum_device_fake.h"

#include "reference/sum_result.h"
#include "src/base/format.h"

#include <stdlib.h>

struct fake_sums fake_sums = {.lanes = 4, .slice = 3000};

struct exact_device {
    struct exact_rows rows;
    uint64_t *words;
    void *pieces[EXACT_PIECES];
};

enum status exact_device_new(struct exact_device **device)
{
    *device = NULL;
    TRY(fake_sums.status);
    *device = calloc(1, sizeof **device);
    return *device ? OK : out_of_memory("the fake device");
}

void exact_device_free(struct exact_device *device)
{
    for (int p = 0; device && p < EXACT_PIECES; p++)
        free(device->pieces[p]);
    free(device ? device->words : NULL);
    free(device);
}

/* ---- sums ---- */

static void add_lane(struct sum_layout layout, const struct exact_rows *rows, uint64_t from, uint64_t end,
                     uint64_t *words)
{
    struct sum_lane lane = sum_begin(layout, words, 1);
    for (uint64_t i = from; i < end; i += fake_sums.lanes) {
        sum_make_room(layout, &lane, 1);
        sum_add(layout, &lane, format_load(rows->format, rows->x, i),
                rows->y ? format_load(rows->format, rows->y, i) : 0);
    }
    sum_end(layout, &lane);
}

static void add_row(struct sum_layout layout, const struct exact_rows *rows, uint64_t row, uint64_t *words)
{
    const uint64_t begin = row * rows->terms, end = begin + rows->terms;
    uint64_t of_lane[SUM_WORDS_MOST];
    for (uint64_t from = begin; from < end; from += fake_sums.slice)
        for (unsigned lane = 0; lane < fake_sums.lanes; lane++) {
            const uint64_t to = end - from < fake_sums.slice ? end : from + fake_sums.slice;
            add_lane(layout, rows, from + lane, to, of_lane);
            for (unsigned w = 0; w < sum_words(layout); w++)
                words[w] = sum_merged(layout, w, words[w], of_lane[w]);
        }
}

enum status exact_device_start(struct exact_device *device, const struct exact_rows *rows, void *stream)
{
    const struct sum_layout layout = sum_layout_of_format(rows->format, rows->y != NULL);
    (void)stream;
    fake_sums.starts++;
    free(device->words);
    device->rows = *rows;
    device->words = calloc(rows->rows * sum_words(layout) + 1, sizeof *device->words);
    if (!device->words)
        return out_of_memory("the fake device");
    for (uint64_t row = 0; row < rows->rows; row++)
        add_row(layout, rows, row, device->words + row * sum_words(layout));
    if (fake_sums.fault)
        fake_sums.fault(layout, rows, device->words);
    return fake_sums.status;
}

enum status exact_device_finish(struct exact_device *device, unsigned workers, struct exact_sum *sums)
{
    const struct exact_rows *const rows = &device->rows;
    TRY(fake_sums.status);
    return sum_results(rows->format, rows->y != NULL, device->words, rows->rows, rows->terms, workers, sums);
}

enum status exact_device_ends(struct exact_device *device, const struct exact_rows *rows, struct exact_ends *ends)
{
    const unsigned bytes = (unsigned)rows->format->bytes;
    const uint64_t all = UINT64_MAX >> (64 - 8 * bytes);
    uint64_t words[SUM_ENDS] = {format_load(rows->format, rows->x, 0)};
    (void)device;
    for (uint64_t i = 0; i < rows->terms; i++) {
        const uint64_t upper = sum_ordered(bytes, format_load(rows->format, rows->x, i));
        words[SUM_UPPER] = upper > words[SUM_UPPER] ? upper : words[SUM_UPPER];
        words[SUM_LOWER] = all - upper > words[SUM_LOWER] ? all - upper : words[SUM_LOWER];
    }
    *ends = sum_ends(rows->format, words);
    return fake_sums.status;
}

/* ---- pieces ---- */

/* They come at once, and the piece before them is gone. */
enum status exact_device_fetch(struct exact_device *device, unsigned piece, const void *there, size_t bytes)
{
    fake_sums.fetches++;
    free(device->pieces[piece]);
    device->pieces[piece] = bytes > 0 && bytes <= EXACT_PIECE_BYTES ? malloc(bytes) : NULL;
    if (!device->pieces[piece])
        return out_of_memory("the fake device");
    memcpy(device->pieces[piece], there, bytes);
    return fake_sums.status;
}

enum status exact_device_fetched(struct exact_device *device, unsigned piece, const void **numbers)
{
    *numbers = device->pieces[piece];
    return fake_sums.status;
}
