/* A CSV file (RFC 4180) whose columns are found by the names in its first line; others are passed over. */
#pragma once

#include "src/base/status.h"

#include <stdint.h>

/* Takes a row, which begins in this line: a field for each name, NULL where it is empty or there is no such column. */
typedef enum status named_columns_take(void *context, uint64_t line, char *const *fields);

/* Complains with file and line, and ends with the first that is not OK. */
enum status named_columns_read(const char *path, const char *const *names, int count, named_columns_take *take,
                               void *context);
