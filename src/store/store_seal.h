/* Seals: beside what was written stands the first half of its SHA-256, so that a store that is damaged, or was changed
 * by another program, is not believed.  Seals are computed from the values as they are read back.
 *
 *   cases.seal   of a case: whether it is finished, and its rows in the order of their key
 *   seal.seal    of all other tables, whose rows are few; beside it stands the number of cases
 *
 * What is sealed of a row: for each column 64 bits, least byte first: an integer; a number, as binary64; the length of
 * a text.  Then the texts.
 */
#ifndef ULPSCOPE_STORE_SEAL_H
#define ULPSCOPE_STORE_SEAL_H

#include "store_file.h"

#include <nettle/sha2.h>

enum { SEAL_SIZE = SHA256_DIGEST_SIZE / 2 };

/* Begins the seal of a case; its rows follow. */
void seal_begin(struct sha256_ctx *seal, uint64_t index, bool is_finished);

/* A row of any table; its texts live until the next step. */
struct line {
    int count;
    uint64_t words[COLUMNS]; /* no table has more; a NaN is UINT64_MAX */
    const char *texts[COLUMNS];
};

/* The row that the statement has now.  False: a value is of another type than the letters say. */
bool line_read(sqlite3_stmt *row, const char *types, struct line *line);
double line_number(const struct line *line, enum column column);

void seal_add(struct sha256_ctx *seal, const struct line *line);
void seal_end(struct sha256_ctx *seal, uint8_t bytes[SEAL_SIZE]);

/* Of the small tables, as they are now. */
enum status seal_of_tables(struct store *store, uint8_t bytes[SEAL_SIZE]);

/* What `read_case` of the store is. */
#define STORE_READ_CASE                                                                                                \
    "SELECT * FROM results WHERE case_index = ? ORDER BY launch_index, backend_index, method_index, repeat, i, j"

/* Notes a case, with its seal, in the transaction that writes its rows. */
enum status store_seal_case(struct store *store, uint64_t index, bool is_finished);

#endif
