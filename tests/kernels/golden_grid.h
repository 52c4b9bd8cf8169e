/* The grid of the golden bits: every method whose order is fixed, in every format of sums, on families of data, for
 * sizes around warps, blocks and grids, in three launches.  What a kernel or its replay gave on it is kept as
 * fingerprints, in binary32 one per method and family, in every other format one per method, of all families:
 *
 *   kahan/tree_two_pass gensum 0123456789abcdef
 *   kahan/tree_two_pass@bfloat16 all 0123456789abcdef
 *
 * the first 16 of the 64 hexadecimal digits of the SHA-256 of all results, data set by data set, launch by launch, each
 * as a word of as many bytes as the result has, least significant first.  64 bits are enough: a change is an accident,
 * not an attack.
 */
#ifndef ULPSCOPE_TESTS_GOLDEN_GRID_H
#define ULPSCOPE_TESTS_GOLDEN_GRID_H

#include "datasets/dataset.h"
#include "datasets/generator.h"
#include "kernels/method.h"
#include "src/device/device.h"

enum { GOLDEN_LAUNCHES = 3, GOLDEN_SPEC = 128, FINGERPRINT_TEXT = 17 };

/* One block; not all of the 132 multiprocessors of an H200; four blocks on each.  At most 128 threads, so that states
 * of up to 384 bytes fit into shared memory. */
extern const struct launch golden_launches[GOLDEN_LAUNCHES];

enum golden_extent {
    GOLDEN_FILE, /* what the fingerprints are of */
    GOLDEN_ALL,  /* every n to 257, in formats other than binary32 on to 2,000,000 results; and large ones */
};

/* A table of methods. */
struct golden_table {
    enum operation operation;
    const struct sum_format *sum_format;
};

const struct method *const *golden_methods(struct golden_table of, size_t *count);
bool golden_is_in_file(struct golden_table of);

/* What a fingerprint is of: of sums in binary32 one family, of everything else all that serve the format. */
size_t golden_parts(struct golden_table of);
const char *golden_part_name(struct golden_table of, size_t part); /* "gensum"; "all" */

struct golden_set {
    char spec[GOLDEN_SPEC];
    uint64_t trial;
    struct dataset data;
};

/* The data sets of a part. */
struct golden_data {
    struct golden_table of;
    struct golden_set *sets;
    size_t count;
};

enum status golden_data_make(struct golden_table of, size_t part, enum golden_extent extent, struct golden_data *data);
void golden_data_free(struct golden_data *data);

enum status golden_upload(struct device *device, const struct dataset *data);

/* Has a fixed order, a replay, and in some build a kernel; and, where there is a device, one here. */
bool golden_has(const struct method *method, const struct device *device);

/* The bits of a result; every NaN is format_bits' own, and a launch that the method refuses is all ones.  Of what has a
 * result for each number a hash of all, of which a fingerprint takes as many bytes as a result has. */
typedef uint64_t golden_word;
#define GOLDEN_REFUSED UINT64_MAX

golden_word golden_word_of(const struct format *format, uint64_t bits);

/* The result on one data set, which is the device's uploaded one; on the host without a device. */
enum status golden_compute_one(const struct method *method, const struct dataset *data, uint64_t n,
                               struct launch launch, struct device *device, golden_word *word);

/* All results on one part's data.  Method m of its format's table begins at words + m * golden_words_each(data). */
size_t golden_words_each(const struct golden_data *data);

/* Room for them; NULL without memory. */
golden_word *golden_words_for(const struct golden_data *data);

/* Fills `kernels` on the device and `replays` on so many threads of the host, at once; either may be NULL.  With a
 * device, of the methods that it has kernels of. */
enum status golden_compute(const struct golden_data *data, unsigned threads, struct device *device,
                           golden_word *kernels, golden_word *replays);

struct golden_agreement {
    uint64_t compared, refused, differ;
};

/* Adds the comparison of method m's results, one by one, and prints the first that differ. */
void golden_compare(const struct golden_data *data, size_t m, const golden_word *kernels, const golden_word *replays,
                    struct golden_agreement *all);

/* Of results in a format. */
void golden_fingerprint(const struct format *format, const golden_word *words, size_t count,
                        char text[FINGERPRINT_TEXT]);

#endif
