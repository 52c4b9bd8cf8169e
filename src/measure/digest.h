/* What stands for the bits of many results where they are compared: SHA-256 of all, each least byte first; all NaN are
 * one. */
#pragma once

#include "src/base/fp.h"

enum { DIGEST_TEXT = 65 };

/* 64 hexadecimal digits, of so many results of a format. */
void digest_of(const struct format *format, const uint64_t *bits, uint64_t count, char text[DIGEST_TEXT]);

/* The first 64 bits of such a digest. */
uint64_t digest_bits(const char *digest);
