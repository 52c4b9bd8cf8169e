/* How a function of the library ended, and how it says so.
 *
 * The cause of a failure is printed once, with complain(), where the facts are known; callers relay the status with
 * TRY.  What they hold they declare OWNED or FREED_BY, so that it goes on every way out; where an end is more than
 * that, it stands at the label `done`, which TRY_DONE goes to.
 */
#pragma once

#include "owned.h"

enum status {
    OK,
    LIMIT_BROKEN, /* a result broke a limit or differs from its replay */
    BAD_INPUT,    /* usage, a bad file, or nothing was selected */
    NOT_MEASURED, /* out of memory, disk full, a failing library or device */
    NO_DEVICE,    /* the device asked for is not there */
    INTERRUPTED,
};

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const enum status try_status = (call);                                                                         \
        if (try_status != OK)                                                                                          \
            return try_status;                                                                                         \
    } while (0)

/* Needs `enum status status` and a label `done` in the function. */
#define TRY_DONE(call)                                                                                                 \
    do {                                                                                                               \
        status = (call);                                                                                               \
        if (status != OK)                                                                                              \
            goto done;                                                                                                 \
    } while (0)

/* Prints "ulpscope: ..." and a newline on stderr: what was found; "expected" what; what to do. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, and the status that it means: `return bad_input("%s: expected ...", path);` */
#define bad_input(...) (complain(__VA_ARGS__), BAD_INPUT)
#define not_measured(...) (complain(__VA_ARGS__), NOT_MEASURED)
#define no_device(...) (complain(__VA_ARGS__), NO_DEVICE)
#define caused_by(cause, ...) (complain(__VA_ARGS__), status_of_cause(cause)) /* an errno */

/* Puts a name between that and the complaint, "rank 3: ", while no other thread complains. */
void complaints_from(const char *who);

/* What an errno of open() and the like means: BAD_INPUT where the name is to blame; NOT_MEASURED where the machine is
 * (no file descriptor, no memory, no space, a broken disk), so that the same name may work later. */
enum status status_of_cause(int cause);

/* The common cause, said in one way.  Returns NOT_MEASURED. */
enum status out_of_memory(const char *what);
