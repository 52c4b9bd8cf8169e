/* What stands in the folder of a project. */
#pragma once

#include "src/files/new_files.h"
#include "src/plugins/prototype.h"

/* Functions of a project that may be sums or dot products, by a simple reading of its sources: nothing is compiled,
 * imported or run.  Of C, C++ and CUDA those whose prototype ulpscope can call (src/plugins/prototype.h), of Python
 * those of one parameter or two whose name speaks of a sum. */

enum language { LANGUAGE_C, LANGUAGE_CPP, LANGUAGE_CUDA, LANGUAGE_PYTHON, LANGUAGES };

struct callable {
    enum language language;
    char *file; /* relative to the project: "src/mysum.c" */
    size_t line;
    char *text;          /* as it stands there, on one line: "float mysum(const float *x, size_t n)" */
    char *why;           /* it cannot be measured as it is, the end of "found ..."; NULL: it can */
    struct prototype of; /* of Python: name and is_dot */
    bool is_likely;      /* of Python: its name speaks of a sum */
    bool on_host;        /* of CUDA: it copies its arrays to the GPU itself */
    bool is_atomic;      /* of CUDA: its file has atomicAdd */
    const char *arrays;  /* of Python: what its file imports, "numpy", or "list" */
};

struct callables {
    struct callable *list;
    size_t count, capacity;
};

/* Appends those of a file; one that cannot be read has none. */
void callables_read(struct callables *to, const char *folder, const char *file, enum language language);

/* Whether it is listed: it can be measured, and in Python it is likely. */
bool callable_is_fit(const struct callable *callable);

void callables_free(struct callables *callables);

enum project_kind { PROJECT_PLUGIN, PROJECT_PYTHON, PROJECT_CUDA, PROJECT_C, PROJECT_DATA, PROJECT_EMPTY };

struct project {
    /* PLUGIN: its study.yaml names plug-ins, as that of `plugin new` does; PYTHON: it has a pyproject.toml or its like,
     * or sources in Python alone; DATA: .npy files and no sources. */
    enum project_kind kind;
    struct callables callables; /* in the order of files' names */
    char **data;                /* .npy files in it, likewise */
    size_t data_count, data_room;
    size_t files;
};

bool project_has(const char *folder, const char *name); /* a file or a folder */

/* Reads files up to three folders deep, but for those of builds and tools; opens no link. */
void project_read(const char *folder, struct project *project);
void project_free(struct project *project);

/* Where its CI may be: GitHub has a folder .github there, or the remote of its repository; GitLab a file. */
bool project_is_on_github(const char *folder);
bool project_is_on_gitlab(const char *folder);

/* The commands that build its plug-in, each with a '\n' behind it: those of the ci.yml of `plugin new` that are not
 * ulpscope's, and what a study of `init --wrap` says.  Allocated; "": none. */
char *project_builds(const char *folder);

/* The files of a folder of examples/, to be written elsewhere: by `plugin new` and by `init`. */

/* All files of the folder "plugins/c", and below it, in whose names and texts each "mysum" is `name`.  `what` begins
 * the message of a failure. */
enum status template_add(struct new_files *files, const char *what, const char *folder, const char *name);

/* What stands in a file where it says "@build@". */
struct filling {
    const char *mark, *text;
};

/* One of them, "init/ci/github.yml", as the file `as`.  fillings: the last has no mark.  Where a text is lines, which
 * end in '\n', the file's line is there once for each of them: of none, "", not at all. */
enum status template_add_filled(struct new_files *files, const char *what, const char *name, const char *as,
                                const struct filling *fillings);

/* What makes a function of a project measured: a source that calls it as a plug-in, and the study that has it. */

/* The callable that NAME, or FILE:NAME, means; complains where it is none, cannot be measured, or is several. */
enum status wrapper_find(const struct project *project, const char *name, const struct callable **found);

/* What a `--wrap` of it would have to say: its name, or FILE:NAME where two have that; allocated. */
char *wrapper_word(const struct project *project, const struct callable *callable);

/* Its study.yaml and its source.  *builds: the commands that compile it, each with a '\n' behind it; allocated. */
enum status wrapper_add(struct new_files *files, const char *folder, const struct callable *callable, char **builds);
