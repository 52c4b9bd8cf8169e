/* What each file is to one command: a file that it reads is never written, and no file is written twice.
 *
 *   TRY(claim_to_write("--csv", "out/results.csv"));     where a flag is checked, before anything is opened
 *   TRY(claim_to_read("data", "x.npy"));                 where a file is opened
 *
 * The second claim is refused, and the message names both.  Files are told apart by device and inode, and files that
 * are not there yet by the nearest folder that is and the names below it, so that links, "./x" and hard links are
 * recognised.  Devices and pipes are not restricted.
 */
#pragma once

#include "src/base/status.h"

/* From here on claims are kept.  Before, as in tests of the library, every claim is granted. */
enum status claims_begin(void);

/* A file that is, or may be, read; `what`: what it is to the command, as "study". */
enum status claim_to_read(const char *what, const char *path);

/* A file, or a folder of files, that will be made or replaced; `flag` names it. */
enum status claim_to_write(const char *flag, const char *path);
enum status claim_folder(const char *flag, const char *path);

/* The file has been read and may be replaced now: a baseline. */
void claim_end_reading(const char *what, const char *path);

/* Refuses a `path` that this command reads; asked when a file is opened for writing. */
enum status claim_check_unread(const char *path);
