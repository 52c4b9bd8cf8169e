/* New files for a folder: all are whole and on the disk before the first old file is touched.
 *
 *   TRY(folder_swap_open(&swap, "out"));              out/ is locked (folder_lock.h)
 *   write(swap.place ...);                            into "out/.ulpscope/new"
 *   TRY(folder_swap_commit(&swap, wish));             all are put in place
 *   folder_swap_close(&swap);
 *
 * The folder out/.ulpscope/ has:
 *
 *   files         the list of what is ours in out/ (folder_files.h)
 *   new/          new files, while they are written
 *   files.new     the list of new/ once all are written
 *   run.db        a run that is to replace out/run.db, while it is measured (src/store/store.h)
 *
 * Once files.new is there, nothing turns back: the new files are renamed one by one, and where a process is killed in
 * between, the next folder_swap_open finishes its work.
 */
#pragma once

#include "folder_files.h"

#define FOLDER_OWN ".ulpscope"
#define FOLDER_RUN "run.db"

struct folder_swap {
    const char *folder;
    char *place;              /* of new files */
    struct folder_files ours; /* as they were */
    char *list, *new_list;    /* paths of "files" and "files.new" */
    int in_folder, in_own, in_new;
    bool is_open;
};

struct folder_swap_wish {
    bool has_run;          /* the folder has a run.db of ours */
    bool brings_run;       /* .ulpscope/run.db is whole and takes its place */
    bool replaces_foreign; /* files that are not ours are replaced as well */
};

/* First finishes the work of a killed process, if its new files were ready.  Close it also after a failure. */
enum status folder_swap_open(struct folder_swap *swap, const char *folder);

/* Refuses to replace files of these names that are not ours, and names them. */
enum status folder_swap_refuse_foreign(const struct folder_swap *swap, const struct folder_files *names,
                                       bool replaces_foreign);

/* Lists a file that is about to be made, unless it is there already. */
enum status folder_swap_announce(struct folder_swap *swap, const char *name);

/* Puts all new files in place, and removes those of ours that are not among them.  After a failure all old files are
 * still there, unless the message says that new ones could not be put in place. */
enum status folder_swap_commit(struct folder_swap *swap, struct folder_swap_wish wish);

void folder_swap_close(struct folder_swap *swap);
