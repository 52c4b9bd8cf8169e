/* What files call the operation of a method: its row of operation_table; of a plug-in's variance, whose algorithm
 * nobody knows, what stands before the ':' of its id, "variance". */
#pragma once

#include "method.h"

#include <stdio.h>
#include <string.h>

enum { OPERATION_WORD_SIZE = 32 };

static inline const char *operation_word(const char *id, enum operation operation, char word[OPERATION_WORD_SIZE])
{
    if (!is_statistic(operation))
        return operation_table[operation].id;
    snprintf(word, OPERATION_WORD_SIZE, "%.*s", (int)strcspn(id, ":"), id);
    return word;
}
