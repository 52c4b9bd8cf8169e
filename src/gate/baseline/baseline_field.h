/* What a line of a baseline's file holds beside its name: one table, by which it is written and read; and
 * baseline_write(). */
#pragma once

#include "baseline.h"

#include <jansson.h>

/* Where a value stands, for complaints. */
struct place {
    const char *path, *text; /* of the whole file */
    const char *series;      /* its name; NULL: above the series */
    const char *key;         /* NULL: the series itself */
    const char *inner;       /* within the value of the key; NULL: the value itself */
};

/* Says "baselines/main.json:17: "kahan/serial ...", ulp_error, max: ...; take the line ..." and returns BAD_INPUT. */
enum status refuse_place(const struct place *place, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* BAD_INPUT for an object with other keys than the known ones, or without one of them. */
enum status check_keys(const struct place *place, const json_t *object, const char *const *known, size_t count);

/* Allocated; without control characters, since it is shown on terminals. */
enum status read_json_text(const struct place *place, const json_t *value, char **text);

/* A whole number from 0 on. */
enum status read_whole_number(const struct place *place, const json_t *value, uint64_t *number);

/* All fields of a series whose name is known. */
enum status read_fields(const struct place *place, const json_t *object, struct baseline_series *line);
