/* The grid of the golden bits: every method whose order is fixed, on ten families of data, for sizes around warps,
 * blocks and grids, in three launches.  What a kernel or its replay gave on it is kept as one fingerprint a method and
 * family:
 *
 *   kahan/tree_two_pass gensum 0123456789abcdef
 *
 * the first 16 of the 64 hexadecimal digits of the SHA-256 of all results, data set by data set, launch by launch, each
 * as a word of 4 bytes, least significant first.  64 bits are enough: a change is an accident, not an attack.
 */
#ifndef ULPSCOPE_TESTS_GOLDEN_GRID_H
#define ULPSCOPE_TESTS_GOLDEN_GRID_H

#include "datasets/dataset.h"
#include "datasets/generator.h"
#include "kernels/method.h"
#include "src/device/device.h"

enum { GOLDEN_LAUNCHES = 3, FINGERPRINT_TEXT = 17 };

/* One block; not all of the 132 multiprocessors of an H200; four blocks on each.  At most 128 threads, so that states
 * of up to 384 bytes fit into shared memory. */
extern const struct launch golden_launches[GOLDEN_LAUNCHES];

enum golden_extent {
    GOLDEN_FILE, /* what the fingerprints are of */
    GOLDEN_ALL,  /* every n to 257, and the large ones for every family */
};

/* The families: what stresses a kernel, not all that there are. */
const struct generator *const *golden_families(size_t *count);

/* The data sets of one family. */
struct golden_data {
    const struct generator *family;
    struct dataset *sets;
    size_t count;
};

enum status golden_data_make(const struct generator *family, enum golden_extent extent, struct golden_data *data);
void golden_data_free(struct golden_data *data);

/* Has a kernel, in builds with CUDA, and a replay with the same bits. */
bool golden_has(const struct method *method);

/* The bits of a result; every NaN is 0x7fc00000, and a launch that the method refuses is 0xffffffff. */
typedef uint32_t golden_word;
enum { GOLDEN_NAN = 0x7fc00000 };
#define GOLDEN_REFUSED UINT32_C(0xffffffff)

golden_word golden_word_of(float result);

/* All results on one family's data.  Method m of the table begins at words + m * golden_words_each(data). */
size_t golden_words_each(const struct golden_data *data);

/* Fills `kernels` on the device and `replays` on so many threads of the host, at once; either may be NULL. */
enum status golden_compute(const struct golden_data *data, unsigned threads, struct device *device,
                           golden_word *kernels, golden_word *replays);

struct golden_agreement {
    uint64_t compared, refused, differ;
};

/* Adds the comparison of method m's results, one by one, and prints the first that differ. */
void golden_compare(const struct golden_data *data, size_t m, const golden_word *kernels, const golden_word *replays,
                    struct golden_agreement *all);

void golden_fingerprint(const golden_word *words, size_t count, char text[FINGERPRINT_TEXT]);

#endif
