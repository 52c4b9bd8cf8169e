/* One method, its launch and its data, for the commands that look at one sum: their options are argp children.
 *
 *   ulpscope tree kahan/shuffle_two_pass -n 37 --blocks 2 --threads 32
 */
#pragma once

#include "data_arguments.h"

/* The children of a command that takes one data set and one launch: its arguments begin with the data_argument. */
extern const struct argp_child data_and_launch_parsers[];

/* The launch of --blocks and --threads, or their variables: one, not a sweep. */
enum status command_read_launch(const struct config *config, struct launch *launch);

/* The method of that id or alias.  Complains and returns BAD_INPUT for none, for a glob, for matrix products and
 * rows of statistics.def, and where it refuses the launch; not for a black box. */
enum status command_read_method(const char *name, const char *where, struct launch launch,
                                const struct method **method);

/* Complains and returns BAD_INPUT for methods that multiply. */
enum status command_expect_sum(const struct method *method, const char *where);

/* As data_argument_read: one vector, or the two of a dot product. */
enum status command_read_vectors(struct data_argument *argument, const char *where, const struct method *method,
                                 struct chosen_data *chosen);

/* The method that takes the data, which are made: without an @ it is in the format that these are usually added in.
 * Complains and returns BAD_INPUT where there is none. */
enum status command_fit_method(const struct chosen_data *chosen, const char *where, const struct method **method);
