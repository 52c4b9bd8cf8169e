/* What a check looks like: one file of src/gate/outputs and one row of outputs.def each. */
#pragma once

#include "src/gate/check.h"

struct checked {
    const struct check *check;
    const char *run; /* as the user named it */
    bool verbose;    /* what passes is listed one by one */
};

struct check_output {
    const char *id;
    const char *option;   /* the flag of `ulpscope check`, without "--"; NULL: the terminal, which is always written */
    const char *argument; /* of the flag: "FILE"; NULL: it takes none, and `path` is "-" */
    const char *summary;  /* one line */
    const char *variable; /* of the environment, which may name one more file that is written; NULL: none */
    enum status (*write)(const struct checked *checked, const char *path);
};

const struct check_output *const *check_outputs(size_t *count);
