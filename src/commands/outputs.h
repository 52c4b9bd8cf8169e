/* Where the reports of a run go: the files of -o DIR, the flags like --json F, and the table on the terminal. */
#pragma once

#include "reports/report.h"
#include "src/files/folder_lock.h"
#include "src/files/folder_swap.h"
#include "src/store/store.h"

#include <argp.h>

enum { OUTPUTS_MOST = 32 };
struct outputs {
    const char *directory;             /* -o; NULL: none.  "-" is --csv - */
    const char *exports[OUTPUTS_MOST]; /* a path for each report format, or NULL */
    bool makes_run;                    /* a run.db as well, of which --resume and --overwrite are then */
    bool overwrite;                    /* --overwrite: what is not ours is replaced as well */
    bool resume;                       /* --resume */
    struct target target;              /* --target */
    const char *top_text;              /* --top, or NULL */
    uint64_t top;                      /* what it says, once outputs_check has read it */
    enum status (*print)(const struct report *report, const char *path); /* on stdout; NULL: all tables */
};

/* What --help says of those of a command, and in which groups. */
struct outputs_help {
    const char *output, *overwrite; /* of -o DIR */
    bool has_resume;
    int group, target_group; /* 0: it has no --target */
};

/* The options of a command: `fixed`, ended by a zero one, and those of outputs, one for each report format that has a
 * flag among them.  Allocated. */
struct argp_option *outputs_options(const struct argp_option *fixed, const struct outputs_help *help);

/* Takes the option, and returns true, if the key is of one of those; ends the program where its value is wrong. */
bool outputs_set(struct outputs *outputs, int key, char *value);

/* What becomes of the run in the folder. */
enum store_mode outputs_mode(const struct outputs *outputs);

/* Refuses what can be refused before hours of measuring. */
enum status outputs_check(struct outputs *outputs);

/* The folder of -o while this program alone writes there; zeroed where there is none. */
struct output_folder {
    struct folder_lock lock;
    struct folder_swap swap;
    bool replaces_foreign;
};

/* Before the first look at what is in the folder.  Refuses one that somebody else writes into, and, without
 * --overwrite, files that are not ours; a run.db that is about to be made there will be ours.  Leave it also after a
 * failure. */
enum status outputs_enter(const struct outputs *outputs, struct output_folder *folder);
void outputs_leave(struct output_folder *folder);

/* measured: what `run` stored; NULL: the runs were read.  The reports in the folder appear together, and with them a
 * run that was to replace the one there; as long as that is not complete they are left as they are. */
enum status outputs_write(const struct outputs *outputs, struct output_folder *folder, const struct report *report,
                          struct store *measured);

/* The same of a run that was made: reads its results, which stay the caller's. */
enum status outputs_write_run(const struct outputs *outputs, struct output_folder *folder, struct store *made,
                              struct results *results);

/* LIMIT_BROKEN where a result is above its bound, and names each such series. */
enum status bounds_check(const struct results *results);
