/* What is packed, a .gz, an .xz, a member of a zip, as a file of its own: unpacked into a temporary one, in pieces, so
 * that its size is known and its checksum was right before anything of it is believed.  What grows to more than
 * UNPACKED_RATIO times its packed bytes, above UNPACKED_FREE, is refused.
 */
#pragma once

#include "file_formats.h"

#define UNPACKED_FREE (UINT64_C(256) << 20)
enum { UNPACKED_RATIO = 100 };
uint64_t unpacked_most(uint64_t packed);

enum packing { PACKED_GZ, PACKED_XZ, PACKED_DEFLATED, PACKED_STORED };

/* Where it lies in in->file, and what a zip says of it. */
struct packed {
    enum packing packing;
    uint64_t start, bytes;
    uint64_t size; /* of a member of a zip, unpacked */
    uint32_t crc;
};

/* in->file and in->size become those of what is unpacked. */
enum status unpack(struct input *in, const struct packed *packed);

/* How a file of that name is packed: .gz or .xz, whose ending starts at the length; or -1. */
int packing_of(const char *path, size_t *length);

/* In in->file, a zip: the member, or the only one where the name is NULL. */
enum status zip_find(struct input *in, const char *name, struct packed *packed);
