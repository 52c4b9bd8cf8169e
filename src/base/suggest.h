/* "Did you mean ...?" */
#ifndef ULPSCOPE_SUGGEST_H
#define ULPSCOPE_SUGGEST_H

#include <stddef.h>

/* The known word that is nearest to `word`, the first of equals; NULL when none is near enough to be meant. */
const char *suggest(const char *word, const char *const *known, size_t count);

#endif
