/* Results of the rows of a batch, which trials are, with the mean, the maximum or the root of another row, or of the
 * other axis: named by their values, in whatever order they add. */
#pragma once

#include "suspect.h"

/* The numbers of a group's rows; NULL where they are not neighbours of one length, or too many. */
struct row_table;
enum status row_table_make(struct group *group, struct row_table **table);
void row_table_free(struct row_table *table);

enum status hypotheses_by_rows(struct claimed_method claimed, const struct row_table *table,
                               struct hypotheses *hypotheses);
void another_row_say(const struct hypothesis *hypothesis, struct text *to);

/* Whether there is such a row to a data set; and whether the results of a job's have the values of its hypothesis. */
bool another_row_is_there(const struct row_table *table, struct change change, size_t data);
bool has_another_row(const struct job *job, const struct row_table *table);
