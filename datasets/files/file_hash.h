/* What a data file held: its SHA-256. */
#pragma once

#include "src/base/status.h"

#include <nettle/sha2.h>

enum { FILE_HASH_TEXT = 65 };

/* 64 hexadecimal digits.  BAD_INPUT when the file cannot be opened. */
enum status file_hash(const char *path, char text[FILE_HASH_TEXT]);

/* The same of what was hashed; the context starts anew. */
void hash_text(struct sha256_ctx *context, char text[FILE_HASH_TEXT]);
