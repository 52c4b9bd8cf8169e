/* Shares of this program beside those of a file or of another program: a table, a JSON object, a verdict a row. */
#pragma once

#include "shares.h"

struct compare {
    const struct shares *now, *then; /* then NULL: the shares alone are shown */
    const char *with;                /* the file or program that `then` is of */
    const char *json;                /* where to; "-": in place of the table; NULL: nowhere */
    bool quiet;
};

/* Names on stderr what else is not alike.  LIMIT_BROKEN where a row is slower; BAD_INPUT where none is comparable. */
enum status compare_write(const struct compare *compare);
