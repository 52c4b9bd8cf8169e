/* What is packed, as a file that can be read and sought like any other: a .gz, an .xz, a member of a zip.
 *
 * It is unpacked twice, in pieces, so that neither memory nor disk has the whole: once at once, for its size and its
 * checksum, before anything of it is believed, then as it is read.  What grows to more than UNPACKED_RATIO times its
 * packed bytes, above UNPACKED_FREE, is refused.
 */
#ifndef ULPSCOPE_UNPACK_H
#define ULPSCOPE_UNPACK_H

#include "file_formats.h"

#define UNPACKED_FREE (UINT64_C(256) << 20)
enum { UNPACKED_RATIO = 100 };

enum packing { PACKED_GZ, PACKED_XZ, PACKED_DEFLATED, PACKED_STORED };

/* Where it lies in in->file, and what a zip says of it. */
struct packed {
    enum packing packing;
    uint64_t start, bytes;
    uint64_t size; /* of a member of a zip, unpacked */
    uint32_t crc;
};

/* in->file and in->size become those of what is unpacked; the file below is closed with it. */
enum status unpack(struct input *in, const struct packed *packed);

/* How a file of that name is packed: .gz or .xz, whose ending starts at the length; or -1. */
int packing_of(const char *path, size_t *length);

/* In in->file, a zip: the member, or the only one where the name is NULL. */
enum status zip_find(struct input *in, const char *name, struct packed *packed);

#endif
