/* "Did you mean ...?" */
#pragma once

#include "status.h"

#include <stddef.h>

/* The known word that is nearest to `word`, the first of equals; NULL when none is near enough to be meant. */
const char *suggest(const char *word, const char *const *known, size_t count);

/* Complains that a word is none of those that are known: where it stands, what it should be ("format").  Returns
 * BAD_INPUT. */
enum status refuse_unknown(const char *where, const char *what, const char *word, const char *const *known,
                           size_t count);

/* The same of a word that is none of NUMBER_FORMATS. */
enum status refuse_unknown_format(const char *where, const char *what, const char *word);
