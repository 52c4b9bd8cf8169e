/* The operations of a study: which of kernels/operations.def its methods do, and how many vectors its data have.
 *
 *   methods plain/serial and kahan/serial, operations dot and dot_exact
 *     dot:plain/serial, dot:kahan/serial, dot_exact:plain/serial, dot_exact:kahan/serial, on data of two vectors
 */
#pragma once

#include "study.h"

/* Reads --operation, or the key of a study file: words with commas between them. */
enum status study_read_operations(struct study *study, const char *words, const char *where);

/* Brings the methods to each operation of the study; those whose ids name one stay what they are.  Says on stderr what
 * does not exist, unless `quiet`.  BAD_INPUT where methods compute different things, sums and dot products, or none is
 * left. */
enum status study_apply_operations(struct study *study, bool quiet);

/* Once methods and data are known: how many vectors the data are made of.  BAD_INPUT where they have another number. */
enum status study_set_vectors(struct study *study);

/* Whether a method is among these. */
bool methods_include(const struct method *const *methods, size_t count, const struct method *method);
