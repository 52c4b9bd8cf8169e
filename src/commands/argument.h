/* What an argument without a flag is.  Every command asks here, so that x.npy, uniform:n=10, kahan/serial and
 * study.yaml are the same to all of them.
 *
 *   ulpscope run x.npy          ulpscope blame x.npy kahan/serial          ulpscope bench uniform:low=-1
 */
#pragma once

#include "src/base/status.h"

#include <stdbool.h>

enum argument_kind {
    ARGUMENT_DATA,   /* anything else: a file, a spec, a word that was mistyped */
    ARGUMENT_METHOD, /* a method, a glob of methods, the name of an accumulator or an order; and no family */
    ARGUMENT_STUDY,  /* its name ends in .yaml or .yml: what is in a file makes it no study, which may start programs */
};

/* "x.npy", ".npy": true; of what is before the ending something is left. */
bool argument_ends_in(const char *text, const char *ending);

enum argument_kind argument_kind(const char *text);

/* Complains and returns BAD_INPUT when it is a method or a study. */
enum status argument_expect_data(const char *text, const char *where);
