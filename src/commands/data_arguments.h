/* The arguments that name one data set, in some commands after one or two methods, and --seed, --trial, --nonfinite,
 * --format and --convert: a part (an argp child) of the commands that take one.
 */
#pragma once

#include "datasets/dataset.h"
#include "plugin_arguments.h"

struct data_argument {
    struct globals *globals;
    const char *text;       /* FILE or SPEC */
    const char *methods[2]; /* as many as it wants */
    size_t method_count;
    const char *trial, *format;
    bool converts;
    enum nonfinite nonfinite;
    bool takes_stdin;       /* "-" is the standard input */
    bool takes_two_vectors; /* A::B, of which it then says what it wants: data_spec_set_kind */
    bool optional;          /* the command may do without data; it then looks at `text` before it reads them */
};

/* The children of a command that takes one data set, whose parser ends with command_take_with_plugins: its arguments
 * begin with a struct data_argument, which is the children's input. */
extern const struct argp_child data_parsers[];

/* One data set; `where` starts complaints.  The caller calls chosen_data_free, also after a failure. */
struct chosen_data {
    struct data_spec *spec;
    uint64_t seed, trial;
    struct dataset data; /* empty until it is made */
};

/* Which one it is; who wants the numbers makes or streams them. */
enum status data_argument_read(const struct data_argument *argument, const char *where, struct chosen_data *chosen);

enum status chosen_data_make(struct chosen_data *chosen);
void chosen_data_free(struct chosen_data *chosen);

/* What an argument without a flag is.  Every command asks here, so that x.npy, uniform:n=10, kahan/serial and
 * study.yaml are the same to all of them.
 *
 *   ulpscope run x.npy          ulpscope blame x.npy kahan/serial          ulpscope bench uniform:low=-1
 */

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

/* One method, its launch and its data, for the commands that look at one sum: their options are argp children.
 *
 *   ulpscope tree kahan/shuffle_two_pass -n 37 --blocks 2 --threads 32
 */

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

/* Likewise for a method, whose id it is, that gives a result for each number. */
enum status command_expect_one_result(enum operation operation, const char *word, const char *where);

/* Likewise for sums of windows, which are not varied. */
enum status command_expect_no_windows(enum operation operation, const char *word, const char *where);

/* As data_argument_read: one vector, or the two of a dot product. */
enum status command_read_vectors(struct data_argument *argument, const char *where, const struct method *method,
                                 struct chosen_data *chosen);

/* The method that takes the data, which are made: without an @ it is in the format that these are usually added in.
 * Complains and returns BAD_INPUT where there is none. */
enum status command_fit_method(const struct chosen_data *chosen, const char *where, const struct method **method);
