/* The command that reruns one result: what makes a witness. */
#pragma once

#include "src/base/text.h"
#include "src/plugins/plugin.h"
#include "study.h"

struct witness {
    const char *method;
    const char *data_arguments; /* see rerun_data() */
    uint64_t seed, trial;
    struct launch launch;
    const char *device; /* as --device takes it: "host", "cuda:0" */
    bool replay_beside, slow;
    const char *across;        /* the axis that is varied; NULL: none */
    struct plugin_name plugin; /* of a method of our own: "", or NULL */
};

/* The arguments that name the data: "-d uniform:n=1024".  Allocated. */
char *rerun_data(const struct data_spec *spec);

/* Whether they are arguments for that data, and nothing that a shell would run.  BAD_INPUT when not. */
enum status rerun_check_data(const char *arguments, const char *spec);

/* " --python mine.py:sum"; nothing of a method of our own. */
void rerun_append_plugin(struct text *to, struct plugin_name plugin);

/* Allocated; a shell reads it back word by word. */
char *rerun_command(const struct witness *witness);

/* The command that writes the row and the column of element (i, j) of a matrix product as two vectors.  Allocated.
 */
char *rerun_vectors(const char *spec, uint64_t seed, uint64_t trial, uint64_t i, uint64_t j);
