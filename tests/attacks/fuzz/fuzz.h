/* Parsers fed with any bytes, in one process.  A family is one file and one row of families.def:
 *
 *   static void one(const char *bytes, size_t size) { ... fuzz_check(again == first, "..."); }
 *   const struct fuzz_family fuzz_numbers = {.one = one, .seeds = seeds};
 *
 * By gcc and clang the program fuzz_everyday feeds all with their seeds and changed ones; in the preset fuzz each is a
 * libFuzzer target, fuzz_ID.  What complain() is told is written nowhere, but counted: a refusal without a word, and
 * words without a refusal, are faults.
 */
#ifndef ULPSCOPE_TESTS_FUZZ_H
#define ULPSCOPE_TESTS_FUZZ_H

#include "src/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fuzz_seed {
    const char *bytes;
    size_t size;
};
#define SEED(text)                                                                                                     \
    {                                                                                                                  \
        text, sizeof(text) - 1                                                                                         \
    }

struct fuzz_family {
    void (*one)(const char *bytes, size_t size);
    const struct fuzz_seed *seeds; /* the last is empty */
    bool is_slow;                  /* an eighth of the inputs will do for every day */
};

/* All inputs come through this. */
extern bool fuzz_says; /* shows what complain() is told */
void fuzz_feed(const struct fuzz_family *family, const char *bytes, size_t size);

/* Ends the process, and shows what was wrong, unless `right`. */
void fuzz_check(bool right, const char *what);

/* The same of what was returned: complaints since the last call of this, if and only if it is no OK. */
void fuzz_check_words(enum status status);
void fuzz_forget_words(void);
extern size_t fuzz_accepted; /* that were OK */

/* The bytes as a text that ends where its allocation does; the caller frees it. */
char *fuzz_text(const char *bytes, size_t size);

/* Whether suggest() is at work. */
extern bool fuzz_suggests;

/* What fopen(FUZZ_PATH, ...) reads until the next call. */
#define FUZZ_PATH "fuzz.input"
void fuzz_file(const char *bytes, size_t size);

/* What was last written through output.h, which writes no file here. */
extern char *fuzz_written;
extern size_t fuzz_written_size;

#endif
