/* Data files, by the ending of their name: .npy (npy.c), .safetensors, .csv .tsv (csv.c), .f32 .hex .txt .dat
 * (hexfloat.c: one number per line), .raw .bin (raw.c: little-endian numbers).  Arrays say what their numbers are;
 * those of the others are of options->format, binary32 where it is not given.
 */
#pragma once

#include "datasets/numbers.h"
#include "datasets/spec.h"

/* Hands the numbers of a data file over in pieces, so that a file may be larger than memory; path "-" is the standard
 * input, read as a .txt, which can be done once.  Complaints start with
 * path:line or path: and name what was found, expected and to be done; what was handed over until then is to be thrown
 * away.  Of *data only left_out, first_left_out and conversion are set, and rows and columns with options->is_matrix.
 */
enum status file_stream(const char *path, const struct file_options *options, const struct consumer *consumer,
                        struct dataset *data);

/* The whole, in memory.  After a failure *data is empty. */
enum status file_read(const char *path, const struct file_options *options, struct dataset *data);

/* Whether the format of its numbers, and the shape of a matrix, stand in such a file; and whether it has several
 * arrays, with names. */
bool file_says_format(const char *path);
bool file_has_arrays(const char *path);

/* Opens a regular file; complains about anything else, and does not wait for a pipe. */
enum status data_file_open(const char *path, FILE **file, uint64_t *size);

/* Writes a data file, of one vector or, where data->rows > 0, of a matrix of rows x columns = n numbers, whose shape an
 * .npy says; format by the ending, "-" being hex floats on stdout; `comment` (may be NULL) goes on top of .f32
 * .hex .txt, as lines with #; the others have no place for it.  What is written reads back to
 * the same bits (a NaN to a NaN), given its format in options->format: no numbers at all are refused.  The file appears
 * under its name only once it is whole (see src/files/output.h). */
enum status file_write(const char *path, const struct dataset *data, const char *comment);

/* The same, of an array of that shape: "3, 4", "3," or "". */
enum status file_write_shaped(const char *path, const struct dataset *data, const char *comment, const char *shape);

/* Whether file_write() knows the ending, before there is something to write. */
enum status file_check_ending(const char *path);
