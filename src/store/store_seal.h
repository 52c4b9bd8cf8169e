/* Seals: beside what was written stands the first half of its SHA-256, so that a store that is damaged, or was changed
 * by another program, is not believed.  Seals are computed from what is bound, and held to the values as they are read
 * back when the store is opened.
 *
 *   cases.seal   of a case: what stands before its seal, and its rows in the order of their ids, behind each what it
 *                has in `elements`
 *   seal.seal    of all other tables, whose rows are few; beside it stands the number of cases
 *
 * What is sealed of a row: for each column 64 bits, least byte first: an integer; a number, as binary64; the length of
 * a text; all bits set for NULL.  Then the texts.
 */
#pragma once

#include "store_line.h"

#include <nettle/sha2.h>

_Static_assert(SEAL_SIZE == SHA256_DIGEST_SIZE / 2, "the first half");

void seal_add(struct sha256_ctx *seal, const struct line *line);
void seal_end(struct sha256_ctx *seal, uint8_t bytes[SEAL_SIZE]);

/* Of the small tables, as they are now. */
enum status seal_of_tables(struct store *store, uint8_t bytes[SEAL_SIZE]);
